"""Plan what is taken in of a bundle: every value judged anew, pending until a person confirms it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from aiwg_memory.addons.canonical_context.bundle import place_of, read_bundle
from aiwg_memory.addons.canonical_context.opening import opened_at
from aiwg_memory.addons.canonical_context.setting import clean, obstacle, put
from aiwg_memory.core.desk import Desk
from aiwg_memory.core.operations import Note, Plan, Request
from aiwg_memory.core.tree import Tree
from aiwg_memory.errors import UsageError

_UNPROVEN = {"state": "unknown", "reason": "taken in from a bundle"}


def import_bundle(tree: Tree, request: Request) -> Plan:
    """``bundle`` is the digest of the bundle's bytes among ``inputs``. A value that differs from an active one, or
    that was revoked here, is listed and left out unless its version is acknowledged."""
    takes = ("acknowledged", "allow_cross_workspace", "reason")
    desk = Desk(tree, request, "canonical_request.v1", needs=("bundle",), takes=takes)
    data = request.inputs.get(desk.arguments["bundle"])
    if data is None:
        raise UsageError("the bundle is not beside the request", hint="preview the import again")
    bundle = read_bundle(data)
    if bundle["workspace"] != request.workspace and not desk.arguments.get("allow_cross_workspace"):
        desk.refuse(
            "cross-workspace",
            f"the bundle is of the workspace {bundle['workspace']}, not of this one",
            "look at what it holds; --allow-cross-workspace takes it in all the same",
        )
    for entry in bundle["entries"]:
        _take(desk, entry)
    count = len(desk.subjects)
    return desk.plan(f"take in {count} of {len(bundle['entries'])} canonical values")


def _take(desk: Desk, entry: Mapping[str, Any]) -> None:
    place = place_of(entry)
    found = opened_at(desk, place)
    value = clean(desk, entry["value"])
    if found is None or value is None:
        return
    if entry["status"] != "active":
        desk.conflicts.append(Note(place.handle, f"is {entry['status']} in the bundle, and left out"))
        return
    expires = entry.get("expires_at")
    if expires and expires <= desk.request.at:
        desk.conflicts.append(Note(place.handle, f"expired at {expires}, and is left out"))
        return
    active = found.active
    if active is not None and active["value"] == value:
        desk.duplicates.append(Note(place.handle, f"says this already, as v{active['version']}"))
        return
    stops = obstacle(found, value, desk.arguments.get("acknowledged", ()))
    if stops:
        desk.conflicts.append(Note(place.handle, f"{stops[1]}; left out without --acknowledge {stops[0]}"))
        return
    for source in entry.get("sources", ()):
        desk.screen(source["ref"], place.path, strict=True)
    stated = {name: entry[name] for name in ("delivery", "classification", "review_at", "expires_at") if name in entry}
    said = {**stated, "sources": entry.get("sources", ()), "dependencies": _UNPROVEN, "provenance": "import"}
    put(desk, found, value, said)
