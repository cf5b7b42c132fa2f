"""Dependency envelopes: what a derived record rests on. Summarising a source keeps what it rests on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from aiwg_memory.core.canonical import canonical_json

MAX_LEAVES = 32
MAX_BYTES = 16 * 1024
STATES = ("known", "unknown", "revoked")


def unite(envelopes: Iterable[Mapping[str, Any] | None]) -> dict[str, Any]:
    """The envelope of something derived from inputs with these envelopes, in any order.

    Revoked beats unknown beats known. An input without an envelope makes the result unknown, and so do more than
    32 leaves or 16 KiB of them; what fits is kept. ``revision`` is the highest one met.
    """
    rank, revision = 0, 0
    leaves: dict[bytes, Any] = {}
    reasons: set[str] = set()
    for envelope in envelopes:
        stated = envelope.get("state") if envelope else "unknown"
        rank = max(rank, STATES.index(stated) if stated in STATES else 1)
        if not envelope:
            continue
        number = envelope.get("revision")
        revision = max(revision, number if isinstance(number, int) else 0)
        if isinstance(envelope.get("reason"), str) and envelope["reason"]:
            reasons.add(envelope["reason"])
        several = envelope.get("leaves")
        for leaf in several if isinstance(several, list) else ():
            leaves[canonical_json(leaf)] = leaf
    kept: list[Any] = []
    size = 2
    for key in sorted(leaves):
        size += len(key) + 1
        if len(kept) == MAX_LEAVES or size > MAX_BYTES:
            rank = max(rank, 1)
            reasons.add("too many dependencies to list")
            break
        kept.append(leaves[key])
    united: dict[str, Any] = {"state": STATES[rank], "revision": revision, "leaves": kept}
    if reasons:
        united["reason"] = "; ".join(sorted(reasons))[:512]
    return united
