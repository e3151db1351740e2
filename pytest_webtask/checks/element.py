"""Checks of one element: its text, value, state, attribute and number, and comparisons."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from decimal import Decimal, InvalidOperation
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple

from pydantic import Field, ValidationError, field_validator, model_validator
from pydantic.json_schema import SkipJsonSchema

from pytest_webtask.checks.base import (
    TIMEOUT,
    Check,
    CheckResult,
    Fact,
    UncheckableError,
    expect,
    holds,
    not_empty,
    required,
)
from pytest_webtask.checks.varying import Varying, as_literal, literally
from pytest_webtask.data.escapes import LINE_BREAK
from pytest_webtask.data.patterns import LimitedPattern, SlowPattern
from pytest_webtask.data.text import (
    amounts_in,
    as_written,
    dates_in,
    in_outline,
    letters,
    says,
    squashed,
    whole_words,
)

if TYPE_CHECKING:
    from playwright.sync_api import Locator

    from pytest_webtask.checks.check_context import CheckContext, CheckedElement, ElementFacts
    from pytest_webtask.checks.earlier_page import EarlierPage
    from pytest_webtask.page.playwright_code import CodeTexts
    from pytest_webtask.types.page import Shown, Target

ID = "The element's id, as it stands in the outline."
CONTROLS = frozenset(
    "button link checkbox radio switch tab menuitem menuitemcheckbox menuitemradio option slider"
    " spinbutton combobox searchbox textbox treeitem listbox file color summary".split()
)
_LEAF = 300
"""The maximum length of a leaf's text that is recorded whole."""
_FIELDS = frozenset(("input", "textarea", "select"))


class _OfElement(Check):
    model_config = required("kind", "element_id")
    ids: ClassVar[tuple[str, ...]] = ("element_id",)

    def held_before(self, before: EarlierPage) -> bool | None:
        """Return True for an element that has not changed, False for a new one, else None."""
        return True if before.was and before.was == before.now else False if before.is_new else None


def _matches(element_id: str, pattern: str | None) -> Check | None:
    """Return the check for a pattern, None if that could be any text."""
    with suppress(ValidationError):
        return Matches(element_id=element_id, pattern=pattern or "")
    return None


class Text(_OfElement):
    """An element shows a text."""

    aspect: ClassVar[Literal["text"]] = "text"
    by_name: ClassVar[bool] = False
    expectations: ClassVar[tuple[str, ...]] = ("text",)

    kind: Literal["text"] = "text"
    element_id: str = Field(default="", description=ID)
    text: str = Field(description="The text, as it stands on the page.")
    exact: bool = Field(default=False, description="Whether that is all that the element shows.")
    line: SkipJsonSchema[str | None] = None
    """A pattern for the line that had the text when it was recorded, in an element with several."""
    _text = field_validator("text")(not_empty)

    def describe(self) -> str:
        """Return the text in quotation marks."""
        return f'{"exactly " if self.exact else ""}"{self.text}"'

    def run(self, context: CheckContext) -> CheckResult:
        """Look for the text in what is visible of the element."""
        element, expected = context.seen(self.element_id), context.fill(self.text)
        facts = element.facts
        shows = shows_text(element, expected, exact=self.exact)
        held = shows and self._has_line(context, facts)
        leaf = _leaf_of(facts)
        _, codes = context.address(element, (expected,), shown=leaf or expected)
        line = line_of(facts, expected) if leaf is None and not self.exact else None
        lines: tuple[str, ...] = (line,) if line else ()
        if not (held or lines or leaf or self.exact):
            lines = tuple(get_close_matches(expected, map(squashed, facts.leaves), 1))
        there = _there(facts, expected)
        result = context.of_element(self, element, codes, held, there, leaf=leaf, whole=lines)
        # Exported code needs the same blanks as the page.
        check = result.check
        assert isinstance(check, Text)
        written = as_written(expected, facts.drawn, check.text)
        update: dict[str, Any] = {"check": check.model_copy(update={"text": written})}
        if shows and not held:
            update["expected"] = self._line_words(context)
        return result.model_copy(update=update)

    def _has_line(self, context: CheckContext, facts: ElementFacts) -> bool:
        """Return whether one of the lines that the element shows is the recorded one, if there is one."""
        if self.line is None:
            return True
        pattern = context.fill_pattern(self.line)
        return _fits_any(pattern, map(squashed, facts.leaves), self.line)

    def _line_words(self, context: CheckContext) -> str:
        """Return the recorded line in quotation marks, or its pattern if it varies."""
        line = self.line or ""
        if literally(as_literal(line)) != line:
            return f"a line that fits {line}"
        return f'the line "{context.fill(as_literal(line))}"'

    def with_whole_text(self, text: str) -> Check:
        """Return the check for the element's entire text."""
        return self if self.exact else self.model_copy(update={"text": text, "exact": True})

    def lasting(self, whole: tuple[str, ...]) -> Check:
        """Return the check with the line that holds the text."""
        return self.model_copy(update={"line": literally(whole[0])})

    def varied(self, result: CheckResult, varying: Varying) -> Check | None:
        """Return the check with a pattern for the entire text, or for the line that holds the text."""
        if self.exact:
            return _matches(self.element_id, varying.pattern(self.text, result.actual))
        if self.line is None or not result.whole:
            return None
        line = varying.pattern(as_literal(self.line), result.whole[0])
        part = varying.part(self.text, result.whole[0])
        return self.model_copy(update={"line": line, "text": part}) if line and part else None

    def filled(self, text: Callable[[str], str], pattern: Callable[[str], str]) -> Check:
        """Return the check with placeholders filled in; in the pattern of its line they are escaped."""
        line = self.line and pattern(self.line)
        return self.model_copy(update={"text": text(self.text), "line": line})

    def with_texts(self, change: Callable[[str], str]) -> Check:
        """Return the check with a function applied to its text and to its line, unless parts of that may vary."""
        line = self.line
        if line and literally(as_literal(line)) == line:
            line = literally(change(as_literal(line)))
        return self.model_copy(update={"text": change(self.text), "line": line})

    def held_before(self, before: EarlierPage) -> bool | None:
        """Return whether the element showed the text; the text elsewhere on the page does not count."""
        if before.was and before.now and self._is_in(before.now):
            return self._is_in(before.was)
        return None if before.says(self.text) else False

    def _is_in(self, shown: Shown) -> bool:
        text = shown.text or shown.name
        return squashed(text) == squashed(self.text) if self.exact else in_outline(self.text, text)

    def as_playwright(self, code: CodeTexts, target: Target | None) -> tuple[str, str]:
        """Return the assertion of a text."""
        if icon := re.fullmatch(r'\(icon "(.+)"\)', self.text):
            return code.found(target), f"to_have_accessible_name({code.text(icon[1])})"
        if code.tag(target) == "input":
            expected = code.whole(self.text) if self.exact else code.words(self.text)
            return code.found(target), f"to_have_value({expected})"
        if self.exact:
            return code.found(
                target
            ), f"to_have_text({code.all_of(self.text)}, use_inner_text=True)"
        return code.found(target), f"to_contain_text({code.words(self.text)}, use_inner_text=True)"


