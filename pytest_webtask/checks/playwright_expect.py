"""What kinds of checks share: Playwright's `expect`, and requirements of their fields.

`expect` is imported on its first call: reading recordings needs no Playwright.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from pydantic import ConfigDict

__all__ = ["TIMEOUT", "expect", "holds", "not_empty", "required"]

TIMEOUT = 1.0
"""Milliseconds that an `expect` may take, since the page has already settled."""

if TYPE_CHECKING:
    from playwright.sync_api import expect
else:

    def expect(actual: Any) -> Any:
        """Return the assertions about a page or locator."""
        from playwright.sync_api import expect as ask

        return ask(actual)


def required(*names: str) -> ConfigDict:
    """Return the configuration of a check with fields that only models must provide."""

    def change(schema: dict[str, Any]) -> None:
        schema["required"] = [*schema.get("required", ()), *names]

    return ConfigDict(json_schema_extra=change)


def not_empty(text: str) -> str:
    """Return the text. Raises ValueError if it is empty."""
    if not text.strip():
        raise ValueError("the text is empty: pass the expected text")
    return text


def holds(assertion: Callable[[], None]) -> bool:
    """Return whether an `expect` passes."""
    try:
        assertion()
    except AssertionError:
        return False
    return True
