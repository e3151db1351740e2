"""The option table and its precedence: command line, marker, ini file, default.

Every pytest run imports this module, so it imports nothing slow.
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
SCREENSHOTS = ("on", "only-on-failure", "off")
_LINK = re.compile(r"\[([^]]*)\]\([^)]*\)")


@dataclass(frozen=True)
class Option:
    """One setting: `name` in the marker, `--webtask-name` and `webtask_name` elsewhere."""

    name: str
    meaning: str
    """In Markdown, with links as from `docs/reference/options.md`, which is built of it."""
    default: str
    """As it is written, "" for none."""
    read: Callable[[Any], Any]
    many: bool = False
    of_run: bool = False
    bare: bool = False
    """Whether it exists on the command line only, and needs no value."""

    @property
    def help(self) -> str:
        """The meaning without links and backticks."""
        return _LINK.sub(r"\1", self.meaning).replace("`", "")

    @property
    def flag(self) -> str:
        """The name on the command line."""
        return "--webtask-" + self.name.replace("_", "-")

    @property
    def ini(self) -> str:
        """The name in the ini file."""
        return "webtask_" + self.name


@dataclass(frozen=True)
class Settings:
    """The settings of one test; see `OPTIONS` for what they mean."""

    model: str | Mapping[str, str] = "literal"
    effort: str | Mapping[str, str] | None = None
    literal: bool = True
    workflow: str = "worker"
    max_steps: int = 20
    timeout: float = 5.0
    step_limit: float = 300.0
    action_timeout: float | None = None
    """The `timeout` if it was given, None for as long as Playwright's."""
    persist_context: bool = True
    allow_origin: tuple[str, ...] = ()
    screenshots: str = "on"
    visual: bool = True
    deviations: bool = True
    token_budget: int = 2_000_000
    test_token_budget: int = 300_000
    price: tuple[str, ...] = ()
    mode: str = "auto"
    confirm: bool = True
    heal: bool = False
    variant: str = ""
    recordings: str = "recordings"
    report: str = ".webtask/report"
    report_inline: bool = False
    keep: int = 10
    resume: bool = False

    @property
    def models(self) -> tuple[str, ...]:
        """The names of all models in use."""
        return (self.model,) if isinstance(self.model, str) else tuple(self.model.values())

    @property
    def asked_model(self) -> str:
        """The name of the first model that is not literal, "" if there is none."""
        return next((name for name in self.models if name != "literal"), "")


def _screenshots(value: Any) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    if value not in SCREENSHOTS:
        raise UnknownName("value", str(value), SCREENSHOTS)
    return str(value)


def _mode(value: Any) -> str:
    if value not in MODES:
        raise UnknownName("mode", str(value), MODES)
    return str(value)


def _variant(value: Any) -> str:
    if not isinstance(value, str) or not re.fullmatch(r"[\w.-]*", value):
        raise UsageError(f"expected letters, digits, underscores, dots or dashes; got {value!r}")
    return value


def _folder(value: Any) -> str:
    path = PurePath(str(value))
    if not path.parts or path.is_absolute() or ".." in path.parts:
        raise UsageError(
            f"expected a folder relative to each test module, such as recordings; got {value!r}"
        )
    return path.as_posix()


def _report(value: Any) -> str:
    if not str(value).strip():
        raise UsageError(f"expected a folder for the report, or off; got {value!r}")
    return "" if value in ("off", False) else str(value)


_FLAG = re.compile(
    r"(pytest )?(--(?:webtask-[a-z-]*[a-z]|rootdir|base-url))(?:=([^\s,;:)]*[^\s.,;:)]))?"
)


def as_keywords(text: str) -> str:
    """Return a message with keywords of `pytest_webtask.open` in the place of pytest's options."""
    names = {option.flag: option.name for option in OPTIONS} | {
        "--rootdir": "root",
        "--base-url": "base_url",
    }

    def keyword(match: re.Match[str]) -> str:
        command, flag, value = match.groups()
        if flag not in names:
            return match[0]
        spelled = f"{names[flag]}=" + (f'"{value}"' if value else "...")
        return f"pytest_webtask.open(page, {spelled})" if command else spelled

    return _FLAG.sub(keyword, text)


def in_ci() -> bool:
    """Whether this is a run in continuous integration, which never calls a model."""
    return os.environ.get("CI", "").strip().lower() not in ("", "0", "false", "no", "off")


def _model(value: Any) -> str | dict[str, str]:
    from pytest_webtask.llm import model_names, role_models

    named = role_models.parse_by_role(value)
    if isinstance(named, str):
        return model_names.check_model_name(named)
    return {role: model_names.check_model_name(each) for role, each in named.items()}


