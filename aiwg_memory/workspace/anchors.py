"""Cited lines that moved: where they are now, in their file or in the one it was renamed to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from aiwg_memory.addons.line_memory.anchoring import anchors, found_in
from aiwg_memory.addons.line_memory.store import read
from aiwg_memory.core.anchors import GONE, MOVED, VERIFIED
from aiwg_memory.core.tree import walk
from aiwg_memory.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from aiwg_memory.workspace import Workspace

MAX_FILES = 64
"""Files of the same ending that are looked into for the lines of one file that is gone: those of its name first."""


def moves(workspace: Workspace, handles: Sequence[str]) -> dict[str, Any]:
    """The arguments that follow every cited line that was found elsewhere; UsageError where there is none. At most one
    git process, whatever the number of citations."""
    store = read(workspace.tree)
    names: list[str] | None = None
    found: dict[str, list[dict[str, str]]] = {}
    for handle, source in anchors(store):
        if handles and handle not in handles:
            continue
        here = found_in(workspace.tree, source)
        if here is not None and here.state == VERIFIED:
            continue
        if here is not None and here.state == MOVED:
            place = (str(source["ref"]), here.span)
        else:
            names = _tracked(workspace) if names is None else names
            elsewhere = _elsewhere(workspace, source, names)
            if elsewhere is None:
                continue
            place = elsewhere
        move = {"ref": source["ref"], "span": source["span"], "to": place[0], "to_span": place[1]}
        found.setdefault(handle, []).append(move)
    if not found:
        raise UsageError("no cited lines were found in another place", hint="`check --all` lists those that are gone")
    targets = []
    for handle, several in sorted(found.items()):
        head = store.heads[handle]
        expected = sorted(one.digest for one in head.heads) if head.fork else head.current.version
        targets.append({"handle": handle, "expected": expected, "moves": several})
    return {"targets": targets}


def _tracked(workspace: Workspace) -> list[str]:
    """What git tracks, and what lies beside it untracked is not looked for."""
    if workspace.repository is None:
        return []
    tree = workspace.repository.index_tree()
    return [f"{parent}/{entry.name}" if parent else entry.name for parent, entry in walk(tree, None)]


def _elsewhere(workspace: Workspace, source: Mapping[str, Any], names: Sequence[str]) -> tuple[str, str] | None:
    gone = str(source["ref"])
    base, ending = gone.rpartition("/")[2], gone.rpartition(".")[2]
    alike = [name for name in names if name != gone and name.rpartition(".")[2] == ending]
    alike.sort(key=lambda name: (name.rpartition("/")[2] != base, name))
    for name in alike[:MAX_FILES]:
        found = found_in(workspace.tree, source, name)
        if found is not None and found.state != GONE:
            return name, found.span
    return None
