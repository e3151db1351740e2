"""Tests that exported steps act and check as the recorded ones did."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from pytest_webtask.export.statements import code_of
from pytest_webtask.journal import JournalEvent, StepEnded
from pytest_webtask.journal.schema import StepTrace
from tests.recordings.made import STATUS, Line, call, check, export, line, step, target
from tests.recordings.shown import CALLS, CHECKS, FORM, GO, INPUT, ITEMS, NAME, PAGE
from tests.site import Site

Show = Callable[[str], Page]


@pytest.fixture
def run() -> Iterator[Callable[..., None]]:
    """Export journal lines or steps with their data, and run the test on a page."""

    def run(page: Page, *lines: Line | JournalEvent, **data: str) -> None:
        journal = [
            each if isinstance(each, JournalEvent) else line(each, number, data=data)
            for number, each in enumerate(lines, 1)
        ]
        text = export(*journal)
        namespace: dict[str, Any] = {}
        exec(compile(text, "exported.py", "exec"), namespace)
        namespace["test_it"](page)

    expect.set_options(timeout=400)
    yield run
    expect.set_options(timeout=5000)


def lines_of(*calls: Line, **more: Any) -> list[str]:
    """Return the code of a step without its comment."""
    return code_of(StepTrace.model_validate(step(*calls, **more)))[1:]


@pytest.mark.parametrize("name", CALLS)
def test_mouse_calls_act_as_recorded(html: Show, run: Callable[..., None], name: str) -> None:
    """Exported clicks, hovers, dialogs and scrolling have the recorded effect."""
    page = html(FORM)
    recorded_call, expected = CALLS[name]
    run(page, step(recorded_call), user="Ann")
    page.wait_for_function("what => document.title.includes(what)", arg=expected, timeout=2000)


def test_form_calls_fill_fields_as_recorded(html: Show, run: Callable[..., None]) -> None:
    """Fields are filled, typed into, selected and checked as recorded."""
    page = html(FORM)
    run(
        page,
        step(
            call("fill", NAME, text="{user}"),
            call("type", target(NAME, tag="input"), text=" the 1st"),
            call("type", target('get_by_label("Notes")', tag="textarea"), text=" two"),
            call("press", 'get_by_label("Notes")', key="Enter"),
            call("type", text="three"),
            call("select_option", 'get_by_label("Colour")', options=["Blue"]),
            call("select_option", 'get_by_label("Many")', options=["A", "C"]),
            call("check", 'get_by_label("Yes")'),
            call("check", 'get_by_label("No", exact=True)', checked=False),
            call("wait", seconds=2.0),
        ),
        user="Ann",
    )
    expect(page.get_by_label("Name")).to_have_value("Ann the 1st")
    expect(page.get_by_label("Notes")).to_have_value("one two\nthree")
    expect(page.get_by_label("Colour")).to_have_value("Blue")
    expect(page.get_by_label("Many")).to_have_values(["A", "C"])
    expect(page.get_by_label("Yes")).to_be_checked()
    expect(page.get_by_label("No", exact=True)).not_to_be_checked()


def test_upload_uses_path_of_resource(html: Show, run: Callable[..., None], tmp_path: Any) -> None:
    """A file is set on a field, or on the chooser that a button opens."""
    page = html(FORM)
    field = target('get_by_label("File", exact=True)', tag="input", type="file")
    chooser = target('get_by_role("button", name="Choose a file")')
    for name, where in (("one.txt", field), ("two.txt", chooser)):
        (tmp_path / name).write_text("mug")
        recorded_step = step(call("upload", where, resources=["my mug"]))
        run(page, line(recorded_step, resources={"my mug": str(tmp_path / name)}))
    expect(page).to_have_title("Test page one.txt two.txt")


def test_drag_ends_at_the_recorded_point(html: Show, run: Callable[..., None]) -> None:
    """A drag from element to element, or within one, ends where it did."""
    boxes = """<style>body { user-select: none; margin: 0 }
          div { width: 90px; height: 90px }</style>
        <script>var from = ""</script>
        <div role=img aria-label=A onmousedown="from = 'A'"
          onmouseup="document.title = `${event.offsetX},${event.offsetY}`"></div>
        <div role=img aria-label=B onmouseup="document.title = from + ' on B'"></div>"""
    page = html(boxes)
    one, two = (target(f'get_by_role("img", name="{name}")') for name in "AB")
    drag = {"tool": "drag", "targets": {"element_id": one, "to_element_id": two}}
    run(page, step(drag))
    expect(page).to_have_title("A on B")
    drawn = {"x": 10, "y": 10, "to_x": 60, "to_y": 70}
    targets = {"element_id": one, "to_element_id": one}
    run(page, step({"tool": "drag", "parameters": drawn, "targets": targets}))
    expect(page).to_have_title("60,70")


@pytest.mark.parametrize("kind", sorted({evidence["check"]["kind"] for evidence, _ in CHECKS}))
def test_checks_hold_as_recorded(html: Show, run: Callable[..., None], kind: str) -> None:
    """An exported check of each kind passes and fails on the pages where the recorded one does."""
    page = html(PAGE)
    data = {"user": "Ann", "three": "3"}
    so = [evidence for evidence, holds in CHECKS if holds and evidence["check"]["kind"] == kind]
    run(page, step(kind="verify", evidence=so), **data)
    expect.set_options(timeout=100)
    for evidence, holds in CHECKS:
        if not holds and evidence["check"]["kind"] == kind:
            with pytest.raises(AssertionError, match=r"expected (not )?to"):
                run(page, step(kind="verify", evidence=[evidence]), **data)


FITS = ("/users/{user}", "/users/{user}?tab=1", "/users/*?tab=1", "{user}?tab=1", "?tab=1", "*tab=1",
        "http://*/users/{user}?tab=1")  # fmt: skip
DIFFERS = ("/users/{user}?tab=2", "/{user}?tab=1", "ab=1", "http://{user}?tab=1")


def test_url_check_matches_as_recorded(page: Page, site: Site, run: Callable[..., None]) -> None:
    """A path is matched as a whole, `*` matches anything, and a dot only a dot."""
    site.pages["/users/a.b"] = "hello"
    page.goto(f"{site.url}/users/a.b?tab=1")
    run(
        page,
        step(kind="verify", evidence=[check("url", pattern=each) for each in FITS]),
        user="a.b",
    )
    expect.set_options(timeout=100)
    for pattern in DIFFERS:
        with pytest.raises(AssertionError):
            run(page, step(kind="verify", evidence=[check("url", pattern=pattern)]), user="a.b")


def test_tab_calls_follow_tabs(page: Page, site: Site, run: Callable[..., None]) -> None:
    """Tabs are found by number and title, brought to the front and closed."""
    site.pages["/"] = "<title>Shop</title><a href=/terms target=_blank>Terms</a><p id=p>shop"
    site.pages["/terms"] = "<title>Terms of trade</title><h1>Our terms</h1>"
    page.goto(site.url)
    heading = check("text", 'get_by_role("heading")', text="Our terms", exact=True)
    run(
        page,
        step(
            call("click", 'get_by_role("link", name="Terms")', loads=True),
            call("switch_tab", tab="terms of"),
            evidence=[heading, check("title", text="Shop", tab=1)],
        ),
        step(call("switch_tab", tab="1"), evidence=[{**heading, "tab": 2}]),
        step(
            call("click", 'get_by_role("link", name="Terms")'),
            call("switch_tab", tab="3"),
            call("close_tab"),
            call("switch_tab", tab="1"),
            evidence=[check("text", 'locator("#p")', text="shop")],
        ),
    )
    assert len(page.context.pages) == 2


def test_click_waits_for_its_page_to_load(page: Page, site: Site, run: Callable[..., None]) -> None:
    """The next call acts on the new page even if the old one has the same button, also where a script draws it."""
    button = '<button onclick="setTimeout(() => {}, 400)">Next</button>'
    drawn = "(history.pushState(0, 0, '/three'), document.body.remove(), document.title = 'Third')"
    site.pages["/"] = "<title>First</title>" + button.format("location = '/two'")
    site.pages["/two"] = "<title>Second</title>" + button.format(drawn)
    page.goto(site.url)
    following = call("click", 'get_by_role("button", name="Next")', loads=True)
    run(page, step(following, following, evidence=[check("absent", role="button")]))
    expect(page).to_have_title("Third")


def test_locator_names_the_row_and_no_date() -> None:
    """Of the locators of an element the one counts that names its row, then one without a date, then without a place."""
    row, draft = {"containers": [{"kind": "row", "name": "Ann"}]}, 'get_by_text("Draft 30.11.2026")'
    codes = ['locator("tr > td")', 'get_by_text("Delete")', 'get_by_text("Ann")']
    for locators, pinned, at in ((codes, row, 2), (codes, {}, 1), ([draft, codes[0]], {}, 1)):
        [written] = lines_of(call("click", {"locators": locators, "pinned": pinned}))
        assert written == f"page.{locators[at]}.click()"


def test_locators_enter_frames(page: Page, site: Site, run: Callable[..., None]) -> None:
    """Elements in frames are found by recorded chains."""
    site.pages["/"] = "<iframe name=pay src=/pay?x=1></iframe><iframe src=/pay></iframe>"
    site.pages["/pay"] = "<label>Card <input required aria-invalid=true></label>"
    page.goto(site.url)
    chain = 'locator("iframe[name=pay]").content_frame.get_by_label("Card")'
    checks = [
        check("value", target(chain, **INPUT), value="1"),
        check("state", chain, state="invalid"),
    ]
    run(page, step(call("fill", chain, text="1")), step(kind="verify", evidence=checks))


def test_wait_becomes_a_timeout(html: Show, run: Callable[..., None]) -> None:
    """A wait for a text keeps its timeout; a plain wait stays one."""
    page = html("<p id=p></p><script>setTimeout(() => p.textContent = 'Saved', 300)</script>")
    run(page, step(call("wait", seconds=20.0, text="Saved")))
    assert lines_of(call("wait", seconds=8.0)) == ["page.wait_for_timeout(8_000)"]
    shown = 'page.get_by_text(words("Saved")).filter(visible=True).first'
    assert lines_of(call("wait", text="Saved")) == [f"expect({shown}).to_be_visible()"]


def test_calls_without_an_element_act_on_the_page() -> None:
    """Navigation, keys and scrolling of the page need no locator."""
    assert lines_of(
        call("navigate", url="/cart?of={user}"),
        call("go_back"),
        call("reload"),
        call("press", key="Escape"),
        call("scroll", direction="up"),
        call("scroll", GO),
    ) == [
        'page.goto(f"/cart?of={USER}")',
        "page.go_back()",
        "page.reload()",
        'page.keyboard.press("Escape")',
        "page.mouse.wheel(0, -576)",
        'page.get_by_role("button", name="Go").scroll_into_view_if_needed()',
    ]


def test_inexpressible_calls_and_checks_become_comments() -> None:
    """A project's own tool, a visual check and damaged calls are comments with the reason."""
    lines = lines_of(
        call("read_mail", to="{user}", reason="the code"),
        call("say", text="nothing of ours"),
        call("click", "evaluate('1')"),
        call("fill", NAME),
        evidence=[check("visual", GO, what="it is green"), check("text", text="x")],
    )
    own = ("read_mail(to='{user}')", "say(text='nothing of ours')")
    assert lines[:2] == [f"# {each}: a tool of the project itself" for each in own]
    assert lines[2].startswith(
        "# click: cannot be written: 'evaluate' is not used as a part of a locator"
    )
    assert "# by eye, which plain Playwright cannot check: it is green" in lines
    missing = "its element was not recorded; record the step once more"
    assert lines[-1] == f"# text: cannot be written: {missing}"
    assert all(line.startswith("#") for line in lines)


