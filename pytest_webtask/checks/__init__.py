"""Checks: machine-checkable statements about a page, their results, and their facts."""

# Records contain check results, which are records themselves, so the records must be imported first.
import pytest_webtask.types.agent  # noqa: F401
