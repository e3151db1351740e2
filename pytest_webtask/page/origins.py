"""The guard of allowed origins: an untrusted page must not navigate the browser to other sites.

`AllowedOrigins` holds the origins of a test, `OriginGuard` blocks navigations to all others. It
guards the main frames of tabs and data sent to frames; pages may load frames, images and scripts
from anywhere. `FrameOriginPolicy` keeps tools from acting on frames of other origins.
"""

from __future__ import annotations

import posixpath
import re
import weakref
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal
from urllib.parse import unquote, unquote_plus, urlsplit

from playwright.sync_api import Error as PlaywrightError

from pytest_webtask.errors import PageError, UsageError
from pytest_webtask.page import dom
from pytest_webtask.page.frames import FRAME_TIMEOUT
from pytest_webtask.page.step_time import Deadline

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, CDPSession, Frame, Route

    from pytest_webtask.page.tabs import Tabs

Violation = Literal["blocked", "left"]
"""The outcome for a foreign address: its request was `blocked`, or the page `left` for it."""

OPAQUE = "null"
_DATA, _FILE = "data:", "file://"
_DEFAULT_PORTS = {"http": 80, "https": 443}
_ENTRY = re.compile(
    r"(?P<scheme>https?)://(?P<subdomains>\*\.)?(?P<host>\[[^\]]*\]|[^:/?#\\@*\s]+)"
    r"(?P<port>:(\*|\d+))?([/?#\\].*)?",
    re.IGNORECASE | re.DOTALL,
)
_BLANK = re.compile(r"about:(blank|srcdoc)([?#].*)?", re.IGNORECASE | re.DOTALL)
_OPENING = 2.0
"""Seconds in which a tab opens, or closes because it was stopped."""
_EVERY_DOCUMENT = {"patterns": [{"resourceType": "Document", "requestStage": "Request"}]}


def origin_of(url: str) -> str:
    """Return the origin of an address: `https://host:port` in lower case, without a default port.

    Files have `file://`, blank pages `""` because they inherit their opener's origin, and `blob:` the
    origin in its address. `data:`, other schemes and invalid addresses have `"null"`.
    """
    # Browsers read `http:\\evil.example\@good.example` as evil.example, urlsplit as good.example.
    url = _stripped(url)
    scheme, _, rest = url.partition(":")
    scheme = scheme.lower()
    if _BLANK.fullmatch(url):
        return ""
    if scheme == "file":
        return _FILE
    if scheme == "blob":
        if re.match("https?:", rest):
            return origin_of(rest)
        return OPAQUE
    if scheme not in _DEFAULT_PORTS:
        return OPAQUE
    try:
        parts = urlsplit("//" + rest.replace("\\", "/").lstrip("/"))
        host, port = parts.hostname, parts.port
        if host and not host.isascii():
            # The codec of the standard library has the rules of 2003: it takes faß.example for fass.example.
            import idna

            host = idna.encode(host, uts46=True).decode()
    except ValueError:
        return OPAQUE
    if not host or re.search(r'[\s<>^|%"`{}]', host):
        return OPAQUE
    host = f"[{host}]" if ":" in host else host
    suffix = "" if port in (None, _DEFAULT_PORTS[scheme]) else f":{port}"
    return f"{scheme}://{host}{suffix}"


def _stripped(url: str) -> str:
    return re.sub(r"[\t\r\n]", "", url).strip("".join(map(chr, range(33))))


def location_of(url: str) -> str:
    """Return the part of an address that is compared with entries: a file's path, `data:`, or the origin."""
    origin, url = origin_of(url), _stripped(url)
    if origin == OPAQUE and re.match("(data|blob):", url, re.IGNORECASE):
        return _DATA
    if origin != _FILE:
        return origin
    path = re.split("[?#]", url[len("file:") :])[0].replace("\\", "/")
    host, _, path = path[2:].partition("/") if path.startswith("//") else ("", "", path)
    if host.lower() not in ("", "localhost") or re.search("%(2f|5c)", path, re.IGNORECASE):
        return OPAQUE
    path = "/" + unquote(path).lstrip("/")
    end = "/" if re.search(r"/\.{0,2}$", path) else ""
    return _FILE + posixpath.normpath(path).rstrip("/") + end


