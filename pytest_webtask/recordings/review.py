"""Review changed recordings: diff their code, and flag weaker evidence."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from difflib import unified_diff
from pathlib import Path

from pytest_webtask.data.phrases import folded, quote
from pytest_webtask.export.statements import code_of
from pytest_webtask.journal.schema import (
    Approval,
    Evidence,
    RecordedCall,
    RecordedStep,
    StepTrace,
    digest,
    is_edited,
    today,
)
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
    words += ["person"] * approved.person + ["perhaps the same session"] * approved.same_session
    words += ["edited since"] * is_edited(step)
    return ", ".join(words)


def review_changes(
    old: Sequence[RecordedStep],
    new: Sequence[RecordedStep],
    revision: str,
    ruled: Collection[Approval | None],
) -> Iterator[str]:
    """Yield a diff and the flags of each changed step of a file; `ruled` are the approvals of runs on this machine."""
    before = {step.key: step for step in old}
    after = {step.key: step for step in new}
    for key in dict.fromkeys((*before, *after)):
        was, now = before.get(key), after.get(key)
        if now is None:
            yield from _reviewed(before[key], code_of(before[key]), [], revision)
            yield from ("! weaker: the step was removed", "")
        elif was is None:
            yield from _reviewed(now, [], code_of(now), revision)
            yield from (*_of_approval(now, ruled), "")
        elif was.model_copy(update={"decided": now.decided}) != now:
            yield from _reviewed(now, code_of(was), code_of(now), revision)
            flags = (*_left_out(was, now), *weakened_evidence(was, now))
            yield from (f"! {flag}" for flag in flags)
            yield from (*_of_approval(now, {was.approved, *ruled}), "")


def _reviewed(
    step: RecordedStep, was: Sequence[str], now: Sequence[str], revision: str
) -> Iterator[str]:
    yield step_title(step)
    lines = [*unified_diff(was, now, revision, "now", lineterm="")]
    yield from lines or ["(same code; only the names and surroundings of its elements differ)"]


def _of_approval(step: RecordedStep, known: Collection[Approval | None]) -> Iterator[str]:
    if is_edited(step):
        yield "! not approved: edited after it was approved, so a replay refuses it"
    elif step.approved and step.approved.person:
        yield f"! not ruled on: approved by a person ({step.approved.by}), not by a model (the referee)"
    elif step.approved not in known:
        # A digest can be computed by whoever edits a file.
        yield "! not ruled on: no run in .webtask/runs has made this approval; compare the code with the sentence"


def _left_out(old: StepTrace, new: StepTrace) -> Iterator[str]:
    """Yield the calls of a step that it no longer makes at their places."""
    lines = _differences([*map(_call_line, old.calls)], [*map(_call_line, new.calls)])
    yield from (f"different: left out or moved: {e[2:]}" for e in lines if e.startswith("-"))


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
    elements = " to ".join(each.describe() for each in call.targets.values())
    words = f"{call.tool.replace('_', ' ')} {elements}".rstrip()
    # The text of a fill needs no name.
    given = ", ".join(
        f"{name.replace('_', ' ')} {quote(value)}".removeprefix("text ")
        for name, value in call.parameters.items()
    )
    return f"{words}: {given}" if given else words


def _evidence_lines(step: StepTrace) -> list[str]:
    parts = {
        "{}": map(_check_line, step.evidence),
        "for no: {}": map(_check_line, step.negative_evidence),
        "deviation: {}": step.deviations,
        "at a checkpoint: {}": map(_check_line, step.checkpoints),
    }
    checked = (form.format(line) for form, lines in parts.items() for line in lines)
    return [*checked, *_reads(step)]


def _reads(step: StepTrace) -> Iterator[str]:
    yield from (f"reads the {each.kind} of {_subject(each.target)}" for each in step.sources)
    if step.selected:
        yield f"selects {_subject(step.selected)}"


def weakened_evidence(old: StepTrace, new: StepTrace) -> Iterator[str]:
    """Yield a sentence for each piece of a step's evidence that was removed, loosened or replaced."""
    yield from _of_evidence(old.evidence, new.evidence)
    yield from _of_evidence(old.negative_evidence, new.negative_evidence)
    yield from _of_evidence(old.checkpoints, new.checkpoints)
    lines = _differences([*_reads(old)], [*_reads(new)])
    yield from (f"different: no longer {line[2:]}" for line in lines if line.startswith("-"))
    if old.value != new.value:
        yield "different: takes its value from another part of what it reads"
    yield from (f"different: done otherwise than written: {e}" for e in new.deviations)


def _of_evidence(old: Sequence[Evidence], new: Sequence[Evidence]) -> Iterator[str]:
    left = [each for each in new if each not in old]
    for each in old:
        if each in new:
            continue
        subject = _subject(each.target)
        same = (each.check.kind, each.fails)
        alike = [one for one in left if (one.check.kind, one.fails) == same]
        if not alike:
            yield f"weaker: no longer checks {_check_line(each)}"
            continue
        near = min(alike, key=lambda one: _subject(one.target) != subject)
        left.remove(near)
        yield from (f"{flag}: {subject}" for flag in each.check.loosenings(near.check))
        if (near.new_since, not near.held_before) < (each.new_since, not each.held_before):
            yield f"weaker: may now have been so before the step: {subject}"
        if subject != _subject(near.target):
            yield f"different: now of {_subject(near.target)}, before of {subject}"


def _subject(target: Target | None) -> str:
    return target.describe() if target else "the page"


def _check_line(each: Evidence) -> str:
    words = f"{_subject(each.target)}: {each.check.kind} {each.check.describe()}"
    if each.other:
        words += f", {each.other.describe()}"
    return f"not {words}" if each.fails else words


def accept_edited(path: Path, by: str, *, dry: bool = False) -> list[RecordedStep]:
    """Approve the edited steps of a file in the name of a person; return them."""
    recording, accepted = load_recording(path), []
    for each in filter(is_edited, recording.steps):
        approval = Approval(by=by, on=today(), digest=digest(each), person=True)
        accepted.append(each.model_copy(update={"approved": approval}))
        recording = with_step(recording, accepted[-1])
    if accepted and not dry:
        save_recording(path, recording)
    return accepted
