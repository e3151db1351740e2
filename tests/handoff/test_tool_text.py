"""Tools as text for the reader of a turn that is handed over."""

from __future__ import annotations

import json
from typing import Any

from pytest_webtask.agent.worker import worker_tools
from pytest_webtask.handoff.tool_text import describe_tools
from pytest_webtask.llm.prompts import input_schema

_TEXT = {"type": "string"}


def _tool(name: str, **arguments: Any) -> dict[str, Any]:
    schema = {"properties": arguments, "required": [*arguments][:1]}
    return {"name": name, "description": f"It is {name}.", "input_schema": schema}


def test_argument_is_described_where_it_is_new() -> None:
    """An argument with the meaning that it had in the tool before is not described twice."""
    reason, where = {**_TEXT, "description": "Why."}, {**_TEXT, "description": "Where."}
    tools = [
        _tool("one", reason=reason, at=where),
        _tool("two", reason=reason, at={**where, "description": "When."}),
        _tool("three", reason=reason, at=where),
    ]
    assert describe_tools(tools) == [
        "one(reason, [at]): It is one.",
        "    reason: text. Why.",
        "    at: text. Where.",
        "two(reason, [at]): It is two.",
        "    at: text. When.",
        "three(reason, [at]): It is three.",
        "    at: text. Where.",
    ]


def test_types_and_limits_are_in_words() -> None:
    """Choices, lists, records, alternatives and limits are on the line of their argument."""
    item = {"properties": {"kind": {"const": "a"}, "n": {"type": "integer"}}, "required": ["kind"]}
    schema = {
        "$defs": {"Item": {**item, "description": "An item."}},
        "properties": {
            "way": {"enum": ["up", "down"]},
            "items": {"type": "array", "items": {"$ref": "#/$defs/Item"}, "minItems": 1},
            "it": {"anyOf": [_TEXT, {"type": "null"}, {**item, "type": "object"}]},
            "any": {},
            "two": {"type": ["number", "null"]},
        },
    }
    assert describe_tools([{"name": "do", "description": "Do it.", "input_schema": schema}]) == [
        "do([way], [items], [it], [any], [two]): Do it.",
        '    way: "up" or "down"',
        '    items: list of Item {"minItems": 1}',
        '        Item: {"kind": "a", ["n"]} An item.',
        "            n: whole number",
        '    it: text or {"kind": "a", ["n"]}',
        "    any: any value",
        "    two: number or null",
    ]


def test_text_has_all_of_the_schemas_in_half_their_length() -> None:
    """Each argument, choice and description of the worker's tools is in the text."""
    tools = [
        {"name": t.name, "description": t.description, "input_schema": input_schema(t)}
        for t in worker_tools(int).specs
    ]
    text = "\n".join(describe_tools(tools))
    assert len(text) < 0.55 * len(json.dumps(tools))
    pending: list[Any] = [tools]
    while pending:
        each = pending.pop()
        if isinstance(each, dict):
            pending += each.values()
            names = each["properties"] if isinstance(each.get("properties"), dict) else ()
            for part in (*names, each.get("description", ""), *each.get("enum", ())):
                assert part in text
        elif isinstance(each, list):
            pending += each
