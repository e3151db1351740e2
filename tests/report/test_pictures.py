"""A report in a browser: what works in it, without a server, and for whom."""

import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Dialog, Page, Request, expect

from pytest_webtask.report.html import HtmlReport, page_of
from pytest_webtask.report.view import Test
from pytest_webtask.types.agent import ToolCall
from tests.report import sample

pytestmark = pytest.mark.own_page

IDS = {test.id.partition("::")[2].partition("[")[0]: test.id for test in sample.tests()}
Visit = Callable[[str], Page]
JPEG = re.compile('^url."data:image/jpeg;base64')


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The sample report, in many files and in one that was moved away from its pictures."""
    made = {}
    for name in ("many", "one"):
        folder = tmp_path_factory.mktemp(name)
        sample.draw_pictures(folder)
        pages = HtmlReport(folder, inline=name == "one")
        made[name] = pages.write(sample.report(sample.tests()))
    alone = tmp_path_factory.mktemp("alone") / "mailed.html"
    shutil.move(made["one"], alone)
    return {**made, "one": alone}


@pytest.fixture
def visit(made: dict[str, Path], page: Page) -> Iterator[Visit]:
    """Opens the overview, or the page of a test; nothing may go wrong there nor be asked for."""
    faults: list[str] = []
    watch(page, faults)

    def open_page(test: str = "") -> Page:
        page.goto(address(made, test))
        return page

    yield open_page
    assert faults == []


def address(made: dict[str, Path], test: str = "") -> str:
    """The overview's, or that of the page of a test."""
    return (made["many"].parent / page_of(IDS[test]) if test else made["many"]).as_uri()


def watch(page: Page, faults: list[str]) -> None:
    """Notes errors, dialogs and what is asked for elsewhere."""

    def asked(request: Request) -> None:
        if not request.url.startswith(("file:", "data:")):
            faults.append(request.url)

    def opened(dialog: Dialog) -> None:
        faults.append(dialog.message)
        dialog.dismiss()

    page.on("request", asked)
    page.on("requestfailed", lambda request: faults.append(f"failed: {request.url}"))
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda line: faults.extend([line.text] * (line.type == "error")))
    page.on("dialog", opened)


def names(page: Page) -> list[str]:
    """The tests that the overview shows, in its order."""
    shown = page.locator("#list tbody tr:not([hidden]) .what .name").all_inner_texts()
    return [name.partition("[")[0] for name in shown]


# The overview


def test_column_is_sorted_by_keyboard(visit: Visit) -> None:
    """A key press sorts a column and announces it; a second one reverses the order."""
    page = visit("")
    head = page.get_by_role("columnheader", name="Time")
    head.get_by_role("button").focus()
    page.keyboard.press("Enter")
    expect(head).to_have_attribute("aria-sort", "descending")
    assert names(page)[0] == "test_aborts"
    page.keyboard.press("Space")
    expect(head).to_have_attribute("aria-sort", "ascending")
    assert names(page)[-1] == "test_aborts"
    assert page.locator("[aria-sort]").count() == 1


def test_list_without_details_is_dense(visit: Visit) -> None:
    """Without details each test is a line, without picture and problem."""
    page = visit("")
    row = page.get_by_role("row", name="test_two_mugs")
    full = row.bounding_box()
    page.get_by_role("button", name="Details").click()
    expect(row.locator(".moment")).to_be_hidden()
    expect(row.locator(".wrong")).to_be_hidden()
    dense = row.bounding_box()
    assert full is not None and dense is not None and dense["height"] < full["height"] / 2


def test_filters_narrow_the_list_together(visit: Visit) -> None:
    """Outcomes, deciders and words narrow the list together, and the number is shown."""
    page = visit("")
    page.get_by_role("group", name="Outcome").get_by_role("button", name="passed").click()
    passed = "passes healed judged value by_eye two_people".split()
    assert set(names(page)) == {f"test_{name}" for name in passed}
    page.get_by_role("group", name="decided").get_by_role("button", name="literal").click()
    assert names(page) == ["test_passes"]
    expect(page.get_by_role("status")).to_have_text("1 of 17 tests")
    page.get_by_role("button", name="passed").click()
    page.get_by_role("button", name="literal").click()
    page.get_by_role("searchbox").fill("cart (1) FLAKY")
    assert names(page) == ["test_flaky"]
    page.get_by_role("searchbox").fill("")
    page.get_by_role("button", name="rerun").click()
    assert names(page) == ["test_flaky"]


# The page of a test


