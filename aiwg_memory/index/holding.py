"""Bring the rows of one part in step with its files: parse what changed, and make the rows of its handles again."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha1
from typing import Any

from aiwg_memory.core.catalogue import LARGEST, Part, errors, listed
from aiwg_memory.core.findings import Finding
from aiwg_memory.core.items import Fragment, Unit
from aiwg_memory.core.paths import RepoPath
from aiwg_memory.core.records import Version
from aiwg_memory.core.tree import Tree
from aiwg_memory.index.layout import chunked
from aiwg_memory.index.listing import settled
from aiwg_memory.index.rows import dump_unit, load_unit

_dumps = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), default=dict).encode


def hold(connection: sqlite3.Connection, tree: Tree, part: Part, young: str, fresh: bool) -> None:
    """In the write transaction that is open. ``young`` is when a file counts as changed just now, in ns; ``fresh``
    throws away what another version of the part left.

    Raises what reading the files raises; then nothing of it counts.
    """
    _Holding(connection, tree, part, young).run(fresh)


class _Holding:
    def __init__(self, connection: sqlite3.Connection, tree: Tree, part: Part, young: str) -> None:
        self._connection = connection
        self._tree = tree
        self._part = part
        self._young = young
        self._handles: set[str] = set()

    def run(self, fresh: bool) -> None:
        name = (self._part.name,)
        if fresh:
            for table in ("held", "held_units", "held_versions", "rows"):
                self._connection.execute(f"delete from {table} where part = ?", name)
        known = {
            path: (file, stamp, blob)
            for path, file, stamp, blob in self._connection.execute(
                "select path, id, stamp, blob from held where part = ?", name
            )
        }
        met = set()
        for path, found in listed(self._tree, self._part):
            met.add(path)
            old = known.get(path)
            if isinstance(found, Finding):
                self._replace(path, "", "", Fragment(findings=(found,)), old)
                continue
            stamp = settled(found.stamp, self._young)
            if old is None or not stamp or old[1] != stamp:
                self._look(RepoPath(path), stamp, old)
        for path in known.keys() - met:
            self._drop(known[path][0])
        self._remake()

    def _look(self, path: RepoPath, stamp: str, old: tuple[int, str, str] | None) -> None:
        data = self._tree.read(path, limit=LARGEST)
        blob = sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()
        if old is None or old[2] != blob:
            self._replace(path, stamp, blob, self._part.parse(path, data), old)
        elif old[1] != stamp:
            self._connection.execute("update held set stamp = ? where id = ?", (stamp, old[0]))

    def _replace(self, path: str, stamp: str, blob: str, fragment: Fragment, old: tuple[int, str, str] | None) -> None:
        if old is not None:
            self._drop(old[0])
        told = errors(fragment.findings)
        file = self._connection.execute(
            "insert into held(part, path, stamp, blob, problems) values(?, ?, ?, ?, ?)",
            (self._part.name, path, stamp, blob, _dumps(told) if told else ""),
        ).lastrowid
        self._connection.executemany(
            "insert into held_units values(?, ?, ?, ?, ?)",
            ((self._part.name, file, unit.handle, unit.text, dump_unit(unit)) for unit in fragment.units),
        )
        self._connection.executemany(
            "insert into held_versions values(?, ?, ?, ?, ?)",
            (
                (self._part.name, file, version.line, version.handle, version.canonical.decode())
                for version in fragment.versions
            ),
        )
        self._handles.update(unit.handle for unit in fragment.units)
        self._handles.update(version.handle for version in fragment.versions)

    def _drop(self, file: int) -> None:
        for table in ("held_units", "held_versions"):
            found = self._connection.execute(f"select handle from {table} where file = ?", (file,))
            self._handles.update(handle for (handle,) in found)
            self._connection.execute(f"delete from {table} where file = ?", (file,))
        self._connection.execute("delete from held where id = ?", (file,))

    def _remake(self) -> None:
        name = self._part.name
        for handles, marks in chunked(sorted(self._handles)):
            units: dict[str, list[Unit]] = {}
            for handle, text, unit in self._of(handles, marks, "units", "text, unit"):
                units.setdefault(handle, []).append(load_unit(unit, text))
            versions: dict[str, list[Version]] = {}
            for handle, value, path, line in self._of(handles, marks, "versions", "value, path, line"):
                versions.setdefault(handle, []).append(Version(json.loads(value), path, line))
            self._connection.execute(f"delete from rows where part = ? and handle in ({marks})", (name, *handles))
            self._connection.executemany("insert into rows values(?, ?, ?, ?, ?, ?, ?, ?)", self._made(units, versions))

    def _made(
        self, units: dict[str, list[Unit]], versions: dict[str, list[Version]]
    ) -> Iterator[tuple[str | int, ...]]:
        for handle in {*units, *versions}:
            made = self._part.rows(handle, units.get(handle, ()), versions.get(handle, ()))
            for nth, row in enumerate(made):
                yield (
                    self._part.name, handle, nth, row.label, row.at, row.due,
                    _dumps(row.problems) if row.problems else "", _dumps(dict(row.value)),
                )  # fmt: skip

    def _of(self, handles: Sequence[object], marks: str, kind: str, columns: str) -> Iterable[tuple[Any, ...]]:
        """In the order of the files, as they are read where nothing is kept."""
        return self._connection.execute(
            f"select handle, {columns} from held_{kind} as one join held on held.id = one.file"
            f" where one.part = ? and handle in ({marks}) order by held.path, one.rowid",
            (self._part.name, *handles),
        )
