"""How a snapshot is rendered, without a browser."""

from __future__ import annotations

from collections import Counter

import pytest

from pytest_webtask.page.outline import OutlineRenderer
from pytest_webtask.page.snapshot import OPERABLE, Node, in_order, parse_snapshot


def outline_of(snapshot: str, **attrs: str) -> str:
    """The outline of a snapshot whose controls have ids; `attrs` are set on its first node."""
    root = parse_snapshot(snapshot)
    root.children[0].attrs.update(attrs)
    counts: Counter[str] = Counter()
    ids: dict[Node, str] = {}
    for node in in_order(root):
        if node.role in OPERABLE:
            ids[node] = f"{node.role}-{counts[node.role]}"
            counts[node.role] += 1
    lines = OutlineRenderer(ids, {}, lambda text: "part-1", (1280.0, 720.0)).lines(root)
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


@pytest.mark.parametrize(
    ("snapshot", "outline"),
    [
        ('- button "12":\n  - text: "1"\n  - text: "2"', '[button-0 "1 2"]'),
        ('- button "1 2":\n  - text: "1"\n  - text: "2"', '[button-0 "1 2"]'),
        ('- button "June 12":\n  - text: "1"\n  - text: "2"', '[button-0 "June 12"]'),
        ('- button "Word":\n  - text: W\n  - text: ord', '[button-0 "Word"]'),
    ],
)
def test_numbers_of_several_elements_stay_apart(snapshot: str, outline: str) -> None:
    """A name that runs two numbers together is shown as its texts."""
    assert outline_of(snapshot) == outline


def test_links_of_one_name_say_where_they_lead() -> None:
    """An address is shown once, and only for links that their names do not tell apart."""
    urls = ["/p/1", "/p/2", "/p/1", "#top"]
    links = [f'- link "View":\n  - /url: {url}' for url in urls]
    assert outline_of("\n".join([*links, '- link "Cart":\n  - /url: /cart'])) == (
        '[link-0 "View" to /p/1] [link-1 "View" to /p/2] [link-2 "View"] [link-3 "View"] [link-4 "Cart"]'
    )


def test_struck_text_is_marked() -> None:
    """A crossed-out price can be distinguished from the current one."""
    assert outline_of("- paragraph:\n  - deletion: $20\n  - text: $9") == "~~$20~~ $9"


TABLE = (
    "- table:\n  - row:\n    - columnheader: Name\n    - columnheader: Qty\n"
    "  - row:\n    - cell: Mug\n    - cell:\n      - textbox"
)


@pytest.mark.parametrize(
    ("snapshot", "near"),
    [
        ("- generic:\n  - text: Quantity\n  - spinbutton", "Quantity"),
        ("- paragraph: Kind\n- generic:\n  - combobox", "Kind"),
        ("- heading: Code\n- textbox", "Code"),
        (f"- text: {'word ' * 20}\n- textbox", f"{'word ' * 7}word…"),
        ('- text: Say "x"] [button-9\n- textbox', r'Say \"x\"] \u005bbutton-9'),
        (TABLE, "Qty"),
        (TABLE.replace("    - columnheader: Qty\n", ""), "Mug"),
        ("- table:\n  - row:\n    - rowheader: Title\n    - cell:\n      - textbox", "Title"),
        ("- table:\n  - row:\n    - cell:\n      - textbox\n    - cell: Title", None),
        (f"{ROW}    - cell: Mug\n    - cell:\n      - textbox\n    - cell:\n      - combobox", None),
        ("- text: Quantity\n- button: Add\n- textbox", None),
        ("- text: Quantity\n- textbox: a\n- checkbox", "Quantity"),
        ("- list:\n  - listitem: One\n  - listitem:\n    - textbox", None),
        ("- text: Quantity\n- dialog:\n  - textbox", None),
        ("- dialog:\n  - text: Sure?\n- textbox", None),
        ('- text: Quantity\n- textbox "Count"', None),
        ("- text: Pears\n- checkbox", None),
    ],
)  # fmt: skip
def test_field_without_a_name_is_near_a_text(snapshot: str, near: str | None) -> None:
    """It is described by its column header or the text before it, unless that describes something else."""
    outline = outline_of(snapshot)
    assert (f'near "{near}"' in outline) if near else ("near" not in outline)
    assert outline.count("near") <= 1
