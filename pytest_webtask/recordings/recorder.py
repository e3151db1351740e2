"""Recorder: makes the recording of a step, and tries it out on the page."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, filterfalse
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from pytest_webtask.checks.base import CheckResult
from pytest_webtask.checks.sets import Count
from pytest_webtask.checks.varying import Varying
from pytest_webtask.data.text import amounts_in, leaves, named_by, says, squashed, values_of
from pytest_webtask.data.values import PLACEHOLDER, REDACTED
from pytest_webtask.journal.schema import (
    Approval,
    Decided,
    Evidence,
    Key,
    RecordedCall,
    StepTrace,
    ValueSource,
    digest,
    first_line,
    names_in,
    texts_in,
    today,
)
from pytest_webtask.journal.schema import RecordedPlaceholders as Placeholders
from pytest_webtask.page.activity import activity_of
from pytest_webtask.page.clock import another, names_day, without_now
from pytest_webtask.page.identity import NOTED
from pytest_webtask.page.locator_codegen import mentions
from pytest_webtask.page.locator_parser import EmptyLocator, Unreadable
from pytest_webtask.recordings.resolver import CheckRequest, RecordingResolver, derive
from pytest_webtask.tools.context import StepContext
from pytest_webtask.types.agent import Iteration, Ruling, ToolCall
from pytest_webtask.types.page import Container, Target

_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_READ = ("value", "count", "url", "title")
"""The kinds of checks from which a replay reads a value; of others it reads the text."""
_FACT = 300
_TELLING = "a test id, a label or a name that no other element has"


class Unrecordable(Exception):
    """A step cannot be replayed and so is not recorded; the message says why."""


@dataclass(frozen=True)
class Findings:
    """What a step has found, and the referee's ruling on it; with `has_value` a value was asked for."""

    ruling: Ruling | None = None
    evidence: Sequence[CheckResult] = ()
    negative_evidence: Sequence[CheckResult] = ()
    has_value: bool = False
    value: Any = None
    sources: Sequence[CheckResult] = ()
    selected: Target | None = None
    deviations: Sequence[str] = ()


