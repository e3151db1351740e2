"""A small real site on loopback: pages are given as text, requests are logged."""

from __future__ import annotations

import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Site:
    """Serves `pages` by path, each a piece of HTML or (content type, bytes); 404 for the rest.

    `delays` are seconds to wait before the answer, by path.
    """

    def __init__(self) -> None:
        self.pages: dict[str, str | tuple[str, bytes]] = {}
        self.log: list[str] = []
        self.delays: dict[str, float] = {}
        site = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                site.log.append(f"{self.command} {self.path}")
                time.sleep(site.delays.get(self.path.partition("?")[0], 0))
                page = site.pages.get(self.path.partition("?")[0])
                if isinstance(page, tuple):
                    kind, body = page
                else:
                    kind = "text/html; charset=utf-8"
                    body = f"<!doctype html><meta charset=utf-8>{page or 'not found'}".encode()
                self.send_response(404 if page is None else 200)
                self.send_header("content-type", kind)
                self.send_header("content-length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def do_POST(self) -> None:
                length = int(self.headers.get("content-length", 0))
                self.rfile.read(length)
                self.do_GET()

            def log_message(self, *args: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    @property
    def port(self) -> int:
        return self._server.server_port

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def foreign_url(self) -> str:
        """The same server under another origin."""
        return f"http://localhost:{self.port}"

    def clear(self) -> None:
        self.pages.clear()
        self.log.clear()
        self.delays.clear()

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()
