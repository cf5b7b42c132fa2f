"""A person's own store: a second root outside every repository, with its own lock, journal and receipts."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from aiwg_memory.core.paths import display
from aiwg_memory.core.tree import MemoryTree
from aiwg_memory.errors import NotFound, UnsafePath, UsageError
from aiwg_memory.worktree.failures import failure

if TYPE_CHECKING:
    from aiwg_memory.workspace import Workspace


def own_root(environ: Mapping[str, str]) -> str:
    """``$XDG_DATA_HOME/aiwg-memory``, else ``~/.local/share/aiwg-memory``. Raises UsageError without a home."""
    base = environ.get("XDG_DATA_HOME") or ""
    if not os.path.isabs(base):
        home = environ.get("HOME") or ""
        if not os.path.isabs(home):
            raise UsageError("there is no home directory for your own facts", hint="set HOME or XDG_DATA_HOME")
        base = os.path.join(home, ".local", "share")
    return os.path.join(os.path.realpath(base), "aiwg-memory")


def make_own_root(environ: Mapping[str, str]) -> None:
    """Create the root directory, readable by its owner alone; one that is there stays as it is."""
    root = own_root(environ)
    try:
        os.makedirs(os.path.dirname(root), mode=0o700, exist_ok=True)
        if not os.path.lexists(root):
            os.mkdir(root, 0o700)
    except OSError as error:
        raise failure(error, root, "be created") from error


def own_workspace(now: str, environ: Mapping[str, str], clock: Callable[[], float]) -> Workspace:
    """The store as a workspace; it belongs to no repository. Raises NotFound before its ``init``, UnsafePath."""
    from aiwg_memory.workspace import Workspace
    from aiwg_memory.worktree.root import find_workspace

    root = own_root(environ)
    try:
        status = os.lstat(root)
    except FileNotFoundError as error:
        raise NotFound(
            f"there is no store of your own yet: {display(root)} is not there", hint="aiwg-memory --user-store init"
        ) from error
    except OSError as error:
        raise failure(error, root, "be used") from error
    if not stat.S_ISDIR(status.st_mode):
        raise UnsafePath(f"{display(root)} is a link or a file", hint="put a directory of its own in its place")
    return Workspace(root, find_workspace(root) == (root, True), now, environ, clock, own=True)


def own_of(workspace: Workspace) -> Workspace:
    """The store that ``context --user`` adds to a repository's. Raises NotFound before its ``init``."""
    found = own_workspace(workspace.now, workspace.environ, workspace.clock)
    found.require_init()
    return found


def own_facts(workspace: Workspace, own: Workspace) -> MemoryTree:
    """The files of those of a person's own facts that the repository at hand does not know by itself.

    A fact both know is the repository's: what was decided about it there is not joined with a private record.
    """
    from aiwg_memory.addons.line_memory.store import LIVE, read
    from aiwg_memory.addons.line_memory.text import RECORDS, fact_path
    from aiwg_memory.core.records import render_segment

    known = read(workspace.tree)
    store = read(own.tree)
    taken = {
        handle
        for handle, head in store.heads.items()
        if head.current.status in LIVE
        and handle in store.units
        and handle not in known.units.keys() | known.heads.keys()
    }
    content: dict[str, bytes | None] = {
        fact_path(handle): store.units[handle][0].text.encode() + b"\n" for handle in taken
    }
    versions = [version for version in store.versions if version.handle in taken]
    if versions:
        content[f"{RECORDS}/{versions[0].seg}.jsonl"] = render_segment(versions)
    return MemoryTree(content)
