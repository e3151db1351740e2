"""What a recording pins: harmless changes around an element replay, and changes of what is meant do not."""

from collections.abc import Iterator
from typing import NamedTuple

import pytest

from tests.inner import Project, Run, project, visits

pytestmark = pytest.mark.slow
STATUS = "<p role=status id=out></p>"


def button(name: str, shown: str, mark: str = "") -> str:
    """A button that shows a text."""
    return f"<button {mark} onclick=\"out.textContent = '{shown}'\">{name}</button>"


def columns(**cards: str) -> str:
    """The columns of a board, whose titles are no headings."""
    made = "".join(
        f"<section><div style='display: flex; gap: 2em'><span>{title}</span><i>{len(each.split())}</i></div>"
        f"<div>{''.join(f'<article><b>{c}</b></article>' for c in each.split())}</div></section>"
        for title, each in cards.items()
    )
    return f"<h1>Board</h1><div>{made}</div>"


def pane(count: int, *messages: str) -> str:
    """A pane of messages, with a badge in its title, and another one."""
    options = "".join(
        f"<div role=option tabindex=0 onclick=\"out.textContent = 'Opened {m}'\"><b>{m}</b> <i>Hi</i></div>"
        for m in messages
    )
    box = "<div><h2>{}</h2><div role=listbox aria-label={}>{}</div></div>"
    title = f"Inbox <span>{count}</span>"
    return box.format(title, "Messages", options) + box.format("Preview", "Parts", "") + STATUS


def rooms(*days: str) -> str:
    """A table with the free rooms of a day."""
    cells = "".join(f"<td>{button('Free', 'Booked') if '+' in d else ''}" for d in days)
    heads = "".join(f"<th>{d.strip('+')}" for d in days)
    return f"<table><tr><th>Time{heads}</tr><tr><th>Morning{cells}</tr></table>{STATUS}"


def users(asked: str) -> str:
    """Rows with buttons that open a dialog about a user."""
    rows = "".join(
        f"<tr><td>{n}<td><button onclick='d.hidden = false'>Delete</button></tr>"
        for n in ("Bob", "Eve")
    )
    confirm = f"<div role=dialog id=d hidden aria-label=Please><p>Delete {asked}?</p>{button('Yes', 'Gone')}</div>"
    return f"<table>{rows}</table>{STATUS}{confirm}"


def message(kind: str, text: str, *, level: int = 1, note: str = "3 notes are open") -> str:
    """A message above the heading of a page, and another one below it."""
    shown = f"<p class={kind} role=status>{text}</p>" if text else ""
    return f"<main>{shown}<h{level}>Notes</h{level}><h3>For later</h3><p class={kind} role=status>{note}</p></main>"


def card(title: str, count: str) -> str:
    """A list of cards that are links."""
    link = "<li><a href='#' onclick=\"out.textContent = '{}'\"><h3>{}</h3><p>{}</p></a>"
    return f"<ul>{link.format('Opened', title, count)}{link.format('No', 'News', '1 of 4')}</ul>{STATUS}"


def slot(*hours: str) -> str:
    """The appointments of two people, as buttons."""
    rows = (
        f"<tr><td>{n}<td>{''.join(button(h, 'Free') for h in hours)}</tr>" for n in ("Bob", "Eve")
    )
    return f"<table><tr><th>Name<th>Hours</tr>{''.join(rows)}</table>{STATUS}"


def ticks(*titles: str) -> str:
    """A list of tasks that are not marked up as one, each with a box."""
    cell = "<div class=c><div style='width: 9em'>{}</div></div>"
    rows = "".join(
        f"<div class=r><span class=c><div><span><input type=checkbox aria-label='Select task {n}' "
        f"onclick=\"out.textContent = '{title}'\"></span></div></span>{''.join(map(cell.format, (n, '', 0, title)))}</div>"
        for n, title in enumerate(titles, 11)
    )
    return f"<div>{rows}</div>{STATUS}"


