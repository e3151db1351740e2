"""A disk that cannot be written costs records, never the results of the tests."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from pytest_webtask import Secret, UsageError
from tests.inner import Project, project

pytestmark = pytest.mark.slow

PLAYS = (
    '"note one": [act("fill", "textbox:Note", text="one"), done(text("status:Saved", "Saved"))],'
)
TESTS = """
import pytest

def test_good(webtask):
    webtask.goto("/")
    webtask.do("note one")

def test_bad(webtask):
    webtask.goto("/")
    webtask.do("note one")
    assert 1 == 2
"""
FULL = """
import errno
from io import TextIOWrapper
from pytest_webtask import journal

_open = journal.Path.open

class Full:
    def __init__(self, file): self.file = file
    def write(self, text): raise OSError(errno.ENOSPC, "No space left on device")
    def flush(self): pass
    def close(self): self.file.close()

def full(path, *args, **kwargs):
    file = _open(path, *args, **kwargs)
    return Full(file) if path.suffix == ".jsonl" and "a" in args else file

journal.Path.open = full
"""


@pytest.fixture
def inner(tmp_path: Path) -> Iterator[Project]:
    """A project with a test that passes and one that fails."""
    with project(tmp_path, PLAYS, TESTS) as made:
        made.site.pages["/"] = "<label>Note <input></label><p role=status>Saved</p>"
        yield made


@pytest.mark.parametrize(
    ("workers", "screenshots"), [((), "on"), (("-n1",), "off")], ids=["alone", "xdist"]
)
def test_unwritable_folder_leaves_results(
    inner: Project, workers: Sequence[str], screenshots: str
) -> None:
    """A `.webtask` that cannot be a folder is reported in one line; outcomes and exit code are unchanged."""
    inner.write(".webtask", "a file")
    run = inner.run(f"--webtask-screenshots={screenshots}", *workers)
    assert run.outcomes == {"test_good": "passed", "test_bad": "failed"}, run.printed
    assert run.code == 1 and "INTERNALERROR" not in run.printed
    assert run.printed.count("could not be written: ") == 1


def test_full_disk_leaves_results(inner: Project) -> None:
    """A disk that is full when the journal is written is one clear line."""
    inner.write("conftest.py", (inner.root / "conftest.py").read_text() + FULL)
    run = inner.run("-k", "good", own_process=True)
    assert run.outcomes == {"test_good": "passed"}, run.printed
    assert run.code == 0 and "INTERNALERROR" not in run.printed
    assert "could not be written: No space left on device" in run.printed


@pytest.mark.parametrize("workers", [(), ("-n1",)], ids=["alone", "xdist"])
def test_unwritable_recordings_leave_results(inner: Project, workers: Sequence[str]) -> None:
    """A recording that cannot be written is one clear line, and an exit code; outcomes and the report are as ever."""
    # A file of that name is what a save writes first; root may write into any folder.
    inner.write("recordings/test_it/.test_good.json.partial/file", "")
    run = inner.run("-k", "good", *workers)
    assert run.outcomes == {"test_good": "passed"} and "INTERNALERROR" not in run.printed
    assert run.code == 1
    assert "recordings/test_it/test_good.json could not be written: " in run.printed
    assert "report: " in run.printed


def test_secret_of_invalid_unicode_is_refused() -> None:
    """Half a surrogate pair is no text, and the error does not show it."""
    with pytest.raises(UsageError, match="valid Unicode") as error:
        Secret("hunter2-\ud83d")
    assert "hunter2" not in str(error.value)


def test_module_outside_the_root_directory_is_named(inner: Project) -> None:
    """A step that no module below the root directory calls is not recorded, and the run says why."""
    inner.write("sub/readme.txt", "")
    run = inner.run("--rootdir=sub", "-k", "good", "--webtask-mode=record")
    assert run.code == 0
    assert ": do('note one') was not recorded: the step was called from outside of" in run.printed
    assert "pass a --rootdir that contains the caller" in run.printed
