"""Print the JSON Schemas of recordings, journals and reports, or write them with `--write`.

The site publishes them as files, for editors and programs.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from pytest_webtask.checks.base import Check
from pytest_webtask.journal import AnyEvent
from pytest_webtask.journal.schema import Recording
from pytest_webtask.report.view import Report

__all__ = ["FOLDER", "SCHEMAS", "journal_schema", "recording_schema"]

FOLDER = Path(__file__).parent.parent / "docs" / "schemas"


def journal_schema() -> dict[str, Any]:
    """Return the JSON Schema of a line of a journal."""
    schema: dict[str, Any] = TypeAdapter[Any](AnyEvent).json_schema()
    for event in (schema["$defs"][name] for name in _event_names(schema)):
        # Only the reader sets it.
        del event["properties"]["writer"]
        event["required"] = ["time", "kind", *event.get("required", ())]
    # Each kind of check has fields of its own.
    del schema["$defs"]["Check"]["additionalProperties"]
    return schema


def _event_names(schema: dict[str, Any]) -> list[str]:
    return [each["$ref"].rpartition("/")[2] for each in schema["oneOf"]]


def recording_schema() -> dict[str, Any]:
    """Return the JSON Schema of a recording, in which each kind of check has its own fields."""
    schema = Recording.model_json_schema()
    kinds = []
    for name, kind in sorted(Check.kinds.items()):
        described = kind.model_json_schema(ref_template="#/$defs/{model}")
        schema["$defs"] |= described.pop("$defs", {})
        # A recording has targets in place of element ids, and fields that no model sees.
        fields = {key: each for key, each in kind.model_fields.items() if key not in kind.ids}
        properties = {
            key: described["properties"].get(key)
            or TypeAdapter[Any](each.annotation or Any).json_schema()
            for key, each in fields.items()
        }
        required = [key for key, each in fields.items() if each.is_required()]
        schema["$defs"][kind.__name__] = {
            **described,
            "properties": {**properties, "kind": {"const": name}},
            "required": ["kind", *required],
        }
        kinds.append({"$ref": f"#/$defs/{kind.__name__}"})
    schema["$defs"]["Check"] = {"oneOf": kinds}
    return schema


def report_schema() -> dict[str, Any]:
    """Return the JSON Schema of `report.json`."""
    schema = Report.model_json_schema(mode="serialization")
    # Each kind of check has fields of its own.
    del schema["$defs"]["Check"]["additionalProperties"]
    return schema


SCHEMAS: dict[str, Callable[[], dict[str, Any]]] = {
    "recording.schema.json": recording_schema,
    "journal.schema.json": journal_schema,
    "report.schema.json": report_schema,
}


def main() -> None:
    """Print or write the schemas."""
    for name, make in SCHEMAS.items():
        text = json.dumps(make(), indent=2, ensure_ascii=False) + "\n"
        if "--write" in sys.argv[1:]:
            (FOLDER / name).write_text(text, encoding="utf-8")
        else:
            print(text, end="")


if __name__ == "__main__":
    main()
