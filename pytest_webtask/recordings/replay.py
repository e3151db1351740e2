"""ReplayModel: repeats the calls of a recorded step, and checks its evidence."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from playwright.sync_api import Error, Frame, Locator, Page

from pytest_webtask.checks.base import CheckResult, UncheckableError
from pytest_webtask.checks.varying import Varying
from pytest_webtask.data.phrases import IF_RIGHT, raise_limit
from pytest_webtask.data.values import Placeholders
from pytest_webtask.errors import Drifted
from pytest_webtask.journal.schema import Evidence, RecordedCall, names_in, texts_in
from pytest_webtask.page import dom
from pytest_webtask.page.activity import FRAMES, KEYS, LATE, QUIET, activity_of, find
from pytest_webtask.page.locator_parser import Unreadable
from pytest_webtask.page.recorded_element import Missing, RecordedElement, ask_together
from pytest_webtask.page.step_time import Deadline
from pytest_webtask.recordings.healing import Healer
from pytest_webtask.recordings.progress import Drift, ReplayProgress
from pytest_webtask.recordings.resolver import (
    CheckRequest,
    RecordingResolver,
    Source,
    Underivable,
    reread_value,
)
from pytest_webtask.tools.approval import quiet_for
from pytest_webtask.tools.context import StepContext
from pytest_webtask.tools.navigation import find_tool
from pytest_webtask.types.agent import (
    Conclusion,
    Decision,
    ProposedToolCall,
    Ruling,
    ToolCall,
    Turn,
)
from pytest_webtask.types.model import ModelTraits, ModelWithTraits
from pytest_webtask.types.page import Target

_decided = partial(Decision, model="recording", decided_by="recording")


def _checking_call(
    tool: str, parameters: Mapping[str, Any], request: CheckRequest, seconds: float = 0.0
) -> Decision:
    """Return a call with evidence; its checks may take `seconds` to hold."""
    call = ProposedToolCall(tool, parameters, "as recorded", request.locators, waits=seconds)
    return _decided([call])


def _deviation(result: CheckResult) -> str:
    """Return the actual text of a check, or its problem."""
    return result.problem or result.actual or "nothing"


def _differs(result: CheckResult) -> bool:
    """Return whether the element of a check is there, and shows something else."""
    return not (result.holds or result.lost or result.check.by_eye)


class Unproven(Missing):
    """Evidence does not hold, or an action had no effect, so the application may be wrong."""


@dataclass
class EvidenceVerifier:
    """Checks the recorded evidence of one replay on the current page.

    `referee` rules on texts that differ; it is None unless the step was recorded just before. With
    `strict`, evidence that does not hold raises Missing instead of failing the step. With `hands_over` a
    model may take over.
    """

    calls: CallReplay
    referee: Callable[[Conclusion], Ruling] | None = None
    strict: bool = False
    hands_over: bool = False
    _asked: set[int] = field(default_factory=set, init=False)
    """The numbers of the calls for whose evidence the referee was asked, -1 for that of the end."""

    def __post_init__(self) -> None:
        self.progress = self.calls.progress
        self.resolver = self.calls.resolver
        self.context = self.resolver.context

    def request(self, evidence: Sequence[Evidence]) -> CheckRequest:
        """Return checks for evidence on the current elements."""
        return self.resolver.ask(map(self.progress.current, evidence))

    def judge(self, turn: Turn) -> Decision:
        """Return the verdict on a claim. Raises Missing."""
        step = self.progress.step
        last = _last_call(turn)
        if last is not None and last.ends:
            return self.recheck(turn, last.error or "")
        if step.kind == "holds":
            return self._answer(turn)
        return self.end(turn, step.evidence, turn.timeout + self.progress.waited)

    def confirm(self, turn: Turn, checkpoint: RecordedCall, seconds: float) -> Decision:
        """Return the call of a checkpoint, whose checks may take `seconds` to hold."""
        request = self.request(checkpoint.evidence)
        parameters = {**self.resolver.parameters(checkpoint), "evidence": request.evidence}
        return _checking_call(checkpoint.tool, parameters, request, turn.left(seconds))

    def end(self, turn: Turn, evidence: Sequence[Evidence], seconds: float) -> Decision:
        """Return the call that ends a step, whose checks may take `seconds` to hold."""
        request = self.request(evidence)
        if turn.role != "worker":
            verdict = {"outcome": "holds", "reason": "as recorded", "evidence": request.evidence}
            return _checking_call("report_verdict", verdict, request, turn.left(seconds))
        parameters: dict[str, Any] = {"summary": "as recorded", "evidence": request.evidence}
        if deviations := self.progress.step.deviations:
            parameters["deviations"] = [*map(self.context.data.fill_shown, deviations)]
        return _checking_call("mark_done", parameters, request, turn.left(seconds))

    def recheck(
        self, turn: Turn, refusal: str = "", checkpoint: RecordedCall | None = None
    ) -> Decision:
        """Return the decision after the evidence of a step, or of a checkpoint, did not hold.

        If an element differs, the step fails; if it is missing, it may have moved. `refusal` is the
        error of the call that ended the step. Raises Missing.
        """
        evidence = checkpoint.evidence if checkpoint else self.progress.step.evidence
        request = self.request(evidence)
        results = turn.check(request.checks, request.locators)
        wrong = [*filter(_differs, results)]
        if wrong and not self.may_vary(results, checkpoint):
            return self._failed(turn, request, wrong, checkpoint)
        if not wrong:
            if unseen := [each for each in results if each.check.by_eye and each.problem]:
                return self._undecided(unseen[0])
            self._find_lost(evidence, results, refusal)
        if checkpoint is not None:
            return self.confirm(turn, self.progress.done[-1], 0.0)
        return self.end(turn, self.progress.step.evidence, 0.0)

    def _find_lost(
        self, evidence: Sequence[Evidence], results: Sequence[CheckResult], refusal: str
    ) -> None:
        """Find the moved elements of evidence. Raises Missing."""
        if not any(result.lost for result in results):
            late = f"the recorded evidence did not come true in time; {raise_limit('--webtask-timeout')}"
            raise Missing(refusal.strip() or late)
        for each, result in zip(evidence, results, strict=True):
            if result.lost:
                self._find(each, result)

    def _find(self, each: Evidence, result: CheckResult) -> None:
        """Find the moved element of evidence. Raises Missing."""
        target = each.target
        if target is None or each.check.of_set or self.progress.is_relocated(target):
            raise Missing(f"{result.about}: {result.problem}")
        text = self.resolver.fill(str(getattr(each.check, "text", None) or ""))
        problem = f"the check {each.kind} {result.expected}: {result.problem}"
        self.calls.healer.find(target, self.resolver.recall(target), problem, text)

    def _answer(self, turn: Turn) -> Decision:
        """Return the answer of `holds()` that the evidence supports: yes as soon as it holds."""
        yes, no = self.progress.step.evidence, self.progress.step.negative_evidence

        def ask(_: bool) -> tuple[bool, bool]:
            request = self.request(yes)
            holds = bool(yes) and all(r.holds for r in turn.check(request.checks, request.locators))
            # Without evidence for yes, a page at rest needs no further wait.
            return holds, holds or not yes

        holds, _ = find(turn.page, turn.left(turn.timeout), ask, quiet=lambda _: LATE)
        if holds:
            return self.end(turn, yes, 0.0)
        request = self.request(no)
        results = turn.check(request.checks, request.locators)
        shown = [not r.problem and r.holds != e.fails for r, e in zip(results, no, strict=True)]
        if shown and all(shown):
            verdict = {"outcome": "does_not_hold", "reason": "as recorded"}
            return _checking_call(
                "report_verdict", {**verdict, "evidence": request.evidence}, request
            )
        raise Missing(
            f"the page shows neither what was recorded for a true claim ({_expected(yes)}) nor for a"
            f" false one ({_expected(no)})"
        )

    def _undecided(self, result: CheckResult) -> Decision:
        """Leave an element that differs from its recorded picture to a model."""
        if self.hands_over or self.progress.step.kind != "verify":
            raise Missing(f"{result.about}: {result.problem}")
        verdict = {"outcome": "cannot_tell", "reason": result.problem}
        return _decided([ProposedToolCall("report_verdict", verdict)])

    def may_vary(
        self, results: Sequence[CheckResult], checkpoint: RecordedCall | None = None
    ) -> bool:
        """Return whether a referee rules that texts vary which differ from those recorded just before.

        It is asked once at the end, and at each checkpoint; what varies is recorded with the step.
        """
        progress, number, expected = self.progress, -1, self.progress.step.evidence
        if checkpoint is not None:
            number, expected = len(progress.done) - 1, checkpoint.evidence
        if self.referee is None or number in self._asked:
            return False
        varied = map(self._varied, expected, results)
        evidence = tuple(each for each in varied if each is not None)
        if len(evidence) < len(expected):
            return False
        self._asked.add(number)
        facts = tuple(self._compared(expected, evidence, results))
        sentence = progress.step.sentence
        progress.ruling = self.referee(Conclusion(kind="pattern", sentence=sentence, facts=facts))
        if not progress.ruling.proves:
            return False
        update: dict[str, Any] = {"evidence": evidence}
        if checkpoint is not None:
            calls = list(progress.step.calls)
            calls[number] = progress.done[-1] = checkpoint.model_copy(update=update)
            update = {"calls": tuple(calls)}
        progress.step = progress.step.model_copy(update=update)
        return True

    def _varied(self, each: Evidence, result: CheckResult) -> Evidence | None:
        """Return evidence that holds for the recorded and the current text, None if there is none."""
        if result.holds:
            return each
        if result.problem:
            return None
        own = self._placeholders(each.check.expected_texts())
        check = each.check.varied(result, Varying(self.progress.step.sentence, own.put))
        return each.model_copy(update={"check": check}) if check else None

    def _compared(
        self,
        recorded: Sequence[Evidence],
        varied: Sequence[Evidence],
        results: Sequence[CheckResult],
    ) -> Iterator[dict[str, Any]]:
        """Yield the facts for the referee, with the recorded and the current text where they differ."""
        texts = (text for each in recorded for text in each.check.expected_texts())
        put = self._placeholders([self.progress.step.sentence, *texts])
        for number, (was, now, result) in enumerate(zip(recorded, varied, results, strict=True), 1):
            fact = result.fact.as_json() if result.fact else {"check": was.kind}
            if not result.holds:
                fact = {k: v for k, v in fact.items() if k not in ("expected", "match", "text")}
                fact |= {
                    "recorded": " · ".join(was.check.expected_texts()),
                    "now": result.actual,
                    "changes": f"later runs accept what {now.check.describe()}",
                }
            yield {"number": number, **put.put_all(fact)}

    def _placeholders(self, texts: Iterable[str]) -> Placeholders:
        """Return the placeholders in texts, with their values."""
        shown = {n: v for n, v in self.context.data.shown.items() if v is not None}
        values, names = {**self.resolver.values, **shown}, names_in(texts)
        return Placeholders({n: v for n, v in values.items() if n in names})

    def _failed(
        self,
        turn: Turn,
        request: CheckRequest,
        wrong: Sequence[CheckResult],
        checkpoint: RecordedCall | None,
    ) -> Decision:
        """Fail the step: its elements are present but differ, so there is nothing to heal."""
        if self.strict:
            first = wrong[0]
            raise Missing(f"{first.about}: was {first.expected}, and is now {_deviation(first)}")
        self.progress.failed = True
        message = "; ".join(
            f"{r.about}: expected {r.expected}, but {r.problem or r.found}" for r in wrong
        )
        if turn.role == "worker":
            idle = self.calls.idle_call(turn)
            self.progress.is_idle = bool(idle)
            message = f"{idle}; so {message}" if idle else message
            made = "all actions were done as recorded, but"
            if checkpoint is not None:
                made = f"the checkpoint {_place(self.progress)} does not hold:"
            reason = {"reason": f"{made} {message}"}
            return _decided([ProposedToolCall("abort", reason)])
        if self.progress.step.kind == "holds":
            raise Missing(message)
        verdict = {"outcome": "does_not_hold", "reason": message, "evidence": request.evidence}
        return _checking_call("report_verdict", verdict, request)


def _last_call(turn: Turn) -> ToolCall | None:
    """Return the call that was made last in this step, None before the first."""
    for iteration in reversed(turn.iterations):
        if iteration.calls:
            return iteration.calls[-1]
    return None


def _expected(evidence: Sequence[Evidence]) -> str:
    """Return what evidence expects, in words."""
    return "; ".join(f"{e.kind} {e.check.describe()}" for e in evidence) or "nothing"


def _place(progress: ReplayProgress) -> str:
    """Return the place of the newest call, a checkpoint, in words."""
    before = next((c for c in reversed(progress.done) if not c.evidence), None)
    after = f" after {_action(before)}" if before else ""
    return f"at action {len(progress.done)} of {len(progress.step.calls)}{after}"


def _action(call: RecordedCall) -> str:
    """Return the tool of a call and its elements in words."""
    return " ".join((call.tool, *(target.describe() for target in call.targets.values())))


def _is_by_event(call: RecordedCall) -> bool:
    """Return whether a call sends events to the page, as a click does and a fill does not."""
    tool = find_tool(call.tool)
    return tool is not None and tool.by_event


def _is_pause(call: RecordedCall) -> bool:
    """Return whether a call waits for some seconds, and for no text."""
    tool = find_tool(call.tool)
    return tool is not None and tool.waits and not call.parameters.get("text")


@dataclass
class CallReplay:
    """Replays the calls of a recorded step.

    `drifted` returns the error for calls that no longer fit the page.
    """

    progress: ReplayProgress
    resolver: RecordingResolver
    healer: Healer
    drifted: Callable[[Drift], Drifted]
    missed_load: bool = field(default=False, init=False)
    """Whether a page was loaded after a call in the recording, but not in the replay."""
    _loads: int = field(default=0, init=False)
    """The number of pages that had been loaded before the last call."""
    _page: Page | None = field(default=None, init=False)
    """The page in front at that time."""
    _next: dict[str, tuple[str, RecordedElement]] = field(default_factory=dict, init=False)
    """The elements of the next call, if they have been asked for already."""
    _tried_twice: int = field(default=0, init=False)
    """The number of the last call that was made a second time."""

    def drift(self, error: Missing | Unreadable) -> Drifted:
        """Return the error of a recording that no longer fits the page."""
        if self.progress.offered:
            self.progress.relocate(*self.progress.offered)
        heals = tuple(self.progress.healed)
        if isinstance(error, Unreadable):
            remedy = "restore the file from version control, or"
            remedy = f"correct that locator, {remedy}" if error.code else remedy
            return self.drifted(Drift(str(error), (), heals, remedy, "file"))
        ended = isinstance(error, Unproven)
        drift = Drift(
            str(error),
            error.details,
            heals,
            remedy=None if ended else error.remedy,
            lack=error.lack,
            ended=ended,
            candidates=error.candidates,
        )
        return self.drifted(drift)

    def next(self, turn: Turn, confirm: Callable[[RecordedCall], Decision]) -> Decision | None:
        """Return the next of the recorded calls, None after the last. Raises Missing.

        `confirm` returns the call of a checkpoint.
        """
        progress, last = self.progress, _last_call(turn)
        if last is not None and not (last.success or last.ends):
            raise Missing(f"{self._undone(last.tool)} failed: {last.error}")
        if progress.done and progress.done[-1].loads:
            self._await_load(turn)
        for call in progress.step.calls[len(progress.done) :]:
            progress.done.append(call)
            if _is_pause(call):
                # The next call or check waits for its own elements.
                progress.waited = float(call.parameters.get("seconds") or 0)
            elif call.evidence:
                return confirm(call)
            else:
                if any(each.check.time == "step" for each in progress.step.every_evidence):
                    self._note_messages(turn, last.tool if last else "")
                return self._decision(self._proposed(call, turn), turn)
        return None

    def _undone(self, tool: str) -> str:
        """Return in words the call that has failed, for which a model that takes over makes another one."""
        done = self.progress.done
        if not done or done[-1].tool != tool:
            return tool
        words = self._described(done[-1])
        done.pop()
        return words

    def _note_messages(self, turn: Turn, after: str) -> None:
        """Let the page settle, as it did when the step was recorded, and note the messages on it.

        They may go with their page. Before the first call, the page is only watched for its requests.
        """
        session = self.resolver.context.session
        session.rest(QUIET if after else FRAMES)
        if after:
            session.observer.vanished.note_messages(turn.page, after)

    def _decision(self, proposed: ProposedToolCall, turn: Turn) -> Decision:
        self._loads = turn.loads()
        self._page = turn.page
        return _decided([proposed])

    def idle_call(self, turn: Turn) -> str:
        """Return that the last call changed nothing if the page has not reacted to it, else ""."""
        last = self._idle(turn)
        if last is None:
            return ""
        received = ""
        match activity_of(turn.page).has_received():
            case True:
                received = " (the page received it)"
            case False if self._tried_twice == len(self.progress.done):
                received = " (the page received no event, even at a second try)"
            case False:
                received = " (the page received no event)"
        nothing = "no request, no change of the HTML, no other focus"
        return f"{_action(last)} changed nothing: {nothing}{received}"

    def _idle(self, turn: Turn) -> RecordedCall | None:
        """Return the last call if the page has not reacted to it, else None."""
        last = next((call for call in reversed(self.progress.done) if not call.evidence), None)
        tool = find_tool(last.tool) if last else None
        # A hover or a wait changes nothing.
        if tool is None or not (tool.acts and tool.changes) or turn.loads() != self._loads:
            return None
        # A popup that a click has closed received it; the page behind it knows nothing of that.
        if turn.page is not self._page or activity_of(turn.page).has_reacted() is not False:
            return None
        return last

    def second_try(self, turn: Turn) -> Decision | None:
        """Return the last call once more if it changed nothing, and the page received no event.

        An action that the page received is never repeated: it may have been sent to a server. Raises
        Missing.
        """
        made, done = _last_call(turn), self.progress.done
        if made is None or not (made.success or made.ends) or self._tried_twice == len(done):
            return None
        last = self._idle(turn)
        # A checkpoint that held may have come after it.
        if last is None or done[-1] is not last or not _is_by_event(last):
            return None
        if activity_of(turn.page).has_received() is not False:
            return None
        self._tried_twice = len(done)
        self.resolver.context.note_recovery(
            "second try", f"{_action(last)} changed nothing, and the page received no event"
        )
        return self._decision(self._proposed(last, turn), turn)

    def _described(self, call: RecordedCall) -> str:
        """Return the number, tool and element of the newest call."""
        number = f"action {len(self.progress.done)} of {len(self.progress.step.calls)}"
        return f"{number}, {_action(call)}"

    def elements(self, call: RecordedCall) -> dict[str, tuple[str, RecordedElement]]:
        """Return the elements of a call by parameter, each with the code that replaces its id."""
        request, data = CheckRequest(), self.resolver.context.data
        is_secret = any(
            isinstance(e, str) and data.uses_secret(e) for e in call.parameters.values()
        )
        codes = {name: self.resolver.name(each, request) for name, each in call.targets.items()}
        more: Any = {"is_secret": is_secret, "keeps": call.tool == "fill"}
        return {
            name: (code, replace(request.locators[code], **more)) for name, code in codes.items()
        }

    def coming(self) -> RecordedElement | None:
        """Return the element of the next call, if it has one, which is then asked for together with others."""
        calls, done = self.progress.step.calls, len(self.progress.done)
        self._next = self.elements(calls[done]) if done < len(calls) else {}
        return next((element for _, element in self._next.values()), None)

    def _proposed(self, call: RecordedCall, turn: Turn) -> ProposedToolCall:
        # Watch first, so that no event is missed between the lookup and the call.
        self.resolver.context.session.watch()
        if call.awaits:
            activity_of(turn.page).await_sent()
            self._next = {}
        parameters: dict[str, Any] = self.resolver.parameters(call)
        locators: dict[str, RecordedElement] = {}
        context = self.resolver.context
        elements, self._next = self._next or self.elements(call), {}
        for name, (code, element) in elements.items():
            target = call.targets[name]
            try:
                match = element.look(
                    turn.left(turn.timeout + self.progress.waited),
                    busy_timeout=turn.left(context.busy_timeout),
                    fills=not _is_by_event(call),
                )
            except Missing as error:
                self._settle(call)
                parameters[name] = self._moved(call, target, element, error, turn)
                continue
            parameters[name], locators[name] = code, element.with_found(match)
            if match["way"] and target.locators:
                found = target.locators[match["way"]]
                context.note_recovery("another locator", f"{found}, not {target.locator}")
        if not elements and not all(each.is_read for each in context.effects.made):
            activity_of(turn.page).read_kept()
        self._settle(call)
        self.progress.waited = 0.0
        return ProposedToolCall(call.tool, parameters, "as recorded", locators)

    def _settle(self, call: RecordedCall) -> None:
        """Raise Missing if what was entered before a call does not stand in its field."""
        context = self.resolver.context
        if problem := context.effects.settle(context.session.tabs, context.data.scrub):
            place = self._described(call)
            self.progress.done.pop()
            raise Missing(f"before {place}: {problem}", lack="effect")

    def _moved(
        self,
        call: RecordedCall,
        target: Target,
        element: RecordedElement,
        error: Missing,
        turn: Turn,
    ) -> str:
        """Return the id of the moved element of the next call. Raises Missing."""
        progress = self.progress
        message = f"{self._described(call)}: {error}"
        progress.done.pop()
        # What an action without effect did not bring must not be found elsewhere.
        if idle := self.idle_call(turn):
            raise Unproven(idle, [f"so the page lacks what comes next: {message}"], "effect")
        try:
            found = self.healer.find(target, element, message)
        except Missing as missing:
            missing.remedy = error.remedy
            if error.lack == "page":
                missing.lack = error.lack
            raise
        progress.done.append(call)
        return found

    def _await_load(self, turn: Turn) -> None:
        """Wait until a page has loaded, because the previous one may look like the expected one."""
        deadline = Deadline(turn.left(turn.timeout))
        while turn.loads() == self._loads and not deadline.is_over:
            deadline.pause(turn.page, FRAMES)
        self.missed_load |= turn.loads() == self._loads


_UNTOUCHED = 1.1
"""Seconds without a change after which evidence that held before is taken to change only by actions.

