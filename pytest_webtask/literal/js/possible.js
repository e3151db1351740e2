// The queries that may find an element: the ARIA roles and kinds of names of all elements that contain
// the words of the name. There may be too many, never too few; Playwright then compares the names.
const sourcesOf = (name, ways) => {
  const words = tidy(name).toLowerCase().split(' ');
  const has = (...texts) => {
    let text = texts.join(' ').toLowerCase();
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
      labels.push(attribute('aria-label'), ...ids.split(/\s+/).map((id) =>
        id && e.getRootNode().getElementById?.(id)?.textContent));
      if (has(...labels)) {
        sources.add('labelled');
        if (!roles.length || e.labels?.length > 1 || e.type === 'file') sources.add('label');
      }
    }
    if (e.localName === 'label' && e.control && has(e.textContent)) sources.add('label-text');
    if (!wanted.length) continue;
    // Attributes of inner elements count, too; a shadow tree or another element may have any text.
    const inside = e.childElementCount && e.localName !== 'select' ? [...e.querySelectorAll('*')] : [];
    if (
      ids || e.hasAttribute('aria-owns') || [...(e.labels || [])].some((l) => l.querySelector('slot')) || e.localName === 'slot' ||
      inside.some((d) => d.shadowRoot || d.localName === 'slot') ||
      has(
        ...labels, ...['title', 'alt', 'placeholder', 'label'].map(attribute),
        isButton(e) ? e.value || e.type : '',
        e.localName === 'select' ? '' : e.textContent,
        ...inside.flatMap((d) => ['aria-label', 'alt', 'title', 'value'].map(d.getAttribute, d)),
      )
    ) wanted.forEach((role) => sources.add(role));
  }
  return [...sources];
};
const possible = ({ names, ways }) => ({
  ready: document.readyState === 'complete',
  sources: names.map((name) => sourcesOf(name, ways)),
});
