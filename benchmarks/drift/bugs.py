"""Changes that a tester would report."""

from __future__ import annotations

import json
import re

from werkzeug.utils import redirect
from werkzeug.wrappers import Response

from benchmarks.drift.editing import both, edited, page, posts, put, say, sub, swap
from benchmarks.drift.shop import Change, Changing, Visit

_CART = "/cart"
_LISTING = r"/products\?.*"


def _bug(name: str, answer: Changing, *tests: str, given: str = "") -> Change:
    return Change(name, "bug", answer, tests, given)


def _gone(pattern: str, at: str = ".*") -> Changing:
    """What fits the pattern is not on the page."""
    return page(sub(pattern, ""), at=at)


def _only_welcomed(visit: Visit) -> Response:
    """The log-in is answered with a welcome, but does not log in."""
    if visit.posts("/login"):
        visit.kept["welcome"] = True
        visit.apply()
        return redirect("/")
    response = visit.forward()
    if response.mimetype == "text/html" and visit.kept.pop("welcome", False):
        return edited(visit, response, say("Welcome back, Dana Demo."))
    return response


def _to_the_terms(visit: Visit) -> Response:
    """Who has logged in is sent to the terms."""
    response = visit.forward()
    if visit.posts("/login") and response.status_code == 302:
        response.headers["Location"] = "/terms"
        visit.apply()
    return response


def _as_rita(visit: Visit) -> Response:
    """The customer gets the account of somebody else, under the own name."""
    if visit.posts("/login"):
        visit.apply()
        return visit.forward(form={"username": "rita", "password": "rita-pass-7"})
    return edited(visit, visit.forward(), swap("Rita Rivers", "Dana Demo"))


def _another_item(visit: Visit) -> Response:
    """Bowls go into the cart instead of mugs, and the message does not tell."""
    if visit.posts("/cart/add/1"):
        visit.apply()
        return visit.forward("/cart/add/15")
    swapped = swap("Cereal Bowl to your cart", "Speckled Mug to your cart")
    return edited(visit, visit.forward(), swapped)


def _twice(visit: Visit) -> Response:
    """What is put into the cart is put into it twice."""
    if visit.posts("/cart/add"):
        visit.apply()
        visit.forward()
    return visit.forward()


def _other_row(which: str) -> Changing:
    """What is sent for one row of the cart is done to the other."""

    def answer(visit: Visit) -> Response:
        found = re.fullmatch(r"/cart/items/([12])", visit.path)
        if found is None or which not in visit.request.form:
            return visit.forward()
        visit.apply()
        return visit.forward(f"/cart/items/{3 - int(found[1])}")

    return answer


def _only_says_removed(visit: Visit) -> Response:
    """Removing tells that something was removed."""
    if visit.posts("/cart/items") and "remove" in visit.request.form:
        visit.kept["removed"] = True
        visit.apply()
        return redirect(_CART)
    response = visit.forward()
    if response.mimetype == "text/html" and visit.kept.pop("removed", False):
        return edited(visit, response, say("Striped Mug was removed from your cart."))
    return response


def _order_is_lost(emptied: bool) -> Changing:
    """The thanks are those for an order that does not exist; the cart may be emptied all the same."""
    faked = [
        both("2 × Speckled Mug (Cream)", "1 × Espresso Cup"),
        *(swap(a, b) for a, b in (("$36.00", "$11.00"), ("$12.90", "$4.90"), ("$48.90", "$15.90"))),
        swap("Express", "Standard"),
        swap("MUG-1002", "MUG-1003"),
        sub(r'<p class="flash success" role.*?</p>', ""),
    ]

    def answer(visit: Visit) -> Response:
        if visit.posts("/checkout"):
            visit.apply()
            if emptied:
                visit.forward("/cart/items/1", form={"remove": ""})
            return redirect("/orders/MUG-1003/thanks")
        if visit.path == "/orders/MUG-1003/thanks":
            response = visit.forward("/orders/MUG-1002/thanks")
            return edited(visit, response, *faked)
        return visit.forward()

    return answer


def _listing(*edits: tuple[str, str], **query: str) -> Changing:
    """A list with another filter or order than was asked for, which looks as if it had that one."""

    def answer(visit: Visit) -> Response:
        asked = visit.request.args.to_dict()
        if visit.path != "/products" or "category" not in asked:
            return visit.forward()
        given = {**asked, **{k: v for k, v in query.items() if k in asked}}
        if given == asked:
            return visit.forward()
        return edited(visit, visit.forward(query=given), *(sub(*each) for each in edits))

    return answer


