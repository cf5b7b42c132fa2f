"""Cited lines that moved: where they are now, in their file or in the one it was renamed to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from aiwg_memory.addons import resolve
from aiwg_memory.core.anchors import GONE, MOVED, VERIFIED
from aiwg_memory.core.canonical import canonical_json, digest
from aiwg_memory.core.citations import found_in
from aiwg_memory.core.following import MOVED_NOTES, Move
from aiwg_memory.core.operations import Request
from aiwg_memory.core.tree import walk
from aiwg_memory.errors import UsageError
from aiwg_memory.workspace.requests import request

if TYPE_CHECKING:
    from aiwg_memory.workspace import Workspace

MAX_FILES = 64
"""Files of the same ending that are looked into for the lines of one file that is gone: those of its name first."""


def reanchor_request(workspace: Workspace, handles: Sequence[str], reason: str, reviewer: str) -> Request:
    """Follows what of ``handles`` (all without one) was found elsewhere. Raises UsageError where nothing was."""
    from aiwg_memory.workspace.facts import full_handles

    named = [one if one.startswith(("ctx:", "wiki:")) else full_handles(workspace, (one,))[0] for one in handles]
    arguments, inputs = as_notes(moves(workspace, named))
    if not arguments:
        raise UsageError("no cited lines were found in another place", hint="`check --all` lists those that are gone")
    arguments |= {"reason": reason} if reason else {}
    return request(workspace, "lineage.reanchor", arguments, reviewer, inputs)


def as_notes(found: Mapping[str, list[Move]]) -> tuple[dict[str, Any], dict[str, bytes]]:
    """The moves as an argument and an input of a request; neither where there are none."""
    if not found:
        return {}, {}
    notes = canonical_json(found)
    return {MOVED_NOTES: digest(notes)}, {digest(notes): notes}


def moves(workspace: Workspace, handles: Sequence[str] = ()) -> dict[str, list[Move]]:
    """Every citation of lines that were found elsewhere, by handle. At most one git process, whatever their number."""
    names: list[str] | None = None
    found: dict[str, list[Move]] = {}
    for handle, source in _cited(workspace):
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
        move = {"ref": str(source["ref"]), "span": str(source["span"]), "to": place[0], "to_span": place[1]}
        found.setdefault(handle, []).append(move)
    return found


def _cited(workspace: Workspace) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for addon in workspace.addons:
        if addon.cites:
            yield from resolve(addon.cites)(workspace.tree)


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
