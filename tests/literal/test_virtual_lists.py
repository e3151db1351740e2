"""A row that a list has not drawn is found by scrolling."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page

from pytest_webtask.errors import TaskFailed
from pytest_webtask.run.webtask import Webtask
from tests.literal.names import Outcome

# A list draws its rows a moment after it was scrolled.
pytestmark = [pytest.mark.webtask(timeout=1), pytest.mark.real_time, pytest.mark.long]

ROWS = """<h2>Orders</h2><div id=s ROLES style="height: 200px; overflow: auto; position: relative">
<div id=room style="height: 2400px; position: relative"></div></div><p id=out></p><script>
const draw = () => {
  const first = Math.floor(s.scrollTop / 20);
  room.innerHTML = Array.from({ length: Math.min(11, 120 - first) }, (_, i) =>
    `<div ROW style="position: absolute; top: ${20 * (first + i)}px; height: 20px"><span>Order ${first + i}</span>
    <button onclick="out.textContent = 'opened ${first + i}'">Open</button></div>`).join('');
};
s.onscroll = () => setTimeout(draw, 20);
draw()</script>"""
KINDS = {
    "table": ROWS.replace("ROLES", "role=table aria-rowcount=120")
    .replace("ROW ", "role=row ")
    .replace("<span>", "<span role=cell>"),
    "list": ROWS.replace("ROLES", "role=list").replace("ROW ", "role=listitem aria-setsize=120 "),
    "boxes": ROWS.replace("ROLES", "").replace("ROW ", ""),
}


@pytest.mark.parametrize("kind", KINDS)
def test_row_that_is_not_drawn_is_acted_on(webtask: Webtask, page: Page, kind: str) -> None:
    """The list is scrolled until it draws the row, back to an earlier one, too."""
    page.set_content(KINDS[kind])
    for row in (97, 3):
        webtask.do(f'click "Open" next to "Order {row}"')
        assert page.inner_text("#out") == f"opened {row}"


def test_row_that_is_not_drawn_comes_before_a_longer_name(webtask: Webtask, page: Page) -> None:
    """A name that is only a part of what is drawn may be all of another row."""
    name = ">Open ${first + i === 3 ? '97 later' : first + i}</button>"
    page.set_content(KINDS["list"].replace(">Open</button>", name))
    webtask.do('click "Open 97"')
    assert page.inner_text("#out") == "opened 97"


@pytest.mark.parametrize("kind", ["table", "boxes"])
def test_row_that_there_is_not_is_named_with_the_number_of_rows(
    webtask: Webtask, page: Page, kind: str
) -> None:
    """The message says how many rows there are; the list is where it was."""
    page.set_content(KINDS[kind])
    page.evaluate("s.scrollTop = 400")
    with pytest.raises(TaskFailed) as caught:
        webtask.do('click "Open" next to "Order 120"')
    assert re.search(r"\n +a list here draws only 1\d of about 120 rows", str(caught.value))
    assert page.evaluate("s.scrollTop") == 400


def test_claim_about_row_that_is_not_drawn(webtask: Webtask, page: Page, outcome: Outcome) -> None:
    """A claim is about what is drawn, and does not scroll."""
    page.set_content(KINDS["table"])
    advice = "draws only 11 of about 120 rows: scroll to the one that you mean"
    assert advice in outcome('"Order 97" is shown')
    webtask.do('scroll to "Order 97"')
    assert outcome('"Order 97" is shown') == "passed"


def test_list_that_is_drawn_whole_is_not_scrolled(webtask: Webtask, page: Page) -> None:
    """The page is left where it is, and the message mentions no rows."""
    page.set_content("<ul id=s>" + "".join(f"<li>Order {n}</li>" for n in range(200)) + "</ul>")
    page.evaluate("scrollTo(0, 500)")
    with pytest.raises(TaskFailed) as caught:
        webtask.do('click "Order 200"')
    assert "rows" not in str(caught.value)
    assert page.evaluate("scrollY") == 500
