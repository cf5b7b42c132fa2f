"""The search index: disposable rows under ``.aiwg/.local``, in step with one tree, answering as a Retriever."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Self, TypeVar

from aiwg_memory.addons import Addon
from aiwg_memory.core.items import MemoryItem
from aiwg_memory.core.naming import Named
from aiwg_memory.core.ranking.query import parse
from aiwg_memory.core.retrieval import Hit
from aiwg_memory.core.tree import Tree
from aiwg_memory.index import file
from aiwg_memory.index.layout import Wanted, fingerprint, meta
from aiwg_memory.index.listing import Listed, Progress, SyncReport, glance, listing, stamps_digest
from aiwg_memory.index.lookup import Lookup
from aiwg_memory.index.rows import load_item

if TYPE_CHECKING:
    from aiwg_memory.core.records import Version

__all__ = ["Index", "SyncReport"]

_Answer = TypeVar("_Answer")

ATTEMPTS = 3
"""Times a sync starts again because another process wrote another tree's rows in between."""


class Index:
    """``sync`` first; then it answers for that tree until the next ``sync`` or ``close``. One thread at a time.

    ``root`` is the workspace's directory; None keeps everything in memory, for trees that are not the working tree.
    """

    backends = ("lexical",)

    def __init__(self, root: str | None) -> None:
        self._root = root
        self._connection: sqlite3.Connection | None = None
        self._made_for = ""
        self._in_memory = ""
        self._new = False
        self._synced_with: tuple[Tree, Sequence[Addon], float] | None = None
        self._meta: dict[str, str | int] = {}
        self.identity = ""
        self.quality = "full"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def sync(self, tree: Tree, addons: Sequence[Addon], *, now: float, progress: Progress | None = None) -> SyncReport:
        """Bring the rows in step with ``tree`` and read from them, and no others, from here on.

        ``now`` is seconds since the epoch, taken before the call. ``progress`` gets files done and files to do. It may
        be interrupted at any moment and goes on from its last batch the next time.
        """
        self._synced_with = (tree, addons, now)
        try:
            return self._synced(tree, addons, now, progress)
        except file.FAILURES as error:
            # Broken, deleted or blocked under our hands: the rows are only a copy of what the tree says.
            self.close()
            if self._root is None:
                raise
            if file.broken(error):
                file.discard(self._root)
            else:
                self._in_memory = str(error)
        try:
            return self._synced(tree, addons, now, progress)
        except file.FAILURES as error:
            self.close()
            self._root, self._in_memory = None, str(error)
            return self._synced(tree, addons, now, progress)

    def search(self, query: str, *, limit: int, as_of: str) -> Sequence[Hit]:
        def hits(rows: sqlite3.Connection) -> list[Hit]:
            units, length = int(self._meta["units"]), int(self._meta["terms"])
            return Lookup(rows, parse(query), units=units, length=length).hits(limit, as_of)

        return self._ask(hits)

    def always(self) -> list[MemoryItem]:
        def standing(rows: sqlite3.Connection) -> list[MemoryItem]:
            found = rows.execute("select handle, item, text from units where always order by handle, item")
            first: dict[str, MemoryItem] = {}
            for handle, item, text in found:
                first.setdefault(handle, load_item(item, text))
            return list(first.values())

        return self._ask(standing)

    def item(self, handle: str) -> MemoryItem | None:
        def named(rows: sqlite3.Connection) -> MemoryItem | None:
            found = rows.execute(
                "select item, text from units where handle = ? and item is not null order by item", (handle,)
            ).fetchone()
            return load_item(*found) if found else None

        return self._ask(named)

    def named(self, part: str) -> list[Named]:
        """Every item with ``part`` in its handle or locator; a record whose text is gone has its handle alone."""

        def found(rows: sqlite3.Connection) -> list[Named]:
            units = rows.execute(
                "select handle, item, text from units where instr(handle, ?) or instr(item, ?)", (part, part)
            )
            items = [Named(handle, load_item(item, text).locator if item else handle) for handle, item, text in units]
            records = rows.execute("select distinct handle from versions where instr(handle, ?)", (part,))
            return [*items, *(Named(handle, handle) for (handle,) in records)]

        return self._ask(found)

    def record(self, handle: str) -> Version | None:
        """The current record of a handle, whether or not there is a text of it."""

        def named(rows: sqlite3.Connection) -> Version | None:
            found = rows.execute("select value from versions where handle = ?", (handle,)).fetchall()
            if not found:
                return None
            import json

            from aiwg_memory.core.records import Version, fold

            return fold(Version(json.loads(value)) for (value,) in found)[handle].current

        return self._ask(named)

    def _ask(self, question: Callable[[sqlite3.Connection], _Answer]) -> _Answer:
        """The answer of the rows; where they turn out to be damaged, of rows made again in memory."""
        if self._connection is None or self._synced_with is None:
            raise RuntimeError("sync the index before asking it")
        try:
            return question(self._connection)
        except file.FAILURES as error:
            if self._root is None:
                raise
            self.close()
            if file.broken(error):
                file.discard(self._root)
            self._root, self._in_memory = None, str(error)
            self._synced(*self._synced_with, None)
            return self._ask(question)

    def _open(self, wanted: str) -> sqlite3.Connection:
        if self._connection is not None and self._made_for == wanted:
            if self._connection.in_transaction:
                self._connection.execute("rollback")
            return self._connection
        self.close()
        self._made_for = wanted
        needed = Wanted(wanted, lambda: wanted)
        if self._root is None:
            self._connection, self._new = file.memory(needed)
        elif self._in_memory:
            self._connection, self._new = file.copied(self._root, needed)
        else:
            self._connection, self._new, self._in_memory = file.connect(self._root, needed)
        return self._connection

    def _synced(self, tree: Tree, addons: Sequence[Addon], now: float, progress: Progress | None) -> SyncReport:
        connection = self._open(fingerprint(addons))
        # The look comes before the listing: what changes in between differs from it the next time.
        stamps = glance(tree, addons, now)
        found: Sequence[Listed] | None = None
        if stamps is None:
            found = listing(tree, addons, now)
            stamps = stamps_digest(found)
        report = None
        for _ in range(ATTEMPTS):
            # A transaction held open: what another process writes from now on is not seen.
            connection.execute("begin")
            self._meta = meta(connection)
            if self._meta["tree"] == report.tree if report else stamps and self._meta["listing"] == stamps:
                break
            connection.execute("rollback")
            found = listing(tree, addons, now) if found is None else found
            report = self._write(connection, tree, addons, found, stamps, progress)
        else:
            raise sqlite3.OperationalError("other processes keep indexing another tree")
        self.identity = str(self._meta["tree"])
        self.quality = "degraded" if report and report.skipped else "full"
        if report:
            return report
        return SyncReport(self.identity, int(self._meta["files"]), int(self._meta["units"]), in_memory=self._in_memory)

    def _write(
        self,
        connection: sqlite3.Connection,
        tree: Tree,
        addons: Sequence[Addon],
        found: Sequence[Listed],
        stamps: str,
        progress: Progress | None,
    ) -> SyncReport:
        # Imported here: where nothing changed, nothing of what parses and writes is needed.
        from aiwg_memory.index.sync import Sync

        connection.execute("begin immediate")
        try:
            run = Sync(connection, tree, addons)
            removed = run.run(found, stamps, progress)
            self._meta = meta(connection)
            connection.execute("commit")
        except BaseException:
            if connection.in_transaction:
                connection.execute("rollback")
            raise
        return SyncReport(
            tree=str(self._meta["tree"]),
            files=len(found),
            units=int(self._meta["units"]),
            read=run.read,
            changed=run.changed,
            removed=removed,
            skipped=tuple(run.skipped),
            rebuilt=self._new,
            in_memory=self._in_memory,
        )
