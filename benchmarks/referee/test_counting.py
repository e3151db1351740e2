"""The benchmark of the referee counts right: Claude's SDK rules over real HTTP, with labels at the other end."""

from typing import Any

import pytest

from benchmarks.referee.conclusions import Submitted
from benchmarks.referee.pairs import EARLIER, PAIRS
from benchmarks.referee.rulings import IN_A_ROW, judge
from benchmarks.referee.suite import suite_pairs
from pytest_webtask.errors import ModelError
from pytest_webtask.llm.anthropic import Claude
from pytest_webtask.llm.model_names import load_model
from tests.api import Api, Reply, failure, message, page_of, text, use

Request = dict[str, Any]


@pytest.fixture
def claude() -> Claude:
    """As the benchmark loads it, but that it does not wait for long."""
    model = load_model("claude")
    assert isinstance(model, Claude)
    model.wait_at_most = 1
    return model


@pytest.fixture
def submitted() -> list[Submitted]:
    """Pairs of the example suite, whose facts need no browser."""
    return list(suite_pairs())


def sentence_of(request: Request) -> str:
    """The conclusion in a request."""
    return str(request["messages"][0]["content"][0]["text"])


def asked(submitted: list[Submitted], request: Request) -> Submitted:
    """The pair that a request is about."""
    words = sentence_of(request)
    found = [each for each in submitted if each.conclusion and each.pair.sentence in words]
    return max(found, key=lambda each: len(each.pair.sentence))


def ruled(proves: bool, missing: str = "") -> Reply:
    """A ruling."""
    return message(use("rule", counterexample="", proves=proves, missing=missing))


def test_rulings_by_the_labels_reach_the_goal(
    api: Api, claude: Claude, submitted: list[Submitted]
) -> None:
    """Pairs that code accepts are one request each; one accepted deceiving pair misses the goal."""
    api.referee = lambda request: ruled(True)
    tally = judge(submitted[:2], claude)
    assert len(tally.deceived) == 1 and tally.honest_share == 1 and not tally.reached
    api.rulings.clear()
    api.referee = lambda request: ruled(asked(submitted, request).pair.true)
    tally = judge(submitted, claude)
    assert tally.reached and tally.honest_share == 1, tally.describe()
    sent = [each for each in submitted if each.conclusion]
    assert len(api.rulings) == len(sent) == tally.usage.model_calls
    assert len(tally.ids(true=False, outcome="refused by code")) == len(submitted) - len(sent) > 0
    for request, each in zip(api.rulings, sent, strict=True):
        assert each.pair.sentence in sentence_of(request)
        assert each.conclusion and str(each.conclusion.facts[0]["check"]) in page_of(request)
        assert [tool["name"] for tool in request["tools"]] == ["rule"]
    assert "57 deceiving pairs: 55 refused, 2 refused by code" in tally.describe()


def test_wrong_and_missing_rulings_are_counted(
    api: Api, claude: Claude, submitted: list[Submitted]
) -> None:
    """Accepted deceiving pairs, refused honest pairs and pairs without a ruling are each named."""
    wrong = [each for each in submitted if not each.pair.true and each.conclusion][3]
    refused, silent = [each for each in submitted if each.pair.true][5:7]

    def answer(request: Request) -> Reply:
        pair = asked(submitted, request).pair
        if pair is silent.pair:
            return message(text("It seems so."), stop="end_turn")
        if pair is refused.pair:
            return ruled(False, "which page it is")
        return ruled(pair.true or pair is wrong.pair)

    api.referee = answer
    tally = judge(submitted, claude)
    assert tally.deceived == [wrong.pair.id]
    assert tally.ids(true=True, outcome="refused") == [refused.pair.id]
    assert tally.ids(true=True, outcome="no ruling") == [silent.pair.id]
    assert tally.honest_share == 28 / 30 and not tally.reached
    words = tally.describe()
    assert "30 honest pairs: 28 accepted, 1 no ruling, 1 refused" in words
    assert f"wrong: {refused.pair.id} {refused.pair.sentence!r} refused: which page it is" in words
    assert "no usable answer in 3 tries" in words


def test_repeated_service_errors_end_the_run(
    api: Api, claude: Claude, submitted: list[Submitted]
) -> None:
    """An invalid API key ends the run after a few pairs."""
    api.referee = lambda request: failure(401, "invalid key")
    with pytest.raises(ModelError, match="Set ANTHROPIC_API_KEY to a valid key"):
        judge(submitted, claude)
    assert len(api.rulings) == IN_A_ROW


def test_cited_earlier_steps_have_their_text() -> None:
    """Each cited text occurs in an action, a fact or the value of the step, never in a model's words."""
    cited = [(p, c) for p in PAIRS for c in p.checks if c["kind"] == "earlier_step"]
    for pair, check in cited:
        [step] = [each for each in EARLIER[pair.scene] if each.number == check["step"]]
        assert any(check["text"] in line for line in (*step.calls, *step.facts, step.value)), pair
    assert {pair.true for pair, _ in cited} == {True, False} and len(cited) >= 25
