"""What a reference to a fact names in a tree, for those that rest on it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from aiwg_memory.addons.line_memory.store import Store, read
from aiwg_memory.addons.line_memory.text import HANDLE, text_digest
from aiwg_memory.core.candidates import Standing
from aiwg_memory.core.tree import Tree


def standing(tree: Tree) -> Callable[[str], Standing | None]:
    """For a fact's handle what it is now; None for every other reference."""

    @cache
    def store() -> Store:
        return read(tree)

    def look(ref: str) -> Standing | None:
        if not HANDLE.match(ref):
            return None
        head, text = store().current(ref), store().text(ref)
        digests = (text_digest(text),) if text is not None else ()
        if head is None:
            return Standing("facts", digests)
        lifecycle = "active" if head.status == "expired" else head.status
        if head.text("review") == "rejected":
            lifecycle = "rejected"
        return Standing(
            "facts", digests, lifecycle, head.text("scope", "global"), head.text("classification", "internal"),
            head.object("dependencies"),
        )  # fmt: skip

    return look
