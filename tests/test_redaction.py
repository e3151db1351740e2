"""What `webtask_redact` names leaves the process neither as text nor in a picture."""

import io
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from pytest_webtask import Secret, UsageError
from pytest_webtask.data.masking import Redact
from pytest_webtask.data.values import Data
from pytest_webtask.page.observer import Observer
from pytest_webtask.page.screenshots import Masks
from pytest_webtask.run.webtask import Webtask
from tests.inner import CONFTEST
from tests.nested import printed
from tests.scripted import Html
from tests.site import Site
from tests.test_secrets import PLAIN, RED, assert_blacked_out

NUMBER = "DE89370400440532013000"
PATTERN = re.compile(r"\bDE\d{20}\b")


@pytest.fixture
def look(webtask: Webtask, html: Html) -> Callable[..., tuple[Observer, str]]:
    """Shows some HTML and returns the observer and all that it says of it."""

    def run(markup: str | None, *entries: object) -> tuple[Observer, str]:
        if markup is not None:
            html(markup)
        data = Data({}, Redact(entries))
        observer = Observer(lambda: data, None)
        seen = observer.observe(webtask.page)
        shown = f"{seen.url}\n{seen.title}\n{seen.outline}\n{list(seen.elements.values())}"
        return observer, shown

    return run


class TestEntries:
    @pytest.mark.parametrize(
        "entries",
        [".account", re.compile("x"), 3, {".a": 1}, [3], [""], [re.compile(rb"x")], [None], [len]],
        ids=str,
    )
    def test_invalid_entry_is_refused(self, entries: Any) -> None:
        """The error names the invalid entry and the allowed types."""
        with pytest.raises(UsageError, match="webtask_redact") as failed:
            Redact(entries)
        for allowed in ("selector", "compiled pattern"):
            assert allowed in str(failed.value)

    def test_pattern_that_matches_the_empty_string_is_refused(self) -> None:
        """A pattern that matches the empty string would redact between all letters."""
        with pytest.raises(UsageError, match="matches the empty string"):
            Redact([re.compile(r"\d*")])

    @pytest.mark.timeout(120)
    def test_pattern_without_end_fails_each_step_and_shows_nothing(
        self, pytester: pytest.Pytester
    ) -> None:
        """The error names the pattern; from then on every text is redacted, and the output of a test."""
        pytester.makeconftest(
            f"""{CONFTEST}
import re
from pytest_webtask.data import patterns

patterns.LIMIT = 0.05

@pytest.fixture
def webtask_redact():
    return [re.compile("x(?:a|aa)+!")]
"""
        )
        pytester.makepyfile(
            """
            from tests.scripted import done

            LONG = "x" + "a" * 90 + "?"

            def test_page(webtask, page, model):
                page.set_content(f"<h1>Account 4711</h1><p>{LONG}</p><button>Save</button>")
                model.answers = [done()] * 3
                for sentence in ("save it", 'click "Save"'):
                    try:
                        webtask.do(sentence)
                    except Exception as error:
                        print(type(error).__name__, error)
                        failed = error
                webtask.verify('"Account 4711" is visible')

            def test_output(webtask, page):
                page.set_content("<h1>Account</h1>")
                webtask.verify('"Account" is visible')
                print(LONG)
            """
        )
        shown = printed(pytester.runpytest("-rP", "--webtask-mode=live", "-p", "no:cacheprovider"))
        problem = "webtask_redact: the pattern x(?:a|aa)+! takes longer than 0.05 s on a text of 92"
        assert shown.count(f"[redacted]{problem}") >= 3, "twice printed, then raised"
        assert "1 failed, 1 passed" in shown and "aaaaaa" not in shown, shown
        _, _, output = shown.partition("PASSES")
        assert "webtask_redact: the pattern x(?:a|aa)+! takes longer than" in output
        left = [path for path in Path(".webtask").rglob("*") if path.is_file()]
        assert left
        assert not any(b"aaaaaa" in path.read_bytes() for path in left)

    @pytest.mark.parametrize("entry", ["div[[", "text=Dana Demo"])
    def test_entry_that_is_no_selector_is_an_error(
        self, look: Callable[..., Any], entry: str
    ) -> None:
        """The error on first use names the invalid selector."""
        with pytest.raises(UsageError, match=f"{re.escape(repr(entry))} is not a selector"):
            look("<p>x", entry)