class Value(_OfElement):
    """A field holds a value; a choice has an option chosen."""

    aspect: ClassVar[Literal["value"]] = "value"
    source_kind: ClassVar[Literal["value"]] = "value"
    by_name: ClassVar[bool] = False
    expectations: ClassVar[tuple[str, ...]] = ("value",)

    kind: Literal["value"] = "value"
    element_id: str = Field(default="", description=ID)
    value: str = Field(
        description='The whole value, "" for an empty field; of a select, the label of the option.'
    )

    @field_validator("value")
    @classmethod
    def _in_lines(cls, value: str) -> str:
        # As the outline shows a line break.
        return re.sub(f" ?{LINE_BREAK} ?", "\n", value)

    def describe(self) -> str:
        """Return the value in quotation marks."""
        return f'= "{self.value}"'

    def run(self, context: CheckContext) -> CheckResult:
        """Compare the field's value."""
        element, expected = context.seen(self.element_id), context.fill(self.value)
        facts = element.facts
        if facts.password and self.value and not context.data.uses_secret(self.value):
            context.refuse_password(element)
        if facts.tag == "input" and element.role in ("checkbox", "radio", "switch"):
            raise UncheckableError(
                f"{self.element_id} is a checkbox, radio button or switch, whose value is not visible:"
                " use kind state with checked or unchecked"
            )
        locator, codes = context.address(element)
        value = facts.value
        if facts.select:
            # Users see an option's label, which may differ from its text.
            held = squashed(value) == squashed(expected)
        elif facts.field:
            alike = squashed(value.replace(LINE_BREAK, " ")) == squashed(
                expected.replace(" / ", " ")
            )
            held = alike and not facts.password
            if facts.tag in _FIELDS and element.role != "combobox":
                held = held or holds(
                    lambda: expect(locator).to_have_value(expected, timeout=TIMEOUT)
                )
            elif facts.type == "range":
                with suppress(InvalidOperation):
                    held = Decimal(value) == Decimal(expected)
        elif facts.editable or element.role == "combobox":
            held = holds(
                lambda: expect(locator).to_have_text(expected, use_inner_text=True, timeout=TIMEOUT)
            )
        else:
            raise UncheckableError(
                f"{self.element_id} is not a field, or draws only a part of its value"
                if element.role == "textbox"
                else f"{self.element_id} is not a field",
                "use kind text for what it shows",
            )
        actual = "" if facts.password else value
        return context.of_element(self, element, codes, held, actual, match="whole")

    def varied(self, result: CheckResult, varying: Varying) -> Check | None:
        """Return the check with a pattern for the value."""
        return _matches(self.element_id, varying.pattern(self.value, result.actual))

    def held_before(self, before: EarlierPage) -> bool | None:
        """Return whether the field had that value; for a password only whether it was empty is known."""
        if before.was is None or before.was.value is None:
            return False if before.is_new else None
        return squashed(before.was.value.replace(LINE_BREAK, " ")) == squashed(self.value)

    def as_playwright(self, code: CodeTexts, target: Target | None) -> tuple[str, str]:
        """Return the assertion of a value."""
        tag, role = code.tag(target), code.role(target)
        if tag == "select" and self.value:
            chosen = f'{code.found(target)}.locator("option:checked")'
            return chosen, f"to_have_text({code.text(self.value)})"
        if role == "slider" and tag != "input":
            return code.found(
                target
            ), f'to_have_attribute("aria-valuenow", {code.text(self.value)})'
        if tag and tag not in _FIELDS:
            expected = code.all_of(self.value)
            return code.found(target), f"to_have_text({expected}, use_inner_text=True)"
        expected = code.whole(self.value) if " / " in self.value else code.text(self.value)
        return code.found(target), f"to_have_value({expected})"


