"""The worker's tools, each on a real page."""

from __future__ import annotations

import re
import socket
from collections.abc import Callable
from datetime import date
from enum import Enum
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page
from pydantic import BaseModel, Field

from pytest_webtask import TaskFailed, UsageError, WorkerStatus
from pytest_webtask.agent.worker import worker_tools
from pytest_webtask.tools.forms import is_shown
from pytest_webtask.types.agent import ToolCall, Turn
from pytest_webtask.webtask import Webtask
from tests.scripted import Scripted, call, done, element, on
from tests.site import Site

Attempt = Callable[..., ToolCall]
Html = Callable[[str], Page]

quick = pytest.mark.webtask(timeout=0.6)
"""For what fails only once its time is up."""

# Writes down what a page hears of its field, as any application's own listeners would.
LISTENER = """<script>
  const heard = window.heard = [];
  for (const type of ["keydown", "input", "change", "blur", "focus", "paste"])
    document.addEventListener(type, (e) => heard.push(type), true);
</script>"""


@pytest.fixture
def cv(tmp_path: Path) -> Path:
    """A file to upload."""
    path = tmp_path / "cv.txt"
    path.write_text("curriculum")
    return path


class TestDescriptions:
    def test_every_argument_is_described(self) -> None:
        """A model knows the tools by their schema alone."""
        for spec in worker_tools(int).specs:
            assert spec.description.endswith("."), spec.name
            for name, schema in spec.parameters["properties"].items():
                assert schema.get("description"), f"{spec.name}.{name}"

    def test_all_tools_are_there(self) -> None:
        """The worker has the tools of the design, and `set_output` only where a value is asked for."""
        names = (
            "navigate go_back reload click fill type press select_option check hover drag scroll"
            " upload click_at wait look switch_tab close_tab mark_done abort"
        ).split()
        assert sorted(s.name for s in worker_tools().specs) == sorted(names)
        assert {s.name for s in worker_tools(int).specs} == {*names, "set_output"}

    def test_numbers_are_taken_for_text(self, attempt: Attempt, html: Html) -> None:
        """A model that writes 42 where "42" is meant is understood."""
        page = html("<input aria-label=Age>")
        assert attempt(on("fill", "textbox", "Age", text=42)).success
        assert page.get_by_label("Age").input_value() == "42"


class TestNavigate:
    def test_a_path_is_one_of_the_application(
        self, attempt: Attempt, webtask: Webtask, site: Site
    ) -> None:
        """Without a base URL a path is relative to the page."""
        site.pages |= {"/": "home", "/cart": "<h1>Cart"}
        webtask.goto(site.url)
        made = attempt(call("navigate", url="/cart"))
        assert made.success
        assert made.result == f"at {site.url}/cart"
        assert webtask.page.locator("h1").inner_text() == "Cart"

    def test_an_error_status_is_told(self, attempt: Attempt, webtask: Webtask, site: Site) -> None:
        """A page of 404 is a page, and its status is part of the result."""
        site.pages["/"] = "home"
        webtask.goto(site.url)
        assert attempt(call("navigate", url="/nowhere")).result.endswith("/nowhere, status 404")

    @pytest.mark.parametrize(
        "url",
        [
            "https://example.com/",
            "//example.com/x",
            "javascript:document.title='hacked'",
            "file:///etc/passwd",
            "data:text/html,<h1>hello",
            "chrome://version",
            "view-source:http://127.0.0.1",
        ],
    )
    def test_other_origins_are_refused(
        self, attempt: Attempt, webtask: Webtask, site: Site, url: str
    ) -> None:
        """Nothing leaves the allowed origins, and nothing but pages is opened."""
        site.pages["/"] = "<title>Home</title>"
        webtask.goto(site.url)
        made = attempt(call("navigate", url=url))
        assert not made.success
        assert f"allowed: {site.url}" in (made.error or "")
        assert webtask.page.url == f"{site.url}/"
        assert webtask.page.title() == "Home"

    def test_a_dead_server_is_an_error_in_words(
        self, attempt: Attempt, webtask: Webtask, site: Site
    ) -> None:
        """The browser's own reason reaches the model."""
        with socket.socket() as unused:
            unused.bind(("127.0.0.1", 0))
            port = unused.getsockname()[1]
        site.pages["/"] = "home"
        webtask.goto(site.url)
        webtask._hands.allowed.add(f"http://127.0.0.1:{port}")
        made = attempt(call("navigate", url=f"http://127.0.0.1:{port}/"))
        assert "ERR_CONNECTION_REFUSED" in (made.error or "")
        assert "\n" not in (made.error or "")

    def test_an_address_that_is_a_file_is_downloaded(
        self, attempt: Attempt, webtask: Webtask, model: Scripted, site: Site
    ) -> None:
        """A download is what such an address leads to, and no failure."""
        site.pages |= {"/": "home", "/data.bin": ("application/octet-stream", b"123")}
        webtask.goto(site.url)
        made = attempt(lambda t: t.observation and call("navigate", url="/data.bin"))
        assert made.success, made.error
        assert "download" in made.result
        assert webtask.state.steps[-1].iterations[0].events[0].kind == "download"

    def test_a_secret_does_not_get_into_an_address(
        self, attempt: Attempt, webtask: Webtask, site: Site
    ) -> None:
        """Addresses are logged by servers."""
        from pytest_webtask import Secret

        site.pages["/"] = "home"
        webtask.goto(site.url)
        made = attempt(call("navigate", url="/?t={token}"), data={"token": Secret("s3cr3t")})
        assert made.error == "a secret does not belong in an address"
        assert not any("s3cr3t" in line for line in site.log)


class TestHistory:
    def test_back_and_forth(self, attempt: Attempt, webtask: Webtask, site: Site) -> None:
        """`go_back` leads to the page before, and says where that is."""
        site.pages |= {"/": "<h1>One", "/two": "<h1>Two"}
        webtask.goto(site.url)
        webtask.goto(f"{site.url}/two")
        assert attempt(call("go_back")).result == f"at {site.url}/"
        assert webtask.page.locator("h1").inner_text() == "One"

    def test_back_within_a_document(self, attempt: Attempt, webtask: Webtask, site: Site) -> None:
        """A route of a single-page application counts as a page."""
        site.pages["/"] = "<h1>One</h1><script>history.pushState({}, '', '/two')</script>"
        webtask.goto(site.url)
        assert attempt(call("go_back")).result == f"at {site.url}/"

    def test_nothing_to_go_back_to(self, attempt: Attempt, page: Page, site: Site) -> None:
        """The first page has none before it: that is an error, not a blank page."""
        site.pages["/"] = "<h1>One"
        page.evaluate("url => location.replace(url)", site.url)
        page.wait_for_url(f"{site.url}/")
        assert attempt(call("go_back")).error == "there is no page to go back to"
        assert page.locator("h1").inner_text() == "One"

    def test_the_blank_page_is_none_to_go_back_to(
        self, attempt: Attempt, webtask: Webtask, site: Site
    ) -> None:
        """The empty page that every test begins with is nowhere a user could go back to."""
        site.pages["/"] = "<h1>One"
        webtask.goto(site.url)
        assert attempt(call("go_back")).error == "there is no page to go back to"
        assert webtask.page.locator("h1").inner_text() == "One"

    def test_reload(self, attempt: Attempt, webtask: Webtask, site: Site) -> None:
        """`reload` asks the server again."""
        site.pages["/"] = "<h1>One"
        webtask.goto(site.url)
        site.pages["/"] = "<h1>Two"
        assert attempt(call("reload")).success
        assert webtask.page.locator("h1").inner_text() == "Two"


