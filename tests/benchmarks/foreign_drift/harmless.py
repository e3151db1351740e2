"""Changes that a tester would not report: the suite ought to replay."""

from __future__ import annotations

from tests.benchmarks.foreign_drift.change import Change


def _all(sort: str, *changes: tuple[str, str, str]) -> list[Change]:
    return [Change("harmless", sort, test, name, edit) for test, name, edit in changes]


_TODO = ("add", "complete", "delete", "filter", "order")
HARMLESS = [
    *(
        Change(
            "harmless",
            "another markup",
            f"test_todo_{test}",
            f"built as {markup}",
            f"each('html', (el) => {{ el.dataset.markup = '{markup}'; }});",
        )
        for markup in ("soup", "library")
        for test in _TODO
    ),
    *_all(
        "attribute renamed",
        (
            "test_project_create",
            "ids of the fields with their labels",
            "each('.form-group', (el) => { const label = el.querySelector('label'), field = el.querySelector('.form-control'); if (!label || !field) return false; field.id = 'f-' + field.id; label.htmlFor = field.id; });",
        ),
        (
            "test_register_passwords",
            "ids and classes of the fields",
            "each('form input', (el) => { el.id = ':r' + el.id.length + ':'; el.classList.replace('form-control-user', 'field-v5'); });",
        ),
        (
            "test_dashboard_figures",
            "classes of the cards",
            "each('.card [class*=text-xs]', (el) => { el.classList.remove('text-xs', 'text-primary', 'text-success', 'text-info', 'text-warning'); el.classList.add('caption-v5'); });",
        ),
        (
            "test_billing_delete",
            "classes of the buttons and items",
            "each('main .btn-link', (el) => { el.classList.replace('btn-link', 'btn-flat'); el.classList.replace('text-danger', 'danger-v5'); });each('main .list-group-item', (el) => { el.classList.replace('list-group-item', 'item-v5'); });",
        ),
        (
            "test_todo_delete",
            "data-key of the items and class of the list",
            "each('.todo-list', (el) => { el.className = 'items-3f2'; });"
            "each('.items-3f2 > li', (el) => { el.id = 'i' + Math.random().toString(36).slice(2); });",
        ),
        (
            "test_users_suspend",
            "classes of the rows' buttons and chips",
            "late('.card-opt-btn', (el) => { el.className = 'btn-icon-v5'; });"
            "late('.role-chip', (el) => { el.className = 'chip-v5'; });"
            "late('.status', (el) => { el.className = 'badge-v5'; });",
        ),
        (
            "test_users_filter",
            "ids of the filters",
            "late('#users-search', (el) => { el.id = 'q'; });"
            "late('#filter-role', (el) => { el.id = 'role-select'; });",
        ),
        (
            "test_inbox_star",
            "classes of the messages",
            "each('.sender', (el) => { el.className = 'from'; });"
            "each('.preview', (el) => { el.className = 'snippet'; });",
        ),
        (
            "test_employees_search",
            "id of the search and of the status",
            "late('#dataTable_filter', (el) => { el.id = 'filter-box'; });"
            "late('#dataTable_info', (el) => { el.id = 'table-info'; });",
        ),
        (
            "test_profile_settings",
            "ids of the boxes with their labels",
            "each('.form-switch', (el) => { const box = el.querySelector('input'), label = el.querySelector('label'); if (!label) return false; box.id = label.htmlFor = 'pref-' + box.id; });",
        ),
        (
            "test_profile_reply",
            "classes of the items and links",
            "each('li a.btn-link', (el) => { el.className = 'reply-v2'; });each('.list-group-item', (el) => { el.classList.replace('list-group-item', 'entry-v2'); });",
        ),
        (
            "test_projects_act",
            "classes of the cells",
            "each('.budget', (el) => { el.className = 'amount-v2'; });each('.status', (el) => { el.className = 'state-v2'; });",
        ),
    ),
    *_all(
        "wrapper added",
        (
            "test_billing_delete",
            "around each item's controls",
            "each('main li .ms-auto', (el) => wrap(el, '<div class=actions></div>'));",
        ),
        (
            "test_people_call",
            "around each card",
            "each('.page-body .card', (el) => wrap(el, '<article class=person></article>'));",
        ),
        (
            "test_project_create",
            "around each field",
            "each('.form-group .form-control', (el) => wrap(el, '<div class=input-group></div>'));",
        ),
        (
            "test_dashboard_figures",
            "around each figure",
            "each('.card .h5', (el) => wrap(el, '<div class=figure></div>'));",
        ),
        ("test_todo_delete", "around the list", "each('.todo-list', (el) => wrap(el));"),
        ("test_todo_complete", "around the list", "each('.todo-list', (el) => wrap(el));"),
        ("test_todo_order", "around the list", "each('.todo-list', (el) => wrap(el));"),
        (
            "test_todo_delete",
            "around each button",
            "each('.destroy', (el) => wrap(el, '<span class=actions></span>'));",
        ),
        (
            "test_users_suspend",
            "around the name in each row",
            "each('.cell-strong', (el) => wrap(el, '<div class=name-line></div>'));",
        ),
        (
            "test_users_choose",
            "around each box and the table",
            "each('.row-cb', (el) => wrap(el, '<span class=cb></span>'));"
            "each('main table', (el) => wrap(el));",
        ),
        (
            "test_inbox_star",
            "around each message's text",
            "each('.inbox-item-body', (el) => wrap(el, '<div class=content></div>'));",
        ),
        ("test_inbox_read", "around the folders", "each('#inbox-sidebar', (el) => wrap(el));"),
        ("test_employees_search", "around the table", "late('#dataTable', (el) => wrap(el));"),
        (
            "test_profile_settings",
            "around each box",
            "each('.form-switch input', (el) => wrap(el, '<span class=box></span>'));",
        ),
        (
            "test_profile_view",
            "around each card",
            "each('.card-blog', (el) => wrap(el, '<article class=item></article>'));",
        ),
        (
            "test_projects_act",
            "around the tables",
            "each('.table-responsive', (el) => wrap(el));",
        ),
        (
            "test_profile_reply",
            "around each name",
            "each('li h6', (el) => wrap(el, '<div class=name-line></div>'));",
        ),
    ),
    *_all(
        "wrapper removed",
        (
            "test_dashboard_figures",
            "around each figure",
            "each('.card .row.no-gutters > .col', (el) => unwrap(el));",
        ),
        (
            "test_billing_print",
            "around number and date of the invoices",
            "each('main li:has(button) > .flex-column', (el) => unwrap(el));",
        ),
        (
            "test_users_suspend",
            "around avatar and name",
            "each('.cell-customer', (el) => unwrap(el));",
        ),
        ("test_users_choose", "around the stats", "each('.stat-content', (el) => unwrap(el));"),
        ("test_inbox_star", "around the text", "each('.inbox-item-body', (el) => unwrap(el));"),
        (
            "test_todo_filter",
            "around the footer",
            "each('footer', (el) => unwrap(el));",
        ),
        (
            "test_profile_reply",
            "around name and preview",
            "each('li .flex-column', (el) => unwrap(el));",
        ),
        (
            "test_projects_list",
            "around the names",
            "each('.media-body', (el) => unwrap(el));",
        ),
        (
            "test_profile_settings",
            "around box and label",
            "late('.form-switch', (el) => unwrap(el));",
        ),
    ),
    *_all(
        "reordered",
        ("test_billing_delete", "the items", "reverse('main li:has(.text-danger)');"),
        ("test_billing_print", "the invoices", "reverse('main li:has(button.btn-link)');"),
        ("test_people_call", "the cards", "reverse('.page-body .row-cards > [class*=col]');"),
        ("test_dashboard_figures", "the cards of figures", "reverse('.row > .col-xl-3');"),
        ("test_orders_search", "the figures above the table", "reverse('main .col-3 > .card');"),
        ("test_todo_delete", "the todos", "reverse('.todo-list > li');"),
        ("test_todo_complete", "the todos", "reverse('.todo-list > li');"),
        ("test_users_suspend", "the rows", "reverse('main tbody tr');"),
        (
            "test_users_suspend",
            "the stats",
            "each('main .col-3 > .card:last-child', (el) => {"
            " if (!has(el, 'Pending')) return false; el.parentNode.prepend(el); });",
        ),
        ("test_users_choose", "the rows", "reverse('main tbody tr');"),
        ("test_inbox_star", "the messages", "reverse('.inbox-item');"),
        ("test_inbox_read", "the folders", "reverse('a.inbox-folder');"),
        ("test_employees_search", "the rows", "reverse('#dataTable tbody tr');"),
        (
            "test_profile_settings",
            "the settings",
            "reverse('.list-group-item:has(input)');",
        ),
        (
            "test_profile_view",
            "the projects",
            "reverse('.col-xl-3:has(.card-blog)');",
        ),
        (
            "test_projects_act",
            "the rows of both tables",
            "reverse('tbody tr');",
        ),
    ),
    *_all(
        "item added",
        (
            "test_billing_delete",
            "an item before the others",
            "each('main li:has(.text-danger)', (el) => { if (!has(el, 'Oliver Liam')) return false; copy(el, 'beforebegin', ['Oliver Liam', 'Zoe Adams'], ['Viking Burrito', 'Adams Ltd'], ['oliver@burrito', 'zoe@adams'], ['FRB1235476', 'FRB7654321']); });",
        ),
        (
            "test_people_call",
            "a card before the others",
            "each('.page-body .row-cards > [class*=col]', (el) => { if (!has(el, 'Paweł')) return false; copy(el, 'beforebegin', ['Paweł Kuna', 'Zoe Adams'], ['UI Designer', 'Pilot']); });",
        ),
        (
            "test_project_create",
            "a field before the others",
            "each('.card-primary .card-body', (el) => { add(el, 'afterbegin', '<div class=form-group><label for=code>Project Code</label><input id=code></div>'); });",
        ),
        (
            "test_dashboard_figures",
            "a card before the others",
            "each('.row > .col-xl-3', (el) => { if (!has(el, 'Monthly')) return false; copy(el, 'beforebegin', ['Earnings (Monthly)', 'Visits (Monthly)'], ['$40,000', '7,100']); });",
        ),
        (
            "test_todo_complete",
            "a todo before the others",
            "each('html', () => { setTimeout(() => {"
            " todos.unshift({ title: 'Walk the dog', due: '2026-11-30', done: true }); render(); }); });",
        ),
        (
            "test_users_suspend",
            "a user before the others",
            "each('main tbody tr:first-child', (el) => { if (!has(el, 'Aigars')) return false;"
            " copy(el, 'beforebegin', ['Aigars Silkalns', 'Zoe Adams'],"
            " ['aigars@example.com', 'zoe@example.com']).dataset.email = 'zoe@example.com'; });",
        ),
        (
            "test_inbox_read",
            "a folder before the others",
            "each('#inbox-sidebar', (el) => { if (!has(el, 'Sent')) return false;"
            " add(el, 'afterbegin', '<a class=\"inbox-folder\" href=\"#\">All mail</a>'); });",
        ),
        (
            "test_users_choose",
            "a column before the last",
            "each('main thead tr', (el) => { add(el.children[5], 'afterend', '<th>Team</th>'); });"
            "each('main tbody tr', (el) => { add(el.children[5], 'afterend', '<td>Web</td>'); });",
        ),
        (
            "test_profile_view",
            "a project before the others",
            "late('.col-xl-3:has(.card-blog)', (el) => { if (!has(el, 'Modern')) return false; copy(el, 'beforebegin', ['Modern', 'Rustic'], ['Project #2', 'Project #7']); });",
        ),
        (
            "test_projects_act",
            "a project before the others",
            "late('tbody tr', (el) => { if (!has(el, 'Argon Design')) return false; copy(el, 'beforebegin', ['Argon Design System', 'Zenith Kit'], ['$2500', '$990']); });",
        ),
        (
            "test_profile_reply",
            "a conversation after the others",
            "late('li:has(a.btn-link)', (el) => { if (!has(el, 'Nick Daniel')) return false; copy(el, 'afterend', ['Nick Daniel', 'Zoe Adams']); });",
        ),
    ),
    *_all(
        "text around changed",
        (
            "test_register_passwords",
            "the heading and a note",
            "each('h1', (el) => { el.textContent = 'Join us'; add(el, 'afterend', '<p>It is free.</p>'); });",
        ),
        (
            "test_dashboard_figures",
            "a notice under the heading",
            "each('h1', (el) => { add(el.parentNode, 'afterend', '<p>Figures are updated every hour.</p>'); });",
        ),
        (
            "test_people_call",
            "the number of people and the other people's jobs",
            "each('.page-body .card .text-secondary', (el) => { say(el, 'Chemical Engineer', 'Chemist'); say(el, 'VP Product Management', 'VP Product'); });",
        ),
        (
            "test_todo_delete",
            "a notice above the list",
            "each('.todo-list', (el) => { add(el, 'beforebegin', '<p>Drag to sort.</p>'); });",
        ),
        (
            "test_users_suspend",
            "a notice above the table and another subtitle",
            "each('main .page-pretitle', (el) => { el.textContent = 'Administration'; });"
            "each('main table', (el) => { add(el, 'beforebegin',"
            " '<p>People of this workspace</p>'); });",
        ),
        (
            "test_inbox_star",
            "the previews",
            "each('.inbox-item .preview', (el) => { el.textContent = 'Preview is off'; });",
        ),
        (
            "test_employees_search",
            "the text above the table",
            "each('main p, .container-fluid > p', (el) => { el.textContent = 'All people.'; });",
        ),
        (
            "test_employees_page",
            "the title of the card",
            "each('.card-header h6', (el) => { el.textContent = 'People'; });",
        ),
        (
            "test_profile_reply",
            "the previews",
            "each('li:has(a.btn-link) p', (el) => { el.textContent = 'Preview is off'; });",
        ),
        (
            "test_projects_act",
            "a notice under the headings",
            "each('.card-header h3', (el) => { add(el, 'afterend', '<p>Updated every hour.</p>'); });",
        ),
        (
            "test_profile_view",
            "the descriptions",
            "each('.card-blog p.mb-4', (el) => { el.textContent = 'No description'; });",
        ),
    ),
    *_all(
        "neighboring value changed",
        (
            "test_billing_delete",
            "the VAT numbers",
            "each('main li', (el) => say(el, 'FRB1235476', 'FRB7654321'));",
        ),
        (
            "test_billing_print",
            "the other amounts",
            "each('main li', (el) => { if (has(el, '#FB-212562')) return; say(el, '$180', '$190'); say(el, '$250', '$275'); say(el, '$300', '$310'); });",
        ),
        (
            "test_orders_search",
            "the payments and dates",
            "each('main tbody tr', (el) => { say(el, 'Apr 2', 'May 1'); });",
        ),
        (
            "test_todo_complete",
            "the due dates",
            "each('.todo-list li span', (el) => { say(el, '2026-12', '2027-01'); });",
        ),
        (
            "test_todo_filter",
            "the due dates",
            "each('.todo-list li span', (el) => { say(el, '2026-12', '2027-01'); });",
        ),
        (
            "test_users_suspend",
            "when the users were last active",
            "each('main tbody tr', (el) => { el.children[4].textContent = 'last week'; });",
        ),
        (
            "test_users_choose",
            "when the users were last active and the roles",
            "each('main tbody tr', (el) => { el.children[4].textContent = 'last week';"
            " say(el.children[2], 'Editor', 'Author'); });",
        ),
        (
            "test_inbox_star",
            "the times",
            "each('.inbox-item .meta', (el) => { el.textContent = 'May 3'; });",
        ),
        (
            "test_employees_search",
            "the start dates",
            "each('#dataTable tbody td:nth-child(5)', (el) => { el.textContent = '2020/01/01'; });",
        ),
        (
            "test_projects_act",
            "how far the projects are",
            "each('.completion', (el) => { el.textContent = '50%'; });",
        ),
        (
            "test_profile_reply",
            "the location",
            "each('li:has(> strong)', (el) => say(el, 'USA', 'Canada'));",
        ),
        (
            "test_projects_list",
            "the budgets of others",
            "each('tbody .budget', (el) => say(el, '$1800', '$1900') || say(el, '$4400', '$4500'));",
        ),
    ),
    *_all(
        "white space",
        (
            "test_billing_delete",
            "line breaks in names and links",
            "each('main li h6', (el) => { el.textContent = '\\n   ' + el.textContent.replace(' ', '\\n   ') + '\\n'; });each('main li a', (el) => { el.append('\\n  '); });",
        ),
        (
            "test_dashboard_figures",
            "no white space around the captions",
            "each('.card .text-xs', (el) => { el.textContent = el.textContent.trim(); });",
        ),
        (
            "test_todo_delete",
            "line breaks in the items",
            "each('.todo-list li label', (el) => {"
            " for (const word of ['Call', 'Buy', 'Water']) say(el, word + ' ', word + '\\n    '); });",
        ),
        (
            "test_users_suspend",
            "line breaks in the names",
            "each('.cell-strong', (el) => { el.textContent ="
            " '\\n  ' + el.textContent.replace(' ', '\\n  ') + '\\n'; });",
        ),
        (
            "test_inbox_star",
            "no white space between the elements",
            "each('.inbox-item, .inbox-item *', (el) => { for (const n of [...el.childNodes])"
            " if (n.nodeType === 3 && !n.data.trim()) n.remove(); });",
        ),
        (
            "test_employees_search",
            "no-break spaces in the names",
            "each('#dataTable tbody td:first-child', (el) => { el.textContent ="
            " el.textContent.replace(' ', '\\u00a0'); });",
        ),
        (
            "test_profile_settings",
            "line breaks in the labels",
            "each('.form-switch label', (el) => { el.textContent = el.textContent.replaceAll(' ', '\\n   '); });",
        ),
        (
            "test_projects_act",
            "line breaks in the names",
            "each('.name', (el) => { el.textContent = '\\n  ' + el.textContent.replaceAll(' ', '\\n  ') + '\\n'; });",
        ),
    ),
    *_all(
        "tag with the same role",
        (
            "test_billing_delete",
            "h6 to div, a to button",
            "each('main h6', (el) => { retag(el, 'div', { role: 'heading', 'aria-level': 6 }); });each('main li:has(.text-danger) a', (el) => { retag(el, 'span', { role: 'link', tabindex: 0, href: null }); });",
        ),
        (
            "test_people_call",
            "h3 to div",
            "each('.page-body h3', (el) => { retag(el, 'div', { role: 'heading', 'aria-level': 3 }); });",
        ),
        (
            "test_project_create",
            "input of type submit to button",
            "each('input[type=submit]', (el) => { const text = el.value; retag(el, 'button', { value: null }).textContent = text; });",
        ),
        (
            "test_dashboard_figures",
            "div to section and span",
            "each('.card .h5', (el) => { retag(el, 'p'); });each('.card .text-xs', (el) => { retag(el, 'p'); });",
        ),
        (
            "test_todo_delete",
            "button to div",
            "each('button.destroy', (el) => { retag(el, 'div', { role: 'button', tabindex: 0 }); });",
        ),
        (
            "test_todo_order",
            "h2 to div, li to div",
            "each('h2', (el) => { retag(el, 'div', { role: 'heading', 'aria-level': 2 }); });"
            "each('.todo-list', (el) => { retag(el, 'div', { role: 'list' }); });"
            "each('.todo-list > li', (el) => { retag(el, 'div', { role: 'listitem' }); });",
        ),
        (
            "test_users_suspend",
            "button to span with a role",
            "each('button[data-row-menu]', (el) => {"
            " retag(el, 'span', { role: 'button', tabindex: 0 }); });",
        ),
        (
            "test_users_filter",
            "h1 to div",
            "each('main h1', (el) => { retag(el, 'div', { role: 'heading', 'aria-level': 1 }); });",
        ),
        (
            "test_inbox_star",
            "div to li, button to div",
            "each('div.inbox-item', (el) => { retag(el, 'li', { style: 'list-style: none' }); });"
            "each('button.inbox-star-btn', (el) => {"
            " retag(el, 'div', { role: 'button', tabindex: 0 }); });",
        ),
        (
            "test_todo_filter",
            "link to span with a role",
            "each('a[data-filter]', (el) => {"
            " retag(el, 'span', { role: 'link', tabindex: 0, href: null }); });",
        ),
        (
            "test_profile_view",
            "button and h5 to div",
            "late('.card-blog button', (el) => { retag(el, 'div', { role: 'button', tabindex: 0, type: null }); });late('.card-blog h5', (el) => { retag(el, 'div', { role: 'heading', 'aria-level': 5 }); });",
        ),
        (
            "test_profile_reply",
            "ul and li to div, a to span",
            "late('ul:has(> li > a.btn-link)', (el) => { retag(el, 'div', { role: 'list' }); });late('li:has(a.btn-link)', (el) => { retag(el, 'div', { role: 'listitem' }); });late('.card a.btn-link', (el) => { retag(el, 'span', { role: 'link', tabindex: 0, href: null }); });",
        ),
        (
            "test_projects_act",
            "h3 to div",
            "late('.card-header h3', (el) => { retag(el, 'div', { role: 'heading', 'aria-level': 3 }); });",
        ),
    ),
    *_all(
        "slow answer",
        (
            "test_register_passwords",
            "the form comes after a second",
            "late('form', (el) => { delay(el, 1000); });",
        ),
        (
            "test_billing_delete",
            "the answer comes after a second",
            "each('#told', (el) => { if (el.dataset.slow) return false; el.dataset.slow = '1'; delay(el, 1000); });",
        ),
        (
            "test_todo_delete",
            "the list comes after a second",
            "late('#app', (el) => { delay(el, 1000); });",
        ),
        (
            "test_users_suspend",
            "the table comes after a second",
            "late('main table', (el) => { delay(el, 1000); });",
        ),
        (
            "test_inbox_star",
            "each click takes 700 ms",
            "block(() => true, 700);each('body', () => {});",
        ),
        (
            "test_employees_search",
            "the search comes after a second",
            "late('#dataTable_filter', (el) => { delay(el, 1000); });",
        ),
        (
            "test_projects_act",
            "the second table comes after a second",
            "late('.card:has(.thead-dark)', (el) => { delay(el, 1000); });",
        ),
        (
            "test_profile_reply",
            "the answer comes after a second",
            "each('#told', (el) => { if (el.dataset.slow) return false; el.dataset.slow = '1'; delay(el, 1000); });",
        ),
    ),
    Change(
        "harmless",
        "slow answer",
        "test_todo_delete",
        "each click takes 6 seconds",
        "block(() => true, 6000);each('body', () => {});",
        slow=True,
    ),
    *_all(
        "hint translated",
        (
            "test_orders_search",
            "the placeholder of the search",
            "late('[aria-label=\"Search table\"]', (el) => { el.placeholder = 'Suchen…'; });",
        ),
        (
            "test_users_filter",
            "the placeholder of a field with a name",
            "late('#users-search', (el) => { el.placeholder = 'Nach Namen suchen…'; });",
        ),
        (
            "test_inbox_read",
            "the placeholder of the search",
            "late('main [placeholder]', (el) => { el.placeholder = 'Nachrichten suchen…'; });",
        ),
        (
            "test_profile_settings",
            "the placeholder of the search",
            "late('[placeholder]', (el) => { el.placeholder = 'Hier suchen…'; });",
        ),
    ),
    Change(
        "harmless",
        "slow answer",
        "test_billing_delete",
        "each click takes 6 seconds",
        "block(() => true, 6000);each('body', () => {});",
        slow=True,
    ),
]
