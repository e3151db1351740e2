"""Free English: a model did each of these sentences once; its recordings are replayed, with no model.

They stand in `recordings/test_in_english`, and `pytest-webtask recordings list` says who made them.
"""

from decimal import Decimal

import pytest
from playwright.sync_api import expect


def log_in(webtask):
    """Log in as the demo customer: recorded once, for all tests that call it."""
    webtask.goto("/login")
    webtask.do("log in as the demo customer {user} with {password}")


def test_demo_customer_logs_in(webtask):
    """The customer is greeted."""
    log_in(webtask)
    webtask.verify("the page says Welcome back, Dana Demo")


def test_two_espresso_cups(webtask):
    """Two pieces go into the cart, and the cart counts them."""
    webtask.goto("/products")
    webtask.do("put two espresso cups into the cart")
    webtask.verify("cart shows 2 items")


def test_cheapest_mug(webtask):
    """The catalogue sorted by price has the cheapest one first; that one is in the cart then."""
    webtask.goto("/products")
    webtask.do("sort the products by price, lowest first")
    cheapest = webtask.extract("the name of the first product of the list")
    webtask.do("put {cheapest} into the cart and open the cart", data={"cheapest": cheapest})
    webtask.verify("{cheapest} is in the cart", data={"cheapest": cheapest})


@pytest.mark.parametrize(
    ("product", "price"), [("Espresso Cup", Decimal("11.00")), ("Striped Mug", Decimal("16.50"))]
)
def test_total_of_one_product(webtask, product, price):
    """One recording serves both products."""
    webtask.goto("/products")
    webtask.do("put one {product} into the cart and open the cart", data={"product": product})
    webtask.verify("{product} is in the cart", data={"product": product})
    assert webtask.extract("the total of the cart", Decimal) == price


def test_coupon_lowers_the_total(webtask):
    """The coupon takes ten percent off, and could be removed again."""
    webtask.goto("/products")
    webtask.do("put a striped mug into the cart and open the cart")
    assert not webtask.holds("a coupon is applied", timeout=0)
    webtask.do("apply the coupon {coupon}", data={"coupon": "WELCOME10"})
    webtask.verify("the total is $14.85")
    expect(webtask.select("the button that removes the coupon")).to_be_enabled()
