"""A turn in words: what a language model reads. Clients put it into their own protocols.

What strangers can write, such as the page, its dialogs and error messages, is in `Prompt.page`
alone; it belongs where a protocol keeps the results of tools.
"""

from __future__ import annotations

import base64
import io
import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_webtask.checks.packing import packed
from pytest_webtask.types.agent import (
    Conclusion,
    Iteration,
    Observation,
    Seen,
    ToolCall,
    ToolSpec,
    Turn,
)

if TYPE_CHECKING:
    from jinja2 import Environment

__all__ = ["LOOK", "READ", "Prompt", "called", "input_schema", "outcome", "render"]

LOOK = "look_at_page"
"""The tool call under whose name the page is shown; the program makes it, not the model."""
READ_FACTS = "read_facts"
"""That under whose name a referee is shown the facts."""
READ = "read_record"
"""That under whose name the record of a task is shown to who plans it."""
PIXELS = 900_000
"""Pixels that the pictures of a conclusion have in all, of which about 750 are a token."""
_SAID = 12_000
_OLD_SAID = 400
_CHANGED_LINES = 14
_BEFORE_LINES = 60
_ACTIONS = 40
_LINE = 240
_REASON = 200
_NAME = 60
_GIVEN = 1_000
_EVIDENCE = 2_500
_FEEDBACK = 300
_DETAIL = 1_000
_ELEMENT = re.compile(r"\[[a-z]+-\d+")


@dataclass(frozen=True)
class Prompt:
    """A turn in words.

    `system` is the role's, the same in each turn; `task` is what is to be done and was done so
    far; `page` what is untrusted, the result of the tool `shown_by`; `screenshot` a JPEG file, or
    None; `pictures` are those of checks by eye.
    """

    system: str
    task: str
    page: str
    screenshot: Path | None
    shown_by: str = LOOK
    pictures: Sequence[Path] = ()

    @property
    def images(self) -> list[str]:
        """The screenshot and the further pictures in base64; these have PIXELS in all at most."""
        shown = [self.screenshot.read_bytes()] if self.screenshot else []
        share = PIXELS // max(len(self.pictures), 1)
        shown += [_scaled(picture, share) for picture in self.pictures]
        return [base64.b64encode(data).decode() for data in shown]


def _scaled(picture: Path, pixels: int) -> bytes:
    """Return the bytes of a picture, made smaller where it has more pixels."""
    from PIL import Image

    data = picture.read_bytes()
    with Image.open(io.BytesIO(data)) as image:
        if image.width * image.height <= pixels:
            return data
        factor = (pixels / (image.width * image.height)) ** 0.5
        small = image.convert("RGB").resize(
            (max(int(image.width * factor), 1), max(int(image.height * factor), 1))
        )
    out = io.BytesIO()
    small.save(out, "JPEG", quality=85)
    return out.getvalue()


def render(turn: Turn) -> Prompt:
    """Put a turn into words. This observes the page, if nobody did yet and the role sees it."""
    templates = _templates()
    system = "work.md" if turn.work else f"{turn.role}.md"
    conclusion = turn.conclusion
    told: dict[str, Any] = {
        "system": _sendable(
            templates.get_template(system).render(
                tools={t.name for t in turn.tools},
                kind=conclusion.kind if conclusion else "",
                fields=_fields(conclusion) if conclusion else (),
            )
        ),
        "task": _sendable(templates.get_template("turn.md").render(turn=turn)),
    }
    if turn.conclusion is not None:
        facts = _sendable(templates.get_template("facts.md").render(conclusion=turn.conclusion))
        pictures = turn.conclusion.pictures
        return Prompt(**told, page=facts, screenshot=None, shown_by=READ_FACTS, pictures=pictures)
    if turn.record is not None:
        record = templates.get_template("record.md")
        said = _said(turn.iterations)
        shown = _sendable(record.render(turn=turn, record=turn.record, said=said))
        return Prompt(**told, page=shown, screenshot=None, shown_by=READ)
    page = turn.observation
    return Prompt(
        **told,
        page=_sendable(
            templates.get_template("page.md").render(
                page=page,
                said=_said(turn.iterations),
                changed=_changed(turn.iterations, page),
                actions=turn.actions[-_ACTIONS:],
                vanished=turn.vanished,
                works=turn.role == "worker",
                work=turn.work,
                before=_before(turn.before, page) if not turn.iterations else (),
            )
        ),
        screenshot=page.screenshot,
    )


