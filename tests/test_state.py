"""One authority over what a test is at: its state, one step at a time, how it goes on after failures."""

from collections.abc import Callable, Generator
from contextlib import suppress
from typing import Any

import pytest
from playwright.sync_api import Page
from pydantic import BaseModel

from pytest_webtask import TaskFailed, UsageError, VerificationFailed, Webtask, WorkerStatus
from pytest_webtask import TestState as State
from pytest_webtask.journal import Recovery
from pytest_webtask.testing import find
from tests.inner import CONFTEST, journaled
from tests.nested import printed
from tests.scripted import Html, Scripted, call, done, element, on

pytestmark = pytest.mark.slow

COUNTER = "<button onclick='n.textContent = +n.textContent + 1'>More</button><p id=n>0</p>"


def recoveries(webtask: Webtask) -> list[tuple[str, str]]:
    """The actions and reasons of the recoveries that were journaled in this test."""
    return [(e.action, e.reason) for e in journaled(webtask) if isinstance(e, Recovery)]


class Nothing(BaseModel):
    """No arguments."""


class TestState:
    def test_status_is_running_during_a_step(
        self, webtask: Webtask, model: Scripted, html: Html
    ) -> None:
        """The state names the step and its task while it runs, and waits before and after."""
        html(COUNTER)
        assert webtask.state.status == "waiting" and webtask.state.task is None
        model.answers = [on("click", "button", "More"), done()]
        steps = webtask.steps("press more")
        next(steps)
        state = webtask.state
        assert state.status == "running" and state.running == "do('press more')"
        assert state.task is not None
        assert (state.task.description, state.task.status) == ("press more", "running")
        assert state.actions == ('click button "More"',)
        [session] = state.steps
        assert (session.status, session.steps_used) == (WorkerStatus.RUNNING, 1)
        assert not list(steps)[1:]
        state = webtask.state
        assert state.status == "waiting" and state.running is None
        assert state.task is not None and state.task.status == "completed"
        assert state.actions == ('click button "More"',)

    @pytest.mark.parametrize("end", [next, Generator.close], ids=["an error", "its loop"])
    def test_step_that_breaks_off_leaves_what_it_has_done(
        self, webtask: Webtask, model: Scripted, html: Html, end: Callable[[Any], Any]
    ) -> None:
        """Its actions and its session are in the state, whether an error or the test has ended it."""
        html(COUNTER)
        model.answers = [on("click", "button", "More")]
        steps = webtask.steps("press more twice")
        next(steps)
        with suppress(UsageError):
            end(steps)
        state = webtask.state
        assert state.task is not None and state.task.status == "broken off"
        assert state.actions == ('click button "More"',)
        assert [each.status for each in state.steps] == [WorkerStatus.BROKEN_OFF]
        assert [each.steps_used for each in state.steps] == [1]

    def test_tool_reads_what_its_own_answer_has_done(
        self, webtask_for: Any, model: Scripted, html: Html
    ) -> None:
        """Calls before it in the same answer are in the state, and stay there if it ends the test."""

        def give_up(args: Nothing) -> None:
            """Ends the test."""
            states.append(inner.state)
            pytest.fail("no mail has come")

        states: list[State] = []
        inner = webtask_for(html(COUNTER), name="inner", model=model, tools=[give_up])
        model.answers = [[call("click", find("button", "More")), call("give_up")]]
        with pytest.raises(pytest.fail.Exception):
            inner.do("press more and give up")
        states.append(inner.state)
        assert [each.actions for each in states] == [('click button "More"',)] * 2
        assert [each.steps[0].steps_used for each in states] == [1, 1]

    def test_errors_of_steps_are_kept(self, webtask: Webtask, model: Scripted, html: Html) -> None:
        """Errors of failed steps are kept as text as long as the test runs."""
        html(COUNTER)
        model.answers = [call("abort", reason="there is no cart")]
        with pytest.raises(TaskFailed):
            webtask.do("open the cart")
        with pytest.raises(VerificationFailed):
            webtask.verify('"More" is disabled', timeout=0)
        with pytest.raises(UsageError):
            webtask.do("log in as {nobody}")
        first, second, third = webtask.state.errors
        assert first == "do('open the cart'): aborted: there is no cart"
        assert second.startswith("verify('\"More\" is disabled'): failed: ")
        assert "UnknownName: unknown placeholder 'nobody'" in third


