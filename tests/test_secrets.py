"""A secret is typed into the page and appears nowhere else; nothing is typed in foreign frames."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote, quote_plus

import pytest
from PIL import Image
from playwright.sync_api import Page

from pytest_webtask import Secret, TaskFailed
from pytest_webtask.journal import read
from pytest_webtask.records import ToolCall, Turn, WorkerSession
from pytest_webtask.webtask import Webtask
from tests.scripted import Scripted, call, done, element, on
from tests.site import Site

Attempt = Callable[..., ToolCall]
Html = Callable[[str], Page]

quick = pytest.mark.webtask(timeout=0.6)

PLAIN = "correct-horse-7391"
AWKWARD = """d'Ör "q" <b>& 5% + {x}\\n/?=#"""


def everything(model: Scripted, session: WorkerSession | None) -> str:
    """All that a model was given, and all that a step returns, as text."""
    given: list[Any] = []
    for turn in model.turns:
        seen = turn.observed
        given += [turn.task, dict(turn.data), turn.notices, turn.resources, turn.instructions]
        given += [i.model_dump_json() for i in turn.iterations]
        given += [s.model_dump_json() for s in turn.earlier]
        if seen:
            given += [seen.url, seen.title, seen.outline, seen.elements, seen.tabs]
    if session:
        given.append(session.model_dump_json())
    return repr(given) + "\n".join(str(g) for g in given)


def journal(webtask: Webtask) -> str:
    """Every byte of the run that this test has written, files' names included."""
    folder = webtask._journal.folder
    mine = [
        json.dumps(line, ensure_ascii=False)
        for line in read(folder)
        if line.get("test") == webtask._test
    ]
    assert mine
    return "\n".join(mine) + "\n".join(str(p) for p in folder.rglob("*"))


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


# With names of their own: those of tests are no place for secrets.
@pytest.mark.parametrize(
    "secret",
    [PLAIN, AWKWARD, "two  words", "密码пароль"],
    ids=["plain", "awkward", "spaces", "unicode"],
)
class TestAbsence:
    def test_typed_into_every_kind_of_field(
        self,
        webtask: Webtask,
        model: Scripted,
        html: Html,
        caplog: pytest.LogCaptureFixture,
        secret: str,
    ) -> None:
        """Neither what the model sees nor what is recorded shows it; the page has it."""
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
                secret,
            )
            return call("look")

        fields = ("Password", "Text", "Area", "Rich")
        model.answers = [
            *(on("fill", "textbox", name, text="{key}") for name in fields),
            show,
            on("type", "textbox", "Text", text="{key}"),
            lambda t: call("look", element_id=element(t, "textbox", "Rich")),
            call("wait", text="{key}"),
            lambda t: t.observation and done("typed it"),
        ]
        session = webtask.do("enter {key}", data={"key": Secret(secret)}).session
        assert all(c.success for i in session.iterations for c in i.calls), session.iterations
        assert page.get_by_label("Password").input_value() == secret
        assert page.get_by_label("Text").input_value() == secret * 2
        assert_absent(secret, everything(model, session), journal(webtask), caplog.text)
        assert "{key}" in model.turns[-1].observation.outline

    @quick
    def test_in_failures(
        self,
        webtask: Webtask,
        model: Scripted,
        html: Html,
        caplog: pytest.LogCaptureFixture,
        secret: str,
    ) -> None:
        """Playwright's errors quote what was to be typed; ours do not."""
        caplog.set_level(logging.DEBUG)
        html("<input disabled aria-label=Key><select aria-label=Size><option>S</select>")
        model.answers = [
            on("fill", "textbox", "Key", text="{key}"),
            on("type", "textbox", "Key", text="{key}"),
            on("select_option", "combobox", "Size", options=["{key}"]),
            call("wait", text="{key}", seconds=0.1),
            call("switch_tab", tab="{key}"),
            call("navigate", url="/{key}"),
            lambda t: call("upload", element_id=element(t, "textbox"), resources=["{key}"]),
            call("abort", reason=f"the key is {secret}"),
        ]
        with pytest.raises(TaskFailed) as failed:
            webtask.do("enter {key}", data={"key": Secret(secret)})
        session = failed.value.result.session
        assert [c.success for i in session.iterations for c in i.calls].count(False) >= 6
        assert_absent(
            secret, str(failed.value), everything(model, session), journal(webtask), caplog.text
        )

    def test_in_an_address_after_a_form_was_sent(
        self,
        webtask: Webtask,
        model: Scripted,
        site: Site,
        caplog: pytest.LogCaptureFixture,
        secret: str,
    ) -> None:
        """A form that puts it into the address does not give it to the model, nor do events."""
        caplog.set_level(logging.DEBUG)
        site.pages |= {
            "/": "<form action=/found><input aria-label=Key name=q><button>Send</button></form>",
            "/found": "<title>Found</title><button onclick=\"const s = new URLSearchParams(location.search).get('q');"
            " alert(s); const a = document.createElement('a'); a.download = 'file ' + s + '.txt';"
            " a.href = 'data:,x'; a.click(); window.open(location.href)\">Echo</button>",
        }
        webtask.goto(site.url)
        model.answers = [
            on("fill", "textbox", "Key", text="{key}"),
            on("click", "button", "Send"),
            on("click", "button", "Echo"),
            lambda t: t.observation and call("look"),
            lambda t: t.observation and call("abort", reason="enough"),
        ]
        with pytest.raises(TaskFailed) as failed:
            webtask.do("search for {key}", data={"key": Secret(secret)})
        assert webtask.page.url.startswith(f"{site.url}/found?q=")
        session = failed.value.result.session
        kinds = {e.kind for i in session.iterations for e in i.events}
        assert kinds >= {"dialog", "download", "tab"}
        assert_absent(
            secret,
            str(failed.value),
            everything(model, session),
            journal(webtask),
            caplog.text,
            webtask.state.model_dump_json(),
        )


