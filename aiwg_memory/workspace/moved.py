"""A stale preview says which paths moved and who moved them, and comes with a fresh preview."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any

from aiwg_memory.core.canonical import short
from aiwg_memory.core.findings import Finding
from aiwg_memory.core.operations import Plan
from aiwg_memory.core.paths import RepoPath
from aiwg_memory.core.stored import current_digest
from aiwg_memory.errors import AiwgError, StalePreview

if TYPE_CHECKING:
    from aiwg_memory.workspace import Workspace


_BY_HAND = "by hand, not yet committed"


def is_stale(workspace: Workspace, preview: Mapping[str, Any]) -> bool:
    """Whether ``confirm`` found that it can no longer be done, or a file that it would change has changed since."""
    if preview["stale"]:
        return True
    try:
        return any(_differing(workspace, preview["changes"]))
    except AiwgError:
        return True


def stale(workspace: Workspace, saved: Any, fresh: Plan) -> StalePreview:
    """The refusal; the fresh plan is saved as a preview of its own when there is still something to change."""
    if fresh.changes:
        workspace.journal.previews.save(fresh, workspace.now)
    old = {change["path"]: change for change in saved.changes}
    new = {change.path: change.to_json() for change in fresh.changes}
    paths = sorted(path for path in old.keys() | new.keys() if old.get(path) != new.get(path))
    findings = [
        _moved(workspace, path, saved.created)
        for path in paths
        if old.get(path, {}).get("before") != new.get(path, {}).get("before")
    ]
    if saved.request.reviewer != fresh.request.reviewer:
        message = f"previewed as {saved.request.reviewer}, confirmed as {fresh.request.reviewer}"
        findings.append(Finding("reviewer", 0, "moved", message))
    if not findings:
        findings = [Finding(path, 0, "moved", "would now be written differently") for path in paths]
    hint = f"look at the fresh preview op_{short(fresh.operation_id, 12)}" if fresh.changes else "nothing is left to do"
    error = StalePreview(
        f"op_{short(saved.operation_id, 12)} is no longer what would happen; nothing was changed",
        hint=hint,
        findings=findings,
    )
    error.fresh = fresh
    return error


def impossible(workspace: Workspace, saved: Any, error: AiwgError) -> StalePreview:
    """What was previewed cannot be done any more: why, and who moved what it was about. There is no fresh preview."""
    moved = [_moved(workspace, path, saved.created) for path in _differing(workspace, saved.changes)]
    drop = f"aiwg-memory previews drop op_{short(saved.operation_id, 12)}"
    return StalePreview(
        f"what was previewed can no longer be done: {error.message}",
        hint=f"{error.hint or 'look at it again and preview anew'}; `{drop}` takes this one off the list",
        findings=[*moved, *_decided(workspace, saved), *error.findings],
    )


def _differing(workspace: Workspace, changes: Iterable[Mapping[str, Any]]) -> Iterator[RepoPath]:
    """The paths that do not hold now what these changes replace."""
    for change in changes:
        path = RepoPath(change["path"])
        if current_digest(workspace.tree, path) != change["before"]:
            yield path


def _decided(workspace: Workspace, saved: Any) -> Iterator[Finding]:
    """The later receipts about the records that the preview was about."""
    from aiwg_memory.core.receipts import read_receipts

    arguments = saved.request.arguments
    targets = arguments.get("targets") or [arguments[key] for key in ("target",) if key in arguments]
    handles = {target["handle"] for target in targets if isinstance(target, Mapping)}
    for receipt in read_receipts(workspace.tree)[0] if handles else ():
        if receipt["confirmed_at"] >= saved.created:
            who = f"receipt {receipt['seg']} by {receipt['reviewer']}"
            for handle in sorted(handles.intersection(receipt["subjects"])):
                yield Finding(handle, 0, "moved", f"{receipt['kind']} since the preview ({who})")


def _moved(workspace: Workspace, path: str, since: str) -> Finding:
    return Finding(path, 0, "moved", f"changed since the preview ({_who(workspace, path, since)})")


def _who(workspace: Workspace, path: str, since: str) -> str:
    """Whose bytes are there now: those of a receipt or commit newer than ``since``, of an older commit, or nobody's."""
    from aiwg_memory.core.receipts import last_receipt_for

    now = current_digest(workspace.tree, RepoPath(path))
    record = last_receipt_for(workspace.tree, path)
    left = record["changes"] if record is not None and record["confirmed_at"] >= since else ()
    if record is not None and any((change["path"], change["after"]) == (path, now) for change in left):
        return f"receipt {record['seg']} by {record['reviewer']}"
    repository = workspace.repository
    commit = repository.last_commit_for(RepoPath(path)) if repository else None
    if repository is None or commit is None:
        return _BY_HAND
    if current_digest(repository.commit_tree(commit.commit), RepoPath(path)) != now:
        return _BY_HAND
    said = f"commit {commit.commit[:12]} by {commit.author}"
    newer = datetime.fromisoformat(commit.at) >= datetime.fromisoformat(since)
    return said if newer else f"it is now as in {said}"
