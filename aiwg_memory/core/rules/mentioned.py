"""Ids that stand in findings beside those of the table: what a refused plan says, and rules without examples so far."""

from __future__ import annotations

REFUSALS = frozenset((
    "anchor", "argument", "assertion", "bundle",
    "canonical-conflict", "canonical-date", "canonical-file", "canonical-in-use",
    "canonical-value", "changed", "changed-since", "classification", "cross-workspace",
    "dependency-revoked", "disposition", "ended-fact", "ended-source",
    "evidence-changed", "evidence-ended", "evidence-vanished", "forgotten", "locator", "moved", "no-undo-copy",
    "not-acknowledged", "not-found", "not-recorded", "nothing-to-undo", "output-path", "page-exists", "page-path",
    "page-status", "protected-source", "provenance", "reserved-namespace", "scan-limit", "sheet", "source-held",
    "still-owed", "text-gone", "too-many", "too-many-sources", "transition", "undo-copy", "unfinished",
    "verdict-forged", "wrong-fingerprint", "wrong-version",
))  # fmt: skip
"""A plan was refused for this reason; the check never reports it."""

WITHOUT_EXAMPLES = frozenset((
    "agent-overflow", "bad-ignore", "bad-name", "broken-fence",
    "edited-fence", "hard-link", "ignore-too-large", "ignore-too-many", "import-broken",
    "import-outside", "invalid-utf8", "link-as-text", "near-miss-name",
    "override-names-sibling", "pin", "pin-fork", "pin-history", "pin-stale", "pin-text",
    "rule-front-matter", "special-file", "symlink", "too-deep",
    "too-many-entries", "total-too-large", "unresolved-import",
))  # fmt: skip
"""The check reports these; their examples are still to be written, and none may be added here."""
