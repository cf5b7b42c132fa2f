"""Ids in findings beside those of the table: what a refused plan says, and a note."""

from __future__ import annotations

REFUSALS = frozenset((
    "anchor", "argument", "assertion", "bundle",
    "canonical-conflict", "canonical-date", "canonical-file", "canonical-in-use",
    "canonical-value", "changed", "changed-since", "classification", "cross-workspace",
    "dependency-revoked", "disposition", "ended-fact", "ended-source",
    "evidence-changed", "evidence-ended", "evidence-vanished", "forgotten", "locator", "moved", "no-undo-copy",
    "not-acknowledged", "not-found", "not-recorded", "nothing-to-undo", "output-path", "page-exists", "page-path",
    "page-status", "protected-source", "provenance", "reserved-namespace", "scan-limit", "sheet", "source-held",
    "still-owed", "text-gone", "too-many", "transition", "undo-copy", "unfinished",
    "verdict-forged", "wrong-fingerprint", "wrong-version",
))  # fmt: skip
"""A plan was refused for this reason; the check never reports it."""

SHOWN = frozenset(("unresolved-import",))
"""`instructions show` says this of a text; it is a note, which the check leaves out."""
