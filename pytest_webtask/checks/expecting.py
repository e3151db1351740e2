"""Playwright's `expect`, imported on its first call: reading recordings needs no Playwright."""

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
