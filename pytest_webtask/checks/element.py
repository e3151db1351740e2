"""Checks of one element: its text, value, state, attribute and number, and comparisons."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from decimal import Decimal
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple

from pydantic import Field, ValidationError, field_validator, model_validator
from pydantic.json_schema import SkipJsonSchema

from pytest_webtask.checks.base import Check, CheckResult, UncheckableError, not_empty
from pytest_webtask.checks.varying import Varying
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
)
from pytest_webtask.data.values import fill_pattern

if TYPE_CHECKING:
    from pytest_webtask.checks.check_context import CheckContext, CheckedElement, ElementFacts
    from pytest_webtask.checks.page_history import EarlierPage
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
_PROBES = ("q", "qzx", "Qzx", "qzx vbn", "Qzx Vbn kjh.", "7", "Qzx 7,35 zq")
"""A pattern that matches two of these matches any text."""


class OfElement(Check):
    """A check of what one element shows, or of the state that it is in."""

    ids: ClassVar[tuple[str, ...]] = ("element_id",)

    element_id: str = Field(default="", description=ID)

    def fits(self, shown: Shown) -> bool | None:
        """Return whether it holds for an element as an observation shows it, None if that is not shown."""
        return None

    def is_new(self, before: EarlierPage) -> bool:
        """Return whether an element that is not known from an earlier page cannot have been as expected there."""
        return before.is_new

    def held_before(self, before: EarlierPage) -> bool | None:
        """Return whether it held of the element on an earlier page.

        None as well if the observation of now does not show what is expected: it may be written another way
        there.
        """
        was, now = before.was, before.now
        if was and now and self.fits(now) is not False:
            return self.fits(was)
        return False if self.is_new(before) else None

    def fitting(self, pattern: str | None) -> Check | None:
        """Return the check of the element for a pattern, None if that could be any text."""
        with suppress(ValidationError):
            return Matches(element_id=self.element_id, pattern=pattern or "")
        return None


def _all_of(code: CodeTexts, target: Target | None, value: str, text: str) -> tuple[str, str]:
    """Return the assertion that a field has a value, or that another element shows a text and no more."""
    found, tag = code.found(target), code.tag(target)
    if tag == "select":
        return f'{found}.locator("option:checked")', f"to_have_text({value})"
    if not tag or tag in _FIELDS:
        return found, f"to_have_value({value})"
    return found, f"to_have_text({text}, use_inner_text=True)"


class Text(OfElement):
    """An element shows a text."""

    aspect: ClassVar[Literal["text"]] = "text"
    expectations: ClassVar[tuple[str, ...]] = ("text",)
    templates: ClassVar[tuple[str, ...] | None] = ("text", "line")

    kind: Literal["text"] = "text"
    text: str = Field(description="The text, as it stands on the page.")
    exact: bool = Field(default=False, description="Whether that is all that the element shows.")
    line: SkipJsonSchema[str | None] = None
    """The line that had the text when it was recorded, in an element with several."""
    _text = field_validator("text")(not_empty)

    def describe(self) -> str:
        """Return the text in quotation marks."""
        return f'{"exactly " if self.exact else ""}"{self.text}"'

    def run(self, context: CheckContext) -> CheckResult:
        """Look for the text in what is visible of the element."""
        element, expected = context.seen(self.element_id), context.fill(self.text)
        facts = element.facts
        shows = shows_text(element, expected, exact=self.exact)
        line = self.line and context.fill(self.line)
        held = shows and (line is None or squashed(line) in map(squashed, facts.leaves))
        whole = leaf = _leaf_of(facts)
        if not (leaf or self.exact):
            whole = line_of(facts, expected)
        result = context.of_element(
            self,
            element,
            held,
            _there(facts, expected),
            avoided=(expected,),
            shown=leaf or expected,
            leaf=bool(leaf),
            whole=(whole,) if whole else (),
        )
        # Exported code needs the same blanks as the page.
        check = result.check
        assert isinstance(check, Text)
        written = as_written(expected, facts.drawn, check.text)
        update: dict[str, Any] = {"check": check.model_copy(update={"text": written})}
        if shows and not held:
            update["expected"] = context.data.scrub(f'the line "{line}"')
        return result.model_copy(update=update)

    def lasting(self, whole: tuple[str, ...], *, leaf: bool) -> Check:
        """Return the check for all that a leaf shows, else with the line that has the text."""
        if not leaf:
            return self.model_copy(update={"line": whole[0]})
        return self if self.exact else self.model_copy(update={"text": whole[0], "exact": True})

    def varied(self, result: CheckResult, varying: Varying) -> Check | None:
        """Return the check with a pattern for the entire text, or for the line that holds the text."""
        if self.exact:
            return self.fitting(varying.pattern(self.text, result.actual))
        return self.fitting(varying.pattern_within(self.line or self.text, result.actual))

    def fits(self, shown: Shown) -> bool:
        """Return whether the element shows the text."""
        text = shown.text or shown.name
        return squashed(text) == squashed(self.text) if self.exact else in_outline(self.text, text)

    def is_new(self, before: EarlierPage) -> bool:
        """Return whether the text was nowhere on the earlier page."""
        return not before.says(self.text)

    def as_playwright(self, code: CodeTexts, target: Target | None) -> tuple[str, str]:
        """Return the assertion of a text."""
        found, words = code.found(target), code.words(self.text)
        if icon := re.fullmatch(r'\(icon "(.+)"\)', self.text):
            return found, f"to_have_accessible_name({code.text(icon[1])})"
        if code.tag(target) == "input":
            value = code.whole(self.text) if self.exact else words
            return found, f"to_have_value({value})"
        if self.exact:
            return found, f"to_have_text({code.all_of(self.text)}, use_inner_text=True)"
        return found, f"to_contain_text({words}, use_inner_text=True)"


class Value(OfElement):
    """A field holds a value; a choice has an option chosen."""

    aspect: ClassVar[Literal["value"]] = "value"
    match: ClassVar[Literal["whole"]] = "whole"
    form: ClassVar[str] = '= "{0.value}"'
    expectations: ClassVar[tuple[str, ...]] = ("value",)

    kind: Literal["value"] = "value"
    value: str = Field(
        description='The whole value, "" for an empty field; of a select, the label of the option.'
    )

    @field_validator("value")
    @classmethod
    def _in_lines(cls, value: str) -> str:
        # As the outline shows a line break.
        return re.sub(f" ?{LINE_BREAK} ?", "\n", value)

    def run(self, context: CheckContext) -> CheckResult:
        """Compare the field's value."""
        is_known = not self.value or context.data.uses_secret(self.value)
        element = (context.seen if is_known else context.readable)(self.element_id)
        facts = element.facts
        if facts.type in ("checkbox", "radio"):
            raise UncheckableError(
                f"{self.element_id} is a checkbox, radio button or switch, whose value is not visible:"
                " use kind state with checked or unchecked"
            )
        if not (facts.field or facts.editable or element.role == "combobox"):
            raise UncheckableError(
                f"{self.element_id} is not a field, or draws only a part of its value",
                "use kind text for what it shows",
            )
        held = self._is_held(element, context.fill(self.value))
        return context.of_element(self, element, held, "" if facts.password else facts.value)

    @staticmethod
    def _is_held(element: CheckedElement, expected: str) -> bool:
        facts, locator = element.facts, element.locator
        if facts.password:
            return locator.input_value(timeout=1000) == expected
        if facts.type == "range":
            return bool(expected) and _amount(facts.value) == _amount(expected)
        if not facts.field:
            return squashed(locator.inner_text(timeout=1000)) == squashed(expected)
        # An outline shows a line break as a mark, and the seam of two parts as a slash.
        value = squashed(facts.value.replace(LINE_BREAK, " "))
        return value in (squashed(expected), squashed(expected.replace(" / ", " ")))

    def varied(self, result: CheckResult, varying: Varying) -> Check | None:
        """Return the check with a pattern for the value."""
        return self.fitting(varying.pattern(self.value, result.actual))

    def fits(self, shown: Shown) -> bool | None:
        """Return whether the field has that value; for a password only whether it is empty is known."""
        if shown.value is None:
            return None
        return squashed(shown.value.replace(LINE_BREAK, " ")) == squashed(self.value)

    def as_playwright(self, code: CodeTexts, target: Target | None) -> tuple[str, str]:
        """Return the assertion of a value."""
        tag, text = code.tag(target), code.text(self.value)
        if target and target.role == "slider" and tag != "input":
            return code.found(target), f'to_have_attribute("aria-valuenow", {text})'
        if tag == "select" and not self.value:
            return code.found(target), f"to_have_value({text})"
        value = code.whole(self.value) if " / " in self.value and tag != "select" else text
        return _all_of(code, target, value, code.all_of(self.value))


