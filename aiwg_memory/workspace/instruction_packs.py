"""Project instructions as a pack takes them: a list by default, texts where a person said so or they are asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from aiwg_memory.core.canonical import digest
from aiwg_memory.core.counting import counted
from aiwg_memory.core.instructions.snapshot import TRUST
from aiwg_memory.core.items import MemoryItem
from aiwg_memory.core.packs import Given, PackRequest
from aiwg_memory.core.tree import Tree
from aiwg_memory.errors import Refused

if TYPE_CHECKING:
    from aiwg_memory.addons.instructions.effective import Delivered, Effective

UNCONFIRMED = "not confirmed by anyone"


class Instructed(NamedTuple):
    given: tuple[Given, ...]
    warnings: tuple[str, ...] = ()


def instructed(tree: Tree, request: PackRequest, at: str) -> Instructed:
    """What goes into the section of project instructions. Mandatory texts are never dropped, all else is before them.

    Raises Refused where texts were asked for and the tree is not safe; without that the refusal is one line of the
    pack and a warning, since what the pack is for is not the instructions.
    """
    from aiwg_memory.addons.instructions.effective import effective

    target = request.target or "."
    try:
        found = effective(tree, target, at)
    except Refused as error:
        if request.include_instructions:
            raise
        lines = [f"refused: {counted(len(error.findings), 'problem')}; see `instructions check`"]
        said = f"the instructions for {target} are refused: aiwg-memory instructions show {target}"
        return Instructed((_given(f"instructions:{target}", target, "\n".join(lines), (TRUST, "refused"), 0),), (said,))
    if not found.delivered and not found.excluded:
        return Instructed(())
    texts = [
        _text(found, each) for each in found.delivered if each.delivery == "mandatory" or request.include_instructions
    ]
    return Instructed((_list(found), *texts), _warnings(found))


def _warnings(found: Effective) -> tuple[str, ...]:
    if found.refused is not None and found.pin is not None:
        return (f"{found.pin.handle} is delivered as it was confirmed: what is on disk is refused",)
    if found.pin is not None and found.drift:
        return (f"{found.pin.handle} is stale and delivered as it was confirmed: {found.drift.sentence()}",)
    return ()


def _labels(found: Effective, confirmed: bool) -> tuple[str, ...]:
    if not confirmed or found.pin is None:
        return TRUST, UNCONFIRMED
    return TRUST, f"pinned revision {found.pin.revision}{', stale' if found.stale else ''}"


def _list(found: Effective) -> Given:
    """Which files apply, in order; the whole list is one item, since half of it would be no list."""
    lines = [f"fingerprint {found.fingerprint[:12]}; the later one wins"]
    for each in found.delivered:
        marks = [] if each.delivery == "optional" else [each.delivery]
        marks += [] if each.confirmed or found.pin is None else [UNCONFIRMED]
        lines.append(f"{each.source.path} {each.source.size} bytes{''.join(f', {mark}' for mark in marks)}")
    lines += [f"{path} excluded" for path in found.excluded]
    name = found.pin.handle if found.pin else f"instructions:{found.target}"
    return _given(name, name, "\n".join(lines), _labels(found, found.pin is not None), 0)


def _text(found: Effective, each: Delivered) -> Given:
    """The nearest text is the last to be shed, a mandatory one never."""
    path = each.source.path
    labels = (*_labels(found, each.confirmed), *(("mandatory",) if each.delivery == "mandatory" else ()))
    rank = None if each.delivery == "mandatory" else len(found.delivered) - each.source.ordinal + 1
    item = _given(f"instructions:{path}", path, each.source.content, labels, rank)
    return item._replace(item=item.item._replace(review="confirmed" if each.confirmed else "pending"))


def _given(handle: str, locator: str, text: str, labels: tuple[str, ...], rank: int | None) -> Given:
    item = MemoryItem(
        handle=handle, layer="instructions", text=text, digest=digest(text.encode()), locator=locator, kind="standing"
    )
    return Given("instructions", item, labels, rank)
