"""The next action begins when the last one is over, and a text to wait for is an effect of it."""

import pytest
from playwright.sync_api import Page

from pytest_webtask.errors import TaskFailed
from pytest_webtask.run.webtask import Webtask
from tests.scripted import Html
from tests.site import Site

pytestmark = [pytest.mark.real_time, pytest.mark.long]


def test_second_click_waits_for_answer_to_first(webtask: Webtask, page: Page, site: Site) -> None:
    """A button that asks the server is not pressed again before the page has shown the answer."""
    site.delays["/turn"] = 0.4
    site.pages |= {
        "/turn": "",
        "/": """<h1 id=h>Page 1</h1><button onclick="log.push(h.textContent);
            fetch('/turn').then(() => h.textContent = 'Page ' + (log.length + 1))">Turn</button>
            <script>window.log = []</script>""",
    }
    webtask.goto(site.url)
    webtask.do('click "Turn", click "Turn"')
    assert page.evaluate("log") == ["Page 1", "Page 2"]


@pytest.mark.parametrize("look", ["", "this.className = 'active'", "this.append(new Image())"])
def test_dialog_that_opens_late_is_awaited(webtask: Webtask, html: Html, look: str) -> None:
    """A field of the same name behind the dialog is not filled, however the button looks until then."""
    page = html(
        f"""<label>Title <input id=filter></label>
        <button onclick="{look}; setTimeout(() => d.showModal(), 300)">Add</button>
        <dialog id=d><label>Title <input id=title></label></dialog>"""
    )
    webtask.do('click "Add", fill "Title" with "Report"')
    assert [page.input_value("#filter"), page.input_value("#title")] == ["", "Report"]


def test_field_of_a_new_page_is_filled_after_the_page_has_filled_it(
    webtask: Webtask, page: Page, site: Site
) -> None:
    """What a page asks for as it is loaded may fill its fields, also after an action beside them."""
    site.delays["/cart"] = 0.8
    script = "<script>fetch('/cart').then(() => { q.value = 7; s.textContent = 'ready' })</script>"
    site.pages |= {
        "/cart": "",
        "/": f"""<label>Amount <input id=q value=1></label><button onclick="this.after('More text')">
            More</button><p id=s>empty</p>{script}""",
    }
    webtask.goto(site.url)
    webtask.do('fill "Amount" with "3"')
    assert page.input_value("#q") == "3"
    webtask.goto(site.url)
    webtask.do('click "More"')
    assert webtask.holds('"empty" is shown', timeout=1) is False


def test_selected_element_is_there_at_rest(webtask: Webtask, site: Site) -> None:
    """A button that the answer of a new page takes away is not selected."""
    site.delays["/stock"] = 0.6
    site.pages |= {
        "/stock": "",
        "/": """<button id=old>Buy</button><script>fetch('/stock').then(() => {
            old.remove(); document.body.insertAdjacentHTML('beforeend', '<button id=new>Buy</button>') })
            </script>""",
    }
    webtask.goto(site.url)
    assert webtask.select('"Buy"').get_attribute("id") == "new"


def test_page_takes_back_what_a_server_refuses(webtask: Webtask, site: Site) -> None:
    """A box that is unchecked by the answer to its request is not checked."""
    site.delays["/read"] = 0.5
    site.pages |= {
        "/read": "",
        "/": """<label><input type=checkbox onchange="fetch('/read').then(() => this.checked = false)">
            Read</label>""",
    }
    webtask.goto(site.url)
    with pytest.raises(TaskFailed, match="is not checked now"):
        webtask.do('check "Read"')


@pytest.mark.parametrize("leave", ["reload", 'go to "/"'])
def test_page_is_left_after_it_has_sent_all(webtask: Webtask, site: Site, leave: str) -> None:
    """The second of two requests in a row is sent before the page is left by its address."""
    site.delays["/one"] = 0.5
    site.pages |= {
        "/one": "",
        "/two": "",
        "/": """<button onclick="fetch('/one').then(() => fetch('/two'))">Send</button>""",
    }
    webtask.goto(site.url)
    webtask.do(f'click "Send", {leave}')
    assert site.log.index("GET /two") < len(site.log) - 1


def test_message_of_an_earlier_action_is_not_waited_for(webtask: Webtask, html: Html) -> None:
    """After a click without any effect, a text that was there before proves nothing."""
    html("<button>Send</button><p role=status>Sent.</p>")
    with pytest.raises(TaskFailed, match="the last action changed nothing, and 'Sent\\.' was"):
        webtask.do('click "Send", wait for "Sent."')


@pytest.mark.parametrize(
    ("drawn", "then", "was_shown"),
    [
        ("role=status", "say.textContent = ''", True),
        ("style='position: fixed'", "say.textContent = ''", True),
        ("", "say.textContent = ''", False),
        ("role=status", "say.textContent = 'Not sent'", False),
    ],
)
def test_message_that_went_before_the_page_was_at_rest_has_been_shown(
    webtask: Webtask, page: Page, site: Site, drawn: str, then: str, was_shown: bool
) -> None:
    """A message may go while an answer is awaited; one that became another, or a row, does not count."""
    site.delays["/list"] = 1.2
    site.pages |= {
        "/list": "",
        "/": f"""<button onclick="fetch('/list'); setTimeout(() => say.textContent = 'Sent', 100);
            setTimeout(() => {{ {then} }}, 500)">Send</button><p {drawn} id=say></p>""",
    }
    webtask.goto(site.url)
    webtask.do('click "Send"')
    assert webtask.holds('"Sent" is shown', timeout=1) == was_shown
    assert webtask.holds('the page shows "Sent"', timeout=1) == was_shown
    if was_shown:
        assert [check.kind for check in webtask.verify('"Sent" is shown').evidence] == ["was_shown"]
    webtask.do('click "Send"')
    page.reload()
    assert not webtask.holds('"Sent" is shown', timeout=1)
