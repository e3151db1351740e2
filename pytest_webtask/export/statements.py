"""Write recorded steps as plain Playwright for Python: actions, and an `expect` for each check."""

from __future__ import annotations

import keyword
import re
from collections.abc import Callable, Mapping, Sequence

from pytest_webtask.checks.base import BY_EYE
from pytest_webtask.checks.element import State
from pytest_webtask.journal.schema import Evidence, RecordedCall, StepTrace, texts_in
from pytest_webtask.page.locator_parser import Unreadable
from pytest_webtask.page.playwright_code import (
    CodeTexts,
    comment_lines,
    placeholders,
    string_literal,
)
from pytest_webtask.tools.navigation import find_tool
from pytest_webtask.tools.registry import CallCode, Tool, more_seconds


def _lines_of(tool: Tool, call: RecordedCall, code: CallCode, *, opens_tab: bool) -> list[str]:
    """Return the lines of a call. Raises Unreadable for a locator, KeyError for a missing parameter."""
    assert tool.export is not None, "a tool of a project is a comment"
    lines = list(tool.export.statements(code, call))
    if not lines:
        return []
    if call.loads and not tool.export.awaits_load and not opens_tab:
        # Without waiting, the next action could find its element on the page before.
        wait = f'with {code.page}.expect_event("domcontentloaded"):'
        lines = [wait, *(f"    {line}" for line in lines)]
    dialog, text = call.parameters.get("dialog"), call.parameters.get("dialog_text")
    if dialog is not None or text is not None:
        answer = "accept()" if dialog == "accept" else "dismiss()"
        if text is not None:
            answer = f"accept({code.text(text)})"
        lines.insert(0, f'{code.page}.once("dialog", lambda dialog: dialog.{answer})')
    return lines


class AssertionWriter(CodeTexts):
    """Writes checks of one page."""

    def line(self, evidence: Evidence, patience: float = 0.0) -> str | None:
        """Return the line of a check, or None if plain Playwright cannot express it.

        The check may take `patience` seconds, or Playwright's default if 0. Raises Unreadable for a locator, KeyError for a missing argument of the check.
        """
        subject_and_assertion = evidence.check.as_playwright(self, evidence.target)
        if subject_and_assertion is None:
            return None
        subject, assertion = subject_and_assertion
        self._helpers.add("expect")
        if patience:
            comma = "" if assertion.endswith("()") else ", "
            assertion = f"{assertion[:-1]}{comma}timeout={patience * 1000:_.0f})"
        return f"expect({subject}).{'not_' if evidence.fails else ''}{assertion}"


HELPERS = {
    "words": '''\
def words(text: str, flags: int = 0) -> re.Pattern[str]:
    """Match whole words and numbers: "2 items" does not match "12 items" or "1.2 items"."""
    pattern = r"\\s+".join(map(re.escape, text.split())).replace("'", "['’]")
    pattern = pattern.replace(r"\\s+/\\s+", r"(?:\\s*/\\s*|\\s+)")  # line breaks
    before = r"(?<![\\wÀ-ɏ])" if text[:1].isalnum() else ""
    after = r"(?![\\wÀ-ɏ])" if text[-1:].isalnum() else ""
    if re.match(r"[$€£¥₹]?\\s?\\d", text):
        before += r"(?<!\\d[-/:.,'’])(?<!^[-−])(?<![\\s(][-−])(?<![$€£¥₹][-−])"
        before += r"(?<!\\d[ \\u00a0\\u202f])" if re.match(r"\\d{3}(?!\\d)", text) else ""
    if text[-1:].isdigit():
        after += r"(?![-/:.,'’]\\d)"
    return re.compile(before + pattern + after, flags)
''',
    "tab": '''\
def tab(page: Page, title: str = "", number: int = 1) -> Page:
    """Wait for the tab with a title, or for the nth open tab."""
    for _ in range(100):
        pages = [p for p in page.context.pages if title.lower() in p.title().lower()]
        if len(pages) >= number:
            break
        page.wait_for_timeout(50)
    assert len(pages) >= number, f"there is no tab {title or number}"
    return pages[number - 1]
''',
}
"""Functions that exported lines may call; they are written before the test."""
_RESERVED = "page new_context re os expect Page Path Pattern words tab dialog chooser".split()


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


