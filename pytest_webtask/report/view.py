"""The schema of `report.json`, and the wording of values in reports."""

from __future__ import annotations

import datetime
import json
import os
import re
import shutil
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic.json_schema import SkipJsonSchema

from pytest_webtask.checks.base import Fact
from pytest_webtask.journal import Artifact as Artifact
from pytest_webtask.recordings.schema import Approval as Approval
from pytest_webtask.tools.navigation import find_tool
from pytest_webtask.types import page
from pytest_webtask.types.agent import Conclusion, Ruling, Subtask
from pytest_webtask.types.agent import Event as Event
from pytest_webtask.types.page import Box, Seen

VERSION = 1
MADE_BY = "pytest-webtask"


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", defer_build=True, from_attributes=True)


class Cost(_Part):
    """Model calls, tokens and cost; `tokens_cached` were read from a cache."""

    model_calls: int = 0
    tokens_in: int = 0
    tokens_cached: int = 0
    tokens_out: int = 0
    dollars: float | None = 0.0

    def add(self, other: Cost) -> None:
        """Add another cost."""
        self.model_calls += other.model_calls
        self.tokens_in += other.tokens_in
        self.tokens_cached += other.tokens_cached
        self.tokens_out += other.tokens_out
        known = self.dollars is not None and other.dollars is not None
        self.dollars = (self.dollars or 0.0) + (other.dollars or 0.0) if known else None


class Mark(_Part):
    """A box and a label drawn on the picture that a model saw.

    `line` connects a detached label with its box: x and y of both ends.
    """

    id: str
    color: str
    box: tuple[float, float, float, float]
    label: tuple[float, float, float, float] | None = None
    line: tuple[float, float, float, float] | None = None


class Picture(_Part):
    """The page as a model saw it.

    `marks` are to be drawn on `picture`, whose `size` is in pixels. If the journal has no separate
    marks, they are part of the picture.
    """

    url: str = ""
    title: str = ""
    outline: str = ""
    picture: str | None = None
    size: tuple[int, int] | None = None
    marks: list[Mark] = Field(default_factory=list)


class Shot(_Part):
    """A picture of the visible part of the page; `size` is in CSS pixels."""

    picture: str
    size: tuple[float, float]


class Spot(_Part):
    """Where a call acted, in CSS pixels of a picture of the page as it was before.

    `box` is that of its element, `point` where the mouse was pressed, `end` where a drag ended.
    """

    shot: Shot
    box: Box
    point: tuple[float, float] | None = None
    end: tuple[float, float] | None = None


class Check(_Part):
    """A check of a verdict, or a source of a value.

    `fact` is the state of the page as established by code. `held_before` is whether the check held
    before the step did anything, or None if that is unknown.
    """

    kind: str
    about: str
    expected: str
    actual: str = ""
    holds: bool = False
    problem: str = ""
    locator: str = ""
    picture: str | None = None
    held_before: bool | None = None
    fact: Fact | None = None


class Call(_Part):
    """A tool call and its result.

    `element` is the id of its element, which is marked on the picture of the iteration;
    `locator` is the code that locates it, `names` has all its elements in words. `spot` is where it
    acted, if a picture shows it. `evidence` are the checks of a checkpoint, as they held then.
    `concludes` says that its evidence is shown with the step.
    """

    tool: str
    concludes: SkipJsonSchema[bool] = Field(default=False, exclude=True)
    parameters: dict[str, Any] = Field(default_factory=dict)
    reason: str = ""
    element: str = ""
    locator: str = ""
    names: list[str] = Field(default_factory=list)
    evidence: list[Check] = Field(default_factory=list)
    spot: Spot | None = None
    success: bool | None = None
    result: str = ""
    error: str = ""
    seconds: float = 0.0


class Iteration(_Part):
    """One decision and its results; `ended` is False if the process was killed meanwhile.

    With the role `referee` it has a `conclusion` and its `ruling`, which is None if the answer was
    invalid.
    """

    number: int
    role: str = ""
    model: str = ""
    seconds: float = 0.0
    look: Picture | None = None
    reasoning: str = ""
    problem: str = ""
    notices: list[str] = Field(default_factory=list)
    calls: list[Call] = Field(default_factory=list)
    events: list[Event] = Field(default_factory=list)
    cost: Cost = Field(default_factory=Cost)
    ended: bool = True
    conclusion: Conclusion | None = None
    ruling: Ruling | None = None


