"""One tree laid over another. Files are named by what they hold, so a union of folders is a union of records."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from aiwg_memory.core.canonical import digest_json, short
from aiwg_memory.core.paths import RepoPath
from aiwg_memory.core.tree import Entry, Tree


class Overlay:
    """Reads from ``upper`` where it has the path, else from ``lower``; directories show the names of both."""

    def __init__(self, lower: Tree, upper: Tree) -> None:
        self._lower = lower
        self._upper = upper

    @property
    def identity(self) -> str:
        return "overlay:" + short(digest_json([self._lower.identity, self._upper.identity]))

    def read(self, path: RepoPath, *, limit: int) -> bytes:
        return self._holder(path).read(path, limit=limit)

    def stat(self, path: RepoPath) -> Entry | None:
        return self._holder(path).stat(path)

    def list(self, path: RepoPath | None = None) -> Iterator[Entry]:
        found = {entry.name: entry for entry in chain(_level(self._lower, path), _level(self._upper, path))}
        return iter([found[name] for name in sorted(found, key=lambda name: name.encode("utf-8", "surrogateescape"))])

    def _holder(self, path: RepoPath) -> Tree:
        entry = self._upper.stat(path)
        return self._upper if entry is not None and entry.kind != "dir" else self._lower


def _level(tree: Tree, path: RepoPath | None) -> Iterator[Entry]:
    entry = tree.stat(path) if path is not None else None
    return tree.list(path) if path is None or (entry is not None and entry.kind == "dir") else iter(())
