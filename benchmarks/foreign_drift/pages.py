"""The pages: what is served, and which one a test visits."""

from __future__ import annotations

from benchmarks.foreign_drift.serving import ForeignPage


def _gentelella(path: str) -> ForeignPage:
    return ForeignPage(f"production/{path}", "gentelella", "4.2.0", "dist")


def _sb_admin(path: str, life: str = "") -> ForeignPage:
    return ForeignPage(path, "startbootstrap-sb-admin-2", "4.1.4", life=life)


PAGES = {
    "todo": ForeignPage("todo.html"),
    "users": _gentelella("user_management.html"),
    "inbox": _gentelella("inbox.html"),
    "orders": _gentelella("orders.html"),
    "employees": _sb_admin("tables.html"),
    "dashboard": _sb_admin("index.html"),
    "register": _sb_admin("register.html", "register"),
    "billing": ForeignPage("pages/billing.html", "material-dashboard", "3.1.0", life="billing"),
    "people": ForeignPage("users.html", "@tabler/preview", "1.2.0", "dist", "people"),
    "profile": ForeignPage("pages/profile.html", "soft-ui-dashboard", "1.0.1", life="profile"),
    "projects": ForeignPage(
        "examples/tables.html",
        "@creative-tim-official/argon-dashboard-free",
        "1.2.0",
        life="projects",
    ),
    "project": ForeignPage("pages/examples/project-add.html", "admin-lte", "3.2.0", life="project"),
}


def page_of(test: str) -> str:
    """The name of the page that a test visits, the second word of the test's own name."""
    return test.split("_")[1]
