"""Elements that look alike: rows and cards without a role, parts of a page, headings that change."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.inner import Project, Run, project

STATUS = "<p role=status id=out></p>"


def members(*rows: tuple[str, str, str]) -> str:
    """A table of members: the status, name and manager of each, and a button."""
    made = [
        f"<tr><td>{status}<td>{name}<td>{manager}<td><button"
        f" onclick=\"fetch('/did-{name}'); out.textContent = 'Deleted'\">Delete</button>"
        for status, name, manager in rows
    ]
    return f"<h1>Members</h1><table><tr><th>Status<th>Name<th>Manager<th>Action</tr>{''.join(made)}</table>{STATUS}"


def users(*names: str) -> str:
    """A list that only its layout tells from any other part of the page."""
    rows = [
        f"<div><input aria-label=Name value={n}><input type=hidden value=tok3n-{n}>"
        f"<button onclick=\"fetch('/did-{n}'); out.textContent = 'Deleted'\">Delete</button></div>"
        for n in names
    ]
    return f"<main><h1>Users</h1>{''.join(rows)}{STATUS}</main>"


def equal(*names: str) -> str:
    """A list of names, each with a button; those of the same name differ only in their positions."""
    rows = [
        f"<li>{n} <button onclick=\"fetch('/did-{n}-{i}'); out.textContent = 'Removed'\">Remove</button></li>"
        for i, n in enumerate(names)
    ]
    return f"<main><h1>Cart</h1><ul>{''.join(rows)}</ul>{STATUS}</main>"


def cards(*products: tuple[str, str]) -> str:
    """Products with their prices, in boxes."""
    boxes = [f"<div><h3>{n}</h3><p>Hand made</p><p>${p}</p></div>" for n, p in products]
    return f"<h1>Mugs</h1>{''.join(boxes)}"


def form(saved: str, more: str = "") -> str:
    """A form whose button says what became of it."""
    return (
        f"<main><h1>Form</h1><button onclick=\"out.textContent = '{saved}'\">Save</button>{STATUS}"
        f"</main>{more}"
    )


def parts(profile: str = "", billing: str = "", saved: str = "Saved") -> str:
    """Two parts of a page with headings, and two with labels, with the buttons in them."""
    button = f"<button onclick=\"out.textContent = '{saved}'\">"
    made = {
        name: "".join(f"{button}{each}</button>" for each in buttons.split())
        for name, buttons in (("Profile", profile), ("Billing", billing))
    }
    headed = "".join(f"<section><h2>{n}</h2><p>Text</p>{b}</section>" for n, b in made.items())
    labeled = "".join(
        f"<section aria-label='{n} address'>{b.replace('>Save<', '>Edit<')}</section>"
        for n, b in made.items()
    )
    return f"<main><h1>Settings</h1>{headed}</main><aside>{labeled}</aside>{STATUS}"


def acting(what: str, name: str) -> str:
    """A button that tells the server what it does."""
    return f"<button onclick=\"fetch('/did-{what}'); out.textContent = 'Done'\">{name}</button>"


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
}  # fmt: skip
ACT_PLAYS = """
**{f"do {name} for Apollo": [
    *([act("click", "button:Remove Apollo")] if "dialog" in name else []),
    act(what[0], f"{what[1]}:{what[2].replace('_', ' ')}#{what[3]}"),
    done(text("status:Done", "Done"))]
   for name, each in PICKED.items() for what in [each.split(" ")]},
**{f"task: do {name} for Apollo": [rule(proves=True, identifying=["Cart" if "list" in name else "Apollo"])]
   for name in PICKED if "dialog" in name or "feed" in name or "list" in name},
**{f"task: do {name} for Apollo": [rule(proves=True, by_place=["Mug" if "first" in name else "Cup"])]
   for name in PICKED if "first" in name or "newest" in name},
