"""What checks that hold carry: numbers by what they mean, texts with what denies them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from pytest_webtask.checks import coverage
from tests.checks.desk import Desk


def carried(desk: Desk, claim: str, *checks: tuple[str, Mapping[str, Any]]) -> bool:
    """Whether these checks hold and are enough for a claim."""
    answers = [desk.answer(kind, **given) for kind, given in checks]
    assert all(answer.holds for answer in answers), [a.checked for a in answers]
    return not coverage.gaps(claim, answers, data={}, page=desk.hands.words)


NUMBERS = [
    ("Price €12.00", "the price is €12", True),
    ("Price €12.00", "the price is €12.00", True),
    ("Price €12.00", "the price is 12 euros", True),
    ("Price €12.00", "the price is $12", False),
    ("Price €12.00", "the price is €12.50", False),
    ("Price 1.234,50 €", "the price is €1,234.50", True),
    ("Price €1,234", "the price is €1234", True),
    ("Price €1,234", "the price is under €500", False),
    ("Price €1,234", "the price is at most €2", False),
    ("Price €1,234", "the price is more than €1000", True),
    ("Price £1.999", "the price is less than £2000", True),
    ("Price €12.00", "the price is more than €10", True),
    ("Price €12.00", "the price is more than €12", False),
    ("Price €12.00", "the price is at least €12", True),
    ("Price €12.00", "the price is less than €12", False),
    ("Price €12.00", "the price is > €12", False),
    ("Price €12.00", "the price is ≥ €12", True),
    ("Price €12.00", "the price is between €10.00 and €20.00", True),
    ("Price €12.00", "the price is between €13.00 and €20.00", False),
    ("Price 12 %", "the price is 12%", True),
    ("Price 12 kg", "the price is 12%", False),
    ("Pieces 4 March 2026", "the pieces are 4", False),
    ("Pieces 12:30", "the pieces are 30", False),
    ("Pieces ×2", "there are 2 pieces", True),
    ("Pieces two", "there are 2 pieces", True),
    ("Date 2026-03-04", "the date is 4 March 2026", True),
    ("Date 2026-03-04", "the date is 5 March 2026", False),
    ("Balance −5 €", "the balance is €5", False),
    ("Balance −5 €", "the balance is €-5", True),
]


@pytest.mark.parametrize(("shown", "claim", "enough"), NUMBERS)
def test_numbers_by_what_they_mean(desk: Desk, shown: str, claim: str, enough: bool) -> None:
    """The same number in another form is it; one that may be another is not compared with hope."""
    desk.show(f"<p id=x>{shown}</p>")
    assert carried(desk, claim, ("text", {"element_id": "#x", "text": shown})) is enough


DENIED = [
    ("the Mug is available", "Mug: not available", "available"),
    ("the order was delivered", "The order was not yet delivered", "delivered"),
    ("the Mug is in stock", "Mug, no longer in stock", "stock"),
    ("the payment succeeded", "The payment never succeeded", "succeeded"),
    ("the account is active", "The account isn't active", "active"),
]


@pytest.mark.parametrize(("claim", "shown", "said"), DENIED)
def test_a_text_that_is_denied_says_nothing(desk: Desk, claim: str, shown: str, said: str) -> None:
    """A piece of a text whose whole says the opposite carries no claim."""
    desk.show(f"<p id=x>{shown}</p>")
    assert not carried(desk, claim, ("text", {"element_id": "#x", "text": said}))
    assert not carried(desk, claim, ("text", {"element_id": "#x", "text": shown}))


def test_that_nothing_is_an_alert_does_not_say_that_there_is_no_error(desk: Desk) -> None:
    """Nobody has to give an error its role, so that its word must be nowhere as well."""
    desk.show("<h1>Cart</h1><div>Error: the card was declined</div>")
    anchor = ("text", {"element_id": "heading:Cart", "text": "Cart"})
    assert not carried(desk, "no error is shown", ("absent", {"role": "alert"}), anchor)


def test_only_and_all_need_the_whole_set(desk: Desk) -> None:
    """One that is counted by its own name is not all that there is."""
    desk.show("<h1>Cart</h1><table><tr><th>Name<tr><td>Mug<tr><td>Plate</table>")
    anchor = ("text", {"element_id": "heading:Cart", "text": "Cart"})
    for claim in ("only Mug is in the cart", "the cart has 1 product", "the last product is Mug"):
        assert not carried(desk, claim, ("count", {"element_ids": ["cell:Mug"]}), anchor)
        assert not carried(desk, claim, ("count", {"element_ids": ["row:Mug"]}), anchor)


SORTED = [
    ("€2 €10 €30", "the prices are sorted in ascending order", True),
    ("€10 €2 €30", "the prices are sorted in ascending order", False),
    ("€30 €10 €2", "the prices are sorted in descending order", True),
    ("€30 €10 €2", "the prices are sorted, cheapest first", False),
    ("€2 €10 €30", "the prices are sorted, cheapest first", True),
    ("2026-01-02 2026-02-01 2026-03-01", "the dates are sorted, oldest first", True),
    ("01.03.2026 02.02.2026 03.01.2026", "the dates are sorted, newest first", True),
    ("01.03.2026 02.02.2026 03.01.2026", "the dates are sorted, oldest first", False),
    ("Apple banana Cherry", "the names are in alphabetical order", True),
    ("banana Apple Cherry", "the names are in alphabetical order", False),
    ("Äpfel Birnen Zimt", "the names are in alphabetical order", True),
]


@pytest.mark.parametrize(("texts", "claim", "enough"), SORTED)
def test_sorted_by_numbers_dates_and_words(
    desk: Desk, texts: str, claim: str, enough: bool
) -> None:
    """What is sorted is compared by what it means, in the direction that is asked for."""
    head = claim.split()[1].capitalize()
    items = texts.split()
    desk.show(f"<table><tr><th>{head}" + "".join(f"<tr><td>{each}" for each in items) + "</table>")
    cited = [f"row:{each}" for each in items]
    assert carried(desk, claim, ("order", {"element_ids": cited, "texts": items})) is enough
