"""The canonical-context sink: an accepted statement becomes the value of the key that a person named."""

from __future__ import annotations

from aiwg_memory.addons.canonical_context.layout import Place
from aiwg_memory.addons.canonical_context.opening import opened_at
from aiwg_memory.addons.canonical_context.setting import clean, obstacle, put
from aiwg_memory.core.candidates import Statement
from aiwg_memory.core.desk import Desk
from aiwg_memory.core.operations import Plan, Request
from aiwg_memory.core.tree import Tree


def promote(tree: Tree, request: Request, statement: Statement) -> Plan:
    """``target`` is ``TARGET/KEY``. It begins confirmed: a person accepted exactly these words. A value that stands is
    replaced only when its version was acknowledged by its handle."""
    target, _, key = statement.target.partition("/")
    arguments = {
        "target": target,
        "key": key,
        "value": statement.text,
        "provenance": statement.provenance,
        "dependencies": dict(statement.dependencies),
        "classification": statement.classification,
        "sources": [dict(one) for one in statement.sources],
    }
    part = request.part("canonical-context.set", arguments)
    desk = Desk(tree, part, "canonical_request.v1", needs=("target", "key", "value"), takes=tuple(arguments))
    if not key:
        hint = "write it as canonical-context:project-fact/catalog.engine"
        desk.wrong("canonical-key", f"{statement.target or 'nothing'} names no target and key", hint)
        return desk.plan("")
    found = opened_at(desk, Place(target, key, statement.scope))
    value = clean(desk, statement.text)
    if found is None or value is None:
        return desk.plan("")
    stops = obstacle(found, value, statement.acknowledged)
    if stops:
        desk.refuse("canonical-conflict", stops[1], f"--acknowledge {stops[0]} goes on all the same", found.place.path)
    put(desk, found, value, {**arguments, "review": "confirmed"})
    return desk.plan(f"set {found.place.handle}")
