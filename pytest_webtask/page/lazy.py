"""Playwright's `Error`, imported when it is first caught: reading declarations needs no Playwright."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Error

__all__ = ["Error"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from playwright import sync_api

    return getattr(sync_api, name)
