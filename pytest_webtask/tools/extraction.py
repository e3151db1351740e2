"""Tools that give what was asked for: a value as it stands on the page, or an element."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal
from enum import Enum
from typing import Any, Literal

from playwright.sync_api import Locator
from pydantic import BaseModel, ConfigDict, Field, PydanticUserError, create_model
from pydantic.errors import PydanticSchemaGenerationError
from pydantic.json_schema import SkipJsonSchema
from pydantic_core import to_jsonable_python

from pytest_webtask.checks.base import Check, CheckResult, UncheckableError
from pytest_webtask.checks.element import Attribute, Matches, State, Text, Value
from pytest_webtask.checks.floor import basic_problems
from pytest_webtask.checks.kinds import AnyCheck
from pytest_webtask.checks.page import Absent, Title, Url
from pytest_webtask.checks.sets import Count
from pytest_webtask.checks.text import amounts_in, dates_in, letters, says, squashed, values_of
from pytest_webtask.errors import UsageError
from pytest_webtask.tools.context import Ending, Hands
from pytest_webtask.tools.registry import Args, Tool, ToolError
from pytest_webtask.tools.review import (
    RefusedError,
    Review,
    StaleError,
    concluded,
    made_lasting,
    run_checks,
    texts_of,
    with_vanished,
)
from pytest_webtask.types.agent import Element, Target

__all__ = [
    "Request",
    "Source",
    "read_sources",
    "report_element",
    "report_nothing",
    "report_value",
    "unread_parts",
    "unsupported_sources",
]


@dataclass
class Request:
    """What was asked for, and what came of it.

    `value` is what was read and `sources` where, or `locator` the element with its `code`;
    `evidence` is what it rests on besides, which every later run must show as well;
    `missing` says why there is neither, `given_up` that the answers were refused too often.
    `reviewed` says whether whoever answers is a model, and no literal sentence or recording.
    """

    given_up: bool = False

    found: bool = False
    value: Any = None
    sources: Sequence[CheckResult] = ()
    evidence: Sequence[CheckResult] = ()
    locator: Locator | None = None
    code: str = ""
    target: Target | None = None
    missing: str = ""
    candidates: Sequence[str] = field(default_factory=list)
    question: str = ""
    review: Review = field(default_factory=Review)
    reviewed: Callable[[], bool] = lambda: False

    def approve(
        self,
        hands: Hands,
        kind: Literal["value", "element"],
        opinion: str,
        results: Sequence[CheckResult],
        checks: Sequence[Check],
        problems: Sequence[str] = (),
        **more: Any,
    ) -> bool:
        """Whether code and referee agree on what was read or found, by `results` and `checks`.

        Where they refuse for the last time, nothing was found. Raises ToolError where it is sent
        back, StaleError where the page has changed meanwhile.
        """
        if not self.reviewed():
            return True
        evidence = with_vanished(hands, run_checks(hands, checks))
        wrong = [*problems, *(basic_problems([*results, *evidence]) if evidence else ())]
        try:
            self.review.refuse(opinion, wrong, [*results, *evidence])
            read = _written(more.get("value"), results)
            self.evidence = made_lasting(hands, evidence, self.question, read)
            if kind == "value":
                self.evidence = _besides(results, self.evidence)
            facts = [*results, *self.evidence]
            conclusion = concluded(hands, kind, self.question, facts, **more)
            again = [each.check for each in facts]
            self.review.approve(opinion, conclusion, facts, lambda: run_checks(hands, again))
        except RefusedError as refused:
            self.missing = hands.data.scrub(str(refused))
            self.given_up = True
            hands.ending = Ending(done=False, words=self.missing)
            return False
        return True


class Source(BaseModel):
    """Where something was read."""

    model_config = ConfigDict(extra="forbid", defer_build=True)

    element_id: str = Field(
        description="The id of the smallest element that shows it; url or title for those of the page."
    )
    text: str = Field(description="What it shows, word for word; of a field, its value.")


_EVIDENCE = (
    "Further checks of what makes it the right answer, such as the state of a control, the label"
    " beside it, or the count that shows that these are all. They become conditions of every later"
    " run: nothing that may differ then, such as the value itself."
)


class _Given(Args):
    # "yes" is no bool: what does not fit goes back to the reader.
    model_config = ConfigDict(strict=True)


class ReportElement(Args):
    """An element."""

    element_id: str = Field(description="The element's id, as it stands in the outline.")
    evidence: list[AnyCheck] = Field(default_factory=list, description=_EVIDENCE)


class ReportNothing(Args):
    """Why there is nothing to report."""

    reason: str = Field(description="What is missing, or what cannot be told apart.")
    candidates: list[str] = Field(
        default_factory=list,
        description="Ids of elements that could be meant, where several could.",
    )


def report_value(wanted: Request, schema: Any) -> Tool:
    """The tool that gives a value of a type. Raises UsageError for what is none."""
    try:
        args = create_model(
            "ReportValue",
            __base__=_Given,
            value=(
                schema,
                Field(
                    description="The value as it stands on the page, of the type"
                    f" {getattr(schema, '__name__', schema)}; a number without its currency or unit."
                ),
            ),
            read=(
                list[Source],
                Field(default_factory=list, description="Where each part of it is read."),
            ),
            counted=(
                list[str],
                Field(
                    default_factory=list,
                    description="Where the value is how many there are: the id of each one of them.",
                ),
            ),
            none=(
                Absent | None,
                Field(None, description="Where the value is 0: what there is none of."),
            ),
            evidence=(list[AnyCheck], Field(default_factory=list, description=_EVIDENCE)),
            recounted=(SkipJsonSchema[list[Count]], Field(default_factory=list)),
        )
        args.model_json_schema()
    except (PydanticSchemaGenerationError, PydanticUserError) as error:
        raise UsageError(f"{schema!r} is not a type that pydantic can describe: {error}") from None

    def run(hands: Hands, given: Any) -> str:
        while True:
            try:
                return conclude(hands, given)
            except StaleError:
                continue

    def conclude(hands: Hands, given: Any) -> str:
        results = read_sources(hands, given.read, given.counted, given.recounted)
        if given.none:
            absent = hands.checker().run(given.none)
            results.append(absent.model_copy(update={"number": 0}))
        if wanted.reviewed():
            results = with_vanished(hands, results)
        wrong = unsupported_sources(results)
        held = any(isinstance(each.check, Value) for each in results)
        if given.value in (None, "", [], {}) and not given.none and not held:
            wrong.append("- that there is nothing needs a check: give what there is none of")
        value = _filled(given.value, hands)
        yes_or_no = [each for each in _leaves(value) if isinstance(each, bool)]
        if not (yes_or_no and given.evidence and not results):
            wrong = wrong or unread_parts(value, results, judged=wanted.reviewed())
        if wrong:
            raise ToolError("this is not what the page shows:\n" + "\n".join(wrong))
        value = _as_written(value, results, hands)
        problems = _stateless(results, given.evidence) if yes_or_no else []
        shown = hands.data.scrub_all(to_jsonable_python(value))
        if not wanted.approve(
            hands, "value", given.reason, results, given.evidence, problems, value=shown
        ):
            return ""
        wanted.value = value
        wanted.sources = results
        wanted.found, wanted.missing = True, ""
        hands.ending = Ending(done=True, words=given.reason)
        return ""

    return Tool(
        "report_value",
        "End the session with the value that is wanted. Each part of it must be found where you"
        " say that you read it.",
        args,
        run,
        claims=True,
    )


def report_element(wanted: Request) -> Tool:
    """The tool that gives an element."""

    def run(hands: Hands, args: ReportElement) -> str:
        while True:
            try:
                return conclude(hands, args)
            except StaleError:
                continue

    def conclude(hands: Hands, args: ReportElement) -> str:
        try:
            found = hands.checker().cite(args.element_id)
        except UncheckableError as error:
            raise ToolError(str(error)) from None
        wanted.locator, wanted.code = hands.checker().address(found)
        wanted.target = hands.checker().target(found, wanted.code)
        if not wanted.code:
            raise ToolError(f"no locator finds {args.element_id} alone; give another")
        shown = run_checks(
            hands, [State(kind="state", element_id=args.element_id, state="visible")]
        )
        if not all(each.holds for each in shown):
            raise ToolError(shown[0].explain())
        if wanted.reviewed() and (fact := shown[0].fact):
            among = hands.checker().among(args.element_id)
            shown = [shown[0].model_copy(update={"fact": fact.model_copy(update=among)})]
        if not wanted.approve(hands, "element", args.reason, shown, args.evidence):
            return ""
        wanted.found, wanted.missing = True, ""
        hands.ending = Ending(done=True, words=args.reason)
        return ""

    return Tool(
        "report_element",
        "End the session with the one element that is meant.",
        ReportElement,
        run,
        claims=True,
    )


def report_nothing(wanted: Request) -> Tool:
    """The tool that says that there is nothing to give."""

    def run(hands: Hands, args: ReportNothing) -> str:
        known = hands.observer.known
        told = [known[i].element for i in args.candidates if i in known]
        wanted.candidates = [hands.data.scrub(_named(e)) for e in told]
        wanted.missing = hands.data.scrub(args.reason)
        hands.ending = Ending(done=False, words=args.reason)
        return ""

    return Tool(
        "report_nothing",
        "End the session without: what is wanted is not on the page, or more than one thing is.",
        ReportNothing,
        run,
        claims=True,
    )


def read_sources(
    hands: Hands, sources: Iterable[Source], counted: Sequence[str], recounted: Sequence[Count] = ()
) -> list[CheckResult]:
    """What the page says to the sources of a value, and to what was counted for it."""
    answers = [_read(hands, source) for source in sources]
    counts = [Count(element_ids=tuple(counted))] if counted else []
    return answers + [hands.checker().run(count) for count in (*counts, *recounted)]


def unsupported_sources(answers: Sequence[CheckResult]) -> list[str]:
    """The sources that are not what the page shows, in words."""
    return [_told(answer) for answer in answers if not answer.holds]


def _read(hands: Hands, source: Source) -> CheckResult:
    """The check that the source shows its text; of a field, that it holds it."""
    checker = hands.checker()
    if source.element_id == "url":
        return checker.run(Url(kind="url", pattern=source.text, tab=None))
    if source.element_id == "title":
        return checker.run(Title(kind="title", text=source.text, exact=True, tab=None))
    if not source.text.strip():
        return checker.run(Value(kind="value", element_id=source.element_id, value=""))
    answer = checker.run(
        Text(kind="text", element_id=source.element_id, text=source.text, exact=False)
    )
    if answer.problem:
        held = checker.run(Value(kind="value", element_id=source.element_id, value=source.text))
        return held if held.holds or not held.problem else answer
    return answer


def unread_parts(value: Any, answers: Sequence[CheckResult], *, judged: bool = False) -> list[str]:
    """The parts of the value that stand nowhere that was read.

    A number read from texts without any digit may be written in words, of whatever language: code
    cannot tell, and leaves it to the referee where the value is `judged`.
    """
    if not answers:
        return ["- say where it is read, or what is counted"]
    texts = [text for answer in answers for text in answer.values]
    counts = {answer.number for answer in answers if answer.number is not None}
    in_words = judged and bool(texts) and not any(map(str.isdigit, "".join(texts)))
    return [
        f"- {leaf!r} is in none of the texts that were read: {', '.join(map(repr, texts))}"
        for leaf in _leaves(value)
        if not _stands_in(leaf, texts, counts) and not (in_words and _is_number(leaf))
    ]


def _is_number(leaf: Any) -> bool:
    return isinstance(leaf, (int, float, Decimal))


def _stands_in(leaf: Any, texts: Iterable[str], counts: set[int]) -> bool:
    if leaf is None or isinstance(leaf, bool):
        # That nothing is there, or whether something is so, is no text; where it was read is kept.
        return True
    if isinstance(leaf, Enum):
        leaf = leaf.value
    if _is_number(leaf):
        wanted = Decimal(str(leaf))
        if leaf in counts:
            return True
        return any(wanted in n.values for text in texts for n in amounts_in(text))
    if isinstance(leaf, datetime) and (leaf.hour or leaf.minute):
        clock = f"{leaf.hour}:{leaf.minute:02}"
        return _stands_in(leaf.date(), texts, counts) and any(
            says(text, each) for text in texts for each in (clock, clock.zfill(5))
        )
    if isinstance(leaf, (date, datetime)):
        day = leaf.date() if isinstance(leaf, datetime) else leaf
        return any(day in days for text in texts for _, days, *_ in dates_in(text))
    return any(says(text, str(leaf), anycase=True) for text in texts) or not str(leaf).strip()


def _stateless(results: Sequence[CheckResult], evidence: Sequence[Check]) -> list[str]:
    """Return the controls by which yes or no was answered, though no check says their state."""
    if any(
        isinstance(each, Attribute) or (isinstance(each, State) and each.state != "visible")
        for each in evidence
    ):
        return []
    return [
        f"that {each.about} is there says neither yes nor no: cite its state in `evidence`, such as"
        " checked or unchecked"
        for each in results
        if each.fact and _SET.intersection(each.fact.states)
    ]


_SET = frozenset(
    each for on in ("checked", "pressed", "selected") for each in (on, f"not {on}", f"partly {on}")
)
"""What facts say of controls that are on or off."""


def _written(value: Any, results: Sequence[CheckResult]) -> list[str]:
    """Return the parts of a value, and numbers as the page writes them: 24.0 as 24.00."""
    parts = texts_of(value)
    numbers = {each for part in parts if _NUMBER.fullmatch(part) for each in values_of(part)}
    amounts = [amount for each in results for text in each.values for amount in amounts_in(text)]
    written = [each.text.strip("$€£¥₹% ") for each in amounts if each.values & numbers]
    return [*parts, *written]


_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


def _besides(results: Sequence[CheckResult], evidence: Sequence[CheckResult]) -> list[CheckResult]:
    """Return evidence without what only says again what was read, which may differ in each run."""
    read = {getattr(each.check, "element_id", None) for each in results} - {None}
    return [
        each
        for each in evidence
        if not isinstance(each.check, (Text, Value, Matches)) or each.check.element_id not in read
    ]


def _leaves(value: Any) -> Iterable[Any]:
    model = isinstance(value, BaseModel)
    if isinstance(value, BaseModel):
        value = {name: getattr(value, name) for name in type(value).model_fields}
    if isinstance(value, dict):
        value = [*value.keys(), *value.values()] if not model else list(value.values())
    if isinstance(value, (list, tuple, set, frozenset)):
        for each in value:
            yield from _leaves(each)
    else:
        yield value


def _filled(value: Any, hands: Hands) -> Any:
    """The value with what is told as `{name}` put in."""
    if isinstance(value, str):
        return hands.data.fill(value)
    if isinstance(value, list):
        return [_filled(each, hands) for each in value]
    return value


def _as_written(value: Any, results: Sequence[CheckResult], hands: Hands) -> Any:
    """The value with the texts that were read as the page writes them, blanks included."""
    if isinstance(value, list):
        return [_as_written(each, results, hands) for each in value]
    for each in results if type(value) is str else ():
        for read, written in zip(each.values, each.check.expected_texts(), strict=False):
            shown = hands.data.fill(written)
            if squashed(read) == squashed(value) and letters(shown) == letters(value):
                return shown
    return value


def _named(element: Element) -> str:
    """An element as a person tells it from others."""
    place = f' in "{element.key}"' if element.key else f" ({element.id})"
    return f'{element.role} "{element.name}"{place}'


def _told(result: CheckResult) -> str:
    if result.problem:
        return f"- {result.subject}: {result.problem}"
    there = result.actual or "nothing"
    return f"- {result.subject}: {result.expected} was read, but the page has {there}"
