"""Each kind of check about one element or page: when it holds, when it does not, and when it cannot be run."""

from contextlib import suppress

import pytest
from pydantic import ValidationError

from pytest_webtask import Secret
from pytest_webtask.checks.base import Check
from pytest_webtask.page.playwright_code import CodeTexts
from tests.checks.desk import Desk
from tests.site import Site
from tests.test_patterns import ENDLESS

# Texts and numbers

TEXTS: dict[str, dict[str, str | tuple[str, ...]]] = {
    # With "=" the whole text, white space aside. A message may have a button that closes it, and no more.
    "<p id=x>  2   items\n</p>": {"=2 items": "holds"},
    "<p id=x>2 items left</p>": {"2 items": "holds", "=2 items": "no: 2 items left"},
    "<p id=x>Saved. <button aria-label=Dismiss>×</button></p>": {"=Saved.": "holds"},
    "<p id=x>Not saved. <button aria-label=Dismiss>×</button></p>": {"=saved.": "no: "},
    "<p id=x>Saved. <a href=/log>Not all</a></p>": {"=Saved.": "no: "},
    # Capitals of a style sheet match as written and as shown, and in no third way.
    "<p id=x style='text-transform:uppercase'>Order 5</p>":
        {"Order 5": "holds", "ORDER 5": "holds", "order 5": "no: ORDER 5"},
    # What a field holds is its value; a choice says its chosen option, a button its value.
    "<input id=x value=Ann>": {"Ann": "? #x is a field: use kind value for what it holds"},
    "<textarea id=x>Ann</textarea>": {"Ann": "? #x is a field: use kind value for what it holds"},
    "<select id=x><option>Small<option selected>Large</select>": {"Small": ("no", "?")},
    "<div id=x>Size <select><option>Small<option selected>Large</select></div>": {"Small": "no", "Size": "holds"},
    "<input id=x type=submit value=Send>": {"Send": "holds"},
}  # fmt: skip


def test_text_is_what_the_element_shows(desk: Desk) -> None:
    """Texts of messages, choices and buttons match, in part or exactly; fields are refused."""
    for body, outcomes in TEXTS.items():
        desk.show(body)
        for text, expected in outcomes.items():
            outcome = desk.text("#x", text.lstrip("="), exact=text.startswith("="))
            assert outcome.startswith(expected), f"{text!r} of {body}: {outcome}"


# Values

VALUES: dict[str, dict[str, bool]] = {
    "<input id=x>": {"": True},
    "<input id=x placeholder=Ann>": {"": True, "Ann": False},
    "<input id=x value=Ann>": {"Ann": True, "An": False, "ann": False, "": False},
    "<input id=x type=number value=5>": {"5": True},
    "<input id=x type=number value=15>": {"5": False},
    "<input id=x type=date value=2026-03-04>": {"2026-03-04": True},
    "<input id=x type=range value=30>": {"30": True},
    "<input id=x type=file>": {"": True},
    "<input id=x readonly value=Ann>": {"Ann": True},
    "<input id=x disabled value=Ann>": {"Ann": True},
    # The mark of a line break in the outline is one of the value.
    "<textarea id=x>one\ntwo</textarea>":
        {"one\ntwo": True, "one": False, "one ⏎ two": True, "one ⏎ three": False},
    "<div contenteditable id=x><p>one<p>two</div>": {"one ⏎ two": True, "one ⏎ three": False},
    "<div id=x contenteditable>Hello <b>you</b></div>": {"Hello you": True, "Hello": False},
    "<div id=x contenteditable role=textbox><br></div>": {"": True},
    "<select id=x><option value=s>Small<option value=l>Large</select>":
        {"Small": True, "s": False, "Large": False},
    "<select id=x><option value='' selected>Choose…<option>A</select>": {"Choose…": True},
    "<select id=x><option value=b label=Bee>B</select>": {"Bee": True, "B": False},
    "<select id=x multiple><option selected>B<option selected>C</select>": {"B, C": True, "B": False},
    "<select id=x multiple><option>B<option>C</select>": {"": True, "B": False},
}  # fmt: skip


def test_value_is_the_whole_value_of_a_field(desk: Desk) -> None:
    """A field has its whole value and a select its chosen labels; a placeholder is no value."""
    desk.show_each(VALUES)
    for n, (body, values) in enumerate(VALUES.items()):
        assert {each: desk.value(f"#x{n}", each) == "holds" for each in values} == values, body


