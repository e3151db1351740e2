"""What a replay says where it fails: what was sought, what is there, and what to do next."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from pytest_webtask.journal import StepEnded
from tests.inner import Run, project, visits, with_locator

pytestmark = pytest.mark.slow

PAGE = """<h1>Orders</h1><label>Note <input id=note></label>
<label>Code <input id=code type=password></label><button onclick="%s">%s</button>
<div id=list></div><p role=alert id=err></p><p role=status id=out></p><script>
function load() { list.innerHTML = '<button onclick="send()">Send</button>' }
function send() { out.textContent = 'Sent' }
</script>%s"""
BEFORE = PAGE % ("load()", "Load", "")
AFTER = {
    "renamed": PAGE % ("load()", "Load orders", ""),
    "gone": PAGE % ("load()", "Exit", "<button>Print</button>"),
    "idle": PAGE % ("", "Load", ""),
    "refused": PAGE
    % (
        "fetch('/broken', { method: 'POST' }).then(r => { err.textContent = `No <b>disk</b> ${r.status}` })",
        "Load",
        "",
    ),
    "thrown": PAGE % ("out.title = 'x'; null.x", "Load", ""),
    "unsent": BEFORE.replace("out.textContent = 'Sent'", ""),
    "other": BEFORE.replace("'Sent'", "'Failed'"),
    "lost": BEFORE.replace("out.textContent = 'Sent'", "out.remove()"),
    "hung": PAGE % ("fetch('/never').then(load)", "Load", ""),
    "edited": BEFORE,
    "echo": PAGE % ("err.textContent = `Wrong code ${code.value}`", "Load", ""),
}
PLAYS = """
**{f"send the {n}": [
    act("click", "button:Load"), act("click", "button:Send"), done(text("status:Sent", "Sent"))]
   for n in %r if n != "echo"},
"send the echo with {code}": [
    [act("fill", "textbox:Code", text="{code}"), act("click", "button:Load")],
    act("click", "button:Send"), done(text("status:Sent", "Sent"))],
""" % [*AFTER]
TESTS = visits({n: f'do("send the {n}{" with {code}" if n == "echo" else ""}")' for n in AFTER})
CONFTEST = """
@pytest.fixture
def webtask_data():
    return {"code": Secret("hunter2-secret")}
"""


@pytest.fixture(scope="module")
def replayed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    """A replay of the same step on pages that changed in different ways."""
    tmp_path = tmp_path_factory.mktemp("drifts")
    with project(tmp_path, PLAYS, TESTS, CONFTEST) as inner:
        inner.site.pages.update({f"/{name}": BEFORE for name in AFTER})
        inner.site.delays["/never"] = 20.0
        inner.passes()
        inner.site.pages.update({f"/{name}": page for name, page in AFTER.items()})
        inner.edit("test_edited", with_locator("'Send'"))
        yield inner.run("--webtask-mode=replay")


RECORD = "--webtask-mode=record"
WATCH = "--headed"
ACCEPT = "pytest-webtask accept"
MESSAGES: dict[str, tuple[str, tuple[str, ...]]] = {
    "gone": (
        'action 1 of 2, click button "Load": no element matches (after 1.5 s)'
        ' … recorded as get_by_role("button", name="Load", exact=True)'
        f' … the closest on the page: button "Exit", button "Print" … {RECORD}',
        (ACCEPT, WATCH),
    ),
    "hung": (
        'click button "Send": no element matches (after 1.5 s); the page was still waiting … check the'
        " server, or allow more with --webtask-timeout (now 1.5); if the page is right, record it again:",
        (),
    ),
    # The page is not blamed for locators that were edited by hand.
    "edited": (
        "\"'Send'\" is not a locator: begin it with a method of the page … correct that locator, restore the file from"
        " version control, or record it again: ",
        ("if the page is right",),
    ),
    "renamed": (
        '+ get_by_role("button", name="Load orders", exact=True)   (button "Load orders")'
        f" … {ACCEPT}",
        (RECORD,),
    ),
    "idle": (
        'click button "Load" changed nothing: no request, no change of the HTML … the page received it'
        f' … click button "Send" … {WATCH}',
        (RECORD,),
    ),
    "unsent": (f'click button "Send" changed nothing … {WATCH}', (RECORD,)),
    "other": (
        "all actions were done as recorded, but … Failed … this may be a bug; if the page is right,"
        f" record it again: pytest … {RECORD}",
        (WATCH,),
    ),
    "lost": (
        'expected exactly "Sent", but status in section "Orders" was not found: … this may be a bug; if the page is'
        f" right, record it again: pytest … {RECORD}",
        ("changed nothing", WATCH),
    ),
    # The application's own alert, and what it failed at.
    "refused": (
        'the page says: alert "No <b>disk</b> 404" … the application failed: POST http:// … /broken was'
        " answered with 404",
        ("changed nothing",),
    ),
    "thrown": ("the application failed: uncaught TypeError: Cannot read", ()),
    "echo": ('the page says: alert "Wrong code {code}"', ("hunter2",)),
}
"""For each page, the parts that the message has in this order, and those that it lacks."""
CAUSES = {
    "page-changed": ("renamed", "gone"),
    "product": ("idle", "thrown", "unsent", "other", "lost", "refused", "echo"),
    "environment": ("hung",),
    "test": ("edited", "emptied"),
}


@pytest.mark.parametrize("name", MESSAGES)
def test_message_says_what_was_sought_what_is_there_and_what_to_do(
    replayed: Run, name: str
) -> None:
    """Call, element and cause come first, and one remedy at the end: to correct, watch or record."""
    assert replayed.outcomes[f"test_{name}"] == "failed"
    text, at = replayed.tests[f"test_{name}"].message, 0
    has, lacks = MESSAGES[name]
    for part in has.split(" … "):
        assert part in text[at:], part
        at = text.index(part, at)
    assert not [part for part in lacks if part in text]
    assert name != "other" or text.count(RECORD) == 1
    assert name in CAUSES[replayed.tests[f"test_{name}"].properties["webtask_cause"]]


def test_picture_is_named(tmp_path: Path) -> None:
    """The message has the path of a picture; the journal has the picture beside its own message."""
    with project(tmp_path, PLAYS, TESTS) as inner:
        inner.site.pages["/gone"] = BEFORE
        pictures = "--webtask-screenshots=on"
        inner.run("-k", "gone", pictures)
        inner.site.pages["/gone"] = AFTER["gone"]
        drifted = inner.run("-k", "gone", "--webtask-mode=replay", pictures)
        [path] = re.findall(r"^E       screenshot: (.*)$", drifted.printed, re.M)
        assert (tmp_path / path).parents[1] == drifted.folder and (tmp_path / path).is_file()
        journaled = drifted.events(StepEnded)[-1].error
        assert journaled.startswith("action 1 of 2, click") and "screenshot: " not in journaled