class Matches(OfElement):
    """An element's text, or a field's value, matches a pattern: for what differs from run to run."""

    aspect: ClassVar[Literal["text"]] = "text"
    match: ClassVar[Literal["pattern"]] = "pattern"
    form: ClassVar[str] = "fits {0.pattern}"
    expects_pattern: ClassVar[bool] = True
    templates: ClassVar[tuple[str, ...] | None] = ("pattern",)

    kind: Literal["matches"] = "matches"
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

    def filled(self, text: Callable[[str], str], pattern: Callable[[str], str]) -> Check:
        """Return the check with placeholders filled in and their values escaped."""
        return self.with_texts(pattern)

    def run(self, context: CheckContext) -> CheckResult:
        """Match the visible text of the element, or its value."""
        element = context.readable(self.element_id)
        facts = element.facts
        drawn = squashed(facts.drawn)
        actual = drawn if facts.generated and not facts.field else facts.value
        texts = [actual] if facts.field else [actual, drawn]
        held = self._fits_any(fill_pattern(self.pattern, context.data.values), texts)
        return context.of_element(self, element, held, actual, avoided=(facts.raw[:60],))

    def fits(self, shown: Shown) -> bool:
        """Return whether the element shows a text that fits, or the field has such a value."""
        text = shown.value if shown.value is not None else shown.text or shown.name
        with suppress(UncheckableError):
            return self._fits_any(self.pattern, [text])
        return False

    def _fits_any(self, filled: str, texts: Sequence[str]) -> bool:
        """Return whether the pattern, with its values filled in, fits any of the texts. Raises UncheckableError."""
        # Not by an `expect`: in a browser nothing stops a pattern without an end.
        try:
            return any(map(LimitedPattern(rf"\s*(?:{filled})\s*").fits, texts))
        except (ValueError, SlowPattern) as error:
            raise UncheckableError(f"the pattern {self.pattern} {error}") from None

    def is_new(self, before: EarlierPage) -> bool:
        """Return whether the element is new and no other one showed a text that fits: it may be drawn again."""
        return before.is_new and not any(map(self.fits, before.seen.elements.values()))

    def as_playwright(self, code: CodeTexts, target: Target | None) -> tuple[str, str]:
        """Return the assertion of a pattern."""
        pattern = code.pattern(code.parts(self.pattern), before=r"^\s*(?:", after=r")\s*$")
        if not code.tag(target):
            return code.found(target), f"to_have_text({pattern}, use_inner_text=True)"
        return _all_of(code, target, pattern, pattern)


