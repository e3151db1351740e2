// A selector engine that returns all texts that a document paints, with their positions, so that secrets
// can be blacked out in a picture. It shares the node numbers of `engine.js` and writes nothing into
// the document.
({
  queryAll(root, body) {
    const top = root.nodeType === 9 ? root : root.ownerDocument;
    const { reply, redact, isRedacted, isPassword } = globalThis.__webtask_dom(top, globalThis.__webtask ??= {});
    let opaque = false;

    // A walk of its own, because it must miss nothing: a text that is clipped, transparent or not yet chosen is painted
    // over, too, where others leave out what a user cannot see. Each text is [text, kind, block, boxes]: kind "text"
    // flows on in its block, "value" is the whole value of a field, "other" stands alone.
    const texts = [];
    const black = [];
    let blocks = 0;
    // Whether the current element is redacted: it is blacked out whatever its text is.
    let covered = false;
    // Whether the current characters run from right to left, whatever they are.
    let turned = false;
    // Whether something black is at an unknown position.
    let unsure = false;
    // The pictures of this document's styles before a secret was typed; later ones may show it. Of a
    // document that opened afterwards, its style sheets' own.
    const first = !globalThis.__webtaskPictures;
    const known = (globalThis.__webtaskPictures ??= new Set());
    const SKIPPED = new Set(["script", "style", "template", "noscript", "head", "title", "desc", "metadata", "datalist"]);
    const MARGIN = 300;
    const SMALL = 40;
    // The digits for which a counter gets space.
    const COUNTED = 20;

    const near = (r) => r.width > 0 && r.height > 0 && r.right > -MARGIN && r.bottom > -MARGIN &&
      r.left < innerWidth + MARGIN && r.top < innerHeight + MARGIN;
    const boxed = (rects) => [...rects].filter(near).map((r) => [Math.floor(r.left), Math.floor(r.top), Math.ceil(r.right), Math.ceil(r.bottom)]);
    const say = (text, kind, block, boxes) => {
      if (!text || !text.trim() || !boxes.length) return;
      if (covered) black.push(...boxes);
      else texts.push([text, kind, block, boxes]);
    };

    // A text shadow is a copy of the text at another position.
    const shadowed = (boxes, shadow) => {
      if (!shadow || shadow === "none") return boxes;
      const copies = [...shadow.matchAll(/(-?[\d.]+)px (-?[\d.]+)px ([\d.]+)px/g)];
      return boxes.flatMap((b) => [b, ...copies.map(([, x, y, blur]) => [b[0] + +x - blur, b[1] + +y - blur, b[2] + +x + +blur, b[3] + +y + +blur])]);
    };
    // Pictures in CSS: the text of an SVG; other pictures are unreadable.
    const pictured = (value, rects, inline, sure = true) => {
      if (!value || !value.includes("url(")) return;
      for (const [, url] of value.matchAll(/url\("?((?:data|blob):[^")]*(?:\\"[^")]*)*)/g)) {
        if (!opaque || (first && !inline)) known.add(url);
        const opened = !known.has(url);
        source(url.replace(/\\"/g, '"'), boxed(rects), opened);
        unsure ||= opened && opaque && !sure;
      }
    };
    const source = (url, boxes, inline) => {
      if (/^data:image\/svg/i.test(url)) {
        const [head, ...rest] = url.split(",");
        let text = rest.join(",");
        try { text = /;base64/i.test(head) ? atob(text) : decodeURIComponent(text); } catch { /* as it is */ }
        say(text.replace(/<[^>]*>/g, ""), "other", 0, boxes);
        say(text, "other", 0, boxes);
      } else if (opaque && inline && /^(blob|data):/.test(url)) {
        black.push(...boxes.filter((b) => b[2] - b[0] > SMALL || b[3] - b[1] > SMALL));
      } else if (!/^data:/.test(url)) {
        say(url, "other", 0, boxes);
      }
    };

    const measure = top.createElement("canvas").getContext("2d");
    const wide = (text, style) => {
      if (!measure) return text.length * parseFloat(style.fontSize);
      measure.font = `${style.fontStyle} ${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
      return measure.measureText(text).width + text.length * (parseFloat(style.letterSpacing) || 0) + 4;
    };
    const quoted = (e, content) => [...content.matchAll(/"((?:[^"\\]|\\.)*)"|attr\(\s*([^\s),]+)[^)]*\)/g)]
      .map(([, text, name]) => name ? e.getAttribute(name) || "" : text.replace(/\\(.)/g, "$1")).join("");
    const generated = (e, which, block) => {
      const style = getComputedStyle(e, which);
      const content = style.content;
      if (!content || content === "none" || content === "normal") return;
      const text = quoted(e, content);
      const counted = opaque && /\bcounters?\(/.test(content);
      const images = [style.backgroundImage, style.maskImage, style.borderImageSource, content].filter((v) => v.includes("url("));
      if (!text.trim() && !counted && !images.length) return;
      const own = e.getBoundingClientRect();
      // A counter has a value that no script can read.
      const width = wide(counted ? `${text}${"0".repeat(COUNTED)}` : text, style);
      const line = parseFloat(style.lineHeight) || 1.3 * parseFloat(style.fontSize);
      if (which === "::marker") {
        const beside = [new DOMRect(own.left - width, own.top, own.width + 2 * width, own.height)];
        say(text, "other", block, boxed(beside));
        if (counted) black.push(...boxed(beside));
        for (const image of images) pictured(image, beside, false);
        return;
      }
      let box = new DOMRect(own.left, own.top, Math.max(own.width, width), Math.max(own.height, line));
      let sure = style.transform === "none" && style.translate === "none" && style.rotate === "none";
      if (style.position === "absolute" || style.position === "fixed") {
        let up = style.position === "fixed" ? null : e;
        while (up && getComputedStyle(up).position === "static") up = up.parentElement;
        const base = up ? up.getBoundingClientRect() : new DOMRect(style.position === "fixed" ? 0 : -scrollX, style.position === "fixed" ? 0 : -scrollY);
        const of = (name) => parseFloat(style[name]) || 0;
        const [w, h] = [Math.max(of("width"), width) + of("paddingLeft") + of("paddingRight") + of("borderLeftWidth") + of("borderRightWidth"),
          Math.max(of("height"), line) + of("paddingTop") + of("paddingBottom") + of("borderTopWidth") + of("borderBottomWidth")];
        const [x, y] = [base.left + (up?.clientLeft || 0) + of("left") + of("marginLeft"), base.top + (up?.clientTop || 0) + of("top") + of("marginTop")];
        const m = style.transform === "none" ? new DOMMatrix() : new DOMMatrix(style.transform);
        sure = m.is2D && !m.b && !m.c && m.a === 1 && m.d === 1 && style.rotate === "none" && style.translate === "none";
        box = new DOMRect(x + m.e, y + m.f, w, h);
      } else if (style.position === "relative") {
        sure = false;
      }
      for (const image of images) pictured(image, [box], false, sure);
      const boxes = boxed([box]);
      if (counted) {
        black.push(...boxed(e.getClientRects()), ...boxes);
        unsure ||= !sure;
      }
      say(text, sure ? which : "unsure", block, shadowed(boxes.length || sure ? boxes : [[0, 0, 1, 1]], style.textShadow));
    };

    // Whether an author chose the number of an item.
    const numbered = (e, style) => e.hasAttribute("value") || e.parentElement?.hasAttribute("start") ||
      [style, e.parentElement && getComputedStyle(e.parentElement)].some((s) => s &&
        [s.counterReset, s.counterSet, s.counterIncrement].some((c) => /list-item [^1]|list-item 1\d/.test(c)));

    const closed = (e) => opaque && e.localName.includes("-") && !e.shadowRoot && near(e.getBoundingClientRect()) &&
      ![...e.childNodes].some((c) => {
        if (c.nodeType === 1) return c.getClientRects().length > 0;
        const range = top.createRange();
        range.selectNodeContents(c);
        return c.nodeType === 3 && range.getClientRects().length > 0;
      });

    const field = (e, tag, block) => {
      const boxes = boxed(e.getClientRects());
      if (tag === "select") {
        for (const o of e.options) say(o.label || o.text, "other", block, boxes);
        return true;
      }
      if (tag !== "input" && tag !== "textarea") return false;
      const type = tag === "input" ? e.type : tag;
      if (type === "hidden") return true;
      // A password field that temporarily shows its text.
      if (type !== "password" && isPassword(e) && e.value) black.push(...boxes);
      if (!/^(checkbox|radio|range|color|image|file)$/.test(type)) {
        say(e.value, "value", block, boxes);
        if (turned || e.value.includes("\u202e")) say([...e.value].reverse().join(""), "turned", block, boxes);
      }
      if (type === "file") say([...e.files].map((f) => f.name).join(", "), "other", block, boxes);
      say(e.getAttribute("placeholder"), "other", block, boxes);
      return tag === "textarea";
    };

    const inside = (node, block, style, seen) => {
      for (let c = node.firstChild; c; c = c.nextSibling) {
        if (c.nodeType === 1) element(c, block);
        else if (c.nodeType === 3 && seen && c.data.trim()) {
          const range = top.createRange();
          range.selectNodeContents(c);
          const boxes = shadowed(boxed(range.getClientRects()), style?.textShadow);
          say(c.data, "text", block, boxes);
          if (turned || c.data.includes("\u202e")) say([...c.data].reverse().join(""), "turned", block, boxes);
        }
      }
    };
    const element = (e, outer) => {
      if (SKIPPED.has(e.localName)) return;
      const before = [covered, turned];
      covered ||= isRedacted(e);
      rendered(e, outer);
      [covered, turned] = before;
    };
    const rendered = (e, outer) => {
      const tag = e.localName;
      const style = getComputedStyle(e);
      if (style.display === "none") return;
      if (style.unicodeBidi.includes("override")) turned = style.direction === "rtl";
      else if (style.unicodeBidi.startsWith("isolate") && style.display !== "block") turned = false;
      const block = /^(inline|contents|ruby)/.test(style.display) || e.ownerSVGElement ? outer : ++blocks;
      const seen = style.visibility === "visible";
      if (seen && covered) black.push(...boxed(e.getClientRects()));
      if (seen) {
        if (field(e, tag, block)) return;
        if (/^(canvas|video|embed)$/.test(tag) || (tag === "object" && !e.contentWindow) || closed(e)) {
          if (opaque) black.push(...boxed(e.getClientRects()));
        } else if (tag === "img" || tag === "image" || (tag === "input" && e.type === "image")) {
          say(e.getAttribute("alt"), "other", block, boxed(e.getClientRects()));
          source(e.currentSrc || e.src || e.getAttribute("href") || e.getAttribute("xlink:href") || "", boxed(e.getClientRects()), true);
        } else if (tag === "use") {
          const id = (e.getAttribute("href") || e.getAttribute("xlink:href") || "").replace(/^#/, "");
          say(e.getRootNode().getElementById?.(id)?.textContent, "other", block, boxed(e.getClientRects()));
        }
        pictured(style.backgroundImage, e.getClientRects(), !!e.style?.backgroundImage);
        pictured(style.maskImage, e.getClientRects(), !!e.style?.maskImage);
        pictured(style.borderImageSource, e.getClientRects(), !!e.style?.borderImageSource);
        pictured(style.content, e.getClientRects(), true);
        if (e.matches(":modal, :popover-open, :fullscreen")) {
          const behind = getComputedStyle(e, "::backdrop");
          const everything = [new DOMRect(0, 0, innerWidth, innerHeight)];
          for (const image of [behind.backgroundImage, behind.maskImage, behind.borderImageSource]) pictured(image, everything, false);
        }
        generated(e, "::before", block);
        if (style.display === "list-item") {
          generated(e, "::marker", block);
          const own = e.getBoundingClientRect();
          const marker = /^"/.test(style.listStyleType) ? quoted(e, style.listStyleType) : "";
          const width = marker && wide(marker, style);
          if (marker) say(marker, "other", block, boxed([new DOMRect(own.left - width, own.top, own.width + 2 * width, own.height)]));
          if (opaque && !marker && style.listStyleType !== "none" && numbered(e, style)) {
            const space = wide("0".repeat(COUNTED), style);
            black.push(...boxed([new DOMRect(own.left - space, own.top, own.width + 2 * space, own.height)]));
          }
          pictured(style.listStyleImage, e.getClientRects(), false);
        }
      }
      if (tag === "canvas" || tag === "video" || tag === "iframe") return;
      if (e.shadowRoot) inside(e.shadowRoot, block, style, seen);
      inside(e, block, style, seen);
      if (seen) generated(e, "::after", block);
    };
    return reply(body, (_, given) => {
      redact(given);
      opaque = given.opaque;
      if (top.documentElement) element(top.documentElement, 0);
      return { view: [innerWidth, innerHeight], texts, black, unsure };
    });
  },
})
