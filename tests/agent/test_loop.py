"""The agent loop: batches, endings, reminders, limits."""

import re
import time
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from pytest_webtask import ModelError, TaskFailed, Undecided, UsageError, WorkerStatus
from pytest_webtask.agent.loop import describe_iteration
from pytest_webtask.run.webtask import Webtask
from pytest_webtask.testing import find
from pytest_webtask.types.agent import Decision, Iteration, ProposedToolCall, ToolCall, Turn
from pytest_webtask.types.model import ModelTraits
from tests.scripted import Html, Scripted, call, done, on
from tests.site import Site

COUNTER = """<button onclick="n.textContent = +n.textContent + 1">More</button><p id=n>0</p>"""
MORE, GO = call("click", find("button", "More")), call("click", find("button", "Go"))
LOADED = (
    "click loaded a page, or changed its address or the tab; in the next turn, call with ids of that"
    " page"
)
Batch = Callable[..., Sequence[ToolCall]]


@pytest.fixture
def batch(webtask: Webtask, model: Scripted, site: Site) -> Batch:
    """Makes calls of one answer on a page of the site, and returns them."""

    def run(body: str, *calls: ProposedToolCall, **pages: str) -> Sequence[ToolCall]:
        site.pages |= {"/": body, **{f"/{name}": page for name, page in pages.items()}}
        webtask.goto(site.url)
        model.answers = [[*calls], done()]
        return webtask.do("act").session.iterations[0].calls

    return run


@pytest.fixture(autouse=True)
def _page(html: Html) -> None:
    html(COUNTER)


def test_end_is_described_without_its_arguments() -> None:
    """A refused end has its reason and the refusal, and no dictionaries of evidence."""
    given = {"summary": "as recorded", "evidence": [{"kind": "text"}], "reason": "it is"}
    refused = ToolCall(
        tool="mark_done", parameters=given, reason="it is", success=False, error="no", ends=True
    )
    iteration = Iteration(number=1, role="worker", calls=(refused,), started=0.0, time=0.1)
    assert describe_iteration(iteration) == "mark_done (it is) FAILED: no"


# Ends and limits


def test_task_marked_done_is_completed(webtask: Webtask, model: Scripted) -> None:
    """`do` returns the worker's summary and a session of numbered iterations."""
    model.answers = [MORE, done("pressed it")]
    session = webtask.do("press more").session
    assert (session.feedback, session.status) == ("pressed it", WorkerStatus.COMPLETED)
    assert [i.number for i in session.iterations] == [1, 2]
    assert webtask.page.locator("#n").inner_text() == "1"


def test_done_without_a_look_is_refused(webtask: Webtask, model: Scripted) -> None:
    """A model that looks at pages has to read the page in the turn in which it ends the task."""
    model.traits = ModelTraits()
    end = done("saw 1", {"kind": "text", "element_id": "text-0", "text": "1"})
    model.answers = [
        *(done("at once"), MORE, done("blindly")),
        lambda t: [end] if t.observation.outline.split()[-1] == "1" else [],
    ]
    session = webtask.do("press more").session
    refused = "turn.observation was not read: read it before you answer with mark_done"
    assert [i.calls[0].error for i in session.iterations] == [refused, None, refused, None]
    assert session.feedback == "saw 1"


def test_output_before_an_action_is_void(webtask: Webtask, model: Scripted) -> None:
    """A value that was set before the page changed has to be set anew."""
    zero, one = (call("set_output", output=number) for number in (0, 1))
    model.answers = [zero, MORE, done(), one, done()]
    result = webtask.do("press more and tell the number", output=int)
    assert result.output == 1
    assert "call set_output first" in (result.session.iterations[2].calls[0].error or "")


def test_aborted_task_fails_with_the_workers_reason(webtask: Webtask, model: Scripted) -> None:
    """TaskFailed, which is no AssertionError, carries the worker's reason and the result."""
    model.answers = [call("abort", reason="there is no cart")]
    with pytest.raises(TaskFailed, match="there is no cart") as failed:
        webtask.do("open the cart")
    session = failed.value.result.session
    assert session.status is WorkerStatus.ABORTED
    assert not isinstance(failed.value, AssertionError)
    assert webtask.state.steps == (session,)


