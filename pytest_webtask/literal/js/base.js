// Scripts that help to resolve a name. Playwright decides which elements have the name; the scripts
// only decide which of its queries are worth making, which of the elements fit the verb, and which of
// them are where the sentence says.

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
const HEADING = 'h1,h2,h3,h4,h5,h6,[role=heading]';

const { squash: tidy, up, flat, holds, isRendered: visible, isPage, isVisible: canSee, isInView, standInOf, roleOf, nativeRoleOf, nameOf: fullNameOf } = dom;
const closest = (element, css) => {
  for (let node = element; node; node = up(node)) if (node.matches(css)) return node;
  return null;
};
const roots = (root, found = []) => {
  found.push(root);
  for (const e of root.querySelectorAll('*')) if (e.shadowRoot) roots(e.shadowRoot, found);
  return found;
};
const all = (css) => roots(document).flatMap((root) => [...root.querySelectorAll(css)]);

// Every role that Playwright may give an element: the explicit ones, and the tag's own, which applies
// if the explicit ones are invalid.
const rolesOf = (e) => {
  const roles = (e.getAttribute('role') || '').toLowerCase().split(/\s+/).filter(Boolean);
  // A file input may be hidden behind a styled control, so it has a role of its own.
  if (e.localName === 'input' && e.type === 'file') roles.push('file');
  const native = nativeRoleOf(e);
  if (native) roles.push(native);
  if (e.localName === 'td') roles.push(native === 'cell' ? 'gridcell' : 'cell');
  return roles;
};
const isButton = (e) => e.localName === 'input' && e.type !== 'file' && nativeRoleOf(e) === 'button';
const nameOf = (e) => fullNameOf(e).slice(0, 60);
