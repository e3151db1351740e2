"""What an observation shows of a page, and what it calls its elements."""

import io
import re
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageChops
from playwright.sync_api import Browser, BrowserContext

from pytest_webtask.data.masking import Redact
from pytest_webtask.data.values import Data
from pytest_webtask.page.observer import Observer
from pytest_webtask.run.webtask import Webtask
from pytest_webtask.types.agent import Observation
from tests.page.conftest import Eyes
from tests.pictures import brightness
from tests.scripted import Html, Scripted, done, on
from tests.site import Site


def ids(observation: Observation, role: str) -> dict[str, str]:
    """Names by id of the elements of one role."""
    return {i: e.name for i, e in observation.elements.items() if e.role == role}


CLIPPED = "<div style='height:0;overflow:hidden'>{}</div>"
SMALL = "position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0,0,0,0)"
OUTLINES = {
    # Parts of a control and elements around a single one have no id.
    "<button>Buy <b>now</b> for <i>5</i></button>": '[button-0 "Buy now for 5"]',
    "<a href=/><i class=icon></i><span>Tables</span></a>": '[link-0 "Tables"]',
    "<a href=/>Mug <strong>5</strong></a>": '[link-0 "Mug 5"]',
    "<ul><li><a href=/>One</a></ul>": '- [link-0 "One"]',
    "<img alt='' width=20 height=20>": "",
    "<p style='display: none'>no</p><p style='visibility: hidden'>no</p>": "",
    # Of elements that make up one control, the one that a user operates is listed.
    "<label>Size<select><option>S<option selected>M</select></label>": '[combobox-0 "Size" = "M" options: S, M]',
    "<a href=/x><button>Go home</button></a>": '[link-0 "Go home"] [button-0 "Go home"]',
    "<a href=/z>All <button>Docs</button></a>": '[link-0 "All Docs"] [button-0 "Docs"]',
    "<button role=switch aria-label=Air style='width:40px;height:20px'></button>"
    "<input type=checkbox aria-hidden=true tabindex=-1"
    " style='position:absolute;opacity:0;pointer-events:none'>":
        '[switch-0 "Air"] [checkbox-0 hidden]',
    "<div style='position:relative;display:inline-block' onclick=1><input type=checkbox"
    " role=switch aria-label=Wifi style='position:absolute;opacity:0;width:0;height:0'>"
    "<b style='cursor:pointer;display:block;width:40px;height:20px;background:green'></b>"
    "</div>":
        '[switch-0 "Wifi"]',
    "<label onclick=1><i><input type=checkbox></i><span>News</span></label>": '[checkbox-0 "News"]',
    # Blocks with a shared class or the same parts have ids, also inside wrappers.
    "<div class=card><div>Mug</div><div>$9</div><button>Add</button></div>"
    "<div class=card><div>Cup</div><div>$7</div><button>Add</button></div>":
        '- <item-0> <text-0> Mug · <text-1> $9 [button-0 "Add"]\n- <item-1> <text-2> Cup · <text-3> $7 [button-1 "Add"]',
    "<div><h3>A</h3><p>a</p></div><div><h3>B</h3><p>b</p></div>":
        "- <item-0> ### <heading-0> A\n <text-0> a\n- <item-1> ### <heading-1> B\n <text-1> b",
    "<div class=col><div class=body><h3>A</h3><p>a</p></div></div>"
    "<div class=col><img alt=''><div class=text><h3>B</h3><p>b</p></div></div>":
        "- <item-0> ### <heading-0> A\n <text-0> a\n- <item-1> ### <heading-1> B\n <text-1> b",
    "<div class=row><i>A</i> <i>1</i></div><div class=row><i>B</i> <i>2</i></div>":
        "- <item-0> <text-0> A · <text-1> 1\n- <item-1> <text-2> B · <text-3> 2",
    "<div class=task>Call Bob <span class=badge>late</span></div>"
    "<div class=task>Buy milk <span class=badge>done</span></div>":
        "- <item-0> Call Bob <text-0> late\n- <item-1> Buy milk <text-1> done",
    # Blocks that differ, that are alone, or that hold a single thing have none.
    "<div class=a><p>x</p><p>y</p></div><div class=b><h2>z</h2></div>":
        "<text-0> x\n<text-1> y\n## <heading-0> z",
    "<div class=a><p>x</p><p>y</p></div><div class=a style='display:none'>z</div>":
        "<text-0> x\n<text-1> y",
    "<div class=a><label for=q>Q</label><input id=q></div>"
    "<div class=a><label for=r>R</label><input id=r></div>":
        '[textbox-0 "Q"] [textbox-1 "R"]',
    "<div class=a><p>x</p></div><div class=a><p>y</p></div>": "<text-0> x\n<text-1> y",
    # Letters of a word, colored words of a sentence and code have no ids of their own.
    "<p><span>W</span><span>o</span>rd</p>": "<text-0> Word",
    "<p>Page <span class=a>1</span> of <span class=a>5</span></p>": "<text-0> Page 1 of 5",
    "<pre><span class=k>var</span> <span class=v>x</span></pre>": "<text-0> var x",
    "<p>a <span style='display:none' class=a>no</span> b</p>": "<text-0> a b",
    # A control says that it is hidden, and a text cannot be cited, unless a label or scrolling shows it.
    CLIPPED.format("<a href=/x>Orders</a><p>All of them</p>"): '[link-0 "Orders" hidden]\nAll of them',
    f"<h1 style='{SMALL}'>Menu</h1><p>Shown</p>": "# Menu\n<text-0> Shown",
    f"<a href=#m style='{SMALL}'>Skip</a>": '[link-0 "Skip" hidden]',
    f"<input style='{SMALL}' id=a aria-label=Day>": '[textbox-0 "Day" hidden]',
    f"<input type=checkbox id=c style='{SMALL}'><label for=c>News</label>": '[checkbox-0 "News"]',
    "<div style='height:30px;overflow:auto'><p>a<p>b<p>c</div>": "<text-0> a\n<text-1> b\n<text-2> c",
    # There is a space where the page has one, or where a reader sees the edge of a box.
    "<p>Growth <strong>3.5</strong>%, <em>W</em>ord": "<text-0> Growth **3.5**%, *W*ord",
    "<p>See <a href=#>this</a>, (<a href=#>that</a>).":
        '<text-0> See [link-0 "this"], ([link-1 "that"]).',
    "<code><b>[</b><em>12</em>, <strong>18</strong>]</code>": "<code-0> `[*12*, **18**]`",
    "<button><em>3.5</em>%</button>": '[button-0 "3.5%"]',
    "<p>It is <b role=strong>3.5</b><span>%</span>": "<text-0> It is **3.5**%",
    "<p>Now <strong>19</strong><sup>99</sup>": "<text-0> Now **19** 99",
    "<p>Now <strong>19</strong><em style='position:relative;top:-6px;font-size:75%'>99</em>":
        "<text-0> Now **19** *99*",
    "<p>One <strong>two</strong> <em>three</em>": "<text-0> One **two** *three*",
    "<p>Is <strong>on</strong><em style=margin-left:4px>12</em>": "<text-0> Is **on** *12*",
    "<p>Is<strong style=display:block>on</strong>": "<text-0> Is **on**",
    "<a href=#>A</a><a href=#>B</a>": '[link-0 "A"] [link-1 "B"]',
    # Texts of neighboring elements are separate; nested wrappers and the label of a field are left out.
    "<div><div>Total</div><div>$18.00</div><div>Cart</div></div>": "<text-0> Total · <text-1> $18.00 · <text-2> Cart",
    "<div><div><div><h2>Cart</h2><div><label for=q>Amount</label> <input id=q></div></div></div></div>":
        '## <heading-0> Cart\n[textbox-0 "Amount"]',
    # A value stays hidden although the snapshot places it elsewhere beside a placeholder.
    "<input type=password aria-label=Pin placeholder=digits value=1234>"
    "<input type=password aria-label=No placeholder=digits>":
        '[textbox-0 "Pin" filled] [textbox-1 "No" empty placeholder "digits"]',
    # The lines of a text or a name.
    "<p>x</p><div onclick=1>left<br>right</div>": '<text-0> x\n[element-0 "left / right"]',
    "<label>left<br>right <input></label>": '[textbox-0 "left right"]',
    "<button style=display:none>A</button><button style=visibility:hidden>B</button>"
    "<input type=hidden name=csrf value=token-123><button>C</button>": '[button-0 "C"]',
    # Short cells are joined to one line; text behind a text with an id is no part of it.
    "<table><tr><td><p><a href=/>Gift Box</a></p><p>$49.00</p><td>2<td>$98.00</tr></table>":
        '<table-0> table:\n | <row-0> <cell-0> [link-0 "Gift Box"] · <text-0> $49.00 | <cell-1> 2 | <cell-2> $98.00 |',
    "<table><tr><td><small class=up><i></i> 12%</small> 12,000 Sold<td>x</table>":
        "<table-0> table:\n | <row-0> <cell-0> <text-0> 12% · 12,000 Sold | <cell-1> x |",
    # A wrapper that holds repeated blocks and nothing else is layout.
    "<div class=col><div class=c><h3>A</h3><p>a</p></div><div class=c><h3>B</h3><p>b</p></div></div>"
    "<div class=col><div class=c><h3>C</h3><p>c</p></div><div class=c><h3>D</h3><p>d</p></div></div>":
        "\n".join(f"- <item-{n}> ### <heading-{n}> {c}\n <text-{n}> {c.lower()}" for n, c in enumerate("ABCD")),
    # Each draggable item has its own line, with its buttons; the items of a to-do list have ids.
    "<ul><li draggable=true>⠿ <span>Mug</span> <button>Up</button></li></ul>":
        '[drag-0 draggable] ⠿ <text-0> Mug [button-0 "Up"]',
    "<button>Here</button><p style=height:3000px></p><button>There</button>":
        '(scrolled to 0 of 3090 pixels, viewport 720)\n[button-0 "Here"] [button-1 "There" ↓]',
}  # fmt: skip
"""What outlines show of pages, as a whole."""
RED = "style='display:inline-block;width:9px;height:9px;background:red'"
ICON = "<svg width=16 height=16><path d='M0 0h9v9z'/></svg>"
SHOWN = {
    # Every kind of control has an id, and its name, value and state.
    "<input type=checkbox id=c style=display:none checked><label for=c>News</label>": '[checkbox-0 "News" checked]',
    "<a href=/cart>Cart</a>": '[link-0 "Cart"]',
    "<button>Save</button>": '[button-0 "Save"]',
    "<button disabled>Save</button>": '[button-0 "Save" disabled]',
    "<label>Email <input value=a@b required></label>": '[textbox-0 "Email" = "a@b" required]',
    "<input placeholder=Search type=search>": '[searchbox-0 "Search"]',
    "<label>Expires <input placeholder=MM/YY></label>": '[textbox-0 "Expires" placeholder "MM/YY"]',
    "<label>Expires <input placeholder=MM/YY value='01/30'></label>": '[textbox-0 "Expires" = "01/30"]',
    "<label>Age <input type=number placeholder=years required></label>":
        '[spinbutton-0 "Age" placeholder "years" required]',
    "<label><input type=checkbox checked>I agree</label>": '[checkbox-0 "I agree" checked]',
    "<label><input type=radio name=r>Express</label>": '[radio-0 "Express"]',
    "<button role=switch aria-checked=true>Wifi</button>": '[switch-0 "Wifi" checked]',
    "<button aria-expanded=false>Menu</button>": '[button-0 "Menu" collapsed]',
    "<button aria-expanded=true>Menu</button>": '[button-0 "Menu" expanded]',
    "<label>Name <input aria-invalid=true></label>": '[textbox-0 "Name" invalid]',
    "<label>Name <input readonly value=x></label>": '[textbox-0 "Name" = "x" readonly]',
    "<label>N <input type=number value=3></label>": '[spinbutton-0 "N" = "3"]',
    "<label>N <input type=range value=30></label>": '[slider-0 "N" = "30"]',
    "<label>Day <input type=date value=2026-11-21></label>":
        '[textbox-0 "Day" = "2026-11-21" type date]',
    "<label>CV <input type=file></label>": '[file-0 "CV"]',
    "<details><summary>More</summary>x</details>": '[summary-0 "More" collapsed]',
    "<details open><summary>More</summary>x</details>": '[summary-0 "More" expanded]',
    "<div contenteditable aria-label=Note>hi</div>": '[textbox-0 "Note" = "hi"]',
    "<b id=n>Note</b><div contenteditable role=textbox aria-labelledby=n>hi</div>":
        '[textbox-0 "Note" = "hi"]',
    "<input type=number aria-label=Count min=1 max=9 value=2>":
        '[spinbutton-0 "Count" = "2" from 1 to 9]',
    "<a href=/ aria-current=page>Home</a>": '[link-0 "Home" current]',
    "<p>a <strong>bold</strong> word</p>": "a **bold** word",
    "<canvas width=30 height=20 aria-label=Pad></canvas>": '[canvas-0 "Pad" 30x20 pixels from 8,8]',
    "<svg width=40 height=40><circle r=9 cx=20 cy=20 onclick=1></circle></svg>": "[shape-0 at 28,28]",
    "<input type=email aria-label=Mail>": '[textbox-0 "Mail" type email]',
    "<input aria-label=Code pattern='[A-Z]{3}\\d'>":
        '[textbox-0 "Code" pattern "[A-Z]{3}\\d"]',
    "<input aria-label=Code readonly pattern=x>": '[textbox-0 "Code" readonly]',
    "<div onclick=1>Card</div>": '[element-0 "Card"]',
    "<span tabindex=0 aria-label='May 5, 2026'>5</span>": '[element-0 "May 5, 2026"]',
    "<span tabindex=0 aria-label=Liked>5</span>": '[element-0 "Liked"]',
    "<div style=cursor:pointer>Card</div>": '[element-0 "Card"]',
    "<span tabindex=0>Tip</span>": '[element-0 "Tip"]',
    "<div draggable=true>Drag me</div>": '[drag-0 "Drag me" draggable]',
    "<a href=/p/1><img width=20 height=20></a>": "[link-0 to /p/1]",
    "<div role=tablist><button role=tab aria-selected=true>A</button></div>": '[tab-0 "A" selected]',
    "<button>\ue88a Dashboard</button>": '[button-0 "Dashboard"]',
    "<div contenteditable><p>first</p><p>second</p></div><p>x</p>": '[textbox-0 = "first ⏎ second" at ',
    # So has what is hidden behind another control, drawn outside of it, or not operated itself.
    "<label>Photo <input type=file style=display:none></label>": '[file-0 "Photo" hidden]',
    "<a href=/p><img alt=Mug style='position:absolute;width:50px;height:50px'></a>": '[link-0 "Mug"]',
    "<div role=switch tabindex=0 aria-checked=false style=pointer-events:none>Wifi</div>": '[switch-0 "Wifi"',
    # The value of several lines marks where they end, unless it is masked.
    "<textarea>one\n two\n\nthree</textarea>": '= "one ⏎ two ⏎ ⏎ three"',
    "<textarea>one two</textarea>": '= "one two"',
    "<div contenteditable><p>one<p>two <b>2</b></div>": '= "one ⏎ two 2"',
    "<div contenteditable role=textbox><div>a [1, 2]</div><div>b</div></div>": '= "a [1, 2] ⏎ b"',
    "<textarea>one\n hunter2-secret\n three</textarea>": '= "one {password} three"',
    # The title of what shows no text is that of an icon, and is shown once.
    f"<table><tr><td>A<td><i {RED} title=Done></i></table>": '| <cell-1> (icon "Done") |',
    f"<table><tr><td>A<td title=Done><i {RED}></i></table>": '| <cell-1> (icon "Done") |',
    "<table><tr><td>A<td><img width=9 height=9 title=Done></table>": '| <img-0> (image "Done") |',
    f"<ul><li><span {RED} title=Done></span></ul>": '- <listitem-0> (icon "Done")',
    f"<p>It is <span {RED} title=Done></span></p>": '<text-0> It is <text-1> (icon "Done")',
    "<table><tr><td>A<td title='All of it'>All</table>": "| <cell-1> All |",
    # An icon without a name has what its author calls it, or else its control, unless that is numbered.
    f"<button>{ICON}</button>": '[button-0 icon "no name"',
    f"<button id=open-menu>{ICON}</button>": '[button-0 icon "open menu"',
    f"<button id=radix-12>{ICON}</button>": '[button-0 icon "no name"',
    f"<button disabled style=pointer-events:none>{ICON}</button>": '[button-0 disabled icon "no name"',
    f"<button data-testid=edit-row id=b>{ICON}</button>": '[button-0 icon "edit row"',
    f"<button id=open-menu>{ICON.replace('<svg', '<svg data-testid=EditIcon class=x')}</button>":
        '[button-0 icon "EditIcon"',
    f"<button><form class=icon><input type=hidden name=id>{ICON}</form></button>": '[button-0 icon "icon"',
    # Lines are separated wherever the break is.
    "<p>Kiln Lane 12<br>10115 Berlin<br>Tuesday</p>": "Kiln Lane 12 / 10115 Berlin / Tuesday",
    "<p>Kiln <b>Lane</b> 12<br><br>10115 Berlin<br></p>": "Kiln Lane 12 / 10115 Berlin",
    "<p>a <span>one<br>two</span> b<br>c</p>": "<text-0> a <text-1> one / two · b / c",
    "<table><tr><td>A1<br>B2<td>C</table>": "| <row-0> <cell-0> A1 / B2 | <cell-1> C |",
    "<li>One<br><a href=/>two</a><br>three<br>four": "three / four",
    "<div>x<br>y</div>": "x / y",
    "<div>x<br>y<div>block</div>a<br>b</div>": "<text-0> x / y <text-1> block · a / b",
    "<iframe srcdoc='<p>in<br>side'></iframe>": "in / side",
    "<my-box></my-box><script>document.querySelector('my-box')"
    ".attachShadow({mode: 'open'}).innerHTML = 'sha<br>dow'</script>":
        "sha / dow",
    "<p>nothing<br></p>": "nothing",
    "<p>a<br><span style='display: none'>no</span>b</p>": "a / b",
}  # fmt: skip
"""Parts of outlines."""


