"""A turn that was handed over, as text for its reader."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from pytest_webtask.desk.desk import HandedTurn


def format_turn(turn: HandedTurn, shown: set[str], whole: bool = False) -> str:
    """Return a turn as text, without system prompts and tools in `shown`; add the new ones to it."""
    from jinja2 import Environment, PackageLoader

    if turn.is_blind:
        # Its text is always complete, because its reader knows nothing else.
        shown = set()
    if whole:
        shown.clear()
    system = turn.read("system.md")
    tools = {json.dumps(tool): tool for tool in json.loads(turn.read("tools.json"))}
    new = [tool for key, tool in tools.items() if key not in shown]
    known = [tool["name"] for key, tool in tools.items() if key in shown]
    loader = PackageLoader("pytest_webtask.desk")
    environment = Environment(loader=loader, trim_blocks=True, lstrip_blocks=True)
    text = environment.get_template("turn.txt").render(
        turn=turn,
        about=turn.about,
        system=system,
        shown=shown,
        new=new,
        known=known,
        described=describe_tools(new),
    )
    shown.update([system, *tools])
    return text


def describe_tools(tools: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return each tool with its arguments, in brackets if optional, each as JSON Schema where it is new or differs.

    Records that arguments refer to are described like tools.
    """
    known: dict[str, str] = {}
    lines = []

    def add(name: str, line: str) -> None:
        if known.get(name) != line:
            lines.append(line)
        known[name] = line

    for tool in tools:
        schema = tool["input_schema"]
        own = {tool["name"]: {**schema, "description": tool["description"]}}
        for name, record in {**own, **schema.get("$defs", {})}.items():
            add(name, f"{name}({_names(record)}): {record.get('description', '')}")
            for argument, meaning in record.get("properties", {}).items():
                add(argument, f"    {argument}: {json.dumps(meaning, ensure_ascii=False)}")
    return lines


def _names(schema: Mapping[str, Any]) -> str:
    required = schema.get("required", ())
    names = schema.get("properties", {})
    return ", ".join(name if name in required else f"[{name}]" for name in names)
