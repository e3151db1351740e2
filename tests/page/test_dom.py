"""The one library for visible, role, name and text, on pages where the former answers differed."""

from typing import Any

import pytest
from playwright.sync_api import Error, Page

from pytest_webtask.page import dom
from tests.site import Site


def ask(page: Page, body: str, expression: str) -> Any:
    """Return what an expression over the library and the element `#x` evaluates to."""
    page.set_content(f"<!doctype html><title>Test page</title><body>{body}")
    script = f"() => {{ const dom = ({dom.library()})(document); const e = document.querySelector('#x'); return {expression}; }}"
    return page.evaluate(script)


SCROLLER = "<div style='height:50px;overflow-x:hidden;overflow-y:auto'><p style='height:500px'>Top"
TALL = "<p style='height:2000px'>Top"
VISIBLE = {
    "in a box that scrolls": (f"{SCROLLER}<p id=x>Saved</div>", True),
    "in a fixed box that scrolls":
        (f"<div style='position:fixed;top:0;height:100px;overflow:auto'>{TALL}<p id=x>Saved</div>", True),
    "left of a box that scrolls":
        ("<div style='overflow:auto;position:relative;height:50px'>"
         "<p id=x style='position:absolute;left:-999px'>Saved</div>", False),
    "in a scroller that is cut off":
        (f"<div style='height:20px;overflow:hidden'>{TALL}<div style='overflow:auto'><p id=x>Saved</div></div>", False),
    "filtered away": ("<div style='filter:opacity(0)'><p id=x>Saved</div>", False),
    "one pixel high": ("<hr id=x style='height:1px;border:0;background:red'>", True),
    "without a box of its own": ("<div id=x style='display:contents'><p>Saved</div>", True),
    "empty in a box that scrolls": ("<div style='overflow:auto'>Top<i id=x></i></div>", False),
}  # fmt: skip


@pytest.mark.parametrize("case", VISIBLE)
def test_visible_elements_are_drawn_now_or_after_scrolling(page: Page, case: str) -> None:
    """An element is visible if some of it is drawn, now or after scrolling."""
    body, expected = VISIBLE[case]
    assert ask(page, body, "dom.isVisible(e)") is expected


def test_transparent_control_is_rendered(page: Page) -> None:
    """A transparent control is rendered, and visible only where transparency is allowed."""
    body = "<input id=x type=checkbox style='opacity:0'>"
    expression = "[dom.isRendered(e), dom.isVisible(e), dom.isVisible(e, { transparent: true })]"
    assert ask(page, body, expression) == [True, False, True]


NAMES = {
    "<button id=x><img alt='Red shirt' src=''> Buy</button>": "Red shirt Buy",
    "<button id=x>Buy <span style='display:none'>now</span></button>": "Buy",
    "<button id=x><span aria-hidden=true>×</span></button>": "×",
    "<button id=x>One<br>Two</button>": "One Two",
    "<button id=x style='text-transform:uppercase'>Save</button>": "Save",
    "<a id=x href=/ ><i>\ue001</i> Home</a>": "Home",
    "<input id=x type=submit value=Send>": "Send",
    "<input id=x placeholder=Hint title=Email>": "Email",
    "<label>Size <select id=x><option>M<option>L</select></label>": "Size",
    "<label><input id=x type=radio><img alt=Blue src=''></label>": "Blue",
    "<table id=x><caption>Orders</caption><tr><td>Mug</table>": "Orders",
    "<p id=n>Na<b>me</b></p><div id=x role=group aria-labelledby=n>Text</div>": "Name",
    "<ul><li id=x>Mug <b>2</b></ul>": "Mug 2",
    "<ul><li id=x>Mug <details><summary>More</summary><p>Blue</details></ul>": "Mug More",
}


@pytest.mark.parametrize("body", NAMES)
def test_name_follows_the_specification(page: Page, body: str) -> None:
    """Names are those of get_by_role, without glyphs of icon fonts."""
    assert ask(page, body, "dom.nameOf(e)") == NAMES[body]


def test_name_without_content_ignores_text_and_placeholder(page: Page) -> None:
    """Neither the text in an element nor its placeholder is a name that its author gave."""
    given = "dom.nameOf(e, { content: false })"
    assert ask(page, "<a id=x href=/ title=Start>Home</a>", given) == "Start"
    assert ask(page, "<input id=x placeholder=Hint>", given) == ""


ROLES = {
    "<input id=x type=search>": "searchbox",
    "<input id=x list=l><datalist id=l></datalist>": "combobox",
    "<input id=x type=file>": "button", "<select id=x size=3></select>": "listbox",
    "<section id=x></section>": "",
    "<section id=x aria-label=Cart></section>": "region",
    "<article><header id=x></header></article>": "", "<header id=x></header>": "banner",
    "<table role=grid><tr><td id=x></table>": "gridcell",
    "<table><tr><th id=x>Mug<td>2</table>": "rowheader",
    "<table><tr><th id=x>Name<th>Price</table>": "columnheader",
    "<a id=x>No link</a>": "", "<div id=x role='tab button'></div>": "tab",
    "<div id=x role=' button'></div>": "button",
}  # fmt: skip