PRESSED = {
    "<div onclick=1>Press here</div>": ["Press here"],
    # What a press, or the focus, of a container does is done at the controls inside of it.
    "<div onclick=1><button>Go</button></div>": ["Go"],
    "<div onclick=1><button>Go</button><button>Stop</button></div>": ["Go", "Stop"],
    "<div onclick=1 tabindex=0><a href=/x>Go</a><div><button>Stop</button></div></div>": ["Go", "Stop"],
    "<div onclick=1><p>Mug</p><p>$9</p><a href=/x>More</a></div>": ["Mug $9 More", "More"],
}  # fmt: skip
"""The names of the elements of pages."""


def test_outline_shows_controls_texts_and_their_ids(eyes: Eyes) -> None:
    """The outline of a page has its controls and texts, each with an id that leads to it."""
    assert {body: eyes.see_anew(body).outline for body in OUTLINES} == OUTLINES


def test_checkbox_drawn_by_its_label_has_its_box(eyes: Eyes) -> None:
    """A checkbox that is not rendered has the box of its label."""
    seen = eyes.see("<input type=checkbox id=c style=display:none><label for=c>News</label>")
    assert seen.elements["checkbox-0"].box is not None


def test_outline_shows_states_values_and_lines(eyes: Eyes) -> None:
    """Every kind of control is shown with name, value and state, and lines of texts as such."""
    outlines = {body: eyes.see_anew(body).outline for body in SHOWN}
    assert [
        (outlines[body], shown) for body, shown in SHOWN.items() if shown not in outlines[body]
    ] == []


