"""Hold the budget of lines and branch points that `[tool.budget]` in pyproject.toml sets.

`python -m scripts.budget` prints what is counted beside what is allowed, and fails if anything is over.
The budget is only ever lowered: a new rule pays with an old one.
"""

from __future__ import annotations

import ast
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib  # type: ignore[import-not-found]

ROOT = Path(__file__).parent.parent
_BRANCHES = (ast.If, ast.For, ast.While, ast.IfExp, ast.ExceptHandler, ast.match_case)
_NO_CODE = frozenset(
    (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT,
     tokenize.ENCODING, tokenize.ENDMARKER)
)  # fmt: skip


def count_lines(files: Iterator[Path]) -> int:
    """Return the number of lines of files."""
    return sum(file.read_bytes().count(b"\n") for file in files)


def count_branches(source: str) -> int:
    """Return the number of places at which code may go on in two ways."""
    count = 0
    for node in ast.walk(ast.parse(source)):
        count += isinstance(node, _BRANCHES)
        if isinstance(node, ast.BoolOp):
            count += len(node.values) - 1
        if isinstance(node, ast.comprehension):
            count += 1 + len(node.ifs)
    return count


def count_code_lines(file: Path) -> int:
    """Return the number of lines that hold code, without comments and docstrings."""
    lines: set[int] = set()
    with file.open("rb") as stream:
        for token in tokenize.tokenize(stream.readline):
            if token.type not in _NO_CODE:
                lines.update(range(token.start[0], token.end[0] + 1))
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            lines -= {*range(node.lineno, (node.end_lineno or node.lineno) + 1)}
    return len(lines)


def figures() -> dict[str, float]:
    """Return what is counted, by the names in pyproject.toml."""
    package = [*(ROOT / "pytest_webtask").rglob("*.py")]
    code = sum(map(count_code_lines, package))
    branches = sum(count_branches(file.read_text("utf-8")) for file in package)
    return {
        "python-lines": count_lines(iter(package)),
        "javascript-lines": count_lines((ROOT / "pytest_webtask").rglob("*.js")),
        "test-lines": count_lines((ROOT / "tests").rglob("*.py")),
        "code-lines-per-branch": round(code / branches, 2),
    }


def main() -> None:
    """Print the figures, and exit with an error if one is over its budget."""
    budget = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["budget"]
    over = []
    for name, count in figures().items():
        allowed = budget[name]
        print(f"{name}: {count:g} ({allowed:g} allowed)")
        is_least = name.endswith("per-branch")
        if count < allowed if is_least else count > allowed:
            over.append(name)
    if over:
        sys.exit(
            f"over the budget: {', '.join(over)}. Remove what the change makes unnecessary; a case that"
            " few testers meet is a line in docs/explanation/limits.md instead of a rule"
        )


if __name__ == "__main__":
    main()
