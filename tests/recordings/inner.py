"""Projects whose inner runs record and replay: a folder, a small site, and a model that plays from a script.

Pages can be changed between two runs, as an application changes between two days.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar
from unittest import mock
from xml.etree import ElementTree

from pytest_webtask.journal import JournalEvent, read
from pytest_webtask.types.agent import Conclusion, Decision, Element, ProposedToolCall, Turn, Usage
from tests import nested
from tests.site import Site

Play = Callable[[Turn], ProposedToolCall]
Plays = Mapping[str, Sequence[Play | Sequence[Play]]]

ASKED = "asked.txt"
"""The file to which the model of an inner run appends each task that it is asked about."""
RULED = "ruled.txt"
"""The file to which it appends each conclusion that it rules on."""


class Player:
    """Answers each task from its script: one answer a turn, from the first that the model is asked."""

    def __init__(self, plays: Plays) -> None:
        self._plays = plays
        self._at: dict[str, int] = {}

    def decide(self, turn: Turn) -> Decision:
        if turn.conclusion is not None:
            return self._rule(turn, turn.conclusion)
        with Path(ASKED).open("a") as file:
            request = {"task": turn.task, "notices": list(turn.notices), "before": _calls(turn)}
            file.write(json.dumps(request) + "\n")
        answers = self._plays[turn.task]
        if not [i for i in turn.iterations if i.model != "recording"]:
            self._at[turn.task] = 0
        answer = answers[min(self._at[turn.task], len(answers) - 1)]
        self._at[turn.task] += 1
        assert turn.observation.outline is not None
        calls = [answer] if callable(answer) else answer
        return Decision([each(turn) for each in calls], usage=Usage(model_calls=1))

    def _rule(self, turn: Turn, conclusion: Conclusion) -> Decision:
        """Rule as the script says for `KIND: SENTENCE`, else that it is proved."""
        with Path(RULED).open("a") as file:
            file.write(conclusion.model_dump_json() + "\n")
        [answer] = self._plays.get(f"{conclusion.kind}: {conclusion.sentence}", [rule(proves=True)])
        assert callable(answer)
        return Decision([answer(turn)], usage=Usage(model_calls=1))


def rule(*, proves: bool, missing: str = "", **more: Any) -> Play:
    """A ruling."""
    given = {"counterexample": "", "proves": proves, "missing": missing, **more}
    return lambda turn: ProposedToolCall("rule", given)


def _calls(turn: Turn) -> list[str]:
    return [f"{c.tool} {'' if c.success else 'failed'}" for i in turn.iterations for c in i.calls]


def act(tool: str, element: str = "", **parameters: Any) -> Play:
    """A call, on the element of that description if one is given; see `the`."""

    def play(turn: Turn) -> ProposedToolCall:
        given = {"element_id": the(turn, element)} if element else {}
        return ProposedToolCall(tool, {**given, **parameters}, "scripted")

    return play


def done(*checks: Mapping[str, Any], **more: Any) -> Play:
    """The end of a task, with its evidence."""

    def play(turn: Turn) -> ProposedToolCall:
        given = {"summary": "done", "evidence": [_cited(turn, each) for each in checks], **more}
        return ProposedToolCall("mark_done", given, "scripted")

    return play


def confirm(note: str, *checks: Mapping[str, Any]) -> Play:
    """A checkpoint in the middle of a task."""

    def play(turn: Turn) -> ProposedToolCall:
        given = {"note": note, "evidence": [_cited(turn, each) for each in checks]}
        return ProposedToolCall("confirm", given, "scripted")

    return play


def judge(outcome: str, *checks: Mapping[str, Any]) -> Play:
    """A verdict, with its evidence."""

    def play(turn: Turn) -> ProposedToolCall:
        given = {
            "outcome": outcome,
            "evidence": [_cited(turn, each) for each in checks],
        }
        return ProposedToolCall("report_verdict", given, "as shown")

    return play


def holds(*checks: Mapping[str, Any]) -> Play:
    """The verdict that a claim holds."""
    return judge("holds", *checks)


def value(
    given: Any,
    *sources: str,
    counted: str = "",
    tool: str = "report_value",
    name: str = "value",
    evidence: Sequence[Mapping[str, Any]] = (),
) -> Play:
    """A value that is read off elements, or counts all of a role."""

    def play(turn: Turn) -> ProposedToolCall:
        seen = {e.id: e for e in _seen(turn)}
        ids = [the(turn, each) for each in sources]
        values: dict[str, Any] = {name: given() if callable(given) else given}
        values["read"] = [{"element_id": i, "text": seen[i].name} for i in ids]
        if counted:
            values["counted"] = [e.id for e in seen.values() if e.role == counted]
        if evidence:
            values["evidence"] = [_cited(turn, each) for each in evidence]
        return ProposedToolCall(tool, values, "as shown")

    return play


def found(element: str, *checks: Mapping[str, Any]) -> Play:
    """An element that was selected, with further evidence."""

    def play(turn: Turn) -> ProposedToolCall:
        given = {"element_id": the(turn, element), "evidence": [_cited(turn, c) for c in checks]}
        return ProposedToolCall("report_element", given, "that one")

    return play


def text(element: str, expected: str, **more: Any) -> dict[str, Any]:
    """A check that an element shows a text."""
    return {"kind": "text", "element_id": element, "text": expected, **more}


def the(turn: Turn, wanted: str) -> str:
    """The id of an element by its role and name: "button:Save", "button:Delete@Milk" in its row, ":Save" of any role."""
    role, _, name = wanted.partition(":")
    name, _, key = name.partition("@")
    named = [e for e in _seen(turn) if e.role in (role, role or e.role)]
    named = [e for e in named if name in e.name and key in e.key]
    found = [e.id for e in named if e.name == name] or [e.id for e in named]
    assert len(found) == 1, f"{wanted!r} is {found} in\n{turn.observation.outline}"
    return found[0]


def _seen(turn: Turn) -> list[Element]:
    return [*turn.observation.elements.values(), *turn.observation.texts.values()]


def _cited(turn: Turn, check: Mapping[str, Any]) -> dict[str, Any]:
    cited_check = dict(check)
    for name in ("element_id", "other_id", "within"):
        if cited_check.get(name):
            cited_check[name] = the(turn, cited_check[name])
    if "element_ids" in cited_check:
        cited_check["element_ids"] = [the(turn, each) for each in cited_check["element_ids"]]
    if role := cited_check.pop("all_of", ""):
        cited_check["element_ids"] = [e.id for e in _seen(turn) if e.role == role]
    return cited_check


_Event = TypeVar("_Event", bound=JournalEvent)


@dataclass(frozen=True)
class Case:
    """How one inner test ended: `outcome` as pytest calls it, what it said, its properties."""

    outcome: str
    message: str = ""
    properties: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Run:
    """An inner run: its tests by name, what it printed, what its model was asked.

    `ruled` are the conclusions that it was to rule on, `changed` the recordings that it has written, `requests` what the site was asked for.
    """

    tests: Mapping[str, Case]
    printed: str
    ruled: Sequence[Mapping[str, Any]]
    asked: Sequence[Mapping[str, Any]]
    requests: Sequence[str]
    changed: Sequence[str]
    folder: Path | None
    code: int

    @property
    def outcomes(self) -> dict[str, str]:
        return {name: case.outcome for name, case in self.tests.items()}

    @property
    def tasks(self) -> list[str]:
        """The tasks about which the model was asked, each as often as it was."""
        return [str(each["task"]) for each in self.asked]

    @property
    def journal(self) -> list[JournalEvent]:
        return list(read(self.folder)) if self.folder else []

    def events(self, kind: type[_Event], test: str = "") -> list[_Event]:
        """The events of a kind in the journal, of one test."""
        return [
            event
            for event in self.journal
            if isinstance(event, kind) and f"::{test}" in (event.test or "::")
        ]


@dataclass
class Project:
    """A project of inner tests in a folder of its own."""

    root: Path
    site: Site

    def copy(self, root: Path) -> Project:
        """Return a copy of the project in another folder, for a test that changes it."""
        shutil.copytree(self.root, root, dirs_exist_ok=True)
        return Project(root, self.site)

    def write(self, name: str, text: str) -> Path:
        """Write a file of the project."""
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def file(self, function: str, module: str = "test_it") -> Path:
        """The file of a function's recording."""
        return self.root / "recordings" / module / f"{function}.json"

    def steps(self, function: str, module: str = "test_it") -> list[dict[str, Any]]:
        """The recorded steps of a function."""
        steps: list[dict[str, Any]] = json.loads(self.file(function, module).read_text())["steps"]
        return steps

    def edit(self, function: str, change: Callable[[list[dict[str, Any]]], object]) -> None:
        """Edit a recording by hand."""
        path = self.file(function)
        recording = json.loads(path.read_text())
        change(recording["steps"])
        path.write_text(json.dumps(recording, indent=2, ensure_ascii=False) + "\n")

    def files(self) -> dict[str, tuple[str, int]]:
        """The text and the time of change of all recordings."""
        return {
            path.relative_to(self.root).as_posix(): (path.read_text(), path.stat().st_mtime_ns)
            for path in sorted(self.root.rglob("recordings/**/*.json"))
        }

    def accept(self, run: str) -> None:
        """Accept all proposals of a run."""
        command = [sys.executable, "-m", "pytest_webtask.cli", "accept", run]
        subprocess.run(command, cwd=self.root, check=True, capture_output=True)

    def run(self, *args: str, ci: str | None = None, own_process: bool = False) -> Run:
        """Run the tests of the project."""
        runs = self.root / ".webtask" / "runs"
        files = self.files()
        before = set(runs.iterdir()) if runs.is_dir() else set()
        asked, ruled = self.root / ASKED, self.root / RULED
        report = self.root / "report.xml"
        for path in (asked, ruled, report):
            path.unlink(missing_ok=True)
        self.site.log.clear()
        command = [f"--base-url={self.site.url}", f"--junitxml={report}", *args]
        with mock.patch.dict(os.environ, {} if ci is None else {"CI": ci}):
            if ci is None:
                for name in ("CI", "BUILD_NUMBER"):
                    os.environ.pop(name, None)
            result = nested.run(self.root, *command, own_process=own_process)
        folders = sorted(set(runs.iterdir()) - before) if runs.is_dir() else []
        return Run(
            tests=dict(_cases(report)),
            printed=nested.output(result),
            asked=_lines(asked),
            ruled=_lines(ruled),
            requests=list(self.site.log),
            changed=[name for name, file in self.files().items() if files.get(name) != file],
            folder=folders[-1] if folders else None,
            code=int(result.ret),
        )

    def passes(self, *args: str, ci: str | None = None) -> Run:
        """Run the tests of the project, all of which must pass."""
        run = self.run(*args, ci=ci)
        assert set(run.outcomes.values()) == {"passed"}, run.printed
        return run

    def replays(self, *args: str) -> Run:
        """Run the tests of the project in CI, where all must pass without a model."""
        run = self.passes(*args, ci="true")
        assert not run.asked, run.printed
        return run


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(x) for x in path.read_text().splitlines()] if path.exists() else []