class Heal(_Part):
    """An element or action sequence that replaces a recorded one; `used` if the step went on with it.

    `changes` are what a model changed in the calls and evidence of the step, in words: removed (-),
    added (+) and weaker (!).
    """

    what: str = ""
    old: str
    new: str
    file: str = ""
    used: bool = True
    changes: list[str] = Field(default_factory=list)


class RecoveryStep(_Part):
    """A reaction to a failure within a step, from `found again` to `abort`, with its reason."""

    action: str
    reason: str = ""


class Earlier(_Part):
    """A picture of a step in an earlier `run`, in which it passed.

    It is of the moment before a call, which acted at `spot`, or of the end of the step.
    """

    run: str
    shot: Shot
    call: int | None = None
    spot: Spot | None = None


class Step(_Part):
    """One call of a test: `do`, `verify`, ...

    `status` is the status in the journal (`completed`, `passed`, `failed`, `undecided`,
    `drifted`, `aborted`, `max_steps`, `timed_out`, `found`, `not found`, `yes`, `no`, `error`,
    `abandoned`), or `broken off` if the step never ended; `ok` is False for the statuses of a
    failure. `decided` is how it was decided: `replayed`, `literal`, `model`, `healed`, or "" if no
    decision was needed. `evidence` and `reason` are those of its verdict, `error` is the error of a
    failed step. `deviations` are what a task did otherwise than it says. `ruling` is the referee's approval of the final conclusion, or its last refusal.
    `approved` is the approval of the recorded evidence. `last` is the page after a failure, `after`
    a picture of the page as the step left it. For a drifted step `then` is a picture of the same
    moment in an earlier run on this machine.
    """

    number: int
    webtask: str = ""
    kind: str
    sentence: str
    status: str = "broken off"
    ok: bool = False
    decided: str = ""
    started: float = 0.0
    seconds: float = 0.0
    cost: Cost = Field(default_factory=Cost)
    reason: str = ""
    error: str = ""
    value: str = ""
    by_eye: bool = False
    evidence: list[Check] = Field(default_factory=list)
    deviations: list[str] = Field(default_factory=list)
    ruling: Ruling | None = None
    approved: Approval | None = None
    heals: list[Heal] = Field(default_factory=list)
    hints: list[str] = Field(default_factory=list)
    subtasks: list[Subtask] = Field(default_factory=list)
    recoveries: list[RecoveryStep] = Field(default_factory=list)
    iterations: list[Iteration] = Field(default_factory=list)
    events: list[Event] = Field(default_factory=list)
    last: Picture | None = None
    after: Shot | None = None
    then: Earlier | None = None


class Attempt(_Part):
    """One attempt to run a test; reruns and further runs add attempts.

    `outcome` is `passed`, `failed`, `error` (in setup or teardown), `skipped`, `xfailed`, `xpassed`
    or `never ended`. `message` is pytest's, `raised` has only the errors, `blamed` the webtasks and
    numbers of the steps that raised them.
    """

    number: int = 1
    run: str = ""
    outcome: str = "never ended"
    confirms: bool = False
    started: float = 0.0
    seconds: float = 0.0
    message: str = ""
    raised: str = ""
    blamed: list[tuple[str, int]] = Field(default_factory=list)
    steps: list[Step] = Field(default_factory=list)
    artifacts: list[Artifact] = Field(default_factory=list)


class Test(_Part):
    """A test with all its attempts; `outcome` is that of the last, or `flaky` after a failed one.

    `decided` counts its steps by decider, `deviated` those with deviations, `page` is its page in the report, `wrong` the first
    problem of its last failed attempt, in a line.
    """

    __test__ = False

    id: str
    page: str = ""
    wrong: str = ""
    outcome: str = "never ended"
    started: float = 0.0
    seconds: float = 0.0
    cost: Cost = Field(default_factory=Cost)
    decided: dict[str, int] = Field(default_factory=dict)
    healed: int = 0
    deviated: int = 0
    attempts: list[Attempt] = Field(default_factory=list)
    second_run: Attempt | None = None
    """The run that confirmed what the last attempt has recorded, or did not."""


