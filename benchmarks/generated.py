"""Pages of a given number of DOM nodes."""

from __future__ import annotations

from collections.abc import Callable


def _table(nodes: int) -> str:
    rows = "".join(
        f"<tr><td>{i}</td><td><a href='/o/{i}'>Order {i}</a></td><td>Customer {i % 97}</td>"
        f"<td>{i * 7 % 1000}.00</td><td><button>Edit</button></td></tr>"
        for i in range(nodes // 8)
    )
    head = "".join(f"<th>{name}</th>" for name in ("No", "Order", "Who", "Sum", ""))
    return f"<table><thead><tr>{head}</tr></thead>{rows}</table>"


def _cards(nodes: int) -> str:
    return "".join(
        f"<div class=card><div class=body><h3><a href='/p/{i}'>Product {i}</a></h3>"
        f"<p>A fine thing, number {i}, for every day.</p>"
        f"<div class=foot><span>{i % 50}.90 €</span><div class=buy>Add</div></div></div></div>"
        for i in range(nodes // 9)
    )


def _list(nodes: int) -> str:
    return (
        "<ul>"
        + "".join(f"<li>Entry {i}<span> of the list</span></li>" for i in range(nodes // 2))
        + "</ul>"
    )


def _deep(nodes: int) -> str:
    return "".join(
        "<div>" * 18 + f"<span>Leaf {i}</span><input aria-label='Field {i}'>" + "</div>" * 18
        for i in range(nodes // 20)
    )


KINDS: dict[str, Callable[[int], str]] = {
    "table": _table,
    "cards": _cards,
    "list": _list,
    "deep": _deep,
}
LISTEN = """for (const e of document.querySelectorAll(".buy, li:nth-child(10n)"))
  e.addEventListener("click", () => {})"""