class Attribute(OfElement):
    """An element has an attribute with a value."""

    aspect: ClassVar[Literal["state"]] = "state"
    match: ClassVar[Literal["whole"]] = "whole"
    form: ClassVar[str] = '{0.name}="{0.value}"'
    expectations: ClassVar[tuple[str, ...]] = ("value",)

    kind: Literal["attribute"] = "attribute"
    name: str = Field(description="The attribute, such as href or aria-valuenow.")
    value: str

    def run(self, context: CheckContext) -> CheckResult:
        """Compare the attribute."""
        element = context.seen(self.element_id)
        if self.name.lower() in ("value", "type") or self.name.lower().startswith("on"):
            raise UncheckableError(
                f"the attribute {self.name} shows nothing to a user",
                "use kind value or state instead",
            )
        actual = element.locator.get_attribute(self.name, timeout=1000)
        there = "" if actual is None else f'{self.name}="{actual}"'
        return context.of_element(self, element, actual == context.fill(self.value), there)

    def as_playwright(self, code: CodeTexts, target: Target | None) -> tuple[str, str]:
        """Return the assertion of an attribute."""
        name, value = code.text(self.name), code.text(self.value)
        return code.found(target), f"to_have_attribute({name}, {value})"


# States

States = Literal[
    "visible", "enabled", "disabled", "checked", "unchecked", "pressed", "unpressed", "focused",
    "expanded", "collapsed", "selected", "unselected", "current", "looks active", "required",
    "invalid", "readonly", "empty", "loaded", "not focused", "not current", "not required",
    "not invalid", "valid", "not loaded", "cut off", "not cut off",
]  # fmt: skip
_LACKS = {
    "visible": "hidden",
    "unchecked": "checked",
    "enabled": "disabled",
    "unpressed": "pressed",
    "collapsed": "expanded",
    "unselected": "selected",
}
"""The observed state that an element in such a state lacks."""
_OBSERVED = frozenset((*_LACKS.values(), "invalid", "looks active"))
"""The states that an observation notes for each element that has them."""
_WORDS = {
    "unchecked": "not checked",
    "unpressed": "not pressed",
    "unselected": "not selected",
    "readonly": "read-only",
}
"""The states that facts have in other words."""


