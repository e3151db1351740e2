"""The tools that use the mouse."""

from typing import Any

import pytest

from pytest_webtask.errors import TaskFailed
from pytest_webtask.page.locator_parser import is_positional
from pytest_webtask.run.webtask import Webtask
from pytest_webtask.testing import Find, find
from pytest_webtask.types.agent import ProposedToolCall
from pytest_webtask.types.model import ModelTraits
from tests.scripted import Answer, Attempt, Html, Scripted, call, done, on
from tests.site import Site

quick = pytest.mark.webtask(timeout=1.5)
"""For what fails only once its time is up."""

VEIL = "<div class=veil style='position: absolute; inset: 0'>Please wait</div>"


class TestClick:
    @pytest.mark.parametrize(
        ("how", "expected"),
        [
            ({}, "click"),
            ({"double": True}, "click click dblclick"),
            ({"button": "right"}, "contextmenu"),
        ],
    )
    def test_click_takes_count_and_button(
        self, attempt: Attempt, html: Html, how: dict[str, Any], expected: str
    ) -> None:
        """Single, double and right clicks reach the page as such."""
        page = html(
            "<button>Go</button><script>const b = document.querySelector('button'); heard = [];"
            "for (const t of ['click', 'dblclick', 'contextmenu'])"
            " b.addEventListener(t, () => heard.push(t))</script>"
        )
        assert attempt(on("click", "button", "Go", **how)).success
        assert page.evaluate("heard.join(' ')") == expected

    @quick
    @pytest.mark.parametrize(
        ("body", "act"),
        [
            (f"<button onclick='hit = true'>Go</button>{VEIL}", on("click", "button", "Go")),
            (
                "<div style='position: relative'><input type=checkbox id=a style='opacity: 0'"
                f" onchange='hit = true'><label for=a>Accept</label>{VEIL}</div>",
                on("check", "checkbox", "Accept"),
            ),
        ],
    )
    def test_covered_element_is_refused(
        self, attempt: Attempt, html: Html, body: str, act: Answer
    ) -> None:
        """The error names the covering element and the remedy, without Playwright's log."""
        page = html(body)
        error = attempt(act).error or ""
        assert 'class="veil"' in error and "intercepts pointer events" in error
        assert error.endswith("or click that one if it is drawn in place of the other")
        assert "Timeout" not in error
        assert page.evaluate("window.hit") is None

    @pytest.mark.real_time
    @pytest.mark.webtask(timeout=0.3)
    def test_timeout_of_action_is_named(self, attempt: Attempt, stopped: Any, html: Html) -> None:
        """A button that stays disabled is reported with its time; only a model that does not look can set options."""
        html("<button disabled>Go</button>")
        problem = "not done within 0.3 s (element is not enabled); "
        error = attempt(on("click", "button", "Go")).error
        assert error == f"{problem}allow more with --webtask-timeout"
        [[clicked]] = stopped(on("click", "button", "Go"))
        assert clicked.error == f"{problem}if the page needs longer, call wait first"

    @pytest.mark.own_page
    def test_playwrights_time_is_kept(self, attempt: Attempt, model: Scripted, html: Html) -> None:
        """A model that resolves elements itself has Playwright's time."""
        page = html("<button disabled>Go</button>")
        page.set_default_timeout(400)
        model.traits = ModelTraits(looks_at_page=False)
        error = attempt(on("click", "button", "Go")).error or ""
        assert error.startswith(
            "not done within 0.4 s (element is not enabled); allow more with --webtask-timeout"
        )

    def test_record_of_click_has_locator_and_address(self, attempt: Attempt, html: Html) -> None:
        """The record has a Playwright locator and the element's address."""
        html("<ul><li>Mug <button>Add</button><li>Cup <button>Add</button></ul>")
        target = attempt(call("click", find("button", "Add", nth=1))).target
        assert target is not None and target.describe() == 'button "Add" in listitem "Cup"'
        assert target.locator.startswith("get_by_role(")

    def test_record_of_a_card_with_two_links_tells_them_apart(
        self, attempt: Attempt, html: Html
    ) -> None:
        """The title of a card, whose picture is a link of the same name, is found by more than a position."""
        card = "<div><a href='#{0}'><img alt='{0}' width=9 height=9></a><h3><a href='#{0}'>{0}</a></h3></div>"
        html(card.format("Cup") + card.format("Pot"))
        target = attempt(
            lambda turn: call("click", element_id=list(turn.observation.elements)[1])
        ).target
        assert target is not None
        assert not any(map(is_positional, target.locators)), target.locators

    def test_unknown_id_names_an_existing_one(self, attempt: Attempt, html: Html) -> None:
        """The error gives an id of the outline as an example."""
        html("<button>Go</button>")
        error = "there is no element 'button-7'; pass an id from the outline, such as button-0"
        wrong = attempt(lambda turn: turn.observation and call("click", element_id="button-7"))
        assert wrong.error == error


