"""The states of elements: which they are in, and which no such element can be in."""

import pytest
from playwright.sync_api import Page

from tests.checks.desk import Desk

NO = "no"
DOT = "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"
ASK = "?"
BOX = "<input id=x type=checkbox %s>"
MIXED = "<script>document.querySelector('#x').indeterminate = true</script>"

STATES: list[tuple[str, dict[str, str]]] = [
    # Whether it can be used.
    ("<button id=x>B</button>", {"enabled": "holds", "disabled": "no: enabled"}),
    ("<button id=x disabled>B</button>", {"enabled": "no: disabled", "disabled": "holds"}),
    ("<fieldset disabled><input id=x></fieldset>", {"enabled": NO, "disabled": "holds"}),
    ("<fieldset disabled><legend><button id=x>B</button></legend></fieldset>", {"enabled": "holds", "disabled": NO}),
    ("<button id=x aria-disabled=true>B</button>", {"enabled": NO, "disabled": "holds"}),
    ("<div role=toolbar aria-disabled=true><button id=x>B</button></div>", {"enabled": NO, "disabled": "holds"}),
    ("<div id=x role=button tabindex=0>B</div>", {"enabled": "holds", "disabled": NO}),
    ("<button id=x style='pointer-events:none'>B</button>", {"enabled": "no: not clickable", "disabled": NO}),
    ("<select id=x disabled><option>A</select>", {"enabled": NO, "disabled": "holds"}),
    ("<input id=x readonly>", {"enabled": "holds", "disabled": NO}),
    ("<div inert><button id=x>B</button></div>", {"enabled": "not holds"}),
    (
        "<p id=x>selected</p>",
        dict.fromkeys(["enabled", "disabled", "checked", "unchecked", "loaded", "selected", "required", "invalid"], ASK),
    ),
    ("<h1 id=x>P</h1>", {"enabled": ASK, "disabled": ASK, "expanded": ASK, "collapsed": ASK}),
    ("<a id=x>P</a>", {"enabled": ASK, "disabled": ASK}),
    ("<table><tr id=x><td>P</table>", {"enabled": ASK, "disabled": ASK}),
    # Parts without content, and pictures.
    ("<div id=x style='height:40px'></div>", {"empty": "holds"}),
    ("<div id=x style='height:40px'><p hidden>No hits</p><script>7</script></div>", {"empty": "holds"}),
    ("<table><tr><td id=x></table>", {"empty": "holds"}),
    ("<div id=x><p></p>7</div>", {"empty": NO}),
    ("<div id=x><svg></svg></div>", {"empty": NO}),
    ("<style>#x::before { content: '7' }</style><div id=x></div>", {"empty": NO}),
    (f"<div id=x style='height:40px;background:url({DOT})'></div>", {"empty": NO}),
    ("<div id=x></div><script>x.attachShadow({mode: 'open'}).innerHTML = '<b>7</b>'</script>", {"empty": NO}),
    ("<input id=x aria-label=A>", {"empty": ASK}),
    ("<img id=x width=50 height=50 alt=A src='data:,x'>", {"loaded": "no: not loaded"}),
    (f"<img id=x width=50 height=50 alt=A src='{DOT}'>", {"loaded": "holds"}),
    # Boxes.
    (BOX % "checked", {"checked": "holds", "unchecked": "no: checked"}),
    (BOX % "", {"checked": "no: not checked", "unchecked": "holds"}),
    (BOX % "" + MIXED, {"checked": "no: partly checked", "unchecked": "no: partly checked"}),
    ("<input id=x type=radio checked>", {"checked": "holds", "unchecked": NO}),
    ("<input id=x type=radio>", {"checked": NO, "unchecked": "holds"}),
    ("<b id=x role=checkbox aria-checked=mixed tabindex=0>C</b>", {"checked": NO, "unchecked": NO}),
    ("<b id=x role=checkbox aria-checked=true tabindex=0>C</b>", {"checked": "holds"}),
    ("<b id=x role=switch aria-checked=false tabindex=0>C</b>", {"unchecked": "holds"}),
    (
        "<style>#x{position:absolute;opacity:0}</style>"
        + BOX % "checked"
        + "<label for=x>G</label>",
        {"checked": "holds", "unchecked": NO},
    ),
    ("<style>#x{display:none}</style>" + BOX % "" + "<label for=x>G</label>", {"checked": NO, "unchecked": "holds"}),
    ("<label id=x><input type=checkbox checked> Gift</label>", {"unchecked": "not holds"}),
    ("<button id=x aria-pressed=true>C</button>", {"checked": "not holds", "unchecked": "not holds"}),
    # Options and tabs.
    ("<b role=option id=x aria-selected=true>O</b>", {"selected": "holds", "unchecked": "not holds"}),
    ("<b role=tab id=x aria-selected=true>O</b>", {"selected": "holds", "unchecked": "not holds"}),
    ("<b role=tab id=x aria-selected=false>O</b>", {"selected": "no: not selected"}),
    ("<b role=tab id=x>O</b>", {"selected": "not holds"}),
    ("<select size=3><option>A<option id=x selected>B</select>", {"selected": "holds", "unchecked": "not holds"}),
    ("<select size=3><option id=x>A<option selected>B</select>", {"selected": NO}),
    # What opens.
    ("<button id=x aria-expanded=true>B</button>", {"expanded": "holds", "collapsed": NO}),
    ("<button id=x aria-expanded=false>B</button>", {"expanded": NO, "collapsed": "holds"}),
    ("<button id=x>B</button>", {"expanded": ASK, "collapsed": ASK}),
    ("<details open><summary id=x>S</summary>t</details>", {"expanded": "holds", "collapsed": NO}),
    ("<details><summary id=x>S</summary>t</details>", {"expanded": NO, "collapsed": "holds"}),
    # Fields.
    ("<input id=x required>", {"required": "holds"}),
    ("<input id=x aria-required=true>", {"required": "holds"}),
    ("<select id=x required><option value=''>A</select>", {"required": "holds"}),
    ("<input id=x type=color aria-label=A>", {"required": NO}),
    ("<button id=x aria-pressed=mixed>B</button>", {"pressed": NO, "unpressed": NO}),
    ("<input id=x>", {"required": "no: not required", "invalid": "no: not invalid"}),
    ("<input id=x aria-invalid=true>", {"invalid": "holds"}),
    ("<input id=x aria-invalid=grammar>", {"invalid": "holds"}),
    ("<input id=x aria-invalid=false>", {"invalid": NO}),
    ("<input id=x aria-invalid=''>", {"invalid": NO}),
    ("<input id=x type=email value=foo>", {"invalid": NO}),
    ("<label id=x>Name <input required aria-invalid=true></label>", {"required": "?h", "invalid": "?h"}),
    # The focus.
    ("<input id=x autofocus><script>x.focus()</script>", {"focused": "holds"}),
    ("<input id=x><input id=y><script>y.focus()</script>", {"focused": "no: not focused"}),
]  # fmt: skip

