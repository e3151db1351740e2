"""Recorded elements: checked against their recorded identity, and located anew after a move."""

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
"""Attributes by which an author names an element."""
_POLL = 0.05
_AT_ONCE = 0.25
"""Minimum time for one query, in seconds, even if less is left."""
_BUSY = 10.0
"""Maximum time for querying an element that is present, in seconds."""


class Missing(Exception):
    """A recorded element is missing; the message describes what was matched instead."""


@dataclass(frozen=True)
class RecordedElement:
    """A recorded element, or all elements of a set, with placeholders filled in.

    `found` is the engine's latest description of the element, None before the first query.
    """

    locator: Locator
    target: Target
    found: dict[str, Any] | None = field(default=None, compare=False)

    def look(
        self, timeout: float = 0.0, *, whole: bool = False, at_once: bool = False
    ) -> dict[str, Any]:
        """Wait for the element to match its signature, and return the engine's description of it.

        Raises Missing after `timeout` seconds, and after a quarter of a second at the earliest; with
        `at_once` an element that is absent fails at once, for one more query. With `whole` the
        description includes the `facts`.
        """
        end = time.monotonic() + timeout
        loading = False
        if at_once:
            self._require_one()
        while True:
            left = max(end - time.monotonic(), _AT_ONCE)
            answer = None
            try:
                answer = self._ask(left, whole=whole)
            except Error as error:
                wrong = _reason(error)
                if "Timeout" in str(error) and self._is_slow():
                    # The element is present, but its page was too busy to answer in time.
                    answer = self._ask(_BUSY, whole=whole)
                    wrong = differs(self.target.signature, answer, loose=self._loose)
            else:
                wrong = differs(self.target.signature, answer, loose=self._loose)
            late = time.monotonic() >= end
            # Before the page is loaded, scripts may not have attached their listeners.
            if answer is not None and not wrong and (answer["loaded"] or late):
                return answer
            if late:
                raise Missing(wrong)
            page = self.locator.page
            try:
                if loading := answer is not None and not wrong and not loading:
                    left = max(end - time.monotonic(), 0.001)
                    with suppress(TimeoutError):
                        page.wait_for_load_state("domcontentloaded", timeout=left * 1000)
                else:  # a frame of the page may be loading
                    page.wait_for_timeout(_POLL * 1000)
            except Error:
                raise Missing("the page was closed") from None

    @property
    def _loose(self) -> bool:
        code = self.target.locator
        return "has_text=" in code or "following::" in code or is_positional(code)

    def _is_slow(self) -> bool:
        """Return whether exactly one element is present although the query timed out."""
        with suppress(Error):
            return self.locator.count() == 1
        return False

    def _require_one(self) -> None:
        """Raise Missing without waiting if there is not exactly one element."""
        try:
            number = self.locator.count()
        except Error as error:
            raise Missing(_reason(error)) from None
        if number != 1:
            raise Missing(f"{number} elements match" if number else "no element matches")

    def _ask(self, timeout: float, *, whole: bool) -> dict[str, Any]:
        if whole:
            return dict(dom.call(self.locator, "whole", None, timeout, dom.FACTS))
        return dict(dom.call(self.locator, "identity", timeout=timeout))


def _reason(error: Error) -> str:
    message = str(error)
    if "strict mode violation" in message:
        number = message.partition("resolved to ")[2].partition(" ")[0]
        return f"{number} elements match"
    if "Timeout" in message:
        return "no element matches"
    return message.partition("\n")[0]


def differs(recorded: Signature | None, actual: dict[str, Any], *, loose: bool = False) -> str:
    """Return how an element differs from its recorded signature, "" if it matches.

    `loose` is True for a locator that is positional or matches part of a text.
    """
    if recorded is None:
        return ""
    for part in ("role", "tag", "type", "name", "key"):
        was, now = getattr(recorded, part), actual[part]
        if part == "key" and was and _folded(was) in map(_folded, actual["says"]):
            continue
        if was is not None and _folded(was) != _folded(now):
            what = {"key": "it is now in", "name": "its name is now"}.get(
                part, f"its {part} is now"
            )
            return f"{what} {now!r}, no longer {was!r}"
    if actual.get("facts") and (elsewhere := stands_elsewhere(recorded, actual["facts"])):
        return elsewhere
    return "" if stands_alike(recorded, actual, loose=loose) else _beside(recorded, actual)


def stands_elsewhere(recorded: Signature, facts: Mapping[str, Any]) -> str:
    """Return how the label, column, heading or surroundings differ; "" if they agree.

    `facts` is the result of `facts.js` for the element.
    """
    for part in ("label", "column", "heading"):
        was, now = getattr(recorded, part), facts.get(part) or ""
        if was and not _fits(was, now):
            return f"its {part} is now {now!r}, no longer {was!r}"
    texts = [facts.get("heading") or "", *(facts.get("beside") or ())]
    texts += [each.get("name", "") for each in facts.get("within") or ()]
    for was in recorded.around:
        if not any(_fits(was, now) for now in texts):
            return f"{was!r} is no longer next to or around it"
    return ""


