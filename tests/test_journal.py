"""The journal: what a run leaves behind, even if it is killed, and how it is read again."""

import json
import os
import re
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from pytest_webtask import PageError, Secret, Turn, Webtask, journal
from pytest_webtask.journal import (
    Damaged,
    DecisionMade,
    DraftsEnded,
    HealedElement,
    HealProposed,
    IterationEnded,
    Journal,
    JournalEvent,
    ModelNeeded,
    PageEvent,
    PageOpened,
    PhaseEnded,
    RulingMade,
    StepEnded,
    StepNoted,
    StepPictured,
    StepStarted,
    TaskChanged,
    ToolCalled,
)
from pytest_webtask.journal.schema import Key
from pytest_webtask.journal.summary import run_summary
from pytest_webtask.types.agent import Event, Iteration, Subtask, TaskRecord, ToolCall, Usage
from tests.inner import journaled
from tests.scripted import Scripted, call, done, on
from tests.site import Site

Open = Callable[..., Journal]


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """The folder of a run."""
    return tmp_path / ".webtask" / "runs" / "one"


@pytest.fixture
def open_journal(run: Path) -> Iterator[Open]:
    """Opens journals of that run, or of another folder, and closes them in the end."""
    with ExitStack() as opened:
        yield lambda *name, folder=run: opened.enter_context(closing(Journal(folder, *name)))


@pytest.fixture
def written(open_journal: Open) -> Journal:
    """The journal of that run."""
    return open_journal()


def started(sentence: str = "buy a mug", **fields: Any) -> StepStarted:
    """The start of a step."""
    return StepStarted(step_kind="do", sentence=sentence, **fields)


def iteration(**fields: Any) -> IterationEnded:
    """An iteration of a worker."""
    known = {"number": 1, "role": "worker", "started": 0.0, "time": 0.1, **fields}
    return IterationEnded(iteration=Iteration(**known))


def _is_wait(event: Any) -> bool:
    """Return whether an event says what was awaited, which depends on the machine."""
    return isinstance(event, PageEvent) and event.event.kind == "rest"


class TestWriting:
    def test_line_is_on_disk_when_write_returns(self, run: Path, open_journal: Open) -> None:
        """Each line has its time and kind, and the first one has the version and process id."""
        written = open_journal("gw0")
        before = time.time()
        written.write(started("log in\nas ännchen", test="t"))
        first, second = map(json.loads, (run / "gw0.jsonl").read_text("utf-8").splitlines())
        assert first["kind"] == "run_started"
        assert (first["version"], first["pid"]) == (journal.VERSION, os.getpid())
        assert second["sentence"] == "log in\nas ännchen"
        assert before - 0.01 <= second["time"] <= time.time() + 0.01
        written.close()

    def test_equal_pictures_are_stored_once(self, run: Path, open_journal: Open) -> None:
        """A picture with the same content is stored in one file."""
        first = open_journal().save_picture(b"one")
        assert open_journal("gw1").save_picture(b"one") == first
        other = open_journal().save_picture(b"two")
        assert sorted(p.name for p in first.parent.iterdir()) == sorted([first.name, other.name])

    def test_half_a_surrogate_pair_is_a_question_mark(self, run: Path, written: Journal) -> None:
        """Page text that is invalid Unicode is written without an error."""
        written.write(started("a\ud800b"))
        written.close()
        event = list(journal.read(run))[1]
        assert isinstance(event, StepStarted) and event.sentence == "a?b"

    def test_masking_keeps_the_names_of_fields(self, run: Path, written: Journal) -> None:
        """Field names are kept at any depth, even if a secret equals one; keys of free data are masked."""
        words = ("status", "tool", "goal", "subtasks", "record", "mug")

        def mask(value: object) -> object:
            text = json.dumps(value)
            for word in words:
                text = text.replace(word, "***")
            return json.loads(text)

        subtask = Subtask(goal="buy the mug", status="done")
        record = TaskRecord(description="the goal of a mug", subtasks=(subtask,))
        written.write(TaskChanged(test="mug", change="subtasks set", record=record), mask)
        parameters = {"tool": "mug", "amount": [1, "mug"]}
        call = ToolCall(tool="click", parameters=parameters, success=True)
        written.write(ToolCalled(test="mug", call=call), mask)
        _, changed, called = journal.read(run)
        assert isinstance(changed, TaskChanged) and isinstance(called, ToolCalled)
        assert changed.test == called.test == "mug", "a test's name is not masked"
        assert changed.change == "*** set"
        assert changed.record.description == "the *** of a ***"
        assert changed.record.subtasks == (Subtask(goal="buy the ***", status="done"),)
        assert called.call.tool == "click"
        assert called.call.parameters == {"***": "***", "amount": [1, "***"]}

    def test_value_of_any_type_is_written(self, run: Path, written: Journal) -> None:
        """A value that JSON cannot represent is written as text and masked."""
        value = {"when": date(2026, 1, 2), "where": Path("a/b"), "what": object}
        written.write(StepEnded(status="found", value=value), lambda each: each)
        _, event = journal.read(run)
        assert isinstance(event, StepEnded)
        assert event.value == {"when": "2026-01-02", "where": "a/b", "what": str(object)}


