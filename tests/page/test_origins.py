"""The guard of allowed origins, on real pages of real servers that log what reaches them."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from statistics import median

import pytest
from playwright.sync_api import Browser, BrowserContext, Page
from playwright.sync_api import Error as PlaywrightError

from pytest_webtask.errors import PageError, UsageError
from pytest_webtask.page.origins import AllowedOrigins, OriginGuard, Violation, origin_of
from tests.site import Handler, Server

WORKER = """
addEventListener('install', () => skipWaiting())
addEventListener('activate', event => event.waitUntil(clients.claim()))
addEventListener('fetch', event => event.respondWith(new Response('from the worker')))
"""


class Site(Server):
    """A server of its own origin: `log` has each request that came, body included."""

    def __init__(self) -> None:
        self.log: list[str] = []
        self.html: dict[str, str] = {}
        site = self

        class OfRequests(Handler):
            def answer(self) -> None:
                body = self.body().decode()
                if self.path != "/favicon.ico":
                    site.log.append(f"{self.command} {self.path} {body}".strip())
                path, _, elsewhere = self.path.partition("?")
                answer = site.html.get(path, "<h1>ok</h1>").encode()
                kind = "text/javascript" if path.endswith(".js") else "text/html"
                status = {"/to": 302, "/keep": 307}.get(path, 200)
                self.reply(status, {"Location": elsewhere, "Content-Type": kind}, answer)

        super().__init__(OfRequests)

    def show(self, page: Page, html: str) -> None:
        """Open a page of this site that a test can tell from any other document."""
        self.html["/"] = f"<h1>home</h1>{html}"
        page.goto(f"{self.url}/")
        page.evaluate("window.untouched = true")


def _site() -> Iterator[Site]:
    site = Site()
    yield site
    site.stop()


home = pytest.fixture(_site)
away = pytest.fixture(_site)


@pytest.fixture
def blocked() -> list[str]:
    """The addresses that the guard has reported."""
    return []


@pytest.fixture
def cdp() -> bool:
    """Whether the guard may use CDP, which Firefox and WebKit do not have."""
    return True


@pytest.fixture
def guard(context: BrowserContext, home: Site, blocked: list[str], cdp: bool) -> OriginGuard:
    """A guard, not armed yet, that allows the home site only."""
    return OriginGuard(context, AllowedOrigins([home.url]), into(blocked), cdp=cdp)


@contextmanager
def armed(guard: OriginGuard) -> Iterator[None]:
    """Have a guard block navigations."""
    guard.arm()
    try:
        yield
    finally:
        guard.disarm()


def into(urls: list[str]) -> Callable[[Violation, str], None]:
    """Return a function that adds each reported address to a list."""
    return lambda _, url: urls.append(url)


def wait_until(page: Page, condition: Callable[[], object]) -> None:
    """Let the page go on until the condition holds."""
    deadline = time.monotonic() + 5
    while not condition():
        assert time.monotonic() < deadline, "it did not come true in 5 seconds"
        page.wait_for_timeout(10)


def assert_untouched(page: Page) -> None:
    """The document is still the one that `Site.show` opened."""
    assert page.evaluate("window.untouched") is True
    assert page.locator("h1").inner_text() == "home"


BY_LINK = {
    "link": "<a id=go href={away}>go</a>",
    "tab": "<a id=go href={away} target=_blank>go</a>",
    "noopener": "<a id=go href={away} target=_blank rel=noopener>go</a>",
    "script": "<button id=go onclick=\"location = '{away}'\">go</button>",
    "replace": "<button id=go onclick=\"location.replace('{away}')\">go</button>",
    "open": "<button id=go onclick=\"window.open('{away}')\">go</button>",
    "open-noopener": "<button id=go onclick=\"window.open('{away}', '', 'noopener')\">go</button>",
    "post": "<form method=post action={away}><input name=pin value=42><button id=go>go</button>",
    "post-tab": "<form method=post action={away} target=_blank><input name=pin value=42>"
    "<button id=go>go</button>",
    "get": "<form action={away}><button id=go>go</button>",
    "meta": "<meta http-equiv=refresh content='0; url={away}'><a id=go>go</a>",
    "backslash": r"<a id=go href='http:\\127.0.0.1:{port}\x'>go</a>",
    "userinfo": "<a id=go href='http://127.0.0.1:{home_port}@127.0.0.1:{port}/x'>go</a>",
    "frame-to-top": "<iframe srcdoc='<a id=go target=_top href={away}>go</a>'></iframe>",
}
BY_REDIRECT = {
    "redirect": "<a id=go href='/to?{away}'>go</a>",
    "redirects": "<a id=go href='/to?/to?/to?{away}'>go</a>",
    "redirect-tab": "<a id=go href='/to?{away}' target=_blank>go</a>",
    "redirect-noopener": "<a id=go href='/to?{away}' target=_blank rel=noopener>go</a>",
    "post-kept": "<form method=post action='/keep?{away}'><input name=pin value=42>"
    "<button id=go>go</button>",
}
BY_DOWNLOAD = {
    "download": "<a id=go href={away} download>go</a>",
    "download-redirect": "<a id=go href='/to?{away}' download>go</a>",
}


def leave(page: Page, home: Site, away: Site, html: str) -> None:
    """Show the page and click what leads away."""
    ways = {"away": f"{away.url}/x", "port": away.port, "home_port": home.port}
    home.show(page, html.format(**ways))
    frame = page.frame_locator("iframe") if "<iframe" in html else page
    frame.locator("#go").click()


@pytest.mark.parametrize(
    ("html", "cdp"),
    [pytest.param(h, True, id=i) for i, h in (BY_LINK | BY_REDIRECT | BY_DOWNLOAD).items()]
    + [pytest.param(h, False, id=f"{i} without CDP") for i, h in BY_LINK.items()],
)
def test_navigation_to_a_foreign_site_is_stopped(
    html: str, page: Page, home: Site, away: Site, guard: OriginGuard, blocked: list[str], cdp: bool
) -> None:
    """Every way out of the site is stopped before its request, reported once, and the page stays.

    Without CDP redirects are not.
    """
    with armed(guard):
        leave(page, home, away, html)
        wait_until(page, lambda: blocked and (not cdp or len(page.context.pages) == 1))
    assert [origin_of(url) for url in blocked] == [away.url]
    assert_untouched(page)
    assert away.log == []


def test_redirect_is_noticed_without_cdp(page: Page, home: Site, away: Site) -> None:
    """Without CDP a redirect is not stopped, and the guard reports where the page ended."""
    reported: list[tuple[Violation, str]] = []
    allowed = AllowedOrigins([home.url])
    with armed(OriginGuard(page.context, allowed, lambda *each: reported.append(each), cdp=False)):
        leave(page, home, away, BY_REDIRECT["redirects"])
        wait_until(page, lambda: reported)
    assert reported == [("left", f"{away.url}/x")]


@pytest.mark.parametrize("cdp", [True, False])
def test_page_may_load_foreign_resources(
    page: Page, home: Site, away: Site, guard: OriginGuard, blocked: list[str]
) -> None:
    """Pictures and frames of a foreign site load, with the links in them."""
    away.html["/frame"] = "<a id=go href='/next'>go</a>"
    other_site = f"http://localhost:{away.port}"  # Chromium gives its frame another process
    with armed(guard):
        home.show(page, f"<img src={away.url}/i><iframe src={other_site}/frame></iframe>")
        page.frame_locator("iframe").locator("#go").click()
        page.frame_locator("iframe").locator("h1").wait_for()
    assert sorted(away.log) == ["GET /frame", "GET /i", "GET /next"]
    assert blocked == []


INTO_FRAME = {
    "post": "method=post", "secret": "method=get", "post-to-frame-in-frame": "method=post",
}  # fmt: skip


@pytest.mark.parametrize("cdp", [True, False])
@pytest.mark.parametrize("way", INTO_FRAME)
def test_form_and_secret_are_not_sent_to_a_foreign_frame(
    way: str, cdp: bool, page: Page, home: Site, away: Site, blocked: list[str]
) -> None:
    """No form is posted into a foreign frame, and no address with a secret is opened in it."""
    other_site = f"http://localhost:{away.port}"
    away.html["/frame"] = "<iframe name=f srcdoc=x></iframe>"
    frame = f"<iframe src={other_site}/frame></iframe>" if "in-frame" in way else "<iframe name=f>"
    allowed, options = AllowedOrigins([home.url]), {"is_secret": lambda text: "a b&c" in text}
    guard = OriginGuard(page.context, allowed, into(blocked), cdp=cdp, **options)
    with armed(guard):
        home.show(
            page,
            f"<form {INTO_FRAME[way]} target=f action={other_site}/x><input name=p value='a b&c'>"
            f"<button id=go>go</button></form>{frame}",
        )
        page.locator("#go").click()
        wait_until(page, lambda: blocked)
    assert [origin_of(url) for url in blocked] == [other_site]
    assert_untouched(page)
    assert away.log in ([], ["GET /frame"])


@pytest.mark.parametrize("cdp", [True, False])
def test_frame_of_an_allowed_site_is_sent_forms(
    cdp: bool, page: Page, home: Site, away: Site, blocked: list[str]
) -> None:
    """A form may be posted into a frame of an allowed origin."""
    allowed = AllowedOrigins([home.url, away.url])
    with armed(OriginGuard(page.context, allowed, into(blocked), is_secret=bool, cdp=cdp)):
        home.show(
            page,
            f"<form method=post target=f action={away.url}/x><input name=p value=1>"
            "<button id=go>go</button></form><iframe name=f></iframe>",
        )
        page.locator("#go").click()
        page.frame_locator("iframe").locator("h1").wait_for()
    assert (away.log, blocked) == (["POST /x p=1"], [])


@pytest.mark.parametrize("cdp", [True, False])
def test_allowed_sites_are_open(
    cdp: bool, page: Page, home: Site, away: Site, blocked: list[str]
) -> None:
    """An origin may be added while the guard is armed, and what is allowed passes."""
    allowed = AllowedOrigins(["http://localhost:*"])
    with armed(OriginGuard(page.context, allowed, into(blocked), cdp=cdp)):
        allowed.add(home.url)
        leave(page, home, away, f"<a id=go href='/to?http://localhost:{away.port}/x'>go</a>")
        page.wait_for_url(f"http://localhost:{away.port}/x")
    assert blocked == []


@pytest.mark.parametrize("cdp", [True, False])
def test_goto_of_the_test_is_stopped_too(
    page: Page, away: Site, guard: OriginGuard, blocked: list[str]
) -> None:
    """`page.goto` to a foreign site raises at once and works when the guard is off."""
    for _ in range(2):
        guard.arm()
        guard.arm()
        with pytest.raises(PlaywrightError, match="ERR_ABORTED"):
            page.goto(f"{away.url}/x")
        guard.disarm()
        guard.disarm()
    assert away.log == []
    page.goto(f"{away.url}/x")
    assert (away.log, blocked) == (["GET /x"], [f"{away.url}/x"] * 2)


@pytest.mark.parametrize("cdp", [True, False])
def test_request_pending_at_disarm_is_stopped(
    page: Page, home: Site, away: Site, guard: OriginGuard, blocked: list[str]
) -> None:
    """A navigation that came while Python was busy is stopped before the guard is disarmed."""
    home.show(page, "")
    with armed(guard):
        page.evaluate("url => void setTimeout(() => location = url)", f"{away.url}/x")
        time.sleep(0.2)
    assert_untouched(page)
    assert (blocked, away.log) == ([f"{away.url}/x"], [])


@pytest.mark.parametrize("cdp", [True, False])
def test_guard_is_armed_on_demand(
    page: Page, away: Site, guard: OriginGuard, blocked: list[str]
) -> None:
    """Navigations pass before the guard is demanded and after its block."""
    with guard.on_demand():
        page.goto(f"{away.url}/before")
        guard.demand()
        with pytest.raises(PlaywrightError, match="ERR_ABORTED"):
            page.goto(f"{away.url}/during")
    guard.demand()
    page.goto(f"{away.url}/after")
    assert (blocked, away.log) == ([f"{away.url}/during"], ["GET /before", "GET /after"])


def test_page_is_in_front_again(
    page: Page, home: Site, away: Site, guard: OriginGuard, blocked: list[str]
) -> None:
    """After a stopped popup the page is in front, and a click is as fast as before."""
    with armed(guard):
        leave(page, home, away, BY_LINK["noopener"])
        wait_until(page, lambda: blocked and len(page.context.pages) == 1)
        page.wait_for_timeout(300)  # Chromium takes a moment to slow down
        clicks: list[float] = []
        for _ in range(12):
            started = time.monotonic()
            page.locator("#go").click(trial=True)
            clicks.append(time.monotonic() - started)
    assert median(clicks) < 0.7


def test_empty_and_blob_windows_are_allowed_until_they_leave(
    page: Page, home: Site, away: Site, guard: OriginGuard, blocked: list[str]
) -> None:
    """An empty window and a `blob:` of an allowed origin open, but a window cannot leave for a foreign site."""
    with armed(guard):
        home.show(page, "")
        with page.expect_popup():
            page.evaluate("void open('about:blank')")
        page.evaluate("location = URL.createObjectURL(new Blob(['hi'], {type: 'text/html'}))")
        page.get_by_text("hi").wait_for()
        assert blocked == []
        html = "<a id=go onclick=\"window.open('about:blank').location = '{away}'\">go</a>"
        leave(page, home, away, html)
        wait_until(page, lambda: blocked)
    assert (blocked, away.log) == ([f"{away.url}/x"], [])


def test_other_contexts_are_not_affected(
    page: Page, browser: Browser, home: Site, away: Site, guard: OriginGuard, blocked: list[str]
) -> None:
    """The pages of other contexts navigate freely, with or without a guard of their own."""
    others: list[str] = []
    other = browser.new_context().new_page()
    with armed(guard):
        other.goto(f"{away.url}/alone")
        with armed(OriginGuard(other.context, AllowedOrigins([away.url]), into(others))):
            leave(page, home, away, BY_LINK["link"])
            wait_until(page, lambda: blocked)
            leave(other, away, home, BY_LINK["link"])
            wait_until(other, lambda: others)
    assert (blocked, others) == ([f"{away.url}/x"], [f"{home.url}/x"])
    assert away.log == ["GET /alone", "GET /"]
    assert home.log == ["GET /"]
    other.context.close()


def test_service_worker_is_noticed(
    page: Page, home: Site, away: Site, guard: OriginGuard, blocked: list[str]
) -> None:
    """A foreign page that a service worker serves without a request is reported."""
    away.html["/worker.js"] = WORKER
    page.goto(f"{away.url}/")
    page.evaluate("navigator.serviceWorker.register('/worker.js')")
    page.wait_for_function("navigator.serviceWorker.controller")
    away.log.clear()
    with armed(guard):
        leave(page, home, away, BY_LINK["link"])
        wait_until(page, lambda: blocked)
    assert (blocked, away.log) == ([f"{away.url}/x"], [])


@pytest.mark.parametrize("cdp", [True, False])
def test_disarm_outlives_the_context(cdp: bool, browser: Browser, home: Site) -> None:
    """Disarming after the context was closed is silent; arming then raises a clear error."""
    context = browser.new_context()
    context.new_page()
    guard = OriginGuard(context, AllowedOrigins(), print, cdp=cdp)
    with armed(guard):
        context.close()
    with pytest.raises(PageError, match="closed"):
        guard.arm()


@pytest.mark.parametrize(
    ("url", "origin"),
    [
        ("HTTPS://Shop.Example:443/a?b#c", "https://shop.example"),
        ("http://shop.example:8000", "http://shop.example:8000"),
        ("http://shop.example@evil.example/", "http://evil.example"),
        ("http:\\\\evil.example\\@shop.example", "http://evil.example"),
        ("http:/evil.example", "http://evil.example"),
        (" ht\ntp://shop.example", "http://shop.example"),
        ("http://shop.example./", "http://shop.example."),
        ("https://bücher.example/", "https://xn--bcher-kva.example"),
        ("https://faß.example/", "https://xn--fa-hia.example"), ("https://☃.example/", "null"),
        ("https://a。EX\u00adÄMPLE/", "https://a.xn--exmple-cua"), ("http://１２７.0.0.1/", "http://127.0.0.1"),
        ("http://[::1]:8000/", "http://[::1]:8000"),
        ("blob:https://shop.example/1-2-3", "https://shop.example"),
        ("blob:null/1-2-3", "null"), ("file:///etc/hosts", "file://"), ("about:blank", ""),
        ("about:blank#x", ""), ("about:srcdoc", ""), ("about:srcdoc?x", ""),
        ("about:version", "null"), ("data:text/html,x", "null"), ("javascript:alert(1)", "null"),
        ("http://shop.example:port/", "null"), ("http://", "null"), ("", "null"),
    ],
)  # fmt: skip
def test_origin_of_matches_browsers(url: str, origin: str) -> None:
    """`origin_of` returns the origin that a browser gives an address."""
    assert origin_of(url) == origin


@pytest.mark.parametrize(
    ("entry", "yes", "no"),
    [
        ("https://shop.example/a", "https://SHOP.example/b", "http://shop.example/a"),
        ("https://shop.example", "https://shop.example:443", "https://shop.example:444"),
        ("https://*.faß.example", "https://a.xn--fa-hia.example", "https://a.fass.example"),
        ("https://shop.example", "about:blank", "https://shop.example.evil.example"),
        ("https://*.a.example", "https://x.y.a.example/", "https://a.example/"),
        ("https://*.a.example", "https://x.a.example/", "https://xa.example/"),
        ("https://*.a.example", "https://x.a.example/", "https://evil.example/.a.example"),
        ("https://*.a.example:*", "https://x.a.example:1/", "http://x.a.example:1/"),
        ("http://localhost:*", "http://localhost/", "http://localhost.evil.example/"),
        ("http://localhost:*", "http://localhost:8000/", "http://127.0.0.1:8000/"),
        ("http://[::1]:*", "http://[::1]:9/", "http://[::2]:9/"),
        ("http://a.example/search?q=*", "http://a.example/", "http://b.example/"),
        ("file:///tmp/page.html", "file:///tmp/other.html", "http://tmp/"),
        ("file:///tmp/page.html", "file:///tmp/a/b.html?x#y", "file:///etc/passwd"),
        ("file:///tmp/page.html", "file:/tmp/a/../%62", "file:///tmp/a/../../etc/passwd"),
        ("file:///tmp/page.html", "FILE:\\tmp\\a", "file:///tmp/%2e%2e/etc/passwd"),
        ("file:///tmp/page.html", "file://localhost/tmp/a", "file://server/tmp/a"),
        ("file:///tmp/page.html", "file:///tmp/", "file:///tmp/%2f../a"),
        ("file:///tmp/a/..", "file:///tmp/b", "file:///tmpb"),
        ("file://", "file:///etc/hosts", "data:,"),
        ("data:text/html,x", "data:text/html,y", "http://a.example/"),
        ("data:text/html,x", "blob:null/1-2-3", "javascript:alert(1)"),
        ("data:text/html,x", "DATA:,y", "chrome://version"),
    ],
)
def test_allowed_origins_match_their_entries_only(entry: str, yes: str, no: str) -> None:
    """An entry allows its own origin, wildcards included, and no look-alike."""
    allowed = AllowedOrigins([entry])
    assert allowed.allows(yes)
    assert not allowed.allows(no)


@pytest.mark.parametrize(
    "entry",
    "|*|shop.example|localhost:8000|https://*|https://a.*.b|ftp://a|http://a b|https://a:8000:*"
    "|http://a:99999|http://☃.example|chrome://version|*://a.example|about:version|file://server/a".split(
        "|"
    ),
)
def test_malformed_entry_is_refused(entry: str) -> None:
    """The error quotes the malformed entry and shows what is allowed."""
    with pytest.raises(UsageError, match=r"not an origin: .*`https://\*\.example\.com`") as error:
        AllowedOrigins([entry])
    assert repr(entry) in str(error.value)
