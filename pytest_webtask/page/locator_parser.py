"""Parser for locators: Playwright code of known methods with literal arguments, never evaluated."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

_Types = tuple[type, ...]
_TEXT: dict[str, _Types] = {"": (str,)}
_TEXT_OR_PATTERN = (str, re.Pattern)
_BY_TEXT: dict[str, _Types] = {"": _TEXT_OR_PATTERN, "exact": (bool,)}
_FILTERS: dict[str, _Types] = {
    **dict.fromkeys(("has_text", "has_not_text"), _TEXT_OR_PATTERN),
    **dict.fromkeys(("has", "has_not"), (list,)),
}
_STATES = ("exact", "checked", "disabled", "expanded", "include_hidden", "pressed", "selected")
_METHODS: dict[str, dict[str, _Types]] = {
    "get_by_role": {
        **_TEXT, "name": _TEXT_OR_PATTERN, "level": (int,), **dict.fromkeys(_STATES, (bool,)),
    },
    "get_by_text": _BY_TEXT,
    "get_by_label": _BY_TEXT,
    "get_by_placeholder": _BY_TEXT,
    "get_by_alt_text": _BY_TEXT,
    "get_by_title": _BY_TEXT,
    "get_by_test_id": {"": _TEXT_OR_PATTERN},
    "locator": {**_TEXT, **_FILTERS},
    "frame_locator": _TEXT,
    "filter": {**_FILTERS, "visible": (bool,)},
    "nth": {"": (int,)},
    "and_": {"": (list,)},
    "or_": {"": (list,)},
}  # fmt: skip
"""The allowed methods: the types of the positional argument, under "" if there is one, and of the keyword
arguments; a list means a nested locator."""
_PROPERTIES = frozenset(("first", "last", "content_frame"))
_FROM_PAGE = _PROPERTIES | {"filter", "nth", "and_", "or_"}
"""Methods and properties of locators that pages lack."""
_NAMES = "IGNORECASE I MULTILINE M DOTALL S".split()
_FLAGS = {"": re.RegexFlag(0), **{f"re.{name}": re.RegexFlag[name] for name in _NAMES}}
_REPEATED_GROUP = re.compile(r"(?<!\\)(?:\\\\)*\)[*+{]")

Link = tuple[str, list[Any], dict[str, Any]]
"""A method or property in a chain, with its arguments."""


class Unreadable(ValueError):
    """The code is not a supported locator, or is missing; the message says why."""

    code = ""


class EmptyLocator(Unreadable):
    """There is no code: no locator was found when the element was recorded, or it was deleted."""


@lru_cache(maxsize=2048)
def parse_locator(code: str) -> list[Link]:
    """Return the links of a chain such as `get_by_role("row").nth(1)`. Raises Unreadable.

    The list must not be changed: later calls return it, too.
    """
    if not code:
        raise EmptyLocator("a locator of this step is empty, so it can't be replayed")
    try:
        return _chain(ast.parse(code, mode="eval").body)
    except Unreadable as error:
        error.code = code
        raise
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        wrong = Unreadable(f'{code!r} is not a locator; write one such as get_by_role("button")')
        wrong.code = code
        raise wrong from None


def locate(code: str, page: Page) -> Locator:
    """Return the locator for the code on a page. Raises Unreadable."""
    return _follow(parse_locator(code), page)


def is_positional(code: str) -> bool:
    """Return whether the code locates an element by position. Raises Unreadable."""
    return any(
        name in ("nth", "first", "last")
        or (name == "locator" and re.search(r"nth-|[>+~]", args[0]) is not None)
        for name, args, _ in parse_locator(code)
    )


_SOLE = frozenset("alert alertdialog banner contentinfo dialog log main search status".split())
"""The roles of which a part of a page has one."""


def is_bare(code: str) -> bool:
    """Return whether the code goes by nothing but a tag or a role of several, in whatever part."""
    links = parse_locator(code.removeprefix(frame_prefix(code)))
    while links[-1][0] == "and_" or links[-1][2].keys() == {"visible"}:
        links = links[:-1]
    name, args, options = links[-1]
    by_tag = name == "locator" and re.fullmatch(r"[a-z]\w*", args[0]) is not None
    return by_tag or (name == "get_by_role" and not options and args[0] not in _SOLE)


def frame_prefix(code: str) -> str:
    """Return the part of the code that leads into a frame, with its trailing dot; "" for none."""
    # A locator that must match as well leads into the frame itself.
    before, dot, _ = code.partition(".and_(")[0].rpartition("content_frame.")
    return before + dot


def map_texts(code: str, change: Callable[[str, bool], str]) -> str:
    """Return code with a function applied to each text; its second argument tells selectors.

    Roles and patterns are not changed. Raises Unreadable.
    """
    return write_links(parse_locator(code), lambda *text: quote(change(*text)), _pattern_code)


def write_links(
    links: Sequence[Link],
    text: Callable[[str, bool], str],
    pattern: Callable[[re.Pattern[str]], str],
    page: str = "",
) -> str:
    """Return the code of a chain on a page; the functions write a text, which may be a selector, and a pattern."""

    def written(value: Any, is_selector: bool) -> str:
        if isinstance(value, str):
            return text(value, is_selector)
        if isinstance(value, re.Pattern):
            return pattern(value)
        if isinstance(value, list):
            return write_links(value, text, pattern, page)
        return repr(value)

    parts = [page] if page else []
    for name, args, options in links:
        if name in _PROPERTIES:
            parts.append(name)
            continue
        is_selector = name in ("locator", "frame_locator")
        given = [quote(a) if name == "get_by_role" else written(a, is_selector) for a in args]
        given += [f"{key}={written(value, is_selector)}" for key, value in options.items()]
        parts.append(f"{name}({', '.join(given)})")
    return ".".join(parts)


def _pattern_code(pattern: re.Pattern[str]) -> str:
    flag = next((f", {name}" for name, flag in _FLAGS.items() if pattern.flags & flag), "")
    return f"re.compile({quote(pattern.pattern)}{flag})"


def named_code(prefix: str, role: str, name: str) -> str:
    """Return the code of a locator of the elements with a role and a name."""
    named = f", name={quote(name)}, exact=True" if name else ""
    return f"{prefix}get_by_role({quote(role)}{named})"


_ESCAPES = {**{ord(c): f"\\{c}" for c in '\\"'}, 0: r"\x00", 9: r"\t", 10: r"\n", 13: r"\r"}


def quote(text: str) -> str:
    """Return a text in double quotes, as Playwright and most formatters write it."""
    return f'"{text.translate(_ESCAPES)}"'


def _chain(tree: ast.expr) -> list[Link]:
    links: list[Link] = []
    node = tree
    while isinstance(member := getattr(node, "func", node), ast.Attribute):
        links.append(_link(member.attr, node))
        node = member.value
    if isinstance(member, ast.Name) and not (member is node and member.id == "page"):
        links.append(_link(member.id, node))
    links.reverse()
    if not isinstance(member, ast.Name) or not links or links[0][0] in _FROM_PAGE:
        raise Unreadable(
            f"{ast.unparse(tree)[:80]!r} is not a locator: begin it with a method of the page, as in"
            ' get_by_text("Cart")'
        )
    return links


def _link(name: str, node: ast.expr) -> Link:
    """Return a method with its arguments, or a property, which is not called. Raises Unreadable."""
    if not isinstance(node, ast.Call) and name in _PROPERTIES:
        return name, [], {}
    if not isinstance(node, ast.Call) or name not in _METHODS:
        known = ", ".join(sorted((*(f"{each}(…)" for each in _METHODS), *_PROPERTIES)))
        raise Unreadable(f"{name!r} is not used as a part of a locator: use {known}")
    kinds = _METHODS[name]
    given = [("", each) for each in node.args]
    given += [(str(each.arg), each.value) for each in node.keywords]
    values = {key: _literal(each) for key, each in given}
    is_whole = len(values) == len(given) and ("" in values) == ("" in kinds)
    if not is_whole or any(type(value) not in kinds.get(key, ()) for key, value in values.items()):
        known = ", ".join(f"{key}=" if key else "one argument" for key in kinds)
        raise Unreadable(f"{name} got the wrong arguments: it takes {known}")
    args = [values.pop("")] if "" in kinds else []
    return name, args, values


def _literal(node: ast.expr) -> Any:
    if isinstance(node, ast.Call) and ast.unparse(node.func) == "re.compile":
        return _pattern(node)
    if isinstance(node, (ast.Call, ast.Attribute)):
        return _chain(node)
    with suppress(ValueError, TypeError):
        value = ast.literal_eval(node)
        if isinstance(value, (str, int)):
            return value
    raise Unreadable(
        f"{ast.unparse(node)[:80]!r} is no argument of a locator: use a text, a number or a locator"
    )


def _pattern(node: ast.Call) -> re.Pattern[str]:
    flag = ", ".join(map(ast.unparse, (*node.args[1:], *node.keywords)))
    pattern = next((each.value for each in node.args[:1] if isinstance(each, ast.Constant)), None)
    if not isinstance(pattern, str) or flag not in _FLAGS:
        raise Unreadable(
            f"{ast.unparse(node)[:80]!r} is not a supported pattern: write one text, and at most one"
            ' flag, as in re.compile(r"…", re.I)'
        )
    if _REPEATED_GROUP.search(pattern):
        raise Unreadable(
            f"{pattern!r} repeats a group, which can keep a browser busy forever: write it without"
            " *, + or { after a parenthesis"
        )
    try:
        return re.compile(pattern, _FLAGS[flag])
    except re.error as error:
        raise Unreadable(f"{pattern!r} is not a regular expression: {error}; correct it") from None


def _follow(links: list[Link], page: Page) -> Locator:
    where: Any = page
    for name, args, options in links:
        member = getattr(where, name)
        if name in _PROPERTIES:
            where = member
            continue
        positional = [_follow(a, page) if isinstance(a, list) else a for a in args]
        named = {k: _follow(v, page) if isinstance(v, list) else v for k, v in options.items()}
        where = member(*positional, **named)
    located: Locator = where
    return located


def describe_locator(code: str) -> str:
    """Return the words by which code locates an element, as `button "Save" in "Mug"`, or else the code."""
    words: list[str] = []
    with suppress(Unreadable):
        for name, args, options in parse_locator(code):
            role = args[0] if name == "get_by_role" else ""
            text = options.get("name") if role else (*args, None)[0]
            if isinstance(text, re.Pattern):
                text = text.pattern
            if role and not text:
                words.append(role)
            elif name.startswith("get_by_") and name != "get_by_test_id":
                words.append(f"{role} {quote(str(text))}".strip())
    return " in ".join(reversed(words)) or code
