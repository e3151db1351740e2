"""The suite of `suite.py` written by hand: the same actions and verifications in plain Playwright.

`typed` presses the keys of each text, as a user and a replay do. What a `do` is recorded with as
evidence is not verified: nobody would write that by hand.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

Visit = Callable[[str], None]


@pytest.fixture
def visit(page: Page) -> Visit:
    """Open a page by its name."""
    addresses = json.loads(os.environ["DRIFT_PAGES"])

    def visit(name: str) -> None:
        page.goto(addresses[name])

    return visit


def typed(field: Locator, text: str) -> None:
    """Type a text into an empty field."""
    field.press_sequentially(text)


def todo(page: Page, title: str) -> Locator:
    """The box of a todo."""
    return page.get_by_role("checkbox", name=title)


def row(page: Page, text: str) -> Locator:
    """The row of a table with this text."""
    return page.get_by_role("row").filter(has_text=text)


def test_todo_add(page: Page, visit: Visit) -> None:
    """A todo that is added is listed and counted."""
    visit("todo")
    expect(page.locator(".todo-count")).to_have_text("2 items left")
    field = page.get_by_placeholder("What needs to be done?")
    typed(field, "Feed the cat")
    field.press("Enter")
    expect(page.get_by_role("checkbox")).to_have_count(4)
    expect(todo(page, "Feed the cat")).to_be_visible()
    expect(page.locator(".todo-count")).to_have_text("3 items left")


def test_todo_complete(page: Page, visit: Visit) -> None:
    """One todo is completed, the others stay as they are."""
    visit("todo")
    todo(page, "Call the dentist").check()
    expect(todo(page, "Buy milk")).not_to_be_checked()
    expect(todo(page, "Water the plants")).to_be_checked()
    expect(page.locator(".todo-count")).to_have_text("1 item left")


def test_todo_delete(page: Page, visit: Visit) -> None:
    """One todo is deleted, the others stay."""
    visit("todo")
    item = page.get_by_role("listitem")
    item.filter(has_text="Call the dentist").get_by_role("button", name="Delete").click()
    expect(page.get_by_role("status")).to_have_text("Deleted Call the dentist")
    expect(todo(page, "Buy milk")).to_be_visible()
    expect(item.filter(has_text="Buy milk").locator("span")).to_have_text("due 2026-12-01")
    expect(page.get_by_role("checkbox")).to_have_count(2)


def test_todo_filter(page: Page, visit: Visit) -> None:
    """The completed todos are shown alone."""
    visit("todo")
    page.get_by_role("link", name="Completed").click()
    expect(page.get_by_role("checkbox")).to_have_count(1)
    expect(todo(page, "Water the plants")).to_be_visible()
    assert page.locator(".todo-count").inner_text() == "2 items left"
    page.get_by_role("button", name="Clear completed").click()
    expect(page.get_by_role("button", name="Delete")).to_have_count(0)
    expect(page.get_by_role("status")).to_contain_text("Cleared")


def test_todo_order(page: Page, visit: Visit) -> None:
    """The todos are in the order of their dates, under their heading."""
    visit("todo")
    labels = page.locator(".todo-list label")
    expect(labels).to_have_text(["Buy milk", "Call the dentist", "Water the plants"])
    expect(page.get_by_role("heading", level=2)).to_have_text("My list")


def test_users_suspend(page: Page, visit: Visit) -> None:
    """A user is suspended, by a menu in the user's row."""
    visit("users")
    row(page, "Mark Kim").get_by_role("button", name="More").click()
    page.get_by_role("menuitem", name="Suspend").click()
    expect(row(page, "Mark Kim").get_by_role("cell", name="Suspended")).to_be_visible()
    sarah = row(page, "Sarah Kowalski")
    expect(sarah.get_by_role("cell", name="Active")).to_be_visible()
    expect(sarah.get_by_role("button", name="Admin")).to_have_text("Admin")
    invites = page.get_by_text("Pending invites", exact=True).locator("..").locator("span")
    assert invites.first.inner_text() == "2"


