"""Write recorded steps as plain Playwright for Python: actions, and an `expect` for each check."""

from __future__ import annotations

import keyword
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from pytest_webtask.checks.base import BY_EYE
from pytest_webtask.checks.element import State
from pytest_webtask.journal import PageOpened
from pytest_webtask.journal.schema import Evidence, RecordedCall, StepTrace
from pytest_webtask.page.locator_parser import Unreadable
from pytest_webtask.page.playwright_code import (
    CodeTexts,
    comment_lines,
    string_literal,
)
from pytest_webtask.tools.navigation import find_tool
from pytest_webtask.tools.registry import CallCode, Tool


def _lines_of(tool: Tool, call: RecordedCall, code: CallCode, *, opens_tab: bool) -> list[str]:
    """Return the lines of a call. Raises Unreadable for a locator, KeyError for a missing parameter."""
    assert tool.code is not None, "a tool of a project is a comment"
    lines = list(tool.code(code, call))
    if call.loads and tool.changes and tool.acts and not opens_tab:
        # Without waiting, the next action could find its element on the page before, also where a script draws it.
        wait = f'with {code.page}.expect_event("framenavigated", lambda frame: not frame.parent_frame):'
        lines = [wait, *(f"    {line}" for line in lines)]
    if "dialog" in call.parameters or "dialog_text" in call.parameters:
        answer = "accept()" if call.parameters.get("dialog") == "accept" else "dismiss()"
        if (text := call.parameters.get("dialog_text")) is not None:
            answer = f"accept({code.text(text)})"
        lines.insert(0, f'{code.page}.once("dialog", lambda dialog: dialog.{answer})')
    return lines


_RESERVED = (
    "page new_context re os expect Page Path Pattern words tab dialog chooser frame int".split()
)


class Names:
    """Unique names for variables."""

    def __init__(self) -> None:
        self._taken = set(_RESERVED)

    def new(self, text: str) -> str:
        """Return a name derived from a text, with a number appended if it is taken."""
        name = re.sub(r"\W+", "_", text, flags=re.ASCII).strip("_") or "value"
        if name[0].isdigit() or keyword.iskeyword(name.lower()):
            name = f"the_{name}" if name.islower() else f"THE_{name}"
        unique, number = name, 2
        while unique in self._taken:
            unique, number = f"{name}_{number}", number + 1
        self._taken.add(unique)
        return unique


class _Tabs:
    """The variables of one webtask's tabs, by the number or title that names the tab; writes what they need."""

    def __init__(self, writer: StepWriter, name: str) -> None:
        self._writer = writer
        self.front = name
        self._known: dict[str, str] = {"1": name}
        self._closed: list[str] = []

    def variable(self, tab: str) -> str:
        """Return the variable of a tab, written first if it has none yet."""
        writer = self._writer
        if tab not in self._known:
            writer.helpers |= {"tab", "Page"}
            name = writer.names.new(f"tab_{tab}" if tab.isdigit() else "tab_opened")
            writer.write(f"{name} = tab({self.front}, {self._which(tab)})")
            self._known[tab] = name
        return self._known[tab]

    def _which(self, tab: str) -> str:
        """Return the code that tells a tab: its title, or its place among those still open."""
        if not tab.isdigit():
            return CodeTexts(self.front, self._writer.expression, self._writer.helpers).text(tab)
        closed = [int(each) for each, name in self._known.items() if name in self._closed]
        return f"number={int(tab) - sum(each < int(tab) for each in closed)}"

    def switch(self, tab: str) -> None:
        """Write that a tab is brought to the front."""
        known = tab in self._known
        self.front = self.variable(tab)
        if known:
            self._writer.write(f"{self.front}.bring_to_front()")

    def close(self) -> None:
        """Write that the tab in front is closed."""
        self._writer.write(f"{self.front}.close()")
        self._closed.append(self.front)
        left = [each for each in self._known.values() if each not in self._closed]
        self.front = [self.front, *left][-1]


