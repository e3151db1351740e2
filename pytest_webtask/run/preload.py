"""Preloading: imports that steps and the report need, made while Playwright and the browser start."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from threading import Thread

_STEPS = ("pytest_webtask.run.webtask", "pytest_webtask.recordings.replay")
_REPORT = "pytest_webtask.report"


@contextmanager
def preloading(*, report: bool) -> Iterator[None]:
    """Import what steps need in another thread until the context ends, then the `report`.

    Playwright's driver and the browser are other processes, for which the main thread only waits.
    """
    if sys.modules.keys() >= {*_STEPS}:  # several pytest runs of one process
        yield
        return
    steps = Thread(target=_preload, args=_STEPS)
    steps.start()
    try:
        yield
    finally:
        steps.join()
        if report:
            Thread(target=_preload, args=(_REPORT,)).start()
    # Modules are never garbage, but each collection would search them, and several are made at exit.
    # What is garbage by now is collected first, or it would never be.
    gc.collect()
    gc.freeze()


def _preload(*modules: str) -> None:
    # A module that cannot be imported fails where it is used, too; here it would fail any test.
    with suppress(Exception):
        for module in modules:
            import_module(module)