class TestClick:
    @pytest.mark.parametrize(
        ("how", "expected"),
        [
            ({}, "click"),
            ({"double": True}, "click click dblclick"),
            ({"button": "right"}, "contextmenu"),
        ],
    )
    def test_the_kinds_of_clicks(
        self, attempt: Attempt, html: Html, how: dict[str, Any], expected: str
    ) -> None:
        """Single, double and right clicks are what the page hears."""
        page = html(
            "<button>Go</button><script>const b = document.querySelector('button'); heard = [];"
            "for (const t of ['click', 'dblclick', 'contextmenu'])"
            " b.addEventListener(t, () => heard.push(t))</script>"
        )
        assert attempt(on("click", "button", "Go", **how)).success
        assert page.evaluate("heard.join(' ')") == expected

    @quick
    def test_a_disabled_button_is_refused_with_the_reason(
        self, attempt: Attempt, html: Html
    ) -> None:
        """Actionability is never forced, and the model is told why."""
        html("<button disabled>Go</button>")
        assert "element is not enabled" in (attempt(on("click", "button", "Go")).error or "")

    @quick
    def test_a_covered_element_is_refused_with_what_covers_it(
        self, attempt: Attempt, html: Html
    ) -> None:
        """A button that a user could not press does not work."""
        page = html(
            "<button onclick='hit = true'>Go</button>"
            "<div class=veil style='position: fixed; inset: 0'>Please wait</div>"
        )
        error = attempt(on("click", "button", "Go")).error or ""
        assert 'class="veil"' in error
        assert "intercepts pointer events" in error
        assert page.evaluate("window.hit") is None

    def test_a_box_whose_label_is_covered_names_what_covers_it(
        self, attempt: Attempt, html: Html
    ) -> None:
        """One sentence says what lies over it and what to do, without a log."""
        html(
            "<div style='position: relative'><input type=checkbox id=a style='opacity: 0'>"
            "<label for=a>Accept</label>"
            "<div class=veil style='position: absolute; inset: 0'>Please wait</div></div>"
        )
        error = attempt(on("check", "checkbox", "Accept")).error or ""
        assert error.startswith('it is covered: <div class="veil">Please wait</div>')
        assert error.endswith("close that, or click it if it is drawn in its place")
        assert "Timeout" not in error

    def test_the_target_tells_how_it_is_found_again(self, attempt: Attempt, html: Html) -> None:
        """The record holds a locator of Playwright's and the element's signature."""
        html("<ul><li>Mug <button>Add</button><li>Cup <button>Add</button></ul>")

        def second(turn: Turn) -> Any:
            return call("click", element_id=list(turn.observation.elements)[1])

        target = attempt(second).target
        assert target is not None
        assert target.signature is not None
        assert target.signature.name == "Add"
        assert "Cup" in target.signature.key
        assert target.locator.startswith("get_by_role(")

    def test_an_unknown_id_names_some_that_exist(self, attempt: Attempt, html: Html) -> None:
        """A slip costs one iteration."""
        html("<button>Go</button>")

        def wrong(turn: Turn) -> Any:
            assert turn.observation.elements
            return call("click", element_id="button-7")

        error = attempt(wrong).error
        assert error == "there is no element 'button-7'; use an id of the outline, such as button-0"