@dataclass(frozen=True)
class Recorder:
    """Makes the recording of one step, identified by `key`.

    `before` are the calls that were replayed before a model took over, `values` the values of the
    data that the test has used so far, `ruling` the referee's on the step, if it was asked.
    """

    context: StepContext
    key: Key
    resolver: RecordingResolver
    before: Sequence[RecordedCall] = ()
    values: Mapping[str, str] = field(default_factory=dict)
    ruling: Ruling | None = None
    pictures: dict[str, str] = field(default_factory=dict, init=False)
    """The files of the pictures of the step, by their names in the recording."""
    _around: set[str] = field(default_factory=set, init=False)
    """The texts around the elements of the step."""

    def made(self, iterations: Sequence[Iteration], found: Findings) -> StepTrace:
        """Return the trace of a step, with placeholders for values of the data."""
        done = replayed_calls(iterations)
        targets = [target for call in done for target in call.targets.values()]
        for target in (*targets, *(each.target for each in found.evidence)):
            self._around.update(_around(target))
        acted = {*_acted(done)}
        items = [target.pinned.item.name for target in targets if target.pinned.item]
        tabs, read = self.context.session.tabs, [*_written(found.value, found.sources)]
        front = tabs.number_of(tabs.front)
        made = StepTrace(
            **self.key.model_dump(),
            decided=Decided(model=_by(iterations), on=today()),
            calls=(*self.before, *(self._call(call, acted, items) for call in done)),
            evidence=tuple(self._evidence(e, acted, front, read) for e in found.evidence),
            negative_evidence=tuple(
                self._evidence(e, acted, front) for e in found.negative_evidence
            ),
            deviations=tuple(map(self._put.put, found.deviations)),
            sources=tuple(map(self._source, found.sources)),
            selected=found.selected and self._put.target(self._pinned(found.selected)),
            facts=tuple(self._facts(found)),
            case=self._case(done),
            quiet=self._is_quiet,
        )
        return approved_by(made, found.ruling)

    @property
    def _is_quiet(self) -> bool:
        """Whether no page has done anything by itself after what was typed, where something was."""
        activities = [*map(activity_of, self.context.session.tabs.pages.values())]
        is_late = any(each.came_late for each in activities)
        return not is_late and any(each.was_quiet for each in activities)

    @cached_property
    def _put(self) -> Placeholders:
        return Placeholders(self.values, self.key.sentence)

    def _facts(self, found: Findings) -> Iterator[str]:
        for each in (*found.evidence, *found.sources):
            if each.fact and each.holds:
                yield self._put.put(each.fact.describe())[:_FACT]

    def _case(self, calls: Sequence[ToolCall]) -> dict[str, str]:
        """Return the names of the data that the step has used, of secrets in its calls included."""
        called = names_in(texts_in([call.parameters for call in calls]))
        names = called.intersection(self.context.data.shown).union(self.values)
        return dict.fromkeys(sorted(filterfalse(names_day, names)), "")

    def try_out(self, made: StepTrace) -> None:
        """Resolve and check the recorded data on the page, as a replay would. Raises Unrecordable."""
        for call in made.calls:
            self._check_texts(call)
        targets = [target for call in made.calls for target in call.targets.values()]
        try:
            for target in filter(None, (*targets, made.selected)):
                self.resolver.recall(target)
            for call in made.calls:
                # The page has moved on: a checkpoint cannot be tried out any more.
                self.resolver.ask(call.evidence)
            for each in (*made.evidence, *made.negative_evidence):
                self._ask(each)
        except EmptyLocator:
            raise Unrecordable(
                f"no locator finds a recorded element again: give that element {_TELLING}"
            ) from None
        except (Unreadable, ValidationError) as error:
            raise Unrecordable(first_line(error)) from None

    def _check_texts(self, call: RecordedCall) -> None:
        """Raise Unrecordable for a call with an unknown text, or an element that nothing tells from others."""
        if REDACTED in str(call.parameters):
            raise Unrecordable(
                f"{call.tool} used a text that webtask_redact hides, which no recording may contain: pass that text"
                ' as data={"name": ...}, and write {name} in the sentence'
            )
        targets = {f"{call.tool} ({name})": target for name, target in call.targets.items()}
        for each in call.evidence:
            if each.target:
                targets[f"a checkpoint, {each.check.describe()}"] = each.target
        for what, target in targets.items():
            if not target.locator or REDACTED in target.locator:
                raise Unrecordable(
                    f"no locator finds only the element of {what}: give that element {_TELLING}"
                )

    def with_value(self, trace: StepTrace, found: Findings) -> StepTrace:
        """Return a trace with how its value is read from its sources. Raises Unrecordable, Underivable."""
        from pydantic_core import to_jsonable_python

        request = CheckRequest()
        texts = [self.resolver.text(each, request) for each in trace.sources]
        template = derive(to_jsonable_python(found.value), texts)
        counted = counts(template, trace.sources, self.resolver)
        return trace.model_copy(update={"value": template, "evidence": (*trace.evidence, *counted)})

    def _ask(self, each: Evidence) -> None:
        if each.check.by_eye and each.picture is not None:
            # The picture was just taken, and is not yet in the folder of the recording.
            return
        request = self.resolver.ask([each])
        answer = self.context.checker(request.locators).run(request.checks[0])
        if answer.problem or answer.holds == each.fails:
            raise Unrecordable(
                f"a check had another answer right after the decision: {answer.explain()}. Run the test again; if"
                " this recurs, wait for a stable state first, or verify something else"
            )

    def _call(self, call: ToolCall, acted: Collection[str], items: Sequence[str]) -> RecordedCall:
        put = self._put
        left = self.context.effects.left_by(call.targets.get("element_id"))
        late = {} if left is None else {"left": self.context.data.scrub_all([left])[0]}
        targets = {n: put.target(self._pinned(t, acted, items)) for n, t in call.targets.items()}
        return RecordedCall(
            tool=call.tool,
            parameters=put.put_all({**call.given, **late}),
            targets=targets,
            loads=call.loaded,
            awaits=call.awaited,
            evidence=tuple(self._evidence(e, acted, e.tab) for e in call.evidence),
        )

    def _pinned(
        self,
        target: Target,
        acted: Collection[str] = (),
        items: Sequence[str] = (),
        shown: Iterable[str] = (),
    ) -> Target:
        """Return a target with those containers pinned that the step names.

        A dialog must still name the `items` of the step that it named. What is meant for its place in a set,
        which may be called by what it has `shown`, is pinned by that.
        """
        known, pinned = target.remembered, target.pinned
        if known is None:
            return target
        own = {*filter(None, (pinned.name, *(each.name for each in pinned.containers)))}
        named: dict[str, Container] = {}
        for each in self._named_in(target, own, acted, items):
            named.setdefault(each.name, each)
        containers = [*named.values()]
        place = known.marks.get("place", "")
        if place and self._is_by_place(" ".join((*own, *shown))):
            item = pinned.item or Container(kind="item")
            rest = [each for each in containers if each != pinned.item]
            containers = [item.model_copy(update={"place": place}), *rest]
        left = tuple(each for each in known.containers if each not in containers)
        marks = {name: text for name, text in known.marks.items() if name not in NOTED}
        return target.model_copy(
            update={
                "pinned": pinned.model_copy(update={"containers": tuple(containers)}),
                "remembered": known.model_copy(update={"containers": left, "marks": marks}),
            }
        )

    def _by_value(self, each: Container) -> Container:
        """Return an item by the one value of the data that its title has, as that may be numbered, too."""
        sentence, name = self.context.data.fill(self.key.sentence), each.name
        named = [e for e in named_by(self.key.sentence, self.values) if says(name, e, anycase=True)]
        is_part = len(named) == 1 and named[0] != name and not says(sentence, name, anycase=True)
        return _part_of(each, named[0]) if is_part else each

    def _named_in(
        self, target: Target, own: set[str], acted: Collection[str], items: Sequence[str]
    ) -> Iterator[Container]:
        """Yield the containers by which a target is known, those that the step names included."""
        yield from map(self._by_value, target.pinned.containers)
        known = target.remembered
        assert known is not None, "the target has an identity"
        for each in known.containers:
            if each.kind != "set":
                for text in self._identifying(each.name, {*own, *acted}):
                    yield _part_of(each, text)
        dialog = known.marks.get("dialog", "")
        asked = (key for key in items if says(dialog, key, anycase=True))
        for text in (*self._identifying(dialog, own), *asked):
            yield Container(kind="dialog with", name=text)

    def _is_by_place(self, called: str) -> bool:
        """Return whether the referee has named what is called so as meant for its place."""
        by_place = map(self.context.data.fill, self.ruling.by_place if self.ruling else ())
        return any(says(called, each, anycase=True) for each in by_place)

    def _identifying(self, text: str, acted: Collection[str]) -> Iterable[str]:
        """Return what identifies an element in the name of what it stands in.

        That is what the referee named, values and quotations of the sentence, and a text that the sentence
        says whole. What was `acted` upon or entered says nothing of what is beside it. Where the referee has
        named all of a text, other texts with these words are not meant.
        """
        if REDACTED in text:
            return ()
        text, fill, besides = text.rstrip(":"), self.context.data.fill, " ".join(acted)
        named = [*named_by(self.key.sentence, self.values)]
        if text and says(fill(self.key.sentence), text, anycase=True):
            named.insert(0, text)
        ruled = filter(None, map(fill, self.ruling.identifying if self.ruling else ()))
        found = [each for each in named if not says(besides, each, anycase=True)]
        found += [e for e in ruled if e not in self._around or squashed(e) == squashed(text)]
        return dict.fromkeys(each for each in found if says(text, each, anycase=True))

    def _evidence(
        self, result: CheckResult, acted: Collection[str], tab: int, read: Sequence[str] = ()
    ) -> Evidence:
        """Return a check as it is recorded; `tab` was in front when it was run.

        What was `read` as a value may be another one later, and so may the time of day.
        """
        check = result.check.recorded().without_origin(self.context.session.base_url)
        put = self._put
        # What the step has entered itself is entered in the same way later.
        actual = result.actual
        if actual not in acted:
            actual = without_now(actual, self.context.page, self.context.data.days)
        for each in read:
            actual = re.sub(rf"(?<!\w){re.escape(each)}(?!\w)", another(each), actual)
        # A number beside what was cited says nothing of it.
        cited = _NUMBER.findall(" ".join(result.values))
        actual = _NUMBER.sub(lambda m: m[0] if m[0] in cited else another(m[0]), actual)
        if result.holds and actual != result.actual:
            later = result.model_copy(update={"actual": actual})
            check = check.varied(later, Varying(self.key.sentence, put.put)) or check
        return Evidence(
            check=check.with_texts(lambda text: self._whole_value(text) or put.put(text)),
            target=self._evident(result, acted, varies=check.expects_pattern),
            other=put.target(self._pinned(result.other_target)) if result.other_target else None,
            picture=self._picture(result.screenshot),
            tab=None if result.tab == tab else result.tab,
            fails=not result.holds,
            held_before=result.held_before is not False,
            new_since=result.new_since,
        )

    def _picture(self, taken: str | None) -> str | None:
        """Return the name of a picture in the recording, and note its file."""
        if taken is None:
            return None
        name = Path(taken).stem[:12]
        self.pictures[self.resolver.picture_file(name)] = taken
        return name

    def _whole_value(self, text: str) -> str:
        """Return the placeholder of the one value that is all of a text, "" if there is none or the sentence has it."""
        whole = squashed(self.context.data.fill_shown(text))
        if says(PLACEHOLDER.sub(" ", self.key.sentence), whole):
            return ""
        names = [name for name, value in self.values.items() if squashed(value) == whole]
        return f"{{{names[0]}}}" if len(names) == 1 else ""

    def _evident(
        self, result: CheckResult, acted: Collection[str] = (), *, varies: bool
    ) -> Target | None:
        """Return the target of a check; its own texts are checked anyway, and so is what a part contains.

        What is beside a text that `varies` may be another one, too, unless the step names it.
        """
        target = result.target
        if target and varies:
            named = (e for e in target.pinned.containers if any(self._identifying(e.name, ())))
            target = target.pinning(containers=tuple(named))
        fact = result.fact
        own = {*acted, *filter(None, (fact.text, fact.name, *fact.items) if fact else ())}
        return target and self._put.target(self._pinned(target, own, shown=result.values))

    def _source(self, result: CheckResult) -> ValueSource:
        if target := self._evident(result, varies=True):
            # Another value is read in the place of this one, not where the same is shown.
            texts = [*filter(None, result.check.expected_texts())]
            codes = tuple(
                code for code in target.locators if not any(mentions(code, each) for each in texts)
            )
            target = target.model_copy(update={"locators": codes})
        kind: Any = result.kind if result.kind in _READ else "text"
        return ValueSource(kind=kind, target=target)


