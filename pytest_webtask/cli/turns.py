"""The commands `turn` and `answer`, for the open turns of runs and live sessions."""

from __future__ import annotations

import argparse
import json
import sys
from contextlib import suppress
from zlib import crc32

from pytest_webtask.handoff.mailbox import (
    ALL_ROLES,
    NO_TURN,
    HandedTurn,
    HandoffDesk,
    RoleFilter,
    format_turn,
)
from pytest_webtask.live.client import desk_of_turn, wait
from pytest_webtask.live.desk import Answer, SessionDesk

EXAMPLE = '[{"tool": "...", "input": {"reason": "...", ...}}, ...]'
"""The form of an answer."""
TIMEOUT = 100.0
"""Seconds to wait for a turn or an answer; many coding agents stop a command after two minutes."""


def print_next(args: argparse.Namespace) -> None:
    """Print the next turn of a run."""
    roles = roles_of(args)
    print_turn(HandoffDesk(args.folder).next(args.timeout, roles=roles), roles, args)


def answer(args: argparse.Namespace) -> int:
    """Answer a turn from standard input, print the next one if asked to, and return the exit code."""
    desk = HandoffDesk(args.folder)
    turn = desk.find(args.turn)
    session = desk_of_turn(turn)
    if sys.stdin.isatty():
        print(
            f"type the calls, then the end-of-file key (Ctrl-D; Ctrl-Z and Enter on Windows): {EXAMPLE}",
            file=sys.stderr,
        )
    # PowerShell starts piped text with a byte order mark.
    turn.answer(sys.stdin.buffer.read().decode("utf-8-sig", errors="replace"))
    print(turn.acceptance(), flush=True)
    if not args.next:
        return 0
    print()
    if session is not None:
        return print_outcome(session, wait(session, args.timeout))
    roles = roles_of(args)
    print_turn(desk.next(args.timeout, begun=True, roles=roles), roles, args)
    return 0


def roles_of(args: argparse.Namespace) -> RoleFilter:
    """Return the roles that the options of a command admit."""
    return RoleFilter.parse(",".join(args.role), ",".join(args.except_role))


def print_outcome(session: SessionDesk, outcome: Answer | HandedTurn | None) -> int:
    """Print an answer of a session, or the turn that it waits for; return the exit code."""
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
    turn: HandedTurn, admitted: RoleFilter = ALL_ROLES, args: argparse.Namespace | None = None
) -> None:
    """Print a turn, without prompts and tools that were printed before to the same reader in the same run."""
    # Each combination of roles counts as a reader of its own.
    roles = admitted.options
    reader = f"-{crc32(roles.encode()):08x}" if roles else ""
    record = turn.folder.parent / f"shown{reader}.json"
    shown: set[str] = set()
    with suppress(OSError, ValueError, TypeError):
        shown.update(map(str, json.loads(record.read_text(encoding="utf-8"))))
    print(format_turn(turn, shown, args is not None and args.whole))
    if turn.screenshot:
        print(f"\n----- screenshot -----\n\n{turn.screenshot.resolve()}")
    if turn.pictures:
        print("\n----- pictures -----\n")
        print(*(picture.resolve() for picture in turn.pictures), sep="\n")
    where = f" --folder {args.folder}" if args and args.folder else ""
    # The reader of a blind turn must not see any other turn.
    following = "" if turn.is_blind else f" --next{roles}"
    print("\n----- to answer, run -----")
    print(f"\npytest-webtask answer {turn.id}{where}{following} <<'END'")
    print(f"{_example(turn)}\nEND", flush=True)
    with suppress(OSError):
        record.write_text(json.dumps(sorted(shown)), encoding="utf-8")


def _example(turn: HandedTurn) -> str:
    """Return a template of an answer, with the required fields of the tool if there is just one."""
    tools = json.loads(turn.read("tools.json"))
    if len(tools) != 1:
        return EXAMPLE
    fields = ", ".join(f'"{name}": ...' for name in tools[0]["input_schema"]["required"])
    return f'[{{"tool": "{tools[0]["name"]}", "input": {{{fields}}}}}]'
