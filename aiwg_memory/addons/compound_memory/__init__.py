"""Compound memory: what was made with the memory, and how that finds its way back into it."""

from __future__ import annotations

from aiwg_memory.addons import Addon

_OUTPUTS = "aiwg_memory.addons.compound_memory.outputs"

ADDON = Addon(
    name="compound-memory",
    version="1",
    summary="registered outputs",
    optional=("line-memory", "llm-wiki", "canonical-context"),
    paths=(".aiwg/memory/outputs.d/",),
    schemas=("output_record.v1", "output_request.v1"),
    parse=f"{_OUTPUTS}.store:parse",
    check=f"{_OUTPUTS}.checking:check",
    status=f"{_OUTPUTS}.checking:status",
    dependents=f"{_OUTPUTS}.store:dependents",
    undo=f"{_OUTPUTS}.undoing:undo",
    plans={
        "output.register": f"{_OUTPUTS}.registering:register",
        "output.archive": f"{_OUTPUTS}.ending:end",
        "output.revoke": f"{_OUTPUTS}.ending:end",
        "output.undo": f"{_OUTPUTS}.undoing:undo",
    },
)
