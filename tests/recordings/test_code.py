"""Recorded steps as plain Playwright: each tool does what it did, each check proves what it proved."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from pytest_webtask.recordings.code import code_of
from pytest_webtask.recordings.exporting import exported
from pytest_webtask.recordings.runs import Attempt
from pytest_webtask.recordings.steps import Made
from pytest_webtask.recordings.writing import formatted, quoted, raw, template
from tests.recordings.made import TEST, Line, call, check, line, opened, step, target
from tests.site import Site

Show = Callable[[str], Page]


def export(*lines: Line) -> str:
    """The exported test of a journal's lines."""
    return exported(TEST, Attempt(list(lines)))


@pytest.fixture
def run() -> Iterator[Callable[..., None]]:
    """Exports lines, or steps with the data of each, and runs the test on a page."""

    def run(page: Page, *lines: Line, **data: str) -> None:
        journal = [line if "step" in line else line_of(line, data) for line in lines]
        text = export(*journal)
        namespace: dict[str, Any] = {}
        exec(compile(text, "exported.py", "exec"), namespace)
        namespace["test_it"](page)

    def line_of(made: Line, data: dict[str, str]) -> Line:
        return line(made, data=data)

    expect.set_options(timeout=400)
    yield run
    expect.set_options(timeout=5000)


def lines_of(*calls: Line, **more: Any) -> list[str]:
    """The code of a step without its comment."""
    return code_of(Made.model_validate(step(*calls, **more)))[1:]


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


@pytest.mark.parametrize("name", CALLS)
def test_the_mouse_does_what_it_did(html: Show, run: Callable[..., None], name: str) -> None:
    """Clicks of all kinds, points of elements, dialogs as they were announced, the wheel."""
    page = html(FORM)
    made, expected = CALLS[name]
    run(page, step(made), user="Ann")
    page.wait_for_function("what => document.title.includes(what)", arg=expected, timeout=2000)


def test_fields_hold_what_they_held(html: Show, run: Callable[..., None]) -> None:
    """Filled, typed behind what is there, pressed, chosen and checked."""
    page = html(FORM)
    run(
        page,
        step(
            call("fill", NAME, text="{user}"),
            call("type", target(NAME, tag="input"), text=" the 1st"),
            call("type", target('get_by_label("Notes")', tag="textarea"), text=" two"),
            call("press", 'get_by_label("Notes")', key="Enter"),
            call("type", text="three"),
            call("select_option", 'get_by_label("Colour")', options=["Blue"]),
            call("select_option", 'get_by_label("Many")', options=["A", "C"]),
            call("check", 'get_by_label("Yes")'),
            call("check", 'get_by_label("No", exact=True)', checked=False),
            call("wait", seconds=2.0),
        ),
        user="Ann",
    )
    expect(page.get_by_label("Name")).to_have_value("Ann the 1st")
    expect(page.get_by_label("Notes")).to_have_value("one two\nthree")
    expect(page.get_by_label("Colour")).to_have_value("Blue")
    expect(page.get_by_label("Many")).to_have_values(["A", "C"])
    expect(page.get_by_label("Yes")).to_be_checked()
    expect(page.get_by_label("No", exact=True)).not_to_be_checked()


def test_files_are_given_by_their_paths(
    html: Show, run: Callable[..., None], tmp_path: Any
) -> None:
    """To a field, and to the chooser that a button opens; the path is that of the journal."""
    page = html(FORM)
    field = target('get_by_label("File", exact=True)', tag="input", type="file")
    chooser = target('get_by_role("button", name="Choose a file")')
    for name, where in (("one.txt", field), ("two.txt", chooser)):
        (tmp_path / name).write_text("mug")
        made = step(call("upload", where, resources=["my mug"]))
        run(page, line(made, resources={"my mug": str(tmp_path / name)}))
    expect(page).to_have_title("Test page one.txt two.txt")