class StepWriter:
    """Writes the body of a test, step by step.

    `expression` returns the code for a placeholder, or None for text in braces that is none; it may
    be replaced before each step. `files` returns the code of a resource's path. `helpers` and
    `parameters` collect what the lines use. `opened` says how the page of each webtask began. With `alone`, no lines
    are written that open pages.
    """

    def __init__(
        self,
        expression: Callable[[str], str | None],
        names: Names | None = None,
        opened: Mapping[str, PageOpened] | None = None,
        *,
        alone: bool = False,
    ) -> None:
        self.lines: list[str] = []
        self.expression = expression
        self.files: Callable[[str], str] = lambda name: f"RESOURCES / {string_literal(name)}"
        self.helpers: set[str] = set()
        self.parameters: set[str] = set()
        self.names = names or Names()
        self._alone = alone
        self._opened = opened or {}
        self._pages: dict[str, _Tabs] = {}

    def goto(self, webtask: str, url: str) -> None:
        """Write a `goto`."""
        front = self._of(webtask).front
        self._separate()
        address = CodeTexts(front, self.expression, self.helpers).text(url)
        self.write(f"{front}.goto({address})")

    def step(self, step: StepTrace, answer: bool | None = None, then: str = "") -> None:
        """Write a step; `answer` is what its `holds` returned, None to write both answers.

        `then` is the code of a call of the selected element.
        """
        tabs = self._of(step.webtask)
        self._separate()
        self.comment(step.sentence if step.kind == "do" else f"{step.kind}: {step.sentence}")
        for deviation in step.deviations:
            self.comment(f"deviation: {deviation}")
        before = len(self.lines)
        self._calls(step, tabs)
        yes, no = step.evidence, step.negative_evidence
        if answer is None and yes and no:
            self.comment("either")
            self._evidence(yes, tabs)
            self.comment("or")
            self._evidence(no, tabs)
        else:
            self._evidence((no or yes) if answer is False else (yes or no), tabs)
        self._sources(step, tabs)
        if step.selected and then:
            with self._readable("select"):
                found = CodeTexts(tabs.front, self.expression, self.helpers).found(step.selected)
                self.write(f"{found}{then}")
        if len(self.lines) == before:
            self.comment("(nothing was done or checked)")

    # The parts of a step

    def _calls(self, step: StepTrace, tabs: _Tabs) -> None:
        following = (*step.calls[1:], None)
        for call, after in zip(step.calls, following, strict=False):
            if call.evidence:
                self.comment(f"checkpoint: {call.parameters.get('note') or 'without a note'}")
                self._evidence(call.evidence, tabs)
                continue
            tool = find_tool(call.tool)
            with self._readable(call.tool):
                self._call(tool, call, tabs, after)

    @contextmanager
    def _readable(self, what: str) -> Iterator[None]:
        try:
            yield
        except (Unreadable, KeyError, TypeError, ValueError) as error:
            self.comment(f"{what}: cannot be written: {error}")

    def _evidence(self, checks: Sequence[Evidence], tabs: _Tabs) -> None:
        # A text may also be absent from the previous page, so check first for texts that are present.
        for evidence in sorted(checks, key=lambda each: each.check.negative or each.fails):
            with self._readable(evidence.check.kind):
                self._check(evidence, tabs)

    def _sources(self, step: StepTrace, tabs: _Tabs) -> None:
        targets = [each.target for each in step.sources if each.kind != "count"]
        read = {each.locator: each for each in (*targets, step.selected) if each is not None}
        visible = State(state="visible")
        self._evidence([Evidence(check=visible, target=e) for e in read.values()], tabs)

    def _check(self, evidence: Evidence, tabs: _Tabs) -> None:
        page = tabs.front if evidence.tab is None else tabs.variable(str(evidence.tab))
        code = CodeTexts(page, self.expression, self.helpers)
        written = evidence.check.as_playwright(code, evidence.target)
        if written is None:
            kind = BY_EYE if evidence.check.by_eye else evidence.check.kind
            what = evidence.check.describe()
            self.comment(f"{kind}, which plain Playwright cannot check: {what}")
            return
        subject, assertion = written
        self.helpers.add("expect")
        line = f"expect({subject}).{'not_' if evidence.fails else ''}{assertion}"
        if self.lines[-1:] != [f"    {line}"]:
            self.write(line)

    def _call(
        self, tool: Tool | None, call: RecordedCall, tabs: _Tabs, following: RecordedCall | None
    ) -> None:
        if tool and tool.switches_tab:
            tabs.switch(str(call.parameters["tab"]))
            return
        if call.tool == "close_tab":
            tabs.close()
            return
        if tool is None or tool.code is None:
            arguments = (f"{k}={v!r}" for k, v in call.parameters.items() if k != "reason")
            self.comment(f"{call.tool}({', '.join(arguments)}): a tool of the project itself")
            return
        after = find_tool(following.tool) if following else None
        opens_tab = after is not None and after.switches_tab
        code = CallCode(tabs.front, self.expression, self.helpers, self.files)
        for line in _lines_of(tool, call, code, opens_tab=opens_tab):
            self.write(line)

    # Pages

    def _of(self, webtask: str) -> _Tabs:
        if webtask in self._pages:
            return self._pages[webtask]
        name = self.names.new(webtask.lower()) if webtask else "page"
        tabs = self._pages[webtask] = _Tabs(self, name)
        began = self._opened.get(webtask, PageOpened(browser=""))
        self._separate()
        if self._alone or not webtask:
            self.parameters |= {"page", "Page"}
        else:
            self.parameters.add("new_context")
            state = ""
            if began.cookies:
                self.comment(
                    "It began with cookies, as after a log-in: pass the path of its storage_state()."
                )
                self.helpers.add("os")
                state = f"storage_state=os.environ[{string_literal(f'{name.upper()}_STATE')}]"
            self.write(f"{name} = new_context({state}).new_page()")
        if began.url != "about:blank":
            self.comment(f"left out: what was done before on this page, which was at {began.url}")
        return tabs

    # Writing

    def _separate(self) -> None:
        if self.lines and not self.lines[-1].endswith(".new_page()"):
            self.lines.append("")

    def write(self, line: str) -> None:
        """Add a line of code."""
        self.lines.append(f"    {line}")

    def comment(self, text: str) -> None:
        """Add a comment."""
        self.lines += [f"    {line}" for line in comment_lines(text)]


def code_of(step: StepTrace) -> list[str]:
    """Return the lines of one step, with its placeholders as constants."""
    writer = StepWriter(lambda name: name.upper(), alone=True)
    writer.step(step)
    return [line[4:] for line in writer.lines]