PAD = find("canvas")


def drag(source: Find, target: Find, **points: int) -> ProposedToolCall:
    """The call that drags from one element to another."""
    return call("drag", source, to_element_id=target, **points)


class TestMouse:
    def test_hover_opens_a_menu(self, attempt: Attempt, html: Html) -> None:
        """A menu that opens under the mouse can be clicked afterwards."""
        page = html(
            "<style>ul { display: none } nav:hover ul { display: block }</style>"
            "<nav><button>Menu</button><ul><li><button onclick='hit = true'>Log out</button></ul></nav>"
        )
        assert attempt(on("hover", "button", "Menu"), on("click", "button", "Log out")).success
        assert page.evaluate("hit")

    def test_menu_that_returns_to_its_title_is_reported(self, stopped: Any, html: Html) -> None:
        """A menu of actions takes the choice; the result says what it shows again."""
        page = html("""<select onchange="document.title = this.value; this.value = 'S'">
            <option>S<option>M</select>""")
        [[outcome]] = stopped(on("select_option", "combobox", options=["M"]))
        assert outcome.result == (
            "get_by_role(\"combobox\") holds 'S', not 'M': see whether that is meant"
        )
        assert outcome.recorded == {"left": [["S", ""]]}
        assert page.title() == "M"

    @pytest.mark.parametrize("other", ["S", "L"])
    def test_select_that_changes_back_is_an_error_without_a_look(
        self, attempt: Attempt, html: Html, other: str
    ) -> None:
        """A model that does not look at the page, such as a recording, gets an error with the chosen option."""
        html(f"<select onchange=\"this.value = '{other}'\"><option>S<option>M<option>L</select>")
        outcome = attempt(on("select_option", "combobox", options=["M"]))
        assert (outcome.error or "").endswith(
            f"holds '{other}', not 'M'; see whether the page says why"
        )

    def test_recorded_menu_returns_to_its_title(self, attempt: Attempt, html: Html) -> None:
        """A recording knows what its menu showed again, and accepts nothing else."""
        html("""<select onchange="this.value = this.value === 'M' ? 'S' : 'L'">
            <option>S<option>M<option>L<option>N</select>""")
        recorded: dict[str, Any] = {"left": [["S", ""]]}
        assert attempt(on("select_option", "combobox", options=["M"], **recorded)).success
        other = on("select_option", "combobox", options=["N"], **recorded)
        with pytest.raises(TaskFailed) as failed:
            attempt(other, done(), call("abort", reason="enough"))
        [ended] = failed.value.result.session.iterations[1].calls
        assert "holds 'L', not 'S'" in (ended.error or "")

    def test_drag_across_a_scrolling_page_moves_the_named_element(
        self, attempt: Attempt, html: Html
    ) -> None:
        """HTML's own drag and drop reaches its target with its data even if the page scrolls meanwhile."""
        items = "".join(
            f"<li draggable=true style='height:120px' id=i{n}>Item {n}</li>" for n in range(20)
        )
        page = html(
            f"""<ul>{items}</ul><script>
            moved = [];
            for (const li of document.querySelectorAll("li")) {{
                li.ondragstart = (e) => e.dataTransfer.setData("text/plain", li.id);
                li.ondragover = (e) => e.preventDefault();
                li.ondrop = (e) => moved.push(e.dataTransfer.getData("text/plain") + ">" + li.id);
            }}</script>"""
        )
        assert attempt(drag(find("drag", "Item 17"), find("drag", "Item 0"))).success
        assert page.evaluate("moved") == ["i17>i0"]

    @pytest.mark.parametrize("appears", [True, False])
    def test_drag_to_a_hidden_target_needs_it_to_appear(
        self, attempt: Attempt, html: Html, appears: bool
    ) -> None:
        """A target may appear once the button is down; if it does not, the error says what was done."""
        shown = str(appears).lower()
        html(
            f"""<div id=a role=button tabindex=0 style="width:80px">Mug</div>
            <div id=b role=button tabindex=0 style="width:80px; height:80px">Cart</div>
            <p id=out></p><script>b.onmouseup = () => {{ out.textContent = "dropped" }};
            a.onmouseover = () => {{ b.style.display = "none" }};
            a.onmousedown = () => {{ if ({shown}) b.style.display = "" }};</script>"""
        )
        outcome = attempt(drag(find("button", "Mug"), find("button", "Cart")))
        assert outcome.success is appears, outcome.error
        if not appears:
            assert outcome.error == (
                "the drag began but did not reach its end, and the mouse button was released:"
                " to_element_id is an element that is invisible now: pass the id of a visible one; look at"
                " the page before you repeat the action"
            )

    def test_drag_moves_through_several_points(self, attempt: Attempt, html: Html) -> None:
        """A handle that follows the pointer gets several moves."""
        page = html(
            """<button id=h style="position:absolute;left:0;top:0;width:20px;height:20px">H</button>
            <button style="position:absolute;left:200px;top:0;width:20px;height:20px">T</button><script>
            let moves = 0, down = false;
            h.onpointerdown = (e) => { down = true; h.setPointerCapture(e.pointerId) };
            h.onpointermove = (e) => { if (down) { moves++; h.style.left = e.clientX - 10 + "px" } };
            h.onpointerup = () => { down = false };
            </script>"""
        )
        assert attempt(drag(find("button", "H"), find("button", "T"))).success
        assert page.locator("#h").bounding_box()["x"] == pytest.approx(200, abs=2)  # type: ignore[index]
        assert page.evaluate("moves") >= 5

    CANVAS = """<canvas width=200 height=100 aria-label=Pad></canvas><script>
        const c = document.querySelector("canvas"); points = []; down = false;
        const at = (e) => points.push([e.type.slice(7), Math.round(e.offsetX), Math.round(e.offsetY)]);
        c.onpointerdown = (e) => { down = true; at(e) };
        c.onpointermove = (e) => { if (down) at(e) };
        c.onpointerup = (e) => { down = false; at(e) };
        </script>"""

    def test_drag_draws_on_a_canvas(self, attempt: Attempt, html: Html) -> None:
        """A line goes from point to point of one element."""
        page = html(self.CANVAS)
        outcome = attempt(drag(PAD, PAD, x=10, y=20, to_x=150, to_y=80))
        assert outcome.success, outcome.error
        points = page.evaluate("points")
        assert points[0] == ["down", 10, 20]
        assert points[-1] == ["up", 150, 80]
        assert len(points) > 5

    def test_half_a_point_or_one_outside_is_an_error(self, attempt: Attempt, html: Html) -> None:
        """A drag with only one coordinate is refused, and a click on a point beside its element, not in it."""
        page = html(self.CANVAS)
        half = attempt(drag(PAD, PAD, x=10, to_x=150, to_y=80))
        assert "pass both x and y or neither" in (half.error or "")
        outcome = attempt(on("click_at", "canvas", "Pad", x=201, y=5))
        assert "is covered" in (outcome.error or "")
        assert page.evaluate("points") == []
        assert attempt(on("click_at", "canvas", "Pad", x=33, y=44)).success
        assert page.evaluate("points[0]") == ["down", 33, 44]


