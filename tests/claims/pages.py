"""The pages that claims are made about: each has what tempts to a false verdict."""

from __future__ import annotations

_STYLE = """<style>
body{font:15px sans-serif;margin:1em} table{border-collapse:collapse} td,th{padding:2px 8px;text-align:left}
.number{text-align:right} .faint{opacity:0} .badge{background:#ddd;padding:0 4px}
.clipped{position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0 0 0 0);white-space:nowrap}
.cards{display:flex;gap:1em;list-style:none;padding:0} .toast{background:#dfd}
</style>"""


def _page(title: str, body: str, *, lang: str = "en", head: str = "") -> str:
    return f'<html lang="{lang}"><title>{title}</title>{_STYLE}{head}<body>{body}</body></html>'


_HEADER = """<header><a href="/">Fernhill</a> <nav aria-label="Main"><a href="/products">Products</a>
<a href="/orders">Orders</a> <a href="/cart">Cart <span class="badge">3</span></a>
<a href="/inbox">Notifications <span class="badge">12</span></a></nav></header>"""

CART = _page(
    "Cart – Fernhill",
    f"""{_HEADER}
<div role="status" class="toast">Mug Set was added to your cart</div>
<main><h1>Cart</h1>
<p class="hint">12 items are saved for later</p>
<table aria-label="Cart" data-total="31.50"><thead><tr><th>Product</th><th>Price</th><th>Quantity</th><th>Total</th><th>Change</th></tr></thead>
<tbody>
<tr data-id="24"><th scope="row">Mug</th><td>€12.00</td><td>2</td><td>€24.00</td><td><button aria-label="Remove Mug">✕</button></td></tr>
<tr data-id="12"><th scope="row">Tea Towel</th><td>€7.50</td><td>1</td><td>€7.50</td><td><button aria-label="Remove Tea Towel">✕</button></td></tr>
<tr hidden><th scope="row">Plate</th><td>€9.00</td><td>1</td><td>€9.00</td><td><button aria-label="Remove Plate">✕</button></td></tr>
</tbody></table>
<section aria-labelledby="sum"><h2 id="sum">Summary</h2>
<dl><div><dt>Subtotal</dt><dd>€31.50</dd></div><div><dt>Discount</dt><dd>−€3.15</dd></div>
<div><dt>Shipping</dt><dd>€4.90</dd></div><div><dt>Total</dt><dd>€33.25</dd></div></dl>
<label>Voucher <input name="voucher" placeholder="SPRING10"></label> <button>Apply</button>
<p><label><input type="checkbox" name="terms"> I accept the terms</label></p>
<button disabled title="Your order is ready">Check out</button>
<p hidden class="error" role="alert">Your card was declined</p></section>
<dialog id="thanks"><h2>Thank you!</h2><p>Your order 1049 has been placed.</p><button>Close</button></dialog>
<section aria-labelledby="seen"><h2 id="seen">Recently viewed</h2><ul>
<li><a href="/p/2">Mug Set</a> €44.00</li><li><a href="/p/3">Mugs, six of them</a> €66.00</li>
<li><a href="/p/4">Salad Bowl</a> €34.00</li></ul></section></main>""",
)


ORDERS = _page(
    "Orders – Fernhill",
    f"""{_HEADER}<main><h1>Orders</h1>
<div role="tablist" aria-label="Filter"><button role="tab" aria-selected="true">All (23)</button>
<button role="tab" aria-selected="false">Open (2)</button></div>
<p>Showing 6 to 10 of 23 orders</p>
<table aria-label="Orders"><thead><tr><th>Order</th><th>Date</th><th>Status</th><th class="number">Total</th></tr></thead><tbody>
<tr><th scope="row"><a href="/orders/1048">#1048</a></th><td>14 March 2026</td><td>Shipped</td><td class="number">€24.00</td></tr>
<tr><th scope="row"><a href="/orders/1047">#1047</a></th><td>9 March 2026</td><td>Delivered</td><td class="number">€124.00</td></tr>
<tr><th scope="row"><a href="/orders/1046">#1046</a></th><td>11 March 2026</td><td>Refunded</td><td class="number">−€24.00</td></tr>
<tr><th scope="row"><a href="/orders/1045">#1045</a></th><td>28 February 2026</td><td>Delivered</td><td class="number">$24.00</td></tr>
<tr><th scope="row"><a href="/orders/1044">#1044</a></th><td>20 February 2026</td><td>Delivered</td><td class="number">€80.10</td></tr>
</tbody></table>
<nav aria-label="Pages"><a href="?page=1">Previous</a> <a href="?page=1">1</a> <a href="?page=2" aria-current="page">2</a>
<a href="?page=3">3</a> <a href="?page=4">4</a> <a href="?page=5">5</a> <a href="?page=3">Next</a> <span>Page 2 of 5</span></nav>
<p class="clipped">All orders were delivered</p></main>""",
)

