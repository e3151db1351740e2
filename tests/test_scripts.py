"""`scripts/browser.py` finds a Chromium or has one installed; here all that it can meet is fake."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from scripts.browser import SYSTEM_COMMANDS

SCRIPT = Path(__file__).parents[1] / "scripts" / "browser.py"

pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="a macOS has browsers that no PATH hides, a Windows no sh"
)

PLAYWRIGHT = {
    "__init__.py": "",
    "driver/package/browsers.json": """
{"browsers": [{"name": "chromium", "revision": "8"},
              {"name": "chromium-headless-shell", "revision": "7"}]}
""",
    "__main__.py": """
import os, sys
from pathlib import Path

with open(os.environ["CALLS"], "a") as file:
    print("playwright", *sys.argv[1:], file=file)
if "download" not in os.environ["CAN"]:
    sys.exit("the proxy refuses")
folder = Path(os.environ["PLAYWRIGHT_BROWSERS_PATH"], "chromium_headless_shell-7")
folder.mkdir(parents=True, exist_ok=True)
(folder / "INSTALLATION_COMPLETE").touch()
""",
    "sync_api.py": """
import os
from contextlib import contextmanager
from types import SimpleNamespace

class Error(Exception):
    pass

def launch():
    if "start" not in os.environ["CAN"]:
        raise Error("libnss3.so: cannot open shared object file")
    return SimpleNamespace(close=lambda: None)

@contextmanager
def sync_playwright():
    yield SimpleNamespace(chromium=SimpleNamespace(launch=launch))
""",
}
"""A fake of the Playwright package; `CAN` says whether it can download and start."""

APT_GET = f"""#!/bin/sh
echo "apt-get $*" >> "$CALLS"
case "$CAN:$*" in
    *apt*:update|*shell*:update) ;;
    *shell*:"install -y chromium-headless-shell")
        {shutil.which("ln")} -s /bin/sh "$PATH/chromium-headless-shell" ;;
    *apt*:"install -y chromium") {shutil.which("ln")} -s /bin/sh "$PATH/chromium" ;;
    *) exit 100 ;;
esac
"""


class Machine:
    """A machine with no browser and nothing but a fake Playwright, `env`, `true` and `sudo`."""

    def __init__(self, root: Path) -> None:
        self.bin, self.cache, self.calls = root / "bin", root / "cache", root / "calls"
        self.bin.mkdir()
        for name, text in PLAYWRIGHT.items():
            path = root / "modules" / "playwright" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        self.modules = root / "modules"
        for command in ("env", "true"):
            real = shutil.which(command)
            assert real
            (self.bin / command).symlink_to(real)
        self.has("sudo", '#!/bin/sh\nshift\nexec "$@"\n')

    def has(self, command: str, text: str = "#!/bin/sh\n") -> Path:
        """Put a command on the PATH."""
        path = self.bin / command
        path.write_text(text)
        path.chmod(0o755)
        return path

    def has_playwrights_own(self, revision: int = 7, marker: str = "INSTALLATION_COMPLETE") -> None:
        """Put a headless shell where Playwright keeps its downloads."""
        folder = self.cache / f"chromium_headless_shell-{revision}"
        folder.mkdir(parents=True)
        (folder / marker).touch()

    def ensure(self, can: str = "") -> tuple[int, str, list[str]]:
        """Run the script; its status, what it said last, and the installers that it called."""
        done = subprocess.run(
            [sys.executable, str(SCRIPT), "ensure"],
            env={
                "PATH": str(self.bin),
                "PYTHONPATH": str(self.modules),
                "PLAYWRIGHT_BROWSERS_PATH": str(self.cache),
                "CALLS": str(self.calls),
                "CAN": can,
            },
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        lines = (done.stderr if done.returncode else done.stdout).splitlines()
        calls = self.calls.read_text().splitlines() if self.calls.exists() else []
        return done.returncode, lines[-1], calls


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    """A machine without a browser."""
    return Machine(tmp_path)


def test_browser_of_playwright_comes_first(machine: Machine) -> None:
    """The browser that Playwright has downloaded is preferred to the system's."""
    machine.has("chromium")
    machine.has_playwrights_own()
    line = f"Browser: Playwright has its own, in {machine.cache}"
    assert machine.ensure() == (0, line, [])


@pytest.mark.parametrize(
    "half", [{"revision": 6}, {"marker": "DOWNLOADING"}], ids=["old", "half downloaded"]
)
def test_browser_of_another_revision_is_ignored(machine: Machine, half: dict[str, object]) -> None:
    """An incomplete browser and one of another Playwright do not count."""
    machine.has_playwrights_own(**half)  # type: ignore[arg-type]
    chromium = machine.has("chromium")
    assert machine.ensure() == (0, f"Browser: {chromium}", [])


def test_browsers_of_the_system_are_tried_in_their_order(machine: Machine) -> None:
    """The first name in the list that is an executable on the PATH is taken."""
    for command in SYSTEM_COMMANDS:
        machine.has(command)
    for command in SYSTEM_COMMANDS:
        assert machine.ensure() == (0, f"Browser: {machine.bin / command}", [])
        (machine.bin / command).chmod(0o644)
    assert machine.ensure()[0] == 1


DOWNLOAD = "playwright install chromium"
SHELL = ["apt-get update", "apt-get install -y chromium-headless-shell"]
OWN = "Playwright has its own, in {root}/cache"


@pytest.mark.parametrize(
    ("has_apt", "can", "browser", "tried"),
    [
        # No package is installed if the download starts.
        (True, "download start apt", OWN, []),
        # A downloaded browser that does not start gets the libraries that it lacks.
        (False, "download", OWN, ["playwright install-deps chromium"]),
        (True, "apt", "{root}/bin/chromium", [*SHELL, "apt-get install -y chromium"]),
        # The package of the headless shell installs in half the time.
        (True, "shell", "{root}/bin/chromium-headless-shell", SHELL),
    ],
    ids=["download", "libraries", "package", "headless shell"],
)
def test_missing_browser_is_installed(
    machine: Machine, has_apt: bool, can: str, browser: str, tried: list[str]
) -> None:
    """Playwright's is downloaded; a refused download leads to Debian's package."""
    if has_apt:
        machine.has("apt-get", APT_GET)
    line = f"Browser: {browser.format(root=machine.bin.parent)}"
    assert machine.ensure(can) == (0, line, [DOWNLOAD, *tried])


@pytest.mark.parametrize("tried", [["apt-get update"], []], ids=["apt-get fails", "no apt-get"])
def test_failed_setup_names_commands_and_packages(machine: Machine, tried: list[str]) -> None:
    """The last line names the commands and packages that would help, and the status is 1."""
    if tried:
        machine.has("apt-get", APT_GET)
    status, line, calls = machine.ensure()
    assert (status, calls) == (1, [DOWNLOAD, *tried])
    assert line.startswith("No Chromium found: neither Playwright's own nor one on the system.")
    assert f"`{sys.executable} -m playwright install --with-deps chromium`" in line
    assert "the package `chromium` (Debian) or Google Chrome (macOS)" in line


def test_missing_playwright_names_make_setup(machine: Machine) -> None:
    """Without Playwright the error names `make setup` and shows no traceback."""
    # -S: the real one is in site-packages.
    done = subprocess.run(
        [sys.executable, "-S", str(SCRIPT), "ensure"],
        env={"PATH": str(machine.bin), "HOME": os.devnull},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr == (
        f"{sys.executable} has no Playwright: `make setup` makes a .venv that has it.\n"
    )
