// What the page is asked while a name is resolved. Playwright decides which elements have the name;
// this only says which of its queries are worth making, which of the elements found can be used as
// the verb wants, and which of them stand where the sentence says.

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

const tidy = (text) => (text || '').replace(/[\u200b\u00ad]/g, '').replace(/\s+/g, ' ').trim();
const up = (node) => node.parentElement || node.getRootNode().host || null;
const holds = (outer, inner) => {
  for (let node = inner; node; node = up(node)) if (node === outer) return true;
  return false;
};
const closest = (element, css) => {
  for (let node = element; node; node = up(node)) if (node.matches(css)) return node;
  return null;
};
// As Playwright sees it: a box that is not empty, and not hidden.
const visible = (e) => {
  const style = getComputedStyle(e);
  if (style.display === 'contents') return [...e.childNodes].some((n) => n.nodeType === 3 || visible(n));
  if (!e.checkVisibility() || style.visibility !== 'visible') return false;
  const box = e.getBoundingClientRect();
  return box.width > 0 && box.height > 0;
};
const roots = (root, found = []) => {
  found.push(root);
  for (const e of root.querySelectorAll('*')) if (e.shadowRoot) roots(e.shadowRoot, found);
  return found;
};
const all = (css) => roots(document).flatMap((root) => [...root.querySelectorAll(css)]);

const INPUTS = {
  button: 'button', submit: 'button', reset: 'button', image: 'button', checkbox: 'checkbox',
  radio: 'radio', range: 'slider', number: 'spinbutton', search: 'searchbox', file: 'file', hidden: '',
};
const TAGS = {
  BUTTON: 'button', TEXTAREA: 'textbox', OPTION: 'option', IMG: 'img', SVG: 'img', LI: 'listitem',
  UL: 'list', OL: 'list', TR: 'row', TD: 'cell', TH: 'columnheader',
};
// Every role that Playwright may give to the element: the explicit one, and the tag's own, which
// counts again where the explicit one is no role.
const rolesOf = (e) => {
  const roles = (e.getAttribute('role') || '').toLowerCase().split(/\s+/).filter(Boolean);
  const tag = e.tagName.toUpperCase();
  if (tag === 'A' || tag === 'AREA') e.hasAttribute('href') && roles.push('link');
  else if (tag === 'SELECT') roles.push(e.multiple || e.size > 1 ? 'listbox' : 'combobox');
  else if (tag === 'INPUT') {
    const role = INPUTS[e.type] ?? 'textbox';
    roles.push(role);
    if (role === 'file') roles.push('button');
    if (e.hasAttribute('list')) roles.push('combobox');
  } else if (/^H[1-6]$/.test(tag)) roles.push('heading');
  else if (tag === 'TD') roles.push('cell', 'gridcell');
  else if (TAGS[tag]) roles.push(TAGS[tag]);
  return roles;
};