TASKS = _page(
    "Tasks – Studio",
    """<header><b>Studio</b> <span>12 items in the archive</span></header><main><h1>Tasks</h1>
<div role="tablist" aria-label="Views"><button role="tab" id="t1" aria-selected="true" aria-controls="p1">Open</button>
<button role="tab" id="t2" aria-selected="false" aria-controls="p2">Archive</button></div>
<div role="tabpanel" id="p1" aria-labelledby="t1">
<section aria-labelledby="w1"><h2 id="w1">This week</h2><p>2 items left</p><ul>
<li><label><input type="checkbox" checked> Buy clay</label></li>
<li><label><input type="checkbox" checked> Fire the kiln</label></li>
<li><label><input type="checkbox"> Call Anna</label></li>
<li><label><input type="checkbox" id="boxes"> Order boxes</label></li></ul></section>
<section aria-labelledby="w2"><h2 id="w2">Next week</h2><ul>
<li><label><input type="checkbox" checked> Glaze bowls</label></li>
<li><label><input type="checkbox" checked> Write to Ben</label></li></ul></section>
<form><label>New task <input placeholder="Pack parcels"></label> <button disabled>Add</button></form></div>
<div role="tabpanel" id="p2" aria-labelledby="t2" hidden><p>Every task is done. Well done!</p><ul><li>Sweep the floor</li></ul></div>
<p role="status">Saved</p></main><script>document.getElementById("boxes").indeterminate = true</script>""",
)

PROFILE = _page(
    "Profile – Studio",
    """<header><b>Studio</b> <span>Logged in as bob</span>
<div id="switch" hidden><p>Logged in as alice</p></div></header><main><h1>Profile</h1>
<p class="faint">Welcome back, alice</p><p class="clipped">Your profile is complete</p>
<form novalidate><p><label>Full name <input name="name" value="Bob Baker"></label></p>
<p><label>Email <input name="email" type="email" placeholder="alice@example.com" value=""></label></p>
<p><label>Phone <input name="phone" required aria-invalid="true" aria-describedby="pe" value="12"></label> <span id="pe">Enter a phone number with 6 digits or more</span></p>
<p><label>Country <select name="country"><option>Austria</option><option selected>Spain</option><option>Germany</option></select></label></p>
<p><label>Nickname <input name="nick" value="bobby" readonly></label></p>
<fieldset><legend>Plan</legend><label><input type="radio" name="plan"> Basic</label> <label><input type="radio" name="plan" checked> Pro</label>
<label><input type="radio" name="plan" disabled> Team</label></fieldset>
<p><label><input type="checkbox" name="news"> Newsletter</label> <label><input type="checkbox" name="tips" checked> Tips</label></p>
<p><button type="button" disabled>Save</button> <button type="button">Cancel</button> <button type="button">Save draft</button></p></form>
<details><summary>Advanced</summary><p>Delete account</p></details>
<dialog><p>Profile saved</p><button>OK</button></dialog></main>""",
)

