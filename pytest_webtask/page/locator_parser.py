"""Parser for locators: Playwright code of known methods with literal arguments, never evaluated."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

_TEXT = (str,)
_TEXT_OR_PATTERN = (str, re.Pattern)
_EXACT: dict[str, tuple[type, ...]] = {"exact": (bool,)}
_FILTERS: dict[str, tuple[type, ...]] = {
    "has_text": _TEXT_OR_PATTERN,
    "has_not_text": _TEXT_OR_PATTERN,
    "has": (list,),
    "has_not": (list,),
}
_STATES = ("exact", "checked", "disabled", "expanded", "include_hidden", "pressed", "selected")
_METHODS: dict[str, tuple[tuple[type, ...], dict[str, tuple[type, ...]]]] = {
    "get_by_role": (
        _TEXT,
        {"name": _TEXT_OR_PATTERN, "level": (int,), **dict.fromkeys(_STATES, (bool,))},
    ),
    "get_by_text": (_TEXT_OR_PATTERN, _EXACT),
    "get_by_label": (_TEXT_OR_PATTERN, _EXACT),
    "get_by_placeholder": (_TEXT_OR_PATTERN, _EXACT),
    "get_by_alt_text": (_TEXT_OR_PATTERN, _EXACT),
    "get_by_title": (_TEXT_OR_PATTERN, _EXACT),
    "get_by_test_id": (_TEXT_OR_PATTERN, {}),
    "locator": (_TEXT, _FILTERS),
    "frame_locator": (_TEXT, {}),
    "filter": ((), {**_FILTERS, "visible": (bool,)}),
    "nth": ((int,), {}),
    "and_": ((list,), {}),
    "or_": ((list,), {}),
}
"""The allowed methods: the types of the positional argument, none for a method without one, and of the keyword
arguments; a list means a nested locator."""
_PROPERTIES = frozenset(("first", "last", "content_frame"))
_FROM_PAGE = frozenset(("filter", "nth", "first", "last", "content_frame", "and_", "or_"))
"""Methods and properties of locators that pages lack."""
_FLAGS = {
    "re.IGNORECASE": re.IGNORECASE,
    "re.I": re.IGNORECASE,
    "re.MULTILINE": re.MULTILINE,
    "re.M": re.MULTILINE,
    "re.DOTALL": re.DOTALL,
    "re.S": re.DOTALL,
}
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
        tree = ast.parse(code, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        error = Unreadable(f'{code!r} is not a locator; write one such as get_by_role("button")')
        error.code = code
        raise error from None
    try:
        return _chain(tree)
    except Unreadable as error:
        error.code = code
        raise


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
    places = [
        (begin, end, new)
        for begin, end, text, is_selector in _texts_of(code)
        if (new := change(text, is_selector)) != text
    ]
    if not places:
        return code
    encoded = code.encode()
    for begin, end, text in sorted(places, reverse=True):
        encoded = encoded[:begin] + quote(text).encode() + encoded[end:]
    return encoded.decode()


@lru_cache(maxsize=2048)
def _texts_of(code: str) -> tuple[tuple[int, int, str, bool], ...]:
    """Return the texts in code, each with its place in bytes and whether it is a selector."""
    parse_locator(code)
    places: list[tuple[int, int, str, bool]] = []
    for node in ast.walk(ast.parse(code, mode="eval")):
        if not isinstance(node, ast.Call) or not isinstance(node.func, (ast.Attribute, ast.Name)):
            continue
        name = node.func.attr if isinstance(node.func, ast.Attribute) else node.func.id
        texts = [*(node.args if name not in ("get_by_role", "compile") else ())]
        texts += [k.value for k in node.keywords]
        is_selector = name in ("locator", "frame_locator")
        places += [
            (each.col_offset, each.end_col_offset or 0, each.value, is_selector)
            for each in texts
            if isinstance(each, ast.Constant) and isinstance(each.value, str)
        ]
    return tuple(places)


def describe_locator(code: str) -> str:
    """Return the words by which code locates an element, as `button "Save" in "Mug"`, or else the code."""
    try:
        links = parse_locator(code)
    except Unreadable:
        return code
    words = []
    for method, args, options in links:
        if method == "get_by_role":
            named = options.get("name")
            words.append(f"{args[0]} {_quoted(named)}" if named else args[0])
        elif method.startswith("get_by_") and method != "get_by_test_id":
            words.append(_quoted(args[0]))
    return " in ".join(reversed(words)) or code


def _quoted(text: str | re.Pattern[str]) -> str:
    return quote(text if isinstance(text, str) else text.pattern)


def named_code(prefix: str, role: str, name: str) -> str:
    """Return the code of a locator of the elements with a role and a name."""
    named = f", name={quote(name)}, exact=True" if name else ""
    return f"{prefix}get_by_role({quote(role)}{named})"


def quote(text: str) -> str:
    """Return a text in double quotes, as Playwright and most formatters write it."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\0", r"\x00")
    return '"' + escaped.replace("\n", "\\n").replace("\r", "\\r").replace("\t", "\\t") + '"'


