"""A tree whose reads will be trusted: where a file may still be changing, it is read as one that has settled."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from aiwg_memory.core.paths import RepoPath
from aiwg_memory.core.tree import Entry, Tree
from aiwg_memory.errors import UnsafePath


class Settled:
    """The same tree; ``read`` is ``read_settled`` where the tree has one. What git holds has settled long ago."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self._settled: Callable[[RepoPath, int], bytes] | None = getattr(tree, "read_settled", None)

    @property
    def identity(self) -> str:
        return self.tree.identity

    def read(self, path: RepoPath, *, limit: int) -> bytes:
        """As ``Tree.read``; raises Locked as well while a file is being written."""
        return self.tree.read(path, limit=limit) if self._settled is None else self._settled(path, limit)

    def stat(self, path: RepoPath) -> Entry | None:
        return self.tree.stat(path)

    def list(self, path: RepoPath | None = None) -> Iterator[Entry]:
        return self.tree.list(path)

    def link_target(self, path: RepoPath) -> str | None:
        return link_target(self.tree, path)


def link_target(tree: Tree, path: RepoPath) -> str | None:
    """What a link says, without going there; None where nothing or no link is there, or the tree cannot say."""
    say: Callable[[RepoPath], str | None] | None = getattr(tree, "link_target", None)
    return None if say is None else say(path)


def inside(link: RepoPath, target: str) -> RepoPath | None:
    """Where a link leads when that is a path of the workspace, by its text alone; None when it leads out."""
    parts = list(link.parts[:-1])
    if not target or target.startswith("/"):
        return None
    for part in target.split("/"):
        if part in ("", "."):
            continue
        if part != "..":
            parts.append(part)
        elif parts:
            parts.pop()
        else:
            return None
    try:
        return RepoPath("/".join(parts))
    except UnsafePath:
        return None