def toast(text: str, ms: int) -> str:
    """A button that shows a message for some milliseconds."""
    shows = f"p.textContent = '{text}'; p.hidden = false; setTimeout(() => p.hidden = true, {ms})"
    return f'<button onclick="{shows}">Store</button><p id=p role=alert hidden></p>'


def people(*rows: str) -> str:
    """A table of people, with the name, state, manager and last visit of each."""
    cells = "".join(f"<tr>{''.join(f'<td>{c}' for c in row.split('/'))}</tr>" for row in rows)
    return f"<h1>People</h1><table><tr><th>Name<th>State<th>Manager<th>Seen</tr>{cells}</table>"


def tasks(*titles: str) -> str:
    """A list of tasks, of which each shows whether it is open."""
    items = "".join(f"<li><b>{t}</b> <i>open</i><button>Remove</button>" for t in titles)
    return f"<h1>Tasks</h1><ul id=tasks>{items}</ul>"


def calls(*people: str, onclick: str = "onclick") -> str:
    """Cards of people, each with a link that calls them."""
    cards = "".join(
        f"<div class=card><div><h3><a href=#>{name}</a></h3></div><div><a href=#call "
        f"{onclick}=\"out.textContent = 'Calling {name}'\">Call</a></div></div>"
        for name in people
    )
    return f"{cards}{STATUS}"


def prices(*heads: str, reverse: bool = False) -> str:
    """A table of two products and their prices."""
    rows = [{"Name": "Mug", "Price": "9"}, {"Name": "Jug", "Price": "5"}]
    cells = "".join(
        f"<tr>{''.join(f'<td>{row[h]}' for h in heads)}</tr>"
        for row in rows[:: -1 if reverse else 1]
    )
    return f"<table class=prices><tr>{''.join(f'<th>{h}' for h in heads)}</tr>{cells}</table>"


def orders(**cells: str) -> str:
    """A table of two orders: the columns, and what the second one has in them."""
    heads = "".join(f"<th>{c}</th>" for c in ("Number", *cells))
    first, second = ("".join(f"<td>{c}</td>" for c in row) for row in (cells, cells.values()))
    return f"<h1>Orders</h1><table><tr>{heads}</tr><tr><th>A-1</th>{first}</tr><tr><th>A-2</th>{second}</tr></table>"


class Pin(NamedTuple):
    """A step on a page, pages that differ from it harmlessly and otherwise, and how it was done and ruled."""

    page: str
    harmless: str
    other: str
    play: str
    ruling: str = ""


