"""What is in a fresh shop: three users, 24 products, a few ratings and reviews, two orders.

The products stand in `products.csv`, prices in cents; their ids are their places in that file, from 1.
"""

from __future__ import annotations

import csv
import sqlite3
from pathlib import Path

from werkzeug.security import generate_password_hash

_PRODUCTS = Path(__file__).with_name("products.csv")
_CARE = {
    "stoneware": "Dishwasher and microwave safe. Let it cool down before you wash it by hand.",
    "enamel": "Wash by hand with a soft sponge. Not for the microwave.",
    "wood": "Wipe with a damp cloth and oil it twice a year. Never in the dishwasher.",
    "textile": "Machine wash at 40 °C with similar colours. Iron while damp.",
    "gift": "Keep dry and out of direct sunlight.",
}

_USERS = [
    ("demo", "Dana Demo", "mug-life-2026", 0),
    ("rita", "Rita Rivers", "rita-pass-7", 0),
    ("admin", "Ada Admin", "admin-pass-9", 1),
]

_RATINGS = [
    (1, "seed:a", 5),
    (1, "seed:b", 4),
    (2, "seed:a", 4),
    (9, "seed:a", 5),
    (15, "seed:a", 3),
]

_REVIEWS = [
    (1, "Jonas", "Sits in the hand like it was made for it. I have four by now.", "2026-01-14"),
    (1, "Mireille", "Lovely glaze. Mine is a little heavier than I expected.", "2026-02-02"),
    (9, "Tomasz", "The 27 cm one fits our dishwasher, the 30 cm one does not.", "2025-12-20"),
]

_ORDERS = [
    (1001, 2, "2026-01-09", "Delivered", "Rita Rivers", "rita@example.com", "Harbour Road 4", "Lisbon", "1100-048",
     "Portugal", "Standard", "4444", 3650, 490, 4140),
    (1002, 1, "2026-02-17", "Shipped", "Dana Demo", "demo@example.com", "Kiln Lane 12", "Berlin", "10115",
     "Germany", "Express", "4242", 3600, 1290, 4890),
]  # fmt: skip

_ORDER_ITEMS = [
    (1001, "Dessert Plate", "", 1, 1450),
    (1001, "Giant Cocoa Mug", "", 1, 2200),
    (1002, "Speckled Mug", "Cream", 2, 1800),
]


def fill(connection: sqlite3.Connection) -> None:
    """Put the first rows into empty tables; the same ones every time, but for the salt of the passwords."""
    connection.executemany(
        "INSERT INTO users (name, full_name, password_hash, is_admin) VALUES (?, ?, ?, ?)",
        # A light hash: a suite logs in hundreds of times, and these passwords are public anyway.
        [
            (name, full, generate_password_hash(word, "scrypt:1024:8:1"), admin)
            for name, full, word, admin in _USERS
        ],
    )
    connection.executemany(
        "INSERT INTO products"
        " (name, category, price, stock, featured, option_name, options, picture, care, description)"
        " VALUES (:name, :category, :price, :stock, :featured, :option_name, :options, :picture, :care, :description)",
        _products(),
    )
    connection.executemany("INSERT INTO ratings VALUES (?, ?, ?)", _RATINGS)
    connection.executemany(
        "INSERT INTO reviews (product_id, author, text, posted_on) VALUES (?, ?, ?, ?)", _REVIEWS
    )
    connection.executemany(
        "INSERT INTO orders (id, user_id, placed_on, status, name, email, street, city, zip, country, delivery,"
        " card_last4, subtotal, shipping, total) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        _ORDERS,
    )
    connection.executemany("INSERT INTO order_items VALUES (?, ?, ?, ?, ?)", _ORDER_ITEMS)


def _products() -> list[dict[str, str | None]]:
    """The rows of the file, with the care text written out and NULL where a product is not featured."""
    with _PRODUCTS.open(encoding="utf-8", newline="") as file:
        return [
            {**row, "featured": row["featured"] or None, "care": _CARE[row["care"]]}
            for row in csv.DictReader(file)
        ]
