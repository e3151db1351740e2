"""Recorded steps as plain Playwright for Python: its actions, and an `expect` for each check.

It means what a replay means, as closely as Playwright alone can say it; what cannot be said becomes
a comment that says so.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from pytest_webtask.checks.base import BY_EYE
from pytest_webtask.checks.element import State
from pytest_webtask.page.locators import Unreadable
from pytest_webtask.recordings.actions import Acting
from pytest_webtask.recordings.expecting import Expecting, seconds_more
from pytest_webtask.recordings.speaking import Speaking, placeholders
from pytest_webtask.recordings.steps import Call, Evidence, Made
from pytest_webtask.recordings.writing import comment, formatted, quoted

__all__ = ["HELPERS", "Coder", "Names", "code_of", "names_of"]

HELPERS = {
    "words": '''\
def words(text: str, flags: int = 0) -> re.Pattern[str]:
    """Whole words and whole numbers: "2 items" is no part of "12 items" or of "1.2 items"."""
    said = r"\\s+".join(map(re.escape, text.split())).replace("'", "['’]")
    said = said.replace(r"\\s+/\\s+", r"(?:\\s*/\\s*|\\s+)")  # line breaks
    before = r"(?<![\\wÀ-ɏ])" if text[:1].isalnum() else ""
    after = r"(?![\\wÀ-ɏ])" if text[-1:].isalnum() else ""
    if re.match(r"[$€£¥₹]?\\s?\\d", text):
        before += r"(?<!\\d[-/:.,'’])(?<!^[-−])(?<![\\s(][-−])(?<![$€£¥₹][-−])"
        before += r"(?<!\\d[ \\u00a0\\u202f])" if re.match(r"\\d{3}(?!\\d)", text) else ""
    if text[-1:].isdigit():
        after += r"(?![-/:.,'’]\\d)"
    return re.compile(before + said + after, flags)
''',
    "tab": '''\
def tab(page: Page, title: str = "", number: int = 1) -> Page:
    """The tab with a title, or the so-manieth of those that are open, once it is there."""
    for _ in range(100):
        pages = [each for each in page.context.pages if title.lower() in each.title().lower()]
        if len(pages) >= number:
            break
        page.wait_for_timeout(50)
    assert len(pages) >= number, f"there is no tab {title or number}"
    return pages[number - 1]
''',
}
"""What exported lines may call, as it stands before the test."""
_IMPORTED = "page new_context re os expect Page Path Pattern words tab dialog chooser".split()


class Names:
    """Names of variables, each given once."""

    def __init__(self) -> None:
        self._taken = set(_IMPORTED)

    def new(self, wanted: str) -> str:
        """A name as wanted, with a number behind it where it is taken."""
        name = re.sub(r"\W+", "_", wanted, flags=re.ASCII).strip("_") or "value"
        if name[0].isdigit() or keyword.iskeyword(name.lower()):
            name = f"the_{name}" if name.islower() else f"THE_{name}"
        made, number = name, 2
        while made in self._taken:
            made, number = f"{name}_{number}", number + 1
        self._taken.add(made)
        return made


class _Pages:
    """The tabs of one webtask: by number or title, the names of their variables."""

    def __init__(self, name: str) -> None:
        self.front = name
        self.known: dict[str, str] = {"1": name}
        self.closed: list[str] = []

    def index(self, number: int) -> int:
        """The so-manieth of those that are open."""
        gone = [tab for tab, name in self.known.items() if name in self.closed]
        return number - sum(tab.isdigit() and int(tab) < number for tab in gone)


class Coder:
    """Writes the lines of one test, step by step.

    `expression` gives the code for a placeholder, None for what is none; it may be set anew for
    each step. `files` gives the code of a resource's path. `helpers` and `parameters` are what the
    lines use. `states` names, by webtask, the one with whose cookies its page begins. With `alone`,
    steps are written that stand in no test: nothing opens their pages.
    """

    def __init__(
        self,
        expression: Callable[[str], str | None],
        names: Names | None = None,
        *,
        alone: bool = False,
    ) -> None:
        self.lines: list[str] = []
        self.expression = expression
        self.files: Callable[[str], str] = lambda name: f"RESOURCES / {quoted(name)}"
        self.helpers: set[str] = set()
        self.parameters: set[str] = set()
        self.states: Mapping[str, str] = {}
        self._names = names or Names()
        self._alone = alone
        self._pages: dict[str, _Pages] = {}

    def goto(self, webtask: str, url: str) -> None:
        """The line of a `goto`."""
        pages = self._of(webtask)
        self._part()
        self._write(f"{pages.front}.goto({self._speaking(pages).text(url)})")

    def step(self, made: Made, answer: bool | None = None) -> None:
        """The lines of a step; `answer` is what a `holds` was answered, None for both."""
        pages = self._of(made.webtask)
        self._part()
        self.say(made.sentence if made.kind == "do" else f"{made.kind}: {made.sentence}")
        before = len(self.lines)
        patience = 0.0
        for number, call in enumerate(made.calls):
            following = made.calls[number + 1].tool if number + 1 < len(made.calls) else ""
            patience = seconds_more(patience, call)
            try:
                self._call(call, pages, following)
            except (Unreadable, KeyError, TypeError, ValueError) as error:
                self.say(f"{call.tool}: it cannot be said: {error}")
        both = answer is None and bool(made.evidence and made.otherwise)
        if both:
            self.say("either")
        if answer is not False or not made.otherwise:
            self._evidence(made.evidence, pages, patience)
        if both:
            self.say("or")
        if answer is not True or not made.evidence:
            self._evidence(made.otherwise, pages, patience)
        self._sources(made, pages, patience)
        if len(self.lines) == before:
            self.say("(nothing was done or checked)")

    # What a step is made of

    def _evidence(self, told: Sequence[Evidence], pages: _Pages, patience: float) -> None:
        # What is gone may be so on the page before, too: what is there is waited for first.
        for each in sorted(told, key=lambda each: each.check.negative or each.fails):
            self._prove(each, pages, patience)

    def _sources(self, made: Made, pages: _Pages, patience: float) -> None:
        """What was read off the page or selected there is there."""
        read = [e.target for e in made.sources if e.target and e.kind != "count"]
        if made.selected is not None:
            read.append(made.selected)
        for target in {target.locator: target for target in read}.values():
            seen = Evidence(check=State(state="visible"), target=target)
            self._prove(seen, pages, patience)

    def _prove(self, evidence: Evidence, pages: _Pages, patience: float = 0.0) -> None:
        tab = evidence.tab
        page = pages.front if tab is None else self._tab(str(tab), pages)
        try:
            line = Expecting(page, self.expression, self.helpers, patience).line(evidence)
        except (Unreadable, KeyError, TypeError, ValueError) as error:
            self.say(f"{evidence.kind}: it cannot be said: {error}")
            return
        if line is None:
            kind = BY_EYE if evidence.check.by_eye else evidence.kind
            what = evidence.check.describe()
            self.say(f"{kind}, which plain Playwright cannot check: {what}")
        else:
            self._write(line)

    def _call(self, call: Call, pages: _Pages, following: str) -> None:
        given = call.parameters
        if call.tool == "switch_tab":
            self._switch(str(given["tab"]), pages)
            return
        if call.tool == "close_tab":
            self._close(given.get("tab"), pages)
            return
        acting = Acting(pages.front, self.expression, self.helpers, self.files)
        lines = acting.lines(call, opens=following == "switch_tab")
        if lines is None:
            told = ", ".join(f"{k}={v!r}" for k, v in given.items() if k != "reason")
            self.say(f"{call.tool}({told}): a tool of the project's own, not of Playwright")
            return
        for further, line in lines:
            self._write(line, 4 + further)

    # Pages

    def _of(self, webtask: str) -> _Pages:
        if webtask not in self._pages:
            name = self._names.new(webtask.lower()) if webtask else "page"
            self._pages[webtask] = _Pages(name)
            state = self._pages.get(self.states.get(webtask, webtask))
            if self._alone or (not webtask and state is self._pages[webtask]):
                self.parameters.add("page")
            else:
                self.parameters.add("new_context")
                self._part()
                cookies = ""
                if state is not None and state is not self._pages[webtask]:
                    cookies = f"storage_state={state.front}.context.storage_state()"
                self._write(f"{name} = new_context({cookies}).new_page()")
        return self._pages[webtask]

    def _tab(self, tab: str, pages: _Pages) -> str:
        """The variable of a tab, which is looked for where it has none yet."""
        if tab not in pages.known:
            self.helpers.add("tab")
            here = self._speaking(pages)
            which = f"number={pages.index(int(tab))}" if tab.isdigit() else here.text(tab)
            name = self._names.new(f"tab_{tab}".lower() if tab.isdigit() else "tab_opened")
            self._write(f"{name} = tab({pages.front}, {which})")
            pages.known[tab] = name
        return pages.known[tab]

    def _switch(self, tab: str, pages: _Pages) -> None:
        known = tab in pages.known
        pages.front = self._tab(tab, pages)
        if known:
            self._write(f"{pages.front}.bring_to_front()")

    def _close(self, tab: str | None, pages: _Pages) -> None:
        name = pages.front if tab is None else self._tab(str(tab), pages)
        self._write(f"{name}.close()")
        pages.closed.append(name)
        if name == pages.front:
            left = [each for each in pages.known.values() if each not in pages.closed]
            pages.front = left[-1] if left else name

    # Writing

    def _speaking(self, pages: _Pages) -> Speaking:
        return Speaking(pages.front, self.expression, self.helpers)

    def _part(self) -> None:
        """Set the lines to come apart from those before."""
        if self.lines and not self.lines[-1].endswith(".new_page()"):
            self.lines.append("")

    def _write(self, line: str, indent: int = 4) -> None:
        self.lines += formatted(line, indent)

    def say(self, text: str) -> None:
        """Add a comment."""
        self.lines += [f"    {line}" for line in comment(text)]


def code_of(made: Made) -> list[str]:
    """The lines of one step, each placeholder as the constant that an export would name it."""
    coder = Coder(lambda name: name.upper(), alone=True)
    coder.step(made)
    return [line[4:] for line in coder.lines]


def names_of(made: Made) -> set[str]:
    """The names of all placeholders that occur in a step."""
    told = made.model_dump(mode="json", exclude={"approved", "decided", "facts"})
    return {name for text in _strings(told) for name in placeholders(text)}


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from _strings(each)
    elif isinstance(value, list):
        for each in value:
            yield from _strings(each)
