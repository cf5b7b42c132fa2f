"""Taking a source in: an exact copy named by its digest, and a record of where it came from."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from aiwg_memory.addons.llm_wiki.desk import Desk
from aiwg_memory.addons.llm_wiki.layout import RAW, RECORDS, look, raw_handle, raw_path
from aiwg_memory.addons.llm_wiki.sources import HELD, Evidence, plain, read_evidence
from aiwg_memory.core.canonical import digest
from aiwg_memory.core.counting import counted, few
from aiwg_memory.core.operations import Note, Plan, Request
from aiwg_memory.core.paths import RepoPath, display, path_problem
from aiwg_memory.core.records import Version, render_segment, succeed
from aiwg_memory.core.screening import protected_source
from aiwg_memory.core.stored import MAX_FILE
from aiwg_memory.core.tree import Tree

_URL = re.compile(r"([a-zA-Z][a-zA-Z0-9+.-]{1,31})://([^/?#\\]*)([^?#]*)")
_PRIVATE = re.compile(r"[/\\~]|[a-zA-Z]:[/\\]|file:", re.IGNORECASE)


def ingest(tree: Tree, request: Request) -> Plan:
    """Every source of the request, or none. Bytes that are here already, under whatever name, are duplicates."""
    desk = Desk(tree, request, needs=("sources",), takes=("classification", "redact", "acknowledged"))
    evidence = read_evidence(tree)
    versions: dict[str, Version] = {}
    for source in desk.arguments["sources"]:
        data = _bytes(desk, source)
        if data is not None:
            _take(desk, evidence, source, data, versions)
    if versions:
        desk.draft.write(RepoPath(f"{RECORDS}/{request.seg}.jsonl"), render_segment(versions.values()))
    names = [display(version.text("name")) for version in versions.values()]
    many = f"{counted(len(names), 'file')}: " if len(names) > 5 else ""
    return desk.plan(f"ingest {many}{few(names)}")


def public_locator(locator: str, name: str) -> str:
    """Where a source came from, as it may be stored: a URL without user, query and fragment, a path of the workspace;
    anything else is called by its name alone."""
    url = _URL.match(locator)
    if url and url[1].lower() != "file":
        return f"{url[1].lower()}://{url[2].rpartition('@')[2]}{url[3]}"
    if _PRIVATE.match(locator) or path_problem(plain(locator)):
        return re.split(r"[/\\]", name.rstrip("/\\"))[-1] or "source"
    return locator


def _bytes(desk: Desk, source: Mapping[str, Any]) -> bytes | None:
    """The source's bytes, as the request names them by digest; None after noting what is wrong."""
    given, name = source["digest"], source["name"]
    for place in (source["locator"], name):
        reason = protected_source(place)
        if reason:
            desk.refuse("protected-source", f"{display(place)} is not ingested: {reason}", "nothing overrides this")
            return None
    limit = desk.config.sources.max_bytes
    data = desk.request.inputs.get(given)
    if data is None:
        data = _from_tree(desk, source["locator"])
    if data is None:
        desk.wrong("not-found", f"{display(name)} is not here", "name a file of the workspace, or hand its bytes over")
    elif len(data) > min(limit, MAX_FILE):
        message = f"{display(name)} has more than {min(limit, MAX_FILE)} bytes"
        desk.refuse("too-large", message, "raise sources.max_bytes, or ingest a part of it")
    elif digest(data) != given:
        desk.wrong("source-moved", f"{display(name)} is not what was named: it has another digest", "preview it again")
    else:
        return data
    return None


def _from_tree(desk: Desk, locator: str) -> bytes | None:
    if path_problem(locator):
        return None
    path = RepoPath(locator)
    entry = look(desk.tree, path)
    if entry is None or entry.kind != "file":
        return None
    # One byte over the bound is enough to know; the whole is not read.
    limit = min(desk.config.sources.max_bytes, MAX_FILE)
    return b"\0" * (limit + 1) if entry.size > limit else desk.tree.read(path, limit=limit)


def _take(desk: Desk, evidence: Evidence, source: Mapping[str, Any], data: bytes, versions: dict[str, Version]) -> None:
    name, where = source["name"], public_locator(source["locator"], source["name"])
    if len(where.encode()) > 512:
        desk.wrong("locator", f"the locator of {display(name)} has more than 512 bytes", "name it by a shorter one")
    data, redacted = _screened(desk, name, where, data)
    full = digest(data)
    handle = raw_handle(full)
    head = evidence.heads.get(handle)
    if handle in versions or (head is not None and head.current.status in HELD and _is_there(desk, head.current)):
        known = versions.get(handle) or (head.current if head else None)
        assert known is not None
        other = f", as {display(known.text('name'))}" if known.text("name") != name else ""
        desk.duplicates.append(Note(handle, f"{display(name)} is here already{other}"))
        return
    if head is not None and head.current.status not in HELD and handle not in desk.arguments.get("acknowledged", ()):
        was = f"{handle} was {head.current.status} by {head.current.text('reviewer')} at {head.current.at}"
        desk.refuse("ended-source", was, f"--acknowledge {handle} brings it back all the same")
        return
    path = RepoPath(f"{RAW}/{head.current.text('file')}") if head else raw_path(full, name)
    versions[handle] = succeed(
        head.heads if head else (),
        {
            "schema": "aiwg.raw_record.v1",
            "handle": handle,
            "status": "active",
            "seg": desk.request.seg,
            "at": desk.request.at,
            "digest": full,
            "bytes": len(data),
            "name": name,
            "file": path.name,
            "source_kind": source["kind"],
            "route": source["route"],
            "redacted": redacted,
            "provenance": "ingest",
            "classification": desk.arguments.get("classification", "internal"),
            "sources": [{"ref": where, "digest": source["digest"], "span": None}],
            "reviewer": desk.request.reviewer,
        },
    )
    desk.subjects[handle] = None
    desk.draft.write(path, data, read_only=True)


def _screened(desk: Desk, name: str, where: str, data: bytes) -> tuple[bytes, bool]:
    """The bytes to keep, and whether secrets were taken out. What is no text is screened for secrets alone."""
    desk.screen(name, where, strict=True)
    desk.screen(where, where, strict=True)
    try:
        text = data.decode()
    except UnicodeDecodeError:
        desk.screen_bytes(data, where)
        return data, False
    clean = desk.redacted(text, where)
    desk.screen(clean, where, line=1)
    return (data, False) if clean == text else (clean.encode(), True)


def _is_there(desk: Desk, version: Version) -> bool:
    entry = look(desk.tree, RepoPath(f"{RAW}/{version.text('file')}"))
    return entry is not None and entry.kind == "file"
