"""The prompt of a turn, as text; clients put it into their own protocols.

Text that strangers can write, such as the page, its dialogs and error messages, is in `Prompt.page`
only; it belongs where a protocol keeps the results of tools.
"""

from __future__ import annotations

import base64
import io
import json
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic.json_schema import GenerateJsonSchema

from pytest_webtask.data.escapes import escape_controls, escape_ids
from pytest_webtask.data.phrases import folded, shortened
from pytest_webtask.data.values import PLACEHOLDER
from pytest_webtask.llm.earlier_steps import describe_steps
from pytest_webtask.llm.packed_facts import packed
from pytest_webtask.types.agent import Conclusion, Iteration, Observation, ToolCall, ToolSpec, Turn
from pytest_webtask.types.page import Seen

if TYPE_CHECKING:
    from jinja2 import Environment

LOOK = "look_at_page"
"""The tool call whose result is the page; the program makes it, not the model."""
READ_FACTS = "read_facts"
"""The tool call whose result is the facts, for a referee."""
READ = "read_record"
"""The tool call whose result is the record of a task, or material, for a role that sees no page."""
PIXELS = 900_000
"""The maximum number of pixels of all pictures of a conclusion; 750 make about a token."""
_RESULT = 12_000
_OLD_RESULT = 400
_CHANGED_LINES = 20
_BEFORE_LINES = 60
_ACTIONS = 120
_LINE = 240
_REASON = 200
_NAME = 60
_EVIDENCE = 2_500
_FEEDBACK = 300
_DETAIL = 1_000


@dataclass(frozen=True)
class Prompt:
    """The prompt of a turn, in its parts.

    `system` is the role's prompt, the same in each turn; `task` holds the task and its history;
    `page` is untrusted text, the result of the tool `shown_by`; `screenshot` is a JPEG file, or None;
    `pictures` belong to checks by eye.
    """

    system: str
    task: str
    page: str
    screenshot: Path | None
    shown_by: str = LOOK
    pictures: Sequence[Path] = ()

    @property
    def files(self) -> list[Path]:
        """The screenshot and the pictures."""
        return [*filter(None, [self.screenshot]), *self.pictures]

    @property
    def images(self) -> list[str]:
        """The screenshot and the pictures in base64; the pictures are scaled to `PIXELS` in all."""
        shown = [self.screenshot.read_bytes()] if self.screenshot else []
        share = PIXELS // max(len(self.pictures), 1)
        shown += [_scaled(picture, share) for picture in self.pictures]
        return [base64.b64encode(data).decode() for data in shown]


def _scaled(picture: Path, pixels: int) -> bytes:
    from PIL import Image

    data = picture.read_bytes()
    with Image.open(io.BytesIO(data)) as image:
        factor = min((pixels / (image.width * image.height)) ** 0.5, 1.0)
        if (factor, image.format) == (1.0, "JPEG"):
            return data
        small = image.convert("RGB").resize(
            (max(int(image.width * factor), 1), max(int(image.height * factor), 1))
        )
    out = io.BytesIO()
    small.save(out, "JPEG", quality=85)
    return out.getvalue()


def render(turn: Turn) -> Prompt:
    """Return the prompt of a turn. If its role sees the page, this observes it."""
    conclusion = turn.conclusion
    system = _rendered(
        "work.md" if turn.work else "own.md" if turn.prompt else f"{turn.role}.md",
        tools={t.name for t in turn.tools},
        prompt=turn.prompt,
        sees=turn.sees,
        role=turn.role,
        kind=conclusion.kind if conclusion else "",
        fields=_fields(conclusion) if conclusion else (),
    )
    task = _rendered("turn.md", turn=turn)
    if conclusion is not None:
        facts = _rendered("facts.md", conclusion=conclusion)
        return Prompt(system, task, facts, None, READ_FACTS, conclusion.pictures)
    past = {
        "results": _results(turn.iterations),
        "earlier": [*map(escape_ids, describe_steps(turn.earlier))],
    }
    if turn.record is not None:
        record = _rendered("record.md", turn=turn, record=turn.record, **past)
        return Prompt(system, task, record, None, READ)
    page: Any = turn.observation if turn.sees else None
    text = _rendered(
        "page.md",
        page=page,
        material=turn.material,
        pictures=[each.name for each in turn.pictures],
        changed=_changed(turn.iterations, page),
        actions=_newest(turn.actions),
        vanished=turn.vanished,
        works=turn.role == "worker",
        work=turn.work,
        before=_before(turn.before, page) if not turn.iterations else (),
        **past,
    )
    shown_by = LOOK if turn.sees else READ
    return Prompt(system, task, text, page and page.screenshot, shown_by, turn.pictures)


