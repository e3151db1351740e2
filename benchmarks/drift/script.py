"""The model with which the suite is recorded: for each sentence, what a careful one would do."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from pytest_webtask.types.agent import Decision, Element, ProposedToolCall, Turn, Usage
from tests.scripted import call, element, on, rule, verdict

Answer = Callable[[Turn], Decision]
Check = dict[str, Any]


class Player:
    """Knows the sentences of the suite, and looks at the page in each turn."""

    def decide(self, turn: Turn) -> Decision:
        """The next answer for the sentence; as a referee it finds everything proved."""
        if turn.conclusion is not None:
            return Decision([rule(proves=True)], usage=Usage(model_calls=1))
        answers: Sequence[Answer] = SENTENCES[turn.task]
        place = min(len(turn.iterations), len(answers) - 1)
        return answers[place](turn)


def _shown(*checks: Check) -> Answer:
    """The task is done, as these checks show."""

    def answer(turn: Turn) -> Decision:
        found = verdict("holds", *checks)(turn).calls[0].parameters["evidence"]
        ending = call("mark_done", summary="done, as the page shows", evidence=found)
        return Decision(calls=[ending], usage=Usage(model_calls=1))

    return answer


def _holds(*checks: Check) -> list[Answer]:
    """The claim holds."""
    return [verdict("holds", *checks)]


def _calls(*calls: Callable[[Turn], ProposedToolCall]) -> Answer:
    """Several calls at once."""
    return lambda turn: Decision(calls=[c(turn) for c in calls], usage=Usage(model_calls=1))


def _use(tool: str, role: str, name: str, **more: Any) -> Callable[[Turn], ProposedToolCall]:
    """A call for one of several, with the others in the same answer."""
    return lambda turn: call(tool, element_id=element(turn, role, name), **more)


def _exactly(tool: str, role: str, name: str) -> Callable[[Turn], ProposedToolCall]:
    """A call for the element of just that name."""

    def proposed(turn: Turn) -> ProposedToolCall:
        elements = turn.observation.elements.values()
        (found,) = (e.id for e in elements if e.role == role and e.name == name)
        return call(tool, element_id=found)

    return proposed


def _in(key: str, name: str) -> Callable[[Turn], ProposedToolCall]:
    """A click on the button in the row or the card that says so."""

    def proposed(turn: Turn) -> ProposedToolCall:
        found = [
            e.id
            for e in turn.observation.elements.values()
            if e.role == "button" and e.name == name and key in e.key
        ]
        assert len(found) == 1, f"{name} in {key}: {found} in\n{turn.observation.outline}"
        return call("click", element_id=found[0])

    return proposed


def _buy(turn: Turn) -> ProposedToolCall:
    """A click on the button of the product itself: the first, others of the kind follow it."""
    buttons = (e for e in turn.observation.elements.values() if e.role == "button")
    return call("click", element_id=next(e.id for e in buttons if e.name == "Add to cart"))


def _every(role: str, part: str) -> Callable[[Turn], list[str]]:
    """The ids of all that have the role and say this, in the order of the page."""

    def ids(turn: Turn) -> list[str]:
        seen: dict[str, Element] = {**turn.observation.texts, **turn.observation.elements}
        found = [e.id for e in seen.values() if e.role == role and part in e.name]
        place = {i: turn.observation.outline.index(f"<{i}>") for i in found}
        return sorted(found, key=lambda i: place[i])

    return ids


def _of_all(kind: str, role: str, part: str, **more: Any) -> Answer:
    """A verdict of one check that cites all of a kind."""

    def answer(turn: Turn) -> Decision:
        check = {"kind": kind, "element_ids": _every(role, part)(turn), **more}
        return verdict("holds", check)(turn)

    return answer


def _text(element_id: str, text: str, **more: Any) -> Check:
    return {"kind": "text", "element_id": element_id, "text": text, **more}


def _value(element_id: str, value: str) -> Check:
    return {"kind": "value", "element_id": element_id, "value": value}


def _log_in(password: str) -> Answer:
    """The form filled in and sent."""
    return _calls(
        _use("fill", "textbox", "Username", text="{user}"),
        _use("fill", "textbox", "Password", text=password),
        _use("click", "button", "Log in"),
    )


def _total(amount: str, cited_as: str = "") -> list[Answer]:
    return _holds(_text(cited_as or f"definition:{amount}", amount))


SENTENCES: dict[str, Sequence[Answer]] = {
    "log in as {user} with {password}": [
        on("click", "link", "Log in"),
        _log_in("{password}"),
        _shown(_text("status:Welcome back", "Welcome back, Dana Demo.")),
    ],
    'the message "Welcome back, Dana Demo." is shown': _holds(
        _text("status:Welcome back", "Welcome back, Dana Demo.")
    ),
    'the heading is "Tableware with fingerprints"': _holds(
        _text("heading:Tableware", "Tableware with fingerprints")
    ),
    "find my earlier orders": [
        on("click", "link", "My orders"),
        _shown(
            _text("heading:My orders", "My orders"),
            _text("link:MUG-1002", "MUG-1002"),
        ),
    ],
    "order MUG-1002 is shipped": _holds(_text("cell:Shipped", "Shipped")),
    "try to log in as {user} with the password {wrong}": [
        on("click", "link", "Log in"),
        _log_in("{wrong}"),
        _shown(_text("alert:Wrong", "Wrong username or password.")),
    ],
    'the message "Wrong username or password." is shown': _holds(
        _text("alert:Wrong", "Wrong username or password.")
    ),
    'no "Log out" button is shown': _holds(
        {"kind": "absent", "role": "button", "name": "Log out"}, _text("link:Log in", "Log in")
    ),
    "list the bowls, the most expensive ones first": [
        _calls(_exactly("click", "link", "Bowls")),
        on("select_option", "combobox", "Sort by", options=["Price: high to low"]),
        _shown(
            _text("heading:Bowls", "Bowls", exact=True),
            _value("combobox:Sort by", "Price: high to low"),
        ),
    ],
    "6 products are shown": [_of_all("count", "listitem", "$")],
    "the products are sorted by price, dearest first": [
        _of_all(
            "order",
            "listitem",
            "$",
            texts=["$34.00", "$29.50", "$27.50", "$18.50", "$15.50", "$12.50"],
        )
    ],
    "have a closer look at the cheapest bowl": [
        on("click", "link", "Cat Bowl"),
        _shown(_text("heading:Cat Bowl", "Cat Bowl"), _text("text:$12.50", "$12.50")),
    ],
    "the Cat Bowl costs $12.50": _holds(
        _text("text:$12.50", "$12.50"), _text("heading:Cat Bowl", "Cat Bowl")
    ),
    "search for the speckled mug and put two sea blue ones into the cart": [
        _calls(
            _use("fill", "searchbox", "Search products", text="speckled mug"),
            _use("press", "searchbox", "Search products", key="Enter"),
        ),
        on("click", "link", "Speckled Mug"),
        _calls(
            _use("select_option", "combobox", "Colour", options=["Sea blue"]),
            _use("fill", "spinbutton", "Quantity", text="2"),
            _buy,
        ),
        _shown(
            _text("status:Added", "Added 2 × Speckled Mug to your cart."),
            _text("link:Cart", "Cart (2 items)"),
        ),
    ],
    "have a look at the cart": [
        on("click", "link", "Cart ("),
        _shown(
            _text("heading:Your cart", "Your cart"), _text("rowheader:Speckled Mug", "Speckled Mug")
        ),
    ],
    "the cart has 2 items": _holds(_text("link:Cart", "Cart (2 items)")),
    "the Speckled Mug in the cart is Sea blue": _holds(_text("rowheader:Speckled", "Sea blue")),
    "the total of the cart is $36.00": _total("$36.00", "definition:$36.00#1"),
    "put an espresso cup and a striped mug into the cart": [
        _calls(_in("Espresso Cup", "Add to cart")),
        _calls(_in("Striped Mug", "Add to cart")),
        _shown(
            _text("status:Added", "Added 1 × Striped Mug to your cart."),
            _text("link:Cart", "Cart (2 items)"),
        ),
    ],
    "in the cart, make it three espresso cups": [
        on("click", "link", "Cart ("),
        _calls(
            _use("fill", "spinbutton", "Quantity of Espresso Cup", text="3"),
            _in("Espresso Cup", "Update"),
        ),
        _shown(
            _value("spinbutton:Quantity of Espresso Cup", "3"),
            _text("link:Cart", "Cart (4 items)"),
        ),
    ],
    "the quantity of the Espresso Cup is 3": _holds(
        _value("spinbutton:Quantity of Espresso Cup", "3")
    ),
    "the quantity of the Striped Mug is 1": _holds(
        _value("spinbutton:Quantity of Striped Mug", "1")
    ),
    "the total of the cart is $49.50": _total("$49.50", "definition:$49.50#1"),
    "take the striped mug out of the cart": [
        _calls(_in("Striped Mug", "Remove")),
        _shown(_text("status:removed", "Striped Mug was removed from your cart.")),
    ],
    "only the Espresso Cup is in the cart": [
        lambda turn: verdict(
            "holds",
            {"kind": "count", "element_ids": _every("row", "Remove")(turn)},
            _text("rowheader:Espresso Cup", "Espresso Cup"),
        )(turn)
    ],
    "the total of the cart is $33.00": _total("$33.00", "definition:$33.00#1"),
    "put one of these mugs into the cart": [
        _calls(_buy),
        _shown(_text("status:Added", "Added 1 × Striped Mug to your cart.")),
    ],
    "redeem the coupon {coupon} in the cart": [
        on("click", "link", "Cart ("),
        _calls(
            _use("fill", "textbox", "Coupon code", text="{coupon}"),
            _use("click", "button", "Apply coupon"),
        ),
        _shown(_text("status:Coupon", "Coupon {coupon} applied: 10% off.")),
    ],
    "the coupon {coupon} is applied": _holds(
        _text("status:Coupon", "Coupon {coupon} applied: 10% off."),
        _text("definition:$1.65", "−$1.65"),
    ),
    "the total of the cart is $14.85": _total("$14.85"),
    "put an espresso cup into the cart and go on to the checkout": [
        _calls(_in("Espresso Cup", "Add to cart")),
        on("click", "link", "Cart ("),
        on("click", "link", "Go to checkout"),
        _shown(
            _text("heading:Checkout", "Checkout"),
            _text("listitem:Espresso Cup", "1 × Espresso Cup"),
        ),
    ],
    "enter that it goes to {name}, {street}, {zip} {city} in Germany, as standard": [
        _calls(
            _use("fill", "textbox", "Full name", text="{name}"),
            _use("fill", "textbox", "Email", text="dana@example.com"),
            _use("fill", "textbox", "Street and number", text="{street}"),
            _use("fill", "textbox", "ZIP code", text="{zip}"),
            _use("fill", "textbox", "City", text="{city}"),
            _use("select_option", "combobox", "Country", options=["Germany"]),
            _use("check", "radio", "Standard"),
        ),
        _shown(
            _value("textbox:Full name", "{name}"),
            _value("textbox:Street and number", "{street}"),
            _value("textbox:ZIP code", "{zip}"),
            _value("textbox:City", "{city}"),
            _value("combobox:Country", "Germany"),
            {"kind": "state", "element_id": "radio:Standard", "state": "checked"},
        ),
    ],
    "pay with the card {card}, which expires in 12/39 and has the security code 123": [
        _calls(
            _use("fill", "textbox", "Card number", text="{card}"),
            _use("fill", "textbox", "Expiry date", text="12/39"),
            _use("fill", "textbox", "Security code", text="123"),
            _use("click", "button", "Save card"),
        ),
        _shown(_text("status:is ready", "is ready.")),
    ],
    "accept the terms and order": [
        _calls(
            _use("check", "checkbox", "I accept"),
            _use("click", "button", "Place order"),
        ),
        _shown(_text("heading:Thank you", "Thank you for your order")),
    ],
    'the page says "Thank you for your order"': _holds(
        _text("heading:Thank you", "Thank you for your order")
    ),
    "the order number is shown": _holds(
        {
            "kind": "matches",
            "element_id": "text:Your order number",
            "pattern": r"Your order number is MUG-\d+\..*",
        }
    ),
    "the total of the order is $15.90": _total("$15.90"),
    'the address says "Kiln Lane 12" and "10115 Berlin"': _holds(
        _text("text:Dana Demo", "Kiln Lane 12"),
        _text("text:Dana Demo", "10115 Berlin"),
    ),
    "the cart has 0 items": _holds(_text("link:Cart", "Cart (0 items)")),
    "go to the list of my orders": [
        on("click", "link", "My orders"),
        _shown(_text("heading:My orders", "My orders")),
    ],
    "2 orders are listed": [_of_all("count", "row", "MUG-")],
    "put this mug on my wishlist": [
        on("click", "button", "Add to wishlist"),
        _shown(
            _text("status:wishlist", "Camping Mug is on your wishlist."),
            _text("button:wishlist", "Remove from wishlist"),
        ),
    ],
    "in my account, rename the wishlist to {wishes}": [
        on("click", "link", "Account"),
        on("click", "button", "Rename wishlist", dialog="accept", dialog_text="{wishes}"),
        _shown(_text("status:renamed", "Wishlist renamed."), _text("heading:Birthday", "{wishes}")),
    ],
    "the heading is {wishes}": _holds(_text("heading:Birthday", "{wishes}")),
    "the Camping Mug costs $14.00": _holds(
        _text("link:Camping Mug", "Camping Mug"), _text("text:$14.00", "$14.00")
    ),
}
