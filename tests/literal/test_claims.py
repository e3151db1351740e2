"""Tests of literal claims about texts: whether they are visible, and in which part."""

import time

import pytest
from playwright.sync_api import Page

from pytest_webtask.errors import TaskFailed, UsageError, VerificationFailed
from pytest_webtask.run.webtask import Webtask
from tests.literal.names import Claims, Outcome, Unexpected
from tests.scripted import Html
from tests.site import Site

CART = """
<nav><ul><li><a href=#>Home</a><li><a href=#>Cart</a></ul></nav>
<main>
<section><h2>Cart</h2>
  <p>2 items</p>
  <table><thead><tr><th>Item<th>Pieces<th>Price</thead>
  <tr><td>Mug<td>2<td>€12.50 <button>Remove</button>
  <tr><td>Plate<td>1<td>€24 <button>Remove</button></table>
  <dl><dt>Subtotal<dd>€24<dt>Total<dd>€36.50</dl>
</section>
<section aria-label="You may like"><ul><li>Bowl<li>Travel Mug</ul></section>
</main>
"""


TRUE = [
    '"2 items" is shown',
    'the "Cart" section shows "2 items"',
    '"Cart" does not show "Bowl"',
    '"You may like" shows "Bowl"',
    '"Mug" shows "€12.50"',
    'the "Mug" row in "Cart" shows "2"',
    '"Mug" does not show "€24"',
    '"Mug" in "Cart" is shown',
    '"Bowl" in "Cart" is not shown',
    'the "Remove" button in "Cart" is shown',
    'there is a "Home" link',
    'the "Save" button is not shown',
    '"Cart" shows "2 items" and "Mug" shows "2", "Plate" shows "1"\n"Error" is not shown',
]
FALSE = [
    # Similar to a text on the page.
    ('"1 items" is shown', 'the page does not show "1 items"; the closest is "2 items"'),
    ('"mug" is shown', 'the page does not show "mug"; the closest is "'),
    ('"Total €24" is shown', 'the page does not show "Total €24"'),
    ('"36.5" is shown', 'does not show "36.5"'),
    ('"mug" is not shown', 'the page shows "mug": "Mug'),
    # In another part of the page.
    ('"Cart" shows "Bowl"', '"Cart" does not show "Bowl"; the closest is "'),
    ('"Mug" shows "1"', '"Mug" does not show "1"; the closest is "Mug 2'),
    ('"Total" shows "€24"', '"Total" does not show "€24"; the closest is "€36.50"'),
    ('"Cart" does not show "Mug"', '"Cart" shows "Mug": "'),
    ('"Bowl" in "Cart" is shown', '"Cart" does not show "Bowl"'),
    ('the "Home" button is shown', 'there are no "Home" buttons; there is "Remove"'),
    ('there is a "Remov" button', 'there is "Remove"'),
    ('the "Home" link is not shown', 'there is 1 "Home" link, not none'),
    ('the "Home" link in "Cart" is shown', 'there are no "Home" links in "Cart"'),
    ('"Cart" shows "2 items" and "Mug" shows "3"', '"Mug" shows "3": "Mug" does not show "3"'),
]
ENCODED = """
<p>In-Active</p><p>joe@ann.com</p><p>5–10 people</p><p>Send e\u2011mail</p><p>Hy\u00adphen</p><p>Ann's order</p>
<button>E\u2011Invoice</button><button>Resume\u0301</button><button>Pre-view</button>
<input aria-label="Cafe\u0301" value="Zoe\u0308"><ul aria-label=Files><li>bob.pdf.exe<li>6–12</ul>
<p id=p></p><script>p.textContent = 'half \\ud83d sign'</script>
"""
OF_ENCODED = {
    "passed": [
        *('"e-mail" is shown', '"Hyphen" is shown', '"Ann" is shown', '"5–10" is shown', '"sign" is shown'),
        *('there is an "E-Invoice" button', 'there is a "Resumé" button', '"Café" has value "Zoë"'),
    ],
    "failed": [
        *('"Active" is shown', '"ann.com" is shown', '"joe" is shown', '"5" is shown', '"10" is shown'),
        *('"Files" shows "bob.pdf"', '"Files" shows "6"', 'there is a "view" button', '"mail" is shown'),
    ],
}  # fmt: skip
UNKNOWN = [
    ('"Basket" shows "2 items"', 'there is no "Basket" on this page (waited 0 s)'),
    ('"Basket" does not show "Mug"', 'there is no "Basket"'),
    ('the "Save" button in "Basket" is not shown', 'there is no "Basket"'),
    # A longer name is another name.
    ('"Travel" shows "Mug"', 'there is no "Travel" on this page'),
    ('the "Cart" dialog shows "2 items"', 'there is no "Cart" dialog on this page'),
    # The name of a link shows nothing else, so nothing can be missing in it.
    ('"Home" shows "2 items"', '"Home" is only the name of a li'),
    ('"Home" does not show "2 items"', '"Home" is only the name of a li'),
    ('"Price" shows "€24"', 'row as well, as in: column "Price" in row "Mug" of section "Cart"'),
]

