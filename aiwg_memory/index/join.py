"""Units joined with the current record of their handle: which items there are, kept in step with the postings."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable
from typing import TYPE_CHECKING

from aiwg_memory.addons import Addon, resolve
from aiwg_memory.core.items import MemoryItem
from aiwg_memory.index.layout import chunked
from aiwg_memory.index.postings import PostingChanges
from aiwg_memory.index.rows import dump_item, load_item, load_unit

if TYPE_CHECKING:
    from aiwg_memory.core.records import Head


class Joiner:
    """Gathers handles whose unit or record changed; ``finish`` joins them again and writes what differs."""

    def __init__(self, connection: sqlite3.Connection, addons: Iterable[Addon]) -> None:
        self._connection = connection
        self._makers = {addon.name: resolve(addon.item) for addon in addons if addon.item}
        self._postings = PostingChanges(connection)
        self._handles: set[str] = set()

    @property
    def pending(self) -> int:
        return len(self._handles) + self._postings.pending

    def affected(self, handles: Iterable[str]) -> None:
        self._handles.update(handles)

    def remove(self, file: int) -> None:
        """Take the units of a file away, and note the handles its records spoke of."""
        for unit, row, text in self._connection.execute("select id, item, text from units where file = ?", (file,)):
            if row is not None:
                self._postings.take(unit, load_item(row, text))
        self._connection.execute("delete from units where file = ?", (file,))
        self.affected(
            handle for (handle,) in self._connection.execute("select handle from versions where file = ?", (file,))
        )

    def finish(self) -> None:
        for part, marks in chunked(sorted(self._handles)):
            heads = self._heads(part, marks)
            rows = self._connection.execute(
                "select units.id, units.handle, units.text, units.unit, units.item, files.addon from units join files"
                f" on files.id = units.file where units.handle in ({marks})",
                part,
            ).fetchall()
            for unit, handle, text, stored, old, addon in rows:
                head = heads.get(handle)
                item = self._makers[addon](load_unit(stored, text), head.current if head else None)
                self._put(unit, text, old, item)
        self._handles.clear()
        if self._postings.pending:
            self._postings.flush()

    def _heads(self, part: object, marks: str) -> dict[str, Head]:
        rows = self._connection.execute(f"select value from versions where handle in ({marks})", part).fetchall()  # type: ignore[arg-type]
        if not rows:
            return {}
        from aiwg_memory.core.records import Version, fold

        return fold(Version(json.loads(value)) for (value,) in rows)

    def _put(self, unit: int, text: str, old: str | None, item: MemoryItem | None) -> None:
        new = None if item is None else dump_item(item, text)
        if new == old:
            return
        before = None if old is None else load_item(old, text)
        if _words(before) != _words(item):
            if before is not None:
                self._postings.take(unit, before)
            if item is not None:
                self._postings.put(unit, item)
        always = item is not None and item.delivery == "always"
        self._connection.execute("update units set item = ?, always = ? where id = ?", (new, always, unit))


def _words(item: MemoryItem | None) -> tuple[str, str, str] | None:
    return None if item is None else (item.title, item.heading, item.text)
