"""A secret is typed into the page and appears nowhere else; nothing is typed in foreign frames."""

import base64
import io
import json
import logging
import re
from pathlib import Path
from typing import Any
from urllib.parse import quote, quote_plus

import pytest
from PIL import Image
from playwright.sync_api import Error, Page

from pytest_webtask import PageError, Secret
from pytest_webtask.data.values import Data
from pytest_webtask.journal import IterationEnded, StepEnded, StepPictured, ToolCalled
from pytest_webtask.page import dom
from pytest_webtask.page.observer import Observer
from pytest_webtask.page.screenshots import Masks
from pytest_webtask.run.webtask import Webtask
from pytest_webtask.types.agent import Turn, WorkerSession
from tests import nested
from tests.inner import CONFTEST, journaled, written
from tests.pictures import brightness
from tests.scripted import Attempt, Html, Scripted, after_look, call, cited, done, element, on
from tests.site import Site

quick = pytest.mark.webtask(timeout=1.5)


PLAIN = "correct-horse-7391"
AWKWARD = """d'Ör "q"  <b>& 5% + {x}\\n/?=#密码"""


def everything(model: Scripted, session: WorkerSession | None) -> str:
    """All that a model was given, and all that a step returns, as text."""
    given: list[Any] = []
    for turn in model.turns:
        seen = turn.observed
        given += [turn.task, dict(turn.data), turn.notices, turn.resources, turn.instructions]
        given += [i.model_dump_json() for i in turn.iterations]
        given += [s.model_dump_json() for s in turn.earlier]
        if seen:
            given += [seen.url, seen.title, seen.outline, seen.elements, seen.texts, seen.tabs]
    if session:
        given.append(session.model_dump_json())
    return repr(given) + "\n".join(str(g) for g in given)


def journal(webtask: Webtask) -> str:
    """Every byte of the run that this test has written, files' names included."""
    folder = webtask._runner.journal.folder
    return written(folder, webtask.state.test) + "\n".join(str(p) for p in folder.rglob("*"))


def forms(secret: str) -> set[str]:
    """The ways in which a secret could be written."""
    return {
        secret,
        " ".join(secret.split()),
        quote(secret),
        quote(secret, safe=""),
        quote_plus(secret),
        json.dumps(secret)[1:-1],
        json.dumps(secret, ensure_ascii=False)[1:-1],
        repr(secret)[1:-1],
    }


def assert_absent(secret: str, *texts: str) -> None:
    """No text holds the secret in any form."""
    for text in texts:
        for form in forms(secret):
            assert form not in text, f"{form!r} in …{text[max(0, text.find(form) - 150) :][:400]}"


class TestAbsence:
    def test_secret_typed_into_a_field_is_masked(
        self, webtask: Webtask, model: Scripted, html: Html, caplog: pytest.LogCaptureFixture
    ) -> None:
        """The page has the secret; observations and recordings do not show it."""
        caplog.set_level(logging.DEBUG)
        page = html(
            "<input type=password aria-label=Password><input aria-label=Text>"
            "<textarea aria-label=Area></textarea><div contenteditable role=textbox aria-label=Rich></div>"
            "<p id=echo></p><a id=link href='#'>Echo</a><input aria-label=Hint id=hint>"
        )

        def show(turn: Turn) -> Any:
            page.evaluate(
                "s => { echo.textContent = 'Hello ' + s; link.href = '/?q=' + encodeURIComponent(s);"
                " link.title = s; hint.placeholder = s; document.title = s;"
                " echo.setAttribute('aria-label', s); history.replaceState({}, '', '#' + s) }",
                AWKWARD,
            )
            return call("look")

        fields = ("Password", "Text", "Area", "Rich")
        model.answers = [
            *(on("fill", "textbox", name, text="{key}") for name in fields),
            show,
            on("type", "textbox", "Text", text="{key}"),
            lambda t: call("look", element_id=element(t, "textbox", "Rich")),
            call("wait", text="{key}"),
            after_look(done("typed it")),
        ]
        session = webtask.do("enter {key}", data={"key": Secret(AWKWARD)}).session
        assert all(c.success for i in session.iterations for c in i.calls), session.iterations
        assert page.get_by_label("Password").input_value() == AWKWARD
        assert page.get_by_label("Text").input_value() == AWKWARD * 2
        assert_absent(AWKWARD, everything(model, session), journal(webtask), caplog.text)
        assert "{key}" in model.turns[-1].observation.outline


