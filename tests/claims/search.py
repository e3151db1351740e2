"""Looks for a lie that passes: true checks which code takes for evidence of a false claim."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence

from pytest_webtask.checks import coverage
from pytest_webtask.checks.telling import unanchored
from tests.claims.case import Claim
from tests.claims.liar import Lie
from tests.claims.pool import Pool, Probe

_WORD = re.compile(r"[^\W\d_][\w'’-]*")
Found = tuple[str, list[Probe], dict[str, str]]


def search(claim: Claim, pool: Pool, most: int = 3) -> list[Found]:
    """Lies that ought to pass, by kind: each as few checks as will do."""
    own = _about(claim, pool)
    singles = [*own, *pool.all]
    texts = pool.texts
    found: list[Found] = []
    kinds: set[str] = set()
    for kind, probes in _candidates(singles, texts):
        for how, readings in _readings(claim, probes):
            label = f"{kind}{how}"
            if label in kinds or not _carries(claim, probes, readings, pool):
                continue
            kinds.add(label)
            least = _least(claim, probes, readings, pool)
            found.append((label, least, readings))
            if len(found) >= most:
                return found
    return found


def _candidates(
    singles: Sequence[Probe], texts: Sequence[Probe]
) -> Iterator[tuple[str, list[Probe]]]:
    for probe in singles:
        yield probe.kind, [probe]
    headings = [t for t in texts if t.answer.items and t.answer.items[0].role == "heading"][:1]
    for probe in singles:
        if probe.kind not in ("text", "wide"):
            yield f"{probe.kind} and a heading", [probe, *headings]
    yield "all texts", [*texts]
    for probe in singles:
        if probe.kind not in ("text", "wide", "attribute"):
            yield f"{probe.kind} and all texts", [probe, *texts]
    yield "everything", [*singles]


def _readings(claim: Claim, probes: Sequence[Probe]) -> Iterator[tuple[str, dict[str, str]]]:
    yield "", {}
    if len(probes) < 4:
        text = next((p.answer.own[0] for p in probes if p.answer.own and p.answer.own[0]), "")
        if text:
            yield " with readings", dict.fromkeys(_WORD.findall(claim.sentence), text)


def _carries(claim: Claim, probes: Sequence[Probe], readings: dict[str, str], pool: Pool) -> bool:
    answers = [probe.answer for probe in probes]
    if unanchored(answers):
        return False
    return not coverage.gaps(
        claim.sentence,
        answers,
        data=claim.data,
        readings=[coverage.Reading(*each) for each in readings.items()],
        page=lambda: pool.words,
    )


def _least(
    claim: Claim, probes: Sequence[Probe], readings: dict[str, str], pool: Pool
) -> list[Probe]:
    """The same with all left out that it can do without."""
    left = [*probes]
    for probe in probes:
        fewer = [p for p in left if p is not probe]
        if fewer and _carries(claim, fewer, readings, pool):
            left = fewer
    return left


def _about(claim: Claim, pool: Pool) -> list[Probe]:
    """True checks that are made of the claim's own words."""
    words = [w for w in _WORD.findall(claim.sentence) if len(w) > 2]
    parts = [*words, *(" ".join(pair) for pair in itertools.pairwise(words))]
    parts += [*claim.data.values(), *re.findall(r"[€$]?\d[\d.,]*\d|\d+", claim.sentence)]
    found = []
    for part in dict.fromkeys(parts):
        found.append(pool.probe("absent", {"kind": "absent", "text": part}, {}))
    for role in ("alert", "dialog", "row", "article"):
        found.append(pool.probe("absent", {"kind": "absent", "role": role}, {}))
    for element in list(pool.texts)[:40]:
        item = element.answer.items[0]
        if item.role in ("table", "listitem", "row", "heading"):
            for part in parts[:6]:
                check = {"kind": "absent", "text": part, "within": item.id}
                found.append(pool.probe("absent within", check, {}))
    tokens = [*claim.data.values(), *re.findall(r"[−-]?[€$]?\d[\d.,]*\d|\d+|\w+", claim.sentence)]
    for css in ("body", "main", "header", "table", "form", "ul", "section"):
        locator = pool.page.locator(css).first
        code = f"locator({css!r})"
        for token in dict.fromkeys(tokens):
            if locator.count() and len(token) > 0:
                check = {"kind": "text", "element_id": code, "text": token}
                found.append(pool.probe("container", check, {code: locator}))
    return [probe for probe in found if probe is not None]


def as_lie(found: Found) -> Lie:
    """The lie as a verifier tells it."""
    kind, probes, readings = found
    locators = {code: each for probe in probes for code, each in probe.locators.items()}
    return Lie(kind, [dict(probe.check) for probe in probes], locators, readings)
