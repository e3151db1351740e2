"""The records exchanged by models, roles, journal and report."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from enum import Enum
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, Protocol

from pydantic import BaseModel, Field

from pytest_webtask.checks.base import Check, CheckResult
from pytest_webtask.types.page import Box, OwnText, Record, Seen, Shown, Spot, Target

if TYPE_CHECKING:
    from playwright.sync_api import Page


CauseWord = Literal["product", "page-changed", "test", "environment"]
"""What a failure is first of all to be looked for in."""


class Cause(Record):
    """The cause of a failure, with the grounds for it in a sentence."""

    word: CauseWord
    grounds: str


class Outcome(str, Enum):
    """The outcome of a claim."""

    PASSED = "passed"
    FAILED = "failed"
    UNDECIDED = "undecided"


_LARGEST_AMOUNT = 10**15
_Amount = Annotated[int, Field(ge=0, le=_LARGEST_AMOUNT)]


class Usage(Record):
    """The tokens and the cost of a decision; `cost` is in US dollars, None if unknown."""

    input_tokens: _Amount = 0
    output_tokens: _Amount = 0
    cache_read_tokens: _Amount = 0
    cache_write_tokens: _Amount = 0
    model_calls: _Amount = 0
    cost: float | None = Field(default=0.0, ge=0, le=_LARGEST_AMOUNT, allow_inf_nan=False)

    @property
    def tokens_in(self) -> int:
        """The total of input and cached input tokens."""
        return self.input_tokens + self.cache_read_tokens + self.cache_write_tokens

    @property
    def tokens(self) -> int:
        """The total of input, cached input and output tokens."""
        return self.tokens_in + self.output_tokens

    def __add__(self, other: Usage) -> Usage:
        known = self.cost is not None and other.cost is not None
        return Usage(
            input_tokens=self.input_tokens + other.input_tokens,
            output_tokens=self.output_tokens + other.output_tokens,
            cache_read_tokens=self.cache_read_tokens + other.cache_read_tokens,
            cache_write_tokens=self.cache_write_tokens + other.cache_write_tokens,
            model_calls=self.model_calls + other.model_calls,
            cost=(self.cost or 0.0) + (other.cost or 0.0) if known else None,
        )


class Ruling(Record):
    """The referee's answer: whether facts prove a conclusion.

    `counterexample` describes how all facts could be true and the conclusion false, "" if the
    referee found no way; `missing` names a missing fact. `incidental` are the numbers of facts of a task
    that are about something else, and are not recorded. `identifying` are texts around elements by
    which the referee knew them, `by_place` the names of items that are meant for their place in a list. `by` is the model that ruled; `blind` means
    that it saw only the conclusion and the facts.
    """

    counterexample: str = ""
    proves: bool
    missing: str = ""
    incidental: tuple[int, ...] = ()
    identifying: tuple[str, ...] = ()
    by_place: tuple[str, ...] = ()
    by: str = ""
    blind: bool = True


class Conclusion(Record):
    """A conclusion for the referee to rule on: the question, the answer, and the facts.

    `kind` is `claim`, `value`, `element` or `task`. The `outcome` of a claim is `holds` or `does_not_hold`.
    `value` was extracted, `actions` were done by a worker, whose `deviations` are what was done otherwise
    than its task says. `facts` are JSON objects, numbered from
    1 by their position; those of a task say whether they were true before. `pictures` are those of
    checks by eye, in the order of their facts. `today` is the day by the page's clock.
    """

    kind: Literal["claim", "value", "element", "task"]
    sentence: str
    outcome: str = ""
    value: Any = None
    actions: tuple[str, ...] = ()
    deviations: tuple[str, ...] = ()
    facts: tuple[dict[str, Any], ...] = ()
    today: OwnText = ""
    pictures: tuple[Path, ...] = Field(default=(), exclude=True)

    @property
    def key(self) -> str:
        """All that a referee sees, as a text; pictures are named by their content."""
        return " ".join([self.model_dump_json(), *(each.name for each in self.pictures)])


class Verdict(Record):
    """The verdict on a claim, with its evidence.

    `by_eye` means that a model made a check by eye instead of code. `ruling` is the referee's, or
    None if a literal sentence or a recording named the checks itself.
    """

    claim: str
    outcome: Outcome
    reason: str
    evidence: tuple[CheckResult, ...] = ()
    by_eye: bool = False
    ruling: Ruling | None = None
    usage: Usage = Field(default=Usage(), exclude=True, repr=False)
    """The usage of the step, rulings included; nothing in a replay."""


class Extracted(Record):
    """A value that was read from the page, with its sources and the usage of the step."""

    what: str
    value: Any
    sources: tuple[CheckResult, ...] = ()
    usage: Usage = Usage()


class WorkerStatus(str, Enum):
    """The way in which a worker's session ended, unless it runs or was broken off by an error."""

    RUNNING = "running"
    BROKEN_OFF = "broken off"
    COMPLETED = "completed"
    ABORTED = "aborted"
    MAX_STEPS = "max_steps"
    TIMED_OUT = "timed_out"


