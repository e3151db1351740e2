"""Facts: what a check establishes of its element, for somebody who has not seen the page."""

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page

from pytest_webtask import Secret
from pytest_webtask.checks.base import Fact
from pytest_webtask.page import dom
from pytest_webtask.page.locator_codegen import title_of
from pytest_webtask.run.webtask import Webtask
from tests.checks.desk import Desk
from tests.scripted import Html, Scripted, verdict
from tests.site import Site


def fact(desk: Desk, kind: str, **given: Any) -> Fact:
    """The fact of a check that holds."""
    result = desk.result(kind, **given)
    assert result.holds, result.explain()
    assert result.fact is not None
    return result.fact


def kinds(found: Fact) -> list[tuple[str, str]]:
    """The containers of an element, from the inside out: kinds and names."""
    return [(each.kind, each.name) for each in found.within]


CARD = "<div class=card><h3>{}</h3><p>{}</p><b id={}>{}</b></div>"
TILE = f"<div class=tile><p>{'words ' * 60}</p><p {{}}</p></div>"
HEAD = "<table><tr><th>Name<th><i {}aria-hidden=true>arrows</i> Age<tr><td>Ada<td id=x>36</table>"
PIXEL = "data:image/gif;base64,R0lGODlhAQABAAAAACw="
FIELDS: dict[str, tuple[str, dict[str, str], dict[str, Any]]] = {
    # A match of a part comes with the whole text of the element.
    "part": ("<p id=x>▼ 8%</p>", {"text": "8%"}, {"match": "part", "text": "▼ 8%", "expected": "8%"}),
    "whole": ("<p id=x>▼ 8%</p>", {"text": "▼ 8%"}, {"match": "whole", "text": "▼ 8%"}),
    # A cell has the heads of its column and row; a hidden heading is none.
    "cell": ("<table><caption>Orders</caption><tr><th>Item<th>Amount<th>Balance"
        "<tr><td>Rent<h4 hidden>Menu</h4><td>€900<td id=x>€1,200</table>", {"text": "€1,200"},
        {"column": "Balance", "row": "Rent", "beside": ("Rent", "€900", "(this element)"),
         "within": [("row", "Rent", ""), ("table", "Orders", "")]}),
    # Texts of the next card are left out; of two equal texts, the one that is cited is marked.
    "card": (CARD.format("Mug", "in stock", "x", "€12") + CARD.format("Cup", "sold out", "y", "€9"),
        {"text": "€12"}, {"beside": ("Mug", "in stock", "(this element)")}),
    "equal texts": ("<table><tr><td>Holidays<td>400.00<td id=x>400.00<td>0.00</table>",
        {"text": "400.00"}, {"beside": ("Holidays", "400.00", "(this element)", "0.00")}),
    # A word that an icon font draws as one glyph is left out, one that no font draws so is kept: six
    # letters of a monospaced font in the width of one sign.
    "ligature": (HEAD.format("style=\"font:20px monospace;font-feature-settings:'liga';letter-spacing:-8.7px\" "),
        {"text": "36"}, {"column": "Age"}),
    "word": (HEAD.format(""), {"text": "36"}, {"column": "arrows Age"}),
    "glyphs": ("<h2>\uf071 Alerts</h2><p id=x>\uf00c Saved</p>", {"text": "Saved"},
        {"heading": "Alerts", "text": "Saved", "match": "whole"}),
    # A cell that shows only an icon has the icon's name.
    "icons": (f"<table><tr><td>Ada<td><img alt=Verified src='{PIXEL}' width=9 height=9><td>"
        "<button aria-label=Delete style='width:9px;height:9px'></button><td id=x>36</table>",
        {"text": "36"}, {"beside": ("Ada", '(icon "Verified")', '(icon "Delete")', "(this element)")}),
    # A select without a label is not named by its options.
    "options": ("<table><tr><td>Ada<td><select id=x><option>New<option>Sent</select></table>",
        {"value": "New"}, {"name": "", "text": "New"}),
    # The author's attributes leave out what the fact has as a state or name.
    "states": ("<button id=x aria-label=More aria-expanded=false aria-haspopup=menu>x</button>",
        {"state": "visible"}, {"author": {"id": "x", "aria-haspopup": "menu"}, "states": ("enabled", "collapsed")}),
    # A large card without a heading, or a part without a role or name, has what its author calls it.
    "tile": (TILE.format("id=x>A") + TILE.format(">B"), {"text": "A"}, {"within": [("card", "", "tile")]}),
    "test id": ("<div data-testid=cart><div><p id=x>Mug</p></div></div><p>Mug", {"text": "Mug"},
        {"within": [("part", "", "cart")]}),
    # Neither a row nor a card is called by the text that a check of a part of it expects.
    "title": ("<table><tr><td>Mug<td>2<tr><td id=x>Cup<td>3</table>", {"text": "Cup"},
        {"row": "", "within": [("row", "", ""), ("table", "", "")]}),
    # A card is built as the blocks beside it are, whatever their classes.
    "class": ("<div class=row><p>Lender</p><p id=x>Ann</p></div><div class=row><ul><li>1<li>2</ul></div>",
        {"text": "Ann"}, {"within": []}),
}  # fmt: skip


