"""What a service receives does not depend on a secret: not one byte, pictures included."""

import base64
from html import escape
from typing import Any

import pytest

from pytest_webtask import Secret
from pytest_webtask.llm.model_names import load_model
from pytest_webtask.llm.role_models import Instructions
from pytest_webtask.run.webtask import Webtask
from tests.api import Api, marked_done, message, page_of, use
from tests.site import Site

# Of one length and, in a font whose letters are of one width, of one size.
SECRETS = ("Zx7-kappa!93", "Qv4-theta!58")

FORM = """<title>Log in</title><style>* { font: 16px monospace }</style>
<form action=/welcome><input aria-label=Name name=name>
<input type=password aria-label=Password name=password><input aria-label=Code name=code>
<input type=hidden name=token value="SECRET"><button>Go</button></form>"""

WELCOME = """<title>Welcome SECRET</title><style>
  * { font: 16px monospace } .after::after { content: " SECRET" }
  .split b { color: teal } .wide { width: 20px; white-space: nowrap }
</style>
<h1>Hello SECRET</h1><p title="SECRET">plain SECRET text</p><p class=after>generated</p>
<p class=split>Zsplit: <i>SECRET_HEAD</i><b>SECRET_TAIL</b></p><p class=wide>wide SECRET</p>
<input value="SECRET" aria-label="field SECRET"> <input placeholder="SECRET">
<textarea>SECRET</textarea> <select><option>SECRET</option></select>
<button aria-label="SECRET" onclick="alert('SECRET'); this.after(' SECRET again')">Say it</button>
<a href="/away?q=SECRET">leave</a> <img alt="SECRET" src="/none.png" width=200 height=20>
<svg width=200 height=30><text y=20>SECRET</text></svg>
<div style="text-transform: uppercase">SECRET</div><p>encoded: SECRET_64</p>
<iframe srcdoc="<style>*{font:16px monospace}</style><p>framed SECRET"></iframe>
<iframe src="FOREIGN/frame"></iframe>
<canvas id=canvas width=200 height=30></canvas><div id=host></div>
<script>
  canvas.getContext("2d").font = "16px monospace";
  canvas.getContext("2d").fillText("SECRET", 5, 20);
  host.attachShadow({mode: "open"}).innerHTML = "<p>shadow SECRET</p>";
  console.log("SECRET");
</script>"""


@pytest.fixture
def webtask_model(api: Api) -> Any:
    """Claude, with the script at the API's end."""
    return load_model("claude")


def with_secret(template: str, secret: str, site: Site) -> str:
    """A page that shows the secret."""
    encoded = base64.b64encode(f"user:{secret}".encode()).decode()
    shown = template.replace("SECRET_64", encoded).replace("FOREIGN", site.foreign_url)
    shown = shown.replace("SECRET_HEAD", escape(secret[:5])).replace("SECRET_TAIL", secret[5:])
    return shown.replace("SECRET", secret)


def sent(api: Api, webtask: Webtask, site: Site, secret: str, given: object) -> list[bytes]:
    """All that a task sends in which the secret is typed and then shown wherever it can be."""
    framed = "<p style='font: 16px monospace'>SECRET"
    for path, page in {"/": FORM, "/welcome": WELCOME, "/frame": framed}.items():
        site.pages[path] = with_secret(page, secret, site)
    api.clear()

    def say_it(request: dict[str, Any]) -> Any:
        button = f"button-{page_of(request).split('[button-')[-1].split()[0]}"
        click = use("click", element_id=button, dialog="accept")
        return message(use("look", element_id=button), click)

    api.answers = [
        message(
            use("fill", element_id="textbox-0", text="Rita"),
            use("fill", element_id="textbox-1", text="{code}"),
            use("fill", element_id="textbox-2", text="{code}"),
            use("press", element_id="textbox-2", key="Enter"),
        ),
        say_it,
        message(use("wait", text="{code} is not here", seconds=0.05)),
        message(use("select_option", element_id="combobox-0", options=["{code}?"])),
        # The next turn shows what the page has instead.
        marked_done(
            {"kind": "text", "element_id": "heading-0", "text": "Goodbye {code}"},
            {"kind": "url", "pattern": "/farewell?code={code}"},
            {"kind": "absent", "text": "plain {code} text"},
        ),
        marked_done({"kind": "text", "element_id": "heading-0", "text": "Hello {code}"}),
    ]
    webtask.forget()
    webtask.goto(f"{site.url}/")
    webtask.do("log in with {code} and have it said", data={"code": given})
    return [raw.partition(b"\r\n\r\n")[2] or raw for raw in api.raw]


@pytest.mark.webtask(timeout=5)
def test_requests_depend_on_no_secret(api: Api, webtask_for: Any, context: Any, site: Site) -> None:
    """Two runs that differ in the secret only send the same bytes, pictures included."""
    runs = []
    for secret in SECRETS:
        webtask = webtask_for(context.new_page(), name="one")
        runs.append(sent(api, webtask, site, secret, Secret(secret)))
        bodies = [body.decode() for body in runs[-1]]
        assert all("{code}" in body for body in bodies)
        # The last is the referee's, who sees the facts alone.
        assert [len(body) > 20_000 for body in runs[-1]] == [True] * 6 + [False]
        assert "the page has Hello {code}" in bodies[-2]
        webtask.page.close()
    one, two = ([body[body.index(b"{") :] for body in run] for run in runs)
    for number, (first, second) in enumerate(zip(one, two, strict=True), 1):
        assert first == second, f"request {number}"


@pytest.mark.webtask(timeout=5)
def test_plain_value_of_the_page_is_sent(api: Api, webtask: Webtask, site: Site) -> None:
    """A value that is no secret reaches the request, so the test above can fail."""
    run = sent(api, webtask, site, SECRETS[0], SECRETS[0])
    assert run[1].count(SECRETS[0].encode()) > 10


def test_texts_of_the_test_are_masked(api: Api, webtask: Webtask, site: Site) -> None:
    """A sentence, an instruction and another value that hold the secret are sent with its name."""
    site.pages["/"] = "<h1>Hello"
    secret = SECRETS[0]
    api.answers = [marked_done({"kind": "text", "element_id": "heading-0", "text": "Hello"})]
    runner = webtask._runner
    runner.instructions = Instructions(f"the code is {secret}")
    webtask.goto(f"{site.url}/")
    webtask.do(f"say {secret}", data={"code": Secret(secret), "login": f"rita/{secret}"})
    raw, ruling = api.raw
    assert secret.encode() not in raw + ruling
    assert b"say {code}" in ruling
    assert b"say {code}" in raw and b"rita/{code}" in raw and b"the code is {code}" in raw


def test_secrets_of_other_webtasks_are_masked(
    api: Api, webtask: Webtask, webtask_for: Any, context: Any, site: Site
) -> None:
    """A webtask masks the secrets of the test's other webtasks."""
    site.pages["/"] = f"<title>Inbox</title><h1>Message: {SECRETS[0]}"
    other = webtask_for(context.new_page(), name="other", data={"pin": Secret(SECRETS[0])})
    api.answers = [marked_done({"kind": "title", "text": "Inbox"})]
    webtask.goto(f"{site.url}/")
    webtask.do("read the message")
    assert SECRETS[0].encode() not in api.raw[0] and b"Message: {pin}" in api.raw[0]
    other.goto(f"{site.url}/")
    other.do("read the message", data={"late": Secret("Hello-again-9")})
    site.pages["/"] = "<title>Inbox</title><h1>Message: Hello-again-9"
    webtask.goto(f"{site.url}/")
    webtask.do("read the message")
    assert b"Hello-again-9" not in api.raw[-1]
