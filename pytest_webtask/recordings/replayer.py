"""The model that does what was recorded: the calls, and at the end of each step its evidence.

It looks at nothing. Where an element is not what it was it looks for it, once, on a fresh
observation; what it cannot find again is handed to the model behind it, if the mode has one.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from playwright.sync_api import Error

from pytest_webtask.checks.finding import NotFound
from pytest_webtask.errors import Drifted
from pytest_webtask.models import Model
from pytest_webtask.page.finding_again import find_again
from pytest_webtask.page.locators import Unreadable
from pytest_webtask.page.recalled import Missing, Recalled
from pytest_webtask.recordings.again import Again, Asked, is_negative
from pytest_webtask.recordings.placeholders import Placeholders, names_in
from pytest_webtask.recordings.steps import Call, Evidence, Step
from pytest_webtask.recordings.values import Underivable, read_again
from pytest_webtask.records import Checked, Decision, ProposedToolCall, Target, Turn
from pytest_webtask.tools.hands import Hands

__all__ = ["NAME", "Heal", "Replayer"]

NAME = "recording"
_POLL = 20.0


@dataclass(frozen=True)
class Heal:
    """An element that was found again: its old code and its new, and what it is."""

    old: str
    new: str
    what: str


@dataclass
class Replayer:
    """Replays one step. `heals` says whether what is found again may be used.

    `fallback` goes on where nothing can be found again, None where no model may. `told` is how a
    drift is told, with what to type; `handed` is why that model went on, "" where none had to.
    `done` are the calls that were made, `healed` and `found` the elements that were found again.
    """

    step: Step
    hands: Hands
    again: Again
    fallback: Model | None = None
    heals: bool = False
    told: Callable[[str, Sequence[Heal]], str] = lambda said, heals: said
    handed: str = ""
    healed: list[Heal] = field(default_factory=list)
    done: list[Call] = field(default_factory=list)
    found: dict[str, Target] = field(default_factory=dict)
    _loaded: int = 0
    _waited: float = 0.0
    _output: bool = False

    @property
    def turns(self) -> int:
        """How many iterations it may take: a model makes several calls in one."""
        return len(self.step.calls) + 5

    @property
    def looks(self) -> bool:
        """As the model that goes on does, if one has to."""
        return bool(self.handed) and bool(getattr(self.fallback, "looks", True))

    @property
    def replays(self) -> bool:
        """Whether the recording is still what decides."""
        return not self.handed

    def decide(self, turn: Turn) -> Decision:
        """The next call of the recording. Raises Drifted where there is no going on."""
        if not self.handed:
            try:
                return self._next(turn)
            except (Missing, Unreadable) as error:
                self._hand_over(str(error))
        assert self.fallback is not None, "it would not have been handed over"
        turn.notices = (*turn.notices, *([self._notice()] if turn.observed is None else []))
        return self.fallback.decide(turn)

    def _next(self, turn: Turn) -> Decision:
        if turn.role == "worker":
            return self._work(turn)
        if calls := self._calls(turn):
            return calls
        if self.step.kind == "extract":
            return self._read(turn)
        if self.step.kind == "select":
            return self._select(turn)
        return self._judge(turn)

    # What was done

    def _calls(self, turn: Turn) -> Decision | None:
        """The next of the recorded calls; None once all are made. Raises Missing."""
        made = [call for i in turn.iterations for call in i.calls]
        if made and not made[-1].success and made[-1].tool not in _ENDINGS:
            raise Missing(f"{made[-1].tool} failed: {made[-1].error}")
        if self.done and self.done[-1].loads:
            self._await_load(turn)
        while len(self.done) < len(self.step.calls):
            call = self.step.calls[len(self.done)]
            self.done.append(call)
            if call.tool == "wait" and not call.parameters.get("text"):
                # It was waited for what came next, which is waited for itself.
                self._waited = float(call.parameters.get("seconds") or 0)
                continue
            try:
                proposed = self._proposed(call, turn)
            except Missing:
                self.done.pop()
                raise
            self._loaded = turn.loads()
            return Decision([proposed], model=NAME)
        return None

    def _proposed(self, call: Call, turn: Turn) -> ProposedToolCall:
        parameters: dict[str, Any] = dict(call.parameters)
        asked = Asked()
        locators: dict[str, Recalled] = {}
        for name, target in call.targets.items():
            code = self.again.name(target, asked)
            recalled = asked.locators[code]
            try:
                recalled.look(turn.left(turn.timeout + self._waited))
            except Missing as error:
                parameters[name] = self._find(target, recalled, f"{call.tool}: {error}")
                continue
            parameters[name], locators[name] = code, recalled
        self._waited = 0.0
        return ProposedToolCall(call.tool, parameters, "as recorded", locators)

    def _await_load(self, turn: Turn) -> None:
        """What is there until the page has been loaded may look like what will be there."""
        end = time.monotonic() + turn.left(turn.timeout)
        while turn.loads() == self._loaded and time.monotonic() < end:
            turn.page.wait_for_timeout(_POLL)

    def _work(self, turn: Turn) -> Decision:
        last = next((c for i in reversed(turn.iterations) for c in reversed(i.calls)), None)
        if last is not None and last.tool == "mark_done" and not last.success:
            return self._disproved(turn, self.step.evidence)
        if calls := self._calls(turn):
            return calls
        if self.step.value is not None and not self._output:
            self._output = True
            return self._read(turn, "set_output")
        asked = self._asked(self.step.evidence)
        self._come_to_rest(self.step.evidence)
        given = {"summary": "as recorded", "evidence": asked.checks}
        return self._ends("mark_done", given, asked, turn)

    # What is claimed

    def _judge(self, turn: Turn) -> Decision:
        last = turn.iterations[-1].calls[-1] if turn.iterations else None
        if last is not None and last.tool == "report_verdict":
            return self._disproved(turn, self.step.evidence, last.error or "")
        if self.step.kind == "holds":
            return self._answer(turn)
        return self._holds(turn, self.step.evidence, turn.timeout + self._waited)

    def _holds(self, turn: Turn, evidence: Sequence[Evidence], waits: float) -> Decision:
        asked = self._asked(evidence)
        self._come_to_rest(evidence)
        readings = [{"word": w, "text": t} for w, t in self.step.readings.items()]
        given = {"outcome": "holds", "reason": "as recorded", "evidence": asked.checks}
        return self._ends("report_verdict", {**given, "readings": readings}, asked, turn, waits)

    def _answer(self, turn: Turn) -> Decision:
        """Whichever answer its evidence carries: yes as soon as it does, else no."""
        yes, no = self.step.evidence, self.step.otherwise
        if yes:
            asked = self._asked(yes)
            self._come_to_rest(yes)
            end = time.monotonic() + turn.left(turn.timeout)
            while True:
                if all(c.holds for c in turn.check(asked.checks, asked.locators)):
                    return self._holds(turn, yes, 0.0)
                if time.monotonic() >= end:
                    break
                turn.page.wait_for_timeout(_POLL)
        if no:
            asked = self._asked(no)
            self._come_to_rest(no)
            told = turn.check(asked.checks, asked.locators)
            if all(not c.problem and c.holds != e.fails for c, e in zip(told, no, strict=True)):
                given = {"outcome": "does_not_hold", "reason": "as recorded"}
                return self._ends(
                    "report_verdict", {**given, "evidence": asked.checks}, asked, turn, 0.0
                )
        answers = " nor that of no" if yes and no else ""
        which = "yes" if yes else "no"
        raise Missing(f"the recorded evidence of {which} does not hold{answers}")

    def _disproved(self, turn: Turn, evidence: Sequence[Evidence], refused: str = "") -> Decision:
        """Evidence did not hold: what is so otherwise is a failure, what is lost may be found."""
        asked = self._asked(evidence)
        told = turn.check(asked.checks, asked.locators)
        wrong = [c for c in told if not c.holds and not c.problem]
        lost = [(e, c) for e, c in zip(evidence, told, strict=True) if c.problem]
        if wrong:
            return self._failed(turn, asked, told, wrong)
        if not lost:
            if all(c.holds for c in told) and self.found and not refused:
                # It came true in the last moment.
                return self._again(turn, evidence)
            raise Missing(refused.strip() or "the evidence holds only now")
        for each, checked in lost:
            target = each.target
            if target is None or each.kind in ("count", "order") or target.locator in self.found:
                raise Missing(f"{checked.about}: {checked.problem}")
            recalled = self.again.recall(target)
            self._find(target, recalled, checked.problem)
        return self._again(turn, evidence)

    def _again(self, turn: Turn, evidence: Sequence[Evidence]) -> Decision:
        if turn.role == "worker":
            asked = self._asked(evidence)
            given = {"summary": "as recorded", "evidence": asked.checks}
            return self._ends("mark_done", given, asked, turn, 0.0)
        return self._holds(turn, evidence, 0.0)

    def _failed(
        self, turn: Turn, asked: Asked, told: Sequence[Checked], wrong: Sequence[Checked]
    ) -> Decision:
        """The elements are there, and say otherwise: no model is asked, and nothing is healed."""
        said = "; ".join(
            f"{c.about}: {c.expected} was expected, there is {c.actual or 'nothing'}" for c in wrong
        )
        if turn.role == "worker":
            given: dict[str, Any] = {"reason": f"all was done as recorded, but {said}"}
            return Decision([ProposedToolCall("abort", given)], model=NAME)
        if self.step.kind == "holds":
            raise Missing(said)
        given = {"outcome": "does_not_hold", "reason": said, "evidence": asked.checks}
        return self._ends("report_verdict", given, asked, turn, 0.0)

    # What is read

    def _read(self, turn: Turn, tool: str = "report_value") -> Decision:
        """The value as its sources have it now. Raises Missing."""
        end = time.monotonic() + turn.left(turn.timeout + self._waited)
        while True:
            asked = Asked()
            try:
                texts = [self.again.text(each, asked) for each in self.step.sources]
                value = read_again(self.step.value, texts)
                break
            except (Missing, NotFound, Underivable, Error) as error:
                if time.monotonic() >= end:
                    raise Missing(str(error)) from None
                turn.page.wait_for_timeout(_POLL)
        read = [
            {"element_id": name, "text": text}
            for name, text in zip(asked.checks, texts, strict=True)
            if isinstance(text, str)
        ]
        counted = [
            {"kind": "count", "element_ids": [name], "number": number}
            for name, number in zip(asked.checks, texts, strict=True)
            if isinstance(number, int)
        ]
        what = "output" if tool == "set_output" else "value"
        given: dict[str, Any] = {what: value, "read": read}
        if counted:
            given["recounted"] = counted
        return Decision([ProposedToolCall(tool, given, "as recorded", asked.locators)], model=NAME)

    def _select(self, turn: Turn) -> Decision:
        assert self.step.selected is not None, "a select has selected something"
        asked = Asked()
        code = self.again.name(self.step.selected, asked)
        try:
            asked.locators[code].look(turn.left(turn.timeout + self._waited))
        except Missing as error:
            code = self._find(self.step.selected, asked.locators[code], str(error))
        given = {"element_id": code}
        return Decision(
            [ProposedToolCall("report_element", given, "as recorded", asked.locators)], model=NAME
        )

    # What has changed

    def _find(self, target: Target, recalled: Recalled, wrong: str) -> str:
        """The id of the element that is clearly the one of the recording. Raises Missing."""
        wanted = recalled.target.signature
        known = None
        if wanted is not None:
            known = find_again(self.hands.observer, self.hands.page, wanted)
        if known is None:
            raise Missing(f"{target.locator}: {wrong}")
        new = self._placeholders.target(self.hands.target_of(known))
        self.found[target.locator] = new
        self.healed.append(
            Heal(target.locator, new.locator, f'{known.element.role} "{known.element.name}"')
        )
        if not self.heals:
            self._hand_over(f"{target.locator}: {wrong}")
        return known.element.id

    @property
    def _placeholders(self) -> Placeholders:
        texts = [self.step.sentence]
        texts += [v for c in self.step.calls for v in c.parameters.values() if isinstance(v, str)]
        names, shown = names_in(texts), self.hands.data.shown
        return Placeholders({n: v for n, v in shown.items() if n in names and v is not None})

    def _asked(self, evidence: Sequence[Evidence]) -> Asked:
        """The checks, with the targets that were found again in place of those that were lost."""
        return self.again.ask(
            each.model_copy(update={"target": self.found[each.target.locator]})
            if each.target and each.target.locator in self.found
            else each
            for each in evidence
        )

    def _come_to_rest(self, evidence: Sequence[Evidence]) -> None:
        """What is not there yet may still come."""
        if is_negative(evidence):
            self.hands.settler.settle(self.hands.page)

    def _ends(
        self,
        tool: str,
        given: Mapping[str, Any],
        asked: Asked,
        turn: Turn,
        waits: float | None = None,
    ) -> Decision:
        seconds = turn.left(turn.timeout + self._waited if waits is None else waits)
        call = ProposedToolCall(tool, given, "as recorded", asked.locators)
        return Decision([replace(call, waits=seconds)], model=NAME)

    def _hand_over(self, said: str) -> None:
        """Let the model go on. Raises Drifted where there is none."""
        if self.fallback is None:
            raise Drifted(self.told(said, self.healed))
        self.handed = said

    def _notice(self) -> str:
        done = (
            f"{len(self.done)} of its {len(self.step.calls)} calls were made" if self.done else ""
        )
        return (
            "This step was recorded before, and is replayed."
            f" {done + ', as the history tells. ' if done else ''}Then the page was not what it was:"
            f" {self.handed}. Go on from here; do not do again what was done."
        )


_ENDINGS = frozenset(("mark_done", "report_verdict", "report_value", "report_element"))
