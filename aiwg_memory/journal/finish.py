"""From the commit point to the new state: the same code after a journal was written and after a crash.

Every step says by itself whether it was made, so this may stop anywhere and start again.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from aiwg_memory.core.paths import RepoPath
from aiwg_memory.errors import NotFound
from aiwg_memory.journal.entry import Entry, Step
from aiwg_memory.journal.look import DIRECTORY, look
from aiwg_memory.worktree.disk import Disk
from aiwg_memory.worktree.local import GENERATION, HOME, JOURNALS

_NEXT = RepoPath(GENERATION + ".next")


class Waiting(NamedTuple):
    """A path a person edited in between: digests of what was there, of what should come, and what is there now."""

    operation: str
    path: RepoPath
    before: str | None
    after: str | None
    found: str | None


class Mover:
    """The steps of one journal on one disk. Raises the generation once, before the first thing a reader could see."""

    def __init__(self, disk: Disk, entry: Entry, doubtful: Iterable[RepoPath | None] = ()) -> None:
        self.disk = disk
        self.entry = entry
        self.touched: set[RepoPath | None] = set(doubtful)
        self._raised = False

    def move(self) -> bool:
        """Say that something is about to change; whether that had not been said yet."""
        if self._raised:
            return False
        raise_generation(self.disk)
        self._raised = True
        return True

    def sync(self) -> None:
        """Sync every directory that was touched, each once; one that is gone is its parent's entry."""
        for folder in sorted({self._existing(folder) for folder in self.touched}, key=lambda path: path or ""):
            self.disk.sync_dir(folder)
        self.touched.clear()

    def prune(self, folder: RepoPath | None) -> None:
        """Remove a directory that was left empty, and those above it that this leaves empty; never ``.aiwg``."""
        while folder is not None and folder != HOME:
            if self._existing(folder) == folder and not self.disk.remove_dir(folder):
                return
            folder = folder.parent
            self.touched.add(folder)

    def clean_up(self) -> None:
        self.disk.unlink(self.entry.path)
        self.disk.sync_dir(JOURNALS)
        self.disk.remove_tree(self.entry.stage)

    def make_parent(self, path: RepoPath) -> None:
        self.touched.update(self.disk.make_dirs(path.parent))
        self.touched.add(path.parent)

    def _existing(self, folder: RepoPath | None) -> RepoPath | None:
        while folder is not None and look(self.disk, folder).what != DIRECTORY:
            folder = folder.parent
        return folder


def finish(disk: Disk, entry: Entry, doubtful: Iterable[RepoPath | None] = ()) -> list[Waiting]:
    """Make what is not made, then the receipt, then clean up; what waits for a person, which keeps the journal.

    ``doubtful`` are directories to sync beside those touched: what a process that died made may not be on the disk.
    """
    mover = Mover(disk, entry, doubtful)
    if not receipt_in_place(disk, entry):
        waiting = [step for step in entry.steps if step.path not in entry.kept and not _make(mover, step)]
        for step in entry.steps:
            if step.after is None and step not in waiting and step.path not in entry.kept:
                mover.prune(step.path.parent)
        mover.sync()
        if not waiting and entry.receipt is not None and not _place(mover, entry.receipt):
            waiting = [entry.receipt]
        if waiting:
            return [_waiting(entry, step, look(disk, step.path).what) for step in waiting]
    if entry.receipt is not None:
        mover.touched.add(entry.receipt.path.parent)
    mover.sync()
    mover.clean_up()
    return []


def receipt_in_place(disk: Disk, entry: Entry) -> bool:
    return entry.receipt is not None and look(disk, entry.receipt.path).what == entry.receipt.after


def unmade(disk: Disk, entry: Entry) -> list[Waiting]:
    """What would wait for a person, found by looking alone."""
    if entry.back or receipt_in_place(disk, entry):
        return []
    waiting = []
    for step in entry.steps:
        found = look(disk, step.path)
        settled = step.path in entry.kept or found.what in (step.before, step.after)
        if not settled and not _was_made(disk, entry, step, found.inode):
            waiting.append(_waiting(entry, step, found.what))
    if entry.receipt is not None:
        there = look(disk, entry.receipt.path).what
        if there is not None or disk.stat(entry.staged(entry.receipt)) is None:
            waiting.append(_waiting(entry, entry.receipt, there))
    return waiting


def raise_generation(disk: Disk) -> None:
    """Readers compare this number before and after. Not synced: no reader outlives a loss of power."""
    try:
        text = disk.read(GENERATION, limit=64).decode("ascii", "replace").strip()
    except NotFound:
        text = "0"
    number = int(text) + 1 if text.isdecimal() else 1
    if disk.stat(_NEXT) is not None:
        disk.unlink(_NEXT)
    disk.write_new(_NEXT, b"%d\n" % number)
    disk.rename(_NEXT, GENERATION)


def _was_made(disk: Disk, entry: Entry, step: Step, inode: tuple[int, int] | None) -> bool:
    if step.after is None:
        return disk.stat(entry.gone(step)) is not None
    staged = disk.stat(entry.staged(step))
    return staged is None or (staged.st_dev, staged.st_ino) == inode


def _make(mover: Mover, step: Step) -> bool:
    """Bring one change about; False when what is there is neither what was nor what comes."""
    disk, entry = mover.disk, mover.entry
    found = look(disk, step.path)
    if not _was_made(disk, entry, step, found.inode) and found.what != step.after:
        if found.what != step.before:
            return False
        if mover.move():
            # That took its time, and a person may have saved meanwhile: look again.
            return _make(mover, step)
        if step.after is None:
            disk.rename(step.path, entry.gone(step))
        elif step.before is None:
            return _place(mover, step)
        else:
            disk.rename(entry.staged(step), step.path)
    mover.touched.add(step.path.parent)
    return True


def _place(mover: Mover, step: Step) -> bool:
    """Give a staged file its place where nothing is; False when something is, or when the staged file is not."""
    disk, staged = mover.disk, mover.entry.staged(step)
    if disk.stat(staged) is None or look(disk, step.path).what is not None:
        return False
    mover.move()
    mover.make_parent(step.path)
    if not disk.link_new(staged, step.path):
        return False
    disk.unlink(staged)
    return True


def _waiting(entry: Entry, step: Step, found: str | None) -> Waiting:
    return Waiting(entry.id, step.path, step.before, step.after, found)
