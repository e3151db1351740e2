"""Changes that put another element where the recorded one was: it must not be acted upon.

Each marks what is wrong to act upon and, where it is still there, what is right. A run passes if
nothing wrong was acted upon and it has either failed or acted on what is right.
"""

from __future__ import annotations

from tests.benchmarks.foreign_drift.change import Change


def _all(sort: str, *changes: tuple[str, str, str]) -> list[Change]:
    return [Change("decoy", sort, test, name, edit) for test, name, edit in changes]


def _marked(css: str, name: str) -> str:
    """Items are right if they say this, and wrong otherwise."""
    return f"each('{css}', (el) => {{ (has(el, '{name}') ? right : wrong)(el); }});"


_TODOS = _marked(".todo-list > li", "Call the dentist")
_USERS = _marked("main tbody tr", "Mark Kim")
_CHOSEN = _marked("main tbody tr", "Diego Reyes")
_MESSAGES = _marked(".inbox-item", "Stripe")
_GITHUB = _marked(".inbox-item", "GitHub")


def _exchanged(css: str, first: str, second: str) -> str:
    """Two items change places whenever they are drawn."""
    return (
        f"each('{css}', (el) => {{ if (!has(el, '{first}')) return false;"
        f" const other = [...el.parentNode.children].find((e) => has(e, '{second}'));"
        " if (!other) return false; swap(el, other); });"
    )


def _renamed(css: str, first: str, second: str) -> str:
    """Two items change their texts, and nothing else."""
    return (
        f"each('{css}', (el) => {{ if (has(el, '{first}')) say(el, '{first}', '{second}');"
        f" else if (has(el, '{second}')) say(el, '{second}', '{first}'); else return false; }});"
    )


def _removed(css: str, name: str) -> str:
    return f"each('{css}', (el) => {{ if (!has(el, '{name}')) return false; el.remove(); }});"


def _without(css: str, name: str, control: str) -> str:
    """The control of one item is gone, while the others have theirs."""
    return (
        f"each('{css}', (el) => {{ if (!has(el, '{name}')) return false;"
        f" el.querySelector('{control}').remove(); }});"
    )


def _posing(css: str, name: str, other: str) -> str:
    """The item has another name, and the next one is beside it."""
    return (
        f"each('{css}', (el) => {{ if (!has(el, '{name}')) return false;"
        f" say(el, '{name}', '{other}'); }});"
    )


