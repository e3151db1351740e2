"""Print the JSON Schema of the lines of a journal, or write it into docs/ with `--write`."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from pytest_webtask.journal import AnyEvent

__all__ = ["PATH", "journal_schema"]

PATH = Path(__file__).parent.parent / "docs" / "journal.schema.json"
_NOT_WRITTEN = ("writer", "unreadable")
"""Fields that the reader sets."""


def journal_schema() -> dict[str, Any]:
    """Return the JSON Schema of a line."""
    schema: dict[str, Any] = TypeAdapter[Any](AnyEvent).json_schema()
    for event in (schema["$defs"][name] for name in _event_names(schema)):
        for field in _NOT_WRITTEN:
            del event["properties"][field]
        event["required"] = ["time", "kind", *event.get("required", ())]
    # Each kind of check has fields of its own.
    del schema["$defs"]["Check"]["additionalProperties"]
    return schema


def _event_names(schema: dict[str, Any]) -> list[str]:
    return [each["$ref"].rpartition("/")[2] for each in schema["oneOf"]]


def main() -> None:
    """Print or write the schema."""
    text = json.dumps(journal_schema(), indent=2, ensure_ascii=False) + "\n"
    if "--write" in sys.argv[1:]:
        PATH.write_text(text, encoding="utf-8")
    else:
        print(text, end="")


if __name__ == "__main__":
    main()
