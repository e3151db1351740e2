"""Recorded steps as plain Playwright for Python: its actions, and an `expect` for each check."""

from __future__ import annotations

import keyword
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from pytest_webtask.checks.base import BY_EYE
from pytest_webtask.checks.element import State
from pytest_webtask.export.locators import (
    CodeTexts,
    comment_lines,
    format_statement,
    placeholders,
    string_literal,
)
from pytest_webtask.page.locator_parser import Unreadable
from pytest_webtask.recordings.schema import Evidence, RecordedCall, StepTrace

__all__ = [
    "HELPERS",
    "ActionWriter",
    "AssertionWriter",
    "Coder",
    "Names",
    "code_of",
    "names_of",
    "seconds_more",
]


_WAIT_BY_THEMSELVES = frozenset("navigate go_back reload wait hover scroll".split())
_SCREEN = {"up": (0, -1, 576), "down": (0, 1, 576), "left": (-1, 0, 1024), "right": (1, 0, 1024)}
"""Where the wheel turns, and most of a screen of Playwright's default size."""


class ActionWriter(CodeTexts):
    """Says actions on one page; `files` gives the code of a resource's path."""

    def __init__(
        self,
        page: str,
        expression: Callable[[str], str | None],
        helpers: set[str],
        files: Callable[[str], str],
    ) -> None:
        super().__init__(page, expression, helpers)
        self._files = files

    def lines(self, call: RecordedCall, *, opens: bool) -> list[tuple[int, str]] | None:
        """The lines of a call and how far they stand in; None for a tool that is the project's own.

        `opens` says that it opens a tab. Raises Unreadable for locators, KeyError for what is
        missing of the call.
        """
        act = getattr(self, f"_do_{call.tool}", None)
        if act is None:
            return None
        given = call.parameters
        done = [(4 * line.count("\t"), line.lstrip("\t")) for line in act(call, given)]
        if call.loads and call.tool not in _WAIT_BY_THEMSELVES and not opens:
            # The next action would find what the page before has, too.
            waits = f'with {self.page}.expect_event("domcontentloaded"):'
            done = [(0, waits), *((4 + further, line) for further, line in done)]
        if given.get("dialog") is not None or given.get("dialog_text") is not None:
            answer = "dismiss()"
            if given.get("dialog_text") is not None:
                answer = f"accept({self.text(given['dialog_text'])})"
            elif given["dialog"] == "accept":
                answer = "accept()"
            done.insert(0, (0, f'{self.page}.once("dialog", lambda dialog: dialog.{answer})'))
        return done

    # Tools: each gives its lines, those within a `with` behind a tab

    def _do_click(self, call: RecordedCall, given: Mapping[str, Any]) -> Iterator[str]:
        button = 'button="right"' if given.get("button") == "right" else ""
        action = "dblclick" if given.get("double") else "click"
        yield f"{self.element(call)}.{action}({button})"

    def _do_click_at(self, call: RecordedCall, given: Mapping[str, Any]) -> Iterator[str]:
        if call.targets:
            yield f"{self.element(call)}.click(position={_point(given['x'], given['y'])})"
        else:
            yield f"{self.page}.mouse.click({given['x']:g}, {given['y']:g})"

    def _do_hover(self, call: RecordedCall, given: Mapping[str, Any]) -> Iterator[str]:
        where = given.get("x") is not None
        if call.targets:
            point = f"position={_point(given['x'], given['y'])}" if where else ""
            yield f"{self.element(call)}.hover({point})"
        else:
            yield f"{self.page}.mouse.move({given['x']:g}, {given['y']:g})"

    def _do_drag(self, call: RecordedCall, given: Mapping[str, Any]) -> Iterator[str]:
        ends = ("element_id", "x", "y"), ("to_element_id", "to_x", "to_y")
        if all(name in call.targets for name, _, _ in ends):
            options = [self.element(call, "to_element_id")]
            for (_, x, y), name in zip(ends, ("source_position", "target_position"), strict=True):
                if given.get(x) is not None:
                    options.append(f"{name}={_point(given[x], given[y])}")
            yield f"{self.element(call)}.drag_to({', '.join(options)}, steps=8)"
            return
        for (name, x, y), press in zip(ends, ("down", "up"), strict=True):
            if name in call.targets:
                point = f"position={_point(given[x], given[y])}" if given.get(x) is not None else ""
                yield f"{self.element(call, name)}.hover({point})"
            else:
                steps = ", steps=8" if press == "up" else ""
                yield f"{self.page}.mouse.move({given[x]:g}, {given[y]:g}{steps})"
            yield f"{self.page}.mouse.{press}()"

    def _do_scroll(self, call: RecordedCall, given: Mapping[str, Any]) -> Iterator[str]:
        direction = given.get("direction")
        if direction is None:
            yield f"{self.element(call)}.scroll_into_view_if_needed()"
            return
        if call.targets:
            yield f"{self.element(call)}.hover()"
        x, y, far = _SCREEN[direction]
        far = int(given.get("pixels") or far)
        yield f"{self.page}.mouse.wheel({x * far}, {y * far})"

    def _do_fill(self, call: RecordedCall, given: Mapping[str, Any]) -> Iterator[str]:
        yield f"{self.element(call)}.fill({self.text(given['text'])})"

    def _do_type(self, call: RecordedCall, given: Mapping[str, Any]) -> Iterator[str]:
        if not call.targets:
            yield f"{self.page}.keyboard.type({self.text(given['text'])})"
            return
        element = self.element(call)
        one_line = self.tag(next(iter(call.targets.values()))) == "input"
        yield f'{element}.press("{"End" if one_line else "ControlOrMeta+End"}")'
        yield f"{element}.press_sequentially({self.text(given['text'])})"

    def _do_press(self, call: RecordedCall, given: Mapping[str, Any]) -> Iterator[str]:
        where = self.element(call) if call.targets else f"{self.page}.keyboard"
        yield f"{where}.press({self.text(given['key'])})"

    def _do_select_option(self, call: RecordedCall, given: Mapping[str, Any]) -> Iterator[str]:
        labels = [self.text(option) for option in given["options"]]
        label = labels[0] if len(labels) == 1 else f"[{', '.join(labels)}]"
        yield f"{self.element(call)}.select_option(label={label})"

    def _do_check(self, call: RecordedCall, given: Mapping[str, Any]) -> Iterator[str]:
        yield f"{self.element(call)}.{'check' if given.get('checked', True) else 'uncheck'}()"

    def _do_upload(self, call: RecordedCall, given: Mapping[str, Any]) -> Iterator[str]:
        files = [self._files(name) for name in given["resources"]]
        told = files[0] if len(files) == 1 else f"[{', '.join(files)}]"
        signature = next(iter(call.targets.values())).signature
        if signature is not None and signature.type == "file":
            yield f"{self.element(call)}.set_input_files({told})"
            return
        yield f"with {self.page}.expect_file_chooser() as chooser:"
        yield f"\t{self.element(call)}.click()"
        yield f"chooser.value.set_files({told})"

    def _do_wait(self, call: RecordedCall, given: Mapping[str, Any]) -> Iterator[str]:
        if given.get("text") is not None:
            seconds = seconds_more(0.0, call)
            found = (
                f"{self.page}.get_by_text({self.words(given['text'])}).filter(visible=True).first"
            )
            timeout = f"timeout={seconds * 1000:_.0f}" if seconds else ""
            self._helpers.add("expect")
            yield f"expect({found}).to_be_visible({timeout})"

    def _do_navigate(self, call: RecordedCall, given: Mapping[str, Any]) -> Iterator[str]:
        yield f"{self.page}.goto({self.text(given['url'])})"

    def _do_go_back(self, call: RecordedCall, given: Mapping[str, Any]) -> Iterator[str]:
        yield f"{self.page}.go_back()"

    def _do_reload(self, call: RecordedCall, given: Mapping[str, Any]) -> Iterator[str]:
        yield f"{self.page}.reload()"


