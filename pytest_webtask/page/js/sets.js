// A selector engine that finds sets: the repeating pattern of cited elements, and all elements that match
// it. It shares the node numbers of `engine.js` and writes nothing into the document.
(dom) => {
  const { top, state, askedIn, commonOf, hasText, TEST_IDS, isPassword, HEADING, levelOf, headingsIn, isBefore,
    SKIPPED, numberOf, nodeOf, cached, squash, up, holds, isVisible: visible, isShown: shown, isField, valueOf,
    isNoMember: isHeader, undrawnIn, columnOf, headingsOf, containersOf, roleOf, renderedTextOf, ITEM, LISTS, CELLS,
    listOf, partsOf, haveMost, settingOf, strangersAmong, classesOf, scrollerOf, nameOf: fullNameOf } = dom;
  const quoted = (text) => JSON.stringify(text);
  const same = (values) => new Set(values).size === 1 ? values[0] : "";
  const lift = (e, levels) => levels > 0 && up(e) ? lift(up(e), levels - 1) : e;
  // The path from the container's child down to the element.
  const chainOf = (container, e) => !e || e === container ? [] : [...chainOf(container, up(e)), e];
  const isContent = (e) => !SKIPPED.test(e.localName);
  const children = (e) => [...(e.shadowRoot?.children || []), ...e.children].filter(isContent);
  const below = cached((e) => children(e).flatMap((c) => [c, ...below(c)]));
  const MEMBER = `${ITEM},dt,dd,[role=menuitem]`;
  const LIST = `${LISTS},tbody,[role=rowgroup]`;
  const PART = `${LIST},body,main,nav,aside,header,footer,dialog,form,fieldset,section,` +
    "[role=dialog],[role=alertdialog],[role=region]";

  // --- Texts ---------------------------------------------------------------------------------

  // The text that a user sees in an element: the value of a field, the texts of a component.
  const shownTextOf = cached((e) => {
    if (isPassword(e) || /^(checkbox|radio)$/.test(e.type)) return "";
    if (isField(e)) return squash(valueOf(e));
    // A host also shows its shadow tree, and a slot its assigned elements.
    const assigned = [...e.querySelectorAll("slot")].flatMap((slot) => slot.assignedNodes({ flatten: true }));
    const nodes = [e, ...(e.shadowRoot?.children || []), ...assigned];
    return squash(nodes.map((n) => n.nodeType === 1 ? renderedTextOf(n) : n.textContent).join(" "));
  });
  const CONTROL = "a[href],button,input,select,textarea,img,svg,canvas,[role=button],[role=img],[role=checkbox]";
  // Spacers and separators are empty.
  const saysAny = (e) => e.matches(CONTROL) || shownTextOf(e) || labelOf(e);
  const counts = (e) => shown(e) && [e, ...below(e)].some(saysAny);
  // The name that its author gave an element.
  const labelOf = cached((e) => fullNameOf(e, { content: false }));
  const nameOf = cached((e) => fullNameOf(e) || shownTextOf(e));
  // The text of a member in the list of a set; for a control that is on or off, with its state.
  const wordsOf = (e) => {
    const isBox = e.matches("input[type=checkbox],input[type=radio]");
    const on = isBox ? `${e.checked}` : e.getAttribute("aria-checked") || e.getAttribute("aria-pressed");
    const name = (on && nameOf(e)) || shownTextOf(e) || nameOf(e) || below(e).map(labelOf).find(Boolean) || "";
    const suffix = on && (on === "true" ? "(on)" : on === "mixed" ? "(partly on)" : "(off)");
    return [name.slice(0, 200), suffix].filter(Boolean).join(" ");
  };
  // Whether a container shows any text other than that of the items.
  const says = (container, items) => {
    const left = new Set(items);
    const inside = (node) => !left.has(node) && ((hasText(node) && visible(node)) || children(node).some(inside));
    return inside(container);
  };

  // --- Likeness ------------------------------------------------------------------------------

  const commonClasses = (some) => classesOf(some[0]).filter((name) => some.every((e) => e.classList.contains(name)));
  const INLINE = /^(b|i|em|strong|br|mark|small|svg|path|wbr)$/;
  const isLeaf = cached((e) => below(e).every((c) => INLINE.test(c.localName)));
  const typeface = (e) => {
    const { fontSize, fontWeight, textTransform, color } = getComputedStyle([e, ...below(e)].find(hasText) || e);
    return [fontSize, fontWeight, textTransform, color].join();
  };
  const sharedClasses = (a, b) => classesOf(a).filter((name) => classesOf(b).includes(name)).length;
  const areRelated = (a, b) => !classesOf(a).length || !classesOf(b).length || sharedClasses(a, b) > 0;
  // Whether an element is of the kind of another one: of its tag, and of most of its classes or built like it.
  const alike = (a, b) => {
    if (a.localName !== b.localName || isHeader(b)) return false;
    const shared = sharedClasses(a, b);
    const hasMost = shared > 0 && 3 * shared >= classesOf(a).length + classesOf(b).length;
    if (a.matches(MEMBER) || a.localName.includes("-") || hasMost) return true;
    if (isLeaf(a) || isLeaf(b)) return isLeaf(a) === isLeaf(b) && areRelated(a, b);
    // The head of a list may be built like its items, but is set in another font.
    const [mine, others] = [a, b].map((e) => [...new Set(partsOf(e))]);
    return haveMost(mine, others) && (areRelated(a, b) || typeface(a) === typeface(b));
  };

  // --- The pattern ---------------------------------------------------------------------------

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
  const outermost = (some) => {
    const all = new Set(some);
    return some.filter((e) => !oneAround(up(e), all));
  };
  // The number of levels from the cited elements up to the items around them.
  const levels = (cited, container) => {
    const around = countAround(cited);
    const above = (c) => chainOf(container, up(c)).filter((e) => around.get(e) === 1).length;
    return Math.min(...cited.map(above));
  };
  const spots = cached((parent) => {
    const byTag = [...Map.groupBy(children(parent), (c) => c.localName).values()];
    return new Map(byTag.flatMap((some) => some.map((c, i) => [c, i])));
  });
  const spot = (e) => spots(up(e)).get(e);
  const tagsOf = (chain) => chain.map((e) => e.localName).join(">");
  const itemOf = (container, member, height) => {
    const item = lift(member, height);
    return holds(container, item) ? item : member;
  };
  // The items in the container that are like those of the cited elements, including these.
  const itemsIn = (container, items) => {
    const chains = items.map((item) => chainOf(container, item));
    const like = (some, own) => some.filter((s) => own.some((o) => o === s || alike(o, s)));
    if (!same(chains.map((c) => `${c.length}`))) return like([...new Set(items.map(up))].flatMap(children), items);
    const ownAt = (i) => [...new Set(chains.map((c) => c[i]))];
    return chains[0].reduce((level, _, i) => like(level.flatMap(children), ownAt(i)), [container]);
  };
  // The element of an item in the place of the cited one in its own item. One of other classes is of another kind.
  const inPlace = (item, cited, own) => {
    if (own === cited) return [item];
    const place = (from, e) => chainOf(from, e).map((n) => `${n.localName} ${spot(n)}`).join();
    return below(item).filter((x) => areRelated(cited, x) && place(item, x) === place(own, cited));
  };
  // The cited elements and all in the container that are like them: in the same place of the items beside theirs, or
  // of the same test id or classes.
  const gather = (cited, container, height) => {
    const items = cited.map((c) => lift(c, height));
    const citedIn = new Map(items.map((item, i) => [item, cited[i]]));
    const [known, common] = [new Set(cited), commonClasses(cited)];
    const test = TEST_IDS.find((name) => same(cited.map((c) => c.getAttribute(name) || "")));
    const hasAll = (x) => common.length > 0 && common.every((name) => x.classList.contains(name));
    const isTested = (x) => test && x.getAttribute(test) === cited[0].getAttribute(test);
    // In the items of cited elements only those right beside them.
    const isFree = (x) => {
      const item = oneAround(x, citedIn);
      return !item || (up(x) === up(citedIn.get(item)) && !item.matches(MEMBER));
    };
    const found = below(container).filter((x) => isTested(x) || (hasAll(x) && alike(cited[0], x) && isFree(x)));
    const others = itemsIn(container, items).filter((item) => !citedIn.has(item));
    const placed = others.flatMap((item) => inPlace(item, cited[0], items[0]));
    const around = countAround(cited);
    const isOther = (x) => !around.has(x) && !oneAround(x, known) && counts(x) && !isHeader(x);
    return outermost([...cited, ...new Set([...placed, ...found].filter(isOther))]);
  };
  // The nearest container in which an element has similar ones; without any, the one that it fills.
  const nearestBox = (cited) => {
    let filled = null;
    const around = chainOf(null, up(cited)).reverse().slice(0, -1);
    for (const [height, node] of around.entries()) {
      const e = lift(cited, height);
      if (e.matches(CELLS) && node.matches("tr,[role=row]")) continue;
      const gathered = gather([cited], node, height);
      // If one item has several such elements, the items are separate lists.
      if (height && new Set(gathered.map((x) => chainOf(node, x)[0])).size < gathered.length) break;
      if (gathered.length > 1) return [node, height];
      const isEnd = node.matches(PART);
      if (!filled && (isEnd || says(up(node) || node, [cited]))) filled = [node, 0];
      if (isEnd && (node.matches(LIST) ? e.matches(MEMBER) : !node.matches("section,form,header,footer"))) break;
    }
    return filled || [top.body, 0];
  };
  // The container of cited elements, and the number of levels from them up to the items in it.
  const boxOf = (cited) => {
    if (cited.length === 1) return nearestBox(cited[0]);
    const container = commonOf(up(cited[0]), cited) || top.body;
    return [container, levels(cited, container)];
  };
  // The container, widened beyond boxes that show only their items: these do not separate sets. Headings do.
  const widen = (cited, container, height) => {
    const common = commonClasses(cited);
    const ends = PART.replace("tbody,", "");
    for (let box = container; up(box) && !box.matches(ends); box = up(box)) {
      const items = gather(cited, container, height).map((e) => itemOf(container, e, height));
      if (labelOf(box) || says(box, items)) break;
      const isNext = (s) => s !== box && shown(s) && alike(box, s) && headingsOf(s)[0] === headingsOf(box)[0];
      if (!children(up(box)).some(isNext)) continue;
      // Elements without any of the cited classes are of another kind.
      const added = gather(cited, up(box), height).filter((x) => !holds(box, x));
      const isOfKind = (x) => common.some((name) => x.classList.contains(name));
      if (!added.length || !common.length || added.some(isOfKind)) container = up(box);
    }
    return container;
  };

  const css = (selector) => `locator(${quoted(selector)})`;
  // The beginning that texts have in common, as far as it fits a form.
  const headOf = (texts, form) => {
    let n = 0;
    while (n < texts[0].length && texts.every((text) => text[n] === texts[0][n])) n++;
    return texts[0].slice(0, n).match(form)?.[0] ?? "";
  };
  // What their author calls all of them, or each with a key of its own between a head and a tail.
  const byId = (members, name) => {
    const values = members.map((e) => e.getAttribute(name) || "");
    const [word, whole] = [name === "id" ? "id" : "test id", same(values)];
    if (!values.every(Boolean) || (name === "id" && /\d/.test(whole))) return [];
    if (whole) {
      const own = name === "data-testid" ? [`get_by_test_id(${quoted(whole)})`] : [];
      const selector = `[${name}=${quoted(whole)}]`;
      return [[`${word} ${quoted(whole)}`, (e) => e.matches(selector), ...own, css(selector)]];
    }
    const reverse = (text) => [...text].reverse().join("");
    const head = headOf(values, /^\D*[-_:/.]|^\D+$/);
    const tail = reverse(headOf(values.map(reverse), /^\D*[-_:/.]/));
    const selector = (head && `[${name}^=${quoted(head)}]`) + (tail && `[${name}$=${quoted(tail)}]`);
    if (head.length + tail.length < 3) return [];
    return [[`${word} ${quoted(`${head}…${tail}`)}`, (e) => e.matches(selector), css(selector)]];
  };
  const OPERABLE = /^(button|link|checkbox|radio|switch|tab|menuitem)$/;
  const byRole = (members, isNamed) => {
    const role = same(members.map(roleOf));
    if (!role) return [];
    const level = role === "heading" && same(members.map(levelOf));
    const name = same(members.map(nameOf));
    const code = `get_by_role(${quoted(role)}${level ? `, level=${level}` : ""})`;
    const hasRole = (e) => roleOf(e) === role && (!level || levelOf(e) === level);
    const codes = role === "row" ? [code, `${code}.filter(has_not=get_by_role("columnheader"))`] : [code];
    const found = [[`role ${role}`, hasRole, ...codes]];
    if (OPERABLE.test(role) && name && isNamed) {
      const called = `get_by_role(${quoted(role)}, name=${quoted(name)}, exact=True)`;
      found.push([`role ${role} named ${quoted(name)}`, (e) => roleOf(e) === role && nameOf(e) === name, called]);
    }
    return found;
  };
  const byColumn = (members) => {
    const head = same(members.map((e) => e.localName === "td" ? columnOf(e) : ""));
    if (!head || head.includes("'")) return [];
    const before = `count(ancestor::table[1]//th[normalize-space()='${head}']/preceding-sibling::*)`;
    const isIn = (e) => e.localName === "td" && columnOf(e) === head;
    return [[`column ${quoted(head)}`, isIn, css(`xpath=.//td[count(preceding-sibling::*) = ${before}]`)]];
  };
  const byClass = (members) => {
    // A class that different elements share is only for styling.
    const unlike = (name) => [...top.getElementsByClassName(name)].filter((e) => !alike(members[0], e)).length;
    const names = commonClasses(members).sort((a, b) => unlike(a) - unlike(b));
    const all = names.length > 1 ? [names.slice(0, 6)] : [];
    return [...names.map((name) => [name]), ...all].map((some) => {
      const selector = some.map((name) => `.${CSS.escape(name)}`).join("");
      return [`class ${quoted(some.join(" "))}`, (e) => e.matches(selector), css(selector)];
    });
  };
  const byPlace = (members, container, height) => {
    const chains = members.map((e) => chainOf(container, e));
    if (!same(chains.map(tagsOf))) return [];
    const levelAt = (i) => chains.map((c) => c[i]);
    const steps = chains[0].map((e, i) => [e.localName, ...commonClasses(levelAt(i)).slice(0, 1)].join("."));
    const places = steps.map((_, i) => i >= steps.length - height ? same(levelAt(i).map((e) => spot(e) + 1)) : "");
    return [false, true].map((isExact) => {
      const path = steps.map((s, i) => s + (isExact && places[i] ? `:nth-of-type(${places[i]})` : ""));
      const test = (e) => path.every((step, i) => lift(e, path.length - 1 - i).matches(step));
      return [`place ${quoted(path.slice(-height - 1).join(" > "))}`, test, css(`:scope > ${path.join(" > ")}`)];
    });
  };
  const byTag = (members) => {
    const tag = same(members.map((e) => e.localName));
    return tag ? [[`tag ${tag}`, (e) => e.localName === tag, css(tag), css(`:scope > ${tag}`)]] : [];
  };
  // The patterns that all elements share, the most lasting first.
  const patterns = (members, container, height, isNamed = members.length > 1) => [
    ...[...TEST_IDS, "id"].flatMap((name) => byId(members, name)),
    ...byRole(members, isNamed),
    ...byColumn(members),
    ...byClass(members),
    ...byPlace(members, container, height),
    ...byTag(members),
  ].map(([kind, test, ...codes]) => ({ kind, test, codes }));

  // --- The container -------------------------------------------------------------------------

  // What the cited elements or those of a set that was found again stand in.
  let setItems = [];
  // Locators of an element by what its author calls it, its role and name, or its classes; those with digits last.
  const handles = (e) => {
    const [role, name] = [roleOf(e), labelOf(e)];
    const ids = ["id", ...TEST_IDS].flatMap((key) => byId([e], key)).map((found) => found.at(-1));
    const called = name ? `, name=${quoted(name)}, exact=True` : "";
    const byName = role && (name || role !== "rowgroup") ? [`get_by_role(${quoted(role)}${called})`] : [];
    const locators = [...ids, ...byName, ...classesOf(e).map((one) => css(`.${CSS.escape(one)}`))];
    return locators.sort((a, b) => /"[^"]*\d[^"]*"/.test(a) - /"[^"]*\d[^"]*"/.test(b));
  };
  // Locators of a container: its own, as the first of its tag after its heading, and in what it stands in. Whether
  // one finds only this is tried out.
  const containers = (e) => {
    if (e === top.body) return [css("body")];
    const own = handles(e).slice(0, 4);
    const outer = chainOf(top.body, up(e)).reverse().flatMap((n) => handles(n).slice(0, 2)).slice(0, 5);
    const inside = outer.flatMap((code) => [...own.slice(0, 2).map((each) => `${code}.${each}`), code]);
    const heading = headingsIn(top).findLast((h) => shown(h) && isBefore(h, e) && !holds(e, h));
    const title = squash(heading?.textContent);
    const after = !title || /\d/.test(title) ? []
      : [`get_by_role("heading", name=${quoted(title)}, exact=True).${css(`xpath=following::${e.localName}[1]`)}`];
    const stepOf = (n) => children(up(n)).length === 1 ? n.localName : `${n.localName}:nth-of-type(${spot(n) + 1})`;
    const path = ["body", ...chainOf(top.body, e).map(stepOf)].join(" > ");
    return [...own.slice(0, 1), ...after, ...own.slice(1), ...inside, css("body"), css(path)];
  };
  // A container in words, with its name or heading or the nearest one around it; `member` is in it.
  const whereIs = (container, member) => {
    const [author] = classesOf(container);
    const kind = roleOf(container) || (author ? `class ${quoted(author)}` : container.localName);
    const own = container === top.body ? "the page" : kind;
    const named = [{ e: container, name: labelOf(container).slice(0, 80) }, ...containersOf(member)];
    const around = named.find((c) => c.name && (c.under || holds(c.e, container)));
    if (!around) return own;
    const name = quoted(around.name);
    if (around.e === container) return `${own} ${name}`;
    return around.under ? `${own} under ${name}` : `${own} in ${around.kind} ${name}`;
  };
  const othersLike = (members, test) => {
    const [around, own] = [countAround(members), new Set(members)];
    const isOther = (e) => !around.has(e) && test(e) && counts(e) && !isHeader(e) && !oneAround(e, own);
    return outermost(below(top.body).filter(isOther));
  };
  // How many elements of the pattern are in other containers, as [number, place].
  const elsewhere = (others, height) => {
    const places = Map.groupBy(others, (e) => listOf(e) ?? up(lift(e, height)) ?? top.body);
    return [...places].slice(0, 6).map(([place, some]) => [some.length, whereIs(place, some[0])]);
  };

  // What tells the set from others: its title only if no other set of the pattern has the same, and theirs.
  const setting = (members, others) => {
    const own = settingOf(members);
    const settings = [...Map.groupBy(others, (e) => listOf(e) ?? up(e)).values()].map(settingOf);
    const isShared = settings.some((s) => s.title === own.title && s.part === own.part);
    const few = (some) => [...new Set(some)].filter(Boolean).slice(0, 5);
    const titles = few(settings.map((s) => s.title).filter((title) => title !== own.title));
    const texts = few(own.texts);
    const isTold = texts.length > 1 || own.texts.length === 1;
    return { ...own, title: isShared ? null : own.title, texts: isTold ? texts : [], others: titles };
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
    const isAfterStart = (e) => !start || holds(start, e) || isBefore(start, e);
    return found.filter((e) => isAfterStart(e) && (!end || isBefore(e, end)));
  };
  const isEnabled = (e) => !e.disabled && !e.closest(".disabled,[disabled],[aria-disabled=true]");
  const PAGER = "[rel~=next],[class*=pagin i],[class*=pager i],[aria-label*=pagin i]";
  const isNumber = (e) => /^\d{1,4}$/.test(shownTextOf(e));
  // "1-3 of 57" beside three elements, or "3 / 57".
  const isRange = (e, count) => {
    const text = shownTextOf(e);
    // A price, a share, a time, a date.
    const isOther = /\p{Sc}|%|\d[:.,]\d\d?(?!\d)|\d[-./]\d\d?[-./]\d/u.test(text);
    if (text.length > 60 || isOther || below(e).some((c) => c.matches(CONTROL))) return false;
    const numbers = (text.match(/\d+([.,]\d{3})*/g) ?? []).map((n) => +n.replace(/\D/g, ""));
    const all = Math.max(...numbers);
    const [from, to] = numbers.filter((n) => n !== all || n === count);
    if (all <= count) return false;
    return numbers.length === 2 ? from === count : numbers.length === 3 && (to ?? all) - from + 1 === count;
  };
  const pagerSigns = (controls, beside, count) => {
    const ranges = outermost(beside.filter((e) => isRange(e, count)));
    const texts = ranges.map((e) => `the text ${quoted(shownTextOf(e))}`);
    // The numbers of a calendar or of records are in rows.
    const numbers = beside.filter((e) => isNumber(e) && isLeaf(e) && !e.closest(CELLS)).map((e) => +shownTextOf(e));
    const isPaged = controls.some(isNumber) && numbers.some((n, i) => n === numbers[i - 1] + 1);
    const pagers = controls.filter((e) => isEnabled(e) && !isNumber(e) && e.closest(PAGER));
    const names = pagers.slice(0, 4).map((e) => quoted((nameOf(e) || "next").slice(0, 40)));
    return [
      ...texts,
      ...(isPaged ? [`page numbers ${numbers.slice(0, 8).join(", ")}`] : []),
      ...(names.length ? [`controls for other pages: ${names.join(", ")}`] : []),
    ].map((text) => ["part", text]);
  };
  // A control for more right after the last member, alone on its line.
  const MORE = /\b(more|all|next|older|load|show|view|see|mehr|weitere|plus|voir|más|ver)\b|ещё|еще|更多|もっと|次/i;
  const loadSigns = (controls, beside, last) => {
    const after = (e) => isBefore(last, e) && shownTextOf(e);
    const control = controls.find(after);
    if (!control || !isEnabled(control) || control.closest(PAGER) || !MORE.test(nameOf(control))) return [];
    const text = `right after them the ${roleOf(control)} ${quoted(nameOf(control).slice(0, 60))}`;
    return after(beside.find(after)) === after(control) ? [[`after ${called(control)}`, text]] : [];
  };
  const ariaSigns = (members, container) => {
    const list = container.closest("[aria-rowcount]") ?? container;
    const [count, drawn] = members[0].matches(ITEM) ? undrawnIn(list) : [];
    return count ? [["part", `there are ${count} according to ARIA, of which ${drawn} are drawn`]] : [];
  };
  // A box that scrolls and of which the members fill only a part, as others are drawn later. The page does not count,
  // because it also scrolls other content.
  const scrollSigns = (container, members) => {
    const box = scrollerOf(container);
    if (!box || says(box, [...setItems, ...below(box).filter(isHeader)])) return [];
    const rects = members.map((m) => m.getBoundingClientRect());
    const filled = Math.round(Math.max(...rects.map((r) => r.bottom)) - Math.min(...rects.map((r) => r.top)));
    if (filled >= 0.7 * box.scrollHeight) return [];
    const text = `it scrolls over ${box.scrollHeight} px, of which these fill ${filled}: others may be drawn later`;
    return [["part", text]];
  };
  // What its author calls a control, or else its name.
  const called = (e) => {
    const own = ["id", ...TEST_IDS].map((name) => e.getAttribute(name)).find((name) => name && !/\d/.test(name));
    return (own || nameOf(e)).replace(/\d+/g, "0").replaceAll("|", " ").slice(0, 60);
  };
  // The signs that there are more elements, as [kind, text]. None is certain: the referee judges them, and a replay
  // accepts no new kind.
  const signs = (members, container) => {
    const beside = besides(container, members);
    const controls = beside.filter((e) => e.matches("a,button,summary,[role=button]"));
    const isBusy = [container, ...below(container)].some((e) => e.ariaBusy === "true" && shown(e));
    return [
      ...pagerSigns(controls, beside, members.length),
      ...loadSigns(controls, beside, members.at(-1)),
      ...(isBusy ? [["busy", "a part of them is loading (aria-busy)"]] : []),
      ...scrollSigns(container, members),
      ...ariaSigns(members, container),
    ];
  };

  // --- Finding -------------------------------------------------------------------------------

  const all = ({ test }, where) => outermost(below(where).filter((e) => test(e) && !isHeader(e))).filter(counts);
  const hasAll = (some, others) => ((known) => others.every((e) => known.has(e)))(new Set(some));
  const equal = (a, b) => a.length === b.length && hasAll(b, a);
  const isNamed = (pattern) => pattern.kind.includes(" named ");
  // Why elements can't be a set, "" if they can.
  const refusalOf = (cited) => {
    const brief = (e) => quoted(shownTextOf(e).slice(0, 60) || e.localName);
    const [every, hidden] = [new Set(cited), cited.find((e) => !counts(e))];
    if (hidden) return `${brief(hidden)} cannot be seen: cite visible elements`;
    const nested = cited.find((e) => oneAround(up(e), every));
    return nested ? `${brief(nested)} is inside another cited element: cite elements of one level` : "";
  };
  // A control counted by its name, in the widest container in which it is the only one of that name.
  const namedSet = (control) => {
    const own = patterns([control], up(control), 0, true).find(isNamed);
    if (!own) return null;
    let container = up(control);
    while (container !== top.body && equal(all(own, up(container)), [control])) container = up(container);
    return { container, height: 0, members: [control], fitting: [own] };
  };
  // The set of cited elements: its container, the levels up to its items, and the patterns of just its members.
  const setOf = (cited) => {
    const [inner, height] = boxOf(cited);
    const container = widen(cited, inner, height);
    const members = gather(cited, container, height);
    // Controls of the same name may be a set.
    const own = members.length > cited.length ? patterns(cited, container, height).filter(isNamed) : [];
    const named = own.filter((pattern) => equal(all(pattern, container), cited));
    if (named.length) return { container, height, members: cited, fitting: named };
    const found = patterns(members, container, height).map((pattern) => [all(pattern, container), pattern]);
    // If no pattern matches just these members, the narrowest that matches them all.
    const wider = found.filter(([some]) => hasAll(some, members)).sort((a, b) => a[0].length - b[0].length);
    const fitting = wider.filter(([some]) => equal(some, wider[0][0])).map(([, pattern]) => pattern);
    return { container, height, members: wider[0]?.[0] ?? [], fitting };
  };
  // The locators of the members: [index of the pattern, code].
  const codesOf = (fitting, shared, container, member, title) => {
    // The smallest part around its title that has such elements, whatever the markup.
    const path = `xpath=ancestor::*[.//${member.localName}][1]`;
    const isLasting = title && !/\d/.test(title);
    const titled = isLasting ? [`get_by_text(${quoted(title)}, exact=True).${css(path)}`] : [];
    const places = containers(container);
    const tags = shared.filter((p) => p.kind.startsWith("tag")).flatMap((p) => p.codes.slice(1));
    return fitting.slice(0, 5).flatMap((pattern, at) => (at ? places.slice(0, 5) : [...places, ...titled])
      .flatMap((place) => [...pattern.codes, ...tags].map((code) => [at, `${place}.${code}`])));
  };
  const find = (cited, named) => {
    const refusal = refusalOf(cited);
    if (refusal) return { refusal };
    const own = named && cited.length === 1 ? namedSet(cited[0]) : null;
    const { container, height, members: found, fitting } = own ?? setOf(cited);
    const problem = "the elements share no role, test id, class or position: cite elements of one kind";
    if (!fitting.length) return { refusal: problem };
    const ordered = new Set(found);
    const members = below(container).filter((e) => ordered.has(e));
    setItems = members.map((m) => itemOf(container, m, height));
    const others = othersLike(members, fitting[0].test);
    const known = setting(members, others);
    const more = signs(members, container);
    const counted = countAround(members);
    // A list with a title is found by that, wherever it is.
    const wide = known.one && known.title && fitting.flatMap((p) => p.codes).find((code) => !code.includes(":scope"));
    return {
      patterns: fitting.slice(0, 5)
        .map(({ kind, test }) => ({ kind, elsewhere: elsewhere(othersLike(members, test), height) })),
      codes: codesOf(fitting, patterns(members, container, height), container, members[0], known.title),
      container: whereIs(container, setItems[0]),
      members: members.map(numberOf),
      texts: members.map(wordsOf),
      without: itemsIn(container, setItems).filter((item) => counts(item) && !counted.has(item)).length,
      more: more.map(([, text]) => text),
      signs: [...new Set(more.map(([kind]) => kind))],
      setting: known,
      wide: wide ? `${css("body")}.${wide}` : "",
    };
  };

  return {
    find({ document, numbers, named }) {
      const cited = numbers.map(nodeOf);
      const isGone = document !== state.document || !cited.every((e) => e?.isConnected);
      if (isGone) return { refusal: "a cited element is no longer on the page: cite elements of the current page" };
      return find([...new Set(cited)], named);
    },
    // The signs that there are more than the members of a set that was found again, or others than the
    // recorded `parts` among them.
    signs({ document, numbers, parts }) {
      const members = numbers.map(nodeOf).filter((e) => e?.isConnected);
      if (document !== state.document || !members.length) return [];
      const [container, height] = boxOf(members);
      setItems = members.map((m) => itemOf(container, m, height));
      const isUnlike = (e) => ["stranger", `${quoted(wordsOf(e).slice(0, 60))} is built like none of them then`];
      return [...signs(members, container), ...strangersAmong(members, parts).map(isUnlike)];
    },
    // The elements that the locator of a request finds, each with whether it counts.
    asked: ({ request }) => askedIn(request)(0).map((e) => [numberOf(e), counts(e)]),
  };
}