class TestElements:
    def test_node_that_shows_another_item_has_another_id(self, eyes: Eyes) -> None:
        """A list that draws another item into the nodes of one gets new ids for it, but not for a changed item."""
        row = "<div class=row><b>{}</b> <i>open</i> <button>Delete</button></div>"
        before = eyes.see("".join(map(row.format, ("Task 1", "Task 2", "Task 3"))))
        eyes.page.evaluate("document.querySelectorAll('b')[1].textContent = 'Task 8'")
        after = eyes.see()
        assert {*ids(before, "button")} - {*ids(after, "button")} == {"button-1"}
        assert not {t for t, e in before.texts.items() if "Task 2" in e.name} & {*after.texts}
        eyes.page.evaluate("document.querySelectorAll('i')[1].textContent = 'closed'")
        assert {*ids(eyes.see(), "button")} == {*ids(after, "button")}

    def test_click_handler_makes_an_element_operable(self, eyes: Eyes) -> None:
        """What has a handler of clicks in its markup is shown without a role, a container of controls is not."""
        for body, names in PRESSED.items():
            seen = eyes.see_anew(f"{body}<p>Not here</p>")
            assert [e.name for e in seen.elements.values()] == names, body
            assert seen.outline.count("Mug") == ("Mug" in body), (
                "a card does not repeat its content"
            )

    def test_element_that_was_shown_before_it_was_hidden_is_not_shown(self, eyes: Eyes) -> None:
        """What a filter or a closed dialog has hidden is left out, as if it had never been shown."""
        seen = eyes.see("<ul><li><a href=#a>Ada</a><li id=gone><a href=#b>Bob</a></ul>")
        assert "Bob" in seen.outline
        eyes.page.evaluate("document.getElementById('gone').style.display = 'none'")
        assert "Bob" not in eyes.see().outline

    def test_frames_and_shadow_roots_are_shown(self, eyes: Eyes, site: Site) -> None:
        """Frames of any origin, nested frames and open shadow roots are shown."""
        site.pages["/inner"] = "<button>Deep</button>"
        site.pages["/frame"] = (
            f"<button>Framed</button><iframe src='{site.foreign_url}/inner'></iframe>"
        )
        site.pages[
            "/"
        ] = """<iframe src=/frame style="border:9px solid;margin:50px"></iframe><my-box></my-box>
            <script>document.querySelector('my-box').attachShadow({mode: 'open'})
            .innerHTML = '<button>Shadow</button>'</script>"""
        eyes.page.goto(site.url)
        seen = eyes.see()
        assert list(ids(seen, "button").values()) == ["Framed", "Deep", "Shadow"]
        framed = next(e for e in seen.elements.values() if e.name == "Framed")
        real = eyes.page.frames[1].get_by_role("button").first.bounding_box()
        assert real and framed.box
        assert abs(framed.box[0] - real["x"]) < 2 and abs(framed.box[1] - real["y"]) < 2


