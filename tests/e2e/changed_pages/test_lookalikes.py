"""Elements that look alike: rows and cards without a role, parts of a page, headings that change."""

from collections.abc import Iterator

import pytest

from tests.inner import Run, project, visits

STATUS = "<p role=status id=out></p>"


def acting(what: str, name: str) -> str:
    """A button that tells the server what it does."""
    return f"<button onclick=\"fetch('/did-{what}'); out.textContent = 'Done'\">{name}</button>"


def members(*rows: tuple[str, str, str]) -> str:
    """A table of members: the status, name and manager of each, and a button."""
    made = [f"<tr><td>{s}<td>{n}<td>{m}<td>{acting(n, 'Delete')}" for s, n, m in rows]
    heads = "<tr><th>Status<th>Name<th>Manager<th>Action</tr>"
    return f"<h1>Members</h1><table>{heads}{''.join(made)}</table>{STATUS}"


def users(*names: str) -> str:
    """A list that only its layout tells from any other part of the page."""
    rows = [
        f"<div><input aria-label=Name value={n}><input type=hidden value=tok3n-{n}>{acting(n, 'Delete')}</div>"
        for n in names
    ]
    return f"<main><h1>Users</h1>{''.join(rows)}{STATUS}</main>"


def due(*tasks: tuple[str, int], button: str = "Delete") -> str:
    """A list of tasks with their days, each with a box whose label is its title, and a button."""
    rows = [
        f"<li><label><input type=checkbox> {title}</label> <span>due 2026-12-0{day}</span>"
        f" {acting(title.split()[-1], button)}"
        for title, day in tasks
    ]
    return f"<h1>Tasks</h1><ul>{''.join(rows)}</ul>{STATUS}"


def equal(*names: str) -> str:
    """A list of names, each with a button; those of the same name differ only in their positions."""
    rows = [f"<li>{n} {acting(f'{n}-{i}', 'Remove')}</li>" for i, n in enumerate(names)]
    return f"<main><h1>Cart</h1><ul>{''.join(rows)}</ul>{STATUS}</main>"


def parts(*with_button: str, between: str = "<p>Text</p>") -> str:
    """Parts of a page with headings, some of which have a button."""
    made = "".join(
        f"<section><h2>{name}</h2>{between}{acting(name, 'Save') if name in with_button else ''}</section>"
        for name in ("Apollo", "Billing", "Profile")
    )
    return f"<main><h1>Settings</h1>{made}</main>{STATUS}"


def labeled(with_button: str) -> str:
    """Parts of a page with labels, of which one has a button."""
    return STATUS + "".join(
        f"<section aria-label='{name} address'>{acting(name, 'Edit') if name == with_button else ''}</section>"
        for name in ("Apollo", "Billing")
    )


def icons(*picked: str) -> str:
    """Buttons that only show an icon."""
    drawn = {"edit": "M1 0 L8 8", "drop": "M5 0 L8 8"}
    buttons = [acting(each, f"<svg width=16><path d='{drawn[each]}'/></svg>") for each in picked]
    return f"<h1>Notes</h1>{''.join(buttons)}{STATUS}"


def lists(cart: str, wishes: str) -> str:
    """Two lists of things that can be taken out."""
    made = [
        f"<h2>{title}</h2><ul>"
        + "".join(
            f"<li><b>{n}</b> {acting(f'{title[:4]}-{n}', 'Take out')}</li>" for n in names.split()
        )
        + "</ul>"
        for title, names in (("Cart", cart), ("Wish list", wishes))
    ]
    return "".join(made) + STATUS


def frames(*names: str) -> str:
    """Frames without a title, each with a button of the same name."""
    return "<h1>Pay</h1>" + "".join(f"<iframe src=/{each}></iframe>" for each in names) + STATUS


def framed(what: str) -> str:
    """The page of a frame."""
    return acting(what, "Agree").replace(
        "out.textContent", "parent.document.getElementById('out').textContent"
    )


def dialog(project: str, title: str = "Remove {}?") -> str:
    """A button that opens a dialog about a project."""
    return (
        "<h1>Projects</h1><button onclick='d.hidden = false'>Remove Apollo</button>"
        f"<div id=d hidden role=dialog aria-labelledby=t><h2 id=t>{title.format(project)}</h2>"
        f"<footer>{acting(f'remove-{project}', 'Confirm')}</footer></div>{STATUS}"
    )


def requests(*rows: tuple[str, str]) -> str:
    """A table of requests with a state and a person each."""
    body = "".join(f"<tr><td>{s}<td>{n}<td>{acting(f'approve-{n}', 'Approve')}" for s, n in rows)
    return f"<h1>Requests</h1><table><tr><th>State<th>Who<th>Action</tr>{body}</table>{STATUS}"


def radios(group: str, name: str = "") -> str:
    """A group of choices below a heading."""
    boxes = "".join(
        f"<label><input type=radio name={name or group} onclick=\"fetch('/did-{group}');"
        f" out.textContent = 'Done'\">{each}</label>"
        for each in ("Small", "Large")
    )
    return f"<h1>Order</h1><div><h3>{group}</h3>{boxes}</div>{STATUS}"


