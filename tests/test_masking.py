"""Secrets are found as browsers, frameworks and other libraries write them."""

import base64
import email.message
import json
import pprint
import random
import time
from collections.abc import Callable, Iterator
from urllib.parse import unquote, unquote_plus
from xml.sax import saxutils

import pytest
from hypothesis import Phase, example, given, settings
from hypothesis import strategies as st
from jinja2.utils import htmlsafe_json_dumps
from markupsafe import escape
from playwright.sync_api import Browser

from pytest_webtask import Secret
from pytest_webtask.data.values import Data

SECRETS = st.text("aB7 äöß%&<>'\"/\\=+#-_?пароль密码🔑", min_size=12, max_size=24).filter(
    lambda secret: secret == secret.strip() and len({*filter(str.isalnum, secret)}) > 4
)
"""Secrets of the signs that encodings change, and of those between which they tell no difference."""
# Each example asks the browser: a smaller one would take minutes to find.
PROPERTY = settings(
    max_examples=40, deadline=None, derandomize=True, phases=(Phase.explicit, Phase.generate)
)

BROWSER = {
    "component": "encodeURIComponent(s)",
    "address": "encodeURI(s)",
    "escape": "escape(s)",
    "form": "new URLSearchParams({s}).toString().slice(2)",
    "query": "new URL('http://a/?' + s.replaceAll('#', '%23')).search.slice(1)",
    "path": "new URL('http://a/x' + encodeURIComponent(s)).pathname.slice(2)",
    "hash": "new URL('http://a/#' + s).hash.slice(1)",
    "twice": "encodeURIComponent(encodeURIComponent(s))",
    "json": "JSON.stringify(s).slice(1, -1)",
    "json in an address": "encodeURIComponent(JSON.stringify(s).slice(1, -1))",
    "json in json": "JSON.stringify(JSON.stringify(s).slice(1, -1)).slice(1, -1)",
    "text": "(() => { const e = document.createElement('p'); e.textContent = s; return e.innerHTML })()",
    "attribute": "(() => { const e = document.createElement('p'); e.title = s;"
    " return e.outerHTML.slice(10, -6) })()",
    "xml": "(() => { const e = document.createElement('p'); e.title = s;"
    ' return new XMLSerializer().serializeToString(e).match(/title="(.*)"/s)[1] })()',
    "utf-8": "btoa(String.fromCharCode(...new TextEncoder().encode(s)))",
    "utf-8 in json": "btoa(String.fromCharCode(...new TextEncoder().encode('{\"k\":' + JSON.stringify(s) + '}')))",
    "json of ascii in base64": "btoa(JSON.stringify({k: s}).replace(/[^\\x00-\\x7f]/g,"
    " (c) => '\\\\u' + c.charCodeAt(0).toString(16).padStart(4, '0')))",
    "latin-1": "btoa([...s].every((c) => c < '\u0100') ? s : unescape(encodeURIComponent(s)))",
    "hex": "[...new TextEncoder().encode(s)].map((b) => b.toString(16).padStart(2, '0')).join('')",
    "composed": "s.normalize('NFC')",
    "decomposed": "s.normalize('NFD')",
    "decomposed in an address": "encodeURIComponent(s.normalize('NFD'))",
    "invisible": "[...s].join('\u200b')",
    "soft hyphens": "[...s].join('\u00ad')",
    "joiners in an address": "encodeURIComponent([...s].join('\u2060'))",
    "full width": "[...s].map((c) => c > ' ' && c < '\x7f' ? String.fromCharCode(c.charCodeAt(0) + 0xfee0) : c).join('')",
    "style sheet": "CSS.escape(s)",
}
NESTED = ("component", "form", "hash", "json", "attribute", "text", "utf-8", "decomposed", "escape")


def _lines(secret: str) -> list[str]:
    return base64.encodebytes(f"{'x' * 50} {secret} {'y' * 50}".encode()).decode().split()


def _mail(secret: str) -> str:
    message = email.message.EmailMessage()
    message.set_content(f"Your password is {secret}, keep it.\n" * 3, cte="base64")
    return str(message.get_payload())


LIBRARIES: dict[str, Callable[[str], str]] = {
    "markupsafe": lambda s: str(escape(s)),
    "jinja's tojson": lambda s: str(htmlsafe_json_dumps(s))[1:-1],
    "jinja's tojson of ascii": lambda s: str(
        htmlsafe_json_dumps(s, dumps=lambda o, **_: json.dumps(o, ensure_ascii=True))
    )[1:-1],
    "saxutils": lambda s: saxutils.escape(s, {"\n": "&#10;", "'": "&apos;", '"': "&quot;"}),
    "character references": lambda s: s.encode("ascii", "xmlcharrefreplace").decode(),
    "lines of base64": lambda s: base64.encodebytes(f"{'x' * 50} {s} {'y' * 50}".encode()).decode(),
    "lines of base64 on a page": lambda s: " ".join(_lines(s)),
    "lines of base64 in an outline": lambda s: " / ".join(_lines(s)),
    "groups": lambda s: " ".join(s[i : i + 4] for i in range(0, len(s), 4)),
    "mail": _mail,
    "a token": lambda s: (
        "eyJhbGciOiJub25lIn0."
        + base64.urlsafe_b64encode(json.dumps({"p": s}).encode()).decode().rstrip("=")
        + "."
    ),
    "utf-16": lambda s: base64.b64encode(s.encode("utf-16-le")).decode(),
    "unicode_escape": lambda s: s.encode("unicode_escape").decode(),
    "repr": lambda s: repr(s)[1:-1],
    "references in hex": lambda s: "".join(f"&#{ord(c)};" for c in s).encode().hex(),
    "references in utf-16": lambda s: base64.b64encode(
        "".join(f"&#{ord(c)};" for c in s).encode("utf-16-le")
    ).decode(),
    "joiners in base64": lambda s: base64.b64encode("\u200b".join(s).encode()).decode(),
    "capitals in groups": lambda s: "-".join(
        s.upper()[i : i + 4] for i in range(0, len(s.upper()), 4)
    ),
    "ascii": lambda s: ascii(s)[1:-1],
    "csv": lambda s: s.replace('"', '""'),
    "sql": lambda s: s.replace("'", "''"),
    "list": lambda s: str([*s]),
    "list in JSON": lambda s: json.dumps([*s]),
    "list in lines": lambda s: pprint.pformat([*s], width=1),
    "hex in groups": lambda s: s.encode().hex(" ", 2),
    "hex with colons": lambda s: s.encode().hex(":").upper(),
    "hex of numbers": lambda s: str([*map(hex, s.encode())]),
}


