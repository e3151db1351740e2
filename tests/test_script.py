"""`pytest_webtask.open`: a webtask in a script, without pytest."""

import importlib.util
import json
import logging
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from playwright.sync_api import Page

import pytest_webtask
from pytest_webtask import Secret, UsageError, VerificationFailed, Webtask
from pytest_webtask.journal import PhaseEnded, StepEnded
from pytest_webtask.run.options import as_keywords
from pytest_webtask.testing import find, shows
from tests.inner import events
from tests.scripted import Answer, Scripted, call, done, rule
from tests.site import NOTES, Site

SCRIPT = """
import pytest_webtask

def write(page, **options):
    with pytest_webtask.open(page, **options) as webtask:
        webtask.goto("/notes")
        webtask.do("write apples")
        if options.get("name") == "broken":
            raise RuntimeError("the script stops here")
        webtask.verify('"Saved apples" is visible')
"""
WRITES: list[Answer] = [
    [call("fill", find("textbox", "Note"), text="apples"), call("click", find("button", "Save"))],
    done("written", shows("status", "Saved apples")),
]


@pytest.fixture
def site(site: Site) -> Site:
    """A site with a page for notes."""
    site.pages["/notes"] = NOTES
    return site


@pytest.fixture
def script(tmp_path: Path) -> ModuleType:
    """A script of the project at `tmp_path`."""
    path = tmp_path / "jobs" / "notes.py"
    path.parent.mkdir()
    path.write_text(SCRIPT)
    spec = importlib.util.spec_from_file_location("notes", path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _report(root: Path) -> Any:
    return json.loads((root / ".webtask/report/report.json").read_text())


def test_literal_block_has_journal_and_report(
    page: Page, site: Site, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Literal steps need no model; the block is a passed test with journal, report and masked secrets."""
    caplog.set_level(logging.INFO, "pytest_webtask")
    data = {"note": Secret("plum-cake-9")}
    with pytest_webtask.open(page, base_url=site.url, data=data, root=tmp_path) as webtask:
        webtask.goto("/notes")
        webtask.do('fill "Note" with {note} and click "Save"')
        webtask.verify('"Notes" is visible')
        assert webtask.page is page
    written = events(tmp_path)
    assert {e.test for e in written if e.test} == {"script"}
    outcomes = {e.phase: e.outcome for e in written if isinstance(e, PhaseEnded)}
    assert outcomes == {"setup": "passed", "call": "passed", "teardown": "passed"}
    assert [e.status for e in written if isinstance(e, StepEnded)] == [
        *("completed", "completed", "passed")
    ]
    assert "report: .webtask/report/index.html" in caplog.text
    assert [(t["id"], t["outcome"]) for t in _report(tmp_path)["tests"]] == [("script", "passed")]
    files = [p for p in tmp_path.rglob("*") if p.is_file() and p.suffix != ".jpg"]
    assert not [p for p in files if b"plum-cake-9" in p.read_bytes()]
    with pytest.raises(UsageError, match="after the test is over"):
        webtask.do('click "Save"')


def test_steps_of_a_model_are_recorded_and_replayed(
    page: Page, site: Site, tmp_path: Path, script: ModuleType
) -> None:
    """A block that passes is recorded beside the script; without a model the next one replays it."""
    model = Scripted(*WRITES)
    options = {"base_url": site.url, "root": tmp_path}
    script.write(page, model=model, **options)
    model.assert_finished()
    recording = json.loads((tmp_path / "jobs/recordings/notes/write.json").read_text())
    assert [step["sentence"] for step in recording["steps"]] == ["write apples"]
    script.write(page, mode="replay", **options)
    site.pages["/notes"] = NOTES.replace("button", "em")
    with pytest.raises(pytest_webtask.Drifted, match="write apples") as drifted:
        script.write(page, mode="replay", **options)
    assert 'pytest_webtask.open(page, mode="record", model="' in str(drifted.value)
    assert "pytest " not in str(drifted.value) and "--webtask" not in str(drifted.value)


def test_block_that_fails_leaves_drafts_and_no_recording(
    page: Page, site: Site, tmp_path: Path, script: ModuleType
) -> None:
    """An error is the test's own failure, with its message; what a model decided is a draft."""
    options = {"base_url": site.url, "root": tmp_path}
    with pytest.raises(RuntimeError, match="stops here"):
        script.write(page, model=Scripted(*WRITES), name="broken", **options)
    assert not (tmp_path / "jobs/recordings").exists()
    [test] = _report(tmp_path)["tests"]
    assert (test["id"], test["outcome"]) == ("broken", "failed")
    [failure] = [e for e in events(tmp_path) if isinstance(e, PhaseEnded) and e.phase == "call"]
    assert failure.errors == "RuntimeError: the script stops here"
    assert 'raise RuntimeError("the script stops here")' in failure.message
    with pytest.raises(RuntimeError, match="stops here"):
        # It has no answer left: the draft is replayed.
        script.write(page, model=Scripted(), name="broken", **options)


def test_failures_that_wait_for_the_end_fail_the_block(
    page: Page, site: Site, tmp_path: Path
) -> None:
    """Soft failures and steps left open are raised at the end of the block."""

    def run(act: Callable[[Webtask], object]) -> None:
        with pytest_webtask.open(page, base_url=site.url, root=tmp_path) as webtask:
            webtask.goto("/notes")
            act(webtask)
            webtask.verify('"Notes" is visible')

    with pytest.raises(VerificationFailed, match="Nope"):
        run(lambda webtask: webtask.verify('"Nope" is visible', soft=True, timeout=0))
    with pytest.raises(UsageError, match="was not finished"):
        run(lambda webtask: webtask.steps('click "Save"'))
    outcomes = [t["outcome"] for t in _report(tmp_path)["tests"]]
    assert outcomes == ["failed"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"max_step": 3}, "unknown option of open() 'max_step'; known: .*Did you mean 'max_steps'"),
        ({"max_steps": 0}, "^max_steps=...: expected a whole number"),
        ({"mode": "reply"}, "^mode=...: unknown mode 'reply'"),
        ({"model": "claud"}, "^model=...: unknown model 'claud'.*Did you mean 'claude'"),
        ({"model": {"verifier": "claude"}}, 'no model for "worker"'),
        ({"resources": {"cv": "no/such.pdf"}}, "the resource 'cv' is missing"),
        ({"resume": True}, "unknown option of open() 'resume'"),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else "",
)
def test_open_refuses_unusable_options(
    page: Page, tmp_path: Path, options: dict[str, Any], message: str
) -> None:
    """A mistake is named by its keyword before the block begins, and nothing is written."""
    with pytest.raises(UsageError) as refused:
        pytest_webtask.open(page, root=tmp_path, **options)
    pattern = message.replace("open()", r"open\(\)")
    assert re.search(pattern, str(refused.value), re.S), str(refused.value)
    assert "--webtask" not in str(refused.value) and not list(tmp_path.iterdir())