def test_holds_checks_its_answer(html: Show, run: Callable[..., None]) -> None:
    """A `holds` that returned False checks the evidence of that; a single step shows both answers."""
    page = html(PAGE)
    yes, no = check("text", STATUS, text="0 items"), check("text", STATUS, text="12 items")
    recorded_step = step(kind="holds", evidence=[yes], negative_evidence=[no])
    run(page, line(recorded_step), StepEnded(step=1, status="failed"))
    text = export(line(recorded_step), StepEnded(step=1, status="passed"))
    assert "0 items" in text and "12 items, " not in text
    lines = code_of(StepTrace.model_validate(recorded_step))
    assert [each for each in lines if each.startswith("#")] == ["# holds: act", "# either", "# or"]


def test_sources_are_checked_to_be_visible(html: Show, run: Callable[..., None]) -> None:
    """Elements that were read or selected must be visible."""
    page = html(PAGE)
    source = {"kind": "text", "target": target(STATUS)}
    sources = [source, {"kind": "count", "target": target(ITEMS)}]
    read = step(kind="extract", sources=sources, value={"source": 0, "take": "integer"})
    run(page, read, step(kind="select", selected=target("get_by_role('link')")))
    with pytest.raises(AssertionError):
        run(page, step(kind="select", selected=target("get_by_role('alert')")))


def test_no_row_is_asserted_beside_heads_and_totals(html: Show, run: Callable[..., None]) -> None:
    """A table that says that it has no rows has none, until it lists one."""
    foot = "<tfoot><tr><td>All<td>0</table>"
    absent = step(evidence=[check("absent", role="row")])
    run(html(f"<table><thead><tr><th>Who<th>Sum</thead><tr><td colspan=2>No one{foot}"), absent)
    with pytest.raises(AssertionError):
        run(html(f"<table><tr><th>Who<th>Sum<tr><td>Ann<td>2{foot}"), absent)


def test_absence_is_checked_last() -> None:
    """Checks of what is there wait for the page before an absence is checked."""
    lines = lines_of(evidence=[check("absent", role="alert"), check("title", text="Done")])
    assert "to_have_title" in lines[0] and "to_have_count(0)" in lines[1]
