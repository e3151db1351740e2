"""The worker's tools for fields, keys, boxes and files."""

from __future__ import annotations

import re
import time
from collections.abc import Collection
from contextlib import suppress
from typing import Any

from playwright.sync_api import Error, Frame, Locator, Page
from pydantic import Field

from pytest_webtask.page import dom
from pytest_webtask.page.frames import FRAME_TIMEOUT
from pytest_webtask.tools.context import Hands
from pytest_webtask.tools.mouse import DATA, ActionArgs, ElementActionArgs, act
from pytest_webtask.tools.registry import Tool, ToolError


def ask_element(locator: Locator, verb: str, timeout: float) -> Any:
    """What one of the engine's verbs says of an element, which is waited for `timeout` milliseconds.

    The page's own world is not entered: that would cost as much as a click in each new document.
    """
    return dom.call(locator, verb, timeout=timeout / 1000)


def label_of(locator: Locator) -> Locator:
    """The label of a box that cannot be seen itself; nothing for any other element."""
    return locator.locator(f"{dom.NAME}=label:")


NO_FOCUS = "!document.activeElement || document.activeElement === document.body"

# Puts a text into a field within one task, in which nothing else can take the focus. It is false
# where the field does not have it even so, or does not take the text.
INSERT = """(e, [text, whole]) => {
  e.focus();
  if (!e.matches(':focus, :focus-within')) return false;
  if (whole) document.execCommand('selectAll');
  return document.execCommand('insertText', false, text);
}"""

# A field that gets the focus from a script has its caret at the beginning.
CARET_TO_END = """e => {
  if (e.isContentEditable) {
    getSelection().selectAllChildren(e);
    getSelection().collapseToEnd();
    return;
  }
  try { e.setSelectionRange(e.value.length, e.value.length); } catch { /* has no caret */ }
}"""

# A point of a label that is the label's own, rather than a link's or another control's.
PLAIN_POINT = """e => {
  const box = e.getBoundingClientRect();
  for (const y of [0.5, 0.25, 0.75])
    for (const x of [0.5, 0.05, 0.15, 0.3, 0.7, 0.85, 0.95]) {
      const [dx, dy] = [box.width * x, box.height * y];
      const hit = e.getRootNode().elementFromPoint(box.x + dx, box.y + dy);
      const control = hit?.closest("a, button, input, select, textarea, label");
      if (control === e || control === e.control) return [dx, dy];
    }
  return [box.width / 2, box.height / 2];
}"""


_SCRIPT = r"""
(found, words) => {
  const tidy = (text) => (text || '').replace(/[\u200b\u00ad]/g, '').replace(/\s+/g, ' ').trim();
  // Scripts that set no spaces between words have no whole words to look for.
  const unspaced = String.raw`\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}`;
  const letter = `(?![${unspaced}])[\\p{L}\\p{M}\\p{N}_]`;
  const is = (pattern, text) => new RegExp(pattern, 'u').test(text);
  const before = is(`^${letter}`, words) ? `(?<!${letter})` : '';
  const after = is(`${letter}$`, words) ? `(?!${letter})` : '';
  // Nor is a part of a number the number: no 12 in 12.50.
  const edges = [
    before + (is('^\\p{N}', words) ? '(?<!\\p{N}[.,])' : ''),
    after + (is('\\p{N}$', words) ? '(?![.,]\\p{N})' : ''),
  ];
  const whole = edges.join((words || '').replace(/[\\^$.*+?()[\]{}|\/]/g, '\\$&'));
  const [exact, caseless] = [new RegExp(whole, 'u'), new RegExp(whole, 'iu')];
  const says = (e) => {
    const drawn = tidy(e.tagName === 'INPUT' ? e.value : e.innerText ?? e.textContent);
    // Capitals that only the style sheet makes may be written either way.
    return exact.test(drawn) || (caseless.test(drawn) && exact.test(tidy(e.textContent)));
  };
  const up = (e, style) => style.position === 'fixed' ? null
    : style.position === 'absolute' ? e.offsetParent
    : e.assignedSlot || e.parentElement || e.getRootNode().host || null;
  const seen = (e) => {
    if (!e.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return false;
    let [x, y] = [0, 0];
    for (let node = e; node; node = up(node, getComputedStyle(node))) {
      const box = node.getBoundingClientRect();
      // Clipped away, as texts for screen readers are, or in a part that is folded up.
      if (getComputedStyle(node).overflow !== 'visible' && (box.width <= 1 || box.height <= 1) &&
        node !== document.documentElement && node !== document.body) return false;
      if (node !== e && node !== document.documentElement && node !== document.body) {
        x += node.scrollLeft;
        y += node.scrollTop;
      }
    }
    const root = document.documentElement;
    const rtl = getComputedStyle(root).direction === 'rtl';
    const [left, top] = [rtl ? root.clientWidth - root.scrollWidth : 0, 0];
    return [...e.getClientRects()].some((box) => {
      // Where it is now, or would be with what it stands in scrolled back.
      const [right, bottom] = [box.right + scrollX, box.bottom + scrollY];
      return box.width > 0 && box.height > 0 &&
        (right > left || right + x > left) && (bottom > top || bottom + y > top);
    });
  };
  return found.some((e) => (words === null || says(e)) && seen(e));
}
"""


