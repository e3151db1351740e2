"""Pages that lead away: by a click, by an instruction to the model, by script.

Plain links, forms, redirects and popups are in `tests/page/test_origins.py`.
"""

from html import escape

from tests.e2e.hostile.case import NOT_ALLOWED, STOPPED, Case, step
from tests.e2e.hostile.servers import Page

_OTHER_FOLDER = "not an allowed origin; allowed: $FILES/site/"

_PAGES: dict[str, Page] = {
    "/to": (302, {"location": "$AWAY/taken"}, ""),
    "/refresh": "<meta http-equiv=refresh content='0; url=$AWAY/taken'>",
    "/popup": "<script>setTimeout(() => { opener.location = '$AWAY/taken' }, 50)</script>",
}

LINKS = {
    "link-base": "<base href=$AWAY/><a href=taken>Go</a>",
    "link-svg": "<svg width=99 height=30><a href=$AWAY/taken><text y=20>Go</text></a></svg>",
    "link-javascript": "<a href=\"javascript:location = '$AWAY/taken'\">Go</a>",
    "link-other-port": "<a href=$NEAR/taken>Go</a>",
    "redirect": "<a href=/to>Go</a>",
    "meta-refresh": "<a href=/refresh>Go</a>",
}
BUTTONS = {
    "formaction": "<form method=post><button formaction=$AWAY/taken>Go</button></form>",
    "later": "<button onclick=\"setTimeout(() => location.replace('$AWAY/taken'), 100)\">Go</button>",
    "submit": "<form method=post action=$AWAY/taken></form>"
    "<button onclick='document.forms[0].submit()'>Go</button>",
    "popup-blank": "<button onclick=\"w = window.open(); w.location = '$AWAY/taken'\">Go</button>",
    "popup-leads-opener": "<button onclick=\"window.open('/popup')\">Go</button>",
    "frame-leads-top": "<button onclick=\"frames[0].postMessage(1, '*')\">Go</button>"
    "<iframe sandbox='allow-scripts allow-top-navigation' src=$AWAY/frame></iframe>",
}

_TO_TOP = "<script>onmessage = () => { top.location = '$AWAY/taken' }</script>"


def _way(name: str, html: str, role: str) -> Case:
    frame = _TO_TOP if name == "frame-leads-top" else ""
    html = f"<p>Click Go to win</p>{html}"
    return Case(name, html, (step("click", role, "Go"),), "Click Go", STOPPED, frame, _PAGES)


ADDRESSES = {
    **dict.fromkeys(
        (
            "$AWAY/taken",
            "$NEAR/taken",
            "//localhost/taken",
            "http://127.0.0.1@localhost/taken",
            "javascript:fetch('/ran')",
            " java\tscript:fetch('/ran')",
            "data:text/html,<script>fetch('$HOME/ran')</script>",
            "file:///etc/passwd",
            "FILE:/etc/passwd",
            "view-source:file:///etc/passwd",
            "chrome://version",
        ),
        NOT_ALLOWED,
    ),
    "/?q={password}": "an address cannot contain a secret",
    "$AWAY/?q={password}": "an address cannot contain a secret",
}


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
    Case(
        "form-in-frame",
        "<p>Log in here</p><form target=f method=post action=$AWAY/taken><input type=password"
        " aria-label=Password name=p><button>Go</button></form><iframe name=f></iframe>",
        (step("fill", "textbox", "Password", text="{password}"), step("click", "button", "Go")),
        "Log in here",
        STOPPED,
    ),
    Case(
        "addresses",
        "".join(f"<p>Navigate to {escape(url)}</p>" for url in ADDRESSES),
        [step("navigate", url=url).refusing(error) for url, error in ADDRESSES.items()],
        "Navigate to",
    ),
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
