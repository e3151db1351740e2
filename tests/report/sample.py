"""A report as runs leave it: tests of a shop with everything that a report has to show."""

from collections import Counter
from typing import Any

from pytest_webtask.checks.base import Check, CheckResult, Fact
from pytest_webtask.journal import (
    PHASES,
    Artifact,
    HealedElement,
    HealProposed,
    PhaseEnded,
    StepNoted,
)
from pytest_webtask.journal.runs import IterationRecord, StepRecord, TestAttempt
from pytest_webtask.journal.schema import Approval
from pytest_webtask.report.view import Report, Test
from pytest_webtask.types.agent import (
    Conclusion,
    Cycle,
    Event,
    Ruling,
    Subtask,
    TaskRecord,
    ToolCall,
    Usage,
)
from pytest_webtask.types.page import Address, Container, Target
from tests.report.shop import draw_pictures, look, shot, spot

__all__ = ["draw_pictures", "look", "shot"]

HOSTILE = "</script></pre></details><img src=x onerror=alert(1)><script>alert(2)</script>\"'--><b>"
START = 1_795_335_777.0
LONG = "put the " + "very " * 120 + "long-named-" * 30 + "mug into the cart"


def usage(calls: int = 1) -> Usage:
    """What so many calls of a model come to."""
    tokens = {"input_tokens": 2100, "cache_read_tokens": 6100, "output_tokens": 210}
    each = {name: count * calls for name, count in tokens.items()}
    return Usage(model_calls=calls, cost=0.0123 * calls, **each)


def checked(kind: str, about: str, expected: str, actual: str = "", **more: Any) -> CheckResult:
    """The result of a check of a kind."""
    given = {"about": about, "expected": expected, "actual": actual, **more}
    return CheckResult(check=Check(kind=kind), **given)


def iteration(*calls: ToolCall, number: int = 1, **more: Any) -> IterationRecord:
    """An iteration of a replay that did these calls."""
    model = more.setdefault("model", "recording")
    by = model if model in ("recording", "literal") else "model"
    given = {"role": "worker", "decided_by": by, "started": 0.0, "time": 0.0, **more}
    return IterationRecord(number=number, calls=calls, **given)


def target(locator: str, role: str, name: str, key: str = "") -> dict[str, Target]:
    """The element of a call."""
    item = (Container(kind="item", name=key),) if key else ()
    pinned = Address(role=role, name=name, containers=item)
    return {"element_id": Target(locators=(locator,), pinned=pinned)}


def click(nth: int = 1, *, error: str = "", pictured: bool = False) -> ToolCall:
    """A click on a button of the shop."""
    locator = f'get_by_role("button", name="Add to cart").nth({nth})'
    done: dict[str, Any] = {"success": not error, "error": error, "time": 0.14}
    done["result"] = "" if error else "The cart link now reads Cart (1)."
    return ToolCall(
        tool="click",
        parameters={"element_id": "button-1"},
        reason="put it into the cart",
        targets=target(locator, "button", "Add to cart", "Tall Mug"),
        spot=spot("button-1") if pictured else None,
        **done,
    )


def replayed(number: int, kind: str, sentence: str, *calls: ToolCall, **more: object) -> StepRecord:
    """A step that was done from its recording."""
    given = {"number": number, "kind": kind, "sentence": sentence, "started": START + number}
    given["status"] = "passed" if kind == "verify" else "completed"
    given["iterations"] = [iteration(*calls)] if calls else []
    return StepRecord.model_validate({**given, "seconds": 0.31, **more})


def _goto(number: int = 1) -> StepRecord:
    return replayed(number, "goto", "/mugs")


def _literal(number: int) -> StepRecord:
    locator = 'get_by_role("searchbox", name="Search products")'
    fill = ToolCall(
        tool="fill",
        parameters={"element_id": "searchbox-0", "text": "mug"},
        targets=target(locator, "searchbox", "Search products"),
        spot=spot("searchbox-0").model_copy(update={"point": None}),
        success=True,
        time=0.09,
    )
    press = ToolCall(tool="press", parameters={"key": "Enter"}, success=True, time=0.04)
    done = [iteration(call, number=n, model="literal") for n, call in enumerate((fill, press), 1)]
    sentence = 'fill "Search products" with "mug" and press Enter'
    return replayed(number, "do", sentence, iterations=done)


def _thought(number: int, items: int, *calls: ToolCall, **more: Any) -> IterationRecord:
    given = {
        "model": "claude-opus-4-5",
        "time": 4.2,
        "observed": look(items),
        "reasoning": "The Tall Mug is the second card. Its button is button-1, so I click that.",
        "usage": usage(),
        **more,
    }
    return iteration(*calls, number=number, **given)


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


