"""The tutorial, followed to the letter with the application that it brings, and answered by hand."""

import os
import re
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.test_docs import ROOT, Block, blocks_of, compare_output

PAGE = ROOT / "docs" / "tutorial" / "first-test.md"
PORT = "8000"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("bash") is None, reason="its commands are for a shell"),
]


@pytest.fixture
def port(tmp_path: Path) -> Iterator[str]:
    """A free port, on which the tutorial's server shows its application."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    (tmp_path / "app").mkdir()
    command = [sys.executable, "-m", "http.server", port, "--directory", "app"]
    with subprocess.Popen(
        command, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as server:
        yield port
        server.terminate()


class Reader:
    """Does what the page says, block by block."""

    def __init__(self, folder: Path, port: str) -> None:
        self.folder = folder
        self.port = port
        self.turn = ""
        self.output = ""
        binaries = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        self.env = {name: value for name, value in os.environ.items() if name != "CI"}
        self.env |= {"PATH": binaries, "PYTHONPATH": str(ROOT)}

    def write(self, name: str, text: str) -> None:
        """Save a file."""
        (self.folder / name).write_text(text.replace(PORT, self.port))

    def replace(self, name: str, text: str) -> None:
        """Edit a line of a file."""
        [old] = re.findall(r"^-(.*)$", text, re.M)
        [new] = re.findall(r"^\+(.*)$", text, re.M)
        before = (self.folder / name).read_text()
        assert before.count(old) == 1
        self.write(name, before.replace(old, new))

    def run(self, text: str, fails: bool) -> None:
        """Run commands in one shell, which waits for what it has started in the background."""
        # The shell of the background run has ended already.
        ended = "while ! grep -q ' in .*s ===' handoff.log; do sleep 0.2; done; "
        text = text.replace("wait; ", ended)
        log = self.folder / "output"
        command = ["bash", "-c", text.replace("TURN", self.turn)]
        with log.open("w") as output:
            printed: Any = {"stdout": output, "stderr": subprocess.STDOUT}
            done = subprocess.run(command, cwd=self.folder, env=self.env, timeout=170, **printed)
        self.output = log.read_text()
        assert (done.returncode != 0) is fails, self.output
        if turns := re.findall(r"^===== turn (\S+):", self.output, re.M):
            self.turn = turns[-1]

    def follow(self, block: Block) -> None:
        """Do what the block says."""
        kind, _, name = block.directive.partition(": ")
        if kind == "write":
            self.write(name, block.text)
        elif kind == "replace":
            self.replace(name, block.text)
        elif kind in ("run", "run fails"):
            self.run(block.text, kind == "run fails")
        elif kind == "shows":
            compare_output(block, self.output)


@pytest.mark.timeout(600)
def test_tutorial_shows_what_it_says(tmp_path: Path, port: str) -> None:
    """Each command of the tutorial succeeds or fails as the page says, with the output on the page."""
    reader = Reader(tmp_path, port)
    followed = [block for block in blocks_of(PAGE) if block.directive]
    assert len(followed) > 20
    for block in followed:
        reader.follow(block)
