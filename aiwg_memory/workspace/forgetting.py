"""Forgetting beyond the stores: previews, undo copies, index and captured packs of this machine, and what is left."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from aiwg_memory.core.operations import MAX_FILE, Plan, Request
from aiwg_memory.core.paths import RepoPath, join
from aiwg_memory.core.tree import Tree
from aiwg_memory.errors import AiwgError, UsageError
from aiwg_memory.workspace.requests import request
from aiwg_memory.worktree.local import PREVIEWS, UNDO

if TYPE_CHECKING:
    from aiwg_memory.workspace import Workspace

CAPTURES = RepoPath(".aiwg/.local/captures")
INDEX = "index.sqlite"
LOCAL = RepoPath(".aiwg/.local")
MAX_COMMITS = 1000
MAX_PREVIEW = 64 * 1024 * 1024


def forget_request(workspace: Workspace, handles: Sequence[str], reason: str, reviewer: str) -> Request:
    """The request that forgets facts by their handles. Raises UsageError for what is none."""
    from aiwg_memory.workspace.facts import decision_arguments

    others = [handle for handle in handles if not handle.startswith("lm_")]
    if others:
        raise UsageError(f"{', '.join(others)} is no fact", hint="a fact's handle begins with lm_")
    arguments = decision_arguments(workspace, "forget", handles, reason)
    return request(workspace, "line-memory.forget", arguments, reviewer)


def forgotten_texts(tree: Tree, plan: Plan) -> tuple[bytes, ...]:
    """What the files that a forgetting removes hold; nothing for another operation."""
    if not plan.request.kind.endswith(".forget"):
        return ()
    gone = (change.path for change in plan.changes if change.after is None and change.before is not None)
    return tuple(text for path in gone if (text := tree.read(path, limit=MAX_FILE).strip()))


def erase_local(workspace: Workspace, plan: Plan, texts: Sequence[bytes]) -> None:
    """Remove every file of this machine's own that holds one of ``texts``, and the copies of what the plan replaced."""
    disk = workspace.journal.disk
    replaced = {change.before.rpartition(":")[2] for change in plan.changes if change.before}
    for folder in (UNDO, PREVIEWS, CAPTURES):
        for name in disk.names(folder):
            path = join(folder, name)
            if (folder == UNDO and name in replaced) or _holds(workspace, path, texts):
                disk.unlink(path)
    for name in disk.names(LOCAL):
        if name.startswith(INDEX):
            disk.unlink(join(LOCAL, name))


def _holds(workspace: Workspace, path: RepoPath, texts: Sequence[bytes]) -> bool:
    import base64
    import json

    try:
        data = workspace.journal.disk.read(path, limit=MAX_PREVIEW)
    except AiwgError:
        return False
    spelled = [form for text in texts for form in (text, json.dumps(text.decode("utf-8", "replace"))[1:-1].encode())]
    if any(form in data for form in spelled):
        return True
    if not path.under(PREVIEWS):
        return False
    try:
        inputs = json.loads(data).get("inputs", {})
        return any(text in base64.b64decode(value) for value in inputs.values() for text in texts)
    except (ValueError, AttributeError):
        return False


def still_held(workspace: Workspace, asked: Request) -> tuple[str, ...]:
    """What a forgetting cannot reach, a line each: the commits that hold what it would remove."""
    if workspace.repository is None:
        return ()
    notes = []
    for target in asked.arguments["targets"]:
        handle = target["handle"]
        path = f".aiwg/memory/facts/{handle[3:]}.txt" if handle.startswith("lm_") else f".aiwg/wiki/{handle[5:]}"
        commits = workspace.repository.commits_touching(path, limit=MAX_COMMITS)
        if commits:
            notes.append(f"  git keeps {handle}: {len(commits)} commits touch {path}, the first {commits[0][:12]}")
    return tuple(notes)
