"""How many pins there are, which are stale, and what to do next."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from aiwg_memory.core.counting import counted
from aiwg_memory.core.paths import RepoPath
from aiwg_memory.core.tree import Tree

_PINS = RepoPath(".aiwg/pins")


def status(tree: Tree) -> Mapping[str, Any]:
    """``state`` ready or degraded, ``reasons``, ``counts`` and ``next``."""
    counts = {"pins": 0, "stale": 0}
    if tree.stat(_PINS) is None:
        return {"state": "ready", "reasons": [], "counts": counts, "next": []}
    from aiwg_memory.addons.instructions.asking import discovery
    from aiwg_memory.addons.instructions.checking import pins
    from aiwg_memory.addons.instructions.store import read_all
    from aiwg_memory.core.findings import Finding

    problems: list[Finding] = []
    counts["pins"] = sum(history.current is not None for history in read_all(tree, problems, last=True))
    found = [each for each in pins(discovery(tree), tree) if each.severity == "error"]
    counts["stale"] = sum(each.rule == "pin-stale" for each in found)
    broken = [f"{each.path}: {each.message}" for each in found if each.rule in ("pin", "pin-text", "pin-fork")]
    steps = [f"look at {counted(counts['stale'], 'stale pin')}: instructions check"] if counts["stale"] else []
    return {"state": "degraded" if broken else "ready", "reasons": broken, "counts": counts, "next": steps}
