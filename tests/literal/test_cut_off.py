"""Tests of claims that a text can be read in full, or is cut off."""

from collections.abc import Mapping

import pytest

from tests.literal.names import Outcome
from tests.scripted import Html

SHIRT = "Blue cotton shirt"
ELLIPSIS = "overflow:hidden; white-space:nowrap; text-overflow:ellipsis"
LONG = "Blue cotton shirt with long sleeves and a collar that is made of linen"

CUT: Mapping[str, str] = {
    "ellipsis": f'<p style="width:60px; {ELLIPSIS}">{SHIRT}</p>',
    "ellipsis around": f'<div style="width:60px; {ELLIPSIS}">Item: <b>{SHIRT}</b></div>',
    "clamp": f'<p style="width:60px; overflow:hidden; display:-webkit-box; -webkit-line-clamp:2;'
    f' -webkit-box-orient:vertical">{SHIRT}</p>',
    "hidden below": f'<p style="width:60px; height:30px; overflow:hidden">{SHIRT}</p>',
    "clip beside": f'<p style="width:60px; white-space:nowrap; overflow:clip">{SHIRT}</p>',
    "part of it": f'<p style="width:60px; {ELLIPSIS}"><b>Blue</b> <i>cotton</i> <u>shirt</u></p>',
    "ancestor": f'<div style="width:60px; overflow:hidden"><section><p style="width:200px">{SHIRT}</p></section></div>',
    "page": f'<style>body {{ overflow-x:hidden }}</style><p style="position:absolute; left:95vw; white-space:nowrap">{SHIRT}',
    "hidden end": '<p>Blue cotton <span style="position:absolute; clip:rect(0,0,0,0)">shirt</span></p>',
    "no ink": '<p>Blue cotton <span style="opacity:0">shirt</span></p>',
    "component": f'<div id=host></div><script>host.attachShadow({{mode: "open"}}).innerHTML ='
    f""" '<p style="width:60px; {ELLIPSIS}">{SHIRT}</p>'</script>""",
    "component within": """<p>Blue <span id=host></span></p><script>host.attachShadow({mode: "open"}).innerHTML =
    '<i style="display:inline-block; width:60px; overflow:hidden; white-space:nowrap">cotton shirt</i>'</script>""",
    "slot": f'<div id=host>{SHIRT}</div><script>host.attachShadow({{mode: "open"}}).innerHTML ='
    f""" '<div style="width:60px; {ELLIPSIS}"><slot></slot></div>'</script>""",
}
WHOLE: Mapping[str, str] = {
    "plain": f"<p>{SHIRT}</p>",
    "script within": f"<li>{SHIRT}<style>b {{}}</style><script>var n = 1</script></li>",
    "room enough": f'<p style="width:300px; {ELLIPSIS}">{SHIRT}</p>',
    "wrapped": f'<p style="width:60px">{SHIRT}</p>',
    "clamp": f'<p style="width:300px; overflow:hidden; display:-webkit-box; -webkit-line-clamp:2;'
    f' -webkit-box-orient:vertical">{SHIRT}</p>',
    "scrolls": f'<div style="width:60px; white-space:nowrap; overflow:auto">{SHIRT}</div>',
    "far below": f'<div style="height:3000px"></div><p>{SHIRT}</p>',
    "narrow line": f'<p style="line-height:1; height:1em; overflow:hidden">{SHIRT}</p>',
    "scaled": f'<div style="zoom:1.5; transform:scale(.8)"><p style="width:150px; overflow:hidden">{SHIRT}</p></div>',
    "other text": f'<p style="width:60px; {ELLIPSIS}">{LONG}</p><p>{SHIRT}</p>',
}


@pytest.mark.parametrize("kind", CUT)
def test_text_that_is_cut_off(html: Html, outcome: Outcome, kind: str) -> None:
    """What a box or an ancestor does not show to its end cannot be read in full."""
    html(CUT[kind])
    assert outcome(f'"{SHIRT}" can be read in full').startswith("failed")
    assert outcome(f'"{SHIRT}" cannot be read in full') == "passed"
    assert outcome(f'"{SHIRT}" is cut off') == "passed"


@pytest.mark.parametrize("kind", WHOLE)
def test_text_that_can_be_read(html: Html, outcome: Outcome, kind: str) -> None:
    """What fits, wraps or can be scrolled to can be read in full."""
    html(WHOLE[kind])
    assert outcome(f'"{SHIRT}" can be read in full') == "passed"
    assert outcome(f'"{SHIRT}" is not cut off') == "passed"
    assert outcome(f'"{SHIRT}" cannot be read in full').startswith("failed")


TABLE = f"""<table aria-label=Cart><tr><th>Item<th>Kind
<tr><td>Mug<td><p style="width:60px; {ELLIPSIS}">{SHIRT}</p><tr><td>Pen<td>{SHIRT}</table>
<button aria-label="{SHIRT} it">Blue</button><p hidden>Old shirt</p>"""


@pytest.mark.parametrize(
    ("claim", "begins"),
    [
        ('"{}" in the "Pen" row can be read in full', "passed"),
        ('"{}" in the "Mug" row of "Cart" is cut off', "passed"),
        ('"{}" in the "Mug" row can be read in full', "failed"),
        ('"{}" can be read in full', "undecided: 2 elements could be"),
        ('"{} it" can be read in full', "undecided"),
        ('"Blue cotton" can be read in full', "undecided"),
        ('"Old shirt" is cut off', "undecided"),
        ('"Red shirt" cannot be read in full', "undecided"),
    ],
)
def test_text_has_to_be_one(html: Html, outcome: Outcome, claim: str, begins: str) -> None:
    """The whole text of one visible element is judged; a label that nobody reads is none."""
    html(TABLE)
    assert outcome(claim.format(SHIRT)).startswith(begins)