def _point(x: float, y: float) -> str:
    return f'{{"x": {x:g}, "y": {y:g}}}'


_EXPECTS = 5.0
"""Seconds that `expect` waits if nothing else is said."""


def seconds_more(patience: float, call: RecordedCall) -> float:
    """The longest wait of the calls so far, where it is longer than that of `expect`; else 0."""
    seconds = call.parameters.get("seconds") if call.tool == "wait" else None
    longest = max(patience, float(seconds or 0))
    return longest if longest > _EXPECTS else 0.0


class AssertionWriter(CodeTexts):
    """Says checks of one page; `patience` is how many seconds they may take, 0 as usual."""

    def __init__(
        self,
        page: str,
        expression: Callable[[str], str | None],
        helpers: set[str],
        patience: float = 0.0,
    ) -> None:
        super().__init__(page, expression, helpers)
        self._patience = patience

    def line(self, evidence: Evidence) -> str | None:
        """Return the line of a check, None where plain Playwright has none.

        Raises Unreadable for locators, KeyError for what is missing of the check.
        """
        printed = evidence.check.as_playwright(self, evidence.target)
        if printed is None:
            return None
        about, assertion = printed
        self._helpers.add("expect")
        if self._patience:
            blank = "" if assertion.endswith("()") else ", "
            assertion = f"{assertion[:-1]}{blank}timeout={self._patience * 1000:_.0f})"
        return f"expect({about}).{'not_' if evidence.fails else ''}{assertion}"


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
        self.files: Callable[[str], str] = lambda name: f"RESOURCES / {string_literal(name)}"
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

    def step(self, made: StepTrace, answer: bool | None = None) -> None:
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

    def _sources(self, made: StepTrace, pages: _Pages, patience: float) -> None:
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
            line = AssertionWriter(page, self.expression, self.helpers, patience).line(evidence)
        except (Unreadable, KeyError, TypeError, ValueError) as error:
            self.say(f"{evidence.kind}: it cannot be said: {error}")
            return
        if line is None:
            kind = BY_EYE if evidence.check.by_eye else evidence.kind
            what = evidence.check.describe()
            self.say(f"{kind}, which plain Playwright cannot check: {what}")
        else:
            self._write(line)

    def _call(self, call: RecordedCall, pages: _Pages, following: str) -> None:
        given = call.parameters
        if call.tool == "switch_tab":
            self._switch(str(given["tab"]), pages)
            return
        if call.tool == "close_tab":
            self._close(given.get("tab"), pages)
            return
        acting = ActionWriter(pages.front, self.expression, self.helpers, self.files)
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

    def _speaking(self, pages: _Pages) -> CodeTexts:
        return CodeTexts(pages.front, self.expression, self.helpers)

    def _part(self) -> None:
        """Set the lines to come apart from those before."""
        if self.lines and not self.lines[-1].endswith(".new_page()"):
            self.lines.append("")

    def _write(self, line: str, indent: int = 4) -> None:
        self.lines += format_statement(line, indent)

    def say(self, text: str) -> None:
        """Add a comment."""
        self.lines += [f"    {line}" for line in comment_lines(text)]


def code_of(made: StepTrace) -> list[str]:
    """The lines of one step, each placeholder as the constant that an export would name it."""
    coder = Coder(lambda name: name.upper(), alone=True)
    coder.step(made)
    return [line[4:] for line in coder.lines]


def names_of(made: StepTrace) -> set[str]:
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
