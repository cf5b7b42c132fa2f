"""Following cited lines to where they are now: what was found is told to a plan, which looks again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from aiwg_memory.core.anchors import GONE, MOVED, VERIFIED
from aiwg_memory.core.candidates import Fault, Standing, ground_problem
from aiwg_memory.core.citations import found_in
from aiwg_memory.core.desk import Desk
from aiwg_memory.core.operations import Note, Request
from aiwg_memory.core.records import read_line
from aiwg_memory.core.tree import Tree

MOVED_NOTES = "moved"
"""The name of the argument that holds the digest of the moves among a request's inputs: handle to its moves."""

Move = Mapping[str, str]
"""``ref`` and ``span`` as they are cited, ``to`` and ``to_span`` where the lines are now."""


def fault(tree: Tree, ground: Mapping[str, Any], look: Callable[[str], Standing | None]) -> Fault | None:
    """Why evidence does not hold: lines that are found again hold wherever they stand in their file now."""
    if not isinstance(ground.get("anchor"), Mapping):
        return ground_problem(ground, look(ground["ref"]))
    problem = ground_problem({"ref": ground["ref"]}, look(ground["ref"]))
    here = found_in(tree, ground) if problem is None else None
    if here is not None and here.state == GONE:
        said = f"{ground['ref']}#{ground.get('span')}: the lines are not what they were when they were cited"
        return Fault("evidence-changed", said)
    return problem


def now_at(tree: Tree, source: Mapping[str, Any]) -> dict[str, Any]:
    """A citation as it is to be written now, at the place where its lines stand."""
    found = found_in(tree, source) if isinstance(source.get("anchor"), Mapping) else None
    return {**source, "span": found.span} if found is not None and found.state == MOVED else dict(source)


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
