"""The worker's tools that act on the page. Playwright's actionability checks are never forced."""

from __future__ import annotations

from typing import Literal
from urllib.parse import urljoin

from playwright.sync_api import Error, Locator, Position
from pydantic import Field

from pytest_webtask.page.origins import origin_of
from pytest_webtask.tools import Args, Tool, ToolError
from pytest_webtask.tools.hands import Hands

TYPED_AT_MOST = 300
"""Characters that `fill` types key by key, as a user would; a longer text is pasted."""

_PICKED = frozenset(("date", "time", "datetime-local", "month", "week", "color", "range"))
_ELEMENT = Field(description="The element's id in the outline, such as button-0.")


class NoArgs(Args):
    pass


class Acting(Args):
    dialog: Literal["accept", "dismiss"] = Field(
        "dismiss", description="What to do with a dialog (alert, confirm, prompt) that this opens."
    )
    dialog_text: str | None = Field(None, description="The answer to a prompt; only with accept.")


class OnElement(Acting):
    element_id: str = _ELEMENT


class Navigate(Acting):
    url: str = Field(description="An address, or a path of this application such as /cart.")


class Click(OnElement):
    button: Literal["left", "right"] = "left"
    double: bool = False


class Fill(OnElement):
    text: str = Field(
        description='What the field shall hold; "" clears it. {name} stands for a value of the'
        " data. Dates are written 2026-12-31."
    )


class Type(Acting):
    text: str = Field(description="What to type at the caret; {name} is a value of the data.")
    element_id: str | None = Field(None, description="The field to type into; else what has focus.")


class Press(Acting):
    key: str = Field(description='A key or chord as Playwright names it: "Enter", "Control+A".')
    element_id: str | None = Field(None, description="The element to focus first.")


class SelectOption(OnElement):
    options: list[str] = Field(min_length=1, description="Labels of the options to choose.")


class Check(OnElement):
    checked: bool = Field(True, description="false unchecks a checkbox or switch.")


class Drag(OnElement):
    to_element_id: str = Field(description="Where to drop it; may be the same element (a canvas).")
    x: float | None = Field(None, description="Where in the first element to begin, in pixels.")
    y: float | None = None
    to_x: float | None = Field(None, description="Where in the second element to end, in pixels.")
    to_y: float | None = None


class ClickAt(OnElement):
    x: float = Field(description="Pixels from the element's left edge.")
    y: float = Field(description="Pixels from the element's top edge.")


class Scroll(Args):
    element_id: str | None = Field(
        None, description="Alone: bring it into view. With a direction: scroll inside it."
    )
    direction: Literal["up", "down", "left", "right"] | None = None
    pixels: int | None = Field(None, ge=1, le=20_000, description="Default: most of a screen.")


class Upload(OnElement):
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
        response = hands.page.goto(url, wait_until="domcontentloaded")
    status = response.status if response else 0
    return f"at {hands.page.url}" + (f", status {status}" if status >= 400 else "")


def go_back(hands: Hands, args: Acting) -> str:
    before = hands.tabs.navigations
    with hands.acting(args.dialog, args.dialog_text):
        # A page kept by the browser answers None, as one that does not exist would.
        answer = hands.page.go_back(wait_until="commit")
    if answer is None and hands.tabs.navigations == before:
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
        _inside(locator, args.x, args.y)
        locator.click(position={"x": args.x, "y": args.y}, timeout=hands.milliseconds)

    _act(hands, args, press)
    return ""


def fill(hands: Hands, args: Fill) -> str:
    text = hands.data.fill(args.text)

    def enter(locator: Locator) -> str:
        if len(text) > TYPED_AT_MOST or _input_type(locator, hands) in _PICKED:
            locator.fill(text, timeout=hands.milliseconds)
        else:
            locator.fill("", timeout=hands.milliseconds)
            if text:
                locator.press_sequentially(text, timeout=max(hands.milliseconds, 50 * len(text)))
        return _value(locator)

    holds = _act(hands, args, enter)
    if text and holds == "":
        raise ToolError("the field is empty after typing: the page did not take the text")
    return ""


def type_(hands: Hands, args: Type) -> str:
    text = hands.data.fill(args.text)
    if args.element_id is None:
        _check_focus(hands)
        with hands.acting(args.dialog, args.dialog_text):
            hands.page.keyboard.type(text)
        return ""
    element_id = args.element_id
    with hands.acting(args.dialog, args.dialog_text):
        hands.on(
            "element_id", element_id, lambda e: e.press_sequentially(text, timeout=hands.milliseconds)
        )
    return ""


def press(hands: Hands, args: Press) -> str:
    if args.element_id is None:
        _check_focus(hands)
        with hands.acting(args.dialog, args.dialog_text):
            hands.page.keyboard.press(args.key)
        return ""
    element_id = args.element_id
    with hands.acting(args.dialog, args.dialog_text):
        hands.on("element_id", element_id, lambda e: e.press(args.key, timeout=hands.milliseconds))
    return ""


def select_option(hands: Hands, args: SelectOption) -> str:
    options = [hands.data.fill(option) for option in args.options]

    def choose(locator: Locator) -> None:
        kind, labels = locator.evaluate(
            "e => [e.localName, e.options ? [...e.options].map(o => o.label.trim()) : []]",
            timeout=hands.milliseconds,
        )
        if kind != "select":
            raise ToolError("this is not a native select: click it, then click the option")
        missing = [o for o in options if o not in labels]
        if missing:
            shown = ", ".join(map(repr, labels[:30]))
            raise ToolError(f"there is no option {missing[0]!r}; there are {shown}")
        locator.select_option(label=options, timeout=hands.milliseconds)

    _act(hands, args, choose)
    return ""


