"""Words that say nothing about a value name nothing in this repository."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
BANNED = {"told", "said", "heard", "rung", "hands", "again"}


def names(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield each name in a module with its line: identifiers, and strings used as keys or kinds."""
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name):
                yield node.lineno, name
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield node.lineno, name
            case ast.ClassDef(name=name) | ast.ExceptHandler(name=str(name)):
                yield node.lineno, name
            case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                yield node.lineno, name
            case ast.keyword(arg=str(name), value=value):
                yield node.lineno, name
                if name == "kind":
                    yield from _strings(value)
            case ast.alias(name=name, asname=alias):
                yield from ((node.lineno, each) for each in (*name.split("."), alias or ""))
            case ast.Global(names=found) | ast.Nonlocal(names=found):
                yield from ((node.lineno, name) for name in found)
            case ast.Subscript(slice=key):
                # Also Literal["…"].
                yield from _strings(key)
            case ast.Dict(keys=keys):
                for each in keys:
                    yield from _strings(each)
            case ast.Call(func=ast.Attribute(attr="get" | "pop"), args=[key, *_]):
                yield from _strings(key)


def _strings(node: ast.AST | None) -> Iterator[tuple[int, str]]:
    for each in node.elts if isinstance(node, ast.Tuple) else [node]:
        if isinstance(each, ast.Constant) and isinstance(each.value, str):
            yield each.lineno, each.value


def banned(source: str) -> list[str]:
    """Return the banned names in a module, each with its line."""
    found = sorted(set(names(ast.parse(source))))
    return [f"{line}: {name}" for line, name in found if name.strip("_") in BANNED]


def test_names_say_what_a_value_is() -> None:
    """No module, identifier, argument, attribute, key or kind is one of the banned words."""
    problems = []
    for folder in ("pytest_webtask", "scripts", "tests"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            file = path.relative_to(ROOT).as_posix()
            found = banned(path.read_text(encoding="utf-8"))
            problems += [f"{file}:{each}" for each in found]
            problems += [file] if path.stem.strip("_") in BANNED else []
    assert not problems, "\n".join(problems)


@pytest.mark.parametrize(
    "code",
    [
        "told = 1",
        "x._told",
        "def told(): ...",
        "class said: ...",
        "f(again=1)",
        "lambda heard: 1",
        "def f(*, hands): ...",
        "from a import b as told",
        "import a.hands",
        "x['told']",
        "{'rung': 1}",
        "x.get('said')",
        "f(kind='rung')",
        "kind: Literal['a', 'rung']",
        "match x:\n  case str(told): ...",
        "for said in x: ...",
        "def f():\n  nonlocal told",
    ],
)
def test_banned_word_is_found_in_any_name(code: str) -> None:
    """Assignments, arguments, attributes, imports, patterns, keys and kinds are searched."""
    assert len(banned(code)) == 1


def test_banned_word_in_a_text_is_ignored() -> None:
    """Texts and longer names may contain a banned word."""
    assert not banned('"""As told."""\nprint("again", unrung, x["told him"])')
