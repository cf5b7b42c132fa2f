"""What a reference to a canonical value names in a tree, for those that rest on it."""

from __future__ import annotations

from collections.abc import Callable

from aiwg_memory.addons.canonical_context.layout import parse_handle, problems
from aiwg_memory.addons.canonical_context.store import read_place
from aiwg_memory.core.candidates import Standing
from aiwg_memory.core.tree import Tree
from aiwg_memory.errors import AiwgError


def standing(tree: Tree) -> Callable[[str], Standing | None]:
    """For ``ctx:…`` the version it names, or the active one; None for every other reference."""

    def look(ref: str) -> Standing | None:
        if not ref.startswith("ctx:"):
            return None
        try:
            place, number = parse_handle(ref)
            found = None if problems(place) else read_place(tree, place)[0]
        except AiwgError:
            found, number = None, None
        version = None if found is None else found.get(number) if number else found.active
        if version is None:
            return Standing("canonical")
        digests = () if version.get("forgotten") else (str(version["digest"]),)
        lifecycle = "rejected" if version.get("review") == "rejected" else str(version["status"])
        return Standing(
            "canonical", digests, lifecycle, str(version.get("scope") or "global"),
            str(version.get("classification") or "internal"), version.get("dependencies") or {},
        )  # fmt: skip

    return look
