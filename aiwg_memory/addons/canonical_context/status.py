"""How the canonical context of a tree is, what rests on a source, and what is not handed out any more."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from aiwg_memory.core.counting import counted
from aiwg_memory.core.paths import RepoPath
from aiwg_memory.core.tree import Tree

_ROOT = RepoPath(".aiwg/context/compound-memory")


def status(tree: Tree) -> dict[str, Any]:
    """``state`` is ready, or degraded with ``reasons``; ``counts`` and ``next`` are for a person."""
    if tree.stat(_ROOT) is None:
        return {"state": "ready", "reasons": [], "counts": {"keys": 0}, "next": []}
    from aiwg_memory.addons.canonical_context.store import read

    store = read(tree)
    reasons = [f"{one.path}:{one.line}: {one.message}" for one in store.findings if one.severity == "error"]
    states = Counter("keys" if one.active else str(one.versions[0]["status"]) for one in store.files.values())
    pending = sum(1 for one in store.files.values() if one.active and one.active["review"] == "pending")
    if not store.started and store.files:
        reasons.append("there are keys, but canonical context is not turned on")
    return {
        "state": "degraded" if reasons else "ready",
        "reasons": reasons,
        "counts": {"keys": states.pop("keys", 0), **dict(sorted(states.items()))},
        "next": [f"{counted(pending, 'canonical value')} to review: `canon list`"] if pending else [],
    }


def dependents(tree: Tree, source: str) -> Iterator[str]:
    """Handles of keys whose active version rests on ``source``: a locator, a digest or a handle."""
    from aiwg_memory.addons.canonical_context.store import read

    for place, found in read(tree).files.items():
        active = found.active
        if active is None:
            continue
        leaves = (active.get("dependencies") or {}).get("leaves") or ()
        named = [one for one in (*(active.get("sources") or ()), *leaves) if isinstance(one, dict)]
        if any(source in (one.get("ref"), one.get("digest")) for one in named):
            yield place.handle


def withheld(tree: Tree) -> dict[str, str]:
    """Keys of which a version was revoked or forgotten: an older tree may hold just that one, so it gives none."""
    from aiwg_memory.addons.canonical_context.store import read

    found = {}
    for place, file in read(tree).files.items():
        if any(one.get("forgotten") for one in file.versions):
            found[place.handle] = "forgotten"
        elif any(one["status"] == "revoked" for one in file.versions):
            found[place.handle] = "revoked"
    return found
