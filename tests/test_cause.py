"""The cause of a failure, in one word: real failures of literal, recorded and judged steps."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from pytest_webtask.errors import (
    MissingRecording,
    OutOfBudget,
    PageError,
    UnknownName,
    UsageError,
)
from pytest_webtask.journal import PhaseEnded, StepEnded
from pytest_webtask.run.cause import Failure, cause_of
from tests.inner import Run, project, with_locator

PAGE = """<h1>Orders</h1><label>Note <input id=note></label><button onclick="load()">Load</button>
<div id=list></div><p role=status id=out></p><script>
function load() { list.innerHTML = '<button onclick="send()">Send</button>' }
function send() { fetch('/order', { method: 'POST' }).then(() => out.textContent = 'Sent') }
</script>"""
FETCHED = "fetch('/order', { method: 'POST' }).then(() => out.textContent = 'Sent')"
RECORDED = {
    "moved": (PAGE.replace(">Load<", ">Load all<").replace("<button", "<button id=load"), "page-changed", ""),
    "gone": (PAGE.replace('<button onclick="load()">Load</button>', ""), "page-changed", "one like it"),
    "disabled": (PAGE.replace('<button onclick="load', '<button disabled onclick="load'), "page-changed", ""),
    "false": (PAGE.replace("'Sent'", "'Failed'"), "product", "the actions ran as recorded"),
    "idle": (PAGE.replace('load()"', '"'), "product", "without the recorded effect"),
    "thrown": (PAGE.replace("list.innerHTML", "null.x"), "product", "uncaught TypeError"),
    "served": (PAGE.replace(FETCHED, FETCHED.replace("/order", "/broken").replace("'Sent'", "''")), "product", ""),
    "hung": (PAGE.replace("list.innerHTML =", "fetch('/never').then(() => x); let x ="), "environment", "did not finish loading"),
    "cut": (PAGE, "test", "the recording cannot be read"),
}  # fmt: skip
"""Pages of recorded tasks as they are later, with the cause of the failure and a part of its grounds."""
LITERAL = {
    "claim": ("verify('\"2 orders\" is shown')", "product", "the claim was checked on the page"),
    "awaited": ('do(\'click "Load" and wait for "Delayed"\')', "product", "the awaited text"),
    "reset": ('do(\'fill "Lasting" with "a", click "Load"\')', "product", "all actions were done, and"),
    "nameless": ("do('click \"Save\"')", "page-changed", "no element that the sentence names"),
    "unread": ("extract('the text of \"Total\"')", "page-changed", "no element that the sentence names"),
    "foreign": ("do('go to \"http://127.0.0.2/\"')", "test", "is not an allowed origin"),
    "disabled": ("do('click \"Off\"')", "page-changed", "element is not enabled"),
    "twice": ("do('click \"Twin\"')", "test", "which element"),
    "unknown": ("do('fill \"Note\" with {unknown}')", "test", "a name that is not known"),
    "unwritten": ("do('send the order somehow')", "test", "no recording"),
    "closed": ("goto('http://127.0.0.1:9/')", "environment", "could not be loaded"),
}  # fmt: skip
"""Steps on one page, with the cause of the failure and a part of its grounds."""
LITERAL_PAGE = (
    PAGE
    + """<button>Twin</button><button>Twin</button><button disabled>Off</button>
<label>Lasting <input onblur="this.value = ''"></label>"""
)
PLAYS = f"""
**{{f"send the {{n}}": [
    act("click", "button:Load"), act("click", "button:Send"), done(text("status:Sent", "Sent"))]
   for n in {[*RECORDED]!r}}},
"""
TESTS = "".join(
    f"""
def test_{name}(webtask):
    webtask.goto("/{name}")
    webtask.do("send the {name}")
"""
    for name in RECORDED
)
LITERAL_TESTS = "".join(
    f"""
def test_{name}(webtask):
    webtask.goto("/literal")
    webtask.{step}
"""
    for name, (step, *_) in LITERAL.items()
)
OTHER_TESTS = """
def test_plain(webtask):
    webtask.goto("/literal")
    assert webtask.page.title() == "Shop"

def test_soft(webtask):
    webtask.goto("/literal")
    webtask.verify('"2 orders" is shown', soft=True)
    webtask.do('click "Save"')

def test_caught(webtask):
    webtask.goto("/literal")
    with pytest.raises(TaskFailed):
        webtask.do('click "Save"')
