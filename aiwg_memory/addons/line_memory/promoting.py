"""The line-memory sink: an accepted statement becomes a fact, or one more source of a fact that is known."""

from __future__ import annotations

from aiwg_memory.addons.line_memory.adding import Neighbours, bring
from aiwg_memory.addons.line_memory.desk import Desk
from aiwg_memory.core.candidates import Statement
from aiwg_memory.core.operations import Plan, Request
from aiwg_memory.core.tree import Tree


def promote(tree: Tree, request: Request, statement: Statement) -> Plan:
    """It begins confirmed: a person accepted exactly these words. What a known fact says of itself stays."""
    arguments = {
        "texts": [statement.text],
        "sources": [dict(one) for one in statement.sources],
        "provenance": statement.provenance,
        "dependencies": dict(statement.dependencies),
        "acknowledged": list(statement.acknowledged),
    }
    desk = Desk(tree, request.part("line-memory.add", arguments))
    if statement.target:
        desk.wrong("argument", f"line-memory takes no place; {statement.target!r} was given")
    got = desk.fact(statement.text, "the statement")
    if got is not None:
        said = {
            "kind": statement.kind,
            "scope": statement.scope,
            "classification": statement.classification,
            "review": "confirmed",
        }
        bring(desk, got[0], said, Neighbours(desk))
    return desk.plan("add 1 fact")