class Report(_Part):
    """A whole report. `outcomes` counts the tests, `decided` and `statuses` the steps of all attempts."""

    made_by: str = MADE_BY
    version: int = VERSION
    runs: list[str] = Field(default_factory=list)
    started: float = 0.0
    seconds: float = 0.0
    outcomes: dict[str, int] = Field(default_factory=dict)
    decided: dict[str, int] = Field(default_factory=dict)
    statuses: dict[str, int] = Field(default_factory=dict)
    steps: int = 0
    cost: Cost = Field(default_factory=Cost)
    damaged: int = 0
    tests: list[Test] = Field(default_factory=list)


_ITEMS = 6
"""The number of items of a set shown uncollapsed."""
_LONG_FACT = 240
"""The number of characters of a text shown uncollapsed."""
_WITHIN = 4
"""The number of containers shown uncollapsed."""
_MATCHES = {
    "whole": "the whole text is expected",
    "part": "a part of it is expected",
    "pattern": "a pattern is expected",
}
_OUTCOMES = {
    "holds": "it holds",
    "does_not_hold": "it does not hold",
    "cannot_tell": "it cannot be told",
}


@dataclass(frozen=True)
class Row:
    """A labeled line of `kind` `text`, `list`, `path` or `chips`; `warn` if it weakens the proof."""

    label: str
    values: tuple[str, ...]
    kind: str = "text"
    warn: bool = False


@dataclass
class ShownFact:
    """A fact as rows: those at a `glance`, and `more` that are collapsed.

    `so_before` is whether the fact was the same before the task, or None if that is unknown;
    `other` is the fact of the element to compare with.
    """

    fact: Fact
    glance: list[Row] = field(default_factory=list)
    more: list[Row] = field(default_factory=list)
    so_before: bool | None = None
    other: ShownFact | None = None


def fact_rows(fact: Fact, so_before: bool | None = None) -> ShownFact:
    """Return the rows of a fact."""
    shown = ShownFact(fact, so_before=so_before)
    _add(shown, fact)
    return shown


def judged_facts(conclusion: Conclusion) -> list[ShownFact]:
    """Return the facts that a referee judged."""
    facts = []
    for payload in conclusion.facts:
        known = {k: v for k, v in payload.items() if k in Fact.model_fields}
        before = payload.get("so before the task")
        try:
            fact = Fact.model_validate(known)
        except ValidationError:
            continue
        each = fact_rows(fact, before if isinstance(before, bool) else None)
        if was := payload.get("before the task"):
            each.glance.append(Row("Before the task", (str(was),)))
        if after := payload.get("held after"):
            each.glance.insert(0, Row("Checkpoint, after", (str(after),)))
        if payload.get("so now") is False:
            now = str(payload.get("now") or "no longer so")
            each.glance.append(Row("At the end", (now,), warn=True))
        facts.append(each)
    return facts


def conclusion_outcome(conclusion: Conclusion) -> str:
    """Return the outcome of a conclusion in words."""
    return {
        "claim": _OUTCOMES.get(conclusion.outcome, conclusion.outcome),
        "value": f"the value is {json.dumps(conclusion.value, ensure_ascii=False)}",
        "element": "this is the element",
        "task": "the task is done",
        "pattern": "these texts may differ in each run",
        "case": "these texts differ with the data",
    }[conclusion.kind]


