"""The roles that judge a page: the verifier of a claim, and the verifier of somebody's work."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from pytest_webtask.agent.loop import Brief, Loop
from pytest_webtask.agent.session import Session, wait_for_change
from pytest_webtask.agent.worker import describe_actions
from pytest_webtask.llm import Model
from pytest_webtask.tools import mouse, navigation
from pytest_webtask.tools.context import Hands
from pytest_webtask.tools.finish import (
    CONTINUES,
    Judgement,
    VerdictDraft,
    judgement_tools,
    report_verdict,
)
from pytest_webtask.tools.registry import Tool, Toolbox
from pytest_webtask.tools.review import Review
from pytest_webtask.types.agent import (
    CheckResult,
    Conclusion,
    Cycle,
    Decision,
    Iteration,
    Outcome,
    Ruling,
    Seen,
    Subtask,
    Turn,
    Verdict,
    Work,
    WorkerSession,
    WorkerStatus,
)

__all__ = ["READING", "ROLE", "Judge", "Verifier", "describe_checks", "has_output", "judged"]


ROLE = "verifier"
_STARTS_AT_MOST = 10
"""How often a claim is judged anew because the page has changed."""
_named = {tool.name: tool for tool in (*navigation.LOOKING_TOOLS, *mouse.MOUSE_TOOLS)}
READING: tuple[Tool, ...] = (
    *(_named[name] for name in ("look", "scroll", "hover", "switch_tab")),
    navigation.SHORT_WAIT,
)
"""What one may call who only reads: nothing of it clicks, types or navigates."""


@dataclass(frozen=True)
class Verifier:
    """Judges one claim after another, each by itself.

    `actions` are those that were taken in the test so far, `before` the page as it was before the
    last step. `referee` rules on verdicts, `write` journals.
    """

    model: Model
    hands: Hands
    write: Callable[..., None]
    instructions: str = ""
    actions: Sequence[str] = ()
    before: Seen | None = None
    max_steps: int = 20
    referee: Callable[[Conclusion], Ruling] | None = None
    done: list[Iteration] = field(default_factory=list)
    """Those of all judgements."""

    def verify(self, claim: str, timeout: float) -> Verdict:
        """Judge a claim, which is given `timeout` seconds to become true."""
        end = time.monotonic() + timeout
        review = Review(self.referee)
        starts = 0
        while True:
            starts += 1
            # A page that never rests is judged once more after its time is over.
            last = time.monotonic() >= end and starts > 1
            verdict = self._judge(claim, end, review, last=last or starts > _STARTS_AT_MOST)
            if verdict is not None:
                self.write("verdict", **verdict.model_dump(mode="json"))
                return verdict

    def _judge(self, claim: str, end: float, review: Review, *, last: bool) -> Verdict | None:
        """Return the verdict of one session, None where the page has changed since it was judged."""
        hands = self.hands
        judged: list[Iteration] = []

        def waits() -> bool:
            page = next((i.observed for i in reversed(judged) if i.observed), None)
            page = page or watched.seen
            return not last and page is not None and wait_for_change(hands, page, end)

        draft = VerdictDraft(claim, hands.data.values, review, waits)
        watched = _Judge(self.model, draft)
        loop = Loop(
            brief=Brief(
                role=ROLE,
                task=claim,
                max_steps=self.max_steps,
                instructions=self.instructions,
                actions=self.actions,
                before=self.before,
                timeout=max(end - time.monotonic(), 0.0),
            ),
            model=watched,
            tools=Toolbox([*READING, report_verdict(draft)]),
            hands=hands,
            write=self.write,
        )
        for iteration in loop.run():
            judged.append(iteration)
            self.done.append(iteration)
        if draft.stale and not last:
            return None
        return draft.verdict or Verdict(
            claim=hands.data.hidden(claim),
            outcome=Outcome.UNDECIDED,
            reason="the page changed each time it was judged"
            if draft.stale
            else f"the verifier did not decide within {self.max_steps} iterations",
        )


def judged(done: Sequence[Iteration], hands: Hands, waited: bool) -> Seen | None:
    """The page that the last answer was about; None where a model has waited itself."""
    if waited:
        return None
    return next((i.observed for i in reversed(done) if i.observed), None) or hands.observe().seen


class _Judge:
    """The model, with the draft informed whether a literal sentence or a recording decides."""

    def __init__(self, model: Model, draft: VerdictDraft) -> None:
        self._model = model
        self._draft = draft
        self.seen: Seen | None = None

    @property
    def looks(self) -> bool:
        """As the model says."""
        return bool(getattr(self._model, "looks", True))

    def decide(self, turn: Turn) -> Decision:
        """Return the model's decision."""
        decision = self._model.decide(turn)
        self.seen = turn.observed.seen if turn.observed else None
        self._draft.exact = bool(getattr(self._model, "literal", False))
        self._draft.replayed = bool(getattr(self._model, "replays", False))
        return decision


