"""Plan a maintenance: the steps that were kept, each by its own store's operation, in one plan."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from aiwg_memory.addons.compound_memory.joining import joined
from aiwg_memory.addons.compound_memory.maintaining.carrying import carried_out
from aiwg_memory.addons.compound_memory.maintaining.gathering import gatherable, gathered
from aiwg_memory.addons.compound_memory.maintaining.reporting import REPORTS, reports
from aiwg_memory.core.candidates import House
from aiwg_memory.core.citations import rests_on
from aiwg_memory.core.counting import counted, few
from aiwg_memory.core.desk import Desk
from aiwg_memory.core.findings import Finding
from aiwg_memory.core.following import MOVED_NOTES, moves_of
from aiwg_memory.core.lineage import Graph
from aiwg_memory.core.maintenance import KINDS, RECENCY, Step
from aiwg_memory.core.operations import Note, Plan, Request, receipt_path
from aiwg_memory.core.paths import RepoPath
from aiwg_memory.core.receipts import read_receipt
from aiwg_memory.core.tree import Tree

_TAKES = ("only", "skip", "leave", "after", RECENCY, MOVED_NOTES)
_REASON = "maintenance"


def run(tree: Tree, request: Request, house: House) -> Plan:
    """``only`` and ``skip`` are kinds of step or report, ``leave`` names steps; ``after`` is the last maintenance, so
    that two of one moment are not one.

    At most ``maintenance.scan_limit`` steps and as many reports are taken up; what is left waits for the next run.
    """
    desk = Desk(tree, request, "maintenance_request.v1", needs=(), takes=_TAKES)
    given = desk.arguments
    kinds = frozenset(given.get("only") or (*KINDS, *REPORTS)) - frozenset(given.get("skip", ()))
    limit = desk.config.maintenance.scan_limit
    steps = _steps(desk, house, kinds, limit)
    parts = carried_out(desk, house, steps, {"reason": _REASON})
    if "gather" in kinds:
        steps += _gather(desk, limit - len(steps))
    _report(desk, house, kinds, limit, steps)
    count = f"{len(steps)} step{'' if len(steps) == 1 else 's'}"
    plan = joined(desk, parts, f"maintenance: {count}")
    if not plan.changes:
        return _nothing(tree, plan, str(given.get("after", "")))
    notes = tuple(note for note in plan.conflicts if not any(_says(step, note) for step in steps))
    return replace(plan, conflicts=notes, steps=tuple(Note(step.name, step.message) for step in steps))


def _says(step: Step, note: Note) -> bool:
    """Whether the line of a step says already what its store notes of it."""
    return note.subject == step.subject and note.message in step.message


def _steps(desk: Desk, house: House, kinds: frozenset[str], limit: int) -> list[Step]:
    left = frozenset(desk.arguments.get("leave", ()))
    offered = [step for offer in house.upkeep.values() for step in offer(desk.tree, desk.request)]
    wanted = [step for step in offered if step.kind in kinds and step.name not in left]
    wanted.sort(key=lambda step: KINDS.index(step.kind))
    kept: list[Step] = []
    taken: set[str] = set()
    holding = _holders(desk.tree, house) if any(step.kind == "prune" for step in wanted) else None
    for step in wanted:
        holders = holding(step.subject) if holding is not None and step.kind == "prune" else []
        if holders:
            held = few(holders)
            desk.conflicts.append(Note(step.subject, f"is not used, and is kept: {held} rest on it"))
        elif step.subject not in taken:  # One step for one thing: two would be two versions that follow the same one.
            kept.append(step)
            taken.add(step.subject)
    _stopped(desk, "steps", len(kept), limit)
    return kept[:limit]


def _holders(tree: Tree, house: House) -> Callable[[str], list[str]]:
    """What still counts and rests directly on a handle."""
    graph = Graph(thing for part in house.parts.values() for thing in part.things(tree))
    return lambda handle: [name for name in graph.resting(handle) if graph.things[name].live]


def _gather(desk: Desk, limit: int) -> list[Step]:
    left = frozenset(desk.arguments.get("leave", ()))
    done = []
    for step, segments in gatherable(desk.tree, desk.request.at, max(limit, 0)):
        if step.name in left:
            continue
        problem = gathered(desk.tree, desk.draft, segments)
        if problem is None:
            done.append(step)
        elif problem:
            desk.conflicts.append(Note(step.subject, f"is not gathered: {problem}"))
    return done


def _report(desk: Desk, house: House, kinds: frozenset[str], limit: int, steps: Iterable[Step]) -> None:
    """What is a step already is not reported too."""
    if kinds.isdisjoint(REPORTS):
        return
    moves = moves_of(desk.request)
    offered = [step.subject for step in steps if step.kind == "reanchor"]
    said = tuple(rests_on(subject, move) for subject in offered for move in moves[subject])
    found = [one for one in reports(house.findings(), kinds) if not one.message.startswith(said)]
    _stopped(desk, "reports", len(found), limit)
    desk.warnings += found[:limit]


def _stopped(desk: Desk, what: str, count: int, limit: int) -> None:
    if count > limit:
        said = f"{count} {what}, and maintenance.scan_limit is {limit}: it stopped there"
        desk.warnings.append(Finding(".aiwg/config.yaml", 0, "scan-limit", said, "warning", "run it again afterwards"))


def _nothing(tree: Tree, plan: Plan, seg: str) -> Plan:
    last = read_receipt(tree, receipt_path(seg)) if seg else None
    notes = plan.duplicates
    if last is not None:
        said = f"is the receipt of the last maintenance, confirmed {last['confirmed_at']} by {last['reviewer']}"
        notes = (*notes, Note(seg, f"{said}; nothing is new since"))
    return replace(plan, summary="maintenance is up to date", duplicates=notes)


def undo(tree: Tree, request: Request, house: House) -> Plan:
    """Each store takes its own part back, by new versions. What was gathered stays so: not a line of it was lost."""
    desk = Desk(tree, request, "maintenance_request.v1", needs=("receipt",))
    receipt = desk.arguments["receipt"]
    gone = {change["path"] for change in receipt["changes"] if _moved(change)}
    kept = [change for change in receipt["changes"] if change["path"] not in gone]
    if gone:
        desk.conflicts.append(
            Note(receipt["seg"], f"{counted(len(gone), 'file')} of gathered segments, left as they are")
        )
    part = Request(
        request.kind, {"receipt": {**receipt, "changes": kept}}, request.at, request.reviewer, request.workspace,
        request.inputs, part_of=request.id,
    )  # fmt: skip
    return joined(desk, house.undo(tree, part), f"undo {receipt['kind']} {receipt['seg']}")


def _moved(change: Mapping[str, Any]) -> bool:
    """A segment that went, or the one of a month that came; not the segment the operation itself wrote."""
    path = RepoPath(change["path"])
    if path.parent is None or not path.parent.endswith(".d"):
        return False
    return change["after"] is None or path.name[6:7] == "-"
