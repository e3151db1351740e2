"""The command `pytest-webtask`."""

# It must start quickly: each command imports only what it needs.
from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

from pytest_webtask import __version__
from pytest_webtask.cli.parsing import add_command, add_pytest_arguments, shared
from pytest_webtask.cli.session import add_session
from pytest_webtask.cli.turns import EXAMPLE, waiting
from pytest_webtask.data.escapes import Printer
from pytest_webtask.desk.desk import HandoffError
from pytest_webtask.errors import RecordingError, UsageError


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code; see `pytest-webtask --help`."""
    for stream in (sys.stdout, sys.stderr):
        # Pages hold lone surrogates, and characters that the console's encoding lacks.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    # What a page or a file says is not obeyed.
    with redirect_stdout(Printer(sys.stdout)), redirect_stderr(Printer(sys.stderr)):
        return _run(argv)


def _run(argv: Sequence[str] | None) -> int:
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


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="pytest-webtask",
        description="Work with the recordings, reports and handed-over turns of pytest-webtask.",
    )
    parser.add_argument("--version", action="version", version=f"pytest-webtask {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    _add_turns(commands)
    skill = add_command(
        commands,
        "skill",
        "skill.run_skill",
        help="print how a coding agent writes, records and mends tests and answers turns",
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
        help="write one HTML report of one or more runs, such as the shards of a CI matrix or a run that was killed",
    )
    what = "the folder of a run, such as .webtask/runs/NAME (default: the newest run)"
    report.add_argument("runs", metavar="DIR", nargs="*", type=Path, help=what)
    what = "where to write the report (default: .webtask/report)"
    report.add_argument("--output", type=Path, metavar="FOLDER", help=what)
    what = "write one file that includes all screenshots"
    report.add_argument("--inline", action="store_true", help=what)
    doctor = add_command(
        commands,
        "doctor",
        "doctor.examine",
        help="show what is there and what is missing: browser, base URL, model, recordings",
        description="Show what a project has and what it lacks. No test is run, but the browser, the"
        " base_url fixture and autouse fixtures are set up; a model's service is asked, for free,"
        " whether it knows the key and the model.",
        epilog="exit code 1: something is missing",
    )
    add_pytest_arguments(doctor, "arguments for pytest, options after --")
    checking = add_command(
        commands,
        "check",
        "check.check",
        help="list the sentences of the tests: literal, recorded, or for a model",
        epilog="exit code 1: a test could not be read; with --strict also: a sentence is neither literal nor recorded",
    )
    add_pytest_arguments(checking, "arguments for pytest, such as paths; options after --")
    what = "exit with 1 if a sentence is neither literal nor recorded"
    checking.add_argument("--strict", action="store_true", help=what)
    opened = _opening()
    add_command(
        commands,
        "try",
        "explore.explore",
        parents=[opened],
        help="open a page and do sentences as they are typed; save them as a test",
        epilog='type "help" at the prompt',
    )
    add_session(commands, opened)
    _add_recordings(commands)
    return parser


def _add_turns(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    folder, awaited = waiting()
    add_command(
        commands,
        "turn",
        "turns.print_next",
        parents=[folder, awaited],
        help="print the next turn of a run with --webtask-model=handoff",
        epilog="exit codes: 0 a turn was printed, 3 no turn came in time, 4 no run is alive",
    )
    answering = add_command(
        commands,
        "answer",
        "turns.answer",
        parents=[folder, awaited],
        help="answer a turn with tool calls from standard input",
        description="Answer a turn. Standard input holds the tool calls as JSON:"
        f" {EXAMPLE.replace('%', '%%')}",
        epilog="exit codes: 0 accepted, 1 refused, 2 the turn is over; with --next also those of"
        " `pytest-webtask turn`",
    )
    answering.add_argument("turn", metavar="ID", help="the id that was printed with the turn")
    what = "then wait for the next turn and print it"
    answering.add_argument("--next", action="store_true", help=what)
    what = "serve turns to a coding agent as an MCP server over stdio"
    add_command(commands, "mcp", "turns.serve", parents=[folder], help=what)


def _opening() -> argparse.ArgumentParser:
    opened = shared("url", metavar="URL", help="an address, or a path below the base URL")
    add_pytest_arguments(opened, "further arguments for pytest, options after --")
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
    return opened


def _add_recordings(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    where = shared(
        "--folder",
        default="recordings",
        metavar="NAME",
        help="the folder of recordings next to each test module, as in the ini option"
        " webtask_recordings (default: %(default)s)",
    )
    what = "show what would change without changing it"
    dry = shared("--dry-run", action="store_true", help=what)

    export = add_command(
        commands,
        "export",
        "recordings.export",
        help="print a passed test as a plain Playwright test",
        description="Print what a test did when it last passed, as a test that needs only"
        " pytest-playwright. The runs that are kept in .webtask/runs are looked at, the newest first;"
        " webtask_keep in the ini file says how many. The exported test reads secrets from the environment; format it with the formatter of your project.",
    )
    what = "the node id of a test, or a part of it that no other test has"
    export.add_argument("test", metavar="TEST", help=what)
    what = "the run to export (default: the newest in which it passed)"
    export.add_argument("--run", default="", help=what)
    export.add_argument("--output", type=Path, metavar="FILE", help="write the test to a file")

    what = "list, show, drop or move the recordings of the project"
    recordings = commands.add_parser("recordings", help=what)
    own = recordings.add_subparsers(required=True, metavar="COMMAND")
    what = "list all recordings and the models that made them"
    add_command(own, "list", "recordings.list_all", parents=[where], help=what)
    what = "print recordings as code, or their changes"
    end = "exit code 1: a file could not be read; with --strict also: the diff has lines that start with !"
    show = add_command(own, "show", "recordings.show", parents=[where], help=what, epilog=end)
    what = "what to print (default: all)"
    show.add_argument("what", nargs="?", default="", metavar="PATH|TEST", help=what)
    show.add_argument("--diff", metavar="REV", help="print what changed since a git revision")
    what = "exit with 1 if the diff has lines that start with !"
    show.add_argument("--strict", action="store_true", help=what)
    what = "delete recordings of sentences that no test has any more"
    add_command(own, "prune", "recordings.prune", parents=[where, dry], help=what)
    what = "delete the recording of a test, or of one step, which the next run in auto mode records again"
    drop = add_command(own, "drop", "recordings.drop", parents=[where, dry], help=what)
    drop.add_argument("what", metavar="PATH|TEST", help="the test")
    what = "a part of the step's sentence (default: all)"
    drop.add_argument("step", nargs="?", default="", metavar="STEP", help=what)
    what = "move recordings after a function or module was renamed"
    mv = add_command(own, "mv", "recordings.move", parents=[where], help=what)
    what = "the old name: path/to/test_x.py::function, or path/to/test_x.py"
    mv.add_argument("old", metavar="OLD", help=what)
    mv.add_argument("new", metavar="NEW", help="the new name, in the same form")

    accept = add_command(
        commands,
        "accept",
        "recordings.accept",
        parents=[where, dry],
        help="accept heals, which are the elements that a run has found in place of recorded ones,"
        " or steps that were edited by hand",
        epilog="exit code 1: a proposal was refused, or a file could not be read",
    )
    accept.add_argument("test", nargs="?", default="", metavar="TEST", help="default: all tests")
    accept.add_argument("--run", default="", help="the run that proposes (default: the newest)")
    what = "approve, in your own name, recorded steps that were edited by hand"
    accept.add_argument("--edited", metavar="TEST|PATH", help=what)


def _report(args: argparse.Namespace) -> None:
    from pytest_webtask.journal.kept_runs import find_run, root_above
    from pytest_webtask.report import write_report

    output = args.output or Path(".webtask", "report")
    if not args.runs:
        args.runs = [newest := find_run(root_above(Path.cwd()))]
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
