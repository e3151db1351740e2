"""Tools for fields, keys, checkboxes and files."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
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
from pytest_webtask.tools.effects import (
    Effect,
    FilesEffect,
    OptionsEffect,
    StateEffect,
    TextEffect,
)
from pytest_webtask.tools.mouse import DATA, ActionArgs, ElementActionArgs, act
from pytest_webtask.tools.registry import CallCode, tool
from pytest_webtask.tools.results import InVain, ToolError, playwright_error

if TYPE_CHECKING:
    from playwright.sync_api import Locator

    from pytest_webtask.tools.context import ToolCallContext

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


class EntryArgs(ElementActionArgs):
    """An action that enters something into an element."""

    left: Annotated[
        SkipJsonSchema[Any],
        Field(description="In a recording: what the element held afterwards, if that differs."),
    ] = None


class Fill(EntryArgs):
    """A whole new text for a field."""

    text: str = Field(
        description=f'The new value; "" clears the field. {DATA}'
        " Write dates as 2026-12-31, times as 23:59, colors as #ff8800."
    )


class Type(EntryArgs):
    """A text to add."""

    text: str = Field(description=f"The text to type. {DATA}")
    element_id: str | None = Field(  # type: ignore[assignment]
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


class SelectOption(EntryArgs):
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
    drawn: SkipJsonSchema[Literal["list", "typed"] | None] = Field(
        None, description="In a recording: a combobox, which may be typed in, in place of a select."
    )


class Check(EntryArgs):
    """The state that a box shall have."""

    checked: bool = Field(True, description="true to check or choose it, false to uncheck it.")


class Upload(EntryArgs):
    """Files, by the names that the test gives them."""

    element_id: str = Field(
        description="The id of the file field, or of the button or label that opens it."
    )
    resources: list[str] = Field(min_length=1, description="Names of the resources to upload.")


@dataclass
class _Entry:
    call: ToolCallContext
    args: EntryArgs
    locator: Locator

    @cached_property
    def about(self) -> dict[str, Any]:
        """The engine's `field` description of the element, from its lookup if there was one."""
        looked = self.call.looked("element_id")
        return dict(looked["field"] if looked else self.ask("field"))

    def ask(self, verb: str) -> Any:
        """Return the answer to an engine verb about the element."""
        return _ask(self.call, self.locator, verb)

    def effect(self, kind: type[Effect], wanted: Any) -> Effect:
        """Return the effect that the call is to have on the element."""
        call, args = self.call, self.args
        left = map_strings(args.left, call.data.fill)
        effect = kind(wanted, call.targets.get("element_id"), left)
        effect.hidden = call.session.observer.is_redacted(args.element_id) or (
            isinstance(args, (Fill, Type)) and call.data.uses_secret(args.text)
        )
        return effect

    def settle(self, effect: Effect) -> str:
        """Watch for the effect; return what there is instead if a model may accept that, "" if it fits.

        Raises ToolError for what the page has refused.
        """
        call, effects = self.call, self.call.step.effects
        if call.await_effect(lambda: effects.shows(effect, self.locator), effect.patience):
            return ""
        problem = effect.explain(effect.held, call.data.scrub)
        if call.looks and effect.can_be_accepted and call.has_reacted():
            effect.left = effect.held
            call.recorded["left"] = call.data.scrub_all(effect.held)
            return f"{problem}: see whether that is meant"
        effects.drop(effect)
        raise InVain(f"{problem}; {WHY}")

    def insert(self, text: str, *, whole: bool = False) -> None:
        """Insert a text without key presses, at the caret or replacing the `whole` value."""
        timeout = self.call.milliseconds
        with suppress(playwright_error()):  # not all editable elements are fields
            handle = self.locator.element_handle(timeout=timeout)
            handle.wait_for_element_state("editable", timeout=timeout)
        if not self.locator.evaluate(INSERT, [text, whole], timeout=timeout):
            raise ToolError(
                "the field did not accept the text: it is read-only or loses the focus; pass the id of an"
                " editable field"
            )

    def type(self, text: str) -> None:
        """Type a text key by key, for which a long one has more time."""
        limit = self.call.milliseconds
        timeout = None if limit is None else max(limit, 50.0 * len(text))
        self.locator.press_sequentially(text, timeout=timeout)


def _ask(call: ToolCallContext, locator: Locator, verb: str) -> Any:
    """Run an engine verb on an element, waiting for it as long as for an action.

    Evaluating in the page's main world instead would take as long as a click in each new document.
    """
    limit = call.milliseconds
    return dom.call(locator, verb, timeout=None if limit is None else limit / 1000)


def _enter(call: ToolCallContext, args: EntryArgs, action: Callable[[_Entry], str]) -> str:
    return str(act(call, args, lambda locator: action(_Entry(call, args, locator))))


