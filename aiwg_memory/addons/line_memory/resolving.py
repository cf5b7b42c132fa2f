"""Plan the end of a fork: one head stands, and the version that says so names them all."""

from __future__ import annotations

from typing import Any

from aiwg_memory.addons.line_memory.desk import Desk
from aiwg_memory.addons.line_memory.first import sourced
from aiwg_memory.addons.line_memory.store import LIVE
from aiwg_memory.addons.line_memory.text import handle_of
from aiwg_memory.core.dependencies import unite
from aiwg_memory.core.operations import Note, Plan, Request
from aiwg_memory.core.records import Version
from aiwg_memory.core.tree import Tree


def resolve(tree: Tree, request: Request) -> Plan:
    """One target, whose ``expected`` lists the digests of all heads; ``keep`` is the digest of the one that stands.

    The text has to be there or in ``texts`` when the head that stands is of a fact that has one.
    """
    desk = Desk(tree, request)
    targets = desk.arguments.get("targets", ())
    if len(targets) != 1:
        desk.wrong("argument", "resolve takes one fact at a time")
    else:
        heads = desk.heads(targets[0])
        if heads is not None and len(heads) < 2:
            desk.wrong("transition", f"{targets[0]['handle']} has no fork to settle")
        elif heads is not None:
            _settle(desk, heads)
    return desk.plan("settle the fork of 1 fact")


def _settle(desk: Desk, heads: tuple[Version, ...]) -> None:
    keep = desk.arguments["keep"]
    chosen = next((head for head in heads if head.digest == keep), None)
    if chosen is None:
        return desk.wrong("argument", f"{keep} is no head of {heads[0].handle}", "keep names one of the heads")
    ordered = (chosen, *(head for head in heads if head is not chosen))
    envelopes = [head.object("dependencies") for head in ordered if head.object("dependencies")]
    changes: dict[str, Any] = {
        "sources": sourced(source for head in ordered for source in head.list("sources")),
        "parents": sorted({parent for head in ordered for parent in head.list("parents")}),
    }
    if envelopes:
        changes["dependencies"] = unite(envelopes)
    desk.record(chosen.handle, ordered, changes)
    for head in ordered[1:]:
        said = f"the decision of {head.text('reviewer')} ({head.status}, {head.text('review')}) does not stand"
        desk.conflicts.append(Note(head.handle, said))
    if chosen.status not in LIVE:
        return desk.drop(chosen.handle)
    texts = [got[0] for raw in desk.arguments.get("texts", ()) if (got := desk.fact(raw))]
    text = next((one for one in texts if handle_of(one) == chosen.handle), desk.store.text(chosen.handle))
    if text is None:
        return desk.wrong("fact-text", f"the text of {chosen.handle} is gone with its file", "give the text")
    return desk.place(text)
