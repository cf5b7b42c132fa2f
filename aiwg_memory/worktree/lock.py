"""The workspace lock: a kernel lock, gone with the process that took it, and never a child's."""

from __future__ import annotations

import errno
import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager

from aiwg_memory.core.paths import RepoPath
from aiwg_memory.errors import Locked
from aiwg_memory.worktree.disk import Disk, disk_failed

_LOCK = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_PAUSE = 0.02
_held: set[int] = set()


@contextmanager
def hold(disk: Disk, path: RepoPath, *, timeout_ms: int, command: str) -> Iterator[None]:
    """Hold the lock on the file at ``path`` (made when missing); wait at most ``timeout_ms`` milliseconds.

    Raises Locked naming the holder. ``command`` is what a process that waits for us will be told.
    """
    opened = _open(disk, path)
    try:
        _wait(opened, path, timeout_ms)
        _held.add(opened)
        _name_holder(opened, f"{os.getpid()} {command}\n")
        try:
            yield
        finally:
            _held.discard(opened)
            _name_holder(opened, "")
            fcntl.flock(opened, fcntl.LOCK_UN)
    finally:
        os.close(opened)


def _open(disk: Disk, path: RepoPath) -> int:
    folder = disk.folder(path.parent)
    try:
        return os.open(path.name, _LOCK, 0o644, dir_fd=folder)
    except OSError as error:
        raise disk_failed(path, error) from error
    finally:
        os.close(folder)


def _wait(opened: int, path: RepoPath, timeout_ms: int) -> None:
    until = time.monotonic() + timeout_ms / 1000
    while True:
        try:
            fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except OSError as error:
            if error.errno not in (errno.EWOULDBLOCK, errno.EACCES, errno.EINTR):
                raise disk_failed(path, error) from error
        left = until - time.monotonic()
        if left <= 0:
            raise Locked(
                f"another process holds the workspace: {_holder(opened)}",
                hint="wait for it to end and try again; a process that died holds nothing",
            )
        time.sleep(min(_PAUSE, left))


def _name_holder(opened: int, text: str) -> None:
    # What waits reads this; a disk too full to say it does not stop the work.
    try:
        os.ftruncate(opened, 0)
        os.pwrite(opened, text.encode()[:1024], 0)
    except OSError:
        return


def _holder(opened: int) -> str:
    pid, _, command = os.pread(opened, 1024, 0).decode("utf-8", "replace").strip().partition(" ")
    shown = "".join(c for c in command if c.isprintable())
    return f"process {pid} ({shown})" if pid.isdigit() else "one that has not given its name yet"


def _forget_in_child() -> None:
    for opened in _held:
        os.close(opened)
    _held.clear()


os.register_at_fork(after_in_child=_forget_in_child)
