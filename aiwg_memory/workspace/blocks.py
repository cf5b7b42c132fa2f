"""What an operation withdraws goes from the blocks in the files agents read too: one plan, one diff, one yes."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from aiwg_memory.core.adapters import ADAPTERS, BY_PATH, Adapter, find, listed, placed, read, rows_of, without
from aiwg_memory.core.canonical import digest
from aiwg_memory.core.dependencies import state_of
from aiwg_memory.core.dimensions import INTERNAL
from aiwg_memory.core.operations import Change, Note, Plan, Request
from aiwg_memory.core.overlay import planned
from aiwg_memory.core.stored import current_digest
from aiwg_memory.errors import AiwgError, Refused

if TYPE_CHECKING:
    from aiwg_memory.core.candidates import Standing
    from aiwg_memory.core.tree import Tree
    from aiwg_memory.workspace import Workspace

_OWN = ("adapters", "workspace")
"""Operations that are about these files, or about what was there before any memory."""
_ITEMS = ("lm_", "wiki:", "ctx:")
_LINK = (
    "is a link, and nothing is written through one: where a block in the file it leads to shows what goes, "
    "`aiwg-memory adapters refresh` it there, or take it out by hand"
)
_UNSEEN = "cannot be read, and stays as it is; where its block shows what goes, take it out by hand"


def stores_part(request: Request) -> Request:
    """An undo as the stores are asked: the blocks of its receipt are nobody's who plans there."""
    kind, _, verb = request.kind.rpartition(".")
    if verb != "undo" or kind in _OWN or not _of_blocks(request):
        return request
    record = request.arguments["receipt"]
    changes = [change for change in record["changes"] if change["path"] not in BY_PATH]
    return replace(
        request, arguments={**request.arguments, "receipt": {**record, "changes": changes}}, part_of=request.id
    )


def with_blocks(workspace: Workspace, tree: Tree, request: Request, plan: Plan) -> Plan:
    """The plan as a person is asked about it: with the blocks without what it withdraws, or, undone, as they were.

    A block that was edited by hand, or stands behind a link, stays as it is, and a note says so. A compound operation
    delivers to each sink by itself, and takes nothing along.
    """
    kind, _, verb = request.kind.partition(".")
    plan = replace(plan, request=request)
    if kind in _OWN or plan.sinks or not plan.changes:
        return plan
    changes = {change.path: change for change in plan.changes}
    notes = [*_restored(tree, request, changes)] if verb == "undo" else []
    rows = {adapter: _shown(tree, changes, adapter) for adapter in ADAPTERS.values()}
    unseen = _unseen(tree, [adapter for adapter, shown in rows.items() if shown is None])
    if unseen or any(rows.values()):
        fell = _Fell(workspace, tree, plan)
        fallen = fell.of({row for shown in rows.values() for row in shown or ()})
        for adapter, shown in rows.items():
            notes += _struck(tree, changes, adapter, [row for row in shown or () if row in fallen])
        notes += unseen if unseen and fell.anything() else ()
    ordered = tuple(changes[path] for path in sorted(changes))
    return replace(plan, changes=ordered, conflicts=(*plan.conflicts, *notes))


def _of_blocks(request: Request) -> list[Mapping[str, Any]]:
    return [change for change in request.arguments["receipt"]["changes"] if change["path"] in BY_PATH]


def _restored(tree: Tree, request: Request, changes: dict[Any, Change]) -> Iterator[Note]:
    for change in _of_blocks(request):
        adapter = BY_PATH[change["path"]]
        before = request.inputs.get(change["before"])
        if current_digest(tree, adapter.path) == change["after"] and before is not None:
            changes[adapter.path] = Change(adapter.path, change["after"], before)
        else:
            hint = "`aiwg-memory adapters refresh` shows in its block what stands"
            yield Note(adapter.path, f"was changed since, and stays as it is; {hint}")


def _shown(tree: Tree, changes: Mapping[Any, Change], adapter: Adapter) -> list[str] | None:
    """The handles that a file lists, whatever was done to its block; None for what cannot be looked at."""
    try:
        data = _data(tree, changes, adapter)
    except AiwgError:
        return None
    # Of a text in two bytes a character, what is left are the characters.
    return listed(data.decode("utf-8", "replace").replace("\0", "")) if data is not None else []


