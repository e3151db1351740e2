"""Review changed recordings: diff their code, flag weaker evidence, accept heals."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from difflib import SequenceMatcher, unified_diff
from pathlib import Path

from pydantic import ValidationError

from pytest_webtask.data.phrases import counted, folded
from pytest_webtask.errors import UsageError
from pytest_webtask.export.statements import code_of
from pytest_webtask.journal import HealProposed, read
from pytest_webtask.journal.kept_runs import find_run, matching_names, near_matches
from pytest_webtask.journal.runs import Run
from pytest_webtask.journal.schema import (
    Approval,
    Evidence,
    RecordedCall,
    RecordedStep,
    Recording,
    StepTrace,
    digest,
    first_line,
    is_edited,
)
from pytest_webtask.page.locator_parser import Unreadable, is_positional
from pytest_webtask.recordings.merge import keep_pictures
from pytest_webtask.recordings.store import load_recording, save_recording
from pytest_webtask.types.page import Address, Container, Target


def step_title(step: StepTrace) -> str:
    """Return a one-line title of a step."""
    key = step.key
    where = "".join(f", {each}" for each in (key.webtask, key.variant) if each)
    nth = f", no. {key.occurrence}" if key.occurrence > 1 else ""
    return f'{key.kind} "{folded(key.sentence)}"{nth}{where}'


def approval_words(step: StepTrace) -> str:
    """Return who approved a step and when, in words."""
    approved = step.approved
    if approved is None:
        return "not approved"
    words = [f"approved by {approved.by} on {approved.on}"]
    words += ["person"] * approved.person + ["same session"] * approved.same_session
    words += ["edited since"] * is_edited(step)
    return ", ".join(words)


REVIEW = "review the steps with ! before you commit them"
"""What to do about the flags of a review."""


def review_changes(
    old: Sequence[RecordedStep], new: Sequence[RecordedStep], revision: str
) -> Iterator[str]:
    """Yield the lines that review one file: a diff and the flags of each changed step."""
    before = {step.key: step for step in old}
    after = {step.key: step for step in new}
    for key in dict.fromkeys((*before, *after)):
        was, now = before.get(key), after.get(key)
        if was is not None and now is not None and _same(was, now):
            continue
        one = code_of(was) if was is not None else []
        two = code_of(now) if now is not None else []
        yield step_title(now or was)  # type: ignore[arg-type]
        lines = list(unified_diff(one, two, revision, "now", lineterm=""))
        yield from lines or ["(same code; only the names and surroundings of its elements differ)"]
        if was is not None:
            yield from (f"! {flag}" for flag in weakened_evidence(was, now))
        yield ""


def step_changes(old: StepTrace, new: StepTrace) -> Iterator[str]:
    """Yield what changed in a step in words: its calls, then its evidence.

    A line begins with - (removed), + (added) or ! (weaker or different).
    """
    before, now = ([_call_line(call) for call in step.calls] for step in (old, new))
    for line in unified_diff(before, now, n=len(before), lineterm=""):
        if not line.startswith(("---", "+++", "@@", " ")):
            yield f"{line[0]} {line[1:]}"
    was, is_now = _evidence_lines(old), _evidence_lines(new)
    changed = [f"- {line}" for line in was if line not in is_now]
    changed += [f"+ {line}" for line in is_now if line not in was]
    yield from changed or ["the same evidence"]
    yield from (f"! {flag}" for flag in weakened_evidence(old, new))


def _call_line(call: RecordedCall) -> str:
    """Return a call in words: its tool, elements and arguments."""
    elements = " to ".join(each.describe() for each in call.targets.values())
    values = [
        json.dumps(value, ensure_ascii=False)
        if name in ("text", "url", "key")
        else f"{name.replace('_', ' ')} {json.dumps(value, ensure_ascii=False)}"
        for name, value in call.parameters.items()
    ]
    words = " ".join(filter(None, (call.tool.replace("_", " "), elements)))
    return ": ".join([words, ", ".join(values)]) if values else words


def _evidence_lines(step: StepTrace) -> list[str]:
    lines = [_check_line(each) for each in step.evidence]
    lines += [f"for no: {_check_line(each)}" for each in step.negative_evidence]
    lines += [f"deviation: {each}" for each in step.deviations]
    lines += [f"at a checkpoint: {_check_line(each)}" for each in _checkpoints(step)]
    lines += [
        f"reads the {each.kind} of {each.target.describe() if each.target else 'the page'}"
        for each in step.sources
    ]
    return [*lines, f"selects {step.selected.describe()}"] if step.selected else lines


def _checkpoints(step: StepTrace) -> list[Evidence]:
    return [each for call in step.calls for each in call.evidence]


def weakened_evidence(old: StepTrace, new: StepTrace | None) -> list[str]:
    """Return a sentence for each piece of a step's evidence that was removed, loosened or replaced."""
    if new is None:
        checks = counted(len(old.every_evidence) + len(old.sources), "check")
        return [f"weaker: the step was removed, with {checks}"]
    flags = [
        *_of_evidence(old.evidence, new.evidence),
        *_of_evidence(old.negative_evidence, new.negative_evidence),
        *(
            f"{flag}, at a checkpoint"
            for flag in _of_evidence(_checkpoints(old), _checkpoints(new))
        ),
    ]
    for was, now in zip(old.sources, new.sources, strict=False):
        if was.target and now.target:
            flags += _of_target(was.target, now.target, "source of the value")
    if len(new.sources) < len(old.sources):
        places = counted(len(new.sources), "place")
        flags.append(f"weaker: now the value is read from {places}, before {len(old.sources)}")
    if old.approved and new.approved and new.approved.person and not old.approved.person:
        flags.append("weaker: now approved by a person, before by a model (the referee)")
    flags += [
        f"different: now done otherwise than written: {each}"
        for each in new.deviations
        if each not in old.deviations
    ]
    flags += [
        f"different: no longer done otherwise than written: {e}"
        for e in old.deviations
        if e not in new.deviations
    ]
    if old.selected and new.selected:
        flags += _of_target(old.selected, new.selected, "selected element")
    return [*flags, *_of_calls(old, new)]


