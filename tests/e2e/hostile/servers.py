"""Two servers of different origins that keep every byte which reaches them."""

from collections.abc import Mapping
from dataclasses import dataclass

from tests import site

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


class Server(site.Server):
    """Serves `pages` by path under a host name of its own; what it lacks is an empty page."""

    def __init__(self, host: str) -> None:
        self.pages: dict[str, Page] = {}
        self.received: list[Received] = []
        server = self

        class OfPages(site.Handler):
            def answer(self) -> None:
                body = self.body().decode("latin-1")
                headers = {k.lower(): v for k, v in self.headers.items()}
                server.received.append(Received(self.command, self.path, headers, body))
                page = server.pages.get(self.path.partition("?")[0], "")
                status, extra, answer = (200, {}, page) if isinstance(page, str) else page
                headers = {"content-type": "text/html; charset=utf-8", **extra}
                self.reply(status, headers, answer.encode())

        super().__init__(OfPages, host)

    def clear(self) -> None:
        self.pages.clear()
        self.received.clear()
