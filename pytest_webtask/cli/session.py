"""The command `pytest-webtask session`: a page that stays open, for one command at a time."""

import argparse
from importlib import import_module
from pathlib import Path
from typing import Any

from pytest_webtask.cli.parsing import add_command, shared
from pytest_webtask.cli.turns import print_outcome, timeout
from pytest_webtask.desk.commands import COMMANDS, checked_command
from pytest_webtask.desk.desk import DEFAULT, Desks, wait_for
from pytest_webtask.run.options import parse_seconds

_START = 30.0
"""Seconds that a run which pauses may take to start."""


def add_session(commands: Any, opened: argparse.ArgumentParser) -> None:
    """Add the command, with a parser for each of its own; `opened` has the arguments of what opens a page."""
    session = commands.add_parser(
        "session",
        help="keep a page open for a coding agent, and do one sentence with each command",
        epilog="exit codes: 0 done, 1 not done, or a run is paused at a failed step, 2 a mistake in the"
        " command, 3 not done yet: a turn waits for an answer and is printed, or the time was up, 4 no such"
        " session, or it has ended",
    )
    own = session.add_subparsers(required=True, metavar="COMMAND", dest="action")
    named = timeout("the answer")
    what = "the name of the session, needed if several are open (default: main)"
    named.add_argument("--name", default="", help=what)
    idle = shared(
        "--idle",
        type=parse_seconds,
        default=1800.0,
        metavar="SECONDS",
        help="end the session after this time without a command (default: %(default)g)",
    )
    for name, run, where in (
        ("start", _start, "in the background"),
        ("serve", _serve, "in this process"),
    ):
        about = {"parents": [opened, named, idle]}
        add_command(own, name, run, help=f"open a page {where}, until the session ends", **about)
    what = "wait for the answer to the last command, and print it"
    add_command(own, "wait", _wait, parents=[named], help=what)
    for name, (text, meaning) in COMMANDS.items():
        parser = add_command(own, name, _command, parents=[named], help=meaning)
        if text:
            parser.add_argument("text", metavar="TEXT", help=text)
        if name in ("do", "verify", "extract"):
            parser.add_argument(
                "--data",
                action="append",
                metavar="NAME=VALUE",
                help="a value that the sentence has as {NAME}; the saved test has it, too. Repeatable",
            )
        parser.set_defaults(text="", data=[])


def _start(args: argparse.Namespace) -> int:
    options = [f"--idle={args.idle}", *(["--headed"] if args.headed else [])]
    options += ["--", *args.pytest_args] if args.pytest_args else []
    desk = Desks().named(args.name or DEFAULT)
    opened = args.url, args.webtask_model, args.fixture, *options
    desk.start(*opened, folder=Path.cwd(), timeout=args.timeout)
    return print_outcome(desk, args.timeout)


def _serve(args: argparse.Namespace) -> int:
    desk = Desks().named(args.name or DEFAULT)
    code: int = import_module("pytest_webtask.live.opening").serve_session(args, desk.folder)
    return code


def _wait(args: argparse.Namespace) -> int:
    wait_for(min(args.timeout, _START), lambda: Desks().open or None)
    return print_outcome(Desks().session(args.name), args.timeout)


def _command(args: argparse.Namespace) -> int:
    command = checked_command(args.action, args.text, args.data)
    desk = Desks().session(args.name)
    desk.submit(command)
    code = print_outcome(desk, args.timeout)
    if args.action == "stop":
        wait_for(args.timeout, lambda: None if desk.is_open else desk)
    return code