def _of_evidence(old: Sequence[Evidence], new: Sequence[Evidence]) -> Iterator[str]:
    if len(new) < len(old):
        yield f"weaker: now {counted(len(new), 'check')}, before {len(old)}"
    if new and all(e.check.by_eye for e in new) and not all(e.check.by_eye for e in old):
        yield "weaker: now all checks are by eye, in a picture"
    left = [each for each in new if each not in old]
    for each in old:
        if each in new:
            continue
        near = max(left, key=lambda one: _likeness(each, one), default=None)
        if near is None or _likeness(each, near) < 3:
            yield f"weaker: no longer checks {_check_line(each)}"
            continue
        left.remove(near)
        yield from _loosened(each, near)


def _likeness(one: Evidence, two: Evidence) -> int:
    score = 2 * (one.kind == two.kind)
    if one.target and two.target:
        same = one.target.locator == two.target.locator
        same |= one.target.pinned == two.target.pinned != Address()
        score += 3 * same
    elif one.kind == two.kind and one.check.of_page:
        score += 1
    ratio = SequenceMatcher(None, str(one.expects), str(two.expects)).ratio()
    return score + (ratio > 0.6) + (ratio > 0.8)


def _loosened(old: Evidence, new: Evidence) -> Iterator[str]:
    what = _check_line(old)
    if old.fails != new.fails:
        yield f"different: now checks {_check_line(new)}, before {what}"
    if old.kind != new.kind:
        weaker = new.check.strength < old.check.strength
        if weaker or new.check.expects_pattern:
            yield f"weaker: now checks {_check_line(new)}, before {what}"
    else:
        subject = old.target.describe() if old.target else old.kind
        yield from (f"{each}: {subject}" for each in old.check.loosenings(new.check))
        if old.check.searches_target and old.target is None and new.target is not None:
            yield f"weaker: now checks {_check_line(new)}, before {what} on the whole page"
    if not old.check.searches_target and old.target is not None and new.target is not None:
        yield from _of_target(old.target, new.target, what)


