"""Traits of models, and which model decides in which role."""

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from pytest_webtask.errors import UsageError
from pytest_webtask.literal import LiteralFirstModel, LiteralModel
from pytest_webtask.llm.role_models import Budget, BudgetedModel, RoleModels
from pytest_webtask.types.agent import Decision, Turn
from pytest_webtask.types.model import LITERAL, Model, ModelTraits
from tests.scripted import FixedPage


class OnlyDecides:
    """The least that a model must have."""

    def decide(self, turn: Turn) -> Decision:
        return Decision(reasoning=turn.task)


class WithTraits(OnlyDecides):
    """A model that states traits, whatever they are."""

    def __init__(self, traits: Any) -> None:
        self.traits = traits


@pytest.fixture
def budget(tmp_path: Path) -> Budget:
    """A budget that nothing has used."""
    return Budget(tmp_path, "main", run_limit=100)


def turn(page: Page) -> Turn:
    """A turn of which only the task is read, and the page by the literal interpreter."""
    return Turn(role="worker", task="buy a mug", tools=(), view=FixedPage(page))


@pytest.mark.parametrize(
    ("model", "traits"),
    [
        (OnlyDecides(), ModelTraits()),
        (WithTraits(ModelTraits(looks_at_page=False)), ModelTraits(looks_at_page=False)),
        (WithTraits(ModelTraits(is_literal=True, replays_recording=True)), ModelTraits()),
        (LiteralModel(), LITERAL),
    ],
    ids=["none", "never looks", "claims exemptions", "literal"],
)
def test_budgeted_model_exempts_only_the_literal_model_from_review(
    budget: Budget, model: Model, traits: ModelTraits
) -> None:
    """A user's model may declare that it never looks, but not that it needs no review."""
    assert BudgetedModel(model, budget).traits == traits
    assert traits.needs_review == (model.__class__ is not LiteralModel)


def test_role_models_refuse_traits_of_another_type(budget: Budget) -> None:
    """A model whose `traits` is something else is refused before it is called."""
    with pytest.raises(
        UsageError, match=r"WithTraits\.traits is 'brave', but a model may only have ModelTraits"
    ):
        RoleModels(WithTraits("brave"), budget, literally=True)


def test_literal_first_model_has_the_traits_of_the_last_decider(budget: Budget, page: Page) -> None:
    """The traits are the literal interpreter's until a sentence goes to the model."""
    first = LiteralFirstModel(BudgetedModel(OnlyDecides(), budget))
    assert first.traits == LITERAL
    assert first.decide(turn(page)).reasoning == "buy a mug"
    assert first.traits == ModelTraits()
