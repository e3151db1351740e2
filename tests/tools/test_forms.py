"""The tools that fill in forms."""

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from pytest_webtask import UsageError
from pytest_webtask.run.webtask import Webtask
from pytest_webtask.testing import Answer, Find
from tests.scripted import Attempt, Html, call, described, on
from tests.site import Site

quick = pytest.mark.webtask(timeout=1.5)
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


COMPONENT = """<style>
.item { position: relative; width: 300px; min-height: 30px }
.clear { opacity: 0 }
.at { position: absolute; left: 0; top: 0; width: 20px; height: 20px; margin: 0 }
.ring { display: inline-block; width: 18px; height: 18px; border: 1px solid }
</style><script>
const turn = (e) => { const box = e.querySelector("input"); box.checked = !box.checked; };
</script>"""
COMPONENTS = {
    "box over the circle of a label": '<div class=item><input type=checkbox class="clear at" style="z-index: 1">'
    '<label style="display: block; padding-left: 30px; background: url(x.svg)">Milk</label></div>',
    "picture over the box in its label": "<label class=item style='display: block'><input type=checkbox aria-label=On"
    " class=at><b class='at ring' style='background: white'></b></label>",
    "label that is not bound": '<div class=item onclick="turn(this)"><input type=checkbox class="clear at" style="z-index: -1">'
    "<label class='at ring'></label><label>Milk</label></div>",
    "component around a box of no size": "<div class=item style='width: 40px' onclick='turn(this)'><input type=checkbox"
    " style='opacity: 0; width: 0; height: 0; margin: 0' onclick='event.preventDefault()'><span class='at ring'></span></div>",
    "box below the fold": "<p style='height: 3000px'></p><label class=item style='display: block'><input type=checkbox class=at>"
    "<b class='at ring' style='background: white'></b>Milk</label>",
}
COVERS = {
    "dialog": "<div role=dialog id=cover style='position: fixed; inset: 0; z-index: 9; background: #eee'>Cookies</div>",
    "button": "<button id=cover class=at style='z-index: 9; width: 60px; height: 30px' onclick='document.title = \"pressed\"'>x</button>",
}
COVER = """(cover) => {
  const place = document.querySelector(".item").getBoundingClientRect();
  document.body.insertAdjacentHTML("beforeend", cover);
  const button = document.querySelector("button#cover");
  if (button) button.style.cssText += `; left: ${place.left + scrollX}px; top: ${place.top + scrollY}px`;
}"""


# What a field holds that a text was filled in.
FILLED = {
    "number": ("type=number", "-3.5", "-3.5"),
    "date": ("type=date", "2026-12-31", "2026-12-31"),
    "time": ("type=time", "23:59", "23:59"),
    "date and time": ("type=datetime-local", "2026-12-31T23:59", "2026-12-31T23:59"),
    "month": ("type=month", "2026-12", "2026-12"),
    "color": ("type=color", "#ff8800", "#ff8800"),
    "range": ("type=range", "70", "70"),
    "email": ("type=email", "a@b.c", "a@b.c"),
    "telephone": ("type=tel", "+49 30 1", "+49 30 1"),
    "search": ("type=search", "mug", "mug"),
    "password": ("type=password", "geheim", "geheim"),
    "placeholder beside braces": ("", '{user}: {"a": 1}', 'dana: {"a": 1}'),
    "number that the page formats": ("oninput=\"if (this.value === '1200') this.value = '$1,200.00'\"", "1200", "$1,200.00"),
    "text that the page reformats": ("oninput=\"this.value = this.value.toUpperCase().replace(/(..)(?=.)/, '$1 ')\"", "ab12", "AB  12"),
}  # fmt: skip
REFUSED = {
    "malformed date": ("type=date", "31.12.2026", ""),
    "no number": ("type=number", "abc", ""),
    "too long": ("maxlength=4", "ABCDEF", "ABCD"),
    "letters in digits": ("oninput='this.value = this.value.replace(/[^0-9]/g, \"\")'", "D-10115", "10115"),
    "over the limit": ("oninput='if (+this.value > 100) this.value = 99'", "500", "99"),
    "takes a comma for the end of a chip": ("oninput='this.value = this.value.replace(/.*,/, \"\")'", "red,blue", "blue"),
    "loses the first letter": ("oninput='this.fresh ??= this.value = \"\"'", "Hello", "ello"),
    "refills itself": ("value=ab oninput='this.value = \"ab\"'", "", "ab"),
}  # fmt: skip
FIELD = described(":Field")
READONLY = "<input aria-label=Field value=old readonly>"
DISABLED = "<input aria-label=Field value=old disabled>"
BUTTON = "<button aria-label=Field"
EDITOR = "<div contenteditable role=textbox aria-label=Field>old <b>text</b></div>"


