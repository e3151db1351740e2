// Which queries can find something: the ARIA roles and the kinds of name of elements that have all
// the words of the name somewhere. Rather too many than too few; Playwright then compares names.
const sourcesOf = (name) => {
  const words = tidy(name).toLowerCase().split(' ');
  const has = (...texts) => {
    const text = tidy(texts.join(' ')).toLowerCase();
    return words.every((word) => text.includes(word));
  };
  const sources = new Set(['text']);
  for (const e of all(NAMED)) {
    const attribute = (a) => e.getAttribute(a) || '';
    const labelledBy = attribute('aria-labelledby').split(/\s+/)
      .map((id) => id && e.getRootNode().getElementById?.(id)?.textContent);
    const labels = [...(e.labels || [])].map((l) => l.textContent);
    const own = [attribute('aria-label'), attribute('title'), attribute('alt'),
      attribute('placeholder'), attribute('label')];
    const roles = rolesOf(e);
    if (attribute('placeholder') && has(attribute('placeholder'))) sources.add('placeholder');
    if (attribute('alt') && has(attribute('alt'))) sources.add('alt');
    if (attribute('title') && has(attribute('title'))) sources.add('title');
    const labelled = [attribute('aria-label'), ...labelledBy, ...labels];
    if (has(...labelled)) sources.add('labelled');
    if ((!roles.length || labels.length > 1 || e.type === 'file') && has(...labelled))
      sources.add('label');
    if (e.tagName === 'LABEL' && e.control && has(e.textContent)) sources.add('label-text');
    if (!roles.length) continue;
    // Attributes of what is inside count too; a shadow tree or a style sheet may hold any text.
    const inside = e.childElementCount && !/^(SELECT|TABLE)$/.test(e.tagName)
      ? [...e.querySelectorAll('*')] : [];
    const texts = inside.flatMap((d) =>
      ['aria-label', 'alt', 'title', 'value'].map((a) => d.getAttribute(a) || ''));
    const value = e.tagName === 'INPUT' && INPUTS[e.type] === 'button' ? e.value || e.type : '';
    const text = e.tagName === 'SELECT' ? '' : e.textContent;
    if (
      has(...own, ...labelledBy, ...labels, ...texts, value, text) ||
      e.hasAttribute('aria-owns') || attribute('aria-labelledby') ||
      e.localName === 'slot' || inside.some((d) => d.shadowRoot || d.localName === 'slot')
    ) roles.forEach((role) => sources.add(role));
  }
  return [...sources];
};
const possible = ({ names }) => ({
  ready: document.readyState === 'complete',
  sources: names.map(sourcesOf),
});
