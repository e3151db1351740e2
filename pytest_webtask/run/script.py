"""`pytest_webtask.open`: a webtask without pytest, for scripts and interactive sessions."""

from __future__ import annotations

import logging
import sys
import time
import traceback
from collections.abc import Callable, Generator, Iterable, Mapping
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

from pytest_webtask.data.escapes import printed
from pytest_webtask.errors import UnknownName, UsageError
from pytest_webtask.llm.model_names import check_model_name
from pytest_webtask.llm.role_models import by_role
from pytest_webtask.page.dom import register_with
from pytest_webtask.run.host import Host, RunningTest
from pytest_webtask.run.options import OPTIONS, Settings, as_keywords, resolve_settings
from pytest_webtask.run.step import StepRunner, WebtaskConfig
from pytest_webtask.run.webtask import Webtask
from pytest_webtask.types.model import Model

_log = logging.getLogger("pytest_webtask")
_KEYWORDS = {option.name: option for option in OPTIONS if not option.bare}
"""The options that a script may set, by their keywords."""


class ScriptHost(Host):
    """The host of the webtask of a script, whose settings are keywords."""

    def __init__(self, root: Path, settings: Settings) -> None:
        super().__init__(root)
        self._settings = settings

    def settings(self) -> Settings:
        """Return the settings of the script."""
        return self._settings

    def spell(self, message: str) -> str:
        """Return a message with keywords in the place of pytest's options."""
        return as_keywords(message)


def open(
    page: Page,
    *,
    model: str | Model | Mapping[str, str | Model] = "literal",
    data: Mapping[str, object] | None = None,
    resources: Mapping[str, str | Path] | None = None,
    instructions: str | Mapping[str, str] = "",
    tools: Iterable[Callable[..., object]] = (),
    redact: Iterable[object] = (),
    base_url: str = "",
    name: str = "",
    root: str | Path | None = None,
    **settings: Any,
) -> AbstractContextManager[Webtask]:
    """Open a webtask on a page of Playwright without pytest, as a context manager.

    `model` is the name of a model, as in the option, or a model, or one of either for each role. The
    other arguments are what the `webtask_...` fixtures return, and `settings` are options by name,
    such as `max_steps=40` or `mode="live"`; the ini file is not read. `root` is the folder that gets
    `.webtask`, with journal and report, and below which scripts have recordings: by default the
    working folder. `name` is that of the run's only test in the report: by default the script's path.

    The block is the test: if it ends without an error, its steps are recorded. Raises UsageError for
    unknown options.
    """
    folder = Path.cwd() if root is None else Path(root).resolve()
    if not isinstance(page, Page):
        raise UsageError(
            f"open() takes a page of playwright.sync_api, such as browser.new_page(); got {page!r:.80}"
        )
    is_named = all(isinstance(each, str) for each in by_role(model).values())
    if is_named:
        settings["model"] = model
    try:
        read = _read(settings)
        host = ScriptHost(folder, read)
        host.test = RunningTest(name or _name_of(sys._getframe(1), folder))
        register_with(page)
        models = host.load_models(read) if is_named else _loaded(host, model)
        config = WebtaskConfig(
            base_url=base_url,
            data=data,
            resources=resources,
            instructions=instructions,
            tools=tools,
            redact=redact,
        )
    except UsageError as error:
        problem = as_keywords(str(error))
    else:
        return _opened(host, Webtask(StepRunner(lambda: page, host, models, config)))
    raise UsageError(problem)


def _loaded(host: Host, model: Any) -> Mapping[str, Model]:
    """Return the model of each role, loaded where it is a name. Raises UsageError."""
    return {
        role: host.load_model(check_model_name(each), host.settings())
        if isinstance(each, str)
        else each
        for role, each in by_role(model).items()
    }


def _read(settings: Mapping[str, Any]) -> Settings:
    """Return the settings with these options. Raises UsageError."""
    for name in settings:
        if name not in _KEYWORDS:
            raise UnknownName("option of open()", name, _KEYWORDS)
    return resolve_settings(lambda option: settings.get(option.name), {}, lambda _: None)


def _name_of(caller: Any, root: Path) -> str:
    """Return the path of a calling script, `script` where it has none below the root folder."""
    path = Path(caller.f_code.co_filename)
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else "script"


@contextmanager
def _opened(host: Host, webtask: Webtask) -> Generator[Webtask, None, None]:
    """Run the block of a script as a test: journal it, write recordings and the report, and log where they are."""
    __tracebackhide__ = True
    began, test, outcome, message = time.time(), host.test, "passed", ""
    error: BaseException | None = None
    host.write_phase(test.name, "setup", "passed")
    try:
        yield webtask
        test.leave_webtasks()
        test.raise_soft_failures()
        if test.unfinished:
            raise UsageError(f"not done: {'; '.join(test.unfinished)}")
    except BaseException as raised:
        error, outcome = raised, "failed"
        message = "".join(traceback.format_exception(raised))
        test.fail(raised)
        host.journal.save_held_pictures()
        raise
    finally:
        webtask.close()
        host.end_pending()
        host.write_phase(test.name, "call", outcome, time.time() - began, message, error)
        host.write_phase(test.name, "teardown", "passed")
        host.end_recording()
        host.end_run()
        for line in host.summary():
            _log.info(printed(host.scrub(as_keywords(line))))
        host.close()
