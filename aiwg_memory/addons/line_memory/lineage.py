"""What facts rest on, and what becomes of them when a source is withdrawn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from aiwg_memory.addons.line_memory.desk import Desk
from aiwg_memory.addons.line_memory.store import LIVE, read
from aiwg_memory.addons.line_memory.text import text_digest
from aiwg_memory.core.lineage import Decision, Thing, grounds_of
from aiwg_memory.core.operations import Note, Plan, Request
from aiwg_memory.core.tree import Tree

_STATUS = {"revoke": "revoked", "delete": "removed", "origin-unavailable": "origin_unavailable"}


def things(tree: Tree) -> Iterator[Thing]:
    """Every fact with a record, and every text without one."""
    store = read(tree)
    for handle, head in store.heads.items():
        current = head.current
        digest = current.text("digest")
        expected = sorted(one.digest for one in head.heads) if head.fork else current.version
        yield Thing(
            handle,
            "facts",
            current.status,
            current.status in LIVE,
            store.text(handle) or "",
            (digest,) if digest else (),
            grounds_of(current.value, "sources", "parents"),
            expected,
            current.object("dependencies"),
            current.text("classification", "internal"),
        )
    for unit in store.unrecorded():
        yield Thing(unit.handle, "facts", "active", True, unit.text, (text_digest(unit.text),), expected=0)


def dispose(tree: Tree, request: Request, decisions: Sequence[Decision]) -> Plan:
    """A retained fact keeps its file, and its record says who kept it. The text of one that ends goes."""
    targets = [{"handle": one.thing.handle, "expected": one.thing.expected} for one in decisions]
    reason = {"reason": request.arguments["reason"]} if request.arguments.get("reason") else {}
    desk = Desk(tree, request.part("line-memory.dispose", {"targets": targets, **reason}))
    for one, target in zip(decisions, targets, strict=True):
        heads = desk.heads(target)
        if heads is None:
            continue
        handle, text = one.thing.handle, desk.store.text(one.thing.handle) or ""
        if one.action == "retain":
            desk.record(handle, heads, {"dependencies": dict(one.envelope)}, text=text)
        elif one.action == "supersede":
            _supersede(desk, one)
            desk.record(handle, heads, {"status": "superseded", "replacement": one.replacement}, text=text)
            desk.drop(handle)
        elif heads and heads[0].status == _STATUS[one.action]:
            desk.duplicates.append(Note(handle, f"is {heads[0].status.replace('_', ' ')} already"))
        else:
            desk.record(handle, heads, {"status": _STATUS[one.action]}, text=text)
            if _STATUS[one.action] not in LIVE:
                desk.drop(handle)
            elif text and not heads:
                desk.place(text)
    return desk.plan("dispose of facts")


def _supersede(desk: Desk, one: Decision) -> None:
    if one.replacement.startswith("lm_") and one.replacement not in desk.store.live():
        desk.wrong("not-found", f"{one.replacement} is no fact that is there", "`facts list` shows the handles")
    desk.supersedes.append(Note(one.thing.handle, f"gives way to {one.replacement}"))
