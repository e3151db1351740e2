"""Search in text for secrets, in all ways of writing them, and for what `webtask_redact` names.

A text is decoded before it is compared: a browser, a framework and a library each write `ö"` in an
address, in markup and in JSON in ways of their own, and all of them mean the same characters.
"""

from __future__ import annotations

import base64
import html
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache

from pytest_webtask.data.escapes import IGNORABLE
from pytest_webtask.data.patterns import LimitedPattern, SlowPattern
from pytest_webtask.errors import UsageError

SHORT = 4
"""Shorter secrets are matched as whole words and with their exact case."""
_DEPTH = 4
"""How often a text is decoded, since markup may hold JSON that holds an address."""
_ELLIPSIS = re.compile(r"(?<!\s)\s*(?:…|\.\.\.)")
_FOREIGN = re.compile(r"[^\x00-\x7f]+")
_LETTER_OF_LIST = r"%s(?:\\.|.)[\u0300-\u036f]*%s(?:,\s*(?:E\s+)?(?:[-+]\s+)?)?"
_LINE_OF_DIFF = r"\n(?:E +)?[%s?] +(?:(['\"])\\?.\1,?|[ ^+-]+)(?=\n|$)"
_ESCAPES = {
    "%": re.compile(r"(?:%[0-9A-Fa-f]{2})+|(?:%u[0-9A-Fa-f]{4})+"),
    "\\": re.compile(
        r"(?:\\u[0-9A-Fa-f]{4})+|\\u\{[0-9A-Fa-f]{1,6}\}|\\U[0-9A-Fa-f]{8}|\\x[0-9A-Fa-f]{2}"
        # A style sheet escapes a digit with which an identifier begins.
        r"|\\3[0-9] |\\[bfnrt]|\\[^\w\n]"
    ),
    # A page shows the lines beside one another, an outline with a slash in between.
    "\n": re.compile(r"\s(?<=[\w+/-]{60}\s)\s?(?:/ )?(?=[\w+/-])", re.ASCII),
    "&": re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});?"),
    # A list of letters, and lines of a diff of such lists that are of one of both only.
    "'": re.compile(_LETTER_OF_LIST.replace("%s", "'")),
    '"': re.compile(_LETTER_OF_LIST.replace("%s", '"')),
    "+": re.compile(_LINE_OF_DIFF % "+"),
    "-": re.compile(_LINE_OF_DIFF % "-"),
}
"""Escapes of addresses, code and markup, breaks in lines of base64, and lists, each with a sign of its kind."""
_CONTROLS = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_IGNORABLE = re.compile(IGNORABLE)
_HEX = re.compile(
    r"(?<![0-9A-Fa-f])(?:0x)?[0-9A-Fa-f]{2}(?:[\W_]{0,4}(?:0x)?[0-9A-Fa-f]{2}){3,}(?![0-9A-Fa-f])"
)
_LETTER = re.compile(r"([\W_]*)([^\W_])")
_CODE_SIGN = re.compile(r"[\w+/-]", re.ASCII)
_BASE64 = re.compile(r"(?<![\w+/-])[\w+/-]{16,}={0,2}", re.ASCII)

Span = tuple[int, int, str]
"""Start and end of a text to mask, and its replacement."""


Finder = Callable[[str], Iterable[Span]]
"""Returns the spans of a text to mask."""


def _finder(forms: Iterable[tuple[str, str]], flags: int = 0, *, are_codes: bool = False) -> Finder:
    """Return a finder of patterns, each with its replacement; one pattern for all of them would be slower.

    The letters beside a code of base64 have some bits of the first and the last letter, and are part of it.
    """
    patterns = [(re.compile(form, flags), name) for form, name in dict.fromkeys(forms)]

    def find(text: str) -> Iterator[Span]:
        for pattern, name in patterns:
            for match in pattern.finditer(text):
                begin, end = match.span()
                if are_codes and begin and _CODE_SIGN.match(text, begin - 1):
                    begin -= 1
                yield begin, end, name

    return find


