"""A report at the end of each run, and what other reports get of it."""

import json
import os
import signal
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree

import jsonschema
import pytest

from pytest_webtask.cli import main
from scripts.schemas import report_schema
from tests import nested
from tests.inner import CONFTEST
from tests.nested import printed

SHOWS = "<h1>Cart</h1><p role=status>1 item</p><button>Pay</button>"

TESTS = f"""
import pytest
from tests.scripted import call, cited

@pytest.fixture(autouse=True)
def shown(webtask):
    webtask.page.set_content({SHOWS!r})

def no(turn, text="1 item", reason="as shown"):
    check = {{"kind": "text", "element_id": cited(turn, "status:"), "text": text}}
    return call("report_verdict", outcome="does_not_hold", reason=reason, evidence=[check])

def test_good(webtask):
    webtask.do('click "Pay"')

def test_bad(webtask, model):
    model.answers = [no]
    webtask.verify("the cart shows 2 items", timeout=0)
"""
MORE = """
def test_told(webtask, model):
    webtask.page.set_content(
        "<title>correct-horse-9</title><label>Code <input></label>"
        "<p role=status>correct-horse-9</p><script>console.error('correct-horse-9')</script>"
    )
    webtask.do('fill "Code" with "{password}"')
    model.answers = [lambda t: no(t, "{password}", "correct-horse-9")]
    webtask.verify("the page says no", timeout=0), "correct-horse-9"

def test_cut(webtask, model):
    webtask.page.set_content(
        "<p role=status>hello</p><script>const cut = String.fromCharCode(0xD83D);"
        "document.title = cut; console.error(cut); document.querySelector('p').append(cut)</script>"
    )
    model.answers = [lambda t: no(t, "hello")]
    webtask.verify("the page says bye", timeout=0)

FAULTY = "<p role=status>1 item</p><script>fetch('/api'); console.error('it went wrong')</script>"

def answer(route):
    status = 500 if route.request.url.endswith("/api") else 200
    route.fulfill(status=status, body=FAULTY, content_type="text/html")

def test_faulty(webtask, model):
    webtask.page.route("http://shop.test/*", answer)
    with webtask.page.expect_event("requestfinished", lambda r: r.url.endswith("/api")):
        webtask.goto("http://shop.test/")
    model.answers = [no]
    webtask.verify("the cart shows 2 items", timeout=0)

def test_part(webtask, subtests):
    with subtests.test("one"):
        webtask.verify('"Goodbye" is shown', timeout=0)
"""
OTHER = """
import pytest

@pytest.fixture
def broken():
    raise ValueError("no database")

def test_never_there(broken, webtask):
    pass

def test_plain():
    assert 1 == 2, "correct-horse-9"

def test_fine():
    pass
"""
DATA = """
@pytest.fixture
def webtask_data():
    from pytest_webtask import Secret

    return {"password": Secret("correct-horse-9")}
"""


def report(folder: Path) -> dict[str, Any]:
    """The report as programs read it."""
    content: dict[str, Any] = json.loads((folder / "report.json").read_text())
    return content


