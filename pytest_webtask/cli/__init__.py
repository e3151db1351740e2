"""The command `pytest-webtask`."""

# It must start quickly: each command imports only what it needs.
from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from pytest_webtask import __version__
from pytest_webtask.cli.recordings import add_command, add_commands
from pytest_webtask.cli.session import add_session
from pytest_webtask.cli.turns import EXAMPLE, TIMEOUT, answer, print_next
from pytest_webtask.desk.desk import HandoffError
from pytest_webtask.errors import RecordingError, UsageError
from pytest_webtask.run.options import parse_seconds


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code; see `pytest-webtask --help`."""
    for stream in (sys.stdout, sys.stderr):
        # Pages hold lone surrogates, and characters that the console's encoding lacks.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    try:
        args = _parser().parse_args(argv)
        code: int = args.run_command(args) or 0
    except HandoffError as error:
        print(error, file=sys.stderr)
        return error.code
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # The reader has closed the pipe; flushing at exit must not fail either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except (UsageError, RecordingError, OSError) as error:
        print(error, file=sys.stderr)
        return 2
    return code


def _when_run(module: str, function: str) -> Callable[[argparse.Namespace], Any]:
    """Return a command whose module is imported when it runs."""
    return lambda args: getattr(import_module(f"pytest_webtask.{module}"), function)(args)


def _take_pytest_args(parser: argparse.ArgumentParser, what: str) -> None:
    parser.add_argument("pytest_args", nargs="*", metavar="ARGUMENT", help=what)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="pytest-webtask",
        description="Work with the recordings, reports and handed-over turns of pytest-webtask.",
    )
    parser.add_argument("--version", action="version", version=f"pytest-webtask {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    folder = argparse.ArgumentParser(add_help=False)
    folder.add_argument(
        "--folder",
        type=Path,
        help="the folder through which the run hands over its turns (default: the nearest"
        " .webtask/handoff, here or in a parent folder)",
    )
    waiting = argparse.ArgumentParser(add_help=False)
    waiting.add_argument(
        "--timeout",
        type=parse_seconds,
        default=TIMEOUT,
        metavar="SECONDS",
        help="how long to wait for a turn (default: %(default)g)",
    )
    waiting.add_argument(
        "--whole",
        action="store_true",
        help="print the system prompt and tools even if they were printed before",
    )
    waiting.add_argument(
        "--role",
        type=lambda text: text.split(","),
        default=[],
        metavar="ROLES",
        help="wait only for turns of these roles, separated by commas",
    )

    add_command(
        commands,
        "turn",
        print_next,
        parents=[folder, waiting],
        help="print the next turn of a run with --webtask-model=handoff",
        epilog="exit codes: 0 a turn was printed, 3 no turn came in time, 4 no run is alive",
    )
    answering = add_command(
        commands,
        "answer",
        answer,
        parents=[folder, waiting],
        help="answer a turn with tool calls from standard input",
        description="Answer a turn. Standard input holds the tool calls as JSON:"
        f" {EXAMPLE.replace('%', '%%')}",
        epilog="exit codes: 0 accepted, 1 refused, 2 the turn is over; with --next also those of"
        " `pytest-webtask turn`",
    )
    answering.add_argument("turn", metavar="ID", help="the id that was printed with the turn")
    answering.add_argument(
        "--next", action="store_true", help="then wait for the next turn and print it"
    )
    add_command(
        commands,
        "mcp",
        lambda args: import_module("pytest_webtask.live.mcp").serve(args.folder),
        parents=[folder],
        help="serve turns to a coding agent as an MCP server over stdio",
    )
    skill = add_command(
        commands,
        "skill",
        _when_run("cli.skill", "run_skill"),
        help="print how a coding agent writes, records and mends tests and answers turns, or install that for it",
        description="Print a skill for coding agents: from a requirement to a recorded test, from a"
        " failure to a decision, and how to answer the turns of a run.",
    )
    skill.add_argument(
        "--install",
        action="store_true",
        help="write it to .claude/skills/pytest-webtask/SKILL.md, and a section that names it to AGENTS.md;"
        " what an earlier --install has written is replaced, and all else is left alone",
    )
    report = add_command(
        commands,
        "report",
        _report,
        help="write one HTML report of one or more runs",
        description="Write one HTML report from the journals of one or more runs, such as the shards of"
        " a CI matrix or a run that was killed.",
    )
    report.add_argument(
        "runs",
        metavar="DIR",
        nargs="*",
        type=Path,
        help="the folder of a run, such as .webtask/runs/NAME (default: the newest run)",
    )
    report.add_argument(
        "--output",
        type=Path,
        metavar="FOLDER",
        help="where to write the report (default: .webtask/report)",
    )
    report.add_argument(
        "--inline", action="store_true", help="write one file that includes all screenshots"
    )
    doctor = add_command(
        commands,
        "doctor",
        _when_run("cli.doctor", "examine"),
        help="show what is there and what is missing: browser, base URL, model, recordings",
        description="Show what a project has and what it lacks. No test is run, but the browser, the"
        " base_url fixture and autouse fixtures are set up; a model's service is asked, for free,"
        " whether it knows the key and the model.",
        epilog="exit code 1: something is missing",
    )
    _take_pytest_args(doctor, "arguments for pytest, options after --: -- --webtask-model=claude")
    checking = add_command(
        commands,
        "check",
        _when_run("cli.check", "check"),
        help="list the sentences of the tests: literal, recorded, or for a model",
        description="List what decides each sentence of the tests: the literal interpreter, a recording, or"
        " neither. Tests are collected and their code is read; no browser is opened and no test is run."
        " Sentences that are built when a test runs are listed without a verdict; those of helper functions and"
        " feature files, and of other variables than `webtask`, are not listed.",
        epilog="exit code 1: a test could not be read; with --strict also: a sentence is neither literal nor recorded",
    )
    _take_pytest_args(
        checking,
        "arguments for pytest, such as paths; options after --: -- --webtask-mode=replay",
    )
    checking.add_argument(
        "--strict",
        action="store_true",
        help="exit with 1 if a sentence is neither literal nor recorded",
    )
    opened = argparse.ArgumentParser(add_help=False)
    opened.add_argument("url", metavar="URL", help="an address, or a path below the base URL")
    _take_pytest_args(
        opened, "further arguments for pytest, options after --: -- --browser=firefox"
    )
    opened.add_argument("--webtask-model", metavar="MODEL", help="the model, as for pytest")
    opened.add_argument("--headed", action="store_true", help="show the browser's window")
    opened.add_argument(
        "--fixture",
        action="append",
        default=[],
        metavar="NAME",
        help="a fixture that the page needs, such as one that logs in; the saved test requests it, too."
        " Repeatable",
    )
    add_command(
        commands,
        "try",
        _when_run("cli.explore", "explore"),
        parents=[opened],
        help="open a page and do sentences as they are typed; save them as a test",
        description="Open a page in the project's browser, with its fixtures, and type sentences as in a"
        " test: each is done at once. `save tests/test_x.py::test_y` writes the test and its recordings.",
        epilog='type "help" at the prompt',
    )
    add_session(commands, opened)
    add_commands(commands)
    return parser


def _report(args: argparse.Namespace) -> None:
    from pytest_webtask.journal.kept_runs import find_run, root_above
    from pytest_webtask.report import write_report

    output = args.output or Path(".webtask", "report")
    if not args.runs:
        args.runs = [newest := find_run(root_above(Path.cwd()), None)]
        output = args.output or newest.parents[1] / "report"
    runs = list(dict.fromkeys(run.resolve() for run in args.runs))
    for run in runs:
        if not any(run.glob("*.jsonl")):
            raise UsageError(
                f"{run} is not the folder of a run: it has no journal (*.jsonl). Name folders in"
                " .webtask/runs"
            )
    report = write_report(runs, output, inline=args.inline)
    for test in report.tests:
        if any(attempt.outcome == "never ended" for attempt in test.attempts):
            print(
                f"never ended, because its process was killed: {test.id}; to go on with the run, type:"
                " pytest --webtask-resume"
            )
    print(output / "index.html")
