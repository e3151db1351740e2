"""Claude, through the Messages API of the `anthropic` SDK, which is imported when first asked.

Each decision is one request of its own, built from the turn alone: the role's prompt and the tools
first, marked for the prompt cache, then the task and its history, then the page as the result of a
tool call that is written here, since what strangers can write belongs in tool results only.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pytest_webtask.errors import ModelError
from pytest_webtask.llm import prices
from pytest_webtask.llm.prompts import Prompt, input_schema, render
from pytest_webtask.llm.retry import ANSWER_SECONDS, WAIT_AT_MOST, proposed, send
from pytest_webtask.types.agent import Decision, ToolSpec, Turn, Usage

__all__ = ["DEFAULT", "Claude"]

DEFAULT = "claude-sonnet-5-5"
ANSWER_TOKENS = 16_000
"""An answer may have so many tokens, thinking included; more would have to be streamed."""
STRICT_TOOLS, STRICT_OPTIONAL, STRICT_UNIONS = 20, 24, 16
"""What the API allows of `strict` tools in a request: tools, optional parameters, unions."""
_CACHED = {"cache_control": {"type": "ephemeral"}}


@dataclass
class Claude:
    """A Claude model. `effort` is `low`, `medium`, `high` or what else it takes; None is its own.

    `provider` is `anthropic`, `bedrock` or `vertex`; keys, regions and addresses come from the
    environment, as the SDK's own clients read them. `price` is that of `model`.
    """

    model: str = DEFAULT
    effort: str | None = None
    provider: str = "anthropic"
    price: prices.Price | None = None
    wait_at_most: float = WAIT_AT_MOST

    def decide(self, turn: Turn) -> Decision:
        """Ask for the next calls. Raises ModelError where no answer can be had."""
        return self._decision(self._send(self.request(turn), turn))

    def request(self, turn: Turn) -> dict[str, Any]:
        """The body of the request for a turn."""
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

        clients = {
            "anthropic": "Anthropic",
            "bedrock": "AnthropicBedrock",
            "vertex": "AnthropicVertex",
        }
        # Its own retries know no limit to what a service asks to wait.
        return getattr(anthropic, clients[self.provider])(max_retries=0)

    def _send(self, body: Mapping[str, Any], turn: Turn) -> Any:
        import anthropic

        try:
            return send(
                anthropic,
                self.model,
                lambda: self._client.messages.create(**body, timeout=turn.left(ANSWER_SECONDS)),
                _ADVICE,
                turn.left(self.wait_at_most),
            )
        except (ImportError, TypeError, ValueError, anthropic.AnthropicError) as error:
            raise ModelError(self._unusable(error)) from None

    def _unusable(self, error: Exception) -> str:
        if "authentication" in str(error):
            return f"{self.model}: no API key: set ANTHROPIC_API_KEY, or choose another model"
        advice = ""
        if self.provider != "anthropic":
            advice = f"; is pytest-webtask[{self.provider}] installed, and the account set up?"
        return f"{self.model}: the SDK failed: {type(error).__name__}: {error}{advice}"

    def _decision(self, answer: Any) -> Decision:
        spent = getattr(answer, "usage", None)
        if spent is None:
            raise ModelError(
                f"{self.model}: what answered is no Messages API; is ANTHROPIC_BASE_URL right?"
            )
        usage = Usage(
            input_tokens=spent.input_tokens or 0,
            output_tokens=spent.output_tokens or 0,
            cache_read_tokens=spent.cache_read_input_tokens or 0,
            cache_write_tokens=spent.cache_creation_input_tokens or 0,
            model_calls=1,
        )
        usage = usage.model_copy(update={"cost": prices.price_of(usage, self.price)})
        blocks = answer.content or []
        words = "\n".join(b.text for b in blocks if b.type == "text" and b.text).strip()
        problem = _PROBLEMS.get(answer.stop_reason, "")
        # A call of a cut answer may be cut itself, and who refuses has not meant what came before.
        calls = (
            () if problem else [proposed(b.name, b.input) for b in blocks if b.type == "tool_use"]
        )
        return Decision(
            calls=tuple(calls), reasoning=words, problem=problem, model=self.model, usage=usage
        )


_ADVICE = {
    400: "This model does not take the request: try another, or report this",
    401: "The key is not accepted: set ANTHROPIC_API_KEY to a valid one",
    402: "Check the account's billing",
    403: "The key may not do this: check what its workspace allows",
    404: f"Is the model's id right? --webtask-model=claude means {DEFAULT}",
    413: "The page is too large: try --webtask-screenshots=off",
}
_PROBLEMS = {
    "max_tokens": "it was cut off, being too long, and nothing of it was done",
    "model_context_window_exceeded": "it was cut off, since the model's context was full",
    "refusal": "the model refused to answer",
}


def tool_params(specs: Sequence[ToolSpec]) -> list[dict[str, Any]]:
    """The tools as the API takes them, those with the fewest options `strict`, the last one cached.

    The API allows only so many strict tools and optional parameters in one request. What comes in
    is validated in any case.
    """
    told: list[dict[str, Any]] = [
        {"name": s.name, "description": s.description, "input_schema": input_schema(s)}
        for s in specs
    ]
    strict, optional, unions = 0, 0, 0
    for tool in sorted(told, key=lambda tool: _optional(tool["input_schema"])):
        schema = _strict(tool["input_schema"])
        if schema is None:
            continue
        more, united = _optional(schema), str(schema).count("'anyOf'")
        if (
            strict < STRICT_TOOLS
            and optional + more <= STRICT_OPTIONAL
            and unions + united <= STRICT_UNIONS
        ):
            strict, optional, unions = strict + 1, optional + more, unions + united
            tool.update(input_schema=schema, strict=True)
    if told:
        told[-1].update(_CACHED)
    return told


def _strict(schema: dict[str, Any]) -> dict[str, Any] | None:
    """The schema in the subset that `strict` allows; None where it would say something else."""
    import anthropic

    if not _expressible(schema, schema.get("$defs", {}), ()):
        return None
    try:
        return anthropic.transform_schema(schema)
    except (ValueError, TypeError):
        return None


def _expressible(schema: Any, defs: Mapping[str, Any], within: tuple[str, ...]) -> bool:
    """Whether it holds neither open objects, nor tuples, nor itself."""
    if isinstance(schema, list):
        return all(_expressible(each, defs, within) for each in schema)
    if not isinstance(schema, dict):
        return True
    if schema.get("additionalProperties") or "prefixItems" in schema:
        return False
    if reference := schema.get("$ref"):
        name = str(reference).rpartition("/")[2]
        return name not in within and _expressible(defs.get(name), defs, (*within, name))
    return all(_expressible(v, defs, within) for k, v in schema.items() if k != "$defs")


def _optional(schema: Any) -> int:
    """How many optional parameters there are, at any depth."""
    if isinstance(schema, list):
        return sum(map(_optional, schema))
    if not isinstance(schema, dict):
        return 0
    properties = schema.get("properties")
    own = 0
    if isinstance(properties, dict):
        own = len(properties.keys() - set(schema.get("required", ())))
    return own + sum(_optional(value) for value in schema.values())


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
