"""Tasks on the example shop, in the words of a test's author; its database or page is the judge."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Page

from pytest_webtask import Secret

DATA = {
    "user": "demo",
    "password": Secret("mug-life-2026"),
    "rita_password": Secret("rita-pass-7"),
    "admin_password": Secret("admin-pass-9"),
    "card": Secret("4000 0566 5566 5556"),
}

RESOURCES = {
    "my mug": Path(__file__).parents[2] / "example_suite" / "resources" / "my-mug.png",
}

Rows = list[tuple[object, ...]]
Judge = Callable[[Page, Callable[[str], Rows]], bool]


@dataclass(frozen=True)
class Task:
    """A sentence, the judge of its outcome, and SQL that sets the scene in the seeded shop."""

    name: str
    sentence: str
    done: Judge
    given: str = ""


def prepare(database: Path, task: Task) -> None:
    """Set the scene of a task in a database that has just been seeded."""
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.executescript(task.given)


def solved(page: Page, database: Path, task: Task) -> bool:
    """Whether the task has been done, regardless of who did it and what was said about it."""
    with closing(sqlite3.connect(database)) as connection:
        return task.done(page, lambda query: connection.execute(query).fetchall())


def _stored(query: str, *expected: tuple[object, ...]) -> Judge:
    """These rows, in this order, and no others are what the query finds."""
    return lambda page, rows: rows(query) == list(expected)


def _at(pattern: str) -> Judge:
    """The page in front has an address of this kind."""
    return lambda page, rows: re.search(pattern, page.url) is not None


def _in_cart(*expected: tuple[object, ...], owner: str = "%") -> Judge:
    """All carts hold exactly (product, option, quantity), and belong to such an owner."""
    query = (
        f"SELECT product_id, option, quantity, owner LIKE '{owner}' FROM cart_items"
        " ORDER BY product_id, option"
    )
    return _stored(query, *((*line, 1) for line in expected))


def _all(*judges: Judge) -> Judge:
    return lambda page, rows: all(judge(page, rows) for judge in judges)


def _logged_in(name: str) -> Judge:
    """The account page greets this person; asked for beside the page, which stays as it is."""

    def judge(page: Page, rows: object) -> bool:
        account = page.request.get(re.sub(r"(://[^/]+).*", r"\1/account", page.url))
        return f"<h1>Hello, {name}</h1>" in account.text()

    return judge


def _message(page: Page, rows: Callable[[str], Rows]) -> bool:
    """One message, with one word of it in bold."""
    found = rows("SELECT subject, html FROM messages")
    if len(found) != 1 or found[0][0] != "Loose handle":
        return False
    html = str(found[0][1]).replace("&nbsp;", " ").replace("\N{NO-BREAK SPACE}", " ")
    words = re.sub(r"<[^>]*>", "", html).split()
    bold = re.findall(r"<(?:b|strong)>(.*?)</(?:b|strong)>", html)
    return words == "The handle is loose".split() and [b.strip() for b in bold] == ["loose"]


_ORDER = (
    "SELECT name, street, zip, city, country, delivery, card_last4, coupon, note, strokes > 0,"
    " (SELECT group_concat(quantity || ' ' || name || ' ' || option) FROM order_items"
    " WHERE order_id = id) FROM orders WHERE id > 1002"
)
_DANA = ("Dana Demo", "Kiln Lane 12", "10115", "Berlin", "Germany")
_RITA = ("Rita Rivers", "Harbour Road 4", "1100-048", "Lisbon", "Portugal")
_CARD = "The card is {card}, it expires in December 2039, and its security code is 123."
_ADMIN = "Log in as admin with {admin_password}."

TASKS = (
    Task("log-in", "Log in as {user} with {password}.", _logged_in("Dana Demo")),
    Task("find-a-page", "Open the terms and conditions.", _at("/terms$")),
    Task(
        "sort-a-category",
        "Show the bowls only, the most expensive one first.",
        _all(_at(r"[?&]category=Bowls"), _at("[?&]sort=price-desc")),
    ),
    Task("sold-out", "Open the page of the mug that is sold out.", _at("/products/7$")),
    Task("add-some", "Put three espresso cups into the cart.", _in_cart((3, "", 3))),
    Task(
        "add-an-option", "Put a camping mug in mustard into the cart.", _in_cart((4, "Mustard", 1))
    ),
    Task(
        "cheapest",
        "Log in as {user} with {password} and put two of the cheapest mug into the cart.",
        _in_cart((3, "", 2), owner="user:1"),
    ),
    Task(
        "within-a-budget",
        "Put the most expensive plate that costs less than 20 dollars into the cart.",
        _in_cart((11, "", 1)),
    ),
    Task(
        "as-many-as-there-are",
        "I would like 30 striped mugs. Put as many of them into the cart as there are.",
        _in_cart((2, "", 18)),
    ),
    Task(
        "one-of-each",
        "Put one of each gift into the cart; the apron in size L.",
        _in_cart((21, "", 1), (22, "", 1), (23, "", 1), (24, "L", 1)),
    ),
    Task(
        "change-the-cart",
        "Log in as {user} with {password}. In the cart, take out the candle and make it four"
        " tea towels.",
        _in_cart((1, "Charcoal", 1), (23, "", 4)),
        "INSERT INTO cart_items (owner, product_id, option, quantity) VALUES"
        " ('user:1', 22, '', 2), ('user:1', 23, '', 1), ('user:1', 1, 'Charcoal', 1)",
    ),
    Task(
        "coupon",
        "Put a ramen bowl into the cart and use the coupon for a first order, which the home page"
        " tells.",
        _all(_in_cart((16, "", 1)), _stored("SELECT code FROM cart_coupons", ("WELCOME10",))),
    ),
    Task(
        "cart-of-a-visitor",
        "Put a beeswax candle into the cart before you log in. Then log in as rita with"
        " {rita_password}, check that it is still there, and log out.",
        _all(
            _in_cart((22, "", 1), owner="user:2"),
            lambda page, rows: page.get_by_role("link", name="Log in").is_visible(),
        ),
    ),
    Task(
        "stock-check",
        "There is a stock check, which tells what is running low. Of those products that can still"
        " be had, put one of which most pieces are left into the cart.",
        _in_cart((5, "", 1)),
    ),
    Task(
        "rate-in-tabs",
        "Tomasz has reviewed one of the plates. Rate that plate with five stars.",
        _stored("SELECT product_id, stars FROM ratings WHERE owner NOT LIKE 'seed:%'", (9, 5)),
    ),
    Task(
        "review-with-a-picture",
        'Review the camping mug as Petra: "It is blue, and I like it." Add the picture of my mug.',
        _stored(
            "SELECT product_id, author, text, picture LIKE '%.png' FROM reviews WHERE id > 3",
            (4, "Petra", "It is blue, and I like it.", 1),
        ),
    ),
    Task(
        "wishlist",
        "Log in as {user} with {password} and put all bowls for less than 20 dollars on the"
        " wishlist.",
        _stored("SELECT * FROM wishlist_items ORDER BY 2", (1, 15), (1, 18), (1, 20)),
    ),
    Task(
        "rename-in-a-prompt",
        'Log in as {user} with {password} and rename the wishlist to "Birthday ideas".',
        _stored("SELECT wishlist_name FROM users WHERE id = 1", ("Birthday ideas",)),
    ),
    Task(
        "rich-message",
        'Write to the workshop, with the subject "Loose handle": "The handle is loose". The word'
        " loose shall be bold, and nothing else.",
        _message,
    ),
    Task(
        "admin-price",
        f"{_ADMIN} Raise the price of the cat bowl by two dollars.",
        _stored("SELECT id, price, stock FROM products WHERE name = 'Cat Bowl'", (20, 1450, 19)),
    ),
    Task(
        "admin-delete",
        f"{_ADMIN} Delete the product of which there is none left.",
        _stored("SELECT count(*), sum(id) FROM products", (23, 293)),
    ),
    Task(
        "admin-restock",
        f"{_ADMIN} Every product with fewer than 9 pieces in stock shall have 20.",
        _stored("SELECT id FROM products WHERE stock = 20 ORDER BY id", (7,), (12,), (13,), (17,)),
    ),
    Task(
        "admin-status",
        f"{_ADMIN} Dana's order has arrived, so mark it as delivered.",
        _stored(
            "SELECT id, status FROM orders ORDER BY id", (1001, "Delivered"), (1002, "Delivered")
        ),
    ),
    Task(
        "admin-drag",
        f"{_ADMIN} Of the featured products, the cereal bowl shall come first; the others keep"
        " their order.",
        _stored(
            "SELECT group_concat(id) FROM (SELECT id FROM products WHERE featured NOTNULL"
            " ORDER BY featured)",
            ("15,1,2,9,5,21,11,23",),
        ),
    ),
    Task(
        "check-out",
        "Log in as {user} with {password} and buy a cat bowl, by standard delivery to Dana Demo,"
        f" Kiln Lane 12, 10115 Berlin, Germany; email dana@example.com. {_CARD}",
        _stored(_ORDER, (*_DANA, "Standard", "5556", "", "", 0, "1 Cat Bowl ")),
    ),
    Task(
        "check-out-a-gift",
        "Log in as rita with {rita_password} and buy a gift box with the coupon WELCOME10, by"
        " express to Rita Rivers, Harbour Road 4, 1100-048 Lisbon, Portugal; email"
        ' rita@example.com. The gift note is "Happy birthday!", and a line is drawn on the'
        f" greeting card. {_CARD}",
        _stored(
            _ORDER,
            (*_RITA, "Express", "5556", "WELCOME10", "Happy birthday!", 1, "1 Gift Box for Two "),
        ),
    ),
    Task(
        "order-again",
        "Log in as {user} with {password} and order again what was in the last order, to the same"
        f" address, delivered in the same way; email dana@example.com. {_CARD}",
        _stored(_ORDER, (*_DANA, "Express", "5556", "", "", 0, "2 Speckled Mug Cream")),
    ),
)