TABS = "<style>a{color:gray} %s{color:red}</style><nav>%s</nav>"
LOOKS = "looks active"
DRAWN = ".active, .selected, .current, .on, [class*=active], [class*=--on]"
ACTIVE: list[tuple[str, str]] = [
    # What says it: a class, of the element or of the list item around it, beside others without it.
    (TABS % (DRAWN, "<a class=active id=x href=#a>A</a><a href=#b>B</a>"), "holds"),
    (TABS % (DRAWN, "<a class='t is-active' id=x href=#a>A</a><a class=t href=#b>B</a>"), "holds"),
    (TABS % (DRAWN, "<a class='t t--on' id=x href=#a>A</a><a class=t href=#b>B</a>"), "holds"),
    (TABS % (".tActive", "<a class='t tActive' id=x href=#a>A</a><a class=t href=#b>B</a>"), "holds"),
    (TABS % (".current a", "<ul><li class=current><a id=x href=#a>A</a><li><a href=#b>B</a></ul>"), "holds"),
    (
        "<style>i{color:gray} .on{color:red}</style>"
        "<div class=card>Mug <button id=x><i class='heart on'>♥</i></button></div>"
        "<div class=card>Cup <button><i class=heart>♥</i></button></div>",
        "holds",
    ),
    (
        "<style>p{color:gray} .active{border-bottom:2px solid}</style>"
        "<p>Cart</p><p class=active id=x>Address</p><p>Payment</p>",
        "holds",
    ),
    (
        "<style>.active::after{content:'';background:red}</style>"
        "<a class=active id=x href=#a>A</a><a href=#b>B</a>",
        "holds",
    ),
    (
        "<style>b{color:gray} .selected{color:red}</style><b aria-current=date>1</b>"
        "<b class=selected id=x>2</b><b>3</b>",
        "holds",
    ),
    # What does not: a class that each of them has, that is a part of another word, that denies it, that is
    # about another thing, or that is drawn as in the others.
    *(
        (TABS % ("#x", f"<a class='{own}' id=x href=#a>A</a><a class='{other}' href=#b>B</a>"), NO)
        for own, other in (
            ("active", "active"), ("button", ""), ("t inactive", "t"), ("t not-active", "t"),
            ("t t--not-active", "t"), ("in-active", "in-use"), ("inActive", "inProgress"),
            ("t unselected", "t"), ("t active-link", "t"), ("t hover:active", "t"),
            ("sign-on", "sign-off"), ("t text-current", "t"),
        )
    ),
    (TABS % (DRAWN, "<a class=active href=#a>A</a><a id=x href=#b>B</a>"), NO),
    (TABS % ("#x", "<a class='t active' href=#a>A</a><a class='t not-active' id=x href=#b>B</a>"), NO),
    (TABS % ("i", "<a class=active id=x href=#a>A</a><a href=#b>B</a>"), NO),
    (TABS % ("#x", "<a id=x href=#a>looks active</a><a title=active href=#b>B</a>"), NO),
    # A lone one, or one whose siblings are not visible, has nothing to differ from.
    (TABS % ("#x", "<a class=active id=x href=#a>A</a>"), NO),
    (TABS % ("#x", "<a class=active id=x href=#a>A</a><a hidden href=#b>B</a>"), NO),
    (
        "<style>.pane{display:none} .active{display:block}</style>"
        "<div class='pane active'><button id=x>Go</button></div><div class=pane><button>No</button></div>",
        NO,
    ),
    (
        "<style>.active{background:red}</style><section class=active><h2>Step</h2><button id=x>Go</button>"
        "</section><section><h2>Step</h2><button>No</button></section>",
        NO,
    ),
    # What the page says by ARIA is the state.
    (
        TABS % (DRAWN, "<a role=tab class=active aria-selected=false id=x href=#a>A</a>"
        "<a role=tab aria-selected=true href=#b>B</a>"),
        NO,
    ),
    (TABS % (DRAWN, "<a class=active id=x href=#a>A</a><a aria-current=page href=#b>B</a>"), NO),
]  # fmt: skip