def _newest(actions: Sequence[str]) -> list[str]:
    more = len(actions) - _ACTIONS
    return [*([f"({more} earlier ones are not listed)"] if more > 0 else []), *actions[-_ACTIONS:]]


def _fields(conclusion: Conclusion) -> set[str]:
    """Return the fields of the facts, since the referee's prompt explains no others."""
    facts = packed(conclusion.facts)
    material = (*conclusion.actions, *conclusion.deviations)
    texts = json.dumps([conclusion.sentence, material, facts], ensure_ascii=False)
    present = {
        "references": "as in fact" in texts,
        "earlier": "earlier_step" in (fact.get("check") for fact in facts),
        "deviations": conclusion.deviations,
        "placeholders": PLACEHOLDER.search(texts),
    }
    return {*(name for fact in facts for name in fact), *filter(present.get, present)}


def described(tools: Iterable[ToolSpec]) -> list[dict[str, Any]]:
    """Return the name, the description and the `input_schema` of each tool."""
    return [
        {"name": t.name, "description": t.description, "input_schema": input_schema(t)}
        for t in tools
    ]


class _BareSchema(GenerateJsonSchema):
    """JSON Schema without parts that only cost tokens: titles, defaults, and null for what may be left out."""

    def field_title_should_be_set(self, schema: Any) -> bool:  # noqa: ARG002
        return False

    def default_schema(self, schema: Any) -> dict[str, Any]:
        described = self.generate_inner(schema["schema"])
        types = [each for each in described.pop("anyOf", ()) if each != {"type": "null"}]
        if len(types) == 1:
            return {**types[0], **described}
        return {"anyOf": types, **described} if types else described

    def tagged_union_schema(self, schema: Any) -> dict[str, Any]:
        described = super().tagged_union_schema(schema)
        return {"anyOf": described["oneOf"]}


def input_schema(tool: ToolSpec) -> dict[str, Any]:
    """Return the JSON Schema of a tool's input, without parts that only cost tokens."""
    schema = tool.args.model_json_schema(schema_generator=_BareSchema)
    for record in (schema, *schema.get("$defs", {}).values()):
        record.pop("title", None)
    schema.pop("description", None)
    return {"properties": {}, "required": [], **schema}


def called(call: ToolCall, newest: bool = True) -> str:
    """Return a call in one line of limited length; evidence is whole in the `newest` turn only."""
    longest = _EVIDENCE if newest and "evidence" in call.parameters else _LINE
    parameters = " ".join(
        f"{shortened(name, _NAME)}={shortened(json.dumps(value, ensure_ascii=False), longest)}"
        for name, value in call.parameters.items()
        if value is not None
    )
    # JSON may hold line separators outside ASCII.
    parameters = shortened(" ".join(parameters.splitlines()), 4 * longest)
    reason = f" ({shortened(folded(call.reason), _REASON)})" if call.reason else ""
    return f"{_name(call)} {parameters}".strip() + reason


def outcome(call: ToolCall) -> str:
    """Return the outcome of a call in a word or two."""
    if not call.ran:
        return "not run"
    return "ok" if call.success else "failed"


def _name(call: ToolCall) -> str:
    return shortened(folded(call.tool), _NAME)


def _results(iterations: Sequence[Iteration]) -> list[str]:
    """Return the results and events of the last iteration, and what calls of earlier ones have read."""
    lines = []
    for iteration in iterations:
        last = iteration is iterations[-1]
        for call in iteration.calls:
            text = _result_of(call)
            if text and (last or (_reads(call) and len(text) <= _OLD_RESULT)):
                lines.append(f"{iteration.number}. {_name(call)}: {text[:_RESULT]}")
        if last:
            texts = (escape_ids(folded(event.text)) for event in iteration.events)
            lines += (f"{iteration.number}. {text}" for text in texts)
    # A further line cannot pass for one of the prompt.
    return ["\n   ".join(line.splitlines()) for line in lines]


