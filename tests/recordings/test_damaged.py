"""Recordings that were edited by hand, cut, or left in the middle of a merge."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pytest_webtask.errors import DamagedRecording
from pytest_webtask.journal.schema import RecordedStep, Recording
from pytest_webtask.recordings.store import (
    Store,
    dump_recording,
    load_recording,
    save_recording,
)
from pytest_webtask.types.step import CallSite
from tests.inner import Project, project, with_locator
from tests.recordings.made import call, check, target
from tests.recordings.made import step as made

pytestmark = pytest.mark.slow

BUTTON = target(
    'get_by_role("button", name="Save")', {"role": "button", "name": "Save"}, tag="button"
)
STEP = made(call("click", BUTTON), sentence="save it", evidence=[check("title", text="Saved")])


def step(**changes: Any) -> dict[str, Any]:
    """A good step, but for these changes."""
    return {**STEP, **changes}


def written(path: Path, *steps: dict[str, Any], **more: Any) -> Path:
    """A file of these steps, as one that was edited by hand."""
    path.write_text(json.dumps({"version": 3, "steps": steps, **more}, indent=2))
    return path


def damage(path: Path) -> str:
    """What is said of a file."""
    with pytest.raises(DamagedRecording) as caught:
        load_recording(path)
    return str(caught.value)


def test_saved_recording_loads_unchanged(tmp_path: Path) -> None:
    """A recording loads as it was saved, saving it once more changes nothing; no file has no steps."""
    recording = Recording(version=3, steps=(RecordedStep.model_validate(STEP),))
    path = tmp_path / "deep" / "it.json"
    assert not load_recording(path).steps
    assert save_recording(path, recording)
    assert load_recording(path) == recording
    assert not save_recording(path, recording)
    assert [p.name for p in path.parent.iterdir()] == ["it.json"]
    assert path.read_text() == dump_recording(recording)


@pytest.mark.parametrize("length", [0, 1, 30, 200, 400])
def test_truncated_file_is_reported_with_its_name_and_line(tmp_path: Path, length: int) -> None:
    """Wherever the file ends, the error names the file, the line, and the remedy."""
    path = written(tmp_path / "it.json", STEP)
    cut = path.read_text()[:length]
    path.write_text(cut)
    message = damage(path)
    lines = cut.count("\n") + 1
    assert any(message.startswith(f"{path}:{n}: ") for n in (lines, lines - 1))
    assert "--webtask-mode=auto" in message and "version control" in message


@pytest.mark.parametrize("mark", ["<<<<<<< HEAD", "=======", ">>>>>>> theirs", "||||||| base"])
def test_merge_conflict_is_reported_with_its_line(tmp_path: Path, mark: str) -> None:
    """The error names the line of the first conflict marker."""
    path = written(tmp_path / "it.json", STEP)
    lines = path.read_text().splitlines()
    path.write_text("\n".join([*lines[:7], mark, *lines[7:]]))
    assert damage(path).startswith(f"{path}:8: ")
    assert "merge conflict" in damage(path)
    assert f"git checkout --ours -- {path}, or --theirs" in damage(path)


OTHER = [
    *("[]", "3", '"x"', "null", "{}", "[" * 100_000, "\x00", "{'a': 1}"),
    '{"version": 3, "steps": [caf\xe9',
    # Only the number 3 is a known version.
    *(json.dumps({"steps": [], "version": v}) for v in (1, 2, 0, "1", None, [1], True)),
]


@pytest.mark.parametrize("text", OTHER)
def test_other_json_is_refused(tmp_path: Path, text: str) -> None:
    """Lists, numbers, endless nesting, other encodings and versions raise the error for a damaged recording."""
    path = tmp_path / "it.json"
    path.write_bytes(text.encode("latin-1"))
    message = damage(path)
    assert message.startswith((f"{path}: ", f"{path}:1: "))
    assert "version" in message or "steps" not in text or "caf" in text


@pytest.mark.parametrize(
    ("changes", "where"),
    [
        ({"kind": "dance"}, "kind"),
        ({"occurrence": 0}, "occurrence"),
        ({"occurrence": "two"}, "occurrence"),
        ({"calls": {}}, "calls"),
        ({"calls": [{"tool": ["click"]}]}, "calls[0].tool"),
        ({"evidence": [{"kind": "vibe"}]}, "evidence[0]"),
        ({"surprise": 1}, "surprise"),
    ],
)
def test_wrong_types_are_reported_with_file_and_place(
    tmp_path: Path, changes: dict[str, Any], where: str
) -> None:
    """The error names the wrong value by its path."""
    path = written(tmp_path / "it.json", STEP, step(**changes))
    message = damage(path)
    assert message.startswith(f"{path}: ") and f"steps[1].{where}" in message, message


def test_step_that_could_not_fail_is_refused(tmp_path: Path) -> None:
    """Without evidence, sources or an element a step would always pass or return a constant."""
    path = tmp_path / "it.json"
    for kind in ("do", "verify", "holds"):
        problem = damage(written(path, step(kind=kind, evidence=[])))
        assert f"this {kind} has no check that proves it" in problem
        assert "Value error" not in problem and ", got " not in problem
    # Only `holds` may have been denied.
    no = step(kind="verify", evidence=[], negative_evidence=STEP["evidence"])
    assert "has no check that proves it" in damage(written(path, no))
    assert load_recording(written(path, {**no, "kind": "holds"})) is not None
    sources = [{"kind": "text", "target": {"locators": ['get_by_role("status")']}}]
    for given in ({"value": 3}, {"sources": sources}):
        assert "has no check that proves it" in damage(written(path, step(kind="extract", **given)))
    assert "has no check that proves it" in damage(written(path, step(kind="select")))


def test_steps_are_added_in_their_places(tmp_path: Path) -> None:
    """A step is replaced in its place, new ones come last; what another process has written since counts."""
    a, b, c, d = (RecordedStep.model_validate(step(sentence=s)) for s in "abcd")
    store, other = (Store(tmp_path, "recordings", tmp_path) for _ in range(2))
    place = CallSite(tmp_path / "test_it.py", "test_it")
    path = store.file(place)
    save_recording(path, Recording(version=3, steps=(a, b)))
    news = [b.model_copy(update={"facts": (name,)}) for name in ("one", "two")]
    others = {"variant": "de", "webtask": "seller", "occurrence": 2, "kind": "verify"}
    branches = [
        RecordedStep.model_validate(step(sentence="a", **{k: v})) for k, v in others.items()
    ]
    assert other.find(place, b.key) == b
    for each, new in ((store, [news[0], c]), (other, [news[1], d, *branches])):
        for one in new:
            each.keep(place, one, {})
        each.end_test(passed=True)
        written, problems = each.write()
        assert len(written) == len(new) and not problems
    assert load_recording(path).steps == (a, news[0], c, d, *branches)


def test_refuted_steps_are_not_written(tmp_path: Path) -> None:
    """What the second run confirms takes the place of what the first has recorded; what it refutes goes."""
    kept = RecordedStep.model_validate(STEP)
    store, place = (
        Store(tmp_path, "recordings", tmp_path),
        CallSite(tmp_path / "test_it.py", "test"),
    )
    for passed in (False, True):
        store.keep(place, kept, {})
        store.end_test(passed=True)
        assert store.find(place, kept.key) == kept and store.is_new(place, kept.key)
        confirmed = kept.model_copy(update={"quiet": True})
        store.keep(place, confirmed, {})
        store.end_test(passed=passed, confirms=True)
        assert [each.confirmed for each in store.write()[0]] == [True] * passed
        assert store.find(place, kept.key) == (confirmed if passed else None)


# In a run

PAGE = """<h1>Notes</h1><p role=status>Ready</p>
<button onclick="fetch('/clicked')">Save</button>"""
PLAYS = """
"a heading says Notes": [holds(text("heading:Notes", "Notes"))],
"the state is Ready": [holds(text("status:Ready", "Ready"))],
"press save": [[act("click", "button:Save")], done(text("status:Ready", "Ready"))],
"""
NAMES = "damaged locator unknown_call no_id".split()
TESTS = (
    "".join(
        f"""
