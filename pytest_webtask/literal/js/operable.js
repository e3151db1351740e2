// The elements that fit the verb, for an error that suggests names: each with its position, and the
// reason if it cannot be used now.
const operable = ({ fit, roles }) => {
  const found = [];
  const reachable = reachableFor(fit);
  const seen = (e) => fit === 'upload' || visible(e) || !!standInOf(e);
  for (const e of all(`${OPERABLE},[role],${HEADING}`)) {
    const own = rolesOf(e);
    if (e.tagName !== 'LABEL' && (own.some((r) => roles.includes(r)) || (fit !== 'click' && fit !== 'scroll' && e.isContentEditable)) &&
      target(e, fit)) {
      const name = nameOf(e);
      const state = !seen(e) ? 'hidden' : reachable(e) ? '' : closest(e, '[inert]') ? 'inert' : 'covered';
      if (name) found.push([own[0] || 'textbox', name, state ? placeOf(e) : '', state]);
    }
    if (found.length >= 2000) break;
  }
  return found;
};
