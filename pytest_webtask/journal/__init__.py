"""The journal of a run: typed events, one JSON object per line, with screenshots as separate files.

Each process of a run appends to its own file, and each line is flushed before the run continues.
`read` yields the events of all processes in the order of their times.
"""

import hashlib
import json
import os
import re
import subprocess
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import datetime
from enum import Enum
from functools import cache, partial, reduce
from itertools import chain
from operator import or_
from pathlib import Path
from typing import IO, Annotated, Any, Literal, get_args, get_origin, get_type_hints

from pydantic import (
    BaseModel,
    BeforeValidator,
    Field,
    FieldSerializationInfo,
    field_serializer,
)
from pydantic_core import to_jsonable_python

from pytest_webtask.checks.base import CheckResult
from pytest_webtask.data.locks import hold, is_held, make_private
from pytest_webtask.journal.schema import Key, StepTrace
from pytest_webtask.types.agent import (
    Cause,
    Conclusion,
    Event,
    Iteration,
    Ruling,
    TaskRecord,
    ToolCall,
    Verdict,
)
from pytest_webtask.types.page import Box, OwnText, Picture, Record, Seen

VERSION = 3
RUNS = Path(".webtask", "runs")
RUN_NAME = re.compile(r"\d{8}-\d{6}(?:-\d+){1,2}")
WRITING = Path(".webtask", "writing.lock")
"""What runs that end at the same time take turns with, to write recordings and the report."""
SUCCESSFUL_STATUSES = frozenset(("completed", "passed", "found", "yes", "no"))
"""The statuses of steps that ended without a failure."""
PHASES = ("setup", "call", "teardown")
_HELD = 3
"""The steps whose pictures are held: two, and the one whose last picture shows where the next began."""


_AS_JSON = BeforeValidator(partial(to_jsonable_python, fallback=str))


class JournalEvent(Record):
    """The fields of every event.

    `time` is in seconds since the epoch. `test` is a node id, "" for events of the run itself;
    `attempt` counts the runs of that test from 1. `webtask` is "" for the `webtask` fixture and a
    name for further ones; `step` counts the steps of that webtask in the test from 1.
    """

    kind: str
    time: Annotated[float, Field(allow_inf_nan=False)] = 0.0
    test: str = ""
    attempt: int = 1
    webtask: str = ""
    step: int = 0
    writer: str = ""
    """The name of the process that wrote the event; its file has that name."""


class RunStarted(JournalEvent):
    """The first event of each process; `resumes` is the name of the run that this one resumes.

    `commit` is the checked-out commit of the project's repository, "" if it is in none.
    """

    kind: Literal["run_started"] = "run_started"
    version: int = VERSION
    pid: int
    resumes: str = ""
    commit: OwnText = ""


class RunEnded(JournalEvent):
    """The last event of a run. A run without one was killed."""

    kind: Literal["run_ended"] = "run_ended"


class Artifact(Record):
    """A file that Playwright's own plugin kept: `kind` is `trace`, `video` or `screenshot`."""

    kind: str
    path: str


class PhaseEnded(JournalEvent):
    """The outcome of the setup, call or teardown of a test, as pytest reports it.

    `seconds` is its duration, `message` the end of pytest's report, `errors` are the exceptions
    alone. `failed_steps` names the steps that raised them by webtask and number. `cause` is that of the first of those steps,
    None if the package knows none. `expected_failure` is the reason of an xfail mark, or None without a mark.
    """

    kind: Literal["phase_ended"] = "phase_ended"
    phase: str
    outcome: str
    seconds: float = 0.0
    message: str = ""
    errors: str = ""
    failed_steps: tuple[tuple[str, int], ...] = ()
    cause: Cause | None = None
    artifacts: tuple[Artifact, ...] = ()
    expected_failure: str | None = None


class StepStarted(JournalEvent):
    """The start of a `do`, `goto`, `verify`, `holds`, `extract` or `select`.

    `source` is the text of the `line` of the test that calls it, in `file`, whose path is from the
    project's root; "" if it has none, as the step of a feature.
    """

    kind: Literal["step_started"] = "step_started"
    step_kind: OwnText
    sentence: str
    file: OwnText = ""
    line: int = 0
    source: str = ""


class StepEnded(JournalEvent):
    """The result of a step.

    `status` is `completed`, `passed`, `failed`, `undecided`, `drifted`, `aborted`, `max_steps`,
    `timed_out`, `found`, `not found`, `yes`, `no`, `error` or `abandoned`. `reason` explains it,
    `error` is the exception that ended the step. `evidence` are the checks of a completed task or an
    extracted `value`, `locator` is the code of a selected element, `deviations` what was done otherwise than a
    task says, in the words of the model that did it. `cause` is why it failed, None if it did not.
    """

    kind: Literal["step_ended"] = "step_ended"
    status: OwnText
    reason: str = ""
    error: str = ""
    cause: Cause | None = None
    evidence: tuple[CheckResult, ...] | None = None
    value: Annotated[Any, _AS_JSON] = None
    locator: str = ""
    deviations: tuple[str, ...] = ()


