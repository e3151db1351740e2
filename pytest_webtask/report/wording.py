"""How a report words what its records hold: times, money, actions, links, and what went wrong first."""

from __future__ import annotations

import datetime
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from pytest_webtask.report.records import Attempt, Call, Check, Cost, Iteration, Look, Step, Test

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
        lines.append(missed(unheld))
    return " – ".join(line for line in lines if line) or step.sentence


def missed(check: Check) -> str:
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


def came_to(call: Call) -> str:
    """What came of a call: `done`, `failed`, or `not run` where the batch was stopped before it."""
    if call.error.startswith(_NOT_RUN) or (call.success is None and not call.error):
        return "not run"
    return "done" if call.success else "failed"


def troubled(iteration: Iteration) -> bool:
    """Whether something failed in an iteration, or was refused."""
    refused = iteration.ruling is not None and not iteration.ruling.proves
    failed = any(came_to(call) == "failed" for call in iteration.calls)
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


def drawn(look: Look) -> dict[str, Any]:
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