def held(page: Page) -> str:
    """What the field or editor holds."""
    return str(page.locator("[aria-label=Field]").evaluate("e => e.value ?? e.innerText"))


class TestFill:
    def test_fill_sends_key_and_input_events(self, attempt: Attempt, html: Html) -> None:
        """Listeners of the page get key and input events, also of an empty text, and the old text is gone."""
        page = html(f"<input aria-label=Field value=old>{LISTENER}")
        assert attempt(call("fill", FIELD, text="new")).success
        assert held(page) == "new"
        events = page.evaluate("heard")
        assert events.count("keydown") >= 3
        assert events.count("input") >= 3
        page.get_by_label("Field").blur()
        assert "change" in page.evaluate("heard.splice(0)")
        assert attempt(call("fill", FIELD, text="")).success
        assert held(page) == "" and "input" in page.evaluate("heard")

    def test_fill_takes_what_each_field_takes(self, attempt: Attempt, html: Html) -> None:
        """Each type of input takes its own kind of value, and a page may write it in its own way."""
        for case, (field, text, expected) in FILLED.items():
            page = html(f"<input aria-label=Field {field}>")
            outcome = attempt(call("fill", FIELD, text=text), data={"user": "dana"})
            assert (outcome.error or "", held(page)) == ("", expected), case
        page = html(EDITOR)
        assert attempt(call("fill", FIELD, text="new")).success
        assert held(page) == "new"

    def test_several_lines_stay_in_their_field(self, attempt: Attempt, html: Html) -> None:
        """A line break in a textarea is text, even where Enter would send it, and `fill` never presses Enter."""
        page = html(
            "<form onsubmit='sent = true; return false'><textarea aria-label=Note"
            " onkeydown=\"if (event.key == 'Enter') { event.preventDefault(); sent = true }\">"
            "</textarea><input aria-label=Next></form>"
        )
        assert attempt(on("fill", "textbox", "Note", text="one\n\ttwo")).success
        assert page.get_by_label("Note").input_value() == "one\n\ttwo"
        assert page.get_by_label("Next").input_value() == ""
        attempt(on("fill", "textbox", "Next", text="one\ntwo"))
        assert page.evaluate("window.sent") is None

    def test_field_that_holds_another_text_is_an_error(self, attempt: Attempt, html: Html) -> None:
        """The error shows the text that the field, or a script of the page, has left."""
        for field, text, left in REFUSED.values():
            html(f"<input aria-label=Field {field}>")
            error = attempt(call("fill", FIELD, text=text)).error or ""
            says = f'"Field" holds {left!r}, not {text!r}; see whether the page says why'
            assert error.endswith(says), field

    def test_fill_of_a_controlled_field(self, attempt: Attempt, html: Html) -> None:
        """A field whose framework resets the value with every event can be filled."""
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

    def test_fill_spreads_a_code_over_single_boxes(self, attempt: Attempt, html: Html) -> None:
        """Boxes that pass the focus on get one digit each."""
        box = "<input maxlength=1 oninput='this.value && this.nextElementSibling?.focus()' aria-label='{}'>"
        page = html("".join(map(box.format, ("Field", "2", "3", "4"))))
        assert attempt(call("fill", FIELD, text="1234")).success
        assert page.evaluate("[...document.querySelectorAll('input')].map(e => e.value)") == [
            *"1234"
        ]

    def test_long_text_is_not_typed_key_by_key(self, attempt: Attempt, html: Html) -> None:
        """Filling in 12,000 characters presses no key for any of them."""
        page = html("<textarea aria-label=Note onkeydown='document.title = event.key'></textarea>")
        attempt(on("fill", "textbox", "Note", text="abcde " * 2000))
        assert page.title() == "Test page"
        assert len(page.get_by_label("Note").input_value()) == 12_000


