"""From a plan to its commit point: stage everything, verify everything, let the journal appear.

Until the journal's rename nothing but ``.aiwg/.local`` is touched, so whatever fails leaves the old state; from then on
``finish`` (or, after a crash, recovery, which is the same code) brings about exactly the new one.
"""

from __future__ import annotations

import stat
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from aiwg_memory.core.canonical import digest, named
from aiwg_memory.core.findings import Finding
from aiwg_memory.core.operations import Change, receipt_bytes, receipt_path
from aiwg_memory.core.paths import RepoPath, join
from aiwg_memory.core.stored import MAX_FILE
from aiwg_memory.errors import AiwgError, DiskFailed, StalePreview, UnsafePath
from aiwg_memory.journal.entry import RECEIPT, Entry, Step
from aiwg_memory.journal.look import look
from aiwg_memory.journal.undo import keep, undo_path
from aiwg_memory.worktree.disk import Disk
from aiwg_memory.worktree.local import JOURNALS, STAGE, UNDO
from aiwg_memory.worktree.origin import origin


def commit(disk: Disk, changes: Sequence[Change], receipt: Mapping[str, Any] | None, identity: str) -> Entry:
    """Stage, verify and let the journal appear, in this order; the lock is held and nothing is unfinished.

    The journal's directory is not synced yet: what fails from here on is a failure of a confirmed operation.

    Raises StalePreview when a file is not what the plan replaces, UnsafePath when it is no regular file, DiskFailed.
    The tree is then as before, and the stage is gone.
    """
    step = None
    if receipt is not None:
        path = receipt_path(receipt["seg"], receipt["sink"])
        step = Step(RECEIPT, path, None, digest(receipt_bytes(receipt)))
    steps = tuple(Step(str(n), change.path, change.before, change.after_digest) for n, change in enumerate(changes))
    entry = Entry(identity, steps, step, origin(disk))
    vanishing = _check_targets(disk, entry)
    try:
        _stage(disk, entry, changes, receipt, vanishing)
        verify(disk, entry)
        _keep_undo_copies(disk, entry, vanishing)
        disk.rename(join(entry.stage, "journal"), entry.path)
    except (AiwgError, OSError):
        _give_up(disk, entry)
        raise
    return entry


def verify(disk: Disk, entry: Entry) -> None:
    """Raises UnsafePath or StalePreview, naming every path that is not what the plan replaces."""
    moved, unsafe = [], []
    for step in _all(entry):
        found = look(disk, step.path).what
        if found is not None and not found.startswith("sha256:"):
            unsafe.append(Finding(step.path, 0, "unsafe-path", f"there is {found}, not a regular file"))
        elif found != step.before:
            message = f"the plan replaces {named(step.before)}; there is {named(found)}"
            moved.append(Finding(step.path, 0, "moved", message))
    if unsafe:
        raise UnsafePath(
            f"{unsafe[0].path}: {unsafe[0].message}", hint="move it away and preview again", findings=unsafe
        )
    if moved:
        names = ", ".join(finding.path for finding in moved[:3]) + (" …" if len(moved) > 3 else "")
        raise StalePreview(f"changed since the preview: {names}", hint="preview again", findings=moved)


def _all(entry: Entry) -> Iterator[Step]:
    yield from entry.steps
    if entry.receipt is not None:
        yield entry.receipt


def _check_targets(disk: Disk, entry: Entry) -> dict[str, tuple[bytes, int]]:
    """Bytes and mode of every file that will vanish. Refuses early what could fail only after the commit point."""
    device, _ = disk.nearest(join(STAGE, "0"))
    for step in _all(entry):
        found, allowed = disk.nearest(step.path)
        if found != device:
            raise DiskFailed(
                f"{step.path} lies on another file system than {STAGE}",
                hint="move them onto one file system; several files cannot be replaced safely across two",
            )
        if not allowed:
            raise DiskFailed(
                f"{step.path}: you may not write in its directory", hint="check who owns it and its permissions"
            )
    verify(disk, entry)
    return {step.name: _vanishing(disk, step.path) for step in entry.steps if step.before is not None}


def _vanishing(disk: Disk, path: RepoPath) -> tuple[bytes, int]:
    data = disk.read(path, limit=MAX_FILE)
    status = disk.stat(path)
    return data, stat.S_IMODE(status.st_mode) if status else 0o644


def _stage(
    disk: Disk,
    entry: Entry,
    changes: Sequence[Change],
    receipt: Mapping[str, Any] | None,
    vanishing: Mapping[str, tuple[bytes, int]],
) -> None:
    staged: list[tuple[RepoPath, bytes, int]] = []
    for step, change in zip(entry.steps, changes, strict=True):
        before, mode = vanishing.get(step.name, (None, 0o644))
        if change.after is not None:
            staged.append((entry.staged(step), change.after, 0o444 if change.read_only else mode | 0o200))
        if before is not None:
            staged.append((join(entry.stage, f"{step.name}.undo"), before, mode))
    if entry.receipt is not None and receipt is not None:
        staged.append((entry.staged(entry.receipt), receipt_bytes(receipt), 0o644))
    staged.append((join(entry.stage, "journal"), entry.to_bytes(), 0o644))

    changed = [folder for folder in (*disk.make_dirs(JOURNALS), *disk.make_dirs(entry.stage)) if folder != STAGE]
    for path, data, mode in staged:
        disk.write_new(path, data, mode)
    for path, _, _ in staged:
        disk.sync_file(path)
    for folder in dict.fromkeys((entry.stage, STAGE, *changed)):
        disk.sync_dir(folder)


def _keep_undo_copies(disk: Disk, entry: Entry, vanishing: Mapping[str, tuple[bytes, int]]) -> None:
    if not vanishing:
        return
    changed = disk.make_dirs(UNDO)
    for step in entry.steps:
        if step.before is not None:
            keep(disk, join(entry.stage, f"{step.name}.undo"), undo_path(step.before))
    for folder in (UNDO, *changed):
        disk.sync_dir(folder)


def _give_up(disk: Disk, entry: Entry) -> None:
    # The first error is the one to tell; what is left of the stage, recovery removes.
    try:
        if disk.stat(entry.path) is None:
            disk.remove_tree(entry.stage)
    except (AiwgError, OSError):
        return
