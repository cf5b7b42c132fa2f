"""What another tool kept as canonical context: keys that are new here, with the history they had there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from aiwg_memory.addons.canonical_context.file import ACTIVE, CanonFile, value_digest
from aiwg_memory.addons.canonical_context.layout import Place, problems
from aiwg_memory.addons.canonical_context.opening import closing, written
from aiwg_memory.addons.canonical_context.setting import clean
from aiwg_memory.addons.canonical_context.store import read_place, started
from aiwg_memory.core.counting import counted
from aiwg_memory.core.desk import Desk
from aiwg_memory.core.foreign import Value, unproven
from aiwg_memory.core.operations import Note, Plan, Request
from aiwg_memory.core.screening import screen
from aiwg_memory.core.tree import Tree
from aiwg_memory.errors import AiwgError


def take(tree: Tree, request: Request, entries: Sequence[Value]) -> Plan:
    """Every version begins pending. A key that has a value here is left as it is, and said where it differs."""
    desk = Desk(tree, request.part("canonical-context.import", {}), "canonical_request.v1", needs=())
    if entries and not started(tree):
        said = f"{counted(len(entries), 'value')} left out: canonical context is not turned on here (`canon init`)"
        desk.conflicts.append(Note("canonical context", said))
        return desk.plan("")
    places: dict[Place, list[Value]] = {}
    for entry in entries:
        places.setdefault(Place(entry.target, entry.key, entry.scope), []).append(entry)
    for place in sorted(places):
        _take(desk, place, places[place])
    count = len(desk.subjects)
    return desk.plan(f"take in {count} key{'' if count == 1 else 's'}")


def _take(desk: Desk, place: Place, entries: list[Value]) -> None:
    wrong = problems(place)
    if wrong:
        desk.conflicts.append(Note(place.handle, f"is left out: {wrong[0]}"))
        return
    found, broken = read_place(desk.tree, place)
    if broken or found.versions:
        _known(desk, found, entries, bool(broken))
        return
    kept = [entry for entry in entries if _allowed(desk, entry)]
    for number, entry in enumerate(kept, 1):
        last = number == len(kept)
        found = replace(found, versions=(_version(desk, found, entry, number, last), *found.versions))
    if kept:
        written(desk, found)


def _known(desk: Desk, found: CanonFile, entries: list[Value], broken: bool) -> None:
    active = found.active
    newest = next((entry for entry in reversed(entries) if entry.status == ACTIVE), entries[-1])
    known = {one.get("foreign_id") for one in found.versions}
    if broken:
        said = "is left as it is: its file here cannot be read"
    elif newest.id in known or (active is not None and active["value"] == newest.value):
        desk.duplicates.append(Note(found.place.handle, "is here already"))
        return
    else:
        said = f"has a value here and is left as it is; {newest.place} says another (`canon set` takes it over)"
    desk.conflicts.append(Note(found.place.handle, said))


def _allowed(desk: Desk, entry: Value) -> bool:
    """Whether it may be kept here; else it is said."""
    said = ""
    if entry.classification not in ("public", "internal"):
        said = f"its classification {entry.classification} has no place in canonical context"
    else:
        probe = Desk(desk.tree, desk.request, "canonical_request.v1", needs=())
        exceptions = desk.config.screening
        path = Place(entry.target, entry.key, entry.scope).path
        clean(probe, entry.value)
        found = screen(entry.value, path=path, exceptions=exceptions)
        for text in (entry.id, *map(str, entry.origin.values()), *(str(one["ref"]) for one in entry.sources)):
            found += screen(text, path=path, strict=True, exceptions=exceptions)
        try:
            probe.judge(found)
            probe.plan("")
        except AiwgError as error:
            said = error.message
        desk.warnings += probe.warnings
    if said:
        desk.conflicts.append(Note(entry.place, f"is left out: {said}"))
    return not said


def _version(desk: Desk, found: CanonFile, entry: Value, number: int, last: bool) -> dict[str, Any]:
    value = clean(desk, entry.value) or ""
    status = entry.status if last or entry.status != ACTIVE else "superseded"
    version: dict[str, Any] = {
        "version": number,
        "status": status,
        "value": value,
        "digest": value_digest(value),
        "scope": found.place.scope,
        "delivery": "retrieved",
        "review": "pending",
        "provenance": "import",
        "classification": entry.classification,
        "sources": [{name: told for name, told in one.items() if told is not None} for one in entry.sources],
        "dependencies": unproven(str(entry.origin.get("tool"))),
        "reviewer": desk.request.reviewer,
        "reason": "",
        "created_at": desk.request.at,
        "review_at": entry.review_at,
        "expires_at": entry.expires_at,
        "foreign_id": entry.id[:512],
        "origin": dict(entry.origin),
    }
    if status != ACTIVE:
        told = closing(desk, replaced_by=number + 1 if status == "superseded" and not last else None)
        version["disposition"] = {name: one for name, one in told.items() if one not in (None, "")}
    return {name: told for name, told in version.items() if told not in (None, "", [], {}) or name == "value"}
