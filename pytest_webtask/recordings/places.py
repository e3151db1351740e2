"""Where a sentence stands: the function whose file its recording belongs to, and which run of it."""

from __future__ import annotations

import ast
import re
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from inspect import CO_GENERATOR
from pathlib import Path
from types import CodeType, FrameType

__all__ = ["Place", "Runs", "here"]

_PACKAGE = __name__.partition(".")[0]
_INSTALLED = frozenset(("site-packages", "dist-packages"))
_NAMELESS = re.compile(r"(?:\.<locals>)?\.?<(?!locals)\w+>.*$")


@dataclass(frozen=True)
class Place:
    """A function, named as Python does but without `<locals>`, and the file of its module."""

    module: Path
    function: str


def here(root: Path) -> tuple[Place, FrameType] | None:
    """The innermost function of the project that is at work, and its frame; None where there is none.

    A lambda or comprehension belongs to the function that it stands in.
    """
    found: Place | None = None
    for frame in _stack():
        code = frame.f_code
        module = Path(code.co_filename)
        if not _is_own(module, root):
            continue
        found = found or Place(module, _function(code))
        if not code.co_name.startswith("<") or code.co_name == "<module>":
            return found, frame
    return None


@dataclass
class Runs:
    """Counts how often a sentence came up in one run of a function."""

    _frames: dict[FrameType, Counter[object]] = field(default_factory=dict)

    def count(self, frame: FrameType, key: object) -> int:
        """Which time it is, from 1."""
        running = set(_stack())
        for old in list(self._frames):
            # A frame that is kept would keep all that its function knew.
            if old not in running and not old.f_code.co_flags & CO_GENERATOR:
                del self._frames[old]
        counter = self._frames.setdefault(frame, Counter())
        counter[key] += 1
        return counter[key]

    def clear(self) -> None:
        """Forget all runs, at the end of a test."""
        self._frames.clear()


def _stack() -> Iterator[FrameType]:
    """The frames at work, from the inside, and behind a greenlet those of who has switched to it."""
    frame: FrameType | None = sys._getframe(1)
    # Nobody runs in one before somebody has imported it.
    greenlets = sys.modules.get("greenlet")
    inner = greenlets.getcurrent() if greenlets else None
    while True:
        while frame is not None:
            name = str(frame.f_globals.get("__name__", ""))
            if name.partition(".")[0] != _PACKAGE:
                yield frame
            frame = frame.f_back
        inner = inner and inner.parent
        if inner is None:
            return
        frame = inner.gr_frame


def _is_own(module: Path, root: Path) -> bool:
    return module.is_relative_to(root) and not _INSTALLED & set(module.parts)


def _function(code: CodeType) -> str:
    # Python 3.10 has no co_qualname.
    name = getattr(code, "co_qualname", None) or _qualified(code)
    return _NAMELESS.sub("", name).replace(".<locals>", "") or "_module"


def _qualified(code: CodeType) -> str:
    """The qualified name of the function in its source, out of the line in which it begins."""
    try:
        tree = ast.parse(Path(code.co_filename).read_text(encoding="utf-8"))
    except (OSError, SyntaxError, UnicodeDecodeError):
        return code.co_name
    best: tuple[int, str] = (0, code.co_name)

    def inside(node: ast.AST, path: tuple[str, ...]) -> None:
        nonlocal best
        for child in ast.iter_child_nodes(node):
            names = path
            if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                names = (*path, child.name)
                first = min([child.lineno, *(d.lineno for d in child.decorator_list)])
                if first <= code.co_firstlineno <= (child.end_lineno or 0) and len(names) > best[0]:
                    best = (len(names), ".".join(names))
            inside(child, names)

    inside(tree, ())
    return best[1]
