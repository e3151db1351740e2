"""The functions of test modules, and the scenarios of feature files, with the sentences in their code."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from pytest_webtask.data.phrases import folded, reason_of
from pytest_webtask.errors import UsageError
from pytest_webtask.journal.schema import Kind, RecordedStep
from pytest_webtask.types.step import CallSite

SUFFIX = ".feature"
BACKGROUND = "Background"
"""The name under which the steps of a background are recorded, once for all scenarios."""
MODULE = "_module"
"""The name under which the steps outside of functions are recorded."""
_LONGEST_NAME = 100
_KINDS: dict[str, Kind] = {
    "do": "do",
    "steps": "do",
    "verify": "verify",
    "holds": "holds",
    "extract": "extract",
    "select": "select",
}
_NAMED = frozenset((None, "task", "claim", "what", "description"))
Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


class WrittenStep(NamedTuple):
    """A step as code has it: the line and `code` of its sentence, which is "" if it is built at run time."""

    kind: Kind
    sentence: str
    line: int
    code: str


@dataclass(frozen=True)
class Function:
    """The texts in a function or a scenario, and the steps in its code.

    `open` means that it builds sentences at run time. `steps` are those of a variable `webtask`: another
    object can have such methods, too.
    """

    texts: frozenset[str]
    steps: tuple[WrittenStep, ...] = ()
    open: bool = False

    def has(self, step: RecordedStep) -> bool:
        """Return whether it may have the sentence of a recorded step."""
        return self.open or not self.texts.isdisjoint(scopes_dropped(step.sentence))


def names_in_module(module: Path) -> set[str]:
    """Return the names that recordings of a module may have. Raises UsageError if it cannot be read."""
    if module.suffix == SUFFIX:
        return {*scenarios_of(module)}
    return {*_nodes_of(module)}


def function_of(module: Path, name: str) -> Function | None:
    """Return a function by its qualified name, or a scenario, or None if there is none.

    Raises UsageError if the module cannot be read.
    """
    if module.suffix == SUFFIX:
        return scenarios_of(module).get(name)
    node = _nodes_of(module).get(name.replace(".<locals>", ""))
    if node is None:
        return None
    texts = (each.value for each in ast.walk(node) if isinstance(each, ast.Constant))
    steps = [*_steps_of(node)]
    return Function(
        frozenset(folded(each) for each in texts if isinstance(each, str)),
        tuple(step for owner, step in steps if owner == "webtask"),
        not all(step.sentence for _, step in steps),
    )


def definitions(
    node: ast.AST, path: tuple[str, ...] = ()
) -> Iterator[tuple[Definition, tuple[str, ...]]]:
    """Yield the functions and classes below a node, each with the parts of its qualified name."""
    for child in ast.iter_child_nodes(node):
        names = path
        if isinstance(child, Definition):
            names = (*path, child.name)
            yield child, names
        yield from definitions(child, names)


def feature_site(feature: Path, scenario: str) -> CallSite:
    """Return the call site of the sentences of a scenario, which are in no function."""
    return CallSite(feature, _as_name(scenario))


def scenarios_of(feature: Path) -> dict[str, Function]:
    """Return the scenarios of a file by the names of their recordings, its background included.

    The sentences of an outline have values that only its examples know. Raises UsageError if the file cannot be read.
    """
    try:
        from gherkin.errors import ParserError
        from gherkin.parser import Parser
    except ImportError:
        raise UsageError(
            f'{feature} cannot be read without pytest-bdd: pip install "pytest-webtask[bdd]"'
        ) from None
    try:
        document: Any = Parser().parse(feature.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, ParserError) as error:
        raise UsageError(f"{feature} cannot be read: {error}; correct the file") from None
    texts: dict[str, set[str]] = {}
    outlines = set()
    for kind, node in _nodes_of_feature(document["feature"] or {}):
        name = BACKGROUND if kind == "background" else _as_name(node["name"])
        texts.setdefault(name, set()).update(folded(step["text"]) for step in node["steps"])
        if node.get("examples"):
            outlines.add(name)
    # The steps of a rule's background are recorded with each of its scenarios.
    background = texts.get(BACKGROUND, set())
    return {
        name: Function(frozenset(own | background), open=name in outlines)
        for name, own in texts.items()
    }


def _nodes_of_feature(parent: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for child in parent.get("children", ()):
        for kind, node in child.items():
            if kind == "rule":
                yield from _nodes_of_feature(node)
            else:
                yield kind, node


def _as_name(scenario: str) -> str:
    """Return the name of a scenario as a recording's file may have it."""
    return re.sub(r"\W+", "_", scenario).strip("_")[:_LONGEST_NAME] or "scenario"


def _nodes_of(module: Path) -> dict[str, ast.AST]:
    try:
        tree = ast.parse(module.read_text(encoding="utf-8"))
    except (OSError, SyntaxError, ValueError) as error:
        raise UsageError(f"{module} cannot be read: {reason_of(error)}; correct the file") from None
    return {MODULE: tree, **{".".join(names): node for node, names in definitions(tree)}}


def scopes_dropped(sentence: str) -> Iterator[str]:
    """Yield a sentence, and what it says without each of the parts of the page that it begins with."""
    from pytest_webtask.literal.grammar import without_scopes

    return map(folded, without_scopes(sentence))


def _steps_of(node: ast.AST) -> Iterator[tuple[str, WrittenStep]]:
    """Yield the steps below a node in their order, each with the object on which it is called."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        kind = _KINDS.get(node.func.attr)
        named = (each.value for each in node.keywords if each.arg in _NAMED)
        for each in (*node.args[:1], *named):
            if kind is not None:
                sentence = each.value if isinstance(each, ast.Constant) else ""
                step = WrittenStep(kind, folded(str(sentence)), each.lineno, ast.unparse(each))
                yield ast.unparse(node.func.value), step
    for child in ast.iter_child_nodes(node):
        yield from _steps_of(child)
