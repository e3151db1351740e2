"""The object behind the `webtask` fixture."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from typing import Any, TypeVar, overload

from playwright.sync_api import Locator, Page

from pytest_webtask.agent.readers import PageReader
from pytest_webtask.agent.workflows import Workflow
from pytest_webtask.checks.messages import explain
from pytest_webtask.errors import (
    Drifted,
    NotFound,
    Undecided,
    UsageError,
    VerificationFailed,
)
from pytest_webtask.page.origins import let_go
from pytest_webtask.recordings.recorder import Findings
from pytest_webtask.run import options
from pytest_webtask.run.step import StepRunner, fails_at_caller, is_sentence
from pytest_webtask.run.task import iterate_task, run_task
from pytest_webtask.tools.extraction import Request, report_element, report_value
from pytest_webtask.tools.memory import describe_target, describe_value, remembered_facts
from pytest_webtask.tools.registry import Tool
from pytest_webtask.tools.results import Finding
from pytest_webtask.types.agent import (
    EarlierSteps,
    Extracted,
    Iteration,
    Outcome,
    Result,
    TestState,
    Verdict,
)
from pytest_webtask.types.step import Step, StepKind

_T = TypeVar("_T")
_STATUSES = {
    "verify": {each: each.value for each in Outcome},
    "holds": {Outcome.PASSED: "yes", Outcome.FAILED: "no", Outcome.UNDECIDED: "undecided"},
}
"""Statuses of steps by kind and outcome: neither answer of `holds()` is a failure."""


class Webtask:
    """Do tasks on a page and verify claims about it; see the fixtures in `plugin.py`."""

    def __init__(self, runner: StepRunner) -> None:
        self._runner = runner

    @fails_at_caller
    def do(
        self,
        task: str,
        *,
        data: Mapping[str, object] | None = None,
        resources: Mapping[str, str | Path] | None = None,
        output: Any = None,
        max_steps: int | None = None,
        timeout: float | None = None,
        workflow: str | Workflow | None = None,
        persist_context: bool | None = None,
    ) -> Result:
        """Do a task, such as "log in as {user}".

        `data` and `resources` add to those of the fixtures. `output` is the type or pydantic model
        of the value that the task asks for, which is then the `output` of the result. `max_steps`
        limits the iterations of this task, `timeout` its seconds. `workflow` is the name of a workflow,
        or an object with its method. With `persist_context=False` its roles know no earlier steps.

        Raises TaskFailed, which holds the same result, if the task was not done.
        """
        return run_task(
            self._runner,
            task,
            data=data,
            resources=resources,
            output=output,
            max_steps=max_steps,
            timeout=timeout,
            workflow=workflow,
            persist_context=persist_context,
        )

    def steps(self, task: str, **options: Any) -> Generator[Iteration, None, Result]:
        """Do a task one iteration at a time, to watch it; the options are those of `do`.

        A step runs until its generator is exhausted or closed; after a `break`, close it. A test
        that does neither, or never iterates the generator, has an error.
        """
        return iterate_task(self._runner, task, options)

    @fails_at_caller
    def verify(
        self,
        claim: str,
        *,
        data: Mapping[str, object] | None = None,
        timeout: float | None = None,
        soft: bool = False,
    ) -> Verdict:
        """Assert that a claim holds, such as "the cart shows 2 items".

        A claim passes only by checks that were run on the page. `timeout` is how many seconds it
        may take to become true. With `soft=True` the test goes on, and fails at its end.

        Raises VerificationFailed if the claim does not hold, Undecided if nothing decides it, and
        Drifted if a recording no longer fits the page.
        """
        try:
            self._judge("verify", claim, data, timeout)
        except (VerificationFailed, Undecided, Drifted) as problem:
            if not soft:
                raise
            self._runner.keep_soft(problem)
        return self._runner.memory.verdicts[-1]

    @fails_at_caller
    def holds(
        self,
        claim: str,
        *,
        data: Mapping[str, object] | None = None,
        timeout: float | None = None,
    ) -> bool:
        """Return whether a claim holds, or comes to hold within `timeout` seconds.

        Raises Undecided if nothing decides it, and Drifted if a recording no longer fits the page.
        """
        with suppress(VerificationFailed):
            self._judge("holds", claim, data, timeout)
            return True
        return False

    @overload
    def extract(
        self,
        what: str,
        schema: type[_T],
        *,
        data: Mapping[str, object] | None = None,
        timeout: float | None = None,
    ) -> _T: ...
    @overload
    def extract(
        self,
        what: str,
        schema: Any = str,
        *,
        data: Mapping[str, object] | None = None,
        timeout: float | None = None,
    ) -> Any: ...
    @fails_at_caller
    def extract(
        self,
        what: str,
        schema: Any = str,
        *,
        data: Mapping[str, object] | None = None,
        timeout: float | None = None,
    ) -> Any:
        """Read a value off the page, such as "the total of the order".

        `schema` is its type: str, int, float, bool, date, Decimal, a pydantic model, or a list of
        one of them. A value that is nowhere on the page is refused; `webtask.state.extracted` says
        where each was read. `timeout` is how many seconds the value may take to appear.

        Raises NotFound if the value is not there.
        """
        finding = self._find("extract", what, data, timeout, lambda r: [report_value(r, schema)])
        return finding.value

    @fails_at_caller
    def select(
        self,
        description: str,
        *,
        data: Mapping[str, object] | None = None,
        timeout: float | None = None,
    ) -> Locator:
        """Return the Playwright locator of the one element that a sentence describes.

        Raises NotFound if there is none, or if several fit; the message then lists them.
        """
        finding = self._find("select", description, data, timeout, lambda r: [report_element(r)])
        assert finding.locator is not None, "it was found"
        return finding.locator

    @fails_at_caller
    def goto(self, url: str) -> None:
        """Open an address, or a path below the base URL; later steps may act on its origin.

        Raises PageError if it cannot be loaded; a page with an error status is a page, too.
        """
        with self._runner.step("goto", url) as step:
            self._runner.look_back(step)
            self._runner.memory.done.append(f"open {step.masked}")
            self._runner.browser.goto(url)
            self._runner.end("completed")

    @fails_at_caller
    def within(self, part: str) -> AbstractContextManager[None]:
        """Return a context whose sentences are all about one part of the page; contexts may be nested.

        `part` is its name or heading, such as "Cart", or what a sentence calls it, such as `the "Mug" row in
        "Cart"`. It must be there when a sentence begins. The sentences begin with it, as in `in "Cart": click
        "Remove"`, also in recordings and for models. `goto` is not limited.

        Raises UsageError if it names no part.
        """
        from pytest_webtask.literal.grammar import begin_in

        if not is_sentence(part):
            raise UsageError(f"within() takes the name of a part of the page, got {part!r}")
        return self._runner.within(begin_in(part))

    def forget(self) -> None:
        """Hide the steps so far from later steps."""
        self._runner.memory.forget()

    @property
    def name(self) -> str:
        """Return the name in the journal, "" for that of the `webtask` fixture."""
        return self._runner.config.name

    @property
    def at(self) -> tuple[str, int]:
        """Return the name and the number of the last step."""
        return self._runner.at

    @property
    @fails_at_caller
    def page(self) -> Page:
        """The Playwright page in front: the fixture's, until a step switches to another tab."""
        return self._runner.browser.tabs.front

    @property
    def state(self) -> TestState:
        """The state of the test: its steps so far, its tabs, the names of its data."""
        return self._runner.state

    def scrub(self, text: str) -> str:
        """Return a text without the test's secrets and without what is redacted."""
        return self._runner.data.scrub(text)

    def close(self) -> None:
        """End; a later step is an error."""
        self._runner.is_over = True
        let_go()

    def _judge(
        self, kind: StepKind, claim: str, data: Mapping[str, object] | None, timeout: float | None
    ) -> None:
        """Keep the verdict on a claim. Raises VerificationFailed, Undecided and Drifted."""
        runner = self._runner
        claim = runner.scoped(claim)
        with runner.step(kind, claim, data) as step:
            memory, seconds = runner.memory, self._seconds(timeout)
            verifier = self._reader("verifier", step)
            try:
                verdict = verifier.verify(claim, seconds)
            except Drifted as drift:
                undecided, reason = Outcome.UNDECIDED, str(drift)
                verdict = Verdict(claim=step.masked, outcome=undecided, reason=reason)
                memory.verdicts.append(verdict.model_copy(update={"usage": verifier.usage}))
                raise
            memory.verdicts.append(verdict)
            self._record(kind, verdict, verifier.done)
            memory.details.update(facts=remembered_facts(verdict.evidence))
            status = _STATUSES[kind][verdict.outcome]
            if verdict.outcome is Outcome.PASSED:
                runner.end(status, verdict.reason)
                return
            memory.details.update(words=verdict.reason)
            cause = None if status == "no" else runner.cause(status, verifier.done)
            runner.end(status, verdict.reason, cause=cause)
            explained = explain(verdict, runner.url, runner.take_picture())
            if verdict.outcome is Outcome.FAILED:
                advice = runner.next_step(by_model=False)
                raise VerificationFailed("\n".join([explained, *advice]), verdict)
            advice = runner.next_step(by_model=verifier.model.traits.needs_review)
            raise Undecided("\n".join([explained, *advice]), verdict)

    def _record(self, kind: StepKind, verdict: Verdict, iterations: Sequence[Iteration]) -> None:
        found = Findings(verdict.ruling, verdict.evidence)
        if verdict.outcome is Outcome.FAILED and kind == "holds":
            found = Findings(verdict.ruling, negative_evidence=verdict.evidence)
        elif verdict.outcome is not Outcome.PASSED:
            return
        self._runner.recordings.record(iterations, found)

    def _find(
        self,
        kind: StepKind,
        what: str,
        data: Mapping[str, object] | None,
        timeout: float | None,
        tools: Callable[[Request], Sequence[Tool]],
    ) -> Finding:
        """Return the value or the element. Raises NotFound."""
        runner = self._runner
        what = runner.scoped(what)
        with runner.step(kind, what, data) as step:
            seconds = self._seconds(timeout)
            reader = self._reader("reader", step)
            finding = reader.find(what, tools, seconds)
            if not finding.found:
                raise self._not_found(step, finding, reader)
            found = Findings(
                finding.ruling,
                finding.evidence,
                has_value=finding.target is None,
                value=finding.value,
                sources=finding.sources,
                selected=finding.target,
            )
            runner.recordings.record(reader.done, found)
            self._note_found(step, finding, reader)
            return finding

    def _note_found(self, step: Step, finding: Finding, reader: PageReader) -> None:
        runner, data = self._runner, self._runner.masking_data
        if finding.target is not None:
            runner.memory.details.update(value=data.scrub(describe_target(finding.target)))
            runner.end("found", locator=finding.code)
            return
        sources = tuple(finding.sources)
        runner.memory.details.update(value=describe_value(finding.value, data))
        runner.memory.extracted.append(
            Extracted(what=step.masked, value=finding.value, sources=sources, usage=reader.usage)
        )
        runner.end("found", value=finding.value, evidence=sources)

    def _not_found(self, step: Step, finding: Finding, reader: PageReader) -> NotFound:
        runner = self._runner
        lines = [
            f"{step.masked!r} was not found: {finding.missing}",
            *(f"  {each}" for each in finding.candidates),
            *runner.describe_page(runner.take_picture()),
            *runner.next_step(by_model=reader.model.traits.needs_review),
        ]
        runner.end("not found", finding.missing, cause=runner.cause("not found", reader.done))
        return NotFound(runner.masking_data.scrub("\n".join(lines)))

    def _reader(self, role: str, step: Step) -> PageReader:
        """Return a role that judges or reads, which knows no words of workers of earlier steps."""
        runner = self._runner
        context = runner.context(step, persist=runner.settings.persist_context)
        return PageReader(
            role,
            runner.decider(role, context),
            context,
            runner.instructions.of(role),
            EarlierSteps(context.earlier, before=runner.memory.before).without_words,
            runner.settings.max_steps,
            runner.referee(),
        )

    def _seconds(self, timeout: float | None) -> float:
        return options.override(self._runner.settings, timeout=timeout).timeout
