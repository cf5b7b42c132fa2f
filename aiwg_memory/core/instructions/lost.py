"""Texts that reach some agent through a link alone, and this tool's readers not at all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from aiwg_memory.core.findings import Finding
from aiwg_memory.core.instructions.agents import AGENTS
from aiwg_memory.core.instructions.compare import Chain, Shelf, view
from aiwg_memory.core.instructions.settled import inside, link_target
from aiwg_memory.core.instructions.targets import levels
from aiwg_memory.core.paths import RepoPath
from aiwg_memory.core.tree import Tree


def lost_through_links(tree: Tree, target: str, delivered: Sequence[str]) -> list[dict[str, Any]]:
    """Each link on the way whose text is not among ``delivered``: where it leads, its bytes, the agents that see it."""
    problems: list[Finding] = []
    name, found = levels(tree, target, problems)
    chain = Chain(Shelf(tree), found, name)
    links = [path for path, entry in chain.present.items() if entry.kind == "link"]
    if not links:
        return []
    seen = {agent.title: {row.path for row in view(chain, agent).rows if row.seen} for agent in AGENTS}
    lost = []
    for path in links:
        said = link_target(tree, path)
        where: RepoPath | None = inside(path, said) if said is not None else None
        if where in delivered:
            continue
        behind = chain.shelf.look(where) if where else None
        regular = behind is not None and behind.kind == "file"
        lost.append(
            {
                "path": path,
                "leads_to": str(where) if where else "outside the workspace",
                "size": behind.size if behind is not None and regular else 0,
                "seen_by": [title for title, paths in seen.items() if path in paths],
            }
        )
    return lost
