"""Recorded elements are looked at anew each time."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page

from pytest_webtask.page import dom
from pytest_webtask.page.identity import signed, similarity
from pytest_webtask.page.recorded_element import Missing, RecordedElement
from pytest_webtask.types.page import Signature, Target
from tests.scripted import Html


def test_row_that_shows_another_item_is_noticed_by_each_look(
    webtask_engine: None,
    html: Html,
) -> None:
    """A cell whose row has become that of another item is missing, though its nodes are the same."""
    page = html("<table><tr><th>Name<th>Status<tr><td id=n>Ann<td id=s>Active</table>")
    signature = Signature(role="cell", name="Active", tag="td", key="Ann")
    code = 'locator("#s")'
    element = RecordedElement(page, (code,), Target(locators=(code,), signature=signature))
    assert element.look(whole=True)["facts"]["text"] == "Active"
    page.evaluate("document.querySelector('#n').firstChild.data = 'Bob'")
    with pytest.raises(Missing, match="no longer in 'Ann'"):
        element.look(whole=True, at_once=True)


MENU = "<h1>Users</h1><div role=menu>{}</div>"


@pytest.mark.parametrize(
    ("items", "name", "alike"),
    [
        (("Edit", "Pause", "Suspend all"), "Suspend all", False),
        (("Edit", "Suspend all"), "Suspend all", True),
        (("Edit", "Pause", "Suspend"), "Suspend", True),
    ],
    ids=["renamed beside another one", "renamed in its place", "moved"],
)
def test_similarity_of_a_renamed_element_needs_its_neighbors(
    webtask_engine: None,
    html: Html,
    items: tuple[str, ...],
    name: str,
    alike: bool,
) -> None:
    """An element of another name beside another one may be new, and that other one the recorded one."""

    def identity(items: tuple[str, ...], name: str) -> dict[str, Any]:
        page = html(
            MENU.format("".join(f"<button role=menuitem>{each}</button>" for each in items))
        )
        found: dict[str, Any] = dom.call(
            page.get_by_role("menuitem", name=name, exact=True), "identity"
        )
        return found

    recorded = signed(identity(("Edit", "Suspend"), "Suspend"))
    assert (similarity(recorded, identity(items, name)) > 0) is alike


DRAFTS = '<nav><a href="/drafts">{}</a> <a href="/sent">Sent</a></nav>{}'


def _drafts_in(page: Page) -> dict[str, Any]:
    code = 'get_by_role("link", name="Drafts", exact=True)'
    signature = Signature(role="link", name="Drafts", tag="a", attributes={"in": "nav"})
    target = Target(locators=(code,), signature=signature)
    return RecordedElement(page, (code,), target).look(at_once=False, timeout=0.3)


@pytest.mark.parametrize(
    ("name", "more"),
    [
        ("Drafts (12)", ""),
        ("Drafts <b>12</b>", ""),
        ("★ Drafts:", ""),
        ("Drafts", "<a href=/other>Drafts (12)</a>"),
    ],
)
def test_recorded_name_may_get_signs_and_a_count(
    webtask_engine: None, html: Html, name: str, more: str
) -> None:
    """A link is the recorded one with a count, a badge or signs around its name, unless one is without."""
    page = html(DRAFTS.format(name, more))
    assert _drafts_in(page)["attributes"]["href"] == "/drafts"


@pytest.mark.parametrize("name", ["Drafts 12", "Old drafts (12)", "Drafts of Ann", "Draft"])
def test_recorded_name_with_other_words_is_another(
    webtask_engine: None, html: Html, name: str
) -> None:
    """A word, or a number that is no badge, makes another name."""
    page = html(DRAFTS.format(name, ""))
    with pytest.raises(Missing):
        _drafts_in(page)
