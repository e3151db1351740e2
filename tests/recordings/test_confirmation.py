"""The second run right after a recording: what it confirms, learns and refutes."""

from collections.abc import Iterator

import pytest

from pytest_webtask.journal import ConfirmationBegun
from tests.inner import Project, Run, project

pytestmark = pytest.mark.slow

PAGE = """<h1>Orders</h1><button onclick="send()">Send</button><p role=status id=out></p>
<p id=seen></p><script>
const load = async () => { seen.textContent = `Visit ${await (await fetch('/visits')).text()}` };
function send() { out.textContent = 'Order ' + Math.floor(1e5 + Math.random() * 9e5) + ' was sent' }
</script>"""
PLAYS = """
"{a} is {b}": [holds(text("heading:Orders", "Orders"))],
"send the order": [act("click", "button:Send"), done(text("status:", "was sent"))],
"""
TESTS = """
import pytest

def test_varies(webtask):
    webtask.goto("/orders")
    webtask.do("send the order")

def test_gap(webtask):
    webtask.goto("/orders")
    webtask.do("send the order")
    webtask.verify("{a} is {b}", data={"a": "Orders", "b": "Orders"})

@pytest.mark.webtask(max_step=4)
def test_mistyped(webtask):
    pass

_runs = []

def test_once(webtask):
    webtask.goto("/orders")
    _runs.append(1)
    webtask.do("send the order")
    assert len(_runs) == 1, "the order exists already"
"""


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Project, Run]]:
    """A project after a run that has recorded and confirmed."""
    with project(tmp_path_factory.mktemp("confirmed"), PLAYS, TESTS) as inner:
        inner.site.pages["/orders"] = PAGE
        yield inner, inner.run("--webtask-confirm=on")


def test_text_that_differed_in_the_second_run_may_differ(recorded: tuple[Project, Run]) -> None:
    """A number that another run shows otherwise is replaced by a pattern, the words around it are not."""
    inner, run = recorded
    assert "recorded 2 steps, 1 of them confirmed by a second run" in run.printed
    [step] = inner.steps("test_varies")
    assert step["evidence"][0]["check"]["pattern"] == r"Order\s+\d+\s+was\s+sent"
    assert inner.run("--webtask-mode=replay", "-k", "varies").outcomes == {"test_varies": "passed"}


def test_test_without_a_second_run_is_recorded_only_if_that_is_by_its_steps(
    recorded: tuple[Project, Run],
) -> None:
    """What cannot run twice is not recorded; a step that is not recorded has no second run at all."""
    inner, run = recorded
    assert not inner.file("test_once").exists()
    assert "not recorded: test_it.py::test_once" in run.printed
    assert "the order exists already" in run.printed
    assert run.outcomes["test_gap"] == "passed", run.printed
    begun = [event.test for event in run.events(ConfirmationBegun)]
    assert begun == [f"test_it.py::test_{name}[chromium]" for name in ("varies", "once")]
    assert [step["sentence"] for step in inner.steps("test_gap")] == ["send the order"]


def test_mistyped_marker_fails_its_test_alone(recorded: tuple[Project, Run]) -> None:
    """Whether a test may record is asked before anything of it is set up."""
    assert recorded[1].outcomes["test_mistyped"] != "passed"
