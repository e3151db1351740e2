"""The schema of `report.json`, and the wording of values in reports."""

from __future__ import annotations

import datetime
import json
import os
import re
import shutil
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import quote

from pydantic import BaseModel, Field, ValidationError

from pytest_webtask.checks.base import CheckResult, Fact
from pytest_webtask.data.phrases import counted
from pytest_webtask.journal import Artifact
from pytest_webtask.journal.runs import EarlierPicture, IterationRecord, StepRecord, TestAttempt
from pytest_webtask.tools.memory import describe_targets
from pytest_webtask.tools.navigation import find_tool
from pytest_webtask.types.agent import Cause, Conclusion, ToolCall, Usage
from pytest_webtask.types.page import Picture, Seen, Spot, mapped

_T = TypeVar("_T")
VERSION = 2
MADE_BY = "pytest-webtask"


class Test(BaseModel):
    """A test with all its attempts."""

    __test__ = False

    id: str
    page: str = ""
    """Its page in the report."""
    wrong: str = ""
    """The first problem of its last failed attempt, in a line."""
    cause: Cause | None = None
    """Why that attempt failed, in one word and with the grounds."""
    outcome: str = "never ended"
    """The outcome of its last attempt, or `flaky` if that passed after a failed one."""
    started: float = 0.0
    seconds: float = 0.0
    usage: Usage = Usage()
    decided: dict[str, int] = Field(default_factory=dict)
    """The number of steps by decider."""
    healed: int = 0
    deviated: int = 0
    """The number of steps that were done otherwise than written."""
    with_page_errors: int = 0
    """The number of steps that passed although the application failed meanwhile."""
    attempts: list[TestAttempt] = Field(default_factory=list)
    second_run: TestAttempt | None = None
    """The run that confirmed what the last attempt has recorded, or did not."""


class Report(BaseModel):
    """A whole report.

    `outcomes` and `causes` count the tests, `decided` and `statuses` the steps of all attempts.
    """

    made_by: str = MADE_BY
    version: int = VERSION
    runs: list[str] = Field(default_factory=list)
    environment: dict[str, Counter[str]] = Field(default_factory=dict)
    """The commits of the processes, and the browsers and base URLs of the attempts, each with its number."""
    started: float = 0.0
    seconds: float = 0.0
    outcomes: Counter[str] = Field(default_factory=Counter)
    causes: Counter[str] = Field(default_factory=Counter)
    decided: Counter[str] = Field(default_factory=Counter)
    statuses: Counter[str] = Field(default_factory=Counter)
    steps: int = 0
    usage: Usage = Usage()
    damaged: int = 0
    tests: list[Test] = Field(default_factory=list)


def judged_facts(conclusion: Conclusion) -> list[tuple[Fact, dict[str, Any]]]:
    """Return the facts that a referee judged, each with all that it was given of it."""
    facts = []
    for payload in conclusion.facts:
        known = {k: v for k, v in payload.items() if k in Fact.model_fields}
        with suppress(ValidationError):
            facts.append((Fact.model_validate(known), payload))
    return facts


def as_outcome(outcome: str) -> str:
    """Return the outcome of a claim in words."""
    return {
        "holds": "it holds",
        "does_not_hold": "it does not hold",
        "cannot_tell": "it is undecided",
    }.get(outcome, outcome)


def conclusion_outcome(conclusion: Conclusion) -> str:
    """Return the outcome of a conclusion in words."""
    return {
        "claim": as_outcome(conclusion.outcome),
        "value": f"the value is {json.dumps(conclusion.value, ensure_ascii=False)}",
        "element": "this is the element",
        "task": "the task is done",
    }[conclusion.kind]


def named(kind: str, name: str) -> str:
    """Return what an element or a container is, with its name in quotation marks if it has one."""
    return " ".join(filter(None, (kind, name and f'"{name}"')))


