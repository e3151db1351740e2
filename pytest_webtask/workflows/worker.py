"""One worker does it all, alone or with a verifier who must agree."""

from __future__ import annotations

from pytest_webtask.records import WorkerSession, WorkerStatus
from pytest_webtask.roles.judge import Judge
from pytest_webtask.roles.session import Session
from pytest_webtask.roles.worker import Worker

CORRECTIONS = 1
"""How often the verifier may send the worker back."""


class WorkerOnly:
    """`worker`: who does the task says when it is done, on evidence that code has checked."""

    def execute(self, task: str, session: Session) -> WorkerSession:
        """Have it done."""
        return session.ended_as(Worker(session).do(task))


class WorkerVerified:
    """`worker-verified`: a verifier who had no part in it must agree, and may ask for a correction."""

    def execute(self, task: str, session: Session) -> WorkerSession:
        """Have it done and judged."""
        judge = Judge(session, ("mark_complete", "continue_work"))
        work = Worker(session, spare=1, judged=True).do(task)
        if all(i.model in ("literal", "recording") for i in work.iterations):
            # The sentence itself says all that is done, or the recording whose evidence holds: there
            # is nothing to disagree about.
            return session.ended_as(work)
        for correction in range(CORRECTIONS + 1):
            if work.status is not WorkerStatus.COMPLETED:
                break
            said = judge.judge(work, task, 0, last=True)
            if said.agrees:
                return session.completed(work.feedback, said.evidence, said.ruling)
            if correction == CORRECTIONS:
                return session.aborted(f"the verifier does not agree that it is done: {said.words}")
            session.rung("correction", said.words)
            earlier = [*session.earlier, refuted(work, said.words)]
            work = Worker(session, spare=1, judged=True).do(said.words, earlier)
        return session.ended_as(work)


def refuted(work: WorkerSession, words: str) -> WorkerSession:
    """Work as who does the rest is told of it: that it was done has turned out to be wrong."""
    said = f"a verifier found it not done yet: {words}"
    if work.status is WorkerStatus.ABORTED:
        said = f"{work.feedback} - {said}"
    return work.model_copy(update={"status": WorkerStatus.ABORTED, "feedback": said})
