"""The command `pytest-webtask skill`: how coding agents write tests, printed or installed for them."""

import argparse
from pathlib import Path

from pytest_webtask.errors import UsageError

SKILL = Path(".claude", "skills", "pytest-webtask", "SKILL.md")
AGENTS = Path("AGENTS.md")
BEGIN = "<!-- begin pytest-webtask: `pytest-webtask skill --install` replaces this part -->"
END = "<!-- end pytest-webtask -->"


def run_skill(args: argparse.Namespace) -> None:
    """Print the skill, or install it below the current folder. Raises UsageError if a file is the user's own."""
    folder = Path(__file__).parents[1] / "desk"
    text = "\n".join(folder.joinpath(name).read_text("utf-8") for name in ("skill.md", "agent.md"))
    if not args.install:
        print(text, end="")
        return
    _, front, body = text.split("---\n", 2)
    section = folder.joinpath("agents-section.md").read_text("utf-8")
    merged = {SKILL: _merged(SKILL, body, f"---\n{front}---\n"), AGENTS: _merged(AGENTS, section)}
    for path, content in merged.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, "utf-8")
        print(f"wrote {path.as_posix()}")


def _merged(path: Path, part: str, head: str = "") -> str:
    """Return a file with our part, or a new one with a head. Raises UsageError if that would be the user's own."""
    part = f"{BEGIN}\n{part}{END}"
    if not path.exists():
        return f"{head}{part}\n"
    old = path.read_text("utf-8")
    before, begin, rest = old.partition(BEGIN)
    _, end, after = rest.partition(END)
    if begin and end:
        return f"{before}{part}{after}"
    if begin or head:
        raise UsageError(
            f"{path.as_posix()} is your own, since it lacks the lines between which pytest-webtask writes, and"
            " is left as it is. Rename it, or add what `pytest-webtask skill` prints to it"
        )
    return f"{old.rstrip()}\n\n{part}\n"
