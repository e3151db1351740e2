"""Checks of one element: its text, value, state, attribute, and numbers compared."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from pydantic import ConfigDict, Field, field_validator, model_validator
from pydantic.json_schema import SkipJsonSchema

from pytest_webtask.checks.base import Check, CheckResult, Fact, UncheckableError
from pytest_webtask.checks.expecting import expect
from pytest_webtask.checks.text import (
    amounts_in,
    as_written,
    dates_in,
    in_outline,
    letters,
    says,
    squashed,
    whole_words,
)
from pytest_webtask.checks.volatile import lasting_pattern

if TYPE_CHECKING:
    from playwright.sync_api import Locator

    from pytest_webtask.checks.context import CheckContext, CheckedElement, ElementFacts
    from pytest_webtask.checks.earlier import Earlier
    from pytest_webtask.export.locators import CodeTexts
    from pytest_webtask.types.agent import Target

__all__ = [
    "CONTROLS",
    "Attribute",
    "Compare",
    "Matches",
    "Number",
    "State",
    "Text",
    "Value",
    "holds",
    "is_named",
    "line_of",
    "shows_text",
]

TIMEOUT = 1.0
"""Milliseconds that an `expect` may take: the page has been waited for before."""
ID = "The element's id, as it stands in the outline."
CONTROLS = frozenset(
    "button link checkbox radio switch tab menuitem menuitemcheckbox menuitemradio option slider"
    " spinbutton combobox searchbox textbox treeitem listbox file color summary".split()
)
_LEAF = 300
"""Characters up to which the whole text of a cited leaf is recorded."""
_FIELDS = frozenset(("input", "textarea", "select"))


def required(*names: str) -> ConfigDict:
    """Return the configuration of a check whose tool demands fields that a recording lacks."""

    def change(schema: dict[str, Any]) -> None:
        schema["required"] = [*schema.get("required", ()), *names]

    return ConfigDict(json_schema_extra=change)


def not_empty(text: str) -> str:
    """Return a text. Raises ValueError where it is empty."""
    if not text.strip():
        raise ValueError("it is empty and expects nothing")
    return text


def holds(assertion: Callable[[], None]) -> bool:
    """Whether an `expect` does not fail."""
    try:
        assertion()
    except AssertionError:
        return False
    return True


class _OfElement(Check):
    model_config = required("kind", "element_id")
    ids: ClassVar[tuple[str, ...]] = ("element_id",)

    def held_before(self, before: Earlier) -> bool | None:
        """Return whether it held before, which is certain only where nothing has changed."""
        return True if before.same else None


class Text(_OfElement):
    """An element shows a text."""

    by_name: ClassVar[bool] = False
    expectations: ClassVar[tuple[str, ...]] = ("text",)

    kind: Literal["text"] = "text"
    element_id: str = Field(default="", description=ID)
    text: str = Field(description="The text, as it stands on the page.")
    exact: bool = Field(default=False, description="Whether that is all that the element shows.")
    line: SkipJsonSchema[str | None] = None
    """A pattern for the whole line in which a recording found it, in an element with several."""
    _text = field_validator("text")(not_empty)

    def describe(self) -> str:
        """Return the text in quotation marks."""
        return f'{"exactly " if self.exact else ""}"{self.text}"'

    def run(self, page: CheckContext) -> CheckResult:
        """Compare what can be seen of the element."""
        found, wanted = page.seen(self.element_id), page.fill(self.text)
        locator, code = page.address(found, (wanted,))
        held = shows_text(locator, found, wanted, exact=self.exact)
        facts = found.facts
        if self.line is not None:
            pattern = page.fill_pattern(self.line)
            held = held and any(re.fullmatch(pattern, squashed(line)) for line in facts.leaves)
        whole = squashed(facts.drawn or facts.text)
        leaf = None
        if not facts.composite and whole and len(whole) <= _LEAF and facts.tag != "input":
            leaf = whole
        line = line_of(facts, wanted) if leaf is None and not self.exact else None
        lines = (line,) if line else ()
        there = facts.text
        if facts.drawn and letters(wanted) not in letters(facts.drawn):
            hidden = letters(wanted) in letters(facts.text)
            there = facts.drawn + (" (and the text, which cannot be seen)" if hidden else "")
        result = page.of_element(self, found, code, held, there, leaf=leaf, whole=lines)
        # With the blanks that the page has, it holds in exported code as well.
        check = result.check
        assert isinstance(check, Text)
        written = as_written(wanted, facts.drawn, check.text)
        return result.model_copy(update={"check": check.model_copy(update={"text": written})})

    def lasting(self, whole: Sequence[str], named: str) -> Check:
        """Return the check with the whole line in which the text stands."""
        return self.model_copy(update={"line": lasting_pattern(whole[0], named)})

    def filled(self, text: Callable[[str], str], pattern: Callable[[str], str]) -> Check:
        """Return the check with placeholders filled in, in the pattern of its line escaped."""
        line = self.line and pattern(self.line)
        return self.model_copy(update={"text": text(self.text), "line": line})

    def with_texts(self, change: Callable[[str], str]) -> Check:
        """Return the check with a function applied to its text and to the pattern of its line."""
        line = self.line and change(self.line)
        return self.model_copy(update={"text": change(self.text), "line": line})

    def held_before(self, before: Earlier) -> bool | None:
        """Return whether the element showed the text; elsewhere on the page the text says nothing."""
        if before.was and before.now and in_outline(self.text, before.now):
            if in_outline(self.text, before.was):
                return True if before.same else None
            return None if "…(+" in before.was else False
        return None if before.is_cut or before.says(self.text) else False

    def as_playwright(self, code: CodeTexts, target: Target | None) -> tuple[str, str]:
        """Return the assertion of a text."""
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

    by_name: ClassVar[bool] = False
    expectations: ClassVar[tuple[str, ...]] = ("value",)

    kind: Literal["value"] = "value"
    element_id: str = Field(default="", description=ID)
    value: str = Field(
        description='The whole value, "" for an empty field; of a choice, the label of the option.'
    )

    def describe(self) -> str:
        """Return the value in quotation marks."""
        return f'= "{self.value}"'

    def run(self, page: CheckContext) -> CheckResult:
        """Compare what the field holds."""
        found, wanted = page.seen(self.element_id), page.fill(self.value)
        facts = found.facts
        if facts.password and self.value and not page.data.uses_secret(self.value):
            page.refuse_password(found)
        if facts.tag == "input" and found.role in ("checkbox", "radio", "switch"):
            raise UncheckableError(
                f"{self.element_id} has no value that can be seen: use state, checked or unchecked"
            )
        locator, code = page.address(found)
        value = page.value_of(found)
        if facts.select:
            # The label of an option is what is seen, and need not be its text.
            held = squashed(value) == squashed(wanted)
        elif facts.field:
            held = holds(lambda: expect(locator).to_have_value(wanted, timeout=TIMEOUT)) or (
                not facts.password and squashed(value) == squashed(wanted.replace(" / ", " "))
            )
        elif facts.editable:
            held = holds(
                lambda: expect(locator).to_have_text(wanted, use_inner_text=True, timeout=TIMEOUT)
            )
        else:
            raise UncheckableError(f"{self.element_id} is no field; use text for what it shows")
        actual = "" if facts.password else value
        return page.of_element(self, found, code, held, actual, match="whole")

    def held_before(self, before: Earlier) -> bool | None:
        """Return whether the field held that value; of a password only that it was empty is known."""
        if before.was is None or "…(+" in before.was or "filled" in before.states:
            return None
        return (
            f'= "{squashed(self.value)}"' in before.was if self.value else '= "' not in before.was
        )

    def as_playwright(self, code: CodeTexts, target: Target | None) -> tuple[str, str]:
        """Return the assertion of a value."""
        tag = code.tag(target)
        if tag == "select" and self.value:
            chosen = f'{code.found(target)}.locator("option:checked")'
            return chosen, f"to_have_text({code.text(self.value)})"
        if tag and tag not in _FIELDS:
            expected = code.all_of(self.value)
            return code.found(target), f"to_have_text({expected}, use_inner_text=True)"
        expected = code.whole(self.value) if " / " in self.value else code.text(self.value)
        return code.found(target), f"to_have_value({expected})"


class Matches(_OfElement):
    """An element's text, or a field's value, fits a pattern: for what differs from run to run."""

    strength: ClassVar[int] = 2
    by_name: ClassVar[bool] = False
    templates: ClassVar[tuple[str, ...] | None] = ("pattern",)

    kind: Literal["matches"] = "matches"
    element_id: str = Field(default="", description=ID)
    pattern: str = Field(
        description=r"A regular expression for all of the text, such as Order #\d{5}; what is the"
        " same each time stands in it as it is."
    )

    @field_validator("pattern")
    @classmethod
    def _pattern(cls, pattern: str) -> str:
        try:
            compiled = re.compile(rf"^\s*(?:{pattern})\s*$")
        except re.error as error:
            raise ValueError(f"it is no regular expression: {error}") from None
        if re.search(r"\\[AZ]|\(\?[Pimsxa]", pattern):
            raise ValueError("browsers know neither flags nor names of groups nor \\A and \\Z")
        if compiled.search("") or sum(bool(compiled.search(probe)) for probe in _PROBES) > 1:
            raise ValueError("any text fits it, so that it says nothing")
        return pattern

    def filled(self, text: Callable[[str], str], pattern: Callable[[str], str]) -> Check:
        """Return the check with placeholders filled in, their values escaped."""
        return self.with_texts(pattern)

    def describe(self) -> str:
        """Return the pattern."""
        return f"fits {self.pattern}"

    def run(self, page: CheckContext) -> CheckResult:
        """Match what can be seen of the element."""
        found = page.seen(self.element_id)
        pattern = re.compile(rf"^\s*(?:{page.fill_pattern(self.pattern)})\s*$")
        locator, code = page.address(found, (found.facts.raw[:60],))
        if found.facts.field:
            page.refuse_password(found)
            held = holds(lambda: expect(locator).to_have_value(pattern, timeout=TIMEOUT))
            actual = page.value_of(found)
        else:
            held = holds(
                lambda: expect(locator).to_have_text(pattern, use_inner_text=True, timeout=TIMEOUT)
            ) or any(
                pattern.search(text) for text in (found.facts.text, squashed(found.facts.drawn))
            )
            actual = found.facts.text
        return page.of_element(self, found, code, held, actual, match="pattern")

    def as_playwright(self, code: CodeTexts, target: Target | None) -> tuple[str, str]:
        """Return the assertion of a pattern."""
        pattern = code.pattern(code.parts(self.pattern), before=r"^\s*(?:", after=r")\s*$")
        if code.tag(target) in _FIELDS:
            return code.found(target), f"to_have_value({pattern})"
        return code.found(target), f"to_have_text({pattern}, use_inner_text=True)"


_PROBES = ("q", "qzx", "Qzx", "qzx vbn", "Qzx Vbn kjh.", "7", "Qzx 7,35 zq")
"""No pattern that says anything fits two of these."""


class Attribute(_OfElement):
    """An element has an attribute of a value."""

    expectations: ClassVar[tuple[str, ...]] = ("value",)

    kind: Literal["attribute"] = "attribute"
    element_id: str = Field(default="", description=ID)
    name: str = Field(description="The attribute, such as href or aria-valuenow.")
    value: str

    def describe(self) -> str:
        """Return the attribute as HTML has it."""
        return f'{self.name}="{self.value}"'

    def run(self, page: CheckContext) -> CheckResult:
        """Compare the attribute."""
        found, wanted = page.seen(self.element_id), page.fill(self.value)
        if self.name.lower() in ("value", "type") or self.name.lower().startswith("on"):
            raise UncheckableError(
                f"the attribute {self.name} says nothing that can be seen; use value"
            )
        locator, code = page.address(found)
        held = holds(lambda: expect(locator).to_have_attribute(self.name, wanted, timeout=TIMEOUT))
        actual = locator.get_attribute(self.name, timeout=1000)
        there = "" if actual is None else f'{self.name}="{actual}"'
        result = page.of_element(self, found, code, held, there, match="whole")
        fact = result.fact and result.fact.model_copy(update={"expected": result.expected})
        return result.model_copy(update={"fact": fact})

    def held_before(self, before: Earlier) -> None:
        """Return None: an outline does not show attributes."""
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
    "required",
    "invalid",
    "readonly",
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
_OUTLINED = {
    "checked": ("checked", True),
    "unchecked": ("checked", False),
    "disabled": ("disabled", True),
    "enabled": ("disabled", False),
    "pressed": ("pressed", True),
    "unpressed": ("pressed", False),
    "expanded": ("expanded", True),
    "collapsed": ("expanded", False),
    "selected": ("selected", True),
    "unselected": ("selected", False),
    "invalid": ("invalid", True),
}
"""The word of each state in an outline, and whether it must be there."""
_PRINTED = {
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
_CHECKED = frozenset("checkbox radio switch menuitemcheckbox menuitemradio".split())
_SELECTED = frozenset(
    "option tab row cell gridcell treeitem menuitemradio radio columnheader".split()
)


class State(_OfElement):
    """An element is in a state. Whether a switch is on is `checked`, never `enabled`."""

    strength: ClassVar[int] = 1

    kind: Literal["state"] = "state"
    element_id: str = Field(default="", description=ID)
    state: States

    @property
    def negative(self) -> bool:
        """Whether it holds where nothing is."""
        return self.state == "hidden"

    def describe(self) -> str:
        """Return the state."""
        return self.state

    def recorded(self, about: str = "") -> Check:
        """Return the check; what is hidden is recorded as the absence of its name."""
        if self.state != "hidden":
            return super().recorded()
        from pytest_webtask.checks.page import Absent

        found = re.fullmatch(r'([a-z]+) "(.*)"', about)
        if not found or not found[2]:
            raise ValueError(f"{about} has no name by which it could be missed")
        if found[1] in ("text", "element", "item", "card"):
            return Absent(text=found[2])
        return Absent(role=found[1], name=found[2], exact=True)

    def run(self, page: CheckContext) -> CheckResult:
        """Ask whether the element is in the state."""
        if self.state == "hidden":
            return self._run_hidden(page)
        visible = self.state == "visible"
        found = page.cite(self.element_id) if visible else page.seen(self.element_id)
        if not found.facts.shown:
            return page.of_element(self, found, "", False, "it cannot be seen")
        locator, code = page.address(found)
        held, actual = _in_state(self.state, locator, found)
        return page.of_element(self, found, code, held, actual)

    def _run_hidden(self, page: CheckContext) -> CheckResult:
        from pytest_webtask.checks.context import CheckedElement, ask_facts

        known = page.observer.known.get(self.element_id)
        try:
            found = page.cite(self.element_id)
        except UncheckableError:
            if known is None or known.frame.is_detached():
                raise
            if ask_facts(known.frame, "which")["document"] != known.document:
                raise UncheckableError(
                    f"{self.element_id} was on a page that has gone; use absent for this one"
                ) from None
            again = page.observer.find_again(known.frame.page, self.element_id)
            if again is not None:
                raise UncheckableError(
                    f"{self.element_id} was only re-rendered: it is {again.element.id} now"
                ) from None
            # It was seen, in this very document, and has gone from it.
            found = CheckedElement(
                self.element_id, known.frame, known.document, known.number, known.locator,
                known.element.role, known.element.name,
            )  # fmt: skip
        held = not found.facts.shown and (
            holds(lambda: expect(found.locator).to_be_hidden(timeout=TIMEOUT))
            or found.locator.count() > 0
        )
        actual = "it can be seen" if found.facts.shown else "hidden"
        return page.of_element(self, found, "", held, actual)

    def held_before(self, before: Earlier) -> bool | None:
        """Return whether the element was in that state."""
        if before.was is None:
            gone = self.state == "visible" and before.same_document and not before.is_cut
            return False if gone else None
        if self.state == "visible":
            return True
        if self.state not in _OUTLINED:
            return None
        word, wanted = _OUTLINED[self.state]
        return (word in before.states) == wanted

    def as_playwright(self, code: CodeTexts, target: Target | None) -> tuple[str, str]:
        """Return the assertion of a state."""
        tag, found = code.tag(target), code.found(target)
        if self.state in _SELECTORS and target is not None:
            one = f"{code.frame_of(target.locator)}.locator({code.text(_SELECTORS[self.state])})"
            return f"{found}.and_({one})", "to_be_visible()"
        if self.state == "selected" and tag == "option":
            return found, 'to_have_js_property("selected", True)'
        if self.state in ("expanded", "collapsed") and tag == "summary":
            is_open = f'to_have_js_property("open", {self.state == "expanded"})'
            return f'{found}.locator("xpath=..")', is_open
        if self.state == "current":
            code.needs("re")
        return found, _PRINTED[self.state]


def _in_state(state: str, target: Locator, found: CheckedElement) -> tuple[bool, str]:
    """Return whether a visible element is in a state, and in which it is.

    Raises UncheckableError where it can be in no such state.
    """
    facts, role = found.facts, found.role
    if state in ("enabled", "disabled"):
        if role and role not in CONTROLS:
            raise UncheckableError(
                f"{found.id} can be neither enabled nor disabled: cite the control"
            )
        on = not facts.inert and holds(lambda: expect(target).to_be_enabled(timeout=TIMEOUT))
        off = facts.inert or holds(lambda: expect(target).to_be_disabled(timeout=TIMEOUT))
        return (on if state == "enabled" else off), "enabled" if on else "disabled"
    if state in ("checked", "unchecked"):
        if role and role not in _CHECKED:
            raise UncheckableError(
                f"{found.id} cannot be checked; for a chosen option, tab or row use selected"
            )
        on = holds(lambda: expect(target).to_be_checked(timeout=TIMEOUT))
        off = holds(lambda: expect(target).to_be_checked(checked=False, timeout=TIMEOUT))
        mixed = holds(lambda: expect(target).to_be_checked(indeterminate=True, timeout=TIMEOUT))
        if not on and not off and not mixed:
            raise UncheckableError(f"{found.id} cannot be checked")
        actual = "partly checked" if mixed else "checked" if on else "unchecked"
        return actual == state, actual
    if state == "visible":
        return holds(lambda: expect(target).to_be_visible(timeout=TIMEOUT)), "visible"
    if state == "focused":
        on = holds(lambda: expect(target).to_be_focused(timeout=TIMEOUT))
        return on, "focused" if on else "not focused"
    if state in ("expanded", "collapsed") and facts.details:
        details = target.locator("xpath=..")
        anything = re.compile("^")
        on = holds(lambda: expect(details).to_have_attribute("open", anything, timeout=TIMEOUT))
        return on == (state == "expanded"), "expanded" if on else "collapsed"
    if state in ("selected", "unselected"):
        if role and role not in _SELECTED:
            raise UncheckableError(f"{found.id} cannot be selected: cite the option, tab or row")
        if facts.tag == "option":
            on = holds(
                lambda: expect(target).to_have_js_property("selected", True, timeout=TIMEOUT)
            )
            return on == (state == "selected"), "selected" if on else "unselected"
        on = _attribute_is(target, "aria-selected", "true")
        return on == (state == "selected"), "selected" if on else "unselected"
    if state in _ARIA:
        other = _OPPOSITES[state]
        on, off = (_attribute_is(target, *_ARIA[each]) for each in (state, other))
        if not on and not off:
            raise UncheckableError(f"{found.id} does not say whether it is {state} or {other}")
        return on, state if on else other
    if state == "current":
        on = "current" in facts.states
        return on, "current" if on else "not current"
    if state == "readonly":
        on = "read-only" in facts.states
        return on, "read-only" if on else "not read-only"
    if role and role not in _FIELD_ROLES and not facts.field:
        raise UncheckableError(
            f"{found.id} is no field that could be {state}: cite the field itself"
        )
    if state == "required":
        on = _attribute_is(target, "aria-required", "true") or holds(
            lambda: expect(target).to_have_js_property("required", True, timeout=TIMEOUT)
        )
        return on, "required" if on else "not required"
    on = facts.invalid or (
        not _attribute_is(target, "aria-invalid", "false")
        and holds(
            lambda: expect(target).to_have_attribute(
                "aria-invalid", re.compile("."), timeout=TIMEOUT
            )
        )
    )
    return on, "invalid" if on else "not invalid"


_FIELD_ROLES = frozenset(
    "textbox searchbox combobox spinbutton listbox checkbox radio switch file".split()
)


def _attribute_is(target: Locator, name: str, value: str) -> bool:
    return holds(lambda: expect(target).to_have_attribute(name, value, timeout=TIMEOUT))


# Texts


def shows_text(target: Locator, found: CheckedElement, wanted: str, *, exact: bool) -> bool:
    """Whether an element shows a text. Raises UncheckableError for a field."""
    pattern = whole_words(wanted, whole=exact)
    if found.facts.field:
        raise UncheckableError(f"{found.id} is a field: use value for what it holds")

    def has(expected: re.Pattern[str], inner: bool) -> bool:
        return holds(
            lambda: expect(target).to_have_text(expected, use_inner_text=inner, timeout=TIMEOUT)
        )

    if found.facts.tag == "input":
        return holds(lambda: expect(target).to_have_value(pattern, timeout=TIMEOUT))
    if letters(wanted) not in letters(found.facts.drawn):
        # It is there, but hidden within what can be seen.
        return False
    texts = (found.facts.text, found.facts.drawn)
    if has(pattern, True) or any(says(text, wanted, whole=exact) for text in texts):
        return True
    # Capitals that only the style sheet makes may be written either way.
    anycase = whole_words(wanted, whole=exact, anycase=True)
    return has(anycase, True) and has(pattern, False)


def line_of(facts: ElementFacts, wanted: str) -> str | None:
    """Return the one line of an element that shows a text, None where there are several or none."""
    lines = facts.leaves or [facts.drawn or facts.text]
    found = [squashed(line) for line in lines if says(line, wanted)]
    return found[0] if len(found) == 1 else None


def is_named(target: Locator, found: CheckedElement, wanted: str) -> bool:
    """Whether an item of a set shows or holds a text; a control without one has it as its name."""
    if found.facts.field and found.facts.content:
        return says(found.facts.content, wanted)
    if found.facts.text or found.role not in CONTROLS:
        return shows_text(target, found, wanted, exact=False)
    pattern = whole_words(wanted)
    return holds(lambda: expect(target).to_have_accessible_name(pattern, timeout=TIMEOUT))


# Numbers


class Number(Check):
    """A number read from an element, or how many there are, lies within bounds."""

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
        default=None, description="The largest it may be; with both it is between."
    )
    beside: SkipJsonSchema[str | None] = None
    """What a recording found beside the number: its unit and its words."""

    @model_validator(mode="after")
    def _bounded(self) -> Number:
        if self.at_least is None and self.at_most is None:
            raise ValueError("give at_least, at_most or both")
        for bound in (self.at_least, self.at_most):
            if bound is not None and "{" not in bound:
                _amount(bound)
        return self

    def describe(self) -> str:
        """Return the bounds in words."""
        bounds = [f"at least {self.at_least}"] if self.at_least is not None else []
        bounds += [f"at most {self.at_most}"] if self.at_most is not None else []
        return " and ".join(bounds)

    def run(self, page: CheckContext) -> CheckResult:
        """Compare the one number that the element shows."""
        found = page.seen(self.element_id)
        page.refuse_password(found)
        text, number = _number_of(page, found)
        held = True
        if self.at_least is not None:
            held = number >= _amount(page.fill(self.at_least))
        if self.at_most is not None:
            held = held and number <= _amount(page.fill(self.at_most))
        if self.beside is not None:
            held = held and _without_number(text) == page.fill(self.beside)
        _, code = page.address(found, (text,))
        return page.of_element(self, found, code, held, text, match="comparison", whole=(text,))

    def lasting(self, whole: Sequence[str], named: str) -> Check:
        """Return the check with what stands beside the number."""
        return self.model_copy(update={"beside": _without_number(whole[0])})

    def as_playwright(self, code: CodeTexts, target: Target | None) -> None:
        """Return nothing: `expect` compares no numbers."""
        return


class Compare(Check):
    """Two elements are compared by the number or date that each shows."""

    model_config = required("kind", "element_id", "other_id")
    ids: ClassVar[tuple[str, ...]] = ("element_id", "other_id")
    by_name: ClassVar[bool] = False

    kind: Literal["compare"] = "compare"
    element_id: str = Field(default="", description="The element that the statement is about.")
    relation: Literal["less", "equal", "more"] = Field(
        description="Whether it shows less (or an earlier date) than the other, as much, or more."
    )
    other_id: str = Field(default="", description="The element that it is compared with.")
    beside: SkipJsonSchema[tuple[str, str] | None] = None
    """What a recording found beside each number."""

    def describe(self) -> str:
        """Return the relation in words."""
        than = "as" if self.relation == "equal" else "than"
        return f"{self.relation} {than} the other element"

    def run(self, page: CheckContext) -> CheckResult:
        """Compare what both show."""
        one, two = page.seen(self.element_id), page.seen(self.other_id)
        for found in (one, two):
            page.refuse_password(found)
        texts = [_shown(page, found) for found in (one, two)]
        left, right = _comparable(*texts)
        held = left < right if self.relation == "less" else left > right
        held = left == right if self.relation == "equal" else held
        if self.beside is not None:
            held = held and [*map(_without_number, texts)] == [*map(page.fill, self.beside)]
        codes = [
            page.address(found, (text,))[1] for found, text in zip((one, two), texts, strict=True)
        ]
        result = page.of_element(
            self,
            one,
            codes[0],
            held,
            f"{texts[0]} and {texts[1]}",
            match="comparison",
            whole=tuple(texts),
        )
        other = page.fact(self, two, "comparison").model_copy(update={"check": "", "expected": ""})
        assert isinstance(result.fact, Fact)
        fact = result.fact.model_copy(update={"other": other})
        return result.model_copy(
            update={"fact": fact, "other_target": page.target(two, codes[1], by_name=False)}
        )

    def lasting(self, whole: Sequence[str], named: str) -> Check:
        """Return the check with what stands beside each number."""
        return self.model_copy(update={"beside": tuple(map(_without_number, whole))})

    def as_playwright(self, code: CodeTexts, target: Target | None) -> None:
        """Return nothing: `expect` compares no elements."""
        return


def _shown(page: CheckContext, found: CheckedElement) -> str:
    return (
        page.value_of(found)
        if found.facts.field
        else squashed(found.facts.drawn or found.facts.text)
    )


def _number_of(page: CheckContext, found: CheckedElement) -> tuple[str, Decimal]:
    text = _shown(page, found)
    return text, _amount(text, found.id)


def _amount(text: str, where: str = "") -> Decimal:
    """Return the one number in a text. Raises ValueError, or UncheckableError for an element's."""
    found = amounts_in(text)
    values = {value for number in found for value in number.values}
    if len(found) == 1 and len(values) > 1:
        # 1,234 in an amount is more likely a thousand than 1.234.
        values = {max(values)}
    if len(found) != 1 or len(values) != 1:
        problem = f"{text[:80]!r} is not one number"
        if where:
            raise UncheckableError(f"{where}: {problem}: cite the element that shows it alone")
        raise ValueError(problem)
    return next(iter(values))


def _without_number(text: str) -> str:
    """Return what stands beside the number or date of a text, with `…` in its place."""
    for written, *_ in dates_in(text):
        text = text.replace(written, "…")
    return re.sub(r"[-−]?\d+(?:[.,'’\s]\d+)*", "…", squashed(text))


def _comparable(one: str, two: str) -> tuple[Any, Any]:
    days = [[day for _, found, *_ in dates_in(text) for day in found] for text in (one, two)]
    if len(days[0]) == len(days[1]) == 1:
        return days[0][0], days[1][0]
    try:
        return _amount(one), _amount(two)
    except ValueError as error:
        raise UncheckableError(f"the two cannot be compared: {error}") from None
