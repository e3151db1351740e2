"""A run that pauses at a failed step, whose page becomes a live session until somebody lets it go on."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, ClassVar

from pytest_webtask.desk.commands import Answer, Command
from pytest_webtask.desk.desk import FOLDER, OwnDesk
from pytest_webtask.errors import WebtaskError
from pytest_webtask.export.statements import code_of
from pytest_webtask.journal import StepNoted
from pytest_webtask.live.session import IDLE, LiveSession
from pytest_webtask.llm.role_models import RoleModels
from pytest_webtask.run.run_state import RunState
from pytest_webtask.run.webtask import Webtask

NAME = "failure"
"""The name of the session of a paused run."""
_RUNNING = Command("run the tests")
"""What the session of a run is busy with until a step fails."""
_HOW_TO_GO_ON = """\
The run is paused. Look, try sentences (do, verify, ...), then do the failed step once more: redo; say that it is
a bug: bug "what is wrong"; or only let the run go on: resume. Both wait for the next failure, or the end of the run.
The test stays failed in each case."""


@dataclass
class FailedStep(LiveSession):
    """The session of a failed step, which `redo` does once more."""

    redo: Callable[[], Any] = lambda: None
    conclusions: list[str] = field(default_factory=list, init=False)
    """Lines for the message of the failure."""
    answers_end: ClassVar[bool] = False
    pauses: bool = field(default=True, init=False)
    """Whether the run pauses at the next failure, too."""

    @property
    def commands(self) -> Mapping[str, Callable[[str], Answer]]:
        """The commands that are no step, each with the function that takes its text."""
        return {
            **super().commands,
            "redo": lambda _: self._redo(),
            "bug": self._bug,
            "resume": lambda _: self._resume(),
            "stop": lambda _: self._resume(pauses=False),
            "save": lambda _: Answer(
                "a paused run saves no test: start a session of its own", ok=False
            ),
        }

    def _redo(self) -> Answer:
        """Do the failed step once more; where its recording doesn't fit, the model may propose another."""
        answer, _ = self._run(self.redo)
        outcome = "it passed" if answer.ok else "it failed as well"
        self.conclusions.append(f"done once more while the run was paused: {outcome}")
        heals = self._record(self.webtask.at[1]).heals
        lines = [f"  - {heal.old}\n  + {heal.new}" for each in heals for heal in each.heals]
        lines += [f"  {change}" for each in heals for change in each.changes]
        if lines:
            lines = ["proposed for the recording:", *lines, "after the run: pytest-webtask accept"]
        return Answer("\n".join([answer.text, *lines]), answer.ok, answer.picture)

    def _bug(self, what: str) -> Answer:
        self.conclusions.append(f"called a bug: {what}")
        return self._resume()

    def _resume(self, *, pauses: bool = True) -> Answer:
        self.is_over, self.pauses = True, pauses
        return Answer("")


@dataclass
class Pausing:
    """A plugin that holds the failed steps of a run. Raises UsageError if another run does that here."""

    state: RunState
    _desk: OwnDesk = field(init=False)

    def __post_init__(self) -> None:
        self._desk = OwnDesk(self.state.root / FOLDER / NAME, is_session=True)
        self._desk.busy_with(_RUNNING)
        self.state.pausing = self

    def pytest_unconfigure(self) -> None:
        """End the session with the run."""
        self._desk.close()

    def hold(self, webtask: Webtask, problem: WebtaskError, redo: Callable[[], Any]) -> None:
        """Keep the page of a failed step open until a command lets the run go on, or none comes for long."""
        runner, state = webtask._runner, self.state
        # A step in a callback would wait for itself.
        if state.is_paused or state.running or not (runner.recordings.begun and runner.has_page):
            return
        session = FailedStep(webtask, state, redo=runner.recordings.repeater(redo))
        recorded = runner.recordings.in_file
        code = (
            ["recorded as:", *(f"  {line}" for line in code_of(recorded)), ""] if recorded else []
        )
        with self._paused(webtask):
            page = session.perform(Command("look"))
            title = f"PAUSED at step {webtask.at[1]} of {state.test.name}"
            lines = [title, "", str(problem), "", *code, page.text, "", _HOW_TO_GO_ON]
            self._desk.answer(Answer(state.scrub("\n".join(lines)), False, page.picture))
            session.serve(self._desk, IDLE)
        for words in session.conclusions:
            runner.write(StepNoted(about="paused", words=words))
        message, *others = problem.args
        problem.args = (state.scrub("\n".join([message, *session.conclusions])), *others)
        if not session.pauses:
            state.pausing = None
        self._desk.busy_with(_RUNNING)

    @contextmanager
    def _paused(self, webtask: Webtask) -> Iterator[None]:
        """Let a model be asked, by default whoever took over; no failure pauses meanwhile."""
        runner, state = webtask._runner, self.state
        models, mode = runner.models, runner.recordings.mode
        state.is_paused = True
        if mode == "replay":
            runner.recordings.mode = "auto"
        if models.is_literal("worker"):
            model = state.load_model("handoff", runner.settings)
            runner.models = RoleModels(model, state.budget, runner.settings.literal)
        try:
            yield
        finally:
            state.is_paused = False
            runner.models, runner.recordings.mode = models, mode
