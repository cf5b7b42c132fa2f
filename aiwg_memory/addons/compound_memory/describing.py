"""What a change does to candidates and to registered outputs."""

from __future__ import annotations

from collections.abc import Iterator

from aiwg_memory.addons.compound_memory.outputs.store import RECORDS as OUTPUTS
from aiwg_memory.core.candidates import RECORDS, assertion_path
from aiwg_memory.core.changes.entry import Described, Entry
from aiwg_memory.core.changes.sides import Sides
from aiwg_memory.core.changes.steps import forked, listed, refs, same, steps
from aiwg_memory.core.config import Config
from aiwg_memory.core.records import Head, Version


def describe(sides: Sides, config: Config) -> Described:
    """``config`` says nothing here: candidates and outputs are never delivered."""
    del config
    entries: list[Entry] = []
    for folder, tell in ((RECORDS, _candidate), (OUTPUTS, _output)):
        was, now = (sides.heads(folder, was=side) for side in (True, False))
        for handle in sorted({*was, *now}):
            if not same(was.get(handle), now.get(handle)):
                entries += tell(sides, was.get(handle), now.get(handle))
    return Described(tuple(entries))


def _candidate(sides: Sides, was: Head | None, now: Head | None) -> Iterator[Entry]:
    head = now or was
    if head is None:
        return
    current = head.current
    path = assertion_path(current.handle)
    entry = Entry(
        "candidates",
        "removed",
        current.handle,
        path,
        current.text("digest"),
        current.text("classification", "internal"),
        after=_text(sides, current),
        title=current.text("type"),
        by=current.text("replacement"),
        who=current.text("reviewer"),
        reason=current.text("reason"),
        sources=refs(current.value),
        gone=sides.data(path, was=False) is None,
    )
    if now is None or was is None:
        detail = listed(current.status, _closed(current), forked(now)) if now else "its record is gone"
        fresh = current.status == "pending" and now is not None
        yield entry._replace(action="added" if fresh else "decided" if now else "removed", detail=detail)
        return
    moved = f"{was.current.status} → {current.status}" if was.current.status != current.status else ""
    closed = _closed(current) if not was.current.value.get("closed") else ""
    detail = listed(moved, closed, steps(was.current.value, current.value, ("classification", "scope")), forked(now))
    yield entry._replace(action="decided", detail=detail or "recorded again")


def _closed(version: Version) -> str:
    return "closed" if version.value.get("closed") else ""


def _text(sides: Sides, version: Version) -> str:
    data = sides.data(assertion_path(version.handle), was=False) or sides.data(assertion_path(version.handle), was=True)
    return (data or b"").decode("utf-8", "replace").strip()


def _output(_: Sides, was: Head | None, now: Head | None) -> Iterator[Entry]:
    head = now or was
    if head is None:
        return
    current = head.current
    stood, stands = (one is not None and one.current.status == "active" for one in (was, now))
    action = "added" if stands and not was else "restored" if stands and not stood else "retired"
    if now is None:
        action = "removed"
    elif stood and stands:
        action = "changed"
    yield Entry(
        "outputs",
        action,
        current.handle,
        current.text("path"),
        current.text("digest"),
        "internal",
        title=current.text("path"),
        detail=listed(current.status if not stands else "", forked(now)),
        by=current.text("replacement"),
        who=current.text("reviewer"),
        reason=current.text("reason"),
        sources=refs(current.value),
        gone=now is None,
    )
