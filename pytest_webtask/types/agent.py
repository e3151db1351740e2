"""The records that models, roles, journal and report exchange."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from pytest_webtask.checks.base import CheckResult, Container, Fact
from pytest_webtask.types.page import Box, Record, Signature, Target, Usage

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

    from pytest_webtask.page.recorded_element import RecordedElement

__all__ = [
    "Box",
    "CheckResult",
    "Conclusion",
    "Container",
    "Cycle",
    "Decision",
    "Element",
    "Event",
    "Extracted",
    "Fact",
    "Iteration",
    "Observation",
    "Outcome",
    "ProposedToolCall",
    "Record",
    "Result",
    "Ruling",
    "Seen",
    "Signature",
    "Subtask",
    "Tab",
    "Target",
    "TaskRecord",
    "TestState",
    "ToolCall",
    "ToolSpec",
    "Turn",
    "Usage",
    "Verdict",
    "Work",
    "WorkerSession",
    "WorkerStatus",
]


class Outcome(str, Enum):
    """What became of a claim."""

    PASSED = "passed"
    FAILED = "failed"
    UNDECIDED = "undecided"


class Ruling(Record):
    """The referee's answer: whether facts prove a conclusion.

    `counterexample` is how all facts could be true and the conclusion false, "" where the referee
    found none; `missing` names the fact that is missing. `by` is the model that ruled; `blind` says that nothing else
    than the conclusion and the facts was seen.
    """

    counterexample: str = ""
    proves: bool
    missing: str = ""
    by: str = ""
    blind: bool = True
    usage: Usage = Field(default=Usage(), exclude=True, repr=False)
    """What it cost, with answers that could not be used."""


class Conclusion(Record):
    """What a referee rules on: what was asked, what was concluded, and the facts.

    `kind` is `claim`, `value`, `element`, `task`, `pattern` (texts that change by themselves) or
    `case` (texts that differ with the data), `outcome` of a claim `holds` or
    `does_not_hold`. `value` is what was extracted, `actions` what a worker did. `facts` are JSON objects, numbered from 1
    by their place; of a task each says whether it was so before. `pictures` are those of checks by eye, in the order of their
    facts.
    """

    kind: Literal["claim", "value", "element", "task", "pattern", "case"]
    sentence: str
    outcome: str = ""
    value: Any = None
    actions: tuple[str, ...] = ()
    facts: tuple[dict[str, Any], ...] = ()
    pictures: tuple[Path, ...] = Field(default=(), exclude=True)


class Verdict(Record):
    """What `verify` returns: a claim passed, with the checks that it rests on.

    `by_eye` says that a check was made by eye, which no code has run. `ruling` is the referee's,
    None where a literal sentence or a recording named the checks itself.
    """

    claim: str
    outcome: Outcome
    reason: str
    evidence: tuple[CheckResult, ...] = ()
    by_eye: bool = False
    ruling: Ruling | None = None


class Extracted(Record):
    """A value that was read off the page, and where."""

    what: str
    value: Any
    sources: tuple[CheckResult, ...] = ()


_ID = re.compile(r"[\[<][a-z]+-\d+>?")


class WorkerStatus(str, Enum):
    """How a worker's session ended."""

    COMPLETED = "completed"
    ABORTED = "aborted"
    MAX_STEPS = "max_steps"
    TIMED_OUT = "timed_out"


class Event(Record):
    """Something that the page did by itself: a dialog, a tab, a download, a stopped navigation."""

    kind: str
    text: str


@dataclass(frozen=True)
class ProposedToolCall:
    """A tool call as a model gives it.

    `locators` holds elements that the model has resolved already, by the name of the parameter, or
    for checks by what is given in place of an id; a model that answers with ids leaves it empty.
    `waits` is how many seconds checks in it are given to hold.
    """

    tool: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    reason: str = ""
    locators: Mapping[str, Locator | RecordedElement] = field(default_factory=dict)
    waits: float = 0.0


class ToolCall(Record):
    """A tool call that was made: `result` is what the model is told, `error` why it failed.

    `targets` are its elements, by the name of the parameter, and `again` what other parameters must
    be to make it again: a point of the page, say, as one of its element. `loaded` says that another
    page came after it, before the next call.
    """

    tool: str
    parameters: dict[str, Any]
    reason: str = ""
    targets: dict[str, Target] = Field(default_factory=dict)
    again: dict[str, Any] = Field(default_factory=dict)
    loaded: bool = False
    success: bool
    result: str = ""
    error: str | None = None
    time: float = 0.0

    @property
    def target(self) -> Target | None:
        """The element that it was about, or began with."""
        return self.targets.get("element_id") or next(iter(self.targets.values()), None)


