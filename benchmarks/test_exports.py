"""Every test of the example suite, exported, runs with pytest-playwright alone."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from pytest_webtask.cli import main
from pytest_webtask.journal import StepStarted, read

SUITE = Path(__file__).parents[1] / "example_suite"
SECRETS = {
    "PASSWORD": "mug-life-2026",
    "RITA_PASSWORD": "rita-pass-7",
    "ADMIN_PASSWORD": "admin-pass-9",
}
CONFTEST = """
import os

import pytest
from shop.server import ShopServer

USERS = {"DANA_STATE": ("demo", "PASSWORD"), "ADMIN_STATE": ("admin", "ADMIN_PASSWORD")}


@pytest.fixture(scope="session")
def base_url(tmp_path_factory):
    server = ShopServer(tmp_path_factory.mktemp("shop"))
    pytest.shop = server
    yield server.url
    server.stop()


@pytest.fixture(scope="session", autouse=True)
def states(browser, base_url, tmp_path_factory):
    folder = tmp_path_factory.mktemp("states")
    for name, (user, password) in USERS.items():
        page = browser.new_context(base_url=base_url).new_page()
        page.goto("/login")
        page.get_by_label("Username").fill(user)
        page.get_by_label("Password").fill(os.environ[password])
        page.get_by_role("button", name="Log in").click()
        page.get_by_text("Welcome back").wait_for()
        page.context.storage_state(path=folder / name)
        page.context.close()
        os.environ[name] = str(folder / name)


@pytest.fixture(autouse=True)
def fresh(base_url):
    pytest.shop.reset()
"""


def _pytest(folder: Path, *arguments: str) -> str:
    environment = {**os.environ, **SECRETS, "CI": "true", "PYTHONPATH": os.pathsep.join(
        [str(folder / "suite"), os.environ.get("PYTHONPATH", "")]
    )}  # fmt: skip
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments]
    ran = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    return ran.stdout + ran.stderr


def test_exported_example_suite_passes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each test of the example suite is exported after one run, and its file is run by itself."""
    shutil.copytree(SUITE, tmp_path / "suite", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    output = _pytest(tmp_path, "suite", "-n", "2")
    [run] = (tmp_path / ".webtask" / "runs").iterdir()
    tests = sorted({event.test for event in read(run) if isinstance(event, StepStarted)})
    assert re.search(rf"\b{len(tests)} passed", output), output
    exported = tmp_path / "exported"
    exported.mkdir()
    (exported / "conftest.py").write_text(CONFTEST)
    monkeypatch.chdir(tmp_path)
    for number, test in enumerate(tests):
        code = main(["export", test, "--output", str(exported / f"test_{number}.py")])
        assert code == 0, (test, capsys.readouterr().err)
    output = _pytest(tmp_path, "exported", "-p", "no:webtask", "-n", "2")
    failed = [tests[int(n)] for n in re.findall(r"^FAILED exported/test_(\d+)", output, re.M)]
    with capsys.disabled():
        print(
            f"\n{len(tests)} tests exported, {len(tests) - len(failed)} of them pass; failed: {failed}"
        )
    assert re.search(rf"\b{len(tests)} passed", output), output
