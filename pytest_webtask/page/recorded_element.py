"""Recorded elements: taken only if they are what they were, found where they moved."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Error, Locator, Page, TimeoutError

from pytest_webtask.page import dom
from pytest_webtask.page.locator_parser import is_positional
from pytest_webtask.page.observer import Known, Observer
from pytest_webtask.types.agent import Signature, Target

__all__ = [
    "OWN",
    "Missing",
    "RecordedElement",
    "differs",
    "find_again",
    "signed",
    "stands_alike",
    "stands_elsewhere",
]


OWN = ("id", "name", "data-testid", "data-test", "data-test-id", "data-cy", "data-qa")
"""Attributes by which an author tells an element."""
_POLL = 0.05
_AT_ONCE = 0.25
"""Seconds that one question may take, however little is left."""
_BUSY = 10.0
"""Seconds that a question may take about an element that is there."""


class Missing(Exception):
    """The element of a recording is not there; the message says what is."""


@dataclass(frozen=True)
class RecordedElement:
    """An element, or all of a set, as a recording has it, with its placeholders filled in.

    `found` is what was there a moment ago, if anybody looked.
    """

    locator: Locator
    target: Target
    found: dict[str, Any] | None = field(default=None, compare=False)

    def look(
        self, timeout: float = 0.0, *, whole: bool = False, at_once: bool = False
    ) -> dict[str, Any]:
        """What is there, which is just one and what it was; waits `timeout` seconds for that.

        With `whole` it has, as `facts`, what it says. Where nothing is there this takes a quarter
        of a second at least; `at_once` is for who expects that, and costs one question more.
        Raises Missing.
        """
        end = time.monotonic() + timeout
        loading = False
        if at_once:
            self._is_there()
        while True:
            left = max(end - time.monotonic(), _AT_ONCE)
            found = None
            try:
                found = self._ask(left, whole=whole)
            except Error as error:
                wrong = _said(error)
                if "Timeout" in str(error) and self._is_slow():
                    # It is there, and its page is too busy to answer at once.
                    found = self._ask(_BUSY, whole=whole)
                    wrong = differs(self.target.signature, found, loose=self._loose)
            else:
                wrong = differs(self.target.signature, found, loose=self._loose)
            late = time.monotonic() >= end
            # What listens to it may be in a script that has yet to run.
            if found is not None and not wrong and (found["loaded"] or late):
                return found
            if late:
                raise Missing(wrong)
            page = self.locator.page
            try:
                if loading := found is not None and not wrong and not loading:
                    left = max(end - time.monotonic(), 0.001)
                    with suppress(TimeoutError):
                        page.wait_for_load_state("domcontentloaded", timeout=left * 1000)
                else:  # it may be a frame of the page that is loading
                    page.wait_for_timeout(_POLL * 1000)
            except Error:
                raise Missing("its page is closed") from None

    @property
    def _loose(self) -> bool:
        code = self.target.locator
        return "has_text=" in code or "following::" in code or is_positional(code)

    def _is_slow(self) -> bool:
        """Whether just one element is there, though it was not answered for in time."""
        with suppress(Error):
            return self.locator.count() == 1
        return False

    def _is_there(self) -> None:
        """Raise Missing at once where asking would wait."""
        try:
            number = self.locator.count()
        except Error as error:
            raise Missing(_said(error)) from None
        if number != 1:
            raise Missing(f"{number} elements are there" if number else "nothing is there")

    def _ask(self, timeout: float, *, whole: bool) -> dict[str, Any]:
        if whole:
            return dict(dom.call(self.locator, "whole", None, timeout, dom.FACTS))
        return dict(dom.call(self.locator, "who", timeout=timeout))


def _said(error: Error) -> str:
    message = str(error)
    if "strict mode violation" in message:
        number = message.partition("resolved to ")[2].partition(" ")[0]
        return f"{number} elements are there"
    if "Timeout" in message:
        return "nothing is there"
    return message.partition("\n")[0]


def differs(wanted: Signature | None, found: dict[str, Any], *, loose: bool = False) -> str:
    """How an element is another than it was, in words; "" where its identity agrees.

    `loose` says that its locator tells it by its place, or by a part of a text.
    """
    if wanted is None:
        return ""
    for part in ("role", "tag", "type", "name", "key"):
        was, now = getattr(wanted, part), found[part]
        if part == "key" and was and _folded(was) in map(_folded, found["says"]):
            continue
        if was is not None and _folded(was) != _folded(now):
            what = {"key": "it stands in", "name": "it is called"}.get(part, f"its {part} is")
            return f"{what} {now!r} and not {was!r}"
    if found.get("facts") and (elsewhere := stands_elsewhere(wanted, found["facts"])):
        return elsewhere
    return "" if stands_alike(wanted, found, loose=loose) else _beside(wanted, found)


def stands_elsewhere(wanted: Signature, facts: Mapping[str, Any]) -> str:
    """Return how the label, the head or what surrounds an element is another; "" where it agrees.

    `facts` are the element's, as `facts.js` tells.
    """
    for part in ("label", "column", "heading"):
        was, now = getattr(wanted, part), facts.get(part) or ""
        if was and not _fits(was, now):
            return f"its {part} is {now!r} and not {was!r}"
    texts = [facts.get("heading") or "", *(facts.get("beside") or ())]
    texts += [each.get("name", "") for each in facts.get("within") or ()]
    for was in wanted.around:
        if not any(_fits(was, now) for now in texts):
            return f"{was!r} no longer stands around it"
    return ""


def _fits(was: str, now: str) -> bool:
    pattern = r"\d+".join(map(re.escape, _folded(was).split("{#}")))
    return _folded(was) == _folded(now) or bool(re.fullmatch(pattern, _folded(now)))


def stands_alike(wanted: Signature, found: dict[str, Any], *, loose: bool = False) -> bool:
    """Whether an element that no row or group tells stands where it stood.

    One of the same name in another part of the page is another one. Where its locator is `loose`,
    and tells it by its place or a part of a text, all that stands around it must be what it was.
    """
    own = {k: v for k, v in wanted.attributes.items() if k in OWN}
    if wanted.key or (own and own.items() <= found["attributes"].items()):
        return True
    if wanted.attributes.get("in", "") != found["attributes"].get("in", ""):
        return wanted.name is None and not loose
    return not loose or [*map(_without_numbers, wanted.near)] == [
        *map(_without_numbers, found["near"])
    ]


def _beside(wanted: Signature, found: dict[str, Any]) -> str:
    part = found["attributes"].get("in", "")
    if wanted.attributes.get("in", "") != part:
        return f"it is in {part or 'no part'} of the page, and was in {wanted.attributes.get('in')}"
    return f"it stands beside {found['near']}, and stood beside {[*wanted.near]}"


def _without_numbers(text: str) -> str:
    return re.sub(r"\d+", "0", _folded(text))


def signed(found: dict[str, Any], *, named: bool = True) -> Signature:
    """The signature of what `who` tells; with `named` False its name may be any."""
    return Signature(
        role=found["role"],
        name=found["name"] if named else None,
        tag=found["tag"],
        type=found["type"],
        key=found["key"],
        near=tuple(found["near"]),
        attributes=found["attributes"],
    )


def _folded(text: str) -> str:
    return " ".join(text.split())


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
            fits = [k for k, w in same if _casefolded(says) in _casefolded(w["name"])]
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
            told = dom.call(frame, "whos", {"numbers": [k.number for k in some]})
        except Error:
            continue
        yield from ((k, w) for k, w in zip(some, told, strict=True) if w)


def _is_same(wanted: Signature, found: dict[str, Any], *, named: bool = True) -> bool:
    parts = ["role", "tag", "type", "key", *(["name"] if named else [])]
    told = [(getattr(wanted, part), found[part]) for part in parts]
    return all(was is None or _casefolded(was) == _casefolded(now) for was, now in told)


def _own(attributes: dict[str, str]) -> dict[str, str]:
    return {name: value for name, value in attributes.items() if name in OWN}


def _casefolded(text: str) -> str:
    return " ".join(text.casefold().split())