def _effort(value: Any) -> str | dict[str, str]:
    from pytest_webtask.llm import role_models

    named = role_models.parse_by_role(value, "efforts")
    for text in (named,) if isinstance(named, str) else named.values():
        if not text.isalpha():
            raise UsageError(
                f"expected an effort that the model accepts, such as low or high; got {text!r}"
            )
    return named


def _prices(value: Any) -> tuple[str, ...]:
    from pytest_webtask.llm import prices

    entries = (value,) if isinstance(value, str) or not _is_list(value) else tuple(value)
    for entry in entries:
        prices.parse_price(str(entry))
    return entries


def _workflow(value: Any) -> str:
    from pytest_webtask.agent import workflows

    return workflows.check_workflow_name(str(value))


_MOST = 1_000_000_000
_LONGEST = 1_000_000
"""Seconds: a browser's timers take no more milliseconds than 32 bits."""


def parse_count(value: Any) -> int:
    """Return a whole number from 1 to `_MOST`, from a number or text. Raises UsageError."""
    text = str(value).strip()
    digits = text.isascii() and text.isdigit() and not isinstance(value, bool)
    if not digits or len(text) > len(str(_MOST)) or not 1 <= int(text) <= _MOST:
        raise UsageError(f"expected a whole number from 1 to {_MOST:,}; got {value!r:.80}")
    return int(text)


def parse_seconds(value: Any) -> float:
    """Return a number from 0 to `_LONGEST`, from a number or text. Raises UsageError."""
    try:
        number = -1.0 if isinstance(value, bool) else float(value)
    except (TypeError, ValueError, OverflowError):
        number = -1.0
    if not 0 <= number <= _LONGEST:
        raise UsageError(f"expected a number of seconds from 0 to {_LONGEST:,}; got {value!r:.80}")
    return number


def parse_switch(value: Any) -> bool:
    """Return whether a switch is on, from a bool or text. Raises UnknownName."""
    return _switch()(value)


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
            f"expected an origin such as https://shop.example, or a list of origins; got {value!r}"
        )
    AllowedOrigins(entries)
    return entries


def _is_list(value: Any) -> bool:
    return isinstance(value, (list, tuple, set, frozenset))


