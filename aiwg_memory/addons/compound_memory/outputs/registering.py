"""Plan the registration of a file with the pack it was made with. The file itself is only read."""

from __future__ import annotations

from typing import Any

from aiwg_memory.addons.compound_memory.outputs.media import media_type
from aiwg_memory.addons.compound_memory.outputs.store import LIVE, RECORDS, Store, output_id, read
from aiwg_memory.core.canonical import digest
from aiwg_memory.core.desk import Desk
from aiwg_memory.core.operations import Note, Plan, Request
from aiwg_memory.core.paths import RepoPath, path_problem
from aiwg_memory.core.records import Version, render_segment, succeed
from aiwg_memory.core.screening.sources import protected_source
from aiwg_memory.core.stored import MAX_FILE
from aiwg_memory.core.tree import Tree
from aiwg_memory.errors import AiwgError, NotFound

_NEEDS = ("path", "pack", "sources", "provenance")
_TAKES = ("dependencies", "supersedes", "conflicts_with", "reason")


def register(tree: Tree, request: Request) -> Plan:
    """One record, and a version for each registration it supersedes. Nothing is promoted by it."""
    desk = Desk(tree, request, "output_request.v1", needs=_NEEDS, takes=_TAKES)
    store = read(tree)
    given = desk.arguments
    pack = dict(given["pack"])
    for text in (pack.get("task"), given.get("reason")):
        if text:
            desk.screen(text, RECORDS)
    found = _file(desk, given["path"])
    if found is None:
        return desk.plan("")
    path, data = found
    handle = output_id(path, digest(data), pack["id"])
    written = _supersede(desk, store, handle)
    _related(desk, store, handle, path)
    head = store.heads.get(handle)
    if head is not None and head.current.status == LIVE and not written:
        desk.duplicates.append(Note(handle, f"{path} is registered with this pack already"))
        return desk.plan("")
    if head is not None and head.current.status in ("archived", "revoked"):
        desk.conflicts.append(Note(handle, f"was {head.current.status}; this registers it again"))
    values = {**_record(desk, path, data, pack), "handle": handle}
    written.append(succeed(head.heads if head else (), values))
    desk.subjects[handle] = None
    desk.draft.write(RepoPath(f"{RECORDS}/{request.seg}.jsonl"), render_segment(written))
    return desk.plan(f"register {path} as {handle}, made with {pack['id'][:17]}")


def _record(desk: Desk, path: RepoPath, data: bytes, pack: dict[str, Any]) -> dict[str, Any]:
    given, request = desk.arguments, desk.request
    stated = {"dependencies": given["dependencies"]} if "dependencies" in given else {}
    return {
        "schema": "aiwg.output_record.v1",
        "status": LIVE,
        "seg": request.seg,
        "at": request.at,
        "path": path,
        "digest": digest(data),
        "media_type": media_type(path, data),
        "pack": pack,
        "sources": list(given["sources"]),
        **stated,
        "supersedes": sorted(given.get("supersedes", ())),
        "conflicts_with": sorted(given.get("conflicts_with", ())),
        "classification": "derived",
        "provenance": given["provenance"],
        "reviewer": request.reviewer,
        "reason": given.get("reason", ""),
        "replacement": None,
    }


def _file(desk: Desk, name: str) -> tuple[RepoPath, bytes] | None:
    """The path and the bytes of what is registered; None after noting why it cannot be."""
    problem = path_problem(name)
    protected = protected_source(name)
    if problem:
        desk.refuse("unsafe-path", f"the path has {problem}", "name a file of this workspace")
    elif RepoPath(name).parts[0].casefold() == ".aiwg":
        hint = "what lies there is memory already; an output is a file of the project"
        desk.refuse("output-path", f"{name} lies in .aiwg", hint, name)
    elif protected:
        desk.refuse("protected-source", f"{name} may not be registered: {protected}", path=name)
    else:
        desk.screen(name, name, strict=True)
        return _read(desk, RepoPath(name))
    return None


def _read(desk: Desk, path: RepoPath) -> tuple[RepoPath, bytes] | None:
    try:
        return path, desk.tree.read(path, limit=MAX_FILE)
    except NotFound:
        desk.wrong("not-found", f"{path} is not there", "write the file first, then register it", path)
    except AiwgError as error:
        desk.refuse(error.code, error.message, error.hint, path)
    return None


def _supersede(desk: Desk, store: Store, handle: str) -> list[Version]:
    request, written = desk.request, []
    for name in sorted(desk.arguments.get("supersedes", ())):
        head = store.heads.get(name)
        if head is None or head.current.status != LIVE or name == handle:
            what = "itself" if name == handle else f"{head.current.status}" if head else "not registered here"
            desk.wrong("transition", f"{name} cannot be superseded: it is {what}", "`outputs list` shows what stands")
            continue
        changes = {
            "status": "superseded", "replacement": handle, "seg": request.seg, "at": request.at,
            "reviewer": request.reviewer, "reason": desk.arguments.get("reason", ""),
        }  # fmt: skip
        written.append(succeed(head.heads, changes))
        desk.subjects[name] = None
        desk.supersedes.append(Note(name, f"{head.current.text('path')} is superseded by {handle}"))
    return written


def _related(desk: Desk, store: Store, handle: str, path: RepoPath) -> None:
    """Registrations it says it disagrees with, and those of the same file that it does not speak of."""
    for name in sorted(desk.arguments.get("conflicts_with", ())):
        if name not in store.heads or name == handle:
            desk.wrong("not-found", f"{name} is no other output that is registered here", "`outputs list` shows them")
        else:
            desk.conflicts.append(Note(name, f"is said to disagree with {handle}"))
    spoken = {*desk.arguments.get("supersedes", ()), *desk.arguments.get("conflicts_with", ()), handle}
    for other in store.at(path):
        if other.handle not in spoken:
            said = f"is a registration of {path} too; supersede it if this file takes its place"
            desk.conflicts.append(Note(other.handle, said))
