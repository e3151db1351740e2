"""What the tools share that act on elements."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from playwright.sync_api import Locator
from pydantic import Field

from pytest_webtask.tools import Args
from pytest_webtask.tools.hands import Hands

DATA = "{name} stands for a value of the data."


class Acting(Args):
    """What every action takes: how its dialogs are answered."""

    dialog: Literal["accept", "dismiss"] | None = Field(
        None,
        description="How to answer the alert, confirm or prompt that this very call opens; only if"
        " you expect one.",
    )
    dialog_text: str | None = Field(
        None, description="What to enter into a prompt, which is then accepted; {name} as in text."
    )


class OnElement(Acting):
    """An action on one element."""

    element_id: str = Field(description="The element's id in the outline, such as button-0.")


def act(hands: Hands, args: OnElement, action: Callable[[Locator], Any]) -> Any:
    """Do something with the element of a call, its dialogs answered as the call says."""
    with hands.acting(args.dialog, args.dialog_text):
        return hands.on("element_id", args.element_id, action)
