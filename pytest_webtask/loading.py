"""What a project makes itself and names as `package.module:callable`."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from pytest_webtask.errors import UsageError

__all__ = ["is_import_path", "load_callable"]


def is_import_path(text: str) -> bool:
    """Whether a text is written `package.module:callable`."""
    module, colon, name = text.partition(":")
    return bool(colon) and all(
        part.isidentifier() for part in [*module.split("."), *name.split(".")]
    )


def load_callable(kind: str, path: str) -> Any:
    """What the callable of that path returns; `kind` is what it is called in errors.

    Raises UsageError where there is no such callable.
    """
    module, _, name = path.partition(":")
    try:
        found: Any = import_module(module)
        for part in name.split("."):
            found = getattr(found, part)
    except (ImportError, AttributeError) as error:
        raise UsageError(
            f"the {kind} {path!r} cannot be loaded: {error}. It must be importable from where"
            " pytest runs (see pytest's pythonpath option)"
        ) from None
    if not callable(found):
        raise UsageError(f"{path} is {found!r:.100}; what makes the {kind} must be callable")
    return found()