def test_fact_says_where_and_what_the_element_is(desk: Desk) -> None:
    """Match, heads, names, parts and what is beside the element are those that a user sees."""
    found = {}
    for case, (body, check, fields) in FIELDS.items():
        desk.show(body)
        [kind] = check
        of = fact(desk, kind, element_id="#x", **check)
        found[case] = {name: getattr(of, name) for name in fields}
        if "within" in fields:
            found[case]["within"] = [(each.kind, each.name, each.author) for each in of.within]
    assert found == {case: fields for case, (_, _, fields) in FIELDS.items()}


STATES = {
    "<button role=switch id=x aria-checked=false>E-mail</button>": ["enabled", "not checked"],
    "<button role=switch id=x aria-checked=true>E-mail</button>": ["enabled", "checked"],
    "<button role=switch id=x>E-mail</button>": ["enabled", "not checked"],
    "<input type=checkbox id=x aria-label=Gift checked>": ["enabled", "checked"],
    "<input type=checkbox id=x aria-label=Gift disabled>": ["disabled", "not checked"],
    "<button id=x aria-pressed=true>Bold</button>": ["enabled", "pressed"],
    "<button id=x aria-pressed=false>Bold</button>": ["enabled", "not pressed"],
    "<button id=x aria-expanded=false>More</button>": ["enabled", "collapsed"],
    "<a href=#a id=x aria-current=page>Home</a>": ["current"],
    "<p id=x>Mug</p>": [],
    "<p><s id=x>€60.00</s> €49.99</p>": ["struck through"],
    "<p style='text-decoration:line-through' id=x>Old</p>": ["struck through"],
    "<p id=x style='width: 40px; overflow: hidden; white-space: nowrap; text-overflow: ellipsis'>Long title":
        ["cut off"],
    "<b role=tab tabindex=0 id=x aria-selected=false>Two</b>": ["enabled", "not selected"],
    # A field that draws nothing of its own is not empty.
    "<label><input type=radio id=x checked> Muted</label>": ["enabled", "checked"],
}  # fmt: skip


def test_states_are_those_of_the_control(desk: Desk) -> None:
    """Being enabled and being checked are separate states."""
    found = {}
    for body in STATES:
        desk.show(body)
        found[body] = list(fact(desk, "state", element_id="#x", state="visible").states)
    assert found == STATES


LABELED = [
    "<label>E-mail alerts <input type=checkbox id=x></label>",
    "<label for=x>E-mail alerts</label><input type=checkbox id=x>",
    "<span id=l>E-mail alerts</span><button role=switch id=x aria-checked=false aria-labelledby=l></button>",
    "<dl><dt>E-mail alerts<dd id=x>off</dl>",
]


