"""The lines of an outline, and what gives way where they are too many."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(slots=True)
class Line:
    """One line of the outline; `top` and `bottom` are y in the viewport, None if unknown."""

    text: str
    depth: int = 0
    ids: tuple[str, ...] = ()
    top: float | None = None
    bottom: float | None = None
    heading: bool = False


def cap(lines: list[Line], limit: int, height: float, part: Callable[[list[Line]], str]) -> str:
    """The lines as text of at most about `limit` characters.

    What lies farthest outside the viewport (`height` pixels high) gives way first; each gap says
    what it holds and the part under which `look` shows it.
    """
    sizes = [len(line.text) + min(line.depth, 12) + 1 for line in lines]
    kept = [True] * len(lines)
    if sum(sizes) > limit:
        known = 0.0
        distance = []
        for line in lines:
            if line.top is not None and line.bottom is not None:
                known = max(-line.bottom, line.top - height, 0.0)
            distance.append(known)
        room = limit - 1_500
        for i in sorted(range(len(lines)), key=lambda i: (distance[i], i)):
            room -= sizes[i]
            kept[i] = room > 0
    out: list[str] = []
    i = 0
    while i < len(lines):
        if not kept[i]:
            end = i
            while end < len(lines) and not kept[end]:
                end += 1
            out.append(_gap(lines[i:end], height, part(lines[i:end])))
            i = end
            continue
        line = lines[i]
        out.append(" " * min(line.depth, 12) + line.text)
        i += 1
    return "\n".join(out)


def _gap(lines: list[Line], height: float, name: str) -> str:
    kinds = Counter(i.rsplit("-", 1)[0] for line in lines for i in line.ids)
    held = ", ".join(f"{n} {kind}{'s' if n > 1 else ''}" for kind, n in kinds.most_common(5))
    titles = [line.text.lstrip("# ")[:40] for line in lines if line.heading][:5]
    said = f"; headings: {'; '.join(titles)}" if titles else ""
    sides = {_side(line, height) for line in lines} - {None}
    where = f" {sides.pop()} the viewport" if len(sides) == 1 and sides != {""} else ""
    return (
        f"({len(lines)} more lines{where}: {held or 'text only'}{said}. Scroll, or look at {name}.)"
    )


def _side(line: Line, height: float) -> str | None:
    if line.top is None or line.bottom is None:
        return None
    return "above" if line.bottom <= 0 else "below" if line.top >= height else ""


def lasting(outline: str) -> str:
    """An outline without the focus and the place that was scrolled to, which are no result."""
    lines = outline.replace(" focused", "").splitlines()
    return "\n".join(
        re.sub(r" [↓↑←→](?=\])", "", line) for line in lines if "(scrolled to" not in line
    )
