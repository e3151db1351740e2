"""Tools for fields, keys, checkboxes and files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field
from pydantic.json_schema import SkipJsonSchema

from pytest_webtask.data.phrases import WHY
from pytest_webtask.data.text import says, squashed, uncounted
from pytest_webtask.data.values import map_strings
from pytest_webtask.errors import UsageError
from pytest_webtask.journal.schema import RecordedCall
from pytest_webtask.page import dom
from pytest_webtask.tools.effects import Effect
from pytest_webtask.tools.mouse import DATA, ActionArgs, ElementActionArgs, act
from pytest_webtask.tools.registry import CallCode, Export, Tool
from pytest_webtask.tools.results import ToolError, playwright_error

if TYPE_CHECKING:
    from playwright.sync_api import Frame, Locator

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

_AMONG_FILE_FIELDS = "e => [...document.querySelectorAll('input[type=file]')].indexOf(e)"

# A field focused by a script has its caret at the beginning.
CARET_TO_END = """e => {
  if (e.isContentEditable) {
    getSelection().selectAllChildren(e);
    getSelection().collapseToEnd();
    return;
  }
  try { e.setSelectionRange(e.value.length, e.value.length); } catch { /* has no caret */ }
}"""

KEY_NAMES = {"Esc": "Escape", "Return": "Enter", "Ctrl": "Control", "Del": "Delete"}
"""Playwright's names of keys that users call otherwise."""

TYPED_AT_MOST = 300
"""Length up to which `fill` types key by key, as a user would; longer texts are pasted."""

_PICKED = frozenset(("date", "time", "datetime-local", "month", "week", "color", "range"))


Left = Annotated[
    SkipJsonSchema[Any],
    Field(description="In a recording: what the element held afterwards, if that differs."),
]


class Fill(ElementActionArgs):
    """A whole new text for a field."""

    text: str = Field(
        description=f'The new value; "" clears the field. {DATA}'
        " Write dates as 2026-12-31, times as 23:59, colors as #ff8800."
    )
    left: Left = None


class Type(ActionArgs):
    """A text to add."""

    text: str = Field(description=f"The text to type. {DATA}")
    element_id: str | None = Field(
        None,
        description="The field to type into, after what it holds; default: what has the focus.",
    )
    left: Left = None


class Press(ActionArgs):
    """A key."""

    key: str = Field(
        description="A key or a chord: Enter, Escape, Tab, ArrowDown, Delete, a, Control+A."
    )
    element_id: str | None = Field(
        None, description="The element to focus first; default: what has the focus."
    )


class SelectOption(ElementActionArgs):
    """Options of a native select, or one of a combobox."""

    options: list[str] = Field(
        min_length=1,
        description="The label of the option, as the outline lists it; several for a multiple"
        f" select, which keeps those that this task chose before. {DATA}",
    )
    group: str | None = Field(
        None,
        description="The label of the options' group, where another group has one of that name.",
    )
    left: Left = None
    drawn: SkipJsonSchema[Literal["list", "typed"] | None] = Field(
        None, description="In a recording: a combobox, which may be typed in, in place of a select."
    )


class Check(ElementActionArgs):
    """The state that a box shall have."""

    checked: bool = Field(True, description="true to check or choose it, false to uncheck it.")
    left: Left = None


def fill(call: ToolCallContext, args: Fill) -> str:
    """Replace the text of a field."""
    text = call.data.fill(args.text)
    inserts = _needs_insertion(call, args.text)

    def enter(locator: Locator) -> str:
        effect = _effect(call, args, "text", text)
        field = _field(locator, call)
        if field["slides"]:
            raise ToolError(
                "the page draws this slider itself: press ArrowRight or ArrowLeft on it instead"
            )
        if inserts and text and field["type"] not in _PICKED:
            _insert(locator, text, call, whole=True)
        else:
            _enter(locator, text, field, call)
        if kept := (call.looked("element_id") or {}).get("kept"):
            call.step.effects.take(effect, kept)
            return ""
        return _settled(call, effect, locator)

    result = str(act(call, args, enter))
    call.session.note_debounced_action()
    return result


