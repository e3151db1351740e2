"""Make the pictures of the documentation from the example suite: `make pictures`.

The suite is copied, and its shop changed in two ways: a button has another name, which heals, and a
coupon takes off nothing, which fails. So the pictures show what the current code shows.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, sync_playwright
from rich.console import Console
from rich.terminal_theme import DEFAULT_TERMINAL_THEME
from rich.text import Text

from scripts.browser import find_browser

__all__ = ["FOLDER", "LARGEST"]

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "docs" / "pictures"
LARGEST = 200_000
"""Bytes of a picture."""

_BUG = ("shop/cart.py", "return self.subtotal - self.discount", "return self.subtotal")
_RENAMED = (
    "shop/templates/macros.html",
    "<button>Add to cart</button>",
    "<button>Add to cart now</button>",
)
_COLUMNS = 110
_MARKED = """
import shutil

import pytest

from pytest_webtask.testing import ScriptedModel, call


def look(turn):
    shutil.copy(turn.observation.screenshot, "marked.jpg")
    return call("abort", reason="seen")


@pytest.mark.webtask(mode="live")
def test_marked(webtask_for, page):
    webtask = webtask_for(page, model=ScriptedModel(look))
    webtask.goto("/products")
    with pytest.raises(Exception, match="seen"):
        webtask.do("put two espresso cups into the cart")
"""


def main() -> None:
    """Write all pictures."""
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        suite = Path(name) / "shop-tests"
        shutil.copytree(ROOT / "example_suite", suite)
        _change(suite, *_BUG)
        output = _pytest(suite, "test_in_english.py::test_coupon_lowers_the_total")
        (suite / "test_marked.py").write_text(_MARKED)
        _pytest(suite, "test_marked.py")
        _change(suite, *_RENAMED)
        _pytest(suite, "test_in_english.py", "test_login.py", "--webtask-heal=pass")
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=find_browser(headed=False))
            page = browser.new_page(color_scheme="light", device_scale_factor=1.5)
            _report(page, suite / ".webtask" / "report")
            _terminal(page, output)
            browser.close()
        with Image.open(suite / "marked.jpg") as marked:
            marked.resize((1024, 576), Image.Resampling.LANCZOS).save(FOLDER / "marked.png")
    for picture in FOLDER.glob("*.png"):
        _shrink(picture)


def _change(suite: Path, name: str, before: str, after: str) -> None:
    file = suite / name
    text = file.read_text("utf-8")
    assert before in text, f"{name} has no {before!r} any more"
    file.write_text(text.replace(before, after), "utf-8")


def _pytest(suite: Path, *arguments: str) -> str:
    """Run the suite as CI does and return its colored output."""
    plugins = os.pathsep.join([str(ROOT), str(suite)])
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "--color=yes", "-p", "no:randomly", *arguments],
        cwd=suite,
        env={
            **os.environ,
            "CI": "true",
            "COLUMNS": str(_COLUMNS),
            "PYTHONPATH": plugins,
            "PYTEST_PLUGINS": "scripts.system_browser",
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode in (0, 1), done.stdout + done.stderr
    return done.stdout


def _report(page: Page, report: Path) -> None:
    page.set_viewport_size({"width": 1400, "height": 700})
    page.goto((report / "index.html").as_uri())
    page.screenshot(path=FOLDER / "overview.png")
    page.get_by_role("row").get_by_role("link", name="test_coupon_lowers_the_total").click()
    page.set_viewport_size({"width": 1100, "height": 670})
    page.screenshot(path=FOLDER / "failure.png")
    step = page.locator("details.step", has=page.locator(".heal"))
    top, bottom = step.bounding_box(), step.get_by_text("Evidence", exact=True).bounding_box()
    assert top and bottom
    top["height"] = bottom["y"] - top["y"] - 8
    page.screenshot(path=FOLDER / "step.png", full_page=True, clip=top)
    page.add_style_tag(content=".heal { padding: 12px }")
    page.locator(".heal").first.screenshot(path=FOLDER / "heal.png")


def _terminal(page: Page, output: str) -> None:
    lines = output.splitlines()
    [first] = [number for number, line in enumerate(lines) if "FAILURES" in line]
    [last] = [number for number, line in enumerate(lines) if "short test summary" in line]
    with open(os.devnull, "w") as nowhere:
        console = Console(record=True, width=_COLUMNS, file=nowhere)
        console.print(Text.from_ansi("\n".join(["$ pytest", *lines[first:last], lines[-1]])))
    page.set_content(console.export_html(theme=DEFAULT_TERMINAL_THEME, inline_styles=True))
    page.add_style_tag(content="pre { margin: 0; padding: 16px; width: fit-content }")
    page.locator("pre").screenshot(path=FOLDER / "terminal.png")


def _shrink(picture: Path) -> None:
    """Reduce a picture to a palette; it then has a third of its size."""
    with Image.open(picture) as image:
        image.convert("RGB").quantize(256, dither=Image.Dither.NONE).save(picture, optimize=True)
    size = picture.stat().st_size
    assert size <= LARGEST, f"{picture.name} has {size:,} bytes, and may have {LARGEST:,}"
    print(f"{picture.name}: {size:,} bytes")


if __name__ == "__main__":
    main()
