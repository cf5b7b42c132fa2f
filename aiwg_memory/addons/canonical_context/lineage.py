"""What canonical values rest on, and what becomes of them when a source is withdrawn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from aiwg_memory.addons.canonical_context.file import ACTIVE, CanonFile
from aiwg_memory.addons.canonical_context.layout import Place, parse_handle
from aiwg_memory.addons.canonical_context.opening import closing, opened_at, written
from aiwg_memory.addons.canonical_context.setting import put
from aiwg_memory.addons.canonical_context.store import read
from aiwg_memory.core.desk import Desk
from aiwg_memory.core.lineage import Decision, Thing, grounds_of
from aiwg_memory.core.operations import Note, Plan, Request
from aiwg_memory.core.tree import Tree


def things(tree: Tree) -> Iterator[Thing]:
    """Every version by its handle; the newest one is also called by that of its key."""
    for place, found in read(tree).files.items():
        for version in found.versions:
            handle = found.version_handle(version["version"])
            names = (str(version["digest"]), *((place.handle,) if version is found.versions[0] else ()))
            yield Thing(
                handle,
                "canonical",
                str(version["status"]),
                version["status"] == ACTIVE,
                " ".join(str(version["value"]).split()),
                names,
                grounds_of(version, "sources"),
                version["version"],
                version.get("dependencies") or {},
                str(version.get("classification") or "internal"),
            )


def dispose(tree: Tree, request: Request, decisions: Sequence[Decision]) -> Plan:
    """A retained value is renewed: history is added to, so that it was kept is a version of its own."""
    given = {"reason": request.arguments["reason"]} if request.arguments.get("reason") else {}
    desk = Desk(tree, request.part("canonical-context.dispose", given), "canonical_request.v1", needs=(), takes=given)
    desk.screen(given.get("reason", ""), request.kind)
    files: dict[Place, CanonFile | None] = {}
    # What is renewed becomes the newest version, so what ends in the same file ends first.
    for one in sorted(decisions, key=lambda one: one.action != "revoke"):
        place, _ = parse_handle(one.thing.handle)
        found = files[place] if place in files else opened_at(desk, place)
        version = found.get(one.thing.expected) if found else None
        if found is None or version is None:
            files[place] = found
            continue
        if version["status"] == "revoked":
            desk.duplicates.append(Note(one.thing.handle, "is revoked already"))
        elif one.action == "revoke":
            files[place] = found = found.ended(one.thing.expected, "revoked", closing(desk))
            written(desk, found)
        elif version is found.active:
            stated = {name: version[name] for name in ("review", "provenance")}
            put(desk, found, version["value"], {**stated, "dependencies": dict(one.envelope)})
        else:
            desk.duplicates.append(Note(one.thing.handle, f"is {version['status']}, and stays so"))
    return desk.plan("dispose of canonical values")
