"""The conftest of the recorded suite: a shop that is running elsewhere, and a customer of it."""

from __future__ import annotations

import os
import urllib.request

import pytest

from pytest_webtask import Secret, Webtask


@pytest.fixture(scope="session")
def base_url() -> str:
    """Where the shop answers."""
    return os.environ["DRIFT_SHOP"]


@pytest.fixture(autouse=True)
def _fresh_shop(base_url: str) -> None:
    """Each test begins with the seeded shop."""
    urllib.request.urlopen(f"{base_url}/-/reset", data=b"").close()


@pytest.fixture
def webtask_data() -> dict[str, object]:
    """Who logs in, and what is entered."""
    return {
        "user": "demo",
        "password": Secret("mug-life-2026"),
        "wrong": "mug-life-2025",
        "coupon": "WELCOME10",
        "name": "Dana Demo",
        "street": "Kiln Lane 12",
        "zip": "10115",
        "city": "Berlin",
        "card": Secret("4242 4242 4242 4242"),
        "wishes": "Birthday",
    }


@pytest.fixture
def customer(webtask: Webtask) -> Webtask:
    """The customer, who has logged in."""
    webtask.goto("/login")
    webtask.do("log in as {user} with {password}")
    return webtask
