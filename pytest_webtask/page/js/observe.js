// A selector engine that records the texts that appeared in a document and vanished. It runs in
// Playwright's isolated world and writes nothing into the document. On a busy page it pauses for fifty
// times the length of its last pass, so that its passes take about two percent of the time.
({
  queryAll(root, body) {
    const top = root.nodeType === 9 ? root : root.ownerDocument;
    const state = (globalThis.__webtask ??= {});
    const MOST = { length: 2000, live: 1000, gone: 200, dirty: 500, waiting: 200, alike: 3, reported: 20 };
    const PASS = 4; // milliseconds
    const REST = 50; // times the length of the pass before
    const LONGEST = 1000; // milliseconds: a pass that the machine held up is no reason to miss the next text
    const RETRIES = [50, 100, 200, 400, 800]; // milliseconds: texts fade in and out
    const SKIPPED = /^(script|style|template|noscript|textarea|select|option|datalist|title|head)$/;
    const ROLES = { alert: "alert", alertdialog: "alertdialog", status: "status", log: "log", timer: "timer", tooltip: "tooltip" };
    const POLITENESS = { assertive: "alert", polite: "status" };
    const LIVE = "[role=alert],[role=alertdialog],[role=status],[role=log],[role=timer],[role=tooltip],output,[aria-live=assertive],[aria-live=polite]";
    const MESSAGE = /^(alert|alertdialog|status)$/;
    const DIALOG = /^(alert)?dialog$/;

    const create = () => {
      const live = new Map(); // the element or shadow root of a text → the data about the text
      const gone = [];
      const dirty = new Map(); // nodes below which a text may have appeared, changed or become visible → since when
      const restyled = new Set(); // the dirty nodes that may still fade in or out
      const shrunk = new Set(); // nodes that lost a child
      const waiting = new Map(); // the nodes that may still fade in or out → how often each was examined
      const followed = new WeakSet();
      let redact = [];
      let [walker, noticed] = [null, null]; // what is left of a node, and since when that may be there
      let scheduled = false;
      let fading = false;
      let rest = 0; // no pass before this time
      let spent = 0;
      let lost = false; // a node was removed from an unknown place
      let isOld = top.readyState !== "loading" && !!top.body?.firstChild; // what is there already has not just appeared
      let dom = globalThis.__webtask_dom(top, state); // valid for one pass
      let animations = new WeakMap();

      const { squash, up, REDACTED, watch } = dom;
      watch();
      const elementOf = (unit) => unit.nodeType === 11 ? unit.host : unit;
      // A selector with combinators may have its first steps outside of a shadow root, so assume a match.
      const isRedacted = (node) => {
        let crossed = false;
        for (let e = node; redact.length && e; e = up(e)) {
          if (e.nodeType === 11) { crossed = true; continue; }
          if (redact.some((css) => e.matches(css) || (crossed && /[\s>+~]/.test(css)))) return true;
          crossed ||= e.parentNode?.nodeType === 11;
        }
        return false;
      };

      // A box with a height of one pixel is a line, not a text.
      const isVisible = (unit) => {
        if (!unit.isConnected) return false;
        const e = elementOf(unit);
        return dom.isVisible(e) && (unit !== e || [...e.getClientRects()].some((b) => b.width > 1 && b.height > 1));
      };

      const isInline = (display) => /^(inline|contents|ruby)/.test(display);
      // The nearest element around a text that starts a new line.
      const unitOf = (text) => lineOf(text.parentNode);
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
            if (c.nodeType !== 1) continue;
            if (c.localName === "br") text += " ";
            if (SKIPPED.test(c.localName) || c.isContentEditable) continue;
            if (c.localName === "slot" && c.assignedNodes().length) continue;
            const style = getComputedStyle(c);
            if (!isInline(style.display)) { text += " "; continue; }
            if (style.visibility !== "visible" || style.opacity === "0") continue;
            if (redact.some((css) => c.matches(css))) { text += ` ${REDACTED} `; continue; }
            if (style.display !== "inline") text += " ";
            inside(c);
            if (style.display !== "inline") text += " ";
          }
        };
        if (SKIPPED.test(elementOf(unit).localName) || elementOf(unit).isContentEditable) return "";
        inside(unit);
        text = squash(text).slice(0, MOST.length);
        return /[\p{L}\p{N}\p{S}]/u.test(text) ? text : "";
      };
      const announcementOf = (unit) => {
        const e = dom.closest(elementOf(unit), LIVE);
        return !e ? "" : ROLES[e.getAttribute("role")] || POLITENESS[e.getAttribute("aria-live")] || (e.localName === "output" ? "status" : "");
      };
      // What it stands in, by its name where nothing of that is redacted.
      const containerOf = (unit) => {
        const own = ((e) => ({ kind: dom.kindOf(e), name: dom.nameOf(e, { content: false }), e }))(elementOf(unit));
        const inner = /^(alert|status|log|(alert)?dialog)$/.test(own.kind) ? own : dom.containersOf(own.e).find(({ under }) => !under);
        const hidden = inner && redact.length && (isRedacted(inner.e) || redact.some((css) => inner.e.querySelector(css)));
        return inner ? { role: inner.kind, name: hidden ? "" : squash(inner.name).slice(0, MOST.length) } : null;
      };

      const alike = (text) => text.replace(/\p{N}+/gu, "0");
      // The nodes in whose place other texts were put as they were removed.
      const swapped = new WeakSet();
      const isSwapped = (unit) => {
        for (let n = elementOf(unit); n; n = n.parentNode) if (swapped.has(n)) return true;
        return false;
      };
      const close = (unit, now, replaced) => {
        const entry = live.get(unit);
        live.delete(unit);
        if (entry.redacted) return;
        entry.until = now;
        entry.replaced = replaced || isSwapped(unit);
        gone.push(entry);
        // Keep clocks and counters from filling the list.
        const same = gone.filter((other) => other.shape === entry.shape);
        if (same.length > MOST.alike) gone.splice(gone.indexOf(same[0]), 1);
        if (gone.length > MOST.gone) gone.splice(Math.max(0, gone.findIndex((other) => !other.role)), 1);
      };
      const isAnimated = (unit) => [top, unit.getRootNode()].some((scope) => {
        if (!animations.has(scope)) animations.set(scope, !!scope.getAnimations?.().length);
        return animations.get(scope);
      });
      const wait = (unit) => { if (isAnimated(unit) && waiting.size < MOST.waiting && !waiting.has(unit)) waiting.set(unit, 0); };
      // Whether a text is drawn over the page, as messages without a role are, in a box without much to operate.
      const isOverlay = (unit) => {
        for (let e = elementOf(unit); e; e = up(e)) {
          const { position, zIndex } = getComputedStyle(e);
          if (position === "fixed" || (position === "absolute" && zIndex > 0)) return !e.matches("header,nav,dialog,[role=dialog]") && e.querySelectorAll("a,button,input").length < 3;
        }
        return false;
      };
      const note = (unit, now) => {
        const text = shownTextOf(unit);
        const entry = live.get(unit);
        const visible = !!text && isVisible(unit);
        if (entry && visible && entry.text === text) return;
        if (entry) close(unit, now, visible);
        if (!text) return;
        if (!visible) { wait(unit); return; }
        if (live.size >= MOST.live) {
          for (const [other, { role }] of live) if (!role) { live.delete(other); break; }
          if (live.size >= MOST.live) return;
        }
        const role = announcementOf(unit);
        live.set(unit, { text, shape: alike(text), role, tells: MESSAGE.test(role) || isOverlay(unit), container: containerOf(unit), redacted: isRedacted(unit), from: isOld ? 0 : noticed ?? now, until: 0 });
      };

      const follow = (scope) => {
        if (!followed.has(scope)) {
          followed.add(scope);
          observer.observe(scope, { subtree: true, childList: true, attributes: true, characterData: true });
        }
        dirty.set(scope, performance.now());
      };
      const pass = (limit) => {
        const began = performance.now();
        dom = globalThis.__webtask_dom(top, state);
        const noted = new Set();
        animations = new WeakMap();
        const noteOnce = (unit) => {
          if (!unit || noted.has(unit)) return;
          noted.add(unit);
          note(unit, began);
          if (fading) wait(unit);
        };
        if (shrunk.size || lost) {
          lost = false;
          for (const unit of live.keys()) if (!unit.isConnected) close(unit, began);
          for (const node of shrunk) {
            const unit = node.isConnected ? lineOf(node) : null;
            if (live.has(unit)) noteOnce(unit);
          }
          shrunk.clear();
        }
        const late = () => performance.now() - began > limit;
        while ((walker || dirty.size) && !late()) {
          if (!walker) {
            const [[node, since]] = dirty;
            dirty.delete(node);
            noticed = since;
            fading = restyled.delete(node);
            if (!node.isConnected) continue;
            if (node.nodeType === 3) { noteOnce(unitOf(node)); noticed = null; continue; }
            if (node.shadowRoot) follow(node.shadowRoot);
            walker = top.createTreeWalker(node, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
          }
          let n;
          for (let i = 0; i < 32 && (n = walker.nextNode()); i++) {
            if (n.nodeType === 1) { if (n.shadowRoot) follow(n.shadowRoot); }
            else if (n.data.trim()) noteOnce(unitOf(n));
          }
          if (!n) walker = noticed = null;
        }
        isOld &&= !!(walker || dirty.size);
        const took = performance.now() - began;
        spent += took;
        // No rest after a requested pass, or the next text might be missed.
        if (limit === PASS) rest = performance.now() + Math.min(REST * took, LONGEST);
        if (walker || dirty.size) schedule();
      };
      // Run after a frame was drawn, because texts that vanish before that were never shown.
      const schedule = () => {
        if (scheduled) return;
        scheduled = true;
        const frame = () => requestAnimationFrame(() => setTimeout(() => { scheduled = false; pass(PASS); retry(); }));
        const delay = rest - performance.now();
        if (delay > 0) setTimeout(frame, delay);
        else frame();
      };
      let retrying = false;
      const retry = () => {
        if (retrying || !waiting.size) return;
        retrying = true;
        const soonest = Math.min(...waiting.values());
        setTimeout(() => {
          retrying = false;
          const began = performance.now();
          dom = globalThis.__webtask_dom(top, state);
            for (const [unit, tries] of waiting) {
            waiting.delete(unit);
            if (!unit.isConnected) continue;
            note(unit, began);
            waiting.delete(unit);
            if (tries + 1 < RETRIES.length) waiting.set(unit, tries + 1);
          }
          const took = performance.now() - began;
          spent += took;
          rest = Math.max(rest, performance.now() + Math.min(REST * took, LONGEST));
          retry();
        }, Math.max(RETRIES[soonest], rest - performance.now()));
      };
      const observer = new MutationObserver((records) => {
        const began = performance.now();
        state.note(records);
        const added = new Set();
        for (const { target, addedNodes } of records) if ([...addedNodes].some((n) => n.textContent?.trim())) added.add(target);
        for (const { target, removedNodes } of records) if (added.has(target)) removedNodes.forEach((n) => swapped.add(n));
        for (const record of records) {
          if (dirty.size > MOST.dirty || dirty.has(top)) {
            // Walking the whole document costs no more than walking that many parts.
            dirty.clear();
            restyled.clear();
            shrunk.clear();
            lost = true;
            dirty.set(top, began);
            break;
          }
          const { type, target } = record;
          if (type === "childList") {
            if (record.removedNodes.length) shrunk.add(target);
            for (const node of record.addedNodes) if ((node.nodeType === 1 || node.nodeType === 3) && !dirty.has(node)) dirty.set(node, began);
          } else {
            if (!dirty.has(target)) dirty.set(target, began);
            if (type === "attributes") restyled.add(target);
          }
        }
        spent += performance.now() - began;
        schedule();
      });

      // The units of the document, including open shadow roots, whose text contains one of these.
      const shownOf = (texts) => {
        const left = new Set(texts);
        const units = new Set();
        const look = (scope) => {
          const each = top.createTreeWalker(scope, NodeFilter.SHOW_TEXT);
          for (let n; (n = each.nextNode());) {
            const unit = n.data.trim() ? unitOf(n) : null;
            if (!unit || units.has(unit)) continue;
            units.add(unit);
            const text = shownTextOf(unit);
            const included = [...left].filter((part) => ` ${text} `.includes(` ${part} `));
            if (included.length && isVisible(unit)) for (const part of included) left.delete(part);
          }
        };
        dom = globalThis.__webtask_dom(top, state);
        if (left.size) dom.rootsIn(top).forEach(look);
        return texts.filter((text) => !left.has(text));
      };
      // Observers are not notified of shadow roots that are attached later.
      const catchUp = () => {
        for (const scope of dom.rootsIn(top)) if (!followed.has(scope)) follow(scope);
        pass(200);
        const now = performance.now();
        for (const unit of [...live.keys()]) note(unit, now);
      };

      const messages = (since) => {
        catchUp();
        const now = performance.now();
        // What is drawn again was there.
        const wasThere = (text) => [...live.values(), ...gone].some((e) => e.text === text && e.from <= since && !(e.until && e.until <= since));
        const isMessage = ({ text, redacted, role, container, from }) => !redacted && from > since && !wasThere(text) && (MESSAGE.test(role) || DIALOG.test(container?.role));
        return [...live.values()].filter(isMessage).slice(-MOST.reported).map(({ text, role, container, from }) =>
          ({ text, role, container, at: performance.timeOrigin + from, shown_ms: Math.round(now - from) }));
      };

      state.observer.disconnect();
      state.followed = followed;
      follow(top);
      schedule();
      return {
        top,
        redact(selectors) { redact = selectors; },
        messages,
        report(since) {
          catchUp();
          const texts = new Map();
          for (const entry of gone.filter(({ from }) => from > since)) {
            const other = texts.get(entry.text);
            if (!other) texts.set(entry.text, entry);
            else if (entry.until - entry.from > other.until - other.from) Object.assign(other, { from: entry.from, until: entry.until });
          }
          for (const text of shownOf([...texts.keys()])) texts.delete(text);
          // Announcements come before other texts, and brief texts before those that stayed longer.
          const length = (entry) => entry.until - entry.from;
          const chosen = [...texts.values()].sort((a, b) => !!b.role - !!a.role || length(a) - length(b)).slice(0, MOST.reported);
          // Another message may have come in its place, or an action have closed it.
          const spoken = (until) => [...live.values()].some((entry) => entry.from >= until - 50 && (entry.tells || entry.from < until + 200));
          return chosen.sort((a, b) => a.from - b.from).map(({ text, role, tells, container, from, until, replaced }) => ({ text, role, container,
            at: performance.timeOrigin + from, shown_ms: Math.round(until - from), message: tells && !replaced && !spoken(until) && from > state.received }));
        },
        shown: shownOf,
        sizes: () => ({ live: live.size, gone: gone.length, dirty: dirty.size, waiting: waiting.size, spent }),
      };
    };

    let redact = null;
    const watch = () => {
      // A window may outlive its initial empty document.
      if (state.watcher?.top !== top) state.watcher = create();
      if (redact) state.watcher.redact(redact);
      return state.watcher;
    };
    const sinceOf = ({ since }) => since?.[state.document] ?? -Infinity;
    const verbs = {
      begin: () => void watch().messages(Infinity),
      // Starts to observe, and returns the texts that have appeared `since` then and vanished.
      watch: (given) => watch().report(sinceOf(given)),
      // The messages that have come since and are visible now, such as before the page is left.
      messages: (given) => watch().messages(sinceOf(given)),
      shown: ({ texts }) => watch().shown(texts),
      sizes: () => watch().sizes(),
    };
    return globalThis.__webtask_dom(top, state).reply(body, (verb, argument) => {
      redact = argument?.redact;
      return { document: state.document, answer: verbs[verb](argument ?? {}) ?? null };
    });
  },
})
