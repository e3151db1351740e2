"""A report at the end of each run, and what other reports get of it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from pytest_webtask.cli import main
from scripts.schemas import report_schema
from tests.inner import CONFTEST
from tests.nested import printed

SHOWS = "<h1>Cart</h1><p role=status>1 item</p><button>Pay</button>"

TESTS = f"""
import pytest
from tests.scripted import call, cited, done

@pytest.fixture(autouse=True)
def shown(webtask):
    webtask.page.set_content({SHOWS!r})

def verdict(turn, text, outcome="holds"):
    check = {{"kind": "text", "element_id": cited(turn, "status:1 item"), "text": text}}
    return call("report_verdict", outcome=outcome, reason="as shown", evidence=[check])

def test_good(webtask):
    webtask.do('click "Pay"')

def test_bad(webtask, model):
    model.answers = [lambda t: verdict(t, "1 item", "does_not_hold")]
    webtask.verify("the cart shows 2 items", timeout=0)
"""


@pytest.fixture(autouse=True)
def _project(pytester: pytest.Pytester) -> None:
    """A project of these tests, unless a test writes others."""
    pytester.makeconftest(CONFTEST)
    pytester.makepyfile(TESTS)


@pytest.fixture
def ran(pytester: pytest.Pytester) -> pytest.RunResult:
    """A run in which one test passes and one fails."""
    return pytester.runpytest("--junitxml=junit.xml")


def report(folder: Path) -> dict[str, Any]:
    """The report as programs read it."""
    content: dict[str, Any] = json.loads((folder / "report.json").read_text())
    return content


def test_run_ends_with_a_report(ran: pytest.RunResult, pytester: pytest.Pytester) -> None:
    """HTML, JSON, Markdown, JUnit properties and pictures agree, and the terminal names the report."""
    ran.assert_outcomes(passed=1, failed=1)
    assert "report: .webtask/report/index.html" in printed(ran)
    folder = pytester.path / ".webtask" / "report"
    content = report(folder)
    assert (content["version"], content["outcomes"]) == (2, {"passed": 1, "failed": 1})
    good, bad = content["tests"]
    assert good["decided"] == {"literal": 1}
    assert bad["decided"] == {"model": 1}
    for test in (good, bad):
        assert (folder / test["page"]).is_file()
    step = bad["attempts"][0]["steps"][0]
    assert (folder / step["last"]["screenshot"]).read_bytes()[:2] == b"\xff\xd8"
    assert [each["role"] for each in step["iterations"]] == ["verifier", "referee"]
    assert step["evidence"][0]["fact"]["text"] == "1 item"
    assert step["ruling"]["proves"] and step["ruling"]["by"] == "Scripted"
    assert step["usage"]["model_calls"] == bad["usage"]["model_calls"] == 2
    assert "2 model calls" in printed(ran)
    assert "failed: verify the cart shows 2 items – as shown" in (folder / "summary.md").read_text()
    suite = ElementTree.parse(pytester.path / "junit.xml").getroot()
    properties = {
        str(case.get("name")).partition("[")[0]: {
            p.get("name"): p.get("value") for p in case.iter("property")
        }
        for case in suite.iter("testcase")
    }
    assert properties["test_good"]["webtask_steps"] == "1"
    assert properties["test_good"]["webtask_model_calls"] == "0"
    assert properties["test_bad"]["webtask_model_calls"] == "2"
    assert {f"webtask_{n}" for n in ("tokens", "cost", "healed")} <= properties["test_bad"].keys()


def test_report_off_writes_and_loads_nothing(pytester: pytest.Pytester) -> None:
    """`--webtask-report=off` writes no report and loads no template engine."""
    pytester.makeconftest(
        CONFTEST
        + "\ndef pytest_unconfigure():\n    import sys\n    print('LOADED', 'jinja2' in sys.modules)\n"
    )
    pytester.makepyfile(TESTS)
    # pytest-html has templates of its own.
    result = pytester.runpytest_subprocess(
        "--webtask-report=off", "-p", "no:html", "-s", "-k", "good"
    )
    assert "LOADED False" in printed(result)
    assert not (pytester.path / ".webtask" / "report").exists()


def test_report_replaces_only_a_report(pytester: pytest.Pytester) -> None:
    """A folder that holds other files is kept, and the run says that it has no report."""
    mine = pytester.mkdir("mine")
    (mine / "report.json").write_text('{"of": "another tool"}')
    (mine / "tests").mkdir()
    (mine / "tests" / "thesis.txt").write_text("all of it")
    result = pytester.runpytest("--webtask-report=mine", "-k", "good")
    result.assert_outcomes(passed=1, deselected=1)
    assert "the report of this run could not be written" in printed(
        result
    ) and "contains no report" in printed(result)
    assert (mine / "tests" / "thesis.txt").read_text() == "all of it"
    assert sorted(each.name for each in mine.iterdir()) == ["report.json", "tests"]
    for _ in range(2):
        pytester.runpytest("--webtask-report=made", "-k", "good")
    assert len(report(pytester.path / "made")["tests"]) == 1


def test_inline_report_has_all_pictures_in_it(pytester: pytest.Pytester) -> None:
    """`--webtask-report-inline` writes no pictures and pages beside the file."""
    pytester.runpytest("--webtask-report-inline=on")
    folder = pytester.path / ".webtask" / "report"
    assert "data:image/jpeg;base64," in (folder / "index.html").read_text()
    assert not (folder / "pictures").exists() and not (folder / "tests").exists()


def test_keep_option_limits_the_runs(pytester: pytest.Pytester) -> None:
    """`--webtask-keep` limits the number of run folders, with the current one included."""
    runs = pytester.path / ".webtask" / "runs"
    for name in ("20200101-000000-1", "20200102-000000-1", "20200103-000000-1"):
        (runs / name).mkdir(parents=True)
    pytester.runpytest("--webtask-keep=2", "-k", "good")
    kept = sorted(each.name for each in runs.iterdir())
    assert kept[0] == "20200103-000000-1" and len(kept) == 2
    # A clock may have been wrong once.
    (runs / "99991231-000000-1").mkdir()
    result = pytester.runpytest("--webtask-keep=1", "-k", "good")
    assert "1 step (1 completed)" in printed(result)
    (kept_run,) = runs.iterdir()
    assert list(kept_run.glob("*.jsonl"))


def test_summary_is_appended_for_github(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The summary is appended to the file of GITHUB_STEP_SUMMARY."""
    summary = pytester.path / "summary.md"
    summary.write_text("before\n")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    pytester.runpytest()
    text = summary.read_text()
    assert text.startswith("before\n### webtask: 1 failed, 1 passed")
    assert "the cart shows 2 items" in text


