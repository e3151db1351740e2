"""What a report says of a run: the schema of `report.json`, and how values are worded."""

from __future__ import annotations

import datetime
import json
import os
import re
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from pytest_webtask.types.agent import Conclusion, Fact, Ruling

__all__ = [
    "BAD",
    "MADE_BY",
    "VERSION",
    "Approval",
    "Artifact",
    "Attempt",
    "Call",
    "Check",
    "Cost",
    "Event",
    "Heal",
    "Iteration",
    "Mark",
    "Picture",
    "Pictures",
    "RecoveryStep",
    "Report",
    "Row",
    "ShownFact",
    "Step",
    "Subtask",
    "Test",
    "Wrong",
    "as_code",
    "as_parameters",
    "at_time",
    "bars_of",
    "call_result",
    "drawn_marks",
    "fact_rows",
    "first_wrong",
    "grouped",
    "has_problems",
    "in_dollars",
    "in_seconds",
    "judged_facts",
    "last_look",
    "link_to",
    "missed_expectation",
    "next_look",
    "said_first",
    "wrong_in",
]


VERSION = 1
MADE_BY = "pytest-webtask"


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", defer_build=True)


class Cost(_Part):
    """What models were asked and what that cost; `cached` are tokens that were read from a cache."""

    model_calls: int = 0
    tokens_in: int = 0
    tokens_cached: int = 0
    tokens_out: int = 0
    dollars: float | None = 0.0

    def add(self, other: Cost) -> None:
        """Take in another one."""
        self.model_calls += other.model_calls
        self.tokens_in += other.tokens_in
        self.tokens_cached += other.tokens_cached
        self.tokens_out += other.tokens_out
        known = self.dollars is not None and other.dollars is not None
        self.dollars = (self.dollars or 0.0) + (other.dollars or 0.0) if known else None


class Mark(_Part):
    """A box and a label that the model saw drawn on its picture.

    `line` leads from a label that stands apart to its box: x and y of both ends.
    """

    id: str
    colour: str
    box: tuple[float, float, float, float]
    label: tuple[float, float, float, float] | None = None
    line: tuple[float, float, float, float] | None = None


class Picture(_Part):
    """The page at an instant, as a model saw it.

    `picture` is without `marks`, which are drawn upon it; where a journal has none of them they
    are part of the picture. `size` is that of the picture, in pixels.
    """

    url: str = ""
    title: str = ""
    outline: str = ""
    picture: str | None = None
    size: tuple[int, int] | None = None
    marks: list[Mark] = Field(default_factory=list)


class Call(_Part):
    """A tool call: what was asked, and what came of it.

    `element` is the id of the element that it was about, which is a mark of the picture before it;
    `locator` is how that is found again.
    """

    tool: str
    parameters: dict[str, Any] = Field(default_factory=dict)
    reason: str = ""
    element: str = ""
    locator: str = ""
    success: bool | None = None
    result: str = ""
    error: str = ""
    seconds: float = 0.0


class Event(_Part):
    """What the page did by itself: dialog, tab, download, console, request, stopped, ..."""

    kind: str
    text: str


class Iteration(_Part):
    """One decision and what came of it; `ended` is False where the process was killed in it.

    Of the role `referee` it has the `conclusion` that was ruled on and the `ruling`, which is None
    where the answer was none.
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


class Check(_Part):
    """A check of a verdict, or a source of a value.

    `fact` is what code established on the page, `held_before` whether it held before the step did
    anything, None where that is not known.
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


class Approval(_Part):
    """Who approved the recorded evidence of a step, and on which day.

    `person` says that somebody answered for evidence that was edited by hand, `same_session` that a
    coding agent may have judged its own conclusion.
    """

    by: str
    on: str = ""
    person: bool = False
    same_session: bool = False


class Heal(_Part):
    """An element or a way that was found again; `used` says that the step went on with it."""

    what: str = ""
    old: str
    new: str
    file: str = ""
    used: bool = True


