"""The limits of time of a step hold, whatever the page, the model or its service does."""

import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace

import pytest

from pytest_webtask import Decision, ModelError, NotFound, PageError, TaskFailed, Turn, Undecided
from pytest_webtask.llm.model_names import load_model
from pytest_webtask.page import activity
from pytest_webtask.page.step_time import GRACE
from pytest_webtask.run.webtask import Webtask
from pytest_webtask.tools import context
from pytest_webtask.types.agent import WorkerStatus
from tests.scripted import Html, Scripted, call, done, on, verdict
from tests.site import Handler, Server, Site

pytestmark = [pytest.mark.own_page, pytest.mark.slow, pytest.mark.long]

ENDLESS = "const end = Date.now() + 180000; while (Date.now() < end);"
LONGEST = 100
"""Seconds that a step of a few seconds may take on a slow machine: its end, and what it shows."""


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Every test here ends long before a page or a service does, and pages that hang are given up soon."""
    for module, limit in ((activity, "CAP"), (context, "LOOK"), (context, "PICTURE")):
        monkeypatch.setattr(module, limit, 1.0)
    began = time.monotonic()
    yield
    assert time.monotonic() - began < LONGEST


@pytest.mark.parametrize(
    "body",
    [
        f"<button onclick='setTimeout(() => {{ {ENDLESS} }})'>Go</button>",
        "<button onclick='sessionStorage.on = 1; location.reload()'>Go</button>"
        "<script>if (sessionStorage.on) setTimeout(() => location.reload(), 20)</script>",
        "<button onclick='location = \"/slow\"'>Go</button>",
    ],
    ids=["endless script", "reload loop", "hanging link"],
)
def test_task_ends_in_time(webtask: Webtask, model: Scripted, site: Site, body: str) -> None:
    """A task on a page that hangs, reloads itself or never loads ends with its `timeout`."""
    site.pages["/"] = site.pages["/slow"] = body
    site.delays["/slow"] = 180
    webtask.goto(site.url)
    model.answers = [on("click", "button", "Go"), *[call("wait", seconds=1)] * 20]
    with pytest.raises(TaskFailed, match="out of time") as failed:
        webtask.do("go", timeout=2)
    assert failed.value.result.session.status is WorkerStatus.TIMED_OUT
    assert "within 2 s" in failed.value.result.feedback


def test_look_at_a_hanging_page_names_the_page(
    webtask: Webtask, model: Scripted, site: Site
) -> None:
    """A page that cannot be observed is named, with what to do, long before the step's limit."""
    site.pages["/hangs"] = f"<h1>Hangs</h1><script>setTimeout(() => {{ {ENDLESS} }}, 300)</script>"
    webtask.goto(f"{site.url}/hangs")
    webtask.page.wait_for_timeout(500)
    model.answers = [lambda turn: done(str(turn.observation.title))]
    with pytest.raises(PageError, match=r"/hangs could not be observed within .*by hand"):
        webtask.do("look")


@pytest.mark.webtask(step_limit=1.5)
@pytest.mark.parametrize("ask", ["verify", "extract", "do"])
def test_step_limit_ends_any_step(webtask: Webtask, model: Scripted, html: Html, ask: str) -> None:
    """`--webtask-step-limit` ends every kind of step, and the failure names it or its seconds."""
    html("<h1>Notes</h1>")
    model.answers = [lambda turn: time.sleep(2) or done()]  # type: ignore[func-returns-value]
    with pytest.raises((Undecided, NotFound, TaskFailed), match=r"1\.5 s\b|out of time"):
        getattr(webtask, ask)("the notes are sorted")


@pytest.mark.webtask(step_limit=2)
def test_step_limit_holds_on_a_large_page(webtask: Webtask, html: Html) -> None:
    """A table of 10,000 rows keeps no step much longer than its limit."""
    html("<table>" + "<tr><td>Ann<td><button>Edit</button>" * 10_000 + "</table>")
    began = time.monotonic()
    with pytest.raises((PageError, TaskFailed)):
        webtask.do('click "Edit" in row "Bob"')
    assert time.monotonic() - began < 2 + 2 * GRACE + 2


def test_claim_waits_for_the_page_and_not_for_the_model(
    webtask: Webtask, model: Scripted, html: Html
) -> None:
    """A model that thinks longer than the claim's timeout leaves the page its time."""
    page = html("<p role=status>saving</p>")

    def think(turn: Turn) -> Decision:
        answer = verdict(
            "does_not_hold", {"kind": "text", "element_id": "status:saving", "text": "saving"}
        )(turn)
        time.sleep(2.5)
        page.evaluate(
            "setTimeout(() => { document.querySelector('p').textContent = 'saved' }, 800)"
        )
        return answer

    model.answers = [
        think,
        verdict("holds", {"kind": "text", "element_id": "status:saved", "text": "saved"}),
    ]
    webtask.verify('the status says "saved"', timeout=2)


def test_waiting_for_people_is_given_back(webtask: Webtask, model: Scripted, html: Html) -> None:
    """The time for which a model has waited for people does not count."""
    html("<button>Go</button>")

    def asked(turn: Turn) -> Decision:
        assert turn.observation.outline
        time.sleep(3)
        return replace(Scripted(done()).decide(turn), waited=3.0)

    model.answers = [asked]
    assert webtask.do("see the button", timeout=2.5).status is WorkerStatus.COMPLETED


class Dripping(Handler):
    """Sends one byte of its answer a second."""

    def answer(self) -> None:
        self.send_response(200)
        self.send_header("content-length", "100000")
        self.end_headers()
        with suppress(OSError):
            while True:
                self.wfile.write(b"{")
                time.sleep(1)


class TestDripping:
    @pytest.fixture
    def webtask_model(self, monkeypatch: pytest.MonkeyPatch) -> Iterator[object]:
        server = Server(Dripping)
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        monkeypatch.setenv("ANTHROPIC_API_KEY", "a-key")
        yield load_model("claude")
        server.stop()

    def test_dripping_answer_ends_in_time(self, webtask: Webtask, html: Html) -> None:
        """An answer whose bytes keep coming is not waited for after the task's time."""
        html("<button>Go</button>")
        with pytest.raises((ModelError, TaskFailed), match=r"in \d+ s|timed out|out of time"):
            webtask.do("press what is there", timeout=1.5)
