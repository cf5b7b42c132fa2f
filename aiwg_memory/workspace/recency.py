"""When facts were last selected into a pack here: ``.local/recency.jsonl``. Only maintenance reads it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from aiwg_memory.core.canonical import canonical_json
from aiwg_memory.core.paths import RepoPath
from aiwg_memory.core.records import read_line
from aiwg_memory.errors import AiwgError, NotFound
from aiwg_memory.worktree.local import prepare

if TYPE_CHECKING:
    from aiwg_memory.workspace import Workspace

LOG = RepoPath(".aiwg/.local/recency.jsonl")
TRIM_BYTES = 1024 * 1024
MAX_BYTES = 64 * 1024 * 1024


def touch(workspace: Workspace, handles: Iterable[str]) -> None:
    """Note that these facts were selected now. Where nothing can be written this is a no-op."""
    named = sorted({handle for handle in handles if handle.startswith("lm_")})
    if not named or workspace.tree.stat(RepoPath(".aiwg")) is None:
        return
    disk = workspace.journal.disk
    try:
        prepare(disk)
        disk.append(LOG, canonical_json({"at": workspace.now, "handles": named}) + b"\n")
        status = disk.stat(LOG)
        if status is not None and status.st_size > TRIM_BYTES:
            with workspace.journal.locked():
                disk.replace(LOG, _condensed(last_used(workspace)))
    except AiwgError:
        return


def last_used(workspace: Workspace) -> dict[str, str]:
    """Fact to the latest time it was selected; a line that a crash cut short is skipped."""
    try:
        data = workspace.tree.read(LOG, limit=MAX_BYTES)
    except NotFound:
        return {}
    found: dict[str, str] = {}
    for line in data.split(b"\n"):
        value, _ = read_line(line)
        if not isinstance(value, dict) or not isinstance(value.get("at"), str):
            continue
        handles = value.get("handles")
        for handle in handles if isinstance(handles, list) and all(isinstance(one, str) for one in handles) else ():
            found[handle] = max(found.get(handle, ""), value["at"])
    return found


def _condensed(found: Mapping[str, str]) -> bytes:
    """One line a time that is the last one of some fact."""
    times: dict[str, list[str]] = {}
    for handle in sorted(found):
        times.setdefault(found[handle], []).append(handle)
    return b"".join(canonical_json({"at": at, "handles": times[at]}) + b"\n" for at in sorted(times))