class TestPartsOfSecrets:
    @quick
    def test_an_error_does_not_cut_a_secret_in_two(
        self, attempt: Attempt, webtask: Webtask, html: Html
    ) -> None:
        """A secret of several lines is not left over line by line in an error."""
        html("<textarea disabled aria-label=Key></textarea>")
        secret = "-----BEGIN-----\nMIIEpAIBAAKCAQEA75\n-----END-----"
        made = attempt(on("fill", "textbox", "Key", text="{key}"), data={"key": Secret(secret)})
        assert "element is not enabled" in (made.error or "")
        assert "MIIEpAIBAAKCAQEA75" not in made.model_dump_json() + journal(webtask)

    def test_what_a_field_took_of_a_secret_is_not_told(
        self, attempt: Attempt, webtask: Webtask, html: Html
    ) -> None:
        """An error says that the field holds something else, not what."""
        html("<input type=password maxlength=6 aria-label=Key>")
        made = attempt(on("fill", "textbox", "Key", text="{key}"), data={"key": Secret(PLAIN)})
        assert (made.error or "").endswith("it now holds something else than was typed")
        assert PLAIN[:6] not in made.model_dump_json() + journal(webtask)


class TestValuesNobodyDeclared:
    def test_passwords_are_never_shown(self, webtask: Webtask, model: Scripted, html: Html) -> None:
        """A password field says that it is filled, in frames and shadow roots too."""
        html(
            "<input type=password aria-label=One value=hunter2>"
            '<iframe srcdoc="<input type=password aria-label=Two value=hunter2>"></iframe>'
            "<div id=host></div><script>host.attachShadow({mode: 'open'}).innerHTML ="
            " '<input type=password aria-label=Three value=hunter2><input type=password>'</script>"
        )
        model.answers = [
            lambda t: call("look", element_id=element(t, "textbox", "One")),
            lambda t: t.observation and done(),
        ]
        session = webtask.do("look").session
        outline = model.turns[0].observation.outline
        assert outline.count("filled") == 3
        assert outline.count("empty") == 1
        assert "hunter2" not in everything(model, session) + journal(webtask)

    def test_hidden_inputs_are_never_shown(
        self, webtask: Webtask, model: Scripted, html: Html
    ) -> None:
        """A token of a form is none of the model's business."""
        html(
            "<form><fieldset><input type=hidden name=csrf value=t0k3n aria-label=Csrf tabindex=0>"
            "<button>Save</button></fieldset></form>"
        )
        model.answers = [lambda t: call("look", element_id=element(t, "button")), done()]
        session = webtask.do("look").session
        assert "t0k3n" not in everything(model, session) + journal(webtask)
        assert "Csrf" not in model.turns[0].observation.outline


