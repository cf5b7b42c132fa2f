"""What another tool kept as notes: pages that are new here. One that is here with another text is left as it is."""

from __future__ import annotations

from collections.abc import Sequence

from aiwg_memory.addons.llm_wiki.desk import Desk
from aiwg_memory.addons.llm_wiki.layout import MAX_PAGE, WIKI, is_page, page_handle, pages, relative
from aiwg_memory.addons.llm_wiki.reading import page_name
from aiwg_memory.addons.llm_wiki.writing import neighbours
from aiwg_memory.core.document import edit_front, normalise, parse_document, title_of
from aiwg_memory.core.foreign import Page
from aiwg_memory.core.operations import Note, Plan, Request
from aiwg_memory.core.paths import RepoPath, display
from aiwg_memory.core.tree import Tree
from aiwg_memory.errors import AiwgError


def take(tree: Tree, request: Request, entries: Sequence[Page]) -> Plan:
    """Each page is judged by itself: what is wrong with one, or refused in it, leaves that one out and is said."""
    whole = Desk(tree, request.part("wiki.add", {}), needs=())
    titles = _titles(tree) if entries else {}
    for entry in entries:
        try:
            _take(whole, entry, titles)
        except AiwgError as error:
            whole.conflicts.append(Note(entry.place, f"is left out: {error.message}"))
    count = len(whole.subjects)
    return whole.plan(f"take in {count} page{'' if count == 1 else 's'}")


def _take(whole: Desk, entry: Page, titles: dict[str, str]) -> None:
    path = RepoPath(f"{WIKI}/{entry.path}")
    if not is_page(path):
        whole.conflicts.append(Note(entry.place, f"is left out: {display(relative(path))} cannot be a page"))
        return
    data = edit_front(normalise(entry.text.encode("utf-8", "surrogatepass")), {"provenance": "import"})
    desk = Desk(whole.tree, whole.request, needs=())
    present = desk.read(path)
    if present is not None:
        same = parse_document(path, present)[0].body == parse_document(path, data)[0].body
        told = Note(page_handle(path), "is here already" if same else "is here with another text, and is left as it is")
        (whole.duplicates if same else whole.conflicts).append(told)
        return
    neighbours(desk, path)
    desk.accept(path, data)
    desk.place(path, data)
    desk.plan("")
    title = title_of(parse_document(path, data)[0]) or page_name(path)
    other = titles.setdefault(title.casefold(), page_handle(path))
    if other != page_handle(path):
        whole.conflicts.append(Note(other, f"has the same title as {entry.place}: {display(title)}"))
    whole.warnings += desk.warnings
    whole.place(path, data)


def _titles(tree: Tree) -> dict[str, str]:
    found: dict[str, str] = {}
    for path, entry in pages(tree):
        if entry.size <= MAX_PAGE:
            document, _ = parse_document(path, tree.read(path, limit=MAX_PAGE))
            found.setdefault((title_of(document) or page_name(path)).casefold(), page_handle(path))
    return found
