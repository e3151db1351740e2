"""Browsers that Playwright has not launched: of its server, and of a Chromium with a debugging port.

The fixtures that connect are those of docs/how-to/remote-browsers.md.
"""

import json
import os
import re
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from urllib.parse import quote

import pytest
from PIL import Image
from playwright._impl._driver import compute_driver_executable
from playwright.sync_api import Playwright

from pytest_webtask.journal import ToolCalled
from scripts.browser import find_browser
from tests.inner import Project, Run, project

ROOT = Path(__file__).parents[2]
FIXTURES = dict(
    re.findall(
        r"<!-- file: (\w+)/conftest.py -->\n```\w+\n(.*?)^```$",
        (ROOT / "docs/how-to/remote-browsers.md").read_text(),
        re.S | re.M,
    )
)
VARIABLES = {"server": "PLAYWRIGHT_SERVER", "cdp": "CHROMIUM_CDP"}
ARGUMENTS = ["--user-agent=remote", "--no-sandbox"]
"""Arguments of the remote browsers; no other one has this user agent."""

BROWSER = """
@pytest.fixture(scope="session")
def browser(launch_browser):
    # Not that of the outer run.
    browser = launch_browser()
    yield browser
    browser.close()
"""
DATA = """
from pathlib import Path

@pytest.fixture
def webtask_data():
    return {"password": Secret("hush-7341")}

@pytest.fixture
def webtask_resources():
    return {name: Path(f"{name}.csv").absolute() for name in ("report", "large")}
"""
PLAYS = """
"log in with {password}": [
    act("fill", "textbox:Password", text="{password}"), act("click", "button:Log in"),
    done(text("heading:Files", "Files"))],
"send the report": [
    act("upload", "file:File", resources=["report"]), done(text("status:Received", "Received"))],
"get the copy": [act("click", "link:Copy"), done(text("heading:Files", "Files"))],
"a file of 7 bytes was received": [holds(text("status:Received", "Received report.csv, 7 bytes"))],
"""
TESTS = """
import pytest

def test_files(webtask):
    webtask.goto("/")
    assert webtask.page.evaluate("navigator.userAgent") == "remote"
    webtask.do("log in with {password}")
    webtask.do("send the report")
    with webtask.page.expect_download() as download:
        webtask.do("get the copy")
    download.value.save_as("copy.csv")
    webtask.verify("a file of 7 bytes was received")

def test_foreign_site(webtask):
    webtask.goto("/files")
    webtask.do('click "Leave"')

def test_large_file(webtask):
    webtask.goto("/files")
    webtask.do('upload "large" to "File"')
    webtask.verify('the page shows "Received large.csv, 52428800 bytes"')
"""
LOG_IN = """<title>Shop</title><form action=/files method=post><label>Password
<input type=password name=p></label><button>Log in</button></form>"""
FILES = """<title>Files</title><h1>Files</h1>
<p style="font: 40px/60px monospace; position: absolute; top: 200px; left: 0; margin: 0">hush-7341</p>
<input type=file aria-label=File><p role=status></p><a href=/copy.csv download>Copy</a>
<a id=leave>Leave</a><script>
leave.href = `http://localhost:${location.port}/away`
document.querySelector('input').onchange = async event => {
  const [file] = event.target.files
  await file.text()
  document.querySelector('[role=status]').textContent = `Received ${file.name}, ${file.size} bytes`
}
</script>"""


@contextmanager
def started(*command: str, address: str) -> Iterator[re.Match[str]]:
    """A program that runs until the end, with what it has printed of its address."""
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as program:
        try:
            assert program.stdout is not None
            lines = (re.search(address, line) for line in program.stdout)
            found = next(filter(None, lines), None)
            assert found, f"{command} ended without an address"
            yield found
        finally:
            program.terminate()


@contextmanager
def playwright_server(executable: str) -> Iterator[str]:
    """Playwright's server, and the address at which it launches that browser."""
    driver = compute_driver_executable()
    command = [*driver, "run-server", "--host=127.0.0.1", "--unsafe"]
    options = json.dumps({"executablePath": executable, "args": ARGUMENTS})
    with started(*command, address=r"ws://\S+") as found:
        yield f"{found[0]}?launch-options={quote(options)}"