class Matches(_OfElement):
    """An element's text, or a field's value, matches a pattern: for what differs from run to run."""

    aspect: ClassVar[Literal["text"]] = "text"
    expects_pattern: ClassVar[bool] = True
    strength: ClassVar[int] = 2
    by_name: ClassVar[bool] = False
    templates: ClassVar[tuple[str, ...] | None] = ("pattern",)

    kind: Literal["matches"] = "matches"
    element_id: str = Field(default="", description=ID)
    pattern: str = Field(
        description=r"A regular expression for all of the text, such as Order #\d{5}; write what is"
        " always the same literally."
    )

    @field_validator("pattern")
    @classmethod
    def _pattern(cls, pattern: str) -> str:
        try:
            # Alone, so that its parentheses are its own.
            LimitedPattern(pattern)
            compiled = LimitedPattern(rf"\s*(?:{pattern})\s*")
            fitting = [probe for probe in ("", *_PROBES) if compiled.fits(probe)]
        except (ValueError, SlowPattern) as error:
            raise ValueError(f"the pattern {error}") from None
        if re.search(r"\\[AZ]|\(\?[Pimsxa]", pattern):
            raise ValueError(
                "the pattern has inline flags, named groups, \\A or \\Z, which browsers do not support: leave"
                " them out"
            )
        if "" in fitting or len(fitting) > 1:
            raise ValueError("the pattern matches any text: write more of the text literally")
        return pattern

    def loosenings(self, new: Check) -> Iterator[str]:
        """Yield whether another pattern has more wildcards."""
        old_count, new_count = (len(_WILDCARD.findall(_pattern_of(each))) for each in (self, new))
        if new_count > old_count:
            yield f'weaker: now accepts "{_pattern_of(new)}", before "{_pattern_of(self)}"'

    def filled(self, text: Callable[[str], str], pattern: Callable[[str], str]) -> Check:
        """Return the check with placeholders filled in and their values escaped."""
        return self.with_texts(pattern)

    def describe(self) -> str:
        """Return the pattern."""
        return f"fits {self.pattern}"

    def run(self, context: CheckContext) -> CheckResult:
        """Match the visible text of the element, or its value."""
        element = context.seen(self.element_id)
        pattern = rf"\s*(?:{context.fill_pattern(self.pattern)})\s*"
        locator, codes = context.address(element, (element.facts.raw[:60],))
        # Not by an `expect`: in a browser nothing stops a pattern without an end.
        if element.facts.field:
            context.refuse_password(element)
            actual = element.facts.value
            held = _fits_any(pattern, [actual], self.pattern)
        else:
            actual = element.facts.text
            drawn = squashed(element.facts.drawn)
            if element.facts.generated:
                actual, held = drawn, _fits_any(pattern, [drawn], self.pattern)
            else:
                held = _fits_any(pattern, [actual, drawn], self.pattern) or _fits_any(
                    pattern, locator.all_inner_texts(), self.pattern
                )
        return context.of_element(self, element, codes, held, actual, match="pattern")

    def held_before(self, before: EarlierPage) -> bool | None:
        """Return whether the element showed a text that fits; a text elsewhere on the page does not count.

        None if the observation of now does not show such a text either: it may be written another way
        there.
        """
        was, now = before.was, before.now
        with suppress(UncheckableError):
            if was and now and self._fits(now):
                return self._fits(was)
            # The element may have been drawn again with another text that fits.
            if before.is_new and not any(map(self._fits, before.seen.elements.values())):
                return False
        return None

    def _fits(self, shown: Shown) -> bool:
        text = shown.value if shown.value is not None else shown.text or shown.name
        return _fits_any(rf"\s*(?:{self.pattern})\s*", [text], self.pattern)

    def as_playwright(self, code: CodeTexts, target: Target | None) -> tuple[str, str]:
        """Return the assertion of a pattern."""
        pattern = code.pattern(code.parts(self.pattern), before=r"^\s*(?:", after=r")\s*$")
        tag = code.tag(target)
        if tag == "select":
            return f'{code.found(target)}.locator("option:checked")', f"to_have_text({pattern})"
        if tag in _FIELDS:
            return code.found(target), f"to_have_value({pattern})"
        return code.found(target), f"to_have_text({pattern}, use_inner_text=True)"


