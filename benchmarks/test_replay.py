"""How a replayed test compares with the same test written by hand, and with a model that costs no time.

Whole processes in turn: the ratios count, not the seconds. Pictures of steps are off, but in one kind.
A suite of five tests is compared, and beside it one test alone, for which the start of a process counts
five times as much.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from shop.server import ShopServer

from benchmarks.side_by_side import Rounds, costs, run
from benchmarks.test_literal import BY_HAND

pytestmark = pytest.mark.timeout(1800)

ROUNDS = 7
TESTS = 5
GOAL, LIMIT = 1.15, 1.25
MESSAGES = 500
"""The most that a replay of the suite sends to the driver; by hand it sends 168."""
PICTURES_GOAL, PICTURES_LIMIT = 1.05, 1.15
"""Times as long with pictures as by hand with Playwright's own trace."""

MODEL = """
from tests.scripted import call, cited, element
from pytest_webtask.types.agent import Decision, ProposedToolCall

STEPS = {
    "log in": [
        ("fill", "textbox", "Username", {"text": "demo"}),
        ("fill", "textbox", "Password", {"text": "mug-life-2026"}),
        ("click", "button", "Log in", {}),
        ("text", "status:Welcome back", "Welcome back, Dana Demo."),
    ],
    "choose two espresso cups": [
        ("click", "link", "All mugs", {}),
        ("click", "link", "Espresso Cup", {}),
        ("fill", "spinbutton", "Quantity", {"text": "2"}),
        ("value", "spinbutton:Quantity", "2"),
    ],
    "put them into the cart": [
        ("click", "button", "Add to cart#Quantity", {}),
        ("text", "status:Added 2", "Added 2 × Espresso Cup to your cart."),
    ],
    "go to the checkout": [
        ("click", "link", "Cart (2 items)", {}),
        ("click", "link", "Go to checkout", {}),
        ("text", "heading:Checkout", "Checkout"),
    ],
    "fill in the address": [
        ("fill", "textbox", "Full name", {"text": "Dana Demo"}),
        ("fill", "textbox", "Email", {"text": "dana@example.com"}),
        ("fill", "textbox", "Street and number", {"text": "Kiln Lane 12"}),
        ("fill", "textbox", "ZIP code", {"text": "10115"}),
        ("fill", "textbox", "City", {"text": "Berlin"}),
        ("select_option", "combobox", "Country", {"options": ["Germany"]}),
        ("check", "radio", "Standard", {}),
        ("fill", "textbox", "Gift note", {"text": "Enjoy"}),
        ("check", "checkbox", "I accept", {}),
        ("value", "textbox:City", "Berlin"),
    ],
    "read whether things are made to order": [
        ("click", "link", "Help", {}),
        ("click", "summary", "Do you make things to order?", {}),
        ("state", "summary:Do you make things", "expanded"),
    ],
}
CLAIMS = {
    "the page says Welcome back, Dana Demo": ("text", "status:Welcome back", "Welcome back, Dana Demo."),
    "the quantity is 2": ("value", "spinbutton:Quantity", "2"),
    "the cart shows 2 items": ("text", "link:Cart (", "2 items"),
    'the city is "Berlin"': ("value", "textbox:City", "Berlin"),
    "the page says Help and contact": ("text", "heading:Help", "Help and contact"),
}


def check(turn, kind, where, what):
    name = {"text": "text", "value": "value", "state": "state"}[kind]
    return {"kind": kind, "element_id": cited(turn, where), name: what}


class Quick:
    def decide(self, turn):
        if turn.role == "referee":
            return Decision([ProposedToolCall("rule", {"counterexample": "none", "proves": True})])
        turn.observation
        if turn.role == "verifier":
            evidence = [check(turn, *CLAIMS[turn.task])]
            given = {"outcome": "holds", "reason": "as shown", "evidence": evidence}
            return Decision([ProposedToolCall("report_verdict", given)])
        steps = STEPS[turn.task]
        done = sum(c.success for i in turn.iterations for c in i.calls)
        tool, role, name, *given = steps[done]
        if tool in ("text", "value", "state"):
            evidence = [check(turn, tool, role, name)]
            return Decision([ProposedToolCall("mark_done", {"summary": "done", "evidence": evidence})])
        name, _, near = name.partition("#")
        if near:
            last = [e.id for e in turn.observation.elements.values() if e.name == name][0]
            return Decision([call(tool, element_id=last, **given[0])])
        return Decision([call(tool, element_id=self.of(turn, role, name), **given[0])])

    def of(self, turn, role, name):
        exact = [e.id for e in turn.observation.elements.values() if (e.role, e.name) == (role, name)]
        return exact[0] if len(exact) == 1 else element(turn, role, name)
"""

REPLAYED = """
def test_twenty_actions(webtask):
    webtask.goto("/login")
    webtask.do("log in")
    webtask.verify("the page says Welcome back, Dana Demo")
    webtask.do("choose two espresso cups")
    webtask.verify("the quantity is 2")
    webtask.do("put them into the cart")
    webtask.verify("the cart shows 2 items")
    webtask.do("go to the checkout")
    webtask.do("fill in the address")
    webtask.verify('the city is "Berlin"')
    webtask.do("read whether things are made to order")
    webtask.verify("the page says Help and contact")
"""

