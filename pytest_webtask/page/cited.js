// A third selector engine of ours: what a check must know of the elements that it is about, and of
// what stands around them. It shares the node numbers of `engine.js` and writes nothing into the
// document.
({
  queryAll(root, body) {
    const top = root.nodeType === 9 ? root : root.ownerDocument;
    // As in engine.js, for a document that nobody has observed yet.
    const state = (globalThis.__webtask ??= {
      document: Math.random().toString(36).slice(2, 10),
      numbers: new WeakMap(),
      nodes: new Map(),
      next: 1,
      changed: performance.now(),
      observer: null,
      passwords: new WeakSet(),
    });
    const squash = (text) => (text || "").replace(/[\u200b\u00ad]/g, "").replace(/\s+/g, " ").trim();
    const cut = (text, length = 2000) => squash(text).slice(0, length);
    const up = (e) => e.assignedSlot || e.parentElement || e.getRootNode().host || null;
    const nodeOf = (n) => state.nodes.get(n)?.deref();
    const numberOf = (e) => {
      let n = state.numbers.get(e);
      if (!n) {
        n = state.next++;
        state.numbers.set(e, n);
        state.nodes.set(n, new WeakRef(e));
      }
      return n;
    };
    const HEADING = "h1,h2,h3,h4,h5,h6,[role=heading]";
    const ITEM = "tr,li,article,dl > div,[role=row],[role=listitem],[role=article],[role=option],[role=treeitem]";
    const SECTION = "section,article,main,aside,nav,dialog,fieldset,form,table,header,footer,li,tr," +
      "[role=region],[role=dialog],[role=alertdialog],[role=group],[role=tabpanel]";

    const labelledBy = (e) => (e.getAttribute("aria-labelledby") || "").split(/\s+/).filter(Boolean)
      .map((id) => squash(e.getRootNode().getElementById?.(id)?.textContent)).filter(Boolean).join(" ");
    const captionOf = (e) => {
      const css = { TABLE: ":scope > caption", FIELDSET: ":scope > legend", FIGURE: ":scope > figcaption", DETAILS: ":scope > summary" }[e.tagName];
      return css ? squash(e.querySelector(css)?.textContent) : "";
    };
    const nameOf = (e) => cut(labelledBy(e) || e.getAttribute("aria-label") || captionOf(e) ||
      [...(e.labels || [])].map((l) => l.textContent).join(" ") ||
      (e.tagName === "INPUT" && /^(button|submit|reset)$/.test(e.type) ? e.value : "") ||
      e.getAttribute("alt") || e.getAttribute("title") || "", 300);

    // Where a user can see it: not transparent, clipped away, or outside of what can be scrolled to.
    const parentOf = (e, style) => style.position === "fixed" ? null
      : style.position === "absolute" ? e.offsetParent : up(e);
    const nothing = /^(?:rect\(0(px)?[, ]+0(px)?[, ]+0(px)?[, ]+0(px)?\)|rect\(1px,? 1px,? 1px,? 1px\))$|inset\((50|100)%|circle\(0|polygon\(0(px|%)? 0(px|%)?, 0(px|%)? 0(px|%)?, 0(px|%)? 0(px|%)?\)/;
    const known = new Map();
    const seen = (e) => {
      if (!known.has(e)) known.set(e, isSeen(e));
      return known.get(e);
    };
    const isSeen = (e) => {
      if (getComputedStyle(e).display === "contents") return !!up(e) && seen(up(e));
      if (!e.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return false;
      const page = (n) => n === top.documentElement || n === top.body;
      let boxes = [...e.getClientRects()].filter((b) => b.width > 0 && b.height > 0)
        .map((b) => [b.left, b.top, b.right, b.bottom]);
      const clip = (b) => {
        boxes = boxes.map(([l, t, r, d]) => [Math.max(l, b.left), Math.max(t, b.top), Math.min(r, b.right), Math.min(d, b.bottom)])
          .filter(([l, t, r, d]) => r - l > 1 && d - t > 1);
      };
      let [x, y, fixed, scrolls] = [0, 0, false, false];
      for (let node = e; node && boxes.length; ) {
        const box = node.getBoundingClientRect();
        const style = getComputedStyle(node);
        const hides = /hidden|clip/.test(style.overflowX + style.overflowY);
        if (style.overflow !== "visible" && (box.width <= 1 || box.height <= 1) && !page(node) && style.display !== "contents") return false;
        if (nothing.test(style.clip) || nothing.test(style.clipPath) || /opacity\(0(%|\))/.test(style.filter)) return false;
        if (node !== e && !page(node)) {
          // What stands in something that scrolls can be brought to where it is not cut off.
          if (hides && !scrolls) clip(box);
          scrolls ||= /auto|scroll/.test(style.overflowX + style.overflowY);
          x += node.scrollLeft;
          y += node.scrollTop;
        }
        fixed ||= style.position === "fixed";
        node = parentOf(node, style);
      }
      if (fixed) clip({ left: 0, top: 0, right: innerWidth, bottom: innerHeight });
      const rtl = getComputedStyle(top.documentElement).direction === "rtl";
      const left = rtl ? top.documentElement.clientWidth - top.documentElement.scrollWidth : 0;
      return boxes.some(([, , r, d]) => {
        const [right, bottom] = [r + scrollX, d + scrollY];
        return (right > left || right + x > left) && (bottom > 0 || bottom + y > 0);
      });
    };
    const shown = (e) => seen(e) || [...(e.labels || [])].some(seen) ||
      (getComputedStyle(e).display === "contents" && [...e.children].some(seen));

    // The texts that are really drawn in an element; of a choice, what is chosen.
    const drawn = (where, hints = false) => {
      const texts = [];
      const pseudo = (e, which) => {
        const content = getComputedStyle(e, which).content;
        const said = /^"(.*)"$/s.exec(content);
        if (said && said[1].trim()) texts.push(said[1]);
      };
      const inside = (node) => {
        for (const c of node.childNodes) {
          // What a folded part holds besides its summary is not drawn, text of its own included.
          if (c.nodeType === 3 && node.localName === "details" && !node.open) continue;
          if (c.nodeType === 3 && c.data.trim() && node.nodeType === 1 && seen(node)) texts.push(c.data);
          else if (c.nodeType === 3 && c.data.trim() && node.nodeType === 11 && node.host && seen(node.host)) texts.push(c.data);
          if (c.nodeType !== 1 || /^(script|style|template|noscript)$/.test(c.localName)) continue;
          visit(c);
        }
      };
      const visit = (e) => {
        if (e.tagName === "SELECT") {
          if (seen(e)) texts.push([...e.selectedOptions].map((o) => o.label).join(", "));
          return;
        }
        if (/^(INPUT|TEXTAREA)$/.test(e.tagName)) {
          if (!/^(hidden|password|checkbox|radio)$/.test(e.type) && !state.passwords.has(e) && shown(e)) texts.push(`\n${e.value || (hints && e.placeholder) || ""}\n`);
          return;
        }
        if (e.getClientRects().length && seen(e)) pseudo(e, "::before");
        if (!inlined(e)) texts.push("\n");
        if (e.localName === "br") texts.push("\n");
        if (e.shadowRoot) inside(e.shadowRoot);
        inside(e);
        if (e.getClientRects().length && seen(e)) pseudo(e, "::after");
        if (!inlined(e)) texts.push("\n");
      };
      if (where.nodeType === 1) visit(where);
      else inside(where.body || where);
      return texts.join("").replace(/[\u200b\u00ad]/g, "");
    };

    const textOf = (e) => cut(e.tagName === "INPUT" && /^(button|submit|reset)$/.test(e.type) ? e.value : e.innerText ?? e.textContent);
    const columnOf = (e) => {
      const cell = e.closest("td,th,[role=cell],[role=gridcell]");
      const row = cell?.closest("tr,[role=row]");
      const table = row?.closest("table,[role=table],[role=grid]");
      if (!table) return "";
      const at = [...row.children].indexOf(cell);
      const head = [...table.querySelectorAll("tr,[role=row]")].find((r) => r !== row && r.querySelector("th,[role=columnheader]"));
      const header = head && [...head.children][at];
      return header && header.matches("th,[role=columnheader]") ? textOf(header) : "";
    };
    // The texts that stand apart in an element, each by itself.
    const leaves = (e, said = drawn(e)) => [...new Set(said.split(/[\n\t]+/).map((t) => cut(t, 300)).filter(Boolean))].slice(0, 60);
    const CONTROL = "a[href],button,input,select,textarea,summary,[role=button],[role=link],[role=checkbox],[role=tab]";
    const hasText = (e) => [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
    const inlined = (e) => getComputedStyle(e).display.startsWith("inline");
    // Whether it holds several things, each of which says something of its own.
    const composite = (e) => {
      if (e.matches("table,ul,ol,dl,tbody,thead,nav,main,body,[role=table],[role=grid],[role=list]")) return true;
      const blocks = [e, ...e.querySelectorAll("*")].filter((d) => hasText(d) && (d === e || !inlined(d)) && shown(d));
      const controls = [...e.querySelectorAll(CONTROL)].filter(shown);
      return blocks.length > 1 || controls.length > 1;
    };
    // What stands right beside it: its label, its row or item, the head of its column, and what
    // makes a pair with it, as a term and its value do.
    const labels = (e) => {
      const texts = [...[...(e.labels || [])].map((l) => l.textContent), columnOf(e)];
      const dd = e.closest("dd");
      if (dd) {
        let dt = dd.previousElementSibling;
        while (dt && dt.tagName === "DD") dt = dt.previousElementSibling;
        texts.push(dt?.textContent);
      }
      for (let node = up(e), i = 0; node && i < 3 && !node.matches(`${SECTION},${ITEM},body,ul,ol,dl,tbody`); node = up(node), i++) {
        const parts = [...node.querySelectorAll("*")].filter((d) => hasText(d) && !e.contains(d) && d !== e && shown(d));
        const others = [...node.querySelectorAll(CONTROL)].some((c) => c !== e && !c.contains(e) && !e.contains(c));
        if (others || parts.length + (hasText(node) ? 1 : 0) > 1) break;
        texts.push(...leaves(node));
      }
      for (const id of (e.getAttribute("aria-describedby") || "").split(/\s+/).filter(Boolean)) {
        texts.push(e.getRootNode().getElementById?.(id)?.textContent);
      }
      return [...new Set(texts.map((t) => cut(t, 300)).filter(Boolean))];
    };
    const besides = (e, labelled) => {
      const item = up(e)?.closest?.(ITEM);
      const texts = item ? [...leaves(item), nameOf(item)] : [];
      return [...new Set([...labelled, ...texts.map((t) => cut(t, 300)).filter(Boolean)])];
    };
    // The names of the parts of the page that it stands in, and the heading that it stands under:
    // the last one before it, but for those of other items and of parts that have ended.
    let headings = null;
    const around = (e) => {
      const texts = [];
      for (let node = up(e); node && node !== top.body; node = up(node)) {
        const name = nameOf(node);
        if (name && node.tagName !== "LABEL") texts.push(name);
        const role = node.getAttribute("role") || { DIALOG: "dialog", NAV: "navigation", ASIDE: "complementary", TABLE: "table", FORM: "form" }[node.tagName];
        if (role) texts.push(role);
      }
      headings ??= [...top.querySelectorAll(HEADING)];
      const own = e.closest(ITEM);
      const last = headings.findLast((h) => {
        if (h === e || !(h.compareDocumentPosition(e) & 4) || h.contains(e)) return false;
        const item = h.closest(ITEM);
        if (item && item !== h && (item === own || !item.contains(e))) return false;
        const section = up(h)?.closest(SECTION);
        return (!section || section.contains(e) || section.matches("header")) && shown(h);
      });
      if (last) texts.push(textOf(last));
      return [...new Set(texts)].slice(0, 12);
    };

    const ROLES = { TABLE: "table", UL: "list", OL: "list", MENU: "list", NAV: "navigation", MAIN: "main", ASIDE: "complementary",
      DIALOG: "dialog", FIELDSET: "group", DETAILS: "group", TBODY: "rowgroup", ARTICLE: "article", SELECT: "combobox" };
    const containerRole = (e) => {
      const given = (e.getAttribute("role") || "").split(" ")[0];
      if (given) return given;
      if ((e.tagName === "SECTION" || e.tagName === "FORM") && nameOf(e)) return e.tagName === "FORM" ? "form" : "region";
      return ROLES[e.tagName] || "";
    };

    const valueOf = (e) => {
      if (e.tagName === "SELECT") return [...e.selectedOptions].map((o) => squash(o.label)).join(", ");
      return "value" in e ? e.value : squash(e.innerText);
    };
    const factsOf = (e) => {
      if (!e || !e.isConnected) return null;
      const field = /^(INPUT|TEXTAREA|SELECT)$/.test(e.tagName);
      const item = e.closest(ITEM);
      const [said, labelled] = [drawn(e), labels(e)];
      return {
        shown: shown(e),
        tag: e.localName,
        type: e.type && /^(input|button)$/.test(e.localName) ? e.type : "",
        select: e.tagName === "SELECT",
        field: field && !/^(button|submit|reset|image)$/.test(e.type),
        password: e.tagName === "INPUT" && (e.type === "password" || state.passwords.has(e)),
        editable: e.isContentEditable,
        plain: !e.hasAttribute("role") && (/^(div|span|p|body|label|b|i|em|strong|small|dl)$/.test(e.localName) ||
          (/^(section|form)$/.test(e.localName) && !nameOf(e)) || (e.localName === "a" && !e.hasAttribute("href"))),
        // What a field holds, as `value` tells it.
        held: field && e.type !== "password" && !state.passwords.has(e) ? valueOf(e) : null,
        simple: !e.firstElementChild,
        text: textOf(e),
        raw: cut(e.textContent),
        drawn: cut(said, 4000),
        placeholder: squash(e.placeholder),
        inert: !!e.closest("[inert]"),
        message: !!e.closest("[role=status],[role=alert],[role=log],[role=tooltip],[aria-live=polite],[aria-live=assertive],output"),
        box: (({ x, y, width, height }) => [x, y, width, height])(e.getBoundingClientRect()),
        name: nameOf(e),
        top: [squash(top.title), location.pathname.replace(/[^\p{L}\p{N}]+/gu, " "), ...[...top.querySelectorAll("h1")].filter(shown).map(textOf)].filter(Boolean),
        besides: besides(e, labelled),
        labels: labelled,
        around: around(e),
        item: item ? numberOf(item) : 0,
        composite: composite(e),
        leaves: leaves(e, said),
        details: e.tagName === "SUMMARY" && e.parentElement?.tagName === "DETAILS",
        invalid: (() => { try { return e.matches(":user-invalid"); } catch { return false; } })(),
      };
    };

    const verbs = {
      // All about some elements; null for one that has gone.
      facts({ numbers }) {
        return numbers.map((n) => factsOf(nodeOf(n)));
      },
      // What the element is, which the other engine knows as soon as it was asked anything, and what
      // it says.
      whole() {
        if (!state.who) globalThis.__webtask_engine.queryAll(root, "call:" + btoa('["whose"]'));
        return { ...state.who(root), facts: factsOf(root) };
      },
      // The value that a user sees in a field; a choice has the label of its option.
      value({ number }) {
        const e = nodeOf(number);
        return e ? valueOf(e) : null;
      },
      // Which node it is, and of which document.
      which() {
        return { document: state.document, number: root.nodeType === 1 ? numberOf(root) : 0 };
      },
      // The elements around all of these, from the inside, that a role tells of, or every one.
      containers({ numbers, every }) {
        const nodes = numbers.map(nodeOf);
        if (nodes.some((e) => !e || !e.isConnected)) return null;
        const found = [];
        const holds = (outer, inner) => {
          for (let n = inner; n; n = up(n)) if (n === outer) return true;
          return false;
        };
        for (let node = up(nodes[0]); node; node = up(node)) {
          const role = containerRole(node);
          if ((role || every) && nodes.every((e) => e !== node && holds(node, e))) found.push([numberOf(node), role, nameOf(node)]);
        }
        return found;
      },
      // Whether an element is one of these, or around or in one of them.
      related({ number, numbers }) {
        const e = nodeOf(number);
        return numbers.filter((n) => {
          const other = nodeOf(n);
          for (let a = e; a; a = up(a)) if (a === other) return true;
          for (let a = other; a; a = up(a)) if (a === e) return true;
          return false;
        });
      },
      // The way to an element by its place, from the nearest one that has a key of its own.
      path({ number }) {
        const e = nodeOf(number);
        if (!e || !e.isConnected || e.getRootNode() !== top) return null;
        const steps = [];
        for (let node = e; node && node !== top.body; node = node.parentElement) {
          const id = node.id;
          if (id && !/\d{3,}|[:.]/.test(id) && top.querySelectorAll(`#${CSS.escape(id)}`).length === 1) return [`#${CSS.escape(id)}`, ...steps].join(" > ");
          const same = [...(node.parentElement?.children || [])].filter((s) => s.localName === node.localName);
          steps.unshift(same.length > 1 ? `${node.localName}:nth-of-type(${same.indexOf(node) + 1})` : node.localName);
        }
        return ["body", ...steps].join(" > ");
      },
      // The cell that names the row of an element, and which of its kind it is in that row.
      row({ number, css }) {
        const e = nodeOf(number);
        const row = e?.closest("tr,[role=row]");
        if (!row || row === e) return null;
        const cells = [...row.querySelectorAll("th,td,[role=rowheader],[role=cell],[role=gridcell]")].filter((c) => squash(c.textContent));
        const plain = cells.filter((c) => !c.querySelector("button,input,select,a"));
        const key = cells.find((c) => c.matches("th,[role=rowheader]")) || plain.find((c) => /\p{L}/u.test(c.textContent)) || cells.find((c) => /\p{L}/u.test(c.textContent));
        if (!key || key === e || key.contains(e)) return null;
        const like = [...row.querySelectorAll(css)];
        return { key: squash(key.textContent), header: key.matches("th,[role=rowheader]"), at: like.indexOf(e), all: like.length };
      },
      // The heads of the columns of the table that rows stand in.
      heads({ number }) {
        const table = nodeOf(number)?.closest("table,[role=table],[role=grid]");
        const heads = (r) => [...r.children].every((c) => c.matches("th,[role=columnheader]")) ? [...r.children] : [];
        return table ? [...table.querySelectorAll("tr,[role=row]")].flatMap(heads).map((h) => cut(h.innerText, 80)).filter(Boolean).slice(0, 30) : [];
      },
      // Whether something smaller within an element shows a text, so that more than it is cited.
      within({ number, pattern }) {
        const e = nodeOf(number);
        const said = new RegExp(pattern);
        const INLINE = /^(b|strong|em|i|mark|time|code|sub|sup|del|ins|u|s|small|abbr)$/;
        return [...(e?.querySelectorAll("*") || [])].some((d) => !INLINE.test(d.localName) && said.test(textOf(d)) &&
          textOf(d) !== textOf(e) && shown(d));
      },
      // All that can be read in the document, or in the element.
      said() {
        return drawn(root, true).split("\n").map(squash).filter(Boolean);
      },
      // Numbers of what the selector was asked below, kept for `kept`.
      keep() {
        (state.kept ??= []).push([numberOf(root), shown(root)]);
      },
      kept() {
        const kept = state.kept ?? [];
        state.kept = [];
        return kept;
      },
    };

    const text = new TextDecoder().decode(Uint8Array.from(atob(body.slice(5)), (c) => c.charCodeAt(0)));
    const [verb, argument] = JSON.parse(text);
    const carrier = top.createElement("i");
    carrier.textContent = JSON.stringify(verbs[verb](argument) ?? null);
    return [carrier];
  },
})