class Ran(NamedTuple):
    """A run with all that it has left."""

    root: Path
    printed: str
    folder: Path
    content: dict[str, Any]
    tests: dict[str, dict[str, Any]]


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> Ran:
    """One run for all that other reports and a report itself say of tests that end in each way."""
    root = tmp_path_factory.mktemp("ran")
    files = {"conftest.py": CONFTEST + DATA, "test_it.py": TESTS + MORE, "test_other.py": OTHER}
    for name, text in {**files, "summary.md": "before\n"}.items():
        (root / name).write_text(text)
    others = ["--junitxml=junit.xml", "--html=out/all.html", "--alluredir=allure"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GITHUB_STEP_SUMMARY", str(root / "summary.md"))
        result = nested.run(root, *others, "--tracing=on", "--output=made")
    folder = root / ".webtask" / "report"
    content = report(folder)
    named = {test["id"].partition("::")[2].partition("[")[0]: test for test in content["tests"]}
    return Ran(root, printed(result), folder, content, named)


@pytest.fixture
def project(pytester: pytest.Pytester) -> pytest.Pytester:
    """A project of a test that passes and one that fails, unless a test writes others."""
    pytester.makeconftest(CONFTEST)
    pytester.makepyfile(TESTS)
    return pytester


def test_run_ends_with_a_report(ran: Ran) -> None:
    """HTML, JSON, Markdown and pictures agree, and the terminal names the report."""
    assert "report: .webtask/report/index.html" in ran.printed
    assert ran.content["version"] == 2
    jsonschema.validate(ran.content, report_schema())
    assert {name: test["outcome"] for name, test in ran.tests.items()} == {
        "test_good": "passed",
        "test_never_there": "error",
        **{f"test_{name}": "failed" for name in "bad told cut faulty part plain".split()},
    }
    good, bad = ran.tests["test_good"], ran.tests["test_bad"]
    assert (good["decided"], bad["decided"]) == ({"literal": 1}, {"model": 1})
    assert all((ran.folder / test["page"]).is_file() for test in ran.tests.values())
    step = bad["attempts"][0]["steps"][0]
    assert (ran.folder / step["last"]["screenshot"]).read_bytes()[:2] == b"\xff\xd8"
    assert [each["role"] for each in step["iterations"]] == ["verifier", "referee"]
    assert step["evidence"][0]["fact"]["text"] == "1 item"
    assert step["ruling"]["proves"] and step["ruling"]["by"] == "Scripted"
    assert step["usage"]["model_calls"] == bad["usage"]["model_calls"] == 2
    assert "model calls" in ran.printed
    summary = (ran.folder / "summary.md").read_text()
    assert "failed: verify the cart shows 2 items – as shown" in summary


def test_junit_has_the_figures_of_each_test(ran: Ran) -> None:
    """Steps, calls of models and cost are properties of the test cases."""
    properties = {
        str(case.get("name")).partition("[")[0]: {
            p.get("name"): p.get("value") for p in case.iter("property")
        }
        for case in ElementTree.parse(ran.root / "junit.xml").iter("testcase")
    }
    assert properties["test_good"]["webtask_steps"] == "1"
    assert properties["test_good"]["webtask_model_calls"] == "0"
    assert properties["test_bad"]["webtask_model_calls"] == "2"
    assert {f"webtask_{n}" for n in ("tokens", "cost", "healed")} <= properties["test_bad"].keys()


def test_failure_without_a_webtask_is_reported(ran: Ran) -> None:
    """Failures of fixtures and of tests that use no webtask are in the report."""
    assert "no database" in ran.tests["test_never_there"]["wrong"]
    phases = ran.tests["test_plain"]["attempts"][0]["phases"]
    assert "assert 1 == 2" in phases["call"]["errors"]


def test_errors_of_the_page_are_reported(ran: Ran) -> None:
    """Console errors and failed requests are listed with the test that failed."""
    written = json.dumps(ran.tests["test_faulty"])
    assert "it went wrong" in written and "http://shop.test/api was answered with 500" in written


def test_report_holds_no_secret(ran: Ran) -> None:
    """No text of a page, of pytest's quotation of the source or of another test shows a secret."""
    files = [f for f in ran.folder.rglob("*") if f.suffix in (".html", ".json", ".md")]
    assert len(files) >= 3
    assert [file.name for file in files if "correct-horse-9" in file.read_text()] == []


def test_other_reports_have_the_run(ran: Ran) -> None:
    """Allure has picture and reason of a failure, pytest-html a link, GitHub's file the summary."""
    assert {".jpg", ".txt"} <= {file.suffix for file in (ran.root / "allure").iterdir()}
    html = (ran.root / "out" / "all.html").read_text()
    assert f"../.webtask/report/{ran.tests['test_bad']['page']}" in html
    summary = (ran.root / "summary.md").read_text()
    assert summary.startswith("before\n### webtask: 1 error, 6 failed, 1 passed")
    assert "the cart shows 2 items" in summary


def test_trace_of_playwright_has_steps_and_is_linked(ran: Ran) -> None:
    """The trace groups actions under the sentence of their step; its link is a relative path."""
    phases = ran.tests["test_good"]["attempts"][0]["phases"].values()
    (artifact,) = (file for phase in phases for file in phase["artifacts"])
    assert artifact["kind"] == "trace"
    with zipfile.ZipFile(os.path.normpath(ran.folder / artifact["path"])) as archive:
        traces = [archive.read(n).decode() for n in archive.namelist() if n.endswith(".trace")]
    assert 'do: click \\"Pay\\"' in "".join(traces)


def test_report_off_writes_and_loads_nothing(project: pytest.Pytester) -> None:
    """`--webtask-report=off` writes no report and loads no template engine."""
    project.makeconftest(
        CONFTEST
        + "\ndef pytest_unconfigure():\n    import sys\n    print('LOADED', 'jinja2' in sys.modules)\n"
    )
    project.makepyfile(TESTS)
    # pytest-html has templates of its own.
    result = project.runpytest_subprocess(
        "--webtask-report=off", "-p", "no:html", "-s", "-k", "good"
    )
    assert "LOADED False" in printed(result)
    assert not (project.path / ".webtask" / "report").exists()


def test_report_replaces_only_a_report(project: pytest.Pytester) -> None:
    """A folder that holds other files is kept, and the run says that it has no report."""
    mine = project.mkdir("mine")
    (mine / "report.json").write_text('{"of": "another tool"}')
    (mine / "tests").mkdir()
    (mine / "tests" / "thesis.txt").write_text("all of it")
    result = project.runpytest("--webtask-report=mine", "-k", "good")
    result.assert_outcomes(passed=1, deselected=1)
    assert "the report of this run could not be written" in printed(
        result
    ) and "contains no report" in printed(result)
    assert (mine / "tests" / "thesis.txt").read_text() == "all of it"
    assert sorted(each.name for each in mine.iterdir()) == ["report.json", "tests"]
    for _ in range(2):
        project.runpytest("--webtask-report=made", "-k", "good")
    assert len(report(project.path / "made")["tests"]) == 1


def test_inline_report_has_all_pictures_in_it(project: pytest.Pytester) -> None:
    """`--webtask-report-inline` writes no pictures and pages beside the file, which others link."""
    project.runpytest("--webtask-report-inline=on", "--html=out/all.html")
    folder = project.path / ".webtask" / "report"
    assert "data:image/jpeg;base64," in (folder / "index.html").read_text()
    assert not (folder / "pictures").exists() and not (folder / "tests").exists()
    link = f"../.webtask/report/{report(folder)['tests'][1]['page']}"
    assert link in (project.path / "out" / "all.html").read_text()


def test_keep_option_limits_the_runs(project: pytest.Pytester) -> None:
    """`webtask_keep` limits the number of run folders, with the current one included."""
    runs = project.path / ".webtask" / "runs"
    for name in (f"{day}-000000-1" for day in (20200101, 20200102, 20200103, 99991231)):
        (runs / name).mkdir(parents=True)
        (runs / name / "main.jsonl").touch()
    (runs / "99991231-000000-1").rename(late := project.path / "late")
    project.runpytest("-o", "webtask_keep=2", "-k", "good")
    kept = sorted(each.name for each in runs.iterdir())
    assert kept[0] == "20200103-000000-1" and len(kept) == 2
    # A clock may have been wrong once.
    late.rename(runs / "99991231-000000-1")
    result = project.runpytest("-o", "webtask_keep=1", "-k", "good")
    assert "1 step (1 completed)" in printed(result)
    (kept_run,) = runs.iterdir()
    assert list(kept_run.glob("*.jsonl"))


@pytest.mark.long
def test_xdist_workers_make_one_report(project: pytest.Pytester) -> None:
    """Each test is in the report once, whichever worker ran it."""
    result = project.runpytest_subprocess("-n", "2")
    result.assert_outcomes(passed=1, failed=1)
    content = report(project.path / ".webtask" / "report")
    assert content["outcomes"] == {"passed": 1, "failed": 1}


@pytest.mark.long
def test_killed_run_is_reported(
    project: pytest.Pytester, capsys: pytest.CaptureFixture[str]
) -> None:
    """`pytest-webtask report` reports the newest run, with the tests that never ended and their last step."""
    project.makepyfile(
        TESTS
        + """
def test_killed(webtask, model):
    import os, signal
    model.answers = [lambda t: os.kill(os.getpid(), signal.SIGKILL)]
    webtask.do("pay for all of it")
"""
    )
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "test_killed_run_is_reported.py"],
        cwd=project.path,
        capture_output=True,
        text=True,
    )  # fmt: skip
    assert done.returncode == -signal.SIGKILL, done.stdout
    (run,) = (project.path / ".webtask" / "runs").iterdir()
    # It is newer than a run that has only begun.
    (run.parent / "20200101-000000-000-1").mkdir()
    (run.parent / "20200101-000000-000-1" / "main.jsonl").touch()
    assert main(["report", "--output", str(project.path / "made")]) == 0
    assert "never ended, because its process was killed: " in capsys.readouterr().out
    content = report(project.path / "made")
    assert content["outcomes"] == {"passed": 1, "failed": 1, "never ended": 1}
    killed = content["tests"][-1]
    assert killed["wrong"] == "never ended: the process was killed in step 1"
    assert "never ended" in (project.path / "made" / killed["page"]).read_text()


