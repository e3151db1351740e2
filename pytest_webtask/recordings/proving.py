"""Recorded evidence on the live page: what it carries, and what is said where it does not hold."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pytest_webtask.checks.element import Matches, Text
from pytest_webtask.checks.volatile import as_pattern
from pytest_webtask.data.placeholders import Placeholders
from pytest_webtask.page.recalled import Missing
from pytest_webtask.recordings.again import Asked
from pytest_webtask.recordings.differing import is_other_case, shared_pattern
from pytest_webtask.recordings.drifting import LATE, NAME, POLL, Drifting, Heal, place_of
from pytest_webtask.recordings.placeholders import names_in
from pytest_webtask.recordings.steps import Evidence
from pytest_webtask.records import CheckResult, Decision, ProposedToolCall, Turn

__all__ = ["Proving"]

_WHY = {"pattern": "it changes by itself", "case": "it differs with the data"}


@dataclass
class Proving(Drifting):
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
        self, turn: Turn, asked: Asked, told: Sequence[CheckResult], wrong: Sequence[CheckResult]
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
