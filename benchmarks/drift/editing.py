"""What changes are made of: edits of what a page says, and of what is sent."""

from __future__ import annotations

import re
import time
from collections.abc import Callable

from werkzeug.wrappers import Response

from benchmarks.drift.shop import Changing, Visit

Edit = Callable[[str], str]
MAIN = '<main id="main" class="wrap">'


def page(*edits: Edit, at: str = ".*", kinds: tuple[str, ...] = ("text/html",)) -> Changing:
    """Pages whose path is `at`, with their query if they have one, are edited."""

    def answer(visit: Visit) -> Response:
        return edited(visit, visit.forward(), *edits, at=at, kinds=kinds)

    return answer


def edited(
    visit: Visit,
    response: Response,
    *edits: Edit,
    at: str = ".*",
    kinds: tuple[str, ...] = ("text/html",),
) -> Response:
    """The response after the edits, if it is of such a kind and place."""
    if response.mimetype not in kinds or not re.fullmatch(at, visit.request.full_path.rstrip("?")):
        return response
    before = after = response.get_data(as_text=True)
    for edit in edits:
        after = edit(after)
    if after != before:
        visit.apply()
        response.set_data(after)
    return response


def sub(pattern: str, by: str | Callable[[re.Match[str]], str]) -> Edit:
    """All that fits the pattern is replaced; a dot fits line ends too."""
    return lambda text: re.sub(pattern, by, text, flags=re.DOTALL)


def put(new: str, *, before: str = "", after: str = "") -> Edit:
    """Insert the text before or after each occurrence of another."""
    return lambda text: text.replace(before or after, after + new + before)


def swap(old: str, new: str) -> Edit:
    """A text is replaced by another."""
    return lambda text: text.replace(old, new)


def say(message: str, kind: str = "status") -> Edit:
    """The page begins with a message, as the shop's own pages do."""
    return put(f'<p class="flash success" role="{kind}">{message}</p>', after=MAIN)


def reverse(item: str) -> Edit:
    """Reverse the order of the parts that match the pattern."""

    def edit(text: str) -> str:
        found = re.findall(item, text, flags=re.DOTALL)
        return re.sub(item, lambda _: found.pop(), text, flags=re.DOTALL)

    return edit


def both(first: str, second: str) -> Edit:
    """Two texts are exchanged."""
    pattern = f"{re.escape(first)}|{re.escape(second)}"
    return sub(pattern, lambda m: second if m[0] == first else first)


def posts(beginning: str, *, to: str = "", **form: str) -> Changing:
    """What is posted there has these values instead, or goes to another path."""

    def answer(visit: Visit) -> Response:
        if not visit.posts(beginning):
            return visit.forward()
        visit.apply()
        return visit.forward(to, form=form)

    return answer


def slow(seconds: tuple[float, ...]) -> Changing:
    """Pages take so long, in turn."""

    def answer(visit: Visit) -> Response:
        response = visit.forward()
        if response.mimetype == "text/html":
            number = visit.kept["pages"] = visit.kept.get("pages", -1) + 1
            time.sleep(seconds[number % len(seconds)])
            visit.apply()
        return response

    return answer