PRODUCTS = _page(
    "Products – Fernhill",
    f"""{_HEADER}<main><h1>Products</h1><p>5 products, sorted by price</p>
<ul class="cards" aria-label="Products">
<li><h2>Coaster</h2><p>€4.00</p><button>Buy Coaster</button></li>
<li><h2>Cup</h2><p>€9.50</p><button>Buy Cup</button></li>
<li><h2>Mug</h2><p>€12.00</p><button>Buy Mug</button></li>
<li><h2>Mug Set</h2><p>€44.00</p><button>Buy Mug Set</button></li>
<li><h2>Bowl</h2><p>€120.00</p><p>Sold out</p><button disabled>Buy Bowl</button></li></ul>
<aside aria-label="Wishlist"><h2>Wishlist</h2><p>12 items</p><ul><li>Vase €15.00</li><li>Jug €2.00</li></ul></aside></main>""",
)

SALE = _page(
    "Sale – Fernhill",
    f"""{_HEADER}<main><h1>Sale</h1><p role="status" class="toast">Sorted by price</p>
<ul class="cards" aria-label="Products">
<li><h2>Spoon</h2><p>€5.00</p><span class="badge">−20%</span> <button aria-label="Buy Spoon">Buy</button></li>
<li><h2>Egg Cup</h2><p>€8.00</p><span class="badge">−20%</span> <button aria-label="Buy Egg Cup">Buy</button></li>
<li><h2>Saucer</h2><p>€7.50</p><span class="badge">New</span> <button aria-label="Buy Saucer">Buy</button></li>
<li><h2>Teapot</h2><p>€15.00</p><span class="badge">−20%</span> <button aria-label="Buy Teapot">Buy</button></li></ul>
<p>4 of 14 offers are shown</p><button>Show more</button></main>""",
)

BANK = _page(
    "Accounts – Harbour Bank",
    """<header><b>Harbour Bank</b> <span>Signed in as Carol Chen</span></header><main><h1>Accounts</h1>
<ul aria-label="Accounts">
<li data-balance="250.00"><h2>Checking</h2> <p>Balance: −€250.00</p></li>
<li><h2>Savings</h2> <p>Balance: €1,250.00</p></li>
<li><h2>Dollar account</h2> <p>Balance: $250.00</p></li></ul>
<p class="faint">Balance: €250.00</p><p class="clipped">You have no debts</p>
<section aria-labelledby="tr"><h2 id="tr">Last transfers</h2>
<table><thead><tr><th>Date</th><th>To</th><th>Amount</th><th>State</th></tr></thead><tbody>
<tr><td>2026-03-12</td><td>Dan</td><td>€50.00</td><td>Done</td></tr>
<tr><td>2026-03-12</td><td>Dana</td><td>€75.00</td><td>Pending</td></tr>
<tr><td>2026-03-02</td><td>Eve</td><td>€500.00</td><td>Done</td></tr></tbody></table></section>
<p role="alert">The transfer to Dana needs your approval</p>
<dialog><p>The transfer was approved</p></dialog></main>""",
)

INBOX = _page(
    "Inbox (3) – Post",
    """<header><b>Post</b> <a href="/inbox">Inbox <span class="badge">3</span></a> <a href="/spam">Spam <span class="badge">12</span></a></header>
<main><h1>Inbox</h1><div role="status" class="toast">Message sent to Frank</div>
<ul aria-label="Messages">
<li><b>Carol</b> <a href="/m/1">Lunch on Friday?</a> <span>Unread</span></li>
<li><b>Ben</b> <a href="/m/2">Kiln is repaired</a> <span>Unread</span></li>
<li><b>Dan</b> <a href="/m/3">Invoice 2046</a> <span>Read</span></li>
<li><b>Anna</b> <a href="/m/4">Holiday pictures</a> <span>Unread</span></li></ul>
<h2>Preview</h2><iframe src="/preview" title="Preview" width="500" height="160"></iframe>
<p><button>Reply</button> <button disabled>Forward</button></p></main>""",
)

PREVIEW = _page(
    "Preview",
    """<h3>Invoice 2046</h3><p>Total: €99.00</p><p>You have 5 unread messages</p><p>Due on 1 April 2026</p>
<button>Pay</button>""",
)

