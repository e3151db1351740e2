"""The model that does what was recorded: the calls, and at the end of each step its evidence."""

from __future__ import annotations

import hashlib
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from typing import Any

from playwright.sync_api import Error
from pydantic import ValidationError

from pytest_webtask.checks.base import UncheckableError
from pytest_webtask.checks.element import Matches, Text
from pytest_webtask.checks.volatile import as_pattern
from pytest_webtask.data import Placeholders
from pytest_webtask.page.locator_parser import Unreadable
from pytest_webtask.page.observer import quiet
from pytest_webtask.page.recorded_element import Missing, RecordedElement
from pytest_webtask.recordings.healing import LATE, NAME, POLL, Heal, Healer, place_of
from pytest_webtask.recordings.resolver import CheckRequest, Underivable, read_again
from pytest_webtask.recordings.schema import Evidence, RecordedCall, names_in
from pytest_webtask.types.agent import CheckResult, Decision, ProposedToolCall, Turn

__all__ = ["EvidenceVerifier", "ReplayModel", "fingerprints", "is_other_case", "shared_pattern"]


_TOKEN = re.compile(r"\{\w+\}|\d+(?:[.,:]\d+)*|[^\W\d]+|\s+|[^\w\s]|_")
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")


def fingerprints(values: Mapping[str, str]) -> dict[str, str]:
    """Return what tells values from others without telling them."""
    return {n: hashlib.sha256(v.encode()).hexdigest()[:4] for n, v in sorted(values.items())}


def is_other_case(recorded: Mapping[str, str], values: Mapping[str, str]) -> bool:
    """Whether some of the values are others than those with these fingerprints."""
    now = fingerprints(values)
    return any(now[name] != recorded[name] for name in now.keys() & recorded.keys())


def shared_pattern(recorded: str, now: str) -> str | None:
    """Return a pattern for two texts with placeholders, None where they share no word.

    Where they differ, a number may be another number, and words up to twice as many words.
    """
    one, two = (_TOKEN.findall(" ".join(text.split())) for text in (recorded, now))
    parts, shared = [], ""
    for tag, a, b, c, d in SequenceMatcher(None, one, two, autojunk=False).get_opcodes():
        old, new = "".join(one[a:b]), "".join(two[c:d])
        if tag == "equal":
            shared += old
            parts += [t if t[:1] == "{" and t[1:] else _literal(t) for t in one[a:b]]
        elif _NUMBER.fullmatch(old) and _NUMBER.fullmatch(new):
            parts.append(_NUMBER.pattern)
        else:
            most = 2 * max(len(old.split()), len(new.split())) - 1
            words = rf"\S+(?:\s+\S+){{0,{most}}}"
            parts.append(words if tag == "replace" else rf"(?:\s*{words}\s*)?")
    if not re.search(r"[^\W\d_]{2}", re.sub(r"\{\w+\}", "", shared)):
        return None
    pattern = "".join(parts)
    try:
        Matches(pattern=pattern)
    except ValidationError:
        return None
    return pattern


def _literal(token: str) -> str:
    return r"\s+" if token.isspace() else re.escape(token)


_WHY = {"pattern": "it changes by itself", "case": "it differs with the data"}