def _of_target(old: Target, new: Target, what: str) -> Iterator[str]:
    if _positional(new.locator) and not _positional(old.locator):
        yield f"weaker: now found by its position, {new.locator}, before by {old.locator}: {what}"
    if old.remembered is None:
        return
    if new.remembered is None:
        yield f"weaker: now its role, name and surroundings are not compared, before they were: {what}"
        return
    for was in _lost(old.pinned, new.pinned):
        yield f"weaker: now any {was.kind} is accepted, before only {was}: {what}"
    title = old.remembered.marks.get("title")
    if title and not new.remembered.marks.get("title"):
        yield f'weaker: now any title of the list is accepted, before only "{title}": {what}'


def _lost(old: Address, new: Address) -> Iterator[Container]:
    """Yield what one address requires and another one does not."""
    if old.name and not new.name:
        yield Container(kind="name", name=old.name)
    names = {each.name for each in new.containers}
    places = {each.place for each in new.containers}
    for each in old.containers:
        if each.name and each.name not in names:
            yield each.model_copy(update={"place": ""})
        if each.place and each.place not in places:
            yield Container(kind="place", name=each.place)


def _of_calls(old: StepTrace, new: StepTrace) -> Iterator[str]:
    one_by_one = SequenceMatcher(None, [c.tool for c in old.calls], [c.tool for c in new.calls])
    for begin, other, size in one_by_one.get_matching_blocks():
        for number in range(size):
            one, two = old.calls[begin + number], new.calls[other + number]
            for name in one.targets.keys() & two.targets.keys():
                was, now = one.targets[name], two.targets[name]
                yield from _of_target(was, now, f"{one.tool} {was.locator}")


def _positional(code: str) -> bool:
    try:
        return is_positional(code)
    except Unreadable:
        return False


def _check_line(each: Evidence) -> str:
    """Return a check and its element in words."""
    check = each.check
    element = each.target.describe() if each.target else ""
    if check.searches_target:
        words = f"{check.describe()} in {element}" if element else check.describe()
    else:
        words = (
            f"{element}: {each.kind} {check.describe()}"
            if element
            else f"{each.kind} {check.describe()}"
        )
    words += f", {each.other.describe()}" if each.other else ""
    return f"not {words}" if each.fails else words


def _same(one: RecordedStep, two: RecordedStep) -> bool:
    return one.model_copy(update={"decided": two.decided}) == two


@dataclass(frozen=True)
class Accepted:
    """The outcome of one proposal; `refused` is the reason if it was not accepted."""

    step: str
    path: Path
    test: str
    changes: tuple[str, ...] = ()
    refused: str = ""
    known: bool = False


def pending_heals(root: Path, run: str = "", test: str = "") -> tuple[Path, list[HealProposed]]:
    """Return the named run, or the newest one, and its proposals.

    Raises UsageError if there are none.
    """
    folder = find_run(root, run or None)
    if proposals := _proposals(folder, test):
        return folder, proposals
    named = run or f"the newest run, {folder.name}"
    problem = f"there is nothing to accept{f' for {test!r}' if test else ''} in {named}"
    if test and (others := {event.test for event in _proposals(folder, "")}):
        raise UsageError(f"{problem}; name one of these instead:\n{near_matches(test, others)}")
    advice = "run a test whose recording no longer fits the page: pytest TEST"
    raise UsageError(f"{problem}\n{advice}")


def list_proposals(run: Path) -> Iterator[HealProposed]:
    """Yield the heals of a run that can be accepted.

    A heal used by a test that failed proves nothing and is left out.
    """
    for attempt in Run.of(read(run)).attempts.values():
        failed = "failed" in (phase.outcome for phase in attempt.phases.values())
        proposed = (event for event in attempt.events if isinstance(event, HealProposed))
        yield from (event for event in proposed if not (event.used and failed))