def _enter(locator: Locator, text: str, field: Mapping[str, Any], call: ToolCallContext) -> None:
    """Type or paste a text in place of the old one."""
    # Typed line breaks and tabs would be keys, which submit forms and move the focus.
    if len(text) > TYPED_AT_MOST or not text.isprintable() or field["type"] in _PICKED:
        locator.fill(text, timeout=call.milliseconds)
        return
    if not (field["ready"] and text):
        locator.fill("", timeout=call.milliseconds)
    if text:
        locator.press_sequentially(text, timeout=_typing_time(call, text))


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

    def enter(locator: Locator) -> str:
        if not ask_element(locator, "focused", call.milliseconds):
            _focus(locator, call)
            locator.evaluate(CARET_TO_END, timeout=call.milliseconds)
        held, before, after = ask_element(locator, "held", call.milliseconds)
        if inserts:
            _insert(locator, text, call)
        else:
            locator.press_sequentially(text, timeout=_typing_time(call, text))
        if held is None or "\n" in text:
            return ""  # Enter may have sent what the field held.
        effect = _effect(call, args, "text", before + text + after)
        return _settled(call, effect, locator)

    with call.acting(args):
        if args.element_id is not None:
            return str(call.on("element_id", args.element_id, enter))
        _check_focus(call)
        if inserts:
            raise ToolError(
                "beside a frame of another origin a secret goes into a field alone: pass its element_id"
            )
        nowhere = call.page.evaluate(NO_FOCUS)
        call.page.keyboard.type(text)
    return "no field had the focus: the keys went to the page itself" if nowhere else ""


def _effect(
    call: ToolCallContext,
    args: Fill | Type | SelectOption | Check | Upload,
    kind: Literal["text", "options", "state", "files"],
    wanted: Any,
) -> Effect:
    """Return the effect that a call is to have on its element."""
    effect = Effect(
        kind, wanted, call.targets.get("element_id"), map_strings(args.left, call.data.fill)
    )
    effect.hidden = call.session.observer.is_redacted(args.element_id or "") or (
        isinstance(args, (Fill, Type)) and call.data.uses_secret(args.text)
    )
    return effect


def _settled(call: ToolCallContext, effect: Effect, locator: Locator) -> str:
    """Watch the element of an effect; return what it holds if a model may accept that, "" if it fits.

    Raises ToolError for what the page has refused.
    """
    effects = call.step.effects
    is_shown = partial(effects.shows, effect, locator)
    # A page may draw a box anew when its server has answered.
    seconds = None if effect.kind == "state" else 0.0
    if call.await_effect(is_shown, seconds):
        return ""
    problem = effect.explain(effect.held, call.data.scrub)
    if call.looks and effect.kind != "text" and call.has_reacted():
        effect.left = effect.held
        call.recorded["left"] = call.data.scrub_all(effect.held)
        return f"{problem}: see whether that is meant"
    effects.drop(effect)
    raise ToolError(f"{problem}; {WHY}")


def press(call: ToolCallContext, args: Press) -> str:
    """Press a key or chord."""
    key = "+".join(KEY_NAMES.get(each, each) for each in args.key.split("+"))
    if key != args.key:
        call.recorded["key"] = key
    call.session.note_debounced_action()

    def push(locator: Locator) -> None:
        if not ask_element(locator, "focused", call.milliseconds):
            _focus(locator, call)
        _check_focus(call)
        locator.press(key, timeout=call.milliseconds)

    with call.acting(args):
        if args.element_id is None:
            _check_focus(call)
            call.page.keyboard.press(key)
        else:
            call.on("element_id", args.element_id, push)
    return ""


def select_option(call: ToolCallContext, args: SelectOption) -> str:
    """Choose options by their labels, beside those that this step chose before in a multiple select."""
    options = [call.data.fill(option) for option in args.options]
    group = None if args.group is None else call.data.fill(args.group)

    def choose(locator: Locator) -> str:
        field = _field(locator, call)
        if field["options"] is not None:
            return _select(call, args, locator, field, options, group)
        if not field["chooses"] or len(options) > 1 or group is not None:
            raise ToolError("the element is no native select: click it, then click the option")
        return _choose(call, args, locator, field, options[0])

    return str(act(call, args, choose))