def _add(shown: ShownFact, fact: Fact) -> None:
    glance, more = shown.glance, shown.more

    def put(
        rows: list[Row], label: str, *values: str, kind: str = "text", warn: bool = False
    ) -> None:
        if kept := tuple(filter(None, values)):
            rows.append(Row(label, kept, kind, warn))

    name = f'"{fact.name}"' if fact.name and fact.name != fact.text else ""
    put(glance, "Element", " ".join(filter(None, (fact.element, name))))
    size = f"{fact.characters:,} characters" if fact.characters > len(fact.text) else ""
    if fact.text:
        short = fact.text if len(fact.text) <= _LONG_FACT else f"{fact.text[:_LONG_FACT]}…"
        note = ", ".join(filter(None, (_MATCHES.get(fact.match, ""), size)))
        put(glance, "Text", short, note)
        put(more, "All of the text", fact.text if short != fact.text else "")
    put(glance, "State", *fact.states, kind="chips")
    put(glance, "Label", fact.label)
    put(glance, "Row", fact.row)
    put(glance, "Column", fact.column)
    put(glance, "Place", fact.position)
    within = [
        " ".join(filter(None, (each.kind, f'"{each.name}"' if each.name else "")))
        for each in fact.within
    ]
    put(glance, "Stands in", *reversed(within[:_WITHIN]), kind="path")
    put(glance, "Under", fact.heading)
    if fact.size is not None:
        few = fact.items[:_ITEMS]
        rest = len(fact.items) - len(few)
        put(glance, "In all", str(fact.size))
        put(glance, "Items", *few, f"… and {rest} more" if rest else "", kind="list")
        put(more, "All items", *(fact.items if rest else ()), kind="list")
    if alike := fact.alike:
        put(glance, "Alike", f"no. {alike.place} of {alike.size} of {alike.of} on the page")
        put(more, "Each alone in", *(each.name for each in alike.parts), kind="list")
        put(more, "Next to it", *alike.beside, kind="list")
    put(glance, "Signs of more", *fact.more, kind="list", warn=True)
    put(glance, "Searched", fact.searched)
    put(glance, "Similar", *fact.similar, kind="list", warn=True)
    put(glance, "Note", fact.note)
    put(more, "Beside", *fact.beside, kind="list")
    put(more, "All around", *(reversed(within) if len(within) > _WITHIN else ()), kind="path")
    put(more, "Author's names", *(f"{k}: {v}" for k, v in fact.author.items()), kind="list")
    around = [f"{e.kind}: {e.author}" for e in fact.within if e.author]
    put(more, "Names around", *around, kind="list")
    put(more, "Pattern", fact.pattern)
    put(more, "Elsewhere", fact.elsewhere)
    put(glance if not (fact.element or fact.size is not None) else more, "Page", fact.page)
    put(more, "Frame", fact.frame)
    if fact.other is not None:
        shown.other = fact_rows(fact.other)


BAD = frozenset(["failed", "error", "never ended", "xfailed"])
"""Outcomes of an attempt with a problem."""
_SPOKEN = frozenset(["text", "key", "options", "resources", "url"])
"""Parameters whose names say nothing beside their values."""
_SHORT = 80
"""The most characters of a sentence in a one-line problem."""
_LONG = 100
"""The length from which a list is abbreviated."""
_PLANNING = frozenset(["planner", "scheduler", "referee"])
_NOT_RUN = "not run: "
"""The prefix of the error of a call that was not run because its batch was stopped."""
_PICKED = re.compile(r"#[0-9a-fA-F]{3,8}")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")


@dataclass(frozen=True)
class Wrong:
    """The first problem of an attempt: in a step, or outside of all steps if `step` is None.

    `at` is the step's index in the attempt. `head` names the place and `line` the problem.
    """

    attempt: Attempt
    step: Step | None
    at: int
    head: str
    line: str


def first_wrong(test: Test) -> Wrong | None:
    """Return the first problem of the last attempt that has one, or None."""
    for attempt in reversed(test.attempts):
        if attempt.outcome in BAD:
            return wrong_in(attempt)
    return None


def wrong_in(attempt: Attempt) -> Wrong | None:
    """Return the first problem of an attempt, or None."""
    if attempt.outcome not in BAD:
        return None
    steps = [*enumerate(attempt.steps)]
    bad = [(at, step) for at, step in steps if not step.ok]
    if attempt.outcome == "never ended":
        broken = [each for each in bad if each[1].status == "broken off"]
        at, step = broken[0] if broken else (-1, None)
        return Wrong(attempt, step, at, _never_ended(attempt, step), "")
    raised = attempt.raised or _raised(attempt.message)
    if attempt.blamed:
        bad = [(at, step) for at, step in steps if (step.webtask, step.number) in attempt.blamed]
    elif raised:
        # An error that the test caught, as with pytest.raises, is not the problem, but a `holds`
        # that was answered with no may be.
        asked = [(at, step) for at, step in steps if not step.ok or step.status == "no"]
        bad = [(at, step) for at, step in asked if _is_of(step, raised)]
    if not bad:
        head = "in set-up or teardown" if attempt.outcome == "error" else "in the test itself"
        line = first_line(attempt.raised or attempt.message)
        return Wrong(attempt, None, -1, head, line)
    at, step = bad[0]
    sentence = " ".join(step.sentence.split())
    short = sentence if len(sentence) <= _SHORT else f"{sentence[:_SHORT]}…"
    head = f'{_which(step)}, {step.kind} "{short}": {step.status}'
    return Wrong(attempt, step, at, head, _why(step))


