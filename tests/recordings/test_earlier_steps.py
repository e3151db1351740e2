"""Evidence that cites an earlier step, in replays."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import datetime, timezone
from pathlib import Path

import pytest

from tests.inner import Project, project, recorded_project

TODAY, LATER = "2026-11-24", "2026-12-03"
CLOCK = """
@pytest.fixture(autouse=True)
def _at_noon(page):
    page.clock.set_fixed_time(open("today.txt").read() + "T12:00:00")
"""

PLAYS = """
    "place the order": [
        act("click", "button:Pay"), done(text("heading:Order", "Order 104711")),
    ],
    "it is the order that was placed before": [
        holds(
            {"kind": "earlier_step", "step": 2, "text": "Order 104711"},
            text("heading:Last", "Last order: 104711"),
        ),
    ],
"""
TEST = """
def test_order(webtask):
    webtask.goto("/")
    webtask.do("place the order")
    webtask.goto("/orders")
    webtask.verify("it is the order that was placed before")
"""
PLACED = "<title>Shop</title><h1>Order {}</h1><button onclick='this.remove()'>Pay</button>"
LAST = "<title>Orders</title><h1>Last order: {}</h1>"


original, recorded = recorded_project(
    PLAYS, TEST, {"/": PLACED.format(104711), "/orders": LAST.format(104711)}
)


def test_cited_step_is_found_by_its_sentence(recorded: Project) -> None:
    """A replay asks no model, even if the step has another number by now."""
    test = recorded.root / "test_it.py"
    test.write_text(test.read_text().replace('goto("/")', 'goto("/orders"); webtask.goto("/")'))
    recorded.replays()


@pytest.mark.parametrize(("placed", "last"), [(104712, 104711), (104711, 104712), (104712, 104712)])
def test_replay_with_another_number_fails(recorded: Project, placed: int, last: int) -> None:
    """The claim passes only for the number that was judged, in both the cited step and the page."""
    recorded.site.pages |= {"/": PLACED.format(placed), "/orders": LAST.format(last)}
    run = recorded.run(ci="true")
    assert run.outcomes == {"test_order": "failed"}, run.printed


def dated(cited: str, shown: str) -> str:
    """The plays, in which the claim cites a text of the order and one of the list of orders."""
    return f"""
    "place the order": [
        act("click", "button:Pay"),
        done(text("heading:Order", "Order 104711"), text("text:Paid on", "Paid on {TODAY}")),
    ],
    "it is the order that was placed before": [
        holds({{"kind": "earlier_step", "step": 2, "text": "{cited}"}}, text("heading:Last", "{shown}")),
    ],
"""


@pytest.fixture
def by_date(tmp_path: Path) -> Iterator[Callable[[str, str, str], Project]]:
    """Return a function that records a claim by a heading and cited and shown texts, today."""
    with ExitStack() as stack:

        def record(heading: str, cited: str, shown: str) -> Project:
            root = tmp_path / str(len(heading))
            inner = stack.enter_context(project(root, dated(cited, shown), TEST, CLOCK))
            show(inner, heading, TODAY, TODAY, 104711)
            inner.passes()
            return inner

        yield record


def show(inner: Project, last: str, paid: str, listed: str, number: int) -> None:
    """Show other dates and another number in the list of orders, on the day of the list."""
    inner.write("today.txt", listed)
    pay = f"<p id=paid></p><button onclick=\"paid.textContent='Paid on {paid}'; this.remove()\">Pay</button>"
    placed = f"<title>Shop</title><h1>Order 104711 of {paid}</h1>{pay}"
    inner.site.pages |= {
        "/": placed,
        "/orders": f"<title>Orders</title><h1>{last.format(listed, number)}</h1>",
    }


LAST_ORDER = "Last order: {1} of {0}"


@pytest.mark.long
def test_cited_date_of_today_is_that_of_the_next_day_later(
    by_date: Callable[[str, str, str], Project],
) -> None:
    """Today's date is that of the next run's day in a cited step and on the page; the number is the same."""
    texts = f"Order 104711 of {TODAY}", f"Last order: 104711 of {TODAY}"
    recorded = by_date(LAST_ORDER, *texts)
    for number, outcome in ((104711, "passed"), (104712, "failed")):
        show(recorded, LAST_ORDER, LATER, LATER, number)
        run = recorded.run(ci="true")
        assert run.outcomes == {"test_order": outcome} and not run.asked, run.printed


@pytest.mark.long
def test_cited_date_is_that_of_its_own_day(by_date: Callable[[str, str, str], Project]) -> None:
    """Today's date is never that of another day, in the cited step as on the page."""
    heading = "Last payment: {0}"
    recorded = by_date(heading, f"Paid on {TODAY}", f"Last payment: {TODAY}")
    for paid, listed in ((TODAY, LATER), (LATER, TODAY)):
        show(recorded, heading, paid, listed, 104711)
        run = recorded.run(ci="true")
        assert run.outcomes == {"test_order": "failed"}, run.printed
    # A date that the page does not show may change.
    heading = "Last order: 104711"
    recorded = by_date(heading, f"Order 104711 of {TODAY}", heading)
    show(recorded, heading, LATER, LATER, 104711)
    recorded.replays()