def replayed_calls(iterations: Iterable[Iteration]) -> list[ToolCall]:
    """Return the calls of iterations that a replay repeats."""
    calls = chain.from_iterable(each.calls for each in iterations)
    return [call for call in calls if call.success and call.replayed]


def approved_by(made: StepTrace, ruling: Ruling | None) -> StepTrace:
    """Return a step with the approval of a ruling."""
    if ruling is None:
        return made
    same = ruling.by == made.decided.model and not ruling.blind
    approval = Approval(by=ruling.by, on=today(), digest=digest(made), same_session=same)
    return made.model_copy(update={"approved": approval})


def counts(
    template: Any, sources: Sequence[ValueSource], resolver: RecordingResolver
) -> Iterator[Evidence]:
    """Yield the number of elements of each list in a value, so that a longer list is noticed.

    Raises Unrecordable if the elements cannot be counted.
    """
    for each in _children(template):
        yield from counts(each, sources, resolver)
    if isinstance(template, list):
        # The first part of an item represents its row.
        read = dict.fromkeys(next(_sources_of(each), None) for each in template)
        # Of items that are all in one text, a replay accepts no other change of that text.
        if len(read) > 1 or len(template) == 1:
            targets = [sources[at].target for at in read if at is not None]
            yield _count(filter(None, targets), resolver)


