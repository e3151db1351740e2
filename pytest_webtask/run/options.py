"""The option table and its precedence: command line, marker, ini file, default."""

# Every pytest run imports this module, so it imports nothing slow.
from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from pathlib import PurePath
from typing import Any

from pytest_webtask.agent.workflow_names import check_workflow_name
from pytest_webtask.errors import UnknownName, UsageError

_LINK = re.compile(r"\[([^]]*)\]\([^)]*\)")


@dataclass(frozen=True)
class Option:
    """One setting: `name` in the marker, `--webtask-name` on the command line, `webtask_name` in the ini file."""

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
    of_project: bool = False
    """Whether it is not on the command line."""

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

    @property
    def shown(self) -> str:
        """The name in messages: on the command line, if it is there."""
        return self.ini if self.of_project else self.flag


@dataclass(frozen=True)
class Choice:
    """The reader of an option with few values; `settings` are what each of them means."""

    settings: Mapping[Any, Any]
    what: str = "value"

    @property
    def words(self) -> list[str]:
        """The values as they are written."""
        return [each for each in self.settings if isinstance(each, str)]

    def __call__(self, value: Any) -> Any:
        """Return what a value means. Raises UnknownName."""
        try:
            return self.settings[value]
        except (KeyError, TypeError):
            raise UnknownName(self.what, str(value), self.words) from None


def _switch(on: str = "on", off: str = "off") -> Choice:
    return Choice({on: True, off: False, True: True, False: False})


_MODES = Choice({each: each for each in ("auto", "replay", "record", "live")}, "mode")
_SCREENSHOTS = Choice(
    {"on": "on", "only-on-failure": "only-on-failure", "off": "off", True: "on", False: "off"}
)


def _variant(value: Any) -> str:
    if not isinstance(value, str) or not re.fullmatch(r"[\w.-]*", value):
        raise UsageError(f"expected letters, digits, underscores, dots or dashes; got {value!r}")
    return value


def check_folder(value: Any) -> str:
    """Return the path of a folder beside test modules, with slashes. Raises UsageError."""
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


_COMMAND = re.compile(r'pytest (?:"[^"]*" )?(--webtask-\S+(?: --webtask-\S+)*)')
_WATCHING = re.compile(r'pytest "[^"]*" --headed --slowmo=(\d+)')
_FLAG = re.compile(
    r"(?<!\w)(?:--webtask-|webtask_|--(?=rootdir|base-url))([a-z_-]*[a-z])(?:=([^\s,;:)]*[^\s.,;:)]))?"
)


def as_keywords(text: str) -> str:
    """Return a message with keywords of `pytest_webtask.open` in the place of pytest's options."""

    def keyword(match: re.Match[str]) -> str:
        name = match[1].replace("-", "_").replace("rootdir", "root")
        return f'{name}="{match[2]}"' if match[2] else f"{name}=..."

    text = _WATCHING.sub(r"launch(headless=False, slow_mo=\1)", text)
    text = _COMMAND.sub(lambda m: f"pytest_webtask.open(page, {', '.join(m[1].split())})", text)
    return _FLAG.sub(keyword, text)


def in_ci() -> bool:
    """Whether this is a run in continuous integration, which never calls a model."""
    return os.environ.get("CI", "").strip().lower() not in ("", "0", "false", "no", "off")


def _model(value: Any) -> dict[str, str]:
    from pytest_webtask.llm import model_names, role_models

    models = _by_role(value, "models", model_names.check_model_name)
    role_models.check_worker(models)
    return models


def _effort(value: Any) -> dict[str, str]:
    def check(text: str) -> str:
        if not text.isalpha():
            raise UsageError(
                f"expected an effort that the model accepts, such as low or high; got {text!r}"
            )
        return text

    return _by_role(value, "efforts", check)


def _by_role(value: Any, what: str, check: Callable[[str], str]) -> dict[str, str]:
    from pytest_webtask.llm.role_models import parse_by_role

    return {role: check(each) for role, each in parse_by_role(value, what).items()}


def _prices(value: Any) -> tuple[str, ...]:
    from pytest_webtask.llm import prices

    entries = _listed(value)
    for entry in entries:
        prices.parse_price(str(entry))
    return entries


_LARGEST = 1_000_000_000
_LONGEST = 1_000_000
"""Seconds: a browser's timers take no more milliseconds than 32 bits."""


