"""How each scene is set: a page of our own, or the example shop in some state."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Page
from shop.server import ShopServer

from tests.claims.pages import PAGES
from tests.site import Site

USERS = {"demo": "mug-life-2026", "rita": "rita-pass-7", "admin": "admin-pass-9"}

_IN_CART = """INSERT INTO cart_items (owner, product_id, option, quantity) VALUES
    ('user:1', 1, 'Charcoal', 2), ('user:1', 2, '', 1), ('user:1', 20, '', 4);"""
_WISHED = "INSERT INTO wishlist_items VALUES (1, 2), (1, 15), (1, 20);"
_ORDERED = """INSERT INTO orders (id, user_id, placed_on, status, name, email, street, city, zip,
    country, delivery, note, card_last4, coupon, subtotal, discount, shipping, total) VALUES
    (1003, 1, '2026-03-01', 'Received', 'Dana Demo', 'demo@example.com', 'Kiln Lane 12', 'Berlin',
    '10115', 'Germany', 'Standard', 'Enjoy!', '4242', 'WELCOME10', 5000, 500, 490, 4990);
    INSERT INTO order_items VALUES (1003, 'Cat Bowl', '', 4, 1250);"""


@dataclass(frozen=True)
class ShopState:
    """A page of the shop: who looks at it, and SQL that sets it in the seeded database."""

    path: str
    user: str = ""
    given: str = ""
    act: Callable[[Page], object] | None = None


def _place_empty_order(page: Page) -> None:
    page.get_by_role("button", name="Place order").click()
    page.get_by_role("alert").wait_for()


def _see_stock(page: Page) -> None:
    page.get_by_role("status").filter(has_text=re.compile("stock", re.I)).first.wait_for()


SHOP = {
    "shop-cart": ShopState("/cart", "demo", _IN_CART),
    "shop-coupon": ShopState(
        "/cart", "demo", _IN_CART + "INSERT INTO cart_coupons VALUES ('user:1', 'WELCOME10');"
    ),
    "shop-empty": ShopState("/cart"),
    "shop-orders": ShopState("/orders", "demo", _ORDERED),
    "shop-order": ShopState("/orders/MUG-1003", "demo", _ORDERED),
    "shop-checkout": ShopState("/checkout", "demo", _IN_CART, _place_empty_order),
    "shop-mugs": ShopState("/products?category=Mugs&sort=price"),
    "shop-page-2": ShopState("/products?page=2"),
    "shop-sold-out": ShopState("/products/7", act=_see_stock),
    "shop-account": ShopState("/account", "demo", _WISHED),
    "shop-admin": ShopState("/admin/products", "admin"),
    "shop-admin-orders": ShopState("/admin/orders", "admin", _ORDERED),
}

ALIASES = {"earlier": "/orders"}
"""A page of ours that a test leaves again, so that it is shown by a name of its own."""

TWO_TABS = {"cart-and-orders": ("/cart", "/orders")}
"""The page in front, and the one in a second tab."""


def show(scene: str, page: Page, site: Site, shop: ShopServer, folder: Path) -> str:
    """Show a scene; answers where it is."""
    if scene in SHOP:
        return _show_shop(SHOP[scene], page, shop, folder)
    front, behind = TWO_TABS.get(scene, (ALIASES.get(scene, f"/{scene}"), None))
    site.pages.update(PAGES)
    page.goto(f"{site.url}{front}")
    if behind:
        # By the page itself, so that it is one of the test's tabs and loads before it is asked.
        with page.expect_popup() as popup:
            page.evaluate("url => { window.open(url) }", behind)
        popup.value.wait_for_load_state()
        page.bring_to_front()
    return page.url


def _show_shop(state: ShopState, page: Page, shop: ShopServer, folder: Path) -> str:
    shop.reset()
    with closing(sqlite3.connect(folder)) as connection, connection:
        connection.executescript(state.given)
    if state.user:
        form = page.request.get(f"{shop.url}/login").text()
        token = re.search(r'name="csrf_token" value="(\w+)"', form)
        assert token is not None, form
        page.request.post(
            f"{shop.url}/login",
            form={
                "username": state.user,
                "password": USERS[state.user],
                "csrf_token": token[1],
                "next": "/terms",
            },
        )
    page.goto(f"{shop.url}{state.path}")
    if state.act:
        state.act(page)
    return page.url
