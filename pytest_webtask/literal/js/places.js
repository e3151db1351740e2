// The kind of element around the name of a place, as a word after the name states: `in the "Mug" row`.
const around = (e, { of_css, of_roles }) => {
  for (let node = e; node; node = up(node))
    if (of_css ? node.matches(of_css) : rolesOf(node).some((r) => of_roles.includes(r))) return node;
  return null;
};
const within = (anchors, kind) =>
  kind.of_css || kind.of_roles ? anchors.filter((a) => around(a, kind)) : anchors;
// The candidates in the stated relation to the place, with the container that they share with it.
const standing = (candidates, anchors, relation, kind) => {
  const seen = within(anchors.filter(visible), kind);
  if (relation !== 'in' || !kind.of_css) return RELATIONS[relation](candidates, seen);
  return seen.flatMap((a) => inside(candidates, [a]).filter((p) => holds(around(a, kind), p.element)));
};
// The texts that may name a place, each with its visibility.
const texts = () => {
  const found = new Map();
  for (const e of all('body *')) {
    if (/^(script|style|template|noscript|option)$/i.test(e.localName)) continue;
    const own = [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
    for (const text of [own && e.textContent, ...['alt', 'title', 'aria-label'].map((a) => e.getAttribute(a))]) {
      const folded = text ? tidy(text) : '';
      if (folded && folded.length <= 80) found.set(folded, found.get(folded) || visible(e));
    }
    if (found.size >= 2000) break;
  }
  return [...found];
};