class Subtask(_Part):
    """A part of a planned task; `status` is `planned`, `in work`, `done` or `failed`."""

    goal: str
    status: str
    feedback: str = ""


class RecoveryStep(_Part):
    """How a step went on after something failed, from `found again` to `abort`, and why."""

    rung: str
    why: str = ""


class Step(_Part):
    """One call of the test's: `do`, `verify`, ...

    `status` is how it ended, as the journal has it (`completed`, `passed`, `failed`, `undecided`,
    `drifted`, `aborted`, `max_steps`, `timed_out`, `found`, `not found`, `yes`, `no`, `error`,
    `abandoned`), or `broken off` where it never did; `ok` is whether that is as it should be.
    `decided` is by whom: `replayed`, `literal`, `model`, `healed`, or "" where nobody had to.
    `evidence` are the checks of its verdict, `reason` the verdict's, `error` what failed it.
    `ruling` is the referee's that decided: the approval of a conclusion that counts, or the last
    refusal of one that does not. `approved` is who approved what was recorded.
    `last` is the page that it was left with, where it failed.
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
    ruling: Ruling | None = None
    approved: Approval | None = None
    heals: list[Heal] = Field(default_factory=list)
    hints: list[str] = Field(default_factory=list)
    subtasks: list[Subtask] = Field(default_factory=list)
    rungs: list[RecoveryStep] = Field(default_factory=list)
    iterations: list[Iteration] = Field(default_factory=list)
    events: list[Event] = Field(default_factory=list)
    last: Picture | None = None


class Artifact(_Part):
    """A file of Playwright's own: its trace, a video, a screenshot; `path` from the report's folder."""

    kind: str
    path: str


class Attempt(_Part):
    """One run of a test, of which there are several where it was run again.

    `outcome` is `passed`, `failed`, `error` (in setup or teardown), `skipped`, `xfailed`, `xpassed`
    or `never ended`; `message` is what pytest said of it, `raised` the errors
    alone, `blamed` the webtasks and numbers of the steps that raised them. `lost` is why it does not
    count: the way back to where a run broke off ended before it was there.
    """

    number: int = 1
    run: str = ""
    lost: str = ""
    outcome: str = "never ended"
    started: float = 0.0
    seconds: float = 0.0
    message: str = ""
    raised: str = ""
    blamed: list[tuple[str, int]] = Field(default_factory=list)
    steps: list[Step] = Field(default_factory=list)
    artifacts: list[Artifact] = Field(default_factory=list)


class Test(_Part):
    """A test with all its attempts; `outcome` is that of the last, or `flaky` if one before it failed.

    `decided` counts its steps by who decided them, `page` is its page in the report, `wrong` the
    first wrong moment of its last attempt, in a line.
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
    attempts: list[Attempt] = Field(default_factory=list)


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
"""Items of a set that are shown at a glance."""
_LONG_FACT = 240
"""Characters of a text that are shown at a glance."""
_WITHIN = 4
"""Containers that are shown at a glance."""
_MATCHES = {
    "whole": "the whole text is expected",
    "part": "a part of it is expected",
    "pattern": "a pattern is expected",
}
_OUTCOMES = {"holds": "it holds", "does_not_hold": "it does not hold"}


@dataclass(frozen=True)
class Row:
    """A labeled line; `kind` is `text`, `list`, `path` or `chips`, `warn` that it limits what is proved."""

    label: str
    values: tuple[str, ...]
    kind: str = "text"
    warn: bool = False


@dataclass
class ShownFact:
    """A fact as lines: those at a glance, and those that are collapsed.

    `so_before` says whether it was so before the task, None where that is not known or not asked;
    `other` is the fact of the element that it is compared with.
    """

    fact: Fact
    glance: list[Row] = field(default_factory=list)
    more: list[Row] = field(default_factory=list)
    so_before: bool | None = None
    other: ShownFact | None = None


