"""Patterns of models, recordings and projects match as Python's do, within a limit of time."""

import re

import pytest

from pytest_webtask import Secret
from pytest_webtask.data.escapes import in_quotes
from pytest_webtask.data.patterns import LimitedPattern
from pytest_webtask.data.text import amounts_in
from pytest_webtask.data.values import Data

SLOW = r"(?:a|aa)+"
ENDLESS = "a" * 90 + "b"
PATTERNS = [
    (r"Order #\d{5}", "Order #12345, Order #1234"),
    (r"Total{e}", "Total, Total{e}, Tota"),
    (r"(?:Order shipped){e<=3}", "Order shipped, Order shippe{e<=3}"),
    (r"[{]d}x{2}\{i\}{", "{d}xx{i}{ dxx"),
    (r"\N{EURO SIGN}\s?\d{1,}", "€ 12, €7"),
    (r"\\{s}", "\\{s} \\"),
    (r"(?<![\d.])\d{4}(?!\d)", "1234 12345"),
    (r"(?i)straße|[[:alpha:]", "STRASSE Straße :"),
    (r"^\w+$(?m:$)", "äöü\n7"),
    (r"x{,2}y", "y xy xxxy"),
]


@pytest.mark.filterwarnings("ignore::FutureWarning")
@pytest.mark.parametrize(("pattern", "text"), PATTERNS)
def test_pattern_matches_as_in_python(pattern: str, text: str) -> None:
    """What another library reads as fuzzy matching or as classes of its own stays literal."""
    python = re.compile(pattern)
    limited = LimitedPattern(python)
    assert limited.spans(text) == [match.span() for match in python.finditer(text)]
    for each in (text, *text.split()):
        assert limited.fits(each) == bool(python.fullmatch(each))


@pytest.mark.parametrize("flag", [re.IGNORECASE, re.MULTILINE, re.DOTALL, re.VERBOSE, re.ASCII])
def test_flags_of_a_pattern_are_kept(flag: re.RegexFlag) -> None:
    """A compiled pattern keeps its flags, whatever their numbers are in another library."""
    python = re.compile(r"^a .é\w{2}", flag)
    texts = ["a xéöö", "A xéöö", "b\na xéöö", "a \néöö", "axéoo", "a xéoo"]
    spans = [[match.span() for match in python.finditer(text)] for text in texts]
    assert [LimitedPattern(python).spans(text) for text in texts] == spans


@pytest.mark.timeout(120)
@pytest.mark.parametrize(
    "part", ["a", "0", "-", "a-", " ", "\r", "QUJD", "deadbeef-", "[\u200b", "1,", '"']
)
def test_own_patterns_need_no_square_of_the_time_for_a_long_text(part: str) -> None:
    """A page cannot keep the plugin's own patterns busy with a text of any length."""
    text = part * (200_000 // len(part))
    secrets = Data({"key": Secret("Tr0ub4dor&3 zebra"), "card": Secret("4242424242424242")})
    assert secrets.scrub(text) == text
    assert in_quotes(text)
    assert len(amounts_in(text)) <= 1


@pytest.mark.parametrize("pattern", ["(", "[[a]", "*a", "(?P<n>a", r"\p{L}"])
def test_invalid_pattern_is_a_value_error(pattern: str) -> None:
    """Python's syntax counts, and what Python warns of is refused."""
    with pytest.raises(ValueError, match="is not a regular expression"):
        LimitedPattern(pattern)
