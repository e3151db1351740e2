"""The shop after a redesign: recorded steps drift, and a model is asked about these alone.

One step of each kind drifts: a first call, a later one, one in a second step, a text that a claim is
about, and a field whose label has changed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from benchmarks.drift.editing import page, sub, swap
from benchmarks.drift.shop import Change, DriftingShop
from pytest_webtask.journal import HealProposed, ModelNeeded
from tests.recordings.inner import Project, Run, project

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

REDESIGN = Change(
    "redesign",
    "harmless",
    page(
        sub(
            r"(</div>\s*)<button>Add to cart</button>",
            r'\1<button class="big">Put into basket</button>',
        ),
        swap('<button class="wide">Log in</button>', '<button class="wide">Sign in</button>'),
        swap(">Apply coupon<", ">Use this code<"),
        sub(r'(for="q">)Search products<', r"\1Find<"),
        sub(
            r'<div class="sum"><dt>Total</dt><dd>([^<]*)</dd></div>\s*</dl>',
            r'</dl><p class="sum">To pay: \1</p>',
        ),
    ),
)
DRIFTED = {
    "test_buy": "put it into the cart",
    "test_log_in": "log in with the right password",
    "test_coupon": "redeem the coupon WELCOME10",
    "test_total": "the total is $16.50",
    "test_search": "search for {word}",
}
"""The step of each test that drifts."""

TESTS = """
import pytest

def test_home(webtask):
    webtask.goto("/")
    webtask.verify("the page greets with its motto")

@pytest.mark.parametrize(("product", "price"), [("Cat Bowl", "$12.50"), ("Salad Bowl", "$34.00")])
def test_price(webtask, product, price):
    webtask.goto("/products?category=Bowls")
    webtask.verify("the {product} costs {price}", data={"product": product, "price": price})

def test_buy(webtask):
    webtask.goto("/products/2")
    webtask.verify("the product is the Striped Mug")
    webtask.do("put it into the cart")
    webtask.verify("the cart has an item")

def test_log_in(webtask):
    webtask.goto("/login")
    webtask.do("log in with the right password", data={"password": "mug-life-2026"})

def test_coupon(webtask):
    webtask.goto("/products")
    webtask.do("put one striped mug into the cart")
    webtask.goto("/cart")
    webtask.do("redeem the coupon WELCOME10")
    webtask.verify("the cart has an item")

def test_total(webtask):
    webtask.goto("/products")
    webtask.do("put one striped mug into the cart")
    webtask.goto("/cart")
    webtask.verify("the total is $16.50")

def test_search(webtask):
    webtask.goto("/")
    webtask.do("search for {word}", data={"word": "ramen"})
"""
PLAYS = """
from tests.recordings.inner import ProposedToolCall, Player, act, done, holds, text
from pytest_webtask import Usage
from dataclasses import replace

NEW = {new}

def buy(turn):
    name = "Put into basket" if NEW else "Add to cart"
    buttons = (e for e in turn.observation.elements.values() if e.role == "button")
    return ProposedToolCall("click", {{"element_id": next(e.id for e in buttons if e.name == name)}})

def card(product):
    return act("click", f"button:Add to cart@{{product}}")

def found():
    checks = [text("heading:Results for", "Results for")]
    return done(*checks) if NEW else done(*checks, text("status:product", "1 product"))

def total(amount):
    def play(turn):
        role, name = ("text", f"To pay: {{amount}}") if NEW else ("definition", amount)
        outline = turn.observation.outline
        seen = {{**turn.observation.elements, **turn.observation.texts}}.values()
        ids = [e.id for e in seen if e.role == role and e.name == name]
        last = max(ids, key=lambda each: outline.index(f"<{{each}}>"))
        check = {{"kind": "text", "element_id": last, "text": amount}}
        return ProposedToolCall("report_verdict", {{"outcome": "holds", "evidence": [check]}}, "read")
    return play

