"""Checks: machine-checkable statements about a page, their results, and their facts."""
