"""What went wrong in a page without anybody acting: errors of its scripts, requests that failed.

Playwright keeps the last of each; nothing is listened to for it.
"""

from __future__ import annotations

from collections.abc import Iterator

from playwright.sync_api import ConsoleMessage, Error, Page

_OF_REQUEST = "Failed to load resource: the server responded with"
"""What the console says of a request that is told by itself."""


class Troubles:
    """Tells each trouble once."""

    def __init__(self) -> None:
        self._told: set[tuple[str, str]] = set()

    def new(self, page: Page) -> Iterator[tuple[str, str]]:
        """Kind (`console`, `request`) and text of what has not been told yet."""
        try:
            found = [*_all(page)]
        except Error:  # the page has gone
            return
        for each in found:
            if each not in self._told:
                self._told.add(each)
                yield each


def _all(page: Page) -> Iterator[tuple[str, str]]:
    for request in page.requests():
        response = request.existing_response
        if response is not None and response.status >= 400:
            yield "request", f"{request.method} {request.url} was answered with {response.status}"
    for error in page.page_errors():
        yield "console", f"uncaught: {error}"
    for message in page.console_messages():
        if message.type == "error" and not message.text.startswith(_OF_REQUEST):
            yield "console", f"{message.text}{_place(message)}"


def _place(message: ConsoleMessage) -> str:
    url = str(message.location.get("url") or "")
    return f" ({url})" if url else ""
