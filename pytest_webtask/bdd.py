"""Generic steps for pytest-bdd: `Given` and `When` are tasks, `Then` is a claim, tables are data.

Put `from pytest_webtask.bdd import *` into a `conftest.py`. A project's own step definitions win.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from pytest_webtask.errors import WebtaskError
from pytest_webtask.journal.schema import names_in
from pytest_webtask.recordings.sources import BACKGROUND, feature_site
from pytest_webtask.recordings.store import calling_from
from pytest_webtask.run.run_state import BDD_STEP
from pytest_webtask.run.webtask import Webtask

try:
    from pytest_bdd import given, parsers, then, when
except ImportError:
    raise ImportError(
        'pytest_webtask.bdd needs pytest-bdd: pip install "pytest-webtask[bdd]"'
    ) from None

_SENTENCE = parsers.re("(?P<sentence>.+)")
Table = Sequence[Sequence[str]]


def _passing_to(method: str) -> Callable[..., None]:

    def run(
        request: pytest.FixtureRequest,
        webtask: Webtask,
        sentence: str,
        datatable: Table | None = None,
        docstring: str | None = None,
    ) -> None:
        with _in_scenario(request, webtask):
            getattr(webtask, method)(sentence, data=_data(sentence, datatable, docstring))

    return run


@contextmanager
def _in_scenario(request: pytest.FixtureRequest, webtask: Webtask) -> Iterator[None]:
    """Record and replay the running step as one of its scenario, or of its background."""
    __tracebackhide__ = True
    scenario, step = request.node.stash[BDD_STEP]
    feature = scenario.feature
    shared = feature.background.steps if feature.background else ()
    # A rendered step does not say where it came from.
    in_background = step.line_number in (each.line_number for each in shared)
    name = BACKGROUND if in_background else scenario.name
    try:
        with calling_from(feature_site(Path(feature.filename).resolve(), name), step.line_number):
            yield
    except WebtaskError as error:
        place = f"{feature.rel_filename}:{step.line_number}: {step.keyword.strip()} {step.name}"
        # A value of an example may be a secret.
        scrubbed = webtask.scrub(place)
        error.reword(lambda message: f"{message}\n{scrubbed}")
        raise


def _data(sentence: str, table: Table | None, text: str | None) -> dict[str, str]:
    """Return the values of a step's table by their names, and its text as `text`.

    A table of two columns has the names in its first one, any other in its first row, where a number
    follows the names if there are several rows below it. If only the other reading has the names of
    the sentence, that one counts.
    """
    data = {} if text is None else {"text": text}
    if not table:
        return data
    readings = [_by_row(table)]
    if len(table[0]) == 2:
        readings.insert(0, {row[0]: row[1] for row in table})
    wanted = names_in([sentence])
    return data | max(readings, key=lambda reading: len(wanted & reading.keys()))


def _by_row(table: Table) -> dict[str, str]:
    names, *rows = table
    if len(rows) == 1:
        return dict(zip(names, rows[0], strict=True))
    return {
        f"{name}_{number}": value
        for number, row in enumerate(rows, 1)
        for name, value in zip(names, row, strict=True)
    }


# A `Given` and a `When` are tasks, a `Then` is a claim.
given(_SENTENCE)(when(_SENTENCE)(_passing_to("do")))
then(_SENTENCE)(_passing_to("verify"))

# What the decorators of pytest-bdd have made, for `import *`.
__all__ = [*(name for name in [*globals()] if name.startswith("pytestbdd_"))]
