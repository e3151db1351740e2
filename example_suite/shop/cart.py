"""The cart: what is in it, what it costs, and the views that change it."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass

from flask import Blueprint, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from . import access, catalogue, database, forms

blueprint = Blueprint("cart", __name__, url_prefix="/cart")

COUPONS = {"WELCOME10": 10}  # code: percent off


@dataclass(frozen=True)
class Cart:
    """What somebody is about to buy; money in cents, delivery not included."""

    items: list[sqlite3.Row]
    coupon: str

    @property
    def subtotal(self) -> int:
        """The items at their present prices."""
        return sum(item["price"] * item["quantity"] for item in self.items)

    @property
    def discount(self) -> int:
        """What the coupon takes off, rounded to the cent."""
        return round(self.subtotal * COUPONS.get(self.coupon, 0) / 100)

    @property
    def total(self) -> int:
        """Subtotal without the discount."""
        return self.subtotal - self.discount


def load() -> Cart:
    """The cart of whoever is asking."""
    db = database.get()
    items = db.execute(
        "SELECT cart_items.id, product_id, option, quantity, name, price, stock FROM cart_items"
        " JOIN products ON products.id = product_id WHERE owner = ? ORDER BY cart_items.id",
        (access.owner(),),
    ).fetchall()
    coupon = db.execute(
        "SELECT code FROM cart_coupons WHERE owner = ?", (access.owner(),)
    ).fetchone()
    return Cart(items, coupon["code"] if coupon else "")


def item_count() -> int:
    """How many pieces are in the cart, for the header."""
    query = "SELECT coalesce(sum(quantity), 0) FROM cart_items WHERE owner = ?"
    count: int = database.get().execute(query, (access.owner(),)).fetchone()[0]
    return count


def hand_over(giver: str, taker: str) -> None:
    """Add one owner's cart to another's, as when a visitor logs in."""
    with database.get() as db:
        db.execute(
            "INSERT INTO cart_items (owner, product_id, option, quantity)"
            " SELECT ?, product_id, option, quantity FROM cart_items WHERE owner = ?"
            " ON CONFLICT (owner, product_id, option) DO UPDATE SET quantity = min(quantity + excluded.quantity, ?)",
            (taker, giver, forms.MAX_QUANTITY),
        )
        db.execute(
            "INSERT OR IGNORE INTO cart_coupons SELECT ?, code FROM cart_coupons WHERE owner = ?",
            (taker, giver),
        )
        _empty(db, giver)


def empty() -> None:
    """Take everything out of the asker's cart, the coupon too; the caller commits."""
    _empty(database.get(), access.owner())


def _empty(db: sqlite3.Connection, owner: str) -> None:
    db.execute("DELETE FROM cart_items WHERE owner = ?", (owner,))
    db.execute("DELETE FROM cart_coupons WHERE owner = ?", (owner,))


@blueprint.get("")
def show() -> ResponseReturnValue:
    """The cart with its totals."""
    return render_template("cart.html", cart=load())


@blueprint.post("/add/<int:product_id>")
def add(product_id: int) -> ResponseReturnValue:
    """Put `quantity` pieces of a product, in the chosen `option`, into the cart."""
    product = catalogue.find_product(product_id)
    option = request.form.get("option", "")
    try:
        number = forms.quantity(request.form.get("quantity", "1"))
        if option not in product["options"].split("|"):
            raise forms.BadInput(
                f"Please choose a {product['option_name'].lower() or 'valid option'}."
            )
        _check_stock(product, number)
    except forms.BadInput as problem:
        flash(str(problem), "error")
    else:
        with database.get() as db:
            db.execute(
                "INSERT INTO cart_items (owner, product_id, option, quantity) VALUES (?, ?, ?, ?)"
                " ON CONFLICT (owner, product_id, option) DO UPDATE SET quantity = quantity + excluded.quantity",
                (access.owner(), product_id, option, number),
            )
        flash(f"Added {number} × {product['name']} to your cart.", "success")
    here = url_for("catalogue.product", product_id=product_id)
    return redirect(forms.local_path(request.form.get("return_to", ""), here))


@blueprint.post("/items/<int:item_id>")
def change(item_id: int) -> ResponseReturnValue:
    """Set `quantity`, change it by `step` (+1 or -1), or take the item out with `remove`."""
    item = next((item for item in load().items if item["id"] == item_id), None)
    if item is None:
        flash("That item is no longer in your cart.", "error")
        return redirect(url_for("cart.show"))
    try:
        number = _wanted_number(item)
        if number > item["stock"]:
            raise forms.BadInput(f"Only {item['stock']} pieces of {item['name']} are in stock.")
    except forms.BadInput as problem:
        flash(str(problem), "error")
        return redirect(url_for("cart.show"))
    with database.get() as db:
        if number:
            db.execute("UPDATE cart_items SET quantity = ? WHERE id = ?", (number, item_id))
        else:
            db.execute("DELETE FROM cart_items WHERE id = ?", (item_id,))
            flash(f"{item['name']} was removed from your cart.", "success")
    return redirect(url_for("cart.show"))


@blueprint.post("/coupon")
def coupon() -> ResponseReturnValue:
    """Use the coupon `code`, or none any more with `remove`."""
    code = request.form.get("code", "").strip().upper()[:20]
    with database.get() as db:
        if "remove" in request.form:
            db.execute("DELETE FROM cart_coupons WHERE owner = ?", (access.owner(),))
            flash("The coupon was removed.", "success")
        elif not code:
            flash("Please enter a coupon code.", "error")
        elif code not in COUPONS:
            flash(f"The coupon {code} is not valid.", "error")
        else:
            db.execute("INSERT OR REPLACE INTO cart_coupons VALUES (?, ?)", (access.owner(), code))
            flash(f"Coupon {code} applied: {COUPONS[code]}% off.", "success")
    return redirect(url_for("cart.show"))


def _wanted_number(item: sqlite3.Row) -> int:
    """What a change asks for; 0 means out with it."""
    if "remove" in request.form:
        return 0
    if "step" in request.form:
        number: int = item["quantity"] + (1 if request.form["step"] == "1" else -1)
        return min(number, forms.MAX_QUANTITY)
    return forms.quantity(request.form.get("quantity", ""))


def _check_stock(product: sqlite3.Row, number: int) -> None:
    """Raise `BadInput` if the cart would hold more pieces than there are, or than one order may have."""
    if product["stock"] == 0:
        raise forms.BadInput(f"{product['name']} is out of stock.")
    held = sum(item["quantity"] for item in load().items if item["product_id"] == product["id"])
    if held + number > product["stock"]:
        raise forms.BadInput(f"Only {product['stock']} pieces of {product['name']} are in stock.")
    if held + number > forms.MAX_QUANTITY:
        raise forms.BadInput(
            f"At most {forms.MAX_QUANTITY} pieces of {product['name']} go into one order."
        )