def is_shown(page: Page, text: str, unasked: Collection[Frame] = ()) -> bool:
    """Tell whether the text, with its white space folded, can be seen now in any frame.

    A frame that is asked is told the text; those in `unasked` are not.
    """
    words = text.split()
    loose = r"\s+".join(map(re.escape, words))
    start = r"(?<!\w)" if re.match(r"\w", words[0]) else ""
    end = r"(?!\w)" if re.search(r"\w$", words[-1]) else ""
    for frame in (f for f in page.frames if f not in unasked):
        try:
            # Playwright gives the innermost element only, so that a weaker match within would
            # hide a better one around it; and it knows no line break: "Hello<br>Saved".
            found = frame.get_by_text(re.compile(f"{start}{loose}{end}")).or_(
                frame.get_by_text(re.compile(loose, re.IGNORECASE))
            )
            visible = found.filter(visible=True)
            if visible.evaluate_all(_SCRIPT, " ".join(words)) and _is_seen(frame):
                return True
        except Error:
            if page.is_closed():
                raise
    return False


def _is_seen(frame: Frame) -> bool:
    """Tell whether a frame can be seen on the page, that it stands in."""
    while frame.parent_frame:
        if not frame.frame_element().evaluate(f"(e) => ({_SCRIPT})([e], null)"):
            return False
        frame = frame.parent_frame
    return True


TYPED_AT_MOST = 300
"""Characters that `fill` types key by key, as a user would; a longer text is pasted."""

_PICKED = frozenset(("date", "time", "datetime-local", "month", "week", "color", "range"))


class Fill(ElementActionArgs):
    """A whole new text for a field."""

    text: str = Field(
        description=f'What the field shall hold; "" clears it. {DATA}'
        " Dates are written 2026-12-31, times 23:59, colours #ff8800."
    )


class Type(ActionArgs):
    """A text to add."""

    text: str = Field(description=f"The text to type. {DATA}")
    element_id: str | None = Field(
        None,
        description="The field to type into, behind what it holds; default what has the focus.",
    )


class Press(ActionArgs):
    """A key."""

    key: str = Field(
        description="A key or a chord: Enter, Escape, Tab, ArrowDown, Delete, a, Control+A."
    )
    element_id: str | None = Field(
        None, description="The element to focus first; default what has the focus."
    )


class SelectOption(ElementActionArgs):
    """Options of a native select."""

    options: list[str] = Field(
        min_length=1,
        description="The label of the option, as the outline lists it; several for a multiple"
        f" select. {DATA}",
    )


class Check(ElementActionArgs):
    """The state that a box shall have."""

    checked: bool = Field(True, description="true to check or choose it, false to uncheck it.")