_CUSTOMERS = _marked("main li:has(.text-danger)", "Lucas Harper")
_INVOICES = _marked("main li:has(button)", "#RV-126749")
_CARDS = _marked(".page-body .card", "Mallory Hulme")
_CUSTOMER = "main li:has(.text-danger)"
_INVOICE = "main li:has(button)"
_CARD = ".page-body .card"
_LI = ".todo-list > li"
_TR = "main tbody tr"
_TALK = "li:has(a.btn-link)"
_TALKS = f"late('{_TALK}', (el) => {{ (has(el, 'Ivanna') ? right : wrong)(el); }});"
_WORKS = "late('.card-blog', (el) => { (has(el, 'Scandinavian') ? right : wrong)(el); });"
_DARK = "table:has(.thead-dark) tbody tr"
# In the card that is called the dark table.
_BLACK = (
    "late('tbody tr', (el) => { (has(el, 'Black Dashboard')"
    " && has(el.closest('.card').querySelector('h3'), 'Dark table') ? right : wrong)(el); });"
)
DECOYS = [
    *_all(
        "items exchanged",
        (
            "test_billing_delete",
            "with the one before",
            _exchanged(_CUSTOMER, "Lucas Harper", "Oliver Liam") + _CUSTOMERS,
        ),
        (
            "test_billing_print",
            "with the next",
            _exchanged(_INVOICE, "#RV-126749", "#FB-212562") + _INVOICES,
        ),
        (
            "test_people_call",
            "with the next",
            "each('.row-cards > [class*=col]', (el) => { if (!has(el, 'Mallory')) return false; swap(el, [...el.parentNode.children].find((e) => has(e, 'Dunn'))); });"
            + _CARDS,
        ),
        (
            "test_todo_delete",
            "with the one before",
            _exchanged(_LI, "dentist", "Buy milk") + _TODOS,
        ),
        (
            "test_todo_complete",
            "with the one before",
            _exchanged(_LI, "dentist", "Buy milk") + _TODOS,
        ),
        ("test_todo_delete", "with the last", _exchanged(_LI, "dentist", "Water") + _TODOS),
        (
            "test_users_suspend",
            "with the next row",
            _exchanged(_TR, "Mark Kim", "Lina Park") + _USERS,
        ),
        ("test_users_choose", "with the next row", _exchanged(_TR, "Diego", "Yuki") + _CHOSEN),
        (
            "test_inbox_star",
            "with the next",
            _exchanged(".inbox-item", "Stripe", "Michael R.") + _MESSAGES,
        ),
        (
            "test_inbox_read",
            "with the next",
            _exchanged(".inbox-item", "GitHub", "Stripe") + _GITHUB,
        ),
        (
            "test_profile_reply",
            "with the next",
            _exchanged(_TALK, "Ivanna", "Peterson") + _TALKS,
        ),
        (
            "test_profile_view",
            "with the one before",
            "late('.col-xl-3:has(.card-blog)', (el) => { if (!has(el, 'Scandinavian')) return false; swap(el, el.previousElementSibling); });"
            + _WORKS,
        ),
        (
            "test_projects_act",
            "with the next row",
            _exchanged(_DARK, "Black Dashboard", "React Material") + _BLACK,
        ),
        (
            "test_projects_act",
            "the two tables",
            "late('.card:has(.thead-light)', (el) => { swap(el, document.querySelector('.card:has(.thead-dark)')); });"
            + _BLACK,
        ),
    ),
    *_all(
        "dates exchanged",
        (
            "test_billing_print",
            "the amounts of two invoices",
            _renamed(_INVOICE, "$250", "$560") + _INVOICES,
        ),
        (
            "test_billing_print",
            "the dates of two invoices",
            _renamed("main li h6", "February, 10, 2021", "April, 05, 2020") + _INVOICES,
        ),
        (
            "test_todo_delete",
            "of two todos",
            _renamed(".todo-list > li > span", "2026-12-01", "2026-12-03") + _TODOS,
        ),
        (
            "test_todo_complete",
            "of two todos",
            _renamed(".todo-list > li > span", "2026-12-01", "2026-12-03") + _TODOS,
        ),
        (
            "test_users_suspend",
            "when two users were last active",
            _renamed(f"{_TR} > :nth-child(5)", "3 hours ago", "Yesterday") + _USERS,
        ),
        (
            "test_users_choose",
            "when two users were last active",
            _renamed(f"{_TR} > :nth-child(5)", "2 days ago", "4 days ago") + _CHOSEN,
        ),
        (
            "test_inbox_star",
            "the times of two messages",
            _renamed(".inbox-item .meta", "7:30 AM", "8:14 AM") + _MESSAGES,
        ),
        (
            "test_profile_reply",
            "the previews of two conversations",
            _renamed(f"{_TALK} p", "About files I can..", "Have a great afternoon..") + _TALKS,
        ),
        (
            "test_projects_act",
            "the budgets of two projects",
            _renamed(f"{_DARK} > .budget", "$3150", "$4400") + _BLACK,
        ),
    ),
    *_all(
        "item removed, equal ones remain",
        ("test_billing_delete", "the customer", _removed(_CUSTOMER, "Lucas Harper") + _CUSTOMERS),
        ("test_billing_print", "the invoice", _removed(_INVOICE, "#RV-126749") + _INVOICES),
        ("test_people_call", "the card", _removed(_CARD, "Mallory") + _CARDS),
        ("test_todo_delete", "the todo", _removed(_LI, "dentist") + _TODOS),
        ("test_todo_complete", "the todo", _removed(_LI, "dentist") + _TODOS),
        ("test_users_suspend", "the row", _removed(_TR, "Mark Kim") + _USERS),
        ("test_users_choose", "the row", _removed(_TR, "Diego Reyes") + _CHOSEN),
        ("test_inbox_star", "the message", _removed(".inbox-item", "Stripe") + _MESSAGES),
        ("test_inbox_read", "the message", _removed(".inbox-item", "GitHub") + _GITHUB),
        (
            "test_profile_reply",
            "the conversation",
            _removed(_TALK, "Ivanna") + _TALKS,
        ),
        (
            "test_profile_view",
            "the project",
            _removed(".card-blog", "Scandinavian") + _WORKS,
        ),
        (
            "test_projects_act",
            "the row",
            _removed(_DARK, "Black Dashboard") + _BLACK,
        ),
    ),
    *_all(
        "control removed, equal ones remain",
        (
            "test_billing_delete",
            "in the item",
            _without(_CUSTOMER, "Lucas Harper", ".text-danger") + _CUSTOMERS,
        ),
        (
            "test_people_call",
            "in the card",
            _without(_CARD, "Mallory", ".card-btn:last-child") + _CARDS,
        ),
        ("test_todo_delete", "in the item", _without(_LI, "dentist", "button") + _TODOS),
        ("test_users_suspend", "in the row", _without(_TR, "Mark Kim", "[data-row-menu]") + _USERS),
        ("test_users_choose", "in the row", _without(_TR, "Diego Reyes", "input") + _CHOSEN),
        (
            "test_inbox_star",
            "in the message",
            _without(".inbox-item", "Stripe", "button") + _MESSAGES,
        ),
        (
            "test_profile_reply",
            "in the conversation",
            _without(_TALK, "Ivanna", "a.btn-link") + _TALKS,
        ),
        (
            "test_projects_act",
            "in the row",
            _without(_DARK, "Black Dashboard", ".dropdown") + _BLACK,
        ),
    ),
    *_all(
        "item renamed",
        (
            "test_billing_delete",
            "the customer",
            _posing("main li h6", "Lucas Harper", "Luke Harper") + _CUSTOMERS,
        ),
        (
            "test_people_call",
            "the person",
            _posing(_CARD, "Mallory Hulme", "Malcolm Hull") + _CARDS,
        ),
        (
            "test_todo_delete",
            "the todo",
            _TODOS + _posing(_LI, "Call the dentist", "Call the doctor"),
        ),
        ("test_users_suspend", "the user", _posing(_TR, "Mark Kim", "Max King") + _USERS),
        ("test_users_choose", "the user", _posing(_TR, "Diego Reyes", "Dora Reyes") + _CHOSEN),
        (
            "test_inbox_star",
            "the sender",
            _posing(".inbox-item .sender", "Stripe", "Square") + _MESSAGES,
        ),
        (
            "test_profile_reply",
            "the person",
            _posing(f"{_TALK} h6", "Ivanna", "Ivo") + _TALKS,
        ),
        (
            "test_profile_view",
            "the project",
            _posing(".card-blog h5", "Scandinavian", "Scottish") + _WORKS,
        ),
        (
            "test_projects_act",
            "the project",
            _posing(f"{_DARK} .name", "Black Dashboard", "Blue Dashboard") + _BLACK,
        ),
    ),
    *_all(
        "renamed, a lookalike added",
        (
            "test_project_create",
            "Project Leader became Owner, Project Leader Assistant was added",
            "each('label[for=inputProjectLeader]', (el) => { el.textContent = 'Owner';"
            " const box = add(el.parentNode, 'beforebegin', '<div class=form-group><label for=pla>"
            "Project Leader Assistant</label><input id=pla class=form-control></div>');"
            " wrong(box.querySelector('input')); });",
        ),
        (
            "test_register_passwords",
            "First Name became Given Name, First Name of Parent was added",
            "each('form input', (el) => { if (el.placeholder !== 'First Name') return false;"
            " el.placeholder = 'Given Name'; wrong(add(el, 'beforebegin',"
            " '<input type=text placeholder=\"First Name of Parent\" class=form-control>')); });",
        ),
        (
            "test_dashboard_logout",
            "Logout became Sign off, Logout everywhere was added",
            "each('.dropdown-item', (el) => { if (!has(el, 'Logout')) return false; say(el, 'Logout', 'Sign off'); wrong(copy(el, 'beforebegin', ['Sign off', 'Logout everywhere'])); });",
        ),
        (
            "test_register_passwords",
            "Register Account became Join, Register Company was added",
            "each('.btn-primary', (el) => { say(el, 'Register Account', 'Join'); wrong(copy(el, 'beforebegin', ['Join', 'Register Company'])); });",
        ),
        (
            "test_project_create",
            "Create new Project became Save, Create new Client was added",
            "each('input[type=submit]', (el) => { el.value = 'Save'; wrong(add(el, 'beforebegin', '<input type=submit class=btn>')).value = 'Create new Client'; });",
        ),
        (
            "test_todo_filter",
            "Clear completed became Archive, Clear everything was added",
            "each('.clear', (el) => { el.textContent = 'Archive';"
            " wrong(add(el, 'afterend', '<button>Clear everything</button>')); });",
        ),
        (
            "test_users_suspend",
            "Suspend became Pause, Suspend all was added",
            "each('[role=menuitem]', (el) => { if (squashed(el) !== 'Suspend') return false;"
            " el.textContent = 'Pause'; wrong(copy(el, 'afterend', ['Pause', 'Suspend all'])); });",
        ),
        (
            "test_inbox_star",
            "Starred became Favorites, Starred senders was added",
            "each('[data-view=starred]', (el) => { say(el, 'Starred', 'Favorites');"
            " wrong(copy(el, 'beforebegin', ['Favorites', 'Starred senders'])); });",
        ),
        (
            "test_profile_settings",
            "Subscribe to newsletter became Weekly digest, Subscribe to partners was added",
            "late('.list-group-item:has(input)', (el) => { if (!has(el, 'newsletter')) return false; const other = copy(el, 'beforebegin', ['newsletter', 'partners']); other.querySelector('input').id = other.querySelector('label').htmlFor = 'partners'; wrong(other); say(el, 'Subscribe to newsletter', 'Weekly digest'); });",
        ),
    ),
    *_all(
        "labels exchanged",
        (
            "test_users_filter",
            "of the two filters",
            "late('#filter-role', (el) => { const other = document.querySelector('#filter-status');"
            " wrong(el); right(other); el.ariaLabel = 'Filter by status';"
            " other.ariaLabel = 'Filter by role'; });",
        ),
        (
            "test_todo_filter",
            "of two links",
            "each('.filters', (el) => { const [, b, c] = el.querySelectorAll('a'); exchange(b, c);"
            " wrong(c); right(b); });",
        ),
        (
            "test_profile_settings",
            "of two settings",
            "late('ul:has(.form-switch)', (el) => { if (!has(el, 'Monthly')) return false; const [a, , b] = el.querySelectorAll('label'); exchange(a, b); const [right_, , wrong_] = el.querySelectorAll('input'); right(right_); wrong(wrong_); });",
        ),
        (
            "test_projects_act",
            "of the two tables",
            "late('body', (el) => { exchange(...el.querySelectorAll('.card-header h3')); });"
            + _BLACK,
        ),
    ),
]
