"""Playwright's `expect`, imported when it is first called: whoever only reads recordings needs no browser."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__all__ = ["expect"]

if TYPE_CHECKING:
    from playwright.sync_api import expect
else:

    def expect(actual: Any) -> Any:
        """Return the assertions about a page or locator."""
        from playwright.sync_api import expect as ask

        return ask(actual)
