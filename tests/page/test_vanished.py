"""Texts that appear and go between two looks at a page."""

import re
import time

import pytest
from playwright.sync_api import Page

from pytest_webtask.data.masking import Redact
from pytest_webtask.data.values import Data, Secret
from pytest_webtask.page.activity import activity_of
from pytest_webtask.page.vanished import AT_MOST, LENGTH, Vanished, VanishedText
from tests.scripted import Html
from tests.site import Site

pytestmark = pytest.mark.usefixtures("webtask_engine")

TOAST = """<script>function toast(text, role = "status", where = document.body) {
    const t = document.createElement("div"); t.role = role; t.textContent = text; where.append(t);
    // Shown for half a second, as its reader sees it: a busy machine draws late.
    requestAnimationFrame(() => setTimeout(() => setTimeout(() => t.remove(), 500)));
}</script><style>[role] { padding: 4px }</style>"""
DATA = Data()


@pytest.fixture
def vanished() -> Vanished:
    """The observer of a test that redacts nothing."""
    return Vanished()


def vanished_texts(
    vanished: Vanished, page: Page, data: Data = DATA, pause: float = 0.9, *, least: int = 1
) -> list[VanishedText]:
    """The texts that have vanished after a pause, or later until there are enough.

    A page under load is late.
    """
    page.wait_for_timeout(pause * 1000)
    for _ in range(100):
        if len(texts := vanished.texts(page, data)) >= least:
            break
        page.wait_for_timeout(100)
    return texts


def texts_of(vanished: Vanished, page: Page, pause: float = 0.9, *, least: int = 0) -> list[str]:
    """The strings of `vanished_texts`."""
    return [text.text for text in vanished_texts(vanished, page, pause=pause, least=least)]


def begin(vanished: Vanished, page: Page) -> None:
    """Begin a step, which asks the page before it acts, on a page whose texts have been seen."""
    vanished.texts(page, DATA)
    vanished.mark(page)
    activity_of(page).look()


def test_toast_that_appears_and_goes_is_reported(html: Html, vanished: Vanished) -> None:
    """A text is kept with its role, its nearest named part and about how long it was shown."""
    page = html(
        TOAST + "<section aria-label=Basket id=basket><p>Two items</section>"
        "<dialog open aria-label=Payment><p id=p></p></dialog>"
    )
    begin(vanished, page)
    page.evaluate("toast('Mug <b>added</b> to the cart', 'alert', basket)")
    page.evaluate("p.textContent = 'Charging…'")
    page.wait_for_timeout(500)
    page.evaluate("p.textContent = ''")
    found = sorted(vanished_texts(vanished, page, least=2), key=lambda text: text.role)
    assert [(text.text, text.role, text.container) for text in found] == [
        ("Charging…", "", 'dialog "Payment"'),
        ("Mug <b>added</b> to the cart", "alert", "alert"),
    ]
    assert 0 < found[1].shown_ms < 2000


COMPONENT = """<script>customElements.define("x-toast", class extends HTMLElement {
    connectedCallback() { this.attachShadow({ mode: "open" }).innerHTML = "%s";
    setTimeout(() => this.remove(), 500) } })</script>"""
SHOWS = {
    # A page, what it does, and the texts that have gone then. Of a new rendering only what it has not drawn anew.
    "rendering": ("<div id=app></div>", """for (const error of ["", "The name is required", ""]) {
        app.innerHTML = `<h1>Profile</h1><ul><li>Ada</li><li>Bob</li></ul>` +
        (error ? `<p class=error>${error}</p>` : ""); await wait(1200) }""", ["The name is required"]),
    # A text that is transparent at first, and a link that is a block.
    "fade": ("""<style>p { opacity: 0; animation: fade .6s } @keyframes fade {
        30% { opacity: 1 } 70% { opacity: 1 } }</style><div id=d></div>""",
        "d.innerHTML = '<p>Copied</p>'; await wait(700)", ["Copied"]),
    "link": ("<div id=box></div>", """box.innerHTML = '<a href=/undo style=display:block>Undo</a>';
        await wait(300); box.innerHTML = ''""", ["Undo"]),
    # A component that comes and goes without a look in between; what a slot replaces was never shown.
    "component": (COMPONENT % "<p>Signed <b>in</b>", "document.body.append(document.createElement('x-toast'))", ["Signed in"]),
    "slot": (COMPONENT % "<p>Up <slot>Fallback</slot>",
        "document.body.insertAdjacentHTML('beforeend', '<x-toast><b>to date</b></x-toast>')", ["Up", "to date"]),
    # Items that are drawn twenty times in another order, and a text that moved, are still shown.
    "list": ("<ul id=list></ul>", """for (let n = 0; n < 20; n++) {
        list.innerHTML = [...Array(50).keys()].map((i) => `<li>Item ${n % 2 ? i : 49 - i}`).join("");
        await new Promise(requestAnimationFrame) }""", []),
    "moved": ("<div id=a></div><div id=b></div>", """a.textContent = 'In stock'; await wait(1200);
        a.textContent = ''; b.innerHTML = 'Mug, <i>In stock</i> today'""", []),
    # No rendered picture showed it.
    "ghost": ("", """const p = document.createElement("p"); p.textContent = "Ghost"; document.body.append(p);
        p.style.cssText = "position: absolute; left: -9999px"; await wait(1200); p.remove()""", []),
}  # fmt: skip


