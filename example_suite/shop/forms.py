"""Reading what people typed or uploaded, and writing numbers for people to read.

In here: parsing and cleaning of single values, with no database and no templates. A value that cannot be
used raises `BadInput`, whose text is shown to the customer as it is.
"""

from __future__ import annotations

import base64
import binascii
import html
import re
from html.parser import HTMLParser

MAX_QUANTITY = 99
_PNG = b"\x89PNG\r\n\x1a\n"
_PICTURES = {_PNG: ".png", b"\xff\xd8\xff": ".jpg", b"GIF87a": ".gif", b"GIF89a": ".gif"}


class BadInput(ValueError):
    """Something that was entered cannot be used; the text says why, for the customer."""


def money(cents: int) -> str:
    """`1850` as `$18.50`."""
    return f"${cents / 100:,.2f}"


def count_of(number: int, noun: str) -> str:
    """`1, "item"` as `1 item`, `2, "item"` as `2 items`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def quantity(text: str) -> int:
    """A whole number from 1 to 99."""
    if not re.fullmatch(r"[0-9]{1,4}", text.strip()) or not 1 <= int(text) <= MAX_QUANTITY:
        raise BadInput(f"Quantity must be a whole number from 1 to {MAX_QUANTITY}.")
    return int(text)


def price(text: str) -> int:
    """`18`, `18.5` or `$18.50` in cents."""
    match = re.fullmatch(r"\$?([0-9]{1,5})(?:\.([0-9]{1,2}))?", text.strip())
    cents = int(match[1]) * 100 + int((match[2] or "").ljust(2, "0")) if match else 0
    if cents <= 0:
        raise BadInput("Price must be an amount such as 18.50.")
    return cents


def stock(text: str) -> int:
    """A whole number from 0 to 9999."""
    if not re.fullmatch(r"[0-9]{1,4}", text.strip()):
        raise BadInput("Stock must be a whole number from 0 to 9999.")
    return int(text)


def is_email(text: str) -> bool:
    """Whether it has the shape of an e-mail address."""
    return re.fullmatch(r"[^@\s]+@[^@\s]+\.[^@\s]{2,}", text) is not None


def local_path(text: str, otherwise: str) -> str:
    """A path of this shop to go on to; `otherwise` for anything that leads elsewhere."""
    return text if re.fullmatch(r"/(?![/\\])[^\\\s]*", text) else otherwise


def picture_suffix(content: bytes) -> str:
    """`.png`, `.jpg`, `.gif` or `.webp`, told from the content; the file's name is not to be trusted."""
    for start, suffix in _PICTURES.items():
        if content.startswith(start):
            return suffix
    if content[:4] == b"RIFF" and content[8:12] == b"WEBP":
        return ".webp"
    raise BadInput("The picture must be a PNG, JPEG, GIF or WebP file.")


def drawing(data_url: str) -> str:
    """The data URL of a PNG picture, or an empty string for no drawing."""
    if not data_url:
        return ""
    head, _, body = data_url.partition(",")
    try:
        content = base64.b64decode(body, validate=True)
    except binascii.Error:
        content = b""
    if head != "data:image/png;base64" or not content.startswith(_PNG):
        raise BadInput("The drawing could not be read. Clear it and draw again.")
    return data_url


class _Cleaner(HTMLParser):
    """Keeps a few formatting tags without attributes and the text; drops everything else."""

    allowed = frozenset({"b", "strong", "i", "em", "u", "p", "div", "br", "ul", "ol", "li"})
    hidden = frozenset({"script", "style"})

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self.open: list[str] = []
        self.hidden_depth = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002
        if tag in self.hidden:
            self.hidden_depth += 1
        elif tag in self.allowed:
            self.parts.append(f"<{tag}>")
            if tag != "br":
                self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in self.hidden:
            self.hidden_depth = max(0, self.hidden_depth - 1)
        # A tag that closes an outer one closes those inside it too, so that nothing leaks into the page.
        while tag in self.open:
            last = self.open.pop()
            self.parts.append(f"</{last}>")
            if last == tag:
                break

    def handle_data(self, data: str) -> None:
        if not self.hidden_depth:
            self.parts.append(html.escape(data))


def clean_html(text: str) -> str:
    """Rich text with nothing left in it but simple formatting; an empty string if it shows no words."""
    cleaner = _Cleaner()
    cleaner.feed(text)
    cleaner.close()
    result = "".join(cleaner.parts) + "".join(f"</{tag}>" for tag in reversed(cleaner.open))
    words = re.sub(r"<[^>]*>", "", result)
    return result if html.unescape(words).strip() else ""
