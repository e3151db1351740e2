"""Two machines that each run a part of the tests: one report, and one set of recordings."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from pytest_webtask import cli
from tests.inner import project

PLAYS = """
"greet Ada": [act("click", "button:Hello"), done(text("status:Hello Ada", "Hello Ada"))],
"greet Bob": [act("click", "button:Hi"), done(text("status:Hi Bob", "Hi Bob"))],
"""
TESTS = """
def test_ada(webtask):
    webtask.goto("/")
    webtask.do("greet Ada")

def test_bob(webtask):
    webtask.goto("/")
    webtask.do("greet Bob")
    assert not webtask.page.get_by_text("Ada").count()
"""
PAGE = """<button onclick="out.textContent = 'Hello Ada'">Hello</button>
<button onclick="out.textContent = 'Hi Bob'">Hi</button><p role=status id=out></p>"""


def test_shards_are_merged_into_one_report_and_one_set_of_recordings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Recordings copied from two machines replay together, and a report of both runs has each test once."""
    with project(tmp_path / "whole", PLAYS, TESTS) as whole:
        whole.site.pages["/"] = PAGE
        for name in ("ada", "bob"):
            with project(tmp_path / name, PLAYS, TESTS) as shard:
                shard.site.pages["/"] = PAGE
                run = shard.run("-k", name)
                assert run.outcomes == {f"test_{name}": "passed"}, run.printed
                assert run.folder
                shutil.copytree(run.folder, whole.root / "runs" / name / run.folder.name)
                recordings = shard.root / "recordings"
                shutil.copytree(recordings, whole.root / "recordings", dirs_exist_ok=True)
        monkeypatch.chdir(whole.root)
        assert cli.main(["report", *map(str, Path("runs").glob("*/*")), "--output", "report"]) == 0
        tests = json.loads(Path("report/report.json").read_text())["tests"]
        assert sorted((each["id"].split("[")[0], each["outcome"]) for each in tests) == [
            ("test_it.py::test_ada", "passed"),
            ("test_it.py::test_bob", "passed"),
        ]
        replayed = whole.run(ci="true")
        assert replayed.outcomes == {"test_ada": "passed", "test_bob": "passed"}, replayed.printed
        assert not replayed.asked
        whole.file("test_bob").unlink()
        assert whole.run(ci="true").outcomes == {"test_ada": "passed", "test_bob": "failed"}
