"""Line memory: facts, one line each, one file each, with versioned records beside them."""

from __future__ import annotations

from aiwg_memory.addons import Addon

_HERE = "aiwg_memory.addons.line_memory"

ADDON = Addon(
    name="line-memory",
    version="1",
    summary="facts, one line each",
    paths=(".aiwg/memory/facts/", ".aiwg/memory/facts.d/", ".aiwg/memory/line-memory.txt"),
    schemas=("fact_record.v1", "fact_request.v1"),
    parse=f"{_HERE}.reading:parse",
    item=f"{_HERE}.reading:item",
    check=f"{_HERE}.checking:check",
    around=f"{_HERE}.around:around",
    describe=f"{_HERE}.describing:describe",
    status=f"{_HERE}.status:status",
    dependents=f"{_HERE}.status:dependents",
    withheld=f"{_HERE}.withheld:withheld",
    standing=f"{_HERE}.standing:standing",
    things=f"{_HERE}.lineage:things",
    dispose=f"{_HERE}.lineage:dispose",
    cites=f"{_HERE}.citing:cites",
    upkeep=f"{_HERE}.upkeep:upkeep",
    undo=f"{_HERE}.undoing:undo",
    composed={"line-memory.supersede-by": f"{_HERE}.replacing:supersede_by"},
    takes={"facts": f"{_HERE}.taking:take"},
    sinks={"line-memory": f"{_HERE}.promoting:promote"},
    plans={
        "line-memory.add": f"{_HERE}.adding:add",
        "line-memory.adopt": f"{_HERE}.adopting:adopt",
        "line-memory.confirm": f"{_HERE}.deciding:decide",
        "line-memory.reject": f"{_HERE}.deciding:decide",
        "line-memory.restore": f"{_HERE}.deciding:decide",
        "line-memory.archive": f"{_HERE}.deciding:decide",
        "line-memory.remove": f"{_HERE}.deciding:decide",
        "line-memory.revoke": f"{_HERE}.deciding:decide",
        "line-memory.expire": f"{_HERE}.deciding:decide",
        "line-memory.origin-unavailable": f"{_HERE}.deciding:decide",
        "line-memory.reanchor": f"{_HERE}.anchoring:reanchor",
        "line-memory.supersede": f"{_HERE}.replacing:supersede",
        "line-memory.merge": f"{_HERE}.replacing:merge",
        "line-memory.resolve": f"{_HERE}.resolving:resolve",
        "line-memory.forget": f"{_HERE}.forgetting:forget",
        "line-memory.undo": f"{_HERE}.undoing:undo",
    },
)
