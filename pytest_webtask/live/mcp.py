"""An MCP server over stdio through which an agent answers the turns of a run, and has live sessions."""

# The extra `mcp` package is imported when the server starts.
from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import wraps
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from pytest_webtask import __version__
from pytest_webtask.errors import UsageError
from pytest_webtask.handoff.mailbox import (
    NO_TURN,
    OVER,
    HandedTurn,
    HandoffDesk,
    HandoffError,
    RoleFilter,
    format_turn,
)
from pytest_webtask.live.client import desk_of_turn, named_desk, start, wait
from pytest_webtask.live.desk import COMMANDS, Command, SessionDesk

TIMEOUT = 45.0
"""Seconds that a call waits for a turn; many clients give up after a minute."""


class AnsweredCall(BaseModel):
    """A call of one of the turn's tools."""

    model_config = ConfigDict(extra="forbid")

    tool: str = Field(description="The name of the tool.")
    input: dict[str, Any] = Field(description="Its input, by the schema in the turn.")


@dataclass
class TurnServer:
    """The server's tools; for each `role` argument it remembers the turns that its client has seen.

    Several agents with different roles may share the client: after an answer, the server waits for
    the roles with which that turn was requested.
    """

    desk: HandoffDesk
    shown: dict[str, set[str]] = field(default_factory=dict)
    requested: dict[str, str] = field(default_factory=dict)

    def next_turn(
        self,
        whole: Annotated[
            bool,
            Field(
                description="Include the system prompt and tools even if they were shown before."
            ),
        ] = False,
        role: Annotated[
            str,
            Field(description="Only turns of this role, or of several separated by commas."),
        ] = "",
    ) -> list[Any]:
        """Return the next turn of a run of pytest --webtask-model=handoff, once there is one."""
        try:
            return self._next(role, whole)
        except HandoffError as error:
            return [_no_turn(error)]

    def answer(
        self,
        turn: Annotated[str, Field(description="The turn's id, such as 3fa9c1-2.")],
        calls: Annotated[list[AnsweredCall], Field(description="The tool calls, in order.")],
    ) -> list[Any]:
        """Answer a turn with calls of its tools.

        Return how the step ended, if it did, and the next turn of the same roles, once there is one.
        After a turn that is answered blind, no other turn is returned.
        """
        from mcp.server.mcpserver.exceptions import ToolError

        try:
            handed = self.desk.find(turn)
            session = desk_of_turn(handed)
            is_blind = handed.is_blind
            handed.answer(f"[{', '.join(c.model_dump_json() for c in calls)}]")
        except HandoffError as error:
            raise ToolError(_no_turn(error)) from None
        accepted = handed.acceptance()
        role = self.requested.pop(turn, "")
        if is_blind:
            return [accepted]
        try:
            if session is not None:
                return [accepted, *self.outcome(session)]
            return [accepted, *self._next(role, begun=True)]
        except HandoffError as error:
            return [accepted, _no_turn(error)]

    def outcome(self, session: SessionDesk) -> list[Any]:
        """Return what came of the last command of a session, or the turn that it waits for."""
        from mcp.server.mcpserver import Image

        outcome = wait(session, TIMEOUT)
        if isinstance(outcome, HandedTurn):
            advice = "; call session_wait when it is answered" if outcome.is_blind else ""
            return [
                *self._content(outcome, ""),
                f"The session {session.name!r} waits for it{advice}.",
            ]
        if outcome is None:
            return [f"still busy with {session.pending}; call session_wait"]
        how = outcome.text if outcome.ok else f"NOT DONE: {outcome.text}"
        return [how, *map(Image, filter(None, [outcome.picture]))]

    def _next(self, role: str, whole: bool = False, *, begun: bool = False) -> list[Any]:
        turn = self.desk.next(TIMEOUT, begun=begun, roles=RoleFilter.parse(role))
        return self._content(turn, role, whole)

    def _content(self, turn: HandedTurn, role: str, whole: bool = False) -> list[Any]:
        from mcp.server.mcpserver import Image

        self.requested[turn.id] = role
        content: list[Any] = [format_turn(turn, self.shown.setdefault(role, set()), whole)]
        pictures = [*filter(None, [turn.screenshot]), *turn.pictures]
        content += map(Image, pictures)
        return [*content, f"Answer it with the tool `answer`, turn={turn.id!r}."]