@pytest.mark.parametrize("call", ['do("open the plan")', 'verify("it was made by Ada")'])
def test_date_that_was_only_by_chance_today_is_recorded_again(tmp_path: Path, call: str) -> None:
    """Where the page keeps the date of the recording, a replay fails on later days until it is recorded on one."""
    made = f"{datetime.now(timezone.utc):%Y-%m-%d}"
    plays = f"""
    "open the plan": [act("click", "link:Plan"), done(text("heading:Plan", "Plan of {made}"))],
    "it was made by Ada": [holds(text("text:Made", "Made by Ada on {made}"))],
"""
    test = f"def test_plan(webtask):\n    webtask.goto('/')\n    webtask.{call}\n"
    with project(tmp_path, plays, test, CLOCK) as inner:
        inner.site.pages |= {
            "/": f'<a href="/plan">Plan of {made}</a><h2>Author</h2><p>Made by Ada on {made}',
            "/plan": f"<title>Plan</title><h1>Plan of {made}</h1>",
        }
        inner.write("today.txt", made)
        inner.passes()
        inner.write("today.txt", LATER)
        run = inner.run(ci="true")
        assert run.outcomes == {"test_plan": "failed"}, run.printed
        assert "if the page is right, record it again" in run.printed
        inner.passes("--webtask-mode=record")
        inner.replays()


SWITCHES = "<title>Settings</title><h1>Settings</h1><ul>" + "".join(
    f"<li><button role=switch aria-checked=true aria-label={name}"
    " onclick=\"this.setAttribute('aria-checked', false)\"></button></li>"
    for name in ("Mail", "News")
)
OFF = """
    "turn both off": [
        act("click", "switch:Mail"), act("click", "switch:News"),
        done({"kind": "count", "all_of": "switch"}),
    ],
    "the settings are as they were opened": [
        holds({"kind": "earlier_step", "step": 1, "text": "/"}, text("heading:Settings", "Settings")),
    ],
    "those that were turned off are set here": [
        holds({"kind": "earlier_step", "step": 2, "text": "2 in all: Mail (off); News (off)"},
              text("heading:Settings", "Settings")),
    ],
"""


def test_opened_pages_and_sets_of_controls_can_be_cited(tmp_path: Path) -> None:
    """A replay opens the address again, and lists what is on or off as the first run does."""
    test = """
def test_off(webtask):
    webtask.goto("/")
    webtask.do("turn both off")
    webtask.verify("the settings are as they were opened")
    webtask.verify("those that were turned off are set here")
"""
    with project(tmp_path, OFF, test) as inner:
        inner.site.pages["/"] = SWITCHES
        inner.passes()
        inner.replays()
