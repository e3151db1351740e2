"""Token budgets: of a test, and of all processes of a run together."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from pytest_webtask.errors import OutOfBudget
from pytest_webtask.types.agent import Usage

ANNOUNCED_AT = 0.75


class Budget:
    """Counts the tokens of one process and adds those of the run's other processes.

    Each process writes its count to a file of its own, `folder/writer.tokens`, so nothing is locked.
    Limits are checked before each call of a model, so each process may exceed them by one call.
    """

    def __init__(self, folder: Path, writer: str, run_limit: int) -> None:
        self._folder = folder
        self._file = folder / f"{writer}.tokens"
        self._run_limit = run_limit
        self._mine = 0
        self._test = ""
        self._test_limit = run_limit
        self._tests: dict[str, int] = {}

    def begin(self, test: str, limit: int) -> None:
        """Switch to a test, which may use `limit` tokens, including those it has used before."""
        self._test, self._test_limit = test, limit
        self._tests.setdefault(test, 0)

    def spend(self, usage: Usage) -> None:
        """Count the tokens of a decision: input, cached input and output."""
        tokens = usage.tokens
        if tokens:
            self._mine += tokens
            self._tests[self._test] = self._used_by_test + tokens
            # The journal reports a disk that cannot be written.
            with suppress(OSError):
                self._folder.mkdir(parents=True, exist_ok=True)
                self._file.write_text(str(self._mine))

    def check(self) -> None:
        """Raise OutOfBudget if the test or the run has reached its limit."""
        for what, used, limit, option in self._states():
            if used >= limit:
                raise OutOfBudget(
                    f"the tokens of this {what} are used up: {used:,} of {limit:,}. The journal has"
                    f" what was done so far; raise the limit with {option}"
                )

    def notices(self) -> tuple[str, ...]:
        """Return notices for a model when few tokens are left."""
        return tuple(
            f"{used / limit:.0%} of the tokens of this {what} are used: come to an end."
            for what, used, limit, _ in self._states()
            if used >= limit * ANNOUNCED_AT
        )

    @property
    def _used_by_test(self) -> int:
        return self._tests.get(self._test, 0)

    def _states(self) -> tuple[tuple[str, int, int, str], ...]:
        if not self._mine and not self._folder.is_dir():
            return ()
        run = self._mine
        for file in self._folder.glob("*.tokens"):
            if file != self._file:
                with suppress(OSError, ValueError):  # another process is writing it
                    run += int(file.read_text())
        return (
            ("test", self._used_by_test, self._test_limit, "--webtask-test-token-budget"),
            ("run", run, self._run_limit, "--webtask-token-budget"),
        )