def test_error_of_an_unreachable_address_masks_the_secret(webtask: Webtask) -> None:
    """The PageError shows the placeholder of a secret that is part of the address."""
    webtask._runner.data.update({"key": Secret(PLAIN)})
    with pytest.raises(PageError) as failed:
        webtask.goto(f"http://127.0.0.1:9/?q={PLAIN}")
    assert_absent(PLAIN, str(failed.value))
    assert "{key}" in str(failed.value) and "\n" not in str(failed.value)


@pytest.mark.parametrize("script", ["encodeURIComponent(s)", "new URLSearchParams({s})"])
def test_secret_in_an_opened_address_is_masked_in_the_state_and_for_every_role(
    webtask: Webtask, model: Scripted, site: Site, page: Page, script: str
) -> None:
    """Neither the state of the test nor the turn of a later step shows a secret of an address."""
    site.pages["/"] = "<h1>Welcome</h1><p>1 new message</p>"
    code = page.evaluate(f"s => String({script})", AWKWARD)
    webtask._runner.data.update({"key": Secret(AWKWARD)})
    webtask.goto(f"{site.url}/?token={code}")
    model.answers = [after_look(call("wait", seconds=0)), done()]
    webtask.do("look")
    seen = everything(model, None) + webtask.state.model_dump_json()
    assert_absent(AWKWARD, seen, journal(webtask))
    assert code not in seen
    assert webtask.state.actions[0].endswith("{key}")
    assert any("{key}" in step.sentence for step in model.turns[-1].earlier)


def folded(text: str) -> str:
    """The letters and digits of a text in lower case."""
    return "".join(filter(str.isalnum, text)).lower()


class TestPartsOfSecrets:
    @pytest.mark.parametrize(
        ("secret", "shown"),
        [
            ("4929123456781239", "4929 1234 5678 1239"),
            ("DE89370400440532013000", "DE89 3704 0044 0532 0130 00"),
            ("de89 3704 0044 0532 0130 00", "DE89370400440532013000"),
            ("tok_Zr7Qx9Lw2", "TOK-ZR7QX9LW2 2026"),
        ],
        ids=["card", "groups", "joined", "token"],
    )
    def test_locator_of_an_element_named_by_a_secret_holds_no_piece_of_it(
        self, webtask: Webtask, model: Scripted, html: Html, secret: str, shown: str
    ) -> None:
        """Names that Playwright shortens leave nothing of a secret in locators, alone and in sets."""
        rows = "".join(f"<li><a href=#{n}>From {shown} / {n}</a></li>" for n in (1, 2))
        html(
            f"<button>Pay with {shown}</button><button>Pay later</button><ul aria-label='By {shown}'>{rows}</ul>"
            f"<section aria-label='Account {shown}'><p>Open</p><button>More</button></section>"
        )
        model.answers = [
            on("click", "button", "Pay with"),
            on("click", "button", "More"),
            on("click", "link", "/ 2"),
            lambda t: done(
                "paid",
                {
                    "kind": "state",
                    "element_id": element(t, "button", "Pay with"),
                    "state": "enabled",
                },
                {"kind": "text", "element_id": cited(t, "text:Open"), "text": "Open"},
                {"kind": "count", "element_ids": [element(t, "link", f"/ {n}") for n in (1, 2)]},
            ),
        ]
        session = webtask.do("pay with {key}", data={"key": Secret(secret)}).session
        targets = [t for i in session.iterations for c in i.calls for t in c.targets.values()]
        targets += [each.target for each in session.evidence if each.target]
        codes = [code for target in targets for code in target.locators]
        assert codes and session.evidence
        whole = folded(secret)
        pieces = {whole[i : i + 6] for i in range(len(whole) - 5)}
        assert not [code for code in codes if any(piece in folded(code) for piece in pieces)]
        assert_absent(shown, everything(model, session), journal(webtask))

    @quick
    def test_error_masks_lines_of_a_secret(
        self, attempt: Attempt, webtask: Webtask, html: Html
    ) -> None:
        """No line of a secret of several lines is left in an error."""
        html("<textarea disabled aria-label=Key></textarea>")
        secret = "-----BEGIN-----\nMIIEpAIBAAKCAQEA75\n-----END-----"
        outcome = attempt(on("fill", "textbox", "Key", text="{key}"), data={"key": Secret(secret)})
        assert "element is not enabled" in (outcome.error or "")
        assert "MIIEpAIBAAKCAQEA75" not in outcome.model_dump_json() + journal(webtask)

    def test_error_of_a_partly_typed_secret_masks_it(
        self, attempt: Attempt, webtask: Webtask, html: Html
    ) -> None:
        """The error says that the field holds another value without showing it."""
        html("<input type=password maxlength=6 aria-label=Key>")
        outcome = attempt(on("fill", "textbox", "Key", text="{key}"), data={"key": Secret(PLAIN)})
        assert (outcome.error or "").endswith(
            "something else than was entered; see whether the page says why"
        )
        assert PLAIN[:6] not in outcome.model_dump_json() + journal(webtask)


