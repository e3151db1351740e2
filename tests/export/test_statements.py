"""Recorded steps as plain Playwright: tools do what they did, checks prove what they did."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from pytest_webtask.export.statements import code_of
from pytest_webtask.recordings.schema import StepTrace
from tests.recordings.made import STATUS, Line, call, check, export, line, step, target
from tests.recordings.shown import CALLS, CHECKS, FORM, GO, INPUT, ITEMS, NAME, PAGE
from tests.site import Site

Show = Callable[[str], Page]


@pytest.fixture
def run() -> Iterator[Callable[..., None]]:
    """Exports lines, or steps with the data of each, and runs the test on a page."""

    def run(page: Page, *lines: Line, **data: str) -> None:
        journal = [
            each if "step" in each else line(each, number, data=data)
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
    """The code of a step without its comment."""
    return code_of(StepTrace.model_validate(step(*calls, **more)))[1:]


@pytest.mark.parametrize("name", CALLS)
def test_the_mouse_does_what_it_did(html: Show, run: Callable[..., None], name: str) -> None:
    """Clicks of all kinds, points of elements, dialogs as they were announced, the wheel."""
    page = html(FORM)
    made, expected = CALLS[name]
    run(page, step(made), user="Ann")
    page.wait_for_function("what => document.title.includes(what)", arg=expected, timeout=2000)


def test_fields_hold_what_they_held(html: Show, run: Callable[..., None]) -> None:
    """Filled, typed behind what is there, pressed, chosen and checked."""
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


def test_files_are_given_by_their_paths(
    html: Show, run: Callable[..., None], tmp_path: Any
) -> None:
    """To a field, and to the chooser that a button opens; the path is that of the journal."""
    page = html(FORM)
    field = target('get_by_label("File", exact=True)', tag="input", type="file")
    chooser = target('get_by_role("button", name="Choose a file")')
    for name, where in (("one.txt", field), ("two.txt", chooser)):
        (tmp_path / name).write_text("mug")
        made = step(call("upload", where, resources=["my mug"]))
        run(page, line(made, resources={"my mug": str(tmp_path / name)}))
    expect(page).to_have_title("Test page one.txt two.txt")


def test_a_file_whose_path_is_not_known_is_asked_for() -> None:
    """It comes from the environment, and a comment says what it is."""
    made = step(call("upload", 'get_by_label("File")', resources=["my mug"]))
    text = export(line(made))
    assert '# The path of the resource "my mug".\nMY_MUG = Path(os.environ["MY_MUG"])\n' in text
    assert "chooser.value.set_files(MY_MUG)" in text


def test_dragging_ends_where_it_ended(html: Show, run: Callable[..., None]) -> None:
    """From element to element, and within one, as to draw."""
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
    points = {"x": 20, "y": 20, "to_x": 50, "to_y": 130}
    run(page, step({"tool": "drag", "parameters": points}))
    expect(page).to_have_title("A on B")


@pytest.mark.parametrize("kind", sorted({evidence["check"]["kind"] for evidence, _ in CHECKS}))
def test_checks_hold_where_they_held(html: Show, run: Callable[..., None], kind: str) -> None:
    """Each kind, where the page is so and where it is not."""
    page = html(PAGE)
    data = {"user": "Ann", "three": "3"}
    so = [evidence for evidence, holds in CHECKS if holds and evidence["check"]["kind"] == kind]
    run(page, step(kind="verify", evidence=so), **data)
    expect.set_options(timeout=100)
    for evidence, holds in CHECKS:
        if not holds and evidence["check"]["kind"] == kind:
            with pytest.raises(AssertionError, match=r"expected (not )?to"):
                run(page, step(kind="verify", evidence=[evidence]), **data)


@pytest.mark.parametrize(
    ("pattern", "holds"),
    [
        ("/users/{user}", False),
        ("/users/{user}?tab=1", True),
        ("/users/*?tab=1", True),
        ("/{user}?tab=1", False),
        ("{user}?tab=1", True),
        ("?tab=1", True),
        ("*tab=1", True),
        ("ab=1", False),
        ("http://*/users/{user}?tab=1", True),
        ("http://{user}?tab=1", False),
    ],
)
def test_addresses_fit_as_they_did(
    page: Page, site: Site, run: Callable[..., None], pattern: str, holds: bool
) -> None:
    """A path is the whole path, a star is anything, and a dot is a dot."""
    site.pages["/users/a.b"] = "hello"
    page.goto(f"{site.url}/users/a.b?tab=1")
    made = step(kind="verify", evidence=[check("url", pattern=pattern)])
    if holds:
        run(page, made, user="a.b")
    else:
        with pytest.raises(AssertionError):
            run(page, made, user="a.b")


def test_tabs_are_followed(page: Page, site: Site, run: Callable[..., None]) -> None:
    """One that a click opens, by number and title; back to the first; and closing it."""
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


def test_what_comes_next_is_done_on_the_page_that_was_loaded(
    page: Page, site: Site, run: Callable[..., None]
) -> None:
    """Even where the page before has such a button as well, and takes its time."""
    button = "<button onclick=\"setTimeout(() => location = '/{}', 400)\">Next</button>"
    site.pages["/"] = "<title>First</title>" + button.format("two")
    site.pages["/two"] = "<title>Second</title>" + button.format("three")
    site.pages["/three"] = "<title>Third</title>"
    page.goto(site.url)
    following = call("click", 'get_by_role("button", name="Next")', loads=True)
    run(page, step(following, following, evidence=[check("absent", role="button")]))
    expect(page).to_have_title("Third")


def test_elements_in_frames_are_found(page: Page, site: Site, run: Callable[..., None]) -> None:
    """By a chain through the frame, and as literal sentences tell them, whatever the port."""
    site.pages["/"] = "<iframe name=pay src=/pay?x=1></iframe><iframe src=/pay></iframe>"
    site.pages["/pay"] = "<label>Card <input required aria-invalid=true></label>"
    page.goto(site.url)
    card = 'get_by_label("Card")'
    named, by_url = f"frame(name='pay').{card}", f"frame(url='http://127.0.0.1:1/pay').{card}"
    chain = f'locator("iframe[name=pay]").content_frame.{card}'
    run(
        page,
        step(call("fill", named, text="1"), call("fill", by_url, text="2")),
        step(
            kind="verify",
            evidence=[
                check("value", target(chain, **INPUT), value="1"),
                check("value", target(by_url, **INPUT), value="2"),
                *(check("state", where, state="invalid") for where in (named, by_url, chain)),
            ],
        ),
    )


def test_waiting_becomes_waiting_for_what_is_there(html: Show, run: Callable[..., None]) -> None:
    """A text is waited for as long as it was; a plain wait is patience for the evidence."""
    page = html("<p id=p></p><script>setTimeout(() => p.textContent = 'Saved', 900)</script>")
    run(page, step(call("wait", seconds=20.0, text="Saved")))
    assert lines_of(
        call("wait", seconds=8.0), evidence=[check("state", STATUS, state="visible")]
    ) == ['expect(page.get_by_role("status")).to_be_visible(timeout=8_000)']
    assert lines_of(call("wait", text="Saved")) == [
        'expect(page.get_by_text(words("Saved")).filter(visible=True).first).to_be_visible()'
    ]


def test_addresses_and_points_of_the_page() -> None:
    """What has no element."""
    assert lines_of(
        call("navigate", url="/cart?of={user}"),
        call("go_back"),
        call("reload"),
        call("click_at", x=10.0, y=20.5),
        call("hover", x=1.0, y=2.0),
        call("press", key="Escape"),
        call("scroll", direction="up"),
        call("scroll", GO),
    ) == [
        'page.goto(f"/cart?of={USER}")',
        "page.go_back()",
        "page.reload()",
        "page.mouse.click(10, 20.5)",
        "page.mouse.move(1, 2)",
        'page.keyboard.press("Escape")',
        "page.mouse.wheel(0, -576)",
        'page.get_by_role("button", name="Go").scroll_into_view_if_needed()',
    ]


def test_what_playwright_cannot_say_is_a_comment() -> None:
    """A project's own tool, what was seen by eye, what a hand edit has spoilt."""
    lines = lines_of(
        call("read_mail", to="{user}", reason="the code"),
        call("say", text="nothing of ours"),
        call("click", "evaluate('1')"),
        call("fill", NAME),
        evidence=[check("visual", GO, what="it is green"), check("text", text="x")],
    )
    assert lines[:3] == [
        "# read_mail(to='{user}'): a tool of the project's own, not of Playwright",
        "# say(text='nothing of ours'): a tool of the project's own, not of Playwright",
        lines[2],
    ]
    assert lines[2].startswith("# click: it cannot be said: 'evaluate' is no method of locators")
    assert "# by eye, which plain Playwright cannot check: it is green" in lines
    assert lines[-1] == "# text: it cannot be said: its element was not recorded"
    assert all(line.startswith("#") for line in lines)


