"""A file that is locked for as long as a process lives, by which others know that it does.

A lock tells, and no process id: that is reused, and is another one in a container.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import IO

__all__ = ["hold", "is_held"]

TRIES = 20
"""Who asks whether a file is locked may hold it for an instant."""


def hold(path: Path) -> IO[str]:
    """Make a file and lock it, until it is closed or the process ends. Raises OSError."""
    file = path.open("w")
    file.write(f"{os.getpid()}\n")
    file.flush()
    for left in reversed(range(TRIES)):
        try:
            _lock(file)
            break
        except OSError:
            if not left:
                file.close()
                raise
            time.sleep(0.01)
    return file


def is_held(path: Path) -> bool:
    """Whether the process that has made the file is alive; not, if the file cannot be opened."""
    try:
        file = path.open("r+")
    except OSError:
        return False
    with file:
        try:
            _probe(file)
        except OSError:
            return True
        return False


if sys.platform == "win32":
    import msvcrt

    def _lock(file: IO[str]) -> None:
        file.seek(0)
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)

    _probe = _lock
else:
    import fcntl

    def _lock(file: IO[str]) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def _probe(file: IO[str]) -> None:
        # Shared, or two who ask at once would take each other for the one who lives.
        fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
