"""Calls and evidence that name their elements by role and name, on pages that the model has not seen."""

from __future__ import annotations

import re
from typing import Any

import pytest

from pytest_webtask import Secret, TaskFailed, Webtask
from pytest_webtask.llm.prompts import input_schema
from pytest_webtask.testing import find, shows
from pytest_webtask.types.agent import ToolCall
from pytest_webtask.types.model import ModelTraits
from tests.scripted import Scripted, call, described, done, on
from tests.site import Site

pytestmark = pytest.mark.long

SHOP = "<title>Shop</title><h1>Mugs</h1><a href=/basket>View basket</a>"
BASKET = """<title>Basket</title><h1>Basket</h1>
<table><tr><th>Item<th>Do<tr><td>Mug<td><button onclick="out.textContent='mug removed'">Remove</button>
<tr><td>Cup<td><button onclick="out.textContent='cup removed'">Remove</button></table>
<label>Note <input id=note></label> <label><input type=checkbox> Gift</label>
<button onclick="out.textContent='deleted'">Delete account</button>
<button hidden>Hidden</button><button>\ue145 Add</button><button disabled>Pay</button><p id=out role=status></p>
<table><tr><th>Title<td><input id=title><tr><th>Kind<td><select id=kind><option>a<option>b</select>
<tr><th>Twice<td><input><tr><th>Twice<td><input><tr><th>Note<td><input></table>
<iframe title=Foreign src="{foreign}"></iframe>"""

VAIN = 3.0
"""Seconds in which an element is awaited that does not come."""


def named(role: str, name: str, within: str = "") -> dict[str, str]:
    """An element as a call names it."""
    return {"role": role, "name": name, **({"within": within} if within else {})}


def following(webtask: Webtask, model: Scripted, site: Site, link: str) -> Any:
    """Follows a link with further calls in the same answer, and returns these."""
    model.traits = ModelTraits()

    def follow(*calls: Any, **options: Any) -> list[ToolCall]:
        webtask.goto(site.url)
        click = call("click", find("link", link))
        model.answers = [[click, *calls], call("abort", reason="enough")]
        with pytest.raises(TaskFailed) as failed:
            webtask.do("act", **options)
        return [*failed.value.result.session.iterations[0].calls[1:]]

    return follow


@pytest.fixture
def run(webtask: Webtask, model: Scripted, site: Site) -> Any:
    """Follow the link to the basket with further calls in the same answer; return these."""
    site.pages |= {"/": SHOP, "/basket": BASKET.replace("{foreign}", "about:blank")}
    return following(webtask, model, site, "View basket")


def test_named_calls_follow_the_load_of_a_page(webtask: Webtask, run: Any) -> None:
    """A known flow is one answer; the calls act, and are recorded, as those with ids."""
    calls = run(
        call("fill", element_id=named("textbox", "Note"), text="for {who}"),
        call("check", element_id=named("checkbox", "Gift")),
        call("click", element_id=named("button", "Remove", within="Cup")),
        # The outline leaves out the glyph of its icon.
        call("click", element_id=named("button", "Add")),
        data={"who": "Ann"},
    )
    assert [each.error for each in calls] == [None, None, None, None]
    page = webtask.page
    assert page.locator("#note").input_value() == "for Ann"
    assert page.get_by_role("checkbox").is_checked()
    assert page.locator("#out").text_content() == "cup removed"
    target = calls[2].target
    assert target is not None and target.pinned.item is not None
    assert (target.pinned.name, target.pinned.item.name) == ("Remove", "Cup")


@pytest.mark.webtask(timeout=VAIN)
@pytest.mark.parametrize(
    ("element", "error"),
    [
        # Several are named like it: the candidates are listed.
        (named("button", "Remove"), 'no element, or more than one, is button "Remove"'),
        # A longer name is another element.
        (named("button", "Delete"), 'no element, or more than one, is button "Delete"'),
        (named("button", "Hidden"), "no element, or more than one"),
        (named("link", "Remove", within="Cup"), "no element, or more than one"),
        (named("gizmo", "Remove"), 'no element, or more than one, is gizmo "Remove"'),
        ({"name": "Remove"}, "an object with role, name and perhaps within"),
        (named("button", "{code}"), "cannot contain a secret"),
    ],
)
def test_name_that_does_not_mean_one_element_fails(
    webtask: Webtask, run: Any, element: Any, error: str
) -> None:
    """Nothing is done then, and no call after it."""
    first, second = run(
        call("click", element_id=element),
        call("fill", element_id=named("textbox", "Note"), text="x"),
        data={"code": Secret("Remove-7")},
        timeout=30,
    )
    assert error in (first.error or ""), first.error
    assert second.error == "click failed"
    assert webtask.page.locator("#out").text_content() == ""


