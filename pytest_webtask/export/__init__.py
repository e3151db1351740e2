"""Turn a test that was run into a plain test that needs only pytest-playwright."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import PurePath
from typing import Any

from pytest_webtask.checks.element import Text
from pytest_webtask.export.statements import Names, StepWriter
from pytest_webtask.journal import PageOpened
from pytest_webtask.journal.runs import StepRecord, TestAttempt
from pytest_webtask.journal.schema import Evidence, StepTrace, ValueSource
from pytest_webtask.page.clock import day_code
from pytest_webtask.page.playwright_code import CodeTexts, comment_lines, string_literal


class _Constants:
    """The constants of an exported test, one for each value and file that its steps used."""

    def __init__(self, names: Names, helpers: set[str]) -> None:
        self._names = names
        self._helpers = helpers
        self._constants: dict[tuple[object, ...], str] = {}
        self.lines: list[str] = []
        """Their definitions."""

    def of(self, values: Mapping[str, Any], *, paths: bool = False) -> Callable[[str], str]:
        """Return a function from a name to its constant: of a value, or of the path of a file.

        Names without a value are secrets.
        """
        return lambda name: self._constant(name, values.get(name), paths=paths)

    def _constant(self, name: str, value: Any, *, paths: bool) -> str:
        key = (name, value, paths)
        if key not in self._constants:
            constant = self._constants[key] = self._names.new(name.upper())
            code = self._path(name, value) if paths else self._value(name, value)
            self.lines.append(f"{constant} = {code}")
        return self._constants[key]

    def _value(self, name: str, value: Any) -> str:
        if code := day_code(name):
            self._helpers.add("date")
            return code
        if value is None:
            self._helpers.add("os")
            variable = re.sub(r"\W+", "_", name).upper()
            return f"os.environ[{string_literal(variable)}]"
        # What a value has in braces is a secret that was masked.
        return CodeTexts("", self.of({}), self._helpers).text(str(value))

    def _path(self, name: str, value: Any) -> str:
        self._helpers.add("Path")
        path = self._value(re.sub(r"\W+", "_", name), value and PurePath(value).as_posix())
        return f"Path({path})"


def export_test(test: str, attempt: TestAttempt) -> str:
    """Return the source of a plain test that repeats what a test did when it was run."""
    # The first step of a page begins before those of fixtures that open it.
    steps = sorted(attempt.steps, key=lambda each: each.started + each.seconds)
    names = Names()
    name = names.new(re.sub(r"\W+", "_", test.partition("[")[0].rpartition("::")[2]))
    opened = {each.webtask: each for each in attempt.events if isinstance(each, PageOpened)}
    writer = StepWriter(str, names, opened)
    constants = _Constants(names, writer.helpers)
    _write_steps(writer, constants, steps)
    return _file(test, name, writer, constants)


def _write_steps(writer: StepWriter, constants: _Constants, steps: list[StepRecord]) -> None:
    for step in steps:
        if step.kind == "goto":
            # goto() fills in no placeholders: braces in its address are secrets that were masked.
            writer.expression = constants.of({})
            if step.status == "completed":
                writer.goto(step.webtask, step.sentence)
        elif step.traced:
            _write_step(writer, constants, step)
        else:
            writer.comment(
                f"left out, as the journal has no actions of it: {step.kind}({step.sentence!r})"
            )


def _write_step(writer: StepWriter, constants: _Constants, step: StepRecord) -> None:
    # Of several traces of a step the last one counts.
    traced = step.traced[-1]
    writer.expression = constants.of(traced.data)
    writer.files = constants.of(traced.resources, paths=True)
    answer = step.status not in ("no", "failed") if step.kind == "holds" else None
    trace = traced.trace.model_copy(update={"webtask": step.webtask})
    writer.step(_with_assertion(trace, step.source), answer, _call_of_selected(step.source))


def _with_assertion(trace: StepTrace, source: str) -> StepTrace:
    """Return an `extract` with evidence of what its line asserts of it, if that is a part of one text."""
    match _statement(source), trace.value, trace.sources:
        case (
            ast.Assert(ast.Compare(_, [ast.Eq()], [ast.Constant(str() | int() as value)])),
            {"take": "text" | "integer", **derived},
            (ValueSource(kind="text") as read,),
        ):
            around = (str(derived.get("before", "")), str(derived.get("after", "")))
            # Other numbers around it are those of the run, and a long one may be written with separators.
            if not re.search(r"\d", " ".join(around)) and (isinstance(value, str) or value < 1000):
                shown = Evidence(check=Text(text=f"{value}".join(around)), target=read.target)
                return trace.model_copy(update={"evidence": (shown,)})
    return trace


def _call_of_selected(source: str) -> str:
    """Return the call of the element that a line selects, as `.click()`, "" for any other line."""
    match _statement(source):
        case ast.Expr(
            ast.Call(ast.Attribute(ast.Call(ast.Attribute(attr="select")), name), given, [])
        ):
            if all(isinstance(each, ast.Constant) for each in given):
                return f".{name}({', '.join(map(ast.unparse, given))})"
    return ""


def _statement(source: str) -> ast.stmt | None:
    with suppress(SyntaxError, ValueError, IndexError):
        return ast.parse(source).body[0]
    return None


def _file(test: str, name: str, writer: StepWriter, constants: _Constants) -> str:
    # What prints a step only needs no templates.
    from jinja2 import Environment, PackageLoader

    loader = PackageLoader("pytest_webtask.export")
    environment = Environment(
        loader=loader, trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True
    )
    return environment.get_template("test.py.jinja").render(
        used={*writer.helpers, *writer.parameters},
        constants=constants.lines,
        comments=comment_lines(test),
        name=name,
        body=writer.lines,
    )