def how_to_allow(url: str) -> str:
    """Return who can allow the origin of an address, and how."""
    location = location_of(url)
    if location == OPAQUE:
        return "It can't be allowed, because it has no origin"
    return f"Only the person who runs the tests can allow it: --webtask-allow-origin={location}"


class AllowedOrigins:
    """The origins that a test may visit, in the order in which they were added.

    An entry is an address, of which only the origin counts. Its host may begin with a wildcard for
    subdomains (`https://*.example.com`, which does not include `https://example.com`), and its port
    may be a wildcard (`http://localhost:*`). A file allows its folder and everything below it.
    `data:` allows every `data:` address and `blob:` addresses without an origin. Blank pages are
    always allowed. Any other address without an origin raises `UsageError`.
    """

    def __init__(self, entries: Iterable[str] = ()) -> None:
        self._entries: dict[str, re.Pattern[str]] = {}
        for entry in entries:
            self.add(entry)

    def add(self, url: str) -> None:
        """Allow another origin, given as an address or a pattern."""
        url = url.strip()
        subdomains = any_port = False
        if (wild := _ENTRY.fullmatch(url)) and (wild["subdomains"] or wild["port"] == ":*"):
            subdomains, any_port = bool(wild["subdomains"]), wild["port"] == ":*"
            port = "" if any_port else wild["port"] or ""
            origin = origin_of(f"{wild['scheme']}://{wild['host']}{port}")
        else:
            origin = location_of(url)
        is_file = origin.startswith(_FILE)
        if origin == OPAQUE or ("*" in origin and not is_file):
            raise UsageError(
                f"not an origin: {url!r}; allowed are `https://shop.example`, its ASCII form `https://xn--...`"
                " for a host that the rules of IDNA refuse, "
                "`http://localhost:8000`, `https://*.example.com` for its subdomains, "
                "`http://localhost:*` for any port, and `file:///folder/`"
            )
        if is_file:
            folder = origin[: origin.rindex("/") + 1]
            self._entries[folder] = re.compile(re.escape(folder) + ".*", re.DOTALL)
        elif origin:
            scheme, separator, host = origin.partition("://")
            entry = f"{scheme}{separator}{'*.' * subdomains}{host}{':*' * any_port}"
            pattern = re.escape(entry).replace(r"\*\.", r"([^.:/]+\.)+").replace(r":\*", r"(:\d+)?")
            self._entries[entry] = re.compile(pattern)

    def allows(self, url: str) -> bool:
        """Return whether navigation to this address is allowed."""
        place = location_of(url)
        return place == "" or any(p.fullmatch(place) for p in self._entries.values())

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)


class ForeignOriginError(Exception):
    """Something is of an origin that is not allowed; the message is for the model."""