@pytest.mark.parametrize("case", SHOWS)
def test_texts_that_were_shown_and_went_are_reported(
    html: Html, vanished: Vanished, case: str
) -> None:
    """Texts that could be seen and have gone are reported, others are not."""
    body, script, texts = SHOWS[case]
    page = html(body)
    begin(vanished, page)
    wait = "const wait = (ms) => new Promise((done) => setTimeout(done, ms))"
    page.evaluate(f"async () => {{ {wait}; {script} }}")
    assert sorted(texts_of(vanished, page, 0.6, least=len(texts))) == texts


@pytest.mark.parametrize("style", ["opacity: 0", "height: 0; overflow: hidden"])
def test_text_shown_and_hidden_by_a_class_is_reported(
    html: Html, vanished: Vanished, style: str
) -> None:
    """A message that stays in the document is reported once it is hidden."""
    page = html(f"<style>.off {{ {style} }}</style><div id=m class=off><p>Saved as draft</p></div>")
    begin(vanished, page)
    page.evaluate("m.className = ''")
    assert texts_of(vanished, page, 1.2) == []
    page.evaluate("m.className = 'off'")
    assert texts_of(vanished, page, 0.5, least=1) == ["Saved as draft"]


def test_text_in_a_frame_is_reported(page: Page, site: Site, vanished: Vanished) -> None:
    """A text that vanished from a frame is reported, unless another frame shows it."""
    site.pages["/inner"] = TOAST
    site.pages["/"] = "<h1>Copied</h1><iframe src=/inner width=400 height=200></iframe>"
    page.goto(site.url)
    begin(vanished, page)
    page.frames[1].evaluate("toast('Sent'); toast('Copied')")
    assert texts_of(vanished, page) == ["Sent"]


def test_text_in_a_shadow_root_is_reported(html: Html, vanished: Vanished) -> None:
    """Open shadow roots are watched, those attached after the document was loaded as well."""
    page = html(TOAST + "<div id=host></div>")
    begin(vanished, page)
    page.evaluate("host.attachShadow({ mode: 'open' }).innerHTML = '<section></section>'")
    vanished.arm(page)
    page.evaluate("toast('Hello from inside', 'alert', host.shadowRoot.firstChild)")
    assert texts_of(vanished, page, least=1) == ["Hello from inside"]


@pytest.mark.long
def test_values_of_fields_are_not_reported(html: Html, vanished: Vanished) -> None:
    """Typed values are not reported, whatever kind of field they were in."""
    page = html("""<input id=a type=password><textarea id=b></textarea><div id=c contenteditable
        style="min-height: 20px"></div><select><option>One<option>Two</select>""")
    begin(vanished, page)
    for field in ("a", "b", "c"):
        page.locator(f"#{field}").press_sequentially("hunter2-secret")
    page.locator("select").select_option("Two")
    page.wait_for_timeout(500)
    page.evaluate("document.body.innerHTML = '<h1>Done</h1>'")
    assert texts_of(vanished, page) == []


@pytest.mark.long
def test_ticking_counter_is_limited(html: Html, vanished: Vanished) -> None:
    """Texts that differ only in their digits are limited, so that others have room."""
    page = html(TOAST + "<p id=clock></p>")
    begin(vanished, page)
    page.evaluate("""async () => { toast("Saved"); for (let n = 10; n < 40; n++) {
        clock.textContent = `12:${n}`; await new Promise((r) => setTimeout(r, 40)) } }""")
    texts = texts_of(vanished, page)
    assert "Saved" in texts
    assert 1 <= len([text for text in texts if text.startswith("12:")]) <= 3


