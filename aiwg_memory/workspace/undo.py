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
    from aiwg_memory.workspace import Workspace


def undo_request(workspace: Workspace, seg: str, reviewer: str) -> Request:
    """The request that plans the inverse of the receipt ``seg`` (or an unambiguous beginning of it)."""
    from aiwg_memory.core.receipts import find_receipt

    record = find_receipt(workspace.tree, seg)
    prefix = _prefix(workspace, record)
    inputs = {}
    for change in record["changes"]:
        for data in _earlier(workspace, change, record.get("git_head")):
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
        yield from _earlier(workspace, change, record.get("git_head"))


def _earlier(workspace: Workspace, change: Mapping[str, Any], head: str | None) -> Iterator[bytes]:
    """The bytes this change replaced, where the undo copy or git has them; then, where a person had edited them by
    hand, what git has at the receipt's HEAD."""
    before = change["before"]
    if before is None:
        return
    kept = workspace.journal.undo_copy(before)
    if kept is not None:
        yield kept
    if workspace.repository is None or head is None:
        return
    try:
        data = workspace.repository.commit_tree(head).read(RepoPath(change["path"]), limit=MAX_FILE)
    except AiwgError:
        return
    if data != kept:
        yield data
