"""Visibility: a text that no user could read does not count, for any kind of check."""

import pytest

from tests.checks.desk import Desk

SR_ONLY = (
    "position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0,0,0,0);white-space:nowrap"
)
SHADOW = (
    "<script>document.querySelector('#host').attachShadow({mode:'open'}).innerHTML=`%s`</script>"
)

HIDDEN = {
    "hidden": "<p id=x hidden>Saved",
    "row": "<table><tr id=x style='visibility:collapse'><td>Saved</table>",
    "reader": f"<p id=x style='{SR_ONLY}'>Saved",
    "slid": "<p id=x style='position:fixed;right:0;transform:translateX(110%)'>Saved",
    "moved": "<p id=x style='transform:translateX(-5000px)'>Saved",
    "scaled": "<p id=x style='transform:scale(0)'>Saved",
    "tiny": "<p id=x style='font-size:0'>Saved",
    "zero": "<div id=x style='height:0;overflow:hidden'>Saved</div>",
    "slide": "<div style='overflow:hidden;width:100px'><div style='display:flex;width:200px'>"
    "<p style='width:100px'>One<p id=x style='width:100px'>Saved</div></div>",
    "dialog": "<dialog><p id=x>Saved</dialog>",
    "details": "<details><summary>More</summary><p id=x>Saved</details>",
    "skipped": "<div style='content-visibility:hidden'><p id=x>Saved</div>",
}

SHOWN = {
    "plain": "<p id=x>Saved", "faint": "<p id=x style='opacity:.4'>Saved",
    "below": "<div style='height:3000px'></div><p id=x>Saved",
    "aria": "<p id=x aria-hidden=true>Saved", "dialog": "<dialog open><p id=x>Saved</dialog>",
    "details": "<details open><summary>More</summary><p id=x>Saved</details>",
    "inert": "<div inert><p id=x>Saved</div>",
    "fixed": "<p id=x style='position:fixed;bottom:0'>Saved",
    "sticky": "<p id=x style='position:sticky;top:0'>Saved",
    "moved": "<p id=x style='transform:translateX(20px)'>Saved",
    "clip": "<div style='overflow:hidden'><p id=x>Saved</div>",
    "rtl": "<div dir=rtl><p id=x>Saved</div>",
    "menu": "<div style='height:0'><p id=x>Saved</div>",
}  # fmt: skip


def test_hidden_element_has_no_text_and_is_not_visible(desk: Desk) -> None:
    """A text that is hidden in one of the many ways fails `text` and `visible`."""
    desk.show_each(HIDDEN.values())
    for n, name in enumerate(HIDDEN):
        assert desk.text(f"#x{n}", "Saved") == f"? #x{n} cannot be seen: cite a visible element", (
            name
        )
        assert desk.state(f"#x{n}", "visible") == "no: not visible", name


@pytest.mark.parametrize("bodies", [HIDDEN, SHOWN], ids=["hidden", "shown"])
def test_text_and_button_are_absent_where_they_cannot_be_seen(
    desk: Desk, bodies: dict[str, str]
) -> None:
    """Absences and literal sentences mean by "hidden" what the state of an element does."""
    hides = bodies is HIDDEN
    sentence = f'the "Saved" button is {"hidden" if hides else "shown"}'
    for name, body in bodies.items():
        role = "<tr" not in body and "aria" not in body and "content-visibility" not in body
        desk.show(f"<h1>Cart</h1>{body.replace('id=x', 'id=x role=button') if role else body}")
        if role:
            assert desk.result("absent", role="button", name="Saved").holds is hides, name
            desk.webtask.verify(sentence)
        assert desk.result("absent", text="Saved").holds is hides, name
        if not hides:
            assert desk.text("#x", "Saved") == "holds", name
            assert desk.state("#x", "visible") == "holds", name


def test_field_that_is_drawn_by_others_is_not_absent(desk: Desk) -> None:
    """A transparent field in a visible part is there, one in a hidden part is not."""
    field = "<div><input role=combobox aria-label=Country style='opacity:0'><b>France</b></div>"
    desk.show(
        f"<h1>Cart</h1>{field}<div style='opacity:0'>{field.replace('Country', 'City')}</div>"
    )
    absent = [desk.result("absent", role="combobox", name=name) for name in ("Country", "City")]
    assert [each.holds for each in absent] == [False, True]
    over = "style='opacity:0;position:absolute;inset:0'"
    desk.show(
        f"<h1>Cart</h1><div style='position:relative'>Delete<button aria-label=Delete {over}></button>"
    )
    assert not desk.result("absent", role="button", name="Delete").holds
    desk.show(
        f"<div style='position:relative'><input id=x role=combobox {over}><b>France</b></div>"
    )
    assert desk.state("#x", "visible") == "holds"


