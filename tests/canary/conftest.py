"""The seed of the random secrets, and the secrets."""

import random

import pytest

from tests.canary.kinds import random_secrets

# It is copied, and run there.
collect_ignore = ["suite"]

_SEED = pytest.StashKey[int]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare the option for the seed."""
    parser.addoption(
        "--canary-seed", type=int, help="the seed of the secrets of an earlier run, to repeat it"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Choose the seed."""
    seed = config.getoption("--canary-seed", default=None)
    config.stash[_SEED] = random.SystemRandom().randrange(10**9) if seed is None else seed


def pytest_report_header(config: pytest.Config) -> str:
    """Print the seed."""
    return f"canary: --canary-seed={config.stash[_SEED]}"


@pytest.fixture(scope="session")
def secrets(pytestconfig: pytest.Config) -> dict[str, str]:
    """The secrets of this run, by their kind."""
    return random_secrets(pytestconfig.stash[_SEED])