def fill(hands: Hands, args: Fill) -> str:
    """Clear a field and type into it; says what it holds then if that is something else."""
    text = hands.data.fill(args.text)
    at_once = _at_once(hands, args.text)

    def enter(locator: Locator) -> tuple[str, str | None, bool]:
        field = _field(locator, hands)
        kind = field["type"]
        # A line break or tab would be pressed as a key, which sends forms and moves the focus.
        pasted = len(text) > TYPED_AT_MOST or not text.isprintable() or kind in _PICKED
        if at_once and text and kind not in _PICKED:
            _insert(locator, text, hands, whole=True)
        elif pasted:
            locator.fill(text, timeout=hands.milliseconds)
        else:
            if not (field["ready"] and text):
                locator.fill("", timeout=hands.milliseconds)
            if text:
                locator.press_sequentially(text, timeout=_typing_time(hands, text))
        return kind, *_value(locator)

    kind, holds, focused = act(hands, args, enter)
    hands.debounce()
    if text and holds == "":
        raise ToolError("the field is empty after typing: the page did not take the text")
    if holds is None or holds.split() == text.split():
        return ""
    hidden = kind == "password" or hands.data.uses_secret(args.text)
    hidden = hidden or hands.observer.is_redacted(args.element_id)
    told = "something else than was typed" if hidden else repr(hands.data.scrub(holds)[:200])
    if not text:
        raise ToolError(f"the field was cleared, but it now holds {told}")
    # A page may write what was typed in a form of its own, and may spread it over several fields.
    if focused and _is_part(holds, text):
        raise ToolError(f"the field did not take all that was typed: it now holds {told}")
    return f"the field now holds {told}"


def type_(hands: Hands, args: Type) -> str:
    """Type at the end of a field, or at the caret."""
    text = hands.data.fill(args.text)
    at_once = _at_once(hands, args.text)
    if "\t" in text:
        raise ToolError("a tab would move the focus: type what comes before it, then press Tab")
    hands.debounce()

    def enter(locator: Locator) -> None:
        if not ask_element(locator, "focused", hands.milliseconds):
            _focus(locator, hands)
            locator.evaluate(CARET_TO_END, timeout=hands.milliseconds)
        before = _value(locator)
        if at_once:
            _insert(locator, text, hands)
        else:
            locator.press_sequentially(text, timeout=_typing_time(hands, text))
        if before is not None and _value(locator) == before:
            raise ToolError("the field holds what it held before: it did not take the text")

    if args.element_id is None:
        _check_focus(hands)
        with hands.acting(args.dialog, args.dialog_text):
            if at_once:
                _insert(_focused(hands), text, hands)
                return ""
            nowhere = hands.page.evaluate(NO_FOCUS)
            hands.page.keyboard.type(text)
        return "no field had the focus: the keys went to the page itself" if nowhere else ""
    with hands.acting(args.dialog, args.dialog_text):
        hands.on("element_id", args.element_id, enter)
    return ""


def press(hands: Hands, args: Press) -> str:
    """Press a key or chord."""
    hands.debounce()

    def push(locator: Locator) -> None:
        if not ask_element(locator, "focused", hands.milliseconds):
            _focus(locator, hands)
        _check_focus(hands)
        locator.press(args.key, timeout=hands.milliseconds)

    try:
        if args.element_id is None:
            _check_focus(hands)
            with hands.acting(args.dialog, args.dialog_text):
                hands.page.keyboard.press(args.key)
            return ""
        with hands.acting(args.dialog, args.dialog_text):
            hands.on("element_id", args.element_id, push)
    except Error as error:
        if "Unknown key" in str(error):
            raise ToolError(
                f"there is no key {args.key!r}; keys are named as in Enter, ArrowDown, a, Control+A"
            ) from None
        raise
    return ""


