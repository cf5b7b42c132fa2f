"""Plan the inverse of a decision about candidates: each returns to its earlier state, by a new version."""

from __future__ import annotations

from typing import Any

from aiwg_memory.addons.compound_memory.candidates.desk import CandidateDesk
from aiwg_memory.addons.compound_memory.candidates.store import assertion
from aiwg_memory.core.candidates import text_digest
from aiwg_memory.core.operations import Plan, Request
from aiwg_memory.core.records import Version, join, restriction, succeed
from aiwg_memory.core.tree import Tree


def undo(tree: Tree, request: Request) -> Plan:
    """What was first recorded by the operation is deferred: a record does not vanish. A later decision stops it."""
    desk = CandidateDesk(tree, request, needs=("receipt",))
    receipt = desk.arguments["receipt"]
    if receipt["kind"] == "candidate.forget":
        desk.refuse("forgotten", "what was forgotten stays forgotten", "propose it again, if you have its words")
        return desk.plan("")
    lines: dict[str, list[Version]] = {}
    for version in desk.store.versions:
        lines.setdefault(version.digest, []).append(version)
    touched = sorted({one.handle for one in desk.store.versions if one.seg == receipt["seg"]})
    if not touched:
        desk.wrong("nothing-to-undo", f"the operation {receipt['seg']} wrote no record that is here")
    for handle in touched:
        head = desk.store.heads[handle]
        if head.fork or head.current.seg != receipt["seg"]:
            desk.wrong("changed-since", f"{handle} was decided again after {receipt['seg']}", "undo that first")
            continue
        _return(desk, head.current, lines)
    return desk.plan(f"undo {receipt['kind']} of {len(touched)} candidate{'' if len(touched) == 1 else 's'}")


def _return(desk: CandidateDesk, made: Version, lines: dict[str, list[Version]]) -> None:
    priors = [join(lines[name]) for name in made.previous if name in lines]
    prior = min(priors, key=restriction) if priors else None
    said = {"seg": desk.request.seg, "at": desk.request.at, "reviewer": desk.request.reviewer, "reason": ""}
    version = succeed((made,), {**said, **({} if prior else {"status": "deferred"})}, prior)
    desk.written.append(version)
    desk.subjects[made.handle] = None
    if version.status == "rejected" or version.value.get("closed"):
        desk.drop(made.handle)
        return
    text = assertion(desk.tree, version) or _found(desk.request.inputs, version)
    if text is None:
        desk.wrong("text-gone", f"the assertion of {made.handle} can no longer be found", "propose it again")
        return
    desk.screen_candidate(version, text)
    desk.keep(made.handle, text)


def _found(inputs: Any, version: Version) -> str | None:
    for data in inputs.values():
        text = data.decode("utf-8", "replace").removesuffix("\n")
        if text_digest(text) == version.text("digest"):
            return str(text)
    return None