def parse_count(value: Any) -> int:
    """Return a whole number from 1 to `_LARGEST`, from a number or text. Raises UsageError."""
    digits = re.fullmatch("[0-9]{1,10}", str(value).strip())
    number = int(digits[0]) if digits else 0
    if not 1 <= number <= _LARGEST:
        raise UsageError(f"expected a whole number from 1 to {_LARGEST:,}; got {value!r:.80}")
    return number


def parse_seconds(value: Any) -> float:
    """Return a number from 0 to `_LONGEST`, from a number or text. Raises UsageError."""
    number = -1.0
    with suppress(ValueError):
        number = float(str(value))
    if not 0 <= number <= _LONGEST:
        raise UsageError(f"expected a number of seconds from 0 to {_LONGEST:,}; got {value!r:.80}")
    return number


def _origins(value: Any) -> tuple[str, ...]:
    from pytest_webtask.page.origins import AllowedOrigins

    entries = _listed(value)
    if not all(isinstance(entry, str) for entry in entries):
        raise UsageError(
            f"expected an origin such as https://shop.example, or a list of origins; got {value!r}"
        )
    AllowedOrigins(entries)
    return entries


def _listed(value: Any) -> tuple[Any, ...]:
    return tuple(value) if isinstance(value, (list, tuple, set, frozenset)) else (value,)


def _option(
    default: Any, read: Callable[[Any], Any], meaning: str, shown: str = "", **kind: bool
) -> Any:
    """Return the field of an option; `shown` is its default as it is written, unless it is a text or a number."""
    option = {"meaning": meaning, "default": shown or str(default or ""), "read": read, **kind}
    return field(default_factory=lambda: default, metadata=option)


