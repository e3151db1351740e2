"""Rest: long enough, never for ever, and known from what the page does."""

import time

import pytest
from playwright.sync_api import Page

from pytest_webtask.page import activity, dom
from pytest_webtask.page.activity import CAP, LATE, QUIET, activity_of, find
from pytest_webtask.page.recorded_element import Missing, RecordedElement
from pytest_webtask.run.webtask import Webtask
from pytest_webtask.types.page import Target
from tests.scripted import Answer, Html, Scripted, done, on
from tests.site import Site

pytestmark = [pytest.mark.usefixtures("webtask_engine"), pytest.mark.real_time]


def settled(page: Page, quiet: float = QUIET) -> float:
    """Seconds that settling took."""
    began = time.monotonic()
    activity_of(page).await_rest(quiet)
    return time.monotonic() - began


def test_changes_of_a_script_are_waited_for(page: Page, site: Site) -> None:
    """Settling lasts until a chain of changes has ended."""
    site.pages["/"] = """<ul id=list></ul><script>
        let n = 0; const t = setInterval(() => { list.append(document.createElement('li'));
        if (++n == 8) clearInterval(t) }, 80)</script>"""
    page.goto(site.url)
    settled(page)
    assert page.locator("li").count() == 8


@pytest.mark.parametrize("passed", [0, 900])
def test_pending_request_is_waited_for(page: Page, site: Site, passed: int) -> None:
    """Settling lasts until the page shows the answer, though nothing may have changed for long."""
    site.delays["/data"] = 1.2
    site.pages["/data"] = "loaded"
    site.pages["/"] = (
        "<p id=p></p><button onclick=\"fetch('/data').then(r => p.textContent = r.status)\">Go"
    )
    page.goto(site.url)
    activity_of(page).await_rest(0.5)
    page.get_by_role("button").click()
    page.wait_for_timeout(passed)
    activity_of(page).await_rest(0.5)
    assert page.locator("p").inner_text() == "200"


def test_page_that_has_been_at_rest_is_not_waited_for(page: Page, site: Site) -> None:
    """A page that has been at rest for long enough is at rest at once, until it is used."""
    site.pages["/"] = "<button onclick='this.textContent = 1'>Go</button>"
    page.goto(site.url)
    activity_of(page).await_rest(3.0)
    assert settled(page, 3.0) < 2.9
    page.get_by_role("button").click()
    assert settled(page, 1.0) > 0.7


STYLE = """<style>
@keyframes spin { to { transform: rotate(1turn) } }
@keyframes pulse { 50% { opacity: 0.4 } }
.spinner { width: 30px; height: 30px; border: 3px solid; border-radius: 50%; animation: spin 1s linear infinite }
.skeleton { width: 300px; height: 20px; background: #ddd; position: relative }
.skeleton::after { content: ""; position: absolute; inset: 0; background: #eee; animation: pulse 1s infinite }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip: rect(0 0 0 0) }
</style>"""
SIGNS = {
    "busy": "<ul aria-busy=true><li>Old</ul>",
    "progress": "<progress></progress>",
    "progressbar": "<div role=progressbar style='width: 200px; height: 4px'></div>",
    "spinner": "<div class=spinner role=status><span class=hidden>Loading</span></div>",
    "skeleton": "<div class=skeleton></div>",
    "drawing": "<svg width=30 height=30><circle cx=15 cy=15 r=9><animate attributeName=r values='9;3;9'"
    " dur=1s repeatCount=indefinite /></circle></svg>",
    "shadow": "<x-load style='display: block; width: 30px; height: 30px'></x-load><script>document."
    "querySelector('x-load').attachShadow({mode: 'open'}).append(document.querySelector('style')"
    ".cloneNode(true), Object.assign(document.createElement('div'), {className: 'spinner'}))</script>",
}
NO_SIGNS = {
    "idle": "<ul aria-busy=false><li>New</ul>",
    "value": "<progress value=0.4></progress><div role=progressbar aria-valuenow=40>40%</div>",
    "text": "<p style='animation: pulse 1s infinite'>Sale!</p>",
    "below": "<div style='height: 5000px'></div><div class=spinner></div>",
    "unseen": "<div class=hidden><div class=spinner></div></div>"
    "<div style='opacity: 0'><div class=spinner></div></div>"
    "<div class=spinner style='visibility: hidden'></div>",
    "paused": "<div class=spinner style='animation-play-state: paused'></div>",
    "ending": "<div class=spinner style='animation-iteration-count: 3'></div>",
    "cursor": "<div style='width: 2px; height: 16px; animation: pulse 1s infinite'></div>",
    "background": "<div style='height: 100vh; animation: pulse 9s infinite'></div>",
}


