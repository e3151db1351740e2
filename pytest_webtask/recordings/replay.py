"""ReplayModel: replays a recorded step, and checks its evidence."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, TypeVar

from playwright.sync_api import Error, Frame, Locator

from pytest_webtask.checks.base import CheckResult, UncheckableError
from pytest_webtask.checks.varying import Varying
from pytest_webtask.data.phrases import IF_RIGHT, raise_limit
from pytest_webtask.data.values import Placeholders
from pytest_webtask.errors import Drifted
from pytest_webtask.journal.schema import Evidence, RecordedCall, names_in, texts_in
from pytest_webtask.page import dom
from pytest_webtask.page.activity import FRAMES, KEYS, LATE, activity_of, find
from pytest_webtask.page.locator_parser import Unreadable
from pytest_webtask.page.recorded_element import Missing, RecordedElement, ask_together
from pytest_webtask.page.step_time import Deadline
from pytest_webtask.recordings.calls import CallReplay, decision, last_call
from pytest_webtask.recordings.healing import Healer
from pytest_webtask.recordings.progress import ReplayProgress
from pytest_webtask.recordings.resolver import CheckRequest, RecordingResolver, Source, reread_value
from pytest_webtask.tools.approval import quiet_for
from pytest_webtask.tools.context import StepContext
from pytest_webtask.types.agent import Decision, Turn
from pytest_webtask.types.model import ModelTraits, ModelWithTraits
from pytest_webtask.types.page import Target

_T = TypeVar("_T")
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
                each.with_found(each.read()).locator for each in self.elements
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
    `drifted` returns the error for that case. `on_drift` is called when the recording no longer fits,
    before a model takes over. With `heals` the replay uses moved elements. Evidence of a pending step that does
    not hold is a drift instead of a failure. With `confirms`, the step was recorded just before.
    """

    progress: ReplayProgress
    resolver: RecordingResolver
    drifted: Callable[[Missing], Drifted]
    fallback: ModelWithTraits | None
    on_drift: Callable[[], None]
    heals: bool = False
    confirms: bool = False
    context: StepContext = field(init=False)
    _healer: Healer = field(init=False)
    _calls: CallReplay = field(init=False)
    _read_value: bool = field(default=False, init=False)
    _held_before: dict[int, list[_HeldBefore]] = field(default_factory=dict, init=False)
    """By the number of calls before it, the evidence that held before some of them."""
    _compared: int = field(default=-1, init=False)
    """The number of checkpoints at which the evidence to come was last checked, -1 for none."""

    def __post_init__(self) -> None:
        self.context = self.resolver.context
        self._healer = Healer(self.progress, self.resolver, self.heals)
        self._calls = CallReplay(self.progress, self.resolver, self._healer)

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
            except Unreadable as error:
                remedy = "restore the file from version control, or"
                if error.code:
                    remedy = f"correct that locator, {remedy}"
                self._hand_over(turn, Missing(str(error), remedy=remedy, lack="file"))
            except Missing as error:
                self._hand_over(turn, error)
        assert self.fallback is not None, "the step would not have been handed over"
        if turn.observed is None:
            turn.notices = (*turn.notices, self._notice())
        return self.fallback.decide(turn)

    def _hand_over(self, turn: Turn, drift: Missing) -> None:
        """Let a model go on with a step that no longer fits the page. Raises Drifted if none may."""
        progress = self.progress
        self.on_drift()
        if self.fallback is None:
            if progress.offered:
                progress.relocate(*progress.offered)
            raise self.drifted(drift) from None
        progress.handed_over = "; ".join((str(drift), *drift.details))
        activity_of(turn.page).begin_step()

    def _notice(self) -> str:
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

    # The next call

    def _next(self, turn: Turn) -> Decision:
        """Return the next call, or the last one once more where it was lost. Raises Missing."""
        if not turn.iterations:
            self._check_names()
            # The run that confirms a step learns how the page reacts.
            if self.progress.step.quiet and not self.confirms:
                activity_of(turn.page).debounce = KEYS
        try:
            return self._go_on(turn)
        except Missing:
            if call := self._calls.second_try(turn):
                return call
            raise

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

    def _go_on(self, turn: Turn) -> Decision:
        """Return what follows the last call. Raises Missing."""
        step, last = self.progress.step, last_call(turn)
        is_task = turn.role == "worker"
        # A task that is rejected after its end is ended once more.
        if last is not None and last.ends and not (is_task and last.success):
            return self._end_again(turn, last.error or "what was recorded no longer fits")
        done = self.progress.done
        if last is not None and not last.success and done and done[-1].evidence:
            with self._proving(turn, at_checkpoint=True):
                return self._recheck(turn, checkpoint=done[-1])
        if is_task:
            self._note_held_before(turn)
        if call := self._repeat(turn):
            return call
        if step.selected is not None:
            return self._select(turn)
        if step.value is not None and not self._read_value:
            self._read_value = True
            return self._read(turn)
        with self._proving(turn):
            if step.kind == "holds":
                return self._decide_holds(turn)
            self._check_reaction(turn, len(step.calls), step.evidence)
            return self._prove(turn, step.evidence, turn.timeout + self.progress.waited, None)

    def _end_again(self, turn: Turn, refusal: str) -> Decision:
        """Return the decision after the end of a step was refused. Raises Missing."""
        if self.progress.step.kind in ("extract", "select"):
            raise Missing(refusal)
        if call := self._calls.second_try(turn):
            return call
        if wrong := self.context.effects.wrong:
            raise Missing(f"at the end of the step, {'; '.join(wrong)}", lack="effect")
        with self._proving(turn):
            return self._recheck(turn)

    def _repeat(self, turn: Turn) -> Decision | None:
        """Return the next recorded call, None after the last. Raises Missing."""
        call = self._calls.advance(turn)
        if call is None:
            return None
        if not call.evidence:
            return self._calls.repeat(call, turn)
        progress = self.progress
        with self._proving(turn, at_checkpoint=True):
            self._check_reaction(turn, len(progress.done) - 1, call.evidence)
        seconds, progress.waited = turn.timeout + progress.waited, 0.0
        return self._prove(turn, call.evidence, seconds, call)

    @contextmanager
    def _proving(self, turn: Turn, *, at_checkpoint: bool = False) -> Iterator[None]:
        """Raise Missing for what is checked, with the reason if the last call changed nothing.

        `at_checkpoint` says that it is at the newest call, which a model then has to confirm.
        """
        try:
            yield
        except Missing as error:
            if idle := self._calls.idle_call(turn):
                details = (f"so a check fails: {error}", *error.details)
                error = Missing(idle, details, "effect", remedy="")
            if at_checkpoint:
                error.args = (f"checkpoint at {self._calls.place()}: {error}",)
                self.progress.done.pop()
            raise error from None

    # Evidence that held before

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
        if not new:
            return
        request = self._request(new)
        activity_of(turn.page).ask_along()
        ask_together([*request.locators.values(), *self._calls.coming()], named=True)
        if not all(each.holds for each in turn.check(request.checks, request.locators)):
            return
        # What is watched now may change meanwhile.
        self._calls.coming()
        loads = turn.loads()
        found: list[RecordedElement] = []
        for each in new:
            if each.target and each.tab is None and not (each.check.of_set or each.fails):
                element = self.resolver.recall(each.target)
                with suppress(Missing, Error):
                    found.append(element.with_found(element.read()))
        # It is watched until the page has been at rest for a while, or for long enough.
        activity, deadline = activity_of(turn.page), Deadline(_WATCHED)
        still, since = activity.look().still, activity.moment
        while still < _UNTOUCHED and not deadline.is_over:
            deadline.pause(turn.page, 0.1)
            still = activity.look().still
        when = f"at checkpoint {confirmed}" if confirmed else "before the first action"
        held = _HeldBefore(when, loads, found, since, activity.moment, Deadline.clock())
        self._held_before.setdefault(number, []).append(held)

    def _check_reaction(self, turn: Turn, number: int, evidence: Sequence[Evidence]) -> None:
        """Raise Missing if the evidence after a number of calls held before them, unchanged since."""
        if self._calls.missed_load and all(e.held_before for e in evidence):
            raise Missing("an action loads no page, as it did when recorded", lack="effect")
        deadline = Deadline(turn.left(turn.timeout))
        for held in self._held_before.get(number, ()):
            while not held.has_changed(turn):
                if deadline.is_over:
                    raise Missing(
                        f"what this step checks was already so {held.when}, and the page did not change"
                        " there: so the check does not show that the later actions had an effect",
                        remedy=f"reset the data before the test; {IF_RIGHT}",
                        lack="data",
                    )
                deadline.pause(turn.page)

    # Evidence

    def _request(self, evidence: Sequence[Evidence]) -> CheckRequest:
        return self.resolver.ask(map(self.progress.current, evidence))

    def _check(
        self, turn: Turn, evidence: Sequence[Evidence]
    ) -> tuple[CheckRequest, Sequence[CheckResult]]:
        """Run the checks of evidence on the current elements; return them with their results."""
        request = self._request(evidence)
        return request, turn.check(request.checks, request.locators)

    def _prove(
        self, turn: Turn, evidence: Sequence[Evidence], seconds: float, at: RecordedCall | None
    ) -> Decision:
        """Return the call `at` a checkpoint, else the one that ends the step, whose checks may take `seconds`."""
        request, seconds = self._request(evidence), turn.left(seconds)
        tool, parameters = "mark_done", dict[str, Any](summary="as recorded")
        if at is not None:
            tool, parameters = at.tool, self.resolver.parameters(at)
        elif turn.role != "worker":
            return _verdict("holds", "as recorded", request, seconds)
        elif deviations := self.progress.step.deviations:
            parameters["deviations"] = [*map(self.context.data.fill_shown, deviations)]
        parameters["evidence"] = request.evidence
        return decision(tool, parameters, request.locators, seconds)

    def _decide_holds(self, turn: Turn) -> Decision:
        """Return the answer of `holds()` that the evidence supports on the page at rest."""
        yes, no = self.progress.step.evidence, self.progress.step.negative_evidence

        def ask(_: bool) -> tuple[bool | None, bool]:
            if yes and all(each.holds for each in self._check(turn, yes)[1]):
                return True, True
            results = self._check(turn, no)[1]
            shown = [not r.problem and r.holds != e.fails for r, e in zip(results, no, strict=True)]
            is_no = bool(shown) and all(shown)
            return False if is_no else None, is_no

        answer, _ = find(turn.page, turn.left(turn.timeout), ask, quiet=lambda _: LATE)
        if answer is not None:
            request = self._request(yes if answer else no)
            return _verdict("holds" if answer else "does_not_hold", "as recorded", request)
        raise Missing(
            f"the page shows neither what was recorded for a true claim ({_expected(yes)}) nor for a"
            f" false one ({_expected(no)})"
        )

    def _recheck(self, turn: Turn, checkpoint: RecordedCall | None = None) -> Decision:
        """Return the decision after the evidence of a step, or of a checkpoint, did not hold.

        If an element differs, the step fails; if it is missing, it may have moved. Raises Missing.
        """
        evidence = checkpoint.evidence if checkpoint else self.progress.step.evidence
        request, results = self._check(turn, evidence)
        wrong = [r for r in results if not (r.holds or r.lost or r.check.by_eye)]
        if self.confirms and wrong and (varied := self._varied(evidence, results)):
            return self._vary(turn, varied, checkpoint)
        if wrong:
            return self._failed(turn, request, wrong, checkpoint)
        if unseen := [each for each in results if each.check.by_eye and each.problem]:
            return self._undecided(unseen[0])
        if not any(result.lost for result in results):
            late = f"the recorded evidence did not come true in time; {raise_limit('--webtask-timeout')}"
            raise Missing(late)
        lost = [pair for pair in zip(evidence, results, strict=True) if pair[1].lost]
        if moved := [*filter(None, (self._find(turn, *pair) for pair in lost))]:
            return self._failed(turn, *self._check(turn, moved), checkpoint)
        return self._prove(turn, evidence, 0.0, checkpoint)

    def _varied(
        self, evidence: Sequence[Evidence], results: Sequence[CheckResult]
    ) -> tuple[Evidence, ...]:
        """Return evidence that accepts what both runs have shown, () if they differ in more than numbers."""
        shown = self.context.data.shown.items()
        known = {**self.resolver.values, **{name: value for name, value in shown if value}}
        varied = []
        for each, result in zip(evidence, results, strict=True):
            names = names_in(each.check.expected_texts()) & known.keys()
            sentence = self.progress.step.sentence
            put = Placeholders({name: known[name] for name in names}, sentence).put
            varying = Varying(sentence, put)
            check = each.check if result.holds else each.check.varied(result, varying)
            if check is None or result.problem:
                return ()
            varied.append(each.model_copy(update={"check": check}))
        return tuple(varied)

    def _vary(
        self, turn: Turn, evidence: tuple[Evidence, ...], checkpoint: RecordedCall | None
    ) -> Decision:
        """Take over evidence, to be recorded as well; return the decision to check it."""
        progress, changed = self.progress, dict[str, Any](evidence=evidence)
        if checkpoint is not None:
            calls = [*progress.step.calls]
            checkpoint = checkpoint.model_copy(update=changed)
            calls[len(progress.done) - 1] = progress.done[-1] = checkpoint
            changed = {"calls": tuple(calls)}
        progress.step = progress.step.model_copy(update=changed)
        return self._prove(turn, evidence, 0.0, checkpoint)

    def _find(self, turn: Turn, each: Evidence, result: CheckResult) -> Evidence | None:
        """Find the moved element of evidence; return its evidence if that does not hold there. Raises Missing."""
        target = each.target
        if target is None or each.check.of_set or self.progress.is_relocated(target):
            raise Missing(result.brief, lack="result")
        text = self.resolver.fill(str(getattr(each.check, "text", None) or ""))
        moved: list[Evidence] = []

        def fits(new: Target) -> bool:
            there = each.model_copy(update={"target": new})
            [found] = self._check(turn, [there])[1]
            if not found.holds:
                moved.append(there)
            return found.holds

        try:
            self._healer.find(target, self.resolver.recall(target), result.brief, text, fits)
        except Missing as error:
            # An element that is only like it says nothing of a state or a value.
            if error.lack == "likeness" or not text:
                error.lack = "result"
            raise
        return next(iter(moved), None)

    def _undecided(self, result: CheckResult) -> Decision:
        """Leave an element that differs from its recorded picture to a model."""
        if self.fallback is not None or self.progress.step.kind != "verify":
            raise Missing(f"{result.about}: {result.problem}")
        verdict = {"outcome": "cannot_tell", "reason": result.problem}
        return decision("report_verdict", verdict)

    def _failed(
        self,
        turn: Turn,
        request: CheckRequest,
        wrong: Sequence[CheckResult],
        checkpoint: RecordedCall | None,
    ) -> Decision:
        if self.progress.is_pending:
            raise Missing(wrong[0].brief)
        self.progress.failed = True
        message = "; ".join(each.brief for each in wrong)
        if turn.role == "worker":
            if idle := self._calls.idle_call(turn):
                self.progress.is_idle = True
                message = f"{idle}; so {message}"
            made = "all actions were done as recorded, but"
            if checkpoint is not None:
                made = f"the checkpoint at {self._calls.place()} does not hold:"
            return decision("abort", {"reason": f"{made} {message}"})
        if self.progress.step.kind == "holds":
            raise Missing(message)
        return _verdict("does_not_hold", message, request)

    # Values and elements

    def _read(self, turn: Turn) -> Decision:
        """Return a call with the value from the current texts of its sources. Raises Missing."""
        step = self.progress.step
        is_output = turn.role == "worker"
        tool, parameter = ("set_output", "output") if is_output else ("report_value", "value")

        def take() -> tuple[CheckRequest, list[Source], Any]:
            request = CheckRequest()
            texts = [self.resolver.text(each, request) for each in step.sources]
            value = reread_value(step.value, texts)
            self._check_completeness(turn)
            return request, texts, value

        seconds = turn.left(turn.timeout + self.progress.waited)
        request, texts, value = _until_possible(turn, seconds, take)
        named = list(zip(request.sources, texts, strict=True))
        read = [{"element_id": n, "text": text} for n, text in named if isinstance(text, str)]
        parameters: dict[str, Any] = {parameter: value, "read": read}
        counted = [
            {"kind": "count", "element_ids": [n], "number": str(number)}
            for n, number in named
            if isinstance(number, int)
        ]
        if counted:
            parameters["recounted"] = counted
        return decision(tool, parameters, request.locators)

    def _check_completeness(self, turn: Turn) -> None:
        """Raise Missing if there are more or fewer items than were read, or other evidence fails."""
        if turn.role == "worker":
            return
        for each in self._check(turn, self.progress.step.evidence)[1]:
            if not each.holds:
                raise Missing(each.brief, lack="result")

    def _select(self, turn: Turn) -> Decision:
        """Return a call with the selected element. Raises Missing."""
        step = self.progress.step
        assert step.selected is not None, "a select has selected something"
        request = CheckRequest()
        code = self.resolver.name(step.selected, request)
        deadline = Deadline(turn.left(turn.timeout + self.progress.waited))
        try:
            request.locators[code].look(deadline.left)
        except Missing as error:
            code = self._healer.find(step.selected, request.locators[code], str(error))
        quiet = quiet_for([each.check for each in step.evidence])
        _until_possible(turn, deadline.left, lambda: self._check_completeness(turn), quiet)
        return decision("report_element", {"element_id": code}, request.locators)


def _until_possible(
    turn: Turn, seconds: float, read: Callable[[], _T], quiet: float = FRAMES
) -> _T:
    """Return what can be read on the page at rest, within some seconds. Raises Missing."""

    def ask(final: bool) -> tuple[Any, bool]:
        try:
            return read(), True
        except (Missing, UncheckableError, Error) as error:
            if not final:
                return None, False
            raise (error if isinstance(error, Missing) else Missing(str(error))) from None

    return find(turn.page, seconds, ask, quiet=lambda _: quiet)[0]  # type: ignore[no-any-return]


def _verdict(outcome: str, reason: str, request: CheckRequest, seconds: float = 0.0) -> Decision:
    """Return the call that reports a verdict, whose checks may take `seconds` to hold."""
    verdict = {"outcome": outcome, "reason": reason, "evidence": request.evidence}
    return decision("report_verdict", verdict, request.locators, seconds)


def _expected(evidence: Sequence[Evidence]) -> str:
    return "; ".join(f"{e.check.kind} {e.check.describe()}" for e in evidence) or "nothing"
