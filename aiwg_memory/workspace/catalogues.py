"""The working tree with its catalogues: what counts and lists asks it, and reads no more than what changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from aiwg_memory.core.catalogue import Answer, Part, Query
from aiwg_memory.core.paths import RepoPath
from aiwg_memory.core.tree import Entry

if TYPE_CHECKING:
    from aiwg_memory.addons import Addon
    from aiwg_memory.index.catalogue import Kept
    from aiwg_memory.worktree.read import WorkTree


class Catalogued:
    """A ``Tree`` that answers as ``tree`` does. ``addons`` gives those that have something to retrieve."""

    def __init__(self, tree: WorkTree, addons: Callable[[], Sequence[Addon]], clock: Callable[[], float]) -> None:
        self._tree = tree
        self._addons = addons
        self._clock = clock
        self.identity = tree.identity

    def read(self, path: RepoPath, *, limit: int) -> bytes:
        return self._tree.read(path, limit=limit)

    def stat(self, path: RepoPath) -> Entry | None:
        return self._tree.stat(path)

    def list(self, path: RepoPath | None = None) -> Iterator[Entry]:
        return self._tree.list(path)

    def link_target(self, path: RepoPath) -> str | None:
        return self._tree.link_target(path)

    def catalogue(self, part: Part, query: Query) -> Answer:
        return self._kept.answer(self._tree, part, query, self._clock())

    @cached_property
    def _kept(self) -> Kept:
        from aiwg_memory.index.catalogue import Kept

        return Kept(self._tree.root, self._addons)