def check(hands: Hands, args: Check) -> str:
    def tick(locator: Locator) -> None:
        try:
            locator.set_checked(args.checked, timeout=hands.milliseconds / 2)
        except Error as error:
            label = locator.locator("xpath=ancestor::label[1]")
            if "intercepts pointer" not in str(error) and "viewport" not in str(error):
                raise
            if not label.count():
                raise
            # The box is drawn by its label, which is what a user clicks.
            label.click(timeout=hands.milliseconds)
        if locator.is_checked(timeout=hands.milliseconds) is not args.checked:
            raise ToolError("it was clicked, but its state did not change")

    _act(hands, args, tick)
    return ""


def hover(hands: Hands, args: OnElement) -> str:
    _act(hands, args, lambda e: e.hover(timeout=hands.milliseconds))
    return ""


def drag(hands: Hands, args: Drag) -> str:
    target = hands.locate("to_element_id", args.to_element_id)
    hands.target = None

    def drop(locator: Locator) -> None:
        begin = _point(locator, args.x, args.y)
        end = _point(target, args.to_x, args.to_y)
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
    if args.element_id is not None:
        hands.on("element_id", args.element_id, lambda e: e.hover(timeout=hands.milliseconds))
    sideways = args.direction in ("left", "right")
    screen = hands.page.evaluate("[innerWidth, innerHeight]")[0 if sideways else 1]
    way = (args.pixels or 0.8 * screen) * (-1 if args.direction in ("up", "left") else 1)
    before = _scrolled(hands)
    if args.element_id is None:
        hands.page.mouse.move(10, 10)
    hands.page.mouse.wheel(way if sideways else 0, 0 if sideways else way)
    hands.page.wait_for_timeout(50)
    if args.element_id is None and _scrolled(hands) == before:
        return f"the page does not scroll further {args.direction}"
    return ""


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
        with hands.page.expect_file_chooser(timeout=hands.milliseconds) as chooser:
            locator.click(timeout=hands.milliseconds)
        chooser.value.set_files(files)

    _act(hands, args, give)
    return f"uploaded {', '.join(names)}"


def _act(hands: Hands, args: OnElement, action: object) -> object:
    with hands.acting(args.dialog, args.dialog_text):
        return hands.on("element_id", args.element_id, action)  # type: ignore[arg-type]


def _check_focus(hands: Hands) -> None:
    """Keys go to what has focus: nothing is typed into a frame of a foreign origin."""
    for frame in hands.page.frames[1:]:
        try:
            focused = frame.evaluate("document.hasFocus() && document.activeElement !== document.body")
        except Error:
            continue
        if focused:
            hands.check_frame(frame)
    hands.check_frame(hands.page.main_frame)


def _input_type(locator: Locator, hands: Hands) -> str:
    script = "e => e.localName === 'input' ? e.type : ''"
    return str(locator.evaluate(script, timeout=hands.milliseconds))


def _value(locator: Locator) -> str | None:
    """What the field holds, None where it has gone or holds its text elsewhere."""
    try:
        return str(locator.evaluate("e => e.value ?? e.innerText", timeout=500))
    except Error:
        return None


def _scrolled(hands: Hands) -> list[float]:
    return list(hands.page.evaluate("[scrollX, scrollY]"))


def _inside(locator: Locator, x: float, y: float) -> None:
    box = locator.bounding_box()
    if box and not (0 <= x <= box["width"] and 0 <= y <= box["height"]):
        size = f"{box['width']:.0f} by {box['height']:.0f}"
        raise ToolError(f"({x:g}, {y:g}) is outside the element, which is {size} pixels")


def _point(locator: Locator, x: float | None, y: float | None) -> Position | None:
    if x is None or y is None:
        return None
    _inside(locator, x, y)
    return {"x": x, "y": y}


TOOLS = (
    Tool("navigate", "Go to an address.", Navigate, navigate, acts=True, settles=True),
    Tool("go_back", "Go back to the page before.", Acting, go_back, acts=True, settles=True),
    Tool("reload", "Load the page anew.", Acting, reload, acts=True, settles=True),
    Tool("click", "Click an element: single, double or right.", Click, click, acts=True, settles=True),
    Tool("fill", "Replace what a field holds by typing.", Fill, fill, acts=True),
    Tool("type", "Type at the caret, without clearing.", Type, type_, acts=True),
    Tool("press", "Press a key or a chord.", Press, press, acts=True, settles=True),
    Tool(
        "select_option",
        "Choose options of a native select by their labels.",
        SelectOption,
        select_option,
        acts=True,
        settles=True,
    ),
    Tool("check", "Check or uncheck a box, switch or radio.", Check, check, acts=True, settles=True),
    Tool("hover", "Move the mouse over an element.", OnElement, hover, acts=True, settles=True),
    Tool("drag", "Drag an element onto another, or draw on a canvas.", Drag, drag, acts=True, settles=True),
    Tool("scroll", "Bring an element into view, or scroll the page or an element.", Scroll, scroll),
    Tool("upload", "Give resources to a file field or its button.", Upload, upload, acts=True, settles=True),
    Tool("click_at", "Click a point inside an element, such as a canvas.", ClickAt, click_at, acts=True, settles=True),
)
