"""An MCP server over stdio through which an agent answers the turns of a run, and has live sessions."""

# The extra `mcp` package is imported when the server starts.
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import wraps
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from pytest_webtask import __version__
from pytest_webtask.data.import_path import is_import_path
from pytest_webtask.desk import desk as protocol
from pytest_webtask.desk.commands import COMMANDS, checked_command
from pytest_webtask.desk.desk import DEFAULT, Desk, Desks, HandedTurn, HandoffError
from pytest_webtask.desk.turn_text import format_turn
from pytest_webtask.errors import UsageError

TIMEOUT = 45.0
"""Seconds that a call waits for a turn; many clients give up after a minute."""


class AnsweredCall(BaseModel):
    """A call of one of the turn's tools."""

    model_config = ConfigDict(extra="forbid")

    tool: str = Field(description="The name of the tool.")
    input: dict[str, Any] = Field(description="Its input, by the schema in the turn.")


@dataclass
class TurnServer:
    """The server's tools for turns, of which it remembers the prompts that its client has seen."""

    desks: Desks
    shown: set[str] = field(default_factory=set)

    def next_turn(
        self,
        whole: Annotated[
            bool,
            Field(
                description="Include the system prompt and tools even if they were shown before."
            ),
        ] = False,
    ) -> list[Any]:
        """Return the next turn of a run of pytest --webtask-model=handoff, once there is one."""
        return self._next(whole)

    def answer(
        self,
        turn: Annotated[str, Field(description="The turn's id, such as 3fa9c1-2.")],
        calls: Annotated[list[AnsweredCall], Field(description="The tool calls, in order.")],
    ) -> list[Any]:
        """Answer a turn with calls of its tools, and return the next one, once there is one.

        After a turn that is answered blind, no other turn is returned.
        """
        handed = self.desks.find(turn)
        is_blind = handed.is_blind
        handed.answer(f"[{', '.join(call.model_dump_json() for call in calls)}]")
        if is_blind:
            return ["accepted"]
        if handed.desk.is_session:
            return ["accepted", *self.outcome(handed.desk)]
        return ["accepted", *self._next(begun=True)]

    def outcome(self, session: Desk) -> list[Any]:
        """Return what came of the last command of a session, or the turn that it waits for."""
        from mcp.server.mcpserver import Image

        outcome = session.outcome(TIMEOUT)
        if isinstance(outcome, HandedTurn):
            then = f"The session {session.name!r} waits for it"
            if outcome.is_blind:
                then += "; call session_wait when it is answered"
            return [*self._content(outcome), f"{then}."]
        if outcome is None:
            return [f"still busy with {session.pending}; call session_wait"]
        how = outcome.text if outcome.ok else f"NOT DONE: {outcome.text}"
        return [how, *map(Image, filter(None, [outcome.picture]))]

    def _next(self, whole: bool = False, *, begun: bool = False) -> list[Any]:
        try:
            return self._content(self.desks.next(TIMEOUT, begun=begun), whole)
        except HandoffError as error:
            return [str(error)]

    def _content(self, turn: HandedTurn, whole: bool = False) -> list[Any]:
        from mcp.server.mcpserver import Image

        text = format_turn(turn, self.shown, whole)
        how = f"Answer it with the tool `answer`, turn={turn.id!r}."
        return [text, *map(Image, turn.pictures), how]


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

    def session_start(
        url: Annotated[str, Field(description="An address, or a path below the base URL.")],
        name: Annotated[str, _NAME] = DEFAULT,
        model: Annotated[
            str, Field(description="The model of free sentences; `handoff`: you answer turns.")
        ] = "",
        fixtures: Annotated[
            tuple[str, ...],
            Field(description="Fixtures that the page needs, such as one that logs in."),
        ] = (),
    ) -> list[Any]:
        if is_import_path(model) or not re.match("https?://|/", url):
            raise UsageError(
                "a client opens an http address or a path such as /cart, and names no code as its model: for"
                " those, start the session in a shell: pytest-webtask session start URL"
            )
        desk = turns.desks.named(name)
        folder = turns.desks.folder.absolute().parents[1]
        desk.start(url, model, fixtures, folder=folder, timeout=TIMEOUT)
        return turns.outcome(desk)

    def session_wait(name: Annotated[str, _NAME] = "") -> list[Any]:
        return turns.outcome(turns.desks.session(name))

    def performing(command: str) -> Callable[..., list[Any]]:
        def tool(
            text: Annotated[str, Field(description="What the command takes, if it does.")] = "",
            data: Annotated[
                dict[str, str], Field(description="Values that a sentence has as {name}.")
            ] = _NO_DATA,
            name: Annotated[str, _NAME] = "",
        ) -> list[Any]:
            desk = turns.desks.session(name)
            desk.submit(replace(checked_command(command, text, ()), data=data))
            return turns.outcome(desk)

        return tool

    yield "session_start", "Open a page that stays open for the other session tools.", session_start
    yield "session_wait", "Wait for what comes of the last command of a session.", session_wait
    for command, (what, meaning) in COMMANDS.items():
        takes = f"It takes {what or 'no text'}."
        yield f"session_{command}", f"In a session, {meaning}. {takes}", performing(command)


_NAME = Field(description="The name of the session, needed if several are open.")
_NO_DATA: dict[str, str] = {}


def serve(folder: Path | None = None) -> None:
    """Serve over stdio until the client ends. Raises UsageError if `mcp` is not installed."""
    try:
        from mcp.server import MCPServer
    except ImportError as error:
        raise UsageError(
            f"the MCP server needs the mcp package, version 2 or later ({error}). Install it:"
            ' pip install "pytest-webtask[mcp]"'
        ) from None
    turns = TurnServer(Desks(folder))
    server = MCPServer(
        "pytest-webtask",
        version=__version__,
        instructions=Path(protocol.__file__).with_name("agent.md").read_text("utf-8"),
        log_level="WARNING",
    )
    own = [(tool.__name__, tool.__doc__ or "", tool) for tool in (turns.next_turn, turns.answer)]
    for name, description, tool in (*own, *_session_tools(turns)):
        server.add_tool(_refusing(tool), name, description=description, structured_output=False)
    server.run()