@dataclass(frozen=True)
class Decision:
    """One answer of a model: the calls to make, in order.

    `problem` says why an answer has no calls where it ought to have some: it was cut, say. `model`
    is the name of who decided; left empty, it is that of the model's class.
    """

    calls: Sequence[ProposedToolCall] = ()
    reasoning: str = ""
    problem: str = ""
    model: str = ""
    usage: Usage = Usage()  # noqa: RUF009 - it is frozen


class Seen(Record):
    """What a model saw of the page; `screenshot` is a path below the run's folder."""

    url: str
    title: str
    outline: str
    screenshot: str | None = None

    @property
    def words(self) -> str:
        """The outline without the ids of elements."""
        return _ID.sub(" ", self.outline)


class Iteration(Record):
    """One decision of a model and what came of it."""

    number: int
    role: str
    model: str = ""
    observed: Seen | None = None
    reasoning: str = ""
    problem: str = ""
    calls: tuple[ToolCall, ...] = ()
    events: tuple[Event, ...] = ()
    notices: tuple[str, ...] = ()
    usage: Usage = Usage()
    started: float
    time: float


class WorkerSession(Record):
    """Everything about one task: what was asked, what was done, how it ended.

    `evidence` are the checks that the worker's "done" rests on, `ruling` the referee's on it, `reviewing` what all rulings
    cost. `final_dom` is the outline of the page last seen and `final_screenshot` the picture of it; both
    are None where nobody looked, as when the literal interpreter did all.
    """

    model_config = ConfigDict(
        frozen=True, extra="forbid", arbitrary_types_allowed=True, defer_build=True
    )

    status: WorkerStatus
    output: Any = None
    feedback: str = ""
    evidence: tuple[CheckResult, ...] = ()
    ruling: Ruling | None = None
    iterations: tuple[Iteration, ...] = ()
    task_description: str
    max_steps: int
    final_dom: str | None = None
    final_screenshot: Path | None = None
    reviewing: Usage = Usage()

    @property
    def steps_used(self) -> int:
        """How many iterations there were."""
        return len(self.iterations)

    @property
    def by_eye(self) -> bool:
        """Whether a check of the evidence was made by eye, which no code has run."""
        return any(each.check.by_eye for each in self.evidence)

    @property
    def usage(self) -> Usage:
        """What all iterations cost together, and the referee."""
        return sum((i.usage for i in self.iterations), self.reviewing)


class Result(Record):
    """What `do` returns: the validated output, the worker's closing words, and all it did."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", arbitrary_types_allowed=True, defer_build=True
    )

    output: Any = None
    feedback: str = ""
    session: WorkerSession


class Tab(Record):
    """An open page of the test. `name` is its title, or its address where it has none."""

    number: int
    name: str
    url: str
    in_front: bool


class TestState(Record):
    """What a test is at: `webtask.state`.

    `status` is `running` while a step is, `waiting` between steps, `ended` when the test is over;
    `running` is the step at work, `task` the last `do`, `actions` what was done on the page,
    `errors` what steps have failed with.
    """

    __test__ = False

    test: str
    status: str
    running: str | None
    task: TaskRecord | None = None
    steps: tuple[WorkerSession, ...] = ()
    actions: tuple[str, ...] = ()
    errors: tuple[str, ...] = ()
    verdicts: tuple[Verdict, ...] = ()
    extracted: tuple[Extracted, ...] = ()
    tabs: tuple[Tab, ...] = ()
    data: tuple[str, ...] = ()


class Element(Record):
    """An element that can be operated, as an observation found it.

    `id` is what a model calls it. `box` is None where the element has no area.
    """

    id: str
    role: str
    name: str = ""
    tag: str = ""
    type: str = ""
    key: str = ""
    box: Box | None = None
    in_view: bool = False


@dataclass
class Observation:
    """The page at an instant.

    `outline` is Markdown; `elements` are those that can be operated, by id, and `texts` those that
    can only be read; `take_screenshot` makes the marked picture when it is first read.
    """

    url: str
    title: str
    outline: str
    elements: Mapping[str, Element]
    texts: Mapping[str, Element] = field(default_factory=dict)
    tabs: Sequence[Tab] = ()
    viewport: tuple[float, float] | None = None
    """Width and height of the visible part, in CSS pixels."""
    take_screenshot: Callable[[], Path | None] = lambda: None

    @cached_property
    def screenshot(self) -> Path | None:
        """The viewport with a box and a label for each element, as a file; None if switched off."""
        return self.take_screenshot()

    @property
    def seen(self) -> Seen:
        """What of it is kept in an iteration."""
        taken = self.__dict__.get("screenshot")
        return Seen(
            url=self.url,
            title=self.title,
            outline=self.outline,
            screenshot=f"{taken.parent.name}/{taken.name}" if taken else None,
        )


@dataclass(frozen=True)
class ToolSpec:
    """A tool as a model is told of it."""

    name: str
    description: str
    args: type[BaseModel]

    @cached_property
    def parameters(self) -> dict[str, Any]:
        """The JSON Schema of the tool's parameters, made when first read."""
        return self.args.model_json_schema()


