"""Tests of rows by the values of their cells, and of cells by the heads of their columns."""

import pytest
from playwright.sync_api import Page

from pytest_webtask.run.webtask import Webtask
from tests.literal.names import Claims, Unexpected, find_id, refusal

REPORT = (
    "<table><caption>Report</caption><tr><th rowspan=2>Line<th colspan=2>2025<th colspan=2>2026"
    "<tr><th>Q1<th>Q2<th>Q1<th>Q2"
    "<tr><td>Revenue<td>20<td>21<td>22<td>23<tr><td>Gross profit<td>5<td>6<td>15<td>16</table>"
)
EDITED = (
    "<table aria-label=Plan><tr><th rowspan=2>Line<th colspan=2>2026<tr><th>Q1<th>Q2"
    "<tr><td>Rent<td>5 <button id=a>Edit</button><td>6 <button id=b>Edit</button>"
    "<tr><td>Food<td id=x>7 <button id=c>Edit</button><td>8 <button id=d>Edit</button></table>"
)
CELLS: Claims = {
    "two levels of heads": (
        REPORT,
        [
            ('"15" is shown under "2026", "Q1" in the "Gross profit" row', "passed"),
            ('"15" is shown under "2026", "Q1" in "Gross profit" and "20" is shown', "passed"),
            ('"15" under "2026", "Q1" in row "Gross profit" of table "Report" is shown', "passed"),
            ('"2026", "Q1" in the "Gross profit" row shows "15"', "passed"),
            ('"Gross profit" under "2026", "Q1" shows "15"', "passed"),
            ('"15" is not shown under "2025", "Q1" in the "Gross profit" row', "passed"),
            ('"15" is shown under "2025", "Q1" in the "Gross profit" row', "failed"),
            ('"15" is shown under "2026", "Q2" in the "Gross profit" row', "failed"),
            ('"15" is shown under "2026", "Q1" in the "Revenue" row', "failed"),
            ('"15" is shown under "Q1" in the "Gross profit" row', "undecided", 'column "2025 Q1" in row "Gross profit"'),
            ('"15" is shown under "2027", "Q1" in the "Gross profit" row', "undecided", 'no "2027 Q1"'),
            ('"15" is shown under "2026", "Q1"', "undecided", 'column "2026 Q1" in row "Revenue"'),
            ('"15" is shown in the "Gross profit" row, "15" is not shown in the "Revenue" row', "passed"),
        ],
    ),
}  # fmt: skip


@pytest.mark.parametrize("page_of", CELLS)
def test_cell_is_named_by_its_heads_and_row(
    page: Page, unexpected: Unexpected, page_of: str
) -> None:
    """The heads of a column from the upper one on and a row name one cell."""
    markup, cases = CELLS[page_of]
    page.set_content(markup)
    assert unexpected(cases) == {}


def test_control_is_named_by_heads_and_row(page: Page, webtask: Webtask) -> None:
    """Actions and readings take a cell as a place, and messages list it so that it can be pasted."""
    page.set_content(EDITED)
    assert find_id(page, 'click "Edit" under "2026", "Q2" in the "Rent" row') == "b"
    assert find_id(page, 'click "7" under "2026", "Q1" in the "Food" row') == "x"
    message = refusal(page, 'click "Edit" in the "Rent" row')
    first = 'button "Edit" under "2026", "Q1" in row "Rent" of table "Plan"'
    assert f"as in: click {first}:" in message
    assert find_id(page, f"click {first}") == "a"
    assert webtask.extract('the text of "2026", "Q1" in the "Food" row', str) == "7 Edit"