RANKS = ("failed", "error", "never ended", "flaky", "xpassed", "passed", "xfailed", "skipped")
BAD = frozenset(["failed", "error", "never ended", "xfailed"])
"""Outcomes of an attempt with a problem."""
_SPOKEN = frozenset(["goal", "key", "options", "resources", "subtask", "subtasks", "text", "url"])
"""Parameters whose names say nothing beside their values."""
_LONGEST_SENTENCE = 80
"""The most characters of a sentence in a one-line problem."""
_ANNOUNCED = 6
"""The most lines that follow one with a colon at its end in a one-line problem."""
_LONG = 100
"""The length from which a list is abbreviated."""
_ABSOLUTE = re.compile(r"$|/|[A-Za-z][A-Za-z0-9+.-]*:")


@dataclass(frozen=True)
class Wrong:
    """The first problem of an attempt: in a step, or outside of all steps if `step` is None.

    `at` is the step's index in the attempt. `head` names the place and `line` the problem. `others` are
    the further steps that failed the test, with their indices.
    """

    attempt: TestAttempt
    step: StepRecord | None
    at: int
    head: str
    line: str
    others: tuple[tuple[int, StepRecord], ...] = ()

    @property
    def steps(self) -> list[tuple[int, StepRecord]]:
        """All steps that failed the test, with their indices."""
        return [(self.at, self.step), *self.others] if self.step else []


def first_wrong(test: Test) -> Wrong | None:
    """Return the first problem of the last attempt that has one, or None."""
    return next(filter(None, map(wrong_in, reversed(test.attempts))), None)


def wrong_in(attempt: TestAttempt) -> Wrong | None:
    """Return the first problem of an attempt, or None."""
    if attempt.outcome not in BAD:
        return None
    if attempt.outcome == "never ended":
        at, step = _first(attempt, lambda step: step.status == "broken off")
        return Wrong(attempt, step, at, _never_ended(attempt, step), "")
    at, step = _first(attempt, lambda step: (step.webtask, step.number) in attempt.blamed)
    if step is None and attempt.steps and attempt.steps[-1].status == "no":
        # `assert webtask.holds(...)` raises an error of the test's own.
        at, step = len(attempt.steps) - 1, attempt.steps[-1]
    if step is None:
        head = "in set-up or teardown" if attempt.outcome == "error" else "in the test itself"
        line = first_line(attempt.raised or attempt.message)
        return Wrong(attempt, None, -1, head, line)
    sentence = " ".join(step.sentence.split())
    short = sentence if len(sentence) <= _LONGEST_SENTENCE else f"{sentence[:_LONGEST_SENTENCE]}…"
    others = tuple(
        (n, each)
        for n, each in enumerate(attempt.steps)
        if n > at and (each.webtask, each.number) in attempt.blamed
    )
    head = f"{_which(step)}, {step.status}: {step.kind} {short}"
    more = f"{counted(len(others), 'more step')} failed" if others else ""
    return Wrong(attempt, step, at, head, joined(_why(step), more), others)


def _first(
    attempt: TestAttempt, is_wrong: Callable[[StepRecord], bool]
) -> tuple[int, StepRecord | None]:
    wrong = ((at, step) for at, step in enumerate(attempt.steps) if is_wrong(step))
    return next(wrong, (-1, None))


def _which(step: StepRecord) -> str:
    return f"step {step.number}" + (f" of {step.webtask}" if step.webtask else "")


def _never_ended(attempt: TestAttempt, step: StepRecord | None) -> str:
    if step is not None:
        where = f"in {_which(step)}"
    elif attempt.steps:
        where = f"after {_which(attempt.steps[-1])}"
    else:
        where = "before its first step"
    return f"never ended: the process was killed {where}"


def _why(step: StepRecord) -> str:
    line, missed = first_line(step.reason or step.error), ""
    unheld = next((check for check in step.evidence if not check.holds), None)
    if unheld is not None and reason_beside_checks(step) == step.reason:
        missed = missed_expectation(unheld)
    return joined(line, missed) or step.sentence


def joined(*parts: str) -> str:
    """Return the parts of a problem in a line."""
    return " – ".join(filter(None, parts))


