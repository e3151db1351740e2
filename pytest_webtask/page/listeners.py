"""Which elements listen for the pointer: known to Chromium alone, through its debugger protocol."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import CDPSession, Error, Frame, Page

# Counts elements exactly as engine.js does. `getEventListeners` belongs to the console's API.
_SCRIPT = """(() => {
  const listeners = getEventListeners;
  const pointer = new Set(["click", "dblclick", "mousedown", "mouseup", "pointerdown", "pointerup",
    "touchstart", "touchend", "contextmenu", "dragstart"]);
  const result = {};
  const look = (doc) => {
    const rows = [];
    let count = 0;
    const inside = (node) => {
      for (let e = node.firstElementChild; e; e = e.nextElementSibling) {
        const at = count++;
        const types = Object.keys(listeners(e)).filter((t) => pointer.has(t));
        if (types.length) rows.push([at, types]);
        if (e.shadowRoot) inside(e.shadowRoot);
        if (e.firstElementChild) inside(e);
        if (e.localName === "iframe" || e.localName === "frame") {
          let inner = null;
          try { inner = e.contentDocument; } catch { /* another origin */ }
          if (inner) look(inner);
        }
      }
    };
    inside(doc);
    const view = doc.defaultView;
    result[(view?.performance.timeOrigin ?? 0) + " " + doc.URL] = { elements: count, rows };
  };
  look(document);
  return result;
})()"""


class Listeners:
    """Asks for the listeners of a page and its frames, one debugger session for each process."""

    def __init__(self) -> None:
        self._sessions: dict[tuple[Page | Frame, str], CDPSession | None] = {}

    def of(self, page: Page) -> dict[str, dict[str, Any]]:
        """By document (`<timeOrigin> <URL>`): how many elements, and the types by element index."""
        found = self._ask(page)
        if len(page.frames) > 1:
            for frame in page.frames[1:]:
                if not frame.is_detached():
                    found.update(self._ask(frame))
        return found

    def _ask(self, where: Page | Frame) -> dict[str, dict[str, Any]]:
        # A frame changes its process with its address, a page keeps its session.
        key = (where, "" if isinstance(where, Page) else where.url)
        if key not in self._sessions:
            self._sessions[key] = self._attach(where)
        session = self._sessions[key]
        if session is None:
            return {}
        try:
            answer = session.send(
                "Runtime.evaluate",
                {"expression": _SCRIPT, "includeCommandLineAPI": True, "returnByValue": True},
            )
        except Error:
            del self._sessions[key]
            return {}
        return dict(answer["result"].get("value") or {})

    @staticmethod
    def _attach(where: Page | Frame) -> CDPSession | None:
        """None for a frame that lives in its parent's process, and in other browsers."""
        context = where.context if isinstance(where, Page) else where.page.context
        try:
            return context.new_cdp_session(where)
        except Error:
            return None
