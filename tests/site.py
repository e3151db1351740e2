"""Small real servers on loopback: pages are given as text, requests are logged."""

import base64
import hashlib
import sys
import threading
import time
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

NOTES = """
<title>Notes</title><h1>Notes</h1>
<label>Note <input id=note></label>
<button onclick="out.textContent = 'Saved ' + note.value">Save</button>
<p role=status id=out></p><dl><dt>Total</dt><dd>$3.50</dd></dl>
"""


class Handler(BaseHTTPRequestHandler):
    """Answers requests by `answer`, and prints none of them."""

    def answer(self) -> None:
        raise NotImplementedError

    def do_GET(self) -> None:
        self.answer()

    do_POST = do_GET

    def body(self) -> bytes:
        """What came with the request."""
        return self.rfile.read(int(self.headers.get("content-length") or 0))

    def reply(self, status: int, headers: Mapping[str, str], body: bytes) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args: object) -> None: ...


class _Threads(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """Print an error, unless a page was closed early."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]


class Server:
    """A server in threads of its own, under a port of its own, until it is stopped."""

    def __init__(self, handler: type[Handler], host: str = "127.0.0.1") -> None:
        self._server = _Threads(("127.0.0.1", 0), handler)
        self.port = self._server.server_port
        self.url = f"http://{host}:{self.port}"
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()


class Site(Server):
    """Serves `pages` by path, each a piece of HTML or (content type, bytes); 404 for the rest.

    `delays` are seconds to wait before the answer, `statuses` those of answers, both by path.
    """

    def __init__(self) -> None:
        self.clear()
        site = self

        class OfPages(Handler):
            def echo(self, key: str) -> None:
                """Answer each message of a byte to a socket with 0, a moment later."""
                accept = hashlib.sha1(
                    f"{key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11".encode()
                ).digest()
                self.wfile.write(
                    b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                    b"Sec-WebSocket-Accept: " + base64.b64encode(accept) + b"\r\n\r\n"
                )
                while len(self.rfile.read(7)) == 7:
                    time.sleep(0.3)
                    self.wfile.write(b"\x81\x010")

            def answer(self) -> None:
                self.body()
                site.log.append(f"{self.command} {self.path}")
                path = self.path.partition("?")[0]
                time.sleep(site.delays.get(path, 0))
                if key := self.headers.get("sec-websocket-key"):
                    return self.echo(key)
                page = site.pages.get(path)
                if isinstance(page, tuple):
                    kind, body = page
                else:
                    kind = "text/html; charset=utf-8"
                    body = f"<!doctype html><meta charset=utf-8>{page or 'not found'}".encode()
                status = site.statuses.get(path, 404 if page is None else 200)
                self.reply(status, {"content-type": kind}, body)

        super().__init__(OfPages)

    @property
    def foreign_url(self) -> str:
        """The same server under another origin."""
        return f"http://localhost:{self.port}"

    def clear(self) -> None:
        """Serve nothing, and forget what was asked for."""
        self.pages: dict[str, str | tuple[str, bytes]] = {}
        self.log: list[str] = []
        self.delays: dict[str, float] = {}
        self.statuses: dict[str, int] = {}
