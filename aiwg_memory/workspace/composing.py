"""What a plan of one addon may ask of the others: wired here, so that no addon imports another."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from aiwg_memory.addons import resolve
from aiwg_memory.core.candidates import House, Standing
from aiwg_memory.core.canonical import digest
from aiwg_memory.core.operations import MAX_FILE
from aiwg_memory.core.paths import RepoPath, path_problem
from aiwg_memory.core.screening import protected_source
from aiwg_memory.core.tree import Tree
from aiwg_memory.errors import AiwgError

if TYPE_CHECKING:
    from aiwg_memory.workspace import Workspace

LOCAL = RepoPath(".aiwg/.local")


def house(workspace: Workspace, tree: Tree) -> House:
    """The enabled addons' answers about ``tree``; a file of the workspace stands for itself."""
    sinks = {name: resolve(dotted) for addon in workspace.addons for name, dotted in addon.sinks.items()}
    return House(standing(workspace, tree), sinks)


def standing(workspace: Workspace, tree: Tree) -> Callable[[str], Standing | None]:
    """What a reference names in ``tree``, by the first addon that knows it; else as a file; None for nothing."""
    looks = [resolve(addon.standing)(tree) for addon in workspace.addons if addon.standing]

    def look(ref: str) -> Standing | None:
        file = _file(tree, ref)
        for each in looks:
            found: Standing | None = each(ref)
            if found is not None:
                # A source that was ingested may be cited as it was kept or as it lies here now.
                return replace(found, digests=(*found.digests, file)) if file and found.digests else found
        return Standing("file", (file,)) if file else None

    return look


def _file(tree: Tree, ref: str) -> str | None:
    """The digest of the regular file that a reference names; nothing of ours alone, nothing that is protected."""
    name = ref.partition("#")[0]
    if path_problem(name) or protected_source(name) or RepoPath(name).under(LOCAL):
        return None
    try:
        entry = tree.stat(RepoPath(name))
        if entry is None or entry.kind != "file" or entry.size > MAX_FILE:
            return None
        return digest(tree.read(RepoPath(name), limit=MAX_FILE))
    except AiwgError:
        return None
