"""What maintenance can only point at: a person has to look. Nothing of it is done by confirming."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from aiwg_memory.core.findings import Finding

REPORTS: Mapping[str, tuple[str, ...]] = {
    "review": ("fact-review-due", "canonical-review-due", "stale", "expired"),
    "orphan": ("orphan", "raw-left"),
    "contradiction": ("contradiction", "fact-near-duplicate"),
    "fork": ("record-fork", "pin-fork"),
    "owed": ("owed",),
    "evidence": (
        "raw-changed", "raw-vanished", "source-changed", "source-vanished", "source-missing", "source-moved",
        "source-ended",
    ),
    "standing": ("standing-over-cap",),
}  # fmt: skip
"""Kinds of report, and the rules of the findings that belong to each."""
_KIND = {rule: kind for kind, rules in REPORTS.items() for rule in rules}


def reports(found: Iterable[Finding], kinds: frozenset[str]) -> Iterator[Finding]:
    """Those of the wanted kinds, as warnings, by kind and place."""
    wanted = [each for each in found if _KIND.get(each.rule) in kinds]
    order = list(REPORTS)
    for each in sorted(wanted, key=lambda one: (order.index(_KIND[one.rule]), one)):
        yield each._replace(severity="warning")
