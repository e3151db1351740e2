"""The cause of a failure, in one word: real failures of literal, recorded and judged steps."""

import json
import re
from collections.abc import Iterator

import pytest

from pytest_webtask.errors import OutOfBudget, UsageError
from pytest_webtask.journal import PhaseEnded, StepEnded
from pytest_webtask.run.cause import Failure, cause_of
from tests.inner import Run, project, visits

DONE = 'done(text("status:", "Done"))'
FORM = """<h1>Orders</h1><label>Note <input id=note></label><button onclick="%s">Save</button><p role=status id=out></p>
<div id=list></div>"""
DRAWN = "list.innerHTML = '<button onclick=&quot;out.textContent = 1&quot;>Send</button>'"
CLEARED = """act("fill", "textbox:Note", text="milk"), act("click", "button:Save"),
    done({"kind": "value", "element_id": "textbox:Note", "value": ""})"""
ASKED = f"""act("click", "button:Save", dialog="accept"), {DONE}"""
RENAMED = "note.parentNode.firstChild.data = 'Notes '"
BUG = "this may be a bug; if the page is right, record it again: "
KINDS = {
    "asked": (ASKED, "confirm('Save it?'); out.textContent = 'Done'", "confirm('Delete it?'); out.textContent = 'Done'",
              "product", 'is for another dialog: confirm "Save it?"', BUG),
    "unasked": (ASKED, "alert('Saved'); out.textContent = 'Done'", "alert('Not saved'); out.textContent = 'Done'",
                "product", 'alert "Saved" did not appear within 1.5 s, but alert "Not saved" did', BUG),
    "uncleared": (CLEARED, "note.value = ''", RENAMED, "product", "the actions ran as recorded", BUG),
    "renamed": (CLEARED, "note.value = ''", f"note.value = ''; {RENAMED}", "page-changed", "found at another place",
                "if that is the same element, accept it: "),
    "undrawn": ('act("click", "button:Save"), act("click", "button:Send"), done(text("status:", "1"))', DRAWN,
                "list.textContent = 'Nothing'", "product", "nothing like it came", BUG),
    "copied": (f'act("click", "button:Save"), {DONE}', "out.textContent = 'Done'",
               "out.remove(); list.innerHTML = '<b>Done</b> <i>Done</i>'", "page-changed", "elements fit",
               "if the page is right, record it again: "),
    "served": (f'act("click", "button:Save"), {DONE}', "out.textContent = 'Done'",
               "fetch('/broken').then(() => out.textContent = 'Failed')", "product", "/broken was answered with 500", BUG),
    "removed": (f'act("click", "button:Save"), {DONE}', "out.textContent = 'Done'", "document.body.textContent = 'Bye'",
                "product", "nothing on the page shows", BUG),
}  # fmt: skip
"""Tasks, with what "Save" did and does, the cause, a part of its grounds and the beginning of the last line."""
LITERAL = {
    "claim": ("verify('\"2 orders\" is shown')", "product", "the claim was checked on the page"),
    "awaited": ('do(\'click "Load" and wait for "Delayed"\')', "product", "the effect did not come: wait"),
    "full": ('do(\'fill "Full" with "a", clear "Full"\')', "product", "holds 'x', not ''"),
    "unchecked": ("do('check \"Agree\"')", "product", "is not checked now"),
    "unannounced": ("do('click \"Load\" and accept the dialog')", "product", "the announced dialog did not appear"),
    "reset": ('do(\'fill "Lasting" with "a", click "Load"\')', "product", "at the end of the step"),
    "nameless": ("do('click \"Save\"')", "page-changed", "no element that the sentence names"),
    "foreign": ("do('go to \"http://127.0.0.2/\"')", "test", "is not an allowed origin"),
    "disabled": ("do('click \"Off\"')", "page-changed", "element is not enabled"),
    "twice": ("do('click \"Twin\"')", "test", "which element"),
    "unknown": ("do('fill \"Note\" with {unknown}')", "test", "a name that is not known"),
    "unwritten": ("do('send the order somehow')", "test", "no recording"),
    "closed": ("goto('http://127.0.0.1:9/')", "environment", "could not be loaded"),
}  # fmt: skip
"""Steps on one page, with the cause of the failure and a part of its grounds."""
LITERAL_PAGE = """<h1>Orders</h1><label>Note <input></label><button onclick="out.textContent = 'Ready'">Load</button>
<button>Twin</button><button>Twin</button><button disabled>Off</button><p role=status id=out></p>
<label>Lasting <input onblur="this.value = ''"></label><label>Full <input oninput="this.value = this.value || 'x'"></label>
<label><input type=checkbox onclick="return false"> Agree</label>"""
PLAYS = "".join(f'"send the {name}": [{calls}],\n' for name, (calls, *_) in KINDS.items())
TESTS = visits({name: f'do("send the {name}")' for name in KINDS})
LITERAL_TESTS = visits({name: step for name, (step, *_) in LITERAL.items()}, at="/literal")
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
    """A replay of tasks on pages that have changed, and literal steps that fail."""
    tmp_path = tmp_path_factory.mktemp("causes")
    with project(tmp_path, PLAYS, TESTS) as inner:
        inner.site.pages |= {"/literal": LITERAL_PAGE, "/broken": ""}
        inner.site.pages |= {f"/{name}": FORM % kind[1] for name, kind in KINDS.items()}
        inner.site.statuses["/broken"] = 500
        inner.passes()
        inner.site.pages |= {f"/{name}": FORM % kind[2] for name, kind in KINDS.items()}
        head = "import pytest\nfrom pytest_webtask import TaskFailed\n"
        inner.write("test_it.py", head + TESTS + LITERAL_TESTS + OTHER_TESTS)
        yield inner.run("--webtask-mode=replay")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "word", "grounds"),
    [
        *((name, *cause) for name, (_, *cause) in LITERAL.items()),
        *((name, *cause) for name, (_, _, _, *cause, _) in KINDS.items()),
    ],
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
@pytest.mark.parametrize("name", KINDS)
def test_last_line_fits_the_cause(replayed: Run, name: str) -> None:
    """Only what holds in another place can be accepted; what does not hold is called a possible bug."""
    *_, last = re.findall("^E +(.+)", replayed.tests[f"test_{name}"].message, re.MULTILINE)
    assert last.startswith(KINDS[name][-1])


@pytest.mark.slow
def test_failures_outside_of_steps_have_no_cause(replayed: Run) -> None:
    """A plain assertion has none, nor has an expected error of a step; a soft failure counts before the last error."""
    for name in ("test_plain", "test_caught"):
        assert not [e for e in replayed.events(PhaseEnded, name) if e.cause]
        assert "webtask_cause" not in replayed.tests[name].properties
    assert replayed.events(StepEnded, "test_caught")[-1].cause is not None
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
