"""The identity of an element: a table of what must agree, and how alike two elements are."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

from pytest_webtask.checks.text import is_called, says, uncounted
from pytest_webtask.page.outline import PLAIN
from pytest_webtask.types.page import Signature

TEST_IDS = ("data-testid", "data-test", "data-test-id", "data-cy", "data-qa")
OWN = ("id", "name", *TEST_IDS)
"""Attributes by which an author names an element."""
STRUCK = "struck through"
"""The state of a text with a line through it, as `facts.js` reports it."""
BETWEEN = " | "
"""The separator of the parts of an attribute that is a list."""
_Found = Mapping[str, Any]
"""The engine's description of an element."""


def is_same_text(one: str, two: str) -> bool:
    """Return whether two texts are equal, ignoring white space and capitals."""
    return _letters(one) == _letters(two)


def _letters(text: str) -> str:
    return "".join(text.split()).casefold()


def _without_numbers(text: str) -> str:
    return _letters(re.sub(r"\w*\d\w*", "0", text))


def _but_numbers(was: str, now: str) -> bool:
    return _without_numbers(was) == _without_numbers(now)


def _in_place(was: str, now: str) -> bool:
    """Return whether two places, such as "2 of 5", are the same, or both the last of several."""
    (one, of_one), (two, of_two) = (place.split(" of ") for place in (was, now or "0 of 1"))
    return two == of_two if one == of_one != "1" else one == two


@dataclass(frozen=True)
class _Trait:
    """One thing by which an element is known.

    `was` returns the recorded texts, none if it was not recorded, and `now` those of an element. Each of
    the former must fit one of the latter, or else there is the `problem`. `around` is True for what may
    change around an element that its author's mark alone finds.
    """

    was: Callable[[Signature], Sequence[str | None]]
    now: Callable[[Signature, _Found], Sequence[str]]
    problem: str
    fits: Callable[[str, str], bool] = is_same_text
    around: bool = False


def _one(name: str) -> Callable[[Signature], Sequence[str]]:
    return lambda recorded: [recorded.attributes.get(name, "")]


def _now(name: str) -> Callable[[Signature, _Found], Sequence[str]]:
    return lambda _, found: [found["attributes"].get(name, "")]


def _each(name: str) -> Callable[[Signature], Sequence[str]]:
    return lambda recorded: recorded.attributes.get(name, "").split(BETWEEN)


def _headings(e: _Found) -> list[str]:
    return [e["under"], e["part"], *e["over"]]


def _titles(facts: _Found) -> list[str]:
    return [each.get("name", "") for each in facts.get("within") or ()]


def _headed(facts: _Found) -> list[str]:
    return [facts.get("heading") or "", *_titles(facts)]


def _beside(facts: _Found) -> list[str]:
    return [*(facts.get("headings") or ()), *(facts.get("beside") or ()), *_headed(facts)]


def _struck(is_struck: bool) -> list[str]:
    return [STRUCK if is_struck else f"not {STRUCK}"]


def _rank(recorded: Signature, found: _Found) -> str:
    now = found["attributes"]
    return now.get("rank", "") if _region(now) == _region(recorded.attributes) else ""


def _is_rank(was: str, now: str) -> bool:
    """Return whether a heading is still the top one of its part, if it was, or of the same level."""
    return "top" not in was or bool({*was.split()} & {*now.split()})


def _says(was: str, now: str) -> bool:
    return says(now, was, anycase=True)