def test_answers_are_those_that_were_given(html: Show, run: Callable[..., None]) -> None:
    """A `holds` that was answered no has the evidence of that; alone it shows both."""
    page = html(PAGE)
    yes, no = check("text", STATUS, text="0 items"), check("text", STATUS, text="12 items")
    made = step(kind="holds", evidence=[yes], otherwise=[no])
    run(page, line(made), {"kind": "step_end", "step": 1, "status": "failed"})
    text = export(line(made), {"kind": "step_end", "step": 1, "status": "passed"})
    assert "0 items" in text and "12 items, " not in text
    lines = code_of(StepTrace.model_validate(made))
    assert [each for each in lines if each.startswith("#")] == ["# holds: act", "# either", "# or"]


def test_what_was_read_or_selected_is_there(html: Show, run: Callable[..., None]) -> None:
    """Sources expect nothing of their own, and neither does what is selected."""
    page = html(PAGE)
    source = {"kind": "text", "target": target(STATUS)}
    value = {"source": 0, "take": "integer"}
    run(
        page,
        step(
            kind="extract",
            sources=[source, {"kind": "count", "target": target(ITEMS)}],
            value=value,
        ),
        step(kind="select", selected=target("get_by_role('link')")),
    )
    with pytest.raises(AssertionError):
        run(page, step(kind="select", selected=target("get_by_role('alert')")))


def test_what_is_gone_is_looked_for_last() -> None:
    """On the page before, it would be gone as well."""
    lines = lines_of(evidence=[check("absent", role="alert"), check("title", text="Done")])
    assert "to_have_title" in lines[0] and "to_have_count(0)" in lines[1]
