"""Whether a text can be seen: as whole words, capital letters as given, where a user can see it."""

from __future__ import annotations

import re
from collections.abc import Collection

from playwright.sync_api import Error, Frame, Page

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