class TestScroll:
    LONG = "<h1>Top</h1><div style='height: 4000px'></div><button>Bottom</button>"

    def test_scroll_brings_an_element_into_view(self, attempt: Attempt, html: Html) -> None:
        """An element far below comes into the viewport."""
        page = html(self.LONG)
        assert attempt(on("scroll", "button", "Bottom")).success
        assert page.evaluate("scrollY") > 3000

    def test_scroll_moves_the_page(self, attempt: Attempt, html: Html) -> None:
        """A direction scrolls by most of a screen or the given pixels; the end of the page is told."""
        page = html(self.LONG)
        assert attempt(call("scroll", direction="down")).result == ""
        most = 0.8 * page.evaluate("innerHeight")
        assert page.evaluate("scrollY") == pytest.approx(most, abs=2)
        assert attempt(call("scroll", direction="up", pixels=100)).success
        assert page.evaluate("scrollY") == pytest.approx(most - 100, abs=2)
        assert attempt(call("scroll", direction="up")).success
        outcome = attempt(call("scroll", direction="up"))
        assert outcome.result == "it does not scroll further up"
        assert "there is no element" in (attempt(call("scroll")).error or "")

    BOX = (
        "<div role=listbox aria-label=List tabindex=0 style='height:100px;width:200px;overflow:auto'>"
        "<div style='height:1000px'>many</div></div><div style='height:3000px'></div>"
    )

    PART = (
        "<style>body { margin: 0; height: 100vh; display: grid; grid: 60px 1fr / 200px 1fr; overflow: hidden }"
        "header { grid-column: span 2 } main { overflow: auto }</style><header>Bar</header>"
        "<nav>Menu</nav><main><div style='height:4000px'>many</div><button>End</button></main>"
    )

    @pytest.mark.parametrize(
        ("body", "where", "box"),
        [(BOX, [find("listbox", "List")], "[role=listbox]"), (PART, [], "main")],
    )
    def test_scroll_moves_a_box(
        self, attempt: Attempt, html: Html, body: str, where: list[Find], box: str
    ) -> None:
        """The named box scrolls, not the page; or the part that scrolls instead of the document."""
        page = html(body)
        assert attempt(call("scroll", *where, direction="down", pixels=50)).result == ""
        assert page.locator(box).evaluate("e => e.scrollTop") == 50
        assert page.evaluate("scrollY") == 0


