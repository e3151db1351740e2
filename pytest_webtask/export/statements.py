"""Write recorded steps as plain Playwright for Python: actions, and an `expect` for each check."""

from __future__ import annotations

import keyword
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from pytest_webtask.checks.base import BY_EYE
from pytest_webtask.checks.element import State
from pytest_webtask.page.locator_parser import Unreadable
from pytest_webtask.playwright_code import (
    CodeTexts,
    comment_lines,
    placeholders,
    string_literal,
)
from pytest_webtask.recordings.schema import Evidence, RecordedCall, StepTrace

__all__ = [
    "HELPERS",
    "ActionWriter",
    "AssertionWriter",
    "Names",
    "StepWriter",
    "code_of",
    "names_of",
    "seconds_more",
]


_WAIT_BY_THEMSELVES = frozenset("navigate go_back reload wait hover scroll".split())
_SCREEN = {"up": (0, -1, 576), "down": (0, 1, 576), "left": (-1, 0, 1024), "right": (1, 0, 1024)}
"""By direction: the signs of x and y, and most of a viewport of Playwright's default size."""


class ActionWriter(CodeTexts):
    """Writes actions on one page; `files` returns the code of a resource's path."""

    def __init__(
        self,
        page: str,
        expression: Callable[[str], str | None],
        helpers: set[str],
        files: Callable[[str], str],
    ) -> None:
        super().__init__(page, expression, helpers)
        self._files = files

    def lines(self, call: RecordedCall, *, opens_tab: bool) -> list[str] | None:
        """Return the lines of a call, or None for a project's own tool.

        Raises Unreadable for a locator, KeyError for a missing parameter.
        """
        write = getattr(self, f"_do_{call.tool}", None)
        if write is None:
            return None
        lines = list(write(call))
        if call.loads and call.tool not in _WAIT_BY_THEMSELVES and not opens_tab:
            # Without waiting, the next action could find its element on the page before.
            wait = f'with {self.page}.expect_event("domcontentloaded"):'
            lines = [wait, *(f"    {line}" for line in lines)]
        dialog, text = call.parameters.get("dialog"), call.parameters.get("dialog_text")
        if dialog is not None or text is not None:
            answer = "accept()" if dialog == "accept" else "dismiss()"
            if text is not None:
                answer = f"accept({self.text(text)})"
            lines.insert(0, f'{self.page}.once("dialog", lambda dialog: dialog.{answer})')
        return lines

    def element(self, call: RecordedCall, parameter: str = "element_id") -> str:
        """Return the locator of a call's element. Raises Unreadable."""
        if parameter not in call.targets:
            if len(call.targets) != 1:
                raise Unreadable(f"the recorded call has no target {parameter!r}")
            parameter = next(iter(call.targets))
        return self.located(call.targets[parameter].locator)

    # One method for each tool

    def _do_click(self, call: RecordedCall) -> Iterator[str]:
        button = 'button="right"' if call.parameters.get("button") == "right" else ""
        action = "dblclick" if call.parameters.get("double") else "click"
        yield f"{self.element(call)}.{action}({button})"

    def _do_click_at(self, call: RecordedCall) -> Iterator[str]:
        parameters = call.parameters
        if call.targets:
            yield f"{self.element(call)}.click(position={_point(parameters['x'], parameters['y'])})"
        else:
            yield f"{self.page}.mouse.click({parameters['x']:g}, {parameters['y']:g})"

    def _do_hover(self, call: RecordedCall) -> Iterator[str]:
        parameters = call.parameters
        if call.targets:
            is_point = parameters.get("x") is not None
            point = f"position={_point(parameters['x'], parameters['y'])}" if is_point else ""
            yield f"{self.element(call)}.hover({point})"
        else:
            yield f"{self.page}.mouse.move({parameters['x']:g}, {parameters['y']:g})"

    def _do_drag(self, call: RecordedCall) -> Iterator[str]:
        parameters = call.parameters
        ends = ("element_id", "x", "y"), ("to_element_id", "to_x", "to_y")
        if all(name in call.targets for name, _, _ in ends):
            options = [self.element(call, "to_element_id")]
            for (_, x, y), name in zip(ends, ("source_position", "target_position"), strict=True):
                if parameters.get(x) is not None:
                    options.append(f"{name}={_point(parameters[x], parameters[y])}")
            yield f"{self.element(call)}.drag_to({', '.join(options)}, steps=8)"
            return
        for (name, x, y), press in zip(ends, ("down", "up"), strict=True):
            if name in call.targets:
                is_point = parameters.get(x) is not None
                point = f"position={_point(parameters[x], parameters[y])}" if is_point else ""
                yield f"{self.element(call, name)}.hover({point})"
            else:
                steps = ", steps=8" if press == "up" else ""
                yield f"{self.page}.mouse.move({parameters[x]:g}, {parameters[y]:g}{steps})"
            yield f"{self.page}.mouse.{press}()"

    def _do_scroll(self, call: RecordedCall) -> Iterator[str]:
        direction = call.parameters.get("direction")
        if direction is None:
            yield f"{self.element(call)}.scroll_into_view_if_needed()"
            return
        if call.targets:
            yield f"{self.element(call)}.hover()"
        x, y, far = _SCREEN[direction]
        far = int(call.parameters.get("pixels") or far)
        yield f"{self.page}.mouse.wheel({x * far}, {y * far})"

    def _do_fill(self, call: RecordedCall) -> Iterator[str]:
        yield f"{self.element(call)}.fill({self.text(call.parameters['text'])})"

    def _do_type(self, call: RecordedCall) -> Iterator[str]:
        if not call.targets:
            yield f"{self.page}.keyboard.type({self.text(call.parameters['text'])})"
            return
        element = self.element(call)
        one_line = self.tag(next(iter(call.targets.values()))) == "input"
        yield f'{element}.press("{"End" if one_line else "ControlOrMeta+End"}")'
        yield f"{element}.press_sequentially({self.text(call.parameters['text'])})"

    def _do_press(self, call: RecordedCall) -> Iterator[str]:
        where = self.element(call) if call.targets else f"{self.page}.keyboard"
        yield f"{where}.press({self.text(call.parameters['key'])})"

    def _do_select_option(self, call: RecordedCall) -> Iterator[str]:
        labels = [self.text(option) for option in call.parameters["options"]]
        label = labels[0] if len(labels) == 1 else f"[{', '.join(labels)}]"
        yield f"{self.element(call)}.select_option(label={label})"

    def _do_check(self, call: RecordedCall) -> Iterator[str]:
        yield f"{self.element(call)}.{'check' if call.parameters.get('checked', True) else 'uncheck'}()"

    def _do_upload(self, call: RecordedCall) -> Iterator[str]:
        files = [self._files(name) for name in call.parameters["resources"]]
        paths = files[0] if len(files) == 1 else f"[{', '.join(files)}]"
        signature = next(iter(call.targets.values())).signature
        if signature is not None and signature.type == "file":
            yield f"{self.element(call)}.set_input_files({paths})"
            return
        yield f"with {self.page}.expect_file_chooser() as chooser:"
        yield f"    {self.element(call)}.click()"
        yield f"chooser.value.set_files({paths})"

    def _do_wait(self, call: RecordedCall) -> Iterator[str]:
        if call.parameters.get("text") is not None:
            seconds = seconds_more(0.0, call)
            text = f"{self.page}.get_by_text({self.words(call.parameters['text'])})"
            timeout = f"timeout={seconds * 1000:_.0f}" if seconds else ""
            self._helpers.add("expect")
            yield f"expect({text}.filter(visible=True).first).to_be_visible({timeout})"

    def _do_navigate(self, call: RecordedCall) -> Iterator[str]:
        yield f"{self.page}.goto({self.text(call.parameters['url'])})"

    def _do_go_back(self, call: RecordedCall) -> Iterator[str]:
        yield f"{self.page}.{call.tool}()"

    _do_reload = _do_go_back