NOT_SHOWN = [
    "<p>12 items</p>",
    "<p>2 itemsets</p>",
    "<p>1.2 items</p>",
    "<p>-2 items</p>",
    "<p>2<br>items</p>",
    "<p>There are 2</p><p>items here</p>",
    "<p><span>1</span><span>2 items</span></p>",
    "<p><span style='display:inline-block'>1</span><span>2 items</span></p>",
    "<input value='2 items'><input placeholder='2 items'>",
    "<textarea>2 items</textarea>",
    "<p>2 Items</p>",
    "<iframe style='position:absolute;left:-9999px' srcdoc='<p>2 items</p>'></iframe>",
    "<iframe width=0 height=0 srcdoc='<body style=margin:0><p style=min-width:200px>2 items</p>'></iframe>",
    "<div style='transform:scale(1);overflow:hidden;height:0'><p style='position:fixed'>2 items</p></div>",
    "<div style='height:50px;overflow:auto'><p style='position:relative;top:-300px'>2 items</p></div>",
]
# Those that change the page around them.
NOT_SHOWN_ALONE = [
    "<dialog id=d style='opacity:0'>2 items</dialog><script>d.showModal()</script>",
    "<iframe width=0 height=0 style='padding:30px;border:0' srcdoc='<p style=width:99px>2 items</p>'></iframe>",
    "<style>body{direction:rtl}</style><p style='position:absolute;right:-9999px'>2 items</p>",
    "<style>body{direction:rtl}</style><p style='text-indent:-9999px;white-space:nowrap'>2 items</p>",
    "<style>body{direction:rtl}</style>"
    "<nav style='position:absolute;right:0;width:300px;transform:translateX(100%)'>2 items</nav>",
    "<div dir=rtl style='width:300px;height:90px;overflow:auto;position:relative'>"
    "<p style='position:absolute;right:-200px;width:100px'>2 items</p></div>",
    "<div style='height:90px;overflow:auto;display:flex;flex-direction:column-reverse;position:relative'>"
    "<p style='position:absolute;bottom:-200px'>2 items</p></div>",
    "<style>body{overflow-x:hidden}</style><p style='position:absolute;right:-300px;width:200px'>2 items</p>",
]
SHOWN = [
    "<p>2\n  items</p>",
    "<p>2&nbsp;items</p>",
    "<p>(2 items)</p>",
    "<p style='text-transform:uppercase'>2 items</p>",
    "<p style='text-transform:lowercase'>2 ITEMS</p>",
    "<p hidden>2 items</p><p>2 items</p>",
    "<div style='display:flex'><i>2</i><i>items</i></div>",
    "<a href=#>Cart<span style='margin-left:9px'>2 items</span></a>",
    "<div style='height:100px;overflow:auto;display:flex;flex-direction:column-reverse'>"
    "<p style='flex:none;height:500px'>new</p><p style='flex:none'>2 items</p></div>",
    "<div style='width:100px;overflow:auto;display:flex;flex-direction:row-reverse'>"
    "<p style='flex:none;width:500px'>new</p><p style='flex:none'>2 items</p></div>",
    "<style>body{direction:rtl}</style><div style='width:3000px'><p style='float:left'>2 items</p></div>",
    "<div style='zoom:2;width:200px;margin-left:400px'><div dir=rtl style='width:100px;overflow:auto'>"
    "<div style='width:600px;text-align:left'>2 items</div></div></div>",
    "<div style='transform:scale(2)'><div id=b style='height:60px;overflow:auto'><p>2 items</p>"
    "<div style='height:900px'></div></div></div><script>b.scrollTop = 9999</script>",
    "<style>body{overflow:hidden}</style><p style='margin-top:3000px'>2 items</p>",
    "<div style='opacity:0'><dialog id=d>2 items</dialog></div><script>d.showModal()</script>",
    "<div style='transform:scale(1);height:3000px'><p style='position:fixed;top:2000px'>2 items</p></div>",
]
GONE = [
    ("<p>Unsaved</p>", True),
    ("<p>Saved</p>", False),
    ("<p>saved</p>", False),
    ("<p>Not <b>Saved</b></p>", False),
    ("<input value=Saved>", False),
    # A frame that is only transparent may fade in.
    ("<iframe style='opacity:0' srcdoc='<p>Saved</p>'></iframe>", False),
]
LABELED = {
    "term": ("<dt>{}<dd>{}", "dl"),
    "term in a group": ("<div><dt>{}<dd>{}</div>", "dl"),
    "definition in a card": ("<div class=card><h3>Bill</h3><dl><dt>{}<dd>{}</dl></div>", "div"),
    "row header": ("<tr><th>{}<td>{}", "table"),
    "cells": ("<div role=row><div role=cell>{}</div><div role=cell>{}</div></div>", "div"),
    "text with a colon": ("<p>{}: <b>{}</b></p>", "div"),
    "label around an output": ("<label>{} <output>{}</output></label>", "div"),
    "label of an output": ("<p><label for={0}>{0}</label> <output id={0}>{1}</output></p>", "div"),
    "strong before a text": ("<p><strong>{}:</strong> {}</p>", "div"),
    "strong over a text": ("<p><strong>{}</strong><br>{}</p>", "div"),
    "bold and italic": ("<p><b>{}</b> <i>{}</i></p>", "div"),
    "two spans": ("<div><span>{}</span> <span>{}</span></div>", "div"),
    "item": ("<li>{} <b>{}</b>", "ul"),
    "flex row": ("<div style='display:flex'><div>{}</div><div>{}</div></div>", "div"),
    "card": ("<div class=c><h3>{}</h3><p>{}</div>", "div"),
    "heading": ("<h3>{}</h3><p>{}</p>", "div"),
    "name of an output": ("<output aria-label={}>{}</output>", "p"),
    "text by its id": ("<p><b id={0}>{0}</b></p><i aria-labelledby={0}>{1}</i>", "div"),
    "legend": ("<fieldset><legend>{}</legend>{}</fieldset>", "div"),
    "title of a dialog": ("<div role=dialog aria-labelledby={0}><p id={0}><i>{0}</i> <b>{1}</b></div>", "div"),
    "caption of a figure": ("<figure>{1}<figcaption>{0}</figcaption></figure>", "div"),
}  # fmt: skip
CELL = 'column "Sales 2024" in row "Apples" of table "Report"'
NO_PARTS = [
    # A name at the top of a page, a page that a table lays out, labels side by side.
    "<div><span>Total</span><section>24</section><section>" + "word " * 80 + "</div>",
    "<div><p>Total</p><div>24 " + "word " * 80 + "</div></div>",
    "<main><h1>Shop</h1><i>Total</i><table><tr><td>24</table></main>",
    "<p><i>Tax</i> <i>24</i> <i>Total</i> <i>30</i></p>",
    "<div><label>Total <input value=24></label></div>",
    "<div><p>Total</p></div><div><p>24</p></div>",
    "<aside>Total</aside><p>24",
    "<p><b>Total</b> 4 <b>Tax</b> 24</p>",
    "<ul><li>Mug <i>Total</i> <i>4</i> <i>Tax</i> <i>24</i></ul>",
]