def test_report_of_another_folder_is_an_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The error names the folder of the runs; without any run it says how to make one."""
    assert main(["report", str(tmp_path)]) == 2
    assert ".webtask/runs" in capsys.readouterr().err
    monkeypatch.chdir(tmp_path)
    assert main(["report"]) == 2
    assert "run the tests first: pytest" in capsys.readouterr().err


def test_caught_failure_is_ignored_in_any_traceback_style(project: pytest.Pytester) -> None:
    """A caught failure is not named as the reason, even with `--tb=native`."""
    project.makepyfile(
        TESTS
        + """
def test_caught(webtask, model):
    model.answers = [no, no]
    with pytest.raises(AssertionError):
        webtask.verify("the cart shows 2 items", timeout=0)
    assert webtask.holds("the cart has 2 items", timeout=0)
"""
    )
    project.runpytest("--tb=native", "-k", "caught")
    test = report(project.path / ".webtask" / "report")["tests"][-1]
    assert test["wrong"].startswith("step 2, no: holds the cart has 2 items")


def test_run_without_a_step_names_its_report(project: pytest.Pytester) -> None:
    """A test that failed before any step has a report."""
    project.makepyfile("def test_it(webtask):\n    assert not webtask")
    result = project.runpytest()
    result.assert_outcomes(failed=1)
    assert "report: .webtask/report/index.html" in printed(result)
