"""Pictures of steps."""

import io
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import Browser, Page, Route, expect

from pytest_webtask.data.values import Data, Secret
from pytest_webtask.page.activity import activity_of
from pytest_webtask.page.screenshots import Camera
from tests.scripted import Html

RED, BLUE = (254, 0, 0), (0, 0, 254)
Pixel = tuple[int, int, int]


class Album:
    """A camera with the pictures that it took, oldest first."""

    def __init__(self, **data: object) -> None:
        self.taken: list[Image.Image] = []
        self.data = Data(data)
        self.camera = Camera(lambda: self.data, self._save)

    def begin(self, page: Page) -> None:
        """Look at the page as a step does that may end, and let the picture that begins then be taken."""
        activity_of(page).look(finds=True)
        page.wait_for_timeout(250)

    def _save(self, picture: bytes) -> str:
        self.taken.append(Image.open(io.BytesIO(picture)).convert("RGB"))
        return f"{len(self.taken)}.jpg"


def pixel(picture: Image.Image, x: float, y: float) -> Pixel:
    """The color at a place."""
    color = picture.getpixel((int(x), int(y)))
    assert isinstance(color, tuple)
    return (color[0], color[1], color[2])


def is_like(one: Pixel, other: Pixel) -> bool:
    """Whether two colors are the same but for JPEG's loss."""
    return all(abs(a - b) < 12 for a, b in zip(one, other, strict=True))


@pytest.fixture
def album(webtask_engine: None) -> Album:
    """A camera without secrets; `webtask_engine` is registered before the page is opened."""
    return Album()


def test_picture_shows_the_page_of_this_moment(album: Album, page: Page, html: Html) -> None:
    """A change of the line before is in the picture, whatever the page drew until then."""
    html("<style>body { background: rgb(254, 0, 0) }")
    for color, written in ((RED, "254, 0, 0"), (BLUE, "0, 0, 254")) * 3:
        page.evaluate(f"document.body.style.background = 'rgb({written})'")
        picture = album.camera.take(page)
        assert picture is not None and picture.size == (1280.0, 720.0)
        assert is_like(pixel(album.taken[-1], 600, 600), color)


def test_spot_is_the_box_of_the_element(album: Album, html: Html) -> None:
    """The spot's box is the element's in its picture, its point the box's center."""
    page = html("<button style='position: absolute; left: 300px; top: 200px'>Go</button>")
    spot = album.camera.aim(page.get_by_role("button"))
    box = page.get_by_role("button").bounding_box()
    assert spot is not None and box is not None
    assert spot.box == (box["x"], box["y"], box["width"], box["height"])
    assert spot.at().point == (300 + box["width"] / 2, 200 + box["height"] / 2)
    assert spot.at({"x": 3, "y": 4}).point == (303, 204)
    assert spot.at({"x": 3, "y": 4}).to(10, -5).end == (313, 199)


def test_picture_serves_until_the_page_changes(album: Album, html: Html) -> None:
    """Spots on an unchanged page share the picture that the last step ended with."""
    page = html("<input aria-label=A><input aria-label=B><p>Hello")
    last = album.camera.take(page)
    first, second = page.get_by_label("A"), page.get_by_label("B")
    spot = album.camera.aim(first)
    assert spot is not None and spot.picture == last
    first.press_sequentially("x")
    spot = album.camera.aim(second)
    assert spot is not None and spot.picture == last
    assert len(album.taken) == 1


@pytest.mark.parametrize(
    "change",
    [
        "document.querySelector('p').textContent = 'Bye'",
        "document.querySelector('p').className = 'new'",
        "scrollTo(0, 20)",
        "document.querySelector('div').scrollTo(0, 20)",
    ],
)
def test_picture_is_taken_anew_after_a_change(album: Album, html: Html, change: str) -> None:
    """A spot is never on a picture of before a text, an attribute, a scroll position or the document changed."""
    page = html(
        "<button>Go</button><p>Hello</p><div style='height: 50px; overflow: auto'>"
        "<p style='height: 500px'>Long</p></div><p style='height: 3000px'>End</p>"
    )
    album.camera.take(page)
    # The event of a scroll comes with one of the next frames.
    event = "scroll" if "scroll" in change else "changed"
    page.evaluate(
        "([change, event]) => new Promise(done => { addEventListener(event, done, { capture: true, once: true });"
        " eval(change); if (event === 'changed') done() })",
        [change, event],
    )
    assert album.camera.aim(page.get_by_role("button")) is not None
    assert len(album.taken) == 2
    page.goto("data:text/html,<button>Go</button>")
    assert album.camera.aim(page.get_by_role("button")) is not None
    assert len(album.taken) == 3


