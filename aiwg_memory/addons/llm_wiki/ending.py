"""The end of raw copies and pages: withdrawn, out of reach, or forgotten."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from aiwg_memory.addons.llm_wiki.desk import Desk
from aiwg_memory.addons.llm_wiki.layout import RAW, RECORDS, look, page_handle
from aiwg_memory.addons.llm_wiki.sources import HELD, Evidence, dependents, read_evidence
from aiwg_memory.core.operations import Note, Plan, Request
from aiwg_memory.core.paths import RepoPath
from aiwg_memory.core.records import Version, render_segment, succeed
from aiwg_memory.core.tree import Tree

_STATUSES = {"remove-raw": "removed", "revoke-raw": "revoked", "origin-unavailable": "origin_unavailable"}


def end(tree: Tree, request: Request) -> Plan:
    """A new status for raw copies. The copy goes, but for ``origin-unavailable``: then it is all that is left.

    Who rests on it is shown as a conflict and stays as it is.
    """
    desk = Desk(tree, request, needs=("raw",), takes=("reason",))
    status = _STATUSES[request.kind.rpartition(".")[2]]
    changes = {"status": status, "reason": desk.arguments.get("reason", "")}
    desk.screen(changes["reason"], "", strict=True)
    names = _end(desk, changes)
    return desk.plan(f"{status.replace('_', ' ')}: {', '.join(names)}")


def forget(tree: Tree, request: Request) -> Plan:
    """Pages (``targets``) and raw copies (``raw``) whose text is to be nowhere in the wiki any more. Of a raw copy the
    record stays, of a page nothing does."""
    desk = Desk(tree, request, needs=(), takes=("targets", "raw"))
    names = _end(desk, {"status": "removed", "forgotten": True})
    for target in desk.arguments.get("targets", ()):
        found = desk.page(target)
        if found is not None:
            handle = page_handle(found[0])
            desk.draft.remove(found[0])
            desk.subjects[handle] = None
            names.append(handle)
            _tell(desk, handle)
    for name in names:
        desk.conflicts.append(
            Note(name, "commits that hold the text keep it; the digest of a short text can be guessed")
        )
    if not names and not desk.duplicates:
        desk.wrong("argument", "there is nothing to forget", "name pages or raw copies")
    return desk.plan(f"forget the text of {', '.join(names)}")


def _end(desk: Desk, changes: Mapping[str, Any]) -> list[str]:
    evidence = read_evidence(desk.tree)
    versions: dict[str, Version] = {}
    said = {"seg": desk.request.seg, "at": desk.request.at, "reviewer": desk.request.reviewer}
    for target in desk.arguments.get("raw", ()):
        heads = _heads(desk, evidence, target)
        if not heads:
            continue
        handle, status = target["handle"], changes["status"]
        if heads[0].status not in HELD and changes.get("forgotten"):
            status = heads[0].status
        if (heads[0].status, bool(heads[0].value.get("forgotten"))) == (status, bool(changes.get("forgotten"))):
            desk.duplicates.append(Note(handle, f"is {status.replace('_', ' ')} already"))
            continue
        versions[handle] = succeed(heads, {**changes, **said, "status": status})
        desk.subjects[handle] = None
        path = RepoPath(f"{RAW}/{heads[0].text('file')}")
        if status not in HELD and look(desk.tree, path) is not None:
            desk.draft.remove(path)
        _tell(desk, handle)
    if versions:
        desk.draft.write(RepoPath(f"{RECORDS}/{desk.request.seg}.jsonl"), render_segment(versions.values()))
    return list(versions)


def _heads(desk: Desk, evidence: Evidence, target: Mapping[str, Any]) -> tuple[Version, ...]:
    handle, expected = target["handle"], target["expected"]
    head = evidence.heads.get(handle)
    if head is None:
        desk.wrong("not-found", f"there is no raw copy {handle}", "`raw list` shows the raw copies there are")
    elif expected not in (head.current.version, head.current.digest):
        message = f"{handle} is at version {head.current.version} ({head.current.status}), not at {expected}"
        desk.wrong("wrong-version", message, "look at it again, then decide")
    elif any(version.newer for version in head.heads):
        desk.wrong("newer-schema", f"{handle} was last written by a newer tool", "upgrade aiwg-memory")
    else:
        return head.heads
    return ()


def _tell(desk: Desk, handle: str) -> None:
    for holder in dependents(desk.tree, handle):
        if holder not in desk.subjects:
            desk.conflicts.append(Note(holder, f"rests on {handle}"))
