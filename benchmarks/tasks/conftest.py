"""What the tasks share: their grounds, the model that the options name, the file of results."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from shop.server import ShopServer

from benchmarks.tasks import Play, miniwob
from pytest_webtask import TaskFailed, Webtask
from pytest_webtask.errors import WebtaskError

# Defined here once more, it wins over the scripted model of all other tests.
from pytest_webtask.plugin import webtask_model as webtask_model
from pytest_webtask.types.agent import WorkerSession, WorkerStatus


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare the options; they are known where this folder, or a file in it, is named."""
    group = parser.getgroup("tasks", "tasks of the benchmark")
    group.addoption("--task-results", metavar="FILE", help="append a JSON line for each task")
    group.addoption("--task-seed", metavar="N", type=int, help="other exercises of MiniWoB++")


@pytest.fixture(scope="session")
def miniwob_url(pytestconfig: pytest.Config) -> Iterator[str]:
    """Where the pages of MiniWoB++ are served."""
    with miniwob.serve(pytestconfig.rootpath / ".webtask" / "benchmarks") as url:
        yield url


@pytest.fixture(scope="session")
def shop_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the shop keeps its database."""
    return tmp_path_factory.mktemp("shop")


@pytest.fixture(scope="session")
def shop(shop_folder: Path) -> Iterator[ShopServer]:
    """The example shop on a free loopback port."""
    server = ShopServer(shop_folder)
    yield server
    server.stop()


@pytest.fixture
def database(shop: ShopServer, shop_folder: Path) -> Path:
    """The shop's database, with what it was seeded with and nothing else."""
    shop.reset()
    return shop_folder / "shop.sqlite"


@pytest.fixture
def play(pytestconfig: pytest.Config, webtask: Webtask) -> Play:
    """Does a task and asks its judge, whose answer alone counts; a line tells how it went."""

    def run(name: str, sentence: str, judge: Callable[[], bool]) -> None:
        began = time.monotonic()
        try:
            session = webtask.do(sentence).session
        except TaskFailed as failed:
            session = failed.result.session
        except WebtaskError as error:
            # No model, no page: nothing can be said about the task.
            _write(pytestconfig, {"task": name, "status": "error", "feedback": str(error)})
            raise
        seconds = time.monotonic() - began
        success = _comes_true(webtask, judge)
        _write(
            pytestconfig, {"task": name, "success": success, **_measured(session, success, seconds)}
        )
        assert success, f"{session.status.value}, but not done: {session.feedback}"

    return run


def _comes_true(webtask: Webtask, judge: Callable[[], bool]) -> bool:
    """Whether the judge says yes, now or in a second: a page may still be at work."""
    for _ in range(10):
        if judge():
            return True
        webtask.page.wait_for_timeout(100)
    return judge()


def _measured(session: WorkerSession, success: bool, seconds: float) -> dict[str, object]:
    usage = session.usage
    return {
        "status": session.status.value,
        "false_done": session.status is WorkerStatus.COMPLETED and not success,
        "seconds": round(seconds, 1),
        "iterations": session.steps_used,
        "model_calls": usage.model_calls,
        "input_tokens": usage.input_tokens + usage.cache_read_tokens + usage.cache_write_tokens,
        "output_tokens": usage.output_tokens,
        "cost": usage.cost,
        "feedback": session.feedback,
    }


def _write(config: pytest.Config, line: dict[str, object]) -> None:
    given = config.getoption("--task-results", None)
    file = Path(given or config.rootpath / ".webtask" / "benchmarks" / "tasks.jsonl")
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("a", encoding="utf-8") as results:
        results.write(json.dumps(line, ensure_ascii=False) + "\n")
