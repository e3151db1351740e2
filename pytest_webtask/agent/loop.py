"""The agent loop: observe, decide, act, record."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, NoReturn, cast

from playwright.sync_api import Locator, Page

from pytest_webtask.agent.named_elements import ids_of, named_elements, needs_no_id, with_ids
from pytest_webtask.checks.base import Check, CheckResult
from pytest_webtask.data.escapes import escape_controls
from pytest_webtask.data.phrases import counted, raise_limit
from pytest_webtask.data.values import Data
from pytest_webtask.errors import ModelError, PageError
from pytest_webtask.journal import (
    DecisionMade,
    IterationEnded,
    JournalEvent,
    ProposedCall,
    ToolCalled,
)
from pytest_webtask.page.activity import FRAMES, QUIET, activity_of
from pytest_webtask.page.step_time import OutOfTime
from pytest_webtask.tools.context import StepContext, ToolCallContext
from pytest_webtask.tools.navigation import READING_TOOLS
from pytest_webtask.tools.registry import Tool, Toolbox, flags
from pytest_webtask.tools.results import Ending, Output, ToolError
from pytest_webtask.types.agent import (
    Conclusion,
    EarlierStep,
    EarlierSteps,
    Event,
    Iteration,
    Observation,
    ProposedToolCall,
    Ruling,
    TaskRecord,
    ToolCall,
    Turn,
    Work,
)
from pytest_webtask.types.model import ModelWithTraits
from pytest_webtask.types.page import IdentifiedElement

NO_CALLS_AT_MOST = 3
_log = logging.getLogger("pytest_webtask")


@dataclass(frozen=True)
class Brief:
    """The task of a session, and the context for its model.

    `max_steps` limits the iterations of the whole step; other roles have used `taken` of them.
    `past` are the earlier steps as far as the role may know them. `prompt` is that of a project's own
    role. `record` returns the current task record for a planning role, which sees no page. `subtask` is
    the number of the subtask in work.
    """

    role: str
    task: str
    max_steps: int
    taken: int = 0
    instructions: str = ""
    prompt: str = ""
    past: EarlierSteps = field(default_factory=EarlierSteps)
    timeout: float | None = None
    record: Callable[[], TaskRecord] | None = None
    work: Work | None = None
    subtask: int | None = None


@dataclass
class Loop:
    """One session of one role; `write` journals decisions, calls and iterations.

    `output` is the value that the task asks for; each action on the page resets it. `ending` is
    None until the role ends the session.
    """

    brief: Brief
    model: ModelWithTraits
    tools: Toolbox
    context: StepContext
    write: Callable[[JournalEvent], None]
    output: Output | None = None
    ending: Ending | None = field(default=None, init=False)
    out_of_time: bool = field(default=False, init=False)
    problem: str = field(default="", init=False)
    """Why the page could not be observed when the time was over."""
    _failed: str = field(default="", init=False)
    _opened: str = field(default="", init=False)
    _resolved: dict[str, Locator | IdentifiedElement] = field(default_factory=dict, init=False)

    def run(self) -> Iterator[Iteration]:
        """Yield each completed iteration until the model or a limit ends the session."""
        done: list[Iteration] = []
        self._opened = self.context.page.url
        # A model that does not look at the page needs an extra turn to end, which does not count.
        most = self.brief.max_steps - self.brief.taken
        while self.ending is None and len(done) < most + (not self._looks):
            if self._late:
                self.out_of_time = True
                return
            if _wordless(done) >= NO_CALLS_AT_MOST:
                last = done[-NO_CALLS_AT_MOST:]
                problems = dict.fromkeys(i.problem or "it called no tool" for i in last)
                raise ModelError(
                    f"{last[-1].model or 'the model'} gave no usable answer {NO_CALLS_AT_MOST} times in a"
                    f" row: {'; '.join(problems)}. Run the test again, or use another model:"
                    " --webtask-model=NAME"
                )
            try:
                iteration = self._iterate(done)
            except (OutOfTime, PageError) as error:
                if not self.context.time.is_over:
                    raise
                self.out_of_time, self.problem = True, str(error)
                return
            if iteration is None:
                return
            done.append(iteration)
            step = f"step {self.context.step.number}, {self.context.step.name}: "
            at = f"{self.brief.role} {iteration.number}/{self.brief.max_steps} "
            parts = self.context.data.scrub_parts([step, at + describe_iteration(iteration)])
            step, line = map(escape_controls, parts)
            _log.info("%s%s", step, line, extra={"progress": line})
            yield iteration

    @property
    def limit(self) -> str:
        """Return the limit that ended the session without an ending, in words."""
        if not self.out_of_time:
            return f"{counted(self.brief.max_steps, 'iteration')}; {raise_limit('--webtask-max-steps')}"
        why = f": {self.problem}" if self.problem else f"; {raise_limit('--webtask-step-limit')}"
        return f"the {self.context.time.limit:g} s that a step may take{why}"

    def _iterate(self, done: Sequence[Iteration]) -> Iteration | None:
        """Run one iteration; return None if no step is left and the model does not end."""
        number = self.brief.taken + len(done) + 1
        started, began = time.time(), time.monotonic()
        turn = self._turn(number, done)
        decision = self.model.decide(turn)
        # A model without review waits for the page when it decides.
        thought = time.monotonic() - began if self.model.traits.needs_review else 0.0
        self.context.time.think(thought, decision.waited)
        if number > self.brief.max_steps and any(
            not self.tools.ends(c.tool) for c in decision.calls
        ):
            return None
        if self._late and not self._gives_up(decision.calls):
            # A late answer is neither run nor believed.
            self.out_of_time = True
            return None
        self.write(
            DecisionMade(
                number=number, reasoning=decision.reasoning, calls=_proposed(decision.calls)
            )
        )
        calls = self._act(decision.calls, turn)
        if turn.observed is not None:
            # Effects of the calls, such as a download, belong to this iteration. A model that
            # looks at the page would wait for them anyway.
            tabs = self.context.session.tabs
            loads = tabs.navigations
            with suppress(PageError):
                self.context.session.rest(QUIET)
            if calls and loads != tabs.navigations:
                calls[-1] = calls[-1].model_copy(update={"loaded": True})
            tabs.note_problems()
        iteration = Iteration(
            number=number,
            role=self.brief.role,
            model=decision.model,
            decided_by=decision.decided_by,
            missing=decision.missing,
            left=decision.left,
            subtask=self.brief.subtask,
            observed=turn.observed.seen if turn.observed else None,
            reasoning=self.context.data.scrub(decision.reasoning),
            problem=decision.problem,
            calls=tuple(calls),
            events=self._events() if turn.sees else (),
            notices=tuple(turn.notices),
            usage=decision.usage,
            started=started,
            time=time.monotonic() - began,
        )
        self.write(IterationEnded(iteration=iteration))
        return iteration

    def _events(self) -> tuple[Event, ...]:
        """Return the events of the pages, and journal what was awaited of them."""
        self.context.session.note_waits()
        return self.context.session.tabs.drain()

    def _turn(self, number: int, done: Sequence[Iteration]) -> Turn:
        context, data = self.context, self.context.data
        sees = self.brief.record is None
        return Turn(
            role=self.brief.role,
            task=data.hidden(self.brief.task),
            tools=self.tools.specs,
            view=LivePage(
                context,
                self._resolved,
                [each.observed.outline for each in done if each.observed is not None],
            )
            if sees
            else UnseenPage(self.brief.role),
            iterations=tuple(done),
            earlier=_masked(self.brief.past.steps, data),
            data={n: v and data.hidden(v) for n, v in data.shown.items()},
            resources=tuple(context.resources),
            instructions=data.hidden(self.brief.instructions),
            prompt=data.hidden(self.brief.prompt),
            notices=_notices(done, number, self.brief.max_steps, self.tools.endings),
            record=self.brief.record() if self.brief.record else None,
            work=self.brief.work,
            number=number,
            max_steps=self.brief.max_steps,
            actions=self.brief.past.actions,
            before=self.brief.past.before,
            timeout=context.capped(
                context.timeout if self.brief.timeout is None else self.brief.timeout
            ),
            busy_timeout=context.capped(context.busy_timeout),
            deadline=context.time.deadline,
            opened=self._opened,
        )

    @property
    def _late(self) -> bool:
        return self.context.time.is_over

    def _gives_up(self, calls: Sequence[ProposedToolCall]) -> bool:
        """Return whether an answer ends the session without any claim about the page."""
        tools = [self.tools.get(call.tool) for call in calls]
        return len(tools) == 1 and all(t is not None and t.ends and not t.claims for t in tools)

    @property
    def _looks(self) -> bool:
        return self.model.traits.looks_at_page

    def _premature(
        self, call: ProposedToolCall, later: Sequence[ProposedToolCall], acted: str, turn: Turn
    ) -> str:
        """Return why a claim about the page is premature, or "" if it is not."""
        claim = self.tools.get(call.tool)
        midway = claim is not None and claim.midway
        if acted and not midway:
            return f"the page after {acted} was not seen yet: call {call.tool} in the next turn"
        tools = [(c.tool, self.tools.get(c.tool)) for c in later]
        if midway:
            # Between two checkpoints something is done.
            if tools and tools[0][1] and tools[0][1].claims:
                return f"{tools[0][0]} follows in the same answer: leave out {call.tool}, and cite all in {tools[0][0]}"
        else:
            ends = self.tools.ends(call.tool)
            after = [name for name, tool in tools if ends or not (tool and tool.claims)]
            if after:
                return f"{after[0]} follows in the same answer: call {call.tool} in the next turn instead"
        if self._looks and turn.observed is None:
            return f"turn.observation was not read: read it before you answer with {call.tool}"
        return ""

    def _may_follow(self, call: ProposedToolCall, turn: Turn) -> bool:
        """Return whether a call may be run after another page, or another address of it, has come.

        It may if it names its elements, or if all are still as they were on the page that the model
        saw.
        """
        if needs_no_id(call):
            return True
        seen = {**turn.observed.texts, **turn.observed.elements} if turn.observed else {}
        ids = ids_of(call)
        if not ids or not all(each in seen for each in ids):
            return False
        session = self.context.session
        try:
            return all(
                session.observer.is_unchanged(session.tabs.current, seen[each]) for each in ids
            )
        except PageError:
            return False

    def _note_recovery(self, call: ToolCall) -> None:
        """Journal a failed action, and the next one after it."""
        note = self.context.note_recovery
        if not call.success:
            note("error reported", f"{call.tool}: {call.error}")
        elif self._failed:
            note("another way", f"{call.tool}, after {self._failed} failed")
        self._failed = "" if call.success else call.tool

    def _act(self, proposed: Sequence[ProposedToolCall], turn: Turn) -> list[ToolCall]:
        calls: list[ToolCall] = []
        session = self.context.session
        acted = after = ""
        stale = moved = ""
        for position, each in enumerate(proposed):
            tool = self.tools.get(each.tool)
            early = self._premature(each, proposed[position + 1 :], acted, turn)
            if stale or (
                moved and not (tool and tool.anywhere) and not self._may_follow(each, turn)
            ):
                call = _refused(each, tool, stale or moved, ran=False)
            elif tool and tool.claims and early:
                call = _refused(each, tool, early)
            else:
                if acted and tool and tool.acts and tool.settles:
                    # The model will not see the page that this call may leave.
                    session.rest(QUIET)
                    session.observer.vanished.note_messages(session.tabs.current, after)
                before = (session.tabs.navigations, session.tabs.current)
                call = self._run(each, turn)
                if not call.success:
                    stale = f"{each.tool} failed"
                elif tool and not tool.claims:
                    # Even a tool that does not act gives the page time to change.
                    acted = each.tool
                    after = f"{acted}, call {position + 1} of turn {turn.number}"
                    if tool.acts:
                        self.output = None
                    if (session.tabs.navigations, session.tabs.current) != before:
                        moved = (
                            f"{each.tool} loaded a page, or changed its address or the tab; in the next"
                            " turn, call with ids of that page"
                        )
                    if session.tabs.navigations != before[0]:
                        call = call.model_copy(update={"loaded": True})
                if tool and tool.acts:
                    self._note_recovery(call)
            if tool and tool.midway and not call.success and not stale:
                # The calls after a checkpoint would leave the page that it is about.
                stale = f"{each.tool} was not run"
            calls.append(call)
            self.write(ToolCalled(call=call))
            if self.ending is not None:
                break
        return calls

    def _run(self, proposed: ProposedToolCall, turn: Turn) -> ToolCall:
        """Run one call, and keep its ending and output."""
        tool = self.tools.get(proposed.tool)
        if tool and (tool.midway or not tool.claims) and named_elements(proposed):
            try:
                proposed = with_ids(proposed, self.context, turn.observed)
            except ToolError as error:
                return _refused(proposed, tool, self.context.data.scrub(str(error)))
        context = ToolCallContext(
            step=self.context,
            resolved=proposed.locators,
            resolved_before=dict(self._resolved),
            waits=proposed.waits,
            output=self.output,
            seen=turn.observed.seen if turn.observed else None,
            looks=self._looks,
            replays=self.model.traits.replays_recording,
            reviewed=self.model.traits.needs_review,
        )
        self._resolved.update(proposed.locators)
        session, acts = self.context.session, tool is not None and tool.acts
        awaited = acts and activity_of(session.tabs.current).has_sent(late=True)
        if acts and tool:
            # Models without review look for elements until the page is at rest; not each call has any.
            if self.model.traits.needs_review or not proposed.locators:
                session.rest(QUIET if self.model.traits.needs_review else FRAMES)
            session.begin(shows=tool.settles)
        before = (session.tabs.navigations, session.tabs.reports)
        call, result = self.tools.run(proposed, context)
        if acts and (
            not call.success or before != (session.tabs.navigations, session.tabs.reports)
        ):
            activity_of(session.tabs.current).note_effect()
        self.ending = result.ending
        self.output = result.output or self.output
        return call.model_copy(update={"awaited": True}) if awaited else call


@dataclass(frozen=True)
class PageReader:
    """A role that looks at the page for one step and cannot act, with the iterations `done` so far.

    `past` are the earlier steps of the test without the words of workers. `referee` rules on its
    conclusions, `write` journals.
    """

    role: ClassVar[str]
    model: ModelWithTraits
    context: StepContext
    write: Callable[[JournalEvent], None]
    instructions: str = ""
    past: EarlierSteps = field(default_factory=EarlierSteps)
    max_steps: int = 20
    referee: Callable[[Conclusion], Ruling] | None = None
    done: list[Iteration] = field(default_factory=list, init=False)

    def loop(self, sentence: str, timeout: float, *tools: Tool) -> Loop:
        """Return a session about a sentence, which ends with one of the tools."""
        return Loop(
            brief=Brief(
                role=self.role,
                task=sentence,
                max_steps=self.max_steps,
                instructions=self.instructions,
                past=self.past,
                timeout=timeout,
            ),
            model=self.model,
            tools=Toolbox([*READING_TOOLS, *tools]),
            context=self.context,
            write=self.write,
        )


@dataclass
class LivePage:
    """The page of a turn.

    `resolved` are the elements that earlier calls have resolved, `outlines` those of earlier turns.
    """

    context: StepContext
    resolved: Mapping[str, Locator | IdentifiedElement]
    outlines: Sequence[str] = ()
    vanished: tuple[str, ...] = field(default=(), init=False)

    @property
    def page(self) -> Page:
        """Return Playwright's page."""
        return self.context.page

    @property
    def loads(self) -> int:
        """Return the number of pages loaded so far."""
        return self.context.session.tabs.navigations

    def observe(self) -> Observation:
        """Observe the page. Raises PageError."""
        context = self.context
        observation = context.observe()
        texts = context.session.observer.vanished.texts(context.page, context.data, self.outlines)
        self.vanished = tuple(
            f'"{each.text}"'
            + (f" ({each.container})" if each.container else "")
            + (f", after {each.after}" if each.after else "")
            for each in texts
        )
        return observation

    def check(
        self,
        evidence: Sequence[Mapping[str, Any] | Check],
        locators: Mapping[str, Locator | IdentifiedElement],
    ) -> list[CheckResult]:
        """Run checks without waiting; the results decide nothing."""
        checker = replace(self.context.checker({**self.resolved, **locators}), at_once=True)
        return checker.run_all([*map(Check.parse, evidence)])