class _Scale(NamedTuple):
    """States in the words of facts, of which an element is in one; in `otherwise` if its facts have none.

    Without that, or where its role is none of the `roles`, nothing says in which it is; nor does what is not `where`.
    """

    words: Sequence[str]
    otherwise: str = ""
    roles: str = ""
    where: str = ""


_SETS = ":is(nav, ol, ul, table, [role=tablist], [role=listbox], [role=tree], [role=grid])"
_AMONG_SELECTED = f"{_SETS}:has([aria-selected=true]) *"
_AMONG_CURRENT = f"[aria-current], {_SETS}:has([aria-current]:not([aria-current=false])) *"
_FIELD_ROLES = (
    "textbox searchbox combobox spinbutton listbox checkbox radio switch file slider color"
)
_BOX_ROLES = "checkbox radio switch menuitemcheckbox menuitemradio"
_CHOICE_ROLES = "option tab row cell gridcell treeitem menuitemradio radio columnheader"
_SCALES = (
    _Scale(["disabled", "not clickable"], "enabled", " ".join(CONTROLS)),
    _Scale(["checked", "not checked", "partly checked"], roles=_BOX_ROLES),
    _Scale(["pressed", "not pressed", "partly pressed"]),
    _Scale(["selected", "not selected"], "not selected", _CHOICE_ROLES, _AMONG_SELECTED),
    _Scale(["expanded", "collapsed"]),
    _Scale(["loaded", "not loaded"]),
    _Scale(["required"], "not required", _FIELD_ROLES, ":not([type=radio])"),
    _Scale(["invalid"], "not invalid", _FIELD_ROLES),
    _Scale(["invalid"], "valid", _FIELD_ROLES, ":not(:invalid)"),
    _Scale(["read-only"], "not read-only"),
    _Scale(["focused"], "not focused", " ".join(CONTROLS)),
    _Scale(["current"], "not current", where=_AMONG_CURRENT),
    _Scale(["looks active"], "not looks active"),
    _Scale(["empty"], "not empty"),
    _Scale(["cut off"], "not cut off"),
)
_ASSERTIONS = {
    "visible": "to_be_visible()",
    "enabled": "to_be_enabled()",
    "disabled": "to_be_disabled()",
    "checked": "to_be_checked()",
    "unchecked": "to_be_checked(checked=False)",
    "focused": "to_be_focused()",
    "readonly": "to_be_editable(editable=False)",
    "current": 'to_have_attribute("aria-current", re.compile(r"^(?!false$)"))',
}
_SELECTORS = {
    "required": ":required, [aria-required=true]",
    "invalid": ':user-invalid, [aria-invalid]:not([aria-invalid="false"])',
}


