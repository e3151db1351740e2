"""Recorded checks as lines of Playwright's `expect`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urlsplit

from pytest_webtask.recordings.speaking import Speaking, escaped
from pytest_webtask.recordings.steps import Call, Evidence
from pytest_webtask.recordings.writing import Expression, quoted
from pytest_webtask.records import Target

__all__ = ["Expecting", "seconds_more"]

_EXPECTS = 5.0
"""Seconds that `expect` waits if nothing else is said."""
_FIELDS = frozenset(("input", "textarea", "select"))
_STATES = {
    "visible": "to_be_visible()",
    "hidden": "to_be_hidden()",
    "enabled": "to_be_enabled()",
    "disabled": "to_be_disabled()",
    "checked": "to_be_checked()",
    "unchecked": "to_be_checked(checked=False)",
    "focused": "to_be_focused()",
    "expanded": 'to_have_attribute("aria-expanded", "true")',
    "collapsed": 'to_have_attribute("aria-expanded", "false")',
    "selected": 'to_have_attribute("aria-selected", "true")',
}
_THAT_ARE = {
    "required": ":required, [aria-required=true]",
    "invalid": ':user-invalid, [aria-invalid]:not([aria-invalid="false"])',
}


def seconds_more(patience: float, call: Call) -> float:
    """The longest wait of the calls so far, where it is longer than that of `expect`; else 0."""
    seconds = call.parameters.get("seconds") if call.tool == "wait" else None
    longest = max(patience, float(seconds or 0))
    return longest if longest > _EXPECTS else 0.0


class Expecting(Speaking):
    """Says checks of one page; `patience` is how many seconds they may take, 0 as usual."""

    def __init__(
        self,
        page: str,
        expression: Callable[[str], str | None],
        helpers: set[str],
        patience: float = 0.0,
    ) -> None:
        super().__init__(page, expression, helpers)
        self._patience = patience

    def line(self, evidence: Evidence) -> str | None:
        """The line of a check, None where it was made by eye.

        Raises Unreadable for locators, KeyError for what is missing of the check.
        """
        if evidence.kind == "visual":
            return None
        say: Callable[[Mapping[str, Any], Target | None], tuple[str, str]]
        say = getattr(self, f"_{evidence.kind}")
        about, assertion = say(evidence.expects, evidence.target)
        self._helpers.add("expect")
        if self._patience:
            blank = "" if assertion.endswith("()") else ", "
            assertion = f"{assertion[:-1]}{blank}timeout={self._patience * 1000:_.0f})"
        return f"expect({about}).{'not_' if evidence.fails else ''}{assertion}"

    # Elements: each gives what it is about, and the call of the assertion

    def _text(self, expects: Mapping[str, Any], target: Target | None) -> tuple[str, str]:
        text = expects["text"]
        if self.tag(target) == "input":
            said = self.whole(text) if expects.get("exact") else self.words(text)
            return self.found(target), f"to_have_value({said})"
        if expects.get("exact"):
            return self.found(target), f"to_have_text({self._all_of(text)}, use_inner_text=True)"
        return self.found(target), f"to_contain_text({self.words(text)}, use_inner_text=True)"

    def _value(self, expects: Mapping[str, Any], target: Target | None) -> tuple[str, str]:
        text, tag = str(expects["value"]), self.tag(target)
        if tag == "select" and text:
            chosen = f'{self.found(target)}.locator("option:checked")'
            return chosen, f"to_have_text({self.text(text)})"
        if tag and tag not in _FIELDS:
            return self.found(target), f"to_have_text({self._all_of(text)}, use_inner_text=True)"
        said = self.whole(text) if " / " in text else self.text(text)
        return self.found(target), f"to_have_value({said})"

    def _matches(self, expects: Mapping[str, Any], target: Target | None) -> tuple[str, str]:
        pattern = self.pattern(self.parts(expects["pattern"]), before=r"^\s*(?:", after=r")\s*$")
        if self.tag(target) in _FIELDS:
            return self.found(target), f"to_have_value({pattern})"
        return self.found(target), f"to_have_text({pattern}, use_inner_text=True)"

    def _attribute(self, expects: Mapping[str, Any], target: Target | None) -> tuple[str, str]:
        name, value = self.text(expects["name"]), self.text(expects["value"])
        return self.found(target), f"to_have_attribute({name}, {value})"

    def _state(self, expects: Mapping[str, Any], target: Target | None) -> tuple[str, str]:
        state, tag, found = expects["state"], self.tag(target), self.found(target)
        if state in _THAT_ARE and target is not None:
            one = f"{self.frame_of(target.locator)}.locator({quoted(_THAT_ARE[state])})"
            return f"{found}.and_({one})", "to_be_visible()"
        if state == "selected" and tag == "option":
            return found, 'to_have_js_property("selected", True)'
        if state in ("expanded", "collapsed") and tag == "summary":
            is_open = f'to_have_js_property("open", {state == "expanded"})'
            return f'{found}.locator("xpath=..")', is_open
        return found, _STATES[state]

    # Sets

    def _count(self, expects: Mapping[str, Any], target: Target | None) -> tuple[str, str]:
        number = str(expects["number"])
        said = number if number.isdigit() else f"int({self.text(number)})"
        return self.found(target), f"to_have_count({said})"

    def _order(self, expects: Mapping[str, Any], target: Target | None) -> tuple[str, str]:
        texts = ", ".join(map(self.words, expects["texts"]))
        kind = target.signature.type if target is not None and target.signature else ""
        if not expects.get("complete", kind in ("all", "named")):
            # The texts in this order, and perhaps others between them.
            return self.found(target), f"to_contain_text([{texts}], use_inner_text=True)"
        return self.found(target), f"to_have_text([{texts}], use_inner_text=True)"

    # Pages

    def _absent(self, expects: Mapping[str, Any], target: Target | None) -> tuple[str, str]:
        where = self.page if target is None else self.found(target)
        if expects.get("role") is None:
            found = f"{where}.get_by_text({self.words(expects['text'], anycase=True)})"
        else:
            name = ""
            if said := expects.get("name"):
                exact = bool(expects.get("exact"))
                told = self.whole(said, anycase=True) if exact else self.text(said)
                name = f"name={told}, "
            role = quoted(expects["role"])
            # What is hidden from assistive technology may well be seen.
            found = f"{where}.get_by_role({role}, {name}include_hidden=True)"
        return f"{found}.filter(visible=True)", "to_have_count(0)"

    def _url(self, expects: Mapping[str, Any], target: Target | None) -> tuple[str, str]:
        return self.page, f"to_have_url({self._address(expects['pattern'])})"

    def _title(self, expects: Mapping[str, Any], target: Target | None) -> tuple[str, str]:
        text = expects["text"]
        said = self._all_of(text) if expects.get("exact") else self.words(text)
        return self.page, f"to_have_title({said})"

    # Texts

    def _all_of(self, text: str) -> str:
        """A text that is all there is: as it stands, but for what may be written either way."""
        return self.whole(text) if "'" in text or " / " in text else self.text(text)

    def _address(self, wanted: str) -> str:
        """A pattern for the end of an address, or all of it, with `*` for anything."""
        parts: list[str | Expression] = [
            ".*".join(map(escaped, part.split("*"))) if isinstance(part, str) else part
            for part in self.parts(wanted)
        ]
        before = "^.*[/?&#]"
        if urlsplit(wanted).scheme in ("http", "https") or re.match(
            r"(?:about|data|file|blob):", wanted
        ):
            before = "^"
        elif wanted.startswith("/"):
            before = "^[a-z]+://[^/]*"
        elif wanted.startswith("*"):
            before = ""
        elif wanted[:1] in ("?", "#"):
            before = "^.*"
        return self.pattern(parts, before=before, after="$")
