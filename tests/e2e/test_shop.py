"""The scripted model drives the example shop through `do`, with every tool of the worker."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import Page
from pydantic import BaseModel

from pytest_webtask import Result, Secret
from pytest_webtask.agent.worker import worker_tools
from pytest_webtask.testing import shows
from pytest_webtask.types.agent import Decision, ProposedToolCall, Turn
from pytest_webtask.webtask import Webtask
from tests.fresh_shop import base_url, fresh  # noqa: F401 - fixtures
from tests.scripted import Answer, Scripted, call, done, element, on

LOG_IN = {"navigate", "fill", "press", "mark_done"}
"""The tools that logging in uses, with which each test begins."""

VISITOR = LOG_IN | {
    *("click", "check", "select_option", "scroll", "drag", "click_at", "wait", "look"),
    *("switch_tab", "close_tab", "go_back", "reload", "set_output", "confirm"),
}
ADMINISTRATOR = LOG_IN | {"click", "hover", "drag"}
CUSTOMER = LOG_IN | {"click", "type", "upload"}

Do = Callable[..., Result]


class Line(BaseModel):
    """A line of the cart."""

    name: str
    quantity: int


@pytest.fixture
def webtask_data() -> dict[str, object]:
    """Who logs in."""
    return {
        "user": "demo",
        "password": Secret("mug-life-2026"),
        "admin_password": Secret("admin-pass-9"),
    }


@pytest.fixture
def webtask_resources(tmp_path: Path) -> dict[str, Path]:
    """A picture to upload."""
    path = tmp_path / "mug.png"
    Image.new("RGB", (40, 30), "#8f3f1e").save(path)
    return {"photo": path}


@pytest.fixture
def used() -> set[str]:
    """The tools that this test has used with success, in whichever process it runs."""
    return set()


@pytest.fixture
def do(webtask: Webtask, model: Scripted, used: set[str]) -> Do:
    """Does a task by these answers, none of whose calls may fail."""

    def run(task: str, *answers: Answer, **options: Any) -> Result:
        model.answers = list(answers)
        result = webtask.do(task, **options)
        calls = [c for i in result.session.iterations for c in i.calls]
        assert all(c.success for c in calls), [c.error for c in calls]
        used.update(c.tool for c in calls)
        return result

    return run


def keyed(turn: Turn, role: str, name: str, row: str) -> str:
    """The id of the element of that role and name in the row that contains the text."""
    (found,) = (
        e.id
        for e in turn.observation.elements.values()
        if e.role == role and name in e.name and row in e.key
    )
    return found


def first(turn: Turn, role: str, name: str) -> str:
    """The id of the first element of that role and name."""
    elements = turn.observation.elements.values()
    return next(e.id for e in elements if e.role == role and name in e.name)


def log_in(do: Do, user: str = "{user}", password: str = "{password}") -> None:
    """Log in through the form, in one batch."""

    def enter(turn: Turn) -> list[ProposedToolCall]:
        return [
            call("fill", element_id=element(turn, "textbox", "Username"), text=user),
            call("fill", element_id=element(turn, "textbox", "Password"), text=password),
            call("press", element_id=element(turn, "textbox", "Password"), key="Enter"),
        ]

    def logged_in(turn: Turn) -> ProposedToolCall:
        assert "Log out" in turn.observation.outline
        return done()

    do("log in", call("navigate", url="/login"), enter, logged_in)


def sees(text: str, *calls: ProposedToolCall) -> Answer:
    """An answer that requires the outline to hold a text, and is then done unless it has calls."""

    def answer(turn: Turn) -> list[ProposedToolCall]:
        assert text in turn.observation.outline, turn.observation.outline
        return list(calls) or [done()]

    return answer


def test_visitor_buys(do: Do, used: set[str], webtask: Webtask, page: Page) -> None:
    """A visitor logs in, searches, pays in a frame, signs, and opens the invoice in a second tab."""
    webtask.goto("/")
    log_in(do)
    do(
        "find the striped mug and put 2 of them into the cart",
        on("fill", "searchbox", "Search products", text="striped"),
        call("press", key="Enter"),
        on("click", "link", "Striped Mug"),
        call("wait", text="In stock"),
        on("fill", "spinbutton", "Quantity", text="2"),
        lambda t: call("click", element_id=first(t, "button", "Add to cart")),
        sees("Added 2 × Striped Mug to your cart"),
    )
    cart = do(
        "make it 3 and tell what is in the cart",
        on("click", "link", "Cart (2 items)"),
        on("fill", "spinbutton", "Quantity of Striped Mug", text="3"),
        on("click", "button", "Update"),
        sees("$49.50", call("set_output", output=[{"name": "Striped Mug", "quantity": 3}]), done()),
        output=list[Line],
    )
    assert cart.output == [Line(name="Striped Mug", quantity=3)]

    def address(turn: Turn) -> list[ProposedToolCall]:
        texts = {
            "Full name": "Dana Demo",
            "Email": "dana@example.com",
            "Street": "Kiln Lane 12",
            "ZIP": "10115",
            "City": "Berlin",
            "Gift note": "Happy birthday!\nDana",
        }
        return [
            *(
                call("fill", element_id=element(turn, "textbox", n), text=t)
                for n, t in texts.items()
            ),
            call(
                "select_option",
                element_id=element(turn, "combobox", "Country"),
                options=["Germany"],
            ),
            call("check", element_id=element(turn, "radio", "Express")),
            call("check", element_id=element(turn, "checkbox", "I accept")),
        ]

    def draw(turn: Turn) -> list[ProposedToolCall]:
        pad = element(turn, "canvas", "Greeting card")
        return [
            call("drag", element_id=pad, to_element_id=pad, x=40, y=40, to_x=200, to_y=120),
            call("click_at", element_id=pad, x=100, y=60),
        ]

    def pay(turn: Turn) -> list[ProposedToolCall]:
        texts = {"Card number": "4242 4242 4242 4242", "Expiry": "12/29", "Security code": "123"}
        return [
            *(
                call("fill", element_id=element(turn, "textbox", n), text=t)
                for n, t in texts.items()
            ),
            call("click", element_id=element(turn, "button", "Save card")),
        ]

    card = "Card ending in 4242 is ready"

    def confirm(turn: Turn) -> Decision:
        evidence = [shows("status", f"{card}.")]
        terms = call("click", element_id=first(turn, "link", "Terms and conditions"))
        return Scripted([call("confirm", note="the card", evidence=evidence), terms]).decide(turn)

    def thanks(turn: Turn) -> Decision:
        return Scripted(done("ordered", shows("heading", "Thank you for your order"))).decide(turn)

    ordered = do(
        "check out",
        on("click", "link", "Go to checkout"),
        address,
        on("scroll", "canvas", "Greeting card"),
        draw,
        pay,
        sees(card, call("look")),
        confirm,
        call("switch_tab", tab="Terms"),
        sees("30 days", call("scroll", direction="down"), call("close_tab")),
        sees("2 strokes drawn", call("look")),
        on("click", "button", "Place order"),
        thanks,
        max_steps=30,
    )
    assert not page.get_by_text(card).is_visible()
    assert f'shown then: "{card}."' in ordered.feedback
    assert len(webtask.state.tabs) == 1
    do("download the invoice", on("click", "link", "Download invoice"), sees("Express"))
    events = [e.text for i in webtask.state.steps[-1].iterations for e in i.events]
    assert any("download" in text and "MUG-1003" in text for text in events), events
    do(
        "go back to the cart and reload it",
        call("navigate", url="/cart"),
        call("go_back"),
        call("reload"),
        sees("MUG-1003"),
    )
    assert page.get_by_text("2 strokes drawn").is_visible()
    assert used == VISITOR


def test_administrator_manages_products(
    do: Do, used: set[str], webtask: Webtask, page: Page
) -> None:
    """An administrator uses a hover menu, confirm and edit dialogs, and drag and drop."""
    webtask.goto("/")
    log_in(do, "admin", "{admin_password}")
    do(
        "delete the espresso cup",
        on("hover", "button", "Admin"),
        on("click", "link", "Manage products"),
        lambda t: call(
            "click", element_id=keyed(t, "button", "Delete", "Espresso Cup"), dialog="accept"
        ),
        sees("Espresso Cup was deleted."),
    )
    assert "Espresso Cup" not in page.locator("table").inner_text()
    do(
        "do not delete the camping mug",
        lambda t: call(
            "click", element_id=keyed(t, "button", "Delete", "Camping Mug"), dialog="dismiss"
        ),
        sees("Camping Mug"),
    )
    (event,) = (e for i in webtask.state.steps[-1].iterations for e in i.events)
    assert event.text == 'confirm "Delete Camping Mug? This cannot be undone." was dismissed'

    def move(turn: Turn) -> ProposedToolCall:
        items = [
            e for e in turn.observation.elements.values() if e.role == "drag" and e.tag == "li"
        ]
        mug, plate = (
            next(e.id for e in items if word in e.name) for word in ("Speckled", "Dinner")
        )
        return call("drag", element_id=mug, to_element_id=plate)

    do(
        "put the speckled mug behind the dinner plate",
        call("navigate", url="/admin/featured"),
        move,
        sees("Order saved."),
    )
    names = page.locator(".sortable li").all_inner_texts()
    assert [n.split("\n")[1] for n in names[:3]] == ["Striped Mug", "Dinner Plate", "Speckled Mug"]
    assert used == ADMINISTRATOR


def test_customer_rates_and_reviews(do: Do, used: set[str], webtask: Webtask, page: Page) -> None:
    """A customer rates in a shadow root, uploads a picture, formats a message and answers a prompt."""
    webtask.goto("/")
    log_in(do)
    do(
        "rate the speckled mug with 4 stars",
        on("click", "link", "All mugs"),
        on("click", "link", "Speckled Mug"),
        on("click", "button", "4 stars"),
        sees("Thank you for rating 4 stars."),
    )

    def review(turn: Turn) -> list[ProposedToolCall]:
        return [
            call("fill", element_id=element(turn, "textbox", "Your name"), text="Dana"),
            call("fill", element_id=element(turn, "textbox", "Your review"), text="Fits my hand."),
            call("upload", element_id=element(turn, "file", "Picture"), resources=["photo"]),
            call("click", element_id=element(turn, "button", "Post review")),
        ]

    do(
        "write a review with a picture",
        on("click", "tab", "Reviews"),
        review,
        sees("Fits my hand."),
    )
    assert page.get_by_alt_text("Picture by Dana").evaluate("e => e.naturalWidth") == 40

    def message(turn: Turn) -> list[ProposedToolCall]:
        editor = element(turn, "textbox", "Message")
        return [
            call("fill", element_id=element(turn, "textbox", "Subject"), text="Praise"),
            call("fill", element_id=editor, text="Lovely "),
            call("click", element_id=element(turn, "button", "Bold")),
            call("type", element_id=editor, text="mugs"),
            call("click", element_id=element(turn, "button", "Send message")),
        ]

    do(
        "send a message whose last word is bold",
        on("click", "link", "Help and contact"),
        message,
        sees("Praise"),
    )
    assert page.locator("#messages b").inner_text() == "mugs"
    do(
        "rename the wishlist",
        on("click", "link", "Account"),
        on("click", "button", "Rename wishlist", dialog="accept", dialog_text="Birthday"),
        sees("Wishlist renamed."),
    )
    assert page.locator("#wishlist").inner_text() == "Birthday"
    assert used == CUSTOMER


def test_flows_use_every_tool() -> None:
    """The flows use every tool but abort, as no flow fails."""
    every = {spec.name for spec in worker_tools(int).specs}
    assert every - {"abort"} == VISITOR | ADMINISTRATOR | CUSTOMER
