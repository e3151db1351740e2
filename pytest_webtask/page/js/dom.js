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
    const document = Math.random().toString(36).slice(2, 10);
    Object.assign(state, { document, numbers: new WeakMap(), nodes: new Map(), next: 1, passwords: new WeakSet(),
      scrolled: 0, pointed: 0 });
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
    if (now - state.changed > PAUSE) Object.assign(state, { run: now, times: new WeakMap() });
    let counts = false;
    // How a pressed button looks is no effect of the press.
    const isLook = ({ target, type, attributeName, addedNodes, removedNodes }) => {
      if (!state.pressed || !holds(state.pressed, target)) return false;
      if (type === "attributes") return /^(class|style|data-.*)$/.test(attributeName);
      return type === "childList" && ![...addedNodes, ...removedNodes].some((n) => n.textContent.trim());
    };
    if (records.some((each) => !isLook(each) && !state.restless.has(each.target))) state.reacted = now;
    const once = new Set();
    for (const { target, type, addedNodes, removedNodes, attributeName } of records) {
      addedNodes.forEach((n) => state.added.set(n, now));
      touch(target.nodeType === 1 ? target : target.parentElement ?? top, attributeName ?? type);
      const opens = /^(open|hidden)$/.test(attributeName) && target.hasAttribute("open") !== target.hidden;
      if (opens) state.added.set(target, now);
      if (state.restless.has(target)) {
        state.moved = now;
        continue;
      }
      counts = true;
      // A page that only grows is being built.
      const isNew = !once.has(target) && addedNodes.length <= removedNodes.length;
      if (isNew) state.times.set(target, (state.times.get(target) ?? 0) + 1);
      once.add(target);
      if (now - state.run > LASTING && state.times.get(target) > 5) state.restless.add(target);
    }
    if (counts) state.changed = now;
  };
  const startWatching = () => {
    state.watched = top;
    Object.assign(state, { note, added: new WeakMap(), changes: new WeakMap(), restless: new WeakSet(),
      times: new WeakMap(), moved: -1e9 });
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
      [["scroll", "load", "toggle"], ({ type, target }) => {
        const isDrawn = type !== "load" || target.matches?.("img, image, input, link, iframe, object, embed");
        if (isDrawn) state.scrolled++;
      }],
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
    const isWithout = shows && all.every(({ reacted }) => reacted === false);
    if (activity.loading || isWithout || all.some(({ moving }) => moving)) return true;
    const restOf = ({ still, calm, watched }) => Math.min(still, finds ? watched : still, shows ? calm : still);
    return all.some((each) => restOf(each) < quiet);
  };
  // The element whose text is the answer to a call, which is a verb, what it is given, and what is asked `about` the
  // page beside it. Without an element Playwright asks again.
  const reply = (body, verbs) => {
    const text = new TextDecoder().decode(Uint8Array.from(atob(body.slice(5)), (c) => c.charCodeAt(0)));
    const [verb, argument, about] = JSON.parse(text);
    const activity = about && globalThis.__webtask_engine.of(top).activity(about);
    if (about && isEarly(activity, about)) { state.asked = null; return []; }
    const carrier = top.createElement("i");
    const said = verbs[verb](argument) ?? null;
    carrier.textContent = JSON.stringify(about ? [said, activity] : said, (_, v) => v?.toWellFormed?.() ?? v);
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
  // A text of the page as it enters: letters composed, without what is not drawn or UTF-8 cannot encode.
  const clean = (text) => (text || "").replace(/[\u200b\u00ad\u2060]/g, "").toWellFormed().normalize("NFC");
  const squash = (text) => clean(text).replace(/\s+/g, " ").trim();
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
  const rootsIn = (root) => {
    const hosts = [...root.querySelectorAll("*")].filter((e) => e.shadowRoot);
    return [root, ...hosts.flatMap((e) => rootsIn(e.shadowRoot))];
  };
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
  // The texts written in an element, hidden or not, that pass a test; all of them where a part is redacted.
  const writtenIn = (e, test = () => true) => holdsRedacted(e) ? squash(textOf(e))
    : squash(textNodesIn(e).filter(test).map((n) => n.data).join(" "));
  // In a form with a field named "id", `form.id` is that field.
  const idOf = (e) => e.getAttribute("id") || "";
  const TEST_IDS = ["data-testid", "data-test", "data-test-id", "data-cy", "data-qa"];
  const testIdOf = (e) => TEST_IDS.map((name) => e.getAttribute(name)).find(Boolean) || "";
  // The classes that an author chose. Classes with digits or without vowels are generated.
  const isHash = (name) => /\d/.test(name) || name.split(/[-_]+/).some((part) => {
    const words = part.match(/[A-Z]?[a-z]+|[A-Z]+/g) || [];
    return (part.length > 4 && words.length > 1 && part.length / words.length < 3) || /[^aeiouy]{6}/i.test(part);
  });
  const classesOf = cached((e) => [...e.classList].filter((name) => !isHash(name)));
  const hasText = (e) => [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
  const FIELD = "input:not([type=button],[type=submit],[type=reset],[type=image]),select,textarea";
  const isField = (e) => /^(input|select|textarea)$/.test(e.localName);
  // The first elements of the tag of an element that its parent holds.
  const childrenByTag = cached((parent) => Map.groupBy(parent.children, (e) => e.localName));
  const siblingsOf = (e, most) => e.parentNode ? childrenByTag(e.parentNode).get(e.localName).slice(0, most) : [];
  // The nodes of which an element is drawn, in that order: a component draws its shadow tree, a slot what is
  // assigned to it, and a closed `details` its summary only.
  const drawnNodes = (e) => {
    const isClosed = e.localName === "details" && !e.open;
    if (isClosed) return [...e.children].filter((c) => c.localName === "summary").slice(0, 1);
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
  const holdsRedacted = (e) => [...redacted].some((r) => holds(e, r, flat));

  // A password field that temporarily shows its text is still a password field.
  const isPassword = (e) => {
    if (e.localName !== "input") return false;
    if (e.type === "password" || /\b(current|new)-password\b/.test(e.autocomplete)) state.passwords.add(e);
    return state.passwords.has(e);
  };

  // --- Visible ---------------------------------------------------------------------------------

  // Whether Playwright can act on an element: it has a box and is not hidden, even if it is transparent or clipped.
  const isRendered = (e) => isRenderedIn(e, e.getBoundingClientRect());
  const isRenderedIn = (e, box) => {
    if (box.width > 0 && box.height > 0) return e.checkVisibility({ visibilityProperty: true });
    if (getComputedStyle(e).display !== "contents") return false;
    const isText = (c) => c.nodeType === 3 && c.data.trim() && up(e) && isRendered(up(e));
    return [...e.childNodes].some((c) => isText(c) || (c.nodeType === 1 && isRendered(c)));
  };

  const isPage = (e) => e === top.documentElement || e === top.body;
  const isInline = cached((e) => /^(inline|contents)/.test(getComputedStyle(e).display));
  const CLIPS_ALL = /^rect\((0(px)?[, ]+){3}0(px)?\)$|^rect\((1px,? ){3}1px\)$|inset\((50|100)%|circle\(0/;
  const hidesAll = (e, style) => {
    const clips = style.overflow !== "visible" && !/^(inline|contents)$/.test(style.display);
    const { width, height } = e.getBoundingClientRect();
    if (clips && (width <= 1 || height <= 1) && !isPage(e) && e.localName !== "hr") return true;
    return CLIPS_ALL.test(style.clip) || CLIPS_ALL.test(style.clipPath) || /opacity\(0(%|\))/.test(style.filter);
  };
  // Whether a box scrolls to the left, and up, because its content begins on the right or at the bottom.
  const scrollsBack = ({ direction, display, flexDirection }) => {
    const isReversed = /flex/.test(display) && /reverse$/.test(flexDirection);
    const isColumn = /^column/.test(flexDirection);
    return { left: (direction === "rtl") !== (isReversed && !isColumn), up: isReversed && isColumn };
  };
  const viewport = () => ({ left: 0, top: 0, right: innerWidth, bottom: innerHeight });
  const pageRoom = () => {
    const root = top.documentElement;
    const [outer, inner] = [root, top.body || root].map((e) => getComputedStyle(e));
    const room = { left: -scrollX, right: Infinity, top: -scrollY, bottom: Infinity };
    // The body's writing direction is that of the page, and so is its overflow where the root has none.
    const { overflowX } = outer.overflow === "visible" ? inner : outer;
    // Pages that hide their overflow at the bottom often scroll by script, those at the side do not.
    if (/^(hidden|clip)$/.test(overflowX)) return { ...room, left: 0, right: innerWidth };
    const end = root.clientWidth - scrollX;
    return inner.direction === "rtl" ? { ...room, left: end - root.scrollWidth, right: end } : room;
  };
  const TOP_LAYER = ":is(:modal, :popover-open)";
  // A fixed element is in the viewport, or in an element that is transformed.
  const roomFor = (e, style) => {
    const isFixed = style.position === "fixed";
    if (isFixed && (!e.offsetParent || e.matches(TOP_LAYER))) return viewport();
    return roomIn(isFixed || style.position === "absolute" ? e.offsetParent : flat(e));
  };
  // A single visible pixel of a larger box does not count.
  const overlap = (a, b) => {
    const [left, upper] = [Math.max(a.left, b.left), Math.max(a.top, b.top)];
    const [right, bottom] = [Math.min(a.right, b.right), Math.min(a.bottom, b.bottom)];
    const enough = (length, whole) => length > Math.min(1, 0.9 * whole);
    const isEnough = enough(right - left, a.right - a.left) && enough(bottom - upper, a.bottom - a.top);
    return isEnough ? { left, top: upper, right, bottom } : null;
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
    const range = (begin, end, size, [scrolled, hidden], isBack) => {
      const scale = (end - begin) / size || 1;
      const from = begin - scale * scrolled;
      return isBack ? [from - scale * hidden, end - scale * scrolled] : [from, Infinity];
    };
    const across = [e.scrollLeft, e.scrollWidth - e.clientWidth];
    const down = [e.scrollTop, e.scrollHeight - e.clientHeight];
    const [left, right] = scrolls("X") ? range(box.left, box.right, e.offsetWidth, across, back.left)
      : [visiblePart.left, visiblePart.right];
    const [upper, lower] = scrolls("Y") ? range(box.top, box.bottom, e.offsetHeight, down, back.up)
      : [visiblePart.top, visiblePart.bottom];
    return { left, right, top: upper, bottom: lower };
  });
  // Whether no element around is transparent. What is in the top layer is drawn without those around it.
  const isOpaque = (e) => {
    if (e.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return true;
    const layer = e.checkVisibility({ visibilityProperty: true }) && closest(e, TOP_LAYER);
    if (!layer) return false;
    const isClear = (node) => getComputedStyle(node).opacity === "0" || (node !== layer && isClear(flat(node)));
    return !isClear(e);
  };
  // Whether any of an element's boxes is drawn where a user can see it, now or after scrolling.
  const isInView = (e, boxes, style) => {
    if (hidesAll(e, style)) return false;
    const room = roomFor(e, style);
    return !!room && [...boxes].some((box) => box.width > 0 && box.height > 0 && overlap(box, room));
  };
  // Whether an element without an area is laid out where a user would see what came into it.
  const hasPlace = (e) => {
    const [style, box] = [getComputedStyle(e), e.getBoundingClientRect()];
    const isCut = /hidden|clip/.test(style.overflow) || (e.offsetWidth > 0 && !box.width);
    const room = isOpaque(e) && !isCut ? roomFor(e, style) : null;
    return !!room && box.right >= room.left && box.left <= room.right && box.bottom >= room.top && box.top <= room.bottom;
  };
  const visibility = (transparent) => {
    const test = cached((e) => {
      const style = getComputedStyle(e);
      if (style.display === "contents") {
        const isText = (c) => c.nodeType === 3 && c.data.trim() && flat(e) && test(flat(e));
        return drawnNodes(e).some((c) => isText(c) || (c.nodeType === 1 && test(c)));
      }
      const isDrawn = transparent ? e.checkVisibility({ visibilityProperty: true }) : isOpaque(e);
      return isDrawn && isInView(e, e.getClientRects(), style);
    });
    return test;
  };
  const [opaque, transparent] = [false, true].map(visibility);
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
  const rangeOf = (node) => {
    const range = top.createRange();
    range.selectNodeContents(node);
    return range;
  };
  const boxesOf = cached((text) => [...rangeOf(text).getClientRects()].filter((b) => b.width > 0 && b.height > 0));
  // The box of a letter of a text.
  const letterBox = (text, at) => {
    const range = top.createRange();
    range.setStart(text, at);
    range.setEnd(text, at + 1);
    return range.getBoundingClientRect();
  };
  // The nearest box that scrolls down, from an element outwards but for the page; null if there is none.
  const scrollerOf = cached((e) => {
    if (!e || isPage(e)) return null;
    const isBox = /auto|scroll/.test(getComputedStyle(e).overflowY) && e.scrollHeight > e.clientHeight + 1;
    return isBox ? e : scrollerOf(up(e));
  });
  // Whether a user can see a text, or all of it, which its element may clip or draw without color. That of an
  // option has no boxes, and the box of a line may be higher than its room, as its letters are not.
  const textVisibility = (whole) => cached((text) => {
    const e = holderOf(text);
    if (e?.localName === "option") return isVisible(e);
    const room = e && isOpaque(e) && hasInk(e) && roomIn(e);
    const isIn = ({ left, right, top: upper, bottom, height }) => left > room.left - 2 && right < room.right + 2 &&
      upper + height / 4 >= room.top && bottom - height / 4 <= room.bottom;
    return !!room && boxesOf(text).some((box) => overlap(box, room)) && (!whole || boxesOf(text).every(isIn));
  });
  const [isTextVisible, isTextWhole] = [false, true].map(textVisibility);

  // Whether a part of the page shows nothing: no text, picture or field, and nothing that a style sheet adds.
  const PICTURES = "img,svg,canvas,video,audio,iframe,object,embed,input,textarea,select,button,progress,meter," +
    "[role=img]";
  const isGenerated = (e, which) => !/^(none|normal|"\s*")$/.test(getComputedStyle(e, which).content);
  const isPictured = (e) => e.matches(PICTURES) || getComputedStyle(e).backgroundImage !== "none" ||
    isGenerated(e, "::before") || isGenerated(e, "::after");
  const isNothing = (node) => {
    if (node.nodeType === 3) return !node.data.trim() || !isTextVisible(node);
    return node.nodeType !== 1 || SKIPPED.test(node.localName) || showsNothing(node);
  };
  const showsNothing = (e) => getComputedStyle(e).display === "none" ||
    (!(isVisible(e) && isPictured(e)) && drawnNodes(e).every(isNothing));

  // `standInOf` returns the element drawn in place of an invisible control: the label of a box, or
  // `drawnPartOf`, the part of its component: around a control of no size, below one that is transparent.
  const areaOf = (b) => b.width * b.height;
  const SIDES = ["Top", "Right", "Bottom", "Left"];
  const draws = (d) => {
    const hasBorder = (s, side) => s[`border${side}Style`] !== "none" && parseFloat(s[`border${side}Width`]) > 0;
    const paints = (s) => s.backgroundImage !== "none" || !/^rgba\(.*, 0\)$/.test(s.backgroundColor) ||
      s.boxShadow !== "none" || SIDES.some((side) => hasBorder(s, side));
    if (d.closest("svg") || /^(img|canvas)$/.test(d.localName) || paints(getComputedStyle(d))) return true;
    return ["::before", "::after"].map((which) => getComputedStyle(d, which)).some((s) =>
      !/^(none|normal)$/.test(s.content) && s.display !== "none" && (s.content !== '""' || paints(s)));
  };
  // The nearest elements around one, but for large parts of the page.
  const aroundOf = (e, most) => {
    const found = [];
    for (let part = flat(e); part && part !== top.body && found.length < most; part = flat(part)) found.push(part);
    return found;
  };
  const isPixel = (e) => {
    const { width, height } = e.getBoundingClientRect();
    return width <= 1 && height <= 1;
  };
  const drawnAround = (e) => {
    for (const part of aroundOf(e, 4)) {
      const isOther = part.querySelectorAll("input,select,textarea,button,a").length > 1;
      if (isOther || areaOf(part.getBoundingClientRect()) > 100 * 100) return null;
      if (isVisible(part) && [part, ...part.children].some((d) => d !== e && isVisible(d) && draws(d))) return part;
    }
    return null;
  };
  const drawnBelow = (e) => {
    const own = e.getBoundingClientRect();
    const [x, y] = [own.left + own.width / 2, own.top + own.height / 2];
    const value = e.matches("select,input,textarea") ? squash(valueOf(e)) : "";
    // A combobox without a value shows its choice there.
    const isOpen = !value && e.role === "combobox";
    const showsValue = (d) => isOpen ? /\S/.test(d.textContent) : value && squash(d.textContent) === value;
    const isThere = (d) => {
      const box = d.getBoundingClientRect();
      const isAt = x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;
      // The background of a large part is not drawn for this control.
      const isOwn = d.localName === "label" || (isOpen && hasText(d)) || areaOf(box) <= 4 * areaOf(own);
      return isAt && isOwn && isVisible(d) && (draws(d) || showsValue(d));
    };
    const parts = aroundOf(e, 3).filter((part) => part.getElementsByTagName("*").length <= 60);
    const all = parts.flatMap((part) => [...part.querySelectorAll("*"), part]);
    return all.find((d) => !e.contains(d) && isThere(d)) ?? null;
  };
  const drawnPartOf = cached((e) => {
    if (!e.matches("input,select,textarea,[role=checkbox],[role=switch],[role=radio]") || isVisible(e)) return null;
    if (!e.checkVisibility({ visibilityProperty: true }) || !flat(e)) return null;
    // A component may hide its control inside the part that it draws for it, such as a slider's thumb.
    const isInside = isPixel(e) || isPixel(flat(e)) || (e.type === "range" && isVisible(flat(e)));
    const around = isInside ? drawnAround(e) : null;
    const { opacity, pointerEvents } = getComputedStyle(e);
    if (around || isPixel(e) || opacity !== "0" || pointerEvents === "none" || !isVisible(flat(e))) return around;
    return drawnBelow(e);
  });
  const standInOf = (e) => {
    const isBox = /^(checkbox|radio|file)$/.test(e.type) && !isVisible(e);
    return (isBox && labelsOf(e).find(opaque)) || drawnPartOf(e);
  };
  // Whether a user can see the element or what is drawn in its place.
  const isShown = (e) => isVisible(e) || !!standInOf(e);
  // Whether a user can point at an element, now or after scrolling; a pixel is there for assistive technology.
  const isInReach = (e) => transparent(e) || !!standInOf(e) ||
    (isRendered(e) && (isPixel(e) || isPixel(flat(e)) || hidesAll(e, getComputedStyle(e))));
  // Whether an element lets clicks through, and so does what is drawn for it; a field may get them from its parent.
  const isDeaf = (e) => [e, ...labelsOf(e), drawnPartOf(e), isField(e) && flat(e)]
    .every((part) => !part || getComputedStyle(part).pointerEvents === "none");

  // --- Role ------------------------------------------------------------------------------------

  const INPUT_ROLES = { hidden: "", button: "button", submit: "button", reset: "button", image: "button",
    file: "button", checkbox: "checkbox", radio: "radio", range: "slider", number: "spinbutton", search: "searchbox" };
  const TAG_ROLES = { article: "article", aside: "complementary", button: "button", datalist: "listbox",
    dd: "definition", details: "group", dialog: "dialog", dt: "term", fieldset: "group", figure: "figure",
    h1: "heading", h2: "heading", h3: "heading", h4: "heading", h5: "heading", h6: "heading", hr: "separator",
    img: "img", li: "listitem", main: "main", menu: "list", meter: "meter", nav: "navigation", ol: "list",
    optgroup: "group", option: "option", output: "status", progress: "progressbar", search: "search", svg: "img",
    table: "table", tbody: "rowgroup", textarea: "textbox", tfoot: "rowgroup", thead: "rowgroup", tr: "row",
    ul: "list" };
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
      case "input":
        if (e.list && /^(text|search|tel|url|email)$/.test(e.type)) return "combobox";
        return INPUT_ROLES[e.type] ?? "textbox";
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
  const renderedTextOf = (e) => {
    if (e.localName !== "input") return squash(e.innerText ?? e.textContent);
    return /^(button|submit|reset)$/.test(e.type) ? squash(e.value) : "";
  };
  // Whether an element is a slider without a native field, whose value only ARIA says.
  const isSlider = (e) => explicitRoleOf(e) === "slider" && e.localName !== "input";
  // What users of an element that is no native field see as its value; null for other elements.
  const ownValueOf = (e) => isSlider(e) ? e.getAttribute("aria-valuenow") : null;
  // The value of a field; for a select, the labels of the selected options.
  const valueOf = (e) => {
    if (e.localName === "select") return [...e.selectedOptions].map((o) => squash(o.label)).join(", ");
    return "value" in e && e.localName !== "button" ? e.value : squash(e.innerText);
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
    const isHidden = (c, style) => c.ariaHidden === "true" ||
      (rendered && (style.display === "none" || style.visibility !== "visible"));
    const labelFor = (c) => {
      if (isRedacted(c)) return textOf(c);
      const isImage = /^(img|svg)$/.test(c.localName);
      return c.getAttribute("aria-label") || (isImage && (nameOf(c, { content: false }) || textOf(c)));
    };
    const addElement = (c) => {
      if (text.length > 2000 || /^(input|select|textarea)$/.test(c.localName)) return;
      const style = getComputedStyle(c);
      if (isHidden(c, style)) return;
      const gap = /^(inline|contents)$/.test(style.display) && c.localName !== "br" ? "" : " ";
      text += gap;
      const label = labelFor(c);
      if (label) text += label;
      else if (!/^(img|svg)$/.test(c.localName)) eachDrawn(c, addText, addElement);
      text += gap;
    };
    eachDrawn(e, addText, addElement);
    return squash(withoutGlyphs(text)) || textOf(e);
  };
  const labelsOf = (e) => [...e.labels ?? []];
  // The name of an element. With `content: false` it is only the name that its author gave: neither its
  // content nor the placeholder, which vanishes with the first letter.
  const nameOf = (e, { content = true } = {}) => {
    const isButton = e.localName === "input" && /^(button|submit|reset)$/.test(e.type);
    const attribute = (name) => squash(e.getAttribute(name));
    const name = labelledBy(e) || attribute("aria-label") || squash(labelsOf(e).map(contentOf).join(" ")) ||
      squash(captionOf(e)) || (isButton && squash(e.value)) || attribute("alt") ||
      (content && !isField(e) && !e.isContentEditable && squash(contentOf(e))) ||
      attribute("title") || (content && attribute("placeholder")) || "";
    return name && isRedacted(e) ? REDACTED : name;
  };

  // --- Icons -----------------------------------------------------------------------------------

  // The author's name for an icon in a cell, a list item or a control without a name, or for a small part
  // that shows no text: what the browser takes for a name, as a tooltip, is not drawn.
  const lettered = (e) => squash(withoutGlyphs(e.textContent || ""));
  const ICONS = "svg, i, img:not([alt='']), [class*=icon i]";
  const ITEMS = "td, li, [role=cell], [role=gridcell], [role=listitem]";
  const CONTROLS = "a, button, [role=button], [role=link]";
  const iconIn = (e) => {
    const says = (c) => squash(c.getAttribute("title") || c.getAttribute("aria-label"));
    const { width, height } = e.getBoundingClientRect();
    const isSmall = width > 1 && height > 1 && width <= 48 && height <= 48;
    if (isSmall && says(e) && !roleOf(e) && !lettered(e)) return says(e);
    const isItem = e.matches(ITEMS);
    if (!isItem && !(e.matches(CONTROLS) && !lettered(e) && !e.getAttribute("aria-label"))) return "";
    // The browser takes the glyph of an icon font for a name and then ignores the title.
    if (!isItem && e.getAttribute("title")) return squash(e.getAttribute("title"));
    const isBare = isItem && !lettered(e) && !e.querySelector("a, button, input, select, textarea, img, [role]");
    const titled = isBare && [e, ...e.querySelectorAll("[title], [aria-label]")].find(says);
    if (titled) return says(titled);
    const isOwn = (c) => !lettered(c) && isRendered(c) && (!isItem || c.closest(`${CONTROLS}, ${ITEMS}`) === e);
    // An image with an empty alt is decoration.
    const icon = [...e.querySelectorAll(ICONS)].find(isOwn);
    // The snapshot has the name of an image.
    if (!icon || (isItem && icon.matches("img") && nameOf(icon))) return "";
    const shape = icon.querySelector("use")?.getAttribute("href")?.split("#")[1] || icon.getAttribute("data-icon");
    const called = (c) => [testIdOf(c), idOf(c)].find((name) => name && !/\d/.test(name));
    const named = icon.getAttribute("alt") || says(icon) || shape || called(icon) || icon.getAttribute("class");
    const label = named || called(e);
    return squash((label || (icon.matches("img") ? "" : "no name")).replace(/[_-]+/g, " "));
  };

  // The text that a style sheet puts before or after the content of an element. Several texts are gathered
  // of the same elements, and the style of what is generated takes long.
  const generatedIn = (e, which) => {
    const [shown] = getComputedStyle(e, which).content.split('" / "');
    return [...shown.matchAll(/"((?:[^"\\]|\\.)*)"?/gs)].map((m) => m[1]).join("");
  };
  const contentBy = Object.fromEntries(["::before", "::after"].map((which) =>
    [which, cached((e) => generatedIn(e, which))]));
  // A word that a font draws as one square sign, such as "arrow_upward".
  const isLigature = cached((e) => {
    const isText = squash(e.textContent);
    const [text, style] = [isText || contentBy["::before"](e), getComputedStyle(e, isText ? null : "::before")];
    const isFont = e.ariaHidden === "true" || /liga/.test(style.fontFeatureSettings) ||
      /icon|symbol/i.test(style.fontFamily.split(",")[0]);
    if (e.firstElementChild || !/^[\w-]{2,}$/.test(text) || !isFont) return false;
    const [width, size] = [(isText ? rangeOf(e) : e).getBoundingClientRect().width, parseFloat(style.fontSize)];
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
  const isStated = (e) => STATED.some((name) => e.hasAttribute(name) && !/^(date|time)$/.test(e.getAttribute(name)));
  // Whether a class of an element says that it is active: the word alone, or behind "is" or another class of it.
  // Others deny it (not-active) or are about something else (text-current).
  const isCalled = cached((e) => {
    const own = (e.getAttribute("class") || "").split(/\s+/).map((c) => c.replace(/__[\w-]{5}$/, ""));
    const prefixes = own.map((c) => /^(.*?)[-_]*(?:active|selected|current|on)$/i.exec(c)?.[1]);
    return prefixes.some((prefix) => prefix === "" || prefix === "is" || (prefix && own.includes(prefix)));
  });
  // The elements in the same place of the siblings of an element or of what is around it, which can be seen.
  const alikeOf = (e) => {
    const steps = [];
    for (let n = e, i = 0; n && !isPage(n) && i < 4; n = up(n), i++) {
      const place = steps.length ? `:scope > ${steps.join(" > ")}` : "";
      const others = siblingsOf(n, 61).filter((s) => s !== n).map((s) => place ? s.querySelector(place) : s);
      if (others.some((s) => s && isVisible(s))) return others.filter((s) => s && isVisible(s));
      steps.unshift(n.localName);
    }
    return [];
  };
  const LOOK = ["color", "backgroundColor", "backgroundImage", "fontWeight", "textDecorationLine", "opacity", "fill",
    ...SIDES.flatMap((side) => [`border${side}Style`, `border${side}Width`, `border${side}Color`])];
  const lookOfPart = (e, part) => {
    const style = getComputedStyle(e, part || null);
    return part && style.content === "none" ? "" : LOOK.map((name) => style[name]).join() + (part && style.content);
  };
  const lookOf = cached((e) => [e, ...[...e.querySelectorAll("*")].slice(0, 5)]
    .flatMap((n) => ["", "::before", "::after"].map((part) => lookOfPart(n, part))).join("\n"));
  // Whether an element is called active as its like are not, and is drawn in another way than most of them.
  const standsOut = (e) => {
    const all = alikeOf(e);
    if (all.some((o) => isStated(o) || isCalled(o))) return false;
    const resting = all.filter((o) => !o.matches(":hover"));
    const others = resting.length ? resting : all;
    return others.filter((o) => lookOf(o) !== lookOf(e)).length > others.length / 2;
  };
  const drawsActive = (e) => {
    // What is close around it and in it is drawn as one thing with it.
    const isOne = (n) => n && !isPage(n) && squash(n.textContent) === squash(e.textContent) &&
      n.getBoundingClientRect().height <= 2 * e.getBoundingClientRect().height;
    const parts = [e, up(e), up(up(e)), e.children.length === 1 && e.firstElementChild].filter((n) => n && isCalled(n));
    if (!parts.length || isStated(e) || /^(checkbox|radio)$/.test(e.type)) return false;
    return parts.some((n) => isOne(n) && !isStated(n) && standsOut(n));
  };
  // Whether an element looks active where ARIA does not say so: its class is active, selected, current or
  // on, which its like are not, and it is drawn in another way than they are. What it has looked
  // like only since the mouse or the focus came to it, without a press, does not count.
  const looksActive = cached((e) => {
    const looks = drawsActive(e);
    const rested = state.rested ??= new WeakMap();
    if (looks && e.matches(":hover, :focus-within")) return rested.get(e) !== false;
    rested.set(e, looks);
    return looks;
  });

  return { top, watch, countPresses, sinceAdded, reply, askedIn, commonOf, closest, rootsIn, everywhere, hitAt,
    textNodesIn, writtenIn, hasText, isField, FIELD, viewport, letterBox, scrollerOf, showsNothing, idOf, TEST_IDS,
    testIdOf, isPassword, HEADING, levelOf, headingsIn, isBefore, state, REDACTED, SKIPPED, numberOf, nodeOf, cached,
    squash, withoutGlyphs, up, flat, clean, holds, drawnNodes, redact, isRedacted, anyRedacted, holdsRedacted,
    eachDrawn, isRendered, isRenderedIn, hasPlace, isPage, isVisible, holderOf, rangeOf, boxesOf, lettered, iconIn,
    contentBy, isLigature, isTextVisible, isTextWhole, drawnPartOf, standInOf, isInReach, isDeaf, isShown, rolesIn,
    explicitRoleOf, nativeRoleOf, roleOf, textOf, renderedTextOf, valueOf, ownValueOf, isSlider, labelsOf, labelledBy,
    CAPTIONS, contentOf, nameOf, looksActive, siblingsOf, isInline, classesOf };
}