@dataclass
class EvidenceVerifier(Healer):
    """Proves again what was proved when a step was recorded."""

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
        given = {"outcome": "holds", "reason": "as recorded", "evidence": asked.checks}
        return self._ends("report_verdict", given, asked, turn, waits)

    def _answer(self, turn: Turn) -> Decision:
        """Whichever answer its evidence carries: yes as soon as it does, else no."""
        yes, no = self.step.evidence, self.step.otherwise
        self.hands.settler.settle(self.hands.page, LATE)
        end = time.monotonic() + turn.left(turn.timeout)
        while True:
            asked = self._asked(yes)
            if yes and all(c.holds for c in turn.check(asked.checks, asked.locators)):
                return self._holds(turn, yes, 0.0)
            # Where nothing is recorded of a yes, the page at rest says all there is to know.
            if not yes or time.monotonic() >= end:
                break
            turn.page.wait_for_timeout(POLL)
        if no:
            asked = self._asked(no)
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
        wrong = [c for c in told if not c.holds and not c.lost and not c.check.by_eye]
        lost = [(e, c) for e, c in zip(evidence, told, strict=True) if c.lost]
        unseen = [c for c in told if c.check.by_eye and c.problem]
        if unseen and not wrong:
            return self._undecided(unseen[0])
        if wrong and self._may_differ(evidence, told):
            return self._again(turn, self.step.evidence)
        if wrong:
            return self._failed(turn, asked, told, wrong)
        if not lost:
            if all(c.holds for c in told) and self.found and not refused:
                # It came true in the last moment.
                return self._again(turn, evidence)
            raise Missing(refused.strip() or "the evidence holds only now")
        for each, checked in lost:
            target = each.target
            if target is None or each.check.of_set or place_of(target) in self.found:
                raise Missing(f"{checked.about}: {checked.problem}")
            recalled = self.again.recall(target)
            told_by = self.again.fill(str(each.expects.get("text") or ""))
            self._find(target, recalled, checked.problem, told_by)
        return self._again(turn, evidence)

    def _undecided(self, checked: CheckResult) -> Decision:
        """What was seen by eye looks otherwise now: only a model can tell whether it still is so."""
        if self.fallback is not None or self.step.kind != "verify":
            raise Missing(f"{checked.about}: {checked.problem}")
        given = {"outcome": "cannot_tell", "reason": checked.problem}
        return Decision([ProposedToolCall("report_verdict", given)], model=NAME)

    def _may_differ(self, evidence: Sequence[Evidence], told: Sequence[CheckResult]) -> bool:
        """Whether a referee finds that the texts which differ from the recorded ones may.

        They change by themselves, as dates and ids do, or the test runs with other data than those
        of the recording. The referee is asked once; what it allows is a pattern from then on, and a
        proposal.
        """
        if self.fallback is None or self.step is not self.recorded:
            return False
        shown = {n: v for n, v in self.hands.data.shown.items() if v is not None}
        values = {**self.again.values, **shown}
        texts = [self.step.sentence, *(text for e in evidence for text in e.check.expected_texts())]
        put = Placeholders({n: v for n, v in values.items() if n in names_in(texts)})
        fill, named = self.hands.data.fill, self.hands.data.fill(self.step.sentence)
        new, facts, changed, kind = list(evidence), [], [], "pattern"
        for at, (each, checked) in enumerate(zip(evidence, told, strict=True)):
            fact = checked.fact.as_json() if checked.fact else {"check": each.kind}
            if not checked.holds:
                check = each.check
                if not isinstance(check, Text) or checked.problem:
                    return False
                pattern = as_pattern(fill(check.text), checked.actual, named, whole=check.exact)
                if not pattern and check.exact and is_other_case(self.step.case, values):
                    own = Placeholders(
                        {n: values[n] for n in names_in([check.text]) if n in values}
                    )
                    pattern, kind = shared_pattern(check.text, own.put(checked.actual)), "case"
                if not pattern:
                    return False
                new[at] = Evidence(check=Matches(pattern=pattern), target=each.target)
                changed.append(Heal(f"text {checked.expected}", f"matches {pattern!r}", _WHY[kind]))
                fact = {k: v for k, v in fact.items() if k not in ("expected", "match", "text")}
                accepts = f"later runs accept what fits {pattern}"
                fact |= {"recorded": check.text, "now": checked.actual, "changes": accepts}
            facts.append({"number": at + 1, **put.put_all(fact)})
        if not self.changes(kind, self.step.sentence, facts):
            return False
        self.step = self.step.model_copy(update={"evidence": tuple(new)})
        self.healed += changed
        return True

    def _again(self, turn: Turn, evidence: Sequence[Evidence]) -> Decision:
        if turn.role == "worker":
            asked = self._asked(evidence)
            given = {"summary": "as recorded", "evidence": asked.checks}
            return self._ends("mark_done", given, asked, turn, 0.0)
        return self._holds(turn, evidence, 0.0)

    def _failed(
        self,
        turn: Turn,
        asked: CheckRequest,
        told: Sequence[CheckResult],
        wrong: Sequence[CheckResult],
    ) -> Decision:
        """The elements are there, and say otherwise: no model is asked, and nothing is healed."""
        said = "; ".join(
            f"{c.about}: {c.expected} was expected, there is {c.problem or c.actual or 'nothing'}"
            for c in wrong
        )
        if turn.role == "worker":
            given: dict[str, Any] = {"reason": f"all was done as recorded, but {said}"}
            return Decision([ProposedToolCall("abort", given)], model=NAME)
        if self.step.kind == "holds":
            raise Missing(said)
        given = {"outcome": "does_not_hold", "reason": said, "evidence": asked.checks}
        return self._ends("report_verdict", given, asked, turn, 0.0)