OTHER = "<table><tr><td>Help<td>Terms</table>"
DONE = 'done(text("status:", "{}"))'
FIELD = f"<label for=m>Note</label><textarea id=m></textarea>{STATUS}" + button("Send", "Sent")
TASKS = "<nav><a href=#v onclick=\"t.textContent = 'Tasks in Visits (4)'\">Visits</a></nav><h1 id=t>Lists</h1>"
STOCK = "<table><tr><th>Name<th>Who</tr><tr><td>Milk<td>Ann</tr></table>"
RESULT = "<div><div><p>Sum</p></div><div><p>42</p></div><div><button>Go</button></div></div>"
SIDE = "<aside><a href=#1>Books List</a></aside><main><h1>Author: Ann Ray</h1></main>"
PINS = {
    "set": Pin(columns(Todo="A B", Review="C D"),
        columns(Todo="A B", Review="C D").replace("section", "div").replace("h1", "h2"),
        columns(Todo="A B", Review="D C"),
        'judge("holds", {"kind": "order", "element_ids": ["article:C"], "texts": ["C"], "place": "first"})',
        'identifying=["Review"]'),
    "place": Pin(pane(3, "Ann", "Bob"), pane(4, "Ann", "Cem"), pane(3, "Zoe", "Ann"),
        f'act("click", "option:Ann"), {DONE.format("Opened Ann")}', 'by_place=["Ann"]'),
    "column": Pin(rooms("Mon", "Tue+", "Wed"), rooms("Mon", "Tuesday+", "Wed"),
        rooms("Mon", "Tue", "Wed+"), f'act("click", "button:Free"), {DONE.format("Booked")}'),
    "dialog": Pin(users("Bob"), users("Bob now").replace("Please", "Sure"), users("Eve"),
        f'act("click", "button:Delete@Bob"), act("click", "button:Yes"), {DONE.format("Gone")}'),
    "field": Pin(FIELD, FIELD.replace("Note", "Note text"), FIELD.replace("Note", "Amount"),
        f'act("fill", "textbox:Note", text="hi"), act("click", "button:Send"), {DONE.format("Sent")}'),
    "gained": Pin(
        button("x", "Closed", "id=c") + STATUS, button("x", "Closed", "id=c aria-label=Close") + STATUS,
        button("x <b>all</b>", "Closed", "id=c") + STATUS, f'act("click", "button:x"), {DONE.format("Closed")}',
    ),
    "count": Pin(TASKS, TASKS.replace("(4)", "(5)"),
        TASKS.replace("Tasks in Visits", "Tasks in Offices"),
        'act("click", "link:Visits"), done(text("heading:Tasks in", "Tasks in Visits"))'),
    "cited": Pin("<h2>Cart (2)</h2>", "<h2>Cart (2)</h2><p>New", "<h2>Cart (3)</h2>",
        'judge("holds", text("heading:Cart", "2"))'),
    "part": Pin(STOCK, STOCK.replace("Milk", "Ham"), STOCK.replace("Milk", "Eggs"),
        'judge("holds", {"kind": "absent", "text": "Eggs", "within": "table:"})'),
    "whole": Pin(RESULT, RESULT.replace("<div>", "<div><div><p>Hi</p></div>", 1), RESULT.replace("42", "41"), 'judge("holds", text(":42", "42"))'),
    "words": Pin(SIDE,
        SIDE.replace("List", "List (4)").replace("<aside>", "<aside><a href=#2>Hot books</a>"),
        SIDE.replace("Ray", "Roe"), 'judge("holds", text("heading:Author", "Author: Ann Ray"))'),
}  # fmt: skip
KINDS = f"""<label>Kind <select onchange="out.textContent = 'Chosen'"><option>None<option>{{}}<option>{{}}</select></label>{STATUS}"""
SAVED = 'judge("holds", text("status:Saved", "Saved"))'
MORE = {
    # A heading that is the only one today, and the only table, whose text is its rows.
    "title": Pin("<h4>Book</h4>", "<h4>Book</h4><aside><h4>Now</h4></aside>",
        "<h4>Loan</h4><aside><h4>Now</h4></aside>", 'judge("holds", text("heading:Book", "Book"))'),
    "table": Pin(STOCK,
        STOCK.replace("<th>Name", "<th>No.<th>Name").replace("<td>Milk", "<td>7<td>Tea"),
        STOCK.replace("Milk", "Oil"),
        'judge("holds", {"kind": "absent", "text": "Oil", "within": "table:"})'),
    "search": Pin(f"<input id=search-a name=@q>{STATUS}" + button("Go", "Found"),
        f"<input id=x9 name=@q>{STATUS}" + button("Go", "Found"),
        f"<input id=x9 name=@note>{STATUS}" + button("Go", "Found"),
        f'act("fill", "textbox:", text="hi"), act("click", "button:Go"), {DONE.format("Found")}'),
    # A word of the sentence in the referee's answer names an item, not each heading with it.
    "named": Pin(f"<h3>Notes (0)</h3><ul aria-label=Notes><li>Hi</ul>{FIELD}",
        f"<h3>Said (0)</h3><ul aria-label=Notes><li>Hi</ul>{FIELD}",
        f"<h3>Tasks (0)</h3><ul aria-label=Tasks><li>Hi</ul>{FIELD}",
        'act("fill", "textbox:Note", text="hi"), act("click", "button:Send"), done(text("status:", "Sent"), text("listitem:Hi", "Hi"))',
        'identifying=["Notes"]'),
}  # fmt: skip
MORE |= {
    # The expected text elsewhere: in a lower message, another column or a lower heading.
    "message": Pin(message("a", "Saved"), message("k", "Saved", level=2),
        message("a", "", note="Saved notes: 3"), SAVED),
    "shipped": Pin(orders(Date="May", State="Shipped"),
        orders(Date="May", Parcels="1", State="Shipped"), orders(State="Open", Parcels="Shipped"),
        'judge("holds", text("cell:Shipped", "Shipped"))'),
    "number": Pin("<h1>Thank you</h1><p class=note>Your number is A-7.</p><p>Paid</p>",
        "<div><h1>Thank you</h1></div><div><p class=k>Your number is A-7.</p></div><p>Paid</p>",
        "<h1>Thank you</h1><p class=note>Your number is A-8.</p><p>Paid</p>",
        'judge("holds", text("text:Your number", "A-7"))'),
    "heading": Pin("<h1>Bowls</h1><h2>Cat</h2><h2>Dip</h2>",
        "<h2>Bowls</h2><h3>Cat</h3><h3>Dip</h3>", "<h2>Plates</h2><h3>Bowls</h3><h3>Dip</h3>",
        'judge("holds", text("heading:Bowls", "Bowls"))'),
}  # fmt: skip
MORE |= {
    "label": Pin(button("add", "Added") + STATUS,
        button("add", "Added", "aria-label='New note'") + STATUS,
        button("remove", "Added") + STATUS, f'act("click", "button:add"), {DONE.format("Added")}'),
    "option": Pin(KINDS.format("Talk (3)", "Course (5)"), KINDS.format("Talk (4)", "Course (6)"),
        KINDS.format("Talk (3)", "Other (5)"),
        f'act("select_option", "combobox:Kind", options=["Course (5)"]), {DONE.format("Chosen")}'),
    # A row without a role, whose box is called by a generated number.
    "ticked": Pin(ticks("Late", "Wrong"), ticks("New", "Late", "Wrong"), ticks("New", "Wrong"),
        f'act("check", "checkbox:Select task 11", checked=True), {DONE.format("Late")}'),
    # A count and a number that the sentence has.
    "copy": Pin(button("Copy (2)", "Opened") + STATUS,
        f"<p>{button('Copy (2)', 'Opened', 'class=x')}</p>{STATUS}",
        button("Copy (1)", "Opened") + STATUS,
        f'act("click", "button:Copy"), {DONE.format("Opened")}'),
    "hour": Pin(slot("14:00"), slot("14:00", "13:00"), slot("15:30"),
        f'act("click", "button:14:00@Bob"), {DONE.format("Free")}'),
    # A card that is a link has a title, and a name that is all that it shows.
    "card": Pin(card("Tickets", "2 of 5"),
        card("Tickets", "3 of 5 <img alt=Late width=9 height=9>"), card("Reviews", "2 of 5"),
        f'act("click", "link:Tickets"), {DONE.format("Opened")}'),
    "level": Pin("<main><h2>Rooms</h2></main>", "<main><h1>Fair</h1><h2>Rooms</h2></main>",
        "<main><h1>Fair</h1><h2>Halls</h2><h3>Rooms</h3></main>",
        'judge("holds", text("heading:Rooms", "Rooms"))'),
    "left": Pin(
        "<h2>Tasks</h2><ul><li>Milk</ul><div><span class=n>2 tasks left</span><button>Clear</button></div>",
        "<h2>Tasks</h2><div>Milk</div><p>2 tasks left</p><button>Clear</button>",
        "<h2>Tasks</h2><ul><li>Milk</ul><div><span class=n>3 tasks left</span><button>Clear</button></div>",
        'judge("holds", text("text:2 tasks", "2 tasks left"))'),
}  # fmt: skip
FOLDERS = f"<nav>{button('{}', 'Opened')} {button('Sent', 'No')}</nav>" + STATUS
OPENED = f'act("click", "button:Drafts"), {DONE.format("Opened")}'
MORE |= {
    # A name that gets a count, a badge or signs around it is the same; with other words it is another.
    f"drafts_{n}": Pin(FOLDERS.format("Drafts"), FOLDERS.format(harmless), FOLDERS.format(other), OPENED)
    for n, (harmless, other) in enumerate([
        ("Drafts (12)", "Drafts of Ann"),
        ("Drafts <b>12</b>", "Drafts 12"),
        ("★ Drafts:", "Old drafts (12)"),
        (f"Drafts</button>{button('Drafts (12)', 'No')}<button>", "Draft"),
    ])
}  # fmt: skip
PEOPLE = ("Bo/Blocked/Di/7 days ago", "Al/Active/Bo/3 minutes ago", "Di/Active//4 minutes ago")
MORE |= {
    # A row by its title, which another row has in another column, whatever else it says today.
    "ago": Pin(people(*PEOPLE),
        people("New/Active/Al/1 minute ago", PEOPLE[0], "Al/Active/Di/9 minutes ago", PEOPLE[2]),
        people(PEOPLE[0], "Cy/Active/Al/3 minutes ago", PEOPLE[2]),
        'judge("holds", {"kind": "absent", "text": "Blocked", "within": "row:Al Active"})'),
    "state": Pin(people(*PEOPLE), people(PEOPLE[2], "Bo/Blocked/Al/8 days ago", PEOPLE[1]),
        people("Bo/Active/Di/7 days ago", "Al/Blocked/Bo/now", PEOPLE[2]),
        'judge("holds", text("row:Bo Blocked", "Blocked"))'),
    # A title that has the expected number in it.
    "stock": Pin(people("MUG-10/10//today", "CUP-7/9//today"),
        people("NEW-1/10//today", "MUG-10/10/Bo/1 day ago", "CUP-7/9//today"),
        people("CUP-7/10//today", "MUG-10/9//today"), 'judge("holds", text("row:MUG-10", "10"))'),
    # What is expected is the title.
    "listed": Pin(people(PEOPLE[1]), people(PEOPLE[0], PEOPLE[1]), people(PEOPLE[0], PEOPLE[2]),
        'judge("holds", text("row:Al Active", "Al"))'),
    "tasks": Pin(tasks("Milk", "Eggs"), tasks("Figs", "Milk", "Eggs"), tasks("Milk", "Figs"),
        'judge("holds", text("listitem:Milk", "Milk"), text("listitem:Eggs", "Eggs"))'),
    # What is meant for its place, by what it shows.
    "first": Pin(tasks("Milk", "Eggs"), tasks("Milk", "Figs", "Eggs"), tasks("Eggs", "Milk"),
        'judge("holds", text("listitem:Milk", "Milk"))', 'by_place=["Milk"]'),
    # A column, wherever it stands; a container without a name, among further wrappers.
    "sorted": Pin(prices("Name", "Price"), prices("Price", "Name"),
        prices("Name", "Price", reverse=True),
        """judge("holds", {"kind": "order", "element_ids": ["cell:9", "cell:5"], "texts": ["9", "5"]})"""),
    "sold": Pin(f"<div>{prices('Name', 'Price')}</div>{OTHER}",
        f"<div>Sale</div><div><div>{prices('Name', 'Price')}</div></div>{OTHER}".replace("9", "8"),
        f"<div>{prices('Name', 'Price')}</div>{OTHER}".replace("Mug", "Cup"),
        'judge("holds", {"kind": "absent", "text": "Cup", "within": "table-0"})'),
    # A link among equal ones, and a typed text that the page shows elsewhere as well.
    "call": Pin(calls("Ada", "Ben", "Cem"), calls("Ben", "Ada", "Cem"), calls("Ada", "Ben", "Cem", onclick="x"),
        f'act("click", "link:Call#1"), {DONE.format("Calling Ben")}'),
    "typed": Pin(f"{FIELD}<p>Walk</p>", FIELD, FIELD.replace("Sent", "Lost"),
        f'act("fill", "textbox:Note", text="Walk"), act("click", "button:Send"), {DONE.format("Sent")}'),
    # A message that went by itself when it was recorded, and is there still.
    "toast": Pin(toast("Stored", 500), toast("Stored", 60_000), toast("Refused", 60_000),
        'act("click", "button:Store"), act("wait", seconds=5), done({"kind": "was_shown", "text": "Stored"})'),
}  # fmt: skip
PINS |= MORE
SENTENCES = {
    "set": "C is first in the review", "place": "open the first message",
    "dialog": "delete the user Bob", "cited": "the cart holds two items",
    "part": "there are no Eggs", "whole": "the sum is 42", "table": "there is no Oil",
    "message": "it was saved", "shipped": "order A-2 is shipped", "number": "the number is A-7",
    "heading": "the heading is Bowls", "level": "this is the page of rooms",
    "card": "open the tickets", "copy": "open Copy (2)",
    "hour": "cancel the 14:00 appointment of Bob", "ticked": "tick the task that is late",
    "left": "2 tasks are left", "ago": "Al is not blocked", "state": "Bo is blocked",
    "stock": "10 MUG-10 are in stock", "listed": "Al is listed",
    "tasks": "Milk and Eggs are open tasks", "first": "the first task is Milk",
    "sorted": "the dear product comes before the cheap one",
    "sold": "there is no Cup", "title": "this is the page of books",
    "words": "it shows the books of Ann Ray", "call": "call Ben", "typed": "note Walk",
}  # fmt: skip


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Project]:
    """A project that has recorded each step on its page."""
    plays, steps = "", {}
    for name, pin in PINS.items():
        sentence = SENTENCES.get(name, f"do {name}")
        kind, step = ("claim", "verify") if "judge" in pin.play else ("task", "do")
        plays += f'"{sentence}": [{pin.play}],\n'
        plays += f'"{kind}: {sentence}": [rule(proves=True, {pin.ruling})],\n'
        steps[name] = f'{step}("{sentence}")'
    with project(tmp_path_factory.mktemp("pins"), plays, visits(steps)) as inner:
        inner.site.pages |= {f"/{name}": pin.page for name, pin in PINS.items()}
        inner.passes()
        yield inner


