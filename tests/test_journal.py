"""The journal: what a run leaves behind, even if it is killed, and how it is read again."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from pytest_webtask import PageError, Secret, Turn, Webtask, journal
from pytest_webtask.journal import Journal
from tests.inner import CONFTEST, lines
from tests.scripted import Scripted, call, done, on
from tests.site import Site


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """The folder of a run."""
    return tmp_path / ".webtask" / "runs" / "one"


@pytest.fixture
def open_journal(run: Path) -> Iterator[Callable[..., Journal]]:
    """Opens journals of that run, or of another folder, and closes them in the end."""
    with ExitStack() as opened:
        yield lambda *name, folder=run: opened.enter_context(closing(Journal(folder, *name)))


class TestWriting:
    def test_a_line_is_on_disk_when_write_returns(
        self, run: Path, open_journal: Callable[..., Journal]
    ) -> None:
        """Each has its time and kind, and the first says whose journal it is."""
        written = open_journal("gw0")
        before = time.time()
        written.write("step", test="t", sentence="log in\nas ännchen", path=Path("x"))
        first, second = map(json.loads, (run / "gw0.jsonl").read_text("utf-8").splitlines())
        assert first["kind"] == "run"
        assert (first["version"], first["pid"]) == (journal.VERSION, os.getpid())
        assert second["sentence"] == "log in\nas ännchen"
        assert before - 0.01 <= second["time"] <= time.time() + 0.01
        written.close()

    def test_nothing_is_made_before_the_first_line(
        self, run: Path, open_journal: Callable[..., Journal]
    ) -> None:
        """A run that journals nothing leaves no folder."""
        open_journal().close()
        assert not run.exists()

    def test_git_is_told_to_ignore_it(
        self, run: Path, open_journal: Callable[..., Journal]
    ) -> None:
        """`.webtask` ignores itself, and what a user wrote there stays."""
        open_journal().write("step")
        ignore = run.parent.parent / ".gitignore"
        assert ignore.read_text().splitlines()[-1] == "*"
        ignore.write_text("!kept\n")
        open_journal(folder=run.with_name("two")).write("step")
        assert ignore.read_text() == "!kept\n"

    def test_equal_pictures_are_stored_once(
        self, run: Path, open_journal: Callable[..., Journal]
    ) -> None:
        """A page that did not change costs no second file, whoever saw it."""
        first = open_journal().save_picture(b"one")
        assert open_journal("gw1").save_picture(b"one") == first
        other = open_journal().save_picture(b"two")
        assert sorted(p.name for p in first.parent.iterdir()) == sorted([first.name, other.name])

    def test_half_a_surrogate_pair_is_written_as_json(
        self, run: Path, open_journal: Callable[..., Journal]
    ) -> None:
        """Pages may show text that is no Unicode, which must not end the test."""
        written = open_journal()
        written.write("step", sentence="a\ud800b")
        written.close()
        assert list(journal.read(run))[1]["sentence"] == "a\ud800b"


class TestReading:
    def test_lines_of_all_writers_come_in_the_order_of_time(
        self, run: Path, open_journal: Callable[..., Journal]
    ) -> None:
        """Each worker of xdist has a file of its own."""
        for name in ("gw1", "gw0", "gw1"):
            written = open_journal(name)
            written.write("step", test=name)
            written.close()
            time.sleep(0.002)
        steps = [line["test"] for line in journal.read(run) if line["kind"] == "step"]
        assert steps == ["gw1", "gw0", "gw1"]

    @pytest.mark.parametrize(
        "damage",
        [
            b'{"time": 3, "kind": "st',
            b"\xff\xfe\x00garbage",
            b"<<<<<<< HEAD",
            b"=======",
            b"",
            b"null",
            b"[]",
            b'"text"',
            b"{}",
            b'{"time": null, "kind": "step"}',
            b'{"time": 1%s, "kind": "step"}' % (b"0" * 400),
            b"[" * 100_000,
        ],
    )
    def test_a_damaged_line_is_told_in_its_place(self, run: Path, damage: bytes) -> None:
        """The lines around it are read as ever."""
        run.mkdir(parents=True)
        good = b'{"time": 2, "kind": "step"}\n'
        (run / "main.jsonl").write_bytes(good + damage + b"\n" + good.replace(b"2", b"4"))
        read = list(journal.read(run))
        assert [line["kind"] for line in read] == ["step", "damaged", "step"]
        assert (read[1]["file"], read[1]["line"]) == ("main.jsonl", 2)

    def test_a_cut_last_line_costs_only_itself(
        self, run: Path, open_journal: Callable[..., Journal]
    ) -> None:
        """As a process leaves it that was killed while writing, in the middle of a character."""
        written = open_journal()
        written.write("step", sentence="größer")
        written.write("step_end", status="completed")
        written.write("step", sentence="größer")
        written.close()
        file = run / "main.jsonl"
        text = file.read_bytes()
        file.write_bytes(text[: text.rindex("ö".encode()) + 1])
        assert [x["kind"] for x in journal.read(run)] == ["run", "step", "step_end", "damaged"]
        assert journal.run_summary(run) == ["1 step (1 completed), 0 iterations, 0 model calls"]

    def test_an_empty_file_or_folder_is_no_error(self, run: Path) -> None:
        """A process may be killed before its first line."""
        assert list(journal.read(run)) == []
        run.mkdir(parents=True)
        (run / "main.jsonl").touch()
        assert list(journal.read(run)) == []
        assert journal.run_summary(run) == []


class TestSummary:
    def test_it_adds_up_what_a_run_cost(
        self, run: Path, open_journal: Callable[..., Journal]
    ) -> None:
        """Steps by how they ended, those that never did, iterations, calls, tokens and dollars."""
        written = open_journal()
        usage = {
            "model_calls": 1,
            "input_tokens": 1000,
            "cache_read_tokens": 500,
            "output_tokens": 7,
        }
        for status in ("completed", "aborted", "completed"):
            written.write("step")
            written.write("iteration", usage={**usage, "cost": 0.011})
            written.write("step_end", status=status)
        written.write("step")
        expected = "4 steps (1 aborted, 1 broken off, 2 completed), 3 iterations, 3 model calls"
        assert journal.run_summary(run) == [f"{expected}, 4,500 tokens in, 21 out, $0.03"]
        written.write("iteration", usage={**usage, "cost": None})
        assert journal.run_summary(run)[0].endswith("cost not known")

    def test_rulings_count_and_do_not_say_who_decided(
        self, run: Path, open_journal: Callable[..., Journal]
    ) -> None:
        """A referee rules on a conclusion that somebody else came to; its tokens are used as well."""
        written = open_journal()
        usage = {"model_calls": 1, "input_tokens": 1000, "output_tokens": 7, "cost": 0.01}
        written.write("step")
        written.write("iteration", model="claude", usage=usage)
        written.write("ruling", model="recording", usage={**usage, "cost": 0.02})
        written.write("step_end", status="passed")
        assert journal.run_summary(run) == [
            "1 step (1 passed), 1 by a model, 2 iterations, 2 model calls,"
            " 2,000 tokens in, 14 out, $0.03"
        ]
        tally = written.tally
        assert (tally.model_calls, tally.tokens, tally.cost) == (2, 2014, 0.03)

    def test_lines_that_lack_what_they_should_have_are_survived(
        self, run: Path, open_journal: Callable[..., Journal]
    ) -> None:
        """As after a merge by hand."""
        written = open_journal()
        written.write("step_end")
        written.write("iteration", usage=None)
        assert journal.run_summary(run) == ["1 step (1 None), 1 iteration, 0 model calls"]


class TestOfATest:
    """Driven through the fixture, in the run's own journal."""

    def _read(self, webtask: Webtask, request: pytest.FixtureRequest) -> list[dict[str, object]]:
        folder = webtask._journal.folder
        return [x for x in journal.read(folder) if x.get("test") == request.node.nodeid]

    def test_all_that_happens_is_a_line(
        self, webtask: Webtask, model: Scripted, site: Site, request: pytest.FixtureRequest
    ) -> None:
        """Phases, steps, decisions, events as they happen, calls, iterations, in this order."""
        site.pages["/"] = "<button onclick='alert(1)'>Go</button>"
        webtask.goto(site.url)
        model.answers = [on("click", "button", "Go"), done("pressed it")]
        webtask.do("press it")
        read = self._read(webtask, request)
        step = "step decision event call iteration decision call iteration step_end step_time"
        assert [x["kind"] for x in read] == [
            "phase", "step", "step_end", "step_time", *step.split()
        ]  # fmt: skip
        assert all(isinstance(x["time"], float) and x["time"] > 1.7e9 for x in read)
        assert [x["time"] for x in read] == sorted(x["time"] for x in read)  # type: ignore[type-var]
        assert {x["step"] for x in read if x["kind"] != "phase"} == {1, 2}
        clicked = read[8]
        assert clicked["events"] == [{"kind": "dialog", "text": 'alert "1" was dismissed'}]
        assert 'button-0 "Go"' in clicked["observed"]["outline"]  # type: ignore[index]
        assert isinstance(clicked["seconds"], float)
        assert read[-2]["feedback"] == "pressed it"

    def test_a_decision_is_written_before_it_is_acted_upon(
        self, webtask: Webtask, model: Scripted, site: Site, request: pytest.FixtureRequest
    ) -> None:
        """When the page dies of it, the journal tells of what."""
        site.pages["/"] = "<button>Go</button>"
        webtask.goto(site.url)

        def close(turn: Turn) -> object:
            assert turn.observation.elements
            webtask.page.close()
            return call("click", element_id="button-0")

        model.answers = [close]  # type: ignore[list-item]
        with pytest.raises(PageError):
            webtask.do("press it")
        read = [x for x in self._read(webtask, request) if x["kind"] != "event"]
        assert [x["kind"] for x in read[-4:-1]] == ["step", "decision", "step_end"]
        assert read[-3]["calls"][0]["parameters"] == {"element_id": "button-0"}  # type: ignore[index]
        assert read[-2]["status"] == "error"

    def test_a_secret_may_be_the_name_of_a_field(
        self, webtask: Webtask, model: Scripted, site: Site, request: pytest.FixtureRequest
    ) -> None:
        """Values are scrubbed; the journal can still be read."""
        site.pages["/"] = "<p>status"
        webtask.goto(site.url)
        model.answers = [lambda t: (t.observation, done("the status is fine"))[1]]
        webtask.do("look", data={"word": Secret("status"), "end": Secret("calls")})
        end = next(x for x in self._read(webtask, request) if x.get("feedback"))
        assert end["feedback"] == "the {word} is fine"
        assert end["status"] == "completed"


def test_a_killed_process_keeps_every_line_before(pytester: pytest.Pytester) -> None:
    """SIGKILL in the middle of a call: its decision is there, and all is valid JSON."""
    pytester.makeconftest(CONFTEST)
    pytester.makepyfile(
        """
        import os, signal
        from tests.scripted import call, done

        def test_it(webtask, model):
            webtask.goto("data:text/html,<button>Go</button>")
            def die(turn):
                turn.observation
                # Tools run after the decision is written: the next thing that the loop does.
                webtask._hands.begin = lambda *resolved: os.kill(os.getpid(), signal.SIGKILL)
                return call("click", element_id="button-0")
            model.answers = [call("wait", seconds=0.01), die]
            webtask.do("press it")
        """
    )
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider"],
        cwd=pytester.path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == -signal.SIGKILL, done.stdout
    kinds = [line["kind"] for line in lines(pytester.path)]
    goto, step = "step step_end step_time", "step decision call iteration decision"
    assert kinds == ["run", "phase", *goto.split(), *step.split()]
    [run] = (pytester.path / ".webtask" / "runs").iterdir()
    assert "1 broken off" in journal.run_summary(run)[0]