def _fits_any(pattern: str, texts: Iterable[str], written: str) -> bool:
    """Return whether a pattern fits any of the texts; `written` is the pattern without values.

    Raises UncheckableError.
    """
    try:
        return any(map(LimitedPattern(pattern).fits, texts))
    except (ValueError, SlowPattern) as error:
        raise UncheckableError(f"the pattern {written} {error}") from None


_PROBES = ("q", "qzx", "Qzx", "qzx vbn", "Qzx Vbn kjh.", "7", "Qzx 7,35 zq")
"""A pattern that matches two of these matches any text."""
_WILDCARD = re.compile(r"\\[wWdDsS]|(?<!\\)(?:\[[^\]]*\]|\.|[*+?|]|\{\d*,\d*\})")


def _pattern_of(check: Check) -> str:
    return str(getattr(check, "pattern", ""))


class Attribute(_OfElement):
    """An element has an attribute with a value."""

    aspect: ClassVar[Literal["state"]] = "state"
    expectations: ClassVar[tuple[str, ...]] = ("value",)

    kind: Literal["attribute"] = "attribute"
    element_id: str = Field(default="", description=ID)
    name: str = Field(description="The attribute, such as href or aria-valuenow.")
    value: str

    def describe(self) -> str:
        """Return the attribute in HTML notation."""
        return f'{self.name}="{self.value}"'

    def run(self, context: CheckContext) -> CheckResult:
        """Compare the attribute."""
        element, expected = context.seen(self.element_id), context.fill(self.value)
        if self.name.lower() in ("value", "type") or self.name.lower().startswith("on"):
            raise UncheckableError(
                f"the attribute {self.name} shows nothing to a user",
                "use kind value or state instead",
            )
        locator, codes = context.address(element)
        held = holds(
            lambda: expect(locator).to_have_attribute(self.name, expected, timeout=TIMEOUT)
        )
        actual = locator.get_attribute(self.name, timeout=1000)
        there = "" if actual is None else f'{self.name}="{actual}"'
        result = context.of_element(self, element, codes, held, there, match="whole")
        fact = result.fact and result.fact.model_copy(update={"expected": result.expected})
        return result.model_copy(update={"fact": fact})

    @property
    def tells_state(self) -> bool:
        """Return True: attributes such as aria-checked are states."""
        return True

    def held_before(self, before: EarlierPage) -> None:
        """Return None, because observations do not show attributes."""
        return

    def as_playwright(self, code: CodeTexts, target: Target | None) -> tuple[str, str]:
        """Return the assertion of an attribute."""
        name, value = code.text(self.name), code.text(self.value)
        return code.found(target), f"to_have_attribute({name}, {value})"


# States

States = Literal[
    "visible",
    "hidden",
    "enabled",
    "disabled",
    "checked",
    "unchecked",
    "pressed",
    "unpressed",
    "focused",
    "expanded",
    "collapsed",
    "selected",
    "unselected",
    "current",
    "looks active",
    "required",
    "invalid",
    "readonly",
    "empty",
    "loaded",
]
_ARIA = {
    "pressed": ("aria-pressed", "true"),
    "unpressed": ("aria-pressed", "false"),
    "expanded": ("aria-expanded", "true"),
    "collapsed": ("aria-expanded", "false"),
    "selected": ("aria-selected", "true"),
    "unselected": ("aria-selected", "false"),
}
_OPPOSITES = {"expanded": "collapsed", "pressed": "unpressed", "selected": "unselected"}
_OPPOSITES |= {b: a for a, b in _OPPOSITES.items()}
_OBSERVED = frozenset(
    ("hidden", "checked", "disabled", "pressed", "expanded", "selected", "invalid", "looks active")
)
"""The states that an observation notes for each element that has them."""
_LACKS = {"visible": "hidden", "unchecked": "checked", "enabled": "disabled"}
_LACKS |= {off: on for off, on in _OPPOSITES.items() if on in _OBSERVED}
"""The observed state that an element in such a state lacks."""
_ASSERTIONS = {
    "visible": "to_be_visible()",
    "hidden": "to_be_hidden()",
    "enabled": "to_be_enabled()",
    "disabled": "to_be_disabled()",
    "checked": "to_be_checked()",
    "unchecked": "to_be_checked(checked=False)",
    "focused": "to_be_focused()",
    "readonly": "to_be_editable(editable=False)",
    "current": 'to_have_attribute("aria-current", re.compile(r"^(?!false$)"))',
    **{state: f'to_have_attribute("{name}", "{value}")' for state, (name, value) in _ARIA.items()},
}
_SELECTORS = {
    "required": ":required, [aria-required=true]",
    "invalid": ':user-invalid, [aria-invalid]:not([aria-invalid="false"])',
}
_LOOKS_ACTIVE = "xpath=(ancestor-or-self::*[position() <= 4] | .//*)[{}][not({})]".format(
    " or ".join(
        f"contains(concat(' ', translate(@class, '-_', '  '), ' '), ' {word} ')"
        for word in ("active", "selected", "current", "on")
    ),
    "contains(translate(@class, '-_', '  '), 'not ')",
)
"""Plain Playwright sees the classes only, and no difference to other elements."""
_TEXTUAL = frozenset(("text", "element", "item", "card"))
"""Roles of an outline that are none of ARIA: such an element is known by its text."""
_CHECKED = frozenset("checkbox radio switch menuitemcheckbox menuitemradio".split())
_SELECTED = frozenset(
    "option tab row cell gridcell treeitem menuitemradio radio columnheader".split()
)


