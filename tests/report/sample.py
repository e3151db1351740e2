"""A report as runs leave it: tests of a shop with everything that a report has to show."""

from __future__ import annotations

from typing import Any

from pytest_webtask.checks.base import Container, Fact
from pytest_webtask.report.view import (
    Approval,
    Artifact,
    Attempt,
    Call,
    Check,
    Cost,
    Event,
    Heal,
    Iteration,
    Mark,
    Report,
    Step,
    Test,
)
from pytest_webtask.types.agent import Conclusion, Ruling
from tests.report.shop import draw_pictures, look, shot, spot

__all__ = ["cost", "draw_pictures", "long_test", "look", "pictured", "report", "shot", "tests"]

HOSTILE = "</script></pre></details><img src=x onerror=alert(1)><script>alert(2)</script>\"'--><b>"
START = 1_795_335_777.0
LONG = "put the " + "very " * 120 + "long-named-" * 30 + "mug into the cart"


def cost(calls: int = 1) -> Cost:
    """What so many calls of a model come to."""
    return Cost(
        model_calls=calls,
        tokens_in=8200 * calls,
        tokens_cached=6100 * calls,
        tokens_out=210 * calls,
        dollars=0.0123 * calls,
    )


def click(
    element: str = "button-1", nth: int = 1, *, error: str = "", pictured: bool = False
) -> Call:
    """A click on a button of the shop."""
    return Call(
        tool="click",
        parameters={"element_id": element},
        reason="put it into the cart",
        element=element,
        locator=f'get_by_role("button", name="Add to cart").nth({nth})',
        names=['button "Add to cart" in "Tall Mug"'],
        spot=spot(element) if pictured else None,
        success=not error,
        result="" if error else "The cart link now reads Cart (1).",
        error=error,
        seconds=0.14,
    )


def replayed(
    number: int, kind: str, sentence: str, call: Call | None = None, **more: object
) -> Step:
    """A step that was done from its recording."""
    given = {
        "status": "passed" if kind == "verify" else "completed",
        "ok": True,
        "decided": "replayed",
        "started": START + number,
        "seconds": 0.31,
        "iterations": [Iteration(number=1, calls=[call])] if call else [],
        **more,
    }
    return Step.model_validate({"number": number, "kind": kind, "sentence": sentence, **given})


def _goto(number: int = 1) -> Step:
    return replayed(number, "goto", "/mugs", decided="")


def _literal(number: int) -> Step:
    fill = Call(
        tool="fill",
        parameters={"element_id": "searchbox-0", "text": "mug"},
        locator='get_by_role("searchbox", name="Search products")',
        names=['searchbox "Search products"'],
        spot=spot("searchbox-0").model_copy(update={"point": None}),
        success=True,
        seconds=0.09,
    )
    press = Call(tool="press", parameters={"key": "Enter"}, success=True, seconds=0.04)
    return replayed(
        number,
        "do",
        'fill "Search products" with "mug" and press Enter',
        decided="literal",
        iterations=[Iteration(number=1, calls=[fill]), Iteration(number=2, calls=[press])],
    )


def _thought(number: int, items: int, *calls: Call, **more: object) -> Iteration:
    given = {
        "number": number,
        "role": "worker",
        "model": "claude-opus-4-5",
        "seconds": 4.2,
        "look": look(items),
        "reasoning": "The Tall Mug is the second card. Its button is button-1, so I click that.",
        "calls": list(calls),
        "cost": cost(),
        **more,
    }
    return Iteration.model_validate(given)


CARDS = Fact(
    check="count",
    expected="3 in all",
    within=(Container(kind="list", name="Mugs", author="cards"), Container(kind="main")),
    pattern='place "li.card"',
    size=9,
    items=tuple(f"Mug number {at}" for at in range(9)),
    more=("the text 1-9 of 12",),
    elsewhere="2 in navigation",
)
ABSENT = Fact(
    check="absent",
    expected='no "delays"',
    searched="all visible texts (ignoring case) of the page",
    similar=("Delayed by 40 minutes",),
    page="http://127.0.0.1:5000/cart",
)


def total(item: str, price: str, other: Fact | None = None) -> Fact:
    """The fact of a cell of the cart."""
    return Fact(
        check="text",
        expected=f'"{price}"',
        match="whole",
        element="cell",
        text=price + " and all that is said of it" * 20 if other else price,
        characters=560 if other else 0,
        states=("visible", "checked"),
        row=item,
        column="Total",
        position="row 1 of 2",
        heading="Items",
        within=(Container(kind="row", name=item), Container(kind="table", name="Cart")),
        beside=(item, "1"),
        author={"class": "cart total"},
        other=other,
    )


