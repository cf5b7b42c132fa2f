"""How outputs and candidates are, together."""

from __future__ import annotations

from typing import Any

from aiwg_memory.addons.compound_memory.candidates import catalogue as of_candidates
from aiwg_memory.addons.compound_memory.outputs import catalogue as of_outputs
from aiwg_memory.core.tree import Tree


def status(tree: Tree) -> dict[str, Any]:
    """``state``, ``reasons``, ``counts`` and ``next`` of both."""
    told = (of_outputs.status(tree), of_candidates.status(tree))
    reasons = [reason for one in told for reason in one["reasons"]]
    return {
        "state": "degraded" if reasons else "ready",
        "reasons": reasons,
        "counts": {name: count for one in told for name, count in one["counts"].items()},
        "next": [step for one in told for step in one["next"]],
    }
