"""One authority over what a test is at: its state, one step at a time, how it goes on after failures."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from playwright.sync_api import Page
from pydantic import BaseModel

from pytest_webtask import TaskFailed, UsageError, VerificationFailed, Webtask
from pytest_webtask.journal import Recovery, read
from tests.inner import CONFTEST, printed
from tests.scripted import Scripted, call, done, element, on
from tests.site import Site

Html = Callable[[str], Page]
COUNTER = "<button onclick='n.textContent = +n.textContent + 1'>More</button><p id=n>0</p>"


def recoveries(webtask: Webtask) -> list[tuple[str, str]]:
    """The actions and reasons of the recoveries that were journaled in this test."""
    test = webtask.state.test
    events = [e for e in read(webtask._runner.journal.folder) if e.test == test]
    return [(e.action, e.reason) for e in events if isinstance(e, Recovery)]


class Nothing(BaseModel):
    """No arguments."""


class TestState:
    def test_it_waits_runs_and_waits_again(
        self, webtask: Webtask, model: Scripted, html: Html
    ) -> None:
        """While a step runs its task is there, as it is now."""
        html(COUNTER)
        assert webtask.state.status == "waiting" and webtask.state.task is None
        model.answers = [on("click", "button", "More"), done()]
        steps = webtask.steps("press more")
        next(steps)
        state = webtask.state
        assert state.status == "running" and state.running == "do('press more')"
        assert state.task is not None
        assert (state.task.description, state.task.status) == ("press more", "running")
        assert not list(steps)[1:]
        state = webtask.state
        assert state.status == "waiting" and state.running is None
        assert state.task is not None and state.task.status == "completed"
        assert state.actions == ('click get_by_role("button", name="More", exact=True)',)

    def test_it_keeps_what_steps_have_failed_with(
        self, webtask: Webtask, model: Scripted, html: Html
    ) -> None:
        """In words, as long as the test runs."""
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

    def test_a_step_is_journaled_before_it_is_done(
        self, webtask: Webtask, model: Scripted, html: Html
    ) -> None:
        """So is a decision; what a killed process had begun is known."""
        html(COUNTER)
        model.answers = [on("click", "button", "More"), done()]
        test = webtask.state.test
        for _ in webtask.steps("press more"):
            every = read(webtask._runner.journal.folder)
            kinds = [event.kind for event in every if event.test == test]
            last = {kind: len(kinds) - 1 - kinds[::-1].index(kind) for kind in kinds}
            order = ("step_started", "decision_made", "tool_called", "iteration_ended")
            assert sorted(order, key=last.__getitem__) == list(order)

    def test_it_ends_with_the_test(self, pytester: pytest.Pytester) -> None:
        """Nothing more can be done with a webtask that was kept."""
        pytester.makepyfile(
            """
            import pytest
            kept = []

            def test_one(webtask):
                kept.append(webtask)

            def test_two():
                assert kept[0].state.status == "ended"
                with pytest.raises(Exception, match="the test is over"):
                    kept[0].goto("/")
            """
        )
        pytester.runpytest_subprocess().assert_outcomes(passed=2)


class TestOneStepAtATime:
    def test_not_within_another_of_the_same_test(
        self, webtask: Webtask, webtask_for: Any, model: Scripted, html: Html, page: Page
    ) -> None:
        """Neither the same webtask nor a further one, and the step goes on unharmed."""
        html(COUNTER)
        other = webtask_for(page.context.new_page(), name="other", model=model)
        model.answers = [on("click", "button", "More"), on("click", "button", "More"), done()]
        steps = webtask.steps("press more twice")
        next(steps)
        with pytest.raises(UsageError, match=r"a step is running: do\('press more twice'\); exha"):
            webtask.verify('"More" is visible')
        with pytest.raises(UsageError, match=r"do\('press more twice'\), of the webtask 'webtask'"):
            other.do('click "More"')
        list(steps)
        assert webtask.page.locator("#n").inner_text() == "2"
        other.goto("about:blank")

    def test_not_from_a_tool_of_the_project(
        self, webtask_for: Any, model: Scripted, html: Html
    ) -> None:
        """The model is told, and so is the test at its end: what was refused has shown nothing."""

        def peek(args: Nothing) -> str:
            """Looks for itself."""
            inner.verify('"More" is visible')
            return "seen"

        page = html(COUNTER)
        inner = webtask_for(page, name="inner", model=model, tools=[peek])
        model.answers = [call("peek"), done()]
        session = inner.do("peek").session
        assert "a step is running: do('peek')" in (session.iterations[0].calls[0].error or "")
        assert inner.unfinished_steps() == [
            "verify('\"More\" is visible') was called while a step ran"
        ]

    def test_a_step_that_was_closed_leaves_nothing_behind(
        self, webtask: Webtask, model: Scripted, html: Html
    ) -> None:
        """What is refused within the next one is told as ever."""
        html(COUNTER)
        model.answers = [on("click", "button", "More"), done()]
        steps = webtask.steps("press more")
        next(steps)
        steps.close()
        model.answers = [lambda turn: webtask.do("inner")]  # type: ignore[list-item, return-value]
        with pytest.raises(UsageError, match="a step is running"):
            webtask.do("outer")
        assert webtask.unfinished_steps() == ["do('inner') was called while a step ran"]

    def test_not_from_a_callback(self, pytester: pytest.Pytester) -> None:
        """Its error may end nothing but the callback: the test fails all the same."""
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
        result = pytester.runpytest_subprocess()
        result.assert_outcomes(passed=1, errors=1)
        assert "do('click \"Go\"') was called while a step ran" in printed(result)


class TestHowItGoesOn:
    def test_redrawn_element_is_recovered_without_the_worker(
        self, webtask: Webtask, model: Scripted, html: Html
    ) -> None:
        """A redrawn element is matched, and the worker is not asked."""
        html("<div id=box><button>Save</button></div>")

        def drawn_anew(turn: Any) -> Any:
            made = call("click", element_id=element(turn, "button", "Save"))
            webtask.page.evaluate("box.innerHTML = '<button>Save</button>'")
            return made

        model.answers = [drawn_anew, done()]
        webtask.do("save")
        [(action, reason)] = recoveries(webtask)
        assert action == "found again" and "button-1" in reason

    def test_worker_gets_the_failure_and_tries_another_way(
        self, webtask: Webtask, model: Scripted, site: Site
    ) -> None:
        """The second and third recovery are the worker's; a call refused beforehand is none."""
        site.pages["/"] = "<button disabled>Save</button><button>Save as</button>"
        webtask.goto(site.url)
        model.answers = [
            lambda t: [
                call("click", element_id="button-0"),
                call("click", element_id="button-1"),
            ],
            call("click", element_id="button-1"),
            call("click", element_id="button-1"),
            done(),
        ]
        webtask._runner.settings = replace(webtask._runner.settings, timeout=0.3)
        webtask._runner.browser.observe()
        webtask.do("save")
        assert [(action, reason.partition(":")[0]) for action, reason in recoveries(webtask)] == [
            ("error reported", "click"),
            ("another way", "click, after click failed"),
        ]

    def test_giving_up_is_the_last(self, webtask: Webtask, model: Scripted, html: Html) -> None:
        """With its reason, by the worker or by a limit."""
        html(COUNTER)
        model.answers = [call("abort", reason="there is no cart")]
        with pytest.raises(TaskFailed):
            webtask.do("open the cart")
        model.answers = [call("wait", seconds=0.1)] * 3
        with pytest.raises(TaskFailed):
            webtask.do("open the cart", max_steps=2)
        assert recoveries(webtask) == [
            ("abort", "there is no cart"),
            ("abort", "the task was not done within 2 steps"),
        ]