LOG_IN = [
    act("fill", "textbox:Username", text="demo"),
    act("fill", "textbox:Password", text="{{password}}"),
    act("click", "button:Sign in" if NEW else "button:Log in"),
]
COUPON = [
    act("fill", "textbox:Coupon code", text="WELCOME10"),
    act("click", "button:Use this code" if NEW else "button:Apply coupon"),
]
PLAYS = {{
    "the page greets with its motto": [holds(text("heading:Tableware", "Tableware with fingerprints"))],
    "the {{product}} costs {{price}}": [
        lambda turn: holds(text(f"text:{{turn.data['price']}}", "{{price}}"))(turn)
    ],
    "put one striped mug into the cart": [
        card("Striped Mug"), done(text("link:Cart", "Cart (1 item)"))
    ],
    "the product is the Striped Mug": [
        holds({{**text("heading:Striped Mug", "Striped Mug"), "exact": True}})
    ],
    "put it into the cart": [buy, done(text("link:Cart", "Cart (1 item)"))],
    "the cart has an item": [holds(text("link:Cart", "Cart (1 item)"))],
    "log in with the right password": [
        LOG_IN, done(text("status:Welcome back", "Welcome back, Dana Demo."))
    ],
    "redeem the coupon WELCOME10": [COUPON, done(text("status:Coupon", "Coupon WELCOME10 applied"))],
    "the total is $16.50": [total("$16.50")],
    "search for {{word}}": [
        [act("fill", "searchbox:", text="{{word}}"), act("press", "searchbox:", key="Enter")], found()
    ],
}}
class PaidPlayer(Player):
    def decide(self, turn):
        usage = Usage(model_calls=1, input_tokens=1900, output_tokens=100)
        return replace(super().decide(turn), usage=usage)
"""
CONFTEST = """
import urllib.request
from plays import PaidPlayer

@pytest.fixture
def webtask_model():
    return PaidPlayer(PLAYS)

@pytest.fixture(autouse=True)
def _fresh_shop(base_url):
    urllib.request.urlopen(f"{base_url}/-/reset", data=b"").close()
"""


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DriftingShop]:
    """The shop, which is redesigned later."""
    shop = DriftingShop(tmp_path_factory.mktemp("shop"))
    yield shop
    shop.stop()


@pytest.fixture(scope="module")
def inner(tmp_path_factory: pytest.TempPathFactory, shop: DriftingShop) -> Iterator[Project]:
    """The tests, recorded before the redesign, which takes place after it."""
    with project(tmp_path_factory.mktemp("redesign"), "", TESTS, CONFTEST) as inner:
        inner.write("pytest.ini", "[pytest]\nwebtask_screenshots = off\n")
        inner.write("plays.py", PLAYS.format(new=False))
        inner.passes(f"--base-url={shop.url}")
        inner.write("plays.py", PLAYS.format(new=True))
        shop.make(REDESIGN)
        yield inner


@dataclass(frozen=True)
class Rounds:
    """The runs after the redesign: a replay, one with a model, and a replay of what was accepted."""

    ci: Run
    auto: Run
    after: Run


@pytest.fixture(scope="module")
def rounds(inner: Project, shop: DriftingShop) -> Rounds:
    """What a user does after the redesign."""
    url = f"--base-url={shop.url}"
    ci = inner.run(url, ci="true")
    auto = inner.run(url)
    assert auto.folder is not None
    inner.accept(auto.folder.name)
    return Rounds(ci, auto, inner.run(url, ci="true"))


def _steps(events: Iterable[ModelNeeded]) -> set[tuple[str, str]]:
    return {(Path(event.file).stem, event.key.sentence) for event in events}


def test_redesigned_steps_drift(rounds: Rounds) -> None:
    """The replay fails in the tests of what was redesigned, and counts the steps that need a model."""
    failed = {name for name, outcome in rounds.ci.outcomes.items() if outcome != "passed"}
    assert failed == {name.partition("[")[0] for name in failed} == set(DRIFTED)
    assert _steps(rounds.ci.events(ModelNeeded)) == set(DRIFTED.items())
    proposed = {Path(event.file).stem for event in rounds.ci.events(HealProposed)}
    number = len(DRIFTED) - len(proposed)
    assert f"would ask a model: {number} steps ({number} drifted)" in rounds.ci.printed


def test_model_is_asked_only_about_what_drifted(rounds: Rounds) -> None:
    """All other steps of their tests replay, and nothing is recorded that nobody accepted."""
    proposed = {Path(event.file).stem for event in rounds.ci.events(HealProposed)}
    asked = {sentence for test, sentence in DRIFTED.items() if test not in proposed}
    assert set(rounds.auto.tasks) == asked
    assert set(rounds.auto.outcomes.values()) == {"passed"}
    assert not rounds.auto.changed and "would ask a model" not in rounds.auto.printed


def test_replay_is_green_afterwards(rounds: Rounds) -> None:
    """In CI all tests replay what was accepted, and no model is asked."""
    assert set(rounds.after.outcomes.values()) == {"passed"}
    assert not rounds.after.asked and not rounds.after.changed