class State(OfElement):
    """An element is in a state. Whether a switch is on is `checked`, never `enabled`."""

    aspect: ClassVar[Literal["state"]] = "state"
    form: ClassVar[str] = "{0.state}"

    kind: Literal["state"] = "state"
    state: States

    def run(self, context: CheckContext) -> CheckResult:
        """Check the state of the element."""
        visible = self.state == "visible"
        element = context.cite(self.element_id) if visible else context.seen(self.element_id)
        if not element.facts.shown:
            return context.of_element(self, element, False, "not visible")
        if self.state == "empty" and (element.facts.field or element.facts.editable):
            raise UncheckableError(
                f"{element.id} is a field, which is empty by its value", 'use kind value with ""'
            )
        word = _WORDS.get(self.state, self.state)
        actual = word if visible else self._actual(context, element, word)
        return context.of_element(self, element, actual == word, actual)

    def _actual(self, context: CheckContext, element: CheckedElement, word: str) -> str:
        """Return the state of an element on the scale of a word. Raises UncheckableError."""
        scale = next(each for each in _SCALES if word in (*each.words, each.otherwise))
        shown = [each for each in element.facts.states if each in scale.words]
        if "cut off" in scale.words and context.ask(element.locator, "cut"):
            shown = ["cut off"]
        state = shown[0] if shown else scale.otherwise
        has_role = not scale.roles or element.role in ("", *scale.roles.split())
        if scale.where and not shown and word == scale.otherwise:
            has_role &= element.locator.evaluate("(e, css) => e.matches(css)", scale.where)
        if not state or not (has_role or (shown and scale.otherwise)):
            raise UncheckableError(
                f"{element.id} does not say whether it is {self.state}",
                "cite the field, button or picture itself; an option, tab or row is selected, not checked",
            )
        return state

    def fits(self, shown: Shown) -> bool | None:
        """Return whether the element is in that state, None for a state that no observation notes."""
        if self.state in _LACKS:
            return _LACKS[self.state] not in shown.states
        return self.state in shown.states if self.state in _OBSERVED else None

    def as_playwright(self, code: CodeTexts, target: Target | None) -> tuple[str, str] | None:
        """Return the assertion of a state, None for one that `expect` does not know."""
        tag, element = code.tag(target), code.found(target)
        if self.state in _SELECTORS and target is not None:
            one = f"{code.frame_of(target.locator)}.locator({code.text(_SELECTORS[self.state])})"
            return f"{element}.and_({one})", "to_be_visible()"
        if self.state == "selected" and tag == "option":
            return element, 'to_have_js_property("selected", True)'
        if self.state in ("expanded", "collapsed") and tag == "summary":
            is_open = f'to_have_js_property("open", {self.state == "expanded"})'
            return f'{element}.locator("xpath=..")', is_open
        if self.state == "current":
            code.helpers.add("re")
        name = _LACKS.get(self.state, self.state)
        if name in ("pressed", "expanded", "selected"):
            value = str(name == self.state).lower()
            return element, f'to_have_attribute("aria-{name}", "{value}")'
        assertion = _ASSERTIONS.get(self.state)
        return (element, assertion) if assertion else None


# Texts


def shows_text(element: CheckedElement, text: str, *, exact: bool) -> bool:
    """Return whether an element shows a text. Raises UncheckableError for a field."""
    facts = element.facts
    if facts.field:
        raise UncheckableError(f"{element.id} is a field", "use kind value for what it holds")
    if facts.tag == "input":
        return says(facts.held, text, whole=exact)
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
    has_parts = facts.composite or facts.tag == "input"
    return None if has_parts or not 0 < len(whole) <= _LEAF else whole


def _there(facts: ElementFacts, expected: str) -> str:
    is_hidden = letters(expected) not in letters(facts.drawn)
    return facts.drawn if facts.generated or is_hidden else facts.text


def line_of(facts: ElementFacts, text: str) -> str | None:
    """Return the only line of an element that shows a text or is that text, None unless there is exactly one."""
    lines = facts.leaves or [facts.drawn or facts.text]
    matching = [squashed(line) for line in lines if says(line, text)]
    whole = [line for line in matching if line == squashed(text)] or matching
    return whole[0] if len(whole) == 1 else None


def is_named(element: CheckedElement, text: str) -> bool:
    """Return whether a set member's text, value or (for a control without text) name is this text."""
    facts = element.facts
    if facts.field and facts.content:
        return says(facts.content, text)
    if facts.text or element.role not in CONTROLS:
        return shows_text(element, text, exact=False)
    return any(says(name, text) for name in (element.name, facts.name, facts.label))


# Numbers


