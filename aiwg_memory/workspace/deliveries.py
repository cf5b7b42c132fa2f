"""What was delivered: one row a pack in ``.local/deliveries.jsonl``, and the request that can build it again."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from aiwg_memory.core.canonical import canonical_json
from aiwg_memory.core.deliveries import delivery, find, kept
from aiwg_memory.core.paths import RepoPath
from aiwg_memory.core.records import read_line
from aiwg_memory.core.schema import cheap
from aiwg_memory.errors import AiwgError, Damaged, NotFound
from aiwg_memory.worktree.local import prepare

if TYPE_CHECKING:
    from aiwg_memory.core.items import MemoryItem
    from aiwg_memory.core.packs import Pack
    from aiwg_memory.workspace import Workspace

LOG = RepoPath(".aiwg/.local/deliveries.jsonl")
PACKS = RepoPath(".aiwg/.local/packs")
CAPTURES = RepoPath(".aiwg/.local/captures")
CAPTURE_SECONDS = 7 * 24 * 3600
TRIM_BYTES = 8 * 1024 * 1024
MAX_BYTES = 256 * 1024 * 1024
MAX_REQUEST = 4 * 1024 * 1024
KEPT_REQUESTS = 200


def record(workspace: Workspace, pack: Pack, surface: str) -> None:
    """Note a delivery. Where nothing can be written the pack is delivered all the same, and this is a no-op."""
    if workspace.tree.stat(RepoPath(".aiwg")) is None:
        return
    disk = workspace.journal.disk
    try:
        prepare(disk)
        disk.append(LOG, canonical_json(delivery(pack, at=workspace.now, surface=surface)) + b"\n")
        status = disk.stat(LOG)
        if status is not None and status.st_size > TRIM_BYTES:
            _trim(workspace)
        _keep_request(workspace, pack)
    except AiwgError:
        return
    if not pack.request.no_touch:
        from aiwg_memory.workspace.recency import touch

        touch(workspace, (one.candidate.item.handle for one in pack.entries))


def rows(workspace: Workspace) -> list[Mapping[str, Any]]:
    """Oldest first; a line that a crash cut short is skipped."""
    found: list[Mapping[str, Any]] = []
    try:
        data = workspace.tree.read(LOG, limit=MAX_BYTES)
    except NotFound:
        return []
    for line in data.split(b"\n"):
        value, _ = read_line(line)
        if isinstance(value, dict) and cheap("delivery.v1", value) is None:
            found.append(value)
    return found


def delivered(workspace: Workspace, pack: str | None) -> Mapping[str, Any]:
    """The latest record of ``pack`` (None: of any), by its id or the beginning of it. Raises NotFound."""
    found = rows(workspace)
    if not found:
        raise NotFound("no pack was delivered yet", hint="aiwg-memory context TASK")
    return find(found, pack) if pack is not None else found[-1]


def _trim(workspace: Workspace) -> None:
    disk = workspace.journal.disk
    with workspace.journal.locked():
        lines = [canonical_json(row) + b"\n" for row in kept(rows(workspace), today=workspace.now[:10])]
        # Of many fat rows the newest stay, so that trimming is not needed again at the next delivery.
        size = 0
        fitting = []
        for line in reversed(lines):
            size += len(line)
            if size > TRIM_BYTES // 2:
                break
            fitting.append(line)
        disk.replace(LOG, b"".join(reversed(fitting)))
        for name in sorted(disk.names(PACKS), key=lambda each: _changed(workspace, each))[:-KEPT_REQUESTS]:
            disk.unlink(RepoPath(f"{PACKS}/{name}"))


def _changed(workspace: Workspace, name: str) -> float:
    status = workspace.journal.disk.stat(RepoPath(f"{PACKS}/{name}"))
    return status.st_mtime if status else 0.0


def _keep_request(workspace: Workspace, pack: Pack) -> None:
    path = RepoPath(f"{PACKS}/{pack.id}.json")
    value = {
        "id": pack.id,
        "text_digest": pack.text_digest,
        "tree": pack.tree,
        "task": pack.request.task,
        "format": pack.request.format,
        "request": pack.request.to_json(),
        "items": [_kept_item(one.candidate.item) for one in pack.entries],
    }
    workspace.journal.disk.make_dirs(PACKS)
    workspace.journal.disk.replace(path, canonical_json(value) + b"\n")


def _kept_item(item: MemoryItem) -> dict[str, Any]:
    """What whatever is made with the pack rests on."""
    return {
        "handle": item.handle,
        "locator": item.locator,
        "digest": item.digest,
        "layer": item.layer,
        "scope": item.scope,
        "dependencies": dict(item.dependencies),
    }


def saved_request(workspace: Workspace, pack: str) -> dict[str, Any]:
    """The kept request of a pack, by its id or an unambiguous beginning of it. Raises NotFound, Damaged."""
    names = [name for name in workspace.journal.disk.names(PACKS) if name.startswith(pack) and name.endswith(".json")]
    if len(names) != 1 or not pack.startswith("pack_"):
        raise NotFound(
            f"{'no' if not names else 'no single'} pack {pack} is kept here",
            hint="a pack's id stands in its first lines; the last 200 requests are kept",
        )
    path = RepoPath(f"{PACKS}/{names[0]}")
    try:
        value = json.loads(workspace.tree.read(path, limit=MAX_REQUEST))
        if not isinstance(value, dict):
            raise ValueError("it is no object")
    except (ValueError, RecursionError) as error:
        raise Damaged(f"{path} is not a request: {error}", hint="remove it; it is only a copy") from error
    return value


def capture(workspace: Workspace, pack: Pack) -> None:
    """Keep the printed text, redacted as it was printed, for seven days."""
    from datetime import datetime

    disk = workspace.journal.disk
    disk.make_dirs(CAPTURES)
    today = datetime.fromisoformat(workspace.now).timestamp()
    for name in disk.names(CAPTURES):
        path = RepoPath(f"{CAPTURES}/{name}")
        status = disk.stat(path)
        if status is not None and today - status.st_mtime > CAPTURE_SECONDS:
            disk.unlink(path)
    disk.replace(RepoPath(f"{CAPTURES}/{pack.id}.{pack.request.format}"), pack.text.encode())
