"""Recorded elements, checks and values on the live page, with data filled in."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

from pytest_webtask.checks.text import amounts_in, dates_in, squashed
from pytest_webtask.page.locator_parser import Unreadable, locate, map_texts
from pytest_webtask.page.recorded_element import RecordedElement
from pytest_webtask.recordings.schema import Derived, Evidence, StepTrace, ValueSource
from pytest_webtask.tools.context import Hands
from pytest_webtask.types.agent import Signature, Target

__all__ = ["CheckRequest", "RecordingResolver", "Underivable", "derive", "read_again"]


_NAMED = re.compile(r"\{([^\W\d]\w*)\}")


@dataclass
class CheckRequest:
    """Checks as a model would give them, and their elements by what stands in place of ids."""

    checks: list[dict[str, Any]] = field(default_factory=list)
    locators: dict[str, RecordedElement] = field(default_factory=dict)


@dataclass(frozen=True)
class RecordingResolver:
    """Brings what is recorded to the pages of a test.

    `pictures` is where those of checks by eye are; `values` are those of earlier steps of the test,
    which what this step is about may have in its name.
    """

    hands: Hands
    pictures: Path | None = None
    values: Mapping[str, str] = field(default_factory=dict)

    def fill(self, text: str) -> str:
        """A text with the values of the step put in, and of earlier ones."""
        text = self.hands.data.fill(text)
        return _NAMED.sub(lambda m: self.values.get(m[1], m[0]), text)

    def recall(self, target: Target, page: Page | None = None) -> RecordedElement:
        """An element of a recording, on the page in front if none is given.

        Raises Unreadable where its locator cannot be read.
        """
        code = map_texts(target.locator, lambda text, _: self.fill(text))
        filled = None
        if target.signature is not None:
            told = self._filled(target.signature.model_dump())
            filled = Signature(**told)
        where = locate(code, page or self.hands.page)
        return RecordedElement(where, Target(locators=target.locators, signature=filled))

    def ask(self, evidence: Iterable[Evidence]) -> CheckRequest:
        """The checks of a recording. Raises Unreadable."""
        asked = CheckRequest()
        for each in evidence:
            asked.checks.append(self._check(each, asked))
        return asked

    def name(self, target: Target, asked: CheckRequest, page: Page | None = None) -> str:
        """What stands in place of the element's id, which is its locator's code."""
        recalled = self.recall(target, page)
        code, number = target.locator, 1
        while asked.locators.get(code, recalled).target != recalled.target:
            number += 1
            code = f"{target.locator} #{number}"
        asked.locators[code] = recalled
        return code

    def _pattern(self, pattern: str) -> str:
        """A pattern with its placeholders filled in, of whose values no sign means anything else."""
        values = {**self.values, **self.hands.data.values}
        return _NAMED.sub(lambda m: re.escape(values[m[1]]) if m[1] in values else m[0], pattern)

    def _known(self, text: str) -> str:
        """Return what a check expects, with the values of earlier steps; it fills in its own."""
        own = self.hands.data.values
        return _NAMED.sub(lambda m: m[0] if m[1] in own else self.values.get(m[1], m[0]), text)

    def _filled(self, value: Any) -> Any:
        if isinstance(value, str):
            return self.fill(value)
        if isinstance(value, dict):
            return {key: self._filled(each) for key, each in value.items()}
        if isinstance(value, (list, tuple)):
            return [self._filled(each) for each in value]
        return value

    def picture_file(self, name: str) -> str:
        """The file of a picture as this browser draws it on this platform."""
        browser = self.hands.page.context.browser
        drawn_by = browser.browser_type.name if browser else "browser"
        return f"{name}-{drawn_by}-{sys.platform}.jpg"

    def text(self, source: ValueSource, asked: CheckRequest) -> Source:
        """What a source of a value has now. Raises Missing, NotFound, Unreadable."""
        names: list[Any] = asked.checks
        if source.kind in ("url", "title"):
            page = self.hands.page
            names.append(source.kind)
            return page.title() if source.kind == "title" else path_of(page.url)
        if source.target is None:
            raise Unreadable(f"a source of the kind {source.kind} needs a target")
        code = self.name(source.target, asked)
        names.append(code)
        recalled = asked.locators[code]
        if source.kind == "count":
            return recalled.locator.count()
        recalled.look(whole=True)
        return self.hands.checker(asked.locators).read(code)

    def _check(self, each: Evidence, asked: CheckRequest) -> dict[str, Any]:
        check = each.check.filled(self._known, self._pattern)
        page = None
        if each.tab is not None:
            page = self.hands.tabs.pages.get(each.tab)
            if page is None:
                raise Unreadable(f"there is no tab {each.tab}")
            if check.of_page:
                check = check.model_copy(update={"tab": each.tab})
        if each.target is not None:
            check = check.cite(self.name(each.target, asked, page))
        elif not check.of_page:
            raise Unreadable(f"a check of the kind {each.kind} needs a target")
        if each.other is not None:
            check = check.model_copy(update={"other_id": self.name(each.other, asked, page)})
        if check.by_eye:
            if each.picture is None or self.pictures is None:
                raise Unreadable("a check by eye needs its picture")
            picture = str(self.pictures / self.picture_file(each.picture))
            check = check.model_copy(update={"picture": picture})
        return check.as_call()


def pictured(made: StepTrace, again: RecordingResolver) -> tuple[StepTrace, dict[str, str]]:
    """The same with its pictures named, and the file of each by what it is to be kept as."""
    taken: dict[str, str] = {}

    def named(each: Evidence) -> Evidence:
        if each.picture is None or "/" not in each.picture:
            return each
        name = Path(each.picture).stem[:12]
        taken[again.picture_file(name)] = each.picture
        return each.model_copy(update={"picture": name})

    return made.model_copy(update={"evidence": tuple(map(named, made.evidence))}), taken


def path_of(url: str) -> str:
    """An address without its origin."""
    scheme, mark, rest = url.partition("://")
    return f"/{rest.partition('/')[2]}" if mark and scheme.startswith("http") else url


def is_negative(evidence: Sequence[Evidence]) -> bool:
    """Whether some of it holds where something is not there: on a page that has yet to show it, too."""
    return any(
        each.check.negative or each.fails or each.expects.get("number") == "0" for each in evidence
    )


Source = str | int
"""What a source has: its text, or how many elements it finds."""


class Underivable(ValueError):
    """A value, or a part of it, cannot be read off its sources; the message says why."""


def derive(value: Any, sources: Sequence[Source], used: list[Derived] | None = None) -> Any:
    """How a JSON-like value is read off its sources, nested as it is. Raises Underivable.

    `used` are the places from which other parts of a list are read.
    """
    used = [] if used is None else used
    if isinstance(value, dict):
        return {key: derive(each, sources, used) for key, each in value.items()}
    if isinstance(value, list):
        if not value:
            raise Underivable("an empty list is read from nothing")
        made = [derive(each, sources, used) for each in value]
        if any(each in made[:at] for at, each in enumerate(made)):
            raise Underivable("two items of the list would be read from the same place")
        return made
    if value is None or isinstance(value, bool):
        raise Underivable(f"{value} stands in no text; ask for it with holds()")
    parts = [_part(value, index, source) for index, source in enumerate(sources)]
    found = [part for part in parts if part is not None]
    if not found:
        raise Underivable(f"{value!r} does not stand in what was read just as it is")
    # All of a text rather than a part of another, and of equal ones the next.
    best = min(found, key=lambda part: (bool(part.before or part.after), part in used))
    used.append(best)
    return best.model_dump(exclude_defaults=True)


def read_again(template: Any, sources: Sequence[Source]) -> Any:
    """The value as the sources have it now. Raises Underivable."""
    if isinstance(template, dict) and "take" in template:
        part = Derived.model_validate(template)
        if part.source >= len(sources):
            raise Underivable(f"there is no source {part.source}")
        return _taken(part, sources[part.source])
    if isinstance(template, dict):
        return {key: read_again(each, sources) for key, each in template.items()}
    if isinstance(template, list):
        return [read_again(each, sources) for each in template]
    raise Underivable(f"{template!r} says of no source how it is read")


def _part(value: Any, index: int, source: Source) -> Derived | None:
    if isinstance(source, int):
        return Derived(source=index, take="count") if value == source else None
    text = squashed(source)
    if isinstance(value, (int, float)):
        wanted = Decimal(str(value))
        take = "integer" if isinstance(value, int) else "number"
        candidates = [(m.start(), m.end()) for m in re.finditer(_NUMBER, text)]
        fits = [p for p in candidates if _number(text[slice(*p)]) == wanted]
    else:
        words = squashed(str(value))
        take = "text"
        fits = [(m.start(), m.end()) for m in re.finditer(re.escape(words), text)] if words else []
        if not fits:
            take = "date"
            written = [
                w for w, days, *_ in dates_in(text) if [d.isoformat() for d in days] == [words]
            ]
            fits = [(at, at + len(w)) for w in written if (at := text.find(w)) >= 0]
    for begin, end in fits:
        made = Derived(source=index, take=take, before=text[:begin], after=text[end:])  # type: ignore[arg-type]
        try:
            if _taken(made, source) == value:
                return made
        except Underivable:
            continue
    return None


_NUMBER = r"[-−]?\d[\d.,'’\u00a0\u202f ]*\d|[-−]?\d"


def _number(text: str) -> Decimal | None:
    found = amounts_in(text)
    values = found[0].values if len(found) == 1 else ()
    return next(iter(values)) if len(values) == 1 else None


def _taken(part: Derived, source: Source) -> Any:
    if part.take == "count":
        if not isinstance(source, int):
            raise Underivable("a count needs a source that is counted")
        return source
    text = squashed(str(source))
    match = re.fullmatch(f"{_around(part.before)}(.+){_around(part.after)}", text)
    if match is None:
        said = f"{part.before}…{part.after}"
        raise Underivable(f"the page says {text!r:.120}, which is not {said!r:.120}")
    if part.take == "text":
        return match[1]
    if part.take == "date":
        days = [
            d for written, found, *_ in dates_in(match[1]) if written == match[1] for d in found
        ]
        if len(days) != 1:
            raise Underivable(f"{match[1]!r:.80} is not one date")
        return days[0].isoformat()
    number = _number(match[1]) if re.fullmatch(_NUMBER, match[1]) else None
    if number is None:
        raise Underivable(f"{match[1]!r:.80} is not one number")
    if part.take == "integer":
        if number != int(number):
            raise Underivable(f"{match[1]!r:.80} is no whole number")
        return int(number)
    return float(number)


def _around(text: str) -> str:
    """A pattern for what stands beside a part: the same words, any digits."""
    return re.sub(r"\d+", r"\\d+", re.escape(text))
