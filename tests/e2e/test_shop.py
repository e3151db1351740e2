"""The scripted model drives the example shop through `do`, with most tools of the worker."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page
from pydantic import BaseModel

from pytest_webtask import Result, Secret
from pytest_webtask.run.webtask import Webtask
from pytest_webtask.testing import find, shows
from pytest_webtask.types.agent import ProposedToolCall, Turn
from tests.fresh_shop import base_url, fresh  # noqa: F401 - fixtures
from tests.scripted import Answer, Scripted, call, done, on

Do = Callable[..., Result]


class Line(BaseModel):
    """A line of the cart."""

    name: str
    quantity: int


@pytest.fixture
def webtask_data() -> dict[str, object]:
    """Who logs in."""
    return {"user": "demo", "password": Secret("mug-life-2026")}


@pytest.fixture
def do(webtask: Webtask, model: Scripted) -> Do:
    """Does a task by these answers, none of whose calls may fail."""

    def run(task: str, *answers: Answer, **options: Any) -> Result:
        model.answers = list(answers)
        result = webtask.do(task, **options)
        calls = [c for i in result.session.iterations for c in i.calls]
        assert all(c.success for c in calls), [c.error for c in calls]
        return result

    return run


def sees(text: str, *calls: ProposedToolCall) -> Answer:
    """An answer that requires the outline to hold a text, and is then done unless it has calls."""

    def answer(turn: Turn) -> list[ProposedToolCall]:
        assert text in turn.observation.outline, turn.observation.outline
        return list(calls) or [done()]

    return answer


def fill(**texts: str) -> list[ProposedToolCall]:
    """Calls that fill text fields by their names, with spaces for underscores."""
    return [call("fill", find("textbox", n.replace("_", " ")), text=t) for n, t in texts.items()]


def test_visitor_buys(do: Do, webtask: Webtask, page: Page) -> None:
    """A visitor logs in, searches, pays in a frame, signs, and opens the invoice in a second tab."""
    webtask.goto("/")
    do(
        "log in",
        call("navigate", url="/login"),
        [
            *fill(Username="{user}", Password="{password}"),
            call("press", find("textbox", "Password"), key="Enter"),
        ],
        sees("Log out"),
    )
    do(
        "find the striped mug and put 2 of them into the cart",
        on("fill", "searchbox", "Search products", text="striped"),
        call("press", key="Enter"),
        on("click", "link", "Striped Mug"),
        call("wait", text="In stock"),
        on("fill", "spinbutton", "Quantity", text="2"),
        call("click", find("button", "Add to cart", nth=0)),
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

    address = {"Street": "Kiln Lane 12", "ZIP": "10115", "City": "Berlin"}
    person = {"Full_name": "Dana Demo", "Email": "dana@example.com", "Gift_note": "Hello!\nDana"}
    number = {"Card_number": "4242 4242 4242 4242", "Expiry": "12/29", "Security_code": "123"}
    pad, card = find("canvas", "Greeting card"), "Card ending in 4242 is ready"
    ordered = do(
        "check out",
        on("click", "link", "Go to checkout"),
        [
            *fill(**person, **address),
            call("select_option", find("combobox", "Country"), options=["Germany"]),
            call("check", find("radio", "Express")),
            call("check", find("checkbox", "I accept")),
        ],
        call("scroll", pad),
        [
            call("drag", pad, to_element_id=pad, x=40, y=40, to_x=200, to_y=120),
            call("click_at", pad, x=100, y=60),
        ],
        [*fill(**number), call("click", find("button", "Save card"))],
        sees(card, call("look")),
        [
            call("confirm", note="the card", evidence=[shows("status", f"{card}.")]),
            call("click", find("link", "Terms and conditions", nth=0)),
        ],
        call("switch_tab", tab="Terms"),
        sees("30 days", call("scroll", direction="down"), call("close_tab")),
        sees("2 strokes drawn", call("look")),
        on("click", "button", "Place order"),
        done("ordered", shows("heading", "Thank you for your order")),
        max_steps=30,
    )
    assert not page.get_by_text(card).is_visible()
    assert f'shown then: "{card}."' in ordered.feedback
    assert len(webtask.state.tabs) == 1
    do("download the invoice", on("click", "link", "Download invoice"), sees("Express"))
    webtask.verify('"invoice-MUG-1003.txt" was downloaded')
    do(
        "go back to the cart and reload it",
        *(call("navigate", url="/cart"), call("go_back"), call("reload")),
        sees("MUG-1003"),
    )
    assert page.get_by_text("2 strokes drawn").is_visible()
