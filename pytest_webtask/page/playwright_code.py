"""Write recorded texts, patterns and locators as Python code."""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Callable, Iterator, Sequence
from urllib.parse import urlsplit

from pytest_webtask.data.patterns import address_ends
from pytest_webtask.page.locator_parser import Link, Unreadable, parse_locator
from pytest_webtask.types.page import Target

Expression = tuple[str]
"""Code between texts, such as the name of a constant; the tuple distinguishes it from a text."""


def string_literal(text: str) -> str:
    """Return a text as a literal, in double quotes unless single ones need fewer backslashes."""
    return _in_quotes(_escaped(text), text)


def template_literal(parts: Sequence[str | Expression]) -> str:
    """Return texts and expressions as one literal; a single expression is returned as it is."""
    texts = [part for part in parts if isinstance(part, str)]
    if len(texts) == len(parts):
        return string_literal("".join(texts))
    if len(parts) == 1:
        return parts[0][0]
    return "f" + _in_quotes(_body(parts, _escaped), "".join(texts))


def pattern_literal(parts: Sequence[str | Expression]) -> str:
    """Return a regular expression of texts and expressions as a literal, raw if possible."""
    texts = [part for part in parts if isinstance(part, str)]
    pattern = "".join(texts)
    if not pattern.isprintable() or pattern.endswith("\\"):
        return template_literal(parts)
    quote = "'" if '"' in pattern else '"'
    if quote in pattern:
        return template_literal(parts)
    if len(texts) == len(parts):
        return f"r{quote}{pattern}{quote}"
    return f"rf{quote}{_body(parts, str)}{quote}"


def comment_lines(text: str) -> list[str]:
    """Return a text as comment lines of at most 96 characters."""
    return textwrap.wrap(
        " ".join(text.split()),
        96,
        initial_indent="# ",
        subsequent_indent="# ",
        break_long_words=False,
        break_on_hyphens=False,
    )


