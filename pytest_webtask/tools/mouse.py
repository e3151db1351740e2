"""Tools for the mouse and its wheel. Playwright's actionability checks are never bypassed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field
from pydantic.json_schema import SkipJsonSchema

from pytest_webtask.data.phrases import LOOK_FIRST
from pytest_webtask.journal.schema import RecordedCall
from pytest_webtask.page import dom
from pytest_webtask.tools.effects import PlaceEffect
from pytest_webtask.tools.registry import Args, CallCode, tool
from pytest_webtask.tools.results import (
    InVain,
    ToolError,
    explain_action_error,
    may_have_acted,
    playwright_error,
)

if TYPE_CHECKING:
    from playwright.sync_api import Frame, Locator, Position

    from pytest_webtask.tools.context import ToolCallContext


DATA = "{name} stands for a value of the data."


class ActionArgs(Args):
    """Arguments of every action: the reply to its dialog."""

    dialog: Literal["accept", "dismiss"] | None = Field(
        None,
        description="How to answer the dialog that this call opens: an alert, a confirm, a prompt, or a"
        " beforeunload, whose accept leaves the page; only if you expect one.",
    )
    dialog_text: str | None = Field(
        None, description="Text to enter into a prompt, which is then accepted; {name} as in text."
    )
    dialog_type: SkipJsonSchema[str | None] = Field(
        None, description="In a recording: the type of the dialog."
    )
    dialog_message: SkipJsonSchema[str | None] = Field(
        None, description="In a recording: what the dialog asked."
    )


_NAMED = {
    "type": "object",
    "properties": {name: {"type": "string"} for name in ("role", "name")},
    "required": ["role", "name"],
}


def or_named(schema: dict[str, Any]) -> None:
    """Allow a named element in place of an id in the schema for models; the loop finds its id."""
    schema["anyOf"] = [{"type": schema.pop("type")}, _NAMED]


class ElementActionArgs(ActionArgs):
    """An action on one element."""

    element_id: str = Field(
        description="The element's id in the outline, such as button-0, or its role and name, if a"
        " call before brings it.",
        json_schema_extra=or_named,
    )


def act(call: ToolCallContext, args: ElementActionArgs, action: Callable[[Locator], Any]) -> Any:
    """Act on the element of a call, answering dialogs as announced."""
    with call.acting(args):
        return call.on("element_id", args.element_id, lambda e: action(_reached(call, e)))


def _reached(call: ToolCallContext, locator: Locator, parameter: str = "element_id") -> Locator:
    """Return an element once a user can get at it. Raises ToolError for what keeps users from it."""

    def barrier() -> str:
        return str(dom.call(locator, "field")["barrier"])

    looked = call.looked(parameter)
    is_free = looked is not None and not looked["field"]["barrier"]
    if not is_free and not call.await_effect(lambda: not barrier()):
        raise ToolError(f"no user gets at the element: it is {barrier()}; first do what shows it")
    return locator


_MOMENT = 50.0
"""Milliseconds that pages get to react to a hovering mouse."""
_SCROLLED_WITHIN = 0.5
"""Seconds that the wheel takes at most to scroll."""


class Click(ElementActionArgs):
    """A kind of click."""

    button: Literal["left", "right"] = Field("left", description="The mouse button.")
    double: bool = Field(False, description="true for a double click.")


class Place(ActionArgs):
    """An element, or a point."""

    element_id: str | None = Field(
        None, description="The element's id; omit it for a point of the page."
    )
    x: float | None = Field(
        None,
        description="Pixels from the left edge of the element, or of the visible part; default: the"
        " element's center.",
    )
    y: float | None = Field(None, description="Pixels from its top edge.")


class Drag(Place):
    """Two elements, or points of them, or of the page; the first point is where the drag begins."""

    to_element_id: str | None = Field(
        None,
        description="The element to drop it on, or the same one to draw in it; omit it for a point.",
    )
    to_x: float | None = Field(
        None,
        description="The end: pixels from the left edge of to_element_id, or of the visible part.",
    )
    to_y: float | None = Field(
        None, description="The end: pixels from the top edge; pass it with to_x."
    )


class Scroll(Args):
    """An element, a direction, or both."""

    element_id: str | None = Field(
        None,
        description="Alone: bring it into view. With a direction: scroll it, or the box around it.",
    )
    direction: Literal["up", "down", "left", "right"] | None = Field(
        None, description="Where to scroll; alone, it scrolls the page."
    )
    pixels: int | None = Field(
        None, ge=1, le=20_000, description="How far, with a direction; default: most of a screen."
    )


def _click_code(code: CallCode, call: RecordedCall) -> Iterator[str]:
    button = 'button="right"' if call.parameters.get("button") == "right" else ""
    yield f"{code.element(call)}.{_click_verb(dict(call.parameters))}({button})"


def _click_verb(arguments: dict[str, Any]) -> str:
    return "dblclick" if arguments.pop("double", False) else "click"


@tool(Click, acts=True, by_event=True, settles=True, code=_click_code, verb=_click_verb)
def click(call: ToolCallContext, args: Click) -> str:
    """Click an element.

    For checkboxes, switches and radios use check, for native selects select_option.
    """
    act(call, args, lambda locator: _press(call, locator, None, args.button, double=args.double))
    return ""


def _press(
    call: ToolCallContext,
    locator: Locator,
    point: Position | None,
    button: Literal["left", "right"] = "left",
    *,
    double: bool = False,
) -> None:
    call.note_press(point)
    if call.session.origins.foreign_frames():
        _press_warily(call, locator, point, button, double=double)
        return
    action = locator.dblclick if double else locator.click
    try:
        action(button=button, position=point, timeout=call.milliseconds)
    except playwright_error() as error:
        # A click that closes its own page may have no page left to return from.
        if not (locator.page.is_closed() and may_have_acted(error)):
            raise


def _press_warily(
    call: ToolCallContext,
    locator: Locator,
    point: Position | None,
    button: Literal["left", "right"],
    *,
    double: bool,
) -> None:
    """Hover before each click, so that a foreign frame that moves under the mouse is noticed."""
    locator.hover(position=point, timeout=call.milliseconds)
    call.page.wait_for_timeout(_MOMENT)
    locator.click(button=button, position=point, timeout=call.milliseconds)
    if double:
        locator.hover(position=point, timeout=call.milliseconds)
        call.page.mouse.down(button=button, click_count=2)
        call.page.mouse.up(button=button, click_count=2)


def _place_code(code: CallCode, call: RecordedCall) -> Iterator[str]:
    method = "hover" if call.tool == "hover" else "click"
    yield f"{code.element(call)}.{method}({_point_code(call, 'position', 'x', 'y')})"


def _point_code(call: RecordedCall, name: str, x: str, y: str) -> str:
    if call.parameters.get(x) is None:
        return ""
    return f'{name}={{"x": {call.parameters[x]:g}, "y": {call.parameters[y]:g}}}'


@tool(Place, acts=True, by_event=True, settles=True, code=_place_code)
def click_at(call: ToolCallContext, args: Place) -> str:
    """Click a point inside an element without parts of its own, such as a canvas, or a point of the page where nothing has an id."""
    _act_at(call, args, lambda locator, point: _press(call, locator, point))
    return ""


@tool(Place, acts=True, changes=False, settles=True, reads=True, code=_place_code)
def hover(call: ToolCallContext, args: Place) -> str:
    """Move the mouse over an element, for example to open a menu, or to a point."""
    call.session.note_debounced_action()
    _act_at(call, args, lambda e, point: e.hover(position=point, timeout=call.milliseconds))
    return ""


def _act_at(
    call: ToolCallContext, args: Place, action: Callable[[Locator, Position | None], None]
) -> None:
    with call.acting(args):
        if args.element_id is not None:
            inside = _point(args.x, args.y)
            call.on("element_id", args.element_id, lambda e: action(_reached(call, e), inside))
            return
        locator, point = _element_at(call, args.x, args.y)
        call.aim(locator)
        action(locator, point)


def _element_at(
    call: ToolCallContext, x: float | None, y: float | None, which: str = ""
) -> tuple[Locator, Position]:
    """Return the innermost element at a point of the viewport, and the point within it.

    `which` is the prefix of the call's parameters, such as `to_`. Raises ToolError for a point outside
    or in a frame of an origin that is not allowed.
    """
    from pytest_webtask.page.locator_codegen import target_of

    if x is None or y is None:
        raise ToolError(
            f"the call says no place: pass {which}element_id, or {which}x and {which}y of a point of the page"
        )
    inner: Frame | None = call.page.main_frame
    while inner is not None:
        frame = inner
        call.session.origins.check_frame(frame)
        hit = dom.call(frame, "at", {"x": x, "y": y})
        if hit is None:
            raise ToolError(
                f"no element is at ({x:g}, {y:g}): pass a point of the visible part, or scroll first"
            )
        locator, inner = dom.node(frame, hit["document"], hit["number"]), None
        if hit["frame"]:
            place = dom.call(locator, "place")
            inner = locator.element_handle().content_frame()
            x = (x - place["inner"][0]) / place["scale"][0]
            y = (y - place["inner"][1]) / place["scale"][1]
    identity = dom.call(locator, "identity")
    call.targets[f"{which}element_id"] = target_of(
        locator, frame, identity, call.data, (identity["role"], "")
    )
    call.recorded |= {f"{which}x": round(hit["x"], 1), f"{which}y": round(hit["y"], 1)}
    return locator, {"x": hit["x"], "y": hit["y"]}


def _drag_code(code: CallCode, call: RecordedCall) -> Iterator[str]:
    options = [
        code.element(call, "to_element_id"),
        _point_code(call, "source_position", "x", "y"),
        _point_code(call, "target_position", "to_x", "to_y"),
        "steps=8",
    ]
    yield f"{code.element(call, 'element_id')}.drag_to({', '.join(filter(None, options))})"


@tool(Drag, acts=True, settles=True, code=_drag_code)
def drag(call: ToolCallContext, args: Drag) -> str:
    """Press the mouse on an element or point, move it to another and release it: to drag and drop, draw on a canvas or select text."""
    end: Position | None
    if args.to_element_id is None:
        target, end = _element_at(call, args.to_x, args.to_y, "to_")
    else:
        target = call.locate("to_element_id", args.to_element_id)
        _reached(call, target, "to_element_id")
        end = _point(args.to_x, args.to_y)
    # A drag from point to point, or onto a canvas, may draw or select, which changes nothing of the HTML.
    ids = {args.element_id, args.to_element_id}
    may_drop = len(ids) == 2 and None not in ids

    def pull(locator: Locator, begin: Position | None) -> None:
        call.note_press(begin)
        is_drop = may_drop and not target.evaluate(_DRAWS)
        with _dropping(call, locator) if is_drop else nullcontext():
            locator.hover(position=begin, timeout=call.milliseconds)
            _pull(call, (locator, begin), (target, end))

    _act_at(call, args, pull)
    return ""


_DRAWS = "e => e.matches('canvas') || !!e.querySelector('canvas')"
_End = tuple["Locator", "Position | None"]
"""The element at an end of a drag, and the point in it, None for its center."""


def _pull(call: ToolCallContext, begin: _End, end: _End) -> None:
    mouse, (target, _) = call.page.mouse, end
    x, y = _place("element_id", *begin)
    try:
        mouse.down()
        # Start the drag before scrolling: Playwright's drag_to scrolls between press and first
        # move, and then drags whatever came under the mouse.
        to_x, to_y = _place("to_element_id", *end)
        call.note_press(begin[1], (to_x - x, to_y - y))
        far = max(abs(to_x - x), abs(to_y - y), 1.0)
        mouse.move(x + 5 * (to_x - x) / far, y + 5 * (to_y - y) / far, steps=2)
        target.scroll_into_view_if_needed(timeout=call.milliseconds)
        to_x, to_y = _place("to_element_id", *end)
        mouse.move(to_x, to_y, steps=8)
        mouse.move(to_x, to_y)
    except (ToolError, playwright_error()) as error:
        why = explain_action_error(error, call.timeout_advice)
        raise ToolError(
            "the drag began but did not reach its end, and the mouse button was released:"
            f" {why}; {LOOK_FIRST}"
        ) from None
    finally:
        mouse.up()


@contextmanager
def _dropping(call: ToolCallContext, locator: Locator) -> Iterator[None]:
    """Raise ToolError unless the page moves a dragged element, or shows anything else after the drop."""
    effects, tabs = call.step.effects, call.session.tabs
    effect = PlaceEffect(None, call.targets.get("element_id"))
    effects.keep(effect, locator)
    effect.wanted = effect.held
    effects.drop(effect)
    before = _digests(call)
    yield
    if not call.await_effect(lambda: effects.is_moved(tabs, effect) or _digests(call) != before):
        raise InVain(
            "the page did not take the drag: neither element moved, and nothing else changed within"
            f" {call.step.timeout:g} s. Check that the first can be dropped on the second"
        )
    # What the drag itself was is over: from now on the element is not to go back.
    effects.keep(effect, locator)
    if not effect.fits(effect.held):
        effects.drop(effect)


def _digests(call: ToolCallContext) -> list[tuple[Frame, Any]]:
    return _in_frames(call, lambda frame: dom.call(frame, "digest", timeout=1.0))


def _in_frames(call: ToolCallContext, ask: Callable[[Frame], Any]) -> list[tuple[Frame, Any]]:
    """Return the answers of the page's frames, except of those that cannot be asked now."""
    answers = []
    for frame in call.page.frames:
        with suppress(playwright_error()):
            answers.append((frame, ask(frame)))
    return answers