def feed(*posts: tuple[str, str]) -> str:
    """Posts, each with its author as its heading."""
    made = "".join(
        f"<article><h3>{author}</h3><p>{text}</p>{acting(text.split()[0], 'Like')}</article>"
        for author, text in posts
    )
    return f"<h1>Feed</h1>{made}{STATUS}"


def dated(**days: str) -> str:
    """Names under headings that are dates, each with a button."""
    made = "".join(
        f"<h2>{day.replace('_', ' ')}</h2><ul>"
        + "".join(f"<li><b>{n}</b> {acting(n, 'Hide')}</li>" for n in names.split())
        + "</ul>"
        for day, names in days.items()
    )
    return f"<h1>Log</h1>{made}{STATUS}"


DUE = due(("Call Apollo", 3), ("Buy milk", 4))
MUGS = ("Mug", "Mug", "Mug")
GREETING = "<h1>Good {}, Dana</h1>" + acting("start", "Start") + STATUS
ACTS: dict[str, tuple[str, str, str, str]] = {
    # What is done, the page before and after, and what is asked of the server then, "" for nothing.
    "icons": ("click button  0", icons("edit", "drop"), icons("drop", "edit"), "edit"),
    "icon": ("click button  0", icons("edit"), icons("drop"), ""),
    "list": ("click button Take_out 0", lists("Mug Cup", "Fork"), lists("Cup", "Fork Mug"), ""),
    "list_kept": ("click button Take_out 0", lists("Mug Cup", "Fork"), lists("Cup Mug", "Spoon"), "Cart-Mug"),
    "first": ("click button Take_out 0", lists("Mug Cup", "Fork"), lists("Cup Mug", "Fork"), ""),
    "first_kept": ("click button Take_out 0", lists("Mug Cup", "Fork"), lists("Mug", "Fork"), "Cart-Mug"),
    "newest": ("click button Take_out 1", lists("Mug Cup", "Fork"), lists("Mug Cup Pan", "Fork"), ""),
    "newest_kept": ("click button Take_out 1", lists("Mug Cup", "Fork"), lists("Pan Mug Cup", "Fork"), "Cart-Cup"),
    "frames": ("click button Agree 0", frames("pay", "news"), frames("news", "pay"), ""),
    "frames_kept": ("click button Agree 0", frames("pay", "news"), frames("pay", "ads"), "pay"),
    "dialog": ("click button Confirm 0", dialog("Apollo"), dialog("Borealis"), ""),
    "dialog_reworded": ("click button Confirm 0", dialog("Apollo"), dialog("Apollo", "Delete project {}"), "remove-Apollo"),
    "status": (
        "click button Approve 0",
        requests(("Open", "Bob"), ("Done", "Ann"), ("Done", "Eve")),
        requests(("Done", "Bob"), ("Open", "Ann"), ("Done", "Eve")),
        "approve-Bob",
    ),
    "feed": (
        "click button Like 0", feed(("Ann", "Apollo lands"), ("Bob", "Hello")), feed(("Ann", "Borealis"), ("Bob", "Hello")), "",
    ),
    "feed_kept": (
        "click button Like 0", feed(("Ann", "Apollo lands"), ("Bob", "Hello")), feed(("Bob", "Hello"), ("Ann", "Apollo started")), "Apollo",
    ),
    "day": ("click button Hide 0", dated(Today="Mug Cup", Yesterday="Fork"), dated(Today="Pan", Yesterday="Cup Mug"), "Mug"),
    "date": (
        "click button Hide 0", dated(Monday_23_November="Jug", Friday_20_November="Fork"), dated(Tuesday_24_November="Pan", Monday_23_November="Fork", Friday_20_November="Jug"), "Jug",
    ),
    "radio": ("check radio Large 0", radios("Size"), radios("Coffee"), ""),
    "radio_renamed": ("check radio Large 0", radios("Size", "s"), radios("Measure", "s"), "Measure"),
    # A row without a role is known by its texts, by what the sentence calls it in its own column.
    "row": ("click button Delete 1", users("Ann", "Apollo"), users("Apollo", "Ann"), "Apollo"),
    "member": (
        "click button Delete 0",
        members(("Active", "Apollo", "Ida"), ("Locked", "Kim", "Ida"), ("Locked", "Lou", "Ida")),
        members(("Locked", "Apollo", "Ida"), ("Active", "Kim", "Ida"), ("Locked", "Lou", "Ida")),
        "Apollo",
    ),
    "manager": (
        "click button Delete 0",
        members(("Active", "Apollo", "Ida"), ("Active", "Kim", "Lou")),
        members(("Active", "Kim", "Apollo"), ("Active", "Lou", "Ida")),
        "",
    ),
    # A row is known by its title, whatever its date and position.
    "dates": ("click button Delete 0", DUE, due(("Call Apollo", 4), ("Buy milk", 3)), "Apollo"),
    "order": ("click button Delete 0", DUE, due(("Buy milk", 4), ("Call Apollo", 3)), "Apollo"),
    "added": ("click button Delete 0", DUE, due(("Buy bread", 3), ("Call Apollo", 9), ("Buy milk", 4)), "Apollo"),
    "retitled": ("click button Delete 0", DUE, due(("Call Borealis", 3), ("Buy milk", 4)), ""),
    "gone": ("click button Delete 0", DUE, due(("Buy milk", 3)), ""),
    "replaced": ("click button Delete 0", DUE, due(("Buy milk", 3), ("Buy bread", 4)), ""),
    "buttonless": ("click button Delete 0", DUE, DUE.replace(acting("Apollo", "Delete"), ""), ""),
    "other_button": ("click button Delete 0", DUE, DUE.replace(">Delete<", ">Edit<", 1), ""),
    # Equal rows are told apart by position as long as all of them are there.
    "equal_top": ("click button Remove 0", equal(*MUGS), equal("Mug", "Mug"), ""),
    "equal_last": ("click button Remove 2", equal(*MUGS), equal("Mug", "Mug"), ""),
    "equal_kept": ("click button Remove 2", equal(*MUGS), equal(*MUGS, "Cup"), "Mug-2"),
    # The part that the sentence names is that of the element; any other heading may change.
    "part": ("click button Save 0", parts("Apollo"), parts("Billing"), ""),
    "part_labeled": ("click button Edit 0", labeled("Apollo"), labeled("Billing"), ""),
    "part_of_two": ("click button Save 0", parts("Apollo"), parts("Apollo", "Billing"), "Apollo"),
    "part_below": ("click button Save 0", parts("Apollo"), parts("Apollo", between="<h3>Your name</h3>"), "Apollo"),
    "part_unnamed": ("click button Save 0", parts("Profile"), parts("Billing"), "Billing"),
    "greeting": ("click button Start 0", GREETING.format("morning"), GREETING.format("afternoon"), "start"),
}  # fmt: skip
ACT_PLAYS = """
**{f"do {name} for Apollo": [
    *([act("click", "button:Remove Apollo")] if "dialog" in name else []),
    act(what[0], f"{what[1]}:{what[2].replace('_', ' ')}#{what[3]}"),
    done(text("status:Done", "Done"))]
   for name, each in PICKED.items() for what in [each.split(" ")]},
**{f"task: do {name} for Apollo": [rule(proves=True, identifying=["Cart" if "list" in name else "Apollo"])]
   for name in PICKED if "dialog" in name or "feed" in name or "list" in name},
"task: do part_labeled for Apollo": [rule(proves=True, identifying=["Apollo address"])],
**{f"task: do {name} for Apollo": [rule(proves=True, by_place=["Mug" if "first" in name else "Cup"])]
   for name in PICKED if "first" in name or "newest" in name},
"""


