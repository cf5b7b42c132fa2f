"""Copies of what vanished, named by their digest: kept 30 days and 64 MiB, the oldest go first."""

from __future__ import annotations

from datetime import datetime

from aiwg_memory.core.canonical import digest
from aiwg_memory.core.paths import RepoPath, join
from aiwg_memory.core.stored import MAX_FILE
from aiwg_memory.errors import AiwgError
from aiwg_memory.journal.entry import read_entries
from aiwg_memory.worktree.disk import Disk
from aiwg_memory.worktree.local import UNDO

KEPT_SECONDS = 30 * 24 * 3600
KEPT_BYTES = 64 * 1024 * 1024


def undo_path(full: str) -> RepoPath:
    return join(UNDO, full.rpartition(":")[2])


def undo_copy(disk: Disk, full: str) -> bytes | None:
    """The bytes with this digest, None when there is no such copy or it is damaged."""
    path = undo_path(full)
    try:
        data = disk.read(path, limit=MAX_FILE)
    except AiwgError:
        return None
    return data if digest(data) == full else None


def keep(disk: Disk, staged: RepoPath, target: RepoPath) -> None:
    """Move a synced copy into place. One that is there already is replaced, so that its 30 days begin again."""
    disk.rename(staged, target)


def evict(disk: Disk, now: str) -> None:
    """Remove what is too old at ``now`` (RFC 3339), then the oldest beyond the bound; nothing a journal names."""
    named = {undo_path(step.before) for entry in read_entries(disk) for step in entry.steps if step.before}
    seconds = datetime.fromisoformat(now).timestamp()
    copies = []
    for name in disk.names(UNDO):
        path = join(UNDO, name)
        status = disk.stat(path)
        if status is not None and path not in named:
            copies.append((status.st_mtime, path, status.st_size))
    total = 0
    for changed, path, size in sorted(copies, reverse=True):
        total += size
        if seconds - changed > KEPT_SECONDS or total > KEPT_BYTES:
            disk.unlink(path)
