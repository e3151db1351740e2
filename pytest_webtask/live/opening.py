"""Open a live session in the place of all tests, with the fixtures of the project."""

import argparse
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from pytest_webtask.desk.commands import Command
from pytest_webtask.desk.desk import OwnDesk
from pytest_webtask.live.session import LiveSession
from pytest_webtask.run.inner_run import replace_tests, run_pytest
from pytest_webtask.run.run_state import STATE
from pytest_webtask.run.webtask import Webtask


@dataclass
class Opening:
    """A pytest plugin that opens a session in the place of all tests, and passes it to `use`.

    The session runs as a function of the first module with a test that uses a webtask, and so with the
    fixtures of that. `fixtures` are requested as a test would do; one that is a webtask is used in place
    of `webtask`. `options` are command-line options that a replay of a saved test needs as well.
    """

    use: Callable[[LiveSession], None]
    fixtures: Sequence[str] = ()
    options: Sequence[str] = ()
    began: bool = field(default=False, init=False)
    notes: list[str] = field(default_factory=list, init=False)
    """Lines on where the report and the journal are."""

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(
        self, session: pytest.Session, items: list[pytest.Item]
    ) -> None:
        """Replace the tests by the session."""

        def webtask_session(webtask: Webtask, request: pytest.FixtureRequest) -> None:
            values = {each: request.getfixturevalue(each) for each in self.fixtures}
            own = {name: each for name, each in values.items() if isinstance(each, Webtask)}
            own = own or {"webtask": webtask}
            self.began = True
            state, name = request.config.stash[STATE], [*own][-1]
            fixtures = [*dict.fromkeys([*self.fixtures, name])]
            self.use(LiveSession(own[name], state, fixtures, name, self.options))

        replace_tests(session, items, webtask_session)

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: pytest.FixtureDef[Any]) -> Generator[None, Any, Any]:
        """Have Ctrl-C end a step, not the browser."""
        result = yield
        if fixturedef.argname == "browser_type_launch_args" and isinstance(result, dict):
            result["handle_sigint"] = False
        return result

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Note where the report and the journal are."""
        self.notes = session.config.stash[STATE].places


def open_session(args: argparse.Namespace, use: Callable[[LiveSession], None]) -> str:
    """Open a session with the arguments of a command; return why it could not be opened, "" if it was."""
    options = [f"--webtask-model={args.webtask_model}"] if args.webtask_model else []
    opening = Opening(use, args.fixture, [*options, *args.pytest_args])
    # No limit of time ends a person who reads.
    arguments = ["-s", "-ofaulthandler_timeout=0", *options, *args.pytest_args]
    arguments += ["--timeout=0"] if find_spec("pytest_timeout") else []
    arguments += ["--headed"] if args.headed else []
    arguments += ["--webtask-mode=auto", "--webtask-confirm=off"]
    output = run_pytest(opening, *arguments)
    if not opening.began:
        return f"the session could not be opened; correct what pytest says here:\n{output}"
    for line in opening.notes:
        print(line)
    return ""


def serve_session(args: argparse.Namespace, folder: Path) -> int:
    """Open a session, and answer the commands of its desk until it ends; return the exit code."""
    desk = OwnDesk(folder, is_session=True)
    desk.submit(Command("goto", args.url))
    unsaved: list[str] = []

    def serve(session: LiveSession) -> None:
        session.serve(desk, args.idle)
        unsaved.append(session.unsaved())

    try:
        problem = open_session(args, serve)
        print("\n".join(filter(None, [*unsaved, problem])), flush=True)
    finally:
        desk.close()
    return int(bool(problem))