def test_xdist_workers_make_one_report(pytester: pytest.Pytester) -> None:
    """Each test is in the report once, whichever worker ran it."""
    result = pytester.runpytest_subprocess("-n", "2")
    result.assert_outcomes(passed=1, failed=1)
    content = report(pytester.path / ".webtask" / "report")
    assert content["outcomes"] == {"passed": 1, "failed": 1}


def test_report_command_reads_a_killed_run(
    pytester: pytest.Pytester, capsys: pytest.CaptureFixture[str]
) -> None:
    """`pytest-webtask report` reports the newest run, with the tests that never ended and their last step."""
    pytester.makepyfile(
        TESTS
        + """
def test_killed(webtask, model):
    import os, signal
    model.answers = [lambda t: os.kill(os.getpid(), signal.SIGKILL)]
    webtask.do("pay for all of it")
"""
    )
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "test_report_command_reads_a_killed_run.py"],
        cwd=pytester.path,
        capture_output=True,
        text=True,
    )  # fmt: skip
    assert done.returncode == -signal.SIGKILL, done.stdout
    (run,) = (pytester.path / ".webtask" / "runs").iterdir()
    # It is newer than a run that has only begun.
    (run.parent / "20200101-000000-000-1").mkdir()
    (run.parent / "20200101-000000-000-1" / "main.jsonl").touch()
    assert main(["report", "--output", str(pytester.path / "made")]) == 0
    assert "never ended, because its process was killed: " in capsys.readouterr().out
    content = report(pytester.path / "made")
    assert content["outcomes"] == {"passed": 1, "failed": 1, "never ended": 1}
    killed = content["tests"][-1]
    assert killed["wrong"] == "never ended: the process was killed in step 1"
    assert "never ended" in (pytester.path / "made" / killed["page"]).read_text()


