"""Where a workspace begins."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable

from aiwg_memory.core.paths import display
from aiwg_memory.errors import UnsafePath
from aiwg_memory.worktree.descend import is_link
from aiwg_memory.worktree.failures import failure


def real_root(start: str | None = None) -> str:
    """The absolute path to start from: the process's own directory, resolved, or the directory ``start`` names.

    Raises UnsafePath when ``start`` itself is a link (naming where it leads) or no directory; NotFound; DiskFailed.
    """
    try:
        if start is None:
            return os.path.realpath(os.getcwd())
        named = os.path.abspath(start)
        real = os.path.realpath(named)
        status = os.lstat(named)
    except OSError as error:
        raise failure(error, start or "the current directory", "be used") from error
    if is_link(status):
        raise UnsafePath(f"{display(named)} is a link", hint=f"name the real directory: -C {display(real)}")
    if not stat.S_ISDIR(status.st_mode):
        raise UnsafePath(f"{display(named)} is not a directory", hint="name a directory with -C")
    return real


def find_workspace(start: str) -> tuple[str, bool]:
    """The workspace root for the real directory ``start``, and whether it has a config.

    The nearest ancestor with ``.aiwg/config.yaml``; else the nearest with a ``.git`` that git would take for a
    repository; else ``start`` itself. Raises
    UnsafePath when an ``.aiwg`` or its config met on the way is a link or no regular thing of its kind.
    """
    git_top = ""
    folder = start
    while True:
        if _has_config(folder):
            return folder, True
        if not git_top and _is_checkout(os.path.join(folder, ".git")):
            git_top = folder
        above = os.path.dirname(folder)
        if above == folder:
            return git_top or start, False
        folder = above


def _is_checkout(dot_git: str) -> bool:
    """A file is that of a worktree or submodule. A directory without HEAD is no repository: git goes on above it."""
    return os.path.isfile(dot_git) or os.path.lexists(os.path.join(dot_git, "HEAD"))


def _has_config(folder: str) -> bool:
    store = os.path.join(folder, ".aiwg")
    if not _there(store, stat.S_ISDIR, "a directory"):
        return False
    return _there(os.path.join(store, "config.yaml"), stat.S_ISREG, "a regular file")


def _there(path: str, wanted: Callable[[int], bool], what: str) -> bool:
    try:
        status = os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError as error:
        raise failure(error, path) from error
    if is_link(status) or not wanted(status.st_mode):
        raise UnsafePath(
            f"{display(path)} is {'a link' if is_link(status) else 'not ' + what}",
            hint=f"put {what} of its own in its place; nobody reads through a link",
        )
    return True
