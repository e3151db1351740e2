"""Checkpoints: evidence that is checked in the middle of a task, and what a referee learns of it."""

from collections.abc import Callable
from typing import Any

import pytest

from pytest_webtask import TaskFailed, Turn, Webtask
from pytest_webtask.testing import find, shows
from pytest_webtask.types.model import ModelTraits
from tests.scripted import Html, Scripted, call, done, element, on, rule
from tests.site import Site

pytestmark = pytest.mark.usefixtures("looking")

CART = """<h1>Cart</h1><p role=status id=s>0 items</p><p role=note id=n></p>
<button onclick="s.textContent = parseInt(s.textContent) + 1 + ' items'">Add</button>
<button onclick="s.textContent = '0 items'">Clear</button>
<button onclick="document.querySelector('h1').textContent = 'Paid'; s.remove()">Pay</button>"""
ADD, CLEAR, PAY = (on("click", "button", name) for name in ("Add", "Clear", "Pay"))


def confirm(*evidence: dict[str, Any], then: tuple[Any, ...] = ()) -> list[Any]:
    """An answer that confirms evidence, and calls more after it."""
    return [call("confirm", note="it is in the cart", evidence=[*evidence]), *then]


def ended(*evidence: dict[str, Any]) -> Any:
    """An answer that marks the task done."""
    return done("did it", *evidence)


def when(model: Scripted) -> list[dict[str, Any]]:
    """What the last conclusion says of the time of each of its facts."""
    names = ("checkpoint", "held after", "so now", "so before the task")
    return [{n: f[n] for n in names if n in f} for f in model.conclusions[-1].facts]


def test_checkpoint_is_evidence_with_a_time(webtask: Webtask, model: Scripted, html: Html) -> None:
    """The referee, the feedback and later steps learn what held, after which call."""
    html(CART)
    paid = ended(shows("heading", "Paid"))
    model.answers = [ADD, confirm(shows("status", "1 items")), PAY, paid, paid]
    result = webtask.do("put one into the cart and pay")
    clicked = 'click button "Add" [under or in "Cart"]'
    assert when(model) == [
        {"so before the task": False},
        {"checkpoint": 1, "held after": clicked, "so before the task": False},
    ]
    [_, marker, _] = model.conclusions[-1].actions
    assert marker == 'checkpoint 1, checked by code: "1 items" under "Cart"'
    assert 'shown then: "1 items" under "Cart"' in result.feedback.splitlines()
    webtask.do("look")
    assert any("1 items" in line for line in model.turns[-1].earlier[0].calls)


def test_referee_learns_which_text_was_awaited(
    webtask: Webtask, model: Scripted, html: Html
) -> None:
    """A text that a wait has found is among the actions; one that did not appear is not."""
    html(CART)
    model.answers = [
        ADD,
        [call("wait", text="1 items"), call("wait", text="Sold out", seconds=0.1)],
        ended(shows("status", "1 items")),
    ]
    webtask.do("put one into the cart, where 1 items is shown then")
    added, *awaited = model.conclusions[-1].actions
    assert added.startswith("click ")
    assert awaited == ["wait text=\"1 items\": '1 items' is shown"]


def test_calls_after_a_checkpoint_run_with_it(
    webtask: Webtask, model: Scripted, html: Html
) -> None:
    """A checkpoint costs no turn of its own, and the call behind one that fails is not run.

    Two of one answer may have an action between them: each holds at its own moment.
    """
    html(CART)
    add = call("click", find("button", "Add"))
    after = call("confirm", note="2 items", evidence=[shows("status", "items", "2 items")])
    model.answers = [
        ADD,
        confirm(shows("status", "1 items", "2 items"), then=(call("press", key="Tab"),)),
        confirm(shows("status", "1 items"), then=(add, after)),
        ended(shows("status", "2 items")),
    ]
    iterations = webtask.do("add one").session.iterations
    failed, not_run = iterations[1].calls
    assert "the checkpoint does not hold" in (failed.error or "") and not failed.evidence
    assert not_run.error == "confirm failed"
    assert [each.success for each in iterations[2].calls] == [True, True, True]


def test_checkpoint_may_follow_its_action(webtask: Webtask, model: Scripted, html: Html) -> None:
    """What was filled in is confirmed before it is sent, in one answer; a wrong value is not sent."""
    page = html("""<label>Name <input id=n></label><button onclick="document.title = n.value;
        n.value = ''; s.textContent = 'Sent'">Send</button><p id=s role=status>Open</p>""")

    def send(value: str) -> Callable[[Turn], Any]:
        def answer(turn: Turn) -> Any:
            name = element(turn, "textbox", "Name")
            shown = {"kind": "value", "element_id": name, "value": value}
            return [
                call("fill", element_id=name, text="Ada"),
                call("confirm", note="filled in", evidence=[shown]),
                call("click", element_id=element(turn, "button", "Send")),
            ]

        return answer

    model.answers = [send("Eve"), send("Ada"), ended(shows("status", "Sent"))]
    first, second, _ = webtask.do("send the name Ada").session.iterations
    assert [each.success for each in first.calls] == [True, False, False]
    assert [each.success for each in second.calls] == [True, True, True]
    assert page.title() == "Ada"


