"""Two ways below a root that follow no link: from descriptor to descriptor, and, where there are none, checked.

Both raise UnsafePath for a link or special file on the way, and leave FileNotFoundError, NotADirectoryError (a regular
file stands where a directory must) and every other OSError to the caller.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from aiwg_memory.core.paths import RepoPath
from aiwg_memory.errors import UnsafePath
from aiwg_memory.worktree.failures import LINK_HINT

KEPT = 128

_CLOEXEC = getattr(os, "O_CLOEXEC", 0)
_NOFOLLOW = getattr(os, "O_NOFOLLOW", 0)
_NONBLOCK = getattr(os, "O_NONBLOCK", 0)
_BINARY = getattr(os, "O_BINARY", 0)
_FOLDER = os.O_RDONLY | _CLOEXEC | _NOFOLLOW | getattr(os, "O_DIRECTORY", 0)
# To go through and not to list, which most directories are: a fifth less work where the system knows it.
_WAY = _FOLDER | getattr(os, "O_PATH", 0)
_FILE = os.O_RDONLY | _CLOEXEC | _NOFOLLOW | _NONBLOCK | _BINARY
_REPARSE = getattr(stat, "FILE_ATTRIBUTE_REPARSE_POINT", 0)

DESCRIPTORS = (
    bool(_NOFOLLOW) and {os.open, os.stat} <= os.supports_dir_fd and os.scandir in os.supports_fd and os.name == "posix"
)


class Descent(Protocol):
    """``open`` gives a descriptor the caller closes, of whatever lies there; ``scan`` gives raw names, unsorted."""

    def open(self, path: RepoPath) -> int: ...

    def lstat(self, path: RepoPath) -> os.stat_result: ...

    def readlink(self, path: RepoPath) -> str | bytes: ...

    def scan(self, path: RepoPath | None) -> Iterator[tuple[str, os.stat_result]]: ...

    def close(self) -> None: ...


def is_link(status: os.stat_result) -> bool:
    """A symbolic link, or a junction or any other reparse point."""
    return stat.S_ISLNK(status.st_mode) or bool(getattr(status, "st_file_attributes", 0) & _REPARSE)


def checked_folder(status: os.stat_result, path: str) -> None:
    """Raise unless ``status`` is that of a real directory."""
    if is_link(status):
        raise UnsafePath(f"{path} is a link; nobody reads through it", hint=LINK_HINT)
    if stat.S_ISREG(status.st_mode):
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), path)
    if not stat.S_ISDIR(status.st_mode):
        raise UnsafePath(f"{path} is a special file, not a directory", hint=LINK_HINT)


class ByDescriptor:
    """Opens every component from its parent's descriptor. At most ``KEPT`` directories stay open.

    A kept directory is used only while its path still leads to it, so that one renamed away, or replaced by another
    or by a link, is not read in place of what stands there now. Which one it is, is asked when it is used again: most
    are used once.
    """

    def __init__(self, root: str) -> None:
        self._root = os.open(root, _FOLDER)
        self._kept: dict[str, int] = {}
        self._known: dict[str, os.stat_result] = {}

    def open(self, path: RepoPath) -> int:
        head, _, name = path.rpartition("/")
        return os.open(name.encode(), _FILE, dir_fd=self._folder(head) if head else self._root)

    def lstat(self, path: RepoPath) -> os.stat_result:
        head, _, name = path.rpartition("/")
        return os.stat(name.encode(), dir_fd=self._folder(head), follow_symlinks=False)

    def readlink(self, path: RepoPath) -> bytes:
        head, _, name = path.rpartition("/")
        return os.readlink(name.encode(), dir_fd=self._folder(head))

    def scan(self, path: RepoPath | None) -> Iterator[tuple[str, os.stat_result]]:
        folder = self._folder(path or "")
        if folder == self._root and not os.fstat(folder).st_nlink:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
        with _listing(folder) as found:
            for entry in found:
                try:
                    yield _utf8(entry.name), entry.stat(follow_symlinks=False)
                except FileNotFoundError:
                    continue

    def glance(self, path: RepoPath, rows: list[tuple[object, ...]]) -> int:
        """Add a row for everything at and below ``path``, in no stated order; the latest time among files, in ns.

        Rows are equal exactly when names, kinds, sizes, times and inodes are. Ten thousand files are looked at on every
        command, so nothing is made of them but these numbers.
        """
        try:
            status = self.lstat(path)
        except (FileNotFoundError, NotADirectoryError):
            rows.append((str(path),))
            return 0
        if not stat.S_ISDIR(status.st_mode):
            rows.append(
                (str(path), status.st_mode, status.st_mtime_ns, status.st_ctime_ns, status.st_ino, status.st_size)
            )
            return max(status.st_mtime_ns, status.st_ctime_ns)
        latest = 0
        folders = []
        with _listing(self._folder(path)) as found:
            for entry in found:
                status = entry.stat(follow_symlinks=False)
                mode, changed, moved = status.st_mode, status.st_mtime_ns, status.st_ctime_ns
                if stat.S_ISDIR(mode):
                    folders.append(entry.name)
                    continue
                rows.append((entry.name, mode, changed, moved, status.st_ino, status.st_size))
                if changed > latest or moved > latest:
                    latest = max(changed, moved)
        for name in folders:
            rows.append((name, "folder"))
            latest = max(latest, self.glance(RepoPath(f"{path}/{_utf8(name)}"), rows))
        return latest

    def _folder(self, path: str) -> int:
        if not path:
            return self._root
        if path in self._kept:
            if self._still_there(path):
                return self._kept[path]
            self._forget(path)
        head, _, name = path.rpartition("/")
        parent = self._folder(head) if head else self._root
        try:
            opened = os.open(name.encode(), _WAY, dir_fd=parent)
        except OSError as error:
            if error.errno in (errno.ENOTDIR, errno.ELOOP):
                checked_folder(os.stat(name.encode(), dir_fd=parent, follow_symlinks=False), path)
            raise
        if len(self._kept) >= KEPT:
            self._forget(next(iter(self._kept)))
        self._kept[path] = opened
        return opened

    def _still_there(self, path: str) -> bool:
        known = self._known.get(path)
        if known is None:
            known = self._known[path] = os.fstat(self._kept[path])
        try:
            return os.path.samestat(known, os.stat(path.encode(), dir_fd=self._root, follow_symlinks=False))
        except OSError:
            return False

    def _forget(self, path: str) -> None:
        os.close(self._kept.pop(path))
        self._known.pop(path, None)

    def close(self) -> None:
        while self._kept:
            os.close(self._kept.popitem()[1])
        self._known.clear()
        if self._root >= 0:
            os.close(self._root)
            self._root = -1

    def __del__(self) -> None:
        # Whoever forgets to close a tree in a long-lived process must not run out of descriptors.
        if hasattr(self, "_kept"):
            self.close()


@contextmanager
def _listing(folder: int) -> Iterator[Iterator[os.DirEntry[str]]]:
    """What lies in a directory that was opened to go through."""
    opened = os.open(b".", _FOLDER, dir_fd=folder)
    try:
        with os.scandir(opened) as found:
            yield found
    finally:
        os.close(opened)


class ByCheckedWalk:
    """Looks at every component before it uses the whole path, so that a race may still swap one in between."""

    def __init__(self, root: str) -> None:
        self._root = root
        checked_folder(os.lstat(root), root)

    def open(self, path: RepoPath) -> int:
        before = self.lstat(path)
        if is_link(before):
            raise UnsafePath(f"{path} is a link; nobody reads through it", hint=LINK_HINT)
        opened = os.open(self._whole(path), _FILE)
        after = os.fstat(opened)
        if (before.st_dev, before.st_ino) != (after.st_dev, after.st_ino):
            os.close(opened)
            raise UnsafePath(f"{path} was replaced while it was opened", hint="try again")
        return opened

    def lstat(self, path: RepoPath) -> os.stat_result:
        self._check(path.parent)
        return os.lstat(self._whole(path))

    def readlink(self, path: RepoPath) -> str:
        self._check(path.parent)
        return os.readlink(self._whole(path))

    def scan(self, path: RepoPath | None) -> Iterator[tuple[str, os.stat_result]]:
        self._check(path)
        with os.scandir(self._whole(path)) as found:
            for entry in found:
                try:
                    yield _utf8(entry.name), os.lstat(entry.path)
                except FileNotFoundError:
                    continue

    def _check(self, path: RepoPath | None) -> None:
        parts = path.parts if path else ()
        for end in range(1, len(parts) + 1):
            part = "/".join(parts[:end])
            checked_folder(os.lstat(os.path.join(self._root, part)), part)

    def _whole(self, path: RepoPath | None) -> str:
        return os.path.join(self._root, *path.parts) if path else self._root

    def close(self) -> None:
        """Nothing is kept open."""


def _utf8(name: str) -> str:
    """The name as UTF-8 whatever the locale says; bytes that are not UTF-8 become lone surrogates."""
    return name if name.isascii() else os.fsencode(name).decode("utf-8", "surrogateescape")