def _select(
    call: ToolCallContext,
    args: SelectOption,
    locator: Locator,
    field: Mapping[str, Any],
    options: Sequence[str],
    group: str | None,
) -> str:
    """Choose options of a native select, once it has them."""
    several, listed = field["options"]
    if len(options) > 1 and not several:
        raise ToolError("the select accepts a single option: pass only one in `options`")
    names, listed = _await_options(call, locator, options, listed)
    at = [_position(call, name, group, listed) for name in names]
    earlier = call.step.effects.of(field["document"], field["number"])
    if several and earlier is not None:
        at = sorted({*at, *(n for n, each in enumerate(listed) if each in earlier.wanted)})
        call.recorded["options"] = [call.data.scrub(listed[n][0]) for n in at]
    wanted = [listed[n] for n in at]
    locator.select_option(index=at, timeout=call.milliseconds)
    groups = {each for _, each in wanted}
    if len(groups) == 1 and "" not in groups:
        call.recorded["group"] = call.data.scrub(min(groups))
    return _settled(call, _effect(call, args, "options", wanted), locator)


def _await_options(
    call: ToolCallContext,
    locator: Locator,
    options: Sequence[str],
    listed: Sequence[Sequence[str]],
) -> tuple[list[str], Sequence[Sequence[str]]]:
    """Return the names of options, and all that a select has, by label and group.

    They may come by what another field has caused; a model knows which there are.
    """
    names = _as_called_now(call, options, listed)

    def are_listed() -> bool:
        nonlocal listed
        listed = ask_element(locator, "field", call.milliseconds)["options"][1]
        return {*options} <= {label for label, _ in listed}

    if not call.looks and not {*names} <= {label for label, _ in listed}:
        call.await_effect(are_listed)
    return _as_called_now(call, options, listed), listed


def _as_called_now(
    call: ToolCallContext, options: Sequence[str], listed: Sequence[Sequence[str]]
) -> list[str]:
    """Return recorded options as they are called now: "Open (3)" may be "Open (5)", unless the sentence says it."""
    sentence = call.data.fill(call.step.step.sentence)
    now = []
    for option in options:
        same = [label for label, _ in listed if uncounted(label) == uncounted(option)]
        if len(same) == 1 and call.replays and not says(sentence, option):
            now += same
        else:
            now.append(option)
    return now


def _position(
    call: ToolCallContext, option: str, group: str | None, listed: Sequence[Sequence[str]]
) -> int:
    """Return the position of an option among those of a select, listed by label and group."""
    fits = [n for n, (label, own) in enumerate(listed) if label == option and group in (None, own)]
    groups = {listed[n][1] for n in fits}
    if len(groups) == 1:
        return fits[0]
    if groups:
        raise ToolError(
            f"the option {option!r} is in several groups: name one of {', '.join(map(repr, sorted(groups)))},"
            f' as in select "{option}" under "{max(groups)}" in ...'
        )
    where = f" under {group!r}" if group else ""
    raise ToolError(f"there is no option {option!r}{where}{_similar(call, option, listed)}")


def _similar(call: ToolCallContext, option: str, listed: Sequence[Sequence[str]]) -> str:
    """Return the end of a sentence with the options that contain a text, or else with all.

    It is "" if they may be redacted.
    """
    if call.data.redact.has_locators:
        return ""
    similar = [each for each in listed if option.casefold() in each[0].casefold()]
    which = "choose one of those that contain it:" if similar else "choose one of:"
    shown = [" under ".join(repr(part) for part in each if part) for each in similar or listed]
    return f"; {which} {', '.join(shown[:30]) or 'none'}"