def test_task_out_of_steps_fails(webtask: Webtask, model: Scripted) -> None:
    """A task without steps left fails, and notices announce the last ones."""
    model.traits = ModelTraits()
    model.answers = [on("click", "button", "More") for _ in range(4)]
    with pytest.raises(TaskFailed, match="out of steps after 4") as failed:
        webtask.do("press more for ever", max_steps=4)
    assert failed.value.result.session.status is WorkerStatus.MAX_STEPS
    assert model.turns[2].notices == ()
    last = "This is your last answer (4 of 4): end with mark_done or abort."
    assert model.turns[3].notices[0] == last


def test_task_out_of_time_fails(webtask: Webtask, model: Scripted) -> None:
    """A task ends when its `timeout` in seconds is over, and no `mark_done` after it completes it."""
    model.answers = [call("wait", seconds=9) for _ in range(9)]
    began = time.monotonic()
    with pytest.raises(TaskFailed, match="out of time") as failed:
        webtask.do("wait", timeout=0.3)
    assert time.monotonic() - began < 5
    assert failed.value.result.session.status is WorkerStatus.TIMED_OUT
    model.answers = [lambda turn: time.sleep(0.2) or done()]  # type: ignore[func-returns-value]
    with pytest.raises(TaskFailed, match="out of time"):
        webtask.do("see", timeout=0.1)


def test_turn_after_the_last_step_only_ends_the_task(webtask: Webtask, model: Scripted) -> None:
    """A model that does not look may end the task after its last step but not act."""
    model.answers = [MORE, done("in time")]
    assert webtask.do("press once", max_steps=1).session.feedback == "in time"
    model.answers = [MORE, MORE]
    with pytest.raises(TaskFailed, match="out of steps after 1 iteration"):
        webtask.do("press twice", max_steps=1)
    assert webtask.page.locator("#n").inner_text() == "2"


# Batches


def test_batch_stops_at_its_first_error(webtask: Webtask, batch: Batch) -> None:
    """Calls after a failed one are not run."""
    calls = batch(COUNTER, call("click", element_id="button-99"), MORE)
    assert [c.success for c in calls] == [False, False]
    assert calls[1].error == "click failed"
    assert webtask.page.locator("#n").inner_text() == "0"


def test_batch_after_a_page_load_runs_only_navigation(
    webtask: Webtask, batch: Batch, site: Site
) -> None:
    """Calls planned for the old page are not run on the new one, even if names are equal."""
    body = """<button onclick="location = '/next'">Go</button><button>Delete"""
    delete = call("click", find("button", "Delete"))
    went, failed = batch(body, GO, delete, next="<button>Delete")
    assert went.success and failed.error == LOADED
    away = call("navigate", url=f"{site.url}/cart")
    calls = batch(body, GO, away, call("press", key="Enter"), cart="<button>Delete")
    assert [c.success for c in calls] == [True, True, False]
    assert webtask.page.url.endswith("/cart")


@pytest.mark.parametrize("address", ["#edit", "?tab=edit", "/edit"])
def test_batch_goes_on_in_a_document_with_another_address(
    webtask: Webtask, batch: Batch, address: str
) -> None:
    """A route of a script leaves elements in place: they are used in the same answer."""
    calls = batch(
        f"""<button onclick="history.pushState(0, '', '{address}')">Go</button>
        <label>Name <input></label>""",
        *(GO, call("fill", find("textbox", "Name"), text="Ada"), call("press", key="Enter")),
    )
    assert [each.success for each in calls] == [True, True, False]
    assert calls[2].error == LOADED
    assert webtask.page.get_by_role("textbox").input_value() == "Ada"


@pytest.mark.parametrize(
    "change", ["main.innerHTML = main.innerHTML", "main.lastChild.textContent = 'Remove B'"]
)
def test_batch_after_a_route_acts_on_the_element_that_was_seen_or_none(
    webtask: Webtask, batch: Batch, change: str
) -> None:
    """A button that a route has replaced or renamed may belong to another item."""
    [_, second] = batch(
        f"""<button onclick="history.pushState(0, '', '?b'); {change}">Go</button>
        <div id=main><button onclick="document.title = 'gone'">Remove</button></div>""",
        *(GO, call("click", find("button", "Remove"))),
    )
    assert (second.error or "").startswith("click loaded a page")
    assert webtask.page.title() != "gone"


# Answers


