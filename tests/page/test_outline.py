"""How a snapshot is rendered, without a browser."""

from collections import Counter

import pytest

from pytest_webtask.page.outline import OutlineRenderer
from pytest_webtask.page.snapshot import OPERABLE, in_order, parse_snapshot


def outline_of(snapshot: str, **attrs: str) -> str:
    """The outline of a snapshot whose controls have ids; `attrs` are set on its first node."""
    root = parse_snapshot(snapshot)
    root.children[0].attrs.update(attrs)
    counts: Counter[str] = Counter()
    for node in in_order(root):
        if node.role in OPERABLE:
            node.operates, node.id = True, f"{node.role}-{counts[node.role]}"
            counts[node.role] += 1
    lines = OutlineRenderer(lambda text: "part-1", (1280.0, 720.0)).lines(root)
    return "\n".join(" " * line.depth + line.text for line in lines)


ROW = "- table:\n  - row:\n"


@pytest.mark.parametrize(
    ("snapshot", "outline"),
    [
        (f'{ROW}    - cell "Ada"\n    - cell\n    - cell "12"', "| Ada |  | 12 |"),
        (f'{ROW}    - cell\n    - cell\n    - cell "12"', "|  |  | 12 |"),
        (f'{ROW}    - cell "Ada"\n    - generic: x\n    - cell\n    - cell "12"', "| Ada x |  | 12 |"),
        (f'{ROW}    - cell "Ada"\n    - cell:\n      - button "Edit"', '| Ada | [button-0 "Edit"] |'),
        (f"{ROW}    - cell\n    - cell", ""),
    ],
)  # fmt: skip
def test_cells_stay_in_their_columns(snapshot: str, outline: str) -> None:
    """Empty cells are shown, and text between two cells belongs to the first."""
    assert outline_of(snapshot).removeprefix("table:").strip() == outline


def test_row_of_a_long_cell_keeps_its_empty_cells() -> None:
    """The cells of a row that does not fit on a line have a line each, empty ones included."""
    words = "".join(f"\n      - paragraph: word {i}" for i in range(6))
    lines = outline_of(f'{ROW}    - cell:{words}\n    - cell\n    - cell "x"').splitlines()
    assert [line.strip() for line in lines if line.strip()[:1] == "|"] == ["| word 0", "|", "| x"]


def test_struck_text_is_marked() -> None:
    """A crossed-out price can be distinguished from the current one."""
    assert outline_of("- paragraph:\n  - deletion: $20\n  - text: $9") == "~~$20~~ $9"


def test_control_characters_and_backslashes_are_read_as_they_are() -> None:
    """Playwright escapes control characters otherwise than JSON does, also several in a row."""
    assert parse_snapshot(r'- paragraph: "a\x01\x02 \\x41"').children[0].text == "a\x01\x02 \\x41"
