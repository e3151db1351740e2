"""The model that does what was recorded: the calls, and at the end of each step its evidence.

It looks at nothing. Where an element is not what it was it looks for it, once, on a fresh
observation; what it cannot find again is handed to the model behind it, if the mode has one.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import Any

from playwright.sync_api import Error

from pytest_webtask.checks.base import UncheckableError
from pytest_webtask.page.locators import Unreadable
from pytest_webtask.page.recalled import Missing, Recalled
from pytest_webtask.page.settle import quiet
from pytest_webtask.recordings.again import Asked
from pytest_webtask.recordings.drifting import LATE, NAME, POLL
from pytest_webtask.recordings.proving import Proving
from pytest_webtask.recordings.steps import Call
from pytest_webtask.recordings.values import Underivable, read_again
from pytest_webtask.records import Decision, ProposedToolCall, Turn

__all__ = ["Replayer"]


@dataclass
class Replayer(Proving):
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

    def _proposed(self, call: Call, turn: Turn) -> ProposedToolCall:
        # First of all, so that nothing comes between the look and the act.
        self.hands.watch()
        parameters: dict[str, Any] = dict(call.parameters)
        asked = Asked()
        locators: dict[str, Recalled] = {}
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
            asked = Asked()
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

    def _reports(self, tool: str, given: dict[str, Any], asked: Asked) -> Decision:
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
        asked = Asked()
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
