"""The search finds a secret in every place that a run writes to, and in every encoding."""

import base64
import html
import json
import unicodedata
from collections.abc import Callable
from contextlib import suppress
from html.entities import codepoint2name
from pathlib import Path
from urllib.parse import quote, quote_plus

import pytest
from PIL import Image, ImageDraw

from pytest_webtask import Secret
from pytest_webtask.data.values import Data
from tests.canary.search import INK, Leak, Search


def _named(secret: str) -> str:
    return "".join(
        f"&{codepoint2name[ord(c)]};" if ord(c) in codepoint2name else html.escape(c)
        for c in secret
    )


def _wide(secret: str) -> str:
    return "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in secret)


ENCODINGS: dict[str, Callable[[str], str]] = {
    "plain": str,
    "percent": lambda s: quote(s, safe=""),
    "percent, all": lambda s: "".join(f"%{byte:02x}" for byte in s.encode()),
    "percent of latin-1": lambda s: quote(s, safe="", encoding="latin-1"),
    "percent twice": lambda s: quote(quote(s, safe=""), safe=""),
    "form": quote_plus,
    "decimal": lambda s: "".join(f"&#{ord(c)};" for c in s),
    "hexadecimal": lambda s: "".join(f"&#x{ord(c):x};" for c in s),
    "named": _named,
    "json": lambda s: json.dumps(s)[1:-1],
    "json, all": lambda s: "".join(f"\\u{ord(c):04x}" for c in s),
    "json in json": lambda s: json.dumps(json.dumps({"key": s})),
    "json in an address": lambda s: quote(json.dumps({"key": s})),
    "python": lambda s: repr(s)[1:-1],
    "python of ascii": lambda s: ascii(s)[1:-1],
    "base64": lambda s: base64.b64encode(s.encode()).decode(),
    "base64 inside": lambda s: base64.b64encode(f"user:{s}, 17".encode()).decode(),
    "base64 for addresses": lambda s: base64.urlsafe_b64encode(f"{s}, 17".encode()).decode(),
    "base64 in lines": lambda s: base64.encodebytes(f"{'x' * 40} {s} {'y' * 99}".encode()).decode(),
    "base64 of utf-16": lambda s: base64.b64encode(s.encode("utf-16-le")).decode(),
    "hex": lambda s: s.encode().hex(),
    "zero width": "\u200b".join,
    "soft hyphens": "\u00ad".join,
    "full width": _wide,
    "decomposed": lambda s: unicodedata.normalize("NFD", s),
    "other case": str.swapcase,
    "groups": lambda s: " ".join(s[i : i + 4] for i in range(0, len(s), 4)),
    "groups with dashes": lambda s: "-".join(s[i : i + 4] for i in range(0, len(s), 4)),
    "shortened": lambda s: s[: max(12, len(s) - 4)],
}

_NAMES = {encode: name for name, encode in ENCODINGS.items()}
RUN = ".webtask/runs/20260101-120000-1-1"


def _in_json(path: str) -> Callable[[Path, str], bytes]:
    def write(root: Path, text: str) -> bytes:
        _write(root / path, json.dumps({"kind": "step_ended", "reason": f"it is {text}."}) + "\n")
        return b""

    return write


def _in_html(path: str) -> Callable[[Path, str], bytes]:
    def write(root: Path, text: str) -> bytes:
        _write(root / path, f"<!doctype html><p title='{html.escape(f'it is {text}.')}'>so")
        return b""

    return write


def _in_terminal(root: Path, text: str) -> bytes:
    colored = text[:3] + "\x1b[31m" + text[3:9] + "\x1b[0m" + text[9:]
    _write(root / "terminal.txt", f"\x1b[1mE   it is {colored}.\x1b[0m\n")
    return b""


def _in_request(root: Path, text: str) -> bytes:
    result = {"type": "tool_result", "content": [{"type": "text", "text": f'[link-1 "{text}"]'}]}
    return f"/v1/messages\n\n{json.dumps({'messages': [result]})}".encode()