class Event(Record):
    """An event of the page: a dialog, a tab, a download, a stopped navigation.

    `text` is the event in words. `tab` is the number of a tab that opened, `url` its address. A question
    of the browser that was not accepted is `dismissed`. The application `fails` if its server could not
    answer a request, or no script has caught an error.
    """

    kind: OwnText
    text: str
    tab: int | None = None
    url: str = ""
    dismissed: bool = False
    fails: bool = False


@dataclass(frozen=True)
class ProposedToolCall:
    """A tool call as proposed by a model.

    `locators` are Playwright's locators of elements that the model has resolved itself, by parameter name, or
    for checks by the placeholder used as id; a model that answers with ids leaves it empty. `waits` is the number
    of seconds in which its checks may become true.
    """

    tool: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    reason: str = ""
    locators: Mapping[str, Any] = field(default_factory=dict)
    waits: float = 0.0


class ToolCall(Record):
    """A completed tool call: `result` is the text for the model, `error` the reason of a failure.

    A call that was not `ran` came after the end of its batch, for the reason in `error`.
    `targets` are its elements, by parameter name. `recorded` are parameters that replace those of
    the call in a recording, such as a point relative to its element instead of the page. `loaded`
    means that another page was loaded before the next call, `awaited` that after the call before, which typed
    something, the page sent a request by itself. It was `in_vain` if it was done without its effect. `acts`, `ends`, `informs` and
    `replayed` are the flags of the tool, but a call without effect is not `replayed`. `spot` is where
    it acted, None where no picture shows it. `evidence` are the checks of a checkpoint, as they held
    then.
    """

    tool: OwnText
    parameters: dict[str, Any]
    reason: str = ""
    targets: dict[str, Target] = Field(default_factory=dict)
    recorded: dict[str, Any] = Field(default_factory=dict)
    evidence: tuple[CheckResult, ...] = ()
    spot: Spot | None = None
    loaded: bool = False
    awaited: bool = False
    in_vain: bool = False
    acts: bool = False
    ends: bool = False
    informs: bool = False
    replayed: bool = False
    ran: bool = True
    success: bool
    result: str = ""
    error: str | None = None
    time: float = 0.0

    @property
    def target(self) -> Target | None:
        """The element of the call, or the first of several."""
        return self.targets.get("element_id") or next(iter(self.targets.values()), None)

    @property
    def given(self) -> dict[str, Any]:
        """The parameters as they are recorded, without elements and what was left out."""
        every = {**self.parameters, **self.recorded}.items()
        return {n: v for n, v in every if v is not None and not n.endswith("element_id")}


Decider = Literal["model", "literal", "recording"]
"""Who decides: the literal interpreter, a recording, or any other model."""


@dataclass(frozen=True)
class Decision:
    """One answer of a model: the calls to make, in order.

    `problem` is the reason why an answer has no calls, such as a token limit. `model` is the name
    of the deciding model, by default the name of its class. `waited` are the seconds in which the model
    waited for people, which do not count as time of the step. `decided_by` is for the models of this
    package.
    """

    calls: Sequence[ProposedToolCall] = ()
    reasoning: str = ""
    problem: str = ""
    model: str = ""
    usage: Usage = Usage()  # noqa: RUF009 - it is frozen
    waited: float = 0.0
    decided_by: Decider = "model"
    missing: bool = False
    """True if the step ends because an element that its sentence names is not on the page."""
    left: str = ""
    """Why a literal sentence was left to this model, in its first iteration; "" for others."""


class Question(Record):
    """What a role of the project's own was asked, with the data and the names of the pictures passed to it."""

    text: str
    material: Any = None
    pictures: tuple[str, ...] = ()


