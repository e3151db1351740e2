"""Tests of the literal interpreter as a model: one resolved call in each turn."""

from dataclasses import replace
from typing import Any

import pytest
from playwright.sync_api import Locator, Page

from pytest_webtask.errors import NotLiteral, TaskFailed, UnknownName, UsageError
from pytest_webtask.literal import LiteralModel
from pytest_webtask.run.webtask import Webtask
from pytest_webtask.tools.registry import Args
from pytest_webtask.types.agent import Event, Iteration, ProposedToolCall, ToolCall, ToolSpec, Turn
from tests.scripted import FixedPage
from tests.site import Site

MARKUP = """
<label>Email <input></label><label>Password <input type=password></label>
<button onclick="document.title += 'clicked'">Log in</button>
<label>Size <select><option>M<option>L</select></label>
<label>CV <input type=file></label>
<div draggable=true>Task</div><div style="cursor:pointer">Done</div>
"""


def turn(page: Page | None, task: str, *outcomes: str | None, **more: Any) -> Turn:
    """Return a turn after calls with these errors, None for a success."""
    iterations = []
    for number, error in enumerate(outcomes, 1):
        call = ToolCall(tool="click", parameters={}, success=not error, error=error)
        iterations.append(Iteration(number=number, role="worker", calls=(call,), started=0, time=0))
    given = {"tools": [ToolSpec("mark_done", "", Args)], "iterations": iterations, **more}
    return Turn(role="worker", task=task, view=FixedPage(page), timeout=0.3, **given)


def decide(page: Page | None, task: str, *outcomes: str | None, **more: Any) -> ProposedToolCall:
    """Return the one proposed call."""
    [call] = LiteralModel().decide(turn(page, task, *outcomes, **more)).calls
    return call


def live(call: ProposedToolCall, parameter: str) -> Locator:
    """Return the locator of an element of a call."""
    found = call.locators[parameter]
    return found if isinstance(found, Locator) else found.locator


EMPTY = [
    *('wait for "{x}"', "go to {x}", "click {x}", 'click "A" next to "{x}"'),
    *("switch to tab {x}", 'fill {x} with "1"'),
]


class TestSentences:
    def test_turn_proposes_the_next_clause(self) -> None:
        """The next clause follows from the calls that succeeded; after the last, the task is done."""
        task = 'go to "/cart", press Enter and reload'
        calls = [decide(None, task, *[None] * done) for done in range(4)]
        assert [call.tool for call in calls] == ["navigate", "press", "reload", "mark_done"]
        assert [call.reason for call in calls[:3]] == ['go to "/cart"', "press Enter", "reload"]

    def test_failed_call_aborts(self) -> None:
        """After a failed call the step is aborted with its error."""
        call = decide(None, "reload, go back", "net::ERR_FAILED")
        assert (call.tool, call.parameters) == ("abort", {"reason": "reload: net::ERR_FAILED"})

    def test_names_of_all_clauses_are_checked_first(self) -> None:
        """Placeholders of all clauses are checked before the first one is done."""
        with pytest.raises(UnknownName):
            decide(None, 'reload, go to "/{who}"')
        with pytest.raises(UsageError):
            decide(None, 'reload, click "{secret}"', data={"secret": None})

    @pytest.mark.parametrize("task", EMPTY)
    def test_empty_names_are_refused(self, task: str) -> None:
        """A name, text or address that is empty once filled in is refused before the first clause."""
        with pytest.raises(UsageError, match=r"\{x\} is empty and cannot be "):
            decide(None, f"reload, {task}", data={"x": " "})

    def test_empty_value_may_be_typed(self, page: Page) -> None:
        """An empty value can be typed into a field."""
        page.set_content(MARKUP)
        assert decide(page, 'fill "Email" with {x}', data={"x": ""}).tool == "fill"

    def test_output_is_refused(self) -> None:
        """A step that asks for an output is refused with advice to set a model."""
        tools = [ToolSpec("set_output", "", Args)]
        with pytest.raises(NotLiteral, match=r"output= needs a model(.|\n)*extract"):
            decide(None, "reload", tools=tools)


ANSWER = 'click "Log in" and answer the dialog with {pw}'
CALLS: dict[str, tuple[str, dict[str, Any]]] = {
    'fill "Email" with "{user}@x"': ("fill", {"text": "{user}@x"}),
    'fill "Password" with {pw}': ("fill", {"text": "{pw}"}),
    'clear "Email"': ("fill", {"text": ""}),
    'select "{size}" in "Size"': ("select_option", {"options": ["{size}"]}),
    'upload "cv" to "CV"': ("upload", {"resources": ["cv"]}),
    'click "Log in"': ("click", {}),
    'double-click "{button}"': ("click", {"double": True}),
    ANSWER: ("click", {"dialog": "accept", "dialog_text": "{pw}"}),
    'press Control+A in "Email"': ("press", {"key": "Control+A"}),
}


