"""The difference between two snapshots of one target: what a person has to look at before the new one is pinned."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from aiwg_memory.core.diffs import unified


@dataclass(frozen=True, slots=True)
class Delivered:
    """One source as far as drift is concerned; ``raw`` differs where only the screening rules changed."""

    path: str
    content_sha256: str
    content: str
    precedence: int


@dataclass(frozen=True, slots=True)
class Drift:
    """Paths, byte-wise sorted. ``reordered``: the same texts win in another order."""

    added: tuple[str, ...]
    changed: tuple[str, ...]
    removed: tuple[str, ...]
    reordered: tuple[str, ...]
    text: str

    def __bool__(self) -> bool:
        return bool(self.added or self.changed or self.removed or self.reordered)

    def to_json(self) -> dict[str, Any]:
        return {
            "added": list(self.added),
            "changed": list(self.changed),
            "removed": list(self.removed),
            "reordered": list(self.reordered),
            "text": self.text,
        }


def drift(old: Mapping[str, Delivered], new: Mapping[str, Delivered]) -> Drift:
    """From ``old`` to ``new``, each by path."""
    added = sorted(new.keys() - old.keys())
    removed = sorted(old.keys() - new.keys())
    both = sorted(old.keys() & new.keys())
    changed = [path for path in both if old[path].content_sha256 != new[path].content_sha256]
    text = "".join(_diff(path, old.get(path), new.get(path)) for path in sorted({*added, *removed, *changed}))
    return Drift(tuple(added), tuple(changed), tuple(removed), tuple(_moved(old, new, both)), text)


def _diff(path: str, old: Delivered | None, new: Delivered | None) -> str:
    return unified(path, old.content.encode() if old else None, new.content.encode() if new else None)


def _moved(old: Mapping[str, Delivered], new: Mapping[str, Delivered], both: list[str]) -> list[str]:
    before = sorted(both, key=lambda path: old[path].precedence)
    after = sorted(both, key=lambda path: new[path].precedence)
    return [path for path, other in zip(before, after, strict=True) if path != other]