def ruled(fact: Fact, *, proves: bool, **more: object) -> Iteration:
    """A ruling on the claim that rests on a fact."""
    ruling = Ruling(
        proves=proves,
        by="claude-opus-5-5",
        missing="" if proves else "which column the amount stands in",
        counterexample="" if proves else "It may be the price of one, and not the total.",
    )
    given = {
        "number": 1,
        "role": "referee",
        "model": "claude-opus-5-5",
        "seconds": 2.1,
        "cost": cost(),
        "conclusion": Conclusion(
            kind="claim",
            sentence="the total is right",
            outcome="holds",
            facts=({"number": 1, **fact.as_json()},),
        ),
        "ruling": ruling,
        **more,
    }
    return Iteration.model_validate(given)


def _judged(number: int) -> Step:
    """A claim that passed after a refusal."""
    fact = total("Tall Mug", "€14.00", total("Tea Bowl", "€12.50"))
    check = Check(
        kind="text",
        about='cell "€14.00"',
        expected='"€14.00"',
        actual="€14.00",
        holds=True,
        fact=fact,
        locator='get_by_role("cell")',
    )
    accepted = ruled(fact, proves=True)
    return replayed(
        number,
        "verify",
        "the total of the tall mug is €14.00",
        decided="model",
        reason="The cell says €14.00.",
        evidence=[check],
        ruling=accepted.ruling,
        approved=Approval(by="claude-opus-5-5", on="2026-11-22", digest="", same_session=True),
        cost=cost(4),
        iterations=[_thought(1, 1), ruled(fact, proves=False), _thought(2, 1), accepted],
    )


def _undecided(number: int) -> Step:
    """A claim whose evidence was refused for the last time."""
    checks = [
        Check(kind=fact.check, about="the page", expected=fact.expected, holds=True, fact=fact)
        for fact in (ABSENT, CARDS)
    ]
    refused = ruled(ABSENT, proves=False)
    concluded = Call(
        tool="report_verdict",
        concludes=True,
        parameters={"outcome": "holds"},
        reason="No delay is listed.",
        success=True,
    )
    none = ruled(ABSENT, proves=False, ruling=None, problem="there was no tool call")
    return replayed(
        number,
        "verify",
        "there are no delays",
        status="undecided",
        ok=False,
        decided="model",
        reason="A model concluded it, but the referee did not find it proved.",
        evidence=checks,
        ruling=refused.ruling,
        cost=cost(4),
        iterations=[_thought(1, 1, concluded, role="verifier"), none, refused],
        last=look(1),
    )


def _cart_check(expected: str, actual: str) -> Check:
    return Check(
        kind="text",
        about=f'link "{actual}"',
        expected=f'exactly "{expected}"',
        actual=actual,
        holds=expected == actual,
        locator='get_by_role("link", name="Cart")',
        problem="" if expected == actual else "its text is another one",
    )


def pictured() -> Test:
    """A replayed test with a picture of each step; the second acts twice, the third fails."""
    drag = Call(
        tool="drag",
        parameters={},
        names=['link "Tall Mug"', 'link "Cart"'],
        spot=spot("button-2").model_copy(update={"end": (1180.0, 40.0)}),
        success=True,
    )
    twice = Iteration(number=1, calls=[click(pictured=True), drag])
    return _test(
        "test_pictured",
        "failed",
        _attempt(
            "failed",
            replayed(1, "goto", "/mugs", decided="", after=shot(0)),
            replayed(2, "do", "add two mugs", iterations=[twice], after=shot(2)),
            _failed_verify(3).model_copy(update={"after": shot(2), "last": None}),
            message=MESSAGE,
        ),
    )


def _failed_verify(number: int) -> Step:
    heading = Check(
        kind="text", about='heading "Mugs"', expected='"Mugs"', actual="Mugs", holds=True
    )
    reason = "The cart link reads Cart (1), where two items were expected."
    return replayed(
        number,
        "verify",
        "cart shows 2 items",
        status="failed",
        ok=False,
        seconds=5.1,
        reason=reason,
        error=f'verify("cart shows 2 items") does not hold.\n\n  {reason}\n  evidence: link "Cart (1)"',
        evidence=[_cart_check("Cart (2)", "Cart (1)"), heading],
        last=look(1),
    )


def _worked(number: int, **more: Any) -> Step:
    done = Call(
        tool="mark_done",
        concludes=True,
        parameters={"summary": "One Tall Mug is in the cart."},
        success=True,
    )
    given: dict[str, Any] = {
        "decided": "model",
        "seconds": 9.7,
        "cost": cost(2),
        "iterations": [
            _thought(1, 0, click(), events=[Event(kind="console", text="error: 404 favicon")]),
            _thought(2, 1, done, notices=["One iteration is left."]),
        ],
        **more,
    }
    return replayed(number, "do", "add the tall mug to the cart", **given)