@pytest.mark.parametrize("body", ROLES)
def test_role_is_that_of_get_by_role(page: Page, body: str) -> None:
    """Roles are computed from tags and attributes as Playwright computes them."""
    role = ask(page, body, "dom.roleOf(e)")
    assert role == ROLES[body]
    if role:
        assert page.locator("#x").and_(page.get_by_role(role, include_hidden=True)).count() == 1


def test_text_leaves_out_styles_and_redacted_parts(page: Page) -> None:
    """The text of an element holds hidden parts, and a mark for each redacted one."""
    body = "<div id=x><style>b{}</style>Mug <b hidden>2</b> <i>secret</i></div>"
    redact = (
        "dom.redact({ redacted: { [dom.state.document]: [dom.numberOf(e.querySelector('i'))] } })"
    )
    assert ask(page, body, f"({redact}, dom.textOf(e))") == "Mug 2 [redacted]"


INDENTED = "<p id=x style='text-indent:100%;overflow:{};white-space:nowrap'>Saved"
DRAWN = {
    "plain": ("<p id=x>Saved", True),
    "colorless over its background":
        ("<p id=x style='color:transparent;background:red;background-clip:text'>Saved", True),
    "indented out of its box": (INDENTED.format("hidden"), False),
    "indented in a box that scrolls": (INDENTED.format("auto"), True),
    "instead of a canvas": ("<canvas id=x>Saved</canvas>", False),
    "of an option": ("<select size=2><option>A<option id=x>Saved</select>", True),
    "in a folded part of a component":
        ("<div id=x><template shadowrootmode=open><div style='height:0;overflow:hidden'>"
         "<slot></slot></div></template>Saved</div>", False),
}  # fmt: skip


def test_text_is_visible_where_it_is_drawn_in_ink(page: Page) -> None:
    """A text is visible if its own lines have a color and are within what its element shows."""
    seen = {}
    for case, (body, _) in DRAWN.items():
        page.goto("about:blank")
        parsed = f"document.body.setHTMLUnsafe({body!r})"
        seen[case] = ask(
            page, "", f"({parsed}, dom.isTextVisible(document.querySelector('#x').lastChild))"
        )
    assert seen == {case: expected for case, (_, expected) in DRAWN.items()}


HEADS = {
    "of a row header": ("<table><tr><th>Name<th>Price<tr><th id=x>Mug<td>4</table>", "Name"),
    "beside an empty corner": (
        "<table><tr><td><th>May<th>June<tr><th>Mug<td>4<td id=x>5</table>",
        "June",
    ),
    "over two levels": (
        "<table><tr><th rowspan=2>City<th colspan=2>2025<th colspan=2>2026"
        "<tr><th>May<th>June<th>May<th>June<tr><td>Rome<td>1<td>2<td>3<td id=x>4</table>",
        "2026", "June",
    ),
    "of a head": (
        "<table><tr><th id=x>Name<th>Price<tr><th>1<td>4<tfoot><tr><th>Name<th>Price</table>",
    ),
    "of rows with heads only": ("<table><tr><th>Mug<td>4<tr><th id=x>Pen<td>2</table>",),
    "around a table": (
        "<table><tr><td><table><tr><th>Name<tr><td>Mug</table><tr><td id=x>Sum</table>",
    ),
}  # fmt: skip


def test_column_head_is_over_the_cell(page: Page) -> None:
    """The header of a column is found above the cell, across spans, in the same table."""
    expression = "[dom.headsOf(e).map((h) => h.textContent), dom.columnOf(e)]"
    found = {case: ask(page, body, expression) for case, (body, *_) in HEADS.items()}
    assert found == {case: [heads, " ".join(heads)] for case, (_, *heads) in HEADS.items()}


def test_up_ignores_the_host_of_a_detached_link(page: Page) -> None:
    """The host of a link's address is not taken for an element around it."""
    assert ask(page, "<a id=x href=/next>Next</a>", "(e.remove(), dom.up(e))") is None


@pytest.mark.usefixtures("webtask_engine")
def test_engines_run_where_a_page_forbids_eval(page: Page, site: Site) -> None:
    """A content security policy of the page does not concern the engines, which run beside it."""
    policy = "default-src 'none'; require-trusted-types-for 'script'"
    site.pages["/"] = f'<meta http-equiv="content-security-policy" content="{policy}"><p>Hello'
    page.goto(site.url)
    [answer] = dom.ask(page, page.locator("p"), (), engine=dom.FACTS)
    assert answer["elements"][0]["facts"]["text"] == "Hello"
    with pytest.raises(Error, match=r"unsafe-eval|Trusted"):
        page.evaluate(
            "() => new Promise((done, fail) => setTimeout(() => { try { done(eval('1')) } catch (e) { fail(e) } }))"
        )