PAGES: Claims = {
    "row of a layout table is no part": (
        "<table><tr><td><i>Total</i> <b>1</b><td><section><p>24</section></table>",
        [('"Total" shows "1"', "passed"), ('"Total" shows "24"', "failed")],
    ),
    "frames apart": (
        "<button disabled>Buy</button><section aria-label=Cart>1 item</section><iframe name=f"
        " srcdoc='<section aria-label=Box><p>2 items</p><button>Sell</button></section>'></iframe>",
        [
            ('"Buy" is disabled, "Sell" is enabled, "Box" shows "2 items"', "passed"),
            ('"Sell" is disabled', "failed"),
            ('"Cart" shows "2 items"', "failed"),
        ],
    ),
    "rows of one name in two sections": (
        "<section><h2>Cart</h2><table><tr><td>Mug<td>2</table></section>"
        "<section><h2>Wishes</h2><table><tr><td>Mug<td>5</table></section>",
        [
            ('"Mug" shows "2"', "undecided", "2 elements could be"),
            ('"Mug" in "Cart" shows "2"', "passed"),
            ('"Mug" in "Wishes" shows "2"', "failed"),
        ],
    ),
    "heading with a count": (
        "<section><h2>Cart (2)</h2><p>Mug</section><section><h2>Cart offers</h2><p>Pen",
        [('"Cart" shows "Mug"', "passed")],
    ),
    "heading with further words": (
        "<section><h2>Cart offers</h2><p>Pen</section>",
        [('"Cart" shows "Pen"', "undecided")],
    ),
    # Two levels of heads are one name, of which the lower one is enough if it is alone.
    "cell of a row and a column": (
        "<table><caption>Report</caption><tr><th rowspan=2>Item<th colspan=2>Sales<th colspan=2>Returns"
        "<tr><th>2024<th>2025<th>2024<th>2026<tr><td>Apples<td>5<td>6<td>7<td><input aria-label=n value=8>"
        "<tr><td>Pears<td>15<td>16<td>17<td>18</table>",
        [
            (f'{CELL} shows "5", "Sales" in "Apples" shows "6", "Apples" under "Sales 2024" shows "5"', "passed"),
            ('"2025" in the "Apples" row shows "6", "n" under "Returns 2026" has value "8"', "passed"),
            ('"Sales 2024" in "Apples" does not show "7"', "passed"),
            ('"Sales 2024" in the "Apples" row shows "7"', "failed"),
            (f'{CELL} shows "15"', "failed"),
            ('"5" under "Sales 2024" is shown', "undecided", CELL),
            ('"Sales 2024" shows "5"', "undecided", CELL),
            ('"2024" shows "5"', "undecided", CELL),
            ('column "Sales 2024" does not show "9"', "undecided", CELL),
            ('"2024" in "Apples" shows "5"', "undecided", f'write which is meant, as in: {CELL} shows "5"'),
        ],
    ),
    "field, which shows no text": (
        "<label>Email <input value=a></label>",
        [('"Email" shows "a"', "undecided", 'write: "Email" has value "..."')],
    ),
}  # fmt: skip


