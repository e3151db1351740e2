"""Pages, and what was done and checked on them."""

from typing import Any

from tests.recordings.made import STATUS, Line, call, check, target

FORM = """
<script>
  const did = (what) => document.title += ` ${what}`
  const on = (e, kind) => did(`${kind}:${e.currentTarget.id || e.currentTarget.name}`)
</script>
<button id=b onclick="on(event, 'click')" ondblclick="on(event, 'double')"
  oncontextmenu="on(event, 'right')" onmouseenter="on(event, 'over')">Go</button>
<div id=area role=img aria-label=Area style="width: 100px; height: 60px; background: silver"
  onclick="did(`at:${event.offsetX},${event.offsetY}`)"></div>
<label>Name <input name=name value=old></label>
<label>Notes <textarea name=notes>one</textarea></label>
<label>Colour <select name=colour><option>Red<option>Blue</select></label>
<label>Many <select multiple name=many><option>A<option>B<option>C</select></label>
<label><input type=checkbox name=yes> Yes</label>
<label><input type=checkbox name=no checked> No</label>
<label>File <input type=file name=file onchange="did(this.files[0].name)"></label>
<button onclick="document.querySelector('[name=file]').click()">Choose a file</button>
<div role=list aria-label=Box style="height: 50px; overflow: auto" onscroll="did('scrolled')">
  <div style="height: 400px">long</div></div>
<button onclick="did(confirm('sure?'))">Ask</button>
<button onclick="did(prompt('who?'))">Who</button>
<div style="height: 2000px"></div><p id=end>The end</p>
"""
GO, NAME = 'get_by_role("button", name="Go")', 'get_by_label("Name")'
CALLS = {
    "click": (call("click", GO, button="left"), "click:b"),
    "double": (call("click", GO, double=True), "double:b"),
    "right": (call("click", GO, button="right"), "right:b"),
    "at": (call("click_at", 'get_by_role("img", name="Area")', x=12.0, y=30.0), "at:12,30"),
    "hover": (call("hover", GO), "over:b"),
    "dismissed": (call("click", 'get_by_text("Ask")', dialog="dismiss"), "false"),
    "accepted": (call("click", 'get_by_text("Ask")', dialog="accept"), "true"),
    "prompted": (call("click", 'get_by_text("Who")', dialog_text="{user} B"), "Ann B"),
    "scrolled": (
        call("scroll", 'get_by_role("list", name="Box")', direction="down", pixels=80),
        "scrolled",
    ),
}