@dataclass
class Decoded:
    """A text in which escapes were replaced."""

    text: str
    _before: Decoded | None = None
    _edits: Sequence[tuple[int, int, int]] = ()
    """Begin and end of each escape in the text before, and the length of what has replaced it."""

    def replaced(self, tokens: re.Pattern[str], decode: Callable[[str], str]) -> Decoded | None:
        """Return the text with each token decoded, None if that changes nothing."""
        edits: list[tuple[int, int, int]] = []

        def put(match: re.Match[str]) -> str:
            piece = decode(match[0])
            if piece != match[0]:
                edits.append((*match.span(), len(piece)))
            return piece

        text = tokens.sub(put, self.text)
        return Decoded(text, self, edits) if edits else None

    def original(self, begin: int, end: int) -> tuple[int, int]:
        """Return where a part of this text is in the text that was decoded first."""
        if self._before is None:
            return begin, end
        left, shift = None, 0
        for start, stop, size in self._edits:
            at = start + shift
            if end <= at:
                break
            if left is None and begin < at + size:
                left = min(begin - shift, start)
            # A part that ends within what was replaced ends behind it.
            end = max(end, at + size)
            shift += size - (stop - start)
        return self._before.original(begin - shift if left is None else left, end - shift)


def decodings(text: str) -> Iterator[Decoded]:
    """Yield a text as it is drawn, and with escapes decoded: one kind at a time, the least first."""
    raw = Decoded(text)
    layers = [raw.replaced(_FOREIGN, _drawn) or raw]
    known = {layers[0].text}
    for _ in range(_DEPTH):
        yield from layers
        deeper = []
        for layer in layers:
            for sign, escapes in _ESCAPES.items():
                is_in = sign in layer.text or sign == "\n"
                new = layer.replaced(escapes, _meaning) if is_in else None
                if new is not None and new.text not in known:
                    known.add(new.text)
                    deeper.append(new)
        layers = deeper
    yield from layers


@lru_cache(maxsize=4096)
def _drawn(text: str) -> str:
    """Return a text in its compatibility form, without characters that are not drawn."""
    return _IGNORABLE.sub("", unicodedata.normalize("NFKD", text))


def _meaning(escape: str) -> str:
    """Return the characters of an escape; an invalid one is returned unchanged."""
    kind = escape[:2].lower()
    if kind[0].isspace():
        return ""
    if kind[0] in "'\"":
        return escape[1 : escape.rindex(kind[0])]
    if kind[0] == "&":
        return _drawn(html.unescape(escape))
    if kind in (r"\u", "%u"):
        if escape[1] == "U" or "{" in escape:
            code = int(escape[2:].strip("{}"), 16)
            return _drawn(chr(code)) if code < 0x110000 else escape
        code_units = bytes.fromhex(re.sub(r"[\\%]u", "", escape))
        return _drawn(code_units.decode("utf-16-be", errors="replace"))
    if kind[0] == "%":
        raw = bytes.fromhex(escape.replace("%", ""))
        with suppress(UnicodeDecodeError):
            return _drawn(raw.decode())
        return _drawn(raw.decode("latin-1"))
    if kind == r"\x":
        return _drawn(chr(int(escape[2:], 16)))
    if kind == r"\3":
        return escape[2]
    return _CONTROLS.get(escape[1], escape[1])


def find_spans(finders: Sequence[Finder], text: str, *, inner: bool = True) -> list[Span]:
    """Return the spans of a text that match in any of its decodings, and of codes that have matches `inner`."""
    spans: list[Span] = []
    for layer in decodings(text):
        found = [span for finder in finders for span in finder(layer.text)]
        if inner:
            for codes, decode in _CODES:
                for run in codes.finditer(layer.text):
                    for inside in _texts_of(decode(run.group())):
                        held = find_spans(finders, inside, inner=False)
                        found += [(*run.span(), replacement) for *_, replacement in held[:1]]
        spans += [(*layer.original(begin, end), replacement) for begin, end, replacement in found]
    return spans