def test_element_looks_active_by_class_and_look(desk: Desk) -> None:
    """Its author calls it so, not its like, and it is drawn in another way than they are."""
    for body, outcome in ACTIVE:
        desk.show(body)
        assert desk.state("#x", LOOKS).startswith(outcome), body
        fact = desk.result("state", element_id="#x", state="visible").fact
        assert fact and (LOOKS in fact.states) == (outcome == "holds"), body


def test_hovering_does_not_make_an_element_look_active(desk: Desk) -> None:
    """A look that only the mouse brings is no difference to the others."""
    style = "<style>a{color:gray} a:hover{color:red}</style>"
    page = desk.show(
        f"{style}<a class=active id=x href=#a>A</a><a id=y href=#b>B</a><a href=#c>C</a>"
    )
    page.hover("#y")
    assert desk.state("#x", LOOKS) == "no: not looks active"


BY_STYLE = (
    "<style>a{color:gray} a:hover, a:focus{color:red}</style>"
    "<nav><a href=#b>B</a><a class=active id=x href=#a>A</a><a href=#c>C</a></nav>"
)
BY_SCRIPT = """<style>a{color:gray; outline:none} .on{color:red}</style><nav><a href=#b>B</a>
<a id=x href=#a onmouseover="className = 'on'" onmouseout="className = ''"
onfocus="className = 'on'">A</a><a href=#c>C</a></nav>"""


