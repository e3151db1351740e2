"""The account page and its wishlist."""

from playwright.sync_api import expect


def test_wishlist(dana, database):
    """A product goes onto the wishlist on its own page, and off it on the account's."""
    dana.goto("/products/15")
    dana.do('click "Add to wishlist", then open "/products/8" and click "Add to wishlist"')
    dana.do('click "Account"')
    wishlist = dana.page.get_by_role("region", name="My wishlist")
    expect(wishlist.get_by_role("listitem")).to_contain_text(["Travel Mug", "Cereal Bowl"])
    dana.do('click "Remove" next to "Cereal Bowl"')
    status = dana.page.get_by_text("Cereal Bowl was taken off your wishlist.")
    expect(status).to_be_visible()
    expect(wishlist.get_by_role("listitem")).to_contain_text(["Travel Mug"])
    assert database.execute("SELECT product_id FROM wishlist_items").fetchall() == [(8,)]


def test_rename_the_wishlist(dana):
    """The page asks for the name in a prompt, and keeps it."""
    dana.goto("/account")
    dana.do('click "Rename wishlist" and answer the dialog with "Birthday"')
    page = dana.page
    expect(page.get_by_role("status")).to_have_text("Wishlist renamed.")
    dana.do("reload")
    expect(page.get_by_role("heading", level=2).first).to_have_text("Birthday")
