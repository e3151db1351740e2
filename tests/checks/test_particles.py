"""Small words that turn a meaning round, and comparisons that no check makes."""

from __future__ import annotations

import pytest

from pytest_webtask.checks.particles import compares, contradicts


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("the Mug is in stock", "Out of stock"),
        ("the Mug is out of stock", "In stock"),
        ("the Mug is sold out", "120 sold"),
        ("Anna is logged out", "Logged in as Anna"),
        ("notifications are turned off", "Notifications are turned on"),
        ("the price went up", "The price went down"),
        ("the discount applies before tax", "The discount applies after tax"),
    ],
)
def test_the_opposite_is_no_evidence(claim: str, text: str) -> None:
    """A text with the same word and the opposite beside it contradicts a claim."""
    assert contradicts(claim, text)


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("the Mug is in stock", "In stock"),
        ("the Mug is sold out", "Sold out"),
        ("a Mug is in the cart", "Mug"),
        ("Anna is logged in", "Logged in as Anna"),
        ("the order was sent", "Sent on 3 May"),
    ],
)
def test_what_says_the_same_is_none(claim: str, text: str) -> None:
    """The same small word, or none at all, contradicts nothing."""
    assert not contradicts(claim, text)


@pytest.mark.parametrize(
    "claim",
    ["the Mug costs more than the Plate", "the Cup is cheaper than the Mug", "A is the same as B"],
)
def test_two_things_are_compared_by_no_check(claim: str) -> None:
    """Such a claim is left undecided."""
    assert compares(claim)


@pytest.mark.parametrize("claim", ["there are more than 3 rows", "it costs less than €5"])
def test_a_number_can_be_compared_with(claim: str) -> None:
    """More than a number is something that a check can say."""
    assert not compares(claim)
