"""What has to be seen beside a change of canonical context to judge it: a key is its file, and nearly nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from aiwg_memory.addons.canonical_context.file import read_file
from aiwg_memory.addons.canonical_context.layout import MAX_BYTES, ROOT, STORE
from aiwg_memory.addons.canonical_context.reading import is_value, parse
from aiwg_memory.addons.canonical_context.store import started
from aiwg_memory.core.focus import holding, phrase
from aiwg_memory.core.paths import RepoPath
from aiwg_memory.core.tree import Tree, files

_STANDING = "delivery: always"


def around(head: Tree, base: Tree, changed: Sequence[RepoPath]) -> Iterator[RepoPath]:
    """Whether canonical context is on, one key where it is not or that changed; every standing value where one did."""
    yield STORE
    if STORE in changed or not started(head):
        for tree in (head, base):
            yield from _first(tree)
    if any(_standing(head, path) for path in changed):
        yield from holding(head, ROOT, [phrase(_STANDING) or ""])


def _first(tree: Tree) -> Iterator[RepoPath]:
    """The first key that can be read: one is enough to say that there are keys."""
    for path, _ in files(tree, ROOT):
        if is_value(path) and read_file(path, tree.read(path, limit=MAX_BYTES))[0] is not None:
            yield path
            return


def _standing(tree: Tree, path: RepoPath) -> bool:
    entry = tree.stat(path)
    if entry is None or entry.kind != "file" or entry.size > MAX_BYTES:
        return False
    return any(unit.attributes["delivery"] == "always" for unit in parse(path, tree.read(path, limit=MAX_BYTES)).units)
