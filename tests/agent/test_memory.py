"""What each role knows of earlier steps, and the result that is the same in a replay."""

import json
from pathlib import Path
from typing import Any, ClassVar

import pytest

from pytest_webtask import (
    NotFound,
    PageError,
    Secret,
    TaskFailed,
    Undecided,
    VerificationFailed,
    Webtask,
)
from pytest_webtask.llm.prompts import render
from pytest_webtask.testing import find
from pytest_webtask.types.agent import Turn
from tests.inner import project
from tests.scripted import Scripted, call, described, done, on, verdict
from tests.site import Site

SHOP = """<title>Shop</title><h1>Order MUG-4711</h1>
<table><tr><th>Item<th>Price<tr><td>Striped Mug<td>$12.00<td><button>Remove</button>
<tr><td>Pot<td>$30.00<td><button>Remove</button></table>
<label>Name <input></label><button>Pay</button>"""


def shown(turn: Turn) -> list[str]:
    """The lines on earlier steps, which must be in the result of the tool alone."""
    prompt = render(turn)
    head = "What earlier steps of this test did and found, in order:\n"
    assert head not in prompt.task + prompt.system
    _, found, rest = prompt.page.partition(head)
    return rest.partition("\n\n")[0].splitlines() if found else []


ORDER = ("heading:Order", "Order MUG-4711")
HEADING = {"kind": "text", "element_id": ORDER[0], "text": ORDER[1]}


def marked(element_id: str, text: str, *more: dict[str, Any]) -> Any:
    """The end of a task, with an element's text and further checks as evidence."""
    shows = {"kind": "text", "element_id": described(element_id), "text": text}
    return call("mark_done", summary="SUMMARY", evidence=[*more, shows])


def work(webtask: Webtask, model: Scripted) -> None:
    """Do a task, read, select, and judge two claims."""
    webtask.goto("/")
    fill = call("fill", find("textbox", "Name"), text="{name}")
    model.answers = [[fill, call("click", find("button", "Pay"))], marked(*ORDER)]
    webtask.do("TASK", data={"name": "Ann", "code": Secret("hunter-two")})
    read = {"element_id": described("cell:$12.00"), "text": "$12.00"}
    model.answers = [call("report_value", value="$12.00", read=[read])]
    webtask.extract("the price of the mug")
    model.answers = [call("report_element", described("button:Remove@Striped"))]
    webtask.select("the mug's button")
    model.answers = [verdict("holds", HEADING, reason="REASON")]
    webtask.verify("the order is MUG-4711")
    cell = {"kind": "text", "element_id": "cell:$30.00", "text": "$30.00"}
    model.answers = [verdict("does_not_hold", cell, reason="it costs $30")]
    assert not webtask.holds("the pot costs $3", timeout=0)


CALLS = ['  did: fill textbox "Name" text="Ann"', '  did: click button "Pay"']


@pytest.fixture(scope="session")
def base_url(_site: Site) -> str:
    """Relative addresses lead to the site."""
    return _site.url


