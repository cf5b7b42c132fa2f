"""Dependency envelopes: what a derived record rests on. Summarising a source keeps what it rests on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from aiwg_memory.core.canonical import canonical_json

MAX_LEAVES = 32
MAX_BYTES = 16 * 1024
STATES = ("known", "unknown", "revoked")
_TOO_MANY = "too many dependencies to list"


def unite(envelopes: Iterable[Mapping[str, Any] | None]) -> dict[str, Any]:
    """The envelope of something derived from inputs with these envelopes, in any order and any grouping.

    Revoked beats unknown beats known. An input without an envelope makes the result unknown, and so does anything in
    one that is not what an envelope holds, more than 32 leaves or 16 KiB of them; what fits is kept. ``revision`` is
    the highest one met. That somebody kept an input although it was revoked says nothing of what is made from it.
    """
    rank, revision = 0, 0
    leaves: dict[bytes, Any] = {}
    reasons: set[str] = set()
    for envelope in envelopes:
        rank = max(rank, STATES.index(state_of(envelope)))
        if not isinstance(envelope, Mapping):
            continue
        number = envelope.get("revision")
        revision = max(revision, number if isinstance(number, int) else 0)
        if isinstance(envelope.get("reason"), str):
            reasons.update(each for each in envelope["reason"].split("; ") if each)
        for leaf in leaves_of(envelope):
            leaves[canonical_json(leaf)] = leaf
    kept = _fitting(leaves)
    if len(kept) < len(leaves):
        rank = max(rank, 1)
        reasons.add(_TOO_MANY)
    united: dict[str, Any] = {"state": STATES[rank], "revision": revision, "leaves": kept}
    if reason := _joined(reasons):
        united["reason"] = reason
    return united


def state_of(envelope: Any) -> str:
    """The state to go by: what cannot be read as an envelope is unknown, whatever it says of itself."""
    if not isinstance(envelope, Mapping) or not envelope:
        return "unknown"
    stated = envelope.get("state")
    if stated not in STATES:
        return "unknown"
    several = envelope.get("leaves", ())
    whole = isinstance(several, list | tuple) and all(map(_is_leaf, several)) and len(several) <= MAX_LEAVES
    return "unknown" if stated == "known" and not whole else str(stated)


def leaves_of(envelope: Any) -> list[Mapping[str, Any]]:
    """The leaves that can be read."""
    several = envelope.get("leaves") if isinstance(envelope, Mapping) else None
    return [leaf for leaf in several if isinstance(leaf, Mapping)] if isinstance(several, list | tuple) else []


def _is_leaf(leaf: Any) -> bool:
    """Nothing but a text is a scope."""
    return isinstance(leaf, Mapping) and isinstance(leaf.get("scope", ""), str | None)


def _fitting(leaves: Mapping[bytes, Any]) -> list[Any]:
    """The shortest that fit, in byte order. Were longer ones taken first, what is left of three envelopes would depend
    on which two were united before."""
    kept: list[bytes] = []
    size = 2
    for key in sorted(leaves, key=lambda key: (len(key), key)):
        size += len(key) + 1
        if len(kept) == MAX_LEAVES or size > MAX_BYTES:
            break
        kept.append(key)
    return [leaves[key] for key in sorted(kept)]


def _joined(reasons: Iterable[str]) -> str:
    """At most 512 characters of whole reasons, the shortest first."""
    kept: list[str] = []
    size = -2
    for reason in sorted(reasons, key=lambda reason: (len(reason), reason)):
        size += len(reason) + 2
        if size > 512:
            break
        kept.append(reason)
    return "; ".join(sorted(kept))
