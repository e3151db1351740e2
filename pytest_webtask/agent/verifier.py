"""The verifier of a workflow: judges the work of a worker."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

from pytest_webtask.agent.session import Judgment, Session
from pytest_webtask.errors import UsageError
from pytest_webtask.tools.finish import CONTINUES, RESCHEDULES, judgment_tools
from pytest_webtask.tools.memory import describe_actions, describe_checks
from pytest_webtask.tools.navigation import READING_TOOLS
from pytest_webtask.tools.project import project_tools
from pytest_webtask.tools.registry import Toolbox
from pytest_webtask.types.agent import Cycle, Work, WorkerSession

ROLE = "verifier"


@dataclass(frozen=True)
class Judge:
    """Judges the work of a worker with the tools of `names`; see `judgment_tools`.

    `goal` is the whole task, by default the session's. `tools` are functions like those of `webtask_tools`
    that look something up and change nothing, since no replay runs them.
    """

    session: Session
    names: Sequence[str]
    goal: str = ""
    tools: Sequence[Callable[..., object]] = ()

    def __post_init__(self) -> None:
        """Raise UsageError for a single name, whose letters would count as names."""
        if isinstance(self.names, str):
            raise UsageError(
                f"Judge(session, {self.names!r}): pass a list of names, as in [{self.names!r}]"
            )

    def judge(self, done: WorkerSession, assignment: str, before: int) -> Judgment:
        """Judge the work on an assignment, and add the judgment to its round in the record.

        The verifier reads the reason of a worker that gave up, but no words of one that is done.
        `before` is the number of iterations before the assignment. Raises LimitReached.
        """
        session, data = self.session, self.session.context.data
        hidden = data.hidden
        assignment, goal = hidden(assignment), hidden(self.goal or session.task)
        # A verifier knows no judgment of the same work by another one.
        number = session.round_of(done, assignment)
        earlier = session.rounds_before(done, assignment)
        rounds = _rounds(earlier, assignment)
        # The verifier of the next part judges by itself.
        wordless = {"gave_up": "", "feedback": ""}
        seen = next((i.observed for i in session.iterations[before:] if i.observed), None)
        ending = session.hold(
            ROLE,
            self.goal or session.task,
            Toolbox(
                [
                    *READING_TOOLS,
                    *project_tools(self.tools, "Judge(tools=...)", acts=False),
                    *judgment_tools(
                        self.names,
                        task=session.review(assignment, before),
                        whole=session.review(goal),
                        needs=self._missing,
                    ),
                ]
            ),
            past=replace(
                session.past.without_words,
                actions=describe_actions(session.iterations),
                before=seen or session.past.before,
            ),
            work=Work(
                goal=goal,
                assignment=assignment,
                worked=done.status.value,
                gave_up=done.gave_up,
                deviations=done.deviations,
                shown=describe_checks(done.evidence),
                rounds=rounds,
                parts=tuple(
                    each.model_copy(update=wordless) for each in earlier if each not in rounds
                ),
                last=self._last(),
            ),
            round=number,
        )
        words = data.scrub(ending.words)
        judgment = Judgment(ending.tool, words, ending.done, ending.evidence, ending.ruling)
        session.judge_part(done, assignment, judgment)
        return judgment

    def _last(self) -> bool | None:
        """Return whether nothing is planned after the subtask in work, None if no queue tells that."""
        if self.session.record.current is None or RESCHEDULES not in self.names:
            return None
        return not any(each.status == "planned" for each in self.session.record.subtasks)

    def _missing(self) -> str:
        if self.session.output is None or self.session.answer is not None:
            return ""
        return (
            "the task asks for a value, and no worker has set it since the last action: end with another"
            " tool, and say that the value must still be read"
        )


def _rounds(earlier: Sequence[Cycle], assignment: str) -> tuple[Cycle, ...]:
    """Return the earlier rounds of the same assignment, the oldest first."""
    judged = [each for each in reversed(earlier) if each.judged]
    meant = (assignment, CONTINUES)
    return tuple(takewhile(lambda each: (each.goal, each.judged) == meant, judged))[::-1]
