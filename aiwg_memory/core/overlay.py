"""One tree laid over another. Files are named by what they hold, so a union of folders is a union of records."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from itertools import chain
from typing import TYPE_CHECKING

from aiwg_memory.core.canonical import digest_json, short
from aiwg_memory.core.paths import RepoPath, join
from aiwg_memory.core.tree import Entry, MemoryTree, Tree
from aiwg_memory.errors import NotFound

if TYPE_CHECKING:
    from aiwg_memory.core.operations import Change


def planned(tree: Tree, changes: Iterable[Change]) -> Overlay:
    """``tree`` as it would be with these changes made."""
    after = {change.path: change.after for change in changes}
    written = MemoryTree({path: data for path, data in after.items() if data is not None})
    return Overlay(tree, written, frozenset(path for path, data in after.items() if data is None))


class Overlay:
    """Reads from ``upper`` where it has the path, else from ``lower``; directories show the names of both. Of ``lower``
    the files that are ``gone`` are not there."""

    def __init__(self, lower: Tree, upper: Tree, gone: Collection[RepoPath] = ()) -> None:
        self._lower = lower
        self._upper = upper
        self._gone = gone

    @property
    def identity(self) -> str:
        return "overlay:" + short(digest_json([self._lower.identity, self._upper.identity, *sorted(self._gone)]))

    def read(self, path: RepoPath, *, limit: int) -> bytes:
        if path in self._gone:
            raise NotFound(f"{path} is not there")
        return self._holder(path).read(path, limit=limit)

    def stat(self, path: RepoPath) -> Entry | None:
        return None if path in self._gone else self._holder(path).stat(path)

    def list(self, path: RepoPath | None = None) -> Iterator[Entry]:
        lower = (entry for entry in _level(self._lower, path) if join(path, entry.name) not in self._gone)
        found = {entry.name: entry for entry in chain(lower, _level(self._upper, path))}
        return iter([found[name] for name in sorted(found, key=lambda name: name.encode("utf-8", "surrogateescape"))])

    def _holder(self, path: RepoPath) -> Tree:
        entry = self._upper.stat(path)
        return self._upper if entry is not None and entry.kind != "dir" else self._lower


def _level(tree: Tree, path: RepoPath | None) -> Iterator[Entry]:
    entry = tree.stat(path) if path is not None else None
    return tree.list(path) if path is None or (entry is not None and entry.kind == "dir") else iter(())
