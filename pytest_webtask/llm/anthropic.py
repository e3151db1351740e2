"""Claude through the Messages API; the `anthropic` SDK is imported on first use.

Each decision is an independent request, built from the turn alone: first the role's prompt and the
tools, marked for the prompt cache, then the task and its history, then the page as the result of a
fabricated tool call, since text by strangers belongs in tool results only.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pytest_webtask.errors import ModelError
from pytest_webtask.llm import prices
from pytest_webtask.llm.prompts import Prompt, input_schema, render
from pytest_webtask.llm.retry import WAIT_AT_MOST, WITHOUT_KEY, check_access, proposed, send
from pytest_webtask.types.agent import Decision, ToolSpec, Turn, Usage

DEFAULT = "claude-sonnet-5-5"
ANSWER_TOKENS = 16_000
"""The token limit of an answer, thinking included; a higher one would need streaming."""
STRICT_TOOLS, STRICT_OPTIONAL, STRICT_UNIONS = 20, 24, 16
"""The API's limits for `strict` tools in a request: tools, optional parameters, unions."""
_CACHED = {"cache_control": {"type": "ephemeral"}}


@dataclass
class Claude:
    """A Claude model.

    `effort` is `low`, `medium`, `high` or another value that the model accepts; None is the model's
    default. `provider` is `anthropic`, `bedrock` or `vertex`; the SDK's clients read keys, regions
    and addresses from the environment. `price` is the price of `model`.
    """

    model: str = DEFAULT
    effort: str | None = None
    provider: str = "anthropic"
    price: prices.Price | None = None
    wait_at_most: float = WAIT_AT_MOST

    def decide(self, turn: Turn) -> Decision:
        """Ask for the next calls. Raises ModelError if there is no usable answer."""
        import anthropic

        body = self.request(turn)
        with self._usable():
            answer = send(
                anthropic,
                self.model,
                lambda seconds: self._client.messages.create(**body, timeout=seconds),
                _ADVICE,
                turn,
                self.wait_at_most,
            )
        return self._decision(answer)

    def check_access(self) -> None:
        """Raise ModelError if the model cannot work: there is no valid key, or no such model."""
        import anthropic

        with self._usable():
            client = self._client
            if self.provider == "anthropic":
                check_access(
                    anthropic,
                    self.model,
                    lambda seconds: client.models.retrieve(self.model, timeout=seconds),
                    _ADVICE,
                )

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

        clients = {
            "anthropic": "Anthropic",
            "bedrock": "AnthropicBedrock",
            "vertex": "AnthropicVertex",
        }
        # The SDK's own retries wait for as long as a service asks, without a limit.
        return getattr(anthropic, clients[self.provider])(max_retries=0)

    @contextmanager
    def _usable(self) -> Iterator[None]:
        """Raise ModelError for a failure of the SDK itself."""
        import anthropic

        try:
            yield
        except (ImportError, TypeError, ValueError, anthropic.AnthropicError) as error:
            raise ModelError(self._unusable(error)) from None

    def _unusable(self, error: Exception) -> str:
        if "authentication" in str(error):
            return f"{self.model}: there is no API key. Set ANTHROPIC_API_KEY, {WITHOUT_KEY}"
        advice = "Install it again: pip install --upgrade anthropic"
        if self.provider != "anthropic":
            advice = f"Install pytest-webtask[{self.provider}] and check the account's credentials"
        return (
            f"{self.model}: the anthropic package failed: {type(error).__name__}: {error}. {advice}"
        )

    def _decision(self, answer: Any) -> Decision:
        counts = getattr(answer, "usage", None)
        if counts is None:
            raise ModelError(
                f"{self.model}: the service does not answer as Anthropic's does. Correct ANTHROPIC_BASE_URL"
            )
        usage = Usage(
            input_tokens=counts.input_tokens or 0,
            output_tokens=counts.output_tokens or 0,
            cache_read_tokens=counts.cache_read_input_tokens or 0,
            cache_write_tokens=counts.cache_creation_input_tokens or 0,
            model_calls=1,
        )
        usage = usage.model_copy(update={"cost": prices.price_of(usage, self.price)})
        blocks = answer.content or []
        words = "\n".join(b.text for b in blocks if b.type == "text" and b.text).strip()
        problem = _PROBLEMS.get(answer.stop_reason, "")
        # A truncated answer may end in a truncated call, and a refusal takes back the calls before it.
        calls = (
            () if problem else [proposed(b.name, b.input) for b in blocks if b.type == "tool_use"]
        )
        return Decision(
            calls=tuple(calls), reasoning=words, problem=problem, model=self.model, usage=usage
        )


_ADVICE = {
    0: "check the network and ANTHROPIC_BASE_URL",
    400: "The model rejects the request: try another model, --webtask-model=NAME",
    401: "The API key is not valid: set ANTHROPIC_API_KEY to a valid one",
    402: "Check the account's billing",
    403: "The API key lacks permission: check what its workspace allows",
    404: f"Check the model's id; --webtask-model=claude means {DEFAULT}",
    413: "The page is too large: try --webtask-screenshots=off",
}
_PROBLEMS = {
    "max_tokens": "the answer was too long and was cut off before a complete tool call",
    "model_context_window_exceeded": "the answer was cut off because the model's context was full",
    "refusal": "the model refused to answer",
}


def tool_params(specs: Sequence[ToolSpec]) -> list[dict[str, Any]]:
    """Return the tools in the API's format, the last one marked for the prompt cache."""
    # As many as the API allows are `strict`. Calls are validated in any case.
    params: list[dict[str, Any]] = [
        {"name": s.name, "description": s.description, "input_schema": input_schema(s)}
        for s in specs
    ]
    strict, optional, unions = 0, 0, 0
    for tool in sorted(params, key=lambda tool: _optional(tool["input_schema"])):
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
    if params:
        params[-1].update(_CACHED)
    return params


def _strict(schema: dict[str, Any]) -> dict[str, Any] | None:
    """Return the schema in the subset that `strict` allows; None if that would change its meaning."""
    import anthropic

    if not _expressible(schema, schema.get("$defs", {}), ()):
        return None
    try:
        return anthropic.transform_schema(schema)
    except (ValueError, TypeError):
        return None


def _expressible(schema: Any, defs: Mapping[str, Any], within: tuple[str, ...]) -> bool:
    """Whether a schema has no open objects, no tuples and no recursion."""
    if isinstance(schema, list):
        return all(_expressible(each, defs, within) for each in schema)
    if not isinstance(schema, dict):
        return True
    if schema.get("additionalProperties") or "prefixItems" in schema:
        return False
    # In strict mode an object without properties would take nothing, not anything.
    if schema.get("type") == "object" and "properties" not in schema:
        return False
    if reference := schema.get("$ref"):
        name = str(reference).rpartition("/")[2]
        return name not in within and _expressible(defs.get(name), defs, (*within, name))
    return all(_expressible(v, defs, within) for k, v in schema.items() if k != "$defs")


def _optional(schema: Any) -> int:
    """Count the optional parameters at any depth."""
    if isinstance(schema, list):
        return sum(map(_optional, schema))
    if not isinstance(schema, dict):
        return 0
    properties = schema.get("properties")
    own = 0
    if isinstance(properties, dict):
        own = len(properties.keys() - set(schema.get("required", ())))
    return own + sum(map(_optional, schema.values()))


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
