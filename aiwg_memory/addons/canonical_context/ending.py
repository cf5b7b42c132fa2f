"""Plan the end of a version: archived, expired or revoked. Its value stays in history, where nobody is handed it."""

from __future__ import annotations

from collections.abc import Mapping

from aiwg_memory.addons.canonical_context.file import ACTIVE
from aiwg_memory.addons.canonical_context.opening import closing, opened, written
from aiwg_memory.core.desk import Desk
from aiwg_memory.core.operations import Note, Plan, Request
from aiwg_memory.core.tree import Tree

ENDS: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "archive": ("archived", (ACTIVE, "expired")),
    "expire": ("expired", (ACTIVE,)),
    "revoke": ("revoked", (ACTIVE, "expired", "archived", "superseded")),
}
"""What each decision makes of a version, and of which states."""


def end(tree: Tree, request: Request) -> Plan:
    """One decision about the active version, or the newest where none is, or ``version``."""
    needs, takes = ("target", "key", "expected"), ("scope", "version", "reason")
    desk = Desk(tree, request, "canonical_request.v1", needs=needs, takes=takes)
    desk.screen(desk.arguments.get("reason", ""), request.kind)
    found = opened(desk)
    if found is None:
        return desk.plan("")
    name = request.kind.rpartition(".")[2]
    status, begin = ENDS[name]
    number = desk.arguments.get("version", found.last)
    version = found.get(number)
    handle = found.version_handle(number)
    if version is None:
        what = f"{found.place.handle} has no version {number}" if found.last else f"there is no {found.place.handle}"
        desk.wrong("not-found", what, "`canon list` shows the keys, `canon history` the versions")
    elif version["status"] == status:
        desk.duplicates.append(Note(handle, f"is {status} already"))
    elif version["status"] not in begin:
        said = f"{handle} is {version['status']}; {name} takes a version that is {', '.join(begin)}"
        desk.wrong("transition", said)
    else:
        written(desk, found.ended(number, status, closing(desk)))
        if version["status"] == ACTIVE:
            desk.conflicts.append(Note(found.place.handle, "has no value from then on"))
    return desk.plan(f"{name} {handle}")
