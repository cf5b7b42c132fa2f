"""Everything an inverse needs before it can be planned: the receipt, and the bytes that were replaced."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from aiwg_memory.core.canonical import digest
from aiwg_memory.core.operations import Request
from aiwg_memory.core.paths import RepoPath
from aiwg_memory.core.stored import MAX_FILE
from aiwg_memory.errors import AiwgError
from aiwg_memory.workspace.requests import request

if TYPE_CHECKING:
    from aiwg_memory.repo.repository import Repository
    from aiwg_memory.workspace import Workspace

MAX_VERSIONS = 16


def undo_request(workspace: Workspace, seg: str, reviewer: str) -> Request:
    """The request that plans the inverse of the receipt ``seg`` (or an unambiguous beginning of it)."""
    from aiwg_memory.core.receipts import find_receipt

    record = find_receipt(workspace.tree, seg)
    prefix = _prefix(workspace, record)
    inputs = {}
    for change in record["changes"]:
        for data in _earlier(workspace, change, record):
            inputs[digest(data)] = data
    return request(workspace, f"{prefix}.undo", {"receipt": record}, reviewer, inputs)


def _prefix(workspace: Workspace, record: Mapping[str, Any]) -> str:
    """Whose business the inverse is: that of the addon whose kind it is, or of the sink that got its part."""
    takers = (addon for addon in workspace.addons if record["sink"] and record["sink"] in addon.sinks)
    kind = next((next(iter(addon.plans)) for addon in takers), record["kind"])
    return str(kind.partition(".")[0])


def last_bytes(workspace: Workspace, path: RepoPath) -> Iterator[bytes]:
    """What ``path`` held before the last confirmed change of it, as ``_earlier`` finds it."""
    from aiwg_memory.core.receipts import last_receipt_for

    record = last_receipt_for(workspace.tree, path)
    if record is not None:
        change = next(each for each in record["changes"] if each["path"] == path)
        yield from _earlier(workspace, change, record)


def _earlier(workspace: Workspace, change: Mapping[str, Any], record: Mapping[str, Any]) -> Iterator[bytes]:
    """The bytes this change replaced, where the undo copy or git has them; then, where a person had edited them by
    hand, what git has at the receipt's HEAD, or before it where the edit was committed before it was adopted."""
    before, head = change["before"], record.get("git_head")
    if before is None:
        return
    kept = workspace.journal.undo_copy(before)
    if kept is not None:
        yield kept
    if workspace.repository is None or head is None:
        return
    for data in _committed(workspace.repository, RepoPath(change["path"]), head, record["kind"]):
        if data != kept:
            yield data


def _committed(repository: Repository, path: RepoPath, head: str, kind: str) -> Iterator[bytes]:
    """What ``path`` held at ``head``; for an adoption, whose edit may be older, its last versions, newest first."""
    from aiwg_memory.repo.past import written

    try:
        if not kind.endswith(".adopt"):
            yield repository.commit_tree(head).read(path, limit=MAX_FILE)
            return
        for each in written(repository, [path], head)[: -MAX_VERSIONS - 1 : -1]:
            if each.blob:
                yield repository.objects.read(each.blob, limit=MAX_FILE)
    except AiwgError:
        return
