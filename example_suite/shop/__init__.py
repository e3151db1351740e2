"""Kiln & Co., a small but real web shop to test against.

In here: the Flask application. `server.py` runs it on a free port for tests, `__main__.py` by hand.
"""

from __future__ import annotations

from pathlib import Path

from flask import Flask, render_template
from werkzeug.exceptions import HTTPException

from . import access, accounts, admin, cart, catalogue, checkout, database, forms, orders, pages

__all__ = ["create_app"]

MAX_REQUEST_BYTES = 2 * 1024 * 1024


def create_app(database_path: str | Path) -> Flask:
    """The shop on the SQLite file `database_path`, which is created and seeded if it is missing.

    Pictures that customers upload are kept in the folder `uploads` beside that file.
    """
    path = Path(database_path)
    if not path.exists():
        database.reset(path)
    app = Flask(__name__)
    # Fixed, so that a saved log-in (`storage_state`) outlives a restart. A real shop would keep this secret.
    app.config.update(
        SECRET_KEY="kiln-and-co-example-shop",
        SESSION_COOKIE_SAMESITE="Lax",
        MAX_CONTENT_LENGTH=MAX_REQUEST_BYTES,
        MAX_FORM_MEMORY_SIZE=MAX_REQUEST_BYTES,
        DATABASE=path,
        UPLOADS=database.uploads_folder(path),
    )
    app.add_template_filter(forms.money)
    app.add_template_filter(forms.count_of)
    app.teardown_appcontext(database.close)
    app.before_request(access.check_csrf)
    app.context_processor(_shared_values)
    app.register_error_handler(HTTPException, _error_page)
    for part in (pages, catalogue, accounts, cart, checkout, orders, admin):
        app.register_blueprint(part.blueprint)
    return app


def _shared_values() -> dict[str, object]:
    """What every template may use: the user, the number of items in the cart, the CSRF token."""
    return {
        "user": access.current_user(),
        "cart_count": cart.item_count(),
        "csrf_token": access.csrf_token(),
        "categories": catalogue.CATEGORIES,
    }


def _error_page(error: HTTPException) -> tuple[str, int]:
    """Every error as a page of the shop: what went wrong, and the way back."""
    titles = {
        403: "This page is not for you",
        404: "We could not find that page",
        413: "That file is too large",
        500: "Something broke in our workshop",
    }
    code = error.code or 500
    details = {
        413: "Files may have at most 2 MB.",
        500: "We are sorry. Please try again in a moment.",
    }
    page = render_template(
        "error.html",
        code=code,
        title=titles.get(code, "That did not work"),
        message=details.get(code, error.description),
    )
    return page, code
