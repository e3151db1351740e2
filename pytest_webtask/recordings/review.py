"""Review changed recordings: diff their code, and flag weaker evidence."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from datetime import datetime, timezone
from difflib import unified_diff
from pathlib import Path

from pytest_webtask.data.phrases import counted, folded
from pytest_webtask.export.statements import code_of
from pytest_webtask.journal.schema import (
    Approval,
    Evidence,
    RecordedCall,
    RecordedStep,
    StepTrace,
    digest,
    is_edited,
)
from pytest_webtask.page.locator_parser import Unreadable, is_positional
from pytest_webtask.recordings.store import load_recording, save_recording, with_step
from pytest_webtask.types.page import Target


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


def review_changes(
    old: Sequence[RecordedStep], new: Sequence[RecordedStep], revision: str
) -> Iterator[str]:
    """Yield the lines that review one file: a diff and the flags of each changed step."""
    before = {step.key: step for step in old}
    after = {step.key: step for step in new}
    for key in dict.fromkeys((*before, *after)):
        was, now = before.get(key), after.get(key)
        if now is None:
            yield from _reviewed(before[key], code_of(before[key]), [], revision)
            yield from ("! weaker: the step was removed", "")
        elif was is None:
            yield from _reviewed(now, [], code_of(now), revision)
            yield ""
        elif was.model_copy(update={"decided": now.decided}) != now:
            yield from _reviewed(now, code_of(was), code_of(now), revision)
            yield from (f"! {flag}" for flag in weakened_evidence(was, now))
            yield ""


def _reviewed(
    step: RecordedStep, was: Sequence[str], now: Sequence[str], revision: str
) -> Iterator[str]:
    """Yield the title of a step, and how its code differs."""
    yield step_title(step)
    lines = [*unified_diff(was, now, revision, "now", lineterm="")]
    yield from lines or ["(same code; only the names and surroundings of its elements differ)"]


def step_changes(old: StepTrace, new: StepTrace) -> Iterator[str]:
    """Yield what changed in a step in words: its calls, then its evidence.

    A line begins with - (removed), + (added) or ! (weaker or different).
    """
    yield from _differences([*map(_call_line, old.calls)], [*map(_call_line, new.calls)])
    changed = [*_differences(_evidence_lines(old), _evidence_lines(new))]
    yield from changed or ["the same evidence"]
    yield from (f"! {flag}" for flag in weakened_evidence(old, new))


def _differences(old: Sequence[str], new: Sequence[str]) -> Iterator[str]:
    for line in unified_diff(old, new, n=0, lineterm=""):
        if not line.startswith(("---", "+++", "@@")):
            yield f"{line[0]} {line[1:]}"


def _call_line(call: RecordedCall) -> str:
    """Return a call in words: its tool, elements and arguments."""
    elements = " to ".join(each.describe() for each in call.targets.values())
    words = f"{call.tool.replace('_', ' ')} {elements}".rstrip()
    # The text of a fill needs no name.
    given = ", ".join(
        f"{name.replace('_', ' ')} {json.dumps(value, ensure_ascii=False)}".removeprefix("text ")
        for name, value in call.parameters.items()
    )
    return f"{words}: {given}" if given else words


def _evidence_lines(step: StepTrace) -> list[str]:
    parts = {
        "{}": map(_check_line, step.evidence),
        "for no: {}": map(_check_line, step.negative_evidence),
        "deviation: {}": step.deviations,
        "at a checkpoint: {}": map(_check_line, _checkpoints(step)),
        "reads {}": (f"the {each.kind} of {_subject(each.target)}" for each in step.sources),
        "selects {}": [_subject(step.selected)] * (step.selected is not None),
    }
    return [form.format(line) for form, lines in parts.items() for line in lines]


def _checkpoints(step: StepTrace) -> list[Evidence]:
    return [each for call in step.calls for each in call.evidence]


def weakened_evidence(old: StepTrace, new: StepTrace) -> list[str]:
    """Return a sentence for each piece of a step's evidence that was removed, loosened or replaced."""
    flags = [
        *_of_evidence(old.evidence, new.evidence),
        *_of_evidence(old.negative_evidence, new.negative_evidence),
        *_of_evidence(_checkpoints(old), _checkpoints(new)),
    ]
    if len(new.sources) < len(old.sources):
        places = counted(len(new.sources), "place")
        flags.append(f"weaker: now the value is read from {places}, before {len(old.sources)}")
    if new.approved and new.approved.person:
        flags.append("weaker: now approved by a person, not by a model (the referee)")
    flags += [f"different: done otherwise than written: {e}" for e in new.deviations]
    for was, now in zip(_read(old), _read(new), strict=False):
        flags += _of_target(was, now)
    return flags


def _read(step: StepTrace) -> Iterator[Target]:
    """Yield the elements that a step reads or selects."""
    yield from (each.target for each in step.sources if each.target)
    if step.selected:
        yield step.selected


def _of_evidence(old: Sequence[Evidence], new: Sequence[Evidence]) -> Iterator[str]:
    left = [each for each in new if each not in old]
    for each in old:
        if each in new:
            continue
        near = next((one for one in left if _is_of_same(each, one)), None)
        if near is None:
            yield f"weaker: no longer checks {_check_line(each)}"
            continue
        left.remove(near)
        subject = _subject(each.target)
        yield from (f"{flag}: {subject}" for flag in each.check.loosenings(near.check))
        if each.target and near.target:
            yield from _of_target(each.target, near.target)


def _is_of_same(one: Evidence, two: Evidence) -> bool:
    """Return whether two checks are of the same kind, and of the same element or part of the page."""
    if (one.kind, one.fails) != (two.kind, two.fails):
        return False
    if one.target is None or two.target is None:
        return one.target == two.target
    return one.target.locator == two.target.locator or one.target.role == two.target.role


def _of_target(old: Target, new: Target) -> Iterator[str]:
    """Yield how an element is known by less than before."""
    if _positional(new.locator) and not _positional(old.locator):
        yield f"weaker: now found by its position, {new.locator}, before by {old.locator}"
    now = {*_pins(new)}
    for pin in _pins(old):
        if pin not in now:
            yield f"weaker: no longer has to be {pin}: {old.describe()}"


def _pins(target: Target) -> Iterator[str]:
    """Yield what must agree of an element, in words."""
    pinned = target.pinned
    if pinned.name:
        yield f'named "{pinned.name}"'
    for each in pinned.containers:
        yield f"in {each.model_copy(update={'place': ''})}"
        if each.place:
            yield f"at place {each.place}"


def _positional(code: str) -> bool:
    try:
        return is_positional(code)
    except Unreadable:
        return False


def _subject(target: Target | None) -> str:
    return target.describe() if target else "the page"


def _check_line(each: Evidence) -> str:
    """Return a check and its element in words."""
    words = f"{_subject(each.target)}: {each.kind} {each.check.describe()}"
    if each.other:
        words += f", {each.other.describe()}"
    return f"not {words}" if each.fails else words


def accept_edited(path: Path, by: str, *, dry: bool = False) -> list[RecordedStep]:
    """Approve the edited steps of a file in the name of a person; return them."""
    recording, accepted = load_recording(path), []
    day = f"{datetime.now(timezone.utc):%Y-%m-%d}"
    for each in filter(is_edited, recording.steps):
        approval = Approval(by=by, on=day, digest=digest(each), person=True)
        accepted.append(each.model_copy(update={"approved": approval}))
        recording = with_step(recording, accepted[-1])
    if accepted and not dry:
        save_recording(path, recording)
    return accepted
