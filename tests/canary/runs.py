"""Runs of a copy of the example suite whose shop knows the secrets and shows them on every page."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
SUITE = Path(__file__).with_name("suite")
_REPLACED = {"mug-life-2026": "password", "rita-pass-7": "token", "admin-pass-9": "iban"}


@dataclass(frozen=True)
class Run:
    """A command that has ended, and its output, which is also in a file of the folder."""

    code: int
    output: str


class Copy:
    """The copy in a folder, and what its runs leave there."""

    def __init__(self, folder: Path, secrets: Mapping[str, str]) -> None:
        self.folder = folder
        # Only here: a file with a secret would be found.
        self._env = {
            **{n: v for n, v in os.environ.items() if n not in ("CI", "PYTEST_ADDOPTS")},
            "CANARY_SECRETS": json.dumps(dict(secrets)),
            "PYTHONDONTWRITEBYTECODE": "1",
            "PYTHONPATH": os.pathsep.join([str(ROOT), str(folder)]),
            "COLUMNS": "200",
        }
        self._outputs = 0
        shutil.copytree(
            ROOT / "example_suite", folder, ignore=shutil.ignore_patterns("__pycache__")
        )
        shutil.copytree(
            SUITE, folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__")
        )
        for path in folder.rglob("*.py"):
            _replace(path)
        conftest = folder / "conftest.py"
        conftest.write_text(
            conftest.read_text() + "\n\nfrom canary_shop import webtask_data  # noqa\n"
        )
        (folder / "pytest.ini").write_text("[pytest]\naddopts = --import-mode=importlib\n")

    def pytest(self, *args: str, **env: str) -> Run:
        """Run tests with all reports that there are."""
        with tempfile.TemporaryDirectory() as temporary:
            return self.run(
                "pytest", "-vv", "-rA", "--color=yes", f"--basetemp={temporary}/t",
                f"--junitxml=junit-{self._outputs}.xml", f"--html=html-{self._outputs}.html", *args, **env,
            )  # fmt: skip

    def run(self, module: str, *args: str, **env: str) -> Run:
        """Run a module of Python in the folder, and keep its output there."""
        done = subprocess.run(
            [sys.executable, "-m", module, *args],
            cwd=self.folder,
            env=self._env | env,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        self._outputs += 1
        (self.folder / f"terminal-{self._outputs}.txt").write_text(done.stdout)
        return Run(done.returncode, done.stdout)


def _replace(path: Path) -> None:
    """Replace the secrets of the example suite by expressions of those of the run."""
    text = path.read_text(encoding="utf-8")
    for word, kind in _REPLACED.items():
        value = f'__import__("json").loads(__import__("os").environ["CANARY_SECRETS"])["{kind}"]'
        text = text.replace(f'"{word}"', value).replace(f'"{word.upper()}"', f"{value}.swapcase()")
    path.write_text(text, encoding="utf-8")