class State(_OfElement):
    """An element is in a state. Whether a switch is on is `checked`, never `enabled`."""

    aspect: ClassVar[Literal["state"]] = "state"
    strength: ClassVar[int] = 1

    kind: Literal["state"] = "state"
    element_id: str = Field(default="", description=ID)
    state: States
    role: SkipJsonSchema[str | None] = None
    """The role of a hidden element."""
    name: SkipJsonSchema[str | None] = None
    """The whole name or text of a hidden element."""

    @property
    def negative(self) -> bool:
        """Return whether it holds if the element is absent."""
        return self.state == "hidden"

    @property
    def tells_state(self) -> bool:
        """Return whether it asserts more about a control than its presence."""
        return self.state != "visible"

    def describe(self) -> str:
        """Return the state."""
        return self.state

    def recorded(self) -> Check:
        """Return the check; a hidden element is recorded as the absence of its name."""
        if self.state != "hidden":
            return super().recorded()
        # Imported at the top, its kinds would be registered before these.
        from pytest_webtask.checks.page import Absent

        if not self.name:
            raise ValueError(
                f"the {self.role or 'element'} is hidden and has no name, so a replay could not look for it:"
                " use kind absent with a text instead"
            )
        if self.role in _TEXTUAL:
            return Absent(text=self.name)
        return Absent(role=self.role, name=self.name, exact=True)

    def run(self, context: CheckContext) -> CheckResult:
        """Check the state of the element."""
        if self.state == "hidden":
            return self._run_hidden(context)
        visible = self.state == "visible"
        element = context.cite(self.element_id) if visible else context.seen(self.element_id)
        if not element.facts.shown:
            return context.of_element(self, element, (), False, "it is not visible")
        locator, codes = context.address(element)
        held, actual = _in_state(self.state, locator, element)
        return context.of_element(self, element, codes, held, actual)

    def _run_hidden(self, context: CheckContext) -> CheckResult:
        from pytest_webtask.checks.check_context import CheckedElement, ask_facts
        from pytest_webtask.page.dom import call

        known = context.observer.known.get(self.element_id)
        try:
            element = context.cite(self.element_id)
        except UncheckableError:
            if known is None or known.frame.is_detached():
                raise
            if call(known.frame, "view")["document"] != known.document:
                raise UncheckableError(
                    f"{self.element_id} was on a page that is no longer open",
                    "use kind absent for the present page",
                ) from None
            moved = context.observer.find_again(known.frame.page, self.element_id)
            if moved is not None:
                raise UncheckableError(
                    f"{self.element_id} was re-rendered", f"cite it as {moved.element.id} now"
                ) from None
            # An earlier observation of this document had the element.
            element = CheckedElement(
                self.element_id, known.frame, known.document, known.number, known.locator,
                known.element.role, known.element.name,
            )  # fmt: skip
        held = not element.facts.shown and (
            holds(lambda: expect(element.locator).to_be_hidden(timeout=TIMEOUT))
            or element.locator.count() > 0
        )
        actual = "it is visible" if element.facts.shown else "hidden"
        role = element.role or element.facts.tag
        is_text = role in _TEXTUAL or not (element.name or element.facts.name)
        written = ask_facts(element.frame, "written", {"number": element.number}) if is_text else ""
        name = squashed(written or element.name or element.facts.name)
        named = None if context.is_redacted(element) else {"role": role, "name": name}
        return context.of_element(self.model_copy(update=named), element, "", held, actual)

    def held_before(self, before: EarlierPage) -> bool | None:
        """Return whether the element was in that state."""
        was = before.was
        if was is None:
            return False if before.is_new else None
        if self.state in _LACKS:
            return _LACKS[self.state] not in was.states
        return self.state in was.states if self.state in _OBSERVED else None

    def as_playwright(self, code: CodeTexts, target: Target | None) -> tuple[str, str]:
        """Return the assertion of a state."""
        tag, element = code.tag(target), code.found(target)
        if self.state in _SELECTORS and target is not None:
            one = f"{code.frame_of(target.locator)}.locator({code.text(_SELECTORS[self.state])})"
            return f"{element}.and_({one})", "to_be_visible()"
        if self.state == "selected" and tag == "option":
            return element, 'to_have_js_property("selected", True)'
        if self.state in ("expanded", "collapsed") and tag == "summary":
            is_open = f'to_have_js_property("open", {self.state == "expanded"})'
            return f'{element}.locator("xpath=..")', is_open
        if self.state == "looks active":
            return f"{element}.locator({code.text(_LOOKS_ACTIVE)}).first", "to_be_visible()"
        if self.state == "current":
            code.needs("re")
        return element, _ASSERTIONS[self.state]


