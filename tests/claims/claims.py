"""All claims."""

from __future__ import annotations

from tests.claims.case import Claim
from tests.claims.said_of_carts import CART, ORDERS
from tests.claims.said_of_pages import LANGUAGES, LISTS, MORE, PROFILE, TASKS
from tests.claims.said_of_shop import SHOP

CLAIMS: tuple[Claim, ...] = (
    *CART,
    *ORDERS,
    *TASKS,
    *PROFILE,
    *LISTS,
    *MORE,
    *LANGUAGES,
    *SHOP,
)

_NO_ID = "what says so has no id of its own, and the box around it holds more"
_CHECKBOXES = "the items around the boxes have no id, and boxes are not counted as tasks"
_ORDER = "the page calls itself an order in its heading only, and other things orders elsewhere"

REFUSED = {
    "cart-total": "the page speaks of orders elsewhere, and nowhere at this sum",
    "orders-page": _NO_ID,
    "profile-error": _NO_ID,
    "sale-new": _NO_ID,
    "inbox-dan": _NO_ID,
    "tasks-next": _CHECKBOXES,
    "tasks-four": _CHECKBOXES,
    "tasks-first": _CHECKBOXES,
    "inbox-three": "the badge does not say what it counts",
    "shop-coupon": "that it is applied is to be seen by what is taken off",
    "shop-visitor": "that nobody is logged in is to be seen by a link to log in",
    "shop-order-bowls": _ORDER,
    "shop-order-goes": _ORDER,
}
"""True claims whose evidence code cannot read, and why: a tester gets an undecided verdict."""

SAID_ELSEWHERE = {
    "cart-twelve": "12 items are saved for later",
    "orders-23": "Showing 6 to 10 of 23 orders",
    "sale-14": "4 of 14 offers are shown",
    "inbox-five": "You have 5 unread messages",
    "settings-12": "2.5 GB of 12 GB used",
    "shop-cart-seven-products": "Cart (7 items)",
    "shop-page-24": "24 products, page 2 of 2",
}
"""What the page says of something else in the very words of a false claim: who reads that to be
meant is mistaken, and no code can tell. A lie that cites it is counted by itself."""
