"""Plan that a text is erased wherever the files of this store hold it. The digests of its versions stay."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from aiwg_memory.addons.line_memory.desk import Desk
from aiwg_memory.addons.line_memory.store import LIVE
from aiwg_memory.addons.line_memory.text import RECORDS
from aiwg_memory.core.canonical import canonical_json
from aiwg_memory.core.operations import Note, Plan, Request
from aiwg_memory.core.paths import join
from aiwg_memory.core.records import COVERED, SEGMENT_LIMIT, Version, read_line
from aiwg_memory.core.tree import Tree

ERASED = "[forgotten]"
_KEPT = frozenset((
    *COVERED, "schema", "version", "seg", "at", "classification", "sources", "dependencies", "reviewer", "parents",
    "expires_at", "review_at", "redacted", "forgotten",
))  # fmt: skip


def forget(tree: Tree, request: Request) -> Plan:
    """Fact file, hand-typed line, and in every record version each field that is free text or holds the text.

    What is left is a removed record (a stricter end stays what it was) whose chain still verifies.
    """
    desk = Desk(tree, request)
    texts: dict[str, str] = {}
    for target in desk.arguments.get("targets", ()):
        heads = desk.heads(target)
        if heads is None:
            continue
        handle = target["handle"]
        texts[handle] = desk.store.text(handle) or ""
        clean = tuple(Version(_erased(head.value, texts)) for head in heads)
        status = heads[0].status if heads and heads[0].status not in (*LIVE, "archived") else "removed"
        desk.record(handle, clean, {"status": status, "forgotten": True}, text=texts[handle])
        desk.drop(handle)
        left = "its digest stays, and that of a short secret can be guessed; commits that hold the text keep it"
        desk.conflicts.append(Note(handle, left))
    _rewrite(desk, tree, texts)
    count = len(texts)
    return desk.plan(f"forget the text of {count} fact{'' if count == 1 else 's'}")


def _rewrite(desk: Desk, tree: Tree, texts: Mapping[str, str]) -> None:
    """Every other line of a segment keeps its bytes. A line that cannot be read may hold the text, and stops this."""
    for entry in tree.list(RECORDS):
        if entry.kind != "file" or not entry.name.endswith(".jsonl"):
            continue
        path = join(RECORDS, entry.name)
        lines = []
        for number, line in enumerate(tree.read(path, limit=SEGMENT_LIMIT).split(b"\n"), 1):
            value, problem = read_line(line) if line.strip() else (None, None)
            if problem:
                desk.wrong(
                    "broken-record", f"{path}:{number} cannot be read, so it may hold the text", "repair it first"
                )
            clean = _erased(value, texts) if isinstance(value, dict) else value
            lines.append(line if clean == value else canonical_json(clean))
        desk.draft.write(path, b"\n".join(lines))


def _erased(value: Mapping[str, Any], texts: Mapping[str, str]) -> dict[str, Any]:
    """A record of a forgotten fact loses its free text; any record loses the texts themselves where no digest rests."""
    held = [text for text in texts.values() if text]
    own = value.get("handle") in texts
    return {
        name: one if name in COVERED else _without(one, held, name == "dependencies" and own)
        for name, one in value.items()
        if not own or name in _KEPT
    }


def _without(value: Any, held: list[str], drop_reason: bool = False) -> Any:
    if isinstance(value, str):
        for text in held:
            value = value.replace(text, ERASED)
        return value
    if isinstance(value, list):
        return [_without(one, held) for one in value]
    if isinstance(value, dict):
        return {name: _without(one, held) for name, one in value.items() if not (drop_reason and name == "reason")}
    return value
