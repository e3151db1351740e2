"""What replay does on pages that have changed: what it finds again, and what it never does."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from markupsafe import escape

from pytest_webtask.journal import HealProposed
from pytest_webtask.journal.schema import RecordedStep
from pytest_webtask.recordings.pending import PendingStep, proposals
from tests.inner import Project, Run, project, visits

SCRIPT = """<p role=status id=out></p><script>
function on(what) { fetch('/did-' + what); out.textContent = 'Did ' + what }
</script>"""


def button(what: str, name: str, more: str = "") -> str:
    """A button that tells the server and the page what it does."""
    return f"<button {more} onclick=\"on('{what}')\">{name}</button>"


def rows(*names: str) -> str:
    """A list of things, each with a button that deletes it."""
    items = (f"<li><h2>{n}</h2>{button(n, 'Delete')}</li>" for n in names)
    return f"<h1>List</h1><ul>{''.join(items)}</ul>{SCRIPT}"


def menu(*names: str) -> str:
    """A menu of what can be done with a user."""
    made = "".join(button(n.split()[0], n, "role=menuitem") for n in names)
    return f"<h1>Users</h1><div role=menu>{made}</div>{SCRIPT}"


FORM = "<h1>Form</h1><label>Name <input onfocus=\"fetch('/typed')\"></label>"
BEFORE = {
    "positional": rows("Milk", "Bread"),
    "twice": f"<h1>Form</h1>{button('twice', 'Save')}{SCRIPT}",
    "renamed": f"<h1>Form</h1>{button('save', 'Save', 'id=main')}{SCRIPT}",
    "retagged": f"<h1>Form</h1>{button('send', 'Send')}{SCRIPT}",
    "moved": f"<h1>Form</h1>{button('moved', '', 'id=go')}{SCRIPT}",
    "rest": f"{FORM}{button('rest', 'Save')}{SCRIPT}",
    "total": "<h1>Cart</h1><a href=/cart>Cart (2 items)</a>",
    "message": f"<h1>Form</h1>{button('message', 'Save')}{SCRIPT}",
    "menu": menu("Edit", "Suspend account"),
    "in_place": menu("Edit", "Suspend account"),
    "opposite": f"<h1>Form</h1>{button('follow', 'Follow')}{SCRIPT}",
    "denied": f"<h1>Form</h1>{button('agree', 'Agree')}{SCRIPT}",
    "both": f"<h1>Form</h1><p>A</p>{button('both', 'Save', 'id=save')}{SCRIPT}",
}
AFTER = {
    "positional": rows("Bread", "Milk"),
    "twice": f"<h1>Form</h1>{button('other', 'Save')}{button('twice', 'Save')}{SCRIPT}",
    "renamed": f"<h1>Form</h1>{button('save', 'Delete', 'id=main')}{SCRIPT}",
    "retagged": f"<h1>Form</h1><a href='#' onclick=\"on('send')\">Send</a>{SCRIPT}",
    "moved": f"<h1>Form</h1><div>{button('moved', '', 'id=start')}</div>{SCRIPT}",
    "rest": f"{FORM}{button('rest', 'Store')}{SCRIPT}",
    "total": "<h1>Cart</h1><a href=/cart>Cart (3 items)</a>",
    "message": f"<h1>Form</h1><button>Save</button>{SCRIPT}",
    # Beside another one, what has another name may be new, and that other one be the recorded one.
    "menu": menu("Edit", "Pause", "Suspend accounts"),
    "in_place": menu("Edit", "Suspend accounts"),
    "opposite": f"<h1>Form</h1>{button('unfollow', 'Unfollow')}{SCRIPT}",
    "denied": f"<h1>Form</h1>{button('disagree', 'Don&apos;t agree')}{SCRIPT}",
    "both": f"<h1>Form</h1><p>A</p>{button('both', 'Save')}<p>B</p>{button('alerts', 'Save', 'id=save')}{SCRIPT}",
}
DELETED = 'done(text("status:Did", "Did Milk"))'
PLAYS = f"""
"delete milk": [act("click", "button:Delete@Milk"), {DELETED}],
**{{f"save, {{n}}": [act("click", "button:Save"), done(text("status:Did", f"Did {{n}}"))]
   for n in ("twice", "message", "both")}},