class StepPictured(JournalEvent):
    """The page as a step left it.

    `candidates` are the boxes of the elements that a failed step could not tell apart, or that are
    the closest to a missing one, in CSS pixels of the picture.
    """

    kind: Literal["step_pictured"] = "step_pictured"
    picture: Picture
    candidates: tuple[Box, ...] = ()


class PageOpened(JournalEvent):
    """A webtask opened its page in a `browser`, such as `chromium 141.0`, with this base URL.

    Until then the page was at `url`. The context of a further webtask may have had `cookies`.
    """

    kind: Literal["page_opened"] = "page_opened"
    browser: OwnText
    base_url: str = ""
    url: str = "about:blank"
    cookies: bool = False


class DecisionMade(JournalEvent):
    """The answer of a model, written before its calls are run: an iteration whose calls were not run yet."""

    kind: Literal["decision_made"] = "decision_made"
    iteration: Iteration


class ToolCalled(JournalEvent):
    """A tool call that was run, with its result; `call.time` is its duration in seconds."""

    kind: Literal["tool_called"] = "tool_called"
    call: ToolCall


class IterationEnded(JournalEvent):
    """A whole iteration. `iteration.time` is its duration in seconds, `usage.cost` in US dollars."""

    kind: Literal["iteration_ended"] = "iteration_ended"
    iteration: Iteration


class RulingMade(JournalEvent):
    """An answer of the referee to a conclusion; an invalid one is no `ruling`."""

    kind: Literal["ruling_made"] = "ruling_made"
    conclusion: Conclusion | None = None
    iteration: Iteration
    ruling: Ruling | None = None


class VerdictReached(JournalEvent):
    """The verdict of a `verify` or `holds`."""

    kind: Literal["verdict_reached"] = "verdict_reached"
    verdict: Verdict


class FailureObserved(JournalEvent):
    """The page that a failed step left behind."""

    kind: Literal["failure_observed"] = "failure_observed"
    page: Seen


class PageEvent(JournalEvent):
    """A dialog, tab, download, console error or failed request, at the time it happened."""

    kind: Literal["page_event"] = "page_event"
    event: Event


class TaskChanged(JournalEvent):
    """A change of the record of a `do`, and the record after it."""

    kind: Literal["task_changed"] = "task_changed"
    change: str
    record: TaskRecord


class Recovery(JournalEvent):
    """How a step continued after a failure, such as `found again` or `abort`."""

    kind: Literal["recovery"] = "recovery"
    action: OwnText
    reason: str = ""


class StepTraced(JournalEvent):
    """The actions of a step, and the evidence of its result.

    `file` is the recording's path from the project's root. `decided_by` is `model`, `literal` or
    `recording`. `mode` is `auto` or `record` if the trace is to be recorded, "" otherwise. `data`
    are the values that it used, `resources` the files that it uploaded, `pictures` the screenshots
    of checks by eye: their paths by their names in the recording.
    """

    kind: Literal["step_traced"] = "step_traced"
    file: OwnText = ""
    decided_by: OwnText = ""
    mode: OwnText = ""
    trace: StepTrace
    data: dict[str, str] = Field(default_factory=dict)
    resources: dict[str, str] = Field(default_factory=dict)
    pictures: dict[OwnText, OwnText] = Field(default_factory=dict)

    @field_serializer("trace")
    def _dump(self, trace: StepTrace, info: FieldSerializationInfo) -> Any:
        # As in recording files, defaults are left out.
        return trace.model_dump(mode=info.mode, exclude_defaults=True)


class ConfirmationBegun(JournalEvent):
    """This attempt of a test replays what the attempt before has recorded, to confirm it."""

    kind: Literal["confirmation_begun"] = "confirmation_begun"


class HealedElement(Record):
    """An element that was found at another place: its old and new locator, and a description."""

    old: str
    new: str
    what: str = ""


class HealProposed(JournalEvent):
    """A changed recording that `pytest-webtask accept` can write: a pending step of this run.

    `used` is whether the step continued with the healed elements. `file` is that of a traced step. If a
    model went on, `changes` are what it changed in words: calls and evidence, removed (-), added (+)
    and weaker (!).
    """

    kind: Literal["heal_proposed"] = "heal_proposed"
    file: OwnText = ""
    heals: tuple[HealedElement, ...] = ()
    changes: tuple[str, ...] = ()
    used: bool = True