@dataclass
class _Combobox:
    """A combobox, or list of options, that a page draws itself, and the option to choose in it."""

    call: ToolCallContext
    frame: Frame
    own: Locator
    option: str
    is_list: bool
    place: str = ""

    def look(self) -> dict[str, Any]:
        """Return what it holds, and where its options are."""
        return dict(ask_element(self.own, "combobox", self.call.milliseconds))

    def offered(self) -> Locator:
        """Return the visible options: of the list, or of all if none is known."""
        place = self.own if self.is_list else self.frame.locator(self.place or "html")
        return place.locator("[role=option]").filter(visible=True)

    def named(self) -> Locator:
        """Return the options of that name."""
        named = self.frame.get_by_role("option", name=self.option, exact=True)
        return named.and_(self.offered())

    def is_listed(self) -> bool:
        """Return whether a single option has the name."""
        if not (self.place or self.is_list):
            self.place = self.look()["list"]
        return self.named().count() == 1

    def is_taken(self) -> bool:
        """Return whether it holds the option, or the option is selected."""
        if squashed(self.look()["held"] or "") == self.option:
            return True
        return self.named().and_(self.frame.locator("[aria-selected=true]")).count() > 0


def _choose(
    call: ToolCallContext,
    args: SelectOption,
    locator: Locator,
    field: Mapping[str, Any],
    option: str,
) -> str:
    """Choose an option of an ARIA combobox or list: open it, type if it takes text, and click the option."""
    # What opens may hide the rest of the page from assistive technology, and so from a role.
    frame = locator.element_handle(timeout=call.milliseconds).owner_frame()
    assert frame is not None, "an element that can be operated is in a frame"
    own = dom.node(frame, field["document"], field["number"])
    combobox = _Combobox(call, frame, own, option, field["chooses"] == "listbox")
    before = combobox.look()
    call.recorded["drawn"] = "typed" if before["types"] else "list"
    if not combobox.is_list and not before["open"]:
        own.click(timeout=call.milliseconds)
    if before["types"]:
        if _needs_insertion(call, args.options[0]):
            _insert(own, option, call, whole=True)
        else:
            own.fill(option, timeout=call.milliseconds)
        call.session.note_debounced_action()
    if not call.await_effect(combobox.is_listed):
        labels = [[squashed(each)] for each in combobox.offered().all_inner_texts()]
        raise ToolError(f"no single option is called {option!r}{_similar(call, option, labels)}")
    combobox.named().click(timeout=call.milliseconds)
    if not call.await_effect(combobox.is_taken):
        raise ToolError(f"the page did not take the choice of {option!r}; {WHY}")
    effect = _effect(call, args, "text", option)
    call.step.effects.keep(effect, own)
    if not effect.fits(effect.held):
        # A list holds no text of its own.
        call.step.effects.drop(effect)
    return ""


def check(call: ToolCallContext, args: Check) -> str:
    """Click a checkbox or radio unless it has the requested state, and verify the state."""

    def tick(locator: Locator) -> str:
        effect = _effect(call, args, "state", args.checked)
        box = _field(locator, call)
        checked = box["checked"]
        if checked is None:
            checked = locator.is_checked(timeout=call.milliseconds)
        if checked is args.checked:
            effect.left = None
        elif not args.checked and box["type"] == "radio":
            raise ToolError("a radio button cannot be unchecked: check another one of its group")
        elif box["plain"]:
            locator.click(timeout=call.milliseconds)
        else:
            _press_box(locator, call)
        return _settled(call, effect, locator)

    return str(act(call, args, tick))


def _press_box(locator: Locator, call: ToolCallContext) -> None:
    """Click a box where a user would: on the part that is drawn for it, such as its label."""
    press = ask_element(locator, "press", call.milliseconds)
    if press["disabled"]:
        handle = locator.element_handle(timeout=call.milliseconds)
        handle.wait_for_element_state("enabled", timeout=call.milliseconds)
    part = locator.locator(f"{dom.NAME}=node:{press['document']}:{press['number']}")
    part.click(position={"x": press["x"], "y": press["y"]}, timeout=call.milliseconds)


def _typing_time(call: ToolCallContext, text: str) -> float | None:
    """Return the timeout for typing a text, in milliseconds, None for Playwright's own."""
    limit = call.milliseconds
    return None if limit is None else max(limit, 50.0 * len(text))


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


