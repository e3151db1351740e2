"""How a recording describes elements, so that they are still found after harmless changes of the page."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from tests.recordings.inner import Project, Run, project

pytestmark = pytest.mark.slow

OUT = "<p role=status id=out></p>"


def message(kind: str, text: str, *, level: int = 1, note: str = "3 notes are open") -> str:
    """A message above the heading of a page, and another one below it."""
    shown = f"<p class={kind} role=status>{text}</p>" if text else ""
    heading = f"<h{level}>Notes</h{level}><h3>Saved for later</h3>"
    return f"<main>{shown}{heading}<p class={kind} role=status>{note}</p></main>"


def links(more: str = "") -> str:
    """A navigation that says how much is in the cart."""
    return f"<nav><ul><li><a href=/>Home</a></li><li><a href=/cart>Cart (2 items)</a></li></ul></nav>{more}"


def orders(**cells: str) -> str:
    """A table of two orders: the columns, and what the second one has in them."""
    heads = "".join(f"<th scope=col>{c}</th>" for c in ("Number", *cells))
    first, second = ("".join(f"<td>{c}</td>" for c in row) for row in (cells, cells.values()))
    rows = f"<tr><th scope=row>A-1</th>{first}</tr><tr><th scope=row>A-2</th>{second}</tr>"
    return f"<h1>Orders</h1><table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>"


def cart(tag: str, *names: str) -> str:
    """Rows of products, each with two buttons that its form has."""
    row = '<tr><th scope=row>{0}</th><td>$16.50</td><td><form onsubmit="'
    row += "fetch('/did-{0}'); out.textContent = 'Removed {0}'; return false\">{1} {2}</form></td></tr>"
    buttons = {
        "button": ("<button name=save>Update</button>", "<button name=remove>Remove</button>"),
        "input": (
            "<input type=submit name=save value=Update>",
            "<input type=submit name=remove value=Remove>",
        ),
    }
    rows = "".join(row.format(name, *buttons[tag]) for name in names)
    return f"<h1>Cart</h1><table>{rows}</table>{OUT}"


def thanks(before: str = "", after: str = "") -> str:
    """A text that only the heading above it tells."""
    note = "<p class=note>Your number is A-7.</p>"
    return (
        f"{before}<h1>Thank you</h1>{after}{before}{note}{after}<div><p>Paid</p><p>Sent</p></div>"
    )


def titled(level: int, title: str, *others: str) -> str:
    """A heading above others."""
    below = "".join(f"<h{level + 1}>{o}</h{level + 1}>" for o in others)
    return f"<main><h{level}>{title}</h{level}>{below}</main>"


SCRIPTED = f"<button id=send>Send</button>{OUT}<script src=/send.js defer></script>"
SENDS = b"send.onclick = () => { out.textContent = 'Sent' }"
BEFORE = {
    "message": message("flash", "Saved"),
    "silent": message("flash", "Saved"),
    "raised": message("flash", "Saved"),
    "links": links(),
    "column": orders(Date="May", State="Shipped"),
    "swapped": orders(Date="May", State="Shipped"),
    "cart": cart("button", "Mug", "Cup"),
    "thanks": thanks(),
    "titled": titled(1, "Bowls", "Cat Bowls", "Dip Bowls"),
    "untitled": titled(1, "Bowls", "Cat Bowls", "Dip Bowls"),
    "start": "<a href=/scripted>Go on</a>",
    "scripted": SCRIPTED,
}
AFTER = {
    "message": message("k-flash", "Saved"),
    "silent": message("flash", "", note="Saved notes: 3"),
    "raised": message("flash", "Saved", level=2),
    "links": links("<footer><a href=/cart>Cart (2 items)</a></footer>"),
    "column": orders(Date="May", Parcels="1", State="Shipped"),
    "swapped": orders(State="Open", Parcels="Shipped"),
    "cart": cart("input", "Cup", "Mug"),
    "thanks": thanks("<div class=wrap>", "</div>").replace("class=note", "class=k"),
    "titled": titled(2, "Bowls", "Cat Bowls", "Dip Bowls"),
    "untitled": titled(2, "Plates", "Bowls", "Dip Plates"),
}
PLAYS = """
"it was saved": [holds(text("status:Saved", "Saved"))],
"the cart has 2 items": [holds(text("link:Cart", "Cart (2 items)"))],
"order A-2 is shipped": [holds(text("cell:Shipped", "Shipped"))],
"remove the mug": [act("click", "button:Remove@Mug"), done(text("status:Removed", "Removed Mug"))],
"the number is A-7": [holds(text("text:Your number", "A-7"))],
"the heading is Bowls": [holds(text("heading:Bowls", "Bowls"))],
"send it": [act("click", "link:Go on"), act("click", "button:Send"), done(text("status:Sent", "Sent"))],
"""
CLAIMS = {
    **dict.fromkeys(("message", "silent", "raised"), "it was saved"),
    **dict.fromkeys(("column", "swapped"), "order A-2 is shipped"),
    **dict.fromkeys(("titled", "untitled"), "the heading is Bowls"),
    "links": "the cart has 2 items",
    "thanks": "the number is A-7",
}
TESTS = "".join(
    f"""
def test_{name}(webtask):
    webtask.goto("/{name}")
    webtask.{"verify" if name in CLAIMS else "do"}("{sentence}")
"""
    for name, sentence in {**CLAIMS, "cart": "remove the mug", "start": "send it"}.items()
)
STEADY = ["message", "links", "column", "cart", "thanks", "start", "titled", "raised"]
BUGS = ["swapped", "untitled", "silent"]


@dataclass
class Changed:
    """A project whose pages have changed since it was recorded, and its runs on them."""

    project: Project
    off: Run
    passing: Run


@pytest.fixture(scope="module")
def changed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Changed]:
    """Recorded before the change, replayed after it with heals off and passing."""
    with project(tmp_path_factory.mktemp("targets"), PLAYS, TESTS) as inner:
        inner.site.pages |= {f"/{name}": page for name, page in BEFORE.items()}
        inner.site.pages["/send.js"] = ("text/javascript", SENDS)
        inner.passes()
        inner.site.pages |= {f"/{name}": page for name, page in AFTER.items()}
        inner.site.delays["/send.js"] = 0.4
        off = inner.run("--webtask-mode=replay")
        yield Changed(inner, off, inner.run("--webtask-mode=replay", "--webtask-heal=pass"))


@pytest.mark.parametrize("name", STEADY)
def test_harmless_changes_need_no_heal(changed: Changed, name: str) -> None:
    """Other classes, columns, wrappers, tags, a second link and a slow script need no heal."""
    case = changed.off.tests[f"test_{name}"]
    assert case.outcome == "passed", case.message
    assert case.properties["webtask_healed"] == "0"


@pytest.mark.parametrize("name", BUGS)
@pytest.mark.parametrize("run", ["off", "passing"])
def test_expected_text_elsewhere_fails(changed: Changed, run: str, name: str) -> None:
    """A cell of another column, a lower heading or a lower message with the expected text fails."""
    ran: Run = getattr(changed, run)
    assert ran.outcomes[f"test_{name}"] == "failed"


def test_button_is_found_by_its_row_and_name(changed: Changed) -> None:
    """Only the button in the recorded row is clicked, whichever element it is."""
    assert [r for r in changed.off.requests if "did-" in r] == ["GET /did-Mug"]
    [step] = changed.project.steps("test_cart")
    assert "[name=" not in step["calls"][0]["targets"]["element_id"]["locators"][0]
