"""Parsers of commands, whose modules are imported when they run."""

import argparse
from collections.abc import Callable
from importlib import import_module
from typing import Any


def add_command(
    commands: Any, name: str, run: Callable[[argparse.Namespace], Any] | str, **about: Any
) -> argparse.ArgumentParser:
    """Add a command to others, and return its parser; `about` is what argparse takes.

    It calls `run` with its arguments, or the function of that name: that of a module of this package.
    """
    parser: argparse.ArgumentParser = commands.add_parser(name, **about)
    parser.set_defaults(run_command=_when_run(run) if isinstance(run, str) else run)
    return parser


def _when_run(name: str) -> Callable[[argparse.Namespace], Any]:
    module, _, function = name.partition(".")
    return lambda args: getattr(import_module(f"pytest_webtask.cli.{module}"), function)(args)


def shared(*names: str, **about: Any) -> argparse.ArgumentParser:
    """Return a parser with one argument, for the commands that share it."""
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument(*names, **about)
    return parser


def add_pytest_arguments(parser: argparse.ArgumentParser, what: str) -> None:
    """Add arguments for pytest, which are `what` the help says."""
    parser.add_argument("pytest_args", nargs="*", metavar="ARGUMENT", help=what)
