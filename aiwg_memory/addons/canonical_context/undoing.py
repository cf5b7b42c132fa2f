"""Plan the inverse of an operation on canonical context: by new versions, since history is only added to."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from aiwg_memory.addons.canonical_context.file import ACTIVE, CanonFile, Version, read_file
from aiwg_memory.addons.canonical_context.layout import MAX_BYTES, STORE
from aiwg_memory.addons.canonical_context.opening import closing, written
from aiwg_memory.addons.canonical_context.reading import is_value
from aiwg_memory.addons.canonical_context.store import read
from aiwg_memory.core.counting import counted
from aiwg_memory.core.desk import Desk
from aiwg_memory.core.operations import Plan, Request
from aiwg_memory.core.paths import RepoPath
from aiwg_memory.core.stored import current_digest
from aiwg_memory.core.tree import Tree


def undo(tree: Tree, request: Request) -> Plan:
    """The value that stood before stands again, as a new version; where none stood, the active one is archived."""
    desk = Desk(tree, request, "canonical_request.v1", needs=("receipt",))
    receipt = desk.arguments["receipt"]
    if receipt["kind"] == "canonical-context.forget":
        desk.wrong("forgotten", "what was forgotten stays forgotten", "set the value again, if you have it")
        return desk.plan("")
    for change in receipt["changes"]:
        path = RepoPath(change["path"])
        if current_digest(tree, path) != change["after"]:
            said = f"{path} was changed again after {receipt['seg']}"
            desk.wrong("changed-since", said, "undo the later operation first", path)
        elif path == STORE:
            _turn_off(desk, tree)
        elif is_value(path):
            _turn_back(desk, path, change["before"])
    return desk.plan(f"undo {receipt['kind']} of {counted(len(desk.subjects), 'key')}")


def _turn_off(desk: Desk, tree: Tree) -> None:
    if read(tree).files:
        desk.wrong("canonical-in-use", "keys were set since canonical context was turned on", "undo those first")
    else:
        desk.draft.remove(STORE)


def _turn_back(desk: Desk, path: RepoPath, before: str | None) -> None:
    data = desk.request.inputs.get(before) if before is not None else None
    if before is not None and data is None:
        desk.wrong("text-gone", f"what {path} held before can no longer be found", "set the value again", path)
        return
    found, _ = read_file(path, desk.tree.read(path, limit=MAX_BYTES))
    earlier = read_file(path, data)[0] if data is not None else None
    if found is None or (data is not None and earlier is None):
        desk.wrong(
            "canonical-file",
            f"{path} cannot be read as it is, or as it was",
            "`check` says what is wrong with it",
            path,
        )
        return
    stood = earlier.active if earlier else None
    active = found.active
    if stood is None and active is not None:
        written(desk, found.ended(active["version"], "archived", {**closing(desk), "reason": "undone"}))
    elif stood is not None and (active is None or active["version"] != stood["version"]):
        written(desk, _again(desk, found, stood))
    else:
        said = f"what was decided of {found.place.handle} leaves no value to bring back"
        desk.wrong("nothing-to-undo", said, "set the value you want", path)


def _again(desk: Desk, found: CanonFile, stood: Version) -> CanonFile:
    number = found.last + 1
    request = desk.request
    version: dict[str, Any] = {name: value for name, value in stood.items() if name != "disposition"}
    version |= {"version": number, "status": ACTIVE, "reviewer": request.reviewer, "reason": "undone"}
    version |= {"created_at": request.at}
    if found.active is not None:
        found = found.ended(found.active["version"], "superseded", closing(desk, replaced_by=number))
    return replace(found, versions=(version, *found.versions))
