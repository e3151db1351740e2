"""An MCP server over stdio through which an agent answers the turns of a run.

The `mcp` package is an extra; it is imported when the server starts.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from pytest_webtask import __version__
from pytest_webtask.errors import UsageError
from pytest_webtask.models.handed import NO_RUN, NO_TURN, Desk, Handed, HandoffError, told

__all__ = ["Call", "Table", "serve"]

TIMEOUT = 45.0
"""Seconds that a call waits for a turn: many clients give up after a minute."""


class Call(BaseModel):
    """A call of one of the turn's own tools."""

    model_config = ConfigDict(extra="forbid")

    tool: str = Field(description="The name of the tool.")
    input: dict[str, Any] = Field(description="Its input, by the schema that the turn gives.")


@dataclass
class Table:
    """What the server offers; it keeps what its one client was shown."""

    desk: Desk
    shown: set[str] = field(default_factory=set)

    def next_turn(
        self,
        whole: Annotated[
            bool, Field(description="Give system prompt and tools even if given before.")
        ] = False,
    ) -> list[Any]:
        """Wait for the next turn of a run of pytest --webtask-model=handoff, and give it."""
        try:
            return self._content(self.desk.next(TIMEOUT), whole)
        except HandoffError as error:
            return [_none_came(error)]

    def answer(
        self,
        turn: Annotated[str, Field(description="The turn's id, such as 3fa9c1-2.")],
        calls: Annotated[list[Call], Field(description="The tool calls, in order.")],
    ) -> list[Any]:
        """Answer a turn with calls of its tools; then wait for the next turn, and give that."""
        from mcp.server.mcpserver.exceptions import ToolError

        try:
            self.desk.find(turn).answer(f"[{', '.join(c.model_dump_json() for c in calls)}]")
        except HandoffError as error:
            raise ToolError(str(error)) from None
        try:
            return ["accepted", *self._content(self.desk.next(TIMEOUT, begun=True))]
        except HandoffError as error:
            return [f"accepted; {_none_came(error)}"]

    def _content(self, turn: Handed, whole: bool = False) -> list[Any]:
        from mcp.server.mcpserver import Image

        content: list[Any] = [told(turn, self.shown, whole)]
        if turn.screenshot:
            content.append(Image(turn.screenshot))
        return [*content, f"Answer it with the tool `answer`, turn={turn.id!r}."]


def serve(folder: Path | None = None) -> None:
    """Serve over stdio until the client ends. Raises UsageError where `mcp` is missing."""
    try:
        from mcp.server import MCPServer
    except ImportError as error:
        raise UsageError(
            f'the MCP server needs the mcp package, 2 or newer ({error}): pip install "pytest-webtask[mcp]"'
        ) from None
    table = Table(Desk(folder))
    server = MCPServer(
        "pytest-webtask",
        version=__version__,
        instructions=Path(__file__).with_name("handoff-agent.md").read_text(encoding="utf-8"),
        log_level="WARNING",
    )
    server.add_tool(table.next_turn, structured_output=False)
    server.add_tool(table.answer, structured_output=False)
    server.run()


def _none_came(error: HandoffError) -> str:
    again = {NO_TURN: "; call next_turn", NO_RUN: ""}
    return f"{error}{again.get(error.code, '')}"
