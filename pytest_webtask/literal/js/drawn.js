// The texts that a user can see, in page order, each with its position.
const SILENT = /^(script|style|template|noscript|head|title|select|datalist|option|textarea|iframe|object|video|audio|canvas)$/i;
// Whether text in the element has a color.
const inked = (e) => {
  const style = getComputedStyle(e);
  const clear = /^transparent$|^rgba\(.*, 0\)$|\/ 0\)$/;
  if (!clear.test(style.webkitTextFillColor || style.color)) return true;
  if (style.textShadow !== 'none' || parseFloat(style.webkitTextStrokeWidth)) return true;
  for (let node = e, i = 0; node && i < 4; node = up(node), i++)
    if (/text/.test(getComputedStyle(node).webkitBackgroundClip)) return true;
  return false;
};
const CASES = {
  uppercase: (text) => text.toUpperCase(),
  lowercase: (text) => text.toLowerCase(),
  capitalize: (text) => text.replace(/(?<![\p{L}\p{N}'’])\p{L}/gu, (c) => c.toUpperCase()),
};
// All texts below these elements, line by line: `written` as in the document, `shown` with the
// capitals of the style sheet; `pieces` has the node of each part.
const drawn = (tops) => {
  const out = { written: '', shown: '', pieces: [] };
  const inks = new Map();
  let gap = '';
  let before = null;
  const part = (c) => { if (c === '\n' || !gap) gap = c; };
  const put = (node, e, data, boxes) => {
    const style = getComputedStyle(e);
    const keeps = /^pre|break-spaces/.test(style.whiteSpace);
    const text = data.replace(/[\u200b\u00ad]/g, '').replace(keeps ? /[^\S\n]+/g : /\s+/g, ' ');
    if (!text.trim()) return text && part(' ');
    if (!inks.has(e)) inks.set(e, e.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && inked(e));
    if (!inks.get(e) || !isInView(e, boxes)) return part('\n');
    if (/^\s/.test(text)) part(' ');
    const body = text.trim();
    const [box, last] = [boxes[0], boxes[boxes.length - 1]];
    const beside = before && box.top < before.bottom - before.height / 2 && box.bottom > before.top + before.height / 2;
    if (before && !gap) {
      // Digits with small gaps, as in a rolling counter, form one number.
      const close = /\d$/.test(out.written) && /^\d/.test(body) ? before.height * 0.4 : 2;
      if (!beside || box.left - before.right >= close || before.left - box.right >= close) gap = ' ';
    } else if (gap === 'item') gap = beside ? ' ' : '\n';
    if (!out.written) gap = '';
    const drawnBody = (CASES[style.textTransform] || ((t) => t))(body);
    const from = [out.written.length + gap.length, out.shown.length + gap.length];
    out.written += gap + body;
    out.shown += gap + drawnBody;
    out.pieces.push({ node, e, written: [from[0], out.written.length], shown: [from[1], out.shown.length] });
    gap = /\s$/.test(text) ? ' ' : '';
    before = last;
  };
  const edge = (style, parent) => {
    if (style.display === 'table-cell') part(' ');
    else if (/flex|grid/.test(parent?.display || '') && gap !== '\n') gap = 'item';
    else if (!/^(inline|contents|none|ruby)/.test(style.display)) part('\n');
  };
  const walk = (node, parent) => {
    if (node.nodeType === 3) {
      if (!node.data.trim()) return void (node.data && part(' '));
      const range = document.createRange();
      range.selectNodeContents(node);
      const boxes = [...range.getClientRects()].filter((b) => b.width > 0 && b.height > 0);
      let e = node.parentElement || node.getRootNode().host;
      while (e && getComputedStyle(e).display === 'contents') e = up(e);
      if (boxes.length && e) put(node, e, node.data, boxes);
      return;
    }
    if (node.nodeType !== 1 || SILENT.test(node.localName)) return;
    const style = getComputedStyle(node);
    if (style.display === 'none') return;
    if (node.localName === 'br') return part('\n');
    edge(style, parent);
    if (node.localName === 'input') {
      if (/^(button|submit|reset)$/.test(node.type)) put(node, node, node.value || node.type, [...node.getClientRects()]);
    } else {
      // The content of a closed `details` has boxes, although it is not drawn.
      const folded = node.localName === 'details' && !node.open;
      const inner = folded ? [...node.children].filter((c) => c.localName === 'summary').slice(0, 1)
        : node.localName === 'slot' && node.assignedNodes().length ? node.assignedNodes()
        : (node.shadowRoot || node).childNodes;
      for (const child of inner) walk(child, style);
    }
    edge(style, parent);
  };
  for (const top of tops) {
    part('\n');
    walk(top, null);
  }
  return out;
};
const joint = (a, b) => {
  for (let node = a; node; node = up(node)) if (holds(node, b)) return node;
  return a;
};
// The innermost elements whose text matches the pattern, in page order.
const saying = (text, { pattern, flags }) => {
  const found = new Set();
  for (const kind of ['shown', 'written']) {
    for (const match of text[kind].matchAll(new RegExp(pattern, flags))) {
      const end = match.index + match[0].length;
      const pieces = text.pieces.filter((p) => p[kind][1] > match.index && p[kind][0] < end);
      if (pieces.length) found.add(joint(pieces[0].e, pieces[pieces.length - 1].e));
    }
    if (found.size) break;
  }
  return [...found];
};
// The path to an element by position; the part in a shadow tree follows `>>`.
const pathTo = (e) => {
  const parts = [];
  let steps = [];
  for (let node = e; node; ) {
    const root = node.getRootNode();
    const same = [...(node.parentElement || root).children].filter((s) => s.localName === node.localName);
    steps.unshift(CSS.escape(node.localName) + (same.length > 1 ? `:nth-of-type(${same.indexOf(node) + 1})` : ''));
    if (node.parentElement) node = node.parentElement;
    else {
      parts.unshift(steps.join(' > '));
      steps = [];
      node = root.host || null;
    }
  }
  return parts.join(' >> ');
};
const PARTS = { TABLE: 'table', DIALOG: 'dialog', FORM: 'form', FIELDSET: 'group', SECTION: 'section', ARTICLE: 'article' };
const describe = (e) => ({
  path: pathTo(e),
  role: rolesOf(e)[0] || (e.matches(HEADING) ? 'heading' : PARTS[e.tagName] || ''),
  name: nameOf(e),
  place: placeOf(e),
  text: tidy(e.innerText ?? e.textContent).slice(0, 200),
});
// The elements that show a text: below these, or on the whole page.
const show = (tops, given) => {
  const text = drawn(tops || [document.body]);
  return {
    hits: saying(text, given).slice(0, 50).map(describe),
    lines: [...new Set(text.shown.split('\n').map(tidy).filter(Boolean))].slice(0, 2000),
    text: tidy(text.shown).slice(0, 400),
  };
};
const seenOf = (found, tops) => found.map((e, index) => ({ e, index }))
  .filter(({ e }) => (!tops.length || tops.some((t) => holds(t, e))) && canSee(e) && !(e.localName === 'tr' && closest(e, 'thead')))
  .map(({ e, index }) => ({ index, ...describe(e) }));
