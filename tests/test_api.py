"""What is public, what is documented, and which module may import which."""

import ast
import graphlib
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import pytest_webtask

PACKAGE = Path(pytest_webtask.__file__).parent
DOCS = PACKAGE.parent / "docs" / "explanation" / "modules.md"
ROOMS = re.findall(r"^\| `([a-z_]+(?:/|\.py))` \|", DOCS.read_text(encoding="utf-8"), re.M)
"""The rooms of the package, from the top down."""


def _name(path: Path) -> str:
    """The name of the module in a file."""
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts).removesuffix(".__init__")


def _modules_of(node: ast.AST) -> Iterator[str]:
    """The modules that one statement or call imports, from anywhere."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        for alias in node.names:
            inner = f"{node.module}.{alias.name}"
            file = PACKAGE.parent.joinpath(*inner.split("."))
            yield inner if file.with_suffix(".py").exists() or file.is_dir() else str(node.module)
    elif isinstance(node, ast.Call) and "import_module" in ast.unparse(node.func):
        yield from (str(a.value) for a in node.args if isinstance(a, ast.Constant))


def _imports(path: Path) -> set[str]:
    """Our own modules that a file imports: at the top, in a function, or for its types alone."""
    nodes = ast.walk(ast.parse(path.read_text()))
    modules = {module for node in nodes for module in _modules_of(node)}
    return {module for module in modules if module.startswith("pytest_webtask.")} - {_name(path)}


def _with_packages(module: str, imported: set[str]) -> Iterator[str]:
    """What runs when a module imports others: the packages that they are in as well."""
    for each in imported:
        yield each
        while (each := each.rpartition(".")[0]).count("."):
            if not f"{module}.".startswith(f"{each}."):
                yield each


def test_all_names_are_loadable() -> None:
    """Every name in `__all__` is listed by dir() and loaded from the module that defines it."""
    names = pytest_webtask.__all__
    assert set(names) <= set(dir(pytest_webtask))
    for name in names:
        assert getattr(pytest_webtask, name).__name__ == name
    with pytest.raises(AttributeError, match="no attribute 'Nothing'"):
        _ = pytest_webtask.Nothing


def test_every_room_is_in_the_docs() -> None:
    """docs/explanation/modules.md lists each folder and file at the top of the package."""
    rooms = {f"{p.name}/" if p.is_dir() else p.name for p in PACKAGE.iterdir() if p.name[0] != "_"}
    assert rooms - {"py.typed"} == set(ROOMS)


def test_imports_form_no_circle() -> None:
    """No module imports itself by way of others, counting imports in functions and for types."""
    names = {_name(path): path for path in PACKAGE.rglob("*.py")}
    # Each name of the package itself is loaded when it is first asked for.
    del names["pytest_webtask"]
    graph = {name: set(_with_packages(name, _imports(path))) for name, path in names.items()}
    circle = []
    try:
        graphlib.TopologicalSorter(graph).prepare()
    except graphlib.CycleError as error:
        circle = error.args[1]
    assert not circle, " imports ".join(reversed(circle))


def test_only_plugin_modules_import_pytest() -> None:
    """Only the plugin, the host of its runs, commands that run it, attachments and the steps of pytest-bdd know the test runner."""
    knowing = {
        path.relative_to(PACKAGE).as_posix()
        for path in PACKAGE.rglob("*.py")
        if "import pytest\n" in path.read_text()
    }
    assert knowing == {
        "bdd.py",
        "cli/check.py",
        "cli/doctor.py",
        "live/opening.py",
        "plugin.py",
        "report/attachments.py",
        "run/confirming.py",
        "run/inner_run.py",
        "run/resume.py",
        "run/run_state.py",
    }
