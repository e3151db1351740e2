"""Soft failures: kept until the end of the test, together with pytest-playwright's own."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from types import FrameType, TracebackType

__all__ = ["at_caller", "keep", "raise_all"]

_PACKAGE = __name__.partition(".")[0]


def keep(problem: Exception) -> bool:
    """Put a failure among Playwright's soft ones; False where there is no such scope.

    The scope is private to Playwright, absent in older versions, and open only while a test itself
    runs, not in its fixtures.
    """
    try:
        from playwright._impl import _assertions
    except ImportError:
        return False
    errors = getattr(_assertions, "_soft_errors", None)
    if not isinstance(errors, list):
        return False
    errors.append(problem)
    return True


def raise_all(kept: Sequence[Exception], hard: BaseException | None = None) -> None:
    """Raise the failures that were kept, together with that which ended the test, if any did."""
    problems = [*([hard] if hard else []), *kept]
    if len(problems) == 1:
        raise problems[0]
    if problems:
        if sys.version_info < (3, 11):
            from exceptiongroup import BaseExceptionGroup  # type: ignore[import-not-found]
        else:
            from builtins import BaseExceptionGroup
        raise BaseExceptionGroup("soft failures", problems)


def at_caller(problem: Exception) -> Exception:
    """The failure as if raised in the line that called us."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and str(frame.f_globals.get("__name__", "")).startswith(_PACKAGE):
        frame = frame.f_back
    if frame is None:
        return problem
    return problem.with_traceback(TracebackType(None, frame, frame.f_lasti, frame.f_lineno))