def test_element_below_the_fold_is_scrolled_into_the_picture(album: Album, html: Html) -> None:
    """The spot of an element further down is inside its picture, and shows the element."""
    page = html(
        "<p style='height: 3000px'>Long</p><button style='background: rgb(254, 0, 0); border: 0;"
        " color: rgb(254, 0, 0); width: 90px; height: 40px'>Go</button>"
    )
    spot = album.camera.aim(page.get_by_role("button"))
    assert spot is not None
    point = spot.at().point
    assert point is not None and 0 < point[1] < 720
    assert is_like(pixel(album.taken[-1], *point), RED)


def test_element_of_a_frame_is_marked_on_the_page(album: Album, html: Html) -> None:
    """The box of an element in a frame is in pixels of the whole page; each has a new picture."""
    page = html(
        "<iframe style='position: absolute; left: 400px; top: 100px; border: 0' srcdoc=\""
        "<body style='margin: 0'><button style='width: 90px; height: 40px'>Go</button>\"></iframe>"
    )
    button = page.frame_locator("iframe").get_by_role("button")
    expect(button).to_be_visible()
    for number in (1, 2):
        spot = album.camera.aim(button)
        assert spot is not None and spot.box == (400.0, 100.0, 90.0, 40.0)
        assert len(album.taken) == number


def test_element_without_a_box_has_no_spot(album: Album, html: Html) -> None:
    """What is hidden, missing or found twice has no spot; the action itself says what is wrong."""
    page = html("<button hidden>Go</button><p>One<p>Two")
    for locator in (page.locator("button"), page.locator("table"), page.locator("p")):
        assert album.camera.aim(locator) is None


