"""Healer: finds recorded elements that have moved."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Error

from pytest_webtask.page import dom
from pytest_webtask.page.activity import ANSWERED
from pytest_webtask.page.identity import (
    differs,
    is_same_text,
    nearness,
    resemblance,
    similarity,
    stands_elsewhere,
)
from pytest_webtask.page.locator_codegen import kind_of
from pytest_webtask.page.observer import Known
from pytest_webtask.page.recorded_element import Lack, Missing, RecordedElement
from pytest_webtask.recordings.progress import ReplayProgress
from pytest_webtask.recordings.resolver import RecordingResolver
from pytest_webtask.recordings.schema import AmbiguousValueError
from pytest_webtask.recordings.schema import RecordedPlaceholders as Placeholders
from pytest_webtask.tools.context import StepContext
from pytest_webtask.types.page import Signature, Target

_CLEAR = 0.7
"""The similarity from which an element may be the recorded one; see benchmarks/foreign_drift."""
_MARGIN = 0.15
"""The margin by which a candidate must be more alike than any other element."""
_CLOSEST = 3
"""The number of elements that a message names as the closest."""
_SURROUNDINGS = ("label", "column", "heading", "around")
"""The parts of a signature that evidence requires besides the identity of the element."""
_NOTED = ("item", "names", "place")
"""The attributes that a recording keeps only as far as they identify an element."""


_Identified = tuple[Known, dict[str, Any]]


@dataclass
class Healer:
    """Finds moved elements of one replay.

    Unless `allowed`, a found element is only proposed, and the replay cannot use it.
    """

    progress: ReplayProgress
    resolver: RecordingResolver
    allowed: bool = False
    context: StepContext = field(init=False)

    def __post_init__(self) -> None:
        self.context = self.resolver.context

    def find(self, target: Target, recorded: RecordedElement, problem: str, text: str = "") -> str:
        """Return the id of the only element that matches the recorded one.

        `problem` is the problem with the recorded locator, `text` a text that the element shows.
        Raises Missing.
        """
        details = [f"recorded as {target.locator}"] if target.locator not in problem else []
        signature = recorded.target.signature
        if signature is None or recorded.twins:
            # Any of several equal elements may be what is left of them.
            raise Missing(problem, details)
        # Some locator finds it by what a user sees, regardless of its place.
        is_unique, known = any(kind_of(each) == "sight" for each in target.locators), target
        match, closest = self._search(signature, text, is_unique=is_unique)
        if match is None and (bare := _without_surroundings(signature)) != signature:
            match, _ = self._search(bare, text, is_unique=is_unique)
            template = target.signature and _without_surroundings(target.signature)
            known = target.model_copy(update={"signature": template})
            signature = bare
        if match is None:
            names = [f'{each.element.role} "{each.element.name}"' for each in closest]
            if names:
                details.append(f"the closest on the page: {', '.join(names)}")
            lack: Lack = "element" if names else "likeness"
            candidates = [each.locator for each in closest]
            raise Missing(problem, details, lack=lack, candidates=candidates)
        new = self._target(known, match, signature, text, problem)
        element = match.element
        words = f'{element.role} "{element.name}"'
        if known is not target:
            # Somebody has to say whether it may be in other surroundings.
            words = f"still there: {words}, whatever is around it"
            self.progress.offered = (target, new, words)
            raise Missing(problem)
        self.progress.relocate(target, new, words)
        if not self.allowed:
            raise Missing(problem)
        return element.id

    def _search(
        self, recorded: Signature, text: str, *, is_unique: bool
    ) -> tuple[Known | None, list[Known]]:
        """Return the one element that is clearly the recorded one, or None and the closest.

        The page is observed, so that the element has an id. `is_unique` says that no other element
        had its role and name, else its surroundings must be the same.
        """
        observer = self.context.session.observer
        seen = observer.observe(self.context.page)
        known = [observer.known[each] for each in (*seen.elements, *seen.texts)]
        identities = list(_identities(known))
        if recorded.name and sum(not differs(recorded, each) for _, each in identities) > 1:
            return None, []  # Two that fit are a drift, however alike one of them is.
        ranked = sorted(
            (
                (similarity(recorded, identity, text), number, element)
                for number, (element, identity) in enumerate(identities)
                if is_unique or nearness(recorded, identity) == 1.0
            ),
            reverse=True,
        )
        best = [each for each in ranked if each[0] > 0]
        runner_up = best[1][0] if len(best) > 1 else 0.0
        if best and best[0][0] >= _CLEAR and best[0][0] - runner_up >= _MARGIN:
            return best[0][2], []
        closest = [each for _, _, each in best] or _namesakes(recorded, identities)
        return None, [each for each in closest if each.element.name][:_CLOSEST]

    def _target(
        self, target: Target, match: Known, signature: Signature, text: str, message: str
    ) -> Target:
        """Return the target to record for an element that was found. Raises Missing."""
        new = self.context.target_of(match, [text] if text else [])
        try:
            new = Placeholders(self.resolver.values, self.progress.step.sentence).target(new)
        except AmbiguousValueError as error:
            raise Missing(f"{message}; {error}") from None
        if difference := self._difference(match, signature):
            raise Missing(
                f"{message}; the most similar element is not the recorded one: {difference}"
            )
        if target.signature is not None and new.signature is not None:
            # Keep the requirements of the evidence; the text does not become part of the identity.
            kept = {each: getattr(target.signature, each) for each in _SURROUNDINGS}
            noted = {n: v for n, v in target.signature.attributes.items() if n in _NOTED}
            now = {n: v for n, v in new.signature.attributes.items() if n not in _NOTED}
            kept["attributes"] = {**now, **noted}
            if target.signature.name is None:
                kept["name"] = None
            signed = new.signature.model_copy(update=kept)
            new = new.model_copy(update={"signature": signed})
        if not new.locator:
            raise Missing(message)
        return new

    def _difference(self, match: Known, signature: Signature) -> str:
        """Return how the surroundings of an element differ from those that evidence requires, or ""."""
        if not any(getattr(signature, each) for each in _SURROUNDINGS):
            return ""
        [answer] = dom.ask(match.frame.page, match.locator, (), ANSWERED, dom.FACTS)
        return stands_elsewhere(signature, answer["elements"][0]["facts"])


def _without_surroundings(recorded: Signature) -> Signature:
    noted = {n: v for n, v in recorded.attributes.items() if n not in ("item", "names")}
    update = {**dict.fromkeys(_SURROUNDINGS), "around": (), "attributes": noted}
    return recorded.model_copy(update=update)


def _namesakes(recorded: Signature, known: Iterable[_Identified]) -> list[Known]:
    """Return the elements of the recorded role or name, those with the most similar names and places first."""
    name, nameless = recorded.name or "", recorded.model_copy(update={"name": None})
    same = [
        (resemblance(name, each.element.name) + similarity(nameless, identity), -number, each)
        for number, (each, identity) in enumerate(known)
        if each.element.role == recorded.role or (name and is_same_text(name, each.element.name))
    ]
    return [each for _, _, each in sorted(same, reverse=True)]


def _identities(elements: Iterable[Known]) -> Iterator[_Identified]:
    """Yield the elements that are still there with their identities, one message for each frame."""
    frames: dict[Any, list[Known]] = {}
    for known in elements:
        frames.setdefault(known.frame, []).append(known)
    for frame, some in frames.items():
        numbers = [element.number for element in some]
        try:
            answers = dom.call(frame, "identities", {"numbers": numbers})
        except Error:
            continue
        for element, identity in zip(some, answers, strict=True):
            if identity:
                yield element, identity
