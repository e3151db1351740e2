"""Tools as text for a reader: an argument is described where it is new, not in each tool that takes it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

_KNOWN = frozenset({
    "$defs", "$ref", "additionalProperties", "anyOf", "const", "description", "enum", "items",
    "properties", "required", "title", "type",
})  # fmt: skip
_TYPES = {
    "array": "list",
    "boolean": "true or false",
    "integer": "whole number",
    "null": "null",
    "number": "number",
    "object": "object",
    "string": "text",
}


def describe_tools(tools: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return each tool with its arguments, in brackets if optional, followed by those that are new or differ."""
    described: dict[str, str] = {}
    lines = []
    for tool in tools:
        schema = tool["input_schema"]
        lines.append(f"{tool['name']}({_names(schema)}): {tool['description']}")
        lines += _arguments(schema, schema.get("$defs", {}), described, "    ")
    return lines


def _arguments(
    schema: Mapping[str, Any], defs: Mapping[str, Any], described: dict[str, str], indent: str
) -> list[str]:
    lines = []
    for name, each in schema.get("properties", {}).items():
        meaning = _typed(each)
        if "const" in each or described.get(name) == meaning:
            continue
        described[name] = meaning
        lines.append(f"{indent}{name}: {meaning}")
        for used in _references(each):
            record = defs[used]
            head = f"{{{_fields(record)}}} {record.get('description', '')}".rstrip()
            if described.get(used) != head:
                described[used] = head
                lines.append(f"{indent}    {used}: {head}")
                lines += _arguments(record, defs, described, indent + "        ")
    return lines


def _names(schema: Mapping[str, Any]) -> str:
    required = schema.get("required", ())
    names = schema.get("properties", {})
    return ", ".join(name if name in required else f"[{name}]" for name in names)


def _fields(schema: Mapping[str, Any]) -> str:
    required = schema.get("required", ())
    fields = [
        (name, f'"{name}": {json.dumps(each["const"])}' if "const" in each else f'"{name}"')
        for name, each in schema.get("properties", {}).items()
    ]
    return ", ".join(text if name in required else f"[{text}]" for name, text in fields)


def _typed(schema: Mapping[str, Any]) -> str:
    described = schema.get("description")
    return _type(schema) + (f". {described}" if described else "")


def _type(schema: Mapping[str, Any]) -> str:
    more = {key: value for key, value in schema.items() if key not in _KNOWN}
    limits = f" {json.dumps(more, ensure_ascii=False)}" if more else ""
    return _kind(schema) + limits


def _inner(schema: Mapping[str, Any]) -> str:
    described = schema.get("description")
    return _type(schema) + (f" ({described})" if described else "")


def _kind(schema: Mapping[str, Any]) -> str:
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "enum" in schema:
        return " or ".join(json.dumps(each, ensure_ascii=False) for each in schema["enum"])
    if "anyOf" in schema:
        return " or ".join(_inner(each) for each in schema["anyOf"] if each != {"type": "null"})
    kind = schema.get("type", "any value")
    if kind == "array" and "items" in schema:
        return f"list of {_inner(schema['items'])}"
    if kind == "object" and "properties" in schema:
        return f"{{{_fields(schema)}}}"
    return " or ".join(
        _TYPES.get(each, each) for each in ([kind] if isinstance(kind, str) else kind)
    )


def _references(schema: Any) -> list[str]:
    """Return the names of the records in a schema, in their order."""
    if isinstance(schema, Mapping):
        own = [str(schema["$ref"]).rpartition("/")[2]] if "$ref" in schema else []
        return own + [name for each in schema.values() for name in _references(each)]
    if isinstance(schema, list):
        return [name for each in schema for name in _references(each)]
    return []
