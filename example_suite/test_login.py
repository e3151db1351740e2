"""Logging in and out."""

import re

import pytest
from playwright.sync_api import expect


def test_log_in(webtask):
    """The right password leads to the home page, with a greeting and the user's own links."""
    webtask.goto("/")
    webtask.do('click "Log in"')
    webtask.do('fill "Username" with {user}, fill "Password" with {password} and press Enter')
    page = webtask.page
    expect(page).to_have_url(re.compile(r":\d+/$"))
    expect(page.get_by_role("status")).to_have_text("Welcome back, Dana Demo.")
    expect(page.get_by_role("link", name="Account")).to_be_visible()
    expect(page.get_by_role("link", name="Log in")).to_have_count(0)


# Each case has a name: from an id made of its values the password would get into files and the terminal.
@pytest.mark.parametrize(
    ("user", "password"),
    [
        pytest.param("demo", "MUG-LIFE-2026", id="other-password"),
        pytest.param("nobody", "mug-life-2026", id="other-user"),
    ],
)
def test_wrong_username_or_password(webtask, user, password):
    """Neither of the two is told apart, the name stays in the form, and nobody is logged in."""
    webtask.goto("/login")
    webtask.do(
        'fill "Username" with {who}, fill "Password" with {guess} and click the "Log in" button',
        data={"who": user, "guess": password},
    )
    page = webtask.page
    expect(page.get_by_role("alert")).to_have_text("Wrong username or password.")
    expect(page.get_by_label("Username")).to_have_value(user)
    expect(page.get_by_label("Password")).to_be_empty()
    expect(page.get_by_role("link", name="Account")).to_have_count(0)


def test_password_is_needed(webtask):
    """Without a password the browser does not even send the form."""
    webtask.goto("/login")
    webtask.do('fill "Username" with {user}, then click the "Log in" button')
    page = webtask.page
    assert page.get_by_label("Password").evaluate("field => field.validity.valueMissing")
    expect(page.get_by_label("Password")).to_be_focused()
    expect(page.get_by_role("alert")).to_have_count(0)


def test_guarded_page_opens_after_the_log_in(webtask):
    """Who asks for the orders is sent to log in, and then gets the orders."""
    webtask.goto("/orders")
    expect(webtask.page.get_by_role("heading", level=1)).to_have_text("Log in")
    webtask.do('fill "Username" with {user} and fill "Password" with {password}')
    webtask.do('click the "Log in" button')
    expect(webtask.page).to_have_url(re.compile("/orders$"))
    expect(webtask.page.get_by_role("heading", level=1)).to_have_text("My orders")


def test_log_out(webtask):
    """After logging out, pages of the account ask for a password again."""
    webtask.do('go to "/login", fill "Username" with {user}, fill "Password" with {password}')
    webtask.do('click the "Log in" button, then click "Log out"')
    expect(webtask.page.get_by_role("status")).to_have_text("You are logged out.")
    webtask.goto("/account")
    expect(webtask.page).to_have_url(re.compile(r"/login\?next=/account"))


def test_visitors_cart_is_kept_after_the_log_in(webtask):
    """What was put into the cart before logging in is still there afterwards."""
    webtask.goto("/products")
    webtask.do('click "Add to cart" next to "Travel Mug", then click "Log in"')
    webtask.do('fill "Username" with {user}, fill "Password" with {password} and press Enter')
    webtask.do('click "Cart (1 item)"')
    expect(webtask.page.get_by_role("row").filter(has_text="Travel Mug")).to_contain_text("$26.00")