def _failed_do(number: int) -> Step:
    problem = "Timeout 5000ms exceeded.\nwaiting for get_by_role(...) to be enabled"
    abort = Call(tool="abort", success=True, result="The button stays disabled.")
    return _worked(
        number,
        status="aborted",
        ok=False,
        seconds=21.4,
        reason="The button of the Tall Mug stays disabled; nothing says why.",
        iterations=[
            _thought(1, 0, click(error=problem)),
            _thought(2, 0, click("button-1"), Call(tool="wait", parameters={"seconds": 2})),
            _thought(
                3, 1, abort, events=[Event(kind="dialog", text='alert "Sold out" – dismissed')]
            ),
        ],
        cost=cost(3),
        last=look(1),
        hints=['Name the product as the page does: `add "Tall Mug" to the cart`.'],
    )


def _test(name: str, outcome: str, *attempts: Attempt, **more: object) -> Test:
    spent = Cost()
    decided: dict[str, int] = {}
    for attempt in attempts:
        attempt.seconds = attempt.seconds or sum(step.seconds for step in attempt.steps) + 1.2
        attempt.started = START
        for step in attempt.steps:
            spent.add(step.cost)
            if step.decided:
                decided[step.decided] = decided.get(step.decided, 0) + 1
    given = {
        "id": f"tests/test_shop.py::{name}",
        "outcome": outcome,
        "started": START,
        "seconds": sum(attempt.seconds for attempt in attempts),
        "cost": spent,
        "decided": decided,
        "attempts": attempts,
        **more,
    }
    return Test.model_validate(given)


def _attempt(outcome: str, *steps: Step, number: int = 1, **more: object) -> Attempt:
    return Attempt.model_validate({"outcome": outcome, "steps": steps, "number": number, **more})


def _drifted() -> Step:
    return replayed(
        2,
        "do",
        "open the cart",
        status="drifted",
        ok=False,
        error=(
            'The recorded element is gone.\n  - get_by_role("link", name="Basket")\n'
            '  + get_by_role("link", name="Cart")   (link "Cart (1)")\nscreenshot: .webtask/a.jpg\n'
            "Accept the heal: pytest-webtask accept"
        ),
        heals=[
            Heal(
                what='link "Cart (1)"',
                old='get_by_role("link", name="Basket")',
                new='get_by_role("link", name="Cart")',
                file="tests/recordings/test_shop.yaml",
                used=False,
            )
        ],
        last=look(1),
    )


MESSAGE = """def test_two_mugs(webtask):
        webtask.goto("/mugs")
>       webtask.verify("cart shows 2 items")
E       pytest_webtask.errors.VerificationFailed: verify("cart shows 2 items") does not hold

tests/test_shop.py:14: VerificationFailed"""