class TestShown:
    def test_claims_have_their_outcome(self, html: Html, unexpected: Unexpected) -> None:
        """A claim holds, fails with what is there instead, or is undecided for want of its part."""
        html(CART)
        assert not unexpected((claim, "passed") for claim in TRUE)
        assert not unexpected((claim, "failed: ", reason) for claim, reason in FALSE)
        assert not unexpected((claim, "undecided: ", reason) for claim, reason in UNKNOWN)

    def test_text_is_whole_words_however_it_is_encoded(
        self, webtask: Webtask, html: Html, unexpected: Unexpected
    ) -> None:
        """A hyphen, full stop, "@" or dash joins what is around it; encodings differ in nothing."""
        html(ENCODED)
        cases = [(claim, result) for result, claims in OF_ENCODED.items() for claim in claims]
        assert unexpected(cases) == {}
        webtask.do('click "E-Invoice", click "Resumé", fill "Café" with "Zoë", wait for "e-mail"')
        with pytest.raises(TaskFailed):
            webtask.do('wait for "ann.com"', timeout=0.3)

    def test_shown_needs_visible_whole_words(self, html: Html, outcome: Outcome) -> None:
        """A text counts only where it is visible, as whole words and with capitals as written."""

        def shown(*markups: str) -> bool:
            html(f"<h1>Cart</h1><section aria-label=Box>Box{'<hr>'.join(markups)}")
            is_shown = not outcome('"2 items" is shown').startswith("failed: ")
            return is_shown or outcome('"Box" shows "2 items"') == "passed"

        assert shown(*NOT_SHOWN, SHOWN[0]), "all of them together hide no other text"
        assert not shown(*NOT_SHOWN) or [each for each in NOT_SHOWN if shown(each)] == []
        assert [each for each in NOT_SHOWN_ALONE if shown(each)] == []

    def test_shown_accepts_any_visible_text(self, html: Html, outcome: Outcome) -> None:
        """A text may span elements, need scrolling, or be in a frame or an open shadow tree."""
        for markup in SHOWN:
            html(f"<h1>Cart</h1>{markup}")
            assert outcome('"2 items" is shown', 1) == "passed", markup

    def test_not_shown_holds_for_hidden_text_only(self, html: Html, outcome: Outcome) -> None:
        """A text that is hidden or missing is not shown; one that needs scrolling is."""
        for markup, passes in GONE:
            html(f"<h1>Cart</h1>{markup}")
            assert (outcome('"Saved" is not shown', 0.3) == "passed") is passes, markup

    @pytest.mark.timeout(40)
    def test_text_in_frame_of_closed_shadow_is_shown(self, html: Html, outcome: Outcome) -> None:
        """A text counts although no locator leads to its frame, and that costs no minute."""
        html(
            "<div id=h></div><script>h.attachShadow({mode: 'closed'}).innerHTML ="
            " '<iframe srcdoc=\"<p>Saved\"></iframe>'</script>"
        )
        assert outcome('"Saved" is shown', 1) == "passed"

    def test_missing_text_reports_its_evidence(self, webtask: Webtask, html: Html) -> None:
        """A missing text fails on the search for it."""
        html("<h1>Welcome back</h1>")
        with pytest.raises(VerificationFailed) as caught:
            webtask.verify('"Goodbye" is shown', timeout=0)
        assert [check.kind for check in caught.value.verdict.evidence] == ["present"]

    @pytest.mark.parametrize("form", LABELED)
    def test_value_is_that_of_its_own_label(
        self, webtask: Webtask, html: Html, outcome: Outcome, form: str
    ) -> None:
        """However they are written, a value is shown and read by its label, and never by the one beside it."""
        pair, around = LABELED[form]
        pairs = pair.format("Tax", "€4") + pair.format("Total", "€24")
        html(f"<main><h1>Sum</h1><{around}>{pairs}</{around}></main>")
        assert outcome('"Total" shows "€24", "Total" does not show "€4"') == "passed"
        for wrong in ('"Total" shows "€4"', '"Tax" shows "€24"', '"Total" does not show "€24"'):
            assert not outcome(wrong).startswith("passed"), wrong
        for label, value in (("Tax", "€4"), ("Total", "€24")):
            assert webtask.extract(f'the text of "{label}"') == value

    def test_part_does_not_show_unrelated_text(self, html: Html, outcome: Outcome) -> None:
        """A text elsewhere on the same page is not shown by a name."""
        for markup in NO_PARTS:
            html(markup)
            for claim in ('"Total" shows "24"', '"Total" does not show "24"'):
                assert not outcome(claim).startswith("passed"), markup

    def test_labeled_element_is_visible_without_text(self, html: Html, outcome: Outcome) -> None:
        """A button that is only labeled with a name is visible, but does not show that text."""
        html("<h1>Shop</h1><button aria-label=Buy>+</button>")
        assert outcome('"Buy" is visible') == "passed"
        assert outcome('"Buy" is shown').startswith('failed: the page does not show "Buy"')
        assert outcome('"Buy" is hidden').startswith('failed: button "Buy" under "Shop" is visible')
        assert outcome('"Buy" is not shown').startswith("failed")
        html("<h1>Shop</h1><button aria-label=Buy hidden>+</button>")
        assert outcome('"Buy" is hidden') == "passed"
        assert outcome('"Buy" is visible').startswith("failed")

    @pytest.mark.parametrize("case", PAGES)
    def test_claim_means_its_part(self, html: Html, unexpected: Unexpected, case: str) -> None:
        """A name means the part of the page that it belongs to, in its frame and place."""
        markup, cases = PAGES[case]
        for frame in html(markup).frames[1:]:
            frame.wait_for_load_state()
        assert not unexpected(cases)


