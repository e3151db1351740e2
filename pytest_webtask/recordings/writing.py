"""Writing Python as formatters do: literals, and lines broken where `ruff format` breaks them."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import dataclass

__all__ = ["WIDTH", "Expression", "comment", "formatted", "quoted", "raw", "template"]

WIDTH = 100
Expression = tuple[str]
"""Code that stands among texts, such as the name of a constant."""


def quoted(text: str) -> str:
    """A text as a literal, in double quotes unless single ones need fewer backslashes."""
    return _in_quotes(_escaped(text), text)


def template(parts: Sequence[str | Expression]) -> str:
    """A literal of texts and expressions; an expression that stands alone is itself."""
    texts = [part for part in parts if isinstance(part, str)]
    if len(texts) == len(parts):
        return quoted("".join(texts))
    if len(parts) == 1:
        return parts[0][0]
    return "f" + _in_quotes(_body(parts, _escaped), "".join(texts))


def raw(parts: Sequence[str | Expression]) -> str:
    """A regular expression of texts and expressions as a literal: a raw one, where that can be."""
    texts = [part for part in parts if isinstance(part, str)]
    pattern = "".join(texts)
    if not pattern.isprintable() or pattern.endswith("\\"):
        return template(parts)
    quote = "'" if '"' in pattern else '"'
    if quote in pattern:
        return template(parts)
    if len(texts) == len(parts):
        return f"r{quote}{pattern}{quote}"
    return f"rf{quote}{_body(parts, str)}{quote}"


def comment(text: str, indent: int = 4) -> list[str]:
    """A text as comment lines that are no longer than others."""
    lines, line = [], "#"
    for word in " ".join(text.split()).split(" "):
        if line != "#" and indent + len(line) + 1 + len(word) > WIDTH:
            lines.append(line)
            line = "#"
        line += f" {word}"
    return [*lines, line]


def formatted(line: str, indent: int = 4) -> list[str]:
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
