"""Where an element is and which one it is: its address, the comparison with a recorded one, and likeness.

An element is described by the engine's `identity`: a mapping that is called `found` here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from typing import Any, NamedTuple

from pytest_webtask.data.text import is_called, says, uncounted
from pytest_webtask.page.outline import PLAIN
from pytest_webtask.types.page import ITEM_KINDS, Container, Remembered, Target

TEST_IDS = ("data-testid", "data-test", "data-test-id", "data-cy", "data-qa")
OWN = ("id", "name", *TEST_IDS)
"""Attributes by which an author names an element."""
STRUCK = "struck through"
"""The state of a text with a line through it, as `facts.js` reports it."""
NOTED = ("dialog", "place")
"""Marks that a recording keeps only as far as they are pinned."""
Found = Mapping[str, Any]
_FIELDS = frozenset(("input", "textarea", "select"))
_MOST = 4
"""The most titles of an item that are remembered."""


def is_same_text(one: str, two: str) -> bool:
    """Return whether two texts are equal, ignoring white space and capitals."""
    return _letters(one) == _letters(two)


def _letters(text: str) -> str:
    return "".join(text.split()).casefold()


def without_numbers(text: str) -> str:
    """Return a text with "#" in place of each word that has a digit."""
    return re.sub(r"\w*\d\w*", "#", text)


def _role(role: str) -> str:
    return "" if role in PLAIN else role


# Addresses


class Title(NamedTuple):
    """A text that names an item: how, and the head of its column; `itself` where the element is the item."""

    kind: str
    how: str
    text: str
    column: str
    own: bool
    itself: bool

    @property
    def container(self) -> Container:
        """The item by this title."""
        return Container(kind=self.kind or "item", name=self.text, column=self.column)


def titles_in(found: Found) -> Iterator[Title]:
    """Yield the titles of the items that an element is in, the best of the nearest first."""
    for item in found["items"]:
        for how, text, column, own in item["titles"]:
            yield Title(item["kind"], how, text, column, own, item["itself"])


def best_titles(found: Found) -> list[Title]:
    """Return the best title of each item that an element is in, the nearest first, none that is its own."""
    firsts = [title for item in found["items"] for title in [*titles_in({"items": [item]})][:1]]
    return [each for each in firsts if not (each.own or each.itself)]


def containers_of(found: Found) -> tuple[Container, ...]:
    """Return what an element stands in but for its items, which have titles."""
    own = [Container(kind=kind, name=found[kind]) for kind in ("label", "column")]
    nearest = [item for item in found["items"] if not item["itself"]][:1]
    items = [
        each.container.model_copy(update={"kind": f"{each.container.kind} with"})
        for each in titles_in({"items": nearest})
        if not each.own
    ]
    around = found["containers"]
    parts = [Container(kind=kind, name=name) for kind, name, _ in around if kind not in ITEM_KINDS]
    return tuple(each for each in (*own, *items[:_MOST], *parts) if each.name)


def remembered(found: Found, *, named: bool = False) -> Remembered:
    """Return all that is known of an element, its role and its name only if `named`."""
    dialogs = [text for _, _, text in found["containers"] if text]
    marks = {**found["marks"], "dialog": "".join(dialogs[:1]), "place": found["place"]}
    known = Remembered(
        containers=containers_of(found),
        tag=found["tag"],
        type=found["type"],
        marks={name: text for name, text in marks.items() if text},
        near=tuple(found["near"]),
    )
    own = {"role": found["role"], "name": found["name"]}
    return known.model_copy(update=own) if named else known


# Agreement


def disagreement(target: Target, found: Found, *, is_secret: bool = False) -> str:
    """Return in which part that is pinned an element differs from a recorded one, "" if it agrees.

    A secret is only typed into the same kind of field.
    """
    return next(_differences(target, found, is_secret=is_secret), "")


def _differences(target: Target, found: Found, *, is_secret: bool) -> Iterator[str]:
    """Yield how an element differs from what is pinned, and from what makes it another one."""
    pinned, known = target.pinned, target.remembered
    if pinned.role and _role(pinned.role) != _role(found["role"]):
        yield f"its role is now {found['role']!r}, no longer {pinned.role!r}"
    if pinned.name is not None and not has_name(target, found):
        yield f"its name is now {found['name']!r}, no longer {pinned.name!r}"
    yield from filter(None, (outside(each, found) for each in pinned.containers))
    if known is None:
        return
    if pinned.role and _differ(known, found, "icon"):
        yield "another icon is drawn in it now"
    yield from _differences_of_marks(known, found)
    if is_secret and known.type != found["type"]:
        yield f"its type is now {found['type']!r}, no longer {known.type!r}"


def _differences_of_marks(known: Remembered, found: Found) -> Iterator[str]:
    """Yield how an element is marked otherwise than the recorded one, where that makes it another one."""
    column = known.named("column")
    if _differ(known, found, "group") and _differ(known, found, "name"):
        yield f"it is no longer one of {known.marks['group']!r}"
    if "top" in known.marks.get("rank", "") and not _has_rank(known, found):
        yield "another heading is the main one now"
    is_elsewhere = bool(column) and column != found["column"]
    if is_elsewhere and any(column in item["cells"] for item in found["items"]):
        yield f"its column is now {found['column']!r}, no longer {column!r}"
    if "facts" in found and ("struck" in known.marks) != (STRUCK in found["facts"]["states"]):
        yield f"it was {STRUCK}, or is now"


def _has_rank(known: Remembered, found: Found) -> bool:
    """Return whether a heading has the level of the recorded one, or is the main one as well; others have none."""
    now = found["marks"].get("rank", "").split()
    return not now or not {*known.marks.get("rank", "").split()}.isdisjoint(now)


def _differ(known: Remembered, found: Found, mark: str) -> bool:
    return mark in known.marks and known.marks[mark] != found["marks"].get(mark)


def has_name(target: Target, found: Found) -> bool:
    """Return whether an element has its recorded name, or would if no attribute gave it another one since.

    Signs and a count around it may differ. A field without a label that its author calls the same may
    have further words in its name, and what had no name may get one.
    """
    name, now = target.pinned.name or "", found["name"]
    if any(is_same_text(name, each) or is_called(name, each) for each in (now, *found["names"])):
        return True
    if "#" in name and is_same_text(name, without_numbers(now)):
        return True
    is_longer = f"{now} ".casefold().startswith(f"{name} ".casefold()) and found["tag"] in _FIELDS
    return (is_longer or not name) and is_marked(target, found)


def has_this_name(target: Target, found: Found) -> bool:
    """Return whether an element has exactly its recorded name, if one is pinned."""
    return target.pinned.name is None or is_same_text(target.pinned.name, found["name"])


def is_marked(target: Target, found: Found) -> bool:
    """Return whether an element has the same names by its author as the recorded one, which had some."""
    own = {name: value for name, value in target.known.marks.items() if name in OWN}
    return bool(own) and own.items() <= found["marks"].items()


def outside(each: Container, found: Found) -> str:
    """Return why an element is not in a container, "" if it is."""
    if each.place and not _in_place(each.place, found["place"]):
        return f"it is now {found['place'] or 'in no list'}, no longer {each.place} in its list"
    if not each.name or _is_within(each, found):
        return ""
    return f"it is no longer in {each}"


def _is_within(each: Container, found: Found) -> bool:
    items = found["items"]
    names = [found["label"], *(text for _, *texts in found["containers"] for text in texts)]
    if each.kind in ITEM_KINDS:
        item = next((item for item in items if _is_one_of(each.name, item["says"])), None)
        if item is None:
            # The only item of a part is known by the part.
            return not items and _is_one_of(each.name, (*names, *found["around"]))
        cell = item["cells"].get(each.column, each.name)
        # "Ann" is no part of "Joanna".
        return is_same_text(each.name, cell) or says(cell, each.name, anycase=True)
    cells = [item["cells"][each.column] for item in items if each.column in item["cells"]]
    if each.kind == "column":
        names = [found["column"]]
    elif each.kind.endswith(" with") and cells:
        names = cells[:1]
    else:
        # A part may have become an item, and the other way round.
        names += [text for item in items for text in item["says"]]
    return any(is_in(each, name) for name in names)


def _is_one_of(name: str, texts: Iterable[str]) -> bool:
    return any(is_same_text(name, text) for text in texts)


def is_in(each: Container, name: str) -> bool:
    """Return whether a container is one of a name: with another count at most, or as one "with" a text."""
    if each.kind.endswith(" with"):
        return says(name, each.name, anycase=True)
    return is_called(uncounted(each.name), name)


def _in_place(was: str, now: str) -> bool:
    """Return whether two places, such as "2 of 5", are the same, or both the last of several."""
    (one, of_one), (two, of_two) = (place.split(" of ") for place in (was, now or "0 of 1"))
    return two == of_two if one == of_one != "1" else one == two


# Likeness

_TELLING = (*OWN, "icon", "group", "frame")
"""Marks that few elements have."""
CLEAR = 0.2
"""The margin by which an element must be more alike than any other."""


def likeness(target: Target, found: Found) -> float:
    """Return the share of what is remembered of an element that another one has, from 0.0 to 1.0."""
    known, marks = target.remembered, found["marks"]
    if known is None:
        return 1.0
    near = set(map(without_numbers, found["near"]))
    compared: list[tuple[float, bool]] = [
        (0.5, known.tag == found["tag"]),
        (0.5, known.type == found["type"]),
        *((2, known.marks[mark] == marks.get(mark)) for mark in _TELLING if mark in known.marks),
        *((1, known.marks.get(mark) == marks.get(mark)) for mark in ("in", "href")),
        *((1, not outside(each, found)) for each in known.containers),
        *((1, without_numbers(text) in near) for text in known.near),
    ]
    if target.pinned.name is not None:
        compared.append((1, has_this_name(target, found)))
    if known.role:
        compared.append((1, _role(known.role) == _role(found["role"])))
    if known.name:
        compared.append((3, is_same_text(known.name, found["name"])))
    if "rank" in known.marks:
        compared.append((3, "rank" in marks and _has_rank(known, found)))
    return sum(weight * agrees for weight, agrees in compared) / sum(w for w, _ in compared)


def closest(
    target: Target, candidates: Sequence[dict[str, Any]]
) -> tuple[dict[str, Any] | None, str]:
    """Return the candidate that is clearly the most alike, the only one there is; None and why if none is."""
    ranked = sorted(candidates, key=lambda each: likeness(target, each), reverse=True)
    # Two links to the same address are one choice.
    choices = {each["leads"] or (each["document"], each["number"]) for each in ranked}
    if len(choices) > 1 and likeness(target, ranked[0]) - likeness(target, ranked[1]) < CLEAR:
        return None, f"{len(candidates)} elements fit"
    return next(iter(ranked), None), ""


def resemblance(one: str, two: str) -> float:
    """Return the likeness of two texts, ignoring white space and capitals, from 0.0 to 1.0."""
    return SequenceMatcher(None, _letters(one), _letters(two)).ratio()


def similarity(target: Target, found: Found, text: str = "") -> float:
    """Return how alike an element is to a recorded one that may have been renamed, from 0.0 to 1.0.

    It is a weighted mean, as in Similo (Nass et al., "Similarity-based Web Element Localization for
    Robust Test Automation", TOSEM 2023). An element of another role or item has 0.0. `text` is a text
    that the element shows.
    """
    name, now = target.pinned.name, found["name"]
    unnamed = target.pinning(name=None)
    if disagreement(unnamed, found):
        return 0.0
    own = likeness(unnamed, found)
    if name is None:
        if not text:
            return own
        return (own + resemblance(text, now) * (_letters(text) in _letters(now))) / 2
    alike = resemblance(name, now)
    # A renamed element keeps its neighbors; beside others, this may be a new one.
    near = {*map(without_numbers, target.known.near)}
    is_beside = near <= {*map(without_numbers, found["near"])}
    is_kept = alike == 1.0 or is_beside or is_marked(target, found)
    # A control of another name does something else.
    is_other = alike < 0.5 or _has_other_words(name, now)
    return (2 * own + alike) / 3 if is_kept and not is_other else 0.0


def _has_other_words(one: str, two: str) -> bool:
    """Return whether words of a name have given way to unlike ones: "New project" and "New client".

    Words that begin otherwise are unlike, too, such as "Publish" and "Unpublish", and so is a name with
    more words before its first one: "Agree" and "Don't agree". Another number is another thing.
    """
    old, new = one.casefold().split(), two.casefold().split()
    for tag, a, b, c, d in SequenceMatcher(None, old, new).get_opcodes():
        was, now = "".join(old[a:b]), "".join(new[c:d])
        if tag == "insert" and c == 0:
            return True
        is_number = re.findall(r"\d+", was) != re.findall(r"\d+", now)
        is_unlike = is_number or was[:1] != now[:1] or resemblance(was, now) < 0.5
        if tag == "replace" and is_unlike:
            return True
    return False


def plain_name(name: str, sentence: str, *, in_item: bool) -> str:
    """Return a name without what changes by itself, unless the sentence has it.

    That is a count at its end and, in an item that is pinned, numbers.
    """
    if says(sentence, name, anycase=True):
        return name
    plain = uncounted(name)
    numbers = re.findall(r"\S*\d\S*", plain)
    is_asked = any(_letters(number) in _letters(sentence) for number in numbers)
    return without_numbers(plain) if in_item and not is_asked else plain
