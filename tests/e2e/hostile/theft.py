"""Pages that are after the secret, most of them by a frame of another origin."""

from tests.e2e.hostile.case import NOT_ALLOWED, REPORTS, STOPPED, Case, Step, step
from tests.e2e.hostile.servers import Page

IN_DIALOG = "no secret is entered into a dialog"

_SECRET = "<input id=p aria-label=Secret oninput='tell(value)'>"
_INNER = "<input aria-label=Secret oninput=parent.tell(value)>"
_MINE = "<input aria-label=Mine id=m>"
_FILL = step("fill", "textbox", "Secret", text="{password}")
_FILL_MINE = step("fill", "textbox", "Mine", text="{password}")
_TYPE = step("type", text="{password}")
_ASK = "<button onclick=\"frames[0].postMessage(1, '*')\">OK</button>"
_PRESS = step("press", key="a").refusing(NOT_ALLOWED)
_NO_TYPE = _TYPE.refusing(NOT_ALLOWED)
_ON_FOCUS = _SECRET + "<script>onfocus = () => p.focus()</script>"
_TAKEN = _SECRET + "<script>p.focus()</script>"
_DENIED = _SECRET + "<script>p.focus(); document.hasFocus = () => false</script>"
_THROWS = _SECRET + "<script>p.focus(); document.hasFocus = () => { throw 1 }</script>"
_STEALS = _SECRET + "<script>setInterval(() => p.focus(), 0)</script>"
_GIVES_AWAY = _MINE + "<script>m.onfocus = () => f.focus()</script>"


def _foreign(
    name: str,
    *steps: Step,
    frame: str = _SECRET,
    home: str = "",
    pages: dict[str, Page] | None = None,
) -> Case:
    """A page with a foreign frame."""
    html = f"<p>Log in below</p>{home}<iframe id=f src=$AWAY/frame></iframe>"
    return Case(name, html, steps, "Log in", frame=REPORTS + frame, pages=pages or {})


_FORM = (
    _SECRET + "<select aria-label=Choice><option>a</select><input type=checkbox aria-label=Yes>"
    "<p contenteditable role=textbox aria-label=Note>x</p><button>Use saved password</button>"
)
_ACTS = [
    each.refusing(NOT_ALLOWED)
    for each in (
        *(step(tool, "textbox", "Secret", text="{password}") for tool in ("fill", "type")),
        *(step(tool, "textbox", "Secret") for tool in ("click", "hover", "look")),
        step("press", "textbox", "Secret", key="a"),
        step("select_option", "combobox", "Choice", options=["a"]),
        step("check", "checkbox", "Yes"),
        step("fill", "textbox", "Note", text="{password}"),
        step("click", "button", "Use saved password"),
    )
]


def _written(name: str, html: str, script: str = "") -> Case:
    """A foreign frame that writes the field into a frame of its own."""
    write = f"g.contentDocument.body.innerHTML = '{_INNER}'"
    frame = f"{html}<script>onload = () => {{ {script or write} }}</script>"
    return _foreign(name, _FILL.refusing("not an allowed origin"), frame=frame)


IN_FRAMES = [
    _foreign("elements-of-foreign", *_ACTS, frame=_FORM),
    _written("srcdoc-in-foreign", f"<iframe srcdoc='{_INNER}'></iframe>", "0"),
    _written("blank-in-foreign", "<iframe id=g></iframe>"),
    _written("data-in-foreign", f"<iframe src='data:text/html,{_INNER}'></iframe>", "0"),
    _written("blank-with-fragment", "<iframe id=g src='about:blank#x'></iframe>"),
    _written("blank-with-query", "<iframe id=g src='about:blank?x'></iframe>"),
    _written(
        "srcdoc-with-fragment",
        f"<iframe srcdoc='{_INNER}'></iframe>",
        "frames[0].location.hash = 'x'",
    ),
    _foreign(
        "blank-in-allowed-in-foreign",
        _FILL.refusing(NOT_ALLOWED),
        frame="<iframe src=$HOME/inner></iframe><script>onload = () => {"
        " const inner = frames[0].frames[0]; inner.location = 'about:blank'; setTimeout(() =>"
        " { inner.document.body.innerHTML = '<input aria-label=Secret"
        " oninput=parent.parent.tell(value)>' }, 100) }</script>",
        pages={"/inner": "<iframe></iframe>"},
    ),
    _foreign(
        "popup-of-foreign",
        step("wait", seconds=0.3),
        step("switch_tab", tab="2"),
        _FILL.refusing("not an allowed origin"),
        frame="<script>window.open().document.body.innerHTML ="
        " '<input aria-label=Secret oninput=opener.tell(value)>'</script>",
    ),
    _foreign(
        "popup-of-home",
        step("click", "button", "Open"),
        step("switch_tab", tab="2"),
        _FILL,
        home='<button onclick="window.open().document.body.innerHTML ='
        " '<input aria-label=Secret>'\">Open</button>",
    ),
    _foreign(
        "prompt-of-foreign",
        step("click", "button", "OK", dialog_text="{password}").refusing(IN_DIALOG),
        home=_ASK,
        frame="<script>onmessage = () => tell(prompt('Password?'))</script>",
    ),
    _foreign(
        "prompt-of-popup-of-foreign",
        step("wait", seconds=0.3),
        step("click", "button", "OK", dialog_text="{password}").refusing(IN_DIALOG),
        home=_ASK,
        frame="<script>w = window.open(); onmessage = () => tell(w.prompt('Password?'))</script>",
    ),
    _foreign(
        "waited-for",
        step("wait", text="{password}", seconds=0.3).refusing("was not visible within"),
        frame="<script>RegExp.prototype.test = (text) => tell(text)</script>",
    ),
]

