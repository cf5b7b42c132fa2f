"""Instructions of one workspace: the tree that is meant, and what is asked of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from aiwg_memory.core.paths import RepoPath
from aiwg_memory.core.tree import Tree
from aiwg_memory.errors import Refused, UsageError

if TYPE_CHECKING:
    from aiwg_memory.addons.instructions.store import History
    from aiwg_memory.core.findings import Finding
    from aiwg_memory.core.instructions.compare import View
    from aiwg_memory.core.instructions.discover import Discovery
    from aiwg_memory.core.instructions.drift import Drift
    from aiwg_memory.core.instructions.snapshot import Snapshot
    from aiwg_memory.workspace import Workspace

# Names looked at where there is no git to list them.
MAX_WALKED = 100_000


def tree_at(workspace: Workspace, at: str | None, staged: bool) -> Tree:
    """The working tree, a commit, or what is staged."""
    if at is not None and staged:
        raise UsageError(
            "--at and --staged exclude each other", hint="give one of them, or neither for the working tree"
        )
    if staged:
        return workspace.require_repository().index_tree()
    return workspace.tree if at is None else workspace.require_repository().commit_tree(at)


def discovery(tree: Tree) -> Discovery:
    """Discovery with the tree's own settings."""
    from aiwg_memory.addons.instructions.asking import discovery as configured

    return configured(tree)


def snapshot(workspace: Workspace, tree: Tree, target: str) -> Snapshot:
    """Raises Refused with every problem; also when a file changed while the others were read."""
    from aiwg_memory.core.instructions.discover import refused

    found = discovery(tree)
    result = found.snapshot(target, loaded_at=workspace.now)
    moved = found.moved()
    if moved:
        raise refused(result.target, moved)
    return result


def views(tree: Tree, target: str, agents: Sequence[str], started: str | None) -> list[View]:
    """What each agent would load. ``started`` is the directory it runs in; the target's own without one."""
    from aiwg_memory.core.instructions.agents import AGENTS, NAMED
    from aiwg_memory.core.instructions.compare import Chain, Shelf, view
    from aiwg_memory.core.instructions.discover import refused
    from aiwg_memory.core.instructions.targets import levels, target_path

    unknown = [name for name in agents if name not in NAMED]
    if unknown:
        raise UsageError(f"{', '.join(unknown)} is no agent known here", hint=f"known are {', '.join(NAMED)}")
    problems: list[Finding] = []
    name, chain_levels = levels(tree, target, problems)
    if problems:
        raise refused(name, problems)
    depth = None
    if started is not None:
        directory = target_path(started)
        if directory not in chain_levels:
            raise UsageError(f"{started} is no directory on the way to {name}", hint="name one above the target, or .")
        depth = chain_levels.index(directory)
    chain = Chain(Shelf(tree), chain_levels, name)
    return [view(chain, agent, depth) for agent in AGENTS if not agents or agent.name in agents]


def pin_arguments(
    workspace: Workspace, target: str, delivery: Mapping[str, Mapping[str, str]], reason: str
) -> dict[str, Any]:
    """What is pinned and what is on disk at this moment, which is what the confirmation will be bound to."""
    from aiwg_memory.addons.instructions.store import read_history

    live = snapshot(workspace, workspace.tree, target)
    current = read_history(workspace.tree, live.target).current
    arguments: dict[str, Any] = {
        "target": live.target,
        "pinned": current.fingerprint if current else "",
        "live": live.fingerprint,
    }
    return arguments | ({"delivery": dict(delivery)} if delivery else {}) | ({"reason": reason} if reason else {})


def history(workspace: Workspace, target: str) -> History:
    from aiwg_memory.addons.instructions.store import read_history
    from aiwg_memory.core.instructions.targets import target_path

    return read_history(workspace.tree, str(target_path(target) or "."))


