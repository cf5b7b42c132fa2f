"""What a change leaves resting on something that is gone, renamed, different or withdrawn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from aiwg_memory.core.canonical import digest
from aiwg_memory.core.changes.entry import Break, Entry, Holder, Move
from aiwg_memory.core.changes.sides import Sides, plain
from aiwg_memory.core.records import Version, fold

_ENDED = ("removed", "revoked", "superseded", "merged", "archived", "rejected")


class _Cite(NamedTuple):
    ref: str
    digest: str
    holder: Holder


def breaks(
    sides: Sides, moves: Sequence[Move], entries: Sequence[Entry], places: Mapping[str, str]
) -> tuple[Break, ...]:
    """By reference. A file that changed counts where it was cited by a digest that it had and has no more.

    ``places``: by handle the file that is shown for what has only its record at hand.
    """
    cites: dict[str, list[_Cite]] = {}
    copies: dict[str, str] = {}
    for cite in _cites(sides, places):
        if cite.holder.handle.startswith("raw_"):
            copies[cite.ref] = cite.holder.handle
        elif not cite.holder.handle.startswith("cand_"):
            cites.setdefault(cite.ref, []).append(cite)
    found = []
    for move in moves:
        holders = _broken(sides, move, cites.get(move.path, ()))
        if holders:
            found.append(Break(move.path, move.what, move.to, holders, copies.get(move.path, "")))
    for entry in entries:
        if entry.action in ("retired", "reworded", "removed") and entry.handle in cites:
            holders = _holders(one for one in cites[entry.handle] if one.holder.handle not in (entry.handle, entry.by))
            if holders:
                found.append(Break(entry.handle, "retired", entry.by, holders))
    return tuple(sorted(set(found)))


def _broken(sides: Sides, move: Move, cites: Iterable[_Cite]) -> tuple[Holder, ...]:
    if move.what != "changed":
        return _holders(cites)
    stated = [one for one in cites if one.digest]
    if not stated:
        return ()
    was, now = (_digest(sides.data(move.path, was=side)) for side in (True, False))
    return _holders(one for one in stated if one.digest == was != now)


def _digest(data: bytes | None) -> str:
    return digest(data) if data is not None else ""


def _holders(cites: Iterable[_Cite]) -> tuple[Holder, ...]:
    return tuple(sorted({one.holder for one in cites}))


def _cites(sides: Sides, places: Mapping[str, str]) -> Iterator[_Cite]:
    """Of everything that stands after the change, in the files that were looked at."""
    versions: list[Version] = []
    for _, fragment in sides.fragments(was=False):
        versions += fragment.versions
        for unit in fragment.units:
            if unit.attributes.get("lifecycle", "active") not in _ENDED:
                yield from _stated(unit.attributes, Holder(unit.handle.partition("#")[0], unit.path))
    for handle, head in fold(versions).items():
        if head.current.status not in _ENDED:
            yield from _stated(head.current.value, Holder(handle, places.get(handle, head.current.path)))


def _stated(value: Mapping[str, Any], holder: Holder) -> Iterator[_Cite]:
    envelope = value.get("dependencies")
    leaves = envelope.get("leaves") if isinstance(envelope, Mapping) else None
    for group in (value.get("sources"), leaves):
        for each in group if isinstance(group, list | tuple) else ():
            if isinstance(each, Mapping) and isinstance(each.get("ref"), str):
                stated = each.get("digest")
                yield _Cite(plain(each["ref"]), stated if isinstance(stated, str) else "", holder)
