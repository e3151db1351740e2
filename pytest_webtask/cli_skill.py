"""The command `pytest-webtask skill`: how coding agents write tests, printed or installed for them."""

from __future__ import annotations

import argparse
from pathlib import Path

from pytest_webtask.errors import UsageError

SKILL = Path(".claude", "skills", "pytest-webtask", "SKILL.md")
AGENTS = Path("AGENTS.md")
BEGIN = "<!-- begin pytest-webtask: `pytest-webtask skill --install` replaces this part -->"
END = "<!-- end pytest-webtask -->"
_SECTION = f"""## Web tests in English (pytest-webtask)

- Before you write, record or mend a test that uses the `webtask` fixture, read `{SKILL.as_posix()}`.
- Before you answer the turns of a run, read what `pytest-webtask instructions` prints.
- Commit `recordings/` with the tests, and never edit it by hand.
- A red test is a finding: never weaken an expectation to get it green.
"""


def run_skill(args: argparse.Namespace) -> None:
    """Print the skill, or install it below the current folder.

    Raises UsageError, and writes nothing, if a file is the user's own or can't be read or written.
    """
    text = Path(__file__).with_name("handoff").joinpath("skill.md").read_text("utf-8")
    if not args.install:
        print(text, end="")
        return
    _, front, body = text.split("---\n", 2)
    try:
        written = {
            SKILL: _merged(SKILL, body, f"---\n{front}---\n"),
            AGENTS: _merged(AGENTS, _SECTION),
        }
        for path, content in written.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.encode())
            print(f"wrote {path.as_posix()}")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"the skill was not installed: {error}") from None


def _merged(path: Path, part: str, head: str = "") -> str:
    """Return what a file holds with our part: in its old place, after the head of a new file, or at the end.

    A file that begins with a head of ours is ours: without our part in it, it isn't touched.
    """
    part = f"{BEGIN}\n{part}{END}"
    if not path.exists():
        return f"{head}{part}\n"
    old = path.read_bytes().decode("utf-8")
    end_of_line = "\r\n" if "\r\n" in old else "\n"
    part = part.replace("\n", end_of_line)
    before, begin, rest = old.partition(BEGIN)
    _, end, after = rest.partition(END)
    if begin and end:
        return f"{before}{part}{after}"
    if begin or head:
        raise UsageError(
            f"{path.as_posix()} is your own, since it lacks the lines between which pytest-webtask writes, and"
            " is left as it is. Rename it, or add what `pytest-webtask skill` prints to it"
        )
    return end_of_line.join([old.rstrip("\r\n"), "", part, ""])
