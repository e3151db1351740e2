"""The runs that a project keeps in `.webtask/runs`: found by their names, with their tests."""

import shutil
from collections.abc import Callable, Iterable
from difflib import get_close_matches
from itertools import chain
from pathlib import Path

from pytest_webtask.data.locks import is_ours
from pytest_webtask.errors import UsageError
from pytest_webtask.journal import RUN_NAME, RUNS, StepTraced, is_alive, read
from pytest_webtask.journal.runs import Run, TestAttempt
from pytest_webtask.journal.schema import Approval


def root_above(folder: Path) -> Path:
    """Return the project folder, which is here or above. Raises UsageError."""
    for each in (folder, *folder.parents):
        if (each / RUNS).is_dir():
            return each
    raise UsageError(
        f"there is no {RUNS.as_posix()} in {folder} or above it: no test was run here yet\n"
        "run the tests first: pytest"
    )


def list_runs(root: Path) -> list[Path]:
    """Return the folders of all runs of the project at `root`, newest first."""
    return sorted(filter(Path.is_dir, (root / RUNS).glob("*")), reverse=True)


def find_run(root: Path, run: str = "") -> Path:
    """Return the absolute path of a run, by its name or folder, "" for the last one. Raises UsageError."""
    kept, runs = root / RUNS, list_runs(root)
    for folder in [Path(run).absolute(), kept / run] if run else runs:
        if any(folder.glob("*.jsonl")):
            return folder
    if not run:
        raise UsageError(
            f"no run is kept in {kept}\nrun the tests first: pytest --webtask-mode=replay"
        )
    newest = ", ".join(each.name for each in runs[:5])
    raise UsageError(f"there is no run {run!r}; the newest in {kept}: {newest or 'none'}")


def rulings(root: Path) -> set[Approval | None]:
    """Return the approvals that the kept runs have made, and not only found in recordings."""
    made: set[Approval | None] = set()
    for event in chain.from_iterable(map(read, list_runs(root))):
        if isinstance(event, StepTraced) and (event.mode or event.decided_by == "model"):
            made.add(event.trace.approved)
    return made


def last_pass(root: Path, test: str, run: str = "") -> tuple[str, TestAttempt, Path]:
    """Return a test's full name, and its attempt and the folder of the run in which it last passed. Raises UsageError."""
    known: set[str] = set()
    for folder in [find_run(root, run)] if run else list_runs(root):
        tests = Run.read(folder).last_attempts()
        known |= tests.keys()
        matches = matching_names(test, tests)
        if len(matches) > 1:
            listed = "\n".join(f"  {name}" for name in matches)
            raise UsageError(f"{test!r} matches several tests:\n{listed}\nname one of them")
        if matches and tests[matches[0]].passed:
            return matches[0], tests[matches[0]], folder
    where = f"the run {run}" if run else f"any run that is kept in {RUNS.as_posix()}"
    for name in matching_names(test, known):
        raise UsageError(f'{name} has not passed in {where}\nrun it first: pytest "{name}"')
    raise UsageError(
        f"there is no test {test!r} that uses webtask in {where}\n{near_matches(test, known)}\n"
        "name one of these, or run it first: pytest TEST"
    )


def matching_names(name: str, names: Iterable[str]) -> list[str]:
    """Return the names that equal a name, else those that end with it, else those that contain it."""
    known = sorted(set(names))
    ends = tuple(f"{mark}{name}" for mark in ("/", "::", "."))

    def ends_so(each: str) -> bool:
        case = f"/{each}"
        return case.endswith(ends) or case.partition("[")[0].endswith(ends)

    ways: tuple[Callable[[str], bool], ...] = (name.__eq__, ends_so, lambda each: name in each)
    return next(filter(None, (list(filter(way, known)) for way in ways)), [])


def near_matches(name: str, names: Iterable[str]) -> str:
    """Return similar names in indented lines, for an error message."""
    short = {each.rpartition("::")[2] or each: each for each in sorted(set(names))}
    close = get_close_matches(name.rpartition("::")[2], short, n=5, cutoff=0.4)
    return "\n".join(f"  {short[each]}" for each in close or list(short)[:5])


def prune_runs(run: Path, number: int) -> None:
    """Keep the last `number` runs, including this one, and remove the others that have ended."""
    others = sorted(
        each
        for each in {*run.parent.iterdir()} - {run}
        if RUN_NAME.fullmatch(each.name) and any(each.glob("*.jsonl"))
    )
    for folder in others[: max(len(others) - number + 1, 0)]:
        if is_ours(folder) and not is_alive(folder):
            # Another process may read the folder, or remove it as well.
            shutil.rmtree(folder, ignore_errors=True)