def _fill_code(code: CallCode, call: RecordedCall) -> Iterator[str]:
    element, text = code.element(call), code.text(call.parameters["text"])
    yield f"{element}.fill({text})"


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
    if drawn := call.parameters.get("drawn"):
        yield f"{code.element(call)}.click()"
        if drawn == "typed":
            yield f"{code.element(call)}.fill({label})"
        yield f'{code.page}.get_by_role("option", name={label}, exact=True).click()'
        return
    yield f"{code.element(call)}.select_option(label={label})"


def _check_code(code: CallCode, call: RecordedCall) -> Iterator[str]:
    yield f"{code.element(call)}.{_check_method(dict(call.parameters))}()"


def _check_method(arguments: dict[str, Any]) -> str:
    checked = arguments.pop("checked", True)
    if arguments.pop("left", None) is not None:
        return "click"
    return "check" if checked else "uncheck"


FIELD_TOOLS = (
    Tool(
        "fill",
        "Replace all that a field holds, typing like a user, without pressing Enter.",
        Fill,
        fill,
        acts=True,
        export=Export(_fill_code),
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
        "Choose in a native select, whose options the outline lists, or one option of a combobox by its text.",
        SelectOption,
        select_option,
        acts=True,
        settles=True,
        export=Export(_select_code),
    ),
    Tool(
        "check",
        "Set a checkbox, switch or radio, whatever its state is now.",
        Check,
        check,
        acts=True,
        settles=True,
        export=Export(_check_code, method=_check_method),
    ),
)


class Upload(ElementActionArgs):
    """Files, by the names that the test gives them."""

    element_id: str = Field(
        description="The id of the file field, or of the button or label that opens it."
    )
    resources: list[str] = Field(min_length=1, description="Names of the resources to upload.")
    left: Left = None


def files_to_upload(resources: Mapping[str, str | Path]) -> dict[str, Path]:
    """Return the files that may be uploaded, by name. Raises UsageError if one is missing."""
    files = {}
    for name, path in resources.items():
        file = Path(path)
        if not file.is_file():
            raise UsageError(
                f"the resource {name!r} is missing: there is no file {Path.cwd() / file}; create"
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

    def give(locator: Locator) -> None:
        effect = _effect(call, args, "files", [file.name for file in files])
        if _field(locator, call)["type"] == "file":
            if locator.is_disabled(timeout=call.milliseconds):
                raise ToolError("the file field is disabled: first do what enables it")
            locator.set_input_files(files, timeout=call.milliseconds)
            call.step.effects.keep(effect, locator)
            return
        if field := _choose_files(call, locator, files):
            call.step.effects.keep(effect, field)

    act(call, args, give)
    return f"uploaded {', '.join(names)}"


def _choose_files(call: ToolCallContext, locator: Locator, files: Sequence[Path]) -> Locator | None:
    """Give files to the chooser that a click opens; return its field, None if that is not in the page."""
    with call.session.tabs.uploading():
        try:
            with call.page.expect_file_chooser(timeout=call.milliseconds) as chooser:
                locator.click(timeout=call.milliseconds)
        except playwright_error() as error:
            # From here on, another attempt would be another click.
            if "filechooser" not in str(error):
                raise
            raise ToolError(
                "the element was clicked, but no file chooser opened; pass the id of the file field or of"
                " its button"
            ) from None
        frame = chooser.value.element.owner_frame()
        if frame is None:
            raise ToolError(
                "the page removed the file field while its chooser was open: call upload again"
            )
        call.session.origins.check_frame(frame)
        at = chooser.value.element.evaluate(_AMONG_FILE_FIELDS)
        chooser.value.set_files(files, timeout=call.milliseconds)
    return frame.locator("input[type=file]").nth(at) if at >= 0 else None


def _upload_code(code: CallCode, call: RecordedCall) -> Iterator[str]:
    files = [code.file(name) for name in call.parameters["resources"]]
    paths = files[0] if len(files) == 1 else f"[{', '.join(files)}]"
    if next(iter(call.targets.values())).known.type == "file":
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
