"""Messages that vanish: workers and readers see that they were shown, and may cite them."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest

from pytest_webtask import TaskFailed, Turn, Webtask
from pytest_webtask.llm.prompts import render
from pytest_webtask.testing import find, shows
from tests.scripted import Html, Scripted, after_look, call, citing, done, on
from tests.site import Site

pytestmark = pytest.mark.usefixtures("looking")

SAVING = """<h1 id=notes>Notes</h1><button onclick="
  say.textContent = 'Note saved'; notes.ariaBusy = 'true';
  requestAnimationFrame(() => setTimeout(() => {
    say.textContent = ''; notes.ariaBusy = 'false' }, 600))">Save</button>
<p role=status id=say>Ready</p>"""
"""The page is busy as long as its message is shown, so that a look comes after it.

The message is drawn, and stays longer than the observer pauses on a machine under load.
"""
SAVED = {"kind": "was_shown", "text": "Note saved"}


def marked(*checks: dict[str, Any]) -> Callable[[Turn], Any]:
    """An answer that looks, and marks the task done."""
    return after_look(done("saved", *map(citing, checks)))


def test_vanished_message_is_evidence(webtask: Webtask, model: Scripted, html: Html) -> None:
    """A message that appeared and vanished within a turn is listed and did not hold before the task."""
    html(SAVING)
    model.answers = [on("click", "button", "Save"), marked(SAVED)]
    webtask.do("save the note")
    assert "Note saved" in model.turns[-1].vanished[-1]
    page = render(model.turns[-1]).page
    assert "Text that appeared since this step began and has gone" in page
    [fact] = model.conclusions[0].facts
    assert (fact["check"], fact["text"]) == ("was_shown", "Note saved")
    assert fact["so before the task"] is False


def test_only_news_and_messages_are_vanished(model: Scripted, stopped: Any, html: Html) -> None:
    """A text that an earlier turn has shown is not listed once it is gone, but a message is."""
    html("""<div id=box></div>
        <button onclick="box.innerHTML = '<p>Row 1</p><p role=alert>Careful</p>'">Open</button>
        <button onclick="box.innerHTML = ''">Close</button>""")
    stopped(on("click", "button", "Open"), on("click", "button", "Close"))
    assert "Row 1" not in model.turns[-1].observation.outline
    assert model.turns[-1].vanished == ('"Careful" (alert)',)


def test_message_of_an_earlier_step_is_no_evidence(
    webtask: Webtask, model: Scripted, stopped: Any, html: Html
) -> None:
    """A task that did nothing cannot cite a message of the step before."""
    html(SAVING)
    model.answers = [on("click", "button", "Save"), marked(SAVED)]
    webtask.do("save the note")
    stopped(marked(SAVED))
    assert not model.turns[-2].vanished
    assert len(model.conclusions) == 1


def test_reader_gets_vanished_messages(webtask: Webtask, model: Scripted, html: Html) -> None:
    """A reader may cite a vanished message beside the element that it selects."""
    html(SAVING)
    model.answers = [on("click", "button", "Save"), marked(SAVED)]
    webtask.do("save the note")

    model.answers = [call("report_element", find("button", "Save"), evidence=[SAVED])]
    webtask.select("the button that saved the note", timeout=0)
    assert "Note saved" in model.turns[-1].vanished[-1]
    assert [fact["check"] for fact in model.conclusions[-1].facts] == ["state", "was_shown"]


NOTES = """<title>Notes</title><h1>Notes</h1><p role=status id=say>{}</p><p role=note>2 notes</p>
<button onclick="say.textContent = 'Note saved'">Save</button>
<button onclick="d.showModal()">Ask</button><a href=/list>List</a>
<dialog id=d aria-label=Sure><p>Delete all notes?</p><button>Delete</button></dialog>"""
LIST = "<title>List</title><h1>List</h1><p role=status>{}</p><a href=/>Back</a>"


@pytest.fixture
def left(webtask: Webtask, model: Scripted, site: Site) -> Any:
    """Click a control and go elsewhere in one answer; return the next turn, which cites evidence."""
    site.pages |= {"/": NOTES.format(""), "/list": LIST.format(""), "/end": "<h1>End</h1>"}

    def run(*clicked: tuple[str, str], then: Any = None, cites: Any = None) -> Turn:
        webtask.goto(site.url)
        seen: list[Turn] = []

        def look(turn: Turn) -> list[Any]:
            assert turn.observation
            seen.append(turn)
            evidence = [{"kind": "was_shown", "text": cites}, shows("heading", "End")]
            end = call("mark_done", summary="saved", evidence=evidence)
            return [*Scripted(end if cites else call("abort", reason="enough")).decide(turn).calls]

        def act(turn: Turn) -> Any:
            calls = [call("click", find(*each)) for each in clicked]
            return Scripted([*calls, then or call("navigate", url="/end")]).decide(turn)

        model.answers = [act, look, call("abort", reason="it was not shown")]
        with suppress(TaskFailed):
            webtask.do("save the note")
        return seen[0]

    return run


SAVE = ("button", "Save")


def test_message_of_a_page_that_the_answer_left_is_listed(model: Scripted, left: Any) -> None:
    """The model learns what stood there after which of its calls, and may cite it."""
    turn = left(SAVE, cites="Note saved")
    message = '"Note saved" (status), after click, call 1 of turn 1'
    assert turn.vanished == (message,)
    assert f"- {message}" in render(turn).page.splitlines()
    fact, _ = model.conclusions[0].facts
    assert (fact["check"], fact["text"]) == ("was_shown", "Note saved")
    assert "was there after click, call 1 of turn 1, and went with its page" in fact["note"]
    assert fact["so before the task"] is False


def test_message_on_a_page_that_the_answer_loaded_is_listed(left: Any, site: Site) -> None:
    """A flash on the page that a click loads is news, its other texts are not."""
    site.pages["/list"] = LIST.format("Note saved")
    turn = left(("link", "List"))
    assert turn.vanished == ('"Note saved" (status), after click, call 1 of turn 1',)


def test_dialog_that_was_open_when_its_page_was_left_is_listed(left: Any) -> None:
    """Each line of it is, as when it is closed."""
    turn = left(("button", "Ask"))
    after = '(dialog "Sure"), after click, call 1 of turn 1'
    assert turn.vanished == (f'"Delete all notes?" {after}', f'"Delete" {after}')


@pytest.mark.parametrize(
    ("notes", "end"),
    [
        (NOTES.format("Note saved"), ""),
        (NOTES.format(""), "<p role=status>Note saved</p>"),
        (f"{NOTES.format('')}<style>#say {{ opacity: 0 }}</style>", ""),
    ],
)
def test_message_that_was_not_shown_for_a_moment_is_not_listed(
    model: Scripted, left: Any, site: Site, notes: str, end: str
) -> None:
    """It stood there before the step, or is on the next page, too, or nobody could see it."""
    site.pages |= {"/": notes, "/end": f"<h1>End</h1>{end}"}
    assert left(SAVE, cites="Note saved").vanished == ()
    assert not model.conclusions


def test_answer_with_one_call_notes_no_messages(model: Scripted, stopped: Any, html: Html) -> None:
    """The model has seen the page that such a call leaves."""
    html(NOTES.format(""))
    away = call("navigate", url="about:blank")
    stopped(on("click", "button", "Save"), away, lambda t: t.observation and call("look"))
    turn = model.turns[2]
    assert turn.iterations[0].observed and turn.observed and turn.vanished == ()


def test_message_before_the_task_is_no_evidence(model: Scripted, stopped: Any, html: Html) -> None:
    """A message that stood before the task, and went during it, did not appear in it."""
    html(
        "<p role=status id=say>Note saved</p><button onclick='say.textContent = \"\"'>Save</button>"
    )
    stopped(on("click", "button", "Save"), marked(SAVED))
    assert not model.turns[-2].vanished and not model.conclusions
