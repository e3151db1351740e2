"""`pytest_webtask.open`: a webtask without pytest, for scripts and interactive sessions."""

from __future__ import annotations

import logging
import sys
import time
import traceback
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

from pytest_webtask.errors import UnknownName, UsageError
from pytest_webtask.escapes import escape_controls
from pytest_webtask.journal import PHASES, DraftsEnded, PhaseEnded
from pytest_webtask.llm.model_names import check_model_name
from pytest_webtask.options import OPTIONS, Settings, as_keywords, resolve_settings
from pytest_webtask.page.dom import register_with
from pytest_webtask.process import LONGEST_MESSAGE, NO_VERDICT, RunProcess, error_messages
from pytest_webtask.recordings.drafts import DRAFTS, Drafts
from pytest_webtask.recordings.progress import Heal
from pytest_webtask.state import raise_soft_failures
from pytest_webtask.step import WebtaskConfig
from pytest_webtask.types.model import Model
from pytest_webtask.types.step import Step
from pytest_webtask.webtask import Webtask

_log = logging.getLogger("pytest_webtask")
_KEYWORDS = {option.name: option for option in OPTIONS if not option.bare}
"""The options that a script may set, by their keywords."""


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
    names = model.values() if isinstance(model, Mapping) else (model,)
    if all(isinstance(each, str) for each in names):
        settings["model"] = model
    try:
        run = _ScriptRun(folder, _read(settings), name or _name_of(sys._getframe(1), folder))
        register_with(page)
        webtask = run.open_webtask(
            lambda: page,
            WebtaskConfig(
                base_url=base_url,
                data=data,
                resources=resources,
                instructions=instructions,
                tools=tools,
                redact=redact,
            ),
            run.settings,
            _models(run, model),
            run,
        )
    except UsageError as error:
        problem = as_keywords(str(error))
    else:
        return _opened(run, webtask)
    raise UsageError(problem)


def _models(
    run: _ScriptRun, model: str | Model | Mapping[str, str | Model]
) -> Model | Mapping[str, Model]:
    """Return the model, or one for each role, loaded where it is a name. Raises UsageError."""
    if isinstance(model, Mapping) and not all(isinstance(each, str) for each in model.values()):
        return {
            role: run.load_model(check_model_name(each), run.settings)
            if isinstance(each, str)
            else each
            for role, each in model.items()
        }
    return run.load_models(run.settings) if isinstance(model, (str, Mapping)) else model


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
def _opened(run: _ScriptRun, webtask: Webtask) -> Generator[Webtask, None, None]:
    """Run the block of a script as a test."""
    __tracebackhide__ = True
    began = time.time()
    run.begin()
    error: BaseException | None = None
    try:
        yield webtask
        run.raise_failures(webtask)
    except BaseException as raised:
        error = raised
        raise
    finally:
        webtask.close()
        run.end(error, time.time() - began)


class _ScriptRun(RunProcess):
    """A run with one test, which is the block of a script."""

    traced = False

    def __init__(self, root: Path, settings: Settings, name: str) -> None:
        super().__init__(root, lambda: settings)
        self.settings = settings
        self._name = name
        self._drafts = Drafts(root / DRAFTS, self.folder.name, name)

    @property
    def drafts(self) -> Drafts:
        """Return the drafts of the script."""
        return self._drafts

    @property
    def model_flag(self) -> str:
        """Return the option that sets a model, as pytest has it."""
        return self.flag_of(self.settings)

    def advice(self, mode: str) -> str:
        """Return the call that runs the script in a mode, with a model that may be asked."""
        return f'pytest_webtask.open(page, mode="{mode}", {as_keywords(self.model_flag)})'

    def watch_command(self) -> str:
        """Return the call that shows the script in a browser window."""
        return "launch(headless=False, slow_mo=500)"

    def spell_options(self, text: str) -> str:
        """Return a message with the keywords of `open` in the place of pytest's options."""
        return as_keywords(text)

    confirms = False

    def note_gap(self) -> None:
        """Do nothing: a script is run once."""

    def note_recorded(self) -> str:
        """Return no fixture: a script has none."""
        return ""

    def earlier_picture(self, webtask: str, step: Step) -> str:
        """Return the path of the picture of a drifted step from when it passed, "" if there is none."""
        from pytest_webtask.agent.worker import relative
        from pytest_webtask.report.earlier_pictures import earlier_picture

        if self.settings.screenshots == "off":
            return ""
        picture = earlier_picture(self.folder, self._name, webtask, step)
        return str(relative(picture)) if picture else ""

    def report_heals(self, step: str, heals: Sequence[Heal]) -> None:
        """Report nothing: the journal has the heals."""

    def enter_test(self, webtask: Webtask) -> str:
        """Return the name of the script."""
        self.use_scrub(webtask.scrub)
        self.budget.begin(self._name, self.settings.test_token_budget)
        return self._name

    def begin(self) -> None:
        """Journal that the block begins."""
        self._write("setup", "passed", 0.0, None)

    def raise_failures(self, webtask: Webtask) -> None:
        """Raise soft failures, or UsageError for a step that was left unfinished."""
        __tracebackhide__ = True
        unfinished = webtask.unfinished_steps()
        raise_soft_failures(webtask.pop_soft_failures())
        if unfinished:
            raise UsageError(f"not done: {'; '.join(unfinished)}")

    def end(self, error: BaseException | None, seconds: float) -> None:
        """Journal how the block has ended, write recordings and the report, and log where they are."""
        passed = error is None
        refuted = isinstance(error, Exception) and not isinstance(error, NO_VERDICT)
        kept, dropped = self._drafts.end(passed=passed, failed=refuted)
        if kept or dropped:
            self.journal.write(DraftsEnded(test=self._name, kept=kept, dropped=dropped))
        if not passed:
            self.journal.save_held_pictures()
        self._write("call", "passed" if passed else "failed", seconds, error)
        self._write("teardown", "passed", 0.0, None)
        self.recordings.end_test(passed=passed)
        self.note_journal_problems()
        if self.is_written:
            self.write_results()
        for line in self.summary():
            _log.info(escape_controls(self.scrub(as_keywords(line))))
        self.close()

    def _write(self, phase: str, outcome: str, seconds: float, error: BaseException | None) -> None:
        assert phase in PHASES, "it is one of a test's"
        message = "".join(traceback.format_exception(error)) if error else ""
        messages = list(error_messages(error))
        self.journal.write(
            PhaseEnded(
                test=self._name,
                phase=phase,
                outcome=outcome,
                seconds=round(seconds, 3),
                message=self.scrub(message)[-LONGEST_MESSAGE:],
                errors=self.scrub("\n".join(text for text, _ in messages)),
                failed_steps=tuple(step for _, step in messages if step),
            )
        )
