"""Verdicts that rest on what a model saw: marked, with a picture kept, and forbidden on demand."""

from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from pytest_webtask import Outcome, Secret, Undecided, VerificationFailed, Webtask
from pytest_webtask.journal import VerdictReached
from tests.inner import journaled
from tests.scripted import Html, Scripted, rule, verdict

pytestmark = pytest.mark.webtask(screenshots="on")

RED = "<h1>Cart</h1><div id=x role=img aria-label=Lamp style='background:rgb(220,0,0);width:80px;height:40px'></div>"
SEEN = {"kind": "visual", "element_id": "img:Lamp", "what": "the lamp is red"}
HEADING = {"kind": "text", "element_id": "heading:Cart", "text": "Cart"}


def kept(webtask: Webtask, screenshot: str | None) -> Path:
    """The file of a picture that a check names."""
    assert screenshot
    return webtask._runner.journal.folder / screenshot


def near(pixel: Any, wanted: tuple[int, int, int]) -> bool:
    """Whether a pixel has about that color."""
    return all(abs(a - b) < 30 for a, b in zip(pixel[:3], wanted, strict=True))


def test_verdict_by_eye_is_marked(webtask: Webtask, model: Scripted, html: Html) -> None:
    """A claim that rests on a visual check, among others too, is marked as judged by eye, also in the journal."""
    html(RED)
    model.answers = [verdict("holds", SEEN), verdict("holds", SEEN, HEADING)]
    result = webtask.verify("the lamp is red", timeout=0)
    assert (result.outcome, result.by_eye) == (Outcome.PASSED, True)
    [check] = result.evidence
    assert (check.kind, check.holds, check.actual) == ("visual", True, "by eye")
    assert webtask.verify("Cart is shown", timeout=0).by_eye
    # The referee gets the picture, and reads that no code has checked it.
    conclusion = model.conclusions[-1]
    assert [picture.is_file() for picture in conclusion.pictures] == [True]
    seen, heading = conclusion.facts
    assert "picture" not in heading
    assert (seen["picture"], seen["expected"]) == (1, "the lamp is red")
    assert "not checked by code" in seen["note"]
    model.answers = [verdict("holds", HEADING)]
    assert not webtask.verify("Cart is shown", timeout=0).by_eye
    reached = [event for event in journaled(webtask) if isinstance(event, VerdictReached)]
    assert [each.verdict.by_eye for each in reached] == [True, True, False]


