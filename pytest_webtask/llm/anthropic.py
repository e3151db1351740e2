"""Claude through the Messages API; the `anthropic` SDK is imported on first use.

Each decision is an independent request, built from the turn alone: first the role's prompt and the
tools, marked for the prompt cache, then the task and its history, then the page as the result of a
fabricated tool call, since text by strangers belongs in tool results only.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

from pytest_webtask.errors import ModelError
from pytest_webtask.llm.prompts import Prompt, described, render
from pytest_webtask.llm.service import Service, proposed
from pytest_webtask.types.agent import Decision, ToolSpec, Turn, Usage

DEFAULT = "claude-sonnet-5-5"
ANSWER_TOKENS = 16_000
"""The token limit of an answer, thinking included; a higher one would need streaming."""
_CACHED = {"cache_control": {"type": "ephemeral"}}
_CLIENTS = {"anthropic": "Anthropic", "bedrock": "AnthropicBedrock", "vertex": "AnthropicVertex"}


@dataclass
class Claude(Service):
    """A Claude model.

    `effort` is `low`, `medium`, `high` or another value that the model accepts. `provider` is `anthropic`,
    `bedrock` or `vertex`; the SDK's clients read keys, regions and addresses from the environment.
    """

    model: str = DEFAULT
    provider: str = "anthropic"
    package: ClassVar = "anthropic"
    problems: ClassVar = {
        "max_tokens": "the answer was too long and was cut off before a complete tool call",
        "model_context_window_exceeded": "the answer was cut off because the model's context was full",
        "refusal": "the model refused to answer",
    }

    def request(self, turn: Turn) -> dict[str, Any]:
        """Return the body of the request for a turn."""
        prompt = render(turn)
        body: dict[str, Any] = {
            "model": self.model,
            "max_tokens": ANSWER_TOKENS,
            "system": [{"type": "text", "text": prompt.system, **_CACHED}],
            "tools": tool_params(turn.tools),
            "messages": _messages(prompt),
        }
        if self.effort:
            body["output_config"] = {"effort": self.effort}
        return body

    @cached_property
    def _client(self) -> Any:
        import anthropic

        # The SDK's own retries wait for as long as a service asks, without a limit.
        return getattr(anthropic, _CLIENTS[self.provider])(max_retries=0)

    def _create(self, body: dict[str, Any], seconds: float) -> Any:
        return self._client.messages.create(**body, timeout=seconds)

    def _describe(self, seconds: float) -> None:
        client = self._client
        if self.provider == "anthropic":
            client.models.retrieve(self.model, timeout=seconds)

    @property
    def _installed(self) -> str:
        if self.provider == "anthropic":
            return "anthropic"
        return f"pytest-webtask[{self.provider}]"

    def _decision(self, answer: Any) -> Decision:
        counts = getattr(answer, "usage", None)
        if counts is None:
            raise ModelError(
                f"{self.model}: the service does not answer as Anthropic's does. Correct ANTHROPIC_BASE_URL"
            )
        usage = Usage(
            input_tokens=counts.input_tokens,
            output_tokens=counts.output_tokens,
            cache_read_tokens=counts.cache_read_input_tokens or 0,
            cache_write_tokens=counts.cache_creation_input_tokens or 0,
            model_calls=1,
        )
        words = "\n".join(block.text for block in answer.content if block.type == "text")
        calls = [proposed(b.name, b.input) for b in answer.content if b.type == "tool_use"]
        return self._decided(answer.stop_reason, calls, words.strip(), usage)


def tool_params(specs: Sequence[ToolSpec]) -> list[dict[str, Any]]:
    """Return the tools in the API's format, the last one marked for the prompt cache."""
    params = described(specs)
    params[-1].update(_CACHED)
    return params


def _messages(prompt: Prompt) -> list[dict[str, Any]]:
    seen: list[dict[str, Any]] = [{"type": "text", "text": prompt.page}]
    for image in prompt.images:
        source = {"type": "base64", "media_type": "image/jpeg", "data": image}
        seen.append({"type": "image", "source": source})
    look = {"type": "tool_use", "id": "toolu_look", "name": prompt.shown_by, "input": {}}
    result = {"type": "tool_result", "tool_use_id": "toolu_look", "content": seen}
    return [
        {"role": "user", "content": [{"type": "text", "text": prompt.task}]},
        {"role": "assistant", "content": [look]},
        {"role": "user", "content": [result]},
    ]