def test_a_file_whose_path_is_not_known_is_asked_for() -> None:
    """It comes from the environment, and a comment says what it is."""
    made = step(call("upload", 'get_by_label("File")', resources=["my mug"]))
    text = export(line(made))
    assert '# The path of the resource "my mug".\nMY_MUG = Path(os.environ["MY_MUG"])\n' in text
    assert "chooser.value.set_files(MY_MUG)" in text


def test_dragging_ends_where_it_ended(html: Show, run: Callable[..., None]) -> None:
    """From element to element, and within one, as to draw."""
    boxes = """<style>body { user-select: none; margin: 0 } div { width: 90px; height: 90px }</style>
        <script>var from = ""</script>
        <div role=img aria-label=A onmousedown="from = 'A'"
          onmouseup="document.title = `${event.offsetX},${event.offsetY}`"></div>
        <div role=img aria-label=B onmouseup="document.title = from + ' on B'"></div>"""
    page = html(boxes)
    one, two = (target(f'get_by_role("img", name="{name}")') for name in "AB")
    drag = {"tool": "drag", "targets": {"element_id": one, "to_element_id": two}}
    run(page, step(drag))
    expect(page).to_have_title("A on B")
    drawn = {"x": 10, "y": 10, "to_x": 60, "to_y": 70}
    targets = {"element_id": one, "to_element_id": one}
    run(page, step({"tool": "drag", "parameters": drawn, "targets": targets}))
    expect(page).to_have_title("60,70")
    points = {"x": 20, "y": 20, "to_x": 50, "to_y": 130}
    run(page, step({"tool": "drag", "parameters": points}))
    expect(page).to_have_title("A on B")


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
"""
STATUS, CART = 'get_by_role("status")', 'get_by_role("list", name="Cart")'
ITEMS = f'{CART}.get_by_role("listitem").filter(visible=True)'
INPUT, SELECT = {"tag": "input"}, {"tag": "select"}
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
    (check("state", "get_by_text('Gone')", state="hidden"), True),
    (check("state", STATUS, state="hidden"), False),
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
    (check("count", ITEMS, number=3), True),
    (check("count", ITEMS, number="{three}"), True),
    (check("count", ITEMS, number=4), False),
    (check("order", ITEMS, texts=["Red", "Blue", "Cup"], complete=True), True),
    (check("order", ITEMS, texts=["Red", "Cup"], complete=True), False),
    (check("order", ITEMS, texts=["Red", "Cup"], complete=False), True),
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


@pytest.mark.parametrize("kind", sorted({evidence["kind"] for evidence, _ in CHECKS}))
def test_checks_hold_where_they_held(html: Show, run: Callable[..., None], kind: str) -> None:
    """Each kind, where the page is so and where it is not."""
    page = html(PAGE)
    data = {"user": "Ann", "three": "3"}
    so = [evidence for evidence, holds in CHECKS if holds and evidence["kind"] == kind]
    run(page, step(kind="verify", evidence=so), **data)
    expect.set_options(timeout=100)
    for evidence, holds in CHECKS:
        if not holds and evidence["kind"] == kind:
            with pytest.raises(AssertionError, match=r"expected (not )?to"):
                run(page, step(kind="verify", evidence=[evidence]), **data)


@pytest.mark.parametrize(
    ("pattern", "holds"),
    [
        ("/users/{user}", False),
        ("/users/{user}?tab=1", True),
        ("/users/*?tab=1", True),
        ("/{user}?tab=1", False),
        ("{user}?tab=1", True),
        ("?tab=1", True),
        ("*tab=1", True),
        ("ab=1", False),
        ("http://*/users/{user}?tab=1", True),
        ("http://{user}?tab=1", False),
    ],
)
def test_addresses_fit_as_they_did(
    page: Page, site: Site, run: Callable[..., None], pattern: str, holds: bool
) -> None:
    """A path is the whole path, a star is anything, and a dot is a dot."""
    site.pages["/users/a.b"] = "hello"
    page.goto(f"{site.url}/users/a.b?tab=1")
    made = step(kind="verify", evidence=[check("url", pattern=pattern)])
    if holds:
        run(page, made, user="a.b")
    else:
        with pytest.raises(AssertionError):
            run(page, made, user="a.b")


def test_tabs_are_followed(page: Page, site: Site, run: Callable[..., None]) -> None:
    """One that a click opens, by number and title; back to the first; and closing it."""
    site.pages["/"] = "<title>Shop</title><a href=/terms target=_blank>Terms</a><p id=p>shop"
    site.pages["/terms"] = "<title>Terms of trade</title><h1>Our terms</h1>"
    page.goto(site.url)
    heading = check("text", 'get_by_role("heading")', text="Our terms", exact=True)
    run(
        page,
        step(
            call("click", 'get_by_role("link", name="Terms")', loads=True),
            call("switch_tab", tab="terms of"),
            evidence=[heading, check("title", text="Shop", tab=1)],
        ),
        step(call("switch_tab", tab="1"), evidence=[{**heading, "tab": 2}]),
        step(
            call("click", 'get_by_role("link", name="Terms")'),
            call("switch_tab", tab="3"),
            call("close_tab"),
            call("switch_tab", tab="1"),
            evidence=[check("text", 'locator("#p")', text="shop")],
        ),
    )
    assert len(page.context.pages) == 2


def test_what_comes_next_is_done_on_the_page_that_was_loaded(
    page: Page, site: Site, run: Callable[..., None]
) -> None:
    """Even where the page before has such a button as well, and takes its time."""
    button = "<button onclick=\"setTimeout(() => location = '/{}', 400)\">Next</button>"
    site.pages["/"] = "<title>First</title>" + button.format("two")
    site.pages["/two"] = "<title>Second</title>" + button.format("three")
    site.pages["/three"] = "<title>Third</title>"
    page.goto(site.url)
    following = call("click", 'get_by_role("button", name="Next")', loads=True)
    run(page, step(following, following, evidence=[check("absent", role="button")]))
    expect(page).to_have_title("Third")


def test_waiting_becomes_waiting_for_what_is_there(html: Show, run: Callable[..., None]) -> None:
    """A text is waited for as long as it was; a plain wait is patience for the evidence."""
    page = html("<p id=p></p><script>setTimeout(() => p.textContent = 'Saved', 900)</script>")
    run(page, step(call("wait", seconds=20.0, text="Saved")))
    assert lines_of(
        call("wait", seconds=8.0), evidence=[check("state", STATUS, state="visible")]
    ) == ['expect(page.get_by_role("status")).to_be_visible(timeout=8_000)']
    assert lines_of(call("wait", text="Saved")) == [
        'expect(page.get_by_text(words("Saved")).filter(visible=True).first).to_be_visible()'
    ]


def test_addresses_and_points_of_the_page() -> None:
    """What has no element."""
    assert lines_of(
        call("navigate", url="/cart?of={user}"),
        call("go_back"),
        call("reload"),
        call("click_at", x=10.0, y=20.5),
        call("hover", x=1.0, y=2.0),
        call("press", key="Escape"),
        call("scroll", direction="up"),
        call("scroll", GO),
    ) == [
        'page.goto(f"/cart?of={USER}")',
        "page.go_back()",
        "page.reload()",
        "page.mouse.click(10, 20.5)",
        "page.mouse.move(1, 2)",
        'page.keyboard.press("Escape")',
        "page.mouse.wheel(0, -576)",
        'page.get_by_role("button", name="Go").scroll_into_view_if_needed()',
    ]


def test_what_playwright_cannot_say_is_a_comment() -> None:
    """A project's own tool, what was seen by eye, what a hand edit has spoilt."""
    lines = lines_of(
        call("read_mail", to="{user}", reason="the code"),
        call("say", text="nothing of ours"),
        call("click", "evaluate('1')"),
        call("fill", NAME),
        evidence=[check("visual", GO, what="it is green"), check("text", text="x")],
    )
    assert lines[:3] == [
        "# read_mail(to='{user}'): a tool of the project's own, not of Playwright",
        "# say(text='nothing of ours'): a tool of the project's own, not of Playwright",
        lines[2],
    ]
    assert lines[2].startswith("# click: it cannot be said: 'evaluate' is no method of locators")
    assert "# by eye, which plain Playwright cannot check: it is green" in lines
    assert lines[-1] == "# text: it cannot be said: its element was not recorded"
    assert all(line.startswith("#") for line in lines)


