"""Tools for fields, keys, checkboxes and files."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import Field
from pydantic.json_schema import SkipJsonSchema

from pytest_webtask.checks.element import State, Value
from pytest_webtask.errors import UsageError
from pytest_webtask.page import dom
from pytest_webtask.phrases import WHY
from pytest_webtask.recordings.schema import RecordedCall
from pytest_webtask.tools.mouse import DATA, ActionArgs, ElementActionArgs, act
from pytest_webtask.tools.registry import CallCode, Export, Tool
from pytest_webtask.tools.results import ToolError, playwright_error

if TYPE_CHECKING:
    from playwright.sync_api import Locator

    from pytest_webtask.tools.context import ToolCallContext


def ask_element(locator: Locator, verb: str, timeout: float | None) -> Any:
    """Run an engine verb on an element, waiting up to `timeout` milliseconds for it.

    None waits as long as Playwright does.

    Evaluating in the page's main world instead would take as long as a click in each new document.
    """
    return dom.call(locator, verb, timeout=None if timeout is None else timeout / 1000)


NO_FOCUS = "!document.activeElement || document.activeElement === document.body"

# Insert a text within one task, so that nothing else can take the focus. The result is false if the
# field does not get the focus or does not accept the text.
INSERT = """(e, [text, whole]) => {
  e.focus();
  if (!e.matches(':focus, :focus-within')) return false;
  if (whole) document.execCommand('selectAll');
  return document.execCommand('insertText', false, text);
}"""

# A field focused by a script has its caret at the beginning.
CARET_TO_END = """e => {
  if (e.isContentEditable) {
    getSelection().selectAllChildren(e);
    getSelection().collapseToEnd();
    return;
  }
  try { e.setSelectionRange(e.value.length, e.value.length); } catch { /* has no caret */ }
}"""

TYPED_AT_MOST = 300
"""Length up to which `fill` types key by key, as a user would; longer texts are pasted."""

_PICKED = frozenset(("date", "time", "datetime-local", "month", "week", "color", "range"))


class Fill(ElementActionArgs):
    """A whole new text for a field."""

    text: str = Field(
        description=f'The new value; "" clears the field. {DATA}'
        " Write dates as 2026-12-31, times as 23:59, colors as #ff8800."
    )


class Type(ActionArgs):
    """A text to add."""

    text: str = Field(description=f"The text to type. {DATA}")
    element_id: str | None = Field(
        None,
        description="The field to type into, after what it holds; default: what has the focus.",
    )


class Press(ActionArgs):
    """A key."""

    key: str = Field(
        description="A key or a chord: Enter, Escape, Tab, ArrowDown, Delete, a, Control+A."
    )
    element_id: str | None = Field(
        None, description="The element to focus first; default: what has the focus."
    )


class SelectOption(ElementActionArgs):
    """Options of a native select."""

    options: list[str] = Field(
        min_length=1,
        description="The label of the option, as the outline lists it; several for a multiple"
        f" select. {DATA}",
    )
    shows: SkipJsonSchema[list[str] | None] = Field(
        None,
        description="In a recording: what the page chose again after that, as in a menu of actions.",
    )


class Check(ElementActionArgs):
    """The state that a box shall have."""

    checked: bool = Field(True, description="true to check or choose it, false to uncheck it.")
    stateless: SkipJsonSchema[bool | None] = Field(
        None, description="In a recording: true if its state does not show that it was clicked."
    )


def fill(call: ToolCallContext, args: Fill) -> str:
    """Replace the text of a field; return its value if it differs from the text."""
    text = call.data.fill(args.text)
    inserts = _needs_insertion(call, args.text)

    def enter(locator: Locator) -> tuple[str, str | None, bool]:
        field = _field(locator, call)
        kind = field["type"]
        # Typed line breaks and tabs would be keys, which submit forms and move the focus.
        pasted = len(text) > TYPED_AT_MOST or not text.isprintable() or kind in _PICKED
        if inserts and text and kind not in _PICKED:
            _insert(locator, text, call, whole=True)
        elif pasted:
            locator.fill(text, timeout=call.milliseconds)
        else:
            if not (field["ready"] and text):
                locator.fill("", timeout=call.milliseconds)
            if text:
                locator.press_sequentially(text, timeout=_typing_time(call, text))
                holds, focused = _value(locator)
                if not (holds and focused) or _is_kept(holds, text):
                    return kind, holds, focused
                # A script that rewrites each letter may leave a text that comes at once.
                locator.fill(text, timeout=call.milliseconds)
        return kind, *_value(locator)

    kind, holds, focused = act(call, args, enter)
    call.session.note_debounced_action()
    if text and holds == "":
        raise ToolError(
            "the field is empty after typing: the page rejected the text; call type instead, or fill in"
            " the format that the field accepts"
        )
    if holds is None or holds.split() == text.split():
        return ""
    hidden = kind == "password" or call.data.uses_secret(args.text)
    hidden = hidden or call.session.observer.is_redacted(args.element_id)
    held = "something else than was typed" if hidden else repr(call.data.scrub(holds)[:200])
    if not text:
        raise ToolError(
            f"the field was cleared, but the page filled it again: it now holds {held}. Go on if that"
            " counts as empty, else fill it with the text that it should hold"
        )
    # The page may reformat the text or spread it over several fields.
    if focused and not _is_kept(holds, text):
        part = "only part of the text" if _is_part(holds, text) else "another text"
        raise ToolError(
            f"the field accepted {part}: it now holds {held}. Fill in a text that the field accepts"
        )
    return f"the field now holds {held}"


def type_(call: ToolCallContext, args: Type) -> str:
    """Type at the end of a field, or at the caret."""
    text = call.data.fill(args.text)
    inserts = _needs_insertion(call, args.text)
    if "\t" in text:
        raise ToolError(
            "the text has a tab character, which would move the focus: type the text before the tab, then"
            " press Tab"
        )
    call.session.note_debounced_action()

    def enter(locator: Locator) -> None:
        if not ask_element(locator, "focused", call.milliseconds):
            _focus(locator, call)
            locator.evaluate(CARET_TO_END, timeout=call.milliseconds)
        before, _ = _value(locator)
        if inserts:
            _insert(locator, text, call)
        else:
            locator.press_sequentially(text, timeout=_typing_time(call, text))
        if before is not None and _value(locator)[0] == before:
            raise ToolError(
                "the field did not accept the text: its value has not changed; call fill instead"
            )

    if args.element_id is None:
        _check_focus(call)
        with call.acting(args.dialog, args.dialog_text):
            if inserts:
                _insert(_focused(call), text, call)
                return ""
            nowhere = call.page.evaluate(NO_FOCUS)
            call.page.keyboard.type(text)
        return "no field had the focus: the keys went to the page itself" if nowhere else ""
    with call.acting(args.dialog, args.dialog_text):
        call.on("element_id", args.element_id, enter)
    return ""


def press(call: ToolCallContext, args: Press) -> str:
    """Press a key or chord."""
    call.session.note_debounced_action()

    def push(locator: Locator) -> None:
        if not ask_element(locator, "focused", call.milliseconds):
            _focus(locator, call)
        _check_focus(call)
        locator.press(args.key, timeout=call.milliseconds)

    try:
        if args.element_id is None:
            _check_focus(call)
            with call.acting(args.dialog, args.dialog_text):
                call.page.keyboard.press(args.key)
            return ""
        with call.acting(args.dialog, args.dialog_text):
            call.on("element_id", args.element_id, push)
    except playwright_error() as error:
        if "Unknown key" in str(error):
            raise ToolError(
                f"there is no key {args.key!r}; use names such as Enter, ArrowDown, a, Control+A"
            ) from None
        raise
    return ""


def select_option(call: ToolCallContext, args: SelectOption) -> str:
    """Choose options by their labels."""
    options = [call.data.fill(option) for option in args.options]

    def choose(locator: Locator) -> str:
        listed = _field(locator, call)["options"]
        if listed is None:
            raise ToolError("the element is no native select: click it, then click the option")
        several, labels = listed
        if missing := [o for o in options if o not in labels]:
            # They may have come since the element was found.
            several, labels = ask_element(locator, "field", call.milliseconds)["options"] or listed
            missing = [o for o in options if o not in labels]
        if missing:
            similar = [label for label in labels if missing[0].casefold() in label.casefold()]
            which = "choose one of those that contain it:" if similar else "choose one of:"
            shown = ", ".join(map(repr, (similar or labels)[:30]))
            raise ToolError(f"there is no option {missing[0]!r}; {which} {shown}")
        if len(options) > 1 and not several:
            raise ToolError("the select accepts a single option: pass only one in `options`")
        before = _chosen(locator) if call.looks else args.shows
        locator.select_option(label=options, timeout=call.milliseconds)
        chosen = _chosen(locator)
        if chosen is None or set(options) <= set(chosen):
            return ""
        now = ", ".join(map(repr, chosen)) or "nothing"
        if chosen != before:
            raise ToolError(f"the page changed the choice: {now} is selected now; {WHY}")
        call.recorded["shows"] = chosen
        return f"the page then selected {now} again, as before: see whether the choice took effect"

    return str(act(call, args, choose))


def check(call: ToolCallContext, args: Check) -> str:
    """Click a checkbox or radio unless it has the requested state, and verify the state."""

    def tick(locator: Locator) -> str:
        from pytest_webtask.page.activity import has_reacted, take_moments

        box = _field(locator, call)
        checked = box["checked"]
        if checked is None:
            checked = locator.is_checked(timeout=call.milliseconds)
        if checked is args.checked:
            return ""
        if not args.checked and box["type"] == "radio":
            raise ToolError("a radio button cannot be unchecked: check another one of its group")
        began, before = time.monotonic(), take_moments(call.page) if call.looks else {}
        if box["plain"]:
            locator.click(timeout=call.milliseconds)
        else:
            _press_box(locator, call)
        if args.stateless:
            return ""
        return _await_state(
            locator, args.checked, call, lambda: has_reacted(call.page, began, before)
        )

    return str(act(call, args, tick))


def _press_box(locator: Locator, call: ToolCallContext) -> None:
    """Click a box where a user would: on the part that is drawn for it, such as its label."""
    press = ask_element(locator, "press", call.milliseconds)
    if press["disabled"]:
        handle = locator.element_handle(timeout=call.milliseconds)
        handle.wait_for_element_state("enabled", timeout=call.milliseconds)
    part = locator.locator(f"{dom.NAME}=node:{press['document']}:{press['number']}")
    part.click(position={"x": press["x"], "y": press["y"]}, timeout=call.milliseconds)


def _await_state(
    locator: Locator, checked: bool, call: ToolCallContext, has_reacted: Callable[[], bool]
) -> str:
    """Wait for the state of a box, which may ask a server first or vanish.

    The box of a component may never show its state. Where the page `has_reacted` to the click, a model
    that looks at it decides what came of it.
    """
    end = time.monotonic() + call.step.capped(call.step.timeout)
    while True:
        try:
            if locator.is_checked(timeout=500) is checked:
                return ""
        except playwright_error():
            if not locator.count():
                return "the box was clicked and is no longer on the page"
        if time.monotonic() > end:
            unchanged = (
                f"the box was clicked, but its state did not change within {call.step.timeout:g} s"
            )
            if call.looks and has_reacted():
                call.recorded["stateless"] = True
                return f"{unchanged}, while the page did: see whether the click took effect"
            raise ToolError(f"{unchanged}; {WHY}")
        call.page.wait_for_timeout(50)


def _typing_time(call: ToolCallContext, text: str) -> float | None:
    """Return the timeout for typing a text, in milliseconds, None for Playwright's own."""
    least = 50 * len(text)
    limit = call.milliseconds
    return max(limit, least) if limit is not None else least if least > 30_000 else None