def _which(step: Step) -> str:
    return f"step {step.number}" + (f" of {step.webtask}" if step.webtask else "")


def _raised(message: str) -> str:
    """Return the error lines of a pytest message."""
    return "\n".join(line[1:] for line in message.splitlines() if line.startswith("E  "))


def _is_of(step: Step, raised: str) -> bool:
    """Return whether an error has the sentence of a step, or the step's journaled error."""
    _, _, error = step.error.partition(": ")
    signs = (step.sentence, repr(step.sentence)[1:-1], *error.splitlines()[:1])
    return any(sign and sign in raised for sign in signs)


def _never_ended(attempt: Attempt, step: Step | None) -> str:
    if step is not None:
        where = f"in {_which(step)}"
    elif attempt.steps:
        where = f"after {_which(attempt.steps[-1])}"
    else:
        where = "before its first step"
    return f"never ended: the process was killed {where}"


def _why(step: Step) -> str:
    message = step.reason or step.error
    if step.status == "drifted":
        # The first line only says that the step cannot be replayed.
        message = message.partition("\n")[2] or message
    lines = [first_line(message)]
    unheld = next((check for check in step.evidence if not check.holds), None)
    if unheld is not None and not _repeats(lines[0], unheld):
        lines.append(missed_expectation(unheld))
    return " – ".join(line for line in lines if line) or step.sentence


def reason_beside_checks(step: Step) -> str:
    """Return the reason of a step, "" if it only says what its evidence says as well."""
    missed = [check for check in step.evidence if not check.holds]
    return "" if any(_repeats(step.reason, check) for check in missed) else step.reason


def error_beside_parts(step: Step) -> str:
    """Return the error of a step without its heals and pictures, which the page shows beside it."""
    shown = [f"{sign} {code}" for h in step.heals for sign, code in (("-", h.old), ("+", h.new))]
    if step.last and step.last.picture:
        shown += ["screenshot: ", "when it passed: "]
    lines = step.error.splitlines()
    return "\n".join(each for each in lines if not each.lstrip().startswith(tuple(shown)))


def _repeats(reason: str, missed: Check) -> bool:
    """Return whether a reason is that of a replay, which names the missed checks and nothing else."""
    return reason.startswith(f"{missed.about}: expected {missed.expected}, but ")


def missed_expectation(check: Check) -> str:
    """Return the expected and actual result of a failed check in one line."""
    actual = f", found {check.actual}" if check.actual else ""
    return f"{check.about}: expected {check.expected}{actual}"


def first_line(message: str) -> str:
    """Return the first nonempty line, or the first error line of a pytest traceback."""
    lines = [line.strip() for line in message.splitlines()]
    errors = [line[1:].strip() for line in lines if line.startswith("E  ")]
    return next((line for line in [*errors, *lines] if line), "")


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


def in_dollars(cost: Cost) -> str:
    """Return a cost in dollars, or a dash if no model was called."""
    if not cost.model_calls:
        return "–"
    if cost.dollars is None:
        return "not known"
    small = 0 < cost.dollars < 0.995
    return f"${cost.dollars:.4f}" if small else f"${cost.dollars:,.2f}"


def grouped(number: int) -> str:
    """Return a number with thousands separators."""
    return f"{number:,}"


def at_time(started: float) -> str:
    """Return a date and time in UTC, or "" if it is unknown."""
    if not 0 < started < 1e11:
        return ""
    moment = datetime.datetime.fromtimestamp(started, datetime.timezone.utc)
    return f"{moment:%Y-%m-%d %H:%M} UTC"


def as_words(call: Call) -> str:
    """Return a call in words, such as `fill textbox "Name": "Ann"`."""
    if call.evidence:
        return f"checkpoint: {call.parameters.get('note') or 'without a note'}"
    arguments = {
        key: value
        for key, value in call.parameters.items()
        if not _is_element(key) and value is not None
    }
    tool = find_tool(call.tool)
    method = tool.export.method if tool and tool.export else ""
    verb = call.tool if isinstance(method, str) else method(arguments) or call.tool
    words = " ".join([verb.replace("_", " "), " to ".join(call.names) or call.element]).strip()
    values = [
        _quoted(value) if key in _SPOKEN else f"{key.replace('_', ' ')} {_quoted(value)}"
        for key, value in arguments.items()
    ]
    between = ": " if call.names or call.element else " "
    return between.join([words, ", ".join(values)]) if values else words


