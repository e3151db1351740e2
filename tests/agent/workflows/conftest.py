"""The shop, fresh for each test, and a team that works in it."""

from collections.abc import Iterator

import pytest

from pytest_webtask import Secret
from tests.agent.workflows.team import Team
from tests.fresh_shop import base_url, fresh  # noqa: F401 - fixtures

DATA = {"user": "demo", "password": Secret("mug-life-2026")}
"""Who logs in."""


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