@dataclass(frozen=True)
class Settings:
    """The settings of one test."""

    model: Mapping[str, str] = _option(
        {"worker": "literal"},
        _model,
        "[the model that decides](models.md): `literal`, `claude` or a model's id,"
        " [`handoff`](../how-to/handoff.md), or `package.module:callable`, which is called without arguments"
        " and returns a model; or [one for each role](workflows.md#a-model-for-each-role):"
        " `{worker = claude, verifier = ...}`",
        "literal",
    )
    effort: Mapping[str, str] = _option(
        {},
        _effort,
        "how much effort the model makes: `low`, `medium`, `high`, or another value that it accepts; or"
        " [one for each role](workflows.md#a-model-for-each-role); by default the model's own",
        of_project=True,
    )
    literal: bool = _option(
        True,
        _switch("first"),
        "`first`: carry out [literal sentences](models.md#literal-sentences-first) without the model;"
        " `off`: send them to the model too",
        "first",
        of_project=True,
    )
    workflow: str = _option(
        "worker",
        check_workflow_name,
        "[how roles share a task](workflows.md): `worker`, `worker-verified`, `planner`, `scheduler`, an"
        " entry point, or `package.module:callable`",
    )
    max_steps: int = _option(
        20,
        parse_count,
        "the maximum number of iterations of a step, all roles together; a literal sentence may have as"
        " many clauses",
    )
    timeout: float = _option(
        5.0,
        parse_seconds,
        "how many seconds an element has to appear, and a"
        " [claim](../explanation/evidence.md) to become true; if it is not given, replayed and"
        " literal actions wait as long as Playwright's own (30, or what the project set)",
        "5",
    )
    step_limit: float = _option(
        300.0,
        parse_seconds,
        "how many seconds a step may take in all, its model, looks at the page and checks included, but not"
        " the waiting of a [hand-over](../how-to/handoff.md)",
        "300",
    )
    persist_context: bool = _option(
        True,
        _switch(),
        "whether a step [knows](fixtures.md#memory) what earlier steps of its test did and found: `on` or"
        " `off`",
        "on",
        of_project=True,
    )
    allow_origin: tuple[str, ...] = _option(
        (),
        _origins,
        "another origin on which to [allow actions](#origins), such as `https://*.example.com`; repeatable",
        many=True,
    )
    screenshots: str = _option(
        "on",
        _SCREENSHOTS,
        "whether to keep pictures of each step, for people: `on`; `only-on-failure`: those of the last steps of"
        " failed tests; `off`",
    )
    model_pictures: bool = _option(
        True,
        _switch(),
        "whether a model is sent [pictures of the page](models.md#models-without-pictures): `on` or `off`",
        "on",
        of_project=True,
    )
    visual: bool = _option(
        True,
        _switch("allow", "forbid"),
        "whether a claim may rest on"
        " [a screenshot alone](../explanation/evidence.md): `allow` or `forbid`",
        "allow",
        of_project=True,
    )
    deviations: bool = _option(
        True,
        _switch("allow", "fail"),
        "whether a task may be done [otherwise than it says](verify.md#deviations), where the application"
        " demands it: `allow` or `fail`",
        "allow",
        of_project=True,
    )
    page_errors: str = _option(
        "note",
        Choice({each: each for each in ("ignore", "note", "fail")}),
        "what to do about a step that passes although [the application failed](#errors-of-the-application)"
        " meanwhile: `ignore`; `note` it in summary and report; `fail` the step",
    )
    mode: str = _option(
        "auto",
        _MODES,
        "[how recordings are used](modes.md#modes): `auto`: replay them, and record steps that have"
        " none; `replay`: never call a model; `record`: record every step again; `live`: ignore recordings"
        " (default: `auto`, or `replay` if the environment variable `CI` is true)",
    )
    confirm: bool = _option(
        True,
        _switch("on"),
        "whether a test that has recorded a step is"
        " [run once more at once, replayed](recordings.md#confirmed-by-a-second-run): `on` or `off`",
        "on",
    )
    pause: bool = _option(
        False,
        _switch("failure", "never"),
        "`failure`: keep the page of a failed step open as a [live"
        " session](../how-to/live-session.md#take-over-a-failing-test), until somebody lets the run go on;"
        " `never`",
        "never",
        of_run=True,
    )
    heal: bool = _option(
        False,
        _switch("pass"),
        "whether a step may pass in replay mode with"
        " [an element that was healed](replay.md#when-the-page-has-changed): `off` or `pass`",
        "off",
    )
    variant: str = _option(
        "",
        _variant,
        "the [variant](modes.md#cases-browsers-and-users) whose recordings take precedence, such as a"
        " browser, a device or a locale",
    )
    recordings: str = _option(
        "recordings",
        check_folder,
        "the folder of recordings, next to each test module",
        of_run=True,
    )
    report: str = _option(
        ".webtask/report",
        _report,
        "the folder of the HTML [report](report.md), relative to the root directory; `off`: no report",
        of_run=True,
    )
    report_inline: bool = _option(
        False,
        _switch(),
        "whether to write the report as one file that includes its screenshots: `on` or `off`",
        "off",
        of_run=True,
    )
    resume: bool = _option(
        False,
        _switch(),
        "[resume](../how-to/resume.md) the last run, which was interrupted: skip tests that passed",
        "off",
        of_run=True,
        bare=True,
    )
    keep: int = _option(
        10,
        parse_count,
        "how many runs to keep in `.webtask/runs`, and with them their [drafts](modes.md#drafts)",
        of_run=True,
        of_project=True,
    )
    token_budget: int = _option(
        2_000_000,
        parse_count,
        "the maximum number of [tokens](models.md#budgets-and-prices) of a whole run",
        of_run=True,
    )
    test_token_budget: int = _option(
        300_000, parse_count, "the maximum number of tokens of a test", of_project=True
    )
    price: tuple[str, ...] = _option(
        (),
        _prices,
        "a model's prices in dollars per million tokens: `MODEL INPUT OUTPUT [CACHE_READ CACHE_WRITE]`;"
        " repeatable",
        many=True,
        of_project=True,
    )
    action_timeout: float | None = None
    """The `timeout` if it was given, None for as long as Playwright's."""

    @property
    def models(self) -> tuple[str, ...]:
        """The names of all models in use."""
        return tuple(self.model.values())

    @property
    def asked_model(self) -> str:
        """The name of the first model that is not literal, "" if there is none."""
        return next((name for name in self.models if name != "literal"), "")


OPTIONS = tuple(
    Option(name=each.name, **each.metadata) for each in fields(Settings) if each.metadata
)


def override(settings: Settings, **given: Any) -> Settings:
    """Return settings with the values that are given, None for none. Raises UsageError."""
    read = {option.name: option.read for option in OPTIONS}
    return replace(settings, **{n: read[n](v) for n, v in given.items() if v is not None})


def resolve_settings(
    from_command_line: Callable[[Option], Any],
    from_marker: Mapping[str, Any],
    from_ini: Callable[[Option], Any],
) -> Settings:
    """Return the settings from three sources, which give None for what they lack. Raises UsageError."""
    known = {option.name: option for option in OPTIONS}
    for name in from_marker:
        if name not in known:
            raise UnknownName("argument of @pytest.mark.webtask", name, known)
        if known[name].of_run:
            raise UsageError(
                f"@pytest.mark.webtask: {name} applies to the whole run; use {known[name].shown}"
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
    return Settings(**values, action_timeout=values.get("timeout"))
