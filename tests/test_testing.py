"""The scripted model that the package has for tests of workflows and tools."""

import pytest

from pytest_webtask import Undecided, UsageError, Webtask
from pytest_webtask.testing import ScriptedModel, call, done, find, rule, shows, verdict
from pytest_webtask.types.agent import Decision, Turn
from tests.scripted import Html

MUGS = """
<h1>Mugs</h1><ul><li>Blue <button>Buy</button></li><li>Red <button>Buy</button></li></ul>
<button onclick="document.title = this.id = 'left'">Leave</button> <button>Leave it</button>
"""

SHOWN = shows("heading", "Mugs")


@pytest.fixture
def model() -> ScriptedModel:
    """The model of these tests."""
    return ScriptedModel()


@pytest.fixture(autouse=True)
def _page(html: Html) -> None:
    html(MUGS)


class TestElements:
    def test_equal_name_counts_before_a_part(self, webtask: Webtask, model: ScriptedModel) -> None:
        """An element whose name equals the text is found beside one that contains it."""
        model.answers = [call("click", find("button", "Leave")), done("left", SHOWN)]
        webtask.do("leave")
        assert webtask.page.title() == "left"

    def test_nth_chooses_among_several(self, webtask: Webtask, model: ScriptedModel) -> None:
        """`nth` counts from 0 in the order of the page."""
        model.answers = [call("hover", find("button", "Buy", nth=1)), done("seen", SHOWN)]
        target = webtask.do("look at the red one").session.iterations[0].calls[0].target
        assert target is not None and "Red" in target.locator

    @pytest.mark.parametrize(
        ("element", "message"),
        [
            (find("button", "Buy"), r"2 elements of the page are button 'Buy': name one, or give nth"),
            (find("button", "Buy", nth=2), r"2 elements of the page are button 'Buy'"),
            (find("button", "Sell"), r"no elements of the page are button 'Sell'"),
            (find("slider"), r"no elements of the page are slider '': .*\nThe page:\n"),
        ],
    )  # fmt: skip
    def test_unclear_element_is_an_error(
        self, webtask: Webtask, model: ScriptedModel, element: object, message: str
    ) -> None:
        """The error names what was looked for, what there is instead, and the page."""
        model.answers = [call("click", element_id=element)]
        with pytest.raises(UsageError, match=message) as raised:
            webtask.do("act")
        assert '[button-2 "Leave"]' in str(raised.value)

    def test_role_without_a_page_finds_nothing(
        self, webtask: Webtask, model: ScriptedModel
    ) -> None:
        """A planner's answer cannot hold an element of the page."""
        model.scripts = {"planner": [call("start_subtask", goal=find("button", "Buy"))]}
        with pytest.raises(UsageError, match="the planner sees no page, so it cannot find button"):
            webtask.do("act", workflow="planner")


class TestScript:
    def test_roles_answer_from_their_own_scripts(
        self, webtask: Webtask, model: ScriptedModel
    ) -> None:
        """A role without a script takes the next of the common answers."""
        model.answers = [done()]
        complete = call("mark_complete", reason="it is there", evidence=[SHOWN])
        model.scripts["verifier"] = [complete]
        webtask.do("look at the mugs", workflow="worker-verified")
        model.assert_finished()
        assert model.roles == ["worker", "verifier"]
        assert [turn.role for turn in model.of("verifier")] == ["verifier"]
        assert [each.sentence for each in model.conclusions] == ["look at the mugs"]

    def test_missing_answer_is_an_error(self, webtask: Webtask, model: ScriptedModel) -> None:
        """The error names the role, what it is asked about, and where to add an answer."""
        model.answers = [call("scroll", direction="down")]
        missing = (
            r"has no worker answer left for 'act'; add another answer to ScriptedModel\(worker="
        )
        with pytest.raises(UsageError, match=missing):
            webtask.do("act")

    def test_unused_answers_are_an_error(self, model: ScriptedModel) -> None:
        """`assert_finished` counts the answers that were left, by role."""
        model.assert_finished()
        model.answers = [done()]
        model.scripts = {"verifier": [verdict("holds")] * 2, "planner": []}
        with pytest.raises(AssertionError, match="asked for: 1 of any role, 2 of verifier"):
            model.assert_finished()

    def test_function_answers_for_the_turn(self, webtask: Webtask, model: ScriptedModel) -> None:
        """An answer may be a function of the turn, and a decision may hold elements to be found."""

        def answer(turn: Turn) -> Decision:
            assert "Blue" in turn.observation.outline
            return Decision([call("click", find("button", "Leave"))], reasoning="it is blue")

        both = [call("scroll", direction="down"), call("wait", seconds=0.1)]
        model.answers = [answer, both, done("acted", SHOWN)]
        session = webtask.do("act").session
        assert [i.reasoning for i in session.iterations] == ["it is blue", "", ""]
        assert [len(i.calls) for i in session.iterations] == [1, 2, 1]

    def test_referee_without_a_script_finds_everything_proved(
        self, webtask: Webtask, model: ScriptedModel
    ) -> None:
        """A referee answers from a script if there is one."""
        seen = verdict("holds", SHOWN)
        model.answers = [seen]
        assert webtask.verify("mugs are shown")
        model.answers = [seen, verdict("cannot_tell", reason="who knows")]
        model.scripts["referee"] = [rule(proves=False, missing="the price")]
        with pytest.raises(Undecided, match="who knows"):
            webtask.verify("the mugs are shown", timeout=0)
        model.assert_finished()
        assert len(model.conclusions) == 2

    def test_task_needs_evidence(self, webtask: Webtask, model: ScriptedModel) -> None:
        """A script cannot end a task without evidence, and a `reason` that it gives is that of the call."""
        hover = call("hover", find("button", "Leave"), reason="to see more")
        model.answers = [hover, done("it is open"), done("it is open", SHOWN)]
        session = webtask.do("open the mugs").session
        calls = [i.calls[0] for i in session.iterations]
        assert [each.reason for each in calls] == ["to see more", "scripted", "scripted"]
        assert "there is no evidence" in (calls[1].error or "") and calls[2].success

    def test_wrong_evidence_is_not_accepted(self, webtask: Webtask, model: ScriptedModel) -> None:
        """A script cannot make a false check hold: code runs it on the page."""
        model.answers = [
            verdict("holds", shows("heading", "Mugs", "Plates")),
            verdict("cannot_tell", reason="there are only mugs"),
        ]
        with pytest.raises(Undecided, match="only mugs"):
            webtask.verify("plates are shown", timeout=0)
