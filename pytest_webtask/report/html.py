"""The HTML pages of a report, which need no server and load no external resources."""

import base64
import hashlib
import re
import shlex
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemBytecodeCache, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from pytest_webtask.data.escapes import escape_controls, in_code
from pytest_webtask.journal.summary import DECIDERS, listed, price
from pytest_webtask.report import view
from pytest_webtask.report.view import RANKS, Report

_HERE = Path(__file__).parent
_BLANK = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='{}' height='{}'/%3E"
"""A transparent picture of a size."""


def page_of(test_id: str) -> str:
    """Return the path of a test's page in the report folder, which is stable across runs."""
    digest = hashlib.sha256(test_id.encode("utf-8", "replace")).hexdigest()[:8]
    return f"tests/{_slug(test_id)}-{digest}.html"


class HtmlReport:
    """Writes the pages of a report into a folder, or with `inline` a single file with all of its pictures."""

    def __init__(self, folder: Path, *, inline: bool = False) -> None:
        self._folder = folder
        self._inline = inline
        self._environment = environment()

    def write(self, report: Report) -> Path:
        """Write the pages of the tests, set the `page` of each, and write the overview; return its path."""
        self._folder.mkdir(parents=True, exist_ok=True)
        for test in report.tests:
            page = page_of(test.id)
            test.page = f"index.html#{Path(page).stem}" if self._inline else page
        if not self._inline:
            (self._folder / "tests").mkdir(exist_ok=True)
            for name in ("report.css", "report.js"):
                (self._folder / name).write_bytes((_HERE / name).read_bytes())
            for test in report.tests:
                self._render(
                    test.page,
                    "test.html",
                    test=test,
                    wrong=view.first_wrong(test),
                    slug=Path(test.page).stem,
                    prefix="",
                    root="../",
                    picture=lambda _: None,
                )
        self._render(
            "index.html",
            "whole.html" if self._inline else "index.html",
            report=report,
            tests=sorted(report.tests, key=lambda test: RANKS.index(test.outcome)),
            outcomes=_in_order(report.outcomes, RANKS),
            causes=report.causes.most_common(),
            deciders=_in_order(report.decided, DECIDERS),
            root="",
            picture=_Pictures(self._folder) if self._inline else lambda _: None,
        )
        return self._folder / "index.html"

    def _render(self, page: str, template: str, **values: Any) -> None:
        stream = self._environment.get_template(template).stream(**values)
        stream.enable_buffering(200)
        with (self._folder / page).open("wb") as file:
            for piece in stream:
                # A journal may have lone surrogates, which UTF-8 cannot encode.
                file.write(escape_controls(piece).encode("utf-8", "replace"))


@dataclass(frozen=True)
class _Embedded:
    """An image without content of its own: the class `name` has the picture as its background."""

    name: str
    source: str


class _Pictures:
    """The pictures of a single-file report, each of which is embedded once, as a style."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._known: dict[str, _Embedded] = {}
        self._styles: list[str] = []

    def __call__(self, path: str) -> _Embedded:
        """Return the image that shows a picture."""
        if path not in self._known:
            self._known[path] = self._embed(path, f"picture-{len(self._known) + 1}")
        return self._known[path]

    @property
    def styles(self) -> Markup:
        """The styles of all pictures so far."""
        return Markup("\n".join(self._styles))

    def _embed(self, path: str, name: str) -> _Embedded:
        from PIL import Image

        try:
            data = (self._folder / path).read_bytes()
            with Image.open(BytesIO(data)) as image:
                size, kind = image.size, (image.format or "jpeg").lower()
        except OSError:
            return _Embedded("", _BLANK.format(1, 1))
        content = base64.b64encode(data).decode()
        self._styles.append(f".{name}{{background-image:url(data:image/{kind};base64,{content})}}")
        return _Embedded(name, _BLANK.format(*size))


@cache
def environment() -> Environment:
    """Return the environment of all templates of a report."""
    environment = Environment(
        loader=PackageLoader("pytest_webtask.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
        bytecode_cache=_bytecode(),
    )
    environment.filters.update(
        vars(view),
        in_code=in_code,
        listed=listed,
        n="{:,}".format,
        price=price,
        shell=shlex.quote,
        short="{:.5g}".format,
        slug=_slug,
        wbr=_breakable,
    )
    script = (_HERE / "report.js").read_text("utf-8")
    environment.globals.update(
        css=Markup((_HERE / "report.css").read_text("utf-8")),
        js=Markup(script),
        js_hash=base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
        view=view,
        DECIDERS=DECIDERS,
    )
    return environment


def _bytecode() -> FileSystemBytecodeCache | None:
    """Return a cache for compiled templates, since compiling takes longer than writing a report."""
    try:
        return FileSystemBytecodeCache()
    except RuntimeError:  # there is no private temporary folder
        return None


def _slug(text: str) -> str:
    words = re.sub(r"[^a-z0-9]+", "-", text.rpartition("::")[2].lower())
    return words[:60].strip("-")


def _breakable(text: str) -> Markup:
    """Return a name with line breaks allowed after underscores and slashes."""
    return escape(text).replace("_", Markup("_<wbr>")).replace("/", Markup("/<wbr>"))


def _in_order(counts: Counter[str], order: Iterable[str]) -> list[tuple[str, int]]:
    return [(name, counts[name]) for name in order if counts[name]]