HELD = {
    "script": "<div id=x>Done<script>var Saved=1</script></div>",
    "style": "<div id=x>Done<style>.Saved{}</style></div>",
    "noscript": "<div id=x>Done<noscript>Saved</noscript></div>",
    "template": "<div id=x>Done<template>Saved</template></div>",
    "option": "<div id=x>Done<select><option>A<option>Saved</select></div>",
    "comment": "<div id=x>Done<!-- Saved --></div>",
    "attributes": "<div id=x title=Saved data-a=Saved>Done<img alt=Saved></div>",
    "dialog": "<div id=x>Done<dialog>Saved</dialog></div>",
    "fallback": "<div id=x>Done<canvas>Saved</canvas></div>",
    "indented": "<div id=x>Done<p style='text-indent:-9999px'>Saved</p></div>",
    "transparent": "<p id=x>Done <span style='opacity:0'>Saved</span></p>",
    "overlaid": "<label id=x style='position:relative;background:#eee'>Done"
    "<input value=Saved style='position:absolute;inset:0;width:100%;height:100%;opacity:0'></label>",
}


def test_text_ignores_content_that_is_not_drawn(desk: Desk) -> None:
    """Hidden parts, scripts, other options, comments and attributes are not the text of an element."""
    desk.show_each(HELD.values())
    assert {desk.text(f"#x{n}", "Done") for n in range(len(HELD))} == {"holds"}
    outcomes = {name: desk.text(f"#x{n}", "Saved") for n, name in enumerate(HELD)}
    assert {
        name for name, outcome in outcomes.items() if not outcome.startswith("no: Done")
    } == set()
    assert outcomes["transparent"] == "no: Done"


THERE = {
    "capitals": "<p style='text-transform:uppercase'>Saved",
    "part": "<p>S<b>av</b>ed", "hyphen": "<p>Sav&shy;ed", "joined": "<p>Saved&#8203;",
    "before": "<style>p::before{content:'Saved'}</style><p>Done",
    "button": "<input type=submit value=Saved>",
    "chosen": "<select><option>A<option selected>Saved</select>",
    "several": "<select multiple><option>A<option>Saved</select>",
    "held": "<input value=Saved>", "area": "<textarea>Saved</textarea>",
    "hint": "<input placeholder=Saved>", "editor": "<div contenteditable>Saved</div>",
    "frame": "<iframe srcdoc='<p>Saved</p>'></iframe>",
    "framed": "<iframe srcdoc='<input value=Saved>'></iframe>",
    "shadow": "<div id=host></div>" + SHADOW % "<b>Saved</b>",
    "bare": "<div id=host></div>" + SHADOW % "Saved",
    "field": "<div id=host></div>" + SHADOW % "<input value=Saved>",
    "slot": "<div id=host><b>Saved</b></div>" + SHADOW % "<slot></slot>",
    "drawing": "<svg><text y=20>Saved</text></svg>",
    "opaque": "<button aria-hidden=true>Saved</button>",
}  # fmt: skip


def test_absent_finds_text_however_it_is_drawn(desk: Desk) -> None:
    """`absent` fails on every text that a user can read, however the page draws it."""
    for name, body in THERE.items():
        desk.show(f"<h1>Cart</h1>{body}")
        assert desk.absent("Saved").startswith("no"), name


def test_text_in_unseen_frame_is_not_shown(desk: Desk) -> None:
    """A text in a frame that no user can see does not count, even where the frame has a box."""
    desk.show("<h1>Cart</h1><iframe style='opacity:0' srcdoc='<p>Saved</p>'></iframe>")
    assert "cannot be seen" in desk.text("text:Saved", "Saved")


GONE = {
    "hidden": "<p hidden>Saved", "dialog": "<dialog>Saved</dialog>",
    "details": "<details><summary>More</summary>Saved</details>",
    "option": "<select><option>A<option>Saved</select>",
    "name": "<button aria-label=Saved>×</button>", "title": "<p title=Saved>Done",
    "alt": "<img alt=Saved width=10 height=10 src='data:image/gif;base64,R0lGODlhAQABAAAAACw='>",
    "secret": "<input type=password value=Saved>", "unseen": "<input type=hidden value=Saved>",
    "box": "<input type=checkbox value=Saved>",
    "frame": "<iframe style='display:none' srcdoc='<p>Saved</p>'></iframe>",
    "longer": "<p>Unsaved",
}  # fmt: skip


def test_absent_ignores_hidden_texts(desk: Desk) -> None:
    """`absent` holds if the text is only in hidden elements, or in attributes and the like."""
    desk.show_each(GONE.values())
    assert desk.absent("Saved") == "holds"


BROKEN = [
    "<p>Order<br>placed", "<div><div>Order</div><div>placed</div></div>", "<p>Order\n   placed",
    "<p>Order&nbsp;placed", "<p>Order <b>placed</b>",
    "<p><span style='display:block'>Order</span><span>placed</span>",
]  # fmt: skip


def test_text_matches_over_line_breaks(desk: Desk) -> None:
    """A text that is broken into lines is shown and is not absent."""
    for body in BROKEN:
        desk.show(f"<div id=x>{body}</div>")
        assert desk.text("#x", "Order placed") == "holds", body
        assert desk.text("#x", "Orderplaced").startswith("no"), body
        assert desk.absent("Order placed").startswith("no"), body


def test_word_in_a_family_with_a_font_of_symbols_is_a_text(desk: Desk) -> None:
    """Only what the first font of a family draws as a sign is an icon: system fonts name symbols, too."""
    desk.show(
        "<p>Left <b style='font: 20px monospace, \"Segoe UI Symbol\"; letter-spacing: -.1em'>42</b></p>"
    )
    assert desk.absent("42").startswith("no")