class TestReading:
    def test_lines_of_all_writers_come_in_the_order_of_time(
        self, run: Path, open_journal: Open
    ) -> None:
        """The files of all xdist workers are merged in the order of time."""
        for name in ("gw1", "gw0", "gw1"):
            written = open_journal(name)
            written.write(started(test=name))
            written.close()
            time.sleep(0.002)
        events = [event for event in journal.read(run) if isinstance(event, StepStarted)]
        assert [event.test for event in events] == [event.writer for event in events]
        assert [event.writer for event in events] == ["gw1", "gw0", "gw1"]

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
            b'{"time": null, "kind": "run_ended"}',
            b'{"time": NaN, "kind": "run_ended"}',
            b'{"time": 1%s, "kind": "run_ended"}' % (b"0" * 400),
            b'{"time": 1, "kind": ["run_ended"]}',
            b'{"time": 1, "kind": "step_started"}',
            b'{"time": 1, "kind": "tool_called", "call": {"tool": "click"}}',
            b'{"time": 1, "kind": "page_closed", "test": "t"}',
            b'{"time": 1, "kind": "run_ended", "color": "red"}',
            b'{"time": 1, "kind": "run_ended", "attempt": "third"}',
            b'{"time": 1, "kind": "iteration_ended", "iteration": {"usage": {"model_calls": "x"}}}',
            b'{"time": 1, "kind": "step_traced", "trace": [1]}',
            b'{"time": 1, "kind": "heal_proposed", "heals": 3}',
            b"[" * 100_000,
        ],
    )
    def test_damaged_line_is_reported_in_its_place(self, run: Path, damage: bytes) -> None:
        """A damaged line becomes an event between those of the lines around it."""
        run.mkdir(parents=True)
        good = b'{"time": 2, "kind": "run_ended"}\n'
        (run / "main.jsonl").write_bytes(good + damage + b"\n" + good.replace(b"2", b"4"))
        read = list(journal.read(run))
        assert [event.kind for event in read] == ["run_ended", "damaged", "run_ended"]
        assert isinstance(read[1], Damaged)
        assert (read[1].file, read[1].line, read[1].writer) == ("main.jsonl", 2, "main")

    def test_truncated_last_line_is_damaged(self, run: Path, written: Journal) -> None:
        """A last line that was cut inside a character is damaged; all others are read."""
        written.write(started("größer"))
        written.write(StepEnded(status="completed"))
        written.write(started("größer"))
        written.close()
        file = run / "main.jsonl"
        text = file.read_bytes()
        file.write_bytes(text[: text.rindex("ö".encode()) + 1])
        kinds = ["run_started", "step_started", "step_ended", "damaged"]
        assert [event.kind for event in journal.read(run)] == kinds
        assert run_summary(run) == ["1 step (1 completed), 0 iterations, 0 model calls"]

    def test_empty_file_or_folder_has_no_events(self, run: Path) -> None:
        """A missing folder and an empty journal are read as no events."""
        assert list(journal.read(run)) == []
        run.mkdir(parents=True)
        (run / "main.jsonl").touch()
        assert list(journal.read(run)) == []
        assert run_summary(run) == []


