"""A hook of hatchling: the README as the package index shows it, where relative links lead nowhere.

With a `Source` in `[project.urls]`, links and pictures lead to the files of this version there. Without
one, links become plain text, and pictures are left out.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

_LINK = re.compile(r"(!?)\[([^\]]*)\]\((?!https?:)([^)\s]+)\)")


class ReadmeHook(MetadataHookInterface):
    """Sets the field `readme`, which pyproject.toml calls dynamic."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Add the README to the metadata of a distribution."""
        text = Path(self.root, "README.md").read_text("utf-8")
        source = metadata.get("urls", {}).get("Source", "")
        text = resolve_links(text, source, metadata["version"])
        metadata["readme"] = {"content-type": "text/markdown", "text": text}


def resolve_links(text: str, source: str, version: str) -> str:
    """Return Markdown without relative links, for a repository at `source` that tags its versions."""

    def resolve(match: re.Match[str]) -> str:
        mark, name, target = match.groups()
        if not source:
            return "" if mark else name
        return f"{mark}[{name}]({source}/{'raw' if mark else 'blob'}/v{version}/{target})"

    return re.sub(r"\n{3,}", "\n\n", _LINK.sub(resolve, text))
