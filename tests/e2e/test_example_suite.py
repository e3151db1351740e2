"""The example suite can fail: what is changed in a copy of it is found, and told well."""

import gc
import shutil
import socket
import struct
import threading
import warnings
from pathlib import Path

import pytest
from shop.server import ShopServer

from pytest_webtask.journal import StepStarted, ToolCalled
from tests.inner import events
from tests.nested import printed

SUITE = Path(__file__).parents[2] / "example_suite"


def copy(pytester: pytest.Pytester, changes: dict[str, tuple[str, str]]) -> None:
    """Copy the suite into the folder of the inner run, and change its files: old text, new text."""
    target = pytester.path / "suite"
    shutil.copytree(SUITE, target, ignore=shutil.ignore_patterns("__pycache__"))
    for name, (old, new) in changes.items():
        file = target / name
        text = file.read_text(encoding="utf-8")
        assert text.count(old) == 1, f"{old!r} is {text.count(old)} times in {name}"
        file.write_text(text.replace(old, new), encoding="utf-8")
    pytester.makepyprojecttoml('[tool.pytest]\npythonpath = ["suite"]\nfilterwarnings = ["error"]')
    pytester.makeconftest(
        "from playwright.sync_api import expect\nexpect.set_options(timeout=2000)"
    )


def test_suite_finds_each_injected_fault(pytester: pytest.Pytester) -> None:
    """A wrong number, row, name or form fails, and the failure shows the actual text."""
    wrong_name = 'fill "Subjekt" with "Hello?" and click "Send message"'
    copy(
        pytester,
        {
            "test_catalogue.py": ('"6 products"', '"7 products"'),
            "test_cart.py": ("[(3,)]", "[(2,)]"),
            "test_help.py": ('fill "Subject" with "Hello?" and click "Send message"', wrong_name),
            "test_admin.py": ("and accept the dialog", "and accept whatever is asked"),
        },
    )
    result = pytester.runpytest(
        "suite/test_catalogue.py::test_search",
        "suite/test_cart.py::test_remove",
        "suite/test_help.py::test_empty_message",
        "suite/test_admin.py::test_delete_a_product",
        "suite/test_login.py::test_log_out",
        "--webtask-timeout=5",
    )
    result.assert_outcomes(failed=4, passed=1)
    result.stdout.fnmatch_lines_random(
        [
            "E *Locator expected to have text '7 products'",
            "E *Actual value: 6 products*",
            "E *assert [[](3,)[]] == [[](2,)[]]",
            f"E *TaskFailed: do('{wrong_name}') was given up after 1 iteration",
            'E *nothing that can be filled is called "Subjekt" *; if one of these is meant, write it:',
            'E *textbox "Subject"',
            "suite/test_help.py:[0-9]*: TaskFailed",
            "E *NotLiteral: there is no recording of '*and accept whatever is asked', and no model is set",
            "E *cannot read '*and accept whatever is asked' without a model:",
        ]
    )
    # A sentence that cannot be read as a whole does nothing at all.
    of_admin = [event for event in events(pytester.path) if "test_delete_a_product" in event.test]
    steps = [e for e in of_admin if isinstance(e, StepStarted) and "whatever" in e.sentence]
    assert steps
    asked = of_admin[of_admin.index(steps[0]) :]
    assert not [event for event in asked if isinstance(event, ToolCalled)]


def test_failed_log_in_is_an_error_of_its_test(pytester: pytest.Pytester) -> None:
    """The user's own line is shown; the password is neither printed nor kept."""
    copy(pytester, {"conftest.py": ('Secret("mug-life-2026")', 'Secret("mug-death-2027")')})
    test = "suite/test_orders.py::test_list_and_one_order"
    result = pytester.runpytest(test, "--webtask-timeout=2")
    result.assert_outcomes(errors=1)
    error = (
        "'Welcome back, Dana Demo.' was not visible within 2 s; allow more with --webtask-timeout"
    )
    result.stdout.fnmatch_lines([f"E *{error}"])
    result.stdout.re_match_lines([r"suite/conftest\.py:\d+: TaskFailed"])
    kept = "".join(path.read_text() for path in (pytester.path / ".webtask").rglob("*.jsonl"))
    assert "{password}" in kept
    assert "mug-death" not in kept + printed(result)


def test_shop_closes_files_of_aborted_requests(tmp_path: Path) -> None:
    """A file that is left open would become a warning in a later test."""
    shop = ShopServer(tmp_path)
    address = ("127.0.0.1", int(shop.url.rpartition(":")[2]))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for _ in range(20):
            client = socket.create_connection(address)
            client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            client.sendall(b"GET /static/logo.svg HTTP/1.1\r\nHost: shop\r\n\r\n")
            client.recv(1)  # now it is being answered
            client.close()
        shop.stop()
        for thread in threading.enumerate():
            if "process_request" in thread.name:
                thread.join()
        gc.collect()
    assert [str(w.message) for w in caught if w.category is ResourceWarning] == []
