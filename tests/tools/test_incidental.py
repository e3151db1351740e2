"""Evidence that the referee calls incidental: it is no condition of later runs."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from pytest_webtask import Webtask
from pytest_webtask.checks.base import CheckResult
from pytest_webtask.testing import find, shows
from tests.inner import project
from tests.scripted import Html, Scripted, call, done, on, rule

pytestmark = pytest.mark.usefixtures("looking")

PAGE = """<title>Shop</title><h1>Hello Ann</h1><p role=note>3 friends are online</p>
<p role=status id=s></p><button onclick="s.textContent = 'Saved'">Save</button>"""
GREETING, SAVED = shows("heading", "Hello Ann"), shows("status", "Saved")
FRIENDS = shows("note", "3 friends are online")
ABSENT = {"kind": "absent", "text": "Error"}


def ended(*evidence: dict[str, Any]) -> Any:
    """An answer that marks the task done."""
    return done("did it", *evidence)


def texts(evidence: Sequence[CheckResult]) -> list[str]:
    """What the facts of the evidence show."""
    return [each.fact.text for each in evidence if each.fact]


@pytest.mark.parametrize(
    ("evidence", "incidental", "kept"),
    [
        ((GREETING, SAVED, FRIENDS), (1, 3), ["Saved"]),
        ((GREETING, SAVED), (), ["Hello Ann", "Saved"]),
        # A referee that counts wrong drops nothing.
        ((SAVED,), (0, 2, 9), ["Saved"]),
        # What alone is new stays, or any run that does nothing would pass.
        ((GREETING, SAVED), (2,), ["Hello Ann", "Saved"]),
    ],
)
def test_incidental_evidence_is_left_out(
    webtask: Webtask, model: Scripted, html: Html, evidence: Any, incidental: Any, kept: list[str]
) -> None:
    """The result has the other evidence alone, and the ruling says what was left out."""
    html(PAGE)
    model.answers = [on("click", "button", "Save"), ended(*evidence)]
    model.scripts["referee"] = [rule(proves=True, incidental=incidental)]
    session = webtask.do("save it").session
    assert texts(session.evidence) == kept
    assert session.ruling is not None and session.ruling.incidental == incidental


def test_incidental_evidence_may_be_new(webtask: Webtask, model: Scripted, html: Html) -> None:
    """Whether it held before is unknown at another address, but all that is left did."""
    leave = "location.hash = 'saved'; s.outerHTML = '<b role=status>Saved</b>'; s.x"
    html(PAGE.replace("s.textContent", leave))
    model.answers = [on("click", "button", "Save"), ended(GREETING, SAVED)]
    model.scripts["referee"] = [rule(proves=True, incidental=(2,))]
    session = webtask.do("save it").session
    assert [each.held_before for each in session.evidence] == [True, None]


@pytest.mark.parametrize(
    ("evidence", "incidental"), [((GREETING, FRIENDS), (1, 2)), ((GREETING, ABSENT), (1,))]
)
def test_evidence_that_is_all_incidental_goes_back(
    webtask: Webtask, model: Scripted, html: Html, evidence: Any, incidental: Any
) -> None:
    """At least one check of something present must stay, so the model has to cite something else."""
    html(PAGE)
    model.answers = [on("click", "button", "Save"), ended(*evidence), ended(SAVED)]
    model.scripts["referee"] = [rule(proves=True, incidental=incidental), rule(proves=True)]
    session = webtask.do("save it").session
    refused = session.iterations[1].calls[0].error or ""
    assert "without the checks that the referee finds incidental, the rest is not enough" in refused
    assert texts(session.evidence) == ["Saved"]


def test_incidental_evidence_is_no_condition_of_a_replay(tmp_path: Path) -> None:
    """A replay passes whatever name is greeted, and the report says what was left out."""
    plays = """
        "save it": [
            act("click", "button:Save"),
            done(text("heading:Hello", "Hello Ann"), text("status:Saved", "Saved")),
        ],
        "task: save it": [rule(proves=True, incidental=[1])],
    """
    tests = 'def test_end(webtask):\n    webtask.goto("/")\n    webtask.do("save it")\n'
    with project(tmp_path, plays, tests) as inner:
        inner.site.pages["/"] = PAGE
        assert 'was kept without text of heading "Hello Ann", which' in inner.passes().printed
        report = tmp_path / ".webtask" / "report"
        [page] = json.loads((report / "report.json").read_text())["tests"]
        assert "Incidental, and not recorded: fact</span> 1" in (report / page["page"]).read_text()
        [step] = inner.steps("test_end")
        assert len(step["evidence"]) == 1
        inner.site.pages["/"] = PAGE.replace("Hello Ann", "Hello Bob")
        inner.replays()


def test_facts_of_a_checkpoint_are_never_incidental(
    webtask: Webtask, model: Scripted, html: Html
) -> None:
    """The facts of checkpoints are numbered after those of the end."""
    html(PAGE.replace("</button>", "</button><button onclick=\"s.textContent = 'Sent'\">Send"))
    confirm = call("confirm", note="it was saved", evidence=[GREETING, SAVED])
    save, send = on("click", "button", "Save"), on("click", "button", "Send")
    model.answers = [save, confirm, send, ended(shows("status", "Sent"))]
    model.scripts["referee"] = [rule(proves=True, incidental=(2,))]
    session = webtask.do("save and send it").session
    assert texts(session.evidence) == ["Sent"]
    [checkpoint] = [each for i in session.iterations for each in i.calls if each.evidence]
    assert texts(checkpoint.evidence) == ["Hello Ann", "Saved"]


def test_value_of_a_task_is_never_incidental(webtask: Webtask, model: Scripted, html: Html) -> None:
    """The facts of the value follow those of the end, and stay."""
    html(PAGE)
    read = [{"element_id": find("note", "3 friends"), "text": "3"}]
    output = call("set_output", output=3, read=read, counted=[])
    model.answers = [on("click", "button", "Save"), [output, ended(SAVED)]]
    model.scripts["referee"] = [rule(proves=True, incidental=(2,))]
    result = webtask.do("save it, and say how many friends are online", output=int)
    assert result.output == 3
    assert texts(result.session.evidence) == ["Saved"]