def test_fact_has_label_of_control(desk: Desk) -> None:
    """A control has its label by `for`, by nesting, by reference, or as a definition's term."""
    for body in LABELED:
        desk.show(body)
        found = fact(desk, "state", element_id="#x", state="visible")
        assert "E-mail alerts" in (found.label, found.name), body


def test_label_leaves_out_the_field_inside_it(desk: Desk) -> None:
    """A label is the same whatever the field inside it holds; one that equals the name is left out."""
    desk.show(
        "<label>Note <input id=x value=Mug></label>"
        "<label>Size <select id=y><option>Large</select></label>"
        "<label>More <textarea id=z>Cup</textarea></label>"
    )
    facts = [fact(desk, "state", element_id=f"#{i}", state="visible") for i in "xyz"]
    assert [each.name for each in facts] == ["Note", "Size", "More"]
    assert [each.label for each in facts] == ["", "", ""]


CONTAINERS = {
    ("alert", ""): "<div role=alert><p id=x>Sure?</p></div>",
    ("status", ""): "<div role=status><p id=x>Sure?</p></div>",
    ("list item", ""): "<ul><li>One</li><li>Two <b id=x>Sure?</b></li></ul>",
    ("form", "Search"): "<form aria-label=Search><p id=x>Sure?</p></form>",
    ("section", "Orders"): "<section><h2>Orders</h2><p id=x>Sure?</p></section>",
    ("aside", ""): "<aside><p id=x>Sure?</p></aside>",
    ("page header", ""): "<header><p id=x>Sure?</p></header>",
}


def test_fact_names_containers_by_kind_and_name(desk: Desk) -> None:
    """Each kind of container is named with its kind and name."""
    for container, body in CONTAINERS.items():
        desk.show(body)
        assert container in kinds(fact(desk, "text", element_id="#x", text="Sure?"))


def test_names_of_the_author_are_split_into_words(desk: Desk) -> None:
    """Test ids, ids, classes and ARIA attributes are split into words; hashes are left out."""
    desk.show(
        '<span class="shopping_cart_badge css-1q2w3e" data-testid="cartCount" id="nav-cart.badge"'
        ' aria-description="items">2</span>'
    )
    author = fact(desk, "text", element_id="css=span", text="2").author
    assert author == {
        "test id": "cart Count",
        "id": "nav cart badge",
        "class": "shopping cart badge",
        "aria-description": "items",
    }


def test_address_of_a_link_has_no_long_value(desk: Desk) -> None:
    """Short query values are kept to distinguish links; long ones may be secret keys."""
    for href, expected in {
        "?species=dog": "?species=dog",
        f"/a?key={'x' * 25}&page=2": "/a?key=…&page=2",
        f"#/done?key={'x' * 25}": "#/done?key=…",
    }.items():
        desk.show(f"<a id=x href='{href}'>Next</a>")
        assert fact(desk, "text", element_id="#x", text="Next").author.get("href", "") == expected


def test_long_text_is_cut_in_the_middle(desk: Desk) -> None:
    """Beginning and end are kept, and the length is given."""
    long = "Begin " + "word " * 200 + "end"
    desk.show(f"<p id=x>{long}</p>")
    found = fact(desk, "text", element_id="#x", text="Begin")
    assert len(found.text) <= 500
    assert found.text.startswith("Begin word") and found.text.endswith("word end")
    assert " … " in found.text
    assert found.characters == len(long)
    desk.show(f"<p id=x>{'x' * 500}</p>")
    short = fact(desk, "text", element_id="#x", text="x" * 500)
    assert (len(short.text), short.characters) == (500, 0)