def _in_state(state: str, target: Locator, element: CheckedElement) -> tuple[bool, str]:
    """Return whether a visible element is in a state, and its actual state.

    Raises UncheckableError for an element that can never be in such a state.
    """
    _require_state(state, element)
    actual = _STATES[state](_Probe(state, target, element))
    return actual == state, _SHOWN_AS.get(actual, actual)


def _require_state(state: str, element: CheckedElement) -> None:
    """Raise UncheckableError for an element that can never be in a state."""
    facts, role = element.facts, element.role
    if not role:
        return
    if state in ("enabled", "disabled") and role not in CONTROLS:
        raise UncheckableError(
            f"{element.id} can be neither enabled nor disabled", "cite the button or field"
        )
    if state in ("checked", "unchecked") and role not in _CHECKED:
        raise UncheckableError(
            f"{element.id} cannot be checked", "for a chosen option, tab or row use state selected"
        )
    if state in ("selected", "unselected") and role not in _SELECTED:
        raise UncheckableError(f"{element.id} cannot be selected", "cite the option, tab or row")
    if state == "loaded" and facts.tag != "img":
        raise UncheckableError(f"{element.id} is not a picture", "cite the picture itself")
    if state == "empty" and (facts.field or facts.editable):
        raise UncheckableError(
            f"{element.id} is a field, which is empty by its value", 'use kind value with ""'
        )
    if state in ("required", "invalid") and role not in _FIELD_ROLES and not facts.field:
        raise UncheckableError(f"{element.id} is not a field", f"cite the field that is {state}")


class _Probe(NamedTuple):
    """A query for the state of an element."""

    state: str
    locator: Locator
    element: CheckedElement


def _enabled(probe: _Probe) -> str:
    inert = probe.element.facts.inert
    if probe.state == "disabled":
        off = inert or holds(lambda: expect(probe.locator).to_be_disabled(timeout=TIMEOUT))
        return "disabled" if off else "enabled"
    on = not inert and holds(lambda: expect(probe.locator).to_be_enabled(timeout=TIMEOUT))
    return "enabled" if on else "disabled"


def _checked(probe: _Probe) -> str:
    # Playwright takes a box that is partly checked for a checked or an unchecked one, too.
    partly = "partly checked" in probe.element.facts.states
    if partly and _is_checked(probe, indeterminate=True):
        return "mixed"
    for checked in (True, False) if probe.state == "checked" else (False, True):
        if _is_checked(probe, checked=checked):
            return "checked" if checked else "unchecked"
    raise UncheckableError(
        f"{probe.element.id} is no checkbox, radio or switch", "cite the one that is meant"
    )


def _is_checked(probe: _Probe, **state: bool) -> bool:
    return holds(lambda: expect(probe.locator).to_be_checked(**state, timeout=TIMEOUT))


def _asserted(probe: _Probe) -> str:
    on = holds(lambda: getattr(expect(probe.locator), f"to_be_{probe.state}")(timeout=TIMEOUT))
    return probe.state if on else f"not {probe.state}"


def _expanded(probe: _Probe) -> str:
    if not probe.element.facts.details:
        return _aria_state(probe)
    details, anything = probe.locator.locator("xpath=.."), re.compile("^")
    on = holds(lambda: expect(details).to_have_attribute("open", anything, timeout=TIMEOUT))
    return "expanded" if on else "collapsed"


def _selected(probe: _Probe) -> str:
    if probe.element.facts.tag == "option":
        on = holds(
            lambda: expect(probe.locator).to_have_js_property("selected", True, timeout=TIMEOUT)
        )
    else:
        on = _attribute_is(probe.locator, "aria-selected", "true")
    return "selected" if on else "unselected"


def _aria_state(probe: _Probe) -> str:
    other = _OPPOSITES[probe.state]
    on, off = (_attribute_is(probe.locator, *_ARIA[each]) for each in (probe.state, other))
    if not on and not off:
        raise UncheckableError(
            f"{probe.element.id} does not say whether it is {probe.state} or {other}",
            "cite the button or field itself",
        )
    return probe.state if on else other


def _in_facts(probe: _Probe) -> str:
    word = _SHOWN_AS.get(probe.state, probe.state)
    return probe.state if word in probe.element.facts.states else f"not {probe.state}"


def _required(probe: _Probe) -> str:
    on = _attribute_is(probe.locator, "aria-required", "true") or holds(
        lambda: expect(probe.locator).to_have_js_property("required", True, timeout=TIMEOUT)
    )
    return "required" if on else "not required"