def test_checkpoint_after_a_load_stops_the_answer(
    webtask: Webtask, stopped: Any, site: Site
) -> None:
    """A checkpoint of what is gone is not run, and the calls after it do not leave the new page."""
    site.pages |= {"/": "<a href=/sent>Send</a>", "/sent": "<p>Sent</p><a href=/>Home</a>"}
    webtask.goto(site.url)
    click = call("click", find("link", "Send"))
    sent = call("confirm", note="sent", evidence=[shows("link", "Send")])
    home = call("click", element_id={"role": "link", "name": "Home"})
    [[_, confirmed, clicked]] = stopped([click, sent, home])
    assert (confirmed.error or "").startswith("click loaded a page")
    assert clicked.error == "confirm failed"
    assert webtask.page.url.endswith("/sent")


def test_checkpoint_of_texts_may_follow_a_change_of_the_hash(
    webtask: Webtask, model: Scripted, html: Html
) -> None:
    """Texts that are still as the model saw them may be confirmed after a script has changed the address."""
    html("<a href='#b'>Tab B</a><p role=status>Kept</p>")
    kept = call("confirm", note="kept", evidence=[shows("status", "Kept")])
    model.answers = [[call("click", find("link", "Tab B")), kept], ended(shows("status", "Kept"))]
    [calls, _] = (each.calls for each in webtask.do("open tab B").session.iterations)
    assert [each.error for each in calls] == [None, None]


def test_checkpoint_alone_ends_no_task(webtask: Webtask, model: Scripted, html: Html) -> None:
    """A task is not done by what was so before, even for a model that does not look, nor by a note alone."""
    html(CART)
    model.traits = ModelTraits(looks_at_page=False)
    stop = call("abort", reason="stop")
    model.answers = [confirm(), ADD, confirm(shows("status", "1 items")), CLEAR, ended(), stop]
    with pytest.raises(TaskFailed) as failed:
        webtask.do("add one")
    iterations = failed.value.result.session.iterations
    empty, error = (iterations[at].calls[0].error or "" for at in (0, 4))
    assert "evidence" in empty and "at least 1" in empty
    assert "checkpoints of `confirm` tell only what was so before" in error
    assert not model.conclusions


def test_checkpoint_that_was_undone_says_so(model: Scripted, stopped: Any, html: Html) -> None:
    """The referee learns that a checkpoint holds no longer."""
    html(CART)
    model.scripts["referee"] = [rule(proves=False, missing="an item at the end")]
    stopped(ADD, confirm(shows("status", "1 items")), CLEAR, ended(shows("heading", "Cart")))
    now = {"so now": False, "so before the task": False}
    assert when(model)[1] | {"held after": ""} == {"checkpoint": 1, "held after": "", **now}


def test_checkpoint_before_actions_says_so(webtask: Webtask, model: Scripted, html: Html) -> None:
    """Evidence that held before any action is reported as such."""
    html(CART)
    model.answers = [confirm(shows("heading", "Cart")), ADD, ended(shows("status", "1 items"))]
    webtask.do("add one")
    assert when(model)[1] == {
        "checkpoint": 1,
        "held after": "nothing, no action was done before it",
        "so now": True,
        "so before the task": True,
    }


def test_end_says_if_it_held_at_checkpoint(webtask: Webtask, model: Scripted, html: Html) -> None:
    """What was so at the last checkpoint shows no effect of what was done after it."""
    html(CART)
    model.answers = [
        ADD,
        confirm(shows("status", "1 items")),
        CLEAR,
        confirm(shows("status", "0 items")),
        ADD,
        ended(shows("status", "1 items"), shows("heading", "Cart")),
    ]
    webtask.do("add one, clear it, add one")
    names = ("so before the task", "so at checkpoint 1", "so at checkpoint 2")
    facts = [{n: f[n] for n in names if n in f} for f in model.conclusions[-1].facts]
    assert facts == [
        {"so before the task": False, "so at checkpoint 2": False},
        {"so before the task": True, "so at checkpoint 2": True},
        {"so before the task": False},
        {"so before the task": True, "so at checkpoint 1": False},
    ]


def test_end_that_was_confirmed_held_there(webtask: Webtask, model: Scripted, html: Html) -> None:
    """The same check of the same element is known to have held, also if no outline tells that."""
    html(CART.replace("role=status", "role=status data-n=0"))
    cart: dict[str, Any] = {"kind": "attribute", "name": "data-n", "value": "0"}
    cart["element_id"] = find("status", "1 items")
    model.answers = [ADD, confirm(cart), ended(cart)]
    webtask.do("add one")
    assert model.conclusions[-1].facts[0]["so at checkpoint 1"] is True
