"""The administrator's pages: products, orders, and the order of the featured products."""

from __future__ import annotations

from flask import Blueprint, flash, jsonify, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from . import access, catalogue, database, forms

blueprint = Blueprint("admin", __name__, url_prefix="/admin")

STATUSES = ("Received", "Packed", "Shipped", "Delivered", "Cancelled")


@blueprint.get("/products")
@access.admin_required
def products() -> ResponseReturnValue:
    """All products in a table, each to edit or delete."""
    rows = database.get().execute("SELECT * FROM products ORDER BY id").fetchall()
    return render_template("admin/products.html", products=rows)


@blueprint.route("/products/<int:product_id>", methods=["GET", "POST"])
@access.admin_required
def edit_product(product_id: int) -> ResponseReturnValue:
    """Change price and stock; wrong values come back as a page with the messages beside them."""
    product = catalogue.find_product(product_id)
    if request.method == "GET":
        values = {"price": f"{product['price'] / 100:.2f}", "stock": str(product["stock"])}
        return render_template("admin/edit.html", product=product, values=values, errors={})
    values = {field: request.form.get(field, "") for field in ("price", "stock")}
    errors: dict[str, str] = {}
    parsed: dict[str, int] = {}
    for field, parse in (("price", forms.price), ("stock", forms.stock)):
        try:
            parsed[field] = parse(values[field])
        except forms.BadInput as problem:
            errors[field] = str(problem)
    if errors:
        return render_template(
            "admin/edit.html", product=product, values=values, errors=errors
        ), 422
    with database.get() as db:
        db.execute(
            "UPDATE products SET price = :price, stock = :stock WHERE id = :id",
            {**parsed, "id": product_id},
        )
    flash(f"{product['name']} was saved.", "success")
    return redirect(url_for("admin.products"))


@blueprint.post("/products/<int:product_id>/delete")
@access.admin_required
def delete_product(product_id: int) -> ResponseReturnValue:
    """Take a product out of the shop, and out of every cart and wishlist."""
    product = catalogue.find_product(product_id)
    with database.get() as db:
        db.execute("DELETE FROM products WHERE id = ?", (product_id,))
    flash(f"{product['name']} was deleted.", "success")
    return redirect(url_for("admin.products"))


@blueprint.get("/orders")
@access.admin_required
def orders() -> ResponseReturnValue:
    """Everybody's orders, newest first, with their status."""
    rows = database.get().execute("SELECT * FROM orders ORDER BY id DESC").fetchall()
    return render_template("admin/orders.html", orders=rows, statuses=STATUSES)


@blueprint.post("/orders/<int(max=99999999):number>/status")
@access.admin_required
def change_status(number: int) -> ResponseReturnValue:
    """Set an order's status; JSON in and out."""
    body = request.get_json(silent=True)
    status = body.get("status") if isinstance(body, dict) else None
    if status not in STATUSES:
        return jsonify(error=f"A status is one of {', '.join(STATUSES)}."), 400
    with database.get() as db:
        changed = db.execute("UPDATE orders SET status = ? WHERE id = ?", (status, number)).rowcount
    if not changed:
        return jsonify(error=f"There is no order MUG-{number}."), 404
    return jsonify(message=f"Order MUG-{number} is now {status}.")


@blueprint.get("/featured")
@access.admin_required
def featured() -> ResponseReturnValue:
    """The featured products, to be put in order by dragging."""
    query = "SELECT * FROM products WHERE featured IS NOT NULL ORDER BY featured"
    return render_template("admin/featured.html", products=database.get().execute(query).fetchall())


@blueprint.post("/featured")
@access.admin_required
def order_featured() -> ResponseReturnValue:
    """Take the featured products' ids in their new order; JSON in and out."""
    body = request.get_json(silent=True)
    ids = body.get("ids") if isinstance(body, dict) else None
    db = database.get()
    known = {row["id"] for row in db.execute("SELECT id FROM products WHERE featured IS NOT NULL")}
    if (
        not isinstance(ids, list)
        or len(ids) != len(known)
        or {i for i in ids if type(i) is int} != known
    ):
        return jsonify(error="The list has changed meanwhile. Reload the page and try again."), 409
    with db:
        db.executemany(
            "UPDATE products SET featured = ? WHERE id = ?", [(n, i) for n, i in enumerate(ids, 1)]
        )
    return jsonify(message="Order saved.")