OPTIONS = (
    Option(
        "model",
        "[the model that decides](models.md): `literal`, `claude` or a model's id,"
        " [`handoff`](../how-to/handoff.md), or `package.module:callable`, which is called without arguments"
        " and returns a model; or [one for each role](workflows.md#a-model-for-each-role):"
        " `{worker = claude, verifier = ...}`",
        "literal",
        _model,
    ),
    Option(
        "effort",
        "how much effort the model makes: `low`, `medium`, `high`, or another value that it accepts; or"
        " [one for each role](workflows.md#a-model-for-each-role); by default the model's own",
        "",
        _effort,
    ),
    Option(
        "literal",
        "`first`: carry out [literal sentences](models.md#literal-sentences-first) without the model;"
        " `off`: send them to the model too",
        "first",
        _switch("first"),
    ),
    Option(
        "workflow",
        "[how roles share a task](workflows.md): `worker`, `worker-verified`, `planner`, `scheduler`, an"
        " entry point, or `package.module:callable`",
        "worker",
        _workflow,
    ),
    Option(
        "max_steps",
        "the maximum number of iterations of a step, all roles together; a literal sentence may have as"
        " many clauses",
        "20",
        parse_count,
    ),
    Option(
        "timeout",
        "how many seconds an element has to appear, and a"
        " [claim](../explanation/how-it-works.md#evidence) to become true; if it is not given, replayed and"
        " literal actions wait as long as Playwright's own (30, or what the project set)",
        "5",
        parse_seconds,
    ),
    Option(
        "step_limit",
        "how many seconds a step may take in all, its model, looks at the page and checks included, but not"
        " the waiting of a [hand-over](../how-to/handoff.md)",
        "300",
        parse_seconds,
    ),
    Option(
        "persist_context",
        "whether a step [knows](fixtures.md#memory) what earlier steps of its test did and found: `on` or"
        " `off`",
        "on",
        parse_switch,
    ),
    Option(
        "allow_origin",
        "another origin on which to [allow actions](#origins), such as `https://*.example.com`; repeatable",
        "",
        _origins,
        many=True,
    ),
    Option(
        "screenshots",
        "whether to take pictures of each step, and to send screenshots to a model: `on`;"
        " `only-on-failure`: keep pictures of the last steps of failed tests; `off`",
        "on",
        _screenshots,
    ),
    Option(
        "visual",
        "whether a claim may rest on"
        " [a screenshot alone](../explanation/how-it-works.md#evidence): `allow` or `forbid`",
        "allow",
        _switch("allow", "forbid"),
    ),
    Option(
        "deviations",
        "whether a task may be done [otherwise than it says](verify.md#deviations), where the application"
        " demands it: `allow` or `fail`",
        "allow",
        _switch("allow", "fail"),
    ),
    Option(
        "mode",
        "[how recordings are used](modes.md#modes): `auto`: replay them, and record steps that have"
        " none; `replay`: never call a model; `record`: record every step again; `live`: ignore recordings"
        " (default: `auto`, or `replay` if the environment variable `CI` is true)",
        "auto",
        _mode,
    ),
    Option(
        "confirm",
        "whether a test that has recorded a step is"
        " [run once more at once, replayed](recordings.md#confirmed-by-a-second-run): `on` or `off`",
        "on",
        _switch("on"),
    ),
    Option(
        "heal",
        "whether a step may pass in replay mode with"
        " [an element that was healed](replay.md#when-the-page-has-changed): `off` or `pass`",
        "off",
        _switch("pass"),
    ),
    Option(
        "variant",
        "the [variant](modes.md#cases-browsers-and-users) whose recordings take precedence, such as a"
        " browser, a device or a locale",
        "",
        _variant,
    ),
    Option(
        "recordings",
        "the folder of recordings, next to each test module",
        "recordings",
        _folder,
        of_run=True,
    ),
    Option(
        "report",
        "the folder of the HTML [report](report.md), relative to the root directory; `off`: no report",
        ".webtask/report",
        _report,
        of_run=True,
    ),
    Option(
        "report_inline",
        "whether to write the report as one file that includes its screenshots: `on` or `off`",
        "off",
        _switch(),
        of_run=True,
    ),
    Option(
        "resume",
        "[resume](../how-to/resume.md) the last run, which was interrupted: skip tests that passed",
        "",
        _switch(),
        of_run=True,
        bare=True,
    ),
    Option(
        "keep",
        "how many runs to keep in `.webtask/runs`, and with them their [drafts](modes.md#drafts)",
        "10",
        parse_count,
        of_run=True,
    ),
    Option(
        "token_budget",
        "the maximum number of [tokens](models.md#budgets-and-prices) of a whole run",
        "2000000",
        parse_count,
        of_run=True,
    ),
    Option("test_token_budget", "the maximum number of tokens of a test", "300000", parse_count),
    Option(
        "price",
        "a model's prices in dollars per million tokens: `MODEL INPUT OUTPUT [CACHE_READ CACHE_WRITE]`;"
        " repeatable",
        "",
        _prices,
        many=True,
    ),
)


def _check_roles(by_role: Mapping[str, Mapping[str, str]], workflow: str, model: Any) -> None:
    """Raise UsageError for an unknown role, and for models without one of the worker.

    The keys of `by_role` are sources. Roles of a workflow of the project's own are known when that is
    loaded.
    """
    if not by_role:
        return
    from pytest_webtask.agent import workflows
    from pytest_webtask.llm import role_models

    for source, named in by_role.items():
        try:
            if workflow in workflows.KNOWN:
                role_models.check_roles(named)
            if named is model:
                role_models.check_worker(named)
        except UsageError as error:
            raise UsageError(f"{source}: {error}") from None


def resolve_settings(
    from_command_line: Callable[[Option], Any],
    from_marker: Mapping[str, Any],
    from_ini: Callable[[Option], Any],
) -> Settings:
    """Return the settings from three sources, each of which gives None for an option that it lacks.

    Raises UsageError.
    """
    known = {option.name for option in OPTIONS}
    for name in from_marker:
        if name not in known:
            raise UnknownName("argument of @pytest.mark.webtask", name, known)
    for option in OPTIONS:
        if option.of_run and option.name in from_marker:
            raise UsageError(
                f"@pytest.mark.webtask: {option.name} applies to the whole run; use {option.flag}"
            )
    values: dict[str, Any] = {}
    by_role: dict[str, Mapping[str, str]] = {}
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
            if isinstance(values[option.name], Mapping):
                by_role[source] = values[option.name]
            break
    _check_roles(by_role, values.get("workflow", "worker"), values.get("model"))
    values.setdefault("mode", "replay" if in_ci() else "auto")
    return Settings(**values, action_timeout=values.get("timeout"))
