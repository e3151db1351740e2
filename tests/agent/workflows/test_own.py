"""Workflows of a project's own, and models for each role."""

from contextlib import suppress
from typing import Any

import pytest
from pydantic import BaseModel

from pytest_webtask import Judgment, NotLiteral, Role, TaskFailed, UsageError, Webtask, WorkerStatus
from pytest_webtask.agent.session import Session
from pytest_webtask.agent.verifier import Judge
from pytest_webtask.agent.worker import Worker
from pytest_webtask.agent.workflows import Planner, VerifiedWorkflow
from pytest_webtask.literal import LiteralModel
from pytest_webtask.llm import role_models
from pytest_webtask.llm.prompts import render
from pytest_webtask.types.agent import WorkerSession
from pytest_webtask.types.model import ModelTraits
from tests.agent.workflows.team import Team, Way, agrees, log_in, part, says, shows
from tests.scripted import call, done

HERE = "tests.agent.workflows.test_own"
TASK = "log in as {user} with {password}"


class TwoJudges:
    """Two verifiers, neither of whom knows of the other, must agree."""

    def execute(self, task: str, session: Session) -> WorkerSession:
        work = Worker(session, spare=2).do(task)
        for _ in range(2):
            judge = Judge(session, ["mark_complete", "continue_work"], tools=[greet])
            judgment = judge.judge(work, task, 0)
            if not judgment.agrees:
                return session.aborted(judgment.words)
        return session.completed(work.feedback, judgment.evidence)


class Late:
    """Judges the first of two parts with the same sentence after the second, and once more at the end."""

    def execute(self, task: str, session: Session) -> WorkerSession:
        worker, judge = Worker(session, judged=True), Judge(session, ["mark_complete", CONTINUE])
        session.change("with mug-life-2026")
        first, second = worker.do(LOOK), worker.do(LOOK)
        for work in (first, second, first):
            judge.judge(work, LOOK, 0)
        return session.ended_as(worker.do(task))


CONTINUE, LOOK = "continue_work", "look around"


def goes_on(task: str, session: Session) -> None:
    """Go on after the limit, as if there were none."""
    while True:
        Worker(session).do(task)


def lets_no_limit_through(task: str, session: Session) -> WorkerSession:
    """Catch the limit, and complete the task."""
    with suppress(Exception):
        goes_on(task, session)
    return session.completed("done all the same")


def ignores_its_worker(task: str, session: Session) -> WorkerSession:
    """Complete the task whatever its worker says."""
    Worker(session).do(task)
    return session.completed("done all the same")


class Names(BaseModel):
    """Whom it concerns."""

    names: list[str]


def greet(args: Names) -> str:
    """Greet somebody."""
    return f"hello {args.names}"


class Handover:
    """A worker after a worker, and a planner who decides what becomes of it."""

    def execute(self, task: str, session: Session) -> WorkerSession:
        Worker(session, tools=[greet]).do("greet Ann")
        Worker(session).do("find a mug of gold")
        return session.aborted(Planner(session).next().words)


LOOKS = [call("navigate", url="/"), done("ALL IN ORDER", shows("link", "All mugs"))]
"""The answers of a worker that is content with the first page."""
LOOKED, PLANNED = {"worker": LOOKS}, {"planner": [part("look around")]}
ASKED = {"visitor": [call("answer", names=["Ann"])]}
VISITOR = Role("visitor", "You visit a web shop.", Names, sees_page=False)


def asks_last(task: str, session: Session) -> WorkerSession:
    """Ask a role after a worker, and complete the task whatever the worker says."""
    Worker(session).do(task)
    VISITOR.ask(session, "Who are you?")
    return session.completed("done")


def plans_twice(_task: str, session: Session) -> WorkerSession:
    """Put a subtask in work while another one is."""
    Planner(session).next()
    return session.aborted(Planner(session).next().words)


def settles_nothing(task: str, session: Session) -> WorkerSession:
    """Complete the task with a subtask in work."""
    Planner(session).next()
    return session.ended_as(Worker(session).do(task))