def _chain(tree: ast.expr) -> list[Link]:
    """Return the links of a chain. Raises Unreadable."""
    links: list[Link] = []
    node = tree
    while not (isinstance(node, ast.Name) and node.id == "page"):
        call = node if isinstance(node, ast.Call) else None
        member = call.func if call else node
        if isinstance(member, ast.Attribute):
            links.append(_link(member.attr, call))
            node = member.value
        elif isinstance(member, ast.Name):
            links.append(_link(member.id, call))
            break
        else:
            raise _is_none(tree)
    links.reverse()
    if not links or links[0][0] in _FROM_PAGE:
        raise _is_none(tree)
    return links


def _is_none(tree: ast.expr) -> Unreadable:
    return Unreadable(
        f"{ast.unparse(tree)[:80]!r} is not a locator: begin it with a method of the page, as in"
        ' get_by_text("Cart")'
    )


def _link(name: str, call: ast.Call | None) -> Link:
    """Return a method with its arguments, or a property, which is not called. Raises Unreadable."""
    if call is None and name in _PROPERTIES:
        return name, [], {}
    if call is None or name not in _METHODS:
        known = ", ".join(sorted((*(f"{each}(…)" for each in _METHODS), *_PROPERTIES)))
        raise Unreadable(f"{name!r} is not used as a part of a locator: use {known}")
    first, options = _METHODS[name]
    args = [_literal(each) for each in call.args]
    given = {str(each.arg): _literal(each.value) for each in call.keywords}
    takes = [first] if first else []
    kinds = [*takes, *(options.get(each, ()) for each in given)]
    values = [*args, *given.values()]
    is_whole = len(args) == len(takes) and len(given) == len(call.keywords)
    if not is_whole or any(type(v) not in kind for v, kind in zip(values, kinds, strict=True)):
        named = ", ".join((*(["one argument"] if first else []), *(f"{each}=" for each in options)))
        raise Unreadable(f"{name} got the wrong arguments: it takes {named or 'none'}")
    return name, args, given


def _literal(node: ast.expr) -> Any:
    if isinstance(node, ast.Constant) and isinstance(node.value, (str, int, bool)):
        return node.value
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        inner = node.operand
        if isinstance(inner, ast.Constant) and type(inner.value) is int:
            return -inner.value
    if isinstance(node, ast.Call) and ast.unparse(node.func) == "re.compile":
        return _pattern(node)
    if isinstance(node, (ast.Call, ast.Attribute)):
        return _chain(node)
    raise Unreadable(
        f"{ast.unparse(node)[:80]!r} is no argument of a locator: use a text, a number or a locator"
    )


def _pattern(node: ast.Call) -> re.Pattern[str]:
    names = [ast.unparse(each) for each in node.args[1:]]
    texts = [each.value for each in node.args[:1] if isinstance(each, ast.Constant)]
    pattern = texts[0] if texts else None
    is_known = len(names) < 2 and {*names} <= _FLAGS.keys()
    if not isinstance(pattern, str) or node.keywords or not is_known:
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
        return re.compile(pattern, _FLAGS[names[0]] if names else 0)
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
