"""Facts that rest on lines of files which go on changing: do the lines still stand, and following them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from aiwg_memory.addons.line_memory.desk import Desk
from aiwg_memory.addons.line_memory.store import Store
from aiwg_memory.addons.line_memory.text import RECORDS
from aiwg_memory.core.anchors import GONE, MOVED, VERIFIED, Found, locate
from aiwg_memory.core.findings import Finding
from aiwg_memory.core.operations import MAX_FILE, Note, Plan, Request
from aiwg_memory.core.paths import RepoPath, path_problem
from aiwg_memory.core.screening import protected_source
from aiwg_memory.core.tree import Tree
from aiwg_memory.errors import AiwgError


def anchors(store: Store) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Handle and source of every citation of lines of a file by a fact that is there."""
    for handle in store.live():
        head = store.current(handle)
        for source in head.list("sources") if head is not None else ():
            if isinstance(source.get("anchor"), dict):
                yield handle, source


def found_in(tree: Tree, source: Mapping[str, Any], ref: str = "") -> Found | None:
    """Where the lines are in the file they are cited from, or in ``ref``; None where that file is not there."""
    name = ref or str(source.get("ref"))
    if path_problem(name) or protected_source(name):
        return None
    try:
        entry = tree.stat(RepoPath(name))
        if entry is None or entry.kind != "file":
            return None
        return locate(tree.read(RepoPath(name), limit=MAX_FILE), source)
    except AiwgError:
        return None


def findings(tree: Tree, store: Store) -> Iterator[Finding]:
    """Warnings for lines that are not where they were cited, each file read once a citation."""
    for handle, source in anchors(store):
        found = found_in(tree, source)
        place = f"{source['ref']}#{source.get('span')}"
        if found is None:
            message = f"{handle} rests on {place}; the file is not there"
            hint = "`lineage reanchor` looks for a file it was renamed to"
            yield Finding(RECORDS, 0, "source-vanished", message, "warning", hint)
        elif found.state == MOVED:
            message = f"{handle} rests on {place}; the lines are {found.span} now"
            yield Finding(RECORDS, 0, "source-moved", message, "warning", "`lineage reanchor` follows them")
        elif found.state == GONE:
            message = f"{handle} rests on {place}; the lines are not what was cited"
            hint = "look whether the fact still holds, then supersede or revoke it"
            yield Finding(RECORDS, 0, "source-changed", message, "warning", hint)


def reanchor(tree: Tree, request: Request) -> Plan:
    """Each of ``moves`` names a citation and where its lines are now; refused unless the same lines stand there."""
    desk = Desk(tree, request)
    for target in desk.arguments.get("targets", ()):
        heads = desk.heads(target)
        if not heads:
            continue
        moves = {(move["ref"], move["span"]): move for move in target.get("moves", ())}
        sources = []
        for source in heads[0].list("sources"):
            move = moves.pop((source.get("ref"), source.get("span")), None)
            sources.append(dict(source) if move is None else _moved(desk, tree, target["handle"], source, move))
        for ref, span in moves:
            desk.wrong("argument", f"{target['handle']} does not rest on {ref}#{span}", "look at it again")
        desk.record(target["handle"], heads, {"sources": sources})
    count = len(desk.subjects)
    return desk.plan(
        f"follow the lines that {count} fact{'' if count == 1 else 's'} rest{'s' if count == 1 else ''} on"
    )


def _moved(desk: Desk, tree: Tree, handle: str, source: Mapping[str, Any], move: Mapping[str, Any]) -> dict[str, Any]:
    new = {**source, "ref": move["to"], "span": move["to_span"]}
    found = found_in(tree, new)
    if found is None or found.state != VERIFIED:
        desk.wrong("anchor", f"{move['to']}#{move['to_span']} does not hold the lines that {handle} rests on")
    desk.conflicts.append(Note(handle, f"{source['ref']}#{source['span']} is {move['to']}#{move['to_span']} now"))
    return new
