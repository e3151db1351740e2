"""Words that say nothing about a value name nothing in the Python code of this repository."""

import io
import tokenize
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
BANNED = {*"told said heard rung hands again".split()}


def banned(source: str) -> list[str]:
    """Return the banned words in a module, each with its line: names, and strings that are keys or kinds."""
    found = []
    before = ""
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        is_key = token.type == tokenize.STRING and before != "("
        if (is_key or token.type == tokenize.NAME) and _bare(token.string) in BANNED:
            found.append(f"{token.start[0]}: {token.string}")
        before = token.string
    return found


def _bare(name: str) -> str:
    """Return a name in lower case, without quotes and the underscores and digits that make another of it."""
    return name.lower().strip("_0123456789'\"")


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
        "x['said']", "f(kind='rung')", "kind: Literal['a', 'rung']", "match x:\n  case str(told): ...",
        "for said in x: ...", "def f():\n  nonlocal told", "match x:\n  case P(told=1): ...",
        "match x:\n  case {'told': 1}: ...", "match x:\n  case {**told}: ...", "x.get(y, 'told')",
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
