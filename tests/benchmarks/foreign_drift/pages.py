"""The pages: what is served, and which one a test visits."""

from __future__ import annotations

from tests.benchmarks.foreign_drift.serving import ForeignPage


def _gentelella(path: str) -> ForeignPage:
    return ForeignPage(f"production/{path}", "gentelella", "4.2.0", "dist")


PAGES = {
    "todo": ForeignPage("todo.html"),
    "users": _gentelella("user_management.html"),
    "inbox": _gentelella("inbox.html"),
    "employees": ForeignPage("tables.html", "startbootstrap-sb-admin-2", "4.1.4"),
}


def page_of(test: str) -> str:
    """The name of the page that a test visits, the first word of the test's own name."""
    return test.split("_")[1]