_PLACEHOLDER = re.compile(r"\{[^\W\d]\w*\}")


def _fields(conclusion: Conclusion) -> set[str]:
    """Return what the facts of a conclusion have, of which alone a referee is told what it means."""
    facts = packed(conclusion.facts)
    texts = json.dumps([conclusion.sentence, conclusion.actions, facts], ensure_ascii=False)
    return {
        *(name for fact in facts for name in fact),
        *(["references"] if "as in fact" in texts else []),
        *(["placeholders"] if _PLACEHOLDER.search(texts) else []),
    }


def input_schema(tool: ToolSpec) -> dict[str, Any]:
    """The JSON Schema of a tool's input, without what only costs tokens.

    An optional parameter may be left out; that it may be null as well is not told.
    """
    schema: dict[str, Any] = _bare(tool.parameters)
    for name, parameter in schema["properties"].items():
        given = [p for p in parameter.get("anyOf", ()) if p != {"type": "null"}]
        if name not in schema.get("required", ()) and len(given) == 1:
            del parameter["anyOf"]
            schema["properties"][name] = {**given[0], **parameter}
    schema.pop("description", None)
    schema.setdefault("required", [])
    return schema


def called(call: ToolCall) -> str:
    """A call in one line of bounded length: the tool, its parameters and the reason for it."""
    given = " ".join(
        f"{_short(name, _NAME)}={_short(json.dumps(value, ensure_ascii=False), _EVIDENCE if name == 'evidence' else _LINE)}"
        for name, value in call.parameters.items()
        if value is not None
    )
    # What is JSON may still hold separators of lines that are none of ASCII's.
    most = _EVIDENCE if "evidence" in call.parameters else _GIVEN
    given = _short(" ".join(given.splitlines()), most)
    reason = f" ({_short(_oneline(call.reason), _REASON)})" if call.reason else ""
    return f"{_name(call)} {given}".strip() + reason


def outcome(call: ToolCall) -> str:
    """What came of a call, in a word or two."""
    return "ok" if call.success else "not run" if _why(call) != call.error else "failed"


def _why(call: ToolCall) -> str:
    return (call.error or "").removeprefix("not run: ")


def _name(call: ToolCall) -> str:
    return _short(_oneline(call.tool), _NAME)


def _bare(value: Any, *, names: bool = False) -> Any:
    """A schema without titles and defaults; below `properties` the keys are names of the user's."""
    if isinstance(value, dict):
        return {
            ("anyOf" if k == "oneOf" and not names else k): _bare(
                v, names=not names and k in ("properties", "$defs")
            )
            for k, v in value.items()
            if names or k not in ("title", "default", "discriminator")
        }
    return [_bare(v) for v in value] if isinstance(value, list) else value


def _said(iterations: Sequence[Iteration]) -> list[str]:
    """What the tools and the page answered: all of it the last time, before that only what was read."""
    lines = []
    for iteration in iterations:
        last = iteration.number == iterations[-1].number
        for call in iteration.calls:
            text = call.result if call.success else f"{outcome(call)}: {_why(call)}"
            if text and (last or (_reads(call) and len(text) <= _OLD_SAID)):
                lines.append(f"{iteration.number}. {_name(call)}: {text[:_SAID]}")
        if last:
            lines += [f"{iteration.number}. {_oneline(event.text)}" for event in iteration.events]
    return lines


def _reads(call: ToolCall) -> bool:
    """Whether the call told something to keep: a look, and whatever a project's own tool says."""
    return call.success and (call.tool == "look" or call.tool not in _own_tools())


