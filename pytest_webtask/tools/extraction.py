"""Tools that report the result of a query: a value shown by the page, or an element."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from decimal import Decimal
from enum import Enum
from functools import partial
from typing import Any, Literal

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    PydanticUserError,
    TypeAdapter,
    ValidationError,
    create_model,
)
from pydantic.errors import PydanticSchemaGenerationError
from pydantic.json_schema import SkipJsonSchema
from pydantic_core import to_jsonable_python

from pytest_webtask.checks.base import Check, CheckResult, UncheckableError
from pytest_webtask.checks.element import State, Text, Value
from pytest_webtask.checks.floor import basic_problems
from pytest_webtask.checks.kinds import AnyCheck
from pytest_webtask.checks.page import Absent, Title, Url
from pytest_webtask.checks.sets import Count
from pytest_webtask.data.phrases import PASS_A_TYPE
from pytest_webtask.data.text import (
    amounts_in,
    dates_in,
    letters,
    says,
    squashed,
    whole_words,
)
from pytest_webtask.data.values import map_strings
from pytest_webtask.errors import UsageError
from pytest_webtask.page.locator_parser import locate
from pytest_webtask.tools.approval import (
    RefusedError,
    Review,
    made_lasting,
    run_checks,
)
from pytest_webtask.tools.conclusion import until_settled
from pytest_webtask.tools.context import ToolCallContext
from pytest_webtask.tools.registry import Args, Tool
from pytest_webtask.tools.results import Ending, Finding, ToolError, ToolResult
from pytest_webtask.types.agent import Element


@dataclass(frozen=True)
class Request:
    """A query and the review of its answer."""

    question: str
    review: Review = field(default_factory=Review)

    def approve(
        self,
        call: ToolCallContext,
        kind: Literal["value", "element"],
        opinion: str,
        results: Sequence[CheckResult],
        checks: Sequence[Check],
        problems: Sequence[str] = (),
        **more: Any,
    ) -> tuple[CheckResult, ...]:
        """Return the further evidence of an answer that code and referee approve.

        Raises ToolError to send the answer back, RefusedError after the last attempt, and StaleError
        if the page has changed meanwhile.
        """
        if not call.reviewed:
            return ()
        evidence = run_checks(call, checks)
        wrong = [*problems, *(basic_problems([*results, *evidence]) if evidence else ())]
        self.review.refuse(opinion, wrong, [*results, *evidence])
        evidence = made_lasting(call, evidence, self.question)
        if kind == "value":
            evidence = _besides(results, evidence)
        facts = [*results, *evidence]
        self.review.conclude(call, kind, self.question, opinion, facts, **more)
        return tuple(evidence)

    def end(self, words: str, finding: Finding) -> ToolResult:
        """End the session with a finding."""
        finding = replace(finding, ruling=self.review.ruling)
        return ToolResult(ending=Ending(done=finding.found, words=words, conclusion=finding))

    def settle(self, call: ToolCallContext, conclude: Callable[[], ToolResult]) -> ToolResult:
        """Conclude on an unchanged page, or end the session after the last refusal."""

        def give_up(refused: RefusedError) -> ToolResult:
            missing = call.data.scrub(str(refused))
            return self.end(missing, Finding(missing=missing, final=True))

        return until_settled(conclude, give_up)


class Source(BaseModel):
    """The source of a value."""

    model_config = ConfigDict(extra="forbid", defer_build=True)

    element_id: str = Field(
        description="The id of the smallest element that shows it; url or title for those of the page."
    )
    text: str = Field(description="What it shows, word for word; for a field, its value.")


_EVIDENCE = (
    "More checks of what makes it the right answer, such as the state of a control, the label"
    " beside it, or the count that shows that these are all. They become conditions of every later"
    " run: cite nothing that may differ then, such as the value itself."
)


class Reading(Args):
    """A value with where it was read; the value is a field of the type that is asked for."""

    # Values of the wrong type, such as "yes" for a bool, go back to the model.
    model_config = ConfigDict(strict=True)

    read: list[Source] = Field(
        default_factory=list,
        description="Where you read each part of it; [] if the page does not show it.",
    )
    counted: list[str] = Field(
        default_factory=list,
        description="If the value is a number of things: the id of each one; else [].",
    )
    recounted: SkipJsonSchema[list[Count]] = Field(default_factory=list)


def reading(
    described: str, name: str, base: type[Reading], **fields: tuple[Any, Any]
) -> tuple[type[Reading], TypeAdapter[Any]]:
    """Return arguments with further fields, and the adapter of the first field's type.

    Raises UsageError, with the type `described`, if pydantic does not support it.
    """
    try:
        args = create_model(name, __base__=base, **fields)  # type: ignore[call-overload]
        args.model_json_schema()
        return args, TypeAdapter(next(iter(fields.values()))[0])
    except (PydanticSchemaGenerationError, PydanticUserError) as error:
        raise UsageError(
            f"{described} is not a type that pydantic can describe: {error}. {PASS_A_TYPE}"
        ) from None


class ReportElement(Args):
    """An element."""

    element_id: str = Field(description="The element's id, as it stands in the outline.")
    evidence: list[AnyCheck] = Field(default_factory=list, description=_EVIDENCE)


class ReportNothing(Args):
    """The reason why there is nothing to report."""

    reason: str = Field(description="What is missing, or what cannot be told apart.")
    candidates: list[str] = Field(
        default_factory=list,
        description="Ids of the elements that could be meant, if several could.",
    )


def report_value(request: Request, schema: Any) -> Tool:
    """Return the tool that reports a value of a type. Raises UsageError for an unsupported type."""
    args, adapter = reading(
        repr(schema),
        "ReportValue",
        Reading,
        value=(
            schema,
            Field(
                description="The value as it stands on the page, of the type"
                f" {getattr(schema, '__name__', schema)}; a number without its currency or unit."
            ),
        ),
        none=(Absent | None, Field(None, description="If the value is 0: what there is none of.")),
        evidence=(list[AnyCheck], Field(default_factory=list, description=_EVIDENCE)),
    )

    def run(call: ToolCallContext, args: Any) -> ToolResult:
        return request.settle(call, lambda: conclude(call, args))

    def conclude(call: ToolCallContext, args: Any) -> ToolResult:
        results = read_sources(call, args.read, args.counted, args.recounted)
        if args.none:
            absent = call.checker().run(args.none)
            results.append(absent.model_copy(update={"number": 0}))
        value = call.data.fill_all(args.value)
        wrong = _lacks_of(args, value, results)
        if wrong:
            raise ToolError("the evidence does not support the value:\n" + "\n".join(wrong))
        as_written = partial(_as_written, results, call)
        with suppress(ValidationError):
            # A type may allow only one spelling.
            value = adapter.validate_python(map_strings(value, as_written), strict=True)
        problems = _stateless(results, args.evidence) if _is_yes_or_no(value) else []
        shown = call.data.scrub_values(to_jsonable_python(value))
        evidence = request.approve(
            call, "value", args.reason, results, args.evidence, problems, value=shown
        )
        finding = Finding(found=True, value=value, sources=tuple(results), evidence=evidence)
        return request.end(args.reason, finding)

    return Tool(
        "report_value",
        "End the session with the value that is wanted. Each part of it must be where you say that"
        " you read it.",
        args,
        run,
        claims=True,
        ends=True,
    )


def _lacks_of(args: Any, value: Any, results: Sequence[CheckResult]) -> list[str]:
    """Return what the sources of a value lack that would support it."""
    wrong = unsupported_sources(results)
    held = any(each.check.aspect == "value" for each in results)
    if args.value in (None, "", [], {}) and not args.none and not held:
        wrong.append("- an empty value needs a check: pass in `none` what is absent from the page")
    is_stated = args.evidence and not results and _is_yes_or_no(value)
    return wrong if wrong or is_stated else unread_parts(value, results)


def _is_yes_or_no(value: Any) -> bool:
    """Return whether a part of a value is a bool, which a state of a control may tell."""
    return any(isinstance(each, bool) for each in _leaves(value))


def report_element(request: Request) -> Tool:
    """Return the tool that reports an element."""

    def run(call: ToolCallContext, args: ReportElement) -> ToolResult:
        return request.settle(call, lambda: conclude(call, args))

    def conclude(call: ToolCallContext, args: ReportElement) -> ToolResult:
        checker = call.checker()
        try:
            cited = checker.cite(args.element_id)
        except UncheckableError as error:
            raise ToolError(str(error)) from None
        codes, target = checker.located(cited)
        if not codes:
            raise ToolError(
                f"no locator finds only {args.element_id}: report an element in or around it"
            )
        shown = run_checks(call, [State(kind="state", element_id=args.element_id, state="visible")])
        if not all(each.holds for each in shown):
            raise ToolError(shown[0].explain())
        fact = shown[0].fact
        if call.reviewed and fact is not None:
            among = call.checker().among(args.element_id)
            shown = [shown[0].model_copy(update={"fact": fact.model_copy(update=among)})]
        evidence = request.approve(call, "element", args.reason, shown, args.evidence)
        finding = Finding(
            found=True,
            evidence=evidence,
            locator=locate(codes[0], cited.frame.page),
            code=codes[0],
            target=target,
        )
        return request.end(args.reason, finding)

    return Tool(
        "report_element",
        "End the session with the one element that is meant.",
        ReportElement,
        run,
        claims=True,
        ends=True,
    )


def report_nothing(request: Request) -> Tool:
    """Return the tool for a query without a result: the page does not show it, or several things fit."""

    def run(call: ToolCallContext, args: ReportNothing) -> ToolResult:
        known = call.session.observer.known
        candidates = [known[i].element for i in args.candidates if i in known]
        finding = Finding(
            missing=call.data.scrub(args.reason),
            candidates=tuple(call.data.scrub(_named(each)) for each in candidates),
        )
        return request.end(args.reason, finding)

    return Tool(
        "report_nothing",
        "End the session without a result: what is wanted is not on the page, or several things"
        " could be meant.",
        ReportNothing,
        run,
        claims=True,
        ends=True,
    )


def read_sources(
    call: ToolCallContext,
    sources: Iterable[Source],
    counted: Sequence[str],
    recounted: Sequence[Count] = (),
) -> list[CheckResult]:
    """Return the check results for the sources and counts of a value."""
    answers = [_check_source(call, source) for source in sources]
    counts = [Count(element_ids=tuple(counted))] if counted else []
    return answers + [call.checker().run(count) for count in (*counts, *recounted)]


def unsupported_sources(answers: Sequence[CheckResult]) -> list[str]:
    """Return a message for each source that differs from the page."""
    return [
        f"- {answer.explain()}: read the element again, and correct the value"
        for answer in answers
        if not answer.holds
    ]


def _check_source(call: ToolCallContext, source: Source) -> CheckResult:
    """Check that a source shows its text, or that its field holds it."""
    checker = call.checker()
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
        return answer if held.problem else held
    return answer


def unread_parts(value: Any, answers: Sequence[CheckResult]) -> list[str]:
    """Return the parts of a value that are in none of its source texts."""
    if not answers:
        return [
            "- the value has no source: pass in `read` the elements that show it, or in `counted` the"
            " elements that are counted"
        ]
    texts = [text for answer in answers for text in answer.values]
    counts = {answer.number for answer in answers if answer.number is not None}
    return [
        f"- {leaf!r} is in none of the texts of `read` ({', '.join(map(repr, texts))}): add the element"
        " that shows it, or correct the value"
        for leaf in _leaves(value)
        if _is_text(leaf)
        and leaf not in counts
        and not any(_stands_in(leaf, text) for text in texts)
    ]


def _is_text(leaf: Any) -> bool:
    """Return whether a part of a value is a text of the page, unlike None, bools and empty texts."""
    return leaf is not None and not isinstance(leaf, bool) and bool(str(leaf).strip())


def _stands_in(leaf: Any, text: str) -> bool:
    if isinstance(leaf, (int, float, Decimal)):
        return any(Decimal(str(leaf)) in each.values for each in amounts_in(text))
    if isinstance(leaf, datetime):
        clocks = f"{leaf:%H:%M}", f"{leaf.hour}:{leaf.minute:02}"
        is_written = clocks[1] == "0:00" or any(says(text, clock) for clock in clocks)
        return is_written and _stands_in(leaf.date(), text)
    if isinstance(leaf, date):
        return any(leaf in days for _, days in dates_in(text))
    return bool(_spelled_in(text, str(leaf)))


def _stateless(results: Sequence[CheckResult], evidence: Sequence[Check]) -> list[str]:
    """Return the controls cited for a yes or no answer without a check of their state."""
    if any(each.tells_state for each in evidence):
        return []
    return [
        f"that {each.about} is there means neither yes nor no: cite its state in `evidence`, such as"
        " checked or unchecked"
        for each in results
        if each.fact and _SET.intersection(each.fact.states)
    ]


_SET = frozenset(
    each for on in ("checked", "pressed", "selected") for each in (on, f"not {on}", f"partly {on}")
)
"""The states of controls in facts."""


def _besides(results: Sequence[CheckResult], evidence: Sequence[CheckResult]) -> list[CheckResult]:
    """Return evidence without checks that repeat the value, which may differ in each run."""
    read = {each.check.cited_id for each in results} - {""}
    return [
        each
        for each in evidence
        if each.check.aspect not in ("text", "value") or each.check.cited_id not in read
    ]


def _leaves(value: Any) -> Iterable[Any]:
    if isinstance(value, BaseModel):
        value = [getattr(value, name) for name in type(value).model_fields]
    elif isinstance(value, dict):
        value = [*value.keys(), *value.values()]
    elif isinstance(value, Enum):
        value = value.value
    if isinstance(value, (list, tuple, set, frozenset)):
        for each in value:
            yield from _leaves(each)
    else:
        yield value


def _as_written(results: Sequence[CheckResult], call: ToolCallContext, value: str) -> str:
    """Return a text of a value as the page writes it: its blanks and capital letters."""
    for each in results:
        for read, written in zip(each.values, each.check.expected_texts(), strict=False):
            shown = call.data.fill(written)
            if squashed(read) == squashed(value) and letters(shown) == letters(value):
                return shown
    texts = [text for each in results for text in each.values]
    return next(filter(None, (_spelled_in(text, value) for text in texts)), value)


def _spelled_in(text: str, words: str) -> str:
    """Return words as a text has them, with its capitals, "" if it does not."""
    match = whole_words(words, anycase=True).search(squashed(text))
    if match:
        return match[0].strip()
    return words if says(text, words) else ""


def _named(element: Element) -> str:
    """Return a description by which a person can identify an element."""
    place = f' in "{element.key}"' if element.key else f" ({element.id})"
    return f'{element.role} "{element.name}"{place}'
