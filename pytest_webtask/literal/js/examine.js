const editable = (e) =>
  e.isContentEditable ||
  e.tagName === 'TEXTAREA' ||
  (e.tagName === 'INPUT' && ['textbox', 'searchbox', 'spinbutton', 'combobox', 'slider'].includes(nativeRoleOf(e)));
const controlOf = (e) => (e.tagName === 'LABEL' ? e.control : closest(e, 'label')?.control) || null;
const checkable = (e, radiosOnly) => {
  const role = rolesOf(e)[0] || '';
  return /radio/.test(role) || (!radiosOnly && /^(checkbox|switch|menuitemcheckbox)$/.test(role));
};
// The element that the verb would act on, or null if the verb does not fit it.
const target = (e, fit) => {
  if (fit === 'fill') return editable(e) ? e : null;
  if (fit === 'select') return e.tagName === 'SELECT' || /^(combobox|listbox)$/.test(e.getAttribute('role')) ? e : null;
  if (fit === 'upload') return e.tagName === 'INPUT' && e.type === 'file' ? e : null;
  if (fit !== 'check' && fit !== 'choose') return e;
  const control = checkable(e, false) ? e : controlOf(e);
  return control && checkable(control, fit === 'choose') ? control : null;
};

const headingOf = (e) => e.querySelector(`:scope > legend, :scope > caption, ${HEADING}`);
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
  const before = all(HEADING).filter((h) => h.compareDocumentPosition(e) & 4).pop();
  return before ? `under ${quote(tidy(before.textContent))}` : '';
};

// A selector for a container, as a test would write it.
const css = (e) => e && (e.hasAttribute('role') ? `[role="${e.getAttribute('role')}"]`
  : e.localName + (e.classList.length && !e.matches(ITEM) ? `.${CSS.escape(e.classList[0])}` : ''));
// Whether a checkbox is drawn by its label, because it is too small, clipped, off the page or gets no
// clicks.
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
      const inside = [heading, ...node.querySelectorAll('*')].filter((d) => d && !holds(e, d) && !holds(d, e) &&
        visible(d) && (d === heading || [...d.childNodes].some((n) => n.nodeType === 3 && n.data.trim())));
      inside.slice(0, 6).forEach((d) => add('next to', d.textContent));
    }
    if (node.hasAttribute('aria-label')) add('in', node.getAttribute('aria-label'));
    else if (heading) add('in', heading.textContent);
  }
  const before = all(HEADING).filter((h) => h.compareDocumentPosition(e) & 4).pop();
  if (before) add('under', before.textContent);
  return ways.slice(0, 6);
};

// Whether a link is the picture of a card whose title, one of the links, has its name and address.
const isPictureOf = (e, links) => {
  if (e.localName !== 'a' || !e.href || tidy(e.innerText)) return false;
  const titles = links.filter((t) => t !== e && t.localName === 'a' && t.href === e.href && tidy(t.innerText) && nameOf(t) === nameOf(e));
  for (let node = up(e); node && !node.matches(`body,${LANDMARK}`); node = up(node)) {
    const inside = titles.filter((t) => holds(node, t));
    if (inside.length) return inside.length === 1;
  }
  return false;
};

// The usable ones of the elements that a query found: their index, description and, if there are
// several, their position.
const examine = (elements, { fit, roles, relation, anchors, places, nameless, ...kind }) => {
  const drawn = (e) => fit === 'upload' || visible(e) || (/^(check|choose)$/.test(fit) && !!standInOf(e));
  const shown = elements.filter(drawn);
  const reachable = reachableFor(fit);
  const meant = (e) => (!nameless || !nameOf(e)) && (!roles || rolesOf(e).some((r) => roles.includes(r)) ||
    (e.isContentEditable && roles.includes('textbox')));
  let usable = shown.filter((e) => reachable(e) && target(e, fit) && meant(target(e, fit)));
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
  if (relation) pairs = standing(usable, anchors, relation, kind);
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
        container: css(pair.container),
        item: !relation || relation !== 'next to' || !!pair.item,
        label: label ? (holds(label, e) ? 'around' : 'for') : '',
        id: e.id,
      };
    }),
  };
};
