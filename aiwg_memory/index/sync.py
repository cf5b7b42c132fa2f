"""Bring the rows in step with a tree: one pass over what changed, committed batch by batch."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from hashlib import sha1, sha256

from aiwg_memory.addons import Addon, resolve
from aiwg_memory.core.items import Fragment
from aiwg_memory.core.tree import Tree
from aiwg_memory.errors import AiwgError
from aiwg_memory.index.join import Joiner
from aiwg_memory.index.layout import meta, put_meta
from aiwg_memory.index.listing import Listed, Progress
from aiwg_memory.index.rows import dump_unit

LARGEST = 64 << 20
"""Bytes of one file that are read here; a larger one holds nothing and is counted as skipped."""

BATCH = 4096
"""Units or files after which the work so far is committed, to go on from there when it is interrupted."""


class Sync:
    """One run, in a write transaction that is open before and after it and committed between batches."""

    def __init__(self, connection: sqlite3.Connection, tree: Tree, addons: Sequence[Addon]) -> None:
        self._connection = connection
        self._tree = tree
        self._joiner = Joiner(connection, addons)
        self._fresh = 0
        self.read = 0
        self.changed = 0
        self.skipped: list[str] = []

    def run(self, found: Sequence[Listed], stamps: str, progress: Progress | None) -> int:
        """Index what differs from ``found``, drop what is not in it; the count of files dropped.

        ``stamps`` says, when a later look gives it again, that nothing changed since.
        """
        known = {row[0]: row[1:] for row in self._connection.execute("select path, stamp, blob, id, addon from files")}
        gone = known.keys() - {one.path for one in found}
        for path in sorted(gone):
            self._drop(known[path][2])
            self._between()
        todo = [
            one
            for one in found
            if not one.stamp or (old := known.get(one.path)) is None or old[0] != one.stamp or old[3] != one.addon.name
        ]
        for count, one in enumerate(todo, 1):
            self._look(one, known.get(one.path))
            if progress is not None:
                progress(count, len(todo))
            self._between()
        self._joiner.finish()
        # What could not be read is tried again, and said again, every time.
        done: dict[str, str | int] = {
            "listing": "" if self.skipped else stamps,
            "tree": self._identity(),
            "files": len(found),
        }
        if done.items() - meta(self._connection).items():
            put_meta(self._connection, **done)
        return len(gone)

    def _between(self) -> None:
        self._fresh += 1
        if self._fresh >= BATCH or self._joiner.pending >= BATCH:
            self._joiner.finish()
            # A batch is not the whole tree: nobody may take it for one.
            put_meta(self._connection, listing="", tree="")
            self._connection.execute("commit")
            self._connection.execute("begin immediate")
            self._fresh = 0

    def _identity(self) -> str:
        rows = self._connection.execute("select path, blob from files order by path")
        return sha256("\n".join(f"{path}\0{blob}" for path, blob in rows).encode()).hexdigest()

    def _look(self, one: Listed, old: tuple[str, str, int, str] | None) -> None:
        try:
            data = self._tree.read(one.path, limit=LARGEST)
        except AiwgError:
            self.skipped.append(one.path)
            if old is not None:
                self._drop(old[2])
            return
        self.read += 1
        blob = sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()
        if old is not None and old[1] == blob and old[3] == one.addon.name:
            if old[0] != one.stamp:
                self._connection.execute("update files set stamp = ? where id = ?", (one.stamp, old[2]))
            return
        self.changed += 1
        fragment: Fragment = resolve(one.addon.parse)(one.path, data) if one.addon.parse else Fragment()
        self._store(one, blob, fragment, old[2] if old else None)

    def _store(self, one: Listed, blob: str, fragment: Fragment, old: int | None) -> None:
        count = len(fragment.units)
        first = self._vacate(old, count) if old is not None else None
        if first is None:
            first = int(meta(self._connection)["next"])
            put_meta(self._connection, next=first + count)
        layer = fragment.units[0].layer if count else ""
        cursor = self._connection.execute(
            "insert into files(path, stamp, blob, addon, layer, first, count) values(?, ?, ?, ?, ?, ?, ?)",
            (one.path, one.stamp, blob, one.addon.name, layer, first, count),
        )
        self._connection.executemany(
            "insert into units(id, file, handle, text, unit) values(?, ?, ?, ?, ?)",
            (
                (first + at, cursor.lastrowid, unit.handle, unit.text, dump_unit(unit))
                for at, unit in enumerate(fragment.units)
            ),
        )
        self._connection.executemany(
            "insert into versions(file, handle, value) values(?, ?, ?)",
            ((cursor.lastrowid, version.handle, version.canonical.decode()) for version in fragment.versions),
        )
        self._joiner.affected(unit.handle for unit in fragment.units)
        self._joiner.affected(version.handle for version in fragment.versions)

    def _vacate(self, file: int, count: int) -> int | None:
        """Take a file's old rows away; the id its first unit had, where as many units may move in."""
        first, had = self._connection.execute("select first, count from files where id = ?", (file,)).fetchone()
        self._drop(file)
        return int(first) if had == count else None

    def _drop(self, file: int) -> None:
        self._joiner.remove(file)
        self._connection.execute("delete from versions where file = ?", (file,))
        self._connection.execute("delete from files where id = ?", (file,))
