"""The account page and its wishlist. Dana is logged in."""

import pytest
from playwright.sync_api import expect


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args, dana_logged_in):
    """Every browser context of this file starts with Dana's log-in."""
    return {**browser_context_args, "storage_state": dana_logged_in}


def test_wishlist(webtask, database):
    """A product goes onto the wishlist on its own page, and off it on the account's."""
    webtask.goto("/products/15")
    webtask.do('click "Add to wishlist", then open "/products/8" and click "Add to wishlist"')
    webtask.do('click "Account"')
    wishlist = webtask.page.get_by_role("region", name="My wishlist")
    expect(wishlist.get_by_role("listitem")).to_contain_text(["Travel Mug", "Cereal Bowl"])
    webtask.do('click "Remove" next to "Cereal Bowl"')
    status = webtask.page.get_by_text("Cereal Bowl was taken off your wishlist.")
    expect(status).to_be_visible()
    expect(wishlist.get_by_role("listitem")).to_contain_text(["Travel Mug"])
    assert database.execute("SELECT product_id FROM wishlist_items").fetchall() == [(8,)]


def test_rename_the_wishlist(webtask):
    """The page asks for the name in a prompt, and keeps it."""
    webtask.goto("/account")
    webtask.do('click "Rename wishlist" and answer the dialog with "Birthday"')
    page = webtask.page
    expect(page.get_by_role("status")).to_have_text("Wishlist renamed.")
    webtask.do("reload")
    expect(page.get_by_role("heading", level=2).first).to_have_text("Birthday")


def test_rename_the_wishlist_after_all_not(webtask, database):
    """A prompt that is cancelled changes nothing."""
    webtask.goto("/account")
    webtask.do('click "Rename wishlist" and dismiss the dialog')
    expect(webtask.page.get_by_role("heading", name="My wishlist")).to_be_visible()
    expect(webtask.page.get_by_role("status")).to_be_empty()
    names = database.execute("SELECT DISTINCT wishlist_name FROM users").fetchall()
    assert names == [("My wishlist",)]
