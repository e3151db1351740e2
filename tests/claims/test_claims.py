"""Claims that hold pass on honest evidence, and no lie gets a false one passed."""

from __future__ import annotations

import os
from collections.abc import Callable

import pytest

from pytest_webtask import Outcome, Undecided
from tests.claims.case import Claim
from tests.claims.claims import CLAIMS, REFUSED, SAID_ELSEWHERE
from tests.claims.liar import BY_EYE, Lie, cites, lies
from tests.claims.said import Said
from tests.claims.stage import Scene
from tests.claims.telling import honest, judged, pressed

pytestmark = pytest.mark.webtask(literal="off")

SHARE = 1 if os.environ.get("WEBTASK_ALL_CLAIMS") else 8
"""Of the false claims every so manieth is lied about here, and half of the true ones are tried; the
benchmark takes all of them, and so does a run with WEBTASK_ALL_CLAIMS set."""
TRUE = [pytest.param(c, id=c.id) for c in CLAIMS if c.true and c.id not in REFUSED]
TRUE = TRUE[:: min(SHARE, 2)]
STRICT = [pytest.param(c, id=c.id) for c in CLAIMS if c.id in REFUSED]
FALSE = [pytest.param(n, c, id=c.id) for n, c in enumerate(CLAIMS) if not c.true][::SHARE]
DENIED = TRUE[::SHARE]
Show = Callable[[str], Scene]

OF_A_KIND = 1
"""Lies of each kind that are told here about a claim; the benchmark tells more."""


@pytest.mark.parametrize("claim", TRUE)
def test_honest_evidence_passes(claim: Claim, show: Show) -> None:
    """A true claim passes with the evidence of an honest verifier, at the first answer."""
    scene = show(claim.scene)
    verdict = judged(scene.webtask, scene.model, claim, honest(claim))
    assert verdict.outcome is Outcome.PASSED, f"{claim.sentence}: {verdict.reason}"
    assert scene.model.given == 1


@pytest.mark.parametrize("claim", STRICT)
def test_what_is_refused_is_undecided(claim: Claim, show: Show) -> None:
    """A true claim whose evidence code cannot read is left undecided: it never fails."""
    scene = show(claim.scene)
    verdict = judged(scene.webtask, scene.model, claim, honest(claim))
    assert verdict.outcome is Outcome.UNDECIDED, f"take it out of REFUSED: {claim.sentence}"


@pytest.mark.parametrize(("number", "claim"), FALSE)
def test_no_lie_passes(number: int, claim: Claim, show: Show) -> None:
    """A false claim does not pass, whatever true checks are cited for it.

    All lies are weighed by the code that `verify` asks. For every third claim one is told through
    `verify` as well, as often as the verifier is asked, its second answer made to fit what it was
    told; the benchmark does so for each.
    """
    scene = show(claim.scene)
    with scene.data(claim):
        told = lies(claim, scene.look, OF_A_KIND)
        passed = [lie for lie in told if not scene.weigh(claim, lie)]
    elsewhere = SAID_ELSEWHERE.get(claim.id)
    wrong = [
        lie
        for lie in passed
        if lie.kind not in BY_EYE and not (elsewhere and cites(lie, elsewhere, scene.look))
    ]
    assert not wrong, f"{claim.sentence}: {wrong}"
    for lie in passed[:1]:
        verdict = judged(scene.webtask, scene.model, claim, lie.said)
        assert verdict.by_eye or elsewhere, f"{claim.sentence}: {lie}"

    if number % 3:
        return
    left = [lie for lie in told if lie not in passed and lie.kind not in BY_EYE]
    lie = left[number % len(left)]
    said = lie.said if elsewhere else pressed(lie.said, claim, scene.look)
    verdict = judged(scene.webtask, scene.model, claim, lie.said, said)
    assert verdict.outcome is Outcome.UNDECIDED, f"{claim.sentence}: {lie}"
    assert scene.model.given == 2


@pytest.mark.parametrize("claim", DENIED)
def test_a_true_claim_is_not_denied(claim: Claim, show: Show) -> None:
    """A denial without evidence, or with the evidence that carries the claim, is refused."""
    scene = show(claim.scene)
    checks, locators = scene.evidence(claim)
    with scene.data(claim):
        for given in ([], checks):
            denial = Lie("denial", given, locators, claim.readings)
            assert scene.weigh(claim, denial, "does_not_hold"), claim.sentence


def test_a_question_is_not_answered_by_a_lie(show: Show) -> None:
    """`holds` is neither True nor False where the evidence does not carry the verdict."""
    scene = show("cart")
    (claim,) = (c for c in CLAIMS if c.id == "cart-two")
    scene.model.say(Said(), honest(claim, "does_not_hold"))
    with pytest.raises(Undecided):
        scene.webtask.holds(claim.sentence, timeout=0)


def test_another_lie_is_not_asked_for(show: Show) -> None:
    """After the same lie twice the claim is undecided, whatever would have come next."""
    scene = show("cart")
    (false,) = (c for c in CLAIMS if c.id == "cart-three")
    (true,) = (c for c in CLAIMS if c.id == "cart-two")
    lie = Said([{"kind": "text", "element_id": "heading-0", "text": "Cart"}])
    verdict = judged(scene.webtask, scene.model, false, lie, lie, honest(true))
    assert verdict.outcome is Outcome.UNDECIDED
    assert scene.model.given == 2


def test_an_element_of_an_earlier_page_is_no_evidence(show: Show) -> None:
    """What was on the page before is neither shown nor hidden on this one."""
    scene = show("earlier")
    (gone,) = (
        e.id for e in scene.look.elements.values() if e.name == "Orders" and e.role == "heading"
    )
    scene.page.goto(scene.page.url.replace("/orders", "/cart"))
    claim = Claim("earlier", "earlier", "the heading Orders is not shown", True, "")
    false = Claim("earlier", "earlier", "the heading Orders is shown", False, "")
    shown = Said([{"kind": "state", "element_id": gone, "state": "visible"}])
    hidden = Said(
        [
            {"kind": "state", "element_id": gone, "state": "hidden"},
            {"kind": "url", "pattern": "/cart"},
        ]
    )
    for each, said in ((false, shown), (claim, hidden)):
        verdict = judged(scene.webtask, scene.model, each, said)
        assert verdict.outcome is Outcome.UNDECIDED, said
