"""Taking an operation on the wiki back: pages as they were before, raw copies gone with a record that says so."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from aiwg_memory.addons.llm_wiki.desk import Desk
from aiwg_memory.addons.llm_wiki.layout import RAW, RECORDS, is_page, page_handle
from aiwg_memory.addons.llm_wiki.sources import HELD, Evidence, dependents, read_evidence
from aiwg_memory.core.operations import Plan, Request, current_digest
from aiwg_memory.core.paths import RepoPath
from aiwg_memory.core.records import Version, render_segment, succeed
from aiwg_memory.core.tree import Tree


def undo(tree: Tree, request: Request) -> Plan:
    """The inverse of a receipt. What was changed since is refused; so is taking away a raw copy a page rests on."""
    desk = Desk(tree, request, needs=("receipt",))
    evidence = read_evidence(tree)
    tombstones: dict[str, Version] = {}
    for change in desk.arguments["receipt"]["changes"]:
        path = RepoPath(change["path"])
        if path.under(RAW):
            _raw(desk, evidence, path, change, tombstones)
        elif not path.under(RECORDS):
            _page(desk, path, change)
    if tombstones:
        desk.draft.write(RepoPath(f"{RECORDS}/{request.seg}.jsonl"), render_segment(tombstones.values()))
    return desk.plan(f"undo {desk.arguments['receipt']['kind']} of {desk.arguments['receipt']['seg']}")


def _page(desk: Desk, path: RepoPath, change: Mapping[str, Any]) -> None:
    if current_digest(desk.tree, path) != change["after"]:
        desk.wrong("changed-since", f"{path} was changed since", "edit it instead", path)
        return
    if change["before"] is None:
        desk.draft.remove(path)
    elif (data := desk.request.inputs.get(change["before"])) is None:
        desk.wrong("no-undo-copy", f"what {path} was before is not kept any more", "look for it in git", path)
    else:
        # The bytes were here before: they go back as they were, and are screened as everything that is written.
        desk.judge(path, data)
        desk.draft.write(path, data)
    if is_page(path):
        desk.subjects[page_handle(path)] = None


def _raw(
    desk: Desk, evidence: Evidence, path: RepoPath, change: Mapping[str, Any], tombstones: dict[str, Version]
) -> None:
    record = evidence.find(path)
    if record is None or record.status not in HELD:
        desk.wrong("changed-since", f"{path} has no record that could be ended", "run check", path)
        return
    if change["before"] is not None:
        desk.wrong("changed-since", f"{path} was there before", "nothing is to be undone", path)
        return
    holders = [handle for handle in dependents(desk.tree, record.handle) if handle.startswith("wiki:")]
    if holders:
        desk.wrong("source-held", f"{record.handle} is cited by {', '.join(holders[:5])}", "change those first", path)
        return
    heads = evidence.heads[record.handle].heads
    changes = {"status": "removed", "seg": desk.request.seg, "at": desk.request.at, "reviewer": desk.request.reviewer}
    tombstones[record.handle] = succeed(heads, changes)
    desk.subjects[record.handle] = None
    desk.draft.remove(path)
