"""Endpoints with OpenAI's chat completions API: local models and other vendors."""

# Needs the extra `pytest-webtask[openai]`; the SDK reads `OPENAI_BASE_URL` and `OPENAI_API_KEY`.
from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from types import ModuleType
from typing import Any

from pytest_webtask.errors import ModelError
from pytest_webtask.llm import prices
from pytest_webtask.llm.prompts import input_schema, render
from pytest_webtask.llm.retry import WAIT_AT_MOST, WITHOUT_KEY, check_access, proposed, send
from pytest_webtask.types.agent import Decision, ProposedToolCall, Turn, Usage


@dataclass
class OpenAI:
    """A model by its id; `effort` is sent as `reasoning_effort`."""

    model: str
    effort: str | None = None
    price: prices.Price | None = None
    wait_at_most: float = WAIT_AT_MOST

    def decide(self, turn: Turn) -> Decision:
        """Ask for the next calls. Raises ModelError if there is no usable answer."""
        openai = _sdk()
        body = self.request(turn)
        try:
            answer = send(
                openai,
                self.model,
                lambda seconds: self._client.chat.completions.create(**body, timeout=seconds),
                _ADVICE,
                turn,
                self.wait_at_most,
            )
        except openai.OpenAIError as error:
            raise self._failed(error) from None
        return self._decision(answer, len(json.dumps(body["messages"][:4])) // 4)

    def check_access(self) -> None:
        """Raise ModelError if the model cannot work: there is no valid key, or no such model."""
        openai = _sdk()
        try:
            client = self._client
            check_access(
                openai,
                self.model,
                lambda seconds: client.models.retrieve(self.model, timeout=seconds),
                _ADVICE,
            )
        except openai.OpenAIError as error:
            raise self._failed(error) from None

    def _failed(self, error: Exception) -> ModelError:
        advice = "Install it again: pip install --upgrade openai"
        return ModelError(f"{self.model}: the openai package failed: {error}. {advice}")

    def request(self, turn: Turn) -> dict[str, Any]:
        """Return the body of the request for a turn, with the page as the result of a tool call."""
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
            # In this API the result of a tool can only be text.
            intro = {"type": "text", "text": "The screenshot of that page (untrusted):"}
            if prompt.pictures:
                intro["text"] = "The pictures of the facts, in order (untrusted):"
            pictures = [
                {"type": "image_url", "image_url": {"url": f"data:image/jpeg;base64,{image}"}}
                for image in prompt.images
            ]
            messages.append({"role": "user", "content": [intro, *pictures]})
        functions = [
            {"name": t.name, "description": t.description, "parameters": input_schema(t)}
            for t in turn.tools
        ]
        tools = [{"type": "function", "function": each} for each in functions]
        body: dict[str, Any] = {"model": self.model, "messages": messages, "tools": tools}
        if self.effort:
            body["reasoning_effort"] = self.effort
        return body

    @cached_property
    def _client(self) -> Any:
        import openai

        try:
            return openai.OpenAI(max_retries=0)
        except openai.OpenAIError:
            raise ModelError(
                f"{self.model}: there is no API key. Set OPENAI_API_KEY, {WITHOUT_KEY}"
            ) from None

    def _decision(self, answer: Any, estimated: int) -> Decision:
        # Some endpoints report no usage; an estimate keeps the budget effective.
        usage = Usage(input_tokens=estimated, model_calls=1)
        if counts := getattr(answer, "usage", None):
            details = counts.prompt_tokens_details
            cached = (details.cached_tokens or 0) if details else 0
            usage = Usage(
                input_tokens=(counts.prompt_tokens or estimated) - cached,
                output_tokens=counts.completion_tokens or 0,
                cache_read_tokens=cached,
                model_calls=1,
            )
        usage = usage.model_copy(update={"cost": prices.price_of(usage, self.price)})
        if not getattr(answer, "choices", None):
            return Decision(problem="the answer was empty", model=self.model, usage=usage)
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


def _sdk() -> ModuleType:
    """Return the SDK. Raises ModelError if it is not installed."""
    try:
        import openai
    except ImportError:
        raise ModelError(
            'openai/... needs the openai package: pip install "pytest-webtask[openai]"'
        ) from None
    return openai


_PROBLEMS: Mapping[str, str] = {
    "length": "the answer was too long and was cut off before a complete tool call",
    "content_filter": "the model refused to answer",
}
_ADVICE = {
    0: "check the network and OPENAI_BASE_URL",
    400: "Check that the model accepts images and tools; --webtask-screenshots=off leaves images out",
    401: "The API key is not valid: set OPENAI_API_KEY to a valid one",
    403: "The API key lacks permission: check what its project allows",
    404: "Check the model's id and OPENAI_BASE_URL",
}


def _call(call: Any) -> ProposedToolCall:
    arguments = call.function.arguments or "{}"
    with suppress(ValueError, RecursionError):
        arguments = json.loads(arguments)
    return proposed(call.function.name, arguments)
