"""Plan what is taken in of another tool's files. The files themselves are only read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from aiwg_memory.addons.compound_memory.joining import joined
from aiwg_memory.core.candidates import House
from aiwg_memory.core.canonical import digest
from aiwg_memory.core.desk import Desk
from aiwg_memory.core.foreign import MAX_ENTRIES, Fact, File, Found, aiwg, codex, notes
from aiwg_memory.core.operations import Note, Plan, Request
from aiwg_memory.core.paths import RepoPath, display, path_problem
from aiwg_memory.core.screening import protected_source
from aiwg_memory.core.stored import MAX_FILE
from aiwg_memory.core.tree import Tree
from aiwg_memory.errors import NotFound

_LISTED = 20
_MISSING = {
    "facts": "line-memory", "values": "canonical-context", "pages": "llm-wiki", "outputs": "compound-memory",
}  # fmt: skip


def take_in(tree: Tree, request: Request, house: House) -> Plan:
    """``files`` are the sources with the ``name`` each has for its tool. Every part leaves out what it may not take."""
    desk = Desk(tree, request, "import_request.v1", needs=("files",), takes=("facts", "root"))
    tool = request.kind.rpartition(".")[2]
    files = {str(source["name"]): file for source in desk.arguments["files"] if (file := _file(desk, source))}
    if not desk.sound:
        return desk.plan("")
    found = _read(tool, files, desk.arguments)
    if found.count > MAX_ENTRIES:
        desk.wrong("too-many", f"there are {found.count} entries; at most {MAX_ENTRIES} are taken in at once")
        return desk.plan("")
    desk.conflicts += [Note(one.subject, one.message) for one in found.remarks]
    parts = []
    for sort in _MISSING:
        entries = getattr(found, sort)
        taker = house.takers.get(sort)
        if entries and taker is None:
            said = f"{len(entries)} are left out: the addon {_MISSING[sort]} is not enabled"
            desk.conflicts.append(Note(sort, said))
        elif entries and taker is not None:
            parts.append(taker(tree, request, entries))
    _guessed(desk, found)
    parts = [replace(part, duplicates=_some(part.duplicates)) for part in parts]
    plan = joined(desk, parts, f"take in {_told(parts)} from {tool}; nothing of it is confirmed")
    return plan if plan.changes else replace(plan, summary=f"{tool} holds nothing new")


def _some(notes: tuple[Note, ...]) -> tuple[Note, ...]:
    """The first few: of what is here already nobody has to decide anything."""
    more = len(notes) - _LISTED
    return (*notes[:_LISTED], Note("…", f"and {more} more are here already")) if more > 0 else notes


def _read(tool: str, files: Mapping[str, File], arguments: Mapping[str, Any]) -> Found:
    if tool == "aiwg":
        return aiwg.read(files)
    if tool == "codex":
        return codex.read_codex(files, root=str(arguments.get("root", "")))
    readers: Mapping[str, Callable[..., Found]] = {
        "markdown": notes.read_markdown, "claude": notes.read_claude, "basic-memory": notes.read_basic_memory,
    }  # fmt: skip
    return readers[tool](files, with_facts=bool(arguments.get("facts")))


def _file(desk: Desk, source: Mapping[str, Any]) -> File | None:
    """The bytes of one source as they were named; None after noting what is wrong."""
    locator, name, given = source["locator"], source["name"], source["digest"]
    for place in (locator, name):
        reason = protected_source(place)
        if reason:
            desk.refuse("protected-source", f"{display(place)} is not read: {reason}", "nothing overrides this")
            return None
    desk.screen(name, name, strict=True)
    inside = not path_problem(locator)
    data = desk.request.inputs.get(given)
    if data is None and inside:
        try:
            data = desk.tree.read(RepoPath(locator), limit=min(desk.config.sources.max_bytes, MAX_FILE))
        except NotFound:
            data = None
    if data is None or digest(data) != given:
        what = "is not here" if data is None else "is not what was named: it has another digest"
        desk.wrong("source-moved", f"{display(name)} {what}", "preview it again")
        return None
    return File(data, locator if inside else "")


def _guessed(desk: Desk, found: Found) -> None:
    """Nobody stated where a line applies: what was taken for granted is said once."""
    plain = [one for one in found.facts if isinstance(one, Fact) and one.scope == "global"]
    if plain or found.values:
        desk.conflicts.append(Note("scope", "is taken to be the whole project (global) where nothing narrower is said"))


def _told(parts: list[Plan]) -> str:
    counts: dict[str, int] = {}
    for part in parts:
        for subject in part.subjects:
            word = {"lm_": "facts", "ctx": "keys", "wik": "pages", "out": "outputs"}[subject[:3]]
            counts[word] = counts.get(word, 0) + 1
    return ", ".join(f"{count} {word if count > 1 else word[:-1]}" for word, count in counts.items()) or "nothing"


def undo(tree: Tree, request: Request, house: House) -> Plan:
    """Each store takes its own part back; the other tool's files were never touched."""
    desk = Desk(tree, request, "import_request.v1", needs=("receipt",))
    receipt = desk.arguments["receipt"]
    return joined(desk, house.undo(tree, request), f"undo {receipt['kind']} {receipt['seg']}")