def _check_focus(call: ToolCallContext) -> None:
    """Raise ToolError if a frame of a foreign origin has the focus and would get the keys."""
    from pytest_webtask.page.frames import FRAME_TIMEOUT

    call.session.origins.check_frame(call.page.main_frame)
    for frame in call.session.origins.foreign_frames():
        try:
            focused = dom.call(frame, "origin", timeout=FRAME_TIMEOUT)["focused"]
        except playwright_error():
            focused = not frame.is_detached()
        if focused:
            call.session.origins.check_frame(frame)


def _needs_insertion(call: ToolCallContext, text: str) -> bool:
    """Return whether a text must not be typed because a foreign frame could get keys of its secret."""
    return call.data.uses_secret(text) and bool(call.session.origins.foreign_frames())


def _insert(locator: Locator, text: str, call: ToolCallContext, whole: bool = False) -> None:
    """Insert a text without key presses, at the caret or replacing the `whole` value."""
    with suppress(playwright_error()):  # not all editable elements are fields
        handle = locator.element_handle(timeout=call.milliseconds)
        handle.wait_for_element_state("editable", timeout=call.milliseconds)
    if not locator.evaluate(INSERT, [text, whole], timeout=call.milliseconds):
        raise ToolError(
            "the field did not accept the text: it is read-only or loses the focus; pass the id of an"
            " editable field"
        )