def test_first_failed_step_is_in_view_and_linked(visit: Visit) -> None:
    """Only that step is open; the head has its picture, expected and actual text and a link to it."""
    page = visit("test_two_mugs")
    expect(page.locator(".step[open]")).to_have_count(1)
    expect(page.locator(".step[open] > summary")).to_contain_text("cart shows 2 items")
    expect(page.get_by_role("heading", name="What went wrong")).to_be_in_viewport()
    panel = page.get_by_role("region", name="What went wrong")
    expect(panel).to_contain_text("expected exactly")
    expect(panel.get_by_role("img")).to_have_js_property("complete", True)
    panel.get_by_role("link", name="Step 4").click()
    expect(page).to_have_url(re.compile("#a1-s4$"))


def test_picture_can_be_enlarged(visit: Visit) -> None:
    """A picture is shown larger in a dialog, which Escape closes."""
    page = visit("test_aborts")
    page.locator(".iter").nth(1).get_by_role("button", name="Enlarge").click()
    expect(page.get_by_role("dialog").get_by_role("img")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_hostile_texts_are_inert(visit: Visit) -> None:
    """No text of a page or a model is run or becomes markup of the report."""
    page = visit("test_hostile")
    page.get_by_role("button", name="Open all").click()
    assert page.locator("img[src=x]").count() == 0
    assert page.locator("script").count() == 1
    assert page.locator("[onerror]").count() == 0
    expect(page.get_by_role("heading", level=1)).to_contain_text("<img src=x onerror=alert(1)>")


# The steps in pictures


def step_shown(page: Page) -> str:
    """The sentence of the only open step, which has the focus and is current in the strip."""
    [shown] = page.locator(".step[open] > summary:focus .sentence").all_inner_texts()
    expect(page.locator(".step[open]")).to_have_count(1)
    expect(page.locator(".board [aria-current=step]")).to_contain_text(shown.split(maxsplit=1)[1])
    return shown


def test_arrow_keys_page_through_all_steps(visit: Visit) -> None:
    """One key for each step shows it large, focused and in view; after the last comes the first."""
    page = visit("test_passes")
    shown = []
    for _ in range(3):
        page.keyboard.press("ArrowRight")
        shown.append(step_shown(page))
        expect(page.locator(".step[open] > summary")).to_be_in_viewport()
    assert shown[0] == shown[2] == "goto /mugs"
    assert shown[1].startswith("do fill")
    page.keyboard.press("ArrowLeft")
    assert step_shown(page) == shown[1]
    expect(page).to_have_url(re.compile("#a1-s2$"))
    outline = "getComputedStyle(document.activeElement).outlineStyle"
    assert page.evaluate(outline) == "solid"


def test_paging_begins_at_the_failed_step(visit: Visit) -> None:
    """In a failed test the keys go on from the step that failed, and n of them show all n steps."""
    page = visit("test_pictured")
    expect(page.locator(".board [aria-current=step]")).to_contain_text("cart shows 2 items")
    shown = []
    for _ in range(3):
        page.keyboard.press("ArrowRight")
        shown.append(step_shown(page))
    assert shown == ["goto /mugs", "do add two mugs", "verify cart shows 2 items"]


def test_thumbnail_opens_its_step(visit: Visit) -> None:
    """A click shows the step with before and after beside each other, and marks at their places."""
    page = visit("test_pictured")
    strip = page.get_by_role("navigation", name="Steps in pictures")
    strip.get_by_role("link", name="add two mugs").click()
    assert step_shown(page) == "do add two mugs"
    before, after = page.locator(".step[open] .frame").all()
    one, two = before.bounding_box(), after.bounding_box()
    assert one and two and one["y"] == two["y"] and one["x"] + one["width"] < two["x"]
    box = before.locator("rect").first.bounding_box()
    assert box is not None
    scale = one["width"] / 1280
    assert abs(box["x"] - one["x"] - 436 * scale) < 4
    assert abs(box["width"] - 200 * scale) < 4


def test_arrow_keys_of_inputs_and_dialogs_stay_theirs(visit: Visit) -> None:
    """While a picture is enlarged, arrow keys do not change the step behind it."""
    page = visit("test_pictured")
    page.locator(".step[open]").get_by_role("button", name="Enlarge").first.click()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Escape")
    expect(page.locator(".step[open] > summary")).to_contain_text("cart shows 2 items")


def test_arrow_keys_stay_in_the_test_of_a_single_file(made: dict[str, Path], page: Page) -> None:
    """In the report in one file the keys page through the test that is shown, and only that."""
    page.goto(made["one"].as_uri())
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("heading", level=1)).to_have_text("8 of 17 tests failed")
    page.get_by_role("row").get_by_role("link", name="test_passes").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("test_passes[chromium]")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    opened = page.locator("article.here .step[open] > summary:focus")
    expect(opened).to_contain_text("fill")
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_have_text("test_passes[chromium]")


