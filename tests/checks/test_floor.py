"""What code demands of evidence before a referee is asked, in any language."""

from typing import Any

from pytest_webtask.checks.base import CheckResult, Fact
from pytest_webtask.checks.floor import basic_problems, problems
from tests.checks.desk import Desk

HEADING = {"kind": "text", "element_id": "heading:Cart", "text": "Cart"}


def checked(desk: Desk, *checks: dict[str, Any], **data: str) -> list[CheckResult]:
    """The results of checks, whose elements are named by role and text or by a selector."""
    return [desk.result(**{"data": data, **check}) for check in checks]


def text(element_id: str, shown: str) -> dict[str, Any]:
    """A check of a text."""
    return {"kind": "text", "element_id": element_id, "text": shown}


class TestAnyConclusion:
    def test_absence_alone_is_refused(self, desk: Desk) -> None:
        """An absence, or two, would also hold on an empty page, unless it is within a part of it."""
        desk.show("<h1>Cart</h1>")
        absent = {"kind": "absent", "text": "error"}
        for beside in ([], [{"kind": "absent", "text": "warning"}]):
            refused = basic_problems(checked(desk, absent, *beside))
            assert refused and all("holds on an empty page, too" in each for each in refused)
            assert basic_problems(checked(desk, absent, *beside, HEADING)) == []
        desk.show("<section aria-label=Cart id=c><p>Mug</p></section><p>error</p>")
        assert basic_problems(checked(desk, {**absent, "within": "#c"})) == []

    def test_visual_check_does_not_support_an_absence(self, desk: Desk) -> None:
        """An absence needs a check that code has run, not a visual one."""
        desk.show("<h1>Cart</h1>")
        absent, heading = checked(desk, {"kind": "absent", "text": "error"}, HEADING)
        eye = checked(desk, {"kind": "visual", "element_id": "heading:Cart", "what": "Cart"})
        seen = [each.model_copy(update={"holds": True, "problem": ""}) for each in eye]
        assert basic_problems([absent, *seen])
        assert basic_problems([absent, *seen, heading]) == []


class TestNumbers:
    SAME = (
        ("the total is 1234.50", "1,234.50"), ("the total is 1,234.50", "€1.234,50"),
        ("the total is 1234.5", "1 234,50 €"), ("die Summe ist 1.234,50 €", "1234.50"),
        ("the arrival is on the 20th of March", "2026-03-20"), ("Ankunft am 20.03.2026", "2026-03-20"),
        ("there are 3 errors", "3"), ("8% more", "▲ 8%"), ("lunch is at 12:30", "12:30"),
        ("it leaves at 9:10 p.m.", "21:10"), ("it leaves at 21:10", "9:10 PM"),
        ("it leaves at 12:05 a.m.", "0:05"), ("注文は12個です", "12"),
    )  # fmt: skip
    OTHER = (
        ("the total is 1234.50", "234.50", "1234.50"), ("the total is 43", "43.18", "43"),
        ("there are 3 errors", "13", "3"), ("there are 3 errors", "no errors", "3"),
        ("the arrival is on the 20th of March", "2026-03-21", "20"),
        ("注文は12個です", "21", "12"), ("it leaves at 9:10 p.m.", "20:10", "9"),
    )  # fmt: skip

    def test_equal_numbers_are_equal_however_written(self, desk: Desk) -> None:
        """Separators, signs and the order of dates do not matter; a part of a number is another number."""
        for claim, shown in self.SAME:
            desk.show(f"<h1>Cart</h1><p id=x>{shown}</p>")
            assert problems(claim, checked(desk, text("#x", shown)), {}) == []
        for claim, shown, missing in self.OTHER:
            desk.show(f"<h1>Cart</h1><p id=x>{shown}</p>")
            [problem] = problems(claim, checked(desk, text("#x", shown)), {})
            assert problem.startswith(f"{missing} of the claim: no check expects it")

    def test_bounds_and_sizes_count(self, desk: Desk) -> None:
        """The bound of a comparison and the size of a set need not be on the page."""
        desk.show("<h1>Cart</h1><p id=x>17</p><ul><li>A<li>B</ul>")
        number = {"kind": "number", "element_id": "#x", "at_least": "10", "at_most": "20"}
        assert problems("between 10 and 20 points", checked(desk, number), {}) == []
        assert problems("more than 30 points", checked(desk, number), {})
        count = {"kind": "count", "element_ids": ["listitem:A", "listitem:B"]}
        assert problems("there are 2 items", checked(desk, count), {}) == []
        assert problems("there are 3 items", checked(desk, count), {})

    def test_numbers_in_facts_of_cited_elements_count(self, desk: Desk) -> None:
        """A position, a label and the head of a column count."""
        desk.show("<table><tr><th>Item<th>2025<tr><td>Rent<td>900</table>")
        results = checked(desk, text("cell:900", "900"))
        assert problems("the rent of 2025 is 900", results, {}) == []
        assert problems("the rent of 2024 is 900", results, {})


