"""Orders that were placed: the list, one order, and its invoice."""

from __future__ import annotations

import sqlite3

from flask import Blueprint, abort, make_response, render_template
from flask.typing import ResponseReturnValue

from . import access, database, forms

blueprint = Blueprint("orders", __name__, url_prefix="/orders")


@blueprint.get("")
@access.login_required
def listing() -> ResponseReturnValue:
    """The user's own orders, newest first."""
    query = "SELECT * FROM orders WHERE user_id = ? ORDER BY id DESC"
    rows = database.get().execute(query, (access.signed_in()["id"],)).fetchall()
    return render_template("orders.html", orders=rows)


@blueprint.get("/MUG-<int(max=99999999):number>")
@access.login_required
def show(number: int) -> ResponseReturnValue:
    """One order with everything that was ordered and drawn."""
    order, items = _find(number)
    return render_template("order.html", order=order, items=items, fresh=False)


@blueprint.get("/MUG-<int(max=99999999):number>/thanks")
@access.login_required
def thanks(number: int) -> ResponseReturnValue:
    """The same, as confirmation right after the order."""
    order, items = _find(number)
    return render_template("order.html", order=order, items=items, fresh=True)


@blueprint.get("/MUG-<int(max=99999999):number>/invoice")
@access.login_required
def invoice(number: int) -> ResponseReturnValue:
    """The invoice as a text file to download."""
    order, items = _find(number)
    response = make_response(_invoice_text(order, items))
    response.headers["Content-Type"] = "text/plain; charset=utf-8"
    response.headers["Content-Disposition"] = f'attachment; filename="invoice-MUG-{number}.txt"'
    return response


def _find(number: int) -> tuple[sqlite3.Row, list[sqlite3.Row]]:
    """An order and its items; an error 404 unless it is the user's own or an administrator asks."""
    db = database.get()
    order = db.execute("SELECT * FROM orders WHERE id = ?", (number,)).fetchone()
    user = access.signed_in()
    if order is None or not (user["is_admin"] or order["user_id"] == user["id"]):
        abort(404, f"You have no order MUG-{number}.")
    return order, db.execute("SELECT * FROM order_items WHERE order_id = ?", (number,)).fetchall()


def _invoice_text(order: sqlite3.Row, items: list[sqlite3.Row]) -> str:
    """The invoice in columns, 60 characters wide."""
    lines = [
        "KILN & CO.",
        f"Invoice for order MUG-{order['id']} of {order['placed_on']}",
        "",
        order["name"],
        order["street"],
        f"{order['zip']} {order['city']}, {order['country']}",
        "",
    ]
    for item in items:
        name = f"{item['name']} ({item['option']})" if item["option"] else item["name"]
        lines.append(_row(f"{item['quantity']} x {name}", item["quantity"] * item["price"]))
    lines += ["-" * 60, _row("Subtotal", order["subtotal"])]
    if order["discount"]:
        lines.append(_row(f"Coupon {order['coupon']}", -order["discount"]))
    lines += [
        _row(f"Delivery ({order['delivery']})", order["shipping"]),
        _row("Total", order["total"]),
        "",
    ]
    lines.append(f"Paid with card ending in {order['card_last4']}")
    return "\n".join(lines) + "\n"


def _row(text: str, cents: int) -> str:
    amount = forms.money(cents) if cents >= 0 else f"-{forms.money(-cents)}"
    return f"{text:<46}{amount:>14}"
