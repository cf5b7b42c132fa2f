"""Disk: the only code that changes the disk. Small calls below a root descriptor, and what they need to look at.

Every component of a path is opened from its parent's descriptor without following a link; files are regular files.
A call either happens or raises: UnsafePath for a link or a special file, DiskFailed for what the disk refuses. Nothing
is synced unless ``sync_file`` or ``sync_dir`` says so.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from aiwg_memory.core.paths import RepoPath
from aiwg_memory.errors import AiwgError, DiskFailed, NotFound, TooLarge, UnsafePath
from aiwg_memory.worktree.failures import way_out

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_LOOK = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_APPEND = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC

_UNSAFE = {
    errno.ELOOP: "a link",
    errno.ENOTDIR: "a link or a file where a directory must be",
    errno.EISDIR: "a directory",
    errno.ENXIO: "a special file",
}


def disk_failed(path: str, error: OSError) -> UnsafePath | DiskFailed:
    """What an error of the system means for ``path``, with a way out."""
    if error.errno in _UNSAFE:
        return UnsafePath(
            f"{path}: there is {_UNSAFE[error.errno]} on the way; nothing is written through it",
            hint="move it away, or replace it by a regular file or directory",
        )
    return DiskFailed(f"{path}: {error.strerror or error}", hint=way_out(error))


class Disk:
    """Paths are relative to ``root``, a real directory; None is the root itself."""

    def __init__(self, root: str) -> None:
        self.root = root
        try:
            self._root = os.open(root, _FOLDER)
        except OSError as error:
            raise disk_failed(root, error) from error

    def close(self) -> None:
        if self._root >= 0:
            os.close(self._root)
        self._root = -1

    def __del__(self) -> None:
        if getattr(self, "_root", -1) >= 0:
            self.close()

    # ---- looking

    def stat(self, path: RepoPath) -> os.stat_result | None:
        """What lies at ``path``, a link as a link; None when it or a directory above it is not there."""
        try:
            with self._parent(path) as (folder, name):
                return os.stat(name, dir_fd=folder, follow_symlinks=False)
        except FileNotFoundError:
            return None

    def read(self, path: RepoPath, *, limit: int) -> bytes:
        """The whole regular file. Raises NotFound, UnsafePath, TooLarge (more than ``limit`` bytes)."""
        try:
            with self._file(path) as found:
                return _read(found, path, limit)
        except FileNotFoundError:
            raise NotFound(f"{path} is not there") from None

    def names(self, path: RepoPath) -> list[str]:
        """The names in a directory, sorted; none when it is not there."""
        try:
            with self._folder(path) as folder:
                return sorted(os.listdir(folder))
        except FileNotFoundError:
            return []

    def nearest(self, path: RepoPath) -> tuple[int, bool]:
        """The device of the nearest directory above ``path`` that exists, and whether this process may write in it."""
        above = path.parent
        while True:
            try:
                with self._folder(above) as folder:
                    allowed = os.access(".", os.W_OK | os.X_OK, dir_fd=folder, effective_ids=True)
                    return os.fstat(folder).st_dev, allowed
            except FileNotFoundError:
                assert above is not None
                above = above.parent

    # ---- changing

    def make_dir(self, path: RepoPath) -> bool:
        """False when a directory is there already."""
        try:
            with self._parent(path) as (folder, name):
                os.mkdir(name, 0o755, dir_fd=folder)
                return True
        except FileExistsError:
            with self._folder(path):
                return False

    def write_new(self, path: RepoPath, data: bytes, mode: int = 0o644) -> None:
        """A file that was not there. Raises FileExistsError when something is; leaves no part of a file that failed."""
        with self._parent(path) as (folder, name):
            opened = os.open(name, _NEW, mode, dir_fd=folder)
            try:
                _write(opened, data)
            except OSError:
                os.unlink(name, dir_fd=folder)
                raise
            finally:
                os.close(opened)

    def append(self, path: RepoPath, data: bytes) -> None:
        """To a log of this machine, made when missing; not synced. One write, so lines of two processes stay whole."""
        with self._parent(path) as (folder, name):
            opened = os.open(name, _APPEND, 0o644, dir_fd=folder)
            try:
                os.write(opened, data)
            finally:
                os.close(opened)

    def set_time(self, path: RepoPath, moment: int) -> None:
        """Its time of change, in nanoseconds since the epoch."""
        with self._parent(path) as (folder, name):
            os.utime(name, ns=(moment, moment), dir_fd=folder, follow_symlinks=False)

    def sync_file(self, path: RepoPath) -> None:
        with self._file(path) as found:
            os.fsync(found)

    def sync_dir(self, path: RepoPath | None) -> None:
        with self._folder(path) as folder:
            os.fsync(folder)

    def link_new(self, source: RepoPath, target: RepoPath) -> bool:
        """A second name for a file; False when something has that name already, which is never replaced."""
        with self._parent(source) as (out, name), self._parent(target) as (into, new):
            try:
                os.link(name, new, src_dir_fd=out, dst_dir_fd=into, follow_symlinks=False)
            except FileExistsError:
                return False
            return True

    def rename(self, source: RepoPath, target: RepoPath) -> None:
        """Moves a file, replacing a file that has the target's name."""
        with self._parent(source) as (out, name), self._parent(target) as (into, new):
            os.rename(name, new, src_dir_fd=out, dst_dir_fd=into)

    def unlink(self, path: RepoPath) -> None:
        with self._parent(path) as (folder, name):
            os.unlink(name, dir_fd=folder)

    def remove_dir(self, path: RepoPath) -> bool:
        """False when it is not empty or not there."""
        try:
            with self._parent(path) as (folder, name):
                os.rmdir(name, dir_fd=folder)
                return True
        except FileNotFoundError:
            return False
        except DiskFailed as failed:
            if isinstance(failed.__cause__, OSError) and failed.__cause__.errno in (errno.ENOTEMPTY, errno.EEXIST):
                return False
            raise

    # ---- made of the above

    def replace(self, path: RepoPath, data: bytes) -> None:
        """By rename, so nobody reads half of it; not synced, for what may be lost."""
        with self.draft(path) as draft:
            self.write_new(draft, data)
            self.rename(draft, path)

    @contextmanager
    def draft(self, path: RepoPath) -> Iterator[RepoPath]:
        """The name for a file of this process that becomes ``path``; nothing has it when that failed."""
        draft = RepoPath(f"{path}.{os.getpid()}.tmp")
        if self.stat(draft) is not None:
            self.unlink(draft)
        try:
            yield draft
        except AiwgError:
            # The first error is the one to tell.
            with suppress(AiwgError, FileNotFoundError):
                self.unlink(draft)
            raise

    def make_dirs(self, path: RepoPath | None) -> list[RepoPath | None]:
        """Makes a directory and what is missing above it; returns the directories that got a new name, to be synced."""
        found = None if path is None else self.stat(path)
        if path is None or (found is not None and stat.S_ISDIR(found.st_mode)):
            return []
        changed = self.make_dirs(path.parent)
        if self.make_dir(path):
            changed.append(path.parent)
        return changed

    def remove_tree(self, path: RepoPath) -> None:
        """Removes a directory and everything below it; a link below it goes, what it points to stays."""
        for name in self.names(path):
            inner = RepoPath(f"{path}/{name}")
            found = self.stat(inner)
            if found is not None and stat.S_ISDIR(found.st_mode):
                self.remove_tree(inner)
            else:
                self.unlink(inner)
        self.remove_dir(path)

    # ---- descriptors

    def folder(self, path: RepoPath | None) -> int:
        """A descriptor of a directory, which the caller closes. Raises FileNotFoundError, UnsafePath, DiskFailed."""
        try:
            opened = os.dup(self._root)
        except OSError as error:
            raise disk_failed(self.root, error) from error
        for part in path.parts if path else ():
            try:
                inner = os.open(part, _FOLDER, dir_fd=opened)
            except FileNotFoundError:
                raise
            except OSError as error:
                raise disk_failed(path or self.root, error) from error
            finally:
                os.close(opened)
            opened = inner
        return opened

    @contextmanager
    def _folder(self, path: RepoPath | None) -> Iterator[int]:
        opened = self.folder(path)
        try:
            yield opened
        except (FileNotFoundError, FileExistsError):
            raise
        except OSError as error:
            raise disk_failed(path or self.root, error) from error
        finally:
            os.close(opened)

    @contextmanager
    def _parent(self, path: RepoPath) -> Iterator[tuple[int, str]]:
        with self._folder(path.parent) as folder:
            try:
                yield folder, path.name
            except (FileNotFoundError, FileExistsError):
                raise
            except OSError as error:
                raise disk_failed(path, error) from error

    @contextmanager
    def _file(self, path: RepoPath) -> Iterator[int]:
        with self._parent(path) as (folder, name):
            opened = os.open(name, _LOOK, dir_fd=folder)
            try:
                if not stat.S_ISREG(os.fstat(opened).st_mode):
                    raise UnsafePath(f"{path} is not a regular file", hint="move it away; nobody reads through it")
                yield opened
            finally:
                os.close(opened)


def _read(opened: int, path: RepoPath, limit: int) -> bytes:
    chunks, left = [], limit + 1
    while left > 0 and (chunk := os.read(opened, min(left, 1 << 20))):
        chunks.append(chunk)
        left -= len(chunk)
    if left <= 0:
        raise TooLarge(f"{path} has more than {limit} bytes")
    return b"".join(chunks)


def _write(opened: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(opened, rest) :]
