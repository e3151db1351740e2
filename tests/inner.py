"""Projects of nested runs: a folder, a small site, and a scripted model.

Pages can be changed between two runs, as an application changes between two days.
"""

from __future__ import annotations

import json
import os
import shutil
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar
from unittest import mock
from xml.etree import ElementTree

import pytest

from pytest_webtask import cli, testing
from pytest_webtask.journal import JournalEvent, StepNoted, StepStarted, read, read_file
from pytest_webtask.journal.schema import StepTrace, digest
from pytest_webtask.run.webtask import Webtask
from pytest_webtask.testing import Answer
from pytest_webtask.types.agent import Conclusion, Decision, ProposedToolCall, Turn
from tests import nested
from tests.scripted import AllOf, Check, call, citing, described, rule, the
from tests.site import Site

Plays = Mapping[str, Sequence[Answer]]
Edit = Callable[[list[dict[str, Any]]], object]

ASKED = "asked.txt"
"""The file to which the model of an inner run appends each task that it is asked about."""
RULED = "ruled.txt"
"""The file to which it appends each conclusion that it rules on."""


CONFTEST = """
import pytest
from pytest_webtask import Decision
from tests.scripted import Scripted, call, done

@pytest.fixture
def model():
    return Scripted()

@pytest.fixture
def webtask_model(model):
    return model
"""
"""A conftest whose model a test gives its answers."""


def wait_for(name: Path | str) -> None:
    """Wait until another process has made a file."""
    end = time.monotonic() + 120
    while not Path(name).exists():
        assert time.monotonic() < end
        time.sleep(0.05)


def events(root: Path) -> list[JournalEvent]:
    """All events of the one run below `root`, whichever process wrote them."""
    [run] = (root / ".webtask" / "runs").iterdir()
    return [event for path in sorted(run.glob("*.jsonl")) for event in read_file(path)]


def written(run: Path, test: str) -> str:
    """The lines of a test in the journals of a run, as the files have them."""
    lines = [line for path in run.glob("*.jsonl") for line in path.read_text().split("\n") if line]
    own = [line for line in lines if json.loads(line).get("test") == test]
    assert own
    return "\n".join(own)


def journaled(webtask: Webtask) -> list[JournalEvent]:
    """The events of this test; the lines of others in the run's long journal are not parsed."""
    own = json.dumps(webtask.state.test, ensure_ascii=False)
    with TemporaryDirectory() as folder:
        for path in webtask._runner.journal.folder.glob("*.jsonl"):
            lines = [line for line in path.read_text().split("\n") if own in line]
            (Path(folder) / path.name).write_text("\n".join(lines))
        return [event for event in read(Path(folder)) if event.test == webtask.state.test]


class Player(testing.ScriptedModel):
    """Answers each task from its script: one answer a turn, from the first that the model is asked."""

    def __init__(self, plays: Plays) -> None:
        super().__init__()
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
        at = min(self._at[turn.task], len(answers) - 1)
        self._at[turn.task] += 1
        self.answers = [answers[at]]
        return super().decide(turn)

    def _rule(self, turn: Turn, conclusion: Conclusion) -> Decision:
        """Rule as the script says for `KIND: SENTENCE`, else that it is proved."""
        with Path(RULED).open("a") as file:
            file.write(conclusion.model_dump_json() + "\n")
        answers = self._plays.get(f"{conclusion.kind}: {conclusion.sentence}", [rule(proves=True)])
        self.scripts["referee"] = [*answers]
        return super().decide(turn)


def _calls(turn: Turn) -> list[str]:
    return [f"{c.tool} {'' if c.success else 'failed'}" for i in turn.iterations for c in i.calls]


def act(tool: str, element: str = "", **parameters: Any) -> ProposedToolCall:
    """A call, on the element of that description if one is given; see `described`."""
    return call(tool, described(element) if element else None, **parameters)


def done(*checks: Check, **more: Any) -> ProposedToolCall:
    """The end of a task, with its evidence."""
    return call("mark_done", summary="done", evidence=[*map(citing, checks)], **more)


def confirm(note: str, *checks: Check) -> ProposedToolCall:
    """A checkpoint in the middle of a task."""
    return call("confirm", note=note, evidence=[*map(citing, checks)])


def judge(outcome: str, *checks: Check) -> ProposedToolCall:
    """A verdict, with its evidence."""
    return testing.verdict(outcome, *map(citing, checks))


def holds(*checks: Check) -> ProposedToolCall:
    """The verdict that a claim holds."""
    return judge("holds", *checks)


