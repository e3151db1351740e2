"""The shop's SQLite database: opening it, and putting it back to its seed.

In here: connections and the reset. The tables are in `schema.sql`, their first rows in `seed.py`.
"""

from __future__ import annotations

import functools
import shutil
import sqlite3
import threading
from pathlib import Path

from flask import current_app, g

from . import seed

_SCHEMA = Path(__file__).with_name("schema.sql")
_reset_lock = threading.Lock()


def uploads_folder(path: Path) -> Path:
    """The folder of the pictures that belong to the database at `path`."""
    return path.with_name("uploads")


def connect(path: Path) -> sqlite3.Connection:
    """A connection to the file `path`, with rows that are read by column name and foreign keys enforced."""
    connection = sqlite3.connect(path, timeout=10)
    connection.row_factory = sqlite3.Row
    connection.execute("PRAGMA foreign_keys = ON")
    # The data are thrown away after a test: waiting for the disk would only slow it down.
    connection.execute("PRAGMA synchronous = OFF")
    return connection


def get() -> sqlite3.Connection:
    """The connection of the present request, opened when first asked for."""
    if "database" not in g:
        g.database = connect(current_app.config["DATABASE"])
    connection: sqlite3.Connection = g.database
    return connection


def close(_error: BaseException | None = None) -> None:
    """Close the request's connection, if it had one; what was not committed is dropped."""
    connection = g.pop("database", None)
    if connection is not None:
        connection.close()


def reset(path: Path) -> None:
    """Make `path` a copy of the seed, whatever was in it, and delete its uploaded pictures."""
    with _reset_lock:
        target = connect(path)
        try:
            _seeded().backup(target)
        finally:
            target.close()
    shutil.rmtree(uploads_folder(path), ignore_errors=True)


@functools.cache
def _seeded() -> sqlite3.Connection:
    """The seed in memory, built once in a process; used under `_reset_lock` only."""
    connection = sqlite3.connect(":memory:", check_same_thread=False)
    connection.executescript(_SCHEMA.read_text(encoding="utf-8"))
    seed.fill(connection)
    connection.commit()
    return connection
