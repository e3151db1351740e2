"""Settings: command line over marker over ini file over default, resolved once per test.

This module is imported by every pytest run, so it imports nothing that takes time.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

from pytest_webtask.errors import UnknownName, UsageError

MODES = ("auto", "replay", "record", "live")


@dataclass(frozen=True)
class Option:
    """One setting: `name` in the marker, `--webtask-name` and `webtask_name` elsewhere."""

    name: str
    help: str
    default: Any
    read: Callable[[Any], Any]
    many: bool = False
    of_run: bool = False
    bare: bool = False
    """Given on the command line alone, and without a value."""

    @property
    def flag(self) -> str:
        """Its name on the command line."""
        return "--webtask-" + self.name.replace("_", "-")

    @property
    def ini(self) -> str:
        """Its name in the ini file."""
        return "webtask_" + self.name


@dataclass(frozen=True)
class Settings:
    """The settings of one test; see `OPTIONS` for what they mean."""

    model: str | Mapping[str, str] = "literal"
    effort: str | None = None
    literal: bool = True
    workflow: str = "worker"
    max_steps: int = 20
    timeout: float = 5.0
    allow_origin: tuple[str, ...] = ()
    screenshots: bool = True
    visual: bool = True
    token_budget: int = 2_000_000
    test_token_budget: int = 300_000
    price: tuple[str, ...] = ()
    mode: str = "auto"
    heal: bool = False
    variant: str = ""
    recordings: str = "recordings"
    report: str = ".webtask/report"
    report_inline: bool = False
    keep: int = 10
    resume: bool = False
    resets: bool = False

    @property
    def models(self) -> tuple[str, ...]:
        """The names of all models that decide."""
        return (self.model,) if isinstance(self.model, str) else tuple(self.model.values())


def _mode(value: Any) -> str:
    if value not in MODES:
        raise UnknownName("mode", str(value), MODES)
    return str(value)


def _variant(value: Any) -> str:
    if not isinstance(value, str) or not re.fullmatch(r"[\w.-]*", value):
        raise UsageError(f"a name of letters, digits, dots and dashes is needed, got {value!r}")
    return value


def _folder(value: Any) -> str:
    path = PurePath(str(value))
    if not path.parts or path.is_absolute() or ".." in path.parts:
        raise UsageError(f"a folder beside each test module is needed, got {value!r}")
    return path.as_posix()


def _report(value: Any) -> str:
    if not str(value).strip():
        raise UsageError(f"a folder for the report or off is needed, got {value!r}")
    return "" if value in ("off", False) else str(value)


def in_ci() -> bool:
    """Whether this is a run of continuous integration, which asks no model."""
    return os.environ.get("CI", "").strip().lower() not in ("", "0", "false", "no", "off")


def _model(value: Any) -> str | dict[str, str]:
    from pytest_webtask import llm
    from pytest_webtask.llm import role_models

    named = role_models.parse_role_models(value)
    if isinstance(named, str):
        return llm.check_model_name(named)
    return {role: llm.check_model_name(each) for role, each in named.items()}


def _effort(value: Any) -> str:
    text = str(value).strip()
    if not text.isalpha():
        raise UsageError(
            f"a word that the model takes is needed, such as low or high, got {value!r}"
        )
    return text


def _prices(value: Any) -> tuple[str, ...]:
    from pytest_webtask.llm import prices

    entries = (value,) if isinstance(value, str) or not _is_list(value) else tuple(value)
    for entry in entries:
        prices.parse_price(str(entry))
    return entries


def _workflow(value: Any) -> str:
    from pytest_webtask.agent import workflows

    return workflows.check_workflow_name(str(value))


def parse_count(value: Any) -> int:
    """A whole number from 1 up, given as one or as text."""
    text = str(value).strip()
    if isinstance(value, bool) or not (text.isascii() and text.isdigit()) or int(text) < 1:
        raise UsageError(f"a whole number from 1 up is needed, got {value!r}")
    return int(text)


def parse_seconds(value: Any) -> float:
    """A finite number from 0 up, given as one or as text."""
    try:
        number = -1.0 if isinstance(value, bool) else float(value)
    except (TypeError, ValueError):
        number = -1.0
    if not 0 <= number < float("inf"):
        raise UsageError(f"seconds from 0 up are needed, got {value!r}")
    return number


def _switch(on: str = "on", off: str = "off") -> Callable[[Any], bool]:
    def read(value: Any) -> bool:
        if value in (on, True):
            return True
        if value in (off, False):
            return False
        raise UnknownName("value", str(value), (on, off))

    return read


def _origins(value: Any) -> tuple[str, ...]:
    from pytest_webtask.page.origins import AllowedOrigins

    entries = (value,) if isinstance(value, str) else tuple(value) if _is_list(value) else ()
    if (value and not entries) or not all(isinstance(entry, str) for entry in entries):
        raise UsageError(
            f"an origin such as https://shop.example or a list is needed, got {value!r}"
        )
    AllowedOrigins(entries)
    return entries


def _is_list(value: Any) -> bool:
    return isinstance(value, (list, tuple, set, frozenset))


OPTIONS = (
    Option(
        "model",
        "who decides: literal, claude or a Claude model's id, handoff, package.module:callable;"
        " or one for each role: {worker = claude, verifier = ...}",
        "literal",
        _model,
    ),
    Option("effort", "how hard a model works: low, medium, high", None, _effort),
    Option(
        "literal",
        "whether literal sentences are done without the model: first or off",
        True,
        _switch("first"),
    ),
    Option(
        "workflow",
        "how a task is worked at: worker, worker-verified, planner, scheduler, an entry point,"
        " package.module:callable",
        "worker",
        _workflow,
    ),
    Option("max_steps", "iterations that a step may take", 20, parse_count),
    Option("timeout", "seconds to wait for an element or a claim", 5.0, parse_seconds),
    Option(
        "allow_origin",
        "a further origin that may be acted upon, such as https://*.example.com; may be repeated",
        (),
        _origins,
        many=True,
    ),
    Option("screenshots", "whether pictures are taken: on or off", True, _switch()),
    Option(
        "visual",
        "whether a claim may pass by eye: allow or forbid",
        True,
        _switch("allow", "forbid"),
    ),
    Option(
        "mode",
        "auto: replay, else ask the model and record; replay: recordings and literal sentences"
        " only; record: record anew; live: neither read nor write (default: auto, and replay where"
        " CI is true)",
        "auto",
        _mode,
    ),
    Option(
        "heal",
        "whether an element that was found again may pass in replay mode: off or accept",
        False,
        _switch("accept"),
    ),
    Option(
        "variant",
        "which recordings come before the ones for all: a browser, a device, a locale",
        "",
        _variant,
    ),
    Option(
        "recordings",
        "the folder of recordings, beside each test module",
        "recordings",
        _folder,
        of_run=True,
    ),
    Option(
        "report",
        "the folder of the HTML report, below the root directory; off: none",
        ".webtask/report",
        _report,
        of_run=True,
    ),
    Option(
        "report_inline",
        "whether the report is one file with its pictures in it, to mail: on or off",
        False,
        _switch(),
        of_run=True,
    ),
    Option(
        "resume",
        "go on with the last run, which broke off: tests that passed are skipped",
        False,
        _switch(),
        of_run=True,
        bare=True,
    ),
    Option(
        "resets",
        "whether a test begins with its state reset, so that what was done in it may be done again"
        " by --webtask-resume: on or off",
        False,
        _switch(),
    ),
    Option("keep", "how many runs are kept in .webtask/runs", 10, parse_count, of_run=True),
    Option(
        "token_budget",
        "tokens that all tests of a run may use",
        2_000_000,
        parse_count,
        of_run=True,
    ),
    Option("test_token_budget", "tokens that a test may use", 300_000, parse_count),
    Option(
        "price",
        "dollars for a million tokens: 'MODEL INPUT OUTPUT [CACHE_READ CACHE_WRITE]'",
        (),
        _prices,
        many=True,
    ),
)


def resolve_settings(
    from_command_line: Callable[[Option], Any],
    from_marker: Mapping[str, Any],
    from_ini: Callable[[Option], Any],
) -> Settings:
    """The settings out of three sources, each of which gives None where it says nothing."""
    known = {option.name for option in OPTIONS}
    for name in from_marker:
        if name not in known:
            raise UnknownName("argument of @pytest.mark.webtask", name, known)
    for option in OPTIONS:
        if option.of_run and option.name in from_marker:
            raise UsageError(
                f"@pytest.mark.webtask: {option.name} is of the whole run; use {option.flag}"
            )
    values: dict[str, Any] = {}
    for option in OPTIONS:
        sources = (
            (from_command_line(option), option.flag),
            (from_marker.get(option.name), f"@pytest.mark.webtask({option.name}=...)"),
            (from_ini(option), f"{option.ini} in the ini file"),
        )
        for value, source in sources:
            if value is None:
                continue
            try:
                values[option.name] = option.read(value)
            except UsageError as error:
                raise UsageError(f"{source}: {error}") from None
            break
    values.setdefault("mode", "replay" if in_ci() else "auto")
    return Settings(**values)
