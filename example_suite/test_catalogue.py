"""Finding products: search, categories, sorting, pages, and what a product's page tells."""

import pytest
from playwright.sync_api import expect


def test_search(webtask):
    """The search finds products by their name or description."""
    webtask.goto("/")
    webtask.do('fill "Search products" with "bowl" and press Enter')
    page = webtask.page
    expect(page.get_by_role("heading", level=1)).to_have_text("Results for “bowl”")
    expect(page.get_by_role("status")).to_have_text("6 products")
    expect(page.get_by_role("heading", level=3)).to_contain_text(["Bowl"] * 6)


def test_search_for_nothing_there(webtask):
    """A search without results says so and leads back to all products."""
    webtask.goto("/products")
    webtask.do('fill "Search products" with "teapot" and click "Search"')
    expect(webtask.page.get_by_role("main")).to_contain_text("Nothing matches “teapot”.")
    webtask.do('click "Show all products"')
    expect(webtask.page.get_by_role("status")).to_have_text("24 products, page 1 of 2")


@pytest.mark.parametrize(
    ("category", "count", "first"),
    [
        ("Plates", 6, "Dinner Plate"),
        ("Gifts", 4, "Gift Box for Two"),
    ],
)
def test_category(webtask, category, count, first):
    """A category holds its own products only."""
    webtask.goto("/products")
    webtask.do('click "{category}" in "Categories"', data={"category": category})
    page = webtask.page
    expect(page.get_by_role("heading", level=1)).to_have_text(category)
    expect(page.get_by_role("status")).to_have_text(f"{count} products")
    expect(page.get_by_role("heading", level=3)).to_have_count(count)
    expect(page.get_by_role("heading", level=3).first).to_have_text(first)


@pytest.mark.parametrize(
    ("order", "first"),
    [
        ("Name A to Z", ["Beeswax Candle", "Camping Mug"]),
        ("Price: high to low", ["Gift Box for Two", "Potter's Apron"]),
    ],
)
def test_sort(webtask, order, first):
    """Choosing an order sorts at once, without a button."""
    webtask.goto("/products")
    webtask.do('select {order} in "Sort by"', data={"order": order})
    page = webtask.page
    expect(page.get_by_role("heading", level=3).nth(0)).to_have_text(first[0])
    expect(page.get_by_role("heading", level=3).nth(1)).to_have_text(first[1])
    expect(page.get_by_label("Sort by").locator("option:checked")).to_have_text(order)


def test_pages_of_the_list(webtask):
    """Two pages of twelve; forward, and back again."""
    webtask.goto("/products")
    webtask.do('click "Next"')
    page = webtask.page
    expect(page.get_by_role("status")).to_have_text("24 products, page 2 of 2")
    expect(page.get_by_role("heading", level=3)).to_have_count(12)
    expect(page.get_by_role("heading", level=3).last).to_have_text("Potter's Apron")
    expect(page.get_by_role("link", name="Next")).to_have_count(0)
    webtask.do('click "Page 1"')
    expect(page.get_by_role("heading", level=3).first).to_have_text("Speckled Mug")


def test_back_to_the_results(webtask):
    """The browser's way back from a product leads to the same results."""
    webtask.goto("/")
    webtask.do('fill "Search products" with "plate", press Enter, click "Pasta Plate", go back')
    expect(webtask.page.get_by_role("heading", level=1)).to_have_text("Results for “plate”")


def test_sold_out(webtask):
    """What is sold out cannot be put into the cart, in the list or on its page."""
    webtask.goto("/products")
    page = webtask.page
    expect(page.get_by_role("button", name="Sold out")).to_be_disabled()
    webtask.do('click "Moonlight Mug" and wait for "Out of stock"')
    expect(page.get_by_role("button", name="Add to cart").first).to_be_disabled()
    expect(page.get_by_label("Quantity")).to_be_disabled()


def test_stock_is_checked_late(webtask):
    """The page asks for the stock after it has loaded, and then shows it."""
    webtask.goto("/")
    webtask.do('click "Giant Cocoa Mug" and wait for "Only 9 left"')
    expect(webtask.page.get_by_role("heading", level=1)).to_have_text("Giant Cocoa Mug")


def test_tabs_of_a_product(webtask):
    """One tab's text is shown at a time."""
    webtask.goto("/products/1")
    webtask.do('click the "Care" tab')
    page = webtask.page
    expect(page.get_by_role("tab", selected=True)).to_have_text("Care")
    expect(page.get_by_role("tabpanel")).to_have_count(1)
    expect(page.get_by_role("tabpanel")).to_contain_text("Dishwasher and microwave safe.")