class ModelNeeded(JournalEvent):
    """A step that no recording decides: it needs a model, unless it is literal.

    `cause` is `missing` if `file` has no step of that `key`, else `drifted`.
    """

    kind: Literal["model_needed"] = "model_needed"
    file: str
    cause: Literal["missing", "drifted"]
    key: Key


class DraftsEnded(JournalEvent):
    """A test that did not pass has left drafts for the next run, or dropped those that it replayed."""

    kind: Literal["drafts_ended"] = "drafts_ended"
    kept: int = 0
    dropped: int = 0


class StepNoted(JournalEvent):
    """What is to be known of a step besides its result, in `words`.

    `about` is `draft` if it replays what a model has decided in a test that had not passed, or `of_this_run`
    earlier in this run; `similar` if a recording was not used though its sentence is similar; `paused`
    for what somebody found out while the run was paused; `unrecorded` for why it could not be recorded; and
    `kept` for what a recording has of it, or lacks, that nobody expects.
    """

    kind: Literal["step_noted"] = "step_noted"
    about: Literal["draft", "similar", "paused", "unrecorded", "kept"]
    words: str
    of_this_run: bool = False


EVENTS = {each.model_fields["kind"].default: each for each in JournalEvent.__subclasses__()}
AnyEvent: Any = Annotated[reduce(or_, EVENTS.values()), Field(discriminator="kind")]


class Damaged(JournalEvent):
    """A line that could not be read, such as the last one of a killed process. Never written."""

    kind: Literal["damaged"] = "damaged"
    file: str
    line: int


def new_run() -> str:
    """Return a unique name for a run that sorts by time."""
    now = datetime.now()
    return f"{now:%Y%m%d-%H%M%S}-{now.microsecond // 1000:03}-{os.getpid()}"


def is_alive(run: Path) -> bool:
    """Return whether a process still writes into the folder of a run."""
    return any(map(is_held, run.glob(f"*{_LOCK}")))


_LOCK = ".lock"
_BASE = {*JournalEvent.model_fields}
PLACE = frozenset(_BASE - {"kind", "time"})
"""The fields that say where an event belongs."""


class Journal:
    """Writes the journal of one process into the `folder` of a run, which no other run removes before its end."""

    def __init__(self, folder: Path, writer: str = "main", resumes: str = "") -> None:
        self.folder = folder
        self._resumes = resumes
        self.attempt = 1
        """The number of times that the current test was started."""
        self.events: list[JournalEvent] = []
        self._held: deque[list[bytes]] = deque([[]], maxlen=_HELD)
        self._path = folder / f"{writer}.jsonl"
        self.problem = ""
        """Why nothing more is written, "" as long as all is."""
        self._file: IO[str] | None = None
        self._lock: IO[str] | None = None

    def begin(self, attempt: int) -> None:
        """Continue with the next test, or with another attempt at the same one."""
        self.attempt = attempt
        self.events = []
        self._held.clear()
        self._held.append([])

    def write(self, event: JournalEvent, mask: Callable[[Any], Any] | None = None) -> None:
        """Append an event and flush it, so that it survives the death of the process.

        `mask` hides secrets in a JSON-like value. It is applied to the texts and values of an event,
        but not to the names of fields, nor to words, paths and numbers of our own, as a secret may be
        a word such as "passed".
        """
        if self.problem:
            return
        try:
            self._write(event, mask)
        except OSError as error:
            self._fail(error)

    def _write(self, event: JournalEvent, mask: Callable[[Any], Any] | None) -> None:
        if self._file is None:
            self._make_folder()
            # Texts of a page may have lone surrogates, which UTF-8 cannot encode.
            self._file = self._path.open("a", encoding="utf-8", errors="replace")
            commit = _commit_of(self.folder)
            self.write(RunStarted(pid=os.getpid(), resumes=self._resumes, commit=commit))
        self.events.append(event)
        line: dict[str, Any] = {"time": round(time.time(), 3), "kind": event.kind}
        line |= event.model_dump(include={"test", "webtask", "step"}, exclude_defaults=True)
        if event.test and self.attempt > 1:
            line["attempt"] = self.attempt
        fields = event.model_dump(mode="json", exclude=_BASE)
        line |= fields if mask is None else masked_fields(event, fields, mask)
        self._file.write(json.dumps(line, ensure_ascii=False) + "\n")
        self._file.flush()

    def save_picture(self, picture: bytes) -> Path:
        """Save a JPEG under a name made from its content, so that equal ones are stored once."""
        path = self._picture_path(picture)
        try:
            if not path.exists():
                self._make_folder()
                path.parent.mkdir(exist_ok=True)
                partial = path.with_suffix(f".{os.getpid()}")
                partial.write_bytes(picture)
                partial.replace(path)
        except OSError as error:
            self._fail(error)
        return path

    def hold_picture(self, picture: bytes) -> Path:
        """Return the path of a JPEG, which only `save_held_pictures` saves."""
        self._held[-1].append(picture)
        return self._picture_path(picture)

    def save_held_pictures(self) -> None:
        """Save the pictures that show the last two steps."""
        for picture in chain.from_iterable(self._held):
            self.save_picture(picture)

    def begin_step(self) -> None:
        """Forget the pictures that are too old to be kept."""
        self._held.append([])

    def _picture_path(self, picture: bytes) -> Path:
        return self.folder / "screenshots" / f"{hashlib.sha256(picture).hexdigest()[:20]}.jpg"

    def close(self) -> None:
        """Close the file; another event would open it again."""
        if self._file is not None:
            with suppress(OSError):  # what could not be written is still in its buffer
                self._file.close()
            self._file = None
        if self._lock is not None:
            self._lock.close()
            self._lock = None
            with suppress(OSError):
                self._path.with_suffix(_LOCK).unlink()

    def _fail(self, error: OSError) -> None:
        """Write no more after a failure: the tests go on, and the end of the run reports it."""
        self.problem = self.problem or (
            f"{self.folder} could not be written: {error.strerror or error}. The report and the"
            " recordings of this run are missing or not complete: free the disk or make the folder"
            " writable, and run the tests again"
        )

    def _make_folder(self) -> None:
        make_private(self.folder)
        if self._lock is None:
            # A file system may have no locks.
            with suppress(OSError):
                self._lock = hold(self._path.with_suffix(_LOCK))


