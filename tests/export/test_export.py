"""Tests of exported files: imports, constants, formatting, and that they run."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from pytest_webtask.export import export_test
from pytest_webtask.journal import PageOpened, StepStarted
from pytest_webtask.journal.runs import TestAttempt
from pytest_webtask.page.playwright_code import pattern_literal, string_literal, template_literal
from tests.recordings.made import TEST, call, check, export, line, opened, step, target
from tests.recordings.shown import CALLS, CHECKS, NAME
from tests.site import Site


def test_export_reads_secrets_from_the_environment() -> None:
    """Each value of a placeholder has one constant, and a secret is read from the environment, also one within a value."""
    fill = call("fill", NAME, text="{user}")
    text = export(
        *opened("/login/{other}"),
        line(
            step(fill, call("fill", NAME, text="{pass}"), sentence="as {user}"), data={"user": "A"}
        ),
        line(step(fill, sentence="as {user}"), 2, data={"user": "B"}),
        line(step(fill, sentence="as {user}"), 3, data={"user": "A"}),
        line(step(fill, sentence="as {user}"), 4, data={"user": "not {pass}"}),
        line(step(call("upload", NAME, resources=["my mug"])), 5),
    )
    assert 'MY_MUG = Path(os.environ["MY_MUG"])\n' in text
    assert 'USER_3 = f"not {THE_PASS}"\n' in text
    assert 'USER = "A"\nTHE_PASS = os.environ["PASS"]\nUSER_2 = "B"\n' in text
    assert text.count(".fill(USER)") == 2 and text.count(".fill(USER_2)") == 1
    assert 'page.goto(f"/login/{OTHER}")' in text


def test_export_imports_only_what_it_uses() -> None:
    """A file imports what its lines use, and a comment names the test."""
    assert export(*opened("/")) == (
        "from playwright.sync_api import Page\n\n\n"
        "# tests/test_shop.py::test_it[chromium]\ndef test_it(page: Page) -> None:\n"
        '    """Repeat the steps of a pytest-webtask run, without the test code around them."""\n'
        '    page.goto("/")\n'
    )


def test_days_around_today_are_those_of_the_run() -> None:
    """What was today when it was recorded is today when the export runs."""
    filled = step(call("fill", NAME, text="{_tomorrow_dots}"))
    text = export(line(filled, data={"_tomorrow_dots": "28.11.2026"}))
    assert "from datetime import date, timedelta" in text and "28.11.2026" not in text
    assert '"{0:%d.%m.%Y}".format(date.today() + timedelta(days=1))' in text


def test_texts_of_others_are_never_code() -> None:
    """Test ids, sentences, data, files and what a page says end neither a comment nor a literal."""
    bad = 'x"""\nraise SystemExit\n\r"""\u2028raise SystemExit\0\u202e\ud800'
    fill = call("fill", target(f"get_by_label({bad!r})"), text=bad)
    upload = call("upload", NAME, resources=[bad])
    begun = StepStarted(step=1, step_kind="do", sentence=bad)
    did = line(step(fill, call(bad, x=bad), upload, sentence=bad), data={"user": bad})
    page = PageOpened(browser="", url=bad, cookies=True, webtask=bad)
    attempt = TestAttempt.of([begun, did, *opened(bad, webtask=bad), page])
    text = export_test(f"t.py::test_it[{bad}::{bad}]", attempt)
    assert "def test_it(" in text
    assert not any(isinstance(each, ast.Raise) for each in ast.walk(ast.parse(text.encode())))


def test_page_of_a_logged_in_user_begins_with_the_state_of_that() -> None:
    """A page that began with cookies is given those of a file; where a page was before is said to be left out."""
    page = PageOpened(browser="", webtask="dana", cookies=True, url="http://shop/home")
    text = export(*opened("/orders", webtask="dana"), page)
    assert 'dana = new_context(storage_state=os.environ["DANA_STATE"]).new_page()\n' in text
    assert "# left out: what was done before on this page, which was at http://shop/home\n" in text


SOURCES = {
    'assert webtask.extract("x", int) == 12': '.to_contain_text(words("12 left"), use_inner_text=True)',
    'webtask.select("x").fill("mug")': ".fill('mug')",
}


@pytest.mark.parametrize("source", SOURCES)
def test_line_of_a_step_is_repeated_with_it(source: str) -> None:
    """What a line asserts of an extracted value, and does with a selected element, is exported where both are written."""
    value = {"source": 0, "take": "integer", "after": " left"}
    read = {"sources": [{"kind": "text", "target": target(NAME)}], "value": value}
    found = read if "extract" in source else {"selected": target(NAME)}
    begun = StepStarted(step=1, step_kind="extract", sentence="x", source=source)
    text = export_test(TEST, TestAttempt.of([begun, line(step(kind="extract", **found))]))
    assert SOURCES[source] in text


def _sample() -> str:
    """Return an export with every kind of call and check, long lines and several pages."""
    calls = [*(each for each, _ in CALLS.values()), call("upload", NAME, resources=["a b"])]
    switch = step(call("switch_tab", tab="2"), call("reload"))
    return export(
        *opened("/"),
        line(step(*calls, evidence=[evidence for evidence, _ in CHECKS]), 2),
        line(switch, 1, webtask="the other shop", data={"user": "x" * 90}),
        line(step(call("fill", NAME, text="{user} and " + "y" * 60)), 3, data={"user": "é\n\"'"}),
    )


def test_export_passes_the_linter(tmp_path: Path) -> None:
    """Exported code has no unused imports, undefined names or outdated syntax."""
    pytest.importorskip("ruff")
    (tmp_path / "test_sample.py").write_text(_sample(), encoding="utf-8")
    command = [sys.executable, "-m", "ruff", "check", "--isolated", "--select=F,I,B,UP"]
    result = subprocess.run([*command, tmp_path], capture_output=True, text=True)
    assert result.returncode == 0, result.stdout


def test_literals_evaluate_to_their_parts() -> None:
    """Quotes, braces, backslashes and control characters survive in texts and patterns."""
    user = "Ann"
    for text in ("plain", 'say "hi"', 'it\'s "a"', "a\\b\n\t\0", "{x} {{y}}", "é ü 😀", ""):
        assert eval(string_literal(text)) == text
        template = template_literal([text, ("USER",), text])
        assert eval(template, {"USER": user}) == f"{text}{user}{text}"
        assert eval(pattern_literal([text])) == text
        pattern = pattern_literal([rf"\d{text}", ("USER",)])
        assert eval(pattern, {"USER": user}) == rf"\d{text}{user}"


EXPORTED_SHOP = """
<title>Shop</title><form action=/cart><label>Word <input name=word type=password></label>
<label>Name <input name=name></label><button>Log in</button></form>
"""


@pytest.mark.slow
def test_export_runs_with_pytest_playwright_alone(
    pytester: pytest.Pytester, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An export passes on the right page and fails on a wrong one, without this plugin."""
    site.pages["/"] = EXPORTED_SHOP
    site.pages["/cart"] = "<title>Cart</title><h1>2 items</h1><p>Hello Ann"
    login = step(
        call("fill", 'get_by_label("Name")', text="{user}"),
        call("fill", 'get_by_label("Word")', text="{word}"),
        call("click", 'get_by_role("button", name="Log in")', loads=True),
        sentence="log in as {user} with {word}",
        evidence=[check("url", pattern="/cart?word={word}&name={user}")],
    )
    items = step(
        kind="verify",
        sentence="the cart shows 2 items",
        evidence=[check("text", 'get_by_role("heading")', text="2 items")],
    )
    text = export(
        *opened("/"),
        line(login, 2, data={"user": "Ann"}),
        line(items, 3),
        *opened(f"{site.url}/cart", 1, webtask="seller"),
        line(items, 2, webtask="seller"),
    )
    assert "seller = new_context().new_page()" in text and "hunter" not in text
    # A wrong page, without a second inner run.
    pytester.makepyfile(test_exported=text, test_wrong=text.replace("2 items", "12 items"))
    pytester.makeconftest("from playwright.sync_api import expect\nexpect.set_options(timeout=500)")
    monkeypatch.setenv("WORD", "hunter-two")
    result = pytester.runpytest("-p", "no:webtask", "--base-url", site.url)
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(['*words("12 items")*'])
