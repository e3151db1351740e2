"""Documentation and demo pages that others wrote, out of packages of npm and PyPI."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tarfile
import threading
import zipfile
from dataclasses import dataclass
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import quote


@dataclass(frozen=True)
class Site:
    """A package, the folder of it that is served, and pages in there."""

    registry: str
    package: str
    version: str
    root: str
    pages: tuple[str, ...]


SITES = (
    Site(
        "npm",
        "startbootstrap-sb-admin-2",
        "4.1.4",
        ".",
        ("index.html", "tables.html", "register.html"),
    ),
    Site(
        "npm",
        "gentelella",
        "4.2.0",
        "dist",
        (
            "production/index.html",
            "production/form.html",
            "production/tables_dynamic.html",
            "production/kanban.html",
            "production/inbox.html",
        ),
    ),
    Site(
        "npm",
        "jquery-mobile",
        "1.4.1",
        "dist",
        (
            "demos/forms-gallery/index.html",
            "demos/table-reflow/index.html",
            "demos/popup/index.html",
        ),
    ),
    Site(
        "npm",
        "uikit",
        "3.25.25",
        ".",
        ("tests/form.html", "tests/navbar.html", "tests/sortable.html"),
    ),
    Site("npm", "spectre.css", "0.5.9", "docs", ("elements.html", "components/tabs.html")),
    Site(
        "npm",
        "svgedit",
        "7.4.1",
        ".",
        ("dist/editor/index.html", "docs/jsdoc/LayersPanel.html", "docs/jsdoc/Editor.js.html"),
    ),
    Site("npm", "selectize", "0.12.6", ".", ("examples/contacts.html", "examples/basic.html")),
    Site(
        "npm",
        "jsoneditor",
        "10.4.3",
        ".",
        ("examples/03_switch_mode.html", "examples/18_custom_validation.html"),
    ),
    Site(
        "npm",
        "semantic-ui",
        "2.5.0",
        ".",
        ("examples/homepage.html", "examples/components/menu.html", "examples/theming.html"),
    ),
    Site("npm", "dragula", "3.7.3", ".", ("index.html",)),
    Site("npm", "jquery-datetimepicker", "2.5.21", ".", ("index.html",)),
    Site(
        "pypi",
        "miniwob",
        "1.0",
        "miniwob/html",
        ("flight/Alaska/index.html", "miniwob/book-flight.html"),
    ),
)


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *args: object) -> None:
        """Say nothing."""


class Sites:
    """Fetches the packages into `cache` and serves each on a port of its own until `stop()`."""

    def __init__(self, cache: Path) -> None:
        self.missing: list[str] = []
        self.urls: list[tuple[str, str]] = []
        self._servers: list[ThreadingHTTPServer] = []
        for site in SITES:
            folder = cache / f"{site.package.replace('/', '_')}-{site.version}"
            try:
                fetch(site.registry, site.package, site.version, folder)
            except (OSError, subprocess.SubprocessError, tarfile.TarError) as error:
                self.missing.append(f"{site.package} {site.version}: {str(error)[:120]}")
                continue
            base = self._serve(folder / "package" / site.root)
            self.urls += [
                (f"{site.package} {page}", f"{base}/{quote(page)}") for page in site.pages
            ]

    def _serve(self, folder: Path) -> str:
        server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(folder)))
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self._servers.append(server)
        return f"http://127.0.0.1:{server.server_port}"

    def stop(self) -> None:
        for server in self._servers:
            server.shutdown()
            server.server_close()


def fetch(registry: str, package: str, version: str, folder: Path) -> None:
    """Download and unpack, once; `complete` is written last. Raises if it cannot be had."""
    if (folder / "complete").exists():
        return
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    if registry == "npm":
        npm = shutil.which("npm")
        if npm is None:
            raise FileNotFoundError("npm is not installed")
        command = [npm, "pack", "--silent", f"{package}@{version}"]
    else:
        wanted = f"{package}=={version}"
        command = [
            sys.executable,
            "-m",
            "pip",
            "download",
            "-q",
            "--no-deps",
            "--only-binary=:all:",
            wanted,
        ]
    subprocess.run(command, cwd=folder, check=True, capture_output=True, timeout=120)
    for archive in folder.glob("*.tgz"):
        with tarfile.open(archive) as tar:
            tar.extractall(folder, filter="data")
        archive.unlink()
    for archive in folder.glob("*.whl"):
        with zipfile.ZipFile(archive) as wheel:
            wheel.extractall(folder / "package")
        archive.unlink()
    (folder / "complete").touch()
