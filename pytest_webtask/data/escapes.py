"""Escapes in texts of a page, which must not rewrite what is printed, or read like elements in an outline."""

import re
from typing import IO, Any

IGNORABLE = (
    "[\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\u3164\ufe00-\ufe0f\ufeff\uffa0\U000e0000-\U000e0fff]"
)
"""Characters that are not drawn, as a pattern."""
LINE_BREAK = "⏎"
"""The replacement of a line break in a text that is shown in one line."""
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""Control characters but tabs and line breaks, what overrides the direction of a text, halves of characters."""
_COMMAND = re.compile(r"(?:(?<=\n)|^)[^\S\n]*:(?=:)|#(?=#(?:\[|vso\[|teamcity\[))", re.IGNORECASE)
"""The beginning of what CI systems take for commands: a line that begins with two colons, and their own signs."""
_BRACKET = (
    r"[\[<\u02c2\u1438\u2039\u2045\u226a\u227a\u2329\u2772\u276c\u276e\u2770\u27e6\u27e8\u27ea\u27ec\u2983"
    r"\u2985\u2987\u2989\u298b\u298d\u298f\u2991\u2993\u29fc\u3008\u300a\u300c\u300e\u3010\u3014\u3016\u3018"
    r"\u301a\ufe47\ufe64\uff1c\uff3b\uff62]"
)
_DASH = r"[-\u058a\u2010-\u2015\u2043\u2212\u2e3a\u2e3b\ufe58\ufe63\uff0d]"
_UNSEEN = rf"(?:\s|{IGNORABLE})*"
# An id in the eyes of a reader, not only of a program.
_FORGED = re.compile(rf"{_BRACKET}(?={_UNSEEN}(?:[^\W\d_A-Z]{IGNORABLE}*)+{_DASH}{_UNSEEN}\d)")
_ENDS_NAME = re.compile(r'"|\\(?=\\*(?:"|$))')


def escape_controls(text: str) -> str:
    r"""Return a text with its control characters as escapes, such as `\u001b`."""
    return _CONTROL.sub(lambda m: f"\\u{ord(m[0]):04x}", text)


def printed(text: str) -> str:
    """Return a text of several lines as it is printed: neither a terminal nor a CI system obeys it.

    What a page says in it has passed `one_line` before, or stands in quotation marks.
    """
    return _COMMAND.sub(lambda m: f"{m[0][:-1]}\\u{ord(m[0][-1]):04x}", escape_controls(text))


def one_line(text: str) -> str:
    """Return a text of a page as it is printed, with its line breaks shown, so that no line is the page's."""
    return printed(f" {LINE_BREAK} ".join(text.strip("\n").split("\n")))


def in_code(text: str) -> str:
    """Return a text of a page as code in Markdown, also in a table, so that it is no markup."""
    shown = " ".join(one_line(text).split()).replace("`", "'").replace("|", "¦")
    return f"`{shown}`" if shown else ""


class Printer:
    """A stream that prints texts as `printed` returns them."""

    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        """Write a text; return the number of characters."""
        return self._stream.write(printed(text))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def escape_ids(text: str) -> str:
    """Return a text of a page with escapes for brackets that would make it an id of the outline."""
    return _FORGED.sub(lambda m: f"\\u{ord(m[0]):04x}", text)


def in_quotes(text: str) -> str:
    """Return a text of a page in quotation marks, as the outline has it."""
    escaped = _ENDS_NAME.sub(r"\\\g<0>", escape_ids(text))
    return f'"{escaped}"'
