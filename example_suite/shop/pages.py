"""Pages around the shop: home, terms, help and contact, the slow stock check, and one that breaks."""

from __future__ import annotations

import datetime
import time

from flask import Blueprint, abort, flash, jsonify, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from markupsafe import Markup

from . import access, catalogue, database, forms

blueprint = Blueprint("pages", __name__)

MAX_DELAY_MS = 5000


@blueprint.get("/")
def home() -> ResponseReturnValue:
    """Welcome, the featured products in the order that the administrator chose, and the categories."""
    featured = (
        database.get()
        .execute("SELECT * FROM products WHERE featured IS NOT NULL ORDER BY featured")
        .fetchall()
    )
    return render_template("home.html", featured=featured)


@blueprint.get("/terms")
def terms() -> ResponseReturnValue:
    """Terms and conditions; the checkout opens them in a new tab."""
    return render_template("terms.html")


@blueprint.get("/contact")
def contact() -> ResponseReturnValue:
    """Questions and answers, the contact form, and the messages sent by this visitor."""
    rows = database.get().execute(
        "SELECT * FROM messages WHERE owner = ? ORDER BY id DESC", (access.owner(),)
    )
    messages = [
        {**row, "html": Markup(row["html"])} for row in map(dict, rows)
    ]  # cleaned when stored
    return render_template("contact.html", messages=messages)


@blueprint.post("/contact")
def send_message() -> ResponseReturnValue:
    """Store a message with its formatting; both fields are needed."""
    subject = request.form.get("subject", "").strip()[:100]
    text = forms.clean_html(request.form.get("message", ""))
    if not subject or not text:
        flash("Please fill in a subject and a message.", "error")
        return redirect(url_for("pages.contact"))
    with database.get() as db:
        db.execute(
            "INSERT INTO messages (owner, subject, html, sent_on) VALUES (?, ?, ?, ?)",
            (access.owner(), subject, text, datetime.date.today().isoformat()),
        )
    flash("Thank you. We have received your message.", "success")
    return redirect(url_for("pages.contact"))


@blueprint.get("/slow")
def slow() -> ResponseReturnValue:
    """A page whose table arrives `ms` milliseconds late."""
    return render_template("slow.html", delay=_delay(800))


@blueprint.get("/availability")
def availability() -> ResponseReturnValue:
    """JSON: the stock of one `product`, or of those that run low; answered after `ms` milliseconds."""
    time.sleep(_delay(0) / 1000)
    product_id = request.args.get("product", type=int)
    query = "SELECT id, name, stock FROM products WHERE "
    if product_id is None:
        rows = database.get().execute(query + "stock < 10 ORDER BY stock").fetchall()
    else:
        rows = [catalogue.find_product(product_id)]
    return jsonify([{"name": row["name"], "text": _stock_text(row["stock"])} for row in rows])


@blueprint.get("/broken")
def broken() -> ResponseReturnValue:
    """Always an error 500, to see its page."""
    abort(500)


def _stock_text(stock: int) -> str:
    """How a number of pieces is told to customers."""
    if stock == 0:
        return "Out of stock"
    return f"Only {stock} left" if stock < 10 else f"In stock: {stock} pieces"


def _delay(otherwise: int) -> int:
    """The request's `ms`, kept between 0 and 5 seconds."""
    return min(max(request.args.get("ms", otherwise, type=int), 0), MAX_DELAY_MS)
