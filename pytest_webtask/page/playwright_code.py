"""Write recorded texts, patterns and locators as Python code."""

import re
import textwrap
from collections.abc import Callable, Sequence

from pytest_webtask.data.patterns import address_ends, address_parts
from pytest_webtask.data.phrases import NAME
from pytest_webtask.page.locator_parser import (
    Link,
    Unreadable,
    is_positional,
    parse_locator,
    quote,
    write_links,
)
from pytest_webtask.types.page import ITEM_KINDS, Target

Expression = tuple[str]
"""Code between texts, such as the name of a constant; the tuple distinguishes it from a text."""


def string_literal(text: str) -> str:
    """Return a text as a literal, in double quotes unless single ones need fewer backslashes."""
    return template_literal([text])


def template_literal(parts: Sequence[str | Expression]) -> str:
    """Return texts and expressions as one literal; a single expression is returned as it is."""
    if len(parts) == 1 and not isinstance(parts[0], str):
        return parts[0][0]
    text, body, prefix = _joined(parts, _escaped)
    quote = "'" if text.count('"') > text.count("'") else '"'
    return prefix + quote + body.replace(quote, f"\\{quote}") + quote


def pattern_literal(parts: Sequence[str | Expression]) -> str:
    """Return a regular expression of texts and expressions as a literal, raw if possible."""
    pattern, body, prefix = _joined(parts, str)
    quote = "'" if '"' in pattern else '"'
    if not pattern.isprintable() or pattern.endswith("\\") or quote in pattern:
        return template_literal(parts)
    return f"r{prefix}{quote}{body}{quote}"


def _joined(
    parts: Sequence[str | Expression], escaped: Callable[[str], str]
) -> tuple[str, str, str]:
    """Return all texts, and the inside of a literal of the parts with the prefix of that."""
    texts = [part for part in parts if isinstance(part, str)]
    if len(texts) == len(parts):
        return "".join(texts), "".join(map(escaped, texts)), ""
    body = ""
    for part in parts:
        if isinstance(part, str):
            body += escaped(part).replace("{", "{{").replace("}", "}}")
        else:
            body += f"{{{part[0]}}}"
    return "".join(texts), body, "f"


