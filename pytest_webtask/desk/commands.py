"""The commands of a live session, and what comes of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from pytest_webtask.errors import UsageError

COMMANDS = {
    "do": ("a task", "do a task, and keep the sentence for the test"),
    "verify": ("a claim", "verify a claim, and keep it"),
    "extract": ("what to read", "read a value; the test will assert that it is the same"),
    "goto": ("an address, or a path below the base URL", "open an address, and keep that"),
    "look": ("", "show the page: its outline and a picture"),
    "drop": ("", "take the last sentence out of the test; the application stays as it is"),
    "show": ("", "show the test as it would be written"),
    "save": ("a new test, such as tests/test_x.py::test_y", "write the test, and replay it"),
    "redo": ("", "do the failed step of a paused run once more, where a model may propose a heal"),
    "bug": ("what is wrong", "note for the failed step of a paused run that it is a bug, and let the run go on, until it pauses or ends"),
    "resume": ("", "let a paused run go on, until it pauses or ends"),
    "stop": ("", "end the session; a paused run then goes on without pausing at further failures"),
}  # fmt: skip
"""The commands of a session: the text that each of them takes, "" for none, and what it is for."""


@dataclass(frozen=True)
class Command:
    """A command, such as `do`, with its sentence or other text, and further values for its data."""

    name: str
    text: str = ""
    data: Mapping[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.name} {self.text!r}" if self.text else self.name


@dataclass(frozen=True)
class Answer:
    """What came of a command: a text, whether it went well, and the absolute path of a picture, "" for none."""

    text: str
    ok: bool = True
    picture: str = ""


def checked_command(name: str, text: str, data: Sequence[str]) -> Command:
    """Return a command with values `NAME=VALUE` for its data. Raises UsageError."""
    what, _ = COMMANDS[name]
    if bool(text) != bool(what):
        raise UsageError(f"session {name} takes {what or 'no text'}")
    for each in data:
        if "=" not in each:
            raise UsageError(f"data is given as NAME=VALUE; got {each!r}")
    return Command(name, text, dict(each.split("=", 1) for each in data))