class TestIds:
    def test_id_leads_to_its_element(self, eyes: Eyes) -> None:
        """The locator of an id finds that very node, be it a control or a text."""
        seen = eyes.see(
            "<p>Same</p><h2>Top</h2><ul><li>Same<li>Same</ul><button>A</button><button>A"
        )
        place = "e => [...document.querySelectorAll('p, h2, li, button')].indexOf(e)"
        found = [*seen.texts, *seen.elements]
        places = [eyes.observer.known[each].locator.evaluate(place) for each in found]
        assert places == list(range(6))

    def test_id_lives_as_long_as_its_node(self, eyes: Eyes) -> None:
        """An id stays when its node is renamed or moved, and no other node, nor a reloaded page, gets it."""
        eyes.see("<p id=a>One</p><p id=b>Two</p><button id=c>A</button><button id=d>B</button>")
        eyes.page.evaluate("a.textContent = 'Uno'; c.textContent = 'C'; document.body.append(a, c)")
        assert eyes.see().outline == '<text-1> Two\n[button-1 "B"]\n<text-0> Uno\n[button-0 "C"]'
        eyes.page.evaluate("b.outerHTML = '<p>Two</p>'; d.outerHTML = '<button>B</button>'")
        assert eyes.see().outline == '<text-2> Two\n[button-2 "B"]\n<text-0> Uno\n[button-0 "C"]'
        assert eyes.see("<p>Uno</p><button>C").outline == '<text-3> Uno\n[button-3 "C"]'

    def test_observation_leaves_the_document_unchanged(self, eyes: Eyes) -> None:
        """An observation changes neither the document nor the window's properties."""
        eyes.page.set_content("<button>A</button><div onclick=1>B</div>")
        before = eyes.page.content()
        names = eyes.page.evaluate("Object.getOwnPropertyNames(window).length")
        eyes.see()
        assert eyes.page.content() == before
        assert eyes.page.evaluate("Object.getOwnPropertyNames(window).length") == names

    def test_document_is_another_only_after_a_load(self, eyes: Eyes, site: Site) -> None:
        """A new hash, query or route leaves the document and its ids as they are, a load does not."""
        site.pages |= {"/": "<button>Go</button>", "/two": "<button>Go</button>"}
        eyes.page.goto(site.url)
        start = eyes.see()
        for script in (
            "location.hash = 'part'",
            "history.replaceState({}, '', '?sort=price')",
            "history.pushState({}, '', '/route')",
        ):
            eyes.page.evaluate(script)
            seen = eyes.see()
            assert seen.url != start.url
            assert (seen.document, seen.outline) == (start.document, start.outline)
        documents = [start.document]
        for address in ("/two", "/two"):
            eyes.page.goto(f"{site.url}{address}")
            documents.append(eyes.see().document)
        assert len(set(documents)) == 3


