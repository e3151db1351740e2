"""A search for secrets in all that a run leaves, which shares nothing with the package's masking.

It decodes with the standard library. Pictures have no text: what a page shows of a secret it draws in
`INK`, a color of nothing else, and a picture that has it shows a secret.
"""

import base64
import html
import io
import json
import re
import sys
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, unquote_plus

from PIL import Image, ImageChops, UnidentifiedImageError

INK = "#ff00ff"
_PIECE = 10
"""This many letters and digits at the beginning or end of a secret are a leak, too."""
_ROUNDS = 5
_FEW = 4
"""The most separators between two letters."""
_APART = " |" * _FEW
_IGNORED = {
    code: None
    for code in range(sys.maxunicode + 1)
    if unicodedata.category(chr(code)) == "Cf" or 0xFE00 <= code <= 0xFE0F or code == 0x34F
}
_COLORS = re.compile(r"\x1b\[[0-9;]*m")
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
_ESCAPES = re.compile(r"(?:\\u[0-9A-Fa-f]{4})+|\\x[0-9A-Fa-f]{2}")
_BROKEN = re.compile(r"(?<=[A-Za-z0-9+/]{40})\r?\n(?=[A-Za-z0-9+/])")
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{12,}={0,2}")
_LONG_CODE = re.compile(r"(?:[A-Za-z0-9+/]{4}){200,}(?:[A-Za-z0-9+/]{2,3}={1,2})?")
_HEX = re.compile(r"(?:[0-9A-Fa-f]{2}){8,}")


@dataclass(frozen=True)
class Leak:
    """A secret that was found: the name of its kind, and where; for a picture the kind is "ink"."""

    kind: str
    place: str
    excerpt: str = ""

    def __str__(self) -> str:
        return f"{self.kind} in {self.place}: {self.excerpt!r}"


class Search:
    """Finds secrets, given by the names of their kinds, in texts, bytes and folders."""

    def __init__(self, secrets: Mapping[str, str]) -> None:
        self._patterns = {kind: _pattern(secret) for kind, secret in secrets.items()}
        # A page has the same codes in many files.
        self._clean: set[bytes] = set()

    def in_folder(self, root: Path) -> list[Leak]:
        """Return the leaks in the files below a folder, their names included."""
        leaks: list[Leak] = []
        for path in sorted(root.rglob("*")):
            name = path.relative_to(root).as_posix()
            leaks += self.in_text(name, f"the name {name}")
            if path.is_file():
                leaks += self.in_bytes(path.read_bytes(), name)
        return leaks

    def in_bytes(self, raw: bytes, place: str) -> list[Leak]:
        """Return the leaks in the contents of a file or of a request. Raises ValueError if it is unreadable."""
        if (image := _image(raw)) is not None:
            return [Leak("ink", place)] if has_ink(image) else []
        try:
            text = raw.decode()
        except UnicodeDecodeError:
            raise ValueError(f"{place} is neither a text nor a picture: teach the search") from None
        return self.in_text(text, place)

    def in_text(self, text: str, place: str) -> list[Leak]:
        """Return the leaks in a text, one of each kind at most."""
        found: dict[str, str] = {}
        raws: dict[bytes, None] = {}
        images: list[Image.Image] = []

        def keep_image(match: re.Match[str]) -> str:
            image = _image(base64.b64decode(match.group()))
            if image is None:
                return match.group()
            images.append(image)
            return ""

        for layer in layers(_LONG_CODE.sub(keep_image, text)):
            self._find(layer, found)
            raws.update(dict.fromkeys(raw for raw in _codes(layer) if raw not in self._clean))
        inside = [inner for raw in raws for inner in _texts(raw)]
        held: dict[str, str] = {}
        self._find(_APART.join(inside), held)
        # What is no text, because a code begins elsewhere, holds no escapes.
        for layer in layers(_APART.join(filter(_is_text, inside))):
            self._find(layer, held)
        if any(map(has_ink, images)):
            held["ink"] = ""
        if not held:
            self._clean.update(raws)
        return [Leak(kind, place, excerpt) for kind, excerpt in (held | found).items()]

    def _find(self, text: str, found: dict[str, str]) -> None:
        folded = _fold(text)
        for kind, pattern in self._patterns.items():
            if kind not in found and (match := pattern.search(folded)):
                found[kind] = folded[max(match.start() - 60, 0) : match.end() + 30]