def test_answers_are_those_that_were_given(html: Show, run: Callable[..., None]) -> None:
    """A `holds` that was answered no has the evidence of that; alone it shows both."""
    page = html(PAGE)
    yes, no = check("text", STATUS, text="0 items"), check("text", STATUS, text="12 items")
    made = step(kind="holds", evidence=[yes], otherwise=[no])
    run(page, line(made), {"kind": "step_end", "step": 1, "status": "failed"})
    text = export(line(made), {"kind": "step_end", "step": 1, "status": "passed"})
    assert "0 items" in text and "12 items, " not in text
    lines = code_of(Made.model_validate(made))
    assert [each for each in lines if each.startswith("#")] == ["# holds: act", "# either", "# or"]


def test_what_was_read_or_selected_is_there(html: Show, run: Callable[..., None]) -> None:
    """Sources expect nothing of their own, and neither does what is selected."""
    page = html(PAGE)
    source = {"kind": "text", "target": target(STATUS)}
    value = {"source": 0, "take": "integer"}
    run(
        page,
        step(
            kind="extract",
            sources=[source, {"kind": "count", "target": target(ITEMS)}],
            value=value,
        ),
        step(kind="select", selected=target("get_by_role('link')")),
    )
    with pytest.raises(AssertionError):
        run(page, step(kind="select", selected=target("get_by_role('alert')")))


