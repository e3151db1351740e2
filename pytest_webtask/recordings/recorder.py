"""From what was done in a step to its recording, which is tried out before it counts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timezone
from typing import Any
from urllib.parse import urlsplit

from pydantic import ValidationError

from pytest_webtask.checks.finding import NotFound
from pytest_webtask.checks.kinds import CHECKS
from pytest_webtask.checks.sets import around
from pytest_webtask.checks.telling import told
from pytest_webtask.data import REDACTED
from pytest_webtask.page.locators import Unreadable
from pytest_webtask.recordings.again import Again, Asked
from pytest_webtask.recordings.placeholders import Placeholders
from pytest_webtask.recordings.steps import Call, Decided, Evidence, Key, Made
from pytest_webtask.recordings.values import Source, Underivable, derive
from pytest_webtask.records import Checked, Iteration, Target, ToolCall
from pytest_webtask.tools import ENDINGS
from pytest_webtask.tools.hands import Hands
from pytest_webtask.tools.planning import EDITS

__all__ = ["Recorder", "Unrecordable", "counts"]

_NOT_AGAIN = ENDINGS | EDITS | {"look", "set_output"}
"""Tools that leave nothing to be done again."""


class Unrecordable(Exception):
    """A step cannot be replayed, so that it is not recorded; the message says why."""


@dataclass(frozen=True)
class Recorder:
    """Makes the recording of one step, which `key` names.

    `before` are calls that were replayed before a model went on, `values` those that the test has
    used so far.
    """

    hands: Hands
    key: Key
    again: Again
    before: Sequence[Call] = ()
    values: Mapping[str, str] = field(default_factory=dict)

    def made(
        self,
        iterations: Sequence[Iteration],
        *,
        evidence: Sequence[Checked] = (),
        otherwise: Sequence[Checked] = (),
        readings: Sequence[str] = (),
        value: Any = None,
        sources: Sequence[Checked] = (),
        selected: Target | None = None,
    ) -> Made:
        """What was done, with placeholders for values of the data. Nothing is tried out."""
        done = [call for i in iterations for call in i.calls if _counts(call)]
        put = Placeholders(self.values)
        told = [Evidence.model_validate(self._evidence(each, put)) for each in evidence]
        denied = [Evidence.model_validate(self._evidence(each, put)) for each in otherwise]
        read = [self._source(each, put) for each in sources]
        return Made(
            **self.key.model_dump(),
            decided=Decided(model=_by(iterations), on=f"{datetime.now(timezone.utc):%Y-%m-%d}"),
            calls=(*self.before, *(self._call(call, put) for call in done)),
            evidence=tuple(told),
            otherwise=tuple(denied),
            readings={w: put.put(t) for w, _, t in (r.partition(": ") for r in readings)},
            sources=tuple(read),
            value=value,
            selected=put.target(selected) if selected else None,
        )

    def try_out(self, made: Made) -> None:
        """Ask the page for what is recorded, as a replay would. Raises Unrecordable."""
        for call in made.calls:
            if REDACTED in str(call.parameters):
                raise Unrecordable(
                    f"{call.tool} used what is redacted, which no recording may hold"
                )
            for parameter, target in call.targets.items():
                if not target.locator or REDACTED in target.locator:
                    raise Unrecordable(f"no locator finds the {parameter} of {call.tool} again")
        try:
            for call in made.calls:
                for target in call.targets.values():
                    self.again.recall(target)
            for each in (*made.evidence, *made.otherwise):
                self._ask(each)
            if made.selected is not None:
                self.again.recall(made.selected)
        except (Unreadable, ValidationError) as error:
            raise Unrecordable(str(error)) from None

    def value(self, value: Any, sources: Sequence[Checked], texts: Sequence[Source]) -> Any:
        """How a value is read off its sources. Raises Unrecordable."""
        if not sources:
            raise Unrecordable("the output was not read off the page, so that it cannot be again")
        try:
            return derive(value, texts)
        except Underivable as error:
            raise Unrecordable(str(error)) from None

    def _ask(self, each: Evidence) -> None:
        if each.kind == "visual" and each.picture is not None:
            # Its picture is that of this very moment, and not yet where it will be kept.
            return
        asked = self.again.ask([each])
        (check,) = CHECKS.validate_python(asked.checks)
        answer = self.hands.checker(asked.locators).run(check)
        if answer.holds == each.fails:
            raise Unrecordable(f"its evidence cannot be asked again: {told(answer.checked)}")

    def _call(self, call: ToolCall, put: Placeholders) -> Call:
        given = {
            name: value
            for name, value in {**call.parameters, **call.again}.items()
            if value is not None and not name.endswith("element_id")
        }
        targets = {name: put.target(target) for name, target in call.targets.items()}
        return Call(
            tool=call.tool, parameters=put.put_all(given), targets=targets, loads=call.loaded
        )

    def _evidence(self, checked: Checked, put: Placeholders) -> dict[str, Any]:
        expects = {
            name: value
            for name, value in checked.arguments.items()
            if name not in ("element_id", "element_ids", "within", "tab", "recorded", "picture")
            and value is not False
        }
        target = checked.target
        kind = checked.kind
        if kind == "count":
            ids = checked.arguments["element_ids"]
            expects = {"number": put.number(expects.get("number") or len(ids))}
        elif kind == "state" and expects.get("state") == "hidden":
            # What cannot be seen may have no place to look for it; that nothing is so named has.
            kind, expects, target = "absent", _gone(checked), None
        elif kind == "url":
            expects = {"pattern": _without_origin(str(expects["pattern"]), self.hands.base_url)}
        made: dict[str, Any] = {"kind": kind, "expects": put.put_all(expects)}
        if target is not None:
            made["target"] = put.target(target)
        if checked.screenshot:
            made["picture"] = checked.screenshot
        tabs = self.hands.tabs
        if checked.tab != tabs.number_of(tabs.front):
            made["tab"] = checked.tab
        if not checked.holds:
            made["fails"] = True
        if checked.stood:
            made["stood"] = True
        return made

    def _source(self, checked: Checked, put: Placeholders) -> Evidence:
        kind = checked.kind if checked.kind in ("count", "value", "url", "title") else "text"
        target = put.target(checked.target) if checked.target else None
        return Evidence.model_validate({"kind": kind, "target": target})


def counts(template: Any, sources: Sequence[Evidence], again: Again) -> Iterator[Evidence]:
    """For each list of a value how many there are, or one that has grown would be returned short.

    Raises Unrecordable where nothing tells.
    """
    if isinstance(template, dict) and "take" not in template:
        for each in template.values():
            yield from counts(each, sources, again)
    if not isinstance(template, list):
        return
    for each in template:
        yield from counts(each, sources, again)
    # Of an item with several parts one tells its row.
    read = [next(_sources_of(each), None) for each in template]
    targets = [sources[at].target for at in read if at is not None]
    asked = Asked()
    names = [again.name(target, asked) for target in targets if target is not None]
    checker = again.hands.checker(asked.locators)
    try:
        every = around(checker.cite_all(names))
    except NotFound as error:
        raise Unrecordable(
            f"nothing tells how many there are, of which a list is: {error}"
        ) from None
    if len(every.numbers) != len(template):
        raise Unrecordable(f"the list has {len(template)}, and there are {len(every.numbers)}")
    yield Evidence(
        kind="count",
        expects={"number": len(template)},
        target=Target(locator=every.code, signature=every.signature()),
    )


def _sources_of(template: Any) -> Iterator[int]:
    if isinstance(template, dict) and "take" in template:
        yield int(template["source"])
    elif isinstance(template, (dict, list)):
        for each in template.values() if isinstance(template, dict) else template:
            yield from _sources_of(each)


def _counts(call: ToolCall) -> bool:
    return call.success and call.tool not in _NOT_AGAIN


def _by(iterations: Sequence[Iteration]) -> str:
    """Who made the last decision that was not read off the sentence."""
    models = [i.model for i in iterations if i.model not in ("", "literal", "recording")]
    return models[-1] if models else next((i.model for i in reversed(iterations)), "")


def _gone(checked: Checked) -> dict[str, Any]:
    found = re.fullmatch(r'([a-z]+) "(.*)"', checked.about)
    if not found or not found[2]:
        raise Unrecordable(f"{checked.about} has no name by which it could be missed")
    if found[1] in ("text", "element"):
        return {"text": found[2]}
    return {"role": found[1], "name": found[2], "exact": True}


def _without_origin(pattern: str, base_url: str) -> str:
    origin = "://".join(urlsplit(base_url)[:2]) if base_url else ""
    return pattern.removeprefix(origin) or "/" if origin else pattern
