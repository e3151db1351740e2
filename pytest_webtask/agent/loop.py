"""The agent loop: observe, decide, act, record."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import takewhile
from pathlib import Path
from typing import Any, NoReturn, cast

from playwright.sync_api import Locator, Page

from pytest_webtask.agent.named_elements import named_elements, needs_no_id, with_ids
from pytest_webtask.checks.base import Check, CheckResult
from pytest_webtask.data.escapes import one_line
from pytest_webtask.data.phrases import counted, raise_limit
from pytest_webtask.data.values import Data
from pytest_webtask.errors import ModelError, PageError
from pytest_webtask.journal import DecisionMade, IterationEnded, ToolCalled
from pytest_webtask.journal.schema import texts_in
from pytest_webtask.page.activity import FRAMES, QUIET, activity_of
from pytest_webtask.page.recorded_element import RecordedElement
from pytest_webtask.page.step_time import OutOfTime
from pytest_webtask.page.vanished import VanishedText
from pytest_webtask.tools.context import StepContext, ToolCallContext
from pytest_webtask.tools.registry import Args, Tool, Toolbox, flags
from pytest_webtask.tools.results import Ending, Output, ToolError, ToolResult
from pytest_webtask.types.agent import (
    EarlierStep,
    EarlierSteps,
    Event,
    Iteration,
    Observation,
    PageView,
    ProposedToolCall,
    Question,
    TaskRecord,
    ToolCall,
    Turn,
    Work,
)
from pytest_webtask.types.model import ModelWithTraits

_NO_CALLS_AT_MOST = 3
_log = logging.getLogger("pytest_webtask")


@dataclass
class Loop:
    """One session of one role about one task, which journals its decisions, calls and iterations.

    `max_steps` limits the iterations of the whole step; other roles have used `taken` of them.
    `past` are the earlier steps as far as the role may know them. `prompt` is that of a project's own
    role, which may be asked about `material` and `pictures`. `record` returns the current task record for a
    planning role. A role that `sees` no page gets none of it. `subtask`,
    `round` and `phase` are those of its iterations. `output` is the value that the task asks for; each
    action on the page resets it. `ending` is None until the role ends the session, `unended` the iteration
    that runs or was broken off, with the calls made so far.
    """

    role: str
    task: str
    max_steps: int
    model: ModelWithTraits
    tools: Toolbox
    context: StepContext
    taken: int = 0
    instructions: str = ""
    prompt: str = ""
    past: EarlierSteps = field(default_factory=EarlierSteps)
    timeout: float | None = None
    record: Callable[[], TaskRecord] | None = None
    material: Any = None
    pictures: Sequence[Path] = ()
    sees: bool = True
    work: Work | None = None
    subtask: int | None = None
    round: int | None = None
    phase: str = ""
    output: Output | None = None
    ending: Ending | None = field(default=None, init=False)
    unended: Iteration | None = field(default=None, init=False)
    _opened: str = field(default="", init=False)
    _resolved: dict[str, Locator | RecordedElement] = field(default_factory=dict, init=False)

    def run(self) -> Iterator[Iteration]:
        """Yield each completed iteration until the model or a limit ends the session."""
        done: list[Iteration] = []
        self._opened = self.context.page.url
        # A model that does not look at the page needs an extra turn to end, which does not count.
        while self.ending is None and len(done) + self.taken < self.max_steps + (not self._looks):
            try:
                iteration = self._iterate(done)
            except (OutOfTime, PageError):
                if not self.context.time.is_over:
                    raise
                return
            if iteration is None:
                return
            done.append(iteration)
            self._log(iteration)
            yield iteration

    def _log(self, iteration: Iteration) -> None:
        step = f"step {self.context.step.number}, {self.context.step.name}: "
        at = f"{self.role} {iteration.number}/{self.max_steps} "
        parts = self.context.data.scrub_parts([step, at + describe_iteration(iteration)])
        step, line = map(one_line, parts)
        _log.info("%s%s", step, line, extra={"progress": line})

    @property
    def out_of_time(self) -> bool:
        """Return whether the time of the step ended the session."""
        return self.ending is None and self.context.time.is_over

    @property
    def limit(self) -> str:
        """Return the limit that ended the session without an ending, in words."""
        if not self.out_of_time:
            return f"{counted(self.max_steps, 'iteration')}; {raise_limit('--webtask-max-steps')}"
        advice = raise_limit("--webtask-step-limit")
        return f"the {self.context.time.limit:g} s that a step may take; {advice}"

    @property
    def _looks(self) -> bool:
        return self.model.traits.looks_at_page

    def _check_time(self) -> None:
        if self.context.time.is_over:
            raise OutOfTime

    def _iterate(self, done: Sequence[Iteration]) -> Iteration | None:
        """Run one iteration; return None if no step is left and the model does not end. Raises OutOfTime."""
        self._check_time()
        _check_calls(done)
        context, number = self.context, self.taken + len(done) + 1
        started, began = time.time(), time.monotonic()
        turn = self._turn(number, done)
        decision = self.model.decide(turn)
        # A model without review waits for the page when it decides.
        thought = time.monotonic() - began if self.model.traits.needs_review else 0.0
        context.time.think(thought, decision.waited)
        if number > self.max_steps and not all(self.tools.ends(c.tool) for c in decision.calls):
            return None
        # A late answer is neither run nor believed.
        self._check_time()
        begun = Iteration(
            number=number,
            role=self.role,
            model=decision.model,
            decided_by=decision.decided_by,
            missing=decision.missing,
            left=decision.left,
            subtask=self.subtask,
            round=self.round,
            phase=self.phase,
            sees_page=self.sees,
            question=None if done else self._question(turn),
            reasoning=context.data.scrub(decision.reasoning),
            problem=decision.problem,
            notices=tuple(turn.notices),
            usage=decision.usage,
            started=started,
            time=0.0,
        )
        proposed = tuple(map(self._proposed, decision.calls))
        context.write(DecisionMade(iteration=begun.model_copy(update={"calls": proposed})))
        calls = self._act(decision.calls, turn, begun)
        events: tuple[Event, ...] = ()
        if turn.observed is not None:
            self._settle(calls)
        if turn.sees:
            context.session.note_waits()
            events = context.session.tabs.drain()
        update = {
            "observed": turn.observed.seen if turn.observed else None,
            "calls": tuple(calls),
            "events": events,
            "time": time.monotonic() - began,
        }
        iteration, self.unended = begun.model_copy(update=update), None
        context.write(IterationEnded(iteration=iteration))
        return iteration

    def _proposed(self, call: ProposedToolCall) -> ToolCall:
        """Return a call as it is shown unless its iteration ends."""
        tool = self.tools.get(call.tool) or _UNKNOWN
        return _refused(call, tool, "the iteration did not end", ran=False)

    def _question(self, turn: Turn) -> Question | None:
        """Return what a role of the project's own is asked, as its model gets it."""
        if not self.prompt:
            return None
        pictures = tuple(self.context.data.scrub(each.name) for each in self.pictures)
        return Question(text=turn.task, material=turn.material, pictures=pictures)

    def _settle(self, calls: list[ToolCall]) -> None:
        """Wait for the effects of the calls, such as a download, which belong to this iteration.

        A model that looks at the page would wait for them anyway.
        """
        tabs = self.context.session.tabs
        loads = tabs.navigations
        with suppress(PageError):
            self.context.session.rest(QUIET)
        if calls and loads != tabs.navigations:
            calls[-1] = calls[-1].model_copy(update={"loaded": True})
        tabs.note_problems()

    def _turn(self, number: int, done: Sequence[Iteration]) -> Turn:
        context, data = self.context, self.context.data
        live: PageView = LivePage(context, self._resolved, done)
        notices = _notices(done)
        if number == self.max_steps:
            ends = " or ".join(self.tools.endings)
            notices.append(f"This is your last answer ({number} of {number}): end with {ends}.")
        return Turn(
            role=self.role,
            task=data.hidden(self.task),
            tools=self.tools.specs,
            view=live if self.sees else unseen_page(self.role),
            iterations=tuple(done),
            earlier=_masked(self.past.steps, data),
            data={n: v and data.hidden(v) for n, v in data.shown.items()},
            resources=tuple(context.resources),
            instructions=data.hidden(self.instructions),
            prompt=data.hidden(self.prompt),
            notices=tuple(notices),
            record=self.record and self.record(),
            material=data.scrub_values(self.material),
            pictures=self.pictures,
            sees=self.sees,
            work=self.work,
            number=number,
            max_steps=self.max_steps,
            actions=self.past.actions,
            before=self.past.before,
            timeout=context.capped(context.timeout if self.timeout is None else self.timeout),
            busy_timeout=context.capped(context.busy_timeout),
            deadline=context.time.deadline,
            opened=self._opened,
        )

    def _act(
        self, proposed: Sequence[ProposedToolCall], turn: Turn, begun: Iteration
    ) -> list[ToolCall]:
        """Run the calls of an answer, one after the other, until one fails or ends the session."""
        calls: list[ToolCall] = []
        batch, self.unended = _Batch(turn), begun
        for number, each in enumerate(proposed, 1):
            tool = self.tools.get(each.tool) or _UNKNOWN
            if stopped := batch.failed or self._left_behind(each, tool, batch):
                call = _refused(each, tool, stopped, ran=False)
            elif early := self._premature(tool, batch, is_last=number == len(proposed)):
                call = _refused(each, tool, early)
            else:
                call = self._run(each, tool, batch, number)
            if not call.success:
                batch.failed = batch.failed or f"{each.tool} failed"
            calls.append(call)
            self.unended = begun.model_copy(update={"calls": tuple(calls)})
            self.context.write(ToolCalled(call=call))
            if self.ending is not None:
                break
        return calls

    def _left_behind(self, call: ProposedToolCall, tool: Tool, batch: _Batch) -> str:
        """Return that another page, or another address of it, has come, "" if a call may follow that.

        It may if it names its elements, or if all are still as they were on the page that the model
        saw.
        """
        seen = batch.turn.observed
        if not batch.moved or tool.anywhere or needs_no_id(call):
            return ""
        if seen is None:
            return batch.moved
        known = {**seen.texts, **seen.elements}
        elements = [known[each] for each in texts_in(call.parameters) if each in known]
        observer, page = self.context.session.observer, self.context.session.tabs.current
        with suppress(PageError):
            if elements and all(observer.is_unchanged(page, each) for each in elements):
                return ""
        return batch.moved

    def _premature(self, tool: Tool, batch: _Batch, *, is_last: bool) -> str:
        """Return why a claim about the page is premature, or "" if it is not."""
        if not tool.claims:
            return ""
        if batch.acted and not tool.midway:
            return (
                f"the page after {batch.acted} was not seen yet: call {tool.name} in the next turn"
            )
        if tool.ends and not is_last:
            return (
                f"other calls follow in the same answer: call {tool.name} in the next turn instead"
            )
        if self._looks and batch.turn.sees and batch.turn.observed is None:
            return f"turn.observation was not read: read it before you answer with {tool.name}"
        return ""

    def _run(self, proposed: ProposedToolCall, tool: Tool, batch: _Batch, number: int) -> ToolCall:
        """Run one call of an answer, the `number`-th, and note what it means for those after it."""
        session, tabs, seen = self.context.session, self.context.session.tabs, batch.turn.observed
        if batch.acted and tool.acts and tool.settles:
            # The model will not see the page that this call may leave.
            session.rest(QUIET)
            session.observer.vanished.note_messages(tabs.current, batch.after)
        at = tabs.navigations, tabs.current
        if not tool.claims and named_elements(proposed):
            try:
                proposed = with_ids(proposed, self.context, seen)
            except ToolError as error:
                return _refused(proposed, tool, self.context.data.scrub(str(error)))
        context = ToolCallContext(
            step=self.context,
            resolved=proposed.locators,
            resolved_before=dict(self._resolved),
            waits=proposed.waits,
            output=self.output,
            seen=seen.seen if seen else None,
            looks=self._looks,
            replays=self.model.traits.replays_recording,
            reviewed=self.model.traits.needs_review,
        )
        self._resolved.update(proposed.locators)
        if tool.acts:
            call = self._run_action(proposed, tool, context)
        else:
            call = self._keep(*self.tools.run(proposed, context))
        if not call.success or tool.claims:
            return call
        # Even a tool that does not act gives the page time to change.
        batch.acted = proposed.tool
        batch.after = f"{batch.acted}, call {number} of turn {batch.turn.number}"
        if (tabs.navigations, tabs.current) != at:
            batch.moved = (
                f"{proposed.tool} loaded a page, or changed its address or the tab; in the next"
                " turn, call with ids of that page"
            )
        return call.model_copy(update={"loaded": tabs.navigations != at[0]})

    def _run_action(
        self, proposed: ProposedToolCall, tool: Tool, context: ToolCallContext
    ) -> ToolCall:
        """Run a call that acts on the page, at rest, and note what it causes."""
        session, tabs = self.context.session, self.context.session.tabs
        awaited = activity_of(tabs.current).has_sent_late()
        # Models without review look for elements until the page is at rest; not each call has any.
        if self.model.traits.needs_review:
            session.rest(QUIET)
        elif not proposed.locators:
            session.rest(FRAMES)
        session.begin(shows=tool.settles)
        before = tabs.navigations, tabs.reports
        call = self._keep(*self.tools.run(proposed, context))
        if call.success:
            self.output = None
        if not call.success or before != (tabs.navigations, tabs.reports):
            activity_of(tabs.current).note_effect()
        return call.model_copy(update={"awaited": awaited})

    def _keep(self, call: ToolCall, result: ToolResult) -> ToolCall:
        """Keep the ending and the output of a call that was run; return its record."""
        self.ending = result.ending
        self.output = result.output or self.output
        return call