def test_today_is_that_of_the_page(webtask_engine: None, browser: Browser, tmp_path: Path) -> None:
    """The date and the time zone are those that the test has set; a page that forges them has none."""
    with browser.new_context(timezone_id="Pacific/Auckland") as context:
        eyes = Eyes(context.new_page(), tmp_path)
        eyes.page.clock.set_fixed_time("2024-12-31T18:00:00Z")
        seen = eyes.see("<h1>Calendar</h1>")
        assert (seen.today, seen.time_zone) == (date(2025, 1, 1), "Pacific/Auckland")
        eyes.page.evaluate("void (Date = class { getFullYear() { return 'Today: never' } })")
        assert eyes.see().today is None


def texts(observation: Observation) -> dict[str, tuple[str, str]]:
    """Role and text by id of what can only be read."""
    return {i: (e.role, e.name) for i, e in observation.texts.items()}


TEXTS: dict[str, tuple[str, list[str]]] = {
    "<p>Hello</p>": ("<text-0> Hello", ["Hello"]),
    "Hello <b>you</b>": ("<text-0> Hello you", ["Hello you"]),
    "<h3>Orders</h3>": ("### <heading-0> Orders", ["Orders"]),
    "<p>a <strong>bold</strong> <em>word</em></p><p><strong>alone</strong></p>":
        ("<text-0> a **bold** *word*\n<text-1> **alone**", ["a bold word", "alone"]),
    "<ul><li>One<li>Two <i>b</i></ul>": ("- <listitem-0> One\n- <listitem-1> Two b", ["One", "Two b"]),
    "<ul><li><a href=/>One</a> left</ul>": ('- <listitem-0> [link-0 "One"] left', ["One left"]),
    "<table><caption>Cart</caption><tr><th>Name<th>Q<tr><td>Mug<td><b>2</b></table>":
        ('<table-0> table "Cart":\n <caption-0> Cart\n | <row-0> <columnheader-0> Name | <columnheader-1> Q |\n'
        " | <row-1> <cell-0> Mug | <cell-1> 2 |", ["Cart", "Cart", "Name Q", "Name", "Q", "Mug 2", "Mug", "2"]),
    "<img alt=Mug width=20 height=20>": ('<img-0> (image "Mug")', ["Mug"]),
    "<div role=alert>Not saved</div><div role=status>3 found</div>":
        ("<alert-0> alert: Not saved\n<status-0> status: 3 found", ["Not saved", "3 found"]),
    "<dialog open aria-label=Sure><p>Delete it?</p><button>Yes</button></dialog>":
        ('<dialog-0> dialog "Sure":\n <text-0> Delete it?\n [button-0 "Yes"]', ["Sure", "Delete it?"]),
    "<dl><dt>Total<dd>€5</dl>": ("<term-0> Total · <definition-0> €5", ["Total", "€5"]),
    "<iframe srcdoc='<p>In it'></iframe>": ("<iframe-0> iframe: <text-0> In it", ["In it", "In it"]),
    "<iframe title=Map srcdoc='<p>In it'></iframe>":
        ('<iframe-0> iframe "Map": <text-0> In it', ["Map", "In it"]),
    "<iframe title='Map of hunter2-secret' srcdoc=' '></iframe>":
        ('<iframe-0> iframe "Map of {password}"', ["Map of {password}"]),
    "<div role=status>Typed <input type=password value=1234></div>":
        ('<status-0> status: Typed [textbox-0 filled at 140,18]', ["Typed"]),
}  # fmt: skip
"""The outline of pages, and the names of their texts."""


