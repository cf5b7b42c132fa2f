"""Journal: the one way anything under the workspace changes. Crash-safe application of a plan, and recovery.

Killing the process at any point, or losing power after any write that was not synced, and then running any command
ends in exactly the old state or exactly the new state with its receipt.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

from aiwg_memory.errors import AiwgError
from aiwg_memory.worktree.disk import Disk

if TYPE_CHECKING:
    from aiwg_memory.core.findings import Finding
    from aiwg_memory.core.operations import Plan
    from aiwg_memory.core.paths import RepoPath
    from aiwg_memory.journal.finish import Waiting
    from aiwg_memory.journal.previews import Previews

T = TypeVar("T")


class Journal:
    """Of the workspace at ``root``. Every method that changes something takes the lock unless ``locked`` holds it.

    Whoever may not get the lock within ``timeout_ms`` milliseconds gets Locked, naming the holder.
    """

    def __init__(self, root: str, *, timeout_ms: int = 5000, disk: Disk | None = None) -> None:
        self.disk = disk or Disk(root)
        self._timeout_ms = timeout_ms
        self._depth = 0

    @cached_property
    def previews(self) -> Previews:
        from aiwg_memory.journal.previews import Previews

        return Previews(self.disk)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Hold the workspace lock; inside itself it costs nothing."""
        from aiwg_memory.worktree.local import LOCK, prepare
        from aiwg_memory.worktree.lock import hold

        if self._depth:
            yield
            return
        prepare(self.disk)
        command = " ".join(sys.argv[:3])
        with hold(self.disk, LOCK, timeout_ms=self._timeout_ms, command=command):
            self._depth = 1
            try:
                yield
            finally:
                self._depth = 0

    def recover(self, now: str) -> list[dict[str, Any]]:
        """Finish what was interrupted; the receipts of what was finished now. Without anything to do: two look-ups.

        Raises Damaged, naming the paths, while something waits for a person; Locked.
        """
        from aiwg_memory.journal.readers import unfinished

        if not unfinished(self.disk):
            return []
        from aiwg_memory.journal.recover import recover, waiting_error
        from aiwg_memory.journal.undo import evict

        with self.locked():
            receipts, waiting = recover(self.disk)
            for receipt in receipts:
                self.previews.remove(str(receipt["operation_id"]))
            if waiting:
                raise waiting_error(waiting)
            evict(self.disk, now)
        return receipts

    def apply(self, plan: Plan, receipt: Mapping[str, Any] | None, identity: str, now: str) -> None:
        """Bring the plan's changes about, all or none, and then the receipt.

        ``identity`` names the apply: the operation id, or it, ``-`` and a sink. ``now`` (RFC 3339) decides which undo
        copies are too old. Raises StalePreview when a file is not what the plan
        replaces, UnsafePath, DiskFailed (until the commit point nothing has changed then), Damaged when a person
        edited after it, Locked.
        """
        from aiwg_memory.journal.apply import commit
        from aiwg_memory.journal.finish import finish
        from aiwg_memory.journal.recover import waiting_error
        from aiwg_memory.journal.undo import evict
        from aiwg_memory.worktree.local import JOURNALS

        with self.locked():
            self.recover(now)
            entry = commit(self.disk, plan.changes, receipt, identity)
            try:
                self.disk.sync_dir(JOURNALS)
                waiting = finish(self.disk, entry)
                if not waiting:
                    evict(self.disk, now)
            except AiwgError as error:
                error.hint = f"{error.hint}; it is confirmed, and `aiwg-memory recover` finishes it".lstrip("; ")
                raise
            if waiting:
                raise waiting_error(waiting)

    def pending(self) -> list[Waiting]:
        """What waits for a person, by looking alone."""
        from aiwg_memory.journal.readers import unfinished

        if not unfinished(self.disk):
            return []
        from aiwg_memory.journal.recover import pending

        return pending(self.disk)

    def keep_mine(self, path: RepoPath, now: str) -> list[dict[str, Any]]:
        """Leave what lies at ``path`` and finish the rest. Raises UsageError when nothing waits there; as recover."""
        from aiwg_memory.journal.recover import keep_mine

        with self.locked():
            keep_mine(self.disk, path)
            return self.recover(now)

    def abandon(self, now: str) -> tuple[list[str], list[dict[str, Any]]]:
        """Take back what unfinished operations made, from the undo copies; what a person wrote since stays.

        Their ids, and the receipts of operations that were complete and only had to be cleaned up. Raises Damaged
        without a copy.
        """
        from aiwg_memory.journal.recover import abandon

        with self.locked():
            return abandon(self.disk), self.recover(now)

    def undo_copy(self, digest: str) -> bytes | None:
        """The bytes that had this digest before they vanished, while a copy is kept (30 days, 64 MiB)."""
        from aiwg_memory.journal.undo import undo_copy

        return undo_copy(self.disk, digest)

    def read(self, work: Callable[[], T], now: str) -> tuple[T, list[Finding]]:
        """What ``work`` reads, from one state; notes of what was finished for it, warnings for what waits for a person.

        Raises Locked when an operation is unfinished and this process may not finish it, or may not in time.
        """
        from aiwg_memory.errors import Damaged
        from aiwg_memory.journal.readers import finished, read_whole

        told: list[Finding] = []

        def settle() -> None:
            try:
                told.extend(map(finished, self.recover(now)))
            except Damaged:
                if not self.pending():
                    raise

        result, waiting = read_whole(self.disk, work, settle)
        return result, [*told, *waiting]
