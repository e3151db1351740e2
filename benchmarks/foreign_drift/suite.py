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
    """The todos are in the order of their dates, under their heading."""
    visit("todo")
    webtask.verify("the todos are Buy milk, Call the dentist, Water the plants, in this order")
    webtask.verify('the heading of the list is "My list"')


def test_users_suspend(webtask: Webtask, visit: Visit) -> None:
    """A user is suspended, by a menu in the user's row."""
    visit("users")
    webtask.do("suspend Mark Kim")
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


def test_orders_search(webtask: Webtask, visit: Visit) -> None:
    """The orders are searched; the figures above stay."""
    visit("orders")
    webtask.do("search the orders for PayPal")
    webtask.verify("3 orders are listed")
    webtask.verify("the order of Robert Jones is paid, for $490")
    webtask.verify("the revenue is $84,520")
    assert webtask.extract("the number of pending orders", int) == 42


def test_orders_page(webtask: Webtask, visit: Visit) -> None:
    """The next page of the orders is shown."""
    visit("orders")
    webtask.verify("the first three orders are #7841, #7840 and #7839")
    webtask.do("go to the next page of the orders")
    webtask.verify("the orders 11 to 20 of 20 are shown")


def test_dashboard_figures(webtask: Webtask, visit: Visit) -> None:
    """The cards say what was earned, and how far the projects are."""
    visit("dashboard")
    webtask.verify("the monthly earnings are $40,000")
    webtask.verify("the annual earnings are $215,000")
    webtask.verify("18 requests are pending")
    webtask.verify("the customer database is 60% done")
    webtask.verify('the headings "Earnings Overview" and "Revenue Sources" are shown')


def test_dashboard_logout(webtask: Webtask, visit: Visit) -> None:
    """The menu of the user asks before it logs out."""
    visit("dashboard")
    webtask.do("choose Logout in the menu of Douglas McGee")
    webtask.verify('the question is "Ready to Leave?"')
    webtask.do("stay logged in")
    webtask.verify("no question is asked any more")


def test_register_passwords(webtask: Webtask, visit: Visit) -> None:
    """Somebody registers, who gives the same password twice."""
    visit("register")
    webtask.do("fill in the form for Ada Lovelace, ada@example.com, with {password} twice")
    webtask.verify("the first name is Ada and the last name Lovelace")
    webtask.do("register the account")
    webtask.verify("Ada Lovelace is welcomed")


def test_billing_delete(webtask: Webtask, visit: Visit) -> None:
    """The billing information of one customer is deleted."""
    visit("billing")
    webtask.do("delete the billing information of Lucas Harper")
    webtask.verify("the message says that Lucas Harper was deleted")
    webtask.verify("the company of Ethan James is Fiber Notion")
    webtask.verify("the salary is $2000")
    webtask.verify("the card holder is Jack Peterson")


def test_billing_print(webtask: Webtask, visit: Visit) -> None:
    """One invoice is printed."""
    visit("billing")
    webtask.do("print the invoice #RV-126749")
    webtask.verify("the transaction with Netflix is the newest, of $2,500")
    assert webtask.extract("the amount of the invoice #FB-212562") == "$560"


def test_people_call(webtask: Webtask, visit: Visit) -> None:
    """One of the people is called."""
    visit("people")
    webtask.do("call Mallory Hulme")
    webtask.verify("Dunn Slane is a Research Nurse")
    webtask.verify("18 of 413 people are shown on this page")
    webtask.select("the link of the Geologist IV").hover()


def test_people_search(webtask: Webtask, visit: Visit) -> None:
    """The people are searched, by a field that has a hint only."""
    visit("people")
    webtask.do("search the people for nurse")
    webtask.verify("2 people are shown, Dunn Slane and Egan Poetz")
    webtask.do("write to Egan Poetz")


def test_project_create(webtask: Webtask, visit: Visit) -> None:
    """A project is entered and created."""
    visit("project")
    webtask.do("enter the project Moon Base for Acme, on hold, led by Ada, with a budget of 1200")
    webtask.verify("the project leader is Ada")
    webtask.verify("the form has the sections General and Budget")
    webtask.do("create the project")
    webtask.verify("the message says that the Moon Base for Acme was created on hold")


def test_profile_settings(webtask: Webtask, visit: Visit) -> None:
    """A setting is switched on, the others stay."""
    visit("profile")
    webtask.do("subscribe to the newsletter")
    webtask.verify("the monthly updates are on, the new launches are off")
    webtask.verify("6 settings are shown")


def test_profile_reply(webtask: Webtask, visit: Visit) -> None:
    """One of the conversations is answered."""
    visit("profile")
    webtask.do("reply to Ivanna")
    webtask.verify("the latest conversation is with Sophie B.")
    webtask.verify("the mobile number is (44) 123 1234 123")


def test_profile_view(webtask: Webtask, visit: Visit) -> None:
    """One of the projects is opened."""
    visit("profile")
    webtask.do("view the project Scandinavian")
    webtask.verify("Modern is project #2")
    webtask.verify("5 people have written")


def test_projects_act(webtask: Webtask, visit: Visit) -> None:
    """A menu is opened in a row of the second of two equal tables."""
    visit("projects")
    webtask.do("choose another action for Black Dashboard in the dark table")
    webtask.verify("React Material Dashboard is on schedule in the light table")
    assert webtask.extract("the budget of Black Dashboard in the light table") == "$3150 USD"


def test_projects_list(webtask: Webtask, visit: Visit) -> None:
    """The rows of the first of two equal tables."""
    visit("projects")
    webtask.verify("the light table lists Argon Design System first, for $2500")
    webtask.verify("Vue Paper UI Kit PRO in the light table is completed")
    webtask.verify("the light table has 5 projects")