@pytest.mark.parametrize("above", ["", "<div style='height:3000px'></div>"], ids=["seen", "below"])
def test_picture_of_visual_check_is_kept(
    webtask: Webtask, model: Scripted, html: Html, above: str
) -> None:
    """The run folder keeps a picture that shows the element, scrolled into view, and little else."""
    html(RED.replace("<div", f"{above}<div"))
    model.answers = [verdict("holds", SEEN)]
    [check] = webtask.verify("the lamp is red", timeout=0).evidence
    with Image.open(kept(webtask, check.screenshot)) as picture:
        width, height = picture.size
        assert 80 <= width <= 100 and 40 <= height <= 60
        assert near(picture.convert("RGB").getpixel((width // 2, height // 2)), (220, 0, 0))


def test_secrets_in_the_picture_are_black(webtask: Webtask, model: Scripted, html: Html) -> None:
    """Secrets are black in every picture, those of visual checks included."""
    html(
        "<h1>Cart</h1><div role=img aria-label=Card style='background:rgb(220,0,0);width:300px'>"
        "<span style='font:bold 40px monospace;color:white'>s3cret-pw</span></div>"
    )
    model.answers = [
        verdict("holds", {**SEEN, "element_id": "img:Card", "what": "the card is red"})
    ]
    data = {"pw": Secret("s3cret-pw")}
    [check] = webtask.verify("the card is red", data=data, timeout=0).evidence
    with Image.open(kept(webtask, check.screenshot)) as picture:
        # Without the surroundings of the card, which are as white as its text.
        card = picture.convert("RGB").crop((12, 12, picture.width - 12, picture.height - 12))
    colors = {color: number for number, color in card.getcolors(1 << 24) or []}
    assert sum(n for c, n in colors.items() if near(c, (0, 0, 0))) > 1000
    assert sum(n for c, n in colors.items() if near(c, (255, 255, 255))) < 50


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        ("the lamp shows 5 bulbs", "5 bulbs"),
        ('the lamp says "On"', 'it says "On"'),
        ("the lamp belongs to {user}", "it belongs to Ann Lee"),
        ("the lamp costs €12.00", "€12.00"),
    ],
)
def test_visual_check_of_values_is_undecided(
    webtask: Webtask, model: Scripted, html: Html, claim: str, expected: str
) -> None:
    """Numbers, quotations and data are never accepted from a visual check."""
    html(RED)
    model.answers = [verdict("holds", {**SEEN, "what": expected})] * 3
    with pytest.raises(Undecided, match="of the claim: no check expects it"):
        webtask.verify(claim, data={"user": "Ann Lee"}, timeout=0)
    assert not model.conclusions


def test_referee_gets_text_of_pictured_element(
    webtask: Webtask, model: Scripted, html: Html
) -> None:
    """The fact holds the text of the element, so that a picture cannot hide it."""
    html("<p>The order was not placed</p>" + RED)
    seen = {"kind": "visual", "element_id": "text:The order", "what": "the order was placed"}
    model.answers = [verdict("holds", seen), verdict("cannot_tell")]
    model.scripts["referee"] = [rule(proves=False, missing="that it was placed")]
    with pytest.raises(Undecided):
        webtask.verify("the order was placed", timeout=0)
    assert model.conclusions[0].facts[0]["text"] == "The order was not placed"


def test_visual_check_of_hidden_element_is_undecided(
    webtask: Webtask, model: Scripted, html: Html
) -> None:
    """A visual check of an element that got hidden is no evidence."""
    page = html(RED)

    def hide(turn: Any) -> Any:
        decision = verdict("holds", SEEN)(turn)
        page.evaluate("document.querySelector('#x').hidden = true")
        return decision

    model.answers = [hide, verdict("cannot_tell"), verdict("cannot_tell")]
    with pytest.raises(Undecided):
        webtask.verify("the lamp is red", timeout=0)


def test_failure_names_the_picture(webtask: Webtask, model: Scripted, html: Html) -> None:
    """The last line of the error names the picture that was judged."""
    html(RED)
    model.answers = [verdict("does_not_hold", SEEN, reason="it is red")]
    with pytest.raises(VerificationFailed) as raised:
        webtask.verify("the lamp is green", timeout=0)
    [check] = raised.value.verdict.evidence
    assert check.screenshot
    named = f"judged by eye, in this picture: {check.screenshot}"
    assert str(raised.value).splitlines()[-1] == named


@pytest.mark.parametrize(
    "words",
    [
        pytest.param(
            "which webtask_visual=forbid does not accept: cite",
            marks=pytest.mark.webtask(visual="forbid"),
        ),
        # No model could judge the picture.
        pytest.param(
            "webtask_model_pictures=off sends to no model: cite",
            marks=pytest.mark.webtask(model_pictures="off"),
        ),
    ],
    ids=["forbidden", "no pictures for models"],
)
def test_refused_visual_check_is_undecided(
    webtask: Webtask, model: Scripted, html: Html, words: str
) -> None:
    """A claim that only a visual check supports is undecided where those are refused."""
    html(RED)
    model.answers = [verdict("holds", SEEN)] * 3
    with pytest.raises(Undecided) as raised:
        webtask.verify("the lamp is red", timeout=0)
    assert words in str(raised.value) and not raised.value.verdict.evidence[0].screenshot
    model.answers = [verdict("holds", HEADING)]
    assert not webtask.verify("Cart is shown", timeout=0).by_eye
