"""The HTML pages of a report, which need no server and load no external resources."""

from __future__ import annotations

import base64
import hashlib
import re
import secrets
import shlex
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import IO, Any

from jinja2 import Environment, FileSystemBytecodeCache, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from pytest_webtask.escapes import escape_controls
from pytest_webtask.report import view
from pytest_webtask.report.view import RANKS, Report, Test

_DECIDERS = ("replayed", "literal", "model", "healed")
_HERE = Path(__file__).parent
_BLANK = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='{}' height='{}'/%3E"
"""A transparent picture of a size."""


def page_of(test_id: str) -> str:
    """Return the path of a test's page in the report folder, which is stable across runs."""
    digest = hashlib.sha256(test_id.encode("utf-8", "replace")).hexdigest()[:8]
    return f"tests/{_slug(test_id)}-{digest}.html"


@dataclass(frozen=True)
class _Kept:
    """The data of a test for the overview, kept when its steps are dropped."""

    head: str
    line: str
    steps: int
    attempts: int
    picture: str | None


class HtmlReport:
    """Writes the pages of a report into a folder, one test at a time.

    With `inline`, everything goes into a single file, including the pictures of the folder.
    """

    def __init__(self, folder: Path, *, inline: bool = False) -> None:
        self._folder = folder
        self._inline = inline
        self._kept: dict[str, _Kept] = {}
        self._pictures = _Pictures(folder) if inline else None
        self._bodies: IO[bytes] | None = None
        self._environment = _environment()
        folder.mkdir(parents=True, exist_ok=True)
        if inline:
            return
        (folder / "tests").mkdir(exist_ok=True)
        for name in ("report.css", "report.js"):
            (folder / name).write_bytes((_HERE / name).read_bytes())

    def test(self, test: Test) -> None:
        """Write the page of a test and set its `page`; the test's steps can be dropped then."""
        wrong = view.first_wrong(test)
        test.page = page_of(test.id)
        slug = Path(test.page).stem
        if self._inline:
            test.page = f"index.html#{slug}"
        self._kept[test.page] = _Kept(
            head=wrong.head if wrong else "",
            line=wrong.line if wrong else _skipped(test),
            steps=sum(len(attempt.steps) for attempt in test.attempts),
            attempts=len(test.attempts),
            picture=view.moment_of(test),
        )
        values = {"test": test, "wrong": wrong, "slug": slug, "prefix": ""}
        if not self._inline:
            with (self._folder / test.page).open("wb") as file:
                self._render(file, "test.html", root="../", picture=_no_inline, **values)
            return
        if self._bodies is None:
            self._bodies = tempfile.TemporaryFile()  # noqa: SIM115 `finish` closes it.
        values["prefix"] = f"{slug}-"
        self._render(self._bodies, "_test.html", root="", picture=self._pictures, **values)

    def finish(self, report: Report) -> Path:
        """Write the overview of all tests written so far; return its path."""
        tests = sorted(report.tests, key=lambda test: RANKS.index(test.outcome))
        values: dict[str, Any] = {
            "report": report,
            "rows": [(test, self._kept[test.page]) for test in tests],
            "outcomes": _in_order(report.outcomes, RANKS),
            "causes": report.causes.most_common(),
            "deciders": _in_order(report.decided, _DECIDERS),
            "root": "",
            "picture": self._pictures or _no_inline,
        }
        index = self._folder / "index.html"
        if not self._inline:
            with index.open("wb") as file:
                self._render(file, "index.html", **values)
            return index
        here = secrets.token_hex(16)
        whole = self._environment.get_template("whole.html").render(here=here, **values)
        before, _, after = whole.partition(here)
        with index.open("wb") as file:
            file.write(_bytes(before))
            if self._bodies is not None:
                self._bodies.seek(0)
                shutil.copyfileobj(self._bodies, file)
                self._bodies.close()
            assert self._pictures is not None
            self._pictures.write_styles(file)
            file.write(_bytes(after))
        return index

    def _render(self, file: IO[bytes], template: str, **values: Any) -> None:
        stream = self._environment.get_template(template).stream(**values)
        stream.enable_buffering(200)
        for piece in stream:
            file.write(_bytes(piece))