def test_model_using_the_page_is_guarded(webtask: Webtask, model: Scripted, site: Site) -> None:
    """A model that drives the page itself cannot leave the allowed origins, even before a look."""
    site.pages["/"] = "<h1>Home"
    webtask.goto(site.url)

    def leave(turn: Turn) -> Decision:
        turn.page.evaluate("url => void (location = url)", f"{site.foreign_url}/away")
        turn.page.wait_for_timeout(300)
        return Decision([call("report_verdict", outcome="cannot_tell", reason="it went away")])

    model.decide = leave  # type: ignore[method-assign]
    with pytest.raises(Undecided):
        webtask.verify("the page is still here", timeout=0)
    assert not [line for line in site.log if "away" in line]


def test_pages_are_unguarded_after_an_error(webtask: Webtask, site: Site) -> None:
    """The guard is removed before the picture of the failure is taken."""
    site.pages["/"] = "<h1>Home"
    webtask.goto(site.url)
    with pytest.raises(UsageError, match="no worker answer left"):
        webtask.do("do it")
    webtask.page.goto(f"{site.foreign_url}/")
    webtask.page.get_by_role("heading", name="Home").wait_for()


MALFORMED: list[tuple[Any, str]] = [
    ("yes", "returned a str, 'yes'; it must be a Decision"),
    (Decision(calls=None), "a Decision whose calls is a NoneType, None; it must be a Sequence"),  # type: ignore[arg-type]
    (Decision(reasoning=None), "reasoning is a NoneType, None; it must be a str"),  # type: ignore[arg-type]
    (Decision(usage=None), "it must be a Usage"),  # type: ignore[arg-type]
    (
        Decision([{"tool": "click", "input": {}}]),  # type: ignore[list-item]
        "calls[0] is a dict, {'tool': 'click', 'input': {}}; it must be a ProposedToolCall",
    ),
    (Decision([ProposedToolCall(5)]), "calls[0].tool is an int, 5; it must be a str"),  # type: ignore[arg-type]
    (Decision([ProposedToolCall("click", None)]), "calls[0].parameters is a NoneType"),  # type: ignore[arg-type]
    (Decision([call("click", element_id=object())]), "can't be written as JSON"),
]


def test_malformed_answer_or_exception_is_a_model_error(webtask: Webtask, model: Scripted) -> None:
    """The error names what was returned or raised, and what it must be."""
    model.answers = [lambda t: 1 / 0]  # type: ignore[list-item, return-value]
    with pytest.raises(ModelError, match="ZeroDivisionError"):
        webtask.do("fail")
    for answer, wrong in MALFORMED:
        model.decide = lambda _, answer=answer: answer  # type: ignore[method-assign,misc]
        with pytest.raises(ModelError, match=re.escape(wrong)):
            webtask.do("fail")


@pytest.mark.parametrize(
    "later", [MORE, call("abort", reason="or not"), call("dance"), done("twice")]
)
def test_done_before_any_other_call_is_refused(
    webtask: Webtask, model: Scripted, later: ProposedToolCall
) -> None:
    """Neither `mark_done` nor a call after it in the same answer is run."""
    model.answers = [[done("first"), later], done("second")]
    session = webtask.do("see").session
    assert session.feedback == "second"
    refused, dropped = session.iterations[0].calls
    assert "other calls follow in the same answer" in (refused.error or "")
    assert dropped.error == "mark_done failed"
    assert webtask.page.locator("#n").inner_text() == "0"


@pytest.mark.parametrize(
    ("before", "given"),
    [
        *(("click", {"element_id": "button-0"}), ("wait", {"seconds": 0.01})),
        *(("scroll", {"direction": "down"}), ("hover", {"x": 5, "y": 5})),
    ],
)
def test_done_after_a_call_that_takes_time_is_refused(
    webtask: Webtask, model: Scripted, html: Html, before: str, given: dict[str, Any]
) -> None:
    """`mark_done` is refused after a call whose effect on the page was not seen."""
    html(f"{COUNTER}<div style='height: 3000px'></div>")
    model.answers = [[call(before, **given), done()], done("looked")]
    session = webtask.do("see").session
    refused = session.iterations[0].calls[1]
    assert not refused.success
    assert f"the page after {before} was not seen yet" in (refused.error or "")
    assert session.feedback == "looked"