def fact_rows(fact: Fact, so_before: bool | None = None) -> ShownFact:
    """Return the lines of a fact."""
    made = ShownFact(fact, so_before=so_before)
    _add(made, fact)
    return made


def judged_facts(conclusion: Conclusion) -> list[ShownFact]:
    """Return the facts that a referee was given."""
    facts = []
    for given in conclusion.facts:
        known = {k: v for k, v in given.items() if k in Fact.model_fields}
        before = given.get("so before the task")
        try:
            made = Fact.model_validate(known)
        except ValidationError:
            continue
        each = fact_rows(made, before if isinstance(before, bool) else None)
        if was := given.get("before the task"):
            each.glance.append(Row("Before the task", (str(was),)))
        facts.append(each)
    return facts


def conclusion_outcome(conclusion: Conclusion) -> str:
    """Return what was concluded, in words."""
    return {
        "claim": _OUTCOMES.get(conclusion.outcome, conclusion.outcome),
        "value": f"the value is {json.dumps(conclusion.value, ensure_ascii=False)}",
        "element": "this is the element",
        "task": "the task is done",
        "pattern": "these texts may differ in each run",
        "case": "these texts differ with the data",
    }[conclusion.kind]


def _add(made: ShownFact, fact: Fact) -> None:
    glance, more = made.glance, made.more

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
    put(glance, "Changes", fact.changes, warn=True)
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
        made.other = fact_rows(fact.other)


BAD = frozenset(["failed", "error", "never ended", "xfailed"])
"""Outcomes of an attempt in which something was not as it should be."""
_METHODS = {"type": "press_sequentially", "upload": "set_input_files", "navigate": "goto"}
_SPOKEN = frozenset(["text", "key", "options", "resources", "url"])
"""Parameters that Playwright's methods take without a name."""
_SHORT = 80
"""Characters of a sentence that stand in a line with what became of it."""
_LONG = 100
"""Characters from which on a list is told on demand only."""
_NOT_RUN = "not run: "
"""How the loop begins the error of a call before which it stopped the batch."""
_PICKED = re.compile(r"#[0-9a-fA-F]{3,8}")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")


@dataclass(frozen=True)
class Wrong:
    """The first wrong moment of an attempt: in a step, or outside all of them where `step` is None.

    `at` is the step's place in the attempt, `head` says where it was and `line` what, in one line.
    """

    attempt: Attempt
    step: Step | None
    at: int
    head: str
    line: str


def first_wrong(test: Test) -> Wrong | None:
    """That of the last attempt that went wrong; None where none did."""
    for attempt in reversed(test.attempts):
        if attempt.outcome in BAD:
            return wrong_in(attempt)
    return None


def wrong_in(attempt: Attempt) -> Wrong | None:
    """The first wrong moment of an attempt; None where all was as it should be."""
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
        # What the test has caught, with pytest.raises say, is not what failed it; a question that
        # was answered with no may be.
        asked = [(at, step) for at, step in steps if not step.ok or step.status == "no"]
        bad = [(at, step) for at, step in asked if _is_of(step, raised)]
    if not bad:
        head = "in set-up or teardown" if attempt.outcome == "error" else "in the test itself"
        said = said_first(attempt.raised or attempt.message)
        return Wrong(attempt, None, -1, head, said)
    at, step = bad[0]
    sentence = " ".join(step.sentence.split())
    short = sentence if len(sentence) <= _SHORT else f"{sentence[:_SHORT]}…"
    head = f'{_which(step)}, {step.kind} "{short}": {step.status}'
    return Wrong(attempt, step, at, head, _why(step))


def _which(step: Step) -> str:
    return f"step {step.number}" + (f" of {step.webtask}" if step.webtask else "")


def _raised(message: str) -> str:
    """What pytest says was raised; "" where it does not say."""
    return "\n".join(line[1:] for line in message.splitlines() if line.startswith("E  "))


