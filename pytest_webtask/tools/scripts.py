"""What the tools for fields ask of an element, and do to it by script."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Locator

from pytest_webtask.page import engine


def ask(locator: Locator, verb: str, timeout: float) -> Any:
    """What one of the engine's verbs says of an element, which is waited for `timeout` milliseconds.

    The page's own world is not entered: that would cost as much as a click in each new document.
    """
    return engine.call(locator, verb, timeout=timeout / 1000)


def label_of(locator: Locator) -> Locator:
    """The label of a box that cannot be seen itself; nothing for any other element."""
    return locator.locator(f"{engine.NAME}=label:")


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