LATE = [
    ('"2 items" is shown', "document.querySelector('p').textContent = '2 items'"),
    ('"1 item" is not shown', "document.querySelector('p').remove()"),
    (
        '"Box" shows "3"',
        "document.body.insertAdjacentHTML('beforeend', '<section aria-label=Box>3')",
    ),
]


class TestWaiting:
    @pytest.mark.parametrize(("claim", "change"), LATE)
    def test_verify_waits_for_a_claim_to_hold(
        self, webtask: Webtask, html: Html, claim: str, change: str
    ) -> None:
        """A claim that becomes true in time passes soon after."""
        html("<h1>Cart</h1><p>1 item</p>").evaluate(f"setTimeout(() => {change}, 200)")
        started = time.monotonic()
        webtask.verify(claim, timeout=30)
        assert time.monotonic() - started < 15

    @pytest.mark.real_time
    def test_absence_waits_for_requests(self, webtask: Webtask, page: Page, site: Site) -> None:
        """An absence does not hold while the page waits for a response."""
        site.pages["/data"] = "<p>Error</p>"
        site.delays["/data"] = 0.4
        site.pages["/"] = (
            "<h1>Cart</h1><script>fetch('/data').then(r => r.text())"
            ".then(t => document.body.insertAdjacentHTML('beforeend', t))</script>"
        )
        page.goto(site.url)
        assert not webtask.holds('"Error" is not shown', timeout=2)

    @pytest.mark.real_time
    @pytest.mark.parametrize("frame", ["", "<iframe srcdoc='<p>Ads'></iframe>"])
    def test_absence_waits_after_a_click(self, webtask: Webtask, html: Html, frame: str) -> None:
        """A page that has long been at rest is not so right after it was operated."""
        page = html(
            f"<h1>Cart</h1>{frame}<button onclick=\"setTimeout(() => document.body.append('Error'), 100)"
            '">Save</button>'
        )
        webtask.verify('"Error" is not shown')
        page.wait_for_timeout(400)
        page.get_by_role("button").click()
        assert not webtask.holds('"Error" is not shown', timeout=1)


class TestData:
    def test_claim_evidence_keeps_placeholders(self, html: Html, webtask: Webtask) -> None:
        """Names and texts may be placeholders, and the evidence keeps them."""
        html("<section aria-label=Cart>Mug</section>")
        data = {"part": "Cart", "what": "Mug"}
        verdict = webtask.verify('{part} shows {what}, "{what}" is shown', data=data)
        assert verdict.evidence[0].check.as_call()["text"] == "{what}"

    @pytest.mark.parametrize("claim", ["{x} is shown", "the page shows {x}"])
    def test_empty_text_is_refused(self, webtask: Webtask, html: Html, claim: str) -> None:
        """A text that is empty once filled in is a UsageError."""
        html("<p>x")
        with pytest.raises(UsageError, match="is empty"):
            webtask.verify(claim, data={"x": " "})