def _is_of(step: Step, raised: str) -> bool:
    """Whether an error is that of a step: it has its sentence, or what was journaled of it."""
    _, _, error = step.error.partition(": ")
    said = (step.sentence, repr(step.sentence)[1:-1], *error.splitlines()[:1])
    return any(each and each in raised for each in said)


def _never_ended(attempt: Attempt, step: Step | None) -> str:
    if step is not None:
        where = f"in {_which(step)}"
    elif attempt.steps:
        where = f"after {_which(attempt.steps[-1])}"
    else:
        where = "before its first step"
    return f"never ended: the process was killed {where}"


def _why(step: Step) -> str:
    said = step.reason or step.error
    if step.status == "drifted":
        # The first line says only that it cannot be replayed.
        said = said.partition("\n")[2] or said
    lines = [said_first(said)]
    unheld = next((check for check in step.evidence if not check.holds), None)
    if unheld is not None:
        lines.append(missed_expectation(unheld))
    return " – ".join(line for line in lines if line) or step.sentence


def missed_expectation(check: Check) -> str:
    """In a line, how a check that does not hold missed."""
    found = f", found {check.actual}" if check.actual else ""
    return f"{check.about}: expected {check.expected}{found}"


def said_first(message: str) -> str:
    """The first line that says something; of a traceback that pytest made, the first error's."""
    lines = [line.strip() for line in message.splitlines()]
    errors = [line[1:].strip() for line in lines if line.startswith("E  ")]
    return next((line for line in [*errors, *lines] if line), "")


def in_seconds(seconds: float) -> str:
    """A time as people say it."""
    if seconds < 10:
        return f"{max(seconds, 0.0):.2f} s"
    if seconds < 59.95:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    if minutes < 60:
        return f"{minutes} min {rest:02} s"
    return f"{minutes // 60} h {minutes % 60:02} min"


def in_dollars(cost: Cost) -> str:
    """What it cost; a dash where no model was asked."""
    if not cost.model_calls:
        return "–"
    if cost.dollars is None:
        return "not known"
    small = 0 < cost.dollars < 0.995
    return f"${cost.dollars:.4f}" if small else f"${cost.dollars:,.2f}"


def grouped(number: int) -> str:
    """A number with its thousands apart."""
    return f"{number:,}"


def at_time(started: float) -> str:
    """A time of day in UTC; nothing where it is not known."""
    if not 0 < started < 1e11:
        return ""
    moment = datetime.datetime.fromtimestamp(started, datetime.timezone.utc)
    return f"{moment:%Y-%m-%d %H:%M} UTC"


def as_code(call: Call) -> str:
    """A call as one line of Playwright's."""
    given = {key: value for key, value in call.parameters.items() if not _is_element(key)}
    method = _METHODS.get(call.tool, call.tool)
    if call.tool == "click" and given.pop("double", False):
        method = "dblclick"
    elif call.tool == "check":
        method = "check" if given.pop("checked", True) else "uncheck"
    if call.locator:
        return f"{call.locator}.{method}({_arguments(given)})"
    if call.tool in {"navigate", "go_back", "reload"}:
        return f"page.{method}({_arguments(given)})"
    return f"{method}({_arguments(given)})"


def call_result(call: Call) -> str:
    """What came of a call: `done`, `failed`, or `not run` where the batch was stopped before it."""
    if call.error.startswith(_NOT_RUN) or (call.success is None and not call.error):
        return "not run"
    return "done" if call.success else "failed"


def has_problems(iteration: Iteration) -> bool:
    """Whether something failed in an iteration, or was refused."""
    refused = iteration.ruling is not None and not iteration.ruling.proves
    failed = any(call_result(call) == "failed" for call in iteration.calls)
    return bool(iteration.problem) or refused or failed


def next_look(step: Step, at: int) -> int | None:
    """Return the place of the next iteration in which the page was looked at; None after the last."""
    return _looked(step, range(at + 1, len(step.iterations)))


