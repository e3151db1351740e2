"""What a check by eye was about, compared with its recorded picture."""

from pathlib import Path

import pytest
from PIL import Image

from pytest_webtask.checks.visual import unlike

WIDE = (1280, 60)


def drawn(path: Path, size: tuple[int, int], *boxes: tuple[int, int, int, int]) -> Path:
    """A white picture with black boxes: left, top, right, bottom."""
    picture = Image.new("RGB", size, "white")
    for box in boxes:
        picture.paste((0, 0, 0), box)
    picture.save(path)
    return path


@pytest.mark.parametrize(
    ("size", "boxes", "expected"),
    [
        pytest.param(WIDE, [(600, 18, 624, 42)], "", id="the same"),
        pytest.param(WIDE, [], "the element looks different in one place", id="a small thing has gone" ),
        pytest.param(WIDE, [(0, 0, 640, 60)], "of the element looks different", id="much is another" ),
        pytest.param((1280, 90), [(600, 18, 624, 42)], "the element is 1280 by 90", id="another size" ),
    ],
)  # fmt: skip
def test_unlike_names_the_difference(
    tmp_path: Path, size: tuple[int, int], boxes: list[tuple[int, int, int, int]], expected: str
) -> None:
    """A missing icon is reported although it is less than one percent of a wide header."""
    recorded = drawn(tmp_path / "recorded.png", WIDE, (600, 18, 624, 42))
    difference = unlike(recorded, drawn(tmp_path / "taken.png", size, *boxes))
    assert expected in difference if expected else difference == ""


def test_unlike_reports_missing_picture(tmp_path: Path) -> None:
    """A picture missing for the browser or platform is reported."""
    taken = drawn(tmp_path / "taken.png", WIDE)
    assert "does not exist" in unlike(tmp_path / "recorded.png", taken)
