// A selector engine that records the texts that appeared in a document and vanished. It runs in
// Playwright's isolated world and writes nothing into the document. On a busy page it pauses for fifty
// times the length of its last pass, so that its passes take about two percent of the time.
({ top, state }) => {
  const MOST = { length: 2000, live: 1000, gone: 200, dirty: 500, alike: 3, reported: 20 };
  const PASS = 4; // milliseconds
  const REST = 50; // times the length of the pass before, a second at most: the next text must not be missed
  const FADE = 100; // milliseconds until a text that fades in is looked at again
  const SKIPPED = /^(script|style|template|noscript|textarea|select|option|datalist|title|head)$/;
  const ROLES = ["alert", "alertdialog", "status", "log", "timer", "tooltip"];
  const POLITENESS = { assertive: "alert", polite: "status" };
  const LIVE = `:is(${ROLES.map((role) => `[role=${role}]`)}),output,[aria-live=assertive],[aria-live=polite]`;
  const MESSAGE = /^(alert|alertdialog|status)$/;
  const DIALOG = /^(alert)?dialog$/;
  const MOVES = ["animationstart", "animationend", "transitionstart", "transitionend"];

  const create = () => {
    const live = new Map(); // the element or shadow root of a text → the data about the text
    const gone = [];
    const dirty = new Map(); // nodes below which a text may have appeared, changed or become visible → since when
    const shrunk = new Set(); // nodes that lost a child
    const followed = new WeakSet();
    let redact = [];
    let [walker, noticed] = [null, null]; // what is left of a node, and since when that may be there
    let scheduled = false;
    let rest = 0; // no pass before this time
    let isOld = top.readyState !== "loading" && !!top.body?.firstChild; // what is there already has not just appeared
    let dom = globalThis.__webtask_dom(top, state); // valid for one pass

    const { squash, up, REDACTED, watch } = dom;
    watch();
    const elementOf = (unit) => unit.nodeType === 11 ? unit.host : unit;
    // A selector with combinators may have its first steps outside of a shadow root, so assume a match.
    const isRedacted = (node) => {
      if (node.getRootNode() !== top && redact.some((css) => /[\s>+~]/.test(css))) return true;
      for (let e = elementOf(node); e; e = up(e)) if (redact.some((css) => e.matches(css))) return true;
      return false;
    };

    // A box with a height of one pixel is a line, not a text.
    const isVisible = (unit) => {
      if (!unit.isConnected) return false;
      const e = elementOf(unit);
      return dom.isVisible(e) && (unit !== e || [...e.getClientRects()].some((b) => b.width > 1 && b.height > 1));
    };

    const isInline = (display) => /^(inline|contents|ruby)/.test(display);
    // The nearest element around a node that starts a new line.
    const lineOf = (node) => {
      let n = node;
      while (n && n.nodeType === 1 && isInline(getComputedStyle(n).display) && n.parentNode) n = n.parentNode;
      return n && (n.nodeType === 1 || n.host) ? n : null;
    };
    // The text of one line, as it is in the document: changes are observed in a shadow tree and around its
    // host apart, so a line never goes into a component. Whether it is visible is asked of the line
    // alone, because a pass has few milliseconds.
    const shownTextOf = (unit) => {
      let text = "";
      const inside = (node) => {
        for (let c = node.firstChild; c && text.length < MOST.length; c = c.nextSibling) {
          if (c.nodeType === 3) text += c.data;
          else if (c.nodeType === 1) element(c);
        }
      };
      const element = (e) => {
        if (e.localName === "br") text += " ";
        if (SKIPPED.test(e.localName) || e.isContentEditable) return;
        if (e.localName === "slot" && e.assignedNodes().length) return;
        const style = getComputedStyle(e);
        const gap = style.display === "inline" ? "" : " ";
        text += gap;
        if (!isInline(style.display) || style.visibility !== "visible" || style.opacity === "0") return;
        if (redact.some((css) => e.matches(css))) text += ` ${REDACTED} `;
        else inside(e);
        text += gap;
      };
      if (SKIPPED.test(elementOf(unit).localName) || elementOf(unit).isContentEditable) return "";
      inside(unit);
      text = squash(text).slice(0, MOST.length);
      return /[\p{L}\p{N}\p{S}]/u.test(text) ? text : "";
    };
    const announcementOf = (unit) => {
      const e = dom.closest(elementOf(unit), LIVE);
      if (!e) return "";
      if (ROLES.includes(e.getAttribute("role"))) return e.getAttribute("role");
      return POLITENESS[e.getAttribute("aria-live")] ?? "status";
    };
    // What it stands in, by its name where nothing of that is redacted.
    const containerOf = (unit) => {
      const e = elementOf(unit);
      const own = { kind: dom.kindOf(e), name: dom.nameOf(e, { content: false }), e };
      const isOwn = MESSAGE.test(own.kind) || DIALOG.test(own.kind) || own.kind === "log";
      const inner = isOwn ? own : dom.containersOf(e).find(({ under }) => !under);
      if (!inner) return null;
      const hidden = redact.length && (isRedacted(inner.e) || redact.some((css) => inner.e.querySelector(css)));
      return { role: inner.kind, name: hidden ? "" : squash(inner.name).slice(0, MOST.length) };
    };

    const close = (unit, now) => {
      const entry = live.get(unit);
      live.delete(unit);
      if (entry.redacted) return;
      entry.until = now;
      gone.push(entry);
      // Keep clocks and counters from filling the list.
      const same = gone.filter((other) => other.shape === entry.shape);
      if (same.length > MOST.alike) gone.splice(gone.indexOf(same[0]), 1);
      if (gone.length > MOST.gone) gone.splice(Math.max(0, gone.findIndex((other) => !other.role)), 1);
    };
    // Whether a text is drawn over the page, as messages without a role are, in a box without much to operate.
    const isOverlay = (unit) => {
      for (let e = elementOf(unit); e; e = up(e)) {
        const { position, zIndex } = getComputedStyle(e);
        const isOver = position === "fixed" || (position === "absolute" && zIndex > 0);
        const controls = isOver ? e.querySelectorAll("a,button,input") : [];
        if (isOver) return !e.matches("header,nav,dialog,[role=dialog]") && controls.length < 3;
      }
      return false;
    };
    const isEnding = (a) => a.playState === "running" && a.effect.getComputedTiming().endTime < Infinity;
    const isFading = (e) => !!e && (e.getAnimations().some(isEnding) || isFading(up(e)));
    const note = (unit, now) => {
      const text = shownTextOf(unit);
      const entry = live.get(unit);
      const visible = !!text && isVisible(unit);
      if (entry && visible && entry.text === text) return;
      if (entry) close(unit, now);
      if (text && !visible && isFading(elementOf(unit))) setTimeout(() => mark(unit), FADE);
      if (!visible) return;
      if (live.size >= MOST.live) {
        const other = [...live.keys()].find((key) => !live.get(key).role);
        if (!live.delete(other)) return;
      }
      const role = announcementOf(unit);
      live.set(unit, { text, role, shape: text.replace(/\p{N}+/gu, "0"), tells: MESSAGE.test(role) || isOverlay(unit),
        container: containerOf(unit), redacted: isRedacted(unit), from: isOld ? 0 : noticed ?? now, until: 0 });
    };

    const follow = (scope) => {
      if (!followed.has(scope)) {
        followed.add(scope);
        observer.observe(scope, { subtree: true, childList: true, attributes: true, characterData: true });
        // A text may fade in or out without a change of the document.
        for (const type of MOVES) scope.addEventListener(type, ({ target }) => mark(target), { passive: true });
      }
      dirty.set(scope, performance.now());
    };
    const mark = (node) => {
      const e = node.nodeType === 3 ? node.parentNode : node;
      if (e && !dirty.has(e)) dirty.set(e, performance.now());
      schedule();
    };
    // Takes the next node below which a text may have changed.
    const begin = () => {
      const [[node, since]] = dirty;
      dirty.delete(node);
      if (!node.isConnected) return;
      noticed = since;
      if (node.shadowRoot) follow(node.shadowRoot);
      walker = top.createTreeWalker(node, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
    };
    const pass = (limit) => {
      const began = performance.now();
      dom = globalThis.__webtask_dom(top, state);
      const noted = new Set();
      const noteOnce = (unit) => {
        if (!unit || noted.has(unit)) return;
        noted.add(unit);
        note(unit, began);
      };
      for (const unit of live.keys()) if (!unit.isConnected) close(unit, began);
      for (const node of shrunk) if (node.isConnected && live.has(lineOf(node))) noteOnce(lineOf(node));
      shrunk.clear();
      const step = () => {
        const n = walker.nextNode();
        if (n?.shadowRoot) follow(n.shadowRoot);
        if (n?.nodeType === 3 && n.data.trim()) noteOnce(lineOf(n.parentNode));
        if (!n) walker = noticed = null;
      };
      while ((walker || dirty.size) && performance.now() - began <= limit) {
        if (!walker) begin();
        for (let i = 0; walker && i < 32; i++) step();
      }
      isOld &&= !!(walker || dirty.size);
      // No rest after a requested pass, or the next text might be missed.
      if (limit === PASS) rest = performance.now() + Math.min(REST * (performance.now() - began), 1000);
      if (walker || dirty.size) schedule();
    };
    // Run after a frame was drawn, because texts that vanish before that were never shown.
    const schedule = () => {
      if (scheduled) return;
      scheduled = true;
      const frame = () => requestAnimationFrame(() => setTimeout(() => { scheduled = false; pass(PASS); }));
      const delay = rest - performance.now();
      if (delay > 0) setTimeout(frame, delay);
      else frame();
    };
    const observer = new MutationObserver((records) => {
      state.note(records);
      for (const { type, target, addedNodes, removedNodes } of records) {
        if (removedNodes.length) shrunk.add(target);
        if (type === "childList") addedNodes.forEach(mark);
        else mark(target);
      }
      if (dirty.size > MOST.dirty) {
        // Walking the whole document costs no more than walking that many parts.
        dirty.clear();
        shrunk.clear();
        mark(top);
      }
    });

    // Those of some texts that a line shows, as far as lines are kept.
    const shownOf = (texts) => {
      const lines = [...live.values()].map(({ text }) => ` ${text} `);
      return texts.filter((text) => lines.some((line) => line.includes(` ${text} `)));
    };
    // Observers are not notified of shadow roots that are attached later.
    const catchUp = () => {
      for (const scope of dom.rootsIn(top)) if (!followed.has(scope)) follow(scope);
      pass(200);
      const now = performance.now();
      for (const unit of [...live.keys()]) note(unit, now);
    };

    // What has appeared since, and what of it is a message; what is drawn again was there.
    const messages = (since) => {
      catchUp();
      const now = performance.now();
      const all = [...live.values(), ...gone];
      const isOf = (entry) => entry.from <= since && !(entry.until && entry.until <= since);
      const wasThere = (text) => all.some((entry) => entry.text === text && isOf(entry));
      const isMessage = ({ text, redacted, role, container, from }) => !redacted && from > since && !wasThere(text) &&
        (MESSAGE.test(role) || DIALOG.test(container?.role));
      return [...live.values()].filter(isMessage).slice(-MOST.reported).map((entry) => reported(entry, now));
    };
    const reported = ({ text, role, container, from }, until) =>
      ({ text, role, container, at: performance.timeOrigin + from, shown_ms: Math.round(until - from) });
    // What has appeared since and gone. A `message` has gone by itself: no other one has come in its place.
    const report = (since) => {
      catchUp();
      const texts = new Map();
      for (const entry of gone.filter(({ from }) => from > since)) {
        const other = texts.get(entry.text);
        if (!other || entry.until - entry.from > other.until - other.from) texts.set(entry.text, entry);
      }
      for (const text of shownOf([...texts.keys()])) texts.delete(text);
      const isNext = (entry, until) => entry.from >= until - 50 &&
        ((entry.tells && !entry.until) || entry.from < until + 200);
      const all = [...live.values(), ...gone];
      const isReplaced = (entry) => all.some((other) => other !== entry && isNext(other, entry.until));
      return [...texts.values()].sort((a, b) => a.from - b.from).map((entry) => ({ ...reported(entry, entry.until),
        message: entry.tells && entry.from > state.received && !isReplaced(entry) }));
    };

    state.observer.disconnect();
    state.followed = followed;
    follow(top);
    schedule();
    return {
      top,
      redact(selectors) { redact = selectors; },
      messages,
      report,
      shown(texts) {
        catchUp();
        return shownOf(texts);
      },
    };
  };

  const verb = (answer) => ({ redact, since, ...given }) => {
    // A window may outlive its initial empty document.
    if (state.watcher?.top !== top) state.watcher = create();
    state.watcher.redact(redact);
    return { document: state.document, answer: answer(since?.[state.document] ?? -Infinity, given) ?? null };
  };
  return {
    begin: verb(() => void state.watcher.messages(Infinity)),
    // Starts to observe, and returns the texts that have appeared since then and vanished.
    watch: verb((since) => state.watcher.report(since)),
    // The messages that have come since and are visible now, such as before the page is left.
    messages: verb((since) => state.watcher.messages(since)),
    shown: verb((_, { texts }) => state.watcher.shown(texts)),
  };
}
