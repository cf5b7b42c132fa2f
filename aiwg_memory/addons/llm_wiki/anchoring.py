"""Pages that rest on lines of files which go on changing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from aiwg_memory.addons.llm_wiki.desk import Desk
from aiwg_memory.addons.llm_wiki.layout import MAX_PAGE, look, page_handle, page_path, pages
from aiwg_memory.addons.llm_wiki.reading import read_page
from aiwg_memory.addons.llm_wiki.sources import read_evidence
from aiwg_memory.addons.llm_wiki.verdicts import edited
from aiwg_memory.core.anchors import lines_of
from aiwg_memory.core.canonical import digest
from aiwg_memory.core.counting import counted
from aiwg_memory.core.document import parse_document, title_of
from aiwg_memory.core.following import followed, moves_of, told
from aiwg_memory.core.maintenance import Step
from aiwg_memory.core.operations import Plan, Request
from aiwg_memory.core.tree import Tree
from aiwg_memory.errors import AiwgError


def cites(tree: Tree) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Page and source of every citation of lines by an active page, but for lines of what was ingested: those stay."""
    evidence = read_evidence(tree)
    for path, entry in pages(tree):
        data = tree.read(path, limit=MAX_PAGE) if entry.size <= MAX_PAGE else b""
        # Whatever cites lines says so in its front matter, and most pages of a large wiki have none.
        if not data.startswith((b"---", b"\xef\xbb\xbf---")) or b"span" not in data:
            continue
        front = read_page(path, data)[0].front
        for source in _sources(front) if (front.get("status") or "active") == "active" else ():
            stated = source.get("digest")
            lines = lines_of(str(source.get("span") or "")) is not None
            if lines and isinstance(stated, str) and evidence.find(str(source.get("ref")), stated) is None:
                yield page_handle(path), source


def upkeep(tree: Tree, request: Request) -> Iterator[Step]:
    """A page whose cited lines were found elsewhere follows them."""
    for handle, moves in sorted(moves_of(request).items()):
        data = _page(tree, handle)
        if data is not None:
            said = f"{told(moves)}: {title_of(parse_document('', data)[0]) or handle}"
            target = {"handle": handle, "expected": digest(data), "moves": list(moves)}
            yield Step("reanchor", handle, said, "wiki.reanchor", {"target": target})


def reanchor(tree: Tree, request: Request) -> Plan:
    """Each of ``moves`` names a citation and where its lines are now; refused unless the same lines stand there. A
    verdict that stood stands again."""
    desk = Desk(tree, request, needs=("targets",), takes=("reason",))
    desk.screen(desk.arguments.get("reason", ""), "", strict=True)
    for target in desk.arguments.get("targets", ()):
        found = desk.page(target)
        if found is not None:
            path, data = found
            front = parse_document(path, data)[0].front
            after = iter(followed(desk, target["handle"], _sources(front), target.get("moves", ())))
            kept = [next(after) if isinstance(one, dict) else one for one in front.get("sources") or ()]
            desk.place(path, edited(data, request, {"sources": kept}))
    return desk.plan(f"follow the lines that {counted(len(desk.subjects), 'page')} cited")


def _sources(front: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    stated = front.get("sources")
    return [one for one in stated if isinstance(one, dict)] if isinstance(stated, list) else []


def _page(tree: Tree, handle: str) -> bytes | None:
    if not handle.startswith("wiki:"):
        return None
    try:
        path = page_path(handle)
        entry = look(tree, path)
        return tree.read(path, limit=MAX_PAGE) if entry is not None and entry.kind == "file" else None
    except AiwgError:
        return None