def _escaped(text: str) -> str:
    """Return a text escaped for a literal, its quotes left alone."""
    signs = (c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
    return "".join(r"\\" if sign == "\\" else sign for sign in signs)


def _in_quotes(body: str, text: str) -> str:
    """Return the inside of a literal of a text in the quotes that are less often in that."""
    quote = "'" if text.count('"') > text.count("'") else '"'
    return quote + body.replace(quote, f"\\{quote}") + quote


def _body(parts: Sequence[str | Expression], escaped: Callable[[str], str]) -> str:
    """Return the inside of an f-string."""
    body = ""
    for part in parts:
        if isinstance(part, str):
            body += escaped(part).replace("{", "{{").replace("}", "}}")
        else:
            body += f"{{{part[0]}}}"
    return body


_TOKEN = re.compile(r"\{\{|\}\}|\{([^{}]*)\}")
_FRAME = re.compile(r"""frame\((name|url)=('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")\)\.""")
_FLAGS = {re.IGNORECASE: "re.IGNORECASE", re.MULTILINE: "re.MULTILINE", re.DOTALL: "re.DOTALL"}


def placeholders(text: str) -> Iterator[str]:
    """Yield the names in braces that may be placeholders."""
    for match in _TOKEN.finditer(text):
        if match[1] is not None and match[1].isidentifier():
            yield match[1]


def escape_pattern(text: str) -> str:
    """Escape a text for a regular expression, with no more backslashes than it needs."""
    return re.sub(r"([.^$*+?{}()|\[\]\\])", r"\\\1", text)


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
        self._helpers = helpers

    def parts(self, text: str) -> list[str | Expression]:
        """Split a text at its placeholders."""
        parts: list[str | Expression] = []
        at = 0
        for match in _TOKEN.finditer(text):
            name = match[1]
            code = self._expression(name) if name and name.isidentifier() else None
            if code is not None:
                parts += [text[at : match.start()], (code,)] if at < match.start() else [(code,)]
                at = match.end()
        return [*parts, text[at:]] if at < len(text) or not parts else parts

    def text(self, text: str) -> str:
        """Return a text as a literal."""
        return template_literal(self.parts(str(text)))

    def words(self, text: str, *, anycase: bool = False) -> str:
        """Return a pattern that matches a text as whole words."""
        self._helpers.update(("words", "re"))
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
        self._helpers.add("re")
        whole: list[str | Expression] = [before, *parts, after]
        # A group may begin in one text and end in the next: join them before quoting.
        joined: list[str | Expression] = []
        for part in whole:
            last = joined[-1] if joined else None
            if isinstance(part, str) and isinstance(last, str):
                joined[-1] = last + part
            else:
                joined.append(part if isinstance(part, str) else (f"re.escape({part[0]})",))
        names = [name for flag, name in _FLAGS.items() if flags & flag]
        arguments = [pattern_literal([part for part in joined if part])]
        if names:
            arguments.append("|".join(names))
        return f"re.compile({', '.join(arguments)})"

    def whole(self, text: str, *, anycase: bool = False) -> str:
        """Return a pattern for exactly this text, whatever its white space and apostrophes."""
        parts: list[str | Expression] = []
        for part in self.parts(text):
            if isinstance(part, str):
                pattern = re.sub(r"\s+", r"\\s+", escape_pattern(part)).replace("'", "['’]")
                parts.append(pattern.replace(r"\s+/\s+", r"(?:\s*/\s*|\s+)"))
            else:
                parts.append(part)
        flags = re.IGNORECASE if anycase else 0
        return self.pattern(parts, before=r"^\s*", after=r"\s*$", flags=flags)

    def all_of(self, text: str) -> str:
        """Return a literal for exactly this text, or a pattern if it can be written in two ways."""
        return self.whole(text) if "'" in text or " / " in text else self.text(text)

    def address(self, pattern: str) -> str:
        """Return a pattern for a whole address or its end, in which `*` stands for anything."""
        before, anything, after = address_ends(pattern)
        parts: list[str | Expression] = [
            f"{anything}*".join(map(escape_pattern, part.split("*")))
            if isinstance(part, str)
            else part
            for part in self.parts(pattern)
        ]
        return self.pattern(parts, before=before, after=after)

    def needs(self, helper: str) -> None:
        """Note an import or helper function that the code needs."""
        self._helpers.add(helper)

    def found(self, target: Target | None) -> str:
        """Return the locator of a check's element. Raises Unreadable."""
        if target is None:
            raise Unreadable("its element was not recorded; record the step once more")
        return self.located(target.locator)

    def located(self, code: str) -> str:
        """Return the code for a recorded locator. Raises Unreadable."""
        root, code = self._framed(code)
        return self._chain(parse_locator(code), root)

    def frame_of(self, code: str) -> str:
        """Return the code for the page or frame in which a recorded locator looks."""
        root, code = self._framed(code)
        links = parse_locator(code)
        frames = [
            n for n, link in enumerate(links) if link[0] in ("frame_locator", "content_frame")
        ]
        return self._chain(links[: frames[-1] + 1], root) if frames else root

    def _framed(self, code: str) -> tuple[str, str]:
        """Return the code for the frame of a literal sentence's locator, and its code inside."""
        match = _FRAME.match(code)
        if match is None:
            return self.page, code
        value = str(ast.literal_eval(match[2]))
        if match[1] == "name":
            selector = f'iframe[name="{value}"], iframe[id="{value}"]'
        else:
            # The host and port may differ in the next run.
            selector = f'iframe[src$="{urlsplit(value).path}"]'
        return f"{self.page}.frame_locator({self.text(selector)})", code[match.end() :]

    def tag(self, target: Target | None) -> str:
        """Return the tag of an element, "" if it was not recorded."""
        return target.tag if target else ""

    def role(self, target: Target | None) -> str:
        """Return the role of an element, "" if it was not recorded."""
        return target.role if target else ""

    def _chain(self, links: Sequence[Link], root: str = "") -> str:
        code = root or self.page
        for name, args, options in links:
            if name in ("first", "last", "content_frame"):
                code += f".{name}"
                continue
            arguments = [
                string_literal(a) if name == "get_by_role" else self._argument(a) for a in args
            ]
            arguments += [f"{key}={self._argument(value)}" for key, value in options.items()]
            code += f".{name}({', '.join(arguments)})"
        return code

    def _argument(self, value: object) -> str:
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, re.Pattern):
            return self.pattern([value.pattern], flags=value.flags)
        if isinstance(value, list):
            return self._chain(value)
        return repr(value)
