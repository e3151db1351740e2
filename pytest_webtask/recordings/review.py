"""What changed in recordings: as a diff of exported code, and which evidence proves less."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher, unified_diff

from pytest_webtask.page.locators import Unreadable, is_positional
from pytest_webtask.recordings.code import code_of
from pytest_webtask.recordings.steps import Evidence, Made, Step, is_edited
from pytest_webtask.records import Target

__all__ = ["approval", "changes", "flags", "told"]

_WILD = re.compile(r"\\[wWdDsS]|(?<!\\)(?:\[[^\]]*\]|\.|[*+?|]|\{\d*,\d*\})")


def told(step: Made) -> str:
    """How a step is named."""
    where = "".join(f", {each}" for each in (step.webtask, step.variant) if each)
    again = f", no. {step.occurrence}" if step.occurrence > 1 else ""
    return f'{step.kind} "{" ".join(step.sentence.split())}"{again}{where}'


def approval(step: Made) -> str:
    """Return who approved a step and when, in words."""
    approved = step.approved
    if approved is None:
        return "not approved"
    words = [f"approved by {approved.by} on {approved.on}"]
    words += ["person"] * approved.person + ["same session"] * approved.same_session
    words += ["edited since"] * is_edited(step)
    return ", ".join(words)


def changes(old: Sequence[Step], new: Sequence[Step], revision: str) -> Iterator[str]:
    """The lines of a review of one file: for each step that changed, a diff and its flags."""
    before = {step.key: step for step in old}
    after = {step.key: step for step in new}
    for key in dict.fromkeys((*before, *after)):
        was, now = before.get(key), after.get(key)
        if was is not None and now is not None and _same(was, now):
            continue
        one = code_of(was) if was is not None else []
        two = code_of(now) if now is not None else []
        yield told(now or was)  # type: ignore[arg-type]
        lines = list(unified_diff(one, two, revision, "now", lineterm=""))
        yield from lines or ["(its code is the same: what differs is how its elements are known)"]
        if was is not None:
            yield from (f"! {flag}" for flag in flags(was, now))
        yield ""


def flags(old: Step, new: Step | None) -> list[str]:
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


def _of_calls(old: Step, new: Step) -> Iterator[str]:
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
    made = Made.model_validate(
        {"kind": "verify", "sentence": "-", "decided": {"model": "-", "on": "-"}}
    ).model_copy(update={"evidence": (each,)})
    return " ".join(line.strip() for line in code_of(made)[1:])


def _same(one: Step, two: Step) -> bool:
    return one.model_copy(update={"decided": two.decided}) == two