@pytest.mark.long
def test_few_texts_are_kept_and_announcements_come_first(html: Html, vanished: Vanished) -> None:
    """Of thousands of texts a few are kept, and an alert is among them."""
    page = html(TOAST + "<div id=app></div>")
    begin(vanished, page)
    page.evaluate("""async () => { toast("Payment declined", "alert");
        const word = (n) => [...String(n)].map((d) => "abcdefghij"[d]).join("");
        for (let n = 0; n < 30; n++) {
            app.innerHTML = [...Array(400).keys()].map((i) => `<p>${word(n * 400 + i)}`).join("");
            await new Promise((r) => setTimeout(r, 60)) } app.innerHTML = "" }""")
    texts = texts_of(vanished, page, 1)
    assert "Payment declined" in texts
    assert len(texts) == AT_MOST


@pytest.mark.long
def test_mark_starts_the_record_of_a_step(html: Html, vanished: Vanished) -> None:
    """A step gets the texts that appeared and vanished during it; one from before did not appear."""
    page = html(TOAST + "<p id=stays role=status>Hold on</p>")
    begin(vanished, page)
    page.evaluate("toast('Old news')")
    assert texts_of(vanished, page, least=1) == ["Old news"]
    begin(vanished, page)
    assert texts_of(vanished, page, 0.1) == []
    page.evaluate("stays.remove(); toast('Good news')")
    assert texts_of(vanished, page, least=1) == ["Good news"]
    assert vanished.was_shown(page, "Hold on", DATA) is None


def test_new_document_is_watched_from_its_start(page: Page, site: Site, vanished: Vanished) -> None:
    """A message that a page shows right after loading is seen without a look at that page."""
    site.pages["/"] = (
        TOAST + "<script>addEventListener('load', () => toast('Welcome back'))</script>"
    )
    page.goto("about:blank")
    begin(vanished, page)
    page.goto(site.url)
    assert texts_of(vanished, page, least=1) == ["Welcome back"]


@pytest.mark.long
def test_text_of_an_earlier_document_is_kept_after_a_look(
    page: Page, site: Site, vanished: Vanished
) -> None:
    """What vanished before a navigation is reported if the page was looked at in between."""
    site.pages["/"] = TOAST + "<a href=/next>Next"
    site.pages["/next"] = "<h1>Next page"
    page.goto(site.url)
    begin(vanished, page)
    page.evaluate("toast('Draft saved')")
    page.get_by_role("status").wait_for(state="detached")
    page.wait_for_timeout(400)
    vanished.arm(page)
    page.get_by_role("link").click()
    assert texts_of(vanished, page, least=1) == ["Draft saved"]


def test_was_shown_compares_whole_words(html: Html, vanished: Vanished) -> None:
    """A cited text is found in whole words only, with placeholders filled in."""
    page = html(TOAST)
    data = Data({"product": "Blue Mug", "password": Secret("hunter2-secret")})
    begin(vanished, page)
    page.evaluate("toast('Blue Mug added: 12 items'); toast('Password hunter2-secret was weak')")
    vanished_texts(vanished, page, data, least=2)
    shown = vanished.was_shown(page, "{product} added", data)
    assert isinstance(shown, VanishedText) and shown.text == "Blue Mug added: 12 items"
    for words in ("2 items", "Mug adde", ""):
        assert vanished.was_shown(page, words, data) is None
    secret = vanished.was_shown(page, "Password {password} was weak", data)
    assert secret is not None and "hunter2" not in secret.text


def test_secret_across_the_cut_and_redacted_pattern_are_masked(html: Html) -> None:
    """A long text is masked before it is cut; a pattern hides its part of a text."""
    redact = Redact([re.compile(r"\d{16}")])
    vanished = Vanished(redact)
    page = html(TOAST)
    data = Data({"password": Secret("hunter2-secret")}, redact)
    begin(vanished, page)
    page.evaluate(f"toast('{'x' * (LENGTH - 8)} hunter2-secret and more')")
    page.evaluate("toast('Card 4111111111111111 declined')")
    long, card = sorted(
        vanished_texts(vanished, page, data, least=2), key=lambda text: -len(text.text)
    )
    assert len(long.text) <= LENGTH
    assert "hunter" not in long.text
    assert card.text == "Card [redacted] declined"


