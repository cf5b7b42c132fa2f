"""What a reference to a page, a passage or raw evidence names in a tree, for those that rest on it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from aiwg_memory.addons.llm_wiki.layout import MAX_PAGE, RAW, look, page_path
from aiwg_memory.addons.llm_wiki.reading import parse
from aiwg_memory.addons.llm_wiki.sources import HELD, Evidence, plain, read_evidence
from aiwg_memory.addons.llm_wiki.state import attributes
from aiwg_memory.core.candidates import Standing
from aiwg_memory.core.canonical import digest
from aiwg_memory.core.document import parse_document
from aiwg_memory.core.paths import RepoPath
from aiwg_memory.core.tree import Tree
from aiwg_memory.errors import AiwgError


def standing(tree: Tree) -> Callable[[str], Standing | None]:
    """For ``wiki:…``, ``raw_…`` and the locators of what was ingested; None for every other reference."""

    @cache
    def evidence() -> Evidence:
        return read_evidence(tree)

    def raw(ref: str) -> Standing | None:
        known = evidence().names.get(ref) or evidence().names.get(plain(ref))
        if not known:
            return Standing("raw") if ref.startswith("raw_") else None
        record = evidence().find(ref)
        if record is None:
            return None
        there = look(tree, RepoPath(f"{RAW}/{record.text('file')}"))
        held = record.status in HELD and there is not None and there.kind == "file"
        digests = tuple(evidence().heads[one].current.text("digest") for one in known) if held else ()
        own = record.text("digest")
        return Standing(
            "raw",
            (own, *(one for one in digests if one != own)) if held else (),
            "active" if record.status in HELD else record.status,
            record.text("scope", "global"),
            record.text("classification", "internal"),
        )

    return lambda ref: _page(tree, ref) if ref.startswith("wiki:") else raw(ref)


def _page(tree: Tree, ref: str) -> Standing:
    """By the digest of the whole page, or of what stands above its first heading; a passage by its own."""
    try:
        path = page_path(ref)
        entry = tree.stat(path)
        data = tree.read(path, limit=MAX_PAGE) if entry is not None and entry.kind == "file" else None
    except AiwgError:
        data = None
    if data is None:
        return Standing("wiki")
    said = attributes(parse_document(path, data)[0].front, data)
    own = () if "#" in ref else (digest(data),)
    passages = tuple(digest(unit.text.encode()) for unit in parse(path, data).units if unit.handle == ref)
    lifecycle = "rejected" if said["review"] == "rejected" else said["lifecycle"]
    return Standing("wiki", (*own, *passages), lifecycle, said["scope"], said["classification"], said["dependencies"])
