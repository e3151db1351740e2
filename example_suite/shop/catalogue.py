"""Products: the list with search, categories, sorting and pages; one product with ratings and reviews."""

from __future__ import annotations

import datetime
import secrets
import sqlite3
from pathlib import Path

from flask import (
    Blueprint,
    abort,
    current_app,
    flash,
    jsonify,
    make_response,
    redirect,
    render_template,
    request,
    send_from_directory,
    url_for,
)
from flask.typing import ResponseReturnValue

from . import access, database, forms

blueprint = Blueprint("catalogue", __name__)

CATEGORIES = ("Mugs", "Plates", "Bowls", "Gifts")
PER_PAGE = 12
SORTS = {
    "recommended": ("Recommended", "id"),
    "name": ("Name A to Z", "name COLLATE NOCASE"),
    "price": ("Price: low to high", "price, id"),
    "price-desc": ("Price: high to low", "price DESC, id"),
}


def find_product(product_id: int) -> sqlite3.Row:
    """The product with this id; an error 404 if there is none."""
    query = "SELECT * FROM products WHERE CAST(id AS TEXT) = ?"  # as text: a number from outside may be of any size
    row: sqlite3.Row | None = database.get().execute(query, (str(product_id),)).fetchone()
    if row is None:
        abort(404, f"There is no product number {product_id}. Perhaps it is no longer sold.")
    return row


@blueprint.get("/products")
def listing() -> ResponseReturnValue:
    """Products that match `q` and `category`, sorted by `sort`, twelve to a page."""
    words = request.args.get("q", "").strip()[:80]
    category = request.args.get("category", "")
    sort = request.args.get("sort", "recommended")
    if category and category not in CATEGORIES:
        abort(404, f"There is no category called {category}. We have {', '.join(CATEGORIES)}.")
    if sort not in SORTS:
        sort = "recommended"
    pattern = "%" + words.replace("!", "!!").replace("%", "!%").replace("_", "!_") + "%"
    where = "(name LIKE :q ESCAPE '!' OR description LIKE :q ESCAPE '!') AND (:category = '' OR category = :category)"
    values = {"q": pattern, "category": category}
    total = (
        database.get().execute(f"SELECT count(*) FROM products WHERE {where}", values).fetchone()[0]
    )
    pages = max(1, -(-total // PER_PAGE))
    page = min(max(request.args.get("page", 1, type=int), 1), pages)
    rows = database.get().execute(
        f"SELECT * FROM products WHERE {where} ORDER BY {SORTS[sort][1]} LIMIT {PER_PAGE} OFFSET :skip",
        {**values, "skip": (page - 1) * PER_PAGE},
    )
    return render_template(
        "products.html",
        products=rows.fetchall(),
        total=total,
        page=page,
        pages=pages,
        query=words,
        category=category,
        sort=sort,
        sorts=SORTS,
    )


@blueprint.get("/products/<int:product_id>")
def product(product_id: int) -> ResponseReturnValue:
    """One product, with its tabs; `tab=reviews` opens it at the reviews."""
    row = find_product(product_id)
    db = database.get()
    user = access.current_user()
    return render_template(
        "product.html",
        product=row,
        rating=_rating(product_id),
        tab="reviews" if request.args.get("tab") == "reviews" else "description",
        reviews=db.execute(
            "SELECT * FROM reviews WHERE product_id = ? ORDER BY id DESC", (product_id,)
        ).fetchall(),
        others=db.execute(
            "SELECT * FROM products WHERE category = ? AND id != ? ORDER BY id LIMIT 4",
            (row["category"], product_id),
        ).fetchall(),
        wished=user is not None
        and db.execute(
            "SELECT 1 FROM wishlist_items WHERE user_id = ? AND product_id = ?",
            (user["id"], product_id),
        ).fetchone(),
    )


@blueprint.get("/products/<int:product_id>/picture.svg")
def picture(product_id: int) -> ResponseReturnValue:
    """The product's picture, drawn from its five words."""
    words = find_product(product_id)["picture"].split()
    names = ("shape", "pattern", "colour", "second", "background")
    # Straight from the template: a picture needs no cart count and no session.
    template = current_app.jinja_env.get_template("picture.svg")
    response = make_response(template.render(dict(zip(names, words, strict=True))))
    response.headers["Content-Type"] = "image/svg+xml"
    response.headers["Cache-Control"] = "max-age=3600"
    return response


@blueprint.post("/products/<int:product_id>/rating")
def rate(product_id: int) -> ResponseReturnValue:
    """Take this visitor's stars, replacing earlier ones; JSON in and out."""
    find_product(product_id)
    body = request.get_json(silent=True)
    stars = body.get("stars") if isinstance(body, dict) else None
    if type(stars) is not int or not 1 <= stars <= 5:
        return jsonify(error="A rating has 1 to 5 stars."), 400
    with database.get() as db:
        db.execute(
            "INSERT OR REPLACE INTO ratings VALUES (?, ?, ?)", (product_id, access.owner(), stars)
        )
    return jsonify(_rating(product_id))


@blueprint.post("/products/<int:product_id>/reviews")
def review(product_id: int) -> ResponseReturnValue:
    """Store a review and its picture, if one was sent that is a picture."""
    find_product(product_id)
    here = url_for("catalogue.product", product_id=product_id, tab="reviews")
    author = request.form.get("author", "").strip()[:60]
    text = request.form.get("text", "").strip()[:1000]
    if not author or not text:
        flash("Please fill in your name and your review.", "error")
        return redirect(here)
    try:
        name = _store_upload()
    except forms.BadInput as problem:
        flash(str(problem), "error")
        return redirect(here)
    with database.get() as db:
        db.execute(
            "INSERT INTO reviews (product_id, author, text, picture, posted_on) VALUES (?, ?, ?, ?, ?)",
            (product_id, author, text, name, datetime.date.today().isoformat()),
        )
    flash("Thank you for your review.", "success")
    return redirect(here)


@blueprint.get("/uploads/<name>")
def upload(name: str) -> ResponseReturnValue:
    """A picture that a customer uploaded."""
    folder: Path = current_app.config["UPLOADS"]
    return send_from_directory(folder.resolve(), name)


def _store_upload() -> str:
    """Keep the review's picture and return its new file name; an empty string if none was sent."""
    file = request.files.get("picture")
    if file is None or not file.filename:
        return ""
    content = file.read()
    name = secrets.token_hex(8) + forms.picture_suffix(content)
    folder: Path = current_app.config["UPLOADS"]
    folder.mkdir(exist_ok=True)
    (folder / name).write_bytes(content)
    return name


def _rating(product_id: int) -> dict[str, float | int]:
    """Average, number of ratings, and this visitor's own stars (0: none yet)."""
    db = database.get()
    average, count = db.execute(
        "SELECT avg(stars), count(*) FROM ratings WHERE product_id = ?", (product_id,)
    ).fetchone()
    own = db.execute(
        "SELECT stars FROM ratings WHERE product_id = ? AND owner = ?", (product_id, access.owner())
    ).fetchone()
    return {"average": round(average or 0, 1), "count": count, "own": own["stars"] if own else 0}