@dataclass(frozen=True)
class UnseenPage:
    """A page that raises PageError on every use, for a role that must not see it."""

    role: str
    vanished: tuple[str, ...] = field(default=(), init=False)
    loads: int = field(default=0, init=False)

    @property
    def page(self) -> Page:
        """Return an object that raises PageError on every use."""
        return cast(Page, self)

    def observe(self) -> NoReturn:
        """Raise PageError."""
        raise PageError(
            f"the {self.role} sees no page: for this role, your model's decide() must read turn.record or"
            " turn.conclusion in place of turn.observation"
        )

    def check(self, *_: object) -> NoReturn:
        """Raise PageError."""
        self.observe()

    def __getattr__(self, name: str) -> NoReturn:
        self.observe()


def _masked(steps: Sequence[EarlierStep], data: Data) -> tuple[EarlierStep, ...]:
    """Return earlier steps without secrets that have become known since."""
    if not data.hides:
        return tuple(steps)
    # Not the names of the fields, nor kind and status: a secret may be an ordinary word.
    texts = ("sentence", "calls", "facts", "value", "words")
    return tuple(
        EarlierStep(**{**dict(each), **{n: data.scrub_all(getattr(each, n)) for n in texts}})
        for each in steps
    )


def describe_iteration(iteration: Iteration) -> str:
    """Return the calls and events of an iteration in one line."""
    parts = []
    for call in iteration.calls:
        target = call.target.locator if call.target else ""
        # A summary and evidence are in the result or in the error.
        given = {} if call.ends else call.parameters
        what = target or ", ".join(f"{k}={v!r}" for k, v in given.items())
        reason = f"({call.reason})" if call.reason and not (call.ends and call.success) else ""
        failed = "FAILED" if call.ran else "not run"
        outcome = "" if call.success else f"{failed}: {call.error}"
        parts.append(" ".join(filter(None, (call.tool, what, reason, outcome))))
    events = [f"[{event.text}]" for event in iteration.events]
    return "; ".join(parts + events) or "no tool was called"


