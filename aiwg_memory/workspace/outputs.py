"""Outputs as a person names them: the file, the pack it was made with, and what has become of both."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from aiwg_memory.addons.compound_memory.outputs.store import LIVE, Store, file_state, read, unlinked
from aiwg_memory.core.counting import few
from aiwg_memory.core.dependencies import unite
from aiwg_memory.errors import NotFound, Refused, UsageError
from aiwg_memory.workspace.deliveries import saved_request
from aiwg_memory.workspace.people import provenance
from aiwg_memory.worktree.root import real_root

if TYPE_CHECKING:
    from aiwg_memory.workspace import Workspace


def register_arguments(
    workspace: Workspace, directory: str | None, file: str, pack: str, *, keep_task: bool
) -> dict[str, Any]:
    """Path, pack and sources of a registration. Raises NotFound for a pack that is not kept, Refused for one that
    holds a person's own facts: their digests would be everybody's to see."""
    saved = saved_request(workspace, pack)
    request = saved["request"]
    if request["options"]["user"]:
        raise Refused(
            f"{saved['id'][:17]} was built with your own facts, which are not the project's",
            code="user-scope",
            hint="build a pack by `context` without `--user`, and make the output with that",
        )
    kept = {name: saved[name] for name in ("id", "text_digest", "tree", "format", "request")}
    if keep_task and not request["options"]["no_digest"]:
        kept["task"] = saved["task"]
    return {
        "path": _inside(workspace, directory, file),
        "pack": kept,
        "sources": [_source(item) for item in saved["items"]],
        "dependencies": _envelope(saved["items"]),
        "provenance": provenance(workspace),
    }


def _inside(workspace: Workspace, directory: str | None, file: str) -> str:
    full = os.path.normpath(os.path.join(real_root(directory), file))
    inside = os.path.relpath(full, workspace.root)
    if inside == "." or inside.startswith(".."):
        raise UsageError(f"{file} is not a file of this workspace", hint="an output is registered where it lies")
    return inside.replace(os.sep, "/")


def _source(item: Mapping[str, Any]) -> dict[str, Any]:
    span = item["locator"] if item["locator"] != item["handle"] else None
    return {"ref": item["handle"], "digest": item["digest"], "span": span}


def _envelope(items: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """An output rests on each item of its pack, and on whatever that rests on."""
    leaves = [
        {"kind": item["layer"], "ref": item["handle"], "digest": item["digest"], "scope": item["scope"]}
        for item in items
    ]
    own: list[Mapping[str, Any]] = [{"state": "known", "leaves": [leaf]} for leaf in leaves]
    return unite([*(own or [{"state": "known"}]), *(one for item in items if (one := item["dependencies"]))])


def full_ids(workspace: Workspace, names: Sequence[str]) -> list[str]:
    """Each output's handle from its beginning (at least ``out_`` and 4 digits), or from the path of one that stands.
    Raises NotFound, UsageError."""
    store = read(workspace.tree)
    return [_full(store, name) for name in names]


def _full(store: Store, name: str) -> str:
    found = [handle for handle in store.heads if handle.startswith(name)] if len(name) >= 8 else []
    if name in store.heads:
        return name
    if not found:
        current = {handle: head.current for handle, head in store.heads.items()}
        found = [handle for handle, one in current.items() if one.status == LIVE and one.text("path") == name]
    if not found:
        raise NotFound(f"there is no output {name}", hint="`aiwg-memory outputs list` shows handles and paths")
    if len(found) > 1:
        raise UsageError(f"{name} fits {len(found)} outputs: {few(found)}", hint="give more of its digits")
    return found[0]


def end_arguments(workspace: Workspace, names: Sequence[str], reason: str) -> dict[str, Any]:
    """Targets at the version they are at now, which the preview shows."""
    store = read(workspace.tree)
    handles = [_full(store, name) for name in dict.fromkeys(names)]
    targets = [{"handle": handle, "expected": store.heads[handle].current.version} for handle in handles]
    return {"targets": targets} | ({"reason": reason} if reason else {})


def output_rows(workspace: Workspace, *, history: bool) -> tuple[list[dict[str, Any]], list[str], bool]:
    """Registrations by time, files of the output folders without one, and whether there are more of those."""
    rows = [
        {**head.current.value, "file": file_state(workspace.tree, head.current)}
        for head in read(workspace.tree).heads.values()
        if history or head.current.status == LIVE
    ]
    config = workspace.config
    loose, more = unlinked(workspace.tree, config.sources.output_folders, config.maintenance.scan_limit)
    return sorted(rows, key=lambda row: (row["at"], row["handle"])), [str(path) for path in loose], more


def output_history(workspace: Workspace, name: str) -> dict[str, Any]:
    """One output and every version of its record, oldest first. Raises NotFound."""
    store = read(workspace.tree)
    handle = _full(store, name)
    versions = sorted((one for one in store.versions if one.handle == handle), key=lambda one: (one.version, one.at))
    return {
        "output": {
            **store.heads[handle].current.value,
            "file": file_state(workspace.tree, store.heads[handle].current),
        },
        "versions": [{**one.value, "version_digest": one.digest} for one in versions],
    }


def verify_outputs(workspace: Workspace, names: Sequence[str]) -> list[dict[str, Any]]:
    """For each registration named (none: all that stand) what its file is by now, and whether its pack reproduces."""
    from aiwg_memory.workspace.verifying import verify_kept

    store = read(workspace.tree)
    handles = [_full(store, name) for name in dict.fromkeys(names)] or [one.handle for one in store.live()]
    verdicts: dict[str, dict[str, Any]] = {}
    rows = []
    for handle in handles:
        version = store.heads[handle].current
        pack = version.object("pack")
        key = f"{pack['id']} {pack['text_digest']} {pack['tree']}"
        if key not in verdicts:
            verdicts[key] = verify_kept(workspace, pack)
        told = verdicts[key]
        row = {"handle": handle, "path": version.text("path"), "file": file_state(workspace.tree, version)}
        rows.append({**row, "pack": pack["id"], "verdict": told["verdict"], "why": told["why"]})
    return rows
