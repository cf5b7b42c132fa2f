"""Canonical context as a person names it: keys, versions, and bundles on their way in and out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from aiwg_memory.addons.canonical_context.bundle import MAX_BUNDLE, bundle
from aiwg_memory.addons.canonical_context.file import CanonFile
from aiwg_memory.addons.canonical_context.layout import Place, parse_handle, problems
from aiwg_memory.addons.canonical_context.store import Store, read
from aiwg_memory.core.canonical import digest
from aiwg_memory.errors import Damaged, NotFound, UsageError
from aiwg_memory.workspace.ingesting import read_outside_or_in

if TYPE_CHECKING:
    from aiwg_memory.workspace import Workspace

_ORDINARY = {"lifecycle": "active", "review": "confirmed", "delivery": "retrieved"}


def named(name: str, scope: str | None) -> tuple[Place, int | None]:
    """The key a person means, and the version where they named one. Raises UsageError."""
    place, version = parse_handle(name)
    if scope is not None:
        if place.scope not in ("global", scope):
            raise UsageError(f"{name} is in the scope {place.scope}, and --scope says {scope}", hint="say it once")
        place = Place(place.target, place.key, scope)
    return place, version


def change_arguments(workspace: Workspace, name: str, scope: str | None, said: Mapping[str, Any]) -> dict[str, Any]:
    """Target, key and scope, the version it is at, which the preview shows, and what was said; no empty words."""
    place, _ = named(name, scope)
    found = read(workspace.tree).files.get(place)
    arguments: dict[str, Any] = {"target": place.target, "key": place.key, "expected": found.last if found else 0}
    if place.scope != "global":
        arguments["scope"] = place.scope
    arguments |= {key: value for key, value in said.items() if value not in (None, "", ())}
    for key in ("expires_at", "review_at"):
        if arguments.get(key) == "never":
            arguments[key] = None
    if "acknowledged" in arguments:
        arguments["acknowledged"] = _versions(place, arguments["acknowledged"])
    return arguments


def _versions(place: Place, names: Iterable[str]) -> list[str]:
    """``v3`` is short for the key's own version 3."""
    return sorted(f"{place.handle}:{name}" if name[:1] == "v" and name[1:].isdecimal() else name for name in names)


def canon_rows(workspace: Workspace, target: str | None, *, history: bool) -> list[dict[str, Any]]:
    """The value of each key, by target, key and scope; with ``history`` also keys that have none any more."""
    rows = []
    for place, found in read(workspace.tree).files.items():
        if target in (None, place.target) and (history or found.active is not None):
            rows.append(_row(found, workspace.now[:10]))
    return rows


def unreadable(workspace: Workspace) -> list[str]:
    """A sentence for each file that no list can show."""
    return [f"{one.path}: {one.message}" for one in read(workspace.tree).findings if one.severity == "error"]


def _row(found: CanonFile, today: str) -> dict[str, Any]:
    newest = found.versions[0]
    lifecycle = newest["status"]
    if lifecycle == "active" and (newest.get("expires_at") or "9")[:10] <= today:
        lifecycle = "expired"
    elif lifecycle == "active" and (newest.get("review_at") or "9")[:10] <= today:
        lifecycle = "stale"
    return {"handle": found.place.handle, **newest, "lifecycle": lifecycle}


def canon_line(row: Mapping[str, Any]) -> str:
    said = [str(row[key]) for key, usual in _ORDINARY.items() if row[key] != usual]
    value = " ".join(row["value"].split())
    shown = value if len(value) <= 100 else value[:99] + "…"
    return f"{row['handle'][4:]}  v{row['version']}  {shown}" + (f"  [{', '.join(said)}]" if said else "")


def one_key(workspace: Workspace, name: str, scope: str | None) -> tuple[CanonFile, int | None]:
    """Raises NotFound with the nearest keys, Damaged for a file that cannot be read."""
    place, version = named(name, scope)
    store = read(workspace.tree)
    found = store.files.get(place)
    broken = [] if found or problems(place) else [one for one in store.findings if one.path == place.path]
    if broken:
        raise Damaged(f"{place.path} cannot be read: {broken[0].message}", hint=broken[0].hint, findings=broken)
    if found is None:
        raise NotFound(f"there is no {place.handle}", hint=_nearest(store, place))
    if version is not None and found.get(version) is None:
        raise NotFound(f"{place.handle} has no version {version}", hint=f"it has versions 1 to {found.last}")
    return found, version


def _nearest(store: Store, place: Place) -> str:
    from difflib import get_close_matches

    known = [each.handle[4:] for each in store.files]
    near = get_close_matches(place.handle[4:], known, n=3)
    return f"did you mean {' or '.join(near)}?" if near else "`aiwg-memory canon list` shows the keys there are"


def exported(workspace: Workspace, target: str | None) -> dict[str, Any]:
    """Raises UsageError while a file cannot be read: a bundle that leaves something out says nothing of it."""
    store = read(workspace.tree)
    broken = [one for one in store.findings if one.severity == "error"]
    if broken:
        raise UsageError(f"{broken[0].path}: {broken[0].message}", hint="repair it first", findings=broken)
    return bundle(store, workspace.config.workspace, target)


def bundle_bytes(workspace: Workspace, directory: str | None, file: str) -> bytes:
    """A bundle's file, inside or outside the workspace; at most 8 MiB."""
    return read_outside_or_in(workspace, directory, file, MAX_BUNDLE)


def import_arguments(
    data: bytes, acknowledged: Sequence[str], *, foreign: bool
) -> tuple[dict[str, Any], dict[str, bytes]]:
    """The arguments of an import, and the bundle's bytes, which are kept beside the preview."""
    full = digest(data)
    arguments: dict[str, Any] = {"bundle": full}
    arguments |= {"acknowledged": sorted(acknowledged)} if acknowledged else {}
    return arguments | ({"allow_cross_workspace": True} if foreign else {}), {full: data}