def receipts_of(workspace: Workspace, paths: Iterable[str]) -> dict[str, Mapping[str, Any]]:
    """The receipt that made each of some files, by path."""
    from aiwg_memory.core.receipts import read_receipts

    wanted = set(paths)
    found: dict[str, Mapping[str, Any]] = {}
    for record in read_receipts(workspace.tree)[0]:
        for change in record["changes"]:
            if change["path"] in wanted:
                found[change["path"]] = record
    return found


def pin_drift(workspace: Workspace, target: str) -> tuple[dict[str, Any], str]:
    """From the pin of ``target`` to what is on disk: as data, and as a text diff. Raises UsageError without a pin."""
    from aiwg_memory.addons.instructions.store import sources_of
    from aiwg_memory.core.instructions.drift import drift, drift_text

    found = history(workspace, target)
    current = found.current
    if current is None:
        raise UsageError(f"nothing is pinned for {found.target}", hint="aiwg-memory instructions pin TARGET")
    pinned = sources_of(workspace.tree, current)
    data: dict[str, Any] = {"target": found.target, "pin": current.handle, "pinned": current.fingerprint}
    try:
        live = snapshot(workspace, workspace.tree, target)
    except Refused as error:
        problems = [each.to_json() for each in error.findings]
        return {**data, "stale": True, "live": None, "refused": problems}, ""
    moved = drift(pinned, live.sources, limits=current.value["limits"] != live.limits)
    old, new = ({each.path: each.content for each in side} for side in (pinned, live.sources))
    data |= {"stale": bool(moved), "live": live.fingerprint, "refused": [], **moved.to_json()}
    return data, drift_text(moved, old.get, new.get)


def range_drift(workspace: Workspace, old: Tree, new: Tree, target: str) -> tuple[Drift, str]:
    """From one tree to another, for one target. Raises Refused where one of them is not safe."""
    from aiwg_memory.core.instructions.drift import drift, drift_text

    before, after = snapshot(workspace, old, target), snapshot(workspace, new, target)
    moved = drift(before.sources, after.sources, limits=before.limits != after.limits)
    texts = [{each.path: each.content for each in side.sources} for side in (before, after)]
    return moved, drift_text(moved, texts[0].get, texts[1].get)


def own_view(workspace: Workspace, tree: Tree, target: str) -> dict[str, Any]:
    """What this tool delivers for ``target``, or why it refuses, and the texts that links alone would have brought."""
    from aiwg_memory.core.instructions.lost import lost_through_links

    found = discovery(tree)
    try:
        result = found.snapshot(target, loaded_at=workspace.now)
    except Refused as error:
        lost = lost_through_links(tree, target, ())
        return {"files": [], "total": 0, "refused": [each.to_json() for each in error.findings], "lost": lost}
    total = 0
    files = []
    for each in result.sources:
        total += each.size
        files.append({"path": each.path, "size": each.size, "total": total})
    lost = lost_through_links(tree, target, [each.path for each in result.sources])
    return {"files": files, "total": total, "limit": result.limits["total_bytes"], "refused": [], "lost": lost}


def history_rows(workspace: Workspace, target: str) -> list[dict[str, Any]]:
    """One row a revision, oldest first."""
    found = history(workspace, target)
    receipts = receipts_of(workspace, (pin.path for pin in found.pins))
    rows = []
    for pin in found.pins:
        record = receipts.get(pin.path, {})
        rows.append(
            {
                "handle": pin.handle,
                "path": pin.path,
                "revision": pin.revision,
                "status": pin.value["status"],
                "fingerprint": pin.fingerprint,
                "sources": len(pin.value["sources"]),
                "delivery": list(pin.value["delivery"]),
                "reason": pin.value["reason"],
                "reviewer": record.get("reviewer", ""),
                "confirmed_at": record.get("confirmed_at", ""),
                "delivered": found.current is not None and found.current.path == pin.path,
            }
        )
    return rows


