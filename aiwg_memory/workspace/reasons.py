"""Why an item was in a pack or not: what the delivery log says, and what is stored now."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from aiwg_memory.core.deliveries import UNMATCHED, why
from aiwg_memory.core.delivery import RETRIEVABLE
from aiwg_memory.core.naming import Named, essence, named
from aiwg_memory.errors import NotFound
from aiwg_memory.workspace.deliveries import delivered
from aiwg_memory.workspace.retrieval import retriever

_NEVER = {
    "raw": "raw evidence is kept, and never delivered",
    "out": "an output is never delivered",
    "cand": "a candidate is delivered only as what it is promoted to",
}
"""By the beginning of a handle."""
_LIVE = ("active", "pending", "accepted", "deferred")

if TYPE_CHECKING:
    from aiwg_memory.core.lineage import Thing
    from aiwg_memory.index.search import Index
    from aiwg_memory.workspace import Workspace


def reasons(workspace: Workspace, wanted: str, pack: str | None) -> list[dict[str, Any]]:
    """Why what ``wanted`` names was in or out of a pack (None: the last), delivered first: one item, or all those of a
    page. Raises NotFound for what is neither stored nor on record, UsageError for what fits several.
    """
    row = delivered(workspace, pack)
    listed = [Named(each["handle"], each.get("locator", each["handle"])) for each in row["items"]]
    with retriever(workspace) as index:
        handles = named(wanted, [*listed, *index.named(essence(wanted))])
        told = [why(handle, row, _unmatched(index, handle, row)) for handle in handles]
    told = told or [why(each.handle, row, _kept(each.handle, each.status)) for each in _things(workspace, wanted)]
    if not told:
        raise NotFound(
            f"there is no item {wanted}",
            hint=f"`aiwg-memory explain {row['pack'][:17]}` lists what was considered, `aiwg-memory search` finds more",
        )
    locators = dict(listed)
    told = [{"locator": locators.get(each["handle"], each["handle"]), **each} for each in told]
    return sorted(told, key=lambda each: (each["decision"] != "delivered", each.get("rank") or 0, each["handle"]))


def _things(workspace: Workspace, wanted: str) -> list[Thing]:
    """What is stored and in no index: candidates, outputs, and canonical values that ended."""
    from aiwg_memory.workspace.lineage import graph

    things = graph(workspace, workspace.tree)
    named = [things.things[name] for name in things.roots(wanted) if name in things.things]
    return [thing for thing in named if thing.layer in ("canonical", "candidates", "outputs")]


def _kept(handle: str, status: str) -> str:
    """Why what is stored is no item: it ended, or it is of a kind that is never delivered."""
    kind = _NEVER.get(handle.partition("_")[0]) if status in _LIVE else None
    return kind or f"it is {status.replace('_', ' ')}, and history is not delivered"


def _unmatched(index: Index, handle: str, row: Mapping[str, Any]) -> str:
    """Why an item that is stored was not even considered."""
    item = index.item(handle)
    if item is not None and item.lifecycle not in RETRIEVABLE:
        return _kept(handle, item.lifecycle)
    if item is None:
        head = index.record(handle)
        return _kept(handle, head.status) if head else "it is not stored any more"
    if row["tree"] != index.identity:
        return f"{UNMATCHED}, or it came later: the memory has changed since"
    return UNMATCHED