@pytest.mark.parametrize("name", [*SIGNS, *NO_SIGNS])
def test_loading_signs_are_told_from_other_motion(html: Html, name: str) -> None:
    """A sign is visible and says that it is busy, has no value, or moves without end and text."""
    page = html(STYLE + {**SIGNS, **NO_SIGNS}[name])
    answer = dom.call(page.main_frame, "activity", {"before": {}, "signs": 0})
    assert bool(answer["signs"]) == (name in SIGNS)


def test_loading_sign_of_an_opened_page_and_after_an_action_is_waited_for(
    webtask: Webtask, model: Scripted, site: Site
) -> None:
    """The page is first observed when its loading sign has gone, and so it is after an action."""
    site.pages["/"] = f"""{STYLE}<h1>Orders</h1><main></main><button onclick="load()">More</button>
        <script>const main = document.querySelector("main");
        let page = 0;
        function load() {{
          main.innerHTML = "<div class=spinner></div>";
          setTimeout(() => main.innerHTML = "<p>Orders of page " + ++page + "</p>", 900);
        }}
        load();</script>"""
    seen: list[str] = []

    def look(answer: Answer) -> Answer:
        return lambda turn: seen.append(turn.observation.outline) or answer(turn)  # type: ignore[func-returns-value, operator]

    webtask.goto(site.url)
    model.answers = [look(on("click", "button", "More")), look(lambda _: done())]
    webtask.do("load more")
    assert ["Orders of page 1" in seen[0], "Orders of page 2" in seen[1]] == [True, True]


