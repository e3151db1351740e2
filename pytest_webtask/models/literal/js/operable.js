// What could be operated as the verb wants, for an error that suggests names.
const operable = ({ fit, roles }) => {
  const found = [];
  for (const e of all(`${OPERABLE},[role],${HEADING}`)) {
    const own = rolesOf(e);
    if (e.tagName !== 'LABEL' && (own.some((r) => roles.includes(r)) || (fit !== 'click' && fit !== 'scroll' && e.isContentEditable)) &&
      target(e, fit) && (visible(e) || fit === 'upload' || e.labels?.length)) {
      const name = nameOf(e);
      if (name) found.push([own[0] || 'textbox', name]);
    }
    if (found.length >= 2000) break;
  }
  return found;
};
