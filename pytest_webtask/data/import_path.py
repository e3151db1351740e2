"""Loading of a project's own objects by `package.module:callable`."""

import re
from pkgutil import resolve_name
from typing import Any

from pytest_webtask.errors import UsageError

_NAMES = r"[^\W\d]\w*(?:\.[^\W\d]\w*)*"


def is_import_path(text: str) -> bool:
    """Whether a text has the form `package.module:callable`."""
    return re.fullmatch(f"{_NAMES}:{_NAMES}", text) is not None


def load_callable(kind: str, path: str) -> Any:
    """Return the result of the callable at an import path; errors call it a `kind`.

    Raises UsageError if there is no such callable.
    """
    try:
        factory = resolve_name(path)
    except (ImportError, AttributeError, ValueError) as error:
        raise UsageError(
            f"cannot load the {kind} {path!r}: {error}. Correct the name, or add the folder of"
            " the module to pytest's pythonpath option"
        ) from None
    if not callable(factory):
        raise UsageError(
            f"{path} is {factory!r:.100}, which is not callable; name a callable that returns the {kind}"
        )
    try:
        return factory()
    except TypeError as error:
        raise UsageError(
            f"{path} cannot be called without arguments: {error}. Name a callable that takes none and returns the {kind}"
        ) from error
