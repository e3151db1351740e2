"""Prices of models in US dollars per million tokens; a user's own prices override these."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_webtask.errors import UsageError

if TYPE_CHECKING:
    from pytest_webtask.types.agent import Usage


@dataclass(frozen=True)
class Price:
    """The price of a million tokens of each kind; None if unknown."""

    input: float
    output: float
    cache_read: float | None = None
    cache_write: float | None = None


PRICES: Mapping[str, Price] = {
    "claude-sonnet-5-5": Price(2, 10, 0.20, 2.50),
    "claude-opus-5-5": Price(4, 20, 0.20, 5),
    # No prices for its cache are published, and Haiku has no fixed prices.
    "claude-fable-5-1": Price(10, 50),
}


def parse_price(entry: str) -> tuple[str, Price]:
    """Parse `MODEL INPUT OUTPUT [CACHE_READ CACHE_WRITE]`, as in the option. Raises UsageError."""
    model, *figures = entry.split() or [""]
    numbers: list[float] = []
    with suppress(ValueError):
        numbers = [*map(float, figures)]
    if len(numbers) not in (2, 4) or not all(0 <= number < float("inf") for number in numbers):
        raise UsageError(
            "expected 'MODEL INPUT OUTPUT [CACHE_READ CACHE_WRITE]' in dollars per million tokens,"
            f" such as 'claude-sonnet-5-5 2 10 0.20 2.50'; got {entry!r}"
        )
    return model, Price(*numbers)


def price_of(usage: Usage, price: Price | None) -> float | None:
    """Return the cost in US dollars; None if a price that it depends on is unknown."""
    if price is None:
        return None
    total = 0.0
    for tokens, each in (
        (usage.input_tokens, price.input),
        (usage.output_tokens, price.output),
        (usage.cache_read_tokens, price.cache_read),
        (usage.cache_write_tokens, price.cache_write),
    ):
        if tokens and each is None:
            return None
        total += tokens * (each or 0.0)
    return total / 1_000_000
