"""WorkTree: what lies on the disk below a root, read so that it is whole, regular and inside, or refused."""

from __future__ import annotations

import errno
import marshal
import os
import stat
import time
from collections.abc import Callable, Iterator, Sequence
from hashlib import blake2b
from typing import NamedTuple, Self

from aiwg_memory.core.paths import RepoPath, display, join
from aiwg_memory.core.tree import Entry, Kind
from aiwg_memory.errors import AiwgError, Locked, NotFound, TooLarge, UnsafePath
from aiwg_memory.worktree.descend import DESCRIPTORS, ByCheckedWalk, ByDescriptor, Descent, is_link
from aiwg_memory.worktree.failures import LINK_HINT, failure

_CHUNK = 1 << 20
_SIZE = 5
"""Where a row of a look has the bytes of a file; rows of folders, and of what is not there, are shorter."""
_NOT_A_FILE = {"dir": "a directory", "link": "a link", "special": "a special file"}


class Look(NamedTuple):
    """``digest`` is over all times, sizes and inodes: equal on two looks, nothing changed in between. It is empty where
    a file was changed just now, since its times prove nothing yet. ``size`` is the bytes of everything."""

    digest: str
    size: int


class WorkTree:
    """The working tree below ``root``, a real directory. It keeps directories open until ``close``.

    ``clock`` gives seconds since the epoch; without one ``read_settled`` takes every file as changed just now.
    ``identity`` is what the workspace says it is read from. Not to be shared between threads.
    """

    def __init__(
        self,
        root: str,
        clock: Callable[[], float] | None = None,
        *,
        identity: str = "worktree",
        descriptors: bool = DESCRIPTORS,
    ) -> None:
        self.root = root
        self.identity = identity
        self._clock = clock
        try:
            self._below: Descent = ByDescriptor(root) if descriptors else ByCheckedWalk(root)
        except NotADirectoryError as error:
            raise UnsafePath(f"{display(root)} is a link or a file, not a directory", hint=LINK_HINT) from error
        except OSError as error:
            raise failure(error, root) from error

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._below.close()

    def read(self, path: RepoPath, *, limit: int) -> bytes:
        """The whole file, at most ``limit`` bytes, unchanged from first byte to last; tried twice.

        Raises NotFound, UnsafePath, TooLarge, Locked (it kept changing), DiskFailed.
        """
        return self._stable(path, limit)[0]

    def read_settled(self, path: RepoPath, limit: int, settle: float = 0.1) -> bytes:
        """As ``read``, for bytes that will be trusted: read twice, of a file untouched for ``settle`` seconds.

        A file younger than that is waited for once. A time in the future counts as settled. Two equal reads alone
        would let a third of torn writes through. Raises Locked as well when it is still being written.
        """
        first = self._stat(path)
        _readable(path, first, limit)
        if self._young(first, settle):
            time.sleep(settle)
            again = self._stat(path)
            if stamp(again) != stamp(first):
                raise Locked(f"{path} is still being written", hint="try again when it is finished")
        data, seen = self._stable(path, limit)
        twice, later = self._stable(path, limit)
        if data != twice or not stamp(first) == stamp(seen) == stamp(later):
            raise Locked(f"{path} changed while it was read", hint="try again when nothing writes to it")
        return data

    def stat(self, path: RepoPath) -> Entry | None:
        """None when nothing is there, or a regular file stands where a directory would have to."""
        # Most names that are asked for are not there: no sentence is made up for that.
        try:
            return _entry(path.name, self._below.lstat(path))
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            told = failure(error, path)
            if isinstance(told, NotFound):
                return None
            raise told from error

    def list(self, path: RepoPath | None = None) -> Iterator[Entry]:
        """One level, sorted by the bytes of the names, with whatever lies there; nothing if it is not there."""
        for _, entry in self._level(path):
            yield entry

    def link_target(self, path: RepoPath) -> str | None:
        """What the link at ``path`` says, which is not followed; None when there is no link."""
        try:
            return os.fsdecode(self._below.readlink(path))
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            if error.errno == errno.EINVAL:
                return None
            raise failure(error, path) from error

    def walk_files(self, folder: RepoPath | None = None) -> Iterator[tuple[RepoPath | None, Entry]]:
        """Every entry below ``folder`` that is no directory, depth first, as ``(path, entry)``; one look at each.

        Links, special files and illegal names are yielded, not judged; an illegal name has no path: None.
        """
        levels = [iter(self._level(folder))]
        while levels:
            for path, entry in levels[-1]:
                if path is not None and entry.kind == "dir":
                    levels.append(iter(self._level(path)))
                    break
                yield path, entry
            else:
                levels.pop()

    def glance(self, places: Sequence[RepoPath], young: int) -> str | None:
        """The digest of a ``look``; None where there is no such look."""
        found = self.look(places, young)
        return None if found is None else found.digest

    def look(self, places: Sequence[RepoPath], young: int) -> Look | None:
        """What lies below ``places``, and whether anything of it changed since another look.

        ``young`` is in ns since the epoch. None where this cannot be told quickly or at all: then list.
        """
        if not isinstance(self._below, ByDescriptor):
            return None
        rows: list[tuple[object, ...]] = []
        try:
            latest = max((self._below.glance(place, rows) for place in places), default=0)
        except (OSError, UnsafePath):
            return None
        told = blake2b(marshal.dumps(rows), digest_size=16).hexdigest() if latest < young else ""
        return Look(told, sum(row[_SIZE] for row in rows if len(row) == _SIZE + 1))  # type: ignore[misc]

    def _level(self, folder: RepoPath | None) -> Sequence[tuple[RepoPath | None, Entry]]:
        try:
            found = list(self._below.scan(folder))
        except FileNotFoundError:
            if folder is None:
                raise NotFound(f"{display(self.root)} is not there any more") from None
            return []
        except NotADirectoryError as error:
            raise UnsafePath(f"{folder} is not a directory, or lies below a file") from error
        except OSError as error:
            raise failure(error, folder or self.root) from error
        found.sort(key=_by_bytes)
        return [_named(folder, name, status) for name, status in found]

    def _stat(self, path: RepoPath) -> os.stat_result:
        try:
            return self._below.lstat(path)
        except NotADirectoryError as error:
            raise NotFound(f"{path} is not there: it lies below a file") from error
        except OSError as error:
            raise failure(error, path) from error

    def _young(self, status: os.stat_result, settle: float) -> bool:
        return self._clock is None or 0 <= self._clock() - status.st_mtime < settle

    def _stable(self, path: RepoPath, limit: int) -> tuple[bytes, os.stat_result]:
        found = self._attempt(path, limit) or self._attempt(path, limit)
        if found is not None:
            return found
        raise Locked(f"{path} changed while it was read", hint="try again when nothing writes to it")

    def _attempt(self, path: RepoPath, limit: int) -> tuple[bytes, os.stat_result] | None:
        try:
            opened = self._below.open(path)
        except NotADirectoryError as error:
            raise NotFound(f"{path} is not there: it lies below a file") from error
        except OSError as error:
            raise self._unopened(error, path) from error
        try:
            before = os.fstat(opened)
            size = before.st_size
            if size > limit or not stat.S_ISREG(before.st_mode):
                _readable(path, before, limit)
            data = os.read(opened, size + 1 if size < _CHUNK else _CHUNK)
            if len(data) != size or size >= _CHUNK:
                data = _rest(opened, data, size)
            after = os.fstat(opened)
        except OSError as error:
            raise failure(error, path) from error
        finally:
            os.close(opened)
        same = len(data) == after.st_size == size and after.st_mtime_ns == before.st_mtime_ns
        return (data, after) if same else None

    def _unopened(self, error: OSError, path: RepoPath) -> AiwgError:
        """A socket refuses to be opened in ways that differ by platform: ask what it is."""
        entry = None if isinstance(error, FileNotFoundError) else self.stat(path)
        if entry is not None and entry.kind != "file":
            return _refusal(path, entry.kind)
        return failure(error, path)