class TestPoints:
    """What has no id is reached by its place in the visible part."""

    SPOTS = """<style>p { position: absolute; margin: 0; width: 60px; height: 40px }</style>
        <p style='left: 100px; top: 100px'>one</p><p style='left: 300px; top: 200px'>two</p><script>
        hits = [];
        for (const kind of ["mousedown", "mouseup", "click", "mouseover"])
          addEventListener(kind, (e) => hits.push(`${kind} ${e.target.textContent.slice(0, 3)}`));
        </script>"""

    def test_element_at_a_point_is_used(self, attempt: Attempt, html: Html) -> None:
        """It is clicked and recorded, hovered with nothing pressed, or dragged from to another."""
        page = html(self.SPOTS)
        assert attempt(call("hover", x=110, y=110)).success
        hits = page.evaluate("hits.splice(0)")
        assert hits.count("mouseover one") == 1 and "click one" not in hits
        outcome = attempt(call("click_at", x=310, y=220))
        assert outcome.success
        assert "click two" in page.evaluate("hits.splice(0)")
        assert outcome.target and "two" in outcome.target.locator
        assert attempt(call("drag", x=110, y=110, to_x=310, to_y=220)).success
        hits = page.evaluate("hits")
        assert "mousedown one" in hits and "mouseup two" in hits

    def test_point_in_a_frame_or_shadow(
        self, attempt: Attempt, webtask: Webtask, site: Site
    ) -> None:
        """The innermost element at the point is clicked."""
        framed = "<iframe style='border: 9px solid; padding: 5px; width: 300px' src=/f></iframe>"
        site.pages["/"] = framed
        site.pages["/f"] = (
            "<body style='margin: 0'><div id=host></div><script>"
            'host.attachShadow({mode: "open"}).innerHTML ='
            ' "<p style=margin:0;height:50px onclick=this.title=1>Deep</p>"</script>'
        )
        webtask.goto(f"{site.url}/")
        outcome = attempt(call("click_at", x=40, y=40))
        assert outcome.error is None
        assert webtask.page.frames[1].get_by_text("Deep").get_attribute("title") == "1"

    def test_point_outside_the_page_is_an_error(self, attempt: Attempt, html: Html) -> None:
        """The error names the point; where there is none, the arguments."""
        html(self.SPOTS)
        for x in (5000, -1):
            outside = attempt(call("click_at", x=x, y=5)).error or ""
            assert f"no element is at ({x}, 5): pass a point of the visible part" in outside
        assert attempt(call("hover")).error == (
            "the call says no place: pass element_id, or x and y of a point of the page"
        )

    def test_point_in_a_foreign_frame_is_refused(
        self, attempt: Attempt, webtask: Webtask, site: Site
    ) -> None:
        """A point in a frame of a foreign origin is not clicked."""
        site.pages["/"] = f"<iframe style='width: 300px' src='{site.foreign_url}/f'></iframe>"
        site.pages["/f"] = "<body onclick='fetch(\"/hit\")'>Foreign"
        webtask.goto(f"{site.url}/")
        outcome = attempt(call("click_at", x=60, y=60))
        assert "is not an allowed origin" in (outcome.error or "")
        assert "GET /hit" not in site.log