def _chosen(sort: str) -> list[tuple[str, str]]:
    """The choice shows the order that was asked for."""
    return [
        (f'(value="{sort}") selected', r"\1"),
        ('(value="price-desc")', r"\1 selected"),
    ]


def _broken_cart(visit: Visit) -> Response:
    """The cart is an error page that says 200."""
    if visit.path != _CART:
        return visit.forward()
    visit.apply()
    response = visit.forward("/broken")
    response.status_code = 200
    return response


def _stale_cart(visit: Visit) -> Response:
    """The cart is shown as it was when it was first shown."""
    if visit.path != _CART or visit.request.method != "GET":
        return visit.forward()
    if "cart" in visit.kept:
        visit.apply()
    else:
        visit.kept["cart"] = visit.forward().get_data(as_text=True)
    return Response(visit.kept["cart"], mimetype="text/html")


def _not_renamed(visit: Visit) -> Response:
    """The new name of the wishlist is shown, and kept nowhere."""
    if not visit.posts("/wishlist/rename"):
        return visit.forward()
    visit.apply()
    return Response(json.dumps(visit.request.get_json()), mimetype="application/json")


_SUM = r'(<div class="sum"><dt>Total</dt><dd>\$)(\d+)'
BUGS = (
    # Something is not there, or cannot be used.
    _bug(
        "no button to add",
        _gone(r"<button>Add to cart</button>"),
        "test_options",
        "test_changing_the_cart",
    ),
    _bug("no link to the checkout", _gone(r'<a class="button wide".*?</a>'), "test_order"),
    _bug(
        "no total in the cart",
        _gone(r'<div class="sum">.*?</div>', at=_CART),
        *("test_options", "test_changing_the_cart", "test_coupon"),
    ),
    _bug("no field for the coupon", _gone('<input id="code"[^>]*>'), "test_coupon"),
    _bug("no such colour", _gone("<option>Sea blue</option>"), "test_options"),
    _bug(
        "button is hidden",
        page(sub("<button([^>]*)>Apply", r'<button\1 style="display: none">Apply')),
        "test_coupon",
    ),
    _bug(
        "button is disabled",
        page(swap('<button class="wide">Place', '<button class="wide" disabled>Place')),
        "test_order",
    ),
    _bug(
        "page is covered",
        page(put('<div style="position:fixed;inset:0;z-index:99"></div>', after="</footer>")),
        "test_log_in",
    ),
    _bug(
        "field is read-only",
        page(swap('<input id="username"', '<input id="username" readonly')),
        "test_log_in",
    ),
    _bug("field is too short", page(swap('maxlength="20"', 'maxlength="5"')), "test_coupon"),
    _bug(
        "field does not keep what is entered",
        page(swap('<input id="quantity"', '<input id="quantity" oninput="this.value = 1"')),
        "test_options",
    ),
    # Something does nothing.
    _bug(
        "updating does nothing",
        page(sub("<button([^>]*)>Update", r'<button\1 type="button">Update')),
        "test_changing_the_cart",
    ),
    _bug(
        "ordering does nothing",
        page(swap('method="post" novalidate', 'method="post" novalidate onsubmit="return false"')),
        "test_order",
    ),
    _bug(
        "renaming does nothing",
        _gone('<script src="[^"]*account.js" defer></script>'),
        "test_wishlist",
    ),
    _bug(
        "saving the card does nothing",
        page(swap("<button>Save card", '<button type="button">Save card')),
        "test_order",
    ),
    _bug("removing only says so", _only_says_removed, "test_changing_the_cart"),
    _bug("logging in only says so", _only_welcomed, "test_log_in"),
    _bug("new name is lost", _not_renamed, "test_wishlist"),
    _bug("wishlist is lost", _gone(r'<ul class="rows">.*?</ul>', at="/account"), "test_wishlist"),
    _bug("order is lost, cart is full", _order_is_lost(emptied=False), "test_order"),
    _bug("order is lost", _order_is_lost(emptied=True), "test_order"),
    _bug(
        "coupon takes nothing off",
        page(
            sub(r"<div><dt>Coupon WELCOME10</dt>.*?</div>", ""), swap("$14.85", "$16.50"), at=_CART
        ),
        "test_coupon",
    ),
    _bug("street is not saved", posts("/checkout", street="see above"), "test_order"),
    _bug("delivery is not saved", posts("/checkout", delivery="Express"), "test_order"),
    _bug("quantity is not saved", posts("/cart/add/1", quantity="1"), "test_options"),
    # A wrong page.
    _bug(
        "link to the cart leads to the shop",
        page(sub(r'(<a class="cart" href=")/cart', r"\1/products")),
        "test_options",
        "test_coupon",
    ),
    _bug(
        "link to a product leads to another",
        page(swap('href="/products/1"', 'href="/products/15"'), at=_LISTING),
        "test_options",
    ),
    _bug("log-in leads to the terms", _to_the_terms, "test_log_in"),
    _bug("error page that says 200", _broken_cart, "test_options", "test_coupon"),
    _bug("old page is shown", _stale_cart, "test_changing_the_cart"),
    # Something else than was meant.
    _bug("another product in the cart", posts("/cart/add/3", to="/cart/add/2"), "test_order"),
    _bug("another product under the same name", _another_item, "test_options"),
    _bug("another colour", posts("/cart/add/1", option="Cream"), "test_options"),
    _bug("removes another row", _other_row("remove"), "test_changing_the_cart"),
    _bug("updates another row", _other_row("quantity"), "test_changing_the_cart"),
    _bug("adds it twice", _twice, "test_coupon"),
    _bug("another customer", _as_rita, "test_log_in"),
    _bug(
        "another product on the wishlist", posts("/wishlist/4", to="/wishlist/5"), "test_wishlist"
    ),
    _bug(
        "labels are exchanged",
        page(both('<label for="zip">', '<label for="city">')),
        "test_order",
    ),
    # Wrong numbers.
    _bug(
        "wrong total of the cart",
        page(sub(_SUM, lambda m: f"{m[1]}{int(m[2]) + 1}"), at=_CART),
        *("test_options", "test_changing_the_cart", "test_coupon"),
    ),
    _bug(
        "wrong total of the order",
        page(sub(_SUM, lambda m: f"{m[1]}{int(m[2]) + 1}"), at="/orders/MUG.*"),
        "test_order",
    ),
    _bug(
        "wrong count in the link",
        page(sub(r"Cart \((\d+) items?\)", lambda m: f"Cart ({int(m[1]) + 1} items)")),
        "test_options",
    ),
    _bug(
        "count is not updated",
        page(sub(r"Cart \(\d+ items?\)", "Cart (0 items)")),
        "test_options",
    ),
    _bug(
        "cart is counted after the order",
        page(swap("Cart (0 items)", "Cart (1 item)"), at="/orders/MUG.*"),
        "test_order",
    ),
    _bug(
        "coupon takes off half of it",
        page(swap("−$1.65", "−$0.83"), swap("$14.85", "$15.67"), at=_CART),
        "test_coupon",
    ),
    _bug(
        "price in the cart is another",
        page(
            *(swap(f"${a}<", f"${b}<") for a, b in (("36.00", "38.00"), ("18.00", "19.00"))),
            at=_CART,
        ),
        "test_options",
    ),
    _bug(
        "price of the product is another",
        page(swap("$12.50", "$13.50"), at="/products/20"),
        "test_bowls",
    ),
    # Wrong lists.
    _bug(
        "filter does not filter",
        _listing(
            (r"<h1>.*?</h1>", "<h1>Bowls</h1>"),
            (
                '(<form class="sort" [^>]*>)',
                r'\1<input type="hidden" name="category" value="Bowls">',
            ),
            category="",
        ),
        "test_bowls",
    ),
    _bug(
        "sorting does nothing", _listing(*_chosen("recommended"), sort="recommended"), "test_bowls"
    ),
    _bug("sorting is upside down", _listing(*_chosen("price"), sort="price"), "test_bowls"),
    # Wrong messages.
    _bug("no messages", _gone(r'<p class="flash.*?</p>'), "test_log_in", "test_coupon"),
    _bug(
        "another message",
        page(swap("Wrong username or password.", "Something went wrong.")),
        "test_wrong_password",
    ),
    _bug(
        "message of another product",
        page(swap("× Speckled Mug to your", "× Striped Mug to your")),
        "test_options",
    ),
    _bug(
        "status of the order is another",
        lambda visit: visit.forward(),
        "test_log_in",
        given="UPDATE orders SET status = 'Received' WHERE id = 1002",
    ),
)
