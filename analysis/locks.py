"""Locks between processes."""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path


@contextlib.contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold an exclusive lock on a file, which is made if need be; it ends with the process that holds it."""
    try:
        import fcntl

        path.parent.mkdir(parents=True, exist_ok=True)
        file = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
    except (ImportError, OSError):
        yield
        return
    try:
        with contextlib.suppress(OSError):  # some network file systems cannot
            fcntl.flock(file, fcntl.LOCK_EX)
        yield
    finally:
        os.close(file)
