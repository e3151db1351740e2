"""Files of ours: folders that only their user reads, the life of a process as others see it, turns at writing."""

import errno
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

TRIES = 20
"""How often to try to lock a file, since a probe may hold it for an instant."""
_TAKEN = (errno.EAGAIN, errno.EWOULDBLOCK, errno.EACCES, errno.EDEADLK)
"""Errors of a lock that another process holds; all others are of file systems without locks."""
_PAUSE = 0.01
"""Seconds between two tries."""
_LONGEST_TURN = 60.0
"""Seconds after which another process that writes is taken for one that hangs."""


def make_private(folder: Path) -> None:
    """Make a folder, and the `.webtask` around it so that only its user may enter and Git ignores it. Raises OSError."""
    around = next((each for each in folder.parents if each.name == ".webtask"), folder)
    around.parent.mkdir(parents=True, exist_ok=True)
    around.mkdir(0o700, exist_ok=True)
    ignore = around / ".gitignore"
    if not ignore.exists():
        ignore.write_text("# Made by pytest-webtask.\n*\n")
    folder.mkdir(parents=True, exist_ok=True)


def is_ours(path: Path) -> bool:
    """Return whether what is in a folder of `.webtask` may be removed: through a link it would be another's."""
    return not any(each.is_symlink() for each in (path, *[*path.parents][:2]))


def hold(path: Path, tries: int = TRIES) -> IO[str]:
    """Create and lock a file until it is closed or the process ends. Raises OSError."""
    file = path.open("w")
    try:
        file.write(f"{os.getpid()}\n")
        file.flush()
        for tries_left in reversed(range(tries)):
            try:
                _lock(file)
                break
            except OSError as error:
                if not tries_left or error.errno not in _TAKEN:
                    raise
                time.sleep(_PAUSE)
    except OSError:
        file.close()
        raise
    return file


def is_held(path: Path) -> bool:
    """Whether the process that created the file is alive; False if the file cannot be opened."""
    with suppress(OSError), path.open("r+") as file:
        try:
            _probe(file)
        except OSError:
            return True
    return False


@contextmanager
def taking_turns(path: Path) -> Iterator[None]:
    """Wait until no other process is inside; where files cannot be locked, or one hangs, go on."""
    try:
        file = hold(path, int(_LONGEST_TURN / _PAUSE))
    except OSError:
        yield
        return
    with file:
        yield


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
        # Shared, or two probes at once would take each other for a living owner.
        fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
