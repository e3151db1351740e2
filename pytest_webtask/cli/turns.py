"""The commands `turn` and `answer`, for the open turns of runs and live sessions."""

import argparse
import json
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path

from pytest_webtask.cli.parsing import shared
from pytest_webtask.desk.commands import Answer
from pytest_webtask.desk.desk import NO_TURN, Desk, Desks, HandedTurn
from pytest_webtask.desk.turn_text import format_turn
from pytest_webtask.run.options import parse_seconds

EXAMPLE = '[{"tool": "...", "input": {...}}, ...]'
_TIMEOUT = 100.0
"""Seconds to wait for a turn or an answer; many coding agents stop a command after two minutes."""


def timeout(what: str) -> argparse.ArgumentParser:
    """Return a parser with the time to wait for `what`."""
    return shared(
        "--timeout",
        type=parse_seconds,
        default=_TIMEOUT,
        metavar="SECONDS",
        help=f"how long to wait for {what} (default: %(default)g)",
    )


def waiting() -> tuple[argparse.ArgumentParser, argparse.ArgumentParser]:
    """Return the parsers with the folder of turns, and with how to wait for one."""
    what = "the folder of a run's turns (default: the nearest .webtask/handoff, here or in a parent folder)"
    folder = shared("--folder", type=Path, help=what)
    awaited = timeout("a turn")
    what = "print the system prompt and tools even if they were printed before"
    awaited.add_argument("--whole", action="store_true", help=what)
    awaited.add_argument(
        "--role",
        type=lambda text: text.split(","),
        default=[],
        metavar="ROLES",
        help="wait only for turns of these roles, separated by commas",
    )
    return folder, awaited


def serve(args: argparse.Namespace) -> None:
    """Serve turns over MCP."""
    import_module("pytest_webtask.live.mcp").serve(args.folder)


def print_next(args: argparse.Namespace, *, begun: bool = False) -> None:
    """Print the next turn of a run, which may start in a moment unless one has `begun`."""
    turn = Desks(args.folder).next(args.timeout, args.role, begun=begun)
    given = {"--role": ",".join(args.role), "--folder": args.folder}
    options = "".join(f" {name} {value}" for name, value in given.items() if value)
    print_turn(turn, options, args.role, args.whole)


def answer(args: argparse.Namespace) -> int:
    """Answer a turn from standard input, print the next one if asked to, and return the exit code."""
    turn = Desks(args.folder).find(args.turn)
    # PowerShell starts piped text with a byte order mark.
    turn.answer(sys.stdin.buffer.read().decode("utf-8-sig", errors="replace"))
    print("accepted", flush=True)
    if not args.next:
        return 0
    print()
    if turn.desk.is_session:
        return print_outcome(turn.desk, args.timeout)
    print_next(args, begun=True)
    return 0


def print_outcome(session: Desk, timeout: float) -> int:
    """Print an answer of a session, or the turn that it waits for; return the exit code."""
    outcome = session.outcome(timeout)
    if isinstance(outcome, Answer):
        print(outcome.text, flush=True)
        return int(not outcome.ok)
    following = f"pytest-webtask session wait --name {session.name}"
    if outcome is None:
        print(f"still busy with {session.pending}; go on waiting: {following}")
        return NO_TURN
    print_turn(outcome)
    if outcome.is_blind:
        print(f"\nand when it is answered, run\n\n{following}")
    return NO_TURN


def print_turn(
    turn: HandedTurn, options: str = "", roles: Sequence[str] = (), whole: bool = False
) -> None:
    """Print a turn, without prompts and tools that were printed before to the reader of these roles.

    `options` are for the command that answers it.
    """
    record = turn.desk.folder / f"{'-'.join(['shown', *roles])}.json"
    shown: set[str] = set()
    with suppress(OSError, ValueError, TypeError):
        shown.update(map(str, json.loads(record.read_text(encoding="utf-8"))))
    print(format_turn(turn, shown, whole))
    if turn.pictures:
        print("\n----- pictures -----\n")
        print(*(picture.resolve() for picture in turn.pictures), sep="\n")
    if not turn.is_blind:
        # The reader of a blind turn must not see any other turn.
        options = f" --next{options}"
    print(f"\n----- to answer, run -----\n\npytest-webtask answer {turn.id}{options} <<'END'")
    print(f"{EXAMPLE}\nEND", flush=True)
    with suppress(OSError):
        record.write_text(json.dumps(sorted(shown)), encoding="utf-8")
