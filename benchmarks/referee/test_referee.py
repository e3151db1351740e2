"""The referee alone: what it is shown of each pair, and how a model rules on them.

Without a model this measures what code refuses by itself and how many tokens a ruling's facts
take, and writes the requests to `.webtask/referee/` for whoever judges them by hand.
`WEBTASK_REFEREE=claude pytest benchmarks/referee -s` has a model rule on every pair.

No real model has ruled on them yet. `test_counting.py` has Claude's client do so
against a server of the tests.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from pathlib import Path
from statistics import median

import pytest
from playwright.sync_api import Page

from benchmarks.referee.conclusions import Submitted, capture, submit
from benchmarks.referee.pairs import ADDRESSES
from benchmarks.referee.rulings import judge
from benchmarks.referee.suite import CONCLUSIONS, OTHERS, record, suite_pairs
from benchmarks.referee.test_pairs import OF_A_SCENE, scenes  # noqa: F401 - a fixture
from pytest_webtask.llm.model_names import load_model
from pytest_webtask.llm.prompts import render
from pytest_webtask.run.webtask import Webtask
from tests.site import Site

FOLDER = Path(".webtask/referee")
SUBMITTED: list[Submitted] = []


@pytest.fixture
def webtask_model() -> str:
    """No model looks at these pages."""
    return "literal"


@pytest.mark.parametrize("name", ADDRESSES)
def test_pairs_of_a_scene_are_submitted(
    name: str,
    scenes: Site,  # noqa: F811 - the fixture
    page: Page,
    webtask: Webtask,
) -> None:
    """Code runs the checks of each pair and builds its conclusion."""
    page.goto(scenes.url + ADDRESSES[name])
    submissions = [submit(pair, page, webtask) for pair in OF_A_SCENE[name]]
    SUBMITTED.extend(submissions)
    refused = [
        f"{each.pair.id}: {each.refused}" for each in submissions if each.refused and each.pair.true
    ]
    for line in refused:
        print("refused by code:", line)


def test_pairs_of_the_example_suite_are_submitted() -> None:
    """Each recorded step gives its own conclusion and others on the same facts, 60 at least."""
    submissions = list(suite_pairs())
    SUBMITTED.extend(submissions)
    own = {each.pair.sentence for each in submissions if each.pair.true and not each.pair.trick}
    assert own == set(OTHERS) and len(submissions) >= 60
    assert not [each.refused for each in submissions if each.refused and each.pair.true]


def test_facts_of_the_example_suite_are_current(tmp_path: Path) -> None:
    """Facts recorded anew on the shop equal those of `suite.json`."""
    record(tmp_path / "suite.json")
    assert json.loads((tmp_path / "suite.json").read_text()) == json.loads(CONCLUSIONS.read_text())


def test_refusals_by_code_and_tokens_of_rulings() -> None:
    """Print the share of pairs that code refuses, and the tokens of a ruling's facts."""
    if not SUBMITTED:
        pytest.skip("no scene was submitted in this process")
    refused = Counter((each.pair.true, bool(each.refused)) for each in SUBMITTED)
    unruled = "" if os.environ.get("WEBTASK_REFEREE") else "; no real model has ruled on them yet"
    print(f"\n{len(SUBMITTED)} pairs{unruled}")
    print(f"code refuses {refused[True, True]} honest and {refused[False, True]} deceiving pairs")
    FOLDER.mkdir(parents=True, exist_ok=True)
    sizes = []
    with (FOLDER / "requests.jsonl").open("w") as file:
        for each in SUBMITTED:
            if each.conclusion is None:
                continue
            prompt = render(capture(each.conclusion))
            sizes.append(len(prompt.page) // 4)
            request = {
                "id": each.pair.id,
                "system": prompt.system,
                "task": prompt.task,
                "facts": prompt.page,
            }
            file.write(json.dumps(request, ensure_ascii=False) + "\n")
    print(f"tokens of the facts of a ruling: median {median(sizes):.0f}, at most {max(sizes)}")
    assert median(sizes) <= 1_000
    assert max(sizes) <= 2_500


@pytest.mark.skipif(not os.environ.get("WEBTASK_REFEREE"), reason="no model was named")
def test_model_rules_on_all_pairs() -> None:
    """No deceiving pair and at least 98% of the honest ones are accepted; refusals by code count as none."""
    assert SUBMITTED, "run the whole folder in one process: the scenes are submitted first"
    name = os.environ["WEBTASK_REFEREE"]
    tally = judge(SUBMITTED, load_model(name))
    print(f"\n{name}:\n{tally.describe()}")
    FOLDER.mkdir(parents=True, exist_ok=True)
    with (FOLDER / "rulings.jsonl").open("w") as file:
        for each in tally.judged:
            line = {"id": each.pair.id, "true": each.pair.true, "outcome": each.outcome}
            file.write(json.dumps({**line, "why": each.why}, ensure_ascii=False) + "\n")
    assert tally.reached
