"""What a reference to a registered output names in a tree, for those that rest on it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from aiwg_memory.addons.compound_memory.outputs.store import LIVE, Store, file_state, read
from aiwg_memory.core.candidates import Standing
from aiwg_memory.core.tree import Tree


def standing(tree: Tree) -> Callable[[str], Standing | None]:
    """For ``out_…`` the registered file, while it is what was registered; None for every other reference."""

    @cache
    def store() -> Store:
        return read(tree)

    def look(ref: str) -> Standing | None:
        if not ref.startswith("out_"):
            return None
        head = store().heads.get(ref)
        if head is None:
            return Standing("outputs")
        record = head.current
        there = record.status == LIVE and file_state(tree, record) == "unchanged"
        digests = (record.text("digest"),) if there else ()
        envelope = record.object("dependencies")
        return Standing("outputs", digests, record.status, dependencies=envelope)

    return look