"""


@pytest.fixture(scope="module")
def replayed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    """A replay of one task on pages that have changed, and literal steps that fail."""
    tmp_path = tmp_path_factory.mktemp("causes")
    with project(tmp_path, PLAYS, TESTS) as inner:
        inner.site.pages.update({f"/{name}": PAGE for name in RECORDED})
        inner.site.pages |= {"/literal": LITERAL_PAGE, "/order": "", "/broken": ""}
        inner.site.statuses["/broken"] = 500
        inner.site.delays["/never"] = 20.0
        inner.passes()
        inner.site.pages.update({f"/{name}": page for name, (page, *_) in RECORDED.items()})
        inner.edit("test_cut", with_locator("Send("))
        head = "import pytest\nfrom pytest_webtask import TaskFailed\n"
        inner.write("test_it.py", head + TESTS + LITERAL_TESTS + OTHER_TESTS)
        yield inner.run("--webtask-mode=replay", "--webtask-screenshots=on")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "word", "grounds"),
    [(name, word, grounds) for name, (_, word, grounds) in {**RECORDED, **LITERAL}.items()],
)
def test_failure_has_its_cause_and_grounds(
    replayed: Run, name: str, word: str, grounds: str
) -> None:
    """The step, the phase of the test and its JUnit properties have the same cause."""
    [phase] = [e for e in replayed.events(PhaseEnded, f"test_{name}") if e.outcome == "failed"]
    assert phase.cause is not None, replayed.tests[f"test_{name}"].message
    assert (phase.cause.word, grounds in phase.cause.grounds) == (word, True), phase.cause
    assert replayed.events(StepEnded, f"test_{name}")[-1].cause == phase.cause
    properties = replayed.tests[f"test_{name}"].properties
    assert properties["webtask_cause"] == word
    assert properties["webtask_grounds"] == phase.cause.grounds


@pytest.mark.slow
def test_failures_outside_of_steps_have_no_cause(replayed: Run) -> None:
    """A plain assertion has no cause, and neither has a test that expected the error of a step."""
    for name in ("test_plain", "test_caught"):
        assert not [e for e in replayed.events(PhaseEnded, name) if e.cause]
        assert "webtask_cause" not in replayed.tests[name].properties
    assert replayed.events(StepEnded, "test_caught")[-1].cause is not None


@pytest.mark.slow
def test_first_of_several_failures_names_the_cause(replayed: Run) -> None:
    """A soft failure before the error that ended the test is its cause."""
    assert replayed.tests["test_soft"].properties["webtask_cause"] == "product"


@pytest.mark.slow
def test_summaries_and_report_show_the_same_causes(replayed: Run) -> None:
    """The terminal's summary, `report.json`, the summary in Markdown and the overview read one field."""
    assert replayed.folder is not None
    report = replayed.folder.parents[1] / "report"
    assert "\nproduct: test_it.py::test_claim" in replayed.printed
    tests = {t["id"]: t for t in json.loads((report / "report.json").read_text())["tests"]}
    [claim] = [t for name, t in tests.items() if "test_claim" in name]
    assert claim["cause"]["word"] == claim["attempts"][-1]["cause"]["word"] == "product"
    assert claim["attempts"][-1]["steps"][-1]["cause"] == claim["cause"]
    assert "| failed | **page-changed**: " in (report / "summary.md").read_text()
    overview = (report / "index.html").read_text()
    assert 'data-filter="cause" data-value="environment"' in overview
    assert 'data-cause="product"' in overview


@pytest.mark.parametrize(
    ("error", "word"),
    [
        (OutOfBudget("no tokens"), "environment"),
        (PageError("crashed"), "environment"),
        (MissingRecording("none"), "test"),
        (UnknownName("option", "x", ["y"]), "test"),
        (UsageError("impossible"), "test"),
        (AssertionError("1 == 2"), None),
    ],
)
def test_class_of_an_error_tells_its_cause(error: Exception, word: str | None) -> None:
    """An error that needs no look at the step has its cause, and one of another package has none."""
    cause = cause_of(error)
    assert (cause and cause.word) == word
    assert cause is None or cause.grounds


def test_error_of_the_application_explains_no_ambiguous_sentence() -> None:
    """A name that means two elements stays a matter of the test, whatever the server answers."""
    assert Failure("aborted", errors=["POST /x was answered with 500"]).cause.word == "test"
