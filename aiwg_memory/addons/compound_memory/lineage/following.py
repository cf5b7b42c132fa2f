"""Plan that cited lines of files are followed to where they are now, in every store that cites some."""

from __future__ import annotations

from aiwg_memory.addons.compound_memory.joining import joined
from aiwg_memory.addons.compound_memory.maintaining.carrying import carried_out
from aiwg_memory.core.candidates import House
from aiwg_memory.core.counting import counted
from aiwg_memory.core.desk import Desk
from aiwg_memory.core.following import MOVED_NOTES, moves_of
from aiwg_memory.core.operations import Note, Plan, Request
from aiwg_memory.core.tree import Tree


def reanchor(tree: Tree, request: Request, house: House) -> Plan:
    """The same steps that maintenance would offer."""
    desk = Desk(tree, request, "lineage_request.v1", needs=(MOVED_NOTES,), takes=("reason",))
    offered = [step for offer in house.upkeep.values() for step in offer(tree, request) if step.kind == "reanchor"]
    for handle in sorted(set(moves_of(request)) - {step.subject for step in offered}):
        desk.conflicts.append(Note(handle, "has no one version to follow the lines for; resolve its fork first"))
    given = {"reason": desk.arguments["reason"]} if desk.arguments.get("reason") else {}
    parts = carried_out(desk, house, offered, given)
    return joined(desk, parts, f"follow the lines that {counted(len(offered), 'item')} cited")