class TestFill:
    def test_it_types_like_a_user(self, attempt: Attempt, html: Html) -> None:
        """The page's listeners hear the keys and the input, and the old text is gone."""
        page = html(f"<input aria-label=Name value=old>{LISTENER}")
        assert attempt(on("fill", "textbox", "Name", text="new")).success
        assert page.get_by_label("Name").input_value() == "new"
        heard = page.evaluate("heard")
        assert heard.count("keydown") >= 3
        assert heard.count("input") >= 3
        page.get_by_label("Name").blur()
        assert "change" in page.evaluate("heard")

    def test_the_empty_text_clears(self, attempt: Attempt, html: Html) -> None:
        """`""` leaves nothing, and the page hears of it."""
        page = html(f"<input aria-label=Name value=old>{LISTENER}")
        assert attempt(on("fill", "textbox", "Name", text="")).success
        assert page.get_by_label("Name").input_value() == ""
        assert "input" in page.evaluate("heard")

    @pytest.mark.parametrize(
        ("kind", "role", "text"),
        [
            ("number", "spinbutton", "-3.5"),
            ("date", "textbox", "2026-12-31"),
            ("time", "textbox", "23:59"),
            ("datetime-local", "textbox", "2026-12-31T23:59"),
            ("month", "textbox", "2026-12"),
            ("color", "textbox", "#ff8800"),
            ("range", "slider", "70"),
            ("email", "textbox", "a@b.c"),
            ("tel", "textbox", "+49 30 1"),
            ("search", "searchbox", "mug"),
            ("password", "textbox", "geheim"),
        ],
    )
    def test_every_kind_of_input(
        self, attempt: Attempt, html: Html, kind: str, role: str, text: str
    ) -> None:
        """Each type of input takes its own kind of value."""
        page = html(f"<input type={kind} aria-label=Field>")
        made = attempt(on("fill", role, "Field", text=text))
        assert made.success, made.error
        assert page.get_by_label("Field").input_value() == text

    def test_a_malformed_date_is_an_error(self, attempt: Attempt, html: Html) -> None:
        """What a picker could not hold is refused."""
        html("<input type=date aria-label=Day>")
        made = attempt(on("fill", "textbox", "Day", text="31.12.2026"))
        assert made.error == "the field is empty after typing: the page did not take the text"

    def test_an_editable_element(self, attempt: Attempt, html: Html) -> None:
        """`contenteditable` is replaced and typed into as a field is."""
        page = html("<div contenteditable role=textbox aria-label=Note>old <b>text</b></div>")
        assert attempt(on("fill", "textbox", "Note", text="new")).success
        assert page.get_by_label("Note").inner_text() == "new"

    def test_several_lines_stay_in_their_field(self, attempt: Attempt, html: Html) -> None:
        """A line break in a textarea is text, even where Enter would send it."""
        page = html(
            "<form onsubmit='sent = true; return false'><textarea aria-label=Note"
            " onkeydown=\"if (event.key == 'Enter') { event.preventDefault(); sent = true }\">"
            "</textarea><input aria-label=Next></form>"
        )
        assert attempt(on("fill", "textbox", "Note", text="one\n\ttwo")).success
        assert page.get_by_label("Note").input_value() == "one\n\ttwo"
        assert page.get_by_label("Next").input_value() == ""
        assert page.evaluate("window.sent") is None

    def test_a_line_break_does_not_send_a_form(self, attempt: Attempt, html: Html) -> None:
        """`fill` never presses Enter."""
        page = html("<form onsubmit='sent = true; return false'><input aria-label=Name></form>")
        attempt(on("fill", "textbox", "Name", text="one\ntwo"))
        assert page.evaluate("window.sent") is None

    def test_a_text_longer_than_the_field_takes_is_an_error(
        self, attempt: Attempt, html: Html
    ) -> None:
        """What `maxlength` cuts off is not passed over, so that nobody believes it is there."""
        page = html("<input aria-label=Code maxlength=4>")
        made = attempt(on("fill", "textbox", "Code", text="ABCDEF"))
        assert page.get_by_label("Code").input_value() == "ABCD"
        assert made.error == "the field did not take all that was typed: it now holds 'ABCD'"

    def test_a_field_that_rejects_everything_is_an_error(
        self, attempt: Attempt, html: Html
    ) -> None:
        """A field that stays empty was not filled."""
        html("<input type=number aria-label=Age>")
        made = attempt(on("fill", "spinbutton", "Age", text="abc"))
        assert made.error == "the field is empty after typing: the page did not take the text"

    def test_a_field_that_drops_letters_is_an_error(self, attempt: Attempt, html: Html) -> None:
        """A page's own filter does not take what a test says that it types."""
        html("<input aria-label=Zip oninput='this.value = this.value.replace(/[^0-9]/g, \"\")'>")
        made = attempt(on("fill", "textbox", "Zip", text="D-10115"))
        assert made.error == "the field did not take all that was typed: it now holds '10115'"

    @quick
    @pytest.mark.parametrize(
        ("field", "reason"),
        [("readonly", "element is not editable"), ("disabled", "element is not enabled")],
    )
    def test_a_field_that_cannot_be_changed_is_an_error(
        self, attempt: Attempt, html: Html, field: str, reason: str
    ) -> None:
        """Neither a read-only nor a disabled field is written to."""
        page = html(f"<input aria-label=Name value=old {field}>")
        assert reason in (attempt(on("fill", "textbox", "Name", text="new")).error or "")
        assert page.get_by_label("Name").input_value() == "old"

    def test_a_controlled_field(self, attempt: Attempt, html: Html) -> None:
        """A framework that keeps the value itself, and puts it back with every event, is served."""
        page = html(
            """<input aria-label=Name><script>
            const field = document.querySelector("input");
            const native = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value");
            let state = "old", tracked = "old";
            const render = () => { native.set.call(field, state); tracked = state; };
            Object.defineProperty(field, "value", {
              get: () => native.get.call(field),
              set: (v) => { tracked = v; native.set.call(field, v); },
            });
            field.addEventListener("input", () => {
              const now = native.get.call(field);
              if (now !== tracked) state = now.toUpperCase();
              render();
            });
            render();
            window.held = () => state;
            </script>"""
        )
        assert attempt(on("fill", "textbox", "Name", text="dana")).success
        assert page.evaluate("held()") == "DANA"
        assert page.get_by_label("Name").input_value() == "DANA"

    def test_a_code_of_single_boxes(self, attempt: Attempt, html: Html) -> None:
        """Boxes that pass the focus on get a digit each."""
        page = html(
            "".join(
                f"<input aria-label='Digit {i}' maxlength=1"
                " oninput='this.value && this.nextElementSibling?.focus()'>"
                for i in range(4)
            )
        )
        made = attempt(on("fill", "textbox", "Digit 0", text="1234"))
        assert made.success
        values = [page.get_by_label(f"Digit {i}").input_value() for i in range(4)]
        assert values == ["1", "2", "3", "4"]

    def test_a_long_text_is_pasted(self, attempt: Attempt, html: Html) -> None:
        """Thousands of characters take no longer than a few."""
        page = html("<textarea aria-label=Note></textarea>")
        made = attempt(on("fill", "textbox", "Note", text="abcde " * 2000))
        assert made.time < 3
        assert len(page.get_by_label("Note").input_value()) == 12_000

    def test_placeholders_are_filled_in_and_braces_stay(self, attempt: Attempt, html: Html) -> None:
        """`{name}` is a value of the data; any other brace is text."""
        page = html("<input aria-label=Name>")
        attempt(on("fill", "textbox", "Name", text='{user}: {"a": 1}'), data={"user": "dana"})
        assert page.get_by_label("Name").input_value() == 'dana: {"a": 1}'

    @quick
    def test_what_is_no_field_is_an_error(self, attempt: Attempt, html: Html) -> None:
        """A button cannot be filled."""
        html("<button>Go</button>")
        assert "not an <input>" in (attempt(on("fill", "button", "Go", text="x")).error or "")


class TestTypeAndPress:
    def test_type_adds_to_what_is_there(self, attempt: Attempt, html: Html) -> None:
        """Text typed into a field comes behind what it holds."""
        page = html("<input aria-label=Name value=hello>")
        assert attempt(on("type", "textbox", "Name", text=" world")).success
        assert page.get_by_label("Name").input_value() == "hello world"

    def test_type_goes_to_what_has_focus(self, attempt: Attempt, html: Html) -> None:
        """Without an element the keys go where the caret is."""
        page = html("<input aria-label=Name autofocus>")
        page.get_by_label("Name").focus()
        assert attempt(call("type", text="dana")).success
        assert page.get_by_label("Name").input_value() == "dana"

    def test_type_without_a_focus_says_so(self, attempt: Attempt, html: Html) -> None:
        """Text that went to no field is not simply reported as typed: the page may listen, or not."""
        html("<input aria-label=Name>")
        made = attempt(call("type", text="x"))
        assert made.result == "no field had the focus: the keys went to the page itself"

    def test_type_does_not_press_tab(self, attempt: Attempt, html: Html) -> None:
        """A tab within a text would carry the rest of it into another field."""
        page = html("<input aria-label=Name><input aria-label=Next>")
        assert "then press Tab" in (attempt(on("type", "textbox", "Name", text="a\tb")).error or "")
        assert page.get_by_label("Next").input_value() == ""

    @quick
    @pytest.mark.parametrize("field", ["disabled", "readonly"])
    def test_type_into_a_field_that_takes_nothing_is_an_error(
        self, attempt: Attempt, html: Html, field: str
    ) -> None:
        """The keys do not go to another field, and nobody is told that they arrived."""
        page = html(f"<input aria-label=Other><input aria-label=Name value=old {field}>")
        page.get_by_label("Other").focus()
        made = attempt(on("type", "textbox", "Name", text="new"))
        assert not made.success
        assert "take the" in (made.error or "")
        assert page.get_by_label("Other").input_value() == ""

    @quick
    def test_press_on_what_takes_no_keys_is_an_error(self, attempt: Attempt, html: Html) -> None:
        """A key for one element is not given to another."""
        page = html("<input aria-label=Other><button disabled>Go</button>")
        page.get_by_label("Other").focus()
        made = attempt(on("press", "button", "Go", key="x"))
        assert "does not take the focus" in (made.error or "")
        assert page.get_by_label("Other").input_value() == ""

    def test_type_where_the_caret_is(self, attempt: Attempt, html: Html) -> None:
        """A caret that the field has already stays where it is."""
        page = html("<input aria-label=Name value=hello>")
        page.get_by_label("Name").focus()
        page.keyboard.press("Home")
        assert attempt(on("type", "textbox", "Name", text="oh ")).success
        assert page.get_by_label("Name").input_value() == "oh hello"

    def test_type_into_an_editable_element(self, attempt: Attempt, html: Html) -> None:
        """The text comes behind what an editor holds."""
        page = html("<div contenteditable role=textbox aria-label=Note>old <b>text</b></div>")
        assert attempt(on("type", "textbox", "Note", text="!")).success
        assert page.get_by_label("Note").inner_text() == "old text!"

    def test_type_into_a_page_that_listens_itself(self, attempt: Attempt, html: Html) -> None:
        """Keys for the whole page are pressed, one by one."""
        page = html("<script>keys = []; onkeydown = (e) => keys.push(e.key)</script><h1>Game")
        assert attempt(call("press", key="g"), call("press", key="ArrowUp")).success
        assert page.evaluate("keys") == ["g", "ArrowUp"]

    def test_chords(self, attempt: Attempt, html: Html) -> None:
        """A chord is pressed as one."""
        page = html("<input aria-label=Name value=hello>")
        attempt(
            on("press", "textbox", "Name", key="ControlOrMeta+A"),
            call("press", key="Delete"),
            call("press", key="Shift+X"),
        )
        assert page.get_by_label("Name").input_value() == "X"

    def test_enter_sends_a_form(self, attempt: Attempt, webtask: Webtask, site: Site) -> None:
        """A key that leads to another page is waited for."""
        site.pages |= {
            "/": "<form action=/found><input aria-label=Search name=q>",
            "/found": "<h1>Found",
        }
        webtask.goto(site.url)
        attempt(on("fill", "textbox", "Search", text="mug"), call("press", key="Enter"))
        webtask.page.wait_for_url("**/found?q=mug")

    @pytest.mark.parametrize("where", [{}, {"element_id": "textbox-0"}])
    def test_an_unknown_key_is_an_error(
        self, attempt: Attempt, html: Html, where: dict[str, str]
    ) -> None:
        """The error names the key and gives an example."""
        html("<input aria-label=Name autofocus>")

        def press(turn: Turn) -> Any:
            assert turn.observation.elements
            return call("press", key="Return+Foo", **where)

        error = attempt(press).error or ""
        assert error == (
            "there is no key 'Return+Foo'; keys are named as in Enter, ArrowDown, a, Control+A"
        )