@contextmanager
def project(root: Path, plays: str, tests: str, conftest: str = "") -> Iterator[Project]:
    """A project with a model that plays `plays`, the code of a dict, and tests in `test_it.py`."""
    site = Site()
    inner = Project(root, site)
    inner.write(
        "pytest.ini",
        "[pytest]\nwebtask_screenshots = off\nwebtask_timeout = 0.8\naddopts = -rA\n",
    )
    inner.write("plays.py", f"{_IMPORTS}\nPLAYS = {{{plays}}}\n")
    inner.write("conftest.py", f"{_CONFTEST}\n{conftest}")
    inner.write("test_it.py", tests)
    try:
        yield inner
    finally:
        site.stop()


_IMPORTS = (
    "from tests.recordings.inner import act, confirm, done, found, holds, judge, rule, text, value"
)
_CONFTEST = """
import pytest
from plays import PLAYS
from pytest_webtask import Secret
from tests.recordings.inner import Player

@pytest.fixture
def webtask_model():
    return Player(PLAYS)
"""


def _cases(report: Path) -> Iterator[tuple[str, Case]]:
    if not report.is_file():
        return
    found: dict[str, Case] = {}
    for case in ElementTree.parse(report).iter("testcase"):
        name = str(case.get("name")).replace("[chromium]", "").replace("-chromium]", "]")
        outcome, message = "passed", ""
        for tag, called in (("skipped", "skipped"), ("error", "error"), ("failure", "failed")):
            for each in case.iter(tag):
                outcome = called
                message += f"{each.get('message')}\n{each.text}\n"
        properties = {str(p.get("name")): str(p.get("value")) for p in case.iter("property")}
        if name in found and found[name].outcome != "passed":
            # A test that failed, and whose teardown failed too, is reported twice.
            outcome, message = found[name].outcome, found[name].message + message
        found[name] = Case(outcome, message, properties)
    yield from found.items()
