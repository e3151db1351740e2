"""What a referee learns of the page before a task: facts that unmask one that was half done."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from playwright.sync_api import Page

from pytest_webtask import TaskFailed, Turn, Webtask
from pytest_webtask.types.model import ModelTraits
from tests.scripted import Scripted, call, cited, on, rule
from tests.site import Site

Html = Callable[[str], Page]
CART = """<h1>Shop</h1><p>Cart: <output id=n role=status>1</output></p><ol><li>4<li>2</ol>
<button onclick="n.textContent = +n.textContent + 1">Add a mug</button>"""
ADD = on("click", "button", "Add")


@pytest.fixture(autouse=True)
def looking(model: Scripted) -> None:
    """A model that looks, as real ones do."""
    model.traits = ModelTraits()


def marked(*checks: dict[str, Any]) -> Callable[[Turn], Sequence[Any]]:
    """An answer that marks the task done; ids may be descriptions."""

    def answer(turn: Turn) -> Sequence[Any]:
        made = [{**check, "element_id": cited(turn, check["element_id"])} for check in checks]
        return [call("mark_done", summary="did it", evidence=made)]

    return answer


def text(element: str, shown: str) -> dict[str, Any]:
    """A check of a text."""
    return {"kind": "text", "element_id": element, "text": shown}


def before(model: Scripted, at: int = -1) -> list[tuple[Any, Any]]:
    """What the facts of a conclusion say of the time before."""
    facts = model.conclusions[at].facts
    return [(fact["so before the task"], fact.get("before the task")) for fact in facts]


def test_a_half_done_task_shows_what_was_there_before(
    webtask: Webtask, model: Scripted, html: Html
) -> None:
    """The cart had one and has two: of two that were asked for only one was added."""
    html(CART)
    model.answers = [ADD, marked(text("status:2", "2")), call("abort", reason="stop")]
    model.rulings = [rule(proves=False, missing="the second mug")]
    with pytest.raises(TaskFailed):
        webtask.do("add two mugs to the cart")
    [conclusion] = model.conclusions
    assert before(model) == [(False, "status: 1")]
    assert len(conclusion.actions) == 1


def test_a_conclusion_has_no_actions_of_earlier_steps(
    webtask: Webtask, model: Scripted, html: Html
) -> None:
    """Or the mug that another step added would pass for the second one."""
    html(CART)
    model.answers = [ADD, marked(text("status:2", "2")), ADD, marked(text("status:3", "3"))]
    webtask.do("add a mug to the cart")
    webtask.do("add two mugs to the cart")
    assert [len(each.actions) for each in model.conclusions] == [1, 1]
    assert before(model) == [(False, "status: 2")]


def test_a_value_that_the_task_filled_in_was_not_so_before(
    webtask: Webtask, model: Scripted, html: Html
) -> None:
    """Also where one field had a value, and the other had not."""
    html("<label>Name <input></label><label>Town <input value=Rome></label>")
    values = [
        {"kind": "value", "element_id": "textbox:Name", "value": "Ann"},
        {"kind": "value", "element_id": "textbox:Town", "value": "Rome"},
    ]
    model.answers = [on("fill", "textbox", "Name", text="Ann"), marked(*values)]
    webtask.do("set the name to Ann and the town to Rome")
    assert [so for so, _ in before(model)] == [False, True]


def test_a_value_filled_in_before_anybody_looked_is_unknown(
    webtask: Webtask, model: Scripted, html: Html
) -> None:
    """The page as it was is not the page after the first call."""
    page = html("<label>Name <input></label>")
    model.traits = ModelTraits(looks_at_page=False)
    value = {"kind": "value", "element_id": "textbox:Name", "value": "Ann"}
    webtask._runner.models.is_literal = lambda role: role == "verifier"  # type: ignore[method-assign]
    model.answers = [
        call("press", key="Tab"),
        lambda turn: call("type", text="Ann"),
        lambda turn: [call("look")] if turn.observation else [],
        marked(value),
    ]
    webtask.do("set the name to Ann")
    assert page.locator("input").input_value() == "Ann"
    assert [so for so, _ in before(model)] == ["unknown"]


def test_a_page_that_was_never_seen_before_is_unknown(
    webtask: Webtask, model: Scripted, site: Site
) -> None:
    """What it shows when it is entered may have come of what was done on the way."""
    site.pages["/"] = "<button onclick=\"location='/cart'\">Add</button>"
    site.pages["/cart"] = "<h1>Cart</h1><p><span>1</span> mug</p>"
    webtask.goto(site.url)
    model.answers = [on("click", "button", "Add"), marked(text("heading:Cart", "Cart"))]
    webtask.do("add a mug")
    assert before(model) == [("unknown", None)]


def test_a_page_that_was_entered_before_anything_was_done_is_known(
    webtask: Webtask, model: Scripted, site: Site
) -> None:
    """Going there changes nothing; what is so already then was so before."""
    site.pages["/"] = "<h1>Home</h1>"
    site.pages["/cart"] = "<h1>Cart</h1><label><input type=checkbox checked>Gift</label>"
    webtask.goto(site.url)
    state = {"kind": "state", "element_id": "checkbox:Gift", "state": "checked"}
    model.answers = [call("navigate", url="/cart"), marked(state, text("heading:Cart", "Cart"))]
    webtask.do("have the cart packed as a gift")
    assert [so for so, _ in before(model)] == [True, True]


def test_state_changed_on_a_later_page_did_not_hold_before(
    webtask: Webtask, model: Scripted, site: Site
) -> None:
    """The state counts as it was when the page was entered, not when the step began."""
    site.pages["/"] = "<button onclick=\"location='/settings'\">Settings</button>"
    site.pages["/settings"] = "<h1>Settings</h1><label><input type=checkbox>Dark</label>"
    webtask.goto(site.url)
    state = {"kind": "state", "element_id": "checkbox:Dark", "state": "checked"}
    check = on("check", "checkbox", "Dark", checked=True)
    model.answers = [on("click", "button", "Settings"), check, marked(state)]
    webtask.do("turn dark mode on")
    assert before(model)[0][0] is False


def test_after_a_reload_the_same_place_of_the_page_is_compared(
    webtask: Webtask, model: Scripted, site: Site
) -> None:
    """All ids are others then; the row that differs in one cell is the same row."""
    site.pages["/"] = (
        "<table><tr><th>Item<th>Qty<tr><td>Mug<td id=n><tr><td>Cup<td>2</table>"
        "<button onclick='location.reload()'>More</button>"
        "<script>n.textContent = sessionStorage.n = +(sessionStorage.n || 0) + 1</script>"
    )
    webtask.goto(site.url)
    model.answers = [
        on("click", "button", "More"),
        marked(text("cell:2#0", "2"), text("cell:Cup", "Cup")),
    ]
    webtask.do("add two mugs")
    assert before(model) == [(False, "1"), (True, None)]


def test_the_address_counts_as_it_was_when_the_task_began(
    webtask: Webtask, model: Scripted, site: Site
) -> None:
    """Though going there alone changes nothing that the application holds."""
    site.pages["/"] = "<h1>Home</h1>"
    site.pages["/cart"] = "<h1>Cart</h1>"
    webtask.goto(site.url)

    def done(turn: Turn) -> Any:
        evidence = [{"kind": "url", "pattern": "/cart"}]
        return [call("mark_done", summary="there", evidence=evidence)] if turn.observation else []

    model.answers = [call("navigate", url="/cart"), done]
    webtask.do("open the cart")
    assert before(model) == [(False, None)]


def test_a_value_of_the_data_is_looked_for_as_the_page_has_it(
    webtask: Webtask, model: Scripted, html: Html
) -> None:
    """A fact with a placeholder was so before if the value stood there."""
    html("<h1>Mug</h1>")
    model.answers = [marked(text("heading:Mug", "{product}"))]
    webtask.do("have {product} on the page", data={"product": "Mug"})
    assert before(model) == [(True, None)]
