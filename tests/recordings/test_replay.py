"""What a replay does without a model, and what it never passes over."""

import re
from collections.abc import Iterator

import pytest

from pytest_webtask.journal import HealProposed, IterationEnded
from tests.inner import Project, Run, project, visits

pytestmark = [pytest.mark.slow, pytest.mark.long]

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
STEPS = {
    "never": "do('save it')",
    "dead": "verify('no error is shown')",
    "plain": "do('save it slowly')",
    "link": "do('go on')",
    "pay": "do('pay')",
    "cart": "verify('cart shows 2 items')",
    **dict.fromkeys(("lamp", "other_lamp"), "verify('the lamp is red')"),
    **dict.fromkeys(("tabs", "other_tabs", "no_tabs"), "verify('the week is chosen')"),
    "tool": "do('note the code')",
}
TESTS = (
    f"import pytest\n{visits(STEPS)}"
    + """
def test_late(webtask):
    webtask.goto("/late")
    webtask.do("save it")
    webtask.verify("it says Saved pears")

def test_two_pages(page, context, webtask, webtask_for):
    webtask.goto("/tool")
    webtask.do("as seller")
    other = webtask_for(context.new_page(), name="seller")
    other.goto("/tool")
    other.do("as seller")

test_lamp = pytest.mark.webtask(model_pictures="on")(test_lamp)
test_other_lamp = pytest.mark.webtask(model_pictures="on")(test_other_lamp)
"""
)
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
        inner.site.pages.update(
            {
                **dict.fromkeys(("/late", "/never", "/dead", "/plain"), PAGE % (0, -1)),
                "/link": "<h1>Here</h1><a href=/there>On</a>",
                "/there": "<h1>There</h1>",
                "/pay": COUNT % ("2 items", "onclick=\"fetch('/paid')\""),
                **dict.fromkeys(("/cart", "/tool"), COUNT % ("2 items", "")),
                **dict.fromkeys(("/lamp", "/other_lamp"), LAMP % (0, 220)),
                **dict.fromkeys(("/tabs", "/other_tabs", "/no_tabs"), TABS % ("", "active")),
                **dict.fromkeys(("/clicked", "/paid"), ""),
            }
        )
        printed = inner.passes().printed
        assert (
            "kept with a picture for the lamp is red, which each replay has to draw alike"
            in printed
        )
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
            "/other_lamp": LAMP % (0, 20),
            "/other_tabs": TABS % ("active", ""),
            "/no_tabs": TABS % ("active", "active"),
        }
    )
    recorded.site.delays["/there"] = 0.7
    # Other tests of this process import the clients of models.
    run = recorded.run("--webtask-mode=replay", "-s", own_process=True)
    assert not run.asked, run.printed
    return run


ALL = re.findall(r"def test_(\w+)", TESTS)
FAILED = {
    "never": "Saved pears",
    "dead": "Error",  # a moment later
    "pay": "not enabled",
    "cart": "this may be a bug; if the page is right, record it again: pytest",
    "other_lamp": "looks different from the recorded picture",
    "other_tabs": "not looks active",
    "no_tabs": "not looks active",
}
"""The tests that fail, and what their messages hold."""


def test_replay_waits_for_slow_pages_and_fails_on_what_differs(replayed: Run) -> None:
    """What is late, or was moved, passes; what is missing, disabled or differs fails with its text."""
    outcomes = {name: replayed.outcomes[f"test_{name}"] for name in ALL}
    assert outcomes == {name: "failed" if name in FAILED else "passed" for name in ALL}
    for name, text in FAILED.items():
        assert replayed.tests[f"test_{name}"].message.count(text) >= 1, name
    total = replayed.tests["test_cart"].message
    assert "VerificationFailed" in total
    assert "2 items" in total and "3 items" in total
    assert "GET /paid" not in replayed.requests
    assert replayed.tests["test_other_lamp"].properties["webtask_cause"] == "page-changed"
    assert not replayed.events(HealProposed, "test_other_lamp"), "nothing was found elsewhere"
    assert replayed.changed == []


def test_passing_replay_takes_no_observation(recorded: Project, replayed: Run) -> None:
    """A replay loads no client of a model, observes no unchanged page, and waits on for no evidence."""
    assert "LOADED ." in replayed.printed
    iterations = replayed.events(IterationEnded, "test_plain")
    assert iterations
    for event in iterations:
        assert event.iteration.model == "recording"
        assert event.iteration.observed is None
    [step] = recorded.steps("test_plain")
    assert [c["tool"] for c in step["calls"]] == ["fill", "click", "wait"]
    assert replayed.seconds("test_plain") < 3.9


def test_pictures_tools_and_names_are_recorded(recorded: Project, replayed: Run) -> None:
    """A picture is of its browser, a project's tool is called again, a webtask has its own steps."""
    [picture] = (recorded.root / "recordings" / "test_it" / "test_lamp").iterdir()
    assert "chromium" in picture.name
    assert (recorded.root / "stamps.txt").read_text().splitlines() == ["code", "code"]
    assert [s.get("webtask", "") for s in recorded.steps("test_two_pages")] == ["", "seller"]