"""


@pytest.fixture(scope="module")
def acted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    """A replay of acts on elements that only what is around or in them tells apart."""
    picked = {name: what for name, (what, *_) in ACTS.items()}
    tests = "".join(
        f"def test_{n}(webtask):\n    webtask.goto('/{n}')\n    webtask.do('do {n} for Apollo')\n"
        for n in ACTS
    )
    plays = ACT_PLAYS.replace("PICKED", repr(picked))
    with project(tmp_path_factory.mktemp("acted"), plays, tests) as inner:
        inner.site.pages |= {f"/{each}": framed(each) for each in ("pay", "news", "ads")}
        inner.site.pages |= {f"/{name}": before for name, (_, before, _, _) in ACTS.items()}
        inner.passes()
        inner.site.pages |= {f"/{name}": after for name, (*_, after, _) in ACTS.items()}
        # Pages with frames and dialogs take longer on a busy machine.
        yield inner.run("--webtask-mode=replay", "--webtask-heal=pass", "--webtask-timeout=2")


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


GREETING = (
    "<h1>Good {}, Dana</h1><button onclick=\"out.textContent = 'Started'\">Start</button>" + STATUS
)
PLAYS = """
"delete Bob": [act("click", "button:Delete#1"),
    done(text("status:Deleted", "Deleted"))],
**{f"delete {who}": [act("click", "button:Delete#0"),
    done(text("status:Deleted", "Deleted"))] for who in ("member Max", "member Zoe")},
**{f"remove mug {n}": [act("click", f"button:Remove#{n}"),
    done(text("status:Removed", "Removed"))] for n in (0, 2)},
"the price of the Striped Mug": [value(16.5, "text:$16.50")],
"start": [act("click", "button:Start"), done(text("status:Started", "Started"))],
"save": [act("click", "button:Save"), done(text("status:Saved", "Saved"))],
"save the profile": [act("click", "button:Save"), done(text("status:Saved", "Saved"))],
"edit the profile's address": [act("click", "button:Edit"), done(text("status:Saved", "Saved"))],
"task: edit the profile's address": [rule(proves=True, identifying=["Profile address"])],
"the button that saves the profile": [found("button:Save")],
"press the only button": [act("click", "button:Save"), done(text("status:Saved", "Saved"))],
"""
IN_PARTS = {
    "save": 'do("save the profile")',
    "edit": """do("edit the profile's address")""",
    "select": 'select("the button that saves the profile")',
    "any": 'do("press the only button")',
}
EQUAL = {"first": 0, "last": 2, "kept": 2}
"""Names of pages and the button that is pressed of those of equal rows."""
TESTS = (
    """
def test_row(webtask):
    webtask.goto("/users")
    webtask.do("delete Bob")

def test_status(webtask):
    webtask.goto("/status")
    webtask.do("delete member Max")

def test_manager(webtask):
    webtask.goto("/manager")
    webtask.do("delete member Zoe")

def test_card(webtask):
    webtask.goto("/cards")
    assert webtask.extract("the price of the Striped Mug", float) == 16.5

def test_heading(webtask):
    webtask.goto("/greeting")
    webtask.do("start")

def test_message(webtask):
    webtask.goto("/form")
    webtask.do("save")
"""
    + "".join(
        f"""
def test_part_{name}(webtask):
    webtask.goto("/parts")
    webtask.{step}
"""
        for name, step in IN_PARTS.items()
    )
    + "".join(
        f"""
def test_equal_{name}(webtask):
    webtask.goto("/{name}")
    webtask.do("remove mug {number}")
