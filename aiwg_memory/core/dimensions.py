"""The values that the dimensions of a memory item may have."""

from __future__ import annotations

KINDS = ("profile", "standing", "fact", "decision", "note", "episode", "reference", "legacy")
PROVENANCES = (
    "operator", "extracted", "harvest", "conversation", "background_report", "ingest", "import", "external",
)  # fmt: skip
DELIVERIES = ("always", "retrieved", "on_demand")
REVIEWS = ("confirmed", "pending", "rejected")
LIFECYCLES = (
    "active", "stale", "contradicted", "superseded", "merged", "revoked", "archived", "expired", "origin_unavailable",
)  # fmt: skip
CLASSIFICATIONS = ("public", "internal", "private", "unknown")

PUBLIC = ("public",)
INTERNAL = ("public", "internal")
"""What a report tells in words, and what it tells when asked; of the rest it names handle and digest, always."""

_TIERS = {"operator": 3, "extracted": 2, "harvest": 2, "conversation": 2, "background_report": 2}


def trust_tier(provenance: str) -> int:
    """3 operator, 2 what an agent wrote, 1 the rest: derived, never stored."""
    return _TIERS.get(provenance, 1)