def _result_of(call: ToolCall) -> str:
    if _reads(call):
        # What was read has ids of its own.
        return call.result
    if call.success:
        return escape_ids(call.result)
    return escape_ids(f"{outcome(call)}: {call.error}")


def _reads(call: ToolCall) -> bool:
    """Return whether the result of a call is worth keeping, like that of a look or a project's tool."""
    return call.success and call.informs


def _before(before: Seen | None, page: Observation) -> list[str]:
    """Return the page before the last step, or only its differences if the address is the same."""
    if before is None:
        return []
    if before.url != page.url:
        lines = [*map(_without_ids, before.outline.splitlines())]
        return [
            f"Its address was {escape_ids(shortened(before.url, _LINE))}",
            *_first(lines, _BEFORE_LINES),
        ]
    return _difference(before, page, _BEFORE_LINES) or ["nothing in the outline was different"]


def _changed(iterations: Sequence[Iteration], page: Observation) -> list[str]:
    before = iterations[-1].observed if iterations else None
    if before is None:
        return []
    notes = []
    if before.url != page.url:
        notes.append(f"the address, which was {escape_ids(shortened(before.url, _LINE))}")
    if before.document != page.document:
        notes.append("the page was loaded: all ids are new")
    # Nothing is left of another page.
    if len(notes) < 2:
        notes += _difference(before, page, _CHANGED_LINES)
    return notes or ["nothing in the outline; a drawing may have changed"]


def _difference(before: Seen, page: Observation, most: int) -> list[str]:
    old, new = before.outline.splitlines(), page.outline.splitlines()
    same = SequenceMatcher(None, [*map(_lasting, old)], [*map(_lasting, new)], autojunk=False)
    went: list[str] = []
    came: list[str] = []
    for tag, a, b, c, d in same.get_opcodes():
        if tag != "equal":
            went += (f"- {shortened(line.strip(), _LINE)}" for line in old[a:b])
            came += (f"+ {shortened(line.strip(), _LINE)}" for line in new[c:d])
    return _first([*came, *went], most)


def _first(lines: Sequence[str], most: int) -> list[str]:
    more = [f"… and {len(lines) - most} more lines"] if len(lines) > most else []
    return [*lines[:most], *more]


def _lasting(line: str) -> str:
    """Return a line without the parts that a reload, scroll, change of focus or overlay changes."""
    line = re.sub(r" (focused|covered)\b| [↓↑←→](?=\])", "", line)
    return _without_ids(line).strip()


def _without_ids(line: str) -> str:
    return re.sub(r"([\[<])([a-z]+)-\d+", r"\1\2", line)


def _rendered(template: str, **values: Any) -> str:
    """Return a text without lone surrogates, which pages may hold and UTF-8 may not."""
    text = _templates().get_template(template).render(values)
    return text.encode(errors="replace").decode()


@cache
def _templates() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("pytest_webtask.llm", "prompts"),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        autoescape=False,  # the output is not HTML
    )
    filters: dict[str, Callable[..., Any]] = {
        # A sentence doubles literal braces.
        "braces": lambda text: text.replace("{{", "{").replace("}}", "}"),
        "oneline": folded,
        "newest": _newest,
        # A text of the page outside of its outline.
        "shown": lambda text: escape_ids(folded(text)),
        "called": called,
        "outcome": outcome,
        "feedback": lambda text: shortened(escape_ids(folded(text)), _FEEDBACK),
        # A sentence inside a longer line.
        "named": lambda text: folded(text).rstrip("."),
        "json": lambda value: escape_controls(json.dumps(value, ensure_ascii=False)),
        "data": lambda value: escape_ids(escape_controls(json.dumps(value, ensure_ascii=False))),
        "packed": packed,
        "detail": lambda text: shortened(escape_ids(folded(text)), _DETAIL),
    }
    environment.filters.update(filters)
    return environment
