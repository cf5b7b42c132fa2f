"""Every instruction file of a workspace at a glance: whose it is, in which order, and which of it is confirmed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from aiwg_memory.core.findings import Finding
from aiwg_memory.core.instructions.compare import Chain, Shelf, View, view
from aiwg_memory.core.paths import RepoPath
from aiwg_memory.core.tree import Tree
from aiwg_memory.errors import AiwgError
from aiwg_memory.workspace.instructions import discovery, instruction_names

if TYPE_CHECKING:
    from aiwg_memory.workspace import Workspace


def overview(workspace: Workspace, tree: Tree) -> dict[str, Any]:
    """``directories[]`` with ``files[]`` (size, precedence, state here and per agent), and ``pins[]``."""
    from aiwg_memory.core.instructions.agents import AGENTS, level_of

    found = discovery(tree)
    folders: dict[str, list[RepoPath]] = {"": []}
    for path in instruction_names(workspace, tree):
        level = level_of(path)
        folders.setdefault("" if level is None else level, []).append(path)
    directories = []
    shelf = Shelf(tree)
    for folder in sorted(folders):
        level = RepoPath(folder) if folder else None
        chain = Chain(shelf, _chain(level), folder or ".")
        seen = {agent.name: view(chain, agent) for agent in AGENTS}
        files = [_file(chain, path, seen) for path in folders[folder]]
        directories.append({"path": folder or ".", **_own(found, folder or ".", files)})
    return {"directories": directories, "pins": _pins(found, tree)}


def _chain(level: RepoPath | None) -> tuple[RepoPath | None, ...]:
    parts = level.parts if level else ()
    return (None, *(RepoPath("/".join(parts[: end + 1])) for end in range(len(parts))))


def _file(chain: Chain, path: RepoPath, seen: dict[str, View]) -> dict[str, Any]:
    entry = chain.present.get(path)
    return {
        "path": path,
        "kind": entry.kind if entry else "",
        "size": entry.size if entry else 0,
        "agents": {name: _state(each, path) for name, each in seen.items()},
    }


def _state(seen: View, path: str) -> str:
    return next((row.state for row in seen.rows if row.path == path), "unseen")


def _own(found: Any, target: str, files: list[dict[str, Any]]) -> dict[str, Any]:
    """The files as this tool sees them: their precedence, ignored, or why the directory is refused."""
    try:
        snapshot = found.snapshot(target, loaded_at="")
    except AiwgError as error:
        problems = [each.to_json() for each in error.findings]
        return {"files": [{**each, "state": "refused", "precedence": None} for each in files], "refused": problems}
    order = {each.path: each.precedence for each in snapshot.sources}
    ignored = {each.path: each.reason for each in snapshot.ignored}
    rows = []
    for each in files:
        path = each["path"]
        state = "loaded" if path in order else ignored.get(path, "not read here")
        rows.append({**each, "state": state, "precedence": order.get(path)})
    return {"files": rows, "refused": []}


def _pins(found: Any, tree: Tree) -> list[dict[str, Any]]:
    from aiwg_memory.addons.instructions.store import read_all
    from aiwg_memory.core.instructions.drift import drift

    problems: list[Finding] = []
    rows = []
    for history in read_all(tree, problems, last=True):
        pin = history.current
        if pin is None:
            continue
        try:
            live = found.sources(pin.target)
            state = drift(pin.sources, live, limits=pin.value["limits"] != found.limits).sentence()
        except AiwgError as error:
            state = error.message
        rows.append(
            {"target": pin.target, "revision": pin.revision, "fingerprint": pin.fingerprint, "stale": bool(state),
             "drift": state}
        )  # fmt: skip
    return sorted(rows, key=lambda each: str(each["target"]))
