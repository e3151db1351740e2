"""Finding elements in an observation by what a reader of its outline sees."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page

from pytest_webtask.records import Element, Observation

_ID = re.compile(r"[\[<]([a-z]+-\d+)")


class Look:
    """An observation, with its elements in the order of the page."""

    def __init__(self, page: Page, observation: Observation) -> None:
        self.page = page
        self.observation = observation
        self.outline = self.observation.outline
        known = {**self.observation.elements, **self.observation.texts}
        told = [i for i in _ID.findall(self.outline) if i in known]
        ids = [*dict.fromkeys([*told, *known])]
        self.elements: dict[str, Element] = {i: known[i] for i in ids}
        self._lines: dict[str, str] = {}
        self._places: dict[str, int] = {}
        at = 0
        for line in self.outline.splitlines():
            for match in _ID.finditer(line):
                self._lines.setdefault(match[1], line)
                self._places.setdefault(match[1], at + match.start())
            at += len(line) + 1

    def line(self, element_id: str) -> str:
        """The line of the outline on which the element stands, without ids."""
        return re.sub(r"<[a-z]+-\d+> |[a-z]+-\d+ ", "", self._lines.get(element_id, ""))

    def raw(self, element_id: str) -> str:
        """That line as it stands."""
        return self._lines.get(element_id, "")

    def place(self, element_id: str) -> int:
        """Where in the outline the element stands."""
        return self._places.get(element_id, 10**9)

    def every(
        self,
        role: str,
        name: str = "",
        after: str = "",
        before: str = "",
        near: str = "",
        without: str = "",
    ) -> list[str]:
        """All ids of a role whose text contains `name`, in the order of the page."""
        begin = self._at(after) if after else -1
        end = self._at(before, begin + 1) if before else 10**9
        return [
            e.id
            for e in self.elements.values()
            if (not role or e.role == role)
            and name in e.name
            and begin < self.place(e.id) < end
            and (not near or near in self.line(e.id) or near in e.key)
            and not (without and without in self.line(e.id))
        ]

    def one(
        self,
        role: str,
        name: str = "",
        near: str = "",
        after: str = "",
        nth: int | None = None,
    ) -> str:
        """The one id that fits; what says just `name` goes before what contains it."""
        found = self.every(role, name, after, near=near)
        exact = [i for i in found if self.elements[i].name == name]
        found = exact or found
        if nth is not None:
            return found[nth]
        assert len(found) == 1, (
            f"{role} {name!r} near {near!r} after {after!r}: {found} in\n{self.outline}"
        )
        return found[0]

    def by_css(self, selector: str, frame: str = "") -> tuple[str, Locator]:
        """An element that a model has resolved itself: its code, and its locator."""
        if not frame:
            return f"locator({selector!r})", self.page.locator(selector).first
        (found,) = (f for f in self.page.frames if f.url.endswith(frame))
        return f"frame(url={found.url!r}).locator({selector!r})", found.locator(selector).first

    def _at(self, text: str, begin: int = 0) -> int:
        bare = self.outline.find(text, max(begin, 0))
        assert bare >= 0, f"{text!r} is not in\n{self.outline}"
        return bare