Clocks and counters of seconds change more often by themselves.
"""
_WATCHED = 2 * _UNTOUCHED + 0.1
"""Seconds for which evidence that does change is watched, to see whether it does so more than once."""


@dataclass(frozen=True)
class _HeldBefore:
    """New evidence that held before the calls that are to bring it about.

    `when` says so in words; `loads` is the number of pages that had been loaded by then, and `elements`
    are what the evidence is about. Without single elements, as for sets and addresses, it is about the
    document. It was watched from `since` until `until`, by the clocks of documents, which was when it `began`.
    """

    when: str
    loads: int
    elements: Sequence[RecordedElement]
    since: Mapping[str, Any]
    until: Mapping[str, Any]
    began: float

    def has_changed(self, turn: Turn) -> bool:
        """Return whether a page was loaded since, or the elements or else the page have changed.

        What changes by itself does not count.
        """
        if turn.loads() != self.loads:
            return True
        with suppress(Missing, Error):
            found: list[Frame | Locator] = [
                each.with_found(each.look(whole=True)).locator for each in self.elements
            ]
            moments = {"since": self.since, "until": self.until}
            places = found or [turn.page.main_frame]
            touched = [dom.call(each, "touched", moments) for each in places]
            if any(touched) or None not in touched:
                return any(touched)
        return activity_of(turn.page).look().still < Deadline.clock() - self.began


@dataclass
class ReplayModel:
    """A model that replays one recorded step.

    `fallback` takes over when the recording no longer fits the page; it is None if no model may.
    `drifted` returns the error for that case. With `heals` the replay uses moved elements.
    `on_drift` is called when the recording no longer fits, before a model takes over. For `referee` and
    `strict` see EvidenceVerifier.
    """

    progress: ReplayProgress
    resolver: RecordingResolver
    drifted: Callable[[Drift], Drifted]
    fallback: ModelWithTraits | None
    on_drift: Callable[[], None]
    heals: bool = False
    referee: Callable[[Conclusion], Ruling] | None = None
    strict: bool = False
    context: StepContext = field(init=False)
    _healer: Healer = field(init=False)
    _verifier: EvidenceVerifier = field(init=False)
    _calls: CallReplay = field(init=False)
    _read_output: bool = field(default=False, init=False)
    _held_before: dict[int, list[_HeldBefore]] = field(default_factory=dict, init=False)
    """By the number of calls before it, the evidence that held before some of them."""
    _compared: int = field(default=-1, init=False)
    """The number of checkpoints at which the evidence to come was last checked, -1 for none."""

    def __post_init__(self) -> None:
        self.context = self.resolver.context
        self._healer = Healer(self.progress, self.resolver, self.heals)
        self._calls = CallReplay(self.progress, self.resolver, self._healer, self.drifted)
        hands_over = self.fallback is not None
        self._verifier = EvidenceVerifier(self._calls, self.referee, self.strict, hands_over)

    def limit(self, steps: int) -> int:
        """Return the limit of iterations, as a model may have made several calls in one of them."""
        return max(steps, len(self.progress.step.calls) + 5)

    @property
    def traits(self) -> ModelTraits:
        """Return the traits of a recording until `fallback` takes over."""
        if not self.progress.handed_over:
            return ModelTraits(looks_at_page=False, replays_recording=True)
        looks = self.fallback is None or self.fallback.traits.looks_at_page
        return ModelTraits(looks_at_page=looks)

    def decide(self, turn: Turn) -> Decision:
        """Return the next call of the recording. Raises Drifted if no model may go on."""
        if not self.progress.handed_over:
            try:
                return self._next(turn)
            except (Missing, Unreadable) as error:
                self.on_drift()
                if self.fallback is None:
                    raise self._calls.drift(error) from None
                details = getattr(error, "details", ())
                self.progress.handed_over = "; ".join((str(error), *details))
                activity_of(turn.page).begin_step()
        assert self.fallback is not None, "the step would not have been handed over"
        turn.notices = (*turn.notices, *([self._notice()] if turn.observed is None else []))
        return self.fallback.decide(turn)

    def _next(self, turn: Turn) -> Decision:
        """Return the next call, or the last one once more where it was lost. Raises Missing."""
        try:
            return self._replayed(turn)
        except Missing:
            if call := self._calls.second_try(turn):
                return call
            raise

    def _replayed(self, turn: Turn) -> Decision:
        if not turn.iterations:
            self._check_names()
            # The run that confirms a step learns how the page reacts.
            if self.progress.step.quiet and self.referee is None:
                activity_of(turn.page).debounce = KEYS
        if turn.role == "worker":
            return self._work(turn)
        if call := self._calls.next(turn, partial(self._confirm, turn)):
            return call
        if self.progress.step.kind in ("extract", "select"):
            last = _last_call(turn)
            if last is not None and last.ends:
                raise Missing(last.error or "what was recorded no longer fits")
            return self._read(turn) if self.progress.step.kind == "extract" else self._select(turn)
        with self._proving(turn):
            return self._verifier.judge(turn)

    def _check_names(self) -> None:
        """Raise Missing if the step was recorded with data that this test lacks.

        The name would be typed, or expected, in place of the value.
        """
        step = self.progress.step
        checks = [each.check.model_dump() for each in step.every_evidence]
        used = names_in(texts_in([*checks, *(call.parameters for call in step.calls)]))
        known = self.context.data.values.keys() | self.resolver.values.keys()
        if names := sorted((used & step.case.keys()) - known):
            listed = " and ".join(f"{{{name}}}" for name in names)
            raise Missing(
                f"the step was recorded with {listed}, which this test does not have",
                remedy=f"add {listed} to webtask_data or pass data={{...}}; if the step needs no such value,",
                lack="data",
            )

    @contextmanager
    def _proving(self, turn: Turn) -> Iterator[None]:
        """Raise Unproven instead of Missing, with the reason if the last call changed nothing."""
        try:
            yield
        except Missing as error:
            if idle := self._calls.idle_call(turn):
                details = (f"so a check fails: {error}", *error.details)
                raise Unproven(idle, details, "effect") from None
            raise Unproven(str(error), error.details, error.lack, error.candidates) from None

    @contextmanager
    def _proving_checkpoint(self, turn: Turn) -> Iterator[None]:
        """Raise Unproven with the place of the newest call, a checkpoint, which a model has to confirm."""
        progress = self.progress
        try:
            with self._proving(turn):
                yield
        except Missing as error:
            place = _place(progress)
            progress.done.pop()
            problem = f"checkpoint {place}: {error}"
            raise Unproven(problem, error.details, error.lack, error.candidates) from None

    def _confirm(self, turn: Turn, checkpoint: RecordedCall) -> Decision:
        """Return the call of a checkpoint. Raises Unproven if the calls before it had no effect on it."""
        progress, verifier = self.progress, self._verifier
        with self._proving_checkpoint(turn):
            self._check_reaction(turn, len(progress.done) - 1, checkpoint.evidence)
        seconds, progress.waited = turn.timeout + progress.waited, 0.0
        return verifier.confirm(turn, checkpoint, seconds)

    def _note_held_before(self, turn: Turn) -> None:
        """Note whether all new evidence of the end, or of a checkpoint, holds before the calls to it.

        Such evidence does not prove an effect of the calls, so its elements must also change. New
        is what did not hold before the first call, or at the last checkpoint, when it was recorded.
        """
        calls, done = self.progress.step.calls, self.progress.done
        confirmed = sum(bool(call.evidence) for call in done)
        if confirmed == self._compared or (done and not done[-1].evidence):
            return
        self._compared = confirmed
        parts = {number: call.evidence for number, call in enumerate(calls) if call.evidence}
        for number, evidence in {**parts, len(calls): self.progress.step.evidence}.items():
            if number > len(done):
                new = [e for e in evidence if not e.check.by_eye and e.is_new_since(confirmed)]
                self._note_if_held(turn, number, new, confirmed)

    def _note_if_held(
        self, turn: Turn, number: int, new: Sequence[Evidence], confirmed: int
    ) -> None:
        """Note whether the new evidence after a number of calls holds."""
        if not new:
            return
        request = self._verifier.request(new)
        activity_of(turn.page).ask_along()
        ask_together([*request.locators.values()], named=True, beside=self._calls.coming())
        if not all(each.holds for each in turn.check(request.checks, request.locators)):
            return
        self._calls.coming()
        loads = turn.loads()
        found: list[RecordedElement] = []
        for each in new:
            if each.target and each.tab is None and not (each.check.of_set or each.fails):
                element = self.resolver.recall(each.target)
                with suppress(Missing, Error):
                    found.append(element.with_found(element.look(whole=True)))
        since, until = self._watch(turn)
        held = _HeldBefore(
            f"at checkpoint {confirmed}" if confirmed else "before the first action",
            loads,
            found,
            since,
            until,
            Deadline.clock(),
        )
        self._held_before.setdefault(number, []).append(held)

    def _watch(self, turn: Turn) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
        """Wait until the page has been at rest for a while, or long enough; return both moments."""
        activity, deadline = activity_of(turn.page), Deadline(_WATCHED)
        still, since = activity.look().still, activity.moment
        while still < _UNTOUCHED and not deadline.is_over:
            deadline.pause(turn.page, 0.1)
            still = activity.look().still
        return since, activity.moment

    def _check_reaction(self, turn: Turn, number: int, evidence: Sequence[Evidence]) -> None:
        """Raise Missing if the evidence after a number of calls held before them, unchanged since."""
        if self._calls.missed_load and all(e.held_before for e in evidence):
            raise Missing("an action loaded a page when the step was recorded, but loads none now")
        deadline = Deadline(turn.left(turn.timeout))
        for held in self._held_before.get(number, ()):
            while not held.has_changed(turn):
                if deadline.is_over:
                    raise Missing(
                        f"what this step checks was already so {held.when}, and the page did not change"
                        " there: so the check does not show that the later actions had an effect",
                        lack="data",
                    )
                deadline.pause(turn.page)

    def _work(self, turn: Turn) -> Decision:
        progress, verifier = self.progress, self._verifier
        last = _last_call(turn)
        if last is not None and not last.success:
            if last.ends:
                return self._work_again(turn)
            if progress.done and progress.done[-1].evidence:
                with self._proving_checkpoint(turn):
                    return verifier.recheck(turn, checkpoint=progress.done[-1])
        self._note_held_before(turn)
        if call := self._calls.next(turn, partial(self._confirm, turn)):
            return call
        if progress.step.value is not None and not self._read_output:
            self._read_output = True
            return self._read(turn, "set_output")
        with self._proving(turn):
            self._check_reaction(turn, len(progress.step.calls), progress.step.evidence)
        return verifier.end(turn, progress.step.evidence, turn.timeout + progress.waited)

    def _work_again(self, turn: Turn) -> Decision:
        """Return the decision after the end of a task was refused. Raises Unproven."""
        if call := self._calls.second_try(turn):
            return call
        if wrong := self.context.effects.wrong:
            raise Unproven(f"at the end of the step, {'; '.join(wrong)}", lack="effect")
        with self._proving(turn):
            return self._verifier.recheck(turn)

    def _read(self, turn: Turn, tool: str = "report_value") -> Decision:
        """Return a call with the value from the current texts of its sources. Raises Missing."""
        step = self.progress.step

        def ask(final: bool) -> tuple[tuple[CheckRequest, list[Source], Any], bool]:
            request = CheckRequest()
            try:
                texts = [self.resolver.text(each, request) for each in step.sources]
                value = reread_value(step.value, texts)
                self._check_completeness(turn, final=final)
                return (request, texts, value), True
            except (Missing, UncheckableError, Underivable, Error) as error:
                if not final:
                    return (request, [], None), False
                if isinstance(error, Missing):
                    raise
                remedy = error.remedy if isinstance(error, Underivable) else IF_RIGHT
                raise Missing(str(error), remedy=remedy) from None

        seconds = turn.left(turn.timeout + self.progress.waited)
        (request, texts, value), _ = find(turn.page, seconds, ask)
        parameter = "output" if tool == "set_output" else "value"
        return self._report(tool, {parameter: value, **_sources(request, texts)}, request)

    def _report(self, tool: str, parameters: dict[str, Any], request: CheckRequest) -> Decision:
        """Return a call that reports an answer."""
        call = ProposedToolCall(tool, parameters, "as recorded", request.locators)
        return _decided([call])

    def _check_completeness(self, turn: Turn, *, final: bool) -> None:
        """Raise Missing if there are more or fewer items than were read, or other evidence fails."""
        if turn.role == "worker":
            return
        request = self._verifier.request(self.progress.step.evidence)
        results = turn.check(request.checks, request.locators)
        if final and not all(r.holds for r in results) and self._verifier.may_vary(results):
            return
        for each in results:
            if not each.holds:
                raise Unproven(
                    f"{each.about}: recorded {each.expected}, but the page has {_deviation(each)}"
                )

    def _select(self, turn: Turn) -> Decision:
        step = self.progress.step
        assert step.selected is not None, "a select has selected something"
        request = CheckRequest()
        code = self.resolver.name(step.selected, request)
        deadline = Deadline(turn.left(turn.timeout + self.progress.waited))
        try:
            request.locators[code].look(deadline.left, whole=True)
        except Missing as error:
            code = self._healer.find(step.selected, request.locators[code], str(error))

        def ask(final: bool) -> tuple[None, bool]:
            try:
                self._check_completeness(turn, final=final)
                return None, True
            except Missing:
                if final:
                    raise
                return None, False

        find(
            turn.page,
            deadline.left,
            ask,
            quiet=lambda _: quiet_for([each.check for each in step.evidence]),
        )
        return self._report("report_element", {"element_id": code}, request)

    def _notice(self) -> str:
        """Return the note about the replay for the model that takes over."""
        progress = self.progress
        words = ["This step was recorded before, and is replayed."]
        if progress.done:
            count = f"{len(progress.done)} of its {len(progress.step.calls)} calls"
            words.append(f"{count} were made, as the history shows.")
        words.append(
            f"Then the page did not match the recording: {progress.handed_over}. Go on from here; do not"
            " repeat what was done."
        )
        if coming := progress.coming_checkpoints:
            words.append(f"Confirm on the way, at its moment, each of: {_expected(coming)}.")
        if named := "; ".join(map(self.context.data.fill_shown, progress.step.deviations)):
            words.append(f"Deviations that were named then: {named}.")
        return " ".join(words)


def _sources(request: CheckRequest, texts: Sequence[Source]) -> dict[str, Any]:
    """Return the sources of a value, as parameters of the call that reports it."""
    named = list(zip(request.sources, texts, strict=True))
    parameters: dict[str, Any] = {
        "read": [{"element_id": n, "text": text} for n, text in named if isinstance(text, str)]
    }
    counted = [
        {"kind": "count", "element_ids": [n], "number": str(number)}
        for n, number in named
        if isinstance(number, int)
    ]
    if counted:
        parameters["recounted"] = counted
    return parameters