class TestValuesNobodyDeclared:
    def test_passwords_and_hidden_inputs_are_never_shown(
        self, webtask: Webtask, model: Scripted, html: Html
    ) -> None:
        """A password field is only shown as filled, in frames and shadow roots too, and named by no value."""
        html(
            "<input type=password aria-label=One value=hunter2><input type=password value=hunter2>"
            '<iframe srcdoc="<input type=password aria-label=Two value=hunter2>"></iframe>'
            "<div id=host></div><script>host.attachShadow({mode: 'open'}).innerHTML ="
            " '<input type=password aria-label=Three value=hunter2><input type=password>'</script>"
            "<form><fieldset><input type=hidden name=csrf value=t0k3n aria-label=Csrf tabindex=0>"
            "<button>Save</button></fieldset></form>"
        )
        looks = [("textbox", "One"), ("button", "Save")]
        model.answers = [on("look", *looked) for looked in looks]
        model.answers.append(after_look(done()))
        session = webtask.do("look").session
        outline = model.turns[0].observation.outline
        assert (outline.count("filled"), outline.count("empty")) == (4, 1)
        assert "Csrf" not in outline
        seen = everything(model, session) + journal(webtask)
        assert "hunter2" not in seen and "t0k3n" not in seen


CARD = "4242424242424242"
DATA = {"key": Secret(PLAIN), "card": Secret(CARD), "pin": Secret("8421")}
LETTERS = "".join(f"<b>{letter}</b>" for letter in PLAIN[::-1])
SVG = quote(
    "<svg xmlns='http://www.w3.org/2000/svg' width='300' height='40'>"
    f"<text y='30' fill='red' font-size='20'>{PLAIN}</text></svg>"
)
RED = "<style>body { background: #fff; margin: 60px } * { color: #e00000; font-size: 20px }</style>"
CLOSED = (
    "attachShadow({mode: 'closed'}).innerHTML = '<p style=\"position:relative;left:150px\">secret'"
)


def shot(page: Page) -> Image.Image:
    """The page as it is drawn; Chromium now and then has no picture to give at the first try."""
    try:
        return Image.open(io.BytesIO(page.screenshot()))
    except Error:
        return Image.open(io.BytesIO(page.screenshot()))


def in_red(image: Image.Image) -> Image.Image:
    """A mask of what is drawn in a picture of a white page."""
    return image.convert("L").point(lambda v: 255 if v < 225 else 0)


def assert_black(picture: bytes | None, drawn: Image.Image) -> Image.Image:
    """Whatever is drawn is black in a picture, which is returned."""
    assert picture is not None
    masked = Image.open(io.BytesIO(picture)).convert("L")
    assert brightness(Image.composite(masked, Image.new("L", masked.size), drawn))[1] < 30
    return masked


def assert_blacked_out(page: Page, data: Data) -> None:
    """All that the page draws is black in the picture, and what it leaves white is not."""
    plain = shot(page)
    drawn = in_red(plain)
    assert drawn.getbbox() is not None, "the page draws nothing that could be masked"
    # The page itself draws no black: an unmasked picture would fail.
    assert brightness(plain.convert("RGB").getchannel("R"))[1] > 200
    masked = assert_black(Masks(page, data).take(), drawn)
    assert masked.crop((900, 600, 1200, 700)).getextrema() == (255, 255)


@pytest.fixture
def data(webtask: Webtask) -> Data:
    """The secrets of these tests; `webtask` has the engine made known before the page is."""
    return Data(DATA)


