// A selector engine that observes a document and finds its elements again. It keeps a number for each
// DOM node, by which the element is found for as long as it exists. It runs in Playwright's isolated
// world, where the page's own scripts can neither see nor change it, and writes nothing into the document.
//
//   webtask=node:<document>:<n>[,<n>...]   the living, connected nodes of those numbers
//   webtask=ask:<request>.<way>            nothing; see the verb `asked`
//   webtask=call:<base64 of JSON>          runs a function below; its answer is the text of a
//                                          detached element, which is what the selector matches
(globalThis.__webtask_engine = {
  // The verbs for a document, for the other engines; their functions remember what they have once found.
  of(root) { return this.verbs(globalThis.__webtask_dom(root, globalThis.__webtask ??= {}), root); },
  queryAll(root, body) {
    // These two come for each locator and each element that it finds, so they do without the library.
    const shared = globalThis.__webtask ??= {};
    if (body.startsWith("node:")) {
      const [document, numbers] = body.slice(5).split(":");
      if (document !== shared.document) return [];
      return numbers.split(",").map((n) => shared.nodes.get(+n)?.deref()).filter((e) => e?.isConnected);
    }

    // Keeps the element in mind as one that the `way` of a request finds; the verb `asked` tells them.
    if (body.startsWith("ask:")) {
      const [request, way] = body.slice(4).split(".");
      if (shared.asked?.request !== request) shared.asked = { request, ways: new Map() };
      (shared.asked.ways.get(way) ?? shared.asked.ways.set(way, new Set()).get(way)).add(root);
      return [];
    }

    const dom = globalThis.__webtask_dom(root, shared);
    return dom.reply(body, this.verbs(dom, root));
  },
  verbs(map, root) {
    const { top, state, watch, countPresses, sinceAdded, askedIn, rootsIn, everywhere, hitAt, textNodesIn, writtenIn,
      hasText, isField, isTextVisible, showsNothing, idOf, testIdOf, isPassword, levelOf, headingsIn, isPage, REDACTED,
      SKIPPED, numberOf, nodeOf, cached, squash, withoutGlyphs, up, flat: flatUp, redact, isRedacted, anyRedacted,
      holdsRedacted, isRendered, isRenderedIn, isVisible, isShown, isInReach, isDeaf, drawnPartOf, standInOf, holds,
      lettered, iconIn, TEST_IDS, letterBox, LANDMARKS, settingOf, explicitRoleOf, nativeRoleOf, roleOf, textOf,
      contentOf, ownValueOf, isSlider, renderedTextOf, looksActive, isInline, lettersIn, nameOf: fullNameOf } = map;

    watch();
    const itemAround = (e) => map.itemOf(controlOf(e) ? up(e) : e);
    const namesIn = (item) => map.titlesOf(item).map(([, , text]) => hashOf(text.replace(/\s*\(\d+\+?\)$/, "")));

    const isBox = (e) => e?.localName === "input" && /^(checkbox|radio)$/.test(e.type);
    const boxOf = (e) => [e, e.localName === "label" ? e.control : null].find(isBox);
    const centerOf = (b) => [b.left + b.width / 2, b.top + b.height / 2];
    // Whether a click on an element is one on a box, by a part drawn for it: not on a link in its label.
    const isOther = (hit, box) => {
      const control = hit.closest("a,button,input,select,textarea,[role=button],[role=link]");
      return !!control && !holds(control, box);
    };
    const takes = (part, box, hit) => !!hit && holds(part, hit) && !isOther(hit, box);
    // Where a user clicks a box, as [part, point]: on the box itself, whatever is drawn there for it, or
    // else on its label. Where it is covered by something else, the click has to fail there.
    const pressOf = (box) => {
      const own = [drawnPartOf(box), ...box.labels].filter((part) => part && isVisible(part) && !isOther(part, box));
      const isClicked = isVisible(box, { transparent: true }) && getComputedStyle(box).pointerEvents !== "none";
      const parts = isClicked ? [box, ...own] : own;
      for (const part of parts) {
        if (!isInView(part)) part.scrollIntoView({ block: "center", inline: "nearest", behavior: "instant" });
        const b = part.getBoundingClientRect();
        // A link or another control may be in the middle of a label.
        for (const x of part === box ? [0.5] : [0.5, 0.05, 0.15, 0.3, 0.7, 0.85, 0.95]) {
          const point = [b.left + b.width * x, b.top + b.height / 2];
          const hit = hitAt(point);
          const taken = parts.find((each) => takes(each, box, hit));
          if (taken) return [taken, point];
          const there = isVisible(box) ? box : top.elementsFromPoint(...point).find((each) => own.includes(each));
          if (part === box && there && !(hit && holds(hit, box))) return [there, point];
        }
      }
      const part = parts.find((each) => isVisible(each)) ?? box;
      return [part, centerOf(part.getBoundingClientRect())];
    };

    // Shortens long texts.
    let cut = (text, length) => text.slice(0, length);
    const hide = (hidden) => {
      redact(hidden);
      // A secret that is cut in two would not be recognized.
      if (hidden.whole) cut = (text) => text.slice(0, 20000);
    };
    const LIVE = "[role=alert],[role=status],[aria-live],output";
    // The open dialog that keeps users from all else, null if there is none.
    const modalIn = () => [...top.querySelectorAll("dialog:modal, [aria-modal=true]")].findLast((e) => isVisible(e));
    // The modal dialog, and parts beside it or around it that are drawn over the page with it: messages,
    // and lists or calendars that it opens.
    const frontOf = (modal) => {
      const parts = [modal];
      const isInFront = (e) => isInView(e) && holds(e, hitAt(centerOf(e.getBoundingClientRect())));
      for (let n = modal; n && n !== top.body; n = up(n)) {
        const beside = [...n.parentNode?.children ?? []].filter((s) => s !== n && !SKIPPED.test(s.localName));
        parts.push(...beside.flatMap((s) => isInFront(s) || s.matches(LIVE) ? [s] : [...s.querySelectorAll(LIVE)]));
      }
      return parts;
    };
    // What keeps a user from pointing at an element, as something that covers its center; "" if nothing does.
    const barrierOf = (e) => {
      if (e.matches(":focus, [type=file]")) return "";
      if (!isInReach(e)) return isRendered(e) ? "cut off, or off the page" : "";
      if (isDeaf(e)) return controlOf(e) ? "without `pointer-events`" : "";
      const part = isVisible(e, { transparent: true }) ? e : standInOf(e) ?? e;
      const hit = hitAt(centerOf(part.getBoundingClientRect()));
      const isOwn = [e, standInOf(e), ...(e.labels ?? [])].some((each) => each && holds(each, hit, flatUp));
      return !hit || isOwn || holds(hit, e, flatUp) ? "" : "covered";
    };

    // Visits every element in document order, open shadow roots after their hosts.
    const each = (visit) => {
      const inside = (node, parent) => {
        for (let e = node.firstElementChild; e; e = e.nextElementSibling) {
          const mine = visit(e, parent);
          if (e.shadowRoot) inside(e.shadowRoot, mine);
          if (e.firstElementChild) inside(e, mine);
        }
      };
      inside(top, -1);
    };

    const ROLES = new Set(["button", "link", "checkbox", "radio", "switch", "tab", "menuitem",
      "menuitemcheckbox", "menuitemradio", "option", "slider", "spinbutton", "combobox",
      "searchbox", "textbox", "treeitem", "scrollbar"]);

    // The role of a control, or the tag of an HTML control without an ARIA role; "" for other elements.
    const controlOf = (e) => {
      const explicit = explicitRoleOf(e);
      if (ROLES.has(explicit)) return explicit;
      const tag = e.localName;
      if (tag === "input" && /^(file|color)$/.test(e.type)) return e.type;
      const native = /^(input|a|area|button|select|textarea)$/.test(tag) && nativeRoleOf(e);
      if (native) return native;
      if (/^(summary|canvas)$/.test(tag) || (/^(video|audio)$/.test(tag) && e.hasAttribute("controls"))) return tag;
      return e.matches("[contenteditable]:not([contenteditable=false])") ? "textbox" : "";
    };
    const nameOf = (e) => cut(fullNameOf(e), 120);
    const stateOf = (e, tag) => {
      const flags = [];
      const is = (name) => e.getAttribute(name);
      const has = (name) => is(name) && is(name) !== "false";
      if (e.required || is("aria-required") === "true") flags.push("required");
      if (has("aria-invalid") || e.matches(":user-invalid")) flags.push("invalid");
      if (e.readOnly && tag !== "select") flags.push("readonly");
      if (is("aria-expanded") === "false") flags.push("collapsed");
      if (tag === "summary") flags.push(e.parentElement?.open ? "expanded" : "collapsed");
      if (e.draggable && tag !== "a" && tag !== "img") flags.push("draggable");
      if (/^(number|range|date|time|month|week|datetime-local)$/.test(e.type) && (e.min || e.max)) {
        flags.push([e.min && `from ${e.min}`, e.max && `to ${e.max}`].filter(Boolean).join(" "));
      }
      if (has("aria-current")) flags.push("current");
      if (looksActive(e)) flags.push("looks active");
      if (has("aria-haspopup")) flags.push("has popup");
      return flags;
    };

    // What a text field asks for: its type, and the pattern of its letters.
    const formatOf = (e) => {
      if (!/^(input|textarea)$/.test(e.localName) || e.readOnly || e.disabled || isRedacted(e)) return {};
      const type = /^(email|tel|url|date|time|month|week|datetime-local)$/.test(e.type) ? e.type : "";
      return { format: type && `type ${type}`, pattern: cut(squash(e.pattern), 60) };
    };

    // Whether a reader sees no gap between two texts: neither a blank nor the edge of a box. The cents of a price
    // or an exponent, set higher or lower, stay apart from the number before.
    const areGlued = (before, behind) => {
      if (!before || !behind || /\s$/.test(before.data) || /^\s/.test(behind.data)) return false;
      const [a, b] = [letterBox(before, before.length - 1), letterBox(behind, 0)];
      const isLevel = Math.abs(b.bottom - a.bottom) < 1 + 0.3 * Math.abs(b.height - a.height);
      return isLevel && Math.abs(b.left - a.right) < 1;
    };
    const blockOf = (e) => isInline(e) && up(e) ? blockOf(up(e)) : e;
    const isLaidOut = (n) => n.length > 0 && n.parentElement.checkVisibility();
    const textsOfBlock = cached((block) => textNodesIn(block).filter(isLaidOut));
    // Whether the text of an element is glued to the one before it in its block, and to the one behind it.
    const gluedSidesOf = (e) => {
      if (/^su[bp]$/.test(e.localName)) return [];
      const texts = textsOfBlock(blockOf(e));
      const [first, last] = [texts.findIndex((n) => e.contains(n)), texts.findLastIndex((n) => e.contains(n))];
      return first < 0 ? [] : [areGlued(texts[first - 1], texts[first]), areGlued(texts[last], texts[last + 1])];
    };

    // The texts directly in an element, which the snapshot joins, split into parts: lines, and elements
    // that are set apart. `leaves` are elements that the snapshot lacks. Texts of one part are left out. It
    // walks the document, not what is drawn, because it has to find the texts of the snapshot again.
    const partsIn = (whole, leaves) => {
      const runs = [[]];
      const inside = (node) => {
        for (const c of node.childNodes) {
          if (c.nodeType === 3) runs.at(-1).push({ text: c.data.replaceAll("\0", "") });
          if (c.nodeType !== 1 || SKIPPED.test(c.localName)) continue;
          if (c.localName === "br") runs.at(-1).push({ text: "\0" });
          else if (c._ariaRef || c.shadowRoot) runs.push([]);
          else if (getComputedStyle(c).display === "none") continue;
          else if (leaves.has(c)) runs.at(-1).push({ text: c.textContent.replaceAll("\0", ""), leaf: c });
          else inside(c);
        }
      };
      inside(whole);
      // Code with syntax colors is one text.
      const isCode = whole.nodeType === 1 &&
        (/^(pre|break-spaces)/.test(getComputedStyle(whole).whiteSpace) || !!whole.closest("code"));
      const found = runs.map((run) => {
        const parts = [];
        run.forEach(({ text, leaf }, i) => {
          const apart = leaf && !isCode && isApart(run, i);
          if (!apart && parts.length && !parts.at(-1).leaf) parts.at(-1).text += text;
          else parts.push({ text, leaf: apart ? leaf : null });
        });
        return parts.filter((part) => squash(part.text.replaceAll("\0", " "))).map(partIn);
      });
      return found.filter((parts) => parts.some(([lines, leaf]) => leaf || lines.includes("\n")));
    };
    const roundedBox = ({ x, y, width, height }) => [x, y, width, height].map(Math.round);
    const partIn = ({ text, leaf }) => {
      const lines = text.split("\0").map(squash).filter(Boolean).join("\n");
      return leaf ? [lines, ["", numberOf(leaf), ...roundedBox(leaf.getBoundingClientRect()), -1]] : [lines];
    };
    // Whether an element is a text of its own in a run: no letter of a word, nor a colored word in a sentence.
    const isApart = (run, i) => {
      const { text, leaf } = run[i];
      if (!squash(text) || isRedacted(leaf) || gluedSidesOf(leaf).includes(true)) return false;
      const flows = run.some((part) => !part.leaf && /[\p{L}\p{N}]/u.test(part.text));
      const short = run.filter((part) => squash(part.text)).length <= 3;
      return !flows || (short && (leaf.classList.length > 0 || !!idOf(leaf)));
    };
    // Whether an element, or a wrapper around it without other text, is a card.
    const isRepeated = (e) => map.isCard(e) ||
      (!!up(e) && !isPage(up(e)) && lettersIn(up(e)) === lettersIn(e) && isRepeated(up(e)));
    const brief = (text) => cut(squash(text), 80);
    const hashOf = (text, start = 7) =>
      [...text].reduce((hash, c) => (Math.imul(hash, 31) + c.codePointAt(0)) >>> 0, start);
    const hasContentName = (e) => !!nameOf(e) && nameOf(e) === cut(squash(contentOf(e)), 120) &&
      !fullNameOf(e, { content: false });
    const kindOf = (e) => explicitRoleOf(e) || controlOf(e) || nativeRoleOf(e);
    // All texts of an element, to recognize them in the names of other elements.
    const textsOf = (e) => {
      const attributes = ["aria-label", "title", "placeholder", "alt"].map((name) => e.getAttribute(name));
      const own = [...e.childNodes].filter((c) => c.nodeType === 3).map((c) => squash(c.data));
      const texts = [squash(e.textContent), typeof e.value === "string" ? e.value : "", ...attributes, ...own];
      return [...new Set(texts.filter(Boolean))];
    };
    // A wrapper around one text is as good as the text: they come and go.
    const isPlain = (e) => /^(|generic|none|presentation|paragraph|strong|emphasis|mark|text|time)$/.test(kindOf(e));
    const unwrapped = (e) => innerOf(e, isPlain);
    // The innermost element that has all the text of one, through those that pass a test.
    const innerOf = (e, passes = () => true) => {
      const inner = e.children.length === 1 && [e, e.firstElementChild].every(passes) ? e.firstElementChild : null;
      return inner && squash(inner.textContent) === squash(e.textContent) ? innerOf(inner, passes) : e;
    };

    // Whether an element is an item of several texts itself, as a row or a card that is a link: its titles name it.
    const isTitled = cached((e) => (!!controlOf(e) || map.isItem(e)) && map.titlesOf(e).length > 0 &&
      hasContentName(e) && textNodesIn(e).filter((n) => /[\p{L}\p{N}]/u.test(n.data)).length > 1);
    // The items that an element is in, from the inside out: each with its titles and all that it says. What is the
    // title of an item is `own`, and names it only for others.
    const itemsFor = (e) => {
      const around = map.itemsOf(up(e)).slice(0, 3);
      const own = isTitled(e) ? [e] : [];
      return [...own, ...around].map((item) => {
        const titles = map.titlesOf(item);
        const isOwn = (c) => item !== e && c !== item && (c === e || (c.contains(e) && !c.matches("td,th,label")));
        const rest = holdsRedacted(item) ? "" : cut(writtenIn(item, (n) => !e.contains(n)), 200);
        const named = titles.map(([how, c, text]) => [how, text, map.columnOf(c), isOwn(c)]);
        return {
          kind: roleOf(item), itself: item === e,
          titles: titles.length || !rest ? named : [["whole", rest, "", false]],
          // An item around another one is known by its titles: it says all that is in it.
          says: item === e || item === around[0] ? [...map.textsOf(item), rest] : titles.map(([, , text]) => text),
          cells: map.cellsOf(item),
        };
      });
    };
    // All that the largest part around a control says that has no second such control.
    const partOf = (e) => {
      const role = e.hasAttribute("role") ? `[role="${e.getAttribute("role")}"]` : e.localName;
      const like = e.localName === "input" ? `input[type="${e.type}"]` : role;
      const isOnly = (n) => n && n !== top.body && n.querySelectorAll(like).length < 2;
      let part = null;
      for (let n = controlOf(e) && e.parentElement; isOnly(n); n = n.parentElement) part = n;
      return part ? map.textsOf(part) : [];
    };
    const placeIn = (e) => {
      const isItem = e.matches("[role=menuitem], [role=tab], option, [role=option], [role=treeitem]") ||
        (!controlOf(e) && map.isItem(e));
      const item = isItem ? e : map.itemOf(up(e));
      const members = item ? map.membersOf(item).filter(isRendered) : [];
      return members.includes(item) ? `${members.indexOf(item) + 1} of ${members.length}` : "";
    };
    const landmarkOf = (e) => e.parentElement?.closest(`main,[role=main],${LANDMARKS}`) ?? null;
    // The only heading of the highest level in a part of the page but for parts in it, null if there are several.
    const topOf = (part) => {
      const own = headingsIn(part).filter((h) => landmarkOf(h) === (part === top ? null : part));
      const headings = own.filter((h) => levelOf(h) === Math.min(...own.map(levelOf)));
      return headings.length === 1 ? headings[0] : null;
    };
    // What is drawn in a control without a name, such as an icon, in short.
    const drawingOf = (e) => {
      if (!controlOf(e) || nameOf(e) || /^(input|select|textarea)$/.test(e.localName)) return "";
      const ends = (address) => (address || "").split("/").at(-1).replace(/[.-][0-9a-f]{6,}/gi, "");
      const glyphOf = (c, which) => (/^".+"/.exec(getComputedStyle(c, which).content) || [""])[0];
      const shapeOf = (c) => [c.getAttribute("d"), c.getAttribute("points"),
        ends(c.getAttribute("href") || c.getAttribute("xlink:href") || c.getAttribute("src")),
        glyphOf(c, "::before"), glyphOf(c, "::after")].join("");
      const parts = [e, ...e.querySelectorAll("*")].slice(0, 30).map(shapeOf);
      const all = parts.slice(e.localName === "a" ? 1 : 0).join("");
      return all && hashOf(all).toString(36);
    };
    const radiosOf = (e) => [...(e.form ?? e.getRootNode()).querySelectorAll("input[type=radio]")]
      .filter((r) => r.name === e.name);
    // What tells an element from its likes: what its author calls it, where a link leads, its icon, its group and part.
    const marksOf = (e) => {
      const landmark = landmarkOf(e);
      const href = e.getAttribute("href") ?? "";
      const address = href.startsWith(location.origin) ? href.slice(location.origin.length) : href;
      const attributes = ["id", "name", "role", ...TEST_IDS].map((a) => [a, cut(e.getAttribute(a) ?? "", 120)]);
      const marks = {
        ...Object.fromEntries(attributes),
        // The query or fragment may hold a token.
        href: cut(address.split(/[?#]/)[0], 120),
        icon: drawingOf(e),
        group: e.type === "radio" ? settingOf(radiosOf(e)).title : "",
        frame: self === self.top ? "" : location.pathname.replace(/\d+/g, "0"),
        in: landmark ? landmark.getAttribute("role") || landmark.localName : "",
        // The top heading is recognized by its level, or as the top one if its level changes.
        rank: kindOf(e) === "heading" ? `${topOf(landmark || top) === e ? "top " : ""}${levelOf(e)}` : "",
      };
      return Object.fromEntries(Object.entries(marks).filter(([, text]) => text));
    };
    // Input and button elements count as the same tag, because authors use either for a button.
    const tagOf = (e) => {
      if (e.localName === "input" && /^(submit|button|reset|image)$/.test(e.type)) return "button";
      return kindOf(e) === "heading" ? "h" : e.localName;
    };
    // What else than its name would name an element.
    const namesOf = (e) => {
      const attributes = ["placeholder", "title", "alt"].map((a) => e.getAttribute(a) || "");
      const unbadged = writtenIn(e, (n) => !map.isBadge(n, e));
      const names = [textOf(e), unbadged, ...attributes, ...[...e.labels || []].map(textOf)];
      return isRedacted(e) ? [] : names.map(brief).filter(Boolean);
    };
    // The short text before an element, or before what holds nothing else.
    const textBefore = (e) => {
      let first = e;
      while (!first.previousElementSibling && first.parentElement?.children.length === 1) first = first.parentElement;
      const before = first.previousElementSibling || first.parentElement?.previousElementSibling;
      return [before ? squash(textOf(before)) : ""].filter((text) => text && text.length <= 60);
    };
    const identityOf = (e) => {
      const items = itemsFor(e);
      // Of a dialog all that it says.
      const saidBy = (kind, c) => /dialog$/.test(kind) && !isRedacted(c) ? cut(squash(textOf(c)), 500) : "";
      return {
        document: state.document, number: numberOf(e),
        tag: tagOf(e),
        type: e.type && /^(input|button)$/.test(e.localName) ? e.type : "",
        role: kindOf(e),
        name: nameOf(e),
        names: namesOf(e),
        items,
        around: items.length ? [] : partOf(e),
        containers: map.containersOf(e).map(({ kind, name, e: c }) => [kind, name, saidBy(kind, c)]),
        column: map.columnOf(e),
        label: controlOf(e) ? "" : map.labelOf(e),
        place: placeIn(e),
        // Where a link leads: two to the same address are one choice.
        leads: e.matches("a[href]") ? `${hashOf(e.href)}` : "",
        near: textBefore(e),
        marks: marksOf(e),
      };
    };
    // Whether the scripts of the document have run: until then nothing answers.
    const isLoaded = () => top.readyState === "complete" ||
      !!performance.getEntriesByType("navigation")[0]?.domContentLoadedEventEnd;

    // Its place as a selector, from the nearest element that has an id of its own; "" in a shadow root.
    const pathOf = (e) => {
      if (e.getRootNode() !== top) return "";
      const steps = [];
      const isOnly = (id) => id && !/\d{3,}|[:.]/.test(id) && top.querySelectorAll(`#${CSS.escape(id)}`).length === 1;
      for (let n = e; n && n !== top.body; n = n.parentElement) {
        if (isOnly(idOf(n))) return [`#${CSS.escape(idOf(n))}`, ...steps].join(" > ");
        const same = map.siblingsOf(n);
        steps.unshift(same.length > 1 ? `${n.localName}:nth-of-type(${same.indexOf(n) + 1})` : n.localName);
      }
      return ["body", ...steps].join(" > ");
    };
    const CELL = "td, [role=cell], [role=gridcell]";
    // What locators are made of besides its identity.
    const wayTo = (e) => ({
      path: pathOf(e), element: e.localName, control: !!controlOf(e),
      inner: numberOf(innerOf(e)), unwrapped: numberOf(unwrapped(e)),
      holds: !!e.querySelector(`${map.ITEM},fieldset,[role=group]`),
      // Whether its name is what it says, and changes with it.
      content: hasContentName(e),
      classes: map.classesOf(e).filter((c) => /^[A-Za-z][\w-]*$/.test(c)).slice(0, 4),
      // The index of the cell in its row.
      cell: e.matches(CELL) ? [...e.parentElement.children].filter((c) => c.matches(CELL)).indexOf(e) : -1,
      // A text before the element that may be its label.
      before: map.labelOf(e), beforeTag: e.previousElementSibling?.localName || "",
    });

    // An option: its label, and that of its group.
    const optionOf = (o) => [o.label.trim(), o.closest("optgroup")?.label.trim() ?? ""];
    // The element that an action on this one sets: the control of a label.
    const effectOn = (e) => (e.localName === "label" && e.control) || e;
    // Boxes that pass the focus on hold one text together.
    const spreadOf = (e) => {
      const full = (f) => f.value.length === (f.maxLength > 0 ? f.maxLength : 1);
      if (e.localName !== "input") return heldBy(e);
      if (!full(e)) return e.value;
      const isLike = (f) => f.type === e.type && f.maxLength === e.maxLength;
      const fields = [...(e.form ?? e.getRootNode()).querySelectorAll("input")].filter(isLike);
      const rest = fields.slice(fields.indexOf(e) + 1);
      const end = rest.findIndex((f) => !full(f));
      return [e, ...(end < 0 ? rest : rest.slice(0, end + 1))].map((f) => f.value).join("");
    };
    // What an element holds that an action can set: its text, options, files or state; null if it is none of these.
    const heldBy = (e) => {
      if (e.isContentEditable) return e.innerText;
      if (e.localName === "select") return [...e.selectedOptions].map(optionOf);
      if (isBox(e)) return e.checked;
      if (e.type === "file") return [...e.files].map((f) => f.name);
      if (isField(e)) return e.value;
      if (e.hasAttribute("aria-checked")) return e.getAttribute("aria-checked") === "true";
      return explicitRoleOf(e) === "combobox" ? renderedTextOf(e) : ownValueOf(e);
    };
    // Where an element is, as an action that drags it changes it.
    const spotOf = (e) => {
      const siblings = [...e.parentElement?.children ?? []];
      return [numberOf(e.parentElement ?? e), siblings.indexOf(e), e.getAttribute("style") ?? ""];
    };
    const READERS = { held: heldBy, spread: spreadOf, place: spotOf };
    // Notes what the kept elements hold until a click or key, from which on they hold what that has made of them, as
    // of a form that was sent. What comes of a field that was only left is noted, as the focus goes before the click.
    const noteHeld = (event) => {
      const path = event.composedPath().filter((n) => n.nodeType === 1);
      const key = event.type === "keydown" && !event.ctrlKey && !event.metaKey ? event.key : "";
      const isBoxed = (n) => !!boxOf(n) || n.matches("[role=checkbox],[role=radio],[role=switch]");
      // Keys of a text, and clicks on boxes, are actions on other elements.
      if (key.length === 1 || (/^(pointerdown|click)$/.test(event.type) && path.some(isBoxed))) return;
      if (event.type === "drop") state.drops = (state.drops ?? 0) + 1;
      const isDown = event.type === "pointerdown";
      for (const kept of state.kept.values()) {
        const e = nodeOf(kept.number);
        if (kept.ended || !e?.isConnected) continue;
        const now = READERS[kept.as](e);
        // A suggestion may be taken as soon as the mouse is down, before the field is left.
        kept.ended = kept.down !== undefined && kept.down !== JSON.stringify(now);
        if (kept.ended) continue;
        kept.seen.push(now);
        kept.down = isDown ? JSON.stringify(now) : undefined;
        kept.ended = !isDown && !/^(blur|change)$/.test(event.type) && key !== "Tab";
      }
    };
    // Keeps an eye on what the element holds after an action on it, and returns that. A radio button shares its
    // `group` with others.
    const keep = (node, as) => {
      const e = as === "place" ? node : effectOn(node);
      if (!state.kept) {
        state.kept = new Map();
        for (const type of ["pointerdown", "click", "keydown", "drop", "change", "blur"]) {
          top.defaultView?.addEventListener(type, noteHeld, { capture: true, passive: true });
        }
      }
      const number = numberOf(e);
      const held = READERS[as](e);
      const ariaGroup = e.getAttribute("role") === "radio" ? e.closest("[role=radiogroup]") : null;
      const group = e.type === "radio" && e.name ? radiosOf(e)[0] : ariaGroup;
      state.kept.set(number, { number, as, seen: [held] });
      return { document: state.document, number, group: group ? numberOf(group) : null, held, password: isPassword(e),
        form: e.isContentEditable ? "rich" : (e.type === "number" && "number") || "" };
    };
    // What the kept elements have held until a click or key, by number, and hold now.
    const keptIn = () => [...state.kept?.values() ?? []].filter(({ number }) => nodeOf(number)?.isConnected)
      .map(({ number, as, seen, ended }) => {
        const now = READERS[as](nodeOf(number));
        return { number, now, seen: ended ? seen : [...seen, now] };
      });
    // The type of an input; whether an element is a slider, or a combobox of its own kind;
    // `options` of a native select, null for other elements; `ready` for a visible, empty
    // and editable field, as clearing one takes as long as typing ten letters; for a box whether it is checked,
    // and whether a click in the middle is one on it.
    const fieldOf = (e) => {
      const box = boxOf(e);
      const isHit = () => takes(e, box, hitAt(centerOf(e.getBoundingClientRect())));
      const isSelect = e.localName === "select";
      return {
        document: state.document,
        number: numberOf(e),
        type: e.localName === "input" ? e.type : "",
        ready: /^(input|textarea)$/.test(e.localName) && e.value === "" && !e.readOnly && !e.matches(":disabled") &&
          e.getAttribute("aria-disabled") !== "true" && isRendered(e),
        checked: isBox(e) ? e.checked : null,
        slides: isSlider(e),
        chooses: !isSelect && roleOf(e) === "combobox",
        options: isSelect ? [!!e.multiple, [...e.options].map(optionOf)] : null,
        plain: !box || ((e === box || !drawnPartOf(box)) && isHit()),
        barrier: !box && (isField(e) || e.isContentEditable) ? barrierOf(e) : barrierOf(e).replace("covered", ""),
      };
    };

    // It keeps an eye on the only element that the ways in `keeps` find.
    const askedOf = ({ request, ways, keeps = [] }, describe) => {
      const [asked, once] = [askedIn(request), cached(describe)];
      const answers = Array.from({ length: ways }, (_, way) => {
        const nodes = asked(way);
        return { count: nodes.length, elements: [...new Set(nodes.slice(0, 30).map(unwrapped))].map(once) };
      });
      const only = new Set(keeps.flatMap((way) => answers[way].elements));
      if (only.size === 1) for (const found of only) found.kept = keep(nodeOf(found.number), "held");
      return answers;
    };

    // What the documents in frames answer, null where one cannot be asked from here.
    const framesOf = (about) => {
      const answers = everywhere("iframe, frame").map((e) => {
        try {
          const asked = { before: about?.before ?? {}, signs: Infinity };
          const { frames, ...own } = e.contentWindow.__webtask_engine.of(e.contentDocument).activity(asked);
          return frames && [own, ...frames];
        } catch { return null; }
      });
      return answers.includes(null) ? null : answers.flat();
    };

    const described = (e) => ({ ...identityOf(e), field: fieldOf(e), added: sinceAdded(e) });

    // Takes the kind and state from the rows of elements that are no controls themselves. `elements` are the operable
    // ones by the index of their row.
    const keepControls = (rows, elements) => {
      // A container of operable elements that has a listener is a delegate, not a control.
      const inside = new Map();
      const only = new Map();
      for (const at of elements.keys()) {
        if (rows[at][7].weak) continue;
        for (let outer = rows[at][6]; outer >= 0; outer = rows[outer][6]) {
          inside.set(outer, (inside.get(outer) || 0) + 1);
          only.set(outer, at);
        }
      }
      // A part that is drawn for a control is that control.
      const controls = [...elements].filter(([at]) => !rows[at][7].weak);
      const drawnFor = controls.map(([, e]) => drawnPartOf(e)).filter(Boolean);
      const isDrawnFor = (at, e) => drawnFor.some((part) =>
        part === e || (rows[at][7].weak === "pointer" && !lettered(e) && holds(part, e)));
      // A wrapper around one control without other text is not a control, either.
      const isBare = (at) => inside.get(at) === 1 && rows[at][7].weak !== "drag" &&
        squash(elements.get(at).textContent) === squash(elements.get(only.get(at)).textContent);
      for (const [at, e] of elements) {
        const { weak } = rows[at][7];
        if (!weak) continue;
        const isPart = /^(listener|pointer|focusable)$/.test(weak) && isDrawnFor(at, e);
        if (isPart || isBare(at) || (weak === "listener" && inside.get(at) > 3)) rows[at].pop();
        // The outline shows the texts of a wrapper below it.
        else if (inside.get(at)) rows[at][7].name = "";
      }
    };
    // The box of an element, or of what is drawn for it, and that.
    const drawnBoxOf = (e, role) => {
      let own = e.getBoundingClientRect();
      if (role && !(own.width && own.height) && e.firstElementChild) {
        // A link around a floating picture has no area of its own.
        const inside = [...e.querySelectorAll("*")].map((d) => d.getBoundingClientRect());
        own = inside.find((b) => b.width && b.height) ?? own;
      }
      // A box that is drawn by another part has the position of that.
      const drawnBy = isBox(e) && !isRenderedIn(e, own) ? standInOf(e) : null;
      return [drawnBy ? drawnBy.getBoundingClientRect() : own, drawnBy];
    };
    // The only sign that an element without a role can be operated, "" if there is none.
    const signOf = (e) => {
      if (e.getAttribute("draggable") === "true") return "drag";
      // A click on a label is one on its control.
      const isLabel = e.localName === "label" && e.control && (isBox(e.control) || isShown(e.control));
      if (e.hasAttribute("onclick") && !isLabel && !/^(body|html)$/.test(e.localName)) return "listener";
      return e.hasAttribute("tabindex") && e.tabIndex >= 0 ? "focusable" : "";
    };
    // Whether an element is a part that its author names and that shows nothing.
    const isEmptyPart = (e) => /^(div|section|main|article|aside|output|p|span|ul|ol)$/.test(e.localName) &&
      !e.hasAttribute("role") && !!(testIdOf(e) || idOf(e) || e.hasAttribute("ondrop")) && e.offsetWidth >= 24 &&
      e.offsetHeight >= 12 && showsNothing(e) && isVisible(e);
    // What the outline says of an element that can be operated: `weak` is the only sign that it can, and
    // `lies` how it is out of reach.
    const controlInfoOf = (e, role, { ref, weak, lies }) => {
      const tag = e.localName;
      const info = { tag, role: role || (e.namespaceURI?.endsWith("/svg") ? "shape" : role) };
      if (e.type && /^(input|button)$/.test(tag)) info.type = e.type;
      if (weak) info.weak = weak;
      const flags = [...stateOf(e, tag), ...(/hidden|covered/.test(lies) ? [lies] : [])];
      info.name = nameOf(e);
      if (weak === "empty") {
        flags.push("empty");
        info.called = cut(testIdOf(e) || idOf(e) || squash(e.getAttribute("class")), 60);
      }
      // A day of a calendar shows "5" and is called by its date.
      if (weak && e.getAttribute("aria-label")) info.labeled = true;
      Object.assign(info, formatOf(e));
      const isEditor = e.isContentEditable && role === "textbox";
      if (!ref && ownValueOf(e) !== null) info.value = ownValueOf(e);
      // The snapshot leaves out the plain text of an editor.
      if (isEditor) info.value = cut(squash(e.innerText), 500);
      if (isPassword(e)) info.filled = e.value !== "";
      else if (!ref && typeof e.value === "string" && e.type !== "file") info.value = cut(e.value, 500);
      const editorText = isEditor ? e.innerText.trim().replace(/\n+/g, "\n") : "";
      const written = tag === "textarea" ? e.value : editorText;
      if (written.includes("\n") && !isRedacted(e)) info.lines = cut(written, 5000);
      if (role === "file") info.value = [...e.files].map((f) => f.name).join(", ");
      if (!ref && (e.type === "checkbox" || e.type === "radio") && e.checked) flags.push("checked");
      if (flags.length) info.flags = flags;
      const hint = e.value === "" && /^(input|textarea)$/.test(tag) ? cut(squash(e.placeholder), 120) : "";
      if (hint && hint !== info.name) info.placeholder = isRedacted(e) ? REDACTED : hint;
      if (info.value && isRedacted(e)) info.value = REDACTED;
      const item = map.itemOf(up(e));
      if (item) info.key = map.titleOf(item);
      return info;
    };

    const isRunning = ({ playState, effect }) => playState === "running" && !!effect?.target;
    const isEnding = (a) => isRunning(a) && a.effect.getComputedTiming().endTime < Infinity;
    const isEndless = (a) => isRunning(a) && a.effect.getComputedTiming().endTime === Infinity;
    // Properties of a transition that shows, hides or moves something.
    const MOVES = new RegExp("^(?!.*color).*(opacity|transform|translate|scale|height|width|top|left|right|bottom|" +
      "visibility|display|inset|margin)");
    const isInView = (e) => {
      const r = e.getBoundingClientRect();
      return r.width > 0 && r.right > 0 && r.bottom > 0 && r.left < innerWidth && r.top < innerHeight;
    };
    // The loading signs in the viewport: what says that it is busy, progress without a value, and what
    // moves without end and shows no text. Each is what its author calls it, the same in other documents.
    // Where there were none, they are looked for only after a change.
    const signsIn = () => {
      const changed = Math.max(state.changed, state.moved);
      if (state.signless === changed) return [];
      const showsText = (e) => textNodesIn(e).some((n) => withoutGlyphs(n.data).trim() && isTextVisible(n));
      const sizeOf = (e) => e.getBoundingClientRect();
      // What covers much of the page is a background, and what is as thin as a line a cursor.
      const isDrawn = (e) => sizeOf(e).width > 2 && sizeOf(e).height > 2 && isInView(e) && isVisible(e);
      const isSmall = (e) => sizeOf(e).width * sizeOf(e).height < innerWidth * innerHeight / 4;
      const says = everywhere(`[aria-busy=true], progress:not([value]),
        [role=progressbar]:not(progress, [aria-valuenow], [aria-valuetext])`).map((e) => [e, ""]);
      const styled = rootsIn(top).flatMap((r) => r.getAnimations()).filter(isEndless)
        .map((a) => [a.effect.target, a.animationName ?? "", !!a.effect.pseudoElement]);
      const drawn = everywhere("animate, animateTransform, animateMotion")
        .filter((a) => a.getAttribute("repeatCount") === "indefinite")
        .map((a) => [a.targetElement ?? a.parentElement, a.localName]);
      const moves = [...styled, ...drawn].filter(([e, , generated]) => isSmall(e) && (generated || !showsText(e)));
      const called = ([e, animation]) =>
        [e.localName, e.getAttribute("role"), e.getAttribute("class"), animation].join(" ");
      const signs = [...new Set([...says, ...moves].filter(([e]) => isDrawn(e)).map(called))];
      if (!signs.length) state.signless = changed;
      return signs;
    };

    const isRevealed = () => everywhere("input").some((e) => isPassword(e) && e.type !== "password" && e.value);
    const valuesIn = (fields) => hashOf(fields.map((e) => `${e.value}\0${e.checked}`).join());
    // What a picture would show: `changed`, what was watched of the document; `drawn`, what else changes a picture,
    // null where something is in view that is not known here; and whether a password is legible.
    const shownOf = () => {
      const roots = rootsIn(top), fields = everywhere("input, textarea, select");
      const count = () => { state.scrolled++; };
      state.shadows ??= { seen: new WeakSet([top]), observer: new MutationObserver(count) };
      for (const tree of roots.filter((e) => !state.shadows.seen.has(e))) {
        state.shadows.seen.add(tree);
        state.shadows.observer.observe(tree, { subtree: true, childList: true, attributes: true, characterData: true });
        for (const type of ["scroll", "load"]) tree.addEventListener(type, count, { capture: true, passive: true });
        count();
      }
      const isUnknown = roots.some((e) => e.getAnimations().some(isEnding)) || top.fonts?.status === "loading" ||
        everywhere("canvas, video, iframe, frame, object, embed").some(isInView);
      const isDark = matchMedia("(prefers-color-scheme: dark)").matches;
      const requests = performance.getEntriesByType("resource").length;
      const changed = Math.max(state.changed, state.moved);
      return {
        changed: [state.document, changed, state.scrolled, scrollX, scrollY, innerWidth, innerHeight],
        drawn: isUnknown ? null : [state.affected, state.pointed, countPresses(), requests, isDark, valuesIn(fields)],
        revealed: isRevealed(),
      };
    };

    return {
      // The data that Playwright's snapshot lacks: the number and box of each element with a ref, and
      // the kind and state of each operable element.
      walk(hidden) {
        hide(hidden);
        const found = { rows: [], covered: [], flat: [], repeated: [], titles: [], icons: [], counts: [], glued: [],
          undrawn: [], behind: [] };
        const { rows } = found;
        const parted = new Map();
        const leaves = new Set();
        const items = new Map();
        const modal = modalIn();
        const front = modal && frontOf(modal);
        const pointers = [];
        const elements = new Map();
        // The text of an element without a row is a part of what is around it.
        const partAround = (e, parent) => {
          let whole = e.parentNode;
          while (whole && whole.nodeType === 1 && !whole._ariaRef) whole = whole.parentNode;
          if (whole && parted.size < 2000) parted.set(whole, parent);
        };
        const noteRow = (e, at, ref, frame) => {
          if (front && !front.some((layer) => holds(layer, e) || holds(e, layer))) found.behind.push(at);
          const item = itemAround(e);
          if (item) (items.get(item) ?? items.set(item, []).get(item)).push(at);
          if (isRedacted(e)) found.covered.push([at, textsOf(e)]);
          const title = frame && !isRedacted(e) && squash(e.getAttribute("aria-label") || e.title);
          if (title) found.titles.push([at, cut(title, 120)]);
          const icon = (ref || controlOf(e)) && !isRedacted(e) && cut(iconIn(e), 60);
          if (icon) found.icons.push([at, icon]);
          if (!ref) return;
          if (!controlOf(e) && e.firstElementChild && isRepeated(e)) found.repeated.push(at);
          if (!controlOf(e) && hasText(e) && !isVisible(e)) found.undrawn.push(at);
          const sides = isInline(e) ? gluedSidesOf(e) : [];
          if (sides.includes(true)) found.glued.push([at, sides]);
          if (+e.getAttribute("aria-rowcount") > 0) found.counts.push([at, +e.getAttribute("aria-rowcount")]);
        };
        each((e, parent) => {
          const tag = e.localName;
          if (SKIPPED.test(tag)) return parent;
          if (tag === "br") {
            partAround(e, parent);
            return parent;
          }
          const ref = e._ariaRef?.ref || "";
          const role = controlOf(e);
          const sign = role ? "" : signOf(e);
          const empty = !role && !sign && rows[parent]?.[7]?.weak !== "empty" && isEmptyPart(e);
          const frame = tag === "iframe" || tag === "frame";
          if (!ref && !role && !sign && !empty) {
            if (isRedacted(e) && e.checkVisibility?.()) found.flat.push([parent, textsOf(e)]);
            if (e.childNodes.length !== 1 || e.firstChild.nodeType !== 3) return parent;
            leaves.add(e);
            partAround(e, parent);
            return parent;
          }
          const [box, drawnBy] = drawnBoxOf(e, role);
          const row = [ref, numberOf(e), ...roundedBox(box), parent];
          const at = rows.push(row) - 1;
          noteRow(e, at, ref, frame);
          // The snapshot merges wrappers and loses the pointer cursor of the inner one.
          const isAround = parent >= 0 && pointers[parent];
          pointers.push(!frame && (isAround || getComputedStyle(e).cursor === "pointer"));
          const points = pointers[at] && !isAround && !role && tag !== "label";
          const weak = sign || (points && "pointer") || (empty && "empty") || "";
          if ((!role && !weak) || frame) return at;
          const visible = isRenderedIn(drawnBy || e, box);
          // A hidden file field is operated through the label or button beside it.
          const file = role === "file" && e.parentElement?.checkVisibility?.() !== false;
          if (!ref && !visible && !file) return at;
          const parts = isBox(e) ? e.labels : e.querySelectorAll("*");
          const isHidden = !visible || !(file || isShown(e) || [...parts].some((c) => isVisible(c)));
          const info = controlInfoOf(e, role, { ref, weak, lies: isHidden ? "hidden" : barrierOf(e) });
          row.push(info);
          elements.set(at, e);
          return at;
        });
        keepControls(rows, elements);
        return {
          document: state.document,
          ...found,
          // What tells an item from others, and the elements in it.
          items: [...items].map(([item, some]) => [namesIn(item), some]).filter(([names]) => names.length),
          parts: [...parted].flatMap(([e, at]) => partsIn(e, leaves).map((parts) => [at, parts])),
          revealed: isRevealed(),
          title: squash(document.title),
          selected: anyRedacted() ? "" : cut(squash(getSelection()?.toString()), 300),
          scroll: [Math.round(scrollY), document.documentElement?.scrollHeight || 0, innerWidth, innerHeight],
        };
      },

      // The elements that the locator of a request finds, or those of them that a user can see, or `members` of tables.
      // (`evaluate_all` would run in the page's own world.)
      found({ request, seen = false, members = false }) {
        // A control that is itself transparent lies over what is drawn for it.
        const isClear = (e) => e.matches("a,button,input,select,textarea,[role]") && isRendered(e) &&
          isVisible(e, { transparent: true }) && !!up(e) && isVisible(up(e));
        const isMember = (e) => !members || !map.isNoMember(e.closest("tr,[role=row]") ?? e);
        const found = askedIn(request)(0).filter((e) => isMember(e) && (!seen || isShown(e) || isClear(e)));
        return { document: state.document, numbers: found.map(numberOf) };
      },

      // The innermost element at a point of the viewport, and the point's position in it.
      at({ x, y }) {
        const e = hitAt([x, y]);
        if (!e) return null;
        const box = e.getBoundingClientRect();
        return { document: state.document, number: numberOf(e), frame: /^i?frame$/.test(e.localName),
          x: x - box.x - (e.clientLeft || 0), y: y - box.y - (e.clientTop || 0) };
      },

      // The position of a frame's content, whether a user can see it, whether Playwright can act in it, and
      // whether it is rotated, skewed or mirrored.
      place() {
        const box = root.getBoundingClientRect();
        const style = getComputedStyle(root);
        const of = (name) => parseFloat(style[name]) || 0;
        const isBent = (e) => {
          const { transform, rotate, perspective } = getComputedStyle(e);
          const m = new DOMMatrix(transform === "none" ? "" : transform);
          return !m.is2D || m.b || m.c || m.a < 0 || m.d < 0 || rotate !== "none" || perspective !== "none";
        };
        let bent = false;
        for (let e = root; e; e = up(e)) bent ||= !!isBent(e);
        const sx = root.offsetWidth ? box.width / root.offsetWidth : 1;
        const sy = root.offsetHeight ? box.height / root.offsetHeight : 1;
        const [width, height] = [root.clientWidth - of("paddingLeft") - of("paddingRight"),
          root.clientHeight - of("paddingTop") - of("paddingBottom")];
        return { document: state.document, number: numberOf(root), rendered: isRendered(root),
          visible: isVisible(root) && width > 1 && height > 1,
          box: [box.x, box.y, box.width, box.height], scale: [sx, sy], bent,
          inner: [box.x + sx * (of("borderLeftWidth") + of("paddingLeft")),
            box.y + sy * (of("borderTopWidth") + of("paddingTop"))] };
      },

      // What a picture would show, its size, and the box of the element to which the selector is applied.
      view() {
        const box = root.getBoundingClientRect?.();
        return { document: state.document, shown: shownOf(), size: [innerWidth, innerHeight], main: self === self.top,
          box: box ? [box.x, box.y, box.width, box.height] : null };
      },

      // The rendered text of the element, without redacted parts.
      text(hidden) {
        hide(hidden);
        return isRedacted(root) || holdsRedacted(root) ? textOf(root) : root.innerText ?? root.textContent;
      },

      // The texts by which the item around the element differs from others.
      item: () => [itemAround(root)].filter(Boolean).flatMap(namesIn),

      // The identity of the element and its surroundings, by which it is found on a changed page.
      identity: () => ({ ...identityOf(root), ...wayTo(root), field: fieldOf(root) }),
      // For each way of a request the number of elements that it finds, and the identities of the first few.
      asked: (argument, describe = described) => askedOf(argument, describe),
      described,
      // The identities of several elements by number; null for an element that is gone.
      identities: ({ numbers }) => numbers.map(nodeOf).map((e) => e?.isConnected ? identityOf(e) : null),
      field: () => fieldOf(root),
      // What a combobox holds, whether it is open and takes a text, and a selector of its list, "" if there is none.
      combobox() {
        const ids = (root.getAttribute("aria-controls") || root.getAttribute("aria-owns") || "").split(/\s+/);
        const list = ids.find((id) => id && root.getRootNode().getElementById(id));
        return { held: heldBy(root), open: root.ariaExpanded === "true", list: list ? `[id="${CSS.escape(list)}"]` : "",
          types: root.isContentEditable || (/^(input|textarea)$/.test(root.localName) && !root.readOnly) };
      },
      // The node to click for a box, and the point in it.
      press() {
        const box = boxOf(root);
        const [part, [x, y]] = pressOf(box);
        const b = part.getBoundingClientRect();
        return { document: state.document, number: numberOf(part), disabled: box.matches(":disabled"),
          x: x - b.left - part.clientLeft, y: y - b.top - part.clientTop };
      },
      // The text of a field, null for other elements, and the parts of it before and behind what is selected.
      held() {
        const text = heldBy(root);
        if (typeof text !== "string") return [null, "", ""];
        const [from, to] = [root.selectionStart ?? text.length, root.selectionEnd ?? text.length];
        if (!root.isContentEditable) return [text, text.slice(0, from), text.slice(to)];
        const selection = getSelection();
        if (!selection.rangeCount || !holds(root, selection.anchorNode)) return [text, text, ""];
        const [before, after, own] = [top.createRange(), top.createRange(), selection.getRangeAt(0)];
        before.selectNodeContents(root);
        after.selectNodeContents(root);
        before.setEnd(own.startContainer, own.startOffset);
        after.setStart(own.endContainer, own.endOffset);
        return [text, before.toString(), after.toString()];
      },
      focused: () => root.matches(":focus, :focus-within"),
      // The document's origin, which the address of a blank document does not show, and whether it has the focus.
      origin: () => ({ origin: self.origin, focused: top.hasFocus() }),

      // What the document does, and the loading signs once it has not changed for `signs`, all in milliseconds: its
      // clock; since when it has not changed, is watched, and since when nothing was typed or focused; since when what
      // moves by itself has not moved; how long finite animations that show, hide or move a text still take; and
      // whether it has `changed`, `reacted`, has `received` and was `pressed`, sent a press, since its clock in
      // `before`. Null is unknown: shadow trees that are not watched, presses that are not counted.
      activity(argument) {
        const now = performance.now();
        const before = argument?.before[state.document];
        const presses = countPresses();
        const follows = (e) => {
          if (e.shadowRoot) return state.followed?.has(e.shadowRoot);
          return state.followed || !e.localName.includes("-");
        };
        const isUnwatched = cached((all) => ![...all.querySelectorAll("*")].every(follows));
        const values = valuesIn([...top.querySelectorAll("input, textarea, select")]);
        const isLater = (time) => {
          if (!before) return null;
          if (Math.max(time, state.affected) > before.now || values !== before.values) return true;
          return isUnwatched(top) ? null : false;
        };
        // A button that is pressed has effects of its own.
        const isOfPress = (e) => state.pressed && holds(state.pressed, e);
        const shows = (a) => isRunning(a) && /\S/.test(a.effect.target.textContent) && !isOfPress(a.effect.target) &&
          (!a.transitionProperty || MOVES.test(a.transitionProperty));
        const left = top.getAnimations().filter(shows).map((a) => a.effect.getComputedTiming().endTime - a.currentTime);
        const [isMain, still] = [self === self.top, now - state.changed];
        return { document: state.document, frames: framesOf(argument), kept: keptIn(), now, presses, values,
          loading: !isLoaded(), still, watched: now - state.since, calm: now - state.affected, moved: now - state.moved,
          moving: Math.max(0, ...left.filter((ms) => ms < 1000)),
          signs: isMain && still >= argument?.signs ? signsIn() : [], changed: isLater(state.changed),
          reacted: isLater(state.reacted), received: before ? state.received > before.now : null,
          since: state.received > 0 ? now - state.received : null,
          pressed: presses === null ? null : presses > (before?.presses ?? 0) };
      },
      // Whether the element, or a part of it, has changed or was added after the moment `until`; null where that is
      // not known, as in a shadow root or another document. What changed more than once from `since` until then does
      // so by itself.
      touched(moments) {
        const [since, until] = [moments.since, moments.until].map((moment) => moment[state.document]?.now);
        if (until === undefined || root.getRootNode() !== top) return null;
        const isRestless = (times) => times.filter((t) => t >= since && t <= until).length > 1;
        const timesOf = (e, kind) => state.changes.get(e)?.get(kind) ?? [];
        for (let n = root; n; n = n.parentElement) {
          if (state.added.get(n) > until && !isRestless(timesOf(n.parentElement ?? top, "childList"))) return true;
        }
        return [root, ...root.querySelectorAll("*")].some((e) =>
          [...state.changes.get(e)?.values() ?? []].some((times) => times.last > until && !isRestless(times)));
      },
      keep: ({ as }) => keep(root, as),
      scrolled: () => [scrollX, scrollY,
        ...everywhere("*").flatMap((e) => [e.scrollTop, e.scrollLeft].filter(Boolean))],
      // A number that differs once the document shows something else, or was dropped on.
      digest: () => hashOf(rootsIn(top).map((r) => r.firstElementChild?.outerHTML ?? "").join(""), state.drops),
    };
  },
})