"suspend the user": [act("click", "menuitem:Suspend"), done(text("status:Did", "Did Suspend"))],
"follow": [act("click", "button:Follow"), done(text("status:Did", "Did follow"))],
"agree": [act("click", "button:Agree"), done(text("status:Did", "Did agree"))],
"save, renamed": [act("click", "button:Save"), done(text("status:Did", "Did save"))],
"send it": [act("click", "button:Send"), done(text("status:Did", "Did send"))],
"go": [act("click", "button:"), done(text("status:Did", "Did moved"))],
"enter Ann and save": [[act("fill", "textbox:Name", text="Ann"), act("click", "button:Save")],
    done(text("status:Did", "Did rest"))],
"cart shows 2 items": [holds(text("link:Cart", "2 items"))],
"a heading says Form": [holds(text("heading:Form", "Form"))],
"""
LATER = """
from tests.inner import act, done
PLAYS = {
    "enter Ann and save": [act("click", "button:Store"), done(text("status:Did", "Did rest"))],
}
"""
TASKS = {
    **{n: f"save, {n}" for n in ("twice", "renamed", "message", "both")},
    "positional": "delete milk",
    "menu": "suspend the user",
    "in_place": "suspend the user",
    "opposite": "follow",
    "denied": "agree",
    "retagged": "send it",
    "moved": "go",
}
TESTS = visits(
    {
        **{name: f"do('{task}')" for name, task in TASKS.items()},
        "rest": 'do("enter Ann and save")\n    webtask.verify("a heading says Form")',
        "total": 'verify("cart shows 2 items")',
    }
)
ACTED_UPON = {
    "twice": "/did-other", "renamed": "/did-save",
    "retagged": "/did-send", "opposite": "/did-unfollow",
    "denied": "/did-disagree", "both": "/did-alerts",
}  # fmt: skip
"""The request that the server gets if a click went to an element that is not the one of the recording."""
BUGS = [*ACTED_UPON, "menu", "message", "total"]
RUNS = ["off", "passing", "auto"]


@dataclass
class Drifted:
    """Runs on the pages as they became: heals off, passing, and with a model."""

    project: Project
    off: Run
    passing: Run
    auto: Run
    files: dict[str, tuple[str, int]]

    def case(self, run: str, name: str) -> Any:
        """How a test ended in a run."""
        return getattr(self, run).tests[f"test_{name}"]


@pytest.fixture(scope="module")
def drifted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Drifted]:
    """A project that was recorded, before its pages changed."""
    with project(tmp_path_factory.mktemp("drift"), PLAYS, TESTS) as inner_project:
        inner_project.site.pages.update({f"/{name}": page for name, page in BEFORE.items()})
        inner_project.passes()
        inner_project.edit(
            "test_positional",
            lambda steps: steps[0]["calls"][0]["targets"]["element_id"].update(
                locators=['get_by_role("button").nth(0)']
            ),
        )
        files = inner_project.files()
        inner_project.site.pages.update({f"/{name}": page for name, page in AFTER.items()})
        off = inner_project.run("--webtask-mode=replay")
        passing = inner_project.run("--webtask-mode=replay", "--webtask-heal=pass")
        inner_project.write("plays.py", f"from tests.inner import text\n{LATER}")
        auto = inner_project.run("--webtask-mode=auto")
        yield Drifted(inner_project, off, passing, auto, files)


@pytest.mark.parametrize("run", RUNS)
def test_bugs_fail_and_no_other_element_is_acted_upon(drifted: Drifted, run: str) -> None:
    """Every bug fails, the server gets no click of another element, and a wrong locator finds no other row."""
    assert not {name for name in BUGS if drifted.case(run, name).outcome != "failed"}
    requests = " ".join(getattr(drifted, run).requests)
    assert not [name for name, wrong in ACTED_UPON.items() if wrong in requests]
    assert drifted.case(run, "positional").outcome == "passed"
    assert "/did-Bread" not in requests


def test_model_is_asked_only_where_nothing_else_helps(drifted: Drifted) -> None:
    """Not after a dead button, where one element is clearly alike, nor for a claim after its own step."""
    alike = {"go", "delete milk"}
    assert not {*drifted.auto.tasks} & {"save, message", "a heading says Form", *alike}


def test_drift_with_heals_off_fails_and_is_proposed(drifted: Drifted) -> None:
    """The error shows the old and the new locator and the command to accept."""
    case = drifted.case("off", "moved")
    assert case.outcome == "failed"
    [step] = drifted.project.steps("test_moved")
    old = step["calls"][0]["targets"]["element_id"]["locators"][0]
    assert f"- {old}" in case.message and "  + " in case.message
    assert "pytest-webtask accept" in case.message
    assert "no element matches (after" in case.message
    [proposal] = drifted.off.events(HealProposed, "test_moved")
    assert proposal.heals[0].old == old


@pytest.mark.parametrize("run", ["passing", "auto"])
@pytest.mark.parametrize("name", ["moved", "in_place"])
def test_passing_heals_are_marked(drifted: Drifted, run: str, name: str) -> None:
    """Healed tests pass, and summary, journal and JUnit properties name the old and new locator."""
    case = drifted.case(run, name)
    assert case.outcome == "passed", case.message
    assert " -> " in case.properties["webtask_heal"]
    ran: Run = getattr(drifted, run)
    [proposal] = ran.events(HealProposed, f"test_{name}[")
    [heal] = proposal.heals
    assert heal.old != heal.new
    assert f"  - {heal.old}" in ran.printed and f"  + {heal.new}" in ran.printed
    assert "pytest-webtask accept" in ran.printed


def test_remaining_calls_are_handed_to_the_model(drifted: Drifted) -> None:
    """The model gets the calls that were done and the missing element; no call is repeated."""
    run = drifted.auto
    assert run.outcomes["test_rest"] == "passed", drifted.case("auto", "rest").message
    asked = [each for each in run.asked if each["task"] == "enter Ann and save"]
    assert asked[0]["before"] == ["fill "]
    notices = " ".join(asked[0]["notices"])
    assert "1 of its 2 calls" in notices and 'name="Save"' in notices
    assert run.requests.count("GET /typed") == 1
    assert run.requests.count("GET /did-rest") == 1


def _proposed(drifted: Drifted, test: str) -> PendingStep:
    """What the newest run proposes for a test."""
    [step] = proposals(drifted.project.root, test=test).values()
    return step


def test_work_of_a_model_is_proposed(drifted: Drifted) -> None:
    """The proposal has the valid prefix, the new call, and all of the old evidence."""
    trace = _proposed(drifted, "test_rest").step
    assert [call.tool for call in trace.calls] == ["fill", "click"]
    assert "Store" in trace.calls[1].targets["element_id"].locator
    checks = [(each.check.kind, each.check.describe()) for each in trace.evidence]
    assert checks == [("text", 'exactly "Did rest"')]
    recorded, *_ = drifted.project.steps("test_rest")
    assert _proposed(drifted, "test_rest").previous == RecordedStep.model_validate(recorded)
    assert "healed: do('enter Ann and save')" in drifted.auto.printed


def test_work_of_a_model_is_proposed_in_words(drifted: Drifted) -> None:
    """Terminal, `accept` and report say which calls and evidence a model changed."""
    [event] = drifted.auto.events(HealProposed, "test_rest")
    changes = ['- click button "Save"', '+ click button "Store"', "the same evidence"]
    assert list(event.changes) == changes
    assert all(f"    {line}\n" in drifted.auto.printed for line in changes)
    folder = drifted.project.root
    assert _proposed(drifted, "test_rest").changes[-3:] == tuple(changes)
    [page] = (folder / ".webtask/report/tests").glob("test-rest*.html")
    assert all(escape(line) in page.read_text() for line in changes)


def test_replay_calls_no_model_and_heals_change_no_recording(drifted: Drifted) -> None:
    """In replay mode no model is called, whether heals may pass or not; files wait for `accept`."""
    assert not drifted.off.asked and not drifted.passing.asked
    for run in ("off", "passing"):
        assert drifted.case(run, "rest").outcome == "failed"
    assert drifted.project.files() == drifted.files
