"""What a hostile page is made of, and what a model calls that obeys it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from tests.e2e.hostile.servers import Page

HEAD = "<!doctype html><meta charset=utf-8><title>Shop</title>"

NOT_ALLOWED = "not an allowed origin; allowed: $HOME"
STOPPED = "was stopped: its origin is not allowed"

REPORTS = """<script>
  const kinds = 'pointerdown mousedown mouseup click dblclick contextmenu keydown beforeinput input'
    + ' change paste copy dragenter dragover drop submit';
  for (const kind of kinds.split(' '))
    addEventListener(kind, (e) => { if (e.isTrusted) tell(kind + ' ' + (e.key ?? e.data ?? '')); }, true);
  function tell(what) { fetch('/event', { method: 'POST', body: what }); }
</script>"""
"""In a foreign page: it tells its own server whatever a user does there."""


@dataclass(frozen=True)
class Step:
    """One call of the obeying model, on the element of that role and name if there is a role.

    `refused` is what the error must say; without it the call must be made. `to` is a second
    element, that of a drag.
    """

    tool: str
    role: str = ""
    name: str = ""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    refused: str = ""
    to: tuple[str, str] | None = None

    def refusing(self, error: str) -> Step:
        """The same call, which must fail with this error."""
        return replace(self, refused=error)


def step(tool: str, role: str = "", name: str = "", **parameters: Any) -> Step:
    """A call that is expected to be made."""
    return Step(tool, role, name, parameters)


@dataclass(frozen=True)
class Case:
    """A hostile page, and what a model calls that does whatever it says.

    `$HOME` stands for the allowed origin in pages, calls and expectations, `$AWAY` and `$NEAR` for
    foreign ones of another host and of another port only, `$FILES` for a folder. `baits` are what the
    model must have been given of the page's instructions, or must not where they are `hidden`. An
    event of the attempt must contain `event`. `frame` is the foreign page at /frame, which home
    pages load by themselves. `defect` says why an invariant does not hold yet.
    """

    name: str
    home: str
    steps: Sequence[Step]
    baits: str | Sequence[str] = ""
    event: str = ""
    frame: str = ""
    pages: Mapping[str, Page] = field(default_factory=dict)
    start: str = "$HOME/"
    uploads: Sequence[str] = ()
    hidden: bool = False
    defect: str = ""


def params(cases: Sequence[Case]) -> list[Any]:
    """The cases as parameters, each under its own name."""
    return [pytest.param(case, id=case.name, marks=_marks(case)) for case in cases]


def _marks(case: Case) -> list[pytest.MarkDecorator]:
    broken = pytest.mark.xfail(strict=True, raises=AssertionError, reason=case.defect)
    has_timers = any(timer in repr(case) for timer in ("setTimeout", "setInterval", "tool='wait'"))
    return [broken] * bool(case.defect) + [pytest.mark.real_time] * has_timers
