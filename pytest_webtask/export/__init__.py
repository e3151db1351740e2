"""A test that was run, as a test of its own that needs pytest-playwright and nothing else."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import PurePath
from typing import Any

from pydantic import ValidationError

from pytest_webtask.errors import UsageError
from pytest_webtask.export.locators import WIDTH, comment_lines, format_statement, string_literal
from pytest_webtask.export.statements import HELPERS, Coder, Names, names_of
from pytest_webtask.recordings.maintenance import Attempt
from pytest_webtask.recordings.schema import StepTrace

__all__ = ["export_test"]

_PARAMETERS = {"page": "page: Page", "new_context": "new_context: CreateContextCallback"}


class _Constants:
    """The values that a test used, each with the constant that stands for it."""

    def __init__(self, names: Names) -> None:
        self._names = names
        self._of: dict[tuple[str, str | None], str] = {}
        self._files: dict[tuple[str, str | None], str] = {}

    def of(self, data: Mapping[str, Any]) -> Callable[[str], str | None]:
        """What gives the constant of a placeholder; what has no value in the data is a secret."""

        def constant(name: str) -> str:
            value = None if data.get(name) is None else str(data[name])
            return self._kept(self._of, name, value)

        return constant

    def files(self, resources: Mapping[str, Any]) -> Callable[[str], str]:
        """What gives the constant of a resource's path."""

        def constant(name: str) -> str:
            path = resources.get(name)
            return self._kept(self._files, name, None if path is None else str(path))

        return constant

    def _kept(self, kept: dict[tuple[str, str | None], str], name: str, value: str | None) -> str:
        if (name, value) not in kept:
            kept[name, value] = self._names.new(name.upper())
        return kept[name, value]

    def lines(self) -> list[str]:
        """Their definitions."""
        lines = []
        for (name, value), constant in self._of.items():
            # The same secret may have got a number behind its name.
            said = f'os.environ["{name.upper()}"]' if value is None else string_literal(value)
            lines += format_statement(f"{constant} = {said}", 0)
        for (name, value), constant in self._files.items():
            if value is None:
                lines += comment_lines(f'The path of the resource "{name}".', 0)
                lines += format_statement(f'{constant} = Path(os.environ["{constant}"])', 0)
            else:
                path = string_literal(PurePath(value).as_posix())
                lines += format_statement(f"{constant} = Path({path})", 0)
        return lines

    @property
    def needs(self) -> set[str]:
        """What they import."""
        unknown = any(value is None for _, value in (*self._of, *self._files))
        return {*(["os"] if unknown else []), *(["Path"] if self._files else [])}


def export_test(
    test: str,
    attempt: Attempt,
    states: Mapping[str, str] | None = None,
    others: Mapping[str, Attempt] | None = None,
) -> str:
    """The text of a file with a plain test that does what a test did when it was run.

    `states` names, by webtask, the one with whose cookies its page began, such as one that
    logged in once for many tests; its steps are looked for in the `others` of the run. Raises
    UsageError.
    """
    states = dict(states or {})
    for line in attempt.lines:
        if line["kind"] == "page" and line.get("state_of"):
            states.setdefault(_webtask(line), str(line["state_of"]))
    lines = [*_before(attempt, states, others or {}), *attempt.lines]
    names = Names()
    name = names.new(re.sub(r"\W+", "_", test.rpartition("::")[2].partition("[")[0]))
    constants = _Constants(names)
    # A step that was told twice was so the second time.
    last = {_place(line): line for line in lines if line["kind"] == "made"}
    told = [e for e in lines if e["kind"] != "made" or e is last[_place(e)]]
    steps = [(line, _made(line)) for line in told]
    secrets = {
        n
        for line, made in steps
        for n in (names_of(made) if made else ())
        if _given(line, "data").get(n) is None
    }
    ends = {_place(line): line.get("status") for line, _ in steps if line["kind"] == "step_end"}
    coder = Coder(constants.of({}), names)
    coder.states = states
    for line, made in steps:
        if line["kind"] == "step" and line.get("step_kind") == "goto":
            # An address is not filled in; a secret in it was hidden in the journal.
            secret = constants.of({})
            coder.expression = partial(_only, secrets, secret)
            if ends.get(_place(line)) == "completed":
                coder.goto(_webtask(line), str(line.get("sentence")))
        elif line["kind"] == "made" and made is None:
            coder.say(f"a step that cannot be read: {line.get('file') or 'damaged in the journal'}")
        elif made is not None:
            coder.expression = constants.of(_given(line, "data"))
            coder.files = constants.files(_given(line, "resources"))
            answer = (
                None if made.kind != "holds" else ends.get(_place(line)) not in ("no", "failed")
            )
            coder.step(made.model_copy(update={"webtask": _webtask(line)}), answer)
    return _file(test, name, coder, constants)


