"""MemoryItem and its eight dimensions: what every store looks like to retrieval.

A file is parsed once into a ``Fragment``: the texts it holds (``Unit``) and the record versions it holds. A unit joined
with the current record of its handle is a ``MemoryItem``. The search index stores exactly these two.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from aiwg_memory.core.dimensions import trust_tier

if TYPE_CHECKING:
    from aiwg_memory.core.findings import Finding
    from aiwg_memory.core.paths import RepoPath
    from aiwg_memory.core.records import Version


class Unit(NamedTuple):
    """One retrievable text of one file: a fact, or one passage of a page. Lines count from 1, both ends included.

    ``attributes`` are the dimensions the file itself states (front matter, a contradiction callout).
    """

    handle: str
    layer: str
    path: RepoPath
    first: int
    last: int
    title: str
    heading: str
    text: str
    attributes: Mapping[str, Any] = MappingProxyType({})


class Fragment(NamedTuple):
    """What one file contributes. A broken line is a finding; the rest of the file stays usable."""

    units: tuple[Unit, ...] = ()
    versions: tuple[Version, ...] = ()
    findings: tuple[Finding, ...] = ()


class MemoryItem(NamedTuple):
    """A unit seen through its dimensions. It grants nothing: no item carries authority of any sort.

    ``digest`` is that of the text. ``locator`` is stable and compact (a handle, or ``path#L3-L9``). ``at`` is the
    recorded time (RFC 3339) or "" where there is no record. ``lifecycle`` here is as stored; dates act in
    ``deliverable``, which knows ``as_of``.
    """

    handle: str
    layer: str
    text: str
    digest: str
    locator: str
    title: str = ""
    heading: str = ""
    kind: str = "fact"
    provenance: str = "external"
    scope: str = "global"
    delivery: str = "retrieved"
    review: str = "pending"
    lifecycle: str = "active"
    epoch: str = ""
    classification: str = "internal"
    at: str = ""
    expires_at: str = ""
    review_at: str = ""
    unrecorded: bool = False
    sources: tuple[Mapping[str, Any], ...] = ()
    dependencies: Mapping[str, Any] = MappingProxyType({})

    @property
    def trust(self) -> int:
        return trust_tier(self.provenance)
