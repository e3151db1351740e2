"""What all records have in common, and how an element is found again."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict

__all__ = ["Box", "Record", "Signature", "Target"]

Box = tuple[float, float, float, float]


class Record(BaseModel):
    """A value that is set once."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Signature(Record):
    """What an element is, apart from where its locator says that it is.

    `role` to `key` are its identity; `key` names the row or group that it stands in. `text` and
    `position` are context, which only ranks candidates.
    """

    role: str
    name: str = ""
    tag: str = ""
    type: str = ""
    key: str = ""
    text: str = ""
    position: Box | None = None

    @property
    def identity(self) -> tuple[str, str, str, str, str]:
        """What must agree before an element is taken for this one."""
        return (self.role, self.name, self.tag, self.type, self.key)


class Target(Record):
    """How an element is found again: Playwright code, and what must be found there."""

    locator: str
    signature: Signature | None = None