class TestSelect:
    SIZES = "<select aria-label=Size><option>S<option> M <option value=large>L<option disabled>XL</select>"

    def test_by_label(self, attempt: Attempt, html: Html) -> None:
        """Options are chosen by what a user reads."""
        page = html(self.SIZES)
        assert attempt(on("select_option", "combobox", "Size", options=["M"])).success
        assert attempt(on("select_option", "combobox", "Size", options=["L"])).success
        assert page.get_by_label("Size").input_value() == "large"

    def test_several(self, attempt: Attempt, html: Html) -> None:
        """A multiple select holds exactly what was asked for."""
        page = html(
            "<select multiple aria-label=Tags><option selected>a<option>b<option>c</select>"
        )
        assert attempt(on("select_option", "listbox", "Tags", options=["b", "c"])).success
        chosen = page.locator("select").evaluate("e => [...e.selectedOptions].map(o => o.label)")
        assert chosen == ["b", "c"]

    def test_several_of_a_single_select_are_refused(self, attempt: Attempt, html: Html) -> None:
        """Where one can be chosen, two are an error and nothing is chosen."""
        page = html(self.SIZES)
        made = attempt(on("select_option", "combobox", "Size", options=["M", "L"]))
        assert made.error == "only one option can be chosen here"
        assert page.get_by_label("Size").input_value() == "S"

    def test_an_unknown_option_lists_the_options(self, attempt: Attempt, html: Html) -> None:
        """The error says what there is."""
        html(self.SIZES)
        made = attempt(on("select_option", "combobox", "Size", options=["XXL"]))
        assert made.error == "there is no option 'XXL'; there are 'S', 'M', 'L', 'XL'"

    @quick
    def test_a_disabled_option_is_refused(self, attempt: Attempt, html: Html) -> None:
        """An option that a user could not choose is not chosen."""
        page = html(self.SIZES)
        assert "not enabled" in (
            attempt(on("select_option", "combobox", "Size", options=["XL"])).error or ""
        )
        assert page.get_by_label("Size").input_value() == "S"

    def test_what_is_no_select_is_an_error_with_advice(self, attempt: Attempt, html: Html) -> None:
        """A drawn list is operated by clicks."""
        html("<div role=combobox tabindex=0 aria-label=Size>M</div>")
        made = attempt(on("select_option", "combobox", "Size", options=["M"]))
        assert made.error == "this is not a native select: click it, then click the option"


class TestCheck:
    def test_a_checkbox(self, attempt: Attempt, html: Html) -> None:
        """A box is checked and unchecked; one that is as wanted is left alone."""
        page = html("<label><input type=checkbox onchange='n = (window.n || 0) + 1'> Agree</label>")
        for wanted in (True, True, False):
            assert attempt(on("check", "checkbox", "Agree", checked=wanted)).success
            assert page.get_by_label("Agree").is_checked() is wanted
        assert page.evaluate("n") == 2

    @pytest.mark.parametrize(
        "markup",
        [
            "<label><input type=checkbox style='opacity:0;width:0;height:0'><i>◻</i> Agree</label>",
            "<label style='position:relative'><input type=checkbox style='position:absolute;left:-9999px'>"
            "<i>◻</i> Agree</label>",
            "<input type=checkbox id=a style='opacity:0;position:absolute;width:1px;height:1px'>"
            "<label for=a style='display:block;padding:9px'>Agree</label>",
            "<input type=checkbox id=a style='position:absolute;left:-9999px'><label for=a>Agree</label>",
            "<style>input { position: absolute; opacity: 0; inset: 0 } i { position: absolute; inset: 0 }"
            "</style><label style='position:relative;display:block;width:90px;height:30px'>"
            "<input type=checkbox><i></i> Agree</label>",
        ],
        ids=["no size", "far left", "label beside", "far left, label beside", "covered"],
    )
    def test_a_box_that_its_label_draws(self, attempt: Attempt, html: Html, markup: str) -> None:
        """A hidden box is checked through what a user sees of it."""
        page = html(markup)
        made = attempt(on("check", "checkbox", "Agree"))
        assert made.success, made.error
        assert page.locator("input").is_checked()

    def test_a_box_without_a_picture_of_its_own(self, attempt: Attempt, html: Html) -> None:
        """A box that is not displayed at all is operated through its label."""
        page = html("<label><input type=checkbox style='display:none'><i>◻</i> Agree</label>")

        def press(turn: Turn) -> Any:
            (only,) = turn.observation.elements
            return call("check", element_id=only)

        made = attempt(press)
        assert made.success, made.error
        assert page.locator("input").is_checked()

    def test_a_switch(self, attempt: Attempt, html: Html) -> None:
        """A drawn switch is known by its `aria-checked`."""
        page = html(
            '<div role=switch tabindex=0 aria-checked=false aria-label=Dark onclick="'
            "this.setAttribute('aria-checked', this.getAttribute('aria-checked') == 'false')\">x</div>"
        )
        assert attempt(on("check", "switch", "Dark")).success
        assert page.get_by_role("switch").get_attribute("aria-checked") == "true"

    def test_a_switch_that_takes_its_time(self, attempt: Attempt, html: Html) -> None:
        """A state that the server confirms first is waited for, with one click only."""
        page = html(
            '<div role=switch tabindex=0 aria-checked=false aria-label=Dark onclick="n = (window.n || 0) + 1;'
            "setTimeout(() => this.setAttribute('aria-checked', 'true'), 400)\">x</div>"
        )
        made = attempt(on("check", "switch", "Dark"))
        assert made.success, made.error
        assert page.evaluate("n") == 1

    def test_a_box_that_vanishes_when_it_is_checked(self, attempt: Attempt, html: Html) -> None:
        """A finished entry leaves its list: its twin is not checked in its place."""
        page = html(
            '<label><input type=checkbox onchange="this.parentElement.remove();'
            "document.body.insertAdjacentHTML('beforeend', '<label><input type=checkbox> Water plants')\">"
            " Water plants</label>"
        )
        made = attempt(on("check", "checkbox", "Water"))
        assert made.result == "it was clicked, and is no longer on the page"
        assert not page.locator("input").is_checked()

    def test_a_label_with_a_link(self, attempt: Attempt, html: Html) -> None:
        """Checking a box through its label does not follow the link that stands in the label."""
        page = html(
            "<label><input type=checkbox style='display:none'> I accept the"
            " <a href='#terms'>terms and conditions of this shop</a></label>"
        )
        made = attempt(on("check", "checkbox", "accept"))
        assert made.success, made.error
        assert page.locator("input").is_checked()
        assert not page.url.endswith("#terms")

    def test_a_radio(self, attempt: Attempt, html: Html) -> None:
        """Choosing one leaves the other."""
        page = html(
            "<label><input type=radio name=a checked>A</label><label><input type=radio name=a>B</label>"
        )
        assert attempt(on("check", "radio", "B")).success
        assert page.get_by_label("B").is_checked()
        assert not page.get_by_label("A").is_checked()

    @pytest.mark.webtask(timeout=2)
    def test_a_box_that_refuses_is_an_error(self, attempt: Attempt, html: Html) -> None:
        """A click that changes nothing is no success."""
        html("<label><input type=checkbox onclick='return false'> Agree</label>")
        made = attempt(on("check", "checkbox", "Agree"))
        assert made.error == "it was clicked, but its state did not change"

    def test_what_is_no_box_is_an_error(self, attempt: Attempt, html: Html) -> None:
        """A button has no state to set."""
        html("<button>Go</button>")
        assert "Not a checkbox" in (attempt(on("check", "button", "Go")).error or "")