def _before(
    attempt: Attempt, states: Mapping[str, str], others: Mapping[str, Attempt]
) -> list[dict[str, Any]]:
    """The steps of webtasks whose cookies were used, where another test of the run has them."""
    used = {_webtask(line) for line in attempt.lines if line["kind"] in ("step", "made")}
    before: list[dict[str, Any]] = []
    for name in dict.fromkeys(state for webtask, state in states.items() if webtask in used):
        if name in used:
            continue
        for other in others.values():
            found = [e for e in other.lines if "step" in e and _webtask(e) == name]
            if found:
                before += found
                break
        else:
            known = {_webtask(e) for o in others.values() for e in o.lines} - {""}
            listed = ", ".join(map(repr, sorted(known))) or "none"
            raise UsageError(f"no webtask {name!r} has done a step in this run; known are {listed}")
    return before


def _only(names: set[str], code: Callable[[str], str | None], name: str) -> str | None:
    return code(name) if name in names else None


def _file(test: str, name: str, coder: Coder, constants: _Constants) -> str:
    needs = coder.helpers | constants.needs
    if "page" in coder.parameters or "tab" in needs:
        needs.add("Page")
    imports = [f"import {module}" for module in ("os", "re") if module in needs]
    imports += ["from pathlib import Path"] if "Path" in needs else []
    theirs = [each for each in ("Page", "expect") if each in needs]
    others = [f"from playwright.sync_api import {', '.join(theirs)}"] if theirs else []
    if "new_context" in coder.parameters:
        others.append("from pytest_playwright import CreateContextCallback")
    top = ["\n".join(part) for part in (imports, others, constants.lines()) if part]
    parts = ["\n\n".join(top)] if top else []
    parts += [HELPERS[each].rstrip() for each in sorted(HELPERS) if each in needs]
    said = [
        '    """Its steps in a run of pytest-webtask, without what the test did between them.',
        "",
    ]
    said += [f"    {string_literal(test)[1:-1]}", '    """']
    body = [*said, *(line or "" for line in coder.lines)] if coder.lines else [*said, "    pass"]
    parts.append("\n".join([*_head(name, coder.parameters), *body]))
    return "\n\n\n".join(parts) + "\n"


def _head(name: str, parameters: set[str]) -> list[str]:
    given = [code for each, code in _PARAMETERS.items() if each in parameters]
    line = f"def {name}({', '.join(given)}) -> None:"
    if len(line) <= WIDTH or not given:
        return [line]
    return [f"def {name}(", f"    {', '.join(given)}", ") -> None:"]


def _made(line: Mapping[str, Any]) -> StepTrace | None:
    if line["kind"] != "made":
        return None
    try:
        return StepTrace.model_validate(line.get("made"))
    except ValidationError:
        return None


def _given(line: Mapping[str, Any], what: str) -> Mapping[str, Any]:
    given = line.get(what)
    return given if isinstance(given, dict) else {}


def _webtask(line: Mapping[str, Any]) -> str:
    return str(line.get("webtask") or "")


def _place(line: Mapping[str, Any]) -> tuple[str, Any]:
    return _webtask(line), line.get("step")
