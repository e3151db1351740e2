"""The agent loop: observe, decide, act, record."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, NoReturn, cast

from playwright.sync_api import Page

from pytest_webtask.errors import ModelError, PageError
from pytest_webtask.llm import Model
from pytest_webtask.tools.context import Hands
from pytest_webtask.tools.registry import ENDINGS, Toolbox
from pytest_webtask.types.agent import (
    Event,
    Iteration,
    Observation,
    ProposedToolCall,
    Seen,
    TaskRecord,
    ToolCall,
    Turn,
    Work,
    WorkerSession,
)

NO_CALLS_AT_MOST = 3
_log = logging.getLogger("pytest_webtask")


@dataclass(frozen=True)
class Brief:
    """What a session is about: its task, and what its model may know besides.

    `max_steps` bounds the iterations of the whole step, of which `taken` have been, by other roles.
    A role that is given the `record` of a task, as it is each time, plans it and sees no page.
    """

    role: str
    task: str
    max_steps: int
    deadline: float | None = None
    earlier: Sequence[WorkerSession] = ()
    instructions: str = ""
    actions: Sequence[str] = ()
    before: Seen | None = None
    timeout: float | None = None
    taken: int = 0
    record: Callable[[], TaskRecord] | None = None
    work: Work | None = None


@dataclass
class Loop:
    """One session of one role; `write` journals what happens, before and after it does."""

    brief: Brief
    model: Model
    tools: Toolbox
    hands: Hands
    write: Callable[..., None]
    out_of_time: bool = False
    _failed: str = ""

    def run(self) -> Iterator[Iteration]:
        """Yield each iteration when it is over, until the model ends the session or a limit does."""
        done: list[Iteration] = []
        self.hands.deadline = self.brief.deadline
        self.hands.enter()
        # Who does not look ends in a turn of its own, which is no step towards the task.
        most = self.brief.max_steps - self.brief.taken
        while self.hands.ending is None and len(done) < most + (not self._looks):
            if self._late:
                self.out_of_time = True
                return
            if _wordless(done) >= NO_CALLS_AT_MOST:
                said = list(dict.fromkeys(i.problem for i in done[-NO_CALLS_AT_MOST:] if i.problem))
                raise ModelError(
                    f"the model called no tool, {NO_CALLS_AT_MOST} times in a row"
                    + "".join(f"; {each}" for each in said)
                )
            iteration = self._iterate(done)
            if iteration is None:
                return
            done.append(iteration)
            line = self.hands.data.scrub(describe_iteration(iteration))
            _log.info("%s %d/%d %s", self.brief.role, iteration.number, self.brief.max_steps, line)
            yield iteration

    def _iterate(self, done: Sequence[Iteration]) -> Iteration | None:
        """One iteration; None where no step is left and the model does not end by itself."""
        number = self.brief.taken + len(done) + 1
        started, began = time.time(), time.monotonic()
        turn = self._turn(number, done)
        decision = self.model.decide(turn)
        if number > self.brief.max_steps and any(c.tool not in ENDINGS for c in decision.calls):
            return None
        if self._late and [c.tool for c in decision.calls] != ["abort"]:
            # What comes after its time is not done, and least of all believed.
            self.out_of_time = True
            return None
        self.write(
            "decision", number=number, reasoning=decision.reasoning, calls=_plain(decision.calls)
        )
        calls = self._act(decision.calls, turn)
        if turn.observed is not None:
            # What the page does upon the calls, such as a download, belongs to this iteration. A
            # model that looks would wait for it anyway.
            loads = self.hands.tabs.navigations
            with suppress(PageError):
                self.hands.settle()
            if calls and loads != self.hands.tabs.navigations:
                calls[-1] = calls[-1].model_copy(update={"loaded": True})
            self.hands.tabs.note_troubles()
        iteration = Iteration(
            number=number,
            role=self.brief.role,
            model=decision.model,
            observed=turn.observed.seen if turn.observed else None,
            reasoning=self.hands.data.scrub(decision.reasoning),
            problem=decision.problem,
            calls=tuple(calls),
            events=self.hands.tabs.drain() if turn.sees else (),
            notices=tuple(turn.notices),
            usage=decision.usage,
            started=started,
            time=time.monotonic() - began,
        )
        self.write("iteration", **iteration.model_dump(mode="json"))
        return iteration

    def _turn(self, number: int, done: Sequence[Iteration]) -> Turn:
        hands, sees = self.hands, self.brief.record is None

        def look() -> Observation:
            observation = hands.observe()
            # What has gone by the time of the look is part of what came of the calls before it.
            texts = hands.observer.vanished.texts(hands.page, hands.data)
            turn.vanished = tuple(f"{each.container} {each.text}".strip() for each in texts)
            return observation

        turn = Turn(
            role=self.brief.role,
            task=hands.data.hidden(self.brief.task),
            tools=self.tools.specs,
            page=hands.page if sees else cast(Page, _Unseen(self.brief.role)),
            observe=look if sees else _Unseen(self.brief.role).observe,
            iterations=tuple(done),
            earlier=self.brief.earlier,
            data={n: v and hands.data.hidden(v) for n, v in hands.data.shown.items()},
            resources=tuple(hands.resources),
            instructions=hands.data.hidden(self.brief.instructions),
            notices=_notices(done, number, self.brief.max_steps),
            record=self.brief.record() if self.brief.record else None,
            work=self.brief.work,
            number=number,
            max_steps=self.brief.max_steps,
            actions=self.brief.actions,
            before=self.brief.before,
            check=hands.check,
            loads=lambda: hands.tabs.navigations,
            timeout=hands.capped(
                hands.timeout if self.brief.timeout is None else self.brief.timeout
            ),
            deadline=self.brief.deadline,
            opened=hands.opened,
        )
        return turn

    @property
    def _late(self) -> bool:
        return self.brief.deadline is not None and time.monotonic() >= self.brief.deadline

    @property
    def _looks(self) -> bool:
        return bool(getattr(self.model, "looks", True))

    def _premature(
        self, call: ProposedToolCall, later: Sequence[ProposedToolCall], acted: str, turn: Turn
    ) -> str:
        """Why nothing can be said yet of what the page shows; "" where it can."""
        if acted:
            return f"look at what {acted} did before you end"
        tools = [(c.tool, self.tools.get(c.tool)) for c in later]
        after = [name for name, tool in tools if call.tool in ENDINGS or not (tool and tool.claims)]
        if after:
            return f"{after[0]} comes after it: act first, then look, then end"
        if self._looks and turn.observed is None:
            return "look at the page first: it was not read in this turn"
        return ""

    def _note_rung(self, made: ToolCall) -> None:
        """Journal how the worker goes on after an action failed."""
        if not made.success:
            self.write("rung", rung="told", why=f"{made.tool}: {made.error}")
        elif self._failed:
            self.write("rung", rung="another way", why=f"{made.tool}, after {self._failed} failed")
        self._failed = "" if made.success else made.tool

    def _act(self, proposed: Sequence[ProposedToolCall], turn: Turn) -> list[ToolCall]:
        calls: list[ToolCall] = []
        acted = ""
        stale = moved = ""
        for position, call in enumerate(proposed):
            tool = self.tools.get(call.tool)
            early = self._premature(call, proposed[position + 1 :], acted, turn)
            if stale or (moved and not (tool and tool.anywhere)):
                made = _refused(call, f"not run: {stale or moved}")
            elif tool and tool.claims and early:
                made = _refused(call, early)
            else:
                before = (self.hands.tabs.navigations, self.hands.tabs.current)
                made = self.tools.run(call, self.hands)
                last = position == len(proposed) - 1
                if not made.success:
                    stale = f"{call.tool} failed"
                elif tool and not tool.claims:
                    # Whatever it does, the page has had time to become another.
                    acted = call.tool
                    self.hands.has_output &= not tool.acts
                    if tool.acts and tool.settles and not last:
                        self.hands.settle()
                    if (self.hands.tabs.navigations, self.hands.tabs.current) != before:
                        moved = f"{call.tool} has loaded a page, or changed the tab"
                    if self.hands.tabs.navigations != before[0]:
                        made = made.model_copy(update={"loaded": True})
                if tool and tool.acts:
                    self._note_rung(made)
            calls.append(made)
            self.write("call", **made.model_dump(mode="json"))
            if self.hands.ending is not None:
                break
        return calls


class _Unseen:
    """The page, for a role that does not see it."""

    def __init__(self, role: str) -> None:
        self._role = role

    def observe(self) -> NoReturn:
        """Refuse."""
        raise PageError(f"the {self._role} sees no page")

    def __getattr__(self, name: str) -> NoReturn:
        self.observe()


def describe_iteration(iteration: Iteration) -> str:
    """An iteration in one line."""
    said = []
    for call in iteration.calls:
        if call.success and call.tool in ENDINGS:
            said.append(call.tool)
            continue
        target = call.target.locator if call.target else ""
        what = target or ", ".join(f"{k}={v!r}" for k, v in call.parameters.items())
        reason = f" ({call.reason})" if call.reason else ""
        outcome = "" if call.success else f" FAILED: {call.error}"
        said.append(f"{call.tool} {what}{reason}{outcome}".strip())
    events = [f"[{event.text}]" for event in iteration.events]
    return "; ".join(said + events) or "no tool was called"


def _notices(done: Sequence[Iteration], number: int, max_steps: int) -> tuple[str, ...]:
    notices = []
    missed = _wordless(done)
    if missed:
        why = f": {done[-1].problem}" if done[-1].problem else ""
        notices.append(
            f"Your last answer called no tool ({missed} of {NO_CALLS_AT_MOST}){why}. Call one."
        )
    left = max_steps - number + 1
    if left == 1:
        notices.append("This is the last step: end now.")
    elif left <= 3:
        notices.append(f"{left} steps are left.")
    last = done[-1] if done else None
    announced = last and any(c.parameters.get("dialog") for c in last.calls)
    if last and not announced and any(map(_unanswered, last.events)):
        notices.append(
            "A dialog was dismissed, since the call that opened it did not say how to answer it:"
            " if it is to be answered otherwise, make that call again, with dialog."
        )
    if _repeats(done):
        notices.append("The same action was repeated and the page did not change: try another way.")
    return tuple(notices)


def _unanswered(event: Event) -> bool:
    """Whether it is a question that nobody answered; an alert asks nothing."""
    asked = event.kind == "dialog" and event.text.startswith(("confirm ", "prompt "))
    return asked and event.text.endswith(" was dismissed")


def _wordless(done: Sequence[Iteration]) -> int:
    """How many of the last iterations called no tool, in a row."""
    count = 0
    for iteration in reversed(done):
        if iteration.calls:
            break
        count += 1
    return count


def _repeats(done: Sequence[Iteration]) -> bool:
    if len(done) < 2 or not done[-1].calls:
        return False
    one, two = ([(c.tool, c.parameters) for c in i.calls] for i in done[-2:])
    before, after = done[-2].observed, done[-1].observed
    if one != two or before is None or after is None:
        return False
    # Where the focus is says nothing about whether the page has changed.
    return before.outline.replace(" focused", "") == after.outline.replace(" focused", "")


def _refused(call: ProposedToolCall, error: str) -> ToolCall:
    return ToolCall(
        tool=call.tool,
        parameters={k: v for k, v in call.parameters.items() if k != "reason"},
        reason=call.reason or str(call.parameters.get("reason", "")),
        success=False,
        error=error,
    )


def _plain(calls: Sequence[ProposedToolCall]) -> list[dict[str, Any]]:
    return [{"tool": c.tool, "parameters": dict(c.parameters), "reason": c.reason} for c in calls]
