"""Checks: machine-checkable statements about a page, their results, and their facts."""

# The records of a run hold results of checks, which are records themselves: whichever of the two
# packages is imported first, the records have to begin.
import pytest_webtask.types.agent  # noqa: F401
