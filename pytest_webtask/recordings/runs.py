"""What the commands read in the journals: the runs, and what was done in the tests of each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from pytest_webtask.errors import UsageError
from pytest_webtask.journal import RUNS, read

__all__ = [
    "Attempt",
    "attempts",
    "last_pass",
    "matching",
    "near",
    "proposals",
    "root_above",
    "runs",
]

_KINDS = frozenset(("step", "step_end", "made", "page", "phase"))
_PHASES = {"setup", "call", "teardown"}


@dataclass
class Attempt:
    """The lines of one test in one run, of its last attempt; `phases` are outcomes by phase."""

    lines: list[dict[str, Any]] = field(default_factory=list)
    phases: dict[str, str] = field(default_factory=dict)

    @property
    def passed(self) -> bool:
        """Whether all of it did."""
        return self.phases.keys() >= _PHASES and {*self.phases.values()} == {"passed"}


def root_above(folder: Path) -> Path:
    """The folder of the project, from here upwards. Raises UsageError."""
    for each in (folder, *folder.parents):
        if (each / RUNS).is_dir():
            return each
    raise UsageError(
        f"there is no {RUNS.as_posix()} in {folder} or above it: no test was run here yet\n"
        "type: pytest"
    )


def runs(root: Path, name: str = "") -> list[Path]:
    """The folders of runs, the newest first; or the one of a name. Raises UsageError."""
    found = sorted((p for p in (root / RUNS).iterdir() if p.is_dir()), reverse=True)
    if not name:
        return found
    name = Path(name).name
    for run in found:
        if run.name == name:
            return [run]
    newest = ", ".join(run.name for run in found[:5]) or "none"
    raise UsageError(f"there is no run {name!r} in {root / RUNS}; the newest are {newest}")


def attempts(run: Path) -> dict[str, Attempt]:
    """What was done in each test of a run, by the test's node id."""
    found: dict[str, Attempt] = {}
    for line in read(run):
        test = line.get("test")
        if line["kind"] not in _KINDS or not isinstance(test, str):
            continue
        attempt = found.setdefault(test, Attempt())
        # A rerun begins where everything of the test had ended.
        if "teardown" in attempt.phases:
            attempt = found[test] = Attempt()
        if line["kind"] == "phase":
            attempt.phases[str(line.get("when"))] = str(line.get("outcome"))
        else:
            attempt.lines.append(line)
    return found


def matching(wanted: str, names: Iterable[str]) -> list[str]:
    """The names that are meant: that very one, those that end so, or those that it is a part of."""
    known = sorted(set(names))
    ends = [f"{mark}{wanted}" for mark in ("/", "::", ".")]
    unparametrized = [n for n in known if n.partition("[")[0].endswith(tuple(ends))]
    return (
        [n for n in known if n == wanted]
        or [n for n in known if n.endswith(tuple(ends))]
        or unparametrized
        or [n for n in known if n.partition("[")[0] == wanted]
        or [n for n in known if wanted in n]
    )


def near(wanted: str, names: Iterable[str]) -> str:
    """What else might have been meant, for an error."""
    short = {name.rpartition("::")[2] or name: name for name in sorted(set(names))}
    close = get_close_matches(wanted.rpartition("::")[2], short, n=5, cutoff=0.4)
    return "\n".join(f"  {short[name]}" for name in close or list(short)[:5])


def last_pass(root: Path, wanted: str, run: str = "") -> tuple[str, dict[str, Attempt], Path]:
    """A test, all tests of the run in which it last passed whole, and that run.

    Raises UsageError.
    """
    known: set[str] = set()
    failed = ""
    for folder in runs(root, run):
        tests = attempts(folder)
        known |= tests.keys()
        found = matching(wanted, tests)
        if len(found) > 1:
            listed = "\n".join(f"  {name}" for name in found)
            raise UsageError(f"{wanted!r} may be one of these:\n{listed}\nname one of them")
        for name in found:
            if tests[name].passed:
                return name, tests, folder
            failed = failed or name
    where = f"the run {run}" if run else "any run"
    if failed:
        raise UsageError(f"{failed} has not passed whole in {where}\ntype: pytest {_typed(failed)}")
    if not known:
        raise UsageError(f"no test with a webtask is in {where}\ntype: pytest")
    raise UsageError(
        f"there is no test {wanted!r} in {where}; near are\n{near(wanted, known)}\n"
        "name one of these, or run it first: pytest TEST"
    )


def proposals(run: Path) -> Iterator[dict[str, Any]]:
    """The heals of a run that wait to be accepted.

    What a test went on with, and then failed, has shown nothing; what stopped it is a proposal only.
    """
    lines = list(read(run))
    failed = {
        (line.get("test"), line.get("attempt", 1))
        for line in lines
        if line["kind"] == "phase" and line.get("outcome") == "failed"
    }
    for line in lines:
        at = (line.get("test"), line.get("attempt", 1))
        if line["kind"] == "proposal" and not (line.get("used", True) and at in failed):
            yield line


def _typed(test: str) -> str:
    return f'"{test}"' if set(test) & set(" []") else test