SETTINGS = _page(
    "Settings – Studio",
    """<header><b>Studio</b></header><main><h1>Settings</h1>
<p><button role="switch" aria-checked="true" aria-label="Dark mode">On</button> Dark mode</p>
<p><button role="switch" aria-checked="false" aria-label="Sounds">Off</button> Sounds</p>
<volume-panel></volume-panel>
<h2><button aria-expanded="false" aria-controls="acc">Billing</button></h2><div id="acc" hidden>Paid until 1 May 2026</div>
<h2><button aria-expanded="true" aria-controls="acc2">Storage</button></h2><div id="acc2">2.5 GB of 12 GB used</div>
<dialog open aria-labelledby="dt"><h2 id="dt">Delete project?</h2><p>3 files will be lost.</p>
<label>Name of the project <input placeholder="kiln-app"></label><button>Cancel</button> <button disabled>Delete</button></dialog></main>
<script>customElements.define("volume-panel", class extends HTMLElement { connectedCallback() {
this.attachShadow({mode: "open"}).innerHTML = '<h2>Sound</h2><p>Volume: 30%</p><button>Mute</button><p hidden>Muted</p>'; } })</script>""",
)

TEAM = _page(
    "Team – Studio",
    """<header><b>Studio</b></header><main><h1>Team</h1>
<table aria-label="Members"><thead><tr><th>Name</th><th>Role</th><th>Status</th><th>Tasks</th></tr></thead><tbody>
<tr><td>Anna</td><td>Admin</td><td>Active</td><td>4</td></tr>
<tr><td>Ben</td><td>Member</td><td>Active</td><td>2</td></tr>
<tr><td>Carol</td><td>Member</td><td>Inactive</td><td>0</td></tr>
<tr><td>Dan</td><td>Member</td><td>Active</td><td>12</td></tr></tbody></table>
<h2>Invitations</h2><ul aria-label="Invitations"><li>eve@example.com</li><li>frank@example.com</li></ul>
<button>Invite</button> <button disabled>Remove</button></main>""",
)

GERMAN = _page(
    "Warenkorb – Töpferei",
    """<main><h1>Warenkorb</h1><p role="status">Die Kanne wurde entfernt</p>
<table aria-label="Warenkorb"><thead><tr><th>Artikel</th><th>Menge</th><th>Preis</th></tr></thead><tbody>
<tr><th scope="row">Becher</th><td>2</td><td>24,00 €</td></tr><tr><th scope="row">Teller</th><td>1</td><td>14,50 €</td></tr></tbody></table>
<dl><div><dt>Zwischensumme</dt><dd>38,50 €</dd></div><div><dt>Versand</dt><dd>4,90 €</dd></div><div><dt>Gesamtsumme</dt><dd>43,40 €</dd></div></dl>
<label>Gutschein <input placeholder="FRÜHLING"></label> <button disabled>Zur Kasse</button>
<p hidden>Die Bestellung wurde aufgegeben</p></main>""",
    lang="de",
)

FRENCH = _page(
    "Commande – Atelier",
    """<main><h1>Commande 512</h1><p>Bonjour, Claire Petit</p>
<ul aria-label="Articles"><li>Tasse – 12,00 €</li><li>Assiette – 18,00 €</li><li>Bol – 9,00 €</li></ul>
<p>Livraison : 5,00 €</p><p>Total : 44,00 €</p><p>Statut : <strong>Expédiée</strong></p>
<button>Annuler</button> <button disabled>Payer</button></main>""",
    lang="fr",
)

SPANISH = _page(
    "Pedido – Taller",
    """<main><h1>Pedido 77</h1><p>Sesión iniciada como marta</p>
<ul aria-label="Productos"><li>Taza 10,00 €</li><li>Plato 15,00 €</li></ul>
<p>Total: 25,00 €</p><label><input type="checkbox"> Acepto las condiciones</label> <button disabled>Comprar</button>
<dialog><p>Pedido confirmado</p></dialog></main>""",
    lang="es",
)

PAGES = {
    "/cart": CART,
    "/orders": ORDERS,
    "/tasks": TASKS,
    "/profile": PROFILE,
    "/products": PRODUCTS,
    "/sale": SALE,
    "/bank": BANK,
    "/inbox": INBOX,
    "/preview": PREVIEW,
    "/settings": SETTINGS,
    "/team": TEAM,
    "/de": GERMAN,
    "/fr": FRENCH,
    "/es": SPANISH,
}
"""Each page by its path."""