@cache
def _own_tools() -> frozenset[str]:
    from pytest_webtask.tools import finish, navigation
    from pytest_webtask.tools.orchestration import EDITS
    from pytest_webtask.tools.registry import ENDINGS

    tools = (
        *navigation.NAVIGATION_TOOLS,
        *navigation.LOOKING_TOOLS,
        finish.MARK_DONE,
        finish.ABORT,
    )
    return frozenset({"set_output", *(tool.name for tool in tools)}) | ENDINGS | EDITS


def _before(before: Seen | None, page: Observation) -> list[str]:
    """What the page was before the last step of the test, as far as it was another."""
    if before is None:
        return []
    if before.url != page.url:
        lines = [_without_ids(line) for line in before.outline.splitlines()]
        told = [f"Its address was {_short(before.url)}", *lines[:_BEFORE_LINES]]
        more = len(lines) - _BEFORE_LINES
        return [*told, f"… and {more} more lines"] if more > 0 else told
    return _difference(before, page, _BEFORE_LINES) or ["nothing that the outline shows was other"]


def _changed(iterations: Sequence[Iteration], page: Observation) -> list[str]:
    """What the outline shows otherwise than in the turn before, in a few lines."""
    before = iterations[-1].observed if iterations else None
    if before is None:
        return []
    if before.url != page.url:
        return [f"another page: you come from {_short(before.url)}"]
    lines = _difference(before, page, _CHANGED_LINES)
    if any(call.loaded for call in iterations[-1].calls):
        return ["the same address was loaded anew: all ids are others", *lines]
    return lines or ["nothing that the outline shows; a drawing may have changed"]


def _difference(before: Seen, page: Observation, most: int) -> list[str]:
    """The lines of the outline that went and came."""
    old, new = before.outline.splitlines(), page.outline.splitlines()
    same = SequenceMatcher(None, [*map(_lasting, old)], [*map(_lasting, new)], autojunk=False)
    lines = []
    for tag, a, b, c, d in same.get_opcodes():
        if tag != "equal":
            lines += [f"- {_short(line.strip())}" for line in old[a:b]]
            lines += [f"+ {_short(line.strip())}" for line in new[c:d]]
    if len(lines) > most:
        told = _foremost(lines, most)
        return [*told, f"… and {len(lines) - len(told)} more lines"]
    return lines


def _foremost(lines: Sequence[str], most: int) -> list[str]:
    """Of too many changes what has come, if anything has, and messages rather than controls."""
    came = [line for line in lines if line[0] == "+"] or lines
    # Sorting is stable: both kinds stay in the order of the page.
    first = sorted(range(len(came)), key=lambda i: bool(_ELEMENT.search(came[i])))
    return [came[i] for i in sorted(first[:most])]


def _lasting(line: str) -> str:
    """A line without ids, which are new after a reload, without focus and what a new layer covers,
    and where one has scrolled."""
    line = re.sub(r" (focused|covered)\b| [↓↑←→](?=\])", "", line)
    return _without_ids(line).strip()


def _without_ids(line: str) -> str:
    return re.sub(r"([\[<])([a-z]+)-\d+", r"\1\2", line)


def _oneline(text: object) -> str:
    return " ".join(str(text).split())


def _short(text: str, length: int = _LINE) -> str:
    return text if len(text) <= length else f"{text[:length]}…"


def _sendable(text: str) -> str:
    """The text without halves of surrogate pairs, which pages may hold and UTF-8 may not."""
    return text.encode(errors="replace").decode()


@cache
def _templates() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("pytest_webtask.llm", "prompts"),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        autoescape=False,  # this is no HTML
    )
    filters: dict[str, Callable[..., Any]] = {
        # A brace is written twice in a sentence, and typed once.
        "braces": lambda text: text.replace("{{", "{").replace("}}", "}"),
        "oneline": _oneline,
        "called": called,
        "outcome": outcome,
        "feedback": lambda text: _short(_oneline(text), _FEEDBACK),
        # A sentence in a list, which goes on after it.
        "named": lambda text: _oneline(text).rstrip("."),
        "json": lambda value: json.dumps(value, ensure_ascii=False),
        "packed": packed,
        "detail": lambda text: _short(_oneline(text), _DETAIL),
    }
    environment.filters.update(filters)
    return environment
