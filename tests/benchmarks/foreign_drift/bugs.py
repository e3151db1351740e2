"""Changes that a tester would report: the suite ought to fail."""

from __future__ import annotations

from tests.benchmarks.foreign_drift.change import Change


def _all(sort: str, *changes: tuple[str, str, str]) -> list[Change]:
    return [Change("bug", sort, test, name, edit) for test, name, edit in changes]


BUGS = [
    *_all(
        "control gone",
        (
            "test_billing_delete",
            "no Delete in the item",
            "each('main li', (el) => { if (!has(el, 'Lucas Harper')) return false; el.querySelector('.text-danger').remove(); });",
        ),
        (
            "test_people_call",
            "no Call in the card",
            "each('.page-body .card', (el) => { if (!has(el, 'Mallory')) return false; el.querySelector('.card-btn:last-child').remove(); });",
        ),
        (
            "test_register_passwords",
            "no field for the mail",
            "each('form input[type=email]', (el) => el.remove());",
        ),
        (
            "test_dashboard_logout",
            "no Logout in the menu",
            "each('.dropdown-item', (el) => { if (!has(el, 'Logout')) return false; el.remove(); });",
        ),
        (
            "test_todo_delete",
            "no button in the item",
            "each('.todo-list li', (el) => { if (!has(el, 'dentist')) return false;"
            " el.querySelector('button').remove(); });",
        ),
        (
            "test_users_suspend",
            "no menu in the row",
            "each('main tbody tr', (el) => { if (!has(el, 'Mark Kim')) return false;"
            " el.querySelector('[data-row-menu]').remove(); });",
        ),
        ("test_users_filter", "no filter by role", "late('#filter-role', (el) => el.remove());"),
        (
            "test_inbox_star",
            "no star at the message",
            "each('.inbox-item', (el) => { if (!has(el, 'Stripe')) return false;"
            " el.querySelector('button').remove(); });",
        ),
        (
            "test_employees_page",
            "no link to page 2",
            "each('.page-link', (el) => { if (squashed(el) !== '2') return false; el.remove(); });",
        ),
        (
            "test_profile_settings",
            "the box is gone",
            "late('.form-switch', (el) => { if (!has(el, 'newsletter')) return false; el.querySelector('input').remove(); });",
        ),
    ),
    *_all(
        "control disabled",
        (
            "test_project_create",
            "the field for the leader",
            "each('#inputProjectLeader', (el) => { el.disabled = true; });",
        ),
        (
            "test_billing_print",
            "the button of the invoice",
            "each('main li button', (el) => { el.disabled = true; });",
        ),
        (
            "test_todo_complete",
            "the box of the item",
            "each('.todo-list li', (el) => { if (!has(el, 'dentist')) return false;"
            " el.querySelector('input').disabled = true; });",
        ),
        (
            "test_users_suspend",
            "the menu of the row",
            "each('main tbody tr', (el) => { if (!has(el, 'Mark Kim')) return false;"
            " el.querySelector('[data-row-menu]').disabled = true; });",
        ),
        (
            "test_employees_search",
            "the search",
            "late('#dataTable_filter input', (el) => { el.disabled = true; });",
        ),
        (
            "test_profile_view",
            "the button is disabled",
            "late('.card-blog', (el) => { if (!has(el, 'Scandinavian')) return false; el.querySelector('button').disabled = true; });",
        ),
    ),
    *_all(
        "control hidden",
        (
            "test_project_create",
            "the button that creates",
            "each('input[type=submit]', (el) => hide(el));",
        ),
        ("test_orders_page", "the pages", "late('.dt-paging', (el) => hide(el));"),
        (
            "test_todo_filter",
            "the button that clears",
            "each('.clear', (el) => hide(el));",
        ),
        (
            "test_users_choose",
            "the box of the row",
            "each('main tbody tr', (el) => { if (!has(el, 'Diego Reyes')) return false;"
            " hide(el.querySelector('input')); });",
        ),
        (
            "test_inbox_star",
            "the folder of starred messages",
            "each('[data-view=starred]', (el) => hide(el));",
        ),
        (
            "test_profile_reply",
            "the link is hidden",
            "late('li:has(a.btn-link)', (el) => { if (!has(el, 'Ivanna')) return false; hide(el.querySelector('a.btn-link')); });",
        ),
    ),
    *_all(
        "control does nothing",
        (
            "test_billing_delete",
            "Delete",
            "deaf((el) => el.matches('main li .text-danger'));each('main li .text-danger', () => {});",
        ),
        (
            "test_dashboard_logout",
            "Cancel",
            "deaf((el) => has(el, 'Cancel') && el.matches('button'));each('.modal button', () => {});",
        ),
        (
            "test_project_create",
            "the button that creates",
            "deaf((el) => el.matches('input[type=submit]'));each('input[type=submit]', () => {});",
        ),
        (
            "test_orders_search",
            "the search",
            "late('[aria-label=\"Search table\"]', (el) => { const other = el.cloneNode(); el.replaceWith(other); });",
        ),
        (
            "test_todo_delete",
            "Delete",
            "deaf((el) => el.matches('.destroy'));each('body', () => {});",
        ),
        (
            "test_users_suspend",
            "Suspend in the menu",
            "deaf((el) => el.matches('[role=menuitem]'));each('[role=menuitem]', () => {});",
        ),
        (
            "test_inbox_star",
            "the star",
            "deaf((el) => el.matches('.inbox-star-btn'));each('.inbox-star-btn', () => {});",
        ),
        (
            "test_employees_page",
            "the link to page 2",
            "deaf((el) => el.matches('.page-link'));each('.page-link', () => {});",
        ),
        (
            "test_profile_reply",
            "the link",
            "deaf((el) => el.matches('li a.btn-link') && has(el.closest('li'), 'Ivanna'));each('li a.btn-link', () => {});",
        ),
        (
            "test_projects_act",
            "the menu item",
            "deaf((el) => el.matches('.dropdown-item'));each('.dropdown-item', () => {});",
        ),
    ),
    *_all(
        "wrong text",
        (
            "test_billing_delete",
            "the company of another customer",
            "each('main li', (el) => { if (!has(el, 'Ethan James')) return false; say(el, 'Fiber Notion', 'Fiber Nation'); });",
        ),
        (
            "test_billing_delete",
            "the holder of the card",
            "each('main h6', (el) => say(el, 'Jack Peterson', 'Jack Petersen'));",
        ),
        (
            "test_people_call",
            "the job of somebody",
            "each('.page-body .card', (el) => { if (!has(el, 'Dunn Slane')) return false; say(el, 'Research Nurse', 'Teacher'); });",
        ),
        (
            "test_people_call",
            "the message names another",
            "each('#told', (el) => say(el, 'Mallory Hulme', 'Dunn Slane'));",
        ),
        (
            "test_project_create",
            "the message names another client",
            "each('#told', (el) => say(el, 'Acme', 'Apex'));",
        ),
        (
            "test_register_passwords",
            "the names in the message are exchanged",
            "each('#told', (el) => say(el, 'Ada Lovelace', 'Lovelace Ada'));",
        ),
        (
            "test_dashboard_logout",
            "the question",
            "each('.modal-title', (el) => say(el, 'Leave', 'Stay'));",
        ),
        (
            "test_todo_delete",
            "the due date of another todo",
            "each('.todo-list li span', (el) => say(el, '2026-12-01', '2026-12-11'));",
        ),
        (
            "test_todo_order",
            "the heading of the list",
            "each('h2', (el) => { el.textContent = 'Their list'; });",
        ),
        (
            "test_users_suspend",
            "the role of another user",
            "each('main tbody tr', (el) => { if (!has(el, 'Sarah')) return false;"
            " say(el, 'Admin', 'Viewer'); });",
        ),
        (
            "test_users_suspend",
            "the message names another user",
            "each('[role=status] *', (el) => say(el, 'Mark Kim', 'Lina Park'));",
        ),
        (
            "test_users_filter",
            "the heading",
            "each('main h1', (el) => { el.textContent = 'Billing'; });",
        ),
        (
            "test_employees_search",
            "a name in the result",
            "each('#dataTable tbody td:first-child', (el) => say(el, 'Airi Satou', 'Airi Sato'));",
        ),
        (
            "test_employees_page",
            "the office in the row",
            "each('#dataTable tbody tr', (el) => { if (!has(el, 'Tatyana')) return false;"
            " say(el, 'London', 'Londonderry'); });",
        ),
        (
            "test_profile_reply",
            "the message names another",
            "each('#told', (el) => say(el, 'Ivanna', 'Peterson'));",
        ),
        (
            "test_profile_reply",
            "the first conversation is with another",
            "each('li h6', (el) => say(el, 'Sophie B.', 'Sophia B.'));",
        ),
        (
            "test_projects_act",
            "the status in the first table",
            "late('table:has(.thead-light) tbody tr', (el) => { if (!has(el, 'React')) return false; say(el, 'on schedule', 'delayed'); });",
        ),
        (
            "test_projects_list",
            "the status in the first table",
            "late('table:has(.thead-light) tbody tr', (el) => { if (!has(el, 'Vue')) return false; say(el, 'completed', 'pending'); });",
        ),
    ),
    *_all(
        "wrong number",
        (
            "test_dashboard_figures",
            "the monthly earnings",
            "each('.card .h5', (el) => say(el, '$40,000', '$4,000'));",
        ),
        (
            "test_dashboard_figures",
            "how far the database is",
            "each('h4', (el) => { if (!has(el, 'Customer Database')) return false; say(el, '60%', '16%'); });",
        ),
        (
            "test_dashboard_figures",
            "the pending requests",
            "each('.card .h5', (el) => { if (squashed(el) !== '18') return false; el.textContent = '180'; });",
        ),
        (
            "test_billing_delete",
            "the salary",
            "each('main h5', (el) => say(el, '+$2000', '-$2000'));",
        ),
        (
            "test_billing_print",
            "the amount of the invoice",
            "each('main li', (el) => say(el, '$560', '$650'));",
        ),
        (
            "test_orders_search",
            "the revenue",
            "each('main .stat-value', (el) => say(el, '$84,520', '$48,520'));",
        ),
        (
            "test_orders_search",
            "the total of the order",
            "each('main tbody tr', (el) => say(el, '$490', '$4.90'));",
        ),
        (
            "test_people_call",
            "the people in all",
            "each('.page-header', (el) => say(el, '413', '431'));",
        ),
        (
            "test_users_choose",
            "the users in all",
            "each('main .stat-value', (el) => { if (squashed(el) !== '12') return false;"
            " el.textContent = '112'; });",
        ),
        (
            "test_users_choose",
            "the admins",
            "each('main .card', (el) => { if (!has(el, 'Admins')) return false;"
            " el.querySelector('.stat-value').textContent = '3'; });",
        ),
        (
            "test_users_suspend",
            "the pending invites",
            "each('main .card', (el) => { if (!has(el, 'Pending invites')) return false;"
            " el.querySelector('.stat-value').textContent = '1'; });",
        ),
        (
            "test_inbox_read",
            "the drafts",
            "each('[data-view=drafts] .count', (el) => { el.textContent = '4'; });",
        ),
        (
            "test_inbox_read",
            "the unread messages",
            "each('[data-view=inbox] .count', (el) => { el.textContent = '3'; });",
        ),
        (
            "test_employees_search",
            "the salary",
            "each('#dataTable tbody tr', (el) => { if (!has(el, 'Garrett')) return false;"
            " say(el, '$170,750', '$170,705'); });",
        ),
        (
            "test_employees_page",
            "the entries",
            "each('#dataTable_info', (el) => { const fix = () => { if (say(el, 'of 57', 'of 58'))"
            " {} }; fix(); new MutationObserver(fix).observe(el, { childList: true }); });",
        ),
        (
            "test_todo_add",
            "the items left",
            "each('.todo-count', (el) => { el.textContent = '2 items left'; });",
        ),
        (
            "test_profile_reply",
            "the mobile number",
            "each('li:has(> strong)', (el) => say(el, '1234 123', '1234 132'));",
        ),
        (
            "test_profile_view",
            "the number of the project",
            "late('.card-blog', (el) => { if (!has(el, 'Modern')) return false; say(el, '#2', '#3'); });",
        ),
        (
            "test_projects_act",
            "the budget in the first table",
            "late('table:has(.thead-light) tbody tr', (el) => { if (!has(el, 'Black')) return false; say(el, '$3150', '$3510'); });",
        ),
        (
            "test_projects_list",
            "the budget in the first table",
            "late('table:has(.thead-light) tbody tr', (el) => { if (!has(el, 'Argon')) return false; say(el, '$2500', '$2050'); });",
        ),
    ),
    *_all(
        "another row's action",
        (
            "test_billing_delete",
            "Delete deletes another customer",
            "divert((el) => el.matches('main li .text-danger') && has(el.closest('li'), 'Lucas'), (el) => [...document.querySelectorAll('main li')].find((li) => has(li, 'Ethan James')).querySelector('.text-danger'));each('main li .text-danger', () => {});",
        ),
        (
            "test_people_call",
            "Call calls somebody else",
            "divert((el) => el.matches('.card-btn') && has(el.closest('.card'), 'Mallory'), () => [...document.querySelectorAll('.page-body .card')].find((card) => has(card, 'Dunn')).querySelector('.card-btn:last-child'));each('.card-btn', () => {});",
        ),
        (
            "test_billing_print",
            "PDF prints another invoice",
            "divert((el) => el.matches('main li button') && has(el.closest('li'), '#RV-126749'), () => [...document.querySelectorAll('main li')].find((li) => has(li, '#MS-415646')).querySelector('button'));each('main li button', () => {});",
        ),
        (
            "test_todo_delete",
            "Delete deletes the next item",
            "divert((el) => el.matches('.destroy') && !!el.closest('li').nextElementSibling,"
            " (el) => el.closest('li').nextElementSibling.querySelector('button'));"
            "each('.destroy', () => {});",
        ),
        (
            "test_todo_delete",
            "the keys of two items are exchanged",
            "each('.todo-list li', (el) => { const key = { dentist: 'Buy milk',"
            " milk: 'Call the dentist' }; const word = Object.keys(key).find((w) => has(el, w));"
            " if (!word) return false; el.dataset.key = key[word]; });",
        ),
        (
            "test_users_suspend",
            "the keys of two rows are exchanged",
            "each('main tbody tr', (el) => { const key = { 'Mark Kim': 'lina@example.com',"
            " 'Lina Park': 'mark@example.com' }; const name = Object.keys(key).find((n) => has(el, n));"
            " if (!name) return false; for (const part of [el, ...el.querySelectorAll('[data-email]')])"
            " part.dataset.email = key[name]; });",
        ),
        (
            "test_inbox_star",
            "the keys of two messages are exchanged",
            "each('.inbox-star-btn', (el) => { const other = { 'msg-3': 'msg-4', 'msg-4': 'msg-3' };"
            " if (!other[el.dataset.star]) return false; el.dataset.star = other[el.dataset.star]; });",
        ),
        (
            "test_profile_reply",
            "Reply answers another",
            "divert((el) => el.matches('li a.btn-link') && has(el.closest('li'), 'Ivanna'), () => [...document.querySelectorAll('li:has(a.btn-link)')].find((li) => has(li, 'Peterson')).querySelector('a.btn-link'));each('li a.btn-link', () => {});",
        ),
        (
            "test_profile_view",
            "View Project opens another",
            "divert((el) => el.matches('.card-blog button') && has(el.closest('.card-blog'), 'Scandinavian'), () => document.querySelector('.card-blog button'));each('.card-blog button', () => {});",
        ),
        (
            "test_projects_act",
            "the menu is that of the first table",
            "divert((el) => el.matches('.dropdown-item') && !!el.closest('table').querySelector('.thead-dark'), () => [...document.querySelectorAll('tbody tr')].find((row) => has(row, 'Black')).querySelector('.dropdown-item:nth-child(2)'));each('.dropdown-item', () => {});",
        ),
    ),
    *_all(
        "item missing",
        (
            "test_people_search",
            "somebody who fits",
            "each('.page-body .card', (el) => { if (!has(el, 'Dunn Slane')) return false; el.parentNode.remove(); });",
        ),
        (
            "test_dashboard_figures",
            "the card of the requests",
            "each('.row > .col-xl-3', (el) => { if (!has(el, 'Pending Requests')) return false; el.remove(); });",
        ),
        (
            "test_todo_order",
            "a todo",
            "each('.todo-list li', (el) => { if (!has(el, 'Water')) return false; el.remove(); });",
        ),
        (
            "test_todo_delete",
            "another todo is gone, too",
            "each('.todo-list li', (el) => { if (!has(el, 'Water') || has(el.parentNode, 'dentist'))"
            " return false; el.remove(); });",
        ),
        (
            "test_inbox_star",
            "a starred message",
            "each('.inbox-item', (el) => { if (!has(el, 'Emily W.') || has(el.parentNode, 'GitHub'))"
            " return false; el.remove(); });",
        ),
        (
            "test_employees_search",
            "a row of the result",
            "each('#dataTable tbody tr', (el) => { if (!has(el, 'Garrett')) return false;"
            " el.remove(); });",
        ),
        (
            "test_profile_view",
            "a conversation",
            "late('li:has(a.btn-link)', (el) => { if (!has(el, 'Nick Daniel')) return false; el.remove(); });",
        ),
        (
            "test_projects_list",
            "a row of the first table",
            "late('table:has(.thead-light) tbody tr', (el) => { if (!has(el, 'React')) return false; el.remove(); });",
        ),
    ),
    *_all(
        "wrong count",
        (
            "test_people_search",
            "one more is found",
            "each('.page-body .card', (el) => { if (!has(el, 'Chemical Engineer')) return false; say(el, 'Chemical Engineer', 'Nurse'); });",
        ),
        (
            "test_orders_search",
            "one more is found",
            "each('main tbody tr', (el) => { if (!has(el, 'Robert Jones') || el.parentNode.children.length !== 3) return false; copy(el, 'afterend', ['Robert Jones', 'Roberta Jones'], ['#7839', '#7739']); return 'again'; });",
        ),
        (
            "test_todo_add",
            "the todo is added twice",
            "each('.todo-list li', (el) => { if (!has(el, 'Feed the cat')) return false;"
            " el.after(el.cloneNode(true)); });",
        ),
        (
            "test_users_filter",
            "one more user passes the filter",
            "each('main tbody tr', (el) => { if (!has(el, 'Emily') || el.parentNode.children.length > 1)"
            " return false; copy(el, 'afterend', ['Emily Wang', 'Emma Wong']); });",
        ),
        (
            "test_inbox_star",
            "one more message is starred",
            "each('.inbox-item', (el) => { if (!has(el, 'Emily W.') || has(el.parentNode, 'GitHub'))"
            " return false; copy(el, 'afterend', ['Emily W.', 'Emma W.']); });",
        ),
        (
            "test_profile_settings",
            "one more setting",
            "late('.list-group-item:has(input)', (el) => { if (!has(el, 'Monthly')) return false; copy(el, 'afterend', ['Monthly', 'Weekly']); });",
        ),
        (
            "test_projects_list",
            "one more row in the first table",
            "late('table:has(.thead-light) tbody tr', (el) => { if (!has(el, 'React')) return false; copy(el, 'afterend', ['React Material', 'Solid Material']); });",
        ),
    ),
    *_all(
        "wrong state",
        (
            "test_project_create",
            "the leader's field is emptied",
            "late('#inputProjectLeader', (el) => { el.addEventListener('input', () => { setTimeout(() => { el.value = ''; }, 50); }); });",
        ),
        (
            "test_dashboard_logout",
            "the question stays",
            "late('.modal', (el) => { const keep = () => { if (el.style.display === 'none' && el.dataset.seen) el.style.display = 'block'; if (el.classList.contains('show') && !el.dataset.seen) el.dataset.seen = '1'; }; new MutationObserver(keep).observe(el, { attributes: true }); });",
        ),
        (
            "test_todo_complete",
            "the box is cleared at once",
            "each('.todo-list li', (el) => { if (!has(el, 'dentist')) return false;"
            " el.querySelector('input').checked = false; });",
        ),
        (
            "test_todo_complete",
            "another box is checked",
            "each('.todo-list li', (el) => { if (!has(el, 'Buy milk')) return false;"
            " el.querySelector('input').checked = true; });",
        ),
        (
            "test_users_choose",
            "another row is chosen",
            "each('main tbody tr', (el) => { if (!has(el, 'Tom Hardy')) return false;"
            " el.querySelector('input').checked = true; });",
        ),
        (
            "test_users_suspend",
            "the row stays active",
            "each('main tbody tr', (el) => { if (!has(el, 'Mark Kim', 'Suspended')) return false;"
            " say(el, 'Suspended', 'Active'); });",
        ),
        (
            "test_profile_settings",
            "the box is cleared again",
            "late('.form-switch', (el) => { if (!has(el, 'newsletter')) return false; const box = el.querySelector('input'); box.addEventListener('change', () => { setTimeout(() => { box.checked = false; }, 30); }); });",
        ),
        (
            "test_profile_settings",
            "another box is cleared",
            "late('.form-switch', (el) => { if (!has(el, 'Monthly')) return false; el.querySelector('input').checked = false; });",
        ),
    ),
    *_all(
        "message missing",
        ("test_register_passwords", "after registering", "each('#told', (el) => el.remove());"),
        ("test_project_create", "after creating", "each('#told', (el) => el.remove());"),
        (
            "test_todo_delete",
            "after deleting",
            "each('[role=status]', (el) => { el.textContent = ''; });",
        ),
        (
            "test_users_suspend",
            "after suspending",
            "each('[role=status]', (el) => { if (!has(el, 'suspended')) return false; el.remove(); });",
        ),
        (
            "test_profile_view",
            "after opening",
            "each('#told', (el) => el.remove());",
        ),
    ),
    *_all(
        "order reversed",
        ("test_orders_page", "of the orders", "reverse('main tbody tr');"),
        ("test_todo_order", "of the todos", "reverse('.todo-list > li');"),
        (
            "test_profile_reply",
            "of the conversations",
            "reverse('li:has(a.btn-link)');",
        ),
    ),
    *_all(
        "label exchanged",
        (
            "test_dashboard_figures",
            "of two figures",
            "each('.row:has(> .col-xl-3)', (el) => { exchange(...[...el.querySelectorAll('.text-xs')].filter((e) => has(e, 'Earnings'))); });",
        ),
        (
            "test_orders_search",
            "of two figures",
            "each('main .col-3', (el) => { exchange(...[...el.querySelectorAll('.stat-label')].slice(0, 2)); });",
        ),
        (
            "test_project_create",
            "of two fields",
            "each('.card-primary .card-body', (el) => { const [name, , , client] = el.querySelectorAll('label'); exchange(name, client); });",
        ),
        (
            "test_register_passwords",
            "of the names",
            "each('form', (el) => { const [first, last] = el.querySelectorAll('input'); [first.placeholder, last.placeholder] = [last.placeholder, first.placeholder]; });",
        ),
        (
            "test_users_choose",
            "of two numbers",
            "each('main .col-3', (el) => { exchange(...[...el.querySelectorAll('.stat-label')]"
            ".filter((e) => ['Total users', 'Admins'].includes(squashed(e)))); });",
        ),
        (
            "test_inbox_read",
            "of two folders",
            "each('a.inbox-folder', (el) => has(el, 'Drafts') ? say(el, 'Drafts', 'Starred')"
            " : has(el, 'Starred') && say(el, 'Starred', 'Drafts'));",
        ),
        (
            "test_profile_settings",
            "of two settings",
            "late('ul:has(.form-switch)', (el) => { if (!has(el, 'Monthly')) return false; const [a, b] = el.querySelectorAll('label'); exchange(a, b); });",
        ),
        (
            "test_profile_view",
            "of two projects",
            "late('.row:has(> * > .card-blog)', (el) => { const [a, b] = el.querySelectorAll('p.text-gradient'); exchange(a, b); });",
        ),
    ),
]
