"""Tools that report a value shown by the page, as the output of a task or the result of a query, or an element."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from datetime import date, datetime
from decimal import Decimal
from enum import Enum
from functools import partial
from itertools import chain
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
from pytest_webtask.tools.approval import Review, made_lasting
from pytest_webtask.tools.context import ToolCallContext
from pytest_webtask.tools.registry import Args, Tool, tool
from pytest_webtask.tools.results import Ending, Finding, Output, ToolError, ToolResult
from pytest_webtask.types.agent import Element


class Request(Review):
    """A query and the review of its answer."""

    def approved(
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
        evidence = call.checker().run_all(checks)
        wrong = [*problems, *(basic_problems([*results, *evidence]) if evidence else ())]
        self.refuse(opinion, wrong, [*results, *evidence])
        evidence = made_lasting(call, evidence, self.sentence)
        if kind == "value":
            evidence = _besides(results, evidence)
        self.conclude(call, kind, opinion, [*results, *evidence], **more)
        return tuple(evidence)

    def found(self, words: str, **finding: Any) -> Ending:
        """End the session with what was found, as fields of a Finding."""
        found = Finding(found=True, ruling=self.ruling, **finding)
        return Ending(done=True, words=words, conclusion=found)

    def given_up(self, why: str) -> Ending:
        """Return the ending without a result after the last refusal."""
        return Ending(done=False, words=why, conclusion=Finding(missing=why, final=True))


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

    def sources(self, call: ToolCallContext) -> list[CheckResult]:
        """Return the check results for the sources and counts of the value."""
        counts = [Count(element_ids=tuple(self.counted))] if self.counted else []
        read = map(partial(_check_source, call), self.read)
        return [*read, *map(call.checker().run, (*counts, *self.recounted))]


class _Output(Reading):
    @staticmethod
    def _asks_for_sources(schema: dict[str, Any]) -> None:
        """Require sources in the schema for models; recordings and scripts may omit them."""
        schema["required"] = [*schema.get("required", ()), "read", "counted"]

    model_config = ConfigDict(json_schema_extra=_asks_for_sources)


def _reading(
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


def set_output(schema: Any) -> Tool:
    """Return the tool that sets the task's output. Raises UsageError for an unsupported type."""
    field = Field(description="The value, of this type.")
    args, adapter = _reading(f"output={schema!r}", "SetOutput", _Output, output=(schema, field))

    @tool(args, claims=True, replayed=False)
    def set_output(call: ToolCallContext, args: Any) -> ToolResult:
        """Give the value that the task asks for, as the page shows it; then call mark_done."""
        results = args.sources(call)
        _refuse(_unsupported(args.output, results) if results else [])
        return ToolResult(
            f"the output is {adapter.dump_json(args.output).decode()}",
            output=Output(args.output, tuple(results)),
        )

    return set_output


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
    name = getattr(schema, "__name__", schema)
    value = Field(
        description=f"The value as it stands on the page, of the type {name}; a number without its"
        " currency or unit."
    )
    none = Field(None, description="If the value is 0: what there is none of.")
    evidence: Any = Field(default_factory=list, description=_EVIDENCE)
    args, adapter = _reading(
        repr(schema),
        "ReportValue",
        Reading,
        value=(schema, value),
        none=(Absent | None, none),
        evidence=(list[AnyCheck], evidence),
    )

    def conclude(call: ToolCallContext, args: Any) -> Ending:
        results = args.sources(call)
        if args.none:
            absent = call.checker().run(args.none)
            results.append(absent.model_copy(update={"number": 0}))
        value = map_strings(args.value, call.data.fill)
        _refuse(_lacks(args, value, results))
        as_written = partial(_as_written, results, call)
        with suppress(ValidationError):
            # A type may allow only one spelling.
            value = adapter.validate_python(map_strings(value, as_written), strict=True)
        problems = _stateless(results, args.evidence) if _is_yes_or_no(value) else []
        shown = call.data.scrub_values(to_jsonable_python(value))
        evidence = request.approved(
            call, "value", args.reason, results, args.evidence, problems, value=shown
        )
        return request.found(args.reason, value=value, sources=tuple(results), evidence=evidence)

    @tool(args, claims=True, ends=True)
    def report_value(call: ToolCallContext, args: Any) -> Ending:
        """End the session with the value that is wanted.

        Each part of it must be where you say that you read it.
        """
        return request.settle(call, lambda: conclude(call, args))

    return report_value


