"""Fields that pages draw themselves, as component libraries do."""

RANGE = """<label>Volume <input id=v type=range min=0 max=11 step=0.5 value=2></label><p id=out></p>
<script>v.onchange = () => { out.textContent = 'changed ' + v.value }</script>"""

SLIDER = """<span id=l>Volume</span><div id=v role=slider tabindex=0 aria-labelledby=l aria-valuemin=0
  aria-valuemax=100 aria-valuenow=50 style="width: 20px; height: 20px; background: red"></div>"""
"""A slider of a page's own."""

TYPED = """<label for=c>City</label><input id=c role=combobox aria-expanded=false aria-controls=list>
<ul id=list role=listbox hidden></ul><p id=out></p><script>
let picked = '';
c.oninput = () => setTimeout(() => {
  list.innerHTML = '';
  for (const x of ['Rome', 'Oslo', 'Osaka'].filter((x) => x.toLowerCase().includes(c.value.toLowerCase()))) {
    const li = list.appendChild(document.createElement('li'));
    li.role = 'option';
    li.textContent = x;
    li.onmousedown = (e) => { e.preventDefault(); TAKE; list.hidden = true };
  }
  list.hidden = false;
}, 400);
c.onblur = () => { c.value = picked }</script>"""
"""A combobox that looks up what is typed; TAKE is what a click on an option does."""
TAKES = "c.value = picked = x; out.textContent = 'picked ' + x"

BUTTON = """<span id=l>Fruit</span><div id=c role=combobox tabindex=0 aria-labelledby=l aria-controls=list
  style="width: 100px; height: 20px">Choose</div><ul id=list role=listbox hidden></ul><script>
c.onclick = () => setTimeout(() => {
  list.innerHTML = '';
  for (const x of ['Apple', 'Plum']) {
    const li = list.appendChild(document.createElement('li'));
    li.role = 'option';
    li.textContent = x;
    li.onclick = () => { TAKE; list.hidden = true };
  }
  list.hidden = false;
}, 400)</script>"""
"""A combobox without a field, whose list comes late; TAKE is what a click on an option does."""

COMPONENT = """<form id=f><x-field label=Name name=who></x-field>
<x-field label=Nick name=nick></x-field></form><script>
customElements.define('x-field', class extends HTMLElement {
  static formAssociated = true;
  constructor() {
    super();
    const [internals, root] = [this.attachInternals(), this.attachShadow({ mode: 'open', delegatesFocus: true })];
    root.innerHTML = `<label>${this.getAttribute('label')} <input></label>`;
    const field = root.querySelector('input');
    field.oninput = () => internals.setFormValue(field.value);
  }
})</script>"""