PAGE = """
<style>.hidden { display: none }</style>
<h1>Your cart</h1><p role=status>12 items, $1,500.00</p><p id=it>It’s <b>all</b> yours</p>
<input type=submit value="Buy now"><label>Name <input value="Ann Lee" required></label>
<label>Empty <input></label>
<label>Country <select><option value=de>Germany<option value=fr selected>France</select></label>
<div role=textbox contenteditable aria-label=Note>Hello there</div>
<label><input type=checkbox checked> Gift</label><label><input type=checkbox> Wrap</label>
<button disabled>Pay</button><button aria-expanded=true>Menu</button>
<details open><summary>More</summary>text</details>
<ul aria-label=Cart><li>Red mug</li><li>Blue mug</li><li class=hidden>Old mug</li><li>Cup</li></ul>
<p class=hidden>Gone</p><label>Mail <input aria-invalid=true></label>
<a href="/orders/7">Order MUG-10423</a>
<style>.tab { color: gray } .tab.is-active { color: red }</style>
<p id="sale" style="color:#dc2626">Sale</p>
<p id=off>53<sup>%</sup> of<b>7</b></p><p id=two>One<br>Two</p>
<p class="tab is-active">Day</p><p class="tab">Week</p><p class="tab not-active">Month</p>
"""
CART = 'get_by_role("list", name="Cart")'
ITEMS = f'{CART}.get_by_role("listitem").filter(visible=True)'
INPUT: dict[str, Any] = {"tag": "input"}
SELECT: dict[str, Any] = {"tag": "select"}
CHECKS: list[tuple[Line, bool]] = [
    (check("text", STATUS, text="12 items"), True),
    (check("text", STATUS, text="2 items"), False),
    (check("text", STATUS, text="12 item"), False),
    (check("text", STATUS, text="500.00"), False),
    (check("text", STATUS, text="$1,500.00"), True),
    (check("text", STATUS, text="12 items", exact=True), False),
    (check("text", "get_by_role('heading')", text="Your cart", exact=True), True),
    (check("text", "get_by_role('heading')", text="your cart"), False),
    (check("text", "locator('#it')", text="It's all yours", exact=True), True),
    (check("text", "locator('#it')", text="It's all"), True),
    (check("text", STATUS, text="2 items", fails=True), True),
    (check("text", STATUS, text="12 items", fails=True), False),
    (check("text", target('get_by_role("button", name="Buy now")', **INPUT), text="Buy"), True),
    (check("text", target('get_by_role("button", name="Buy now")', **INPUT), text="Bu"), False),
    (check("text", "locator('ul')", text="Red mug / Blue mug"), True),
    (check("text", "locator('#off')", text="53% of7"), True),
    (check("text", "locator('#off')", text="3% of7"), False),
    (check("text", "locator('#two')", text="One / Two", exact=True), True),
    (check("value", target('get_by_label("Name")', **INPUT), value="{user} Lee"), True),
    (check("value", target('get_by_label("Name")', **INPUT), value="Ann"), False),
    (check("value", target('get_by_label("Empty")', **INPUT), value=""), True),
    (check("value", target('get_by_label("Name")', **INPUT), value=""), False),
    (check("value", target('get_by_label("Country")', **SELECT), value="France"), True),
    (check("value", target('get_by_label("Country")', **SELECT), value="fr"), False),
    (check("value", target('get_by_label("Note")', tag="div"), value="Hello there"), True),
    (check("value", target('get_by_label("Note")', tag="div"), value="Hello"), False),
    (check("matches", "get_by_role('link')", pattern=r"Order MUG-\d{5}"), True),
    (check("matches", "get_by_role('link')", pattern=r"MUG-\d{5}"), False),
    (check("matches", target('get_by_label("Name")', **INPUT), pattern=r"{user} \w+"), True),
    (check("attribute", "get_by_role('link')", name="href", value="/orders/7"), True),
    (check("attribute", "get_by_role('link')", name="href", value="/orders"), False),
    (check("state", STATUS, state="visible"), True),
    (check("state", "get_by_text('Gone')", state="visible"), False),
    (check("state", "get_by_role('button', name='Menu')", state="enabled"), True),
    (check("state", "get_by_role('button', name='Pay')", state="enabled"), False),
    (check("state", "get_by_role('button', name='Pay')", state="disabled"), True),
    (check("state", "get_by_label('Gift')", state="checked"), True),
    (check("state", "get_by_label('Wrap')", state="checked"), False),
    (check("state", "get_by_label('Wrap')", state="unchecked"), True),
    (check("state", "get_by_label('Gift')", state="unchecked"), False),
    (check("state", "get_by_label('Gift')", state="focused"), False),
    (check("state", "get_by_role('button', name='Menu')", state="expanded"), True),
    (check("state", "get_by_role('button', name='Menu')", state="collapsed"), False),
    (check("state", target("get_by_text('More')", tag="summary"), state="expanded"), True),
    (check("state", target("get_by_text('More')", tag="summary"), state="collapsed"), False),
    (check("state", target("locator('[value=fr]')", tag="option"), state="selected"), True),
    (check("state", target("locator('[value=de]')", tag="option"), state="selected"), False),
    (check("state", "get_by_label('Name')", state="required"), True),
    (check("state", "get_by_label('Empty')", state="required"), False),
    (check("state", "get_by_label('Mail')", state="invalid"), True),
    (check("state", "get_by_label('Name')", state="invalid"), False),
    (check("style", "locator('#sale')", name="color", value="#dc2626"), True),
    (check("style", "locator('#sale')", name="color", value="#dc2627"), False),
    (check("count", ITEMS, number="3"), True),
    (check("count", ITEMS, number="{three}"), True),
    (check("count", ITEMS, number="4"), False),
    (check("order", ITEMS, texts=["Red", "Blue", "Cup"], place="all"), True),
    (check("order", ITEMS, texts=["Red", "Cup"], place="all"), False),
    (check("order", ITEMS, texts=["Red", "Cup"], place="first"), True),
    (check("order", target(ITEMS, type="part"), texts=["Cup", "Red"]), False),
    (check("order", target(ITEMS, type="all"), texts=["Red", "Cup"]), False),
    (check("absent", text="Out of stock"), True),
    (check("absent", text="gone"), True),
    (check("absent", text="red mug"), False),
    (check("absent", text="mu"), True),
    (check("absent", CART, text="Your cart"), True),
    (check("absent", role="alert"), True),
    (check("absent", role="button", name="menu"), False),
    (check("absent", role="button", name="men", exact=True), True),
    (check("absent", role="button", name="MENU", exact=True), False),
    (check("absent", CART, role="button"), True),
    (check("absent", text="red mug", fails=True), True),
    (check("title", text="Test"), True),
    (check("title", text="Tes"), False),
    (check("title", text="Test", exact=True), False),
    (check("title", text="Test page", exact=True), True),
]
