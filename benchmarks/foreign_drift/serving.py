"""Serves packages of npm, and puts the change that is made into their pages."""

from __future__ import annotations

import re
import threading
from dataclasses import dataclass
from functools import cached_property, partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from benchmarks.foreign_drift.change import Change
from benchmarks.sites import fetch

_HERE = Path(__file__).parent
_ENGINE = (_HERE / "engine.js").read_text(encoding="utf-8")
_LIFE = (_HERE / "life.js").read_text(encoding="utf-8")
_HELPERS = re.search(r"change\((\{.*?\})\)", _ENGINE, re.DOTALL)
assert _HELPERS is not None
_CALL = f"({_HELPERS[1]}) => {{\n%s\n}}"


@dataclass(frozen=True)
class ForeignPage:
    """A page of a package, or of this folder if there is none.

    `life` names the function of `life.js` that makes controls work that do nothing in the package.
    """

    path: str
    package: str = ""
    version: str = ""
    root: str = "."
    life: str = ""


class _Handler(SimpleHTTPRequestHandler):
    def __init__(self, *args: object, served: Served, **options: object) -> None:
        self._served = served
        super().__init__(*args, **options)  # type: ignore[arg-type]

    def do_GET(self) -> None:
        """Serve a file, or the page with the change."""
        if self.path.partition("?")[0].lstrip("/") != self._served.page.path:
            super().do_GET()
            return
        body = self._served.html.encode()
        self.send_response(200)
        self.send_header("content-type", "text/html; charset=utf-8")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args: object) -> None:
        """Say nothing."""


class Served:
    """A page on a port of its own, with one change at a time."""

    def __init__(self, page: ForeignPage, cache: Path) -> None:
        self.page = page
        self.change: Change | None = None
        self._folder = _HERE / "html"
        if page.package:
            folder = cache / f"{page.package.replace('/', '_')}-{page.version}"
            fetch("npm", page.package, page.version, folder)
            self._folder = folder / "package" / page.root
        handler = partial(_Handler, served=self, directory=str(self._folder))
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self._server.server_port}/{page.path}"

    @cached_property
    def _source(self) -> str:
        return (self._folder / self.page.path).read_text(encoding="utf-8")

    @property
    def html(self) -> str:
        """The page with the engine, the change and the page's life."""
        edit = self.change.edit if self.change else ""
        script = f"<script>{_ENGINE.replace('(CHANGE)', f'({_CALL % edit})')}</script>"
        html = re.sub(
            r"(<head\b[^>]*>|<meta charset[^>]*>)", lambda m: m[0] + script, self._source, count=1
        )
        assert script in html, f"no head in {self.page.path}"
        if not self.page.life:
            return html
        life = f"<script>{_LIFE.replace('[LIFE]', f'.{self.page.life}')}</script>"
        return html.replace("</body>", f"{life}</body>") if "</body>" in html else html + life

    def stop(self) -> None:
        """Stop serving."""
        self._server.shutdown()
        self._server.server_close()
