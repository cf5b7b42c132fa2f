"""Taking an operation on the wiki back: files as they were before, and records that say so."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from aiwg_memory.addons.llm_wiki.desk import Desk
from aiwg_memory.addons.llm_wiki.layout import RAW, RECORDS, is_page, page_handle
from aiwg_memory.addons.llm_wiki.sources import Evidence, dependents, read_evidence
from aiwg_memory.core.counting import few
from aiwg_memory.core.operations import Plan, Request
from aiwg_memory.core.paths import RepoPath
from aiwg_memory.core.records import Version, render_segment, succeed
from aiwg_memory.core.stored import current_digest
from aiwg_memory.core.tree import Tree


def undo(tree: Tree, request: Request) -> Plan:
    """The inverse of a receipt. Refused: what was changed since, what was forgotten, a raw copy a page rests on."""
    desk = Desk(tree, request, needs=("receipt",))
    receipt = desk.arguments["receipt"]
    versions = _records(desk, read_evidence(tree), receipt["seg"])
    for change in receipt["changes"]:
        path = RepoPath(change["path"])
        if not path.under(RECORDS):
            _file(desk, path, change)
    if versions:
        desk.draft.write(RepoPath(f"{RECORDS}/{request.seg}.jsonl"), render_segment(versions))
    return desk.plan(f"undo {receipt['kind']} of {receipt['seg']}")


def _records(desk: Desk, evidence: Evidence, seg: str) -> list[Version]:
    """What the operation recorded gets the status it had before, or is removed where it was new."""
    by_digest = {version.digest: version for version in evidence.versions}
    said = {"seg": desk.request.seg, "at": desk.request.at, "reviewer": desk.request.reviewer}
    made = []
    for handle in sorted({version.handle for version in evidence.versions if version.seg == seg}):
        head = evidence.heads[handle]
        if head.fork or head.current.seg != seg:
            desk.wrong("changed-since", f"{handle} was decided again since", "decide it anew instead")
        elif head.current.value.get("forgotten"):
            desk.wrong("forgotten", f"{handle} was forgotten, and that is not undone", "ingest the source again")
        else:
            before = [by_digest[name] for name in head.current.previous if name in by_digest]
            status = before[0].status if before else "removed"
            if status == "removed":
                _held(desk, handle)
            made.append(succeed(head.heads, {**said, "status": status}))
            desk.subjects[handle] = None
    return made


def _held(desk: Desk, handle: str) -> None:
    holders = [holder for holder in dependents(desk.tree, handle) if holder.startswith("wiki:")]
    if holders:
        desk.wrong("source-held", f"{handle} is cited by {few(holders)}", "change those first")


def _file(desk: Desk, path: RepoPath, change: Mapping[str, Any]) -> None:
    raw = path.under(RAW)
    if current_digest(desk.tree, path) != change["after"]:
        desk.wrong("changed-since", f"{path} was changed since", "edit it instead", path)
    elif change["before"] is None:
        desk.draft.remove(path)
    elif (data := desk.request.inputs.get(change["before"])) is None:
        desk.wrong("no-undo-copy", f"what {path} was before is not kept any more", "look for it in git", path)
    else:
        # The bytes were here before: they go back as they were, but screened as everything that is written.
        if is_page(path):
            desk.accept(path, data)
        elif raw:
            desk.screen_bytes(data, path)
        desk.draft.write(path, data, read_only=raw)
    if is_page(path):
        desk.subjects[page_handle(path)] = None
