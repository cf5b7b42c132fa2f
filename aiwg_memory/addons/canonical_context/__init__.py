"""Canonical context: the project's current word on a named key, with every earlier word behind it."""

from __future__ import annotations

from aiwg_memory.addons import Addon

_HERE = "aiwg_memory.addons.canonical_context"

ADDON = Addon(
    name="canonical-context",
    version="1",
    summary="the project's current word on named keys",
    paths=(".aiwg/context/compound-memory/",),
    schemas=("canonical_file.v1", "canonical_request.v1", "canonical_bundle.v1"),
    parse=f"{_HERE}.reading:parse",
    item=f"{_HERE}.reading:item",
    check=f"{_HERE}.checking:check",
    around=f"{_HERE}.around:around",
    describe=f"{_HERE}.describing:describe",
    status=f"{_HERE}.status:status",
    dependents=f"{_HERE}.status:dependents",
    withheld=f"{_HERE}.status:withheld",
    standing=f"{_HERE}.standing:standing",
    things=f"{_HERE}.lineage:things",
    dispose=f"{_HERE}.lineage:dispose",
    cites=f"{_HERE}.anchoring:cites",
    upkeep=f"{_HERE}.upkeep:upkeep",
    undo=f"{_HERE}.undoing:undo",
    takes={"values": f"{_HERE}.taking:take"},
    sinks={"canonical-context": f"{_HERE}.promoting:promote"},
    plans={
        "canonical-context.init": f"{_HERE}.starting:init",
        "canonical-context.set": f"{_HERE}.setting:set_value",
        "canonical-context.rollback": f"{_HERE}.setting:rollback",
        "canonical-context.archive": f"{_HERE}.ending:end",
        "canonical-context.expire": f"{_HERE}.ending:end",
        "canonical-context.reanchor": f"{_HERE}.anchoring:reanchor",
        "canonical-context.revoke": f"{_HERE}.ending:end",
        "canonical-context.forget": f"{_HERE}.forgetting:forget",
        "canonical-context.import": f"{_HERE}.importing:import_bundle",
        "canonical-context.undo": f"{_HERE}.undoing:undo",
    },
)