SECRETS = [
    "<p>hunter2-secret</p>",
    "<h1>My hunter2-secret</h1>",
    "<table><tr><td>hunter2-secret<td><b>hunter2</b>-secret</table>",
    "<table><tr><td>hunter2-<td>secret</table>",
    "<ul><li>x hunter2-<i>sec</i>ret</ul>",
    "<div role=alert>Wrong: hunter2-secret</div>",
    "<div role=status aria-label=hunter2-secret>x</div>",
    "<img alt='of hunter2-secret' width=20 height=20>",
    "<dialog open aria-label=hunter2-secret>x</dialog>",
    "<p>hunter2<br>-secret</p>",
    "<p>mine<br>hunter2-secret</p>",
    "<p>hunter2-secret<br>end</p>",
    "<p>Key</p><label>A <input placeholder=hunter2-secret></label>",
    "<div>hunter2-<div>secret</div></div>",
    f"<p>{'a' * 190} hunter2-secret</p>",
    "<iframe srcdoc='<p>hunter2-secret'></iframe>",
    # A text is not split where one part would show half of a secret.
    "<p><span>hunter2-</span> <span class=x>secret</span></p><p>hunter2-secret</p>",
    "<a href=/>hunter2-secret <span class=badge>2</span></a><p>x</p>",
]


class TestReadable:
    """What can only be read has an id as well, so that a check can cite it."""

    def test_texts_have_an_id_role_and_text(self, eyes: Eyes) -> None:
        """The id is before the text, and `texts` holds its role and text."""
        for body, (outline, names) in TEXTS.items():
            seen = eyes.see_anew(body)
            assert seen.outline == outline
            assert [each.name for each in seen.texts.values()] == names, body
            assert all(i.startswith(f"{each.role}-") for i, each in seen.texts.items()), body

    def test_ids_of_texts_and_elements_are_disjoint(self, eyes: Eyes) -> None:
        """`texts` and `elements` share no id, whatever the roles are."""
        seen = eyes.see(
            "<table><tr tabindex=0 onclick=1><td>A</td><td><button>B</button></tr><tr><td>C</table>"
            "<ul><li onclick=1>One<li draggable=true>Two <a href=/>x</a><li>Three</ul>"
        )
        assert seen.elements and seen.texts
        assert not seen.elements.keys() & seen.texts.keys()

    @pytest.mark.own_page
    def test_texts_are_not_drawn_on_the_screenshot(self, eyes: Eyes) -> None:
        """Only elements have boxes on the screenshot."""
        eyes.page.set_viewport_size({"width": 300, "height": 200})
        seen = eyes.see("<style>* { font: 16px monospace }</style><h1>Hello</h1><p>Some text</p>")
        assert len(seen.texts) == 2 and not seen.elements
        assert seen.screenshot is not None
        plain = Observer(lambda: eyes.data, eyes._save).observe(eyes.page)
        assert plain.screenshot is not None
        assert seen.screenshot.read_bytes() == plain.screenshot.read_bytes()
        bare = Image.open(io.BytesIO(eyes.page.screenshot())).convert("RGB")
        drawn = ImageChops.difference(bare, Image.open(seen.screenshot).convert("RGB"))
        assert max(brightness(band)[1] for band in drawn.split()) < 60, (
            "no more than JPEG makes of it"
        )

    def test_secrets_in_texts_are_masked(self, eyes: Eyes) -> None:
        """Outline and `texts` mask a secret, even if elements split it."""
        for body in SECRETS:
            seen = eyes.see_anew(body)
            shown = repr(seen.texts) + seen.outline
            assert seen.texts and "{password}" in seen.outline, body
            assert not re.search("hunter2|-?secret(?!s)", shown), shown

    def test_redacted_texts_are_left_out(self, eyes: Eyes) -> None:
        """What is redacted is left out, also in names, parts, placeholders and beside line breaks."""
        eyes.data = Data({}, Redact([".x", re.compile(r"\bDE\d{4}\b")]))
        seen = eyes.see(
            "<table class=x><tr><td>Dana<td>Demo</table><h2>Account DE1234</h2>"
            "<ul><li>Of <b class=x>Dana</b></ul><p class=x>Dana Demo</p><div role=alert>DE1234</div>"
            "<p><span>Name</span> <span class=x>Dana</span></p><p>three<br>four</p>"
            "<p>Name<br><span class=x>Dana<br>Demo</span></p><p class=x>Dana<br>Demo</p>"
            "<p>one<br>DE1234<br>two</p><label>A <input class=x placeholder=Dana></label>"
            "<label>B <input placeholder=DE1234></label>"
        )
        assert len(seen.texts) >= 5
        assert not re.search("dana|demo|1234", repr(seen.texts) + seen.outline, re.IGNORECASE)
        assert "> Name [redacted]" in seen.outline and "three / four" in seen.outline
        assert '"B" placeholder "[redacted]"' in seen.outline


