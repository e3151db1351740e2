"""Journals → records: what a report says comes from there and from nowhere else."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pytest_webtask.journal import (
    PHASES,
    DecisionMade,
    HealedElement,
    HealProposed,
    IterationEnded,
    Journal,
    PageEvent,
    PhaseEnded,
    RulingMade,
    StepEnded,
    StepPictured,
    StepStarted,
    StepTraced,
    VerdictReached,
)
from pytest_webtask.journal.runs import Run
from pytest_webtask.journal.schema import StepTrace
from pytest_webtask.report.reader import read_tests
from pytest_webtask.report.view import Pictures, Test, as_words
from pytest_webtask.types.agent import (
    Conclusion,
    Event,
    Iteration,
    Ruling,
    ToolCall,
    Usage,
    Verdict,
)
from pytest_webtask.types.page import Picture, Spot, Target

TOKENS = {"input_tokens": 100, "output_tokens": 7, "cache_read_tokens": 900}
USAGE: dict[str, Any] = {"model_calls": 1, "cost": 0.01, **TOKENS}
FREE: dict[str, Any] = dict.fromkeys(USAGE, 0)
PLACE: dict[str, Any] = {"test": "t.py::test_a", "step": 1}


@pytest.fixture
def open_journal(tmp_path: Path) -> Iterator[Callable[..., Journal]]:
    """Opens the journal of a process of a run."""
    journals: list[Journal] = []

    def open_(run: str, writer: str = "main") -> Journal:
        journals.append(Journal(tmp_path / run, writer))
        return journals[-1]

    yield open_
    for journal in journals:
        journal.close()


@pytest.fixture
def journal(open_journal: Callable[..., Journal]) -> Journal:
    """The journal of the main process of a run."""
    return open_journal("run-1")


def step(journal: Journal, number: int = 1, test: str = "t.py::test_a", **fields: Any) -> None:
    """The beginning of a step."""
    known = {"step_kind": "do", "sentence": "buy a mug", **fields}
    journal.write(StepStarted(test=test, step=number, **known))


HEALED = HealedElement(old="get_by_text('a')", new="get_by_text('b')")
CALL = ToolCall(tool="click", parameters={"element_id": "button-0"}, success=True)
PROPOSED = CALL.model_copy(update={"ran": False, "success": False, "error": "not ended"})


def worked(number: int = 1, **fields: Any) -> Iteration:
    """An iteration of a worker that clicked."""
    known = {"role": "worker", "model": "claude", "usage": USAGE, "calls": (CALL,)}
    timed = {"number": number, "started": 0.0, "time": 0.5}
    return Iteration.model_validate({**known, **timed, **fields})


def iteration(journal: Journal, step: int = 1, test: str = "t.py::test_a", **fields: Any) -> None:
    """An iteration with its decision."""
    journal.write(DecisionMade(test=test, step=step, iteration=worked(calls=(PROPOSED,))))
    for text in fields.pop("during", ()):
        journal.write(PageEvent(test=test, step=step, event=Event(kind="dialog", text=text)))
    journal.write(IterationEnded(test=test, step=step, iteration=worked(**fields)))


def ended(
    journal: Journal, test: str = "t.py::test_a", message: str = "E   it broke", **outcomes: str
) -> None:
    """Write the phases of a test; a failed one has the message."""
    for phase in PHASES:
        outcome = outcomes.get(phase, "passed")
        known: dict[str, Any] = {"seconds": 0.5} | (
            {"message": message, "failed_steps": (("", 1),)} if outcome == "failed" else {}
        )
        journal.write(PhaseEnded(test=test, phase=phase, outcome=outcome, **known))


def read(*folders: Path, test: str = "t.py::test_a") -> Test:
    """The test as a report has it."""
    return next(each for each in read_all(*folders) if each.id == test)


def read_all(*folders: Path) -> list[Test]:
    """The tests as a report has them."""
    parent = folders[0].parent
    runs = {folder: Run.read(folder) for folder in folders}
    return [*read_tests(runs, Pictures(parent / "report", parent))]


def test_has_steps_iterations_and_cost(journal: Journal) -> None:
    """Tokens read from a cache count as input tokens and are listed separately."""
    step(journal)
    iteration(journal, reasoning="the button sells it", during=["sure?"])
    journal.write(StepEnded(test="t.py::test_a", step=1, status="completed", reason="bought"))
    ended(journal)
    test = read(journal.folder)
    (reported,) = test.attempts[0].steps
    assert (test.outcome, test.seconds, test.decided) == ("passed", 1.5, {"model": 1})
    assert (reported.status, reported.ok) == ("completed", True)
    assert reported.seconds < 1 and reported.reason == "bought"
    assert test.usage == Usage.model_validate(USAGE) and test.usage.tokens_in == 1000
    (turn,) = reported.iterations
    assert turn.reasoning == "the button sells it"
    assert [call.parameters for call in turn.calls] == [{"element_id": "button-0"}]
    assert [event.text for event in turn.events] == ["sure?"]
    iteration(journal, usage={**USAGE, "cost": None})
    assert read(journal.folder).usage.cost is None, "a sum with one unknown price is unknown"


def test_step_has_its_pictures_as_far_as_they_were_kept(journal: Journal) -> None:
    """The page after the step and the spots of its calls are read; a missing file is no picture."""
    kept = Picture(path=f"screenshots/{journal.save_picture(b'kept').name}", size=(800, 600))
    gone = Picture(path="screenshots/gone.jpg", size=(800, 600))
    step(journal)
    spots = [Spot(picture=each, box=(1, 2, 30, 40), point=(9, 9)) for each in (kept, gone)]
    calls = tuple(CALL.model_copy(update={"spot": spot}) for spot in spots)
    iteration(journal, calls=calls)
    journal.write(StepPictured(**PLACE, picture=kept))
    step(journal, 2)
    journal.write(StepPictured(test="t.py::test_a", step=2, picture=gone))
    first, second = read(journal.folder).attempts[0].steps
    path = f"pictures/{Path(kept.path).name}"
    assert [each.after and each.after.path for each in (first, second)] == [path, None]
    shown = [call.spot for call in first.iterations[0].calls]
    assert [spot and (spot.picture, spot.point) for spot in shown] == [(first.after, (9, 9)), None]
    assert (journal.folder.parent / "report" / path).read_bytes() == b"kept"


def test_elements_of_a_call_are_named_in_its_order() -> None:
    """A drag names its element before the one that it is dragged to, whatever their order."""
    targets = {
        "to_element_id": Target.of("get_by_text('Cart')"),
        "element_id": Target.of("get_by_role('link', name='Mug')"),
    }
    drag = ToolCall(tool="drag", parameters={}, targets=targets, success=True)
    assert as_words(drag) == 'drag link "Mug" to "Cart"'


@pytest.mark.parametrize("by", ["model", "literal", "recording", "heal"])
def test_step_names_its_decider(journal: Journal, by: str) -> None:
    """A step is decided by a model, a literal sentence, a recording or a heal."""
    decided = {"recording": "replayed", "heal": "healed"}.get(by, by)
    step(journal)
    usage = USAGE if by == "model" else FREE
    iteration(journal, decided_by="recording" if by == "heal" else by, usage=usage)
    if by == "heal":
        journal.write(HealProposed(**PLACE, file="f.json", heals=(HEALED,)))
    assert read(journal.folder).attempts[0].steps[0].decided == decided


def test_killed_process_leaves_an_unended_test(journal: Journal) -> None:
    """The last step is broken off, and its proposed calls are listed as not done."""
    step(journal)
    journal.write(DecisionMade(**PLACE, iteration=worked(calls=(PROPOSED,))))
    test = read(journal.folder)
    (reported,) = test.attempts[0].steps
    assert test.outcome == "never ended"
    assert (reported.status, reported.ok) == ("broken off", False)
    assert not reported.iterations[0].ended
    [call] = reported.iterations[0].calls
    assert (call.ran, call.error) == (False, "not ended")
    assert test.wrong == "never ended: the process was killed in step 1"


def test_truncated_line_is_counted_and_skipped(journal: Journal) -> None:
    """The lines before a truncated one are read."""
    step(journal)
    journal.close()
    with (journal.folder / "main.jsonl").open("a") as file:
        file.write('{"time": 1.0, "kind": "step_en')
    assert Run.read(journal.folder).damaged == 1
    assert read(journal.folder).attempts[0].steps[0].sentence == "buy a mug"


def test_that_passed_on_rerun_is_flaky(journal: Journal) -> None:
    """A flaky test keeps all its attempts."""
    step(journal)
    ended(journal, call="failed")
    journal.attempt = 2
    step(journal)
    ended(journal)
    test = read(journal.folder)
    assert test.outcome == "flaky"
    assert [a.outcome for a in test.attempts] == ["failed", "passed"]
    assert test.attempts[0].message == "E   it broke"


def test_outcome_depends_on_all_phases(journal: Journal) -> None:
    """A test whose teardown fails has not passed; expected failures have outcomes of their own."""
    ends: dict[str, tuple[dict[str, str], str]] = {
        "good": ({}, "passed"), "bad": ({"call": "failed"}, "failed"),
        "setup": ({"setup": "failed"}, "error"), "teardown": ({"teardown": "failed"}, "error"),
        "skip": ({"call": "skipped"}, "skipped"),
    }  # fmt: skip
    for test, (phases, _) in ends.items():
        step(journal, test=test)
        ended(journal, test, **phases)
    for test, outcome in (("xfailed", "skipped"), ("xpassed", "passed")):
        step(journal, test=test)
        call = PhaseEnded(test=test, phase="call", outcome=outcome, expected_failure="bug 7")
        journal.write(call)
        journal.write(PhaseEnded(test=test, phase="teardown", outcome="passed"))
    outcomes = {test: outcome for test, (_, outcome) in ends.items()}
    outcomes |= {"xfailed": "xfailed", "xpassed": "xpassed"}
    assert {test: read(journal.folder, test=test).outcome for test in outcomes} == outcomes


def test_shards_make_one_report(journal: Journal, open_journal: Callable[..., Journal]) -> None:
    """A test that ran in two shards has two attempts."""
    other = open_journal("run-2", "gw0")
    step(journal)
    ended(journal, call="failed")
    step(other)
    ended(other)
    step(other, test="t.py::test_b")
    ended(other, "t.py::test_b")
    tests = read_all(journal.folder, other.folder)
    assert [each.id for each in tests] == ["t.py::test_a", "t.py::test_b"]
    both = read(journal.folder, other.folder)
    assert [a.run for a in both.attempts] == ["run-1", "run-2"]
    # They may be of different machines: what passed on one has still failed on the other.
    assert both.outcome == "failed"


def test_verdict_lists_its_checks_and_the_first_failure(journal: Journal) -> None:
    """The first failure shows the expected and actual text of the failed check."""
    step(journal, step_kind="verify", sentence="the cart shows 2 items")
    check = {"kind": "text", "element_id": "link-0", "text": "2 items"}
    wrong = {"about": 'link "Cart"', "expected": '"2 items"', "actual": "1 item", "holds": False}
    target = {"locators": ["get_by_role('link')", "get_by_text('Cart')"]}
    checked = {"check": check, **wrong, "target": target}
    fields = {"outcome": "failed", "reason": "one only", "evidence": [checked]}
    verdict = Verdict.model_validate({"claim": "the cart shows 2 items", **fields})
    journal.write(VerdictReached(**PLACE, verdict=verdict))
    journal.write(StepEnded(test="t.py::test_a", step=1, status="failed", reason="one only"))
    ended(journal, message='E   "the cart shows 2 items" does not hold', call="failed")
    test = read(journal.folder)
    (shown,) = test.attempts[0].steps[0].evidence
    assert (shown.kind, shown.expected, shown.actual) == ("text", '"2 items"', "1 item")
    assert shown.target is not None
    assert (shown.holds, shown.target.locator) == (False, "get_by_role('link')")
    assert test.wrong == (
        "step 1, failed: verify the cart shows 2 items – one only"
        ' – link "Cart": expected "2 items", found 1 item'
    )


def ruling(journal: Journal, *, proves: bool, **fields: Any) -> None:
    """A ruling of the referee on a claim."""
    given = {"counterexample": "", "proves": proves, "missing": "" if proves else "the column"}
    call = ToolCall(tool="rule", parameters=given, success=True)
    conclusion = Conclusion(kind="claim", sentence="the cart is full", outcome="holds")
    ruled = worked(**{"role": "referee", "model": "opus", "calls": (call,), **fields})
    answer = None if "calls" in fields else Ruling(proves=proves, by="opus")
    journal.write(RulingMade(**PLACE, conclusion=conclusion, iteration=ruled, ruling=answer))


def verified(journal: Journal, status: str, *proves: bool, **verdict: Any) -> None:
    """A step of `verify` with an iteration for each ruling, in which that was made."""
    step(journal, step_kind="verify", sentence="the cart is full")
    for number, each in enumerate(proves, 1):
        call = ToolCall(tool="report_verdict", ends=True, parameters={}, success=True)
        judged = worked(number, role="verifier", calls=(call,))
        journal.write(DecisionMade(**PLACE, iteration=judged))
        ruling(journal, proves=each)
        journal.write(IterationEnded(**PLACE, iteration=judged))
    known = {"claim": "the cart is full", "outcome": status, "reason": "", **verdict}
    journal.write(VerdictReached(**PLACE, verdict=Verdict.model_validate(known)))
    journal.write(StepEnded(**PLACE, status=status))


def test_rulings_follow_their_iteration_and_add_to_its_cost(journal: Journal) -> None:
    """Refusing and approving rulings are listed, and the decider is the model that was ruled on."""
    verified(journal, "passed", False, True)
    ended(journal)
    test = read(journal.folder)
    (reported,) = test.attempts[0].steps
    roles = [(each.role, each.ruling and each.ruling.proves) for each in reported.iterations]
    assert roles == [("verifier", None), ("referee", False), ("verifier", None), ("referee", True)]
    assert reported.ruling is not None and reported.ruling.proves and reported.ruling.by == "opus"
    assert reported.iterations[1].conclusion is not None
    assert reported.iterations[1].conclusion.outcome == "holds"
    assert reported.usage.model_calls == test.usage.model_calls == 4
    shares = {role: usage.model_calls for role, usage in reported.usage_by_role.items()}
    assert shares == {"verifier": 2, "referee": 2}
    assert reported.decided == "model"


@pytest.mark.parametrize(("status", "proves"), [("undecided", False), ("failed", True)])
def test_claim_has_its_deciding_ruling(journal: Journal, status: str, proves: bool) -> None:
    """An undecided claim has its last refusal, and a failed one its approval."""
    given = {"proves": True, "by": "opus"} if proves else None
    verified(journal, status, False, proves, ruling=given)
    (reported,) = read(journal.folder).attempts[0].steps
    assert reported.ruling is not None
    assert reported.ruling.proves is proves


def test_ruling_without_an_end_or_an_answer_is_kept(journal: Journal) -> None:
    """It follows the iteration that never ended; an invalid answer has its problem and its cost."""
    step(journal, step_kind="verify", sentence="the cart is full")
    journal.write(DecisionMade(**PLACE, iteration=worked()))
    ruling(journal, proves=True)
    ruling(journal, proves=True, calls=[], problem="no tool was called")
    (reported,) = read(journal.folder).attempts[0].steps
    shown = [(each.role, each.ended, each.problem) for each in reported.iterations]
    invalid = ("referee", True, "no tool was called")
    assert shown == [("worker", False, ""), ("referee", True, ""), invalid]
    assert reported.iterations[-1].ruling is None
    assert reported.usage.model_calls == 3


def test_recorded_step_names_its_approval(journal: Journal) -> None:
    """An approval says if a coding agent judged its own conclusion."""
    step(journal)
    approved = {"by": "handoff", "on": "2026-11-22", "digest": "d", "same_session": True}
    decided = {"model": "claude", "on": "2026-11-22"}
    trace = StepTrace.model_validate(
        {"kind": "do", "sentence": "buy a mug", "decided": decided, "approved": approved}
    )
    journal.write(StepTraced(**PLACE, decided_by="model", trace=trace))
    (reported,) = read(journal.folder).attempts[0].steps
    assert reported.approved is not None
    assert (reported.approved.by, reported.approved.same_session) == ("handoff", True)


def test_picture_is_copied_once_from_its_run(journal: Journal) -> None:
    """Looks at a picture share its copy; a missing one is none, and no file from outside of the run is taken."""
    shown = journal.save_picture(b"marked")
    (journal.folder.parent / "secret.jpg").write_bytes(b"secret")
    step(journal)
    kept = f"screenshots/{shown.name}"
    for path in (kept, kept, "screenshots/gone.jpg", "../secret.jpg"):
        seen = {"url": "/", "title": "Shop", "outline": "x", "screenshot": path}
        iteration(journal, observed=seen)
    looks = [turn.observed for turn in read(journal.folder).attempts[0].steps[0].iterations]
    copied = f"pictures/{shown.name}"
    assert [look and look.screenshot for look in looks] == [copied, copied, None, None]
    brought = list((journal.folder.parent / "report" / "pictures").iterdir())
    assert [file.read_bytes() for file in brought] == [b"marked"]


FULL, PAID = ("verify", "the cart is full", "failed"), ("verify", "the cart is paid", "failed")
ERROR = "E   pytest_webtask.errors.VerificationFailed: "
WRONG: dict[str, tuple[list[tuple[str, str, str]], dict[str, Any], str]] = {
    "claim after one whose failure was caught": (
        [FULL, PAID], {"message": f'{ERROR}"the cart is paid" does not hold', "failed_steps": (("", 2),)},
        "step 2, failed: verify the cart is paid – no",
    ),
    "assertion of the test itself": (
        [FULL], {"message": "E   assert 1 == 2", "errors": "assert 1 == 2"},
        "in the test itself – assert 1 == 2",
    ),
    "assertion on holds": (
        [("holds", "the cart is full", "no")],
        {"message": "assert False",
         "errors": "AssertionError: assert False\n + where False = holds('the cart is full')"},
        "step 1, no: holds the cart is full – no",
    ),
    "step of the error, another of which has its text": (
        [FULL, FULL],
        {"message": "E   the cart is full", "errors": "the cart is full", "failed_steps": (("", 2),)},
        "step 2, failed: verify the cart is full – no",
    ),
    "step of a second webtask": (
        [("do", "buy a mug", "completed"), ("seller", "sell a mug", "aborted")],
        {"message": "E   do('sell a mug') was aborted", "failed_steps": (("seller", 1),)},
        "step 1 of seller, aborted: do sell a mug – no",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", WRONG)
def test_failure_of_a_test_is_named(journal: Journal, case: str) -> None:
    """The failure is that of the step which the error is of, or of the test itself."""
    steps, phase, wrong = WRONG[case]
    for number, (kind, sentence, status) in enumerate(steps, 1):
        place = PLACE | {"step": number}
        if kind == "seller":
            place, kind = PLACE | {"webtask": "seller"}, "do"
        journal.write(StepStarted(**place, step_kind=kind, sentence=sentence))
        journal.write(StepEnded(**place, status=status, reason="no"))
    journal.write(PhaseEnded(test="t.py::test_a", phase="call", outcome="failed", **phase))
    journal.write(PhaseEnded(test="t.py::test_a", phase="teardown", outcome="passed"))
    assert read(journal.folder).wrong == wrong


def test_proposed_heal_of_a_failed_step_is_not_counted(journal: Journal) -> None:
    """The step counts as replayed, not as healed."""
    step(journal)
    journal.write(HealProposed(**PLACE, file="f.json", heals=(HEALED,), used=False))
    message = "no element matches\nrecord it again"
    journal.write(StepEnded(**PLACE, status="drifted", error=message))
    ended(journal, message="E   do('buy a mug') cannot be replayed", call="failed")
    test = read(journal.folder)
    assert (test.healed, test.decided) == (0, {"replayed": 1})
    assert test.wrong == "step 1, drifted: do buy a mug – no element matches"
