"""What all records have in common, and how an element is found again."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

__all__ = ["Box", "Record", "Signature", "Target", "Usage"]

Box = tuple[float, float, float, float]


class Record(BaseModel):
    """A value that is set once."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


class Signature(Record):
    """What an element is, apart from where its locator says that it is.

    `role` to `key` are its identity; `key` names the row or group that it stands in, and a `name`
    or `key` of None may be any. Of evidence, `label`, `column` and `heading` are what the fact said
    of it, and must agree as well; None may be any. `around` are texts that the sentence names, of its
    containers and beside it, and must still be there; `{#}` stands for a number. `near` are texts beside and above it, `attributes`
    those that tell it from others: context, which only ranks candidates.
    """

    role: str = ""
    name: str | None = ""
    tag: str = ""
    type: str = ""
    key: str | None = ""
    label: str | None = None
    column: str | None = None
    heading: str | None = None
    around: tuple[str, ...] = ()
    near: tuple[str, ...] = ()
    attributes: dict[str, str] = Field(default_factory=dict)

    @property
    def identity(self) -> tuple[str, str | None, str, str, str | None]:
        """What must agree before an element is taken for this one."""
        return (self.role, self.name, self.tag, self.type, self.key)


class Target(Record):
    """How an element is found again: locators as Playwright code, best first, and its signature."""

    locators: tuple[str, ...] = ()
    signature: Signature | None = None

    @classmethod
    def of(cls, locator: str, signature: Signature | None = None) -> Target:
        """Return a target with one locator, or none where the code is ""."""
        return cls(locators=(locator,) if locator else (), signature=signature)

    @property
    def locator(self) -> str:
        """The best locator, "" where there is none."""
        return self.locators[0] if self.locators else ""


class Usage(Record):
    """What a decision cost. `cost` is in US dollars, None where the price is not known."""

    input_tokens: int = 0
    output_tokens: int = 0
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0
    model_calls: int = 0
    cost: float | None = 0.0

    @property
    def tokens(self) -> int:
        """All that went in, from the cache or not, and all that came out."""
        return (
            self.input_tokens
            + self.output_tokens
            + self.cache_read_tokens
            + self.cache_write_tokens
        )

    def __add__(self, other: Usage) -> Usage:
        known = self.cost is not None and other.cost is not None
        return Usage(
            input_tokens=self.input_tokens + other.input_tokens,
            output_tokens=self.output_tokens + other.output_tokens,
            cache_read_tokens=self.cache_read_tokens + other.cache_read_tokens,
            cache_write_tokens=self.cache_write_tokens + other.cache_write_tokens,
            model_calls=self.model_calls + other.model_calls,
            cost=(self.cost or 0.0) + (other.cost or 0.0) if known else None,
        )
