"""What another tool kept as facts: each becomes a fact that nobody here has judged, in the state it had there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from aiwg_memory.addons.line_memory.adding import Neighbours
from aiwg_memory.addons.line_memory.desk import MAX_SOURCES, Desk
from aiwg_memory.addons.line_memory.first import sourced
from aiwg_memory.addons.line_memory.screens import screened
from aiwg_memory.addons.line_memory.store import LIVE
from aiwg_memory.addons.line_memory.text import RECORDS, fact_path, handle_of, normalise, text_digest
from aiwg_memory.core.foreign import Fact, unproven
from aiwg_memory.core.operations import Note, Plan, Request
from aiwg_memory.core.records import Version
from aiwg_memory.core.tree import Tree


def take(tree: Tree, request: Request, entries: Sequence[Fact]) -> Plan:
    """A fact that is here already keeps what is said of it, and gets the sources it lacks; one that was ended here
    stays ended. What cannot be a fact, and what the screen refuses, is said and left out."""
    desk = Desk(tree, request.part("line-memory.import", {"provenance": "import"}))
    near = Neighbours(desk)
    texts = {entry.id: handle for entry in entries if entry.id and (handle := _handle(desk, entry))}
    seen: set[str] = set()
    passed: set[str] = set()
    for entry in entries:
        text = _text(desk, entry, passed)
        if text is None:
            continue
        handle = handle_of(text)
        if handle in seen:
            desk.duplicates.append(Note(handle, f"{entry.place} says it again"))
            continue
        seen.add(handle)
        head = desk.store.heads.get(handle)
        if head is None:
            _first(desk, near, text, entry, texts)
        elif head.fork or head.current.newer or head.current.text("digest") != text_digest(text):
            desk.conflicts.append(Note(handle, "is left as it is: it is forked, of a newer tool, or another text's"))
        else:
            _known(desk, head.current, entry)
    count = len(desk.subjects)
    return desk.plan(f"take in {count} fact{'' if count == 1 else 's'}")


def _handle(desk: Desk, entry: Fact) -> str:
    try:
        return handle_of(normalise(entry.text, desk.config.facts.max_characters))
    except ValueError:
        return ""


def _text(desk: Desk, entry: Fact, passed: set[str]) -> str | None:
    """The text as it will be stored; None after saying why it is left out. ``passed`` are texts that were screened."""
    try:
        text = normalise(entry.text, desk.config.facts.max_characters)
    except ValueError as error:
        desk.conflicts.append(Note(entry.place, f"is left out: {error}"))
        return None
    found = screened(text, fact_path(handle_of(text)), desk.config, line=1)
    for said in filter(None, (entry.id, *entry.tags, *_said(entry.origin), *_refs(entry))):
        if said not in passed:
            told = screened(said, RECORDS, desk.config, strict=True)
            found += told
            passed |= set() if told else {said}
    refused = [one for one in found if one.severity == "error"]
    if refused:
        desk.conflicts.append(Note(entry.place, f"is left out: {refused[0].message} [{refused[0].rule}]"))
        return None
    desk.warnings += [one for one in found if one.severity == "warning"]
    return text


def _refs(entry: Fact) -> list[str]:
    return [str(one["ref"]) for one in entry.sources]


def _said(value: Any) -> list[str]:
    if isinstance(value, Mapping):
        # Tool and place are ours; the names of files are screened with the files.
        return [text for key, one in value.items() if key not in ("tool", "place") for text in _said(one)]
    if isinstance(value, list | tuple):
        return [text for one in value for text in _said(one)]
    return [value] if isinstance(value, str) else []


def _first(desk: Desk, near: Neighbours, text: str, entry: Fact, texts: Mapping[str, str]) -> None:
    if entry.scope != "global" and "scope" not in desk.arguments:
        desk.conflicts.append(Note(handle_of(text), f"applies to {entry.scope}, as {entry.place} says"))
    values: dict[str, Any] = {
        "status": entry.status,
        "scope": desk.arguments.get("scope", entry.scope),
        "sources": sourced(_mapped(entry, texts))[:MAX_SOURCES],
        "dependencies": unproven(str(entry.origin.get("tool"))),
        "origin": dict(entry.origin),
        "replacement": texts.get(entry.replacement),
    }
    values |= {"foreign_id": entry.id[:512]} if entry.id else {}
    values |= {"tags": list(entry.tags[:64])} if entry.tags else {}
    values |= {name: at for name, at in (("expires_at", entry.expires_at), ("review_at", entry.review_at)) if at}
    if entry.status in LIVE:
        near.note(handle_of(text), text)
        desk.place(text, only=False)
    desk.record(handle_of(text), (), values, text=text)


def _mapped(entry: Fact, texts: Mapping[str, str]) -> list[dict[str, Any]]:
    """Sources, with what is taken in at the same time under the handle it has here."""
    return [
        {**one, "ref": texts.get(str(one["ref"]).removeprefix("line-memory:"), one["ref"])} for one in entry.sources
    ]


def _known(desk: Desk, head: Version, entry: Fact) -> None:
    if head.status != entry.status:
        desk.conflicts.append(
            Note(head.handle, f"is {head.status} here and stays so; {entry.place} has {entry.status}")
        )
        return
    cited = {one.get("ref") for one in head.list("sources")}
    more = [one for one in sourced(entry.sources) if one["ref"] not in cited]
    changes: dict[str, Any] = {}
    if more and len(head.list("sources")) + len(more) <= MAX_SOURCES and head.status in LIVE:
        changes["sources"] = [*head.list("sources"), *more]
    if entry.id and not head.text("foreign_id"):
        changes |= {"foreign_id": entry.id[:512], "origin": dict(entry.origin)}
    if changes:
        desk.record(head.handle, (head,), changes)
    desk.duplicates.append(Note(head.handle, "is here already" + (", and gets what is new of it" if changes else "")))
