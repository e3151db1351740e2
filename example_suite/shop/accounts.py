"""Log-in, log-out, and the account page with its wishlist."""

from __future__ import annotations

from flask import Blueprint, flash, jsonify, redirect, render_template, request, session, url_for
from flask.typing import ResponseReturnValue
from werkzeug.security import check_password_hash

from . import access, cart, catalogue, database, forms

blueprint = Blueprint("accounts", __name__)


@blueprint.route("/login", methods=["GET", "POST"])
def login() -> ResponseReturnValue:
    """The log-in form; goes on to `next`, or home. A wrong name or password is not told apart."""
    target = forms.local_path(request.values.get("next", ""), url_for("pages.home"))
    if request.method == "GET":
        return render_template("login.html", target=target, name="")
    name = request.form.get("username", "").strip()
    user = database.get().execute("SELECT * FROM users WHERE name = ?", (name,)).fetchone()
    if user is None or not check_password_hash(
        user["password_hash"], request.form.get("password", "")
    ):
        page = render_template(
            "login.html", target=target, name=name, error="Wrong username or password."
        )
        return page, 401
    visitor = access.owner()
    session.clear()
    session["user_id"] = user["id"]
    cart.hand_over(visitor, f"user:{user['id']}")
    flash(f"Welcome back, {user['full_name']}.", "success")
    return redirect(target)


@blueprint.post("/logout")
def logout() -> ResponseReturnValue:
    """Forget who this is; the user's cart waits for the next log-in."""
    session.clear()
    flash("You are logged out.", "success")
    return redirect(url_for("pages.home"))


@blueprint.get("/account")
@access.login_required
def account() -> ResponseReturnValue:
    """The user's name and wishlist."""
    rows = database.get().execute(
        "SELECT products.* FROM products JOIN wishlist_items ON product_id = products.id WHERE user_id = ? ORDER BY id",
        (access.signed_in()["id"],),
    )
    return render_template("account.html", products=rows.fetchall())


@blueprint.post("/wishlist/rename")
@access.login_required
def rename_wishlist() -> ResponseReturnValue:
    """Take the wishlist's new name; JSON in and out."""
    body = request.get_json(silent=True)
    name = str(body.get("name", "")).strip() if isinstance(body, dict) else ""
    if not 1 <= len(name) <= 40:
        return jsonify(error="A name has 1 to 40 characters."), 400
    with database.get() as db:
        db.execute(
            "UPDATE users SET wishlist_name = ? WHERE id = ?", (name, access.signed_in()["id"])
        )
    return jsonify(name=name)


@blueprint.post("/wishlist/<int:product_id>")
@access.login_required
def change_wishlist(product_id: int) -> ResponseReturnValue:
    """Put a product on the wishlist, or take it off with `action=remove`."""
    product = catalogue.find_product(product_id)
    user_id = access.signed_in()["id"]
    with database.get() as db:
        if request.form.get("action") == "remove":
            db.execute(
                "DELETE FROM wishlist_items WHERE user_id = ? AND product_id = ?",
                (user_id, product_id),
            )
            flash(f"{product['name']} was taken off your wishlist.", "success")
        else:
            db.execute("INSERT OR IGNORE INTO wishlist_items VALUES (?, ?)", (user_id, product_id))
            flash(f"{product['name']} is on your wishlist.", "success")
    here = url_for("catalogue.product", product_id=product_id)
    return redirect(forms.local_path(request.form.get("return_to", ""), here))
