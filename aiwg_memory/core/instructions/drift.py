"""The difference between two snapshots of one target: what a person has to look at before the new one is pinned."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from aiwg_memory.core.diffs import unified
from aiwg_memory.core.instructions.snapshot import Source


class Drift(NamedTuple):
    """Paths, byte-wise sorted. ``reordered``: the same texts win in another order.

    ``rescreened``: the same text, redacted by other screening rules, which is no drift. ``limits``: the limits differ.
    """

    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    reordered: tuple[str, ...] = ()
    rescreened: tuple[str, ...] = ()
    limits: bool = False

    def __bool__(self) -> bool:
        return bool(self.added or self.changed or self.removed or self.reordered or self.limits)

    def to_json(self) -> dict[str, Any]:
        return {
            "added": list(self.added),
            "changed": list(self.changed),
            "removed": list(self.removed),
            "reordered": list(self.reordered),
            "rescreened": list(self.rescreened),
            "limits": self.limits,
        }

    def sentence(self) -> str:
        """In a few words, "" where there is none."""
        said = [
            f"{what} {', '.join(paths)}"
            for what, paths in (
                ("added", self.added), ("changed", self.changed), ("removed", self.removed),
                ("reordered", self.reordered),
            )
            if paths
        ]  # fmt: skip
        return "; ".join(said + ["the limits differ"] * self.limits)


def drift(old: Sequence[Source], new: Sequence[Source], *, limits: bool = False) -> Drift:
    """From ``old`` to ``new``, in their orders; texts are compared by digest, so contents may be missing."""
    before, after = {each.path: each for each in old}, {each.path: each for each in new}
    both = sorted(before.keys() & after.keys())
    differing = [path for path in both if before[path].content_sha256 != after[path].content_sha256]
    rescreened = [path for path in differing if _same_text(before[path], after[path])]
    return Drift(
        added=tuple(sorted(after.keys() - before.keys())),
        changed=tuple(path for path in differing if path not in rescreened),
        removed=tuple(sorted(before.keys() - after.keys())),
        reordered=_moved(old, new, set(both)),
        rescreened=tuple(rescreened),
        limits=limits,
    )


def drift_text(found: Drift, old: Callable[[str], str | None], new: Callable[[str], str | None]) -> str:
    """A unified diff of every text that came, went or changed. ``old`` and ``new`` give a path's text."""
    return "".join(
        unified(path, _encoded(old(path)), _encoded(new(path)))
        for path in sorted({*found.added, *found.changed, *found.removed})
    )


def _encoded(text: str | None) -> bytes | None:
    return None if text is None else text.encode()


def _same_text(before: Source, after: Source) -> bool:
    return bool(before.plain_sha256) and before.plain_sha256 == after.plain_sha256


def _moved(old: Sequence[Source], new: Sequence[Source], both: set[str]) -> tuple[str, ...]:
    before = [each.path for each in old if each.path in both]
    after = [each.path for each in new if each.path in both]
    return tuple(sorted(path for path, other in zip(before, after, strict=True) if path != other))
