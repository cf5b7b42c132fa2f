"""What another tool registered as outputs: registrations whose pack nobody here can build again, and says so."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from aiwg_memory.addons.compound_memory.outputs.media import media_type
from aiwg_memory.addons.compound_memory.outputs.store import LIVE, RECORDS, output_id, read
from aiwg_memory.core.counting import counted
from aiwg_memory.core.desk import Desk
from aiwg_memory.core.foreign import Output, unproven
from aiwg_memory.core.operations import Note, Plan, Request
from aiwg_memory.core.paths import RepoPath, display, path_problem
from aiwg_memory.core.records import render_segment, succeed
from aiwg_memory.core.screening import protected_source, screen
from aiwg_memory.core.tree import Tree


def take(tree: Tree, request: Request, entries: Sequence[Output]) -> Plan:
    """One record each. A registration that is here already stays as it is."""
    desk = Desk(tree, request.part("output.import", {}), "output_request.v1", needs=())
    store = read(tree)
    named = {entry.id: _id(entry) for entry in entries if entry.id}
    written = {}
    for entry in entries:
        handle = _id(entry)
        problem = _problem(entry)
        if problem:
            desk.conflicts.append(Note(entry.place, f"is left out: {problem}"))
        elif handle in store.heads or handle in written:
            desk.duplicates.append(Note(handle, f"{display(entry.path)} is registered with this pack already"))
        else:
            written[handle] = succeed((), _record(desk, entry, handle, named))
            desk.subjects[handle] = None
    if written:
        desk.draft.write(RepoPath(f"{RECORDS}/{request.seg}.jsonl"), render_segment(written.values()))
    return desk.plan(f"take in {counted(len(written), 'output')}")


def _id(entry: Output) -> str:
    return output_id(entry.path, entry.digest, _pack_id(entry))


def _pack_id(entry: Output) -> str:
    return "pack_" + str(entry.pack["id"]).removeprefix("sha256:")


def _problem(entry: Output) -> str:
    problem = path_problem(entry.path)
    if problem:
        return f"its locator has {problem}"
    if RepoPath(entry.path).parts[0].casefold() == ".aiwg" or protected_source(entry.path):
        return "its locator lies where no output may"
    for text in (entry.path, entry.id, *(str(one["ref"]) for one in entry.sources)):
        refused = [one for one in screen(text, path=RECORDS, strict=True) if one.severity == "error"]
        if refused:
            return refused[0].message
    return ""


def _record(desk: Desk, entry: Output, handle: str, named: dict[str, str]) -> dict[str, Any]:
    request = desk.request
    return {
        "schema": "aiwg.output_record.v1",
        "handle": handle,
        "status": LIVE,
        "seg": request.seg,
        "at": request.at,
        "path": entry.path,
        "digest": entry.digest,
        "media_type": entry.media_type if _is_type(entry.media_type) else media_type(RepoPath(entry.path), b""),
        "pack": {
            "id": _pack_id(entry),
            "text_digest": entry.pack["digest"],
            "tree": "elsewhere",
            "format": "elsewhere",
            "request": {},
        },
        "sources": [dict(one) for one in entry.sources if one.get("digest")],
        "dependencies": unproven("aiwg"),
        "supersedes": sorted({named[one] for one in entry.supersedes if one in named}),
        "conflicts_with": sorted({named[one] for one in entry.conflicts_with if one in named}),
        "classification": "derived",
        "provenance": "import",
        "reviewer": request.reviewer,
        "reason": "",
        "replacement": None,
        **({"foreign_id": entry.id[:512]} if entry.id else {}),
    }


def _is_type(stated: str) -> bool:
    head, _, tail = stated.partition("/")
    return head.isascii() and head.isalpha() and head.islower() and tail.replace("-", "").replace(".", "").isalnum()
