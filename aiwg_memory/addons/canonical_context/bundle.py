"""A bundle: the values that stand, as one JSON object another workspace can take in. Nothing in it is believed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from aiwg_memory.addons.canonical_context.file import value_digest
from aiwg_memory.addons.canonical_context.layout import Place, problems
from aiwg_memory.addons.canonical_context.store import Store
from aiwg_memory.core.findings import Finding
from aiwg_memory.core.records import read_line
from aiwg_memory.core.schema import cheap, explain
from aiwg_memory.errors import UsageError

MAX_BUNDLE = 8 * 1024 * 1024
_TAKEN = ("value", "digest", "scope", "delivery", "classification", "sources", "review_at", "expires_at")


def bundle(store: Store, workspace: str, target: str | None = None) -> dict[str, Any]:
    """The active version of every key, by target, key and scope; of one target where it is named."""
    entries = []
    for place, found in store.files.items():
        active = found.active
        if active is None or target not in (None, place.target):
            continue
        entry = {"id": found.version_handle(active["version"]), "target": place.target, "key": place.key}
        entry |= {"version": active["version"], "status": active["status"]}
        entries.append(entry | {name: active[name] for name in _TAKEN if active.get(name) not in (None, "", [])})
    return {"schema": "aiwg.canonical_bundle.v1", "workspace": workspace, "entries": entries}


def read_bundle(data: bytes) -> dict[str, Any]:
    """Raises UsageError with every problem: no JSON, a key twice, unknown keys, an id or a digest not its own."""
    value, problem = read_line(data)
    if problem:
        raise UsageError(f"the bundle cannot be read: {problem}", hint="export it again", code="bundle")
    if isinstance(value, dict) and value.get("schema") != "aiwg.canonical_bundle.v1":
        message = f"the bundle is of the kind {value.get('schema')!r}, not aiwg.canonical_bundle.v1"
        raise UsageError(message, hint="export it with this version of the tool", code="bundle")
    findings = list(explain("canonical_bundle.v1", value)) if cheap("canonical_bundle.v1", value) else []
    if not findings:
        findings = [one for at, entry in enumerate(value["entries"]) for one in _judged(at, entry)]
        findings += _twice(value["entries"])
    if findings:
        told = "; ".join(one.message for one in findings[:5])
        more = f" (and {len(findings) - 5} more)" if len(findings) > 5 else ""
        hint = "nothing was planned; export the bundle again"
        raise UsageError(f"the bundle is not sound: {told}{more}", hint=hint, code="bundle", findings=findings)
    found: dict[str, Any] = value
    return found


def place_of(entry: Mapping[str, Any]) -> Place:
    return Place(entry["target"], entry["key"], entry["scope"])


def _judged(at: int, entry: Mapping[str, Any]) -> list[Finding]:
    place = place_of(entry)
    messages = problems(place)
    if entry["id"] != f"{place.handle}:v{entry['version']}":
        messages.append(f"the id {entry['id']} is not that of {place.handle} version {entry['version']}")
    if entry["digest"] != value_digest(entry["value"]):
        messages.append(f"the digest of {place.handle} is not that of its value")
    return [Finding("", 0, "bundle", f"/entries/{at}: {message}") for message in messages]


def _twice(entries: list[Mapping[str, Any]]) -> list[Finding]:
    seen: set[Place] = set()
    found = []
    for at, entry in enumerate(entries):
        place = place_of(entry)
        if place in seen:
            found.append(Finding("", 0, "bundle", f"/entries/{at}: {place.handle} stands twice"))
        seen.add(place)
    return found
