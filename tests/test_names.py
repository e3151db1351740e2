"""Words that say nothing about a value name nothing in the Python code of this repository."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
BANNED = {"told", "said", "heard", "rung", "hands", "again"}


def names(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield each name in a module with its line: identifiers, and strings used as keys or kinds."""
    for node in ast.walk(tree):
        yield from _identifiers(node)
        for each in _keys(node):
            yield from _strings(each)


def _identifiers(node: ast.AST) -> Iterator[tuple[int, str]]:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name):
            yield node.lineno, name
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
            yield node.lineno, name
        case ast.ClassDef(name=name) | ast.ExceptHandler(name=str(name)):
            yield node.lineno, name
        case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
            yield node.lineno, name
        case ast.MatchMapping(rest=str(name)) | ast.keyword(arg=str(name)):
            yield node.lineno, name
        case ast.MatchClass(kwd_attrs=found):
            yield from ((node.lineno, name) for name in found)
        case ast.alias(name=name, asname=alias):
            yield from ((node.lineno, each) for each in (*name.split("."), alias or ""))
        case ast.Global(names=found) | ast.Nonlocal(names=found):
            yield from ((node.lineno, name) for name in found)


def _keys(node: ast.AST) -> Sequence[ast.AST | None]:
    """Return the expressions that are keys or kinds, or the names of attributes."""
    match node:
        case ast.Subscript(slice=key):
            # Also Literal["…"].
            return [key]
        case ast.Dict(keys=keys):
            return keys
        case ast.MatchMapping(keys=patterns):
            return patterns
        case ast.keyword(arg="kind" | "alias", value=value):
            return [value]
        case ast.Assign(targets=[ast.Name(id="kind")], value=value):
            return [value]
        case ast.Compare(left=ast.Attribute(attr="kind"), comparators=values):
            return values
        case ast.Call(func=ast.Attribute(attr="get" | "pop" | "setdefault"), args=[key, *_]):
            return [key]
        case ast.Call(func=ast.Name(id="getattr" | "setattr" | "hasattr"), args=[_, key, *_]):
            return [key]
    return []


def _strings(node: ast.AST | None) -> Iterator[tuple[int, str]]:
    for each in node.elts if isinstance(node, ast.Tuple) else [node]:
        if isinstance(each, ast.Constant) and isinstance(each.value, str):
            yield each.lineno, each.value


def banned(source: str) -> list[str]:
    """Return the banned names in a module, each with its line."""
    found = sorted(set(names(ast.parse(source))))
    return [f"{line}: {name}" for line, name in found if _bare(name) in BANNED]


def _bare(name: str) -> str:
    """Return a name in lower case, without the underscores and digits that make another of it."""
    return name.lower().strip("_0123456789")


def test_names_say_what_a_value_is() -> None:
    """No module, identifier, argument, attribute, key or kind is one of the banned words."""
    problems = []
    folders = ("pytest_webtask", "scripts", "tests", "example_suite")
    paths = [path for folder in folders for path in sorted((ROOT / folder).rglob("*.py"))]
    for path in [*ROOT.glob("*.py"), *paths]:
        file = path.relative_to(ROOT).as_posix()
        found = banned(path.read_text(encoding="utf-8"))
        problems += [f"{file}:{each}" for each in found]
        problems += [file] if _bare(path.stem) in BANNED else []
    assert not problems, "\n".join(problems)


@pytest.mark.parametrize(
    "code",
    [
        "told = 1", "x._told", "def told(): ...", "class said: ...", "f(again=1)", "lambda heard: 1",
        "def f(*, hands): ...", "from a import b as told", "import a.hands", "x['told']", "{'rung': 1}",
        "x.get('said')", "f(kind='rung')", "kind: Literal['a', 'rung']", "match x:\n  case str(told): ...",
        "for said in x: ...", "def f():\n  nonlocal told", "match x:\n  case P(told=1): ...",
        "match x:\n  case {'told': 1}: ...", "match x:\n  case {**told}: ...", "x.setdefault('told')",
        "getattr(x, 'told')", "Field(alias='told')", "x.kind == 'rung'", "kind = 'rung'", "TOLD = 1",
        "class Hands: ...", "told1 = 1",
    ],
)  # fmt: skip
def test_banned_word_is_found_in_any_name(code: str) -> None:
    """Assignments, arguments, attributes, imports, patterns, keys and kinds are searched."""
    assert len(banned(code)) == 1


def test_banned_word_in_a_text_is_ignored() -> None:
    """Texts and longer names may contain a banned word."""
    assert not banned('"""As told."""\nprint("again", unrung, x["told him"])')