class TestParameters:
    @pytest.fixture(autouse=True)
    def markup(self, page: Page) -> None:
        """A form."""
        page.set_content(MARKUP)

    @pytest.mark.parametrize("task", CALLS)
    def test_call_has_parameters_and_locators(self, page: Page, task: str) -> None:
        """Typed values keep their placeholders, and elements have a locator with readable code."""
        tool, parameters = CALLS[task]
        data = {"user": "ann", "pw": None, "size": "M", "button": "Log in"}
        call = decide(page, task, data=data, resources=["cv"])
        code = call.parameters["element_id"]
        assert code.startswith("get_by_")
        assert (call.tool, call.parameters) == (tool, parameters | {"element_id": code})
        assert call.reason == task
        assert live(call, "element_id").count() == 1

    def test_drag_resolves_both_elements(self, page: Page) -> None:
        """Each element of a call is resolved under the name of its parameter."""
        call = decide(page, 'drag "Task" to "Done"')
        texts = {name: live(call, name).inner_text() for name in call.locators}
        assert texts == {"element_id": "Task", "to_element_id": "Done"}

    def test_untyped_values_are_filled_in(self, page: Page) -> None:
        """Addresses, tabs and texts to wait for have their placeholders filled in."""
        tasks = {
            "go to {where}": {"url": "/cart"},
            'switch to tab "{where}"': {"tab": "/cart"},
            'wait for "At {where}, {{x}}"': {"text": "At /cart, {x}"},
        }
        data = {"where": "/cart"}
        assert {task: decide(page, task, data=data).parameters for task in tasks} == tasks

    def test_missing_element_aborts(self, page: Page) -> None:
        """An element that cannot be resolved aborts the step with the clause and the closest names."""
        call = decide(page, 'reload, click "Log on"', None)
        assert call.tool == "abort"
        reason = call.parameters["reason"]
        assert reason.startswith('click "Log on": nothing that can be clicked is called "Log on"')
        assert reason.endswith('button "Log in"')
        assert page.title() == ""


@pytest.mark.own_page
class TestDialogs:
    """Through the real loop and a real page."""

    @pytest.fixture(autouse=True)
    def markup(self, page: Page) -> None:
        """Buttons that open dialogs."""
        page.set_content(
            "<button onclick=\"if (confirm('Delete Mug?')) document.title += 'gone'\">Delete</button>"
            "<button onclick=\"document.title += prompt('Name?')\">Rename</button>"
            "<button onclick=\"alert('Hi'); document.title += 'told'\">Tell</button>"
            "<button onclick=\"document.title += 'next'\">Next</button>"
            "<i onmouseover=\"confirm('Stay?')\">Edge</i>"
        )

    @pytest.mark.parametrize("after", ["", ' and click "Next"'])
    @pytest.mark.parametrize(
        ("name", "dialog"), [("Delete", 'confirm "Delete Mug?"'), ("Rename", 'prompt "Name?"')]
    )
    def test_unanswered_dialog_aborts(
        self, webtask: Webtask, page: Page, name: str, dialog: str, after: str
    ) -> None:
        """A dialog that the sentence does not answer aborts the step."""
        with pytest.raises(TaskFailed) as caught:
            webtask.do(f'click "{name}"{after}')
        text = str(caught.value)
        assert f'click "{name}": {dialog} was dismissed' in text
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
    def test_answered_dialogs_and_alerts_continue(
        self, webtask: Webtask, page: Page, sentence: str, title: str
    ) -> None:
        """A dialog that the sentence answers, or an alert, does not end the step."""
        session = webtask.do(sentence).session
        assert page.title() == title
        if "dismiss" in sentence:
            assert session.iterations[0].calls[0].parameters["dialog"] == "dismiss"

    def test_dialog_handler_of_the_test_is_respected(self, webtask: Webtask, page: Page) -> None:
        """A dialog that the test itself answers does not end the step."""
        page.on("dialog", lambda dialog: dialog.accept())
        webtask.do('click "Delete"')
        assert page.title() == "gone"

    def test_dialog_of_a_verb_without_answers_names_page_on(self, webtask: Webtask) -> None:
        """For a verb that takes no answer, the error names page.on()."""
        with pytest.raises(TaskFailed, match=r"Stay(.|\n)*page\.on\("):
            webtask.do('hover over "Edge"')


class TestOrigins:
    """Through the real loop and a real site."""

    @pytest.mark.parametrize("kind", ["stopped", "left"])
    def test_leaving_the_origins_aborts(self, kind: str) -> None:
        """A call that left the allowed origins aborts the step, after the last clause too."""
        call = ToolCall(tool="click", parameters={}, success=True)
        event = Event(kind=kind, text="going to http://evil.example was stopped")
        done = Iteration(number=1, role="worker", calls=(call,), events=(event,), started=0, time=0)
        for task in ('click "Pay"', 'click "Pay" and reload'):
            last = LiteralModel().decide(replace(turn(None, task), iterations=[done])).calls[0]
            assert last.tool == "abort"
            assert last.parameters["reason"] == f'click "Pay": {event.text}'

    @pytest.mark.parametrize(
        "link",
        [
            "href={}",
            "target=_blank href={}",
            "href=# onclick=\"fetch('/').then(() => window.open({}))\"",
        ],
    )
    def test_stopped_navigation_fails_the_task(
        self, webtask: Webtask, page: Page, site: Site, link: str
    ) -> None:
        """A click that leads to a forbidden origin fails the task, whenever a tab opens and is stopped."""
        site.pages["/"] = f"<a {link.format(repr(f'{site.foreign_url}/evil'))}>Pay</a>"
        page.goto(site.url)
        for _ in range(3):
            with pytest.raises(TaskFailed, match=r"/evil was stopped.*--webtask-allow-origin"):
                webtask.do('click "Pay"')
        assert "GET /evil" not in site.log

    def test_too_many_clauses_do_nothing(self, webtask: Webtask, page: Page) -> None:
        """A sentence with more clauses than steps is refused before its first clause."""
        page.set_content("<button onclick='this.remove()'>More</button>")
        with pytest.raises(UsageError, match="3 parts, but a step may have only 2"):
            webtask.do('click "More", reload, reload', max_steps=2)
        assert page.get_by_role("button").count() == 1