class TestMouse:
    def test_hover_opens_a_menu(self, attempt: Attempt, html: Html) -> None:
        """What appears under the mouse can be clicked afterwards."""
        page = html(
            "<style>ul { display: none } nav:hover ul { display: block }</style>"
            "<nav><button>Menu</button><ul><li><button onclick='hit = true'>Log out</button></ul></nav>"
        )
        assert attempt(on("hover", "button", "Menu"), on("click", "button", "Log out")).success
        assert page.evaluate("hit")

    def test_a_field_that_fills_itself_again_is_not_cleared(
        self, attempt: Attempt, html: Html
    ) -> None:
        """What a user would see at once is not passed over."""
        html("<input value=ab oninput=\"this.value='ab'\">")
        made = attempt(on("fill", "textbox", text=""))
        assert made.error == "the field was cleared, but it now holds 'ab'"

    def test_a_field_may_write_it_in_its_own_form(self, attempt: Attempt, html: Html) -> None:
        """Spaces in a card number and capital letters are the page's own affair."""
        html(
            "<input oninput=\"this.value = this.value.toUpperCase().replace(/(..)(?=.)/, '$1 ')\">"
        )
        assert attempt(on("fill", "textbox", text="ab12")).success

    def test_a_list_that_changes_back_is_an_error(self, attempt: Attempt, html: Html) -> None:
        """What is chosen in the end counts."""
        html("<select onchange=\"this.value = 'S'\"><option>S<option>M</select>")
        made = attempt(on("select_option", "combobox", options=["M"]))
        assert made.error == "it was chosen, but now 'S' is"

    def test_what_is_dragged_is_what_was_named(self, attempt: Attempt, html: Html) -> None:
        """Even where the target is far away, and the page scrolls while the mouse is down."""
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

        def drag(turn: Turn) -> Any:
            source, target = element(turn, "drag", "Item 17"), element(turn, "drag", "Item 0")
            return call("drag", element_id=source, to_element_id=target)

        assert attempt(drag).success
        assert page.evaluate("moved") == ["i17>i0"]

    def test_drag_and_drop(self, attempt: Attempt, html: Html) -> None:
        """HTML's own drag and drop reaches its target with its data."""
        page = html(
            """<div draggable=true id=a style="width:80px">Mug</div>
            <div id=b role=button tabindex=0 style="height:80px;width:200px">Basket</div><script>
            a.ondragstart = (e) => e.dataTransfer.setData("text/plain", "mug");
            b.ondragover = (e) => e.preventDefault();
            b.ondrop = (e) => { e.preventDefault(); b.textContent = e.dataTransfer.getData("text/plain"); };
            </script>"""
        )

        def drag(turn: Turn) -> Any:
            return call(
                "drag",
                element_id=element(turn, "drag"),
                to_element_id=element(turn, "button", "Basket"),
            )

        made = attempt(drag)
        assert made.success, made.error
        assert page.locator("#b").inner_text() == "mug"

    def test_dragging_with_pointer_events(self, attempt: Attempt, html: Html) -> None:
        """A handle that follows the pointer is moved through several points."""
        page = html(
            """<button id=h style="position:absolute;left:0;top:0;width:20px;height:20px">H</button>
            <button style="position:absolute;left:200px;top:0;width:20px;height:20px">T</button><script>
            let moves = 0, down = false;
            h.onpointerdown = (e) => { down = true; h.setPointerCapture(e.pointerId) };
            h.onpointermove = (e) => { if (down) { moves++; h.style.left = e.clientX - 10 + "px" } };
            h.onpointerup = () => { down = false };
            </script>"""
        )

        def drag(turn: Turn) -> Any:
            return call(
                "drag",
                element_id=element(turn, "button", "H"),
                to_element_id=element(turn, "button", "T"),
            )

        assert attempt(drag).success
        assert page.locator("#h").bounding_box()["x"] == pytest.approx(200, abs=2)  # type: ignore[index]
        assert page.evaluate("moves") >= 5

    CANVAS = """<canvas width=200 height=100 aria-label=Pad></canvas><script>
        const c = document.querySelector("canvas"); points = []; down = false;
        const at = (e) => points.push([e.type.slice(7), Math.round(e.offsetX), Math.round(e.offsetY)]);
        c.onpointerdown = (e) => { down = true; at(e) };
        c.onpointermove = (e) => { if (down) at(e) };
        c.onpointerup = (e) => { down = false; at(e) };
        </script>"""

    def test_drawing_on_a_canvas(self, attempt: Attempt, html: Html) -> None:
        """A line goes from point to point of one element."""
        page = html(self.CANVAS)

        def draw(turn: Turn) -> Any:
            pad = element(turn, "canvas")
            return call("drag", element_id=pad, to_element_id=pad, x=10, y=20, to_x=150, to_y=80)

        made = attempt(draw)
        assert made.success, made.error
        points = page.evaluate("points")
        assert points[0] == ["down", 10, 20]
        assert points[-1] == ["up", 150, 80]
        assert len(points) > 5

    def test_half_a_point_is_an_error(self, attempt: Attempt, html: Html) -> None:
        """A drag does not begin somewhere else for want of a coordinate."""
        page = html(self.CANVAS)

        def draw(turn: Turn) -> Any:
            pad = element(turn, "canvas")
            return call("drag", element_id=pad, to_element_id=pad, x=10, to_x=150, to_y=80)

        assert "x and y go together" in (attempt(draw).error or "")
        assert page.evaluate("points") == []

    def test_click_at_a_point(self, attempt: Attempt, html: Html) -> None:
        """A point inside of a canvas is clicked there."""
        page = html(self.CANVAS)
        assert attempt(on("click_at", "canvas", "Pad", x=33, y=44)).success
        assert page.evaluate("points[0]") == ["down", 33, 44]

    def test_a_point_outside_is_an_error(self, attempt: Attempt, html: Html) -> None:
        """The error says how large the element is."""
        page = html(self.CANVAS)
        made = attempt(on("click_at", "canvas", "Pad", x=201, y=5))
        assert made.error == "(201, 5) is outside the element, which is 200 by 100 pixels"
        assert page.evaluate("points") == []


