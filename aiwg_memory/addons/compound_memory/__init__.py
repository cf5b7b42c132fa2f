"""Compound memory: what was made with the memory, and how that finds its way back into it."""

from __future__ import annotations

from aiwg_memory.addons import Addon

_HERE = "aiwg_memory.addons.compound_memory"
_OUTPUTS = f"{_HERE}.outputs"
_CANDIDATES = f"{_HERE}.candidates"
_LINEAGE = f"{_HERE}.lineage"

ADDON = Addon(
    name="compound-memory",
    version="1",
    summary="registered outputs, candidates and their promotion",
    optional=("line-memory", "llm-wiki", "canonical-context"),
    paths=(".aiwg/memory/outputs.d/", ".aiwg/memory/candidates/", ".aiwg/memory/candidates.d/", ".aiwg/outbox.d/"),
    schemas=(
        "output_record.v1",
        "output_request.v1",
        "candidate_record.v1",
        "candidate_request.v1",
        "proposal.v1",
        "outbox.v1",
        "maintenance_request.v1",
        "import_request.v1",
        "lineage_request.v1",
    ),
    parse=f"{_HERE}.whole:parse",
    check=f"{_HERE}.whole:check",
    around=f"{_HERE}.around:around",
    describe=f"{_HERE}.describing:describe",
    status=f"{_HERE}.status:status",
    dependents=f"{_HERE}.whole:dependents",
    standing=f"{_HERE}.standing:standing",
    things=f"{_LINEAGE}.own:things",
    dispose=f"{_LINEAGE}.own:dispose",
    undo=f"{_LINEAGE}.own:undo",
    takes={"outputs": f"{_OUTPUTS}.taking:take"},
    composed={
        "candidate.accept": f"{_CANDIDATES}.deciding:accept",
        "candidate.review": f"{_CANDIDATES}.batch:review",
        "candidate.promote": f"{_HERE}.promotion.planning:promote",
        "import.aiwg": f"{_HERE}.importing.planning:take_in",
        "import.markdown": f"{_HERE}.importing.planning:take_in",
        "import.claude": f"{_HERE}.importing.planning:take_in",
        "import.codex": f"{_HERE}.importing.planning:take_in",
        "import.basic-memory": f"{_HERE}.importing.planning:take_in",
        "import.undo": f"{_HERE}.importing.planning:undo",
        "maintenance.run": f"{_HERE}.maintaining.planning:run",
        "maintenance.undo": f"{_HERE}.maintaining.planning:undo",
        "lineage.revoke": f"{_LINEAGE}.revoking:revoke",
        "lineage.reanchor": f"{_LINEAGE}.following:reanchor",
        "lineage.undo": f"{_LINEAGE}.revoking:undo",
    },
    plans={
        "output.register": f"{_OUTPUTS}.registering:register",
        "output.archive": f"{_OUTPUTS}.ending:end",
        "output.revoke": f"{_OUTPUTS}.ending:end",
        "output.undo": f"{_OUTPUTS}.undoing:undo",
        "candidate.share": f"{_CANDIDATES}.deciding:decide",
        "candidate.reject": f"{_CANDIDATES}.deciding:decide",
        "candidate.defer": f"{_CANDIDATES}.deciding:decide",
        "candidate.reopen": f"{_CANDIDATES}.deciding:decide",
        "candidate.close": f"{_CANDIDATES}.deciding:decide",
        "candidate.reclassify": f"{_CANDIDATES}.deciding:reclassify",
        "candidate.resolve": f"{_CANDIDATES}.deciding:resolve",
        "candidate.forget": f"{_CANDIDATES}.forgetting:forget",
        "candidate.undo": f"{_CANDIDATES}.undoing:undo",
    },
)