class TestSummary:
    def test_adds_up_steps_and_usage(self, run: Path, written: Journal) -> None:
        """The summary counts steps by status, iterations, calls, tokens and dollars."""
        usage = Usage(
            model_calls=1, input_tokens=1000, cache_read_tokens=500, output_tokens=7, cost=0.011
        )
        for status in ("completed", "aborted", "completed"):
            written.write(started())
            written.write(iteration(usage=usage))
            written.write(StepEnded(status=status))
        written.write(started())
        expected = "4 steps (1 aborted, 1 broken off, 2 completed), 3 by a model, 3 iterations"
        assert run_summary(run) == [f"{expected}, 3 model calls, 4,500 tokens in, 21 out, $0.03"]
        written.write(iteration(usage=usage.model_copy(update={"cost": None})))
        assert run_summary(run)[0].endswith("cost not known")

    def test_rulings_are_usage_and_no_decisions(self, run: Path, written: Journal) -> None:
        """Tokens of a referee's ruling are added, but it is not named as the one who decided."""
        usage = Usage(model_calls=1, input_tokens=1000, output_tokens=7, cost=0.01)
        written.write(started())
        written.write(iteration(model="claude", usage=usage))
        dearer = usage.model_copy(update={"cost": 0.02})
        ruled = iteration(model="recording", usage=dearer).iteration
        written.write(RulingMade(iteration=ruled))
        written.write(StepEnded(status="passed"))
        assert run_summary(run) == [
            "1 step (1 passed), 1 by a model, 2 iterations, 2 model calls,"
            " 2,000 tokens in, 14 out, $0.03"
        ]

    def test_counts_steps_that_would_ask_a_model(self, run: Path, written: Journal) -> None:
        """A step that a model or a draft decided, or for which a heal is proposed, does not count."""
        ends = {
            "drifts": ("drifted", None),
            "drifts in another test": ("drifted", None),
            "drifts and is proposed": ("drifted", HealProposed(file="f.json", used=False)),
            "has none": ("error", None),
            "is asked about": ("failed", iteration(model="claude")),
            "has a draft": ("completed", None),
        }
        for sentence, (status, event) in ends.items():
            place: dict[str, Any] = {"test": sentence, "step": 1}
            written.write(started(sentence, **place))
            cause: Any = "drifted" if "drifts" in sentence else "missing"
            shared = sentence.removesuffix(" in another test")
            key = Key(kind="do", sentence=shared, occurrence=1)
            written.write(ModelNeeded(**place, file="f.json", cause=cause, key=key))
            if event is not None:
                written.write(event.model_copy(update=place))
            written.write(StepEnded(status=status, **place))
        assert (
            "would ask a model: 2 steps (1 drifted, 1 without a recording), and perhaps those after"
            " them; to let it decide, type: pytest --webtask-mode=auto --webtask-model=NAME"
        ) in run_summary(run)

    def test_names_literal_sentences_left_to_a_model(self, run: Path, written: Journal) -> None:
        """The line has the reason, once for each step."""
        place: dict[str, Any] = {"test": "t", "step": 1}
        written.write(started('click "Go"', **place))
        for reason in ('2 elements could be "Go":', ""):
            event = iteration(model="claude")
            left = event.iteration.model_copy(update={"left": reason})
            written.write(event.model_copy(update={**place, "iteration": left}))
        written.write(StepEnded(status="completed", **place))
        _, *lines = run_summary(run)
        assert lines == [
            't: do(\'click "Go"\') is literal, but was left to a model: 2 elements could be "Go"'
        ]

    def test_lists_heals_hints_and_drafts(self, run: Path, written: Journal) -> None:
        """Heals, hints, drafts and unrecorded steps have lines of their own."""
        place: dict[str, Any] = {"test": "t", "step": 1}
        written.write(started("buy a mug", **place))
        heal = HealedElement(old="get_by_text('a')", new="get_by_text('b')", what="button")
        written.write(HealProposed(**place, file="f.json", heals=(heal,)))
        written.write(StepNoted(**place, about="similar", words="near"))
        written.write(StepNoted(**place, about="unrecorded", words="no locator"))
        for of_this_run in (True, False, True):
            written.write(
                StepNoted(**place, about="draft", words="replays", of_this_run=of_this_run)
            )
        written.write(DraftsEnded(test="t", kept=1))
        written.write(DraftsEnded(test="u", dropped=2))
        written.write(StepEnded(status="completed", **place))
        assert run_summary(run) == [
            "1 step (1 completed), 1 healed, 0 iterations, 0 model calls",
            "healed: do('buy a mug') in f.json",
            "  - get_by_text('a')",
            "  + get_by_text('b')   (button)",
            "t: do('buy a mug') was recorded as new: near",
            "t: do('buy a mug') was not recorded: no locator",
            "drafts replayed: 1 of tests that did not pass before, 2 decided earlier in this run",
            "drafts kept: 1 step of tests that did not pass; the next run replays them",
            "drafts dropped: 2 steps of tests that failed again; the next run asks a model",
            "if the elements with + are the right ones, type: pytest-webtask accept",
        ]


