"""Receipts as a catalogue: for counting them and for a page of the last ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from aiwg_memory.core.catalogue import Part, Place, Query, Row, ask
from aiwg_memory.core.items import Fragment, Unit
from aiwg_memory.core.paths import RepoPath
from aiwg_memory.core.receipts import Receipt, parse_receipts
from aiwg_memory.core.stored import RECEIPTS
from aiwg_memory.core.tree import Tree

if TYPE_CHECKING:
    from aiwg_memory.core.records import Version


def _parse(path: RepoPath, data: bytes) -> Fragment:
    found, findings = parse_receipts(path, data)
    return Fragment(
        tuple(Unit(f"{one['seg']}\0{one['sink']}", "", path, 0, 0, "", "", "", one) for one in found),
        (),
        tuple(findings),
    )


def _rows(handle: str, units: Sequence[Unit], versions: Sequence[Version]) -> Iterator[Row]:
    del versions
    for unit in units:
        yield Row(handle, str(unit.attributes["kind"]), str(unit.attributes["confirmed_at"]), unit.attributes)


PART = Part("receipts", 1, (Place(RECEIPTS, ".jsonl", ""),), _parse, _rows)


def latest_receipts(tree: Tree, limit: int) -> tuple[list[Receipt], int]:
    """The ``limit`` last confirmed, the last one first, and how many there are."""
    answer = ask(tree, PART, Query(lambda kind: True, limit, newest=True))
    return [dict(row.value) for row in answer.rows], answer.total