class TestRepeatedBlocks:
    """Blocks without a role that are built alike have an id beside those of their parts."""

    def test_item_leads_to_its_block(self, eyes: Eyes) -> None:
        """The locator of an item finds the repeated element with all its text."""
        seen = eyes.see("<div class=a><p>x</p><p>1</p></div><div class=a><p>y</p><p>2</p></div>")
        found = eyes.observer.known["item-1"].locator
        assert found.evaluate("e => e.className") == "a"
        assert found.inner_text().split() == ["y", "2"]
        assert texts(seen)["item-1"] == ("text", "y 2")

    def test_list_item_around_a_wrapper_has_the_id(self, eyes: Eyes) -> None:
        """The items of a to-do list have ids, and so have the texts in them."""
        item = "<li><div><input type=checkbox><label>{}</label><button>×</button></div></li>"
        seen = eyes.see(f"<ul>{item.format('Buy milk')}{item.format('Call Bob')}</ul>")
        assert re.sub(r" at \d+,\d+", "", seen.outline) == (
            '- <listitem-0> [checkbox-0] <text-0> Buy milk [button-0 "×"]\n'
            '- <listitem-1> [checkbox-1] <text-1> Call Bob [button-1 "×"]'
        )
        assert eyes.observer.known["text-1"].locator.inner_text() == "Call Bob"


class TestPartsOfTexts:
    """Inline elements with space between them can be cited, though the snapshot glues their texts."""

    @pytest.mark.parametrize(
        ("body", "outline"),
        [
            ("<a href=/c aria-label=Cart><span>2</span></a>", '[link-0 "Cart"] <text-0> 2'),
            ("<a href=/>Inbox <span class=badge>2</span></a>", '[link-0 "Inbox 2"] <text-0> 2'),
            ("<a href=/><span>Inbox</span> <span>2</span></a>", '[link-0 "Inbox 2"] <text-0> 2'),
            (
                "<a href=/><h4>Mug</h4><div><span>$9</span> <s>$12</s></div></a>",
                '[link-0 "Mug $9 $12"]\n #### Mug\n <text-0> $9 · <text-1> $12',
            ),
            (
                "<div><label><input type=checkbox> Buy milk</label> <span>due 3 Dec</span></div>",
                '[checkbox-0 "Buy milk"] <text-1> due 3 Dec',
            ),
            ("<div><div>Total</div><span>$5</span></div>", "<text-0> Total · <text-1> $5"),
            ("<p>Total <span id=sum>$5</span></p>", "<text-0> Total <text-1> $5"),
            ("<div><span>Mug</span> <span>$5</span></div>", "<text-0> <text-1> Mug · <text-2> $5"),
        ],
    )  # fmt: skip
    def test_text_that_stands_apart_has_an_id(self, eyes: Eyes, body: str, outline: str) -> None:
        """Badges in controls, spans beside blocks and a text beside a labeled box have ids."""
        seen = eyes.see(body)
        assert seen.outline == outline
        for element_id, element in seen.texts.items():
            shown = eyes.observer.known[element_id].locator.inner_text()
            assert "".join(shown.split()) in "".join(element.name.split())
        assert eyes.see().outline == outline

    def test_long_name_is_cut_where_its_texts_follow(self, eyes: Eyes) -> None:
        """A message that is one link is not shown twice in full."""
        seen = eyes.see(f"<a href=/><div>Sarah</div><div>{'word ' * 20}</div><div>9:42</div></a>")
        name, _, rest = seen.outline.partition("\n")
        assert name.startswith('[link-0 "Sarah word') and len(name) < 80
        assert "<text-0> word" in rest and "<text-1> 9:42" in rest