class Number(Check):
    """The only number that an element shows or holds lies within bounds."""

    ids: ClassVar[tuple[str, ...]] = ("element_id",)
    match: ClassVar[Literal["comparison"]] = "comparison"
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
    strict: SkipJsonSchema[bool] = False
    """True if it must not be a bound itself, in a literal sentence."""
    beside: SkipJsonSchema[str | None] = None
    """The text beside the number when it was recorded: its unit and words."""

    @model_validator(mode="after")
    def _bounded(self) -> Number:
        if self.at_least is None and self.at_most is None:
            raise ValueError("a number needs bounds: pass at_least, at_most or both")
        for bound in filter(None, (self.at_least, self.at_most)):
            if "{" not in bound:
                _amount(bound)
        return self

    def describe(self) -> str:
        """Return the bounds in words."""
        words = [("at least", "at most"), ("more than", "less than")][self.strict]
        bounds = dict(zip(words, (self.at_least, self.at_most), strict=True))
        return " and ".join(f"{how} {bound}" for how, bound in bounds.items() if bound is not None)

    def run(self, context: CheckContext) -> CheckResult:
        """Compare the one number that the element shows."""
        element, text = _shown(context, self.element_id)
        number = _amount(text)
        low = number if self.at_least is None else _amount(context.fill(self.at_least))
        high = number if self.at_most is None else _amount(context.fill(self.at_most))
        is_within = low <= number <= high
        if self.strict:
            is_within = number > low if self.at_most is None else number < high
        held = is_within and _is_beside(context, self.beside, text)
        return context.of_element(self, element, held, text, avoided=(text,), whole=(text,))

    def lasting(self, whole: tuple[str, ...], *, leaf: bool) -> Check:
        """Return the check with the text beside the number."""
        return self.model_copy(update={"beside": _without_number(whole[0])})


class Compare(Check):
    """Two elements are compared by the number or date that each shows."""

    match: ClassVar[Literal["comparison"]] = "comparison"
    ids: ClassVar[tuple[str, ...]] = ("element_id", "other_id")

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
        one, text = _shown(context, self.element_id)
        two, other = _shown(context, self.other_id)
        left, right = _comparable(text, other)
        is_so = {"less": left < right, "equal": left == right, "more": left > right}
        words = self.beside or (None, None)
        is_beside = [_is_beside(context, *each) for each in zip(words, (text, other), strict=True)]
        result = context.of_element(
            self,
            one,
            is_so[self.relation] and all(is_beside),
            f"{text} and {other}",
            avoided=(text,),
            noted={"other": context.fact(self, two)},
            whole=(text, other),
        )
        _, target = context.located(two, (other,), by_name=False)
        return result.model_copy(update={"other_target": target})

    def lasting(self, whole: tuple[str, ...], *, leaf: bool) -> Check:
        """Return the check with the text beside each number."""
        return self.model_copy(update={"beside": tuple(map(_without_number, whole))})


def _shown(context: CheckContext, element_id: str) -> tuple[CheckedElement, str]:
    """Return an element and what it shows or holds. Raises UncheckableError."""
    element = context.readable(element_id)
    facts = element.facts
    return element, facts.value if facts.field else facts.content


def _is_beside(context: CheckContext, beside: str | None, text: str) -> bool:
    """Return whether the recorded words, if there are some, are beside the number in a text."""
    return beside is None or _without_number(text) == context.fill(beside)


def _amount(text: str) -> Decimal:
    """Return the one number in a text. Raises UncheckableError."""
    numbers = amounts_in(text)
    if len(numbers) != 1:
        raise UncheckableError(f"{text[:80]!r} is not a single number", "use one such as 4.50")
    # In an amount, 1,234 is more likely 1234 than 1.234.
    return max(numbers[0].values, key=abs)


def _without_number(text: str) -> str:
    for written, _ in dates_in(text):
        text = text.replace(written, "…")
    return re.sub(r"[-−]?\d+(?:[.,'’\s]\d+)*", "…", squashed(text))


def _comparable(one: str, two: str) -> tuple[Any, Any]:
    """Return the two days or numbers that texts show. Raises UncheckableError."""
    days = [[day for _, dates in dates_in(text) for day in dates] for text in (one, two)]
    if len(days[0]) == len(days[1]) == 1:
        return days[0][0], days[1][0]
    if all(days):
        raise UncheckableError(
            f"which is the day and which the month in {one!r:.60} and {two!r:.60}?",
            "cite elements that show one date",
        )
    return _amount(one), _amount(two)
