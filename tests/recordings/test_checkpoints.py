"""Checkpoints in recordings: replayed at their place, and never skipped."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from pytest_webtask.cli import main
from pytest_webtask.recordings.pending import proposals
from tests.inner import Project, project, recorded_project

PAGE = """<title>Shop</title><h1>Cart</h1><p role=status id=s>{before}</p>
<button onclick="if (s.textContent != '{after}') s.textContent = '{after}'">Add</button>
<button onclick="document.querySelector('h1').textContent = 'Paid'; s.remove()">Pay</button>"""
FRESH = PAGE.format(before="empty", after="1 item")
# A model has to take over here.
RENAMED = FRESH.replace(">Add<", ">Put it in<").replace("<button", "<button class=other", 1)
PLAYS = """
    "put one in and pay": [
        act("click", "button:Add"),
        confirm("one is in the cart", text("status:1 item", "1 item")),
        act("click", "button:Pay"),
        done(text("heading:Paid", "Paid")),
    ],
"""
TEST = """
def test_pay(webtask):
    webtask.goto("/")
    webtask.do("put one in and pay")
"""


original, recorded = recorded_project(PLAYS, TEST, {"/": FRESH})


def test_checkpoint_is_recorded_and_replayed_at_its_place(recorded: Project) -> None:
    """A replay asks no model, and the report shows the checkpoint among the calls."""
    [add, checkpoint, pay] = recorded.steps("test_pay")[0]["calls"]
    assert [add["tool"], checkpoint["tool"], pay["tool"]] == ["click", "confirm", "click"]
    assert checkpoint["parameters"] == {"note": "one is in the cart"}
    assert checkpoint["evidence"][0]["check"]["text"] == "1 item"
    recorded.replays()
    report = recorded.root / ".webtask" / "report"
    [test] = json.loads((report / "report.json").read_text())["tests"]
    calls = [c for i in test["attempts"][0]["steps"][1]["iterations"] for c in i["calls"]]
    assert [each["expected"] for each in calls[1]["evidence"]] == ['exactly "1 item"']
    html = (report / test["page"]).read_text()
    assert "checkpoint: one is in the cart" in html and "What held then" in html


@pytest.mark.parametrize(
    ("page", "message"),
    [
        # It no longer holds: the end alone would pass.
        (PAGE.format(before="empty", after="2 items"), "the checkpoint at action 2 of 3"),
        # It held before the first call, so that it shows no effect of any.
        (PAGE.format(before="1 item", after="1 item"), "already so before the first action"),
        # Its element is gone.
        (
            FRESH.replace("; s.remove()", "").replace("s.textContent = '1 item'\"", 's.remove()"'),
            "checkpoint at action 2 of 3",
        ),
    ],
)
def test_checkpoint_that_shows_nothing_fails_the_replay(
    recorded: Project, page: str, message: str
) -> None:
    """A replay fails at the checkpoint, before the next call, and proposes no other expectation."""
    recorded.site.pages["/"] = page
    run = recorded.run(ci="true")
    assert run.outcomes == {"test_pay": "failed"}, run.printed
    assert message in run.printed and not run.changed


def play(recorded: Project, *answers: str) -> None:
    """Let a model that takes over answer so."""
    imports = "from tests.inner import act, confirm, done, text"
    plays = f'PLAYS = {{"put one in and pay": [{", ".join(answers)}]}}'
    recorded.write("plays.py", f"{imports}\n{plays}\n")
    recorded.site.pages["/"] = RENAMED


PUT, PAY = 'act("click", "button:Put")', 'act("click", "button:Pay")'
PAID = 'done(text("heading:Paid", "Paid"))'


def test_model_that_takes_over_must_confirm_what_is_left(recorded: Project) -> None:
    """After a hand-over, a model gets the list of the checkpoints to come, and cannot leave them out."""
    play(recorded, PUT, PAY, PAID, 'act("abort", reason="it was not confirmed")')
    run = recorded.run()
    assert run.outcomes == {"test_pay": "failed"}, run.printed
    assert "Confirm on the way, at its moment, each of: text" in run.asked[0]["notices"][0]
    assert "the recording expects text" in run.printed and "was not confirmed" in run.printed


def test_review_and_export_show_the_checkpoint(
    recorded: Project, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`show` prints it at its place as the assertion that it is."""
    monkeypatch.chdir(recorded.root)
    main(["recordings", "show", "recordings/test_it/test_pay.json"])
    lines = [line.strip() for line in capsys.readouterr().out.splitlines()]
    note = next(n for n, line in enumerate(lines) if "checkpoint: one is in the cart" in line)
    assert "1 item" in lines[note + 1] and "click" in lines[note + 2]