def select_option(hands: Hands, args: SelectOption) -> str:
    """Choose options by their labels."""
    options = [hands.data.fill(option) for option in args.options]

    def choose(locator: Locator) -> None:
        kind, several, labels = ask_element(locator, "options", hands.milliseconds)
        if kind != "select":
            raise ToolError("this is not a native select: click it, then click the option")
        missing = [o for o in options if o not in labels]
        if missing:
            shown = ", ".join(map(repr, labels[:30]))
            raise ToolError(f"there is no option {missing[0]!r}; there are {shown}")
        if len(options) > 1 and not several:
            raise ToolError("only one option can be chosen here")
        locator.select_option(label=options, timeout=hands.milliseconds)
        chosen = _chosen(locator)
        if chosen is not None and not set(options) <= set(chosen):
            raise ToolError(f"it was chosen, but now {', '.join(map(repr, chosen))} is")

    act(hands, args, choose)
    return ""


def check(hands: Hands, args: Check) -> str:
    """Click a box unless it is as wanted, and see that it is then."""

    def tick(locator: Locator) -> str:
        box = _field(locator, hands)
        checked = box["checked"]
        if checked is None:
            checked = locator.is_checked(timeout=hands.milliseconds)
        if checked is args.checked:
            return ""
        if not args.checked and box["type"] == "radio":
            raise ToolError("a radio cannot be unchecked: choose another one of its group")
        if not box["drawn"]:
            locator.click(timeout=hands.milliseconds)
        else:
            # The box cannot be seen: its label draws it, and is what a user clicks.
            label = label_of(locator)
            label.scroll_into_view_if_needed(timeout=hands.milliseconds)
            x, y = label.evaluate(PLAIN_POINT)
            label.click(position={"x": x, "y": y}, timeout=hands.milliseconds)
        return _await_state(locator, args.checked, hands)

    return str(act(hands, args, tick))


def _await_state(locator: Locator, checked: bool, hands: Hands) -> str:
    """Wait for the state of a box that has been clicked: some ask a server first, some vanish."""
    end = time.monotonic() + hands.capped(hands.timeout)
    while True:
        try:
            if locator.is_checked(timeout=500) is checked:
                return ""
        except Error:
            if not locator.count():
                return "it was clicked, and is no longer on the page"
        if time.monotonic() > end:
            raise ToolError("it was clicked, but its state did not change")
        hands.page.wait_for_timeout(50)


def _typing_time(hands: Hands, text: str) -> float:
    """Milliseconds that typing a text may take."""
    return max(hands.milliseconds, 50 * len(text))


def _check_focus(hands: Hands) -> None:
    """Keys go to what has focus: nothing is typed into a frame of a foreign origin."""
    hands.check_frame(hands.page.main_frame)
    for frame in hands.foreign_frames():
        try:
            focused = dom.call(frame, "whose", timeout=FRAME_TIMEOUT)["focused"]
        except Error:
            focused = not frame.is_detached()
        if focused:
            hands.check_frame(frame)


def _at_once(hands: Hands, text: str) -> bool:
    """Whether a text has a secret of which a foreign frame would get the keys by taking the focus."""
    return hands.data.uses_secret(text) and bool(hands.foreign_frames())


def _insert(locator: Locator, text: str, hands: Hands, whole: bool = False) -> None:
    """Put a text in without keys, at the caret or in place of the whole."""
    with suppress(Error):  # some elements that take text are no fields
        handle = locator.element_handle(timeout=hands.milliseconds)
        handle.wait_for_element_state("editable", timeout=hands.milliseconds)
    if not locator.evaluate(INSERT, [text, whole], timeout=hands.milliseconds):
        raise ToolError("the field did not take the text: it does not keep the focus, or is locked")


def _focused(hands: Hands) -> Locator:
    """What has the focus in a frame that may be acted upon."""
    for frame in hands.page.frames:
        found = frame.locator(":focus:not(iframe, frame)")
        if hands.foreign(frame) is None and found.count():
            return found.last
    raise ToolError("no field has the focus: name the one to type into by its element_id")


def input_type(locator: Locator, hands: Hands) -> str:
    """The type of an input, "" for any other element."""
    return str(ask_element(locator, "field", hands.milliseconds)["type"])


def _field(locator: Locator, hands: Hands) -> dict[str, Any]:
    """What `fieldOf` in engine.js tells of the element of a call, if only a moment ago."""
    looked = hands.looked("element_id")
    return dict(looked["field"] if looked else ask_element(locator, "field", hands.milliseconds))


