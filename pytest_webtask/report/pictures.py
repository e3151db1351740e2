"""The pictures of runs, brought into a report: each once, however often it was seen."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pytest_webtask.report.records import Look, Mark


@dataclass
class Pictures:
    """Brings pictures into the report's `folder`; links in it lead to files below `root`."""

    folder: Path
    root: Path
    _brought: dict[Path, str | None] = field(default_factory=dict)

    def look(self, run: Path, seen: Mapping[str, Any] | None) -> Look | None:
        """A page that was looked at, its marks apart from its picture."""
        if not seen:
            return None
        look = Look(
            url=str(seen.get("url") or ""),
            title=str(seen.get("title") or ""),
            outline=str(seen.get("outline") or ""),
        )
        shot = seen.get("screenshot")
        if not isinstance(shot, str) or not shot:
            return look
        marked = run / shot
        try:
            told = json.loads(marked.with_suffix(".json").read_text(encoding="utf-8"))
            look.picture = self.bring(run, f"{Path(shot).parent}/{told['plain']}")
            width, height = told["size"]
            look.size = (int(width), int(height))
            look.marks = [Mark(**mark) for mark in told["marks"]]
        except (OSError, ValueError, TypeError, KeyError):
            look.picture = self.bring(run, shot)
        return look

    def bring(self, run: Path, shot: object) -> str | None:
        """The path in the report of a picture of a run; None where it has gone."""
        if not isinstance(shot, str) or not shot:
            return None
        source = run / "screenshots" / Path(shot).name
        if source not in self._brought:
            self._brought[source] = self._bring(source)
        return self._brought[source]

    def link(self, file: str) -> str:
        """The way from the report to a file that is told from the root."""
        try:
            return Path(os.path.relpath(self.root / file, self.folder)).as_posix()
        except ValueError:  # another drive
            return (self.root / file).as_uri()

    def _bring(self, source: Path) -> str | None:
        path = f"pictures/{source.name}"
        target = self.folder / path
        if not source.is_file():
            return None
        if not target.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            try:
                # Both are never written again; it costs neither time nor room.
                os.link(source, target)
            except OSError:
                try:
                    shutil.copyfile(source, target)
                except OSError:
                    return None
        return path