@dataclass
class ReplayModel(EvidenceVerifier):
    """Replays one step: a model to whom nothing of it is a question."""

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

    def _look_before(self, turn: Turn) -> None:
        """Note whether all that its calls bring about is there before they are made.

        Such evidence holds whatever they do, so that the page must be seen to react.
        """
        new = [e for e in self.step.evidence if not (e.held_before or e.check.by_eye)]
        if not new or not self.step.calls:
            return
        asked = self._asked(new)
        if all(each.holds for each in turn.check(asked.checks, asked.locators)):
            quiet(turn.page)
            self._unmoved = (turn.loads(), time.monotonic())

    def _must_have_reacted(self, turn: Turn) -> None:
        """Raise Missing where evidence was there before, and nothing has changed since."""
        if self._unloaded and all(each.held_before for each in self.step.evidence):
            raise Missing("another page was loaded when it was recorded, and none is now")
        if self._unmoved is None:
            return
        loads, began = self._unmoved
        # The page is asked last, so that it cannot seem to have changed for the time of asking.
        passed = time.monotonic() - began
        if turn.loads() == loads and quiet(turn.page) >= passed:
            raise Missing(
                "its evidence was there before anything was done, and the page did not change: that"
                " shows nothing"
            )

    def _proposed(self, call: RecordedCall, turn: Turn) -> ProposedToolCall:
        # First of all, so that nothing comes between the look and the act.
        self.hands.watch()
        parameters: dict[str, Any] = dict(call.parameters)
        asked = CheckRequest()
        locators: dict[str, RecordedElement] = {}
        for name, target in call.targets.items():
            code = self.again.name(target, asked)
            recalled = asked.locators[code]
            try:
                found = recalled.look(turn.left(turn.timeout + self._waited))
            except Missing as error:
                parameters[name] = self._find(target, recalled, f"{call.tool}: {error}")
                continue
            parameters[name], locators[name] = code, replace(recalled, found=found)
        self._waited = 0.0
        return ProposedToolCall(call.tool, parameters, "as recorded", locators)

    def _await_load(self, turn: Turn) -> None:
        """What is there until the page has been loaded may look like what will be there."""
        end = time.monotonic() + turn.left(turn.timeout)
        while turn.loads() == self._loaded and time.monotonic() < end:
            turn.page.wait_for_timeout(POLL)
        self._unloaded |= turn.loads() == self._loaded

    def _work(self, turn: Turn) -> Decision:
        last = next((c for i in reversed(turn.iterations) for c in reversed(i.calls)), None)
        if last is not None and last.tool == "mark_done" and not last.success:
            return self._disproved(turn, self.step.evidence)
        if not self.done:
            self._look_before(turn)
        if calls := self._calls(turn):
            return calls
        if self.step.value is not None and not self._output:
            self._output = True
            return self._read(turn, "set_output")
        self._must_have_reacted(turn)
        asked = self._asked(self.step.evidence)
        self._come_to_rest(self.step.evidence)
        given = {"summary": "as recorded", "evidence": asked.checks}
        return self._ends("mark_done", given, asked, turn)

    # What is read

    def _read(self, turn: Turn, tool: str = "report_value") -> Decision:
        """The value as its sources have it now. Raises Missing."""
        self.hands.settler.settle(self.hands.page, LATE)
        end = time.monotonic() + turn.left(turn.timeout + self._waited)
        while True:
            asked = CheckRequest()
            try:
                texts = [self.again.text(each, asked) for each in self.step.sources]
                value = read_again(self.step.value, texts)
                self._all_there(turn)
                break
            except (Missing, UncheckableError, Underivable, Error) as error:
                if time.monotonic() >= end:
                    raise Missing(str(error)) from None
                turn.page.wait_for_timeout(POLL)
        read = [
            {"element_id": name, "text": text}
            for name, text in zip(asked.checks, texts, strict=True)
            if isinstance(text, str)
        ]
        counted = [
            {"kind": "count", "element_ids": [name], "number": str(number)}
            for name, number in zip(asked.checks, texts, strict=True)
            if isinstance(number, int)
        ]
        what = "output" if tool == "set_output" else "value"
        given: dict[str, Any] = {what: value, "read": read}
        if counted:
            given["recounted"] = counted
        return self._reports(tool, given, asked)

    def _reports(self, tool: str, given: dict[str, Any], asked: CheckRequest) -> Decision:
        """Return a call that reports, with its evidence where that must be approved."""
        if self.unapproved and tool != "set_output":
            evidence = self._asked(self.step.evidence)
            asked.locators |= evidence.locators
            given["evidence"] = evidence.checks
        return Decision([ProposedToolCall(tool, given, "as recorded", asked.locators)], model=NAME)

    def _all_there(self, turn: Turn) -> None:
        """Raise Missing where there are more or fewer than were read, or other evidence fails."""
        if turn.role == "worker":
            return
        counted = self._asked(self.step.evidence)
        for each in turn.check(counted.checks, counted.locators):
            if not each.holds:
                told = each.problem or each.actual or "nothing"
                raise Missing(f"{each.about}: {each.expected} was recorded, there is {told}")

    def _select(self, turn: Turn) -> Decision:
        assert self.step.selected is not None, "a select has selected something"
        asked = CheckRequest()
        code = self.again.name(self.step.selected, asked)
        end = time.monotonic() + turn.left(turn.timeout + self._waited)
        try:
            asked.locators[code].look(max(end - time.monotonic(), 0.0), whole=True)
        except Missing as error:
            code = self._find(self.step.selected, asked.locators[code], str(error))
        self._come_to_rest(self.step.evidence)
        while self.step.evidence:
            try:
                self._all_there(turn)
                break
            except Missing:
                if time.monotonic() >= end:
                    raise
                turn.page.wait_for_timeout(POLL)
        return self._reports("report_element", {"element_id": code}, asked)


_ENDINGS = frozenset(("mark_done", "report_verdict", "report_value", "report_element"))