@pytest.fixture(scope="module")
def acted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    """A replay of acts on elements that only what is around or in them tells apart."""
    picked = {name: what for name, (what, *_) in ACTS.items()}
    tests = visits({n: f"do('do {n} for Apollo')" for n in ACTS})
    plays = ACT_PLAYS.replace("PICKED", repr(picked))
    with project(tmp_path_factory.mktemp("acted"), plays, tests) as inner:
        inner.site.pages |= {f"/{each}": framed(each) for each in ("pay", "news", "ads")}
        inner.site.pages |= {f"/{name}": before for name, (_, before, _, _) in ACTS.items()}
        inner.passes()
        # Values of hidden fields, such as tokens, are in no recording.
        assert "tok3n" not in "".join(text for text, _ in inner.files().values())
        inner.site.pages |= {f"/{name}": after for name, (*_, after, _) in ACTS.items()}
        # Pages with frames and dialogs take longer on a busy machine.
        yield inner.run("--webtask-mode=replay", "--webtask-heal=pass", "--webtask-timeout=3")


@pytest.mark.parametrize("name", ACTS)
def test_act_is_on_the_recorded_element_or_none(acted: Run, name: str) -> None:
    """Neither an icon's place nor a heading, frame or dialog makes another element the recorded one."""
    done: list[str] = []
    for request in acted.requests:
        path = request.split()[1].lstrip("/")
        if path in ACTS:
            at = path
        elif path.startswith("did-") and at == name:
            done.append(path.removeprefix("did-"))
    expected = ACTS[name][-1]
    assert done == ([expected] if expected else []), acted.tests[f"test_{name}"].message
    assert acted.outcomes[f"test_{name}"] == ("passed" if expected else "failed"), acted.tests[
        f"test_{name}"
    ].message


MESSAGES = {
    "manager": 'it is no longer in row "Apollo"',
    "equal_top": "3 equal elements differed only in their positions, and now there are 2",
    "equal_last": "3 equal elements differed only in their positions, and now there are 2",
    # What is still there, only elsewhere, can be accepted, and isn't acted upon before.
    "dialog": "accept it: pytest-webtask accept",
}


def test_message_says_why_an_element_is_not_the_recorded_one(acted: Run) -> None:
    """The failure names what differs, and offers an element that is still there elsewhere."""
    for name, message in MESSAGES.items():
        assert message in acted.tests[f"test_{name}"].message
    still = 'still there: button "Confirm", whatever is around it'
    assert still in acted.tests["test_dialog"].message
