"""Find the Chromium that this repository's tests run in, or install one.

`python scripts/browser.py ensure` prints the one it found. The tests' plugin next to this file,
`system_browser.py`, launches the same one.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

# First what Playwright itself uses without a head: its windows cost nothing, so that the tests take
# half as long. Last is Ubuntu's chromium-browser, which may be a stub that only says how to install a snap.
SYSTEM_COMMANDS = (
    "chromium-headless-shell",
    "chromium",
    "google-chrome",
    "google-chrome-stable",
    "microsoft-edge",
    "chromium-browser",
)
MAC_BUNDLES = ("Google Chrome", "Chromium", "Microsoft Edge")
# Without an end, a proxy that swallows the download would hang a CI run.
INSTALL_SECONDS = 600


class BrowserNotFound(LookupError):
    """There is no Chromium on this machine; the message says what to do."""


def find_browser(*, headed: bool = False) -> Path | None:
    """Return the executable of a Chromium on the system, or `None` if Playwright has its own.

    One that is to be `headed` is no headless shell. Raises `BrowserNotFound` where there is neither.
    """
    if _playwright_has_its_own():
        return None
    system = _system_browser(SYSTEM_COMMANDS[1:] if headed else SYSTEM_COMMANDS)
    if system is None:
        raise BrowserNotFound(
            "No Chromium found: neither Playwright's own nor one on the system. Type "
            f"`{sys.executable} -m playwright install --with-deps chromium`, or install the "
            "package `chromium` (Debian) or Google Chrome (macOS), then run this again."
        )
    return system


def browsers_folder() -> Path:
    """Return the folder of Playwright's downloaded browsers, as its driver computes it."""
    chosen = os.environ.get("PLAYWRIGHT_BROWSERS_PATH")
    if chosen == "0":
        return _driver_package() / ".local-browsers"
    if chosen:
        return Path(chosen).absolute()
    if sys.platform == "darwin":
        cache = Path.home() / "Library" / "Caches"
    elif sys.platform == "win32":
        cache = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    else:
        cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return cache / "ms-playwright"


def ensure_browser() -> Path | None:
    """Return what `find_browser` does, after installing a browser if there is none."""
    try:
        return find_browser()
    except BrowserNotFound:
        _install()
    return find_browser()


def _playwright_has_its_own() -> bool:
    # Asking Playwright itself would start its driver, which takes ten times as long.
    # Headless runs need the headless shell; `playwright install chromium` brings both.
    browsers = json.loads((_driver_package() / "browsers.json").read_text(encoding="utf-8"))
    [shell] = [b for b in browsers["browsers"] if b["name"] == "chromium-headless-shell"]
    folder = browsers_folder() / f"chromium_headless_shell-{shell['revision']}"
    return (folder / "INSTALLATION_COMPLETE").exists()


def _driver_package() -> Path:
    spec = importlib.util.find_spec("playwright")
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError(
            f"{sys.executable} has no Playwright: `make setup` makes a .venv that has it."
        )
    return Path(spec.origin).parent / "driver" / "package"


def _system_browser(commands: Sequence[str]) -> Path | None:
    for command in commands:
        if found := shutil.which(command):
            return Path(found)
    if sys.platform == "darwin":
        for applications in (Path("/Applications"), Path.home() / "Applications"):
            for name in MAC_BUNDLES:
                executable = applications / f"{name}.app" / "Contents" / "MacOS" / name
                if executable.exists():
                    return executable
    return None


def _install() -> None:
    """Install Playwright's Chromium, or Debian's package if that download fails."""
    as_root = _root_prefix()
    if _run(sys.executable, "-m", "playwright", "install", "chromium"):
        # A bare Linux lacks libraries that the downloaded browser needs.
        if sys.platform == "linux" and as_root is not None and not _starts():
            _run(*as_root, sys.executable, "-m", "playwright", "install-deps", "chromium")
    elif as_root is not None and shutil.which("apt-get"):
        print("Playwright's download failed; trying Debian's packages instead.", flush=True)
        quiet = ("env", "DEBIAN_FRONTEND=noninteractive", "apt-get")
        if _run(*as_root, *quiet, "update"):
            install = (*as_root, *quiet, "install", "-y")
            _run(*install, "chromium-headless-shell") or _run(*install, "chromium")


def _root_prefix() -> list[str] | None:
    """Return the prefix of a command that needs root, or `None` if it would ask for a password."""
    if not hasattr(os, "geteuid"):
        return None
    if os.geteuid() == 0:
        return []
    if shutil.which("sudo") and _run("sudo", "-n", "true", silent=True):
        return ["sudo", "-n"]
    return None


def _starts() -> bool:
    from playwright.sync_api import Error, sync_playwright

    with sync_playwright() as playwright:
        try:
            playwright.chromium.launch().close()
        except Error:
            return False
    return True


def _run(*command: str, silent: bool = False) -> bool:
    if not silent:
        print("$", *command, flush=True)
    output = subprocess.DEVNULL if silent else None
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            timeout=INSTALL_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        print(f"No end after {INSTALL_SECONDS} seconds: {' '.join(command)}", file=sys.stderr)
        return False
    return done.returncode == 0


def main() -> int:
    """Run the command line and return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("verb", choices=["ensure"], help="find a Chromium, or install one")
    parser.parse_args()
    try:
        executable = ensure_browser()
    except (BrowserNotFound, ModuleNotFoundError) as error:
        print(error, file=sys.stderr)
        return 1
    print(f"Browser: {executable or f'Playwright has its own, in {browsers_folder()}'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