def _unseen(tree: Tree, found: list[Adapter]) -> list[Note]:
    """What to say of those that cannot be looked at, but for links on purpose."""
    if not found:
        return []
    from aiwg_memory.core.instructions.ignoring import load_ignore

    ignored = load_ignore(tree, [])
    return [
        Note(adapter.path, _UNSEEN if _is_file(tree, adapter) else _LINK)
        for adapter in found
        if not ignored.matches(adapter.path)
    ]


def _is_file(tree: Tree, adapter: Adapter) -> bool:
    try:
        entry = tree.stat(adapter.path)
    except AiwgError:
        return False
    return entry is not None and entry.kind == "file"


def _data(tree: Tree, changes: Mapping[Any, Change], adapter: Adapter) -> bytes | None:
    return changes[adapter.path].after if adapter.path in changes else read(tree, adapter)


def _struck(tree: Tree, changes: dict[Any, Change], adapter: Adapter, rows: list[str]) -> Iterator[Note]:
    if not rows:
        return
    said = ", ".join(rows)
    data = _data(tree, changes, adapter)
    try:
        block = find(adapter.path, data) if data is not None else None
    except Refused:
        block = None
    if data is None or block is None or block.edited:
        hint = f"take it out by hand, or `aiwg-memory adapters refresh --acknowledge {adapter.name}`"
        yield Note(adapter.path, f"its block was edited by hand, and goes on showing {said}; {hint}")
        return
    held = rows_of(block.inner)
    struck, left = [row for row in rows if row in held], [row for row in rows if row not in held]
    if struck:
        after = placed(adapter, data, without(block.inner, struck))
        before = changes[adapter.path].before if adapter.path in changes else digest(data)
        changes[adapter.path] = Change(adapter.path, before, after)
        yield Note(adapter.path, f"its block shows {', '.join(struck)} no more")
    if left:
        yield Note(adapter.path, f"goes on naming {', '.join(left)} outside its block; take it out by hand")


class _Fell:
    """What stood before a plan and does not after it; a store is read only where it is asked about."""

    def __init__(self, workspace: Workspace, tree: Tree, plan: Plan) -> None:
        from aiwg_memory.workspace.composing import standing

        self._workspace, self._subjects, self._after = workspace, plan.subjects, planned(tree, plan.changes)
        self._was, self._now = standing(workspace, tree), standing(workspace, self._after)

    def of(self, rows: Collection[str]) -> set[str]:
        """Of these those that fell, or that rest on what the plan revokes."""
        fallen = {row for row in rows if _about(row, self._subjects) and self._fell(row)}
        left = set(rows) - fallen
        return fallen | {row for row in left if _about(row, self._reached)}

    @cached_property
    def _reached(self) -> Sequence[str]:
        """What rests on something that is revoked by now."""
        revoked = [one for one in self._subjects if (found := self._now(one)) and found.lifecycle == "revoked"]
        if not revoked:
            return ()
        from aiwg_memory.workspace.lineage import graph

        return [one.thing.handle for one in graph(self._workspace, self._after).affected(revoked)]

    def anything(self) -> bool:
        return any(one.startswith(_ITEMS) and self._fell(one) for one in self._subjects) or any(
            one.startswith(_ITEMS) for one in self._reached
        )

    def _fell(self, handle: str) -> bool:
        was, now = self._was(handle), self._now(handle)
        return was is not None and _stands(was) and (now is None or not _stands(now) or now.digests != was.digests)


def _about(row: str, handles: Collection[str]) -> bool:
    """A page's row is one of its passages, and what rests on something may be named by its version."""
    return row in handles or row.partition("#")[0] in handles or any(one.startswith(f"{row}:v") for one in handles)


def _stands(found: Standing) -> bool:
    """What a block may show: it has no room for a label, as what was kept in spite of a revocation has one."""
    shown = found.classification in INTERNAL and found.scope == "global"
    known = not found.dependencies or state_of(found.dependencies) == "known"
    return shown and known and bool(found.digests) and found.lifecycle == "active"
