"""Recorded elements are looked at anew each time."""

import pytest

from pytest_webtask.page.recorded_element import Missing, RecordedElement
from pytest_webtask.types.page import Address, Container, Remembered, Target
from tests.scripted import Html


def test_row_that_shows_another_item_is_noticed_by_each_look(
    webtask_engine: None, html: Html
) -> None:
    """A cell whose row has become that of another item is missing, though its nodes are the same."""
    page = html("<table><tr><th>Name<th>Status<tr><td id=n>Ann<td id=s>Active</table>")
    pinned = Address(containers=(Container(kind="row", name="Ann", column="Name"),))
    code = 'locator("#s")'
    target = Target(locators=(code,), pinned=pinned, remembered=Remembered(role="cell", tag="td"))
    element = RecordedElement(page, (code,), target)
    assert element.read()["facts"]["text"] == "Active"
    page.evaluate("document.querySelector('#n').firstChild.data = 'Bob'")
    with pytest.raises(Missing, match='no longer in row "Ann"'):
        element.read()
