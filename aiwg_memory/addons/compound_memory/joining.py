"""One plan out of the parts that several stores planned for one request."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from aiwg_memory.core.desk import Desk
from aiwg_memory.core.operations import Change, Plan


def joined(desk: Desk, parts: Iterable[Plan], summary: str) -> Plan:
    """What ``desk`` holds and what the parts hold. Two parts that add the same segment add its lines together; that two
    write another file is wrong.

    Raises as ``Desk.plan`` does.
    """
    changes = {change.path: change for change in desk.draft.changes}
    for part in parts:
        desk.duplicates += part.duplicates
        desk.conflicts += part.conflicts
        desk.supersedes += part.supersedes
        desk.warnings += part.warnings
        desk.subjects |= dict.fromkeys(part.subjects)
        for change in part.changes:
            other = changes.get(change.path)
            if other is None:
                changes[change.path] = change
            elif (both := _both(other, change)) is not None:
                changes[change.path] = both
            else:
                desk.wrong("argument", f"two parts of this would write {change.path}", "do one of them at a time")
    held = desk.plan(summary)
    if not changes:
        return held
    ordered = tuple(changes[path] for path in sorted(changes))
    return replace(held, summary=summary, changes=ordered, subjects=tuple(sorted(desk.subjects)))


def _both(one: Change, other: Change) -> Change | None:
    folder = one.path.parent or ""
    if not folder.endswith(".d") or one.before is not None or one.after is None or other.after is None:
        return None
    lines = {line for data in (one.after, other.after) for line in data.split(b"\n") if line}
    return Change(one.path, None, b"".join(line + b"\n" for line in sorted(lines)))
