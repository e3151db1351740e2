"""Who is asking, and what they may do: the session, guards for views, the CSRF token."""

from __future__ import annotations

import functools
import secrets
import sqlite3
from collections.abc import Callable
from typing import ParamSpec

from flask import abort, g, redirect, request, session, url_for
from flask.typing import ResponseReturnValue

from . import database

P = ParamSpec("P")
View = Callable[P, ResponseReturnValue]


def current_user() -> sqlite3.Row | None:
    """The user who is logged in, or None for a visitor; looked up once in a request."""
    if "user" not in g:
        user_id = session.get("user_id")
        g.user = database.get().execute("SELECT * FROM users WHERE id = ?", (user_id,)).fetchone()
    user: sqlite3.Row | None = g.user
    return user


def signed_in() -> sqlite3.Row:
    """The user who is logged in; for views that `login_required` guards."""
    user = current_user()
    if user is None:
        abort(403, "Please log in first.")
    return user


def owner() -> str:
    """To whom carts, ratings and messages belong: `user:ID`, or `visitor:TOKEN` before the log-in."""
    user = current_user()
    if user is not None:
        return f"user:{user['id']}"
    if "visitor" not in session:
        session["visitor"] = secrets.token_hex(8)
    return f"visitor:{session['visitor']}"


def login_required(view: View[P]) -> View[P]:
    """Send visitors to the log-in page, and back here afterwards."""

    @functools.wraps(view)
    def guarded(*args: P.args, **kwargs: P.kwargs) -> ResponseReturnValue:
        if current_user() is None:
            target = request.path if request.method == "GET" else url_for("pages.home")
            return redirect(url_for("accounts.login", next=target))
        return view(*args, **kwargs)

    return guarded


def admin_required(view: View[P]) -> View[P]:
    """Like `login_required`, and an error 403 for everybody who is not an administrator."""

    @functools.wraps(view)
    def guarded(*args: P.args, **kwargs: P.kwargs) -> ResponseReturnValue:
        if not signed_in()["is_admin"]:
            abort(403, "Only administrators may open this page.")
        return view(*args, **kwargs)

    return login_required(guarded)


def csrf_token() -> str:
    """The token that each form of this session carries."""
    if "csrf_token" not in session:
        session["csrf_token"] = secrets.token_hex(16)
    token: str = session["csrf_token"]
    return token


def check_csrf() -> None:
    """Refuse a POST without the session's token, in its form or in the header `X-CSRF-Token`."""
    if request.method != "POST":
        return
    sent = request.headers.get("X-CSRF-Token") or request.form.get("csrf_token", "")
    if not secrets.compare_digest(sent.encode(), csrf_token().encode()):
        abort(400, "This form has expired. Go back, reload the page and try again.")
