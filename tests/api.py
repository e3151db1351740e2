"""The Messages API's end of the wire: a real server on loopback that answers from a script."""

import base64
import io
import json
from collections.abc import Callable
from typing import Any

from PIL import Image

from tests.site import Handler, Server

Reply = tuple[int, dict[str, str], dict[str, Any]]
Answer = Reply | Callable[[dict[str, Any]], Reply]
ALL_USED = {"cache_read_input_tokens": 0, "cache_creation_input_tokens": 0}


def message(*blocks: dict[str, Any], stop: str = "tool_use", **usage: int) -> Reply:
    """A message of the model's: its blocks, why it stopped, what it used."""
    used = {"input_tokens": 100, "output_tokens": 10, **ALL_USED, **usage}
    body = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "a-model",
        "content": list(blocks),
        "stop_reason": stop,
        "stop_sequence": None,
        "usage": used,
    }
    return 200, {}, body


def use(tool: str, **given: Any) -> dict[str, Any]:
    """A tool call in a message."""
    if tool != "rule":
        given.setdefault("reason", "it is the way")
    return {"type": "tool_use", "id": "toolu_1", "name": tool, "input": given}


def text(words: str) -> dict[str, Any]:
    """A text in a message."""
    return {"type": "text", "text": words}


TITLE = {"kind": "title", "text": "Test page"}
"""A check that holds on every page of the fixture `html`."""
PROVED = {"counterexample": "", "proves": True, "missing": ""}


def marked_done(*evidence: dict[str, Any], **usage: Any) -> Reply:
    """The message that ends a task well, on checks of what the page shows for it."""
    shown = list(evidence) or [TITLE]
    return message(use("mark_done", summary="it is done", evidence=shown), **usage)


def completion(*calls: tuple[str, str], finish: str = "tool_calls", **message: Any) -> Reply:
    """A chat completion: its calls by name and arguments, and why it stopped."""
    made = [
        {"id": f"c{i}", "type": "function", "function": {"name": name, "arguments": arguments}}
        for i, (name, arguments) in enumerate(calls)
    ]
    answer = {"role": "assistant", "content": None, "tool_calls": made or None, **message}
    usage = {
        "prompt_tokens": 100,
        "completion_tokens": 7,
        "total_tokens": 107,
        "prompt_tokens_details": {"cached_tokens": 60},
    }
    body = {
        "id": "x",
        "object": "chat.completion",
        "created": 1,
        "model": "some-model",
        "choices": [{"index": 0, "finish_reason": finish, "message": answer}],
        "usage": usage,
    }
    return 200, {}, body


def ruling(request: dict[str, Any]) -> Reply | None:
    """The answer to a referee's request, that all is proved; None for any other request."""
    offered = {tool.get("name") or tool["function"]["name"] for tool in request.get("tools", ())}
    if offered != {"rule"}:
        return None
    if "stream" in request:
        call = {"function": {"name": "rule", "arguments": PROVED}}
        return 200, {}, {"message": {"tool_calls": [call]}, "prompt_eval_count": 50}
    return (
        message(use("rule", **PROVED))
        if "system" in request
        else completion(("rule", json.dumps(PROVED)))
    )


def failure(status: int, words: str = "no", **headers: str) -> Reply:
    """An error of the API."""
    body = {"type": "error", "error": {"type": "some_error", "message": words}}
    return status, {k.replace("_", "-"): v for k, v in headers.items()}, body


class Api(Server):
    """Answers POST requests in the order of `answers`, and keeps all that it receives.

    An answer of None breaks the connection off. With one answer left, that is given again and again.
    A referee's request is kept apart, in `rulings`, and answered with a yes, or by `referee`.
    """

    def __init__(self) -> None:
        self.clear()
        api = self

        class OfScript(Handler):
            def answer(self) -> None:
                if self.command == "GET":
                    self.give(api.about_model)
                    return
                raw = self.body()
                api.raw.append(f"{self.path}\n{self.headers}".encode() + raw)
                request = json.loads(raw)
                answer: Any = ruling(request)
                (api.requests if answer is None else api.rulings).append(request)
                if answer is not None and api.referee is not None:
                    answer = api.referee(request)
                if answer is None:
                    answer = api.answers.pop(0) if len(api.answers) > 1 else api.answers[0]
                if answer is None:
                    self.connection.close()
                    return
                self.give(answer(request) if callable(answer) else answer)

            def give(self, reply: Reply) -> None:
                status, headers, body = reply
                headers = {"content-type": "application/json", **headers}
                self.reply(status, headers, json.dumps(body).encode())

        super().__init__(OfScript)

    def clear(self) -> None:
        """Forget what was asked and answered."""
        self.answers: list[Answer | None] = []
        self.requests: list[dict[str, Any]] = []
        self.rulings: list[dict[str, Any]] = []
        self.raw: list[bytes] = []
        self.referee: Callable[[dict[str, Any]], Reply] | None = None
        self.about_model: Reply = (501, {}, {})
        """The answer to a question about a model."""


def blocks(request: dict[str, Any], kind: str) -> list[dict[str, Any]]:
    """All blocks of a type in the messages of a request, those within tool results too."""
    found = []
    stack = [block for m in request["messages"] for block in m["content"]]
    while stack:
        block = stack.pop(0)
        if block["type"] == kind:
            found.append(block)
        stack = [*(block.get("content") or []), *stack]
    return found


def page_of(request: dict[str, Any]) -> str:
    """What a request tells of the page."""
    [result] = blocks(request, "tool_result")
    return str(result["content"][0]["text"])


def pictures(request: dict[str, Any]) -> list[Image.Image]:
    """The pictures in a request."""
    return [
        Image.open(io.BytesIO(base64.b64decode(block["source"]["data"])))
        for block in blocks(request, "image")
    ]
