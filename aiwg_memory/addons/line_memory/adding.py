"""Plan new facts, or new sources of known ones."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from aiwg_memory.addons.line_memory.asking import ATTRIBUTES
from aiwg_memory.addons.line_memory.desk import Desk
from aiwg_memory.addons.line_memory.first import named, quote, sourced
from aiwg_memory.addons.line_memory.text import handle_of, initial, near_key, text_digest
from aiwg_memory.core.dependencies import unite
from aiwg_memory.core.operations import Note, Plan, Request
from aiwg_memory.core.records import Version
from aiwg_memory.core.tree import Tree


def add(tree: Tree, request: Request) -> Plan:
    """One or many texts under one set of attributes. A known fact gets the new sources, or is said to be known."""
    desk = Desk(tree, request)
    near = Neighbours(desk)
    seen: dict[str, str] = {}
    for index, raw in enumerate(desk.arguments.get("texts", ())):
        got = desk.fact(raw, f"fact {index + 1}")
        if got is None:
            continue
        text, redacted = got
        handle = handle_of(text)
        if handle in seen:
            desk.duplicates.append(Note(handle, "stands twice in this request"))
            continue
        seen[handle] = text
        bring(desk, text, {"redacted": True} if redacted else {}, near)
    return desk.plan(f"add {named([text for handle, text in seen.items() if handle in desk.subjects])}")


class Neighbours:
    """The facts that are there and that are coming, by what they say when case and punctuation are left out."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._texts = desk.store.live()
        self._keys: dict[str, list[str]] = {}
        # Most facts cannot say the same as a new one: theirs begins with another letter, and no key is made of them.
        self._unkeyed: dict[str, list[str]] = {}
        for handle, text in self._texts.items():
            self._unkeyed.setdefault(initial(text), []).append(handle)

    def note(self, handle: str, text: str) -> None:
        """Say which facts say the same as this one, and remember it."""
        for other in self._unkeyed.pop(initial(text), ()):
            self._keys.setdefault(near_key(self._texts[other]), []).append(other)
        same = self._keys.setdefault(near_key(text), [])
        for other in same:
            if other != handle:
                message = f"says the same as {other}: {quote(self._texts[other])}"
                self._desk.conflicts.append(Note(handle, message))
        self._texts[handle] = text
        same.append(handle)


def bring(desk: Desk, text: str, extra: Mapping[str, Any], near: Neighbours) -> None:
    """The text becomes, or stays, a fact with a record: new, back from history, or known and now with more sources.

    ``extra`` are fields of the record beyond what the request states (parents, inherited dimensions).
    """
    handle = handle_of(text)
    head = desk.store.heads.get(handle)
    if head is None:
        if handle in desk.store.units:
            desk.duplicates.append(Note(handle, "was there without a record and gets one"))
        near.note(handle, text)
        desk.record(handle, (), extra, text=text)
        desk.place(text)
    elif head.current.text("digest") != text_digest(text):
        desk.wrong("fact-digest", f"{handle} is the handle of another text already", "say it in other words")
    elif head.fork:
        desk.wrong("record-fork", f"{handle} was decided differently on two branches", "`facts resolve` settles it")
    elif head.current.newer:
        desk.wrong("newer-schema", f"{handle} was last written by a newer tool", "upgrade aiwg-memory")
    elif head.current.status == "active":
        _known(desk, head.current, extra)
        desk.place(text)
    elif desk.ended(head.current):
        near.note(handle, text)
        desk.record(handle, head.heads, {**_again(desk, head.current), **extra})
        desk.place(text)


def _known(desk: Desk, head: Version, extra: Mapping[str, Any]) -> None:
    changes = _restated(desk, head)
    sources = sourced((*head.list("sources"), *desk.arguments.get("sources", ()), *extra.get("sources", ())))
    added = [source for source in sources if source not in sourced(head.list("sources"))]
    if added:
        changes["sources"] = sources
    parents = sorted({*head.list("parents"), *extra.get("parents", ())})
    if parents != sorted(head.list("parents")):
        changes["parents"] = parents
    stated = [given["dependencies"] for given in (desk.arguments, extra) if given.get("dependencies")]
    if stated:
        united = unite([head.object("dependencies"), *stated] if head.object("dependencies") else stated)
        if united != head.object("dependencies"):
            changes["dependencies"] = united
    if changes:
        desk.record(head.handle, (head,), changes)
        more = f"; adds {len(added)} source{'' if len(added) == 1 else 's'}" if added else ""
        desk.duplicates.append(Note(head.handle, "already known" + more))
    else:
        desk.duplicates.append(Note(head.handle, "already known"))


def _restated(desk: Desk, head: Version) -> dict[str, Any]:
    changes = {}
    for name in ATTRIBUTES:
        if name in desk.arguments and desk.arguments[name] != head.text(name):
            changes[name] = desk.arguments[name]
            said = f"{name} changes from {head.text(name) or 'nothing'} to {desk.arguments[name]}"
            desk.conflicts.append(Note(head.handle, said))
    return changes


def _again(desk: Desk, head: Version) -> dict[str, Any]:
    """A fact comes back as whoever brings it back states it; what it rested on it still rests on."""
    provenance = desk.arguments.get("provenance", "external")
    changes = {name: desk.arguments[name] for name in ATTRIBUTES if name in desk.arguments}
    stated = [one for one in (head.object("dependencies"), desk.arguments.get("dependencies")) if one]
    if stated:
        changes["dependencies"] = unite(stated)
    return {
        "expires_at": None,
        **changes,
        "status": "active",
        "provenance": provenance,
        "review": "confirmed" if provenance == "operator" else "pending",
        "replacement": None,
        "forgotten": False,
        "sources": sourced((*head.list("sources"), *desk.arguments.get("sources", ()))),
    }
