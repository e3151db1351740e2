// Put at the top of each page that is served. `change` is an edit of the DOM: a function that calls
// the helpers below. What it does is not seen by the product in any other way than by the DOM.
(() => {
  const rules = [];
  const marks = new WeakMap();
  const log = (entry) => {
    const known = JSON.parse(sessionStorage.getItem("drift") || "[]");
    sessionStorage.setItem("drift", JSON.stringify([...known, entry]));
  };
  const squashed = (el) => (el.textContent || "").replace(/\s+/g, " ").trim();

  // Applies `edit` once to each element that fits, now or later; an edit that returns false has
  // not been applied, and is tried when the page changes next; so is one that returns "again", as the
  // page may undo it.
  const each = (css, edit) => rules.push({ css, edit, done: new WeakSet(), when: "early" });
  // The same, but only when the page has loaded and its scripts have set up what they need.
  const late = (css, edit) => rules.push({ css, edit, done: new WeakSet(), when: "late" });
  let loaded = false;
  let busy = false;
  const apply = () => {
    if (busy || !document.documentElement) return;
    busy = true;
    for (const rule of rules) {
      if (rule.when === "late" && !loaded) continue;
      for (const el of document.querySelectorAll(rule.css)) {
        if (rule.done.has(el)) continue;
        const done = rule.edit(el);
        if (done === false) continue;
        if (done !== "again") rule.done.add(el);
        if (!rule.applied) log({ what: "applied" });
        rule.applied = true;
      }
    }
    observer.takeRecords();
    busy = false;
  };
  const observer = new MutationObserver(apply);
  observer.observe(document, { childList: true, subtree: true, characterData: true });
  addEventListener("load", () => { loaded = true; apply(); });

  const leaf = (root, text) =>
    [...root.querySelectorAll("*")].filter((el) => squashed(el) === text).at(-1);
  // Replaces a text in the text nodes of an element; false where it is not there.
  const say = (el, from, to) => {
    let found = false;
    const walker = document.createTreeWalker(el, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode())
      if (node.data.includes(from)) { node.data = node.data.replace(from, to); found = true; }
    return found;
  };
  const has = (el, ...texts) => texts.every((text) => squashed(el).includes(text));
  const wrap = (el, html = "<div class=wrapper></div>") => {
    const box = document.createRange().createContextualFragment(html).firstElementChild;
    el.replaceWith(box);
    (box.querySelector("slot") || box).append(el);
    box.querySelector("slot")?.replaceWith(el);
    return box;
  };
  const unwrap = (el) => { el.replaceWith(...el.childNodes); };
  // Another tag with the same attributes, children and listeners on what is around.
  const retag = (el, tag, attributes = {}) => {
    const other = document.createElement(tag);
    for (const { name, value } of el.attributes) other.setAttribute(name, value);
    for (const [name, value] of Object.entries(attributes))
      if (value === null) other.removeAttribute(name); else other.setAttribute(name, value);
    other.append(...el.childNodes);
    el.replaceWith(other);
    return other;
  };
  const swap = (a, b) => {
    const mark = document.createComment("");
    a.replaceWith(mark); b.replaceWith(a); mark.replaceWith(b);
  };
  // Exchanges the texts of two elements.
  const exchange = (a, b) => { [a.textContent, b.textContent] = [b.textContent, a.textContent]; };
  const add = (el, where, html) => {
    el.insertAdjacentHTML(where, html);
    return { beforebegin: el.previousElementSibling, afterend: el.nextElementSibling,
      afterbegin: el.firstElementChild, beforeend: el.lastElementChild }[where];
  };
  // A copy beside the original, with other texts.
  const copy = (el, where = "afterend", ...texts) => {
    const other = el.cloneNode(true);
    for (const [from, to] of texts) say(other, from, to);
    el.insertAdjacentElement(where, other);
    return other;
  };
  const hide = (el) => { el.style.setProperty("display", "none", "important"); };
  // Takes an element out of the document for some milliseconds.
  const delay = (el, ms) => {
    const mark = document.createComment("");
    el.replaceWith(mark);
    setTimeout(() => mark.replaceWith(el), ms);
  };

  // Turns the order of all that fit in their container, whenever they are drawn.
  const reversed = new WeakSet();
  const reverse = (css) => each(css, (el) => {
    if (reversed.has(el)) return false;
    const all = [...el.parentNode.children].filter((other) => other.matches(css));
    const end = all.at(-1).nextSibling;
    for (const other of all) reversed.add(other);
    for (const other of all.reverse()) other.parentNode.insertBefore(other, end);
  });

  const onto = (test, act) => {
    for (const kind of ["click", "mousedown", "pointerdown", "mouseup", "pointerup"])
      addEventListener(kind, (e) => {
        const el = e.isTrusted && e.composedPath().find((n) => n instanceof Element && test(n));
        if (el) act(e, kind, el);
      }, true);
  };
  // Clicks on it come to nothing.
  const deaf = (test) => onto(test, (e) => { e.stopImmediatePropagation(); e.preventDefault(); });
  // Clicks on it are given to another element.
  const divert = (test, other) => onto(test, (e, kind, el) => {
    e.stopImmediatePropagation(); e.preventDefault();
    if (kind === "click") { const target = other(el); target.focus?.(); target.click(); }
  });
  // Each click on it keeps the page busy.
  const block = (test, ms) => onto(test, (_, kind) => {
    if (kind !== "click") return;
    for (const end = performance.now() + ms; performance.now() < end;);
  });

  // What was acted upon: trusted clicks and keys, and all input.
  const described = (e) => {
    const path = e.composedPath().filter((n) => n instanceof Element);
    const mark = path.map((el) => marks.get(el)).find(Boolean) || "";
    const el = path[0];
    return { what: e.type, mark, on: el ? `${el.tagName.toLowerCase()} ${squashed(el).slice(0, 40)}` : "" };
  };
  for (const kind of ["click", "input", "change"])
    addEventListener(kind, (e) => {
      if (kind !== "click" || e.isTrusted) log(described(e));
    }, true);
  const wrong = (el) => { marks.set(el, "wrong"); return el; };
  const right = (el) => { marks.set(el, "right"); return el; };

  const change = (CHANGE);
  change({ each, late, leaf, say, has, squashed, wrap, unwrap, retag, swap, exchange, add, copy,
    hide, delay, reverse, deaf, divert, block, wrong, right });
  apply();
})();
