"""What has to be seen beside a change of facts to judge it."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence

from aiwg_memory.addons.line_memory.reading import parse
from aiwg_memory.addons.line_memory.text import FACTS, LINES, RECORDS, fact_path
from aiwg_memory.core.focus import holding, phrase
from aiwg_memory.core.items import Fragment
from aiwg_memory.core.paths import RepoPath
from aiwg_memory.core.stored import MAX_FILE
from aiwg_memory.core.tree import Tree

_STANDING = '"delivery":"always"'


def around(head: Tree, base: Tree, changed: Sequence[RepoPath]) -> Iterator[RepoPath]:
    """The file of every fact that a changed record or file speaks of; all standing facts where one of them changed.

    Near-duplicates and the number of facts are not looked for here: they take the whole store.
    """
    handles: set[str] = set()
    standing = False
    for tree in (head, base):
        for path in changed:
            fragment = _fragment(tree, path)
            handles.update(unit.handle for unit in fragment.units)
            handles.update(version.handle for version in fragment.versions)
            standing = standing or any(version.text("delivery") == "always" for version in fragment.versions)
            if path.parent == FACTS:
                handles.add(f"lm_{path.name[:16]}")
    if standing:
        handles |= yield from _standing(head)
    if LINES not in changed:
        yield LINES
    for handle in handles:
        yield fact_path(handle)


def _standing(head: Tree) -> Generator[RepoPath, None, set[str]]:
    """The records of every fact that was ever always delivered; its value is their handles."""
    handles: set[str] = set()
    for path in holding(head, RECORDS, [phrase(_STANDING) or ""]):
        yield path
        handles.update(version.handle for version in _fragment(head, path).versions)
    yield from holding(head, RECORDS, [handle.replace("_", ".") for handle in handles])
    return handles


def _fragment(tree: Tree, path: RepoPath) -> Fragment:
    entry = tree.stat(path)
    if entry is None or entry.kind != "file" or entry.size > MAX_FILE:
        return Fragment()
    return parse(path, tree.read(path, limit=MAX_FILE))
