"""Plan the inverse of an operation on facts: each one returns to its earlier state, by a new version."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from aiwg_memory.addons.line_memory.desk import Desk
from aiwg_memory.addons.line_memory.reading import NO_LIMIT
from aiwg_memory.addons.line_memory.store import LIVE
from aiwg_memory.addons.line_memory.text import FACTS, LINES, fact_path, handle_of, normalise
from aiwg_memory.core.operations import Note, Plan, Request
from aiwg_memory.core.records import Version, join, restriction
from aiwg_memory.core.tree import Tree
from aiwg_memory.errors import UsageError


def undo(tree: Tree, request: Request) -> Plan:
    """``arguments["receipt"]`` says which operation, ``inputs`` holds what could be found of the bytes it replaced.

    Raises UsageError, with all of it, when a fact was decided again since or a text can no longer be found.
    """
    desk = Desk(tree, request)
    receipt = desk.arguments["receipt"]
    if receipt["kind"] == "line-memory.forget":
        hint = "add the text again, if you have it"
        raise UsageError("what was forgotten stays forgotten", hint=hint, code="forgotten")
    lines: dict[str, list[Version]] = {}
    for version in desk.store.versions:
        lines.setdefault(version.digest, []).append(version)
    done = {digest: join(same) for digest, same in lines.items() if any(one.seg == receipt["seg"] for one in same)}
    if not done:
        desk.wrong("nothing-to-undo", f"the operation {receipt['seg']} wrote no record that is here")
    texts = _found(desk, request)
    for digest in sorted(done, key=lambda digest: done[digest].handle):
        made = done[digest]
        if desk.store.heads[made.handle].heads != (made,):
            said = f"{made.handle} was decided again after {receipt['seg']}"
            desk.wrong("changed-since", said, "undo the later operation first")
            continue
        if len({one.seg for one in lines[digest]}) > 1:
            desk.conflicts.append(Note(made.handle, "the same decision was taken on another branch; this undoes both"))
        priors = [join(lines[name]) for name in made.previous if name in lines]
        _return(desk, made, min(priors, key=restriction) if priors else None, texts)
    count = len(desk.subjects)
    return desk.plan(f"undo {receipt['kind']} of {count} fact{'' if count == 1 else 's'}")


def _found(desk: Desk, request: Request) -> dict[str, str]:
    """Every fact that stands in the tree or in the bytes that were found, by handle."""
    found: dict[str, str] = {}
    for digest in sorted(request.inputs):
        found |= _facts(request.inputs[digest])
    return found | {handle: units[0].text for handle, units in desk.store.units.items()}


def _facts(data: bytes) -> dict[str, str]:
    found = {}
    for line in data.decode("utf-8", "replace").split("\n"):
        try:
            text = normalise(line, NO_LIMIT)
        except ValueError:
            continue
        found[handle_of(text)] = text
    return found


def _return(desk: Desk, made: Version, prior: Version | None, texts: Mapping[str, str]) -> None:
    changes: dict[str, Any] = {name: made.value.get(name) for name in ("schema", "handle")}
    if prior is None and _was_there(desk, made):
        changes |= {"status": "active", "review": "pending", "provenance": "external", "replacement": None}
        desk.conflicts.append(Note(made.handle, "stays in its own file, as a fact that nobody has judged"))
    elif prior is None:
        changes["status"] = "removed"
    status = changes.get("status") or (prior.status if prior else "removed")
    text = texts.get(made.handle)
    if status not in LIVE:
        desk.drop(made.handle)
    elif text is None:
        hint = "restore it with its text; git has that as long as history has the commit"
        return desk.wrong("text-gone", f"the text of {made.handle} can no longer be found", hint)
    else:
        desk.screen_fact(text)
        desk.place(text, only=not _imported(desk.request))
    desk.record(made.handle, (made,), changes, like=prior)
    return None


def _imported(request: Request) -> bool:
    """Whether another tool's file may still hold the line: that one is never written to."""
    return str(request.arguments["receipt"]["kind"]).startswith("import.")


def _was_there(desk: Desk, made: Version) -> bool:
    """Whether the text stood in the tree, unrecorded, before the operation gave it its first record.

    Where the bytes that would tell are gone it counts as there: a fact too many can be removed.
    """
    request = desk.request
    receipt = request.arguments["receipt"]
    if _imported(request):
        return any(unit.path != fact_path(made.handle) for unit in desk.store.units.get(made.handle, ()))
    before = {change["path"]: change["before"] for change in receipt["changes"]}
    if receipt["kind"] == "line-memory.adopt" or before.get(fact_path(made.handle), "") is not None:
        return True
    replaced = [name for path, name in before.items() if name and (path == LINES or path.startswith(FACTS + "/"))]
    return any(name not in request.inputs or made.handle in _facts(request.inputs[name]) for name in replaced)
