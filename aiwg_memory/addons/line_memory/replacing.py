"""Plan that one fact takes the place of another, or of several."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from aiwg_memory.addons.line_memory.adding import Neighbours, bring
from aiwg_memory.addons.line_memory.adopting import inherited
from aiwg_memory.addons.line_memory.asking import ATTRIBUTES
from aiwg_memory.addons.line_memory.desk import Desk
from aiwg_memory.addons.line_memory.first import named, quote, sourced
from aiwg_memory.addons.line_memory.store import LIVE
from aiwg_memory.addons.line_memory.text import handle_of
from aiwg_memory.core.candidates import House
from aiwg_memory.core.dependencies import unite
from aiwg_memory.core.operations import Note, Plan, Request
from aiwg_memory.core.records import Version
from aiwg_memory.core.tree import Tree


def supersede(tree: Tree, request: Request) -> Plan:
    """One target, and its successor as one text or a ``replacement`` that is there; it inherits what is not stated."""
    desk = Desk(tree, request)
    targets = desk.arguments.get("targets", ())
    texts = desk.arguments.get("texts", ())
    known = desk.arguments.get("replacement")
    if len(targets) != 1 or len(texts) + (known is not None) != 1:
        desk.wrong("argument", "supersede takes one fact, and one text or one replacement")
        return desk.plan("")
    olds = _olds(desk)
    text = desk.store.live().get(known) if known else _only(desk)
    if known and text is None:
        desk.wrong("not-found", f"{known} is no fact that is there")
    if olds and text is not None:
        if handle_of(text) == olds[0].handle:
            desk.wrong("argument", f"{olds[0].handle} cannot take its own place")
        bring(desk, text, {**inherited(desk, olds[0]), "parents": [olds[0].handle]}, Neighbours(desk))
        _end(desk, olds[0], "superseded", text)
    return desk.plan(f"supersede {_named(desk, targets)}")


def supersede_by(tree: Tree, request: Request, house: House) -> Plan:
    """The targets give way to ``replacement``, which is no fact but stands: a canonical value."""
    desk = Desk(tree, request)
    handle = desk.arguments["replacement"]
    found = house.standing(handle)
    if found is None or not found.digests:
        desk.wrong("not-found", f"{handle} is not there", "`canon list` shows the keys there are")
    elif found.lifecycle != "active":
        desk.wrong("transition", f"{handle} is {found.lifecycle}; what takes a fact's place is active")
    for old in _olds(desk):
        desk.record(old.handle, (old,), {"status": "superseded", "replacement": handle})
        desk.drop(old.handle)
        desk.supersedes.append(Note(old.handle, f"gives way to {handle}"))
    return desk.plan(f"supersede {_named(desk, desk.arguments['targets'])} by {handle}")


def merge(tree: Tree, request: Request) -> Plan:
    """Several targets become one text, which may be that of one of them. Sources and dependencies are united.

    An attribute in which the targets differ has to be stated: merging decides nothing by itself.
    """
    desk = Desk(tree, request)
    if len(desk.arguments.get("targets", ())) < 2 or len(desk.arguments.get("texts", ())) != 1:
        desk.wrong("argument", "merge takes two or more facts and one text")
        return desk.plan("")
    olds = _olds(desk)
    text = _only(desk)
    if text is not None and len(olds) == len(desk.arguments["targets"]):
        handle = handle_of(text)
        others = [old for old in olds if old.handle != handle]
        extra = {**_common(desk, olds), "parents": sorted(old.handle for old in others)}
        bring(desk, text, extra, Neighbours(desk))
        for old in others:
            _end(desk, old, "merged", text)
    return desk.plan(f"merge {_named(desk, desk.arguments['targets'])}")


def _named(desk: Desk, targets: Sequence[Mapping[str, Any]]) -> str:
    return named([desk.store.text(one["handle"]) or one["handle"] for one in targets])


def _only(desk: Desk) -> str | None:
    got = desk.fact(desk.arguments["texts"][0])
    return got[0] if got else None


def _olds(desk: Desk) -> list[Version]:
    """The current versions of the targets that are there and have a record; what is wrong with the others is noted."""
    found = []
    for target in desk.arguments["targets"]:
        heads = desk.heads(target)
        if heads is None:
            continue
        if not heads:
            desk.wrong("transition", f"{target['handle']} has no record yet", "adopt it first")
        elif heads[0].status not in LIVE:
            desk.wrong("transition", f"{target['handle']} is {heads[0].status}; only a fact that is there is replaced")
        else:
            found.append(heads[0])
    return found


def _end(desk: Desk, old: Version, status: str, text: str) -> None:
    handle = handle_of(text)
    desk.record(old.handle, (old,), {"status": status, "replacement": handle})
    desk.drop(old.handle)
    desk.supersedes.append(Note(old.handle, f"is {status} into {handle}: {quote(text)}"))


def _common(desk: Desk, olds: list[Version]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for name in ATTRIBUTES:
        found = sorted({old.text(name) for old in olds})
        if name in desk.arguments:
            continue
        if len(found) > 1:
            said = " and ".join(one or "nothing" for one in found)
            desk.wrong("argument", f"the facts differ in {name} ({said})", f"state the {name} of the merged fact")
        elif found[0]:
            values[name] = found[0]
    values["sources"] = sourced(
        source for given in ([old.list("sources") for old in olds], [desk.arguments.get("sources", ())])
        for several in given for source in several
    )  # fmt: skip
    envelopes = [old.object("dependencies") or None for old in olds]
    if any(envelopes):
        values["dependencies"] = unite(envelopes)
    return values
