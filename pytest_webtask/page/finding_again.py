"""The element of a recording on a page that has changed: one clear winner, or nothing."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from playwright.sync_api import Error, Page

from pytest_webtask.page import engine
from pytest_webtask.page.observation import Known, Observer
from pytest_webtask.page.recalled import OWN, stands_alike
from pytest_webtask.records import Signature

__all__ = ["find_again"]

_FIELDS = frozenset(("input", "textarea", "select"))


def find_again(observer: Observer, page: Page, wanted: Signature, says: str = "") -> Known | None:
    """The element that is what `wanted` says, on the page as it is now; its id is known then.

    `says` is what a check expects of it, which tells a heading whose level is another.

    Its identity must agree. Of several that do its author's own name for it must tell one. What is
    only read, and has neither name nor row, is told by its rank among headings or by what stands
    around it, even if it is the only one left. A field alone may be called otherwise, if its
    author's name for it is the same: hints are translated.
    """
    seen = observer.observe(page)
    ids = [*seen.elements, *seen.texts]
    found = list(_who(observer, (observer.known[i] for i in ids)))
    same = [(k, w) for k, w in found if _is_same(wanted, w) and stands_alike(wanted, w)]
    if len(same) == 1 and (wanted.name is not None or wanted.key):
        return same[0][0]
    own = _own(wanted.attributes)
    fits = [k for k, w in same if own and _own(w["attributes"]) == own]
    rank = wanted.attributes.get("rank")
    if not fits and wanted.name is None and rank:
        fits = [k for k, w in same if w["attributes"].get("rank") == rank]
    if not fits and wanted.name is None:
        # A message that nothing stands before is told by that; a text without a role is not.
        known = wanted.near or wanted.role
        fits = [k for k, w in same if known and tuple(w["near"]) == wanted.near]
        if not fits and says and wanted.role == "heading":
            fits = [k for k, w in same if _folded(says) in _folded(w["name"])]
    if not same and own and wanted.tag in _FIELDS:
        fits = [
            k for k, w in found if _is_same(wanted, w, named=False) and _own(w["attributes"]) == own
        ]
    return fits[0] if len(fits) == 1 else None


def _who(observer: Observer, elements: Iterable[Known]) -> Iterable[tuple[Known, dict[str, Any]]]:
    frames: dict[Any, list[Known]] = {}
    for known in elements:
        frames.setdefault(known.frame, []).append(known)
    for frame, some in frames.items():
        try:
            told = engine.call(frame, "whos", {"numbers": [k.number for k in some]})
        except Error:
            continue
        yield from ((k, w) for k, w in zip(some, told, strict=True) if w)


def _is_same(wanted: Signature, found: dict[str, Any], *, named: bool = True) -> bool:
    parts = ["role", "tag", "type", "key", *(["name"] if named else [])]
    told = [(getattr(wanted, part), found[part]) for part in parts]
    return all(was is None or _folded(was) == _folded(now) for was, now in told)


def _own(attributes: dict[str, str]) -> dict[str, str]:
    return {name: value for name, value in attributes.items() if name in OWN}


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())
