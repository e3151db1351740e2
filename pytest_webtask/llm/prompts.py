"""The prompt of a turn, as text; clients put it into their own protocols.

Text that strangers can write, such as the page, its dialogs and error messages, is in `Prompt.page`
only; it belongs where a protocol keeps the results of tools.
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

from pytest_webtask.data.escapes import escape_controls, escape_ids
from pytest_webtask.data.phrases import folded
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
"""The tool call whose result is the record of a task, for a role that plans it."""
PIXELS = 900_000
"""The maximum number of pixels of all pictures of a conclusion; 750 make about a token."""
_RESULT = 12_000
_OLD_RESULT = 400
_CHANGED_LINES = 14
_BEFORE_LINES = 60
_ACTIONS = 120
_LINE = 240
_REASON = 200
_NAME = 60
_PARAMETERS = 1_000
_EVIDENCE = 2_500
_FEEDBACK = 300
_DETAIL = 1_000
_NO_TEXTS = frozenset(("kind", "within"))
"""The fields of a check that are not what it expects."""
_MESSAGE, _TEXT, _ELEMENT, _NAVIGATION, _GONE = range(5)
"""The ranks of changed lines; `_GONE` is added to that of a line that has gone."""
_CONTAINER = re.compile(
    r"\W*(?:(?:alert|alertdialog|dialog|status)|(?P<navigation>navigation|menubar))"
    r"""(?:-\d+>|:|\ ")""",
    re.VERBOSE,
)
"""The line of a container; an id is that of its role."""
_CONTROL = re.compile(r'<[a-z]+-\d+>|\[[a-z]+-\d+(?:"(?:\\.|[^"\\])*"|[^\]"])*\]')
"""A control, or the id of what can only be read."""


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
    def images(self) -> list[str]:
        """The screenshot and the pictures in base64; the pictures are scaled to `PIXELS` in all."""
        shown = [self.screenshot.read_bytes()] if self.screenshot else []
        share = PIXELS // max(len(self.pictures), 1)
        shown += [_scaled(picture, share) for picture in self.pictures]
        return [base64.b64encode(data).decode() for data in shown]


