"""Calls that name their element by role and name, on pages that the model has not seen."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_webtask import Secret, TaskFailed, Webtask
from pytest_webtask.llm.prompts import input_schema
from pytest_webtask.types.agent import ToolCall
from pytest_webtask.types.model import ModelTraits
from tests.scripted import Scripted, call, on
from tests.scripted import Scripted as Answers
from tests.site import Site

SHOP = "<title>Shop</title><h1>Mugs</h1><a href=/basket>View basket</a>"
BASKET = """<title>Basket</title><h1>Basket</h1>
<table><tr><th>Item<th>Do<tr><td>Mug<td><button onclick="out.textContent='mug removed'">Remove</button>
<tr><td>Cup<td><button onclick="out.textContent='cup removed'">Remove</button></table>
<label>Note <input id=note></label> <label><input type=checkbox> Gift</label>
<button onclick="out.textContent='deleted'">Delete account</button>
<button hidden>Hidden</button><button disabled>Pay</button><p id=out role=status></p>
<iframe title=Foreign src="{foreign}"></iframe>"""


def named(role: str, name: str, within: str = "") -> dict[str, str]:
    """An element as a call names it."""
    return {"role": role, "name": name, **({"within": within} if within else {})}


@pytest.fixture
def run(webtask: Webtask, model: Scripted, site: Site) -> Any:
    """Follow the link to the basket with further calls in the same answer; return these."""
    model.traits = ModelTraits()
    site.pages |= {"/": SHOP, "/basket": BASKET.replace("{foreign}", "about:blank")}

    def follow(*calls: Any, **options: Any) -> list[ToolCall]:
        webtask.goto(site.url)
        link = on("click", "link", "View basket")
        model.answers = [
            lambda turn: Answers([*link(turn).calls, *calls]).decide(turn),
            lambda turn: Answers(call("abort", reason="enough")).decide(turn),
        ]
        with pytest.raises(TaskFailed) as failed:
            webtask.do("act", **options)
        return [*failed.value.result.session.iterations[0].calls[1:]]

    return follow


def test_named_calls_follow_the_load_of_a_page(webtask: Webtask, run: Any) -> None:
    """A known flow is one answer; the calls act, and are recorded, as those with ids."""
    calls = run(
        call("fill", element_id=named("textbox", "Note"), text="for {who}"),
        call("check", element_id=named("checkbox", "Gift")),
        call("click", element_id=named("button", "Remove", within="Cup")),
        data={"who": "Ann"},
    )
    assert [each.error for each in calls] == [None, None, None]
    page = webtask.page
    assert page.locator("#note").input_value() == "for Ann"
    assert page.get_by_role("checkbox").is_checked()
    assert page.locator("#out").text_content() == "cup removed"
    target = calls[2].target
    assert target is not None and target.signature is not None
    assert (target.signature.name, target.signature.key) == ("Remove", "Cup")


@pytest.mark.parametrize(
    ("element", "error"),
    [
        # Several are named like it: the candidates are listed.
        (named("button", "Remove"), '2 elements could be "Remove" button'),
        # A longer name is another element.
        (named("button", "Delete"), 'nothing that can be clicked is called "Delete" button'),
        (named("button", "Hidden"), "no single element"),
        (named("link", "Remove", within="Cup"), "no single element"),
        (named("gizmo", "Remove"), "elements cannot be named by the role 'gizmo'"),
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
    assert second.error == "not run: click failed"
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


def test_schema_offers_a_name_in_place_of_an_id(webtask: Webtask, model: Scripted) -> None:
    """A model is told of both forms."""
    webtask.page.set_content("<p>Hello")
    model.answers = [call("mark_done", summary="seen")]
    webtask.do("look")
    [click] = [tool for tool in model.turns[0].tools if tool.name == "click"]
    shapes = input_schema(click)["properties"]["element_id"]["anyOf"]
    assert [each["type"] for each in shapes] == ["string", "object"]