class TestWhoKnowsWhat:
    @pytest.fixture(autouse=True)
    def _shop(self, site: Site) -> None:
        site.pages["/"] = SHOP

    def test_worker_knows_all_of_earlier_steps(self, webtask: Webtask, model: Scripted) -> None:
        """The worker gets each step with its actions in words, facts, value, verdict and words."""
        work(webtask, model)
        model.answers = [done()]
        webtask.do("next")
        assert shown(model.turns[-1]) == [
            "1. goto /: completed",
            "2. do TASK: completed",
            *CALLS,
            '  shown: "Order MUG-4711"',
            "  in words: SUMMARY",
            "3. extract the price of the mug: found",
            '  result: "$12.00"',
            "4. select the mug's button: found",
            '  result: button "Remove" in row "Striped Mug"',
            "5. verify the order is MUG-4711: passed",
            '  shown: "Order MUG-4711"',
            "6. holds the pot costs $3: no",
            '  shown: "$30.00" in column "Price" in row "Pot" under "Order MUG-4711"',
            "  in words: it costs $30",
        ]

    @pytest.mark.parametrize("kind", ["verify", "extract", "select"])
    def test_judges_and_readers_know_no_words_of_a_worker(
        self, webtask: Webtask, model: Scripted, kind: str
    ) -> None:
        """A verifier and a reader get actions, facts, values and verdicts; no task and no opinion."""
        work(webtask, model)
        nothing = call("report_nothing", reason="none")
        model.answers = [verdict("cannot_tell") if kind == "verify" else nothing]
        with pytest.raises(Exception, match=r"decided|not found"):
            getattr(webtask, kind)("next", timeout=0)
        lines = shown(model.turns[-1])
        assert lines[:4] == ["1. goto /: completed", "2. do", *CALLS]
        turn = model.turns[-1]
        known = (turn.earlier, turn.actions, turn.iterations, turn.before)
        content = "\n".join(lines) + repr(known)
        for word in ("TASK", "SUMMARY", "REASON", "it costs $30", "scripted"):
            assert word not in content
        for word in ("MUG-4711", "$12.00", 'button "Remove" in row "Striped Mug"', "$30.00"):
            assert word in content

    def test_referee_knows_no_earlier_step(self, webtask: Webtask, model: Scripted) -> None:
        """A ruling is asked for with the conclusion and its facts alone."""
        turns: list[Turn] = []
        decide = model.decide

        def kept(turn: Turn) -> Any:
            turns.append(turn)
            return decide(turn)

        model.decide = kept  # type: ignore[method-assign]
        model.traits = type(model.traits)()
        work(webtask, model)
        rulings = [turn for turn in turns if turn.role == "referee"]
        assert len(rulings) == 5
        for turn in rulings:
            assert not (turn.earlier or turn.actions or turn.iterations)
            words = render(turn)
            assert "earlier steps" not in words.task + words.page
        assert "Pay" not in render(rulings[1]).page

    def test_failures_are_remembered(self, webtask: Webtask, model: Scripted) -> None:
        """A later step knows why earlier ones failed, and what had been done until then."""
        webtask.goto("/")
        model.answers = [on("click", "button", "Pay"), call("abort", reason="no bank")]
        with pytest.raises(TaskFailed):
            webtask.do("pay")
        model.answers = [call("report_nothing", reason="no total")]
        with pytest.raises(NotFound):
            webtask.extract("the total", timeout=0)
        model.answers = [verdict("does_not_hold", HEADING, reason="another one")]
        with pytest.raises(VerificationFailed):
            webtask.verify("it is MUG-1", timeout=0)
        steps = webtask.steps("watch")
        model.answers = [on("click", "button", "Pay")]
        next(steps)
        steps.close()
        with pytest.raises(PageError):
            webtask.goto("http://127.0.0.1:9/")
        model.answers = [done()]
        webtask.do("next")
        lines = shown(model.turns[-1])
        assert lines[1:-1] == [
            "2. do pay: aborted",
            '  did: click button "Pay"',
            "  in words: no bank",
            "3. extract the total: not found",
            "  in words: no total",
            "4. verify it is MUG-1: failed",
            '  shown: "Order MUG-4711"',
            "  in words: another one",
            "5. do watch: abandoned",
            '  did: click button "Pay"',
            "6. goto http://127.0.0.1:9/: error",
        ]
        error = "PageError: http://127.0.0.1:9/ could not be opened"
        assert lines[-1].startswith(f"  in words: {error}")

    def test_secret_that_becomes_known_later_is_masked(
        self, webtask: Webtask, model: Scripted, site: Site
    ) -> None:
        """A text of an earlier step is masked if it is a secret by the time it is used."""
        webtask.goto("/")
        model.answers = [marked(*ORDER)]
        webtask.do("look at MUG-4711")
        model.answers = [done(), done()]
        webtask.do("next", data={"number": Secret("MUG-4711")})
        assert "4711" not in repr(model.turns[-1].earlier)
        assert '  shown: "Order {number}"' in shown(model.turns[-1])
        webtask.do("after")
        assert "4711" not in repr(model.turns[-1].earlier)

    @pytest.mark.webtask(persist_context=False)
    def test_persistent_context_can_be_switched_off(
        self, webtask: Webtask, model: Scripted
    ) -> None:
        """Neither a worker nor a judge knows an earlier step, unless the call says so."""
        webtask.goto("/")
        model.answers = [done(), done()]
        webtask.do("one")
        webtask.do("two", persist_context=True)
        assert [len(turn.earlier) for turn in model.turns] == [0, 2]
        model.answers = [verdict("cannot_tell")]
        with pytest.raises(Exception, match="decided"):
            webtask.verify("it is so", timeout=0)
        assert model.turns[-1].earlier == ()


