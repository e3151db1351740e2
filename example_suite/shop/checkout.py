"""The checkout: its form, the card payment inside a frame, and turning the cart into an order."""

from __future__ import annotations

import datetime
import re
import secrets
from collections.abc import Mapping

from flask import Blueprint, flash, jsonify, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from . import access, cart, database, forms

blueprint = Blueprint("checkout", __name__)

COUNTRIES = (
    "Austria",
    "Canada",
    "France",
    "Germany",
    "Poland",
    "Portugal",
    "Spain",
    "United Kingdom",
    "United States",
)
DELIVERIES = {"Standard": (490, "2 to 4 days"), "Express": (1290, "next working day")}
MAX_NOTE = 300
_REQUIRED = {
    "name": "Enter your full name.",
    "email": "Enter your email address.",
    "street": "Enter your street and house number.",
    "city": "Enter your city.",
    "zip": "Enter your ZIP code.",
}


@blueprint.route("/checkout", methods=["GET", "POST"])
@access.login_required
def show() -> ResponseReturnValue:
    """The form, and what is wrong with it; a complete one becomes an order."""
    content = cart.load()
    if not content.items:
        flash("Your cart is empty. Add something before you check out.", "error")
        return redirect(url_for("cart.show"))
    values = {key: text.strip() for key, text in request.form.items()}
    last4 = _card(values.get("card_token", ""))
    errors: dict[str, str] = {}
    if request.method == "POST":
        errors = _problems(values, last4)
        if not errors:
            try:
                number = _place(content, values, last4)
            except forms.BadInput as problem:
                flash(str(problem), "error")
                return redirect(url_for("cart.show"))
            return redirect(url_for("orders.thanks", number=number))
    page = render_template(
        "checkout.html",
        cart=content,
        values=values,
        errors=errors,
        last4=last4,
        countries=COUNTRIES,
        deliveries=DELIVERIES,
        max_note=MAX_NOTE,
    )
    return page, 422 if errors else 200


@blueprint.get("/payment-frame")
@access.login_required
def payment_frame() -> ResponseReturnValue:
    """The page inside the checkout's frame that asks for the card."""
    return render_template("payment_frame.html")


@blueprint.post("/payment-frame")
@access.login_required
def save_card() -> ResponseReturnValue:
    """Check a card and answer with a token for it, as JSON; only the last four digits are kept."""
    body = request.get_json(silent=True)
    values = (
        {key: str(text).strip() for key, text in body.items()} if isinstance(body, dict) else {}
    )
    errors = _card_problems(values)
    if errors:
        return jsonify(errors=errors), 422
    token, last4 = secrets.token_hex(8), re.sub(r"\D", "", values["number"])[-4:]
    with database.get() as db:
        db.execute("INSERT INTO cards VALUES (?, ?, ?)", (token, access.owner(), last4))
    return jsonify(token=token, last4=last4)


def _problems(values: Mapping[str, str], last4: str) -> dict[str, str]:
    """Field → what is wrong with it; empty if the order can be placed."""
    errors = {field: text for field, text in _REQUIRED.items() if not values.get(field)}
    if values.get("email") and not forms.is_email(values["email"]):
        errors["email"] = "Enter an email address such as name@example.com."
    if values.get("zip") and not re.fullmatch(
        r"(?=.*\d)[A-Za-z0-9][A-Za-z0-9 -]{2,9}", values["zip"]
    ):
        errors["zip"] = "Enter a ZIP code such as 10115."
    if values.get("country") not in COUNTRIES:
        errors["country"] = "Choose a country."
    if values.get("delivery") not in DELIVERIES:
        errors["delivery"] = "Choose a delivery."
    if len(values.get("note", "")) > MAX_NOTE:
        errors["note"] = f"The gift note may have at most {MAX_NOTE} characters."
    try:
        forms.drawing(values.get("drawing", ""))
    except forms.BadInput as problem:
        errors["drawing"] = str(problem)
    if not last4:
        errors["card"] = "Enter your card and save it."
    if "terms" not in values:
        errors["terms"] = "Accept the terms and conditions."
    return errors


def _card_problems(values: Mapping[str, str]) -> dict[str, str]:
    """Field of the card → what is wrong with it."""
    errors: dict[str, str] = {}
    if not re.fullmatch(r"\d{13,19}", re.sub(r"[ -]", "", values.get("number", ""))):
        errors["number"] = "A card number has 13 to 19 digits."
    expiry = re.fullmatch(r"(0[1-9]|1[0-2]) ?/ ?(\d\d)", values.get("expiry", ""))
    today = datetime.date.today()
    if expiry is None:
        errors["expiry"] = "Enter the expiry date as MM/YY."
    elif (2000 + int(expiry[2]), int(expiry[1])) < (today.year, today.month):
        errors["expiry"] = "This card has expired."
    if not re.fullmatch(r"\d{3,4}", values.get("cvc", "")):
        errors["cvc"] = "The security code has 3 or 4 digits."
    return errors


def _card(token: str) -> str:
    """The last four digits of the asker's card with this token; an empty string if there is none."""
    query = "SELECT last4 FROM cards WHERE token = ? AND owner = ?"
    row = database.get().execute(query, (token, access.owner())).fetchone()
    return row["last4"] if row else ""


def _place(content: cart.Cart, values: Mapping[str, str], last4: str) -> int:
    """Take the pieces from stock, store the order and empty the cart, all or nothing; returns its number."""
    shipping = DELIVERIES[values["delivery"]][0]
    strokes = values.get("strokes", "")
    drawing = forms.drawing(values.get("drawing", ""))
    with database.get() as db:
        for item in content.items:
            taken = db.execute(
                "UPDATE products SET stock = stock - :n WHERE id = :id AND stock >= :n",
                {"n": item["quantity"], "id": item["product_id"]},
            )
            if not taken.rowcount:
                raise forms.BadInput(
                    f"There are not enough pieces of {item['name']} left. Please change the quantity."
                )
        fields = {
            **{field: values[field] for field in (*_REQUIRED, "country", "delivery")},
            "user_id": access.signed_in()["id"],
            "placed_on": datetime.date.today().isoformat(),
            "note": values.get("note", ""),
            "drawing": drawing,
            "strokes": int(strokes) if drawing and re.fullmatch(r"\d{1,4}", strokes) else 0,
            "card_last4": last4,
            "coupon": content.coupon,
            "subtotal": content.subtotal,
            "discount": content.discount,
            "shipping": shipping,
            "total": content.total + shipping,
        }
        names = ", ".join(fields)
        marks = ", ".join(f":{name}" for name in fields)
        number = db.execute(f"INSERT INTO orders ({names}) VALUES ({marks})", fields).lastrowid or 0
        db.executemany(
            "INSERT INTO order_items VALUES (?, ?, ?, ?, ?)",
            [
                (number, item["name"], item["option"], item["quantity"], item["price"])
                for item in content.items
            ],
        )
        cart.empty()
    return number
