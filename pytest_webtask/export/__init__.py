"""Turn a test that was run into a plain test that needs only pytest-playwright."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import PurePath
from typing import Any

from pytest_webtask.errors import UsageError
from pytest_webtask.export.statements import HELPERS, Names, StepWriter, placeholder_names
from pytest_webtask.journal import StepTraced
from pytest_webtask.journal.runs import StepRecord, TestAttempt
from pytest_webtask.page.clock import day_code, names_day
from pytest_webtask.page.playwright_code import comment_lines, string_literal

_PARAMETERS = {"page": "page: Page", "new_context": "new_context: CreateContextCallback"}
_IMPORTS = {
    "os": "import os",
    "re": "import re",
    "date": "from datetime import date, timedelta",
    "Path": "from pathlib import Path",
}


class _Constants:
    """The constants of an exported test, one for each value that its steps used."""

    def __init__(self, names: Names) -> None:
        self._names = names
        self._values: dict[tuple[str, str | None], str] = {}
        self._files: dict[tuple[str, str | None], str] = {}

    def of_data(self, data: Mapping[str, Any]) -> Callable[[str], str]:
        """Return a function from a placeholder to its constant; names without a value are secrets."""
        return partial(self._constant, self._values, data)

    def of_files(self, resources: Mapping[str, Any]) -> Callable[[str], str]:
        """Return a function from the name of a resource to the constant of its path."""
        return partial(self._constant, self._files, resources)

    def _constant(
        self, constants: dict[tuple[str, str | None], str], values: Mapping[str, Any], name: str
    ) -> str:
        value = None if values.get(name) is None else str(values[name])
        if (name, value) not in constants:
            constants[name, value] = self._names.new(name.upper())
        return constants[name, value]

    def lines(self) -> Iterator[str]:
        """Yield the definitions."""
        for (name, value), constant in self._values.items():
            # The constant of a secret may have a number appended; the variable never has.
            code = f'os.environ["{name.upper()}"]' if value is None else string_literal(value)
            if names_day(name):
                code = day_code(name)
            yield f"{constant} = {code}"
        for (name, value), constant in self._files.items():
            if value is None:
                yield from comment_lines(f'The path of the resource "{name}".')
                yield f'{constant} = Path(os.environ["{constant}"])'
            else:
                yield f"{constant} = Path({string_literal(PurePath(value).as_posix())})"

    @property
    def imports(self) -> set[str]:
        """What the definitions import."""
        unknown = any(value is None for _, value in (*self._values, *self._files))
        days = any(names_day(name) for name, _ in self._values)
        needed = {"os": unknown, "Path": self._files, "date": days}
        return {name for name, is_needed in needed.items() if is_needed}


def export_test(
    test: str,
    attempt: TestAttempt,
    states: Mapping[str, str],
    others: Mapping[str, TestAttempt],
) -> str:
    """Return the source of a plain test that repeats what a test did when it was run.

    `states` maps a webtask to the webtask whose cookies its page started with, such as one that logs in
    once for many tests; the steps of those are taken from the `others` of the run. Raises UsageError.
    """
    steps = [*_by_end(_steps_before(attempt, states, others)), *_by_end(attempt.steps)]
    names = Names()
    name = names.new(re.sub(r"\W+", "_", test.rpartition("::")[2].partition("[")[0]))
    constants = _Constants(names)
    writer = StepWriter(constants.of_data({}), names)
    writer.states = states
    _write_steps(writer, constants, steps)
    return _file(test, name, writer, constants)


def _write_steps(writer: StepWriter, constants: _Constants, steps: list[StepRecord]) -> None:
    # Of several traces of a step the last one counts.
    traces = [step.traced[-1] for step in steps if step.traced]
    secrets = {
        name
        for traced in traces
        for name in (placeholder_names(traced.trace) if traced.trace else ())
        if name not in traced.data
    }
    constant = constants.of_data({})
    for step in steps:
        if step.kind == "goto":
            # goto() fills in no placeholders: braces in its address are secrets that were masked.
            writer.expression = lambda name: constant(name) if name in secrets else None
            if step.status == "completed":
                writer.goto(step.webtask, step.sentence)
        elif step.traced:
            _write_step(writer, constants, step, step.traced[-1])
        else:
            writer.comment(
                f"left out, as the journal has no actions of it: {step.kind}({step.sentence!r})"
            )


def _by_end(steps: list[StepRecord]) -> list[StepRecord]:
    """Return steps in the order of their ends: the first of a page begins before those of fixtures that open it."""
    return sorted(steps, key=lambda each: each.started + each.seconds)


def _write_step(
    writer: StepWriter, constants: _Constants, step: StepRecord, traced: StepTraced
) -> None:
    if traced.trace is None:
        writer.comment(f"a step that cannot be read: {traced.file}")
        return
    writer.expression = constants.of_data(traced.data)
    writer.files = constants.of_files(traced.resources)
    answer = step.status not in ("no", "failed") if step.kind == "holds" else None
    writer.step(traced.trace.model_copy(update={"webtask": step.webtask}), answer)


def _steps_before(
    attempt: TestAttempt, states: Mapping[str, str], others: Mapping[str, TestAttempt]
) -> list[StepRecord]:
    """Return the steps of webtasks whose cookies were used but which ran in another test."""
    used = {step.webtask for step in attempt.steps}
    by_user: dict[str, list[StepRecord]] = {}
    for other in others.values():
        for name in dict.fromkeys(step.webtask for step in other.steps):
            by_user.setdefault(name, [step for step in other.steps if step.webtask == name])
    before: list[StepRecord] = []
    for name in dict.fromkeys(state for webtask, state in states.items() if webtask in used):
        if name not in used | by_user.keys():
            listed = ", ".join(map(repr, sorted(by_user.keys() - {""}))) or "none"
            raise UsageError(
                f"--state: no user {name!r} has run a step in this run; name one of its users: {listed}"
            )
        if name not in used:
            before += by_user[name]
    return before


def _file(test: str, name: str, writer: StepWriter, constants: _Constants) -> str:
    used = writer.helpers | constants.imports
    if "page" in writer.parameters or "tab" in used:
        used.add("Page")
    imports = [code for each, code in _IMPORTS.items() if each in used]
    names = [each for each in ("Page", "expect") if each in used]
    third_party = [f"from playwright.sync_api import {', '.join(names)}"] if names else []
    if "new_context" in writer.parameters:
        third_party.append("from pytest_playwright import CreateContextCallback")
    blocks = ["\n".join(part) for part in (imports, third_party, [*constants.lines()]) if part]
    parts = ["\n\n".join(blocks)] if blocks else []
    parts += [HELPERS[each].rstrip() for each in sorted(HELPERS) if each in used]
    parameters = ", ".join(code for each, code in _PARAMETERS.items() if each in writer.parameters)
    lines = [
        f"def {name}({parameters}) -> None:",
        '    """Repeat the steps of a pytest-webtask run, without the test code between them.',
        "",
        f"    {string_literal(test)[1:-1]}",
        '    """',
        *(writer.lines or ["    pass"]),
    ]
    return "\n\n\n".join([*parts, "\n".join(lines)]) + "\n"
