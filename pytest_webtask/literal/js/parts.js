// The target of a name: the part of the page with that name or heading, the row or item around it, the
// element that it labels, or the named element itself.
const LONG = 300;
const LINE = 'tr,li,[role=row],[role=listitem],[role=option],[role=treeitem]';
const textIn = (e) => tidy(e.innerText ?? e.textContent);
// Names of an element from its attributes rather than its content.
const calledBy = (e) => [
  e.getAttribute('aria-label'),
  (e.getAttribute('aria-labelledby') || '').split(/\s+/).filter(Boolean)
    .map((id) => e.getRootNode().getElementById?.(id)?.textContent || '').join(' '),
  e.getAttribute('alt'), e.getAttribute('title'),
].map(tidy).filter(Boolean);
const namesOf = (e) => [...calledBy(e), tidy(e.textContent),
  tidy([...e.childNodes].filter((n) => n.nodeType === 3).map((n) => n.data).join(' ')),
  ...[...(e.labels || [])].map((l) => tidy(l.textContent))];
// Whether a name is complete except for signs and a count: "Email *", "Cart (2)".
const nearly = (e, name) => namesOf(e).some((whole) => {
  const at = whole.toLowerCase().indexOf(name.toLowerCase());
  if (at < 0) return false;
  const rest = [whole.slice(0, at), whole.slice(at + name.length)];
  return /^[\p{P}\p{S}\s]*$/u.test(rest[0]) && /^[\p{P}\p{S}\s]*(\(\d+\))?[\p{P}\p{S}\s]*$/u.test(rest[1]);
});
const headedBy = (heading) => {
  let widest = heading;
  while (up(widest) && up(widest) !== document.body && !widest.matches(SECTION)) {
    const others = [...up(widest).querySelectorAll(HEADING)].filter((h) => h !== heading && level(h) <= level(heading));
    if (others.length) break;
    widest = up(widest);
  }
  if (textIn(widest) !== textIn(heading)) return { level: 2, tops: [widest], headed: true };
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
  const name = textIn(anchor);
  for (let node = anchor; up(node); node = up(node)) {
    const outer = up(node);
    if (isPage(outer) || outer.matches(LANDMARK)) return null;
    if (textIn(outer) === name && !outer.matches(SECTION)) continue;
    const path = depthTo(outer, anchor);
    const others = [...outer.children].filter((s) => peer(s, node, path));
    // A name at the top of a page is not the name of the whole page.
    if (textIn(outer).length > LONG) return null;
    const pair = outer.children.length === 2 && textIn(outer.children[1]);
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
    !textIn(a).toLowerCase().startsWith(name.toLowerCase()) || a.matches('section,table,ul,ol,dialog,[role]') && calledBy(a).length > 0;
  const inControl = closest(a, 'button,[role=button],[role=tab],[role^=menuitem],input');
  if (inControl) return { level: 1, tops: [inControl] };
  if (attribute && !a.matches('img,svg,a,[role=img]')) return { level: 2, tops: [a], headed: true };
  const owner = [['legend', 'fieldset'], ['caption', 'table'], ['summary', 'details'], ['figcaption', 'figure']]
    .map(([own, whole]) => closest(a, own) && closest(a, whole)).find(Boolean);
  if (owner) return { level: 2, tops: [owner], headed: true };
  const term = closest(a, 'dt');
  if (term) {
    const tops = [];
    for (let next = term.nextElementSibling; next && next.localName === 'dd'; next = next.nextElementSibling) tops.push(next);
    return tops.length ? { level: 2, tops } : { level: 1, tops: [term] };
  }
  const weak = closest(a, 'nav,[role=navigation]') ? 1 : 2;
  const heading = closest(a, HEADING);
  if (heading) return headedBy(heading);
  const header = closest(a, 'th,[role=columnheader]');
  let line = closest(a, LINE);
  // The rows of a layout table do not count.
  if (line?.localName === 'tr' && line.querySelector('table,h1,h2,h3,section,article')) line = null;
  if (header && line && ![...line.querySelectorAll('td,[role=cell],[role=gridcell]')].some((c) => textIn(c)))
    return { level: 1, tops: [header], column: true };
  if (line) return { level: textIn(line) === textIn(a) ? 1 : weak, tops: [line] };
  const control = closest(a, 'a[href],[role=link]');
  if (control && weak === 1) return { level: 1, tops: [control] };
  // Elements with text in child elements, such as `<p>Total: <b>24</b></p>`.
  if (textIn(a).length > tidy([...a.childNodes].filter((n) => n.nodeType === 3).map((n) => n.data).join(' ')).length &&
    a.children.length && textIn(a).length <= LONG) return { level: weak, tops: [a] };
  const beside = besideIt(a);
  return beside ? { level: weak, tops: [beside] } : { level: 1, tops: [control || a] };
};
// The elements of a kind that have the name, contain it, or are in the part that it heads.
const ofKind = (anchor, kind) => {
  const outer = around(anchor, kind);
  if (outer) return [outer];
  const part = partOf(anchor, textIn(anchor));
  const all = part.headed ? part.tops.flatMap((t) => [t, ...t.querySelectorAll('*')]).filter((e) => around(e, kind) === e && visible(e)) : [];
  return all.length === 1 ? all : [];
};
// The only element of a part besides its name, such as the value after a label.
const valueOf = ({ tops, anchor, headed, level }) => {
  if (tops.length !== 1) return null;
  const [top] = tops;
  if (headed || level === 1 || !holds(top, anchor)) return describe(top);
  const outer = top.matches('tr,[role=row]') ? top : joint(anchor, top);
  // Buttons, and elements that contain only buttons, are not values.
  const textWithoutButtons = (e) => [...e.querySelectorAll('button,[role=button]')].reduce((text, b) => text.replace(textIn(b), ''), textIn(e));
  const others = [...outer.children].filter((e) => !holds(e, anchor) && !e.matches('button,[role=button]') && tidy(textWithoutButtons(e)) && canSee(e));
  return others.length === 1 ? describe(others[0]) : null;
};
// The parts of the page that are named by anchors; `want` is the kind that the sentence states.
const partsOf = (found, { name, rank, want, relation, anchors, ...kind }) => {
  let named = found.filter(visible);
  if (rank === 2) named = named.filter((e) => nearly(e, name));
  if (relation) named = [...new Set(standing(named, anchors, relation, kind).map((p) => p.element))];
  let parts = want.of_css || want.of_roles
    ? named.flatMap((a) => ofKind(a, want)).map((e) => ({ level: 2, tops: [e] }))
    : named.map((a) => ({ ...partOf(a, name), anchor: a }));
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
    paths: p.tops.map(pathTo),
    field: !!p.field,
    column: !!p.column,
    itself: p.level === 1,
    below: !!p.headed && !!p.anchor && !!closest(p.anchor, HEADING) && !p.tops.some((t) => holds(t, p.anchor)),
    value: p.anchor ? valueOf(p) : null,
    ...describe(p.tops[0]),
  }));
};
