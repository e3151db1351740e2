"""Tools as text for the reader of a turn that is handed over."""

import json
from typing import Any

from pytest_webtask.agent.worker import worker_tools
from pytest_webtask.desk.turn_text import describe_tools
from pytest_webtask.llm.prompts import described

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
        '    reason: {"type": "string", "description": "Why."}',
        '    at: {"type": "string", "description": "Where."}',
        "two(reason, [at]): It is two.",
        '    at: {"type": "string", "description": "When."}',
        "three(reason, [at]): It is three.",
        '    at: {"type": "string", "description": "Where."}',
    ]


def test_records_are_described_like_tools() -> None:
    """What an argument refers to follows its tool, and is not repeated for another one."""
    record = {
        "properties": {"n": {"type": "integer"}},
        "required": ["n"],
        "description": "An item.",
    }
    items = {"type": "array", "items": {"$ref": "#/$defs/Item"}}
    tool = _tool("do", items=items)
    tool["input_schema"]["$defs"] = {"Item": record}
    assert describe_tools([tool, tool])[2:] == ["Item(n): An item.", '    n: {"type": "integer"}']


def test_text_has_all_of_the_schemas_in_two_thirds_of_their_length() -> None:
    """Each argument, choice and description of the worker's tools is in the text."""
    tools = described(worker_tools(int).specs)
    text = "\n".join(describe_tools(tools))
    assert len(text) < 0.65 * len(json.dumps(tools))
    pending: list[Any] = [tools]
    while pending:
        each = pending.pop()
        if isinstance(each, dict):
            pending += each.values()
            names = each["properties"] if isinstance(each.get("properties"), dict) else ()
            for part in (*names, each.get("description", ""), *each.get("enum", ())):
                assert json.dumps(part, ensure_ascii=False)[1:-1] in text
        elif isinstance(each, list):
            pending += each
