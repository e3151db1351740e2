"""Changes that no tester would call a fault."""

from __future__ import annotations

import re
import time
from collections.abc import Callable

from benchmarks.drift.editing import MAIN, Edit, page, put, reverse, slow, sub, swap
from benchmarks.drift.shop import Change, Changing

_CARD = r'<li class="card">.*?</li>'
_LIST = r"/products"
_BY_SCRIPT = (
    "main|shipping|total|drawing|wishlist|rename|rename-status|note-hint|number|expiry|cvc"
    "|(?:panel|tab|number|expiry|cvc)-[a-z]+"
)
_CLASSES = (
    "card price panel flash lines rows count toolbar pills quiet field cart top bottom".split()
)


def _harmless(name: str, answer: Changing, *tests: str, given: str = "") -> Change:
    return Change(name, "harmless", answer, tests, given)


def _each_tag(tags: str, change: Callable[[str, str], str]) -> Edit:
    """Each opening tag of these; `change` gets its name and its attributes."""
    return sub(rf"<({tags})\b([^>]*)>", lambda m: f"<{m[1]}{change(m[1], m[2])}>")


def _numbered(tag: str, attributes: str) -> str:
    count = sum(map(ord, attributes)) % 997
    return f'{attributes} data-testid="{tag}-{count}"'


def _turned(_: str, attributes: str) -> str:
    found = re.findall(r'[\w-]+(?:="[^"]*")?', attributes)
    return "".join(f" {each}" for each in reversed(found))


def _renamed_classes(text: str) -> str:
    names = "|".join(_CLASSES)

    def one(found: re.Match[str]) -> str:
        tokens = [f"k-{t}" if t in _CLASSES else t for t in found[1].split()]
        return f'class="{" ".join(tokens)}"'

    text = re.sub(r'class="([^"]*)"', one, text)
    return re.sub(rf"\.({names})(?![\w-])(?=[^;]*\{{)", r".k-\1", text)


def _new_card(name: str, price: str) -> Callable[[re.Match[str]], str]:
    """The first card of the list, once more as another product."""

    def card(found: re.Match[str]) -> str:
        text = re.sub(r"/products/\d+(?=\")", "/products/24", found[0])
        text = re.sub(r"(<h3><a[^>]*>)[^<]*", rf"\g<1>{name}", text)
        return re.sub(r"\$[\d.]+", price, text)

    return card


def _first_card(name: str, price: str) -> Edit:
    return lambda t: re.sub(
        _CARD, lambda m: _new_card(name, price)(m) + m[0], t, count=1, flags=re.DOTALL
    )


def _last_card(name: str, price: str) -> Edit:
    return sub(rf"({_CARD})(?=\s*</ul>)", lambda m: m[0] + _new_card(name, price)(m))


def _moved(piece: str, *, after: str = "", before: str = "") -> Edit:
    """Move the part that matches."""

    def edit(text: str) -> str:
        found = re.search(piece, text, re.DOTALL)
        if found is None or (after or before) not in text:
            return text
        rest = text.replace(found[0], "")
        return rest.replace(after or before, after + found[0] + before, 1)

    return edit


def _as_input(found: re.Match[str]) -> str:
    attributes, text = found[1], found[2]
    if "type=" in attributes or "value=" in attributes:
        return found[0]
    return f'<input type="submit"{attributes} value="{text}">'


def _spaced(text: str) -> str:
    text = re.sub(r"(</(?:li|p|td|th|tr|div|form|section|h[123])>)", "\\1\n\n      ", text)
    return re.sub(r">([^<>]+)<", lambda m: f">{m[1].replace(' ', '  ' + chr(10) + ' ')}<", text)


_BAR = 'style="padding:10px 20px;background:#2f6b45;color:#fff"'
_LATE = (
    "<script>setTimeout(() => { const t = document.getElementById('late');"
    " t.replaceWith(t.content) }, 500)</script>"
)
_NAV = '<li><a href="/products">Shop</a></li>'