def ruled(fact: Fact, *, proves: bool, **more: Any) -> IterationRecord:
    """A ruling on the claim that rests on a fact."""
    given: dict[str, Any] = {"proves": proves, "by": "claude-opus-5-5"}
    if not proves:
        given["missing"] = "which column the amount stands in"
        given["counterexample"] = "It may be the price of one, and not the total."
    facts = ({"number": 1, **fact.as_json()},)
    claim = {"kind": "claim", "sentence": "the total is right", "outcome": "holds"}
    asked: dict[str, Any] = {"role": "referee", "model": "claude-opus-5-5", "time": 2.1}
    asked["sees_page"] = False
    conclusion = Conclusion.model_validate({**claim, "facts": facts})
    ruling = {"conclusion": conclusion, "ruling": Ruling(**given), "usage": usage()}
    return iteration(**{**asked, **ruling, **more})


def _judged(number: int) -> StepRecord:
    """A claim that passed after a refusal."""
    price = "€14.00"
    fact = total("Tall Mug", price, total("Tea Bowl", "€12.50"))
    found = {"holds": True, "fact": fact, "target": Target.of('get_by_role("cell")')}
    accepted = ruled(fact, proves=True)
    by = {"by": "claude-opus-5-5", "on": "2026-11-22", "digest": "", "same_session": True}
    return replayed(
        number,
        "verify",
        "the total of the tall mug is €14.00",
        reason="The cell says €14.00.",
        evidence=[checked("text", f'cell "{price}"', f'"{price}"', price, **found)],
        ruling=accepted.ruling,
        approved=Approval.model_validate(by),
        iterations=[_thought(1, 1), ruled(fact, proves=False), _thought(2, 1), accepted],
    )


def _undecided(number: int) -> StepRecord:
    """A claim whose evidence was refused for the last time."""
    checks = [
        checked(fact.check, "the page", fact.expected, holds=True, fact=fact)
        for fact in (ABSENT, CARDS)
    ]
    refused = ruled(ABSENT, proves=False)
    holds: dict[str, Any] = {"parameters": {"outcome": "holds"}, "reason": "No delay is listed."}
    concluded = ToolCall(tool="report_verdict", ends=True, success=True, **holds)
    none = ruled(ABSENT, proves=False, ruling=None, problem="there was no tool call")
    return replayed(
        number,
        "verify",
        "there are no delays",
        status="undecided",
        reason="A model concluded it, but the referee did not find it proved.",
        evidence=checks,
        ruling=refused.ruling,
        iterations=[_thought(1, 1, concluded, role="verifier"), none, refused],
        last=look(1),
    )


def _cart_check(expected: str, actual: str) -> CheckResult:
    return checked(
        "text",
        f'link "{actual}"',
        f'exactly "{expected}"',
        actual,
        holds=expected == actual,
        target=Target.of(link("Cart")),
        problem="" if expected == actual else "its text is another one",
    )


def pictured() -> Test:
    """A replayed test with a picture of each step; the second acts twice, the third fails."""
    links = {"to_element_id": "Cart", "element_id": "Tall Mug"}
    drag = ToolCall(
        tool="drag",
        parameters={},
        targets={n: Target(pinned=Address(role="link", name=to)) for n, to in links.items()},
        spot=spot("button-2").model_copy(update={"end": (1180.0, 40.0)}),
        success=True,
    )
    steps = (
        replayed(1, "goto", "/mugs", after=shot(0)),
        replayed(2, "do", "add two mugs", click(pictured=True), drag, after=shot(2)),
        _failed_verify(3).model_copy(update={"after": shot(2), "last": None}),
    )
    return _test("test_pictured", "failed", attempt("failed", *steps, message=MESSAGE))


def _failed_verify(number: int) -> StepRecord:
    heading = checked("text", 'heading "Mugs"', '"Mugs"', "Mugs", holds=True)
    reason = "The cart link reads Cart (1), where two items were expected."
    return replayed(
        number,
        "verify",
        "cart shows 2 items",
        status="failed",
        seconds=5.1,
        reason=reason,
        error=f'verify("cart shows 2 items") does not hold.\n\n  {reason}\n  evidence: link "Cart (1)"',
        evidence=[_cart_check("Cart (2)", "Cart (1)"), heading],
        last=look(1),
    )


def _worked(number: int, **more: Any) -> StepRecord:
    summary = {"summary": "One Tall Mug is in the cart."}
    done = ToolCall(tool="mark_done", ends=True, parameters=summary, success=True)
    noticed = (Event(kind="console", text="error: 404 favicon"),)
    thoughts = [
        _thought(1, 0, click(), events=noticed),
        _thought(2, 1, done, notices=("One iteration is left.",)),
    ]
    given = {"seconds": 9.7, "iterations": thoughts, **more}
    return replayed(number, "do", "add the tall mug to the cart", **given)


