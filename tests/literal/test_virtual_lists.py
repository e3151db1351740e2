"""Lists that draw only some of their rows."""

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
TABLE = (
    ROWS.replace("ROLES", "role=table aria-rowcount=120")
    .replace("ROW ", "role=row ")
    .replace("<span>", "<span role=cell>")
)
KINDS = {"table": TABLE, "boxes": ROWS.replace("ROLES", "").replace("ROW ", "")}


@pytest.mark.parametrize("kind", KINDS)
def test_row_that_is_not_drawn_is_missing_and_the_rows_are_numbered(
    webtask: Webtask, page: Page, outcome: Outcome, kind: str
) -> None:
    """Sentences are about what is drawn; the message says how many rows there are."""
    page.set_content(KINDS[kind])
    with pytest.raises(TaskFailed) as caught:
        webtask.do('click "Open" next to "Order 97"')
    assert re.search(r"\n +a list here draws only 1\d of about 120 rows", str(caught.value))
    assert "draws only 11 of about 120 rows: filter or scroll" in outcome('"Order 97" is shown')
    page.evaluate("s.scrollTop = 1900")
    page.get_by_text("Order 97").wait_for()
    webtask.do('click "Open" next to "Order 97"')
    assert page.inner_text("#out") == "opened 97"
    assert outcome('"Order 97" is shown') == "passed"


def test_list_that_is_drawn_whole_has_no_number_of_rows(webtask: Webtask, page: Page) -> None:
    """The message mentions no rows."""
    page.set_content("<ul id=s>" + "".join(f"<li>Order {n}</li>" for n in range(200)) + "</ul>")
    with pytest.raises(TaskFailed) as caught:
        webtask.do('click "Order 200"')
    assert "rows" not in str(caught.value)