def test_{name}(webtask):
    webtask.goto("/notes")
    webtask.verify("a heading says Notes")
"""
        for name in NAMES
    )
    + """
def test_good(webtask):
    webtask.goto("/notes")
    webtask.verify("the state is Ready")

def test_hostile(webtask):
    webtask.goto("/notes")
    webtask.do("press save")
"""
)

Change = Callable[[list[dict[str, Any]]], object]


@pytest.fixture(scope="module")
def edited(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Project]:
    """A project whose recordings were edited after they had been made."""
    root = tmp_path_factory.mktemp("damaged")
    with project(root, PLAYS, TESTS) as inner:
        inner.site.pages["/notes"] = PAGE
        inner.passes()
        inner.file("test_damaged").write_text(inner.file("test_good").read_text()[:-40])
        hostile = {"locators": ["__import__('os').abort()"]}
        inner.edit("test_locator", lambda s: s[0]["evidence"][0]["target"].update(hostile))
        inner.edit("test_hostile", with_locator('get_by_role("button").page.close()'))
        inner.edit("test_unknown_call", lambda s: s[0].update(calls=[{"tool": "format_disk"}]))
        inner.edit("test_no_id", lambda s: s[0].update(calls=[{"tool": "hover"}]))
        yield inner


@pytest.fixture(scope="module")
def run(edited: Project) -> dict[str, Any]:
    """The replay of that project: outcome and words of each test."""
    ran = edited.run("--webtask-mode=replay", "--webtask-heal=pass")
    assert not ran.asked
    return {"requests": ran.requests, **ran.tests}


def test_damaged_file_fails_its_own_test_only(edited: Project, run: dict[str, Any]) -> None:
    """The error names file and line, the test beside it replays, and no code of a file is run."""
    case = run["test_damaged"]
    assert case.outcome == "failed"
    assert f"{edited.file('test_damaged')}:" in case.message and "cannot be read" in case.message
    assert run["test_good"].outcome == "passed"
    assert run["test_locator"].outcome == run["test_hostile"].outcome == "failed"
    assert "GET /clicked" not in run["requests"]


@pytest.mark.parametrize("name", ["unknown_call", "no_id"])
def test_invalid_calls_and_checks_fail(run: dict[str, Any], name: str) -> None:
    """Invalid calls and checks fail as a recording that cannot be replayed, not with an internal error."""
    case = run[f"test_{name}"]
    assert case.outcome == "failed"
    assert any(word in case.message for word in ("Drifted", "cannot be"))
    assert "KeyError" not in case.message and "pydantic" not in case.message