@dataclass
class FrameOriginPolicy:
    """The policy that tools act only on frames of allowed origins."""

    tabs: Tabs
    allowed: AllowedOrigins

    def check_frame(self, frame: Frame) -> None:
        """Raise ForeignOriginError for a frame whose origin is not allowed."""
        url = self.foreign(frame)
        if url is not None:
            place = "frame" if frame.parent_frame else "page"
            raise ForeignOriginError(
                f"the action was refused: it would act on a {place} of {self._not_allowed(url)}. Go on"
                f" without that {place}, or abort"
            )

    def check_address(self, url: str) -> None:
        """Raise ForeignOriginError for the address of a page that has led to an origin that is not allowed."""
        if origin_of(url) != OPAQUE and not self.allowed.allows(url):
            raise ForeignOriginError(f"it led to {self._not_allowed(url)}")

    def foreign(self, frame: Frame) -> str | None:
        """Return the address of the frame, or one around it, that is not allowed; None if all are.

        The frames around a frame count because they can write into it and navigate it.
        """
        around: Frame | None = frame
        while around is not None:
            url = self._address(around)
            if not self.allowed.allows(url):
                return url
            around = around.parent_frame
        return None

    def foreign_frames(self) -> list[Frame]:
        """Return the frames of the page in front whose origins are not allowed."""
        return [frame for frame in self.tabs.front.frames if self.foreign(frame) is not None]

    def _address(self, frame: Frame) -> str:
        """Return an address with the frame's origin; blank frames inherit their parent's or opener's."""
        if frame.url not in ("", ":") and origin_of(frame.url):
            return frame.url
        if frame.parent_frame is not None:
            return self._address(frame.parent_frame)
        opener = self.tabs.opener_of(frame.page)
        if opener is None:
            return "about:blank"
        try:
            # Any frame of the opener may have opened this page.
            origin = str(dom.call(frame, "origin", timeout=FRAME_TIMEOUT)["origin"])
        except PlaywrightError:
            return OPAQUE
        around = self._address(opener.main_frame)
        if origin == OPAQUE and not around.startswith("http"):
            return next(filter(None, map(self.foreign, opener.frames)), around)
        return origin

    def check_dialogs(self) -> None:
        """Raise ForeignOriginError if the answer to a dialog might reach an origin that is not allowed.

        The browser does not report which frame opened a dialog.
        """
        frames = [frame for page in self.tabs.front.context.pages for frame in page.frames]
        for url in filter(None, map(self.foreign, frames)):
            raise ForeignOriginError(
                "no secret is entered into a dialog, because it may come from a frame or tab of"
                f" {self._not_allowed(url)}. Answer the dialog without the secret, or abort"
            )

    def _not_allowed(self, url: str) -> str:
        return (
            f"{location_of(url)}, which is not an allowed origin; allowed:"
            f" {', '.join(self.allowed) or 'none'}. {how_to_allow(url)}"
        )


