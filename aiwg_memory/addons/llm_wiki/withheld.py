"""Which pages are not delivered any more, whatever an older tree says of them."""

from __future__ import annotations

from aiwg_memory.addons.llm_wiki.layout import MAX_PAGE, page_handle, pages
from aiwg_memory.addons.llm_wiki.reading import read_page
from aiwg_memory.core.tree import Tree


def withheld(tree: Tree) -> dict[str, str]:
    """Handles of pages, each standing for all of its passages, that are revoked now. A page that is gone leaves no
    trace here: who wants it withheld from older trees revokes it."""
    found = {}
    for path, entry in pages(tree):
        if entry.size > MAX_PAGE:
            continue
        data = tree.read(path, limit=MAX_PAGE)
        if b"revoked" in data and read_page(path, data)[0].front.get("status") == "revoked":
            found[page_handle(path)] = "revoked"
    return found