NO_VALUES = {
    "<p id=x>Ann</p>": "? #x is not a field, or draws only a part of its value: use kind text for what it shows",
    "<button id=x value=Ann>Buy</button>": "? #x is not a field",
    "<input id=x type=submit value=Ann>": "? #x is not a field",
    "<input id=x type=hidden value=Ann>": "? #x cannot be seen: cite a visible element",
    "<label><input id=x type=checkbox value=Ann> Ann</label>": "?",
    "<label><input id=x type=radio value=Ann> Ann</label>": "?",
}


def test_value_of_other_elements_is_refused(desk: Desk) -> None:
    """An element that is no field has no value, and that of a box does not depend on whether it is checked."""
    for body, expected in NO_VALUES.items():
        desk.show(body)
        assert desk.value("#x", "Ann").startswith(expected), body


def test_value_of_password_field_is_never_read(desk: Desk) -> None:
    """It can only be compared with a secret of the test; a guess is neither answered nor echoed."""
    desk.show("<input id=x type=password value=hunter2-x><p id=y>hunter2-x</p>")
    data = {"pw": Secret("hunter2-x"), "other": Secret("something-else")}
    refusal = "? #x is a password field, whose value is never read: use kind state instead"
    assert desk.value("#x", "hunter2-x") == refusal
    assert desk.value("#x", "guess") == refusal
    assert desk.ask("matches", element_id="#x", pattern=r"hunter\d.*") == refusal
    assert desk.ask("value", element_id="#x", value="{pw}", data=data) == "holds"
    wrong = desk.result("value", element_id="#x", value="{other}", data=data)
    assert (wrong.holds, wrong.problem) == (False, "")
    assert "hunter2" not in wrong.model_dump_json()


# Data

DATA = {"user": "Ann Lee", "n": "12", "pw": Secret("s3cret-pass")}


def test_placeholders_stand_for_their_values(desk: Desk) -> None:
    """Expected texts, values and names are filled in; a mistyped placeholder is not absent."""
    desk.show("<p id=x>Ann Lee</p><input id=y value='Ann Lee'><h1>Ann Lee</h1>")
    for kind, given in (
        ("text", {"element_id": "#x", "text": "{user}"}),
        ("value", {"element_id": "#y", "value": "{user}"}),
        ("text", {"element_id": "#x", "text": "Ann Lee"}),
    ):
        assert desk.ask(kind, data=DATA, **given) == "holds"
    assert desk.absent("{user}", data=DATA) == "no: Ann Lee"
    assert desk.ask("absent", role="heading", name="{user}", data=DATA) == "no: Ann Lee"
    assert desk.ask("text", element_id="#x", text="{n}", data=DATA) == "no: Ann Lee"
    assert desk.absent("{usr}", data=DATA) != "holds"


def test_value_compares_secret_without_revealing_it(desk: Desk) -> None:
    """The result of a check of a secret shows `{pw}`, whether it holds or not."""
    desk.show("<p id=x>Key s3cret-pass</p><p id=y>other</p>")
    right = desk.result("text", element_id="#x", text="{pw}", data=DATA)
    known = desk.result("text", element_id="#x", text="s3cret-pass", data=DATA)
    wrong = desk.result("text", element_id="#y", text="{pw}", data=DATA)
    gone = desk.result("absent", text="{pw}", data=DATA)
    assert [each.holds for each in (right, known, wrong, gone)] == [True, True, False, False]
    assert right.actual == gone.actual == "Key {pw}"
    for each in (right, known, wrong, gone):
        assert "s3cret" not in each.model_dump_json()


# Patterns


def test_pattern_matches_the_whole_text(desk: Desk) -> None:
    """`matches` applies to the whole text, the whole value of a field, or the label of a choice."""
    desk.show("<p id=x>Order #12345 of 3 May</p><input id=y value='AB-7'>")
    ask = desk.ask
    assert ask("matches", element_id="#x", pattern=r"Order #\d{5} of \d May") == "holds"
    assert ask("matches", element_id="#x", pattern=r"^Order #\d{5} of \d May$") == "holds"
    assert ask("matches", element_id="#x", pattern=r"Order #\d{5}").startswith("no")
    assert ask("matches", element_id="#x", pattern=r"Order #\d{4} .*").startswith("no")
    assert ask("matches", element_id="#x", pattern=r"Order|zzz").startswith("no")
    assert ask("matches", element_id="#y", pattern=r"[A-Z]{2}-\d") == "holds"
    assert ask("matches", element_id="#y", pattern=r"[A-Z]-\d").startswith("no")
    desk.show("<select id=x><option value=de>Germany<option value=fr selected>France</select>")
    assert ask("matches", element_id="#x", pattern=r"Fr\w{4}") == "holds"
    assert ask("matches", element_id="#x", pattern=r"f\w").startswith("no")


