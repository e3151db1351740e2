"""Tasks in plain English that tell how well a model does them; code judges, never its words."""

from __future__ import annotations

from collections.abc import Callable

Play = Callable[[str, str, Callable[[], bool]], None]
"""Plays the task of that name and sentence, and asks its judge."""