class TestCitedEarlierStep:
    ORDER = ("heading:Order", "Order 104711")
    HEADING: ClassVar = {"kind": "text", "element_id": ORDER[0], "text": ORDER[1]}
    BEFORE: ClassVar = {"kind": "earlier_step", "step": 2, "text": "Order 104711"}
    PLACED = """<title>Shop</title><h1>Order 104711</h1><p>Thank you</p><button>Pay</button>"""
    ORDERS = """<title>Orders</title><h1>Order 104711</h1><p id=state>Open</p>
<button onclick="state.textContent = 'Cancelled'">Cancel</button>"""

    @pytest.fixture(autouse=True)
    def _placed(self, site: Site, webtask: Webtask, model: Scripted) -> None:
        site.pages |= {"/": self.PLACED, "/orders": self.ORDERS}
        webtask.goto("/")
        model.answers = [on("click", "button", "Pay"), marked(*self.ORDER)]
        webtask.do("place the order")
        webtask.goto("/orders")

    def test_referee_gets_it_as_a_fact(self, webtask: Webtask, model: Scripted) -> None:
        """What an earlier step showed is a fact of that step, and its number no pattern."""
        model.answers = [on("click", "button", "Cancel"), marked(*self.ORDER, self.BEFORE)]
        webtask.do("cancel the order that was placed before")
        earlier, heading = model.conclusions[-1].facts
        assert earlier == {
            "number": 1,
            "check": "earlier_step",
            "expected": "Order 104711",
            "match": "whole",
            "text": '"Order 104711"',
            "note": 'shown by the page in an earlier step of this test, do "place the order", which'
            " ended as completed",
        }
        assert "changes" not in heading

    @pytest.mark.parametrize(
        ("step", "text", "problem"),
        [
            (2, "Order 10471", "no line `did`, `shown` or `result` of the earlier step 2"),
            (2, "SUMMARY", "no line `did`, `shown` or `result` of the earlier step 2"),
            (4, "Order 104711", "there is no earlier step 4"),
        ],
    )
    def test_other_texts_and_steps_are_refused(
        self, webtask: Webtask, model: Scripted, step: int, text: str, problem: str
    ) -> None:
        """Neither a part of a word, nor a worker's words, nor the running step can be cited."""
        model.answers = [
            verdict("holds", {**self.BEFORE, "step": step, "text": text}, self.HEADING)
        ] * 3
        with pytest.raises(Undecided, match=problem):
            webtask.verify("it is the order that was placed before", timeout=0)

    def test_it_is_no_evidence_of_the_page_now(self, webtask: Webtask, model: Scripted) -> None:
        """Earlier steps alone prove nothing, nor do they show a number of the claim."""
        title = {"kind": "title", "text": "Orders"}
        model.answers = [verdict("holds", self.BEFORE)] * 3
        with pytest.raises(Undecided, match="cite what the page shows now"):
            webtask.verify("the order is open", timeout=0)
        model.answers = [verdict("holds", self.BEFORE, title)] * 3
        with pytest.raises(Undecided, match="104711 of the claim: no check expects it"):
            webtask.verify("order 104711 is open", timeout=0)

    def test_without_persistent_context_there_is_none(
        self, webtask: Webtask, model: Scripted
    ) -> None:
        """A step that may not know earlier steps cannot cite one."""
        model.answers = [marked(*self.ORDER, self.BEFORE), call("abort", reason="-")]
        with pytest.raises(TaskFailed):
            webtask.do("find the order that was placed before", persist_context=False)
        assert "there is no earlier step 2" in str(model.turns[-1].iterations[-1].calls[-1].error)


