"""What a change does to canonical context: each key with its value before and after."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from aiwg_memory.addons.canonical_context.file import CanonFile, read_file
from aiwg_memory.addons.canonical_context.reading import is_value, item
from aiwg_memory.core.changes.entry import Described, Entry
from aiwg_memory.core.changes.sides import Sides
from aiwg_memory.core.changes.steps import listed, narrowest, refs, sourced, steps
from aiwg_memory.core.config import Config
from aiwg_memory.core.paths import RepoPath


def describe(sides: Sides, config: Config) -> Described:
    entries: list[Entry] = []
    for path in sides.change.paths:
        if is_value(path):
            entries += _key(path, _file(sides, path, was=True), _file(sides, path, was=False))
    return Described(tuple(entries), _always(sides, config, was=True), _always(sides, config, was=False))


def _file(sides: Sides, path: RepoPath, *, was: bool) -> CanonFile | None:
    data = sides.data(path, was=was)
    return None if data is None else read_file(path, data)[0]


def _key(path: RepoPath, was: CanonFile | None, now: CanonFile | None) -> Iterator[Entry]:
    either = now or was
    if either is None:
        return
    old, new = (one.active if one else None for one in (was, now))
    latest: Mapping[str, Any] = new or (now.versions[0] if now else old or {})
    entry = Entry(
        "canonical",
        "changed",
        either.place.handle,
        path,
        str(latest.get("digest") or ""),
        narrowest(*(str(one.get("classification") or "") for one in (old, new, latest) if one)),
        before=str(old["value"]) if old else "",
        after=str(new["value"]) if new else "",
        who=str(latest.get("reviewer") or ""),
        reason=str(latest.get("reason") or ""),
        sources=refs(latest),
        gone=now is None,
    )
    if now is None:
        yield entry._replace(
            action="removed", detail="its file is gone, and its history with it", who="", reason="", alarm=True
        )
    elif new is None:
        if old is not None:
            yield _ended(entry, latest)
    elif old is None:
        action = "restored" if was else "added"
        yield entry._replace(action=action, detail=listed(f"version {now.last}", str(new["review"])))
    elif old["value"] != new["value"]:
        yield entry._replace(
            action="reworded", detail=listed(f"version {old['version']} → {new['version']}", steps(old, new))
        )
    elif detail := listed(steps(old, new), sourced(old, new)):
        yield entry._replace(before="", detail=detail)


def _ended(entry: Entry, latest: Mapping[str, Any]) -> Entry:
    told = latest.get("disposition") or {}
    return entry._replace(
        action="retired",
        detail=str(latest["status"]),
        who=str(told.get("reviewer") or ""),
        reason=str(told.get("reason") or ""),
    )


def _always(sides: Sides, config: Config, *, was: bool) -> dict[str, int]:
    found = {}
    for path, fragment in sides.fragments(was=was):
        for unit in fragment.units if is_value(path) else ():
            each = item(unit, None)
            if each and each.delivery == "always" and each.review in config.delivery.always:
                found[unit.handle] = len(each.text)
    return found