def _fits(was: str, now: str) -> bool:
    pattern = r"\d+".join(map(re.escape, _folded(was).split("{#}")))
    return _folded(was) == _folded(now) or bool(re.fullmatch(pattern, _folded(now)))


def stands_alike(recorded: Signature, actual: dict[str, Any], *, loose: bool = False) -> bool:
    """Return whether an element outside of rows and groups is still in its place.

    An element of the same name in another part of the page is a different element. With a `loose`
    locator, which is positional or matches part of a text, all neighbors must match.
    """
    own = {k: v for k, v in recorded.attributes.items() if k in OWN}
    if recorded.key or (own and own.items() <= actual["attributes"].items()):
        return True
    if recorded.attributes.get("in", "") != actual["attributes"].get("in", ""):
        return recorded.name is None and not loose
    return not loose or [*map(_without_numbers, recorded.near)] == [
        *map(_without_numbers, actual["near"])
    ]


def _beside(recorded: Signature, actual: dict[str, Any]) -> str:
    part = actual["attributes"].get("in", "")
    if recorded.attributes.get("in", "") != part:
        return f"it is now in {part or 'no landmark'}, no longer in {recorded.attributes.get('in')}"
    return f"it is now next to {actual['near']}, no longer next to {[*recorded.near]}"


def _without_numbers(text: str) -> str:
    return re.sub(r"\d+", "0", _folded(text))


def signed(answer: dict[str, Any], *, named: bool = True) -> Signature:
    """Return the signature for an identity, without its name unless `named`."""
    return Signature(
        role=answer["role"],
        name=answer["name"] if named else None,
        tag=answer["tag"],
        type=answer["type"],
        key=answer["key"],
        near=tuple(answer["near"]),
        attributes=answer["attributes"],
    )


def _folded(text: str) -> str:
    return " ".join(text.split())


_FIELDS = frozenset(("input", "textarea", "select"))


def find_again(
    observer: Observer, page: Page, recorded: Signature, expected_text: str = ""
) -> Known | None:
    """Return the only element on the page with the identity of a recorded one, or None.

    The page is observed, so the element gets an id. Several candidates are told apart by author-chosen
    attributes. A text without name and row must also match in its rank among headings or in its
    neighbors. Only a field with the same author-chosen attributes may have another name, because
    placeholders are translated. `expected_text`, from a check, identifies a heading whose level has
    changed.
    """
    seen = observer.observe(page)
    ids = [*seen.elements, *seen.texts]
    candidates = list(_identities(observer.known[i] for i in ids))
    same = [
        (element, identity)
        for element, identity in candidates
        if _is_same(recorded, identity) and stands_alike(recorded, identity)
    ]
    if len(same) == 1 and (recorded.name is not None or recorded.key):
        return same[0][0]
    own = _own(recorded.attributes)
    fits = [element for element, identity in same if own and _own(identity["attributes"]) == own]
    rank = recorded.attributes.get("rank")
    if not fits and recorded.name is None and rank:
        fits = [element for element, identity in same if identity["attributes"].get("rank") == rank]
    if not fits and recorded.name is None:
        # Having no neighbors identifies a message, but not a text without a role.
        known = recorded.near or recorded.role
        fits = [
            element
            for element, identity in same
            if known and tuple(identity["near"]) == recorded.near
        ]
        if not fits and expected_text and recorded.role == "heading":
            fits = [
                element
                for element, identity in same
                if _casefolded(expected_text) in _casefolded(identity["name"])
            ]
    if not same and own and recorded.tag in _FIELDS:
        fits = [
            element
            for element, identity in candidates
            if _is_same(recorded, identity, named=False) and _own(identity["attributes"]) == own
        ]
    return fits[0] if len(fits) == 1 else None


def _identities(elements: Iterable[Known]) -> Iterable[tuple[Known, dict[str, Any]]]:
    frames: dict[Any, list[Known]] = {}
    for known in elements:
        frames.setdefault(known.frame, []).append(known)
    for frame, some in frames.items():
        try:
            answers = dom.call(
                frame, "identities", {"numbers": [element.number for element in some]}
            )
        except Error:
            continue
        yield from (
            (element, identity) for element, identity in zip(some, answers, strict=True) if identity
        )


def _is_same(recorded: Signature, actual: dict[str, Any], *, named: bool = True) -> bool:
    parts = ["role", "tag", "type", "key", *(["name"] if named else [])]
    pairs = [(getattr(recorded, part), actual[part]) for part in parts]
    return all(was is None or _casefolded(was) == _casefolded(now) for was, now in pairs)


def _own(attributes: dict[str, str]) -> dict[str, str]:
    return {name: value for name, value in attributes.items() if name in OWN}


def _casefolded(text: str) -> str:
    return " ".join(text.casefold().split())
