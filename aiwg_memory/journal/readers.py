"""What readers do so that nobody sees half of an operation: compare the generation, look for a journal."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from aiwg_memory.core.findings import Finding
from aiwg_memory.core.paths import RepoPath, join
from aiwg_memory.core.stored import RECEIPTS
from aiwg_memory.errors import AiwgError, Locked, NotFound
from aiwg_memory.worktree.disk import Disk
from aiwg_memory.worktree.local import GENERATION, JOURNALS, LOCAL, STAGE

T = TypeVar("T")
ATTEMPTS = 8


def read_whole(disk: Disk, work: Callable[[], T], settle: Callable[[], None]) -> tuple[T, list[Finding]]:
    """What ``work`` reads, from one state; warnings for an operation that waits for a person, beside which it goes on.

    ``settle`` takes the lock and recovers; it is called when there is a journal. Raises Locked when this process may
    not do that, or when the files kept changing; else what ``work`` raises.
    """
    for _ in range(ATTEMPTS):
        waiting: list[Finding] = []
        if _journals(disk):
            from aiwg_memory.journal.recover import pending, waiting_warnings

            _require_writable(disk)
            settle()
            waiting = waiting_warnings(pending(disk))
        before = _generation(disk), _journals(disk)
        if before[1] and not waiting:
            continue
        try:
            result = work()
        except AiwgError:
            if (_generation(disk), _journals(disk)) == before:
                raise
            continue
        if (_generation(disk), _journals(disk)) == before:
            return result, waiting
    raise Locked("the workspace kept changing while it was read", hint="try again when the other process has ended")


def finished(receipt: Mapping[str, Any]) -> Finding:
    """What is said of an operation that was interrupted, once it is whole."""
    message = f"{receipt['kind']} had been interrupted, and is finished now: receipt {receipt['seg']}"
    return Finding(RECEIPTS, 0, "unfinished", message, "note")


def unfinished(disk: Disk) -> bool:
    """Whether there is anything to recover, or another process is at work. Reads two directories."""
    return bool(_journals(disk)) or bool(disk.names(STAGE))


def _journals(disk: Disk) -> list[str]:
    return [name for name in disk.names(JOURNALS) if name.endswith(".json")]


def _generation(disk: Disk) -> bytes:
    try:
        return disk.read(GENERATION, limit=64)
    except NotFound:
        return b""


def _require_writable(disk: Disk) -> None:
    if not disk.nearest(join(LOCAL, RepoPath("lock")))[1]:
        raise Locked(
            "an operation is unfinished, and you may not write here to finish it",
            hint="run `aiwg-memory recover` as someone who may write in .aiwg",
        )
