"""Turns that are handed over to a coding agent or a person."""