class OriginGuard:
    """Blocks navigations of pages of `context` to origins that are not allowed, while it is armed.

    On Chromium every request for a tab's document is blocked before it is sent: links, scripts,
    forms with their bodies, each hop of a redirect, popups (which close), downloads and the test's
    own `page.goto`. The page does not change, and `report` is called with `blocked` and the address.

    `report` is called with `left` when a tab shows a foreign page although nothing was blocked: from a
    service worker, the user's own route or, in Firefox and WebKit, after a redirect.

    Frames within a page may navigate anywhere but may not send data there: posted forms and
    addresses in which `is_secret` finds a secret are blocked.

    Not blocked: resources (including `fetch`, beacons and pings), documents created by the page
    (`data:`, `blob:`, `about:`) or prefetched by its speculation rules, and requests that the page
    starts after `disarm`. Other contexts of the browser are not guarded, except for data that their
    frames send: DevTools does not report the context of a frame in its page's process.

    Requests wait while Python is outside of Playwright calls, and callbacks run only during such
    calls. A callback may use Playwright but must not raise, because Playwright would only log it.
    """

    def __init__(
        self,
        context: BrowserContext,
        allowed: AllowedOrigins,
        report: Callable[[Violation, str], None],
        *,
        is_secret: Callable[[str], bool] = lambda _: False,
        cdp: bool | None = None,
    ) -> None:
        """Create a guard; tests pass `cdp=False` to use the Firefox and WebKit method in Chromium."""
        browser = context.browser
        if cdp is None:
            cdp = browser is not None and browser.browser_type.name == "chromium"
        self._cdp = cdp
        self.context = context
        self.report = report
        self._allowed = allowed
        self._is_secret = is_secret
        self._armed = False
        self._may_arm = False

    def arm(self) -> None:
        """Start to block navigations. Raises `PageError` if the browser is closed."""
        if self._armed:
            return
        try:
            if self._cdp:
                self._requests.pause(self)
            else:
                self.context.route("**/*", self._on_route)
        except PlaywrightError as error:
            message = f"the browser or its context is closed; run the test again: {error.message}"
            raise PageError(message) from error
        self.context.on("framenavigated", self._on_navigated)
        self._armed = True

    def disarm(self, *, at_rest: bool = False) -> None:
        """Stop blocking; a closed browser is not an error.

        Pending requests are answered first, unless the pages are `at_rest`. Later ones of documents still wait for Python
        until `let_go`: to begin and to end that takes messages.
        """
        if not self._armed:
            return
        self._armed = False
        with suppress(PlaywrightError):
            if self._cdp:
                self._requests.release(self, at_rest=at_rest)
            else:
                # Any round trip delivers pending requests.
                self.context.cookies("about:blank")
                self.context.unroute("**/*", self._on_route)
        self.context.remove_listener("framenavigated", self._on_navigated)

    @contextmanager
    def on_demand(self) -> Iterator[None]:
        """Arm the guard only when `demand` is called, because arming takes time."""
        self._may_arm, is_done = True, False
        try:
            yield
            # A step that ends well has let the page come to rest.
            is_done = True
        finally:
            self._may_arm = False
            self.disarm(at_rest=is_done)

    def demand(self) -> None:
        """Arm the guard inside `on_demand`; do nothing elsewhere."""
        if self._may_arm:
            self.arm()

    def settle(self) -> None:
        """Wait until each tab that is being opened was let through, or stopped and closed."""
        if self._armed and self._cdp:
            with suppress(PlaywrightError):
                self._requests.settle(self.context)

    def _on_navigated(self, frame: Frame) -> None:
        # An opaque origin is an error page of the browser or a document that the page created.
        foreign = not self._allowed.allows(frame.url) and origin_of(frame.url) != OPAQUE
        if foreign and frame.parent_frame is None:
            self.report("left", frame.url)

    @property
    def _requests(self) -> _DocumentRequests:
        assert self.context.browser is not None
        return _DocumentRequests.of(self.context.browser)

    def is_foreign(self, url: str) -> bool:
        """Return whether no tab may navigate to an address, and no frame send data there."""
        return not self._allowed.allows(url)

    def sends(self, method: str, url: str) -> bool:
        """Return whether a document request carries data: a posted form or a secret in its address."""
        return method != "GET" or self._is_secret(url) or self._is_secret(unquote_plus(url))

    def _on_route(self, route: Route) -> None:
        """Block a request in a browser without CDP: only the first address of a redirect is known."""
        request = route.request
        leaves = request.is_navigation_request() and self.is_foreign(request.url)
        if leaves and not self.sends(request.method, request.url):
            # The first request of a popup precedes its page; its frame then raises.
            with suppress(PlaywrightError):
                leaves = request.frame.parent_frame is None
        try:
            route.abort("aborted") if leaves else route.fallback()
        except PlaywrightError:  # the page or browser was closed meanwhile
            return
        if leaves:
            self.report("blocked", request.url)


