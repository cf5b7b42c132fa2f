"""Facts that rest on lines of files which go on changing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from aiwg_memory.addons.line_memory.store import Store, read
from aiwg_memory.core.citations import with_anchor
from aiwg_memory.core.tree import Tree


def cites(tree: Tree) -> Iterator[tuple[str, Mapping[str, Any]]]:
    return citations(read(tree))


def citations(store: Store) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Handle and source of every citation of lines of a file by a fact that is there."""
    for handle in store.live():
        head = store.current(handle)
        for source in with_anchor(head.list("sources")) if head is not None else ():
            yield handle, source