@pytest.fixture
def captures(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """The screenshots that Playwright has taken."""
    taken: list[bytes] = []
    screenshot = Page.screenshot

    def counted(page: Page, **options: Any) -> bytes:
        taken.append(screenshot(page, **options))
        return taken[-1]

    monkeypatch.setattr(Page, "screenshot", counted)
    return taken


BOX = """
<style>
  body { margin: 0 }
  #box { width: 200px; height: 200px; background: rgb(254, 0, 0) }
  #box:hover, :checked ~ #box, :focus ~ #box { background: rgb(0, 0, 254) }
  #box.slow { background: rgb(0, 0, 254); transition: background 100ms }
</style>
<input type=checkbox style='position: absolute; top: 300px'><div id=box></div>
"""


def test_picture_that_a_look_began_serves_an_action_and_the_end_of_a_step(
    album: Album, html: Html, captures: list[bytes]
) -> None:
    """On a page that stays as it was when it was looked at, nothing is captured any more, shadow trees or not."""
    page = html(f"{BOX}<p>")
    page.evaluate("document.querySelector('p').attachShadow({ mode: 'open' }).innerHTML = 'More'")
    album.camera.take(page)
    page.evaluate("document.querySelector('#box').style.background = 'rgb(0, 0, 254)'")
    album.begin(page)
    spot = album.camera.aim(page.locator("#box"))
    picture = album.camera.take(page)
    assert spot is not None and spot.picture == picture
    assert len(album.taken) == len(captures) == 2
    assert is_like(pixel(album.taken[-1], 100, 100), BLUE)


@pytest.mark.parametrize(
    "change",
    [
        "document.querySelector('#box').style.background = 'rgb(0, 0, 254)'",
        "document.querySelector('input').checked = true",
        "document.querySelector('input').focus()",
        "document.querySelector('#box').shadowRoot.querySelector('div').style.background = 'rgb(0, 0, 254)'",
        "document.querySelector('#box').shadowRoot.querySelector('div').scrollTop = 400",
        "document.querySelector('#box').attachShadow({ mode: 'open' }).innerHTML = \"<div style='height: 200px; background: rgb(0, 0, 254)'>\"",
        "new Promise(done => { document.querySelector('#box').className = 'slow';"
        " document.querySelector('#box').ontransitionend = done })",
        "",
    ],
)
def test_page_that_changed_after_a_look_is_captured_anew(
    album: Album, html: Html, change: str
) -> None:
    """No step ends with a picture of before a change, be it of a state, a shadow tree or the mouse alone."""
    page = html(BOX)
    if ".shadowRoot." in change:
        page.evaluate(
            "document.querySelector('#box').attachShadow({ mode: 'open' }).innerHTML = `<div style='height: 200px; overflow: auto'>"
            "<p style='margin: 200px 0 0; height: 400px; background: rgb(0, 0, 254)'>`"
        )
    album.camera.take(page)
    page.evaluate("document.body.append('More')")
    album.begin(page)
    if change:
        page.evaluate(change)
    else:
        page.mouse.move(100, 100)
    album.camera.take(page)
    assert is_like(pixel(album.taken[0], 100, 100), RED)
    assert is_like(pixel(album.taken[-1], 100, 100), BLUE)


def test_image_that_came_after_a_look_is_in_the_picture(
    album: Album, page: Page, html: Html
) -> None:
    """An image changes the picture when it is loaded, though it changes nothing in the document."""
    held: list[Route] = []
    page.route("**/red.svg", lambda route: held.append(route))
    html("<img style='width: 200px; height: 200px'>")
    album.camera.take(page)
    page.evaluate("document.querySelector('img').src = 'http://shop.test/red.svg'")
    album.begin(page)
    red = "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 9'><rect width='9' height='9' fill='rgb(254, 0, 0)'/></svg>"
    held[0].fulfill(body=red, content_type="image/svg+xml")
    page.wait_for_function("document.querySelector('img').naturalWidth > 0")
    album.camera.take(page)
    assert is_like(pixel(album.taken[-1], 100, 100), RED)


@pytest.mark.parametrize(
    "drawn",
    [
        "<canvas width=200 height=200></canvas>",
        "<iframe width=200 height=200 srcdoc='<body>'></iframe>",
    ],
)
def test_page_with_what_is_not_watched_is_captured_at_each_moment(
    album: Album, html: Html, drawn: str
) -> None:
    """A canvas or a frame in view may look different at any time."""
    page = html(f"<style>body {{ margin: 0 }}</style>{drawn}")
    album.camera.take(page)
    page.evaluate("document.body.append('More')")
    album.begin(page)
    page.evaluate(
        """() => {
          const canvas = document.querySelector("canvas");
          if (canvas) {
            canvas.getContext("2d").fillStyle = "rgb(254, 0, 0)";
            canvas.getContext("2d").fillRect(0, 0, 200, 200);
          } else document.querySelector("iframe").contentDocument.body.style.background = "rgb(254, 0, 0)";
        }"""
    )
    album.camera.take(page)
    assert is_like(pixel(album.taken[-1], 100, 100), RED)


@pytest.mark.parametrize("known", [True, False])
def test_secret_is_black_in_a_picture_that_a_look_began(
    album: Album, html: Html, *, known: bool
) -> None:
    """It is, be it known at the look or only when the picture is needed."""
    page = html("<p style='font: 60px sans-serif; color: rgb(254, 0, 0); margin: 0'>x8-Kq2-Zz9</p>")
    secret = Secret("x8-Kq2-Zz9")
    if known:
        album.data.keep("code", secret)
    album.camera.take(page)
    page.evaluate("document.body.append('More')")
    album.begin(page)
    if not known:
        album.data.keep("code", secret)
    album.camera.take(page)
    assert len(album.taken) == 2
    assert is_like(pixel(album.taken[-1], 100, 40), (0, 0, 0))


def test_closed_page_has_no_picture(album: Album, html: Html) -> None:
    """A page that is gone is no error of the camera."""
    page = html("<button>Go</button>")
    page.close()
    assert not album.camera.take(page)
    assert album.camera.aim(page.get_by_role("button")) is None


def test_picture_is_in_css_pixels(
    album: Album, browser: Browser, webtask_engine: None, tmp_path: Path
) -> None:
    """On a screen of high density the picture is as large as the viewport in CSS pixels."""
    context = browser.new_context(device_scale_factor=2, viewport={"width": 600, "height": 400})
    page = context.new_page()
    page.set_content("<button>Go</button>")
    picture = album.camera.take(page)
    context.close()
    assert picture is not None and picture.size == (600.0, 400.0)
    assert album.taken[-1].size == (600, 400)


def test_legible_password_is_black(album: Album, html: Html) -> None:
    """A password that the page shows as text is blacked out though it is no declared secret."""
    page = html("<input type=password aria-label=Password style='width: 300px; height: 60px'>")
    field = page.get_by_label("Password")
    album.camera.aim(field)
    field.fill("swordfish")
    page.evaluate("document.querySelector('input').type = 'text'")
    album.camera.take(page)
    box = field.bounding_box()
    assert box is not None
    assert is_like(pixel(album.taken[-1], box["x"] + 150, box["y"] + 30), (0, 0, 0))