def _needs_insertion(call: ToolCallContext, text: str) -> bool:
    """Return whether a text must not be typed because a foreign frame could get keys of its secret."""
    return call.data.uses_secret(text) and bool(call.session.origins.foreign_frames())


def _fill_code(code: CallCode, call: RecordedCall) -> Iterator[str]:
    yield f"{code.element(call)}.fill({code.text(call.parameters['text'])})"


@tool(Fill, acts=True, code=_fill_code)
def fill(call: ToolCallContext, args: Fill) -> str:
    """Replace all that a field holds, typing like a user, without pressing Enter."""
    text = call.data.fill(args.text)
    inserts = _needs_insertion(call, args.text)

    def replace(entry: _Entry) -> str:
        effect = entry.effect(TextEffect, text)
        if entry.about["slides"]:
            raise ToolError(
                "the page draws this slider itself: press ArrowRight or ArrowLeft on it instead"
            )
        if inserts and entry.about["type"] not in _PICKED:
            entry.insert(text, whole=True)
        else:
            _replace(entry, text)
        if kept := (call.looked("element_id") or {}).get("kept"):
            call.step.effects.take(effect, kept)
            return ""
        return entry.settle(effect)

    result = _enter(call, args, replace)
    call.session.note_debounced_action()
    return result


def _replace(entry: _Entry, text: str) -> None:
    # Typed line breaks and tabs would be keys, which submit forms and move the focus.
    if len(text) > TYPED_AT_MOST or not text.isprintable() or entry.about["type"] in _PICKED:
        entry.locator.fill(text, timeout=entry.call.milliseconds)
        return
    if not entry.about["ready"]:
        entry.locator.fill("", timeout=entry.call.milliseconds)
    entry.type(text)


def _type_code(code: CallCode, call: RecordedCall) -> Iterator[str]:
    text = code.text(call.parameters["text"])
    if not call.targets:
        yield f"{code.page}.keyboard.type({text})"
        return
    element = code.element(call)
    one_line = code.tag(next(iter(call.targets.values()))) == "input"
    yield f'{element}.press("{"End" if one_line else "ControlOrMeta+End"}")'
    yield f"{element}.press_sequentially({text})"


@tool(Type, "type", acts=True, code=_type_code)
def type_(call: ToolCallContext, args: Type) -> str:
    """Type text at the caret, or at the end of a field, without clearing it."""
    text = call.data.fill(args.text)
    inserts = _needs_insertion(call, args.text)
    if "\t" in text:
        raise ToolError(
            "the text has a tab character, which would move the focus: type the text before the tab, then"
            " press Tab"
        )
    call.session.note_debounced_action()

    def add(entry: _Entry) -> str:
        if _focus(call, entry.locator):
            entry.locator.evaluate(CARET_TO_END, timeout=call.milliseconds)
        held, before, after = entry.ask("held")
        if inserts:
            entry.insert(text)
        else:
            entry.type(text)
        if held is None or "\n" in text:
            return ""  # Enter may have sent what the field held.
        return entry.settle(entry.effect(TextEffect, before + text + after))

    if args.element_id is not None:
        return _enter(call, args, add)
    with call.acting(args):
        _check_focus(call)
        if inserts:
            raise ToolError(
                "beside a frame of another origin a secret goes into a field alone: pass its element_id"
            )
        nowhere = call.page.evaluate(NO_FOCUS)
        call.page.keyboard.type(text)
    return "no field had the focus: the keys went to the page itself" if nowhere else ""


def _press_code(code: CallCode, call: RecordedCall) -> Iterator[str]:
    where = code.element(call) if call.targets else f"{code.page}.keyboard"
    yield f"{where}.press({code.text(call.parameters['key'])})"


@tool(Press, acts=True, by_event=True, settles=True, code=_press_code)
def press(call: ToolCallContext, args: Press) -> str:
    """Press a key or a chord, such as Enter to send a form."""
    *held, last = (KEY_NAMES.get(each, each) for each in args.key.split("+"))
    if held and "Shift" not in held and len(last) == 1:
        # Whoever presses Control+K, however it is written, types no capital.
        last = last.lower()
    call.recorded["key"] = key = "+".join((*held, last))
    call.session.note_debounced_action()

    def push(locator: Locator) -> None:
        _focus(call, locator)
        _check_focus(call)
        locator.press(key, timeout=call.milliseconds)

    with call.acting(args):
        if args.element_id is None:
            _check_focus(call)
            call.page.keyboard.press(key)
        else:
            call.on("element_id", args.element_id, push)
    return ""