class TestTypeAndPress:
    def test_type_appends_where_the_caret_is(self, attempt: Attempt, html: Html) -> None:
        """Text comes after that of the field or editor, or where the focused one has its caret."""
        page = html("<input aria-label=Field value=hello>")
        assert attempt(call("type", FIELD, text=" world")).success
        assert held(page) == "hello world"
        page.get_by_label("Field").focus()
        page.keyboard.press("Home")
        assert attempt(call("type", FIELD, text="oh ")).success
        assert attempt(call("type", text="no ")).success
        assert held(page) == "oh no hello world"
        page = html(EDITOR)
        assert attempt(call("type", FIELD, text="!")).success
        assert held(page) == "old text!"

    def test_keys_are_pressed_alone_or_together(self, attempt: Attempt, html: Html) -> None:
        """Keys for the whole page are pressed one by one, those of a chord together."""
        page = html("<script>keys = []; onkeydown = (e) => keys.push(e.key)</script><h1>Game")
        assert attempt(call("press", key="g"), call("press", key="ArrowUp")).success
        assert page.evaluate("keys") == ["g", "ArrowUp"]
        page = html("<input aria-label=Field value=hello>")
        chord = call("press", FIELD, key="ControlOrMeta+A")
        attempt(chord, call("press", key="Delete"), call("press", key="Shift+X"))
        assert held(page) == "X"

    def test_type_without_a_focus_says_so(self, attempt: Attempt, html: Html) -> None:
        """The result says that no field has the focus; a tab moves no text into another field."""
        page = html("<input aria-label=Name><input aria-label=Next>")
        outcome = attempt(call("type", text="x"))
        assert outcome.result == "no field had the focus: the keys went to the page itself"
        assert "then press Tab" in (attempt(on("type", "textbox", "Name", text="a\tb")).error or "")
        assert page.get_by_label("Next").input_value() == ""

    @pytest.mark.parametrize("where", [[], [FIELD]])
    def test_unknown_key_is_an_error(self, attempt: Attempt, html: Html, where: list[Find]) -> None:
        """The error names the key."""
        html("<input aria-label=Field autofocus>")
        error = attempt(call("press", *where, key="Return+Foo")).error or ""
        assert 'Unknown key: "Foo"' in error

    @quick
    @pytest.mark.parametrize(
        ("field", "keys", "reason"),
        [
            (READONLY, call("fill", FIELD, text="new"), "element is not editable"),
            (DISABLED, call("fill", FIELD, text="new"), "element is not enabled"),
            (f"{BUTTON}>old</button>", call("fill", FIELD, text="new"), "not an <input>"),
            (DISABLED, call("type", FIELD, text="new"), "holds 'old', not|not take the focus"),
            (READONLY, call("type", FIELD, text="new"), "holds 'old', not|not take the focus"),
            (
                f"{BUTTON} disabled>old</button>",
                call("press", FIELD, key="x"),
                "not take the focus",
            ),
        ],
    )
    def test_element_that_takes_no_text_is_an_error(
        self, attempt: Attempt, html: Html, field: str, keys: Answer, reason: str
    ) -> None:
        """No read-only or disabled field or button is changed, nor gets another element its keys."""
        page = html(f"<input aria-label=Other>{field}")
        page.get_by_label("Other").focus()
        assert re.search(reason, attempt(keys).error or "")
        assert page.locator("[aria-label=Field]").evaluate("e => e.value || e.innerText") == "old"
        assert page.get_by_label("Other").input_value() == ""

    def test_type_into_a_focusable_board(self, attempt: Attempt, html: Html) -> None:
        """An element that takes keys and has no value is no field that refused the text."""
        page = html(
            "<div role=button tabindex=0>Board</div>"
            "<script>document.querySelector('div').onkeydown ="
            " (e) => document.title = (document.title + e.key).slice(-2)</script>"
        )
        typed = attempt(on("type", "button", "Board", text="ab"))
        assert typed.success, typed.error
        assert page.title() == "ab"

    def test_enter_waits_for_its_page(self, attempt: Attempt, webtask: Webtask, site: Site) -> None:
        """A key that opens another page returns when that page is loaded."""
        site.pages |= {
            "/": "<form action=/found><input aria-label=Search name=q>",
            "/found": "<h1>Found",
        }
        webtask.goto(site.url)
        attempt(on("fill", "textbox", "Search", text="mug"), call("press", key="Enter"))
        webtask.page.wait_for_url("**/found?q=mug")