def reason_beside_checks(step: StepRecord) -> str:
    """Return the reason of a step, "" for a replay with missed checks, which its reason only repeats."""
    missed = any(not check.holds for check in step.evidence)
    if missed and step.decided in ("replayed", "healed"):
        return ""
    return step.reason


def missed_expectation(check: CheckResult) -> str:
    """Return the expected and actual result of a failed check in one line."""
    actual = f", found {check.actual}" if check.actual else ""
    return f"{check.about}: expected {check.expected}{actual}"


def first_line(message: str) -> str:
    """Return the first nonempty line; what it announces with a colon belongs to it."""
    first, *rest = [*filter(None, map(str.strip, message.splitlines())), ""]
    if first.endswith(":"):
        return f"{first} {'; '.join(rest[:_ANNOUNCED])}".strip("; ")
    return first


def in_seconds(seconds: float) -> str:
    """Return a duration in words."""
    if seconds < 10:
        return f"{max(seconds, 0.0):.2f} s"
    if seconds < 59.95:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    if minutes < 60:
        return f"{minutes} min {rest:02} s"
    return f"{minutes // 60} h {minutes % 60:02} min"


def in_dollars(usage: Usage) -> str:
    """Return a cost in dollars, or a dash if no model was called."""
    if not usage.model_calls:
        return "–"
    if usage.cost is None:
        return "not known"
    small = 0 < usage.cost < 0.995
    return f"${usage.cost:.4f}" if small else f"${usage.cost:,.2f}"


def at_time(started: float) -> str:
    """Return a date and time in UTC, or "" if it is unknown."""
    if not 0 < started < 1e11:
        return ""
    moment = datetime.datetime.fromtimestamp(started, datetime.timezone.utc)
    return f"{moment:%Y-%m-%d %H:%M} UTC"


def as_words(call: ToolCall) -> str:
    """Return a call in words, such as `fill textbox "Name": "Ann"`."""
    if call.evidence:
        return f"checkpoint: {call.parameters.get('note') or 'without a note'}"
    arguments = {
        key: value
        for key, value in _arguments(call).items()
        if not key.endswith("element_id") and value is not None
    }
    tool = find_tool(call.tool)
    verb = tool.verb(arguments) if tool and tool.verb else call.tool
    elements = describe_targets(call.targets)
    words = " ".join([verb.replace("_", " "), elements or element_of(call)]).strip()
    values = [
        _quoted(value) if key in _SPOKEN else f"{key.replace('_', ' ')} {_quoted(value)}"
        for key, value in arguments.items()
    ]
    between = ": " if elements or element_of(call) else " "
    if not values:
        return words
    return between.join([words, ", ".join(values)])


def as_json(value: Any) -> str:
    """Return data as indented JSON."""
    return json.dumps(value, ensure_ascii=False, indent=2)


def element_of(call: ToolCall) -> str:
    """Return the id of the element that a call names, which the picture of the iteration marks; "" if none."""
    return str(call.parameters.get("element_id") or "")


def reason_of(call: ToolCall) -> str:
    """Return the reason of a call, which may be an argument of its tool."""
    return call.reason or str(call.parameters.get("reason", "") or "")


def _arguments(call: ToolCall) -> dict[str, Any]:
    return {key: value for key, value in call.parameters.items() if key != "reason"}


def _quoted(value: Any) -> str:
    if isinstance(value, list) and all(isinstance(each, str) for each in value):
        return ", ".join(map(_quoted, value))
    return f'"{value}"' if isinstance(value, str) else _short(value)


def call_result(call: ToolCall) -> str:
    """Return `done`, `failed`, or `not run` for a call after the end of its batch."""
    if not call.ran:
        return "not run"
    return "done" if call.success else "failed"


def as_parameters(call: ToolCall, full: bool = False) -> str:
    """Return the arguments of a call except its element; long lists only if `full`."""
    element = element_of(call)
    arguments = {key: value for key, value in _arguments(call).items() if value != element}
    say = _literal if full else _short
    return ", ".join(f"{key}={say(value)}" for key, value in arguments.items())


