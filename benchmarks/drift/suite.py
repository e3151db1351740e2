"""The recorded suite, in free English; the benchmark runs it as `test_shop.py`."""

from __future__ import annotations

from pytest_webtask import Webtask


def test_log_in(webtask: Webtask) -> None:
    """Who logs in is welcomed at home, and sees earlier orders."""
    webtask.goto("/")
    webtask.do("log in as {user} with {password}")
    webtask.verify('the message "Welcome back, Dana Demo." is shown')
    webtask.verify('the heading is "Tableware with fingerprints"')
    webtask.do("find my earlier orders")
    webtask.verify("order MUG-1002 is shipped")


def test_wrong_password(webtask: Webtask) -> None:
    """A wrong password is reported, and does not log in."""
    webtask.goto("/")
    webtask.do("try to log in as {user} with the password {wrong}")
    webtask.verify('the message "Wrong username or password." is shown')
    webtask.verify('no "Log out" button is shown')


def test_bowls(webtask: Webtask) -> None:
    """A category that is sorted leads to its cheapest product."""
    webtask.goto("/")
    webtask.do("list the bowls, the most expensive ones first")
    webtask.verify("6 products are shown")
    webtask.verify("the products are sorted by price, dearest first")
    webtask.do("have a closer look at the cheapest bowl")
    webtask.verify("the Cat Bowl costs $12.50")


def test_options(webtask: Webtask) -> None:
    """A product that was searched for is in the cart as it was chosen."""
    webtask.goto("/")
    webtask.do("search for the speckled mug and put two sea blue ones into the cart")
    webtask.do("have a look at the cart")
    webtask.verify("the cart has 2 items")
    webtask.verify("the Speckled Mug in the cart is Sea blue")
    webtask.verify("the total of the cart is $36.00")


def test_changing_the_cart(webtask: Webtask) -> None:
    """A quantity that is changed and a product that is removed change the total."""
    webtask.goto("/products")
    webtask.do("put an espresso cup and a striped mug into the cart")
    webtask.do("in the cart, make it three espresso cups")
    webtask.verify("the quantity of the Espresso Cup is 3")
    webtask.verify("the quantity of the Striped Mug is 1")
    webtask.verify("the total of the cart is $49.50")
    webtask.do("take the striped mug out of the cart")
    webtask.verify("only the Espresso Cup is in the cart")
    webtask.verify("the total of the cart is $33.00")


def test_coupon(webtask: Webtask) -> None:
    """A coupon takes ten percent off."""
    webtask.goto("/products/2")
    webtask.do("put one of these mugs into the cart")
    webtask.do("redeem the coupon {coupon} in the cart")
    webtask.verify("the coupon {coupon} is applied")
    webtask.verify("the total of the cart is $14.85")


def test_order(customer: Webtask) -> None:
    """What is in the cart is ordered, paid and sent to where the customer lives."""
    customer.goto("/products")
    customer.do("put an espresso cup into the cart and go on to the checkout")
    customer.do("enter that it goes to {name}, {street}, {zip} {city} in Germany, as standard")
    customer.do("pay with the card {card}, which expires in 12/39 and has the security code 123")
    customer.do("accept the terms and order")
    customer.verify('the page says "Thank you for your order"')
    customer.verify("the order number is shown")
    customer.verify("the total of the order is $15.90")
    customer.verify('the address says "Kiln Lane 12" and "10115 Berlin"')
    customer.verify("the cart has 0 items")
    customer.do("go to the list of my orders")
    customer.verify("2 orders are listed")


def test_wishlist(customer: Webtask) -> None:
    """The wishlist keeps what is put on it, and its name."""
    customer.goto("/products/4")
    customer.do("put this mug on my wishlist")
    customer.do("in my account, rename the wishlist to {wishes}")
    customer.goto("/account")
    customer.verify("the heading is {wishes}")
    customer.verify("the Camping Mug costs $14.00")
