"""Lists that draw only some of their rows."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from tests.literal.names import Outcome

DRAWN = "".join(f"<div ROW>Order {n} <button>Open</button></div>" for n in range(11))
LIST = f"<div style='height: 200px; overflow: auto' LIST><div style='height: 2400px'>{DRAWN}</div></div>"
BOXES = LIST.replace("LIST", "").replace("ROW", "style='height: 20px'")
TABLE = LIST.replace("LIST", "role=table aria-rowcount=120").replace("ROW", "role=row")
WHOLE = "".join(f"<li>Order {n}</li>" for n in range(200))


@pytest.mark.parametrize(
    ("html", "is_partial"), [(TABLE, True), (BOXES, True), (f"<ul>{WHOLE}</ul>", False)]
)
def test_message_says_how_many_rows_a_list_draws(
    page: Page, outcome: Outcome, html: str, is_partial: bool
) -> None:
    """Sentences are about what is drawn; of a list that is drawn as a whole there is nothing to say."""
    page.set_content(html)
    message = outcome('"Order 297" is shown')
    assert ("draws only 11 of about 120 rows: filter or scroll" in message) == is_partial, message
    assert outcome('"Order 7" is shown') == "passed"