def _refusing(tool: Callable[..., list[Any]]) -> Callable[..., list[Any]]:
    """Return a tool whose mistakes of use are its client's, not a crash."""
    from mcp.server.mcpserver.exceptions import ToolError

    @wraps(tool)
    def refusing(*args: Any, **keywords: Any) -> list[Any]:
        try:
            return tool(*args, **keywords)
        except (UsageError, HandoffError) as error:
            raise ToolError(str(error)) from None

    return refusing


def _session_tools(turns: TurnServer) -> Iterator[tuple[str, str, Callable[..., list[Any]]]]:
    """Yield the name, the description and the function of each tool for live sessions."""
    here = turns.desk.folder.absolute().parents[1]

    def session_start(
        url: Annotated[str, Field(description="An address, or a path below the base URL.")],
        name: Annotated[str, _NAME] = "",
        model: Annotated[
            str, Field(description="The model of free sentences; `handoff`: you answer turns.")
        ] = "",
        fixtures: Annotated[
            list[str] | None,
            Field(description="Fixtures that the page needs, such as one that logs in."),
        ] = None,
    ) -> list[Any]:
        options = [url, *(f"--fixture={each}" for each in fixtures or ())]
        options += [f"--webtask-model={model}"] if model else []
        return turns.outcome(start(name, options, here, TIMEOUT))

    def session_wait(name: Annotated[str, _NAME] = "") -> list[Any]:
        return turns.outcome(named_desk(name, here))

    def perform(command: Command, name: str) -> list[Any]:
        desk = named_desk(name, here)
        desk.submit(command)
        return turns.outcome(desk)

    def with_text(command: str) -> Callable[..., list[Any]]:
        def tool(
            text: Annotated[str, Field(description="What the command takes.")],
            data: Annotated[
                dict[str, str] | None, Field(description="Values that a sentence has as {name}.")
            ] = None,
            name: Annotated[str, _NAME] = "",
        ) -> list[Any]:
            return perform(Command(command, text, data or {}), name)

        return tool

    def without_text(command: str) -> Callable[..., list[Any]]:
        def tool(name: Annotated[str, _NAME] = "") -> list[Any]:
            return perform(Command(command), name)

        return tool

    yield "session_start", "Open a page that stays open for the other session tools.", session_start
    yield "session_wait", "Wait for what comes of the last command of a session.", session_wait
    for command, (what, meaning) in COMMANDS.items():
        tool = with_text(command) if what else without_text(command)
        takes = f" It takes {what}." if what else ""
        yield f"session_{command}", f"In a session, {meaning}.{takes}", tool


_NAME = Field(description="The name of the session, needed if several are open.")


def serve(folder: Path | None = None) -> None:
    """Serve over stdio until the client ends. Raises UsageError if `mcp` is not installed."""
    try:
        from mcp.server import MCPServer
    except ImportError as error:
        raise UsageError(
            f"the MCP server needs the mcp package, version 2 or later ({error}). Install it:"
            ' pip install "pytest-webtask[mcp]"'
        ) from None
    turns = TurnServer(HandoffDesk(folder))
    server = MCPServer(
        "pytest-webtask",
        version=__version__,
        instructions=(Path(__file__).parents[1] / "handoff" / "agent.md").read_text(
            encoding="utf-8"
        ),
        log_level="WARNING",
    )
    server.add_tool(turns.next_turn, structured_output=False)
    server.add_tool(turns.answer, structured_output=False)
    for name, description, tool in _session_tools(turns):
        server.add_tool(_refusing(tool), name, description=description, structured_output=False)
    server.run()


def _no_turn(error: HandoffError) -> str:
    advice = "; call next_turn" if error.code in (NO_TURN, OVER) else ""
    return f"{error}{advice}"