class TestScreenshots:
    @pytest.mark.parametrize(
        "markup",
        [
            f"<p id=s>{PLAIN}</p>",
            "<p id=s>correct-<b>horse</b>-7391</p>",
            f"<input id=s value={PLAIN}>",
            f"<input id=s placeholder={PLAIN}>",
            f"<textarea id=s>{PLAIN}</textarea>",
            f"<select id=s><option>{PLAIN}</select>",
            f"<button id=s>{PLAIN}</button>",
            f"<iframe id=s srcdoc='<body style=\"margin:0;background:#fff\"><div style=height:150px>{PLAIN}</div>'></iframe>",
            "<div id=s></div><script>s.attachShadow({mode: 'open'}).innerHTML ="
            f" '<p style=\"margin:0;height:80px\">{PLAIN}</p>'</script>",
        ],
        ids="text parts value placeholder textarea option button frame shadow".split(),
    )
    def test_what_shows_a_secret_is_blacked_out(
        self, webtask: Webtask, model: Scripted, html: Html, markup: str
    ) -> None:
        """The picture is black where the page shows the secret, and nowhere else."""
        page = html(
            "<style>#s { margin: 0; width: 300px; height: 80px; border: 0; display: block; position: absolute;"
            f" left: 100px; top: 100px; background: #fff }}</style>{markup}"
        )
        paths: list[Path | None] = []
        model.answers = [lambda t: paths.append(t.observation.screenshot) or done()]  # type: ignore[func-returns-value]
        webtask.do("look at {key}", data={"key": Secret(PLAIN)})
        assert paths[0] is not None
        with Image.open(paths[0]) as image:
            picture = image.convert("L")
        scale = picture.width / page.viewport_size["width"]  # type: ignore[index]
        # Within the element, away from its edge and from its own label.
        inside = [round(v * scale) for v in (110, 110, 390, 170)]
        assert picture.crop(tuple(inside)).getextrema()[1] < 40  # type: ignore[arg-type, operator]
        outside = [round(v * scale) for v in (450, 300, 700, 500)]
        assert picture.crop(tuple(outside)).getextrema()[0] > 200  # type: ignore[arg-type, operator]

    def test_a_password_typed_into_the_page_is_not_in_the_picture(
        self, webtask: Webtask, model: Scripted, html: Html
    ) -> None:
        """A text field that a secret was typed into is black in the next picture."""
        html(
            "<input aria-label=Key style='position:absolute;left:100px;top:100px;width:300px;height:60px'>"
        )
        paths: list[Path | None] = []
        model.answers = [
            on("fill", "textbox", "Key", text="{key}"),
            lambda t: paths.append(t.observation.screenshot) or done(),  # type: ignore[func-returns-value]
        ]
        webtask.do("enter {key}", data={"key": Secret(PLAIN)})
        assert paths[0] is not None
        with Image.open(paths[0]) as image:
            assert image.convert("L").crop((115, 110, 390, 150)).getextrema()[1] < 40  # type: ignore[operator]


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
    def test_nothing_is_done_there(
        self,
        attempt: Attempt,
        framed: Page,
        site: Site,
        tool: str,
        role: str,
        parameters: dict[str, Any],
    ) -> None:
        """The error names the origin and how it could be allowed."""
        name = "Card" if role == "textbox" else "Pay"
        made = attempt(on(tool, role, name, **parameters), data={"key": Secret(PLAIN)})
        assert site.foreign_url in (made.error or "")
        assert "--webtask-allow-origin" in (made.error or "")
        inner = framed.frames[1]
        assert inner.evaluate("[card.value, typed, window.pressed]") == ["", "", None]

    @pytest.mark.parametrize("focus", ["card.focus()", "window.focus()"])
    def test_keys_do_not_follow_the_focus_there(
        self, attempt: Attempt, framed: Page, focus: str
    ) -> None:
        """A frame that has taken the focus gets no keys."""
        framed.frames[1].evaluate(focus)
        for answer in (call("type", text="{key}"), call("press", key="a")):
            made = attempt(answer, data={"key": Secret(PLAIN)})
            assert "is not an allowed origin" in (made.error or "")
        assert framed.frames[1].evaluate("[card.value, typed]") == ["", ""]

    def test_the_page_around_it_is_used_as_ever(self, attempt: Attempt, framed: Page) -> None:
        """A foreign frame does not keep anybody from the page's own fields."""
        assert attempt(on("fill", "textbox", "Mine", text="dana")).success
        assert attempt(call("type", text="!")).success
        assert framed.get_by_label("Mine").input_value() == "dana!"

    @pytest.mark.webtask(allow_origin="http://localhost:*")
    def test_an_allowed_origin_is_acted_upon(self, attempt: Attempt, framed: Page) -> None:
        """The marker adds it."""
        made = attempt(on("fill", "textbox", "Card", text="4242"))
        assert made.success, made.error
        assert framed.frames[1].evaluate("card.value") == "4242"