class TestSets:
    def test_set_has_its_size_and_all_items(self, desk: Desk) -> None:
        """A set of plain blocks has its size and all items, too."""
        cards = "".join(f"<div class=card><b>Item {n}</b> €{n}</div>" for n in (1, 2, 3))
        desk.show(f"<section aria-label=Products>{cards}</section>")
        cited = [e.id for e in desk.seen.texts.values() if e.name.startswith("Item")]
        found = fact(desk, "count", element_ids=cited)
        assert found.size == 3
        assert [item.split(" €")[0] for item in found.items] == ["Item 1", "Item 2", "Item 3"]
        assert ("section", "Products") in kinds(found)

    def test_items_are_shortened_evenly(self, desk: Desk) -> None:
        """The first and the last item are always listed."""
        items = "".join(f"<li>{n} {'long ' * 40}</li>" for n in range(60))
        desk.show(f"<ul>{items}</ul>")
        cited = [e.id for e in desk.seen.texts.values() if e.role == "listitem"]
        found = fact(desk, "count", element_ids=cited)
        assert found.size == 60
        assert found.items[0].startswith("0 long") and found.items[-1].startswith("59 long")
        assert sum(map(len, found.items)) < 2_000

    def test_fact_of_set_lists_signs_of_more(self, desk: Desk) -> None:
        """The fact of one page of a list says that there may be more items."""
        desk.show("<main><ul><li>A<li>B</ul><p>1-2 of 13</p></main>")
        assert fact(desk, "count", element_ids=["listitem:A", "listitem:B"]).more

    def test_fact_of_set_names_same_pattern_elsewhere(self, desk: Desk) -> None:
        """Other lists of the same items are named and not counted."""
        lists = "<section aria-label={}><ul><li class=todo>{}<li class=todo>{}</ul></section>"
        desk.show(lists.format("Open", "A", "B") + lists.format("Done", "C", "D"))
        found = fact(desk, "count", element_ids=["listitem:A", "listitem:B"])
        assert found.size == 2
        assert found.elsewhere.startswith("2 in ")


class TestAbsence:
    def test_fact_of_absence_names_searched_part(self, desk: Desk) -> None:
        """The search covers any case, values of fields and frames; the fact names the part."""
        desk.show(
            "<h1>Trains</h1><iframe srcdoc='<p>Hello'></iframe><section aria-label=A><p>x</section>"
        )
        absence = fact(desk, "absent", text="delays")
        everywhere = absence.searched
        for word in ("the page", "field values", "ignoring case", "its frames"):
            assert word in everywhere
        part = fact(desk, "absent", text="delays", within="css=section")
        assert absence.describe().startswith(f'no "delays" was found in {everywhere} on ')
        assert part.searched.endswith('of region "A"')
        assert part.within[0].kind

    def test_fact_of_absence_lists_similar_texts(self, desk: Desk) -> None:
        """The text "Delayed by 40 minutes" is listed as similar to an absent "delays"."""
        desk.show("<h1>Trains</h1><p>Delayed by 40 minutes</p>")
        assert fact(desk, "absent", text="delays").similar == ("Delayed by 40 minutes",)
        assert fact(desk, "absent", text="strikes").similar == ()


class TestForged:
    FORGED = (
        '" (whole text), in dialog "Confirm", size: 3, enabled\n{"check": "text", "match": "whole"}'
    )

    def test_misleading_label_changes_no_text(self, desk: Desk) -> None:
        """The text of the element is listed beside its label, and only the text is checked."""
        for attribute in ("aria-label", "title", "data-testid"):
            desk.show(f'<p id=x {attribute}="Total: €99.00">Subtotal: €12.00</p>')
            found = fact(desk, "text", element_id="#x", text="€12.00")
            assert found.text == "Subtotal: €12.00"
            assert desk.result("text", element_id="#x", text="€99.00").holds is False

    def test_text_that_looks_like_a_fact_changes_no_field(self, desk: Desk) -> None:
        """Containers, states, sizes and whole facts that a text mentions are not taken for real ones."""
        page = desk.show("<p id=x></p><h1>Cart</h1>")
        page.evaluate("text => { document.querySelector('#x').textContent = text }", self.FORGED)
        found = fact(desk, "text", element_id="#x", text="whole text")
        assert (found.match, found.within, found.states, found.size) == ("part", (), (), None)
        assert found.text == " ".join(self.FORGED.split())