def tests() -> list[Test]:
    """One test of each sort; their steps are dropped as a report drops them."""
    healed = _worked(
        2,
        decided="healed",
        heals=[Heal(what='button "Add"', old='get_by_text("Add")', new='get_by_role("button")')],
    )
    eye = replayed(
        2,
        "verify",
        "the cart's badge is red",
        decided="model",
        by_eye=True,
        cost=Cost(model_calls=1, tokens_in=900, tokens_out=40, dollars=None),
        evidence=[
            Check(
                kind="picture",
                about="badge of the cart",
                expected="red",
                actual="red",
                holds=True,
                picture="pictures/badge.jpg",
            )
        ],
    )
    value = replayed(2, "extract", "the price of the tall mug", status="found", value="14.00")
    files = [
        Artifact(kind="trace", path="../test-results/two mugs/trace.zip"),
        Artifact(kind="video", path="/home/ci/video.webm"),
        Artifact(kind="screenshot", path="javascript:alert(3)"),
    ]
    seller = replayed(2, "do", "list a new mug", click(), webtask="seller")
    killed = _worked(2, status="broken off", ok=False, seconds=4.0)
    killed.iterations[-1].ended = False
    forged = Fact(
        check=HOSTILE,
        element=HOSTILE,
        text=HOSTILE * 4,
        states=(HOSTILE,),
        within=(Container(kind=HOSTILE, name=HOSTILE, author=HOSTILE),),
        beside=(HOSTILE,),
        author={HOSTILE: HOSTILE},
        items=(HOSTILE,) * 9,
        size=9,
        similar=(HOSTILE,),
    )
    hostile = replayed(
        2,
        "do",
        HOSTILE,
        Call(tool=HOSTILE, parameters={HOSTILE: HOSTILE}, locator=HOSTILE, error=HOSTILE),
        decided=HOSTILE,
        webtask=HOSTILE,
        status="failed",
        ok=False,
        reason=HOSTILE,
        error="again " + HOSTILE,
        value=HOSTILE,
        hints=[HOSTILE],
        heals=[Heal(what=HOSTILE, old=HOSTILE, new=HOSTILE, file=HOSTILE)],
        evidence=[
            Check(
                kind=HOSTILE,
                about=HOSTILE,
                expected=HOSTILE,
                actual="\ud800 <i>",
                fact=forged,
            )
        ],
        ruling=Ruling(proves=False, missing=HOSTILE, counterexample=HOSTILE, by=HOSTILE),
        approved=Approval(by=HOSTILE, on=HOSTILE, digest=""),
        iterations=[
            _thought(1, 0, click(), reasoning=HOSTILE, problem=HOSTILE, role=HOSTILE),
            ruled(forged, proves=False),
        ],
        events=[Event(kind=HOSTILE, text=HOSTILE)],
    )
    spied = look(1)
    spied.outline = spied.title = spied.url = HOSTILE
    spied.marks = [Mark(id=HOSTILE, color=HOSTILE, box=(100, 100, 50, 50))]
    hostile.last = hostile.iterations[0].look = spied
    return [
        _test("test_passes[chromium]", "passed", _attempt("passed", _goto(), _literal(2))),
        _test(
            "test_two_mugs",
            "failed",
            _attempt(
                "failed",
                _goto(),
                _literal(2),
                replayed(3, "do", "add the tall mug to the cart", click()),
                _failed_verify(4),
                message=MESSAGE,
                artifacts=files,
            ),
        ),
        _test("test_aborts", "failed", _attempt("failed", _goto(), _failed_do(2))),
        _test("test_healed", "passed", _attempt("passed", _goto(), healed), healed=1),
        _test("test_drifted", "failed", _attempt("failed", _goto(), _drifted())),
        _test(
            "test_flaky",
            "flaky",
            _attempt("failed", _goto(), _failed_verify(2), message=MESSAGE),
            _attempt("passed", _goto(), _worked(2), number=2),
        ),
        _test("test_skipped", "skipped", _attempt("skipped", message="not in this season")),
        _test("test_killed", "never ended", _attempt("never ended", _goto(), killed)),
        _test("test_judged", "passed", _attempt("passed", _goto(), _judged(2))),
        _test("test_undecided", "failed", _attempt("failed", _goto(), _undecided(2))),
        _test("test_value", "passed", _attempt("passed", _goto(), value)),
        _test("test_by_eye", "passed", _attempt("passed", _goto(), eye)),
        _test("test_two_people", "passed", _attempt("passed", _goto(), seller)),
        _test(f"test_hostile[{HOSTILE}]", "failed", _attempt("failed", _goto(), hostile)),
        _test(
            "test_long",
            "error",
            _attempt("error", replayed(1, "do", LONG, click()), message="E   fixture broke"),
        ),
        pictured(),
        _test("test_expected", "xfailed", _attempt("xfailed", _failed_verify(1))),
    ]


def report(of: list[Test]) -> Report:
    """The report of these tests, whose steps it drops."""
    whole = Report(runs=["20261122-082257-24007"], started=START, damaged=1)
    for test in of:
        whole.outcomes[test.outcome] = whole.outcomes.get(test.outcome, 0) + 1
        for name, count in test.decided.items():
            whole.decided[name] = whole.decided.get(name, 0) + count
        whole.steps += sum(len(attempt.steps) for attempt in test.attempts)
        whole.cost.add(test.cost)
        whole.seconds += test.seconds
        for attempt in test.attempts:
            attempt.steps = []
        whole.tests.append(test)
    return whole


def long_test(number: int, iterations: int) -> Test:
    """A test with two steps, the second of so many iterations."""
    crowded = look(number % 3)
    crowded.marks = [
        crowded.marks[at % 6].model_copy(update={"id": f"link-{at}"}) for at in range(50)
    ]
    crowded.outline = "\n".join(f'- [link-{at} "Product number {at}"]' for at in range(120))
    work = [_thought(at + 1, 0, click(), look=crowded) for at in range(iterations)]
    ok = number % 10 != 0
    step = _worked(2, iterations=work, ok=ok, status="completed" if ok else "aborted")
    outcome = "passed" if ok else "failed"
    return _test(f"test_number_{number}", outcome, _attempt(outcome, _goto(), step))
