"""RecordingSession: chooses the model that replays a step, and records or proposes its result."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import date
from itertools import chain
from types import FrameType
from typing import Any, Literal, TypeVar

from playwright.sync_api import Error
from pydantic import ValidationError

from pytest_webtask.checks.base import CheckResult, UncheckableError
from pytest_webtask.data.escapes import one_line
from pytest_webtask.data.phrases import IF_RIGHT
from pytest_webtask.data.text import dates_in
from pytest_webtask.errors import Drifted, EditedRecording
from pytest_webtask.journal import (
    HealedElement,
    HealProposed,
    ModelNeeded,
    StepNoted,
    StepTraced,
    masked_fields,
)
from pytest_webtask.journal.schema import (
    AmbiguousValueError,
    Evidence,
    Key,
    RecordedCall,
    RecordedStep,
    StepTrace,
    first_line,
    is_edited,
    names_in,
    redigested,
    texts_in,
    typed_values,
    with_both_answers,
)
from pytest_webtask.page.activity import activity_of
from pytest_webtask.page.clock import days_around, names_day
from pytest_webtask.page.locator_parser import Unreadable
from pytest_webtask.page.recorded_element import Missing
from pytest_webtask.page.screenshots import point_out
from pytest_webtask.recordings.progress import ReplayProgress
from pytest_webtask.recordings.recorder import Findings, Recorder, Unrecordable, replayed_calls
from pytest_webtask.recordings.replay import ReplayModel
from pytest_webtask.recordings.resolver import RecordingResolver, Underivable
from pytest_webtask.recordings.review import step_changes
from pytest_webtask.recordings.store import CallSiteRuns, Store, calling_from, current_call_site
from pytest_webtask.run.host import Host
from pytest_webtask.run.options import Settings
from pytest_webtask.tools.context import StepContext
from pytest_webtask.types.agent import Cause, Iteration
from pytest_webtask.types.model import ModelWithTraits
from pytest_webtask.types.step import CallSite, Step, StepKind, step_name

_log = logging.getLogger("pytest_webtask")
_Part = TypeVar("_Part", RecordedStep, RecordedCall)
_ELEMENT_FIELDS = {"element_id", "element_ids", "other_id", "within", "place", "picture"}


@dataclass
class RecordingSession:
    """The recordings of one webtask; `name` distinguishes it from others of the same test.

    `describe_failure` returns the problems of the page, and where it is, as lines; `cause` why the step has failed.
    """

    host: Host
    settings: Settings
    name: str
    describe_failure: Callable[[], tuple[list[str], list[str]]]
    cause: Callable[[str], Cause]
    mode: str = field(init=False)
    """The mode of the settings, unless the run pauses."""
    replayer: ReplayModel | None = field(default=None, init=False)
    drift: Missing | None = field(default=None, init=False)
    """Why the running step could not be replayed to its end, None if it could so far."""
    begun: bool = field(default=False, init=False)
    in_file: RecordedStep | None = field(default=None, init=False)
    """The recorded step of the running step, unless the whole recording is made again."""
    _runs: CallSiteRuns = field(default_factory=CallSiteRuns, init=False)
    _step: Step = field(init=False, repr=False)
    _key: Key | None = field(default=None, init=False)
    """The key of the running step, None if nothing can be recorded of it."""
    _context: StepContext = field(init=False, repr=False)
    _picture_files: dict[str, str] = field(default_factory=dict, init=False)
    _values: dict[str, str] = field(default_factory=dict, init=False)
    """The values of the data that the test has used so far, by name."""

    def __post_init__(self) -> None:
        self.mode = self.settings.mode

    @property
    def store(self) -> Store:
        """Return the recordings of the project."""
        return self.host.recordings

    @property
    def only_replays(self) -> bool:
        """Return whether no model may be asked."""
        return self.mode == "replay" or self.host.test.confirms

    def locate(self, kind: StepKind) -> tuple[CallSite | None, FrameType | None]:
        """Return the call site of a new step, and its frame, if it has one; None if not needed."""
        if self.mode == "live" or kind == "goto":
            return None, None
        return current_call_site(self.store.root) or (None, None)

    def begin_step(self, step: Step, frame: FrameType | None) -> None:
        """Begin a step that is called in a frame, or from a declared call site."""
        self._step, self.replayer, self.drift, self._picture_files = step, None, None, {}
        self.begun, self.in_file, self._key = True, None, None
        if step.call_site is not None:
            self._key = Key(
                kind=step.kind,  # type: ignore[arg-type]
                sentence=step.sentence,
                occurrence=self._runs.count(frame or step.call_site, (step.kind, step.sentence)),
                webtask=self.name,
                variant=self.settings.variant,
            )

    def repeater(self, redo: Callable[[], Any]) -> Callable[[], Any]:
        """Return a function that does the last step once more by `redo`, with the same recording."""
        site, key = self._step.call_site, self._key
        if site is None or key is None:
            return redo

        def repeat() -> Any:
            self._runs.begin_at(site, (key.kind, key.sentence), key.occurrence)
            with calling_from(site):
                return redo()

        return repeat

    def decider(
        self, model: ModelWithTraits, fallback: ModelWithTraits | None, context: StepContext
    ) -> ModelWithTraits:
        """Return the model that decides this step: a replay, `model`, or only the literal interpreter.

        `fallback` takes over when a recording no longer fits.
        Raises DamagedRecording and EditedRecording.
        """
        self._context = context
        key = self._key
        # A model may use a value that was passed for this step, though the sentence does not name it.
        self._note_values(context.data.added | names_in([key.sentence] if key else []))
        if key is not None:
            if self.mode != "record" or self.host.test.confirms:
                self.in_file = self.store.find(self._site, key)
            self.replayer = self._take_pending(key, fallback) or self._replay(fallback)
        return self.replayer or self._unrecorded(key, model, fallback)

    def _unrecorded(
        self, key: Key | None, model: ModelWithTraits, fallback: ModelWithTraits | None
    ) -> ModelWithTraits:
        from pytest_webtask.literal import NoModel, is_literal

        if self.only_replays or (fallback is None and self.mode != "live"):
            return NoModel(self._missing)
        if key and not is_literal(key.kind, key.sentence):
            self._note_need("missing")
            self.host.pending.stop()
        return model

    def _note_need(self, cause: Literal["missing", "drifted"]) -> None:
        if (key := self._key) is not None and not self.host.test.confirms:
            self._context.write(ModelNeeded(file=self._file, cause=cause, key=key))

    def _take_pending(self, key: Key, fallback: ModelWithTraits | None) -> ReplayModel | None:
        """Return the model that replays a pending step, and journal its use; None if there is none.

        In place of a recorded step one is used only if that step has drifted in this run. Where it does
        not fit, `fallback` takes over.
        """
        if not self._recorded or self.host.test.confirms:
            return None
        earlier = self.in_file is None and self.mode == "auto"
        pending = self.host.pending.take(self._file, key, self.in_file, earlier=earlier)
        if pending is None:
            return None
        self._note_need("drifted" if self.in_file else "missing")
        words = "replays a draft, which a model has decided when the test did not pass"
        if of_this_run := pending.run == self.host.pending.run:
            words = f"replays what {pending.test} has decided"
        self._context.write(StepNoted(about="draft", words=words, of_this_run=of_this_run))
        _log.info("%s %s", self._step.name, words)
        self._note_values(names_in(texts_in(pending.step.model_dump())))
        # A mismatch means that the step no longer fits, not that the application is wrong.
        return ReplayModel(
            ReplayProgress(pending.step, is_pending=True),
            self._resolver,
            self._drifted,
            fallback=fallback,
            on_drift=self.host.pending.stop,
        )

    def _replay(self, fallback: ModelWithTraits | None) -> ReplayModel | None:
        """Return the model that replays the recorded step, None if there is none. Raises EditedRecording."""
        step = self.in_file
        if step is None:
            return None
        self._note_values(names_in(texts_in(step.model_dump())))
        if is_edited(step):
            raise EditedRecording(self._describe_edited(step))
        asks = self.mode == "auto" and not self.host.test.confirms
        progress = ReplayProgress(step)
        return ReplayModel(
            progress,
            replace(self._resolver, on_found=progress.note_found),
            self._drifted,
            fallback=fallback if asks else None,
            heals=asks or (self.settings.heal and not self.host.test.confirms),
            confirms=self._confirms(step),
            on_drift=lambda: self._note_need("drifted"),
        )

    def _confirms(self, step: RecordedStep) -> bool:
        """Return whether this replay confirms a step that the test has recorded just before."""
        return self.host.test.confirms and self.store.is_new(self._site, step.key)

    @property
    def progress(self) -> ReplayProgress | None:
        """The progress of the replay of the running step, None if it is not replayed."""
        return self.replayer.progress if self.replayer else None

    def missing_expectations(
        self, results: Sequence[CheckResult], confirmed: Sequence[CheckResult] = ()
    ) -> list[str]:
        """Return a message for each recorded expectation that is missing after a model took over.

        Such an expectation is met neither by the recorded evidence nor by `results`, the model's checks;
        that of a checkpoint neither by these nor by a checkpoint of the model's, `confirmed`.
        """
        progress = self.progress
        if progress is None or self.in_file is None or not progress.handed_over:
            return []
        lost = [each for each in self.in_file.evidence if not self._holds(progress.current(each))]
        coming = progress.coming_checkpoints
        messages = [self._unmet(each, results) for each in lost]
        messages += [self._unmet(each, (*results, *confirmed)) for each in coming]
        return [*filter(None, messages)]

    def _unmet(self, each: Evidence, results: Sequence[CheckResult]) -> str:
        """Return the message that no result meets the expectation of recorded evidence, "" if one does."""
        check = self._resolver.ask([each]).checks[0]
        expected = check.model_dump(exclude=_ELEMENT_FIELDS, exclude_none=True).items()
        if any(
            r.holds and expected <= r.check.model_dump(exclude_none=True).items() for r in results
        ):
            return ""
        return (
            f"the recording expects {check.kind} {check.describe()}, which is no longer at its place, or"
            " was not confirmed: cite the element that shows it now, or abort if there is none"
        )

    def _holds(self, each: Evidence) -> bool:
        try:
            request = self._resolver.ask([each])
        except (Unreadable, Missing, ValidationError):
            return False
        return self._context.checker(request.locators).run(request.checks[0]).holds

    def end_test(self) -> None:
        """End the test: in the next one, the calls of each function start from 1."""
        self._runs.clear()

    def record(self, iterations: Sequence[Iteration], found: Findings) -> None:
        """Journal a step, and record or propose it if it is not what its recording has."""
        progress = self.progress
        if self._key is None:
            if any(each.decided_by == "model" for each in iterations):
                self._write_unrecorded(
                    f"the step was called from outside of {self.store.root}, and recordings are kept beside the"
                    " test modules in that folder: pass a --rootdir that contains the caller"
                )
        elif progress is not None and not progress.handed_over:
            self._record_replay(progress)
        elif step := self._decided(iterations, found, self._key):
            self._record_decided(step, progress)

    def _decided(
        self, iterations: Sequence[Iteration], found: Findings, key: Key
    ) -> RecordedStep | None:
        """Return the step that no recording has decided; journal it if it is not to be recorded."""
        decided = [each for each in iterations if each.decided_by != "recording"]
        literal = all(each.decided_by == "literal" for each in decided)
        trace = None
        try:
            recorder = self._recorder(decided, found, key, literal=literal)
            trace = recorder.made(decided, found)
            if literal and self.in_file is None:
                self._write_trace(trace, "literal")
                return None
            if found.has_value:
                trace = recorder.with_value(trace, found)
            recorder.try_out(trace)
            self._picture_files = recorder.pictures
            return redigested(RecordedStep.model_validate(trace.model_dump()))
        except _UNRECORDABLE as error:
            if trace is not None:
                self._write_trace(trace, "model")
            self._write_unrecorded(first_line(error))
            return None

    def _recorder(
        self, decided: Sequence[Iteration], found: Findings, key: Key, *, literal: bool
    ) -> Recorder:
        """Return the recorder of a step, for the values that it has used. Raises AmbiguousValueError."""
        self._note_values(names_in(texts_in([c.parameters for i in decided for c in i.calls])))
        if not literal:
            self._note_typed(decided, key)
            self._note_days(self._context.data.fill(key.sentence))
        before: tuple[RecordedCall, ...] = ()
        if progress := self.progress:
            before = tuple(map(progress.current, progress.done))
        return Recorder(self._context, key, self._resolver, before, self._values, found.ruling)

    def _record_replay(self, progress: ReplayProgress) -> None:
        """Journal a step that a recording or a pending step alone has decided."""
        step = progress.step
        if progress.is_pending and self.in_file is not None:
            instead = "what a model did instead earlier in this run"
            heal = HealedElement(old="the recording drifted", new=instead)
            self._replace(self.in_file, step, [heal])
        elif self._confirms(step):
            # What differed from the run that recorded the step varies.
            progress.confirm()
            pages = self._context.session.tabs.pages.values()
            quiet = step.quiet and not any(activity_of(page).came_late for page in pages)
            varied = progress.current(step).model_copy(update={"quiet": quiet})
            self._keep(redigested(varied))
        elif progress.is_pending:
            self._keep(step)
        elif progress.healed:
            healed = redigested(progress.current(progress.step))
            self._write_trace(healed, "recording")
            self._propose(healed, progress.healed)
        else:
            self._write_trace(step, "recording")

    def _record_decided(self, step: RecordedStep, progress: ReplayProgress | None) -> None:
        self.host.pending.stop()
        old = self.in_file
        if progress is None or old is None:
            for hint in self.store.near(self._site, step.key):
                self._context.write(StepNoted(about="similar", words=hint))
            self._keep(step, "model")
            return
        step = _as_new_as(progress.step, step)
        if _has_same_answer(old, step):
            shown = [each.check for each in step.evidence]
            more = [e for e in map(progress.current, old.evidence) if e.check not in shown]
            evidence = (*step.evidence, *filter(self._holds, more))
            step = step.model_copy(update={"evidence": evidence})
        instead = HealedElement(old=progress.handed_over, new="what the model did instead")
        self._replace(old, redigested(step), [*progress.healed, instead], "model")

    def _replace(
        self,
        old: RecordedStep,
        step: RecordedStep,
        heals: Sequence[HealedElement],
        by: str = "recording",
    ) -> None:
        if not _has_same_answer(old, step):
            self._keep(with_both_answers(step, old), by)
            return
        self._write_trace(step, by)
        self._propose(step, heals, changes=step_changes(old, step))

    def _keep(self, step: RecordedStep, by: str = "recording") -> None:
        kept = self._masked(step)
        self._write_trace(kept or step, by, recorded=self._recorded)
        if not self._recorded:
            return
        if kept is None:
            self._write_unrecorded("a pattern of its evidence holds a text that is to be hidden")
            return
        self.store.keep(self._site, kept, self._picture_files)
        if by == "model":
            self._keep_pending(kept)
            for each in step.every_evidence:
                if each.check.by_eye:
                    words = f"kept with a picture for {each.check.describe()}, which each replay has to draw alike"
                    self._context.write(StepNoted(about="kept", words=words))

    def _masked(self, step: RecordedStep) -> RecordedStep | None:
        """Return a step without secrets and redacted texts, None where a pattern does not stand that."""
        data = self._context.data
        if not data.hides:
            return step
        fields = step.model_dump(mode="json", exclude_defaults=True)
        with suppress(ValidationError):  # a placeholder may break a pattern
            fields = masked_fields(step, fields, data.scrub_values)
            return redigested(RecordedStep.model_validate(fields))
        return None

    def _propose(
        self,
        step: RecordedStep,
        heals: Sequence[HealedElement],
        *,
        changes: Iterable[str] = (),
        used: bool = True,
    ) -> None:
        """Propose a step in place of the recorded one; it is `used` if the test goes on with it.

        Without `changes` only elements were found elsewhere.
        """
        # A run that is paused does not go on with it.
        used &= not self.host.is_paused
        # A proposal for a variant changes no recording of other variants.
        step = step.model_copy(update={"variant": self.settings.variant or step.variant})
        changes = tuple(changes)
        event = HealProposed(file=self._file, heals=tuple(heals), changes=changes, used=used)
        self._context.write(event)
        words = (*(f"{each.old} → {each.new}" for each in heals), *changes)
        words = tuple(map(self._context.data.scrub, words))
        self._keep_pending(step, used=used, changes=words, heals=not changes)
        if used:
            self.host.test.is_whole = False
            for each in heals:
                heal = f"{self._step.name}: {each.old} -> {each.new}"
                self.host.test.properties.append(("webtask_heal", heal))

    def _keep_pending(self, step: RecordedStep, **how: Any) -> None:
        """Keep a step for later steps of this run and for the next one, or until a person accepts it."""
        if (masked := self._masked(step)) is not None:
            how |= {"previous": self.in_file, "pictures": self._picture_files}
            self.host.pending.keep(self._file, masked, **how)

    def _write_trace(self, trace: StepTrace, by: str, *, recorded: str = "") -> None:
        values = self._values | self._context.data.plain
        names = names_in(texts_in(trace.model_dump(mode="json", exclude_defaults=True)))
        used = {name: value for name, value in values.items() if name in names}
        if recorded:
            self.host.test.records = True
        self._context.write(
            StepTraced(
                file=self._file,
                decided_by=by,
                mode=recorded,
                trace=trace,
                data=used,
                pictures=self._picture_files,
                resources=self._uploads(trace),
            )
        )

    def _write_unrecorded(self, reason: str) -> None:
        """Journal and log at once that no replay can decide the running step."""
        if not self._recorded:
            return
        self.host.test.is_whole = False
        self._context.write(StepNoted(about="unrecorded", words=reason))
        line = f"step {self._step.number}, {self._step.name} is not recorded: {reason}"
        _log.warning(one_line(self._context.data.scrub(line)))

    def _uploads(self, trace: StepTrace) -> dict[str, str]:
        root, resources = self.store.root, self._context.resources
        names = {*chain.from_iterable(c.parameters.get("resources") or () for c in trace.calls)}
        return {
            name: resources[name].relative_to(root).as_posix()
            for name in names & resources.keys()
            if resources[name].is_relative_to(root)
        }

    def _note_values(self, names: set[str]) -> None:
        """Note by their names which values of the data the test uses; days around today are values of their own."""
        shown = self._context.data.plain
        if any(map(names_day, names)):
            self._values |= days_around(self._context.page, self._context.data.days)
        self._values |= {name: value for name, value in shown.items() if name in names}

    def _note_days(self, sentence: str) -> None:
        """Note the days around today, but for those that the sentence names or the data have."""
        self._values = {n: v for n, v in self._values.items() if not names_day(n)}
        known = [*self._values.values(), *self._context.data.plain.values()]
        computed = self._context.data.days
        meant = _days_in("\n".join([sentence, *known])) - {*computed.values()}
        days = days_around(self._context.page, computed)
        # A text has one name, and that of a computed day says more than that of today.
        names = {text: name for name, text in days.items() if text not in known}
        self._values |= {n: day for day, n in names.items() if not meant & _days_in(day)}

    def _note_typed(self, iterations: Sequence[Iteration], key: Key) -> None:
        """Note the values that a model has typed out, though nothing names them. Raises AmbiguousValueError."""
        calls = replayed_calls(iterations)
        texts = texts_in([call.given for call in calls])
        unused = {n: v for n, v in self._context.data.plain.items() if n not in self._values}
        self._values |= typed_values(texts, unused, self._context.data.fill(key.sentence))

    @property
    def _recorded(self) -> str:
        return self.mode if self.mode in ("auto", "record") else ""

    @property
    def _site(self) -> CallSite:
        assert self._step.call_site, "the step has a call site"
        return self._step.call_site

    @property
    def _resolver(self) -> RecordingResolver:
        pictures = self.store.file(self._site).with_suffix("")
        return RecordingResolver(self._context, pictures, self._values)

    @property
    def _file(self) -> str:
        return self.store.file(self._site).relative_to(self.store.root).as_posix()

    def _missing(self) -> str:
        self._note_need("missing")
        sentence, hints = "this sentence", list[str]()
        if key := self._key:
            sentence = f"{step_name(key.kind, key.sentence)} in {self._file}"
            hints = [*self.store.near(self._site, key)]
        if not self.only_replays and not hints:
            return ""
        reason = "replay mode never calls a model" if self.only_replays else "no model is set"
        problem = f"no recording for {sentence}, which needs one: {reason}"
        return "\n".join([problem, *hints, f"record it: {self.host.advice('auto')}"])

    def _describe_edited(self, step: RecordedStep) -> str:
        name = step_name(step.kind, step.sentence)
        return (
            f"{name} in {self._file} was edited after it was approved: a replay does and checks only what was approved\n"
            f"record it again: {self.host.advice('record')}\n"
            f"or answer for it yourself: pytest-webtask accept --edited {self._file}"
        )

    def _drifted(self, drift: Missing) -> Drifted:
        """Return an error with what was sought, what is there instead, what the application says, and one command."""
        assert self.replayer is not None, "a step was replayed"
        self.drift, progress = drift, self.replayer.progress
        point_out(self._context.page, drift.candidates)
        reported, page = self.describe_failure()
        source, advice = self._file, self._advice(drift.remedy)
        if progress.is_pending:
            source = (
                "its draft, which a model decided in a test that did not pass, or in another one"
            )
            advice = f"have a model decide it again: {self.host.advice('auto')}"
        elif progress.healed and not self.host.test.confirms:
            healed_step = redigested(progress.current(progress.step))
            self._propose(healed_step, progress.healed, used=False)
            advice = "if that is the same element, accept it: pytest-webtask accept"
        problems = [str(drift), *drift.details]
        healed = [f"- {heal.old}\n  + {heal.new}   ({heal.what})" for heal in progress.healed]
        scrub = self._context.data.scrub
        name = step_name(progress.step.kind, progress.step.sentence)
        lines = [f"  {line}" for line in (*problems, *healed)]
        lines.insert(0, f"{name} can no longer be replayed from {source}")
        error = Drifted(scrub("\n".join([*lines, *reported, *page, advice])))
        error.brief = scrub("\n".join([*problems, *reported, advice]))
        return error

    def describe_failed_check(self) -> list[str]:
        """Return what to do next, as a line, if a check of the replay has failed."""
        progress = self.progress
        if progress is None or not progress.failed or progress.handed_over:
            return []
        return [self._advice("" if progress.is_idle else IF_RIGHT)]

    def _advice(self, remedy: str) -> str:
        """Return what to do next: to watch the step if to record it again cannot help, as there is no `remedy`."""
        if not remedy:
            watch = self.host.spell(f'pytest "{self.host.test.name}" --headed --slowmo=500')
            return f"this may be a bug; watch it: {watch}"
        bug = "this may be a bug; " if self.cause("drifted").word == "product" else ""
        return f"{bug}{remedy} record it again: {self.host.advice('record')}"


def _days_in(text: str) -> set[date]:
    return {day for _, days in dates_in(text) for day in days}


def _as_new_as(old: RecordedStep, step: RecordedStep) -> RecordedStep:
    """Return a step in which checks count as new that were new when they were first recorded.

    A model that takes over has not seen the page before the first call.
    """
    new = [each.check for each in old.every_evidence if each.is_new_since(0)]

    def marked(part: _Part) -> _Part:
        evidence = tuple(
            each.model_copy(update={"held_before": each.held_before and each.check not in new})
            for each in part.evidence
        )
        return part.model_copy(update={"evidence": evidence})

    return marked(step.model_copy(update={"calls": tuple(map(marked, step.calls))}))


def _has_same_answer(old: RecordedStep, new: RecordedStep) -> bool:
    """Return whether a recorded step has the answer of a new one, which only `holds()` may lack."""
    if new.kind != "holds":
        return True
    return bool(old.negative_evidence if new.negative_evidence else old.evidence)


_UNRECORDABLE = (
    Unrecordable,
    Underivable,
    AmbiguousValueError,
    ValidationError,
    Missing,
    UncheckableError,
    Unreadable,
    Error,
)
