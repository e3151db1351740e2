"""Steps that pass although the application failed meanwhile: noted, failed or ignored."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from pytest_webtask.journal import PageEvent
from tests.inner import Project, Run, project

pytestmark = pytest.mark.slow

TOAST = """<button onclick="fetch('%s', { method: 'POST', mode: 'no-cors' }).finally(
() => { out.textContent = 'We are on it' })">Send</button><p role=status id=out></p>"""
TOASTS = "".join(
    f"""
def test_{name}(webtask):
    webtask.goto("/{name}")
    webtask.do('click "Send" and wait for "We are on it"')
    webtask.verify('"We are on it" is shown')
"""
    for name in ("served", "missing", "foreign", "secret")
)
TESTS = """
def test_thrown(webtask):
    webtask.goto("/thrown")
    webtask.do('click "Send"')

def test_loud(webtask):
    webtask.goto("/loud")
    webtask.goto("/loud?again")

def test_ad(webtask):
    webtask.goto("/ad")
    webtask.do('click "Go"')

def test_late(webtask):
    webtask.goto("/late")
    webtask.do('click "Go"')
    webtask.page.wait_for_timeout(900)
    webtask.do('click "Other"')

def test_popup(webtask):
    webtask.goto("/popup")
    webtask.do('click "Go"')

def test_false(webtask):
    webtask.goto("/served")
    webtask.do('click "Send"')
    webtask.verify('"Sent" is shown')
"""
CONFTEST = """
@pytest.fixture
def webtask_data():
    return {"code": Secret("hunter2-secret")}
"""


@pytest.fixture(scope="module")
def inner(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Project]:
    """Tests of a site whose server fails behind a friendly message."""
    with project(tmp_path_factory.mktemp("failing"), "", TOASTS + TESTS, CONFTEST) as inner:
        site = inner.site
        site.pages |= {
            "/served": TOAST % "/broken",
            "/missing": TOAST % "/nothing",
            "/foreign": TOAST % f"{site.foreign_url}/broken",
            "/secret": TOAST % "/broken?code=hunter2-secret",
            "/thrown": "<button onclick='null.x'>Send</button>",
            "/ad": "<button onclick=\"document.body.append(Object.assign(document.createElement('iframe'),"
            f" {{ src: '{site.foreign_url}/loud' }}))\">Go</button>",
            "/late": "<button onclick=\"setTimeout(() => { fetch('/broken'); null.x }, 700)\">Go</button>"
            "<button>Other</button>",
            "/popup": "<button onclick=\"fetch('/broken').then(() => open('/loud'))\">Go</button>",
            "/loud": "<script>throw new Error('widget')</script><h1>Loud</h1>",
        }
        site.statuses["/broken"] = 503
        yield inner


@pytest.fixture(scope="module")
def noted(inner: Project) -> Run:
    """A run with the default."""
    return inner.run("--webtask-screenshots=on")


def failures(run: Run, test: str) -> list[str]:
    """How the application failed in a test, as the journal has it."""
    return [e.event.text for e in run.events(PageEvent, test) if e.event.fails]


def test_request_answered_5xx_is_noted_once_with_its_step(noted: Run) -> None:
    """The summary names the step that sent the request, and no later one."""
    assert noted.outcomes["test_served"] == "passed"
    [text] = failures(noted, "test_served")
    assert text.startswith("POST http://127.0.0.1:") and text.endswith("answered with 503")
    [line] = [x for x in noted.printed.splitlines() if "test_served" in x and "but the" in x]
    assert 'do(\'click "Send" and' in line and "passed, but the application failed: POST" in line


def test_uncaught_error_is_noted_unless_it_came_before(noted: Run) -> None:
    """An error of an action counts, and one that is thrown at each load only the first time."""
    [thrown], [loud] = failures(noted, "test_thrown"), failures(noted, "test_loud")
    assert thrown.startswith("uncaught TypeError") and loud == "uncaught Error: widget"


def test_what_fails_after_a_step_or_before_a_popup_is_noted(noted: Run) -> None:
    """It is noted with the step that begins next, and a new page hides nothing."""
    assert len(failures(noted, "test_late")) == 2
    assert failures(noted, "test_popup")[0].endswith("/broken was answered with 503")


@pytest.mark.parametrize("test", ["test_missing", "test_foreign", "test_ad"])
def test_refusals_and_other_hosts_are_not_noted(noted: Run, test: str) -> None:
    """A status of 4xx is an answer, and the server of somebody else is not the application."""
    assert failures(noted, test) == []


def test_secret_in_the_address_is_masked(noted: Run) -> None:
    """An address is shown without its query, which may have more secrets than are declared."""
    [text] = failures(noted, "test_secret")
    assert text.endswith("/broken was answered with 503")
    assert "hunter2" not in noted.printed


def test_error_of_the_application_explains_a_failed_claim(noted: Run) -> None:
    """The cause of a later step in which something is missing is what the server answered."""
    properties = noted.tests["test_false"].properties
    assert properties["webtask_cause"] == "product"
    assert "answered with 503" in properties["webtask_grounds"]


def test_report_marks_steps_and_tests_that_passed(noted: Run) -> None:
    """The test's page lists the failures, `summary.md` the test."""
    assert noted.folder is not None
    report = noted.folder.parents[1] / "report"
    tests = json.loads((report / "report.json").read_text())["tests"]
    [served] = [each for each in tests if "test_served" in each["id"]]
    assert served["with_page_errors"] == 1
    page = (report / Path(served["page"])).read_text()
    assert "It passed, but the application failed meanwhile:" in page
    summary = (report / "summary.md").read_text()
    _, _, listed = summary.partition("Passed, but the application failed meanwhile")
    assert "test_served" in listed and "test_missing" not in listed


def test_step_fails_where_the_option_says_so(inner: Project) -> None:
    """The error names the step and each failure, and its cause is the product."""
    run = inner.run("--webtask-page-errors=fail", "-k", "served or missing")
    assert run.outcomes == {"test_served": "failed", "test_missing": "passed"}
    message = run.tests["test_served"].message
    assert "ApplicationError: do('click" in message
    assert re.search(r"the application failed meanwhile:\nE +POST http", message)
    assert run.tests["test_served"].properties["webtask_cause"] == "product"


def test_failures_are_ignored_where_the_option_says_so(inner: Project) -> None:
    """Nothing is marked, and what the server answered is no cause of a failure."""
    run = inner.run("--webtask-page-errors=ignore", "-k", "served or thrown or false")
    assert run.outcomes["test_served"] == run.outcomes["test_thrown"] == "passed"
    assert failures(run, "test_served") == [] and "but the application" not in run.printed
    assert "answered" not in run.tests["test_false"].properties["webtask_grounds"]
