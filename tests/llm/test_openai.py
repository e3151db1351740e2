"""OpenAI-compatible endpoints, through the real SDK over real HTTP."""

import json
from typing import Any

import pytest

from pytest_webtask.errors import ModelError, TaskFailed
from pytest_webtask.journal import StepPictured
from pytest_webtask.llm.model_names import load_model
from pytest_webtask.run.webtask import Webtask
from tests.api import TITLE, Api, Reply, completion, failure
from tests.inner import journaled
from tests.scripted import Html

pytest.importorskip("openai")
TASK = "press the button until it says enough"


ENDED = {"reason": "seen", "summary": "it is done", "evidence": [TITLE]}
DONE = completion(("mark_done", json.dumps(ENDED)))


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        pytest.param(sent, kept, marks=pytest.mark.webtask(model_pictures=sent, screenshots=kept))
        for sent, kept in [("off", "on"), ("on", "off")]
    ],
)
def test_pictures_for_the_model_and_for_people_are_two_switches(
    api: Api, webtask: Webtask, html: Html, sent: str, kept: str
) -> None:
    """A model without pictures costs neither the report nor a message its picture, and the other way round."""
    html("<button>Go</button>")
    given_up = json.dumps({"reason": "it is not there"})
    api.answers = [completion(("abort", given_up))]
    with pytest.raises(TaskFailed) as failed:
        webtask.do(TASK)
    assert ("data:image" in json.dumps(api.requests)) is (sent == "on")
    assert ("screenshot: " in str(failed.value)) is (kept == "on")
    pictured = [event for event in journaled(webtask) if isinstance(event, StepPictured)]
    assert len(pictured) == (kept == "on")


def test_model_that_cannot_work_is_an_error(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    """A missing key and an unknown id are errors before anything is asked; what a gateway lacks is none."""
    model: Any = load_model("openai/some-model")
    model.check_access()
    api.about_model = failure(404, "The model 'some-model' does not exist")
    with pytest.raises(ModelError, match="Check the model's id and OPENAI_BASE_URL"):
        model.check_access()
    monkeypatch.delenv("OPENAI_API_KEY")
    with pytest.raises(ModelError, match=r"no API key\. Set OPENAI_API_KEY, .*=handoff"):
        load_model("openai/some-model").check_access()  # type: ignore[attr-defined]


@pytest.fixture
def webtask_model(api: Api) -> Any:
    """The model as the option gives it."""
    return load_model("openai/some-model", effort="low", prices=["some-model 1 10 0.5 0"])


@pytest.mark.webtask(screenshots="on")
def test_task_is_done(api: Api, webtask: Webtask, html: Html) -> None:
    """The page is in a tool's result with the picture beside it, and the calls are run."""
    page = html("<button onclick='n = 1'>Go</button>")
    click = json.dumps({"reason": "go", "element_id": "button-0"})
    api.answers = [completion(("click", click)), DONE]
    session = webtask.do(TASK).session
    assert page.evaluate("n") == 1
    assert session.feedback == "it is done"
    assert {i.model for i in session.iterations} == {"some-model"}
    assert session.usage.tokens == 3 * 107 and session.usage.cache_read_tokens == 180
    assert session.usage.cost == pytest.approx(3 * (40 * 1 + 60 * 0.5 + 7 * 10) / 1e6)
    request = api.requests[0]
    assert request["model"] == "some-model" and request["reasoning_effort"] == "low"
    roles = "system user assistant tool user"
    assert [m["role"] for m in request["messages"]] == roles.split()
    assert '[button-0 "Go"]' in request["messages"][3]["content"]
    assert request["messages"][4]["content"][1]["image_url"]["url"].startswith("data:image/jpeg")


@pytest.mark.parametrize(
    ("answer", "notice"),
    [
        (completion(finish="stop", content="hm"), "called no tool"),
        (completion(("click", '{"element'), finish="length"), "cut off"),
        (completion(finish="stop", refusal="no"), "refused"),
        (completion(("click", "{oops")), "got wrong arguments"),
        (completion(("click", '["button-0"]')), "got wrong arguments"),
        (completion(("dance", "{}")), "there is no tool 'dance'"),
        (completion(("look_at_page", "{}")), "the page is shown again"),
        ((200, {}, {**completion()[2], "choices": [], "usage": None}), ""),
    ],
)
def test_malformed_answer_is_returned_to_the_model(
    api: Api, webtask: Webtask, html: Html, answer: Reply, notice: str
) -> None:
    """The next request has the problem, and the task continues."""
    html("<button>Go</button>")
    api.answers = [answer, DONE]
    assert webtask.do(TASK).session.steps_used == 2
    assert notice in json.dumps(api.requests[1]["messages"])


def test_failures_are_model_errors(api: Api, webtask: Webtask, html: Html) -> None:
    """Temporary failures are retried; permanent ones raise ModelError at once."""
    html("<button>Go</button>")
    api.answers = [failure(429, retry_after="0.05"), failure(401, "bad key")]
    with pytest.raises(ModelError, match=r"some-model: .* 401: bad key\. .*OPENAI_API_KEY"):
        webtask.do(TASK)
    assert len(api.requests) == 2
