"""Escapes in texts of a page, which must not rewrite the terminal, or read like elements in an outline."""

from __future__ import annotations

import re

__all__ = ["escape_controls", "escape_ids", "in_quotes"]

_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""Control characters but tabs and line breaks, and what overrides the direction of a text."""
_FORGED = re.compile(r"[\[<](?=[a-z]+-\d)")
_ENDS_NAME = re.compile(r'"|\\(?=\\*(?:"|$))')


def escape_controls(text: str) -> str:
    r"""Return a text with its control characters as escapes, such as `\u001b`."""
    return _CONTROL.sub(lambda m: f"\\u{ord(m[0]):04x}", text)


def escape_ids(text: str) -> str:
    """Return a text of a page with escapes for brackets that would make it an id of the outline."""
    return _FORGED.sub(lambda m: f"\\u{ord(m[0]):04x}", text)


def in_quotes(text: str) -> str:
    """Return a text of a page in quotation marks, as the outline has it."""
    escaped = _ENDS_NAME.sub(r"\\\g<0>", escape_ids(text))
    return f'"{escaped}"'
