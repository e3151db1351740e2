// A selector engine that helps to resolve a name. Playwright decides which elements have the name; the
// functions here only decide which of its queries are worth making, which of the elements fit the verb,
// and which of them are where the sentence says. `webtask_match=call:<base64 of JSON>` runs one of them with
// the elements that `webtask=ask` has noted for each way of a request, and what it is given.
((functionsOf) => ({
  queryAll(root, body) {
    const dom = globalThis.__webtask_dom(document, globalThis.__webtask ??= {});
    return dom.reply(body, (name, { request, ways, given }) => {
      const asked = dom.askedIn(request);
      return functionsOf(dom, root)[name](Array.from({ length: ways }, (_, way) => asked(way)), given);
    });
  },
}))((dom, queried) => {
  const OPERABLE =
    'a[href],area[href],button,input,select,textarea,summary,label,option,[onclick],[draggable=true],' +
    '[contenteditable]:not([contenteditable=false]),[role=button],[role=link],[role=tab],' +
    '[role=checkbox],[role=radio],[role=switch],[role^=menuitem],[role=option],[role=treeitem]';
  const NAMED =
    'a,area,button,input,select,textarea,option,img,svg,h1,h2,h3,h4,h5,h6,li,ul,ol,tr,td,th,label,' +
    '[role],[contenteditable],[aria-label],[aria-labelledby],[title],[alt],[placeholder]';
  const ITEM =
    'tr,li,article,dialog,[role=row],[role=listitem],[role=article],[role=option],' +
    '[role=treeitem],[role=dialog],[role=alertdialog]';
  const LANDMARK =
    'nav,main,aside,dialog,[role=navigation],[role=main],[role=complementary],[role=dialog],' +
    '[role=alertdialog],body>header,body>footer,[role=banner],[role=contentinfo]';
  const SECTION = `${ITEM},${LANDMARK},section,fieldset,form,[role=region],[role=group],[role=form]`;

  const { squash: tidy, up, holds, closest, everywhere: all, HEADING, levelOf: level, isBefore, labelledBy, isRendered: visible, isPage,
    isVisible: canSee, standInOf, rolesIn, nativeRoleOf, renderedTextOf, isHeadRow, isSlider, fieldIn, nameOf: fullNameOf } = dom;

  // Every role that Playwright may give an element: the explicit ones, and the tag's own, which applies
  // if the explicit ones are invalid.
  const rolesOf = (e) => {
    const roles = rolesIn(e);
    // A file input may be hidden behind a styled control, so it has a role of its own.
    if (e.localName === 'input' && e.type === 'file') roles.push('file');
    const native = nativeRoleOf(e);
    if (native) roles.push(native);
    if (e.localName === 'td') roles.push(native === 'cell' ? 'gridcell' : 'cell');
    return roles;
  };
  const isButton = (e) => e.localName === 'input' && e.type !== 'file' && nativeRoleOf(e) === 'button';
  const nameOf = (e) => fullNameOf(e).slice(0, 60);

  const depthTo = (outer, inner) => {
    const path = [];
    for (let node = inner; node && node !== outer; node = up(node)) path.unshift(node);
    return path;
  };
  const common = (a, b) => dom.commonOf(a, [b]);
  const ownText = (e) => tidy([...e.childNodes].filter((n) => n.nodeType === 3).map((n) => n.data).join(' '));
  // Whether an element has text of its own or is a field or picture, as an anchor does.
  const isFilled = (e) => e.matches('input,select,textarea,img,svg') || ownText(e);
  // The rows of a layout table do not count.
  const isLayout = (row) => !!row.querySelector('table,h1,h2,h3,section,article');
  const alike = (a, b) => a.localName === b.localName &&
    (!a.classList.length && !b.classList.length || [...a.classList].some((c) => b.classList.contains(c)));
  // Whether `sibling` is of the same kind as `branch`, with a name of its own at the anchor's position.
  const peer = (sibling, branch, path) => {
    if (sibling === branch || !alike(sibling, branch)) return false;
    const css = path.slice(1).map((node) => node.localName).join(' > ');
    if (!css) return isFilled(sibling);
    return [...sibling.querySelectorAll(`:scope > ${css}`)].some(isFilled);
  };
  // The smallest container that a candidate shares with an anchor, or null if they are separated by
  // another row, card or part of the page.
  const shared = (anchor, candidate) => {
    const item = closest(anchor, ITEM);
    if (item && !holds(item, candidate)) return null;
    const other = closest(candidate, ITEM);
    if (!item && other && !holds(other, anchor)) return null;
    for (const [a, b] of [[anchor, candidate], [candidate, anchor]]) {
      const landmark = closest(a, LANDMARK);
      if (landmark && !holds(landmark, b)) return null;
    }
    const container = common(anchor, candidate);
    const path = depthTo(container, anchor);
    const onward = depthTo(container, candidate);
    const branch = onward[0];
    // The page itself does not count as a shared container, unless it is as flat as a list.
    if (container.matches('body,main,[role=main]') && Math.max(path.length, onward.length) > 2) return null;
    // The cells of a row look alike. A container is a row if it has siblings with names of their own.
    const row = item || (up(container) && [...up(container).children].some((s) => peer(s, container, [container, ...path])));
    if (path.length && branch && !row) {
      const siblings = [...container.children];
      const [from, to] = [siblings.indexOf(path[0]), siblings.indexOf(branch)].sort((x, y) => x - y);
      if (siblings.slice(from, to + 1).some((s) => peer(s, path[0], path))) return null;
    }
    return container;
  };
  const nextTo = (candidates, anchors) => {
    const pairs = [];
    for (const anchor of anchors)
      for (const element of candidates) {
        const container = anchor !== element && shared(anchor, element);
        if (container) pairs.push({ element, container, item: !!closest(anchor, ITEM) });
      }
    return pairs.filter((p) => !pairs.some((q) => q.container !== p.container && holds(p.container, q.container)));
  };

  const follows = (a, b) => {
    const container = common(a, b);
    const [x, y] = [depthTo(container, a)[0], depthTo(container, b)[0]];
    return !!x && !!y && isBefore(x, y);
  };
  // Whether a candidate is below an anchor: below a heading, up to the next of its level or higher; below
  // other text, up to the next heading or text of its kind; below a column header, in that column.
  const below = (anchor, candidate) => {
    const header = closest(anchor, 'th,[role=columnheader]');
    const row = header && closest(header, 'tr,[role=row]');
    if (row && !holds(row, candidate)) {
      const cell = closest(candidate, 'td,th,[role=cell],[role=gridcell]');
      const table = closest(header, 'table,[role=table],[role=grid]');
      const index = (c) => [...c.parentElement.children].indexOf(c);
      return !!cell && holds(table, cell) && index(cell) === index(header);
    }
    const heading = closest(anchor, HEADING);
    const text = (node) => tidy(node.textContent);
    let start = heading || anchor;
    while (!heading && up(start) && up(start) !== document.body && text(up(start)) === text(anchor)) start = up(start);
    const section = up(start) && closest(up(start), start.localName === 'legend' ? 'fieldset' : SECTION);
    if (section && !holds(section, candidate)) return false;
    const landmark = closest(candidate, LANDMARK);
    if (landmark && !holds(landmark, start)) return false;
    if (!follows(start, candidate)) return false;
    const ends = all(HEADING).filter((h) => h !== start && (!heading || level(h) <= level(start)));
    if (!heading) ends.push(...[...(up(start)?.children || [])].filter((s) => peer(s, start, depthTo(up(start), anchor))));
    return !ends.some((end) => visible(end) && follows(start, end) && (follows(end, candidate) || holds(end, candidate)));
  };
  // The widest element around a heading without another one of its level or higher.
  const headedBy = (heading) => {
    let widest = heading;
    while (up(widest) && up(widest) !== document.body && !widest.matches(SECTION)) {
      if ([...up(widest).querySelectorAll(HEADING)].some((h) => h !== heading && level(h) <= level(heading))) break;
      widest = up(widest);
    }
    return widest;
  };
  // What a title that is a part of it names.
  const titledBy = (e) => [['legend', 'fieldset'], ['caption', 'table'], ['summary', 'details'], ['figcaption', 'figure']]
    .map(([own, whole]) => closest(e, own) && closest(e, whole)).find(Boolean);
  // The candidates inside the named element, or inside the part that the name heads.
  const inside = (candidates, anchors) => {
    const pairs = [];
    for (const anchor of anchors) {
      const heading = closest(anchor, HEADING);
      const owner = titledBy(anchor) || (!heading && closest(anchor, ITEM));
      const widest = heading && headedBy(heading);
      for (const element of candidates) {
        if (element === anchor) continue;
        if (holds(anchor, element)) pairs.push({ element, container: anchor });
        else if (owner && holds(owner, element)) pairs.push({ element, container: owner, item: owner.matches(ITEM) });
        else if (heading && (holds(widest, element) || below(heading, element))) pairs.push({ element });
      }
    }
    return pairs.length ? pairs : nextTo(candidates, anchors);
  };
  const RELATIONS = {
    'next to': nextTo,
    in: inside,
    under: (candidates, anchors) => candidates.filter((element) =>
      anchors.some((a) => a !== element && below(a, element))).map((element) => ({ element })),
  };

  // The kind of element around the name of a place, as a word after the name states: `in the "Mug" row`.
  const around = (e, { of_css, of_roles }) => {
    for (let node = e; node; node = up(node))
      if (of_css ? node.matches(of_css) : rolesOf(node).some((r) => of_roles.includes(r))) return node;
    return null;
  };
  // Names of an element from its attributes rather than its content.
  const calledBy = (e) => [
    e.getAttribute('aria-label'), labelledBy(e), e.getAttribute('alt'), e.getAttribute('title'),
  ].map(tidy).filter(Boolean);
  const isCalled = (e, pattern) => !pattern || [...calledBy(e), tidy(e.textContent),
    ownText(e), ...[...(e.labels || [])].map((l) => tidy(l.textContent))].some((name) => new RegExp(pattern, 'i').test(name));

  // The row that an element may name; a control names none, nor is there one in a layout or of heads.
  const rowOf = (e) => {
    const row = closest(e, 'button,[role=button],input,select') ? null : closest(e, 'tr,[role=row]');
    return row && !isHeadRow(row) && !isLayout(row) ? row : null;
  };
  const cellOf = (e) => closest(e, 'td,th,[role=cell],[role=gridcell],[role=rowheader]');
  const cellTexts = new Map();
  const cellText = (cell) => {
    if (cell && !cellTexts.has(cell)) {
      const controls = [...cell.querySelectorAll('button,[role=button],select,textarea')];
      cellTexts.set(cell, controls.reduce((text, e) => text.replace(tidy(e.textContent), ''), fullNameOf(cell)).trim());
    }
    return cellTexts.get(cell) || '';
  };
  const isCode = (text) => /[\d@]/.test(text);
  // The cells by which a row is called: its headers, then the others, up to the first in words that no other row
  // has in that column.
  const titlesOf = (row) => {
    const others = [...row.parentElement.children].filter((r) => r !== row && !isHeadRow(r));
    const cells = [...row.children].filter((c) => cellOf(c) === c && cellText(c));
    const isHead = (c) => c.matches('th,[role=rowheader]');
    const order = [...cells.filter(isHead), ...cells.filter((c) => !isHead(c))];
    const isOwn = (c) => !isCode(cellText(c)) && !others.some((r) => cellText(r.children[[...row.children].indexOf(c)]) === cellText(c));
    const last = order.findIndex(isOwn);
    return last < 0 ? order : order.slice(0, last + 1);
  };
  // The elements that name what is around them: of a table's row the title, or where no row has that, a number,
  // a code or an address that is all of another cell.
  const naming = (elements) => {
    const calls = (e) => { const row = rowOf(e); return !row || row === e || titlesOf(row).some((c) => holds(c, e)); };
    const titles = elements.filter(calls);
    if (titles.some(rowOf)) return titles;
    return elements.filter((e) => titles.includes(e) || isCode(cellText(cellOf(e))) && cellText(cellOf(e)) === tidy(e.textContent));
  };
  const meant = (anchors, { of_roles, of_pattern }, relation) => {
    const called = anchors.filter((a) => isCalled(a, of_pattern));
    return of_roles || relation === 'under' ? called : naming(called);
  };
  const within = (anchors, kind, relation) => meant(anchors, kind, relation)
    .filter((a) => !(kind.of_css || kind.of_roles) || around(a, kind));
  // The candidates in the stated relation to the place, with the container that they share with it.
  const standing = (candidates, anchors, relation, kind) => {
    const seen = within(anchors.filter(visible), kind, relation);
    if (relation !== 'in' || !kind.of_css) return RELATIONS[relation](candidates, seen);
    return seen.flatMap((a) => inside(candidates, [a]).filter((p) => holds(around(a, kind), p.element)));
  };
  // The only element of each way. One that has gone is no answer about it.
  const only = (ways) => ways.map((found) => {
    if (found.length !== 1) throw new Error(`there are ${found.length} elements instead of one`);
    return found[0];
  });
  // The indices of the elements in the place that the anchors name.
  const placed = ([anchors, ...each], kind) => {
    const elements = only(each);
    return [...new Set(standing(elements, anchors, 'in', kind).map((p) => elements.indexOf(p.element)))];
  };
  // A test for elements that stand in one of several others, of which none may have gone, if there are any.
  const inAny = (tops) => {
    const parts = only(tops);
    return (e) => !parts.length || parts.some((t) => holds(t, e));
  };
  // The texts in some elements, or in all, that may name a place, each with its visibility.
  const texts = (tops) => {
    const found = new Map();
    for (const e of all('body *').filter(inAny(tops))) {
      if (/^(script|style|template|noscript|option)$/i.test(e.localName)) continue;
      for (const text of [ownText(e) && e.textContent, ...['alt', 'title', 'aria-label'].map((a) => e.getAttribute(a))]) {
        const folded = text ? tidy(text) : '';
        if (folded && folded.length <= 80) found.set(folded, found.get(folded) || visible(e));
      }
      if (found.size >= 2000) break;
    }
    return [...found];
  };

  const editable = (e) =>
    e.isContentEditable ||
    !!e.editContext ||
    isSlider(e) ||
    e.tagName === 'TEXTAREA' ||
    (e.tagName === 'INPUT' && ['textbox', 'searchbox', 'spinbutton', 'combobox', 'slider'].includes(nativeRoleOf(e)));
  const controlOf = (e) => ((c) => fieldIn(c) ?? c)(e.tagName === 'LABEL' ? e.control : closest(e, 'label')?.control) ?? null;
  const checkable = (e, radiosOnly) => {
    const role = rolesOf(e)[0] || '';
    return /radio/.test(role) || (!radiosOnly && /^(checkbox|switch|menuitemcheckbox)$/.test(role));
  };
  // The element that the verb would act on, or null if the verb does not fit it.
  const target = (e, fit) => {
    if (e.localName === 'label' && /^(fill|select|value|state)$/.test(fit)) return fieldIn(e.control) && target(e.control, fit);
    if (/^(fill|select|value|state|check|choose)$/.test(fit)) e = fieldIn(e) ?? e;
    if (fit === 'fill') return editable(e) ? e : null;
    if (fit === 'select') return e.tagName === 'SELECT' || /^(combobox|listbox)$/.test(e.getAttribute('role')) ? e : null;
    if (fit === 'upload') return e.tagName === 'INPUT' && e.type === 'file' ? e : null;
    if (fit !== 'check' && fit !== 'choose') return e;
    const control = checkable(e, false) ? e : controlOf(e);
    return control && checkable(control, fit === 'choose') ? control : null;
  };

  const headingOf = (e) => e.querySelector(`:scope > legend, :scope > caption, ${HEADING}`);
  const headingBefore = (e) => tidy(all(HEADING).filter((h) => isBefore(h, e)).pop()?.textContent);
  const quote = (text) => JSON.stringify(text.slice(0, 60));
  // The position of an element, which distinguishes it from others of the same name.
  const placeOf = (e) => {
    for (let node = up(e); node && node !== document.body; node = up(node)) {
      const label = node.getAttribute('aria-label');
      if (node.matches(ITEM)) {
        const rest = tidy(label || node.innerText.split('\n').join(' '));
        return `in ${(rolesOf(node)[0] || node.localName)} ${quote(rest)}`;
      }
      if (label) return `in ${rolesOf(node)[0] || node.localName} ${quote(tidy(label))}`;
      const heading = node.matches(SECTION) && headingOf(node);
      if (heading) return `in ${quote(tidy(heading.textContent))}`;
    }
    const before = headingBefore(e);
    return before ? `under ${quote(before)}` : '';
  };

  // A selector for a container, as a test would write it.
  const css = (e) => e && (e.hasAttribute('role') ? `[role="${e.getAttribute('role')}"]`
    : e.localName + (e.classList.length && !e.matches(ITEM) ? `.${CSS.escape(e.classList[0])}` : ''));
  // Whether a checkbox is drawn by its label, because it is too small, clipped, off the page or gets no clicks.
  const drawnByLabel = (e) => {
    if (e.tagName !== 'INPUT' || !e.labels?.length) return false;
    const box = e.getBoundingClientRect();
    return box.width <= 2 || box.height <= 2 || getComputedStyle(e).pointerEvents === 'none' || !canSee(e, { transparent: true });
  };

  // A test for elements that can be operated: neither inert nor behind a modal dialog.
  const reachableFor = (fit) => {
    if (fit === 'scroll' || fit === 'upload') return () => true;
    const modals = all('dialog:modal');
    return (e) => !closest(e, '[inert]') && (!modals.length || modals.some((modal) => holds(modal, e)));
  };
  // Places that identify an element: a relation, and a whole text.
  const waysTo = (e) => {
    const ways = [];
    // Numbers and signs do not identify an element.
    const add = (relation, text) => /\p{L}/u.test(text) && tidy(text).length <= 50 && ways.push([relation, tidy(text)]);
    for (let node = up(e); node && node !== document.body; node = up(node)) {
      const heading = node.matches(SECTION) && headingOf(node);
      if (node.matches(ITEM)) {
        const lines = [heading, ...node.querySelectorAll('*')].filter((d) => d && !holds(e, d) && !holds(d, e) &&
          visible(d) && (d === heading || ownText(d)));
        lines.slice(0, 6).forEach((d) => add('next to', d.textContent));
      }
      if (node.hasAttribute('aria-label')) add('in', node.getAttribute('aria-label'));
      else if (heading) add('in', heading.textContent);
    }
    const before = headingBefore(e);
    if (before) add('under', before);
    return ways.slice(0, 6);
  };

  // Whether a link is the picture of a card whose title, one of the links, has its name and address.
  const isPictureOf = (e, links) => {
    if (e.localName !== 'a' || !e.href || renderedTextOf(e)) return false;
    const titles = links.filter((t) => t !== e && t.localName === 'a' && t.href === e.href && renderedTextOf(t) && nameOf(t) === nameOf(e));
    for (let node = up(e); node && !node.matches(`body,${LANDMARK}`); node = up(node)) {
      const own = titles.filter((t) => holds(node, t));
      if (own.length) return own.length === 1;
    }
    return false;
  };

  // The usable ones of the elements that a query found: their index, description and, if there are
  // several, their position.
  const examine = ([elements, ...others], { fit, roles, relation, places, nameless, ...kind }) => {
    const anchors = relation ? others.shift() : [];
    const counts = inAny(others);
    const drawn = (e) => fit === 'upload' || visible(e) || ((/^(check|choose)$/.test(fit) || e.editContext) && !!standInOf(e));
    const shown = elements.filter(drawn);
    const reachable = reachableFor(fit);
    const own = (e) => fullNameOf(e, { content: e.getAttribute('role') !== 'combobox' });
    const suits = (e) => (!nameless || !own(e)) && (!roles || rolesOf(e).some((r) => roles.includes(r)) ||
      (e.isContentEditable && roles.includes('textbox')));
    let usable = shown.filter((e) => counts(e) && reachable(e) && target(e, fit) && suits(target(e, fit)));
    usable = usable.filter((e) => !usable.some((d) => d !== e && holds(e, d)));
    // A control and its label count as one.
    const byTarget = new Map();
    for (const e of usable) {
      const key = target(e, fit);
      const old = byTarget.get(key);
      if (!old || (e === key && !drawnByLabel(e)) || (old === key && drawnByLabel(old))) byTarget.set(key, e);
    }
    usable = [...byTarget.values()];
    usable = usable.filter((e) => !isPictureOf(e, usable));
    let pairs = usable.map((element) => ({ element }));
    if (relation) pairs = standing(usable, anchors.filter(counts), relation, kind);
    const chosen = [...new Set(pairs.map((p) => p.element))];
    const strong = (e) => !!closest(e, OPERABLE) || getComputedStyle(e).cursor === 'pointer';
    const place = (e, among) => ({
      total: among.length,
      shown: visible(e) ? among.filter((d) => shown.includes(d)).length : 0,
      index: among.indexOf(e),
    });
    return {
      hits: chosen.map((e) => {
        const pair = pairs.find((p) => p.element === e);
        const label = fit !== 'upload' && drawnByLabel(e) ? [...e.labels].find(visible) : null;
        return {
          ...place(e, elements),
          same_role: place(e, elements.filter((d) => rolesOf(d)[0] === rolesOf(e)[0])),
          // Whether Playwright certainly gives the element that role.
          certain: e.hasAttribute('role') || rolesOf(e).length === 1,
          role: rolesOf(e)[0] || (e.isContentEditable ? 'textbox' : e.matches(HEADING) ? 'heading' : 'text'),
          name: nameOf(e),
          place: chosen.length > 1 || places ? placeOf(e) : '',
          stands: chosen.length > 1 && e === chosen[0] ? waysTo(e) : [],
          operable: strong(e),
          apparent: strong(e) && canSee(e),
          container: css(pair.container) ?? null,
          item: !relation || relation !== 'next to' || !!pair.item,
          label: label ? (holds(label, e) ? 'around' : 'for') : '',
          id: e.getAttribute("id") || "",
          inner: innerOf(target(e, fit), e),
        };
      }),
    };
  };

  // Where the field of a component is that is meant by another element: the component, its place among those of its
  // kind, and the field in it.
  const innerOf = (field, e) => {
    const host = e.getRootNode() !== field.getRootNode() && field.getRootNode().host;
    return host ? [host.localName, all(host.localName).indexOf(host), field.localName] : null;
  };

  const PARTS = { TABLE: 'table', DIALOG: 'dialog', FORM: 'form', FIELDSET: 'group', SECTION: 'section', ARTICLE: 'article' };
  const describe = (e, isBrief = false) => ({
    document: dom.state.document,
    number: dom.numberOf(e),
    role: rolesOf(e)[0] || (e.matches(HEADING) ? 'heading' : PARTS[e.tagName] || ''),
    name: nameOf(e),
    place: isBrief ? '' : placeOf(e),
    text: isBrief ? '' : renderedTextOf(e).slice(0, 200),
  });
  // The elements, or those that can be seen, or cannot, below others if there are any; header rows do not count
  // as seen. What stands around them takes long, and no message needs it of more than a few.
  const DESCRIBED = 50;
  const described = ([found, ...tops], { seen }) => {
    const counts = inAny(tops);
    const fits = (e) => seen === undefined || (canSee(e) === seen && !(seen && e.localName === 'tr' && closest(e, 'thead')));
    return found.filter((e) => fits(e) && counts(e))
      .map((e, i) => describe(e, i >= DESCRIBED));
  };

  // The target of a name: the part of the page with that name or heading, the row or item around it, the
  // element that it labels, or the named element itself.
  const LONG = 300;
  const LINE = 'tr,li,[role=row],[role=listitem],[role=option],[role=treeitem]';
  const partUnder = (heading) => {
    const widest = headedBy(heading);
    if (renderedTextOf(widest) !== renderedTextOf(heading)) return { level: 2, tops: [widest], headed: true };
    // No element contains both the heading and its content: take all siblings up to the next heading.
    const tops = [];
    for (let next = widest.nextElementSibling; next; next = next.nextElementSibling) {
      const ends = [next, ...next.querySelectorAll(HEADING)].some((h) => h.matches(HEADING) && level(h) <= level(heading));
      if (ends) break;
      tops.push(next);
    }
    return tops.length ? { level: 2, tops, headed: true } : { level: 1, tops: [heading] };
  };
  // The smallest element with more text than the name that contains no other name of its kind.
  const besideIt = (anchor) => {
    const name = renderedTextOf(anchor);
    for (let node = anchor; up(node); node = up(node)) {
      const outer = up(node);
      if (isPage(outer) || outer.matches(LANDMARK)) return null;
      if (renderedTextOf(outer) === name && !outer.matches(SECTION)) continue;
      const path = depthTo(outer, anchor);
      const others = [...outer.children].filter((s) => peer(s, node, path));
      // A name at the top of a page is not the name of the whole page.
      if (renderedTextOf(outer).length > LONG) return null;
      const pair = outer.children.length === 2 && renderedTextOf(outer.children[1]) && !isFilled(outer);
      const row = up(outer) && [...up(outer).children].some((s) => peer(s, outer, [outer, ...path]));
      return !others.length || pair || row ? outer : null;
    }
    return null;
  };
  const partOf = (a, name) => {
    const field = a.matches('input:not([type=button],[type=submit],[type=reset],[type=image]),select,textarea') ? a
      : a.localName === 'label' && a.control || closest(a, 'label')?.control;
    if (field?.localName === 'output') return { level: 2, tops: [field], headed: true };
    if (field) return { level: 1, tops: [field], field: true };
    const attribute = calledBy(a).some((n) => n.toLowerCase().includes(name.toLowerCase())) &&
      !renderedTextOf(a).toLowerCase().startsWith(name.toLowerCase()) || a.matches('section,table,ul,ol,dialog,[role]') && calledBy(a).length > 0;
    const inControl = closest(a, 'button,[role=button],[role=tab],[role^=menuitem],input');
    if (inControl) return { level: 1, tops: [inControl] };
    if (attribute && !a.matches('img,svg,a,[role=img]')) return { level: 2, tops: [a], headed: true };
    const owner = titledBy(a);
    if (owner) return { level: 2, tops: [owner], headed: true };
    const term = closest(a, 'dt');
    if (term) {
      const tops = [];
      for (let next = term.nextElementSibling; next && next.localName === 'dd'; next = next.nextElementSibling) tops.push(next);
      return tops.length ? { level: 2, tops } : { level: 1, tops: [term] };
    }
    const weak = closest(a, 'nav,[role=navigation]') ? 1 : 2;
    const heading = closest(a, HEADING);
    if (heading) return partUnder(heading);
    const header = closest(a, 'th,[role=columnheader]');
    let line = closest(a, LINE);
    if (line?.localName === 'tr' && isLayout(line)) line = null;
    if (header && line && ![...line.querySelectorAll('td,[role=cell],[role=gridcell]')].some((c) => renderedTextOf(c)))
      return { level: 1, tops: [header], column: true };
    if (line) return { level: renderedTextOf(line) === renderedTextOf(a) ? 1 : weak, tops: [line] };
    const control = closest(a, 'a[href],[role=link]');
    if (control && weak === 1) return { level: 1, tops: [control] };
    // Elements with text in child elements, such as `<p>Total: <b>24</b></p>`.
    if (renderedTextOf(a).length > ownText(a).length &&
      a.children.length && renderedTextOf(a).length <= LONG) return { level: weak, tops: [a], loose: true };
    const beside = besideIt(a);
    return beside ? { level: weak, tops: [beside], loose: true } : { level: 1, tops: [control || a] };
  };
  // The elements of a kind that have the name, contain it, or are in the part that it heads.
  const ofKind = (anchor, kind) => {
    const outer = around(anchor, kind);
    if (outer) return [outer];
    const part = partOf(anchor, renderedTextOf(anchor));
    const fitting = part.headed ? part.tops.flatMap((t) => [t, ...t.querySelectorAll('*')]).filter((e) => around(e, kind) === e && visible(e)) : [];
    return fitting.length === 1 ? fitting : [];
  };
  // The only element of a part besides its name, such as the value after a label.
  const valueOf = ({ tops, anchor, headed, level: weight }) => {
    if (tops.length !== 1) return null;
    const [top] = tops;
    if (headed || weight === 1 || !holds(top, anchor)) return describe(top);
    const outer = top.matches('tr,[role=row]') ? top : common(anchor, top);
    // Buttons, and elements that contain only buttons, are not values.
    const textWithoutButtons = (e) => [...e.querySelectorAll('button,[role=button]')].reduce((text, b) => text.replace(renderedTextOf(b), ''), renderedTextOf(e));
    const others = [...outer.children].filter((e) => !holds(e, anchor) && !e.matches('button,[role=button]') && tidy(textWithoutButtons(e)) && canSee(e));
    return others.length === 1 ? describe(others[0]) : null;
  };
  // The parts of the page that are named by anchors; `want` is the kind that the sentence states.
  const partsOf = ([found, ...others], { name, want, relation, ...kind }) => {
    const anchors = relation ? others.shift() : [];
    const counts = inAny(others);
    let named = meant(found.filter((e) => visible(e) && counts(e)), want);
    if (relation) named = [...new Set(standing(named, anchors.filter(counts), relation, kind).map((p) => p.element))];
    let parts = want.of_css || want.of_roles
      ? named.flatMap((a) => ofKind(a, want)).map((e) => ({ level: 2, tops: [e] }))
      : named.map((a) => ({ ...partOf(a, name), anchor: a }));
    parts = parts.filter((p) => p.tops.every(counts));
    const best = Math.max(...parts.map((p) => p.level));
    parts = parts.filter((p) => p.level === best);
    const same = (a, b) => a.tops.length === b.tops.length && a.tops.every((t, i) => t === b.tops[i]);
    parts = parts.filter((p, i) => !parts.slice(0, i).some((q) => same(p, q)));
    // A table and the section around it may have the same name.
    if (parts.length > 1) {
      parts = parts.filter((p) => !parts.some((q) => q !== p && p.headed && q.headed &&
        q.tops.some((t) => p.tops.every((own) => own !== t && holds(t, own)))));
    }
    return parts.map((p) => ({
      tops: p.tops.map(dom.numberOf),
      field: !!p.field,
      column: !!p.column,
      loose: !!p.loose,
      itself: p.level === 1,
      below: !!p.headed && !!p.anchor && !!closest(p.anchor, HEADING) && !p.tops.some((t) => holds(t, p.anchor)),
      value: p.anchor ? valueOf(p) : null,
      ...describe(p.tops[0]),
    }));
  };

  // The queries that may find an element: the ARIA roles and kinds of names of all elements that contain
  // the words of the name. There may be too many, never too few; Playwright then compares the names.
  const sourcesOf = (name, ways) => {
    const words = tidy(name).toLowerCase().split(' ');
    const has = (...parts) => {
      let text = parts.join(' ').toLowerCase();
      if (/[\u200b\u00ad]/.test(text)) text = tidy(text);
      return words.every((word) => text.includes(word));
    };
    const sources = new Set(['text']);
    for (const e of all(NAMED)) {
      const attribute = (a) => e.getAttribute(a) || '';
      for (const kind of ['placeholder', 'alt', 'title'])
        if (e.hasAttribute(kind) && has(attribute(kind))) sources.add(kind);
      const roles = rolesOf(e);
      const wanted = roles.filter((role) => ways.includes(role) && !sources.has(role));
      const labels = [...(e.labels || [])].map((l) => l.textContent);
      const ids = attribute('aria-labelledby');
      if (labels.length || ids || e.hasAttribute('aria-label')) {
        labels.push(attribute('aria-label'), labelledBy(e));
        if (has(...labels)) {
          sources.add('labelled');
          if (!roles.length || e.labels?.length > 1 || e.type === 'file') sources.add('label');
        }
      }
      if (e.localName === 'label' && e.control && has(e.textContent)) sources.add('label-text');
      if (!wanted.length) continue;
      // Attributes of inner elements count, too; a shadow tree or another element may have any text.
      const contents = e.childElementCount && e.localName !== 'select' ? [...e.querySelectorAll('*')] : [];
      if (
        ids || e.hasAttribute('aria-owns') || [...(e.labels || [])].some((l) => l.querySelector('slot')) || e.localName === 'slot' ||
        contents.some((d) => d.shadowRoot || d.localName === 'slot') ||
        has(
          ...labels, ...['title', 'alt', 'placeholder', 'label'].map(attribute),
          isButton(e) ? e.value || e.type : '',
          e.localName === 'select' ? '' : e.textContent,
          ...contents.flatMap((d) => ['aria-label', 'alt', 'title', 'value'].map(d.getAttribute, d)),
        )
      ) wanted.forEach((role) => sources.add(role));
    }
    return [...sources];
  };
  const possible = (_, { names, ways }) => ({
    sources: names.map((name) => sourcesOf(name, ways)),
  });

  // The elements that fit the verb, for an error that suggests names: each with its position, and the
  // reason if it cannot be used now.
  const operable = (tops, { fit, roles }) => {
    const found = [];
    const reachable = reachableFor(fit);
    const modal = all('dialog:modal').pop();
    const cover = modal ? tidy(modal.getAttribute('aria-label') || headingOf(modal)?.textContent || '') : '';
    const seen = (e) => fit === 'upload' || visible(e) || !!standInOf(e);
    for (const e of all(`${OPERABLE},[role],${HEADING}`).filter(inAny(tops))) {
      const own = rolesOf(e);
      if (e.tagName !== 'LABEL' && (own.some((r) => roles.includes(r)) || (fit !== 'click' && fit !== 'scroll' && e.isContentEditable)) &&
        target(e, fit)) {
        const name = nameOf(e);
        const state = !seen(e) ? 'hidden' : reachable(e) ? '' : closest(e, '[inert]') ? 'inert' : 'covered';
        if (name) found.push([own[0] || 'textbox', name, state ? placeOf(e) : '', state, cover]);
      }
      if (found.length >= 2000) break;
    }
    return found;
  };
  const glance = (found, given) => ({ ...possible(found, given), ...examine(found, given) });
  // How many places the anchors name, and what the rows are called that only mention the name.
  const placesOf = ([anchors], { relation, ...kind }) => {
    const called = anchors.filter((a) => isCalled(a, kind.of_pattern));
    const others = called.filter((a) => !meant(called, kind, relation).includes(a));
    return {
      places: within(called, kind, relation).length,
      named: called.length > 0,
      rows: [...new Set(others.map((a) => cellText(titlesOf(rowOf(a)).pop())))],
    };
  };
  // The lists that draw only some of their rows, each with what scrolls it: ARIA says that there are more, or what
  // holds the rows is mostly empty. How many there are is a guess then.
  const scrolls = (e) => e.scrollHeight > e.clientHeight + 1 && (e === document.scrollingElement || /auto|scroll/.test(getComputedStyle(e).overflowY));
  // Whether the page itself says where an element is drawn: by a position, a shift, or room kept before or after it.
  const isPlaced = (e) => {
    const { position, transform, paddingTop, paddingBottom } = getComputedStyle(e);
    const spacers = [...e.children].filter((c) => !tidy(c.textContent) && c.getBoundingClientRect().height > 100);
    return position === 'absolute' || transform !== 'none' || parseFloat(paddingTop) + parseFloat(paddingBottom) > 100 || spacers.length > 0;
  };
  const partial = () => {
    const found = new Map();
    for (const list of all('*')) {
      if (list.childElementCount < 3 || list.matches('html, body, head, tr, [role=row]')) continue;
      const rows = [...list.children].filter((c) => c.localName === list.lastElementChild.localName && visible(c) && tidy(c.textContent));
      if (rows.length < 3) continue;
      let [outer, scroller] = [list, list];
      while (up(outer)?.childElementCount === 1 && !scrolls(outer)) outer = up(outer);
      while (scroller && !scrolls(scroller)) scroller = up(scroller);
      if (!scroller) continue;
      const boxes = rows.map((row) => row.getBoundingClientRect());
      const span = Math.max(...boxes.map((b) => b.bottom)) - Math.min(...boxes.map((b) => b.top));
      const room = Math.max(...depthTo(up(outer), list).map((e) => e.getBoundingClientRect().height));
      const total = +closest(list, '[aria-rowcount]')?.getAttribute('aria-rowcount') || +rows[0].getAttribute('aria-setsize');
      if (total > rows.length + 2 || (room > 2 * span && room > scroller.clientHeight && [list, rows[0]].some(isPlaced))) {
        const count = total > 0 ? total : Math.round(room / span * rows.length);
        if (!(found.get(scroller)?.count >= count)) found.set(scroller, { count, guessed: !(total > 0), drawn: rows.length, at: scroller.scrollTop });
      }
    }
    return [...found].map(([e, list]) => ({ ...list, document: dom.state.document, number: dom.numberOf(e) }));
  };
  // Whether the words of a name are anywhere in the document, drawn or not.
  const mentions = (_, { name }) => {
    const words = tidy(name).toLowerCase().split(' ');
    const called = all(NAMED).flatMap((e) => ['aria-label', 'title', 'alt', 'placeholder', 'value'].map((a) => e.getAttribute(a)));
    const text = [...dom.rootsIn(document).map((root) => (root.body ?? root).textContent), ...called].join(' ').toLowerCase();
    return words.every((word) => text.includes(word));
  };
  // Scrolls to a place, or by most of what is in view; returns whether that moved anything.
  const turn = ([[scroller]], { to }) => {
    const before = scroller.scrollTop;
    scroller.scrollTo({ top: to ?? before + 0.9 * scroller.clientHeight, behavior: 'instant' });
    return scroller.scrollTop !== before;
  };
  const subject = (_, { fit }) => describe(target(queried, fit) || queried);

  return { possible, examine, glance, placed, texts, placesOf, operable, described, partsOf, subject, partial, mentions, turn };
})