def instruction_names(workspace: Workspace, tree: Tree) -> list[RepoPath]:
    """Every instruction file of any agent in the tree, by name alone: as git lists them, without git by looking."""
    from aiwg_memory.core.instructions.agents import level_of

    return _named(workspace, tree, level_of)


def _level(path: str) -> str | None:
    from aiwg_memory.core.instructions.agents import level_of
    from aiwg_memory.core.instructions.names import near_level

    found = level_of(path)
    return near_level(path) if found is None else found


def _named(workspace: Workspace, tree: Tree, level: Callable[[str], str | None]) -> list[RepoPath]:
    from aiwg_memory.core.paths import path_problem

    repository = workspace.repository
    if repository is not None:
        from aiwg_memory.repo.naming import names

        found = names(repository, tree.identity, lambda name: level(name) is not None and path_problem(name) is None)
        return [path for name in found if tree_has(tree, path := RepoPath(name))]
    return sorted(_walked(tree, level))


def tree_has(tree: Tree, path: RepoPath) -> bool:
    """Whether something is there that can be looked at; what stands behind a link is not."""
    from aiwg_memory.errors import AiwgError

    try:
        return tree.stat(path) is not None
    except AiwgError:
        return False


def _walked(tree: Tree, level: Callable[[str], str | None]) -> Iterable[RepoPath]:
    from aiwg_memory.core.paths import join

    waiting: list[RepoPath | None] = [None]
    looked = 0
    while waiting and looked < MAX_WALKED:
        here = waiting.pop()
        for entry in tree.list(here):
            looked += 1
            if entry.kind == "dir" and entry.name not in ("node_modules", ".venv"):
                waiting.append(join(here, entry.name))
            elif entry.kind in ("file", "link") and level(path := join(here, entry.name)) is not None:
                yield path


def levels_with_instructions(workspace: Workspace, tree: Tree) -> list[RepoPath | None]:
    """The directories that have instruction files of some agent, or what is nearly one, the root first."""
    found = {_level(path) for path in _named(workspace, tree, _level)} | _misnamed(workspace, tree) | {""}
    return [RepoPath(each) if each else None for each in sorted(each for each in found if each is not None)]


def _misnamed(workspace: Workspace, tree: Tree) -> set[str]:
    """The levels that git has something at of a name that no path may have: it refuses what applies there."""
    from aiwg_memory.core.paths import path_problem

    if workspace.repository is None:
        return set()
    from aiwg_memory.repo.naming import names

    found = names(
        workspace.repository, tree.identity, lambda name: path_problem(name) is not None and bool(_level(name))
    )
    levels = {level for name in found if (level := _level(name)) and path_problem(level) is None}
    return {level for level in levels if tree_has(tree, RepoPath(level))}


def unsafe_and_cut(workspace: Workspace, tree: Tree) -> list[Finding]:
    """Every instruction file of the workspace, without the pins; nothing where the addon is not enabled."""
    if all(addon.name != "instructions" for addon in workspace.addons):
        return []
    return list(_everywhere(workspace, tree, discovery(tree)))


def _everywhere(workspace: Workspace, tree: Tree, found: Discovery) -> Iterable[Finding]:
    from aiwg_memory.addons.instructions.asking import settings
    from aiwg_memory.addons.instructions.checking import everywhere

    return everywhere(found, tree, levels_with_instructions(workspace, tree), settings(tree).agent_overflow)


def instruction_findings(workspace: Workspace, tree: Tree) -> list[Finding]:
    """Pins and every instruction file of the workspace."""
    from aiwg_memory.addons.instructions.checking import pins

    found = discovery(tree)
    judged = [*pins(found, tree), *_everywhere(workspace, tree, found)]
    errors = {(each.path, each.line, each.rule) for each in judged if each.severity == "error"}
    return sorted(
        {each for each in judged if each.severity == "error" or (each.path, each.line, each.rule) not in errors}
    )
