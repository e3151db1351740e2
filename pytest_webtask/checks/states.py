"""The states of elements, each asked by Playwright's `expect`."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Locator, expect

from pytest_webtask.checks.finding import Cited, NotFound

__all__ = ["CONTROLS", "TIMEOUT", "holds", "in_state"]

TIMEOUT = 1.0
"""Milliseconds that an `expect` may take: the page has been waited for before."""
CONTROLS = frozenset(
    "button link checkbox radio switch tab menuitem menuitemcheckbox menuitemradio option slider"
    " spinbutton combobox searchbox textbox treeitem listbox file color summary".split()
)


def holds(assertion: Callable[[], None]) -> bool:
    """Whether an `expect` does not fail."""
    try:
        assertion()
    except AssertionError:
        return False
    return True


def in_state(state: str, target: Locator, found: Cited) -> tuple[bool, str]:
    """Whether a shown element is in a state, and in which it is. Raises NotFound where it has none."""
    facts = found.facts
    if wrong := _has_no(state, found):
        raise NotFound(wrong)
    if state in ("enabled", "disabled"):
        if found.role and found.role not in CONTROLS:
            raise NotFound(f"{found.id} is nothing that could be {state}: cite the control")
        on = not facts.inert and holds(lambda: expect(target).to_be_enabled(timeout=TIMEOUT))
        off = facts.inert or holds(lambda: expect(target).to_be_disabled(timeout=TIMEOUT))
        return (on if state == "enabled" else off), "enabled" if on else "disabled"
    if state in ("checked", "unchecked"):
        on = holds(lambda: expect(target).to_be_checked(timeout=TIMEOUT))
        off = holds(lambda: expect(target).to_be_checked(checked=False, timeout=TIMEOUT))
        mixed = holds(lambda: expect(target).to_be_checked(indeterminate=True, timeout=TIMEOUT))
        if not on and not off and not mixed:
            raise NotFound(f"{found.id} is nothing that could be checked")
        actual = "partly checked" if mixed else "checked" if on else "unchecked"
        return actual == state, actual
    if state == "visible":
        return holds(lambda: expect(target).to_be_visible(timeout=TIMEOUT)), "visible"
    if state == "focused":
        on = holds(lambda: expect(target).to_be_focused(timeout=TIMEOUT))
        return on, "focused" if on else "not focused"
    if state in ("expanded", "collapsed"):
        if facts.details:
            details = target.locator("xpath=..")
            anything = re.compile("^")
            on = holds(lambda: expect(details).to_have_attribute("open", anything, timeout=TIMEOUT))
            off = not on
        else:
            on = _attribute_is(target, "aria-expanded", "true")
            off = _attribute_is(target, "aria-expanded", "false")
        if not on and not off:
            raise NotFound(f"{found.id} does not say whether it is expanded or collapsed")
        return (on if state == "expanded" else off), "expanded" if on else "collapsed"
    if state == "selected":
        on = _attribute_is(target, "aria-selected", "true") or (
            facts.tag == "option"
            and holds(lambda: expect(target).to_have_js_property("selected", True, timeout=TIMEOUT))
        )
        return on, "selected" if on else "not selected"
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


def _attribute_is(target: Locator, name: str, value: str) -> bool:
    return holds(lambda: expect(target).to_have_attribute(name, value, timeout=TIMEOUT))


_CHECKED = frozenset("checkbox radio switch menuitemcheckbox menuitemradio".split())
_SELECTED = frozenset(
    "option tab row cell gridcell treeitem menuitemradio radio columnheader".split()
)
_FIELDS = frozenset(
    "textbox searchbox combobox spinbutton listbox checkbox radio switch file".split()
)


def _has_no(state: str, found: Cited) -> str:
    """Why an element cannot be in a state; "" where it can."""
    role = found.role
    if state in ("checked", "unchecked") and role and role not in _CHECKED:
        return f"{found.id} is no box that could be checked; for what is chosen there is selected"
    if state == "selected" and role and role not in _SELECTED:
        return f"{found.id} is nothing that could be selected: cite the option, tab or row"
    if state in ("required", "invalid") and role and role not in _FIELDS and not found.facts.field:
        return f"{found.id} is no field that could be {state}: cite the field itself"
    return ""