def test_report_of_another_folder_is_an_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The error names the folder of the runs; without any run it says how to make one."""
    assert main(["report", str(tmp_path)]) == 2
    assert ".webtask/runs" in capsys.readouterr().err
    monkeypatch.chdir(tmp_path)
    assert main(["report"]) == 2
    assert "run the tests first: pytest" in capsys.readouterr().err


def test_report_holds_no_secret(pytester: pytest.Pytester) -> None:
    """Neither text of the page nor pytest's quotation of the source shows a secret."""
    pytester.makepyfile(
        """
        import pytest
        from pytest_webtask import Secret
        from tests.scripted import call, cited, element

        @pytest.fixture
        def webtask_data():
            return {"password": Secret("correct-horse-9")}

        def test_told(webtask, model):
            webtask.page.set_content(
                "<title>correct-horse-9</title><label>Code <input></label>"
                "<p role=status>correct-horse-9</p><script>console.error('correct-horse-9')</script>"
            )
            webtask.do('fill "Code" with "{password}"')
            check = lambda t: {"kind": "text", "element_id": cited(t, "status:"), "text": "{password}"}
            model.answers = [lambda t: call("report_verdict", outcome="does_not_hold",
                reason="correct-horse-9", evidence=[check(t)])]
            webtask.verify("the page says no"), "correct-horse-9"
        """
    )
    result = pytester.runpytest("--webtask-report=made")
    result.assert_outcomes(failed=1)
    files = [
        f for f in (pytester.path / "made").rglob("*") if f.suffix in (".html", ".json", ".md")
    ]
    assert len(files) >= 3
    for file in files:
        assert "correct-horse-9" not in file.read_text(), file.name


def test_invalid_unicode_breaks_no_report(pytester: pytest.Pytester) -> None:
    """Half an emoji in a title and in the console does not break the report."""
    pytester.makepyfile(
        """
        from tests.scripted import call, cited

        def test_cut(webtask, model):
            webtask.page.set_content(
                "<p role=status>hello</p><script>const cut = String.fromCharCode(0xD83D);"
                "document.title = cut; console.error(cut);"
                "document.querySelector('p').textContent += cut</script>"
            )
            check = lambda t: {"kind": "text", "element_id": cited(t, "status:"), "text": "hello"}
            model.answers = [lambda t: call("report_verdict", outcome="does_not_hold",
                reason="no", evidence=[check(t)])]
            webtask.verify("the page says bye", timeout=0)
        """
    )
    result = pytester.runpytest("--webtask-report=made", "--webtask-report-inline=on")
    result.assert_outcomes(failed=1)
    assert "report: made/index.html" in printed(result)
    assert report(pytester.path / "made")["outcomes"] == {"failed": 1}


def test_caught_failure_is_ignored_in_any_traceback_style(pytester: pytest.Pytester) -> None:
    """A caught failure is not named as the reason, even with `--tb=native`."""
    pytester.makepyfile(
        TESTS
        + """
def test_caught(webtask, model):
    model.answers = [lambda t: verdict(t, "1 item", "does_not_hold")] * 2
    with pytest.raises(AssertionError):
        webtask.verify("the cart shows 2 items", timeout=0)
    assert webtask.holds("the cart has 2 items", timeout=0)
"""
    )
    pytester.runpytest("--tb=native", "-k", "caught")
    test = report(pytester.path / ".webtask" / "report")["tests"][-1]
    assert test["wrong"].startswith("step 2, no: holds the cart has 2 items")


