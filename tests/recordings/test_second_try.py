"""A recorded action that the page never received is tried once more; one that it received never is."""

from collections.abc import Iterator

import pytest

from pytest_webtask.journal import Recovery
from tests.inner import Run, project

pytestmark = [pytest.mark.slow, pytest.mark.real_time, pytest.mark.long]

PAGE = """<h1>Orders</h1><script>
presses = 0; sent = 0
function load() { list.innerHTML = '<button onclick="send()">Send</button>' }
function send() { out.textContent = `Sent ${++sent}` }
function count() { presses++ }
</script>%s<button id=loads onclick="load()">Load</button><div id=list></div><p role=status id=out></p>%s"""
BEFORE = PAGE % ("", "")
OPEN = "<script>setTimeout(() => console.log('open'), 700)</script>"
LOST = {
    # The browser drops what the mouse sends for 700 ms after the load.
    "early": BEFORE + OPEN,
    # It drops what is sent to the second button.
    "late": BEFORE.replace(
        "' }", "'; console.log('shut'); setTimeout(() => console.log('open'), 700) }"
    ),
    "deaf": BEFORE,  # It drops all.
}
# The page's listener comes first, and lets no other one hear the click, nor the button get the focus.
STOPS = """<script>for (const type of ['pointerdown', 'mousedown', 'click', 'mouseup', 'pointerup'])
  addEventListener(type, (e) => {
    presses += type === 'click'; e.preventDefault(); e.stopImmediatePropagation()
  }, true)</script>"""
# The handler is on a node that is no longer in the page.
REPLACES = """<script>const fresh = loads.cloneNode(true); fresh.onclick = count
loads.replaceWith(fresh)</script>"""
# A frame over the button gets the click, from the moment when the mouse is there.
COVERS = (
    "<style>iframe { position: fixed; inset: 0; border: 0; width: 100%; height: 100%; opacity: 0;"
    " pointer-events: none } #loads:hover ~ iframe { pointer-events: auto }</style>",
    '<iframe srcdoc="<script>onmousedown = () => parent.presses++</script>"></iframe>',
)
RECEIVED = {
    "idle": BEFORE.replace("{ list", "{ presses++; return; list"),
    "stopped": PAGE % (STOPS, ""),
    "replaced": PAGE % ("", REPLACES),
    "covered": PAGE % COVERS,
}
OPENER = "<h1>Shop</h1>%s<p role=status id=out></p><script>sent = 0; open('/popup')</script>"
POPUP = "<h1>Till</h1><button onclick='opener.sent++; window.close()'>Send</button>"
PLAYS = """
"send it": [act("click", "button:Load"), act("click", "button:Send"), done(text("status:", "Sent 1"))],
"send it in the popup": [act("switch_tab", tab=2), act("click", "button:Send"),
    act("click", "button:Next"), done(text("status:", "ok"))],
"""
TESTS = """
import pytest
from pytest_webtask.errors import Drifted

@pytest.fixture
def drops(page):
    session = page.context.new_cdp_session(page)
    def drop(ignore):
        session.send("Input.setIgnoreInputEvents", {"ignore": ignore})
    page.on("console", lambda message: drop(message.text == "shut"))
    yield drop
    drop(False)

def test_first(webtask):
    webtask.goto("/first")
    send(webtask)

def send(webtask):
    webtask.do("send it")

@pytest.mark.parametrize("name", ["early", "late"])
def test_lost(webtask, drops, name):
    webtask.goto(f"/{name}")
    drops(name == "early")
    send(webtask)
    assert webtask.page.evaluate("sent") == 1

def test_deaf(webtask, drops):
    webtask.goto("/deaf")
    drops(True)
    send(webtask)

def test_first_popup(webtask, page):
    send_in_popup(webtask, page, "/first-popup")

def send_in_popup(webtask, page, path):
    with page.expect_popup() as popup:
        webtask.goto(path)
    popup.value.wait_for_load_state()
    webtask.do("send it in the popup")

def test_popup(webtask, page):
    with pytest.raises(Drifted):
        send_in_popup(webtask, page, "/opener")
    assert page.evaluate("sent") == 1

@pytest.mark.parametrize("name", RECEIVED)
def test_received(webtask, name):
    webtask.goto(f"/{name}")
    with pytest.raises(Drifted) as caught:
        send(webtask)
    print(caught.value)
    assert webtask.page.evaluate("presses") == 1
"""


@pytest.fixture(scope="module")
def replayed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    """A replay on pages that lose the first click, and on pages that do nothing at it."""
    tests = TESTS.replace("RECEIVED", str([*RECEIVED]))
    with project(tmp_path_factory.mktemp("lost"), PLAYS, tests) as inner:
        inner.site.pages |= {"/first": BEFORE}
        inner.site.pages |= {f"/{name}": page for name, page in {**LOST, **RECEIVED}.items()}
        following = """<button onclick="out.textContent = 'ok'">Next</button>"""
        inner.site.pages |= {"/first-popup": OPENER % following, "/popup": POPUP}
        inner.site.pages["/opener"] = OPENER % "<button onclick='sent++'>Send</button>"
        inner.passes("-k", "first")
        yield inner.run("--webtask-mode=replay")


def test_lost_click_is_made_once_more(replayed: Run) -> None:
    """Where the browser sent the page no event, the click is repeated, and the journal says so."""
    for name, button in (("early", "Load"), ("late", "Send")):
        assert replayed.outcomes[f"test_lost[chromium-{name}]"] == "passed", replayed.printed
        [recovery] = replayed.events(Recovery, f"test_lost[chromium-{name}]")
        assert recovery.action == "second try"
        nothing = f'click button "{button}" changed nothing, and the page received no event'
        assert recovery.reason == nothing


def test_click_that_is_lost_twice_fails(replayed: Run) -> None:
    """There is no third try, and the message says what was tried."""
    assert replayed.outcomes["test_deaf"] == "failed"
    assert (
        'click button "Load" changed nothing: no request, no change of the HTML, no other focus'
        " (the page received no event)"
    ) in replayed.tests["test_deaf"].message
    assert len(replayed.events(Recovery, "test_deaf")) == 1


@pytest.mark.parametrize("name", [*(f"received[chromium-{name}]" for name in RECEIVED), "popup"])
def test_click_that_was_received_is_never_repeated(replayed: Run, name: str) -> None:
    """An action that any document received, even one that it closed, may have been sent to a server."""
    assert replayed.outcomes[f"test_{name}"] == "passed", replayed.printed
    assert replayed.events(Recovery, f"test_{name}") == []
