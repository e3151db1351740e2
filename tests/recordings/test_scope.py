"""Recordings of sentences that are limited to a part of the page."""

from collections.abc import Iterator

import pytest

from tests.inner import Project, Run, project

PAGE = """<section aria-label=Wishlist><p role=status>{wished}</p><button>Remove</button></section>
<section aria-label="{cart}"><p role=note>{shown}</p><button onclick="this.remove()">Remove</button></section>
<h2>Delivery</h2><p role=alert>Tomorrow</p><h2>Payment</h2><p role=alert>Today</p>
<iframe title=Card srcdoc="<p role=status>Visa</p>"></iframe>"""
PLAYS = """
'in "Cart": take it out': [act("click", "button:Remove#1"), done(text("note:", "2 pieces"))],
'in "Cart": two pieces are left': [holds(text("note:", "2 pieces"))],
'in the "Card" frame: a Visa is kept': [holds(text("status:Visa", "Visa"))],
'in "delivery": it comes tomorrow': [holds(text("alert:Tomorrow", "Tomorrow"))],
'in "Wishlist": two pieces are left': [holds(text("status:2 wishes", "2 wishes"))],
"""
TESTS = """
def test_cart(webtask):
    webtask.goto("/")
    with webtask.within("Cart"):
        webtask.do("take it out")
        webtask.verify("two pieces are left")
    with webtask.within("Wishlist"):
        webtask.verify("two pieces are left")

def test_frame_and_heading(webtask):
    webtask.goto("/")
    with webtask.within('the "Card" frame'):
        webtask.verify("a Visa is kept")
    with webtask.within("delivery"):
        webtask.verify("it comes tomorrow")

def test_nested(webtask):
    webtask.goto("/")
    with webtask.within("Wishlist"), webtask.within("Cart"):
        webtask.verify("two pieces are left")
"""


def show(inner: Project, *, cart: str = "Cart", shown: str = "2 pieces") -> None:
    """Show a cart and a wishlist."""
    inner.site.pages["/"] = PAGE.format(cart=cart, shown=shown, wished="2 wishes")


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Project, Run]]:
    """A project that was recorded, and the run that did it."""
    with project(tmp_path_factory.mktemp("scope"), PLAYS, TESTS) as inner:
        show(inner)
        yield inner, inner.run()


def test_recorded_sentence_holds_its_part(recorded: tuple[Project, Run]) -> None:
    """The model is asked for the sentence with its part, by which it is recorded."""
    inner, run = recorded
    assert run.outcomes == {
        "test_cart": "passed",
        "test_frame_and_heading": "passed",
        "test_nested": "failed",
    }, run.printed
    sentences = [step["sentence"] for step in inner.steps("test_cart")]
    assert sentences == [
        'in "Cart": take it out',
        'in "Cart": two pieces are left',
        'in "Wishlist": two pieces are left',
    ]
    assert {*sentences} <= {*run.tasks}
    assert run.ruled[1]["sentence"] == 'in "Cart": two pieces are left'


def test_missing_part_fails_before_a_model_is_asked(recorded: tuple[Project, Run]) -> None:
    """The wishlist has no cart in it."""
    case = recorded[1].tests["test_nested"]
    assert case.outcome == "failed"
    assert 'there is no "Cart" in "Wishlist" (waited 1.5 s)' in case.message
    assert case.properties["webtask_cause"] == "page-changed"


def test_recording_is_replayed_where_the_part_is(recorded: tuple[Project, Run]) -> None:
    """A replay needs no model, sees what the part shows now, and finds nothing outside of it."""
    inner, _ = recorded
    show(inner)
    inner.replays("-k", "cart or frame")
    elsewhere = (
        "<section aria-label=Wishlist><p role=note>2 pieces</p></section>"
        "<section aria-label=Cart><button onclick='this.remove()'>Remove</button></section>"
    )
    for page, message in (
        ({"shown": "3 pieces"}, "3 pieces"),
        # The recorded elements are still there, but not in a part of that name.
        ({"cart": "Basket"}, 'there is no "Cart" on this page'),
        (None, "was not found: "),
    ):
        if page:
            show(inner, **page)
        else:
            inner.site.pages["/"] = elsewhere
        case = inner.run("-k", "cart", ci="true").tests["test_cart"]
        assert case.outcome == "failed" and message in case.message, case.message
