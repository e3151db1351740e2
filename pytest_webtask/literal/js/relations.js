const depthTo = (outer, inner) => {
  const path = [];
  for (let node = inner; node && node !== outer; node = up(node)) path.unshift(node);
  return path;
};
const common = (a, b) => {
  for (let node = a; node; node = up(node)) if (holds(node, b)) return node;
  return null;
};
// Whether an element has text of its own or is a field or picture, as an anchor does.
const ownText = (e) => e.matches('input,select,textarea,img,svg') ||
  [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
const alike = (a, b) => a.localName === b.localName &&
  (!a.classList.length && !b.classList.length || [...a.classList].some((c) => b.classList.contains(c)));
// Whether `sibling` is of the same kind as `branch`, with a name of its own at the anchor's position.
const peer = (sibling, branch, path) => {
  if (sibling === branch || !alike(sibling, branch)) return false;
  const css = path.slice(1).map((node) => node.localName).join(' > ');
  if (!css) return ownText(sibling);
  return [...sibling.querySelectorAll(`:scope > ${css}`)].some(ownText);
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

const level = (h) => Number(h.getAttribute('aria-level')) || Number(h.localName[1]) || 2;
const follows = (a, b) => {
  const container = common(a, b);
  const [x, y] = [depthTo(container, a)[0], depthTo(container, b)[0]];
  return !!x && !!y && !!(x.compareDocumentPosition(y) & 4);
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
// The candidates inside the named element, or inside the part that the name heads.
const inside = (candidates, anchors) => {
  const pairs = [];
  for (const anchor of anchors) {
    const heading = closest(anchor, HEADING);
    const owner = closest(anchor, 'legend') ? closest(anchor, 'fieldset')
      : closest(anchor, 'caption') ? closest(anchor, 'table')
      : closest(anchor, 'summary') ? closest(anchor, 'details')
      : !heading && closest(anchor, ITEM);
    let widest = heading;
    while (widest && up(widest) && up(widest) !== document.body && !widest.matches(SECTION)) {
      const others = [...up(widest).querySelectorAll(HEADING)].filter((h) => h !== heading && level(h) <= level(heading));
      if (others.length) break;
      widest = up(widest);
    }
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