class _DocumentRequests:
    """The document requests of a Chromium, which pause from the first time that a guard is armed until `let_go`.

    DevTools' `Fetch` is enabled for the whole browser, since a page session misses popups. A session lasts as long
    as the browser, because attaching and detaching take as long as a click.
    """

    _of: ClassVar[weakref.WeakKeyDictionary[Browser, _DocumentRequests]] = (
        weakref.WeakKeyDictionary()
    )

    def __init__(self, browser: Browser) -> None:
        self._session: CDPSession = browser.new_browser_cdp_session()
        self._session.on("Fetch.requestPaused", self._on_paused)
        self._guards: list[OriginGuard] = []
        self._context_ids: weakref.WeakKeyDictionary[BrowserContext, str] = (
            weakref.WeakKeyDictionary()
        )
        self._pauses = False
        self._unanswered = 0

    @classmethod
    def of(cls, browser: Browser) -> _DocumentRequests:
        if browser not in cls._of:
            cls._of[browser] = cls(browser)
        return cls._of[browser]

    def pause(self, guard: OriginGuard) -> None:
        # While a request is paused, its page may not answer.
        self._find_id(guard.context)
        if guard.context.pages == []:
            guard.context.cookies("about:blank")  # raises if the context is closed
        if not self._pauses:
            self._session.send("Fetch.enable", _EVERY_DOCUMENT)
            self._pauses = True
        self._guards.append(guard)

    def release(self, guard: OriginGuard, *, at_rest: bool) -> None:
        try:
            if not at_rest:
                self.settle(guard.context)
        finally:
            self._guards.remove(guard)

    def settle(self, context: BrowserContext) -> None:
        own = self._context_ids.get(context)
        # Pages may redirect endlessly.
        deadline = Deadline(_OPENING)
        while not deadline.is_over:
            # A round trip delivers what the browser has reported so far.
            targets = self._session.send("Target.getTargets")["targetInfos"]
            tabs = [e for e in targets if (e["type"], e.get("browserContextId")) == ("page", own)]
            # The browser knows a tab from the click on, Playwright once it has got its document.
            if not self._unanswered and len(tabs) <= len(context.pages):
                return

    @classmethod
    def let_go(cls) -> None:
        """Pause no more requests of browsers that no step guards."""
        for requests in cls._of.values():
            if requests._pauses and not requests._guards:
                requests._pauses = False
                with suppress(PlaywrightError):  # the browser is closed
                    requests._session.send("Fetch.disable")

    def _on_paused(self, event: dict[str, Any]) -> None:
        self._unanswered += 1
        try:
            for guard in tuple(self._guards):
                if self._stops(guard, event):
                    guard.report("blocked", event["request"]["url"])
                    return
            with suppress(PlaywrightError):  # the page or browser was closed meanwhile
                self._session.send("Fetch.continueRequest", {"requestId": event["requestId"]})
        finally:
            self._unanswered -= 1

    def _stops(self, guard: OriginGuard, event: dict[str, Any]) -> bool:
        """Block a request that must not be sent; return whether it was blocked."""
        request = event["request"]
        if not guard.is_foreign(request["url"]):
            return False
        try:
            tab = self._target_of(guard.context, event["frameId"])
            own = (None, self._context_ids.get(guard.context))
            is_other = tab.get("browserContextId") not in own
            is_tab = tab.get("type") == "page"
            if is_other or not (is_tab or guard.sends(request["method"], request["url"])):
                return False
            # Only Aborted keeps the old document; other reasons show an error page.
            failed = {"requestId": event["requestId"], "errorReason": "Aborted"}
            self._session.send("Fetch.failRequest", failed)
        except PlaywrightError:  # the page or browser was closed meanwhile
            return False
        if tab.get("url") == "" and "openerId" in tab:
            # An empty popup closes now, but its opener would stay in the background, where Chromium
            # paints once a second and each click takes as long.
            with suppress(PlaywrightError):
                self._session.send("Target.activateTarget", {"targetId": tab["openerId"]})
        return True

    def _target_of(self, context: BrowserContext, frame_id: str) -> dict[str, Any]:
        """Return the browser's target for a frame: its tab, or its own process.

        The result is empty for a frame that shares its page's process.
        """
        try:
            # The target of a tab has the id of its main frame.
            answer = self._session.send("Target.getTargetInfo", {"targetId": frame_id})
        except PlaywrightError as error:
            if "No target with given id" in error.message:
                return {}
            raise
        self._find_id(context)
        return dict(answer["targetInfo"])

    def _find_id(self, context: BrowserContext) -> None:
        """Look up the id of a context, which is only possible once it has a page."""
        for page in [] if context in self._context_ids else context.pages:
            with suppress(PlaywrightError):
                # Detaching hangs while a navigation is paused; the session ends with the page.
                session = context.new_cdp_session(page)
                info = session.send("Target.getTargetInfo")["targetInfo"]
                self._context_ids[context] = info["browserContextId"]
                return


let_go = _DocumentRequests.let_go
