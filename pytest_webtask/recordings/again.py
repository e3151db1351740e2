"""Recorded elements and checks on the live page: what is to be asked there, with data filled in."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

from pytest_webtask.page.locators import Unreadable, locate, map_texts
from pytest_webtask.page.recalled import Recalled
from pytest_webtask.recordings.steps import Evidence, Made, ValueSource
from pytest_webtask.recordings.values import Source
from pytest_webtask.records import Signature, Target
from pytest_webtask.tools.hands import Hands

__all__ = ["Again", "Asked"]


_NAMED = re.compile(r"\{([^\W\d]\w*)\}")


@dataclass
class Asked:
    """Checks as a model would give them, and their elements by what stands in place of ids."""

    checks: list[dict[str, Any]] = field(default_factory=list)
    locators: dict[str, Recalled] = field(default_factory=dict)


@dataclass(frozen=True)
class Again:
    """Brings what is recorded to the pages of a test.

    `pictures` is where those of checks by eye are; `values` are those of earlier steps of the test,
    which what this step is about may have in its name.
    """

    hands: Hands
    pictures: Path | None = None
    values: Mapping[str, str] = field(default_factory=dict)

    def fill(self, text: str) -> str:
        """A text with the values of the step put in, and of earlier ones."""
        text = self.hands.data.fill(text)
        return _NAMED.sub(lambda m: self.values.get(m[1], m[0]), text)

    def recall(self, target: Target, page: Page | None = None) -> Recalled:
        """An element of a recording, on the page in front if none is given.

        Raises Unreadable where its locator cannot be read.
        """
        code = map_texts(target.locator, lambda text, _: self.fill(text))
        filled = None
        if target.signature is not None:
            told = self._filled(target.signature.model_dump())
            filled = Signature(**told)
        where = locate(code, page or self.hands.page)
        return Recalled(where, Target(locators=target.locators, signature=filled))

    def ask(self, evidence: Iterable[Evidence]) -> Asked:
        """The checks of a recording. Raises Unreadable."""
        asked = Asked()
        for each in evidence:
            asked.checks.append(self._check(each, asked))
        return asked

    def name(self, target: Target, asked: Asked, page: Page | None = None) -> str:
        """What stands in place of the element's id, which is its locator's code."""
        recalled = self.recall(target, page)
        code, number = target.locator, 1
        while asked.locators.get(code, recalled).target != recalled.target:
            number += 1
            code = f"{target.locator} #{number}"
        asked.locators[code] = recalled
        return code

    def _pattern(self, pattern: str) -> str:
        """A pattern with its placeholders filled in, of whose values no sign means anything else."""
        values = {**self.values, **self.hands.data.values}
        return _NAMED.sub(lambda m: re.escape(values[m[1]]) if m[1] in values else m[0], pattern)

    def _known(self, text: str) -> str:
        """Return what a check expects, with the values of earlier steps; it fills in its own."""
        own = self.hands.data.values
        return _NAMED.sub(lambda m: m[0] if m[1] in own else self.values.get(m[1], m[0]), text)

    def _filled(self, value: Any) -> Any:
        if isinstance(value, str):
            return self.fill(value)
        if isinstance(value, dict):
            return {key: self._filled(each) for key, each in value.items()}
        if isinstance(value, (list, tuple)):
            return [self._filled(each) for each in value]
        return value

    def picture_file(self, name: str) -> str:
        """The file of a picture as this browser draws it on this platform."""
        browser = self.hands.page.context.browser
        drawn_by = browser.browser_type.name if browser else "browser"
        return f"{name}-{drawn_by}-{sys.platform}.jpg"

    def text(self, source: ValueSource, asked: Asked) -> Source:
        """What a source of a value has now. Raises Missing, NotFound, Unreadable."""
        names: list[Any] = asked.checks
        if source.kind in ("url", "title"):
            page = self.hands.page
            names.append(source.kind)
            return page.title() if source.kind == "title" else path_of(page.url)
        if source.target is None:
            raise Unreadable(f"a source of the kind {source.kind} needs a target")
        code = self.name(source.target, asked)
        names.append(code)
        recalled = asked.locators[code]
        if source.kind == "count":
            return recalled.locator.count()
        recalled.look(whole=True)
        return self.hands.checker(asked.locators).read(code)

    def _check(self, each: Evidence, asked: Asked) -> dict[str, Any]:
        check = each.check.filled(self._known, self._pattern)
        page = None
        if each.tab is not None:
            page = self.hands.tabs.pages.get(each.tab)
            if page is None:
                raise Unreadable(f"there is no tab {each.tab}")
            if check.of_page:
                check = check.model_copy(update={"tab": each.tab})
        if each.target is not None:
            check = check.cite(self.name(each.target, asked, page))
        elif not check.of_page:
            raise Unreadable(f"a check of the kind {each.kind} needs a target")
        if each.other is not None:
            check = check.model_copy(update={"other_id": self.name(each.other, asked, page)})
        if check.by_eye:
            if each.picture is None or self.pictures is None:
                raise Unreadable("a check by eye needs its picture")
            picture = str(self.pictures / self.picture_file(each.picture))
            check = check.model_copy(update={"picture": picture})
        return check.as_call()


def pictured(made: Made, again: Again) -> tuple[Made, dict[str, str]]:
    """The same with its pictures named, and the file of each by what it is to be kept as."""
    taken: dict[str, str] = {}

    def named(each: Evidence) -> Evidence:
        if each.picture is None or "/" not in each.picture:
            return each
        name = Path(each.picture).stem[:12]
        taken[again.picture_file(name)] = each.picture
        return each.model_copy(update={"picture": name})

    return made.model_copy(update={"evidence": tuple(map(named, made.evidence))}), taken


def path_of(url: str) -> str:
    """An address without its origin."""
    scheme, mark, rest = url.partition("://")
    return f"/{rest.partition('/')[2]}" if mark and scheme.startswith("http") else url


def is_negative(evidence: Sequence[Evidence]) -> bool:
    """Whether some of it holds where something is not there: on a page that has yet to show it, too."""
    return any(
        each.check.negative or each.fails or each.expects.get("number") == "0" for each in evidence
    )
