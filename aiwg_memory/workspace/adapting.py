"""The blocks in the files agents read: what would stand in them, and whether it does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from aiwg_memory.core.adapters import ADAPTERS, Adapter, find, inner_text, read, state, way_out
from aiwg_memory.core.findings import Finding
from aiwg_memory.errors import Refused, UsageError
from aiwg_memory.workspace.requests import request

if TYPE_CHECKING:
    from aiwg_memory.core.operations import Request
    from aiwg_memory.workspace import Workspace

_SAID = {
    "stale": ("adapter-stale", "the generated block is not what it would be now", "aiwg-memory adapters refresh"),
    "edited": ("edited-fence", "the generated block was edited by hand", ""),
    "broken": ("broken-fence", "the lines of the generated block do not belong together", "take them out by hand"),
    "link": ("unsafe-path", "is no regular file; nothing is written through a link", "refresh the file it leads to"),
    "absent": ("adapter-absent", "no generated block is there", "aiwg-memory adapters refresh, with its name"),
}


def always_texts(workspace: Workspace) -> list[dict[str, str]]:
    """Handle and text of what every session is given, by handle, but for what is private or of no known class, and for
    whatever a pack would label: a block has no room to say so."""
    from aiwg_memory.core.delivery import decide, lifecycle_on, lineage_of
    from aiwg_memory.workspace.retrieval import policy, retriever
    from aiwg_memory.workspace.validity import Validity

    day, allowed = workspace.now[:10], policy(workspace)
    with retriever(workspace) as index:
        items = [
            item
            for item in sorted(index.always(), key=lambda one: one.handle)
            if decide(item, as_of=day, policy=allowed, always=True) is None
            and lifecycle_on(item, day) == "active"
            and lineage_of(item) == "known"
            and item.scope == "global"
            and item.classification in ("public", "internal")
        ]
        doubted = Validity(workspace, workspace.tree, index).codes(items)
        return [{"handle": item.handle, "text": item.text} for item in items if item.handle not in doubted]


def states(workspace: Workspace, names: Sequence[str]) -> list[tuple[Adapter, str]]:
    """Of the named adapters, else of all."""
    chosen = named(names)
    always = always_texts(workspace) if any(_lists(workspace, one) for one in chosen) else []
    return [(one, state(workspace.tree, one, always)) for one in chosen]


def named(names: Sequence[str]) -> list[Adapter]:
    """Raises UsageError."""
    unknown = [name for name in names if name not in ADAPTERS]
    if unknown:
        raise UsageError(f"there is no adapter {', '.join(unknown)}", hint=f"they are {', '.join(ADAPTERS)}")
    return [ADAPTERS[name] for name in dict.fromkeys(names)] if names else list(ADAPTERS.values())


def used(workspace: Workspace, names: Sequence[str]) -> list[str]:
    """The named adapters, else those whose file holds a block, whole or not."""
    if names:
        return [one.name for one in named(names)]
    return [one.name for one, found in states(workspace, ()) if found not in ("absent", "link")]


def findings(workspace: Workspace, names: Sequence[str]) -> list[Finding]:
    """What is not as it would be written now. An adapter nobody asked for by name may be absent."""
    told = [(one, _SAID[found]) for one, found in states(workspace, names) if found in _SAID and _counts(found, names)]
    return [Finding(one.path, 0, rule, message, hint=hint or way_out(one.path)) for one, (rule, message, hint) in told]


def _counts(found: str, names: Sequence[str]) -> bool:
    return bool(names) or found not in ("absent", "link")


def refresh_request(
    workspace: Workspace, names: Sequence[str], reviewer: str, always: bool | None, acknowledged: Sequence[str]
) -> Request:
    """``always``: whether what is always delivered stands in the blocks; None: where it does already."""
    chosen = used(workspace, names)
    wanted = any(_lists(workspace, ADAPTERS[name]) for name in chosen) if always is None else always
    said = {"always": always_texts(workspace) if wanted else None}
    return request(workspace, "adapters.refresh", {**_said(chosen, acknowledged), **said}, reviewer)


def remove_request(workspace: Workspace, names: Sequence[str], reviewer: str, acknowledged: Sequence[str]) -> Request:
    return request(workspace, "adapters.remove", _said(used(workspace, names), acknowledged), reviewer)


def text(workspace: Workspace, always: bool) -> str:
    return inner_text(always_texts(workspace) if always else None)


def _said(names: Sequence[str], acknowledged: Sequence[str]) -> dict[str, Any]:
    return {"names": list(names), "acknowledged": sorted(acknowledged)}


def _lists(workspace: Workspace, adapter: Adapter) -> bool:
    try:
        data = read(workspace.tree, adapter)
        found = find(adapter.path, data) if data is not None else None
    except Refused:
        return False
    return found is not None and found.always
