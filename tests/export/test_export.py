"""Exported tests as files: what stands around the steps, how it is written, and that it runs."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

import pytest

from pytest_webtask.export.locators import (
    format_statement,
    pattern_literal,
    string_literal,
    template_literal,
)
from tests.recordings.made import call, check, export, line, opened, step
from tests.recordings.shown import CALLS, CHECKS, NAME
from tests.site import Site


def test_values_are_constants_and_secrets_are_not_there() -> None:
    """One constant for each value of a name; what has none is read from the environment."""
    fill = call("fill", NAME, text="{user}")
    text = export(
        *opened("/login/{other}"),
        line(
            step(fill, call("fill", NAME, text="{pass}"), sentence="as {user}"), data={"user": "A"}
        ),
        line(step(fill, sentence="as {user}"), 2, data={"user": "B"}),
        line(step(fill, sentence="as {user}"), 3, data={"user": "A"}),
    )
    assert 'USER = "A"\nTHE_PASS = os.environ["PASS"]\nUSER_2 = "B"\n' in text
    assert text.count(".fill(USER)") == 2 and text.count(".fill(USER_2)") == 1
    assert 'page.goto("/login/{other}")' in text


def test_only_what_is_used_is_imported() -> None:
    """And the test says what it is, and what it leaves out."""
    assert export(*opened("/")) == (
        "from playwright.sync_api import Page\n\n\n"
        "def test_it(page: Page) -> None:\n"
        '    """Its steps in a run of pytest-webtask, without what the test did between them.\n'
        '\n    tests/test_shop.py::test_it[chromium]\n    """\n'
        '    page.goto("/")\n'
    )


def _chain(random: random.Random, depth: int = 0) -> str:
    words = 'cart mug Espresso 2 items "hi" don\'t total checkout of all orders'.split()

    def text() -> str:
        return string_literal(" ".join(random.choices(words, k=random.choice((1, 2, 3, 5, 8, 22)))))

    code = "page"
    for _ in range(random.randint(1, 4)):
        code += random.choice(
            [
                f'.get_by_role("row", name={text()}, exact=True)',
                '.get_by_role("listitem")',
                f".get_by_text({text()})",
                f".filter(has={_chain(random, depth + 1)})" if depth < 2 else ".first",
                ".nth(2)",
            ]
        )
    if depth:
        return code
    return random.choice(
        [
            f"{code}.click()",
            f"{code}.fill({text()})",
            f'{code}.click(position={{"x": 10, "y": 20}})',
            f"expect({code}).to_be_visible()",
            f"expect({code}).to_have_text([{', '.join(text() for _ in range(3))}], timeout=9_000)",
            f"expect({code}).to_contain_text(words({text()}), use_inner_text=True)",
        ]
    )


def test_it_is_formatted_as_ruff_does(tmp_path: Path) -> None:
    """Hundreds of lines of any length, and an exported file as a whole, are left as they are."""
    pytest.importorskip("ruff")
    chance = random.Random(5)
    lines = [each for _ in range(600) for each in format_statement(_chain(chance))]
    (tmp_path / "lines.py").write_text("\n".join(["def test_it():", *lines, ""]))
    evidence = [evidence for evidence, _ in CHECKS]
    calls = [made for made, _ in CALLS.values()]
    text = export(
        *opened("/"),
        line(step(*calls, call("upload", NAME, resources=["a b"]), evidence=evidence), 2),
        line(
            step(call("switch_tab", tab="2"), call("reload")),
            1,
            webtask="the other shop",
            data={"user": "x" * 90},
        ),
        line(step(call("fill", NAME, text="{user} and " + "y" * 60)), 2, data={"user": "é\n\"'"}),
    )
    (tmp_path / "whole.py").write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "ruff", "format", "--isolated", "--line-length=100", "--diff"]
    done = subprocess.run([*command, tmp_path], capture_output=True, text=True)
    assert done.stdout == "" and done.returncode == 0, done.stderr
    command = [sys.executable, "-m", "ruff", "check", "--isolated", "--select=F,I,B,UP"]
    done = subprocess.run([*command, tmp_path / "whole.py"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_literals_say_what_they_were_made_of() -> None:
    """Quotes, braces, backslashes and control characters, in texts and in patterns."""
    USER = "Ann"
    for text in ("plain", 'say "hi"', 'it\'s "a"', "a\\b\n\t\0", "{x} {{y}}", "é ü 😀", ""):
        assert eval(string_literal(text)) == text
        assert (
            eval(template_literal([text, ("USER",), text]), {"USER": USER}) == f"{text}{USER}{text}"
        )
        assert eval(pattern_literal([text])) == text
        assert (
            eval(pattern_literal([rf"\d{text}", ("USER",)]), {"USER": USER}) == rf"\d{text}{USER}"
        )


EXPORTED_SHOP = """
<title>Shop</title><form action=/cart><label>Word <input name=word type=password></label>
<label>Name <input name=name></label><button>Log in</button></form>
"""


@pytest.mark.slow
def test_it_runs_with_pytest_playwright_alone(
    pytester: pytest.Pytester, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a relative address, a secret, another user's page; it fails when the page is wrong."""
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
    pytester.makepyfile(test_exported=text)
    alone = ("-p", "no:webtask", "--base-url", site.url)
    pytester.runpytest(*alone).assert_outcomes(errors=1)
    monkeypatch.setenv("WORD", "hunter-two")
    pytester.runpytest(*alone).assert_outcomes(passed=1)
    site.pages["/cart"] = "<title>Cart</title><h1>12 items</h1><p>Hello Ann"
    result = pytester.runpytest(*alone)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(['*words("2 items")*'])
