"""What is not the package's own is neither removed nor copied, and what is its own only its user reads."""

import os
from contextlib import closing
from pathlib import Path

import pytest

from pytest_webtask.desk.desk import Exchange, OwnDesk
from pytest_webtask.journal import RUNS, Journal, RunEnded
from pytest_webtask.journal.kept_runs import prune_runs
from pytest_webtask.llm.model_names import remember_model
from pytest_webtask.recordings.pending import PENDING, prune_pending
from pytest_webtask.recordings.store import keep_pictures

RUN, OLD = "20261130-120000-001-7", "20200101-000000-001-7"


def made(path: Path, text: str = "{}") -> Path:
    """A file, with the folders around it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def test_only_runs_are_pruned(tmp_path: Path) -> None:
    """A folder in `.webtask/runs` is removed only with both the name and the journal of a run."""
    runs = tmp_path / RUNS
    old = made(runs / OLD / "main.jsonl")
    others = [made(runs / "photos" / "main.jsonl"), made(runs / f"{OLD}9" / "thesis.txt")]
    prune_runs(runs / RUN, 1)
    assert [each.exists() for each in (old, *others)] == [False, True, True]


@pytest.mark.parametrize("linked", [".webtask", ".webtask/runs", f".webtask/runs/{OLD}"])
def test_runs_behind_a_link_are_not_pruned(tmp_path: Path, linked: str) -> None:
    """What a linked folder leads to stays, though it has the name and the journal of a run, or could be pending."""
    old = made(tmp_path / RUNS / OLD / "main.jsonl")
    mine = made(tmp_path / "pending" / "package.json")
    (tmp_path / PENDING).symlink_to(mine.parent)
    there = (tmp_path / linked).rename(tmp_path / "there")
    (tmp_path / linked).symlink_to(there)
    prune_runs(tmp_path / RUNS / RUN, 1)
    prune_pending(tmp_path)
    assert old.exists() and mine.exists()


@pytest.mark.parametrize(
    ("name", "taken"),
    [
        ("a.jpg", "../../../.env"),
        ("a.jpg", "screenshots/link.jpg"),
        ("conftest.py", "screenshots/own.jpg"),
        ("linked.jpg", "screenshots/own.jpg"),
    ],
)
def test_only_pictures_of_the_run_reach_a_recording(tmp_path: Path, name: str, taken: str) -> None:
    """What a journal calls a picture is copied from the run's pictures to a recording's, not through links."""
    secret, run = made(tmp_path / ".env", "secret"), tmp_path / RUNS / RUN
    made(run / "screenshots" / "own.jpg", "picture")
    (run / "screenshots" / "link.jpg").symlink_to(secret)
    recording = tmp_path / "recordings" / "test_it" / "test_a.json"
    folder = recording.with_suffix("")
    keep_pictures(run, recording, {"own.jpg": "screenshots/own.jpg"})
    (folder / "linked.jpg").symlink_to(secret)
    keep_pictures(run, recording, {name: taken})
    assert {each.read_text() for each in folder.iterdir()} == {"picture", "secret"}
    assert sorted(each.name for each in folder.iterdir()) == ["linked.jpg", "own.jpg"]
    assert secret.read_text() == "secret"


@pytest.mark.parametrize("first", ["journal", "desk", "model"])
def test_folder_is_private(tmp_path: Path, first: str) -> None:
    """Whatever makes `.webtask` first, only its user may enter it."""
    folder = tmp_path / ".webtask"
    if first == "journal":
        with closing(Journal(tmp_path / RUNS / RUN)) as journal:
            journal.write(RunEnded())
    elif first == "desk":
        OwnDesk(folder / "handoff" / "main").close()
    else:
        remember_model(tmp_path, "claude")
    assert folder.stat().st_mode & 0o777 == 0o700
    assert (folder / ".gitignore").read_text().endswith("*\n")
    (folder / ".gitignore").write_text("!kept\n")
    remember_model(tmp_path, "claude")
    assert (folder / ".gitignore").read_text() == "!kept\n"


def test_answer_is_read_from_a_regular_file_only(tmp_path: Path) -> None:
    """A link to somebody's answer, or a pipe that never ends, is no answer."""
    exchange = Exchange(tmp_path)
    reply, other = tmp_path / "reply.json", made(tmp_path / "other", "[]")
    reply.symlink_to(other)
    assert exchange.reply is None
    reply.unlink()
    os.mkfifo(reply)
    assert exchange.reply is None
    reply.unlink()
    made(reply, "[]")
    assert exchange.reply == []