class TestScroll:
    LONG = "<h1>Top</h1><div style='height: 4000px'></div><button>Bottom</button>"

    def test_an_element_into_view(self, attempt: Attempt, html: Html) -> None:
        """An element far below comes into the viewport."""
        page = html(self.LONG)
        assert attempt(on("scroll", "button", "Bottom")).success
        assert page.evaluate("scrollY") > 3000

    def test_the_page(self, attempt: Attempt, html: Html) -> None:
        """A direction scrolls by most of a screen, or by so many pixels."""
        page = html(self.LONG)
        assert attempt(call("scroll", direction="down")).result == ""
        assert page.evaluate("scrollY") == pytest.approx(0.8 * page.evaluate("innerHeight"), abs=2)
        assert attempt(call("scroll", direction="up", pixels=100)).success
        assert page.evaluate("scrollY") == pytest.approx(
            0.8 * page.evaluate("innerHeight") - 100, abs=2
        )

    def test_the_end_is_told(self, attempt: Attempt, html: Html) -> None:
        """Where nothing scrolls any more the model is told, so that it stops."""
        html(self.LONG)
        made = attempt(call("scroll", direction="up"))
        assert made.result == "it does not scroll further up"

    BOX = (
        "<div role=listbox aria-label=List tabindex=0 style='height:100px;width:200px;overflow:auto'>"
        "<div style='height:1000px'>many</div></div><div style='height:3000px'></div>"
    )

    def test_inside_a_box(self, attempt: Attempt, html: Html) -> None:
        """With an element and a direction the box scrolls, not the page."""
        page = html(self.BOX)
        assert attempt(on("scroll", "listbox", "List", direction="down", pixels=50)).result == ""
        assert page.locator("[role=listbox]").evaluate("e => e.scrollTop") == 50
        assert page.evaluate("scrollY") == 0

    def test_the_end_of_a_box_is_told(self, attempt: Attempt, html: Html) -> None:
        """A box at its end says so."""
        page = html(self.BOX)
        page.locator("[role=listbox]").evaluate("e => e.scrollTop = 2000")
        made = attempt(on("scroll", "listbox", "List", direction="down"))
        assert made.result == "it does not scroll further down"

    def test_a_page_that_scrolls_inside(self, attempt: Attempt, html: Html) -> None:
        """Where a part of the page takes the document's place, as in many applications, it scrolls."""
        page = html(
            "<style>body { margin: 0; height: 100vh; display: grid; grid: 60px 1fr / 200px 1fr; overflow: hidden }"
            "header { grid-column: span 2 } main { overflow: auto }</style><header>Bar</header>"
            "<nav>Menu</nav><main><div style='height:4000px'>many</div><button>End</button></main>"
        )
        assert attempt(call("scroll", direction="down", pixels=300)).result == ""
        assert page.locator("main").evaluate("e => e.scrollTop") == 300

    def test_neither_element_nor_direction_is_an_error(self, attempt: Attempt, html: Html) -> None:
        """The error says what is needed."""
        html(self.LONG)
        assert attempt(call("scroll")).error == "scroll takes an element_id, a direction, or both"


class TestUpload:
    def test_into_a_file_field(self, attempt: Attempt, html: Html, cv: Path) -> None:
        """A resource is given by its name, hidden field or not."""
        page = html("<input type=file aria-label=Resume style='display:none'>")
        made = attempt(on("upload", "file", "Resume", resources=["cv"]), resources={"cv": cv})
        assert made.success
        assert made.result == "uploaded cv"
        assert page.locator("input").evaluate("e => e.files[0].name") == "cv.txt"

    def test_through_a_button(
        self, webtask: Webtask, attempt: Attempt, html: Html, cv: Path
    ) -> None:
        """A button that opens a chooser takes the file, and the chooser is not reported as cancelled."""
        page = html(
            "<button onclick='field.click()'>Attach</button>"
            "<div hidden><input type=file id=field onchange='got = this.files[0].name'></div>"
        )
        made = attempt(on("upload", "button", "Attach", resources=["cv"]), resources={"cv": cv})
        assert made.success, made.error
        assert page.evaluate("got") == "cv.txt"
        assert webtask.state.steps[-1].iterations[0].events == ()

    @pytest.mark.webtask(timeout=2)  # it covers the click, which a busy machine takes a second for
    def test_a_button_that_opens_nothing_is_an_error(
        self, attempt: Attempt, html: Html, cv: Path
    ) -> None:
        """The button was clicked once, and the model is told that no chooser came."""
        page = html(
            "<button onclick='n = (window.n || 0) + 1; this.outerHTML = this.outerHTML'>Attach</button>"
        )
        made = attempt(on("upload", "button", "Attach", resources=["cv"]), resources={"cv": cv})
        assert made.error == "it was clicked, but no file chooser opened"
        assert page.evaluate("n") == 1

    def test_several(self, attempt: Attempt, html: Html, cv: Path, tmp_path: Path) -> None:
        """A multiple field takes several; a single one refuses them."""
        other = tmp_path / "photo.txt"
        other.write_text("x")
        page = html("<input type=file multiple aria-label=Many><input type=file aria-label=One>")
        files = {"resources": {"cv": cv, "photo": other}}
        assert attempt(on("upload", "file", "Many", resources=["cv", "photo"]), **files).success
        assert page.locator("input").first.evaluate("e => e.files.length") == 2
        made = attempt(on("upload", "file", "One", resources=["cv", "photo"]), **files)
        assert "single file" in (made.error or "")

    def test_an_unknown_resource_lists_the_known(
        self, attempt: Attempt, html: Html, cv: Path
    ) -> None:
        """Nothing but resources can be uploaded, paths of files least of all."""
        html("<input type=file aria-label=Resume>")
        made = attempt(
            on("upload", "file", "Resume", resources=["/etc/passwd"]), resources={"cv": cv}
        )
        assert made.error == "there is no resource '/etc/passwd' to upload; there are: cv"

    def test_a_missing_file_is_an_error_at_once(
        self, webtask: Webtask, html: Html, tmp_path: Path
    ) -> None:
        """The test's author is told which resource, before anything is done."""
        html("<input type=file aria-label=Resume>")
        with pytest.raises(UsageError, match="the resource 'cv' is missing: there is no file"):
            webtask.do("upload", resources={"cv": tmp_path / "gone.txt"})

    def test_a_file_that_vanished_is_told(
        self, attempt: Attempt, html: Html, cv: Path, model: Scripted
    ) -> None:
        """A file removed in the middle of a step is an error in words."""
        html("<input type=file aria-label=Resume>")

        def remove(turn: Turn) -> Any:
            cv.unlink()
            return call("upload", element_id=element(turn, "file"), resources=["cv"])

        made = attempt(remove, resources={"cv": cv})
        assert made.error == "the resource 'cv' is missing: there is no file cv.txt"


