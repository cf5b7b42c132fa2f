"""Ranked hits as a person or a program sees them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from aiwg_memory.core.delivery import DeliveryOptions, DeliveryPolicy, decide
from aiwg_memory.core.quoting import shown_lines
from aiwg_memory.core.retrieval import Hit
from aiwg_memory.workspace.retrieval import retriever

if TYPE_CHECKING:
    from aiwg_memory.index.search import Index
    from aiwg_memory.workspace import Workspace


def search_hits(
    workspace: Workspace, query: str, limit: int, layer: str | None, progress: Callable[[int, int], None]
) -> tuple[Sequence[Hit], str]:
    """At most ``limit`` hits that may be delivered, and the tree they come from."""
    policy = DeliveryPolicy()
    options = DeliveryOptions(user=workspace.own)
    as_of = workspace.now[:10]
    with retriever(workspace, progress=progress) as index:
        found = index.search(query, limit=limit * 4 + 50, as_of=as_of)
        kept = [
            hit
            for hit in found
            if (layer is None or hit.item.layer == layer)
            and decide(hit.item, as_of=as_of, target=_own_place(hit.item.scope), policy=policy, options=options)
            in (None, "on-demand")
        ]
        return _standing(workspace, index, kept, limit), index.identity


def _standing(workspace: Workspace, index: Index, hits: Sequence[Hit], limit: int) -> list[Hit]:
    """The first of them whose sources were not revoked since."""
    if not any(hit.item.sources or hit.item.dependencies for hit in hits):
        return list(hits[:limit])
    from aiwg_memory.workspace.validity import REVOKED, Validity

    validity = Validity(workspace, workspace.tree, index)
    found: list[Hit] = []
    for hit in hits:
        if len(found) == limit:
            break
        if validity.codes([hit.item]).get(hit.item.handle) != REVOKED:
            found.append(hit)
    return found


def _own_place(scope: str) -> str:
    """Searching asks everywhere: what holds in one directory only is shown too, with its scope."""
    return scope.removeprefix("path:") if scope.startswith("path:") else ""


def unheld(query: str, hits: Iterable[Hit]) -> list[str]:
    """The query's quoted phrases that none of the hits holds."""
    from aiwg_memory.core.ranking.query import parse

    held = {name for hit in hits for name in hit.matched}
    return [phrase.surface for phrase in parse(query).phrases if f'"{phrase.surface}"' not in held]


def hit_data(hit: Hit) -> dict[str, Any]:
    item = hit.item
    return {
        "handle": item.handle,
        "locator": item.locator,
        "digest": item.digest,
        "title": item.title,
        "heading": item.heading,
        "text": "\n".join(shown_lines(item.text)),
        "layer": item.layer,
        "scope": item.scope,
        "trust": item.trust,
        "review": item.review,
        "lifecycle": item.lifecycle,
        "score": hit.score,
        "rank": hit.rank,
        "matched": list(hit.matched),
    }
