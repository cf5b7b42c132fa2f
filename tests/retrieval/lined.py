"""A store small enough to read here: an addon whose files hold one unit a line, and records beside them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

from aiwg_memory.addons import Addon
from aiwg_memory.core.canonical import digest
from aiwg_memory.core.items import Fragment, MemoryItem, Unit
from aiwg_memory.core.paths import RepoPath
from aiwg_memory.core.records import Version
from aiwg_memory.core.retrieval import Hit
from aiwg_memory.core.tree import MemoryTree, Tree
from aiwg_memory.index.search import Index

NOW = 1_800_000_000.0
TODAY = "2027-01-15"


def parse(path: RepoPath, data: bytes) -> Fragment:
    """``*.rec`` holds a record a line; in other files a line is a unit, ``title | text`` or text."""
    lines = data.decode().splitlines()
    if path.endswith(".rec"):
        return Fragment(versions=tuple(Version(json.loads(line)) for line in lines))
    units = []
    for number, line in enumerate(lines, 1):
        title, bar, text = line.partition(" | ")
        text = text if bar else line
        handle = "u_" + digest(line.encode())[7:15]
        layer = "facts" if path.endswith("facts.txt") else "notes"
        units.append(Unit(handle, layer, path, number, number, title if bar else "", "", text))
    return Fragment(units=tuple(units))


def item(unit: Unit, head: Version | None) -> MemoryItem | None:
    if head is not None and head.status == "removed":
        return None
    said = head.text if head is not None else (lambda _, default="": default)
    return MemoryItem(
        unit.handle, unit.layer, unit.text, digest(unit.text.encode()), unit.handle, title=unit.title,
        provenance=said("provenance", "external"), review=said("review", "pending"),
        lifecycle=head.status if head is not None else "active", delivery=said("delivery", "retrieved"),
        at=said("at", ""),
    )  # fmt: skip


ADDON = Addon(
    "lines",
    "1",
    "lines",
    paths=(".aiwg/lines/",),
    parse="lined:parse",
    item="lined:item",
)


def handle(line: str) -> str:
    return "u_" + digest(line.encode())[7:15]


def record(line: str, status: str = "active", **more: str) -> str:
    value = {"schema": "aiwg.fact_record.v1", "handle": handle(line), "version": 1, "previous": None, "status": status}
    value |= {"digest": digest(line.encode()), "seg": "s", "at": "2026-12-01T00:00:00Z", **more}
    return json.dumps(value)


def tree(files: Mapping[str, Iterable[str]]) -> MemoryTree:
    return MemoryTree(
        {f".aiwg/lines/{name}": "".join(f"{line}\n" for line in lines).encode() for name, lines in files.items()}
    )


def index_of(where: Tree, root: str | None = None) -> Index:
    index = Index(root)
    index.sync(where, [ADDON], now=NOW)
    return index


def found(lines: Iterable[str], query: str, limit: int = 10) -> list[Hit]:
    with index_of(tree({"notes.txt": lines})) as index:
        return list(index.search(query, limit=limit, as_of=TODAY))


def texts(hits: Iterable[Hit]) -> list[str]:
    return [hit.item.text for hit in hits]


def answers(index: Index, queries: Iterable[str]) -> list[list[tuple[str, float, int, tuple[str, ...], float]]]:
    """Everything a hit says, for each query."""
    return [
        [
            (hit.item.handle, hit.score, hit.rank, hit.matched, hit.coverage)
            for hit in index.search(query, limit=20, as_of=TODAY)
        ]
        for query in queries
    ]
