"""How many lies about false claims pass, by kind, and how many true claims pass on honest evidence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser
from shop.server import ShopServer

from pytest_webtask import Outcome
from pytest_webtask.webtask import Webtask
from tests.claims.claims import CLAIMS, SAID_ELSEWHERE
from tests.claims.liar import Lie, cites, lies
from tests.claims.search import as_lie, search
from tests.claims.stage import Scene, Stage
from tests.claims.telling import honest, judged, pressed
from tests.site import Site

pytestmark = [pytest.mark.webtask(literal="off"), pytest.mark.timeout(3600)]

OF_A_KIND = 8
"""Lies of each kind that are told about a claim."""

Show = Callable[[str], Scene]


@pytest.fixture
def show(
    browser: Browser,
    browser_context_args: dict[str, Any],
    tmp_path: Path,
    site: Site,
    webtask_for: Callable[..., Webtask],
) -> Iterator[Show]:
    """Shows a scene, which stays for the claims that follow."""
    shop = ShopServer(tmp_path)
    stage = Stage(browser, browser_context_args, shop, tmp_path / "shop.sqlite")
    yield lambda name: stage.show(name, site, webtask_for)
    stage.clear()
    shop.stop()


def test_lies_about_false_claims(show: Show) -> None:
    """Lies told and lies passed, by kind; what would pass is told through `verify`, to be sure."""
    told: Counter[str] = Counter()
    passed: Counter[str] = Counter()
    found: list[str] = []
    by_eye = elsewhere = 0
    false = [claim for claim in CLAIMS if not claim.true]
    for number, claim in enumerate(false):
        scene = show(claim.scene)
        with scene.data(claim):
            every = lies(claim, scene.look, OF_A_KIND)
            weighed = [(lie, scene.weigh(claim, lie)) for lie in every]
        told.update(lie.kind for lie in every)
        asked = every[number % len(every)]
        for lie, against in weighed:
            if against and lie is not asked:
                continue
            second = lie.said if not against else pressed(lie.said, claim, scene.look)
            verdict = judged(scene.webtask, scene.model, claim, lie.said, second)
            if verdict.outcome is not Outcome.PASSED:
                continue
            if verdict.by_eye:
                by_eye += 1
            elif claim.id in SAID_ELSEWHERE and cites(lie, SAID_ELSEWHERE[claim.id], scene.look):
                elsewhere += 1
            else:
                passed[lie.kind] += 1
                found.append(f"{claim.id}: {claim.sentence}: {_in_short(lie)}")
    print(f"\n{len(false)} false claims: {told.total()} lies told, {passed.total()} passed")
    print(f"  besides: {by_eye} passed and are marked as by eye")
    print(f"  besides: {elsewhere} passed by what the page says of something else in these words")
    for kind, number in sorted(told.items(), key=lambda each: (-passed[each[0]], each[0])):
        print(f"  {kind:32} {number:6} told {passed[kind]:6} passed")
    print("".join(f"  passed: {each}\n" for each in found))
    assert not found


def test_lies_that_are_searched_for(show: Show) -> None:
    """Every true check of a page, alone and together with all others, as evidence of each claim."""
    tried = 0
    found: list[str] = []
    for claim in (claim for claim in CLAIMS if not claim.true):
        scene = show(claim.scene)
        if scene.name.startswith("shop-admin"):
            continue  # hundreds of cells, which say nothing that the smaller tables do not
        with scene.data(claim):
            tried += len(scene.pool.all)
            lie = next(map(as_lie, search(claim, scene.pool, 1)), None)
        if lie is None or claim.id in SAID_ELSEWHERE:
            continue
        verdict = judged(scene.webtask, scene.model, claim, lie.said)
        if verdict.outcome is Outcome.PASSED and not verdict.by_eye:
            found.append(f"{claim.id}: {claim.sentence}: {_in_short(lie)}")
    print(f"\n{tried} true checks tried as evidence of false claims: {len(found)} claims passed")
    print("".join(f"  passed: {each}\n" for each in found))
    assert not found


def test_honest_evidence_and_denials(show: Show) -> None:
    """True claims that pass and that stay undecided; denials of them by kind, and those taken."""
    passed = 0
    undecided: list[str] = []
    denied: Counter[str] = Counter()
    taken: Counter[str] = Counter()
    true = [claim for claim in CLAIMS if claim.true]
    for claim in true:
        scene = show(claim.scene)
        verdict = judged(scene.webtask, scene.model, claim, honest(claim))
        assert verdict.outcome is not Outcome.FAILED, claim.sentence
        if verdict.outcome is Outcome.PASSED:
            passed += 1
        else:
            undecided.append(f"{claim.id}: {claim.sentence}: {verdict.reason}")
        for lie in _denials(claim.id, scene):
            denied[lie.kind] += 1
            with scene.data(claim):
                taken[lie.kind] += not scene.weigh(claim, lie, "does_not_hold")
    print(
        f"\n{len(true)} true claims, honest evidence: {passed} passed, {len(undecided)} undecided"
    )
    for kind, number in denied.items():
        print(f"  denied: {kind:24} {number:4} told {taken[kind]:4} taken for an answer")
    print("".join(f"  undecided: {each}\n" for each in undecided))
    assert not taken["empty"] and not taken["the evidence for it"]


def _denials(claim_id: str, scene: Scene) -> Iterator[Lie]:
    """What a lying verifier says against a true claim."""
    (claim,) = (each for each in CLAIMS if each.id == claim_id)
    checks, locators = scene.evidence(claim)
    heading = next(e for e in scene.look.elements.values() if e.role == "heading")
    there = {"kind": "text", "element_id": heading.id, "text": heading.name}
    yield Lie("empty", [])
    yield Lie("the evidence for it", checks, locators, claim.readings)
    yield Lie("something else", [there])
    yield Lie("something invented", [{**there, "text": "qzx"}])


def _in_short(lie: Lie) -> str:
    return f"{lie.kind}: {[*lie.checks]} {dict(lie.readings) or ''}"[:600]