@dataclass
class _Batch:
    """The calls of the answer to a turn: what those that were run mean for the next ones.

    `failed` says which one failed, after which none is run, and `moved` which one has left the page that the
    model saw. `acted` is the last one after which the page may look otherwise, `after` the same in words.
    """

    turn: Turn
    failed: str = ""
    moved: str = ""
    acted: str = ""
    after: str = ""


_UNKNOWN = Tool("", "", Args, lambda _call, _args: "", replayed=False)
"""Stands for a tool that a role lacks."""


@dataclass
class LivePage:
    """The page of a turn.

    `resolved` are the elements that earlier calls have resolved, `earlier` the iterations before this turn.
    """

    context: StepContext
    resolved: Mapping[str, Locator | RecordedElement]
    earlier: Sequence[Iteration] = ()
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
        if not context.model_pictures:
            observation.take_screenshot = lambda: None
        outlines = [each.observed.outline for each in self.earlier if each.observed]
        texts = context.session.observer.vanished.texts(context.page, context.data, outlines)
        self.vanished = tuple(map(_in_words, texts))
        return observation

    def check(
        self,
        evidence: Sequence[Mapping[str, Any] | Check],
        locators: Mapping[str, Locator | RecordedElement],
    ) -> list[CheckResult]:
        """Run checks without waiting; the results decide nothing."""
        checker = replace(self.context.checker({**self.resolved, **locators}), at_once=True)
        return checker.run_all([*map(Check.parse, evidence)])


