"""What maintenance would do to canonical context: expire the values that are past their date."""

from __future__ import annotations

from collections.abc import Iterator

from aiwg_memory.addons.canonical_context.store import read
from aiwg_memory.core.maintenance import Step
from aiwg_memory.core.operations import Request
from aiwg_memory.core.tree import Tree


def upkeep(tree: Tree, request: Request) -> Iterator[Step]:
    for place, found in read(tree).files.items():
        date = str((found.active or {}).get("expires_at") or "")
        if date and date <= request.at:
            said = {"target": place.target, "key": place.key, "scope": place.scope, "expected": found.last}
            yield Step("expire", place.handle, f"expired at {date}", "canonical-context.expire", said)