HARMLESS = (
    _harmless(
        "ids renamed",
        page(
            sub(
                rf'\b(id|for|aria-labelledby|aria-describedby)="(?!(?:{_BY_SCRIPT})")([a-z-]+)"',
                r'\1="shop-\2"',
            )
        ),
    ),
    _harmless("classes renamed", page(_renamed_classes, kinds=("text/html", "text/css"))),
    _harmless(
        "wrappers around",
        page(
            sub(r"<h1>.*?</h1>", r'<div class="head"><div>\g<0></div></div>'),
            sub(r"<table.*?</table>", r'<div><div class="scroll">\g<0></div></div>'),
            sub(r'<form class="(?:buy|coupon|sort)".*?</form>', r"<div>\g<0></div>"),
            sub(r'<li class="card">(.*?)</li>', r'<li class="card"><div><div>\1</div></div></li>'),
            sub(r'<p class="flash.*?</p>', r'<div class="messages">\g<0></div>'),
        ),
    ),
    _harmless(
        "products in another order",
        page(reverse(_CARD), at=_LIST),
        "test_changing_the_cart",
        "test_order",
    ),
    _harmless(
        "rows of the cart in another order",
        page(reverse(r"<tr>\s*<th scope=\"row\">.*?</tr>"), at="/cart"),
        "test_changing_the_cart",
    ),
    _harmless(
        "text before",
        page(put("<p>This week: free delivery for orders above $80.00.</p>", after=MAIN)),
    ),
    _harmless(
        "text after", page(put("<p>5 customers are looking at 3 items now.</p>", before="</main>"))
    ),
    _harmless(
        "promotion on top",
        page(
            put(
                f'<div role="region" aria-label="Offers" {_BAR}>Summer sale: 20% off all gifts. '
                '<a href="/products?category=Gifts">Gifts</a> <button type="button">Close</button> '
                '<button type="button">Remind me</button> <a href="/login">Log in to save</a></div>',
                before='<header class="top">',
            )
        ),
    ),
    _harmless(
        "cookies at the bottom",
        page(
            put(
                '<div role="region" aria-label="Cookies" style="position:fixed;bottom:0;left:0;'
                'right:0;padding:12px;background:#fff">We use cookies. <button type="button">Accept'
                '</button> <button type="button">Decline</button> <a href="/terms">More</a></div>',
                after="</footer>",
            )
        ),
    ),
    _harmless("slow server", slow((0.3, 0.8, 0.5))),
    _harmless(
        "content put in by a script",
        page(
            put('<template id="late">', after=MAIN),
            put(f"</template>{_LATE}", before="</main>"),
            at="/|/cart|/orders.*|/products|/products/[234]",
        ),
    ),
    _harmless(
        "content shown late",
        page(
            put('<style id="late">main { display: none }</style>', before="</head>"),
            put(
                "<script>setTimeout(() => document.getElementById('late').remove(), 600)</script>",
                before="</footer>",
            ),
        ),
    ),
    _harmless(
        "placeholder translated",
        page(
            swap("Search mugs, plates, gifts…", "Tassen, Teller, Geschenke suchen …"),
            swap('placeholder="CVC"', 'placeholder="Prüfnummer"'),
        ),
        "test_options",
        "test_order",
    ),
    _harmless("attributes in another order", page(_each_tag("input|button|a|select", _turned))),
    _harmless(
        "column at the end of the cart",
        page(
            put('<th scope="col">Weight</th>', before="</tr></thead>"),
            sub(r"</tr>(?=\s*(?:<tr>|</tbody>))", "<td>350 g</td></tr>"),
            at="/cart",
        ),
        *("test_options", "test_changing_the_cart", "test_coupon", "test_order"),
    ),
    _harmless(
        "column in the middle of the orders",
        page(
            sub(r"(<th[^>]*>Status</th>)", r'<th scope="col">Parcels</th>\1'),
            sub(r"(<td[^>]*>\s*<span class=\"badge)", r"<td>1</td>\1"),
            at="/orders",
        ),
        "test_log_in",
        "test_order",
    ),
    _harmless(
        "more fields",
        page(
            sub(
                r'(<button class="wide">Log in)',
                r'<label><input type="checkbox" name="stay"> Remember me</label> \1',
            ),
            put(
                '<div class="field"><label for="phone">Phone (optional)</label><input id="phone">'
                "</div>",
                after='<h2 id="address">Delivery address</h2>',
            ),
            at="/login|/checkout",
        ),
        *("test_log_in", "test_wrong_password", "test_order", "test_wishlist"),
    ),
    _harmless(
        "more links in the navigation",
        page(
            put('<li><a href="/products?q=gift">Gift ideas</a></li>', before=_NAV),
            put('<li><a href="/terms">Shop terms</a></li>', after=_NAV),
        ),
    ),
    _harmless(
        "footer changed",
        page(
            sub(r"<h2 id=\"footer-visit\">.*?</address>", "<p>Visit us in Hamburg.</p>"),
            put('<li><a href="/products">Bowls and more</a></li>', before="</ul>\n    </section>"),
        ),
    ),
    _harmless(
        "buttons as inputs",
        page(sub(r"<button([^>]*)>([^<]+)</button>", _as_input)),
    ),
    _harmless("test ids", page(_each_tag("a|button|input|select|li|h1|td", _numbered))),
    _harmless(
        "levels of headings",
        page(sub(r"<(/?)h([123])\b", lambda m: f"<{m[1]}h{int(m[2]) + 1}")),
    ),
    _harmless("white space", page(_spaced)),
    _harmless(
        "more products",
        page(_first_card("Teapot", "$39.00"), _last_card("Milk Jug", "$17.00"), at=_LIST),
        "test_changing_the_cart",
        "test_order",
    ),
    _harmless(
        "a product with a similar name",
        page(_first_card("Espresso Cup Set", "$40.00"), at=_LIST),
        "test_changing_the_cart",
        "test_order",
    ),
    _harmless(
        "search moved",
        page(_moved(r'<form class="search".*?</form>', after="</header>")),
    ),
    _harmless(
        "summary before the cart",
        page(
            _moved(
                r'<section class="panel" aria-labelledby="summary">.*?</section>',
                before='<table class="cart-table">',
            ),
            at="/cart",
        ),
        *("test_options", "test_changing_the_cart", "test_coupon", "test_order"),
    ),
    _harmless(
        "style changed",
        page(
            lambda css: (
                css + "\nbody { font: 19px/1.8 serif; background: #eef }"
                "\nbutton, .button, h1 { text-transform: uppercase; border-radius: 0 }"
                "\n.split, .top .wrap { flex-direction: row-reverse }"
            ),
            kinds=("text/css",),
        ),
    ),
    _harmless(
        "pictures in links",
        page(
            sub(r"(<li><a [^>]*>|<h3><a [^>]*>)", r'\1<img src="/static/logo.svg" alt="" width=9>')
        ),
    ),
    _harmless(
        "tax in the totals",
        page(
            put("<div><dt>Tax included</dt><dd>$2.10</dd></div>", before='<div class="sum">'),
        ),
        *("test_options", "test_changing_the_cart", "test_coupon", "test_order"),
    ),
    _harmless(
        "badges on products",
        page(put('<span class="badge">New</span>', after='<li class="card">')),
        *("test_bowls", "test_options", "test_changing_the_cart", "test_order"),
    ),
    _harmless("titles of buttons", page(sub(r"<button\b", '<button title="One click is enough"'))),
    _harmless(
        "messages can be dismissed",
        page(
            sub(
                r'(<p class="flash[^>]*>)(.*?)</p>',
                r'\1\2 <button type="button" aria-label="Dismiss">×</button></p>',
            )
        ),
    ),
    _harmless(
        "one more colour",
        page(put("<option>Ivory</option>", before="<option>Cream</option>"), at="/products/1"),
        "test_options",
    ),
    _harmless(
        "somebody else has ordered",
        lambda visit: visit.forward(),
        "test_order",
        given="INSERT INTO orders SELECT 1016, user_id, placed_on, status, name, email, street,"
        " city, zip, country, delivery, note, drawing, strokes, card_last4, coupon, subtotal,"
        " discount, shipping, total FROM orders WHERE id = 1001",
    ),
    _harmless(
        "a clock",
        page(
            lambda text: text.replace(
                '<nav aria-label="Main">', f"<p>{time.time():.3f}</p>" + '<nav aria-label="Main">'
            )
        ),
    ),
    _harmless(
        "a hidden menu with the same links",
        page(sub(r'(<nav aria-label="Main">(.*?)</nav>)', r"<div hidden>\2</div>\1")),
    ),
    _harmless(
        "the cart is linked twice",
        page(sub(r'(<a class="cart".*?</a>)(.*?)<footer class="bottom">', r"\1\2<footer>\1")),
    ),
)
