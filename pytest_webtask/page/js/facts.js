// A selector engine that returns facts for checks about elements and their surroundings. It shares the
// node numbers of `engine.js` and writes nothing into the document.
({
  queryAll(root, body) {
    const top = root.nodeType === 9 ? root : root.ownerDocument;
    const { state, watch, reply, askedIn, commonOf, hitAt, hasText, showsNothing, idOf, testIdOf, isPassword, HEADING, REDACTED,
      numberOf, nodeOf, cached, squash, withoutGlyphs, iconIn, contentBy, isLigature, flat: up, holds, explicitRoleOf, roleOf, redact, isRedacted,
      eachDrawn, isVisible, holderOf, boxesOf, isTextVisible, standInOf, isShown, renderedTextOf, valueOf, ownValueOf, isSlider, labelsOf, labelledBy, looksActive,
      ITEM, isHeadRow, columnOf, areAlike, isCard, isSmall, titleOf, kindOf, headingsOf, containersOf, wordsOf, listOf, settingOf, differsFrom, nameOf: fullNameOf
      } = globalThis.__webtask_dom(top, globalThis.__webtask ??= {});
    watch();
    // Between two elements on one line that no blank separates: an outline shows them apart. At a gap a user
    // sees them apart, too.
    const [SEAM, GAP] = ["\u2060", "\u2061"];
    const squashLines = (text) => text.split(/[\n\t]+/).map((line) => line.replace(/\s+/g, " ").replace(/^[ \u2060]+|[ \u2060]+$/g, "")).filter(Boolean);
    const cut = (text, length = 2000) => squash(text).slice(0, length);
    // The name that its author gave an element.
    const nameOf = (e) => fullNameOf(e, { content: false }).slice(0, 300);
    const BUTTON = "button,[role=button]";

    // The texts drawn in an element; for a select, the selected options.
    const drawings = { "": new Map(), words: new Map(), icons: new Map() };
    const drawn = (where, mode = "") => {
      if (!drawings[mode]) return drawnIn(where, mode);
      // Facts about many elements need the same containers many times.
      if (!drawings[mode].has(where)) drawings[mode].set(where, drawnIn(where, mode));
      return drawings[mode].get(where);
    };
    // The name of an element that shows an icon and no text.
    const iconOf = (e) => {
      if (isLigature(e)) return squash(e.textContent) || contentBy["::before"](e);
      if (!e.matches("img,svg,i,[role=img],[aria-label],[title]") || squash(drawn(e)).replace(/[\ue000-\uf8ff]/g, "")) return "";
      return squash(e.getAttribute("aria-label") || e.getAttribute("alt") || e.getAttribute("title") || e.querySelector("title")?.textContent);
    };
    const clean = (text) => text.replace(/[\u200b\u00ad\u2060]/g, "");
    const generatedBy = (e, which) => {
      const content = contentBy[which](e);
      return content.trim() && e.getClientRects().length && isVisible(e) ? clean(content) : "";
    };
    // A line break in the source is a blank, unless the style sheet preserves it.
    const linesOf = cached((node) => clean(/^(pre|break)/.test(getComputedStyle(holderOf(node)).whiteSpace) ? node.data : node.data.replace(/\s+/g, " ")));
    // Blanks that end a line have no boxes, and yet separate words.
    const isDrawn = (node) => node.data.trim() ? isTextVisible(node) : !!holderOf(node) && isVisible(holderOf(node));
    // Whether the end of a text and the start of the next one are drawn apart. Digits that are close form one
    // number, as in a rolling counter.
    const areApart = (before, after) => {
      const letter = (node, at) => {
        const range = top.createRange();
        range.setStart(node, at);
        range.setEnd(node, at + 1);
        return range.getBoundingClientRect();
      };
      const [a, b] = [letter(before, before.data.trimEnd().length - 1), letter(after, after.data.search(/\S/))];
      const room = /\d\s*$/.test(before.data) && /^\s*\d/.test(after.data) ? a.height / 5 : 2;
      return b.top >= a.bottom || b.bottom <= a.top || Math.max(b.left - a.right, a.left - b.right) > room;
    };
    // What a user reads in a field; null for other elements.
    const fieldTextOf = (e, mode) => {
      if (e.localName === "select") {
        const isList = mode === "hints" && (e.multiple || e.size > 1);
        return !isVisible(e) ? "" : isList ? [...e.options].map((o) => `\n${o.label}\n`).join("") : `\n${valueOf(e)}\n`;
      }
      if (!/^(input|textarea)$/.test(e.localName)) return null;
      if (/^(hidden|checkbox|radio)$/.test(e.type) || isPassword(e) || !isVisible(e)) return "";
      return `\n${e.value || (mode === "hints" && e.placeholder) || ""}\n`;
    };
    const FIELD = "input:not([type=button],[type=submit],[type=reset],[type=image]),select,textarea";
    const isLeftOut = (e, where, mode) => (mode === "label" && e.matches("input,select,textarea")) || (mode === "read" && e.matches(FIELD)) ||
      (/^(words|label|read|hints)$/.test(mode) && isLigature(e)) || (mode === "unbuttoned" && e !== where && e.matches(BUTTON));
    // The only answer to what texts a user sees: those drawn in an element in pieces, each with the element that
    // has it. `mode` is "hints" to include placeholders, "words" to leave out icons, "icons" to name them,
    // "label" to leave out icons and fields, "read" to leave out icons and fields but for buttons, and
    // "unbuttoned" to leave out buttons. It ends after `most` different lines.
    const piecesOf = (where, mode, most = Infinity) => {
      const pieces = [];
      let isEnough = false;
      const add = (text, e) => { if (text) pieces.push({ text, e }); };
      const endLine = (isBeside) => {
        pieces.push({ text: "\n", isBeside });
        if (most < Infinity && !isEnough) isEnough = linesIn(joined(pieces)).size >= most;
      };
      let last = null;
      const addText = (node) => {
        const text = !isEnough && isDrawn(node) && linesOf(node);
        if (!text) return;
        const before = pieces.findLastIndex((p) => p.text !== SEAM);
        if (last && before >= 0 && before < pieces.length - 1 && /\S$/.test(pieces[before].text) && /^\S/.test(text)) {
          const isNumber = /\d$/.test(pieces[before].text) && /^\d/.test(text);
          const apart = last.data.trim() && pieces[before].node === last && areApart(last, node);
          if (isNumber) pieces.splice(before + 1, Infinity, ...(apart ? [{ text: " " }] : []));
          else if (apart) add(GAP);
        }
        let e = up(node);
        while (e && getComputedStyle(e).display === "contents") e = up(e);
        pieces.push({ text, e, node });
        if (node.data.trim()) last = node;
      };
      const addElement = (e) => {
        if (isEnough) return;
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
        const isApart = e !== where && inlined(e) && e.matches(BUTTON);
        const isBeside = e !== where && isInLine(e);
        add(SEAM);
        if (isApart) add(GAP);
        if (!inlined(e) || e.localName === "br") endLine(isBeside);
        const [before, after] = ["::before", "::after"].map((which) => generatedBy(e, which));
        add(before, e);
        if (/\p{L}$/u.test(before) && /^\s*\p{L}/u.test(e.textContent)) add(GAP);
        eachDrawn(e, addText, addElement);
        if (/^\p{L}/u.test(after) && /\p{L}\s*$/u.test(e.textContent)) add(GAP);
        add(after, e);
        if (isApart) add(GAP);
        if (inlined(e)) add(SEAM);
        else endLine(isBeside);
      };
      if (where.nodeType === 1) addElement(where);
      else eachDrawn(where.body || where, addText, addElement);
      return pieces;
    };
    // Whether an element may be drawn beside the one before it, as a cell or an item of a row.
    const isInLine = (e) => getComputedStyle(e).display === "table-cell" || (!!up(e) && /flex|grid/.test(getComputedStyle(up(e)).display));
    const areBeside = (before, after) => {
      const [a, b] = [before?.node && boxesOf(before.node).at(-1), after?.node && boxesOf(after.node)[0]];
      return !!a && !!b && b.top < a.bottom - a.height / 2 && b.bottom > a.top + a.height / 2;
    };
    const joined = (pieces) => pieces.map((p) => p.text).join("").replaceAll(GAP, SEAM);
    const drawnIn = (where, mode, most) => joined(piecesOf(where, mode, most));
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
          const inside = spans.filter((s) => s.e && s.from < match.index + match[0].length && s.to > match.index);
          if (inside.length) found.add(commonOf(inside[0].e, [inside.at(-1).e]) ?? inside[0].e);
        }
        if (found.size) break;
      }
      return [...found];
    };

    const briefTextOf = (e) => renderedTextOf(e).slice(0, 2000);
    // The separate lines of text in an element.
    const linesIn = (text) => new Set(squashLines(text).map((t) => t.slice(0, 300)));
    const leaves = (e, text = drawn(e)) => [...linesIn(text)].slice(0, 60);
    const CONTROL = "a[href],button,input,select,textarea,summary,[role=button],[role=link],[role=checkbox],[role=tab]";
    const inlined = cached((e) => /^(inline|contents)/.test(getComputedStyle(e).display));
    // Whether an element consists of several parts with a text or control each.
    const composite = (e) => {
      if (e.matches("table,ul,ol,dl,tbody,thead,nav,main,body,[role=table],[role=grid],[role=list]")) return true;
      const blocks = [e, ...e.querySelectorAll("*")].filter((d) => hasText(d) && (d === e || !inlined(d)) && isShown(d));
      const controls = [...e.querySelectorAll(CONTROL)].filter(isShown);
      return blocks.length > 1 || controls.length > 1;
    };
    // The text drawn in an element, on one line, for use in a fact.
    const words = (e, length = 80) => {
      if (!e) return "";
      if (isRedacted(e)) return REDACTED;
      const text = squash((squash(drawn(e, "words")) || drawn(e)).replace(/[\ue000-\uf8ff]/g, " "));
      return text.length <= length ? text : `${text.slice(0, length - 1)}…`;
    };
    // The label of a control, or the term of a definition.
    const labelOf = (e) => {
      const textOfLabel = (l) => isRedacted(l) ? REDACTED : squash(drawn(l, "label").replace(/[\ue000-\uf8ff]/g, " ")).slice(0, 120);
      const texts = [labelledBy(e), ...labelsOf(e).map(textOfLabel)];
      if (e.matches("input,select,textarea,[role=switch],[role=checkbox],[role=radio],[role=slider],[role=spinbutton],[role=combobox],[role=textbox]")) {
        texts.push(e.getAttribute("aria-label"));
        const wrapping = e.closest("label");
        if (wrapping) texts.push(textOfLabel(wrapping));
      }
      let term = e.closest("dd");
      while (term?.localName === "dd") term = term.previousElementSibling;
      if (term) texts.push(words(term, 120));
      return squash(texts.find((t) => t && squash(t)) || "").slice(0, 160);
    };
    // The author's identifiers of an element, as words: test id, id and classes, except hashes.
    const split = (text) => squash((text || "").replace(/([a-z])([A-Z])/g, "$1 $2").replace(/[_\-.:/]+/g, " "));
    const isHash = (c) => /\d{3,}|[A-Za-z]\d[A-Za-z]|^[^aeiou_-]{5,}$/i.test(c) || (/\d/.test(c) && c.length > 12);
    const classesOf = (e) => [...e.classList].filter((c) => !isHash(c));
    const briefly = (e) => isRedacted(e) ? "" : [testIdOf(e) && split(testIdOf(e)), idOf(e) && !isHash(idOf(e)) && split(idOf(e)), !testIdOf(e) && split(classesOf(e).slice(0, 4).join(" "))]
      .filter(Boolean).join("; ").slice(0, 80);
    const STATED = /^aria-(checked|selected|pressed|expanded|disabled|required|invalid|readonly)$/;
    const authorOf = (e) => {
      const attributes = {};
      if (testIdOf(e)) attributes["test id"] = split(testIdOf(e)).slice(0, 80);
      if (idOf(e) && !isHash(idOf(e))) attributes.id = split(idOf(e)).slice(0, 80);
      const classes = split(classesOf(e).join(" ")).slice(0, 120);
      if (classes) attributes.class = classes;
      for (const a of e.attributes) {
        if (/^aria-(?!hidden$|controls$|owns$|labelledby$|describedby$)/.test(a.name) && !STATED.test(a.name) && a.value && squash(a.value) !== nameOf(e)) attributes[a.name] = cut(a.value, 80);
      }
      for (const name of ["title", "alt", "href", "name"]) {
        const value = e.getAttribute(name);
        if (value && !value.startsWith("javascript:")) attributes[name] = cut(name === "href" ? value.replace(/([?&#][^=&#]*=)[^&#]{25,}/g, "$1…") : value, 80);
      }
      if (e.placeholder) attributes.placeholder = cut(e.placeholder, 80);
      const described = (e.getAttribute("aria-describedby") || "").split(/\s+/).filter(Boolean)
        .map((id) => words(e.getRootNode().getElementById?.(id), 120)).filter(Boolean).join(" ");
      if (described) attributes.description = described;
      return isRedacted(e) ? {} : attributes;
    };
    const piecesWithIcons = cached((part) => piecesOf(part, "icons"));
    // The nearest texts in the same row, item, card or small part of the page.
    const besideOf = (e) => {
      // The neighbors of an item are other items.
      if (e.matches(ITEM) || isCard(e)) return [];
      let part = up(e)?.closest?.(ITEM);
      for (let node = up(e), i = 0; node && node !== top.body && i < 6 && node !== part; node = up(node), i++) {
        if (isCard(node)) { part = node; break; }
      }
      const small = (node) => node && node !== top.body && isSmall(node) && words(node, 400).length < 300;
      if (!part) {
        for (let node = up(e); small(node) && !node.matches("main,body"); node = up(node)) part = node;
      }
      if (!part || part === e || e.contains(part)) return [];
      // What is drawn before and after it: where another element shows the same, its place tells which is meant.
      const pieces = piecesWithIcons(part);
      const isOwn = (piece) => !!piece.e && holds(e, piece.node ? piece.node.parentNode : piece.e);
      const [first, last] = [pieces.findIndex(isOwn), pieces.findLastIndex(isOwn)];
      const lines = (some) => joined(some).split(/[\n\t]+/).map(squash).filter((text) => text.replace(/[\ue000-\uf8ff]/g, ""))
        .map((text) => text.length > 80 ? `${text.slice(0, 79)}…` : text);
      if (first < 0) return lines(pieces).slice(0, 10);
      // Icons do not count toward the limit of texts.
      const some = (texts) => {
        let left = 5;
        return texts.filter((text) => text.startsWith("(icon ") ? left > 0 : left-- > 0).slice(0, 10);
      };
      const [before, after] = [some(lines(pieces.slice(0, first)).reverse()).reverse(), some(lines(pieces.slice(last + 1)))];
      return before.length + after.length ? [...before, "(this element)", ...after] : [];
    };
    // Whether a line is drawn through an element, or through all of its texts. Boxes of their own do not
    // inherit the line.
    const isApart = (style) => /^inline-./.test(style.display) || /absolute|fixed/.test(style.position) || style.float !== "none";
    const isLined = cached((n) => {
      if (!n || n === top.documentElement) return false;
      const style = getComputedStyle(n);
      return /line-through/.test(style.textDecorationLine) || n.matches("del,s,strike") || (!isApart(style) && isLined(up(n)));
    });
    const isStruck = (e) => {
      const texts = [e, ...e.querySelectorAll("*")].slice(0, 60).filter((c) => hasText(c) && isVisible(c));
      return texts.length ? texts.every(isLined) : isLined(e);
    };
    // Whether style sheets add words, or the sign of a number, to the texts of an element. Other signs are decoration.
    const isGenerated = (e) => [e, ...e.querySelectorAll("*")].slice(0, 60).some((c) => ["::before", "::after"].some((which) => {
      const content = contentBy[which](c);
      if (!content.trim() || !isVisible(c)) return false;
      const beside = squash(c.textContent).at(which === "::before" ? 0 : -1) || "";
      return /[\p{L}\p{N}\p{Sc}%]/u.test(content) || (/[\p{Sm}\p{Pd}]/u.test(content) && /[\d\p{Sc}]/u.test(beside));
    }));
    // Whether something opaque is drawn over a text, from which no scrolling frees it.
    const contains = (a, b) => a.left <= b.left + 1 && a.top <= b.top + 1 && a.right >= b.right - 1 && a.bottom >= b.bottom - 1;
    const scrollerOf = cached((e) => {
      for (let n = up(e); n && n !== top.body && n !== top.documentElement; n = up(n)) {
        if (/auto|scroll/.test(getComputedStyle(n).overflowY) && n.scrollHeight > n.clientHeight) return n;
      }
      return null;
    });
    const isCovered = cached((e) => {
      if (!squash(e.textContent) || e.closest("label") || e.querySelector("input,select,textarea")) return false;
      const own = e.getBoundingClientRect();
      const view = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
      const inside = [0.1, 0.5, 0.9].map((at) => [own.left + own.width * at, own.top + own.height / 2])
        .filter(([x, y]) => x >= 0 && y >= 0 && x < innerWidth && y < innerHeight);
      const covers = ([x, y], far) => {
        const hit = hitAt([x, y]);
        if (!hit || holds(hit, e) || holds(e, hit)) return false;
        const chain = [];
        for (let n = hit; n && !holds(n, e); n = up(n)) chain.push(n);
        const styles = chain.map((n) => getComputedStyle(n));
        if (styles.some((s) => s.position === "sticky" || +s.opacity < 1)) return false;
        const isFixed = styles.some((s) => s.position === "fixed");
        return chain.some((n, i) => {
          if (!/^rgb\(/.test(styles[i].backgroundColor)) return false;
          const box = n.getBoundingClientRect();
          if (isFixed || far) return isFixed && contains(box, view);
          const scroller = scrollerOf(e);
          return contains(box, own) && (scroller === scrollerOf(n) || contains(box, scroller?.getBoundingClientRect() ?? view));
        });
      };
      return inside.length ? inside.every((point) => covers(point, false)) : covers([innerWidth / 2, innerHeight / 2], true);
    });
    const isRefused = (e) => { try { return e.matches(":user-invalid"); } catch { return false; } };
    const statesOf = (e) => {
      const states = [];
      const is = (name) => e.getAttribute(name);
      const control = e.matches("button,input,select,textarea,option,[role]:not([role=img]):not([role=text])") && !!e.closest(`${CONTROL},input,select,textarea,[tabindex]`);
      const role = explicitRoleOf(e);
      if (!isShown(e) || isCovered(e)) states.push("not visible");
      const drawnBy = standInOf(e);
      if (drawnBy) states.push([...(e.labels || [])].includes(drawnBy) ? "drawn by its label" : drawnBy.contains(e) ? "drawn by the part around it" : "transparent, over what is drawn for it");
      if (e.matches(":disabled") || e.closest("[inert],[aria-disabled=true]")) states.push("disabled");
      else if (control && e.matches(`${CONTROL},[role=switch],[role=radio],[role=combobox],[role=textbox],[role=slider],[role=option],[role=menuitem]`)) states.push("enabled");
      if (e.type === "checkbox" || e.type === "radio") states.push(e.indeterminate ? "partly checked" : e.checked ? "checked" : "not checked");
      else if (is("aria-checked")) states.push({ true: "checked", mixed: "partly checked" }[is("aria-checked")] || "not checked");
      else if (/^(switch|checkbox|radio|menuitemcheckbox|menuitemradio)$/.test(role)) states.push("not checked");
      if (is("aria-pressed")) states.push({ true: "pressed", mixed: "partly pressed" }[is("aria-pressed")] || "not pressed");
      const selected = e.localName === "option" ? `${e.selected}` : is("aria-selected");
      if (selected) states.push(selected === "true" ? "selected" : "not selected");
      if (is("aria-expanded")) states.push(is("aria-expanded") === "true" ? "expanded" : "collapsed");
      if (e.tagName === "SUMMARY") states.push(e.parentElement?.open ? "expanded" : "collapsed");
      if (is("aria-current") && is("aria-current") !== "false") states.push("current");
      if (looksActive(e)) states.push("looks active");
      if (e.required || is("aria-required") === "true") states.push("required");
      if ((is("aria-invalid") && is("aria-invalid") !== "false") || isRefused(e)) states.push("invalid");
      if (e.readOnly && e.tagName !== "SELECT") states.push("read-only");
      if (e.matches(":focus")) states.push("focused");
      if (isStruck(e)) states.push("struck through");
      if (e.tagName === "IMG") states.push(e.complete && e.naturalWidth ? "loaded" : "not loaded");
      if (!e.matches("input,select,textarea") && showsNothing(e)) states.push("empty");
      if (getComputedStyle(e).textOverflow === "ellipsis" && e.scrollWidth > e.clientWidth + 1) states.push("cut off");
      return [...new Set(states)];
    };

    const factsOf = (e) => {
      if (!e || !e.isConnected) return null;
      const field = /^(INPUT|TEXTAREA|SELECT)$/.test(e.tagName);
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
        generated: isGenerated(e),
        tag: e.localName,
        type: e.type && /^(input|button)$/.test(e.localName) ? e.type : isSlider(e) ? "range" : "",
        select: e.tagName === "SELECT",
        field: (field && !/^(button|submit|reset|image)$/.test(e.type)) || own !== null,
        password: isSecret,
        editable: e.isContentEditable,
        plain: !e.hasAttribute("role") && (/^(div|span|p|body|label|b|i|em|strong|small|dl)$/.test(e.localName) ||
          (/^(section|form)$/.test(e.localName) && !nameOf(e)) || (e.localName === "a" && !e.hasAttribute("href"))),
        // The value that a user sees in a field, an editor or a slider; for a select, the label of its option.
        held: field && !isSecret ? valueOf(e) : own,
        text: icons || briefTextOf(e) || (e.shadowRoot || e.getRootNode().host ? cut(squash(text)) : ""),
        raw: icons || cut(e.textContent),
        drawn: squashLines(text).join(" ").slice(0, 4000),
        unbuttoned: e.querySelector(BUTTON) ? squashLines(drawn(e, "unbuttoned")).join(" ").slice(0, 4000) : "",
        placeholder: squash(e.placeholder),
        box: (({ x, y, width, height }) => [x, y, width, height])(e.getBoundingClientRect()),
        name: nameOf(e),
        composite: composite(e),
        leaves: leaves(e, text),
        states: statesOf(e).filter((name) => !icons || name !== "empty"),
        label: isRedacted(e) ? "" : labelOf(e),
        column: columnOf(e),
        row: row && row !== e && !isHeadRow(row) ? titleOf(row) : "",
        heading: headings[0] ?? "",
        headings,
        within: containersOf(e, briefly).filter((c) => !c.under).map(({ kind, name, author }) => author ? { kind, name, author } : { kind, name }),
        beside: besideOf(e),
        author: authorOf(e),
      };
    };

    // A row such as "No products were found".
    const isNotice = (row) => row.matches("tr,[role=row]") && row.children.length === 1 &&
      (row.firstElementChild.colSpan > 1 || +row.firstElementChild.getAttribute("aria-colspan") > 1);

    const verbs = {
      // The facts about several elements; null for an element that is gone.
      facts({ document, numbers, redacted }) {
        redact({ redacted });
        return numbers.map((n) => document === state.document ? factsOf(nodeOf(n)) : null);
      },
      // What the other engine says of the elements of a request, with their facts.
      asked(argument) {
        // Anew, because its functions remember what they have once found.
        globalThis.__webtask_engine.queryAll(root, "call:" + btoa('["origin"]'));
        return state.askedOf(argument, (e) => ({ ...state.described(e), facts: factsOf(e) }));
      },
      // The numbers of the elements that are, contain or are contained in an element.
      related({ number, numbers }) {
        const e = nodeOf(number);
        return numbers.filter((n) => holds(nodeOf(n), e, up) || holds(e, nodeOf(n), up));
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
        const background = around.map((s) => rgba(s.backgroundColor)).find((each) => each[3] > 127) || [255, 255, 255, 255];
        const lines = Object.entries({ underline: "underlined", "line-through": "struck through" }).filter(([line]) => around.some((s) => s.textDecorationLine.includes(line)));
        const color = rgba(around[0].color);
        return { color: color[3] ? color : ["transparent"], background, asked: CSS.supports("color", expected) ? rgba(expected) : [],
          weight: [+around[0].fontWeight < 600 ? "normal" : "bold"], decoration: lines.length ? lines.map(([, word]) => word) : ["none"] };
      },
      // The readable text of the document or the element.
      readable: () => squashLines(piecesOf(root, "hints").map((p) => p.text).join("").replaceAll(GAP, " ")),
      // The elements that show a text outside of fields, each with whether something is drawn over it; all
      // lines; and the beginning of the text.
      says({ redacted, most = 50, ...given }) {
        redact({ redacted });
        const pieces = piecesOf(root, "read");
        const { text } = readingOf(pieces, true);
        const hits = saying(pieces, given).slice(0, most);
        return {
          document: state.document,
          hits: hits.map((e) => [numberOf(e), roleOf(e) || (e.matches("input") ? "button" : "text"), isCovered(e)]),
          lines: [...new Set(text.split("\n").map(squash).filter(Boolean))].slice(0, 2000),
          text: squash(text).slice(0, 400),
        };
      },
      // The text of an element in the document, seen or not; of several blocks that of the first.
      written({ number }) {
        const texts = [];
        const e = nodeOf(number);
        if (e) eachDrawn(e, (node) => texts.push(node.data), (c) => texts.push(...(inlined(c) ? [c.textContent] : ["\n", c.textContent, "\n"])));
        return texts.join("").split("\n\n").map(squash).find(Boolean) ?? "";
      },
      // What else a searched part shows, by which a replay knows it: the headings that are not those of items, and
      // the first item. In the page, navigation does not count.
      surroundings({ number, redacted }) {
        redact({ redacted });
        const where = number ? nodeOf(number) : top.body;
        const isItem = (e) => (e.matches(ITEM) ? !isHeadRow(e) && !isNotice(e) : isCard(e)) && isShown(e);
        const isFree = (e) => !!number || !e.closest("nav,header,footer,[role=navigation],[role=banner],[role=contentinfo]");
        const isOfItem = (e) => { for (let n = e; n && n !== where; n = up(n)) if (isItem(n)) return true; };
        const heads = [...where.querySelectorAll(HEADING)].filter((h) => isShown(h) && !isOfItem(h)).slice(0, 12);
        const item = [...where.querySelectorAll("*")].find((e) => isFree(e) && isItem(e) && squash(drawn(e)));
        return { document: state.document, heads: heads.map((h) => words(h)).filter(Boolean), item: item ? numberOf(item) : 0 };
      },
      // Whether a part without lists and tables has blocks that look like the items of one.
      draws_items() {
        const isBlock = (e) => e.children.length > 0 && !inlined(e) && isShown(e) && !!squash(drawn(e));
        const all = [...root.querySelectorAll("*")];
        return !all.some((e) => /^(table|grid|list|listbox|tree|feed)$/.test(roleOf(e)) && isShown(e)) &&
          all.some((e) => isBlock(e) && [...up(e).children].some((s) => s !== e && areAlike(e, s) && isBlock(s)));
      },
      // The differences between elements of the same name: the part of the page around each of them, or
      // the heading above it. `others` are elements of the same role with any name, of which the names
      // of those next to the element are returned as `beside`.
      parts({ numbers, number, others, redacted }) {
        redact({ redacted });
        const [all, e] = [numbers.map(nodeOf), nodeOf(number)];
        const inside = new Map();
        for (const each of all) for (let n = each; n; n = up(n)) inside.set(n, (inside.get(n) || 0) + 1);
        const parts = all.length < 2 ? [] : all.map((each) => {
          let [part, kind] = [each, ""];
          for (let n = up(each); n && n !== top.body && inside.get(n) === 1 && words(n, 401).length <= 400; n = up(n)) {
            [part, kind] = [n, kindOf(n) || kind];
          }
          return { kind, name: words(part, 300) };
        });
        const sameText = new Set(parts.map((p) => p.name)).size < 2;
        const over = sameText && parts.length ? all.map((each) => wordsOf(headingsOf(each)[0] ?? null)) : [];
        const near = others.map(nodeOf).filter((o) => o && !all.includes(o));
        const beside = (n) => near.filter((o) => holds(n, o, up));
        let names = [];
        for (let n = up(e); n && n !== top.body && !names.length; n = up(n)) names = beside(n).map((o) => (isRedacted(o) ? REDACTED : nameOf(o) || words(o)));
        return {
          parts: sameText ? (new Set(over).size > 1 ? over.map((name) => ({ kind: "heading", name })) : []) : parts,
          beside: names.length <= 12 ? names.filter(Boolean) : [],
        };
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

    return reply(body, (verb, argument) => verbs[verb](argument));
  },
})