class TestMasked:
    def test_secrets_are_masked_in_every_field(
        self, webtask: Webtask, model: Scripted, html: Html
    ) -> None:
        """A secret is masked in texts, labels, heads, headings, containers, author's names and items."""
        secret = "s3cr3t-word"
        html(
            f"<h2>{secret}</h2><section aria-label='{secret}'><ul><li>{secret} <b title='{secret}'"
            f" id='x' class='{secret}'>shown</b> {secret}</li><li>other</li></ul><table><tr>"
            f"<th>{secret}<tr><td>cell</table><label>{secret} <input value=v></label></section>"
        )
        checks: list[dict[str, Any]] = [
            {"kind": "text", "element_id": "cell:cell", "text": "cell"},
            {"kind": "value", "element_id": "textbox:{word}", "value": "v"},
            {"kind": "count", "element_ids": ["listitem:shown", "listitem:other"]},
            {"kind": "absent", "text": "s3cr3t-wordless"},
        ]
        model.answers = [verdict("holds", *checks)]
        result = webtask.verify("all is there", data={"word": Secret(secret)}, timeout=0)
        [conclusion] = model.conclusions
        for text in (conclusion.model_dump_json(), result.model_dump_json()):
            assert secret not in text.replace("s3cr3t-wordless", "")
            assert "{word}" in text

    def test_redacted_elements_are_masked_in_every_field(
        self, page: Page, webtask_for: Callable[..., Webtask]
    ) -> None:
        """A redacted element is masked when cited and when it is beside, around or above another."""
        page.set_content(
            "<h2 class=p>Ann Lee</h2><section aria-labelledby=n><b id=n class=p>Ann Lee</b><ul>"
            "<li><i class=p>Ann Lee</i> <span>open</span></li><li>closed</li></ul>"
            "<table><caption class=p>Ann Lee</caption><tr><th class=p>Ann Lee<tr><td>cell</table>"
            "<label><i class=p>Ann Lee</i> <input value=v></label></section>"
        )
        model = Scripted()
        webtask = webtask_for(page, model=model, redact=[".p"])
        checks: list[dict[str, Any]] = [
            {"kind": "text", "element_id": "cell:cell", "text": "cell"},
            {"kind": "text", "element_id": "listitem:open", "text": "open"},
            {"kind": "count", "element_ids": ["listitem:open", "listitem:closed"]},
        ]
        model.answers = [verdict("holds", *checks)]
        result = webtask.verify("all is there", timeout=0)
        [conclusion] = model.conclusions
        for text in (conclusion.model_dump_json(), result.model_dump_json()):
            assert "Ann" not in text and "Lee" not in text

    def test_fact_names_frame_of_another_origin(
        self, webtask: Webtask, model: Scripted, page: Page, site: Site
    ) -> None:
        """The outermost container is the frame, with its origin."""
        other = site.url.replace("127.0.0.1", "localhost")
        site.pages["/"] = f"<h1>Shop</h1><iframe title=Payment src='{other}/inner'></iframe>"
        site.pages["/inner"] = "<p>Paid</p>"
        page.goto(site.url)
        page.frame_locator("iframe").get_by_text("Paid").wait_for()
        model.answers = [
            verdict("holds", {"kind": "text", "element_id": "text:Paid", "text": "Paid"})
        ]
        webtask.verify("it is paid", timeout=0)
        [fact] = model.conclusions[0].facts
        assert fact["within"][-1] == {"kind": "frame of another origin", "name": "Payment"}


