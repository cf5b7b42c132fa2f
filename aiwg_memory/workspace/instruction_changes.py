"""What a range of commits changes in the instructions, for this tool and in each agent's sight."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from aiwg_memory.core.paths import RepoPath
from aiwg_memory.core.tree import Tree
from aiwg_memory.errors import AiwgError, Refused
from aiwg_memory.workspace.instructions import levels_with_instructions, range_drift, views

if TYPE_CHECKING:
    from aiwg_memory.core.instructions.compare import Row, View
    from aiwg_memory.workspace import Workspace


def changes(workspace: Workspace, first: str, last: str, target: str | None) -> dict[str, Any]:
    """Of one target, or of every directory with instruction files in either commit. Raises UsageError."""
    repository = workspace.require_repository()
    commits = [repository.resolve(first), repository.resolve(last)]
    old, new = (repository.commit_tree(commit) for commit in commits)
    targets = [target] if target is not None else _targets(workspace, old, new)
    sight: dict[tuple[str, str, str], str] = {}
    found = []
    for each in targets:
        one = _one(workspace, old, new, each)
        for line in sight_lines(both_views(old, new, each)):
            sight.setdefault(line[:3], line[3])
        if one["drift"] or one["refused"]:
            found.append(one)
    lines = [{"agent": a, "path": path, "what": what, "message": text} for (a, path, what), text in sight.items()]
    return {"from": commits[0], "to": commits[1], "targets": found, "sight": lines}


def _targets(workspace: Workspace, old: Tree, new: Tree) -> list[str]:
    levels: set[RepoPath | None] = {
        *levels_with_instructions(workspace, old),
        *levels_with_instructions(workspace, new),
    }
    return sorted(level or "." for level in levels)


def _one(workspace: Workspace, old: Tree, new: Tree, target: str) -> dict[str, Any]:
    try:
        moved, text = range_drift(workspace, old, new, target)
    except Refused as error:
        return {"target": target, "drift": None, "text": "", "refused": [each.to_json() for each in error.findings]}
    return {"target": target, "drift": moved.to_json() if moved else None, "text": text, "refused": []}


def both_views(old: Tree, new: Tree, target: str) -> list[tuple[View, View]]:
    """What each agent loads for ``target`` before and after; nothing where that cannot be said."""
    try:
        return list(zip(views(old, target, (), None), views(new, target, (), None), strict=True))
    except AiwgError:
        return []


def sight_lines(pairs: Iterable[tuple[View, View]]) -> Iterator[tuple[str, str, str, str]]:
    """``(agent, path, what, sentence)`` for every file an agent sees less or more of than before."""
    for was, now in pairs:
        then, here = ({row.path: row for row in side.rows} for side in (was, now))
        for path in sorted(then.keys() | here.keys()):
            said = _sentence(now.title, path, then.get(path), here.get(path))
            if said:
                yield now.agent, path, said[0], said[1]


def _sentence(title: str, path: str, then: Row | None, here: Row | None) -> tuple[str, str] | None:
    if here is None or (not here.seen and then is not None and then.seen and here.state == "skipped"):
        return ("gone", f"{title} no longer loads {path}") if then and then.seen else None
    if then is None:
        if here.state in ("cut", "dropped"):
            return "cut", f"{title} sees {here.seen} of the {here.size} bytes of the new {path}"
        return ("new", f"{title} now loads {path}, {here.size} bytes") if here.seen else None
    hidden = (here.size - here.seen) - (then.size - then.seen)
    if here.state == "later" or hidden == 0:
        return None
    if hidden > 0:
        return "cut", f"this removes {hidden} bytes of {path} from {title}'s sight"
    return "seen", f"this brings {-hidden} bytes of {path} back into {title}'s sight"
