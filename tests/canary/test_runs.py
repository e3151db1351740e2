"""No file that a run leaves, no request and no line in the terminal has a secret."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.api import Api, Reply, failure, marked_done, message, page_of, use
from tests.canary.runs import Copy, Run
from tests.canary.search import Leak, Search

# Several runs of pytest, each with many tests.
pytestmark = pytest.mark.timeout(900)

Decide = Callable[[dict[str, Any]], Reply]


@pytest.fixture
def copy(tmp_path: Path, secrets: dict[str, str]) -> Copy:
    """A copy of the example suite, whose shop shows the secrets."""
    return Copy(tmp_path / "copy", secrets)


@pytest.fixture
def search(secrets: dict[str, str]) -> Search:
    """The search for the secrets of this run."""
    return Search(secrets)


def assert_clean(leaks: list[Leak]) -> None:
    """There are no leaks."""
    assert not leaks, "\n".join(map(str, leaks))


def element(request: dict[str, Any], role: str, name: str) -> str:
    """Return the id of an element that a model can operate."""
    found = re.search(rf'\[({role}-\S+) "{re.escape(name)}', page_of(request))
    assert found, f"no {role} {name!r} in\n{page_of(request)}"
    return found[1]


def shown(request: dict[str, Any], text: str) -> str:
    """Return the id of an element that a model can cite."""
    found = re.search(rf"<([\w-]+)> (?:status: )?{re.escape(text)}", page_of(request))
    assert found, f"no {text!r} in\n{page_of(request)}"
    return found[1]


def script(secrets: dict[str, str]) -> dict[str, list[Decide]]:
    """Return the answers to the steps of test_canary_model.py, by words of their sentences."""

    def fill_form(request: dict[str, Any]) -> Reply:
        fills = [
            use("fill", element_id=element(request, "textbox", kind), text=f"{{{kind}}}")
            for kind in secrets
        ]
        return message(*fills, use("click", element_id=element(request, "button", "Send")))

    def text(request: dict[str, Any], words: str) -> dict[str, Any]:
        return {"kind": "text", "element_id": shown(request, words), "text": words}

    def received(request: dict[str, Any]) -> list[dict[str, Any]]:
        return [text(request, f"{kind}: {{{kind}}}") for kind in ("card", "iban")]

    def read_token(request: dict[str, Any]) -> Reply:
        source = {"element_id": shown(request, "token: {token}"), "text": "token: {token}"}
        return message(use("report_value", value="{token}", read=[source]))

    def press_all(request: dict[str, Any]) -> Reply:
        dialogs = {"Ask": {"dialog_text": "{token}"}}
        names = ("Warn", "Ask", "Log", "Fetch", "Toast")
        ids = {name: element(request, "button", name) for name in names}
        clicks = [use("click", element_id=i, **dialogs.get(n, {})) for n, i in ids.items()]
        download = use("click", element_id=element(request, "link", "Download"))
        return message(download, *clicks)

    def log_in(request: dict[str, Any]) -> Reply:
        fields = {"Username": "{user}", "Password": "{password}"}
        fills = [
            use("fill", element_id=element(request, "textbox", name), text=value)
            for name, value in fields.items()
        ]
        return message(*fills, use("click", element_id=element(request, "button", "Log in")))

    def quoted(request: dict[str, Any]) -> str:
        return page_of(request)[:2_000]

    def both(request: dict[str, Any]) -> Reply:
        evidence = received(request)
        return message(use("report_verdict", outcome="holds", reason="both", evidence=evidence))

    def refute(request: dict[str, Any]) -> Reply:
        evidence = [text(request, "Your iban is {iban}")]
        reason = quoted(request)
        return message(
            use("report_verdict", outcome="does_not_hold", reason=reason, evidence=evidence)
        )

    def select_button(request: dict[str, Any]) -> Reply:
        button = element(request, "button", "Pay with {balance}")
        return message(use("report_element", element_id=button))

    return {
        "send the form": [fill_form, lambda r: marked_done(*received(r))],
        "the page has received": [both],
        "the received token": [read_token],
        "the button that pays": [select_button],
        "press all": [press_all, lambda r: marked_done(text(r, "Echo"))],
        "log in as": [log_in, lambda r: marked_done(text(r, "Welcome back, Dana Demo."))],
        "secret garden": [lambda r: message(use("abort", reason=f"there is none: {quoted(r)}"))],
        "the iban is": [refute],
        "ask the service": [lambda r: failure(400, f"bad {secrets['iban']}: {quoted(r)}")],
    }


def run_model(copy: Copy, api: Api, secrets: dict[str, str], *args: str, **env: str) -> Run:
    """Run the steps that a model decides, with Claude's client."""
    steps = script(secrets)

    def answer(request: dict[str, Any]) -> Reply:
        task = request["messages"][0]["content"][0]["text"]
        [decisions] = [each for words, each in steps.items() if words in task]
        return decisions.pop(0)(request)

    api.answers = [answer]
    env |= {"ANTHROPIC_BASE_URL": api.url, "ANTHROPIC_API_KEY": "a-key"}
    return copy.pytest("test_canary_model.py", "--webtask-model=claude", *args, **env)