def value(
    given: Any,
    *sources: str,
    counted: str = "",
    tool: str = "report_value",
    name: str = "value",
    evidence: Sequence[Check] = (),
) -> Answer:
    """A value that is read off elements, or counts all of a role."""

    def play(turn: Turn) -> ProposedToolCall:
        seen = {**turn.observation.elements, **turn.observation.texts}
        ids = [the(turn, each) for each in sources]
        values: dict[str, Any] = {name: given() if callable(given) else given}
        values["read"] = [{"element_id": i, "text": seen[i].name} for i in ids]
        if counted:
            values["counted"] = AllOf(counted)
        if evidence:
            values["evidence"] = [*map(citing, evidence)]
        return call(tool, **values)

    return play


def found(element: str, *checks: Check) -> ProposedToolCall:
    """An element that was selected, with further evidence."""
    return call("report_element", described(element), evidence=[*map(citing, checks)])


def text(element: str, expected: str, **more: Any) -> dict[str, Any]:
    """A check that an element shows a text."""
    return {"kind": "text", "element_id": element, "text": expected, **more}


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

    def notes(self, about: str, test: str = "") -> list[StepNoted]:
        """The notes about steps, of one test."""
        return [event for event in self.events(StepNoted, test) if event.about == about]

    def seconds(self, test: str) -> float:
        """How long the last step of a test took."""
        started = self.events(StepStarted, test)[-1]
        last = [e for e in self.events(JournalEvent, test) if e.step == started.step][-1]
        return last.time - started.time


def with_locator(code: str) -> Edit:
    """An edit of a recording that gives the element of the first step's last call another first locator."""
    return lambda s: s[0]["calls"][-1]["targets"]["element_id"]["locators"].__setitem__(0, code)


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

    def edit(self, function: str, change: Edit, *, approved: bool = True) -> None:
        """Edit a recording by hand, and compute its digests as an approval does."""
        path = self.file(function)
        recording = json.loads(path.read_text())
        change(recording["steps"])
        for step in recording["steps"] if approved else ():
            step["approved"]["digest"] = digest(StepTrace.model_validate(step))
        path.write_text(json.dumps(recording, indent=2, ensure_ascii=False) + "\n")

    def files(self) -> dict[str, tuple[str, int]]:
        """The text and the time of change of all recordings."""
        return {
            path.relative_to(self.root).as_posix(): (path.read_text(), path.stat().st_mtime_ns)
            for path in sorted(self.root.rglob("recordings/**/*.json"))
        }

    def accept(self, run: str) -> None:
        """Accept all proposals of a run."""
        with pytest.MonkeyPatch.context() as patch:
            patch.chdir(self.root)
            assert cli.main(["accept", "--run", run]) == 0

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
            printed=nested.printed(result),
            asked=_lines(asked),
            ruled=_lines(ruled),
            requests=list(self.site.log),
            changed=[name for name, file in self.files().items() if files.get(name) != file],
            folder=folders[-1] if folders else None,
            code=int(result.ret),
        )

    def passes(self, *args: str, ci: str | None = None) -> Run:
        """Run the tests of the project, all of which must pass."""
        # On a busy machine a click may take longer than what is waited for in vain.
        run = self.run("--webtask-timeout=5", *args, ci=ci)
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
        "[pytest]\nwebtask_screenshots = off\nwebtask_model_pictures = off\nwebtask_timeout = 1.5\naddopts = -rA\n",
    )
    inner.write("plays.py", f"{_IMPORTS}\nPLAYS = {{{plays}}}\n")
    inner.write("conftest.py", f"{_CONFTEST}\n{conftest}")
    inner.write("test_it.py", tests)
    try:
        yield inner
    finally:
        site.stop()


def visits(steps: Mapping[str, str], at: str = "") -> str:
    """The code of inner tests by name: each opens the page of its name, or `at`, and takes its step."""
    return "".join(
        f"def test_{name}(webtask):\n    webtask.goto('{at or f'/{name}'}')\n    webtask.{step}\n"
        for name, step in steps.items()
    )


def recorded_project(plays: str, tests: str, pages: Mapping[str, str]) -> tuple[Any, Any]:
    """Fixtures: a project that is recorded once for a module, and a copy of it for each test."""

    @pytest.fixture(scope="module")
    def original(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Project]:
        with project(tmp_path_factory.mktemp("original"), plays, tests) as inner:
            inner.site.pages |= pages
            inner.passes()
            yield inner

    @pytest.fixture
    def recorded(original: Project, tmp_path: Path) -> Project:
        original.site.pages |= pages
        return original.copy(tmp_path)

    return original, recorded


_IMPORTS = "from tests.inner import act, confirm, done, found, holds, judge, rule, text, value"
_CONFTEST = """
import pytest
from plays import PLAYS
from pytest_webtask import Secret
from tests.inner import Player

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