# The only item of a part is known by the part's heading: evidence may get other items beside it, while a
# control of the part must not be taken for that of an item. The name of one row may be in another row as
# well, such as that of a manager.
_TRAITS = (
    _Trait(
        lambda r: [r.key],
        lambda _, e: [*e["says"], *(_headed(e["facts"]) if e.get("facts") else ())],
        "it is no longer in {was!r}",
    ),
    _Trait(_each("item"), lambda _, e: e["says"], "its item no longer says {was!r}", _says),
    _Trait(
        lambda r: [r.key],
        lambda r, e: [e["cells"].get(r.attributes.get("by", ""), r.key) or ""],
        "the {by!r} of its row is now {now!r}, no longer {was!r}",
        lambda was, now: _letters(was) in _letters(now),
    ),
    _Trait(
        _one("shape"),
        lambda _, e: [e["name"]],
        "its name is now {now!r}, no longer {was!r}",
        _but_numbers,
    ),
    _Trait(_one("icon"), _now("icon"), "another icon is drawn in it now", str.__eq__, around=True),
    _Trait(
        _one("group"),
        lambda r, e: [
            e["attributes"].get("group", ""),
            r.attributes["group"] * (r.attributes.get("name") == e["attributes"].get("name")),
        ],
        "it is now one of {now!r}, no longer one of {was!r}",
    ),
    _Trait(
        _one("under"),
        lambda _, e: [e["under"]],
        "it is now under {now!r}, no longer under {was!r}",
        around=True,
    ),
    _Trait(
        _each("names"),
        lambda _, e: [e["dialog"], *_headings(e)],
        "the dialog around it no longer names {was!r}",
        _says,
    ),
    _Trait(
        _one("place"),
        lambda _, e: [e["place"]],
        "it is now {now} in its list, no longer {was}",
        _in_place,
    ),
    _Trait(
        _one("rank"),
        lambda r, e: [_rank(r, e)],
        "another heading is the main one now",
        _is_rank,
    ),
)
_SURROUNDINGS = (
    _Trait(
        lambda r: [r.column],
        # A head may be renamed, but not be that of another column of a control.
        lambda r, e: [
            (e.get("facts") or e).get("column") or "",
            (r.column or "") * bool(r.name and "cells" in e and r.column not in e["cells"]),
        ],
        "its column is now {now!r}, no longer {was!r}",
    ),
    _Trait(
        lambda r: r.around,
        lambda _, e: _beside(e["facts"]) if e.get("facts") else _headings(e),
        "{was!r} is no longer next to or around it",
        _says,
    ),
)
# For a set, the facts are those of a member.
_OF_EVIDENCE = (
    _Trait(
        lambda r: _struck("struck" in r.attributes) * (r.type != "set"),
        lambda _, e: _struck(STRUCK in e["facts"]["states"]),
        "it is now {now}",
    ),
    _Trait(
        lambda r: [r.label],
        lambda _, e: [e["facts"].get("label") or ""],
        "its label is now {now!r}, no longer {was!r}",
        around=True,
    ),
    # A heading within an item is the name of that item.
    _Trait(
        lambda r: [r.heading],
        lambda _, e: [*_headed(e["facts"]), *(e["facts"].get("headings") or ())],
        "its heading is now {now!r}, no longer {was!r}",
        _but_numbers,
        around=True,
    ),
)


def _problem(
    traits: Sequence[_Trait], recorded: Signature, found: _Found, *, marked: bool = False
) -> str:
    """Return the problem of the first trait in which an element differs, "" if there is none."""
    for trait in traits:
        if trait.around and marked:
            continue
        for was in filter(None, trait.was(recorded)):
            now = trait.now(recorded, found)
            if not any(trait.fits(was, text) for text in now):
                by = recorded.attributes.get("by", "")
                return trait.problem.format(was=was, now=next(iter(now), ""), by=by)
    return ""


def differs(
    recorded: Signature | None,
    actual: _Found,
    *,
    loose: bool = False,
    is_secret: bool = False,
    badge: bool = False,
    marked: bool = False,
) -> str:
    """Return how an element differs from its recorded identity, "" if it matches.

    Its identity is its role, name, item and column, and for a secret the kind of field. `loose` is
    True for a locator that is positional or matches part of a text: its neighbors must match, too. `badge`
    is True for an element that has a badge, `marked` for the only one with its test id or id.
    """
    if recorded is None:
        return ""
    if _role(recorded.role) != _role(actual["role"]):
        return f"its role is now {actual['role']!r}, no longer {recorded.role!r}"
    name, now = recorded.name, actual["name"]
    marked = marked or is_marked(recorded, actual, ("id",))
    is_field = recorded.tag in _FIELDS and recorded.type not in ("checkbox", "radio")
    was = (name or "").casefold().split()
    is_reworded = marked and (not was or (is_field and now.casefold().split()[: len(was)] == was))
    if name is not None and not (is_reworded or has_name(recorded, actual, badge=badge)):
        return f"its name is now {now!r}, no longer {name!r}"
    if is_secret and recorded.type != actual["type"]:
        return f"its type is now {actual['type']!r}, no longer {recorded.type!r}"
    traits = (*_TRAITS, *_SURROUNDINGS, *(_OF_EVIDENCE if actual.get("facts") else ()))
    return _problem(traits, recorded, actual, marked=marked) or _moved(
        recorded, actual, loose=loose
    )


def stands_elsewhere(recorded: Signature, facts: _Found) -> str:
    """Return how the label, column, heading or surroundings differ; "" if they agree.

    `facts` is the result of `facts.js` for the element.
    """
    return _problem((*_SURROUNDINGS, *_OF_EVIDENCE), recorded, {"facts": facts})


def _moved(recorded: Signature, actual: _Found, *, loose: bool) -> str:
    """Return where an element outside of rows and groups is now, "" if it is still in its place.

    An element of the same name in another part of the page is a different element, unless its author
    calls it the same or its neighbors are the same. With a `loose` locator all neighbors must match.
    """
    is_same = bool(recorded.near) and nearness(recorded, actual) == 1.0
    if recorded.key or is_same or is_marked(recorded, actual):
        return ""
    was, now = _region(recorded.attributes), _region(actual["attributes"])
    if was != now and (loose or recorded.name is not None):
        return f"it is now in {now or 'the main part'}, no longer in {was or 'the main part'}"
    if was == now and loose and recorded.near:
        return f"it is now next to {actual['near']}, no longer next to {[*recorded.near]}"
    return ""