def test_calls_with_an_id_do_not_follow_a_load(run: Any) -> None:
    """An id beside a name is one of the page before, and keys go to what has the focus."""
    calls = run(call("drag", element_id=named("button", "Pay"), to_element_id="link-0"))
    assert "loaded a page" in (calls[0].error or "")
    calls = run(call("press", key="Enter"))
    assert "loaded a page" in (calls[0].error or "")


def test_named_element_in_a_frame_is_one_of_its_origin(run: Any, site: Site) -> None:
    """The same guards hold as for an id: a frame of another origin is not acted upon."""
    with_button = "<button>Confirm payment</button>"
    site.pages |= {
        "/frame": with_button,
        "/basket": BASKET.replace("{foreign}", site.foreign_url + "/frame"),
    }
    [first] = run(call("click", element_id=named("button", "Confirm payment")))
    assert "not an allowed origin" in (first.error or ""), first.error
    site.pages["/basket"] = BASKET.replace("{foreign}", "/frame")
    [first] = run(call("click", element_id=named("button", "Confirm payment")))
    assert first.success, first.error


MORE = (
    """setTimeout(() => document.body.insertAdjacentHTML('beforeend', '<button>Go</button>'), %d)"""
)
CLICKED = "onclick=\"out.textContent = 'went'\""
GOES = f"<button {CLICKED}>Go</button>"
NONE = "no element, or more than one"
ATTACKS = {
    # What comes while the page settles counts, and so does a second one.
    "late": (
        f"<script>setTimeout(() => late.outerHTML = `{GOES}`, 300)</script><i id=late></i>",
        "",
    ),
    "late twin": (f"{GOES}<script>{MORE % 60}</script>", NONE),
    "exchanged": (
        f"<button id=go {CLICKED}>Go</button><script>go.onpointerdown = go.onmouseover = () => "
        "go.outerHTML = `<button onclick=\"out.textContent = 'sold'\">Sell</button>`</script>",
        "",
    ),
    "behind a dialog": (
        f"{GOES}<dialog id=d><p>Sure?</dialog><script>d.showModal()</script>",
        "the element is covered",
    ),
    "inert": (f"<div inert>{GOES}</div>", "not done within"),
    "transparent": (f"<button style='opacity:0' {CLICKED}>Go</button>", NONE),
    "folded": (f"<details><summary>More</summary>{GOES}</details>", NONE),
    "covered": (f"{GOES}<div style='position:fixed;inset:0;z-index:9'></div>", "out.textContent"),
    "twin in a frame": (f"{GOES}<iframe srcdoc='<button>Go</button>'></iframe>", NONE),
    "spaces": (f"<button {CLICKED}>\n &nbsp;Go </button>", ""),
    "case": (f"<button {CLICKED}>GO</button>", ""),
    "both cases": (f"<button onclick=\"out.textContent = 'no'\">GO</button>{GOES}", ""),
    "longer": (f"<button {CLICKED}>Go away</button>", NONE),
    "no such role": (f"<a href=# {CLICKED}>Go</a>", NONE),
    "label only": (f"<label {CLICKED}>Go <input type=checkbox></label>", NONE),
}