class TestSelect:
    SIZES = "<select aria-label=Size><option>S<option> M <option value=large>L<option disabled>XL</select>"

    def test_select_option_takes_labels(self, attempt: Attempt, html: Html) -> None:
        """Options are chosen by their visible labels; a multiple select holds exactly the given ones."""
        page = html(
            f"{self.SIZES}<select multiple aria-label=Tags><option selected>a<option>b<option>c</select>"
        )
        assert attempt(on("select_option", "combobox", "Size", options=["M"])).success
        assert attempt(on("select_option", "combobox", "Size", options=["L"])).success
        assert page.get_by_label("Size").input_value() == "large"
        assert attempt(on("select_option", "listbox", "Tags", options=["b", "c"])).success
        chosen = page.get_by_label("Tags").evaluate("e => [...e.selectedOptions].map(o => o.label)")
        assert chosen == ["b", "c"]

    @quick
    @pytest.mark.parametrize(
        ("options", "problem"),
        [
            (["M", "L"], "the select accepts a single option: pass only one in `options`"),
            (["XXL"], "there is no option 'XXL'; choose one of: 'S', 'M', 'L', 'XL'"),
            (["XL"], "not enabled"),
        ],
    )
    def test_option_that_cannot_be_chosen_is_an_error(
        self, attempt: Attempt, html: Html, options: list[str], problem: str
    ) -> None:
        """The choice stays; where there is no such option, the error lists those of the select."""
        page = html(self.SIZES)
        error = attempt(on("select_option", "combobox", "Size", options=options)).error
        assert problem in (error or "")
        assert page.get_by_label("Size").input_value() == "S"

    def test_several_options_of_drawn_list_need_clicks(self, attempt: Attempt, html: Html) -> None:
        """The error says that a custom list is operated by clicks."""
        html("<div role=combobox tabindex=0 aria-label=Size>M</div>")
        outcome = attempt(on("select_option", "combobox", "Size", options=["M", "L"]))
        assert outcome.error == "the element is no native select: click it, then click the option"

    def test_part_of_option_lists_the_options_with_it(self, attempt: Attempt, html: Html) -> None:
        """An option beyond those that an outline lists is found by a part of it, and chosen by all of it."""
        options = "".join(f"<option>Place {i}" for i in range(90))
        page = html(f"<label>Place<select>{options}</select></label>")
        outcome = attempt(on("select_option", "combobox", "Place", options=["place 8"]))
        assert (outcome.error or "").startswith(
            "there is no option 'place 8'; choose one of those that contain it: 'Place 8', 'Place 80',"
        )
        assert "'Place 7'" not in (outcome.error or "")
        assert attempt(on("select_option", "combobox", "Place", options=["Place 80"])).success
        assert page.get_by_label("Place").input_value() == "Place 80"


DRAWN = {
    "not displayed": "<label><input type=checkbox style='display:none'><i>◻</i> Agree</label>",
    "far left": "<label style='position:relative'><input type=checkbox style='position:absolute;left:-9999px'>"
    "<i>◻</i> Agree</label>",
    "covered": "<style>input { position: absolute; opacity: 0; inset: 0 } i { position: absolute; inset: 0 }"
    "</style><label style='position:relative;display:block;width:90px;height:30px'>"
    "<input type=checkbox><i></i> Agree</label>",
    "link in the label": "<label><input type=checkbox style='display:none'> I accept the"
    " <a href='#terms'>terms and conditions of this shop</a></label>",
}