class TestOneStepAtATime:
    def test_step_within_another_is_refused(
        self, webtask: Webtask, webtask_for: Any, model: Scripted, html: Html, page: Page
    ) -> None:
        """Any webtask of the test refuses a second step, and the running one continues unharmed."""
        html(COUNTER)
        other = webtask_for(page.context.new_page(), name="other", model=model)
        model.answers = [on("click", "button", "More"), on("click", "button", "More"), done()]
        steps = webtask.steps("press more twice")
        next(steps)
        with pytest.raises(
            UsageError, match=r"a step is still running: do\('press more twice'\); first"
        ):
            webtask.verify('"More" is visible')
        with pytest.raises(UsageError, match=r"do\('press more twice'\)"):
            other.do('click "More"')
        list(steps)
        assert webtask.page.locator("#n").inner_text() == "2"
        other.goto("about:blank")

    def test_step_from_a_project_tool_is_refused(
        self, webtask_for: Any, model: Scripted, html: Html
    ) -> None:
        """The model gets the error, and the test names the refused step at its end."""

        def peek(args: Nothing) -> str:
            """Looks for itself."""
            inner.verify('"More" is visible')
            return "seen"

        page = html(COUNTER)
        inner = webtask_for(page, name="inner", model=model, tools=[peek])
        model.answers = [call("peek"), done()]
        session = inner.do("peek").session
        assert "because a step is still running: do('peek')" in (
            session.iterations[0].calls[0].error or ""
        )
        assert inner._runner.unfinished_steps() == [
            "verify('\"More\" is visible') did not run, because a step is still running: do('peek');"
            " call it after that step, not in a callback or a tool"
        ]

    def test_closed_step_does_not_affect_the_next(
        self, webtask: Webtask, model: Scripted, html: Html
    ) -> None:
        """A step refused within the step after a closed one is reported as usual."""
        html(COUNTER)
        model.answers = [on("click", "button", "More"), done()]
        steps = webtask.steps("press more")
        next(steps)
        steps.close()
        model.answers = [lambda turn: webtask.do("inner")]  # type: ignore[list-item, return-value]
        with pytest.raises(UsageError, match="a step is still running"):
            webtask.do("outer")
        [problem] = webtask._runner.unfinished_steps()
        assert problem.startswith(
            "do('inner') did not run, because a step is still running: do('out"
        )

    def test_step_from_a_callback_fails_the_test(self, pytester: pytest.Pytester) -> None:
        """The test fails even if the callback swallows the error."""
        pytester.makeconftest(CONFTEST)
        pytester.makepyfile(
            """
            from tests.scripted import on, done

            def test_it(webtask, model):
                webtask.page.set_content("<button onclick='console.log(1)'>Go</button>")

                def react(message):
                    try:
                        webtask.do('click "Go"')
                    except Exception:
                        pass

                webtask.page.on("console", react)
                model.answers = [on("click", "button", "Go"), done()]
                webtask.do("press go")
            """
        )
        result = pytester.runpytest()
        result.assert_outcomes(passed=1, errors=1)
        running = "because a step is still running: do('press go')"
        assert f"do('click \"Go\"') did not run, {running}" in printed(result)


class TestHowItGoesOn:
    def test_redrawn_element_is_recovered_without_the_worker(
        self, webtask: Webtask, model: Scripted, html: Html
    ) -> None:
        """A redrawn element is matched without a call of the worker."""
        html("<div id=box><button>Save</button></div>")

        def drawn_anew(turn: Any) -> Any:
            made = call("click", element_id=element(turn, "button", "Save"))
            webtask.page.evaluate("box.innerHTML = '<button>Save</button>'")
            return made

        model.answers = [drawn_anew, done()]
        webtask.do("save")
        [(action, reason)] = recoveries(webtask)
        assert action == "found again" and "button-1" in reason

    def test_giving_up_is_the_last_recovery(
        self, webtask: Webtask, model: Scripted, html: Html
    ) -> None:
        """The session ends with the reason of the worker or of the limit."""
        html(COUNTER)
        model.answers = [call("abort", reason="there is no cart")]
        with pytest.raises(TaskFailed):
            webtask.do("open the cart")
        model.answers = [call("wait", seconds=0.1)] * 3
        with pytest.raises(TaskFailed):
            webtask.do("open the cart", max_steps=2)
        assert recoveries(webtask) == [
            ("abort", "there is no cart"),
            (
                "abort",
                "the task was not done within 2 iterations; allow more with --webtask-max-steps, or split the task",
            ),
        ]