@pytest.mark.webtask(timeout=VAIN)
@pytest.mark.parametrize(
    "attack",
    [pytest.param(name, marks=pytest.mark.real_time if "late" in name else ()) for name in ATTACKS],
)
def test_name_means_exactly_one_usable_element(
    webtask: Webtask, run: Any, site: Site, attack: str
) -> None:
    """Whatever the page does in the meantime, the element of that name is acted upon, or none is."""
    body, error = ATTACKS[attack]
    site.pages["/basket"] = f"<title>B</title><p id=out role=status></p>{body}"
    [first] = run(call("click", element_id=named("button", "Go")), timeout=20)
    shown = webtask.page.locator("#out").text_content()
    if attack == "exchanged":
        assert shown != "sold", first.error
    elif error:
        assert not first.success and shown == "", first.error
        assert error in (first.error or "") or attack == "covered", first.error
    else:
        assert first.success and shown == "went", first.error


@pytest.mark.long
@pytest.mark.real_time
def test_named_element_is_never_one_of_the_page_before(
    webtask: Webtask, run: Any, site: Site
) -> None:
    """A slow page is awaited, though the page that asked for it has an element of that name."""
    site.pages["/"] = SHOP + f"<p id=out role=status></p><button {CLICKED}>Go</button>"
    site.pages["/basket"] = (
        f"<title>B</title><p id=out role=status>B: </p><button {CLICKED}>Go</button>"
    )
    site.delays["/basket"] = 4.0
    [first] = run(call("click", element_id=named("button", "Go")))
    assert first.success, first.error
    assert webtask.page.url.endswith("/basket")
    assert webtask.page.locator("#out").text_content() == "went"


FIELDS = """<title>B</title><label>Password <input id=f {}></label><p role=status id=out></p>"""


@pytest.mark.parametrize(
    ("field", "filled"), [("type=password", True), ("", False), ("type=search", False)]
)
def test_secret_is_typed_into_an_unseen_field_for_passwords_alone(
    webtask: Webtask, run: Any, site: Site, field: str, filled: bool
) -> None:
    """A model cannot know whether a field of that name would show it, or search for it."""
    site.pages["/basket"] = FIELDS.format(field)
    [first] = run(
        call("fill", element_id=named("textbox", "Password"), text="{code}"),
        data={"code": Secret("Remove-7")},
        timeout=20,
    )
    assert first.success == filled, first.error
    assert webtask.page.locator("#f").input_value() == ("Remove-7" if filled else "")
    refused = "only into a password field or one that the outline has shown you"
    assert filled or refused in (first.error or "")


def test_secret_is_typed_into_a_field_that_was_seen(
    webtask: Webtask, model: Scripted, site: Site
) -> None:
    """A name instead of the id of a field on the page as the model sees it needs no other turn."""
    model.traits = ModelTraits()
    site.pages["/"] = FIELDS.format("")
    webtask.goto(site.url)
    fill = call("fill", element_id=named("textbox", "Password"), text="{code}")
    model.answers = [
        lambda turn: fill if "Password" in turn.observation.outline else done(),
        call("abort", reason="enough"),
    ]
    with pytest.raises(TaskFailed):
        webtask.do("act", data={"code": Secret("Remove-7")})
    assert webtask.page.locator("#f").input_value() == "Remove-7"


def test_schema_offers_a_name_in_place_of_an_id(webtask: Webtask, model: Scripted) -> None:
    """A model learns of both forms."""
    webtask.page.set_content("<p>Hello")
    model.answers = [call("mark_done", summary="seen")]
    webtask.do("look")
    [click] = [tool for tool in model.turns[0].tools if tool.name == "click"]
    shapes = input_schema(click)["properties"]["element_id"]["anyOf"]
    assert [each["type"] for each in shapes] == ["string", "object"]


SAVED = """<title>Saved</title><h1>Saved notes</h1><p role=status>Note saved</p>
<table><tr><th>Item<th>Count<tr><td>Mug<td>2<tr><td>Cup<td>2</table>
<p>Thanks</p><ul><li>One</li><li>Two</li></ul>
<label>Note <input id=n value=hello></label><a href=/>Home</a>"""


@pytest.fixture
def save(webtask: Webtask, model: Scripted, site: Site) -> Any:
    """Save a note, which loads a page, with further calls in the same answer; return these."""
    before = "<title>Notes</title><h1>Notes</h1><p role=status>2 notes</p><a href=/saved>Save</a>"
    site.pages |= {"/": before, "/saved": SAVED}
    return following(webtask, model, site, "Save")