def _from_base64(code: str) -> bytes:
    code = code.rstrip("=").translate({ord("-"): "+", ord("_"): "/"})
    padding = "A" * (-len(code) % 4)
    raw = base64.b64decode(code + padding)
    return raw[: len(raw) - len(padding)]


def _from_hex(digits: str) -> bytes:
    return bytes.fromhex(re.sub(r"0x|[\W_]", "", digits))


_CODES = ((_BASE64, _from_base64), (_HEX, _from_hex))


def _texts_of(raw: bytes) -> Iterator[str]:
    """Yield the texts that bytes may be in UTF-8 and UTF-16."""
    for encoding in ("utf-8", "utf-16-le", "latin-1"):
        text = _IGNORABLE.sub("", raw.decode(encoding, errors="replace"))
        if all(c.isprintable() or c.isspace() for c in text[:-1]):
            yield text


def finders(replacements: Mapping[str, str]) -> list[Finder]:
    """Return finders of each text, in every way in which it may be written, with its replacement."""
    exact, caseless, loose, codes = [], [], [], []
    for secret, name in replacements.items():
        for form in _written_forms(secret):
            words = form.split()
            # A form writes a space as a plus, SQL and CSV write a quotation mark twice.
            pattern = r"[\s+]+".join(map(re.escape, words)) or re.escape(form)
            pattern = re.sub("['\"]", r"\g<0>{1,2}", pattern)
            if len(form) >= SHORT:
                caseless.append((pattern, name))
            else:
                # Part of a number or of an element's id is not a whole word.
                exact.append((rf"(?<!\w)(?<!\w-)(?<!\d[.,]){pattern}(?!\w)(?![.,]\d)", name))
        if len(secret) < SHORT:
            continue
        codes += [(rf"{re.escape(each)}[\w+/-]?={{0,2}}", name) for each in _base64_forms(secret)]
        forms = {_drawn(form).lower() for form in (secret, secret.upper())}
        for letters in map(_LETTER.findall, forms):
            if len(letters) < SHORT:
                continue
            # In groups of four, with other separators, spread over several elements.
            spread = "".join(f"[\\W_]{{0,{len(gap) + 3}}}{letter}" for gap, letter in letters)
            spread = spread[spread.index("}") + 1 :]
            if len(letters) < 2 * SHORT:
                spread = rf"(?<![^\W_]){spread}(?![^\W_])"
            loose.append((spread, name))
    return [
        _finder(caseless, re.IGNORECASE),
        _finder(exact),
        _finder(codes, re.ASCII, are_codes=True),
        _finder(loose, re.IGNORECASE),
    ]


def _written_forms(secret: str) -> set[str]:
    """Return the texts that mean a secret when they are decoded, and each of its lines."""
    whole = _drawn(secret) or secret
    forms = {whole, " ".join(whole.split()) or whole}
    forms |= {line.strip() for line in whole.splitlines() if len(line.strip()) >= 2 * SHORT}
    if len(secret) >= SHORT:
        # It may itself hold what looks like an escape.
        forms |= {layer.text for layer in decodings(secret) if len(layer.text) >= SHORT}
        forms |= {_drawn(form.upper()) for form in forms} | {_drawn(f.lower()) for f in forms}
    return {*filter(None, forms)}


def _encoded(secret: str) -> set[bytes]:
    raws = {secret.encode(), secret.encode("utf-16-le")}
    with suppress(UnicodeEncodeError):
        raws.add(secret.encode("latin-1"))
    return raws


