"""Packing: what is equal among facts is given once, and all of them keep to a budget."""

import json
from typing import Any

from pytest_webtask.llm.packed_facts import BUDGET, packed

OUTER = {"table": "Orders of this month", "section": "Shop"}
TABLE = [*({"kind": kind, "name": name} for kind, name in OUTER.items()), {"kind": "main"}]


def cell(number: int, row: str, text: str, **more: Any) -> dict[str, Any]:
    """The fact of a cell."""
    return {
        "number": number,
        "check": "text",
        "expected": text,
        "match": "whole",
        "element": "cell",
        "text": text,
        "row": row,
        "position": f"no. {number} of 9",
        "within": [{"kind": "row", "name": row}, *TABLE],
        "beside": [row, "Paid by card", "26 Apr 2026"],
        **more,
    }


def size(facts: list[dict[str, Any]]) -> int:
    """The characters of facts as JSON."""
    return sum(len(json.dumps(fact, ensure_ascii=False)) for fact in facts)


def test_equal_fields_are_given_once() -> None:
    """A later fact names the equal fields and the fact that has them."""
    first, second = packed([cell(1, "Ada", "$5"), cell(2, "Ada", "$7")])
    assert first == cell(1, "Ada", "$5")
    assert second["as in fact 1"] == ["within", "beside"]
    assert "within" not in second and "beside" not in second
    assert (second["expected"], second["text"], second["row"]) == ("$7", "$7", "Ada")


def test_repeated_notes_are_given_once() -> None:
    """Facts that cite one earlier step name it once, and no note is cut."""
    note = "done in an earlier step of this test, " + "order a mug " * 30
    first, second = packed([cell(1, "Ada", "$5", note=note), cell(2, "Bob", "$7", note=note)])
    assert (first["note"], second["as in fact 1"]) == (note, ["note"])


def test_different_fields_are_kept() -> None:
    """Fields that only look alike are not replaced by a reference."""
    other = cell(2, "Ada", "$7", within=[{"kind": "row", "name": "Ada"}, {"kind": "main"}])
    _, second = packed([cell(1, "Ada", "$5"), other])
    assert second["within"] == other["within"]


def test_few_facts_stay_as_they_are() -> None:
    """Facts within the budget are not cut."""
    fact = cell(1, "Ada", "$5", items=["x" * 300], author={"class": "y" * 200})
    assert packed([fact]) == [fact]


def test_many_facts_keep_to_the_budget() -> None:
    """Checked texts, sizes and positions are never cut."""
    facts = []
    for n in range(1, 13):
        more = {"author": {"class": f"a{n} " + "class name " * 10}, "size": n}
        items = [f"item {n}.{i} {'long ' * 20}" for i in range(20)]
        facts.append(cell(n, f"Row {n} {'of a long name ' * 8}", f"${n}", items=items, **more))
    packed_facts = packed(facts)
    assert size(packed_facts) <= BUDGET < size(facts)
    for before, after in zip(facts, packed_facts, strict=True):
        for name in ("number", "check", "expected", "match", "text", "size", "position"):
            assert after[name] == before[name]
        assert after["within"][0] == before["within"][0]
    last = packed_facts[-1]["items"]
    assert last[0].startswith("item 12.0") and last[-1].startswith("item 12.19")
    assert len(last) == 9


def test_short_sets_keep_all_their_items() -> None:
    """Items are left out of long sets only."""
    facts = [cell(n, f"{n} " * 400, "$1", items=["A", "B", "C"]) for n in range(30)]
    assert packed(facts)[0]["items"] == ["A", "B", "C"]


def test_long_texts_are_cut_around_the_match() -> None:
    """As a last resort texts are cut, and the matched part is kept."""
    text = "before " * 40 + "needle" + " after" * 40
    facts = [{**cell(n, "Ada", text), "expected": "needle", "match": "part"} for n in range(40)]
    *_, last = cut = packed(facts)
    assert all("needle" in fact["text"] for fact in cut)
    assert last["characters"] == len(text)
    assert last["text"].startswith("…") and last["text"].endswith("…")


def test_reference_to_a_field_that_is_left_out_is_left_out_as_well() -> None:
    """No fact refers to what the budget has cost another one."""
    facts = [
        cell(n, f"Row {n} " + "of a long name " * 40, f"${n}", author={"class": "card " * 20})
        for n in range(1, 13)
    ]
    packed_facts = packed(facts)
    for each in packed_facts:
        for where, names in each.items():
            if where.startswith("as in fact"):
                cited = packed_facts[int(where.split()[-1]) - 1]
                assert set(names) <= set(cited)