def _quoted(value: Any) -> str:
    if isinstance(value, list) and all(isinstance(each, str) for each in value):
        return ", ".join(map(_quoted, value))
    return f'"{value}"' if isinstance(value, str) else _short(value)


def call_result(call: Call) -> str:
    """Return `done`, `failed`, or `not run` for a call after the end of its batch."""
    if call.error.startswith(_NOT_RUN) or (call.success is None and not call.error):
        return "not run"
    return "done" if call.success else "failed"


def has_problems(iteration: Iteration) -> bool:
    """Return whether a call failed in an iteration, or its conclusion was refused."""
    refused = iteration.ruling is not None and not iteration.ruling.proves
    failed = any(call_result(call) == "failed" for call in iteration.calls)
    return bool(iteration.problem) or refused or failed


def next_look(step: Step, at: int) -> int | None:
    """Return the index of the next iteration that observed the page, or None."""
    return _looked(step, range(at + 1, len(step.iterations)))


def last_look(step: Step, at: int) -> int | None:
    """Return the index of the previous iteration that observed the page, or None."""
    return _looked(step, range(at - 1, -1, -1))


def _looked(step: Step, places: range) -> int | None:
    return next((at for at in places if step.iterations[at].role != "referee"), None)


def as_parameters(call: Call, full: bool = False) -> str:
    """Return the arguments of a call except its element; long lists only if `full`."""
    arguments = {key: value for key, value in call.parameters.items() if value != call.element}
    say = _literal if full else _short
    return ", ".join(f"{key}={say(value)}" for key, value in arguments.items())


def _is_element(key: str) -> bool:
    return key == "element_id" or key.endswith("_element_id")


def _short(value: Any) -> str:
    code = _literal(value)
    return code if len(code) < _LONG or isinstance(value, str) else "…"


