"""What no single addon sees: what all stores give to every session together, and where that was copied to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aiwg_memory.core.findings import Finding
from aiwg_memory.core.gate.standing import over_cap
from aiwg_memory.workspace.checking import guarded, judged, merged

if TYPE_CHECKING:
    from aiwg_memory.core.tree import Tree
    from aiwg_memory.workspace import Workspace


def today(workspace: Workspace, tree: Tree) -> list[Finding]:
    """What each addon finds, those that judge dates told the day, and the cap that all share."""
    return merged([*judged(workspace.addons, tree, None, workspace.now[:10]), *over(workspace)])


def over(workspace: Workspace) -> list[Finding]:
    """What is always delivered, of every store, held to its cap."""
    from aiwg_memory.workspace.retrieval import retriever

    def judge() -> list[Finding]:
        with retriever(workspace) as index:
            return over_cap(index.always(), workspace.config)

    return guarded("standing", judge)


def copied(workspace: Workspace) -> list[Finding]:
    """Blocks in the files of agents that tell what is no longer so: warnings, since refreshing mends them. What was
    done to a block by hand is judged with the instructions."""
    from aiwg_memory.workspace.adapting import findings

    found = guarded("adapters", lambda: findings(workspace, ()))
    return [one._replace(severity="warning") for one in found if one.rule == "adapter-stale"]