class _Pages:
    """The variables of one webtask's tabs, by the number or title that names the tab."""

    def __init__(self, name: str) -> None:
        self.front = name
        self.known: dict[str, str] = {"1": name}
        self.closed: list[str] = []

    def index(self, number: int) -> int:
        """Return a tab's position among the tabs still open."""
        closed = [tab for tab, name in self.known.items() if name in self.closed]
        return number - sum(tab.isdigit() and int(tab) < number for tab in closed)


class StepWriter:
    """Writes the body of a test, step by step.

    `expression` returns the code for a placeholder, or None for text in braces that is none; it may
    be replaced before each step. `files` returns the code of a resource's path. `helpers` and
    `parameters` collect what the lines use. `states` maps a webtask to the one whose cookies its
    page starts with. With `alone`, no lines are written that open pages.
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
        self.names = names or Names()
        self._alone = alone
        self._pages: dict[str, _Pages] = {}

    def goto(self, webtask: str, url: str) -> None:
        """Write a `goto`."""
        pages = self._of(webtask)
        self._separate()
        address = CodeTexts(pages.front, self.expression, self.helpers).text(url)
        self.write(f"{pages.front}.goto({address})")

    def step(self, step: StepTrace, answer: bool | None = None) -> None:
        """Write a step; `answer` is what its `holds` returned, None to write both answers."""
        pages = self._of(step.webtask)
        self._separate()
        self.comment(step.sentence if step.kind == "do" else f"{step.kind}: {step.sentence}")
        for deviation in step.deviations:
            self.comment(f"deviation: {deviation}")
        before = len(self.lines)
        patience = self._calls(step, pages)
        both = answer is None and bool(step.evidence and step.negative_evidence)
        if both:
            self.comment("either")
        if answer is not False or not step.negative_evidence:
            self._evidence(step.evidence, pages, patience)
        if both:
            self.comment("or")
        if answer is not True or not step.evidence:
            self._evidence(step.negative_evidence, pages, patience)
        self._sources(step, pages, patience)
        if len(self.lines) == before:
            self.comment("(nothing was done or checked)")

    # The parts of a step

    def _calls(self, step: StepTrace, pages: _Pages) -> float:
        """Write the calls of a step; return for how many seconds they were ready to wait."""
        patience = 0.0
        for number, call in enumerate(step.calls):
            if call.evidence:
                self.comment(f"checkpoint: {call.parameters.get('note') or 'without a note'}")
                self._evidence(call.evidence, pages, patience)
                continue
            following = step.calls[number + 1] if number + 1 < len(step.calls) else None
            tool = find_tool(call.tool)
            if tool is not None and tool.waits:
                seconds = float(call.parameters.get("seconds") or 0)
                patience = more_seconds(max(patience, seconds))
            try:
                self._call(tool, call, pages, following)
            except (Unreadable, KeyError, TypeError, ValueError) as error:
                self.comment(f"{call.tool}: cannot be written: {error}")
        return patience

    def _evidence(self, checks: Sequence[Evidence], pages: _Pages, patience: float) -> None:
        # A text may also be absent from the previous page, so check first for texts that are present.
        for evidence in sorted(checks, key=lambda each: each.check.negative or each.fails):
            self._check(evidence, pages, patience)

    def _sources(self, step: StepTrace, pages: _Pages, patience: float) -> None:
        """Write that elements which were read or selected are visible."""
        targets = [e.target for e in step.sources if e.target and e.kind != "count"]
        if step.selected is not None:
            targets.append(step.selected)
        for target in {target.locator: target for target in targets}.values():
            visible = Evidence(check=State(state="visible"), target=target)
            self._check(visible, pages, patience)

    def _check(self, evidence: Evidence, pages: _Pages, patience: float) -> None:
        tab = evidence.tab
        page = pages.front if tab is None else _Tabs(self, pages).variable(str(tab))
        try:
            line = AssertionWriter(page, self.expression, self.helpers).line(evidence, patience)
        except (Unreadable, KeyError, TypeError, ValueError) as error:
            self.comment(f"{evidence.kind}: cannot be written: {error}")
            return
        if line is None:
            kind = BY_EYE if evidence.check.by_eye else evidence.kind
            self.comment(
                f"{kind}, which plain Playwright cannot check: {evidence.check.describe()}"
            )
        elif self.lines[-1:] != [f"    {line}"]:
            self.write(line)

    def _call(
        self, tool: Tool | None, call: RecordedCall, pages: _Pages, following: RecordedCall | None
    ) -> None:
        if tool is None or tool.export is None:
            arguments = (f"{k}={v!r}" for k, v in call.parameters.items() if k != "reason")
            self.comment(f"{call.tool}({', '.join(arguments)}): a tool of the project itself")
            return
        after = find_tool(following.tool) if following else None
        opens_tab = after is not None and after.switches_tab
        tabs = _Tabs(self, pages)
        code = CallCode(pages.front, self.expression, self.helpers, self.files, tabs)
        for line in _lines_of(tool, call, code, opens_tab=opens_tab):
            self.write(line)

    # Pages

    def _of(self, webtask: str) -> _Pages:
        if webtask not in self._pages:
            name = self.names.new(webtask.lower()) if webtask else "page"
            self._pages[webtask] = _Pages(name)
            state = self._pages.get(self.states.get(webtask, webtask))
            if self._alone or (not webtask and state is self._pages[webtask]):
                self.parameters.add("page")
            else:
                self.parameters.add("new_context")
                self._separate()
                cookies = ""
                if state is not None and state is not self._pages[webtask]:
                    cookies = f"storage_state={state.front}.context.storage_state()"
                self.write(f"{name} = new_context({cookies}).new_page()")
        return self._pages[webtask]

    # Writing

    def _separate(self) -> None:
        """Write an empty line between steps."""
        if self.lines and not self.lines[-1].endswith(".new_page()"):
            self.lines.append("")

    def write(self, line: str) -> None:
        """Add a line of code."""
        self.lines.append(f"    {line}")

    def comment(self, text: str) -> None:
        """Add a comment."""
        self.lines += [f"    {line}" for line in comment_lines(text)]


class _Tabs:
    """Writes the statements for the tabs of one webtask."""

    def __init__(self, writer: StepWriter, pages: _Pages) -> None:
        self._writer = writer
        self._pages = pages

    def variable(self, tab: str) -> str:
        """Return the variable of a tab, written first if it has none yet."""
        writer, pages = self._writer, self._pages
        if tab not in pages.known:
            writer.helpers.add("tab")
            title = CodeTexts(pages.front, writer.expression, writer.helpers).text(tab)
            which = f"number={pages.index(int(tab))}" if tab.isdigit() else title
            name = writer.names.new(f"tab_{tab}".lower() if tab.isdigit() else "tab_opened")
            writer.write(f"{name} = tab({pages.front}, {which})")
            pages.known[tab] = name
        return pages.known[tab]

    def switch(self, tab: str) -> None:
        """Write that a tab is brought to the front."""
        known = tab in self._pages.known
        self._pages.front = self.variable(tab)
        if known:
            self._writer.write(f"{self._pages.front}.bring_to_front()")

    def close(self) -> None:
        """Write that the tab in front is closed."""
        pages = self._pages
        self._writer.write(f"{pages.front}.close()")
        pages.closed.append(pages.front)
        open_tabs = [tab for tab in pages.known.values() if tab not in pages.closed]
        pages.front = open_tabs[-1] if open_tabs else pages.front


def code_of(step: StepTrace) -> list[str]:
    """Return the lines of one step, with its placeholders as constants."""
    writer = StepWriter(lambda name: name.upper(), alone=True)
    writer.step(step)
    return [line[4:] for line in writer.lines]


def placeholder_names(step: StepTrace) -> set[str]:
    """Return the names of all placeholders in a step."""
    fields = step.model_dump(mode="json", exclude={"approved", "decided", "facts"})
    return {name for text in texts_in(fields) for name in placeholders(text)}