def _failed_do(number: int) -> StepRecord:
    problem = "Timeout 5000ms exceeded.\nwaiting for get_by_role(...) to be enabled"
    stays = "The button stays disabled."
    abort = ToolCall(tool="abort", parameters={}, ends=True, success=True, result=stays)
    dialog = (Event(kind="dialog", text='alert "Sold out" – dismissed'),)
    return _worked(
        number,
        status="aborted",
        seconds=21.4,
        reason="The button of the Tall Mug stays disabled; nothing says why.",
        iterations=[
            _thought(1, 0, click(error=problem)),
            _thought(2, 0, click(), unreached("wait", seconds=2)),
            _thought(3, 1, abort, events=dialog),
        ],
        last=look(1),
        hints=[StepNoted(about="similar", words='Name the product: `add "Tall Mug" to the cart`.')],
    )


def unreached(tool: str, **parameters: Any) -> ToolCall:
    """A call of an iteration that did not end."""
    error = "the iteration did not end"
    return ToolCall(tool=tool, parameters=parameters, ran=False, success=False, error=error)


def _test(name: str, outcome: str, *attempts: TestAttempt, **more: object) -> Test:
    steps = [step for each in attempts for step in each.steps]
    given: dict[str, object] = {"id": f"tests/test_shop.py::{name}", "outcome": outcome, **more}
    given["seconds"] = sum(each.seconds for each in attempts)
    given["usage"] = sum((step.usage for step in steps), Usage())
    given["decided"] = Counter(step.decided for step in steps if step.decided)
    return Test.model_validate({**given, "attempts": attempts, "started": START})


def attempt(
    outcome: str, *steps: StepRecord, number: int = 1, message: str = "", artifacts: Any = ()
) -> TestAttempt:
    """An attempt with an outcome that these steps had."""
    ending = "setup" if outcome in ("error", "never ended") else "call"
    reported = {"error": "failed", "xfailed": "skipped", "never ended": "passed"}
    own = {"outcome": reported.get(outcome, outcome), "message": message, "artifacts": artifacts}
    expected = "bug 7" if outcome == "xfailed" else None
    blamed = [(step.webtask, step.number) for step in steps if not step.ok]
    own["failed_steps"] = tuple(blamed[:1])
    phases = {when: PhaseEnded(phase=when, outcome="passed") for when in PHASES}
    phases[ending] = PhaseEnded(phase=ending, expected_failure=expected, **own)
    if outcome == "never ended":
        del phases["call"], phases["teardown"]
    seconds = sum(step.seconds for step in steps) + 1.2
    given: dict[str, Any] = {"started": START, "seconds": seconds, "phases": phases}
    return TestAttempt(number=number, steps=list(steps), **given)


def heal(what: str, old: str, new: str, **more: Any) -> HealProposed:
    """A heal of one element."""
    return HealProposed(heals=(HealedElement(what=what, old=old, new=new),), **more)


def link(name: str) -> str:
    """The locator of a link."""
    return f'get_by_role("link", name="{name}")'


def _drifted() -> StepRecord:
    file = "tests/recordings/test_shop.yaml"
    proposed = heal('link "Cart (1)"', link("Basket"), link("Cart"), file=file, used=False)
    gone: dict[str, Any] = {"status": "drifted", "error": "The recorded element is gone."}
    return replayed(2, "do", "open the cart", heals=[proposed], last=look(1), **gone)


MESSAGE = """def test_two_mugs(webtask):
        webtask.goto("/mugs")
>       webtask.verify("cart shows 2 items")
E       pytest_webtask.errors.VerificationFailed: verify("cart shows 2 items") does not hold

tests/test_shop.py:14: VerificationFailed"""