def _in_words(vanished: VanishedText) -> str:
    place = f" ({vanished.container})" if vanished.container else ""
    time = f", after {vanished.after}" if vanished.after else ""
    return f'"{vanished.text}"{place}{time}'


@dataclass(frozen=True)
class _UnseenPage:
    role: str
    vanished: tuple[str, ...] = field(default=(), init=False)
    loads: int = field(default=0, init=False)

    def __getattr__(self, name: str) -> NoReturn:
        raise PageError(
            f"the {self.role} sees no page: for this role, your model's decide() must read turn.record,"
            " turn.conclusion or turn.material in place of turn.observation"
        )


def unseen_page(role: str) -> PageView:
    """Return a page that raises PageError on every use, for a role that must not see it."""
    return cast(PageView, _UnseenPage(role))


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
    parts = [*map(_describe_call, iteration.calls)]
    parts += [f"[{event.text}]" for event in iteration.events]
    return "; ".join(parts) or "no tool was called"


def _describe_call(call: ToolCall) -> str:
    parts = [call.tool]
    if call.target:
        parts.append(call.target.locator)
    elif not call.ends:
        # A summary and evidence are in the result or in the error.
        parts.append(", ".join(f"{k}={v!r}" for k, v in call.parameters.items()))
    if call.reason and not (call.ends and call.success):
        parts.append(f"({call.reason})")
    if not call.success:
        parts.append(f"FAILED: {call.error}" if call.ran else f"not run: {call.error}")
    return " ".join(filter(None, parts))


