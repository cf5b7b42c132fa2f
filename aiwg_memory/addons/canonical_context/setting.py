"""Plan a value: new, renewed, in the place of another, or gone back to. Each is a new version; none is overwritten."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from aiwg_memory.addons.canonical_context.file import ACTIVE, CanonFile, Version, value_digest
from aiwg_memory.addons.canonical_context.layout import MAX_VALUE
from aiwg_memory.addons.canonical_context.opening import DATES, closing, dates, opened, written
from aiwg_memory.core.canonical import canonical_json
from aiwg_memory.core.desk import Desk
from aiwg_memory.core.operations import Note, Plan, Request
from aiwg_memory.core.tree import Tree

_PLACE = ("target", "key", "expected", "provenance")
_STATED = ("delivery", "classification", "dependencies")
_CARRIED = (*_STATED, "sources")


def set_value(tree: Tree, request: Request) -> Plan:
    """Replacing an active value, or bringing back a revoked one, needs that version acknowledged by its handle."""
    takes = ("scope", *_CARRIED, *DATES, "reason", "acknowledged")
    desk = Desk(tree, request, "canonical_request.v1", needs=(*_PLACE, "value"), takes=takes)
    value = clean(desk, desk.arguments["value"])
    found = opened(desk)
    if found is None or value is None:
        return desk.plan("")
    for stated in (desk.arguments.get("reason", ""), *(one["ref"] for one in desk.arguments.get("sources", ()))):
        desk.screen(stated, found.place.path)
    desk.cite(desk.arguments.get("sources", ()))
    stops = obstacle(found, value, desk.arguments.get("acknowledged", ()))
    if stops:
        desk.refuse("canonical-conflict", stops[1], f"--acknowledge {stops[0]} goes on all the same", found.place.path)
    put(desk, found, value, desk.arguments)
    return desk.plan(f"set {found.place.handle}")


def clean(desk: Desk, raw: str) -> str | None:
    """A value as it is stored: LF, no blank edges, no control characters; None after noting what is wrong."""
    value = "\n".join(line.rstrip() for line in raw.replace("\r\n", "\n").split("\n")).strip()
    if not 1 <= len(value) <= MAX_VALUE:
        desk.wrong("canonical-value", f"a value has 1 to {MAX_VALUE} characters; this one has {len(value)}")
        return None
    if any((ord(each) < 32 and each not in "\n\t") or 0x7F <= ord(each) < 0xA0 or each == "\ufeff" for each in value):
        desk.wrong("canonical-value", "a value holds no control characters")
        return None
    return value


def obstacle(found: CanonFile, value: str, acknowledged: Collection[str]) -> tuple[str, str] | None:
    """The version that must be acknowledged before ``value`` may stand, and why; None when the way is free."""
    active = found.active
    ended = [one for one in found.versions if one["status"] == "revoked" or one.get("forgotten")]
    if active is not None and active["value"] != value:
        name = found.version_handle(active["version"])
        if name not in acknowledged:
            return name, f"{name} says {_quoted(active['value'])} and is active"
    if active is None or active["value"] != value:
        for one in ended:
            name = found.version_handle(one["version"])
            if one["digest"] == value_digest(value) and name not in acknowledged:
                return name, f"{name} said the same and was {'forgotten' if one.get('forgotten') else 'revoked'}"
    return None


def put(desk: Desk, found: CanonFile, value: str, said: Mapping[str, Any]) -> None:
    """``value`` becomes, or stays, the active one; what stops it was looked at before."""
    active = found.active
    desk.screen(value, found.place.path)
    stated = {name: said[name] for name in (*_STATED, "review") if name in said} | dates(desk, said)
    sources = list(said.get("sources", ()))
    if active is not None and active["value"] == value:
        _renew(desk, found, active, stated, sources, said["provenance"])
        return
    for other in found.versions:
        if other["value"] == value:
            desk.conflicts.append(Note(found.place.handle, f"goes back to what v{other['version']} said"))
            break
    _say_elsewhere(desk, found, value)
    _add(desk, found, value, {**stated, "sources": _once(sources)}, said["provenance"])


def _renew(
    desk: Desk, found: CanonFile, active: Version, stated: Mapping[str, Any], sources: list[Any], provenance: str
) -> None:
    handle = found.place.handle
    changes = {name: value for name, value in stated.items() if value != active.get(name)}
    united = _once([*active.get("sources", ()), *sources])
    if len(united) > len(active.get("sources", ())):
        changes["sources"] = united
    expired = active.get("expires_at") or ""
    if expired and expired <= desk.request.at and "expires_at" not in changes:
        desk.wrong("canonical-date", f"{handle} expired at {expired}", "give it a new expiry date, or none")
        return
    if not changes and not (provenance == "operator" and active["review"] != "confirmed"):
        desk.duplicates.append(Note(handle, f"says this already, as v{active['version']}"))
        return
    carried = {name: active[name] for name in (*_CARRIED, *DATES) if active.get(name)}
    _add(desk, found, active["value"], {**carried, **changes}, provenance)


def cited_as(desk: Desk, found: CanonFile, active: Version, sources: list[Any]) -> None:
    """The value that stands says the same as before, of the same standing, and cites ``sources``."""
    carried = {name: active[name] for name in (*_STATED, *DATES, "review") if active.get(name)}
    _add(desk, found, active["value"], {**carried, "sources": sources}, active["provenance"])


def _add(desk: Desk, found: CanonFile, value: str, more: Mapping[str, Any], provenance: str) -> None:
    request = desk.request
    number = found.last + 1
    version = {
        "version": number,
        "status": ACTIVE,
        "value": value,
        "digest": value_digest(value),
        "scope": found.place.scope,
        "delivery": "retrieved",
        "review": "confirmed" if provenance == "operator" else "pending",
        "provenance": provenance,
        "classification": "internal",
        "reviewer": request.reviewer,
        "reason": desk.arguments.get("reason", ""),
        "created_at": request.at,
        **more,
    }
    if len(version.get("sources") or ()) > 32:
        desk.wrong("too-many-sources", f"{found.place.handle} would have more than 32 sources")
    active = found.active
    if active is not None:
        name = found.version_handle(active["version"])
        renewed = active["value"] == value
        note = f"is renewed as v{number}" if renewed else f"{_quoted(active['value'])} gives way to {_quoted(value)}"
        desk.supersedes.append(Note(name, note))
        found = found.ended(active["version"], "superseded", closing(desk, replaced_by=number))
    written(desk, found.with_version(version))


def rollback(tree: Tree, request: Request) -> Plan:
    """A new version that says again what version ``to`` said; its dates are not taken over. It names what it replaces
    by the expected version, so nothing more is acknowledged, but for a version that was revoked."""
    takes = ("scope", *DATES, "reason", "acknowledged")
    desk = Desk(tree, request, "canonical_request.v1", needs=(*_PLACE, "to"), takes=takes)
    desk.screen(desk.arguments.get("reason", ""), request.kind)
    found = opened(desk)
    if found is None:
        return desk.plan("")
    to = desk.arguments["to"]
    earlier = found.get(to)
    name = found.version_handle(to)
    if earlier is None:
        desk.wrong("not-found", f"{found.place.handle} has no version {to}", "`canon history` shows the versions")
    elif earlier.get("forgotten"):
        desk.wrong("forgotten", f"{name} was forgotten", "set the value again, if you have it")
    elif found.active is not None and found.active["value"] == earlier["value"]:
        desk.duplicates.append(Note(found.place.handle, f"says what v{to} said already"))
    else:
        if earlier["status"] == "revoked" and name not in desk.arguments.get("acknowledged", ()):
            hint = f"--acknowledge {name} goes on all the same"
            desk.refuse("canonical-conflict", f"{name} was revoked", hint, found.place.path)
        desk.screen(earlier["value"], found.place.path)
        carried = {each: earlier[each] for each in _CARRIED if earlier.get(each)}
        more = {**carried, **dates(desk, desk.arguments)}
        _add(desk, found, earlier["value"], more, desk.arguments["provenance"])
    return desk.plan(f"go back to what {name} said")


def _say_elsewhere(desk: Desk, found: CanonFile, value: str) -> None:
    from aiwg_memory.addons.canonical_context.store import read

    for other in read(desk.tree).scopes(found.place):
        active = other.active
        if active is not None and active["value"] != value:
            said = (
                f"says {_quoted(active['value'])} for the scope {other.place.scope}; where both apply, both are shown"
            )
            desk.conflicts.append(Note(other.place.handle, said))


def _once(sources: Collection[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Each source once, without what it leaves open."""
    found = {}
    for source in sources:
        whole = {name: value for name, value in source.items() if value is not None}
        found[canonical_json(whole)] = whole
    return list(found.values())


def _quoted(value: str) -> str:
    line = " ".join(value.split())
    return f"“{line if len(line) <= 60 else line[:59] + '…'}”"
