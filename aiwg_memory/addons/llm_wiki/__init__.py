"""The wiki: Markdown pages that people write and review, and the raw evidence they rest on."""

from __future__ import annotations

from aiwg_memory.addons import Addon

_HERE = "aiwg_memory.addons.llm_wiki"

ADDON = Addon(
    name="llm-wiki",
    version="1",
    summary="wiki pages and raw evidence",
    paths=(".aiwg/wiki/",),
    schemas=("page.v1", "raw_record.v1"),
    parse=f"{_HERE}.reading:parse",
    item=f"{_HERE}.reading:item",
    check=f"{_HERE}.checking:check",
    around=f"{_HERE}.around:around",
    describe=f"{_HERE}.describing:describe",
    status=f"{_HERE}.status:status",
    dependents=f"{_HERE}.sources:dependents",
    withheld=f"{_HERE}.withheld:withheld",
    standing=f"{_HERE}.standing:standing",
    things=f"{_HERE}.lineage:things",
    dispose=f"{_HERE}.lineage:dispose",
    cites=f"{_HERE}.anchoring:cites",
    upkeep=f"{_HERE}.anchoring:upkeep",
    undo=f"{_HERE}.undoing:undo",
    takes={"pages": f"{_HERE}.taking:take"},
    sinks={"wiki": f"{_HERE}.promoting:promote"},
    plans={
        "wiki.ingest": f"{_HERE}.ingesting:ingest",
        "wiki.add": f"{_HERE}.writing:add",
        "wiki.edit": f"{_HERE}.writing:edit",
        "wiki.confirm": f"{_HERE}.deciding:decide",
        "wiki.reject": f"{_HERE}.deciding:decide",
        "wiki.archive": f"{_HERE}.deciding:decide",
        "wiki.restore": f"{_HERE}.deciding:decide",
        "wiki.revoke": f"{_HERE}.deciding:decide",
        "wiki.supersede": f"{_HERE}.deciding:supersede",
        "wiki.remove-raw": f"{_HERE}.ending:end",
        "wiki.revoke-raw": f"{_HERE}.ending:end",
        "wiki.origin-unavailable": f"{_HERE}.ending:end",
        "wiki.forget": f"{_HERE}.ending:forget",
        "wiki.reanchor": f"{_HERE}.anchoring:reanchor",
        "wiki.index": f"{_HERE}.indexing:index",
        "wiki.undo": f"{_HERE}.undoing:undo",
    },
)