def _scaled(picture: Path, pixels: int) -> bytes:
    """Return the bytes of a picture, scaled down to at most this number of pixels."""
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
    """Return the prompt of a turn. If its role sees the page, this observes it."""
    conclusion = turn.conclusion
    system = _rendered(
        "work.md" if turn.work else "own.md" if turn.prompt else f"{turn.role}.md",
        tools={t.name for t in turn.tools},
        prompt=turn.prompt,
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
    page = turn.observation
    text = _rendered(
        "page.md",
        page=page,
        changed=_changed(turn.iterations, page),
        actions=_newest(turn.actions),
        vanished=turn.vanished,
        works=turn.role == "worker",
        work=turn.work,
        before=_before(turn.before, page) if not turn.iterations else (),
        **past,
    )
    return Prompt(system, task, text, page.screenshot)


def _newest(actions: Sequence[str]) -> list[str]:
    """Return the newest actions, after a line with the number of those before them."""
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


def input_schema(tool: ToolSpec) -> dict[str, Any]:
    """Return the JSON Schema of a tool's input, without parts that only cost tokens."""
    # Among these is that an optional parameter may be null: a model leaves it out instead.
    schema: dict[str, Any] = _bare(tool.parameters)
    for name, parameter in schema["properties"].items():
        types = [p for p in parameter.get("anyOf", ()) if p != {"type": "null"}]
        if name not in schema.get("required", ()) and len(types) == 1:
            del parameter["anyOf"]
            schema["properties"][name] = {**types[0], **parameter}
    schema.pop("description", None)
    schema.setdefault("required", [])
    return schema


def called(call: ToolCall, newest: bool = True) -> str:
    """Return a call in one line of limited length, in few words if it is of an earlier turn than the `newest`."""
    if not newest and not call.ran:
        return _name(call)
    parameters = " ".join(
        f"{_short(name, _NAME)}={_cited(value, newest) if name == 'evidence' else _short(json.dumps(value, ensure_ascii=False), _LINE)}"
        for name, value in call.parameters.items()
        if value is not None
    )
    # JSON may hold line separators outside ASCII.
    most = _EVIDENCE if "evidence" in call.parameters else _PARAMETERS
    parameters = _short(" ".join(parameters.splitlines()), most)
    reason = f" ({_short(folded(call.reason), _REASON)})" if call.reason else ""
    return f"{_name(call)} {parameters}".strip() + reason


def _cited(evidence: Any, newest: bool) -> str:
    """Return evidence as JSON, or else the kinds and expected texts of its checks."""
    if newest or not isinstance(evidence, list):
        return _short(json.dumps(evidence, ensure_ascii=False), _EVIDENCE)
    briefs = []
    for check in evidence:
        fields = check if isinstance(check, dict) else {"": check}
        texts: list[Any] = []
        for name, value in fields.items():
            # Ids are those of a page before.
            if name not in _NO_TEXTS and not name.endswith(("_id", "_ids")):
                texts += value if isinstance(value, list) else [value]
        quoted = [f'"{_short(each, _NAME)}"' for each in texts if isinstance(each, str)]
        briefs.append(" ".join([str(fields.get("kind", "")), *quoted]))
    return _short("; ".join(briefs), _LINE)


def outcome(call: ToolCall) -> str:
    """Return the outcome of a call in a word or two."""
    return "ok" if call.success else "failed" if call.ran else "not run"


def _name(call: ToolCall) -> str:
    return _short(folded(call.tool), _NAME)


def _bare(value: Any, *, names: bool = False) -> Any:
    """Return a schema without titles and defaults; keys below `properties` are the user's names."""
    if isinstance(value, dict):
        return {
            ("anyOf" if k == "oneOf" and not names else k): _bare(
                v, names=not names and k in ("properties", "$defs")
            )
            for k, v in value.items()
            if names or k not in ("title", "default", "discriminator")
        }
    return [*map(_bare, value)] if isinstance(value, list) else value


def _results(iterations: Sequence[Iteration]) -> list[str]:
    """Return the results of the last iteration, and earlier ones that are worth keeping."""
    lines = []
    for iteration in iterations:
        last = iteration.number == iterations[-1].number
        not_run: dict[str, list[str]] = {}
        for call in iteration.calls:
            if not call.ran:
                not_run.setdefault(call.error or "", []).append(_name(call))
                continue
            text = call.result if call.success else f"failed: {call.error}"
            if text and (last or (_reads(call) and len(text) <= _OLD_RESULT)):
                # What was read has ids of its own.
                shown = text if _reads(call) else escape_ids(text)
                lines.append(_indented(f"{iteration.number}. {_name(call)}: {shown[:_RESULT]}"))
        if last:
            lines += [
                _indented(f"{iteration.number}. {', '.join(names)}: not run: {escape_ids(why)}")
                for why, names in not_run.items()
            ]
            lines += [
                f"{iteration.number}. {escape_ids(folded(event.text))}"
                for event in iteration.events
            ]
    return lines


def _reads(call: ToolCall) -> bool:
    """Return whether the result of a call is worth keeping, like that of a look or a project's tool."""
    return call.success and call.informs


def _before(before: Seen | None, page: Observation) -> list[str]:
    """Return the page before the last step, or only its differences if the address is the same."""
    if before is None:
        return []
    if before.url != page.url:
        lines = [*map(_without_ids, before.outline.splitlines())]
        shown = [f"Its address was {escape_ids(_short(before.url))}", *lines[:_BEFORE_LINES]]
        more = len(lines) - _BEFORE_LINES
        return [*shown, f"… and {more} more lines"] if more > 0 else shown
    return _difference(before, page, _BEFORE_LINES) or ["nothing in the outline was different"]


def _changed(iterations: Sequence[Iteration], page: Observation) -> list[str]:
    """Return the differences of the outline to the turn before, in a few lines."""
    before = iterations[-1].observed if iterations else None
    if before is None:
        return []
    address = escape_ids(_short(before.url))
    if before.document != page.document and before.url != page.url:
        return [f"another page; you come from {address}"]
    lines = _difference(before, page, _CHANGED_LINES)
    if before.document != page.document:
        return ["the same address was loaded again: all ids are new", *lines]
    if before.url != page.url:
        return [f"the address, which was {address}; the page was not reloaded", *lines]
    did = any(call.acts or not call.informs for call in iterations[-1].calls)
    return lines or (["nothing in the outline; a drawing may have changed"] if did else [])


def _difference(before: Seen, page: Observation, most: int) -> list[str]:
    """Return the lines of the outline that went and came, at most `most` of them."""
    old, new = before.outline.splitlines(), page.outline.splitlines()
    same = SequenceMatcher(None, [*map(_lasting, old)], [*map(_lasting, new)], autojunk=False)
    went, came = [*zip(old, _ranks(old), strict=True)], [*zip(new, _ranks(new), strict=True)]
    changes: list[tuple[str, int]] = []
    for tag, a, b, c, d in same.get_opcodes():
        if tag != "equal":
            changes += [(f"- {_short(line.strip())}", _GONE + rank) for line, rank in went[a:b]]
            changes += [(f"+ {_short(line.strip())}", rank) for line, rank in came[c:d]]
    more = len(changes) - most
    if more > 0:
        # Sorting is stable: lines of one rank stay in the order of the page.
        changes = sorted(changes, key=lambda change: change[1])[:most]
    return [line for line, _ in changes] + ([f"… and {more} more lines"] if more > 0 else [])


def _ranks(outline: Sequence[str]) -> list[int]:
    """Return how telling each changed line is: messages and dialogs first, then texts, controls, navigation."""
    ranks: list[int] = []
    around: list[tuple[int, int | None]] = []
    for line in outline:
        depth = len(line) - len(line.lstrip())
        while around and around[-1][0] >= depth:
            around.pop()
        inside = around[-1][1] if around else None
        if container := _CONTAINER.match(line):
            inside = _NAVIGATION if container["navigation"] else _MESSAGE
        around.append((depth, inside))
        shows_text = re.search(r"\w", _CONTROL.sub("", line))
        ranks.append((_TEXT if shows_text else _ELEMENT) if inside is None else inside)
    return ranks


def _lasting(line: str) -> str:
    """Return a line without the parts that a reload, scroll, change of focus or overlay changes."""
    line = re.sub(r" (focused|covered)\b| [↓↑←→](?=\])", "", line)
    return _without_ids(line).strip()


def _without_ids(line: str) -> str:
    return re.sub(r"([\[<])([a-z]+)-\d+", r"\1\2", line)


def _indented(text: str) -> str:
    """Return a text whose further lines cannot pass for those of the prompt."""
    return "\n   ".join(text.splitlines())


def _short(text: str, length: int = _LINE) -> str:
    return text if len(text) <= length else f"{text[:length]}…"


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
        "feedback": lambda text: _short(escape_ids(folded(text)), _FEEDBACK),
        # A sentence inside a longer line.
        "named": lambda text: folded(text).rstrip("."),
        "json": lambda value: escape_controls(json.dumps(value, ensure_ascii=False)),
        "packed": packed,
        "detail": lambda text: _short(escape_ids(folded(text)), _DETAIL),
    }
    environment.filters.update(filters)
    return environment
