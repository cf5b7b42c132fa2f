"""Status: what is ready, what waits for a person, what is broken, what to type next."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from aiwg_memory.addons import resolve
from aiwg_memory.core.counting import counted
from aiwg_memory.core.paths import RepoPath
from aiwg_memory.errors import AiwgError
from aiwg_memory.workspace.addons import PACKS, WITHOUT, missing

if TYPE_CHECKING:
    from aiwg_memory.workspace import Workspace

OUTBOX = RepoPath(".aiwg/outbox.d")

FEW = 10
"""Troubles that are named one by one; `check` names them all."""

SHOWN = 3
"""Previews that are named one by one; more are counted."""


def status(workspace: Workspace) -> dict[str, Any]:
    """``root, initialised, ready[], waiting[], broken[], next[]``: sentences a person reads in five seconds."""
    ready: list[str] = []
    waiting: list[str] = []
    broken: list[str] = []
    following: list[str] = []
    for addon in workspace.addons:
        if not addon.status:
            continue
        try:
            told: Mapping[str, Any] = resolve(addon.status)(workspace.kept)
        except AiwgError as error:
            broken.append(f"{addon.name}: {error.message}")
            continue
        ready += _counted(addon.name, told["counts"])
        broken += [f"{addon.name}: {reason}" for reason in told.get("reasons", ())]
        waiting += told.get("next", ())
    off = [] if workspace.own else missing(workspace.addons)
    broken += [f"{name} is not enabled: {WITHOUT[name]}; add it to `addons` in .aiwg/config.yaml" for name in off]
    if len(broken) > len(off):
        following.append("aiwg-memory check")
    _adapters(workspace, broken, following)
    _pending(workspace, waiting, broken, following)
    return {
        "root": workspace.root,
        "initialised": workspace.initialised,
        "ready": ready or ["nothing is stored yet"],
        "waiting": waiting,
        "broken": _few(broken),
        "next": list(dict.fromkeys(following)) or _usual(workspace, ready, packs=PACKS not in off),
    }


def _adapters(workspace: Workspace, broken: list[str], following: list[str]) -> None:
    """Blocks that tell agents what is no longer so."""
    from aiwg_memory.workspace.adapting import findings

    found = findings(workspace, ())
    broken += [f"{one.path}: {one.message}" for one in found]
    following += ["aiwg-memory adapters refresh"] if found else []


def _few(rows: list[str]) -> list[str]:
    return rows if len(rows) <= FEW else [*rows[:FEW], f"… and {len(rows) - FEW} more"]


def _counted(name: str, counts: Mapping[str, int]) -> list[str]:
    """One line of what there is; nothing for what there is none of."""
    named = ((counted(count, what[:-1]) if what.endswith("s") else f"{count} {what}") for what, count in counts.items())
    said = [one for one, count in zip(named, counts.values(), strict=True) if count]
    return [f"{name}: {', '.join(said)}"] if said else []


def _usual(workspace: Workspace, ready: list[str], *, packs: bool) -> list[str]:
    if not workspace.initialised:
        return ["aiwg-memory init"]
    if not packs:
        return ['aiwg-memory search "what you are about to do"']
    return ['aiwg-memory context "what you are about to do"'] if ready else ['aiwg-memory add "what is worth knowing"']


def _pending(workspace: Workspace, waiting: list[str], broken: list[str], following: list[str]) -> None:
    for unfinished in workspace.journal.pending():
        broken.append(f"{unfinished.path} changed while {unfinished.operation[:15]} was unfinished")
        following.insert(0, "aiwg-memory recover")
    found = workspace.journal.previews.waiting(workspace.now)
    if found:
        from aiwg_memory.workspace.moved import is_stale

        for each in found[:SHOWN]:
            said = "stale preview" if is_stale(workspace, each) else "preview"
            waiting.append(f"{said} {each['operation_id'][:15]}: {each['summary']}")
        following.append(f"aiwg-memory previews show {found[0]['operation_id'][:15]}")
    if len(found) > SHOWN:
        waiting.append(counted(len(found) - SHOWN, "older preview"))
        following.append("aiwg-memory previews")
    _proposed(workspace, waiting, broken, following)


def _proposed(workspace: Workspace, waiting: list[str], broken: list[str], following: list[str]) -> None:
    """What lies in the inbox, and what confirmed operations still owe."""
    from aiwg_memory.workspace.inbox import names

    proposals = len(names(workspace))
    if proposals:
        waiting.append(f"{proposals} proposal{'' if proposals == 1 else 's'} in the inbox")
        following.append("aiwg-memory review")
    if workspace.tree.stat(OUTBOX) is not None:
        from aiwg_memory.workspace.owing import owed_line, owed_rows

        rows = owed_rows(workspace)
        broken += [owed_line(row) for row in rows[:20]] + ([f"… and {len(rows) - 20} more"] if len(rows) > 20 else [])
        following[:0] = ["aiwg-memory recover"] if rows else []
