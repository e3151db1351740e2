// An independent notion of what a user can operate, in the page's own world.
// `collect()` finds it, `judge(elements)` answers what the given elements do not stand for.
(() => {
  if (window.__benchmark) return;
  const ROLES = new Set(["button", "link", "checkbox", "radio", "switch", "tab", "menuitem",
    "menuitemcheckbox", "menuitemradio", "option", "slider", "spinbutton", "combobox", "searchbox",
    "textbox", "treeitem"]);
  // Focusable so that the keyboard can scroll them; nothing is done with them.
  const GROUPS = new Set(["tabpanel", "region", "group", "list", "main", "dialog", "document", "table"]);
  const up = (e) => e.parentElement || e.getRootNode().host || null;
  const rendered = (e) => e.checkVisibility({ checkVisibilityCSS: true });
  const sized = (e) => [...e.getClientRects()].some((r) => r.width > 0 && r.height > 0);
  const visible = (e) => rendered(e) && (sized(e) ||
    [...e.querySelectorAll("img, svg, i, span, div")].some((c) => rendered(c) && sized(c)));
  const role = (e) => (e.getAttribute("role") || "").trim().split(/\s+/)[0];
  const native = (e) => e.matches("a[href], area[href], button, input:not([type=hidden]), select," +
    "textarea, summary, audio[controls], video[controls], [contenteditable]:not([contenteditable=false])");

  const all = () => {
    const found = [];
    const inside = (root) => {
      for (const e of root.querySelectorAll("*")) {
        found.push(e);
        if (e.shadowRoot) inside(e.shadowRoot);
      }
    };
    inside(document);
    return found;
  };

  const kindOf = (e, listening) => {
    const tag = e.localName;
    if (e.closest("[inert]")) return "";
    // A hidden file field is operated through what stands beside it.
    if (tag === "input" && e.type === "file") return up(e) && rendered(up(e)) ? "native" : "";
    if (tag === "area") {
      const map = e.closest("map");
      return map && [...document.images].some((i) => i.useMap === "#" + map.name && visible(i)) ? "native" : "";
    }
    if (!visible(e)) return "";
    if (native(e)) return "native";
    if (ROLES.has(role(e))) return "aria";
    if (tag === "canvas") return "native";
    // The box of many a designer's checkbox is hidden: its label is what a user clicks.
    const toggles = e.control && /^(checkbox|radio|file)$/.test(e.control.type) && !e.control.disabled;
    if (tag === "label" && toggles && !rendered(e.control)) return "native";
    if (e.hasAttribute("tabindex") && e.tabIndex >= 0) return GROUPS.has(role(e)) ? "" : "tabindex";
    if (e.getAttribute("draggable") === "true") return "draggable";
    if (listening.has(e) && tag !== "body" && tag !== "html") return "listener";
    return "";
  };

  window.__benchmark = {
    judge(elements) {
      const listening = new Set(window.__listening || []);
      const own = new Set(elements);
      const parts = new Set(); // what contains an element of ours
      for (const e of own) for (let a = up(e); a; a = up(a)) parts.add(a);
      const everything = all();
      const expected = everything.map((e) => [e, kindOf(e, listening)]).filter(([, kind]) => kind);
      const strong = expected.filter(([, kind]) => kind === "native" || kind === "aria").map(([e]) => e);
      const controls = new Map(); // how many controls something contains
      for (const e of strong) for (let a = up(e); a; a = up(a)) controls.set(a, (controls.get(a) || 0) + 1);
      const stands = (e, kind) => {
        if (own.has(e)) return true;
        if (e.localName === "label" && e.control && own.has(e.control)) return true;
        // A label around a control; a link of no size around a picture of ours.
        if (kind === "native" || kind === "aria") return parts.has(e) && (e.localName === "label" || !sized(e));
        for (let a = up(e); a; a = up(a)) {
          if (own.has(a)) return true;
          if (a.localName === "label" && a.control && own.has(a.control)) return true;
        }
        const count = controls.get(e) || 0;
        if (parts.has(e) && count <= 1) return true;
        // A listener on a container of several controls serves them, unless it looks like a control.
        return kind === "listener" && count > 1 && getComputedStyle(e).cursor !== "pointer";
      };
      const lost = expected.filter(([e, kind]) => !stands(e, kind)).map(([e, kind]) => {
        const shell = e.cloneNode(false).outerHTML.slice(0, 200);
        const b = e.getBoundingClientRect();
        return { kind, html: shell, text: (e.textContent || "").replace(/\s+/g, " ").trim().slice(0, 60),
          box: [b.x, b.y, b.width, b.height].map(Math.round), controls: controls.get(e) || 0,
          up: up(e)?.cloneNode(false).outerHTML.slice(0, 120) || "" };
      });
      return { expected: expected.length, strong: strong.length, own: own.size, lost };
    },
  };
})();
