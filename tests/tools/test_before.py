"""What a referee learns of the page before a task: facts that unmask one that was half done."""

from collections.abc import Callable
from typing import Any

import pytest

from pytest_webtask import TaskFailed, Turn, Webtask
from pytest_webtask.types.model import ModelTraits
from tests.scripted import Html, Scripted, after_look, call, citing, done, on, rule
from tests.site import Site

pytestmark = pytest.mark.usefixtures("looking")

CART = """<h1>Shop</h1><p>Cart: <output id=n role=status>1</output></p><ol><li>4<li>2</ol>
<button onclick="n.textContent = +n.textContent + 1">Add a mug</button>"""
ADD = on("click", "button", "Add")


def marked(*checks: dict[str, Any]) -> Callable[[Turn], Any]:
    """An answer that looks, and marks the task done; ids may be descriptions."""
    return after_look(done("did it", *map(citing, checks)))


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


LEADS = "<button onclick=\"location='/next'\">Go</button>"
GO = on("click", "button", "Go")
FIELDS = "<label>Name <input></label><label>Town <input value=Rome></label>"
TABLE = """<table><tr><th>Item<th>Qty<tr><td>Mug<td id=n><tr><td>Cup<td>2</table>
<button onclick='location.reload()'>Go</button>
<script>n.textContent = sessionStorage.n = +(sessionStorage.n || 0) + 1</script>"""
BOX = "<h1>Cart</h1><label><input type=checkbox {}>Gift</label>"
CHECKED = {"kind": "state", "element_id": "checkbox:Gift", "state": "checked"}
HEADING = text("heading:Cart", "Cart")
OPEN = call("navigate", url="/next")
SINCE: dict[str, tuple[str, str, list[Any], list[tuple[Any, Any]]]] = {
    # A value that the task typed did not hold before; one that a field already had did.
    "field": (FIELDS, "", [on("fill", "textbox", "Name", text="Ann"), marked(
        {"kind": "value", "element_id": "textbox:Name", "value": "Ann"},
        {"kind": "value", "element_id": "textbox:Town", "value": "Rome"})],
        [(False, 'textbox "Name" = ""'), (True, None)]),
    # A page that an action led to is unknown before the task, one that was opened before any is not.
    "led to": (LEADS, BOX, [GO, marked(HEADING)], [("unknown", None)]),
    "opened": (LEADS, BOX.format("checked"), [OPEN, marked(CHECKED, HEADING)], [(True, None)] * 2),
    # The earlier state is that of the page when it was entered, not when the step began.
    "later page": (LEADS, BOX, [GO, on("check", "checkbox", "Gift"), marked(CHECKED)], [(False, None)]),
    # After a reload with new ids, a row that differs in one cell is compared with itself.
    "reload": (TABLE, "", [GO, marked(text("cell:2#0", "2"), text("cell:Cup", "Cup"))],
        [(False, 'cell "1"'), (True, None)]),
    # The address that a navigation of the task opened did not hold before.
    "address": (LEADS, BOX, [OPEN, marked({"kind": "url", "pattern": "/next"})], [(False, None)]),
    # A fact with a placeholder held before if the page showed its value.
    "placeholder": (BOX, "", [marked(text("heading:Cart", "{what}"))], [(True, None)]),
}  # fmt: skip


@pytest.mark.parametrize("case", SINCE)
def test_fact_says_if_it_was_so_before(
    webtask: Webtask, model: Scripted, site: Site, case: str
) -> None:
    """Each fact is compared with the page as it was when the task, or the visit of it, began."""
    site.pages["/"], site.pages["/next"], answers, expected = SINCE[case]
    webtask.goto(site.url)
    model.answers = [*answers]
    webtask.do("do it with {what}", data={"what": "Cart"})
    assert before(model) == expected
