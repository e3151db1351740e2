"""Recordings: what a model did in each step, kept beside the tests, so that it can be replayed."""
