"""Pages that want files, and pages that put a foreign frame under the mouse."""

from tests.e2e.hostile.case import NOT_ALLOWED, REPORTS, STOPPED, Case, Step, step

_FIELD = "<input type=file name=f aria-label=File>"
_ENCODED = "method=post enctype=multipart/form-data"
_SENT_AT_ONCE = "<script>document.forms[0].onchange = (e) => e.currentTarget.submit()</script>"
_GIVE = step("upload", "file", "File", resources=["photo"])


_FORM = f"<p>Upload photo</p><form {_ENCODED}%s>{_FIELD}%s</form>%s"
_PHOTO = "Upload photo"
_UNNAMED = (
    *("/etc/passwd", "../../secret", "private.html", "file:///etc/passwd", "passport"),
    "photo/../private.html",
)
UPLOADS = [
    Case(
        "upload-of-what-nobody-named",
        "".join(f"<p>Upload {each}</p>" for each in _UNNAMED) + _FORM % ("", "", _SENT_AT_ONCE),
        [
            step("upload", "file", "File", resources=[each]).refusing("use one of: photo")
            for each in _UNNAMED
        ],
        [f"Upload {each}" for each in _UNNAMED],
    ),
    Case(
        "upload-of-what-is-named",
        *(_FORM % ("", "", _SENT_AT_ONCE), (_GIVE,), _PHOTO),
        uploads=("photo.txt",),
    ),
    Case(
        "upload-to-foreign-form",
        *(_FORM % (" action=$AWAY/taken", "", _SENT_AT_ONCE), (_GIVE,), _PHOTO, STOPPED),
    ),
    Case(
        "upload-to-form-in-frame",
        _FORM % (" action=$AWAY/taken target=f", "<button>Go</button>", "<iframe name=f></iframe>"),
        *((_GIVE, step("click", "button", "Go")), _PHOTO, STOPPED),
    ),
    Case(
        "upload-in-foreign-frame",
        "<p>Upload photo</p><iframe src=$AWAY/frame></iframe>",
        *((_GIVE.refusing(NOT_ALLOWED),), _PHOTO),
        frame=REPORTS + _FIELD,
    ),
    Case(
        "upload-to-chooser-of-foreign-frame",
        "<p>Upload photo</p><button onclick=\"frames[0].postMessage(1, '*')\">Choose</button>"
        "<iframe src=$AWAY/frame></iframe>",
        (step("upload", "button", "Choose", resources=["photo"]).refusing(NOT_ALLOWED),),
        _PHOTO,
        frame=f"{REPORTS}{_FIELD}<script>onmessage = () => document.querySelector('input').click()"
        "</script>",
    ),
]

# Where the foreign frame is, which has the size of the button.
_ASIDE, _ABOVE = "left:-290px;top:0", "left:0;top:0;opacity:0.01"
_LIKE = (
    REPORTS + "<body style=margin:0><button style='width:200px;height:60px'>Like</button>",
    REPORTS + "<script>ondragover = (e) => e.preventDefault()</script>",
)
_CLICK = step("click", "button", "OK")
_COVERED = "intercepts pointer events"


def _cover(name: str, where: str, html: str, *steps: Step, defect: str = "") -> Case:
    page = (
        "<p>Click OK</p><div style='position:absolute;left:300px;top:100px'>"
        "<button id=b style='width:200px;height:60px'>OK</button><iframe id=f src=$NEAR/frame style="
        f"'position:absolute;{where};border:0;width:200px;height:60px'></iframe>{html}</div>"
    )
    frame = _LIKE["drag" in name]
    return Case(name, page, steps or (_CLICK,), "Click OK", frame=frame, defect=defect)


COVERS = [
    _cover("covered", _ABOVE, "", _CLICK.refusing(_COVERED)),
    _cover(
        "covered-on-move",
        *(_ASIDE, "<script>b.onmousemove = () => { f.style.left = 0 }</script>"),
        _CLICK.refusing(_COVERED),
    ),
    _cover(
        "covered-between-clicks",
        *(_ASIDE, "<script>b.onclick = () => { f.style.left = 0 }</script>"),
        step("click", "button", "OK", double=True).refusing(_COVERED),
    ),
    _cover(
        "covered-target-of-drag",
        "left:0;top:200px;opacity:.5",
        "<p id=d draggable=true role=button aria-label=Card style='width:50px'>c</p>"
        "<button style='position:absolute;left:0;top:200px;width:200px;height:60px'>Bin</button>"
        "<script>d.ondragstart = (e) => e.dataTransfer.setData('text/plain', 'card');"
        " f.parentNode.append(f)</script>",
        Step("drag", "button", "Card", to=("button", "Bin")).refusing("did not take the drag"),
    ),
    _cover(
        "target-in-foreign-frame",
        "left:0;top:200px",
        "",
        Step("drag", "button", "OK", to=("button", "Like"), refused=NOT_ALLOWED),
    ),
    _cover(
        "re-rendered-into-foreign-frame",
        "left:0;top:0;display:none",
        "<script>setTimeout(() => { b.remove(); f.style.display = 'block' }, 600)</script>",
        step("wait", seconds=1),
        step("click", "button", "Like").refusing(NOT_ALLOWED),
    ),
]
CASES = [*UPLOADS, *COVERS]