def confirm(*evidence: dict[str, Any]) -> Any:
    """A call that confirms evidence."""
    return call("confirm", note="it was saved", evidence=[*evidence])


def shown(element: Any, text: str) -> dict[str, Any]:
    """The check that an element shows a text."""
    return {"kind": "text", "element_id": element, "text": text}


HOME = call("click", element_id=named("link", "Home"))
SAVE = call("click", find("button", "Save"))


def test_named_evidence_follows_the_load_of_a_page(webtask: Webtask, save: Any) -> None:
    """A message is confirmed on the page that a call brings, and the same answer leaves that page."""
    confirmed, left = save(
        confirm(shown({"role": "status"}, "Note saved"), {"kind": "title", "text": "Saved"}), HOME
    )
    assert (confirmed.error, left.error) == (None, None)
    assert webtask.page.title() == "Notes"
    message, title = confirmed.evidence
    assert message.target is not None and message.target.role == "status"
    assert message.target.locator == 'get_by_role("status")'
    assert message.fact is not None and message.fact.heading == "Saved notes"
    assert title.holds


def test_named_evidence_is_recorded_as_that_with_an_id(
    webtask: Webtask, model: Scripted, site: Site, save: Any
) -> None:
    """Target and fact are those of the element, however it was cited."""
    cell, status = named("cell", "2", within="Cup"), named("status", "Note saved")
    [by_name, _] = save(confirm(shown(cell, "2"), shown(status, "Note saved")), HOME)
    assert by_name.error is None

    webtask.goto(site.url)
    ids = described("cell:2#1"), find("status", "Note saved")
    with_ids = confirm(*map(shown, ids, ("2", "Note saved")))
    model.answers = [on("click", "link", "Save"), with_ids, call("abort", reason="enough")]
    with pytest.raises(TaskFailed) as failed:
        webtask.do("save it")
    by_id = failed.value.result.session.iterations[1].calls[0]
    assert by_id.error is None

    def recorded(call: ToolCall) -> list[Any]:
        no_id = {"element_id": ""}
        return [(e.check.model_copy(update=no_id), e.target, e.fact) for e in call.evidence]

    assert recorded(by_name) == recorded(by_id)


NOTE_SAVED = shown({"role": "status"}, "Note saved")
WRONG = "confirm got wrong arguments"


@pytest.mark.webtask(timeout=VAIN)
@pytest.mark.parametrize(
    ("evidence", "error"),
    [
        # Two elements are named like it.
        (shown(named("cell", "2"), "2"), f'{NONE}, is cell "2"; pass an id from the outline'),
        (shown({"role": "cell"}, "2"), f"{NONE}, is cell; pass an id from the outline"),
        # It was on the page before.
        (shown(named("heading", "Notes"), "2"), f'{NONE}, is heading "Notes"'),
        (shown(named("status", "2 notes"), "2"), f'{NONE}, is status "2 notes"'),
        # A longer name is another element, and so is one in another row.
        (shown(named("heading", "Saved"), "2"), f'{NONE}, is heading "Saved"'),
        (shown(named("cell", "Mug", within="Cup"), "2"), f'{NONE}, is cell "Mug" in "Cup"'),
        (shown(named("cell", "2", within="Nowhere"), "2"), NONE),
        (shown(named("status", "{code}"), "2"), "cannot contain a secret"),
        (shown({"name": "Saved"}, "2"), "an object with role, name and perhaps within"),
        # What can be seen of an element is said by a model that has seen it.
        (
            {"kind": "visual", "element_id": named("heading", "Saved notes"), "what": "it is red"},
            "a check of kind visual takes no role and name",
        ),
        # That an element has its name alone confirms nothing else.
        (shown({"role": "status"}, "Note deleted"), "the checkpoint does not hold"),
        # A wrong check beside a good one is not dropped.
        *((wrong, WRONG) for wrong in ("Saved", {"kind": "gizmo"}, {"kind": ["text"]}, None)),
    ],
)
def test_evidence_that_does_not_name_one_element_or_hold_fails(
    webtask: Webtask, save: Any, evidence: Any, error: str
) -> None:
    """The page is not left then, and what is named like an element is listed with its id."""
    both = [NOTE_SAVED] * (error == WRONG) + [evidence]
    code = {"code": Secret("saved-7")}
    confirmed, left = save(confirm(*both), HOME, data=code, timeout=30)
    assert error in (confirmed.error or ""), confirmed.error
    assert left.error == "confirm failed"
    assert webtask.page.title() == "Saved"
    if error.startswith(f'{NONE}, is cell "2"'):
        assert re.findall(r'cell-\d+ "2"', confirmed.error or "")[1:], confirmed.error


