"""Endpoints with OpenAI's chat completions API: local models and other vendors."""

# Needs the extra `pytest-webtask[openai]`; the SDK reads `OPENAI_BASE_URL` and `OPENAI_API_KEY`.
import json
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

from pytest_webtask.llm.prompts import described, render
from pytest_webtask.llm.service import Service, proposed
from pytest_webtask.types.agent import Decision, ProposedToolCall, Turn, Usage


@dataclass
class OpenAI(Service):
    """A model by its id; `effort` is sent as `reasoning_effort`."""

    package: ClassVar = "openai"
    problems: ClassVar = {
        "length": "the answer was too long and was cut off before a complete tool call",
        "content_filter": "the model refused to answer",
        "refusal": "the model refused to answer",
    }

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
            intro = {"type": "text", "text": "The pictures, in order (untrusted):"}
            pictures = [
                {"type": "image_url", "image_url": {"url": f"data:image/jpeg;base64,{image}"}}
                for image in prompt.images
            ]
            messages.append({"role": "user", "content": [intro, *pictures]})
        tools = []
        for each in described(turn.tools):
            each["parameters"] = each.pop("input_schema")
            tools.append({"type": "function", "function": each})
        body: dict[str, Any] = {"model": self.model, "messages": messages, "tools": tools}
        if self.effort:
            body["reasoning_effort"] = self.effort
        return body

    @cached_property
    def _client(self) -> Any:
        import openai

        return openai.OpenAI(max_retries=0)

    def _create(self, body: dict[str, Any], seconds: float) -> Any:
        return self._client.chat.completions.create(**body, timeout=seconds)

    def _describe(self, seconds: float) -> object:
        return self._client.models.retrieve(self.model, timeout=seconds)

    @property
    def _installed(self) -> str:
        return "pytest-webtask[openai]"

    def _decision(self, answer: Any) -> Decision:
        usage = Usage(model_calls=1)
        if counts := getattr(answer, "usage", None):
            cached = getattr(counts.prompt_tokens_details, "cached_tokens", None) or 0
            usage = Usage(
                input_tokens=counts.prompt_tokens - cached,
                output_tokens=counts.completion_tokens,
                cache_read_tokens=cached,
                model_calls=1,
            )
        if not getattr(answer, "choices", None):
            return Decision(problem="the answer was empty", model=self.model, usage=usage)
        choice = answer.choices[0]
        finish, message = choice.finish_reason, choice.message
        if message.refusal:
            finish = "refusal"
        calls = [*map(_call, message.tool_calls or ())]
        return self._decided(finish, calls, message.content or "", usage)


def _call(call: Any) -> ProposedToolCall:
    arguments = call.function.arguments or "{}"
    with suppress(ValueError, RecursionError):
        arguments = json.loads(arguments)
    return proposed(call.function.name, arguments)
