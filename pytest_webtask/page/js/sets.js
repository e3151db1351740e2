// A selector engine that finds sets: the repeating pattern of cited elements, and all elements that match
// it. It shares the node numbers of `engine.js` and writes nothing into the document.
({
  queryAll(root, body) {
    const top = root.nodeType === 9 ? root : root.ownerDocument;
    const { state, reply, askedIn, commonOf, hasText, TEST_IDS, isPassword, HEADING, isBefore, SKIPPED, numberOf, nodeOf, cached, squash, up, holds,
      isVisible: visible, isShown: shown, isHeadRow: isHeader, headsOf, roleOf, renderedTextOf, listOf, settingOf, strangersAmong, nameOf: fullNameOf
      } = globalThis.__webtask_dom(top, globalThis.__webtask ??= {});
    const quoted = (text) => JSON.stringify(text);
    const same = (values) => new Set(values).size === 1 ? values[0] : "";
    const lift = (e, levels) => levels > 0 && up(e) ? lift(up(e), levels - 1) : e;
    // The path from the container's child down to the element.
    const chainOf = (container, e) => !e || e === container ? [] : [...chainOf(container, up(e)), e];
    const children = (e) => [...(e.shadowRoot?.children || []), ...e.children].filter((c) => !SKIPPED.test(c.localName));
    const below = cached((e) => children(e).flatMap((c) => [c, ...below(c)]));

    // The text that a user sees in an element: the value of a field, the texts of a component.
    const shownTextOf = cached((e) => {
      if (/^(checkbox|radio)$/.test(e.type)) return "";
      if (/^(input|textarea)$/.test(e.localName)) return isPassword(e) ? "" : squash(e.value);
      if (e.localName === "select") return [...e.selectedOptions].map((o) => squash(o.label)).join(", ");
      // A host also shows its shadow tree, and a slot its assigned elements.
      const assigned = [...e.querySelectorAll("slot")].flatMap((slot) => slot.assignedNodes({ flatten: true }));
      return squash([e, ...(e.shadowRoot?.children || []), ...assigned].map((n) => n.nodeType === 1 ? renderedTextOf(n) : n.textContent).join(" "));
    });
    const CONTROL = "a[href],button,input,select,textarea,img,svg,canvas,[role=button],[role=img],[role=checkbox]";
    const isPainted = (e) => {
      const style = getComputedStyle(e);
      return style.backgroundImage !== "none" || !/^(rgba\(.*, 0\)|transparent)$/.test(style.backgroundColor) || labelOf(e) || e.title ||
        ["::before", "::after"].some((which) => /^".+"|url/.test(getComputedStyle(e, which).content));
    };
    // Spacers and separators are empty.
    const isEmpty = (e) => !(e.textContent.trim() && shownTextOf(e)) && ![e, ...below(e)].some((c) => c.matches(CONTROL) || shownTextOf(c) || isPainted(c));

    // The classes that an author chose. Classes with digits or without vowels are generated.
    const isGenerated = (name) => /\d/.test(name) || name.split(/[-_]+/).some((part) => {
      const words = part.match(/[A-Z]?[a-z]+|[A-Z]+/g) || [];
      return (part.length > 4 && words.length > 1 && part.length / words.length < 3) || /[^aeiouy]{6}/i.test(part);
    });
    const classesOf = cached((e) => [...e.classList].filter((name) => !isGenerated(name)));
    const commonClasses = (some) => classesOf(some[0]).filter((name) => some.every((e) => e.classList.contains(name)));
    // The name that its author gave an element.
    const labelOf = cached((e) => fullNameOf(e, { content: false }));
    const OPERABLE = /^(button|link|checkbox|radio|switch|tab|menuitem)$/;
    const nameOf = cached((e) => fullNameOf(e) || shownTextOf(e));
    // The text of a member in the list of a set; for a control that is on or off, with its state.
    const wordsOf = (e) => {
      const on = e.matches("input[type=checkbox],input[type=radio]") ? `${e.checked}` : e.getAttribute("aria-checked") || e.getAttribute("aria-pressed");
      const icon = below(e).map((c) => c.getAttribute("aria-label") || c.getAttribute("alt") || c.getAttribute("title")).find(Boolean);
      // The label of a component's control is in its host.
      const host = on && e.getRootNode().host;
      const name = (on && nameOf(e)) || shownTextOf(e) || nameOf(e) || squash(e.getAttribute("title") || "") || squash(icon) || (host ? shownTextOf(host) : "");
      return [name.slice(0, 200), on && (on === "true" ? "(on)" : on === "mixed" ? "(partly on)" : "(off)")].filter(Boolean).join(" ");
    };
    // The heading of a part, except those of its items and of nested parts.
    let setItems = [];
    const headingOf = (e) => {
      const first = setItems.find((i) => holds(e, i));
      const heading = (e.matches(HEADING) ? [e] : below(e)).find((h) => h.matches(HEADING) && shown(h) && chainOf(e, h).length <= 3 &&
        !setItems.some((i) => holds(i, h)) && (!first || isBefore(h, first)));
      return squash(heading?.textContent);
    };
    const ITEM = "li,tr,dt,dd,article,option,[role=listitem],[role=row],[role=article],[role=option],[role=treeitem],[role=menuitem]";
    const CELL = "td,th,[role=cell],[role=gridcell]";
    const LIST = "ul,ol,menu,dl,table,tbody,select,[role=list],[role=table],[role=grid],[role=rowgroup],[role=listbox],[role=tree],[role=feed]";
    const PART = `${LIST},body,main,nav,aside,header,footer,dialog,form,fieldset,section,[role=dialog],[role=alertdialog],[role=region]`;

    const counts = (e) => shown(e) && !isEmpty(e);

    // Whether two elements have the same tag and a similar structure.
    const isLeaf = (e) => !below(e).some((c) => !/^(b|i|em|strong|br|mark|small|svg|path|wbr)$/.test(c.localName));
    const shapeOf = cached((e) => {
      const paths = new Set();
      const inside = (node, path, depth) => children(node).forEach((c) => {
        if (!shown(c)) return;
        paths.add(`${path}>${c.localName}`);
        if (depth < 3 && c.localName !== "svg") inside(c, `${path}>${c.localName}`, depth + 1);
      });
      inside(e, "", 1);
      return paths;
    });
    const overlap = (a, b) => {
      const [one, two] = [new Set(a), new Set(b)];
      return one.size + two.size ? [...one].filter((x) => two.has(x)).length / new Set([...one, ...two]).size : 1;
    };
    const typeface = (e) => {
      const leaf = [e, ...below(e)].find(hasText) || e;
      const { fontSize, fontWeight, textTransform, color } = getComputedStyle(leaf);
      return [fontSize, fontWeight, textTransform, color].join();
    };
    const alike = (a, b) => {
      if (a.localName !== b.localName || isHeader(b)) return false;
      const [mine, others] = [classesOf(a), classesOf(b)];
      if (a.matches(ITEM) || (others.length && overlap(mine, others) >= 0.5)) return true;
      if (isLeaf(a) !== isLeaf(b)) return false;
      const related = !mine.length || !others.length || mine.some((name) => others.includes(name));
      // A similarity of half is not enough for boxes with different classes.
      return isLeaf(a) ? related || typeface(a) === typeface(b) : overlap(shapeOf(a), shapeOf(b)) >= (related ? 0.5 : 0.51);
    };
    // The head or foot of a list: before or after all items, without their classes and in another font.
    const isEdge = (e, items) => {
      const before = items.every((i) => e.compareDocumentPosition(i) & 4);
      const after = items.every((i) => e.compareDocumentPosition(i) & 2);
      return (before || after) && !e.matches(ITEM) && classesOf(e).length > 0 &&
        items.every((i) => classesOf(i).length && !classesOf(i).some((name) => classesOf(e).includes(name)) && typeface(i) !== typeface(e));
    };

    // How many of some elements each element is or contains. A set of a thousand is asked as a whole, not one
    // member after the other.
    const countAround = (some) => {
      const around = new Map();
      for (const e of some) for (let n = e; n; n = up(n)) around.set(n, (around.get(n) ?? 0) + 1);
      return around;
    };
    // The one of some elements that is or contains an element.
    const oneAround = (e, some) => {
      for (let n = e; n; n = up(n)) if (some.has(n)) return n;
      return null;
    };
    // The number of levels from the cited elements up to the items around them.
    const levels = (cited, container) => {
      const around = countAround(cited);
      const above = (c) => {
        let n = 0;
        for (let e = up(c); e && e !== container && around.get(e) === 1; e = up(e)) n++;
        return n;
      };
      return cited.map(above).reduce((a, b) => Math.min(a, b));
    };
    const spots = cached((parent) => {
      const [found, counted] = [new Map(), new Map()];
      for (const c of children(parent)) {
        found.set(c, counted.get(c.localName) ?? 0);
        counted.set(c.localName, found.get(c) + 1);
      }
      return found;
    });
    const spot = (e) => spots(up(e)).get(e);
    const tagsOf = (chain) => chain.map((e) => e.localName).join(">");
    // The element of an item that corresponds to the cited element in its own item.
    const counterparts = (item, cited, own, common) => {
      if (item === cited || own === cited) return [item];
      const chain = chainOf(own, cited);
      const those = below(item).filter((x) => x.localName === cited.localName);
      const named = common.length ? those.filter((x) => common.every((name) => x.classList.contains(name))) : [];
      if (named.length) return named;
      const elsewhere = new Set(below(own).filter((x) => x !== cited).flatMap(classesOf));
      // An element at the same position that has none of the cited classes is of another kind.
      const other = (x) => common.length > 0 && classesOf(x).length > 0 && !common.some((name) => x.classList.contains(name));
      return those.filter((x) => {
        const path = chainOf(item, x);
        return !other(x) && tagsOf(path) === tagsOf(chain) && path.every((e, i) => spot(e) === spot(chain[i])) &&
          !classesOf(x).some((name) => elsewhere.has(name) && !cited.classList.contains(name));
      });
    };
    // The items in the container that are similar to those of the cited elements, including these.
    const itemsIn = (container, items) => {
      const chains = items.map((item) => chainOf(container, item));
      let level = [container];
      if (new Set(chains.map((c) => c.length)).size > 1) {
        return [...new Set(items.map(up))].flatMap(children).filter((s) => items.some((i) => i === s || alike(i, s)) && !isEdge(s, items));
      }
      for (let i = 0; i < chains[0].length; i++) {
        const all = new Set(chains.map((c) => c[i]));
        const own = [...all];
        level = level.flatMap(children).filter((s) => all.has(s) || (own.some((o) => alike(o, s)) && !isEdge(s, own)));
      }
      return level;
    };
    // The cited elements and all similar elements in the container.
    const gather = (cited, container, height) => {
      const items = cited.map((c) => lift(c, height));
      const common = commonClasses(cited);
      const matches = new Set(cited);
      const level = itemsIn(container, items);
      const citedIn = new Map(items.map((item, i) => [item, cited[i]]));
      for (const item of level.filter((i) => !citedIn.has(i))) counterparts(item, cited[0], items[0], common).forEach((x) => matches.add(x));
      // Elements with the same test id or class at other positions.
      const test = TEST_IDS.find((name) => same(cited.map((c) => c.getAttribute(name) || "")));
      for (const x of below(container)) {
        const item = oneAround(x, citedIn);
        const own = item && citedIn.get(item);
        if (own && (holds(x, own) || holds(own, x))) continue;
        if (own && isLeaf(x) && (cited[0].matches(CELL) || item.matches(ITEM))) continue;
        const called = common.length && common.every((name) => x.classList.contains(name));
        const beside = own && !common.length && up(x) === up(own) && !classesOf(x).length;
        if (own && common.length && overlap(classesOf(x), classesOf(own)) < 0.5) continue;
        const tested = test && x.getAttribute(test) === cited[0].getAttribute(test);
        if (tested || ((called || beside) && alike(cited[0], x) && !isEdge(x, items))) matches.add(x);
      }
      const known = new Set(cited);
      return outermost([...matches].filter((x) => known.has(x) || (counts(x) && !isHeader(x))));
    };
    const outermost = (some) => {
      const all = new Set(some);
      return some.filter((e) => {
        for (let n = up(e); n; n = up(n)) if (all.has(n)) return false;
        return true;
      });
    };
    // Whether a container shows any text other than that of the items.
    const says = (container, items) => {
      const left = new Set(items);
      const inside = (node) => [...(node.shadowRoot?.childNodes || []), ...node.childNodes].some((c) =>
        c.nodeType === 3 ? c.data.trim() && visible(node) : c.nodeType === 1 && !SKIPPED.test(c.localName) && !left.has(c) && inside(c));
      return inside(container);
    };
    // The nearest container in which an element has similar ones; without any, the one that it fills.
    const nearestBox = (cited) => {
      let filled = null;
      for (let e = cited, height = 0, node = up(e); node && node !== top.documentElement; e = node, node = up(node), height++) {
        if (e.matches(CELL) && node.matches("tr,[role=row]")) continue;
        const gathered = gather([cited], node, height);
        // If one item has several such elements, the items are separate lists.
        const own = gathered.map((x) => chainOf(node, x)[0]);
        if (height && new Set(own).size < own.length) break;
        // A name and a price in one card differ in kind, however similar they look.
        const mine = classesOf(cited);
        const kin = (x) => x !== cited && (!mine.length || !classesOf(x).length || classesOf(x).some((name) => mine.includes(name)));
        if (gathered.length > 1 && (!isLeaf(cited) || gathered.some(kin))) return [node, height];
        const end = node.matches(PART);
        if (!filled && (end || says(up(node) || node, [cited]))) filled = [node, 0];
        if (end && (node.matches(LIST) ? e.matches(ITEM) : !node.matches("section,form,header,footer"))) break;
      }
      return filled || [top.body, 0];
    };
    // The container, widened beyond boxes that show only their items: these do not separate sets.
    const widen = (cited, container, height) => {
      // A heading between two boxes starts another part, which the fact names by its heading.
      const parted = (a, b) => children(up(a)).some((h) => h.matches(HEADING) && shown(h) && a.compareDocumentPosition(h) & 4 ^ b.compareDocumentPosition(h) & 4);
      for (let box = container; box !== top.body && up(box) && !box.matches(`${LIST},${PART}`.replace("tbody,", "")); box = up(box)) {
        const items = gather(cited, container, height).map((e) => itemOf(container, e, height));
        if (labelOf(box) || says(box, items)) break;
        if (!children(up(box)).some((s) => s !== box && shown(s) && alike(box, s) && !parted(box, s))) continue;
        // Elements without any of the cited classes are of another kind.
        const common = commonClasses(cited);
        const added = gather(cited, up(box), height).filter((x) => !holds(box, x));
        if (!added.length || !common.length || added.some((x) => common.some((name) => x.classList.contains(name)))) container = up(box);
      }
      return container;
    };

    // The patterns that all elements share, the most lasting first: [kind, test, code, ...].
    const patterns = (members, container, height, named = members.length > 1) => {
      const shared = [];
      const add = (kind, test, ...codes) => shared.push({ kind, test, codes });
      const css = (selector) => `locator(${quoted(selector)})`;
      const parts = (values) => {
        const [first] = values;
        const of = (text) => [...text].findIndex((c, i) => values.some((v) => v[i] !== c));
        const reverse = (text) => [...text].reverse().join("");
        const head = first.slice(0, Math.max(0, of(first))).match(/^.*[-_:/.]|^[^\d]+(?=\d*$)/)?.[0] || "";
        const tails = values.map(reverse);
        const at = [...tails[0]].findIndex((c, i) => tails.some((v) => v[i] !== c));
        const tail = reverse(tails[0].slice(0, Math.max(0, at)).match(/^.*[-_:/.]/)?.[0] || "");
        return [head.replace(/\d.*$/, ""), tail.replace(/^.*\d/, "")];
      };
      for (const name of [...TEST_IDS, "id"]) {
        const values = members.map((e) => e.getAttribute(name) || "");
        const word = name === "id" ? "id" : "test id";
        if (!values.every(Boolean)) continue;
        if (same(values) && (name !== "id" || !/\d/.test(values[0]))) {
          const code = css(`[${name}=${quoted(values[0])}]`);
          add(`${word} ${quoted(values[0])}`, (e) => e.getAttribute(name) === values[0], ...(name === "data-testid" ? [`get_by_test_id(${quoted(values[0])})`, code] : [code]));
        } else if (!same(values)) {
          const [head, tail] = parts(values);
          if (head.length + tail.length < 3) continue;
          const selector = (head && `[${name}^=${quoted(head)}]`) + (tail && `[${name}$=${quoted(tail)}]`);
          add(`${word} ${quoted(`${head}…${tail}`)}`, (e) => e.matches(selector), css(selector));
        }
      }
      const role = same(members.map(roleOf));
      const level = same(members.map((e) => e.getAttribute("aria-level") || e.localName.match(/^h([1-6])$/)?.[1] || ""));
      if (role) {
        const code = `get_by_role(${quoted(role)}${role === "heading" && level ? `, level=${level}` : ""})`;
        const test = (e) => roleOf(e) === role && (role !== "heading" || !level || (e.getAttribute("aria-level") || e.localName.slice(1)) === level);
        add(`role ${role}`, test, code, ...(role === "row" ? [`${code}.filter(has_not=get_by_role("columnheader"))`] : []));
        const name = same(members.map(nameOf));
        if (OPERABLE.test(role) && name && named) {
          add(`role ${role} named ${quoted(name)}`, (e) => roleOf(e) === role && nameOf(e) === name, `get_by_role(${quoted(role)}, name=${quoted(name)}, exact=True)`);
        }
      }
      const headOf = (e) => e.localName === "td" ? squash(headsOf(e).at(-1)?.textContent) : "";
      const head = same(members.map(headOf));
      if (head && !head.includes("'")) {
        const before = `count(ancestor::table[1]//th[normalize-space()='${head}']/preceding-sibling::*)`;
        add(`column ${quoted(head)}`, (e) => headOf(e) === head, css(`xpath=.//td[count(preceding-sibling::*) = ${before}]`));
      }
      // A class that different elements share is only for styling.
      const unlike = (name) => below(top.body).filter((e) => e.classList.contains(name) && !alike(members[0], e)).length;
      for (const name of commonClasses(members).sort((a, b) => unlike(a) - unlike(b))) {
        add(`class ${quoted(name)}`, (e) => e.classList.contains(name), css(`.${CSS.escape(name)}`));
      }
      const all = commonClasses(members).slice(0, 6);
      if (all.length > 1) {
        const selector = all.map((name) => `.${CSS.escape(name)}`).join("");
        add(`class ${quoted(all.join(" "))}`, (e) => e.matches(selector), css(selector));
      }
      const chains = members.map((e) => chainOf(container, e));
      const tag = same(members.map((e) => e.localName));
      if (new Set(chains.map(tagsOf)).size === 1) {
        const steps = chains[0].map((e, i) => [e.localName, ...commonClasses(chains.map((c) => c[i])).slice(0, 1)].join("."));
        const places = chains[0].map((_, i) => i >= steps.length - height ? same(chains.map((c) => `${spot(c[i]) + 1}`)) : "");
        for (const exact of [false, true]) {
          const path = steps.map((s, i) => s + (exact && places[i] ? `:nth-of-type(${places[i]})` : ""));
          const test = (e) => {
            for (let i = path.length - 1; i >= 0; i--, e = up(e)) if (!e?.matches(path[i])) return false;
            return true;
          };
          add(`place ${quoted(path.slice(-height - 1).join(" > "))}`, test, css(`:scope > ${path.join(" > ")}`));
        }
      }
      if (tag) add(`tag ${tag}`, (e) => e.localName === tag, css(tag), css(`:scope > ${tag}`));
      return shared;
    };

    // Locators of a container, those by the author's identifiers first.
    const handles = (e) => {
      const locators = [];
      const add = (code, test) => locators.push([code, test]);
      const [role, name, heading] = [roleOf(e), labelOf(e), headingOf(e)];
      const id = e.getAttribute("id");
      if (id && !/\d/.test(id)) add(`locator(${quoted(`#${CSS.escape(id)}`)})`, (x) => x.getAttribute("id") === id);
      for (const key of TEST_IDS) {
        const value = e.getAttribute(key);
        if (value) add(`locator(${quoted(`[${key}=${quoted(value)}]`)})`, (x) => x.getAttribute(key) === value);
      }
      if (role && name) add(`get_by_role(${quoted(role)}, name=${quoted(name)}, exact=True)`, (x) => roleOf(x) === role && labelOf(x) === name);
      if (role && role !== "rowgroup") add(`get_by_role(${quoted(role)})`, (x) => roleOf(x) === role);
      for (const one of classesOf(e)) add(`locator(${quoted(`.${CSS.escape(one)}`)})`, (x) => x.classList.contains(one));
      if (/^(main|table|tbody|section|form|aside|nav|ul|ol|dl)$/.test(e.localName)) add(`locator(${quoted(e.localName)})`, (x) => x.localName === e.localName);
      const box = classesOf(e)[0] ? `.${CSS.escape(classesOf(e)[0])}` : e.localName;
      if (heading) add(`locator(${quoted(box)}).filter(has=get_by_role("heading", name=${quoted(heading)}, exact=True))`, (x) => x.matches(box) && below(x).some((h) => h.matches(HEADING) && squash(h.textContent) === heading));
      return locators.sort((a, b) => /"[^"]*\d[^"]*"/.test(a[0]) - /"[^"]*\d[^"]*"/.test(b[0]));
    };
    const containers = (e) => {
      if (e === top.body) return ['locator("body")'];
      const only = (test, where) => below(where).filter(test).length === 1;
      const locators = handles(e).filter(([, test]) => only(test, top.body)).map(([code]) => code);
      for (let outer = up(e); outer && outer !== top.body && locators.length < 5; outer = up(outer)) {
        const first = handles(outer).find(([, test]) => only(test, top.body));
        const second = first && handles(e).find(([, test]) => only(test, outer));
        if (second) locators.push(`${first[0]}.${second[0]}`);
        if (first) locators.push(first[0]);
      }
      const steps = chainOf(top.body, e).map((n) => same(children(up(n)).map((s) => s.localName === n.localName)) && children(up(n)).length === 1 ? n.localName : `${n.localName}:nth-of-type(${spot(n) + 1})`);
      // Other kinds before others of the same kind: by the heading above it, and all of the page.
      const [best, ...others] = locators;
      return [...(best ? [best] : []), ...afterHeading(e), 'locator("body")', ...others.slice(0, 4), `locator(${quoted(["body", ...steps].join(" > "))})`];
    };
    const KINDS = ["ul,ol,menu,[role=list]", "table,[role=table],[role=grid]", "[role=listbox]", "dl", "form,[role=form]"];
    // A list, table or box as the first one after a heading.
    const afterHeading = (e) => {
      const kind = KINDS.find((css) => e.matches(css)) ?? e.localName;
      const heading = [...top.querySelectorAll(HEADING)].findLast((h) => shown(h) && isBefore(h, e) && !holds(e, h));
      const title = heading && squash(heading.textContent);
      if (!title || /\d/.test(title)) return [];
      const tests = kind.split(",").map((css) => css.startsWith("[") ? `@${css.slice(1, -1).replace("=", "='")}'` : `self::${css}`);
      return [`get_by_role("heading", name=${quoted(title)}, exact=True).locator(${quoted(`xpath=following::*[${tests.join(" or ")}][1]`)})`];
    };
    const describe = (e) => {
      if (e === top.body) return "the page";
      const title = labelOf(e) || (e.matches("section,article,dialog,form,aside,div,li") ? headingOf(e) : "");
      const kind = roleOf(e) || (classesOf(e)[0] ? `class ${quoted(classesOf(e)[0])}` : e.localName);
      return title ? `${kind} ${quoted(title.slice(0, 80))}` : kind;
    };
    // The description of a set's container, with the nearest name or heading around it.
    const whereIs = (e) => {
      const own = describe(e);
      if (own.endsWith('"') && !own.startsWith("class")) return own;
      for (let n = e; n && n !== top.body; n = up(n)) {
        const siblings = children(up(n));
        const before = siblings.slice(0, siblings.indexOf(n)).filter((s) => !alike(n, s)).map(headingOf).findLast(Boolean);
        if (before) return `${own} under ${quoted(before.slice(0, 80))}`;
        if (n !== e && (labelOf(n) || (n.matches("section,article,dialog") && headingOf(n)))) return `${own} in ${describe(n)}`;
      }
      return own;
    };

    // --- Signs of more -------------------------------------------------------------------------

    // What is beside the items of a set, in their part of the page: from the heading above them up to the next one.
    const ENDS = "body,main,dialog,section,nav,aside,header,footer,[role=dialog]";
    const besides = (container, members) => {
      const area = container.closest(ENDS) ?? top.body;
      const [first, last] = [members[0], members.at(-1)];
      const items = new Set(setItems);
      const outside = (node) => items.has(node) ? [] : [node, ...children(node).filter(shown).flatMap(outside)];
      const around = countAround(members);
      const found = outside(area).filter((e) => !around.has(e));
      // A heading bounds the set with the box that it stands in.
      const boxAround = (h) => around.has(up(h)) || !up(h) ? h : boxAround(up(h));
      const headings = found.filter((e) => e.matches(HEADING));
      const above = headings.findLast((h) => isBefore(h, first));
      const next = headings.find((h) => isBefore(last, h));
      const [start, end] = [above && boxAround(above), next && boxAround(next)];
      return found.filter((e) => (!start || holds(start, e) || isBefore(start, e)) && (!end || (isBefore(e, end) && !holds(end, e))));
    };
    const isEnabled = (e) => !e.disabled && !e.closest(".disabled,[disabled],[aria-disabled=true]");
    const PAGER = "[class*=pagin i],[class*=pager i],[aria-label*=pagin i]";
    const isNumber = (e) => /^\d{1,4}$/.test(shownTextOf(e));
    // "1-3 of 57" beside three elements, or "3 / 57".
    const isRange = (e, count) => {
      const text = shownTextOf(e);
      if (text.length > 60 || /\p{Sc}|%|\d[:.,]\d\d?(?!\d)|\d[-./]\d\d?[-./]\d/u.test(text) || below(e).some((c) => c.matches(CONTROL))) return false;
      const numbers = (text.match(/\d+([.,]\d{3})*/g) ?? []).map((n) => +n.replace(/\D/g, ""));
      const all = Math.max(...numbers);
      const [from, to] = numbers.filter((n) => n !== all || n === count);
      return all > count && (numbers.length === 2 ? from === count : numbers.length === 3 && (to ?? all) - from + 1 === count);
    };
    const pagerSigns = (controls, beside, count) => {
      const ranges = beside.filter((e) => isRange(e, count));
      const texts = ranges.filter((e) => !ranges.some((other) => other !== e && holds(e, other))).map((e) => `the text ${quoted(shownTextOf(e))}`);
      // The numbers of a calendar or of records are in rows.
      const numbers = beside.filter((e) => isNumber(e) && isLeaf(e) && !e.closest(CELL)).map((e) => +shownTextOf(e));
      const isPaged = controls.some(isNumber) && numbers.some((n, i) => n === numbers[i - 1] + 1);
      const pagers = controls.filter((e) => isEnabled(e) && !isNumber(e) && (e.matches("[rel~=next]") || e.closest(PAGER)));
      const names = pagers.slice(0, 4).map((e) => quoted((nameOf(e) || "next").slice(0, 40)));
      return [
        ...texts,
        ...(isPaged ? [`page numbers ${numbers.slice(0, 8).join(", ")}`] : []),
        ...(names.length ? [`controls for other pages: ${names.join(", ")}`] : []),
      ].map((text) => ["part", text]);
    };
    // A control for more right after the last member, alone on its line.
    const MORE = /\b(more|all|next|older|load|show|view|see|mehr|alle|weitere|plus|voir|tout|más|ver|todo)\b|ещё|еще|更多|もっと|次/i;
    const loadSigns = (controls, beside, last) => {
      const after = (e) => isBefore(last, e) && shownTextOf(e);
      const control = controls.find(after);
      const isNext = control && isEnabled(control) && !control.closest(PAGER) && after(beside.find(after)) === after(control);
      return isNext && MORE.test(nameOf(control)) ? [[`after ${called(control)}`, `right after them the ${roleOf(control)} ${quoted(nameOf(control).slice(0, 60))}`]] : [];
    };
    const SEARCH = "[type=search],[role=searchbox],[placeholder*=search i],[placeholder*=filter i],[aria-label*=search i],[aria-label*=filter i]";
    const fieldSigns = (beside) => beside.filter((e) => e.matches("input,[role=searchbox]") && e.matches(SEARCH) && e.value)
      .map((e) => [`field ${called(e)}`, `the field ${quoted(labelOf(e) || squash(e.placeholder) || e.name)} holds ${quoted(e.value.slice(0, 60))}`]);
    const ariaSigns = (members, container) => {
      const found = [];
      const size = Math.max(0, ...members.map((m) => +m.getAttribute("aria-setsize") || 0));
      if (size > members.length) found.push(["part", `aria-setsize is ${size}`]);
      const table = members[0].matches("tr,[role=row]") && container.closest("[aria-rowcount]");
      const rows = table && table.getAttribute("aria-rowcount");
      if (table && (rows === "-1" || +rows > members.length + below(table).filter(isHeader).length)) found.push(["part", `aria-rowcount is ${rows}`]);
      return found;
    };
    // A box that scrolls and of which the members fill only a part, as others are drawn later. The page does not count,
    // because it also scrolls other content.
    const scrollSigns = (container, members) => {
      const isBox = (n) => /auto|scroll/.test(getComputedStyle(n).overflowY) && n.scrollHeight > n.clientHeight + 2;
      let box = container;
      while (box && box !== top.body && !isBox(box)) box = up(box);
      if (!box || box === top.body || says(box, [...setItems, ...below(box).filter(isHeader)])) return [];
      const rects = members.map((m) => m.getBoundingClientRect());
      const filled = Math.max(...rects.map((r) => r.bottom)) - Math.min(...rects.map((r) => r.top));
      return filled < 0.7 * box.scrollHeight
        ? [["part", `it scrolls over ${box.scrollHeight} px, of which these fill ${Math.round(filled)}: others may be drawn later`]]
        : [["", `it scrolls: ${box.clientHeight} of ${box.scrollHeight} px are in view`]];
    };
    // What its author calls a control, or else its name.
    const called = (e) => {
      const own = ["id", ...TEST_IDS].map((name) => e.getAttribute(name)).find((name) => name && !/\d/.test(name));
      return (own || labelOf(e) || squash(e.placeholder) || nameOf(e)).replace(/\d+/g, "0").replaceAll("|", " ").slice(0, 60);
    };
    // The signs that there are more elements, as [kind, text]. None is certain: the referee judges them, and a replay
    // accepts no new kind; "" is a sign that all of them can be reached.
    const signs = (members, container) => {
      const beside = besides(container, members);
      const controls = beside.filter((e) => e.matches("a,button,summary,[role=button]"));
      const isBusy = [container, ...below(container), ...members].some((e) => e.getAttribute("aria-busy") === "true" && shown(e));
      return [
        ...pagerSigns(controls, beside, members.length),
        ...loadSigns(controls, beside, members.at(-1)),
        ...(isBusy ? [["busy", "a part of them is loading (aria-busy)"]] : []),
        ...fieldSigns(beside),
        ...scrollSigns(container, members),
        ...ariaSigns(members, container),
      ];
    };
    const othersLike = (members, test) => {
      const [around, own] = [countAround(members), new Set(members)];
      return outermost(below(top.body).filter((e) => !around.has(e) && test(e) && counts(e) && !isHeader(e) && !oneAround(e, own)));
    };
    const elsewhere = (members, test) => {
      const others = othersLike(members, test);
      const places = new Map();
      for (const e of others) {
        let part = up(e);
        while (part !== top.body && !part.matches(PART) && !labelOf(part) && !headingOf(part)) part = up(part) || top.body;
        places.set(part, (places.get(part) || 0) + 1);
      }
      return [...places].slice(0, 6).map(([part, n]) => [n, whereIs(part)]);
    };

    // What tells the set from others: its title only if no other set of the pattern has the same, and theirs.
    const setting = (members, test) => {
      const own = settingOf(members);
      const lists = Map.groupBy(othersLike(members, test), (e) => listOf(e) ?? up(e));
      const settings = [...lists.values()].map(settingOf);
      const shared = settings.some((s) => s.title === own.title && s.part === own.part);
      const others = [...new Set(settings.map((s) => s.title))].filter((title) => title && title !== own.title).slice(0, 5);
      const texts = own.texts.filter((text) => own.texts.length === 1 || own.texts.some((other) => other !== text));
      return { ...own, title: shared ? null : own.title, texts: [...new Set(texts)].filter(Boolean).slice(0, 5), others };
    };

    // The container of cited elements, and the number of levels from them up to the items in it.
    const boxOf = (cited) => {
      if (cited.length === 1) return nearestBox(cited[0]);
      const container = commonOf(up(cited[0]), cited) || top.body;
      return [container, levels(cited, container)];
    };
    const itemOf = (container, member, height) => holds(container, lift(member, height)) ? lift(member, height) : member;

    const find = (cited, named) => {
      const hidden = cited.find((e) => !counts(e));
      if (hidden) return { refusal: `${quoted(shownTextOf(hidden).slice(0, 60) || hidden.localName)} cannot be seen: cite visible elements` };
      const every = new Set(cited);
      const nested = cited.find((e) => oneAround(up(e), every));
      if (nested) return { refusal: `${quoted(shownTextOf(nested).slice(0, 60))} is inside another cited element: cite elements of one level` };
      let [container, height] = boxOf(cited);
      const all = (pattern, where = container) => outermost(below(where).filter((e) => pattern.test(e) && !isHeader(e))).filter(counts);
      const hasAll = (some, others) => {
        const known = new Set(some);
        return others.every((e) => known.has(e));
      };
      const equal = (a, b) => a.length === b.length && hasAll(b, a);
      const isNamed = (pattern) => pattern.kind.includes(" named ");
      // A control counted by its name: use the widest container in which it is the only one of that name.
      const own = named && cited.length === 1 && patterns(cited, up(cited[0]), 0, true).find(isNamed);
      if (own) {
        [container, height] = [up(cited[0]), 0];
        while (container !== top.body && equal(all(own, up(container)), cited)) container = up(container);
      } else container = widen(cited, container, height);
      let members = own ? all(own) : gather(cited, container, height);
      let fitting = own ? [own] : [];
      if (members.length > cited.length) {
        // Controls of the same name may be a set.
        fitting = patterns(cited, container, height).filter((p) => isNamed(p) && equal(all(p), cited));
        if (fitting.length) members = cited;
      }
      const shared = patterns(members, container, height);
      if (!fitting.length) fitting = shared.filter((p) => equal(all(p), members));
      if (!fitting.length) {
        // No pattern matches just these members: take the narrowest that matches them all.
        const wider = shared.map((p) => [all(p), p]).filter(([some]) => hasAll(some, members)).sort((a, b) => a[0].length - b[0].length);
        if (!wider.length) return { refusal: "the elements share no role, test id, class or position: cite elements of one kind" };
        members = wider[0][0];
        fitting = wider.filter(([some]) => equal(some, members)).map(([, p]) => p);
      }
      const found = new Set(members);
      members = below(container).filter((e) => found.has(e));
      setItems = members.map((m) => itemOf(container, m, height));
      const known = setting(members, fitting[0].test);
      // The smallest part around its title that has such elements, whatever the markup.
      let box = container;
      while (known.title && box && !squash(box.textContent).includes(known.title)) box = up(box);
      const titled = known.title && !/\d/.test(known.title) && box && box !== top.body
        ? [`get_by_text(${quoted(known.title)}, exact=True).locator(${quoted(`xpath=ancestor::*[.//${members[0].localName}][1]`)})`] : [];
      const places = containers(container);
      const codes = fitting.slice(0, 5).flatMap((p, at) => (at ? places.slice(0, 3) : [...places.slice(0, 8), ...titled]).flatMap((place) => [...p.codes, ...shared.filter((s) => s.kind.startsWith("tag")).flatMap((s) => s.codes.slice(1))].map((code) => [at, `${place}.${code}`])));
      const more = signs(members, container);
      const counted = countAround(members);
      // A list with a title is found by that, wherever it is.
      const wide = known.one && known.title && fitting.flatMap((p) => p.codes).find((code) => !code.includes(":scope"));
      return {
        patterns: fitting.slice(0, 5).map((p) => ({ kind: p.kind, elsewhere: elsewhere(members, p.test) })),
        codes,
        container: whereIs(container),
        members: members.map(numberOf),
        texts: members.map(wordsOf),
        without: itemsIn(container, members.map((m) => lift(m, height))).filter((i) => counts(i) && !counted.has(i)).length,
        more: more.map(([, text]) => text),
        signs: [...new Set(more.map(([kind]) => kind))].filter(Boolean),
        setting: known,
        wide: wide ? `locator("body").${wide}` : "",
      };
    };

    const verbs = {
      find({ document, numbers, named }) {
        const cited = numbers.map(nodeOf);
        if (document !== state.document || !cited.every((e) => e?.isConnected)) return { refusal: "a cited element is no longer on the page: cite elements of the current page" };
        return find([...new Set(cited)], named);
      },
      // The signs that there are more than the members of a set that was found again, or others than the
      // recorded `parts` among them.
      signs({ document, numbers, parts }) {
        const members = numbers.map(nodeOf).filter((e) => e?.isConnected);
        if (document !== state.document || !members.length) return [];
        const [inner, height] = boxOf(members);
        const container = widen(members, inner, height);
        setItems = members.map((m) => itemOf(container, m, height));
        const strangers = strangersAmong(members, parts).map((e) => ["stranger", `${quoted(wordsOf(e).slice(0, 60))} is built like none of them then`]);
        return [...signs(members, container), ...strangers].filter(([kind]) => kind);
      },
      // The elements that the locator of a request finds, each with whether it counts.
      asked({ request }) {
        return askedIn(request)(0).map((e) => [numberOf(e), counts(e)]);
      },
    };

    return reply(body, (verb, argument) => verbs[verb](argument));
  },
})
