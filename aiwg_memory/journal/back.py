"""Taking back what an abandoned operation had made. Every step looks at digests alone, so this may start again."""

from __future__ import annotations

import stat
from collections.abc import Iterable

from aiwg_memory.core.canonical import digest
from aiwg_memory.core.findings import Finding
from aiwg_memory.core.paths import RepoPath, join
from aiwg_memory.core.stored import MAX_FILE
from aiwg_memory.errors import AiwgError, Damaged
from aiwg_memory.journal.entry import Entry, Step
from aiwg_memory.journal.finish import Mover
from aiwg_memory.journal.look import look
from aiwg_memory.journal.undo import undo_path
from aiwg_memory.worktree.disk import Disk


def check_copies(disk: Disk, entry: Entry) -> None:
    """Raises Damaged when a file that is to come back has no intact copy."""
    missing = [
        step
        for step in entry.steps
        if _is_made(disk, entry, step) and step.before is not None and _copy(disk, entry, step) is None
    ]
    if missing:
        raise _missing(entry, missing)


def take_back(disk: Disk, entry: Entry, doubtful: Iterable[RepoPath | None]) -> None:
    """Bring back what was, leave what a person wrote since, clean up. Raises Damaged when a copy is missing."""
    check_copies(disk, entry)
    mover = Mover(disk, entry, doubtful)
    for step in entry.steps:
        if _is_made(disk, entry, step):
            mover.move()
            _bring_back(mover, step)
        mover.touched.add(step.path.parent)
    for step in entry.steps:
        if step.before is None:
            mover.prune(step.path.parent)
    mover.sync()
    mover.clean_up()


def _is_made(disk: Disk, entry: Entry, step: Step) -> bool:
    return step.path not in entry.kept and look(disk, step.path).what == step.after


def _bring_back(mover: Mover, step: Step) -> None:
    disk, entry = mover.disk, mover.entry
    if step.before is None:
        disk.unlink(step.path)
        return
    source = _copy(disk, entry, step)
    if source is None:
        raise _missing(entry, [step])
    copy = join(entry.stage, f"{step.name}.back")
    disk.make_dirs(entry.stage)
    if disk.stat(copy) is not None:
        disk.unlink(copy)
    status = disk.stat(source)
    disk.write_new(copy, disk.read(source, limit=MAX_FILE), stat.S_IMODE(status.st_mode) if status else 0o644)
    disk.sync_file(copy)
    if step.after is None:
        mover.make_parent(step.path)
        disk.link_new(copy, step.path)
    else:
        disk.rename(copy, step.path)


def _copy(disk: Disk, entry: Entry, step: Step) -> RepoPath | None:
    """Where the bytes that were there are kept."""
    for path in (undo_path(step.before or ""), entry.gone(step)):
        try:
            if digest(disk.read(path, limit=MAX_FILE)) == step.before:
                return path
        except AiwgError:
            continue
    return None


def _missing(entry: Entry, steps: Iterable[Step]) -> Damaged:
    return Damaged(
        f"{entry.id} cannot be taken back: a copy of what was there is missing",
        hint="bring the named files back from git, then run `aiwg-memory recover --abandon` again",
        findings=[
            Finding(step.path, 0, "undo-copy", f"there is no copy of {step.before} to bring back") for step in steps
        ],
    )
