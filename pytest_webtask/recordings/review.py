"""Changed recordings: diffs of exported code, weaker evidence, and accepting heals."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from difflib import SequenceMatcher, unified_diff
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from pytest_webtask.errors import UsageError
from pytest_webtask.export.statements import code_of
from pytest_webtask.page.locator_parser import Unreadable, is_positional
from pytest_webtask.recordings.maintenance import (
    list_proposals,
    list_runs,
    matching_names,
    near_matches,
)
from pytest_webtask.recordings.merge import keep_pictures
from pytest_webtask.recordings.schema import (
    Approval,
    Evidence,
    RecordedStep,
    Recording,
    StepTrace,
    digest,
    is_edited,
)
from pytest_webtask.recordings.store import load_recording, save_recording
from pytest_webtask.types.agent import Target

__all__ = [
    "Accepted",
    "accept_edited",
    "accept_heals",
    "approval_words",
    "pending_heals",
    "review_changes",
    "step_title",
    "weakened_evidence",
]


_WILD = re.compile(r"\\[wWdDsS]|(?<!\\)(?:\[[^\]]*\]|\.|[*+?|]|\{\d*,\d*\})")


def step_title(step: StepTrace) -> str:
    """How a step is named."""
    where = "".join(f", {each}" for each in (step.webtask, step.variant) if each)
    again = f", no. {step.occurrence}" if step.occurrence > 1 else ""
    return f'{step.kind} "{" ".join(step.sentence.split())}"{again}{where}'


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
    """The lines of a review of one file: for each step that changed, a diff and its flags."""
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
        yield from lines or ["(its code is the same: what differs is how its elements are known)"]
        if was is not None:
            yield from (f"! {flag}" for flag in weakened_evidence(was, now))
        yield ""


def weakened_evidence(old: RecordedStep, new: RecordedStep | None) -> list[str]:
    """What of a step's evidence was removed or loosened, each in a sentence."""
    if new is None:
        count = len(old.evidence) + len(old.otherwise) + len(old.sources)
        return [f"the step is gone, with its {count} checks"]
    found = [
        *_of_evidence(old.evidence, new.evidence),
        *_of_evidence(old.otherwise, new.otherwise),
    ]
    for was, now in zip(old.sources, new.sources, strict=False):
        if was.target and now.target:
            found += _of_target(was.target, now.target, "what is read")
    if len(new.sources) < len(old.sources):
        found.append("fewer sources of the value")
    if old.approved and new.approved and new.approved.person and not old.approved.person:
        found.append("a person answers for its evidence, not a referee")
    if old.selected and new.selected:
        found += _of_target(old.selected, new.selected, "what is selected")
    return [*found, *_of_calls(old, new)]


def _of_evidence(old: Sequence[Evidence], new: Sequence[Evidence]) -> Iterator[str]:
    if len(new) < len(old):
        yield f"fewer checks: there were {len(old)}, there are {len(new)}"
    if new and all(e.check.by_eye for e in new) and not all(e.check.by_eye for e in old):
        yield "all that is left is checked by eye"
    left = [each for each in new if each not in old]
    for each in old:
        if each in new:
            continue
        near = max(left, key=lambda one: _likeness(each, one), default=None)
        if near is None or _likeness(each, near) < 3:
            yield f"removed: {_said(each)}"
            continue
        left.remove(near)
        yield from _loosened(each, near)


def _likeness(one: Evidence, two: Evidence) -> int:
    score = 2 * (one.kind == two.kind)
    if one.target and two.target:
        same = one.target.locator == two.target.locator
        known, now = one.target.signature, two.target.signature
        same |= known is not None and now is not None and known.identity == now.identity
        score += 3 * same
    elif one.kind == two.kind and one.check.of_page:
        score += 1
    ratio = SequenceMatcher(None, str(one.expects), str(two.expects)).ratio()
    return score + (ratio > 0.6) + (ratio > 0.8)


