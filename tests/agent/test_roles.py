"""Roles of a project's own: what they see, and what their answers can do."""

import json
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from pydantic import BaseModel, ConfigDict, Field

from pytest_webtask import (
    Role,
    Secret,
    Session,
    TaskFailed,
    UsageError,
    Webtask,
    Worker,
    WorkerSession,
)
from pytest_webtask.literal import LiteralModel
from pytest_webtask.llm.prompts import render
from pytest_webtask.types.agent import Question, Turn
from pytest_webtask.types.model import ModelTraits
from tests.agent.workflows.team import Way
from tests.scripted import Scripted as Team
from tests.scripted import call, cited, on
from tests.site import Site

HERE = "tests.agent.test_roles"


class Critique(BaseModel):
    """A critic's opinion."""

    model_config = ConfigDict(extra="forbid")

    problem: str = Field(description="What a customer would complain about; '' for nothing.")
    stars: int = Field(ge=1, le=5, description="How good it is.")


CRITIC = Role("critic", "You are a critical customer.", Critique)


def rate(args: Critique) -> str:
    """What the stars mean."""
    return f"{args.stars} of 5"


BOOKKEEPER = Role("bookkeeper", "You check bills.", Critique, tools=[rate], sees_page=False)


class WithCritic:
    """A critic looks at the work, and may refuse it."""

    def execute(self, task: str, session: Session) -> WorkerSession:
        work = Worker(session, spare=4).do(task)
        critique = CRITIC.ask(session, "Would you buy here?")
        assert type(critique) is Critique
        if critique.problem:
            return session.aborted(critique.problem)
        return session.ended_as(work)


@pytest.fixture
def team() -> Team:
    """The roles of this test."""
    return Team()


@pytest.fixture
def webtask_model(team: Team) -> Team:
    """The team decides."""
    return team


@pytest.fixture
def webtask_instructions() -> dict[str, str]:
    """What only the critic is to know."""
    return {"critic": "Mugs are dear here."}


def priced(turn: Turn) -> Any:
    """The end of a task, with the price as evidence."""
    price = {"kind": "text", "element_id": cited(turn, "text:$12"), "text": "$12"}
    return call("mark_done", summary="SUMMARY", evidence=[price])


def looks_and_answers(turn: Turn) -> Any:
    """An answer by a critic that has looked."""
    assert turn.observation.outline
    return call("answer", problem="", stars=5)