PAGE = """<title>Orders</title><h1>Orders</h1>
<table><tr><th>Order<th>State<tr><td>MUG-1<td id=state>open<td><button onclick="cancel()">Cancel</button>
<tr><td>MUG-2<td>sent<td><button>Cancel</button></table>
<label>Note <input></label><label><input type=checkbox> Really</label>
<ul><li>Mug</li><li>Pot</li></ul><p role=status></p><a href="#" aria-current=page>All</a>
<p id=number>Number 4711 of 2026-05-05</p><address>To Ann<br>Lane 1</address><p>Hello Ann</p>
<script>const cancel = () => {
  state.textContent = "cancelled"
  document.querySelector("[role=status]").textContent = "One order was cancelled"
}</script>"""
PLAYS = """
    "cancel MUG-1 of {who}": [
        [act("fill", "textbox:Note", text="wrong for Ann"), act("check", "checkbox:Really", checked=True)],
        act("click", "button:Cancel@MUG-1"),
        done(
            text("status:One order", "One order was cancelled"),
            text("cell:cancelled", "cancelled"),
            text("text:Number", "Number"),
            text("text:To", "To Ann / Lane 1"),
            text("text:Hello", "Hello Ann"),
            {"kind": "value", "element_id": "textbox:Note", "value": "wrong for Ann"},
            {"kind": "state", "element_id": "checkbox:Really", "state": "checked"},
            {"kind": "count", "all_of": "listitem"},
            {"kind": "absent", "text": "Paid"},
            {"kind": "url", "pattern": "/"},
            {"kind": "title", "text": "Orders"},
            {"kind": "attribute", "element_id": "link:All", "name": "aria-current", "value": "page"},
        ),
    ],
    "read the state": [
        value("sent", "cell:sent", tool="set_output", name="output"),
        done({"kind": "title", "text": "Orders"}),
    ],
"""
TEST = """
import json
import pytest

@pytest.fixture
def webtask_data():
    return {"who": "Ann"}

def test_it(webtask):
    webtask.goto("/")
    one = webtask.do("cancel MUG-1 of {who}")
    two = webtask.do("read the state", output=str)
    three = webtask.do('fill "Note" with {who}')
    with open("results.jsonl", "a") as file:
        for each in (one, two, three):
            print(json.dumps([each.status, each.output, each.feedback]), file=file)
"""


def test_result_of_a_replay_is_that_of_the_first_run(tmp_path: Path) -> None:
    """Status, output and feedback are equal in a replay, whatever kinds of checks there are."""
    with project(tmp_path, PLAYS, TEST) as orders:
        orders.site.pages["/"] = PAGE
        orders.passes()
        orders.replays()
    lines = (orders.root / "results.jsonl").read_text().splitlines()
    first, replayed = ([json.loads(line) for line in some] for some in (lines[:3], lines[3:]))
    assert first == replayed
    [cancelled, read, noted] = first
    assert read[:2] == ["completed", "sent"]
    assert cancelled[2].splitlines()[:4] == [
        'fill textbox "Note" text="wrong for Ann"',
        'check checkbox "Really" checked=true',
        'click button "Cancel" in row "MUG-1"',
        'shown: "One order was cancelled" under "Orders"',
    ]
    assert noted[2].startswith('fill textbox "Note" text="Ann"')
    # The closing words of the model are in no recording.
    assert '"done"' not in orders.file("test_it").read_text()
