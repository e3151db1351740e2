"""The example suite's recorded steps as pairs: their own conclusions, and others on the same facts.

`python -m tests.benchmarks.referee.suite` replays the suite on the real shop, with its approvals taken
out so that a referee is asked, and writes what it is asked to `suite.json`.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from pytest_webtask.checks.base import CheckResult, Fact
from pytest_webtask.checks.floor import uncited
from pytest_webtask.checks.page import Title
from pytest_webtask.types.agent import Conclusion, Decision, ProposedToolCall, Turn
from pytest_webtask.types.model import ModelTraits
from tests.benchmarks.referee.conclusions import Submitted
from tests.benchmarks.referee.pairs import Pair

__all__ = ["CONCLUSIONS", "OTHERS", "listener", "record", "suite_pairs"]

ROOT = Path(__file__).parents[3]
CONCLUSIONS = Path(__file__).with_name("suite.json")
_KEPT_IN = "WEBTASK_CONCLUSIONS"
"""The environment variable with the file to which conclusions are appended."""


@dataclass(frozen=True)
class Other:
    """Another sentence on the facts of a recorded step, and whether they prove it."""

    sentence: str
    true: bool
    trick: str


def lie(sentence: str, trick: str) -> Other:
    """A sentence that the facts do not prove."""
    return Other(sentence, False, trick)


def same(sentence: str) -> Other:
    """The recorded sentence in other words."""
    return Other(sentence, True, "synonym")


OTHERS: dict[str, list[Other]] = {
    "log in as the demo customer {user} with {password}": [
        lie("log in as the administrator {user} with {password}", "another role"),
        lie("log in as the demo customer {user} and change the password {password}", "a part is undone"),
        lie("log out the demo customer {user}, who logs in with {password}", "the contrary"),
        same("sign in with the user name {user} and the password {password}"),
    ],
    "the page says Welcome back, Dana Demo": [
        lie("the page says Welcome back, Ada Admin", "another name"),
        lie("the page says that Dana Demo has been logged out", "the contrary"),
        lie("a dialog says Welcome back, Dana Demo", "another place"),
        lie("the page does not greet Dana Demo", "negation"),
        same("a message welcomes Dana Demo back"),
    ],
    "put two espresso cups into the cart": [
        lie("put three espresso cups into the cart", "another number"),
        lie("put two striped mugs into the cart", "another product"),
        lie("put two espresso cups and a striped mug into the cart", "a part is undone"),
        lie("put two espresso cups into the cart and order them", "a part is undone"),
        lie("put two espresso cups on the wish list", "another place"),
        same("add 2 Espresso Cups to the basket"),
    ],
    "cart shows 2 items": [
        lie("cart shows 3 items", "another number"),
        lie("cart shows no items", "negation"),
        lie("the wish list shows 2 items", "another place"),
        lie("cart shows 2 striped mugs", "more than is shown"),
        same("the navigation says that two items are in the cart"),
    ],
    "sort the products by price, lowest first": [
        lie("sort the products by price, highest first", "the contrary"),
        lie("sort the products by name, A to Z", "another order"),
        lie("show the mugs only, and sort them by price, lowest first", "a part is undone"),
        lie("sort the orders by price, lowest first", "another place"),
        same("order the products from the cheapest to the most expensive one"),
    ],
    "the name of the first product of the list": [
        lie("the name of the last product of the list", "another position"),
        lie("the price of the first product of the list", "another column"),
        lie("the names of the first two products of the list", "an incomplete set"),
        lie("the name of the first product in the cart", "another place"),
        same("Which product comes first in the list?"),
    ],
    "put {cheapest} into the cart and open the cart": [
        lie("put two {cheapest} into the cart and open the cart", "another number"),
        lie("put {cheapest} into the cart and open the checkout", "another place"),
        lie("put {cheapest} into the cart, open the cart and empty it", "a part is undone"),
    ],
    "{cheapest} is in the cart": [
        lie("{cheapest} is not in the cart", "negation"),
        lie("{cheapest} was removed from the cart", "the contrary"),
        lie("{cheapest} is in the last order", "another place"),
        lie("{cheapest} is in the cart twice", "another number"),
        same("the cart contains {cheapest}"),
    ],
    "put one {product} into the cart and open the cart": [
        lie("put three {product} into the cart and open the cart", "another number"),
        lie("put one {product} into the cart, open the cart and pay", "a part is undone"),
        lie("take the {product} out of the cart and open the cart", "the contrary"),
        same("add a single {product} to the cart, then go to the cart"),
    ],
    "{product} is in the cart": [
        lie("{product} is sold out", "another state"),
        lie("{product} is no longer in the cart", "negation"),
        lie("five {product} are in the cart", "another number"),
    ],
    "the total of the cart": [
        lie("the discount on the cart", "another label"),
        lie("the total of the last order", "another place"),
        lie("the number of items in the cart", "another quantity"),
        same("How much is to be paid for what is in the cart?"),
    ],
    "put a striped mug into the cart and open the cart": [
        lie("put two striped mugs into the cart and open the cart", "another number"),
        lie("put a plain plate into the cart and open the cart", "another product"),
        lie("put a striped mug into the cart and go to the checkout", "another place"),
        same("open the cart once a Striped Mug is in it"),
    ],
    "a coupon is applied": [
        lie("no coupon is applied", "negation"),
        lie("the coupon field is empty", "negation"),
        lie("the total is shown", "something else is true"),
        same("a discount for a coupon is deducted"),
    ],
    "apply the coupon {coupon}": [
        lie("remove the coupon {coupon}", "the contrary"),
        lie("apply the coupon {coupon} and place the order", "a part is undone"),
        lie("apply the coupon {coupon} and a gift card", "a part is undone"),
        same("redeem the coupon code {coupon}"),
    ],
    "the total is $14.85": [
        lie("the total is $16.50", "another number"),
        lie("the total is €14.85", "another unit"),
        lie("the total is not $14.85", "negation"),
        lie("the subtotal is $14.85", "another label"),
        lie("the total of the last order is $14.85", "another place"),
        same("14.85 dollars are to be paid in total"),
    ],
    "the button that removes the coupon": [
        lie("the button that applies the coupon", "the contrary"),
        lie("the button that removes the striped mug", "another row"),
        lie("the button that empties the cart", "another button"),
        same("the control with which the coupon is taken off"),
    ],
}  # fmt: skip
"""By the sentences of the recordings."""


def suite_pairs() -> Iterator[Submitted]:
    """Return the recorded conclusions and the other ones, as they are on their way to a referee."""
    number = 0
    for recorded in json.loads(CONCLUSIONS.read_text(encoding="utf-8")):
        own = Conclusion.model_validate(recorded)
        for each in (Other(own.sentence, True, ""), *OTHERS[own.sentence]):
            number += 1
            conclusion = own.model_copy(update={"sentence": each.sentence})
            pair = Pair(
                own.kind,  # type: ignore[arg-type]
                each.sentence,
                [],
                each.true,
                each.trick,
                own.outcome or "holds",  # type: ignore[arg-type]
                own.value,
                actions=list(own.actions),
                id=f"suite-{number:02}",
                scene="suite",
            )
            refused = "; ".join(_uncited(conclusion)) if own.outcome == "holds" else ""
            yield Submitted(pair, refused, None if refused else conclusion)


def _uncited(conclusion: Conclusion) -> list[str]:
    """Return what code has against a claim on these facts, all of whose checks held."""
    known = Fact.model_fields
    results = [
        CheckResult(
            check=Title(text="any"),
            about="",
            expected=fact.get("expected", ""),
            values=(fact.get("expected", ""),),
            fact=Fact.model_validate({k: v for k, v in fact.items() if k in known}),
        )
        for fact in conclusion.facts
    ]
    return uncited(conclusion.sentence, results, {})


# Recording


class _Listener:
    """Approves whatever it is asked, and keeps it."""

    traits = ModelTraits(looks_at_page=False)

    def decide(self, turn: Turn) -> Decision:
        assert turn.conclusion is not None, f"nothing but the recording decides: {turn.task}"
        asked = turn.conclusion.model_dump(mode="json", exclude_defaults=True)
        with Path(os.environ[_KEPT_IN]).open("a", encoding="utf-8") as file:
            file.write(json.dumps(asked, ensure_ascii=False) + "\n")
        answer = {"counterexample": "", "proves": True, "missing": ""}
        return Decision([ProposedToolCall("rule", answer)])


def listener() -> _Listener:
    """Return the model of the run that records."""
    return _Listener()


def record(into: Path = CONCLUSIONS) -> None:
    """Replay the example suite without its approvals, and write each conclusion once."""
    with TemporaryDirectory() as folder:
        kept = Path(folder, "kept.jsonl")
        suite = Path(folder, "suite")
        shutil.copytree(ROOT / "example_suite", suite)
        for file in suite.glob("recordings/*/*.json"):
            recording = json.loads(file.read_text(encoding="utf-8"))
            for step in recording["steps"]:
                step.pop("approved", None)
            file.write_text(json.dumps(recording), encoding="utf-8")
        Path(folder, "pytest.ini").write_text("[pytest]\npythonpath = suite\n")
        model = "--webtask-model=tests.benchmarks.referee.suite:listener"
        command = [sys.executable, "-m", "pytest", "suite/test_in_english.py", "--webtask-mode=auto", model]  # fmt: skip
        path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
        env = {k: v for k, v in os.environ.items() if k != "CI"}
        env |= {_KEPT_IN: str(kept), "PYTHONPATH": path, "PYTEST_PLUGINS": "scripts.system_browser"}
        subprocess.run(command, cwd=folder, env=env, check=True)
        conclusions: dict[str, Any] = {}
        for line in kept.read_text(encoding="utf-8").splitlines():
            # The port is another one in each run.
            one = json.loads(re.sub(r"127\.0\.0\.1:\d+", "127.0.0.1", line))
            conclusions.setdefault(one["sentence"], one)
    into.write_text(json.dumps(list(conclusions.values()), indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    record()