@contextmanager
def debugged_chromium(*executable: str) -> Iterator[str]:
    """A Chromium that was started with a debugging port, and its address."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        given = ["--headless", "--remote-debugging-port=0", f"--user-data-dir={profile}"]
        with started(*executable, *given, *ARGUMENTS, address=r"ws://([^/]+)/") as found:
            yield f"http://{found[1]}"


WAYS: dict[str, Callable[[str], AbstractContextManager[str]]] = {
    "server": playwright_server,
    "cdp": debugged_chromium,
}


@pytest.fixture(scope="module", params=WAYS)
def inner(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, playwright: Playwright
) -> Iterator[Project]:
    """A project whose browser is a remote one."""
    way = request.param
    executable = str(find_browser() or playwright.chromium.executable_path)
    folder = tmp_path_factory.mktemp("remote")
    with (
        WAYS[way](executable) as address,
        project(folder, PLAYS, TESTS, FIXTURES[way] + BROWSER + DATA) as inner,
        pytest.MonkeyPatch.context() as environment,
    ):
        environment.setenv(VARIABLES[way], address)
        inner.write("pytest.ini", "[pytest]\naddopts = -rA\n")
        inner.write("report.csv", "a,b,c,d")
        with (inner.root / "large.csv").open("wb") as file:
            file.truncate(50 * 1024**2)  # what Playwright sends over CDP is smaller
        inner.site.pages.update({"/": LOG_IN, "/files": FILES, "/away": "<h1>Away</h1>"})
        inner.site.pages["/copy.csv"] = ("text/csv", b"one,two")
        yield inner


@pytest.fixture(scope="module")
def runs(inner: Project) -> tuple[Run, Run]:
    """The first run, which a model drives, and a later one, as in continuous integration."""
    recorded = inner.run()
    (inner.root / "copy.csv").unlink(missing_ok=True)
    return recorded, inner.run(ci="true")


def test_remote_browser_records_and_replays(inner: Project, runs: tuple[Run, Run]) -> None:
    """A log-in, an upload and a download are recorded and replayed in a remote browser."""
    recorded, replayed = runs
    assert recorded.outcomes["test_files"] == "passed", recorded.printed
    assert len(recorded.asked) > 4
    assert replayed.outcomes["test_files"] == "passed", replayed.printed
    assert not replayed.asked
    assert (inner.root / "copy.csv").read_bytes() == b"one,two"


def test_remote_guard_stops_a_foreign_site(runs: tuple[Run, Run]) -> None:
    """A foreign site is stopped in a remote browser before its request is sent."""
    for run in runs:
        assert run.outcomes["test_foreign_site"] == "failed"
        assert "/away" in run.tests["test_foreign_site"].message
        assert "GET /copy.csv" in run.requests
        assert "GET /away" not in run.requests


def test_remote_pictures_are_masked(runs: tuple[Run, Run]) -> None:
    """Pictures of a remote browser are kept, and the secret that a page shows is black in them."""
    _, replayed = runs
    calls = [event.call for event in replayed.events(ToolCalled, "test_files")]
    [upload] = [call for call in calls if call.tool == "upload"]
    assert replayed.folder and upload.spot
    picture = upload.spot.picture
    assert picture.size == (1280.0, 720.0)
    image = Image.open(replayed.folder / picture.path).convert("L").resize((1280, 720))
    secret = image.crop((5, 210, 200, 250)).tobytes()
    beside = image.crop((5, 310, 200, 350)).tobytes()
    assert max(secret) < 16 and min(beside) == 255


def test_remote_upload_of_a_large_file_needs_a_server(runs: tuple[Run, Run]) -> None:
    """A file of 50 MB reaches the browser of a server; over CDP it is refused."""
    case = runs[0].tests["test_large_file"]
    if "PLAYWRIGHT_SERVER" in os.environ:
        assert case.outcome == "passed", case.message
    else:
        assert case.outcome == "failed"
        assert "larger than 50Mb" in case.message
