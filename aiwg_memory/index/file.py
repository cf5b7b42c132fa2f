"""The file of the index: opened, made, thrown away and replaced by one in memory, as little as the place allows."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import stat

from aiwg_memory.core.paths import RepoPath
from aiwg_memory.errors import AiwgError
from aiwg_memory.index.layout import Wanted, create, meta
from aiwg_memory.worktree.disk import Disk
from aiwg_memory.worktree.local import HOME, LOCAL, prepare
from aiwg_memory.worktree.origin import origin

PREFIX = "index-"
"""What its name begins with, before the name of ``.aiwg/.local``: no repository can bring the file that is opened."""

BUSY_SECONDS = 2.0
"""How long another process's commit is waited for; its batches are far shorter."""

FAILURES = (sqlite3.Error, UnicodeDecodeError)
"""What reading it may raise: the second where the words of SQLite's own error hold bytes of a broken file."""


def connect(root: str, wanted: Wanted) -> tuple[sqlite3.Connection, bool, str]:
    """A connection in no transaction, whether its rows are new, and why it is in memory ("" when it is not).

    The file is made where ``.aiwg`` exists and may be written; a broken one is thrown away. Rows of a file that can be
    read but not written are copied.
    """
    try:
        path = _prepare(root)
        return (*_opened(path, wanted), "")
    except FAILURES as error:
        if not broken(error):
            return (*copied(root, wanted), str(error))
    except OSError as error:
        return (*copied(root, wanted), error.strerror or str(error))
    except AiwgError as error:
        return (*copied(root, wanted), error.message)
    try:
        discard(root)
        return (*_opened(_prepare(root), wanted), "")
    except (*FAILURES, OSError, AiwgError) as error:
        return (*memory(wanted), str(error))


def discard(root: str, but: str = "\0") -> None:
    """Throw the file away, with what a crash may have left beside it; not what is named as ``but``."""
    disk = Disk(root)
    for name in disk.names(LOCAL):
        if name.startswith("index") and not name.startswith(but):
            try:
                disk.unlink(RepoPath(f"{LOCAL}/{name}"))
            except FileNotFoundError:
                continue


def place(disk: Disk) -> RepoPath | None:
    """Where the index of this machine lies; None before ``.aiwg/.local`` is this machine's."""
    name = origin(disk)
    return RepoPath(f"{LOCAL}/{PREFIX}{name}.sqlite") if name else None


def memory(wanted: Wanted) -> tuple[sqlite3.Connection, bool]:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    create(connection, wanted.whole())
    return connection, True


def _prepare(root: str) -> str:
    """The file's path, made when missing. Raises OSError or AiwgError where it may not lie: a link on the way, a
    directory that cannot be written."""
    disk = Disk(root)
    if not stat.S_ISDIR(os.lstat(f"{root}/{HOME}").st_mode):
        raise NotADirectoryError(20, f"{HOME} is not a directory")
    prepare(disk)
    path = place(disk)
    if path is None:
        raise PermissionError(13, f"{LOCAL} has no name")
    found = disk.stat(path)
    if found is None:
        # One that an older name, or a repository, left here.
        discard(root, path.name)
        with contextlib.suppress(FileExistsError):
            disk.write_new(path, b"", 0o600)
    elif not stat.S_ISREG(found.st_mode):
        raise FileExistsError(17, f"{path} is not a regular file")
    if not os.access(f"{root}/{path}", os.W_OK) or not os.access(f"{root}/{LOCAL}", os.W_OK):
        raise PermissionError(13, f"{path} cannot be written")
    return f"{root}/{path}"


def _opened(path: str, wanted: Wanted) -> tuple[sqlite3.Connection, bool]:
    # The file is there already, made through the door: SQLite, which goes by path, must not make one elsewhere.
    named = f"file:{_quoted(path)}?mode=rw"
    connection = sqlite3.connect(named, uri=True, timeout=BUSY_SECONDS, isolation_level=None)
    try:
        connection.execute("pragma synchronous = normal")
        return connection, _made(connection, wanted)
    except BaseException:
        connection.close()
        raise


def _made(connection: sqlite3.Connection, wanted: Wanted) -> bool:
    """Whether the tables had to be made, none or others being there."""
    if _fits(connection, wanted):
        return False
    connection.execute("begin immediate")
    if _fits(connection, wanted):
        connection.execute("rollback")
        return False
    create(connection, wanted.whole())
    connection.execute("commit")
    return True


def _fits(connection: sqlite3.Connection, wanted: Wanted) -> bool:
    try:
        return str(meta(connection).get("fingerprint")).startswith(wanted.begins)
    except sqlite3.OperationalError as error:
        if "no such table" in str(error) or "no such column" in str(error):
            return False
        raise


def broken(error: Exception) -> bool:
    """Whether the file itself is at fault: only then is it thrown away."""
    if isinstance(error, UnicodeDecodeError):
        return True
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_OK)
    return code & 0xFF in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR)


def copied(root: str, wanted: Wanted) -> tuple[sqlite3.Connection, bool]:
    """An index in memory, filled from the file where that can be read."""
    try:
        named = place(Disk(root))
    except AiwgError:
        named = None
    if named is None:
        return memory(wanted)
    path = f"{root}/{named}"
    # A directory that cannot be written cannot hold a lock or journal either; only then does the file stand still.
    still = "" if os.access(os.path.dirname(path), os.W_OK) else "&immutable=1"
    try:
        if not stat.S_ISREG(os.lstat(path).st_mode):
            return memory(wanted)
        source = sqlite3.connect(f"file:{_quoted(path)}?mode=ro{still}", uri=True)
    except (*FAILURES, OSError):
        return memory(wanted)
    connection = sqlite3.connect(":memory:", isolation_level=None)
    try:
        if _fits(source, wanted):
            source.backup(connection)
            return connection, False
    except FAILURES:
        pass
    finally:
        source.close()
    connection.close()
    return memory(wanted)


def _quoted(path: str) -> str:
    return path.replace("%", "%25").replace("?", "%3f").replace("#", "%23")