class TestCheck:
    def test_check_sets_boxes_and_radios(self, attempt: Attempt, html: Html) -> None:
        """A box is checked and unchecked, and not clicked if it has that state; one radio clears the other."""
        page = html(
            "<label><input type=checkbox onchange='n = (window.n || 0) + 1'> Agree</label>"
            "<label><input type=radio name=a checked>A</label><label><input type=radio name=a>B</label>"
        )
        for wanted in (True, True, False):
            assert attempt(on("check", "checkbox", "Agree", checked=wanted)).success
            assert page.get_by_label("Agree").is_checked() is wanted
        assert page.evaluate("n") == 2
        assert attempt(on("check", "radio", "B")).success
        assert page.get_by_label("B").is_checked()
        assert not page.get_by_label("A", exact=True).is_checked()

    @pytest.mark.parametrize("case", DRAWN)
    def test_check_of_box_drawn_by_its_label(self, attempt: Attempt, html: Html, case: str) -> None:
        """A hidden box is checked through its visible label, a link in which is not clicked."""
        page = html(DRAWN[case])
        outcome = attempt(
            lambda turn: call("check", element_id=next(iter(turn.observation.elements)))
        )
        assert outcome.success, outcome.error
        assert page.locator("input").is_checked()
        assert not page.url.endswith("#terms")

    @pytest.mark.parametrize("body", COMPONENTS.values(), ids=COMPONENTS)
    def test_check_clicks_where_a_box_is_drawn(
        self, attempt: Attempt, html: Html, body: str
    ) -> None:
        """A box that another part is drawn for is set by a click on that part."""
        page = html(COMPONENT + body)
        for wanted in (True, False):
            outcome = attempt(on("check", "checkbox", checked=wanted))
            assert outcome.success, outcome.error
            assert page.locator("input").is_checked() is wanted

    @quick
    @pytest.mark.parametrize("cover", COVERS.values(), ids=COVERS)
    @pytest.mark.parametrize("body", COMPONENTS.values(), ids=COMPONENTS)
    def test_check_of_a_covered_component_names_the_cover(
        self, attempt: Attempt, html: Html, body: str, cover: str
    ) -> None:
        """A box under a dialog or a button is not set, and the error names what covers it."""
        page = html(COMPONENT + body)
        page.evaluate(COVER, cover)
        outcome = attempt(on("check", "checkbox"))
        assert "cover" in (outcome.error or "") and "intercepts" in (outcome.error or "")
        assert not page.locator("input").is_checked()
        assert page.title() != "pressed"

    def test_check_waits_for_a_slow_switch(self, attempt: Attempt, html: Html) -> None:
        """A custom switch is set by its `aria-checked`, for whose change one click is given time."""
        page = html(
            '<div role=switch tabindex=0 aria-checked=false aria-label=Dark onclick="n = (window.n || 0) + 1;'
            "setTimeout(() => this.setAttribute('aria-checked', 'true'), 400)\">x</div>"
        )
        outcome = attempt(on("check", "switch", "Dark"))
        assert outcome.success, outcome.error
        assert page.get_by_role("switch").get_attribute("aria-checked") == "true"
        assert page.evaluate("n") == 1

    def test_check_of_a_vanishing_box_leaves_its_twin(self, attempt: Attempt, html: Html) -> None:
        """If a checked box leaves its list, an equal box that replaces it is not checked."""
        page = html(
            '<label><input type=checkbox onchange="this.parentElement.remove();'
            "document.body.insertAdjacentHTML('beforeend', '<label><input type=checkbox> Water plants')\">"
            " Water plants</label>"
        )
        outcome = attempt(on("check", "checkbox", "Water"))
        assert outcome.success, outcome.error
        assert not page.locator("input").is_checked()

    @pytest.mark.webtask(timeout=2)
    def test_check_without_effect_is_an_error(self, attempt: Attempt, html: Html) -> None:
        """A click that does not change the box is an error; a button has no state to set."""
        html("<label><input type=checkbox onclick='return false'> Agree</label><button>Go</button>")
        assert "Not a checkbox" in (attempt(on("check", "button", "Go")).error or "")
        outcome = attempt(on("check", "checkbox", "Agree"))
        assert outcome.error == 'checkbox "Agree" is not checked now; see whether the page says why'

    @pytest.mark.webtask(timeout=2)
    def test_check_of_a_box_that_shows_no_state_is_done_if_the_page_changed(
        self, stopped: Any, html: Html
    ) -> None:
        """A model that looks decides; the recording clicks the box and expects no state."""
        page = html(
            "<input type=checkbox aria-label='Select row' onclick=\"n.textContent = '1 row'; return false\">"
            "<p id=n role=status>none</p>"
        )
        [[ticked]] = stopped(on("check", "checkbox", "Select row"))
        assert ticked.success and "see whether that is meant" in (ticked.result or "")
        assert ticked.recorded == {"left": False}
        assert page.get_by_role("status").text_content() == "1 row"

    @pytest.mark.webtask(timeout=2)
    def test_check_recorded_without_a_state_awaits_none(self, attempt: Attempt, html: Html) -> None:
        """A replay clicks once, and its evidence decides; a box that shows the state is left alone."""
        page = html(
            "<input type=checkbox aria-label=Row onclick='n = (window.n ?? 0) + 1; return false'>"
            "<input type=checkbox aria-label=On checked onclick='n = 100'>"
        )
        ticked = attempt(on("check", "checkbox", "Row", left=False))
        assert ticked.success, ticked.error
        assert attempt(on("check", "checkbox", "On", left=False)).success
        assert page.evaluate("n") == 1


