"""Budgets: finite, of a test and of the run, over all of its processes."""

from dataclasses import replace
from pathlib import Path

import pytest

from pytest_webtask.errors import ModelError, OutOfBudget
from pytest_webtask.llm.role_models import Budget, BudgetedModel, RoleModels
from pytest_webtask.run.webtask import Webtask
from pytest_webtask.types.agent import Decision, Turn, Usage
from tests.nested import printed
from tests.scripted import FixedPage, Html, Scripted, verdict

pytestmark = pytest.mark.slow

MODEL = """
    from pytest_webtask import Decision, ModelTraits, ProposedToolCall, Usage

    class Spender:
        traits = ModelTraits(looks_at_page=False)
        def decide(self, turn):
            done = ProposedToolCall("mark_done", {"reason": "r", "summary": "s"})
            return Decision([done], usage=Usage(input_tokens=400, model_calls=1))
"""


def test_each_test_has_its_own_budget(tmp_path: Path) -> None:
    """Tokens of one test do not count for the next, but do when the first is resumed."""
    budget = Budget(tmp_path, "main", run_limit=1000)
    budget.begin("one", 100)
    budget.spend(Usage(input_tokens=60, cache_read_tokens=40))
    with pytest.raises(OutOfBudget, match="of this test are used up: 100 of 100"):
        budget.check()
    budget.begin("two", 100)
    budget.check()
    budget.begin("one", 100)
    with pytest.raises(OutOfBudget, match="webtask_test_token_budget"):
        budget.check()


def test_processes_share_the_budget_of_the_run(tmp_path: Path) -> None:
    """Each process counts the tokens that the others have used."""
    one, two = (Budget(tmp_path, writer, run_limit=100) for writer in ("gw0", "gw1"))
    one.begin("a", 1000)
    two.begin("b", 1000)
    one.spend(Usage(output_tokens=75))
    two.check()
    two.spend(Usage(cache_write_tokens=25))
    with pytest.raises(OutOfBudget, match="of this run are used up: 100 of 100"):
        one.check()


def test_run_without_tokens_writes_no_budget_file(tmp_path: Path) -> None:
    """A literal run writes no budget file."""
    budget = Budget(tmp_path / "run", "main", run_limit=100)
    budget.begin("a", 100)
    budget.spend(Usage())
    budget.check()
    assert not (tmp_path / "run").exists()


@pytest.mark.long
def test_steps_beyond_the_budget_of_the_run_fail(pytester: pytest.Pytester) -> None:
    """After the budget is used each further step is an error, in one process or of any."""
    pytester.makepyfile(
        spender=MODEL,
        test_it="""
        import pytest

        @pytest.mark.parametrize("n", range(6))
        def test_it(webtask, n):
            webtask.do("spend something")
        """,
    )
    pytester.makeini("[pytest]\npythonpath = .")
    options = ("--webtask-model=spender:Spender", "--webtask-token-budget=1200")
    for workers in ("-n0", "-n2"):
        result = pytester.runpytest(workers, *options)
        outcomes = result.parseoutcomes()
        # Two steps may begin before either has ended.
        assert outcomes["passed"] == 3 or (workers == "-n2" and outcomes["passed"] == 4)
        assert outcomes["passed"] + outcomes["failed"] == 6
        assert "OutOfBudget: the tokens of this run are used up: 1," in printed(result)
        assert "cost not known" not in printed(result)


def test_tokens_of_a_useless_answer_count(tmp_path: Path) -> None:
    """The tokens of an answer without a call count."""

    class Useless:
        def decide(self, turn: Turn) -> Decision:
            return Decision(calls=5, usage=Usage(input_tokens=100))  # type: ignore[arg-type]

    budget = Budget(tmp_path, "main", run_limit=100)
    budget.begin("a", 100)
    turn = Turn(role="worker", task="", tools=(), view=FixedPage())
    with pytest.raises(ModelError, match="calls is an int, 5; it must be a Sequence"):
        BudgetedModel(Useless(), budget).decide(turn)
    with pytest.raises(OutOfBudget):
        budget.check()


def test_rulings_count(webtask: Webtask, html: Html, tmp_path: Path) -> None:
    """A referee's tokens count for the test's budget."""
    html("<p role=status>Saved</p>")

    class Spender(Scripted):
        def decide(self, turn: Turn) -> Decision:
            spent = Usage(model_calls=1, input_tokens=800)
            return replace(super().decide(turn), usage=spent)

    budget = Budget(tmp_path, "spender", run_limit=1000)
    budget.begin("a", 1000)
    check = {"kind": "text", "element_id": "status:Saved", "text": "Saved"}
    webtask._runner.models = RoleModels(Spender(verdict("holds", check)), budget, literally=False)
    webtask.verify("a message says Saved", timeout=0)
    with pytest.raises(OutOfBudget, match="1,600 of 1,000"):
        budget.check()
