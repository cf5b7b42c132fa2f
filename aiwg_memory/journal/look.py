"""What lies at a path now, in the words a journal and a person compare with."""

from __future__ import annotations

import stat
from typing import NamedTuple

from aiwg_memory.core.canonical import digest
from aiwg_memory.core.paths import RepoPath
from aiwg_memory.core.stored import MAX_FILE
from aiwg_memory.errors import TooLarge, UnsafePath
from aiwg_memory.worktree.disk import Disk

DIRECTORY = "a directory"


class Found(NamedTuple):
    """``what`` is the digest of a regular file, None for nothing, else a phrase such as ``a directory``."""

    what: str | None
    inode: tuple[int, int] | None = None


def look(disk: Disk, path: RepoPath) -> Found:
    """Never raises for what lies there: a person may have put anything in the place of a file."""
    try:
        status = disk.stat(path)
    except UnsafePath:
        return Found("a link or a file in the place of a directory above it")
    if status is None:
        return Found(None)
    if not stat.S_ISREG(status.st_mode):
        return Found(_phrase(status.st_mode))
    try:
        data = disk.read(path, limit=MAX_FILE)
    except TooLarge:
        return Found(f"a file of {status.st_size} bytes")
    return Found(digest(data), (status.st_dev, status.st_ino))


def _phrase(mode: int) -> str:
    if stat.S_ISDIR(mode):
        return DIRECTORY
    return "a link" if stat.S_ISLNK(mode) else "a special file"
