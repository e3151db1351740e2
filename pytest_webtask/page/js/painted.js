// A selector engine that returns all texts that a document paints, with their positions, so that secrets
// can be blacked out in a picture. It shares the node numbers of `engine.js` and writes nothing into
// the document.
({ top, redact, isRedacted, isPassword }) => {
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
  const SKIPPED = /^(script|style|template|noscript|head|title|desc|metadata|datalist)$/;
  const MARGIN = 300;
  const SMALL = 40;
  // The digits for which a counter gets space.
  const COUNTED = 20;

  const near = (r) => r.width > 0 && r.height > 0 && r.right > -MARGIN && r.bottom > -MARGIN &&
    r.left < innerWidth + MARGIN && r.top < innerHeight + MARGIN;
  const boxed = (rects) => [...rects].filter(near).map(({ left, top: upper, right, bottom }) =>
    [Math.floor(left), Math.floor(upper), Math.ceil(right), Math.ceil(bottom)]);
  const say = (text, kind, block, boxes) => {
    if (!text || !text.trim() || !boxes.length) return;
    if (covered) black.push(...boxes);
    else texts.push([text, kind, block, boxes]);
  };

  // A text shadow is a copy of the text at another position.
  const shadowed = (boxes, shadow) => {
    if (!shadow || shadow === "none") return boxes;
    const copies = [...shadow.matchAll(/(-?[\d.]+)px (-?[\d.]+)px ([\d.]+)px/g)];
    const moved = ([left, upper, right, bottom], [x, y, blur]) =>
      [left + x - blur, upper + y - blur, right + x + blur, bottom + y + blur];
    return boxes.flatMap((box) => [box, ...copies.map(([, ...by]) => moved(box, by.map(Number)))]);
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
  // The box of generated content that is placed by its style, with a text of a width and height.
  const placed = (e, style, width, height) => {
    const isFixed = style.position === "fixed";
    let around = isFixed ? null : e;
    while (around && getComputedStyle(around).position === "static") around = around.parentElement;
    const base = around?.getBoundingClientRect() ?? { left: isFixed ? 0 : -scrollX, top: isFixed ? 0 : -scrollY };
    const sum = (...names) => names.reduce((total, name) => total + (parseFloat(style[name]) || 0), 0);
    return new DOMRect(
      base.left + (around?.clientLeft || 0) + sum("left", "marginLeft"),
      base.top + (around?.clientTop || 0) + sum("top", "marginTop"),
      Math.max(sum("width"), width) + sum("paddingLeft", "paddingRight", "borderLeftWidth", "borderRightWidth"),
      Math.max(sum("height"), height) + sum("paddingTop", "paddingBottom", "borderTopWidth", "borderBottomWidth"),
    );
  };
  const imagesOf = (style) => [style.backgroundImage, style.maskImage, style.borderImageSource];
  const generated = (e, which, block) => {
    const style = getComputedStyle(e, which);
    const content = style.content;
    if (!content || content === "none" || content === "normal") return;
    const text = quoted(e, content);
    const counted = opaque && /\bcounters?\(/.test(content);
    const images = [...imagesOf(style), content].filter((image) => image.includes("url("));
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
    const isMoved = style.translate !== "none" || style.rotate !== "none" || style.position === "relative";
    const m = new DOMMatrix(style.transform === "none" ? "" : style.transform);
    const sure = !isMoved && m.is2D && !m.b && !m.c && m.a === 1 && m.d === 1;
    const at = /absolute|fixed/.test(style.position) ? placed(e, style, width, line) : own;
    const box = new DOMRect(at.left + m.e, at.top + m.f, Math.max(at.width, width), Math.max(at.height, line));
    for (const image of images) pictured(image, [box], false, sure);
    const boxes = boxed([box]);
    if (counted) {
      black.push(...boxed(e.getClientRects()), ...boxes);
      unsure ||= !sure;
    }
    const shown = boxes.length || sure ? boxes : [[0, 0, 1, 1]];
    say(text, sure ? which : "unsure", block, shadowed(shown, style.textShadow));
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
    if (SKIPPED.test(e.localName)) return;
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
        const url = e.currentSrc || e.src || e.getAttribute("href") || e.getAttribute("xlink:href");
        source(url || "", boxed(e.getClientRects()), true);
      } else if (tag === "use") {
        const id = (e.getAttribute("href") || e.getAttribute("xlink:href") || "").replace(/^#/, "");
        say(e.getRootNode().getElementById?.(id)?.textContent, "other", block, boxed(e.getClientRects()));
      }
      const inline = e.style ? imagesOf(e.style) : [];
      imagesOf(style).forEach((image, i) => pictured(image, e.getClientRects(), !!inline[i]));
      pictured(style.content, e.getClientRects(), true);
      if (e.matches(":modal, :popover-open, :fullscreen")) {
        const behind = getComputedStyle(e, "::backdrop");
        const everything = [new DOMRect(0, 0, innerWidth, innerHeight)];
        for (const image of imagesOf(behind)) pictured(image, everything, false);
      }
      generated(e, "::before", block);
      if (style.display === "list-item") {
        generated(e, "::marker", block);
        const own = e.getBoundingClientRect();
        const marker = /^"/.test(style.listStyleType) ? quoted(e, style.listStyleType) : "";
        const beside = (width) =>
          boxed([new DOMRect(own.left - width, own.top, own.width + 2 * width, own.height)]);
        if (marker) say(marker, "other", block, beside(wide(marker, style)));
        const isCounted = opaque && !marker && style.listStyleType !== "none" && numbered(e, style);
        if (isCounted) black.push(...beside(wide("0".repeat(COUNTED), style)));
        pictured(style.listStyleImage, e.getClientRects(), false);
      }
    }
    if (tag === "canvas" || tag === "video" || tag === "iframe") return;
    if (e.shadowRoot) inside(e.shadowRoot, block, style, seen);
    inside(e, block, style, seen);
    if (seen) generated(e, "::after", block);
  };
  return {
    painted(given) {
      redact(given);
      opaque = given.opaque;
      if (top.documentElement) element(top.documentElement, 0);
      return { view: [innerWidth, innerHeight], texts, black, unsure };
    },
  };
}
