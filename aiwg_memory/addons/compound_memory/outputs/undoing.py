"""Plan the inverse of an operation on outputs: each registration returns to its earlier state, by a new version."""

from __future__ import annotations

from aiwg_memory.addons.compound_memory.outputs.store import RECORDS, read
from aiwg_memory.core.desk import Desk
from aiwg_memory.core.operations import Plan, Request
from aiwg_memory.core.paths import RepoPath
from aiwg_memory.core.records import Version, join, render_segment, restriction, succeed
from aiwg_memory.core.tree import Tree


def undo(tree: Tree, request: Request) -> Plan:
    """What was registered is removed, what was superseded or ended stands again; a later decision stops it."""
    desk = Desk(tree, request, "output_request.v1", needs=("receipt",))
    receipt = desk.arguments["receipt"]
    store = read(tree)
    lines: dict[str, list[Version]] = {}
    for version in store.versions:
        lines.setdefault(version.digest, []).append(version)
    done = [join(same) for same in lines.values() if any(one.seg == receipt["seg"] for one in same)]
    if not done:
        desk.wrong("nothing-to-undo", f"the operation {receipt['seg']} wrote no record that is here")
    written = []
    for made in sorted(done, key=lambda one: one.handle):
        if store.heads[made.handle].heads != (made,):
            said = f"{made.handle} was decided again after {receipt['seg']}"
            desk.wrong("changed-since", said, "undo the later operation first")
            continue
        priors = [join(lines[name]) for name in made.previous if name in lines]
        prior = min(priors, key=restriction) if priors else None
        changes = {
            "status": prior.status if prior else "removed", "replacement": prior.text("replacement") or None
            if prior else None, "seg": request.seg, "at": request.at, "reviewer": request.reviewer, "reason": "",
        }  # fmt: skip
        written.append(succeed((made,), changes, prior))
        desk.subjects[made.handle] = None
    if written:
        desk.draft.write(RepoPath(f"{RECORDS}/{request.seg}.jsonl"), render_segment(written))
    return desk.plan(f"undo {receipt['kind']} of {len(written)} output{'' if len(written) == 1 else 's'}")
