"""Plan that a value is erased from a key's history. The version, its digest and how it ended stay."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from aiwg_memory.addons.canonical_context.file import ERASED, CanonFile, Version
from aiwg_memory.addons.canonical_context.opening import closing, opened, written
from aiwg_memory.addons.canonical_context.store import read
from aiwg_memory.core.desk import Desk
from aiwg_memory.core.operations import Note, Plan, Request
from aiwg_memory.core.tree import Tree


def forget(tree: Tree, request: Request) -> Plan:
    """The value of ``version``, or of every version, wherever this key says it; an active one is archived by it."""
    needs, takes = ("target", "key", "expected"), ("scope", "version", "reason")
    desk = Desk(tree, request, "canonical_request.v1", needs=needs, takes=takes)
    found = opened(desk)
    if found is None:
        return desk.plan("")
    named = desk.arguments.get("version")
    wanted = found.versions if named is None else tuple(one for one in found.versions if one["version"] == named)
    digests = {one["digest"] for one in wanted if not one.get("forgotten")}
    handle = found.place.handle if named is None else found.version_handle(named)
    if not wanted:
        desk.wrong("not-found", f"there is no {handle}", "`canon list` shows the keys, `canon history` the versions")
    elif not digests:
        desk.duplicates.append(Note(handle, "is forgotten already"))
    else:
        _elsewhere(desk, found, digests)
        texts = [one["value"] for one in found.versions if one["digest"] in digests]
        if found.active is not None and found.active["digest"] in digests:
            found = found.ended(found.active["version"], "archived", closing(desk))
        erased = tuple(_erased(one, digests, texts) for one in found.versions)
        written(desk, replace(found, versions=erased))
        left = "its digest stays, and that of a short secret can be guessed; commits that hold the text keep it"
        desk.conflicts.append(Note(handle, left))
    return desk.plan(f"forget the value of {handle}")


def _erased(version: Version, digests: set[str], texts: list[str]) -> Version:
    if version["digest"] in digests:
        kept = {name: value for name, value in version.items() if name != "reason"}
        return {**kept, "value": ERASED, "forgotten": True} | _clean_end(version, texts)
    return {**version, **_clean_reason(version, texts), **_clean_end(version, texts)}


def _clean_reason(version: Version, texts: list[str]) -> dict[str, str]:
    reason = version.get("reason") or ""
    return {"reason": _without(reason, texts)} if reason else {}


def _clean_end(version: Version, texts: list[str]) -> dict[str, dict[str, object]]:
    ended = version.get("disposition") or {}
    return {"disposition": {**ended, "reason": _without(ended["reason"], texts)}} if ended.get("reason") else {}


def _without(text: str, taken: list[str]) -> str:
    for one in taken:
        text = text.replace(one, ERASED)
    return text


def _elsewhere(desk: Desk, found: CanonFile, digests: set[str]) -> None:
    for place, other in read(desk.tree).files.items():
        if place != found.place and any(one["digest"] in digests for one in other.versions):
            desk.conflicts.append(Note(place.handle, "says the same, and keeps it"))


def forgotten_texts(before: CanonFile, after: CanonFile) -> Iterator[str]:
    """What a forgetting took out of a file; of a text of several lines also the longest one."""
    for old in before.versions:
        new = after.get(old["version"]) or old
        if new.get("forgotten") and not old.get("forgotten"):
            yield old["value"]
            lines = old["value"].split("\n")
            if len(lines) > 1:
                yield max(lines, key=len).strip()
