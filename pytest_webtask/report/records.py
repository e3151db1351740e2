"""What a report says of a run: the schema of `report.json`, out of which the pages are made too.

Times are seconds, `started` is seconds since the epoch, costs are US dollars, None where a price is
not known. Pictures are paths below the report's folder, boxes `[x, y, width, height]` in pixels of
their picture.
"""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from pytest_webtask.records import Conclusion, Fact, Ruling

VERSION = 1
MADE_BY = "pytest-webtask"


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", defer_build=True)


class Cost(_Part):
    """What models were asked and what that cost; `cached` are tokens that were read from a cache."""

    model_calls: int = 0
    tokens_in: int = 0
    tokens_cached: int = 0
    tokens_out: int = 0
    dollars: float | None = 0.0

    def add(self, other: Cost) -> None:
        """Take in another one."""
        self.model_calls += other.model_calls
        self.tokens_in += other.tokens_in
        self.tokens_cached += other.tokens_cached
        self.tokens_out += other.tokens_out
        known = self.dollars is not None and other.dollars is not None
        self.dollars = (self.dollars or 0.0) + (other.dollars or 0.0) if known else None


class Mark(_Part):
    """A box and a label that the model saw drawn on its picture.

    `line` leads from a label that stands apart to its box: x and y of both ends.
    """

    id: str
    colour: str
    box: tuple[float, float, float, float]
    label: tuple[float, float, float, float] | None = None
    line: tuple[float, float, float, float] | None = None


class Look(_Part):
    """The page at an instant, as a model saw it.

    `picture` is without `marks`, which are drawn upon it; where a journal has none of them they
    are part of the picture. `size` is that of the picture, in pixels.
    """

    url: str = ""
    title: str = ""
    outline: str = ""
    picture: str | None = None
    size: tuple[int, int] | None = None
    marks: list[Mark] = Field(default_factory=list)


class Call(_Part):
    """A tool call: what was asked, and what came of it.

    `element` is the id of the element that it was about, which is a mark of the picture before it;
    `locator` is how that is found again.
    """

    tool: str
    parameters: dict[str, Any] = Field(default_factory=dict)
    reason: str = ""
    element: str = ""
    locator: str = ""
    success: bool | None = None
    result: str = ""
    error: str = ""
    seconds: float = 0.0


class Event(_Part):
    """What the page did by itself: dialog, tab, download, console, request, stopped, ..."""

    kind: str
    text: str


class Iteration(_Part):
    """One decision and what came of it; `ended` is False where the process was killed in it.

    Of the role `referee` it has the `conclusion` that was ruled on and the `ruling`, which is None
    where the answer was none.
    """

    number: int
    role: str = ""
    model: str = ""
    seconds: float = 0.0
    look: Look | None = None
    reasoning: str = ""
    problem: str = ""
    notices: list[str] = Field(default_factory=list)
    calls: list[Call] = Field(default_factory=list)
    events: list[Event] = Field(default_factory=list)
    cost: Cost = Field(default_factory=Cost)
    ended: bool = True
    conclusion: Conclusion | None = None
    ruling: Ruling | None = None


class Check(_Part):
    """A check of a verdict, or a source of a value.

    `fact` is what code established on the page, `held_before` whether it held before the step did
    anything, None where that is not known.
    """

    kind: str
    about: str
    expected: str
    actual: str = ""
    holds: bool = False
    problem: str = ""
    locator: str = ""
    picture: str | None = None
    held_before: bool | None = None
    fact: Fact | None = None


class Approval(_Part):
    """Who approved the recorded evidence of a step, and on which day.

    `person` says that somebody answered for evidence that was edited by hand, `same_session` that a
    coding agent may have judged its own conclusion.
    """

    by: str
    on: str = ""
    person: bool = False
    same_session: bool = False


class Heal(_Part):
    """An element or a way that was found again; `used` says that the step went on with it."""

    what: str = ""
    old: str
    new: str
    file: str = ""
    used: bool = True