class TestWorkflows:
    @pytest.mark.parametrize("workflow", [f"{HERE}:TwoJudges", TwoJudges()], ids=["path", "object"])
    def test_workflow_runs_with_its_roles(
        self, webtask: Webtask, team: Team, workflow: str | TwoJudges
    ) -> None:
        """A workflow given by its path, or as an object, runs with the roles that it uses, and their tools."""
        agreed, greets = agrees("mark_complete", "button:Log out"), call("greet", names=["Ann"])
        team.scripts = {"worker": log_in(), "verifier": [greets, agreed, agreed]}
        session = webtask.do(TASK, workflow=workflow).session
        assert team.roles == ["worker", "verifier"] and len(team.of("verifier")) == 3
        assert session.status is WorkerStatus.COMPLETED
        assert webtask.state.task is not None
        assert webtask.state.task.workflow == f"{HERE}:TwoJudges"
        # The second is not told what the first has said, nor what it has looked up.
        assert [t.work.rounds for t in team.of("verifier") if t.work] == [(), (), ()]
        first, *_, last = (render(turn).page for turn in team.of("verifier")[1:])
        assert "greet: hello ['Ann']" in first and "greet" not in last
        assert "Earlier parts" not in last
        [greeted] = [c for i in session.iterations for c in i.calls if c.tool == "greet"]
        assert not (greeted.acts or greeted.replayed)

    @pytest.mark.parametrize(
        ("name", "message"),
        [
            (Way(lambda *_: "done"), "returned 'done': return a WorkerSession"),
            (Way(lambda _, s: s.completed("done")), "is done, but no worker has finished any work"),
            (f"{HERE}:Missing", "cannot load the workflow"),
            ("nowhere.at:All", "cannot load the workflow"),
            ("builtins:dict", "dict returned {}, which isn't an object with a method execute"),
            (TwoJudges, "the workflow is <class '.*TwoJudges'>, which isn't an object with a method"),
            (0, "the workflow is 0, which isn't an object with a method execute"),
            (f"{HERE}:HERE", "not callable"),
            (Way(lambda _, s: Judge(s, "mark_complete")), r"pass a list of names, as in \['mark_comp"),
            (Way(lambda *_: VerifiedWorkflow(corrections=-1)), "=-1.: pass a whole number, 0 or more"),
            (Way(lambda *_: VerifiedWorkflow(corrections=2.5)), "=2.5.: pass a whole number"),  # type: ignore[arg-type]
        ],
    )  # fmt: skip
    def test_invalid_workflow_is_refused(self, webtask: Webtask, name: Any, message: str) -> None:
        """The error says what was found and what a workflow, and what it is created from, must be."""
        with pytest.raises(UsageError, match=message):
            webtask.do(TASK, workflow=name)

    def test_worker_and_planner_know_earlier_parts(self, webtask: Webtask, team: Team) -> None:
        """A worker knows the work before it, a planner a part that was given up; no verifier judged either."""
        team.scripts = {
            "worker": [call("greet", names=["Ann"]), *LOOKS, call("abort", reason="all is clay")],
            "planner": [call("abort", reason="there is no gold")],
        }
        with pytest.raises(TaskFailed, match="there is no gold"):
            webtask.do("buy gold for Ann", workflow=f"{HERE}:Handover")
        first, *_, last = team.of("worker")
        [part] = last.earlier
        assert (part.sentence, part.words) == ("greet Ann", "ALL IN ORDER")
        assert part.calls[0].startswith("greet names=")
        page = render(team.of("planner")[0]).page
        assert "find a mug of gold: the worker's session ended as aborted (all is clay)" in page
        task = webtask.state.task
        assert task and [c.worked + c.judged for c in task.history] == ["completed", "aborted"]
        # The tool belongs to the first worker alone.
        assert {t.name for t in first.tools} - {t.name for t in last.tools} == {"greet"}

    def test_judgment_belongs_to_the_part_that_it_is_about(
        self, webtask: Webtask, team: Team
    ) -> None:
        """It is in the round of that part, whenever it comes, and a later worker reads of any refutation.

        Another verifier of the same part does not read it.
        """
        shown = agrees("mark_complete", "link:All mugs")
        team.scripts = {
            "worker": [*LOOKS, done(), call("abort", reason="seen enough")],
            "verifier": [shown, shown, says(CONTINUE, "look at the plates")],
        }
        with pytest.raises(TaskFailed, match="seen enough"):
            webtask.do(TASK, workflow=Late())
        task = webtask.state.task
        assert task and [each.judged for each in task.history] == [
            *("mark_complete", "mark_complete", CONTINUE, ""),
        ]
        assert task.phase == "with {password}"
        earlier = [[each.judged for each in t.work.parts] for t in team.of("verifier") if t.work]
        assert earlier == [[], ["mark_complete"], ["mark_complete"]]
        rounds = [i.round for i in webtask.state.steps[-1].iterations if i.role == "verifier"]
        assert rounds == [1, 2, 3]
        assert [e.status for e in team.of("worker")[-1].earlier] == ["aborted", "completed"]

    def test_step_limit_ends_any_workflow(self, webtask: Webtask, team: Team) -> None:
        """The session ends a workflow at the limit of steps, even if it ignores the limit."""
        for workflow in (goes_on, lets_no_limit_through):
            team.scripts = {"worker": [done()] * 20}
            with pytest.raises(TaskFailed, match="was not done within 5 iterations"):
                webtask.do(TASK, workflow=Way(workflow), max_steps=5)
        assert webtask.state.task and webtask.state.task.history[-1].worked == "max_steps"
        team.scripts = {}

    @pytest.mark.parametrize(
        ("workflow", "scripts", "options", "message"),
        [
            (ignores_its_worker, {"worker": [call("abort", reason="there is no such mug")]}, {},
             "is done, but its last role, the worker, ended with abort: 'there is no such mug'"),
            (lambda _, s: Worker(s).do("open the form"), {"worker": log_in()}, {},
             "has shown only that 'open the form' is done. Let a Judge"),
            (lambda t, s: Worker(s, judged=True).do(t), {"worker": log_in()}, {},
             "has shown nothing of the whole task"),
            (lambda t, s: Worker(s, answers=False).do(t), LOOKED, {"output": int},
             "no worker gave the value that the task asks for"),
            (lambda _, s: s.settle(Judgment("mark_complete", "", agrees=True)), {}, {},
             r"no subtask is in work: let Planner\(session\).next\(\)"),
            (lambda t, s: s.settle(Worker(s).do(t)), LOOKED, {},
             "got a WorkerSession: pass the Judgment that Judge"),
            (asks_last, ASKED | {"worker": [call("abort", reason="no mug")]}, {},
             "last role, the worker, ended with abort"),
            (plans_twice, PLANNED, {}, "the subtask 'look around' is still in work: call session.settle"),
            (settles_nothing, PLANNED | LOOKED, {},
             "the subtask 'look around' is still in work. Call session.settle"),
            (lambda _, s: s.change("plan", subtask=["a"]), {}, {}, "subtask: Extra inputs"),
            (lambda _, s: s.change("plan", subtasks=["a"]), {}, {}, "'plan', .*subtasks"),
            (lambda _, s: s.change(3), {}, {}, "change.3, .*valid string"),
        ],
        ids=["given up", "a part", "not judged", "no output", "no subtask", "settles work",
             "asked at the end", "two subtasks", "not settled", "no field", "no subtasks", "no words"],
    )  # fmt: skip
    def test_unfounded_completion_is_refused(
        self, webtask: Webtask, team: Team, workflow: Any, scripts: Any, options: Any, message: str
    ) -> None:
        """A task is not done after a role that gave up, by a part of it, unjudged, or without its output.

        Nor is it while a subtask is in work, by answers alone, or with a record that does not fit.
        """
        team.scripts = {role: [*answers] for role, answers in scripts.items()}
        with pytest.raises(UsageError, match=message):
            webtask.do(TASK, workflow=Way(workflow), **options)

    def test_entry_point_provides_a_workflow(
        self, pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A workflow of an installed package is selected by the name of its entry point."""
        package = pytester.mkdir("site")
        (package / "two_judges.py").write_text("class Way:\n    def execute(self, task, session):\n"
            "        return session.completed('by an entry point')\n")  # fmt: skip
        info = package / "two_judges-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: two-judges\nVersion: 1.0\n")
        entry = "two-judges = two_judges:Way"
        (info / "entry_points.txt").write_text(f"[pytest_webtask.workflows]\n{entry}\n")
        monkeypatch.syspath_prepend(package)
        pytester.makepyfile("def test_it(webtask):\n    webtask.do('buy a mug')")
        result = pytester.runpytest("--webtask-workflow=two-judges", "--webtask-mode=live")
        result.assert_outcomes(failed=1)
        result.stdout.fnmatch_lines(
            ["*'two-judges' says that the task is done, but no worker has finished any work*"]
        )
        unknown = pytester.runpytest("--webtask-workflow=two-judge")
        unknown.stderr.fnmatch_lines(["*unknown workflow 'two-judge'; known: *two-judges*"])


class Named:
    """A model that agrees to everything, under a name of its own."""

    traits = ModelTraits(looks_at_page=False)

    def __init__(self, name: str) -> None:
        self.name = name
        self.roles: list[str] = []

    def decide(self, turn: Any) -> Any:
        self.roles.append(turn.role)
        if turn.role == "worker":
            return Team(done()).decide(turn)
        return Team(says("continue_work", "no")).decide(turn)


class TestModels:
    def test_mapping_gives_each_role_its_model(self, webtask_for: Any, webtask: Webtask) -> None:
        """Roles that the mapping does not name use the worker's model."""
        one, two = Named("one"), Named("two")
        both = webtask_for(webtask.page, name="both", model={"worker": one, "verifier": two})
        with pytest.raises(TaskFailed):
            both.do("buy a mug", workflow="worker-verified")
        assert one.roles == ["worker"] * 2 and two.roles == ["verifier"] * 2
        with pytest.raises(UsageError, match=r"unknown role 'judge'; known: .*verifier"):
            webtask_for(webtask.page, name="x", model={"worker": one, "judge": two})
        with pytest.raises(UsageError, match='no model for "worker"'):
            webtask_for(webtask.page, name="x", model={"verifier": two})

    def test_literal_worker_needs_no_verifier_model(
        self, webtask_for: Any, webtask: Webtask
    ) -> None:
        """A literal worker is not judged; a worker in free English needs a verifier with a model."""
        webtask.goto("/")
        one, literal = Named("one"), LiteralModel()
        models = {"worker": literal, "verifier": one}
        clicker = webtask_for(webtask.page, name="clicker", model=models)
        clicker.do('click "All mugs"', workflow="worker-verified")
        with pytest.raises(NotLiteral):
            clicker.do("buy a mug", workflow="worker-verified")
        assert not one.roles
        eyes = webtask_for(webtask.page, name="eyes", model={"worker": one, "verifier": literal})
        with pytest.raises(UsageError, match=r"for its verifier.*--webtask-model=claude"):
            eyes.do("buy a mug", workflow="worker-verified")

    def test_verifier_beside_a_literal_worker_has_a_referee(self) -> None:
        """The verifier's model needs a referee even if the worker is literal."""
        budget: Any = None
        both = role_models.RoleModels(
            {"worker": LiteralModel(), "verifier": Named("one")}, budget, literally=True
        )
        assert not both.is_literal("referee")
        assert both.of("referee") is both.of("verifier")
        assert role_models.RoleModels(LiteralModel(), budget, literally=True).is_literal("referee")

    @pytest.mark.parametrize(
        ("text", "models"),
        [
            ("claude", {"worker": "claude"}),
            ('{worker = "claude", verifier = "claude-opus-5-5"}', None),
            ("{worker = claude, verifier = claude-opus-5-5}", None),
            ("{'worker': 'claude', 'verifier': 'claude-opus-5-5'}", None),
            ({"worker": "claude", "verifier": "claude-opus-5-5"}, None),
            ("{worker = my.models:make}", {"worker": "my.models:make"}),
        ],
    )
    def test_role_models_are_parsed_from_text(self, text: Any, models: Any) -> None:
        """The mapping is parsed as TOML, as Python, and without quotes."""
        assert role_models.parse_by_role(text) == (
            models or {"worker": "claude", "verifier": "claude-opus-5-5"}
        )
