"""What a referee learns of the page before a task: facts that unmask one that was half done."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pytest_webtask import TaskFailed, Turn, Webtask
from pytest_webtask.types.model import ModelTraits
from tests.scripted import Html, Scripted, call, citing, done, on, rule
from tests.site import Site

pytestmark = pytest.mark.usefixtures("looking")

CART = """<h1>Shop</h1><p>Cart: <output id=n role=status>1</output></p><ol><li>4<li>2</ol>
<button onclick="n.textContent = +n.textContent + 1">Add a mug</button>"""
ADD = on("click", "button", "Add")


def marked(*checks: dict[str, Any]) -> Callable[[Turn], Any]:
    """An answer that looks, and marks the task done; ids may be descriptions."""
    given = done("did it", *map(citing, checks))
    return lambda turn: given if turn.observation else []


def text(element: str, shown: str) -> dict[str, Any]:
    """A check of a text."""
    return {"kind": "text", "element_id": element, "text": shown}


def before(model: Scripted, at: int = -1) -> list[tuple[Any, Any]]:
    """What the facts of a conclusion say of the time before."""
    facts = model.conclusions[at].facts
    return [(fact["so before the task"], fact.get("before the task")) for fact in facts]


def test_half_done_task_shows_earlier_text(webtask: Webtask, model: Scripted, html: Html) -> None:
    """A cart that had one item and now has two shows the referee that one of two was added."""
    html(CART)
    model.answers = [ADD, marked(text("status:2", "2")), call("abort", reason="stop")]
    model.scripts["referee"] = [rule(proves=False, missing="the second mug")]
    with pytest.raises(TaskFailed):
        webtask.do("add two mugs to the cart")
    [conclusion] = model.conclusions
    assert before(model) == [(False, 'status "1"')]
    assert len(conclusion.actions) == 1


def test_conclusion_omits_actions_from_before(
    webtask: Webtask, model: Scripted, html: Html
) -> None:
    """A mug that an earlier step added does not count for this task."""
    html(CART)
    model.answers = [ADD, marked(text("status:2", "2")), ADD, marked(text("status:3", "3"))]
    webtask.do("add a mug to the cart")
    webtask.do("add two mugs to the cart")
    assert [len(each.actions) for each in model.conclusions] == [1, 1]
    assert before(model) == [(False, 'status "2"')]


def test_filled_value_did_not_hold_before(webtask: Webtask, model: Scripted, html: Html) -> None:
    """A value that the task typed did not hold before; one that a field already had did."""
    html("<label>Name <input></label><label>Town <input value=Rome></label>")
    values = [
        {"kind": "value", "element_id": "textbox:Name", "value": "Ann"},
        {"kind": "value", "element_id": "textbox:Town", "value": "Rome"},
    ]
    model.answers = [on("fill", "textbox", "Name", text="Ann"), marked(*values)]
    webtask.do("set the name to Ann and the town to Rome")
    assert [so for so, _ in before(model)] == [False, True]


def test_value_before_a_look_is_unknown(webtask: Webtask, model: Scripted, html: Html) -> None:
    """Without an observation before the first call the earlier value is unknown."""
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


def test_page_entered_by_action_is_unknown(webtask: Webtask, model: Scripted, site: Site) -> None:
    """Facts of a page that an action led to are unknown before the task."""
    site.pages["/"] = "<button onclick=\"location='/cart'\">Add</button>"
    site.pages["/cart"] = "<h1>Cart</h1><p><span>1</span> mug</p>"
    webtask.goto(site.url)
    model.answers = [on("click", "button", "Add"), marked(text("heading:Cart", "Cart"))]
    webtask.do("add a mug")
    assert before(model) == [("unknown", None)]


def test_page_entered_by_navigation_is_known(webtask: Webtask, model: Scripted, site: Site) -> None:
    """Facts of a page that was opened before any action held before the task."""
    site.pages["/"] = "<h1>Home</h1>"
    site.pages["/cart"] = "<h1>Cart</h1><label><input type=checkbox checked>Gift</label>"
    webtask.goto(site.url)
    state = {"kind": "state", "element_id": "checkbox:Gift", "state": "checked"}
    model.answers = [call("navigate", url="/cart"), marked(state, text("heading:Cart", "Cart"))]
    webtask.do("have the cart packed as a gift")
    assert [so for so, _ in before(model)] == [True, True]


def test_state_changed_on_a_later_page_is_new(
    webtask: Webtask, model: Scripted, site: Site
) -> None:
    """The earlier state is that of the page when it was entered, not when the step began."""
    site.pages["/"] = "<button onclick=\"location='/settings'\">Settings</button>"
    site.pages["/settings"] = "<h1>Settings</h1><label><input type=checkbox>Dark</label>"
    webtask.goto(site.url)
    state = {"kind": "state", "element_id": "checkbox:Dark", "state": "checked"}
    check = on("check", "checkbox", "Dark", checked=True)
    model.answers = [on("click", "button", "Settings"), check, marked(state)]
    webtask.do("turn dark mode on")
    assert before(model)[0][0] is False


def test_reloaded_page_is_compared_by_place(webtask: Webtask, model: Scripted, site: Site) -> None:
    """After a reload with new ids, a row that differs in one cell is compared with itself."""
    site.pages["/"] = (
        "<table><tr><th>Item<th>Qty<tr><td>Mug<td id=n><tr><td>Cup<td>2</table>"
        "<button onclick='location.reload()'>More</button>"
        "<script>n.textContent = sessionStorage.n = +(sessionStorage.n || 0) + 1</script>"
    )
    webtask.goto(site.url)
    shown = marked(text("cell:2#0", "2"), text("cell:Cup", "Cup"))
    model.answers = [on("click", "button", "More"), shown]
    webtask.do("add two mugs")
    assert before(model) == [(False, 'cell "1"'), (True, None)]


def test_address_is_compared_with_the_first(webtask: Webtask, model: Scripted, site: Site) -> None:
    """The address that a navigation of the task opened did not hold before."""
    site.pages |= {"/": "<h1>Home</h1>", "/cart": "<h1>Cart</h1>"}
    webtask.goto(site.url)
    arrived = marked({"kind": "url", "pattern": "/cart"})
    model.answers = [call("navigate", url="/cart"), arrived]
    webtask.do("open the cart")
    assert before(model) == [(False, None)]


def test_placeholder_is_compared_by_value(webtask: Webtask, model: Scripted, html: Html) -> None:
    """A fact with a placeholder held before if the page showed its value."""
    html("<h1>Mug</h1>")
    model.answers = [marked(text("heading:Mug", "{product}"))]
    webtask.do("have {product} on the page", data={"product": "Mug"})
    assert before(model) == [(True, None)]
