"""What lies under ``.aiwg/.local``: never tracked, and of this machine alone."""

from __future__ import annotations

from aiwg_memory.core.paths import RepoPath
from aiwg_memory.worktree.disk import Disk
from aiwg_memory.worktree.origin import give_name, origin

HOME = RepoPath(".aiwg")
LOCAL = RepoPath(".aiwg/.local")
LOCK = RepoPath(".aiwg/.local/lock")
GENERATION = RepoPath(".aiwg/.local/generation")
PREVIEWS = RepoPath(".aiwg/.local/previews")
STAGE = RepoPath(".aiwg/.local/stage")
JOURNALS = RepoPath(".aiwg/.local/journal")
UNDO = RepoPath(".aiwg/.local/undo")

_IGNORE = RepoPath(".aiwg/.local/.gitignore")


def prepare(disk: Disk) -> None:
    """Make ``.aiwg/.local`` what it must be before anything is written there; its ``.gitignore`` is the first file.

    The directories are synced before that file is written, so that whoever sees it may rely on them.
    """
    found = disk.stat(_IGNORE)
    if found is None or not found.st_size:
        for folder in (PREVIEWS, STAGE, JOURNALS, UNDO):
            disk.make_dirs(folder)
        disk.sync_dir(None)
        for folder in (HOME, LOCAL):
            disk.sync_dir(folder)
        _ignore_all(disk)
    if not origin(disk):
        give_name(disk)


def _ignore_all(disk: Disk) -> None:
    # Nobody holds the lock yet: another process may be at this point too, and a crash may have left an empty file.
    try:
        if disk.stat(_IGNORE) is not None:
            disk.unlink(_IGNORE)
        disk.write_new(_IGNORE, b"*\n")
    except (FileExistsError, FileNotFoundError):
        return