def _check_calls(done: Sequence[Iteration]) -> None:
    """Raise ModelError if the last answers have called no tool."""
    if _wordless(done) < _NO_CALLS_AT_MOST:
        return
    last = done[-_NO_CALLS_AT_MOST:]
    problems = dict.fromkeys(i.problem or "it called no tool" for i in last)
    raise ModelError(
        f"{last[-1].model or 'the model'} gave no usable answer {_NO_CALLS_AT_MOST} times in a"
        f" row: {'; '.join(problems)}. Run the test again, or use another model:"
        " --webtask-model=NAME"
    )


def _notices(done: Sequence[Iteration]) -> list[str]:
    missed = _wordless(done)
    if not missed:
        return []
    why = f": {done[-1].problem}" if done[-1].problem else ""
    return [
        f"Your last answer called no tool{why}. Call one: {_NO_CALLS_AT_MOST} answers in a row without a"
        f" call end the step ({missed} so far)."
    ]


def _wordless(done: Sequence[Iteration]) -> int:
    """Return the number of consecutive last iterations without a tool call."""
    return len([*takewhile(lambda iteration: not iteration.calls, reversed(done))])


def _refused(call: ProposedToolCall, tool: Tool, error: str, *, ran: bool = True) -> ToolCall:
    return ToolCall(
        tool=call.tool,
        parameters={k: v for k, v in call.parameters.items() if k != "reason"},
        reason=call.reason or str(call.parameters.get("reason", "")),
        ran=ran,
        success=False,
        error=error,
        **flags(tool),
    )