class TestUpload:
    def test_upload_into_a_file_field(self, attempt: Attempt, html: Html, cv: Path) -> None:
        """A resource is uploaded by its name, into visible and hidden fields."""
        page = html("<input type=file aria-label=Resume style='display:none'>")
        outcome = attempt(on("upload", "file", "Resume", resources=["cv"]), resources={"cv": cv})
        assert outcome.success
        assert outcome.result == "uploaded cv"
        assert page.locator("input").evaluate("e => e.files[0].name") == "cv.txt"

    def test_upload_through_a_button(
        self, webtask: Webtask, attempt: Attempt, html: Html, cv: Path
    ) -> None:
        """The chooser that a button opens takes the file and is not reported as canceled."""
        page = html(
            "<button onclick='field.click()'>Attach</button>"
            "<div hidden><input type=file id=field onchange='got = this.files[0].name'></div>"
        )
        outcome = attempt(on("upload", "button", "Attach", resources=["cv"]), resources={"cv": cv})
        assert outcome.success, outcome.error
        assert page.evaluate("got") == "cv.txt"
        assert webtask.state.steps[-1].iterations[0].events == ()

    @pytest.mark.webtask(timeout=2)  # it covers the click, which a busy machine takes a second for
    def test_button_without_chooser_fails(self, attempt: Attempt, html: Html, cv: Path) -> None:
        """The button is clicked once, and the error says that no chooser opened."""
        page = html(
            "<button onclick='n = (window.n || 0) + 1; this.outerHTML = this.outerHTML'>Attach</button>"
        )
        outcome = attempt(on("upload", "button", "Attach", resources=["cv"]), resources={"cv": cv})
        assert outcome.error == (
            "the element was clicked, but no file chooser opened; pass the id of the file field or of its"
            " button"
        )
        assert page.evaluate("n") == 1

    def test_upload_of_files(self, attempt: Attempt, html: Html, cv: Path, tmp_path: Path) -> None:
        """A multiple field takes several files, a single one refuses them; a path is no resource."""
        other = tmp_path / "photo.txt"
        other.write_text("x")
        page = html("<input type=file multiple aria-label=Many><input type=file aria-label=One>")
        files = {"resources": {"cv": cv, "photo": other}}
        assert attempt(on("upload", "file", "Many", resources=["cv", "photo"]), **files).success
        assert page.locator("input").first.evaluate("e => e.files.length") == 2
        outcome = attempt(on("upload", "file", "One", resources=["cv", "photo"]), **files)
        assert "single file" in (outcome.error or "")
        outcome = attempt(on("upload", "file", "One", resources=["/etc/passwd"]), **files)
        assert (
            outcome.error == "there is no resource '/etc/passwd' to upload; use one of: cv, photo"
        )

    def test_missing_file_is_an_error_before_the_task(
        self, webtask: Webtask, html: Html, tmp_path: Path
    ) -> None:
        """A usage error names the resource whose file does not exist."""
        html("<input type=file aria-label=Resume>")
        with pytest.raises(UsageError, match="the resource 'cv' is missing: there is no file"):
            webtask.do("upload", resources={"cv": tmp_path / "gone.txt"})
