"""After a crash: to exactly the old or exactly the new state, and the two ways out when a person edited in between."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from aiwg_memory.core.canonical import named
from aiwg_memory.core.findings import Finding, Severity
from aiwg_memory.core.paths import RepoPath, join
from aiwg_memory.core.stored import MAX_FILE
from aiwg_memory.errors import AiwgError, Damaged, UsageError
from aiwg_memory.journal.back import check_copies, take_back
from aiwg_memory.journal.entry import Entry, read_entries
from aiwg_memory.journal.finish import Waiting, finish, receipt_in_place, unmade
from aiwg_memory.worktree.disk import Disk
from aiwg_memory.worktree.local import JOURNALS, STAGE


def pending(disk: Disk) -> list[Waiting]:
    """What waits for a person now, by looking alone: no lock, no write."""
    return [each for entry in read_entries(disk) for each in unmade(disk, entry)]


def recover(disk: Disk) -> tuple[list[dict[str, Any]], list[Waiting]]:
    """Finish every journal; the receipts of those finished now, and what waits for a person. The lock is held."""
    entries = read_entries(disk)
    receipts, waiting = [], []
    if entries:
        # A process that died between the rename and the sync may have left a commit point that is not on the disk yet.
        disk.sync_dir(JOURNALS)
    for entry in entries:
        receipt = None if entry.back else _receipt(disk, entry)
        left = _resume(disk, entry)
        waiting += left
        if receipt is not None and not left:
            receipts.append(receipt)
    kept = {each.operation for each in waiting}
    for name in disk.names(STAGE):
        if name not in kept:
            disk.remove_tree(join(STAGE, name))
    return receipts, waiting


def keep_mine(disk: Disk, path: RepoPath) -> None:
    """Settle that what lies at ``path`` stays. Raises UsageError when nothing waits there."""
    for entry in read_entries(disk):
        waits = any(each.path == path for each in unmade(disk, entry))
        if waits and any(step.path == path for step in entry.steps):
            _rewrite(disk, entry._replace(kept=(*entry.kept, path)))
            return
    raise UsageError(f"nothing waits at {path}", hint="`aiwg-memory recover` lists what waits for a person")


def abandon(disk: Disk) -> list[str]:
    """Turn every journal that is not complete around; the ids of those.

    Raises Damaged, before anything, when an undo copy is missing.
    """
    turned = [entry for entry in read_entries(disk) if not entry.back and not receipt_in_place(disk, entry)]
    for entry in turned:
        check_copies(disk, entry)
    for entry in turned:
        _rewrite(disk, entry._replace(back=True))
    return [entry.id for entry in turned]


def waiting_error(waiting: Iterable[Waiting]) -> Damaged:
    """What a mutation says while something waits: every path, with what was, what should come and what is there."""
    # The way out is said once, for all of them.
    findings = _findings(waiting, "error", "")
    return Damaged(
        f"an unfinished operation waits for you: {', '.join(finding.path for finding in findings)} changed in between",
        hint=_WAYS,
        findings=findings,
    )


def waiting_warnings(waiting: Iterable[Waiting]) -> list[Finding]:
    return _findings(waiting, "warning", _WAYS)


def _findings(waiting: Iterable[Waiting], severity: Severity, hint: str) -> list[Finding]:
    return [
        Finding(
            each.path,
            0,
            "unfinished",
            f"{each.operation[:15]} replaces {named(each.before)} by {named(each.after)}; there is {named(each.found)}",
            severity,
            hint,
        )
        for each in waiting
    ]


_WAYS = "`aiwg-memory recover --keep-mine PATH` keeps what is there, `aiwg-memory recover --abandon` undoes the rest"


def _resume(disk: Disk, entry: Entry) -> list[Waiting]:
    doubtful = _above(entry)
    if entry.back:
        take_back(disk, entry, doubtful)
        return []
    return finish(disk, entry, doubtful)


def _above(entry: Entry) -> set[RepoPath | None]:
    """Every directory that the steps may have made something in."""
    found: set[RepoPath | None] = set()
    for step in (*entry.steps, *((entry.receipt,) if entry.receipt else ())):
        above: RepoPath | None = step.path.parent
        while above is not None:
            found.add(above)
            above = above.parent
        found.add(None)
    return found


def _receipt(disk: Disk, entry: Entry) -> dict[str, Any] | None:
    if entry.receipt is None:
        return None
    path = entry.receipt.path if receipt_in_place(disk, entry) else entry.staged(entry.receipt)
    try:
        value = json.loads(disk.read(path, limit=MAX_FILE))
    except (AiwgError, ValueError):
        return None
    return value if isinstance(value, dict) else None


def _rewrite(disk: Disk, entry: Entry) -> None:
    draft = join(entry.stage, "journal")
    disk.make_dirs(entry.stage)
    if disk.stat(draft) is not None:
        disk.unlink(draft)
    disk.write_new(draft, entry.to_bytes())
    disk.sync_file(draft)
    disk.rename(draft, entry.path)
    disk.sync_dir(JOURNALS)
