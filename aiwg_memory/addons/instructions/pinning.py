"""Confirming what applies to a target: the next revision of its pin, bound to what is pinned and what was looked at."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from aiwg_memory.addons.instructions.asking import arguments, live
from aiwg_memory.addons.instructions.manifests import Pin, write_manifest
from aiwg_memory.addons.instructions.store import OBJECTS, History, read_history, sources_of
from aiwg_memory.core.counting import counted
from aiwg_memory.core.findings import Finding
from aiwg_memory.core.instructions.drift import drift
from aiwg_memory.core.instructions.snapshot import PROTOCOL, Snapshot, Source
from aiwg_memory.core.operations import Draft, Note, Plan, Request
from aiwg_memory.core.paths import join
from aiwg_memory.core.stored import current_digest
from aiwg_memory.core.tree import Tree
from aiwg_memory.errors import Refused, UsageError

MAX_REVISION = 9999


def pin(tree: Tree, request: Request) -> Plan:
    """Arguments: ``target``, ``pinned`` and ``live`` (the fingerprints that were looked at, "" for no pin),
    ``delivery`` (path -> class and reason).

    Raises UsageError (code ``moved``) when either fingerprint is not what it was, Refused for an unsafe tree.
    """
    asked = arguments(request)
    snapshot = live(tree, asked["target"], request.at)
    history = read_history(tree, snapshot.target)
    current = history.current
    _bound(asked["pinned"], current.fingerprint if current else "", "the pin")
    _bound(asked["live"], snapshot.fingerprint, "what is on disk")
    delivery = _delivery(current, snapshot, asked.get("delivery", {}))
    value = _manifest(history, snapshot, delivery, asked.get("reason", ""))
    if current is not None and len(history.heads) == 1 and _same(current.value, value):
        return Plan(request, f"The pin of {snapshot.target} is what is on disk", subjects=(current.handle,))
    draft = Draft(tree)
    for source in snapshot.sources:
        path = join(OBJECTS, source.content_sha256)
        data = source.content.encode()
        if current_digest(tree, path) not in (None, f"sha256:{source.content_sha256}"):
            raise Refused(f"{path} is not the text its name says", hint="take it back from git, then pin again")
        draft.write(path, data, read_only=True)
    path, data = write_manifest(value)
    draft.write(path, data)
    revision = value["revision"]
    return Plan(
        request,
        f"Pin the instructions for {snapshot.target}, revision {revision}: {counted(len(snapshot.sources), 'source')}, "
        f"fingerprint {snapshot.fingerprint[:12]}",
        draft.changes,
        subjects=(f"pin:{snapshot.target}:{revision}",),
        conflicts=tuple(_conflicts(history, current, snapshot, delivery)),
        supersedes=tuple(_superseded(tree, current, snapshot)),
        warnings=tuple(_warnings(snapshot)),
    )


def withdraw(tree: Tree, request: Request) -> Plan:
    """End a pin: from then on what is on disk is delivered, as confirmed by no one. ``pinned`` is its fingerprint."""
    asked = arguments(request)
    history = read_history(tree, asked["target"])
    current = history.current
    _bound(asked["pinned"], current.fingerprint if current else "", "the pin")
    if current is None:
        raise UsageError(f"nothing is pinned for {asked['target']}", hint="aiwg-memory instructions history TARGET")
    return withdrawal(tree, request, history, current, asked.get("reason", ""))


def withdrawal(tree: Tree, request: Request, history: History, current: Pin, reason: str) -> Plan:
    value = _next(history, {**current.value, "status": "withdrawn", "reason": reason})
    draft = Draft(tree)
    draft.write(*write_manifest(value))
    note = Note(current.handle, "is history: what is on disk is delivered, marked as confirmed by no one")
    summary = f"Withdraw the pin of {history.target}, revision {value['revision']}"
    return Plan(request, summary, draft.changes, (f"pin:{history.target}:{value['revision']}",), supersedes=(note,))


def restored(tree: Tree, request: Request, history: History, earlier: Pin) -> Plan:
    """A new revision with what an earlier one held; its texts must still be there."""
    sources_of(tree, earlier)
    value = _next(history, {**earlier.value, "reason": f"restores revision {earlier.revision}"})
    draft = Draft(tree)
    draft.write(*write_manifest(value))
    note = Note(f"pin:{history.target}:{history.last}", f"gives way to what revision {earlier.revision} held")
    summary = f"Pin for {history.target} what revision {earlier.revision} held, as revision {value['revision']}"
    return Plan(request, summary, draft.changes, (f"pin:{history.target}:{value['revision']}",), supersedes=(note,))


def _next(history: History, value: Mapping[str, Any]) -> dict[str, Any]:
    revision = history.last + 1
    if revision > MAX_REVISION:
        raise UsageError(f"{history.target} has {MAX_REVISION} revisions; no more can be counted")
    previous = sorted(each.digest for each in history.heads)
    return {
        **value,
        "handle": f"pin:{history.target}:{revision}",
        "revision": revision,
        "previous": previous,
    }


def _manifest(
    history: History, snapshot: Snapshot, delivery: Sequence[Mapping[str, str]], reason: str
) -> dict[str, Any]:
    value = {
        "schema": "aiwg.pin.v1",
        "target": snapshot.target,
        "status": "pinned",
        "protocol_version": PROTOCOL,
        "fingerprint": snapshot.fingerprint,
        "limits": dict(snapshot.limits),
        "screening": snapshot.screening,
        "sources": [_stored(each) for each in snapshot.sources],
        "ignored": [each.to_json() for each in snapshot.ignored],
        "conflicts": [each.to_json() for each in snapshot.conflicts],
        "delivery": list(delivery),
        "reason": reason,
    }
    return _next(History(snapshot.target, history.pins), value)


def _stored(source: Source) -> dict[str, Any]:
    kept = ("ordinal", "path", "kind", "scope", "depth", "precedence", "content_sha256", "redacted")
    identity = source.identity()
    return {
        **{name: identity[name] for name in kept},
        "plain_sha256": source.plain_sha256,
        "size": source.size,
        "why_effective": source.why_effective,
    }


def _same(old: Mapping[str, Any], new: Mapping[str, Any]) -> bool:
    """Whether a new revision would say anything new: what is merely listed does not count."""
    return bool(old["fingerprint"] == new["fingerprint"] and old["delivery"] == new["delivery"])


def _bound(expected: str, found: str, what: str) -> None:
    if expected != found:
        raise UsageError(
            f"{what} is not what was looked at: {_short(found)} instead of {_short(expected)}",
            hint="look at it again: aiwg-memory instructions diff TARGET",
            code="moved",
        )


def _short(fingerprint: str) -> str:
    return fingerprint[:12] or "nothing pinned"


def _delivery(current: Pin | None, snapshot: Snapshot, asked: Mapping[str, Mapping[str, str]]) -> list[dict[str, str]]:
    """The classes of the last revision, with those asked for over them, bound to the texts that are confirmed now.

    A class whose path is no source at the moment stays on record, bound to the text it was set for.
    """
    now = {each.path: each.content_sha256 for each in snapshot.sources}
    unknown = sorted(set(asked) - set(now))
    if unknown:
        raise UsageError(
            f"{', '.join(unknown)} is no source of {snapshot.target}",
            hint=f"sources are {', '.join(now) or 'none'}",
        )
    classes: dict[str, Mapping[str, str]] = {**(current.delivery if current else {}), **asked}
    found = []
    for path in sorted(classes):
        said = classes[path]
        if path in asked and said["class"] == "optional":
            continue
        digest = now.get(path) or said.get("content_sha256", "")
        found.append({"path": path, "class": said["class"], "reason": said.get("reason", ""), "content_sha256": digest})
    return found


def _conflicts(
    history: History, current: Pin | None, snapshot: Snapshot, delivery: Sequence[Mapping[str, str]]
) -> list[Note]:
    """What becomes of the classes a reviewer set for other texts than those of now, and of a fork."""
    notes = []
    if len(history.heads) > 1:
        named = " and ".join(head.fingerprint[:12] for head in history.heads)
        revision = min(head.revision for head in history.heads)
        notes.append(Note(f"revision {revision}", f"was confirmed twice, up to {named}; this one settles it"))
    was = current.delivery if current else {}
    now = {each.path: each.content_sha256 for each in snapshot.sources}
    for each in delivery:
        path, before = each["path"], was.get(each["path"])
        if path not in now:
            notes.append(Note(path, f"is {each['class']} and gone from disk: no longer delivered, its class is kept"))
        elif before is None or before["class"] != each["class"]:
            notes.append(Note(path, f"becomes {each['class']}{_because(each)}"))
        elif before["content_sha256"] != now[path]:
            notes.append(Note(path, f"stays {each['class']}, now with another text"))
    kept = {each["path"] for each in delivery}
    notes += [Note(path, f"is {was[path]['class']} no longer") for path in sorted(was) if path not in kept]
    return notes


def _because(said: Mapping[str, str]) -> str:
    return f", {said['reason'].replace('_', ' ')}" if said.get("reason") else ""


def _superseded(tree: Tree, current: Pin | None, snapshot: Snapshot) -> list[Note]:
    if current is None:
        return []
    found = drift(sources_of(tree, current), snapshot.sources, limits=current.value["limits"] != snapshot.limits)
    said = found.sentence() or ("screened anew" if found.rescreened else "the same texts, delivered differently")
    return [Note(current.handle, said)]


def _warnings(snapshot: Snapshot) -> list[Finding]:
    found = [each for source in snapshot.sources for each in source.findings] + list(snapshot.findings)
    return [each for each in found if each.severity != "note"]
