"""The model with which the suite is recorded: for each sentence, what a careful one would do."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from pytest_webtask.types.agent import Decision, Element, ProposedToolCall, Turn, Usage
from tests.scripted import call, rule

Answer = Callable[[Turn], Decision]
Check = dict[str, Any]


class Player:
    """Knows the sentences of the suite, and looks at the page in each turn."""

    def decide(self, turn: Turn) -> Decision:
        """The next answer for the sentence; as a referee it finds everything proved."""
        if turn.conclusion is not None:
            return Decision([rule(proves=True)], usage=Usage(model_calls=1))
        answers = SENTENCES[turn.task]
        return answers[min(len(turn.iterations), len(answers) - 1)](turn)


def find(turn: Turn, wanted: str) -> str:
    """The id of an element as a user would say it: "button:More=Mark Kim".

    That is a role, a name, and a text after which it comes on the page ("@"), or which it comes
    after ("=") or before ("<") on the same line, as in a row. An exact name counts before a part of
    one. Without a text it must be the only one of the shortest. A text may be given as texts that
    follow each other: "Dark table > Black Dashboard".
    """
    place = re.fullmatch(r"(\w+):([^@=<]*)(?:([@=<])(.*))?", wanted)
    assert place is not None, wanted
    role, name, side, anchor = place.groups()
    outline = turn.observation.outline
    seen: list[Element] = [*turn.observation.elements.values(), *turn.observation.texts.values()]
    of_role = [e for e in seen if e.role == role and name in e.name]
    if side is None:
        of_role = [e for e in of_role if e.name == name] or of_role
        shortest = min((len(e.name) for e in of_role), default=0)
        fitting = [e for e in of_role if len(e.name) == shortest]
    else:
        at = 0
        for part in anchor.split(" > "):
            at = outline.find(part, at)
            assert at >= 0, f"no {part!r} in\n{outline}"
        start, end = at, len(outline)
        if side != "@":
            start, end = outline.rfind("\n", 0, at), outline.find("\n", at)
            start, end = (at, end) if side == "=" else (start, at)
        within = [e for e in of_role if start <= _place(turn, e) < end]
        within.sort(key=lambda e: _place(turn, e), reverse=side == "<")
        fitting = ([e for e in within if e.name == name] or within)[:1]
    assert len(fitting) == 1, f"{wanted}: {fitting} in\n{outline}"
    return fitting[0].id


def _place(turn: Turn, element: Element) -> int:
    outline = turn.observation.outline
    ways = (f"<{element.id}>", f"[{element.id} ", f"[{element.id}]")
    return max(outline.find(way) for way in ways)


def every(
    role: str, part: str = "", after: str = "", before: str = ""
) -> Callable[[Turn], list[str]]:
    """The ids of all that have the role and say this, in the order of the page."""

    def ids(turn: Turn) -> list[str]:
        outline = turn.observation.outline
        start = outline.index(after) if after else 0
        end = outline.index(before, start) if before else len(outline)
        seen = {**turn.observation.texts, **turn.observation.elements}
        places = {e.id: _place(turn, e) for e in seen.values() if e.role == role and part in e.name}
        return sorted((i for i, at in places.items() if start <= at < end), key=lambda i: places[i])

    return ids


def first(ids: Callable[[Turn], list[str]]) -> Callable[[Turn], list[str]]:
    """The id of the first of these alone."""
    return lambda turn: ids(turn)[:1]


def _resolved(turn: Turn, check: Check) -> Check:
    made = dict(check)
    for name in ("element_id", "other_id", "within"):
        if made.get(name):
            made[name] = find(turn, made[name])
    if "element_ids" in made:
        made["element_ids"] = made["element_ids"](turn)
    return made


def _decision(*calls: ProposedToolCall) -> Decision:
    return Decision(calls=list(calls), usage=Usage(model_calls=1))


def act(*calls: tuple[str, str, dict[str, Any]]) -> Answer:
    """Calls on elements, all in one answer."""
    return lambda turn: _decision(
        *(call(tool, element_id=find(turn, wanted), **more) for tool, wanted, more in calls)
    )


def use(tool: str, wanted: str, **more: Any) -> tuple[str, str, dict[str, Any]]:
    """A call for `act`."""
    return tool, wanted, more


def shown(*checks: Check) -> Answer:
    """The task is done, as these checks show."""
    return lambda turn: _decision(
        call(
            "mark_done",
            summary="done, as the page shows",
            evidence=[_resolved(turn, check) for check in checks],
        )
    )


def holds(*checks: Check) -> list[Answer]:
    """The claim holds."""
    return [
        lambda turn: _decision(
            ProposedToolCall(
                "report_verdict",
                {"outcome": "holds", "evidence": [_resolved(turn, check) for check in checks]},
                "as shown",
            )
        )
    ]


def read(value: Any, wanted: str, written: str, *checks: Check) -> list[Answer]:
    """A value that is read off an element."""
    return [
        lambda turn: _decision(
            ProposedToolCall(
                "report_value",
                {
                    "value": value,
                    "read": [{"element_id": find(turn, wanted), "text": written}],
                    "evidence": [_resolved(turn, check) for check in checks],
                },
                "as shown",
            )
        )
    ]


def pick(wanted: str) -> list[Answer]:
    """An element that a sentence describes."""
    return [
        lambda turn: _decision(
            ProposedToolCall("report_element", {"element_id": find(turn, wanted)}, "as shown")
        )
    ]


def text(element_id: str, expected: str, **more: Any) -> Check:
    """An element shows a text."""
    return {"kind": "text", "element_id": element_id, "text": expected, **more}


def value(element_id: str, expected: str) -> Check:
    """A field holds a value."""
    return {"kind": "value", "element_id": element_id, "value": expected}


def state(element_id: str, expected: str) -> Check:
    """An element is in a state."""
    return {"kind": "state", "element_id": element_id, "state": expected}


def absent(role: str, name: str) -> Check:
    """There is no such element."""
    return {"kind": "absent", "role": role, "name": name}


def count(number: int, ids: Callable[[Turn], list[str]]) -> Check:
    """These are all of their kind, and so many."""

    def so_many(turn: Turn) -> list[str]:
        found = ids(turn)
        assert len(found) == number, f"{found} are not {number} in\n{turn.observation.outline}"
        return found

    return {"kind": "count", "element_ids": so_many}


def order(ids: Callable[[Turn], list[str]], *texts: str) -> Check:
    """They say this in this order."""
    return {"kind": "order", "element_ids": ids, "texts": list(texts)}


SENTENCES: dict[str, Sequence[Answer]] = {
    # A list of todos.
    "add the todo Feed the cat": [
        act(
            use("fill", "textbox:", text="Feed the cat"),
            use("press", "textbox:", key="Enter"),
        ),
        shown(text("status:Added", "Added Feed the cat"), text("text:3 items", "3 items left")),
    ],
    "4 todos are listed": holds(count(4, every("checkbox"))),
    "2 todos are listed": holds(count(2, every("checkbox"))),
    "Feed the cat is listed": holds(state("checkbox:Feed the cat", "visible")),
    "2 items are left": holds(text("text:items left", "2 items left")),
    "3 items are left": holds(text("text:items left", "3 items left")),
    "1 item is left": holds(text("text:item left", "1 item left")),
    "complete Call the dentist": [
        act(use("check", "checkbox:Call the dentist")),
        shown(state("checkbox:Call the dentist", "checked")),
    ],
    "Buy milk is open and Water the plants is done": holds(
        state("checkbox:Buy milk", "unchecked"), state("checkbox:Water the plants", "checked")
    ),
    "delete Call the dentist": [
        act(use("click", "button:Delete@Call the dentist")),
        shown(
            text("status:Deleted", "Deleted Call the dentist"),
            absent("checkbox", "Call the dentist"),
        ),
    ],
    "the message says that Call the dentist was deleted": holds(
        text("status:Deleted", "Deleted Call the dentist")
    ),
    "Buy milk is due on 2026-12-01": holds(
        state("checkbox:Buy milk", "visible"), text("text:due@Buy milk", "due 2026-12-01")
    ),
    "show only the completed todos": [
        act(use("click", "link:Completed")),
        shown(count(1, every("checkbox")), state("checkbox:Water the plants", "visible")),
    ],
    "only Water the plants is listed": holds(
        count(1, every("checkbox")), state("checkbox:Water the plants", "visible")
    ),
    "how many items are left": read(2, "text:items left", "2 items left"),
    "the button that clears the completed todos": pick("button:Clear completed"),
    "no todo is listed": holds(
        {"kind": "absent", "role": "button", "name": "Delete"}, text("status:", "Cleared")
    ),
    "the todos are Buy milk, Call the dentist, Water the plants, in this order": holds(
        order(every("checkbox"), "Buy milk", "Call the dentist", "Water the plants")
    ),
    'the heading of the list is "My list"': holds(text("heading:My list", "My list")),
    # Users of a workspace in a table.
    "suspend Mark Kim": [
        act(use("click", "button:More=Mark Kim")),
        act(use("click", "menuitem:Suspend")),
        # The message stays for three seconds only.
        shown(
            text("element:Mark Kim: suspended", "Mark Kim: suspended"),
            text("cell:Suspended=Mark Kim", "Suspended"),
        ),
    ],
    "the status of Mark Kim is Suspended": holds(text("cell:=Mark Kim", "Suspended")),
    "Sarah Kowalski is an active admin": holds(
        text("cell:Active=Sarah Kowalski", "Active"), text("button:Admin=Sarah Kowalski", "Admin")
    ),
    "the number of pending invites": read(2, "text:2=Pending invites", "2"),
    "show only the editors": [
        act(use("select_option", "combobox:Filter by role", options=["Editor"])),
        shown(value("combobox:Filter by role", "Editor"), absent("button", "Viewer")),
    ],
    "search for emily": [
        act(use("fill", "textbox:Search users", text="emily")),
        shown(value("textbox:Search users", "emily"), text("text:Emily Wang", "Emily Wang")),
    ],
    "one user is listed, Emily Wang": holds(
        count(1, every("button", "More", after="Last active")),
        text("text:Emily Wang", "Emily Wang"),
    ),
    "the heading is User management": holds(text("heading:User", "User management")),
    "choose Diego Reyes and no one else": [
        act(use("check", "checkbox:Select row<Diego Reyes")),
        shown(state("checkbox:Select row<Diego Reyes", "checked")),
    ],
    "Tom Hardy is not chosen": holds(
        state("checkbox:Select row<Tom Hardy", "unchecked"), text("text:Tom Hardy", "Tom Hardy")
    ),
    "12 users in all, 2 of them admins": holds(
        text("text:12=Total users", "12"), text("text:2=Admins", "2")
    ),
    # Messages in folders.
    "star the message of Stripe": [
        act(use("click", "button:Star@Star Stripe")),
        shown(state("button:Unstar@Stripe Your", "visible"), text("link:Starred", "Starred 2")),
    ],
    "open the folder of starred messages": [
        act(use("click", "link:Starred")),
        shown(text("text:Your invoice is ready", "Your invoice is ready")),
    ],
    "the message of Stripe is listed": holds(text("text:Stripe", "Stripe", exact=True)),
    "there are 3 messages in the list": holds(count(3, every("option"))),
    "open the message of GitHub": [
        act(use("click", "option:GitHub")),
        shown(text("link:Inbox 2", "Inbox 2")),
    ],
    "2 messages are unread": holds(text("link:Inbox 2", "Inbox 2")),
    "there are 3 drafts": holds(text("link:Drafts", "Drafts 3")),
    # Employees in a table with a search and pages.
    "search for the accountants": [
        act(use("fill", "searchbox:Search:", text="accountant")),
        shown(text("status:Showing", "Showing 1 to 2 of 2 entries")),
    ],
    "Airi Satou and Garrett Winters are listed": holds(
        text("gridcell:Airi Satou", "Airi Satou"),
        text("gridcell:Garrett Winters", "Garrett Winters"),
    ),
    "2 employees are listed": holds(text("status:Showing", "Showing 1 to 2 of 2 entries")),
    "the salary of Garrett Winters": read("$170,750", "gridcell:$170,750", "$170,750"),
    "go to page 2": [
        act(use("click", "link:2@Showing")),
        shown(text("status:Showing", "Showing 11 to 20 of 57 entries")),
    ],
    "the entries 11 to 20 of 57 are shown": holds(
        text("status:Showing", "Showing 11 to 20 of 57 entries")
    ),
    "sort by age": [
        act(use("click", "element:Age")),
        shown(text("gridcell:Tatyana", "Tatyana Fitzpatrick"), text("gridcell:19", "19")),
    ],
    "the first employee is 19 years old": holds(text("gridcell:19", "19")),
    "the office of Tatyana Fitzpatrick is London": holds(
        text("gridcell:London=Tatyana", "London"),
        text("gridcell:Tatyana", "Tatyana Fitzpatrick"),
    ),
    # Orders in a table with pages.
    "search the orders for PayPal": [
        act(use("fill", "searchbox:Search table", text="PayPal")),
        shown(text("status:Showing", "Showing 1–3 of 3 (of 20 total)")),
    ],
    "3 orders are listed": holds(count(3, every("button", "More", after="Order: Activate"))),
    "the order of Robert Jones is paid, for $490": holds(
        text("text:Robert Jones", "Robert Jones"),
        text("cell:Paid=Robert Jones", "Paid"),
        text("cell:$490=Robert Jones", "$490"),
    ),
    "the revenue is $84,520": holds(text("text:$84,520=Revenue", "$84,520")),
    "the number of pending orders": read(42, "text:42=Pending", "42"),
    "the first three orders are #7841, #7840 and #7839": holds(
        order(
            every("link", "#78", after="Order: Activate"),
            *(f"#{number}" for number in range(7841, 7831, -1)),
        )
    ),
    "go to the next page of the orders": [
        act(use("click", "link:Next")),
        shown(text("status:Showing", "Showing 11–20 of 20")),
    ],
    "the orders 11 to 20 of 20 are shown": holds(text("status:Showing", "Showing 11–20 of 20")),
    # A dashboard.
    "the monthly earnings are $40,000": holds(text("text:$40,000@Earnings (Monthly)", "$40,000")),
    "the annual earnings are $215,000": holds(text("text:$215,000@Earnings (Annual)", "$215,000")),
    "18 requests are pending": holds(text("text:18@Pending Requests", "18")),
    "the customer database is 60% done": holds(text("text:60%@Customer Database", "60%")),
    'the headings "Earnings Overview" and "Revenue Sources" are shown': holds(
        text("heading:Earnings Overview", "Earnings Overview"),
        text("heading:Revenue Sources", "Revenue Sources"),
    ),
    "choose Logout in the menu of Douglas McGee": [
        act(use("click", "button:Douglas McGee")),
        act(use("click", "link:Logout")),
        shown(text("heading:Ready", "Ready to Leave?")),
    ],
    'the question is "Ready to Leave?"': holds(text("heading:Ready", "Ready to Leave?")),
    "stay logged in": [
        act(use("click", "button:Cancel")),
        shown(absent("heading", "Ready to Leave?"), text("heading:Dashboard", "Dashboard")),
    ],
    "no question is asked any more": holds(
        absent("heading", "Ready to Leave?"), text("heading:Dashboard", "Dashboard")
    ),
    # A form whose fields have hints only.
    "fill in the form for Ada Lovelace, ada@example.com, with {password} twice": [
        act(
            use("fill", "textbox:First Name", text="Ada"),
            use("fill", "textbox:Last Name", text="Lovelace"),
            use("fill", "textbox:Email Address", text="ada@example.com"),
            use("fill", "textbox:Password", text="{password}"),
            use("fill", "textbox:Repeat Password", text="{password}"),
        ),
        shown(
            value("textbox:First Name", "Ada"),
            value("textbox:Last Name", "Lovelace"),
            value("textbox:Email Address", "ada@example.com"),
        ),
    ],
    "the first name is Ada and the last name Lovelace": holds(
        value("textbox:First Name", "Ada"), value("textbox:Last Name", "Lovelace")
    ),
    "register the account": [
        act(use("click", "link:Register Account")),
        shown(text("status:Welcome", "Welcome, Ada Lovelace!")),
    ],
    "Ada Lovelace is welcomed": holds(text("status:Welcome", "Welcome, Ada Lovelace!")),
    # Cards and lists of a billing page.
    "delete the billing information of Lucas Harper": [
        act(use("click", "link:Delete@Lucas Harper")),
        shown(
            text("status:deleted", "Lucas Harper was deleted"), absent("heading", "Lucas Harper")
        ),
    ],
    "the message says that Lucas Harper was deleted": holds(
        text("status:deleted", "Lucas Harper was deleted")
    ),
    "the company of Ethan James is Fiber Notion": holds(
        text("heading:Ethan James", "Ethan James"),
        text("text:Fiber Notion@Ethan James", "Fiber Notion"),
    ),
    "the salary is $2000": holds(text("heading:$2000@Salary", "$2000")),
    "the card holder is Jack Peterson": holds(text("heading:Jack@Card Holder", "Jack Peterson")),
    "print the invoice #RV-126749": [
        act(use("click", "button:PDF@#RV-126749")),
        shown(text("status:invoice", "The invoice of February, 10, 2021 is being printed")),
    ],
    "the transaction with Netflix is the newest, of $2,500": holds(
        text("heading:Netflix@Newest", "Netflix"), text("text:$ 2,500@Netflix", "2,500")
    ),
    "the amount of the invoice #FB-212562": read("$560", "text:$560@#FB-212562", "$560"),
    # People in cards.
    "call Mallory Hulme": [
        act(use("click", "link:Call@Mallory Hulme")),
        shown(text("status:Calling", "Calling Mallory Hulme")),
    ],
    "Dunn Slane is a Research Nurse": holds(
        text("link:Dunn Slane", "Dunn Slane"), text("text:@Dunn Slane", "Research Nurse")
    ),
    "18 of 413 people are shown on this page": holds(text("text:of 413", "1-18 of 413 people")),
    "the link of the Geologist IV": pick("link:Mallory Hulme"),
    "search the people for nurse": [
        act(use("fill", "searchbox:Search user", text="nurse")),
        shown(count(2, every("link", "Call"))),
    ],
    "2 people are shown, Dunn Slane and Egan Poetz": holds(
        count(2, every("link", "Call")),
        text("link:Dunn Slane", "Dunn Slane"),
        text("link:Egan Poetz", "Egan Poetz"),
    ),
    "write to Egan Poetz": [
        act(use("click", "link:Email@Egan Poetz")),
        shown(text("status:Writing", "Writing to Egan Poetz")),
    ],
    # A profile with settings, conversations and projects.
    "subscribe to the newsletter": [
        act(use("check", "checkbox:Subscribe to newsletter")),
        shown(state("checkbox:Subscribe to newsletter", "checked")),
    ],
    "the monthly updates are on, the new launches are off": holds(
        state("checkbox:Monthly product updates", "checked"),
        state("checkbox:New launches and projects", "unchecked"),
    ),
    "6 settings are shown": holds(
        count(6, every("checkbox", after="Platform Settings", before="Profile Information"))
    ),
    "reply to Ivanna": [
        act(use("click", "link:Reply@Ivanna")),
        shown(text("status:Writing", "Writing to Ivanna")),
    ],
    "the latest conversation is with Sophie B.": holds(
        order(first(every("heading", after="Conversations")), "Sophie B.")
    ),
    "the mobile number is (44) 123 1234 123": holds(
        text("listitem:Mobile@Profile Information", "(44) 123 1234 123")
    ),
    "view the project Scandinavian": [
        act(use("click", "button:View Project@Scandinavian")),
        shown(text("status:Opening", "Opening Scandinavian")),
    ],
    "Modern is project #2": holds(
        text("text:Project #2", "Project #2"), text("link:Modern@Project #2", "Modern")
    ),
    "5 people have written": holds(count(5, every("link", "Reply"))),
    # Two tables with the same projects.
    "choose another action for Black Dashboard in the dark table": [
        act(use("click", "button:@Dark table > Black Dashboard")),
        act(use("click", "link:Another action")),
        shown(
            text("status:Another", "Another action for Black Dashboard (Dark table)"),
        ),
    ],
    "React Material Dashboard is on schedule in the light table": holds(
        text("cell:@Light table > React Material Dashboard > USD", "on schedule")
    ),
    "the budget of Black Dashboard in the light table": read(
        "$3150 USD", "cell:$3150=Light table > Black Dashboard", "$3150 USD"
    ),
    "the light table lists Argon Design System first, for $2500": holds(
        text("text:Argon Design System@Light table", "Argon Design System"),
        text("cell:$2500=Light table > Argon Design System", "$2500 USD"),
    ),
    "Vue Paper UI Kit PRO in the light table is completed": holds(
        text("cell:@Light table > Vue Paper > USD", "completed")
    ),
    "the light table has 5 projects": holds(
        count(5, every("button", after="Light table", before="Dark table"))
    ),
    # A form with labels, in two cards.
    "enter the project Moon Base for Acme, on hold, led by Ada, with a budget of 1200": [
        act(
            use("fill", "textbox:Project Name", text="Moon Base"),
            use("select_option", "combobox:Status", options=["On Hold"]),
            use("fill", "textbox:Client Company", text="Acme"),
            use("fill", "textbox:Project Leader", text="Ada"),
            use("fill", "spinbutton:Estimated budget", text="1200"),
        ),
        shown(
            value("textbox:Project Name", "Moon Base"),
            value("combobox:Status", "On Hold"),
            value("textbox:Client Company", "Acme"),
            value("textbox:Project Leader", "Ada"),
            value("spinbutton:Estimated budget", "1200"),
        ),
    ],
    "the project leader is Ada": holds(value("textbox:Project Leader", "Ada")),
    "the form has the sections General and Budget": holds(
        text("heading:General", "General"), text("heading:Budget", "Budget")
    ),
    "create the project": [
        act(use("click", "button:Create new Project")),
        shown(text("status:created", "Moon Base for Acme (On Hold, 1200) was created")),
    ],
    "the message says that the Moon Base for Acme was created on hold": holds(
        text("status:created", "Moon Base for Acme (On Hold, 1200) was created")
    ),
}