def assert_outcomes(run: Run, **expected: int) -> None:
    """The run has as many tests that passed and failed."""
    counts = {name: f"{number} {name}" in run.output for name, number in expected.items()}
    assert all(counts.values()), run.output


def test_unmasked_run_leaks(copy: Copy, api: Api, search: Search, secrets: dict[str, str]) -> None:
    """With the masking turned off, there are leaks in all places, and of each secret."""
    run_model(copy, api, secrets, "-k", "fails_at_a_task", CANARY_UNMASKED="1")
    leaks = [leak for raw in api.raw for leak in search.in_bytes(raw, "request")]
    leaks += search.in_folder(copy.folder)
    places: dict[bool, set[str]] = {True: set(), False: set()}
    for leak in leaks:
        place = re.sub(r"[\w-]{20,}|-?\d+", "*", leak.place)
        places[leak.kind == "ink"].add(place)
    assert {leak.kind for leak in leaks} == {*secrets, "ink"}
    run, report = ".webtask/runs/*", ".webtask/report"
    assert places[False] == {
        *("request", "terminal*.txt", "junit*.xml", "html*.html"),
        *(f"{run}/main.jsonl", f"{report}/report.json", f"{report}/tests/*.html"),
    }
    assert places[True] == {"request", f"{run}/screenshots/*.jpg", f"{report}/pictures/*.jpg"}


def test_runs_leak_no_secret(copy: Copy, api: Api, search: Search, secrets: dict[str, str]) -> None:
    """A model's run, its replays and their failures leave no secret anywhere."""
    run = run_model(copy, api, secrets)
    assert_outcomes(run, passed=4, failed=3)
    for number, raw in enumerate(api.raw):
        assert_clean(search.in_bytes(raw, f"request {number}"))
    assert list((copy.folder / "recordings" / "test_canary_model").iterdir())
    replayed = copy.pytest("test_canary_model.py", "-n2", "--webtask-report-inline=on", CI="true")
    assert_outcomes(replayed, passed=4, failed=3)
    drifted = copy.pytest("test_canary_model.py", CI="true", CANARY_BUTTON="Submit")
    assert_outcomes(drifted, passed=3, failed=4)
    for command in ("recordings list", "report", "export", "accept"):
        copy.run("pytest_webtask.cli", *command.split())
    assert_clean(search.in_folder(copy.folder))


def test_literal_runs_leave_no_secret(copy: Copy, search: Search) -> None:
    """The example suite on a shop that shows secrets leaves none, nor do failures of literal steps."""
    run = copy.pytest("-n2", "--ignore=test_canary_model.py", "--webtask-report-inline=on")
    assert_outcomes(run, passed=76, failed=9)
    assert_clean(search.in_folder(copy.folder))