EXPECTS = [
    (
        'name="All mugs"',
        'expect(page.get_by_role("status")).to_have_text("Welcome back, Dana Demo.")',
    ),
    ('page.locator("form"', 'expect(page.get_by_label("Quantity")).to_have_value("2")'),
    (
        'name="Cart (2 items)"',
        'expect(page.get_by_role("link", name="Cart")).to_contain_text("2 items")',
    ),
    ('name="Help"', 'expect(page.get_by_label("City")).to_have_value("Berlin")'),
]


def by_hand() -> str:
    """The test that is written by hand, with the same five verifications."""
    lines = ["from playwright.sync_api import expect"]
    for line in BY_HAND.splitlines():
        lines += [f"    {expects}" for before, expects in EXPECTS if before in line]
        lines.append(line)
    lines.append(
        '    expect(page.get_by_role("heading", level=1)).to_have_text("Help and contact")'
    )
    return "\n".join(lines) + "\n"


def typed(test: str) -> str:
    """The same test pressing the keys of each text, as a user does and a replay, too."""
    lines = []
    for line in test.splitlines():
        if "Quantity" in line and ".fill(" in line:
            lines.append(re.sub(r"\.fill\(.*\)", ".clear()", line))
        lines.append(line.replace(".fill(", ".press_sequentially("))
    return "\n".join(lines) + "\n"


@pytest.fixture
def shops(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[ShopServer]]:
    """A shop for each test, so that none finds what another left."""
    servers = [ShopServer(tmp_path_factory.mktemp("shop")) for _ in range(TESTS)]
    yield servers
    for each in servers:
        each.stop()


def test_replayed_suite_is_close_to_one_written_by_hand(
    tmp_path: Path, shops: list[ShopServer]
) -> None:
    """Five times 21 actions and five verifications take at most 1.25 times as long as typed by hand."""

    def write(name: str, test: str) -> None:
        """Write a module with the test once for each shop."""
        each = (
            test.replace("test_twenty_actions", f"test_{n}").replace('"/login"', f'"{s.url}/login"')
            for n, s in enumerate(shops)
        )
        (tmp_path / name).write_text("".join(each))

    (tmp_path / "quick.py").write_text(MODEL)
    write("test_replayed.py", REPLAYED)
    write("test_by_hand.py", by_hand())
    write("test_typed.py", typed(by_hand()))
    (tmp_path / "pytest.ini").write_text("[pytest]\npythonpath = .\n")
    plain = "--webtask-screenshots=off"
    replay = "--webtask-mode=replay"
    live = ("--webtask-model=quick:Quick", "--webtask-mode=live")

    def seconds(*arguments: str) -> float:
        for each in shops:
            each.reset()
        return run(tmp_path, *arguments)[0]

    # A second run would find the cart as the first one left it.
    record = ("--webtask-model=quick:Quick", "--webtask-mode=record", "--webtask-confirm=off")
    seconds("test_replayed.py", plain, *record)
    assert len(list(tmp_path.glob("recordings/*/*.json"))) == TESTS
    rounds = Rounds.of(
        ROUNDS,
        {
            "by hand": lambda: seconds("test_by_hand.py"),
            "typed": lambda: seconds("test_typed.py"),
            "replayed": lambda: seconds("test_replayed.py", plain, replay),
            "with pictures": lambda: seconds("test_replayed.py", replay),
            "traced": lambda: seconds("test_typed.py", "--tracing=on"),
            "one typed": lambda: seconds("test_typed.py::test_0"),
            "one replayed": lambda: seconds("test_replayed.py::test_0", plain, replay),
            "one live": lambda: seconds("test_replayed.py::test_0", plain, *live),
        },
    )
    for kind, given in (
        ("typed", ["test_typed.py"]),
        ("replayed", ["test_replayed.py", plain, replay]),
    ):
        for each in shops:
            each.reset()
        _, printed = run(tmp_path, *given, "-p", "benchmarks.counted", "-s")
        print(f"\n{kind}: {costs(printed)}")
    messages = int(re.findall(r"messages: (\d+)", printed)[-1])
    assert messages <= MESSAGES, f"a replay sends {messages} messages, and not {MESSAGES}"
    ratio = rounds.ratio("replayed", "typed")
    pictures = rounds.ratio("with pictures", "traced")
    print(
        f"\n{rounds}: replayed {ratio} times typed by hand (goal {GOAL}),"
        f" {rounds.ratio('replayed', 'by hand')} times by hand; with pictures"
        f" {rounds.ratio('with pictures', 'replayed')} times without,"
        f" {rounds.ratio('with pictures', 'typed')} times typed by hand, and"
        f" {pictures} times typed with --tracing=on (goal {PICTURES_GOAL}); one test alone"
        f" {rounds.ratio('one replayed', 'one typed')}, and with a model that answers in no time"
        f" {rounds.ratio('one live', 'one typed')} times typed by hand"
    )
    assert ratio.median <= LIMIT, f"a replayed test takes {ratio} times as long, and not {LIMIT}"
    assert pictures.median <= PICTURES_LIMIT, f"pictures take {pictures} times as long as a trace"