TRIVIAL = [
    ".*", ".+", ".", r"\w.*", r"[\s\S]*", "x?", "[^x]*", r"\w+", ".{3,}", r"\S+ .*", "(", "*a", "",
    "x)|(?:y", "[[a]",
]  # fmt: skip


def test_trivial_pattern_is_refused() -> None:
    """A pattern that matches anything, or every address, and an invalid one are refused."""
    for pattern in TRIVIAL:
        with pytest.raises(ValidationError):
            Check.parse({"kind": "matches", "element_id": "x", "pattern": pattern})
    for pattern in ("*", "", "  ", "**", "*/*", "://", "?", "*.*"):
        with pytest.raises(ValidationError):
            Check.parse({"kind": "url", "pattern": pattern})
    assert Check.parse({"kind": "url", "pattern": "/"})


def test_python_only_pattern_works_or_is_refused(desk: Desk) -> None:
    """A pattern that JavaScript lacks is refused with a message or works as in Python."""
    desk.show("<p id=x>Order #12345 of 3 May</p>")
    for pattern in (r"(?i)order.*\d May", r"(?P<n>Order) .*May", r"\AOrder.*May\Z"):
        with suppress(ValidationError):
            assert desk.ask("matches", element_id="#x", pattern=pattern) == "holds"