def _focused(call: ToolCallContext) -> Locator:
    """Return the focused element in a frame of an allowed origin."""
    for frame in call.page.frames:
        focused = frame.locator(":focus:not(iframe, frame)")
        if call.session.origins.foreign(frame) is None and focused.count():
            return focused.last
    raise ToolError("no field has the focus: pass the element_id of the field")


def input_type(locator: Locator, call: ToolCallContext) -> str:
    """Return the type of an input, "" for any other element."""
    return str(ask_element(locator, "field", call.milliseconds)["type"])


def _field(locator: Locator, call: ToolCallContext) -> dict[str, Any]:
    """Return the `fieldOf` description of the call's element, from its lookup if there was one."""
    looked = call.looked("element_id")
    return dict(looked["field"] if looked else ask_element(locator, "field", call.milliseconds))


def _focus(locator: Locator, call: ToolCallContext) -> None:
    """Focus an element. Raises ToolError if it does not get the focus."""
    locator.focus(timeout=call.milliseconds)
    if not ask_element(locator, "focused", call.milliseconds):
        raise ToolError(
            "the element does not take the focus. If it is disabled, first do what enables it; if it is"
            " no field, click it, then type into the field that appears"
        )


def _value(locator: Locator) -> tuple[str | None, bool]:
    """Return a field's value, None if it is gone or no field, and whether it has the focus."""
    try:
        held, focused = ask_element(locator, "held", 500)
    except playwright_error():
        return None, False
    return None if held is None else str(held), bool(focused)