def test_redacted_texts_and_frames_are_not_reported(page: Page, site: Site) -> None:
    """A text or a frame that an entry of webtask_redact matched is not reported after it has vanished."""
    redact = Redact(["css=.iban", "iframe"])
    data, vanished = Data(redact=redact), Vanished(redact)
    site.pages["/inner"] = TOAST
    site.pages["/"] = (
        f"{TOAST}<div class=iban id=box></div><p id=line></p>"
        "<iframe src=/inner width=400 height=200></iframe>"
    )
    page.goto(site.url)
    begin(vanished, page)
    page.evaluate("""toast("DE89 secret", "alert", box);
        line.innerHTML = "Paid from <span class=iban>DE89 secret</span>"; """)
    page.frames[1].evaluate("toast('Inside')")
    page.wait_for_timeout(500)
    page.evaluate("line.textContent = ''")
    texts = vanished_texts(vanished, page, data)
    assert [text.text for text in texts] == ["Paid from [redacted]"]
    assert vanished.was_shown(page, "DE89", data) is None


@pytest.mark.long
@pytest.mark.own_page
def test_page_of_several_tests_has_the_redaction_of_the_last(page: Page, site: Site) -> None:
    """A document is watched from its start by what the running test redacts, whatever others did."""
    site.pages["/"] = """<p>Orders</p><p class=iban id=line>DE89 secret</p>
        <script>setTimeout(() => line.remove(), 800)</script>"""
    for entries, expected in [([".iban"], []), ([], ["DE89 secret"])] * 2:
        vanished = Vanished(Redact(entries))
        begin(vanished, page)
        page.goto(site.url)
        page.locator("#line").wait_for(state="detached")
        assert texts_of(vanished, page, 0, least=len(expected)) == expected


def test_observer_leaves_the_page_alone(html: Html, vanished: Vanished) -> None:
    """A page's scripts find neither the observer nor a change, and dialogs are left to Playwright."""
    page = html("<p>Hello")
    before = page.content()
    begin(vanished, page)
    assert page.evaluate("typeof __webtask") == "undefined"
    assert page.content() == before
    assert page.evaluate("confirm('Sure?')") is False
    page.once("dialog", lambda dialog: dialog.accept())
    assert page.evaluate("confirm('Sure?')") is True


def test_closed_page_is_no_error(page: Page, vanished: Vanished) -> None:
    """A closed page has no vanished texts."""
    begin(vanished, page)
    page.close()
    began = time.monotonic()
    assert vanished.texts(page, DATA) == []
    assert time.monotonic() - began < 15


def test_message_is_noted_before_its_page_is_left(
    page: Page, site: Site, vanished: Vanished
) -> None:
    """It counts as vanished once its page is gone, unless it was visible at the mark or still is."""
    statuses = "<p role=status>Known</p><p role=status id=s></p><p id=p></p>"
    site.pages |= {"/": statuses, "/next": "<p role=status>Still there</p>"}
    page.goto(site.url)
    begin(vanished, page)
    page.evaluate("s.innerHTML = 'Saved<br>Still there'; p.textContent = 'no message'")
    page.evaluate(
        "for (const t of ['Known', 'Still there']) s.insertAdjacentHTML('afterend', `<p role=alert>${t}</p>`)"
    )
    vanished.note_messages(page, "click")
    assert vanished.texts(page, DATA) == []
    page.goto(site.url + "/next")
    [text] = vanished.texts(page, DATA)
    assert (text.text, text.role, text.after) == ("Saved Still there", "status", "click")
    assert vanished.was_shown(page, "Saved", DATA) and not vanished.was_shown(page, "Known", DATA)
    begin(vanished, page)
    assert vanished.texts(page, DATA) == []


def test_redacted_and_secret_parts_of_a_left_message_are_masked(page: Page, site: Site) -> None:
    """A redacted message is not noted, and a secret in another is masked."""
    site.pages |= {"/": "<p role=status id=s></p><p role=alert class=own id=o></p>", "/next": ""}
    vanished = Vanished(Redact([".own"]))
    page.goto(site.url)
    begin(vanished, page)
    page.evaluate("s.textContent = 'Code hunter-22 sent'; o.textContent = 'private'")
    vanished.note_messages(page, "click")
    page.goto(site.url + "/next")
    [text] = vanished.texts(page, Data({"code": Secret("hunter-22")}))
    assert text.text == "Code {code} sent"
