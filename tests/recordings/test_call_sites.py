"""The function that contains a sentence, and which call of it is running."""

from collections.abc import Callable
from pathlib import Path
from types import CodeType
from typing import Any

import pytest

from pytest_webtask.recordings.store import CallSiteRuns, _qualified, current_call_site

SOURCE = Path(__file__).with_name("call_sites.txt").read_text()


PLAIN = ("plain", "decorated", "lambda", "partial", "greenlet")


def placed(root: Path, call: Callable[[dict[str, Any], Callable[[], None]], object]) -> list[str]:
    """Where `say` was called from, as function and occurrence."""
    module = root / "test_it.py"
    module.write_text(SOURCE)
    names: dict[str, Any] = {"__name__": "test_it"}
    exec(compile(SOURCE, module, "exec"), names)
    runs, sites = CallSiteRuns(), []

    def say() -> None:
        found = current_call_site(root)
        assert found is not None
        place, frame = found
        assert place.module == module and frame is not None
        sites.append(f"{place.function} {runs.count(frame, 'x')}")

    call(names, say)
    return sites


@pytest.mark.parametrize(
    ("name", "sites"),
    [
        *((f"test_{name}", [f"test_{name} 1"]) for name in PLAIN),
        ("TestCart().test_method", ["TestCart.test_method 1"]),
        ("TestCart.test_static", ["TestCart.test_static 1"]),
        ("TestCart.Inner().test_inner", ["TestCart.Inner.test_inner 1"]),
        ("test_nested", ["test_nested.inner.Local.method 1"]),
        ("test_comprehension", [f"test_comprehension {n}" for n in range(1, 7)]),
        ("test_context", ["logged_in 1", "test_context 1", "logged_in 2"]),
    ],
)
def test_function_has_its_qualified_name(tmp_path: Path, name: str, sites: list[str]) -> None:
    """Methods, nested and decorated functions have their own names, lambdas that of their function."""
    assert placed(tmp_path, lambda names, say: eval(name, names)(say)) == sites


def test_occurrences_count_from_one_in_each_run_of_a_function(tmp_path: Path) -> None:
    """Set-up and teardown of a fixture are one run, whatever ran between; each call is a new one."""

    def around(names: dict[str, Any], say: Callable[[], None]) -> None:
        fixture = names["fixture"](say)
        next(fixture)
        names["test_plain"](say)
        names["test_plain"](say)
        assert next(fixture, None) is None

    sites = ["fixture 1", "test_plain 1", "test_plain 1", "fixture 2"]
    assert placed(tmp_path, around) == sites


def test_module_lambda_has_a_call_site(tmp_path: Path) -> None:
    """A lambda of a module belongs to the module or to the function that calls it."""
    [sites] = placed(tmp_path, lambda names, say: names["test_module_lambda"](say))
    assert sites.split()[0] in ("_module", "test_module_lambda")


def test_old_pythons_name_functions_alike(tmp_path: Path) -> None:
    """On Python 3.10, which has no qualified names in code objects, they are read from the source."""
    module = tmp_path / "test_it.py"
    module.write_text(SOURCE)
    codes = [compile(SOURCE, str(module), "exec")]
    for code in codes:
        codes += [c for c in code.co_consts if isinstance(c, CodeType)]
    for code in codes[1:]:
        if code.co_name.startswith("<") or not hasattr(code, "co_qualname"):
            continue
        own = code.co_qualname.replace(".<locals>", "")
        assert _qualified(code) == own


def test_call_site_skips_code_outside_of_the_project(tmp_path: Path) -> None:
    """A sentence in an installed helper belongs to the project's function that called it."""
    assert current_call_site(tmp_path) is None
    installed = tmp_path / "lib" / "site-packages" / "helpers.py"
    names: dict[str, Any] = {"__name__": "helpers"}
    exec(compile("def help(say):\n    say()", installed, "exec"), names)
    sites = placed(tmp_path, lambda inner, say: inner["test_partial"](lambda: names["help"](say)))
    assert sites == ["test_partial 1"]