class Iteration(Record):
    """One decision of a model with its calls and events.

    `subtask` and `round` are the numbers of the subtask and of the round of work that it was for, from 1,
    `phase` is the phase of the task. `sees_page` is False for a role that sees no page. `question` is what a
    role of the project's own was asked, in its first iteration; None for others.
    """

    number: int
    role: OwnText
    model: OwnText = ""
    decided_by: Decider = "model"
    missing: bool = False
    """True if the step ends because an element that its sentence names is not on the page."""
    left: str = ""
    """Why a literal sentence was left to this model, in its first iteration; "" for others."""
    subtask: int | None = None
    round: int | None = None
    phase: str = ""
    sees_page: bool = True
    question: Question | None = None
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
    """A task with its iterations and its result.

    `evidence` are the checks that show that the task is done, `deviations` what was done otherwise than
    the task says, in the words of the model. `ruling` is the referee's ruling on
    them, `reviewing` the usage of all rulings. `round` is the number of the round that a worker's part is in
    the record of its task, None for other sessions.
    """

    status: WorkerStatus
    output: Any = None
    feedback: str = ""
    evidence: tuple[CheckResult, ...] = ()
    deviations: tuple[str, ...] = ()
    ruling: Ruling | None = None
    iterations: tuple[Iteration, ...] = ()
    task_description: str
    max_steps: int
    reviewing: Usage = Usage()
    round: int | None = None

    @property
    def gave_up(self) -> str:
        """The reason of a worker that gave up, "" for others."""
        return self.feedback if self.status is WorkerStatus.ABORTED else ""

    @property
    def steps_used(self) -> int:
        """The number of iterations."""
        return len(self.iterations)

    @property
    def by_eye(self) -> bool:
        """True if the evidence has a check that a model made by eye instead of code."""
        checkpoints = (each for i in self.iterations for call in i.calls for each in call.evidence)
        return any(each.check.by_eye for each in (*self.evidence, *checkpoints))

    @property
    def usage(self) -> Usage:
        """The usage of all iterations and of the referee."""
        return sum((i.usage for i in self.iterations), self.reviewing)


class EarlierStep(Record):
    """An earlier step of the test, or a part of the task, as the roles of a later one know it.

    `number` is that of the step, 0 for a part of a task. `calls` are its actions in words, `facts`
    what the page showed for its result. `value` is what it read or selected. `words` are closing
    words of a model, or an error. Sentence and status come from the test; all other texts may quote
    a page.
    """

    kind: str
    sentence: str
    status: str
    number: int = 0
    calls: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()
    value: str = ""
    words: str = ""

    @property
    def without_words(self) -> EarlierStep:
        """The step for a role that judges: its calls and facts, but no opinion of a worker."""
        if self.kind not in ("do", "part"):
            return self.model_copy(update={"words": ""})
        return EarlierStep(
            kind="do",
            sentence="",
            status="",
            number=self.number,
            calls=self.calls,
            facts=self.facts,
        )


@dataclass(frozen=True)
class EarlierSteps:
    """The memory of a step: the earlier steps, for its roles.

    `actions` were done for the task whose work is judged, `before` is the page before the last step,
    or before that work, if it was observed.
    """

    steps: Sequence[EarlierStep] = ()
    actions: Sequence[str] = ()
    before: Seen | None = None

    @property
    def without_words(self) -> EarlierSteps:
        """The memory for a role that judges."""
        return replace(self, steps=tuple(each.without_words for each in self.steps))


class Result(Record):
    """The result of `do`: the validated output, the feedback, and the session.

    `feedback` has a line for each action on the page and for each fact that shows that the task is
    done. Code writes it, so that a replay has the same as the first run if the page shows the same;
    the closing words of a model are in `session.feedback`. For a task that was not done it is the
    reason.
    """

    output: Any = None
    feedback: str = ""
    session: WorkerSession

    @property
    def status(self) -> WorkerStatus:
        """The way in which the task ended."""
        return self.session.status

    @property
    def deviations(self) -> tuple[str, ...]:
        """The deviations from the task, in the words of the model that made them."""
        return self.session.deviations


class Tab(Record):
    """An open page of the test. `name` is its title, or its address if the title is empty."""

    number: int
    name: str
    url: str
    in_front: bool


