"""What a replay does without a model, and what it never passes over."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from pytest_webtask.journal import HealProposed, IterationEnded, StepTimed
from tests.inner import Project, Run, project

pytestmark = pytest.mark.slow

PAGE = """<h1>Notes</h1><label>Note <input id=note></label>
<button onclick="fetch('/clicked'); later(() => out.textContent = 'Saved ' + note.value, LATE)"
>Save</button><p role=status id=out></p><p role=alert id=err></p>
<script>const later = (f, ms) => ms < 0 ? 0 : ms ? setTimeout(f, ms) : f()
const LATE = %d, WRONG = %d
if (WRONG >= 0) setTimeout(() => err.textContent = 'Error: disk full', WRONG)</script>"""
LAMP = """<h1>Lamps</h1><div style='height:%dpx'></div>
<div role=img aria-label=Lamp style='background:rgb(%d,0,0);width:80px;height:40px'></div>"""
TABS = """<style>a { color: gray } .active { color: red }</style>
<a class="%s" href=#day>Day</a> <a class="%s" href=#week>Week</a>"""
COUNT = "<h1>Cart</h1><a href=/cart>Cart (%s)</a><button %s>Pay</button>"
PLAYS = """
"save it": [
    [act("fill", "textbox:Note", text="pears"), act("click", "button:Save")],
    done(text("status:Saved", "Saved pears")),
],
"save it slowly": [
    [act("fill", "textbox:Note", text="pears"), act("click", "button:Save")],
    act("wait", seconds=4),
    done(text("status:Saved", "Saved pears")),
],
"it says Saved pears": [holds(text("status:Saved", "Saved pears"))],
"no error is shown": [holds({"kind": "absent", "text": "Error"}, text("heading:Notes", "Notes"))],
"cart shows 2 items": [holds(text("link:Cart", "2 items"))],
"go on": [act("click", "link:On"), done(text("heading:There", "There"))],
"pay": [act("click", "button:Pay"), done(text("link:Cart", "2 items"))],
"note the code": [act("stamp", what="code"), act("click", "button:Pay"),
                  done(text("link:Cart", "2 items"))],
"the lamp is red": [holds({"kind": "visual", "element_id": "img:Lamp", "what": "the lamp is red"})],
"the week is chosen": [holds({"kind": "state", "element_id": "link:Week", "state": "looks active"})],
"as seller": [act("click", "button:Pay"), done(text("link:Cart", "2 items"))],
"""
TESTS = """
def test_late(webtask):
    webtask.goto("/late")
    webtask.do("save it")
    webtask.verify("it says Saved pears")

def test_never(webtask):
    webtask.goto("/never")
    webtask.do("save it")

def test_never_shown(webtask):
    webtask.goto("/dead")
    webtask.verify("no error is shown")

def test_wait(webtask):
    webtask.goto("/plain")
    webtask.do("save it slowly")

def test_slow_page(webtask):
    webtask.goto("/link")
    webtask.do("go on")

def test_disabled(webtask):
    webtask.goto("/pay")
    webtask.do("pay")

def test_total(webtask):
    webtask.goto("/cart")
    webtask.verify("cart shows 2 items")

def test_lamp(webtask):
    webtask.goto("/lamp")
    webtask.verify("the lamp is red")

def test_other_lamp(webtask):
    webtask.goto("/other-lamp")
    webtask.verify("the lamp is red")

def test_tab(webtask):
    webtask.goto("/tabs")
    webtask.verify("the week is chosen")

def test_other_tab(webtask):
    webtask.goto("/other-tabs")
    webtask.verify("the week is chosen")

def test_no_tab(webtask):
    webtask.goto("/no-tabs")
    webtask.verify("the week is chosen")

def test_tool(webtask):
    webtask.goto("/tool")
    webtask.do("note the code")

def test_two_pages(page, context, webtask, webtask_for):
    webtask.goto("/tool")
    webtask.do("as seller")
    other = webtask_for(context.new_page(), name="seller")
    other.goto("/tool")
    other.do("as seller")
"""
CONFTEST = """
import sys
from pathlib import Path
from pydantic import BaseModel

class What(BaseModel):
    what: str

def stamp(args: What) -> str:
    "Notes that it was called."
    with Path("stamps.txt").open("a") as file:
        file.write(args.what + "\\n")
    return "noted"

@pytest.fixture
def webtask_tools():
    return [stamp]

def pytest_unconfigure():
    print("LOADED", *sorted({"anthropic", "openai"} & sys.modules.keys()), ".")
"""


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Project]:
    """The project, recorded on one day."""
    with project(tmp_path_factory.mktemp("replay"), PLAYS, TESTS, CONFTEST) as inner:
        inner.write("pytest.ini", "[pytest]\nwebtask_timeout = 1.5\naddopts = -rA\n")
        inner.site.pages.update(
            {
                "/late": PAGE % (0, -1),
                "/never": PAGE % (0, -1),
                "/dead": PAGE % (0, -1),
                "/plain": PAGE % (0, -1),
                "/link": "<h1>Here</h1><a href=/there>On</a>",
                "/there": "<h1>There</h1>",
                "/pay": COUNT % ("2 items", "onclick=\"fetch('/paid')\""),
                "/cart": COUNT % ("2 items", ""),
                "/tool": COUNT % ("2 items", ""),
                "/lamp": LAMP % (0, 220),
                "/other-lamp": LAMP % (0, 220),
                **dict.fromkeys(("/tabs", "/other-tabs", "/no-tabs"), TABS % ("", "active")),
                "/clicked": "",
                "/paid": "",
            }
        )
        inner.passes()
        yield inner


