"""The recorded suite, in free English; the benchmark runs it as `test_foreign.py`."""

from __future__ import annotations

from collections.abc import Callable

from pytest_webtask import Webtask

Visit = Callable[[str], None]


def test_todo_add(webtask: Webtask, visit: Visit) -> None:
    """A todo that is added is listed and counted."""
    visit("todo")
    webtask.verify("2 items are left")
    webtask.do("add the todo Feed the cat")
    webtask.verify("4 todos are listed")
    webtask.verify("Feed the cat is listed")
    webtask.verify("3 items are left")


def test_todo_complete(webtask: Webtask, visit: Visit) -> None:
    """One todo is completed, the others stay as they are."""
    visit("todo")
    webtask.do("complete Call the dentist")
    webtask.verify("Buy milk is open and Water the plants is done")
    webtask.verify("1 item is left")


def test_todo_delete(webtask: Webtask, visit: Visit) -> None:
    """One todo is deleted, the others stay."""
    visit("todo")
    webtask.do("delete Call the dentist")
    webtask.verify("the message says that Call the dentist was deleted")
    webtask.verify("Buy milk is due on 2026-12-01")
    webtask.verify("2 todos are listed")


def test_todo_filter(webtask: Webtask, visit: Visit) -> None:
    """The completed todos are shown alone."""
    visit("todo")
    webtask.do("show only the completed todos")
    webtask.verify("only Water the plants is listed")
    assert webtask.extract("how many items are left", int) == 2
    webtask.select("the button that clears the completed todos").click()
    webtask.verify("no todo is listed")


def test_todo_order(webtask: Webtask, visit: Visit) -> None:
    """The todos stand in the order of their dates, under their heading."""
    visit("todo")
    webtask.verify("the todos are Buy milk, Call the dentist, Water the plants, in this order")
    webtask.verify('the heading of the list is "My list"')


def test_users_suspend(webtask: Webtask, visit: Visit) -> None:
    """A user is suspended, by a menu in the user's row."""
    visit("users")
    webtask.do("suspend Mark Kim")
    webtask.verify('the message "Mark Kim: suspended" is shown')
    webtask.verify("the status of Mark Kim is Suspended")
    webtask.verify("Sarah Kowalski is an active admin")
    assert webtask.extract("the number of pending invites", int) == 2


def test_users_filter(webtask: Webtask, visit: Visit) -> None:
    """The users are filtered by a role and a name."""
    visit("users")
    webtask.do("show only the editors")
    webtask.do("search for emily")
    webtask.verify("one user is listed, Emily Wang")
    webtask.verify("the heading is User management")


def test_users_choose(webtask: Webtask, visit: Visit) -> None:
    """A user is chosen by the box in its row."""
    visit("users")
    webtask.do("choose Diego Reyes and no one else")
    webtask.verify("Tom Hardy is not chosen")
    webtask.verify("12 users in all, 2 of them admins")


def test_inbox_star(webtask: Webtask, visit: Visit) -> None:
    """A message is starred, and found among those that are."""
    visit("inbox")
    webtask.do("star the message of Stripe")
    webtask.do("open the folder of starred messages")
    webtask.verify("the message of Stripe is listed")
    webtask.verify("there are 3 messages in the list")


def test_inbox_read(webtask: Webtask, visit: Visit) -> None:
    """A message is opened, and counted as read."""
    visit("inbox")
    webtask.do("open the message of GitHub")
    webtask.verify("2 messages are unread")
    webtask.verify("there are 3 drafts")


def test_employees_search(webtask: Webtask, visit: Visit) -> None:
    """The table is searched."""
    visit("employees")
    webtask.do("search for the accountants")
    webtask.verify("Airi Satou and Garrett Winters are listed")
    webtask.verify("2 employees are listed")
    assert webtask.extract("the salary of Garrett Winters") == "$170,750"


def test_employees_page(webtask: Webtask, visit: Visit) -> None:
    """The next page of the table is shown, and the order of a column."""
    visit("employees")
    webtask.do("go to page 2")
    webtask.verify("the entries 11 to 20 of 57 are shown")
    webtask.do("sort by age")
    webtask.verify("the first employee is 19 years old")
    webtask.verify("the office of Tatyana Fitzpatrick is London")
