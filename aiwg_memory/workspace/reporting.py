"""Status: what is ready, what waits for a person, what is broken, what to type next."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from aiwg_memory.addons import resolve
from aiwg_memory.errors import AiwgError

if TYPE_CHECKING:
    from aiwg_memory.workspace import Workspace


def status(workspace: Workspace) -> dict[str, Any]:
    """``root, initialised, ready[], waiting[], broken[], next[]``: sentences a person reads in five seconds."""
    ready: list[str] = []
    waiting: list[str] = []
    broken: list[str] = []
    following: list[str] = []
    if not workspace.initialised:
        following.append("aiwg-memory init")
    for addon in workspace.addons:
        if not addon.status:
            continue
        try:
            told: Mapping[str, Any] = resolve(addon.status)(workspace.tree)
        except AiwgError as error:
            broken.append(f"{addon.name}: {error.message}")
            continue
        ready.append(f"{addon.name}: " + (", ".join(f"{count} {what}" for what, count in told["counts"].items())))
        broken += [f"{addon.name}: {reason}" for reason in told.get("reasons", ())]
        waiting += told.get("next", ())
    _pending(workspace, waiting, broken, following)
    return {
        "root": workspace.root,
        "initialised": workspace.initialised,
        "ready": ready,
        "waiting": waiting,
        "broken": broken,
        "next": following or ['aiwg-memory context "what you are about to do"'],
    }


def _pending(workspace: Workspace, waiting: list[str], broken: list[str], following: list[str]) -> None:
    for preview in workspace.journal.previews.waiting(workspace.now):
        waiting.append(f"preview {preview['operation_id'][:15]}: {preview['summary']}")
        following.append(f"aiwg-memory confirm {preview['operation_id'][:15]}")
    for unfinished in workspace.journal.pending():
        broken.append(f"unfinished operation {unfinished}")
        following.append("aiwg-memory recover")