@pytest.mark.webtask(workflow=f"{HERE}:WithCritic")
class TestCritic:
    @pytest.fixture(autouse=True)
    def _page(self, webtask: Webtask, site: Site) -> None:
        site.pages["/"] = "<title>Shop</title><p>$12</p><button>Buy</button>"
        webtask.goto(site.url)

    def test_critic_sees_page_and_actions_and_no_words(self, webtask: Webtask, team: Team) -> None:
        """Its prompt is its own with the package's rules; it gets page, actions and facts only."""
        team.scripts = {"worker": [priced]}
        webtask.do("TASK", workflow="worker")
        team.scripts = {
            "worker": [on("click", "button", "Buy"), priced],
            "critic": [call("look", element_id="text-0"), call("answer", problem="", stars=4)],
        }
        result = webtask.do("look around")
        assert result.feedback.splitlines() == ['click button "Buy"', 'shown: "$12"']
        first, last = team.of("critic")
        words = render(last)
        assert words.system.startswith("You are a critical customer.\n\n# Each turn")
        assert "never an instruction" in words.system
        assert words.task.startswith("Question: Would you buy here?")
        assert "About this application:\nMugs are dear here." in words.task
        assert 'click button "Buy"' in words.page and "<text-0> $12" in words.page
        assert '  shown: "$12"' in words.page
        assert not [w for w in ("TASK", "SUMMARY") if w in words.task + words.page]
        names = {tool.name for tool in first.tools}
        assert names == {"look", "scroll", "hover", "switch_tab", "wait", "answer"}
        answer = next(tool for tool in first.tools if tool.name == "answer")
        assert set(answer.parameters["required"]) == {"problem", "stars", "reason"}
        assert answer.description.endswith("A critic's opinion.")
        assert [i.role for i in result.session.iterations] == ["worker"] * 2 + ["critic"] * 2

    def test_answer_of_the_critic_fails_the_task(self, webtask: Webtask, team: Team) -> None:
        """The workflow gets the answer as an instance of its model, and may refuse the work."""
        refusal = call("answer", problem="it is dear", stars=2)
        team.scripts = {"worker": [priced], "critic": [refusal]}
        with pytest.raises(TaskFailed, match="it is dear"):
            webtask.do("look around")

    @pytest.mark.parametrize(
        ("looks", "wrong", "problem"),
        [
            (False, call("answer", problem="", stars=9), "stars: Input should be less than or equal to 5"),
            (True, call("answer", problem="", stars=1), "turn.observation was not read"),
            (False, call("click", element_id="button-0"), "there is no tool 'click'"),
        ],
        ids=["invalid", "without a look", "act"],
    )  # fmt: skip
    def test_wrong_answer_comes_back(
        self, webtask: Webtask, team: Team, looks: bool, wrong: Any, problem: str
    ) -> None:
        """An answer outside of its model or without a look, and an act, are errors that the critic gets."""
        team.traits = ModelTraits(looks_at_page=looks)
        team.scripts = {"worker": [priced], "critic": [wrong, looks_and_answers]}
        session = webtask.do("look around").session
        [error] = [c.error for i in session.iterations for c in i.calls if c.error]
        assert problem in error

    def test_word_of_a_critic_completes_no_task(self, webtask: Webtask, team: Team) -> None:
        """A task without a worker or verifier that agrees is not done, whatever a critic answers."""
        team.scripts = {"critic": [call("answer", problem="all is done", stars=5)]}
        only_critic = Way(lambda task, s: s.completed(CRITIC.ask(s, task).problem))
        with pytest.raises(UsageError, match="is done, but no worker has finished any work"):
            webtask.do("buy a mug", workflow=only_critic)

    def test_limit_counts_the_critic(self, webtask: Webtask, team: Team) -> None:
        """Its iterations are among those that a step may take."""
        team.traits = ModelTraits()
        team.scripts = {"worker": [priced], "critic": [call("look")] * 20}
        with pytest.raises(TaskFailed, match="not done within 6 iterations"):
            webtask.do("look around", max_steps=6)
        assert len(team.of("critic")) == 5

    def test_role_without_a_page_is_asked_about_material(
        self, webtask: Webtask, team: Team, tmp_path: Path
    ) -> None:
        """It gets data, with secrets masked and no id in it, pictures and tools of its own, but no page.

        Its first iteration has all that it was asked.
        """
        bill = tmp_path / "bill.png"
        Image.new("RGB", (8, 8)).save(bill)
        material = {
            "pin": "kappa-lambda",
            "text": '[button-0 "Buy"]',
            "was": Critique(problem="", stars=3),
        }

        def execute(task: str, session: Session) -> WorkerSession:
            work = Worker(session, spare=3).do(task)
            BOOKKEEPER.ask(session, "Is the bill right?", material, [bill])
            return session.ended_as(work)

        answer = call("answer", problem="", stars=5)
        team.scripts = {
            "worker": [priced],
            "bookkeeper": [call("rate", stars=2, problem=""), answer],
        }
        secret = {"pin": Secret("kappa-lambda")}
        result = webtask.do("look around", workflow=Way(execute), data=secret)
        last = team.of("bookkeeper")[-1]
        words = render(last)
        assert {tool.name for tool in last.tools} == {"rate", "answer"} and words.files == [bill]
        shown = json.loads(words.page.partition("as data:\n")[2].partition("\n")[0])
        assert shown == {
            "pin": "{pin}",
            "text": '[button-0 "Buy"]',
            "was": {"problem": "", "stars": 3},
        }
        asked = Question(text="Is the bill right?", material=shown, pictures=("bill.png",))
        assert [i.question for i in result.session.iterations] == [None, asked, None]
        assert "bill.png" in words.page and "2. rate: 2 of 5" in words.page
        assert not [w for w in ("[button-0", "The page now") if w in words.page]
        assert words.shown_by == "read_record" and "outline" not in words.system

    @pytest.mark.parametrize(
        ("passed", "message"),
        [
            ({"pictures": "bill.png"}, r"pictures='bill.png': pass a list of paths, as in \['bill"),
            ({"pictures": [__file__]}, r"test_roles.py cannot be sent as a picture .*PNG or JPEG"),
            ({"pictures": [Path(__file__).parent]}, "agent cannot be sent as a picture"),
            ({"pictures": ["none.png"]}, "No such file .*none.png"),
            ({"material": {"bill": b"\xff"}}, "material for the role 'critic' cannot be written"),
        ],
        ids=["no list", "text", "folder", "missing", "bytes"],
    )
    def test_what_cannot_be_sent_is_refused(
        self, webtask: Webtask, passed: dict[str, Any], message: str
    ) -> None:
        """Files that are no pictures, and data that is not like JSON, are errors before a model is asked."""
        asks = Way(lambda task, s: CRITIC.ask(s, task, **passed))
        with pytest.raises((UsageError, FileNotFoundError), match=message):
            webtask.do("look around", workflow=asks)

    def test_critic_has_a_model_of_its_own(
        self, webtask: Webtask, webtask_for: Any, team: Team
    ) -> None:
        """A mapping may name roles of the project, whichever workflow they are for, and no others."""
        other = Team(critic=[call("answer", problem="", stars=3)] * 2)
        both = webtask_for(webtask.page, name="both", model={"worker": team, "critic": other})
        team.scripts = {"worker": [priced] * 3}
        both.do("look around", workflow="worker")
        both.do("look around", workflow=WithCritic())
        both.do("look around")
        assert other.roles == ["critic"] and team.roles == ["worker"]
        with pytest.raises(UsageError, match=r"unknown role 'critics'; known: .*critic"):
            webtask_for(webtask.page, name="x", model={"worker": team, "critics": other})
        with pytest.raises(UsageError, match=r"unknown role 'critics'"):
            webtask_for(webtask.page, name="y", instructions={"critics": "x"})


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"name": "worker"}, "'worker' cannot name a role"),
        ({"name": "my critic"}, "'my critic' cannot name a role"),
        ({"prompt": " "}, "the role 'critic' has no prompt"),
        ({"answer": dict}, "the role 'critic' has answer=<class 'dict'>: pass a pydantic model"),
        ({"answer": Critique(problem="", stars=1)}, "has answer=Critique.*: pass a pydantic model"),
        ({"tools": [rate, rate]}, "two tools are called 'rate'"),
    ],
)
def test_invalid_role_is_refused(wrong: dict[str, Any], message: str) -> None:
    """A role needs a name that the package does not use, a prompt, a model of its answers, and distinct tools."""
    right: dict[str, Any] = {"name": "critic", "prompt": "x", "answer": Critique}
    with pytest.raises(UsageError, match=message):
        Role(**right | wrong)


def test_literal_model_plays_no_critic(webtask_for: Any, page: Any) -> None:
    """A workflow with a role that no model can play says so."""
    page.set_content("<title>Shop</title><button>Buy</button>")
    literal = webtask_for(page, name="literal", model=LiteralModel(), instructions="")
    with pytest.raises(UsageError, match="WithCritic' needs a model for its critic"):
        literal.do('click "Buy"', workflow=f"{HERE}:WithCritic")


@pytest.mark.parametrize(
    "option", ["--webtask-model={worker=claude, NAME=claude}", "-owebtask_effort={NAME=low}"]
)
def test_unknown_role_of_an_option_is_an_error_of_the_test(
    pytester: pytest.Pytester, option: str
) -> None:
    """An option may name a role that the test has imported, whatever its workflow; any other is an error."""
    pytester.makepyfile(f"import {HERE}\n\ndef test_it(webtask): pass")
    pytester.runpytest(option.replace("NAME", "critic")).assert_outcomes(passed=1)
    result = pytester.runpytest(option.replace("NAME", "critics"))
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(
        ["*unknown role 'critics'; known: *critic*", "*import the module of its*"]
    )
