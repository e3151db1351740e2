"""Two servers of different origins that keep every byte which reaches them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

Page = str | tuple[int, dict[str, str], str]
"""HTML, or status, headers and body."""


@dataclass(frozen=True)
class Received:
    """One request; `text` is all of it, as it came."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: str

    @property
    def text(self) -> str:
        lines = [f"{self.method} {self.path}", *(f"{k}: {v}" for k, v in self.headers.items())]
        return "\n".join([*lines, "", self.body])

    @property
    def is_for_a_tab(self) -> bool:
        """Whether it asks for what a tab shows, rather than a frame or a picture in it."""
        return self.headers.get("sec-fetch-dest") == "document"


class Server:
    """Serves `pages` by path under a host name of its own; what it lacks is an empty page."""

    def __init__(self, host: str) -> None:
        self.pages: dict[str, Page] = {}
        self.received: list[Received] = []
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                length = int(self.headers.get("content-length") or 0)
                body = self.rfile.read(length).decode("latin-1")
                headers = {k.lower(): v for k, v in self.headers.items()}
                server.received.append(Received(self.command, self.path, headers, body))
                page = server.pages.get(self.path.partition("?")[0], "")
                status, extra, answer = (200, {}, page) if isinstance(page, str) else page
                self.send_response(status)
                for name, value in ({"content-type": "text/html; charset=utf-8"} | extra).items():
                    self.send_header(name, value)
                self.send_header("content-length", str(len(answer.encode())))
                self.end_headers()
                self.wfile.write(answer.encode())

            do_POST = do_GET

            def log_message(self, *args: object) -> None: ...

        class Quiet(ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, request: object, client_address: object) -> None:
                """A page that closes early is nothing to print."""

        self._server = Quiet(("127.0.0.1", 0), Handler)
        self.url = f"http://{host}:{self._server.server_port}"
        Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()

    def clear(self) -> None:
        self.pages.clear()
        self.received.clear()

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()
