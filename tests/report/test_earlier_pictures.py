"""The picture of then beside the one of now: from a kept run in which a drifted step passed, or none."""

from collections.abc import Callable
from pathlib import Path

import pytest

from pytest_webtask.journal import (
    PHASES,
    DecisionMade,
    Journal,
    JournalEvent,
    PhaseEnded,
    StepEnded,
    StepPictured,
    StepStarted,
    ToolCalled,
)
from pytest_webtask.journal.runs import EarlierPicture, Run
from pytest_webtask.report import write_report
from pytest_webtask.report.earlier_pictures import add_earlier_pictures
from pytest_webtask.report.reader import read_tests
from pytest_webtask.report.view import Pictures
from pytest_webtask.types.agent import Iteration, ToolCall
from pytest_webtask.types.page import Picture, Spot

TEST = "t.py::test_a"
NOW = "20260102-000000"
SIZE = (1280.0, 720.0)
Kept = Callable[..., None]


@pytest.fixture
def kept(tmp_path: Path) -> Kept:
    """Keeps a run with one step: `calls` succeeded, each after a picture; `after` is the last one."""

    def keep(run: str, status: str = "completed", calls: int = 2, **other: str) -> None:
        test, sentence = other.get("test", TEST), other.get("sentence", "buy")
        pictures = tmp_path / run / "screenshots"
        pictures.mkdir(parents=True)

        def picture(name: str) -> Picture:
            if name:
                (pictures / f"{run}-{name}.jpg").write_bytes(b"jpg")
            return Picture(path=f"screenshots/{run}-{name}.jpg", size=SIZE)

        journal = Journal(tmp_path / run, "main")

        def write(kind: type[JournalEvent], **fields: object) -> None:
            journal.write(kind(test=test, step=1, **fields))  # type: ignore[arg-type]

        write(StepStarted, step_kind="do", sentence=sentence)
        begun = Iteration(number=1, role="worker", started=0.0, time=0.0)
        write(DecisionMade, iteration=begun)
        for number in range(calls):
            spot = Spot(picture=picture(f"call-{number + 1}"), box=(1.0, 2.0, 3.0, 4.0))
            call = ToolCall(tool="click", parameters={}, success=True, spot=spot)
            write(ToolCalled, call=call)
        write(StepEnded, status=status)
        write(StepPictured, picture=picture(other.get("after", "after")))
        for phase in PHASES:
            fails = (phase, status) == ("call", "drifted")
            ended = PhaseEnded(phase=phase, outcome="failed" if fails else "passed", seconds=0.1)
            blamed = (("", 1),) if fails else ()
            journal.write(ended.model_copy(update={"test": test, "failed_steps": blamed}))
        journal.close()

    return keep


def then(tmp_path: Path) -> EarlierPicture | None:
    """The picture that is shown for the step which drifted now."""
    pictures = Pictures(tmp_path / "report", tmp_path)
    [test] = read_tests({tmp_path / NOW: Run.read(tmp_path / NOW)}, pictures)
    add_earlier_pictures(test, [tmp_path / NOW], pictures)
    return test.attempts[0].steps[0].then


def test_newest_run_in_which_the_step_passed_is_shown(tmp_path: Path, kept: Kept) -> None:
    """Runs in which it failed or had another sentence, later runs, and lost pictures are passed over."""
    kept(NOW, "drifted", calls=1)
    assert then(tmp_path) is None, "on another machine than the one that recorded"
    kept("20260101-000001")
    kept("20260101-000002")
    kept("20260101-000003", "drifted")
    kept("20260101-000004", sentence="sell")
    kept("20260101-000005", test="t.py::test_ab")
    kept("20260101-000006", calls=0, after="")
    kept("20260103-000000")
    shown = then(tmp_path)
    assert shown is not None and shown.run == "20260101-000002"


def test_report_shows_it_beside_the_page_of_now(tmp_path: Path, kept: Kept) -> None:
    """Both pictures are next to each other, at the top and in the step."""
    kept("20260101-000000")
    kept(NOW, "drifted", calls=0)
    write_report([tmp_path / NOW], tmp_path / "report")
    [page] = (tmp_path / "report" / "tests").glob("*.html")
    text = page.read_text()
    assert text.count(f"pictures/{NOW}-after.jpg") >= 2
    assert text.count("pictures/20260101-000000-call-1.jpg") == 2
    assert "Then, before call 1, when the step passed in run 20260101-000000" in text