def _place(parameter: str, locator: Locator, point: Position | None) -> tuple[float, float]:
    """Return the viewport position of a point in the element of a parameter, by default its center."""
    box = locator.bounding_box()
    if box is None:
        raise ToolError(
            f"{parameter} is an element that is invisible now: pass the id of a visible one"
        )
    if point is None:
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    return box["x"] + point["x"], box["y"] + point["y"]


def _point(x: float | None, y: float | None) -> Position | None:
    """Return a point of an element, None for its center. Raises ToolError for half a point."""
    if x is not None and y is not None:
        return {"x": x, "y": y}
    if x is y:
        return None
    raise ToolError(
        "a point has one coordinate only: pass both x and y or neither, and both to_x and to_y or neither"
    )


_SCREEN = {"up": (0, -1, 576), "down": (0, 1, 576), "left": (-1, 0, 1024), "right": (1, 0, 1024)}
"""By direction: the signs of x and y, and most of a viewport of Playwright's default size."""


def _scroll_code(code: CallCode, call: RecordedCall) -> Iterator[str]:
    direction = call.parameters.get("direction")
    if direction is None:
        yield f"{code.element(call)}.scroll_into_view_if_needed()"
        return
    if call.targets:
        yield f"{code.element(call)}.hover()"
    x, y, far = _SCREEN[direction]
    far = int(call.parameters.get("pixels") or far)
    yield f"{code.page}.mouse.wheel({x * far}, {y * far})"


@tool(Scroll, reads=True, code=_scroll_code)
def scroll(call: ToolCallContext, args: Scroll) -> str:
    """Bring an element into view, or scroll the page or the box around an element."""
    if args.direction is None:
        called = str(args.element_id)
        call.on(
            "element_id", called, lambda e: e.scroll_into_view_if_needed(timeout=call.milliseconds)
        )
        return ""
    if args.element_id is None:
        call.page.mouse.move(*call.page.evaluate("[innerWidth / 2, innerHeight / 2]"))
    else:
        call.on("element_id", args.element_id, lambda e: e.hover(timeout=call.milliseconds))
    x, y, far = _SCREEN[args.direction]
    far = args.pixels or far

    def where() -> list[tuple[Frame, Any]]:
        return _in_frames(call, lambda frame: dom.call(frame, "scrolled", timeout=1.0))

    before = now = where()
    call.page.mouse.wheel(x * far, y * far)

    def has_ended() -> bool:
        nonlocal now
        last, now = now, where()
        return last == now != before

    call.await_effect(has_ended, _SCROLLED_WITHIN)
    return "" if now != before else f"it does not scroll further {args.direction}"


MOUSE_TOOLS = (click, click_at, hover, drag, scroll)