class TestPatterns:
    def test_matches_are_redacted_in_all_texts(self, look: Callable[..., Any], html: Html) -> None:
        """Texts, names, values, title and address are redacted; the element can still be used."""
        page = html(
            f"<table><tr><td>{NUMBER}</td><td><button>Pay {NUMBER}</button></td></tr></table>"
            f"<p>One {NUMBER}, two.</p><p>My <b>DE893704</b>00440532013000 here</p><input aria-label=Iban value={NUMBER}>"
        )
        page.evaluate(f"document.title = '{NUMBER}'; location.hash = '{NUMBER}'")
        observer, shown = look(None, PATTERN)
        assert not re.search(f"{NUMBER}|893704|0532013", shown)
        assert '[button-0 "Pay [redacted]"]' in shown
        assert "One [redacted], two." in shown
        assert observer.known["button-0"].locator.inner_text() == f"Pay {NUMBER}"

    def test_scrub_replaces_secrets_and_patterns(self) -> None:
        """`scrub` masks secrets and patterns alike in results, errors, events and the journal."""
        data = Data({"pin": Secret("8421")}, Redact([PATTERN])).extended({"more": Secret("s3same")})
        assert data.scrub(f"8421 {NUMBER} s3same") == "{pin} [redacted] {more}"
        assert data.scrub_all([{"a": NUMBER}]) == [{"a": "[redacted]"}]
        assert Data({}, Redact([re.compile(r"\b\d{3}\b")])).scrub("button-123 123") == (
            "button-123 [redacted]"
        )

    def test_matches_are_black_in_pictures(self, webtask: Webtask, html: Html) -> None:
        """A match is black in pictures, in frames and across elements too."""
        page = html(
            f"{RED}<p>{NUMBER}</p><p>DE89<b>370400440532013000</b></p><input value={NUMBER}>"
            f"<iframe frameborder=0 srcdoc='{RED}{NUMBER}'></iframe>"
        )
        assert_blacked_out(page, Data({}, Redact([PATTERN])))