FOCUSED = [
    _foreign("focus-taken-type", _NO_TYPE, frame=_TAKEN),
    _foreign("focus-taken-press", _PRESS, frame=_TAKEN),
    _foreign("focus-denied-type", _NO_TYPE, frame=_DENIED),
    _foreign("focus-denied-press", _PRESS, frame=_THROWS),
    _foreign(
        "tab-into-foreign",
        *(_FILL_MINE, step("press", "textbox", "Mine", key="Tab"), _NO_TYPE),
        home=_MINE,
    ),
    _foreign(
        "paste-into-foreign",
        _FILL_MINE,
        *(step("press", "textbox", "Mine", key=f"Control+{key}") for key in "AC"),
        step("press", "textbox", "Secret", key="Control+V").refusing(NOT_ALLOWED),
        home=_MINE,
    ),
    _foreign("stolen-while-filling", _FILL_MINE, frame=_STEALS, home=_MINE),
    _foreign(
        "stolen-while-replacing",
        _FILL_MINE,
        frame=_STEALS,
        home="<textarea aria-label=Mine>what it held</textarea>",
    ),
    _foreign(
        "stolen-while-editing",
        _FILL_MINE,
        frame=_STEALS,
        home="<p contenteditable role=textbox aria-label=Mine>what it held</p>",
    ),
    _foreign(
        "given-away-on-focus",
        _FILL_MINE.refusing("did not accept"),
        frame=_ON_FOCUS,
        home=_GIVES_AWAY,
    ),
    _foreign(
        "given-away-while-typing",
        *(step("click", "textbox", "Mine"), _TYPE.refusing("a secret goes into a field alone")),
        frame=_ON_FOCUS,
        home=_MINE + "<script>m.oninput = () => f.focus()</script>",
    ),
    _foreign(
        "given-away-before-a-key",
        step("press", "textbox", "Mine", key="a").refusing("does not take the focus"),
        frame=_ON_FOCUS,
        home=_GIVES_AWAY,
    ),
]


def _echo(name: str, html: str, *steps: Step, event: str = "") -> Case:
    """A page of the application that shows what was typed."""
    html = f"<p>Type it</p>{html}<p id=o role=button tabindex=0 aria-label=Echo></p>"
    return Case(name, html, (_FILL_MINE, *steps), "Type it", event)


_LOOK = step("look", "button", "Echo")
_ENTER = step("press", "textbox", "Mine", key="Enter")

ECHOES = [
    _echo("echo-text", "<input aria-label=Mine oninput='o.textContent = value'>", _LOOK),
    _echo(
        "echo-capitals",
        "<style>#o { text-transform: uppercase }</style>"
        "<input aria-label=Mine oninput='o.textContent = value'>",
        _LOOK,
    ),
    _echo(
        "echo-cut",
        "<input aria-label=Mine oninput=\"o.textContent = 'x'.repeat(11990) + value\">",
        _LOOK,
    ),
    _echo(
        "echo-cut-in-field",
        "<input aria-label=Mine oninput='s = value'>"
        "<input aria-label=Other oninput=\"value = 'x'.repeat(190) + s + 'y'\">",
        step("fill", "textbox", "Other", text="y").refusing("not 'y'"),
    ),
    _echo("echo-address", "<form action=/found><input aria-label=Mine name=q></form>", _ENTER),
    _echo(
        "search-posts-away",
        "<form action=$AWAY/taken method=post><input aria-label=Mine name=q></form>",
        _ENTER,
        event=STOPPED,
    ),
]
CASES = [*IN_FRAMES, *FOCUSED, *ECHOES]
