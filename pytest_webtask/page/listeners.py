"""Which elements listen for the pointer: known to Chromium alone, through its debugger protocol."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import CDPSession, Error, Frame, Page

# Counts elements exactly as engine.js does. `getEventListeners` belongs to the console's API.
_SCRIPT = """(() => {
  const listeners = getEventListeners;
  const pointer = new Set(["click", "dblclick", "mousedown", "mouseup", "pointerdown", "pointerup",
    "touchstart", "touchend", "contextmenu", "dragstart"]);
  const rows = [];
  let count = 0;
  const inside = (node) => {
    for (let e = node.firstElementChild; e; e = e.nextElementSibling) {
      const at = count++;
      const types = Object.keys(listeners(e)).filter((t) => pointer.has(t));
      if (types.length) rows.push([at, types]);
      if (e.shadowRoot) inside(e.shadowRoot);
      if (e.firstElementChild) inside(e);
    }
  };
  inside(document);
  return { [performance.timeOrigin + " " + document.URL]: { elements: count, rows } };
})()"""


class _Session:
    """A debugger session of one process, which knows the documents in it."""

    def __init__(self, session: CDPSession) -> None:
        self._session = session
        self._contexts: dict[int, str] | None = None

    def ask(self, *, frames: bool) -> dict[str, dict[str, Any]]:
        """The listeners of the top document, or of every document of the process."""
        found: dict[str, dict[str, Any]] = {}
        if not frames:
            return self._evaluate({})
        if self._contexts is None:
            self._contexts = {}
            self._session.on("Runtime.executionContextCreated", self._created)
            self._session.on("Runtime.executionContextDestroyed", self._destroyed)
            self._session.on("Runtime.executionContextsCleared", lambda _: self._clear())
            self._session.send("Runtime.enable")
        # The console's API tells nothing of the nodes of another document than its own.
        for context in list(self._contexts):
            try:
                found.update(self._evaluate({"contextId": context}))
            except Error:
                self._contexts.pop(context, None)
        return found

    def _evaluate(self, where: dict[str, Any]) -> dict[str, dict[str, Any]]:
        answer = self._session.send(
            "Runtime.evaluate",
            {
                "expression": _SCRIPT,
                "includeCommandLineAPI": True,
                "returnByValue": True,
                **where,
            },
        )
        return dict(answer["result"].get("value") or {})

    def _created(self, event: dict[str, Any]) -> None:
        context = event["context"]
        if self._contexts is not None and context.get("auxData", {}).get("isDefault"):
            self._contexts[context["id"]] = context["origin"]

    def _destroyed(self, event: dict[str, Any]) -> None:
        if self._contexts is not None:
            self._contexts.pop(event["executionContextId"], None)

    def _clear(self) -> None:
        if self._contexts is not None:
            self._contexts.clear()


class Listeners:
    """Asks for the listeners of a page and its frames, one debugger session for each process."""

    def __init__(self) -> None:
        self._sessions: dict[tuple[Page | Frame, str], _Session | None] = {}

    def of(self, page: Page) -> dict[str, dict[str, Any]]:
        """By document (`<timeOrigin> <URL>`): how many elements, and the types by element index."""
        several = len(page.frames) > 1
        found = self._ask(page, frames=several)
        for frame in page.frames[1:]:
            if not frame.is_detached():
                found.update(self._ask(frame, frames=True))
        return found

    def _ask(self, where: Page | Frame, *, frames: bool) -> dict[str, dict[str, Any]]:
        # A frame changes its process with its address, a page keeps its session.
        key = (where, "" if isinstance(where, Page) else where.url)
        if key not in self._sessions:
            self._sessions[key] = self._attach(where)
        session = self._sessions[key]
        if session is None:
            return {}
        try:
            return session.ask(frames=frames)
        except Error:
            del self._sessions[key]
            return {}

    @staticmethod
    def _attach(where: Page | Frame) -> _Session | None:
        """None for a frame that lives in its parent's process, and in other browsers."""
        context = where.context if isinstance(where, Page) else where.page.context
        try:
            return _Session(context.new_cdp_session(where))
        except Error:
            return None