def _no_inline(_path: str) -> None:
    """Leave a picture in its own file."""


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
        self._styles = tempfile.TemporaryFile()  # noqa: SIM115 `write_styles` closes it.

    def __call__(self, path: str) -> _Embedded:
        """Return the image that shows a picture."""
        if path not in self._known:
            self._known[path] = self._embed(path, f"picture-{len(self._known) + 1}")
        return self._known[path]

    def write_styles(self, file: IO[bytes]) -> None:
        """Write the element with the styles of all pictures."""
        file.write(b"<style>\n")
        self._styles.seek(0)
        shutil.copyfileobj(self._styles, file)
        self._styles.close()
        file.write(b"</style>\n")

    def _embed(self, path: str, name: str) -> _Embedded:
        from PIL import Image

        try:
            data = (self._folder / path).read_bytes()
            with Image.open(BytesIO(data)) as image:
                size, kind = image.size, (image.format or "jpeg").lower()
        except OSError:
            return _Embedded("", _BLANK.format(1, 1))
        content = base64.b64encode(data)
        self._styles.write(
            b".%b{background-image:url(data:image/%b;base64,%b)}\n"
            % (name.encode(), kind.encode(), content)
        )
        return _Embedded(name, _BLANK.format(*size))


@cache
def _environment() -> Environment:
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
        concluded=view.judged_facts,
        dollars=view.in_dollars,
        element=view.element_of,
        fact=view.fact_rows,
        link=view.link_to,
        marks=view.drawn_marks,
        moment=view.at_time,
        n="{:,}".format,
        outcome=view.conclusion_outcome,
        parameters=view.as_parameters,
        reason=view.reason_of,
        reason_beside_checks=view.reason_beside_checks,
        seconds=view.in_seconds,
        shell=shlex.quote,
        short="{:.5g}".format,
        slug=_slug,
        thumbnail=view.thumbnail,
        focus=view.focus_of,
        wbr=_breakable,
        words=view.as_words,
    )
    script = (_HERE / "report.js").read_text("utf-8")
    environment.globals.update(
        css=Markup((_HERE / "report.css").read_text("utf-8")),
        js=Markup(script),
        js_hash=base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
        bars_of=view.bars_of,
        candidates_of=view.candidates_of,
        came_to=view.call_result,
        last_look=view.last_look,
        marks_of=view.marks_of,
        next_look=view.next_look,
        planning=view.PLANNING,
        pointed_as=view.pointed_as,
        scene_of=view.scene_of,
        troubled=view.has_problems,
        verifier_opinion=view.verifier_opinion,
        wrong_in=view.wrong_in,
    )
    return environment


def _bytecode() -> FileSystemBytecodeCache | None:
    """Return a cache for compiled templates, since compiling takes longer than writing a report."""
    try:
        return FileSystemBytecodeCache()
    except RuntimeError:  # there is no private temporary folder
        return None


def _bytes(text: str) -> bytes:
    # A journal may have lone surrogates, which UTF-8 cannot encode.
    return escape_controls(text).encode("utf-8", "replace")


def _slug(text: str) -> str:
    words = re.sub(r"[^a-z0-9]+", "-", text.rpartition("::")[2].lower())
    return words[:60].strip("-")


def _breakable(text: str) -> Markup:
    """Return a name with line breaks allowed after underscores and slashes."""
    return escape(text).replace("_", Markup("_<wbr>")).replace("/", Markup("/<wbr>"))


def _in_order(counts: Counter[str], order: Iterable[str]) -> list[tuple[str, int]]:
    return [(name, counts[name]) for name in order if counts[name]]


def _skipped(test: Test) -> str:
    skipped = test.attempts and test.attempts[-1].outcome == "skipped"
    return view.first_line(test.attempts[-1].message) if skipped else ""