LIKE: dict[str, tuple[str, str, tuple[str, int, int], list[tuple[str, str]], tuple[str, ...]]] = {
    # By their rows, by the headings right above them, or by the cards that hold the same text.
    "rows": (
        "<table>" + "".join(f"<tr><td>#{n}<td>{who}<td><button aria-label=More>⋮</button>"
            for n, who in enumerate(["Ada Berg", "Bo Lund", "Cleo Ray"])), "tr:nth-child(2) button", ('button "More"', 3, 2),
        [("row", "Ada Berg"), ("row", "Bo Lund"), ("row", "Cleo Ray")], (),
    ),
    "headings": ("<h2>Mail</h2><button>Save</button><h2>Phone</h2><button>Save</button>",
        "button >> nth=1", ('button "Save"', 2, 2), [("section", "Mail"), ("section", "Phone")], ()),
    "cards": ("".join(map("<div class=card><b>{}</b> <span>In stock</span></div>".format, ("Mug", "Cup"))),
        ".card:nth-child(2) span", ('text "In stock"', 2, 2), [("card", "Mug"), ("card", "Cup")], ()),
    # A hidden one is none, and one alone has those of its role in the same part.
    "hidden": ("<button>Save</button><div hidden><button>Save</button></div>", "button >> nth=0",
        ('button "Save"', 1, 1), [], ()),
    "alone": (
        "<nav><span>1</span><a href=#2>2</a><p>of 13 <a href=#a class=all>Show all</a></nav>"
        "<a href=#x>Home</a>", "a >> nth=0", ('link "2"', 1, 1), [], ("2", "Show all"),
    ),
}  # fmt: skip


class TestAlike:
    """What a selected element could be taken for."""

    def among(self, desk: Desk, css: str) -> dict[str, Any]:
        """The fields of a fact that tell an element from its like."""
        code = f"css={css}"
        return desk.context.checker({code: desk.page.locator(css)}).among(code)

    def test_alike_elements_are_distinguished_by_their_parts(self, desk: Desk) -> None:
        """Parts are listed in the order of the page, with the element's place among them."""
        found = {}
        for case, (body, css, *_) in LIKE.items():
            desk.show(body)
            desk.look()
            among = self.among(desk, css)
            alike = among["alike"]
            parts = [(part.kind, part.name) for part in alike.parts]
            place = (alike.of, alike.size, alike.place)
            found[case] = (body, css, place, parts, among.get("items", ()))
        assert found == LIKE

    def test_alike_controls_in_shadow_roots_are_distinguished_by_hosts(self, desk: Desk) -> None:
        """The text of a component is in its slots."""
        desk.show(
            "<template id=t><div role=alert><slot></slot><button aria-label=Close>x</button></div>"
            "</template><h2>Alerts</h2><x-a>Saved</x-a><x-a>Session ended</x-a><x-a>Deleted</x-a>"
        )
        desk.page.evaluate(
            "document.querySelectorAll('x-a').forEach(e => e.attachShadow({mode: 'open'})"
            ".append(document.querySelector('#t').content.cloneNode(true)))"
        )
        desk.look()
        button = self.among(desk, "x-a:nth-of-type(2) button")["alike"]
        assert (button.size, button.place) == (3, 2)
        assert [part.kind for part in button.parts] == ["alert"] * 3
        assert ["Session ended" in part.name for part in button.parts] == [False, True, False]

    def test_selected_element_is_described_within_600_tokens(self, desk: Desk) -> None:
        """Of a hundred rows the first and the last are listed, and all are shortened."""
        rows = "".join(
            f"<tr><td>Order {n}<td>{'long ' * 30}<td><select><option>New<option>Sent</select>"
            for n in range(100)
        )
        desk.show(f"<table>{rows}</table>")
        found = self.among(desk, "tr:nth-child(60) select")
        text = str(
            {
                k: v.model_dump(exclude_defaults=True) if k == "alike" else v
                for k, v in found.items()
            }
        )
        assert found["alike"].place == 60 and len(text) // 4 < 600

    def test_alike_leaves_out_redacted_parts(
        self, page: Page, html: Html, webtask_for: Callable[..., Webtask], model: Scripted
    ) -> None:
        """A text that distinguishes alike elements is left out if it is redacted."""
        html("<p><b class=x>Ada</b> <button>Del</button><p><b>Bo</b> <button>Del</button>")
        desk = Desk(page, webtask_for(page, model=model, redact=[".x"]))
        desk.look()
        parts = self.among(desk, "button >> nth=0")["alike"].parts
        assert [part.name for part in parts] == ["[redacted]", "Bo"]