def test_pattern_without_end_cannot_be_checked(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """A pattern that a page makes run forever is a problem of the check, and the page lives on."""
    monkeypatch.setattr("pytest_webtask.data.patterns.LIMIT", 0.05)
    desk.show(f"<p id=x>{ENDLESS}</p><input id=y value={ENDLESS}>")
    pattern = "id-(?:a|aa)+|(?:a|aa)+"
    for element_id in ("#x", "#y"):
        outcome = desk.ask("matches", element_id=element_id, pattern=pattern)
        assert outcome.startswith(f"? the pattern {pattern} takes longer than 0.05 s")
        assert ": repeat no" in outcome
        assert desk.page.evaluate("1 + 1") == 2


def test_pattern_that_a_value_breaks_cannot_be_checked(desk: Desk) -> None:
    """A value in brackets may make a pattern invalid; the message names the pattern, not the value."""
    desk.show("<p id=x>Order 7</p>")
    pattern, data = "Order [9-{user}]", {"user": Secret("1secret")}
    outcome = desk.ask("matches", element_id="#x", pattern=pattern, data=data)
    assert outcome.startswith(f"? the pattern {pattern} is not a regular expression")
    assert "secret" not in outcome


# Styles


STYLES = {
    "color": (("red", "#dc2626", "rgb(220, 38, 38)"), ("orange", "#dc2627", "dark red")),
    "background": (("dark gray", "gray", "#222"), ("black", "none")),
    "weight": (("bold",), ("normal",)),
    "decoration": (("struck through",), ("underlined", "none")),
}


def test_style_is_compared_by_its_name_and_by_its_code(desk: Desk) -> None:
    """A style holds for what is drawn, whatever element sets it, and for nothing like it."""
    desk.show(
        "<style>body { background: oklch(0.2520 0 0) } p { text-decoration: line-through }</style>"
        "<p><b id=x style='color: #dc2626'>Total</b></p>"
    )
    for name, (true, false) in STYLES.items():
        for value in (*true, *false):
            outcome = desk.ask("style", element_id="#x", name=name, value=value)
            assert outcome == "holds" if value in true else outcome.startswith("no: "), value


# Attributes


def test_attribute_is_compared_whole(desk: Desk) -> None:
    """An attribute is compared as a whole, and one that shows nothing to a user is refused."""
    desk.show(
        "<a id=x href='/x?y=1' aria-current=page onclick=''>L</a><input id=y value=a type=text>"
    )
    ask = desk.ask
    assert ask("attribute", element_id="#x", name="href", value="/x?y=1") == "holds"
    assert ask("attribute", element_id="#x", name="aria-current", value="page") == "holds"
    assert ask("attribute", element_id="#x", name="href", value="/x") == 'no: href="/x?y=1"'
    assert ask("attribute", element_id="#x", name="download", value="").startswith("no")
    for name in ("value", "type", "onclick", "VALUE"):
        outcome = ask("attribute", element_id="#y", name=name, value="a")
        assert (
            outcome
            == f"? the attribute {name} shows nothing to a user: use kind value or state instead"
        )


# Absent


def test_absent_role_matches_parts_of_names(desk: Desk) -> None:
    """`absent` of a role finds elements by a part of their names, in any case."""
    desk.show("<button aria-label='Close dialog'>×</button><button hidden>Buy</button><h1>A</h1>")
    ask = desk.ask
    assert ask("absent", role="button", name="close") == "no: ×"
    assert ask("absent", role="button") == "no: ×"
    assert ask("absent", role="button", name="Buy") == "holds"
    assert ask("absent", role="dialog") == "holds"
    assert desk.result("absent", role="alert").expected == "no alert at all"
    assert desk.result("absent", role="alert", name="Late").expected == 'no alert "Late"'
    desk.show("<div aria-hidden=true><button>Pay</button></div>")
    assert ask("absent", role="button", name="Pay") == "no: Pay"


def test_absent_takes_a_text_or_a_role() -> None:
    """`absent` takes either a text that is not empty or a known role."""
    for given in (
        {}, {"text": ""}, {"text": "  "}, {"role": ""}, {"text": "a", "role": "button"},
        {"role": "warning"}, {"role": "error", "name": "Card declined"},
    ):  # fmt: skip
        with pytest.raises(ValidationError):
            Check.parse({"kind": "absent", **given})


def test_absent_is_limited_to_a_part_and_goes_by_whole_words(desk: Desk) -> None:
    """A part of the page may lack a text that is elsewhere; a part of a word or number is not the text."""
    desk.show("<table id=x><tr><td>Mug<td>2</table><p>12 Messages</p>")
    assert desk.absent("messages") == "no: 12 Messages"
    assert desk.absent("messages", within="#x") == "holds"
    assert desk.absent("Mug", within="#x") == "no: Mug"
    assert desk.ask("absent", role="row", name="Mug", within="#x").startswith("no")
    assert desk.absent("12", within="#x") == desk.absent("mess") == "holds"
    desk.show("<h2>Orders</h2><table id=x><tr><th>A<th>B<tr><td colspan=2>No orders</table>")
    assert desk.absent("Mug", within="heading:Orders").startswith('? heading "Orders" only names')
    assert desk.ask("absent", role="row", within="#x") == "holds"
    assert desk.ask("absent", role="row", name="No orders", within="#x").startswith("no")


# Addresses and titles

ADDRESS = "/orders/12?page=2&q=a%20b#top"
URLS = [
    ("/orders/12?page=2&q=a%20b#top", True), ("/orders/12*", True), ("orders/12*", True),
    ("/orders/*", True), ("/*/12*", True), ("*#top", True), ("page=2&q=a%20b#top", True),
    ("/orders/12", True), ("/orders/12?page=2", False), ("*top", False), ("/orders/1", False),
    ("/orders/1*#bottom", False), ("rs/12?page=2&q=a%20b#top", False),
    ("/12?page=2&q=a%20b#top", False), ("/ORDERS/12*", False), ("2&q=a%20b#top", False),
    ("https://127.0.0.1*", False),
]  # fmt: skip


def test_url_pattern_matches_the_end_of_the_address(desk: Desk, site: Site) -> None:
    """A pattern matches from a boundary to the end, with `*` for variable parts."""
    site.pages["/orders/12"] = "<title>Orders – Shop 2</title><h1>Hi</h1>"
    desk.page.goto(site.url + ADDRESS)
    desk.look()
    matches = {pattern: desk.ask("url", pattern=pattern) == "holds" for pattern, _ in URLS}
    assert matches == dict(URLS)
    assert desk.ask("url", pattern=f"{site.url}/orders/12*") == "holds"
    assert desk.ask("url", pattern="/cart") == f"no: {site.url}{ADDRESS}"
    for title in ("Orders", "Shop 2"):
        assert desk.ask("title", text=title) == "holds"
    for title in ("Order", "orders"):
        assert desk.ask("title", text=title) == "no: Orders – Shop 2"


@pytest.mark.timeout(60)
def test_url_pattern_ends_on_every_address(desk: Desk, site: Site) -> None:
    """A long address cannot keep the browser busy with a pattern of many parts."""
    site.pages["/" + "a" * 3000] = "<title>Home</title>"
    desk.page.goto(f"{site.url}/{'a' * 3000}")
    for pattern in ("/*a*a*a*a*a*a*b", "a*a*a*a*a*a*b", f"{site.url}*a*a*a*a*a*ab"):
        assert desk.ask("url", pattern=pattern).startswith("no")
    assert desk.ask("url", pattern="/*a*a*a*a*aa") == "holds"


# What has gone


def test_removed_element_cannot_be_checked(desk: Desk) -> None:
    """Every check of a removed or hidden element is undecided, but that it is visible."""
    desk.show("<h1>Cart</h1><p id=p>Total 5</p><button id=b>Buy</button>")
    total, buy = desk.id_of("text:Total 5"), desk.id_of("button:Buy")
    desk.page.evaluate("document.querySelector('#p').remove()")
    desk.page.evaluate("document.querySelector('#b').hidden = true")
    assert (
        desk.text(total, "Total 5")
        == f"? {total} is no longer on the page: cite an id from the newest outline"
    )
    assert desk.state(buy, "enabled") == f"? {buy} cannot be seen: cite a visible element"
    assert desk.state(buy, "visible") == "no: not visible"


def test_element_of_a_left_page_is_unknown(desk: Desk, site: Site) -> None:
    """After the page has been left, its elements cannot be checked."""
    site.pages["/"] = "<button>Buy</button>"
    desk.page.goto(site.url)
    desk.look()
    buy = desk.id_of("button:Buy")
    desk.page.reload()
    assert desk.text(buy, "Buy").startswith("?")


def test_unknown_id_is_refused_with_examples(desk: Desk) -> None:
    """The error for an unknown id names some existing ones."""
    desk.show("<h1>Cart</h1>")
    assert desk.text("text-999", "Cart").startswith(
        "? there is no element 'text-999': cite ids from"
    )
    assert desk.ask("url", pattern="/a", tab=7) == "? there is no tab 7: use one of the open tabs 1"


def test_checks_reach_frames_and_shadow_roots(desk: Desk) -> None:
    """Elements in frames and shadow roots are checked, and the frame is named."""
    desk.show(
        "<iframe srcdoc='<p>Framed 5</p><input aria-label=Held value=Ann>'></iframe><div id=host></div>"
        "<script>document.querySelector('#host').attachShadow({mode:'open'}).innerHTML="
        "'<p>Deep 7</p><button disabled>Go</button>'</script>"
    )
    assert desk.text("text:Framed 5", "5") == "holds"
    assert desk.value("textbox:Held", "Ann") == "holds"
    assert desk.text("text:Deep 7", "7") == "holds"
    assert desk.state("button:Go", "disabled") == "holds"
    framed = desk.result("text", element_id="text:Framed 5", text="5")
    assert framed.frame == "about:srcdoc"
    assert framed.target
    assert desk.result("text", element_id="text:Deep 7", text="7").frame == ""


def test_checks_reach_other_tabs(desk: Desk, site: Site) -> None:
    """Elements of a tab in the background are checked there; page checks name their tab."""
    site.pages["/"] = "<title>Shop</title><h1>Shop</h1>"
    site.pages["/help"] = "<title>Help</title><h1>Help</h1>"
    desk.page.goto(site.url)
    desk.look()
    heading = desk.id_of("heading:Shop")
    with desk.browser.tabs.listening():
        with desk.page.expect_popup() as popup:
            desk.page.evaluate("window.open('/help')")
        popup.value.wait_for_load_state()
        try:
            assert desk.text(heading, "Shop") == "holds"
            assert desk.ask("title", text="Help", tab=2) == "holds"
            assert desk.ask("title", text="Shop", tab=1) == "holds"
            assert desk.ask("url", pattern="/help", tab=2) == "holds"
            assert desk.absent("Help", tab=1) == "holds"
            assert desk.absent("Help", tab=2) == "no: Help"
            assert desk.result("title", text="Help", tab=2).tab == 2
        finally:
            popup.value.close()
    assert desk.ask("title", text="Help", tab=2).startswith("? there is no tab 2")


def test_result_describes_check_and_element(desk: Desk) -> None:
    """A result has the check, the element, its locator, the arguments and the actual text."""
    desk.show("<table><tr><th>Item<th>Qty<tr><td>Mug<td>2<tr><td>Plate<td>1</table>")
    wrong = desk.result("text", element_id="cell:2", text="3")
    assert (wrong.expected, wrong.actual, wrong.holds, wrong.problem) == ('"3"', "2", False, "")
    result = desk.result("text", element_id="cell:2", text="2")
    assert (result.kind, result.about) == ("text", 'cell "2" (Qty, Mug)')
    assert (result.expected, result.actual) == ('"2"', "2")
    call = {"kind": "text", "element_id": desk.id_of("cell:2"), "text": "2", "exact": False}
    assert result.check.as_call() == call
    assert result.target
    assert '"row"' in result.target.locator and "Mug" in result.target.locator
    assert result.screenshot is None
    assert wrong.subject == 'text of cell "2" (Qty, Mug)'
    desk.show("<p>Cheap</p>")
    assert desk.result("text", element_id="text:Cheap", text="Dear").subject == 'text "Cheap"'


def test_locator_omits_the_expected_text(desk: Desk) -> None:
    """Only the last locator may have the expected text; others find the element with another."""
    desk.show("<h3>Total 5</h3><h3>Other</h3><h2>Order 7</h2><button>Pay €9</button>")
    elements = {"heading:Total 5": "5", "heading:Order 7": "Order 7", "button:Pay €9": "€9"}
    for element, text in elements.items():
        result = desk.result("text", element_id=element, text=text)
        assert result.holds and result.target and result.target.locator
        assert not any(text in locator for locator in result.target.locators[:-1])
        assert text not in result.target.locator


def test_plain_text_is_found_by_itself_last(desk: Desk) -> None:
    """A text without a role keeps its place as well, which may get another text one day."""
    desk.show("<p>Total due</p><p>Other</p>")
    result = desk.result("text", element_id="text:Total due", text="Total due")
    assert result.target is not None
    by_text, by_place = result.target.locators
    assert by_text == 'get_by_text("Total due", exact=True)'
    assert "nth-of-type" in by_place


# Order of fields


def test_order_of_fields_uses_their_values(desk: Desk) -> None:
    """Text boxes are ordered by their values."""
    desk.show("".join(f"<div><input aria-label=Step value={v}></div>" for v in ("Ann", "Bob")))
    fields = [each for each in desk.seen.elements if each.startswith("textbox")]
    assert desk.ask("order", element_ids=fields, texts=["Ann", "Bob"]) == "holds"
    assert desk.ask("order", element_ids=fields, texts=["Bob", "Ann"]) == "no: Ann → Bob"
    checked = desk.result("order", element_ids=fields, texts=["Ann", "Bob"])
    speaking = CodeTexts("page", lambda name: None, set())
    assert checked.check.as_playwright(speaking, checked.target) is None


def test_present_is_the_mirror_of_absent(desk: Desk) -> None:
    """A text, or a role with a name, is present on the page, or in a part of it."""
    desk.show("<h1>Cart</h1><section id=s><button>Buy</button> 2 mugs</section><p>3 cups</p>")
    assert desk.ask("present", text="3 cups") == "holds"
    assert desk.ask("present", text="3 cups", within="#s") == 'no: no "3 cups"'
    assert desk.ask("present", text="2 mugs", within="#s") == "holds"
    assert desk.ask("present", role="button", name="Buy", exact=True) == "holds"
    assert desk.ask("present", role="button", name="Sell") == 'no: no button "Sell"'


def test_recorded_absence_needs_what_was_beside_it(desk: Desk) -> None:
    """A recorded absence cannot be checked without its heading and list, or on one of several pages."""
    club = "<h1>Club</h1><h2>Members</h2><ul><li>{}</ul>"
    desk.show(club.format("Ada"))
    recorded = desk.result("absent", text="Cleo").check.recorded()

    def replayed(body: str) -> str:
        desk.show(body)
        answer = desk.context.checker({}).run(recorded)
        return answer.problem or ("holds" if answer.holds else "no")

    pages = "<div class=pagination><b>1</b> <a href=?p=2>2</a> <a href=?p=3>3</a></div>"
    assert replayed(club.format("Ben<li>Dan")) == "holds"
    assert replayed(club.format("Ben<li>Cleo")) == "no"
    assert "may have more: page numbers" in replayed(club.format("Ben") + pages)
    assert "nothing is listed" in replayed("<h1>Club</h1><h2>Members</h2><p>Not found")
    assert "'Members' of the searched page is missing" in replayed("<h1>Club</h1><h2>Sign in</h2>")
