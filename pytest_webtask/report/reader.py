"""Journals → records: one test at a time, so that a report of any size fits into memory."""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from pytest_webtask.report.text import first_problem
from pytest_webtask.report.view import (
    Approval,
    Artifact,
    Attempt,
    Call,
    Check,
    Cost,
    Event,
    Heal,
    Iteration,
    Pictures,
    RecoveryStep,
    Step,
    Subtask,
    Test,
)
from pytest_webtask.types.agent import Conclusion, Fact, Ruling

__all__ = ["REFEREE", "WELL", "Index", "Line", "finite_number", "index_journals", "read_test"]


Line = Mapping[str, Any]


@dataclass
class Index:
    """Where the lines of each test stand in the journals of some runs."""

    runs: list[str] = field(default_factory=list)
    damaged: int = 0
    started: float = 0.0
    ended: float = 0.0
    _places: dict[str, dict[tuple[Path, int], list[int]]] = field(default_factory=dict)

    @property
    def tests(self) -> list[str]:
        """The ids of the tests, in the order in which they began."""
        return list(self._places)

    def lines(self, test: str) -> Iterator[tuple[Path, int, list[Line]]]:
        """For each attempt of a test its journal, number and lines, in their order."""
        for (path, attempt), offsets in self._places[test].items():
            lines = []
            with path.open("rb") as file:
                for offset in offsets:
                    file.seek(offset)
                    lines.append(json.loads(file.readline().decode(errors="replace")))
            yield path, attempt, lines


def index_journals(folders: Sequence[Path]) -> Index:
    """The index of the journals of these runs; what cannot be read in them is only counted."""
    found = Index(runs=[folder.name for folder in folders])
    began: list[tuple[float, str, Path, int, int]] = []
    for path in (path for folder in folders for path in sorted(folder.glob("*.jsonl"))):
        offset = 0
        with path.open("rb") as file:
            for text in file:
                try:
                    line = json.loads(text.decode(errors="replace"))
                    time = finite_number(line["time"])
                    known = str(line["kind"]) and line.get("test")
                    attempt = int(line.get("attempt", 1))
                except (ValueError, TypeError, KeyError, OverflowError, RecursionError):
                    found.damaged += 1
                else:
                    found.started = min(found.started or time, time)
                    found.ended = max(found.ended, time)
                    if isinstance(known, str):
                        began.append((time, known, path, attempt, offset))
                offset += len(text)
    places: dict[str, dict[tuple[Path, int], list[int]]] = defaultdict(lambda: defaultdict(list))
    # Within a file the order of the lines is that of time, whatever the clock did.
    firsts: dict[tuple[str, Path, int], float] = {}
    for time, test, path, attempt, _ in began:
        firsts.setdefault((test, path, attempt), time)
    for test, path, attempt in sorted(firsts, key=lambda key: firsts[key]):
        places[test][path, attempt] = []
    for _, test, path, attempt, offset in began:
        places[test][path, attempt].append(offset)
    found._places = dict(places)
    return found


def finite_number(value: Any) -> float:
    """A finite number. Raises ValueError for any other."""
    made = float(value)
    if not math.isfinite(made):
        raise ValueError(f"not a number: {value}")
    return made


_Record = TypeVar("_Record", bound=BaseModel)

WELL = frozenset(("completed", "passed", "found", "yes", "no"))
"""How a step ends that is as it should be."""
REFEREE = "referee"
_UNDECIDED = ("recording", "literal")
"""What is called model in an iteration, and is none."""
_PHASES = ("setup", "call", "teardown")
_RANKS = (
    "failed", "error", "never ended", "flaky", "xpassed", "passed", "xfailed", "skipped",
)  # fmt: skip
_KINDS = frozenset(
    "decision call event iteration ruling verdict found made proposal hint unrecorded last_look step_end"
    " step_time task rung".split()
)
"""The kinds of lines that tell of a step, each read by the method of that name."""