"""
        for name, number in EQUAL.items()
    )
)


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Project]:
    """A project that was recorded before its pages changed."""
    with project(tmp_path_factory.mktemp("lookalikes"), PLAYS, TESTS) as inner:
        inner.site.pages |= {
            "/users": users("Ann", "Bob"),
            "/status": members(
                ("Active", "Max", "Ida"), ("Locked", "Kim", "Ida"), ("Locked", "Lou", "Ida")
            ),
            "/manager": members(("Active", "Zoe", "Ida"), ("Active", "Kim", "Lou")),
            "/cards": cards(("Plain Mug", "12.00"), ("Striped Mug", "16.50")),
            "/greeting": GREETING.format("morning"),
            "/form": form("Saved"),
            "/parts": parts("Save"),
            **{f"/{name}": equal("Mug", "Mug", "Mug") for name in EQUAL},
        }
        inner.passes()
        inner.site.pages |= {
            "/users": users("Bob", "Ann"),
            "/status": members(
                ("Locked", "Max", "Ida"), ("Active", "Kim", "Ida"), ("Locked", "Lou", "Ida")
            ),
            "/manager": members(("Active", "Kim", "Zoe"), ("Active", "Lou", "Ida")),
            "/cards": cards(("Striped Mug", "16.50"), ("Plain Mug", "12.00")),
            "/greeting": GREETING.format("afternoon"),
            "/form": form("Failed", "<footer><p role=status>Saved 3 drafts</p></footer>"),
            "/parts": parts("", "Save"),
            **{f"/{name}": equal("Mug", "Mug") for name in EQUAL},
            "/kept": equal("Mug", "Mug", "Mug", "Cup"),
        }
        yield inner


@pytest.fixture(scope="module")
def replayed(recorded: Project) -> Run:
    """What comes of it with heals that pass."""
    return recorded.run("--webtask-mode=replay", "--webtask-heal=pass")


def test_another_row_is_not_acted_upon(replayed: Run) -> None:
    """A row without a role is known by its texts, so that Ann is not deleted for Bob."""
    requests = [r for r in replayed.requests if "did-" in r and "Mug" not in r]
    assert requests == ["GET /did-Bob", "GET /did-Max"]


def test_row_is_known_by_what_the_sentence_calls_it(replayed: Run) -> None:
    """A status that only one row has is no name of that row if the sentence says another one."""
    assert replayed.outcomes["test_status"] == "passed"


def test_row_that_mentions_another_is_not_that_one(replayed: Run) -> None:
    """A name in another column, such as that of a manager, is not that of the row."""
    message = replayed.tests["test_manager"].message
    assert "the 'Name' of its row is now 'Kim', no longer 'Zoe'" in message


@pytest.mark.parametrize("name", ["first", "last"])
def test_equal_element_of_another_number_of_them_fails(replayed: Run, name: str) -> None:
    """Where one of several equal rows has gone, none is taken for the recorded one."""
    message = replayed.tests[f"test_equal_{name}"].message
    assert "3 equal elements differed only in their positions, and now there are 2" in message


def test_equal_elements_are_told_apart_by_position(replayed: Run) -> None:
    """As long as all of them are there the recorded one is acted upon, and no other."""
    assert replayed.outcomes["test_equal_kept"] == "passed"
    assert [r for r in replayed.requests if "did-Mug" in r] == ["GET /did-Mug-2"]


def test_another_card_is_not_read(replayed: Run) -> None:
    """Either the price of the right product is returned or the test fails."""
    case = replayed.tests["test_card"]
    assert case.outcome == "passed" or "Drifted" in case.message


def test_changed_heading_keeps_its_button(replayed: Run) -> None:
    """A button that is found by its name is found below another heading too."""
    assert replayed.outcomes["test_heading"] == "passed"


def test_expected_text_does_not_heal_its_check(replayed: Run) -> None:
    """Another message with the expected text is not taken for the recorded one."""
    assert replayed.outcomes["test_message"] == "failed"


def test_hidden_fields_are_in_no_recording(recorded: Project) -> None:
    """Values of hidden fields, such as tokens, are in no recording."""
    assert "tok3n" not in "".join(text for text, _ in recorded.files().values())


@pytest.mark.parametrize("name", ["save", "edit", "select"])
def test_element_that_moved_out_of_the_part_of_its_sentence_fails(replayed: Run, name: str) -> None:
    """A button of the same name is another one in a part that the sentence does not name."""
    case = replayed.tests[f"test_part_{name}"]
    assert "Drifted" in case.message


def test_element_whose_part_is_not_named_is_found_in_another_part(replayed: Run) -> None:
    """A heading of which the sentence does not speak may change."""
    assert replayed.outcomes["test_part_any"] == "passed"


def test_heading_between_an_element_and_that_of_its_sentence_changes_nothing(
    recorded: Project,
) -> None:
    """A lower heading may be put above the button."""
    before = recorded.site.pages["/parts"]
    recorded.site.pages["/parts"] = parts("Save").replace("<p>Text</p>", "<h3>Your name</h3>")
    run = recorded.run("--webtask-mode=replay", "-kpart and not any")
    recorded.site.pages["/parts"] = before
    assert set(run.outcomes.values()) == {"passed"}, run.printed


def test_element_is_found_in_the_part_of_its_sentence(recorded: Project) -> None:
    """Where another part has a button of the same name by now, that of the sentence is taken."""
    before = recorded.site.pages["/parts"]
    recorded.site.pages["/parts"] = parts("Save", "Save")
    run = recorded.run("--webtask-mode=replay", "-kpart and not any")
    recorded.site.pages["/parts"] = before
    assert set(run.outcomes.values()) == {"passed"}, run.printed


def test_element_in_other_surroundings_is_offered(acted: Run) -> None:
    """What is still there, only elsewhere, can be accepted, and isn't acted upon before."""
    message = acted.tests["test_dialog"].message
    assert 'still there: button "Confirm", whatever is around it' in message
    assert "accept it: pytest-webtask accept" in message