def _invalid(probe: _Probe) -> str:
    anything = re.compile(".")
    on = probe.element.facts.invalid or (
        not _attribute_is(probe.locator, "aria-invalid", "false")
        and holds(
            lambda: expect(probe.locator).to_have_attribute(
                "aria-invalid", anything, timeout=TIMEOUT
            )
        )
    )
    return "invalid" if on else "not invalid"


_STATES: dict[str, Callable[[_Probe], str]] = {
    "visible": _asserted,
    "enabled": _enabled,
    "disabled": _enabled,
    "checked": _checked,
    "unchecked": _checked,
    "pressed": _aria_state,
    "unpressed": _aria_state,
    "focused": _asserted,
    "expanded": _expanded,
    "collapsed": _expanded,
    "selected": _selected,
    "unselected": _selected,
    "required": _required,
    "invalid": _invalid,
    **dict.fromkeys(("current", "looks active", "readonly", "empty", "loaded"), _in_facts),
}
"""The function for each state that returns the actual state of an element."""
_SHOWN_AS = {"mixed": "partly checked", "readonly": "read-only", "not readonly": "not read-only"}
"""Different words for states in messages and facts."""
_FIELD_ROLES = frozenset(
    "textbox searchbox combobox spinbutton listbox checkbox radio switch file".split()
)


def _attribute_is(target: Locator, name: str, value: str) -> bool:
    return holds(lambda: expect(target).to_have_attribute(name, value, timeout=TIMEOUT))


# Texts


def shows_text(element: CheckedElement, text: str, *, exact: bool) -> bool:
    """Return whether an element shows a text. Raises UncheckableError for a field."""
    facts = element.facts
    if facts.field:
        raise UncheckableError(f"{element.id} is a field", "use kind value for what it holds")
    if facts.tag == "input":
        return says(facts.held or "", text, whole=exact)
    if letters(text) not in letters(facts.drawn):
        # The part of the element with the text is hidden.
        return False
    # The text in the document lacks what is drawn before or after it, such as a minus. A button in a message,
    # such as the one that closes it, is not part of its text.
    texts = (facts.drawn,) if facts.generated else (facts.text, facts.drawn, facts.unbuttoned)
    # The numbers of two cells are not one.
    texts = texts if exact else (*texts, *facts.leaves)
    # Accept both spellings of capitals that come from a style sheet.
    capitals = letters(facts.text) != letters(facts.raw)
    return any(says(shown, text, whole=exact, anycase=capitals) for shown in texts)


def _leaf_of(facts: ElementFacts) -> str | None:
    """Return all that an element without parts shows, None for a longer text and any other element."""
    whole = squashed(facts.drawn or facts.text)
    is_leaf = not facts.composite and facts.tag != "input" and len(whole) <= _LEAF
    return whole if whole and is_leaf else None


def _there(facts: ElementFacts, expected: str) -> str:
    """Return what an element shows in place of a text."""
    if facts.drawn and letters(expected) not in letters(facts.drawn):
        hidden = letters(expected) in letters(facts.text)
        return facts.drawn + (" (and the text, which cannot be seen)" if hidden else "")
    return facts.drawn if facts.generated else facts.text


def line_of(facts: ElementFacts, text: str) -> str | None:
    """Return the only line of an element that shows a text or is that text, None unless there is exactly one."""
    lines = facts.leaves or [facts.drawn or facts.text]
    matching = [squashed(line) for line in lines if says(line, text)]
    whole = [line for line in matching if line == squashed(text)] or matching
    return whole[0] if len(whole) == 1 else None


def is_named(target: Locator, element: CheckedElement, text: str) -> bool:
    """Return whether a set member's text, value or (for a control without text) name is this text."""
    if element.facts.field and element.facts.content:
        return says(element.facts.content, text)
    if element.facts.text or element.role not in CONTROLS:
        return shows_text(element, text, exact=False)
    pattern = whole_words(text)
    return holds(lambda: expect(target).to_have_accessible_name(pattern, timeout=TIMEOUT))


# Numbers