@pytest.mark.long
class TestBlackenedTexts:
    @pytest.mark.parametrize(
        "markup",
        [
            PLAIN.upper(),
            f"<p style='text-transform: uppercase'>{PLAIN}",
            base64.b64encode(f"dana:{PLAIN}".encode()).decode(),
            "corr<b>ect-horse</b><i>-7391</i>",
            "<div>correct-</div><div>horse-7391</div>",
            "4242 4242 4242 4242",
            "<input maxlength=8 value=correct->",
            "<input value=8><input value=4><input value=2><input value=1>",
            "correct-horse-7…",
            f"<div style='width: 30px; white-space: nowrap'>{PLAIN}</div>",
            f"<div style='width: 90px; overflow: hidden; white-space: nowrap; text-overflow: ellipsis'>{PLAIN}</div>",
            f"<style>p::before {{ content: '{PLAIN}' }}</style><p>",
            f"<style>p::after {{ content: attr(data-k) }}</style><p data-k={PLAIN}>",
            "<style>p { position: relative } p::after { content: attr(data-k); position: absolute;"
            f" left: 200px; top: 90px; white-space: nowrap }}</style><p data-k={PLAIN}>",
            f"<ul style='list-style-type: \"{PLAIN}\"; margin-left: 200px'><li>.{PLAIN}</ul>",
            f"<select size=3><option>{PLAIN}<option>{PLAIN}</select>",
            f"<select><optgroup label=x><option label={PLAIN}>k</select>",
            f"<svg width=400 height=60><text y=40 fill=red>{PLAIN}</text></svg>",
            "<svg width=400 height=60><text y=40 fill=red>corr<tspan dx=20>ect-</tspan><tspan dy=9>horse-7391</tspan></text></svg>",
            f"<svg width=400 height=90><defs><text id=t>{PLAIN}</text></defs><use href=#t y=50 fill=red /></svg>",
            f'<div style="width:300px;height:40px;background:url(&quot;data:image/svg+xml,{SVG}&quot;)"></div>',
            f'<img src="data:image/svg+xml,{SVG}">',
            f"<img src='/none.png' alt={PLAIN} width=300 height=50>",
            f"<p style='text-shadow: 0 70px 2px red'>{PLAIN}",
            f"<input placeholder={PLAIN} size=30>",
            f"<div contenteditable>{PLAIN}</div>",
            f"<iframe frameborder=0 style='padding: 20px' srcdoc='{RED}<p>{PLAIN}'></iframe>",
            f"<iframe frameborder=0 style='scale: 1.4; translate: 90px' srcdoc='{RED}<p>{PLAIN}'></iframe>",
            f"<iframe frameborder=0 style='transform: rotate(30deg)' srcdoc='{RED}<p>{PLAIN}'></iframe>",
            "<style>rt { color: white }</style>"
            "<ruby>correct-<rt>one</rt>horse<rt>two</rt>-7391<rt>three</rt></ruby>",
            f"<p style='display: flex; flex-direction: row-reverse; justify-content: flex-end'>{LETTERS}</p>",
            f"<p style='display: flex; flex-direction: column-reverse; font-size: 12px'>{LETTERS}</p>",
            f"<p style='display: flex'>{''.join(f'<b style=order:{-i}>{c}</b>' for i, c in enumerate(PLAIN[::-1]))}</p>",
            f"<style>b {{ display: inline-block }}</style><p dir=rtl style='text-align: left'>{LETTERS}</p>",
            f"<bdo dir=rtl>{PLAIN[::-1]}</bdo>",
            "<bdo dir=rtl>1937-<b>esroh-</b>tcerroc</bdo>",
            f"<p>\u202e{PLAIN[::-1]}</p>",
            f"<input dir=rtl style='unicode-bidi: bidi-override' value={PLAIN[::-1]}>",
            f"<input size=30 value={PLAIN}>",
            f"<textarea cols=30>{PLAIN}</textarea>",
            f"<button style='border: 0; background: #fff'>{PLAIN}</button>",
            "<div id=s></div><script>s.attachShadow({mode: 'open'}).innerHTML ="
            f" '<p style=\"color: red\">{PLAIN}</p>'</script>",
        ],
        ids="upper capitals base64 bold divs groups maxlength digits cut overflow ellipsis before after"
        " tooltip markers listbox select svg tspans use background image alt shadow placeholder editable"
        " frame scaled rotated ruby row-reverse column-reverse order rtl bdo bdos rlo field value textarea button shadow".split(),
    )
    def test_secret_in_any_markup_is_black(
        self, webtask: Webtask, data: Data, html: Html, markup: str
    ) -> None:
        """Every pixel that shows a secret is black, however it is written and drawn."""
        assert_blacked_out(html(RED + markup), data)

    @pytest.mark.parametrize(
        "markup",
        [
            "<canvas id=c width=300 height=60></canvas>",
            f'<iframe frameborder=0 srcdoc="{RED}<canvas id=c width=200 height=60></canvas>"></iframe>',
            "<canvas id=c hidden></canvas><img id=made>",
            "<style>p { counter-reset: pin 8421 } p::before { content: 'x' counter(pin) }</style><p>",
            "<style>p { counter-reset: pin 8421; position: relative } p::after { content: counters(pin, '.');"
            " position: absolute; left: 200px; top: 50px }</style><p>",
            "<ol start=8421 style='margin: 50px'><li></ol>",
            "<ol style='margin: 50px; counter-reset: list-item 8420'><li></ol>",
        ],
        ids="canvas canvas-in-frame picture counter counters start list".split(),
    )
    def test_unreadable_elements_are_black_after_a_secret_was_typed(
        self, webtask: Webtask, data: Data, html: Html, markup: str
    ) -> None:
        """Canvases and pictures made of them are black as a whole."""
        page = html(RED + markup)
        for frame in page.frames:
            frame.evaluate(
                "() => { const c = document.querySelector('#c'); if (!c) return; const g = c.getContext('2d');"
                " g.fillStyle = 'red'; g.font = '20px serif'; g.fillText('secret', 10, 40);"
                " const made = document.querySelector('#made');"
                " if (made) { made.src = c.toDataURL(); return made.decode(); } }"
            )
        before, unmasked = (Masks(page, each).take() for each in (data, Data()))
        assert before is not None and before == unmasked
        data.fill("{key}")
        assert_blacked_out(page, data)

    @pytest.mark.parametrize("is_framed", [False, True])
    def test_page_with_a_closed_root_has_no_picture_after_a_secret_was_typed(
        self, webtask: Webtask, data: Data, html: Html, is_framed: bool
    ) -> None:
        """What a closed shadow root shows, and where, is not known."""
        markup = f"<p id=host></p><script>host.{CLOSED}</script>"
        frame = f'<iframe srcdoc="{markup.replace(chr(34), "&quot;")}"></iframe>'
        page = html(frame if is_framed else markup)
        assert Masks(page, data).take() is not None
        data.fill("{key}")
        assert Masks(page, data).take() is None

    @pytest.mark.parametrize(
        "style",
        [
            "p { background-image: URL }",
            "p { background: red; mask-image: URL }",
            "p { border: 60px solid transparent; border-image: URL 90 }",
            "p::before { content: ''; position: absolute; left: 250px; width: 300px; height: 60px;"
            " background-image: URL }",
            "dialog::backdrop { background: white URL no-repeat }",
        ],
        ids="background mask border before backdrop".split(),
    )
    def test_picture_in_a_style_is_black_if_it_came_after_a_secret_was_typed(
        self, webtask: Webtask, data: Data, html: Html, style: str
    ) -> None:
        """A picture that a style sheet had before is shown; another one is black as a whole."""
        page = html(
            f"{RED}<style>p {{ width: 300px; height: 60px }}</style><style id=css></style><p></p>"
            "<dialog id=d style='opacity: 0'></dialog><canvas id=c width=300 height=60 hidden></canvas>"
        )
        page.evaluate(
            "() => { window.draw = (style, text) => { const g = c.getContext('2d'); g.fillStyle = 'red';"
            " g.fillRect(0, 0, 300, 60); g.clearRect(60, 20, 9 * text.length, 9);"
            " css.textContent = style.replace('URL', `url(${c.toDataURL()})`); } }"
        )
        if "backdrop" in style:
            page.evaluate("d.showModal()")
        page.evaluate("style => draw(style, 'abc')", style)
        before = Masks(page, data).take()
        data.fill("{key}")
        assert before is not None and Masks(page, data).take() == before
        page.evaluate("style => draw(style, 'secret')", style)
        if "backdrop" in style:
            taken = Masks(page, data).take()
            assert taken is not None
            assert Image.open(io.BytesIO(taken)).convert("L").getextrema() == (0, 0)
        else:
            assert_blacked_out(page, data)

    def test_unplaceable_secret_prevents_a_picture(
        self, webtask: Webtask, data: Data, html: Html
    ) -> None:
        """No picture is taken where the position of a secret is unknown, as in a rotated pseudo-element."""
        page = html(
            "<style>p::after { content: attr(data-k); position: absolute; transform: rotate(20deg) }"
            f"</style><p data-k={PLAIN}>"
        )
        assert Masks(page, data).take() is None

    def test_unresponsive_frame_is_black(
        self,
        webtask: Webtask,
        data: Data,
        html: Html,
        monkeypatch: pytest.MonkeyPatch,
        tmp_path: Path,
    ) -> None:
        """A frame that does not answer is black; without the main frame there is no picture."""
        page = html(f"{RED}<iframe frameborder=0 srcdoc='{RED}<p>Hello'></iframe>")
        page.frame_locator("iframe").get_by_text("Hello").wait_for()
        ask, silent = dom.call, [page.frames[1]]

        def call(where: Any, *arguments: Any) -> Any:
            if where in silent:
                raise Error("the frame does not answer")
            return ask(where, *arguments)

        monkeypatch.setattr(dom, "call", call)
        assert_blacked_out(page, data)
        silent.append(page.main_frame)
        observer = Observer(lambda: data, lambda picture: tmp_path / "x.jpg")
        with monkeypatch.context() as context:
            context.setattr(dom, "call", ask)
            seen = observer.observe(page)
        assert seen.screenshot is None

    def test_moving_secret_prevents_a_picture(
        self, webtask: Webtask, data: Data, html: Html
    ) -> None:
        """No picture is taken of a secret that keeps moving."""
        page = html(
            f"<p id=p style='position: absolute'>{PLAIN}</p><script>let x = 0;"
            "setInterval(() => { p.style.left = (x = (x + 3) % 600) + 'px' }, 5)</script>"
        )
        assert Masks(page, data).take() is None

    def test_secret_that_appears_during_a_picture_is_masked(
        self, webtask: Webtask, data: Data, html: Html, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The page is searched again after the picture, and a second picture masks the new secret."""
        page = html(f"{RED}<p id=p style='color: #fff'>nothing")
        take, taken = page.screenshot, 0

        def screenshot(**options: Any) -> bytes:
            nonlocal taken
            taken += 1
            if taken == 1:
                page.evaluate("s => { p.textContent = s; p.style.color = 'red' }", PLAIN)
            return take(**options)

        monkeypatch.setattr(page, "screenshot", screenshot)
        picture = Masks(page, data).take()
        assert taken == 2
        assert_black(picture, in_red(Image.open(io.BytesIO(take()))))

    def test_short_secrets_leave_the_rest_of_the_page(self, webtask: Webtask, html: Html) -> None:
        """A secret of three digits is masked as a whole word, not inside a number or word."""
        page = html(f"{RED}<p>1234, 12.123 and button-123</p><p id=s>The code: 123</p>")
        picture = Masks(page, Data({"cvc": Secret("123")})).take()
        masked = Image.open(io.BytesIO(picture or b"")).convert("L")
        box = page.locator("p").first.bounding_box()
        assert box is not None
        first = (0, 0, 1200, int(box["y"] + box["height"]))
        assert brightness(masked.crop(first))[0] > 30
        assert brightness(masked)[0] == 0

    def test_revealed_password_is_masked_without_a_secret(
        self, webtask: Webtask, html: Html, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Neither the outline nor the picture shows a password that a page reveals."""
        # Boxes and labels may cover black parts.
        monkeypatch.setattr("pytest_webtask.page.screenshots._COLORS", ("#000000",))
        monkeypatch.setattr("PIL.ImageDraw.ImageDraw.text", lambda *a, **k: None)
        page = html(f"{RED}<input type=password value=hunter2 style='border-color: red'>")
        pictures: list[bytes] = []

        def save(picture: bytes) -> Path:
            pictures.append(picture)
            return tmp_path / "x.jpg"

        observer = Observer(Data, save)
        assert "filled" in observer.observe(page).outline
        page.locator("input").evaluate("e => e.type = 'text'")
        seen = observer.observe(page)
        assert "hunter2" not in seen.outline + repr(seen.elements)
        assert seen.screenshot
        with Image.open(io.BytesIO(pictures[0])) as image:
            assert image.convert("L").crop((75, 80, 150, 86)).getextrema()[1] < 40


class TestOutlines:
    @pytest.mark.parametrize(
        ("markup", "secret"),
        [
            (f"<p>{PLAIN.upper()} and {PLAIN.title()}", "horse"),
            (base64.b64encode(f"ab:{PLAIN}".encode()).decode(), "aG9yc2"),
            ("<p>correct-<b>horse</b>-7391", "horse"),
            ("<div>correct-</div><div><button>horse</button></div><p>-7391", "horse"),
            ("<p>4242 4242 4242 4242", "4242"),
            ("<p>4242-4242-4242-4242", "4242"),
            ("<p>Your key correct-horse-7… is set", "horse"),
            ("<input aria-label=Key maxlength=10 value=correct-ho>", "correct-ho"),
            ("".join(f"<input aria-label='Digit {i}' value={d}>" for i, d in enumerate("8421")), '= "8"'),
            (f"<button title={PLAIN}></button><a href='/{PLAIN}'></a>", "horse"),
            (f"<button aria-label='{'x' * 110} {PLAIN}'></button>", "correct-"),
            (f"<li>{'y' * 50} {PLAIN}<button>Do</button></li>", "correct-"),
        ],
        ids="case base64 bold divs groups dashes cut maxlength digits attributes name key".split(),
    )  # fmt: skip
    def test_outline_masks_parts_of_a_secret(
        self, webtask: Webtask, data: Data, html: Html, markup: str, secret: str
    ) -> None:
        """A secret is masked however it is written, cut, or spread over elements."""
        seen = Observer(lambda: data, None).observe(html(markup))
        shown = seen.outline + repr(seen.elements)
        assert secret.lower() not in shown.lower(), shown
        assert re.search(r"\{(key|card|pin)\}", shown)

    def test_secret_that_equals_snapshot_syntax_keeps_the_outline(
        self, webtask: Webtask, html: Html
    ) -> None:
        """Roles, levels and ids are not masked, because they do not come from the page."""
        page = html("<h2>Two</h2><button>Save</button><button>Send</button><a href=/x>x</a>")
        data = Data({f"s{word}": Secret(word) for word in ("2", "button", "link", "e1", "text")})
        seen = Observer(lambda: data, None).observe(page)
        assert {"button-0", "button-1", "link-0"} == set(seen.elements)
        assert seen.outline.splitlines()[0] == "## <heading-0> Two"


class TestForeignFrames:
    @pytest.fixture
    def framed(self, webtask: Webtask, site: Site) -> Page:
        """A page with a frame of a foreign origin, which takes the focus for itself."""
        site.pages |= {
            "/": f"<title>Home</title><input aria-label=Mine>"
            f"<iframe src='{site.foreign_url}/card' width=400 height=200></iframe>",
            "/card": "<input aria-label=Card id=card><button onclick='pressed = 1'>Pay</button>"
            "<script>typed = ''; onkeydown = (e) => typed += e.key</script>",
        }
        webtask.goto(site.url)
        webtask.page.frame_locator("iframe").get_by_label("Card").wait_for()
        return webtask.page

    @pytest.mark.parametrize(
        ("tool", "role", "parameters"),
        [
            ("fill", "textbox", {"text": "{key}"}),
            ("type", "textbox", {"text": "{key}"}),
            ("press", "textbox", {"key": "a"}),
            ("click", "button", {}),
            ("click_at", "button", {"x": 2, "y": 2}),
        ],
    )
    def test_actions_are_refused(
        self,
        attempt: Attempt,
        framed: Page,
        site: Site,
        tool: str,
        role: str,
        parameters: dict[str, Any],
    ) -> None:
        """The error names the foreign origin and the option that allows it."""
        name = "Card" if role == "textbox" else "Pay"
        outcome = attempt(on(tool, role, name, **parameters), data={"key": Secret(PLAIN)})
        assert site.foreign_url in (outcome.error or "")
        assert "--webtask-allow-origin" in (outcome.error or "")
        inner = framed.frames[1]
        assert inner.evaluate("[card.value, typed, window.pressed]") == ["", "", None]

    @pytest.mark.parametrize("focus", ["card.focus()", "window.focus()"])
    def test_keys_are_refused_while_a_foreign_frame_has_focus(
        self, attempt: Attempt, framed: Page, focus: str
    ) -> None:
        """A foreign frame that has taken the focus gets no keys."""
        framed.frames[1].evaluate(focus)
        for answer in (call("type", text="{key}"), call("press", key="a")):
            outcome = attempt(answer, data={"key": Secret(PLAIN)})
            assert "is not an allowed origin" in (outcome.error or "")
        assert framed.frames[1].evaluate("[card.value, typed]") == ["", ""]

    def test_surrounding_page_stays_usable(self, attempt: Attempt, framed: Page) -> None:
        """Fields of the page around a foreign frame can be filled."""
        assert attempt(on("fill", "textbox", "Mine", text="dana")).success
        assert attempt(call("type", text="!")).success
        assert framed.get_by_label("Mine").input_value() == "dana!"

    @pytest.mark.webtask(allow_origin="http://localhost:*")
    def test_allowed_origin_can_be_filled(self, attempt: Attempt, framed: Page) -> None:
        """A frame of an origin that the marker allows can be filled."""
        outcome = attempt(on("fill", "textbox", "Card", text="4242"))
        assert outcome.success, outcome.error
        assert framed.frames[1].evaluate("card.value") == "4242"


@pytest.mark.webtask(screenshots="on")
def test_secret_that_equals_a_word_of_the_plugin_leaves_its_fields_and_paths(
    webtask: Webtask, model: Scripted, html: Html
) -> None:
    """A secret such as "completed" masks no status, name of a tool or path of a picture."""
    words = ("completed", "click", "worker", "screenshots", "status", "Scripted")
    html("<button>Save</button>")
    model.answers = [on("click", "button", "Save"), done()]
    webtask.do("save it", data={f"key{i}": Secret(word) for i, word in enumerate(words)})
    events = journaled(webtask)
    ended = next(e for e in events if isinstance(e, StepEnded))
    called = next(e for e in events if isinstance(e, ToolCalled))
    pictured = next(e for e in events if isinstance(e, StepPictured))
    assert (ended.status, called.call.tool) == ("completed", "click")
    assert pictured.picture.path.startswith("screenshots/")
    roles = {(e.iteration.role, e.iteration.model) for e in events if isinstance(e, IterationEnded)}
    assert roles == {("worker", "Scripted")}


def test_error_of_a_model_masks_a_secret_in_the_terminal_and_junit(
    pytester: pytest.Pytester,
) -> None:
    """Neither the chain and notes of a model's exception, nor `page`, nor what is printed shows a secret."""
    pytester.makeconftest(
        """
        import pytest

        class Broken:
            def decide(self, turn):
                text = turn.view.page.evaluate("document.querySelector('p').textContent")
                error = ValueError(f"cannot read {text}" if turn.task == "log in" else "no answer")
                error.__notes__ = [f"it was {text}"]
                raise error from KeyError(text)

        @pytest.fixture
        def webtask_model():
            return Broken()
        """
    )
    pytester.makepyfile(
        f"""
        import pytest
        from pytest_webtask import Secret

        @pytest.mark.parametrize("task", ["log in", "log out"])
        def test_it(webtask, page, task):
            page.set_content("<p>Key: " + "-".join(["correct", "horse", "7391"]) + "</p>")
            page.evaluate("location.hash = document.querySelector('p').textContent")
            print(page.url)
            webtask.do(task, data={{"key": Secret("".join({list(PLAIN)!r}))}})
        """
    )
    result = pytester.runpytest("--junitxml=junit.xml", "--webtask-mode=live")
    result.assert_outcomes(failed=2)
    texts = [*result.outlines, *result.errlines, Path("junit.xml").read_text()]
    assert "cannot read Key: {key}" in "".join(texts)
    assert_absent(PLAIN, "\n".join(texts))


def test_secret_of_an_earlier_test_is_masked_in_what_pytest_prints(tmp_path: Path) -> None:
    """Neither a failure of a test without a webtask nor an interrupted one shows the secret of another test."""
    (tmp_path / "conftest.py").write_text(CONFTEST)
    (tmp_path / "test_it.py").write_text(
        f"""
import pytest

WORD = "-".join({PLAIN.split("-")!r})

def test_one(webtask, page):
    from pytest_webtask import Secret
    page.set_content("<input aria-label=Key>")
    webtask.do('fill "Key" with {{key}}', data={{"key": Secret(WORD)}})

def test_skip():
    pytest.skip(WORD)

@pytest.mark.xfail(reason=WORD)
def test_xfail():
    assert False

def test_two(record_property):
    record_property(WORD, {{"key": [WORD]}})
    record_property("number", 3)
    print(WORD)
    assert [*WORD] == [*WORD[::-1]]

def test_three():
    def stop(word):
        raise KeyboardInterrupt(word)
    stop(WORD)
"""
    )
    result = nested.run(
        tmp_path, "--webtask-mode=live", "-vvv", "--full-trace", "--junitxml=junit.xml", "-rsx"
    )
    texts = [nested.printed(result), (tmp_path / "junit.xml").read_text()]
    assert "KeyboardInterrupt: {key}" in texts[0] and "1 failed, 1 passed, 1 skipped" in texts[0]
    assert '<property name="number" value="3"' in texts[1]
    assert_absent(PLAIN, *texts)


@pytest.mark.long
def test_secret_in_the_ids_of_tests_is_warned_of(pytester: pytest.Pytester) -> None:
    """A parametrized secret is in the names of files: a warning says so, and how to name the case."""
    pytester.makeconftest(CONFTEST)
    pytester.makepyfile(
        """
        import pytest
        from pytest_webtask import Secret

        @pytest.mark.parametrize("password", ["hunter2-71", "hunter3-72"])
        def test_it(webtask, page, password):
            page.set_content("<button>Save</button>")
            webtask.do('click "Save"', data={"password": Secret(password)})
            webtask.do('click "Save"', data={"password": Secret(password)})
        """
    )
    result = pytester.runpytest_subprocess("--webtask-mode=live")
    result.assert_outcomes(passed=2, warnings=2)
    assert "holds a secret" in result.stdout.str()
