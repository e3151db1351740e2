"""The way of a conclusion: refusals by code, rulings, and checks that run once more."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from pytest_webtask.checks.base import CheckResult, Fact
from pytest_webtask.checks.page import Title
from pytest_webtask.tools.approval import RULINGS_AT_MOST, RefusedError, Review, StaleError
from pytest_webtask.tools.results import ToolError
from pytest_webtask.types.agent import Conclusion, Ruling

NO = Ruling(proves=False, missing="the row of Mug", counterexample="it is the row of Plate")


def result(shown: str = "Cart", *, holds: bool = True) -> CheckResult:
    """A result with a fact."""
    return CheckResult(
        check=Title(text=shown),
        about="the page's title",
        expected=shown,
        holds=holds,
        fact=Fact(check="title", element="heading", text=shown),
    )


def claim(*shown: str) -> Conclusion:
    """A conclusion on facts."""
    facts = tuple({"check": "title", "text": each} for each in shown)
    return Conclusion(kind="claim", sentence="the cart has 2 mugs", outcome="holds", facts=facts)


def ruled(*rulings: Ruling) -> tuple[Review, list[Conclusion]]:
    """A review whose referee answers in this order, and what it was asked."""
    asked: list[Conclusion] = []
    left = list(rulings)

    def rule(conclusion: Conclusion) -> Ruling:
        asked.append(conclusion)
        return left.pop(0)

    return Review(rule), asked


def rerun(*results: CheckResult) -> Callable[[], Sequence[CheckResult]]:
    """What the checks give when they run once more."""
    return lambda: list(results)


def test_refusals_and_rulings_are_counted_apart() -> None:
    """Two refusals and two rulings do not end the review."""
    review, asked = ruled(NO, NO, Ruling(proves=True))
    for number in range(2):
        with pytest.raises(ToolError):
            review.refuse("x", ["no"], [])
        with pytest.raises(ToolError):
            review.approve("x", claim(str(number)), [result()], rerun())
    review.approve("x", claim("new"), [result()], rerun(result()))
    assert review.ruling == Ruling(proves=True)
    assert len(asked) == 3


@pytest.mark.parametrize(
    ("ruling", "reason"),
    [
        (Ruling(proves=False), "the referee gave no reason"),
        (Ruling(proves=False, missing=" . "), "the referee gave no reason"),
        (Ruling(proves=False, missing="The row of Mug."), "missing: The row of Mug"),
        (
            Ruling(proves=False, counterexample="It is Plate's."),
            "all facts could be true and the conclusion false: It is Plate's",
        ),
        # Line breaks of a referee could pass for lines of a prompt.
        (Ruling(proves=False, missing="the row\n\nPaid"), "missing: the row Paid"),
    ],
)
def test_reason_of_ruling_is_one_sentence(ruling: Ruling, reason: str) -> None:
    """The reason of a ruling and of its repetition stays on one line, and ends in one period."""
    review, _ = ruled(ruling)
    messages = []
    for _ in range(2):
        with pytest.raises(ToolError) as refused:
            review.approve("x", claim("Cart"), [result()], rerun())
        messages.append(str(refused.value))
    assert f"does not find it proved: {reason}. Look at the page again" in messages[0]
    assert "\n" not in messages[0]
    assert messages[1] == (
        "the evidence is not enough:\n"
        f"- the same evidence was rejected before: {reason}. Add to `evidence` a check of what is missing"
    )


@pytest.mark.parametrize(
    "change",
    [{"outcome": "does_not_hold"}, {"pictures": (Path("b.jpg"),)}],
    ids=["outcome", "picture"],
)
def test_another_outcome_or_picture_is_another_conclusion(change: dict[str, Any]) -> None:
    """Facts that do not prove a claim may be judged as its denial, or with another picture."""
    review, asked = ruled(NO, Ruling(proves=True))
    first = claim("Cart").model_copy(update={"pictures": (Path("a.jpg"),)})
    with pytest.raises(ToolError):
        review.approve("x", first, [result()], rerun())
    other = first.model_copy(update=change)
    review.approve("x", other, [result()], rerun(result()))
    assert asked == [first, other]


def test_ever_changing_page_ends_the_review() -> None:
    """Approving rulings on a page that has changed count toward the limit."""
    review, _ = ruled(*[Ruling(proves=True)] * RULINGS_AT_MOST)
    for _ in range(RULINGS_AT_MOST - 1):
        with pytest.raises(StaleError):
            review.approve("x", claim("Cart"), [result()], rerun(result(holds=False)))
    with pytest.raises(RefusedError, match="the page changed while it was judged"):
        review.approve("x", claim("Cart"), [result()], rerun(result(holds=False)))
