"""What is delivered for a target: the pinned texts where there is a pin, what is on disk where nobody confirmed it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from aiwg_memory.addons.instructions.asking import live
from aiwg_memory.addons.instructions.manifests import PINS, Pin
from aiwg_memory.addons.instructions.store import read_history, sources_of
from aiwg_memory.core.instructions.drift import Drift, drift
from aiwg_memory.core.instructions.snapshot import Snapshot, Source
from aiwg_memory.core.instructions.targets import target_path
from aiwg_memory.core.tree import Tree
from aiwg_memory.errors import Refused


@dataclass(frozen=True, slots=True)
class Delivered:
    """One text, its delivery class, and whether a person confirmed it."""

    source: Source
    delivery: str
    confirmed: bool


@dataclass(frozen=True, slots=True)
class Effective:
    """``pin`` governs, for its own target or for a directory above; ``refused`` is why the disk could not be read."""

    target: str
    delivered: tuple[Delivered, ...]
    excluded: tuple[str, ...]
    fingerprint: str
    pin: Pin | None
    drift: Drift
    refused: Refused | None

    @property
    def stale(self) -> bool:
        return self.pin is not None and (bool(self.drift) or self.refused is not None)


def effective(tree: Tree, target: str, at: str) -> Effective:
    """Raises Refused when nothing is pinned and the tree is not safe; Damaged for a broken pin."""
    pin = governing(tree, target)
    try:
        snapshot: Snapshot | None = live(tree, target, at)
        refused = None
    except Refused as error:
        if pin is None:
            raise
        snapshot, refused = None, error
    if pin is None:
        assert snapshot is not None
        texts = tuple(Delivered(each, "optional", False) for each in snapshot.sources)
        return Effective(snapshot.target, texts, (), snapshot.fingerprint, None, Drift(), None)
    pinned = sources_of(tree, pin)
    name = snapshot.target if snapshot else str(target_path(target) or ".")
    live_now = snapshot.sources if snapshot else pinned
    below = [each for each in live_now if not _covers(pin, name, each.scope)]
    above = [each for each in live_now if _covers(pin, name, each.scope)]
    found = drift(pinned, above, limits=snapshot is not None and pin.value["limits"] != snapshot.limits)
    return Effective(
        target=name,
        delivered=_delivered(pin, pinned, below),
        excluded=tuple(each.path for each in pinned if pin.delivery_class(each.path) == "excluded"),
        fingerprint=pin.fingerprint,
        pin=pin,
        drift=found,
        refused=refused,
    )


def governing(tree: Tree, target: str) -> Pin | None:
    """The pin of the target itself, else of the nearest directory above that has one."""
    if tree.stat(PINS) is None:
        return None
    path = target_path(target)
    while path is not None:
        found = read_history(tree, path, last=True).current
        if found is not None:
            return found
        path = path.parent
    return read_history(tree, ".", last=True).current


def _covers(pin: Pin, target: str, level: str) -> bool:
    """Whether a level was part of what was confirmed: every one of the pin's own target, else those down to it."""
    return target == pin.target or level in (".", pin.target) or pin.target.startswith(f"{level}/")


def _delivered(pin: Pin, pinned: Sequence[Source], below: Sequence[Source]) -> tuple[Delivered, ...]:
    classes: Mapping[str, str] = {each.path: pin.delivery_class(each.path) for each in pinned}
    kept = [Delivered(each, classes[each.path], True) for each in pinned if classes[each.path] != "excluded"]
    return (*kept, *(Delivered(each, "optional", False) for each in below))