def assert_masked(secret: str, written: str) -> None:
    """The text is masked, and what is left around it holds no piece of the secret with a letter."""
    pieces = {secret[i : i + 4] for i in range(len(secret) - 3)}
    pieces = {piece for piece in pieces if any(map(str.isalnum, piece))}
    shown = Data({"key": Secret(secret)}).scrub(f"before {written} after")
    assert "{key}" in shown, written
    left = shown.replace("{key}", "\0").removeprefix("before ").removesuffix(" after")
    for text in (left, unquote(left), unquote_plus(left)):
        assert not any(piece in text for piece in pieces), (written, left)


@pytest.fixture(scope="module")
def encoded(browser: Browser) -> Iterator[Callable[[str], dict[str, str]]]:
    """Return a secret in every encoding of a browser and of libraries, by the name of the encoding."""
    scripts = ",".join(f"{json.dumps(name)}: {script}" for name, script in BROWSER.items())
    # One page for all secrets: the scripts change nothing in it.
    with browser.new_page() as page:

        def encode(secret: str) -> dict[str, str]:
            made = {name: library(secret) for name, library in LIBRARIES.items()}
            return {**page.evaluate(f"s => ({{{scripts}}})", secret), **made}

        yield encode


@example(r"C:\new%41 &amp; \u0041")
@example("correct horse  bättery")
@example("s3cret-🔑-ключ")
@example("4929123456781239")
@example("tok_Zr7+Qx9/Lw2=")
@given(SECRETS)
@PROPERTY
def test_secret_is_masked_in_every_encoding(
    encoded: Callable[[str], dict[str, str]], secret: str
) -> None:
    """Whatever a browser or a library makes of a secret, nothing of it is left."""
    for written in encoded(secret).values():
        assert_masked(secret, written)


@given(SECRETS, st.sampled_from(NESTED), st.sampled_from(NESTED))
@PROPERTY
def test_secret_is_masked_in_two_encodings_at_once(
    encoded: Callable[[str], dict[str, str]], secret: str, inner: str, outer: str
) -> None:
    """Encodings of any two browser functions, one in the other, are decoded."""
    assert_masked(secret, encoded(encoded(secret)[inner])[outer])


@pytest.mark.parametrize("other", ["correct-mouse-11", "", "xyz"])
def test_list_of_letters_is_masked_in_a_diff_of_pytest(
    pytester: pytest.Pytester, other: str
) -> None:
    """The letters of a secret stand in lines of their own, between those of what it is compared with."""
    secret = "correct-horse-7391"
    pytester.makepyfile(f"def test_it(): assert [*{secret!r}] == [*{other!r}]")
    lines = pytester.runpytest("-vvv", "--no-header", "--color=no").outlines
    diff = "\n".join(line for line in lines if line.startswith("E "))
    assert_masked(secret, diff)


def test_text_around_a_masked_secret_is_unchanged() -> None:
    """Escapes and foreign letters that are not part of a secret stay as they were."""
    data = Data({"key": Secret("Grüße-42")})
    text = "/caf%C3%A9?q=Gr%C3%BC%C3%9Fe-42&x=%20ﬁ &amp; \\u00e9 Gru\u0308ße-42\u200b!"
    assert data.scrub(text) == "/caf%C3%A9?q={key}&x=%20ﬁ &amp; \\u00e9 {key}\u200b!"


def test_random_texts_without_the_secret_are_unchanged() -> None:
    """No other text is masked, whatever escapes it holds."""
    dice = random.Random(7)
    data = Data({"key": Secret("Grüße-42-aus-Köln"), "pin": Secret("8421")})
    signs = "abc ÄÖ%&\\u00e4;#x27/+-_=1239\"'…é🔑\n"
    for _ in range(2_000):
        text = "".join(dice.choices(signs, k=60)).replace("...", "").replace("…", "")
        assert data.scrub(text) == text


def test_masking_of_a_long_text_takes_little_time() -> None:
    """A page of 100,000 characters in a foreign script is searched in a fraction of a second."""
    data = Data({"key": Secret("Grüße-42-aus-Köln"), "card": Secret("4929123456781239")})
    text = "Überall größer: 12,50 € · ещё текст &amp; /path/to/some%20page?x=1\n" * 1_500
    data.scrub(text)
    # Not the time that other processes take.
    began = time.process_time()
    assert data.scrub(text) == text
    assert time.process_time() - began < 1