def test_what_is_gone_is_looked_for_last() -> None:
    """On the page before, it would be gone as well."""
    lines = lines_of(evidence=[check("absent", role="alert"), check("title", text="Done")])
    assert "to_have_title" in lines[0] and "to_have_count(0)" in lines[1]


def test_values_are_constants_and_secrets_are_not_there() -> None:
    """One constant for each value of a name; what has none is read from the environment."""
    fill = call("fill", NAME, text="{user}")
    text = export(
        *opened("/login/{other}"),
        line(
            step(fill, call("fill", NAME, text="{pass}"), sentence="as {user}"), data={"user": "A"}
        ),
        line(step(fill, sentence="as {user}"), 2, data={"user": "B"}),
        line(step(fill, sentence="as {user}"), 3, data={"user": "A"}),
    )
    assert 'USER = "A"\nTHE_PASS = os.environ["PASS"]\nUSER_2 = "B"\n' in text
    assert text.count(".fill(USER)") == 2 and text.count(".fill(USER_2)") == 1
    assert 'page.goto("/login/{other}")' in text


def test_only_what_is_used_is_imported() -> None:
    """And the test says what it is, and what it leaves out."""
    assert export(*opened("/")) == (
        "from playwright.sync_api import Page\n\n\n"
        "def test_it(page: Page) -> None:\n"
        '    """Its steps in a run of pytest-webtask, without what the test did between them.\n'
        '\n    tests/test_shop.py::test_it[chromium]\n    """\n'
        '    page.goto("/")\n'
    )


def _chain(random: random.Random, depth: int = 0) -> str:
    words = 'cart mug Espresso 2 items "hi" don\'t total checkout of all orders'.split()

    def text() -> str:
        return quoted(" ".join(random.choices(words, k=random.choice((1, 2, 3, 5, 8, 22)))))

    code = "page"
    for _ in range(random.randint(1, 4)):
        code += random.choice(
            [
                f'.get_by_role("row", name={text()}, exact=True)',
                '.get_by_role("listitem")',
                f".get_by_text({text()})",
                f".filter(has={_chain(random, depth + 1)})" if depth < 2 else ".first",
                ".nth(2)",
            ]
        )
    if depth:
        return code
    return random.choice(
        [
            f"{code}.click()",
            f"{code}.fill({text()})",
            f'{code}.click(position={{"x": 10, "y": 20}})',
            f"expect({code}).to_be_visible()",
            f"expect({code}).to_have_text([{', '.join(text() for _ in range(3))}], timeout=9_000)",
            f"expect({code}).to_contain_text(words({text()}), use_inner_text=True)",
        ]
    )


