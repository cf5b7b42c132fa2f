"""What maintenance would do to canonical context: expire what is past its date, follow the lines that are cited."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from aiwg_memory.addons.canonical_context.store import read
from aiwg_memory.core.following import moves_of, told
from aiwg_memory.core.maintenance import Step
from aiwg_memory.core.operations import Request
from aiwg_memory.core.tree import Tree


def upkeep(tree: Tree, request: Request) -> Iterator[Step]:
    moved = moves_of(request)
    for place, found in read(tree).files.items():
        date = str((found.active or {}).get("expires_at") or "")
        said: dict[str, Any] = {"target": place.target, "key": place.key, "scope": place.scope, "expected": found.last}
        if date and date <= request.at:
            yield Step("expire", place.handle, f"expired at {date}", "canonical-context.expire", said)
        if found.active is not None and place.handle in moved:
            moves = moved[place.handle]
            said = {**said, "moves": list(moves)}
            yield Step("reanchor", place.handle, told(moves), "canonical-context.reanchor", said)