def _loosened(old: Evidence, new: Evidence) -> Iterator[str]:
    what = _said(old)
    if old.fails != new.fails:
        yield f"turned round: {what}"
    if old.kind != new.kind:
        weaker = new.check.strength < old.check.strength
        if weaker or new.kind == "matches":
            yield f"{old.kind} became {new.kind}: {what}"
    elif old.kind == "absent":
        yield from _absent(old, new, what)
    else:
        yield from _expects(old, new, what)
    if old.kind != "absent" and old.target is not None and new.target is not None:
        yield from _of_target(old.target, new.target, what)


def _expects(old: Evidence, new: Evidence, what: str) -> Iterator[str]:
    if old.expects.get("exact") and not new.expects.get("exact"):
        yield f"exact dropped: {what}"
    one, two = (str(e.expects.get("text", e.expects.get("value", ""))) for e in (old, new))
    if one != two:
        how = "shortened to" if _part(two, one) else "it expects another text now,"
        yield f'{how} "{two}": {what}'
    one, two = (str(e.expects.get("pattern", "")) for e in (old, new))
    if one != two:
        stars = [p.count("*") if old.kind == "url" else len(_WILD.findall(p)) for p in (one, two)]
        if stars[1] > stars[0] or (old.kind == "url" and _part(two, one)):
            yield f'the pattern became wider, "{two}": {what}'
    texts = [list(map(str, e.expects.get("texts", ()))) for e in (old, new)]
    if len(texts[1]) < len(texts[0]):
        yield f"fewer texts in order: {what}"
    for before, now in zip(*texts, strict=False):
        if before != now and _part(now, before):
            yield f'"{before}" shortened to "{now}": {what}'
    if _complete(old) and not _complete(new):
        yield f"no longer all of them, only some in this order: {what}"


def _absent(old: Evidence, new: Evidence, what: str) -> Iterator[str]:
    """What may not be there is less where it is told more closely."""
    if old.target is None and new.target is not None:
        yield f"absent from a part of the page only: {what}"
    if new.expects.get("exact") and not old.expects.get("exact"):
        yield f"only the very name is absent now: {what}"
    for name in ("text", "name"):
        one, two = (str(e.expects.get(name) or "") for e in (old, new))
        if one != two and _part(one, two):
            yield f'only "{two}" is absent now: {what}'


def _of_target(old: Target, new: Target, what: str) -> Iterator[str]:
    if _positional(new.locator) and not _positional(old.locator):
        yield f"found by its place now, {new.locator}: {what}"
    if old.signature is None:
        return
    if new.signature is None:
        yield f"whatever is found is taken for it: {what}"
        return
    if old.signature.name is not None and new.signature.name is None:
        yield f"its name may be any: {what}"
    if old.signature.label and new.signature.label is None:
        yield f'its label may be any, no longer "{old.signature.label}": {what}'
    if old.signature.key and not new.signature.key:
        yield f'it may stand anywhere, no longer in "{old.signature.key}": {what}'


def _of_calls(old: RecordedStep, new: RecordedStep) -> Iterator[str]:
    one_by_one = SequenceMatcher(None, [c.tool for c in old.calls], [c.tool for c in new.calls])
    for begin, other, size in one_by_one.get_matching_blocks():
        for number in range(size):
            one, two = old.calls[begin + number], new.calls[other + number]
            for name in one.targets.keys() & two.targets.keys():
                was, now = one.targets[name], two.targets[name]
                yield from _of_target(was, now, f"{one.tool} {was.locator}")


def _complete(each: Evidence) -> bool:
    return each.expects.get("place") == "all"


def _positional(code: str) -> bool:
    try:
        return is_positional(code)
    except Unreadable:
        return False


def _part(text: str, of: str) -> bool:
    """Whether a text is only a part of another one."""
    one, two = (" ".join(t.split()) for t in (text, of))
    return one != two and one in two


def _said(each: Evidence) -> str:
    """A check in one line."""
    made = StepTrace.model_validate(
        {"kind": "verify", "sentence": "-", "decided": {"model": "-", "on": "-"}}
    ).model_copy(update={"evidence": (each,)})
    return " ".join(line.strip() for line in code_of(made)[1:])


def _same(one: RecordedStep, two: RecordedStep) -> bool:
    return one.model_copy(update={"decided": two.decided}) == two


