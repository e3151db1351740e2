"""The documentation's own model, word for word, against a server that speaks Ollama's protocol."""

import re
from pathlib import Path
from typing import Any
from urllib.error import HTTPError

import pytest

from pytest_webtask.errors import ModelError
from pytest_webtask.run.webtask import Webtask
from tests.api import TITLE, Api
from tests.scripted import Html

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "models.md"


def source() -> str:
    """The code of the example."""
    [code] = re.findall(r"<!-- file: own.py -->\n```python\n(.*?)```", PAGE.read_text(), re.S)
    return str(code)


def answer(*calls: tuple[str, dict[str, Any]]) -> tuple[int, dict[str, str], dict[str, Any]]:
    """An answer of the server's."""
    tool_calls = [{"function": {"name": name, "arguments": given}} for name, given in calls]
    return 200, {}, {"message": {"tool_calls": tool_calls}, "prompt_eval_count": 50}


@pytest.fixture
def webtask_model(api: Api) -> Any:
    """The example's own model."""
    names: dict[str, Any] = {}
    exec(source(), names)
    return names["Ollama"](url=api.url)


def test_model_has_less_than_40_lines() -> None:
    """The documented model has fewer than 40 lines."""
    assert len(source().splitlines()) < 40


@pytest.mark.webtask(screenshots="on")
def test_model_does_a_task(api: Api, webtask: Webtask, html: Html) -> None:
    """The model gets the page and the picture; its calls are run and its tokens counted."""
    page = html("<button onclick='n = 1'>Go</button>")
    api.answers = [
        answer(("click", {"element_id": "button-0", "reason": "to go"})),
        answer(("mark_done", {"summary": "gone", "reason": "done", "evidence": [TITLE]})),
    ]
    result = webtask.do("press whatever there is")
    assert page.evaluate("n") == 1
    assert result.session.usage.tokens == 150
    assert result.session.usage.cost is None
    assert {i.model for i in result.session.iterations} == {"Ollama"}
    [_, _, seen] = api.requests[0]["messages"]
    assert '[button-0 "Go"]' in seen["content"] and seen["images"]
    [_, _, facts] = api.rulings[0]["messages"]
    assert "Test page" in facts["content"] and "images" not in facts


def test_failing_server_is_a_model_error(api: Api, webtask: Webtask, html: Html) -> None:
    """A server that answers with status 500 raises ModelError with the cause."""
    html("<button>Go</button>")
    api.answers = [(500, {}, {})]
    with pytest.raises(ModelError, match="Ollama failed: HTTPError: HTTP Error 500") as raised:
        webtask.do("press whatever there is")
    cause = raised.value.__cause__
    assert isinstance(cause, HTTPError)
    # It holds its connection, and would be found unclosed in whatever test comes next.
    cause.close()
