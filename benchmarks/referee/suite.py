"""The example suite's recorded steps as pairs: their own conclusions, and others on the same facts.

`python -m benchmarks.referee.suite` replays the suite on the real shop, with its approvals taken
out so that a referee is asked, and writes what it is asked to `suite.json`.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.referee.conclusions import Submitted
from benchmarks.referee.pairs import Pair
from pytest_webtask.checks.base import CheckResult, Fact
from pytest_webtask.checks.floor import uncited
from pytest_webtask.checks.page import Title
from pytest_webtask.types.agent import Conclusion, Decision, ProposedToolCall, Turn
from pytest_webtask.types.model import ModelTraits

__all__ = ["CONCLUSIONS", "OTHERS", "listener", "record", "suite_pairs"]

ROOT = Path(__file__).parents[2]
CONCLUSIONS = Path(__file__).with_name("suite.json")
_KEPT_IN = "WEBTASK_CONCLUSIONS"
"""The environment variable with the file to which conclusions are appended."""


@dataclass(frozen=True)
class Other:
    """Another sentence on the facts of a recorded step, and whether they prove it."""

    sentence: str
    true: bool
    trick: str


_LISTED = json.loads(Path(__file__).with_name("others.json").read_text("utf-8"))

OTHERS: dict[str, list[Other]] = {
    recorded: [Other(**each) for each in others] for recorded, others in _LISTED.items()
}
"""Other sentences by the recorded one, some of which its facts prove."""
"""By the sentences of the recordings."""


def suite_pairs() -> Iterator[Submitted]:
    """Return the recorded conclusions and the other ones, as they are on their way to a referee."""
    number = 0
    for recorded in json.loads(CONCLUSIONS.read_text(encoding="utf-8")):
        own = Conclusion.model_validate(recorded)
        for each in (Other(own.sentence, True, ""), *OTHERS[own.sentence]):
            number += 1
            conclusion = own.model_copy(update={"sentence": each.sentence})
            pair = Pair(
                own.kind,
                each.sentence,
                [],
                each.true,
                each.trick,
                own.outcome or "holds",  # type: ignore[arg-type]
                own.value,
                actions=list(own.actions),
                id=f"suite-{number:02}",
                scene="suite",
            )
            refused = "; ".join(_uncited(conclusion)) if own.outcome == "holds" else ""
            yield Submitted(pair, refused, None if refused else conclusion)


def _uncited(conclusion: Conclusion) -> list[str]:
    """Return what code has against a claim on these facts, all of whose checks held."""
    known = Fact.model_fields
    results = [
        CheckResult(
            check=Title(text="any"),
            about="",
            expected=fact.get("expected", ""),
            values=(fact.get("expected", ""),),
            fact=Fact.model_validate({k: v for k, v in fact.items() if k in known}),
        )
        for fact in conclusion.facts
    ]
    return uncited(conclusion.sentence, results, {})


# Recording


class _Listener:
    """Approves whatever it is asked, and keeps it."""

    traits = ModelTraits(looks_at_page=False)

    def decide(self, turn: Turn) -> Decision:
        assert turn.conclusion is not None, f"nothing but the recording decides: {turn.task}"
        asked = turn.conclusion.model_dump(mode="json", exclude_defaults=True)
        with Path(os.environ[_KEPT_IN]).open("a", encoding="utf-8") as file:
            file.write(json.dumps(asked, ensure_ascii=False) + "\n")
        answer = {"counterexample": "", "proves": True, "missing": ""}
        return Decision([ProposedToolCall("rule", answer)])


def listener() -> _Listener:
    """Return the model of the run that records."""
    return _Listener()


def record(into: Path = CONCLUSIONS) -> None:
    """Replay the example suite without its approvals, and write each conclusion once."""
    with TemporaryDirectory() as folder:
        kept = Path(folder, "kept.jsonl")
        suite = Path(folder, "suite")
        shutil.copytree(ROOT / "example_suite", suite)
        for file in suite.glob("recordings/*/*.json"):
            recording = json.loads(file.read_text(encoding="utf-8"))
            for step in recording["steps"]:
                step.pop("approved", None)
            file.write_text(json.dumps(recording), encoding="utf-8")
        Path(folder, "pytest.ini").write_text("[pytest]\npythonpath = suite\n")
        model = "--webtask-model=benchmarks.referee.suite:listener"
        command = [sys.executable, "-m", "pytest", "suite/test_in_english.py", "--webtask-mode=auto", model]  # fmt: skip
        path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
        env = {k: v for k, v in os.environ.items() if k != "CI"}
        env |= {_KEPT_IN: str(kept), "PYTHONPATH": path, "PYTEST_PLUGINS": "scripts.system_browser"}
        subprocess.run(command, cwd=folder, env=env, check=True)
        conclusions: dict[str, Any] = {}
        for line in kept.read_text(encoding="utf-8").splitlines():
            # The port is another one in each run.
            one = json.loads(re.sub(r"127\.0\.0\.1:\d+", "127.0.0.1", line))
            conclusions.setdefault(one["sentence"], one)
    into.write_text(json.dumps(list(conclusions.values()), indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    record()