def read_test(index: Index, test: str, pictures: Pictures) -> Test:
    """All that the journals have of a test; its pictures are brought into the report."""
    attempts = [
        _attempt(path, number, lines, pictures)
        for number, (path, _, lines) in enumerate(index.lines(test), 1)
    ]
    made = Test(id=test, attempts=attempts)
    made.started = min((a.started for a in attempts), default=0.0)
    made.outcome = _outcome(attempts)
    for attempt in attempts:
        made.seconds += attempt.seconds
        for step in attempt.steps:
            made.cost.add(step.cost)
            made.healed += any(heal.used for heal in step.heals)
            if step.decided:
                made.decided[step.decided] = made.decided.get(step.decided, 0) + 1
    made.wrong = first_problem(made)
    return made


def _outcome(attempts: Sequence[Attempt]) -> str:
    """The worst of all runs: those of a matrix are of different machines."""
    runs: dict[str, list[str]] = {}
    for attempt in attempts:
        if not attempt.lost:
            runs.setdefault(attempt.run, []).append(attempt.outcome)
    told = [
        "flaky" if last == "passed" and set(before) & {"failed", "error"} else last
        for *before, last in runs.values()
    ]
    return min(told, key=_RANKS.index, default="never ended")


def _attempt(path: Path, number: int, lines: Iterable[Line], pictures: Pictures) -> Attempt:
    made = Attempt(number=number, run=path.parent.name)
    steps: dict[tuple[str, int], _Reading] = {}
    phases: dict[str, Line] = {}
    last = 0.0
    for line in lines:
        made.started = made.started or float(line["time"])
        last = float(line["time"])
        # What is there but is not what it ought to be costs nothing but itself.
        with suppress(ValueError, TypeError, KeyError, AttributeError, OverflowError):
            if line["kind"] == "lost":
                made.lost = str(line.get("why") or "")
            if line["kind"] == "phase":
                phases[str(line.get("when"))] = line
                continue
            key = (str(line.get("webtask") or ""), int(line.get("step") or 0))
            if line["kind"] == "step":
                steps[key] = _Reading(line, path.parent, pictures)
            elif key in steps:
                steps[key].read(line)
    made.steps = [reading.end() for reading in steps.values()]
    made.outcome = _of_phases(phases)
    times = [_seconds(each) for each in phases.values()]
    made.seconds = sum(times) if "teardown" in phases else max(last - made.started, sum(times))
    said = [str(phases[when].get("message") or "") for when in _PHASES if when in phases]
    made.message = "\n\n".join(filter(None, said))
    raised = [str(phases[when].get("raised") or "") for when in _PHASES if when in phases]
    made.raised = "\n".join(filter(None, raised))
    with suppress(ValueError, TypeError):
        made.blamed = [
            (str(name), int(number))
            for phase in phases.values()
            for name, number in phase.get("steps") or ()
        ]
    with suppress(ValueError, TypeError):
        made.artifacts = [
            Artifact(kind=str(kind), path=pictures.link(str(file)))
            for phase in phases.values()
            for kind, file in phase.get("artifacts") or ()
        ]
    return made


def _of_phases(phases: Mapping[str, Line]) -> str:
    if "teardown" not in phases:
        return "never ended"
    outcomes = {when: line.get("outcome") for when, line in phases.items()}
    if outcomes.get("call") == "failed":
        return "failed"
    if "failed" in outcomes.values():
        return "error"
    expected = any("expected" in line for line in phases.values())
    if "skipped" in outcomes.values():
        return "xfailed" if expected else "skipped"
    return "xpassed" if expected else "passed"


