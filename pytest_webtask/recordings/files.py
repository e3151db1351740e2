"""The files of recordings: where they are, how they are written, and what is told of damaged ones."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from pytest_webtask.errors import DamagedRecording
from pytest_webtask.recordings.steps import VERSION, Recording

__all__ = ["FOLDER", "dump", "load", "path_of", "save"]

FOLDER = "recordings"
_CONFLICT = re.compile(r"^(?:<{7}|={7}|>{7}|\|{7})(?: |$)", re.MULTILINE)


def path_of(module: Path, function: str, folder: str = FOLDER) -> Path:
    """The file for a function, named as Python does (`TestCart.test_add`), beside its module's."""
    return module.parent / folder / module.stem / f"{function}.json"


def load(path: Path) -> Recording | None:
    """The recording in a file, None where there is none. Raises DamagedRecording."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise _damaged(path, 1, str(error)) from None
    if conflict := _CONFLICT.search(text):
        line = text.count("\n", 0, conflict.start()) + 1
        raise _damaged(path, line, "a merge conflict was left in it")
    try:
        told = json.loads(text)
    except json.JSONDecodeError as error:
        raise _damaged(path, error.lineno, f"it is no JSON: {error.msg}") from None
    except RecursionError:
        raise _damaged(path, 1, "it is nested too deeply") from None
    version = told.get("version") if isinstance(told, dict) else None
    if type(version) is not int or version != VERSION:
        wrong = f"its version is {version!r}, and {VERSION} is what is known"
        raise _damaged(path, _line_of(text, ("version",)), wrong)
    try:
        return Recording.model_validate(told)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(map(str, first["loc"])) or "the file"
        wrong = f"{place}: {first['msg']}, got {first['input']!r:.80}"
        raise _damaged(path, _line_of(text, first["loc"]), wrong) from None


def dump(recording: Recording) -> str:
    """The text of a file: each thing on a line of its own, in an order that never changes."""
    told = recording.model_dump(mode="json", exclude_defaults=True)
    return json.dumps(told, indent=2, ensure_ascii=False) + "\n"


def save(path: Path, recording: Recording) -> bool:
    """Write a file so that it is whole at any time; False where it already says so."""
    text = dump(recording)
    if path.is_file() and path.read_text(encoding="utf-8", errors="replace") == text:
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f".{path.name}.{os.getpid()}")
    partial.write_text(text, encoding="utf-8", newline="\n")
    partial.replace(path)
    return True


def _damaged(path: Path, line: int, wrong: str) -> DamagedRecording:
    return DamagedRecording(
        f"{path}:{line}: the recording cannot be read: {wrong}\n"
        "take it back from version control (git checkout -- FILE), or delete it and record anew:"
        " pytest --webtask-mode=record"
    )


def _line_of(text: str, place: Sequence[Any]) -> int:
    """The line of what stands at a place such as ("steps", 2, "tool"), or of what is around it."""
    decoder = json.JSONDecoder()
    blank = re.compile(r"[\s,:]*")

    def skip(at: int) -> int:
        found = blank.match(text, at)
        return found.end() if found else at

    at = skip(0)
    try:
        for part in place:
            inner = skip(at + 1)
            if text[at] == "{":
                while text[inner] != "}":
                    key, end = decoder.raw_decode(text, inner)
                    inner = skip(end)
                    if key == part:
                        break
                    inner = skip(decoder.raw_decode(text, inner)[1])
                else:
                    break
            elif text[at] == "[" and isinstance(part, int):
                for _ in range(part):
                    inner = skip(decoder.raw_decode(text, inner)[1])
            else:
                break
            at = inner
    except (ValueError, IndexError):
        pass
    return text.count("\n", 0, at) + 1
