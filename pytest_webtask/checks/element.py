"""Checks of one element: its text, value, state, attribute and number, and comparisons."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from decimal import Decimal
from difflib import get_close_matches
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from pydantic import Field, ValidationError, field_validator, model_validator
from pydantic.json_schema import SkipJsonSchema

from pytest_webtask.checks.base import (
    Check,
    CheckResult,
    UncheckableError,
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
)

if TYPE_CHECKING:
    from pytest_webtask.checks.check_context import CheckContext, CheckedElement, ElementFacts
    from pytest_webtask.checks.page_history import EarlierPage
    from pytest_webtask.page.observer import Known
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
        line = line_of(facts, expected) if leaf is None and not self.exact else None
        lines: tuple[str, ...] = (line,) if line else ()
        if not (held or lines or leaf or self.exact):
            lines = tuple(get_close_matches(expected, map(squashed, facts.leaves), 1))
        there = _there(facts, expected)
        result = context.of_element(
            self,
            element,
            held,
            there,
            avoided=(expected,),
            shown=leaf or expected,
            leaf=leaf,
            whole=lines,
        )
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
        """Return the check with a pattern for the entire text."""
        if not self.exact:
            return None
        return _matches(self.element_id, varying.pattern(self.text, result.actual))

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

    def fits(self, shown: Shown) -> bool:
        """Return whether the element shows the text."""
        text = shown.text or shown.name
        return squashed(text) == squashed(self.text) if self.exact else in_outline(self.text, text)

    def is_new(self, before: EarlierPage) -> bool:
        """Return whether the text was nowhere on the earlier page."""
        return not before.says(self.text)

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
        value, locator = facts.value, element.locator
        if facts.password:
            held = locator.input_value(timeout=1000) == expected
        elif facts.type == "range":
            held = bool(expected) and _amount(value) == _amount(expected)
        elif facts.field:
            # An outline shows a line break as a mark, and the seam of two parts as a slash.
            held = squashed(value.replace(LINE_BREAK, " ")) in (
                squashed(expected),
                squashed(expected.replace(" / ", " ")),
            )
        elif facts.editable or element.role == "combobox":
            held = squashed(locator.inner_text(timeout=1000)) == squashed(expected)
        else:
            raise UncheckableError(
                f"{self.element_id} is not a field, or draws only a part of its value",
                "use kind text for what it shows",
            )
        actual = "" if facts.password else value
        return context.of_element(self, element, held, actual, match="whole")

    def varied(self, result: CheckResult, varying: Varying) -> Check | None:
        """Return the check with a pattern for the value."""
        return _matches(self.element_id, varying.pattern(self.value, result.actual))

    def fits(self, shown: Shown) -> bool | None:
        """Return whether the field has that value; for a password only whether it is empty is known."""
        if shown.value is None:
            return None
        return squashed(shown.value.replace(LINE_BREAK, " ")) == squashed(self.value)

    def as_playwright(self, code: CodeTexts, target: Target | None) -> tuple[str, str]:
        """Return the assertion of a value."""
        tag, role = code.tag(target), target.role if target else ""
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

    def describe(self) -> str:
        """Return the pattern."""
        return f"fits {self.pattern}"

    def run(self, context: CheckContext) -> CheckResult:
        """Match the visible text of the element, or its value."""
        element = context.seen(self.element_id)
        pattern = rf"\s*(?:{context.fill_pattern(self.pattern)})\s*"
        facts = element.facts
        if facts.field:
            context.refuse_password(element)
        drawn = squashed(facts.drawn)
        actual = drawn if facts.generated and not facts.field else facts.value
        texts = [facts.value] if facts.field else [actual, drawn]
        # Not by an `expect`: in a browser nothing stops a pattern without an end.
        held = _fits_any(pattern, texts, self.pattern)
        return context.of_element(
            self, element, held, actual, match="pattern", avoided=(facts.raw[:60],)
        )

    def fits(self, shown: Shown) -> bool:
        """Return whether the element shows a text that fits, or the field has such a value."""
        text = shown.value if shown.value is not None else shown.text or shown.name
        with suppress(UncheckableError):
            return _fits_any(rf"\s*(?:{self.pattern})\s*", [text], self.pattern)
        return False

    def is_new(self, before: EarlierPage) -> bool:
        """Return whether the element is new and no other one showed a text that fits: it may be drawn again."""
        return before.is_new and not any(map(self.fits, before.seen.elements.values()))

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


class Attribute(_OfElement):
    """An element has an attribute with a value."""

    aspect: ClassVar[Literal["state"]] = "state"
    expectations: ClassVar[tuple[str, ...]] = ("value",)

    kind: Literal["attribute"] = "attribute"
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
        actual = element.locator.get_attribute(self.name, timeout=1000)
        held = actual == expected
        there = "" if actual is None else f'{self.name}="{actual}"'
        result = context.of_element(self, element, held, there, match="whole")
        fact = result.fact and result.fact.model_copy(update={"expected": result.expected})
        return result.model_copy(update={"fact": fact})

    @property
    def tells_state(self) -> bool:
        """Return True: attributes such as aria-checked are states."""
        return True

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
_OBSERVED = frozenset(
    ("hidden", "checked", "disabled", "pressed", "expanded", "selected", "invalid", "looks active")
)
"""The states that an observation notes for each element that has them."""
_LACKS = {
    "visible": "hidden",
    "unchecked": "checked",
    "enabled": "disabled",
    "unpressed": "pressed",
    "collapsed": "expanded",
    "unselected": "selected",
}
"""The observed state that an element in such a state lacks."""
_ASSERTIONS = {
    "visible": "to_be_visible()",
    "enabled": "to_be_enabled()",
    "disabled": "to_be_disabled()",
    "checked": "to_be_checked()",
    "unchecked": "to_be_checked(checked=False)",
    "focused": "to_be_focused()",
    "readonly": "to_be_editable(editable=False)",
    "current": 'to_have_attribute("aria-current", re.compile(r"^(?!false$)"))',
    "pressed": 'to_have_attribute("aria-pressed", "true")',
    "unpressed": 'to_have_attribute("aria-pressed", "false")',
    "expanded": 'to_have_attribute("aria-expanded", "true")',
    "collapsed": 'to_have_attribute("aria-expanded", "false")',
    "selected": 'to_have_attribute("aria-selected", "true")',
    "unselected": 'to_have_attribute("aria-selected", "false")',
}
_SELECTORS = {
    "required": ":required, [aria-required=true]",
    "invalid": ':user-invalid, [aria-invalid]:not([aria-invalid="false"])',
}


@dataclass(frozen=True)
class _Scale:
    """States of which an element is in one: by the words of its facts, and `otherwise`.

    An element for which there is none, or whose role is none of the `roles`, cannot be in such a state, for the
    reason `refusal`; `advice` is what to cite instead.
    """

    words: Mapping[str, str]
    otherwise: str = ""
    roles: str = ""
    refusal: str = ""
    advice: str = "cite the button or field itself"

    def of(self, element: CheckedElement) -> str:
        """Return the state that an element is in. Raises UncheckableError."""
        known = self.roles.split()
        is_known = not known or not element.role or element.role in known
        shown = [self.words[each] for each in element.facts.states if each in self.words]
        state = shown[0] if shown else self.otherwise
        if not is_known or not state:
            raise UncheckableError(f"{element.id} {self.refusal}", self.advice)
        return state


_FIELD_ROLES = "textbox searchbox combobox spinbutton listbox checkbox radio switch file slider"
_SCALES = (
    _Scale(
        {"disabled": "disabled"},
        "enabled",
        " ".join(CONTROLS),
        "can be neither enabled nor disabled",
        "cite the button or field",
    ),
    _Scale(
        {
            "checked": "checked",
            "not checked": "unchecked",
            "partly checked": "partly checked",
        },
        roles="checkbox radio switch menuitemcheckbox menuitemradio",
        refusal="cannot be checked",
        advice="for a chosen option, tab or row use state selected",
    ),
    _Scale(
        {"selected": "selected"},
        "unselected",
        "option tab row cell gridcell treeitem menuitemradio radio columnheader",
        "cannot be selected",
        "cite the option, tab or row",
    ),
    _Scale(
        {
            "pressed": "pressed",
            "not pressed": "unpressed",
            "partly pressed": "partly pressed",
        },
        refusal="does not say whether it is pressed or unpressed",
    ),
    _Scale(
        {"expanded": "expanded", "collapsed": "collapsed"},
        refusal="does not say whether it is expanded or collapsed",
    ),
    _Scale(
        {"required": "required"}, "not required", _FIELD_ROLES, "is not a field", "cite the field"
    ),
    _Scale({"invalid": "invalid"}, "not invalid", _FIELD_ROLES, "is not a field", "cite the field"),
    _Scale(
        {"loaded": "loaded", "not loaded": "not loaded"},
        refusal="is not a picture",
        advice="cite the picture itself",
    ),
    _Scale({"read-only": "readonly"}, "not read-only"),
    _Scale({"focused": "focused"}, "not focused"),
    _Scale({"current": "current"}, "not current"),
    _Scale({"looks active": "looks active"}, "not looks active"),
    _Scale({"empty": "empty"}, "not empty"),
)
_SCALE_OF = {
    state: scale for scale in _SCALES for state in (*scale.words.values(), scale.otherwise)
}


class State(_OfElement):
    """An element is in a state. Whether a switch is on is `checked`, never `enabled`."""

    aspect: ClassVar[Literal["state"]] = "state"
    strength: ClassVar[int] = 1

    kind: Literal["state"] = "state"
    state: States

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

    def run(self, context: CheckContext) -> CheckResult:
        """Check the state of the element; that it is hidden is the absence of its name, on the page as it is."""
        if self.state == "hidden":
            return self._run_hidden(context)
        visible = self.state == "visible"
        element = context.cite(self.element_id) if visible else context.seen(self.element_id)
        if not element.facts.shown:
            return context.of_element(self, element, False, "it is not visible")
        if self.state == "empty" and (element.facts.field or element.facts.editable):
            raise UncheckableError(
                f"{element.id} is a field, which is empty by its value", 'use kind value with ""'
            )
        actual = "visible" if visible else _SCALE_OF[self.state].of(element)
        held = actual == self.state
        return context.of_element(self, element, held, actual)

    def _run_hidden(self, context: CheckContext) -> CheckResult:
        from pytest_webtask.page.dom import call

        known = context.observer.known.get(self.element_id)
        if known is None or known.frame.is_detached():
            raise UncheckableError(f"{self.element_id} is not known", "use kind absent")
        if call(known.frame, "view")["document"] != known.document:
            raise UncheckableError(
                f"{self.element_id} was on a page that is no longer open",
                "use kind absent for the present page",
            )
        # An outline names some elements otherwise than a search for roles does.
        redrawn = context.observer.find_again(known.frame.page, self.element_id)
        for each in {self.element_id, redrawn.element.id if redrawn else self.element_id}:
            with suppress(UncheckableError):
                element = context.seen(each)
                return context.of_element(self, element, False, "it is visible")
        return self._absence(context, known).run(context)

    def _absence(self, context: CheckContext, known: Known) -> Check:
        """Return the absence of the name of an element that an earlier observation had."""
        # Imported at the top, its kinds would be registered before these.
        from pytest_webtask.checks.check_context import ask_facts
        from pytest_webtask.checks.page import ROLES, Absent

        tab, role = context.tabs.number_of(known.frame.page), known.element.role or "text"
        name = squashed(known.element.name)
        if role not in ROLES:
            # An outline may show a text in parts, or not all of it.
            name = squashed(ask_facts(known.frame, "written", {"number": known.number})) or name
        if not name or context.data.redact.has_locators:
            raise UncheckableError(
                f"the {role} has no name to look for", "use kind absent with a text instead"
            )
        if role in ROLES:
            return Absent(role=role, name=name, exact=True, tab=tab)
        return Absent(text=name, tab=tab)

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
        assertion = _ASSERTIONS.get(self.state)
        return (element, assertion) if assertion else None


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
        for bound in filter(None, (self.at_least, self.at_most)):
            if "{" not in bound:
                _amount(bound)
        return self

    def describe(self) -> str:
        """Return the bounds in words."""
        bounds = {"at least": self.at_least, "at most": self.at_most}
        return " and ".join(f"{how} {bound}" for how, bound in bounds.items() if bound is not None)

    def run(self, context: CheckContext) -> CheckResult:
        """Compare the one number that the element shows."""
        [element], [text] = _shown(context, self.element_id)
        number = _amount(text)
        low, high = (
            number if bound is None else _amount(context.fill(bound))
            for bound in (self.at_least, self.at_most)
        )
        held = low <= number <= high and _is_beside(context, self.beside, text)
        return context.of_element(
            self, element, held, text, match="comparison", avoided=(text,), whole=(text,)
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
        (one, two), texts = _shown(context, self.element_id, self.other_id)
        left, right = _comparable(*texts)
        is_so = {"less": left < right, "equal": left == right, "more": left > right}
        beside = map(partial(_is_beside, context), self.beside or (None, None), texts)
        held = is_so[self.relation] and all(beside)
        result = context.of_element(
            self,
            one,
            held,
            " and ".join(texts),
            match="comparison",
            avoided=texts[:1],
            whole=tuple(texts),
        )
        other = context.fact(self, two, "comparison").model_copy(
            update={"check": "", "expected": ""}
        )
        _, codes = context.address(two, texts[1:])
        target = context.target(two, codes, by_name=False)
        fact = result.fact and result.fact.model_copy(update={"other": other})
        return result.model_copy(update={"fact": fact, "other_target": target})

    def lasting(self, whole: tuple[str, ...]) -> Check:
        """Return the check with the text beside each number."""
        return self.model_copy(update={"beside": tuple(map(_without_number, whole))})


def _shown(context: CheckContext, *ids: str) -> tuple[list[CheckedElement], list[str]]:
    """Return elements and what each shows or holds. Raises UncheckableError."""
    elements = [context.seen(each) for each in ids]
    for element in elements:
        context.refuse_password(element)
    shown = [each.facts for each in elements]
    return elements, [each.value if each.field else each.content for each in shown]


def _is_beside(context: CheckContext, beside: str | None, text: str) -> bool:
    """Return whether the recorded words, if there are some, are beside the number in a text."""
    return beside is None or _without_number(text) == context.fill(beside)


def _amount(text: str) -> Decimal:
    """Return the one number in a text. Raises UncheckableError."""
    numbers = amounts_in(text)
    if len(numbers) != 1:
        raise UncheckableError(f"{text[:80]!r} is not a single number", "use one such as 4.50")
    # In an amount, 1,234 is more likely 1234 than 1.234.
    return max(numbers[0].values)


def _without_number(text: str) -> str:
    """Return a text with `…` in place of its numbers and dates."""
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