def _proposals(run: Path, test: str) -> list[HealProposed]:
    """Return the heals of a run that can be accepted, of all tests or of those with a name."""
    proposals = list(list_proposals(run))
    if not test:
        return proposals
    matches = matching_names(test, {event.test for event in proposals})
    return [event for event in proposals if event.test in matches]


def accept_heals(
    root: Path, run: Path, proposals: Sequence[HealProposed], *, dry: bool = False
) -> Iterator[Accepted]:
    """Write a run's proposals into the recordings that have not changed since."""
    done: dict[tuple[Path, object], RecordedStep] = {}
    tests: dict[tuple[Path, object], str] = {}
    begun: dict[Path, Recording] = {}
    for event in proposals:
        test, name = event.test, event.file
        path = (root / name).resolve()
        try:
            step, was = _proposed(event)
        except ValueError as error:
            refused = f"the proposal cannot be read: {error}; run the test again"
            yield Accepted(f"step {event.step}", path, test, refused=refused)
            continue
        if not path.is_relative_to(root.resolve()) or path.suffix != ".json":
            yield Accepted(
                step_title(step),
                path,
                test,
                refused=f"{name!r} is not a recording of this project; run the test here again",
            )
            continue
        if path not in begun:
            begun[path] = load_recording(path)
        there = {each.key: each for each in begun[path].steps}
        now = there.get(step.key)
        if (path, step.key) in done:
            if done[path, step.key] != step:
                first = tests[path, step.key]
                # What the first test proposed is in the recording now.
                advice = f'run this test again, pytest "{test}"'
                if dry:
                    advice = "name the test to accept, pytest-webtask accept TEST"
                other = f"{first} proposes something else for this step: {advice}"
                yield Accepted(step_title(step), path, test, refused=other)
            continue
        if now == step:
            yield Accepted(step_title(step), path, test, known=True)
            continue
        # The first heal of a variant replaces the step that all variants share.
        if was != (there.get(was.key) if was else now):
            stale = f'the recording has changed since the run: run the test again, pytest "{test}"'
            yield Accepted(step_title(step), path, test, refused=stale)
            continue
        done[path, step.key], tests[path, step.key] = step, test
        if not dry:
            save_recording(path, _with(load_recording(path), step))
            keep_pictures(run, path, event.pictures)
        changes = [f"{e.old or '(nothing)'} → {e.new or '(nothing)'}" for e in event.heals]
        yield Accepted(step_title(step), path, test, (*changes, *event.changes))


def _proposed(event: HealProposed) -> tuple[RecordedStep, RecordedStep | None]:
    """Return the proposed step and the one that it replaces. Raises ValueError."""
    if event.trace is None:
        raise ValueError("it contains no step")
    try:
        return (
            RecordedStep.of(event.trace),
            RecordedStep.of(event.previous) if event.previous else None,
        )
    except ValidationError as error:
        raise ValueError(first_line(error)) from None


def accept_edited(path: Path, by: str, *, dry: bool = False) -> list[RecordedStep]:
    """Approve the edited steps of a file in the name of a person; return them."""
    recording = load_recording(path)
    edited = [each for each in recording.steps if is_edited(each)]
    day = f"{datetime.now(timezone.utc):%Y-%m-%d}"
    accepted = [
        each.model_copy(
            update={"approved": Approval(by=by, on=day, digest=digest(each), person=True)}
        )
        for each in edited
    ]
    if accepted and not dry:
        for each in accepted:
            recording = _with(recording, each)
        save_recording(path, recording)
    return accepted


def _with(recording: Recording, step: RecordedStep) -> Recording:
    steps = [step if each.key == step.key else each for each in recording.steps]
    if step not in steps:
        steps.append(step)
    return recording.model_copy(update={"steps": tuple(steps)})