def _point(x: float, y: float) -> str:
    return f'{{"x": {x:g}, "y": {y:g}}}'


_EXPECTS = 5.0
"""The default timeout of `expect`, in seconds."""


def seconds_more(patience: float, call: RecordedCall) -> float:
    """Return the longest wait of the calls so far, or 0 if `expect` waits as long by default."""
    seconds = call.parameters.get("seconds") if call.tool == "wait" else None
    longest = max(patience, float(seconds or 0))
    return longest if longest > _EXPECTS else 0.0


class AssertionWriter(CodeTexts):
    """Writes checks of one page; they may take `patience` seconds, or Playwright's default if 0."""

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
        """Return the line of a check, or None if plain Playwright cannot express it.

        Raises Unreadable for a locator, KeyError for a missing argument of the check.
        """
        subject_and_assertion = evidence.check.as_playwright(self, evidence.target)
        if subject_and_assertion is None:
            return None
        subject, assertion = subject_and_assertion
        self._helpers.add("expect")
        if self._patience:
            comma = "" if assertion.endswith("()") else ", "
            assertion = f"{assertion[:-1]}{comma}timeout={self._patience * 1000:_.0f})"
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
        self._names = names or Names()
        self._alone = alone
        self._pages: dict[str, _Pages] = {}

    def goto(self, webtask: str, url: str) -> None:
        """Write a `goto`."""
        pages = self._of(webtask)
        self._separate()
        self._write(f"{pages.front}.goto({self._code(pages).text(url)})")

    def step(self, step: StepTrace, answer: bool | None = None) -> None:
        """Write a step; `answer` is what its `holds` returned, None to write both answers."""
        pages = self._of(step.webtask)
        self._separate()
        self.comment(step.sentence if step.kind == "do" else f"{step.kind}: {step.sentence}")
        before = len(self.lines)
        patience = 0.0
        for number, call in enumerate(step.calls):
            following = step.calls[number + 1].tool if number + 1 < len(step.calls) else ""
            patience = seconds_more(patience, call)
            try:
                self._call(call, pages, following)
            except (Unreadable, KeyError, TypeError, ValueError) as error:
                self.comment(f"{call.tool}: cannot be written: {error}")
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

    def _check(self, evidence: Evidence, pages: _Pages, patience: float = 0.0) -> None:
        tab = evidence.tab
        page = pages.front if tab is None else self._tab(str(tab), pages)
        try:
            line = AssertionWriter(page, self.expression, self.helpers, patience).line(evidence)
        except (Unreadable, KeyError, TypeError, ValueError) as error:
            self.comment(f"{evidence.kind}: cannot be written: {error}")
            return
        if line is None:
            kind = BY_EYE if evidence.check.by_eye else evidence.kind
            self.comment(
                f"{kind}, which plain Playwright cannot check: {evidence.check.describe()}"
            )
        else:
            self._write(line)

    def _call(self, call: RecordedCall, pages: _Pages, following: str) -> None:
        if call.tool == "switch_tab":
            self._switch(str(call.parameters["tab"]), pages)
            return
        if call.tool == "close_tab":
            self._close(call.parameters.get("tab"), pages)
            return
        writer = ActionWriter(pages.front, self.expression, self.helpers, self.files)
        lines = writer.lines(call, opens_tab=following == "switch_tab")
        if lines is None:
            arguments = (f"{k}={v!r}" for k, v in call.parameters.items() if k != "reason")
            self.comment(f"{call.tool}({', '.join(arguments)}): a tool of the project itself")
            return
        for line in lines:
            self._write(line)

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
                self._separate()
                cookies = ""
                if state is not None and state is not self._pages[webtask]:
                    cookies = f"storage_state={state.front}.context.storage_state()"
                self._write(f"{name} = new_context({cookies}).new_page()")
        return self._pages[webtask]

    def _tab(self, tab: str, pages: _Pages) -> str:
        """Return the variable of a tab, written first if it has none yet."""
        if tab not in pages.known:
            self.helpers.add("tab")
            title = self._code(pages).text(tab)
            which = f"number={pages.index(int(tab))}" if tab.isdigit() else title
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
            open_tabs = [tab for tab in pages.known.values() if tab not in pages.closed]
            pages.front = open_tabs[-1] if open_tabs else name

    # Writing

    def _code(self, pages: _Pages) -> CodeTexts:
        return CodeTexts(pages.front, self.expression, self.helpers)

    def _separate(self) -> None:
        """Write an empty line between steps."""
        if self.lines and not self.lines[-1].endswith(".new_page()"):
            self.lines.append("")

    def _write(self, line: str) -> None:
        self.lines.append(f"    {line}")

    def comment(self, text: str) -> None:
        """Add a comment."""
        self.lines += [f"    {line}" for line in comment_lines(text)]


def code_of(step: StepTrace) -> list[str]:
    """Return the lines of one step, with its placeholders as constants."""
    writer = StepWriter(lambda name: name.upper(), alone=True)
    writer.step(step)
    return [line[4:] for line in writer.lines]


def names_of(step: StepTrace) -> set[str]:
    """Return the names of all placeholders in a step."""
    fields = step.model_dump(mode="json", exclude={"approved", "decided", "facts"})
    return {name for text in _strings(fields) for name in placeholders(text)}


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from _strings(each)
    elif isinstance(value, list):
        for each in value:
            yield from _strings(each)
