"""Calls and evidence that name their elements by role and name, on pages that the model has not seen."""

from typing import Any

import pytest

from pytest_webtask import Secret, TaskFailed, Webtask
from pytest_webtask.llm.prompts import input_schema
from pytest_webtask.testing import find
from pytest_webtask.types.agent import ToolCall
from pytest_webtask.types.model import ModelTraits
from tests.scripted import Scripted, call, done
from tests.site import Site

pytestmark = pytest.mark.long

SHOP = "<title>Shop</title><h1>Mugs</h1><a href=/basket>View basket</a>"
BASKET = """<title>Basket</title><h1>Basket</h1>
<table><tr><th>Item<th>Do<tr><td>Mug<td><button onclick="out.textContent='mug removed'">Remove</button>
<tr><td>Cup<td><button onclick="out.textContent='cup removed'">Remove</button></table>
<label>Note <input id=note></label> <label><input type=checkbox> Gift</label>
<button onclick="out.textContent='deleted'">Delete account</button>
<button hidden>Hidden</button><button>\ue145 Add</button><button disabled>Pay</button><p id=out role=status></p>
<iframe title=Foreign src="{foreign}"></iframe>"""

VAIN = 3.0
"""Seconds in which an element is awaited that does not come."""


def named(role: str, name: str) -> dict[str, str]:
    """An element as a call names it."""
    return {"role": role, "name": name}


@pytest.fixture
def run(webtask: Webtask, model: Scripted, site: Site) -> Any:
    """Follow the link to the basket with further calls in the same answer; return these."""
    site.pages |= {"/": SHOP, "/basket": BASKET.replace("{foreign}", "about:blank")}
    model.traits = ModelTraits()

    def follow(*calls: Any, **options: Any) -> list[ToolCall]:
        webtask.goto(site.url)
        click = call("click", find("link", "View basket"))
        model.answers = [[click, *calls], call("abort", reason="enough")]
        with pytest.raises(TaskFailed) as failed:
            webtask.do("act", **options)
        return [*failed.value.result.session.iterations[0].calls[1:]]

    return follow


def test_named_calls_follow_the_load_of_a_page(webtask: Webtask, run: Any) -> None:
    """A known flow is one answer; the calls act, and are recorded, as those with ids."""
    calls = run(
        call("fill", element_id=named("textbox", "Note"), text="for {who}"),
        call("check", element_id=named("checkbox", "Gift")),
        call("click", element_id=named("button", "Delete account")),
        # The outline leaves out the glyph of its icon.
        call("click", element_id=named("button", "Add")),
        data={"who": "Ann"},
    )
    assert [each.error for each in calls] == [None, None, None, None]
    page = webtask.page
    assert page.locator("#note").input_value() == "for Ann"
    assert page.get_by_role("checkbox").is_checked()
    assert page.locator("#out").text_content() == "deleted"
    target = calls[2].target
    assert target is not None and target.pinned.name == "Delete account"


@pytest.mark.webtask(timeout=VAIN)
@pytest.mark.parametrize(
    ("element", "error"),
    [
        # Several are named like it.
        (named("button", "Remove"), 'no element, or more than one, is button "Remove"'),
        # A longer name is another element.
        (named("button", "Delete"), 'no element, or more than one, is button "Delete"'),
        (named("button", "Hidden"), "no element, or more than one"),
        (named("link", "Remove"), "no element, or more than one"),
        (named("gizmo", "Remove"), 'no element, or more than one, is gizmo "Remove"'),
        ({"name": "Remove"}, "an object with role and name"),
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
    "case": (f"<button {CLICKED}>GO</button>", NONE),
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


FIELDS = """<title>B</title><label>Password <input id=f type=password></label>"""


def test_no_secret_is_typed_into_an_unseen_field(webtask: Webtask, run: Any, site: Site) -> None:
    """A model cannot know whether a field of that name would show it, or search for it."""
    site.pages["/basket"] = FIELDS
    [first] = run(
        call("fill", element_id=named("textbox", "Password"), text="{code}"),
        data={"code": Secret("Remove-7")},
        timeout=20,
    )
    assert "only into a field that the outline has shown you" in (first.error or "")
    assert webtask.page.locator("#f").input_value() == ""


def test_secret_is_typed_into_a_field_that_was_seen(
    webtask: Webtask, model: Scripted, site: Site
) -> None:
    """A name instead of the id of a field on the page as the model sees it needs no other turn."""
    model.traits = ModelTraits()
    site.pages["/"] = FIELDS
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