def _base64_forms(secret: str) -> Iterator[str]:
    """Yield the base64 forms of a secret at every offset in a longer text."""
    for raw in _encoded(secret):
        for shift in range(3):
            bits = (shift + len(raw)) * 8
            for encode in (base64.b64encode, base64.urlsafe_b64encode):
                code = encode(b"\0" * shift + raw).decode()[-(-shift * 8 // 6) : bits // 6]
                if len(code) > SHORT:
                    yield code


def shortened_secrets(text: str, secrets: Mapping[str, str]) -> list[Span]:
    """Return the spans of secrets that are truncated by an ellipsis."""
    if _ELLIPSIS.search(text) is None:
        return []
    drawn = {_drawn(secret).lower(): name for secret, name in secrets.items()}
    spans = []
    for layer in decodings(text):
        for ellipsis in _ELLIPSIS.finditer(layer.text):
            end = ellipsis.start()
            before = layer.text[max(end - 200, 0) : end].lower()
            for secret, name in drawn.items():
                for length in range(min(len(secret) - 1, len(before)), SHORT - 1, -1):
                    if before.endswith(secret[:length]):
                        spans.append((*layer.original(end - length, end), f"{{{name}}}"))
                        break
    return spans


def fold_letters(text: str) -> str:
    """Return the letters and digits of a text, in lower case and without accents."""
    return "".join(filter(str.isalnum, _drawn(text))).casefold()


def decode(text: str) -> str:
    """Return a text with all escapes decoded."""
    *_, last = decodings(text)
    return last.text


def merge_spans(spans: list[Span]) -> list[Span]:
    """Return the spans in order, with overlapping ones merged."""
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


class Redact:
    """The entries of `webtask_redact`: what must not leave the process, in addition to secrets.

    An entry is a CSS selector or a compiled pattern of text.
    """

    def __init__(self, entries: Iterable[object] = ()) -> None:
        allowed = (
            'a CSS selector (".account-number") or a compiled pattern (re.compile(r"\\d{16}"))'
        )
        if isinstance(entries, (str, bytes, Mapping)) or not isinstance(entries, Iterable):
            raise UsageError(
                f"webtask_redact must be a list; got {entries!r}. An entry is {allowed}"
            )
        self.selectors: list[str] = []
        self._patterns: dict[re.Pattern[str], LimitedPattern] = {}
        self._problem = ""
        for entry in entries:
            if isinstance(entry, str) and entry.strip():
                self.selectors.append(entry.strip().removeprefix("css="))
            elif isinstance(entry, re.Pattern) and isinstance(entry.pattern, str):
                if entry.match(""):
                    raise UsageError(
                        f"webtask_redact: {entry!r} matches the empty string, and so everything; narrow the pattern"
                    )
                try:
                    self._patterns[entry] = LimitedPattern(entry)
                except ValueError as error:
                    raise UsageError(f"webtask_redact: {entry!r} {error}") from None
            else:
                raise UsageError(
                    f"webtask_redact: unexpected entry {entry!r}; an entry is {allowed}"
                )

    @property
    def has_locators(self) -> bool:
        """Whether elements are redacted as well as texts."""
        return bool(self.selectors)

    @property
    def has_patterns(self) -> bool:
        """Whether texts are redacted by patterns."""
        return bool(self._patterns)

    def spans(self, text: str) -> list[tuple[int, int]]:
        """Return the parts of a text that the patterns match. Raises UsageError when a pattern is too slow."""
        # From then on all is redacted but that error, since the matches of the pattern are unknown.
        if self._problem:
            kept = [match.span() for match in re.finditer(re.escape(self._problem), text)]
            edges = [0, *(edge for span in kept for edge in span), len(text)]
            return list(zip(edges[::2], edges[1::2], strict=True))
        spans: list[tuple[int, int]] = []
        for entry, pattern in self._patterns.items():
            try:
                spans += pattern.spans(text)
            except SlowPattern as error:
                self._problem = f"webtask_redact: the pattern {entry.pattern} {error}"
                self.check()
        return spans

    def check(self) -> None:
        """Raise UsageError if a pattern was too slow."""
        if self._problem:
            raise UsageError(self._problem)

    def __bool__(self) -> bool:
        return self.has_patterns or self.has_locators