class _Reading:
    """A step as its lines come in."""

    def __init__(self, line: Line, run: Path, pictures: Pictures) -> None:
        self._run = run
        self._pictures = pictures
        self._open: Iteration | None = None
        self._rulings: list[Iteration] = []
        self._by = ""
        self.step = Step(
            number=int(line.get("step") or 0),
            webtask=str(line.get("webtask") or ""),
            kind=str(line.get("step_kind") or ""),
            sentence=str(line.get("sentence") or ""),
            started=float(line["time"]),
        )
        self._last = self.step.started

    def read(self, line: Line) -> None:
        """Take in a further line."""
        self._last = float(line["time"])
        if line["kind"] in _KINDS:
            getattr(self, f"_{line['kind']}")(line)

    def end(self) -> Step:
        """The step, whether it ended or not."""
        step = self.step
        if self._open is not None:
            step.iterations.append(self._open)
        step.iterations += self._rulings
        step.seconds = step.seconds or self._last - step.started
        step.ok = step.status in WELL
        if any(check.fact for check in step.evidence):
            # The evidence says them better.
            step.reason = step.reason.partition("\nfacts:\n")[0]
        rulings = [i.ruling for i in step.iterations if i.ruling]
        if step.ruling is None:
            step.ruling = next((r for r in reversed(rulings) if r.proves == step.ok), None)
        asked = any(
            i.cost.model_calls or i.model.lower() not in _UNDECIDED
            for i in step.iterations
            if i.role != REFEREE
        )
        if any(heal.used for heal in step.heals):
            step.decided = "healed"
        elif step.iterations and asked:
            step.decided = "model"
        elif any(i.model == "recording" for i in step.iterations) or self._by == "recording":
            step.decided = "replayed"
        elif step.iterations:
            step.decided = "literal"
        elif step.status == "drifted":
            step.decided = "replayed"
        return step

    def _decision(self, line: Line) -> None:
        # What is proposed counts where the process was killed before it was done.
        calls = [_call(call) for call in line.get("calls") or ()]
        self._open = Iteration(
            number=int(line.get("number") or 0),
            reasoning=str(line.get("reasoning") or ""),
            calls=calls,
            ended=False,
        )

    def _call(self, line: Line) -> None:
        if self._open is not None:
            undone = next((n for n, c in enumerate(self._open.calls) if c.success is None), None)
            if undone is not None:
                self._open.calls[undone] = _call(line)

    def _event(self, line: Line) -> None:
        event = Event(kind=str(line.get("event") or ""), text=str(line.get("text") or ""))
        (self._open.events if self._open is not None else self.step.events).append(event)

    def _iteration(self, line: Line) -> None:
        events = self._open.events if self._open is not None else []
        self._open = None
        self.step.iterations.append(self._ended(line, events))
        # What a referee ruled while a call was at work follows the iteration that it ruled on.
        self.step.iterations += self._rulings
        self._rulings = []

    def _ruling(self, line: Line) -> None:
        made = self._ended(line, [])
        made.conclusion = _as(Conclusion, line.get("conclusion"))
        given = next((c.parameters for c in made.calls if c.success), {})
        fields = {k: given[k] for k in Ruling.model_fields if k in given}
        blind = made.model != "handoff"
        made.ruling = _as(Ruling, {**fields, "by": made.model, "blind": blind} if fields else None)
        (self.step.iterations if self._open is None else self._rulings).append(made)

    def _ended(self, line: Line, events: list[Event]) -> Iteration:
        """Return an iteration, whose cost is the step's as well."""
        usage = line.get("usage") or {}
        cost = Cost(
            model_calls=usage.get("model_calls", 0),
            tokens_in=sum(usage.get(f"{k}_tokens", 0) for k in _INPUT),
            tokens_cached=usage.get("cache_read_tokens", 0),
            tokens_out=usage.get("output_tokens", 0),
            dollars=usage.get("cost", 0.0),
        )
        self.step.cost.add(cost)
        return Iteration(
            number=int(line.get("number") or 0),
            role=str(line.get("role") or ""),
            model=str(line.get("model") or ""),
            seconds=_seconds(line),
            look=self._pictures.look(self._run, line.get("observed")),
            reasoning=str(line.get("reasoning") or ""),
            problem=str(line.get("problem") or ""),
            notices=[str(each) for each in line.get("notices") or ()],
            calls=[_call(call) for call in line.get("calls") or ()],
            events=events,
            cost=cost,
        )

    def _verdict(self, line: Line) -> None:
        self.step.reason = str(line.get("reason") or "")
        self.step.by_eye = bool(line.get("by_eye"))
        self.step.ruling = _as(Ruling, line.get("ruling"))
        self._evidence(line.get("evidence"))

    def _found(self, line: Line) -> None:
        value = line.get("code") or line.get("value")
        self.step.value = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        self._evidence(line.get("sources"))

    def _evidence(self, checks: Iterable[Line] | None) -> None:
        self.step.evidence = [
            Check(
                kind=str((check.get("check") or {}).get("kind") or ""),
                about=str(check.get("about") or ""),
                expected=str(check.get("expected") or ""),
                actual=str(check.get("actual") or ""),
                holds=bool(check.get("holds")),
                problem=str(check.get("problem") or ""),
                locator=_locator(check.get("target")),
                picture=self._pictures.bring(self._run, check.get("screenshot")),
                held_before=check.get("held_before"),
                fact=_as(Fact, check.get("fact")),
            )
            for check in checks or ()
        ]

    def _made(self, line: Line) -> None:
        self._by = str(line.get("by") or "")
        approved = (line.get("made") or {}).get("approved") or {}
        fields = {k: approved[k] for k in Approval.model_fields if k in approved}
        self.step.approved = _as(Approval, fields or None)

    def _proposal(self, line: Line) -> None:
        self.step.heals += [
            Heal(
                what=str(heal.get("what") or ""),
                old=str(heal.get("old") or ""),
                new=str(heal.get("new") or ""),
                file=str(line.get("file") or ""),
                used=bool(line.get("used", True)),
            )
            for heal in line.get("healed") or ()
        ]

    def _hint(self, line: Line) -> None:
        self.step.hints.append(str(line.get("why") or ""))

    def _unrecorded(self, line: Line) -> None:
        self.step.hints.append(f"not recorded: {line.get('why')}")

    def _task(self, line: Line) -> None:
        record = line.get("record") or {}
        self.step.subtasks = [
            Subtask(
                goal=str(each.get("goal") or ""),
                status=str(each.get("status") or ""),
                feedback=str(each.get("feedback") or ""),
            )
            for each in record.get("subtasks") or ()
        ]

    def _rung(self, line: Line) -> None:
        made = RecoveryStep(rung=str(line.get("rung") or ""), why=str(line.get("why") or ""))
        self.step.rungs.append(made)

    def _last_look(self, line: Line) -> None:
        self.step.last = self._pictures.look(self._run, line.get("observed"))

    def _step_end(self, line: Line) -> None:
        step = self.step
        step.status = str(line.get("status") or "")
        step.reason = str(line.get("reason") or line.get("feedback") or step.reason)
        step.error = str(line.get("error") or "")
        if "evidence" in line:
            self._evidence(line["evidence"])

    def _step_time(self, line: Line) -> None:
        self.step.seconds = _seconds(line)