class Subtask(_Part):
    """A part of a planned task; `status` is `planned`, `in work`, `done` or `failed`."""

    goal: str
    status: str
    feedback: str = ""


class Rung(_Part):
    """How a step went on after something failed, from `found again` to `abort`, and why."""

    rung: str
    why: str = ""


class Step(_Part):
    """One call of the test's: `do`, `verify`, ...

    `status` is how it ended, as the journal has it (`completed`, `passed`, `failed`, `undecided`,
    `drifted`, `aborted`, `max_steps`, `timed_out`, `found`, `not found`, `yes`, `no`, `error`,
    `abandoned`), or `broken off` where it never did; `ok` is whether that is as it should be.
    `decided` is by whom: `replayed`, `literal`, `model`, `healed`, or "" where nobody had to.
    `evidence` are the checks of its verdict, `reason` the verdict's, `error` what failed it.
    `ruling` is the referee's that decided: the approval of a conclusion that counts, or the last
    refusal of one that does not. `approved` is who approved what was recorded.
    `last` is the page that it was left with, where it failed.
    """

    number: int
    webtask: str = ""
    kind: str
    sentence: str
    status: str = "broken off"
    ok: bool = False
    decided: str = ""
    started: float = 0.0
    seconds: float = 0.0
    cost: Cost = Field(default_factory=Cost)
    reason: str = ""
    error: str = ""
    value: str = ""
    by_eye: bool = False
    evidence: list[Check] = Field(default_factory=list)
    ruling: Ruling | None = None
    approved: Approval | None = None
    heals: list[Heal] = Field(default_factory=list)
    hints: list[str] = Field(default_factory=list)
    subtasks: list[Subtask] = Field(default_factory=list)
    rungs: list[Rung] = Field(default_factory=list)
    iterations: list[Iteration] = Field(default_factory=list)
    events: list[Event] = Field(default_factory=list)
    last: Look | None = None


class Artifact(_Part):
    """A file of Playwright's own: its trace, a video, a screenshot; `path` from the report's folder."""

    kind: str
    path: str


class Attempt(_Part):
    """One run of a test, of which there are several where it was run again.

    `outcome` is `passed`, `failed`, `error` (in setup or teardown), `skipped`, `xfailed`, `xpassed`
    or `never ended`; `message` is what pytest said of it, `raised` the errors
    alone, `blamed` the webtasks and numbers of the steps that raised them. `lost` is why it does not
    count: the way back to where a run broke off ended before it was there.
    """

    number: int = 1
    run: str = ""
    lost: str = ""
    outcome: str = "never ended"
    started: float = 0.0
    seconds: float = 0.0
    message: str = ""
    raised: str = ""
    blamed: list[tuple[str, int]] = Field(default_factory=list)
    steps: list[Step] = Field(default_factory=list)
    artifacts: list[Artifact] = Field(default_factory=list)


class Test(_Part):
    """A test with all its attempts; `outcome` is that of the last, or `flaky` if one before it failed.

    `decided` counts its steps by who decided them, `page` is its page in the report, `wrong` the
    first wrong moment of its last attempt, in a line.
    """

    __test__ = False

    id: str
    page: str = ""
    wrong: str = ""
    outcome: str = "never ended"
    started: float = 0.0
    seconds: float = 0.0
    cost: Cost = Field(default_factory=Cost)
    decided: dict[str, int] = Field(default_factory=dict)
    healed: int = 0
    attempts: list[Attempt] = Field(default_factory=list)


class Report(_Part):
    """A whole report. `outcomes` counts the tests, `decided` and `statuses` the steps of all attempts."""

    made_by: str = MADE_BY
    version: int = VERSION
    runs: list[str] = Field(default_factory=list)
    started: float = 0.0
    seconds: float = 0.0
    outcomes: dict[str, int] = Field(default_factory=dict)
    decided: dict[str, int] = Field(default_factory=dict)
    statuses: dict[str, int] = Field(default_factory=dict)
    steps: int = 0
    cost: Cost = Field(default_factory=Cost)
    damaged: int = 0
    tests: list[Test] = Field(default_factory=list)