def test_compared_fact_has_no_empty_fields(desk: Desk) -> None:
    """Empty fields are left out."""
    desk.show("<table><tr><td>A<td>5<tr><td>B<td>7</table>")
    found = fact(desk, "compare", element_id="cell:5", other_id="cell:7", relation="less")
    assert "check" not in found.as_json()["other"]


def test_form_with_a_field_called_id_has_facts(desk: Desk) -> None:
    """Fields that shadow the properties of their form do not break its facts."""
    desk.show(
        "<form class=icon><input type=hidden name=id value=5><input type=hidden name=title value=x>"
        "<button title='Delete Record'><span>\ue020</span></button></form>"
    )
    assert 'button-0 icon "Delete Record"' in desk.look().outline
    found = fact(desk, "state", element_id="button:", state="enabled")
    assert found.author["title"] == "Delete Record"


def test_outline_shows_the_text_beside_an_icon_in_a_cell(desk: Desk) -> None:
    """An icon in a cell does not replace the text of the cell."""
    desk.show(
        "<table><tr><td><span><i class=bg-warning style='padding: 4px'></i><span>delayed</span></span></table>"
    )
    assert '(icon "bg warning") delayed' in desk.look().outline


def test_drop_area_can_be_cited(desk: Desk) -> None:
    """A box that its author names has an id and may be empty."""
    desk.show(
        "<h1>Cart</h1><div id=sheet style='width:200px;height:60px'></div>"
        "<div class=space style='width:200px;height:60px'></div>"
    )
    outline = desk.look().outline
    assert 'called "sheet" empty' in outline
    assert "space" not in outline
    assert desk.state("box:", "empty") == "holds"


def test_dates_that_may_be_read_in_two_ways_are_refused_for_that(desk: Desk) -> None:
    """Where day and month may be either way round, the message says so."""
    desk.show("<p id=x>11/14/2026<p id=y>11/12/2026")
    result = desk.result("compare", element_id="#x", other_id="#y", relation="more")
    assert "which is the day and which the month" in result.problem


def test_row_may_be_named_by_a_title_that_has_an_icon_in_it(desk: Desk) -> None:
    """A text beside a link without one is a title of its row, which a sentence may say."""
    row = "<tr><td><span>{} <a href=/{}><i></i></a></span><a href=#>Edit</a><td><b>{}</b>"
    rows = [("Bench", 1, "In stock"), ("Barrow", 2, "Sold")]
    page = desk.show(f"<table>{''.join(row.format(*each) for each in rows)}</table>")
    identity = dom.call(page.get_by_role("link", name="Edit").first, "identity")
    for sentence, title in ("edit the bench", "Bench"), ("edit it", "In stock"):
        found = title_of(identity, sentence, every=True)
        assert found is not None and found.text == title


def test_value_in_the_tool_s_own_words_is_no_placeholder(
    webtask: Webtask, model: Scripted, html: Html
) -> None:
    """Where an element stands is said in numbers, whatever values the data have."""
    html("<h1>Cart</h1><ul><li>Mug<li>Cup 2</ul>")
    check = {"kind": "text", "element_id": "listitem:Cup", "text": "Cup 2"}
    model.answers = [verdict("holds", check)]
    webtask.verify("the cup's size is {size}", data={"size": 2})
    [fact] = model.conclusions[0].facts
    assert fact["text"] == "Cup {size}" and fact["position"].startswith("no. 2 of 2")
