"""How long a replay waits: the claims' time on a page at rest, and that of an action on a busy one."""

from collections.abc import Iterator

import pytest

from tests.conftest import PACE
from tests.inner import Run, project, visits

PAGE = """<h1>Orders</h1><button onclick="open_()">Load</button><div id=list></div>
<p role=status id=out></p><script>
const late = () => { list.innerHTML = '<button onclick="out.textContent = `Sent`">Send</button>' };
const open_ = () => { %s };
%s
</script>"""
NOW = PAGE % ("late()", "")
AFTER = {
    # What the button does, and what the page does by itself, in times of which `PACE` seconds pass in one.
    "answer": ("fetch('/slow').then(late)", ""),
    "chain": ("fetch('/slow').then(() => fetch('/slower')).then(late)", ""),
    "timer": ("setTimeout(late, 400)", ""),
    "growing": (
        "let n = 0; const id = setInterval(() => { const e = document.createElement('p');"
        " list.before(e); if (++n > 70) { clearInterval(id); late() } }, 20)",
        "",
    ),
    "blocked": (
        "const end = Date.now() + 1300; while (Date.now() < end);"
        " fetch('/quick').then(() => setTimeout(late, 20))",
        "",
    ),
    "sluggish": (
        "late()",
        "document.addEventListener('click', () => { const end = Date.now() + 1100; while (Date.now() < end); }, true)",
    ),
    "rest": ("", ""),
    "failed": ("fetch('http://127.0.0.1:9/').catch(() => {})", ""),
    "aborted": (
        "const c = new AbortController(); fetch('/slower', { signal: c.signal }).catch(() => {});"
        " setTimeout(() => c.abort(), 50)",
        "",
    ),
    "ticking": (
        "",
        "setInterval(() => { out.textContent = `${Date.now()}`; out.style.width = `${Date.now() % 99}px` }, 20);"
        "document.body.animate([{ opacity: 0.5 }, { opacity: 1 }], { duration: 300, iterations: Infinity });",
    ),
}
# Open since the page was loaded, before what came later.
AFTER["polling"] = ("", "fetch('/endless'); fetch('/quick')")
LITERAL = ("sluggish", "answer", "rest")
HARMLESS = ["answer", "chain", "timer", "growing", "blocked", "sluggish"]
GONE = ["rest", "failed", "aborted", "ticking", "polling"]
PLAYS = """
**{f"send the {n}": [
    act("click", "button:Load"), act("click", "button:Send"), done(text("status:Sent", "Sent"))]
   for n in %r},
""" % [*AFTER]
SLOW = "page.wait_for_timeout(500)\n    webtask."
TESTS = visits({n: f"{SLOW if n == 'polling' else ''}do('send the {n}')" for n in AFTER})
TESTS += "".join(
    visits({f"literal_{n}": """do('click "Load", then click "Send"')"""}, at=f"/{n}")
    for n in LITERAL
)


@pytest.fixture(scope="module")
def replayed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    """A replay with the default times, of which a fifth passes, on a day on which the application is slow, or broken."""
    with project(tmp_path_factory.mktemp("waiting"), PLAYS, TESTS) as inner:
        inner.write("pytest.ini", "[pytest]\nwebtask_screenshots = off\n")
        inner.site.pages.update({f"/{name}": NOW for name in AFTER})
        inner.site.pages.update({"/slow": "", "/slower": "", "/quick": "", "/endless": ""})
        inner.site.delays.update({"/slow": 1.2, "/slower": 0.6, "/endless": 60.0})
        inner.passes()
        inner.site.pages.update({f"/{name}": PAGE % does for name, does in AFTER.items()})
        yield inner.run("--webtask-mode=replay")


@pytest.mark.parametrize("name", HARMLESS)
def test_element_that_a_busy_page_brings_late_is_acted_upon(replayed: Run, name: str) -> None:
    """An element that comes after the claims' time is found if the page was busy until then."""
    assert replayed.outcomes[f"test_{name}"] == "passed", replayed.tests[f"test_{name}"].message


@pytest.mark.parametrize("name", GONE)
def test_element_missing_at_rest_is_given_the_time_of_claims(replayed: Run, name: str) -> None:
    """A page at rest, or one that only ticks and polls, is given five seconds, not thirty."""
    assert replayed.outcomes[f"test_{name}"] == "failed"
    assert 4.5 / PACE < replayed.seconds(f"test_{name}") < 25.0 / PACE


def test_literal_sentences_wait_like_replays(replayed: Run) -> None:
    """A literal click waits for an element of a busy page, and not for one of a page at rest."""
    assert replayed.outcomes["test_literal_sluggish"] == "passed"
    assert replayed.outcomes["test_literal_answer"] == "passed"
    assert replayed.outcomes["test_literal_rest"] == "failed"
    assert 4.5 / PACE < replayed.seconds("test_literal_rest") < 25.0 / PACE