class TestLocators:
    @pytest.mark.parametrize(
        "markup",
        [
            "<p class=x>Dana Demo</p>",
            "<p>Hello <span class=x>Dana Demo</span>, how are you?</p>",
            "<p>Hello <span class=x>Dana <b>Demo</b></span>, how are you?</p>",
            "<div class=x><div><ul><li>Dana<li>Demo</ul></div></div>",
            "<button class=x>Dana Demo</button>",
            "<button>Call <i class=x>Dana Demo</i> now</button>",
            "<a href='/users/dana-demo' class=x>Dana Demo</a>",
            "<table><tr><td class=x>Dana Demo<td><button>Remove</button></table>",
            "<ul><li><b class=x>Dana Demo</b> <button>Remove</button></ul>",
            "<label class=x for=f>Dana Demo</label><input id=f>",
            "<input class=x value='Dana Demo' aria-label='Dana Demo'>",
            "<select class=x><option>Dana Demo<option>Else</select>",
            "<h1 class=x>Dana Demo</h1><img class=x alt='Dana Demo' src='/x.png' width=9 height=9>",
            "<div class=x tabindex=0 role=button aria-label='Dana Demo'>Dana</div>",
            "<div id=host></div><script>host.attachShadow({mode: 'open'}).innerHTML ="
            " '<p class=x>Dana Demo</p>'</script>",
            "<iframe srcdoc='<p class=x>Dana Demo</p>'></iframe>",
            "<iframe class=x srcdoc='<p>Dana Demo</p><button>Dana</button>'></iframe>",
        ],
        ids="text inline nested list button within link cell item label field select heading aria shadow"
        " frame whole-frame".split(),
    )
    def test_texts_of_elements_are_redacted(self, look: Callable[..., Any], markup: str) -> None:
        """Text, name and value of the elements are redacted wherever they appear."""
        _, before = look(markup)
        assert "Dana" in before, "the page says nothing that could be redacted"
        _, shown = look(markup, ".x")
        assert not re.search("dana|demo", shown, re.IGNORECASE), shown
        assert "[redacted]" in shown
        for kept in ("how are you?", "Remove", "Call", "now"):
            assert (kept in shown) == (kept in before)

    def test_redacted_elements_can_be_operated(self, look: Callable[..., Any]) -> None:
        """A redacted element keeps its id, and its name counts as redacted."""
        observer, shown = look(
            "<div class=x><button onclick='document.title = 1'>Dana</button></div><button>No</button>",
            ".x",
        )
        assert '[button-0 "[redacted]"]' in shown
        assert observer.is_redacted("button-0") and not observer.is_redacted("button-1")
        observer.known["button-0"].locator.click()
        assert observer.known["button-0"].frame.page.title() == "1"

    def test_read_omits_redacted_text(self, look: Callable[..., Any]) -> None:
        """`read` leaves out redacted text in and around the element."""
        observer, _ = look(
            "<div tabindex=0>Name: <b class=x>Dana</b>.</div><p class=x><button>Demo</button></p>"
            "<button>Plain<br>text</button>",
            ".x",
        )
        texts = {i: observer.read(known.locator, 1000) for i, known in observer.known.items()}
        assert texts == {
            "element-0": "Name: [redacted].",
            "button-0": "[redacted]",
            "button-1": "Plain\ntext",
        }

    def test_redacted_text_is_masked_in_errors(
        self, look: Callable[..., Any], webtask: Webtask
    ) -> None:
        """An error that quotes a redacted account number masks it; common words stay."""
        observer, _ = look("<p class=x>4711-0815</p><p class=x>Save</p>", ".x")
        scrub = observer._data().scrub
        assert scrub("<p>4711-0815</p> intercepts; Save") == "<p>[redacted]</p> intercepts; Save"

    @pytest.mark.parametrize(
        "markup",
        [
            "<p class=x>Dana</p>",
            "<p><span class=x>Dana</span></p>",
            "<div class=x><div style='width: 20px; white-space: nowrap'>Dana Demo is here</div></div>",
            "<style>.x::before { content: 'Dana' }</style><p class=x></p>",
            "<input class=x value=Dana><select class=x><option>Dana</select>",
            "<canvas class=x width=90 height=40 style='background: red'></canvas>",
            f"<iframe frameborder=0 srcdoc='{RED}<p class=x>Dana'></iframe>",
            f"<iframe frameborder=0 class=x srcdoc='{RED}<p>Dana'></iframe>",
            "<div id=host></div><script>host.attachShadow({mode: 'open'}).innerHTML ="
            " '<p class=x>Dana'</script>",
        ],
        ids="text inline overflow before fields canvas frame whole-frame shadow".split(),
    )
    def test_elements_are_black_in_pictures(
        self, webtask: Webtask, html: Html, markup: str
    ) -> None:
        """Redacted elements are black in every frame and shadow root."""
        assert_blacked_out(html(RED + markup), Data({}, Redact([".x"])))

    def test_elements_in_foreign_frames_are_redacted(
        self, look: Callable[..., Any], webtask: Webtask, site: Site
    ) -> None:
        """The same entries redact elements in frames of foreign origins, where secrets are black, too."""
        site.pages |= {
            "/": f"{RED}<iframe frameborder=0 src='{site.foreign_url}/in'></iframe>",
            "/in": f"{RED}<p class=x>Dana</p><p>{PLAIN}",
        }
        webtask.goto(site.url)
        webtask.page.frame_locator("iframe").get_by_text("Dana").wait_for()
        _, shown = look(None, ".x")
        assert "Dana" not in shown and "[redacted]" in shown
        assert_blacked_out(webtask.page, Data({"key": Secret(PLAIN)}, Redact([".x"])))


class TestCosts:
    def test_picture_without_entries_needs_no_script(
        self, webtask: Webtask, html: Html, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Without secrets and redaction a picture is one call of Playwright's."""
        page = html(f"{RED}<p>Hello")
        from pytest_webtask.page import screenshots

        monkeypatch.setattr(screenshots, "frame_places", None)
        taken = Masks(page, Data({"user": "ann"})).take()
        assert taken is not None
        assert Image.open(io.BytesIO(taken)).getbbox()


def test_unmaskable_picture_is_not_saved(webtask: Webtask, html: Html) -> None:
    """The observation of a page whose picture cannot be masked has no screenshot."""
    page = html(
        f"<style>p::after {{ content: '{NUMBER}'; position: relative }}</style><p>Number: </p>"
    )
    saved: list[bytes] = []
    data = Data({}, Redact([PATTERN]))
    seen = Observer(lambda: data, lambda picture: saved.append(picture) or Path("x")).observe(page)  # type: ignore[func-returns-value]
    assert seen.screenshot is None and not saved
