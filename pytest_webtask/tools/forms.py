"""Tools for fields, keys, checkboxes and files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field
from pydantic.json_schema import SkipJsonSchema

from pytest_webtask.checks.element import State, Value
from pytest_webtask.data.phrases import WHY, counted
from pytest_webtask.data.text import says, squashed, uncounted
from pytest_webtask.errors import UsageError
from pytest_webtask.journal.schema import RecordedCall
from pytest_webtask.page import dom
from pytest_webtask.tools.effects import Effect
from pytest_webtask.tools.mouse import DATA, ActionArgs, ElementActionArgs, act
from pytest_webtask.tools.registry import CallCode, Export, Tool
from pytest_webtask.tools.results import ToolError, may_have_acted, playwright_error

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

_HAS_VALUE = """(e, text) => {
  const probe = e.cloneNode();
  probe.value = text;
  return text.trim() !== "" && Number(probe.value) === Number(text);
}"""

_SLIDER_KEYS = (("PageUp", "PageDown"), ("ArrowUp", "ArrowDown"), ("ArrowRight", "ArrowLeft"))
"""Keys that raise and lower the value of a slider, in large steps first."""
_PRESSES = 300
"""The most keys that move a slider."""
_CLICKED_WITHIN = 1.0
"""Seconds that a click on an option may take, whose list may be drawn again."""
_MOVED_WITHIN = 0.3
"""Seconds in which a slider shows the value after a key."""
_SAME_VALUE = 1e-6

TYPED_AT_MOST = 300
"""Length up to which `fill` types key by key, as a user would; longer texts are pasted."""

_PICKED = frozenset(("date", "time", "datetime-local", "month", "week", "color", "range"))


Left = Annotated[
    SkipJsonSchema[Any],
    Field(description="In a recording: what the element held afterwards, if that differs."),
]


Drawn = Annotated[
    SkipJsonSchema[Literal["slider", "editor", "list", "typed"] | None],
    Field(description="In a recording: what the page draws itself in place of a native field."),
]


class Fill(ElementActionArgs):
    """A whole new text for a field."""

    text: str = Field(
        description=f'The new value; "" clears the field. {DATA}'
        " Write dates as 2026-12-31, times as 23:59, colors as #ff8800."
    )
    left: Left = None
    drawn: Drawn = None


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
    drawn: Drawn = None


class Check(ElementActionArgs):
    """The state that a box shall have."""

    checked: bool = Field(True, description="true to check or choose it, false to uncheck it.")
    left: Left = None


def fill(call: ToolCallContext, args: Fill) -> str:
    """Replace the text of a field."""
    text = call.data.fill(args.text)
    inserts = _needs_insertion(call, args.text)

    def enter(locator: Locator) -> str:
        check = Value(element_id=args.element_id, value=args.text)
        effect = _effect(call, args, "text", text, check)
        field = _field(locator, call)
        if field["slides"]:
            call.recorded["drawn"] = "slider"
            _slide(locator, text, field["slides"], call)
        elif field["edits"]:
            call.recorded["drawn"] = "editor"
            _edit(locator, text, call, inserts=inserts)
        elif inserts and text and field["type"] not in _PICKED:
            _insert(locator, text, call, whole=True)
        elif _enter(locator, text, field, effect, call):
            return ""
        return _settled(call, effect, locator, comes_late=field["edits"])

    result = str(act(call, args, enter))
    call.session.note_debounced_action()
    return result


def _enter(
    locator: Locator, text: str, field: Mapping[str, Any], effect: Effect, call: ToolCallContext
) -> bool:
    """Type or paste a text in place of the old one; return whether the field is known to hold it."""
    if field["range"] and not locator.evaluate(_HAS_VALUE, text):
        least, most, step = field["range"]
        raise ToolError(
            f"the slider has no value {text!r}: it goes from {least} to {most} in steps of {step}"
        )
    # Typed line breaks and tabs would be keys, which submit forms and move the focus.
    if len(text) > TYPED_AT_MOST or not text.isprintable() or field["type"] in _PICKED:
        locator.fill(text, timeout=call.milliseconds)
        return False
    if not (field["ready"] and text):
        locator.fill("", timeout=call.milliseconds)
    if not text:
        return False
    locator.press_sequentially(text, timeout=_typing_time(call, text))
    if kept := (call.looked("element_id") or {}).get("kept"):
        call.step.effects.take(effect, kept)
        return True
    if call.step.effects.shows(effect, locator):
        return True
    # A script that rewrites each letter may leave a text that comes at once, but a field
    # of numbers takes no other text.
    with suppress(playwright_error()):
        locator.fill(text, timeout=call.milliseconds)
    return False


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
        held, before, after, edits = ask_element(locator, "held", call.milliseconds)
        if edits:
            call.page.keyboard.press("ControlOrMeta+End")
        if inserts:
            _insert(locator, text, call)
        else:
            locator.press_sequentially(text, timeout=_typing_time(call, text))
        if held is None or "\n" in text:
            return ""  # Enter may have sent what the field held.
        effect = _effect(call, args, "text", before + text + after)
        return _settled(call, effect, locator, comes_late=edits)

    with call.acting(args):
        if args.element_id is not None:
            return str(call.on("element_id", args.element_id, enter))
        _check_focus(call)
        if inserts:
            _insert(_focused(call), text, call)
            return ""
        nowhere = call.page.evaluate(NO_FOCUS)
        call.page.keyboard.type(text)
    return "no field had the focus: the keys went to the page itself" if nowhere else ""


def _effect(
    call: ToolCallContext,
    args: Fill | Type | SelectOption | Check | Upload,
    kind: Literal["text", "options", "state", "files"],
    wanted: Any,
    check: Value | State | None = None,
) -> Effect:
    """Return the effect that a call is to have on its element."""
    effect = Effect(kind, wanted, call.targets.get("element_id"), call.data.fill_all(args.left))
    effect.check = check
    effect.hidden = call.session.observer.is_redacted(args.element_id or "") or (
        isinstance(args, (Fill, Type)) and call.data.uses_secret(args.text)
    )
    return effect


def _settled(
    call: ToolCallContext, effect: Effect, locator: Locator, *, comes_late: bool = False
) -> str:
    """Watch the element of an effect; return what it holds if a model may accept that, "" if it fits.

    An effect that `comes_late` is awaited. Raises ToolError for what the page has refused.
    """
    effects = call.step.effects
    is_shown = partial(effects.shows, effect, locator)
    if call.await_effect(is_shown) if comes_late else is_shown():
        return ""
    problem = effect.explain(effect.held, call.data.scrub)
    may_be_meant = effect.kind != "text" or (effect.extends(effect.held) and not effect.hidden)
    if call.looks and may_be_meant and call.has_reacted():
        effect.left = effect.held
        call.recorded["left"] = call.data.scrub_all(effect.held)
        return f"{problem}: see whether that is meant"
    effects.drop(effect)
    raise ToolError(f"{problem}; {WHY}")


def _slide(locator: Locator, text: str, span: float, call: ToolCallContext) -> None:
    """Move a slider by its keys until it has a value. Raises ToolError if it does not get there."""

    def value() -> float:
        return float(ask_element(locator, "held", call.milliseconds)[0] or "nan")

    try:
        wanted = float(text.replace(",", "."))
    except ValueError:
        raise ToolError(f"a slider is set to a number, not to {text!r}") from None
    _focus(locator, call)
    pairs = _SLIDER_KEYS[abs(wanted - value()) < span / 10 :]
    presses = 0
    for up, down in pairs:
        moved = 1.0
        while moved and presses < _PRESSES:
            presses += 1
            before = value()
            left = wanted - before
            if abs(left) < _SAME_VALUE:
                return
            locator.press(up if left > 0 else down, timeout=call.milliseconds)
            call.await_effect(lambda before=before: value() != before, _MOVED_WITHIN)  # type: ignore[misc]
            moved = value() - before
            if abs(moved) > abs(left) + _SAME_VALUE:
                # The next keys are finer.
                moved = 0.0
    raise ToolError(
        f"its keys do not get the slider to {text}: it is at {value():g} now, and one key moves it by"
        f" {abs(value() - before):g}"
    )


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

    try:
        with call.acting(args):
            if args.element_id is None:
                _check_focus(call)
                call.page.keyboard.press(key)
            else:
                call.on("element_id", args.element_id, push)
    except playwright_error() as error:
        if "Unknown key" in str(error):
            raise ToolError(
                f"there is no key {args.key!r}; use names such as Enter, ArrowDown, a, Control+A"
            ) from None
        raise
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
        # What opens may hide the rest of the page from assistive technology, and so from a role.
        frame = locator.element_handle(timeout=call.milliseconds).owner_frame()
        assert frame is not None, "an element that can be operated is in a frame"
        own = dom.node(frame, field["document"], field["number"])
        return _choose(call, args, own, options[0])

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
    if not _has_options(field, _with_counts(field, options, call)):
        ask_field = partial(ask_element, locator, "field", call.milliseconds)
        # They may come by what another field has caused; a model knows which there are.
        seconds = 0.0 if call.looks else None
        call.await_effect(lambda: _has_options(ask_field(), options), seconds)
        field = ask_field()
    _, listed = field["options"]
    at = _positions(call, field, options, group)
    wanted = [listed[n] for n in at]
    labels = [label for label, _ in wanted]
    known = [label for label, _ in listed]
    if all(known.count(each) == 1 for each in labels):
        locator.select_option(label=labels, timeout=call.milliseconds)
    else:
        locator.select_option(index=at, timeout=call.milliseconds)
    groups = {each for _, each in wanted}
    if len(groups) == 1 and "" not in groups:
        call.recorded["group"] = call.data.scrub(min(groups))
    check = None
    if len(at) == 1:
        label = args.options[0] if labels == options else labels[0]
        check = Value(element_id=args.element_id, value=label)
    return _settled(call, _effect(call, args, "options", wanted, check), locator)


def _positions(
    call: ToolCallContext, field: Mapping[str, Any], options: Sequence[str], group: str | None
) -> list[int]:
    """Return the positions of options, and of those that this step chose before in a multiple select."""
    several, listed = field["options"]
    tells = not call.data.redact.has_locators
    named = _with_counts(field, options, call)
    at = [_position(option, group, listed, tells=tells) for option in named]
    if len(options) > 1 and not several:
        raise ToolError("the select accepts a single option: pass only one in `options`")
    earlier = call.step.effects.of(field["document"], field["number"])
    if several and earlier is not None and earlier.kind == "options":
        at = sorted({*at, *(n for n, each in enumerate(listed) if each in earlier.wanted)})
        call.recorded["options"] = [call.data.scrub(listed[n][0]) for n in at]
    return at


def _edit(locator: Locator, text: str, call: ToolCallContext, *, inserts: bool) -> None:
    """Replace the text of an editor that gets its text from the browser without being a field."""
    if inserts:
        raise ToolError(
            "no secret is typed into this editor beside a frame of another origin, which could take its keys"
        )
    _focus(locator, call)
    call.page.keyboard.press("ControlOrMeta+a")
    call.page.keyboard.press("Delete")
    call.page.keyboard.insert_text(text)


def _choose(call: ToolCallContext, args: SelectOption, locator: Locator, option: str) -> str:
    """Choose an option of an ARIA combobox or list: open it, type if it takes text, and click the option."""
    choices = partial(ask_element, locator, "choices", call.milliseconds)

    def press() -> bool:
        """Click the option; return whether that was possible."""
        named = [each for each in choices()["options"] if each["label"] == option]
        if len(named) != 1:
            return False
        if named[0]["selected"] and named[0]["toggles"]:
            return True
        node = locator.locator(f"{dom.NAME}=node:{before['document']}:{named[0]['number']}")
        try:
            node.click(timeout=1000 * _CLICKED_WITHIN)
        except playwright_error() as error:
            if may_have_acted(error):
                raise
            # A list that is drawn again has other options of the same texts.
            return False
        return True

    def is_taken() -> bool:
        """Return whether the option is selected, or the combobox holds it."""
        now = choices()
        is_selected = any(each["label"] == option and each["selected"] for each in now["options"])
        return is_selected or squashed(now["held"] or "") == option

    before = choices()
    if not before["options"]:
        locator.click(timeout=call.milliseconds)
    call.recorded["drawn"] = "typed" if before["types"] else "list"
    if before["types"]:
        if _needs_insertion(call, args.options[0]):
            _insert(locator, option, call, whole=True)
        else:
            locator.fill(option, timeout=call.milliseconds)
        call.session.note_debounced_action()
    if not call.await_effect(press):
        labels = [each["label"] for each in choices()["options"]]
        offered = ", ".join(map(repr, labels[:30])) or "none"
        if call.data.redact.has_locators:
            offered = counted(len(labels), "option")
        raise ToolError(
            f"no single option that can be clicked is called {option!r}; it offers {offered}"
        )
    if not call.await_effect(is_taken):
        raise ToolError(f"the page did not take the choice of {option!r}; {WHY}")
    check = Value(element_id=args.element_id, value=args.options[0])
    effect = _effect(call, args, "text", option, check)
    call.step.effects.keep(effect, locator)
    if not effect.fits(effect.held):
        # A list holds no text of its own.
        call.step.effects.drop(effect)
    return ""


def _has_options(field: Mapping[str, Any], options: Sequence[str]) -> bool:
    """Return whether a select has options of these names."""
    _, listed = field["options"] or (False, ())
    return {*options} <= {label for label, _ in listed}


def _with_counts(
    field: Mapping[str, Any], options: Sequence[str], call: ToolCallContext
) -> list[str]:
    """Return recorded options as they are called now: "Open (3)" may be "Open (5)", unless the sentence says it."""
    sentence = call.data.fill(call.step.step.sentence)
    now = []
    for option in options:
        same = [label for label, _ in field["options"][1] if uncounted(label) == uncounted(option)]
        is_kept = len(same) != 1 or call.looks or says(sentence, option)
        now.append(option if is_kept else same[0])
    return now


def _position(
    option: str, group: str | None, listed: Sequence[Sequence[str]], *, tells: bool
) -> int:
    """Return the position of an option among those of a select, listed by label and group.

    Raises ToolError, which `tells` the options unless these may be redacted.
    """
    named = [(n, own) for n, (label, own) in enumerate(listed) if label == option]
    fits = [n for n, own in named if group in (None, own)]
    groups = list(dict.fromkeys(own for _, own in named))
    if fits and (group is not None or len(groups) == 1):
        return fits[0]
    if not any(groups):
        similar = _similar(option, [label for label, _ in listed]) if tells else ""
        raise ToolError(f"there is no option {option!r}{similar}")
    where = ", ".join(f'"{each}"' if each else "no group" for each in groups)
    what = "is in several groups: name one of" if fits else f"is not in {group!r}, but in"
    raise ToolError(
        f'the option {option!r} {what} {where}, as in select "{option}" under "{groups[-1]}" in ...'
    )


def _similar(option: str, labels: Sequence[str]) -> str:
    """Return the end of a sentence with the labels that contain an option, or else with all."""
    similar = [label for label in labels if option.casefold() in label.casefold()]
    which = "choose one of those that contain it:" if similar else "choose one of:"
    return f"; {which} {', '.join(map(repr, (similar or labels)[:30]))}"


def check(call: ToolCallContext, args: Check) -> str:
    """Click a checkbox or radio unless it has the requested state, and verify the state."""
    state = State(element_id=args.element_id, state="checked" if args.checked else "unchecked")

    def tick(locator: Locator) -> str:
        effect = _effect(call, args, "state", args.checked, state)
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
        return _settled(call, effect, locator, comes_late=True)

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
    drawn = call.parameters.get("drawn")
    if drawn == "slider":
        yield f"for _ in range({_PRESSES}):"
        yield f'    ahead = float({text}) - float({element}.get_attribute("aria-valuenow") or 0)'
        yield "    if ahead:"
        yield f'        {element}.press("ArrowUp" if ahead > 0 else "ArrowDown")'
    elif drawn == "editor":
        yield f'{element}.press("ControlOrMeta+a")'
        yield f'{element}.press("Delete")'
        yield f"{code.page}.keyboard.insert_text({text})"
    else:
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
        "Replace all that a field holds, typing like a user, without pressing Enter; move a slider to a number.",
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
        effect = _effect(call, args, "files", [file.name for file in files])
        if _field(locator, call)["type"] == "file":
            if locator.is_disabled(timeout=call.milliseconds):
                raise ToolError("the file field is disabled: first do what enables it")
            locator.set_input_files(files, timeout=call.milliseconds)
            call.step.effects.keep(effect, locator)
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
            at = chooser.value.element.evaluate(_AMONG_FILE_FIELDS)
            chooser.value.set_files(files, timeout=call.milliseconds)
            if at >= 0:
                field = frame.locator("input[type=file]").nth(at)
                call.step.effects.keep(effect, field)

    act(call, args, give)
    return f"uploaded {', '.join(names)}"


def _upload_code(code: CallCode, call: RecordedCall) -> Iterator[str]:
    files = [code.file(name) for name in call.parameters["resources"]]
    paths = files[0] if len(files) == 1 else f"[{', '.join(files)}]"
    known = next(iter(call.targets.values())).remembered
    if known is not None and known.type == "file":
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