def _refuse(wrong: Sequence[str]) -> None:
    if wrong:
        raise ToolError("the evidence does not support the value:\n" + "\n".join(wrong))


def _lacks(args: Any, value: Any, results: Sequence[CheckResult]) -> list[str]:
    held = any(each.check.aspect == "value" for each in results)
    if args.value in (None, "", [], {}) and not args.none and not held:
        return ["- an empty value needs a check: pass in `none` what is absent from the page"]
    if args.evidence and not results and _is_yes_or_no(value):
        return []
    return _unsupported(value, results)


def _is_yes_or_no(value: Any) -> bool:
    """Return whether a part of a value is a bool, which a state of a control may tell."""
    return any(isinstance(each, bool) for each in _leaves(value))


def report_element(request: Request) -> Tool:
    """Return the tool that reports an element."""

    def conclude(call: ToolCallContext, args: ReportElement) -> Ending:
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
        shown = call.checker().run(State(element_id=args.element_id, state="visible"))
        if not shown.holds:
            raise ToolError(shown.explain())
        if call.reviewed and shown.fact is not None:
            fact = shown.fact.model_copy(update=call.checker().among(args.element_id))
            shown = shown.model_copy(update={"fact": fact})
        evidence = request.approved(call, "element", args.reason, [shown], args.evidence)
        locator = locate(codes[0], cited.frame.page)
        return request.found(
            args.reason, evidence=evidence, locator=locator, code=codes[0], target=target
        )

    @tool(ReportElement, claims=True, ends=True)
    def report_element(call: ToolCallContext, args: ReportElement) -> Ending:
        """End the session with the one element that is meant."""
        return request.settle(call, lambda: conclude(call, args))

    return report_element


@tool(ReportNothing, claims=True, ends=True)
def report_nothing(call: ToolCallContext, args: ReportNothing) -> Ending:
    """End the session without a result: what is wanted is not on the page, or several things could be meant."""
    known, scrub = call.session.observer.known, call.data.scrub
    candidates = [scrub(_named(known[i].element)) for i in args.candidates if i in known]
    finding = Finding(missing=scrub(args.reason), candidates=tuple(candidates))
    return Ending(done=False, words=args.reason, conclusion=finding)


def _check_source(call: ToolCallContext, source: Source) -> CheckResult:
    run, place, text = call.checker().run, source.element_id, source.text
    if place == "url":
        return run(Url(pattern=text))
    if place == "title":
        return run(Title(text=text, exact=True))
    if not text.strip():
        return run(Value(element_id=place, value=""))
    answer = run(Text(element_id=place, text=text, exact=False))
    if answer.problem:
        held = run(Value(element_id=place, value=text))
        return answer if held.problem else held
    return answer


def _unsupported(value: Any, results: Sequence[CheckResult]) -> list[str]:
    """Return a line for each source that differs from the page, or else for each part of a value that is in none."""
    if not results:
        return [
            "- the value has no source: pass in `read` the elements that show it, or in `counted` the"
            " elements that are counted"
        ]
    texts = _texts_of(results)
    counts = {each.number for each in results if each.number is not None}
    return [
        f"- {each.explain()}: read the element again, and correct the value"
        for each in results
        if not each.holds
    ] or [
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
    if any(each.aspect == "state" and each.describe() != "visible" for each in evidence):
        return []
    return [
        f"that {each.about} is there means neither yes nor no: cite its state in `evidence`, such as"
        " checked or unchecked"
        for each in results
        if each.fact and _SET.intersection(each.fact.states)
    ]


_STATES = "checked", "not checked", "partly checked", "pressed", "not pressed", "partly pressed"
_SET = frozenset((*_STATES, "selected", "not selected", "partly selected"))


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
    return next(filter(None, (_spelled_in(text, value) for text in _texts_of(results))), value)


def _texts_of(results: Sequence[CheckResult]) -> list[str]:
    return [*chain.from_iterable(each.values for each in results)]


def _spelled_in(text: str, words: str) -> str:
    """Return words as a text has them, with its capitals, "" if it does not."""
    match = whole_words(words, anycase=True).search(squashed(text))
    if match:
        return match[0].strip()
    return words if says(text, words) else ""


def _named(element: Element) -> str:
    place = f' in "{element.key}"' if element.key else f" ({element.id})"
    return f'{element.role} "{element.name}"{place}'
