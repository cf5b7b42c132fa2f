"""Following the lines that facts cite to where they are now."""

from __future__ import annotations

from aiwg_memory.addons.line_memory.desk import Desk
from aiwg_memory.core.counting import counted
from aiwg_memory.core.following import followed
from aiwg_memory.core.operations import Plan, Request
from aiwg_memory.core.tree import Tree


def reanchor(tree: Tree, request: Request) -> Plan:
    """Each of ``moves`` names a citation and where its lines are now; refused unless the same lines stand there."""
    desk = Desk(tree, request)
    for target in desk.arguments.get("targets", ()):
        heads = desk.heads(target)
        if heads:
            handle = target["handle"]
            desk.record(
                handle, heads, {"sources": followed(desk, handle, heads[0].list("sources"), target.get("moves", ()))}
            )
    return desk.plan(f"follow the lines that {counted(len(desk.subjects), 'fact')} cited")
