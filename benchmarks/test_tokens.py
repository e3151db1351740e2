"""What the turns of a task cost: the tokens of each request of a task of 20 iterations.

Nothing is sent. Text is counted as a token for every four characters, pictures as the Messages API
counts them.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from PIL import Image
from shop.server import ShopServer

from pytest_webtask import Secret
from pytest_webtask.llm.anthropic import Claude
from pytest_webtask.llm.prompts import render
from pytest_webtask.run.webtask import Webtask
from pytest_webtask.types.agent import Decision, ProposedToolCall, Turn
from tests.scripted import call, cited, element, rule

REST_AT_MOST = 4_000
PIXELS_PER_TOKEN = 750
TASK = (
    "log in as {user} with {password}, buy two espresso cups as a gift, pay on delivery, and look"
    " up in the help whether things are made to order"
)


@dataclass
class Counting:
    """Knows its way through the shop, and counts what Claude would have been sent at each turn."""

    way: list[Callable[[Turn], list[ProposedToolCall]]]
    rows: list[tuple[str, int, int, int, int, int]] = field(default_factory=list)

    def decide(self, turn: Turn) -> Decision:
        """Go the next step of the way."""
        if turn.conclusion is not None:
            return Decision([rule(proves=True)])
        request = Claude().request(turn)
        prompt = render(turn)
        fixed = json.dumps([request["system"], request["tools"]], ensure_ascii=False)
        picture = 0
        if prompt.screenshot:
            with Image.open(prompt.screenshot) as image:
                picture = int(image.width * image.height / PIXELS_PER_TOKEN)
        page = turn.observation
        self.rows.append(
            (
                page.url.partition("//")[2].partition("/")[2],
                len(fixed) // 4,
                len(prompt.task) // 4,
                (len(prompt.page) - len(page.outline)) // 4,
                len(page.outline) // 4,
                picture,
            )
        )
        return Decision(self.way[len(self.rows) - 1](turn))


def _act(
    tool: str, role: str, name: str, **more: object
) -> Callable[[Turn], list[ProposedToolCall]]:
    def step(turn: Turn) -> list[ProposedToolCall]:
        found = [
            e.id for e in turn.observation.elements.values() if e.role == role and name in e.name
        ]
        assert found, f"{role} {name!r} in\n{turn.observation.outline}"
        return [call(tool, element_id=found[0], **more)]

    return step


def _in_order_form(name: str, text: str) -> Callable[[Turn], list[ProposedToolCall]]:
    return lambda turn: [call("fill", element_id=element(turn, "textbox", name), text=text)]


def _done(turn: Turn) -> list[ProposedToolCall]:
    title = "Help and contact"
    shown = {"kind": "text", "element_id": cited(turn, f"heading:{title}"), "text": title}
    return [call("mark_done", summary="done", evidence=[shown])]


WAY = [
    _act("click", "link", "Log in"),
    _act("fill", "textbox", "Username", text="{user}"),
    _act("fill", "textbox", "Password", text="{password}"),
    _act("click", "button", "Log in"),
    _act("click", "link", "All mugs"),
    _act("click", "link", "Espresso Cup"),
    _act("fill", "spinbutton", "Quantity", text="2"),
    _act("click", "button", "Add to cart"),
    _act("click", "link", "Cart (2 items)"),
    _act("click", "link", "Go to checkout"),
    _in_order_form("Full name", "Dana Demo"),
    _in_order_form("Email", "dana@example.com"),
    _in_order_form("Street and number", "Kiln Lane 12"),
    _in_order_form("ZIP code", "10115"),
    _in_order_form("City", "Berlin"),
    _act("select_option", "combobox", "Country", options=["Germany"]),
    _act("check", "radio", "Standard"),
    _act("check", "checkbox", "I accept"),
    _act("click", "link", "Help"),
    _done,
]


@pytest.fixture(scope="session")
def base_url(shop: ShopServer) -> str:
    """Addresses lead to the shop."""
    shop.reset()
    return shop.url


@pytest.fixture
def webtask_model() -> Counting:
    """Counts."""
    return Counting(WAY)


@pytest.fixture
def webtask_data() -> dict[str, object]:
    """Who logs in."""
    return {"user": "demo", "password": Secret("mug-life-2026")}


@pytest.mark.webtask(screenshots="on")
def test_requests_of_a_long_task_stay_small(
    webtask: Webtask, webtask_model: Counting, tmp_path: Path
) -> None:
    """In 20 iterations the cached fixed part is half of each request, and the rest stays small."""
    webtask.goto("/")
    session = webtask.do(TASK).session
    assert [c.error for i in session.iterations for c in i.calls if c.error] == []
    print("\n\n| turn | page | fixed | task, history | changes | outline | picture | rest |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    total = fixed_total = 0
    shares, rests = [], []
    for number, (path, fixed, *parts) in enumerate(webtask_model.rows, 1):
        rest = sum(parts)
        shares.append(fixed / (fixed + rest))
        rests.append(rest)
        total += fixed + rest
        fixed_total += fixed
        print(f"| {number} | /{path} | {fixed} | {' | '.join(map(str, parts))} | {rest} |")
    print(
        f"\n{len(rests)} turns: {total:,} tokens in, {fixed_total:,} of them the fixed part;"
        f" fixed share {min(shares):.0%} to {max(shares):.0%}, rest {min(rests)} to {max(rests)}"
    )
    assert len(rests) == 20
    assert max(rests) <= REST_AT_MOST
    assert sorted(shares)[len(shares) // 2] >= 0.5