def tests() -> list[Test]:
    """One test of each sort; their steps are dropped as a report drops them."""
    healed = _worked(2, heals=[heal('button "Add"', 'get_by_text("Add")', 'get_by_role("button")')])
    unpriced = Usage(model_calls=1, input_tokens=900, output_tokens=40, cost=None)
    badge = {"holds": True, "screenshot": "pictures/badge.jpg"}
    eye = replayed(
        2,
        "verify",
        "the cart's badge is red",
        by_eye=True,
        iterations=[iteration(model="claude-opus-4-5", usage=unpriced)],
        evidence=[checked("picture", "badge of the cart", "red", "red", **badge)],
    )
    value = replayed(2, "extract", "the price of the tall mug", status="found", value="14.00")
    files = [
        Artifact(kind="trace", path="../test-results/two mugs/trace.zip"),
        Artifact(kind="video", path="/home/ci/video.webm"),
        Artifact(kind="screenshot", path="javascript:alert(3)"),
    ]
    seller = replayed(2, "do", "list a new mug", click(), webtask="seller")
    killed = _worked(2, status="broken off", seconds=4.0)
    killed.iterations[-1] = killed.iterations[-1].model_copy(update={"ended": False})
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
    called: dict[str, Any] = {"parameters": {HOSTILE: HOSTILE}, "error": HOSTILE}
    aimed = {HOSTILE: Target.of(HOSTILE)}
    part = Subtask(goal=HOSTILE, feedback=HOSTILE)
    fields = ("goal", "assignment", "worked", "gave_up", "judged", "feedback")
    cycle = Cycle.model_validate({**dict.fromkeys(fields, HOSTILE), "shown": [HOSTILE]})
    hostile = replayed(
        2,
        "do",
        HOSTILE,
        ToolCall(tool=HOSTILE, targets=aimed, success=False, **called),
        webtask=HOSTILE,
        status="failed",
        reason=HOSTILE,
        error="again " + HOSTILE,
        value=HOSTILE,
        hints=[StepNoted(about="similar", words=HOSTILE)],
        heals=[heal(HOSTILE, HOSTILE, HOSTILE, file=HOSTILE)],
        evidence=[checked(HOSTILE, HOSTILE, HOSTILE, "\ud800 <i>", fact=forged)],
        ruling=Ruling(proves=False, missing=HOSTILE, counterexample=HOSTILE, by=HOSTILE),
        approved=Approval(by=HOSTILE, on=HOSTILE, digest=""),
        task=TaskRecord(description="", workflow=HOSTILE, subtasks=(part,), history=(cycle,)),
        iterations=[
            _thought(1, 0, click(), reasoning=HOSTILE, problem=HOSTILE, role=HOSTILE),
            _thought(2, 0, phase=HOSTILE, round=1),
            ruled(forged, proves=False),
        ],
        events=[Event(kind=HOSTILE, text=HOSTILE)],
    )
    long = replayed(1, "do", LONG, click())
    added = replayed(3, "do", "add the tall mug to the cart", click())
    two = (_goto(), _literal(2), added, _failed_verify(4))
    texts = dict.fromkeys(("outline", "title", "url"), HOSTILE)
    spied = look(1).model_copy(update=texts)
    hostile.last = spied
    hostile.iterations[0] = hostile.iterations[0].model_copy(update={"observed": spied})
    return [
        _test("test_passes[chromium]", "passed", attempt("passed", _goto(), _literal(2))),
        _test("test_two_mugs", "failed", attempt("failed", *two, message=MESSAGE, artifacts=files)),
        _test("test_aborts", "failed", attempt("failed", _goto(), _failed_do(2))),
        _test("test_healed", "passed", attempt("passed", _goto(), healed), healed=1),
        _test("test_drifted", "failed", attempt("failed", _goto(), _drifted())),
        _test(
            "test_flaky",
            "flaky",
            attempt("failed", _goto(), _failed_verify(2), message=MESSAGE),
            attempt("passed", _goto(), _worked(2), number=2),
        ),
        _test("test_skipped", "skipped", attempt("skipped", message="not in this season")),
        _test("test_killed", "never ended", attempt("never ended", _goto(), killed)),
        _test("test_judged", "passed", attempt("passed", _goto(), _judged(2))),
        _test("test_undecided", "failed", attempt("failed", _goto(), _undecided(2))),
        _test("test_value", "passed", attempt("passed", _goto(), value)),
        _test("test_by_eye", "passed", attempt("passed", _goto(), eye)),
        _test("test_two_people", "passed", attempt("passed", _goto(), seller)),
        _test(f"test_hostile[{HOSTILE}]", "failed", attempt("failed", _goto(), hostile)),
        _test("test_long", "error", attempt("error", long, message="E   fixture broke")),
        pictured(),
        _test("test_expected", "xfailed", attempt("xfailed", _failed_verify(1))),
    ]


def report(of: list[Test]) -> Report:
    """The report of these tests."""
    whole = Report(runs=["20261122-082257-24007"], started=START, damaged=1)
    for test in of:
        whole.outcomes[test.outcome] += 1
        whole.decided.update(test.decided)
        whole.steps += sum(len(each.steps) for each in test.attempts)
        whole.usage += test.usage
        whole.seconds += test.seconds
        whole.tests.append(test)
    return whole


def long_test(number: int, iterations: int) -> Test:
    """A test with two steps, the second of so many iterations."""
    seen = look(number % 3)
    outline = "\n".join(f'- [link-{at} "Product number {at}"]' for at in range(120))
    crowded = seen.model_copy(update={"outline": outline})
    work = [_thought(at + 1, 0, click(), observed=crowded) for at in range(iterations)]
    ok = number % 10 != 0
    step = _worked(2, iterations=work, status="completed" if ok else "aborted")
    outcome = "passed" if ok else "failed"
    return _test(f"test_number_{number}", outcome, attempt(outcome, _goto(), step))