class TestWaitAndLook:
    def test_seconds(self, attempt: Attempt, html: Html) -> None:
        """A wait takes as long as it says."""
        html("hello")
        assert 0.3 <= attempt(call("wait", seconds=0.3)).time < 2

    def test_a_text(self, attempt: Attempt, html: Html) -> None:
        """It ends as soon as the text can be seen."""
        html(
            "<p></p><script>setTimeout(() => document.querySelector('p').textContent = 'Saved', 300)</script>"
        )
        made = attempt(call("wait", text="Saved", seconds=20))
        assert made.result == "'Saved' is shown"
        assert made.time < 5

    def test_a_hidden_text_is_not_seen(self, attempt: Attempt, html: Html) -> None:
        """Text that a user cannot see does not count."""
        html("<p hidden>Saved</p><p style='visibility:hidden'>Saved</p><script>'Saved'</script>")
        made = attempt(call("wait", text="Saved", seconds=0.3))
        assert made.error == "'Saved' could not be seen within 0.3 s"

    @pytest.mark.parametrize(
        ("markup", "text"),
        [
            ("not saved!", "Saved"),
            ("Unsaved", "saved"),
            ("Order 123", "Order 12"),
            ("Order 12.50", "Order 12"),
            ("<p>Order <span hidden>12</span>", "Order 12"),
            ("<div style='opacity:0'><p>Saved</div>", "Saved"),
            ("<p style='position:absolute; left:-9999px'>Saved", "Saved"),
            ("<div style='position:absolute; top:-9999px'><p>Saved</div>", "Saved"),
            ("<p style='position:absolute; width:1px; height:1px; overflow:hidden'>Saved", "Saved"),
            ("<div style='height:0; overflow:hidden'><p>Saved</div>", "Saved"),
            ("<iframe style='opacity:0' srcdoc='<p>Saved'></iframe>", "Saved"),
            ("<input value=Saved>", "Saved"),
        ],
    )
    def test_another_text_or_out_of_sight(self, html: Html, markup: str, text: str) -> None:
        """Neither a part of a word or number counts nor another case, nor what no user can see."""
        page = html(markup)
        page.wait_for_timeout(50 if "iframe" in markup else 0)
        assert not is_shown(page, text)

    @pytest.mark.parametrize(
        ("markup", "text"),
        [
            ("Order 12.", "Order 12"),
            ("<p>Order\n   <b>12</b>", "Order  12"),
            ("Hello<br>Saved", "Saved"),
            ("Saved <b>saved</b> <b>unsaved</b>", "Saved"),
            ("Order 12 <b>Order 123</b>", "Order 12"),
            ("<p style='text-transform:uppercase'>Saved", "Saved"),
            ("<p style='text-transform:uppercase'>Saved", "SAVED"),
            ("50% (off)/[x]", "50% (off)/[x]"),
            ("\u5df2\u4fdd\u5b58\u3057\u307e\u3057\u305f", "\u4fdd\u5b58"),
            ("<p style='margin-top:5000px'>Saved", "Saved"),
            (
                "<div id=s style='height:50px; overflow:auto'><p>Saved<p style='height:3000px'>"
                "</div><script>s.scrollTop = 2000</script>",
                "Saved",
            ),
            ("<input type=submit value=Saved>", "Saved"),
            ("<svg><text y=20>Saved</text></svg>", "Saved"),
            ("<iframe srcdoc='<p>Saved'></iframe>", "Saved"),
        ],
    )
    def test_a_text_in_sight(self, html: Html, markup: str, text: str) -> None:
        """Whole words count wherever scrolling brings them, however they are broken and drawn."""
        page = html(markup)
        page.wait_for_timeout(50 if "iframe" in markup else 0)
        assert is_shown(page, text)

    def test_an_empty_text(self, attempt: Attempt, html: Html) -> None:
        """To wait for nothing is an error, not a success."""
        html("hello")
        assert (
            attempt(call("wait", text=" ")).error
            == "the text ' ' is empty; give one that can be seen"
        )

    @pytest.mark.parametrize("seconds", [31, 0, -1])
    def test_it_is_capped(self, attempt: Attempt, html: Html, seconds: float) -> None:
        """No model waits for an hour."""
        html("hello")
        made = attempt(call("wait", seconds=seconds))
        assert not made.success
        assert "seconds" in (made.error or "")
        assert made.time < 1

    def test_look_at_an_element(self, attempt: Attempt, html: Html) -> None:
        """A text that the outline cuts is read whole."""
        html(f"<button>{'word ' * 100}</button>")
        assert attempt(on("look", "button")).result == ("word " * 100).strip()

    def test_look_at_a_part(self, attempt: Attempt, html: Html) -> None:
        """What was left out stands under a name."""
        html(f"<p>{'word ' * 100}</p>")

        def look(turn: Turn) -> Any:
            assert "part-1" in turn.observation.outline
            return call("look", part="part-1")

        assert attempt(look).result == ("word " * 100).strip()

    def test_an_unknown_part_is_an_error(self, attempt: Attempt, html: Html) -> None:
        """Parts have names of the outline."""
        html("hello")
        assert "there is no 'part-9'" in (attempt(call("look", part="part-9")).error or "")

    def test_look_at_the_page(self, attempt: Attempt, html: Html) -> None:
        """Without arguments it only has the page observed anew."""
        html("hello")
        assert attempt(call("look")).result == "the page is shown anew"


class Basket(BaseModel):
    """What a task may ask for."""

    items: list[str]
    total: float = Field(gt=0)


class Colour(Enum):
    """One of a few values."""

    RED = "red"
    BLUE = "blue"


