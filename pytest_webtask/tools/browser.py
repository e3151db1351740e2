"""The worker's tools that act on the page. Playwright's actionability checks are never forced."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Literal
from urllib.parse import urljoin

from playwright.sync_api import Error, Locator, Position
from pydantic import Field

from pytest_webtask.page.origins import origin_of
from pytest_webtask.tools import Args, Tool, ToolError, performed
from pytest_webtask.tools.hands import Hands

TYPED_AT_MOST = 300
"""Characters that `fill` types key by key, as a user would; a longer text is pasted."""

_PICKED = frozenset(("date", "time", "datetime-local", "month", "week", "color", "range"))
_ELEMENT = Field(description="The element's id in the outline, such as button-0.")
_DATA = "{name} stands for a value of the data."


class NoArgs(Args):
    pass


class Acting(Args):
    dialog: Literal["accept", "dismiss"] = Field(
        "dismiss",
        description="How to answer if this opens an alert, confirm or prompt. Say it in this very"
        " call: dialogs do not stay open.",
    )
    dialog_text: str | None = Field(
        None, description=f"What to enter into a prompt, which is then accepted. {_DATA}"
    )


class OnElement(Acting):
    element_id: str = _ELEMENT


class Navigate(Acting):
    url: str = Field(
        description=f"A path of this application such as /cart, or a whole address. {_DATA}"
    )


class Click(OnElement):
    button: Literal["left", "right"] = Field("left", description="The button of the mouse.")
    double: bool = Field(False, description="true for a double click.")


class Fill(OnElement):
    text: str = Field(
        description=f'What the field shall hold; "" clears it. {_DATA}'
        " Dates are written 2026-12-31, times 23:59, colours #ff8800."
    )


class Type(Acting):
    text: str = Field(description=f"The text to type. {_DATA}")
    element_id: str | None = Field(
        None, description="The field to type into, behind what it holds; default what has the focus."
    )


class Press(Acting):
    key: str = Field(
        description="A key or a chord: Enter, Escape, Tab, ArrowDown, Delete, a, Control+A, Shift+Tab."
    )
    element_id: str | None = Field(
        None, description="The element to focus first; default what has the focus."
    )


class SelectOption(OnElement):
    options: list[str] = Field(
        min_length=1,
        description=f"The label of the option, as the outline lists it; several for a multiple select. {_DATA}",
    )


class Check(OnElement):
    checked: bool = Field(True, description="true to check or choose it, false to uncheck it.")


class Drag(OnElement):
    element_id: str = Field(description="The id of the element to take hold of.")
    to_element_id: str = Field(
        description="The id of the element to drop it on; the same one to draw on a canvas."
    )
    x: float | None = Field(
        None, description="Where to begin, in pixels from the first element's left edge; default its centre."
    )
    y: float | None = Field(None, description="The same from its top edge; x and y go together.")
    to_x: float | None = Field(
        None, description="Where to end, in pixels from the second element's left edge; default its centre."
    )
    to_y: float | None = Field(None, description="The same from its top edge; to_x and to_y go together.")


class ClickAt(OnElement):
    x: float = Field(description="Pixels from the element's left edge.")
    y: float = Field(description="Pixels from the element's top edge.")


class Scroll(Args):
    element_id: str | None = Field(
        None,
        description="Alone: the element to bring into view. With a direction: scroll what it is in.",
    )
    direction: Literal["up", "down", "left", "right"] | None = Field(
        None, description="Where to scroll; alone it scrolls the page."
    )
    pixels: int | None = Field(
        None, ge=1, le=20_000, description="How far, with a direction; default most of a screen."
    )


class Upload(OnElement):
    element_id: str = Field(description="The id of the file field, or of the button or label that opens it.")
    resources: list[str] = Field(min_length=1, description="Names of the resources to upload.")


def navigate(hands: Hands, args: Navigate) -> str:
    url = urljoin(hands.base_url or hands.page.url, hands.data.fill(args.url))
    if hands.data.uses_secret(args.url):
        raise ToolError("a secret does not belong in an address")
    if not hands.allowed.allows(url):
        raise ToolError(
            f"{origin_of(url)} is not an allowed origin; allowed: {', '.join(hands.allowed)}."
            " The test may add it with --webtask-allow-origin"
        )
    with hands.acting(args.dialog, args.dialog_text):
        try:
            response = hands.page.goto(url, wait_until="domcontentloaded")
        except Error as error:
            if "Download is starting" in str(error):
                return "a download started; the page is as it was"
            raise
    status = response.status if response else 0
    return f"at {hands.page.url}" + (f", status {status}" if status >= 400 else "")


def go_back(hands: Hands, args: Acting) -> str:
    before, url = hands.tabs.navigations, hands.page.url
    with hands.acting(args.dialog, args.dialog_text):
        # A page kept by the browser answers None, as one that does not exist would.
        answer = hands.page.go_back(wait_until="commit")
        blank = hands.page.url == "about:blank" != url
        if blank:
            # The empty page that a test begins with is none that a user came from.
            hands.page.go_forward(wait_until="domcontentloaded")
    if blank or (answer is None and hands.tabs.navigations == before):
        raise ToolError("there is no page to go back to")
    return f"at {hands.page.url}"


def reload(hands: Hands, args: Acting) -> str:
    with hands.acting(args.dialog, args.dialog_text):
        hands.page.reload(wait_until="domcontentloaded")
    return f"at {hands.page.url}"


def click(hands: Hands, args: Click) -> str:
    def press(locator: Locator) -> None:
        action = locator.dblclick if args.double else locator.click
        action(button=args.button, timeout=hands.milliseconds)

    _act(hands, args, press)
    return ""


def click_at(hands: Hands, args: ClickAt) -> str:
    def press(locator: Locator) -> None:
        _inside(locator, args.x, args.y, hands)
        locator.click(position={"x": args.x, "y": args.y}, timeout=hands.milliseconds)

    _act(hands, args, press)
    return ""


def fill(hands: Hands, args: Fill) -> str:
    text = hands.data.fill(args.text)

    def enter(locator: Locator) -> tuple[str, str | None]:
        kind = _input_type(locator, hands)
        # A line break or tab would be pressed as a key, which sends forms and moves the focus.
        pasted = len(text) > TYPED_AT_MOST or not text.isprintable()
        if pasted or kind in _PICKED:
            locator.fill(text, timeout=hands.milliseconds)
        else:
            locator.fill("", timeout=hands.milliseconds)
            if text:
                locator.press_sequentially(text, timeout=_typing_time(hands, text))
        return kind, _value(locator)

    kind, holds = _act(hands, args, enter)
    if text and holds == "":
        raise ToolError("the field is empty after typing: the page did not take the text")
    if holds is None or holds.split() == text.split():
        return ""
    if kind == "password" or hands.data.uses_secret(args.text):
        return "the field now holds something else than was typed"
    return f"the field now holds {holds[:200]!r}"


def type_(hands: Hands, args: Type) -> str:
    text = hands.data.fill(args.text)
    if "\t" in text:
        raise ToolError("a tab would move the focus: type what comes before it, then press Tab")

    def enter(locator: Locator) -> None:
        if not locator.evaluate(_FOCUSED, timeout=hands.milliseconds):
            _focus(locator, hands)
            locator.evaluate(_CARET_TO_END, timeout=hands.milliseconds)
        before = _value(locator)
        locator.press_sequentially(text, timeout=_typing_time(hands, text))
        if before is not None and _value(locator) == before:
            raise ToolError("the field holds what it held before: it did not take the text")

    if args.element_id is None:
        _check_focus(hands)
        with hands.acting(args.dialog, args.dialog_text):
            nowhere = hands.page.evaluate(_NO_FOCUS)
            hands.page.keyboard.type(text)
        return "no field had the focus: the keys went to the page itself" if nowhere else ""
    with hands.acting(args.dialog, args.dialog_text):
        hands.on("element_id", args.element_id, enter)
    return ""


def press(hands: Hands, args: Press) -> str:
    def push(locator: Locator) -> None:
        if not locator.evaluate(_FOCUSED, timeout=hands.milliseconds):
            _focus(locator, hands)
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
    options = [hands.data.fill(option) for option in args.options]

    def choose(locator: Locator) -> None:
        kind, several, labels = locator.evaluate(
            "e => [e.localName, e.multiple, e.options ? [...e.options].map(o => o.label.trim()) : []]",
            timeout=hands.milliseconds,
        )
        if kind != "select":
            raise ToolError("this is not a native select: click it, then click the option")
        missing = [o for o in options if o not in labels]
        if missing:
            shown = ", ".join(map(repr, labels[:30]))
            raise ToolError(f"there is no option {missing[0]!r}; there are {shown}")
        if len(options) > 1 and not several:
            raise ToolError("only one option can be chosen here")
        locator.select_option(label=options, timeout=hands.milliseconds)

    _act(hands, args, choose)
    return ""


def check(hands: Hands, args: Check) -> str:
    def tick(locator: Locator) -> str:
        try:
            label = locator.evaluate_handle(_LABEL, timeout=hands.milliseconds).as_element()
            if label is not None and locator.is_checked() is not args.checked:
                # The box cannot be seen: its label draws it, and is what a user clicks.
                label.scroll_into_view_if_needed(timeout=hands.milliseconds)
                x, y = label.evaluate(_PLAIN_POINT)
                label.click(position={"x": x, "y": y}, timeout=hands.milliseconds)
            else:
                locator.set_checked(args.checked, timeout=hands.milliseconds)
        except Error as error:
            if "did not change its state" not in str(error):
                if not performed(error) or locator.count():
                    raise
        return _await_state(locator, args.checked, hands)

    return str(_act(hands, args, tick))


def _await_state(locator: Locator, checked: bool, hands: Hands) -> str:
    """Wait for the state of a box that has been clicked: some ask a server first, some vanish."""
    end = time.monotonic() + hands.timeout
    while locator.count():
        try:
            if locator.is_checked(timeout=500) is checked:
                return ""
        except Error:
            continue
        finally:
            over = time.monotonic() > end
        if over:
            raise ToolError("it was clicked, but its state did not change")
        hands.page.wait_for_timeout(50)
    return "it was clicked, and is no longer on the page"


def hover(hands: Hands, args: OnElement) -> str:
    _act(hands, args, lambda e: e.hover(timeout=hands.milliseconds))
    return ""


def drag(hands: Hands, args: Drag) -> str:
    target = hands.locate("to_element_id", args.to_element_id)
    hands.target = None

    def drop(locator: Locator) -> None:
        begin = _point(locator, args.x, args.y, hands)
        end = _point(target, args.to_x, args.to_y, hands)
        locator.drag_to(
            target, source_position=begin, target_position=end, timeout=hands.milliseconds, steps=8
        )

    _act(hands, args, drop)
    return ""


def scroll(hands: Hands, args: Scroll) -> str:
    hands.acted = True
    if args.direction is None:
        if args.element_id is None:
            raise ToolError("scroll takes an element_id, a direction, or both")
        hands.on(
            "element_id",
            args.element_id,
            lambda e: e.scroll_into_view_if_needed(timeout=hands.milliseconds),
        )
        return ""
    sideways = args.direction in ("left", "right")
    sign = -1 if args.direction in ("up", "left") else 1
    if args.element_id is not None:
        hands.on("element_id", args.element_id, lambda e: e.hover(timeout=hands.milliseconds))
        locator = hands.locate("element_id", args.element_id)
        if not locator.evaluate(_CAN_SCROLL, [sideways, sign], timeout=hands.milliseconds):
            return f"it does not scroll further {args.direction}"
    else:
        hands.page.mouse.move(*hands.page.evaluate(_WHERE_TO_SCROLL, [sideways, sign]))
    screen = hands.page.evaluate("[innerWidth, innerHeight]")[0 if sideways else 1]
    way = (args.pixels or 0.8 * screen) * sign
    before = _scrolled(hands)
    hands.page.mouse.wheel(way if sideways else 0, 0 if sideways else way)
    now = before
    for _ in range(10):
        hands.page.wait_for_timeout(50)
        last, now = now, _scrolled(hands)
        if now != before and now == last:
            return ""
    return "" if now != before else f"it does not scroll further {args.direction}"


def upload(hands: Hands, args: Upload) -> str:
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
        if _input_type(locator, hands) == "file":
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
            chooser.value.set_files(files, timeout=hands.milliseconds)

    _act(hands, args, give)
    return f"uploaded {', '.join(names)}"


def _act(hands: Hands, args: OnElement, action: Callable[[Locator], Any]) -> Any:
    with hands.acting(args.dialog, args.dialog_text):
        return hands.on("element_id", args.element_id, action)


def _typing_time(hands: Hands, text: str) -> float:
    """Milliseconds that typing a text may take."""
    return max(hands.milliseconds, 50 * len(text))


def _check_focus(hands: Hands) -> None:
    """Keys go to what has focus: nothing is typed into a frame of a foreign origin."""
    for frame in hands.page.frames[1:]:
        try:
            focused = frame.evaluate(
                "document.hasFocus() && !/^i?frame$/.test(document.activeElement?.localName)"
            )
        except Error:
            continue
        if focused:
            hands.check_frame(frame)
    hands.check_frame(hands.page.main_frame)


def _input_type(locator: Locator, hands: Hands) -> str:
    script = "e => e.localName === 'input' ? e.type : ''"
    return str(locator.evaluate(script, timeout=hands.milliseconds))


def _focus(locator: Locator, hands: Hands) -> None:
    """Focus an element: keys that it does not get would go to whatever has the focus now."""
    locator.focus(timeout=hands.milliseconds)
    if not locator.evaluate(_FOCUSED, timeout=hands.milliseconds):
        raise ToolError("it does not take the focus: it is disabled, or no field; click it first")


def _value(locator: Locator) -> str | None:
    """What the field holds, None where it has gone or is no field."""
    try:
        held = locator.evaluate(_HELD, timeout=500)
    except Error:
        return None
    return None if held is None else str(held)


def _scrolled(hands: Hands) -> list[Any]:
    """How far everything on the page is scrolled."""
    places = []
    for frame in hands.page.frames:
        try:
            places.append(frame.evaluate(_SCROLLED))
        except Error:
            continue
    return places


def _inside(locator: Locator, x: float, y: float, hands: Hands) -> None:
    box = locator.bounding_box(timeout=hands.milliseconds)
    if box and not (0 <= x <= box["width"] and 0 <= y <= box["height"]):
        size = f"{box['width']:.0f} by {box['height']:.0f}"
        raise ToolError(f"({x:g}, {y:g}) is outside the element, which is {size} pixels")


def _point(locator: Locator, x: float | None, y: float | None, hands: Hands) -> Position | None:
    if x is None and y is None:
        return None
    if x is None or y is None:
        raise ToolError("x and y go together, and so do to_x and to_y")
    _inside(locator, x, y, hands)
    return {"x": x, "y": y}


_NO_FOCUS = "!document.activeElement || document.activeElement === document.body"

_FOCUSED = "e => e.matches(':focus, :focus-within')"
_HELD = "e => e.isContentEditable ? e.innerText : /^(input|textarea)$/.test(e.localName) ? e.value : null"

# A field that gets the focus from a script has its caret at the beginning.
_CARET_TO_END = """e => {
  if (e.isContentEditable) {
    getSelection().selectAllChildren(e);
    getSelection().collapseToEnd();
    return;
  }
  try { e.setSelectionRange(e.value.length, e.value.length); } catch { /* has no caret */ }
}"""

# The label of a box that cannot be seen itself, null for any other element.
_LABEL = """e => {
  if (e.localName !== "input" || !/^(checkbox|radio)$/.test(e.type)) return null;
  const seen = (n) => {
    const box = n.getBoundingClientRect();
    return box.width > 0 && box.height > 0 && box.right + scrollX > 0 && box.bottom + scrollY > 0 &&
      n.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  };
  return seen(e) ? null : [...e.labels].find(seen) ?? null;
}"""

# A point of a label that is the label's own, rather than a link's or another control's.
_PLAIN_POINT = """e => {
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

_DEEP = """
  const each = (root, visit) => {
    for (const e of root.querySelectorAll("*")) {
      visit(e);
      if (e.shadowRoot) each(e.shadowRoot, visit);
    }
  };"""

_SCROLLED = f"""() => {{{_DEEP}
  const places = [scrollX, scrollY];
  each(document, (e) => {{ if (e.scrollTop || e.scrollLeft) places.push(e.scrollTop, e.scrollLeft); }});
  return places;
}}"""

# Whether the box that an element is, or is in, has not come to its end: the page would scroll then.
_CAN_SCROLL = """(e, [sideways, sign]) => {
  for (let box = e; box && box !== document.scrollingElement && box !== document.body;
       box = box.parentElement ?? box.getRootNode().host) {
    const [at, size, all] = sideways
      ? [Math.abs(box.scrollLeft), box.clientWidth, box.scrollWidth]
      : [box.scrollTop, box.clientHeight, box.scrollHeight];
    const style = getComputedStyle(box);
    if (all <= size || !/auto|scroll/.test(sideways ? style.overflowX : style.overflowY)) continue;
    return sign < 0 ? at > 0 : at < all - size - 1;
  }
  return true;
}"""

# Where the wheel scrolls the document if it can, or else the largest box that does.
_WHERE_TO_SCROLL = f"""([sideways, sign]) => {{{_DEEP}
  const root = document.scrollingElement;
  const can = (e) => {{
    const styles = e === root ? [root, document.body].map(getComputedStyle) : [getComputedStyle(e)];
    const flows = styles.map((s) => sideways ? s.overflowX : s.overflowY);
    if (e === root ? flows.includes("hidden") : !/auto|scroll/.test(flows[0])) return false;
    const at = sideways ? e.scrollLeft : e.scrollTop;
    const end = sideways ? e.scrollWidth - e.clientWidth : e.scrollHeight - e.clientHeight;
    return sign < 0 ? at > 0 : at < end - 1;
  }};
  const boxes = [];
  each(document, (e) => {{
    if (e === root || e === document.body || !(sideways ? e.scrollWidth > e.clientWidth : e.scrollHeight > e.clientHeight)) return;
    if (!can(e) || !e.checkVisibility({{ visibilityProperty: true }})) return;
    const b = e.getBoundingClientRect();
    const [x, y] = [Math.max(b.left, 0), Math.max(b.top, 0)];
    const [w, h] = [Math.min(b.right, innerWidth) - x, Math.min(b.bottom, innerHeight) - y];
    if (w > 0 && h > 0) boxes.push({{ x, y, w, h }});
  }});
  if (!root || !can(root)) {{
    const best = boxes.sort((a, b) => b.w * b.h - a.w * a.h)[0];
    return best ? [best.x + best.w / 2, best.y + best.h / 2] : [innerWidth / 2, innerHeight / 2];
  }}
  const inBox = ([x, y]) => boxes.some((b) => x >= b.x && x <= b.x + b.w && y >= b.y && y <= b.y + b.h);
  const points = [0.02, 0.5, 0.98].flatMap((x) => [0.02, 0.5, 0.98].map((y) => [innerWidth * x, innerHeight * y]));
  return points.find((p) => !inBox(p)) ?? [10, 10];
}}"""

TOOLS = (
    Tool("navigate", "Go to an address.", Navigate, navigate, acts=True, settles=True),
    Tool("go_back", "Go back to the page before, as the browser's button does.", Acting, go_back, acts=True, settles=True),
    Tool("reload", "Load the page anew.", Acting, reload, acts=True, settles=True),
    Tool(
        "click",
        "Click an element. For boxes, switches and radios use check, for native selects select_option.",
        Click,
        click,
        acts=True,
        settles=True,
    ),
    Tool("fill", "Replace all that a field holds, typing like a user; it presses no Enter.", Fill, fill, acts=True),
    Tool("type", "Type text where the caret is, or at the end of a field, without clearing it.", Type, type_, acts=True),
    Tool("press", "Press a key or a chord, such as Enter to send a form.", Press, press, acts=True, settles=True),
    Tool(
        "select_option",
        "Choose in a native select, whose options the outline lists.",
        SelectOption,
        select_option,
        acts=True,
        settles=True,
    ),
    Tool("check", "Set a checkbox, switch or radio, whatever its state is now.", Check, check, acts=True, settles=True),
    Tool("hover", "Move the mouse over an element, as to open a menu.", OnElement, hover, acts=True, settles=True),
    Tool(
        "drag",
        "Press the mouse on an element, move it onto another and let go; with points, draw on a canvas.",
        Drag,
        drag,
        acts=True,
        settles=True,
    ),
    Tool("scroll", "Bring an element into view, or scroll the page or what an element is in.", Scroll, scroll),
    Tool(
        "upload",
        "Give resources to a file field, or to the button or label that opens a file chooser.",
        Upload,
        upload,
        acts=True,
        settles=True,
    ),
    Tool(
        "click_at",
        "Click a point inside an element that has no parts of its own, such as a canvas or a map.",
        ClickAt,
        click_at,
        acts=True,
        settles=True,
    ),
)