def _open(desk: Desk, body: str) -> Page:
    """Show HTML in a new document, as an application would, with the mouse elsewhere."""
    desk.page.goto("about:blank")
    desk.page.mouse.move(300, 300)
    return desk.show(body)


@pytest.mark.parametrize("body", [BY_STYLE, BY_SCRIPT])
@pytest.mark.parametrize("how", ["hover", "focus"])
def test_pointed_element_looks_active_only_if_it_did_before(
    desk: Desk, body: str, how: str
) -> None:
    """A look that the mouse or the focus alone brings to the element itself is none."""
    page = _open(desk, body)
    desk.look()
    getattr(page, how)("#x")
    assert desk.state("#x", LOOKS) == "no: not looks active"
    assert LOOKS not in desk.look().outline


def test_pressed_element_looks_active_under_the_mouse(desk: Desk) -> None:
    """A press may make a tab active, on which the mouse and the focus then stay."""
    body = TABS % (".on", "<a id=x href=#a onclick='className = `on`'>A</a><a href=#b>B</a>")
    page = _open(desk, body)
    assert LOOKS not in desk.look().outline
    page.hover("#x")
    assert LOOKS not in desk.look().outline
    page.click("#x")
    assert desk.state("#x", LOOKS) == "holds" and LOOKS in desk.look().outline
    page.mouse.move(300, 300)
    page.hover("#x")
    assert desk.state("#x", LOOKS) == "holds"


def test_element_that_loads_under_the_mouse_may_look_active(desk: Desk) -> None:
    """The page that a click on its link has loaded has the mouse on the active link."""
    page = _open(desk, TABS % (DRAWN, "<a id=x href=#a>A</a><a href=#b>B</a>"))
    page.hover("#x")
    page.goto("about:blank")
    desk.show(TABS % (DRAWN, "<a class=active id=x href=#a>A</a><a href=#b>B</a>"))
    assert desk.state("#x", LOOKS) == "holds" and LOOKS in desk.look().outline


def test_state_holds_or_is_refused_for_its_element(desk: Desk) -> None:
    """Each state holds on elements that have it and is refused on elements that cannot."""
    for body, outcomes in STATES:
        desk.show(f"<h1>Cart</h1>{body}")
        for state, expected in outcomes.items():
            outcome = desk.state("#x", state)
            if expected == "not holds":
                held = outcome != "holds"
            elif expected == "?h":
                # Either of the field that it labels, or refused: never that it is not so.
                held = outcome == "holds" or outcome.startswith("?")
            else:
                held = outcome == expected or (
                    expected in (NO, ASK) and outcome.startswith(expected)
                )
            assert held, f"{state} of {body}: {outcome}"


def test_field_is_invalid_after_user_input(desk: Desk) -> None:
    """A field that the browser shows as invalid is invalid without any attribute."""
    desk.show("<input id=x type=email>")
    assert desk.state("#x", "invalid") == "no: not invalid"
    desk.page.fill("#x", "foo")
    desk.page.press("#x", "Tab")
    assert desk.state("#x", "invalid") == "holds"
    desk.page.fill("#x", "foo@example.org")
    desk.page.press("#x", "Tab")
    assert desk.state("#x", "invalid") == "no: not invalid"