def _chosen(locator: Locator) -> list[str] | None:
    """Return the labels of the chosen options, None if the select is gone."""
    try:
        return list(ask_element(locator, "chosen", 500))
    except playwright_error():
        return None


def _is_kept(held: str, typed: str) -> bool:
    """Return whether the value has all typed letters and digits, in their order."""
    rest = iter(_alphanumerics(held))
    return all(each in rest for each in _alphanumerics(typed))


def _is_part(held: str, typed: str) -> bool:
    """Return whether the value is only a part of the typed letters and digits."""
    return _alphanumerics(held) in _alphanumerics(typed)


def _alphanumerics(text: str) -> str:
    return "".join(each for each in text.casefold() if each.isalnum())


def _fill_code(code: CallCode, call: RecordedCall) -> Iterator[str]:
    yield f"{code.element(call)}.fill({code.text(call.parameters['text'])})"


def _type_code(code: CallCode, call: RecordedCall) -> Iterator[str]:
    if not call.targets:
        yield f"{code.page}.keyboard.type({code.text(call.parameters['text'])})"
        return
    element = code.element(call)
    one_line = code.tag(next(iter(call.targets.values()))) == "input"
    yield f'{element}.press("{"End" if one_line else "ControlOrMeta+End"}")'
    yield f"{element}.press_sequentially({code.text(call.parameters['text'])})"


def _press_code(code: CallCode, call: RecordedCall) -> Iterator[str]:
    where = code.element(call) if call.targets else f"{code.page}.keyboard"
    yield f"{where}.press({code.text(call.parameters['key'])})"


def _select_code(code: CallCode, call: RecordedCall) -> Iterator[str]:
    labels = [code.text(option) for option in call.parameters["options"]]
    label = labels[0] if len(labels) == 1 else f"[{', '.join(labels)}]"
    yield f"{code.element(call)}.select_option(label={label})"


def _check_code(code: CallCode, call: RecordedCall) -> Iterator[str]:
    yield f"{code.element(call)}.{_check_method(dict(call.parameters))}()"


def _check_method(arguments: dict[str, Any]) -> str:
    checked = arguments.pop("checked", True)
    if arguments.pop("stateless", False):
        return "click"
    return "check" if checked else "uncheck"


def _value_filled(parameters: dict[str, Any]) -> Value:
    return Value(element_id=parameters["element_id"], value=parameters["text"])


def _value_selected(parameters: dict[str, Any]) -> Value | None:
    options = parameters["options"]
    element_id = parameters["element_id"]
    return Value(element_id=element_id, value=options[0]) if len(options) == 1 else None


def _state_set(parameters: dict[str, Any]) -> State | None:
    if parameters.get("stateless"):
        return None
    element_id = parameters["element_id"]
    return State(element_id=element_id, state="checked" if parameters["checked"] else "unchecked")


