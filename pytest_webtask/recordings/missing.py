"""The steps that would ask a model, and the tokens that they are likely to use."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Literal

from pytest_webtask.errors import UsageError
from pytest_webtask.journal import (
    SUCCESSFUL_STATUSES,
    HealProposed,
    IterationEnded,
    JournalEvent,
    ModelNeeded,
    PhaseEnded,
    RulingMade,
    StepEnded,
    StepStarted,
    has_passed,
    journals_of,
    read_file,
)
from pytest_webtask.kept_runs import list_runs, read_attempts
from pytest_webtask.literal import is_literal
from pytest_webtask.phrases import folded
from pytest_webtask.recordings.drafts import DRAFTS, kept_drafts
from pytest_webtask.recordings.drift import still_needed
from pytest_webtask.recordings.maintenance import function_of, named_function, stored
from pytest_webtask.recordings.schema import Key, Kind, is_edited
from pytest_webtask.recordings.store import load_recording, path_of
from pytest_webtask.types.step import step_name


@dataclass
class TokenFigures:
    """The tokens that steps used when a model decided them, in the kept runs."""

    own: dict[tuple[str, str], int] = field(default_factory=dict)
    """The latest figure of each sentence, by kind and sentence."""
    of_kind: defaultdict[str, list[int]] = field(default_factory=lambda: defaultdict(list))

    def add_run(self, journals: Iterable[Path]) -> None:
        """Add the steps of a run that a model decided, and that ended successfully."""
        for path in journals:
            started: dict[tuple[str, int, str, int], StepStarted] = {}
            used: dict[tuple[str, int, str, int], int] = defaultdict(int)
            for _, event in read_file(path):
                step = (event.test, event.attempt, event.webtask, event.step)
                match event:
                    case StepStarted():
                        started[step] = event
                    case IterationEnded() | RulingMade():
                        used[step] += event.iteration.usage.tokens
                    case StepEnded() if event.status in SUCCESSFUL_STATUSES and used[step]:
                        if begun := started.get(step):
                            self.own[begun.step_kind, begun.sentence] = used[step]
                            self.of_kind[begun.step_kind].append(used[step])

    def expected(self, kind: str, sentence: str) -> int | None:
        """Return the sentence's own figure, or the median of its kind; None if there is none yet."""
        if own := self.own.get((kind, sentence)):
            return own
        figures = self.of_kind.get(kind)
        return round(median(figures)) if figures else None


Cause = Literal["drifted", "no recording", "edited", "not reached"]


@dataclass(frozen=True)
class MissingStep:
    """A step that would ask a model, or, if it was not reached, may ask one.

    `file` is the path of its recording from the project's root. `tokens` are those to expect, None
    if there are no figures. A `proposed` heal would make the model unnecessary.
    """

    file: str
    key: Key
    cause: Cause
    tokens: int | None
    proposed: bool = False


@dataclass(frozen=True)
class Missing:
    """The steps that would ask a model, as far as a run shows, and the steps that it did not reach."""

    run: Path
    tests: int
    steps: tuple[MissingStep, ...]
    unreached: tuple[MissingStep, ...]
    figures: TokenFigures


def find_missing(root: Path, run: Path, folder: str) -> Missing:
    """Return the steps that would ask a model in the project at `root`. Raises DamagedRecording.

    They are those of a run that drifted or had neither recording nor draft, and all whose evidence
    was edited.
    """
    figures = TokenFigures()
    for each in (*(kept for kept in reversed(list_runs(root)) if kept != run), run):
        figures.add_run(journals_of(each))

    def step(file: str, key: Key, cause: Cause, *, proposed: bool = False) -> MissingStep:
        return MissingStep(file, key, cause, figures.expected(key.kind, key.sentence), proposed)

    attempts = read_attempts(run)
    steps: dict[tuple[str, Key], MissingStep] = {}
    for file, key in _edited(root, folder):
        steps[file, key] = step(file, key, "edited")
    for test, events in attempts.items():
        drafts = kept_drafts(root / DRAFTS, test)
        healed = {(e.webtask, e.step) for e in events if isinstance(e, HealProposed)}
        for event in events:
            if not isinstance(event, ModelNeeded) or (event.file, event.key) in drafts:
                continue
            if still_needed(root, event):
                cause: Cause = "drifted" if event.cause == "drifted" else "no recording"
                steps[event.file, event.key] = step(
                    event.file, event.key, cause, proposed=(event.webtask, event.step) in healed
                )
    unreached = {
        (file, key): step(file, key, "not reached")
        for file, key in _unreached(root, attempts, folder)
        if (file, key) not in steps
    }
    return Missing(run, len(attempts), _sorted(steps), _sorted(unreached), figures)


def _sorted(steps: Mapping[tuple[str, Key], MissingStep]) -> tuple[MissingStep, ...]:
    return tuple(sorted(steps.values(), key=lambda each: each.file))


def _edited(root: Path, folder: str) -> Iterator[tuple[str, Key]]:
    for each in stored(root, folder):
        path = each.path.resolve()
        recording = load_recording(path)
        for step in recording.steps if recording else ():
            if is_edited(step):
                yield path.relative_to(root.resolve()).as_posix(), step.key


def _unreached(
    root: Path, attempts: Mapping[str, Sequence[JournalEvent]], folder: str
) -> Iterator[tuple[str, Key]]:
    """Yield the steps of the functions of failed tests that no test has reached."""
    started: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)
    stopped: set[str] = set()
    for test, events in attempts.items():
        function = test.partition("[")[0]
        begun = [(e.step_kind, e.sentence) for e in events if isinstance(e, StepStarted)]
        # Of the cases of a parametrized test, the one that came farthest counts.
        started[function] = max(started[function], begun, key=len)
        outcomes = {e.phase: e.outcome for e in events if isinstance(e, PhaseEnded)}
        if not has_passed(outcomes) and "skipped" not in outcomes.values():
            stopped.add(function)
    for test in sorted(stopped):
        module, name = named_function(test)
        path = path_of(root / module, name, folder)
        recording = load_recording(path)
        keys = [step.key for step in recording.steps] if recording else []
        recorded = {(key.kind, folded(key.sentence)) for key in keys}
        keys += [
            Key(kind=kind, sentence=sentence, occurrence=1)
            for kind, sentence in _sentences(root / module, name)
            if (kind, sentence) not in recorded and not is_literal(kind, sentence)
        ]
        done = [(kind, folded(sentence)) for kind, sentence in started[test]]
        for key in keys:
            if done.count((key.kind, folded(key.sentence))) < key.occurrence:
                yield path.relative_to(root).as_posix(), key


def _sentences(module: Path, name: str) -> Sequence[tuple[Kind, str]]:
    """Return the steps whose sentences are literals in the code of a function."""
    with suppress(UsageError):
        if function := function_of(module, name):
            return function.steps
    return ()


def unrecorded_sentence(
    module: Path, function: str, folder: str, mode: str, *, literally: bool
) -> str:
    """Return the first sentence of a test's own that a model must decide, "" if none is known.

    Nothing is run, so sentences that are built at run time or are in other functions are not known.
    Raises UsageError for a module that cannot be read, and DamagedRecording.
    """
    found = function_of(module, function)
    recording = None if mode == "live" else load_recording(path_of(module, function, folder))
    steps = recording.steps if recording and mode == "auto" else ()
    recorded = {(step.kind, folded(step.sentence)) for step in steps}
    for kind, sentence in found.of_fixture if found else ():
        if (kind, sentence) not in recorded and not (literally and is_literal(kind, sentence)):
            return step_name(kind, sentence)
    return ""
