"""Endpoints that speak OpenAI's chat completions: a local model, or another vendor's.

Needs the extra `pytest-webtask[openai]`; the address and key are those of that SDK, from
`OPENAI_BASE_URL` and `OPENAI_API_KEY`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pytest_webtask.errors import ModelError
from pytest_webtask.llm import prices
from pytest_webtask.llm.prompts import input_schema, render
from pytest_webtask.llm.retry import ANSWER_SECONDS, WAIT_AT_MOST, proposed, send
from pytest_webtask.types.agent import Decision, ProposedToolCall, Turn, Usage

__all__ = ["OpenAI"]


@dataclass
class OpenAI:
    """A model by its id; `effort` is what the endpoint takes as `reasoning_effort`."""

    model: str
    effort: str | None = None
    price: prices.Price | None = None
    wait_at_most: float = WAIT_AT_MOST

    def decide(self, turn: Turn) -> Decision:
        """Ask for the next calls. Raises ModelError where no answer can be had."""
        try:
            import openai
        except ImportError:
            raise ModelError(
                'openai/... needs the openai package: pip install "pytest-webtask[openai]"'
            ) from None
        body = self.request(turn)
        try:
            answer = send(
                openai,
                self.model,
                lambda: self._client.chat.completions.create(
                    **body, timeout=turn.left(ANSWER_SECONDS)
                ),
                _ADVICE,
                turn.left(self.wait_at_most),
            )
        except openai.OpenAIError as error:
            raise ModelError(f"{self.model}: the SDK failed: {error}") from None
        return self._decision(answer, len(json.dumps(body["messages"][:4])) // 4)

    def request(self, turn: Turn) -> dict[str, Any]:
        """The body of the request for a turn; the page stands in the result of a tool call."""
        prompt = render(turn)
        look = {"name": prompt.shown_by, "arguments": "{}"}
        messages: list[dict[str, Any]] = [
            {"role": "system", "content": prompt.system},
            {"role": "user", "content": prompt.task},
            {
                "role": "assistant",
                "tool_calls": [{"id": "look", "type": "function", "function": look}],
            },
            {"role": "tool", "tool_call_id": "look", "content": prompt.page},
        ]
        if prompt.images:
            # The results of tools are text in this protocol.
            intro = {"type": "text", "text": "The screenshot of that page, which is not trusted:"}
            if prompt.pictures:
                intro["text"] = "The pictures of the facts, in their order, which are not trusted:"
            pictures = [
                {"type": "image_url", "image_url": {"url": f"data:image/jpeg;base64,{image}"}}
                for image in prompt.images
            ]
            messages.append({"role": "user", "content": [intro, *pictures]})
        told = [
            {
                "type": "function",
                "function": {
                    "name": tool.name,
                    "description": tool.description,
                    "parameters": input_schema(tool),
                },
            }
            for tool in turn.tools
        ]
        body: dict[str, Any] = {"model": self.model, "messages": messages, "tools": told}
        if self.effort:
            body["reasoning_effort"] = self.effort
        return body

    @cached_property
    def _client(self) -> Any:
        import openai

        return openai.OpenAI(max_retries=0)

    def _decision(self, answer: Any, estimated: int) -> Decision:
        # Some endpoints do not say what was used, and a budget must hold all the same.
        usage = Usage(input_tokens=estimated, model_calls=1)
        if spent := getattr(answer, "usage", None):
            details = spent.prompt_tokens_details
            cached = (details.cached_tokens or 0) if details else 0
            usage = Usage(
                input_tokens=(spent.prompt_tokens or estimated) - cached,
                output_tokens=spent.completion_tokens or 0,
                cache_read_tokens=cached,
                model_calls=1,
            )
        usage = usage.model_copy(update={"cost": prices.price_of(usage, self.price)})
        if not getattr(answer, "choices", None):
            return Decision(problem="it was empty", model=self.model, usage=usage)
        choice = answer.choices[0]
        problem = _PROBLEMS.get(choice.finish_reason, "")
        if choice.message.refusal:
            problem = "the model refused to answer"
        calls = () if problem else tuple(map(_call, choice.message.tool_calls or ()))
        return Decision(
            calls=calls,
            reasoning=choice.message.content or "",
            problem=problem,
            model=self.model,
            usage=usage,
        )


_PROBLEMS: Mapping[str, str] = {
    "length": "it was cut off, being too long, and nothing of it was done",
    "content_filter": "the model refused to answer",
}
_ADVICE = {
    400: "Does this model take pictures and tools? --webtask-screenshots=off leaves the pictures out",
    401: "The key is not accepted: set OPENAI_API_KEY to a valid one",
    403: "The key may not do this: check what its project allows",
    404: "Are the model's id and OPENAI_BASE_URL right?",
}


def _call(call: Any) -> ProposedToolCall:
    given = call.function.arguments or "{}"
    with suppress(ValueError, RecursionError):
        given = json.loads(given)
    return proposed(call.function.name, given)