def test_it_is_formatted_as_ruff_does(tmp_path: Any) -> None:
    """Hundreds of lines of any length, and an exported file as a whole, are left as they are."""
    pytest.importorskip("ruff")
    chance = random.Random(5)
    lines = [each for _ in range(600) for each in formatted(_chain(chance))]
    (tmp_path / "lines.py").write_text("\n".join(["def test_it():", *lines, ""]))
    evidence = [evidence for evidence, _ in CHECKS]
    calls = [made for made, _ in CALLS.values()]
    text = export(
        *opened("/"),
        line(step(*calls, call("upload", NAME, resources=["a b"]), evidence=evidence), 2),
        line(
            step(call("switch_tab", tab="2"), call("reload")),
            1,
            webtask="the other shop",
            data={"user": "x" * 90},
        ),
        line(step(call("fill", NAME, text="{user} and " + "y" * 60)), 2, data={"user": "é\n\"'"}),
    )
    (tmp_path / "whole.py").write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "ruff", "format", "--isolated", "--line-length=100", "--diff"]
    done = subprocess.run([*command, tmp_path], capture_output=True, text=True)
    assert done.stdout == "" and done.returncode == 0, done.stderr
    command = [sys.executable, "-m", "ruff", "check", "--isolated", "--select=F,I,B,UP"]
    done = subprocess.run([*command, tmp_path / "whole.py"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_literals_say_what_they_were_made_of() -> None:
    """Quotes, braces, backslashes and control characters, in texts and in patterns."""
    USER = "Ann"
    for text in ("plain", 'say "hi"', 'it\'s "a"', "a\\b\n\t\0", "{x} {{y}}", "é ü 😀", ""):
        assert eval(quoted(text)) == text
        assert eval(template([text, ("USER",), text]), {"USER": USER}) == f"{text}{USER}{text}"
        assert eval(raw([text])) == text
        assert eval(raw([rf"\d{text}", ("USER",)]), {"USER": USER}) == rf"\d{text}{USER}"


EXPORTED_SHOP = """
<title>Shop</title><form action=/cart><label>Word <input name=word type=password></label>
<label>Name <input name=name></label><button>Log in</button></form>
"""


@pytest.mark.slow
def test_it_runs_with_pytest_playwright_alone(
    pytester: pytest.Pytester, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a relative address, a secret, another user's page; and it fails when the page is wrong."""
    site.pages["/"] = EXPORTED_SHOP
    site.pages["/cart"] = "<title>Cart</title><h1>2 items</h1><p>Hello Ann"
    login = step(
        call("fill", 'get_by_label("Name")', text="{user}"),
        call("fill", 'get_by_label("Word")', text="{word}"),
        call("click", 'get_by_role("button", name="Log in")', loads=True),
        sentence="log in as {user} with {word}",
        evidence=[check("url", pattern="/cart?word={word}&name={user}")],
    )
    items = step(
        kind="verify",
        sentence="the cart shows 2 items",
        evidence=[check("text", 'get_by_role("heading")', text="2 items")],
    )
    text = export(
        *opened("/"),
        line(login, 2, data={"user": "Ann"}),
        line(items, 3),
        *opened(f"{site.url}/cart", 1, webtask="seller"),
        line(items, 2, webtask="seller"),
    )
    assert "seller = new_context().new_page()" in text and "hunter" not in text
    pytester.makepyfile(test_exported=text)
    alone = ("-p", "no:webtask", "--base-url", site.url)
    pytester.runpytest(*alone).assert_outcomes(errors=1)
    monkeypatch.setenv("WORD", "hunter-two")
    pytester.runpytest(*alone).assert_outcomes(passed=1)
    site.pages["/cart"] = "<title>Cart</title><h1>12 items</h1><p>Hello Ann"
    result = pytester.runpytest(*alone)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(['*words("2 items")*'])
