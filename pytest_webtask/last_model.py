"""The model that was used last on this machine, which suggested commands name."""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path

__all__ = ["last_model", "model_flag", "remember_model"]

FILE = Path(".webtask", "model")
_DEFAULT = "claude"
_NAME = re.compile(r"[\w.:/-]+")


def remember_model(root: Path, name: str) -> None:
    """Note the name of a model that the tests of the project at `root` use."""
    if name == last_model(root):
        return
    path = root / FILE
    # Only suggestions depend on it, so a disk that cannot be written costs nothing else.
    with suppress(OSError):
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"{name}\n", encoding="utf-8")


def last_model(root: Path) -> str:
    """Return the name of the model that was used last, "" if none is known."""
    name = ""
    with suppress(OSError, UnicodeDecodeError):
        name = (root / FILE).read_text(encoding="utf-8").strip()
    return name if _NAME.fullmatch(name) else ""


def model_flag(root: Path) -> str:
    """Return the option that sets the model that was used last, or Claude."""
    return f"--webtask-model={last_model(root) or _DEFAULT}"
