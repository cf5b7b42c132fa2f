"""Whether ``.aiwg/.local`` was made here: what a clone, a pull or an archive put there is not taken for this machine's.

A tracked file can lie under ``.aiwg/.local`` (``git add -f``), and git overwrites ignored files without asking. So one
file there holds a random name that others cannot know, and its own time of change with a fraction of a second, which no
checkout and no archive of a repository gives a file. Journals and previews carry the name; the index is called by it.
"""

from __future__ import annotations

import os
import re
import time

from aiwg_memory.core.paths import RepoPath
from aiwg_memory.errors import DiskFailed, NotFound
from aiwg_memory.worktree.disk import Disk

ORIGIN = RepoPath(".aiwg/.local/origin")

_LINE = re.compile(rb"([0-9a-f]{32}) ([0-9]{1,20})\n\Z")
_SECOND = 1_000_000_000
_STEP = 1000  # nanoseconds; file systems in use keep times at least that finely, but for those that keep seconds


def origin(disk: Disk) -> str:
    """The name this machine gave the directory, 32 hex digits; "" where it gave none. Raises UnsafePath, DiskFailed."""
    status = disk.stat(ORIGIN)
    if status is None or status.st_size > 64:
        return ""
    try:
        found = _LINE.match(disk.read(ORIGIN, limit=64))
    except NotFound:
        return ""
    changed = status.st_mtime_ns
    return found[1].decode() if found and int(found[2]) == changed and changed % _SECOND else ""


def give_name(disk: Disk) -> None:
    """Name the directory, unless another process does so at this moment; synced, since journals rely on it.

    Raises DiskFailed on a file system that keeps whole seconds.
    """
    moment = time.time_ns() // _STEP * _STEP
    moment += 0 if moment % _SECOND else _STEP
    with disk.draft(ORIGIN) as draft:
        disk.write_new(draft, f"{os.urandom(16).hex()} {moment}\n".encode(), 0o600)
        disk.set_time(draft, moment)
        disk.sync_file(draft)
        if (disk.stat(ORIGIN) is None and disk.link_new(draft, ORIGIN)) or origin(disk):
            disk.unlink(draft)
        else:
            disk.rename(draft, ORIGIN)
    disk.sync_dir(ORIGIN.parent)
    if not origin(disk):
        raise DiskFailed(
            f"{ORIGIN}: its time of change is not kept as it was set",
            hint="use a file system that keeps fractions of a second, as those in use today do",
        )
