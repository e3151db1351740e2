"""Each task, played by the model that the options name: costs tokens, and minutes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from shop.server import ShopServer

from benchmarks.tasks import Play, miniwob
from benchmarks.tasks import shop as shop_tasks
from pytest_webtask import Webtask

# A model may think for as long as it likes.
pytestmark = pytest.mark.timeout(0)


@pytest.fixture(autouse=True)
def _needs_a_model(pytestconfig: pytest.Config) -> None:
    """The literal interpreter cannot read these tasks."""
    model = pytestconfig.getoption("webtask_model") or pytestconfig.getini("webtask_model")
    if model in (None, "literal"):
        pytest.skip("needs a model: --webtask-model=...")


class TestMiniWoB:
    """The pages that others wrote."""

    @pytest.fixture
    def webtask_instructions(self) -> str:
        """What somebody at the screen would be told about such pages."""
        return miniwob.INSTRUCTIONS

    @pytest.mark.parametrize("name", miniwob.TASKS)
    def test_task(
        self, name: str, webtask: Webtask, miniwob_url: str, play: Play, pytestconfig: pytest.Config
    ) -> None:
        """The page rewards the actions of the model."""
        webtask.goto(f"{miniwob_url}/{name}.html")
        page = webtask.page
        sentence = miniwob.start(page, pytestconfig.getoption("--task-seed", None) or miniwob.SEED)
        sentence = sentence.replace("{", "{{").replace("}", "}}")
        play(f"miniwob/{name}", sentence, lambda: miniwob.reward(page) > 0)


class TestShop:
    """The shop that comes with the project."""

    @pytest.fixture
    def webtask_data(self) -> Mapping[str, object]:
        """Users, and a card."""
        return shop_tasks.DATA

    @pytest.fixture
    def webtask_resources(self) -> Mapping[str, Path]:
        """What may be uploaded."""
        return shop_tasks.RESOURCES

    @pytest.mark.parametrize("task", shop_tasks.TASKS, ids=lambda task: task.name)
    def test_task(
        self, task: shop_tasks.Task, webtask: Webtask, shop: ShopServer, database: Path, play: Play
    ) -> None:
        """The shop has the state that the task asks for."""
        shop_tasks.prepare(database, task)
        webtask.goto(shop.url)
        play(
            f"shop/{task.name}",
            task.sentence,
            lambda: shop_tasks.solved(webtask.page, database, task),
        )