def test_users_filter(page: Page, visit: Visit) -> None:
    """The users are filtered by a role and a name."""
    visit("users")
    page.get_by_label("Filter by role").select_option("Editor")
    typed(page.get_by_label("Search users"), "emily")
    expect(page.locator("#users-rows .card-opt-btn")).to_have_count(1)
    expect(page.locator(".cell-strong")).to_have_text("Emily Wang")
    expect(page.get_by_role("heading")).to_have_text("User management")


def test_users_choose(page: Page, visit: Visit) -> None:
    """A user is chosen by the box in its row."""
    visit("users")
    row(page, "Diego Reyes").get_by_role("checkbox").check()
    expect(row(page, "Tom Hardy").get_by_role("checkbox")).not_to_be_checked()
    expect(row(page, "Tom Hardy").get_by_text("Tom Hardy", exact=True)).to_be_visible()
    for name, number in (("Total users", "12"), ("Admins", "2")):
        figure = page.get_by_text(name, exact=True).locator("..").locator("span")
        expect(figure.first).to_have_text(number)


def test_inbox_star(page: Page, visit: Visit) -> None:
    """A message is starred, and found among those that are."""
    visit("inbox")
    message = page.get_by_role("option").filter(has_text="Your invoice is ready")
    message.get_by_role("button", name="Star").click()
    page.get_by_role("link", name="Starred").click()
    expect(page.get_by_text("Stripe", exact=True)).to_be_visible()
    expect(page.get_by_role("option")).to_have_count(3)


def test_inbox_read(page: Page, visit: Visit) -> None:
    """A message is opened, and counted as read."""
    visit("inbox")
    page.get_by_role("option").filter(has_text="GitHub").click()
    expect(page.get_by_role("link", name="Inbox 2")).to_be_visible()
    expect(page.get_by_role("link", name="Drafts")).to_contain_text("3")


def test_employees_search(page: Page, visit: Visit) -> None:
    """The table is searched."""
    visit("employees")
    typed(page.get_by_label("Search:"), "accountant")
    expect(page.get_by_role("gridcell", name="Airi Satou")).to_be_visible()
    expect(page.get_by_role("gridcell", name="Garrett Winters")).to_be_visible()
    expect(page.get_by_role("status")).to_have_text(re.compile("^Showing 1 to 2 of 2 entries"))
    salary = row(page, "Garrett Winters").get_by_role("gridcell").nth(5)
    assert salary.inner_text() == "$170,750"


def test_employees_page(page: Page, visit: Visit) -> None:
    """The next page of the table is shown, and the order of a column."""
    visit("employees")
    page.get_by_role("link", name="2", exact=True).click()
    expect(page.get_by_role("status")).to_have_text("Showing 11 to 20 of 57 entries")
    page.get_by_role("columnheader", name="Age: activate").click()
    first = row(page, "Tatyana Fitzpatrick")
    expect(first.get_by_role("gridcell").nth(3)).to_have_text("19")
    expect(first.get_by_role("gridcell").nth(2)).to_have_text("London")
    expect(first.get_by_role("gridcell").first).to_have_text("Tatyana Fitzpatrick")


def test_orders_search(page: Page, visit: Visit) -> None:
    """The orders are searched; the figures above stay."""
    visit("orders")
    typed(page.get_by_label("Search table"), "PayPal")
    expect(page.locator("#orders-rows tr")).to_have_count(3)
    order = row(page, "Robert Jones")
    expect(order.get_by_text("Robert Jones", exact=True)).to_be_visible()
    expect(order.get_by_role("cell", name="Paid")).to_be_visible()
    expect(order.get_by_role("cell", name="$490")).to_be_visible()
    expect(page.get_by_text("$84,520", exact=True)).to_be_visible()
    pending = page.locator(".card").filter(has_text="Pending").get_by_text("42", exact=True)
    assert pending.first.inner_text() == "42"


def test_orders_page(page: Page, visit: Visit) -> None:
    """The next page of the orders is shown."""
    visit("orders")
    links = page.locator("#orders-rows").get_by_role("link")
    expect(links).to_have_text([f"#{number}" for number in range(7841, 7831, -1)])
    page.get_by_role("link", name="Next").click()
    expect(page.get_by_role("status")).to_contain_text("Showing 11–20 of 20")