def _focus(call: ToolCallContext, locator: Locator) -> bool:
    """Focus an element; return whether it did not have the focus. Raises ToolError if it does not get it."""
    if _ask(call, locator, "focused"):
        return False
    locator.focus(timeout=call.milliseconds)
    if not _ask(call, locator, "focused"):
        raise ToolError(
            "the element does not take the focus. If it is disabled, first do what enables it; if it is"
            " no field, click it, then type into the field that appears"
        )
    return True


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


def _select_code(code: CallCode, call: RecordedCall) -> Iterator[str]:
    element = code.element(call)
    label = _one_or_list([code.text(option) for option in call.parameters["options"]])
    drawn = call.parameters.get("drawn")
    if drawn is None:
        yield f"{element}.select_option(label={label})"
        return
    yield f"{element}.click()"
    if drawn == "typed":
        yield f"{element}.fill({label})"
    yield f'{code.page}.get_by_role("option", name={label}, exact=True).click()'


def _one_or_list(codes: Sequence[str]) -> str:
    return codes[0] if len(codes) == 1 else f"[{', '.join(codes)}]"


@tool(SelectOption, acts=True, settles=True, code=_select_code)
def select_option(call: ToolCallContext, args: SelectOption) -> str:
    """Choose in a native select, whose options the outline lists, or one option of a combobox by its text."""
    options = [*map(call.data.fill, args.options)]
    group = map_strings(args.group, call.data.fill)

    def choose(entry: _Entry) -> str:
        if entry.about["options"] is not None:
            return _select(entry, options, group)
        if not entry.about["chooses"] or len(options) > 1 or group is not None:
            raise ToolError("the element is no native select: click it, then click the option")
        return _choose(entry, options[0], secret=_needs_insertion(call, args.options[0]))

    return _enter(call, args, choose)


_Options = Sequence[Sequence[str]]
"""The options of a select, each with its label and that of its group."""


def _select(entry: _Entry, options: Sequence[str], group: str | None) -> str:
    call, field = entry.call, entry.about
    several, listed = field["options"]
    if len(options) > 1 and not several:
        raise ToolError("the select accepts a single option: pass only one in `options`")
    listed = _await_options(entry, options, listed)
    at = [_position(call, name, group, listed) for name in options]
    earlier = call.step.effects.of(field["document"], field["number"])
    if several and earlier is not None:
        at = sorted({*at, *(n for n, each in enumerate(listed) if each in earlier.wanted)})
        call.recorded["options"] = [call.data.scrub(listed[n][0]) for n in at]
    wanted = [listed[n] for n in at]
    entry.locator.select_option(index=at, timeout=call.milliseconds)
    groups = {each for _, each in wanted}
    if len(groups) == 1 and "" not in groups:
        call.recorded["group"] = call.data.scrub(min(groups))
    return entry.settle(entry.effect(OptionsEffect, wanted))


def _await_options(entry: _Entry, options: Sequence[str], listed: _Options) -> _Options:
    """Return all options that a select has once it has some, which may come by what another field has caused."""

    def are_listed() -> bool:
        nonlocal listed
        if {uncounted(label) for label, _ in listed}.issuperset(map(uncounted, options)):
            return True
        listed = entry.ask("field")["options"][1]
        return False

    # A model knows which there are.
    if not entry.call.looks:
        entry.call.await_effect(are_listed)
    return listed


def _position(call: ToolCallContext, option: str, group: str | None, listed: _Options) -> int:
    of_group = [(n, label) for n, (label, own) in enumerate(listed) if group in (None, own)]
    fits = [n for n, label in of_group if label == option]
    if not fits and call.replays and not says(call.data.fill(call.step.step.sentence), option):
        # "Open (3)" may be "Open (5)" now.
        counted = [n for n, label in of_group if uncounted(label) == uncounted(option)]
        fits = counted if len(counted) == 1 else []
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


def _similar(call: ToolCallContext, option: str, listed: _Options) -> str:
    """Return the end of a sentence with the options that contain a text, or else with all.

    It is "" if they may be redacted.
    """
    if call.data.redact.has_locators:
        return ""
    similar = [each for each in listed if option.casefold() in each[0].casefold()]
    which = "choose one of those that contain it:" if similar else "choose one of:"
    shown = [" under ".join(map(repr, filter(None, each))) for each in similar or listed]
    return f"; {which} {', '.join(shown[:30])}"


