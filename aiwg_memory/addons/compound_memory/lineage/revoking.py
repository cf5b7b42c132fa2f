"""Plan that a source is withdrawn: the whole blast radius, one decision about each of it, in one plan."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from aiwg_memory.addons.compound_memory.lineage.own import joined
from aiwg_memory.core.candidates import House
from aiwg_memory.core.desk import Desk
from aiwg_memory.core.lineage import LEGAL, Decision, Graph, Part, Reached, Thing, leaf, plain, withdrawn
from aiwg_memory.core.operations import Note, Plan, Request
from aiwg_memory.core.tree import Tree

_STORES = ("line-memory", "llm-wiki", "canonical-context")
_UNSEEN = "is not enabled, so what rests on the source there is not seen; it is withheld when it is enabled again"
_ENDS = ("revoke", "delete", "supersede")
_DONE = {
    "retain": "is retained", "revoke": "is revoked", "supersede": "is superseded", "delete": "is deleted",
    "origin-unavailable": "loses its origin",
}  # fmt: skip


def revoke(tree: Tree, request: Request, house: House) -> Plan:
    """``source`` is what was looked up, ``action`` what becomes of whatever rests on it, ``for`` the exceptions.

    The source itself is revoked where dependents are retained. What is history already is told and left as it is.
    """
    desk = Desk(tree, request, "lineage_request.v1", needs=("source", "action"), takes=("for", "reason"))
    owner: dict[str, Part] = {}
    graph = Graph(_owned(tree, house.parts, owner))
    roots = graph.roots(desk.arguments["source"])
    if not roots:
        what = f"nothing here is called {desk.arguments['source']}, and nothing cites it"
        desk.wrong("not-found", what, "`raw list`, `facts list` and `outputs list` show what there is")
        return desk.plan("")
    reached = graph.affected(roots)
    decisions = _Decisions(desk, graph, roots, reached)
    if not desk.sound:
        return desk.plan("")
    desk.conflicts += [Note(name, _UNSEEN) for name in _STORES if name not in house.parts]
    parts = [
        part.dispose(tree, request, mine)
        for part in house.parts.values()
        if (mine := [one for one in decisions.made if owner[one.thing.handle] is part])
    ]
    whole = joined(request, parts)
    held = desk.plan("")
    return replace(
        whole,
        summary=_summary(roots, decisions.made) if whole.changes else "nothing to change",
        conflicts=(*held.conflicts, *whole.conflicts),
        warnings=tuple(dict.fromkeys((*held.warnings, *whole.warnings))),
    )


def _owned(tree: Tree, parts: Mapping[str, Part], owner: dict[str, Part]) -> list[Thing]:
    found = []
    for part in parts.values():
        for thing in part.things(tree):
            owner[thing.handle] = part
            found.append(thing)
    return found


class _Decisions:
    """One for every thing in the blast radius that still counts, the source first."""

    def __init__(self, desk: Desk, graph: Graph, roots: Sequence[str], reached: Sequence[Reached]) -> None:
        self._desk, self._graph = desk, graph
        self._named = {one["handle"]: one for one in desk.arguments.get("for", ())}
        self.made: list[Decision] = []
        self._radius = {*roots, *(one.thing.handle for one in reached)}
        self._leaves = [leaf(graph.things[root]) if root in graph.things else _outside(root) for root in roots]
        for root in roots:
            if root in graph.things:
                self._root(graph.things[root])
        for one in reached:
            self._dependent(one)
        for handle in self._named:
            if handle not in self._radius:
                desk.wrong("argument", f"{handle} does not rest on {desk.arguments['source']}", "leave it out")
        self._replacements()

    def _root(self, thing: Thing) -> None:
        asked = self._named.get(thing.handle, {}).get("action")
        default = self._desk.arguments["action"]
        if asked == "retain":
            self._desk.wrong("argument", f"{thing.handle} is the source itself; it is not retained")
            return
        self._take(thing, asked or ("revoke" if default in ("retain", "supersede") else default), "is the source")

    def _dependent(self, one: Reached) -> None:
        asked = self._named.get(one.thing.handle, {}).get("action")
        if not one.thing.live:
            note = f"was {one.thing.status.replace('_', ' ')} already, and stays so; it rests on {one.via}"
            self._desk.conflicts.append(Note(one.thing.handle, note))
            if asked:
                self._desk.wrong("transition", f"{one.thing.handle} is {one.thing.status}; there is nothing to decide")
            return
        self._take(one.thing, asked or self._desk.arguments["action"], f"rests on {one.via}")

    def _take(self, thing: Thing, action: str, why: str) -> None:
        if action not in LEGAL[thing.layer]:
            said = f"{thing.handle} cannot be disposed of by {action}; legal are {', '.join(LEGAL[thing.layer])}"
            self._desk.wrong("disposition", said, f"name another with --for {thing.handle}=ACTION")
            return
        replacement = str(self._named.get(thing.handle, {}).get("replacement") or "")
        if (action == "supersede") != bool(replacement):
            said = "names what takes its place" if action == "supersede" else "names nothing in its place"
            hint = f"write it as --for {thing.handle}=supersede:REPLACEMENT"
            self._desk.wrong("disposition", f"{action} of {thing.handle} {said}", hint)
            return
        envelope = self._envelope(thing, action)
        self.made.append(Decision(thing, action, replacement, envelope))
        self._desk.conflicts.append(Note(thing.handle, f"{_DONE[action]}: {_quoted(thing)}; it {why}"))

    def _envelope(self, thing: Thing, action: str) -> Mapping[str, Any]:
        request = self._desk.request
        if action == "retain":
            kept = {"by": request.reviewer, "at": request.at, "sources": self._withdrawn(thing)}
            reason = self._desk.arguments.get("reason", "")
            return withdrawn(thing, self._leaves, {**kept, **({"reason": reason} if reason else {})})
        if action == "origin-unavailable":
            return withdrawn(thing, self._leaves, None)
        return {}

    def _withdrawn(self, thing: Thing) -> list[str]:
        """Everything it cites that is in the blast radius, as it is cited and by handle; the source, however far."""
        named = {str(one["ref"]) for one in self._leaves}
        for ground, handles in self._graph.rests_on(thing.handle):
            if self._radius.intersection(handles):
                named.update((plain(str(ground["ref"])), *handles))
        return sorted(named)

    def _replacements(self) -> None:
        ended = {one.thing.handle for one in self.made if one.action in _ENDS}
        for one in self.made:
            if one.replacement in ended:
                said = f"{one.replacement} ends in the same operation and takes the place of nothing"
                self._desk.wrong("disposition", said, "name something that stays")


def _outside(root: str) -> dict[str, Any]:
    return {"kind": "source", "ref": root, "digest": None, "scope": "global"}


def _quoted(thing: Thing) -> str:
    text = thing.text or thing.layer
    return f"“{text if len(text) <= 80 else text[:79] + '…'}”"


def _summary(roots: Sequence[str], made: Sequence[Decision]) -> str:
    counts: dict[str, int] = {}
    for one in made:
        if one.thing.handle not in roots:
            counts[one.action] = counts.get(one.action, 0) + 1
    told = ", ".join(f"{action} {counts[action]}" for action in sorted(counts)) or "nothing rests on it"
    return f"withdraw {', '.join(roots)}; of what rests on it: {told}"


def undo(tree: Tree, request: Request, house: House) -> Plan:
    """The inverse, asked of each store for its own files."""
    receipt = request.arguments["receipt"]
    whole = joined(request, house.undo(tree, request))
    return replace(whole, summary=f"undo {receipt['kind']} of {receipt['seg']}")
