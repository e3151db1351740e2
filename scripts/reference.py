"""Print the generated parts of the reference, its commands and options, or write them with `--write`.

They stand in the pages as plain Markdown, which can be read without building the site.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from pytest_webtask.cli import _parser
from pytest_webtask.run.options import OPTIONS

DOCS = Path(__file__).parent.parent / "docs" / "reference"
BEGIN = "<!-- begin: written by `python -m scripts.reference --write` -->\n"
END = "<!-- end -->\n"


SESSIONS = frozenset(("answer", "mcp", "session", "skill", "try", "turn"))
"""The commands of sessions and agents, which have a page of their own."""


def commands(*, of_sessions: bool = False) -> str:
    """Return a section for each command of `pytest-webtask`, those of sessions or the others."""
    return "\n".join(
        line
        for action in _parser()._actions
        if isinstance(action, argparse._SubParsersAction)
        for listed in action._choices_actions
        if (listed.dest in SESSIONS) is of_sessions
        for line in _command(action.choices[listed.dest], listed.help or "")
    )


def _command(parser: argparse.ArgumentParser, summary: str) -> Iterator[str]:
    """Yield the lines of a command; argparse's own layout differs between versions of Python."""
    nested = [each for each in parser._actions if isinstance(each, argparse._SubParsersAction)]
    arguments = _arguments(parser)
    yield from (f"## {parser.prog.split()[-1]}", "")
    yield from (parser.description or f"{summary[0].upper()}{summary[1:]}.", "")
    yield from ("```text", _usage(parser), "```", "")
    for commands in nested:
        yield from ("| command | meaning |", "| --- | --- |")
        for listed in commands._choices_actions:
            usage = _usage(commands.choices[listed.dest]).replace("|", "\\|")
            yield f"| `{usage}` | {listed.help} |"
        yield ""
    if arguments and not nested:
        yield from ("| argument | meaning |", "| --- | --- |")
        for each in arguments:
            meaning = (each.help or "") % {**vars(each), "prog": parser.prog}
            name = _name(each).replace("|", "\\|")
            yield f"| `{name}` | {meaning} |"
        yield ""
    if parser.epilog:
        yield from (f"{parser.epilog[0].upper()}{parser.epilog[1:]}.", "")


def _arguments(parser: argparse.ArgumentParser) -> list[argparse.Action]:
    own = (each for each in parser._actions if each.dest != "help")
    return sorted(own, key=lambda each: bool(each.option_strings))


def _usage(parser: argparse.ArgumentParser) -> str:
    usage = " ".join(_name(each, optional="[{}]") for each in _arguments(parser))
    return f"{parser.prog} {usage}".rstrip()


def _name(argument: argparse.Action, optional: str = "{}") -> str:
    value = argument.metavar or argument.dest.upper()
    if not argument.option_strings:
        shown = f"{value} ..." if argument.nargs == "*" else str(value)
        return optional.format(shown) if argument.nargs in ("?", "*") else shown
    takes_value = argument.nargs != 0
    return optional.format(argument.option_strings[-1] + f" {value}" * takes_value)


def options() -> str:
    """Return the table of options, as `options.py` declares them."""
    rows = [["command line", "ini", "marker", "default", "meaning"], ["---"] * 5]
    for option in OPTIONS:
        names = (
            "" if option.of_project else option.flag,
            "" if option.bare else option.ini,
            "" if option.of_run else option.name,
            option.default,
        )
        rows.append([*(f"`{name}`" if name else "–" for name in names), option.meaning])
    return "".join(f"| {' | '.join(row)} |\n" for row in rows) + "\n"


PARTS: dict[str, Callable[[], str]] = {
    "cli.md": commands,
    "cli-sessions.md": partial(commands, of_sessions=True),
    "options.md": options,
}


def current(name: str) -> str:
    """Return a page of the reference as it should be."""
    before, _, rest = (DOCS / name).read_text("utf-8").partition(BEGIN)
    return f"{before}{BEGIN}\n{PARTS[name]()}{END}{rest.partition(END)[2]}"


def main() -> None:
    """Print the parts, or write the pages."""
    for name, make in PARTS.items():
        if "--write" in sys.argv[1:]:
            (DOCS / name).write_text(current(name), encoding="utf-8")
        else:
            print(make(), end="")


if __name__ == "__main__":
    main()