@pytest.mark.long
def test_decoration_costs_the_limit_once(
    page: Page, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What moves without end is waited for until the limit, and then no more, on other pages, too."""
    monkeypatch.setattr(activity, "CAP", 3.0)
    monkeypatch.setattr(activity, "VAIN", 2.0)
    logo = f"{STYLE}<i class=spinner></i>"
    site.pages |= {"/": logo, "/two": f"<h1>Two</h1>{logo}"}
    times = []
    for path in ("/", "/", "/two"):
        page.goto(f"{site.url}{path}")
        times.append(settled(page))
    assert times[0] >= 3.0
    assert max(times[1:]) < 2.9
    page.evaluate("setTimeout(() => document.querySelector('progress').replaceWith('Done'), 600)")
    page.evaluate("document.body.append(document.createElement('progress'))")
    activity_of(page).await_rest(QUIET)
    assert "Done" in page.inner_text("body")


def test_short_sign_before_the_limit_is_no_decoration(
    page: Page, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A sign that only came when the limit was near is awaited the next time."""
    monkeypatch.setattr(activity, "CAP", 2.0)
    site.pages["/"] = f"""{STYLE}<p id=p></p><script>let n = 0; const t = setInterval(() => {{
        if (++n < 30) document.body.append(document.createElement('i')); else {{ clearInterval(t);
        p.className = 'skeleton' }} }}, 50)</script>"""
    page.goto(site.url)
    activity_of(page).await_rest(QUIET)
    page.evaluate("setTimeout(() => { p.className = ''; p.textContent = 'Done' }, 600)")
    activity_of(page).await_rest(QUIET)
    assert page.inner_text("#p") == "Done"


def test_what_changes_without_end_is_not_awaited(page: Page, site: Site) -> None:
    """A ticker delays rest for a second or two, and is no change from then on; other changes are."""
    site.pages["/"] = (
        "<p id=p></p><button onclick=\"this.after('Done')\">Go</button><script>setInterval(() => p.textContent = Date.now(), 20)</script>"
    )
    page.goto(site.url)
    assert settled(page) < CAP - 1
    activity_of(page).begin(shows=True)
    assert activity_of(page).has_reacted() is False
    page.get_by_role("button").click()
    assert activity_of(page).has_reacted() is True


def test_look_of_a_pressed_button_is_a_change_but_awaits_a_first_effect(page: Page) -> None:
    """A button that only becomes active has reacted, and the page is given time to do more."""
    page.set_content("<button onclick=\"this.className = 'active'\">Go</button>")
    activity = activity_of(page)
    activity.await_rest()
    activity.begin(shows=True)
    page.get_by_role("button").click()
    assert activity.look().reason == "had not reacted to the last action yet"
    assert activity.has_reacted() is True and not activity.is_idle()


@pytest.mark.long
def test_endless_request_costs_the_limit_once(page: Page, site: Site) -> None:
    """A long poll is awaited until the limit once, and then no more."""
    site.delays["/wait"] = 30
    site.pages["/"] = "<h1>Live</h1><script>fetch('/wait')</script>"
    times = []
    for _ in range(2):
        activity_of(page).begin()
        page.goto(site.url)
        times.append(settled(page))
    assert CAP - 1 < times[0] < CAP + 3
    assert times[1] < CAP - 1


@pytest.mark.long
def test_request_that_was_open_long_before_the_action_is_not_awaited(
    page: Page, site: Site
) -> None:
    """What has been open for seconds as an action begins is none of its effects."""
    site.delays["/feed"] = 30
    site.pages["/"] = "<h1>Live</h1><button>Go</button><script>fetch('/feed')</script>"
    page.goto(site.url)
    activity_of(page).look()
    page.wait_for_timeout(2500)
    activity_of(page).begin()
    assert settled(page) < CAP - 1


def test_action_without_an_effect_is_given_half_a_second(page: Page, site: Site) -> None:
    """A click that shows nothing yet may still open a dialog; one that shows something need not."""
    site.pages["/"] = (
        """<button onclick="setTimeout(() => d.showModal(), 300)">New</button><dialog id=d>Name</dialog>"""
    )
    page.goto(site.url)
    page.get_by_role("button").hover()
    activity_of(page).await_rest()
    activity_of(page).begin(shows=True)
    page.get_by_role("button").click()
    assert activity_of(page).look().reason == "had not reacted to the last action yet"
    activity_of(page).await_rest()
    assert page.get_by_role("dialog").is_visible()
    activity_of(page).begin(shows=True)
    assert LATE - 0.1 < settled(page) < CAP - 1


LATER = {
    # What brings an item back a moment after it was removed, and what else the page needs for that.
    "timer": ("setTimeout(back, 300)", ""),
    "request of a timer": ("setTimeout(() => fetch('/slow').then(back), 200)", ""),
    "frames": ("const end = performance.now() + 350, draw = () => performance.now() < end ?"
        " requestAnimationFrame(draw) : back(); draw()", ""),
    "animation": ("e.animate([{ opacity: 0 }, { opacity: 1 }], 300).onfinish = back", "<i id=e></i>"),
    "component": ("setTimeout(back, 300)",
        "<x-box></x-box><script>document.querySelector('x-box').attachShadow({ mode: 'open' })</script>"),
    "picture": ("list.append(Object.assign(new Image(), { src: '/slow', onerror: back }))", ""),
    "frame": ("frames[0].setTimeout(back, 300)", "<iframe></iframe>"),
    "worker": ("w.postMessage(0)",
        "<script>const w = new Worker(URL.createObjectURL(new Blob(["
        "'onmessage = () => setTimeout(() => postMessage(0), 300)']))); w.onmessage = () => back()</script>"),
    "socket": ("s.send(0)", "<script>const s = new WebSocket('ws://' + location.host + '/socket');"
        " s.onmessage = () => back()</script>"),
}  # fmt: skip
LISTED = """<ul id=list><li id=a>Mug<li>Cup</ul><button onclick="item.remove(); {later}">Delete</button>
    <script>const item = a, back = () => list.append(item)</script>{more}"""


@pytest.mark.long
@pytest.mark.parametrize("name", LATER)
def test_item_that_comes_back_a_moment_later_is_not_absent(
    page: Page, site: Site, name: str
) -> None:
    """An absence does not count as long as the page may take back what it has shown."""
    later, more = LATER[name]
    site.delays["/slow"] = 0.3
    site.pages |= {"/slow": "", "/": LISTED.format(later=later, more=more)}
    page.goto(site.url)
    activity_of(page).await_rest(LATE)
    activity_of(page).begin(shows=True)
    page.get_by_role("button").click()
    mugs = page.get_by_text("Mug")
    answer, _ = find(page, 1.5, lambda _: ((n := mugs.count()), n == 0), quiet=lambda _: LATE)
    assert answer == 1


def test_search_that_waits_for_the_next_key_is_awaited(page: Page, html: Html) -> None:
    """What a page shows of a text before the keys have paused is not found; what it does at once is."""
    html(
        """<label>Find <input oninput="clearTimeout(window.t); t = setTimeout(() => p.textContent = 'None',
        300)"></label><p id=p>Some</p>"""
    )
    page.get_by_label("Find").press_sequentially("mug")
    activity_of(page).note_typed()
    assert find(page, 3.0, lambda _: (page.inner_text("p"), True)) == ("None", "")


@pytest.mark.long
def test_finding_on_a_page_that_never_rests_is_the_same_twice(page: Page, site: Site) -> None:
    """Beside a ticker something is found that stays; the ticker itself is never the same."""
    site.pages["/"] = (
        "<h1>Live</h1><p id=p></p><script>setInterval(() => p.textContent = Date.now(), 20)</script>"
    )
    page.goto(site.url)
    page.wait_for_timeout(1500)
    began = time.monotonic()
    assert find(page, 2.0, lambda _: (page.inner_text("h1"), True)) == ("Live", "")
    assert LATE <= time.monotonic() - began < 2.0
    looks: list[str] = []
    find(page, 0.5, lambda _: (looks.append(page.inner_text("p")) or looks[-1], True))  # type: ignore[func-returns-value]
    assert len(looks) > 2


def test_slow_answer_is_waited_for_before_the_page_is_shown(page: Page, site: Site) -> None:
    """A page that asks for its content and draws it a moment after the answer is not shown empty."""
    site.delays["/orders"] = 2.6
    site.pages["/orders"] = ""
    site.pages["/"] = """<div id=app></div><script>fetch('/orders').then(() => setTimeout(() =>
        app.textContent = '3 orders', 150))</script>"""
    activity_of(page).look()
    page.goto(site.url)
    activity_of(page).await_rest(QUIET)
    assert page.inner_text("#app") == "3 orders"


def test_closed_page_settles_at_once(page: Page) -> None:
    """Settling a closed page returns at once."""
    page.close()
    assert settled(page) < CAP - 1


def test_delayed_reaction_to_typing_is_waited_for(
    webtask: Webtask, model: Scripted, html: Html
) -> None:
    """Suggestions that come when typing has paused are in the next observation."""
    html(
        """<input aria-label=Town oninput="clearTimeout(window.t);
        t = setTimeout(() => this.after('Berlin?'), 300)">"""
    )
    seen: list[str] = []
    model.answers = [
        on("fill", "textbox", "Town", text="Ber"),
        lambda turn: seen.append(turn.observation.outline) or done(),  # type: ignore[func-returns-value]
    ]
    webtask.do("enter the town")
    assert "Berlin?" in seen[0]


@pytest.mark.long
def test_slow_answer_is_awaited_again(page: Page, site: Site) -> None:
    """A finding that was not given the time for an answer teaches nothing about its address."""
    site.delays["/slow"] = 3.4
    on = "document.querySelector('h1').textContent = 'On'"
    site.pages |= {
        "/slow": "",
        "/": f"<h1>Off</h1><script>fetch('/slow').then(() => {{ {on} }})</script>",
    }
    page.goto(site.url)
    find(page, 3.0, lambda _: (None, False))
    for _ in range(2):
        # The first one was sent long ago, and answered.
        activity_of(page).begin()
        page.goto(site.url)
        find(page, 0.0, lambda _: (None, False))
        activity_of(page).await_rest()
        assert page.inner_text("h1") == "On"


@pytest.mark.long
def test_element_of_a_loading_page_is_taken_at_the_timeout(page: Page, site: Site) -> None:
    """The timeout does not start anew once the element has appeared."""
    site.delays["/slow.js"] = 15
    site.pages["/"] = (
        "<h1>Notes</h1><script>setTimeout(() => document.querySelector('h1').insertAdjacentHTML("
        "'afterend', '<button>Go</button>'), 3000)</script><script src=/slow.js></script>"
    )
    page.goto(site.url, wait_until="commit")
    began = time.monotonic()
    go = Target.of('get_by_role("button", name="Go")')
    found = RecordedElement(page, go.locators, go).look(4)
    assert found["name"] == "Go"
    assert 3.9 < time.monotonic() - began < 6.9


@pytest.mark.long
def test_request_awaited_in_vain_is_not_awaited_again(page: Page, site: Site) -> None:
    """A poll that is never answered costs the time of a busy page once, not for each missing element."""
    site.delays["/asked"] = 60
    site.pages["/"] = "<h1>Notes</h1><script>fetch('/asked?n=' + Math.random())</script>"
    go = Target.of('get_by_role("button", name="Go")')
    messages = []
    for _ in range(2):
        page.goto(site.url)
        with pytest.raises(Missing) as missing:
            RecordedElement(page, go.locators, go).look(0.6, busy_timeout=5)
        messages.append(str(missing.value))
    assert messages[0].endswith(f"(after 5 s); the page was still waiting for GET {site.url}/asked")
    assert "waiting" not in messages[1]


@pytest.mark.parametrize(
    ("script", "reacts"),
    [("document.body.append('x')", True), ("q.value = 'x'", True), ("", False)],
)
def test_reaction_is_known_on_a_page_that_answers_late(
    page: Page, script: str, reacts: bool
) -> None:
    """A change or set value right after the action counts, and one right before it does not, however late the answer."""
    page.set_content("<p>Still</p><input id=q>")
    page.evaluate("document.body.append('y')")
    activity_of(page).look()
    activity_of(page).begin(shows=True)
    busy = "setTimeout(() => { const end = Date.now() + 300; while (Date.now() < end); })"
    page.evaluate(f"() => {{ {script}; {busy} }}")
    assert activity_of(page).has_reacted() is reacts


def test_press_before_the_action_is_not_received(page: Page) -> None:
    """Only a press after the action counts, though an earlier one was a moment ago."""
    page.set_content("<button>Go</button>")
    activity_of(page).look()
    page.get_by_role("button").click()
    activity_of(page).look()
    activity_of(page).begin()
    assert activity_of(page).has_received() is False
    page.get_by_role("button").click()
    assert activity_of(page).has_received() is True
