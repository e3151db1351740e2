// A selector engine that returns facts for checks about elements and their surroundings. It shares the
// node numbers of `engine.js` and writes nothing into the document.
(dom, root) => {
  const { top, state, watch, askedIn, commonOf, hitAt, hasText, isField, FIELD, viewport, showsNothing, idOf, testIdOf,
    isPassword, HEADING, REDACTED, numberOf, nodeOf, cached, squash, withoutGlyphs, iconIn, contentBy, isLigature,
    flat: up, clean, holds, explicitRoleOf, roleOf, redact, isRedacted, holdsRedacted, eachDrawn, isVisible, isInline,
    holderOf, boxesOf, isTextVisible, isTextWhole, standInOf, isShown, isDeaf, renderedTextOf, valueOf, ownValueOf,
    isSlider, labelsOf, labelledBy, looksActive, classesOf, letterBox, scrollerOf, isNotice, isNoMember, undrawnIn,
    isItem, itemsOf, columnOf, isCard, isSmall, titleOf, kindOf, headingsOf, containersOf, wordsOf, unreadyIn,
    isEmptied, listOf, settingOf, differsFrom, textNodesIn, rangeOf, SKIPPED, nameOf: fullNameOf } = dom;
  watch();
  // Between two elements on one line that no blank separates: an outline shows them apart. At a gap a user
  // sees them apart, too.
  const [SEAM, GAP] = ["\u2060", "\u2061"];
  const squashLine = (line) => line.replace(/\s+/g, " ").replace(/^[ \u2060]+|[ \u2060]+$/g, "");
  const squashLines = (text) => text.split(/[\n\t]+/).map(squashLine).filter(Boolean);
  const cut = (text, length = 2000) => squash(text).slice(0, length);
  // The name that its author gave an element.
  const nameOf = (e) => fullNameOf(e, { content: false }).slice(0, 300);
  const BUTTON = "button,[role=button]";

  // The texts drawn in an element; for a select, the selected options.
  const drawings = cached((mode) => cached((where) => joined(piecesOf(where, mode))));
  const drawn = (where, mode = "") => drawings(mode)(where);
  // The name of an element that shows an icon and no text.
  const iconOf = (e) => {
    if (isLigature(e)) return squash(e.textContent) || contentBy["::before"](e);
    if (!e.matches("img,svg,i,[role=img],[aria-label],[title]") || withoutGlyphs(squash(drawn(e)))) return "";
    const named = ["aria-label", "alt", "title"].map((name) => e.getAttribute(name)).find(Boolean);
    return squash(named ?? e.querySelector("title")?.textContent);
  };
  const generatedBy = (e, which) => {
    const content = contentBy[which](e);
    return content.trim() && e.getClientRects().length && isVisible(e) ? clean(content) : "";
  };
  // A line break in the source is a blank, unless the style sheet preserves it.
  const linesOf = cached((node) => {
    const isKept = /^(pre|break)/.test(getComputedStyle(holderOf(node)).whiteSpace);
    return clean(isKept ? node.data : node.data.replace(/\s+/g, " "));
  });
  // Blanks that end a line have no boxes, and yet separate words.
  const isDrawn = (node) => node.data.trim() ? isTextVisible(node) : !!holderOf(node) && isVisible(holderOf(node));
  // Whether the end of a text and the start of the next one are drawn apart. Digits that are close form one
  // number, as in a rolling counter.
  const areApart = (before, after) => {
    const a = letterBox(before, before.data.trimEnd().length - 1);
    const b = letterBox(after, after.data.search(/\S/));
    const room = /\d\s*$/.test(before.data) && /^\s*\d/.test(after.data) ? a.height / 5 : 2;
    return b.top >= a.bottom || b.bottom <= a.top || Math.max(b.left - a.right, a.left - b.right) > room;
  };
  // What a user reads in a field; null for other elements.
  const fieldTextOf = (e, mode) => {
    if (!isField(e)) return null;
    if (!isVisible(e) || isPassword(e) || /^(hidden|checkbox|radio)$/.test(e.type)) return "";
    const isList = mode === "hints" && e.localName === "select" && (e.multiple || e.size > 1);
    if (isList) return [...e.options].map((o) => `\n${o.label}\n`).join("");
    return `\n${valueOf(e) || (mode === "hints" && e.placeholder) || ""}\n`;
  };
  const LEFT_OUT = { label: "input,select,textarea", read: FIELD, unbuttoned: BUTTON };
  const isLeftOut = (e, where, mode) => {
    if (/^(words|label|read|hints)$/.test(mode) && isLigature(e)) return true;
    return !!LEFT_OUT[mode] && e.matches(LEFT_OUT[mode]) && (mode !== "unbuttoned" || e !== where);
  };
  // The only answer to what texts a user sees: those drawn in an element in pieces, each with the element that
  // has it. `mode` is "hints" to include placeholders, "words" to leave out icons, "icons" to name them,
  // "label" to leave out icons and fields, "read" to leave out icons and fields but for buttons, and
  // "unbuttoned" to leave out buttons.
  const piecesOf = (where, mode) => {
    const pieces = [];
    const add = (text, e) => { if (text) pieces.push({ text, e }); };
    const endLine = (isBeside) => pieces.push({ text: "\n", isBeside });
    let last = null;
    const addText = (node) => {
      const text = isDrawn(node) && linesOf(node);
      if (!text) return;
      const before = pieces.findLastIndex((p) => p.text !== SEAM);
      const isSeam = last && before >= 0 && before < pieces.length - 1;
      if (isSeam && /\S$/.test(pieces[before].text) && /^\S/.test(text)) {
        const isNumber = /\d$/.test(pieces[before].text) && /^\d/.test(text);
        const apart = last.data.trim() && pieces[before].node === last && areApart(last, node);
        if (isNumber) pieces.splice(before + 1, Infinity, ...(apart ? [{ text: " " }] : []));
        else if (apart) add(GAP);
      }
      pieces.push({ text, e: holderOf(node), node });
      if (node.data.trim()) last = node;
    };
    const addElement = (e) => {
      if (isRedacted(e)) {
        if ((e.textContent || e.value || "").trim()) add(REDACTED, e);
        return;
      }
      if (isLeftOut(e, where, mode) || getComputedStyle(e).contentVisibility === "hidden") return;
      const value = fieldTextOf(e, mode);
      const icon = value === null && mode === "icons" && isVisible(e) && iconOf(e);
      if (value !== null) add(value, e);
      else if (icon) add(`\n(icon "${icon.slice(0, 40)}")\n`, e);
      else addContent(e);
    };
    const addContent = (e) => {
      const isApart = e !== where && isInline(e) && e.matches(BUTTON);
      const isBeside = e !== where && isInLine(e);
      add(SEAM);
      if (isApart) add(GAP);
      if (!isInline(e) || e.localName === "br") endLine(isBeside);
      const [before, after] = ["::before", "::after"].map((which) => generatedBy(e, which));
      add(before, e);
      if (/\p{L}$/u.test(before) && /^\s*\p{L}/u.test(e.textContent)) add(GAP);
      eachDrawn(e, addText, addElement);
      if (/^\p{L}/u.test(after) && /\p{L}\s*$/u.test(e.textContent)) add(GAP);
      add(after, e);
      if (isApart) add(GAP);
      if (isInline(e)) add(SEAM);
      else endLine(isBeside);
    };
    if (where.nodeType === 1) addElement(where);
    else eachDrawn(where.body || where, addText, addElement);
    return pieces;
  };
  // Whether an element may be drawn beside the one before it, as a cell or an item of a row.
  const isInLine = (e) => getComputedStyle(e).display === "table-cell" ||
    (!!up(e) && /flex|grid/.test(getComputedStyle(up(e)).display));
  const areBeside = (before, after) => {
    const [a, b] = [before?.node && boxesOf(before.node).at(-1), after?.node && boxesOf(after.node)[0]];
    return !!a && !!b && b.top < a.bottom - a.height / 2 && b.bottom > a.top + a.height / 2;
  };
  const joined = (pieces) => pieces.map((p) => p.text).join("").replaceAll(GAP, SEAM);
  const CASES = {
    uppercase: (text) => text.toUpperCase(),
    lowercase: (text) => text.toLowerCase(),
    capitalize: (text) => text.replace(/(?<![\p{L}\p{N}'’])\p{L}/gu, (c) => c.toUpperCase()),
  };
  const casedBy = (e) => (e && CASES[getComputedStyle(e).textTransform]) || ((text) => text);
  // The pieces on lines as a user reads them, with the capitals of the style sheet or of the document; each
  // piece with its position.
  const readingOf = (pieces, isCased) => {
    let text = "";
    let [last, gap] = [null, ""];
    const spans = [];
    for (const piece of pieces) {
      const { text: own, e, isBeside } = piece;
      const part = squash(own.replace(/[\u2061\ue000-\uf8ff]/g, " "));
      const isBreak = /\n/.test(own);
      if (isBreak && !(isBeside && gap !== "\n")) gap = "\n";
      else if (isBreak) gap = "item";
      else if (!gap && (/^\s/.test(own) || own === GAP)) gap = " ";
      if (!part) continue;
      // Two blanks, since one may separate the thousands of a number.
      if (text) text += gap === "item" ? (areBeside(last, piece) ? "  " : "\n") : gap;
      const from = text.length;
      text += isCased ? casedBy(e)(part) : part;
      spans.push({ e, from, to: text.length });
      [last, gap] = [piece, isBreak ? "\n" : /\s$/.test(own) ? " " : ""];
    }
    return { text, spans };
  };
  // The innermost elements that show a match of a pattern, in page order.
  const saying = (pieces, { pattern, flags }) => {
    const found = new Set();
    for (const isCased of [true, false]) {
      const { text, spans } = readingOf(pieces, isCased);
      for (const match of text.matchAll(new RegExp(pattern, flags))) {
        const end = match.index + match[0].length;
        const inside = spans.filter((s) => s.e && s.from < end && s.to > match.index);
        if (inside.length) found.add(commonOf(inside[0].e, [inside.at(-1).e]) ?? inside[0].e);
      }
      if (found.size) break;
    }
    return [...found];
  };

  const CONTROL = "a[href],button,input,select,textarea,summary,[role=button],[role=link],[role=checkbox],[role=tab]";
  // Whether an element consists of several parts with a text or control each.
  const composite = (e) => {
    if (e.matches("table,ul,ol,dl,tbody,thead,nav,main,body,[role=table],[role=grid],[role=list]")) return true;
    const isBlock = (d) => hasText(d) && (d === e || !isInline(d)) && isShown(d);
    const blocks = [e, ...e.querySelectorAll("*")].filter(isBlock);
    const controls = [...e.querySelectorAll(CONTROL)].filter(isShown);
    return blocks.length > 1 || controls.length > 1;
  };
  // The label of a control, or the term of a definition.
  const NAMED = "input,select,textarea,[role=switch],[role=checkbox],[role=radio],[role=slider],[role=spinbutton]," +
    "[role=combobox],[role=textbox]";
  const labelOf = (e) => {
    const textOfLabel = (l) => isRedacted(l) ? REDACTED : squash(withoutGlyphs(drawn(l, "label"))).slice(0, 120);
    const isNamed = e.matches(NAMED);
    const wrapping = isNamed && e.closest("label");
    const texts = [labelledBy(e), ...labelsOf(e).map(textOfLabel), isNamed && e.getAttribute("aria-label"),
      wrapping && textOfLabel(wrapping)];
    let term = e.closest("dd");
    while (term?.localName === "dd") term = term.previousElementSibling;
    return squash([...texts, wordsOf(term)].find((text) => text && squash(text))).slice(0, 160);
  };
  // The author's identifiers of an element, as words: test id, id and classes, except hashes.
  const split = (text) => squash((text || "").replace(/([a-z])([A-Z])/g, "$1 $2").replace(/[_\-.:/]+/g, " "));
  const calledOf = (e) => /\d{3,}/.test(idOf(e)) ? "" : split(idOf(e)).slice(0, 80);
  const briefly = (e) => {
    if (isRedacted(e)) return "";
    const classes = testIdOf(e) ? "" : split(classesOf(e).slice(0, 4).join(" "));
    return [split(testIdOf(e)), calledOf(e), classes].filter(Boolean).join("; ").slice(0, 80);
  };
  const STATED = new Set(["checked", "selected", "pressed", "expanded", "disabled", "required", "invalid", "readonly",
    "hidden", "controls", "owns", "labelledby", "describedby"].map((name) => `aria-${name}`));
  const authorOf = (e) => {
    if (isRedacted(e)) return {};
    const isStated = (a) => a.name.startsWith("aria-") && !STATED.has(a.name) && squash(a.value) !== nameOf(e);
    const stated = [...e.attributes].filter(isStated).map((a) => [a.name, cut(a.value, 80)]);
    const named = ["title", "alt", "href", "name", "placeholder"].map((name) => [name, e.getAttribute(name) ?? ""]);
    const isScript = ([, value]) => value.startsWith("javascript:");
    // A long part of an address may hold a token.
    const brief = ([name, value]) => [name, cut(value.replace(/([?&#][^=&#]*=)[^&#]{25,}/g, "$1…"), 80)];
    const ids = (e.getAttribute("aria-describedby") || "").split(/\s+/).filter(Boolean);
    const described = ids.map((id) => wordsOf(e.getRootNode().getElementById?.(id))).filter(Boolean).join(" ");
    const attributes = [["test id", split(testIdOf(e)).slice(0, 80)], ["id", calledOf(e)],
      ["class", split(classesOf(e).join(" ")).slice(0, 120)], ...stated,
      ...named.filter((each) => !isScript(each)).map(brief), ["description", described]];
    return Object.fromEntries(attributes.filter(([, value]) => value));
  };
  const piecesWithIcons = cached((part) => piecesOf(part, "icons"));
  // The nearest texts in the same row, item, card or small part of the page.
  const besideOf = (e) => {
    // The neighbors of an item are other items.
    if (isItem(e)) return [];
    // What is in a card of a row is beside all that is in the row.
    let part = itemsOf(e).find((item) => !isCard(item)) ?? itemsOf(e).at(-1);
    const isPart = (n) => n && !n.matches("main,body") && isSmall(n) && squash(drawn(n)).length < 300;
    for (let n = part ? null : up(e); isPart(n); n = up(n)) part = n;
    if (!part || part === e || e.contains(part)) return [];
    // What is drawn before and after it: where another element shows the same, its place tells which is meant.
    const pieces = piecesWithIcons(part);
    const isOwn = (piece) => !!piece.e && holds(e, piece.node ? piece.node.parentNode : piece.e);
    const [first, last] = [pieces.findIndex(isOwn), pieces.findLastIndex(isOwn)];
    const brief = (text) => text.length > 80 ? `${text.slice(0, 79)}…` : text;
    const lines = (some) => joined(some).split(/[\n\t]+/).map(squash).filter(withoutGlyphs).map(brief);
    if (first < 0) return lines(pieces).slice(0, 10);
    const before = lines(pieces.slice(0, first)).slice(-5);
    const after = lines(pieces.slice(last + 1)).slice(0, 5);
    return before.length + after.length ? [...before, "(this element)", ...after] : [];
  };
  // Whether a line is drawn through an element, or through all of its texts. Boxes of their own do not
  // inherit the line.
  const isApart = ({ display, position, float }) =>
    /^inline-./.test(display) || /absolute|fixed/.test(position) || float !== "none";
  const isLined = cached((n) => {
    if (!n || n === top.documentElement) return false;
    const style = getComputedStyle(n);
    const isOwn = /line-through/.test(style.textDecorationLine) || n.matches("del,s,strike");
    return isOwn || (!isApart(style) && isLined(up(n)));
  });
  const isStruck = (e) => {
    const texts = [e, ...e.querySelectorAll("*")].slice(0, 60).filter((c) => hasText(c) && isVisible(c));
    return texts.length ? texts.every(isLined) : isLined(e);
  };
  // Whether style sheets add words, or the sign of a number, to the texts of an element. Other signs are decoration.
  const isGenerated = (e) => [e, ...e.querySelectorAll("*")].slice(0, 60).some((c) =>
    ["::before", "::after"].some((which) => {
      const content = contentBy[which](c);
      if (!content.trim() || !isVisible(c)) return false;
      const beside = squash(c.textContent).at(which === "::before" ? 0 : -1) || "";
      const isSign = /[\p{Sm}\p{Pd}]/u.test(content) && /[\d\p{Sc}]/u.test(beside);
      return isSign || /[\p{L}\p{N}\p{Sc}%]/u.test(content);
    }));
  // Whether something opaque is drawn over a text, from which no scrolling frees it.
  const contains = (a, b) => a.left <= b.left + 1 && a.top <= b.top + 1 &&
    a.right >= b.right - 1 && a.bottom >= b.bottom - 1;
  const isCovered = cached((e) => {
    if (!(squash(e.textContent) || isEmptied(e)) || e.closest("label") || e.querySelector("input,select,textarea")) return false;
    // The box of a paragraph is wider than its text.
    const own = rangeOf(e).getBoundingClientRect();
    const inside = (isEmptied(e) ? [] : [0.1, 0.5, 0.9]).map((at) => [own.left + own.width * at, own.top + own.height / 2])
      .filter(([x, y]) => x >= 0 && y >= 0 && x < innerWidth && y < innerHeight);
    const covers = (point) => {
      const hit = hitAt(point);
      if (!hit || holds(hit, e) || holds(e, hit)) return false;
      const chain = [];
      for (let n = hit; n && !holds(n, e); n = up(n)) chain.push([n, getComputedStyle(n)]);
      if (chain.some(([, s]) => s.position === "sticky" || +s.opacity < 1)) return false;
      const isFixed = chain.some(([, s]) => s.position === "fixed");
      const pane = scrollerOf(up(e));
      return chain.filter(([, s]) => /^rgb\(/.test(s.backgroundColor)).some(([n]) => {
        const box = n.getBoundingClientRect();
        if (isFixed) return contains(box, viewport());
        const isFast = pane === scrollerOf(up(n)) || contains(box, pane?.getBoundingClientRect() ?? viewport());
        return inside.length > 0 && contains(box, own) && isFast;
      });
    };
    return inside.length ? inside.every(covers) : covers([innerWidth / 2, innerHeight / 2]);
  });
  const OPERATED = `button,[role=button],[role=link],[role=tab],[role=option],[role=menuitem],${NAMED}`;
  // How an element is drawn that is not drawn itself.
  const drawnAs = (e) => {
    const drawnBy = standInOf(e);
    if (!drawnBy) return [];
    if ([...(e.labels || [])].includes(drawnBy)) return ["drawn by its label"];
    return [drawnBy.contains(e) ? "drawn by the part around it" : "transparent, over what is drawn for it"];
  };
  const triState = (stated, on) => stated ? [{ true: on, mixed: `partly ${on}` }[stated] || `not ${on}`] : [];
  const checkedIn = (e) => {
    if (/^(checkbox|radio)$/.test(e.type)) return e.indeterminate ? "mixed" : `${e.checked}`;
    const isBox = /^(switch|checkbox|radio|menuitemcheckbox|menuitemradio)$/.test(explicitRoleOf(e));
    return e.getAttribute("aria-checked") || (isBox ? "false" : "");
  };
  const statesOf = (e) => {
    const is = (name) => e.getAttribute(name);
    const has = (name) => is(name) && is(name) !== "false";
    const isDisabled = e.matches(":disabled") || e.closest("[inert],[aria-disabled=true]");
    const states = drawnAs(e);
    const add = (name, isSo) => isSo && states.push(name);
    if (!isShown(e) || isCovered(e)) states.unshift("not visible");
    add("disabled", isDisabled);
    const isDead = e.matches(`a,${OPERATED}`) && isDeaf(e);
    add(isDead ? "not clickable" : "enabled", !isDisabled && (isDead || e.matches(OPERATED)));
    states.push(...triState(checkedIn(e), "checked"), ...triState(is("aria-pressed"), "pressed"));
    const selected = e.localName === "option" ? `${e.selected}` : is("aria-selected");
    add(selected === "true" ? "selected" : "not selected", selected);
    add(is("aria-expanded") === "true" ? "expanded" : "collapsed", is("aria-expanded"));
    if (e.localName === "summary") add(e.parentElement?.open ? "expanded" : "collapsed", true);
    add("current", has("aria-current"));
    add("looks active", looksActive(e));
    add("required", e.required || is("aria-required") === "true");
    add("invalid", has("aria-invalid") || e.matches(":user-invalid"));
    add("read-only", e.readOnly && e.localName !== "select");
    add("focused", e.matches(":focus"));
    add("struck through", isStruck(e));
    if (e.localName === "img") add(e.complete && e.naturalWidth ? "loaded" : "not loaded", true);
    add("empty", !e.matches("input,select,textarea") && showsNothing(e));
    add("cut off", getComputedStyle(e).textOverflow === "ellipsis" && e.scrollWidth > e.clientWidth + 1);
    return [...new Set(states)];
  };
  // Whether an element is neither a control nor anything of a kind: a text, or a part without a name.
  const isPlain = (e) => {
    if (e.hasAttribute("role")) return false;
    if (/^(section|form)$/.test(e.localName)) return !nameOf(e);
    return e.matches("div,span,p,body,label,b,i,em,strong,small,dl,a:not([href])");
  };

  const factsOf = (e) => {
    if (!e || !e.isConnected) return null;
    const field = isField(e);
    // What shows nothing but icons says their names.
    const bare = (text) => squash(withoutGlyphs(text));
    const isIcon = bare(drawn(e)) || !isShown(e) || isRedacted(e) || e.matches("img,svg,[role=img]");
    const icons = isIcon ? "" : bare(drawn(e, "icons")) || (iconIn(e) && `(icon "${iconIn(e)}")`);
    const text = icons || drawn(e);
    const [row, headings] = [e.closest("tr,[role=row]"), headingsOf(e).map(wordsOf)];
    const isSecret = isPassword(e);
    const own = ownValueOf(e);
    return {
      shown: isShown(e) && !isCovered(e),
      emptied: isEmptied(e) && !isCovered(e),
      redacted: isRedacted(e) || holdsRedacted(e),
      generated: isGenerated(e),
      tag: e.localName,
      type: (/^(input|button)$/.test(e.localName) && e.type) || (isSlider(e) ? "range" : ""),
      field: (field && !/^(button|submit|reset|image)$/.test(e.type)) || own !== null,
      password: isSecret,
      editable: e.isContentEditable,
      plain: isPlain(e),
      // The value that a user sees in a field, an editor or a slider; for a select, the label of its option.
      held: (field && !isSecret ? valueOf(e) : own) ?? "",
      text: icons || renderedTextOf(e).slice(0, 2000) || (e.shadowRoot || e.getRootNode().host ? cut(text) : ""),
      raw: icons || cut(e.textContent),
      drawn: squashLines(text).join(" ").slice(0, 4000),
      unbuttoned: e.querySelector(BUTTON) ? squashLines(drawn(e, "unbuttoned")).join(" ").slice(0, 4000) : "",
      placeholder: squash(e.placeholder),
      box: (({ x, y, width, height }) => [x, y, width, height])(e.getBoundingClientRect()),
      name: nameOf(e),
      composite: composite(e),
      leaves: [...new Set(squashLines(text).map((line) => line.slice(0, 300)))].slice(0, 60),
      states: statesOf(e).filter((name) => !icons || name !== "empty"),
      label: isRedacted(e) ? "" : labelOf(e),
      column: columnOf(e),
      row: row && row !== e && isItem(row) ? titleOf(row) : "",
      heading: headings[0] ?? "",
      headings,
      within: containersOf(e, briefly).filter((c) => !c.under)
        .map(({ kind, name, author }) => author ? { kind, name, author } : { kind, name }),
      beside: besideOf(e),
      author: authorOf(e),
    };
  };

  return {
    // The facts about several elements; null for an element that is gone.
    facts({ document, numbers, redacted }) {
      redact({ redacted });
      return numbers.map((n) => document === state.document ? factsOf(nodeOf(n)) : null);
    },
    // What the other engine says of the elements of a request, with their facts.
    asked(argument) {
      const engine = globalThis.__webtask_engine.of(top);
      return engine.asked(argument, (e) => ({ ...engine.described(e), facts: factsOf(e) }));
    },
    // How the text of an element is drawn: its color and that behind it, as red, green, blue and alpha, its weight
    // and lines in words; and what a color is that is `expected`, if it is one.
    style({ expected }) {
      const drawing = top.createElement("canvas").getContext("2d", { willReadFrequently: true });
      const rgba = (color) => {
        drawing.clearRect(0, 0, 1, 1);
        drawing.fillStyle = "transparent";
        drawing.fillStyle = color;
        drawing.fillRect(0, 0, 1, 1);
        return [...drawing.getImageData(0, 0, 1, 1).data];
      };
      const around = [];
      for (let e = root; e; e = up(e)) around.push(getComputedStyle(e));
      const backgrounds = around.map((s) => rgba(s.backgroundColor));
      const hasLine = ([line]) => around.some((s) => s.textDecorationLine.includes(line));
      const lines = Object.entries({ underline: "underlined", "line-through": "struck through" }).filter(hasLine);
      const color = rgba(around[0].color);
      return {
        color: color[3] ? color : ["transparent"],
        background: backgrounds.find((each) => each[3] > 127) || [255, 255, 255, 255],
        asked: CSS.supports("color", expected) ? rgba(expected) : [],
        weight: [+around[0].fontWeight < 600 ? "normal" : "bold"],
        decoration: lines.length ? lines.map(([, word]) => word) : ["none"],
      };
    },
    // The readable text of the document or the element.
    readable: () => squashLines(piecesOf(root, "hints").map((p) => p.text).join("").replaceAll(GAP, " ")),
    // The elements that show a text outside of fields, all lines, and the beginning of the text.
    says({ redacted, most = 50, ...given }) {
      redact({ redacted });
      const pieces = piecesOf(root, "read");
      const { text } = readingOf(pieces, true);
      const hits = saying(pieces, given).slice(0, most);
      return {
        document: state.document,
        hits: hits.map((e) => [numberOf(e), roleOf(e) || (e.matches("input") ? "button" : "text")]),
        lines: [...new Set(text.split("\n").map(squash).filter(Boolean))].slice(0, 2000),
        text: squash(text).slice(0, 400),
      };
    },
    // Whether a text of the element cannot be read to its end.
    cut: () => [root, ...root.querySelectorAll("*")].flatMap((e) => [e, e.shadowRoot]).filter(Boolean)
      .flatMap(textNodesIn).some((t) => t.data.trim() && !SKIPPED.test(t.parentNode.localName) && !isTextWhole(t)),
    // What else a searched part shows, by which a replay knows it: the headings that are not those of items, and
    // the first item. In the page, navigation does not count.
    surroundings({ number, redacted }) {
      redact({ redacted });
      const where = number ? nodeOf(number) : top.body;
      const isListed = (e) => isItem(e) && !isNotice(e) && !isNoMember(e) && isShown(e);
      const OTHERS = "nav,header,footer,[role=navigation],[role=banner],[role=contentinfo]";
      const isFree = (e) => !!number || !e.closest(OTHERS);
      const isOfItem = (e) => itemsOf(e).some((item) => item !== where && holds(where, item) && isListed(item));
      const heads = [...where.querySelectorAll(HEADING)].filter((h) => isShown(h) && !isOfItem(h)).slice(0, 12);
      const item = [...where.querySelectorAll("*")].find((e) => isFree(e) && isListed(e) && squash(drawn(e)));
      const names = heads.map(wordsOf).filter(Boolean);
      return { document: state.document, heads: names, item: item ? numberOf(item) : 0 };
    },
    // Why a part may list more: it `draws` blocks that look like items, and no list, or fewer than ARIA counts; or it
    // shows an error, or that it is loading.
    doubts() {
      const all = root === top ? [] : [...root.querySelectorAll("*")];
      const isList = (e) => /^(table|grid|list|listbox|tree|feed)$/.test(roleOf(e)) && isShown(e);
      return { draws: !all.some(isList) && all.some((e) => isCard(e) && isShown(e)), undrawn: undrawnIn(root),
        unready: root !== top && !!unreadyIn(root) };
    },
    // The differences between elements of the same name: what they show, or else the innermost of what they stand in
    // by which all of them differ.
    parts({ numbers, redacted }) {
      redact({ redacted });
      const shownAs = ({ kind, name, e }) => ({ kind, name: name || squash(drawn(e)).slice(0, 300) });
      const around = numbers.map(nodeOf).map((e) => [{ kind: kindOf(e), e }, ...containersOf(e)].map(shownAs));
      const isTelling = (i) => new Set(around.map((all) => all[i]?.name)).size > 1;
      const at = [0, 1, 2, 3].find(isTelling) ?? -1;
      return { parts: around.every((all) => all[at]) ? around.map((all) => all[at]) : [] };
    },
    // The set that a recorded one is now: of the elements of each locator of a request, all or those of
    // one list, the first in the recorded setting. Each member has whether it can be seen, and its facts if so;
    // with `few` only the first and last ones have.
    members({ request, ways, redacted, recorded, few }) {
      redact({ redacted });
      const asked = askedIn(request);
      let problem = "";
      for (let way = 0; way < ways; way++) {
        const nodes = asked(way);
        const groups = recorded?.one ? [...Map.groupBy(nodes, listOf).values()] : [nodes];
        const fits = groups.filter((group) => group.length).filter((group) => {
          const seen = group.filter(isShown);
          const difference = recorded && seen.length ? differsFrom(recorded, settingOf(seen)) : "";
          problem ||= difference;
          return !difference;
        });
        if (fits.length > 1) problem ||= `${fits.length} sets fit`;
        if (fits.length !== 1) continue;
        const [group] = fits;
        const seen = group.filter(isShown);
        const title = seen.length ? settingOf(seen).title : "";
        return { document: state.document, way, title, members: group.map((e, i) => {
          const isTold = isShown(e) && !(few && i >= few && i < group.length - few);
          return [numberOf(e), isShown(e), isTold ? factsOf(e) : null];
        }) };
      }
      return { document: state.document, way: null, title: "", members: [], problem };
    },
  };
}