class TestState(Record):
    """The state of a test: `webtask.state`.

    `status` is `running` during a step, `waiting` between steps, and `ended` after the test.
    `running` is the current step, `task` the last `do`, `errors` are the errors of failed steps. `steps` are
    the sessions of all `do`s and `actions` the actions done on the page, also by one that runs or was
    broken off.
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
    """An operable element of an observation.

    `id` is its name for models. `box` is None if the element has no area, and nothing of a `hidden` one
    can be seen.
    """

    id: str
    role: str
    name: str = ""
    tag: str = ""
    type: str = ""
    key: str = ""
    box: Box | None = None
    in_view: bool = False
    hidden: bool = False


@dataclass
class Observation:
    """A snapshot of the page.

    `outline` is Markdown; `elements` are the operable elements by id, `texts` the others that have
    an id. `document` is new with each page that is loaded. `today` is the date of the page's own clock,
    in `time_zone`; None and "" if it shows none. `take_screenshot` takes the marked picture when `screenshot` is first read.
    """

    url: str
    title: str
    outline: str
    elements: Mapping[str, Element]
    texts: Mapping[str, Element] = field(default_factory=dict)
    tabs: Sequence[Tab] = ()
    document: str = ""
    today: date | None = None
    time_zone: str = ""
    words: str = ""
    shown: Mapping[str, Shown] = field(default_factory=dict)
    """All texts of the page, and its elements with an id, for a comparison with a later observation."""
    viewport: tuple[float, float] | None = None
    """Width and height of the visible part, in CSS pixels."""
    take_screenshot: Callable[[], Path | None] = lambda: None

    @cached_property
    def screenshot(self) -> Path | None:
        """The viewport with a box and a label for each element, as a file; None if switched off."""
        return self.take_screenshot()

    @property
    def seen(self) -> Seen:
        """The part of the observation that is kept in an iteration."""
        taken: Path | None = vars(self).get("screenshot")
        return Seen(
            url=self.url,
            title=self.title,
            outline=self.outline,
            document=self.document,
            screenshot=f"{taken.parent.name}/{taken.name}" if taken else None,
            words=self.words,
            elements=self.shown,
        )


@dataclass(frozen=True)
class ToolSpec:
    """A tool as described to a model."""

    name: str
    description: str
    args: type[BaseModel]

    @cached_property
    def parameters(self) -> dict[str, Any]:
        """The JSON Schema of the tool's parameters."""
        return self.args.model_json_schema()


class PageView(Protocol):
    """The protocol of what roles see of a page."""

    @property
    def page(self) -> Page:
        """Return Playwright's page."""
        ...

    @property
    def loads(self) -> int:
        """Return the number of pages loaded so far."""
        ...

    @property
    def vanished(self) -> Sequence[str]:
        """Return the texts that vanished before the last observation."""
        ...

    def observe(self) -> Observation:
        """Observe the page. Raises PageError."""
        ...

    def check(
        self,
        evidence: Sequence[Mapping[str, Any] | Check],
        locators: Mapping[str, Any],
    ) -> Sequence[CheckResult]:
        """Run checks without waiting; the results decide nothing."""
        ...


