"""`pytest-webtask doctor`: what a project has and lacks."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from pytest_webtask import cli
from pytest_webtask.cli.doctor import Doctor
from tests import nested
from tests.api import Api, failure
from tests.recordings.made import ADD, SHOWS, recorded
from tests.site import Site

TEST = "def test_add(webtask):\n    webtask.do('add a mug')\n\ndef test_other(): pass\n"
BROKEN = """
import pytest

@pytest.fixture(scope="session")
def browser_type_launch_args():
    return {"executable_path": "/no/such/browser"}

@pytest.fixture
def webtask_model():
    raise RuntimeError("is not called")
"""


@pytest.fixture
def doctor(monkeypatch: pytest.MonkeyPatch) -> Doctor:
    """One that looks at the inner run."""
    doctor = Doctor()
    monkeypatch.setattr(nested, "SHARED", [*nested.SHARED, doctor])
    return doctor


@pytest.mark.long
def test_doctor_shows_what_is_there(pytester: pytest.Pytester, site: Site, api: Api) -> None:
    """Each part of the project is a line; the exit code is 1 if the model cannot work."""
    site.pages["/"] = "<h1>Shop"
    api.about_model = failure(404, "model: claude-sonnet-5-5")
    pytester.makepyfile(test_it=TEST)
    pytester.makeini(f"[pytest]\nbase_url = {site.url}\naddopts = -n2\nfilterwarnings = error")
    recorded("recordings/test_it/test_add.json", ADD, SHOWS)
    kept = pytester.mkdir("test-results")
    command = [sys.executable, "-m", "pytest_webtask.cli", "doctor", "--", "--webtask-model=claude"]
    service = {"ANTHROPIC_BASE_URL": api.url, "ANTHROPIC_API_KEY": "a-key"}
    env = {k: v for k, v in os.environ.items() if k not in ("CI", "OPENAI_API_KEY")} | service
    done = subprocess.run(command, env=env, capture_output=True, text=True)
    lines = done.stdout.splitlines()
    assert done.returncode == 1, done.stdout + done.stderr
    assert lines[0].startswith("ok       pytest-webtask 0.")
    assert lines[1] == "ok       tests: 1 of 2 use webtask"
    assert lines[2].startswith("ok       browser: chromium 1")
    assert lines[3:5] == [f"ok       base URL: {site.url} answers", "ok       mode: auto"]
    assert lines[5].startswith(
        "missing  model: claude: claude-sonnet-5-5: the service answered 404"
    )
    assert lines[6:] == ["ok       recordings: 2 steps in 1 file"]
    assert kept.exists() and not Path(".webtask").exists()


def test_doctor_names_what_is_missing(pytester: pytest.Pytester, doctor: Doctor) -> None:
    """A browser and a recording that cannot be used are named with a remedy."""
    pytester.makepyfile(test_it=TEST)
    pytester.makeconftest(BROKEN)
    recorded("recordings/test_it/test_add.json", ADD).write_text("{")
    pytester.runpytest("--webtask-mode=auto")
    browser, recording = (text for state, text in doctor.findings if state == "missing")
    assert browser.startswith("browser: chromium does not start:")
    assert "playwright install chromium" in browser
    assert "test_add.json" in recording and "pytest-webtask recordings list" in recording
    texts = [text for _, text in doctor.findings]
    assert "model: the one of the project's own webtask_model fixture" in texts


def test_doctor_names_failing_fixtures_and_modules(
    pytester: pytest.Pytester, doctor: Doctor
) -> None:
    """A fixture that fails, and a module that cannot be imported, are missing."""
    pytester.makepyfile(test_a=TEST, test_b="import no_such_module")
    pytester.makeconftest(
        "import pytest\n@pytest.fixture(scope='session')\ndef base_url(): raise OSError('no shop')"
    )
    pytester.runpytest("--continue-on-collection-errors")
    module, fixture = (text for state, text in doctor.findings if state == "missing")
    assert module.startswith("test_b.py: ") and fixture == "fixtures: OSError: no shop"


def test_doctor_without_tests_looks_at_the_rest(pytester: pytest.Pytester, doctor: Doctor) -> None:
    """In an empty folder nothing is missing."""
    pytester.runpytest()
    states = {text.partition(":")[0]: state for state, text in doctor.findings}
    assert states.pop("base URL") == "none"
    assert {*states} == {"tests", "browser", "model", "mode", "recordings"}
    assert {*states.values()} == {"ok"}


def test_doctor_shows_why_pytest_does_not_run(
    pytester: pytest.Pytester, capsys: pytest.CaptureFixture[str]
) -> None:
    """An error in the configuration of pytest is shown."""
    assert cli.main(["doctor", "--", "--no-such-option"]) == 1
    printed = capsys.readouterr().out
    assert "missing  tests: pytest ended before the first one" in printed
    assert "--no-such-option" in printed