def test_strip_without_script_has_all_pictures(made: dict[str, Path], browser: Browser) -> None:
    """Without JavaScript the strip lists all pictures, each of which leads to its step."""
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(address(made, "test_pictured"))
    pictures = page.locator(".board img")
    expect(pictures).to_have_count(3)
    for picture in pictures.all():
        picture.scroll_into_view_if_needed()
        expect(picture).to_have_js_property("naturalWidth", 1280)
    page.get_by_role("link", name="add two mugs").click()
    expect(page.get_by_text('click button "Add to cart" in item "Tall Mug"')).to_be_in_viewport()
    expect(page.locator(".step[open] rect").first).to_be_visible()
    context.close()


# Everybody, everywhere


PAGES = ["two_mugs", "aborts", "judged", "undecided", "pictured"]


@pytest.mark.parametrize("test", ["", *PAGES, "long"])
def test_pages_fit_a_phone(visit: Visit, page: Page, test: str) -> None:
    """No page is wider than 360 pixels."""
    page.set_viewport_size({"width": 360, "height": 720})
    visit(test and f"test_{test}")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


@pytest.mark.parametrize("width", [1280, 390])
def test_checks_of_a_checkpoint_are_below_its_note(tmp_path: Path, page: Page, width: int) -> None:
    """The number, the note and the checks of a checkpoint are aligned with those of other calls."""
    held = sample.checked("text", 'row "Total"', '"2 items"', holds=True)
    note = {"note": "what the cart says, before it is sent"}
    checked = ToolCall(tool="confirm", parameters=note, success=True, time=0.2, evidence=(held,))
    step = sample.replayed(1, "do", "buy it", sample.click(), checked)
    test = Test(id="a", outcome="passed", attempts=[sample.attempt("passed", step)])
    HtmlReport(tmp_path).write(sample.report([test]))
    page.set_viewport_size({"width": width, "height": 800})
    page.goto((tmp_path / page_of("a")).as_uri())
    page.get_by_role("button", name="Open all").click()
    lines = page.locator(".scene .lines > li")
    expect(lines).to_have_count(2)
    note_box = lines.nth(1).get_by_text("what the cart says").bounding_box()
    call_box = lines.nth(0).locator("> span").nth(1).bounding_box()
    check_box = lines.nth(1).get_by_role("listitem").bounding_box()
    assert note_box and call_box and check_box
    assert note_box["x"] == check_box["x"] == pytest.approx(call_box["x"], abs=1)
    assert check_box["y"] >= note_box["y"] + note_box["height"] - 1


def test_report_works_without_script(made: dict[str, Path], browser: Browser) -> None:
    """Without JavaScript all content is readable, and controls that need it are hidden."""
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(address(made))
    expect(page.get_by_role("row", name="test_flaky")).to_be_visible()
    expect(page.get_by_role("searchbox")).to_be_hidden()
    page.goto(address(made, "test_aborts"))
    expect(page.locator(".iter img").first).to_be_visible()
    expect(page.get_by_text("Timeout 5000ms exceeded.")).to_be_visible()
    expect(page.get_by_role("button", name="Enlarge").first).to_be_hidden()
    page.goto(made["one"].as_uri())
    for thumbnail in page.locator(".board img, .moment img").all():
        expect(thumbnail).to_have_css("background-image", JPEG)
    expect(page.get_by_text("not known").first).to_be_visible()
    expect(page.get_by_role("heading", name="test_aborts")).to_be_visible()
    context.close()


def test_single_file_report_is_complete(made: dict[str, Path], page: Page) -> None:
    """The report in one file shows overview, tests and pictures."""
    faults: list[str] = []
    watch(page, faults)
    page.goto(made["one"].as_uri())
    expect(page.get_by_role("heading", level=1)).to_have_text("8 of 17 tests failed")
    page.get_by_role("row").get_by_role("link", name="test_aborts").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("test_aborts")
    expect(page.get_by_role("heading", name="What went wrong")).to_be_in_viewport()
    pictures = page.locator("article.here img:visible")
    expect(pictures).to_have_count(6)
    for picture in pictures.all():
        picture.scroll_into_view_if_needed()
        expect(picture).to_have_js_property("naturalWidth", 1280)
        expect(picture).to_have_css("background-image", JPEG)
    page.get_by_role("link", name="Skip").press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("test_aborts")
    page.get_by_role("link", name="All tests").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("8 of 17 tests failed")
    assert faults == []
    assert made["one"].read_text("utf-8").count("data:image/jpeg") == 4


@pytest.mark.long
@pytest.mark.parametrize("test", ["", *PAGES, "by_eye"])
def test_pages_pass_axe(visit: Visit, page: Page, test: str) -> None:
    """Axe finds no violation in either theme, with all steps open."""
    visit(test and f"test_{test}")
    if test:
        page.get_by_role("button", name="Open all").click()
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        found = Axe().run(page, options={"preload": False}).response["violations"]
        assert [(each["id"], [node["target"] for node in each["nodes"]]) for each in found] == []
