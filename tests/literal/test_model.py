"""The literal interpreter as a model: one call a turn, resolved on the live page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NoReturn

import pytest
from playwright.sync_api import Page

from pytest_webtask.errors import NotLiteral, TaskFailed, UnknownName, UsageError
from pytest_webtask.literal import LiteralModel
from pytest_webtask.llm import Model
from pytest_webtask.tools.registry import Args
from pytest_webtask.types.agent import Event, Iteration, ProposedToolCall, ToolCall, ToolSpec, Turn
from pytest_webtask.webtask import Webtask
from tests.site import Site

MARKUP = """
<label>Email <input></label><label>Password <input type=password></label>
<button onclick="document.title += 'clicked'">Log in</button>
<label>Size <select><option>M<option>L</select></label>
<label>CV <input type=file></label>
<div draggable=true>Task</div><div style="cursor:pointer">Done</div>
"""


def unseen() -> NoReturn:
    """The observation, which costs time and is not to be taken."""
    raise AssertionError("the literal interpreter took an observation")


def turn(page: Page | None, task: str, *outcomes: str | None, **more: Any) -> Turn:
    """A turn after calls that ended so: an error each, or None."""
    calls = [
        ToolCall(tool="click", parameters={}, success=not error, error=error) for error in outcomes
    ]
    iterations = [
        Iteration(number=i, role="worker", calls=(call,), started=0, time=0)
        for i, call in enumerate(calls, 1)
    ]
    return Turn(
        role="worker",
        task=task,
        tools=more.pop("tools", [ToolSpec("mark_done", "", Args)]),
        page=page,  # type: ignore[arg-type]
        observe=unseen,
        iterations=iterations,
        timeout=0.3,
        **more,
    )


def decide(page: Page | None, task: str, *outcomes: str | None, **more: Any) -> ProposedToolCall:
    """The one call that is proposed."""
    calls: Sequence[ProposedToolCall] = (
        LiteralModel().decide(turn(page, task, *outcomes, **more)).calls
    )
    assert len(calls) == 1
    return calls[0]


class TestSentences:
    def test_it_is_a_model(self) -> None:
        """The interpreter fits the seam that all models fit."""
        assert isinstance(LiteralModel(), Model)

    def test_one_clause_a_turn(self) -> None:
        """Which clause is next follows from the calls that succeeded; after the last it is done."""
        task = 'go to "/cart", press Enter and reload'
        calls = [decide(None, task, *[None] * done) for done in range(4)]
        assert [call.tool for call in calls] == ["navigate", "press", "reload", "mark_done"]
        assert [call.reason for call in calls[:3]] == ['go to "/cart"', "press Enter", "reload"]

    def test_a_failed_call_ends_it(self) -> None:
        """After a call that failed the rest is not done, and its error is the reason."""
        call = decide(None, "reload, go back", "net::ERR_FAILED")
        assert (call.tool, call.parameters) == ("abort", {"reason": "net::ERR_FAILED"})

    def test_nothing_is_done_of_a_sentence_partly_read(self) -> None:
        """A sentence whose end cannot be read is refused before its first clause."""
        with pytest.raises(NotLiteral, match="buy some mugs"):
            decide(None, "reload, then buy some mugs")

    @pytest.mark.parametrize(
        ("task", "error"),
        [
            ('reload, go to "/{who}"', UnknownName),
            ('reload, click "{secret}"', UsageError),
            ('reload, upload "cv" to "CV"', UnknownName),
        ],
    )
    def test_names_are_checked_first(self, task: str, error: type[Exception]) -> None:
        """Placeholders and resources of later clauses are checked before the first one is done."""
        with pytest.raises(error):
            decide(None, task, data={"secret": None})

    @pytest.mark.parametrize(
        "task",
        [
            'wait for "{x}"',
            "go to {x}",
            "click {x}",
            'click "A" next to "{x}"',
            "switch to tab {x}",
            'fill {x} with "1"',
        ],
    )
    def test_no_name_is_empty(self, task: str) -> None:
        """A name, text or address that is empty once filled in is refused before the first clause."""
        with pytest.raises(UsageError, match=r"\{x\} is empty and cannot be "):
            decide(None, f"reload, {task}", data={"x": " "})

    def test_an_empty_value_may_be_typed(self, page: Page) -> None:
        """What is typed into a field may be empty."""
        page.set_content(MARKUP)
        assert decide(page, 'fill "Email" with {x}', data={"x": ""}).tool == "fill"

    def test_output_needs_a_model(self) -> None:
        """A step that asks for output is refused, since a literal sentence gives none."""
        tools = [ToolSpec("set_output", "", Args)]
        with pytest.raises(NotLiteral, match=r"no output(.|\n)*needs a model"):
            decide(None, "reload", tools=tools)


class TestParameters:
    @pytest.fixture(autouse=True)
    def markup(self, page: Page) -> None:
        """A form."""
        page.set_content(MARKUP)

    @pytest.mark.parametrize(
        ("task", "tool", "parameters"),
        [
            ('fill "Email" with "{user}@x"', "fill", {"text": "{user}@x"}),
            ('fill "Password" with {pw}', "fill", {"text": "{pw}"}),
            ('clear "Email"', "fill", {"text": ""}),
            ('select "{size}" in "Size"', "select_option", {"options": ["{size}"]}),
            ('upload "cv" to "CV"', "upload", {"resources": ["cv"]}),
            ('click "Log in"', "click", {}),
            ('double-click "{button}"', "click", {"double": True}),
            (
                'click "Log in" and answer the dialog with {pw}',
                "click",
                {"dialog": "accept", "dialog_text": "{pw}"},
            ),
            ('press Control+A in "Email"', "press", {"key": "Control+A"}),
        ],
    )
    def test_what_the_tool_is_given(
        self, page: Page, task: str, tool: str, parameters: dict[str, Any]
    ) -> None:
        """Typed values keep their placeholders; elements come resolved, with readable code."""
        data = {"user": "ann", "pw": None, "size": "M", "button": "Log in"}
        call = decide(page, task, data=data, resources=["cv"])
        code = call.parameters["element_id"]
        assert code.startswith("get_by_")
        assert (call.tool, call.parameters) == (tool, parameters | {"element_id": code})
        assert call.reason == task
        assert call.locators["element_id"].count() == 1

    def test_both_ends_of_a_drag(self, page: Page) -> None:
        """Each element of a call is resolved, under the name of its parameter."""
        call = decide(page, 'drag "Task" to "Done"')
        texts = {name: locator.inner_text() for name, locator in call.locators.items()}
        assert texts == {"element_id": "Task", "to_element_id": "Done"}

    @pytest.mark.parametrize(
        ("task", "parameters"),
        [
            ("go to {where}", {"url": "/cart"}),
            ('switch to tab "{where}"', {"tab": "/cart"}),
            ('wait for "At {where}, {{x}}"', {"text": "At /cart, {x}"}),
        ],
    )
    def test_what_is_not_typed_is_filled_in(
        self, page: Page, task: str, parameters: dict[str, Any]
    ) -> None:
        """Addresses, tabs and awaited texts come with their placeholders filled in."""
        assert decide(page, task, data={"where": "/cart"}).parameters == parameters

    def test_an_element_that_is_not_there(self, page: Page) -> None:
        """What cannot be resolved ends the step, with the clause and the closest names."""
        call = decide(page, 'reload, click "Log on"', None)
        assert call.tool == "abort"
        reason = call.parameters["reason"]
        assert reason.startswith('click "Log on": nothing that can be clicked is called "Log on"')
        assert reason.endswith('button "Log in"')
        assert page.title() == ""


class TestDialogs:
    """Through the real loop and a real page."""

    @pytest.fixture
    def webtask_model(self) -> LiteralModel:
        """The interpreter itself."""
        return LiteralModel()

    @pytest.fixture(autouse=True)
    def markup(self, page: Page) -> None:
        """Buttons that ask, and one that tells."""
        page.set_content(
            "<button onclick=\"if (confirm('Delete Mug?')) document.title += 'gone'\">Delete</button>"
            "<button onclick=\"document.title += prompt('Name?')\">Rename</button>"
            "<button onclick=\"alert('Hi'); document.title += 'told'\">Tell</button>"
            "<button onclick=\"document.title += 'next'\">Next</button>"
            "<i onmouseover=\"confirm('Stay?')\">Edge</i>"
        )

    @pytest.mark.parametrize("after", ["", ' and click "Next"'])
    @pytest.mark.parametrize(
        ("name", "said"), [("Delete", 'confirm "Delete Mug?"'), ("Rename", 'prompt "Name?"')]
    )
    def test_a_question_must_be_answered(
        self, webtask: Webtask, page: Page, name: str, said: str, after: str
    ) -> None:
        """A question that the sentence says nothing of ends the step, after its last clause too."""
        with pytest.raises(TaskFailed) as caught:
            webtask.do(f'click "{name}"{after}')
        text = str(caught.value)
        assert f'click "{name}": {said} was dismissed' in text
        assert "'... and accept the dialog', '... and dismiss the dialog' or" in text
        assert "'... and answer the dialog with" in text
        assert "next" not in page.title()

    @pytest.mark.parametrize(
        ("sentence", "title"),
        [
            ('click "Delete" and accept the dialog, click "Next"', "gonenext"),
            ('click "Delete" and dismiss the dialog, click "Next"', "next"),
            ('click "Rename" and answer the dialog with "Cup"', "Cup"),
            ('click "Tell" and click "Next"', "toldnext"),
        ],
    )
    def test_an_answer_or_nothing_to_answer(
        self, webtask: Webtask, page: Page, sentence: str, title: str
    ) -> None:
        """What was answered as the sentence says goes on, and an alert needs no answer."""
        session = webtask.do(sentence).session
        assert page.title() == title
        if "dismiss" in sentence:
            assert session.iterations[0].calls[0].parameters["dialog"] == "dismiss"

    def test_a_handler_of_the_test(self, webtask: Webtask, page: Page) -> None:
        """A dialog that the test itself answers is its own affair."""
        page.on("dialog", lambda dialog: dialog.accept())
        webtask.do('click "Delete"')
        assert page.title() == "gone"

    def test_a_verb_that_takes_no_answer(self, webtask: Webtask) -> None:
        """Where no answer can be said, the error tells how the test may answer."""
        with pytest.raises(TaskFailed, match=r"Stay(.|\n)*page\.on\("):
            webtask.do('hover over "Edge"')


class TestOrigins:
    """Through the real loop and a real site."""

    @pytest.fixture
    def webtask_model(self) -> LiteralModel:
        """The interpreter itself."""
        return LiteralModel()

    @pytest.mark.parametrize("kind", ["stopped", "left"])
    def test_an_event_ends_it(self, kind: str) -> None:
        """A call that led out of the allowed origins ends the step, after the last clause too."""
        call = ToolCall(tool="click", parameters={}, success=True)
        event = Event(kind=kind, text="going to http://evil.example was stopped")
        done = Iteration(number=1, role="worker", calls=(call,), events=(event,), started=0, time=0)
        for task in ('click "Pay"', 'click "Pay" and reload'):
            made = LiteralModel().decide(replace(turn(None, task), iterations=[done])).calls[0]
            assert made.tool == "abort"
            assert made.parameters["reason"].startswith(f'click "Pay": {event.text}; allow it with')
            assert "--webtask-allow-origin" in made.parameters["reason"]

    @pytest.mark.parametrize(
        ("target", "sentence"),
        [
            ("_self", 'click "Pay"'),
            # A tab takes its time to open, and to be stopped.
            ("_blank", 'click "Pay", wait for "Later"'),
        ],
    )
    def test_a_link_that_is_stopped(
        self, webtask: Webtask, page: Page, site: Site, target: str, sentence: str
    ) -> None:
        """A click on a link that the origin guard stops has not done what it says."""
        site.pages["/"] = (
            f"<a href='{site.foreign_url}/evil' target={target}>Pay</a><p></p><script>onclick = () =>"
            " setTimeout(() => document.querySelector('p').textContent = 'Later', 1000)</script>"
        )
        page.goto(site.url)
        with pytest.raises(TaskFailed, match=r"/evil was stopped.*--webtask-allow-origin"):
            webtask.do(sentence)
        assert "GET /evil" not in site.log

    def test_a_sentence_that_is_too_long_does_nothing(self, webtask: Webtask, page: Page) -> None:
        """It is refused before its first clause, not when its steps run out."""
        page.set_content("<button onclick='this.remove()'>More</button>")
        with pytest.raises(UsageError, match="3 clauses, and a step may take 2 iterations"):
            webtask.do('click "More", reload, reload', max_steps=2)
        assert page.get_by_role("button").count() == 1