def _plain(value: Any) -> Any:
    """A value that JSON can say: it has no word for what is no number."""
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    return [_plain(each) for each in value] if isinstance(value, list) else value


def _seconds(line: Line) -> float:
    """How long something took, 0 where nobody knows."""
    try:
        return finite_number(line.get("seconds") or 0.0)
    except (ValueError, TypeError, OverflowError):
        return 0.0


def _as(kind: type[_Record], value: Any) -> _Record | None:
    """Return a record out of a journal; None where there is none that can be read."""
    try:
        return None if value is None else kind.model_validate(value)
    except ValidationError:
        return None


def _locator(target: Line | None) -> str:
    """Return the best locator of a target, "" where it has none."""
    return str(next(iter((target or {}).get("locators") or ()), ""))


_INPUT = ("input", "cache_read", "cache_write")


def _call(line: Line) -> Call:
    targets = line.get("targets") or {}
    target = targets.get("element_id") or next(iter(targets.values()), None) or {}
    parameters = dict(line.get("parameters") or {})
    reason = str(line.get("reason") or parameters.pop("reason", "") or "")
    return Call(
        tool=str(line.get("tool") or ""),
        parameters={k: _plain(v) for k, v in parameters.items() if k != "reason"},
        reason=reason,
        element=str(parameters.get("element_id") or ""),
        locator=_locator(target),
        success=line.get("success"),
        result=str(line.get("result") or ""),
        error=str(line.get("error") or ""),
        # An iteration has it by another name than the line of the call itself.
        seconds=_seconds(line) or _seconds({"seconds": line.get("time")}),
    )