def _short(value: Any) -> str:
    code = _literal(value)
    if len(code) < _LONG or isinstance(value, str):
        return code
    return "…"


def _literal(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return str(value)
    return json.dumps(value, ensure_ascii=False, default=str)


@dataclass(frozen=True)
class Marked:
    """A spot on a picture: its box, point and end, and the numbers of the calls that acted there."""

    spot: Spot
    numbers: list[int]

    @property
    def place(self) -> tuple[str, str]:
        """The left and top edge of the box, in percent of the picture."""
        return self._in_percent(*self.spot.box[:2])

    @property
    def pressed(self) -> tuple[str, str] | None:
        """The point where the mouse was pressed, in percent of the picture."""
        if self.spot.point:
            return self._in_percent(*self.spot.point)
        return None

    @property
    def middle(self) -> tuple[str, str]:
        """The middle of the box, in percent of the picture."""
        left, top, width, height = self.spot.box
        return self._in_percent(left + width / 2, top + height / 2)

    def _in_percent(self, x: float, y: float) -> tuple[str, str]:
        width, height = self.spot.picture.size
        left, top = (100 * min(max(part, 0.0), 1.0) for part in (x / width, y / height))
        return f"{left:.2f}", f"{top:.2f}"

    @property
    def arrow(self) -> str:
        """The arrow of a drag as a path of SVG."""
        start, end = (complex(*(point or (0, 0))) for point in (self.spot.point, self.spot.end))
        length = abs(end - start)
        if not length:
            return ""
        back = (start - end) / length * max(self.spot.picture.size) / 60
        points = (start, end, end + back * (1 + 0.6j), end, end + back * (1 - 0.6j))
        return "M" + "L".join(f"{each.real:.1f} {each.imag:.1f}" for each in points)


@dataclass(frozen=True)
class Scene:
    """A step at a glance: its numbered calls, and pictures of the page before and after them.

    `before` has the pictures on which calls are marked, in their order. `same` means that the last
    of them also shows the page after the step.
    """

    calls: list[tuple[int, IterationRecord, ToolCall]]
    before: list[tuple[Picture, list[Marked]]]
    after: Picture | None
    same: bool


def scene_of(step: StepRecord) -> Scene:
    """Return the calls of the roles that see the page, without those that end a step, with their pictures."""
    calls = [
        (iteration, call)
        for iteration in step.iterations
        if iteration.sees_page
        for call in iteration.calls
        if not call.ends or not (iteration.observed or call_result(call) == "done")
    ]
    numbered = [(number, *each) for number, each in enumerate(calls, 1)]
    before: dict[Picture, dict[Spot, Marked]] = {}
    for number, _, call in numbered:
        if call.spot is not None:
            marks = before.setdefault(call.spot.picture, {})
            marks.setdefault(call.spot, Marked(call.spot, [])).numbers.append(number)
    shots = [(picture, [*marks.values()]) for picture, marks in before.items()]
    same = bool(shots and step.after and shots[-1][0].path == step.after.path)
    same = same and not step.candidates
    return Scene(numbered, shots, step.after, same)


def candidates_of(step: StepRecord) -> list[Marked]:
    """Return the marks of the candidates of a failed step that its last picture shows."""
    if step.after is None:
        return []
    width, height = step.after.size
    return [
        Marked(Spot(picture=step.after, box=box), [number])
        for number, box in enumerate(step.candidates, 1)
        if -box[2] < box[0] < width and -box[3] < box[1] < height
    ]


def marks_of(then: EarlierPicture) -> list[Marked]:
    """Return the mark on an earlier picture, if it is of the moment before a call."""
    if then.spot and then.call:
        return [Marked(then.spot, [then.call])]
    return []


def thumbnail(step: StepRecord) -> str | None:
    """Return the picture that shows how a step left the page, or its latest other picture."""
    spots = [call.spot.picture.path for _, _, call in scene_of(step).calls if call.spot]
    seen = [*(each.observed for each in step.iterations), step.last]
    looks = [look.screenshot for look in seen if look]
    after = [step.after.path] if step.after else []
    return next(filter(None, reversed([*spots, *looks, *after])), None)


def focus_of(step: StepRecord) -> tuple[str, str] | None:
    """Return the middle of what matters in a step's thumbnail, in percent, None if that is all of it."""
    calls = [call for _, _, call in scene_of(step).calls]
    acted = [Marked(call.spot, []) for call in calls[-1:] if call.spot and not call.loaded]
    marked = candidates_of(step) or acted
    return marked[0].middle if marked else None


def moment_of(test: Test) -> str | None:
    """Return the picture of the moment in which a test failed, or of its end if it passed."""
    wrong = first_wrong(test) if test.outcome in BAD else None
    if wrong and wrong.step:
        return thumbnail(wrong.step)
    attempts = [wrong.attempt] if wrong else test.attempts[-1:]
    steps = (step for attempt in attempts for step in reversed(attempt.steps))
    return next(filter(None, map(thumbnail, steps)), None)


def bars_of(attempt: TestAttempt) -> list[tuple[str, str]]:
    """Return the start and length of each step in percent of its attempt's time."""
    spans = [(max(step.started - attempt.started, 0.0), step.seconds) for step in attempt.steps]
    whole = max([attempt.seconds, *map(sum, spans)]) or 1.0
    return [
        (f"{100 * min(start / whole, 0.99):.2f}", f"{max(100 * length / whole, 0.5):.2f}")
        for start, length in spans
    ]


def link_to(path: str) -> str | None:
    """Return a relative path as a URL from the report's folder, or None for any other path."""
    path = path.replace("\\", "/")
    return None if _ABSOLUTE.match(path) else quote(path)


@dataclass
class Pictures:
    """Copies pictures into the report's `folder`, and links files below `root`."""

    folder: Path
    root: Path
    _brought: dict[Path, str | None] = field(default_factory=dict)

    def add(self, run: Path, attempt: TestAttempt) -> None:
        """Copy the pictures of an attempt, and replace the paths of all files by those in the report."""
        for step in attempt.steps:
            for name in ("iterations", "evidence", "last", "after"):
                setattr(step, name, self.added(run, getattr(step, name)))
        attempt.phases = self.added(run, attempt.phases)

    def added(self, run: Path, part: _T) -> _T:
        """Copy the pictures of a part of an attempt; return it with the paths in the report, None for what is missing."""

        def placed(each: Any) -> Any:
            match each:
                case Artifact():
                    return each.model_copy(update={"path": self.link(each.path)})
                case Seen() | CheckResult():
                    shot = self.bring(run, each.screenshot)
                    return each.model_copy(update={"screenshot": shot})
                case Spot():
                    picture = placed(each.picture)
                    return picture and each.model_copy(update={"picture": picture})
            path = self.bring(run, each.path)
            return path and each.model_copy(update={"path": path})

        return mapped(part, placed, Artifact, Seen, CheckResult, Spot, Picture)

    def bring(self, run: Path, shot: str | None) -> str | None:
        """Copy a run's picture and return its path in the report, or None if it is missing."""
        if not shot:
            return None
        source = run / "screenshots" / Path(shot).name
        if source not in self._brought:
            self._brought[source] = self._bring(source)
        return self._brought[source]

    def link(self, file: str) -> str:
        """Return a link from the report to a file given relative to the root."""
        try:
            return Path(os.path.relpath(self.root / file, self.folder)).as_posix()
        except ValueError:  # another drive
            return (self.root / file).as_uri()

    def _bring(self, source: Path) -> str | None:
        path = f"pictures/{source.name}"
        target = self.folder / path
        if not source.is_file():
            return None
        if target.exists():
            return path
        target.parent.mkdir(parents=True, exist_ok=True)
        # A hard link is safe since neither file is ever modified.
        for bring in (os.link, shutil.copyfile):
            with suppress(OSError):
                bring(source, target)
                return path
        return None