def test_evidence_with_an_id_does_not_follow_a_load(save: Any) -> None:
    """An id is one of the page before, beside a name as well."""
    before = shown("status-0", "2 notes")
    for evidence in ([before], [shown({"role": "status"}, "Note saved"), before]):
        confirmed, left = save(confirm(*evidence), HOME)
        assert "click loaded a page" in (confirmed.error or "")
        assert left.error == "confirm was not run"


@pytest.mark.long
@pytest.mark.real_time
@pytest.mark.webtask(timeout=VAIN)
def test_named_evidence_is_never_of_the_page_before(
    webtask: Webtask, save: Any, site: Site
) -> None:
    """A slow page is awaited, though the page that asked for it has an element of that name."""
    site.delays["/saved"] = 1.5
    confirmed, left = save(confirm(shown(named("heading", "Notes"), "Notes")), HOME)
    assert "no element, or more than one, is heading" in (confirmed.error or "")
    assert left.error == "confirm failed"
    assert webtask.page.title() == "Saved"


def test_each_element_of_a_set_may_be_named(save: Any) -> None:
    """Whether they are all of the set is checked as for ids."""
    one, two = named("listitem", "One"), named("listitem", "Two")
    assert save(confirm({"kind": "count", "element_ids": [one, two]}))[0].error is None
    [confirmed] = save(confirm({"kind": "count", "element_ids": [one]}))
    assert "the checkpoint does not hold" in (confirmed.error or "")


def test_named_evidence_that_held_before_the_action_says_so(
    webtask: Webtask, model: Scripted, site: Site
) -> None:
    """The referee learns that a click has not brought what the page showed before it."""
    model.traits = ModelTraits()
    site.pages["/"] = "<h1>Notes</h1><p role=status>Saved</p><button>Save</button>"
    webtask.goto(site.url)
    saved = confirm(shown({"role": "status"}, "Saved"))
    model.answers = [[SAVE, saved], done("did it", shows("heading", "Notes"))]
    webtask.do("save it")
    checkpoint = model.conclusions[-1].facts[1]
    assert checkpoint["text"] == "Saved" and checkpoint["so before the task"] is True


def test_named_evidence_awaits_the_message(webtask: Webtask, model: Scripted, site: Site) -> None:
    """A message that comes late is awaited as long as the element of a call would be."""
    model.traits = ModelTraits()
    site.pages[
        "/"
    ] = """<button onclick="setTimeout(() => s.textContent = 'Saved', 400)">Save</button>
        <p role=status id=s>Ready</p><a href=/>Home</a>"""
    webtask.goto(site.url)
    saved = confirm(shown({"role": "status"}, "Saved"))
    model.answers = [[SAVE, saved, HOME], call("abort", reason="enough")]
    with pytest.raises(TaskFailed) as failed:
        webtask.do("save it")
    calls = failed.value.result.session.iterations[0].calls
    assert [each.error for each in calls] == [None, None, None]


def test_end_cites_ids_alone(webtask: Webtask, model: Scripted, site: Site) -> None:
    """An end rests on a page that the model has seen, and so knows the ids of."""
    model.traits = ModelTraits()
    site.pages["/"] = "<h1>Notes</h1>"
    webtask.goto(site.url)
    by_name = done("did it", shown(named("heading", "Notes"), "Notes"))
    model.answers = [
        lambda turn: by_name if "Notes" in turn.observation.outline else [],
        done("did it", shows("heading", "Notes")),
    ]
    [first, _] = webtask.do("look").session.iterations
    assert "element_id: Input should be a valid string" in (first.calls[0].error or "")
