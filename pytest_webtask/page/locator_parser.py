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
_OPTIONS: dict[str, dict[str, tuple[type, ...]]] = {
    "get_by_role": {
        "name": _TEXT_OR_PATTERN,
        "exact": (bool,),
        "checked": (bool,),
        "disabled": (bool,),
        "expanded": (bool,),
        "include_hidden": (bool,),
        "level": (int,),
        "pressed": (bool,),
        "selected": (bool,),
    },
    "get_by_text": {"exact": (bool,)},
    "get_by_label": {"exact": (bool,)},
    "get_by_placeholder": {"exact": (bool,)},
    "get_by_alt_text": {"exact": (bool,)},
    "get_by_title": {"exact": (bool,)},
    "get_by_test_id": {},
    "locator": {
        "has_text": _TEXT_OR_PATTERN,
        "has_not_text": _TEXT_OR_PATTERN,
        "has": (list,),
        "has_not": (list,),
    },
    "frame_locator": {},
    "filter": {
        "has_text": _TEXT_OR_PATTERN,
        "has_not_text": _TEXT_OR_PATTERN,
        "has": (list,),
        "has_not": (list,),
        "visible": (bool,),
    },
    "nth": {},
    "and_": {},
    "or_": {},
}
"""The allowed methods with their keyword arguments by type; a list means a nested locator."""
_FIRST: dict[str, tuple[type, ...]] = {
    "get_by_role": _TEXT,
    "get_by_text": _TEXT_OR_PATTERN,
    "get_by_label": _TEXT_OR_PATTERN,
    "get_by_placeholder": _TEXT_OR_PATTERN,
    "get_by_alt_text": _TEXT_OR_PATTERN,
    "get_by_title": _TEXT_OR_PATTERN,
    "get_by_test_id": _TEXT_OR_PATTERN,
    "locator": _TEXT,
    "frame_locator": _TEXT,
    "nth": (int,),
    "and_": (list,),
    "or_": (list,),
}
"""The type of the positional argument, for methods that take one."""
_PROPERTIES = frozenset(("first", "last", "content_frame"))
_FROM_PAGE = frozenset(("filter", "nth", "first", "last", "content_frame", "and_", "or_"))
"""Methods and properties of locators that pages lack."""
_FLAGS = {
    "IGNORECASE": re.IGNORECASE,
    "I": re.IGNORECASE,
    "MULTILINE": re.MULTILINE,
    "M": re.MULTILINE,
    "DOTALL": re.DOTALL,
    "S": re.DOTALL,
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
    """Return the words by which code locates an element, such as `button "Save" in row "Mug"`.

    Selectors and test ids do not count as words. Return "" if nothing is left or the code is
    unreadable.
    """
    try:
        return _in_words(parse_locator(code))
    except Unreadable:
        return ""


def _in_words(links: list[Link]) -> str:
    parts: list[str] = []
    for name, args, options in links:
        if name in ("filter", "locator"):
            inner = options.get("has_text") or options.get("has")
            text = _in_words(inner) if isinstance(inner, list) else inner and _quoted(inner)
            if text:
                parts[-1:] = [f"{parts[-1] if parts else 'element'} with {text}"]
        elif name in ("and_", "or_", "nth", *_PROPERTIES, "frame_locator", "get_by_test_id"):
            continue
        elif name == "get_by_role":
            named = options.get("name")
            parts.append(f"{args[0]} {_quoted(named)}" if named else args[0])
        else:
            parts.append(_quoted(args[0]))
    return " in ".join(reversed(parts))


def _quoted(text: str | re.Pattern[str]) -> str:
    return quote(text if isinstance(text, str) else text.pattern)


def named_code(prefix: str, role: str, name: str) -> str:
    """Return the code of a locator of the elements with a role and a name."""
    named = f", name={quote(name)}, exact=True" if name else ""
    return f"{prefix}get_by_role({quote(role)}{named})"


def quote(text: str) -> str:
    """Return a text in double quotes, as Playwright and most formatters write it."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + escaped.replace("\n", "\\n").replace("\r", "\\r").replace("\t", "\\t") + '"'


def _chain(tree: ast.expr) -> list[Link]:
    links: list[Link] = []
    node: ast.expr | None = tree
    while node is not None:
        args: list[Any] = []
        options: dict[str, Any] = {}
        called = isinstance(node, ast.Call)
        if isinstance(node, ast.Call):
            args = [_literal(a) for a in node.args]
            if any(k.arg is None for k in node.keywords):
                raise Unreadable("** is not allowed in a locator: write out its arguments")
            options = {str(k.arg): _literal(k.value) for k in node.keywords}
            if len(options) < len(node.keywords):
                raise Unreadable("an argument is given twice: remove one of the two")
            node = node.func
        if isinstance(node, ast.Attribute):
            name, inner = node.attr, node.value
        elif isinstance(node, ast.Name):
            name, inner = node.id, None
        else:
            raise Unreadable(
                f'{ast.unparse(tree)[:80]!r} is not a locator; write one such as get_by_text("Cart")'
            )
        if inner is None and name == "page" and not called:
            break
        _check(name, args, options, called=called)
        links.append((name, args, options))
        node = inner
    links.reverse()
    if not links or links[0][0] in _FROM_PAGE:
        raise Unreadable(
            f"{ast.unparse(tree)[:80]!r} is not a locator: begin it with a method of the page, such as get_by_role"
        )
    return links


def _check(name: str, args: list[Any], options: dict[str, Any], *, called: bool) -> None:
    if name in _PROPERTIES:
        if called:
            raise Unreadable(f"{name} is a property: remove the parentheses")
        return
    if name not in _OPTIONS:
        known = ", ".join(sorted({*_OPTIONS, *_PROPERTIES}))
        raise Unreadable(f"unknown method {name!r} of a locator: use one of {known}")
    if not called:
        raise Unreadable(f"{name} is a method: add parentheses")
    first = _FIRST.get(name)
    if len(args) != (first is not None):
        raise Unreadable(
            f"{name} got the wrong arguments: pass {'one positional argument' if first else 'keywords only'}"
        )
    for value, kinds, what in [
        *((v, first or (), "its argument") for v in args),
        *((v, _OPTIONS[name].get(k, ()), f"{k}=") for k, v in options.items()),
    ]:
        # In Python True is an int, too.
        if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
            raise Unreadable(f"{name}: {what} {value!r:.60} is not allowed: remove or correct it")


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
    flags = 0
    unsupported = Unreadable(
        f"{ast.unparse(node)[:80]!r} is not a supported pattern: write one text, and at most one flag, as in"
        ' re.compile(r"…", re.I)'
    )
    if len(node.args) == 2 and isinstance(node.args[1], ast.Attribute):
        name = node.args[1].attr
        if ast.unparse(node.args[1]) != f"re.{name}" or name not in _FLAGS:
            raise Unreadable(
                f"{ast.unparse(node)[:80]!r} has an unknown flag: use one of {', '.join(_FLAGS)}"
            )
        flags = _FLAGS[name]
    elif len(node.args) != 1:
        raise unsupported
    text = node.args[0]
    if node.keywords or not (isinstance(text, ast.Constant) and isinstance(text.value, str)):
        raise unsupported
    if _REPEATED_GROUP.search(text.value):
        raise Unreadable(
            f"{text.value!r} repeats a group, which can keep a browser busy forever: write it without"
            " *, + or { after a parenthesis"
        )
    try:
        return re.compile(text.value, flags)
    except re.error as error:
        raise Unreadable(
            f"{text.value!r} is not a regular expression: {error}; correct it"
        ) from None


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