@pytest.fixture(scope="module")
def replayed(recorded: Project) -> Run:
    """A replay on another day, on which some pages are slow and others are broken."""
    recorded.site.pages.update(
        {
            "/late": PAGE % (1000, -1),
            "/never": PAGE % (-1, -1),
            "/dead": PAGE % (0, 300),
            "/pay": COUNT % ("2 items", "disabled onclick=\"fetch('/paid')\""),
            "/cart": COUNT % ("3 items", ""),
            "/lamp": LAMP % (30, 218),
            "/other-lamp": LAMP % (0, 20),
            "/other-tabs": TABS % ("active", ""),
            "/no-tabs": TABS % ("active", "active"),
        }
    )
    recorded.site.delays["/there"] = 0.7
    # Other tests of this process import the clients of models.
    run = recorded.run("--webtask-mode=replay", "-s", own_process=True)
    assert not run.asked, run.printed
    return run


def test_replay_imports_no_sdk(replayed: Run) -> None:
    """A replay loads no client of a model."""
    assert "LOADED ." in replayed.printed


def test_passing_replay_takes_no_observation(replayed: Run) -> None:
    """A replay on an unchanged page takes neither an observation nor a picture."""
    assert replayed.outcomes["test_wait"] == "passed"
    iterations = replayed.events(IterationEnded, "test_wait")
    assert iterations
    for event in iterations:
        assert event.iteration.model == "recording"
        assert event.iteration.observed is None


def test_replay_waits_for_a_late_message(replayed: Run) -> None:
    """A recorded message that appears after a second passes."""
    assert replayed.outcomes["test_late"] == "passed", replayed.tests["test_late"].message


def test_missing_message_fails_though_all_clicks_succeed(replayed: Run) -> None:
    """A replay without the recorded message fails."""
    assert replayed.outcomes["test_never"] == "failed"
    assert "Saved pears" in replayed.tests["test_never"].message


def test_late_error_fails_its_denial(replayed: Run) -> None:
    """`no error is shown` fails if the error appears a moment later."""
    assert replayed.outcomes["test_never_shown"] == "failed"
    assert "Error" in replayed.tests["test_never_shown"].message


def test_recorded_wait_ends_with_the_evidence(recorded: Project, replayed: Run) -> None:
    """A recorded wait of four seconds ends as soon as the evidence holds."""
    [step] = recorded.steps("test_wait")
    assert [c["tool"] for c in step["calls"]] == ["fill", "click", "wait"]
    [timed] = replayed.events(StepTimed, "test_wait")[-1:]
    assert timed.seconds < 3.9


def test_slow_page_is_waited_for(replayed: Run) -> None:
    """A replay waits for a page that takes long to load after a click."""
    assert replayed.outcomes["test_slow_page"] == "passed", replayed.tests["test_slow_page"].message


def test_disabled_button_fails_the_step(replayed: Run) -> None:
    """A disabled button fails the step even if its evidence holds."""
    assert replayed.outcomes["test_disabled"] == "failed"
    assert "GET /paid" not in replayed.requests


def test_other_total_fails_with_expected_and_actual(replayed: Run) -> None:
    """The error shows the expected and the actual text, and how to record the step again."""
    case = replayed.tests["test_total"]
    assert case.outcome == "failed"
    assert "VerificationFailed" in case.message
    assert "2 items" in case.message and "3 items" in case.message
    advice = "this may be a bug; if the page is right, record it again: pytest"
    assert case.message.count(advice) == 1


def test_visual_evidence_is_compared_with_its_picture(recorded: Project, replayed: Run) -> None:
    """A picture within the tolerance passes anywhere on the page; another one fails."""
    pictures = list((recorded.root / "recordings" / "test_it" / "test_lamp").iterdir())
    assert len(pictures) == 1 and "chromium" in pictures[0].name
    assert replayed.outcomes["test_lamp"] == "passed", replayed.tests["test_lamp"].message
    other = replayed.tests["test_other_lamp"]
    assert other.outcome == "failed"
    assert "looks different from the recorded picture" in other.message
    assert not replayed.events(HealProposed, "test_other_lamp"), "nothing was found elsewhere"


def test_tab_that_looks_active_is_checked(replayed: Run) -> None:
    """The look passes while it is the tab's own, and fails on another tab or on all of them."""
    assert replayed.outcomes["test_tab"] == "passed", replayed.tests["test_tab"].message
    for name in ("test_other_tab", "test_no_tab"):
        assert replayed.outcomes[name] == "failed"
        assert "not looks active" in replayed.tests[name].message


def test_project_tools_are_called_in_replay(recorded: Project, replayed: Run) -> None:
    """A project's tool is called once when recorded and once when replayed."""
    assert replayed.outcomes["test_tool"] == "passed", replayed.tests["test_tool"].message
    assert (recorded.root / "stamps.txt").read_text().splitlines() == ["code", "code"]


def test_pages_of_different_names_have_their_own_steps(recorded: Project, replayed: Run) -> None:
    """The same sentence of another webtask is another step."""
    assert [s.get("webtask", "") for s in recorded.steps("test_two_pages")] == ["", "seller"]
    assert replayed.outcomes["test_two_pages"] == "passed"


def test_replay_writes_nothing(replayed: Run) -> None:
    """A replay changes no recording, whether its tests pass or fail."""
    assert replayed.changed == []
