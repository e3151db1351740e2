"""What a claim costs with its referee, in tokens, against the claim alone.

Nothing is sent. Text is counted as a token for every four characters, pictures as the Messages API
counts them.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from statistics import median
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import Page
from shop.server import ShopServer

from pytest_webtask.llm.anthropic import Claude
from pytest_webtask.llm.prompts import render
from pytest_webtask.run.webtask import Webtask
from pytest_webtask.types.agent import Decision, ProposedToolCall, Turn
from tests.scripted import cited, rule

PIXELS_PER_TOKEN = 750
AT_MOST = 1.4
CLAIMS: list[tuple[str, str, list[dict[str, Any]]]] = [
    (
        "/products",
        "the Speckled Mug costs 18 dollars",
        [{"kind": "text", "element_id": "text:$18.00", "text": "$18.00"}],
    ),
    (
        "/cart",
        "the page is the cart",
        [{"kind": "text", "element_id": "heading:cart", "text": "cart"}],
    ),
    (
        "/login",
        "the username field is empty",
        [{"kind": "value", "element_id": "textbox:Username", "value": ""}],
    ),
]


@dataclass
class Counting:
    """Reports what it is given, and counts what Claude would have been sent."""

    checks: list[dict[str, Any]] = field(default_factory=list)
    tokens: dict[str, int] = field(default_factory=dict)

    def decide(self, turn: Turn) -> Decision:
        """Count the request, and answer it."""
        request = Claude().request(turn)
        prompt = render(turn)
        words = json.dumps([request["system"], request["tools"]], ensure_ascii=False)
        size = (len(words) + len(prompt.task) + len(prompt.page)) // 4
        if prompt.screenshot:
            with Image.open(prompt.screenshot) as image:
                size += int(image.width * image.height / PIXELS_PER_TOKEN)
        self.tokens[turn.role] = size
        if turn.conclusion is not None:
            return Decision([rule(proves=True)])
        evidence = [{**c, "element_id": cited(turn, c["element_id"])} for c in self.checks]
        given = {"outcome": "holds", "evidence": evidence}
        return Decision([ProposedToolCall("report_verdict", given, "as shown")])


@pytest.fixture(scope="session")
def base_url(shop: ShopServer) -> str:
    """Addresses lead to the shop."""
    shop.reset()
    return shop.url


@pytest.fixture
def webtask_model() -> Counting:
    """Counts."""
    return Counting()


@pytest.mark.webtask(literal="off", screenshots="on")
def test_ruling_adds_little_to_a_claim(
    webtask: Webtask, webtask_model: Counting, page: Page
) -> None:
    """The referee's request adds at most two fifths to the verifier's."""
    print("\n\n| claim | verifier | referee | ratio |\n| --- | --- | --- | --- |")
    ratios = []
    for path, claim, checks in CLAIMS:
        webtask.goto(path)
        webtask_model.checks = checks
        webtask.verify(claim)
        tokens = webtask_model.tokens
        ratios.append((tokens["verifier"] + tokens["referee"]) / tokens["verifier"])
        print(f"| {claim} | {tokens['verifier']} | {tokens['referee']} | {ratios[-1]:.2f} |")
    assert median(ratios) <= AT_MOST
