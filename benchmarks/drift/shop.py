"""The example shop behind a middleware that changes what it answers."""

from __future__ import annotations

import io
import sqlite3
import threading
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlencode

from shop import create_app, database
from werkzeug.serving import WSGIRequestHandler, make_server
from werkzeug.wrappers import Request, Response

Changing = Callable[["Visit"], Response]


@dataclass(frozen=True)
class Change:
    """A change of the shop: what it does with a request, and SQL for the database after each reset.

    `tests` are those that it can affect, all of them if none are named.
    """

    name: str
    kind: Literal["harmless", "bug"]
    answer: Changing
    tests: tuple[str, ...] = ()
    given: str = ""


@dataclass
class Visit:
    """A request to the shop, and what a change needs to answer it.

    `kept` is the change's own, empty after each reset; `apply()` says that the change took place.
    """

    request: Request
    app: Callable[..., Iterable[bytes]]
    kept: dict[str, Any]
    apply: Callable[[], None]

    @property
    def path(self) -> str:
        """Such as /products/2."""
        return self.request.path

    def posts(self, beginning: str) -> bool:
        """Whether it is a POST to a path that begins so."""
        return self.request.method == "POST" and self.path.startswith(beginning)

    def forward(
        self,
        path: str = "",
        *,
        get: bool = False,
        form: Mapping[str, str] | None = None,
        query: Mapping[str, str] | None = None,
    ) -> Response:
        """What the shop answers, to the request as it is or with parts of it replaced."""
        environ = {k: v for k, v in self.request.environ.items() if k != "werkzeug.request"}
        body = self.request.get_data()
        if path:
            environ["PATH_INFO"] = path
        if query is not None:
            environ["QUERY_STRING"] = urlencode(query)
        if form is not None:
            body = urlencode({**self.request.form.to_dict(), **form}).encode()
        if get:
            environ["REQUEST_METHOD"], body = "GET", b""
        environ["wsgi.input"] = io.BytesIO(body)
        environ["CONTENT_LENGTH"] = str(len(body))
        return Response.from_app(self.app, environ, buffered=True)


class _Quiet(WSGIRequestHandler):
    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        """Say nothing."""


class DriftingShop:
    """A shop of its own in `folder`, with one change at a time; serves until `stop()`.

    `applied` counts how often the change took place since it was made.
    """

    def __init__(self, folder: Path) -> None:
        self.change: Change | None = None
        self.applied = 0
        self._kept: dict[str, Any] = {}
        self._file = folder / "shop.sqlite"
        database.reset(self._file)
        self._app = create_app(self._file)
        self._server = make_server(
            "127.0.0.1", 0, self._serve, threaded=True, request_handler=_Quiet
        )
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def make(self, change: Change | None) -> None:
        """Change the shop, instead of what was changed before."""
        self.change, self.applied = change, 0

    def stop(self) -> None:
        """Stop serving."""
        self._server.shutdown()
        self._server.server_close()

    def _serve(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        request = Request(environ)
        # Kept before anybody reads the form, which leaves nothing of it.
        request.get_data(cache=True)
        if request.path == "/-/reset":
            self._reset()
            return Response()(environ, start_response)
        visit = Visit(request, self._app, self._kept, self._apply)
        answer = self.change.answer if self.change else Visit.forward
        response = answer(visit)
        # Read whole: werkzeug leaves its file open if the browser hangs up.
        return Response(
            response.get_data(),
            status=response.status,
            headers=[(k, v) for k, v in response.headers if k != "Content-Length"],
        )(environ, start_response)

    def _reset(self) -> None:
        database.reset(self._file)
        self._kept.clear()
        if self.change and self.change.given:
            with closing(sqlite3.connect(self._file)) as connection, connection:
                connection.executescript(self.change.given)
            self._apply()

    def _apply(self) -> None:
        self.applied += 1
