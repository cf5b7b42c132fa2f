"""What a plan of one addon may ask of the others: wired here, so that no addon imports another."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from aiwg_memory.addons import resolve
from aiwg_memory.core.candidates import STORE_OFF, House, Standing
from aiwg_memory.core.canonical import digest
from aiwg_memory.core.lineage import Part
from aiwg_memory.core.operations import Plan, Planner, Request
from aiwg_memory.core.paths import RepoPath, parted, path_problem
from aiwg_memory.core.screening import protected_source
from aiwg_memory.core.stored import MAX_FILE
from aiwg_memory.core.tree import Tree
from aiwg_memory.errors import AiwgError
from aiwg_memory.workspace.addons import owner_of_kind, with_missing

if TYPE_CHECKING:
    from aiwg_memory.workspace import Workspace

LOCAL = RepoPath(".aiwg/.local")


def house(workspace: Workspace, tree: Tree) -> House:
    """The enabled addons' answers about ``tree``; a file of the workspace stands for itself. What check says
    of it is for whoever may ask the index."""
    sinks = {name: resolve(dotted) for addon in workspace.addons for name, dotted in addon.sinks.items()}
    takers = {name: resolve(dotted) for addon in workspace.addons for name, dotted in addon.takes.items()}
    upkeep = {addon.name: resolve(addon.upkeep) for addon in workspace.addons if addon.upkeep}
    return House(
        standing(workspace, tree),
        sinks,
        takers=takers,
        upkeep=upkeep,
        planner=lambda kind: _planner(workspace, kind),
        undo=lambda tree, request: _undone(workspace, tree, request),
        parts=parts(workspace),
    )


def parts(workspace: Workspace) -> dict[str, Part]:
    """The enabled addons whose things have a lineage, by name."""
    return {
        addon.name: Part(resolve(addon.things), resolve(addon.dispose))
        for addon in workspace.addons
        if addon.things and addon.dispose
    }


def _planner(workspace: Workspace, kind: str) -> Planner | None:
    addon = owner_of_kind(workspace.addons, kind)
    return resolve(addon.plans[kind]) if addon is not None and kind in addon.plans else None


def _undone(workspace: Workspace, tree: Tree, request: Request) -> list[Plan]:
    """The inverse of each addon's own part of the receipt; what nobody owns stays."""
    record = request.arguments["receipt"]
    plans = []
    for addon in workspace.addons:
        changes = [change for change in record["changes"] if addon.owns(change["path"])]
        if not changes or not addon.undo:
            continue
        kind = next(iter(addon.plans)).partition(".")[0] + ".undo"
        part = request.part(kind, {"receipt": {**record, "changes": changes}})
        plans.append(resolve(addon.undo)(tree, replace(part, inputs=request.inputs)))
    return plans


def standing(workspace: Workspace, tree: Tree) -> Callable[[str], Standing | None]:
    """What a reference names in ``tree``, by the first addon that knows it; else as a file; None for nothing."""
    looks = [resolve(addon.standing)(tree) for addon in workspace.addons if addon.standing]
    off = [addon for addon in with_missing(workspace.addons)[len(workspace.addons) :] if addon.standing]

    def look(ref: str) -> Standing | None:
        file = _file(tree, ref)
        for each in looks:
            found: Standing | None = each(ref)
            if found is not None:
                # A source that was ingested may be cited as it was kept or as it lies here now.
                return replace(found, digests=(*found.digests, file)) if file and found.digests else found
        if file:
            return Standing("file", (file,))
        there = (addon.name for addon in off if resolve(addon.standing)(tree)(ref) is not None)
        return next((Standing(name, lifecycle=STORE_OFF) for name in there), None)

    return look


def _file(tree: Tree, ref: str) -> str | None:
    """The digest of the regular file that a reference names; nothing of ours alone, nothing that is protected."""
    name = parted(ref)[0]
    if path_problem(name) or protected_source(name) or RepoPath(name).under(LOCAL):
        return None
    try:
        entry = tree.stat(RepoPath(name))
        if entry is None or entry.kind != "file" or entry.size > MAX_FILE:
            return None
        return digest(tree.read(RepoPath(name), limit=MAX_FILE))
    except AiwgError:
        return None
