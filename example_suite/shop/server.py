"""The shop on a free loopback port, in a thread, for tests."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from werkzeug.serving import WSGIRequestHandler, make_server

from . import create_app, database


class _QuietHandler(WSGIRequestHandler):
    """Answers requests without writing a line for each; errors are still logged."""

    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        """Say nothing: a test's output is not an access log."""


def _whole(app: Callable[..., Iterable[bytes]]) -> Callable[..., Iterable[bytes]]:
    """Read each answer before it is sent: werkzeug leaves its file open if the browser hangs up."""

    def answer(environ: dict[str, Any], start_response: Callable[..., Any]) -> list[bytes]:
        body = app(environ, start_response)
        try:
            return [b"".join(body)]
        finally:
            close = getattr(body, "close", None)
            if close:
                close()

    return answer


class ShopServer:
    """A running shop with a database of its own in `folder`; serves until `stop()`."""

    def __init__(self, folder: Path, port: int = 0) -> None:
        """Seed a fresh database in `folder` and serve it; `port=0` takes a free one. OSError if it is taken."""
        self._database = folder / "shop.sqlite"
        database.reset(self._database)
        self._server = make_server(
            "127.0.0.1",
            port,
            _whole(create_app(self._database)),
            threaded=True,
            request_handler=_QuietHandler,
        )
        self._thread = threading.Thread(target=self._server.serve_forever, name="shop", daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        """Where the shop answers, such as `http://127.0.0.1:40123`; without a slash at its end."""
        return f"http://127.0.0.1:{self._server.server_port}"

    def reset(self) -> None:
        """Put the database back to its seed and drop uploaded pictures; takes a few milliseconds."""
        database.reset(self._database)

    def stop(self) -> None:
        """Stop serving and free the port; the files stay."""
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()