class Number(Check):
    """The only number that an element shows or holds lies within bounds."""

    model_config = required("kind")
    ids: ClassVar[tuple[str, ...]] = ("element_id",)
    by_name: ClassVar[bool] = False
    expectations: ClassVar[tuple[str, ...]] = ("at_least", "at_most")

    kind: Literal["number"] = "number"
    element_id: str = Field(
        default="", description="The element that shows or holds the one number."
    )
    at_least: str | None = Field(
        default=None, description="The smallest it may be, such as 10 or 4.50."
    )
    at_most: str | None = Field(
        default=None, description="The largest it may be; with both, it is between them."
    )
    beside: SkipJsonSchema[str | None] = None
    """The text beside the number when it was recorded: its unit and words."""

    @model_validator(mode="after")
    def _bounded(self) -> Number:
        if self.at_least is None and self.at_most is None:
            raise ValueError("a number needs bounds: pass at_least, at_most or both")
        for bound in (self.at_least, self.at_most):
            if bound is not None and "{" not in bound:
                try:
                    _amount(bound)
                except ValueError as error:
                    raise ValueError(f"{error}: pass one such as 4.50") from None
        return self

    def describe(self) -> str:
        """Return the bounds in words."""
        bounds = [f"at least {self.at_least}"] if self.at_least is not None else []
        bounds += [f"at most {self.at_most}"] if self.at_most is not None else []
        return " and ".join(bounds)

    def run(self, context: CheckContext) -> CheckResult:
        """Compare the one number that the element shows."""
        element = context.seen(self.element_id)
        context.refuse_password(element)
        text = _shown(element.facts)
        number = _amount(text, element.id)
        bounds = (self.at_least, self.at_most)
        low, high = (number if b is None else _amount(context.fill(b)) for b in bounds)
        held = low <= number <= high
        if self.beside is not None:
            held = held and _without_number(text) == context.fill(self.beside)
        _, codes = context.address(element, (text,))
        return context.of_element(
            self, element, codes, held, text, match="comparison", whole=(text,)
        )

    def lasting(self, whole: tuple[str, ...]) -> Check:
        """Return the check with the text beside the number."""
        return self.model_copy(update={"beside": _without_number(whole[0])})


class Compare(Check):
    """Two elements are compared by the number or date that each shows."""

    model_config = required("kind", "element_id", "other_id")
    ids: ClassVar[tuple[str, ...]] = ("element_id", "other_id")
    by_name: ClassVar[bool] = False

    kind: Literal["compare"] = "compare"
    element_id: str = Field(default="", description="The element that the statement is about.")
    relation: Literal["less", "equal", "more"] = Field(
        description="Whether it shows less (or an earlier date) than the other, the same, or more."
    )
    other_id: str = Field(default="", description="The element to compare it with.")
    beside: SkipJsonSchema[tuple[str, str] | None] = None
    """The text beside each number when it was recorded."""

    def describe(self) -> str:
        """Return the relation in words."""
        than = "as" if self.relation == "equal" else "than"
        return f"{self.relation} {than} the other element"

    def run(self, context: CheckContext) -> CheckResult:
        """Compare the numbers or dates of both elements."""
        one, two = context.seen(self.element_id), context.seen(self.other_id)
        for element in (one, two):
            context.refuse_password(element)
        texts = [_shown(element.facts) for element in (one, two)]
        left, right = _comparable(*texts)
        held = left < right if self.relation == "less" else left > right
        held = left == right if self.relation == "equal" else held
        if self.beside is not None:
            held = held and [*map(_without_number, texts)] == [*map(context.fill, self.beside)]
        codes = [
            context.address(element, (text,))[1]
            for element, text in zip((one, two), texts, strict=True)
        ]
        result = context.of_element(
            self,
            one,
            codes[0],
            held,
            f"{texts[0]} and {texts[1]}",
            match="comparison",
            whole=tuple(texts),
        )
        other = context.fact(self, two, "comparison").model_copy(
            update={"check": "", "expected": ""}
        )
        assert isinstance(result.fact, Fact)
        fact = result.fact.model_copy(update={"other": other})
        return result.model_copy(
            update={"fact": fact, "other_target": context.target(two, codes[1], by_name=False)}
        )

    def lasting(self, whole: tuple[str, ...]) -> Check:
        """Return the check with the text beside each number."""
        return self.model_copy(update={"beside": tuple(map(_without_number, whole))})


def _shown(facts: ElementFacts) -> str:
    return facts.value if facts.field else squashed(facts.drawn or facts.text)


def _amount(text: str, where: str = "") -> Decimal:
    """Return the one number in a text; `where` is its element.

    Raises ValueError, or with an element UncheckableError.
    """
    numbers = amounts_in(text)
    values = {value for number in numbers for value in number.values}
    if len(numbers) == 1 and len(values) > 1:
        # In an amount, 1,234 is more likely 1234 than 1.234.
        values = {max(values)}
    if len(numbers) != 1 or len(values) != 1:
        problem = f"{text[:80]!r} is not a single number"
        if where:
            raise UncheckableError(
                f"{where}: {problem}", "cite the element that shows only the number"
            )
        raise ValueError(problem)
    return next(iter(values))


def _without_number(text: str) -> str:
    """Return a text with `…` in place of its numbers and dates."""
    for written, _ in dates_in(text):
        text = text.replace(written, "…")
    return re.sub(r"[-−]?\d+(?:[.,'’\s]\d+)*", "…", squashed(text))


def _comparable(one: str, two: str) -> tuple[Any, Any]:
    days = [[day for _, dates in dates_in(text) for day in dates] for text in (one, two)]
    if len(days[0]) == len(days[1]) == 1:
        return days[0][0], days[1][0]
    try:
        return _amount(one), _amount(two)
    except ValueError as error:
        unclear = f"which is the day and which the month in {one!r:.60} and {two!r:.60}?"
        reason = unclear if all(days) else error
        raise UncheckableError(
            f"the two elements cannot be compared: {reason}; cite elements that show one number or date"
        ) from None
