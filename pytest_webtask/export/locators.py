"""Texts, values and locators of recordings as Python code."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from pytest_webtask.page.locator_parser import Link, Unreadable, parse_locator
from pytest_webtask.recordings.schema import RecordedCall
from pytest_webtask.types.agent import Target

__all__ = [
    "WIDTH",
    "CodeTexts",
    "Expression",
    "comment_lines",
    "escape_pattern",
    "format_statement",
    "pattern_literal",
    "placeholders",
    "string_literal",
    "template_literal",
]


WIDTH = 100
Expression = tuple[str]
"""Code that stands among texts, such as the name of a constant."""


def string_literal(text: str) -> str:
    """A text as a literal, in double quotes unless single ones need fewer backslashes."""
    return _in_quotes(_escaped(text), text)


def template_literal(parts: Sequence[str | Expression]) -> str:
    """A literal of texts and expressions; an expression that stands alone is itself."""
    texts = [part for part in parts if isinstance(part, str)]
    if len(texts) == len(parts):
        return string_literal("".join(texts))
    if len(parts) == 1:
        return parts[0][0]
    return "f" + _in_quotes(_body(parts, _escaped), "".join(texts))


def pattern_literal(parts: Sequence[str | Expression]) -> str:
    """A regular expression of texts and expressions as a literal: a raw one, where that can be."""
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


def comment_lines(text: str, indent: int = 4) -> list[str]:
    """A text as comment lines that are no longer than others."""
    lines, line = [], "#"
    for word in " ".join(text.split()).split(" "):
        if line != "#" and indent + len(line) + 1 + len(word) > WIDTH:
            lines.append(line)
            line = "#"
        line += f" {word}"
    return [*lines, line]


def format_statement(line: str, indent: int = 4) -> list[str]:
    """The lines of a statement that is written in one; each begins with its own indentation.

    It knows expressions of calls, literals and lists, and assignments of a literal; anything else
    stays as it is.
    """
    blank = " " * indent
    if indent + len(line) <= WIDTH:
        return [blank + line]
    statement = ast.parse(line).body[0]
    if isinstance(statement, ast.Expr):
        told = _print(_Writer(line).of(statement.value, inside=False), indent)
        return (blank + told).split("\n")
    if isinstance(statement, ast.Assign):
        name, _, value = line.partition(" = ")
        if isinstance(statement.value, (ast.Constant, ast.JoinedStr)):
            if indent + 4 + len(value) <= WIDTH:
                return [f"{blank}{name} = (", f"{blank}    {value}", f"{blank})"]
        else:
            told = _print(_Writer(value).of(ast.parse(value, mode="eval").body, False), indent)
            return f"{blank}{name} = {told}".split("\n")
    return [blank + line]


def _escaped(text: str) -> str:
    """A text without quotes as it stands in a literal."""
    return "".join(
        f"\\{c}" if c == "\\" else c if c.isprintable() else c.encode("unicode_escape").decode()
        for c in text
    )


def _body(parts: Sequence[str | Expression], escaped: Callable[[str], str]) -> str:
    return "".join(
        escaped(part).replace("{", "{{").replace("}", "}}")
        if isinstance(part, str)
        else f"{{{part[0]}}}"
        for part in parts
    )


def _in_quotes(body: str, text: str) -> str:
    quote = "'" if text.count('"') > text.count("'") else '"'
    return quote + body.replace(quote, f"\\{quote}") + quote


# What may be broken, in the terms of Wadler's printer.


@dataclass(frozen=True)
class _Break:
    """A line break, or `flat` where all of its group stands on one line."""

    flat: str = ""


@dataclass(frozen=True)
class _Broken:
    """What is there only where its group is broken."""

    text: str


@dataclass(frozen=True)
class _Indented:
    """Lines of it stand further in."""

    parts: Sequence[_Part]


@dataclass(frozen=True)
class _Group:
    """What is broken everywhere or nowhere."""

    parts: Sequence[_Part]


_Part = str | _Break | _Broken | _Indented | _Group


class _Writer:
    """Reads an expression of one line; `inside` says that it stands in brackets."""

    def __init__(self, line: str) -> None:
        self._line = line

    def of(self, node: ast.expr, inside: bool = True) -> list[_Part]:
        """The parts of an expression."""
        if isinstance(node, (ast.Call, ast.Attribute)):
            if inside and _attributes_of_calls(node) >= 2:
                return [_Group(self._chain(node, fluent=True))]
            return self._chain(node, fluent=False)
        if isinstance(node, ast.List):
            return [_bracketed("[", [self.of(each) for each in node.elts], "]", comma=True)]
        if isinstance(node, ast.Dict):
            items = [
                [*self.of(key), ": ", *self.of(value)]
                for key, value in zip(node.keys, node.values, strict=True)
                if key is not None
            ]
            return [_bracketed("{", items, "}", comma=True)]
        return [ast.get_source_segment(self._line, node) or ast.unparse(node)]

    def _chain(self, node: ast.expr, *, fluent: bool) -> list[_Part]:
        if isinstance(node, ast.Attribute):
            before = self._chain(node.value, fluent=fluent)
            broken = fluent and isinstance(node.value, ast.Call)
            return [*before, *([_Break()] if broken else []), f".{node.attr}"]
        if isinstance(node, ast.Call):
            named = [[f"{k.arg}=", *self.of(k.value)] for k in node.keywords]
            items = [*map(self.of, node.args), *named]
            return [*self._chain(node.func, fluent=fluent), _bracketed("(", items, ")")]
        return self.of(node)


def _attributes_of_calls(node: ast.expr) -> int:
    count = 0
    while isinstance(node, (ast.Call, ast.Attribute)):
        if isinstance(node, ast.Attribute):
            node = node.value
            count += isinstance(node, ast.Call)
        else:
            node = node.func
    return count


def _bracketed(
    begin: str, items: Sequence[Sequence[_Part]], end: str, comma: bool = False
) -> _Part:
    """Items in brackets; a list that is broken has one a line, arguments only where they must."""
    if not items:
        return f"{begin}{end}"
    parts: list[_Part] = []
    for item in items:
        if parts:
            parts += (",", _Break(" "))
        parts += item
    if comma or len(items) > 1:
        parts.append(_Broken(","))
    if not comma:
        parts = [_Group(parts)]
    return _Group([begin, _Indented([_Break(), *parts]), _Break(), end])


def _print(parts: Sequence[_Part], indent: int) -> str:
    told, column = "", indent
    todo: list[tuple[int, bool, _Part]] = [(indent, False, part) for part in reversed(parts)]
    while todo:
        at, flat, part = todo.pop()
        if isinstance(part, str):
            told += part
            column += len(part)
        elif isinstance(part, _Break):
            told += part.flat if flat else "\n" + " " * at
            column = column + len(part.flat) if flat else at
        elif isinstance(part, _Broken):
            told += "" if flat else part.text
        elif isinstance(part, _Indented):
            todo += [(at + 4, flat, each) for each in reversed(part.parts)]
        else:
            flat = flat or _fits(part, todo, WIDTH - column)
            todo += [(at, flat, each) for each in reversed(part.parts)]
    return told


def _fits(group: _Group, rest: Sequence[tuple[int, bool, _Part]], room: int) -> bool:
    """Whether a group fits on this line, with what follows it up to the next possible break."""
    todo = [*((flat, part) for _, flat, part in rest), (True, group)]
    while todo:
        flat, part = todo.pop()
        if isinstance(part, str):
            room -= len(part)
        elif isinstance(part, _Break):
            if not flat:
                return room >= 0
            room -= len(part.flat)
        elif isinstance(part, (_Indented, _Group)):
            todo += [(flat, each) for each in reversed(part.parts)]
        if room < 0:
            return False
    return True


_TOKEN = re.compile(r"\{\{|\}\}|\{([^{}]*)\}")
_FRAME = re.compile(r"""frame\((name|url)=('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")\)\.""")
_FLAGS = {re.IGNORECASE: "re.IGNORECASE", re.MULTILINE: "re.MULTILINE", re.DOTALL: "re.DOTALL"}


def placeholders(text: str) -> Iterator[str]:
    """The names of a text that may be those of data."""
    for match in _TOKEN.finditer(text):
        if match[1] is not None and match[1].isidentifier():
            yield match[1]


def escape_pattern(text: str) -> str:
    """A text as a regular expression, with no more backslashes than it needs."""
    return re.sub(r"([.^$*+?{}()|\[\]\\])", r"\\\1", text)


class CodeTexts:
    """Says texts and elements of one page.

    `page` is the name of its variable; `expression` gives the code for a placeholder. What the code
    needs is added to `helpers`.
    """

    def __init__(
        self, page: str, expression: Callable[[str], str | None], helpers: set[str]
    ) -> None:
        self.page = page
        self._expression = expression
        self._helpers = helpers

    def parts(self, text: str) -> list[str | Expression]:
        """A text, cut where its placeholders stand."""
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
        """A text as a literal."""
        return template_literal(self.parts(str(text)))

    def words(self, text: str, *, anycase: bool = False) -> str:
        """A pattern for a text as whole words."""
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
        """A compiled pattern of expressions, which are escaped, and texts, which are patterns."""
        self._helpers.add("re")
        whole: list[str | Expression] = [before, *parts, after]
        # What a pattern begins its neighbour may end: they are joined before they are quoted.
        joined: list[str | Expression] = []
        for part in whole:
            last = joined[-1] if joined else None
            if isinstance(part, str) and isinstance(last, str):
                joined[-1] = last + part
            else:
                joined.append(part if isinstance(part, str) else (f"re.escape({part[0]})",))
        told = [code for flag, code in _FLAGS.items() if flags & flag]
        given = [
            pattern_literal([part for part in joined if part]),
            *(["|".join(told)] if told else []),
        ]
        return f"re.compile({', '.join(given)})"

    def whole(self, text: str, *, anycase: bool = False) -> str:
        """A pattern for a text that is all there is, however its blanks and apostrophes are."""
        parts: list[str | Expression] = []
        for part in self.parts(text):
            if isinstance(part, str):
                said = re.sub(r"\s+", r"\\s+", escape_pattern(part)).replace("'", "['’]")
                parts.append(said.replace(r"\s+/\s+", r"(?:\s*/\s*|\s+)"))
            else:
                parts.append(part)
        flags = re.IGNORECASE if anycase else 0
        return self.pattern(parts, before=r"^\s*", after=r"\s*$", flags=flags)

    def all_of(self, text: str) -> str:
        """Return a text that is all there is: as it stands, but for what may be written either way."""
        return self.whole(text) if "'" in text or " / " in text else self.text(text)

    def address(self, wanted: str) -> str:
        """Return a pattern for the end of an address, or all of it, with `*` for anything."""
        parts: list[str | Expression] = [
            ".*".join(map(escape_pattern, part.split("*"))) if isinstance(part, str) else part
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

    def needs(self, helper: str) -> None:
        """Add what the code imports or calls."""
        self._helpers.add(helper)

    def element(self, call: RecordedCall, parameter: str = "element_id") -> str:
        """The element of a call."""
        if parameter not in call.targets:
            if len(call.targets) != 1:
                raise Unreadable(f"the recorded call has no target {parameter!r}")
            parameter = next(iter(call.targets))
        return self.located(call.targets[parameter].locator)

    def found(self, target: Target | None) -> str:
        """The element of a check. Raises Unreadable."""
        if target is None:
            raise Unreadable("its element was not recorded")
        return self.located(target.locator)

    def located(self, code: str) -> str:
        """A recorded locator. Raises Unreadable."""
        root, code = self._framed(code)
        return self._chain(parse_locator(code), root)

    def frame_of(self, code: str) -> str:
        """The page or frame in which a locator looks."""
        root, code = self._framed(code)
        links = parse_locator(code)
        last = [n for n, link in enumerate(links) if link[0] in ("frame_locator", "content_frame")]
        return self._chain(links[: last[-1] + 1], root) if last else root

    def _framed(self, code: str) -> tuple[str, str]:
        """The frame in which literal sentences say that an element is, and the rest of the code."""
        found = _FRAME.match(code)
        if found is None:
            return self.page, code
        value = str(ast.literal_eval(found[2]))
        if found[1] == "name":
            one = f'iframe[name="{value}"], iframe[id="{value}"]'
        else:
            # The server may have another address next time.
            one = f'iframe[src$="{urlsplit(value).path}"]'
        return f"{self.page}.frame_locator({self.text(one)})", code[found.end() :]

    def tag(self, target: Target | None) -> str:
        """The tag of an element, "" where it was not recorded."""
        return target.signature.tag if target is not None and target.signature else ""

    def role(self, target: Target | None) -> str:
        """The role of an element, "" where it was not recorded."""
        return target.signature.role if target is not None and target.signature else ""

    def _chain(self, links: Sequence[Link], root: str = "") -> str:
        code = root or self.page
        for name, args, options in links:
            if name in ("first", "last", "content_frame"):
                code += f".{name}"
                continue
            given = [
                string_literal(a) if name == "get_by_role" else self._argument(a) for a in args
            ]
            given += [f"{key}={self._argument(value)}" for key, value in options.items()]
            code += f".{name}({', '.join(given)})"
        return code

    def _argument(self, value: object) -> str:
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, re.Pattern):
            return self.pattern([value.pattern], flags=value.flags)
        if isinstance(value, list):
            return self._chain(value)
        return repr(value)