class TestOutput:
    @pytest.mark.parametrize(
        ("wanted", "given", "expected"),
        [
            (int, 3, 3),
            (date, "2026-11-21", date(2026, 11, 21)),
            (str, "three", "three"),
            (bool, False, False),
            (list[str], ["a"], ["a"]),
            (list[str], [], []),
            (int | None, None, None),
            (dict[str, float], {"a": 1.5}, {"a": 1.5}),
            (Colour, "blue", Colour.BLUE),
            (Basket, {"items": ["mug"], "total": 18}, Basket(items=["mug"], total=18)),
        ],
    )
    def test_the_output_has_the_type_asked_for(
        self, webtask: Webtask, model: Scripted, html: Html, wanted: Any, given: Any, expected: Any
    ) -> None:
        """`do(output=...)` returns a validated value, falsy ones and None too."""
        html("hello")
        model.answers = [[call("set_output", output=given), done()]]
        assert webtask.do("read it", output=wanted).output == expected

    @pytest.mark.parametrize(("wanted", "given"), [(bool, "yes"), (int, "3"), (int, 3.0)])
    def test_an_output_of_a_like_type_goes_back_to_the_model(
        self, webtask: Webtask, model: Scripted, html: Html, wanted: type, given: Any
    ) -> None:
        """A word is no truth value and a text no number."""
        html("hello")
        model.answers = [call("set_output", output=given), call("abort", reason="no")]
        with pytest.raises(TaskFailed):
            webtask.do("tell", output=wanted)
        assert "called wrongly" in (model.turns[1].iterations[0].calls[0].error or "")

    def test_a_wrong_output_goes_back_to_the_model(
        self, webtask: Webtask, model: Scripted, html: Html
    ) -> None:
        """The model is told what was wrong, and answers again."""
        html("hello")
        model.answers = [
            call("set_output", output={"items": "mug", "total": -1}),
            call("set_output", output={"items": ["mug"], "total": 18}),
            done(),
        ]
        result = webtask.do("read the basket", output=Basket)
        error = result.session.iterations[0].calls[0].error or ""
        assert "output.items: Input should be a valid array, got 'mug'" in error
        assert "output.total: Input should be greater than 0" in error
        assert result.output == Basket(items=["mug"], total=18)

    def test_done_without_an_output_is_refused(
        self, webtask: Webtask, model: Scripted, html: Html
    ) -> None:
        """A task that asks for a value does not end without one."""
        html("hello")
        model.answers = [done(), call("set_output", output=3), done()]
        result = webtask.do("count", output=int)
        refused = result.session.iterations[0].calls[0]
        assert refused.error == "the task asks for a value: call set_output first"
        assert result.output == 3

    def test_an_output_is_not_read_off_a_page_nobody_has_seen(
        self, webtask: Webtask, model: Scripted, html: Html
    ) -> None:
        """In the batch of an action there is nothing yet to answer from."""
        html("<button>Go</button>")
        model.answers = [
            lambda t: [
                call("click", element_id=element(t, "button")),
                call("set_output", output=3),
            ],
            call("set_output", output=4),
            done(),
        ]
        result = webtask.do("count", output=int)
        assert not result.session.iterations[0].calls[1].success
        assert result.output == 4

    def test_the_last_output_counts_and_none_stays_from_before(
        self, webtask: Webtask, model: Scripted, html: Html
    ) -> None:
        """Each task has its own value."""
        html("hello")
        model.answers = [call("set_output", output=1), [call("set_output", output=2), done()]]
        assert webtask.do("count", output=int).output == 2
        model.answers = [done(), [call("set_output", output=3), done()]]
        assert webtask.do("count", output=int).output == 3

    def test_no_output_of_a_task_that_was_given_up(
        self, webtask: Webtask, model: Scripted, html: Html
    ) -> None:
        """A value given before giving up is not a result."""
        html("hello")
        model.answers = [call("set_output", output=1), call("abort", reason="no")]
        with pytest.raises(TaskFailed) as failed:
            webtask.do("count", output=int)
        assert failed.value.result.output is None
        assert failed.value.result.session.status is WorkerStatus.ABORTED

    def test_a_type_that_cannot_be_described_is_a_usage_error(
        self, webtask: Webtask, html: Html
    ) -> None:
        """The error names the type."""
        html("hello")
        with pytest.raises(UsageError, match="is not a type that pydantic can describe"):
            webtask.do("count", output=socket.socket)

    def test_there_is_no_set_output_without_a_type(
        self, webtask: Webtask, model: Scripted, html: Html
    ) -> None:
        """The model sees the tool only where a value is asked for."""
        html("hello")
        model.answers = [done()]
        assert webtask.do("look").output is None
        assert "set_output" not in [t.name for t in model.turns[0].tools]


class TestPoints:
    """What has no id is reached by its place in the visible part."""

    SPOTS = """<style>p { position: absolute; margin: 0; width: 60px; height: 40px }</style>
        <p style='left: 100px; top: 100px'>one</p><p style='left: 300px; top: 200px'>two</p><script>
        hits = [];
        for (const kind of ["mousedown", "mouseup", "click", "mouseover"])
          addEventListener(kind, (e) => hits.push(`${kind} ${e.target.textContent.slice(0, 3)}`));
        </script>"""

    def test_click_at_a_point(self, attempt: Attempt, html: Html) -> None:
        """The element that is there is clicked, and the record names it."""
        page = html(self.SPOTS)
        made = attempt(call("click_at", x=310, y=220))
        assert made.success
        assert "click two" in page.evaluate("hits")
        assert made.target and "two" in made.target.locator

    def test_hover_over_a_point(self, attempt: Attempt, html: Html) -> None:
        """The mouse is moved, and nothing is pressed."""
        page = html(self.SPOTS)
        assert attempt(call("hover", x=110, y=110)).success
        assert page.evaluate("hits").count("mouseover one") == 1
        assert "click one" not in page.evaluate("hits")

    def test_drag_from_point_to_point(self, attempt: Attempt, html: Html) -> None:
        """The press is at the one, the release at the other."""
        page = html(self.SPOTS)
        assert attempt(call("drag", x=110, y=110, to_x=310, to_y=220)).success
        hits = page.evaluate("hits")
        assert "mousedown one" in hits and "mouseup two" in hits

    def test_a_point_in_a_frame_and_a_shadow_root(
        self, attempt: Attempt, webtask: Webtask, site: Site
    ) -> None:
        """The innermost element is found, wherever it stands."""
        site.pages["/"] = (
            "<iframe style='border: 9px solid; padding: 5px; width: 300px' src=/f></iframe>"
        )
        site.pages["/f"] = (
            "<body style='margin: 0'><div id=host></div><script>"
            'host.attachShadow({mode: "open"}).innerHTML ='
            ' "<p style=margin:0;height:50px onclick=this.title=1>Deep</p>"</script>'
        )
        webtask.goto(f"{site.url}/")
        made = attempt(call("click_at", x=40, y=40))
        assert made.error is None
        assert webtask.page.frames[1].get_by_text("Deep").get_attribute("title") == "1"

    @pytest.mark.parametrize(
        ("given", "error"),
        [
            ({"x": 5000, "y": 5}, r"\(5000, 5\) is outside the visible part, which is 1280 by 720"),
            ({"x": -1, "y": 5}, "is outside the visible part"),
        ],
    )
    def test_a_point_outside_is_an_error(
        self, attempt: Attempt, html: Html, given: dict[str, float], error: str
    ) -> None:
        """The size of the visible part is told."""
        html(self.SPOTS)
        assert re.search(error, attempt(call("click_at", **given)).error or "")

    def test_neither_element_nor_point(self, attempt: Attempt, html: Html) -> None:
        """One of them is needed."""
        html(self.SPOTS)
        made = attempt(call("hover"))
        assert made.error == "give an element_id, or x and y of a point of the page"

    def test_a_point_in_a_frame_of_a_foreign_origin(
        self, attempt: Attempt, webtask: Webtask, site: Site
    ) -> None:
        """Nothing is done there."""
        site.pages["/"] = f"<iframe style='width: 300px' src='{site.foreign_url}/f'></iframe>"
        site.pages["/f"] = "<body onclick='fetch(\"/hit\")'>Foreign"
        webtask.goto(f"{site.url}/")
        made = attempt(call("click_at", x=60, y=60))
        assert "is not an allowed origin" in (made.error or "")
        assert "GET /hit" not in site.log
