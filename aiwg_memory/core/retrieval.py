"""The boundary between whoever searches and whoever composes a pack: hits in, nothing about how they were found."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple, Protocol

from aiwg_memory.core.items import MemoryItem


class Hit(NamedTuple):
    """One item for one query. ``rank`` counts from 1; ``coverage`` is the share of the query's weight that the item's
    own words hold, 0..1 (what the floor looks at); ``matched`` are the query's words as they were found, then its
    quoted phrases, in quotes, that the item holds word for word."""

    item: MemoryItem
    score: float
    rank: int
    matched: tuple[str, ...]
    coverage: float


class Retriever(Protocol):
    """The port every backend answers. Equal tree and equal query give equal hits, ties by handle."""

    @property
    def identity(self) -> str:
        """The tree the hits come from."""

    @property
    def backends(self) -> tuple[str, ...]: ...

    @property
    def quality(self) -> str:
        """full, lexical-fallback or degraded."""

    def search(self, query: str, *, limit: int, as_of: str) -> Sequence[Hit]:
        """Best first, lifecycle and review not yet judged; at most ``limit``. An empty query gives nothing."""

    def always(self) -> Iterable[MemoryItem]:
        """Every item with ``delivery: always``, ordered by handle."""

    def item(self, handle: str) -> MemoryItem | None: ...
