"""Pieces of an outline: what one element of the page comes to, before it is put on lines."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from pytest_webtask.page.lines import Line

_BARE = re.compile(r"\[[a-z]+-\d+( at -?\d+,-?\d+)?( [↓↑←→])?\]")
_BARE_AT_MOST = 30
OPEN, SHUT = "\ue200", "\ue201"
"""Around the id of what can be read, until the outline is done: no text of a page has these."""
GLYPHS = re.compile("[-]")
"""Characters of icon fonts, which look like nothing to a reader."""
_MARK = re.compile(f"{OPEN}[^{SHUT}]*{SHUT}")


@dataclass(slots=True)
class Piece:
    """A rendered node: one inline text, or several lines.

    `name` is that of an operable element; a `block` does not share its line with siblings, and
    what stands `apart` is a text with an element of its own.
    """

    inline: str | None = None
    name: str = ""
    block: bool = False
    apart: bool = False
    lines: list[Line] = field(default_factory=list)
    ids: tuple[str, ...] = ()

    @property
    def cited(self) -> bool:
        """Whether the text has an id, or a part of it has."""
        return OPEN in (self.inline or "")


def joined(pieces: Sequence[Piece]) -> str:
    """Pieces on one line; texts of different elements are kept apart.

    So is what follows a text with an id, unless it has one itself: the text ends there.
    """
    text = ""
    before = None
    for piece in pieces:
        if text and before is not None:
            ends = (before.inline or "").startswith(OPEN) and not (piece.inline or "").startswith(
                (OPEN, "[")
            )
            text += " · " if ends or (before.apart and piece.apart) else " "
        text += piece.inline or ""
        before = piece
    return text


def fold(pieces: list[Piece]) -> list[Piece]:
    """Long runs of elements that have an id and nothing else to say, shortened."""
    folded: list[Piece] = []
    run: list[Piece] = []
    for piece in [*pieces, None]:
        if piece is not None and _BARE.fullmatch(piece.inline or ""):
            run.append(piece)
            continue
        if len(run) > _BARE_AT_MOST:
            between = f"{run[0].inline} … {run[-1].inline} ({len(run)} elements without a name)"
            run = [Piece(inline=between, ids=tuple(i for p in run for i in p.ids))]
        folded += run
        run = []
        if piece is not None:
            folded.append(piece)
    return folded


def led(mark: str, text: str) -> str:
    """The mark before the text, behind what makes it a heading, an item or a row."""
    lead = re.match(r"(?:#+ |- |\| )?", text)
    at = lead.end() if lead else 0
    return text[:at] + mark + text[at:]


def plain(text: str) -> str:
    """The text without the ids of what can be read."""
    return _MARK.sub("", text)


def glued(text: str) -> str:
    """The text without white space and marks, to compare it."""
    text = plain(text)
    return "".join(text.replace(" / ", "").split())


def says(name: str, text: str) -> bool:
    """Whether the name says all that the text does, but for ornaments."""
    return _letters(plain(text).removeprefix("(image ")) in _letters(name)


def _letters(text: str) -> str:
    return "".join(c for c in text if c.isalnum())