def test_dashboard_figures(page: Page, visit: Visit) -> None:
    """The cards say what was earned, and how far the projects are."""
    visit("dashboard")
    for name, figure in (
        ("Earnings (Monthly)", "$40,000"),
        ("Earnings (Annual)", "$215,000"),
        ("Pending Requests", "18"),
    ):
        card = page.locator(".card").filter(has_text=name)
        expect(card.get_by_text(figure, exact=True)).to_be_visible()
    database = page.get_by_role("heading", name="Customer Database")
    expect(database.locator("span")).to_have_text("60%")
    expect(page.get_by_role("heading", name="Earnings Overview")).to_be_visible()
    expect(page.get_by_role("heading", name="Revenue Sources")).to_be_visible()


def test_dashboard_logout(page: Page, visit: Visit) -> None:
    """The menu of the user asks before it logs out."""
    visit("dashboard")
    page.get_by_role("button", name="Douglas McGee").click()
    page.get_by_role("navigation").get_by_role("link", name="Logout").click()
    expect(page.get_by_role("dialog").get_by_role("heading")).to_have_text("Ready to Leave?")
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("heading", name="Ready to Leave?")).to_have_count(0)
    expect(page.get_by_role("heading", level=1)).to_have_text("Dashboard")


def test_register_passwords(page: Page, visit: Visit) -> None:
    """Somebody registers, who gives the same password twice."""
    visit("register")
    for hint, text in (
        ("First Name", "Ada"),
        ("Last Name", "Lovelace"),
        ("Email Address", "ada@example.com"),
        ("Password", "mug-life-2026"),
        ("Repeat Password", "mug-life-2026"),
    ):
        typed(page.get_by_placeholder(hint, exact=True), text)
    expect(page.get_by_placeholder("First Name")).to_have_value("Ada")
    expect(page.get_by_placeholder("Last Name")).to_have_value("Lovelace")
    page.get_by_role("link", name="Register Account").click()
    expect(page.get_by_role("status")).to_contain_text("Welcome, Ada Lovelace!")


def test_billing_delete(page: Page, visit: Visit) -> None:
    """The billing information of one customer is deleted."""
    visit("billing")
    item = page.get_by_role("listitem")
    item.filter(has_text="Lucas Harper").get_by_role("link", name="Delete").click()
    expect(page.get_by_role("status")).to_have_text("Lucas Harper was deleted")
    ethan = item.filter(has_text="Ethan James")
    expect(ethan.get_by_role("heading")).to_have_text("Ethan James")
    expect(ethan.get_by_text("Fiber Notion", exact=True)).to_be_visible()
    expect(page.get_by_role("heading", name="+$2000")).to_be_visible()
    expect(page.get_by_role("heading", name="Jack Peterson")).to_be_visible()


def test_billing_print(page: Page, visit: Visit) -> None:
    """One invoice is printed."""
    visit("billing")
    item = page.get_by_role("listitem")
    item.filter(has_text="#RV-126749").get_by_role("button", name="PDF").click()
    newest = item.filter(has_text="Netflix")
    expect(newest.get_by_role("heading")).to_have_text("Netflix")
    expect(newest).to_contain_text("2,500")
    amount = item.filter(has_text="#FB-212562").get_by_text("$560")
    assert "$560" in amount.inner_text()


def test_people_call(page: Page, visit: Visit) -> None:
    """One of the people is called."""
    visit("people")
    card = page.locator(".card")
    card.filter(has_text="Mallory Hulme").get_by_role("link", name="Call").click()
    expect(page.get_by_role("link", name="Dunn Slane")).to_be_visible()
    expect(card.filter(has_text="Dunn Slane")).to_contain_text("Research Nurse")
    expect(page.get_by_text("1-18 of 413 people")).to_be_visible()
    page.get_by_role("link", name="Mallory Hulme").hover()


