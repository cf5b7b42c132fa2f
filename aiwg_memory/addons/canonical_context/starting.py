"""Plan that canonical context is kept here: until then nobody can set a value."""

from __future__ import annotations

from aiwg_memory.addons.canonical_context.layout import MARKER, STORE
from aiwg_memory.addons.canonical_context.store import started
from aiwg_memory.core.desk import Desk
from aiwg_memory.core.operations import Note, Plan, Request
from aiwg_memory.core.tree import Tree


def init(tree: Tree, request: Request) -> Plan:
    """The same bytes on every branch, so that two branches that turn it on have nothing to merge."""
    desk = Desk(tree, request, "canonical_request.v1", needs=())
    if started(tree):
        desk.duplicates.append(Note(STORE, "canonical context is turned on already"))
    else:
        desk.draft.write(STORE, MARKER)
    return desk.plan("turn on canonical context in this workspace")