def test_failure_without_a_webtask_is_reported(pytester: pytest.Pytester) -> None:
    """Failures of fixtures and of tests that use no webtask are in the report."""
    pytester.makeconftest(
        CONFTEST
        + """
@pytest.fixture
def webtask_data():
    from pytest_webtask import Secret

    return {"password": Secret("correct-horse-9")}
"""
    )
    pytester.makepyfile(
        test_other="""
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
    )
    pytester.runpytest("-k", "good or never_there or plain or fine")
    content = report(pytester.path / ".webtask" / "report")
    names = {test["id"].partition("::")[2].partition("[")[0]: test for test in content["tests"]}
    assert {name: test["outcome"] for name, test in names.items()} == {
        "test_good": "passed",
        "test_never_there": "error",
        "test_plain": "failed",
    }
    assert "no database" in names["test_never_there"]["wrong"]
    assert "assert 1 == 2" in names["test_plain"]["attempts"][0]["phases"]["call"]["errors"]
    # A secret of one test is none of another's to tell.
    assert "correct-horse-9" not in json.dumps(content)


def test_run_without_a_step_names_its_report(pytester: pytest.Pytester) -> None:
    """A test that failed before any step has a report."""
    pytester.makepyfile("def test_it(webtask):\n    assert not webtask")
    result = pytester.runpytest()
    result.assert_outcomes(failed=1)
    assert "report: .webtask/report/index.html" in printed(result)


def test_errors_of_the_page_are_reported(pytester: pytest.Pytester) -> None:
    """Console errors and failed requests are listed with the step that failed."""
    pytester.makepyfile(
        """
        from tests.scripted import call, cited

        SHOWS = (
            "<p role=status>hello</p><script>fetch('/api');console.error('it went wrong')</script>"
        )

        def answer(route):
            if route.request.url.endswith("/api"):
                route.fulfill(status=500, body="no")
            else:
                route.fulfill(body=SHOWS, content_type="text/html")

        def test_told(webtask, model):
            webtask.page.route("**/*", answer)
            with webtask.page.expect_event("requestfinished", lambda r: r.url.endswith("/api")):
                webtask.goto("http://shop.test/")
            check = lambda t: {"kind": "text", "element_id": cited(t, "status:"), "text": "hello"}
            model.answers = [lambda t: call("report_verdict", outcome="does_not_hold",
                reason="no", evidence=[check(t)])]
            webtask.verify("the page says bye", timeout=0)
        """
    )
    result = pytester.runpytest("--webtask-report=made")
    result.assert_outcomes(failed=1)
    text = (pytester.path / "made" / "report.json").read_text()
    assert "it went wrong" in text
    assert "http://shop.test/api was answered with 500" in text


def test_steps_are_groups_in_playwrights_trace(pytester: pytest.Pytester) -> None:
    """The trace groups actions under the sentence of their step."""
    import zipfile

    pytester.runpytest("-k", "good", "--tracing=on", "--output=made")
    (trace,) = (pytester.path / "made").rglob("trace.zip")
    with zipfile.ZipFile(trace) as archive:
        text = "".join(
            archive.read(name).decode() for name in archive.namelist() if name.endswith(".trace")
        )
    assert 'do: click \\"Pay\\"' in text


def test_files_of_playwright_are_linked(pytester: pytest.Pytester) -> None:
    """The report links Playwright's trace by a relative path."""
    pytester.runpytest("-k", "bad", "--tracing=on", "--output=made")
    folder = pytester.path / ".webtask" / "report"
    phases = report(folder)["tests"][0]["attempts"][0]["phases"].values()
    (artifact,) = (file for phase in phases for file in phase["artifacts"])
    assert artifact["kind"] == "trace"
    assert Path(os.path.normpath(folder / artifact["path"])).is_file()


@pytest.mark.parametrize("inline", ["off", "on"])
def test_pytest_html_has_a_link_to_the_test(pytester: pytest.Pytester, inline: str) -> None:
    """The report of pytest-html links the page of the test."""
    pytest.importorskip("pytest_html")
    pytester.runpytest("--html=out/all.html", f"--webtask-report-inline={inline}")
    page = report(pytester.path / ".webtask" / "report")["tests"][1]["page"]
    assert f"../.webtask/report/{page}" in (pytester.path / "out" / "all.html").read_text()


def test_allure_has_the_picture_of_a_failure(pytester: pytest.Pytester) -> None:
    """Allure has the picture of a failure and its reason as text."""
    pytest.importorskip("allure")
    pytester.runpytest("--alluredir=out")
    names = [file.suffix for file in (pytester.path / "out").iterdir()]
    assert ".jpg" in names and ".txt" in names


@pytest.mark.skipif(not hasattr(pytest, "Subtests"), reason="pytest 9 has subtests")
def test_failed_subtest_fails_its_test(pytester: pytest.Pytester) -> None:
    """The report agrees with the terminal, and the test is neither recorded nor skipped on resume."""
    pytester.makepyfile(
        """
        def test_it(webtask, subtests):
            with subtests.test("one"):
                webtask.page.set_content("<p>Hello")
                webtask.verify('"Goodbye" is shown', timeout=0)
        """
    )
    result = pytester.runpytest()
    assert result.ret == 1
    report = json.loads((pytester.path / ".webtask" / "report" / "report.json").read_text())
    assert [test["outcome"] for test in report["tests"]] == ["failed"]


def test_json_report_fits_its_schema(ran: pytest.RunResult, pytester: pytest.Pytester) -> None:
    """The schema that the docs publish describes the report of a run."""
    content = report(pytester.path / ".webtask" / "report")
    jsonschema.validate(content, report_schema())
    assert [test["outcome"] for test in content["tests"]] == ["passed", "failed"]
