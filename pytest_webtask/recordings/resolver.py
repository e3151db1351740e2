"""Resolver: finds recorded elements, checks and values on the live page, with data filled in."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from decimal import Decimal
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any, Literal

from playwright.sync_api import Page

from pytest_webtask.checks.base import Check
from pytest_webtask.checks.element import Matches, Text
from pytest_webtask.data.patterns import literal_part
from pytest_webtask.data.phrases import IF_RIGHT
from pytest_webtask.data.text import amounts_in, dates_in, squashed
from pytest_webtask.data.values import PLACEHOLDER, fill_pattern, map_strings
from pytest_webtask.journal.schema import Derived, Evidence, RecordedCall, ValueSource
from pytest_webtask.page.locator_parser import Unreadable, map_texts, quote
from pytest_webtask.page.recorded_element import Missing, RecordedElement
from pytest_webtask.tools.context import StepContext
from pytest_webtask.types.page import Target


@dataclass
class CheckRequest:
    """Checks and names of sources, and their elements by the codes that replace ids."""

    checks: list[Check] = field(default_factory=list)
    sources: list[str] = field(default_factory=list)
    locators: dict[str, RecordedElement] = field(default_factory=dict)

    @property
    def evidence(self) -> list[dict[str, Any]]:
        """The checks as a model gives them in a tool call."""
        return [check.as_call() for check in self.checks]


_INCOMPLETE = (
    "the recording is incomplete: it lacks an element or a picture that it checks or reads"
)


@dataclass(frozen=True)
class RecordingResolver:
    """Finds recorded elements on the pages of a test.

    `pictures` is the folder with the pictures of visual checks. `values` are the values that earlier
    steps of the test have used, which may occur in the names of elements. `on_found` is told each target
    that was found, and how.
    """

    context: StepContext
    pictures: Path | None = None
    values: Mapping[str, str] = field(default_factory=dict)
    on_found: Callable[[Target, Mapping[str, Any]], None] = lambda *_: None

    def fill(self, text: str) -> str:
        """Return a text with the values of this step and of earlier ones filled in."""
        return self.context.data.fill(self._known(text))

    def recall(
        self, target: Target, page: Page | None = None, expected: str = ""
    ) -> RecordedElement:
        """Return a recorded element on a page, by default the one in front; `expected` is code that finds it, too.

        Raises Unreadable if its locator cannot be read.
        """
        locators = target.locators or ("",)
        codes = tuple(map_texts(code, lambda text, _: self.fill(text)) for code in locators)
        page = page or self.context.page
        filled = map_strings(target.model_dump(exclude={"locators"}), self.fill)
        wanted = Target.model_validate({**filled, "locators": target.locators})
        found = partial(self.on_found, target)
        return RecordedElement(page, codes, wanted, expected=expected, on_found=found)

    def ask(self, evidence: Iterable[Evidence]) -> CheckRequest:
        """Return the checks of recorded evidence. Raises Unreadable, or Missing for a closed tab."""
        request = CheckRequest()
        for each in evidence:
            request.checks.append(self._check(each, request))
        return request

    def name(
        self, target: Target, request: CheckRequest, page: Page | None = None, expected: str = ""
    ) -> str:
        """Add an element to a request, and return the code that replaces its id."""
        element = self.recall(target, page, expected)
        code, number = target.locator, 1
        while request.locators.get(code, element).target != element.target:
            number += 1
            code = f"{target.locator} #{number}"
        request.locators[code] = element
        return code

    def parameters(self, call: RecordedCall) -> dict[str, Any]:
        """Return the parameters of a call with the values of earlier steps; a tool fills in its own."""
        return {name: map_strings(value, self._known) for name, value in call.parameters.items()}

    def _known(self, text: str) -> str:
        """Return an expected text with the values of earlier steps; a check fills in its own."""
        own = self.context.data.values
        return PLACEHOLDER.sub(lambda m: m[0] if m[1] in own else self.values.get(m[1], m[0]), text)

    def picture_file(self, name: str) -> str:
        """Return the file of a picture as this browser draws it on this platform."""
        browser = self.context.page.context.browser
        drawn_by = browser.browser_type.name if browser else "browser"
        return f"{name}-{drawn_by}-{sys.platform}.jpg"

    def text(self, source: ValueSource, request: CheckRequest) -> Source:
        """Return the current text or count of a source. Raises Missing, NotFound, Unreadable."""
        if source.kind in ("url", "title"):
            page = self.context.page
            request.sources.append(source.kind)
            if source.kind == "title":
                return squashed(page.title())
            return path_of(page.url)
        if source.target is None:
            raise Unreadable(_INCOMPLETE)
        code = self.name(source.target, request)
        request.sources.append(code)
        element = request.locators[code]
        if source.kind == "count":
            return element.locator.count()
        return self.context.checker(request.locators).readable(code).facts.value

    def _check(self, each: Evidence, request: CheckRequest) -> Check:
        values = {**self.values, **self.context.data.values}
        check = each.check.filled(self._known, lambda pattern: fill_pattern(pattern, values))
        page = self._tab(each.tab)
        if page is not None and check.of_page:
            check = check.model_copy(update={"tab": each.tab})
        if each.target is not None:
            check = check.cite(self.name(each.target, request, page, self._expected(check)))
        elif not check.of_page:
            raise Unreadable(_INCOMPLETE)
        if each.other is not None:
            check = check.model_copy(update={"other_id": self.name(each.other, request, page)})
        if check.by_eye:
            if each.picture is None or self.pictures is None:
                raise Unreadable(_INCOMPLETE)
            picture = str(self.pictures / self.picture_file(each.picture))
            check = check.model_copy(update={"picture": picture})
        # Values that were filled in may break a pattern or a bound.
        return type(check).model_validate(check.as_call())

    def _expected(self, check: Check) -> str:
        """Return the code of a locator by what an element is expected to show, "" if that is only a part of it."""
        if isinstance(check, Text) and check.exact:
            return f"get_by_text({quote(self.context.data.fill(check.text))}, exact=True)"
        pattern = literal_part(check.pattern) if isinstance(check, Matches) else ""
        return pattern and f"get_by_text(re.compile({quote(pattern)}))"

    def _tab(self, number: int | None) -> Page | None:
        """Return the page of a tab in the background, None for the one in front. Raises Missing."""
        pages = self.context.session.tabs.pages
        if number is None or number in pages:
            return None if number is None else pages[number]
        listed = ", ".join(map(str, pages)) or "none"
        raise Missing(
            f"the recording checks tab {number}, which is not open; the open tabs are {listed}"
        )


def path_of(url: str) -> str:
    """Return an address without its origin."""
    scheme, mark, rest = url.partition("://")
    if mark and scheme.startswith("http"):
        return f"/{rest.partition('/')[2]}"
    return url


Source = str | int
"""The text of a source, or the number of its elements."""


class Underivable(Missing):
    """A value, or a part of it, cannot be read from its sources; the message says why."""


def derive(value: Any, sources: Sequence[Source], used: list[Derived] | None = None) -> Any:
    """Return how to read a JSON-like value from its sources, with the same nesting.

    `used` are the sources of other parts of a list. Raises Underivable.
    """
    used = [] if used is None else used
    if isinstance(value, dict):
        return {key: derive(each, sources, used) for key, each in value.items()}
    if value is None or isinstance(value, bool) or value == []:
        raise Underivable(
            f"Can't record {value!r} because it isn't text on the page; use holds() instead,"
            " or ask for the text that says so."
        )
    if isinstance(value, list):
        items = [derive(each, sources, used) for each in value]
        if len({repr(each) for each in items}) < len(items):
            raise Underivable(
                "two items of the list were read from the same element, so a replay could not tell them"
                " apart: ask for what differs"
            )
        return items
    found = (next(_parts(value, at, each), None) for at, each in enumerate(sources))
    parts = [part for part in found if part is not None]
    if not parts:
        raise Underivable(
            f"{value!r} is not in the texts that were read, in exactly this form: ask for the value as"
            " the page shows it"
        )
    # Prefer a whole text to a part of one, and an unused source to a used one.
    best = min(parts, key=lambda part: (bool(part.before or part.after), part in used))
    used.append(best)
    return best.model_dump(exclude_defaults=True)


def reread_value(template: Any, sources: Sequence[Source]) -> Any:
    """Return the value from the current texts of the sources. Raises Underivable, Unreadable."""
    if isinstance(template, dict) and "take" in template:
        part = Derived.model_validate(template)
        if part.source >= len(sources):
            raise Unreadable(_INCOMPLETE)
        return _reread(part, sources[part.source])
    if isinstance(template, dict):
        return {key: reread_value(each, sources) for key, each in template.items()}
    if isinstance(template, list):
        return [reread_value(each, sources) for each in template]
    raise Underivable(
        f"nothing in this test supplies the recorded value {template!r}",
        remedy="restore the data that it came from, or",
    )


_Take = Literal["text", "integer", "number", "decimal", "date"]
_TAKES: dict[type, tuple[_Take, ...]] = {
    int: ("integer",),
    float: ("number",),
    str: ("text", "date", "decimal"),
}
"""The ways in which a text may show a value of a type."""
_KINDS: dict[_Take, tuple[str, str]] = {
    "integer": ("a whole number", "float"),
    "number": ("a single number", "str"),
    "decimal": ("a single number", "str"),
    "date": ("a single date", "str"),
}
"""What a text has to be to be read in a way, and a wider type that reads more."""
_GROUPS: tuple[Literal["", ",", "."], ...] = ("", ",", ".")
_NUMBER = r"[-−]?\d[\d.,'’\u00a0\u202f ]*\d|[-−]?\d"


def _parts(value: Any, index: int, source: Source) -> Iterator[Derived]:
    if isinstance(source, int):
        if value == source:
            yield Derived(source=index, take="count")
        return
    text = squashed(source)
    for take in _TAKES[type(value)]:
        for groups, (begin, end) in product(_GROUPS, _places(take, value, text)):
            before, after = text[:begin], text[end:]
            part = Derived(source=index, take=take, before=before, after=after, groups=groups)
            with suppress(Underivable):
                if _reread(part, source) == value:
                    yield part


def _places(take: _Take, value: Any, text: str) -> list[tuple[int, int]]:
    forms = [_NUMBER]
    if take == "text":
        forms = [re.escape(squashed(value))]
    elif take == "date":
        forms = [re.escape(date) for date, _ in dates_in(text)]
    return [match.span() for form in forms for match in re.finditer(form, text)]


def _taken(take: _Take, groups: str, shown: str) -> Any:
    """Return the value that is read from a text in one way, None if it cannot be read so."""
    if take == "text":
        return shown
    if take == "date":
        days = [day for date, found in dates_in(shown) if date == shown for day in found]
        return days[0].isoformat() if len(days) == 1 else None
    number = _number(shown, groups)
    if number is None:
        return None
    if take != "integer":
        return str(number) if take == "decimal" else float(number)
    # 12 is not read from 12,000.
    is_whole = number == int(number) and not (groups and "." in str(number))
    return int(number) if is_whole else None


def _number(text: str, groups: str) -> Decimal | None:
    """Return the number that a text is, read with a character between thousands where one is given."""
    if not groups:
        amounts = amounts_in(text) if re.fullmatch(_NUMBER, text) else ()
        values = [value for each in amounts for value in each.values]
        return values[0] if len(values) == 1 else None
    point = "." if groups == "," else ","
    grouped = rf"\d{{1,3}}(?:{re.escape(groups)}\d{{3}})*|\d+"
    match = re.fullmatch(rf"([-−]?)({grouped})(?:{re.escape(point)}(\d+))?", text)
    if match is None:
        return None
    written = f"{match[1]}{match[2]}".replace(groups, "").replace("−", "-")
    return Decimal(f"{written}.{match[3]}" if match[3] else written)


def _reread(part: Derived, source: Source) -> Any:
    """Return what a part reads from a source. Raises Underivable, Unreadable."""
    if part.take == "count":
        if isinstance(source, int):
            return source
        raise Unreadable(_INCOMPLETE)
    text = squashed(str(source))
    # The same words may have other digits.
    before, after = (re.sub(r"\d+", r"\\d+", re.escape(e)) for e in (part.before, part.after))
    match = re.fullmatch(f"{before}(.+){after}", text)
    if match is None:
        expected = f"{part.before}…{part.after}"
        raise Underivable(f"the page shows {text!r:.120}, which does not fit {expected!r:.120}")
    value = _taken(part.take, part.groups, match[1])
    if value is None:
        kind, wider = _KINDS[part.take]
        raise Underivable(
            f"the page shows {match[1]!r:.80}, which is not {kind}",
            remedy=f"{IF_RIGHT} ask for a {wider}, which is the wider type, and",
        )
    return value
