"""From the set of all lines to the current version of each handle. Linear in the number of lines."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from aiwg_memory.core.canonical import canonical_json
from aiwg_memory.core.dependencies import unite
from aiwg_memory.core.records.version import Version

_STATUS = {
    "revoked": 0, "removed": 1, "rejected": 1, "superseded": 2, "merged": 2, "archived": 3, "deferred": 3,
    "expired": 4, "origin_unavailable": 5, "pending": 5, "contradicted": 6, "stale": 7, "active": 8, "accepted": 8,
}  # fmt: skip
_REVIEW = {"rejected": 0, "pending": 1, "confirmed": 2}
_DELIVERY = {"on_demand": 0, "retrieved": 1, "always": 2}
_SCOPE = {"session": 0, "user": 1, "path": 2, "project": 3, "global": 4}
_CLASS = {"private": 0, "unknown": 1, "internal": 2, "public": 3}


class Head(NamedTuple):
    """What is true of a handle now. ``fork`` holds every head, ``current`` first, where there is more than one.

    Of a fork, ``current`` is the most restrictive head: what readers go by until a person settles it.
    """

    current: Version
    fork: tuple[Version, ...] = ()

    @property
    def heads(self) -> tuple[Version, ...]:
        return self.fork or (self.current,)


def fold(versions: Iterable[Version]) -> dict[str, Head]:
    """Handle to head, by handle. The order, the repetition and the files of the lines do not matter.

    A version named as ``previous`` by a version of another handle stays a head: nobody replaces what is not theirs.
    Chains are not walked, so a broken one cannot stop this.
    """
    lines: dict[str, list[Version]] = {}
    for version in versions:
        lines.setdefault(version.handle, []).append(version)
    return {handle: _head(lines[handle]) for handle in sorted(lines)}


def _head(versions: Sequence[Version]) -> Head:
    if len(versions) == 1:
        return Head(versions[0])
    decisions: dict[str, list[Version]] = {}
    for version in versions:
        decisions.setdefault(version.digest, []).append(version)
    replaced = {name for same in decisions.values() for name in same[0].previous}
    heads = [join(same) for digest, same in decisions.items() if digest not in replaced]
    heads.sort(key=restriction)
    return Head(heads[0], tuple(heads) if len(heads) > 1 else ())


def restriction(version: Version) -> tuple[int, int, int, int, int, str]:
    """Sorts the more restrictive first: status, review, then scope, then delivery; the digest settles the rest.

    A status nobody here knows counts as revoked: it was written to be obeyed by someone.
    """
    scope, _, detail = version.text("scope", "global").partition(":")
    return (
        _STATUS.get(version.status, 0),
        _REVIEW.get(version.text("review", "pending"), 0),
        _SCOPE.get(scope, 0),
        -detail.count("/") if scope == "path" else 0,
        _DELIVERY.get(version.text("delivery", "retrieved"), 0),
        version.digest,
    )


def join(versions: Sequence[Version]) -> Version:
    """One version from lines with one digest: sources, parents and dependencies united, the earliest ``at``.

    Of what the digest does not cover the earliest line's value stands, but the earlier of two expiry or review dates
    and the narrower of two classifications do.
    """
    distinct = {version.canonical: version for version in versions} if len(versions) > 1 else {}
    if len(distinct) < 2:
        return versions[0]
    ordered = [distinct[line] for line in sorted(distinct, key=lambda line: (distinct[line].at, line))]
    first = ordered[0]
    value: dict[str, Any] = {}
    for version in ordered:
        value = {**version.value, **value}
    for name in ("sources", "parents"):
        if any(version.list(name) for version in ordered):
            value[name] = _united(version.list(name) for version in ordered)
    envelopes = [version.object("dependencies") for version in ordered if version.object("dependencies")]
    if envelopes:
        value["dependencies"] = unite(envelopes)
        if all("retained" in one for one in envelopes):
            # On both branches somebody kept it; else nobody did for what the other one says.
            value["dependencies"]["retained"] = envelopes[0]["retained"]
    for name in ("expires_at", "review_at"):
        dates = [version.text(name) for version in ordered if version.text(name)]
        if dates:
            value[name] = min(dates)
    classes = [version.text("classification") for version in ordered if version.text("classification")]
    if classes:
        value["classification"] = min(classes, key=lambda name: (_CLASS.get(name, 0), name))
    return Version(value, first.path, first.line)


def _united(lists: Iterable[tuple[Any, ...]]) -> list[Any]:
    found = {canonical_json(one): one for several in lists for one in several}
    return [found[key] for key in sorted(found)]
