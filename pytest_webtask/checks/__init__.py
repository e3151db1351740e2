"""Checks: machine-checkable statements about the page, and whether they carry a claim.

`kinds` says what can be stated, `running` asks the live page with Playwright's `expect`, `claims`
reads what a claim asks for, `coverage` tells whether checks that hold are enough for it.
"""