def _notices(
    done: Sequence[Iteration], number: int, max_steps: int, endings: Sequence[str]
) -> tuple[str, ...]:
    """Return the notices for an answer; `endings` are the tools that end the session."""
    notices = []
    missed = _wordless(done)
    if missed:
        why = f": {done[-1].problem}" if done[-1].problem else ""
        notices.append(
            f"Your last answer called no tool{why}. Call one: {NO_CALLS_AT_MOST} answers in a row without a"
            f" call end the step ({missed} so far)."
        )
    left = max_steps - number + 1
    if left == 1:
        notices.append(
            f"This is your last answer ({number} of {max_steps}): end with {' or '.join(endings)}."
        )
    elif left <= 3:
        notices.append(f"You have {left} answers left, this one included.")
    last = done[-1] if done else None
    announced = last and any(c.parameters.get("dialog") for c in last.calls)
    if last and not announced and any(event.dismissed for event in last.events):
        notices.append(
            "A dialog was dismissed because the call that opened it had no `dialog` argument. To"
            " answer it differently, repeat that call with `dialog`."
        )
    if _repeats(done):
        notices.append("The same action was repeated and the page did not change: try another way.")
    return tuple(notices)


def _wordless(done: Sequence[Iteration]) -> int:
    """Return the number of consecutive last iterations without a tool call."""
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
    # A moved focus is not a change of the page.
    return before.outline.replace(" focused", "") == after.outline.replace(" focused", "")


def _refused(
    call: ProposedToolCall, tool: Tool | None, error: str, *, ran: bool = True
) -> ToolCall:
    return ToolCall(
        tool=call.tool,
        parameters={k: v for k, v in call.parameters.items() if k != "reason"},
        reason=call.reason or str(call.parameters.get("reason", "")),
        ran=ran,
        success=False,
        error=error,
        **flags(tool),
    )


def _proposed(calls: Sequence[ProposedToolCall]) -> tuple[ProposedCall, ...]:
    return tuple(
        ProposedCall(tool=each.tool, parameters=dict(each.parameters), reason=each.reason or "")
        for each in calls
    )