_LINE = 400


@dataclass(frozen=True)
class Judge:
    """Judges what a worker has done, by one of the tools of `names`; see `tools/judging.py`.

    `needs` says what is missing for the whole task to be done.
    """

    session: Session
    names: Sequence[str]
    needs: Callable[[], str] = lambda: ""

    def judge(
        self, done: WorkerSession, assignment: str, before: int, last: bool | None = None
    ) -> Judgement:
        """Look at what came of an assignment, and take the round into the record.

        Of a worker who says that it is done not a word is told, of one who gave up the reason.
        `before` is how many iterations there had been when the assignment began, `last` whether
        nothing is planned after it. Raises LimitReached.
        """
        session, hidden = self.session, self.session.hands.data.hidden
        judgement, assignment = Judgement(), hidden(assignment)
        seen = next((i.observed for i in session.iterations[before:] if i.observed), None)
        gave_up = done.feedback if done.status is WorkerStatus.ABORTED else ""
        session.hold(
            ROLE,
            session.task,
            Toolbox(
                [
                    *READING,
                    *judgement_tools(
                        judgement,
                        self.names,
                        task=session.review(assignment, before),
                        whole=session.review(hidden(session.task)),
                        needs=self.needs,
                    ),
                ]
            ),
            actions=(*session.acted, *describe_actions(session.iterations)),
            before=seen or session.before,
            work=Work(
                goal=hidden(session.task),
                assignment=assignment,
                worked=done.status.value,
                gave_up=gave_up,
                shown=describe_checks(done.evidence),
                rounds=self._rounds(assignment),
                parts=self._parts(),
                last=last,
            ),
        )
        session.note(
            Cycle(
                subtask=assignment,
                assignment=done.task_description,
                worked=done.status.value,
                judged=judgement.by,
                feedback=judgement.words,
                gave_up=gave_up,
            )
        )
        return judgement

    def _rounds(self, assignment: str) -> tuple[Cycle, ...]:
        """With what a worker was sent back to it; a second opinion is not told the first."""
        rounds: list[Cycle] = []
        for cycle in reversed(self.session.record.history):
            if cycle.subtask != assignment or cycle.judged != CONTINUES:
                break
            rounds.insert(0, cycle)
        return tuple(rounds)

    def _parts(self) -> tuple[Subtask, ...]:
        """The parts before the one in work, without a verifier's words."""
        record = self.session.record
        parts = record.subtasks[
            : len(record.subtasks) if record.current is None else record.current
        ]
        return tuple(part.model_copy(update={"feedback": ""}) for part in parts)


def describe_checks(evidence: Sequence[CheckResult]) -> tuple[str, ...]:
    """Checks as code has run them, in a line each."""
    return tuple(
        (each.fact.describe() if each.fact else f"{each.about}: {each.expected}")[:_LINE]
        for each in evidence
    )


def has_output(session: Session, who: str) -> Callable[[], str]:
    """Whether the value that a task asks for was given; `who` has it read."""

    def missing() -> str:
        if session.output is None or session.hands.has_output:
            return ""
        return (
            "the task asks for a value that no worker has given since the page last changed: it is"
            f" not done, so that {who} has it read"
        )

    return missing