@dataclass(frozen=True)
class Accepted:
    """What came of a proposal: `refused` says why it was not taken; the rest is for reading."""

    step: str
    path: Path
    test: str
    changes: tuple[str, ...] = ()
    refused: str = ""
    known: bool = False


def pending_heals(root: Path, run: str = "", test: str = "") -> tuple[Path, list[dict[str, Any]]]:
    """A run and its proposals: of the newest run that has any, if none is named.

    Raises UsageError where there are none.
    """
    seen: set[str] = set()
    for folder in list_runs(root, run):
        found = list(list_proposals(folder))
        if test and found:
            names = {str(line.get("test")) for line in found}
            seen |= names
            meant = matching_names(test, names)
            found = [line for line in found if line.get("test") in meant]
        if found:
            return folder, found
    where = f"the run {run}" if run else "any run"
    if test and seen:
        raise UsageError(
            f"no heal of {test!r} waits in {where}; there are those of\n{near_matches(test, seen)}"
        )
    raise UsageError(
        f"no heal waits in {where}: there is nothing to accept\n"
        "a test that drifted proposes one: pytest TEST"
    )


def accept_heals(
    root: Path, run: Path, lines: list[dict[str, Any]], *, dry: bool = False
) -> Iterator[Accepted]:
    """Put a run's proposals into the files, where each is as the proposal knew it."""
    done: dict[tuple[Path, object], RecordedStep] = {}
    begun: dict[Path, Recording] = {}
    for line in lines:
        test, name = str(line.get("test")), str(line.get("file"))
        path = (root / name).resolve()
        try:
            step = RecordedStep.model_validate(line.get("made"))
            was = RecordedStep.model_validate(line["was"]) if line.get("was") else None
        except ValidationError as error:
            wrong = error.errors(include_url=False)[0]
            refused = f"the proposal cannot be read: {wrong['msg']}"
            yield Accepted(f"step {line.get('step')}", path, test, refused=refused)
            continue
        if not path.is_relative_to(root.resolve()) or path.suffix != ".json":
            yield Accepted(step_title(step), path, test, refused=f"{name!r} is no recording here")
            continue
        if path not in begun:
            begun[path] = load_recording(path) or Recording(version=2)
        there = {each.key: each for each in begun[path].steps}
        now = there.get(step.key)
        if (path, step.key) in done:
            if done[path, step.key] != step:
                other = "another test of this run proposes something else: accept one TEST"
                yield Accepted(step_title(step), path, test, refused=other)
            continue
        if now == step:
            yield Accepted(step_title(step), path, test, known=True)
            continue
        # Of a variant it may be the first: then what it was is the step that serves all.
        if "was" in line and was != (there.get(was.key) if was else now):
            stale = "the recording has changed since: run the test again, pytest TEST"
            yield Accepted(step_title(step), path, test, refused=stale)
            continue
        done[path, step.key] = step
        if not dry:
            save_recording(path, _with(load_recording(path) or Recording(version=2), step))
            keep_pictures(run, path, line.get("pictures") or {})
        yield Accepted(step_title(step), path, test, tuple(_changes(line)))


def accept_edited(path: Path, by: str, *, dry: bool = False) -> list[RecordedStep]:
    """Return the steps of a file that nobody approved as they are, each approved by a person now."""
    recording = load_recording(path)
    edited = [each for each in (recording.steps if recording else ()) if is_edited(each)]
    day = f"{datetime.now(timezone.utc):%Y-%m-%d}"
    accepted = [
        each.model_copy(
            update={"approved": Approval(by=by, on=day, digest=digest(each), person=True)}
        )
        for each in edited
    ]
    if recording and accepted and not dry:
        for each in accepted:
            recording = _with(recording, each)
        save_recording(path, recording)
    return accepted


def _with(recording: Recording, step: RecordedStep) -> Recording:
    steps = [step if each.key == step.key else each for each in recording.steps]
    if step not in steps:
        steps.append(step)
    return recording.model_copy(update={"steps": tuple(steps)})


def _changes(line: dict[str, Any]) -> Iterator[str]:
    for each in line.get("healed") or ():
        if isinstance(each, dict):
            yield f"{each.get('old') or '(nothing)'} → {each.get('new') or '(nothing)'}"