def _count(targets: Iterable[Target], resolver: RecordingResolver) -> Evidence:
    """Return the check that these are all members of a set. Raises Unrecordable."""
    asked = CheckRequest()
    names = tuple(resolver.name(target, asked) for target in targets)
    counted = resolver.context.checker(asked.locators).run(Count(element_ids=names))
    if not counted.holds:
        raise Unrecordable(
            f"a replay could not check that the list is complete: {counted.problem}. Extract the whole list and"
            " take a part of it in the test, or extract each value in a step of its own"
        )
    return Evidence(check=counted.check.recorded(), target=counted.target)


def _children(value: Any) -> Sequence[Any]:
    """Return the parts of a list or of a structure; none of a single value, or of what reads one."""
    if isinstance(value, dict) and "take" not in value:
        return [*value.values()]
    return value if isinstance(value, list) else ()


def _sources_of(template: Any) -> Iterator[int]:
    if isinstance(template, dict) and "take" in template:
        yield int(template["source"])
    for each in _children(template):
        yield from _sources_of(each)


def _acted(calls: Sequence[ToolCall]) -> Iterator[str]:
    """Yield the names of what calls have operated, and the texts that they have entered or chosen.

    What the sentence names for this reason identifies nothing beside it.
    """
    for call in calls:
        given = call.given
        names = (target.pinned.name for target in call.targets.values())
        yield from filter(None, (*names, given.get("text"), *(given.get("options") or ())))


def _written(value: Any, sources: Sequence[CheckResult]) -> Iterator[str]:
    from pydantic_core import to_jsonable_python

    given = leaves(to_jsonable_python(value))
    parts = [str(each) for each in given if each not in (None, "") and not isinstance(each, bool)]
    yield from parts
    numbers = [values_of(part) for part in parts if re.fullmatch(r"-?\d+(?:\.\d+)?", part)]
    shown = (text for each in sources for text in each.values)
    for amount in chain.from_iterable(map(amounts_in, shown)):
        if any(amount.values & each for each in numbers):
            yield amount.text.strip("$€£¥₹% ")


def _part_of(each: Container, text: str) -> Container:
    kind = each.kind if each.name == text else f"{each.kind.removesuffix(' with')} with"
    return each.model_copy(update={"kind": kind, "name": text})


def _around(target: Target | None) -> list[str]:
    known = target.remembered if target else None
    return [each.name for each in known.containers] if known else []


def _by(iterations: Sequence[Iteration]) -> str:
    """Return the name of the model that decided last, apart from literal sentences and recordings."""
    ranked = sorted(iterations, key=lambda each: each.decided_by == "model")
    return ranked[-1].model if ranked else ""
