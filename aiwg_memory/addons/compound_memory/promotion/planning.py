"""Plan the promotion of one accepted candidate to one or more sinks, each a part of one plan."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from aiwg_memory.addons.compound_memory.candidates.desk import CandidateDesk
from aiwg_memory.core.candidates import House, Statement, widens_classification, widens_scope
from aiwg_memory.core.following import now_at
from aiwg_memory.core.operations import Change, Note, Plan, Request, Sink
from aiwg_memory.core.records import Version
from aiwg_memory.core.screening import kinds
from aiwg_memory.core.tree import Tree

WIDENED_SCOPE = "widened-scope"
WIDENED_CLASSIFICATION = "widened-classification"
_SCREENED = frozenset((
    kinds.INSTRUCTION, kinds.ROLE, kinds.TOOL_CALL, kinds.INVISIBLE, kinds.BIDI, kinds.TAG, kinds.HOMOGLYPH,
))  # fmt: skip


def promote(tree: Tree, request: Request, house: House) -> Plan:
    """The union of what each sink plans. Nothing of the candidate changes: what became of it is in the receipts.

    A sink that holds the statement already is said and left out.
    """
    takes = ("acknowledged", "scope", "classification", "reason")
    desk = CandidateDesk(tree, request, needs=("target", "to"), takes=takes)
    statement = _statement(desk, house)
    parts: dict[str, Plan] = {}
    for named in sorted(desk.arguments["to"], key=lambda one: str(one["sink"])):
        name = named["sink"]
        planner = house.sinks.get(name)
        if name in parts:
            desk.wrong("argument", f"the sink {name} stands twice", "promote to one place of it at a time")
        elif planner is None:
            known = ", ".join(sorted(house.sinks)) or "none"
            desk.wrong("argument", f"there is no sink {name}", f"the enabled ones are {known}")
        elif statement is not None:
            parts[name] = planner(tree, request, replace(statement, target=named["target"]))
    _hear(desk, parts)
    return _joined(desk, parts)


def _statement(desk: CandidateDesk, house: House) -> Statement | None:
    target = desk.arguments["target"]
    taken = desk.take(target)
    if taken is None:
        return None
    current = taken.current
    if current.status != "accepted" or current.value.get("closed") or not taken.recorded:
        state = "closed" if current.value.get("closed") else current.status
        desk.wrong("transition", f"{current.handle} is {state}; only what is accepted is promoted", "accept it first")
        return None
    if taken.text is None:
        desk.wrong("text-gone", f"the assertion of {current.handle} is not what was accepted", "bring it back from git")
        return None
    desk.acknowledge(current.list("warnings"), current.handle)
    desk.grounded(current, house)
    return Statement(
        candidate=current.handle,
        type=current.text("type"),
        text=taken.text,
        sources=tuple(now_at(desk.tree, one) for one in current.list("evidence")),
        provenance=current.text("provenance", "external"),
        dependencies=dict(current.object("dependencies")),
        scope=_scope(desk, current),
        classification=_classification(desk, current),
        acknowledged=tuple(sorted(desk.acknowledged)),
    )


def _scope(desk: CandidateDesk, current: Version) -> str:
    """The scope asked for, else the candidate's; wider than the candidate or than anything it rests on: by name."""
    scope = str(desk.arguments.get("scope", current.text("scope", "global")))
    leaves = current.object("dependencies").get("leaves")
    narrow = [current.text("scope", "global")]
    narrow += [str(leaf.get("scope") or "global") for leaf in leaves or () if isinstance(leaf, Mapping)]
    wider = sorted({one for one in narrow if widens_scope(one, scope)})
    if wider:
        desk.conflicts.append(Note(current.handle, f"its scope widens from {' and '.join(wider)} to {scope}"))
        desk.acknowledge([WIDENED_SCOPE], current.handle)
    return scope


def _classification(desk: CandidateDesk, current: Version) -> str:
    before = current.text("classification", "unknown")
    after = str(desk.arguments.get("classification", before))
    if before in ("private", "unknown"):
        hint = "candidates reclassify records another classification, with the reason"
        desk.refuse("classification", f"{current.handle} is {before}; it is not promoted", hint)
    elif after in ("private", "unknown"):
        desk.wrong("argument", f"the classification {after} is not promoted; legal is public or internal")
    elif widens_classification(before, after):
        desk.conflicts.append(Note(current.handle, f"its classification widens from {before} to {after}"))
        desk.acknowledge([WIDENED_CLASSIFICATION], current.handle)
    return after


def _hear(desk: CandidateDesk, parts: Mapping[str, Plan]) -> None:
    """What each sink has to say, with the sink's name; what the screen warns of has to be acknowledged by name."""
    for name, part in parts.items():
        for told, said in ((desk.duplicates, part.duplicates), (desk.conflicts, part.conflicts)):
            told += [Note(one.subject, f"{name}: {one.message}") for one in said]
        desk.supersedes += [Note(one.subject, f"{name}: {one.message}") for one in part.supersedes]
        desk.warnings += part.warnings
        desk.acknowledge([one.rule for one in part.warnings if one.rule in _SCREENED], name)


def _joined(desk: CandidateDesk, parts: Mapping[str, Plan]) -> Plan:
    changes: dict[str, Change] = {}
    sinks = []
    handle = desk.arguments["target"]["handle"]
    for name, part in parts.items():
        for change in part.changes:
            if changes.setdefault(change.path, change) is not change:
                desk.wrong("argument", f"two sinks would write {change.path}", "promote to one of them, then the other")
        if part.changes:
            paths = tuple(change.path for change in part.changes)
            sinks.append(Sink(name, paths, tuple(dict.fromkeys((handle, *part.subjects)))))
    held = desk.plan("")
    values: dict[str, Any] = {
        "summary": _summary(handle, sinks) if sinks else held.summary,
        "changes": tuple(changes[path] for path in sorted(changes)),
        "subjects": tuple(dict.fromkeys(subject for sink in sinks for subject in sink.subjects)),
        "sinks": tuple(sinks),
    }
    return replace(held, **values)


def _summary(handle: str, sinks: list[Sink]) -> str:
    places = [f"{sink.name} ({', '.join(one for one in sink.subjects if one != handle)})" for sink in sinks]
    return f"promote {handle} to {' and to '.join(places)}"