def _commit_of(folder: Path) -> str:
    """Return the checked-out commit of the repository around a folder, "" if there is none."""
    asked = ("git", "-C", str(folder), "rev-parse", "--short=10", "HEAD")
    with suppress(OSError, subprocess.SubprocessError):
        answer = subprocess.run(asked, capture_output=True, text=True, check=True, timeout=5)
        return answer.stdout.strip()
    return ""


def masked_fields(value: Any, dumped: Any, mask: Callable[[Any], Any]) -> Any:
    """Return a dumped value with all of it masked but the fields of records that are our own."""
    masked = partial(masked_fields, mask=mask)
    if isinstance(dumped, list) and isinstance(value, (list, tuple)):
        return [*map(masked, value, dumped)]
    if isinstance(dumped, dict) and isinstance(value, dict):
        return {mask(name): masked(value.get(name), each) for name, each in dumped.items()}
    if isinstance(dumped, dict) and isinstance(value, BaseModel):
        # Our own serializers add no names but the kinds of checks.
        own = _own_fields(type(value)) | {"kind"}
        return {
            name: each if name in own else masked(getattr(value, name, None), each)
            for name, each in dumped.items()
        }
    return mask(dumped)


@cache
def _own_fields(model: type[BaseModel]) -> frozenset[str]:
    """Return the fields of a record that never hold a text or value of the page or the test."""
    hints = get_type_hints(model, include_extras=True)
    return frozenset(name for name, hint in hints.items() if _is_own(hint))


def _is_own(hint: Any) -> bool:
    """Return whether a type has only our own texts, and numbers that we have counted or measured."""
    if hint is OwnText or get_origin(hint) is Literal:
        return True
    inner = [each for each in get_args(hint) if each not in (type(None), Ellipsis)]
    if inner:
        return all(map(_is_own, inner))
    return isinstance(hint, type) and issubclass(hint, (int, float, Enum, Path))


def read(folder: Path) -> Iterator[JournalEvent]:
    """Return the events of a run in the order of their times.

    A line that cannot be read, or does not match the schema, becomes a `Damaged` event in its place.
    """
    events = chain.from_iterable(map(read_file, sorted(folder.glob("*.jsonl"))))
    return iter(sorted(events, key=lambda event: event.time))


def read_file(path: Path, test: str = "") -> Iterator[JournalEvent]:
    """Yield the events of one process in the order written; with `test`, only lines that name it are parsed."""
    name, last = json.dumps(test, ensure_ascii=False).encode(errors="replace"), 0.0
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            if test and name not in line[:_HEAD]:
                continue
            try:
                event = _parse(line, path.stem)
                last = event.time
            except (ValueError, KeyError):
                event = Damaged(time=last, writer=path.stem, file=path.name, line=number)
            yield event


_HEAD = 1000
"""The number of bytes of a line that have the fields of every event."""
_BEGINNING = re.compile(rb'\{"time": [\d.]+, "kind": "(\w+)"')


def _parse(text: bytes, writer: str) -> JournalEvent:
    """Return the event of a line. Raises ValueError or KeyError if it is damaged."""
    begins = _BEGINNING.match(text)
    if begins is None:
        raise ValueError("not the beginning of an event")
    own = f'{{"writer": {json.dumps(writer)}, '.encode()
    return EVENTS[begins[1].decode()].model_validate_json(own + text[1:])
