"""What every operation on a key begins and ends with: its file opened at the version shown, and written."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from aiwg_memory.addons.canonical_context.file import CanonFile, edited
from aiwg_memory.addons.canonical_context.layout import MAX_BYTES, Place, problems
from aiwg_memory.addons.canonical_context.store import read_place, started
from aiwg_memory.core.desk import Desk

YEARS = 10
DATES = ("review_at", "expires_at")


def opened(desk: Desk) -> CanonFile | None:
    """The file of the key that the request names; None after noting why it may not be changed."""
    given = desk.arguments
    found = opened_at(desk, Place(given["target"], given["key"], given.get("scope", "global")))
    if found is not None and found.last != given["expected"]:
        said = f"{found.place.handle} is at version {found.last}, not at {given['expected']}"
        desk.wrong("wrong-version", said, "look at it again, then decide")
        return None
    return found


def opened_at(desk: Desk, place: Place) -> CanonFile | None:
    if not started(desk.tree):
        desk.wrong("canonical-off", "canonical context is not turned on in this workspace", "aiwg-memory canon init")
        return None
    named = problems(place)
    for message in named:
        higher = "higher authority" in message
        (desk.refuse if higher else desk.wrong)("reserved-namespace" if higher else "canonical-key", message)
    if named:
        return None
    found, broken = read_place(desk.tree, place)
    for one in broken:
        desk.wrong(one.rule, f"{one.path}: {one.message}", one.hint)
    for version in found.versions:
        if edited(version):
            said = f"{found.version_handle(version['version'])} was edited by hand since it was confirmed"
            desk.wrong("canonical-edited", said, "take the edit back, then set the new value")
            return None
    return None if broken else found


def written(desk: Desk, found: CanonFile) -> None:
    """The file as it will stand."""
    data = found.render()
    if len(data) > MAX_BYTES:
        said = f"{found.place.path} would have {len(data)} bytes; at most {MAX_BYTES}"
        desk.wrong("too-large", said, "go on under another key")
    desk.subjects[found.place.handle] = None
    desk.draft.write(found.place.path, data)


def closing(desk: Desk, *, replaced_by: int | None = None) -> dict[str, Any]:
    """How a version ends: by whom, when, why, and what took its place."""
    request = desk.request
    return {
        "by": request.reviewer,
        "at": request.at,
        "reason": desk.arguments.get("reason", ""),
        "replaced_by": replaced_by,
    }


def dates(desk: Desk, given: Mapping[str, Any]) -> dict[str, Any]:
    """The dates that were stated, as times; an expiry lies ahead, within ten years. None takes a date away."""
    at = desk.request.at
    found = {}
    for name in DATES:
        if name not in given:
            continue
        stated = given[name]
        found[name] = stated if stated is None or "T" in stated else f"{stated}T00:00:00Z"
    expires = found.get("expires_at")
    if expires and not at < expires <= f"{int(at[:4]) + YEARS}{at[4:]}":
        desk.wrong("canonical-date", f"expires_at {expires} is not after {at} and within {YEARS} years of it")
    return found