@dataclass
class Turn:
    """What a model decides upon: structure, never prompt text.

    `iterations` are those of this step so far, `earlier` the sessions of earlier steps that the
    step may know of, `notices` what the loop has to say before this decision. `data` maps the
    names that sentences may use to their values, a secret's value being None; `actions` are those
    that were taken in the test and `before` the page before the last of its steps, where a claim is
    judged; `check` asks the page, for models that resolve elements themselves; `page` is the live
    page, for models that resolve elements themselves. The page is observed when `observation` is
    first read, and not at all by a model that never reads it.
    """

    role: str
    task: str
    tools: Sequence[ToolSpec]
    page: Page
    observe: Callable[[], Observation]
    iterations: Sequence[Iteration] = ()
    earlier: Sequence[WorkerSession] = ()
    data: Mapping[str, str | None] = field(default_factory=dict)
    resources: Sequence[str] = ()
    instructions: str = ""
    notices: Sequence[str] = ()
    actions: Sequence[str] = ()
    before: Seen | None = None
    check: Callable[
        [Sequence[Mapping[str, Any]], Mapping[str, Locator | RecordedElement]],
        Sequence[CheckResult],
    ] = lambda evidence, locators: ()
    loads: Callable[[], int] = lambda: 0
    """Counts the pages that have been loaded."""
    number: int = 1
    max_steps: int = 20
    timeout: float = 5.0
    """Seconds that a model which resolves elements itself may wait for one to appear."""
    opened: str = ""
    """The address of the page when the step began."""
    record: TaskRecord | None = None
    """What a role that plans knows of the task; such a role sees no page."""
    work: Work | None = None
    """What a verifier is to judge where it is not a claim."""
    conclusion: Conclusion | None = None
    """What a referee rules on; such a role sees no page."""
    vanished: Sequence[str] = ()
    """Texts that appeared since the last task began and had gone when the page was observed."""
    deadline: float | None = None
    """When the task's time is over, on the monotonic clock; an answer that comes later is dropped."""

    def left(self, seconds: float) -> float:
        """So many seconds, or what is left until the deadline."""
        if self.deadline is None:
            return seconds
        return max(min(seconds, self.deadline - time.monotonic()), 0.001)

    @cached_property
    def observation(self) -> Observation:
        """The page, observed now if it was not before in this turn."""
        return self.observe()

    @property
    def sees(self) -> bool:
        """Whether the role sees the page; one that plans or rules never does."""
        return self.record is None and self.conclusion is None

    @property
    def observed(self) -> Observation | None:
        """The observation, if somebody read it."""
        return self.__dict__.get("observation")


class Subtask(Record):
    """A part of a task.

    `feedback` is what the verifier said of it, "" until it did, `shown` the checks that it cited.
    """

    goal: str
    status: Literal["planned", "in work", "done", "failed"] = "planned"
    feedback: str = ""
    shown: tuple[str, ...] = ()


class Cycle(Record):
    """One round: what a worker was asked, how its session ended, and what was said of its work.

    `assignment` is the subtask itself, or what a verifier has said is to be done of it yet.
    `judged` is the tool with which the verifier handed over; `gave_up` is why the worker did, in its
    own words.
    """

    subtask: str
    assignment: str
    worked: str
    judged: str
    feedback: str
    gave_up: str = ""


class TaskRecord(Record):
    """What a `do` is at.

    `status` is `running`, or as the session ended; `current` the index in `subtasks` of the one in
    work, counted from 0, None where there is none; `asks_value` says that the worker has to give a
    value, the output.
    """

    description: str
    workflow: str = "worker"
    status: str = "running"
    resources: tuple[str, ...] = ()
    subtasks: tuple[Subtask, ...] = ()
    current: int | None = None
    asks_value: bool = False
    history: tuple[Cycle, ...] = ()


class Work(Record):
    """What a verifier is to judge: the work at an assignment, which is a part of a goal or all of it.

    `worked` is how the worker's session ended and `gave_up` why, if it did: of one that says that it
    is done, no word is told. `shown` are the checks that it cited, as code has run them; `rounds` what
    the verifier has said of the assignment before, `parts` those before it; `last` says that nothing is
    planned after it, None where the plan is made as it goes.
    """

    goal: str
    assignment: str
    worked: str
    gave_up: str = ""
    shown: tuple[str, ...] = ()
    rounds: tuple[Cycle, ...] = ()
    parts: tuple[Subtask, ...] = ()
    last: bool | None = None
