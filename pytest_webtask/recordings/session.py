"""The recordings of a test: what replays a step, and what of it is recorded or proposed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import Error
from pydantic import ValidationError

from pytest_webtask.checks.base import CheckResult, UncheckableError
from pytest_webtask.checks.kinds import CHECKS
from pytest_webtask.errors import EditedRecording
from pytest_webtask.llm import Model
from pytest_webtask.page.locator_parser import Unreadable
from pytest_webtask.page.recorded_element import Missing
from pytest_webtask.recordings.healing import NAME, Heal, place_of
from pytest_webtask.recordings.recorder import (
    Recorder,
    Unrecordable,
    approved_by,
    as_judged,
    counts,
    redigested,
)
from pytest_webtask.recordings.replay import ReplayModel
from pytest_webtask.recordings.resolver import CheckRequest, RecordingResolver, Source, pictured
from pytest_webtask.recordings.resume import GoingOn, ResumedTest
from pytest_webtask.recordings.schema import (
    AmbiguousValueError,
    Evidence,
    Key,
    RecordedCall,
    RecordedStep,
    StepTrace,
    ValueSource,
    is_edited,
    names_in,
    texts_in,
)
from pytest_webtask.recordings.store import CallSite, CallSiteRuns, Store, current_call_site
from pytest_webtask.tools.context import Hands
from pytest_webtask.tools.extraction import Request
from pytest_webtask.types.agent import (
    Conclusion,
    Iteration,
    Outcome,
    Ruling,
    Target,
    Verdict,
    WorkerSession,
)

__all__ = ["RecordingSession", "holds", "now_at", "retargeted", "retold", "shown_at", "unshown"]


def now_at(replayer: ReplayModel, target: Target | None) -> Target | None:
    """A target, or where that element was found."""
    return replayer.found.get(place_of(target), target) if target else None


def retold(replayer: ReplayModel) -> RecordedStep:
    """The recorded step, with what was found again where it is now."""
    step = replayer.step
    sources = [
        ValueSource(kind=each.kind, target=now_at(replayer, each.target)) for each in step.sources
    ]
    made = step.model_copy(
        update={
            "calls": tuple(retargeted(replayer, c) for c in step.calls),
            "evidence": tuple(shown_at(replayer, e) for e in step.evidence),
            "sources": tuple(sources),
            "selected": now_at(replayer, step.selected),
        }
    )
    # An element that was found again is the same one: what was approved of it stays approved.
    return RecordedStep.model_validate(redigested(made).model_dump())


def retargeted(replayer: ReplayModel, call: RecordedCall) -> RecordedCall:
    """A call, on the elements that were found."""
    targets = {name: replayer.found.get(place_of(t), t) for name, t in call.targets.items()}
    return call.model_copy(update={"targets": targets})


def shown_at(replayer: ReplayModel, each: Evidence) -> Evidence:
    """Evidence, of the elements that were found."""
    return each.model_copy(update={"target": now_at(replayer, each.target)})


def unshown(
    replayer: ReplayModel, again: RecordingResolver, answers: Sequence[CheckResult]
) -> list[str]:
    """What the recording expects and neither it nor these answers show, where a model went on."""
    if not replayer.handed:
        return []
    said = []
    for each in replayer.step.evidence:
        if holds(again, shown_at(replayer, each)):
            continue
        check = again.ask([each]).checks[0]
        expects = {k: v for k, v in check.items() if k not in _ELEMENTS}
        if not any(
            a.holds and expects.items() <= a.check.model_dump(exclude_none=True).items()
            for a in answers
        ):
            told = ", ".join(f"{k} {v!r}" for k, v in expects.items() if k != "kind")
            said.append(
                f"{each.kind}: the recording expects {told}, which is not shown where it was:"
                " cite where it is now; if it is nowhere, abort"
            )
    return said


def holds(again: RecordingResolver, each: Evidence) -> bool:
    """Whether recorded evidence is what the page shows."""
    try:
        asked = again.ask([each])
        (check,) = CHECKS.validate_python(asked.checks)
    except (Unreadable, ValidationError):
        return False
    return again.hands.checker(asked.locators).run(check).holds


_ELEMENTS = frozenset(("element_id", "element_ids", "other_id", "within", "place", "picture"))


@dataclass
class RecordingSession:
    """Keeps the recordings of one webtask, which `name` tells from others of a test.

    `mode` is that of the settings; `accepts` says that a replay may use what it has found again; `write`
    journals, `advice` is how a test is run so that it is recorded, `page` tells of the page and
    `heard` is told of what was healed. `returning` is the way of the test at work back to where it
    broke off, if it is on one.
    """

    store: Store | None
    mode: str
    write: Callable[..., None]
    advice: Callable[[str], str]
    page: Callable[[], Sequence[str]]
    heard: Callable[[str, Sequence[Heal]], None] = lambda said, heals: None
    accepts: bool = False
    variant: str = ""
    name: str = ""
    replayer: ReplayModel | None = None
    returning: Callable[[], ResumedTest | None] = lambda: None
    _runs: CallSiteRuns = field(default_factory=CallSiteRuns)
    _key: Key | None = None
    _place: CallSite | None = None
    _hands: Hands | None = None
    _taken: dict[str, str] = field(default_factory=dict)
    _values: dict[str, str] = field(default_factory=dict)
    _ruling: Ruling | None = None

    @property
    def records(self) -> bool:
        """Whether what a model does is recorded."""
        return self.mode in ("auto", "record")

    @property
    def needs_vanished(self) -> bool:
        """Whether a recorded step of this function is about what appears and goes."""
        if not self.store or not self._place or self.mode == "record":
            return False
        return self.store.has_kind(self._place, "was_shown")

    @property
    def _recorded(self) -> str:
        return self.mode if self.records else ""

    def stands(self, kind: str, sentence: str) -> None:
        """Note which step begins, from the function in which its sentence stands."""
        self._key = self._place = self.replayer = None
        self._taken = {}
        found = current_call_site(self.store.root) if self.store and self.mode != "live" else None
        if found is not None and kind != "goto":
            self._place, frame = found
            self._key = Key(
                kind=kind,  # type: ignore[arg-type]
                sentence=sentence,
                occurrence=self._runs.count(frame, (kind, sentence)),
                webtask=self.name,
                variant=self.variant,
            )

    def decider(
        self,
        model: Model,
        fallback: Model | None,
        hands: Hands,
        at: tuple[str, int] | None = None,
        referee: Callable[[Conclusion], Ruling] | None = None,
    ) -> Model:
        """Who decides in this step: its recording, `model`, or nobody but the literal interpreter.

        `fallback` may go on where a recording cannot, `at` is the name of the webtask and the
        number of the step, `referee` rules on what changes. Raises DamagedRecording and
        EditedRecording.
        """
        self._hands, self._ruling = hands, None
        self._use([self._key.sentence] if self._key else [])
        returning = self.returning()
        if returning and self._key and self.mode != "replay":
            back = returning.replayer(self._key, at, hands, lambda: self._again, fallback)
            if back is not None:
                self._use(texts_in(back.step.model_dump()))
                self.replayer = back
                return back
        step = None
        if self.store and self._key and self._place and self.mode != "record":
            step = self.store.find(self._place, self._key)
        if step is None:
            if self.mode != "replay" and (fallback is not None or self.mode == "live"):
                return model
            from pytest_webtask.literal import NoModel

            return NoModel(self._missing)
        self._use(texts_in(step.model_dump()))
        edited = is_edited(step)
        if edited and (self.mode != "auto" or fallback is None or referee is None):
            raise EditedRecording(self._edited(step))
        if self.store and self._place and self.store.reads(self._place):
            # What is read must not be what was there before an answer of the server came.
            hands.settler.watch(hands.page)
        self.replayer = ReplayModel(
            step,
            hands,
            self._again,
            fallback=fallback if self.mode == "auto" else None,
            heals=self.mode == "auto" or self.accepts,
            told=self._drifted,
            changes=lambda kind, sentence, facts: self._changes(referee, kind, sentence, facts),
            unapproved=edited,
        )
        replayer = self.replayer
        hands.unshown = lambda answers: unshown(replayer, self._again, answers)
        return replayer

    def _changes(
        self,
        referee: Callable[[Conclusion], Ruling] | None,
        kind: Any,
        sentence: str,
        facts: Sequence[dict[str, Any]],
    ) -> bool:
        """Whether the referee finds that texts may differ from the recorded ones."""
        if referee is None:
            return False
        self._ruling = referee(Conclusion(kind=kind, sentence=sentence, facts=tuple(facts)))
        return self._ruling.proves

    def end(self) -> None:
        """The step is over, however it ended."""
        if self._hands is not None:
            self._hands.unshown = lambda answers: ()

    def end_test(self) -> None:
        """Another test begins."""
        self._runs.clear()

    # What came of it

    def worked(self, session: WorkerSession, output: bool) -> None:
        """A task was done."""
        sources = self._hands.sources if output and self._hands else ()
        self._keep(
            session.iterations,
            evidence=session.evidence,
            sources=sources,
            value=session.output if output else None,
            has_value=output,
            ruling=session.ruling,
        )

    def judged(self, verdict: Verdict, iterations: Sequence[Iteration]) -> None:
        """A claim was judged; of a verify only a pass is kept, of holds either answer."""
        passed = verdict.outcome is Outcome.PASSED
        if passed:
            self._keep(iterations, evidence=verdict.evidence, ruling=verdict.ruling)
        elif verdict.outcome is Outcome.FAILED and self._key and self._key.kind == "holds":
            self._keep(iterations, otherwise=verdict.evidence, ruling=verdict.ruling)

    def found(self, wanted: Request, iterations: Sequence[Iteration]) -> None:
        """A value was read, or an element selected."""
        if wanted.target is not None:
            self._keep(
                iterations,
                evidence=wanted.evidence,
                selected=wanted.target,
                ruling=wanted.review.ruling,
            )
        else:
            self._keep(
                iterations,
                evidence=wanted.evidence,
                sources=wanted.sources,
                value=wanted.value,
                has_value=True,
                ruling=wanted.review.ruling,
            )

    def _keep(
        self,
        iterations: Sequence[Iteration],
        *,
        value: Any = None,
        has_value: bool = False,
        ruling: Ruling | None = None,
        **given: Any,
    ) -> None:
        """Journal what was done, and record or propose it where a model has decided."""
        if not self.store or self._key is None or self._place is None or self._hands is None:
            return
        replayer = self.replayer
        if replayer is not None and not replayer.handed:
            judged = (*given.get("evidence", ()), *given.get("otherwise", ()))
            self._replayed(replayer, ruling, judged)
            return
        mine = [i for i in iterations if i.model != NAME]
        self._use(texts_in([c.parameters for i in mine for c in i.calls]))
        literal = all(i.model == "literal" for i in mine)
        before = tuple(retargeted(replayer, c) for c in replayer.done) if replayer else ()
        recorder = Recorder(self._hands, self._key, self._again, before, self._values)
        try:
            made = recorder.made(mine, ruling=ruling, **given)
        except (Unrecordable, ValidationError, AmbiguousValueError) as error:
            self._unrecorded(str(error))
            return
        if literal and (replayer is None or isinstance(replayer, GoingOn)):
            self._write_made(made, "literal")
            return
        try:
            if has_value:
                texts = self._texts(made.sources)
                told = recorder.value(_plain(value), given["sources"], texts)
                counted = tuple(counts(told, made.sources, self._again))
                made = made.model_copy(
                    update={"value": told, "evidence": (*made.evidence, *counted)}
                )
            recorder.try_out(made)
            made, self._taken = pictured(made, self._again)
            step = RecordedStep.model_validate(approved_by(made, ruling).model_dump())
        except (
            Unrecordable,
            ValidationError,
            Missing,
            UncheckableError,
            Unreadable,
            Error,
        ) as error:
            self._write_made(made, "model")
            self._unrecorded(_first_line(error))
            return
        if replayer is None or isinstance(replayer, GoingOn):
            self._write_made(step, "model", recorded=self._recorded)
            for hint in self.store.near(self._place, self._key):
                self.write("hint", why=hint)
            if self.records:
                self.store.keep(self._place, step)
            return
        self._went_on(replayer, step)

    def _replayed(
        self, replayer: ReplayModel, ruling: Ruling | None, judged: Sequence[CheckResult]
    ) -> None:
        """Journal a step that nothing but the recording has decided."""
        if replayer.unapproved:
            made = as_judged(replayer.step, judged)
            if made is not None:
                made = approved_by(made, ruling)
                replayer.step = RecordedStep.model_validate(made.model_dump())
        if not replayer.healed:
            # What was recorded in a run that broke off has not been kept yet, nor what was edited.
            kept = (replayer.unkept or replayer.unapproved) and self._recorded
            self._write_made(replayer.step, "recording", recorded=kept or "")
            if kept and self.store and self._place:
                self.store.keep(self._place, replayer.step)
            return
        found = retold(replayer)
        if self._ruling is not None:
            found = RecordedStep.model_validate(approved_by(found, self._ruling).model_dump())
        self._write_made(found, "recording")
        self._propose(found, replayer.healed)

    def _went_on(self, replayer: ReplayModel, step: RecordedStep) -> None:
        """A model did the rest: that is a proposal, but for an answer that nobody had recorded."""
        old = replayer.step
        self._write_made(step, "model")
        if replayer.unapproved:
            # What somebody has edited was not judged with what the model did instead.
            self._propose(step, [Heal(replayer.handed, "what the model did instead", "")])
            return
        if step.kind == "holds" and not (old.otherwise if step.otherwise else old.evidence):
            both = step.model_copy(
                update={
                    "evidence": step.evidence or old.evidence,
                    "otherwise": step.otherwise or old.otherwise,
                }
            )
            both = RecordedStep.model_validate(redigested(both).model_dump())
            self._write_made(both, "model", recorded=self._recorded)
            return
        kept = tuple(
            e for e in (shown_at(replayer, e) for e in old.evidence) if holds(self._again, e)
        )
        told = {(e.kind, str(e.expects)) for e in step.evidence}
        more = tuple(e for e in kept if (e.kind, str(e.expects)) not in told)
        heals = replayer.healed or [Heal(replayer.handed, "what the model did instead", "")]
        whole = redigested(step.model_copy(update={"evidence": (*step.evidence, *more)}))
        self._propose(RecordedStep.model_validate(whole.model_dump()), heals)

    def _propose(self, step: RecordedStep, heals: Sequence[Heal], *, used: bool = True) -> None:
        assert self._place is not None and self.replayer is not None, "a step was replayed"
        # What serves a variant is no change of what serves all.
        step = step.model_copy(update={"variant": self.variant or self.replayer.step.variant})
        self.write(
            "proposal",
            file=self._file,
            made=step.model_dump(mode="json", exclude_defaults=True),
            was=self.replayer.recorded.model_dump(mode="json", exclude_defaults=True),
            healed=[{"old": h.old, "new": h.new, "what": h.what} for h in heals],
            pictures=self._taken,
            used=used,
        )
        if not used:
            return
        self.heard(f"{step.kind}({step.sentence!r})", heals)

    def _write_made(self, made: StepTrace, by: str, *, recorded: str = "") -> None:
        data = self._hands.data.shown if self._hands else {}
        step = made.model_dump(mode="json", exclude_defaults=True)
        names = names_in(texts_in(step))
        used = {n: v for n, v in {**self._values, **data}.items() if n in names and v is not None}
        self.write(
            "made",
            file=self._file,
            by=by,
            made=step,
            data=used,
            recorded=recorded,
            pictures=self._taken,
            resources=self._uploaded(made),
        )

    def _uploaded(self, made: StepTrace) -> dict[str, str]:
        """The files that the step has uploaded, by name, as seen from the project's folder."""
        names = {n for c in made.calls for n in c.parameters.get("resources") or ()}
        known = self._hands.resources if self._hands else {}
        root = self.store.root if self.store else Path()
        return {
            name: path.relative_to(root).as_posix()
            for name, path in known.items()
            if name in names and path.is_relative_to(root)
        }

    def _use(self, texts: Sequence[str]) -> None:
        """Keep in mind which values of the data the test has used."""
        shown = self._hands.data.shown if self._hands else {}
        self._values |= {n: v for n in names_in(texts) if (v := shown.get(n)) is not None}

    def _unrecorded(self, why: str) -> None:
        if self.records:
            self.write("unrecorded", file=self._file, why=why)

    # What is told of it

    @property
    def _again(self) -> RecordingResolver:
        assert self._hands is not None, "a step has begun"
        return RecordingResolver(self._hands, self._pictures, self._values)

    @property
    def _file(self) -> str:
        assert self.store and self._place, "a step stands somewhere"
        return self.store.file(self._place).relative_to(self.store.root).as_posix()

    @property
    def _pictures(self) -> Path | None:
        if self.store is None or self._place is None:
            return None
        return self.store.file(self._place).with_suffix("")

    def _missing(self) -> str:
        """Why a sentence cannot be done; "" where its not being literal says enough."""
        near: list[str] = []
        where, sentence = "", "this sentence"
        if self.store and self._key and self._place:
            where, sentence = f" in {self._file}", f"{self._key.kind}({self._key.sentence!r})"
            near = self.store.near(self._place, self._key)
        if self.mode != "replay" and not near:
            return ""
        said = [
            f"{sentence} has no recording{where}, is no literal sentence, and no model may be"
            " asked here",
            *near,
            f"record it: {self.advice('auto')}",
        ]
        return "\n".join(said)

    def _edited(self, step: RecordedStep) -> str:
        name = f"{step.kind}({step.sentence!r})"
        return "\n".join(
            [
                f"the evidence of {name} in {self._file} is not what was approved: it was edited",
                f"have a referee judge it: {self.advice('auto')}, with a model",
                f"or answer for it yourself: pytest-webtask accept --edited {self._file}",
            ]
        )

    def _drifted(self, said: str, heals: Sequence[Heal]) -> str:
        replayer = self.replayer
        assert replayer is not None, "a step was replayed"
        step = replayer.step
        lines = [
            f"{step.kind}({step.sentence!r}) cannot be replayed as {self._file} has it",
            f"  {said}",
        ]
        if heals:
            lines += [f"  - {heal.old}\n  + {heal.new}   ({heal.what})" for heal in heals]
            self._propose(retold(replayer), heals, used=False)
            lines.append("if that is the element: pytest-webtask accept")
        lines.append(f"or record it anew: {self.advice('record')}")
        return "\n".join([*lines, *self.page()])

    def _texts(self, sources: Sequence[ValueSource]) -> list[Source]:
        asked = CheckRequest()
        return [self._again.text(each, asked) for each in sources]


def _plain(value: Any) -> Any:
    """A value as JSON has it."""
    from pydantic_core import to_jsonable_python

    return to_jsonable_python(value)


def _first_line(error: Exception) -> str:
    if isinstance(error, ValidationError):
        return str(error.errors(include_url=False)[0]["msg"]).removeprefix("Value error, ")
    return (str(error).splitlines() or [type(error).__name__])[0]
