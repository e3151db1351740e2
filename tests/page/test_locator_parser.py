"""Reading locators back: known methods with literal arguments, and nothing is ever evaluated."""

import pytest

from pytest_webtask.page.locator_parser import Unreadable, is_positional, map_texts, parse_locator


@pytest.mark.parametrize(
    "code",
    [
        '__import__("os").system("true")', 'locator("a").__class__',
        'locator("a").page.evaluate("1")', 'locator("a").evaluate("1")', 'locator("a").click()',
        'page.context.new_page()', 'get_by_text(f"{1}")', 'get_by_text(f"Save")',
        'get_by_text("a" "b" % ())', 'get_by_text("a" + "b")', "get_by_text(open('x').read())",
        'get_by_role("button", **{"name": "x"})', 'get_by_role(*["button"])',
        'get_by_role("button", name="a", name="b")', 'get_by_role("button", timeout=3)',
        'get_by_role(role="button")', 'get_by_role("button", "x")', 'get_by_role(True)',
        'get_by_role(b"button")', 'locator("a").nth(True)', 'locator("a").nth("0")',
        'locator("a").nth(1.0)', 'locator("a").nth(~1)', 'locator("a")[0]', 'locator("a").first()',
        'locator("a").nth', 'locator("a", has_text=re.compile("a", 2))',
        'get_by_text(re.compile("a", re.DEBUG))', 'get_by_text(re.compile("("))',
        'get_by_text(re.compile("(a+)+b"))', r'get_by_text(re.compile(r"\\(a|a){2,}"))',
        'get_by_text(re.compile(pattern="a"))', 'get_by_text(re.escape("a"))',
        'get_by_text((lambda: "a")())', '(lambda: 1)()', '[x for x in "a"]',
        'locator("a").filter(has=[1])', 'locator("a").filter(has="b")',
        'locator("a").filter(has=page)', 'first', 'nth(0)', 'page', 'page.page.locator("a")', "",
        " ", "3", '"a"', "None", "locator", "locator()", 'locator("a"); locator("b")',
        'locator("a")\nlocator("b")', '(y := locator("a"))', 'await locator("a")',
        "locator('a' if 1 else 'b')", "\x00", "locator('\ud800')",
    ],
)  # fmt: skip
def test_hostile_locators_are_refused(code: str) -> None:
    """Only chains of known methods with literal arguments are read, and nothing is evaluated."""
    with pytest.raises(Unreadable):
        parse_locator(code)


def test_empty_and_deeply_nested_locators_are_refused() -> None:
    """An empty one is a fault of the recording; 100,000 parentheses do not overflow the stack."""
    with pytest.raises(Unreadable, match="a locator of this step is empty"):
        parse_locator("")
    for begin, end in (("(", ")"), ("[", "]"), ("-", ""), ('locator("a").', "")):
        code = begin * 100_000
        for nested in (code + end * 100_000, f"get_by_text({code}{end * 100_000})"):
            with pytest.raises(Unreadable):
                parse_locator(nested)


def test_long_chain_does_not_crash() -> None:
    """A chain or nesting of many links is read or raises Unreadable."""
    for code in ('locator("a")' + ".first" * 50_000, 'locator("a")' + '.locator("b")' * 5_000,
                 'locator("a", has=' * 2_000 + 'locator("b")' + ")" * 2_000):  # fmt: skip
        try:
            parse_locator(code)
        except Unreadable:
            continue


def test_known_locators_are_read() -> None:
    """Locators that Playwright writes, and what people add to them, are read."""
    for code in (
        'page.get_by_role("button", name="Save", exact=True)',
        'get_by_text(re.compile("^a", re.IGNORECASE)).first',
        r'get_by_text(re.compile(r"^\(a\)+ (b|c)?\d[\d.,]*$"))',
        'locator("a").filter(has=get_by_role("heading", name="x")).nth(-1)',
        'locator("iframe").content_frame.get_by_label("a").and_(locator("b"))',
    ):
        assert parse_locator(code)


def test_positional_locators_are_recognized() -> None:
    """`nth`, `first` and positional CSS make a locator positional."""
    assert is_positional('get_by_role("row").nth(1)')
    assert is_positional('locator("li:nth-child(2)")')
    assert not is_positional('get_by_role("row", name="nth-child")')


def test_values_in_a_locator_stay_quoted() -> None:
    """A value that looks like code does not end its quotes."""
    bad = 'x").evaluate("1'
    code = map_texts('get_by_text("{what}")', lambda text, _: text.replace("{what}", bad))
    [(name, [text], _)] = parse_locator(code)
    assert (name, text) == ("get_by_text", bad)
