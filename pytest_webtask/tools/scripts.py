"""What the tools for fields ask of an element."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Locator


def ask(locator: Locator, script: str, timeout: float) -> Any:
    """What a script says of an element, in one message where it is there; else it is waited for.

    `timeout` is in milliseconds.
    """
    answers = locator.evaluate_all(f"all => all.map({script})")
    return answers[0] if len(answers) == 1 else locator.evaluate(script, timeout=timeout)


# The type of a field, and whether it can be seen, is empty and takes text: clearing costs as much
# as typing ten letters.
READY = """e => [e.localName === 'input' ? e.type : '',
  /^(input|textarea)$/.test(e.localName) && e.value === '' && !e.readOnly && !e.matches(':disabled')
  && e.getAttribute('aria-disabled') !== 'true' && e.getClientRects().length > 0
  && (e.checkVisibility?.({ visibilityProperty: true }) ?? false)]"""

NO_FOCUS = "!document.activeElement || document.activeElement === document.body"

FOCUSED = "e => e.matches(':focus, :focus-within')"

HELD = """e => [e.isContentEditable ? e.innerText
  : /^(input|textarea)$/.test(e.localName) ? e.value : null, e.matches(':focus')]"""

# Puts a text into a field within one task, in which nothing else can take the focus. It is false
# where the field does not have it even so, or does not take the text.
INSERT = """(e, [text, whole]) => {
  e.focus();
  if (!e.matches(':focus, :focus-within')) return false;
  if (whole) document.execCommand('selectAll');
  return document.execCommand('insertText', false, text);
}"""

OPTIONS = "e => [e.localName, e.multiple, [...e.options ?? []].map(o => o.label.trim())]"

SELECTED = "e => [...e.selectedOptions].map(o => o.label.trim())"

# A field that gets the focus from a script has its caret at the beginning.
CARET_TO_END = """e => {
  if (e.isContentEditable) {
    getSelection().selectAllChildren(e);
    getSelection().collapseToEnd();
    return;
  }
  try { e.setSelectionRange(e.value.length, e.value.length); } catch { /* has no caret */ }
}"""

# The label of a box that cannot be seen itself, null for any other element.
LABEL = """e => {
  if (e.localName !== "input" || !/^(checkbox|radio)$/.test(e.type)) return null;
  const seen = (n) => {
    const box = n.getBoundingClientRect();
    return box.width > 0 && box.height > 0 && box.right + scrollX > 0 && box.bottom + scrollY > 0 &&
      n.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  };
  return seen(e) ? null : [...e.labels].find(seen) ?? null;
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
