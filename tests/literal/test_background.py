"""Claims about what the page does behind what it shows: requests, the console, downloads."""

from pathlib import Path

import pytest
from playwright.sync_api import Page

from pytest_webtask.errors import UsageError
from pytest_webtask.run.webtask import Webtask
from tests.inner import project
from tests.literal.names import Outcome
from tests.site import Site

pytestmark = pytest.mark.long

PAGE = """<h1>Orders</h1><script>
const post = (path) => fetch(path, { method: 'POST', mode: 'no-cors' })
</script>
<button onclick="post('/orders?page=2')">Order</button>
<button onclick="post('/slow')">Slow</button>
<button onclick="post('/broken?key=hunter2-secret')">Break</button>
<button onclick="post('http://localhost:9/gone')">Lose</button>
<button onclick="const c = new AbortController();
fetch('/never', { signal: c.signal }); setTimeout(() => c.abort(), 50)">Cancel</button>
<button onclick="fetch('/never'); location = '/plain'">Leave</button>
<button onclick="console.error('no stock'); console.warn('low')">Log</button>
<button onclick="console.warn('low')">Warn</button>
<button onclick="null.x">Throw</button>
<button onclick="console.error('no stock'); for (let i = 0; i < 230; i++) console.log(i)">Flood</button>
<a href=/file download=report-7.csv>Export</a>"""
CASES: dict[str, dict[str, str]] = {
    "Order": {
        'a POST to "/orders" was answered 201': "passed",
        'a POST to "/orders?page=2" was answered with 201': "passed",
        'a request to "/or*" was answered 201': "passed",
        'a GET to "/orders" was answered 201': "failed",
        'a POST to "/orders" was answered 200': "failed: request of requests of the page: expected",
        'a POST to "/order" was answered 201': "failed",
        "no request failed, the console has no errors": "passed",
        '"report-7.csv" was downloaded': "failed",
    },
    "Slow": {'a POST to "/slow" was answered 200': "passed"},
    "Break": {
        "no request failed": "failed",
        'no request to "/orders" failed': "undecided: no request was sent to /orders",
        'no request to "/bro*" failed': "failed",
        'a POST to "/broken" was answered 500': "passed",
    },
    "Lose": {"no request failed": "failed"},
    "Cancel": {"no request failed": "passed"},
    "Leave": {"no request failed": "passed"},
    "Log": {"the console has no errors": "failed", "no request failed": "passed"},
    "Flood": {"the console has no errors": "failed"},
    "Warn": {"the console has no errors": "passed"},
    "Throw": {"the console has no errors": "failed"},
    "Export": {
        '"report-7.csv" was downloaded': "passed",
        '"report-*.csv" was downloaded': "passed",
        '"report.csv" was downloaded': "failed",
    },
}
"""Claims after a click on a button, with how their outcome begins."""


@pytest.fixture
def shop(site: Site) -> Site:
    """A site that answers in different ways."""
    site.pages |= {"/": PAGE, "/plain": "<h1>Plain</h1>"}
    site.pages |= {"/orders": "", "/broken": "", "/slow": "", "/file": ("text/csv", b"a,b")}
    site.statuses |= {"/orders": 201, "/broken": 500}
    site.delays |= {"/slow": 0.6, "/never": 20.0}
    return site


@pytest.mark.parametrize("name", CASES)
def test_background_claim_is_judged(
    webtask: Webtask, shop: Site, outcome: Outcome, name: str
) -> None:
    """A request that was canceled has not failed, and a warning isn't an error."""
    webtask.goto(shop.url)
    webtask.do(f'click "{name}"')
    outcomes = {claim: outcome(claim, timeout=2) for claim in CASES[name]}
    assert {
        claim: text for claim, text in outcomes.items() if not text.startswith(CASES[name][claim])
    } == {}


def test_window_begins_with_last_acting_step(
    webtask: Webtask, shop: Site, outcome: Outcome
) -> None:
    """What an earlier step did is forgotten, and a claim between forgets nothing."""
    webtask.goto(shop.url)
    webtask.do('click "Break", click "Log"')
    webtask.verify('"Orders" is shown')
    assert outcome("no request failed").startswith("failed")
    assert outcome("the console has no errors").startswith("failed")
    webtask.do('click "Order"')
    assert outcome("no request failed, the console has no errors") == "passed"
    assert outcome('a POST to "/broken" was answered 500').startswith("failed")


def test_requests_before_the_first_step_count(
    webtask: Webtask, shop: Site, page: Page, outcome: Outcome
) -> None:
    """A page that the test itself has loaded is judged by its requests and its console, too."""
    shop.pages["/"] = f"{PAGE}<script>console.error('early')</script><img src=/broken>"
    page.goto(shop.url)
    assert f"GET {shop.url}/broken was answered with 500" in outcome("no request failed")
    assert "early" in outcome("the console has no errors")


def test_failed_request_has_its_answer(webtask: Webtask, shop: Site, outcome: Outcome) -> None:
    """The reason has the method, the address without its query and the status, or why there is none."""
    webtask.goto(shop.url)
    webtask.goto(f"{shop.url}/broken#/route")
    assert f"GET {shop.url}/broken" in outcome("no request failed")
    webtask.goto(shop.url)
    webtask.do('click "Break", click "Lose"')
    reason = outcome("no request failed")
    assert f"POST {shop.url}/broken was answered with 500" in reason and "hunter2" not in reason
    assert "POST http://localhost:9/gone was not answered: net::ERR_" in reason


@pytest.mark.parametrize(
    "claim",
    ['a POST to "orders" was answered 201', 'no request to "*" failed', '"*" was downloaded'],
)
def test_claim_that_fits_anything_is_refused(webtask: Webtask, shop: Site, claim: str) -> None:
    """An address begins at its path or scheme, and a name has more than wildcards."""
    webtask.goto(shop.url)
    with pytest.raises(UsageError):
        webtask.verify(claim, timeout=0)


PLAYS = """
"order a mug": [act("click", "button:Order"),
    done({"kind": "request", "method": "POST", "pattern": "/orders", "status": 201})],
"the order was sent, and all requests succeeded": [judge("holds",
    {"kind": "request", "pattern": "/orders", "status": 201},
    {"kind": "no_failure", "of": "requests"}, {"kind": "no_failure", "of": "console"},
    text("heading:Orders", "Orders"))],
"export the report": [act("click", "link:Export"),
    done({"kind": "download", "name": "report-7.csv"})],
"""
TESTS = """
def test_order(webtask):
    webtask.goto("/")
    webtask.do("order a mug")
    webtask.verify("the order was sent, and all requests succeeded")

def test_export(webtask):
    webtask.goto("/")
    webtask.do("export the report")
"""


@pytest.mark.slow
def test_evidence_of_the_background_is_recorded_and_replayed(tmp_path: Path, shop: Site) -> None:
    """Another status, an error in the console or another name fails the replay."""
    with project(tmp_path, PLAYS, TESTS) as inner:
        for each in ("pages", "statuses", "delays"):
            getattr(inner.site, each).update(getattr(shop, each))
        inner.passes()
        inner.replays()
        loud = PAGE.replace("onclick=\"post('/o", "onclick=\"console.error(1); post('/o")
        renamed = PAGE.replace("report-7", "report-8")
        for page, status, failed in (
            (loud, 201, {"test_order"}),
            (renamed, 500, {"test_order", "test_export"}),
        ):
            inner.site.pages["/"], inner.site.statuses["/orders"] = page, status
            run = inner.run("--webtask-mode=replay")
            assert {n for n, o in run.outcomes.items() if o == "failed"} == failed, run.printed