def stamp(status: os.stat_result) -> str:
    """Equal on two looks means the file was not written, replaced or touched in between."""
    return f"{status.st_mtime_ns}:{status.st_ctime_ns}:{status.st_ino}:{status.st_size}"


def guarantees() -> list[str]:
    """What this platform lets the reader promise, one sentence each, for ``doctor``."""
    if DESCRIPTORS:
        return [
            "every part of a path is opened from its parent's descriptor; no link is followed, whatever is swapped",
            "pipes, sockets and devices are opened without blocking and refused by their type",
        ]
    return [
        "every part of a path is checked before it is opened, and the opened file is compared with the one checked",
        "a directory replaced by a link between check and use is not excluded: this platform opens by whole paths only",
    ]


def _readable(path: RepoPath, status: os.stat_result, limit: int) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise _refusal(path, _kind(status))
    if status.st_size > limit:
        raise TooLarge(f"{path} has {status.st_size} bytes; at most {limit} are read here")


def _refusal(path: RepoPath, kind: str) -> UnsafePath:
    return UnsafePath(f"{path} is {_NOT_A_FILE[kind]}, not a regular file", hint=LINK_HINT)


def _rest(opened: int, begun: bytes, size: int) -> bytes:
    """At most one byte more than ``size``, what was read already at its head: enough to see that it grew."""
    parts, left = [begun], size + 1 - len(begun)
    while left > 0 and parts[-1]:
        parts.append(os.read(opened, min(left, _CHUNK)))
        left -= len(parts[-1])
    return b"".join(parts)


def _kind(status: os.stat_result) -> Kind:
    if is_link(status):
        return "link"
    if stat.S_ISREG(status.st_mode):
        return "file"
    return "dir" if stat.S_ISDIR(status.st_mode) else "special"


def _entry(name: str, status: os.stat_result) -> Entry:
    kind = _kind(status)
    return Entry(name, kind, status.st_size, stamp(status), status.st_nlink) if kind == "file" else Entry(name, kind, 0)


def _named(folder: RepoPath | None, name: str, status: os.stat_result) -> tuple[RepoPath | None, Entry]:
    try:
        return join(folder, name), _entry(name, status)
    except UnsafePath:
        return None, Entry(display(name), "illegal", 0)


def _by_bytes(found: tuple[str, os.stat_result]) -> bytes:
    return found[0].encode("utf-8", "surrogateescape")
