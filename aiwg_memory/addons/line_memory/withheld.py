"""Which facts are not delivered any more, whatever an older tree says of them."""

from __future__ import annotations

from aiwg_memory.addons.line_memory.store import read
from aiwg_memory.core.tree import Tree


def withheld(tree: Tree) -> dict[str, str]:
    """Handles of what was revoked or forgotten, and which of the two."""
    found = {}
    for handle, head in read(tree).heads.items():
        if head.current.value.get("forgotten"):
            found[handle] = "forgotten"
        elif head.current.status == "revoked":
            found[handle] = "revoked"
    return found