def _in_name(root: Path, text: str) -> bytes:
    name = f"test-{text[:99].replace(chr(0), '')}.html"
    _write(root / ".webtask" / "report" / "tests" / name, "")
    return b""


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


PLACES: dict[str, Callable[[Path, str], bytes]] = {
    "journal": _in_json(f"{RUN}/main.jsonl"),
    "report": _in_html(".webtask/report/index.html"),
    "terminal": _in_terminal,
    "request": _in_request,
    "name": _in_name,
}


def leaks(search: Search, root: Path, request: bytes) -> list[Leak]:
    """Return what the search finds in a folder and in a request."""
    return search.in_folder(root) + search.in_bytes(request, "request")


@pytest.mark.parametrize("encode", ENCODINGS.values(), ids=ENCODINGS.keys())
@pytest.mark.parametrize("plant", PLACES.values(), ids=PLACES.keys())
def test_planted_leak_is_found(
    secrets: dict[str, str],
    tmp_path: Path,
    plant: Callable[[Path, str], bytes],
    encode: Callable[[str], str],
) -> None:
    """Each secret alone is found, and no other one."""
    for kind, secret in secrets.items():
        root = tmp_path / kind
        request = plant(root, encode(secret))
        found = leaks(Search(secrets), root, request)
        assert {leak.kind for leak in found} == {kind}, (secret, encode(secret))


@pytest.mark.parametrize("inner", ENCODINGS.values(), ids=ENCODINGS.keys())
def test_masked_text_has_no_leak(secrets: dict[str, str], inner: Callable[[str], str]) -> None:
    """The masking finds a random secret in each encoding, also in another one."""
    search = Search(secrets)
    data = Data({kind: Secret(secret) for kind, secret in secrets.items()})
    for name, outer in ENCODINGS.items():
        # Its beginning alone is no secret, and an escape that is broken up no escape.
        if "shortened" in (name, _NAMES[inner]) or (name.startswith("groups") and inner is not str):
            continue
        for kind, secret in secrets.items():
            with suppress(UnicodeEncodeError):
                text = outer(inner(secret))
                leaks = search.in_text(data.scrub(f"so: {text}."), kind)
                assert not leaks, (name, text)


@pytest.mark.parametrize("plant", PLACES.values(), ids=PLACES.keys())
def test_other_text_is_not_found(
    secrets: dict[str, str], tmp_path: Path, plant: Callable[[Path, str], bytes]
) -> None:
    """A placeholder and the secrets of another run are no leaks."""
    resembling = [secret[::-1] for secret in secrets.values()]
    for index, text in enumerate(["{password}", "4242", *resembling]):
        root = tmp_path / str(index)
        assert leaks(Search(secrets), root, plant(root, text)) == []


@pytest.mark.parametrize("kind", ["jpeg", "png"])
@pytest.mark.parametrize("size", [9, 40])
def test_uncovered_text_in_a_picture_is_found(tmp_path: Path, kind: str, size: int) -> None:
    """Text in ink is found in a picture, in a page with the picture inside, and in a request."""
    for color, expected in ((INK, ["ink"]), ("black", [])):
        image = Image.new("RGB", (600, 300), "#e8f4ea")
        ImageDraw.Draw(image).text((20, 20), "Key: abc", fill=color, font_size=size)
        path = tmp_path / f"{color.strip('#')}.{kind}"
        image.save(path, kind.upper(), quality=70)
        raw = path.read_bytes()
        code = base64.b64encode(raw).decode()
        search = Search({"key": "some-long-secret"})
        page = f'<img src="data:image/{kind};base64,{code}">'.encode()
        body = json.dumps({"source": {"type": "base64", "data": code}}).encode()
        for each in (raw, page, body):
            assert [leak.kind for leak in search.in_bytes(each, "here")] == expected
