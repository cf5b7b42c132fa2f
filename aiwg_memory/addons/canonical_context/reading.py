"""From a file to the one value that stands, and from that to a memory item."""

from __future__ import annotations

from typing import Any

from aiwg_memory.addons.canonical_context.file import CanonFile, edited, read_file, value_digest
from aiwg_memory.addons.canonical_context.layout import ROOT, STORE, TARGETS
from aiwg_memory.core.items import Fragment, MemoryItem, Unit
from aiwg_memory.core.paths import RepoPath
from aiwg_memory.core.records import Version

LAYER = "canonical"


def parse(path: RepoPath, data: bytes) -> Fragment:
    """One unit for an active version, whose key is the heading, so that a question that names the key finds it."""
    if not is_value(path):
        return Fragment()
    found, findings = read_file(path, data)
    unit = _unit(path, found, data) if found else None
    return Fragment((unit,) if unit else (), (), findings)


def is_value(path: RepoPath) -> bool:
    """Whether a file of this addon holds a key: two levels deep, and YAML."""
    return path.endswith(".yaml") and path != STORE and path.parent is not None and path.parent.parent == ROOT


def _unit(path: RepoPath, found: CanonFile, data: bytes) -> Unit | None:
    active = found.active
    if active is None:
        return None
    place = found.place
    return Unit(
        place.handle, LAYER, path, 1, data.count(b"\n"), place.target, place.key, active["value"], _attributes(active)
    )


def _attributes(version: Any) -> dict[str, Any]:
    said = {name: value for name, value in version.items() if name not in ("value", "digest", "disposition")}
    return {**said, "review": "pending"} if edited(version) else said


def item(unit: Unit, head: Version | None) -> MemoryItem | None:
    """The value with its version's dimensions; a file is its own record, so ``head`` says nothing."""
    said = unit.attributes
    return MemoryItem(
        handle=unit.handle,
        layer=LAYER,
        text=unit.text,
        digest=value_digest(unit.text),
        locator=f"{unit.handle}:v{said['version']}",
        title=unit.title,
        heading=unit.heading,
        kind=TARGETS[unit.title],
        provenance=said["provenance"],
        scope=said["scope"],
        delivery=said["delivery"],
        review=said["review"],
        classification=said["classification"],
        at=said["created_at"],
        expires_at=said.get("expires_at") or "",
        review_at=said.get("review_at") or "",
        sources=tuple(said.get("sources") or ()),
        dependencies=said.get("dependencies") or {},
    )
