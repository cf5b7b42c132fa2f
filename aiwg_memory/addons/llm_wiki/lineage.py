"""What pages rest on, the raw evidence below it all, and what becomes of both when a source is withdrawn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from aiwg_memory.addons.llm_wiki.desk import Desk
from aiwg_memory.addons.llm_wiki.layout import MAX_PAGE, RAW, RECORDS, look, page_handle, page_path, pages, relative
from aiwg_memory.addons.llm_wiki.reading import page_name, read_page
from aiwg_memory.addons.llm_wiki.sources import HELD, names_of, read_evidence
from aiwg_memory.addons.llm_wiki.verdicts import edited
from aiwg_memory.core.canonical import digest
from aiwg_memory.core.document import parse_document, title_of
from aiwg_memory.core.lineage import Decision, Thing, grounds_of
from aiwg_memory.core.operations import Note, Plan, Request
from aiwg_memory.core.paths import RepoPath
from aiwg_memory.core.records import Version, render_segment, succeed
from aiwg_memory.core.tree import Tree

_RAW = {"revoke": "revoked", "delete": "revoked", "origin-unavailable": "origin_unavailable"}


def things(tree: Tree) -> Iterator[Thing]:
    """Every raw copy with a record, and every page that is not too large to be read."""
    for handle, head in read_evidence(tree).heads.items():
        current = head.current
        yield Thing(
            handle, "raw", current.status, current.status in HELD, f"{RAW}/{current.text('file')}",
            tuple(dict.fromkeys(names_of(current))), (), current.version,
            classification=current.text("classification", "internal"),
        )  # fmt: skip
    for path, entry in pages(tree):
        if entry.size <= MAX_PAGE:
            yield _page(path, tree.read(path, limit=MAX_PAGE))


def _page(path: RepoPath, data: bytes) -> Thing:
    names = (str(path), relative(path), digest(data))
    # Whatever a page says of itself stands in front matter, and most pages of a large wiki have none.
    if not data.startswith((b"---", b"\xef\xbb\xbf---")):
        return Thing(page_handle(path), "wiki", "active", True, page_name(path), names, (), digest(data))
    document = read_page(path, data)[0]
    front = document.front
    status = str(front.get("status") or "active")
    envelope = front.get("dependencies")
    return Thing(
        page_handle(path),
        "wiki",
        status,
        status == "active",
        title_of(document) or page_name(path),
        names,
        grounds_of(front, "sources"),
        digest(data),
        envelope if isinstance(envelope, dict) else {},
        str(front.get("classification") or "internal"),
    )


def dispose(tree: Tree, request: Request, decisions: Sequence[Decision]) -> Plan:
    """A retained page says who kept it. A revoked raw copy keeps its bytes, that what was withdrawn can be looked at;
    ``delete`` takes them away."""
    given: dict[str, Any] = {"reason": request.arguments["reason"]} if request.arguments.get("reason") else {}
    desk = Desk(tree, request.part("wiki.dispose", given), needs=(), takes=("reason",))
    desk.screen(given.get("reason", ""), "", strict=True)
    _raw(desk, [one for one in decisions if one.thing.layer == "raw"])
    texts: dict[RepoPath, bytes] = {}
    for one in decisions:
        if one.thing.layer == "wiki":
            _decide(desk, one, texts)
    for path, data in texts.items():
        desk.place(path, data)
    return desk.plan("dispose of pages and raw copies")


def _raw(desk: Desk, decisions: Sequence[Decision]) -> None:
    heads = read_evidence(desk.tree).heads
    said = {"seg": desk.request.seg, "at": desk.request.at, "reviewer": desk.request.reviewer}
    written: list[Version] = []
    for one in decisions:
        handle, status = one.thing.handle, _RAW[one.action]
        head = heads[handle]
        path = RepoPath(f"{RAW}/{head.current.text('file')}")
        if head.current.status == status:
            desk.duplicates.append(Note(handle, f"is {status.replace('_', ' ')} already"))
        else:
            written.append(succeed(head.heads, {**said, "status": status, "reason": desk.arguments.get("reason", "")}))
        if one.action == "delete" and look(desk.tree, path) is not None:
            desk.draft.remove(path)
        desk.subjects[handle] = None
    if written:
        desk.draft.write(RepoPath(f"{RECORDS}/{desk.request.seg}.jsonl"), render_segment(written))


def _decide(desk: Desk, one: Decision, texts: dict[RepoPath, bytes]) -> None:
    found = desk.page({"handle": one.thing.handle, "expected": one.thing.expected})
    if found is None:
        return
    path = found[0]
    data = texts.get(path, found[1])
    if one.action == "delete":
        desk.draft.remove(path)
        desk.subjects[one.thing.handle] = None
    elif one.action == "revoke":
        texts[path] = edited(data, desk.request, {"status": "revoked"})
    elif one.action == "supersede":
        _supersede(desk, one, path, data, texts)
    else:
        texts[path] = edited(data, desk.request, {"dependencies": dict(one.envelope)})


def _supersede(desk: Desk, one: Decision, path: RepoPath, data: bytes, texts: dict[RepoPath, bytes]) -> None:
    target = page_path(one.replacement)
    text = texts.get(target) or desk.read(target)
    front = parse_document(target, text)[0].front if text is not None else {}
    if text is None or (front.get("status") or "active") != "active":
        desk.wrong("not-found", f"{one.replacement} is no page that stands", "a page is replaced by an active page")
        return
    stated = front.get("supersedes") or []
    named = [str(each) for each in (stated if isinstance(stated, list) else [stated])]
    texts[path] = edited(data, desk.request, {"status": "superseded", "superseded_by": relative(target)})
    texts[target] = edited(text, desk.request, {"supersedes": sorted({*named, relative(path)})})
    desk.supersedes.append(Note(one.thing.handle, f"gives way to {one.replacement}"))