def _choose(entry: _Entry, option: str, *, secret: bool) -> str:
    """Choose an option of an ARIA combobox: open it, type if it takes text, and click the option."""
    call, field = entry.call, entry.about
    # What opens may hide the rest of the page from assistive technology, and so from a role.
    frame = entry.locator.element_handle(timeout=call.milliseconds).owner_frame()
    assert frame is not None, "an element that can be operated is in a frame"
    own = _Entry(call, entry.args, dom.node(frame, field["document"], field["number"]))
    before = own.ask("combobox")
    place = before["list"]

    def offered() -> Locator:
        """Return the visible options: of its list, or of all if none is known."""
        nonlocal place
        place = place or own.ask("combobox")["list"]
        return frame.locator(place or "html").locator("[role=option]").filter(visible=True)

    def named() -> Locator:
        return frame.get_by_role("option", name=option, exact=True).and_(offered())

    def is_taken() -> bool:
        if squashed(own.ask("combobox")["held"] or "") == option:
            return True
        return named().and_(frame.locator("[aria-selected=true]")).count() > 0

    if not before["open"]:
        own.locator.click(timeout=call.milliseconds)
    if before["types"]:
        _write(own, option, secret=secret)
    call.recorded["drawn"] = "typed" if before["types"] else "list"
    if not call.await_effect(lambda: named().count() == 1):
        labels = [[squashed(each)] for each in offered().all_inner_texts()]
        raise ToolError(f"no single option is called {option!r}{_similar(call, option, labels)}")
    named().click(timeout=call.milliseconds)
    if not call.await_effect(is_taken):
        raise InVain(f"the page did not take the choice of {option!r}; {WHY}")
    effect = entry.effect(TextEffect, option)
    call.step.effects.keep(effect, own.locator)
    if not effect.fits(effect.held):
        # What is selected in its list stands beside it.
        call.step.effects.drop(effect)
    return ""


def _write(entry: _Entry, text: str, *, secret: bool) -> None:
    if secret:
        entry.insert(text, whole=True)
    else:
        entry.locator.fill(text, timeout=entry.call.milliseconds)
    entry.call.session.note_debounced_action()


def _check_code(code: CallCode, call: RecordedCall) -> Iterator[str]:
    yield f"{code.element(call)}.{_check_verb(dict(call.parameters))}()"


def _check_verb(arguments: dict[str, Any]) -> str:
    checked = arguments.pop("checked", True)
    if arguments.pop("left", None) is not None:
        return "click"
    return "check" if checked else "uncheck"


@tool(Check, acts=True, settles=True, code=_check_code, verb=_check_verb)
def check(call: ToolCallContext, args: Check) -> str:
    """Set a checkbox, switch or radio, whatever its state is now."""

    def tick(entry: _Entry) -> str:
        effect, box = entry.effect(StateEffect, args.checked), entry.about
        checked = box["checked"]
        if checked is None:
            checked = entry.locator.is_checked(timeout=call.milliseconds)
        if checked is args.checked:
            effect.left = None
        elif not args.checked and box["type"] == "radio":
            raise ToolError("a radio button cannot be unchecked: check another one of its group")
        elif box["plain"]:
            entry.locator.click(timeout=call.milliseconds)
        else:
            _press_box(entry)
        return entry.settle(effect)

    return _enter(call, args, tick)


def _press_box(entry: _Entry) -> None:
    place, timeout = entry.ask("press"), entry.call.milliseconds
    if place["disabled"]:
        handle = entry.locator.element_handle(timeout=timeout)
        handle.wait_for_element_state("enabled", timeout=timeout)
    part = entry.locator.locator(f"{dom.NAME}=node:{place['document']}:{place['number']}")
    part.click(position={"x": place["x"], "y": place["y"]}, timeout=timeout)


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


def _upload_code(code: CallCode, call: RecordedCall) -> Iterator[str]:
    paths = _one_or_list([code.file(name) for name in call.parameters["resources"]])
    if next(iter(call.targets.values())).known.type == "file":
        yield f"{code.element(call)}.set_input_files({paths})"
        return
    yield f"with {code.page}.expect_file_chooser() as chooser:"
    yield f"    {code.element(call)}.click()"
    yield f"chooser.value.set_files({paths})"


@tool(Upload, acts=True, settles=True, code=_upload_code)
def upload(call: ToolCallContext, args: Upload) -> str:
    """Upload resources with a file field, or with the button or label that opens a file chooser."""
    names = [*map(call.data.fill, args.resources)]
    try:
        files = [call.step.resources[name] for name in names]
    except KeyError as unknown:
        known = ", ".join(sorted(call.step.resources)) or "none"
        raise ToolError(f"there is no resource {unknown} to upload; use one of: {known}") from None

    def give(entry: _Entry) -> str:
        effect = entry.effect(FilesEffect, [file.name for file in files])
        field: Locator | None = entry.locator
        if entry.about["type"] != "file":
            field = _choose_files(call, entry.locator, files)
        elif entry.locator.is_disabled(timeout=call.milliseconds):
            raise ToolError("the file field is disabled: first do what enables it")
        else:
            entry.locator.set_input_files(files, timeout=call.milliseconds)
        if field is not None:
            call.step.effects.keep(effect, field)
        return f"uploaded {', '.join(names)}"

    return _enter(call, args, give)


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


FIELD_TOOLS = (fill, type_, press, select_option, check, upload)
