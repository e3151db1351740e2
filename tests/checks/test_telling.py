"""What is told of a claim that does not pass: the reason, the checks as a table, the page."""

from __future__ import annotations

from textwrap import dedent
from typing import Any

import pytest

from pytest_webtask.checks.answers import Answer
from pytest_webtask.checks.kinds import CHECKS
from pytest_webtask.checks.telling import named, table, told, unanchored, unproved
from pytest_webtask.records import Checked, Outcome, Verdict

WIDEST = 116
"""Columns of a line, with which pytest's "E   " before it makes 120."""


def made(kind: str, about: str, expected: str, actual: str = "", **more: Any) -> Checked:
    """A check that was run."""
    return Checked(kind=kind, about=about, expected=expected, actual=actual, **more)


WRONG = made("text", 'cell "2"', '"3"', "2")
RIGHT = made("text", 'heading "Your cart"', '"Your cart"', "Your cart", holds=True)
UNASKED = made("value", "textbox-9", '"Ann"', problem="there is no element 'textbox-9'")


def verdict(outcome: Outcome, reason: str, *evidence: Checked) -> Verdict:
    """A verdict on a claim."""
    return Verdict(
        claim="the quantity of Mug is 3", outcome=outcome, reason=reason, evidence=evidence
    )


def test_a_failed_claim() -> None:
    """The claim, the reason, what each check expected and what is there, page and picture."""
    said = unproved(
        verdict(Outcome.FAILED, "there are 2 of them", WRONG, RIGHT, UNASKED),
        "http://127.0.0.1/cart",
        "screenshots/1.jpg",
    )
    assert said == dedent(
        """\
        "the quantity of Mug is 3" does not hold
          there are 2 of them

             check                        expected     on the page
          no text of cell "2"             "3"          2
          ok text of heading "Your cart"  "Your cart"  Your cart
          ?  value of textbox-9           "Ann"        there is no element 'textbox-9'

        page: http://127.0.0.1/cart
        screenshot: screenshots/1.jpg"""
    )


def test_an_undecided_claim() -> None:
    """It is told apart from one that failed, with every line of its reason."""
    said = unproved(verdict(Outcome.UNDECIDED, "two ways\nto read it"), "http://x/", "")
    assert said == dedent(
        """\
        "the quantity of Mug is 3" could not be decided
          two ways
          to read it
        page: http://x/"""
    )


def test_pictures_of_checks_by_eye_are_listed() -> None:
    """A check by eye says where its picture is kept."""
    seen = made(
        "visual", 'img "Cup"', "a blue cup", "by eye", holds=True, screenshot="screenshots/3.png"
    )
    said = unproved(verdict(Outcome.FAILED, "it is red", seen), "http://x/", "screenshots/4.jpg")
    assert said.splitlines()[-2:] == ["screenshot: screenshots/4.jpg", "by eye: screenshots/3.png"]


LONG = "A very long text that goes on and on, as those of terms and conditions do, and never seems to end"


@pytest.mark.parametrize(
    "checked",
    [
        made("text", f'paragraph "{LONG}"', f'"{LONG}"', LONG),
        made("url", "the page's address", "/cart", "http://127.0.0.1/" + "a" * 300),
        made("count", "row in table", "2 in all", problem=f"{LONG} {LONG} {LONG}"),
    ],
)
def test_no_line_is_too_wide(checked: Checked) -> None:
    """Long texts are broken into lines, and none of them is lost."""
    lines = table([checked, RIGHT])
    assert max(map(len, lines)) <= WIDEST
    whole = "".join("".join(lines).split())
    for part in (checked.actual or checked.problem)[:40].split()[:3]:
        assert part[:20] in whole


def test_a_narrow_table_is_no_wider_than_it_must_be() -> None:
    """Short checks give short lines."""
    assert max(map(len, table([WRONG]))) < 50


def test_nothing_is_told_as_nothing() -> None:
    """An empty value is seen as such."""
    [_, line] = table([made("value", 'textbox "Email"', '= "a@b.c"')])
    assert line.endswith("(nothing)")


def test_tabs_are_told_where_there_are_several() -> None:
    """Only checks in different tabs need saying which."""
    assert "tab" not in "".join(table([WRONG, RIGHT]))
    both = table([WRONG, made("title", "the page's title", '"Help"', "Help", holds=True, tab=2)])
    assert "(tab 1)" in both[1]
    assert "(tab 2)" in both[2]


def test_a_check_in_a_line() -> None:
    """What goes back to the verifier names the check, what it expected and what is there."""
    assert told(WRONG) == 'text of cell "2": expected "3", but there is 2'
    assert told(made("value", 'textbox "A"', '= "x"')) == (
        'value of textbox "A": expected = "x", but there is nothing'
    )
    assert told(UNASKED) == "value of textbox-9 could not be asked: there is no element 'textbox-9'"
    assert named(made("absent", "the page", "no dialog")) == "absent from the page"


def answer(kind: str, holds: bool = True, tab: int = 1, **given: Any) -> Answer:
    """An answer to a check."""
    [check] = CHECKS.validate_python([{"kind": kind, **given}])
    return Answer(check, made(kind, "it", "that", holds=holds, tab=tab))


GONE = answer("absent", text="Error")
HIDDEN = answer("state", element_id="a-1", state="hidden")
THERE = answer("text", element_id="a-1", text="Cart")


def test_what_is_not_there_needs_something_that_is() -> None:
    """`absent` and `hidden` hold on an empty page, too, so that they count beside a positive check."""
    assert len(unanchored([GONE])) == 1
    assert len(unanchored([GONE, HIDDEN])) == 2
    assert "holds on an empty page" in unanchored([HIDDEN])[0]
    for anchor in (
        THERE,
        answer("url", pattern="/cart"),
        answer("title", text="Cart"),
        answer("state", element_id="a-1", state="visible"),
    ):
        assert unanchored([GONE, HIDDEN, anchor]) == []


def test_what_anchors_nothing() -> None:
    """Neither a check that fails, nor one of another tab, nor one by eye is an anchor."""
    for other in (
        answer("text", holds=False, element_id="a-1", text="Cart"),
        answer("text", tab=2, element_id="a-1", text="Cart"),
        answer("visual", element_id="a-1", what="blue"),
        HIDDEN,
    ):
        assert unanchored([GONE, other])
    assert (
        unanchored(
            [
                answer("absent", tab=2, text="Error"),
                answer("text", tab=2, element_id="a-1", text="x"),
            ]
        )
        == []
    )