def test_people_search(page: Page, visit: Visit) -> None:
    """The people are searched, by a field that has a hint only."""
    visit("people")
    typed(page.get_by_placeholder("Search user…"), "nurse")
    expect(page.get_by_role("link", name="Call", exact=True)).to_have_count(2)
    expect(page.get_by_role("link", name="Dunn Slane")).to_be_visible()
    expect(page.get_by_role("link", name="Egan Poetz")).to_be_visible()
    card = page.locator(".card").filter(has_text="Egan Poetz")
    card.get_by_role("link", name="Email").click()


def test_project_create(page: Page, visit: Visit) -> None:
    """A project is entered and created."""
    visit("project")
    typed(page.get_by_label("Project Name"), "Moon Base")
    page.get_by_label("Status").select_option("On Hold")
    typed(page.get_by_label("Client Company"), "Acme")
    typed(page.get_by_label("Project Leader"), "Ada")
    typed(page.get_by_label("Estimated budget"), "1200")
    expect(page.get_by_label("Project Leader")).to_have_value("Ada")
    expect(page.get_by_role("heading", name="General")).to_be_visible()
    expect(page.get_by_role("heading", name="Budget")).to_be_visible()
    page.get_by_role("button", name="Create new Project").click()
    expect(page.get_by_role("status")).to_have_text(
        "Moon Base for Acme (On Hold, 1200) was created"
    )


def test_profile_settings(page: Page, visit: Visit) -> None:
    """A setting is switched on, the others stay."""
    visit("profile")
    page.get_by_label("Subscribe to newsletter").check()
    expect(page.get_by_label("Subscribe to newsletter")).to_be_checked()
    expect(page.get_by_label("Monthly product updates")).to_be_checked()
    expect(page.get_by_label("New launches and projects")).not_to_be_checked()
    settings = page.locator(".card").filter(has_text="Platform Settings")
    expect(settings.get_by_role("checkbox")).to_have_count(6)


def test_profile_reply(page: Page, visit: Visit) -> None:
    """One of the conversations is answered."""
    visit("profile")
    item = page.get_by_role("listitem")
    item.filter(has_text="Ivanna").get_by_role("link", name="Reply").click()
    conversations = page.locator(".card").filter(has_text="Conversations")
    expect(conversations.get_by_role("listitem").first).to_contain_text("Sophie B.")
    expect(item.filter(has_text="Mobile")).to_contain_text("(44) 123 1234 123")


def test_profile_view(page: Page, visit: Visit) -> None:
    """One of the projects is opened."""
    visit("profile")
    card = page.locator(".card-blog")
    card.filter(has_text="Scandinavian").get_by_role("button", name="View Project").click()
    expect(page.get_by_role("link", name="Modern")).to_be_visible()
    expect(card.filter(has_text="Modern")).to_contain_text("Project #2")
    expect(page.get_by_role("link", name="Reply")).to_have_count(5)


def test_projects_act(page: Page, visit: Visit) -> None:
    """A menu is opened in a row of the second of two equal tables."""
    visit("projects")
    dark = page.locator(".card").filter(has=page.get_by_role("heading", name="Dark table"))
    item = dark.get_by_role("row").filter(has_text="Black Dashboard")
    item.get_by_role("button").click()
    item.get_by_role("link", name="Another action").click()
    light = page.locator(".card").filter(has=page.get_by_role("heading", name="Light table"))
    material = light.get_by_role("row").filter(has_text="React Material Dashboard")
    expect(material).to_contain_text("on schedule")
    cell = light.get_by_role("row").filter(has_text="Black Dashboard").locator(".budget")
    assert cell.inner_text() == "$3150 USD"


def test_projects_list(page: Page, visit: Visit) -> None:
    """The rows of the first of two equal tables."""
    visit("projects")
    light = page.locator(".card").filter(has=page.get_by_role("heading", name="Light table"))
    rows = light.locator("tbody").get_by_role("row")
    expect(rows.first).to_contain_text("Argon Design System")
    expect(rows.first.locator(".budget")).to_have_text("$2500 USD")
    expect(rows.filter(has_text="Vue Paper UI Kit PRO")).to_contain_text("completed")
    expect(rows).to_have_count(5)
