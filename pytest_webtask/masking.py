"""Patterns that find secrets in text, in every way in which they may be written."""

from __future__ import annotations

import base64
import html
import json
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from urllib.parse import quote, quote_plus

SHORT = 4
"""Shorter secrets are matched as whole words and with their exact case."""
_ELLIPSIS = re.compile(r"\s*(?:…|\.\.\.)")

Span = tuple[int, int, str]
"""Start and end of a text to mask, and its replacement."""


class Finder:
    """A pattern of alternatives, each with its replacement."""

    def __init__(self, alternatives: Iterable[tuple[str, str]], flags: int = 0) -> None:
        # Longest first: if one secret begins with another, its end must not remain.
        ordered = sorted(set(alternatives), key=lambda a: len(a[0]), reverse=True)
        self._replacements = [replacement for _, replacement in ordered]
        self._pattern = re.compile("|".join(f"({form})" for form, _ in ordered) or "(?!)", flags)

    def spans(self, text: str) -> list[Span]:
        """Return the spans of the text that match."""
        return [
            (*m.span(), self._replacements[m.lastindex - 1])
            for m in self._pattern.finditer(text)
            if m.lastindex
        ]


def finders(replacements: Mapping[str, str]) -> Iterator[Finder]:
    """Yield finders of each text, in every way in which it may be written, with its replacement."""
    exact, caseless, loose = [], [], []
    for secret, name in replacements.items():
        for form in _written_forms(secret):
            pattern = r"\s+".join(map(re.escape, form.split())) or re.escape(form)
            if len(form) >= SHORT:
                caseless.append((pattern, name))
            else:
                # Part of a number or of an element's id is not a whole word.
                exact.append((rf"(?<!\w)(?<!\w-)(?<!\d[.,]){pattern}(?!\w)(?![.,]\d)", name))
        if len(secret) < SHORT:
            continue
        # The adjacent characters encode some bits of the first and last letter.
        base64s = (rf"[\w+/-]?{re.escape(form)}[\w+/-]?={{0,2}}" for form in _base64_forms(secret))
        exact += [(pattern, name) for pattern in base64s]
        letters = [re.escape(c) for c in secret if c.isalnum()]
        if len(letters) >= SHORT:
            # In groups of four, with other separators, spread over several elements.
            spread = r"[\W_]{0,3}".join(letters)
            if len(letters) < 2 * SHORT:
                spread = rf"(?<![^\W_]){spread}(?![^\W_])"
            loose.append((spread, name))
    yield Finder(caseless, re.IGNORECASE)
    if exact:
        yield Finder(exact)
    if loose:
        yield Finder(loose, re.IGNORECASE)


def _written_forms(secret: str) -> set[str]:
    """Return the forms of a secret in text, URLs, markup, SQL and JSON, and each of its lines."""
    forms = {secret, " ".join(secret.split())}
    forms |= {unicodedata.normalize(kind, secret) for kind in ("NFC", "NFD", "NFKC")}
    forms |= {line.strip() for line in secret.splitlines() if len(line.strip()) >= 2 * SHORT}
    if len(secret) >= SHORT:
        forms |= {secret.upper(), secret.lower(), secret.encode().hex()}
    for form in list(forms):
        forms |= {
            quote(form),
            quote(form, safe=""),
            quote(quote(form, safe=""), safe=""),
            quote_plus(form),
            html.escape(form),
            html.escape(form, quote=False),
            repr(form)[1:-1],
            json.dumps(form)[1:-1],
            json.dumps(form, ensure_ascii=False)[1:-1],
            form.replace("'", "''"),
        }
    return {form for form in forms if form}


def _base64_forms(secret: str) -> Iterator[str]:
    """Yield the base64 forms of a secret at every offset in a longer text."""
    raw = secret.encode()
    for shift in range(3):
        bits = (shift + len(raw)) * 8
        for encode in (base64.b64encode, base64.urlsafe_b64encode):
            code = encode(b"\0" * shift + raw).decode()[-(-shift * 8 // 6) : bits // 6]
            if len(code) > SHORT:
                yield code


def shortened_secrets(text: str, secrets: Mapping[str, str]) -> list[Span]:
    """Return the spans of secrets that are truncated by an ellipsis."""
    spans = []
    for ellipsis in _ELLIPSIS.finditer(text):
        before = text[max(ellipsis.start() - 200, 0) : ellipsis.start()].lower()
        for secret, name in secrets.items():
            for length in range(min(len(secret) - 1, len(before)), SHORT - 1, -1):
                if before.endswith(secret[:length].lower()):
                    spans.append((ellipsis.start() - length, ellipsis.start(), f"{{{name}}}"))
                    break
    return spans


def fold_letters(text: str) -> str:
    """Return the letters and digits of a text, in lower case."""
    return "".join(c for c in text.casefold() if c.isalnum())


def merge_spans(spans: list[Span]) -> list[Span]:
    """Return the spans in order, with overlapping ones merged."""
    if len(spans) < 2:
        return spans
    merged: list[Span] = []
    for begin, end, replacement in sorted(spans, key=lambda s: (s[0], -s[1])):
        if merged and begin < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]), merged[-1][2])
        else:
            merged.append((begin, end, replacement))
    return merged


def replace_spans(text: str, spans: Iterable[Span]) -> str:
    """Return the text with each span replaced."""
    pieces, at = [], 0
    for begin, end, replacement in spans:
        pieces += [text[at:begin], replacement]
        at = end
    return "".join([*pieces, text[at:]])
