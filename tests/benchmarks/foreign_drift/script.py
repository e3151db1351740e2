"""The model with which the suite is recorded: for each sentence, what a careful one would do."""

from __future__ import annotations

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
    """The id of an element as a user would say it: "button:More@Mark Kim".

    That is a role, a name and a text after which it comes on the page, or "<" and a text before
    which it does. An exact name counts before a part of one. Without a text it must be the only one of the shortest.
    """
    wanted, after, anchor = wanted.partition("@")
    if not after:
        wanted, _, anchor = wanted.partition("<")
    role, _, name = wanted.partition(":")
    outline = turn.observation.outline
    start = outline.find(anchor) if anchor else 0
    assert start >= 0, f"no {anchor!r} in\n{outline}"
    seen: list[Element] = [*turn.observation.elements.values(), *turn.observation.texts.values()]
    of_role = [e for e in seen if e.role == role and name in e.name]
    fitting = [e for e in of_role if e.name == name] or of_role
    if not anchor:
        shortest = min((len(e.name) for e in fitting), default=0)
        fitting = [e for e in fitting if len(e.name) == shortest]
    else:
        fitting = [e for e in fitting if (_place(turn, e) >= start) == bool(after)]
        fitting.sort(key=lambda e: _place(turn, e), reverse=not after)
        fitting = fitting[:1]
    assert len(fitting) == 1, f"{wanted} at {anchor!r}: {fitting} in\n{outline}"
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


def count(ids: Callable[[Turn], list[str]]) -> Check:
    """These are all of their kind."""
    return {"kind": "count", "element_ids": ids}


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
    "4 todos are listed": holds(count(every("checkbox"))),
    "2 todos are listed": holds(count(every("checkbox"))),
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
        shown(count(every("checkbox")), state("checkbox:Water the plants", "visible")),
    ],
    "only Water the plants is listed": holds(
        count(every("checkbox")), state("checkbox:Water the plants", "visible")
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
        act(use("click", "button:More@Mark Kim")),
        act(use("click", "menuitem:Suspend")),
        shown(text("cell:Suspended@Mark Kim", "Suspended")),
    ],
    'the message "Mark Kim: suspended" is shown': holds(
        text("element:Mark Kim: suspended", "Mark Kim: suspended")
    ),
    "the status of Mark Kim is Suspended": holds(text("cell:@Mark Kim", "Suspended")),
    "Sarah Kowalski is an active admin": holds(
        text("cell:Active@Sarah Kowalski", "Active"), text("button:Admin@Sarah Kowalski", "Admin")
    ),
    "the number of pending invites": read(2, "text:2@Pending invites", "2"),
    "show only the editors": [
        act(use("select_option", "combobox:Filter by role", options=["Editor"])),
        shown(value("combobox:Filter by role", "Editor"), absent("button", "Viewer")),
    ],
    "search for emily": [
        act(use("fill", "textbox:Search users", text="emily")),
        shown(value("textbox:Search users", "emily"), text("text:Emily Wang", "Emily Wang")),
    ],
    "one user is listed, Emily Wang": holds(
        count(every("button", "More", after="Last active")), text("text:Emily Wang", "Emily Wang")
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
        text("text:12@Total users", "12"), text("text:2@Admins", "2")
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
    "there are 3 messages in the list": holds(count(every("option"))),
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
        text("gridcell:London@Tatyana", "London"),
        text("gridcell:Tatyana", "Tatyana Fitzpatrick"),
    ),
}
