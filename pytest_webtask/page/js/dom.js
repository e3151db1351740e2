// The library that the scripts of this package share: an element's visibility, role, name and text.
// `top` is the document, and `state` holds the data about it that outlives a call.
//
// Where Chromium, Playwright and a user disagree:
//   - "Visible" has two meanings. `isRendered` is Playwright's: the element has a box, so Playwright can
//     act on it. `isVisible` is a user's: some of it is drawn, now or after scrolling.
//   - Roles are those of HTML-AAM, as `get_by_role` computes them, except the roles of mere text
//     (paragraph, strong), by which no element is looked up.
//   - Names follow the accname specification, with three exceptions. Elements that ARIA does not name
//     from their content, such as rows, are named by it. An aria-hidden sign is the name of a button
//     that shows nothing else. The glyphs of icon fonts, which Chromium reports, are not text.
(top, state = {}) => {
  if (!state.document) {
    Object.assign(state, {
      document: Math.random().toString(36).slice(2, 10),
      numbers: new WeakMap(),
      nodes: new Map(),
      next: 1,
      changed: performance.now(),
      scrolled: 0,
      pointed: 0,
      observer: null,
      passwords: new WeakSet(),
    });
  }
  const REDACTED = "[redacted]";
  const SKIPPED = /^(script|style|template|noscript|head|link|meta|title|base)$/;

  // Notes when the document changes or is operated, from the first call on, so that later ones know
  // since when it rests. What has gone on changing for a second, as a ticker does, moves by itself and no longer
  // counts. `state.added` holds when nodes were added or opened, `state.changes` when elements have changed, by
  // what has changed of them.
  const PAUSE = 100, SAME = 300, LASTING = 1000; // milliseconds
  const touch = (e, kind) => {
    const kinds = state.changes.get(e) ?? state.changes.set(e, new Map()).get(e);
    const times = kinds.get(kind) ?? kinds.set(kind, []).get(kind);
    // What follows at once belongs to the same change.
    if (times.length < 200 && !(performance.now() - times.at(-1) < SAME)) times.push(performance.now());
    times.last = performance.now();
  };
  const note = (records) => {
    const now = performance.now();
    if (now - state.changed > PAUSE) { state.run = now; state.times = new WeakMap(); }
    let counts = false;
    // How a pressed button looks is no effect of the press.
    const isLook = ({ target, type, attributeName, addedNodes, removedNodes }) => state.pressed && holds(state.pressed, target) &&
      (type === "attributes" ? /^(class|style|data-.*)$/.test(attributeName) : type === "childList" && ![...addedNodes, ...removedNodes].some((n) => n.textContent.trim()));
    if (records.some((each) => !isLook(each) && !state.restless.has(each.target))) state.reacted = now;
    const once = new Set();
    for (const { target, type, addedNodes, removedNodes, attributeName } of records) {
      addedNodes.forEach((n) => state.added.set(n, now));
      touch(target.nodeType === 1 ? target : target.parentElement ?? top, attributeName ?? type);
      if (type === "attributes" && (attributeName === "open" || attributeName === "hidden") && target.hasAttribute("open") !== target.hidden) state.added.set(target, now);
      if (state.restless.has(target)) { state.moved = now; continue; }
      counts = true;
      // A page that only grows is being built.
      if (!once.has(target) && addedNodes.length <= removedNodes.length) state.times.set(target, (state.times.get(target) ?? 0) + 1);
      once.add(target);
      if (now - state.run > LASTING && state.times.get(target) > 5) state.restless.add(target);
    }
    if (counts) state.changed = now;
  };
  const startWatching = () => {
    state.watched = top;
    Object.assign(state, { note, added: new WeakMap(), changes: new WeakMap(), restless: new WeakSet(), times: new WeakMap(), moved: -1e9 });
    // The observer of vanished texts takes its place.
    state.observer = new MutationObserver(note);
    state.observer.observe(top, { subtree: true, childList: true, attributes: true, characterData: true });
    state.listeners = [
      [["pointerdown", "click", "keydown"], (event) => {
        state.pressed = event.composedPath()[0];
        if (!event.isTrusted) return;
        state.received = performance.now();
        event.composedPath().forEach((n) => state.rested?.delete(n));
      }],
      [["input", "change", "drop", "popstate", "hashchange"], (event) => {
        state.affected = performance.now();
        if (event.type === "input") touch(event.composedPath()[0], "input");
      }],
      // A click that only focuses its own element has no effect.
      [["focusin"], (event) => {
        const e = event.composedPath()[0];
        if (!state.pressed || !(holds(e, state.pressed) || holds(state.pressed, e))) state.affected = performance.now();
      }],
      // Scrolled boxes and loaded pictures, too: their events do not bubble, but are captured.
      [["scroll", "load", "toggle"], ({ type, target }) => { if (type !== "load" || target.matches?.("img, image, input, link, iframe, object, embed")) state.scrolled++; }],
      [["pointerover"], () => { state.pointed++; }],
    ];
    // What changed before is not known; a page that has loaded is taken not to have changed since.
    const [loaded] = performance.getEntriesByType("navigation");
    state.changed = state.run = state.affected = state.reacted = loaded?.loadEventEnd || performance.now();
    state.since = performance.now();
    state.received = -Infinity;
  };
  const watch = () => {
    if (state.watched !== top) startWatching();
    // document.open() removes listeners; one that is still there is not added twice.
    for (const [types, heard] of state.listeners) {
      for (const type of types) top.defaultView?.addEventListener(type, heard, { capture: true, passive: true });
    }
  };

  // How many presses of a mouse, finger or key the browser has sent to the document, null if it does not
  // count them. A listener of ours may miss some: the page's may stop them before.
  const PRESSES = ["pointerdown", "mousedown", "click", "auxclick", "keydown"];
  const countPresses = () => performance.eventCounts
    ? PRESSES.reduce((sum, type) => sum + (performance.eventCounts.get(type) ?? 0), 0) : null;

  const numberOf = (e) => {
    let n = state.numbers.get(e);
    if (!n) {
      n = state.next++;
      state.numbers.set(e, n);
      state.nodes.set(n, new WeakRef(e));
    }
    return n;
  };
  const nodeOf = (n) => state.nodes.get(n)?.deref();
  // Milliseconds since a node, or what it is in, was added or opened; null if it was there.
  const sinceAdded = (node) => {
    for (let n = node; n; n = up(n)) if (state.added?.has(n)) return performance.now() - state.added.get(n);
    return null;
  };
  // Whether a question comes before the page is at rest, by what it has answered `about` itself: it waits for that,
  // but not for what has come since the last action, nor longer than its patience.
  const isEarly = (activity, { id, patience, quiet, finds, shows, before }) => {
    const now = performance.now();
    if (state.waiting?.id !== id) state.waiting = { id, since: now };
    if (now - state.waiting.since >= patience) return false;
    const asked = [...state.asked?.ways.values() ?? []].flatMap((nodes) => [...nodes]);
    const passed = now - before[state.document]?.now;
    if (asked.some((e) => (sinceAdded(e) ?? Infinity) < passed)) return false;
    const all = [activity, ...activity.frames ?? []];
    if (activity.loading || all.some(({ moving }) => moving) || (shows && all.every(({ reacted }) => reacted === false))) return true;
    return all.some(({ still, calm, watched }) => Math.min(still, finds ? watched : still, shows ? calm : still) < quiet);
  };
  // The element whose text is the answer to a call, which is a verb, what it is given, and what is asked `about` the
  // page beside it. Without an element Playwright asks again.
  const reply = (body, answer) => {
    const text = new TextDecoder().decode(Uint8Array.from(atob(body.slice(5)), (c) => c.charCodeAt(0)));
    const [verb, argument, about] = JSON.parse(text);
    const activity = about && globalThis.__webtask_engine.activity(top, about);
    if (about && isEarly(activity, about)) { state.asked = null; return []; }
    const carrier = top.createElement("i");
    const said = answer(verb, argument) ?? null;
    carrier.textContent = JSON.stringify(about ? [said, activity] : said);
    return [carrier];
  };
  // The elements that `webtask=ask` has noted for each way of a request.
  const askedIn = (request) => {
    const asked = state.asked?.request === request ? state.asked?.ways : null;
    state.asked = null;
    return (way) => [...asked?.get(String(way)) ?? []];
  };
  const cached = (compute) => {
    const results = new Map();
    return (e) => {
      if (!results.has(e)) results.set(e, compute(e));
      return results.get(e);
    };
  };
  const squash = (text) => (text || "").replace(/[\u200b\u00ad\u2060]/g, "").replace(/\s+/g, " ").trim();
  const withoutGlyphs = (text) => text.replace(/[\ue000-\uf8ff]/g, "");
  // `up` returns the element around a node, across shadow roots; `flat` prefers the slot that draws it.
  // (A link has a `host`, too: that of its address.)
  const up = (node) => node?.parentElement || [node, node?.parentNode].find((n) => n?.nodeType === 11)?.host || null;
  const flat = (node) => node.assignedSlot || up(node);
  const holds = (outer, inner, around = up) => {
    for (let node = inner; node; node = around(node)) if (node === outer) return true;
    return false;
  };
  // The innermost element from `e` outwards that holds some others.
  const commonOf = (e, others) => {
    for (let node = e; node; node = up(node)) if (others.every((o) => holds(node, o))) return node;
    return null;
  };
  const closest = (e, css) => e?.closest(css) ?? (e?.getRootNode().host ? closest(e.getRootNode().host, css) : null);
  // A document or shadow root, and the open ones in it; all elements in any of them.
  const rootsIn = (root) => [root, ...[...root.querySelectorAll("*")].flatMap((e) => e.shadowRoot ? rootsIn(e.shadowRoot) : [])];
  const everywhere = (css) => rootsIn(top).flatMap((root) => [...root.querySelectorAll(css)]);
  // The innermost element at a point of the viewport.
  const hitAt = (point) => {
    let hit = top.elementFromPoint(...point);
    for (let inner; (inner = hit?.shadowRoot?.elementFromPoint(...point)) && inner !== hit;) hit = inner;
    return hit;
  };
  const textNodesIn = (e) => {
    const walker = top.createTreeWalker(e, NodeFilter.SHOW_TEXT);
    const nodes = [];
    while (walker.nextNode()) nodes.push(walker.currentNode);
    return nodes;
  };
  // In a form with a field named "id", `form.id` is that field.
  const idOf = (e) => e.getAttribute("id") || "";
  const TEST_IDS = ["data-testid", "data-test", "data-test-id", "data-cy", "data-qa"];
  const testIdOf = (e) => TEST_IDS.map((name) => e.getAttribute(name)).find(Boolean) || "";
  const hasText = (e) => [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
  // The first elements of the tag of an element that its parent holds.
  const childrenByTag = cached((parent) => Map.groupBy(parent.children, (e) => e.localName));
  const siblingsOf = (e, most) => e.parentNode ? childrenByTag(e.parentNode).get(e.localName).slice(0, most) : [];
  // The nodes of which an element is drawn, in that order: a component draws its shadow tree, a slot what is
  // assigned to it, and a closed `details` its summary only.
  const drawnNodes = (e) => {
    if (e.localName === "details" && !e.open) return [...e.children].filter((c) => c.localName === "summary").slice(0, 1);
    const assigned = e.localName === "slot" ? e.assignedNodes() : [];
    return [...(assigned.length ? assigned : (e.shadowRoot || e).childNodes)];
  };
  // Calls a function for each text and each element that a node draws, in that order. All that gather what
  // is drawn walk by it; `element` decides by itself whether to go inside.
  const eachDrawn = (node, text, element) => {
    for (const c of drawnNodes(node)) {
      if (c.nodeType === 3) text(c);
      else if (c.nodeType === 1 && !SKIPPED.test(c.localName)) element(c);
    }
  };

  // The elements whose texts must not leave the page, including their descendants.
  let redacted = new Set();
  const redact = ({ redacted: numbers = {}, all = false }) => {
    const add = (e) => {
      redacted.add(e);
      for (const c of e.children || []) add(c);
      for (const c of e.shadowRoot?.children || []) add(c);
      if (e.localName === "slot") e.assignedElements().forEach(add);
    };
    for (const n of numbers?.[state.document] || []) if (nodeOf(n)) add(nodeOf(n));
    if (all) redacted = { has: () => true, size: 1 };
  };
  const isRedacted = (e) => redacted.size > 0 && redacted.has(e);
  const anyRedacted = () => redacted.size > 0;
  const holdsRedacted = (e) => [...redacted].some((r) => e.contains(r));

  // A password field that temporarily shows its text is still a password field.
  const isPassword = (e) => {
    if (e.localName !== "input") return false;
    // A combobox may only call itself so, to keep the browser from filling it in.
    if (e.type === "password" || (e.role !== "combobox" && /\b(current|new)-password\b/.test(e.autocomplete))) state.passwords.add(e);
    return state.passwords.has(e);
  };

  // --- Visible ---------------------------------------------------------------------------------

  // Whether Playwright can act on an element: it has a box and is not hidden, even if it is transparent or clipped.
  const isRendered = (e) => isRenderedIn(e, e.getBoundingClientRect());
  const isRenderedIn = (e, box) => {
    if (box.width > 0 && box.height > 0) return e.checkVisibility({ visibilityProperty: true });
    if (getComputedStyle(e).display !== "contents") return false;
    return [...e.childNodes].some((c) => c.nodeType === 3 ? c.data.trim() && up(e) && isRendered(up(e)) : c.nodeType === 1 && isRendered(c));
  };

  const isPage = (e) => e === top.documentElement || e === top.body;
  const CLIPS_ALL = /^rect\((0(px)?[, ]+0(px)?[, ]+0(px)?[, ]+0(px)?|1px,? 1px,? 1px,? 1px)\)$|inset\((50|100)%|circle\(0|polygon\(0(px|%)? 0(px|%)?, 0(px|%)? 0(px|%)?, 0(px|%)? 0(px|%)?\)/;
  const clipsAll = (clip) => clip !== "auto" && clip !== "none" && CLIPS_ALL.test(clip);
  const hidesAll = (e, style) => {
    if (style.overflow !== "visible" && !isPage(e) && e.localName !== "hr" && !/^(inline|contents)$/.test(style.display)) {
      const { width, height } = e.getBoundingClientRect();
      if (width <= 1 || height <= 1) return true;
    }
    return clipsAll(style.clip) || clipsAll(style.clipPath) || (style.filter !== "none" && /opacity\(0(%|\))/.test(style.filter));
  };
  // Whether a box scrolls to the left, and up, because its content begins on the right or at the bottom.
  const scrollsBack = ({ writingMode, direction, display, flexDirection, flexWrap }) => {
    const isFlex = /flex/.test(display);
    const main = isFlex && /reverse$/.test(flexDirection);
    const cross = isFlex && flexWrap === "wrap-reverse";
    const [inLine, across] = isFlex && /^column/.test(flexDirection) ? [cross, main] : [main, cross];
    const line = (direction === "rtl") !== (writingMode === "sideways-lr") !== inLine;
    const block = /-rl$/.test(writingMode) !== across;
    return /^(vertical|sideways)/.test(writingMode) ? { left: block, up: line } : { left: line, up: block };
  };
  const viewport = () => ({ left: 0, top: 0, right: innerWidth, bottom: innerHeight });
  const pageRoom = () => {
    const root = top.documentElement;
    const [outer, inner] = [root, top.body || root].map((e) => getComputedStyle(e));
    // The body's writing direction is that of the page, and so is its overflow where the root has none.
    const back = scrollsBack({ writingMode: inner.writingMode, direction: inner.direction, display: "block" });
    const { overflowX } = outer.overflow === "visible" ? inner : outer;
    // Pages that hide their overflow at the bottom often scroll by script, those at the side do not.
    const sides = /^(hidden|clip)$/.test(overflowX) ? viewport() : {
      left: (back.left ? root.clientWidth - root.scrollWidth : 0) - scrollX,
      right: back.left ? root.clientWidth - scrollX : Infinity,
    };
    return { left: sides.left, right: sides.right,
      top: (back.up ? root.clientHeight - root.scrollHeight : 0) - scrollY,
      bottom: back.up ? root.clientHeight - scrollY : Infinity };
  };
  const TOP_LAYER = ":is(:modal, :popover-open)";
  // A fixed element is in the viewport, or in an element that is transformed.
  const roomFor = (e, style) => {
    if (style.position === "fixed") return e.offsetParent && !e.matches(TOP_LAYER) ? roomIn(e.offsetParent) : viewport();
    return roomIn(style.position === "absolute" ? e.offsetParent : flat(e));
  };
  // A single visible pixel of a larger box does not count.
  const overlap = (a, b) => {
    const [left, upper] = [Math.max(a.left, b.left), Math.max(a.top, b.top)];
    const [right, bottom] = [Math.min(a.right, b.right), Math.min(a.bottom, b.bottom)];
    const enough = (length, whole) => length > Math.min(1, 0.9 * whole);
    return enough(right - left, a.right - a.left) && enough(bottom - upper, a.bottom - a.top) ? { left, top: upper, right, bottom } : null;
  };
  // The area in which the element's content is drawn, now or after scrolling; null if there is none.
  const roomIn = cached((e) => {
    if (!e) return pageRoom();
    const style = getComputedStyle(e);
    if (hidesAll(e, style)) return null;
    if (isPage(e)) return pageRoom();
    const room = roomFor(e, style);
    if (!room || style.overflow === "visible" || /^(inline|contents)$/.test(style.display)) return room;
    const box = e.getBoundingClientRect();
    const visiblePart = overlap(box, room);
    if (!visiblePart) return null;
    const scrolls = (axis) => /auto|scroll/.test(style[`overflow${axis}`]);
    const back = scrollsBack(style);
    // Where its scroll range begins and ends; the browser measures it before any scale or zoom.
    const range = (begin, end, size, scrolled, hidden, backwards) => {
      const scale = size ? (end - begin) / size : 1;
      return backwards ? [begin - scale * (scrolled + hidden), end - scale * scrolled] : [begin - scale * scrolled, Infinity];
    };
    const [left, right] = scrolls("X") ? range(box.left, box.right, e.offsetWidth, e.scrollLeft, e.scrollWidth - e.clientWidth, back.left)
      : [visiblePart.left, visiblePart.right];
    const [upper, lower] = scrolls("Y") ? range(box.top, box.bottom, e.offsetHeight, e.scrollTop, e.scrollHeight - e.clientHeight, back.up)
      : [visiblePart.top, visiblePart.bottom];
    return { left, right, top: upper, bottom: lower };
  });
  // Whether no element around is transparent. What is in the top layer is drawn without those around it.
  const isOpaque = (e) => {
    if (e.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return true;
    const layer = e.checkVisibility({ visibilityProperty: true }) && closest(e, TOP_LAYER);
    if (!layer) return false;
    for (let node = e; node; node = node === layer ? null : flat(node)) if (getComputedStyle(node).opacity === "0") return false;
    return true;
  };
  // Whether any of an element's boxes is drawn where a user can see it, now or after scrolling.
  const isInView = (e, boxes, style) => {
    if (hidesAll(e, style)) return false;
    const room = roomFor(e, style);
    return !!room && [...boxes].some((box) => box.width > 0 && box.height > 0 && overlap(box, room));
  };
  const visibility = (transparent) => {
    const test = cached((e) => {
      const style = getComputedStyle(e);
      if (style.display === "contents") {
        return drawnNodes(e).some((c) => c.nodeType === 3 ? c.data.trim() && flat(e) && test(flat(e)) : c.nodeType === 1 && test(c));
      }
      return (transparent ? e.checkVisibility({ visibilityProperty: true }) : isOpaque(e)) && isInView(e, e.getClientRects(), style);
    });
    return test;
  };
  const opaque = visibility(false);
  const transparent = visibility(true);
  // Whether a user can see an element: it is not transparent, clipped away or out of reach of scrolling.
  // With `transparent` a transparent element counts, because it takes clicks.
  const isVisible = (e, options) => options?.transparent ? transparent(e) : opaque(e);

  // Whether text in an element has a color.
  const CLEAR = /^transparent$|^rgba\(.*, 0\)$|\/ 0\)$/;
  const hasInk = cached((e) => {
    const style = getComputedStyle(e);
    if (!CLEAR.test(style.webkitTextFillColor || style.color)) return true;
    if (style.textShadow !== "none" || parseFloat(style.webkitTextStrokeWidth)) return true;
    for (let node = e, i = 0; node && i < 4; node = up(node), i++) {
      if (/text/.test(getComputedStyle(node).webkitBackgroundClip)) return true;
    }
    return false;
  });
  // The element in whose box a text is drawn; a slot has none.
  const holderOf = (text) => {
    let e = flat(text);
    while (e && getComputedStyle(e).display === "contents") e = flat(e);
    return e;
  };
  const boxesOf = cached((text) => {
    const range = top.createRange();
    range.selectNodeContents(text);
    return [...range.getClientRects()].filter((box) => box.width > 0 && box.height > 0);
  });
  // Whether a user can see a text, which its element may clip or draw without color.
  const isTextVisible = cached((text) => {
    const e = holderOf(text);
    // The text of an option has no boxes.
    if (e?.localName === "option") return isVisible(e);
    const room = e && isOpaque(e) && hasInk(e) && roomIn(e);
    return !!room && boxesOf(text).some((box) => overlap(box, room));
  });

  // Whether a part of the page shows nothing: no text, picture or field, and nothing that a style sheet adds.
  const isPictured = (e) => e.matches("img,svg,canvas,video,audio,iframe,object,embed,input,textarea,select,button,progress,meter,[role=img]") ||
    getComputedStyle(e).backgroundImage !== "none" || ["::before", "::after"].some((which) => !/^(none|normal|"\s*")$/.test(getComputedStyle(e, which).content));
  const showsNothing = (e) => getComputedStyle(e).display === "none" || (!(isVisible(e) && isPictured(e)) && drawnNodes(e).every((c) =>
    c.nodeType === 3 ? !c.data.trim() || !isTextVisible(c) : c.nodeType !== 1 || SKIPPED.test(c.localName) || showsNothing(c)));

  // `standInOf` returns the element drawn in place of an invisible control: the label of a box, or
  // `drawnPartOf`, the part of its component: around a control of no size, below one that is transparent.
  const areaOf = (b) => b.width * b.height;
  const draws = (d) => {
    const style = getComputedStyle(d);
    const paints = (s) => s.backgroundImage !== "none" || !/^rgba\(.*, 0\)$/.test(s.backgroundColor) || s.boxShadow !== "none" ||
      ["Top", "Right", "Bottom", "Left"].some((side) => s[`border${side}Style`] !== "none" && parseFloat(s[`border${side}Width`]) > 0);
    return !!d.closest("svg") || /^(img|canvas)$/.test(d.localName) || paints(style) || ["::before", "::after"].some((which) => {
      const s = getComputedStyle(d, which);
      return !/^(none|normal)$/.test(s.content) && s.display !== "none" && (s.content !== '""' || paints(s));
    });
  };
  const drawnPartOf = cached((e) => {
    if (!e.matches("input,select,textarea,[role=checkbox],[role=switch],[role=radio]") || isVisible(e)) return null;
    const [own, style] = [e.getBoundingClientRect(), getComputedStyle(e)];
    // A component may hide its control inside the part that it draws for it, such as a slider's thumb.
    const isPixel = (n) => { const { width, height } = n.getBoundingClientRect(); return width <= 1 && height <= 1; };
    if ((isPixel(e) || (e.type === "range" && flat(e) && isVisible(flat(e))) || (flat(e) && isPixel(flat(e)))) && e.checkVisibility({ visibilityProperty: true })) {
      for (let part = flat(e), i = 0; part && part !== top.body && i < 4; part = flat(part), i++) {
        const box = part.getBoundingClientRect();
        if (part.querySelectorAll("input,select,textarea,button,a").length > 1 || areaOf(box) > 100 * 100) break;
        if (isVisible(part) && [part, ...part.children].some((d) => d !== e && isVisible(d) && draws(d))) return part;
      }
    }
    if (style.opacity !== "0" || style.pointerEvents === "none" || own.width <= 1 || own.height <= 1) return null;
    if (!e.checkVisibility({ visibilityProperty: true }) || !flat(e) || !isVisible(flat(e))) return null;
    const [x, y] = [own.left + own.width / 2, own.top + own.height / 2];
    const isThere = (d) => {
      const box = d.getBoundingClientRect();
      if (x < box.left || x > box.right || y < box.top || y > box.bottom || !isVisible(d)) return false;
      // The background of a large part is not drawn for this control.
      return (d.localName === "label" || (e.role === "combobox" && hasText(d)) || areaOf(box) <= 4 * areaOf(own)) &&
        (draws(d) || (/^(SELECT|INPUT|TEXTAREA)$/.test(e.tagName) && (e.value ? squash(d.textContent) === squash(valueOf(e)) : e.role === "combobox" && !!d.textContent.trim())));
    };
    for (let part = flat(e), i = 0; part && part !== top.body && i < 3; part = flat(part), i++) {
      if (part.getElementsByTagName("*").length > 60) return null;
      const match = [...part.querySelectorAll("*"), part].find((d) => d !== e && !e.contains(d) && isThere(d));
      if (match) return match;
    }
    return null;
  });
  const standInOf = (e) => (/^(checkbox|radio|file)$/.test(e.type) && !isVisible(e) && labelsOf(e).find(opaque)) || drawnPartOf(e);
  // Whether a user can see the element or what is drawn in its place.
  const isShown = (e) => isVisible(e) || !!standInOf(e);

  // --- Role ------------------------------------------------------------------------------------

  const INPUT_ROLES = { hidden: "", button: "button", submit: "button", reset: "button", image: "button", file: "button",
    checkbox: "checkbox", radio: "radio", range: "slider", number: "spinbutton", search: "searchbox" };
  const TAG_ROLES = { article: "article", aside: "complementary", button: "button", datalist: "listbox", dd: "definition",
    details: "group", dialog: "dialog", dt: "term", fieldset: "group", figure: "figure", h1: "heading", h2: "heading",
    h3: "heading", h4: "heading", h5: "heading", h6: "heading", hr: "separator", img: "img", li: "listitem", main: "main",
    menu: "list", meter: "meter", nav: "navigation", ol: "list", optgroup: "group", option: "option", output: "status",
    progress: "progressbar", search: "search", svg: "img", table: "table", tbody: "rowgroup", textarea: "textbox",
    tfoot: "rowgroup", thead: "rowgroup", tr: "row", ul: "list" };
  const SECTIONING = "article:not([role]),aside:not([role]),main:not([role]),nav:not([role]),section:not([role])," +
    "[role=article],[role=complementary],[role=main],[role=navigation],[role=region]";
  const isNamed = (e) => e.hasAttribute("aria-label") || e.hasAttribute("aria-labelledby");
  const headerRoleOf = (th) => {
    if (/^col/.test(th.scope)) return "columnheader";
    if (/^row/.test(th.scope)) return "rowheader";
    const [before, after] = [th.previousElementSibling, th.nextElementSibling];
    if (before?.localName === "th" && after?.localName === "th") return "columnheader";
    const isData = (cell) => cell?.localName === "td" && !!(cell.textContent.trim() || cell.firstElementChild);
    return isData(before) || isData(after) ? "rowheader" : "columnheader";
  };
  // The role of an element without a role attribute.
  const nativeRoleOf = (e) => {
    switch (e.localName) {
      case "a": case "area": return e.hasAttribute("href") ? "link" : "";
      case "input": return e.list && /^(text|search|tel|url|email)$/.test(e.type) ? "combobox" : INPUT_ROLES[e.type] ?? "textbox";
      case "select": return e.multiple || e.size > 1 ? "listbox" : "combobox";
      case "section": return isNamed(e) ? "region" : "";
      case "form": return isNamed(e) ? "form" : "";
      case "header": return up(e)?.closest(SECTIONING) ? "" : "banner";
      case "footer": return up(e)?.closest(SECTIONING) ? "" : "contentinfo";
      case "td": return /^(tree)?grid$/.test(e.closest("table")?.getAttribute("role")) ? "gridcell" : "cell";
      case "th": return headerRoleOf(e);
    }
    return TAG_ROLES[e.localName] || "";
  };
  // The roles that its author gave an element; the first counts, the others are for browsers that lack it.
  const rolesIn = (e) => (e.getAttribute("role") || "").toLowerCase().split(/\s+/).filter(Boolean);
  const explicitRoleOf = (e) => e.hasAttribute("role") ? rolesIn(e)[0] || "" : "";
  const roleOf = (e) => explicitRoleOf(e) || nativeRoleOf(e);

  // --- Text ------------------------------------------------------------------------------------

  // The text of an element in the document, including hidden parts.
  const textOf = (e) => {
    // A drawing may contain a style sheet.
    if (/^(style|script)$/.test(e.localName)) return "";
    if (!redacted.size && !e.querySelector?.("style, script")) return e.textContent;
    if (redacted.has(e)) return (e.textContent || "").trim() ? REDACTED : "";
    let text = "";
    for (const c of e.childNodes) text += c.nodeType === 3 ? c.data : c.nodeType === 1 ? textOf(c) : "";
    return text;
  };
  // The text as the browser lays it out, without hidden parts; for an input button its value.
  const renderedTextOf = (e) => squash(e.localName === "input" ? (/^(button|submit|reset)$/.test(e.type) ? e.value : "") : e.innerText ?? e.textContent);
  // Editors with an EditContext draw their text themselves.
  const editedTextOf = (e) => e.innerText?.trim() ? e.innerText : e.editContext.text;
  // Whether an element is a slider without a native field, whose value only ARIA says.
  const isSlider = (e) => explicitRoleOf(e) === "slider" && e.localName !== "input";
  // What users of an element that is no native field see as its value; null for other elements.
  const ownValueOf = (e) => isSlider(e) ? e.getAttribute("aria-valuenow") : e.editContext && !e.isContentEditable ? editedTextOf(e) : null;
  // The value of a field; for a select, the labels of the selected options.
  const valueOf = (e) => {
    if (e.localName === "select") return [...e.selectedOptions].map((o) => squash(o.label)).join(", ");
    // A combobox may show its choice in place of the field, or beside it in a part that has it as its title.
    const isTitled = (part) => !!part.title && part.title === renderedTextOf(part) && !isRedacted(part);
    const chosen = e.role === "combobox" && !e.value && [drawnPartOf(e), up(e)].find((part) => part && isTitled(part));
    return chosen ? renderedTextOf(chosen) : "value" in e && e.localName !== "button" ? e.value : squash(e.innerText);
  };

  // --- Name ------------------------------------------------------------------------------------

  const labelledBy = (e) => (e.getAttribute("aria-labelledby") || "").split(/\s+/).filter(Boolean)
    .map((id) => e.getRootNode().getElementById?.(id)).map((l) => l && squash(textOf(l))).filter(Boolean).join(" ");
  const CAPTIONS = { table: "caption", fieldset: "legend", figure: "figcaption", details: "summary", svg: "title" };
  const captionOf = (e) => {
    const caption = CAPTIONS[e.localName] && e.querySelector(`:scope > ${CAPTIONS[e.localName]}`);
    return caption ? textOf(caption) : "";
  };
  // The content of an element for its name: images by their names, hidden parts left out. It is cut at
  // a length that no name reaches.
  const contentOf = (e) => {
    if (isRedacted(e) || (!e.firstElementChild && !e.shadowRoot)) return textOf(e);
    const rendered = e.checkVisibility({ visibilityProperty: true });
    let text = "";
    const addText = (node) => { text += node.data.replace(/\s+/g, " "); };
    const addElement = (c) => {
      if (text.length > 2000 || /^(input|select|textarea)$/.test(c.localName)) return;
      if (!c.firstChild && !c.shadowRoot && !/^(img|slot|br)$/.test(c.localName) && !c.hasAttribute("aria-label")) return;
      const style = getComputedStyle(c);
      if (c.ariaHidden === "true" || (rendered && (style.display === "none" || style.visibility !== "visible"))) return;
      const gap = /^(inline|contents)$/.test(style.display) && c.localName !== "br" ? "" : " ";
      text += gap;
      const isImage = /^(img|svg)$/.test(c.localName);
      const label = isRedacted(c) ? textOf(c) : c.getAttribute("aria-label") || (isImage && (nameOf(c, { content: false }) || textOf(c)));
      if (label) text += label;
      else if (!isRedacted(c) && !isImage) eachDrawn(c, addText, addElement);
      text += gap;
    };
    eachDrawn(e, addText, addElement);
    return squash(withoutGlyphs(text)) || textOf(e);
  };
  const FIELDS = "input,select,textarea,[contenteditable]:not([contenteditable=false])";
  // The only field in a component without a role of its own, which users take for that component.
  const fieldIn = cached((host) => {
    const fields = host?.localName.includes("-") && host.shadowRoot && !host.hasAttribute("role") ? host.shadowRoot.querySelectorAll(FIELDS) : [];
    return fields.length === 1 ? fields[0] : null;
  });
  const componentOf = (e) => e.matches(FIELDS) && fieldIn(e.getRootNode().host) === e ? e.getRootNode().host : null;
  // The labels of an element, or of the form-associated component whose field it is.
  const labelsOf = (e) => {
    if (e.labels?.length) return [...e.labels];
    const host = componentOf(e);
    return host ? [...host.getRootNode().querySelectorAll("label")].filter((l) => l.control === host) : [];
  };
  // The name of an element. With `content: false` it is only the name that its author gave: neither its
  // content nor the placeholder, which vanishes with the first letter.
  const nameOf = (e, { content = true } = {}) => {
    const isField = /^(input|select|textarea)$/.test(e.localName);
    const name = squash(labelledBy(e)) || squash(e.getAttribute("aria-label")) ||
      squash(labelsOf(e).map(contentOf).join(" ")) || squash(componentOf(e)?.getAttribute("aria-label")) || squash(captionOf(e)) ||
      (e.localName === "input" && /^(button|submit|reset)$/.test(e.type) ? squash(e.value) : "") || squash(e.getAttribute("alt")) ||
      (content && !isField && !e.isContentEditable ? squash(contentOf(e)) : "") ||
      squash(e.getAttribute("title")) || (content ? squash(e.getAttribute("placeholder")) : "");
    return name && isRedacted(e) ? REDACTED : name;
  };

  // --- Icons -----------------------------------------------------------------------------------

  // The author's name for an icon in a cell, a list item or a control without a name, or for a small part
  // that shows no text: what the browser takes for a name, as a tooltip, is not drawn.
  const lettered = (e) => squash(withoutGlyphs(e.textContent || ""));
  const iconIn = (e) => {
    const item = e.matches("td, li, [role=cell], [role=gridcell], [role=listitem]");
    const says = (c) => squash(c?.getAttribute("title") || c?.getAttribute("aria-label"));
    if (says(e) && !roleOf(e) && !lettered(e) && (({ width, height }) => width > 1 && height > 1 && width <= 48 && height <= 48)(e.getBoundingClientRect())) return says(e);
    if (!item && !(e.matches("a, button, [role=button], [role=link]") && !lettered(e) && !e.getAttribute("aria-label"))) return "";
    // The browser takes the glyph of an icon font for a name and then ignores the title.
    if (!item && e.getAttribute("title")) return squash(e.getAttribute("title"));
    if (item && !lettered(e) && !e.querySelector("a, button, input, select, textarea, img, [role]")) {
      const named = says([e, ...e.querySelectorAll("[title], [aria-label]")].find(says));
      if (named) return named;
    }
    // An image with an empty alt is decoration.
    const icon = [...e.querySelectorAll("svg, i, img:not([alt='']), [class*=icon i]")].find((c) => !lettered(c) &&
      isRendered(c) && (!item || c.closest("a, button, [role=button], td, li, [role=cell], [role=gridcell], [role=listitem]") === e));
    // The snapshot has the name of an image.
    if (!icon || (item && icon.matches("img") && nameOf(icon))) return "";
    const shape = icon.querySelector("use")?.getAttribute("href")?.split("#")[1] || icon.getAttribute("data-icon") || "";
    const called = (c) => [c.dataset.testid, idOf(c)].find((name) => name && !/\d/.test(name)) || "";
    const label = icon.getAttribute("alt") || icon.getAttribute("aria-label") || icon.getAttribute("title") || shape || called(icon) ||
      icon.getAttribute("class") || (icon.getAttribute("src") || "").split("/").pop() || called(e);
    return squash((label || (icon.matches("img") ? "" : "no name")).replace(/[_-]+/g, " "));
  };

  // The text that a style sheet puts before or after the content of an element. Several texts are gathered
  // of the same elements, and the style of what is generated takes long.
  const contentBy = Object.fromEntries(["::before", "::after"].map((which) =>
    [which, cached((e) => [...getComputedStyle(e, which).content.split('" / "')[0].matchAll(/"((?:[^"\\]|\\.)*)"?/gs)].map((m) => m[1]).join(""))]));
  // A word that a font draws as one square sign, such as "arrow_upward".
  const isLigature = cached((e) => {
    const isText = squash(e.textContent);
    const [text, style] = [isText || contentBy["::before"](e), getComputedStyle(e, isText ? null : "::before")];
    const isFont = e.ariaHidden === "true" || /liga/.test(style.fontFeatureSettings) || /icon|symbol/i.test(style.fontFamily.split(",")[0]);
    if (e.firstElementChild || !/^[\w-]{2,}$/.test(text) || !isFont) return false;
    const range = top.createRange();
    range.selectNodeContents(e);
    const [width, size] = [(isText ? range : e).getBoundingClientRect().width, parseFloat(style.fontSize)];
    return Math.abs(width - size) <= 0.05 * size;
  });

  // --- Headings --------------------------------------------------------------------------------

  const HEADING = "h1,h2,h3,h4,h5,h6,[role=heading]";
  const levelOf = (h) => +h.getAttribute("aria-level") || +h.localName.match(/^h([1-6])$/)?.[1] || 2;
  const headingsIn = cached((scope) => [...scope.querySelectorAll(HEADING)]);
  const isBefore = (a, b) => !!(a.compareDocumentPosition(b) & 4);
  // --- Looks active ----------------------------------------------------------------------------

  const STATED = ["aria-selected", "aria-pressed", "aria-current", "aria-checked"];
  // Today in a calendar is its current date, whatever date is selected.
  const statedBy = (e) => STATED.map((name) => e.getAttribute(name)).find((value) => value !== null && !/^(date|time)$/.test(value));
  const classesIn = cached((text) => text.split(/\s+/).filter((c) => /^[\w-]+$/.test(c)).map((c) => c.replace(/__[\w-]{5}$/, "")));
  const classesOf = (e) => classesIn(e.getAttribute("class") || "");
  // A class whose last word says so: [class, the text before that word, the word].
  const calledOf = (c) => {
    const word = c.split(/[-_]+|(?=[A-Z])/).at(-1);
    return /^(active|selected|current|on)$/i.test(word) ? [c, c.slice(0, -word.length).replace(/[-_]+$/, ""), word.toLowerCase()] : null;
  };
  // The classes by which an author calls an element active. One with a prefix counts if that is a class of the element
  // (tab--selected), or the prefix of another class of it, and of one of all that are `alike` (ui-tab ui-selected
  // beside ui-tab): others deny it (not-active, inActive) or are about something else (text-current).
  const activeClassesOf = (e, alike) => {
    const own = classesOf(e);
    const has = (classes, prefix) => classes.some((c) => c.startsWith(prefix) && /^[-_A-Z]/.test(c.slice(prefix.length)));
    const spaced = (prefix) => has(own.filter((c) => !calledOf(c)), prefix) && alike.every((o) => has(classesOf(o), prefix));
    return own.map(calledOf).filter(Boolean).filter(([, prefix, word]) => !prefix || prefix === "is" || own.includes(prefix) ||
      (/^(active|selected)$/.test(word) && spaced(prefix))).map(([c]) => c);
  };
  // Whether ARIA or a class may say that an element is active.
  const isCalled = cached((classes) => classes.some(calledOf));
  const isMarked = cached((e) => isCalled(classesOf(e)) || !!statedBy(e));
  // Whether an element is marked so, or one that may be drawn with it: few elements of a page are.
  const mayLookActive = (e) => {
    for (let n = e, i = 0; n && i < 4; n = up(n), i++) if (isMarked(n)) return true;
    for (let n = e, i = 0; n.children.length === 1 && i < 5; i++) if (isMarked(n = n.firstElementChild)) return true;
    return false;
  };
  // The elements in the same place of the siblings of an element or of what is around it, which can be seen.
  const alikeOf = (e) => {
    const base = classesOf(e).filter((c) => !calledOf(c));
    const steps = [];
    for (let n = e, i = 0; n && !isPage(n) && i < 8; n = up(n), i++) {
      const place = steps.length ? `:scope > ${steps.join(" > ")}` : "";
      const others = siblingsOf(n, 61).filter((s) => s !== n).slice(0, 60)
        .map((s) => place ? s.querySelector(place) : s)
        .filter((s) => s && (!base.length || classesOf(s).some((c) => base.includes(c))) && isVisible(s));
      if (others.length) return others;
      steps.unshift(n.localName);
    }
    return [];
  };
  const LOOK = ["color", "backgroundColor", "backgroundImage", "fontWeight", "textDecorationLine", "opacity", "fill",
    ...["Top", "Right", "Bottom", "Left"].flatMap((side) => [`border${side}Style`, `border${side}Width`, `border${side}Color`])];
  const lookOf = cached((e) => [e, ...[...e.querySelectorAll("*")].slice(0, 5)].flatMap((n) => ["", "::before", "::after"].map((part) => {
    const style = getComputedStyle(n, part || null);
    return part && style.content === "none" ? "" : LOOK.map((name) => style[name]).join() + (part && style.content);
  })).join("\n"));
  // The parts that are drawn as one thing with an element: what is close around it, and in a control its icon.
  const drawnWith = (e) => {
    const parts = [e];
    const [text, height] = [squash(e.textContent), e.getBoundingClientRect().height];
    for (let n = up(e); n && !isPage(n) && parts.length < 4 && squash(n.textContent) === text && n.getBoundingClientRect().height <= 2 * height; n = up(n)) parts.push(n);
    const isControl = /^(button|link|tab|menuitem|option)$/.test(roleOf(e));
    for (let n = e; isControl && parts.length < 6 && n.children.length === 1 && !hasText(n);) {
      parts.push(n = n.firstElementChild);
    }
    return parts;
  };
  const drawsActive = (e) => {
    if (!mayLookActive(e)) return false;
    const parts = drawnWith(e);
    if (/^(checkbox|radio)$/.test(e.type) || statedBy(e) || parts.some((n) => statedBy(n) === "false")) return false;
    return parts.some((n) => {
      if (!isMarked(n)) return false;
      const stated = !!statedBy(n);
      const alike = alikeOf(n);
      if (stated) return alike.some((o) => !statedBy(o));
      if (!alike.length || alike.some(statedBy) || !activeClassesOf(n, alike).length) return false;
      const all = [n, ...alike];
      const others = alike.filter((o) => !activeClassesOf(o, all.filter((a) => a !== o)).length);
      const resting = others.filter((o) => !o.matches(":hover"));
      const compared = resting.length ? resting : others;
      return compared.filter((o) => lookOf(o) !== lookOf(n)).length > compared.length / 2;
    });
  };
  // Whether an element looks active where ARIA does not say so: its class is active, selected, current or
  // on, which those of its like are not, and it is drawn in another way than they are. What it has looked
  // like only since the mouse or the focus came to it, without a press, does not count.
  const looksActive = cached((e) => {
    const looks = drawsActive(e);
    const rested = state.rested ??= new WeakMap();
    const isPointed = looks && e.matches(":hover, :focus-within");
    if (isPointed) return rested.get(e) !== false;
    rested.set(e, looks);
    return looks;
  });

  return { watch, countPresses, sinceAdded, reply, askedIn, commonOf, closest, rootsIn, everywhere, hitAt, textNodesIn, hasText, showsNothing, idOf, TEST_IDS, testIdOf,
    isPassword, HEADING, levelOf, headingsIn, isBefore, state, REDACTED, SKIPPED, numberOf, nodeOf, cached, squash, withoutGlyphs, up, flat, holds,
    drawnNodes, redact, isRedacted, anyRedacted, holdsRedacted, eachDrawn, isRendered, isRenderedIn, isPage, isVisible, holderOf, boxesOf, lettered, iconIn, contentBy, isLigature,
    isTextVisible, drawnPartOf, standInOf, isShown, rolesIn, explicitRoleOf, nativeRoleOf, roleOf, textOf, renderedTextOf, valueOf, ownValueOf, isSlider, fieldIn, labelsOf, labelledBy,
    contentOf, nameOf, looksActive, siblingsOf };
}