def _literal(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return str(value)
    return json.dumps(value, ensure_ascii=False, default=str)


def drawn_marks(look: Picture) -> dict[str, Any]:
    """Return the marks of a picture in the compact form of `report.js`, with numbered colors.

    A mark is a list of its id, color and box, followed by its label and line if it has them.
    """
    colors: dict[str, int] = {}
    marks: list[list[Any]] = []
    for mark in look.marks:
        color = mark.color if _PICKED.fullmatch(mark.color) else "#555555"
        number = colors.setdefault(color, len(colors))
        sides = [round(side) for side in mark.box]
        if mark.label:
            sides += [round(side) for side in mark.label]
            if mark.line:
                sides += [round(side) for side in mark.line]
        marks.append([mark.id, number, *sides])
    return {"c": list(colors), "m": marks}


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
        return self._in_percent(*self.spot.point) if self.spot.point else None

    def _in_percent(self, x: float, y: float) -> tuple[str, str]:
        width, height = self.spot.shot.size
        left, top = (100 * min(max(part, 0.0), 1.0) for part in (x / width, y / height))
        return f"{left:.2f}", f"{top:.2f}"

    @property
    def arrow(self) -> str:
        """The arrow of a drag as a path of SVG."""
        start, end = (complex(*(point or (0, 0))) for point in (self.spot.point, self.spot.end))
        length = abs(end - start)
        if not length:
            return ""
        back = (start - end) / length * max(self.spot.shot.size) / 60
        points = (start, end, end + back * (1 + 0.6j), end, end + back * (1 - 0.6j))
        return "M" + "L".join(f"{each.real:.1f} {each.imag:.1f}" for each in points)


@dataclass(frozen=True)
class Scene:
    """A step at a glance: its numbered calls, and pictures of the page before and after them.

    `before` has the pictures on which calls are marked, in their order. `same` means that the last
    of them also shows the page after the step.
    """

    calls: list[tuple[int, Iteration, Call]]
    before: list[tuple[Shot, list[Marked]]]
    after: Shot | None
    same: bool


def scene_of(step: Step) -> Scene:
    """Return the calls of a step that are not planning or judging ones, with their pictures."""
    calls = [
        (iteration, call)
        for iteration in step.iterations
        if iteration.role not in _PLANNING
        for call in iteration.calls
        if not call.concludes or not (iteration.look or call_result(call) == "done")
    ]
    numbered = [(number, *each) for number, each in enumerate(calls, 1)]
    before: dict[str, tuple[Shot, list[Marked]]] = {}
    for number, _, call in numbered:
        if call.spot is None:
            continue
        _, marks = before.setdefault(call.spot.shot.picture, (call.spot.shot, []))
        drawn = next((mark for mark in marks if mark.spot == call.spot), None)
        if drawn is None:
            marks.append(Marked(call.spot, [number]))
        else:
            drawn.numbers.append(number)
    shots = list(before.values())
    same = bool(shots and step.after and shots[-1][0].picture == step.after.picture)
    return Scene(numbered, shots, step.after, same)


def marks_of(then: Earlier) -> list[Marked]:
    """Return the mark on an earlier picture, if it is of the moment before a call."""
    return [Marked(then.spot, [then.call])] if then.spot and then.call else []


def thumbnail(step: Step) -> str | None:
    """Return the picture that shows how a step left the page, or its latest other picture."""
    if step.after:
        return step.after.picture
    if step.last and step.last.picture:
        return step.last.picture
    looks = [look.picture for each in step.iterations if (look := each.look) and look.picture]
    spots = [call.spot.shot.picture for _, _, call in scene_of(step).calls if call.spot]
    return next(reversed([*spots, *looks]), None)


def moment_of(test: Test) -> str | None:
    """Return the picture of the moment in which a test failed, or of its end if it passed."""
    wrong = first_wrong(test) if test.outcome in BAD else None
    if wrong and wrong.step:
        return thumbnail(wrong.step)
    attempt = wrong.attempt if wrong else next(reversed(test.attempts), None)
    steps = attempt.steps if attempt else []
    return next(filter(None, map(thumbnail, reversed(steps))), None)


def verifier_opinion(step: Step) -> tuple[str, str] | None:
    """Return the last outcome that a verifier reported, in words, with its reason."""
    for iteration in reversed(step.iterations):
        for call in reversed(iteration.calls):
            if call.tool == "report_verdict":
                outcome = str(call.parameters.get("outcome", ""))
                return _OUTCOMES.get(outcome, outcome), call.reason
    return None


def bars_of(attempt: Attempt) -> list[tuple[str, str]]:
    """Return the start and length of each step in percent of its attempt's time."""
    began = attempt.started or min((step.started for step in attempt.steps), default=0.0)
    spans = []
    end = 0.0
    for step in attempt.steps:
        start = max(step.started - began, 0.0) if step.started else end
        end = start + step.seconds
        spans.append((start, step.seconds))
    whole = max([attempt.seconds, *(start + length for start, length in spans)], default=0.0) or 1.0
    return [
        (f"{100 * min(start / whole, 0.99):.2f}", f"{max(100 * length / whole, 0.5):.2f}")
        for start, length in spans
    ]


def link_to(path: str) -> str | None:
    """Return a relative path as a URL from the report's folder, or None for any other path."""
    path = path.replace("\\", "/")
    if not path or path.startswith("/") or _SCHEME.match(path):
        return None
    return quote(path)


@dataclass
class Pictures:
    """Copies pictures into the report's `folder`, and links files below `root`."""

    folder: Path
    root: Path
    _brought: dict[Path, str | None] = field(default_factory=dict)

    def look(self, run: Path, seen: Seen | None) -> Picture | None:
        """Return an observed page with its picture and marks."""
        if seen is None:
            return None
        look = Picture(url=seen.url, title=seen.title, outline=seen.outline)
        shot = seen.screenshot
        if not shot:
            return look
        marked = run / shot
        try:
            layers = json.loads(marked.with_suffix(".json").read_text(encoding="utf-8"))
            look.picture = self.bring(run, f"{Path(shot).parent}/{layers['plain']}")
            width, height = layers["size"]
            look.size = (int(width), int(height))
            look.marks = [Mark(**mark) for mark in layers["marks"]]
        except (OSError, ValueError, TypeError, KeyError):
            look.picture = self.bring(run, shot)
        return look

    def shot(self, run: Path, picture: page.Picture) -> Shot | None:
        """Return a picture of a step, or None if its file is missing."""
        path = self.bring(run, picture.path)
        return Shot(picture=path, size=picture.size) if path else None

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
        if not target.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            try:
                # A hard link is safe since neither file is ever modified.
                os.link(source, target)
            except OSError:
                try:
                    shutil.copyfile(source, target)
                except OSError:
                    return None
        return path