class TestOfATest:
    """Driven through the fixture, in the run's own journal."""

    def _read(self, webtask: Webtask) -> list[Any]:
        return [event for event in journaled(webtask) if not _is_wait(event)]

    @pytest.mark.own_page
    @pytest.mark.webtask(screenshots="on")
    def test_events_are_written_in_order(
        self, webtask: Webtask, model: Scripted, site: Site
    ) -> None:
        """Phases, steps, decisions, page events, calls and iterations are written as they happen."""
        site.pages["/"] = "<button onclick='alert(1)'>Go</button>"
        webtask.goto(site.url)
        model.answers = [on("click", "button", "Go"), done("pressed it")]
        webtask.do("press it")
        read = self._read(webtask)
        assert [type(event) for event in read] == [
            PhaseEnded,
            *(StepStarted, PageOpened, StepEnded, StepPictured),
            *(StepStarted, DecisionMade, PageEvent, ToolCalled, IterationEnded),
            *(DecisionMade, ToolCalled, IterationEnded, TaskChanged),
            *(TaskChanged, StepEnded, StepPictured),
        ]
        assert all(event.time > 1.7e9 for event in read)
        assert [event.time for event in read] == sorted(event.time for event in read)
        assert {event.step for event in read if not isinstance(event, PhaseEnded)} == {1, 2}
        started, clicked = read[5], read[9].iteration
        assert started.file == "tests/test_journal.py"
        assert started.source == 'webtask.do("press it")'
        assert clicked.events == (Event(kind="dialog", text='alert "1" was shown'),)
        assert 'button-0 "Go"' in clicked.observed.outline
        assert clicked.time > 0
        assert read[-2].reason == "pressed it"

    def test_decision_is_written_before_its_calls(
        self, webtask: Webtask, model: Scripted, site: Site
    ) -> None:
        """A decision is in the journal even if the page dies before its calls."""
        site.pages["/"] = "<button>Go</button>"
        webtask.goto(site.url)

        def close(turn: Turn) -> object:
            assert turn.observation.elements
            webtask.page.close()
            return call("click", element_id="button-0")

        model.answers = [close]  # type: ignore[list-item]
        with pytest.raises(PageError):
            webtask.do("press it")
        read = [e for e in self._read(webtask) if not isinstance(e, PageEvent)]
        assert [type(event) for event in read[-3:]] == [DecisionMade, TaskChanged, StepEnded]
        assert read[-3].iteration.calls[0].parameters == {"element_id": "button-0"}
        assert read[-1].status == "error"

    def test_secret_that_equals_a_field_name_is_masked_in_values_only(
        self, webtask: Webtask, model: Scripted, site: Site
    ) -> None:
        """Values are scrubbed, and the journal can still be read."""
        site.pages["/"] = "<p>status"
        webtask.goto(site.url)
        model.answers = [lambda t: (t.observation, done("the status is fine"))[1]]
        webtask.do("look", data={"word": Secret("status"), "end": Secret("calls")})
        read = self._read(webtask)
        [end] = [e for e in read if isinstance(e, StepEnded) and e.reason]
        assert (end.reason, end.status) == ("the {word} is fine", "completed")
        assert sum(isinstance(event, IterationEnded) for event in read) == 1
        assert not any(isinstance(event, Damaged) for event in read)


@pytest.mark.parametrize("event", journal.EVENTS.values(), ids=lambda event: event.__name__)
def test_docs_name_each_kind_and_its_fields(event: type[JournalEvent]) -> None:
    """Each kind is the name of its class, and its row in the docs names all its own fields."""
    kind = event.model_fields["kind"].default
    assert kind == re.sub(r"(?<!^)(?=[A-Z])", "_", event.__name__).lower()
    page = Path(__file__).parent.parent / "docs" / "reference" / "journal.md"
    rows = page.read_text("utf-8").splitlines()
    [row] = [line for line in rows if line.startswith(f"| `{kind}` |")]
    own = set(event.model_fields) - set(JournalEvent.model_fields)
    assert not {name for name in own if f"`{name}`" not in row}