@dataclass
class Turn:
    """The input of a decision, as structured data without prompt text.

    `iterations` are those of this step so far, `earlier` the earlier steps as far as the role may
    know them, `notices` messages of the loop. `data` maps placeholder names to their values, or to
    None for secrets. To judge work, `actions` are those of its task; to judge, `before` is the page
    before the last step or the work. `view` is the live page. It is observed only when `observation`
    is first read.
    """

    role: str
    task: str
    tools: Sequence[ToolSpec]
    view: PageView
    iterations: Sequence[Iteration] = ()
    earlier: Sequence[EarlierStep] = ()
    data: Mapping[str, str | None] = field(default_factory=dict)
    resources: Sequence[str] = ()
    instructions: str = ""
    prompt: str = ""
    """The prompt of a project's own role; the package has those of its own."""
    notices: Sequence[str] = ()
    actions: Sequence[str] = ()
    before: Seen | None = None
    number: int = 1
    max_steps: int = 20
    timeout: float = 5.0
    """Seconds that a model which resolves elements itself may wait for one to appear."""
    busy_timeout: float = 0.0
    """The same for the element of an action, while the page is busy."""
    opened: str = ""
    """The address of the page when the step began."""
    record: TaskRecord | None = None
    """The record of the task for a planning role, which sees no page."""
    work: Work | None = None
    """The work that a verifier judges, unless it judges a claim."""
    conclusion: Conclusion | None = None
    """The conclusion for a referee, which sees no page."""
    material: Any = None
    """What a project's own role is asked about, as JSON; others may have written it."""
    pictures: Sequence[Path] = ()
    """The pictures of that question."""
    sees: bool = True
    """Whether the role sees the page; roles that plan or rule never do."""
    deadline: float | None = None
    """The end of the step's time on the monotonic clock; later answers are dropped."""
    vanished: Sequence[str] = field(default=(), init=False)
    """Texts that appeared since the last task began and vanished before the observation."""

    @property
    def page(self) -> Page:
        """The live page, for a model that resolves elements itself."""
        return self.view.page

    def observe(self) -> Observation:
        """Observe the page again."""
        observation = self.view.observe()
        # They are effects of the previous calls.
        self.vanished = self.view.vanished
        return observation

    def check(
        self,
        evidence: Sequence[Mapping[str, Any] | Check],
        locators: Mapping[str, Any],
    ) -> Sequence[CheckResult]:
        """Run checks on the live page, for a model that resolves elements itself.

        Checks do not wait, and their results decide nothing.
        """
        return self.view.check(evidence, locators)

    def loads(self) -> int:
        """Return the number of pages loaded so far."""
        return self.view.loads

    def left(self, seconds: float) -> float:
        """Return a number of seconds, limited by the deadline."""
        if self.deadline is None:
            return seconds
        return max(min(seconds, self.deadline - time.monotonic()), 0.001)

    @cached_property
    def observation(self) -> Observation:
        """The page, observed once per turn when first read."""
        return self.observe()

    @property
    def observed(self) -> Observation | None:
        """The observation if it was read, else None."""
        return vars(self).get("observation")


class Subtask(Record):
    """A part of a task.

    It is `dropped` if a later plan left it out or the task was done without it, and `cut off` if the task ended before it was judged.
    `feedback` are the verifier's words, or the reason why it was cut off, "" before.
    """

    goal: str
    status: Literal["planned", "in work", "done", "failed", "dropped", "cut off"] = "planned"
    feedback: str = ""


class Cycle(Record):
    """One round: a worker's assignment, the end of its session, and the verifier's judgment.

    `subtask` is the number of its subtask, None outside of one. `goal` is what is to be achieved,
    `assignment` the same, or the remaining work as described by a verifier. `worked` is the status of the
    worker's session, `gave_up` its reason for giving up, and `did` are its actions. `judged` is the
    tool with which the verifier answered, and `feedback` are its words, "" if none has judged. `shown` are
    the checks that either of them cited.
    """

    subtask: int | None = None
    goal: str
    assignment: str
    worked: str
    gave_up: str = ""
    did: tuple[str, ...] = ()
    judged: str = ""
    feedback: str = ""
    shown: tuple[str, ...] = ()


class TaskRecord(Record):
    """The progress of a `do`.

    `status` is `running`, or the status of the ended session. `current` is the number of the
    subtask in work, from 1, or None. `phase` are the workflow's words for what it does now. `asks_value`
    means that the worker has to return a value, the output.
    """

    description: str
    workflow: OwnText = "worker"
    status: OwnText = "running"
    resources: tuple[str, ...] = ()
    subtasks: tuple[Subtask, ...] = ()
    current: int | None = None
    phase: str = ""
    asks_value: bool = False
    history: tuple[Cycle, ...] = ()

    def with_subtask(self, number: int, **fields: Any) -> tuple[Subtask, ...]:
        """Return the subtasks, with other fields of the one with a number."""
        changed = self.subtasks[number - 1].model_copy(update=fields)
        return (*self.subtasks[: number - 1], changed, *self.subtasks[number:])


class Work(Record):
    """The work on an assignment, which a verifier judges; the assignment is a goal or a part of it.

    `worked` is the status of the worker's session and `gave_up` its reason for giving up; the words
    of a worker that is done are left out, but for its `deviations`, what was done otherwise than the
    assignment says. `shown` are its cited checks as run by code, `rounds` the earlier rounds of the
    assignment, `parts` those before it. `last` means that nothing is planned after it, None that this is not known.
    """

    goal: str
    assignment: str
    worked: str
    gave_up: str = ""
    deviations: tuple[str, ...] = ()
    shown: tuple[str, ...] = ()
    rounds: tuple[Cycle, ...] = ()
    parts: tuple[Cycle, ...] = ()
    last: bool | None = None
