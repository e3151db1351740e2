"""The command `pytest-webtask`.

It must start quickly: each command imports what it needs, and nothing heavy if it can.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from zlib import crc32

from pytest_webtask import cli_recordings as recordings
from pytest_webtask.errors import RecordingError, UsageError
from pytest_webtask.handoff.mailbox import (
    NO_TURN,
    OVER,
    REFUSED,
    HandedTurn,
    HandoffDesk,
    HandoffError,
    RoleFilter,
    format_turn,
)

__all__ = ["main"]

TIMEOUT = 100.0
"""Seconds: coding agents often end a command after two minutes."""
_AGAIN = {
    OVER: "\ntype: pytest-webtask turn",
    NO_TURN: "\ntype: pytest-webtask turn",
    REFUSED: "\nmend it and answer the same turn again",
}
_EXAMPLE = '[{"tool": "...", "input": {"reason": "...", ...}}, ...]'


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code; see `pytest-webtask --help`."""
    for stream in (sys.stdout, sys.stderr):
        # Pages hold what a console of another encoding cannot print, and half surrogate pairs.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    args = _parser().parse_args(argv)
    try:
        code: int = args.run_command(args)
    except HandoffError as error:
        options = _roles(args).options if error.code in (NO_TURN, OVER) else ""
        print(f"{error}{_AGAIN.get(error.code, '')}{options}", file=sys.stderr)
        return error.code
    except (UsageError, RecordingError) as error:
        print(error, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # Whoever reads has read enough; what is left must not be told at the exit either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    return code


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="pytest-webtask", description="Beside pytest-webtask.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    folder = argparse.ArgumentParser(add_help=False)
    folder.add_argument(
        "--folder",
        type=Path,
        help="where the run hands over its turns; else .webtask/handoff, from here upwards",
    )
    waiting = argparse.ArgumentParser(add_help=False)
    waiting.add_argument(
        "--timeout",
        type=float,
        default=TIMEOUT,
        metavar="SECONDS",
        help="how long to wait for a turn; %(default)g if not given",
    )
    waiting.add_argument(
        "--whole", action="store_true", help="print system prompt and tools even if printed before"
    )
    for option, which in (("--role", "only turns"), ("--except-role", "no turns")):
        waiting.add_argument(
            option,
            action="append",
            default=[],
            metavar="ROLE",
            help=f"{which} of this role; several by commas, or by giving the option several times",
        )

    turn = commands.add_parser(
        "turn",
        parents=[folder, waiting],
        help="wait for the next turn of a run with --webtask-model=handoff, and print it",
        epilog="exit codes: 0 printed, 3 none came in time, 4 no run is alive",
    )
    turn.set_defaults(run_command=_turn)
    answer = commands.add_parser(
        "answer",
        parents=[folder, waiting],
        help="answer a turn with the tool calls on standard input",
        description=f"Standard input is {_EXAMPLE.replace('%', '%%')}",
        epilog="exit codes: 0 accepted, 1 refused, 2 the turn is over; with --next those of turn",
    )
    answer.add_argument("turn", metavar="ID", help="the turn's id, as it was printed")
    answer.add_argument(
        "--next", action="store_true", help="then wait for the next turn, and print it"
    )
    answer.set_defaults(run_command=_answer)
    mcp = commands.add_parser(
        "mcp", parents=[folder], help="serve turns to an agent over stdio, as an MCP server"
    )
    mcp.set_defaults(run_command=_mcp)
    instructions = commands.add_parser(
        "instructions", help="print what to tell a coding agent that answers turns"
    )
    instructions.set_defaults(run_command=_instructions)
    report = commands.add_parser(
        "report",
        help="write the report of one or several runs, such as the shards of a CI matrix",
        description="Writes the HTML report out of journals: of shards, of a run that was killed.",
    )
    report.add_argument(
        "runs", metavar="DIR", nargs="+", type=Path, help="the folder of a run, as in .webtask/runs"
    )
    report.add_argument(
        "--output",
        type=Path,
        default=Path(".webtask", "report"),
        metavar="FOLDER",
        help="where to write it; %(default)s if not given",
    )
    report.add_argument("--inline", action="store_true", help="one file with all pictures in it")
    report.set_defaults(run_command=_report)
    recordings.add_commands(commands)
    return parser


def _report(args: argparse.Namespace) -> int:
    from pytest_webtask.report import write_report

    runs = list(dict.fromkeys(run.resolve() for run in args.runs))
    for run in runs:
        if not any(run.glob("*.jsonl")):
            raise UsageError(
                f"{run} is not the folder of a run: it has no journal (*.jsonl). Type the folders"
                " that stand in .webtask/runs"
            )
    report = write_report(runs, args.output, inline=args.inline)
    for test in report.tests:
        if any(attempt.outcome == "never ended" for attempt in test.attempts):
            print(f"never ended: {test.id}")
    print(args.output / "index.html")
    return 0


def _turn(args: argparse.Namespace) -> int:
    _print(HandoffDesk(args.folder).next(args.timeout, roles=_roles(args)), args)
    return 0


def _answer(args: argparse.Namespace) -> int:
    desk = HandoffDesk(args.folder)
    turn = desk.find(args.turn)
    if sys.stdin.isatty():
        print(f"the calls, and then the end of the file: {_EXAMPLE}", file=sys.stderr)
    # PowerShell begins what it pipes with a byte order mark.
    turn.answer(sys.stdin.buffer.read().decode("utf-8-sig", errors="replace"))
    end = turn.wait_for_step_end()
    print(f"accepted; {end}" if end else "accepted", flush=True)
    if args.next:
        print()
        _print(desk.next(args.timeout, begun=True, roles=_roles(args)), args)
    return 0


def _mcp(args: argparse.Namespace) -> int:
    from pytest_webtask.handoff.mcp import serve

    serve(args.folder)
    return 0


def _instructions(args: argparse.Namespace) -> int:
    print(
        Path(__file__).with_name("handoff").joinpath("agent.md").read_text(encoding="utf-8"), end=""
    )
    return 0


def _roles(args: argparse.Namespace) -> RoleFilter:
    return RoleFilter.parse(",".join(args.role), ",".join(args.except_role))


def _print(turn: HandedTurn, args: argparse.Namespace) -> None:
    """Print a turn, with what is new in it since those of the same run that were printed.

    Each filter of roles counts as a reader of its own, who has seen nothing of the others' turns.
    """
    roles = _roles(args).options
    reader = f"-{crc32(roles.encode()):08x}" if roles else ""
    record = turn.folder.parent / f"shown{reader}.json"
    shown: set[str] = set()
    with suppress(OSError, ValueError, TypeError):
        shown.update(map(str, json.loads(record.read_text(encoding="utf-8"))))
    print(format_turn(turn, shown, args.whole))
    if turn.screenshot:
        print(f"\n----- screenshot -----\n\n{turn.screenshot.resolve()}")
    if turn.pictures:
        print("\n----- pictures -----\n")
        print(*(picture.resolve() for picture in turn.pictures), sep="\n")
    where = f" --folder {args.folder}" if args.folder else ""
    # The next turn is not for somebody who has answered this one blind.
    following = "" if turn.is_blind else f" --next{roles}"
    print("\n----- to answer, type -----")
    print(f"\npytest-webtask answer {turn.id}{where}{following} <<'END'")
    print(f"{_example(turn)}\nEND", flush=True)
    with suppress(OSError):
        record.write_text(json.dumps(sorted(shown)), encoding="utf-8")


def _example(turn: HandedTurn) -> str:
    """Return the form of an answer; where a turn has one tool, with the fields of that."""
    tools = json.loads(turn.read("tools.json"))
    if len(tools) != 1:
        return _EXAMPLE
    fields = ", ".join(f'"{name}": ...' for name in tools[0]["input_schema"]["properties"])
    return f'[{{"tool": "{tools[0]["name"]}", "input": {{{fields}}}}}]'


if __name__ == "__main__":
    sys.exit(main())
