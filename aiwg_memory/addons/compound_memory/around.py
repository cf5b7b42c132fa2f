"""What has to be seen beside a change of candidates, outputs and what is owed to judge it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from aiwg_memory.addons.compound_memory.outputs.store import RECORDS as OUTPUTS
from aiwg_memory.addons.compound_memory.whole import parse
from aiwg_memory.core.candidates import FOLDER, assertion_path
from aiwg_memory.core.candidates import RECORDS as CANDIDATES
from aiwg_memory.core.focus import holding
from aiwg_memory.core.paths import RepoPath, path_problem
from aiwg_memory.core.records import Version
from aiwg_memory.core.stored import MAX_FILE
from aiwg_memory.core.tree import Tree


def around(head: Tree, base: Tree, changed: Sequence[RepoPath]) -> Iterator[RepoPath]:
    """The texts of the candidates a changed record speaks of and the records of a changed text; the files that a
    changed registration speaks of and the registrations it names."""
    named: dict[RepoPath, set[str]] = {OUTPUTS: set(), CANDIDATES: set()}
    for path in changed:
        if path.parent == FOLDER:
            named[CANDIDATES].add(f"cand.{path.name.removesuffix('.md')}")
        for version in (version for tree in (head, base) for version in _versions(tree, path)):
            if version.handle.startswith("cand_"):
                yield assertion_path(version.handle)
            elif not path_problem(version.text("path")):
                yield RepoPath(version.text("path"))
            others = (*version.list("supersedes"), *version.list("conflicts_with"))
            named[OUTPUTS].update(other.replace("_", ".") for other in others if isinstance(other, str))
    for folder, phrases in named.items():
        yield from holding(head, folder, phrases)


def _versions(tree: Tree, path: RepoPath) -> tuple[Version, ...]:
    entry = tree.stat(path)
    if entry is None or entry.kind != "file" or entry.size > MAX_FILE:
        return ()
    return parse(path, tree.read(path, limit=MAX_FILE)).versions