@pytest.mark.parametrize(
    ("pay", "outcome"),
    [
        # It does nothing, and what the end cites was so at the checkpoint.
        ("", "failed"),
        # It brings the same about anew.
        ("document.querySelector('h1').textContent = 'Paid'", "passed"),
        ("document.querySelector('h1').outerHTML = '<h1>Paid</h1>'", "passed"),
    ],
)
def test_end_that_held_at_the_checkpoint_must_change_after_it(
    recorded: Project, pay: str, outcome: str
) -> None:
    """An idle call after a checkpoint fails, although its evidence is new since the beginning."""
    assert recorded.steps("test_pay")[0]["evidence"][0]["new_since"] == 1
    recorded.site.pages["/"] = f"""<title>Shop</title><h1>Cart</h1><p role=status id=s>empty</p>
        <button onclick="s.textContent = '1 item'; document.querySelector('h1').textContent = 'Paid'">Add</button>
        <button onclick="{pay}">Pay</button>"""
    run = recorded.run(ci="true")
    assert run.outcomes == {"test_pay": outcome}, run.printed
    if not pay:
        assert "was already so at checkpoint 1, and the page did not change there" in run.printed


TWICE = """
    "add and send": [
        act("click", "button:Add"),
        confirm("one is in the cart", text("status:1 item", "1 item")),
        act("click", "button:Send"),
        confirm("it was sent", text("note:sent", "sent")),
        act("click", "button:Close"),
        done(text("heading:Closed", "Closed")),
    ],
"""
STEPS = """<title>Shop</title><h1 id=h>Cart</h1><p role=status id=s>empty</p><p role=note id=n></p>
<button onclick="s.textContent = '1 item'; {add}">Add</button>
<button onclick="{send}">Send</button><button onclick="{close}">Close</button>"""
WORKS = {"add": "", "send": "n.textContent = 'sent'", "close": "h.textContent = 'Closed'"}


@pytest.fixture(scope="module")
def recorded_twice(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Project]:
    """A project with a recording of a task with two checkpoints."""
    test = TEST.replace("put one in and pay", "add and send")
    with project(tmp_path_factory.mktemp("checkpoints"), TWICE, test) as inner:
        inner.site.pages["/"] = STEPS.format(**WORKS)
        inner.passes()
        calls = inner.steps("test_pay")[0]["calls"]
        confirmed = [call["evidence"][0] for call in calls if "evidence" in call]
        assert [each.get("new_since", 0) for each in confirmed] == [0, 1]
        yield inner


@pytest.mark.parametrize(
    ("page", "message"),
    [
        (WORKS, ""),
        # The call between two checkpoints does nothing: what the second shows was so at the first.
        (WORKS | {"add": "n.textContent = 'sent'", "send": ""}, "already so at checkpoint 1"),
        (WORKS | {"add": "n.textContent = 'sent'"}, ""),
        # What the end shows was so at either checkpoint.
        (WORKS | {"send": "n.textContent = 'sent'; h.textContent = 'Closed'", "close": ""}, "already so at checkpoint 2"),
        (WORKS | {"add": "h.textContent = 'Closed'", "close": ""}, "already so at checkpoint 1"),
        # The second one has gone when the page is loaded anew.
        (WORKS | {"send": "location.reload()"}, "checkpoint at action 4 of 5"),
    ],
)  # fmt: skip
def test_call_between_two_checkpoints_must_have_an_effect(
    recorded_twice: Project, tmp_path: Path, page: dict[str, str], message: str
) -> None:
    """Each part of a task is compared with the checkpoint before it."""
    inner = recorded_twice.copy(tmp_path)
    inner.site.pages["/"] = STEPS.format(**page)
    run = inner.run(ci="true")
    assert run.outcomes == {"test_pay": "failed" if message else "passed"}, run.printed
    assert message in run.printed


def test_evidence_stays_new_after_a_model_took_over(recorded: Project) -> None:
    """The model has not seen the page of the beginning, but the recording had."""
    confirmed = 'confirm("one is in the cart", text("status:1 item", "1 item"))'
    play(recorded, PUT, confirmed, PAY, PAID)
    recorded.passes()
    [proposed] = proposals(recorded.root).values()
    every = proposed.step.every_evidence
    assert [each.held_before for each in every] == [False, False]
