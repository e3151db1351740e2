"""Marked screenshots: boxes and labels on the picture that a model sees."""

import io
from itertools import pairwise

from PIL import Image, ImageDraw

from pytest_webtask.page.screenshots import LONG_EDGE, PIXELS, mark
from pytest_webtask.types.agent import Element
from tests.pictures import brightness


def picture(width: int, height: int) -> bytes:
    """A white screenshot."""
    out = io.BytesIO()
    Image.new("RGB", (width, height), "white").save(out, "PNG")
    return out.getvalue()


def element(number: int, x: float, y: float, w: float = 60, h: float = 20) -> Element:
    """A button in view."""
    return Element(id=f"button-{number}", role="button", name="Go", box=(x, y, w, h), in_view=True)


def opened(data: bytes) -> Image.Image:
    """The marked picture."""
    image = Image.open(io.BytesIO(data))
    assert image.format == "JPEG"
    return image


def colored(image: Image.Image, box: tuple[int, int, int, int]) -> bool:
    """Whether anything is drawn in that part of the picture."""
    return any(brightness(band)[0] < 200 for band in image.crop(box).split())


def test_element_in_view_has_a_box_and_a_label() -> None:
    """The label is above the box where there is room; an element out of view has none at the edge."""
    image = opened(mark(picture(400, 300), [element(0, 100, 100)], (400, 300)))
    assert colored(image, (99, 99, 161, 103))
    assert colored(image, (101, 86, 140, 98))
    assert not colored(image, (200, 150, 400, 300))
    hidden = Element(id="link-0", role="link", box=(100, 900, 50, 20), in_view=False)
    image = opened(mark(picture(400, 300), [hidden], (400, 300)))
    assert not colored(image, (0, 0, 400, 300))


def test_labels_do_not_cover_each_other_while_there_is_room() -> None:
    """Labels of neighbors move apart so that each can be read."""
    crowd = [element(n, 100, 100 + 22 * n) for n in range(6)]
    marked = [opened(mark(picture(400, 300), crowd[: n + 1], (400, 300))) for n in range(6)]
    filled = [sum(image.convert("L").histogram()[:200]) for image in marked]
    growth = [b - a for a, b in pairwise(filled)]
    assert min(growth) > 500, "each further element adds a whole label"


def test_large_picture_is_scaled_to_the_limits_of_models() -> None:
    """The picture has at most 1,568 pixels on its long edge and 1.15 megapixels; boxes scale with it."""
    image = opened(mark(picture(3000, 2000), [element(0, 1500, 1000, 400, 200)], (3000, 2000)))
    assert max(image.size) <= LONG_EDGE and image.width * image.height <= PIXELS
    scale = image.width / 3000
    left, top = int(1500 * scale), int(1000 * scale)
    assert colored(image, (left - 2, top - 2, left + 3, top + 40))


def test_picture_in_device_pixels_is_marked_in_css_pixels() -> None:
    """Boxes fit a screenshot that is larger than the viewport."""
    image = opened(mark(picture(800, 600), [element(0, 300, 200)], (400, 300)))
    assert colored(image, (598, 398, 604, 440))


def test_element_without_room_has_no_label() -> None:
    """Labels do not cover the icons of a dense grid."""
    grid = [
        element(8 * y + x, 20 + 24 * x, 20 + 24 * y, 20, 20) for x in range(8) for y in range(8)
    ]
    image = opened(mark(picture(400, 300), grid, (400, 300)))
    inner = [
        (20 + 24 * n + 4, 20 + 24 * n + 4, 20 + 24 * n + 16, 20 + 24 * n + 16) for n in range(8)
    ]
    assert not any(colored(image, box) for box in inner)


def test_label_prefers_its_own_box_to_distant_space() -> None:
    """A large plain box holds its own label."""
    plain = Image.open(io.BytesIO(picture(200, 100)))
    ImageDraw.Draw(plain).rectangle((0, 0, 199, 99), outline="black")
    out = io.BytesIO()
    plain.save(out, "PNG")
    marked = opened(mark(out.getvalue(), [element(0, 1, 1, 197, 97)], (200, 100)))
    assert colored(marked, (6, 6, 40, 18))
