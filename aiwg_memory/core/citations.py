"""Citations of lines of files which go on changing: do the lines still stand there, and following them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from aiwg_memory.core.anchors import GONE, MOVED, VERIFIED, Found, locate
from aiwg_memory.core.desk import Desk
from aiwg_memory.core.findings import Finding
from aiwg_memory.core.operations import Note, Request
from aiwg_memory.core.paths import RepoPath, path_problem
from aiwg_memory.core.records import read_line
from aiwg_memory.core.screening import protected_source
from aiwg_memory.core.stored import MAX_FILE
from aiwg_memory.core.tree import Tree
from aiwg_memory.errors import AiwgError

MOVED_NOTES = "moved"
"""The name of the argument that holds the digest of the moves among a request's inputs: handle to its moves."""

Move = Mapping[str, str]
"""``ref`` and ``span`` as they are cited, ``to`` and ``to_span`` where the lines are now."""


def with_anchor(sources: Iterable[Any]) -> Iterator[Mapping[str, Any]]:
    """Those of a thing's sources that are lines of a file and can be found again."""
    for source in sources:
        if isinstance(source, Mapping) and isinstance(source.get("anchor"), Mapping):
            yield source


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


def rests_on(handle: str, source: Mapping[str, Any]) -> str:
    return f"{handle} rests on {source['ref']}#{source.get('span')}; "


def doubts(tree: Tree, cited: Iterable[tuple[str, Mapping[str, Any]]], path: str, line: int = 0) -> Iterator[Finding]:
    """Warnings for lines that are not where they were cited, each file read once a citation."""
    for handle, source in cited:
        found = found_in(tree, source)
        said = rests_on(handle, source)
        if found is None:
            hint = "`lineage reanchor` looks for a file it was renamed to"
            yield Finding(path, line, "source-vanished", said + "the file is not there", "warning", hint)
        elif found.state == MOVED:
            hint = "`lineage reanchor` follows them"
            yield Finding(path, line, "source-moved", f"{said}the lines are {found.span} now", "warning", hint)
        elif found.state == GONE:
            hint = "look whether it still holds, then replace or revoke it"
            yield Finding(path, line, "source-changed", said + "the lines are not what was cited", "warning", hint)


def moves_of(request: Request) -> Mapping[str, Sequence[Move]]:
    """What was found in another place when the request was made, by handle; the plan looks again."""
    value, _ = read_line(request.inputs.get(str(request.arguments.get(MOVED_NOTES)), b"{}"))
    return value if isinstance(value, dict) else {}


def told(moves: Iterable[Move]) -> str:
    return ", ".join(f"{one['ref']}#{one['span']} is {one['to']}#{one['to_span']} now" for one in moves)


def followed(desk: Desk, handle: str, sources: Iterable[Mapping[str, Any]], moves: Iterable[Move]) -> list[Any]:
    """``sources`` as they are cited after the moves; wrong at the desk where not the same lines stand there."""
    waiting = {(move["ref"], move["span"]): move for move in moves}
    after = []
    for source in sources:
        move = waiting.pop((source.get("ref"), source.get("span")), None)  # type: ignore[arg-type]
        after.append(dict(source) if move is None else _moved(desk, handle, source, move))
    for ref, span in waiting:
        desk.wrong("argument", f"{handle} does not rest on {ref}#{span}", "look at it again")
    return after


def _moved(desk: Desk, handle: str, source: Mapping[str, Any], move: Move) -> dict[str, Any]:
    new = {**source, "ref": move["to"], "span": move["to_span"]}
    found = found_in(desk.tree, new)
    if found is None or found.state != VERIFIED:
        desk.wrong("anchor", f"{move['to']}#{move['to_span']} does not hold the lines that {handle} rests on")
    desk.conflicts.append(Note(handle, told([move])))
    return new