def test_open_refuses_what_is_no_page(tmp_path: Path) -> None:
    """A page of the other API, or None, is refused."""
    with pytest.raises(UsageError, match=r"takes a page of playwright\.sync_api.*got None"):
        pytest_webtask.open(None, root=tmp_path)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("options", "act", "message"),
    [
        ({}, lambda w: w.do("buy a mug"), 'set a model: model="claude" (needs an API key)'),
        ({}, lambda w: w.goto("/x"), "no base URL to complete it: set one with base_url=..."),
        ({"mode": "replay"}, lambda w: w.do("buy a mug"), 'record it: pytest_webtask.open(page, mode="auto", model="claude")'),
        ({"timeout": 0.1}, lambda w: w.do('wait for "Godot"'), "within 0.1 s; allow more with timeout=..."),
        ({"workflow": "planner"}, lambda w: w.do("buy a mug"), 'for its planner, but none is set: pass model="claude"'),
    ],
    ids=["model", "base_url", "replay", "timeout", "workflow"],
)  # fmt: skip
def test_errors_say_what_to_pass_to_open(
    page: Page, tmp_path: Path, options: dict[str, Any], act: Callable[[Any], object], message: str
) -> None:
    """Messages name the keywords of open, not the options of pytest."""
    with (
        pytest.raises(pytest_webtask.WebtaskError) as raised,
        pytest_webtask.open(page, root=tmp_path, screenshots="off", **options) as webtask,
    ):
        act(webtask)
    assert message in str(raised.value), str(raised.value)
    assert "--webtask" not in str(raised.value)


@pytest.mark.parametrize(
    ("text", "spelled"),
    [
        ("late (--webtask-step-limit); then", "late (step_limit=...); then"),
        ("add --webtask-model=claude.", 'add model="claude".'),
        ("type pytest --webtask-mode=record", 'type pytest_webtask.open(page, mode="record")'),
        ("give another --rootdir", "give another root=..."),
    ],
)
def test_options_are_spelled_as_keywords(text: str, spelled: str) -> None:
    """Each option of pytest is spelled as the keyword; all other text stays."""
    assert as_keywords(text) == spelled


def test_models_may_be_names_and_objects(
    page: Page, site: Site, tmp_path: Path, script: ModuleType
) -> None:
    """A mapping has a model or the name of one for each role."""
    referee = Scripted(referee=[rule(proves=True)])
    models = {"worker": Scripted(*WRITES), "verifier": "literal", "referee": referee}
    script.write(page, base_url=site.url, root=tmp_path, model=models)
    referee.assert_finished()


@pytest.mark.long
@pytest.mark.slow
def test_script_of_the_docs_runs(shop: Any, tmp_path: Path) -> None:
    """The script in the documentation runs in a process of its own, with a browser of its own."""
    text = (Path(__file__).parent.parent / "docs/how-to/scripts.md").read_text()
    [code] = re.findall(r"<!-- script -->\n```python\n(.*?)```", text, re.S)
    shop.reset()
    (tmp_path / "order.py").write_text(code.replace("http://localhost:8000", shop.url))
    launch = (
        "import runpy\nfrom playwright.sync_api import BrowserType\n"
        "from scripts.browser import find_browser\nlaunch = BrowserType.launch\n"
        "BrowserType.launch = lambda self: launch(self, executable_path=find_browser())\n"
        "runpy.run_path(__file__.replace('own_browser', 'order'), run_name='__main__')\n"
    )
    (tmp_path / "own_browser.py").write_text(launch)
    env = {**os.environ, "PYTHONPATH": str(Path(__file__).parent.parent)}
    command = [sys.executable, "own_browser.py"]
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "$11.00\n"
    assert [t["id"] for t in _report(tmp_path)["tests"]] == ["order.py"]