def _pattern(secret: str) -> re.Pattern[str]:
    """Return a pattern of the letters and digits of a secret, whatever separates them."""
    signs = [c for c in _fold(secret) if c.isalnum()]
    pieces = [signs[:_PIECE], signs[-_PIECE:]] if len(signs) > _PIECE else [signs]
    between = rf"(?:\\+|[^\w\\]|_){{0,{_FEW}}}"
    spread = [between.join(map(re.escape, piece)) for piece in pieces]
    return re.compile("|".join(spread))


def _fold(text: str) -> str:
    return unicodedata.normalize("NFKC", text.translate(_IGNORED)).casefold()


def layers(text: str) -> Iterator[str]:
    """Yield a text as it is, decoded in one way each, and after each decoding until nothing changes."""
    text = _BROKEN.sub("", _COLORS.sub("", text))
    known = {text}
    yield text
    single = [decode(text) for decode in (unquote_plus, _unquote_latin, *_DECODERS)]
    for new in single:
        if new not in known:
            known.add(new)
            yield new
    for _ in range(_ROUNDS):
        before = text
        for decode in _DECODERS:
            text = _BROKEN.sub("", decode(text))
            if text not in known:
                known.add(text)
                yield text
        if text == before:
            return


def _unquote_latin(text: str) -> str:
    return unquote_plus(text, encoding="latin-1")


def _unescape(text: str) -> str:
    """Decode JSON's strings, and its and Python's escapes wherever else they are."""

    def string(match: re.Match[str]) -> str:
        try:
            return f'"{json.loads(match.group(), strict=False)}"'
        except json.JSONDecodeError:
            return match.group()

    def escapes(match: re.Match[str]) -> str:
        escaped = match.group().replace(r"\x", r"\u00")
        return str(json.loads(f'"{escaped}"'))

    return _ESCAPES.sub(escapes, _STRING.sub(string, text))


_DECODERS = (unquote, html.unescape, _unescape)


def _codes(text: str) -> Iterator[bytes]:
    """Yield what runs of base64 and of hexadecimal digits in a text hold, from each place where they may begin."""
    for match in _BASE64.finditer(text):
        code = match.group().rstrip("=").replace("-", "+").replace("_", "/")
        for start in range(4):
            part = code[start:]
            part = part[: len(part) - (len(part) % 4 == 1)]
            yield base64.b64decode(part + "=" * (-len(part) % 4))
    for match in _HEX.finditer(text):
        yield bytes.fromhex(match.group())


def _texts(raw: bytes) -> Iterable[str]:
    return {raw.decode(code, errors="replace") for code in ("utf-8", "utf-16-le", "latin-1")}


def _is_text(text: str) -> bool:
    return all(c.isprintable() or c.isspace() for c in text) and "\ufffd" not in text


def _image(raw: bytes) -> Image.Image | None:
    if not raw.startswith((b"\xff\xd8\xff", b"\x89PNG")):
        return None
    try:
        return Image.open(io.BytesIO(raw)).convert("RGB")
    except (UnidentifiedImageError, OSError):
        return None


def has_ink(image: Image.Image) -> bool:
    """Return whether a picture shows something in `INK`, the losses of JPEG allowed for."""
    red, green, blue = image.convert("RGB").split()
    bright = [band.point(lambda value: 255 if value > 180 else 0) for band in (red, blue)]
    dark = green.point(lambda value: 255 if value < 100 else 0)
    return ImageChops.multiply(ImageChops.multiply(*bright), dark).getbbox() is not None
