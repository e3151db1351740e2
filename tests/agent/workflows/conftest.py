"""The shop, fresh for each test, and a team that works in it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from shop.server import ShopServer

from pytest_webtask import Secret
from tests.agent.workflows.team import Team

DATA = {"user": "demo", "password": Secret("mug-life-2026")}
"""Who logs in."""


@pytest.fixture(autouse=True)
def _fresh(shop: ShopServer) -> None:
    """Each test begins with the seeded shop."""
    shop.reset()


@pytest.fixture(scope="session")
def base_url(shop: ShopServer) -> str:
    """Relative addresses lead to the shop."""
    return shop.url


@pytest.fixture
def webtask_data() -> dict[str, object]:
    """Who logs in."""
    return dict(DATA)


@pytest.fixture
def team() -> Iterator[Team]:
    """The roles of this test, who must have said all that they have to say."""
    team = Team()
    yield team
    team.assert_finished()


@pytest.fixture
def webtask_model(team: Team) -> Team:
    """The team decides."""
    return team