FIELD_TOOLS = (
    Tool(
        "fill",
        "Replace all that a field holds, typing like a user, without pressing Enter.",
        Fill,
        fill,
        acts=True,
        export=Export(_fill_code),
        effect=_value_filled,
    ),
    Tool(
        "type",
        "Type text at the caret, or at the end of a field, without clearing it.",
        Type,
        type_,
        acts=True,
        export=Export(_type_code, method="press_sequentially"),
    ),
    Tool(
        "press",
        "Press a key or a chord, such as Enter to send a form.",
        Press,
        press,
        acts=True,
        by_event=True,
        settles=True,
        export=Export(_press_code),
    ),
    Tool(
        "select_option",
        "Choose in a native select, whose options the outline lists.",
        SelectOption,
        select_option,
        acts=True,
        settles=True,
        export=Export(_select_code),
        effect=_value_selected,
    ),
    Tool(
        "check",
        "Set a checkbox, switch or radio, whatever its state is now.",
        Check,
        check,
        acts=True,
        settles=True,
        export=Export(_check_code, method=_check_method),
        effect=_state_set,
    ),
)


class Upload(ElementActionArgs):
    """Files, by the names that the test gives them."""

    element_id: str = Field(
        description="The id of the file field, or of the button or label that opens it."
    )
    resources: list[str] = Field(min_length=1, description="Names of the resources to upload.")


def files_to_upload(resources: Mapping[str, str | Path]) -> dict[str, Path]:
    """Return the files that may be uploaded, by name. Raises UsageError if one is missing."""
    files = {}
    for name, path in resources.items():
        file = Path(path)
        if not file.is_file():
            given = "" if file.is_absolute() else f" ({str(path)!r}, relative to {Path.cwd()})"
            raise UsageError(
                f"the resource {name!r} is missing: there is no file {Path.cwd() / file}{given}; create"
                " it, or correct the path"
            )
        files[name] = file
    return files


def upload(call: ToolCallContext, args: Upload) -> str:
    """Set the files of a file field, or of the chooser that a click opens."""
    names = [call.data.fill(name) for name in args.resources]
    unknown = [name for name in names if name not in call.step.resources]
    if unknown:
        known = ", ".join(sorted(call.step.resources)) or "none"
        raise ToolError(f"there is no resource {unknown[0]!r} to upload; use one of: {known}")
    files = [call.step.resources[name] for name in names]
    for name, file in zip(names, files, strict=True):
        if not file.is_file():
            raise ToolError(
                f"the resource {name!r} can't be uploaded: its file {file.name} no longer exists. Abort"
                " with this as the reason; only the test can restore the file"
            )

    def give(locator: Locator) -> None:
        if input_type(locator, call) == "file":
            if locator.is_disabled(timeout=call.milliseconds):
                raise ToolError("the file field is disabled: first do what enables it")
            locator.set_input_files(files, timeout=call.milliseconds)
            return
        with call.session.tabs.uploading():
            clicked = False
            try:
                with call.page.expect_file_chooser(timeout=call.milliseconds) as chooser:
                    locator.click(timeout=call.milliseconds)
                    clicked = True
            except playwright_error() as error:
                # From here on, another attempt would be another click.
                if not clicked or "filechooser" not in str(error):
                    raise
                raise ToolError(
                    "the element was clicked, but no file chooser opened; pass the id of the file field or"
                    " of its button"
                ) from None
            frame = chooser.value.element.owner_frame()
            if frame is None:
                raise ToolError(
                    "the page removed the file field while its chooser was open: call upload again"
                )
            call.session.origins.check_frame(frame)
            chooser.value.set_files(files, timeout=call.milliseconds)

    act(call, args, give)
    return f"uploaded {', '.join(names)}"


def _upload_code(code: CallCode, call: RecordedCall) -> Iterator[str]:
    files = [code.file(name) for name in call.parameters["resources"]]
    paths = files[0] if len(files) == 1 else f"[{', '.join(files)}]"
    signature = next(iter(call.targets.values())).signature
    if signature is not None and signature.type == "file":
        yield f"{code.element(call)}.set_input_files({paths})"
        return
    yield f"with {code.page}.expect_file_chooser() as chooser:"
    yield f"    {code.element(call)}.click()"
    yield f"chooser.value.set_files({paths})"


FILE_TOOLS = (
    Tool(
        "upload",
        "Upload resources with a file field, or with the button or label that opens a file chooser.",
        Upload,
        upload,
        acts=True,
        settles=True,
        export=Export(_upload_code, method="set_input_files"),
    ),
)
