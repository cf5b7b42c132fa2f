"""Plan records for what people typed by hand, and recognise an edit of a known fact."""

from __future__ import annotations

from typing import Any

from aiwg_memory.addons.line_memory.adding import Neighbours, bring
from aiwg_memory.addons.line_memory.asking import ATTRIBUTES
from aiwg_memory.addons.line_memory.desk import Desk
from aiwg_memory.addons.line_memory.first import quote
from aiwg_memory.addons.line_memory.text import FACTS, fact_path
from aiwg_memory.core.items import Unit
from aiwg_memory.core.operations import Note, Plan, Request
from aiwg_memory.core.records import Version
from aiwg_memory.core.tree import Tree


def adopt(tree: Tree, request: Request) -> Plan:
    """``handles`` name the facts, those of an edited file by the old or the new text; none: all there are.

    A line of line-memory.txt becomes a fact file and leaves the txt, an edited fact file becomes the file of its text
    and the successor of the fact it was. A fact that is history is left alone unless it is acknowledged.
    """
    desk = Desk(tree, request)
    near = Neighbours(desk)
    wanted = set(desk.arguments.get("handles", ()))
    met: set[str] = set()
    places = {(unit.path, unit.first): unit for unit in (*desk.store.strays(), *desk.store.unrecorded())}
    crooked = {finding.path for finding in desk.store.findings if finding.rule == "fact-not-normalised"}
    for units in desk.store.units.values():
        places |= {(unit.path, unit.first): unit for unit in units if unit.path in crooked}
    for unit in (places[key] for key in sorted(places)):
        names = {unit.handle, _named(unit)}
        if wanted and not wanted & names:
            continue
        met |= names
        if unit.handle not in desk.subjects:
            _adopt(desk, unit, near)
    for handle in sorted(wanted - met):
        desk.wrong(
            "not-found",
            f"{handle} is no fact that waits for adoption",
            "`facts list --review pending` shows which facts have no record",
        )
    count = len(desk.subjects)
    return desk.plan(f"adopt {count} fact{'' if count == 1 else 's'} typed by hand")


def _named(unit: Unit) -> str:
    """The handle its file is named for; its own where it stands in no fact file."""
    return "lm_" + unit.path.name[:16] if unit.path.parent == FACTS else unit.handle


def _adopt(desk: Desk, unit: Unit, near: Neighbours) -> None:
    head = desk.store.heads.get(unit.handle)
    if head and head.current.status != "active" and unit.handle not in desk.arguments.get("acknowledged", ()):
        said = f"is {head.current.status} and stays so; --acknowledge {unit.handle} brings it back"
        desk.conflicts.append(Note(unit.handle, said))
        return
    if desk.fact(unit.text, f"{unit.path} line {unit.first}") is None:
        return
    old = _edited(desk, unit)
    if old is None:
        bring(desk, unit.text, {}, near)
        return
    bring(desk, unit.text, {**inherited(desk, old), "parents": [old.handle]}, near)
    desk.record(old.handle, (old,), {"status": "superseded", "replacement": unit.handle})
    desk.supersedes.append(Note(old.handle, f"was edited and is superseded by {unit.handle}: {quote(unit.text)}"))


def _edited(desk: Desk, unit: Unit) -> Version | None:
    """The fact that this file was before it was edited, where that fact is alive and its text nowhere else."""
    named = _named(unit)
    head = desk.store.heads.get(named)
    if named == unit.handle or head is None or head.fork or head.current.newer:
        return None
    if head.current.status != "active" or named in desk.store.units or unit.path != fact_path(named):
        return None
    return head.current


def inherited(desk: Desk, old: Version) -> dict[str, Any]:
    """What a successor takes over: attributes the request does not state, and what the old fact rests on."""
    values = {name: old.value[name] for name in ATTRIBUTES if old.text(name) and name not in desk.arguments}
    if old.object("dependencies") and "dependencies" not in desk.arguments:
        values["dependencies"] = dict(old.object("dependencies"))
    return values
