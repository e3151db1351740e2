"""Recorded tool calls as Playwright's actions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from pytest_webtask.recordings.expecting import seconds_more
from pytest_webtask.recordings.speaking import Speaking
from pytest_webtask.recordings.steps import Call

__all__ = ["Acting"]

_WAIT_BY_THEMSELVES = frozenset("navigate go_back reload wait hover scroll".split())
_SCREEN = {"up": (0, -1, 576), "down": (0, 1, 576), "left": (-1, 0, 1024), "right": (1, 0, 1024)}
"""Where the wheel turns, and most of a screen of Playwright's default size."""


class Acting(Speaking):
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

    def lines(self, call: Call, *, opens: bool) -> list[tuple[int, str]] | None:
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

    def _do_click(self, call: Call, given: Mapping[str, Any]) -> Iterator[str]:
        button = 'button="right"' if given.get("button") == "right" else ""
        action = "dblclick" if given.get("double") else "click"
        yield f"{self.element(call)}.{action}({button})"

    def _do_click_at(self, call: Call, given: Mapping[str, Any]) -> Iterator[str]:
        if call.targets:
            yield f"{self.element(call)}.click(position={_point(given['x'], given['y'])})"
        else:
            yield f"{self.page}.mouse.click({given['x']:g}, {given['y']:g})"

    def _do_hover(self, call: Call, given: Mapping[str, Any]) -> Iterator[str]:
        where = given.get("x") is not None
        if call.targets:
            point = f"position={_point(given['x'], given['y'])}" if where else ""
            yield f"{self.element(call)}.hover({point})"
        else:
            yield f"{self.page}.mouse.move({given['x']:g}, {given['y']:g})"

    def _do_drag(self, call: Call, given: Mapping[str, Any]) -> Iterator[str]:
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

    def _do_scroll(self, call: Call, given: Mapping[str, Any]) -> Iterator[str]:
        direction = given.get("direction")
        if direction is None:
            yield f"{self.element(call)}.scroll_into_view_if_needed()"
            return
        if call.targets:
            yield f"{self.element(call)}.hover()"
        x, y, far = _SCREEN[direction]
        far = int(given.get("pixels") or far)
        yield f"{self.page}.mouse.wheel({x * far}, {y * far})"

    def _do_fill(self, call: Call, given: Mapping[str, Any]) -> Iterator[str]:
        yield f"{self.element(call)}.fill({self.text(given['text'])})"

    def _do_type(self, call: Call, given: Mapping[str, Any]) -> Iterator[str]:
        if not call.targets:
            yield f"{self.page}.keyboard.type({self.text(given['text'])})"
            return
        element = self.element(call)
        one_line = self.tag(next(iter(call.targets.values()))) == "input"
        yield f'{element}.press("{"End" if one_line else "ControlOrMeta+End"}")'
        yield f"{element}.press_sequentially({self.text(given['text'])})"

    def _do_press(self, call: Call, given: Mapping[str, Any]) -> Iterator[str]:
        where = self.element(call) if call.targets else f"{self.page}.keyboard"
        yield f"{where}.press({self.text(given['key'])})"

    def _do_select_option(self, call: Call, given: Mapping[str, Any]) -> Iterator[str]:
        labels = [self.text(option) for option in given["options"]]
        label = labels[0] if len(labels) == 1 else f"[{', '.join(labels)}]"
        yield f"{self.element(call)}.select_option(label={label})"

    def _do_check(self, call: Call, given: Mapping[str, Any]) -> Iterator[str]:
        yield f"{self.element(call)}.{'check' if given.get('checked', True) else 'uncheck'}()"

    def _do_upload(self, call: Call, given: Mapping[str, Any]) -> Iterator[str]:
        files = [self._files(name) for name in given["resources"]]
        told = files[0] if len(files) == 1 else f"[{', '.join(files)}]"
        signature = next(iter(call.targets.values())).signature
        if signature is not None and signature.type == "file":
            yield f"{self.element(call)}.set_input_files({told})"
            return
        yield f"with {self.page}.expect_file_chooser() as chooser:"
        yield f"\t{self.element(call)}.click()"
        yield f"chooser.value.set_files({told})"

    def _do_wait(self, call: Call, given: Mapping[str, Any]) -> Iterator[str]:
        if given.get("text") is not None:
            seconds = seconds_more(0.0, call)
            found = (
                f"{self.page}.get_by_text({self.words(given['text'])}).filter(visible=True).first"
            )
            timeout = f"timeout={seconds * 1000:_.0f}" if seconds else ""
            self._helpers.add("expect")
            yield f"expect({found}).to_be_visible({timeout})"

    def _do_navigate(self, call: Call, given: Mapping[str, Any]) -> Iterator[str]:
        yield f"{self.page}.goto({self.text(given['url'])})"

    def _do_go_back(self, call: Call, given: Mapping[str, Any]) -> Iterator[str]:
        yield f"{self.page}.go_back()"

    def _do_reload(self, call: Call, given: Mapping[str, Any]) -> Iterator[str]:
        yield f"{self.page}.reload()"


def _point(x: float, y: float) -> str:
    return f'{{"x": {x:g}, "y": {y:g}}}'