def _escaped(text: str) -> str:
    """Return a text with escapes for backslashes, controls, lone surrogates and marks of direction, but not for quotes."""
    signs = (c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
    return "".join(r"\\" if sign == "\\" else sign for sign in signs)


def comment_lines(text: str) -> list[str]:
    """Return a text as comment lines of at most 96 characters, its control characters escaped."""
    return textwrap.wrap(
        _escaped(" ".join(text.split())),
        96,
        initial_indent="# ",
        subsequent_indent="# ",
        break_long_words=False,
        break_on_hyphens=False,
    )


_TOKEN = re.compile(rf"\{{\{{|\}}\}}|\{{({NAME})\}}")
_FLAGS = {re.IGNORECASE: "re.IGNORECASE", re.MULTILINE: "re.MULTILINE", re.DOTALL: "re.DOTALL"}


def escape_pattern(text: str) -> str:
    """Escape a text for a regular expression, with no more backslashes than it needs."""
    return re.sub(r"([.^$*+?{}()|\[\]\\])", r"\\\1", text)


_MOMENT = re.compile(
    r"\d:\d\d\b|\d[./-]\d{1,2}[./-]\d|\b[A-Z][a-z]{2,8}\.? \d{1,2}\b|\b\d{1,2}\.? [A-Z][a-z]{2}"
)


def lasting_locator(target: Target) -> str:
    """Return the locator with which a plain test finds an element on other days, too, "" if there is none.

    A replay compares what is pinned as well. A locator alone has to name the item, and neither a date nor a place.
    """
    title = quote(target.pinned.named(*ITEM_KINDS))

    def lacks(code: str) -> tuple[bool, ...]:
        is_dated = _MOMENT.search(code.replace(title, "")) is not None
        return title not in code, is_dated, is_positional(code) or "xpath=following" in code

    return min(target.locators, key=lacks, default="")


class CodeTexts:
    """Writes the texts, patterns and locators of one page.

    `page` is the name of the page's variable. `expression` returns the code for a placeholder, or
    None for text in braces that is not a placeholder. Imports and helper functions that the code needs
    are added to `helpers`.
    """

    def __init__(
        self, page: str, expression: Callable[[str], str | None], helpers: set[str]
    ) -> None:
        self.page = page
        self._expression = expression
        self.helpers = helpers

    def parts(self, text: str) -> list[str | Expression]:
        """Split a text at its placeholders."""
        parts: list[str | Expression] = []
        at = 0
        for match in _TOKEN.finditer(text):
            name = match[1]
            code = self._expression(name) if name else None
            if code is not None:
                parts += [text[at : match.start()], (code,)]
                at = match.end()
        return [part for part in (*parts, text[at:]) if part] or [""]

    def text(self, text: str) -> str:
        """Return a text as a literal."""
        return template_literal(self.parts(str(text)))

    def words(self, text: str, *, anycase: bool = False) -> str:
        """Return a pattern that matches a text as whole words."""
        self.helpers.update(("words", "re"))
        return f"words({self.text(text)}{', re.IGNORECASE' if anycase else ''})"

    def pattern(
        self,
        parts: Sequence[str | Expression],
        *,
        before: str = "",
        after: str = "",
        flags: int = 0,
    ) -> str:
        """Return a compiled pattern; texts in `parts` are patterns, expressions are escaped."""
        self.helpers.add("re")
        whole = [
            part if isinstance(part, str) else (f"re.escape({part[0]})",)
            for part in (before, *parts, after)
            if part
        ]
        names = [name for flag, name in _FLAGS.items() if flags & flag]
        arguments = [pattern_literal(whole)]
        if names:
            arguments.append("|".join(names))
        return f"re.compile({', '.join(arguments)})"

    def whole(self, text: str, *, anycase: bool = False) -> str:
        """Return a pattern for exactly this text, whatever its white space and apostrophes."""
        parts = self.parts(text)
        for at, part in enumerate(parts):
            if isinstance(part, str):
                pattern = re.sub(r"\s+", r"\\s+", escape_pattern(part)).replace("'", "['’]")
                parts[at] = pattern.replace(r"\s+/\s+", r"(?:\s*/\s*|\s+)")
        flags = re.IGNORECASE if anycase else 0
        return self.pattern(parts, before=r"^\s*", after=r"\s*$", flags=flags)

    def all_of(self, text: str) -> str:
        """Return a literal for exactly this text, or a pattern if it can be written in two ways."""
        if "'" in text or " / " in text:
            return self.whole(text)
        return self.text(text)

    def address(self, pattern: str) -> str:
        """Return a pattern for a whole address or its end, in which `*` stands for anything."""
        before, anything, after = address_ends(pattern)
        parts = self.parts(pattern)
        for at, part in enumerate(parts):
            if isinstance(part, str):
                parts[at] = f"{anything}*".join(address_parts(part, escape_pattern))
        return self.pattern(parts, before=before, after=after)

    def found(self, target: Target | None) -> str:
        """Return the locator of a check's element. Raises Unreadable."""
        if target is None:
            raise Unreadable("its element was not recorded; record the step once more")
        return self.located(lasting_locator(target))

    def located(self, code: str) -> str:
        """Return the code for a recorded locator. Raises Unreadable."""
        return self._chain(parse_locator(code))

    def frame_of(self, code: str) -> str:
        """Return the code for the page or frame in which a recorded locator looks."""
        links = parse_locator(code)
        while links and links[-1][0] not in ("frame_locator", "content_frame"):
            links = links[:-1]
        return self._chain(links)

    def _chain(self, links: Sequence[Link]) -> str:
        return write_links(
            links,
            lambda text, _: self.text(text),
            lambda pattern: self.pattern([pattern.pattern], flags=pattern.flags),
            self.page,
        )

    def tag(self, target: Target | None) -> str:
        """Return the tag of an element, "" if it was not recorded."""
        return target.known.tag if target else ""
