// The structure of a page: what an element stands in, and what that is called. Outline, facts, identity and sets
// take it from here. A container is an object of its `kind`, its `name` and the element `e`:
//   - a part: a landmark, dialog, form, group, list or table, by its accessible name, or else its first heading;
//   - a section: what is under a heading, up to the next one of its rank;
//   - an item: a row, list item, option or card, by its title.
(dom, top) => {
  const { cached, squash, withoutGlyphs, flat: up, holds, isPage, isBefore, siblingsOf, hasText, isField, isPassword,
    isRedacted, holdsRedacted, isRendered, hasPlace, isShown, isInline, closest, explicitRoleOf, nativeRoleOf, roleOf,
    textOf, renderedTextOf, writtenIn, textNodesIn, drawnNodes, eachDrawn, isVisible, isLigature, commonOf, valueOf,
    idOf, testIdOf, HEADING, levelOf, headingsIn, REDACTED, SKIPPED, nameOf } = dom;
  const ITEM = "tr,li,article,option,dl > div,[role=row],[role=listitem],[role=article],[role=option],[role=treeitem]";
  const SECTION = "section,article,main,aside,nav,dialog,fieldset,form,table,header,footer,li,tr," +
    "[role=region],[role=dialog],[role=alertdialog],[role=group],[role=tabpanel]";
  // Whether a text in an element is a number in a badge.
  const isBadge = (n, e) => n.parentNode !== e && /^\W*\d[\d.,]*\+?\W*$/.test(n.parentNode.textContent);
  const brief = (text, length = 80) => squash(text).slice(0, length);
  const hasLetter = (text) => /\p{L}/u.test(text || "");
  // What a user reads in an element, in short.
  const wordsOf = cached((e) => {
    if (!e) return "";
    if (isRedacted(e)) return REDACTED;
    const hasSigns = [...e.querySelectorAll("*")].some(isLigature);
    const text = hasSigns ? wordsIn(e) : holdsRedacted(e) ? textOf(e) : renderedTextOf(e);
    return brief(withoutGlyphs(text.trim() || textOf(e)));
  });
  const wordsIn = (e) => {
    if (isRedacted(e)) return REDACTED;
    if (isLigature(e) || !isVisible(e)) return " ";
    const texts = [];
    eachDrawn(e, (node) => texts.push(node.data), (c) => texts.push(wordsIn(c)));
    return texts.join("");
  };

  // --- Tables ----------------------------------------------------------------------------------

  const TABLES = "table,[role=table],[role=grid],[role=treegrid]";
  const CELLS = "td,th,[role=cell],[role=gridcell],[role=rowheader],[role=columnheader]";
  const isHead = (cell) => cell.matches("th,[role=columnheader]");
  const cellsIn = (row) => [...row.children].filter((c) => c.matches(CELLS));
  const spanOf = (cell) => cell.colSpan || +cell.getAttribute("aria-colspan") || 1;
  // Whether a row has a single cell over several columns: a caption, or "No products were found".
  const isNotice = (row) => row.matches("tr,[role=row]") && row.children.length === 1 && spanOf(row.children[0]) > 1;
  // Whether a row has nothing but the heads of columns, and fewer empty cells.
  const isHeadRow = cached((row) => {
    const cells = row.matches("tr,[role=row]") ? cellsIn(row) : [];
    const others = cells.filter((c) => !isHead(c));
    return cells.length > 2 * others.length && !others.some((c) => c.firstElementChild || hasText(c));
  });
  const isBold = (row) => {
    const texts = [row, ...row.querySelectorAll("*")].filter(hasText);
    return texts.length > 0 && texts.every((c) => +getComputedStyle(c).fontWeight >= 600);
  };
  // The rows with the heads of a table's columns, and those right below them. In a table without header cells the first
  // one, if it is drawn as a head: in `thead`, or bold above a row that is not.
  const headRowsOf = cached((table) => {
    const rows = rowsOf(table);
    const isMarked = (row) => !isNotice(row) && cellsIn(row).some((c) => roleOf(c) === "columnheader");
    const first = rows.findIndex(isMarked);
    if (first >= 0) {
      const end = rows.findIndex((row, i) => i > first && !isHeadRow(row));
      return rows.slice(first, isHeadRow(rows[first]) && end > 0 ? end : first + 1);
    }
    if (table.querySelector("th,[role=columnheader]")) return [];
    const [one, two] = rows;
    return two && (one.closest("thead") ? !two.closest("thead") : isBold(one) && !isBold(two)) ? [one] : [];
  });
  const rowsOf = cached((table) =>
    [...table.querySelectorAll("tr,[role=row]")].filter((row) => row.closest(TABLES) === table));
  // The cell over each column of each row of heads; one that spans rows is in all of them.
  const gridOf = cached((table) => {
    const rows = headRowsOf(table);
    const grid = rows.map(() => []);
    rows.forEach((row, y) => {
      let x = 0;
      for (const cell of cellsIn(row)) {
        while (grid[y][x]) x++;
        const covered = grid.slice(y, y + (cell.rowSpan || 1));
        for (const end = x + spanOf(cell); x < end; x++) for (const line of covered) line[x] = cell;
      }
    });
    return grid;
  });
  // The heads of the column of an element, those of several columns first.
  const headsOf = (e) => {
    const cell = e.closest(CELLS);
    const row = cell?.closest("tr,[role=row]");
    const table = row?.closest(TABLES);
    const rows = table ? headRowsOf(table) : [];
    if (!rows.length || !rows.every((head) => head !== row && isBefore(head, row))) return [];
    const before = cellsIn(row).slice(0, cellsIn(row).indexOf(cell)).reduce((sum, c) => sum + spanOf(c), 0);
    const heads = gridOf(table).map((line) => line[before]).filter(Boolean);
    return [...new Set(rows.flatMap(cellsIn).some(isHead) ? heads.filter(isHead) : heads)];
  };
  const columnOf = (e) => squash(headsOf(e).map(wordsOf).join(" ")).slice(0, 80);
  // Whether a row is none of those that its table lists: heads, a total in the foot, or, alone, the notice that there
  // is none.
  const isNoMember = cached((row) => {
    const table = row.matches("tr,[role=row]") && row.closest(TABLES);
    const isAside = (r) => isHeadRow(r) || !!r.closest("tfoot");
    if (!table || isAside(row)) return !!table;
    const isLone = !rowsOf(table).some((r) => r !== row && isRendered(r) && !isAside(r));
    return isLone && cellsIn(row).length === 1 && (isNotice(row) || gridOf(table)[0]?.length > 1);
  });
  // How many rows or items a list in a part has according to ARIA, and how many it draws, if these are not all.
  const undrawnIn = (where) => {
    const within = (css) => [where, ...where.querySelectorAll(css)].filter((e) => e.matches?.(css) && isRendered(e));
    const rows = within("[aria-rowcount]").map((e) => [+e.ariaRowCount, rowsOf(e).filter(isRendered).length]);
    const sets = Map.groupBy(within("[aria-setsize]").filter((e) => e !== where), up).values();
    return [...rows, ...[...sets].map((items) => [+items[0].ariaSetSize, items.length])]
      .find(([count, drawn]) => count === -1 || count > drawn) ?? [];
  };

  // --- Items -----------------------------------------------------------------------------------

  const areAlike = (one, two) => one.localName === two.localName && (
    ([...one.classList].some((c) => two.classList.contains(c)) && areBuiltAlike(one, two)) ||
    (!one.classList.length && !two.classList.length && one.children.length > 0 &&
      [...one.children].map((c) => c.localName).join() === [...two.children].map((c) => c.localName).join()));
  // Whether an element is a card: a block without a role that has several texts or controls and a sibling of the same
  // structure. A part with hundreds of elements is not a card.
  const isSmall = (e) => e.getElementsByTagName("*").length < 300;
  const NO_CARD = `${SECTION},${CELLS},tbody,thead,tfoot,[role=rowgroup]`;
  const isCard = cached((e) => {
    if (!e.children.length || e.matches(NO_CARD) || !isSmall(e) || isInline(e) || partsOf(e).length < 2) return false;
    return [...up(e)?.children ?? []].slice(0, 30).some((s) => s !== e && isSmall(s) && areAlike(e, s));
  });
  const isItem = cached((e) => e.matches(ITEM) ? !isHeadRow(e) : isCard(e));
  // The item that an element is or stands in, null if there is none.
  const itemOf = cached((e) => !e || isPage(e) ? null : isItem(e) ? e : itemOf(up(e)));
  const itemsOf = (e) => ((item) => item ? [item, ...itemsOf(up(item))] : [])(itemOf(e));
  // The items beside an item, itself included.
  const membersOf = (item) => {
    const table = item.matches("tr,[role=row]") && item.closest(TABLES);
    return (table ? rowsOf(table) : siblingsOf(item)).filter((s) => !isHeadRow(s));
  };

  const TITLES = [["label", ":scope > legend"], ["heading", HEADING],
    ["rowheader", "th, [role=rowheader]"], ["text", "label"], ["link", "a[href]"], ["cell", "td, [role=cell]"],
    ["gridcell", "[role=gridcell]"], ["text", "dt, strong, b, span, p, div"]];
  const lettersIn = cached((e) => e.textContent.replace(/\s+/g, "").length);
  const ownTextOf = (e) => [...e.childNodes].find((c) => c.nodeType === 3 && hasLetter(c.data))?.data;
  const shapeOf = (text) => text.replace(/\d+/g, "#");
  const UNHELD = /^(hidden|submit|button|reset|image|checkbox|radio|file|password)$/;
  // The texts that may name an item, best first: [how, element, text].
  const candidatesIn = cached((item) => {
    if (isRedacted(item)) return [];
    const found = [];
    const add = (how, e, text) => { if (brief(text)) found.push([how, e, brief(text)]); };
    add("label", item, item.getAttribute("aria-label"));
    const isOwn = (c) => !itemOf(up(c)) || holds(itemOf(up(c)), item);
    const isWhole = (c) => c.localName === "label" || textNodesIn(c).every((n) => n.parentNode === c || !n.data.trim());
    for (const [how, css] of TITLES) {
      const isTitle = (c) => isRendered(c) && isOwn(c) && hasLetter(c.textContent) && (how !== "text" || isWhole(c)) &&
        !(/cell$/.test(how) && c.querySelector("button, input, select, a"));
      for (const c of [...item.querySelectorAll(css)].filter(isTitle).slice(0, 20)) {
        // A badge in the title of a card is not part of it, unless only that tells it from others.
        const isBare = (n) => (item.matches(ITEM) || !isBadge(n, c)) && isRendered(n.parentElement);
        for (const text of new Set([writtenIn(c, isBare), textOf(c)].map((t) => brief(t)))) add(how, c, text);
      }
    }
    add("words", item, ownTextOf(item));
    const operated = [...item.querySelectorAll(CELLS)].filter((c) => c.querySelector("button, input, select"));
    operated.forEach((c) => add("words", c, ownTextOf(c)));
    const isHeld = (f) => !UNHELD.test(f.type) && !isPassword(f) && !isRedacted(f) && isRendered(f);
    for (const f of item.querySelectorAll("input, select, textarea")) if (isHeld(f)) add("value", f, f.value);
    return found;
  });
  // In a table without heads a column is known by its number.
  const numberOf = (cell) => cell?.parentElement ? cellsIn(cell.parentElement).indexOf(cell) : "";
  const inColumn = ([, c, text]) => `${columnOf(c) || numberOf(c.closest(CELLS))}: ${text}`;
  const shownBy = cached((item) => new Set(candidatesIn(item).map(inColumn).flatMap((text) => [text, shapeOf(text)])));
  // MUG-1002 and Order 1002 are names; 2 left and 2026-12-03 are none.
  const isName = (text) => /^\D*$|\p{L}[-_]?\d|\d\p{L}|^\D*\p{L}[\s#:]*\d+$/u.test(text);
  // The titles of an item, best first: those that no item beside it has. A date, a price or a count is one only if
  // without its digits no item beside it has it.
  const titlesOf = cached((item) => {
    const others = membersOf(item).slice(0, 31).filter((s) => s !== item).slice(0, 30);
    const isOwn = (text) => !others.some((other) => shownBy(other).has(text));
    const isWeak = ([how, , text]) => /\d/.test(text) && !isName(text) && !/^(label|heading|rowheader)$/.test(how);
    const isTitle = (t) => isOwn(inColumn(t)) && (isName(t[2]) || isOwn(shapeOf(inColumn(t))));
    // A status that only this item has today names none: in its place others have the same.
    const isDistinct = cached((c) => {
      if (c === item) return false;
      const path = [];
      for (let n = c; n && n !== item; n = n.parentElement) path.unshift([...n.parentElement.children].indexOf(n));
      const inPlace = (other) => path.reduce((n, i) => n?.children[i], other);
      const like = [item, ...others.slice(0, 29)].map(inPlace).filter((n) => n?.localName === c.localName);
      return new Set(like.map((n) => brief(textOf(n)))).size === like.length;
    });
    return candidatesIn(item).filter(isTitle)
      .sort((a, b) => isWeak(a) - isWeak(b) || isDistinct(b[1]) - isDistinct(a[1]));
  });
  const titleOf = (item) => {
    if (isRedacted(item)) return REDACTED;
    return titlesOf(item)[0]?.[2] ?? (lettersIn(item) > 300 ? "" : wordsOf(item));
  };
  // All that an item says, by which it is known again whatever names it.
  const textsOf = cached((item) => {
    const own = candidatesIn(item).map(([, , text]) => text);
    const texts = textNodesIn(item).filter((n) => n.data.trim()).map((n) => brief(n.data));
    return [...new Set([...own, ...texts, brief(textOf(item), 200)])].slice(0, 60);
  });
  // What the cells of a row say, by the heads of their columns; a head that several have tells none.
  const cellsOf = cached((row) => {
    const cells = row.matches("tr,[role=row]") ? cellsIn(row) : [];
    const known = [...Map.groupBy(cells, columnOf)].filter(([head, some]) => head && some.length === 1);
    return Object.fromEntries(known.map(([head, [cell]]) => [head, writtenIn(cell)]));
  });

  // --- Parts and sections ----------------------------------------------------------------------

  const BY_ROLE = /^(dialog|nav|main|table|ul|ol|fieldset|article|tr|button|a|figure|output|option)$/;
  const KINDS = { aside: "aside", header: "page header", footer: "page footer", li: "list item", form: "form",
    section: "section", label: "label", dl: "definitions", details: "details", del: "deleted text", s: "deleted text",
    blockquote: "quotation", q: "quotation" };
  // What a user would call an element that others stand in, "" if it is nothing of its own.
  const kindOf = cached((e) => {
    const role = explicitRoleOf(e);
    if (role && !/^(presentation|none|generic|group|text)$/.test(role)) return role;
    if (e.matches("a:not([href]),:is(article,section,main,dialog) :is(header,footer)")) return "";
    if (e.getAttribute("aria-live") && e.getAttribute("aria-live") !== "off") return "live message";
    return (BY_ROLE.test(e.localName) ? nativeRoleOf(e) : KINDS[e.localName]) || (isCard(e) ? "card" : "");
  });
  // The headings of the sections that an element is in, from the inside out: not those of items and parts beside it.
  const headingsOf = cached((e) => {
    if (e.closest("[role=listbox],[role=menu]")) return []; // A list of options may be drawn anywhere.
    const around = up(e)?.closest?.(HEADING);
    let level = around ? levelOf(around) : e.matches(HEADING) ? levelOf(e) : 7;
    const own = itemOf(up(e));
    const heads = (h) => {
      if (!isBefore(h, e) || h.contains(e) || e.contains(h) || levelOf(h) >= level) return false;
      const item = itemOf(h);
      const isBeside = item && item !== h && (item === own || !item.contains(e));
      if (isBeside && (levelOf(h) > 1 || item.matches(ITEM))) return false;
      const part = up(h)?.closest(SECTION);
      return (!part || part.contains(e) || part.matches("header")) && isShown(h);
    };
    const found = headingsIn(top).toReversed().filter((h) => heads(h) && (level = levelOf(h)));
    return around ? [around, ...found] : found;
  });
  const captionOf = (e) => {
    const named = nameOf(e, { content: false });
    const headed = !named && /^(section|article|card|dialog|list item|form|alertdialog|region)$/.test(kindOf(e));
    const heading = headed && [...e.querySelectorAll(HEADING)].find(isShown);
    return isRedacted(e) ? REDACTED : brief(named || (heading ? wordsOf(heading) : ""));
  };
  // What names a text: the term of a definition, or the short text right before it.
  const labelOf = (e) => {
    let before = e.previousElementSibling;
    while (e.localName === "dd" && before?.localName === "dd") before = before.previousElementSibling;
    const OTHERS = `${HEADING},${CELLS},li,button,a,input,select,textarea`;
    if (!before || before.firstElementChild || before.matches(OTHERS)) return "";
    return hasLetter(before.textContent) && squash(before.textContent).length <= 40 ? wordsOf(before) : "";
  };
  const isItemKind = (kind) => /^(row|listitem|list item|card|article|option|treeitem)$/.test(kind);
  // The containers of an element, from the inside out. `briefly` says what its author calls one.
  const containersOf = (e, briefly = () => "") => {
    const found = [];
    const parts = () => found.filter((c) => c.kind === "part").length;
    for (let node = up(e); node && !isPage(node) && found.length - parts() < 7; node = up(node)) {
      // A part without a role is known by what its author calls it.
      const isPart = parts() < 2 && briefly(node) && (testIdOf(node) || (!found.length && idOf(node)));
      const kind = kindOf(node) || (isPart ? "part" : "");
      // A "card" around a card is only a row or column of cards.
      if (!kind || kind === "label" || (kind === "card" && found.some((c) => c.kind === "card"))) continue;
      const name = isItemKind(kind) ? titleOf(node) : /^(link|button)$/.test(kind) ? wordsOf(node) : captionOf(node);
      const author = briefly(node);
      found.push({ kind, name, e: node, ...(author ? { author } : {}) });
    }
    for (const h of headingsOf(e)) {
      const at = found.findIndex((c) => holds(c.e, h));
      const section = { kind: "section", name: wordsOf(h), e: h, under: true };
      if (found[at]?.name !== section.name) found.splice(at < 0 ? found.length : at, 0, section);
    }
    return found;
  };

  // --- Sets ------------------------------------------------------------------------------------

  const LISTS = "ul,ol,menu,dl,table,select,[role=list],[role=table],[role=grid],[role=listbox],[role=tree]," +
    "[role=feed]";
  const LANDMARKS = "nav,aside,header,footer,dialog,[role=navigation],[role=complementary],[role=banner]," +
    "[role=contentinfo],[role=dialog],[role=alertdialog]";
  // What follows such an element is not about what it says: other parts, controls, and messages that come and go.
  const APART = `${LISTS},${LANDMARKS.replace("header,", "")},section,article,form,a[href],button,input,label,` +
    "textarea,[role=button],[role=status],[role=alert],[aria-live],output";
  const SWITCHES = "[aria-pressed],[role=switch],[role=checkbox],input[type=checkbox]";
  const CHOICES = `select,input[type=radio],[role=tab],[role=radio],[aria-current],${SWITCHES}`;
  const STATES = ["aria-pressed", "aria-checked", "aria-selected", "aria-current"];
  const listOf = (e) => up(e)?.closest(LISTS) ?? null;
  // What says in a part that something is still to come, as "Loading…" does, or that it could not come: an error or an
  // alert, but not one that there is nothing.
  const UNREADY = "[role=alert],[role=progressbar],progress,[aria-busy=true],[class*=error i],[class*=loading i]," +
    "[class*=spinner i],[class*=skeleton i]";
  const FAILED = /\b(not|cannot|can't|couldn't|unable|fail\w*|errors?|wrong|offline|connection|server|unavailable)\b/i;
  const saysNone = (text) => /\b(no|none|nothing|empty|0)\b/i.test(text) && !FAILED.test(text);
  const LOADING = /^(loading|please wait)\b.{0,40}$|^.{0,40}(…|\.{3})$/i;
  const unreadyIn = (part) => [part, ...part.querySelectorAll("*")].find((e) => {
    if (!(e.matches(UNREADY) || hasText(e)) || e.closest("a,button,label,[role=button]") || !isShown(e)) return false;
    const text = renderedTextOf(e);
    return e.matches(UNREADY) ? !saysNone(text) : LOADING.test(text);
  });
  // Whether a list or part has no area only because nothing is in it any more: it is neither hidden nor closed, and
  // nothing beside it says that it is not ready, nor does a dialog before it or an alert that something has failed.
  const EMPTY = `${LISTS},div:not([role]),section,main,aside,tbody,[role=region],[role=group],[role=tabpanel]`;
  const isEmptied = cached((e) => {
    const isBare = (c) => SKIPPED.test(c.localName) || (c.matches(EMPTY) && !hasText(c) && !c.shadowRoot);
    if (isVisible(e) || ![e, ...e.querySelectorAll("*")].every(isBare) || !hasPlace(e)) return false;
    const isClosed = idOf(e) && top.querySelector(`[aria-expanded=false][aria-controls~="${CSS.escape(idOf(e))}"]`);
    const around = [e, up(e)].flatMap((n) => [...n?.parentNode?.children ?? []]);
    const isUnready = around.some((s) => !holds(s, e) && unreadyIn(s));
    const isOver = (s) => isShown(s) && !holds(s, e) && (!s.matches("[role=alert]") || FAILED.test(renderedTextOf(s)));
    if ([...top.querySelectorAll("dialog:modal,[aria-modal=true],[role=alert]")].some(isOver)) return false;
    return !isClosed && !isUnready && !closest(e, "[aria-busy=true],[aria-hidden=true]");
  });
  const boxIn = (container, e) => up(e) === container || !up(e) ? e : boxIn(container, up(e));
  // The first or last line that is drawn in a node, not within what is `apart`; "" if there is none.
  const lineIn = (node, apart, isLast) => {
    if (node.nodeType === 3) return hasLetter(node.data) && isVisible(up(node)) ? brief(node.data) : "";
    if (node.nodeType !== 1 || SKIPPED.test(node.localName) || node.matches(apart)) return "";
    const isLine = isRedacted(node) || (hasText(node) && [...node.children].every(isInline));
    if (isLine) return isVisible(node) && hasLetter(wordsOf(node)) ? wordsOf(node) : "";
    for (const c of isLast ? drawnNodes(node).reverse() : drawnNodes(node)) {
      const line = lineIn(c, apart, isLast);
      if (line) return line;
    }
    return "";
  };
  // The title of what begins with an element, and the box that the title is over: the line before it, or the name of a
  // part around it.
  const titleOver = (first) => {
    for (let box = first; box && !isPage(box); box = up(box)) {
      for (let before = box.previousSibling; before; before = before.previousSibling) {
        const line = lineIn(before, APART, true);
        if (line) return [line, box];
      }
      const name = up(box) && !isPage(up(box)) ? nameOf(up(box), { content: false }) : "";
      if (name) return [name, box];
    }
    return ["", first];
  };
  // The text by which a member of a set is known: its first line, as others may change by themselves; for a control
  // that of its item.
  const memberTextOf = (e, item) => {
    const shown = /^(button|link|checkbox|radio|switch)$/.test(roleOf(e)) ? item : e;
    if (isPassword(e) || isRedacted(shown) || holdsRedacted(shown)) return "";
    return isField(shown) ? squash(valueOf(shown)) : lineIn(shown, "button,select,[role=button]") || wordsOf(shown);
  };
  // How an item is built: the tags of the texts and controls in it, below those around them, whatever emphasizes a
  // text. A set has those that all of its items share, by which an advertisement, a total or a notice such as
  // "No hits" is distinguished from them.
  const EMPHASIS = /^(b|strong|i|em|mark|s|u|small)$/;
  const partsOf = cached((item) => {
    const isPart = (c) => c.matches("img,svg,input,select,textarea") || hasText(c);
    const built = (e) => EMPHASIS.test(e.localName) && e !== item ? built(up(e)) : e;
    const around = (e) => e === item || !up(e) || up(e) === item ? "" : `${up(e).localName}>`;
    return [item, ...item.querySelectorAll("*")].filter(isPart).slice(0, 12).map(built)
      .map((c) => `${around(c)}${c.localName}${c.colSpan > 1 ? c.colSpan : ""}`);
  });
  const sharedBy = (one, two) => {
    const left = [...two];
    return one.filter((tag) => left.includes(tag) && left.splice(left.indexOf(tag), 1));
  };
  const haveMost = (one, two) => 2 * sharedBy(one, two).length > Math.max(one.length, two.length);
  const areBuiltAlike = (one, two) => {
    const [a, b] = [partsOf(one), partsOf(two)];
    return a.length > 1 && 2 * sharedBy(a, b).length >= Math.min(a.length, b.length);
  };
  // The items of the members of a set, `alone` for a lone one in none; a member whose item has others is its own.
  const boxesOf = (members, alone) => {
    const around = commonOf(up(members[0]), members);
    const boxes = members.map((m) => m.closest(ITEM) ?? (members.length > 1 ? boxIn(around, m) : alone));
    const counts = Map.groupBy(boxes, (box) => box);
    return boxes.map((box, i) => counts.get(box).length > 1 ? members[i] : box);
  };
  // The members that are built unlike the recorded parts while others are built as those.
  const strangersAmong = (members, parts) => {
    const boxes = boxesOf(members, members[0]);
    const strangers = members.filter((_, i) => 2 * sharedBy(parts, partsOf(boxes[i])).length <= parts.length);
    return parts.length && strangers.length < members.length ? strangers : [];
  };
  // What is chosen in the part of the page around a set, such as a tab or the option of a filter, as
  // "group=choice". `inside` are the boxes of its members.
  const chosenAround = (first, inside) => {
    const area = up(first)?.closest(`${LANDMARKS},main,[role=main]`) ?? top.body;
    const outside = (css) => [...area.querySelectorAll(css)]
      .filter((c) => !inside.some((e) => e.contains(c)) && !isRedacted(c) && isShown(c));
    const text = (words) => squash(words).replace(/[=|]/g, " ").slice(0, 60);
    const choiceOf = (c) => {
      const [role, name] = [roleOf(c), text(nameOf(c))];
      if (c.localName === "select") return [`${text(nameOf(c, { content: false })) || role}=${text(valueOf(c))}`];
      const isOn = c.checked || STATES.some((state) => !/^(|false|mixed)$/.test(c.getAttribute(state) || ""));
      if (c.matches(SWITCHES)) return [`${name || role}=${isOn ? "on" : "off"}`];
      const group = c.closest("[role=tablist],[role=radiogroup],fieldset,nav");
      return isOn ? [`${role} ${group ? text(nameOf(group, { content: false })) : ""}=${name}`] : [];
    };
    const controls = outside(CHOICES);
    const before = controls.filter((c) => isBefore(c, first)).length;
    // In a bar of controls, the one that has more classes than all others.
    const sizeOf = (c) => c.classList.length + (c.closest("li")?.classList.length ?? 0);
    const bars = [...Map.groupBy(outside("a[href],button"), (c) => up(c.closest("li") ?? c)).values()];
    const styled = bars.filter((bar) => bar.length > 1 && bar.length < 12).slice(0, 6).flatMap((bar) => {
      const [one, two, ...others] = bar.toSorted((a, b) => sizeOf(b) - sizeOf(a));
      const isAlone = sizeOf(one) > sizeOf(two) && others.every((c) => sizeOf(c) === sizeOf(two));
      return isAlone ? [`${text(bar.map(nameOf).join(" "))}=${text(nameOf(one))}`] : [];
    });
    return [...controls.slice(Math.max(0, before - 8), before + 4).flatMap(choiceOf), ...styled];
  };
  // What tells a set from another one: its title, which is the name of its list or what it is under; the part of the
  // page; what is chosen in that; and the heads of its table. `one` says that a single list holds all of it; `own` is
  // what its author calls that or the part of it that holds the members; `texts` are those of the members; `parts` how
  // all of them are built.
  const settingOf = (members) => {
    const lists = new Set(members.map(listOf));
    const list = lists.size === 1 ? [...lists][0] : null;
    const around = commonOf(up(members[0]), members);
    const first = list ?? boxIn(around, members[0]);
    const [title, box] = titleOver(first);
    const boxes = boxesOf(members, list ? members[0] : box);
    const landmark = up(first)?.closest(LANDMARKS);
    const own = list && [around, list].flatMap((e) => [idOf(e), testIdOf(e)]).find((name) => name && !/\d/.test(name));
    const heads = list?.matches(TABLES) && headRowsOf(list)[0];
    return {
      one: !!list,
      own: own || "",
      title: (list && nameOf(list, { content: false })) || title,
      part: landmark ? roleOf(landmark) : "",
      chosen: chosenAround(first, list ? [list] : members.map((m) => boxIn(up(first), m))),
      parts: boxes.map(partsOf).reduce(sharedBy),
      heads: heads ? [...heads.children].map((h) => wordsOf(h).slice(0, 40)).filter(Boolean) : [],
      texts: members.map((m, i) => memberTextOf(m, boxes[i])),
    };
  };

  const letters = (text) => text.replace(/\s+/g, "").toLowerCase();
  const quoted = (words) => words ? JSON.stringify(words) : "nothing";
  const folded = (text) => letters(text).replace(/\d+/g, "0");
  // A choice of a group that is no longer chosen while another one is; undefined if there is none.
  const changedChoice = (recorded, now) => {
    const groupOf = (choice) => folded(choice.split("=")[0]);
    // The number of a page is the choice; that of "Open (3)" changes.
    const isSame = (one, two) => one === two || (hasLetter(one.split("=")[1]) && folded(one) === folded(two));
    return recorded.find((c) => !now.some((d) => isSame(d, c)) && now.some((d) => groupOf(d) === groupOf(c)));
  };
  // How the setting of a set differs from a recorded one; "" if a user would call it the same set. It has
  // the same title in the same part of the page, the same choices and column heads, whatever its members
  // are, or else most of its members.
  const differsFrom = (recorded, { title, part, own, heads, texts, chosen, parts }) => {
    const isSame = (one, two) => folded(one) === folded(two);
    const none = "and most of the recorded members are not in it";
    const missing = heads.length ? recorded.heads.filter((h) => !heads.some((head) => isSame(head, h))) : [];
    if (2 * missing.length > recorded.heads.length) {
      return `its columns are now ${heads.join(", ")}, no longer ${recorded.heads.join(", ")}`;
    }
    const isOther = title && recorded.others.some((other) => isSame(other, title));
    if (isOther) return `it is now under ${quoted(title)}, as another set was`;
    // A list of suggestions may have one of the members, too.
    const now = new Set(texts.map(letters));
    if (2 * recorded.texts.filter((text) => now.has(letters(text))).length > recorded.texts.length) return "";
    if (missing.length) return `it has no column ${quoted(missing[0])} anymore, ${none}`;
    const other = changedChoice(recorded.chosen, chosen);
    if (other) return `${quoted(other)} is no longer chosen on the page, ${none}`;
    // Where its parts do not tell a lone member from a notice, its text must be that of then.
    const [[text], [shown]] = [recorded.texts, texts];
    const isLone = recorded.texts.length === 1 && texts.length === 1 && !isSame(text, shown);
    if (isLone && !(parts.length > 1 && haveMost(recorded.parts, parts))) {
      return `its only member is now ${quoted(shown)}, no longer ${quoted(text)}`;
    }
    return movedFrom(recorded, { title, part, own }, none);
  };
  // What else a set is under, or where, than a recorded one; "" if nothing. `none` says that its members are others.
  const movedFrom = (recorded, { title, part, own }, none) => {
    const was = recorded.title;
    if (was === null && (recorded.own ? recorded.own === own : !recorded.texts.length)) return "";
    if (was === null) return `nothing but its position tells it from other sets, ${none}`;
    const isMoved = folded(was) !== folded(title);
    if (isMoved) return `it is now under ${quoted(title)}, no longer under ${quoted(was)}, ${none}`;
    const where = (role) => role || "the main part";
    return recorded.part === part ? "" : `it is now in ${where(part)}, no longer in ${where(recorded.part)}, ${none}`;
  };

  return { ITEM, isBadge, isNotice, isHeadRow, isNoMember, undrawnIn, headsOf, columnOf, isCard, isSmall, isItem,
    itemOf, itemsOf, membersOf, titlesOf, titleOf, textsOf, cellsOf, kindOf, headingsOf, labelOf, containersOf, wordsOf,
    unreadyIn, isEmptied, LANDMARKS, LISTS, CELLS, lettersIn, partsOf, haveMost, listOf, settingOf, strangersAmong,
    differsFrom };
}