def last_look(step: Step, at: int) -> int | None:
    """Return the place of the iteration before in which the page was looked at; None for the first."""
    return _looked(step, range(at - 1, -1, -1))


def _looked(step: Step, places: range) -> int | None:
    return next((at for at in places if step.iterations[at].role != "referee"), None)


def as_parameters(call: Call, full: bool = False) -> str:
    """What a call was given, but for the element that it was about; long lists only if `full`."""
    given = {key: value for key, value in call.parameters.items() if value != call.element}
    say = _literal if full else _short
    return ", ".join(f"{key}={say(value)}" for key, value in given.items())


def _is_element(key: str) -> bool:
    return key == "element_id" or key.endswith("_element_id")


def _arguments(given: Mapping[str, Any]) -> str:
    return ", ".join(
        _short(value) if key in _SPOKEN else f"{key}={_short(value)}"
        for key, value in given.items()
    )


def _short(value: Any) -> str:
    said = _literal(value)
    return said if len(said) < _LONG or isinstance(value, str) else "…"


def _literal(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return str(value)
    return json.dumps(value, ensure_ascii=False, default=str)


def drawn_marks(look: Picture) -> dict[str, Any]:
    """The marks of a picture as `report.js` draws them, short: colours are numbered.

    A mark is its id, colour and box, then its label and line where it has them.
    """
    colours: dict[str, int] = {}
    marks: list[list[Any]] = []
    for mark in look.marks:
        colour = mark.colour if _PICKED.fullmatch(mark.colour) else "#555555"
        number = colours.setdefault(colour, len(colours))
        sides = [round(side) for side in mark.box]
        if mark.label:
            sides += [round(side) for side in mark.label]
            if mark.line:
                sides += [round(side) for side in mark.line]
        marks.append([mark.id, number, *sides])
    return {"c": list(colours), "m": marks}


def bars_of(attempt: Attempt) -> list[tuple[str, str]]:
    """Where each step's bar begins in its attempt's time and how long it is, in percent."""
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
    """A file's path as a link from the report's folder; None for what is not a relative path."""
    path = path.replace("\\", "/")
    if not path or path.startswith("/") or _SCHEME.match(path):
        return None
    return quote(path)


@dataclass
class Pictures:
    """Brings pictures into the report's `folder`; links in it lead to files below `root`."""

    folder: Path
    root: Path
    _brought: dict[Path, str | None] = field(default_factory=dict)

    def look(self, run: Path, seen: Mapping[str, Any] | None) -> Picture | None:
        """A page that was looked at, its marks apart from its picture."""
        if not seen:
            return None
        look = Picture(
            url=str(seen.get("url") or ""),
            title=str(seen.get("title") or ""),
            outline=str(seen.get("outline") or ""),
        )
        shot = seen.get("screenshot")
        if not isinstance(shot, str) or not shot:
            return look
        marked = run / shot
        try:
            told = json.loads(marked.with_suffix(".json").read_text(encoding="utf-8"))
            look.picture = self.bring(run, f"{Path(shot).parent}/{told['plain']}")
            width, height = told["size"]
            look.size = (int(width), int(height))
            look.marks = [Mark(**mark) for mark in told["marks"]]
        except (OSError, ValueError, TypeError, KeyError):
            look.picture = self.bring(run, shot)
        return look

    def bring(self, run: Path, shot: object) -> str | None:
        """The path in the report of a picture of a run; None where it has gone."""
        if not isinstance(shot, str) or not shot:
            return None
        source = run / "screenshots" / Path(shot).name
        if source not in self._brought:
            self._brought[source] = self._bring(source)
        return self._brought[source]

    def link(self, file: str) -> str:
        """The way from the report to a file that is told from the root."""
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
                # Both are never written again; it costs neither time nor room.
                os.link(source, target)
            except OSError:
                try:
                    shutil.copyfile(source, target)
                except OSError:
                    return None
        return path