def is_marked(recorded: Signature, actual: _Found, names: Sequence[str] = OWN) -> bool:
    """Return whether an element has the same names by its author as the recorded one, which had some."""
    own = {name: value for name, value in recorded.attributes.items() if name in names}
    return bool(own) and own.items() <= actual["attributes"].items()


def has_name(recorded: Signature, actual: _Found, *, badge: bool = False) -> bool:
    """Return whether an element has its recorded name, or would if no attribute gave it another one since.

    A count at its end may differ, unless the sentence has it.
    """
    name = recorded.name or ""
    plain = name if "exact" in recorded.attributes else uncounted(name)
    names = (actual["name"], *actual["names"])
    return any(is_same_text(name, each) or is_called(plain, each, badge=badge) for each in names)


def _region(attributes: Mapping[str, str]) -> str:
    """Return the part of the page around an element; many pages have no `main`."""
    return attributes.get("in", "").removeprefix("main")


def _role(role: str) -> str:
    return "" if role in PLAIN else role


def signed(answer: dict[str, Any], *, named: bool = True) -> Signature:
    """Return the signature for an identity, without its name unless `named`."""
    return Signature(
        role=answer["role"],
        name=answer["name"] if named else None,
        tag=answer["tag"],
        type=answer["type"],
        key=answer["key"],
        column=answer["column"] or None,
        near=tuple(answer["near"]),
        attributes=answer["attributes"],
    )


_FIELDS = frozenset(("input", "textarea", "select"))


def nearness(recorded: Signature, actual: Mapping[str, Any]) -> float:
    """Return the share of the recorded neighbors that are still there, 1.0 if there were none."""
    near = set(map(_without_numbers, actual["near"]))
    return _share([_without_numbers(text) in near for text in recorded.near])


def similarity(recorded: Signature, actual: Mapping[str, Any], text: str = "") -> float:
    """Return how alike an element is to a recorded one, from 0.0 to 1.0.

    It is a weighted mean over what is known of the recorded element, as in Similo (Nass et al.,
    "Similarity-based Web Element Localization for Robust Test Automation", TOSEM 2023). An element
    of another role, item or column has 0.0. `text` is a text that the element shows.
    """
    if differs(recorded.model_copy(update={"name": None}), actual):
        return 0.0
    own, now = _own(recorded.attributes), actual["attributes"]
    kept = _share([now.get(name) == value for name, value in own.items()])
    is_same = is_marked(recorded, actual)
    parts: list[tuple[float, float]] = []
    if recorded.name is not None:
        name = resemblance(recorded.name, actual["name"])
        # A hint is translated; a control of another name does something else.
        other = name < 0.5 or _has_other_words(recorded.name, actual["name"])
        is_hint = actual["hinted"] and recorded.tag in _FIELDS
        if other and not (is_same and is_hint):
            return 0.0
        # A renamed element keeps its neighbors; beside others, this may be a new one.
        if name < 1.0 and not is_same and nearness(recorded, actual) < 1.0:
            return 0.0
        parts.append((3, name))
    elif text:
        shown = _letters(actual["name"])
        parts.append((3, 1.0 if _letters(text) == shown else 0.6 * (_letters(text) in shown)))
    if rank := recorded.attributes.get("rank"):
        parts.append((3, float(_is_rank(rank, now.get("rank", "")))))
    if own:
        parts.append((3, kept))
    if recorded.near:
        parts.append((2, nearness(recorded, actual)))
    parts += [(1, float(now.get(name) == recorded.attributes.get(name))) for name in ("in", "href")]
    parts += [(0.5, float(getattr(recorded, name) == actual[name])) for name in ("tag", "type")]
    return sum(weight * part for weight, part in parts) / sum(weight for weight, _ in parts)


def resemblance(one: str, two: str) -> float:
    """Return the likeness of two texts, ignoring white space and capitals, from 0.0 to 1.0."""
    return SequenceMatcher(None, _letters(one), _letters(two)).ratio()


def _has_other_words(one: str, two: str) -> bool:
    """Return whether words of a name have given way to unlike ones: "New project" and "New client".

    Words that begin otherwise are unlike, too, such as "Publish" and "Unpublish", and so is a name with
    more words before its first one: "Agree" and "Don't agree".
    """
    old, new = one.casefold().split(), two.casefold().split()
    return any(
        (tag == "replace" and not _is_alike("".join(old[a:b]), "".join(new[c:d])))
        or (tag == "insert" and c == 0)
        for tag, a, b, c, d in SequenceMatcher(None, old, new).get_opcodes()
    )


def _is_alike(one: str, two: str) -> bool:
    # Another number is another thing: "Copy (2)" and "Copy (1)".
    numbers = [re.findall(r"\d+", each) for each in (one, two)]
    return one[:1] == two[:1] and numbers[0] == numbers[1] and resemblance(one, two) >= 0.5


def _share(matches: Sequence[bool]) -> float:
    return sum(matches) / len(matches) if matches else 1.0


def _own(attributes: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in attributes.items() if name in OWN}
