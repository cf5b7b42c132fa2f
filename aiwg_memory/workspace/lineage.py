"""Where something comes from, what rests on it, and the request that withdraws it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from aiwg_memory.core.dimensions import INTERNAL
from aiwg_memory.core.lineage import ACTIONS, Graph, Thing, lines
from aiwg_memory.core.tree import Tree
from aiwg_memory.errors import NotFound, UsageError

if TYPE_CHECKING:
    from aiwg_memory.workspace import Workspace

MAX_LINES = 2000


def graph(workspace: Workspace, tree: Tree) -> Graph:
    """Everything with a lineage in ``tree``, each store read once."""
    from aiwg_memory.workspace.composing import parts

    return Graph(thing for part in parts(workspace).values() for thing in part.things(tree))


def show(workspace: Workspace, name: str) -> dict[str, Any]:
    """``roots`` are what ``name`` means; ``rests_on`` and ``resting`` are lines of a tree: ``depth``, ``name``, what it
    is, and ``again`` where it was printed above. What is private has handle and digest alone. Raises NotFound.
    """
    found, roots = _named(workspace, name)
    told: dict[str, Any] = {"roots": [_told(found, root) for root in roots]}
    for key, up in (("rests_on", True), ("resting", False)):
        rows = [
            {"depth": depth, **_told(found, one), "again": again}
            for root in roots
            for depth, one, again in lines(found, root, up=up)
        ]
        told[key], told["truncated"] = rows[:MAX_LINES], told.get("truncated", False) or len(rows) > MAX_LINES
    return told


def affected(workspace: Workspace, name: str) -> dict[str, Any]:
    """Whatever rests on ``name``, however far, nearest first; ``legal`` is what may become of it. Raises NotFound."""
    from aiwg_memory.core.lineage import LEGAL

    found, roots = _named(workspace, name)
    rows = [
        {**_told(found, one.thing.handle), "depth": one.depth, "via": one.via,
         "legal": list(LEGAL[one.thing.layer]) if one.thing.live else []}
        for one in found.affected(roots)
    ]  # fmt: skip
    named = [_told(found, root) for root in roots]
    return {"roots": named, "affected": rows, "total": len(rows), "truncated": False}


def _named(workspace: Workspace, name: str) -> tuple[Graph, list[str]]:
    found = graph(workspace, workspace.tree)
    roots = found.roots(name)
    if not roots:
        raise NotFound(
            f"nothing here is called {name}, and nothing cites it",
            hint="name a handle, a digest, a source's locator or a file's path",
        )
    return found, roots


def _told(found: Graph, name: str) -> dict[str, Any]:
    thing = found.things.get(name)
    if thing is None:
        return {
            "handle": name, "layer": "source", "status": "not stored here", "classification": "", "digest": "",
            "shown": True, "text": "", "path": "",
        }  # fmt: skip
    shown = thing.classification in INTERNAL
    text = thing.text if len(thing.text) <= 160 else thing.text[:159] + "…"
    return {
        "handle": name, "layer": thing.layer, "status": thing.status, "classification": thing.classification,
        "digest": thing.digest, "shown": shown, "text": text if shown else "", "path": _path(thing) if shown else "",
    }  # fmt: skip


def _path(thing: Thing) -> str:
    """Where the bytes of a source are: raw evidence and outputs are files as they are."""
    return thing.text if thing.layer in ("raw", "outputs") else ""


def revoke_arguments(
    workspace: Workspace, source: str, action: str, exceptions: Sequence[str], reason: str
) -> dict[str, Any]:
    """``exceptions`` are ``HANDLE=ACTION`` or ``HANDLE=supersede:REPLACEMENT``; handles may be given by their
    beginning. Raises UsageError, all problems together."""
    found = graph(workspace, workspace.tree)
    problems: list[str] = []
    named: dict[str, Mapping[str, str]] = {}
    for each in exceptions:
        handle, _, said = each.rpartition("=")
        verb, _, replacement = said.partition(":")
        if not handle or verb not in ACTIONS:
            problems.append(f"--for {each} is not HANDLE=ACTION; the actions are {', '.join(ACTIONS)}")
            continue
        full = found.roots(handle)
        if len(full) != 1:
            problems.append(f"--for {each}: {handle} names {'nothing here' if not full else 'several things'}")
            continue
        one = {"handle": full[0], "action": verb}
        if replacement:
            meant = found.roots(replacement)
            one["replacement"] = meant[0] if len(meant) == 1 else replacement
        if named.setdefault(full[0], one) != one:
            problems.append(f"--for names {full[0]} twice")
    if problems:
        raise UsageError("; ".join(problems), hint="`lineage affected SOURCE` lists the handles")
    arguments: dict[str, Any] = {"source": source, "action": action}
    arguments |= {"for": [dict(named[handle]) for handle in sorted(named)]} if named else {}
    return arguments | ({"reason": reason} if reason else {})
