"""Does an observation hold all that a user can operate? Judged by code that shares none of ours."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import Error, Frame, Page

from pytest_webtask.page import dom
from pytest_webtask.page.observer import Observer
from pytest_webtask.types.agent import Observation

_SCRIPT = Path(__file__).with_name("operable.js").read_text()
_POINTER = {
    "click",
    "dblclick",
    "mousedown",
    "mouseup",
    "pointerdown",
    "pointerup",
    "touchstart",
    "contextmenu",
}
_MARK = (
    "function() { const w = (this.ownerDocument || this).defaultView;"
    " if (this.nodeType === 1) (w.__listening ??= []).push(this) }"
)


@dataclass
class Verdict:
    """How many elements were expected, how many of them are controls, and what is missing."""

    expected: int = 0
    strong: int = 0
    lost: list[dict[str, Any]] = field(default_factory=list)

    @property
    def lost_controls(self) -> list[dict[str, Any]]:
        return [e for e in self.lost if e["kind"] in ("native", "aria")]


def judge(page: Page, observer: Observer, observation: Observation) -> Verdict:
    """Compares the observation with what the page's own world holds, frame by frame."""
    _mark_listeners(page)
    numbers: defaultdict[tuple[Frame, str], list[int]] = defaultdict(list)
    for element_id in observation.elements:
        known = observer.known[element_id]
        numbers[known.frame, known.document].append(known.number)
    verdict = Verdict()
    for frame in page.frames:
        if not _seen(frame):
            continue
        try:
            frame.evaluate(_SCRIPT)
            handles = [
                handle
                for (where, document), some in numbers.items()
                if where is frame
                for handle in dom.node(frame, document, *some).element_handles()
            ]
            answer = frame.evaluate("elements => __benchmark.judge(elements)", handles)
        except Error as error:
            verdict.lost.append({"kind": "error", "html": str(error)[:200]})
            continue
        verdict.expected += answer["expected"]
        verdict.strong += answer["strong"]
        verdict.lost += answer["lost"]
    return verdict


def _seen(frame: Frame) -> bool:
    while frame.parent_frame is not None:
        box = frame.frame_element().bounding_box()
        if (
            not box
            or not box["width"]
            or not box["height"]
            or not frame.frame_element().is_visible()
        ):
            return False
        frame = frame.parent_frame
    return True


def _mark_listeners(page: Page) -> None:
    """Put every element with a listener for the pointer into its window's `__listening`."""
    session = page.context.new_cdp_session(page)
    try:
        session.send("DOM.enable")
        session.send("DOM.getDocument", {"depth": 0})
        root = session.send("Runtime.evaluate", {"expression": "document"})["result"]["objectId"]
        found = session.send(
            "DOMDebugger.getEventListeners", {"objectId": root, "depth": -1, "pierce": True}
        )["listeners"]
        nodes = {
            each["backendNodeId"]
            for each in found
            if each["type"] in _POINTER and "backendNodeId" in each
        }
        for node in nodes:
            try:
                handle = session.send("DOM.resolveNode", {"backendNodeId": node})["object"][
                    "objectId"
                ]
                session.send(
                    "Runtime.callFunctionOn", {"objectId": handle, "functionDeclaration": _MARK}
                )
            except Error:
                continue
    finally:
        session.detach()
