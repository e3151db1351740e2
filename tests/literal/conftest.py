"""Fixtures of the tests of literal sentences."""

from collections.abc import Iterable

import pytest
from playwright.sync_api import Playwright

from pytest_webtask.errors import Undecided, VerificationFailed
from pytest_webtask.literal import LiteralModel
from pytest_webtask.page import dom
from pytest_webtask.run.webtask import Webtask
from tests.literal.names import Outcome, Unexpected


@pytest.fixture(scope="session", autouse=True)
def _engines(playwright: Playwright) -> None:
    """What finds names, on all pages; a run of these tests alone has no webtask, whose plugin would do it."""
    dom.register(playwright)


@pytest.fixture
def webtask_model() -> LiteralModel:
    """The literal interpreter."""
    return LiteralModel()


@pytest.fixture
def outcome(webtask: Webtask) -> Outcome:
    """Judge a claim: "passed", or the outcome and the reason."""

    def judge(claim: str, timeout: float = 0) -> str:
        try:
            verdict = webtask.verify(claim, timeout=timeout)
        except (VerificationFailed, Undecided) as error:
            return f"{error.verdict.outcome.value}: {error.verdict.reason}"
        assert verdict.evidence
        assert all(check.holds for check in verdict.evidence)
        return "passed"

    return judge


@pytest.fixture
def unexpected(outcome: Outcome) -> Unexpected:
    """Judge claims on one page and return those with another outcome than expected.

    A case is a claim, how its outcome begins, and perhaps a part of the reason.
    """

    def judge_all(cases: Iterable[tuple[str, ...]]) -> dict[str, str]:
        outcomes = {case: outcome(case[0]) for case in cases}
        return {
            case[0]: text
            for case, text in outcomes.items()
            if not text.startswith(case[1]) or not all(part in text for part in case[2:])
        }

    return judge_all
