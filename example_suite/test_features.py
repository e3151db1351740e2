"""Scenarios of pytest-bdd: each step is a sentence, and no step is defined here."""

from pytest_bdd import scenarios

from pytest_webtask.bdd import *  # noqa: F403 - pytest finds the steps by their names

scenarios("features")