class TestQuotations:
    QUOTED = (
        'the message "Order placed" is shown', "the message “Order placed” is shown",
        "die Meldung „Order placed“ erscheint", "le message « Order placed » est là",
        "the message 'Order placed' is shown", 'the message "order PLACED" is shown',
    )  # fmt: skip

    def test_quotation_must_be_expected(self, desk: Desk) -> None:
        """Quoted text must be expected by a check as whole words, in any quotation marks and case."""
        desk.show("<h1>Cart</h1><p id=x>Order placed</p><p id=y>Inactive</p>")
        for claim in self.QUOTED:
            assert problems(claim, checked(desk, text("#x", "Order placed")), {}) == []
            [problem] = problems(claim, checked(desk, HEADING), {})
            assert "of the claim: no check expects it" in problem
        assert problems('the state is "active"', checked(desk, text("#y", "Inactive")), {})

    def test_number_in_the_sentence_of_a_step_does_not_count(self) -> None:
        """A note on a step, such as when a message came, says nothing that the page shows."""
        assert Fact(text="Deleted", note="it appeared after do('delete 5')").texts == ["Deleted"]

    def test_class_address_and_apostrophe(self, desk: Desk) -> None:
        """A number in a class does not count, the pattern of an address does, an apostrophe quotes nothing."""
        desk.show('<h1>Cart</h1><p id=x class="col-3">Items</p>')
        assert problems("there are 3 items", checked(desk, text("#x", "Items")), {})
        assert problems("Ann's cart isn't empty", checked(desk, HEADING), {}) == []
        results = checked(desk, {"kind": "url", "pattern": "about:blank"})
        assert problems('its address is "about:blank"', results, {}) == []


class TestData:
    def test_value_of_the_data_must_be_expected(self, desk: Desk) -> None:
        """A value of the data must be expected by placeholder or as it is."""
        desk.show("<h1>Cart</h1><p id=x>Hello Ann</p>")
        data = {"user": "Ann"}
        for expected in ("Hello {user}", "Hello Ann"):
            results = checked(desk, text("#x", expected), **data)
            assert problems("the page greets {user}", results, data) == []
        [problem] = problems("the page greets {user}", checked(desk, HEADING), data)
        assert problem.startswith("{user} of the claim: no check expects it")

    def test_day_may_be_written_otherwise(self, desk: Desk) -> None:
        """A value that is a day is expected in any form, but not what has more than a day."""
        desk.show("<p id=x>Due 5 March 2026</p>")
        data = {"day": "2026-03-05", "note": "canceled on 2026-03-05"}
        results = checked(desk, text("#x", "Due 5 March 2026"), **data)
        assert problems("it is due on {day}", results, data) == []
        assert problems("it says {note}", results, data)


HONEST = {
    "the total with tax is $43.18": "Total: $43.18",
    "an error says that the last name is required": "Error: Last Name is required",
    "2 todos left": "2 items left!",
    "Nothing to do.": "Nothing to do.",
    "the list says 1-10 of 12": "1-10 of 12",
    "lunch is at 12:30 in the Blue Room": "Lunch 12:30 Blue Room",
}


def test_honest_evidence_passes(desk: Desk) -> None:
    """Evidence for common claims passes and is left to the referee."""
    for claim, shown in HONEST.items():
        desk.show(f"<p>Tax: $3.20</p><p id=x>{shown}</p>")
        assert problems(claim, checked(desk, text("#x", shown)), {}) == [], claim
    desk.show("<label>Arrival <input type=date value=2026-03-20></label>")
    day = {"kind": "value", "element_id": "css=input", "value": "2026-03-20"}
    assert problems("the arrival is on the 20th of March", checked(desk, day), {}) == []