def _focus(locator: Locator, hands: Hands) -> None:
    """Focus an element: keys that it does not get would go to whatever has the focus now."""
    locator.focus(timeout=hands.milliseconds)
    if not ask_element(locator, "focused", hands.milliseconds):
        raise ToolError("it does not take the focus: it is disabled, or no field; click it first")


def _value(locator: Locator) -> tuple[str | None, bool]:
    """What the field holds, None where it has gone or is no field; and whether it has the focus."""
    try:
        held, focused = ask_element(locator, "held", 500)
    except Error:
        return None, False
    return None if held is None else str(held), bool(focused)


def _chosen(locator: Locator) -> list[str] | None:
    """The labels of the chosen options, None where the list has gone."""
    try:
        return list(ask_element(locator, "chosen", 500))
    except Error:
        return None


def _is_part(held: str, typed: str) -> bool:
    """Whether letters and digits of what was typed are missing, whatever stands between them."""
    some, all_ = ["".join(c for c in t.casefold() if c.isalnum()) for t in (held, typed)]
    return len(some) < len(all_) and some in all_


FIELD_TOOLS = (
    Tool(
        "fill",
        "Replace all that a field holds, typing like a user; it presses no Enter.",
        Fill,
        fill,
        acts=True,
    ),
    Tool(
        "type",
        "Type text where the caret is, or at the end of a field, without clearing it.",
        Type,
        type_,
        acts=True,
    ),
    Tool(
        "press",
        "Press a key or a chord, such as Enter to send a form.",
        Press,
        press,
        acts=True,
        settles=True,
    ),
    Tool(
        "select_option",
        "Choose in a native select, whose options the outline lists.",
        SelectOption,
        select_option,
        acts=True,
        settles=True,
    ),
    Tool(
        "check",
        "Set a checkbox, switch or radio, whatever its state is now.",
        Check,
        check,
        acts=True,
        settles=True,
    ),
)


class Upload(ElementActionArgs):
    """Files, by the names that the test has given them."""

    element_id: str = Field(
        description="The id of the file field, or of the button or label that opens it."
    )
    resources: list[str] = Field(min_length=1, description="Names of the resources to upload.")


def upload(hands: Hands, args: Upload) -> str:
    """Give files to a file field, or to the chooser that a click opens."""
    names = [hands.data.fill(name) for name in args.resources]
    unknown = [name for name in names if name not in hands.resources]
    if unknown:
        known = ", ".join(sorted(hands.resources)) or "none"
        raise ToolError(f"there is no resource {unknown[0]!r} to upload; there are: {known}")
    files = [hands.resources[name] for name in names]
    for name, file in zip(names, files, strict=True):
        if not file.is_file():
            raise ToolError(f"the resource {name!r} is missing: there is no file {file.name}")

    def give(locator: Locator) -> None:
        if input_type(locator, hands) == "file":
            if locator.is_disabled(timeout=hands.milliseconds):
                raise ToolError("the file field is disabled")
            locator.set_input_files(files, timeout=hands.milliseconds)
            return
        with hands.tabs.uploading():
            clicked = False
            try:
                with hands.page.expect_file_chooser(timeout=hands.milliseconds) as chooser:
                    locator.click(timeout=hands.milliseconds)
                    clicked = True
            except Error as error:
                # From here on a second try would be a second click.
                if not clicked or "filechooser" not in str(error):
                    raise
                raise ToolError("it was clicked, but no file chooser opened") from None
            frame = chooser.value.element.owner_frame()
            if frame is None:
                raise ToolError("a file chooser opened, but its file field has gone")
            hands.check_frame(frame)
            chooser.value.set_files(files, timeout=hands.milliseconds)

    act(hands, args, give)
    return f"uploaded {', '.join(names)}"


FILE_TOOLS = (
    Tool(
        "upload",
        "Give resources to a file field, or to the button or label that opens a file chooser.",
        Upload,
        upload,
        acts=True,
        settles=True,
    ),
)
