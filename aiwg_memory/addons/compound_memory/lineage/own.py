"""What outputs and candidates rest on, and what becomes of them when a source is withdrawn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from aiwg_memory.addons.compound_memory.candidates import store as candidates
from aiwg_memory.addons.compound_memory.candidates import undoing as candidate_undoing
from aiwg_memory.addons.compound_memory.candidates.desk import CandidateDesk
from aiwg_memory.addons.compound_memory.outputs import store as outputs
from aiwg_memory.addons.compound_memory.outputs import undoing as output_undoing
from aiwg_memory.core.candidates import RECORDS as CANDIDATES
from aiwg_memory.core.desk import Desk
from aiwg_memory.core.lineage import Decision, Thing, grounds_of
from aiwg_memory.core.operations import Note, Plan, Request
from aiwg_memory.core.paths import RepoPath
from aiwg_memory.core.records import render_segment, succeed
from aiwg_memory.core.tree import Tree

_OUTPUT = {"revoke": "revoked", "delete": "removed", "supersede": "superseded"}


def things(tree: Tree) -> Iterator[Thing]:
    """Registrations, which rest on the items of their pack, and candidates, which rest on their evidence."""
    for handle, head in outputs.read(tree).heads.items():
        current = head.current
        cited = ({"ref": current.object("pack").get("id", "")}, *grounds_of(current.value, "sources"))
        yield Thing(
            handle, "outputs", current.status, current.status == outputs.LIVE, current.text("path"),
            (current.text("digest"), current.text("path")), cited, current.version, current.object("dependencies"),
        )  # fmt: skip
    for handle, head in candidates.read(tree).heads.items():
        current = head.current
        live = current.status != "rejected" and not current.value.get("closed")
        said = candidates.assertion(tree, current) or ""
        yield Thing(
            handle, "candidates", "closed" if current.value.get("closed") else current.status, live,
            " ".join(said.split()), (current.text("digest"),), grounds_of(current.value, "evidence", "parents"),
            current.version, current.object("dependencies"), current.text("classification", "internal"),
        )  # fmt: skip


def dispose(tree: Tree, request: Request, decisions: Sequence[Decision]) -> Plan:
    """The files that registrations speak of stay; the assertion of a candidate that ends goes."""
    own = [one for one in decisions if one.thing.layer == "outputs"]
    others = [one for one in decisions if one.thing.layer != "outputs"]
    parts = [_outputs(tree, request, own)] if own else []
    parts += [_candidates(tree, request, others)] if others else []
    return joined(request, parts)


def joined(request: Request, parts: Sequence[Plan]) -> Plan:
    """Plans over different files as one."""
    changes = {change.path: change for part in parts for change in part.changes}
    return Plan(
        request=request,
        summary="",
        changes=tuple(changes[path] for path in sorted(changes)),
        subjects=tuple(dict.fromkeys(one for part in parts for one in part.subjects)),
        duplicates=tuple(one for part in parts for one in part.duplicates),
        conflicts=tuple(one for part in parts for one in part.conflicts),
        supersedes=tuple(one for part in parts for one in part.supersedes),
        warnings=tuple(one for part in parts for one in part.warnings),
    )


def _outputs(tree: Tree, request: Request, decisions: Sequence[Decision]) -> Plan:
    reason = request.arguments.get("reason", "")
    desk = Desk(tree, request.part("output.dispose", {}), "output_request.v1", needs=())
    desk.screen(reason, outputs.RECORDS)
    store = outputs.read(tree)
    said = {"seg": request.seg, "at": request.at, "reviewer": request.reviewer, "reason": reason}
    written = []
    for one in decisions:
        head = store.heads[one.thing.handle]
        ends = one.action in _OUTPUT
        changes: dict[str, Any] = {"status": _OUTPUT[one.action]} if ends else {"dependencies": dict(one.envelope)}
        if changes.get("status") == head.current.status:
            desk.duplicates.append(Note(one.thing.handle, f"is {head.current.status} already"))
            continue
        if one.action == "supersede":
            successor = store.heads.get(one.replacement)
            if successor is None or successor.current.status != outputs.LIVE:
                desk.wrong("not-found", f"{one.replacement} is no output that stands", "`outputs list` shows them")
            changes["replacement"] = one.replacement
            desk.supersedes.append(Note(one.thing.handle, f"gives way to {one.replacement}"))
        written.append(succeed(head.heads, {**said, **changes}))
        desk.subjects[one.thing.handle] = None
    if written:
        desk.draft.write(RepoPath(f"{outputs.RECORDS}/{request.seg}.jsonl"), render_segment(written))
    return desk.plan("dispose of outputs")


def _candidates(tree: Tree, request: Request, decisions: Sequence[Decision]) -> Plan:
    reason = {"reason": request.arguments["reason"]} if request.arguments.get("reason") else {}
    desk = CandidateDesk(tree, request.part("candidate.dispose", reason), needs=(), takes=("reason",))
    for one in decisions:
        current = desk.store.heads[one.thing.handle].current
        taken = desk.take({
            "handle": one.thing.handle, "expected": one.thing.expected, "fingerprint": current.text("fingerprint"),
        })  # fmt: skip
        if taken is None:
            continue
        if one.action in ("revoke", "delete"):
            if current.status == "rejected":
                desk.duplicates.append(Note(one.thing.handle, "is rejected already"))
                continue
            desk.decide(taken, {"status": "rejected"})
            desk.drop(one.thing.handle)
        else:
            desk.decide(taken, {"dependencies": dict(one.envelope)})
    return desk.plan("dispose of candidates")


def undo(tree: Tree, request: Request) -> Plan:
    """The inverse of this addon's part of an operation that spans stores."""
    receipt = request.arguments["receipt"]
    parts = []
    for folder, kind, planner in (
        (outputs.RECORDS, "output.undo", output_undoing.undo),
        (CANDIDATES, "candidate.undo", candidate_undoing.undo),
    ):
        if any(RepoPath(change["path"]).under(folder) for change in receipt["changes"]):
            part = request.part(kind, {"receipt": receipt})
            parts.append(planner(tree, replace(part, inputs=request.inputs)))
    return joined(request, parts)