def replayed(recorded: Project, which: str, heal: str = "off", *args: str) -> Run:
    """A replay on the harmless or the other pages."""
    recorded.site.pages |= {f"/{name}": getattr(pin, which) for name, pin in PINS.items()}
    return recorded.run("--webtask-mode=replay", f"--webtask-heal={heal}", *args)


def test_harmless_changes_replay(recorded: Project) -> None:
    """What is only around an element, or called otherwise beside its name, may change."""
    run = replayed(recorded, "harmless")
    assert {n: case.message for n, case in run.tests.items() if case.outcome != "passed"} == {}
    assert [case.properties["webtask_healed"] for case in run.tests.values()] == ["0"] * len(PINS)


def test_changes_of_what_is_meant_fail(recorded: Project) -> None:
    """Another item, column, name, dialog or text in its place fails, though heals may pass."""
    run = replayed(recorded, "other", "pass", "-knot drafts")
    assert [n for n, outcome in run.outcomes.items() if outcome != "failed"] == []
    assert len(run.outcomes) > len(PINS) / 2


def test_name_of_other_words_is_no_other_count(recorded: Project) -> None:
    """A word, or a number that is no badge, makes another name, which would be a heal."""
    run = replayed(recorded, "other", "off", "-kdrafts")
    assert set(run.outcomes.values()) == {"failed"}, run.printed