class TestOutline:
    def test_rows_that_are_not_rendered_are_counted(self, eyes: Eyes) -> None:
        """A grid says how many of its rows are there, unless all are or their number is unknown."""
        grid = "<div role=grid aria-rowcount={}><div role=row><b role=gridcell>1</b></div></div>"
        assert "grid (1 of 20 rows are shown):" in eyes.see(grid.format(20)).outline
        for count in (1, -1, "x"):
            assert "rows are shown" not in eyes.see(grid.format(count)).outline

    def test_nameless_elements_are_folded(self, eyes: Eyes) -> None:
        """A few nameless squares are shown by their places, a long run of them is kept as a part."""
        square = "<button style='width:9px;height:9px'></button>"
        few = eyes.see(f"<div>{square * 20}</div>").outline
        assert re.search(r"\[button-0 at \d+,\d+\].*\[button-19 at \d+,\d+\]", few, re.S)
        seen = eyes.see(f"<div>{square * 21}</div>")
        assert "(21 elements that have no name or cannot be seen: part-1)" in seen.outline
        assert "[button-40 at " in (eyes.observer.part("part-1") or "")
        assert len(seen.elements) == 21

    def test_long_text_is_cut_and_kept_as_a_part(self, eyes: Eyes) -> None:
        """A text that is cut names the part that holds all of it."""
        text = " ".join(f"word{i}" for i in range(200))
        seen = eyes.see(f"<p>{text}</p>")
        assert "word199" not in seen.outline
        assert eyes.observer.part("part-1") == text

    def test_long_page_is_capped_around_the_viewport(self, eyes: Eyes) -> None:
        """Lines far from the viewport are cut first, summarized, and kept as a part."""
        rows = "".join(f"<p>Row {i} <button>Open {i}</button></p>" for i in range(900))
        seen = eyes.see(f"<h2>Top</h2>{rows}<h2>The end</h2>", cap=8_000)
        assert len(seen.outline) <= 8_000
        assert '"Open 0"' in seen.outline and '"Open 899"' not in seen.outline
        assert "more lines: " in seen.outline and "× button" in seen.outline
        assert "headings: <heading-1> The end" in seen.outline
        part = eyes.observer.part("part-1")
        assert part and '"Open 899"' in part
        eyes.page.mouse.wheel(0, 100_000)
        eyes.page.wait_for_function("scrollY > 10000")
        assert '"Open 899"' in eyes.see(cap=8_000).outline

    def test_very_deep_page_is_read(self, eyes: Eyes) -> None:
        """Nesting deeper than Python's stack is no error."""
        seen = eyes.see("<div role=group aria-label=g>" * 400 + "<button>Deep</button>")
        assert list(ids(seen, "button").values()) == ["Deep"]


class TestUnseen:
    """What a user cannot see is marked, has no id, or is left out."""

    def test_long_runs_of_hidden_elements_are_folded(self, eyes: Eyes) -> None:
        """The markers outside of a map are counted and kept as a part; all of them have an id."""
        markers = "".join(
            f"<button style='position:absolute;left:{40 * i}px'>Shop {i}</button>"
            for i in range(30)
        )
        seen = eyes.see(
            f"<div style='position:relative;width:200px;height:50px;overflow:hidden'>{markers}</div>"
        )
        assert '"Shop 0"' in seen.outline and '"Shop 20"' not in seen.outline
        assert "(25 elements that have no name or cannot be seen: part-1)" in seen.outline
        assert len(seen.elements) == 30
        assert '[button-29 "Shop 29" hidden]' in (eyes.observer.part("part-1") or "")

    SHEET = "position:fixed;inset:0;z-index:5;background:#0008"

    @pytest.mark.parametrize(
        "dialog",
        [
            "<dialog id=d aria-label=Sure><p>Delete?</p><button>Yes</button></dialog>"
            "<script>d.showModal()</script>",
            f"<div style='{SHEET}'><div role=dialog aria-modal=true aria-label=Sure "
            "style='background:white'><p>Delete?</p><button>Yes</button></div></div>",
        ],
    )
    def test_page_behind_a_dialog_is_one_line(self, eyes: Eyes, dialog: str) -> None:
        """The page behind a modal dialog is counted and kept as a part; messages remain."""
        page = (
            "<main><h1>Cart</h1><p>2 mugs</p><button>Pay</button><a href=/>Home</a></main>"
            "<div role=status>Saved</div>"
        )
        seen = eyes.see(page + dialog)
        assert "Delete?" in seen.outline and '"Yes"' in seen.outline and "Saved" in seen.outline
        assert "Cart" not in seen.outline and "Pay" not in seen.outline
        assert "(behind the dialog: 2 elements, out of reach: part-1)" in seen.outline
        part = eyes.observer.part("part-1") or ""
        assert "<heading-0> Cart" in part and '[button-0 "Pay"' in part
        assert {"Pay", "Home", "Yes"} == {e.name for e in seen.elements.values()}
        shut = dialog.replace("d.showModal()", "").replace("aria-modal=true", "hidden")
        assert "behind the dialog" not in eyes.see(page + shut).outline

    def test_calendar_over_a_dialog_is_in_front(self, eyes: Eyes) -> None:
        """What a dialog opens in another part of the document can be used like the dialog."""
        seen = eyes.see(
            f"<main><button>Pay</button></main><div style='{self.SHEET}'><div role=dialog aria-modal=true>"
            "<input aria-label=Day></div></div><div style='position:fixed;z-index:9;top:60px'>"
            "<button>5</button></div>"
        )
        assert '"5"' in seen.outline and '"Pay"' not in seen.outline


class TestGone:
    def test_page_that_navigates_meanwhile_is_observed_anew(self, eyes: Eyes, site: Site) -> None:
        """A navigation during an observation is no error, and the new page is observed."""
        site.pages["/"] = (
            "<script>setTimeout(() => location = '/next', 5)</script><button>Old</button>"
        )
        site.pages["/next"] = "<button>New</button>"
        eyes.page.goto(site.url, wait_until="commit")
        assert eyes.see().elements


@pytest.mark.own_page
def test_webtasks_of_a_page_share_its_debugger_sessions(
    webtask_for: Callable[..., Webtask],
    html: Html,
    model: Scripted,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A later webtask of the same page opens none: each is sent what happens on the page, to its end."""
    opened: list[object] = []
    open_session = BrowserContext.new_cdp_session

    def note(context: BrowserContext, where: Any) -> Any:
        opened.append(where)
        return open_session(context, where)

    monkeypatch.setattr(BrowserContext, "new_cdp_session", note)
    page = html("<button onclick='this.textContent += 1'>Save</button>")
    sessions = []
    for name in ("Save", "Save1"):
        model.answers = [on("click", "button", name), done()]
        webtask_for(page).do("save")
        sessions.append(len(opened))
    assert sessions[0] == sessions[1] > 0
