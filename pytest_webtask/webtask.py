"""The object behind the `webtask` fixture."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar, overload

from playwright.sync_api import Locator, Page
from pydantic import BaseModel

from pytest_webtask import options
from pytest_webtask.agent import workflows
from pytest_webtask.agent.extractor import Extractor
from pytest_webtask.agent.verifier import Verifier
from pytest_webtask.checks import kinds
from pytest_webtask.checks.base import Check
from pytest_webtask.checks.messages import explain
from pytest_webtask.errors import Drifted, NotFound, Undecided, UsageError, VerificationFailed
from pytest_webtask.step import fails_at_caller
from pytest_webtask.task import TaskRunner
from pytest_webtask.tools.extraction import Request, report_element, report_value
from pytest_webtask.tools.registry import Args, Tool
from pytest_webtask.types.agent import Extracted, Outcome, Record, TestState, Verdict

_T = TypeVar("_T")
_ANSWERS = {Outcome.PASSED: "yes", Outcome.FAILED: "no", Outcome.UNDECIDED: "undecided"}
"""How a question ends, of which neither answer is a failure."""


def preload() -> None:
    """Build, compile and import what is left until it is used first, of what steps use."""
    workflows.load_workflow("worker")
    kinds.load_kinds()
    for base in (Record, Check, Args):
        for model in _derived(base):
            model.model_rebuild(raise_errors=False)


def _derived(base: type[BaseModel]) -> Iterator[type[BaseModel]]:
    for model in base.__subclasses__():
        yield model
        yield from _derived(model)


class Webtask(TaskRunner):
    """Does tasks on a page and verifies claims about it; see the fixtures in `plugin.py`.

    `open_page` is called when the page is first needed. Everything that happens is written to the
    journal, under the name of the test at work, which `test` gives when it is told who asks.
    """

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

        It passes only on checks that were run on the page. `timeout` is how many seconds it is
        given to become true. With `soft=True` the test goes on, and fails at its end.

        Raises VerificationFailed where it does not hold, Undecided where it cannot be told, and
        Drifted where a recording no longer fits the page.
        """
        verdict, problem = self._judged("verify", claim, data, timeout)
        if problem is not None:
            if not soft:
                raise problem
            self._softly(problem)
        return verdict

    @fails_at_caller
    def holds(
        self,
        claim: str,
        *,
        data: Mapping[str, object] | None = None,
        timeout: float | None = None,
    ) -> bool:
        """Whether a claim holds, or comes to hold within `timeout` seconds.

        Raises Undecided where it cannot be told.
        """
        verdict, problem = self._judged("holds", claim, data, timeout)
        if isinstance(problem, (Undecided, Drifted)):
            raise problem
        return verdict.outcome is Outcome.PASSED

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

        `schema` is its type: str, int, float, bool, date, Decimal, a pydantic model, a list of
        them. What stands nowhere on the page is refused; `webtask.state.extracted` says where each
        was read. `timeout` is how many seconds it is given to appear.

        Raises NotFound where it is not there.
        """
        wanted = self._found("extract", what, data, timeout, lambda w: [report_value(w, schema)])
        return wanted.value

    @fails_at_caller
    def select(
        self,
        description: str,
        *,
        data: Mapping[str, object] | None = None,
        timeout: float | None = None,
    ) -> Locator:
        """The Playwright locator of the one element that is described, to go on with it yourself.

        Raises NotFound where there is none, or where several could be meant; it then lists them.
        """
        wanted = self._found("select", description, data, timeout, lambda w: [report_element(w)])
        assert wanted.locator is not None, "it was found"
        return wanted.locator

    @fails_at_caller
    def goto(self, url: str) -> None:
        """Open an address, or a path below the base URL. Its origin may be acted upon from now on.

        Raises PageError where it cannot be loaded; a page with an error status is a page, too.
        """
        with self._step("goto", url):
            self._look_back()
            self._at.actions.append(f"open {url}")
            self._hands.goto(url)
            self._at.end("completed")

    def forget(self) -> None:
        """Let the steps to come know nothing of those before."""
        self._at.forget()

    @property
    @fails_at_caller
    def page(self) -> Page:
        """The Playwright page in front: the fixture's, until a step switches to another tab."""
        return self._hands.tabs.front

    @property
    def state(self) -> TestState:
        """What the test is at: its steps so far, its tabs, the names of its data."""
        opened = "_hands" in self.__dict__ and bool(self._hands.tabs.pages)
        tabs = self._hands.tabs.records() if opened else ()
        return self._at.state(tabs, tuple(self._data.shown))

    def _judged(
        self, kind: str, claim: str, data: Mapping[str, object] | None, timeout: float | None
    ) -> tuple[Verdict, VerificationFailed | Undecided | Drifted | None]:
        """A verdict, and what is to be raised where the claim did not pass."""
        with self._asking(kind, claim, data):
            seconds = self._settings.timeout if timeout is None else options.parse_seconds(timeout)
            verifier = self._verifier()
            try:
                verdict = verifier.verify(claim, seconds)
            except Drifted as drift:
                told = self._hands.data.hidden(claim)
                undecided = Outcome.UNDECIDED
                verdict = Verdict(claim=told, outcome=undecided, reason=str(drift))
                self._at.verdicts.append(verdict)
                self._at.end("drifted", reason=verdict.reason)
                return verdict, drift
            self._keeper.judged(verdict, verifier.done)
            self._at.verdicts.append(verdict)
            status = verdict.outcome.value if kind == "verify" else _ANSWERS[verdict.outcome]
            self._at.end(status, reason=verdict.reason)
            if verdict.outcome is Outcome.PASSED:
                return verdict, None
            failed = verdict.outcome is Outcome.FAILED
            made = VerificationFailed if failed else Undecided
            return verdict, made(explain(verdict, self._url, self._take_picture()), verdict)

    def _found(
        self,
        kind: str,
        what: str,
        data: Mapping[str, object] | None,
        timeout: float | None,
        gives: Callable[[Request], Sequence[Tool]],
    ) -> Request:
        """What was asked for. Raises NotFound."""
        with self._asking(kind, what, data):
            seconds = self._settings.timeout if timeout is None else options.parse_seconds(timeout)
            reader = Extractor(
                self._decider("reader"),
                self._hands,
                self._write,
                self._instructions,
                self._settings.max_steps,
                self._referee(),
            )
            wanted = reader.find(what, gives, seconds)
            if wanted.found:
                self._keeper.found(wanted, reader.done)
            told = {"code": wanted.code} if wanted.code else {"value": wanted.value}
            sources = [source.model_dump(mode="json") for source in wanted.sources]
            status = "found" if wanted.found else "not found"
            self._write("found", **told, sources=sources, missing=wanted.missing)
            self._at.end(status, reason=wanted.missing)
            if wanted.found:
                if not wanted.code:
                    self._at.extracted.append(
                        Extracted(what=what, value=wanted.value, sources=tuple(wanted.sources))
                    )
                return wanted
            lines = [f'"{self._hands.data.hidden(what)}" was not found: {wanted.missing}']
            lines += [f"  {each}" for each in wanted.candidates]
            lines += self._where()
            raise NotFound("\n".join(lines))

    @contextmanager
    def _asking(
        self, kind: str, sentence: str, data: Mapping[str, object] | None
    ) -> Iterator[None]:
        """A step that asks something of the page and changes nothing."""
        if not isinstance(sentence, str) or not sentence.strip():
            raise UsageError(f"a sentence is needed, got {sentence!r}")
        with self._step(kind, sentence):
            hands = self._hands
            hands.data = self._data.extended(data or {})
            hands.data.check(sentence)
            yield

    def _verifier(self) -> Verifier:
        return Verifier(
            self._decider("verifier"),
            self._hands,
            self._write,
            self._instructions,
            tuple(self._at.actions),
            self._at.before,
            self._settings.max_steps,
            self._referee(),
        )
